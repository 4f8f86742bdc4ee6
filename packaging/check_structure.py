"""Checks includes, mirrored files, names and docstrings; each failure names its line.

    python3 packaging/check_structure.py            fails on violations of the structure rules
    python3 packaging/check_structure.py --judge    lists long files and glossary words, for judgement

Folders and what each may include are read from engine/CMakeLists.txt and gui/CMakeLists.txt.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
# Headers of libraries, and the only place that may include them.
OWNERS = [(re.compile(r"^(cuda|cublas|cudnn|nvrtc|oneapi/|dnnl)"), "kernels/"),
          (re.compile(r"^sqlite3\.h$"), "engine/store/"),
          (re.compile(r"^mpi\.h$"), "engine/ranks/mpi/"),
          (re.compile(r"^curl\.h$"), "engine/http/"),
          (re.compile(r"^archive(_entry)?\.h$"), "engine/toolkit/"),
          (re.compile(r"^Q[A-Z]\w*$"), "gui/")]
# CUDA files without a counterpart on the CPU: the device itself, and parts of one family.
CUDA_ALONE = {"codes_product", "context", "dora_factors", "gemm_codes"}
# An optimizer is its row in a table and a rule of its own: the only files that may name one. Others
# read the row, so that another one does not touch them. Importers know other programs' defaults.
OPTIMIZER = re.compile(r"\b(?:OptimizerType|UpdateRule|FactoredRule)::\w+")
SUBRANGE = re.compile(r"\bstd::ranges::(?:rotate|unique|remove|remove_if|partition|stable_partition|"
                      r"search|search_n|find_end|equal_range|subrange)\b|\bstd::views::")
# A docstring above its declaration or behind it that leaves out what is declared.
DOCSTRING = re.compile(r"(?P<before>.*?)///<? ?(?P<opening>Of|The same|Those|That)\b")
# Comments and texts, also those over several lines.
NO_CODE = re.compile(r'//[^\n]*|R"\w*\(.*?\)\w*"|"(?:\\.|[^"\\\n])*"', re.S)
OPTIMIZER_HOMES = re.compile(r"kernels/(update|update_rule|check_optim)\.h|kernels/\w+/optim_\w+\.(cpp|cu)|"
                             r"engine/optim/\w+\.cpp|engine/preset/(optimizer_table\.h|import_\w+\.cpp)")
LONG_FILE = 450
GLOSSARY = {"picture": "image", "back pass": "backward pass", "looked at": "measured, scanned",
            "recipe": "preset", "anew": "again", "held out": "validation"}


def tracked(*patterns):
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "--", *patterns], check=False,
                             capture_output=True, text=True)
    if listing.returncode == 0:
        return [name for name in listing.stdout.split("\n") if name and (ROOT / name).exists()]
    return sorted(str(p.relative_to(ROOT)) for pattern in patterns for p in ROOT.rglob(pattern)
                  if p.parts[len(ROOT.parts)] in ("kernels", "engine", "gui", "tests"))


def engine_folders():
    """Folder -> the folders above it."""
    order = re.findall(r"add_subdirectory\((\w+)\)", (ROOT / "engine/CMakeLists.txt").read_text())
    return {folder: set(order[:i]) for i, folder in enumerate(order)}


def gui_folders():
    """Folder -> the folders that it names; each must be above it."""
    above, seen = {}, []
    text = (ROOT / "gui/CMakeLists.txt").read_text()
    for call in re.findall(r"^mantissa_gui_folder\(([^)]*)\)", text, re.M):
        folder, *names = call.replace("${mantissa_gui_folders}", " ".join(seen)).split()
        for name in names:
            if name not in seen:
                yield_error("gui/CMakeLists.txt", 0, f"{folder} links {name}, which stands below it")
        above[folder] = set(names)
        seen.append(folder)
    return above


errors = []


def yield_error(file, line, text):
    errors.append(f"{file}:{line}: {text}" if line else f"{file}: {text}")


def check_includes(files):
    engine, gui = engine_folders(), gui_folders()
    missing = set()
    for name in files:
        parts = pathlib.PurePath(name).parts
        top, folder = parts[0], parts[1]
        listed = {"engine": engine, "gui": gui}.get(top)
        if listed is not None and folder not in listed and (top, folder) not in missing:
            missing.add((top, folder))
            yield_error(name, 0, f"{top}/CMakeLists.txt has no line for {top}/{folder}")
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").split("\n"), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            target = found[2]
            for pattern, owner in OWNERS:
                if pattern.match(pathlib.PurePath(target).name if found[1] == "<" else "") and \
                        not name.startswith(owner):
                    yield_error(name, number, f"<{target}> is included below {owner} alone")
            if found[1] == "<":
                continue
            at = pathlib.PurePath(target).parts
            if at[0] not in ("kernels", "engine", "gui", "tests"):
                continue
            allowed = {"kernels": ("kernels",), "engine": ("engine", "kernels"),
                       "gui": ("gui", "engine", "kernels")}[top]
            if at[0] not in allowed:
                yield_error(name, number, f"{top}/ must not include {at[0]}/")
            elif at[0] == top and len(at) > 2 and at[1] != folder and len(parts) > 2:
                above = (listed or {}).get(folder)
                if above is not None and at[1] not in above:
                    yield_error(name, number, f"{top}/{folder} must not include {top}/{at[1]}")


def check_mirrors(files):
    cpu = {pathlib.PurePath(f).stem for f in files if re.match(r"kernels/cpu/\w+\.cpp$", f)}
    for name in files:
        family = pathlib.PurePath(name).stem
        if re.match(r"kernels/cuda/\w+\.cu$", name) and family not in cpu | CUDA_ALONE:
            yield_error(name, 0, f"there is no kernels/cpu/{family}.cpp")


def check_circles(files):
    """Within a folder of engine, gui or kernels, no unit (header and source of one name) includes
    itself by way of others."""
    units = collections.defaultdict(dict)  # folder -> unit -> included units of the folder
    for name in files:
        unit = str(pathlib.PurePath(name).with_suffix(""))
        folder = "/".join(name.split("/")[:2]) if name.count("/") > 1 else name.split("/")[0]
        included = units[folder].setdefault(unit, set())
        for line in (ROOT / name).read_text(encoding="utf-8").split("\n"):
            found = INCLUDE.match(line)
            if found and found[1] == '"' and found[2].startswith(folder + "/"):
                included.add(str(pathlib.PurePath(found[2]).with_suffix("")))
    for of_folder in units.values():
        for circle in circles(of_folder):
            shown = " -> ".join(pathlib.PurePath(unit).name for unit in [*circle, circle[0]])
            name = min(name for name in files if name.rpartition(".")[0] == circle[0])
            yield_error(name, 0, f"these include each other: {shown}")


def circles(graph):
    """One circle of each group of nodes that reach each other: a shortest one through its first."""
    def ways_from(start):
        way, queue = {start: [start]}, collections.deque([start])
        while queue:
            at = queue.popleft()
            for to in sorted(graph.get(at, ())):
                if to not in way:
                    way[to] = way[at] + [to]
                    queue.append(to)
        return way
    ways = {node: ways_from(node) for node in sorted(graph)}
    grouped = set()
    for node in sorted(graph):
        group = [other for other in ways[node] if other != node and node in ways.get(other, ())]
        if group and node not in grouped:
            grouped.update(group, [node])
            yield min((ways[node][last] for last in group if node in graph[last]),
                      key=len)


def check_names(files):
    """No class is defined in two headers."""
    places = collections.defaultdict(list)
    for name in files:
        if not name.endswith(".h") or name.startswith("tests/"):
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        space = None
        for number, line in enumerate(text.split("\n"), 1):
            space = re.match(r"namespace (mantissa[\w:]*) \{", line) or space
            found = re.match(r"(?:class|struct|enum class) (\w+)(?: final)?(?: : [^;]*)? \{", line)
            if found and space:
                places[space[1], found[1]].append(f"{name}:{number}")
    for (space, title), where in places.items():
        if len(where) > 1:
            yield_error(where[0], 0, f"{space}::{title} is defined here and in {', '.join(where[1:])}")


def check_optimizers(files):
    for name in files:
        if OPTIMIZER_HOMES.fullmatch(name):
            continue
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").split("\n"), 1):
            found = OPTIMIZER.search(line)
            if found and not re.search(r"Type type = OptimizerType::adamw;", line):
                yield_error(name, number, f"{found[0]} is for its row of the optimizer table and its "
                                          "rule; ask the row for a property")


def check_clang(files):
    """No algorithm that returns a subrange: Clang 14 can't compile libstdc++'s."""
    for name in files:
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").split("\n"), 1):
            if found := SUBRANGE.search(line):
                yield_error(name, number, f"{found[0]} returns a subrange, which Clang 14 can't "
                                          "compile with libstdc++; use the algorithm of iterators")


def judge(files):
    for name in files:
        lines = (ROOT / name).read_text(encoding="utf-8").split("\n")
        if len(lines) > LONG_FILE:
            print(f"{name}: {len(lines)} lines")
        for number, line in enumerate(lines, 1):
            for word, better in GLOSSARY.items():
                if re.search(rf"\b{word}s?\b", line, re.I):
                    print(f"{name}:{number}: {word} -> {better}")


def check_windows(files):
    """No name that windows.h defines as a macro: joined sources may stand behind it."""
    for name in files:
        code = NO_CODE.sub(lambda text: "\n" * text[0].count("\n"),
                           (ROOT / name).read_text(encoding="utf-8"))
        for number, line in enumerate(code.split("\n"), 1):
            if found := re.search(r"\b(near|far)\b", line):
                yield_error(name, number, f"windows.h makes a macro of '{found[0]}'; choose another name")


def check_docstrings(files):
    """No docstring of a header begins with a word that only its neighbour explains."""
    for name in files:
        if not name.endswith((".h", ".cuh")):
            continue
        above = ""
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").split("\n"), 1):
            found = DOCSTRING.match(line)
            if found and not above.startswith(found["before"] + "///"):
                yield_error(name, number, f"a docstring begins with '{found['opening']}'; begin with the "
                                          "noun of what is declared ('Rows of …') or a verb ('Reads …')")
            above = line


def main():
    files = tracked("*.h", "*.cpp", "*.cu", "*.cuh")
    product = [f for f in files if f.split("/")[0] in ("kernels", "engine", "gui") and
               f.count("/") > 1 or re.match(r"kernels/[^/]+$", f)]
    if sys.argv[1:] == ["--judge"]:
        judge(files)
        return 0
    check_includes(product)
    check_mirrors(product)
    check_circles(product)
    check_clang(files)
    check_windows(files)
    check_docstrings(files)
    check_names(product)
    check_optimizers(product)
    for error in errors:
        print(f"structure: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
