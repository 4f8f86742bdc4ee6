"""Tests of packaging/cuda_bundle.py on small wheels of our own: nothing is downloaded.

    python3 tests/packaging/cuda_bundle_test.py
"""
import contextlib
import hashlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import cuda_bundle  # noqa: E402
from spdx import Bill  # noqa: E402

LIBRARIES = {"one": {"one/lib/libone.so.1": b"one", "one/lib/libhalf.so.1": b"half"},
             "two": {"two/bin/libtwo.so.2": b"two, longer"}}


class CudaBundle(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.wheels = self.folder / "wheels"
        self.wheels.mkdir()
        self.table = self.folder / "table.json"
        rows = [self.wheel(name, files) for name, files in LIBRARIES.items()]
        self.table.write_text(json.dumps({"index": "file:///nowhere", "wheels": rows}))
        self.target = self.folder / "package/share/mantissa" / cuda_bundle.NAME / cuda_bundle.folder_name(rows)

    def wheel(self, name, libraries):
        file = self.wheels / f"{name}-1.0-py3-none-linux_x86_64.whl"
        with zipfile.ZipFile(file, "w") as archive:
            for member, content in libraries.items():
                archive.writestr(member, content)
            archive.writestr(f"{name}/include/{name}.h", "not used")
            archive.writestr(f"{name}-1.0.dist-info/License.txt", f"terms of {name}")
        return {"platform": "linux-x64", "package": name, "version": "1.0", "file": file.name,
                "bytes": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
                "licence": "Shared terms" if name == "one" else "Own terms",
                "terms": f"{name}-1.0.dist-info/License.txt",
                "libraries": {member: len(content) for member, content in libraries.items()}}

    def bundle(self, platform="linux-x64"):
        with contextlib.redirect_stdout(io.StringIO()):
            cuda_bundle.main(platform, self.folder / "package/share/mantissa", self.wheels, self.table)

    def test_libraries_and_terms_lie_as_an_installation_has_them(self):
        self.bundle()
        found = {path.relative_to(self.target).as_posix(): path.read_bytes()
                 for path in self.target.rglob("*") if path.is_file()}
        wanted = {pathlib.PurePosixPath(member).name: content
                  for files in LIBRARIES.values() for member, content in files.items()}
        wanted.update({f"licenses/{name}.txt": f"terms of {name}".encode() for name in LIBRARIES})
        self.assertEqual(found, wanted)

    def test_another_file_of_that_name_is_refused(self):
        wheel = next(self.wheels.glob("two-*"))
        wheel.write_bytes(wheel.read_bytes() + b" ")
        with self.assertRaisesRegex(SystemExit, f"{wheel.name} has SHA-256 .*, expected"):
            self.bundle()
        with self.assertRaisesRegex(SystemExit, "no libraries for 'amiga'"):
            self.bundle("amiga")

    def test_the_bill_lists_them_with_their_terms(self):
        self.bundle()
        bill = Bill("name", self.folder / "package", "1", 0)
        cuda_bundle.describe(bill, "linux-x64", self.table)
        self.assertEqual({licence["name"]: licence["extractedText"] for licence in bill.licences},
                         {"Shared terms": "terms of one", "Own terms": "terms of two"})
        self.assertEqual({package["name"] for package in bill.packages}, {"Mantissa", *LIBRARIES})
        listed = {entry["fileName"].rsplit("/", 1)[1]: entry["checksums"][1]["checksumValue"] for entry in bill.files}
        self.assertEqual(listed["libtwo.so.2"], hashlib.sha256(b"two, longer").hexdigest())
        self.assertEqual(len(listed), 3)
        for package in bill.packages[1:]:
            self.assertTrue((self.folder / "package" / package["licenseComments"]).is_file())

    def test_a_package_without_them_has_none_in_its_bill(self):
        bill = Bill("name", self.folder, "1", 0)
        cuda_bundle.describe(bill, "linux-x64")
        self.assertEqual((len(bill.packages), bill.files), (1, []))


if __name__ == "__main__":
    unittest.main()
