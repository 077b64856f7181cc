# shellcheck shell=bash disable=SC2034 # `source` is read by the caller
# The programs that language.sh and symbolic.sh run: all of this folder's, or those that PROGRAMS names. First comes one
# that shows the cost of starting. Sets `programs`, a list of names, and `source`, the file of each; the caller has made
# the folder `scratch`.
echo '(display 1) (newline)' >"${scratch:?}/start-up.scm"
programs=(start-up)
declare -A source=([start-up]=$scratch/start-up.scm)
folder=$(dirname -- "${BASH_SOURCE[0]}")
if [ -n "${PROGRAMS:-}" ]; then
  for name in $PROGRAMS; do
    if [ ! -f "$folder/$name.scm" ]; then
      echo "no program $name in bench/language" >&2
      exit 2
    fi
    programs+=("$name")
    source[$name]=$folder/$name.scm
  done
else
  for file in "$folder"/*.scm; do
    name=$(basename "$file" .scm)
    programs+=("$name")
    source[$name]=$file
  done
fi
