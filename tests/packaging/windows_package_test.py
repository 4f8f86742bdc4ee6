"""Tests of packaging/windows/package.sh: what the zip and the installer hold, and that they work under
Wine where they are unpacked and installed. They take minutes.

    python3 tests/packaging/windows_package_test.py BUILD_DIR [-v] [CLASS[.TEST]]

The installer and the studio are tested where BUILD_DIR has the studio. Wine's files for these tests are
kept in BUILD_DIR/package-wine for the next time.
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
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRIPLET = "x86_64-w64-mingw32"
WINE_LIBRARIES = pathlib.Path("/usr/lib/x86_64-linux-gnu/wine/x86_64-windows")
OF_CUDA = {"cudart64_13.dll", "cublaslt64_13.dll", "cudnn64_9.dll"}  # of the user's installation
NOT_IN_WINE = {"bcryptprimitives.dll"}  # of Windows; wine.sh has a stand-in
LOADED_LATER = ["mantissa_cuda.dll", "nvcuda.dll", "cudart64_13.dll", "cublas64_13.dll", "cublasLt64_13.dll",
                "cudnn64_9.dll", "nvrtc64_130_0.dll", "nvml.dll", "platforms/qwindows.dll",
                "styles/qwindowsvistastyle.dll", "imageformats/qjpeg.dll", "vips-modules-8.18/vips-heif.dll"]
CLASSES = r"HKCU\Software\Classes"
build = pathlib.Path("build-windows/build")


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, check=False, encoding="utf-8",
                          errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} exits with {done.returncode}:\n{done.stdout}")
    return done.stdout


def windows_path(path):
    return "Z:" + str(path).replace("/", "\\")


def wine_environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("MANTISSA_")}
    return {**kept, "WINEPREFIX": str((build / "package-wine").resolve()), "ALONE": "1", **more}


def wine(*command, cwd=None, timeout=900, **variables):
    """Runs a program of Windows that finds no library but its own and Windows'."""
    return run("bash", ROOT / "packaging/windows/wine.sh", *command, cwd=cwd, timeout=timeout,
               env=wine_environment(**variables))


def hostile_folder(folder):
    """One full of fakes of every library that the programs might load."""
    hostile = folder / "hostile"
    run(f"{TRIPLET}-gcc-posix", "-shared", "-O1", pathlib.Path(__file__).with_name("hostile_library.c"),
        "-o", folder / "fake.dll")
    names = set(LOADED_LATER)
    for path in programs_and_libraries(Holder.unpacked()):
        names.update(imports(path))
    for name in sorted(names - NOT_IN_WINE):
        file = hostile / name
        file.parent.mkdir(parents=True, exist_ok=True)
        os.link(folder / "fake.dll", file)
    return hostile


def loaded(hostile):
    return sorted(path.name for path in hostile.rglob("*.loaded"))


class Holder:
    """The packages, made once for all tests."""
    folder = None
    studio = False

    @classmethod
    def make(cls, folder):
        outputs = [folder / "mantissa.zip"]
        if cls.studio:
            outputs.append(folder / "mantissa.exe")
        run("bash", ROOT / "packaging/windows/package.sh", build, *outputs)

    @classmethod
    def packages(cls):
        if cls.folder is None:
            cls.studio = (build / "bin/mantissa-studio.exe").exists()
            cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="mantissa-packages-"))
            atexit.register(shutil.rmtree, cls.folder)
            cls.make(cls.folder)
            with zipfile.ZipFile(cls.folder / "mantissa.zip") as archive:
                archive.extractall(cls.folder / "Größe 日本")
        return cls.folder

    @classmethod
    def unpacked(cls):
        return cls.packages() / "Größe 日本" / "Mantissa"


def programs_and_libraries(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".dll", ".exe"))


def imports(path):
    return re.findall(r"DLL Name: (\S+)", run(f"{TRIPLET}-objdump", "-p", path))


