#include "testgen/suite/fresh_names.hpp"

namespace espalier {

std::string fresh_name(uint32_t number, const std::map<uint32_t, std::string>& own) {
    const auto named = own.find(number);
    return named == own.end() ? "x" + std::to_string(number) : named->second;
}

void FreshNames::begin(const SuiteEvent& exchange) {
    exchange_ = &exchange;
    place_.clear();
}

FreshNames::Said FreshNames::say(uint32_t number) {
    Said said;
    said.name = name(number);
    said.binds = exchange_->kind == SuiteEvent::Kind::output && bound_.insert(number).second;
    if (!said.binds) return said;
    if (const auto range = test_.fresh_ranges.find(number); range != test_.fresh_ranges.end())
        said.within = range->second;
    said.differs_from = differs_from();
    return said;
}

// A value that the tester does not know yet cannot be avoided, nor need it be: the system has not chosen it. The
// system's own must differ, whichever comes first.
std::vector<std::string> FreshNames::differs_from() const {
    const bool is_input = exchange_->kind == SuiteEvent::Kind::input;
    std::vector<std::string> names;
    for (const FreshUse& use : exchange_->fresh)
        if (!use.equal && use.place == place_ && (!is_input || bound_.count(use.fresh) > 0))
            names.push_back(name(use.fresh));
    return names;
}

bool is_bare(const Program& program, const SuiteEvent& exchange) {
    if (!exchange.printed.empty() || !is_type(exchange.value, ObjectType::message)) return true;
    const PortDef& on = program.ports[index(exchange.port)];
    const bool takes_bare = exchange.kind == SuiteEvent::Kind::input ? on.bare_in : on.bare_out;
    return takes_bare && name_of(program.messages[index(as_message(exchange.value).message)].name) == "value";
}

} // namespace espalier
