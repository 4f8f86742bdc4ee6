"""Tests of release.py on a folder of stand-ins for packages, and of the workflow's commands.

    python3 tests/packaging/release_test.py
"""
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import release  # noqa: E402

BILLS = {"linux": b'{"spdxVersion": "SPDX-2.3", "name": "linux"}', "windows": b'{"name": "windows"}'}


class Release(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.source = pathlib.Path(holder.name) / "source"
        self.dist = pathlib.Path(holder.name) / "dist"
        (self.source / "resources/docs/reference").mkdir(parents=True)
        self.dist.mkdir()
        (self.source / "CMakeLists.txt").write_text("project(mantissa VERSION 1.2.0 LANGUAGES CXX)\n")
        self.changelog("1.2.0, 2026-12-01")
        _, deb, _, setup = (self.dist / name for name in release.package_names("1.2.0"))
        self.pack("75,80,86,89,90,120", "75,80,86,89,90,120")
        deb.write_bytes(b"deb")
        setup.write_bytes(b"exe")

    def pack(self, linux_cards, windows_cards):
        """The packages with bills, and CUDA libraries compiled for those cards."""
        archive, _, packed, _ = (self.dist / name for name in release.package_names("1.2.0"))
        with tarfile.open(archive, "w:gz") as out:
            for name, content in (("share/doc/mantissa/mantissa.spdx.json", BILLS["linux"]),
                                  ("lib/libmantissa_cuda.so", b"code\0" + linux_cards.encode() + b"\0more")):
                member = tarfile.TarInfo(f"mantissa/{name}")
                member.size = len(content)
                out.addfile(member, io.BytesIO(content))
        with zipfile.ZipFile(packed, "w") as out:
            out.writestr("Mantissa/share/doc/mantissa/mantissa.spdx.json", BILLS["windows"])
            out.writestr("Mantissa/bin/mantissa_cuda.dll", b"code\0" + windows_cards.encode() + b"\0more")

    def changelog(self, heading):
        (self.source / release.CHANGELOG).write_text(
            f"# Changes\n\nWords.\n\n## {heading}\n\n- New.\n\n## 1.1.0, 2026-11-01\n\n- Old.\n")

    def run_release(self, *more, **environment):
        environment = {"MANTISSA_CUDA_ARCHITECTURES": "", **environment}
        run = subprocess.run([sys.executable, ROOT / "packaging/release.py", self.dist, "--source", self.source, *more],
                             text=True, check=False, capture_output=True, env={**os.environ, **environment})
        return run.returncode, run.stdout + run.stderr

    def written(self):
        return {file.name for file in self.dist.iterdir()} - set(release.package_names("1.2.0"))

    def test_a_package_without_code_for_every_card_is_no_release(self):
        for linux, windows, named in (("80,90", "75,80,86,89,90,120", "linux-x86_64.tar.gz: libmantissa_cuda.so"),
                                      ("75,80,86,89,90,120", "80,90", "windows-x64.zip: mantissa_cuda.dll")):
            self.pack(linux, windows)
            code, said = self.run_release()
            self.assertNotEqual(code, 0)
            self.assertIn(f"{named} isn't compiled for 75;80;86;89;90;120", said)
            self.assertEqual(self.written(), set())
        self.pack("90", "90")
        code, said = self.run_release(MANTISSA_CUDA_ARCHITECTURES="90")
        self.assertEqual(code, 0, said)

    def test_sums_bills_and_notes_stand_beside_the_packages(self):
        code, said = self.run_release("--tag", "v1.2.0")
        self.assertEqual(code, 0, said)
        self.assertEqual((self.dist / "release-notes.md").read_text(), "- New.\n")
        for system, machine in (("linux", "x86_64"), ("windows", "x64")):
            self.assertEqual((self.dist / f"mantissa-1.2.0-{system}-{machine}.spdx.json").read_bytes(), BILLS[system])
        sums = dict(reversed(line.split("  ")) for line in (self.dist / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(set(sums), {file.name for file in self.dist.iterdir()} - {"SHA256SUMS", "release-notes.md"})
        for name, digest in sums.items():
            self.assertEqual(digest, hashlib.sha256((self.dist / name).read_bytes()).hexdigest())
        checked = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=self.dist, check=False,
                                 capture_output=True)
        self.assertEqual(checked.returncode, 0)

    def test_another_tag_is_refused(self):
        code, said = self.run_release("--tag", "v1.3.0")
        self.assertNotEqual(code, 0)
        self.assertIn("the tag is v1.3.0, but CMakeLists.txt has version 1.2.0: tag v1.2.0", said)
        self.assertEqual(self.written(), set())

    def test_a_tag_needs_a_date_and_a_rehearsal_does_not(self):
        self.changelog("1.2.0, not released yet")
        code, said = self.run_release("--tag", "v1.2.0")
        self.assertNotEqual(code, 0)
        self.assertIn("write '1.2.0, YEAR-MONTH-DAY' before the tag", said)
        self.assertEqual(self.written(), set())
        self.assertEqual(self.run_release()[0], 0)

    def test_a_missing_package_is_named(self):
        (self.dist / "mantissa_1.2.0_amd64.deb").unlink()
        code, said = self.run_release()
        self.assertNotEqual(code, 0)
        self.assertIn("lacks mantissa_1.2.0_amd64.deb", said)
        self.assertEqual(self.written(), set())

    def test_a_package_without_its_bill_is_named(self):
        zipfile.ZipFile(self.dist / "mantissa-1.2.0-windows-x64.zip", "w").close()
        code, said = self.run_release()
        self.assertNotEqual(code, 0)
        self.assertIn("mantissa-1.2.0-windows-x64.zip holds no mantissa.spdx.json", said)
        self.assertEqual(self.written(), set())


class OfThisProject(unittest.TestCase):
    def test_the_changelog_has_a_chapter_of_the_version(self):
        self.assertTrue(release.release_notes(ROOT, release.project_version(ROOT), dated=False))

    def test_the_workflow_calls_what_is_there(self):
        workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
        scripts = re.findall(r"(?:bash|python3) (packaging/\S+)", workflow)
        self.assertEqual(scripts, ["packaging/bootstrap.sh", "packaging/release.py"])
        for script in scripts:
            self.assertTrue((ROOT / script).is_file(), script)


if __name__ == "__main__":
    unittest.main()
