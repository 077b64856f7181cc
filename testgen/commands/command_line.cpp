// The only file with CLI11.
#include "testgen/commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>

#include "testgen/terminal/exit_status.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/option_values.hpp"

namespace espalier {

namespace {

// One line: what is wrong, and where to read on.
std::string explain(const CLI::App* app, const CLI::Error& e) {
    const CLI::App* at = app;
    for (const CLI::App* sub : app->get_subcommands()) at = sub;
    std::string name = at->get_name();
    if (at != app) name = app->get_name() + " " + name;
    return name + ": " + printable(e.what()) + " (see `" + name + " --help`)\n";
}

// An option that the command does not have, or a word too many.
int no_such_argument(const CLI::App& command, const std::string& word) {
    const std::string name = "espalier " + command.get_name();
    std::fprintf(stderr, "%s: there is no use for `%s` here (see `%s --help`)\n", name.c_str(), printable(word).c_str(),
                 name.c_str());
    return exit_usage;
}

// A slip of one letter: the same but for one changed, missing, added or swapped.
bool is_near(const std::string& word, const std::string& name) {
    size_t front = 0;
    while (front < word.size() && front < name.size() && word[front] == name[front]) ++front;
    size_t back = 0;
    while (back < word.size() - front && back < name.size() - front &&
           word[word.size() - 1 - back] == name[name.size() - 1 - back])
        ++back;
    return word.size() - front - back <= 2 && name.size() - front - back <= 2 && front + back > 0;
}

int no_such_command(const CLI::App& app, const std::string& word) {
    std::string near;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        if (is_near(word, sub->get_name())) near = sub->get_name();
    const char* const what = word[0] == '-' ? "option" : "command";
    std::fprintf(stderr, "espalier: there is no %s `%s`%s (see `espalier --help`)\n", what, printable(word).c_str(),
                 near.empty() ? "" : ("; did you mean `" + near + "`?").c_str());
    return exit_usage;
}

template <typename Number>
Option add_number(CLI::App& app, const std::string& name, Number& value, Arguments::Range range,
                  const std::string& what) {
    const auto check = [range](std::string& text) { return check_whole_number(text, range.least, range.most); };
    return Option(app.add_option(name, value, what)->type_name("N")->check(CLI::Validator(check, "")));
}

} // namespace

Option Option::shows_default() const {
    option_->capture_default_str();
    return *this;
}
Option Option::described(const std::string& what) const {
    option_->description(what);
    return *this;
}
Option Option::excludes(const Option& other) const {
    option_->excludes(other.option_);
    return *this;
}
bool Option::is_given() const { return option_->count() > 0; }
std::string Option::name() const { return option_->get_name(); }

Arguments::Arguments(CLI::App& app) : app_(app) {}
Arguments::~Arguments() = default;

void Arguments::word(const std::string& name, std::string& value, const std::string& what) {
    app_.add_option(name, value, what)->type_name("")->required();
}

void Arguments::words(const std::string& name, std::vector<std::string>& values, const std::string& what) {
    app_.add_option(name, values, what)->type_name("")->required();
}

void Arguments::word_or_last_of(const std::string& name, std::string& value, std::vector<std::string>& list,
                                const std::string& what) {
    app_.add_option(name, value, what)->option_text("REQUIRED");
    check([&, name] {
        if (value.empty() && list.size() > 1) {
            value = list.back();
            list.pop_back();
        }
        return value.empty() ? name + " is required" : "";
    });
}

void Arguments::rest(const std::string& name, std::vector<std::string>& words) {
    rest_ = &words;
    check([&words, name] { return words.empty() ? name + " is required" : ""; });
}

Option Arguments::flag(const std::string& name, bool& value, const std::string& what) {
    return Option(app_.add_flag(name, value, what));
}

Option Arguments::text(const std::string& name, const std::string& type, std::string& value, const std::string& what) {
    return Option(app_.add_option(name, value, what)->type_name(type));
}

Option Arguments::list(const std::string& name, const std::string& type, std::vector<std::string>& values,
                       const std::string& what) {
    return Option(app_.add_option(name, values, what)->type_name(type));
}

Option Arguments::repeated(const std::string& name, const std::string& type, std::vector<std::string>& values,
                           const std::string& what) {
    return Option(app_.add_option(name, values, what)->type_name(type)->expected(1)->take_all());
}

Option Arguments::number(const std::string& name, uint32_t& value, Range range, const std::string& what) {
    return add_number(app_, name, value, range, what);
}
Option Arguments::number(const std::string& name, uint64_t& value, Range range, const std::string& what) {
    return add_number(app_, name, value, range, what);
}
Option Arguments::number(const std::string& name, std::optional<uint32_t>& value, Range range,
                         const std::string& what) {
    return add_number(app_, name, value, range, what);
}

Option Arguments::number(const std::string& name, std::optional<uint64_t>& value, Range range,
                         const std::string& what) {
    return add_number(app_, name, value, range, what);
}

Option Arguments::number_or_word(const std::string& name, uint32_t& value, Range range, const std::string& word,
                                 uint32_t meaning, const std::string& what) {
    const auto check = [range, word](std::string& text) {
        const std::string problem = text == word ? "" : check_whole_number(text, range.least, range.most);
        return problem.empty() ? problem : problem + ", or " + word;
    };
    const auto read = [&value, word, meaning](const std::string& text) {
        value = text == word ? meaning : static_cast<uint32_t>(std::stoul(text));
    };
    CLI::Option* option = app_.add_option_function<std::string>(name, read, what);
    option->type_name("N")
        ->check(CLI::Validator(check, ""))
        ->default_str(value == meaning ? word : std::to_string(value));
    return Option(option);
}

Option Arguments::seconds(const std::string& name, double& value, const std::string& what) {
    const auto check = [](std::string& text) { return check_seconds(text); };
    return Option(app_.add_option(name, value, what)->type_name("S")->check(CLI::Validator(check, "")));
}

Option Arguments::bytes(const std::string& name, size_t& value, const std::string& what) {
    const auto read = [](std::string& text) { return check_size(text); };
    return Option(app_.add_option(name, value, what)->type_name("BYTES")->transform(CLI::Validator(read, "")));
}

Option Arguments::percent(const std::string& name, std::optional<double>& value, const std::string& what) {
    const auto check = [](std::string& text) { return check_percent(text); };
    return Option(app_.add_option(name, value, what)->type_name("PERCENT")->check(CLI::Validator(check, "")));
}

Option Arguments::word_of_list(const std::string& name, const std::string& type, std::string& value,
                               const std::vector<std::string>& words, const std::string& what) {
    return one_of(
        name, type, words, [&value](const std::string& word) { value = word; }, what);
}

Option Arguments::one_of(const std::string& name, const std::string& type, const std::vector<std::string>& words,
                         const std::function<void(const std::string&)>& read, const std::string& what,
                         const std::string& by_default) {
    const auto check = [words](std::string& text) { return check_one_of(text, words); };
    return Option(app_.add_option_function<std::string>(name, read, what)
                      ->type_name(type)
                      ->default_str(by_default)
                      ->check(CLI::Validator(check, "")));
}

void Arguments::footer(const std::string& text) { app_.footer(text); }

struct CommandLine::Command {
    explicit Command(CLI::App* in) : app(in), arguments(*in) {}
    const CLI::App* app;
    Arguments arguments;
    Action action;
};

CommandLine::CommandLine(const std::string& program, const std::string& version, const std::string& what)
    : app_(std::make_unique<CLI::App>(what, program)) {
    app_->require_subcommand(0, 1);
    app_->set_version_flag("--version", program + " " + version);
    app_->failure_message([](const CLI::App* failed, const CLI::Error& e) { return explain(failed, e); });
    app_->allow_extras(); // so that a command that does not exist can be named
}
CommandLine::~CommandLine() = default;

void CommandLine::add(const std::string& command, const std::string& what, Action (*declare)(Arguments&)) {
    CLI::App* const sub = app_->add_subcommand(command, what);
    Command& added = *commands_.emplace_back(std::make_unique<Command>(sub));
    added.action = declare(added.arguments);
    sub->callback([this, &added] {
        for (const auto& problem : added.arguments.checks_)
            if (const std::string text = problem(); !text.empty()) throw CLI::ValidationError(text);
        chosen_ = &added;
    });
}

int CommandLine::run(int argc, char** argv) {
    for (const auto& command : commands_) {
        if (command->arguments.rest_ == nullptr || argc < 2 || argv[1] != command->app->get_name()) continue;
        char** const dashes =
            std::find_if(argv + 2, argv + argc, [](const char* a) { return std::strcmp(a, "--") == 0; });
        if (dashes == argv + argc) continue;
        command->arguments.rest_->assign(dashes + 1, argv + argc);
        argc = static_cast<int>(dashes - argv);
    }
    try {
        app_->parse(argc, argv);
        if (app_->get_subcommands().empty()) {
            if (!app_->remaining().empty()) return no_such_command(*app_, app_->remaining().front());
            std::fputs(app_->help().c_str(), stderr);
            return exit_usage;
        }
    } catch (const CLI::ParseError& e) {
        return app_->exit(e) == 0 ? exit_done : exit_usage;
    }
    if (const auto extra = app_->remaining(true); !extra.empty())
        return no_such_argument(*app_->get_subcommands().front(), extra.front());
    return chosen_->action();
}

} // namespace espalier
