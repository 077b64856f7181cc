// Smaller models that still fail: forms are left out, or replaced by one of their parts, while the failure persists
// (Zeller's delta debugging, on the tree instead of on lines; larger forms first).
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tests/random/form.hpp"

namespace espalier::test {

class Shrinker {
public:
    using Fails = std::function<bool(const std::string& text)>;
    Shrinker(const std::string& text, Fails fails, std::chrono::seconds budget)
        : all_(read_forms(text)), fails_(std::move(fails)), end_(std::chrono::steady_clock::now() + budget) {}

    std::string run() {
        do changed_ = false, visit(all_);
        while (changed_ && !spent());
        return top_level_text(all_);
    }

private:
    bool spent() const { return std::chrono::steady_clock::now() > end_; }
    bool still_fails() { return !spent() && fails_(top_level_text(all_)) && (changed_ = true); }

    void visit(Form& form) {
        drop_items(form);
        for (Form& item : form.items) {
            simplify(item);
            if (item.is_list) visit(item);
        }
    }
    // What a law counts on.
    static bool is_hook(const Form& form) {
        return form.is_list && !form.items.empty() && (form.items[0].text == "took" || form.items[0].text == "gave");
    }
    // Runs of items, long ones first: 8, 4, 2, 1.
    void drop_items(Form& form) {
        for (size_t run = 8; run > 0; run /= 2) {
            for (size_t i = 0; i + run <= form.items.size() && !spent();) {
                const std::vector<Form> before = form.items;
                const auto first = form.items.begin() + static_cast<std::ptrdiff_t>(i);
                const auto end = first + static_cast<std::ptrdiff_t>(run);
                const bool kept = std::any_of(first, end, is_hook);
                if (!kept) form.items.erase(first, end);
                if (!kept && still_fails()) continue;
                form.items = before;
                ++i;
            }
        }
    }
    void simplify(Form& form) {
        if (!form.is_list || is_hook(form) || spent()) return;
        const Form before = form;
        for (const char* atom : {"0", "#t"}) {
            form = Form{atom, false, {}};
            if (still_fails()) return;
        }
        for (const Form& part : before.items) {
            form = part;
            if (still_fails()) return simplify(form);
        }
        form = before;
    }

    Form all_;
    Fails fails_;
    std::chrono::steady_clock::time_point end_;
    bool changed_ = false;
};

} // namespace espalier::test
