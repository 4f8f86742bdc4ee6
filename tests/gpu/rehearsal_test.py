"""tests/gpu.sh from the package to the report. Without arguments: its scripts and tables, in seconds.
With a build folder: all parts, on CUDA's kernels on the host (MANTISSA_GPU_SMALL), then broken on
purpose.

    rehearsal_test.py [BUILD]
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) == 2 and pathlib.Path(sys.argv[1]).is_dir() else None
LIMITS = {"A": 360, "B": 540, "C": 600}
UNPACKING = 10
# On a machine without PyTorch and NVIDIA's tools these say so.
ABSENT = {"profile": "the package has no profiler", "plans": "the package has no program that times plans",
          "memcheck": "compute-sanitizer is not on this machine",
          "racecheck": "compute-sanitizer is not on this machine"}


def shell(*command, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MANTISSA_")} | variables
    run = subprocess.run(command, cwd=ROOT, env=environment, text=True, check=False, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode, run.stdout


def stages():
    _, text = shell("bash", "-c", "source tests/gpu/stages.sh; stages")
    return [line.split(None, 5) for line in text.splitlines()]


class Scripts(unittest.TestCase):
    def test_they_parse(self):
        for script in [ROOT / "tests/gpu.sh", *(ROOT / "tests/gpu").glob("*.sh")]:
            self.assertEqual(shell("bash", "-n", str(script)), (0, ""), script)
        for script in (ROOT / "tests/gpu").glob("*.py"):
            compile(script.read_text(), str(script), "exec")

    def test_the_stages_fit_their_parts(self):
        for part, limit in LIMITS.items():
            groups = itertools.groupby((s for s in stages() if s[0] == part), lambda s: s[1] if s[4] == "all" else "")
            seconds = sum(max(int(s[2]) for s in group) for _, group in groups)
            self.assertTrue(0 < seconds <= limit - UNPACKING, f"{part}: {seconds} s of {limit}")

    def test_every_stage_is_a_function(self):
        names = [s[1] for s in stages()]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            code, said = shell("bash", "-c", f"source tests/gpu/stages.sh; declare -F {name}")
            self.assertEqual(code, 0, name + said)

    def test_a_wrong_word_is_refused(self):
        self.assertEqual(shell("bash", "tests/gpu.sh", "test")[0], 2)

    def test_kernel_times_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            times, out = pathlib.Path(folder, "times.tsv"), pathlib.Path(folder, "out.md")
            launches = [("1", 0, 1), ("7", 4000, 1), ("8", 40000, 2), ("9", 80000, 5)]  # three replays after a kernel alone
            times.write_text("".join(
                f"{launch}\t{start + at * 1000}\t{more * 1000}\tvoid mantissa::cuda::(anonymous namespace)::add<int>(int)\n"
                for launch, start, more in launches for at in range(1 if launch == "1" else 3)))
            code, said = shell("python3", "tests/gpu/kernels.py", str(times), str(out))
            self.assertEqual(code, 0, said)
            self.assertIn("| `add<int>` | 3 | 0.01 | 100.0 % |", out.read_text())
            self.assertEqual(out.with_suffix(".tsv").read_text().splitlines()[1].split("\t")[:2], ["1.00", "2.00"])
            times.write_text("")
            self.assertNotEqual(shell("python3", "tests/gpu/kernels.py", str(times), str(out))[0], 0)

    def test_recorded_kernels_are_counted_for_their_ops(self):
        kernels = ("quantize_held_rows_kernel", "fill", "nvjet", "splitKreduce", "map_rows_kernel", "optimizer_step_kernel")
        with tempfile.TemporaryDirectory() as folder:
            profile, ops, out = (pathlib.Path(folder, name) for name in ("profile-FP8.tsv", "FP8.tsv", "out.tsv"))
            profile.write_text("".join(f"{200 * i}.00\t{100 + i}.00\t{name}\n" for i, name in enumerate(kernels)))
            listed = "linear_fp8\t1\t1\tencoding|linear_fp8 3\tgemm|linear_fp8 8\n", "cast\t0\t0\telementwise|cast 2\n"
            ops.write_text("".join(listed))
            command = "python3", "tests/gpu/classes.py", folder, folder, str(out)
            self.assertEqual(shell(*command), (0, ""))
            rows = dict(line.rsplit("\t", 1) for line in out.read_text().splitlines())
            self.assertEqual(rows["encoding\tlinear_fp8 3"], "1:100")
            self.assertEqual(rows["gemm\tlinear_fp8 8"], "1:306", "with what is cleared before it and added up after it")
            self.assertEqual(rows["elementwise\tcast 2"], "1:104")
            self.assertEqual((rows["optimizer\trest"], rows["gaps\tnodes"]), ("1:105", "6:490"))
            ops.write_text("".join(reversed(listed)))
            self.assertIn("op 0, isn't what was recorded at node 0", shell(*command)[1])

    def test_what_is_timed_runs_alone(self):
        alone = [s[1] for s in stages() if s[4] == "all"]
        for timed in ("images", "table", "profile", "fp8", "fp8stream", "plans", "sizes", "products"):
            self.assertIn(timed, alone)


class Run(unittest.TestCase):
    """A package of shell scripts in the programs' place."""

    PROGRAM = """#!/bin/sh
case $1 in devices) echo "{\\"device\\":\\"cuda:0\\",\\"usable\\":$USABLE,\\"reason\\":\\"no driver\\"}" ;; esac
[ -z "$LAUNCHES" ] || echo "{\\"launches\\": $LAUNCHES}" >>"$MANTISSA_CUDA_COUNTS"
case $0 in *"$BROKEN") exit 3 ;; esac
"""

    def run_part(self, part, folder, **variables):
        programs = folder / "mantissa" / "bin"
        programs.mkdir(parents=True)
        for name in ("mantissa", "draw_goldens", "kernels_tests", "engine_cuda_tests", "engine_train_tests",
                     "matrix_tests"):
            (programs / name).write_text("#!/bin/sh\n" if name == "draw_goldens" else self.PROGRAM)
            (programs / name).chmod(0o755)
        package = folder / "p.tar.xz"
        with tarfile.open(package, "w:xz") as archive:
            archive.add(folder / "mantissa", "mantissa")
        defaults = {"LAUNCHES": "5", "BROKEN": "none", "USABLE": "true"}
        code, said = shell("bash", "tests/gpu.sh", "run", part, str(package), str(folder / "out"), **defaults | variables)
        report = json.loads((folder / "out" / f"{part}.json").read_text())
        return code, said, {s["stage"]: s for s in report["stages"]}

    def verdicts(self, part="A", **variables):
        with tempfile.TemporaryDirectory() as folder:
            code, said, found = self.run_part(part, pathlib.Path(folder), **variables)
            self.assertEqual([s[1] for s in stages() if s[0] == part], list(found), said)
            files = {f.name for f in pathlib.Path(folder, "out").iterdir()}
            self.assertEqual(files, {f"{part}.md", f"{part}.json", f"{part}-performance.md", f"{part}-logs.tar.gz"})
        return code, {name: (s["verdict"], s["reason"]) for name, s in found.items()}

    def test_a_stage_that_launched_nothing_fails(self):
        code, found = self.verdicts(LAUNCHES="")
        self.assertEqual(code, 1)
        for name in ("kernels", "libraries", "runs", "recording", "streaming"):
            self.assertEqual(found[name], ("failed", "launched no kernel"))
        self.assertEqual(found["devices"][0], "passed")

    def test_what_fails_does_not_stop_the_next(self):
        code, found = self.verdicts(BROKEN="kernels_tests")
        self.assertEqual(code, 1)
        self.assertEqual(found["kernels"], ("failed", "exit status 1"))
        self.assertEqual(found["runs"][0], "passed")

    def test_a_machine_without_a_card(self):
        code, found = self.verdicts(USABLE="false")
        self.assertEqual(code, 3)
        self.assertEqual(found["kernels"], ("not run", "no driver"))


