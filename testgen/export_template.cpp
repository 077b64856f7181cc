#include "testgen/export_template.hpp"

#include <memory>

#include "testgen/escapes.hpp"
#include "testgen/template_parser.hpp"
#include "testgen/unique_names.hpp"

namespace espalier {

namespace {

class Renderer {
public:
    Renderer(const SuiteView& suite, const Sink& sink) : suite_(suite), sink_(sink) {
        Thing whole;
        whole.suite = &suite;
        things_.push_back(whole);
    }

    void render(const TemplateNodes& nodes) {
        for (const TemplateNode& node : nodes) {
            std::visit([this](const auto& what) { one(what); }, node.what);
            pass_on(most_held);
        }
    }
    void pass_on(size_t unless_below) {
        if (out_.size() < unless_below) return;
        sink_(out_);
        out_.clear();
    }

private:
    static constexpr size_t most_held = 1 << 16;

    std::string get(const TemplateValue& value) const { return value.field->get(things_[value.thing]); }

    void one(const TemplateText& node) { out_ += node.text; }
    void one(const TemplateField& node) {
        std::string text = get(node.value);
        for (const TemplateFilter* filter : node.filters) text = filter->apply(text);
        out_ += text;
    }
    void one(const TemplateIf& node) {
        const std::string value = get(node.value);
        const bool holds = node.equals ? value == *node.equals : !value.empty() && value != "false";
        render(holds != node.negated ? node.then : node.otherwise);
    }
    void one(const TemplateEach& node) {
        const Thing around = things_.back();
        switch (node.list->items) {
        case ThingKind::suite: break;
        case ThingKind::test: return tests(node);
        case ThingKind::target: {
            const auto ids = around.kind == ThingKind::suite ? suite_.targets() : around.test->covers;
            for (size_t i = 0; i < ids.size(); ++i) {
                const TargetView target = suite_.target(ids[i]);
                with(node, i, ids.size(), [&](Thing& t) { t.target = &target; });
            }
            return;
        }
        case ThingKind::step:
            for (size_t i = 0; i < around.test->steps.size(); ++i)
                with(node, i, around.test->steps.size(), [&](Thing& t) { t.step = &around.test->steps[i]; });
            return;
        case ThingKind::field: return fields(node, around.step->fields);
        case ThingKind::part: return fields(node, around.field->value.parts);
        }
    }

    void tests(const TemplateEach& node) {
        UniqueNames names; // the same in each loop over the tests
        for (size_t i = 0; i < suite_.test_count(); ++i) {
            const TestView test = suite_.test(i);
            const std::string name = names.give(identifier(test.id));
            with(node, i, suite_.test_count(), [&](Thing& t) {
                t.test = &test;
                t.identifier = &name;
            });
        }
    }

    void fields(const TemplateEach& node, const std::vector<FieldView>& all) {
        for (size_t i = 0; i < all.size(); ++i) with(node, i, all.size(), [&](Thing& t) { t.field = &all[i]; });
    }

    template <typename Fill>
    void with(const TemplateEach& node, size_t at, size_t count, const Fill& fill) {
        Thing thing = things_.back();
        thing.kind = node.list->items;
        thing.number = at + 1;
        thing.count = count;
        fill(thing);
        things_.push_back(thing);
        render(node.body);
        things_.pop_back();
    }

    const SuiteView& suite_;
    const Sink& sink_;
    std::string out_;
    std::vector<Thing> things_;
};

} // namespace

std::optional<Exporter> template_exporter(const std::string& file, std::string text, std::string& problem) {
    constexpr size_t longest = 16 << 20;
    if (text.size() > longest) {
        problem = file + ":1:1: error: a template has at most 16 megabytes\n";
        return std::nullopt;
    }
    Sources sources;
    Diagnostics diagnostics;
    auto nodes = parse_template(sources, sources.add(file, std::move(text)), diagnostics);
    if (!nodes) {
        diagnostics.sort(sources);
        for (const Diagnostic& d : diagnostics.all()) problem += render(sources, d);
        return std::nullopt;
    }
    const auto shared = std::make_shared<const TemplateNodes>(std::move(*nodes));
    return Exporter{"template", "-suite.txt", [shared](const SuiteView& suite, const Sink& sink) {
                        Renderer renderer(suite, sink);
                        renderer.render(*shared);
                        renderer.pass_on(0);
                    }};
}

} // namespace espalier
