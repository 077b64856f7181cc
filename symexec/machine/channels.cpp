#include "symexec/machine/channels.hpp"

namespace espalier::sym {

Value front(const State& s, Value channel) {
    const uint32_t a = channel.payload();
    if (const Value list = s.store.get(a + 1); is_pair(list)) return as_pair(list).car;
    Value last = s.store.get(a + 2);
    while (is_pair(as_pair(last).cdr)) last = as_pair(last).cdr;
    return as_pair(last).car;
}

void receive(State& s, Heap& heap, Value channel) {
    const uint32_t a = channel.payload();
    Value list = s.store.get(a + 1);
    if (list.is_null()) {
        for (Value back = s.store.get(a + 2); is_pair(back); back = as_pair(back).cdr)
            list = heap.cons(as_pair(back).car, list);
        s.store.set(a + 2, Value::null());
    }
    s.store.set(a + 1, as_pair(list).cdr);
    --s.queued;
}

void send(Context& context, State& s, Value channel, Value v) {
    if (!is_kind(s.store, channel, Kind::channel))
        throw Fault{"send: " + describe(context.program, s, channel) + " is not a channel"};
    s.store.set(channel.payload() + 2, context.heap.cons(v, s.store.get(channel.payload() + 2)));
    ++s.queued;
    s.first_ready = 0;
}

} // namespace espalier::sym
