#!/usr/bin/env python3
"""Writes the completions for bash, zsh and fish from what `espalier --help` says, so that no option is forgotten in them.

    testgen/completions/make.py ESPALIER [FOLDER]

ESPALIER is the program, FOLDER where the files go, by default where this script is. Run it after an option has changed;
a test fails until then. The files are static: completing a word starts no program.
"""
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"^  (?:(-\w),)?(--[a-z-]+)(?: ([A-Z]+)(?:\.[a-z]+)?(?:=\S+)?)?( \.\.\.)?(?: Excludes: \S+)?(?:  +(.*))?$")
POSITIONAL = re.compile(r"^  ([A-Z]+)( \.\.\.)?(?: REQUIRED)?(?:  +(.*))?$")
SUFFIXES = {"MODEL": "scm", "SUITE": "xml"}


def ask(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr


class Option:
    def __init__(self, match, text):
        self.short, self.long, self.kind, self.many, _ = match.groups()
        self.text = re.sub(r"[`\[\]]", "", text)
        self.words, self.is_list = [], False

    def find_words(self, program, command):
        """What the option may be: from the message that refuses another word, or from its description."""
        if not self.kind or self.kind == "FILE":
            return
        said = re.search(r"`\?` is not (.+?)(?: \(see|$)", ask(program, command, "a", "a", self.long, "?"), re.M)
        if said and not said[1].startswith("a "):
            self.words = re.split(r", | or ", said[1])
        listed = re.search(r"a list of ([\w, +-]+)", self.text)
        if self.kind == "LIST" and listed:
            self.words, self.is_list = re.split(r", | and ", listed[1]), True
            if re.search(r"\ball\b", self.text):
                self.words.append("all")


class Command:
    def __init__(self, program, name, text):
        self.name, self.text = name, text
        self.options, self.positionals = [], []
        lines = ask(program, name, "--help").splitlines()
        for line, following in zip(lines, lines[1:] + [""]):
            if match := OPTION.match(line):
                self.options.append(Option(match, match[5] or following.strip()))
            elif match := POSITIONAL.match(line):
                self.positionals.append((match[1], bool(match[2]), match[3] or following.strip()))
        for option in self.options:
            option.find_words(program, name)


def commands_of(program):
    found = re.findall(r"^  ([a-z]+)  +(.*)$", ask(program, "--help").split("Subcommands:")[1], re.M)
    return [Command(program, name, text) for name, text in found]


def bash_action(option):
    if option.is_list:
        return f"_espalier_list {' '.join(option.words)} && return"
    if option.words:
        return f"words='{' '.join(option.words)}'"
    if option.kind == "FILE":
        return "return"  # the default: files
    return "compopt +o default +o bashdefault && return" if option.kind else ""


def bash(commands):
    flags = {c.name: " ".join(o for option in c.options for o in (option.short, option.long) if o) for c in commands}
    out = ["""# Completion for espalier in bash, made by make.py.
_espalier() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' options='' words='' i
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ -z $command && ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; fi
        if [[ $command == execute && ${COMP_WORDS[i]} == -- ]]; then
            if ((i == COMP_CWORD - 1)); then mapfile -t COMPREPLY < <(compgen -c -- "$word"); fi
            return # the adapter's arguments: files
        fi
    done
    case $command:$before in"""]
    for command in commands:
        actions = {}  # the names of the options, by what is to be done for them
        for option in command.options:
            names = actions.setdefault(bash_action(option), [])
            names += [f"{command.name}:{name}" for name in (option.short, option.long) if name]
        out += [f"        {' | '.join(names)}) {action} ;;" for action, names in actions.items() if action]
    out.append("    esac")
    out.append("    case $command in")
    out.append(f"        '') options='--help --version' words='{' '.join(c.name for c in commands)}' ;;")
    for command in commands:
        suffix = SUFFIXES.get(command.positionals[0][0], "") if command.positionals else ""
        both = sorted({SUFFIXES[p[0]] for p in command.positionals if p[0] in SUFFIXES})
        pattern = f"; _espalier_files {' '.join(both)}" if suffix else ""
        out.append(f"        {command.name}) options='{flags[command.name]}'{pattern} ;;")
    out.append("""    esac
    if [[ $word == -* && $before != = ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    fi
}

# _espalier_files SUFFIX…: folders, and files that end so.
_espalier_files() {
    local suffix
    [[ $word != -* && -z $words ]] || return
    compopt -o filenames
    mapfile -t COMPREPLY < <(
        compgen -d -- "$word"
        for suffix; do compgen -f -X "!*.$suffix" -- "$word"; done
    )
}

# _espalier_list WORD…: the last of several, parted by commas.
_espalier_list() {
    local first=
    if [[ $word == *,* ]]; then first=${word%,*},; fi
    compopt -o nospace +o default +o bashdefault
    mapfile -t COMPREPLY < <(compgen -P "$first" -W "$*" -- "${word##*,}")
}

complete -o bashdefault -o default -F _espalier espalier
""")
    return "\n".join(out)


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text.replace("'", "’"))


