# Completion for espalier in bash, made by make.py.
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
    case $command:$before in
        check:--dump) words='read expand ir flow' ;;
        check:--time-limit | check:--memory-limit) compopt +o default +o bashdefault && return ;;
        run:--inputs) return ;;
        run:--time-limit | run:--memory-limit | run:--step-limit) compopt +o default +o bashdefault && return ;;
        generate:--depth | generate:--effort | generate:--seed | generate:--time-limit | generate:--step-limit | generate:--memory-limit | generate:--target | generate:--fail-under) compopt +o default +o bashdefault && return ;;
        generate:--cover) _espalier_list checkpoints requirements procedures branches states transitions conditions mcdc boundaries errors all && return ;;
        generate:--search) words='dfs bfs random distance mixed' ;;
        generate:--memo | generate:--interpolants | generate:--confirm) words='on off' ;;
        generate:--schedules) words='first all' ;;
        generate:--solver-chain) _espalier_list models intervals independence cache enumeration z3 all && return ;;
        generate:--cut) words='off flow v1 v2 v3' ;;
        generate:--waive | generate:--stats | generate:--timeline | generate:--report | generate:-o | generate:--output | generate:--template | generate:--keep) return ;;
        generate:--format) words='xml json ttcn3 testcomp markdown' ;;
        replay:--junit) return ;;
        replay:--time-limit | replay:--memory-limit | replay:--step-limit) compopt +o default +o bashdefault && return ;;
        export:--format) words='xml json ttcn3 testcomp markdown' ;;
        export:--template | export:-o | export:--output) return ;;
        execute:--time-unit | execute:--timeout | execute:--quiet-time | execute:--time-limit | execute:--memory-limit | execute:--test) compopt +o default +o bashdefault && return ;;
        execute:--model | execute:--junit | execute:--report | execute:--results) return ;;
        explain:--depth | explain:--effort | explain:--seed | explain:--time-limit | explain:--step-limit | explain:--memory-limit) compopt +o default +o bashdefault && return ;;
        explain:--cover) _espalier_list checkpoints requirements procedures branches states transitions conditions mcdc boundaries errors all && return ;;
        explain:--search) words='dfs bfs random distance mixed' ;;
        explain:--memo | explain:--interpolants | explain:--confirm) words='on off' ;;
        explain:--schedules) words='first all' ;;
        explain:--solver-chain) _espalier_list models intervals independence cache enumeration z3 all && return ;;
        graph:--kind) words='pda calls machines' ;;
        graph:--machine) compopt +o default +o bashdefault && return ;;
        graph:--direction) words='down right' ;;
        graph:-o | graph:--output) return ;;
        bench:--runs | bench:--depth | bench:--seed | bench:--time-limit | bench:--step-limit | bench:--memory-limit) compopt +o default +o bashdefault && return ;;
        bench:--conf) _espalier_list 1 2a 2b v3 v3+ v3i v3+i 3a 3b 3c 4a 4b 4c 4d 4-v3 && return ;;
        bench:--cover) _espalier_list checkpoints requirements procedures branches states transitions conditions mcdc boundaries errors all && return ;;
        bench:--search) words='dfs bfs random distance mixed' ;;
        bench:--json | bench:--timeline) return ;;
        pda:--oracle) words='v1 v2 v3' ;;
    esac
    case $command in
        '') options='--help --version' words='check run generate replay export execute explain graph bench pda' ;;
        check) options='-h --help --dump --prelude --json --time-limit --memory-limit'; _espalier_files scm ;;
        run) options='-h --help --inputs --trace --time-limit --memory-limit --step-limit'; _espalier_files scm ;;
        generate) options='-h --help --depth --effort --cover --search --seed --time-limit --step-limit --memory-limit --memo --interpolants --confirm --schedules --solver-chain --cut --no-target-info --no-bound-info --target --waive --fail-under --stats --timeline --report -o --output --format --template --keep --watch --quiet --force'; _espalier_files scm ;;
        replay) options='-h --help --junit --time-limit --memory-limit --step-limit --quiet --force'; _espalier_files scm xml ;;
        export) options='-h --help --format --template -o --output --force'; _espalier_files scm xml ;;
        execute) options='-h --help --time-unit --timeout --quiet-time --time-limit --memory-limit --test --model --junit --report --results --quiet --force'; _espalier_files xml ;;
        explain) options='-h --help --depth --effort --cover --search --seed --time-limit --step-limit --memory-limit --memo --interpolants --confirm --schedules --solver-chain'; _espalier_files scm ;;
        graph) options='-h --help --kind --machine --direction -o --output --force'; _espalier_files scm ;;
        bench) options='-h --help --runs --depth --conf --cover --search --seed --time-limit --step-limit --memory-limit --json --timeline --force'; _espalier_files scm ;;
        pda) options='-h --help --oracle' ;;
    esac
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
