#include "testgen/suite/reader.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "testgen/suite/elements.hpp"
#include "testgen/suite/steps.hpp"
#include "testgen/suite/values.hpp"

namespace espalier {

namespace {

class SuiteReader {
public:
    SuiteReader(const XmlTree& tree, const Program& program, Diagnostics& diagnostics)
        : root_(tree.root()), elements_(tree, diagnostics), values_(program, *heap_, elements_) {
        for (uint32_t i = 0; i < program.targets.size(); ++i)
            targets_.emplace(target_id(program.targets[i]), TargetId{i});
        suite_.targets.resize(program.targets.size());
        for (TargetResult& r : suite_.targets) r.listed = false;
    }

    std::optional<Suite> read() {
        if (!read_head(elements_, root_, suite_)) return std::nullopt;
        const XmlElement* table = nullptr;
        for (const XmlElement* e = elements_.first_child(root_); e != nullptr && !elements_.full();
             e = elements_.next(*e)) {
            if (e->name == "test") {
                if (table != nullptr) elements_.error(e->at, "the tests stand before the table `targets`");
                test(*e);
            } else if (e->name == "targets") {
                if (table != nullptr) elements_.error(e->at, "there is only one table `targets`");
                table = e;
            } else {
                elements_.unknown(*e, "suite");
            }
        }
        if (table != nullptr && !elements_.full()) target_table(*table);
        if (elements_.errors() > 0) return std::nullopt;
        suite_.values = std::move(heap_);
        return std::move(suite_);
    }

    // `own` is what the reader writes its errors to; each test begins with none.
    std::optional<OldSuite> read_apart(Diagnostics& own) {
        if (!read_head(elements_, root_, suite_)) return std::nullopt;
        apart_ = &own;
        OldSuite old;
        for (const XmlElement* e = elements_.first_child(root_); e != nullptr; e = elements_.next(*e)) {
            if (e->name == "targets") continue;
            own = Diagnostics();
            lost_outputs_ = false;
            const size_t before = suite_.tests.size();
            if (e->name == "test")
                test(*e);
            else
                elements_.unknown(*e, "suite");
            OldTest made;
            if (suite_.tests.size() > before) made.test = std::move(suite_.tests.back());
            made.lost_outputs = lost_outputs_;
            if (made.test.id.empty()) made.test.id = elements_.value(*e, "id");
            if (own.has_errors()) {
                made.problem = own.all().front().text;
                made.problem_at = own.all().front().span;
            }
            old.tests.push_back(std::move(made));
        }
        old.values = std::move(heap_);
        return old;
    }

private:
    void test(const XmlElement& e) {
        if (!elements_.attributes_are(e, {"id"}, {"signature", "end", "error", "at"}) || !elements_.no_text(e)) return;
        SuiteTest t;
        t.in_suite = e.at;
        t.id = without_blanks(elements_.find(e, "id")->value);
        if (!is_ncname(t.id)) elements_.error(elements_.find(e, "id")->value_at, shown(t.id) + " is not a name");
        if (!tests_.emplace(t.id, static_cast<uint32_t>(suite_.tests.size())).second)
            elements_.error(elements_.find(e, "id")->value_at, "there is a test " + shown(t.id) + " before");
        t.signature = elements_.value(e, "signature");
        t.error = elements_.value(e, "error");
        if (elements_.find(e, "error") != nullptr && t.error.empty())
            elements_.error(elements_.find(e, "error")->name_at, "`error` is the text of the model error");
        t.open_end = read_open_end(elements_, e);
        values_.begin_test();
        claimed_.clear();
        bound_.clear();
        outputs_.clear();
        for (const XmlElement* c = elements_.first_child(e); c != nullptr && !elements_.full();
             c = elements_.next(*c)) {
            if (c->name == "covers") {
                if (apart_ != nullptr) continue;
                if (!t.events.empty()) elements_.error(c->at, "what a test covers stands before what happens in it");
                covers(*c, t);
            } else {
                event(*c, t);
            }
        }
        end_of_outputs(t);
        t.fresh_names = values_.fresh_names();
        t.fresh_ranges = values_.fresh_ranges();
        suite_.tests.push_back(std::move(t));
    }

    std::optional<TargetId> target(const XmlElement& e, std::string_view attribute) {
        const std::string id = elements_.value(e, attribute);
        const auto found = targets_.find(id);
        if (found != targets_.end()) return found->second;
        elements_.error(elements_.find(e, attribute)->value_at, "the model has no target " + shown(id));
        return std::nullopt;
    }

    void covers(const XmlElement& e, SuiteTest& t) {
        if (!elements_.attributes_are(e, {"target"}, {}) || !elements_.no_children(e)) return;
        const auto id = target(e, "target");
        if (!id) return;
        if (!claimed_.insert(*id).second) {
            elements_.error(e.at, "the test names this target twice");
            return;
        }
        t.covers.push_back(*id);
        t.covers_in_suite.push_back(e.at);
    }

