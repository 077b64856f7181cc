// Values as text. An explicit stack holds what is still to be written, so that depth costs memory only.
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "lang/text/utf8.hpp"
#include "lang/values/channel.hpp"
#include "lang/values/lexical.hpp"
#include "lang/values/number.hpp"
#include "lang/values/print.hpp"
#include "lang/values/table.hpp"

namespace espalier {
namespace {

std::string hex(char32_t c) {
    std::string digits;
    do {
        digits.insert(digits.begin(), "0123456789abcdef"[c % 16]);
        c /= 16;
    } while (c != 0);
    return digits;
}

class Printer {
public:
    Printer(const ValueNames* names, Style style, size_t most_bytes)
        : names_(names), style_(style), most_bytes_(most_bytes) {}

    std::string print(Value v) {
        begin(v);
        while (!pending_.empty()) {
            if (out_.size() > most_bytes_) return cut();
            step();
        }
        return out_.size() > most_bytes_ ? cut() : std::move(out_);
    }

private:
    // A list's rest, or an object's parts from `next` on, then `close`.
    struct Pending {
        Value rest;
        const Object* owner; // null: the list
        std::span<const Value> parts;
        size_t next;
        const char* close;
    };

    void step() {
        Pending& top = pending_.back();
        if (top.owner != nullptr) {
            if (top.next == top.parts.size()) {
                out_ += top.close;
                path_.erase(top.owner);
                pending_.pop_back();
                return;
            }
            const ObjectType type = top.owner->type;
            if (top.next > 0 || (type != ObjectType::vector && type != ObjectType::pair)) out_ += ' ';
            begin(top.parts[top.next++]);
        } else if (is_pair(top.rest)) {
            if (top.next++ > 0) out_ += ' ';
            const Pair& p = as_pair(top.rest);
            top.rest = p.cdr;
            begin(p.car);
        } else if (top.rest.is_null()) {
            out_ += ')';
            pending_.pop_back();
        } else {
            out_ += " . ";
            const Value last = top.rest;
            top.rest = Value::null();
            begin(last);
        }
    }

    void begin(Value v) {
        switch (v.tag()) {
        case Value::fixnum_tag: out_ += std::to_string(v.as_fixnum()); break;
        case Value::object_tag: begin_object(v); break;
        case Value::term_tag: out_ += "#<term " + std::to_string(v.payload()) + '>'; break;
        case Value::address_tag: out_ += "#<address " + std::to_string(v.payload()) + '>'; break;
        case Value::immediate_tag: immediate(v); break;
        }
    }

    void immediate(Value v) {
        if (v.is_symbol())
            symbol(name_of(v.as_symbol()));
        else if (v.is_character())
            character(v.as_character());
        else if (v.is_port())
            out_ += names_ != nullptr ? names_->port_name(v.as_port()) : "#<port>";
        else if (v.is_boolean())
            out_ += v.is_true() ? "#t" : "#f";
        else if (v.is_null())
            out_ += "()";
        else if (v == Value::any())
            out_ += "(any)";
        else
            out_ += v.is_unbound() ? "#<unbound>" : "#<unspecified>";
    }

    void begin_object(Value v) {
        const Object* o = v.as_object();
        switch (o->type) {
        case ObjectType::free: out_ += "#<freed>"; break;
        case ObjectType::pair: begin_list(v); break;
        case ObjectType::bignum:
        case ObjectType::rational: out_ += number::to_text(v); break;
        case ObjectType::string: string(as_string(v)); break;
        case ObjectType::vector: parts(o, "#(", {static_cast<const Vector*>(o)->elements, o->count}, ")"); break;
        case ObjectType::bytevector: bytes(as_bytevector(v)); break;
        case ObjectType::closure: procedure(as_closure(v).lambda); break;
        case ObjectType::box: out_ += "#<box>"; break;
        case ObjectType::record:
            parts(o, "#<" + record_name(as_record(v).record), {as_record(v).fields, o->count}, ">");
            break;
        case ObjectType::message:
            if (names_ == nullptr)
                out_ += "#<message>";
            else
                parts(o, '(' + message_name(as_message(v).message), {as_message(v).fields, o->count}, ")");
            break;
        case ObjectType::hash_table:
            out_ += "#<hash-table " + std::to_string(static_cast<const HashTable*>(o)->size()) + '>';
            break;
        case ObjectType::channel:
            out_ += "#<channel " + std::to_string(static_cast<const Channel*>(o)->id) + '>';
            break;
        case ObjectType::timer: out_ += "#<timer " + std::to_string(static_cast<const Timer*>(o)->id) + '>'; break;
        case ObjectType::values: parts(o, "#<values", {static_cast<const Values*>(o)->elements, o->count}, ">"); break;
        case ObjectType::fresh: out_ += 'x' + std::to_string(o->count); break;
        }
    }

    void begin_list(Value v) {
        if (const char* mark = quotation(v)) {
            out_ += mark;
            // One part, and nothing to close: the quoted datum stands alone.
            pending_.push_back({Value::null(), v.as_object(), {&as_pair(as_pair(v).cdr).car, 1}, 0, ""});
            return;
        }
        out_ += '(';
        pending_.push_back({v, nullptr, {}, 0, ""});
    }

