"""What a bundled folder consists of: licences, NOTICES.txt and a bill of materials (SPDX 2.3).

    python3 packaging/linux/contents.py FOLDER MANIFEST VERSION SECONDS

FOLDER and MANIFEST are those of packaging/bundle.sh, SECONDS is the time of the commit. Everything is
written to FOLDER/share/doc/mantissa. Prints the Debian packages of the libraries that the target
system must provide, one per line. Needs dpkg: libraries come from Debian packages.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import cuda_bundle  # noqa: E402
from spdx import CUDA_EULA, UNKNOWN, Bill  # noqa: E402

DOCS = "share/doc/mantissa"
COMMON = pathlib.Path("/usr/share/common-licenses")
# Installed by whoever has a card, from wherever they like, or part of the package (cuda_bundle.py).
NVIDIA = re.compile(r"lib(cuda|cudart|cublas|cublasLt|cudnn)\b")
# Compiled into the programs from headers or static libraries.
HEADERS = ["nlohmann-json3-dev", "libtomlplusplus-dev", "libcli11-dev", "libeigen3-dev",
           "libfmt-dev"]
# What no Debian package holds: name, version, licence, what it is in, home page.
OTHERS = [("cudnn-frontend", "1.18.0", "MIT", "lib/libmantissa_cuda.so",
           "https://github.com/NVIDIA/cudnn-frontend"),
          ("CUDA runtime", "13.0", "LicenseRef-NVIDIA-CUDA-EULA", "lib/libmantissa_cuda.so",
           "https://docs.nvidia.com/cuda/eula/"),
          ("CLIP vocabulary", "2021", "MIT", "share/mantissa/bpe_simple_vocab_16e6.txt.gz",
           "https://github.com/openai/CLIP"),
          ("Qwen vocabulary", "2023", "Apache-2.0", "share/mantissa/qwen3/vocab.json",
           "https://github.com/QwenLM/Qwen")]


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def package_of(file):
    """The Debian package of a library, whose folder may be known by its name before /usr merged."""
    for path in (file, file.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "--search", path], check=False, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"contents.py: {file} belongs to no Debian package, so its licence is unknown; "
             "install the packages of packaging/bootstrap.sh")


def describe(package):
    fields = output("dpkg-query", "--show", "--showformat",
                    "${Version}\t${source:Package}\t${Homepage}\n", package).splitlines()[0]
    version, source, home = fields.split("\t")
    return {"name": package, "version": version, "source": source, "home": home}


def copy_licence(package, folder):
    """The package's copyright file, and the common licences that it refers to."""
    text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_bytes()
    target = folder / "licenses" / package / "copyright"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text)
    for name in re.findall(rb"/usr/share/common-licenses/([A-Za-z]+(?:-[0-9.]*[0-9])?)", text):
        source = COMMON / name.decode()
        if source.exists():
            (folder / "licenses" / source.name).write_bytes(source.read_bytes())


def notices(packages, files):
    lines = ["Libraries in this folder, and the terms under which they are used", "=" * 65, "",
             "Mantissa itself is under the Apache License 2.0 (LICENSE). The libraries in lib are those of",
             "Debian, unchanged but for the path on which they look for each other; they may be replaced by",
             "other builds of the same interface. The folder licenses has their terms, by package; their",
             "sources are the Debian source packages of these versions.", ""]
    for package in packages:
        lines.append(f"{package['name']} {package['version']} (source: {package['source']})")
        lines += [f"  {path}" for path in files.get(package["name"], ["compiled in"])]
    lines += ["", "From elsewhere", ""]
    lines += [f"{name} {version}: {licence}, in {where}, {home}"
              for name, version, licence, where, home in OTHERS]
    return "\n".join(lines) + "\n"


def write_bill(folder, version, seconds, packages, files):
    bill = Bill(f"mantissa-{version}-linux-x86_64", folder, version, seconds)
    bill.licences.append(CUDA_EULA)
    for package in packages:
        name = package["name"]
        made = bill.package(
            name, package["version"], homepage=package["home"] or UNKNOWN,
            sourceInfo=f"Debian source {package['source']}",
            licenseComments=f"{DOCS}/licenses/{name}/copyright",
            externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                           "referenceLocator": f"pkg:deb/debian/{name}@{package['version']}?arch=amd64"}])
        bill.relate(bill.product, "CONTAINS" if name.startswith("fonts-") else
                    "DYNAMIC_LINK" if name in files else "STATIC_LINK", made)
        for path in files.get(name, []):
            bill.file(path, made)
    for name, number, licence, where, home in OTHERS:
        if (folder / where).exists():
            bill.relate(bill.product, "CONTAINS", bill.package(name, number, licence, homepage=home))
    cuda_bundle.describe(bill, "linux-x64")
    bill.write(folder / DOCS / "mantissa.spdx.json")


def main(folder, manifest, version, seconds):
    files, host = {}, set()
    for line in pathlib.Path(manifest).read_text().splitlines():
        path, origin = line.split("\t")
        if path == "host":
            if not NVIDIA.match(pathlib.Path(origin).name):
                host.add(package_of(origin))
        else:
            files.setdefault(package_of(origin), set()).add(path)
    files = {package: sorted(paths) for package, paths in files.items()}
    fonts = sorted((folder / "share/mantissa/fonts").glob("*.otf"))
    if fonts:
        files["fonts-inter"] = [path.relative_to(folder).as_posix() for path in fonts]
    packages = [describe(package) for package in sorted({*files, *HEADERS})]
    docs = folder / DOCS
    for package in packages:
        copy_licence(package["name"], docs)
    (docs / "NOTICES.txt").write_text(notices(packages, files))
    write_bill(folder, version, seconds, packages, files)
    print("\n".join(sorted(host)))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
