#include "testgen/terminal/limits.hpp"

#include <gmp.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace espalier {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr size_t reserve_bytes = size_t{64} << 20;   // address space only, until it is given back
constexpr size_t enough_to_read = size_t{256} << 20; // beyond what the program holds anyway
constexpr auto between_looks = std::chrono::milliseconds(10);

std::atomic<Limits*> current = nullptr; // whose reserve there is

// GMP aborts when it gets no memory. With these it does as `new` does; what it got before can be freed all the same.
template <typename Allocate>
void* allocated(const Allocate& allocate) {
    while (true) {
        if (void* memory = allocate(); memory != nullptr) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) throw std::bad_alloc();
        handler();
    }
}
void* gmp_allocate(size_t bytes) {
    return allocated([=] { return std::malloc(bytes); });
}
void* gmp_reallocate(void* memory, size_t, size_t bytes) {
    return allocated([=] { return std::realloc(memory, bytes); });
}
void gmp_free(void* memory, size_t) { std::free(memory); }

} // namespace

Limits::Limits(const StopSignals* signals, double seconds, size_t bytes)
    : signals_(signals), seconds_(seconds), bytes_(bytes),
      bytes_to_read_(std::max(bytes, resident_bytes() + enough_to_read)), signalled_at_(never), replay_until_(never) {
    current = this;
    make_reserve();
    std::set_new_handler(give_back_reserve);
    mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_free);
    look(); // a limit that is passed already ends the work before it begins, whenever the thread first looks
    thread_ = std::thread([this] { watch(); });
}

Limits::~Limits() {
    {
        const std::lock_guard lock(mutex_);
        is_ended_ = true;
    }
    ended_.notify_all();
    thread_.join();
    std::set_new_handler(nullptr);
    current = nullptr;
    delete[] reserve_.load();
}

double Limits::elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

// ── The thread ──

void Limits::watch() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between_looks, [&] { return is_ended_; })) look();
}

void Limits::look() {
    const double now = elapsed();
    const size_t resident = bytes_ == 0 ? 0 : resident_bytes();
    const StopSignals* signals = signals_;
    if (signal() != 0 && signalled_at_ == never) {
        signalled_at_ = now;
        replay_until_ = std::min(replay_until_, now + 0.5); // of one that had all the time
        end(EndedBy::signal);
    }
    if (seconds_ > 0 && now > seconds_) end(EndedBy::time_limit);
    if (now > search_end()) end_search(EndedBy::time_limit);
    if (resident > bytes_) end(EndedBy::memory_limit);
    if (over_ && (reason_ != EndedBy::memory_limit || resident > bytes_to_read_)) reading_over_ = true;
    const bool at_once = signals != nullptr && signals->is_impatient();
    if (at_once || now > last()) all_over_ = true;
    if (now > replay_until_) end_replay(EndedBy::time_limit);
    if (bytes_to_replay_ != 0 && resident > bytes_to_replay_) end_replay(EndedBy::memory_limit);
    if (all_over_) replay_over_ = true;
}

void Limits::end(EndedBy reason) {
    end_search(reason);
    over_ = true;
}

void Limits::end_search(EndedBy reason) {
    note(reason);
    search_over_ = true;
}

double Limits::search_end() const { return seconds_ > 0 ? seconds_ - kept_back_ : never; }

void Limits::keep_back(Work work) {
    kept_back_ = std::min(work.replays + std::min(work.values, seconds_ / 4), seconds_ / 2);
}

// Of one replay: its share of a limit is used up, and the limit may not be.
void Limits::end_replay(EndedBy reason) {
    note(reason);
    replay_over_ = true;
}

void Limits::note(EndedBy reason) {
    EndedBy nothing = EndedBy::nothing;
    reason_.compare_exchange_strong(nothing, reason);
}

double Limits::last() const {
    const double by_time = seconds_ > 0 ? std::max<double>(seconds_, suite_begun_) + seconds_ * 0.1 + 0.5 : never;
    return std::min(by_time, signalled_at_ + 2);
}

// ── After the end ──

void Limits::begin_suite() { suite_begun_ = elapsed(); }

const std::atomic<bool>& Limits::begin_replay() {
    const std::lock_guard lock(mutex_);
    // What the search has used up is not given back at once: replays may need some more.
    // Nor what the replay before this one has: only then is there too little for any.
    // Replays before the search leave that measure to those after it.
    if (bytes_ != 0 && !is_replay_measured_) {
        bytes_to_replay_ = std::max(bytes_, resident_bytes()) / 4 * 5;
        is_replay_measured_ = over_;
    }
    if (bytes_to_replay_ != 0 && resident_bytes() > bytes_to_replay_) malloc_trim(0);
    if (bytes_to_replay_ != 0 && resident_bytes() > bytes_to_replay_) all_over_ = true;
    if (reserve_ == nullptr) make_reserve();
    const double now = elapsed();
    replay_until_ = now + (last() - now) / 4;
    replay_over_ = false;
    look();
    return replay_over_;
}

// ── Memory ──

void Limits::make_reserve() {
    std::set_new_handler(nullptr);
    reserve_ = new (std::nothrow) char[reserve_bytes];
    std::set_new_handler(give_back_reserve);
}

// Called by `new` when there is no memory; it tries again when this returns.
void Limits::give_back_reserve() {
    Limits* limits = current;
    if (limits == nullptr) throw std::bad_alloc();
    limits->end(EndedBy::memory_limit);
    limits->reading_over_ = true;
    limits->replay_over_ = true;
    char* reserve = limits->reserve_.exchange(nullptr);
    if (reserve == nullptr) throw std::bad_alloc();
    delete[] reserve;
}

} // namespace espalier
