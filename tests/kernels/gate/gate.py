#!/usr/bin/env python3
"""Compiles the kernels of limits.txt for every card there and holds them to its limits.

Registers and spills are ptxas's, load widths are read from the SASS, and the warps that fit on a
multiprocessor follow from registers, shared memory and block size. Needs nvcc and nvdisasm, no card.

  python3 tests/kernels/gate/gate.py                  checks; the exit status is 1 if a limit is broken
  python3 tests/kernels/gate/gate.py --markdown       prints the table of resources/docs/evidence/kernels.md as well
  python3 tests/kernels/gate/gate.py --all norm.cu    lists every kernel of a file
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
NVCC_FLAGS = ["-std=c++20", "-O3", "-DNDEBUG", "-fmad=false", "--expt-relaxed-constexpr",
              "--extended-lambda", "-Xptxas=-v", f"-I{ROOT}", "-include",
              str(HERE / "heaviest_forms.h")]
REGISTERS = 65536  # per multiprocessor of every card below, in four partitions of whole warps
SHARED_OF_BLOCK = 1024  # bytes that CUDA reserves per block


@dataclass
class Card:
    """Limits of a multiprocessor (CUDA C++ Programming Guide, "Compute Capabilities")."""
    warps: int
    blocks: int
    shared: int


CARDS = {80: Card(64, 32, 164 << 10), 89: Card(48, 24, 100 << 10),
         90: Card(64, 32, 228 << 10), 120: Card(48, 24, 100 << 10)}


@dataclass
class Limit:
    """A row of limits.txt."""
    source: str
    kernel: str
    threads: int
    dynamic_shared: int
    registers: int
    warps: dict
    widest: int
    narrower: int


@dataclass
class Found:
    """What the compiler made of a kernel."""
    registers: int = 0
    stack: int = 0
    spilled: int = 0
    shared: int = 0
    loads: tuple = ()  # bits of each global load

    def warps(self, card, threads, dynamic_shared):
        warps_of_block = (threads + 31) // 32
        per_warp = (self.registers * 32 + 255) // 256 * 256
        shared = self.shared + dynamic_shared + SHARED_OF_BLOCK
        warps = REGISTERS // per_warp // 4 * 4
        blocks = min(card.blocks, card.warps // warps_of_block, warps // warps_of_block,
                     card.shared // shared)
        return blocks * warps_of_block


def read_limits():
    limits = []
    for line in (HERE / "limits.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        source, kernel, threads, shared, registers, warps, widest, narrower = (
            part.strip() for part in line.split("|"))
        limits.append(Limit(source, kernel, int(threads), int(shared), int(registers),
                            dict(zip(CARDS, map(int, warps.split()))), int(widest), int(narrower)))
    return limits


def find_tool(name, nvcc, build):
    places = [pathlib.Path(nvcc).parent, build / "cuda" / "bin"]
    found = shutil.which(name, path=os.pathsep.join([*map(str, places), os.environ.get("PATH", "")]))
    if found is None:
        sys.exit(f"gate: {name} not found; it comes with the CUDA Toolkit, or by "
                 f"bash packaging/fetch_cuda.sh {build}/cuda")
    return found


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gate: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def plain_names(mangled):
    """The names as in limits.txt: without namespaces, parameters and return types."""
    demangled = subprocess.run(["c++filt"], input="\n".join(mangled), capture_output=True, text=True,
                               check=True).stdout.splitlines()
    names = {}
    for raw, name in zip(mangled, demangled):
        name = re.sub(r"mantissa::(cuda::)?|\(anonymous namespace\)::|\((?:[\w:]+)\)(?=[\w-])", "", name)
        name = name.replace(" >", ">").removeprefix("void ")
        names[raw] = name[:name.find("(")] if "(" in name else name
    return names


def load_widths(sass):
    """{mangled name: bits of each global load}."""
    widths, current = {}, None
    for line in sass.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.(\w+)", line):
            current = widths.setdefault(section[1], [])
        elif current is not None and (load := re.search(r"\bLDG\.E(\S*)", line)):
            width = re.search(r"\.(?:[US])?(8|16|64|128|256)\b", load[1])
            current.append(int(width[1]) if width else 32)
    return widths


def compile_kernels(source, arch, nvcc, disassembler, work):
    """{plain name: Found} of a file of kernels/cuda."""
    cubin = work / f"{source}.{arch}.cubin"
    log = run([nvcc, *NVCC_FLAGS, f"-arch=sm_{arch}", "-cubin", ROOT / "kernels/cuda" / source, "-o",
               cubin])
    widths = load_widths(run([disassembler, cubin]))
    found = {}
    for entry in re.split(r"Compiling entry function ", log)[1:]:
        mangled = re.match(r"'(\w+)'", entry)[1]
        stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads",
                          entry)
        shared = re.search(r"(\d+) bytes smem", entry)
        found[mangled] = Found(int(re.search(r"Used (\d+) registers", entry)[1]), int(stack[1]),
                               int(stack[2]) + int(stack[3]), int(shared[1]) if shared else 0,
                               tuple(widths.get(mangled, ())))
    names = plain_names(list(found))
    return {names[mangled]: of for mangled, of in found.items()}


def broken(limit, found, arch):
    """The limits of a row that are broken on a card, as sentences."""
    warps = found.warps(CARDS[arch], limit.threads, limit.dynamic_shared)
    widest = max(found.loads, default=0)
    narrower = sum(1 for bits in found.loads if bits < limit.widest)
    rules = [
        (found.registers <= limit.registers, "registers", f"at most {limit.registers}", found.registers),
        (found.spilled == 0 and found.stack == 0, "spills",
         "none", f"{found.spilled} bytes, a stack of {found.stack}"),
        (warps >= limit.warps[arch], "warps per multiprocessor",
         f"at least {limit.warps[arch]} of {CARDS[arch].warps}", warps),
        (widest == limit.widest, "widest global load", f"{limit.widest} bits", f"{widest} bits"),
        (narrower <= limit.narrower, "narrower global loads", f"at most {limit.narrower}", narrower),
    ]
    return [f"{limit.source} {limit.kernel}, sm_{arch}: {what}: expected {expected}, found {got}"
            for holds, what, expected, got in rules if not holds]


def cell(found, arch, threads, dynamic_shared):
    widest = max(found.loads, default=0)
    return (f"{found.registers} · {found.warps(CARDS[arch], threads, dynamic_shared)}/"
            f"{CARDS[arch].warps} · {found.loads.count(widest)}×{widest}"
            f" + {sum(1 for bits in found.loads if bits < widest)}")


def print_markdown(limits, results):
    print("| kernel | " + " | ".join(f"sm_{arch}" for arch in CARDS) + " |")
    print("|---|" + "---|" * len(CARDS))
    for limit in limits:
        cells = [cell(results[limit.source, arch][limit.kernel], arch, limit.threads,
                      limit.dynamic_shared) for arch in CARDS]
        print(f"| `{limit.kernel}` | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build",
                        help="where fetch_cuda.sh may have put nvdisasm, in cuda/bin")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--all", metavar="FILE", help="list every kernel of one file, check nothing")
    parser.add_argument("--arch", type=int, choices=CARDS, help="only this card")
    options = parser.parse_args()
    disassembler = find_tool("nvdisasm", options.nvcc, options.build)

    limits = [] if options.all else read_limits()
    sources = [options.all] if options.all else list(dict.fromkeys(l.source for l in limits))
    archs = [options.arch] if options.arch else list(CARDS)
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {(source, arch): pool.submit(compile_kernels, source, arch, options.nvcc, disassembler,
                                            pathlib.Path(work))
                for source in sources for arch in archs}
        results = {key: job.result() for key, job in jobs.items()}

    if options.all:
        for (source, arch), kernels in results.items():
            for name, found in sorted(kernels.items()):
                print(f"sm_{arch} {name}: {cell(found, arch, 256, 0)}, spilled {found.spilled}, "
                      f"shared {found.shared}")
        return 0
    failures = []
    for limit in limits:
        for arch in archs:
            found = results[limit.source, arch].get(limit.kernel)
            failures += (broken(limit, found, arch) if found else
                         [f"{limit.source} {limit.kernel}, sm_{arch}: no such kernel was compiled"])
    for failure in failures:
        print(failure)
    if options.markdown and not options.arch:
        print_markdown(limits, results)
    print(f"{len(limits)} kernels on {len(archs)} cards: {len(failures)} limits broken")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