def protections(path):
    """DllCharacteristics of a PE file."""
    content = path.read_bytes()
    header, = struct.unpack_from("<I", content, 0x3C)
    flags, = struct.unpack_from("<H", content, header + 24 + 70)
    return {name for name, bit in (("high-entropy-va", 0x20), ("dynamicbase", 0x40), ("nxcompat", 0x100))
            if flags & bit}


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Holder.unpacked()
        cls.bill = json.loads((cls.folder / "share/doc/mantissa/mantissa.spdx.json").read_text())

    def test_the_same_commit_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as again:
            Holder.make(pathlib.Path(again))
            for file in pathlib.Path(again).iterdir():
                self.assertTrue(filecmp.cmp(file, Holder.packages() / file.name, shallow=False), file.name)

    def test_every_library_is_beside_the_program_or_of_windows(self):
        beside = {path.name.lower() for path in self.folder.glob("bin/*.dll")}
        of_windows = {path.name.lower() for path in WINE_LIBRARIES.iterdir()} | NOT_IN_WINE
        of_windows -= {"zlib1.dll"}  # Wine's own
        for path in programs_and_libraries(self.folder):
            of_cuda = OF_CUDA if path.name == "mantissa_cuda.dll" else set()
            for name in map(str.lower, imports(path)):
                known = name in beside | of_windows | of_cuda or name.startswith("api-ms-win-")
                self.assertTrue(known, f"{path.name} needs {name}")

    def test_addresses_are_random_and_data_is_no_code(self):
        for path in programs_and_libraries(self.folder):
            if path.name.startswith("mantissa"):
                self.assertEqual(protections(path), {"high-entropy-va", "dynamicbase", "nxcompat"}, path.name)

    def test_vectors_need_no_alignment(self):
        """Windows aligns stacks to 16 bytes, so that a move of 32 or 64 aligned bytes may end a program."""
        disassemble = subprocess.Popen(
            [f"{TRIPLET}-objdump", "-d", "--no-show-raw-insn", self.folder / "bin/mantissa.exe"],
            stdout=subprocess.PIPE, text=True)
        wide, aligned = 0, []
        with disassemble.stdout as lines:
            for line in lines:
                if "mm" in line and re.search("%[yz]mm", line):
                    wide += 1
                    if re.search(r"vmov(ap[sd]|dqa(32|64)?)\s.*\(", line) and "(%rip)" not in line:
                        aligned.append(line.strip())
        self.assertEqual(disassemble.wait(), 0)
        self.assertGreater(wide, 100000)
        self.assertEqual(aligned[:5], [])

    def test_presets_demo_vocabulary_and_licence_are_there(self):
        share = self.folder / "share/mantissa"
        for folder, of in (("presets", ROOT / "presets"), ("demo/images", ROOT / "resources/demo/images"),
                           ("demo/mini-z-image", ROOT / "resources/demo/mini-z-image")):
            self.assertEqual({p.name for p in (share / folder).iterdir()}, {p.name for p in of.iterdir()})
        for file in ("demo/mini-sdxl.safetensors", "bpe_simple_vocab_16e6.txt.gz"):
            self.assertTrue((share / file).is_file(), file)
        self.assertTrue(filecmp.cmp(self.folder / "share/doc/mantissa/LICENSE", ROOT / "LICENSE"))
        if Holder.studio:
            self.assertEqual(len(list((share / "i18n").glob("*.qm"))), 3)
            self.assertTrue((self.folder / "bin/platforms/qwindows.dll").is_file())

    def test_the_bill_lists_every_file_of_code_as_it_is(self):
        listed = {entry["fileName"]: checksum["checksumValue"] for entry in self.bill["files"]
                  for checksum in entry["checksums"] if checksum["algorithm"] == "SHA256"}
        for path in programs_and_libraries(self.folder):
            name = f"./{path.relative_to(self.folder).as_posix()}"
            self.assertEqual(listed.pop(name), hashlib.sha256(path.read_bytes()).hexdigest(), name)
        self.assertEqual(listed, {})

    def test_every_package_of_the_bill_has_its_terms(self):
        named = {package["name"]: package.get("licenseComments") for package in self.bill["packages"]}
        self.assertIsNone(named.pop("Mantissa"))
        self.assertEqual("qt" in named, Holder.studio)
        self.assertGreater(len(named), 12)
        for name, terms in named.items():
            found = [p for p in (self.folder / terms).rglob("*") if p.is_file() and p.stat().st_size > 200]
            self.assertTrue(found, f"{name}: {terms}")
        for text in ("LGPL-2.1", "LGPL-3", "GPL-3", "Apache-2.0", "MPL-2.0"):
            self.assertTrue((self.folder / f"licenses/{text}.txt").is_file(), text)
        self.assertIn(b"\r\n", (self.folder / "NOTICES.txt").read_bytes())