    // (quote x) and its kin as the author would write them.
    static const char* quotation(Value v) {
        static const Symbol quote = intern("quote"), quasi = intern("quasiquote"), unquote = intern("unquote"),
                            splice = intern("unquote-splicing");
        const Pair& p = as_pair(v);
        if (!p.car.is_symbol() || !is_pair(p.cdr) || !as_pair(p.cdr).cdr.is_null()) return nullptr;
        const Symbol s = p.car.as_symbol();
        return s == quote ? "'" : s == quasi ? "`" : s == unquote ? "," : s == splice ? ",@" : nullptr;
    }

    void parts(const Object* o, const std::string& open, std::span<const Value> values, const char* close) {
        if (!path_.insert(o).second) {
            out_ += "#<cycle>";
            return;
        }
        out_ += open;
        pending_.push_back({Value::null(), o, values, 0, close});
    }

    std::string record_name(RecordId id) const {
        return names_ != nullptr ? std::string(names_->record_name(id)) : "record";
    }
    std::string message_name(MessageId id) const { return std::string(names_->message_name(id)); }

    void procedure(LambdaId id) {
        if (names_ == nullptr)
            out_ += "#<procedure>";
        else
            out_ += "#<procedure " + std::string(names_->procedure_name(id)) + '>';
    }

    void symbol(std::string_view name) {
        if (style_ == Style::display || reads_as_symbol(name)) {
            out_ += name;
            return;
        }
        out_ += '|';
        for (size_t at = 0; at < name.size();) {
            const CodePoint point = decode_utf8(name, at);
            escaped(point.code, U'|');
            at += point.size;
        }
        out_ += '|';
    }

    void escaped(char32_t c, char32_t quote) {
        static constexpr std::string_view codes = "\a\b\t\n\r", letters = "abtnr";
        if (c == quote || c == U'\\') {
            out_ += '\\';
            append_utf8(out_, c);
        } else if (const auto at = c < 0x80 ? codes.find(static_cast<char>(c)) : codes.npos; at != codes.npos) {
            out_ += '\\';
            out_ += letters[at];
        } else if (c < 0x20 || (c >= 0x7F && !is_visible(c))) {
            out_ += "\\x" + hex(c) + ';';
        } else {
            append_utf8(out_, c);
        }
    }

    void string(const String& s) {
        const uint32_t most = static_cast<uint32_t>(std::min<size_t>(s.count, most_bytes_ + 1));
        if (style_ == Style::write) out_ += '"';
        for (uint32_t i = 0; i < most; ++i) {
            if (style_ == Style::write)
                escaped(s.at(i), U'"');
            else
                append_utf8(out_, s.at(i));
        }
        if (style_ == Style::write) out_ += '"';
    }

    void character(char32_t c) {
        if (style_ == Style::display) {
            append_utf8(out_, c);
            return;
        }
        out_ += "#\\";
        const auto named = std::find_if(character_names.begin(), character_names.end(),
                                        [c](const CharacterName& n) { return n.code == c; });
        if (named != character_names.end())
            out_ += named->name;
        else if (is_visible(c))
            append_utf8(out_, c);
        else
            out_ += 'x' + hex(c);
    }

    void bytes(const Bytevector& b) {
        out_ += "#u8(";
        for (uint32_t i = 0; i < b.count && out_.size() <= most_bytes_; ++i) {
            if (i > 0) out_ += ' ';
            out_ += std::to_string(static_cast<const uint8_t*>(b.bytes)[i]);
        }
        out_ += ')';
    }

    // Between characters, not within one.
    std::string cut() {
        size_t end = most_bytes_;
        while (end > 0 && (out_[end] & 0xC0) == 0x80) --end;
        return out_.substr(0, end) + "…";
    }

    const ValueNames* names_;
    Style style_;
    size_t most_bytes_;
    std::string out_;
    std::vector<Pending> pending_;
    std::unordered_set<const Object*> path_; // whose parts are being written
};

} // namespace

std::string to_text(const ValueNames* names, Value v, Style style, size_t most_bytes) {
    return Printer(names, style, most_bytes).print(v);
}

std::string to_text(const ValueNames& names, Value v, Style style) {
    return to_text(&names, v, style, size_t{16} << 20);
}

std::string to_utf8(const String& s) {
    std::string text;
    text.reserve(s.count);
    for (uint32_t i = 0; i < s.count; ++i) append_utf8(text, s.at(i));
    return text;
}

std::string wrong_operand(const ValueNames* names, std::string_view operation, Value v, std::string_view wanted) {
    const std::string text = std::string(operation) + ": " + to_text(names, v, Style::write, 80);
    if (is_type(v, ObjectType::fresh)) {
        return text + " is a fresh value, which may only be stored, passed, written and compared for equality";
    }
    return text + " is not " + std::string(wanted);
}

} // namespace espalier