    void event(const XmlElement& e, SuiteTest& t) {
        SuiteEvent made;
        made.in_suite = e.at;
        bool good = false;
        if (e.name == "input" || e.name == "output") {
            made.kind = e.name == "input" ? SuiteEvent::Kind::input : SuiteEvent::Kind::output;
            const bool excused = apart_ != nullptr && made.kind == SuiteEvent::Kind::output && elements_.errors() == 0;
            good = values_.read(e, made);
            if (!good && excused) { // what comes out is found out anew
                *apart_ = Diagnostics();
                lost_outputs_ = true;
            }
        } else {
            good = read_step(elements_, e, made);
        }
        if (!good) return;
        if (made.kind == SuiteEvent::Kind::output) {
            outputs_.push_back({t.events.size(), values_.binds(), values_.refs()});
        } else if (made.kind == SuiteEvent::Kind::input || made.kind == SuiteEvent::Kind::wait) {
            end_of_outputs(t);
        }
        if (made.kind == SuiteEvent::Kind::input) need_bound(values_.refs(), made);
        t.events.push_back(std::move(made));
    }

    // Outputs up to the tester's next step may come in another order, so each may refer to what any of them binds.
    void end_of_outputs(SuiteTest& t) {
        for (const Named& output : outputs_) {
            for (const uint32_t number : output.binds) {
                if (!bound_.insert(number).second)
                    t.events[output.event].misnamed.push_back(values_.name(number) +
                                                              " is bound already: later outputs say `ref`");
            }
        }
        for (const Named& output : outputs_) need_bound(output.refs, t.events[output.event]);
        outputs_.clear();
    }

    void need_bound(const std::vector<uint32_t>& numbers, SuiteEvent& e) {
        for (const uint32_t number : numbers) {
            if (bound_.insert(number).second) // said once
                e.misnamed.push_back("no output before this binds " + values_.name(number));
        }
    }

    void target_table(const XmlElement& e) {
        if (!elements_.attributes_are(e, {}, {}) || !elements_.no_text(e)) return;
        for (const XmlElement* t = elements_.first_child(e); t != nullptr && !elements_.full();
             t = elements_.next(*t)) {
            if (t->name != "target")
                elements_.unknown(*t, "targets");
            else
                target_row(*t);
        }
    }

    void target_row(const XmlElement& e) {
        if (!elements_.attributes_are(e, {"id", "status"}, {"proof", "test", "at"}) || !elements_.no_children(e))
            return;
        const auto id = target(e, "id");
        const XmlAttribute& word = *elements_.find(e, "status");
        const auto status = value_of<TargetStatus>(word.value);
        if (!status) {
            elements_.error(word.value_at, "`status` is covered, unreached or infeasible");
            return;
        }
        TargetResult r;
        r.status = *status;
        r.in_suite = e.at;
        if (const XmlAttribute* proof = elements_.find(e, "proof")) {
            r.proof = proof_of_word(proof->value);
            if (!r.proof)
                elements_.error(proof->value_at, "`proof` is flow or exhausted");
            else if (r.status != TargetStatus::infeasible)
                elements_.error(proof->name_at, "only an infeasible target has a proof");
        }
        if (const XmlAttribute* test = elements_.find(e, "test")) {
            const auto found = tests_.find(std::string(without_blanks(test->value)));
            if (found == tests_.end())
                elements_.error(test->value_at, "there is no test " + shown(test->value));
            else if (r.status != TargetStatus::covered)
                elements_.error(test->name_at, "only a covered target names a test");
            else
                r.test = found->second;
        }
        if (!id) return;
        if (suite_.targets[index(*id)].listed)
            elements_.error(e.at, "the table lists this target twice");
        else
            suite_.targets[index(*id)] = r;
    }

    const XmlElement& root_;
    std::unique_ptr<Heap> heap_ = std::make_unique<Heap>(Heap::Lifetime::immortal);
    SuiteElements elements_;
    SuiteValues values_;
    Suite suite_;
    std::unordered_map<std::string, TargetId> targets_;
    std::unordered_map<std::string, uint32_t> tests_;
    // Of the test being read
    std::set<TargetId> claimed_;
    std::set<uint32_t> bound_; // fresh values
    struct Named {
        size_t event;
        std::vector<uint32_t> binds, refs;
    };
    std::vector<Named> outputs_; // since the tester's last step
    // Of tests that are read each for itself
    Diagnostics* apart_ = nullptr;
    bool lost_outputs_ = false;
};

} // namespace

Criteria criteria_of(const XmlTree& tree) {
    Criteria criteria;
    const auto add = [&](const XmlElement& e, std::string_view attribute) {
        const XmlAttribute* a = tree.attribute(e, attribute);
        const auto kind = a == nullptr ? std::nullopt : target_kind(a->value);
        if (kind) criteria.add(*kind);
    };
    for (const XmlElement* e = tree.first_child(tree.root()); e != nullptr; e = tree.next(*e)) {
        for (const XmlElement* c = tree.first_child(*e); c != nullptr; c = tree.next(*c)) {
            if (c->name == "covers") add(*c, "target");
            if (c->name == "target") add(*c, "id");
        }
    }
    return criteria;
}

std::optional<OldSuite> read_old_suite(const XmlTree& tree, const Program& program, Diagnostics& diagnostics) {
    return SuiteReader(tree, program, diagnostics).read_apart(diagnostics);
}

std::optional<Suite> read_suite(const XmlTree& tree, const Program& program, Diagnostics& diagnostics) {
    return SuiteReader(tree, program, diagnostics).read();
}

} // namespace espalier