class Running(unittest.TestCase):
    """In a folder with a name in several scripts, with no library but the package's."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.program = Holder.unpacked() / "bin/mantissa.exe"

    def mantissa(self, *arguments, program=None, cwd=None):
        return wine(program or self.program, *arguments, cwd=cwd,
                    MANTISSA_HOME=windows_path(self.folder / "home"))

    def train(self, cwd=None):
        self.mantissa("train", "demo", "--base", "demo", "--images", "demo", "--device", "cpu", "--out",
                      windows_path(self.folder / "run"), "--set", "training.steps=2", "--set",
                      "samples.every=2", cwd=cwd)
        self.assertEqual(len(list((self.folder / "run").glob("*.safetensors"))), 1)

    def test_it_tells_its_version_and_trains(self):
        version = re.search(r"\(mantissa VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(version, self.mantissa("--version"))
        self.train()

    def test_no_library_is_taken_from_the_current_folder(self):
        hostile = hostile_folder(self.folder)
        self.mantissa("--version", cwd=hostile)
        self.mantissa("devices", cwd=hostile)
        self.train(cwd=hostile)
        self.assertEqual(loaded(hostile), [])

    def test_a_fake_is_noticed_where_it_is_found(self):
        hostile = hostile_folder(self.folder)
        incomplete = self.folder / "incomplete"
        shutil.copytree(Holder.unpacked() / "bin", incomplete)
        (incomplete / "libwinpthread-1.dll").unlink()
        with contextlib.suppress(AssertionError):  # nothing else is expected of a fake
            self.mantissa("--version", program=incomplete / "mantissa.exe", cwd=hostile)
        self.assertEqual(loaded(hostile), ["libwinpthread-1.dll.loaded"])


def tree(folder):
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if not p.is_dir()}


class Installer(unittest.TestCase):
    """Silent, as administrators of many machines do it; what it asks others is the folder alone."""

    @classmethod
    def setUpClass(cls):
        Holder.packages()
        if not Holder.studio:
            raise unittest.SkipTest("the studio is not built, so there is no installer")
        wine("cmd", "/c", "exit")
        cls.drive = (build / "package-wine/drive_c").resolve()

    def places(self):
        """Everything a user has: files and the settings of the registry."""
        (user,) = [f for f in (self.drive / "users").iterdir() if f.name != "Public"]
        file = build / "package-wine/exported.reg"
        wine("reg", "export", r"HKCU\Software", windows_path(file.resolve()), "/y")
        keys = set(file.read_text("utf-16").splitlines())
        return user / "AppData", tree(user), keys

    def install(self, folder, *arguments):
        self.addCleanup(self.uninstall, folder)  # also after a failure
        wine(Holder.packages() / "mantissa.exe", "/S", *arguments)

    def value(self, key, *name):
        return wine("reg", "query", key, *(("/v", *name) if name else ("/ve",)))

    def uninstall(self, folder):
        if not (folder / "uninstall.exe").exists():
            return
        wine(folder / "uninstall.exe", "/S")  # starts a copy of itself and ends
        deadline = time.monotonic() + 180
        while ((folder / "uninstall.exe").exists() or self.opens_json()) and time.monotonic() < deadline:
            time.sleep(1)

    def restart(self):
        """As of the machine: the copy of the uninstaller that ran, which the system deletes then, is
        the one thing left."""
        subprocess.run(["/usr/lib/wine/wineserver64", "-k"], env=wine_environment(), check=True)

    def opens_json(self):
        """Whether the entry is there that uninstalling takes back last (installer.nsi)."""
        try:
            return bool(self.value(CLASSES + r"\.json\OpenWithProgids", "Mantissa.Preset"))
        except AssertionError:
            return False

    def check(self, folder, *arguments):
        data, files, keys = self.places()
        self.install(folder, *arguments)
        self.assertEqual(tree(folder), tree(Holder.unpacked()) | {"uninstall.exe"})
        program = self.value(CLASSES + r"\Mantissa.Preset\shell\open\command")
        self.assertIn(r'bin\mantissa-studio.exe" "%1"', program)
        self.assertIn("Mantissa.Preset", self.value(CLASSES + r"\.mantissa-preset"))
        links = list(data.rglob("Mantissa.lnk"))
        self.assertEqual(len(links), 1)
        self.assertIn("mantissa-studio.exe".encode("utf-16-le"), links[0].read_bytes())
        self.assertIn("cpu ", wine(folder / "bin/mantissa.exe", "devices"))  # writes what users keep
        self.install(folder, *arguments)  # the same again, over it
        self.assertEqual(tree(folder), tree(Holder.unpacked()) | {"uninstall.exe"})
        (folder / "mine.txt").write_text("a file that a user put there")
        self.uninstall(folder)
        self.assertEqual(tree(folder), {"mine.txt"})
        shutil.rmtree(folder)
        self.restart()
        _, files_after, keys_after = self.places()
        self.assertEqual({f for f in files_after - files if "/Local/Mantissa/" not in f and
                          "/Local/Temp/" not in f}, set())
        self.assertEqual(files - files_after, set())
        self.assertEqual({k for k in keys_after ^ keys if "Mantissa" in k}, set())

    def test_in_the_users_programs(self):
        data, _, _ = self.places()
        self.check(data / "Local/Programs/Mantissa")

    def test_in_a_folder_of_ones_own(self):
        # Without a space: NSIS takes no quotes here, which Wine would add.
        self.check(self.drive / "Größe日本/Mantissa", r"/D=C:\Größe日本\Mantissa")

    def test_not_over_a_running_program(self):
        folder = self.drive / "running"
        self.install(folder, r"/D=C:\running")
        before = tree(folder)
        studio = subprocess.Popen(["bash", str(ROOT / "packaging/windows/wine.sh"),
                                   str(folder / "bin/mantissa.exe"), "demo", "--out", r"C:\running-demo"],
                                  env=wine_environment(), stdout=subprocess.PIPE, text=True)
        try:
            studio.stdout.readline()  # it runs
            for refused in ([Holder.packages() / "mantissa.exe", "/S", r"/D=C:\running"],
                            [folder / "uninstall.exe", "/S", r"_?=C:\running"]):
                with self.assertRaisesRegex(AssertionError, "exits with 2"):
                    wine(*refused)
            self.assertEqual(tree(folder), before)
        finally:
            studio.kill()
            studio.stdout.close()
            studio.wait()
        time.sleep(2)  # Wine's server notices
        self.uninstall(folder)
        self.assertFalse(folder.exists())


def corner(image):
    """Red, green and blue of a PNG file's first pixel, which no filter of its rows changes."""
    data, at, packed = image.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    return tuple(zlib.decompress(packed)[1:4])


