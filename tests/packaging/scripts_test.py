"""Tests of bootstrap.sh, lint.sh, fetch_vocab.sh and the install rules, with stand-ins for the
programs that they call: nothing is installed, downloaded or built.

    python3 tests/packaging/scripts_test.py [-f] [CLASS[.TEST]]
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Each stand-in appends "NAME ARGUMENTS" to $LOG.
STAND_INS = {
    "dpkg-query": 'case " $ABSENT " in *" ${@: -1} "*) exit 1 ;; esac\nprintf installed',
    "apt-get": 'case " $* " in *" ${APT_FAILS:-none} "*) echo "E: no such package"; exit 100 ;; esac',
    "apt-cache": 'exit 0',
    "sudo": 'shift; exec "$@"',
    "nproc": 'echo "${CORES:-4}"',
    "awk": 'echo "${MEMORY_KB:-64000000}"',
    "cmake": 'exit "${CMAKE_FAILS:-0}"',
    "ctest": 'printf "ctest in %s on %s\\n" "${MANTISSA_HOME-}" "${QT_QPA_PLATFORM-}" >>"$LOG"',
    "nvcc": 'exit 0',
}


def write_program(path, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/usr/bin/env bash\nprintf "%s\\n" "$(basename "$0") $*" >>"$LOG"\n{body}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class ScriptTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.checkout = self.folder / "checkout"
        self.log = self.folder / "log"
        self.log.write_text("")
        (self.checkout / "packaging").mkdir(parents=True)
        (self.checkout / "CMakeLists.txt").write_text("project(mantissa VERSION 9.8.7 LANGUAGES CXX)\n")
        for name, body in STAND_INS.items():
            write_program(self.folder / "bin" / name, body)

    def take(self, *names):
        for name in names:
            shutil.copy(ROOT / "packaging" / name, self.checkout / "packaging" / name)

    def run_script(self, *command, **variables):
        environment = {k: v for k, v in os.environ.items() if k != "JOBS" and not k.startswith("MANTISSA_")}
        environment.update(variables, LOG=str(self.log),
                           PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        run = subprocess.run(command, cwd=self.checkout, env=environment, text=True, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        return run.returncode, run.stdout

    def calls(self, program):
        lines = self.log.read_text().splitlines()
        return [line for line in lines if line.split(" ")[0] == program]


class Bootstrap(ScriptTest):
    def setUp(self):
        super().setUp()
        self.take("bootstrap.sh")
        for name in ("fetch_vocab.sh", "fetch_qwen.sh", "fetch_cuda.sh", "lint.sh"):
            write_program(self.checkout / "packaging" / name, "exit 0")
        write_program(self.checkout / "build" / "bin" / "mantissa", "exit 0")

    def bootstrap(self, mode, **variables):
        return self.run_script("bash", "packaging/bootstrap.sh", mode, **variables)

    def test_a_second_run_installs_nothing(self):
        code, said = self.bootstrap("build")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.calls("apt-get"), [])
        self.assertIn("every package needed is installed", said)

    def test_only_what_is_missing_is_installed(self):
        code, said = self.bootstrap("build", ABSENT="ninja-build libfmt-dev")
        self.assertEqual(code, 0, said)
        update, install = self.calls("apt-get")
        self.assertTrue(update.endswith(" update"), update)
        self.assertTrue(install.endswith(" ninja-build libfmt-dev"), install)
        self.assertIn("--no-install-recommends", install)

    def test_the_demo_needs_no_window(self):
        code, said = self.bootstrap("demo", ABSENT="qt6-base-dev libgtest-dev")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.calls("apt-get"), [])
        configured, built = self.calls("cmake")
        self.assertIn("-DMANTISSA_GUI=OFF", configured)
        self.assertIn("-DMANTISSA_TESTS=OFF", configured)
        self.assertIn("-DMANTISSA_CPU_ISA=native", configured)
        self.assertTrue(built.endswith("--target mantissa"), built)
        self.assertEqual(self.calls("mantissa"), ["mantissa demo --out demo-out"])

    def test_only_tests_build_tests(self):
        for mode, isa, wanted in (("build", "native", "--target mantissa_user_programs"),
                                  ("test", "native", " -j 2"), ("long", "testable", " -j 2")):
            self.log.write_text("")
            code, said = self.bootstrap(mode, CORES="2", MEMORY_KB="64000000")
            self.assertEqual(code, 0, said)
            configured, built = self.calls("cmake")
            self.assertIn(f"-DMANTISSA_CPU_ISA={isa}", configured)
            self.assertTrue(built.endswith(wanted), built)

    def test_what_fails_ends_it(self):
        for fails in ("update", "install"):
            self.log.write_text("")
            code, said = self.bootstrap("build", ABSENT="ninja-build", APT_FAILS=fails)
            self.assertNotEqual(code, 0, said)
            self.assertIn("E: no such package", said)
            self.assertEqual(self.calls("cmake"), [])
        code, said = self.bootstrap("build", CMAKE_FAILS="1")
        self.assertNotEqual(code, 0, said)
        self.assertIn("cmake failed", said)
        self.assertEqual(len(self.calls("cmake")), 1, "nothing is built")

    def test_jobs_fit_cores_and_memory(self):
        for cores, memory, jobs in (("8", "3100000", "2"), ("2", "64000000", "2"), ("4", "90000", "1")):
            self.log.write_text("")
            code, said = self.bootstrap("build", CORES=cores, MEMORY_KB=memory)
            self.assertEqual(code, 0, said)
            self.assertIn(f" -j {jobs}", self.calls("cmake")[1])
        self.log.write_text("")
        self.bootstrap("build", JOBS="7")
        self.assertIn(" -j 7", self.calls("cmake")[1])

    def test_the_cuda_library_is_built_for_the_cards_that_are_here(self):
        cards = self.folder / "bin" / "nvidia-smi"
        for mode, cap, wanted in (("build", "8.9\n12.0\n8.9", "-DMANTISSA_CUDA_ARCHITECTURES=89;120"),
                                  ("build", "6.1", "-DMANTISSA_CUDA_ARCHITECTURES=80"),
                                  ("build", "[N/A]", "-DMANTISSA_CUDA_ARCHITECTURES=80"),
                                  ("test", "8.9", "-DMANTISSA_CUDA_ARCHITECTURES=90"),
                                  ("build", None, "-DMANTISSA_CUDA_ARCHITECTURES=80")):
            cards.unlink(missing_ok=True)
            if cap is not None:
                write_program(cards, f"printf '{cap}\\n'")
            self.log.write_text("")
            code, said = self.bootstrap(mode)
            self.assertEqual(code, 0, said)
            self.assertIn(f" {wanted} ", self.calls("cmake")[0])
        self.bootstrap("build", MANTISSA_CUDA_ARCHITECTURES="80")
        self.assertIn(" -DMANTISSA_CUDA_ARCHITECTURES=80 ", self.calls("cmake")[-2])

    def test_a_build_for_a_card_gets_a_compiler(self):
        (self.folder / "bin" / "nvcc").unlink()
        if shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists():
            self.skipTest("a compiler is installed")
        code, said = self.bootstrap("build")
        self.assertEqual(code, 0, said)
        if not shutil.which("nvidia-smi"):
            self.assertEqual(self.calls("fetch_cuda.sh"), [])
            self.assertIn("the CUDA library is left out", said)
        write_program(self.folder / "bin" / "nvidia-smi", "printf '8.9\\n'")
        self.log.write_text("")
        code, said = self.bootstrap("build")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.calls("fetch_cuda.sh"), ["fetch_cuda.sh build/cuda all"])
        self.assertIn("about 1 GB", said)

    def test_tests_leave_the_users_folders_alone(self):
        code, said = self.bootstrap("test")
        self.assertEqual(code, 0, said)
        call, where = self.calls("ctest")
        self.assertEqual(where, f"ctest in {self.checkout}/build/test-home on offscreen")
        self.assertIn("--no-tests=error", call)
        left_out = call.split(" -LE ")[1].split(" ")[0].split("|")
        self.assertLessEqual({"slow", "bench", "gpu", "long"}, set(left_out))
        self.assertEqual(len(self.calls("lint.sh")), 1)
        self.log.write_text("")
        code, said = self.bootstrap("long")
        self.assertEqual(code, 0, said)
        self.assertIn(" -L long -LE ", self.calls("ctest")[0])
        self.assertEqual(set(self.calls("ctest")[0].split(" -LE ")[1].split(" ")[0].split("|")),
                         set(left_out) - {"long"}, "what the one leaves out, the other runs")

    def test_windows_is_built_tested_and_packed(self):
        for name in ("dependencies.sh", "package.sh"):
            write_program(self.checkout / "packaging" / "windows" / name, "exit 0")
        code, said = self.bootstrap("windows", ABSENT="wine64")
        self.assertEqual(code, 0, said)
        self.assertTrue(self.calls("apt-get")[1].endswith(" wine64"))
        steps = [line.split(" ")[0] for line in self.log.read_text().splitlines()]
        wanted = ["dependencies.sh", "cmake", "cmake", "ctest", "package.sh"]
        self.assertEqual([step for step in steps if step in wanted][:3], wanted[:3])
        self.assertIn("--preset windows", self.calls("cmake")[0])
        self.assertIn("-DMANTISSA_CUDA_ARCHITECTURES=75;80;86;89;90;120", self.calls("cmake")[0])
        self.assertEqual(self.calls("package.sh"),
                         ["package.sh build-windows/build dist/mantissa-9.8.7-windows-x64.zip "
                          "dist/mantissa-9.8.7-windows-x64.exe"])

    def test_packages_that_bring_nvidias_libraries_are_named_so(self):
        for name in ("linux/package.sh", "windows/package.sh", "windows/dependencies.sh"):
            write_program(self.checkout / "packaging" / name, 'echo "wheels in $MANTISSA_CUDA_WHEELS"')
        code, said = self.bootstrap("windows", MANTISSA_CUDA_WHEELS="/wheels")
        self.assertEqual(code, 0, said)
        self.assertIn("wheels in /wheels", said)
        self.assertIn("dist/mantissa-9.8.7-windows-x64-cuda.zip dist/mantissa-9.8.7-windows-x64-cuda.exe",
                      self.calls("package.sh")[0])
        code, said = self.bootstrap("release", MANTISSA_CUDA_WHEELS="/wheels")
        self.assertNotEqual(code, 0)
        self.assertIn("unset MANTISSA_CUDA_WHEELS", said)
        self.assertEqual(len(self.calls("package.sh")), 1)

    def test_a_release_has_both_systems_and_what_belongs_beside_them(self):
        for name in ("linux/package.sh", "windows/package.sh", "windows/dependencies.sh"):
            write_program(self.checkout / "packaging" / name, "exit 0")
        (self.checkout / "packaging" / "release.py").write_text("print('beside', __import__('sys').argv[1])\n")
        code, said = self.bootstrap("release")
        self.assertEqual(code, 0, said)
        configured = self.calls("cmake")
        for call in configured[0], next(call for call in configured if "--preset windows" in call):
            self.assertIn("-DMANTISSA_CUDA_ARCHITECTURES=75;80;86;89;90;120", call)
        self.assertEqual(sum("--preset windows" in call for call in configured), 1)
        self.assertEqual(len(self.calls("package.sh")), 2)
        self.assertIn("beside dist", said)

    def test_an_unknown_word_is_refused(self):
        code, said = self.bootstrap("tests")
        self.assertEqual(code, 1)
        self.assertIn("'tests' is none of demo, test, long, build, package, windows or release", said)
        self.assertEqual(self.calls("cmake"), [])


class Lint(ScriptTest):
    def setUp(self):
        super().setUp()
        self.take("lint.sh")
        (self.checkout / "packaging/check_structure.py").write_text("")
        self.add("presets/good.json", "{}")
        self.add("CMakePresets.json", "{}")
        self.add("engine/good.cpp", "int good;\n")
        self.formatter("14.0.6")
        subprocess.run(["git", "init", "-q"], cwd=self.checkout, check=True)

    def add(self, name, text):
        (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (self.checkout / name).write_text(text)

    def formatter(self, version):
        for name in ("clang-format", "clang-format-14"):
            write_program(self.folder / "bin" / name,
                          f'if [ "$1" = --version ]; then echo "version {version}"; exit; fi\n'
                          '! grep -l BADLY -- "${@:3}"')

    def lint(self, *arguments):
        subprocess.run(["git", "add", "-A"], cwd=self.checkout, check=True)
        return self.run_script("bash", "packaging/lint.sh", *arguments)

    def test_clean_sources_pass(self):
        code, said = self.lint()
        self.assertEqual(code, 0, said)
        self.assertIn("lint: clean", said)

    def test_each_finding_fails(self):
        for name, text, named in (("presets/bad.json", "{", "presets/bad.json is not valid JSON"),
                                  ("packaging/bad.sh", "if\n", "bad.sh"),
                                  ("engine/bad.cpp", "BADLY\n", "formatting differs")):
            self.add(name, text)
            code, said = self.lint()
            self.assertEqual(code, 1, f"{name}: {said}")
            self.assertIn(named, said)
            self.assertNotIn("lint: clean", said)
            (self.checkout / name).unlink()

    def test_another_formatter_does_not_count(self):
        self.formatter("15.0.1")
        self.add("engine/bad.cpp", "BADLY\n")
        code, said = self.lint()
        self.assertEqual(code, 0, said)
        self.assertIn("clang-format 14 is not here: formatting not checked", said)
        code, said = self.lint("fix")
        self.assertEqual(code, 1, said)

    def test_an_unknown_word_is_refused(self):
        self.assertEqual(self.lint("all-of-it")[0], 2)


class Structure(ScriptTest):
    """A small tree like ours, and one mistake at a time."""

    FILES = {
        "engine/CMakeLists.txt": "add_subdirectory(core)\nadd_subdirectory(store)\n"
                                 "add_subdirectory(train)\n",
        "gui/CMakeLists.txt": "mantissa_gui_folder(base)\nmantissa_gui_folder(run base)\n"
                              "mantissa_gui_folder(app ${mantissa_gui_folders})\n",
        "engine/core/a.h": "namespace mantissa {\nclass A {\n};\n}\n",
        "engine/core/n.h": "",
        "engine/core/p.cpp": '#include "engine/core/n.h"\n',
        "engine/store/b.cpp": '#include <sqlite3.h>\n#include "engine/core/a.h"\n',
        "engine/train/c.cpp": '#include "engine/store/b.h"\n#include "kernels/k.h"\n',
        "gui/base/Text.h": "#include <QString>\n",
        "gui/app/Window.h": '#include "gui/run/Run.h"\n',
        "gui/run/Run.h": '#include "gui/base/Text.h"\n#include "engine/train/c.h"\n',
        "kernels/cpu/norm.cpp": '#include "kernels/k.h"\n',
        "kernels/cuda/norm.cu": "#include <cuda_runtime.h>\n",
        "kernels/k.h": "/// Rows of a matrix, by part.\n/// Of a part without any, 0.\nint rows();\n"
                       "int cols();  ///< columns\n",
    }
    MISTAKES = {
        "engine/core must not include engine/train":
            ("engine/core/a.h", '#include "engine/train/c.h"\n'),
        "engine/ must not include gui/": ("engine/train/c.cpp", '#include "gui/base/Text.h"\n'),
        "kernels/ must not include engine/": ("kernels/k.h", '#include "engine/core/a.h"\n'),
        "gui/base must not include gui/app": ("gui/base/Text.h", '#include "gui/app/Window.h"\n'),
        "<sqlite3.h> is included below engine/store/ alone":
            ("engine/train/c.cpp", "#include <sqlite3.h>\n"),
        "<QString> is included below gui/ alone": ("engine/core/a.h", "#include <QString>\n"),
        "<cuda_runtime.h> is included below kernels/ alone":
            ("engine/core/a.h", "#include <cuda_runtime.h>\n"),
        "these include each other: n -> p -> n": ("engine/core/n.h", '#include "engine/core/p.h"\n'),
        "there is no kernels/cpu/loss.cpp": ("kernels/cuda/loss.cu", "\n"),
        "mantissa::A is defined here and in": ("gui/run/A.h", "namespace mantissa {\nclass A {\n"),
        "base links app, which stands below it":
            ("gui/CMakeLists.txt", "mantissa_gui_folder(base app)\n"),
        "gui/CMakeLists.txt has no line for gui/about": ("gui/about/About.cpp", ""),
        "OptimizerType::lion is for its row":
            ("engine/core/a.h", "bool is_lion(OptimizerType t) { return t == OptimizerType::lion; }\n"),
        "engine/CMakeLists.txt has no line for engine/plan": ("engine/plan/d.cpp", ""),
        "std::ranges::rotate returns a subrange":
            ("engine/core/a.h", "void turn(V& v) { std::ranges::rotate(v, v.begin() + 1); }\n"),
        "windows.h makes a macro of 'far'":
            ("engine/core/a.h", 'const char* s = "near";  // far\nint far = 0;\n'),
        "k.h:1: a docstring begins with 'Those'": ("kernels/k.h", "/// Those of a run.\nint runs();\n"),
        "k.h:2: a docstring begins with 'The same'":
            ("kernels/k.h", "int a = 0;  ///< rows\n  /// The same in FP32.\n  int b = 0;\n"),
        "a.h:1: a docstring begins with 'That'": ("engine/core/a.h", "int c = 0;  ///< That of a part.\n"),
        "a.h:1: a docstring begins with 'Of'": ("engine/core/a.h", "/// Of the largest part.\n"),
    }

    def check(self):
        return self.run_script("python3", "packaging/check_structure.py")

    def setUp(self):
        super().setUp()
        self.take("check_structure.py")
        for name, text in self.FILES.items():
            path = self.checkout / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def test_each_mistake_is_named(self):
        code, said = self.check()
        self.assertEqual((code, said), (0, ""))
        for message, (name, text) in self.MISTAKES.items():
            with self.subTest(message):
                path = self.checkout / name
                before = path.read_text() if path.exists() else None
                path.parent.mkdir(exist_ok=True)
                path.write_text(text + (before or ""))
                code, said = self.check()
                self.assertEqual(code, 1)
                self.assertIn(message, said)
                self.assertIn(name, said)
                if before is None:
                    path.unlink()
                else:
                    path.write_text(before)


class Symbols(ScriptTest):
    """Two libraries from two lines of C++."""

    def library(self, name, source):
        folder = self.folder / "build" / "engine" / name
        folder.mkdir(parents=True)
        (folder / "a.cpp").write_text(f"#include <string>\nnamespace mantissa {{ {source} }}\n")
        subprocess.run(["c++", "-c", "a.cpp", "-o", "a.o"], cwd=folder, check=True)
        subprocess.run(["ar", "rcs", f"lib{name}.a", "a.o"], cwd=folder, check=True)

    def check(self):
        return self.run_script("python3", "packaging/check_symbols.py", str(self.folder / "build"))

    def setUp(self):
        super().setUp()
        self.take("check_symbols.py")

    def test_a_tag_makes_no_other_function(self):
        self.library("train", "std::string name(int) { return {}; }")
        code, said = self.check()
        self.assertEqual(code, 0, said)
        self.library("run", "const char* name(int) { return nullptr; }")
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertIn("mantissa::name(int) is defined in librun.a(a.o) and in libtrain.a(a.o)", said)

    def test_only_what_the_build_still_makes_counts(self):
        self.library("train", "int name(int) { return 1; }")
        self.library("gone", "int name(int) { return 2; }")
        (self.folder / "build/build.ninja").write_text("build engine/train/libtrain.a: AR a.o\n")
        code, said = self.check()
        self.assertEqual(code, 0, said)

    def test_nothing_built_is_no_success(self):
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertIn("build first", said)


class Vocabulary(ScriptTest):
    """The merges table is accepted only with the hash in the script."""

    PYTHON = f'''case "$*" in
  "-m pip --version") exit 0 ;;
  "-m pip download"*)
    mkdir -p "${{10}}"
    exec {sys.executable} -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/package-1.whl", "w") as wheel:
    wheel.writestr("open_clip/bpe_simple_vocab_16e6.txt.gz", b"forged")
    wheel.writestr("dashscope/resources/qwen.tiktoken", b"Zg== 0")' "${{10}}" ;;
esac
exec {sys.executable} "$@"'''

    def test_another_content_is_neither_kept_nor_taken(self):
        self.take("fetch_vocab.sh")
        self.take("fetch_qwen.sh")
        self.take("pypi.sh")
        write_program(self.folder / "bin" / "stand-in-python", self.PYTHON)
        for before in (None, "damaged"):
            table = self.checkout / "share" / "table.gz"
            if before is not None:
                table.parent.mkdir()
                table.write_text(before)
            code, said = self.run_script("bash", "packaging/fetch_vocab.sh", str(table),
                                         PYTHON="stand-in-python")
            self.assertEqual(code, 2, said)
            self.assertIn("SHA-256", said)
            self.assertTrue(any("pip download" in line for line in self.calls("stand-in-python")))
            self.assertEqual(table.read_text() if table.exists() else None, before)
        folder = self.checkout / "share" / "qwen3"
        code, said = self.run_script("bash", "packaging/fetch_qwen.sh", str(folder),
                                     PYTHON="stand-in-python")
        self.assertEqual(code, 2, said)
        self.assertIn("qwen.tiktoken has SHA-256", said)
        self.assertFalse(folder.exists())


class Install(ScriptTest):
    def test_installed_programs_find_their_libraries(self):
        """They search lib next to bin, and nowhere else."""
        for name in ("presets", "resources/demo/images", "resources/demo/mini-z-image", "resources/docs",
                     "resources/screenshots", "packaging/linux"):
            (self.checkout / name).mkdir(parents=True, exist_ok=True)
        for name in ("LICENSE", "README.md", "resources/demo/mini-sdxl.safetensors", "resources/cuda_libraries.json",
                     "packaging/linux/mantissa-studio.desktop",
                     "packaging/linux/mantissa-preset.xml", "packaging/linux/mantissa.svg"):
            (self.checkout / name).write_text("")
        (self.checkout / "main.c").write_text("int main(void) { return 0; }\n")
        shutil.copytree(ROOT / "packaging" / "cmake", self.checkout / "packaging" / "cmake")
        (self.checkout / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(small C)\n"
            "list(APPEND CMAKE_MODULE_PATH ${CMAKE_SOURCE_DIR}/packaging/cmake)\n"
            "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
            "set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)\n"
            "add_library(own SHARED main.c)\nadd_executable(mantissa main.c)\n"
            "target_link_options(mantissa PRIVATE -Wl,--no-as-needed)\n"
            "target_link_libraries(mantissa PRIVATE own)\ninclude(MantissaInstall)\n")
        cmake = shutil.which("cmake", path=os.environ["PATH"])
        for step in ([cmake, "-S", ".", "-B", "b"], [cmake, "--build", "b"],
                     [cmake, "--install", "b", "--prefix", "out", "--component", "app"]):
            run = subprocess.run(step, cwd=self.checkout, text=True, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(run.returncode, 0, run.stdout)
        program = self.checkout / "out" / "bin" / "mantissa"
        dynamic = subprocess.run(["readelf", "-d", program], text=True, check=True,
                                 stdout=subprocess.PIPE).stdout
        paths = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines()
                 if "PATH)" in line]
        self.assertEqual(paths, ["$ORIGIN/../lib"])


if __name__ == "__main__":
    unittest.main()
