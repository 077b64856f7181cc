#include "lang/names/scope.hpp"

namespace espalier {

FormGroup group_of(Form form) {
    static constexpr FormGroup groups[] = {
#define FORM(id, name, group) FormGroup::group,
#include "lang/names/forms.def"
#undef FORM
    };
    return groups[static_cast<size_t>(form)];
}

const Binding* Scope::find(Ident name) const {
    if (!many.empty()) {
        auto it = many.find(static_cast<uint32_t>(name));
        return it == many.end() ? nullptr : &it->second;
    }
    for (auto it = few.rbegin(); it != few.rend(); ++it) {
        if (it->first == name) return &it->second;
    }
    return nullptr;
}

const Scope* Scope::first_for(Ident name) const {
    return inner == nullptr || inner->contains(static_cast<uint32_t>(name)) ? this : top;
}

void Scope::bind(Ident name, Binding binding) {
    if (inner != nullptr) inner->insert(static_cast<uint32_t>(name));
    if (many.empty()) {
        for (auto& [n, b] : few) {
            if (n == name) {
                b = binding;
                return;
            }
        }
        if (few.size() < 12) {
            few.emplace_back(name, binding);
            return;
        }
        for (auto& [n, b] : few) many.emplace(static_cast<uint32_t>(n), b);
        few.clear();
    }
    many[static_cast<uint32_t>(name)] = binding;
}

} // namespace espalier
