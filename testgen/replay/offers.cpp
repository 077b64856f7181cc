#include "testgen/replay/offers.hpp"

namespace espalier {

std::vector<std::string> describe(const Program& program, const Interpreter& run, const Offer& offer) {
    const std::string port(name_of(program.ports[index(offer.port)].name));
    auto shape = [&](MessageId m) {
        std::string text = "(" + port + " (" + std::string(name_of(program.messages[index(m)].name));
        for (const FieldDef& f : program.messages[index(m)].fields)
            text += " " + std::string(name_of(f.name)) + ":" + to_text(program, f.type);
        return text + "))";
    };
    switch (offer.kind) {
    case Offer::Kind::timer: return {"(wait " + offer.due_in.text() + ")   for " + run.name(offer.timer)};
    case Offer::Kind::bare: return {"a value of type " + to_text(program, offer.type)};
    case Offer::Kind::message: break;
    }
    if (offer.filter == SelectClause::Filter::message) return {shape(offer.message)};
    std::vector<std::string> lines;
    for (MessageId m : program.ports[index(offer.port)].in) lines.push_back(shape(m));
    return lines;
}

} // namespace espalier
