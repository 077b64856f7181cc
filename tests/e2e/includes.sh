#!/usr/bin/env bash
# Data flows one way, includes point the other way: a folder sees only the public headers of the folders before it.
# Each big library appears in one source file.
set -euo pipefail
cd -- "${SOURCE_DIR:?}"
problems=0
problem() { printf '%s\n' "$*" && problems=$((problems + 1)); }

declare -A sees=(
    [lang]=""
    [pda]=""
    [flowanalysis]="lang pda"
    [symexec]="lang pda flowanalysis"
    [testgen]="lang pda flowanalysis symexec"
)

# check_includes FILE FOLDER "FOLDER...": FILE may include anything of FOLDER, and public headers of the others.
check_includes() {
    local file=$1 own=$2 others=" $3 " header folder
    while read -r header; do
        folder=${header%%/*}
        if [[ $file == tests/* && (-e ${file%/*}/$header || $header == tests/*) ]]; then
            continue # what a test shares with others
        elif [[ $folder == "$own" ]]; then
            [[ -e $header ]] || problem "$file: \"$header\" is not a path from the root"
        elif [[ -z ${sees[$folder]+known} ]]; then
            problem "$file: \"$header\" is not a path from the root"
        elif [[ $others != *" $folder "* ]]; then
            problem "$file: $own must not know $folder (\"$header\")"
        elif [[ $header == *.def ]]; then
            continue # a table that is declared once for all folders
        elif [[ $header != "$folder/$folder.hpp" ]]; then
            problem "$file: \"$header\" is private to $folder; include \"$folder/$folder.hpp\""
        fi
    done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]*)".*/\1/p' "$file")
}

shopt -s nullglob
for folder in "${!sees[@]}"; do
    for file in "$folder"/*.cpp "$folder"/*.hpp; do
        check_includes "$file" "$folder" "${sees[$folder]}"
    done
    # A test knows its own folder inside out, and may use what the others publish.
    for file in tests/"$folder"/*.cpp tests/"$folder"/*.hpp; do
        check_includes "$file" "$folder" "${!sees[*]}"
    done
    files=("$folder"/*.cpp)
    ((${#files[@]} == 0)) || [[ -e $folder/$folder.hpp ]] || problem "$folder/ has no public header $folder/$folder.hpp"
done

# in_one_source LIBRARY PATTERN
in_one_source() {
    local files
    mapfile -t files < <(grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$2" \
        {lang,pda,flowanalysis,symexec,testgen}/*.{cpp,hpp} || true)
    ((${#files[@]} <= 1)) || problem "$1 belongs in one source file: ${files[*]}"
    [[ ${files[*]-} != *.hpp* ]] || problem "$1 belongs in a source file, not in a header: ${files[*]}"
}
in_one_source Z3 'z3'
in_one_source Boost.Spirit 'boost/spirit'
in_one_source CLI11 'CLI/'
in_one_source TinyXML-2 'tinyxml2'
in_one_source pugixml 'pugixml'

((problems == 0))
