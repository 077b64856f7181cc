// The results as the thesis's tables 6.4 to 6.7: a block for each configuration, a column for each model, and beside it
// the thesis's figure where it has one.
#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "testgen/bench/bench.hpp"

namespace espalier {

namespace {

constexpr size_t models_beside = 4; // more are printed below: a terminal is not that wide

struct Title {
    std::string_view table, text;
};
constexpr std::array<Title, 4> titles{
    {{"6.4", "The base test generation algorithm (BA)"},
     {"6.5", "The whole system"},
     {"6.6", "Cutting the search by flow analysis only (3a), and with less information (3b, 3c)"},
     {"6.7", "Component overheads, measured inside the program"}}};

std::string number(double n) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", n < 1 ? 3 : n < 10 ? 2 : 1, n);
    return text.data();
}

size_t width(std::string_view text) { // in characters, of UTF-8
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string text_of(const Percentage& p) {
    switch (p.kind) {
    case Percentage::Kind::exact: return number(p.percent);
    case Percentage::Kind::less: return "< " + number(p.percent);
    case Percentage::Kind::more: return "> " + number(p.percent);
    case Percentage::Kind::unknown: break;
    }
    return "?";
}

std::vector<BenchRow> rows_of(const BenchConfiguration& c, bool is_base) {
    std::vector<BenchRow> rows;
    if (!is_component(c)) rows = {BenchRow::vm_steps, BenchRow::sat_queries};
    if (asks_oracle(c)) rows.insert(rows.end(), {BenchRow::sp_queries, BenchRow::cut_percent});
    rows.insert(rows.end(), {BenchRow::average_time, BenchRow::max_deviation});
    if (!is_base) rows.push_back(BenchRow::of_base);
    return rows;
}

class Tables {
public:
    Tables(const std::vector<BenchConfiguration>& configurations, const std::vector<BenchColumn>& columns)
        : configurations_(configurations), columns_(columns) {}

    std::string print() {
        for (const Title& title : titles) {
            const auto in_table = [&](const BenchConfiguration& c) { return c.table == title.table; };
            if (std::none_of(configurations_.begin(), configurations_.end(), in_table)) continue;
            out_ += "Table " + std::string(title.table) + ": " + std::string(title.text) + "\n\n";
            for (size_t first = 0; first < columns_.size(); first += models_beside)
                for (size_t i = 0; i < configurations_.size(); ++i)
                    if (in_table(configurations_[i])) block(i, first, std::min(first + models_beside, columns_.size()));
        }
        return std::move(out_);
    }

private:
    void block(size_t i, size_t first, size_t last) {
        const BenchConfiguration& c = configurations_[i];
        std::vector<std::vector<std::string>> lines{{"Conf. " + c.name}};
        for (size_t m = first; m < last; ++m) {
            lines[0].push_back(columns_[m].model);
            if (has_thesis(m)) lines[0].emplace_back("thesis");
        }
        for (const BenchRow row : rows_of(c, i == 0)) {
            lines.push_back({std::string(word_of(row))});
            for (size_t m = first; m < last; ++m) {
                lines.back().push_back(cell(i, columns_[m], row));
                if (!has_thesis(m)) continue;
                const auto figure = thesis_figure(columns_[m].model, c.name, row);
                lines.back().push_back(figure.empty() ? "-" : "(" + std::string(figure) + ")");
            }
        }
        print_lines(lines, c.meaning);
    }

    bool has_thesis(size_t column) const {
        return !thesis_figure(columns_[column].model, "1", BenchRow::vm_steps).empty();
    }

    std::string cell(size_t i, const BenchColumn& column, BenchRow row) const {
        if (i >= column.runs.size() || column.runs[i].empty()) return "-";
        const BenchConfiguration& c = configurations_[i];
        const std::vector<BenchRun>& runs = column.runs[i];
        const BenchRun& run = runs.front();
        const std::string at_least = run.complete || is_component(c) ? "" : "> ";
        switch (row) {
        case BenchRow::vm_steps: return at_least + std::to_string(run.vm_steps);
        case BenchRow::sat_queries: return at_least + std::to_string(run.sat_queries);
        case BenchRow::sp_queries: return at_least + std::to_string(run.sp_queries);
        case BenchRow::cut_percent:
            return run.sp_queries == 0
                       ? "0"
                       : number(100 * static_cast<double>(run.cuts) / static_cast<double>(run.sp_queries));
        case BenchRow::average_time: return at_least + number(summarise(c, runs).average);
        case BenchRow::max_deviation: return runs.size() < 2 ? "-" : number(summarise(c, runs).deviation);
        case BenchRow::of_base: break;
        }
        return text_of(percentage_of_base(c, runs, configurations_.front(), column.runs.front()));
    }

    // The first column to the left, the others to the right; behind the first line, what it is about.
    void print_lines(const std::vector<std::vector<std::string>>& lines, const std::string& about) {
        std::vector<size_t> widths(lines.front().size(), 0);
        for (const auto& line : lines)
            for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));
        widths[0] = std::max(widths[0], size_t{11});
        for (const auto& line : lines) {
            for (size_t i = 0; i < line.size(); ++i) {
                const std::string space(widths[i] - width(line[i]), ' ');
                out_ += i == 0 ? line[i] + space : "  " + space + line[i];
            }
            out_ += &line == lines.data() ? "   " + about + "\n" : "\n";
        }
        out_ += "\n";
    }

    const std::vector<BenchConfiguration>& configurations_;
    const std::vector<BenchColumn>& columns_;
    std::string out_;
};

std::string coverage_line(const std::vector<BenchConfiguration>& configurations, const BenchColumn& column) {
    std::string each;
    std::set<size_t> numbers;
    size_t all = 0;
    for (size_t i = 0; i < column.runs.size(); ++i) {
        if (column.runs[i].empty() || !column.runs[i].front().complete) continue;
        const std::vector<bool>& covered = column.runs[i].front().covered;
        const auto n = static_cast<size_t>(std::count(covered.begin(), covered.end(), true));
        all = covered.size();
        numbers.insert(n);
        each += (each.empty() ? "" : ", ") + configurations[i].name + " " + std::to_string(n);
    }
    if (numbers.empty()) return "No configuration ended by itself";
    const std::string of = " of " + std::to_string(all) + " targets";
    if (numbers.size() > 1) return "Covered" + of + ", by configuration: " + each;
    return "Every configuration that ended by itself covers " + std::to_string(*numbers.begin()) + of;
}

} // namespace

std::string bench_tables(const std::vector<BenchConfiguration>& configurations,
                         const std::vector<BenchColumn>& columns) {
    std::string out = Tables(configurations, columns).print();
    bool ended_early = false, has_thesis = false;
    for (const BenchColumn& c : columns) {
        out += c.model + ": " + to_text(c.depth) + ". ";
        if (c.depth.why != DepthChoice::Why::stopped) out += coverage_line(configurations, c) + ".";
        out += "\n";
        for (const auto& runs : c.runs) ended_early |= !runs.empty() && !runs.front().complete;
        has_thesis |= !thesis_figure(c.model, "1", BenchRow::vm_steps).empty();
    }
    out += "Times are seconds of user time, from the loaded model to the suite; in table 6.7 those of the component.\n";
    if (ended_early)
        out += "> : a limit ended the run, and figures are of the part that was searched; < : so it was for the base "
               "algorithm.\n";
    if (has_thesis) out += "Figures of the thesis are of its own models of these systems, and of its machine.\n";
    return out;
}

} // namespace espalier
