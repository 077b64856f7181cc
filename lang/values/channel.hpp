// Channels and timers: values that belong to no thread. The interpreter drives them, the collector traces
// them.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "lang/values/heap.hpp"

namespace espalier {

// An unbounded queue, first in first out.
struct Channel : Object {
    uint32_t id; // from 1, in order of creation within one heap

    bool empty() const { return head_ == queue_.size(); }
    size_t size() const { return queue_.size() - head_; }
    Value front() const {
        assert(!empty());
        return queue_[head_];
    }
    Value operator[](size_t i) const { return queue_[head_ + i]; } // 0 is the front
    std::span<const Value> content() const { return std::span(queue_).subspan(head_); }
    void send(Heap& heap, Value v) {
        queue_.push_back(v);
        heap.note_external(sizeof(Value));
    }
    void clear() {
        queue_.clear();
        head_ = 0;
    }
    // Takes the front. Each value moves at most once on average: the gap in front is closed when it is half
    // of all.
    Value receive() {
        Value v = front();
        if (++head_ * 2 >= queue_.size()) {
            queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head_));
            head_ = 0;
        }
        return v;
    }
    size_t external_bytes() const { return queue_.capacity() * sizeof(Value); }

private:
    std::vector<Value> queue_;
    size_t head_ = 0;
};

struct Timer : Object {
    enum class State : uint8_t { idle, running, ready };
    uint32_t id; // from 1, in order of creation within one heap
    State state = State::idle;
    bool early = false;                // the tester may also stop halfway to the deadline
    Value deadline = Value::fixnum(0); // an integer: while running, and when it was once ready
};

inline Channel& as_channel(Value v) { return *static_cast<Channel*>(v.as_object()); }
inline Timer& as_timer(Value v) { return *static_cast<Timer*>(v.as_object()); }

Channel* make_channel(Heap& heap);
Timer* make_timer(Heap& heap, bool early);

} // namespace espalier
