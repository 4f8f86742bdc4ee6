"""Tests of mantissa_cuda.dll under Wine, where there is no card: with stand-ins for CUDA's libraries
(tests/kernels/cuda_embedded/stand_ins), which check every launch and compute nothing. Minutes.

    python3 tests/packaging/windows_cuda_test.py BUILD_DIR [-v] [CLASS[.TEST]]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = {"cudart64_13.dll": "the CUDA Toolkit 13", "cublasLt64_13.dll": "cuBLAS 13",
          "cudnn64_9.dll": "cuDNN 9"}
NO_DRIVER, NO_CARD = 35, 100  # of cudaError_t
build = pathlib.Path("build-windows/build")


def windows_path(path):
    return "Z:" + str(pathlib.Path(path).resolve()).replace("/", "\\")


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.own = self.folder / "own"  # our library, by itself
        self.own.mkdir()
        shutil.copy(build / "bin/mantissa_cuda.dll", self.own)

    def stand_ins(self, folder, *names):
        """Puts them there, all without names."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in names or NEEDED:
            shutil.copy(build / "stand-ins" / name, folder)
        return windows_path(folder)

    def start(self, program, *arguments, cwd=None, **variables):
        kept = {k: v for k, v in os.environ.items() if not re.match("MANTISSA_(?!WINDOWS)|CUDA", k)}
        given = {"MANTISSA_HOME": windows_path(self.folder / "home"),
                 "MANTISSA_CUDA_LIBRARY": windows_path(self.own / "mantissa_cuda.dll"), **variables}
        return subprocess.run(["bash", ROOT / "packaging/windows/wine.sh", build / "bin" / program, *arguments],
                              cwd=cwd or ROOT, env={**kept, **given}, text=True, encoding="utf-8", timeout=3000,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def devices(self, **options):
        """What is said of CUDA."""
        done = self.start("mantissa.exe", "devices", **options)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout[done.stdout.index("cuda:0"):]


class Libraries(Case):
    def test_each_missing_one_is_told(self):
        for name, title in NEEDED.items():
            text = self.devices()
            self.assertRegex(text, f"^cuda:0 +can't be used: {title}[^:]* is not installed: {name} was found")
            self.assertEqual(len(text.splitlines()), 1, text)
            self.stand_ins(self.own, name)
        self.assertIn("stand-in", self.devices())

    def test_they_are_found_where_users_have_them(self):
        there = self.folder / "größe 日本"
        self.stand_ins(there / "toolkit/bin/x64")
        toolkit = windows_path(there / "toolkit")
        self.assertIn("stand-in", self.devices(CUDA_PATH=toolkit))
        self.assertIn("stand-in", self.devices(MANTISSA_CUDA_FOLDERS=toolkit + "\\bin\\x64"))
        # Of several folders each may have some.
        parts = [self.stand_ins(there / name, name) for name in NEEDED]
        self.assertIn("stand-in", self.devices(MANTISSA_CUDA_FOLDERS=";".join(["", *parts])))
        self.assertIn("is not installed: cudnn64_9.dll", self.devices(MANTISSA_CUDA_FOLDERS=";".join(parts[:2])))

    def test_the_current_folder_is_no_place(self):
        self.stand_ins(self.folder)
        for folder in ("", ".", "own\\.."):
            self.assertIn("is not installed: cudart64_13.dll",
                          self.devices(cwd=self.folder, MANTISSA_CUDA_FOLDERS=folder, CUDA_PATH=folder))

    def test_without_a_driver_or_a_card(self):
        self.stand_ins(self.own)
        self.assertRegex(self.devices(MANTISSA_STAND_IN_STATUS=str(NO_DRIVER)), "no NVIDIA driver is installed")
        self.assertRegex(self.devices(MANTISSA_STAND_IN_STATUS=str(NO_CARD), MANTISSA_STAND_IN_DRIVER="13000"),
                         "finds no card")

    def test_a_library_of_another_version(self):
        self.stand_ins(self.own)
        file = self.own / "mantissa_cuda.dll"
        version = re.search(r"\(mantissa VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1].encode()
        text = file.read_bytes()
        self.assertIn(version + b"-", text)
        file.write_bytes(text.replace(version + b"-", b"9" * len(version) + b"-"))
        self.assertIn("is of another version", self.devices())


class Kernels(Case):
    def setUp(self):
        super().setUp()
        self.stand_ins(self.own)
        self.record = self.folder / "record"

    def launches(self, program, *arguments):
        """By the kernels' names, how often each was launched; and what the program said."""
        done = self.start(program, *arguments, MANTISSA_TEST_DEVICE="cuda:0",
                          MANTISSA_STAND_IN_RECORD=windows_path(self.record))
        self.assertTrue(self.record.exists(), done.stdout[-3000:])
        lines = [line.split() for line in self.record.read_text().splitlines()]
        self.record.unlink()
        return {name: int(count) for kernel, name, count in lines if kernel == "kernel"}, done

    def train(self, *settings):
        arguments = [word for setting in settings for word in ("--set", setting)]
        return self.launches("mantissa.exe", "train", "demo", "--base", "demo", "--images", "demo", "--device",
                             "cuda:0", "--out", windows_path(self.folder / "run"), "--set", "training.steps=2",
                             "--set", "samples.every=0", *arguments)

    def test_a_run_launches_them_by_name(self):
        launches, done = self.train()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(len(launches), 600)
        self.assertGreater(sum(count > 0 for count in launches.values()), 40)

    def test_most_are_launched_by_the_kernels_own_tests(self):
        """Their results are wrong, as nothing is computed, but each launch is checked by the stand-in:
        a handle it gave out, a valid grid, every parameter readable."""
        launches, done = self.launches("kernels_tests.exe", "--gtest_filter=*/cuda*", "--gtest_brief=1")
        self.assertNotIn("CUDA: ", done.stdout)
        launched = sum(count > 0 for count in launches.values())
        self.assertGreater(launched, 600)
        print(f"{launched} of {len(launches)} kernels launched, {sum(launches.values())} launches")

    def test_device_code_that_lacks_a_kernel_is_refused(self):
        file = self.own / "mantissa_cuda.dll"
        text, count = re.subn(rb"(_cu_[0-9a-f]{8}14set_)run(_kernel)", rb"\1ruN\2", file.read_bytes())
        self.assertGreater(count, 0)
        file.write_bytes(text)
        _, done = self.train()
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\[device code\] has no kernel .*set_run_kernel")

    def test_device_code_with_other_parameters_is_refused(self):
        """A second parameter of 16 bytes, as set_run_kernel's, has 24 here."""
        file = self.own / "mantissa_cuda.dll"
        # A record of .nv.info: format, attribute, bytes; index; ordinal, offset; size at bit 18.
        text, count = re.subn(rb"(\x04\x17\x0c\x00\x00\x00\x00\x00\x01\x00\x08\x00..)\x41\x00",
                              lambda record: record[1] + b"\x61\x00", file.read_bytes(), flags=re.DOTALL)
        self.assertGreater(count, 0)
        file.write_bytes(text)
        _, done = self.train()
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\[device code\] the parameters of .* have other sizes")


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        build = pathlib.Path(sys.argv.pop(1))
    build = build.resolve()
    unittest.main()
