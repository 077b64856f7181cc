// A persistent list that grows at its end: what happened on a path, shared with the paths that forked from it.
//
// Extending costs one node, copying one pointer. Each node knows how many stand before it, so the common beginning of
// two lists is found from their ends.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace espalier::sym {

template <typename T>
class Chain {
public:
    struct Node {
        T item;
        Node* before;
        uint32_t size; // with this one
        uint32_t refs = 1;
        mutable uint32_t round = 0; // of the last collection that saw it
    };

    Chain() = default;
    Chain(const Chain& other) : last_(other.last_) {
        if (last_ != nullptr) ++last_->refs;
    }
    Chain(Chain&& other) noexcept : last_(std::exchange(other.last_, nullptr)) {}
    Chain& operator=(Chain other) noexcept {
        std::swap(last_, other.last_);
        return *this;
    }
    ~Chain() {
        while (last_ != nullptr && --last_->refs == 0) delete std::exchange(last_, last_->before);
    }

    void push(T item) { last_ = new Node{std::move(item), last_, size() + 1}; }
    uint32_t size() const { return last_ == nullptr ? 0 : last_->size; }
    const Node* last() const { return last_; }
    std::vector<T> to_vector() const {
        std::vector<T> items(size());
        size_t i = items.size();
        for (const Node* n = last_; n != nullptr; n = n->before) items[--i] = n->item;
        return items;
    }

private:
    Node* last_ = nullptr;
};

} // namespace espalier::sym
