"""Completes a folder of packages to a release: checksums, bills of materials and release notes.

    python3 packaging/release.py dist [--tag v1.2.0]

Expects the four packages of `bootstrap.sh release` in the folder and writes SHA256SUMS,
mantissa-VERSION-linux-x86_64.spdx.json, mantissa-VERSION-windows-x64.spdx.json and release-notes.md,
the changelog's chapter of the version. With a tag, the tag must be the version's and the chapter
must have a date. The CUDA libraries must have code for every card, or for those that
MANTISSA_CUDA_ARCHITECTURES names. Nothing is written if something is missing.
"""

import argparse
import hashlib
import os
import pathlib
import re
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHANGELOG = "resources/docs/reference/changelog.md"
BILL = "mantissa.spdx.json"
EVERY_CARD = "75;80;86;89;90;120"  # as bootstrap.sh compiles packages


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


def packed_file(archive, name):
    """A file of a package, .tar.gz or .zip, wherever in it."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            for path in packed.namelist():
                if pathlib.PurePosixPath(path).name == name:
                    return packed.read(path)
    else:
        with tarfile.open(archive) as packed:
            for member in packed:
                if member.isfile() and pathlib.PurePosixPath(member.name).name == name:
                    return packed.extractfile(member).read()
    return die(f"{archive} holds no {name}")


def check_code_of_cards(archive, library):
    """Users' cards run what the package was compiled for: plugin.cpp names it in the library."""
    wanted = os.environ.get("MANTISSA_CUDA_ARCHITECTURES") or EVERY_CARD
    if wanted.replace(";", ",").encode() + b"\0" not in packed_file(archive, library):
        die(f"{archive.name}: {library} isn't compiled for {wanted}; bash packaging/bootstrap.sh release does that")


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
    files = {f"mantissa-{version}-linux-x86_64.spdx.json": packed_file(packages[0], BILL),
             f"mantissa-{version}-windows-x64.spdx.json": packed_file(packages[2], BILL)}
    check_code_of_cards(packages[0], "libmantissa_cuda.so")
    check_code_of_cards(packages[2], "mantissa_cuda.dll")
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