@unittest.skipUnless(BUILD, "no build folder given")
class Rehearsal(unittest.TestCase):
    def run_all(self, folder, *arguments, **variables):
        library = BUILD / "lib" / "libmantissa_cuda_plugin_on_host.so"
        settings = {"MANTISSA_CUDA_LIBRARY": str(library), "MANTISSA_GPU_SMALL": "1", "MANTISSA_GPU_PATIENCE": "8"}
        return shell("bash", "tests/gpu.sh", *arguments, **settings | variables)

    def test_a_stage_that_hangs_is_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            _, said, found = Run().run_part("A", pathlib.Path(folder), MANTISSA_GPU_FAKE="devices=sleep 300")
            self.assertEqual((found["devices"]["verdict"], found["devices"]["reason"]), ("failed", "stopped after its 15 s"))
            self.assertEqual(found["kernels"]["verdict"], "passed", said)

    def test_from_the_package_to_the_report(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            package, out = folder / "p.tar.xz", folder / "out"
            code, said = self.run_all(folder, "pack", str(package), MANTISSA_PACK_BUILD=str(BUILD), XZ_OPTIONS="-0")
            self.assertEqual(code, 0, said)
            code, said = self.run_all(folder, "run", str(package), str(out))
            print(said)
            found = {s["stage"]: s for s in json.loads((out / "ABC.json").read_text())["stages"]}
            self.assertEqual([s[1] for s in stages()], list(found))
            for part, stage, _, kernels, _, _ in stages():
                with self.subTest(stage):
                    got = found[stage]
                    if stage in ABSENT and got["verdict"] == "not run":
                        self.assertEqual(got["reason"], ABSENT[stage])
                        continue
                    self.assertEqual((got["verdict"], got["reason"]), ("passed", ""))
                    self.assertEqual(got["launches"] > 0, kernels == "yes")
            self.assertEqual(code, 0, said)
            for file in ("ABC.md", "ABC-performance.md", "ABC-logs.tar.gz"):
                self.assertGreater((out / file).stat().st_size, 100)
            self.assertIn("| Mantissa from images |", (out / "ABC-performance.md").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
