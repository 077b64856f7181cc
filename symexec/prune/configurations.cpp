#include "symexec/prune/configurations.hpp"

namespace espalier::sym {

namespace {

struct Chosen : SideRecord {
    explicit Chosen(uint32_t n) : configuration(n) {}
    uint32_t configuration;
};

} // namespace

uint32_t configuration_of(const State& s) {
    const auto* chosen = s.records.get<Chosen>(RecordOf::configurations);
    return chosen == nullptr ? 0 : chosen->configuration;
}

void Configurations::configure(State& s) {
    if (s.records.has(RecordOf::configurations)) return;
    Settings given;
    std::vector<uint64_t> key;
    for (const GlobalId g : all_.settings()) {
        const Value v = s.store.get(index(g));
        if (v.is_unbound()) return;
        // What the tester chooses may be known only in part.
        const bool is_simple = v.is_symbol() || v.is_boolean() || v.is_fixnum();
        if (is_simple) given.emplace_back(g, v);
        key.push_back(is_simple ? v.bits() : Value::unbound().bits());
    }
    uint32_t configuration = 0;
    if (!given.empty()) {
        const auto [at, is_new] = known_.try_emplace(std::move(key), 0);
        if (is_new) at->second = make(given);
        configuration = at->second;
    }
    while (records_.size() <= configuration)
        records_.push_back(std::make_shared<Chosen>(static_cast<uint32_t>(records_.size())));
    s.records.set(RecordOf::configurations, records_[configuration]);
    if (configuration == 0) return;
    for (Thread& t : s.threads) t.frame.make_all_own();
}

uint32_t Configurations::make(const Settings& given) {
    if (flows_.size() == most) return 0;
    const FlowOptions options{.call_sites = all_.call_sites(), .given = given};
    std::optional<Flow> flow = analyse(program_, options, [&] { return stop_ && stop_(); });
    if (!flow) return 0; // the search is about to end
    flows_.push_back(std::make_unique<const Flow>(*std::move(flow)));
    return static_cast<uint32_t>(flows_.size());
}

double Configurations::seconds() const {
    double all = 0;
    for (const auto& flow : flows_) all += flow->statistics().seconds;
    return all;
}

} // namespace espalier::sym
