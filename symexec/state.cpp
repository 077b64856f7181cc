// Frames: made, copied and freed often, all small; kept on free lists by size.
#include "symexec/state.hpp"

#include <algorithm>
#include <array>

namespace espalier::sym {

namespace {

constexpr uint32_t largest_pooled = 512;
struct Pool {
    std::array<std::vector<void*>, largest_pooled + 1> free;
    size_t bytes = 0;
    ~Pool() {
        for (auto& list : free)
            for (void* p : list) ::operator delete(p);
    }
};
Pool& pool() {
    static thread_local Pool p;
    return p;
}
size_t size_of(uint32_t count) { return sizeof(Frame) + count * sizeof(Value); }

Frame* allocate(uint32_t count) {
    Pool& p = pool();
    p.bytes += size_of(count);
    if (count <= largest_pooled && !p.free[count].empty()) {
        void* at = p.free[count].back();
        p.free[count].pop_back();
        return static_cast<Frame*>(at);
    }
    return static_cast<Frame*>(::operator new(size_of(count)));
}

} // namespace

size_t FrameRef::bytes_alive() { return pool().bytes; }

FrameRef FrameRef::make(LambdaId lambda, uint32_t count) {
    Frame* f = allocate(count);
    f->refs = 1;
    f->round = 0;
    f->lambda = lambda;
    f->count = count;
    f->back = no_block;
    f->site = no_label;
    f->caller = nullptr;
    std::fill_n(static_cast<Value*>(f->variables), count, Value::unspecified());
    FrameRef ref;
    ref.frame_ = f;
    return ref;
}

void FrameRef::make_own() {
    if (frame_->refs == 1) return;
    FrameRef own = make(frame_->lambda, frame_->count);
    own->back = frame_->back;
    own->site = frame_->site;
    own->caller = frame_->caller;
    if (own->caller != nullptr) ++own->caller->refs;
    std::copy_n(static_cast<const Value*>(frame_->variables), frame_->count, static_cast<Value*>(own->variables));
    *this = std::move(own);
}

void FrameRef::pop() {
    FrameRef caller;
    caller.frame_ = frame_->caller;
    if (caller.frame_ != nullptr) ++caller.frame_->refs;
    *this = std::move(caller); // lets go of the old one, and so of its hold on the caller
    if (frame_ != nullptr) make_own();
}

// A deep recursion's frames are freed one after the other, not one inside the other.
void FrameRef::release(Frame* frame) {
    while (frame != nullptr && --frame->refs == 0) {
        Frame* caller = frame->caller;
        Pool& p = pool();
        p.bytes -= size_of(frame->count);
        if (frame->count <= largest_pooled && p.free[frame->count].size() < 1024) {
            p.free[frame->count].push_back(frame);
        } else {
            ::operator delete(frame);
        }
        frame = caller;
    }
}

} // namespace espalier::sym
