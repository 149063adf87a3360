#!/usr/bin/env python3
"""Checks that the library compiles without precompiled headers: what a file of planner_ccd/ uses of the headers that are precompiled
(planner_ccd_precompile in CMakeLists.txt) it includes, itself or through other files of the project or a standard header that must
include it. A build with PLANNER_CCD_PCH would not notice. Files named *_inl.hpp stand inside of others, and include nothing.

Run without arguments; prints every offence as file: header (for a name) and exits with 1 if there is any.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
# By header: names that need it, and other headers that provide them too.
NEEDS = {
    "algorithm": (r"std::(?:stable_)?(?:sort|partition)\b|std::(?:min|max|clamp|minmax|reverse|fill|fill_n|copy|copy_if|copy_n|transform|unique|"
                  r"rotate|generate|equal|lexicographical_compare|mismatch|nth_element|partial_sort|is_sorted)\(|"
                  r"std::(?:find|find_if|find_if_not|all_of|any_of|none_of|count|count_if|remove|remove_if|replace|lower_bound|upper_bound|equal_range|"
                  r"binary_search|max_element|min_element|minmax_element|set_\w+|inplace_merge|for_each|includes)\b",
                  {"functional", "string", "vector", "map", "memory", "Eigen/Core", "Eigen/Geometry"}),
    "array": (r"std::array\b", {"functional", "tuple", "span", "Eigen/Core", "Eigen/Geometry"}),
    "cmath": (r"std::(?:abs|sqrt|sin|cos|tan|atan2|acos|asin|atan|hypot|floor|ceil|round|lround|trunc|fmod|remainder|isfinite|isnan|isinf|signbit|"
              r"copysign|nextafter|ldexp|frexp|ilogb|scalbn|exp|exp2|log|log2|log10|pow|cbrt|fma)\(", {"complex", "random", "Eigen/Core", "Eigen/Geometry"}),
    "functional": (r"std::(?:function|hash|less|greater)\b", {"Eigen/Core", "Eigen/Geometry", "string", "map", "memory", "set", "unordered_map"}),
    "limits": (r"std::numeric_limits\b", {"Eigen/Core", "Eigen/Geometry", "random"}),
    "map": (r"std::(?:multi)?map\b", set()),
    "memory": (r"std::(?:unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared|enable_shared_from_this)\b", {"functional", "mutex", "thread"}),
    "optional": (r"std::(?:optional|nullopt)\b", set()),
    "set": (r"std::(?:multi)?set\b", set()),
    "span": (r"std::span\b", set()),
    "sstream": (r"std::[io]?stringstream\b", {"Eigen/Core", "Eigen/Geometry", "iomanip"}),
    "string": (r"std::(?:string|to_string|stod|stoi)\b", {"sstream", "stdexcept", "iostream", "fstream", "filesystem", "string_view", "functional",
                                                         "Eigen/Core", "Eigen/Geometry", "system_error", "regex", "iomanip"}),
    "vector": (r"std::vector\b", {"functional", "map", "Eigen/Core", "Eigen/Geometry", "queue", "random", "regex"}),
    "Eigen/Core": (r"Eigen::(?:Vector[234X][dif]|Matrix\w*|RowVector\w*|Ref|Map|Index|Array\w*)\b", {"Eigen/Geometry", "Eigen/Dense", "Eigen/LU", "Eigen/Eigenvalues"}),
    "Eigen/Geometry": (r"Eigen::(?:Isometry3d|Affine3d|Transform|Quaternion\w*|AngleAxis\w*|AlignedBox\w*|Translation\w*)\b", {"Eigen/Dense"}),
}


def reached(path, seen):
    """Everything that a file includes, through files of the project."""
    headers = set()
    for target in INCLUDE.findall(path.read_text(encoding="utf-8")):
        headers.add(target)
        file = ROOT / target
        if target.startswith("planner_ccd/") and file.exists() and file not in seen:
            seen.add(file)
            headers |= reached(file, seen)
    return headers


def main():
    precompiled = re.search(r"target_precompile_headers\(\$\{target\} PRIVATE ([^$]*)\$", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    unknown = set(re.findall(r"<([^>]+)>", precompiled)) - set(NEEDS) - {"cstdint"}
    offences = [f"tests/lint/precompiled.py: does not know <{header}>" for header in sorted(unknown)]
    files = [f for f in sorted((ROOT / "planner_ccd").rglob("*.[hc]pp")) if not f.name.endswith("_inl.hpp")]
    for path in files:
        headers = reached(path, {path})
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        for header, (names, also) in NEEDS.items():
            used = re.search(names, text)
            if used and header not in headers and not (headers & also):
                offences.append(f"{path.relative_to(ROOT)}: <{header}> (for {used[0].rstrip('(')})")
    print("\n".join(offences) if offences else f"{len(files)} files include what they use of the precompiled headers")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
