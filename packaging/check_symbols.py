#!/usr/bin/env python3
"""Fails where two objects of a build define one function or variable.

    packaging/check_symbols.py BUILD

The linker reports only duplicates within one program, and none that differ only in their ABI tag: a
function returning a string by value has one, the same function declared elsewhere may not.
"""
import collections
import pathlib
import re
import subprocess
import sys

ABI_TAG = re.compile(r"\[abi:[a-z0-9]+\]")
STRONG = "TDBR"  # functions, data, zeroed data, constants; weak ones are inline code and templates


def definitions(archive):
    """Each strong symbol of an archive and its object."""
    listing = subprocess.run(["nm", "-C", "--defined-only", "--extern-only", archive],
                             capture_output=True, text=True, check=True).stdout
    member = ""
    for line in listing.splitlines():
        if line.endswith(":"):
            member = f"{archive.name}({line[:-1]})"
            continue
        parts = line.split(" ", 2)
        if len(parts) == 3 and parts[1] in STRONG:
            yield ABI_TAG.sub("", parts[2]), member


def libraries(build):
    """The static libraries of the program; leftovers of an earlier configuration don't count."""
    rules = build / "build.ninja"
    text = rules.read_text(encoding="utf-8") if rules.exists() else None
    for folder in ("kernels", "engine", "gui"):
        for archive in sorted((build / folder).rglob("*.a")):
            if text is None or f"build {archive.relative_to(build)}:" in text:
                yield archive


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    build = pathlib.Path(sys.argv[1])
    archives = list(libraries(build))
    if not archives:
        sys.exit(f"{build} holds no built libraries; build first")
    found = collections.defaultdict(set)
    for archive in archives:
        for symbol, member in definitions(archive):
            found[symbol].add(member)
    twice = {symbol: members for symbol, members in found.items() if len(members) > 1}
    for symbol, members in sorted(twice.items()):
        print(f"{symbol} is defined in {' and in '.join(sorted(members))}")
    print(f"{len(found)} symbols of {len(archives)} libraries, {len(twice)} defined twice")
    sys.exit(1 if twice else 0)


if __name__ == "__main__":
    main()
