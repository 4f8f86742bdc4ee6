"""Writes resources/cuda_libraries.json: the files of which `mantissa cuda install` installs NVIDIA's
libraries, by name, size and SHA-256, as the package index has them. Nothing is downloaded but the
tables of contents at the ends of the wheels.

    python3 packaging/cuda_libraries.py            writes the file
    python3 packaging/cuda_libraries.py --check    fails if it differs from what the index says

Versions are those that the CUDA library is built with (packaging/fetch_cuda.sh).
"""
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent / "resources/cuda_libraries.json"
INDEX = "https://pypi.org/simple"
# By Mantissa's names of platforms: pip's, and which libraries of each package are used.
PLATFORMS = {
    "linux-x64": (("manylinux_2_27_x86_64", "manylinux2014_x86_64", "manylinux2010_x86_64"), {
        "nvidia-cublas": r"libcublasLt\.so\.13",
        "nvidia-cudnn-cu13": r"libcudnn\w*\.so\.9",
        "nvidia-cuda-nvrtc": r"libnvrtc(-builtins)?\.so\.13(\.\d+)?"}),
    "windows-x64": (("win_amd64",), {
        "nvidia-cuda-runtime": r"cudart64_13\.dll",
        "nvidia-cublas": r"cublasLt64_13\.dll",
        "nvidia-cudnn-cu13": r"cudnn\w*64_9\.dll",
        "nvidia-cuda-nvrtc": r"nvrtc(-builtins)?64_130(_0)?\.dll"})}
LICENCES = {"nvidia-cudnn-cu13": "NVIDIA cuDNN Software License Agreement"}
TOOLKIT_LICENCE = "NVIDIA CUDA Toolkit EULA"
TERMS = re.compile(r"\.dist-info/(licenses/)?licen[cs]e(\.txt)?$", re.I)


def versions():
    """Of the packages, as the CUDA library is built with them; NVRTC's is the compiler's."""
    built = dict(re.findall(r"(nvidia-[\w-]+)==([\d.]+)", (HERE / "fetch_cuda.sh").read_text()))
    return {**built, "nvidia-cuda-nvrtc": built["nvidia-cuda-nvcc"]}


class RemoteFile(io.RawIOBase):
    """A file on a server, of which only the parts that are read are fetched."""

    def __init__(self, url):
        super().__init__()
        self.url, self.at = url, 0
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=60) as answer:
            self.size = int(answer.headers["Content-Length"])

    def seekable(self):
        return True

    def readable(self):
        return True

    def tell(self):
        return self.at

    def seek(self, offset, whence=io.SEEK_SET):
        self.at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: self.size}[whence]
        return self.at

    def readinto(self, buffer):
        end = min(self.at + len(buffer), self.size)
        if end <= self.at:
            return 0
        request = urllib.request.Request(self.url, headers={"Range": f"bytes={self.at}-{end - 1}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            content = answer.read()
        buffer[:len(content)] = content
        self.at += len(content)
        return len(content)


def wheels(platforms, packages, pinned):
    """Address and SHA-256 of each package's wheel, by pip, in the order of `packages`."""
    with tempfile.TemporaryDirectory() as work:
        report = pathlib.Path(work) / "report.json"
        # A folder as target, or pip refuses other platforms than this machine's.
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps",
                        "--ignore-installed", "--only-binary=:all:", "--target", work,
                        "--report", report, "--index-url", INDEX,
                        *(f"--platform={platform}" for platform in platforms),
                        *(f"{name}=={pinned[name]}" for name in packages)], check=True)
        found = json.loads(report.read_text())["install"]
    by_name = {item["metadata"]["name"].lower().replace("_", "-"): item["download_info"] for item in found}
    for name in packages:
        yield name, by_name[name]["url"], by_name[name]["archive_info"]["hashes"]["sha256"]


def row(platform, package, version, url, sha256, pattern):
    file = RemoteFile(url)
    with zipfile.ZipFile(io.BufferedReader(file, 1 << 16)) as archive:
        entries = [(e.filename, e.file_size) for e in archive.infolist()]
    members = {name: size for name, size in sorted(entries)
               if re.fullmatch(pattern, name.rsplit("/", 1)[-1])}
    terms = [name for name, _ in entries if TERMS.search(name)]
    if not members or len(terms) != 1:
        sys.exit(f"cuda_libraries.py: {url} has other files than expected: {entries}")
    return {"platform": platform, "package": package, "version": version,
            "file": url.rsplit("/", 1)[-1], "bytes": file.size, "sha256": sha256,
            "licence": LICENCES.get(package, TOOLKIT_LICENCE), "terms": terms[0],
            "libraries": members}


def table():
    pinned = versions()
    rows = []
    for name, (platforms, patterns) in PLATFORMS.items():
        for package, url, sha256 in wheels(platforms, patterns, pinned):
            rows.append(row(name, package, pinned[package], url, sha256, patterns[package]))
    return json.dumps({"index": INDEX, "wheels": rows}, indent=1) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    text = table()
    if not arguments:
        TABLE.write_text(text)
    elif text != TABLE.read_text():
        sys.exit(f"cuda_libraries.py: {TABLE} differs from the index; run the script without --check")


if __name__ == "__main__":
    main(sys.argv[1:])