@unittest.skipUnless(shutil.which("Xvfb") and shutil.which("xwininfo"), "needs Xvfb and xwininfo")
class Studio(unittest.TestCase):
    def setUp(self):
        self.program = Holder.unpacked() / "bin/mantissa-studio.exe"
        if not Holder.studio:
            self.skipTest("the studio is not built")
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        read, write = os.pipe()
        screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1200x24"],
                                  pass_fds=[write], stderr=subprocess.DEVNULL)
        self.addCleanup(screen.wait)
        self.addCleanup(screen.terminate)
        os.close(write)
        with os.fdopen(read) as file:
            self.display = f":{file.readline().strip()}"

    def studio(self, *arguments, cwd=None):
        return wine(self.program, *arguments, cwd=cwd, DISPLAY=self.display, timeout=600,
                    MANTISSA_HOME=windows_path(self.folder / "home"))

    def pages(self, name, *arguments):
        out = self.folder / name
        self.studio("--base", "demo", "--images", "demo", *arguments, "--screenshots", windows_path(out))
        return out

    def test_every_page_is_drawn(self):
        out = self.pages("pages", "--lang", "ja")
        pages = list(out.glob("*.png"))
        self.assertGreater(len(pages), 5)
        for page in pages:
            self.assertGreater(page.stat().st_size, 15000, f"{page.name} holds next to nothing")
        if keep := os.environ.get("SCREENSHOTS"):
            shutil.copytree(out, keep, dirs_exist_ok=True)

    def test_it_is_dark_where_windows_is(self):
        key = (r"HKCU\Software\Microsoft\Windows\CurrentVersion\Themes\Personalize", "/v", "AppsUseLightTheme")
        looks = {theme: corner(self.pages(theme, "--theme", theme) / "setup.png") for theme in ("light", "dark")}
        self.assertGreater(min(looks["light"]), 200, looks)
        self.assertLess(max(looks["dark"]), 60, looks)
        self.addCleanup(wine, "reg", "delete", *key, "/f")
        for value, theme in ((0, "dark"), (1, "light")):
            wine("reg", "add", *key, "/t", "REG_DWORD", "/d", str(value), "/f")
            self.assertEqual(corner(self.pages(f"system {value}") / "setup.png"), looks[theme], f"not {theme}")

    def test_no_library_is_taken_from_the_current_folder(self):
        hostile = hostile_folder(self.folder)
        self.assertRegex(self.studio("--startup-time", cwd=hostile), r"(?m)^\d+$")
        self.assertEqual(loaded(hostile), [])

    def test_a_mistake_at_the_start_is_told(self):
        with self.assertRaisesRegex(AssertionError, "there is no translation for --lang xx"):
            self.studio("--lang", "xx")

    @contextlib.contextmanager
    def open_studio(self, *arguments):
        """Yields a function that waits until a window with these words in its title is there."""
        studio = subprocess.Popen(["bash", str(ROOT / "packaging/windows/wine.sh"), str(self.program), *arguments],
                                  env=wine_environment(DISPLAY=self.display, MANTISSA_HOME=windows_path(
                                      self.folder / "home")), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)

        def wait_for(title):
            deadline, shown = time.monotonic() + 120, ""
            while title not in shown and time.monotonic() < deadline:
                time.sleep(1)
                self.assertIsNone(studio.poll(), "the studio ended")
                shown = run("xwininfo", "-root", "-tree", "-display", self.display)
            self.assertIn(title, shown)
        try:
            yield wait_for
        finally:
            studio.kill()
            studio.wait()

    def test_the_window_opens(self):
        with self.open_studio() as wait_for:
            wait_for("Mantissa")

    def test_a_preset_opens_in_the_studio_that_runs(self):
        preset = self.folder / "double clicked.mantissa-preset"
        settings = json.loads((ROOT / "presets/demo.json").read_text())
        preset.write_text(json.dumps({**settings, "name": "Double clicked"}))
        with self.open_studio("demo") as wait_for:
            wait_for("Mantissa")
            self.studio(windows_path(preset))  # ends at once
            wait_for("Double clicked")


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        build = pathlib.Path(sys.argv.pop(1))
    unittest.main()
