// Channels: a queue of two immutable lists in the store (store.hpp).
#pragma once

#include "symexec/values/context.hpp"

namespace espalier::sym {

inline bool is_queued(const State& s, Value source) {
    return is_kind(s.store, source, Kind::channel) && holds_message(s, source);
}
Value front(const State& s, Value channel);
void receive(State& s, Heap& heap, Value channel);
void send(Context& context, State& s, Value channel, Value v);

} // namespace espalier::sym
