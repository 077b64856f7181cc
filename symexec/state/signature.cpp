#include "symexec/state/signature.hpp"

namespace espalier {

std::string to_text(const Signature& signature) {
    std::string text;
    for (const Choice& c : signature.choices)
        text += (text.empty() ? "" : "/") + (c.label == no_label ? "turn" : std::to_string(index(c.label))) + ':' +
                std::to_string(c.taken);
    return text;
}

} // namespace espalier
