// The trie behind the store. Nodes come from a free list: forking and dropping states makes and frees many of one size.
#include "symexec/state/store.hpp"

#include <algorithm>
#include <memory>

namespace espalier::sym {

namespace {

// Of the thread: a search runs on one, and its states never leave it.
struct Pool {
    std::vector<std::unique_ptr<std::byte[]>> chunks;
    std::vector<void*> free;
    size_t alive = 0;
};
Pool& pool() {
    static thread_local Pool p;
    return p;
}

} // namespace

size_t Store::nodes_alive() { return pool().alive; }

Store::Node* Store::make_node() {
    Pool& p = pool();
    if (p.free.empty()) {
        constexpr size_t nodes = 256;
        p.chunks.push_back(std::make_unique<std::byte[]>(nodes * sizeof(Node)));
        for (size_t i = nodes; i-- > 0;) p.free.push_back(p.chunks.back().get() + i * sizeof(Node));
    }
    void* at = p.free.back();
    p.free.pop_back();
    ++p.alive;
    Node* node = new (at) Node;
    node->refs = 1;
    node->round = 0;
    return node;
}

Store::Node* Store::copy(Node* node, bool leaf) {
    Node* fresh = make_node();
    if (leaf) {
        std::copy(node->cell, node->cell + fanout, fresh->cell);
    } else {
        for (uint32_t i = 0; i < fanout; ++i) {
            fresh->child[i] = node->child[i];
            if (fresh->child[i] != nullptr) ++fresh->child[i]->refs;
        }
    }
    --node->refs;
    return fresh;
}

void Store::release(Node* node, uint32_t height) {
    if (node == nullptr || --node->refs > 0) return;
    if (height > 0)
        for (Node* child : node->child) release(child, height - 1);
    --pool().alive;
    pool().free.push_back(node);
}

void Store::mark(Node* node, uint32_t height, Marker& marker, uint32_t round) {
    if (node == nullptr || node->round == round) return;
    node->round = round;
    if (height == 0) {
        marker.mark(std::span<const Value>(node->cell, fanout));
    } else {
        for (Node* child : node->child) mark(child, height - 1, marker, round);
    }
}

uint32_t Store::allocate(uint32_t count, Value fill) {
    const uint32_t first = size_;
    grow_to(size_ + count, fill);
    return first;
}

void Store::grow_to(uint32_t size, Value fill) {
    for (; size_ < size; ++size_) {
        if ((size_ & mask) != 0) {
            set(size_, fill);
            continue;
        }
        // A new leaf, perhaps with a new root above.
        Node* leaf = make_node();
        std::fill(leaf->cell, leaf->cell + fanout, fill);
        if (root_ == nullptr) {
            root_ = leaf;
            continue;
        }
        if (uint64_t{size_} >> (bits * (height_ + 1)) != 0) {
            Node* above = make_node();
            std::fill(above->child, above->child + fanout, nullptr);
            above->child[0] = root_;
            root_ = above;
            ++height_;
        }
        Node** at = &root_;
        for (uint32_t shift = bits * height_; shift > 0; shift -= bits) {
            if (*at == nullptr) {
                *at = make_node();
                std::fill((*at)->child, (*at)->child + fanout, nullptr);
            } else if ((*at)->refs > 1) {
                *at = copy(*at, false);
            }
            at = &(*at)->child[(size_ >> shift) & mask];
        }
        *at = leaf;
    }
}

} // namespace espalier::sym
