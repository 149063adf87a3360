#!/usr/bin/env python3
"""stub_docs.py [--check]: puts the docstrings of the built module (in PYTHONPATH) into the stub, where editors look for them.

--check fails where the two differ and writes nothing.
"""

import ast
import inspect
import pathlib
import re
import sys

import planner_ccd

STUB = pathlib.Path(__file__).resolve().parents[1] / "planner_ccd/__init__.pyi"


def doc_of(thing):
    """Without the signature that pybind11 puts before it."""
    text = getattr(thing, "__doc__", None) or ""
    return inspect.cleandoc(re.sub(r"^\w+\(.*\) -> .+\n", "", text))


def docstring(text, indent):
    lines = text.split("\n")
    body = lines[0] if len(lines) == 1 else "\n".join([lines[0], *(f"{indent}{line}".rstrip() for line in lines[1:]), indent])
    return f'{indent}{"r" if chr(92) in text else ""}"""{body}"""'


def has_docstring(node):
    first = node.body[0]
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def documented(tree):
    """Every class, function and member of the stub with its docstring in the module; of overloads the first."""
    for node in tree.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        thing, seen = getattr(planner_ccd, node.name), set()
        yield node, doc_of(thing)
        for member in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(member, ast.FunctionDef) and (member.name == "__init__" or not member.name.startswith("_")):
                yield member, "" if member.name in seen else doc_of(getattr(thing, member.name))
                seen.add(member.name)


def with_docs(stub):
    lines = stub.split("\n")
    for node, text in sorted(documented(ast.parse(stub)), key=lambda pair: -pair[0].lineno):
        first, indent = node.body[0], " " * (node.col_offset + 4)
        new = [docstring(text, indent)] if text else []
        begin, end = first.lineno - 1, first.end_lineno
        alone = len(node.body) == 1
        if has_docstring(node):
            lines[begin:end] = new or ([f"{indent}..."] if alone else [])
        elif not alone:
            begin = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]) - 1
            lines[begin:begin] = new
        elif new:
            lines[begin:end] = [lines[begin][: first.col_offset].rstrip(), *new]
    return "\n".join(lines)


def main():
    stub = STUB.read_text(encoding="utf-8")
    wanted = with_docs(stub)
    if "--check" not in sys.argv:
        STUB.write_text(wanted, encoding="utf-8")
    elif stub != wanted:
        sys.exit("the stub's docstrings are not the module's: PYTHONPATH=build/release/python python3 planner_ccd/python/backend/stub_docs.py")


if __name__ == "__main__":
    main()
