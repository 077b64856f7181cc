// The external representation of data: what `read_data` reads back as the same data. An explicit stack holds
// what is still to be written, so that depth costs memory only.
#include <algorithm>
#include <vector>

#include "lang/read/datum.hpp"
#include "lang/text/utf8.hpp"
#include "lang/values/lexical.hpp"

namespace espalier {
namespace {

void append_hex(std::string& out, char32_t code) {
    static constexpr std::string_view digits = "0123456789abcdef";
    int shift = 20;
    while (shift > 0 && code >> shift == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) out += digits[code >> shift & 15];
}

// The content of a string or of a |symbol|; both have the same escapes.
void append_quoted(std::string& out, std::string_view content, char quote) {
    out += quote;
    for (size_t i = 0; i < content.size();) {
        const CodePoint point = decode_utf8(content, i);
        if (point.code == static_cast<char32_t>(quote) || point.code == '\\') {
            out += '\\';
            out += static_cast<char>(point.code);
        } else if (point.code == ' ' || is_visible(point.code)) {
            out += content.substr(i, point.size);
        } else if (point.code == '\n') {
            out += "\\n";
        } else if (point.code == '\t') {
            out += "\\t";
        } else {
            out += "\\x";
            append_hex(out, point.code);
            out += ';';
        }
        i += point.size;
    }
    out += quote;
}

void append_symbol(std::string& out, std::string_view name) {
    if (reads_as_symbol(name))
        out += name;
    else
        append_quoted(out, name, '|');
}

void append_character(std::string& out, char32_t code) {
    out += "#\\";
    const auto* const named = std::find_if(character_names.begin(), character_names.end(),
                                           [code](const CharacterName& entry) { return entry.code == code; });
    if (named != character_names.end()) {
        out += named->name;
    } else if (is_visible(code)) {
        append_utf8(out, code);
    } else {
        out += 'x';
        append_hex(out, code);
    }
}

void append_bytevector(std::string& out, std::string_view bytes) {
    out += "#u8(";
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (i > 0) out += ' ';
        out += std::to_string(static_cast<unsigned char>(bytes[i]));
    }
    out += ')';
}

class Printer {
public:
    explicit Printer(const Data& data) : data_(data) {}

    std::string print(DatumId id) {
        push(Step::datum, id);
        while (!pending_.empty()) {
            const Pending next = pending_.back();
            pending_.pop_back();
            switch (next.step) {
            case Step::datum: print_one(next.id); break;
            case Step::rest: print_rest(next.id); break;
            case Step::elements: print_elements(next.id, next.index); break;
            case Step::close: out_ += ')'; break;
            }
        }
        return std::move(out_);
    }

private:
    enum class Step : uint8_t { datum, rest, elements, close };
    struct Pending {
        Step step;
        DatumId id;
        uint32_t index; // of a vector's next element
    };

    void push(Step step, DatumId id, uint32_t index = 0) { pending_.push_back({step, id, index}); }

    void print_one(DatumId id) {
        const Datum& datum = data_[id];
        switch (datum.kind) {
        case DatumKind::null: out_ += "()"; break;
        case DatumKind::pair:
            out_ += '(';
            push(Step::rest, data_.cdr(id));
            push(Step::datum, data_.car(id));
            break;
        case DatumKind::symbol: append_symbol(out_, name_of(data_.symbol(id))); break;
        case DatumKind::alias: out_ += "#<alias " + std::to_string(datum.a) + '>'; break;
        case DatumKind::boolean: out_ += datum.a != 0 ? "#t" : "#f"; break;
        case DatumKind::integer: out_ += std::to_string(data_.integer(id)); break;
        case DatumKind::number: out_ += data_.text(id); break;
        case DatumKind::character: append_character(out_, datum.a); break;
        case DatumKind::string: append_quoted(out_, data_.text(id), '"'); break;
        case DatumKind::vector:
            out_ += "#(";
            push(Step::elements, id);
            break;
        case DatumKind::bytevector: append_bytevector(out_, data_.text(id)); break;
        }
    }

    void print_rest(DatumId id) {
        if (data_.is_null(id)) {
            out_ += ')';
        } else if (data_.is_pair(id)) {
            out_ += ' ';
            push(Step::rest, data_.cdr(id));
            push(Step::datum, data_.car(id));
        } else {
            out_ += " . ";
            push(Step::close, id);
            push(Step::datum, id);
        }
    }

    void print_elements(DatumId id, uint32_t index) {
        const std::span<const DatumId> elements = data_.elements(id);
        if (index == elements.size()) {
            out_ += ')';
            return;
        }
        if (index > 0) out_ += ' ';
        push(Step::elements, id, index + 1);
        push(Step::datum, elements[index]);
    }

    const Data& data_;
    std::string out_;
    std::vector<Pending> pending_;
};

} // namespace

std::string print_datum(const Data& data, DatumId id) { return Printer(data).print(id); }

} // namespace espalier
