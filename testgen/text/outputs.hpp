// Writing a file must not destroy another: no file that a run writes may be one that it reads, none is written twice,
// and a file that this program has not written is left alone. All commands ask this, before any long work.
//
//   OutputFiles files{{options.output}, files_of(model), options.force};
//   if (std::string problem = problem_with(files); !problem.empty()) return complain(problem);
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

struct OutputFiles {
    std::vector<std::string> written; // names; "" where there is none
    std::vector<std::string> read;    // likewise
    bool force = false;               // files that this program has not written may be overwritten
    std::string updated = {}; // a file that is read and may be the first one written: it is made anew from itself
    // Of a format that has no mark of ours: does the first of those written look like what will be written?
    std::function<bool(std::string_view text)> recognised = {};
};
// Empty, or what would be lost.
std::string problem_with(const OutputFiles& files);

// Is it, by its content, a file that one of the commands has written? Its beginning is enough: `beginning_read` bytes.
bool is_own_output(std::string_view beginning);
inline constexpr size_t beginning_read = size_t{1} << 16U;

} // namespace espalier
