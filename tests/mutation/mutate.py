"""Mutation tests: seeds one bug at a time and shows that the tests fail.

    python3 tests/mutation/mutate.py BUILD [PATTERN...] [--report FILE] [--survivors] [--again]
                                     [--sample COUNT [--seed SEED]] [--first] [--list] [--killers]
    python3 tests/mutation/mutate.py [BUILD] --check

The bugs are listed in tests/mutation/mutations/*.toml. BUILD is a build of this checkout with the
tests; its sources and objects are not changed: the mistaken file is written to BUILD/mutants,
compiled from there, and linked before the objects of the correct one into BUILD/bin/*.mutant.
PATTERNs select mutations by name ("train-*"); --survivors selects those that the last run did not
kill, --sample draws COUNT of them (more if a folder would have fewer than two), and without --again
those already in BUILD/mutants/results.json with the same text are skipped. --first runs only the
first test of each mutant and leaves survivors for later. --killers prints, without running anything, which
test killed each mutation. --check only checks that each bug still
matches the sources and, given BUILD, that its programs have the tests. A mutant is killed when one
of its tests fails, crashes or exceeds its time limit; its tests run in the order listed and stop at
the first failure. Prints a line per mutant; exits 1 if one can't be built or survives without a
documented reason.
"""
import argparse
import dataclasses
import fnmatch
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LISTS = pathlib.Path(__file__).resolve().parent / "mutations"
LEAST_SECONDS = 120  # the minimum time limit of a test program
# Filter for a program whose test names none: hour-long counts find no more than the rest.
USUAL = {"reliability_tests": "-*Nightly*", "ranks_tests": "-*Nightly*", "engine_io_tests": "-*Nightly*"}
# Programs that a test program starts: they are replaced by their mutants while it runs.
STARTS = {"reliability_tests": ["mantissa"], "ranks_tests": ["mantissa"]}


@dataclasses.dataclass
class Mutation:
    """One bug: `correct` in `file` becomes `mistaken`; `tests` are expected to fail.

    Each of `tests` is PROGRAM or PROGRAM:FILTER; of gui_tests the filter is Class or
    Class.function. `compiled` are the sources to compile again where `file` is a header, all that
    include it by default. `blind`: chosen by someone who had not seen the tests; in every sample.
    `written_for`: the test that catches it was written for it, before or after it survived.
    `survives` argues why no test can catch the bug."""

    name: str
    file: str
    correct: str
    mistaken: str
    tests: list
    kind: str = ""
    compiled: list = dataclasses.field(default_factory=list)
    blind: bool = False
    written_for: bool = False
    survives: str = ""

    @property
    def folder(self):
        parts = pathlib.PurePath(self.file).parts
        return parts[0] if parts[0] in ("gui", "packaging") else "/".join(parts[:2])

    @property
    def digest(self):
        text = json.dumps([self.file, self.correct, self.mistaken])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def write(self, overlay):
        """The mutated file, below `overlay`."""
        text = (SOURCE / self.file).read_text(encoding="utf-8")
        target = overlay / self.file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace(self.correct, self.mistaken), encoding="utf-8")
        shutil.copymode(SOURCE / self.file, target)
        return target


class Unusable(Exception):
    """A mutant that can't be compiled, linked or judged."""


