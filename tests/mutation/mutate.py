"""Mutation tests: seeds one bug at a time and shows that the tests fail.

    python3 tests/mutation/mutate.py BUILD [PATTERN...] [--report FILE] [--survivors] [--again]

The bugs are listed in tests/mutation/mutations/*.toml. BUILD is a build of this checkout with the
tests; sources and objects of it are left as they are: the mistaken file is written to BUILD/mutants,
compiled from there, and linked before the objects of the correct one into BUILD/bin/*.mutant.
PATTERNs select mutations by name ("train-*"); --survivors selects those that the last run did not
kill, and without --again those that BUILD/mutants/results.json knows for the same text are skipped.
A mutant is killed when one of its tests fails, crashes or exceeds its time limit; its tests run in
the order listed and stop at the first failure. Prints a line per mutant; exits 1 when one survives
that no argument excuses.
"""
import argparse
import dataclasses
import fnmatch
import hashlib
import json
import os
import pathlib
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
LEAST_SECONDS = 120  # the least time limit of a test program
# Programs that a test program starts: they are replaced by their mutants while it runs.
STARTS = {"reliability_tests": ["mantissa"]}


@dataclasses.dataclass
class Mutation:
    """One bug: `correct` in `file` becomes `mistaken`; `tests` are expected to fail.

    Each of `tests` is PROGRAM or PROGRAM:FILTER; of gui_tests the filter is a test class.
    `compiled` are the sources to compile again where `file` is a header, all that include it by
    default. `survives` argues why no test can notice the bug."""

    name: str
    file: str
    correct: str
    mistaken: str
    tests: list
    kind: str = ""
    compiled: list = dataclasses.field(default_factory=list)
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
        """The mistaken file, below `overlay`."""
        text = (SOURCE / self.file).read_text(encoding="utf-8")
        target = overlay / self.file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace(self.correct, self.mistaken), encoding="utf-8")
        shutil.copymode(SOURCE / self.file, target)
        return target


