#!/usr/bin/env bash
# Data flows one way, and includes point the other way: between folders, and between the rooms of a folder in the order
# in which docs/architecture.md lists them. The check itself is tried first, on small trees with one mistake each.
set -uo pipefail
command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
check() { python3 "$SOURCE_DIR/tests/style/includes.py" "$@"; }

# plant: a tree in which nothing is wrong, with two rooms of `lang` and a test.
plant() {
    rm -rf tree && mkdir -p tree/{docs,lang/{low,high},pda,flowanalysis,symexec,testgen,tests/lang/low}
    # shellcheck disable=SC2016 # not to be expanded
    printf '## Rooms\n\n- `lang/low`: what is below.\n- `lang/high`: what is above.\n\n## End\n' >tree/docs/architecture.md
    for folder in lang pda flowanalysis symexec testgen; do echo "#pragma once" >"tree/$folder/$folder.hpp"; done
    echo '#include "lang/lang.hpp"' >tree/symexec/part.cpp
    echo '#pragma once' >tree/lang/low/low.hpp
    echo '#include "lang/low/low.hpp"' >tree/lang/high/high.cpp
    echo '#include "lang/low/low.hpp"' >tree/tests/lang/low/low_test.cpp
}
# refuses TEXT: the check fails on the tree as it is now, and says so.
refuses() {
    check tree >said 2>&1
    [[ $? -eq 1 ]] && grep -qF -e "$1" said
    judge "refuses: $1" $? said
}
plant && expect "nothing is wrong with the small tree" check tree
echo '#pragma once' >tree/lang/high/high.hpp && echo '#include "lang/high/high.hpp"' >tree/lang/low/low.cpp
refuses 'lang/low must not know lang/high'
plant && echo '#include "lang/lang.hpp"' >tree/lang/low/low.cpp && refuses 'lang/low must not know lang/lang.hpp'
plant && echo '#include "symexec/symexec.hpp"' >tree/lang/low/low.cpp && refuses 'lang must not know symexec'
plant && echo '#include "lang/low/low.hpp"' >tree/symexec/part.cpp && refuses 'is private to lang'
plant && mkdir tree/lang/new && echo >tree/lang/new/new.cpp && refuses 'lang/new is not among the rooms'
plant && mkdir tree/tests/lang/new && echo >tree/tests/lang/new/new_test.cpp && refuses 'tests/lang/new mirrors no room'
plant && rm tree/lang/high/* && refuses 'lang/high has no files'
plant && rm tree/docs/architecture.md && refuses 'no rooms'
plant && rm tree/testgen/* && refuses 'testgen has no files'
plant && echo '#include <z3++.h>' | tee tree/symexec/{part,other}.cpp >/dev/null && refuses 'Z3 belongs in one source file'
plant && echo '#include "lang/high/high.cpp"' >tree/lang/high/other.cpp && refuses 'is a source, not a header'
plant && echo '#include "low.hpp"' >tree/lang/low/low.cpp && refuses 'is not a path from the root'

expect "the project" check "$SOURCE_DIR"
cat said
conclude 1
