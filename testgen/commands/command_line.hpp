// What the commands may be given, and how it is read. Each command declares its arguments beside its own code:
//
//   Action declare_pda(Arguments& arguments) {
//       const auto options = std::make_shared<PdaOptions>();
//       arguments.word("FILE", options->file, "Lines of `procedure`, `node`, `edge` and `query`");
//       arguments.choice("--oracle", "VERSION", options->oracle, "Which algorithm answers: v1, v2 or v3");
//       return [options] { return pda_command(*options); };
//   }
//
// CLI11 is behind this header, in command_line.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testgen/text/words.hpp"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace espalier {

using Action = std::function<int()>; // runs the command with what was read; its exit status

// An option that was declared.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}
    Option shows_default() const; // in the help
    Option described(const std::string& what) const;
    Option excludes(const Option& other) const;
    bool is_given() const; // once the arguments are read
    std::string name() const;

private:
    CLI::Option* option_;
};

// The arguments of one command. What they are read into must outlive the command's action. `type` is the word for the
// value in the help, and `what` the help's text.
class Arguments {
public:
    explicit Arguments(CLI::App& app);
    ~Arguments();
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;

    // Words without an option before them, in this order. They must be given.
    void word(const std::string& name, std::string& value, const std::string& what);
    void words(const std::string& name, std::vector<std::string>& values, const std::string& what);
    // The same where an option that takes a list may stand before it, and has read it as the last of its list.
    void word_or_last_of(const std::string& name, std::string& value, std::vector<std::string>& list,
                         const std::string& what);
    // All words after `--`: those of another program, none of them an option of ours.
    void rest(const std::string& name, std::vector<std::string>& words);

    Option flag(const std::string& name, bool& value, const std::string& what);
    Option text(const std::string& name, const std::string& type, std::string& value, const std::string& what);
    Option list(const std::string& name, const std::string& type, std::vector<std::string>& values,
                const std::string& what);
    // A list of which each option gives one.
    Option repeated(const std::string& name, const std::string& type, std::vector<std::string>& values,
                    const std::string& what);

    struct Range {
        uint64_t least, most = UINT64_MAX;
    };
    Option number(const std::string& name, uint32_t& value, Range range, const std::string& what);
    Option number(const std::string& name, uint64_t& value, Range range, const std::string& what);
    Option number(const std::string& name, std::optional<uint32_t>& value, Range range, const std::string& what);
    Option number(const std::string& name, std::optional<uint64_t>& value, Range range, const std::string& what);
    // A number of the range, or the word, which stands for `meaning`.
    Option number_or_word(const std::string& name, uint32_t& value, Range range, const std::string& word,
                          uint32_t meaning, const std::string& what);
    Option seconds(const std::string& name, double& value, const std::string& what);
    Option bytes(const std::string& name, size_t& value, const std::string& what);
    Option percent(const std::string& name, std::optional<double>& value, const std::string& what);

    // One of the words of an option's type, in place of what the value is by default.
    template <typename Value>
    Option choice(const std::string& name, const std::string& type, Value& value, const std::string& what) {
        return one_of(
            name, type, words_of<Value>(), [&value](const std::string& word) { value = *value_of<Value>(word); }, what,
            std::string(word_of(value)));
    }
    template <typename Value>
    Option choice(const std::string& name, const std::string& type, std::optional<Value>& value,
                  const std::string& what) {
        return one_of(
            name, type, words_of<Value>(), [&value](const std::string& word) { value = value_of<Value>(word); }, what);
    }
    Option word_of_list(const std::string& name, const std::string& type, std::string& value,
                        const std::vector<std::string>& words, const std::string& what);

    void footer(const std::string& text); // below the help
    // Asked once all is read, in this order: what is wrong with it, or nothing.
    void check(std::function<std::string()> problem) { checks_.push_back(std::move(problem)); }

private:
    friend class CommandLine;
    Option one_of(const std::string& name, const std::string& type, const std::vector<std::string>& words,
                  const std::function<void(const std::string&)>& read, const std::string& what,
                  const std::string& by_default = {});
    CLI::App& app_;
    std::vector<std::string>* rest_ = nullptr;
    std::vector<std::function<std::string()>> checks_;
};

class CommandLine {
public:
    CommandLine(const std::string& program, const std::string& version, const std::string& what);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    void add(const std::string& command, const std::string& what, Action (*declare)(Arguments&));
    // Reads the arguments and runs the command that they name; its exit status, or that of wrong usage.
    int run(int argc, char** argv);

private:
    struct Command;
    std::unique_ptr<CLI::App> app_;
    std::vector<std::unique_ptr<Command>> commands_;
    const Command* chosen_ = nullptr;
};

} // namespace espalier