def load_mutations():
    found = {}
    for path in sorted(LISTS.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutation"]:
            mutation = Mutation(**entry)
            if mutation.name in found:
                sys.exit(f"{path.name}: {mutation.name} is listed twice")
            text = (SOURCE / mutation.file).read_text(encoding="utf-8")
            if text.count(mutation.correct) != 1:
                sys.exit(f"{path.name}: {mutation.name}: {mutation.file} holds "
                         f"{text.count(mutation.correct)} times\n{mutation.correct}")
            found[mutation.name] = mutation
    return found


def captured(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **options)


class Objects:
    """Compiles sources of the build anew and links programs with the result.

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
        """Sources of the build that include `header`, by what the compiler noted."""
        found = set()
        deps = captured(["ninja", "-C", self.build, "-t", "deps"]).stdout
        for block in deps.split("\n\n"):
            if f"/{header}\n" in block + "\n":
                names = [line.strip() for line in block.splitlines()[1:]]
                found.update(n for n in names if n.endswith((".cpp", ".cu")) and "/unity_" not in n)
        return sorted(str((self.build / n).resolve().relative_to(SOURCE)) for n in found
                      if "/tests/" not in n)

    def commands(self, source):
        """(command, object) for each time the build compiles `source`, together with others or not."""
        path = str(SOURCE / source)
        own = [e for e in self.entries if e["file"] == path]
        if not own:  # compiled together: any unity file of its folder's target has the flags
            folder = str(pathlib.PurePath(source).parent)
            own = [e for e in self.entries
                   if f"/{folder}/CMakeFiles/" in e["file"] and "/Unity/unity_0" in e["file"]][:1]
        if not own:
            sys.exit(f"{source}: the build doesn't compile it")
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
                if not source.startswith("kernels/"):
                    words.insert(words.index("-o"), "-O0")  # compiled more than it runs
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
        flag = f" -o bin/{program}.mutant"
        line = line.replace(flag, f" -Wl,--allow-multiple-definition {' '.join(extra)}{flag}")
        run = captured(["bash", "-c", line], cwd=self.build)
        return "" if run.returncode == 0 else run.stdout[-3000:] or "the linker failed"


class Bench:
    """Runs test programs, unmutated for their time and mutated to be killed."""

    def __init__(self, build):
        self.build, self.objects = build, Objects(build)
        self.limits = {}  # test -> seconds
        (build / "mutants" / "home").mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, MANTISSA_HOME=str(build / "mutants" / "home"),
                                QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")

    def command(self, test, suffix=""):
        program, _, chosen = test.partition(":")
        if program == "packaging":
            root = self.objects.overlay if suffix else SOURCE
            return [sys.executable, root / "tests/packaging/scripts_test.py", "-f"]
        path = self.build / "bin" / (program + suffix)
        if program == "gui_tests":
            return [path, chosen]
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
        """Runs `test` without any mutation, once, and returns its time limit."""
        if test not in self.limits:
            failed, seconds, ran = self.run(self.command(test), 3600)
            if failed or not ran:
                sys.exit(f"{test} fails without any mutation: {failed or 'no case ran'}")
            self.limits[test] = max(LEAST_SECONDS, 5 * seconds)
        return self.limits[test]

    def run_mutant(self, test, made, limit):
        program = test.split(":")[0]
        if program == "packaging":
            return self.run(self.command(test, ".mutant"), limit)[0]
        started = STARTS.get(program, [])
        for name in [program, *started]:
            problem = self.objects.link(name, made)
            if problem:
                sys.exit(f"{name} can't be linked with the mutant\n{problem}")
        bin_folder = self.build / "bin"
        for name in started:
            os.rename(bin_folder / name, bin_folder / f"{name}.correct")
            os.rename(bin_folder / f"{name}.mutant", bin_folder / name)
        try:
            return self.run(self.command(test, ".mutant"), limit)[0]
        finally:
            for name in started:
                os.rename(bin_folder / f"{name}.correct", bin_folder / name)

    def kill(self, mutation):
        """(test that failed or "", seconds)"""
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
                sys.exit(f"{mutation.name} doesn't compile\n{problem}")
        by = ""
        for test in mutation.tests:
            failed = self.run_mutant(test, made, self.limit_of(test))
            if failed:
                by = f"{test.split(':')[0]}: {failed}"
                break
        for target in made:
            pathlib.Path(target).unlink()
        return by, time.monotonic() - begun


def markdown(mutations, results):
    """The table of resources/docs/mutation.md."""
    known = [m for m in mutations.values() if m.name in results]
    killed = [m for m in known if results[m.name]["by"]]
    seconds = sum(results[m.name]["seconds"] for m in known)
    lines = [
        "# Mutation tests",
        "",
        "Each mutation is a bug seeded into the sources; a test must fail. Written by",
        "`python3 tests/mutation/mutate.py BUILD --report resources/docs/mutation.md`. A build",
        "configured with `-DMANTISSA_MUTATION=ON` has it as the nightly test labelled `mutation`:",
        "`ctest --test-dir BUILD -L mutation`.",
        "",
        f"{len(killed)} of {len(known)} mutants killed ({100 * len(killed) / max(1, len(known)):.1f} %)"
        f" in {seconds / 60:.0f} minutes on {os.cpu_count()} cores.",
        "",
        "| Folder | Mutants | Killed |",
        "|---|---:|---:|",
    ]
    for folder in sorted({m.folder for m in known}):
        here = [m for m in known if m.folder == folder]
        lines.append(f"| {folder} | {len(here)} | {sum(m in killed for m in here)} |")
    reliability = [m for m in known if m.kind == "reliability"]
    lines += ["", f"Of these, {len(reliability)} take out a sync, a rename, a hash, a finite check or "
              f"the like; {sum(m in killed for m in reliability)} of them are killed.", "",
              "## Survivors", ""]
    for m in known:
        if m not in killed:
            lines.append(f"- `{m.name}` ({m.file}): {m.survives or 'no argument yet.'}")
    lines += ["", "## Killed by", "", "| Mutation | First test to fail |", "|---|---|"]
    lines += [f"| {m.name} | {results[m.name]['by'][:110]} |" for m in killed]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--survivors", action="store_true")
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    mutations = load_mutations()
    build = arguments.build.resolve()
    (build / "mutants").mkdir(exist_ok=True)
    record = build / "mutants" / "results.json"
    results = json.loads(record.read_text()) if record.exists() else {}
    results = {name: r for name, r in results.items()
               if name in mutations and r["digest"] == mutations[name].digest}
    patterns = arguments.patterns or ["*"]
    chosen = [m for m in mutations.values() if any(fnmatch.fnmatch(m.name, p) for p in patterns)]
    if arguments.survivors:
        chosen = [m for m in chosen if not results.get(m.name, {"by": ""})["by"]]
    elif not arguments.again:
        chosen = [m for m in chosen if m.name not in results]
    chosen.sort(key=lambda m: (m.tests[0].split(":")[0], m.file))
    bench = Bench(build)
    unexcused = []
    for mutation in chosen:
        by, seconds = bench.kill(mutation)
        results[mutation.name] = {"by": by, "seconds": round(seconds, 1), "digest": mutation.digest}
        record.write_text(json.dumps(results, indent=1))
        verdict = f"killed by {by}" if by else "SURVIVED"
        print(f"{mutation.name}: {verdict} ({seconds:.0f} s)", flush=True)
        if not by and not mutation.survives:
            unexcused.append(mutation.name)
    if arguments.report:
        arguments.report.write_text(markdown(mutations, results), encoding="utf-8")
    print(f"{len(chosen)} mutants, {len(unexcused)} survive unexcused", flush=True)
    sys.exit(1 if unexcused else 0)


if __name__ == "__main__":
    main()
