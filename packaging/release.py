"""Completes a folder of packages to a release: checksums, bills of materials and release notes.

    python3 packaging/release.py dist [--tag v1.2.0]

Expects the four packages of `bootstrap.sh release` in the folder and writes SHA256SUMS,
mantissa-VERSION-linux-x86_64.spdx.json, mantissa-VERSION-windows-x64.spdx.json and release-notes.md,
the changelog's chapter of the version. With a tag, the tag must be the version's and the chapter
must have a date. Nothing is written if something is missing.
"""

import argparse
import hashlib
import pathlib
import re
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHANGELOG = "resources/docs/reference/changelog.md"
BILL = "mantissa.spdx.json"


def die(text):
    sys.exit(f"release: {text}")


def project_version(root):
    found = re.search(r"^project\(mantissa VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)
    return found.group(1) if found else die(f"{root / 'CMakeLists.txt'} has no project(mantissa VERSION …)")


def package_names(version):
    return [f"mantissa-{version}-linux-x86_64.tar.gz", f"mantissa_{version}_amd64.deb",
            f"mantissa-{version}-windows-x64.zip", f"mantissa-{version}-windows-x64.exe"]


def release_notes(root, version, dated):
    """The chapter of the version, without its heading."""
    chapters = re.split(r"^## ", (root / CHANGELOG).read_text(encoding="utf-8"), flags=re.M)[1:]
    for chapter in chapters:
        heading, _, text = chapter.partition("\n")
        if heading.split(",")[0].strip() == version:
            if dated and not re.search(r", \d{4}-\d{2}-\d{2}$", heading):
                die(f"{CHANGELOG} has '{heading}': write '{version}, YEAR-MONTH-DAY' before the tag")
            return text.strip() + "\n"
    return die(f"{CHANGELOG} has no chapter '## {version}, …'")


def linux_bill(archive):
    with tarfile.open(archive) as packed:
        for member in packed:
            if pathlib.PurePosixPath(member.name).name == BILL:
                return packed.extractfile(member).read()
    return die(f"{archive} holds no {BILL}")


def windows_bill(archive):
    with zipfile.ZipFile(archive) as packed:
        for name in packed.namelist():
            if pathlib.PurePosixPath(name).name == BILL:
                return packed.read(name)
    return die(f"{archive} holds no {BILL}")


def sha256(file):
    with open(file, "rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tag", help="the tag that is released")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    version = project_version(options.source)
    if options.tag is not None and options.tag != f"v{version}":
        die(f"the tag is {options.tag}, but CMakeLists.txt has version {version}: tag v{version}")
    packages = [options.folder / name for name in package_names(version)]
    missing = [package.name for package in packages if not package.is_file()]
    if missing:
        die(f"{options.folder} lacks {', '.join(missing)}: bash packaging/bootstrap.sh release makes them")
    notes = release_notes(options.source, version, options.tag is not None)
    files = {f"mantissa-{version}-linux-x86_64.spdx.json": linux_bill(packages[0]),
             f"mantissa-{version}-windows-x64.spdx.json": windows_bill(packages[2])}
    for name, content in files.items():
        (options.folder / name).write_bytes(content)
    summed = sorted([package.name for package in packages] + list(files))
    (options.folder / "SHA256SUMS").write_text(
        "".join(f"{sha256(options.folder / name)}  {name}\n" for name in summed), encoding="utf-8")
    (options.folder / "release-notes.md").write_text(notes, encoding="utf-8")
    print(f"release: {version} in {options.folder}: {len(packages)} packages, {len(files)} bills of materials, "
          "SHA256SUMS, release-notes.md")


if __name__ == "__main__":
    main()
