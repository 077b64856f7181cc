// A walk over what hangs from a value: pairs and messages, each once, however deep they hang and however often they are
// shared. It takes no C++ stack, so that a list nested a million deep is an ordinary thing.
//
//   PartsOnce parts(list);
//   for (Value v; parts.next(v);) …;   // the list itself, its items, the items of these: in the order of the text
#pragma once

#include <unordered_set>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::sym {

class PartsOnce {
public:
    explicit PartsOnce(Value root) { left_.push_back(root); }

    bool next(Value& v) {
        while (!left_.empty()) {
            v = left_.back();
            left_.pop_back();
            const bool is_list = is_pair(v);
            if (is_list || is_type(v, ObjectType::message)) {
                // Small values are walked without being remembered.
                if (++opened_ > forgetful && !seen_.insert(v.as_object()).second) continue;
                if (is_list) {
                    left_.push_back(as_pair(v).cdr);
                    left_.push_back(as_pair(v).car);
                } else {
                    for (uint32_t i = v.as_object()->count; i-- > 0;) left_.push_back(as_message(v).fields[i]);
                }
            }
            return true;
        }
        return false;
    }

private:
    static constexpr size_t forgetful = 1000;
    std::vector<Value> left_;
    std::unordered_set<const Object*> seen_;
    size_t opened_ = 0;
};

} // namespace espalier::sym
