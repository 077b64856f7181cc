// What is said once need not be said again: the arrows of a dead state, the states inside it, and the states of
// a machine that is never run are left out; so is a state of which another check has already said something.
// Checkpoints and requirements are all named: each of them is something that the author wanted to happen.
#include "testgen/explain/dead_targets.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>

#include "testgen/explain/dead_ends.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

class Reporter {
public:
    Reporter(Model& model, const Flow& flow)
        : model_(model), program_(*model.program), ends_(program_, flow), dead_(program_.targets.size(), false),
          implied_(program_.targets.size(), false) {
        for (const TargetId t : flow.unreachable_targets()) dead_[index(t)] = true;
        for (const Diagnostic& d : model.diagnostics.all()) warned_.insert(key(d.span));
    }

    void report() {
        for (const MachineDef& m : program_.machines) look_at(m);
        for (uint32_t t = 0; t < dead_.size(); ++t)
            if (dead_[t] && !implied_[t] && !follows_from_state(program_.targets[t])) warn(TargetId{t});
        model_.diagnostics.sort(model_.sources);
    }

private:
    bool dead(const StateDef& s) const { return dead_[index(s.target)]; }
    static std::tuple<FileId, uint32_t, uint32_t> key(Span span) { return {span.file, span.begin, span.end}; }
    bool warned(Span span) const { return warned_.count(key(span)) > 0; }

    bool name_warned(const MachineDef& m) const { // "is defined but never used"
        const Span first = m.states.front().span;
        for (auto at = warned_.lower_bound(key({m.span.file, m.span.begin, 0}));
             at != warned_.end() && *at < key({m.span.file, first.begin, 0}); ++at) {
            const auto [file, begin, end] = *at;
            if (model_.sources.text({file, begin, end}) == name_of(m.name)) return true;
        }
        return false;
    }

    void look_at(const MachineDef& m) {
        const bool never_run =
            std::all_of(m.states.begin(), m.states.end(), [&](const StateDef& s) { return dead(s); });
        for (const StateDef& s : m.states) {
            if (!dead(s)) continue;
            dead_states_.insert(program_.targets[index(s.target)].name);
            implied_[index(s.target)] =
                never_run || warned(s.span) || (s.parent < m.states.size() && dead(m.states[s.parent]));
        }
        if (!never_run || m.states.empty() || name_warned(m)) return;
        Diagnostic& d = model_.diagnostics.warning(m.span, "no run of the model reaches the machine `" +
                                                               std::string(name_of(m.name)) + "`");
        explain(d, m.states.front().target);
    }

    // A transition is named after its state: "client/busy#2".
    bool follows_from_state(const Target& t) const {
        return t.kind == TargetKind::transition && dead_states_.count(t.name.substr(0, t.name.rfind('#'))) > 0;
    }

    bool reason_warned(TargetId t) const { // "this clause is never taken"
        const auto ends = ends_.before(t);
        return std::any_of(ends.begin(), ends.end(), [&](const DeadEnd& e) { return warned(e.at); });
    }

    void warn(TargetId t) {
        const Target& target = program_.targets[index(t)];
        if (target.kind == TargetKind::transition && reason_warned(t)) return;
        Diagnostic& d = model_.diagnostics.warning(target.span, "no run of the model reaches `" +
                                                                    printable(target_id(target)) + "`");
        explain(d, t);
    }

    void explain(Diagnostic& d, TargetId t) const {
        for (const DeadEnd& end : ends_.before(t))
            if (!(end.at == d.span))
                d.notes.push_back({Severity::note, end.at, to_text(end, model_.sources, false), {}, {}});
    }

    Model& model_;
    const Program& program_;
    DeadEnds ends_;
    std::vector<bool> dead_;                                  // by target
    std::vector<bool> implied_;                               // by what is said of another
    std::set<std::tuple<FileId, uint32_t, uint32_t>> warned_; // places, by other checks
    std::unordered_set<std::string> dead_states_;             // by name
};

} // namespace

void warn_of_dead_targets(Model& model, const Flow& flow) { Reporter(model, flow).report(); }

} // namespace espalier
