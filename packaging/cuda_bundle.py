"""Unpacks NVIDIA's libraries into a package, where the program finds them without an installation.

    python3 packaging/cuda_bundle.py linux-x64|windows-x64 FOLDER [WHEELS]

FOLDER is the package's share/mantissa. WHEELS is a folder in which the wheels are, or are downloaded
to; without it they are downloaded and thrown away. Each must have the SHA-256 of
resources/cuda_libraries.json. What is written is what `mantissa cuda install` writes: the libraries,
and the terms of each wheel under licenses.
"""
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

TABLE = pathlib.Path(__file__).resolve().parents[1] / "resources/cuda_libraries.json"
# As engine/toolkit/installed.h has it.
NAME = "cuda-libraries"


def rows(platform, table=TABLE):
    found = [row for row in json.loads(table.read_text())["wheels"] if row["platform"] == platform]
    return found or sys.exit(f"cuda_bundle.py: {table} has no libraries for '{platform}'; "
                             "linux-x64 or windows-x64 is expected")


def folder_name(wheels):
    """LibraryTable::id of engine/toolkit."""
    return hashlib.sha256("".join(row["sha256"] for row in wheels).encode()).hexdigest()[:12]


def obtained(row, index, wheels):
    """The wheel's path in the folder, downloaded if it isn't there."""
    path = wheels / row["file"]
    if not path.exists():
        platform = row["file"].removesuffix(".whl").split("-")[-1]
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
                        "--no-deps", "--only-binary=:all:", "--index-url", index, "--dest", wheels,
                        *(f"--platform={name}" for name in platform.split(".")),
                        f"{row['package']}=={row['version']}"], check=True)
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != row["sha256"]:
        sys.exit(f"cuda_bundle.py: {path} has SHA-256 {found}, expected {row['sha256']}: remove it, and it is "
                 "downloaded again")
    return path


def unpack(row, wheel, folder):
    members = {member: folder / pathlib.PurePosixPath(member).name for member in row["libraries"]}
    members[row["terms"]] = folder / "licenses" / f"{row['package']}.txt"
    with zipfile.ZipFile(wheel) as archive:
        for member, target in members.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, open(target, "wb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)


def describe(bill, platform, table=TABLE):
    """Lists what a bill's folder has of them: each wheel as a package, its libraries and terms."""
    wanted = rows(platform, table)
    target = f"share/mantissa/{NAME}/{folder_name(wanted)}"
    if not (bill.folder / target).is_dir():
        return
    for row in wanted:
        terms = f"{target}/licenses/{row['package']}.txt"
        licence = bill.licence(row["licence"], (bill.folder / terms).read_text(encoding="utf-8"))
        made = bill.package(row["package"], row["version"], licence, licenseComments=terms,
                            sourceInfo=f"wheel {row['file']}",
                            checksums=[{"algorithm": "SHA256", "checksumValue": row["sha256"]}])
        bill.relate(bill.product, "CONTAINS", made)
        for member in row["libraries"]:
            bill.file(f"{target}/{pathlib.PurePosixPath(member).name}", made)


def main(platform, folder, wheels=None, table=TABLE):
    wanted = rows(platform, table)
    target = folder / NAME / folder_name(wanted)
    index = json.loads(table.read_text())["index"]
    with tempfile.TemporaryDirectory() as thrown_away:
        kept = pathlib.Path(wheels or thrown_away)
        kept.mkdir(parents=True, exist_ok=True)
        for row in wanted:
            unpack(row, obtained(row, index, kept), target)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"cuda_bundle.py: {target}, {size / 1e9:.2f} GB")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1], pathlib.Path(sys.argv[2]), *map(pathlib.Path, sys.argv[3:]))