def zsh(commands):
    out = ["""#compdef espalier
# Completion for espalier in zsh, made by make.py.

_espalier() {
    local context state state_descr line
    typeset -A opt_args
    _arguments -C '(-h --help)'{-h,--help}'[print the help]' '--version[print the version]' \\
        '1:command:->command' '*::argument:->argument'
    case $state in
    command)
        local -a commands=("""]
    out += [f"            '{c.name}:{zsh_text(c.text)}'" for c in commands]
    out.append("""        )
        _describe command commands
        ;;
    argument)
        case $words[1] in""")
    for command in commands:
        out.append(f"        {command.name})")
        out.append("            _arguments -S \\")
        for option in command.options:
            value = ""
            if option.is_list:
                value = f":{option.kind}:_values -s , {option.kind} {' '.join(option.words)}"
            elif option.words:
                value = f":{option.kind}:({' '.join(option.words)})"
            elif option.kind == "FILE":
                value = ":FILE:_files"
            elif option.kind:
                value = f":{option.kind}:"
            many = "*" if option.many else ""
            what = f"[{zsh_text(option.text)}]{value}"
            if option.short:
                out.append(f"                '({option.short} {option.long})'{{{option.short},{option.long}}}'{what}' \\")
            else:
                out.append(f"                '{many}{option.long}{what}' \\")
        for place, (name, many, _) in enumerate(command.positionals, 1):
            files = f"_files -g \"*.{SUFFIXES[name]}\"" if name in SUFFIXES else "_files" if name == "FILE" else ""
            out.append(f"                '{'*' if many else place}:{name}:{files}' \\")
        if command.name == "execute":
            out.append("                '2:ADAPTER:_command_names -e' \\")
            out.append("                '*:ARG:_files' \\")
        out.append("                && return")
        out.append("            ;;")
    out.append("""        esac
        ;;
    esac
}

_espalier "$@"
""")
    return "\n".join(out)


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands):
    out = ["# Completion for espalier in fish, made by make.py.",
           "complete -c espalier -f",
           "complete -c espalier -s h -l help -d 'Print the help'",
           "complete -c espalier -n __fish_use_subcommand -l version -d 'Print the version'"]
    for command in commands:
        out.append(f"complete -c espalier -n __fish_use_subcommand -a {command.name} -d {fish_text(command.text)}")
    for command in commands:
        when = f"complete -c espalier -n '__fish_seen_subcommand_from {command.name}'"
        for name, _, text in command.positionals:
            if name in SUFFIXES:
                out.append(f"{when} -k -a '(__fish_complete_suffix .{SUFFIXES[name]})'")
            elif name == "FILE":
                out.append(f"{when} -F")
        for option in command.options:
            if option.long == "--help":
                continue
            short = f" -s {option.short[1]}" if option.short else ""
            value = ""
            if option.is_list:
                value = f" -x -a '(__fish_append , {' '.join(option.words)})'"
            elif option.words:
                value = f" -x -a '{' '.join(option.words)}'"
            elif option.kind == "FILE":
                value = " -r -F"
            elif option.kind:
                value = " -x"
            out.append(f"{when}{short} -l {option.long[2:]}{value} -d {fish_text(option.text)}")
    return "\n".join(out) + "\n"


def main():
    program = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).parent
    commands = commands_of(program)
    for name, make in {"espalier.bash": bash, "_espalier": zsh, "espalier.fish": fish}.items():
        (folder / name).write_text(make(commands))


main()
