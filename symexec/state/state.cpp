// Frames: made, copied and freed often, all small.
#include "symexec/state/state.hpp"

#include <algorithm>
#include <new>

namespace espalier::sym {

FramePool& FramePool::of_thread() {
    static thread_local FramePool pool;
    return pool;
}

FramePool::~FramePool() = default;

Frame* FramePool::make(uint32_t count) {
    const size_t bytes = size_of(count);
    std::byte* memory = nullptr;
    if (count > largest) {
        memory = static_cast<std::byte*>(::operator new(bytes));
    } else {
        constexpr size_t chunk = 64 * 1024;
        if (static_cast<size_t>(end_ - at_) < bytes) {
            chunks_.push_back(std::make_unique<std::byte[]>(chunk));
            at_ = chunks_.back().get();
            end_ = at_ + chunk;
        }
        memory = std::exchange(at_, at_ + bytes);
    }
    auto* f = new (memory) Frame{};
    f->count = count;
    std::uninitialized_fill_n(static_cast<Value*>(f->variables), count, Value::unspecified());
    return f;
}

void FramePool::drop(Frame* f) { ::operator delete(f); }

void FramePool::clear_free() {
    for (Frame* list : free_)
        for (Frame* f = list; f != nullptr; f = f->caller)
            std::fill_n(static_cast<Value*>(f->variables), f->count, Value::unspecified());
}

FrameRef FrameRef::make(LambdaId lambda, uint32_t count) {
    FrameRef ref;
    Frame* f = ref.frame_ = FramePool::of_thread().take(lambda, count);
    f->back = 0;
    f->site = no_label;
    f->caller = nullptr;
    return ref;
}

FrameRef FrameRef::copy_of(const Frame& frame) {
    FrameRef own = make(frame.lambda, frame.count);
    own->back = frame.back;
    own->site = frame.site;
    std::copy_n(static_cast<const Value*>(frame.variables), frame.count, static_cast<Value*>(own->variables));
    return own;
}

void FrameRef::make_own() {
    if (frame_->refs == 1) return;
    FrameRef own = copy_of(*frame_);
    own->caller = frame_->caller;
    if (own->caller != nullptr) ++own->caller->refs;
    *this = std::move(own);
}

void FrameRef::make_all_own() {
    std::vector<const Frame*> frames;
    for (const Frame* f = frame_; f != nullptr; f = f->caller) frames.push_back(f);
    FrameRef own;
    for (auto f = frames.rbegin(); f != frames.rend(); ++f) own.push(copy_of(**f));
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
    FramePool& pool = FramePool::of_thread();
    while (frame != nullptr && --frame->refs == 0) {
        Frame* caller = frame->caller;
        pool.give(frame);
        frame = caller;
    }
}

} // namespace espalier::sym
