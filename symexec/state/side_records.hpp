// What parts of the search remember of a state and of all that comes of it.
//
// A record is its part's own: the state only carries it along. Records are shared by the states that come of one, and
// not changed; a part that learns something gives the state another record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace espalier::sym {

class SideRecord {
public:
    virtual ~SideRecord() = default;
};

enum class RecordOf : uint8_t { configurations, cutting, memo, learning };
inline constexpr size_t record_owners = 4;

class SideRecords {
public:
    // Null where the part has not given any. `Record` is the type that this part uses.
    template <typename Record>
    const Record* get(RecordOf owner) const {
        return static_cast<const Record*>(all_[static_cast<size_t>(owner)].get());
    }
    bool has(RecordOf owner) const { return all_[static_cast<size_t>(owner)] != nullptr; }
    std::shared_ptr<const SideRecord> share(RecordOf owner) const { return all_[static_cast<size_t>(owner)]; }
    void set(RecordOf owner, std::shared_ptr<const SideRecord> record) {
        all_[static_cast<size_t>(owner)] = std::move(record);
    }

private:
    std::array<std::shared_ptr<const SideRecord>, record_owners> all_;
};

} // namespace espalier::sym
