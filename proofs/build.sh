#!/usr/bin/env bash
# Compiles the proofs, one file after the other, in build/proofs; compares what they rest on with assumptions.txt; makes the
# verified checker and asks it about the certificates of the tests. `./dev proofs` calls this.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
source=$root/proofs
build=$root/build/proofs
mkdir -p "$build"
cd "$build"

# Coq knows more ways to leave something out; those that are not axioms Print Assumptions does not miss, these are easy to see.
if grep -nE '\b(Admitted|admit|Axiom|Conjecture|Parameter|give_up|Unset (Guard|Positivity|Universe) Checking|bypass_check)\b' "$source"/*.v; then
  echo "error: something is taken for granted above" >&2
  exit 1
fi

files=$(grep '\.v$' "$source/_CoqProject")
[ "$(sort <<<"$files")" = "$(cd "$source" && ls -- *.v)" ] || { echo "error: _CoqProject does not name the files of proofs/" >&2; exit 1; }
# What comes after a file that is new, or was not finished, is compiled again.
stale=false
for file in $files; do
  name=${file%.v}
  cmp -s "$source/$file" "$file" || { cp "$source/$file" "$file"; rm -f "$name.vo"; }
  [ -e "$name.vo" ] || stale=true
  if $stale; then rm -f "$name.vo"; fi
done
for file in $files; do
  name=${file%.v}
  [ -e "$name.vo" ] && continue
  echo "coqc $file"
  coqc -w none -R . PlannerCcd "$file" >"$name.out" 2>&1 || { cat "$name.out" >&2; rm -f "$name.vo"; exit 1; }
done
python3 "$source/assumptions.py" Assumptions.v Assumptions.out | diff "$source/assumptions.txt" - || { echo "error: the theorems rest on something else than assumptions.txt says" >&2; exit 1; }
echo "$(grep -c '^Print' "$source/Assumptions.v") theorems rest on what assumptions.txt says: the axioms of the reals and excluded middle"

cp "$source"/*.ml .
ocamlfind ocamlopt -O3 -w -a -package zarith -linkpkg bits.ml checker.mli checker.ml verified_checker.ml -o verified_checker 2>ocamlopt.log ||
  { cat ocamlopt.log >&2; exit 1; }
echo "made $build/verified_checker"
[ "${1:-}" = --no-verdicts ] || python3 "$source/verdicts.py" "$build/verified_checker" "$root"
