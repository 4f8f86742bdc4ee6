"""Writes the bill of materials (SPDX 2.3) of a Windows package from the recipe that made it.

    python3 packaging/windows/bill.py FOLDER VERSION SECONDS

FOLDER is what packaging/windows/package.sh packs, SECONDS the time of the commit. A library of the
folder that no recipe makes is an error. Needs dpkg: the compiler is Debian's.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cuda_bundle  # noqa: E402
from spdx import Bill  # noqa: E402

# By the names of sources.txt.
LICENCES = {"fmt": "MIT", "utf8proc": "MIT", "pcre2": "BSD-3-Clause",
            "libyaml": "MIT", "sqlite3": "blessing", "sentencepiece": "Apache-2.0",
            "curl": "curl", "libarchive": "BSD-2-Clause", "qt": "LGPL-3.0-only",
            "qtsvg": "LGPL-3.0-only"}
# Headers of this machine's packages, which packaging/windows/recipes.sh copies.
HEADERS = {"nlohmann-json3-dev": "MIT", "libtomlplusplus-dev": "MIT", "libcli11-dev": "BSD-3-Clause",
           "libeigen3-dev": "MPL-2.0"}
COMPILER = {"gcc-mingw-w64-x86-64-posix-runtime": "GPL-3.0-or-later WITH GCC-exception-3.1",
            "mingw-w64-x86-64-dev": "ZPL-2.1 AND MIT", "libz-mingw-w64": "Zlib"}
# Where package.sh puts the terms of what is not under its own name.
FOLDERS = {"libvips": "vips", "gcc-mingw-w64-x86-64-posix-runtime": "gcc-mingw-w64-base",
           "mingw-w64-x86-64-dev": "mingw-w64-common"}
# Which package a library of the folder belongs to.
OWNERS = [(r"Qt6Svg", "qtsvg"), (r"Qt6|q(windows|windowsvistastyle|ico|jpeg)\.dll", "qt"), (r"libvips", "libvips"),
          (r"lib(stdc\+\+|gcc_s|ssp|gomp|atomic)", "gcc-mingw-w64-x86-64-posix-runtime"),
          (r"libwinpthread", "mingw-w64-x86-64-dev"), (r"zlib1?\.dll", "libz-mingw-w64"),
          (r"mantissa", "Mantissa")]


def sources(without):
    """Name, version, SHA-256 and file of what is built from source; a package's first line counts."""
    seen = set(without)
    for line in (HERE / "sources.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, digest, file = line.split()
        if name not in seen:
            seen.add(name)
            yield name, re.search(r"_([^_]+?)\.orig", file)[1], digest, file


def installed_version(package):
    return subprocess.run(["dpkg-query", "--show", "--showformat", "${Version}", package], check=True,
                          text=True, stdout=subprocess.PIPE).stdout


def wheel(recipes):
    name, version = re.search(r"^vips_wheel=(.+)==(.+)$", recipes, re.M).groups()
    return name, version, re.search(r"^vips_sha256=(\w+)$", recipes, re.M)[1]


class Packages:
    """Those that the folder's programs and libraries are made of; `ids` by name."""

    def __init__(self, bill, folder):
        self.bill, self.folder, self.ids = bill, folder, {"Mantissa": bill.product}
        left_out = {"googletest"}
        for part, library in (("qt", "Qt6Core.dll"), ("qtsvg", "Qt6Svg.dll")):  # of the studio
            if not (folder / "bin" / library).exists():
                left_out.add(part)
        for name, version, digest, file in sources(left_out):
            self.add(name, version, LICENCES[name], f"Debian pool/main/{file}", digest)
        name, version, digest = wheel((HERE / "recipes.sh").read_text())
        self.add("libvips", version, "LGPL-2.1-or-later", f"wheel {name}, with the libraries of its notices",
                 digest)
        for package, licence in {**HEADERS, **COMPILER}.items():
            self.add(package, installed_version(package), licence, f"Debian package {package}")
        if (folder / "bin/mantissa_cuda.dll").exists():
            name, version = re.search(r"nvidia-(cudnn-frontend)==([\d.]+)",
                                      (HERE.parent / "fetch_cuda.sh").read_text()).groups()
            self.add(name, version, "MIT", f"headers of the wheel nvidia-{name}")

    def add(self, name, version, licence, origin, sha256=None):
        terms = f"licenses/{FOLDERS.get(name, name)}"
        if not any(path.is_file() for path in (self.folder / terms).rglob("*")):
            sys.exit(f"bill.py: the package has no terms of {name} in {terms}; its recipe of "
                     "packaging/windows/recipes.sh, or packaging/windows/package.sh, puts them there")
        sums = [{"algorithm": "SHA256", "checksumValue": sha256}] if sha256 else []
        self.ids[name] = self.bill.package(name, version, licence, sourceInfo=origin,
                                           licenseComments=terms, checksums=sums)


def main(folder, version, seconds):
    bill = Bill(f"mantissa-{version}-windows-x64", folder, version, seconds)
    ids = Packages(bill, folder).ids
    dynamic = set()
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".dll", ".exe")):
        if cuda_bundle.NAME in path.parts:
            continue  # listed with their wheels
        owner = next((owner for pattern, owner in OWNERS if re.match(pattern, path.name)), None)
        if owner is None:
            sys.exit(f"bill.py: {path.name} is made by no recipe that packaging/windows/bill.py knows; "
                     "add it to OWNERS")
        bill.file(path.relative_to(folder).as_posix(), ids[owner])
        dynamic.add(owner)
    for name, made in ids.items():
        if name != "Mantissa":
            bill.relate(bill.product, "DYNAMIC_LINK" if name in dynamic else "STATIC_LINK", made)
    cuda_bundle.describe(bill, "windows-x64")
    bill.write(folder / "share/doc/mantissa/mantissa.spdx.json")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
