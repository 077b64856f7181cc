#include "testgen/export/template.hpp"

#include <algorithm>
#include <memory>

#include "testgen/export/template_parser.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/outputs.hpp"
#include "testgen/text/unique_names.hpp"

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

// Has the file all the text around the fields, in order? Text of a few characters says nothing.
bool looks_like(const TemplateNodes& nodes, std::string_view file) {
    constexpr size_t enough = 16;
    size_t at = 0, seen = 0;
    for (const TemplateNode& node : nodes) {
        const auto* text = std::get_if<TemplateText>(&node.what);
        if (text == nullptr) continue;
        const size_t found = file.find(text->text, at);
        const bool cut_off = found == std::string_view::npos && file.size() >= beginning_read && seen >= enough;
        if (cut_off) return true;
        if (found == std::string_view::npos || (&node == &nodes.front() && found != 0)) return false;
        at = found + text->text.size();
        seen += static_cast<size_t>(
            std::count_if(text->text.begin(), text->text.end(), [](char c) { return c != ' ' && c != '\n'; }));
    }
    return seen >= enough;
}

} // namespace

Result<Exporter> template_exporter(const std::string& file, std::string text) {
    constexpr size_t longest = 16 << 20;
    if (text.size() > longest)
        return Problem{file + ":1:1: error: a template has at most 16 megabytes\n", Problem::Form::lines};
    Sources sources;
    Diagnostics diagnostics;
    auto nodes = parse_template(sources, sources.add(file, std::move(text)), diagnostics);
    if (!nodes) {
        diagnostics.sort(sources);
        Problem problem{{}, Problem::Form::lines};
        for (const Diagnostic& d : diagnostics.all()) problem.text += render(sources, d);
        return problem;
    }
    const auto shared = std::make_shared<const TemplateNodes>(std::move(*nodes));
    return Exporter{"template", "-suite.txt",
                    [shared](const SuiteView& suite, const Sink& sink) {
                        Renderer renderer(suite, sink);
                        renderer.render(*shared);
                        renderer.pass_on(0);
                    },
                    false, [shared](std::string_view beginning) { return looks_like(*shared, beginning); }};
}

} // namespace espalier
