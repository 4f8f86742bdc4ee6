"""Tests of packaging/windows/dependencies.sh, with recipes that only write a file and stand-ins for
the compiler and its tools: nothing is downloaded or compiled.

    python3 tests/packaging/windows_test.py [-f] [CLASS[.TEST]]
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ["headers", "fmt", "utf8proc", "pcre2", "libyaml", "sqlite3", "sentencepiece", "curl", "libarchive",
             "googletest", "vips"]
TOOLS = ["x86_64-w64-mingw32-g++-posix", "gendef", "cmake", "ninja", "tclsh", "patch", "dpkg-query"]


class Dependencies(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.prefix = self.folder / "prefix"
        self.scripts = self.folder / "checkout" / "packaging" / "windows"
        self.scripts.mkdir(parents=True)
        shutil.copy(ROOT / "packaging/windows/dependencies.sh", self.scripts)
        (self.scripts / "../cmake").mkdir()
        (self.scripts / "../cmake/windows.cmake").write_text("")
        (self.folder / "bin").mkdir()
        for name in TOOLS:
            self.write_tool(name, 'echo "$(basename "$0") 1"')
        self.recipes = {name: f"echo {name} >$stage/{name}.txt" for name in LIBRARIES}
        self.make_source("fmt", "of fmt")

    def write_tool(self, name, body):
        program = self.folder / "bin" / name
        program.write_text(f"#!/usr/bin/env bash\n{body}\n")
        program.chmod(0o755)

    def make_source(self, name, text):
        """An archive that is already downloaded, so that no mirror is asked."""
        downloads = self.prefix / ".downloads"
        downloads.mkdir(parents=True, exist_ok=True)
        (self.folder / "text").write_text(text)
        with tarfile.open(downloads / f"{name}.tar", "w") as archive:
            archive.add(self.folder / "text", arcname=f"{name}-1/text")
        sha256 = hashlib.sha256((downloads / f"{name}.tar").read_bytes()).hexdigest()
        (self.scripts / "sources.txt").write_text(f"# a comment\n{name}  {sha256}  f/{name}.tar\n")

    def run_script(self, *arguments, **variables):
        lines = ["vips_wheel=1", "vips_sha256=2", "windows_glibconfig() { :; }"]
        lines += [f"recipe_{name}() {{ {body}; }}" for name, body in self.recipes.items()]
        (self.scripts / "recipes.sh").write_text("\n".join(lines) + "\n")
        environment = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}",
                           MANTISSA_WINDOWS_PREFIX=str(self.prefix), JOBS="1", **variables)
        run = subprocess.run(["bash", self.scripts / "dependencies.sh", *arguments], env=environment,
                             text=True, check=False, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=120)
        return run.returncode, run.stdout

    def built(self, said):
        return [line.split(": ")[1] for line in said.splitlines() if line.endswith(" s")]

    def test_a_second_run_builds_nothing(self):
        code, said = self.run_script("engine")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.built(said), LIBRARIES)
        self.assertEqual((self.prefix / "vips.txt").read_text(), "vips\n")
        code, said = self.run_script("engine")
        self.assertEqual((code, self.built(said)), (0, []), said)

    def test_only_what_changed_is_built_again(self):
        self.run_script("engine")
        self.recipes["libyaml"] = "echo >$stage/other.txt"
        code, said = self.run_script("engine")
        self.assertEqual((code, self.built(said)), (0, ["libyaml"]), said)
        self.assertFalse((self.prefix / "libyaml.txt").exists(), "a file of the earlier build stayed")
        self.assertTrue((self.prefix / "other.txt").exists())
        self.make_source("fmt", "of another fmt")
        code, said = self.run_script("engine")
        self.assertEqual((code, self.built(said)), (0, ["fmt"]), said)

    def test_what_one_mirror_lacks_another_has(self):
        mirrors = {name: f"copy:{self.folder / name}" for name in ("DEBIAN_MIRROR", "UBUNTU_MIRROR")}
        kept = self.prefix / ".downloads/fmt.tar"
        there = self.folder / "UBUNTU_MIRROR/pool/universe/f"
        there.mkdir(parents=True)
        moved = kept.rename(there / "fmt.tar")
        code, said = self.run_script("engine", **mirrors)
        self.assertEqual((code, self.built(said)), (0, LIBRARIES), said)
        kept.unlink()
        moved.write_bytes(moved.read_bytes() + b"more")
        self.recipes["fmt"] = "true"
        code, said = self.run_script("engine", **mirrors)
        self.assertEqual(code, 1, said)
        self.assertIn("fmt: fmt.tar could not be fetched from copy:", said)
        self.assertFalse(kept.exists(), "a file with another hash stayed")

    def test_the_key_follows_the_recipes_the_sources_and_the_compiler(self):
        keys = [self.run_script("key", "engine")]
        self.assertEqual(keys[0], self.run_script("key", "engine"))
        self.recipes["vips"] = "true"
        keys.append(self.run_script("key", "engine"))
        self.make_source("fmt", "of another fmt")
        keys.append(self.run_script("key", "engine"))
        self.write_tool("x86_64-w64-mingw32-g++-posix", "echo 2")
        keys.append(self.run_script("key", "engine"))
        self.assertEqual(len(set(keys)), 4, keys)
        self.assertFalse((self.prefix / ".parts").exists(), "a key builds nothing")

    def test_a_failure_is_one_line_and_what_was_built_stays(self):
        self.recipes["utf8proc"] = "logged bash -c 'echo fatal error: no such thing; exit 1'"
        code, said = self.run_script("engine")
        self.assertEqual(code, 1, said)
        self.assertEqual(self.built(said), ["headers", "fmt"])
        self.assertIn("dependencies: utf8proc: bash failed: fatal error: no such thing (all of it: ",
                      said.splitlines()[-1])
        self.recipes["utf8proc"] = "true"
        code, said = self.run_script("engine")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.built(said), LIBRARIES[2:])

    def test_pkgconfig_files_are_relative_to_themselves(self):
        self.recipes["sentencepiece"] = "write_pkgconfig sentencepiece 1 -lsentencepiece"
        code, said = self.run_script("engine")
        self.assertEqual(code, 0, said)
        text = (self.prefix / "lib/pkgconfig/sentencepiece.pc").read_text()
        self.assertIn("prefix=${pcfiledir}/../..\n", text)
        self.assertNotIn(str(self.prefix), text)

    def test_a_missing_package_is_named(self):
        self.write_tool("dpkg-query", 'case " $* " in *" libvips-dev "*) exit 1 ;; esac')
        code, said = self.run_script("engine")
        self.assertEqual(code, 1, said)
        self.assertIn("libvips-dev is not installed; apt-get install libvips-dev", said)

    def test_an_unknown_word_is_refused(self):
        for words in ([], ["qt"], ["key"]):
            code, said = self.run_script(*words)
            self.assertEqual(code, 1, said)
            self.assertIn("expects engine or all", said)


if __name__ == "__main__":
    unittest.main()
