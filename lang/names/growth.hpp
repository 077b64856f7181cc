// How deep and how large an expansion may get. Past a limit the expansion is given up: what macros make of a text of a
// few lines may be without end.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "lang/ir/core.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

class Reports;

class Growth {
public:
    struct Bounds {
        uint32_t levels = 10'000;                // of nesting
        const std::atomic<bool>* stop = nullptr; // once set, CompileStopped is thrown
    };
    Growth(const Data& data, const CoreProgram& program, Reports& reports, Bounds bounds)
        : data_(data), program_(program), reports_(reports), bounds_(bounds) {}

    // Looks at all limits, one level deeper by `turns`; false past one of them.
    bool enter(Span span, uint32_t turns = 0);
    // One level of nesting, for the time of a scope.
    class Level {
    public:
        explicit Level(Growth& growth) : depth_(growth.depth_) { ++depth_; }
        ~Level() { --depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        uint32_t& depth_;
    };

    void begin_model();         // from here on what is made counts, measured by the text so far
    void add_text(size_t data); // an included file allows for more
    bool too_heavy(DatumId d);  // more than one expansion of a macro may come to, written out

private:
    uint64_t weight(DatumId d);

    const Data& data_;
    const CoreProgram& program_;
    Reports& reports_;
    const Bounds bounds_;
    uint32_t depth_ = 0;
    size_t data_limit_ = SIZE_MAX;       // what macros may make of the text
    size_t core_limit_ = SIZE_MAX;       // what the expansion of it all may come to
    uint64_t weight_limit_ = UINT64_MAX; // what one expansion of a macro may come to, written out
    std::vector<uint64_t> weights_;      // of data, where known; else 0
};

} // namespace espalier
