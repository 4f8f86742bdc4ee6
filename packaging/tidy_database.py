"""Command lines for clang-tidy: python3 packaging/tidy_database.py build/compile_commands.json

Files that are compiled together have one command line: each of them gets its own. Clang can't read the
headers that GCC precompiled; the sources include what they need.
"""

import json
import pathlib
import re
import sys

PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S*cmake_pch\.hxx")
INCLUDED = re.compile(r'^#include "(/[^"]+\.cpp)"', re.MULTILINE)


def entries(entry):
    command = PRECOMPILED.sub("", entry["command"])
    joined = pathlib.Path(entry["file"])
    files = [entry["file"]]
    if joined.name.startswith("unity_") and joined.exists():
        files = INCLUDED.findall(joined.read_text(encoding="utf-8"))
    return [{**entry, "file": file, "command": command.replace(entry["file"], file)} for file in files]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = [own for entry in json.load(file) for own in entries(entry)]
    json.dump(found, sys.stdout, indent=1)


main()