def load_mutations():
    found, lost = {}, []
    for path in sorted(LISTS.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutation"]:
            mutation = Mutation(**entry)
            if mutation.name in found:
                sys.exit(f"{path.name}: {mutation.name} is listed twice")
            file = SOURCE / mutation.file
            text = file.read_text(encoding="utf-8") if file.exists() else ""
            if text.count(mutation.correct) != 1:
                lost.append(f"{path.name}: {mutation.name}: {mutation.file} holds "
                            f"{text.count(mutation.correct)} times\n{mutation.correct}")
            lost += [f"{path.name}: {mutation.name}: {gone} is to be compiled and isn't there"
                     for gone in mutation.compiled if not (SOURCE / gone).exists()]
            found[mutation.name] = mutation
    if lost:
        sys.exit("\n".join(lost))
    return found


def drawn(mutations, count, seed):
    """About `count` of `mutations`: each folder's share of them but at least two, and the blind
    ones."""
    names = set()
    for folder in sorted({m.folder for m in mutations}):
        here = sorted(m.name for m in mutations if m.folder == folder)
        share = max(2, round(count * len(here) / len(mutations)))
        names.update(random.Random(f"{seed} {folder}").sample(here, min(share, len(here))))
    return [m for m in mutations if m.blind or m.name in names]


def without_cases(build, mutations):
    """The tests of `mutations` for which their program has no case; programs that BUILD lacks and
    Qt's, which tell by failing, are left out."""
    lost, asked = [], {}
    for mutation in mutations:
        for test in mutation.tests:
            program, _, chosen = test.partition(":")
            path = build / "bin" / program
            if not chosen or program == "gui_tests" or not path.exists():
                continue
            if test not in asked:
                listed = captured([path, "--gtest_list_tests", f"--gtest_filter={chosen}"]).stdout
                asked[test] = "\n  " in listed
            if not asked[test]:
                lost.append(f"{mutation.name}: no case is called {test}")
    return lost


def captured(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **options)


def runs_here(command):
    """False for code compiled for cards, or only to be read, which no test program has, or for other
    processors."""
    libraries = ("/mantissa_cuda.dir/", "/mantissa_kernels_embedded.dir/")
    if "/nvcc" in command.split(" -", 1)[0] or any(library in command for library in libraries):
        return False
    return "MANTISSA_ISA=isa_v4" not in command or "avx512f" in pathlib.Path(
        "/proc/cpuinfo").read_text(encoding="utf-8")


class Objects:
    """Recompiles sources of the build and links programs with the result.

    The library that holds the correct object, alone or compiled together with others, stays on the
    command line; the mutant's object comes first and its definitions win. That needs calls between
    files to be resolved by the linker: static libraries are compiled with -fPIC, and GCC then keeps
    every global function replaceable."""

    def __init__(self, build):
        self.build, self.overlay = build, build / "mutants" / "sources"
        self.entries = json.loads((build / "compile_commands.json").read_text())
        cache = (build / "CMakeCache.txt").read_text()
        if "MANTISSA_JOIN:BOOL=ON" in cache and "clang" in re.search(
                r"CMAKE_CXX_COMPILER:\w+=(.*)", cache)[1]:
            sys.exit("files compiled together by Clang can't be replaced one by one; configure with "
                     "GCC or without MANTISSA_JOIN")
        self.numbered = 0

    def sources_with(self, header):
        """Sources of the build that include `header`, from the compiler's dependency files."""
        found = set()
        deps = captured(["ninja", "-C", self.build, "-t", "deps"]).stdout
        for block in deps.split("\n\n"):
            if f"/{header}\n" in block + "\n":
                names = [line.strip() for line in block.splitlines()[1:]]
                found.update(n for n in names if n.endswith((".cpp", ".cu")) and "/unity_" not in n)
        return sorted(str((self.build / n).resolve().relative_to(SOURCE)) for n in found
                      if "/tests/" not in n)

    def commands(self, source):
        """(command, object) for each time the build compiles `source`, in a unity file or not."""
        path = str(SOURCE / source)
        own = [e for e in self.entries if e["file"] == path and runs_here(e["command"])]
        own = own or [e for e in self.entries if "/Unity/" in e["file"] and runs_here(e["command"])
                      and f'"{path}"' in pathlib.Path(e["file"]).read_text(encoding="utf-8")]
        if not own:
            raise Unusable(f"{source}: the build doesn't compile it")
        return own

    def compile(self, mutation, sources):
        """The mutant's objects by the name of the one each replaces; or the compiler's message."""
        made = {}
        for source in sources:
            for entry in self.commands(source):
                words = shlex.split(entry["command"])
                at = words.index("-o")
                self.numbered += 1
                target = self.build / "mutants" / f"{self.numbered}.o"
                replaced = words[at + 1] if entry["file"].endswith(source) else ""
                words[at + 1] = str(target)
                words[words.index("-c") + 1] = str(
                    self.overlay / source if source == mutation.file else SOURCE / source)
                if source.endswith(".cu") and "-x" not in words:  # a joined file's name tells the language
                    words[words.index("-c"):words.index("-c")] = ["-x", "c++"]
                if not source.startswith("kernels/"):
                    words.insert(words.index("-o"), "-O0")  # compile time exceeds run time
                first = next(i for i, w in enumerate(words) if w.startswith("-I"))
                words.insert(first, f"-I{self.overlay}")
                words.insert(first, f"-iquote{(SOURCE / source).parent}")
                run = captured(words, cwd=entry["directory"])
                if run.returncode != 0:
                    return {}, run.stdout[-3000:]
                made[str(target)] = replaced
        return made, ""

    def link(self, program, made):
        """Links BUILD/bin/<program>.mutant; returns the linker's message."""
        line = captured(["ninja", "-C", self.build, "-t", "commands", "-s", f"bin/{program}"]).stdout
        line = line.strip().splitlines()[-1]
        line = line.replace(f"-o bin/{program}", f"-o bin/{program}.mutant")
        extra = []
        for target, replaced in made.items():
            if replaced and f" {replaced} " in line:  # given by name, not in a library
                line = line.replace(f" {replaced} ", f" {target} ")
            else:
                extra.append(target)
        # Before the program's own objects, which may hold copies of a header's functions.
        first = re.search(r" (?=\S+\.o\b)", line).start()
        line = f"{line[:first]} -Wl,--allow-multiple-definition {' '.join(extra)}{line[first:]}"
        run = captured(["bash", "-c", line], cwd=self.build)
        return "" if run.returncode == 0 else run.stdout[-3000:] or "the linker failed"


class Bench:
    """Runs test programs, unmutated for their time and mutated to be killed."""

    def __init__(self, build):
        self.build, self.objects = build, Objects(build)
        self.limits = {}  # (test, its program's time) -> seconds
        (build / "mutants" / "home").mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, MANTISSA_HOME=str(build / "mutants" / "home"),
                                QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")

    def command(self, test, suffix=""):
        program, _, chosen = test.partition(":")
        chosen = chosen or USUAL.get(program, "")
        if program == "packaging":
            root = self.objects.overlay if suffix else SOURCE
            return [sys.executable, root / "tests/packaging/scripts_test.py", "-f"]
        path = self.build / "bin" / (program + suffix)
        if program == "gui_tests":
            return [path, *chosen.split(".")]
        return [path, "--gtest_fail_fast", f"--gtest_filter={chosen or '*'}"]

    def run(self, command, limit):
        """(what failed or "", seconds, cases that ran)"""
        begun = time.monotonic()
        process = subprocess.Popen(command, cwd=self.build, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", start_new_session=True)

        def stop():
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        late = threading.Event()
        timer = threading.Timer(limit, lambda: (late.set(), stop()))
        timer.start()
        failed, ran = "", 0
        for line in process.stdout:
            ran += line.startswith(("[ RUN      ]", "PASS   :")) or line.startswith("Ran ")
            found = re.match(r"\[  FAILED  \] (\S+?)(?:,| \()|FAIL!  : (\S+?)\(|(?:FAIL|ERROR): (\w+)",
                             line)
            if found and not failed:
                failed = next(group for group in found.groups() if group)
                if line.startswith("FAIL!"):
                    stop()  # Qt's tests have no switch to end at the first failure
        code = process.wait()
        timer.cancel()
        if late.is_set():
            failed = f"time limit of {limit:.0f} s"
        elif code < 0 and not failed:
            failed = f"crash ({signal.Signals(-code).name})"
        elif code != 0 and not failed:
            failed = f"exit {code}"
        return failed, time.monotonic() - begun, ran

    def limit_of(self, test):
        """Runs `test` without any mutation, once per program, and returns its time limit."""
        program = self.build / "bin" / test.split(":")[0]
        key = f"{test} {program.stat().st_mtime_ns if program.exists() else 0}"
        record = self.build / "mutants" / "limits.json"
        if not self.limits and record.exists():
            self.limits = json.loads(record.read_text())
        if key not in self.limits:
            failed, seconds, ran = self.run(self.command(test), 3600)
            if failed or not ran:
                raise Unusable(f"{test} fails without any mutation: {failed or 'no case ran'}")
            self.limits[key] = max(LEAST_SECONDS, 5 * seconds)
            record.write_text(json.dumps(self.limits, indent=1))
        return self.limits[key]

    def run_mutant(self, test, file, made, limit):
        program = test.split(":")[0]
        if program == "packaging":
            return self.run(self.command(test, ".mutant"), limit)[0]
        started, own = STARTS.get(program, []), [program]
        if started and file.startswith("gui/"):
            started, own = ["mantissa-studio"], []  # the test program itself has no window
        for name in [*own, *started]:
            problem = self.objects.link(name, made)
            if problem:
                raise Unusable(f"{name} can't be linked with the mutant\n{problem}")
        bin_folder = self.build / "bin"
        for name in started:
            os.rename(bin_folder / name, bin_folder / f"{name}.correct")
            os.rename(bin_folder / f"{name}.mutant", bin_folder / name)
        try:
            return self.run(self.command(test, ".mutant" if own else ""), limit)[0]
        finally:
            for name in started:
                os.rename(bin_folder / f"{name}.correct", bin_folder / name)

    def kill(self, mutation, first):
        """(test that failed or "", seconds); `first`: its first test is enough."""
        begun = time.monotonic()
        shutil.rmtree(self.objects.overlay, ignore_errors=True)
        made = {}
        if mutation.folder == "packaging":
            for folder in ("packaging", "tests/packaging"):
                shutil.copytree(SOURCE / folder, self.objects.overlay / folder)
            mutation.write(self.objects.overlay)
        else:
            mutation.write(self.objects.overlay)
            is_source = mutation.file.endswith((".cpp", ".cu"))
            sources = [mutation.file] if is_source else (
                mutation.compiled or self.objects.sources_with(mutation.file))
            made, problem = self.objects.compile(mutation, sources)
            if problem:
                raise Unusable(f"it doesn't compile\n{problem}")
        by = ""
        for test in mutation.tests[:1] if first else mutation.tests:
            failed = self.run_mutant(test, mutation.file, made, self.limit_of(test))
            if failed:
                by = f"{test.split(':')[0]}: {failed}"
                break
        for target in made:
            pathlib.Path(target).unlink()
        return by, time.monotonic() - begun


def markdown(mutations, results):
    """The text of resources/docs/evidence/mutation.md: the summary and the survivors."""
    known = [m for m in mutations.values() if m.name in results]
    killed = [m for m in known if results[m.name]["by"]]
    survivors = [m for m in known if m not in killed]
    written = sum(m.written_for for m in killed)
    seconds = sum(results[m.name]["seconds"] for m in known)
    seeds = sorted({results[m.name]["seed"] for m in known if "seed" in results[m.name]})
    lines = [
        "# Mutation tests",
        "",
        "Each mutation is a bug seeded into the sources; a test must fail. Written by",
        "`python3 tests/mutation/mutate.py BUILD --report resources/docs/evidence/mutation.md` from the runs",
        "that BUILD/mutants/results.json holds; `--killers` prints the first test that fails for each. A",
        "build configured with `-DMANTISSA_NIGHTLY=ON` has all of them as the nightly test labelled",
        f"`mutation`: `ctest --test-dir BUILD -L mutation`. {written_on()}",
        "",
        f"{len(mutations)} are listed in tests/mutation/mutations, {len(known)} were run and "
        f"{len(killed)} of these killed",
        f"({100 * len(killed) / max(1, len(known)):.1f} %): {len(killed) - written} by the tests as they "
        f"were, {written} by tests written for them.",
        f"{len(survivors)} survive{'s' if len(survivors) == 1 else ''}; the others are not run yet, and the share says nothing of them.",
        f"{seconds / 60:.0f} minutes on {os.cpu_count()} cores.",
    ]
    for seed in seeds:
        here = [m for m in known if results[m.name].get("seed") == seed]
        lines.append(f"`--sample {seed.replace(' ', ' --seed ')}` drew {len(here)} of them.")
    lines += ["", "| Folder | Listed | Run | Killed | by tests written for them |",
              "|---|---:|---:|---:|---:|"]
    for folder in sorted({m.folder for m in mutations.values()}):
        here = [m for m in killed if m.folder == folder]
        lines.append(f"| {folder} | {sum(m.folder == folder for m in mutations.values())} |"
                     f" {sum(m.folder == folder for m in known)} | {len(here)} |"
                     f" {sum(m.written_for for m in here)} |")
    blind = [m for m in known if m.blind]
    reliability = [m for m in known if m.kind == "reliability"]
    lines += ["", f"{len(blind)} were found unnoticed by somebody who had not seen the tests; "
              f"{sum(m in killed for m in blind)} of them are killed now. {len(reliability)} take out a "
              "sync, a rename, a hash,", f"a finite check or the like; "
              f"{sum(m in killed for m in reliability)} of them are killed.", "", "## Survivors", ""]
    lines += [f"- `{m.name}` ({m.file}): {m.survives or 'no argument yet.'}" for m in survivors]
    lines += [] if survivors else ["None."]
    return "\n".join(lines) + "\n"


def written_on():
    """When the report is written, and by the sources of which commit."""
    commit = subprocess.run(["git", "-C", SOURCE, "rev-parse", "--short", "HEAD"], check=False,
                            capture_output=True, text=True).stdout.strip()
    return f"Written on {time.strftime('%Y-%m-%d')}, commit {commit or 'not recorded'}."


def killers(mutations, results):
    """A line for each mutation: its name and the first test that fails, with * if written for it."""
    for m in mutations:
        by = results[m.name]["by"] or "SURVIVES" if m.name in results else "not run yet"
        yield f"{m.name}: {by}{' *' if m.written_for and m.name in results else ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=lambda folder: pathlib.Path(folder).resolve(), nargs="?")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--survivors", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--killers", action="store_true",
                        help="print the first test that fails for each, as far as they were run, and end")
    parser.add_argument("--list", action="store_true", help="print what would run, and end")
    arguments = parser.parse_args()
    mutations = load_mutations()
    if arguments.check:
        lost = without_cases(arguments.build, mutations.values()) if arguments.build else []
        if lost:
            sys.exit("\n".join(lost))
        print(f"{len(mutations)} mutations find their place")
        return
    if not arguments.build:
        parser.error("BUILD is missing")
    build = arguments.build.resolve()
    (build / "mutants").mkdir(exist_ok=True)
    record = build / "mutants" / "results.json"
    results = json.loads(record.read_text()) if record.exists() else {}
    results = {name: r for name, r in results.items()
               if name in mutations and r["digest"] == mutations[name].digest}
    patterns = arguments.patterns or ["*"]
    chosen = list(mutations.values())
    if arguments.sample:
        chosen = drawn(chosen, arguments.sample, arguments.seed)
        for mutation in chosen:
            if mutation.name in results:
                results[mutation.name]["seed"] = f"{arguments.sample} {arguments.seed}"
    if arguments.killers:
        named = [m for m in chosen if any(fnmatch.fnmatch(m.name, p) for p in patterns)]
        print("\n".join(killers(named, results)))
        return
    sampled = {m.name for m in chosen} if arguments.sample else set()
    chosen = [m for m in chosen if any(fnmatch.fnmatch(m.name, p) for p in patterns)]
    if arguments.survivors:
        chosen = [m for m in chosen if not results.get(m.name, {"by": ""})["by"]]
    elif not arguments.again:
        chosen = [m for m in chosen if m.name not in results]
    chosen.sort(key=lambda m: (m.tests[0].split(":")[0], m.file))
    if arguments.list:
        print("\n".join(m.name for m in chosen))
        return
    bench = Bench(build)
    unexcused, unusable = [], []
    for mutation in chosen:
        try:
            by, seconds = bench.kill(mutation, arguments.first)
        except Unusable as reason:
            unusable.append(mutation.name)
            print(f"{mutation.name}: NOT RUN: {reason}", flush=True)
            continue
        if not by and arguments.first and len(mutation.tests) > 1:
            unusable.append(mutation.name)
            print(f"{mutation.name}: not by {mutation.tests[0]} ({seconds:.0f} s)", flush=True)
            continue
        result = {"by": by, "seconds": round(seconds, 1), "digest": mutation.digest}
        seed = results.get(mutation.name, {}).get("seed", "")
        if mutation.name in sampled:
            seed = f"{arguments.sample} {arguments.seed}"
        results[mutation.name] = result | ({"seed": seed} if seed else {})
        record.write_text(json.dumps(results, indent=1))
        verdict = f"killed by {by}" if by else "SURVIVED"
        print(f"{mutation.name}: {verdict} ({seconds:.0f} s)", flush=True)
        if not by and not mutation.survives:
            unexcused.append(mutation.name)
    record.write_text(json.dumps(results, indent=1))
    if arguments.report:
        arguments.report.write_text(markdown(mutations, results), encoding="utf-8")
    print(f"{len(chosen)} mutants, {len(unexcused)} survive unexcused, {len(unusable)} not run",
          flush=True)
    sys.exit(1 if unexcused or unusable else 0)


if __name__ == "__main__":
    main()
