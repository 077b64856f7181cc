// The files that a run writes must cost nobody anything: none may be a file that the run reads, nor be written twice,
// and one that somebody else wrote is left alone. One rule for all commands, asked before any long work.
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
    bool force = false;               // files of others may be overwritten
    std::string updated = {}; // one of those read that the first of those written may be: it is made anew from it
    // Of a format that has no mark of ours: does the first of those written look like what will be written?
    std::function<bool(std::string_view text)> recognised = {};
};
// Empty, or what would be lost.
std::string problem_with(const OutputFiles& files);

// Is it, by its content, a file that one of the commands has written? Its beginning is enough: `beginning_read` bytes.
bool is_own_output(std::string_view beginning);
inline constexpr size_t beginning_read = size_t{1} << 16U;

} // namespace espalier
