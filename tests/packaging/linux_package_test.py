"""Tests of packaging/linux/package.sh: what the packages hold, and that they work where they are
installed. They take minutes, and the second class needs root, a Debian mirror and debootstrap.

    python3 tests/packaging/linux_package_test.py BUILD_DIR [-v] [CLASS[.TEST]]

Chroots are kept in BUILD_DIR/chroots for the next time.
"""
import atexit
import contextlib
import filecmp
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GLIBC = (2, 36)
SUITES = ["bookworm", "trixie"]
build = pathlib.Path("build")


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} exits with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Holder:
    """The packages, made once for all tests."""
    folder = None

    @classmethod
    def packages(cls):
        if cls.folder is None:
            cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="mantissa-packages-"))
            atexit.register(shutil.rmtree, cls.folder)
            run("bash", ROOT / "packaging/linux/package.sh", build, cls.folder)
        return cls.folder

    @classmethod
    def file(cls, pattern):
        found = list(cls.packages().glob(pattern))
        assert len(found) == 1, found
        return found[0]


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        with tarfile.open(Holder.file("*.tar.gz")) as archive:
            archive.extractall(holder.name)
        cls.folder = pathlib.Path(holder.name) / "mantissa"
        cls.docs = cls.folder / "share/doc/mantissa"
        cls.bill = json.loads((cls.docs / "mantissa.spdx.json").read_text())

    def objects(self):
        return [path for path in self.folder.rglob("*")
                if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]

    def test_the_same_commit_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as again:
            run("bash", ROOT / "packaging/linux/package.sh", build, again)
            for file in Holder.packages().iterdir():
                self.assertTrue(filecmp.cmp(file, pathlib.Path(again) / file.name, shallow=False), file.name)

    def test_nothing_needs_a_newer_c_library(self):
        for path in self.objects():
            symbols = run("objdump", "-T", path)
            versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_(2\.\d+)", symbols)}
            self.assertLessEqual(max(versions, default=(2, 0)), GLIBC, path)

    def test_libraries_are_found_beside_the_programs(self):
        host = {line.split("(")[0].strip() for line in
                run("dpkg-deb", "--field", Holder.file("*.deb"), "Depends").split(",")}
        for path in self.objects():
            for line in run("ldd", path, env={**os.environ, "LD_LIBRARY_PATH": ""}).splitlines():
                found = re.search(r"(lib\S+) => (\S+)", line)
                if found is None or re.match("lib(cublas|cudnn|cuda)", found[1]):
                    continue
                if not found[2].startswith(str(self.folder)):
                    owner = self.owner(found[2])
                    self.assertIn(owner, host, f"{path} needs {found[1]} of {owner}")

    @staticmethod
    def owner(file):
        real = os.path.realpath(file)
        for path in (real, real.removeprefix("/usr")):
            found = subprocess.run(["dpkg-query", "--search", path], check=False, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if found.returncode == 0:
                return found.stdout.split(":")[0]
        return file

    def test_the_bill_lists_every_library_as_it_is(self):
        listed = {entry["fileName"]: checksum["checksumValue"] for entry in self.bill["files"]
                  for checksum in entry["checksums"] if checksum["algorithm"] == "SHA256"}
        ours = {"libmantissa_cuda.so"}
        for path in [*self.folder.rglob("*.so*"), *self.folder.rglob("*.otf")]:
            if path.name not in ours:
                name = f"./{path.relative_to(self.folder)}"
                self.assertEqual(listed.pop(name), hashlib.sha256(path.read_bytes()).hexdigest(), name)
        self.assertEqual(listed, {})

    def test_every_package_of_the_bill_has_its_licence(self):
        notices = (self.docs / "NOTICES.txt").read_text()
        checked = 0
        for package in self.bill["packages"]:
            if "licenseComments" in package:
                self.assertTrue((self.folder / package["licenseComments"]).is_file(), package["name"])
                self.assertIn(f"\n{package['name']} {package['versionInfo']} ", notices)
                checked += 1
        self.assertGreater(checked, 50)
        for text in ["LGPL-2.1", "LGPL-3", "GPL-3"]:
            self.assertTrue((self.docs / "licenses" / text).is_file(), text)

    def test_the_studio_has_its_languages(self):
        self.assertEqual(sorted(path.name for path in (self.folder / "share/mantissa/i18n").iterdir()),
                         [f"mantissa_{language}.qm" for language in ("en", "ja", "zh_CN")])

    def test_the_windows_font_has_its_licence(self):
        fonts = self.folder / "share/mantissa/fonts"
        self.assertEqual(sorted(path.name for path in fonts.glob("*.otf")),
                         [f"Inter-{face}.otf" for face in ("Bold", "Italic", "Regular", "SemiBold")])
        self.assertIn("OFL-1.1", (fonts / "LICENSE.txt").read_text())

    def test_shells_and_man_find_their_files(self):
        listing = run("dpkg-deb", "--contents", Holder.file("*.deb"))
        for name in ["usr/share/man/man1/mantissa.1.gz",
                     "usr/share/bash-completion/completions/mantissa",
                     "usr/share/zsh/vendor-completions/_mantissa",
                     "usr/share/fish/vendor_completions.d/mantissa.fish"]:
            self.assertIn(f"./{name}\n", listing)

    def test_the_desktop_finds_program_icon_and_type(self):
        listing = run("dpkg-deb", "--contents", Holder.file("*.deb"))
        for name in ["usr/bin/mantissa-studio -> /opt/mantissa/bin/mantissa-studio",
                     "usr/share/applications/mantissa-studio.desktop",
                     "usr/share/icons/hicolor/scalable/apps/mantissa.svg",
                     "usr/share/mime/packages/mantissa-preset.xml"]:
            self.assertIn(f"./{name}\n", listing)


@contextlib.contextmanager
def mounted(root):
    for kind, where in (("proc", "proc"), ("devtmpfs", "dev")):
        run("mount", "-t", kind, kind, root / where)
    try:
        yield
    finally:
        for where in ("dev", "proc"):
            run("umount", "--lazy", root / where)


@unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("debootstrap"),
                     "needs root and debootstrap")
class Installed(unittest.TestCase):
    """In minimal systems: nothing is there but what the package asks for."""

    def chroot(self, suite):
        root = build.resolve() / "chroots" / suite
        if not (root / "etc/apt/sources.list").exists() or not (root / "usr/bin/dpkg").exists():
            mirrors = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages")
            mirror = next(line for line in mirrors.splitlines() if "security" not in line)
            root.parent.mkdir(exist_ok=True)
            shutil.rmtree(root, ignore_errors=True)
            run("debootstrap", "--variant=minbase", suite, root, mirror)
        return root

    def check(self, suite):
        root = self.chroot(suite)
        shutil.copy(Holder.file("*.deb"), root / "tmp/mantissa.deb")
        shutil.copy(pathlib.Path(__file__).with_name("installed.sh"), root / "tmp")
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        with mounted(root):
            print(run("chroot", root, "bash", "/tmp/installed.sh", timeout=1200))

    def test_in_debian_12(self):
        self.check("bookworm")

    def test_in_debian_13(self):
        self.check("trixie")


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        build = pathlib.Path(sys.argv.pop(1))
    unittest.main()
