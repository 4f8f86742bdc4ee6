"""Compares training under Wine with training on Linux: losses of the demo in every precision, and
runs begun under one system and resumed under the other. Prints the tables of
resources/docs/evidence/platforms.md; exits with 1 if a bound is exceeded.

    python3 tests/packaging/windows_losses.py LINUX_MANTISSA WINDOWS_MANTISSA [--steps 30]

Both programs must be of the same commit. Each run has its own home, so that nothing is read from a cache.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRECISIONS = {
    "fp32": [],
    "bf16": ["precision.compute=bf16", "precision.weights.denoiser=bf16"],
    "fp16": ["precision.compute=fp16", "precision.weights.denoiser=fp16"],
    "fp8": ["precision.compute=fp8", "precision.weights.denoiser=fp8_e4m3"],
    "int8": ["precision.compute=int8", "precision.weights.denoiser=int8"],
    "nf4": ["precision.weights.denoiser=nf4"],
}
# Largest difference of a loss in the first 30 steps. The systems' math libraries round a few values
# of FP32 differently, and in fewer bits a rounding may then go the other way; training amplifies
# both, so later steps are shown and not judged.
JUDGED = 30
BOUNDS = {"fp32": 1e-5, "bf16": 2e-3, "fp16": 2e-3, "fp8": 2e-3, "int8": 2e-3, "nf4": 2e-3}


class Program:
    def __init__(self, name, command, place):
        self.name, self.command, self.place = name, command, place

    def path(self, path):
        return str(path)

    def start(self, home, *arguments):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MANTISSA_") or
                       k == "MANTISSA_WINDOWS_PREFIX"}
        environment["MANTISSA_HOME"] = self.path(self.place / home)
        environment["MANTISSA_RESOURCES"] = self.path(ROOT / "resources")
        said = open(self.place / "said.txt", "w", encoding="utf-8")
        with said:
            return subprocess.Popen([*self.command, *arguments], env=environment, text=True,
                                    encoding="utf-8", stdout=subprocess.PIPE, stderr=said)

    def steps(self, process):
        """Yields the steps of a run as they come."""
        for line in process.stdout:
            try:
                event = json.loads(line)
            except json.JSONDecodeError:
                raise SystemExit(f"{self.name}: no line of JSON: {line!r}") from None
            if event["event"] == "step":
                yield event

    def train(self, home, *arguments):
        process = self.start(home, "train", "demo", "--json", *arguments)
        losses = {e["step"]: e["loss"] for e in self.steps(process)}
        if process.wait() != 0:
            raise SystemExit(f"{self.name}: train failed:\n" + (self.place / "said.txt").read_text("utf-8"))
        return losses


class Windows(Program):
    def path(self, path):
        return "Z:" + str(path).replace("/", "\\")


def settings_of(adapter, precision, steps):
    settings = [f"adapter.type={adapter}", f"training.steps={steps}", "samples.every=0",
                "output.save_every=0", *PRECISIONS[precision]]
    return [word for s in settings for word in ("--set", s)]


def arguments_of(program, out, adapter, precision, steps, base="demo"):
    return ["--base", base, "--images", "demo", "--device", "cpu", "--out",
            program.path(program.place / out), *settings_of(adapter, precision, steps)]


def largest(a, b):
    assert a.keys() == b.keys(), (sorted(a), sorted(b))
    return max(abs(a[step] - b[step]) for step in a)


def first_of(losses):
    return {step: loss for step, loss in losses.items() if step <= JUDGED}


def compare_losses(linux, windows, steps, wanted):
    failures = 0
    print(f"| adapter | compute | largest difference, first {JUDGED} losses | all {steps} | bit-equal | last loss, Linux | last loss, Windows |")
    print("|---|---|---|---|---|---|---|")
    for precision in wanted:
        for adapter in ("lora", "dora"):
            name = f"{adapter}-{precision}"
            ours = {p.name: p.train(f"home-{name}", *arguments_of(p, name, adapter, precision, steps))
                    for p in (linux, windows)}
            a, b = ours[linux.name], ours[windows.name]
            difference = largest(first_of(a), first_of(b))
            equal = sum(a[step] == b[step] for step in a)
            print(f"| {adapter} | {precision} | {difference:.2g} | {largest(a, b):.2g} | {equal} | {a[steps]:.7f} | {b[steps]:.7f} |", flush=True)
            if difference > BOUNDS[precision] or len(a) != steps:
                print(f"FAILED: {name} differs by {difference}, allowed are {BOUNDS[precision]}")
                failures += 1
    return failures


def interrupt(program, home, arguments, after):
    """A run that saves every five steps, killed after `after` of them."""
    process = program.start(home, "train", "demo", "--json", *arguments, "--set", "output.save_every=5")
    for event in program.steps(process):
        if event["step"] >= after:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(2)  # Wine's server notices


def compare_resumed(linux, windows, steps, base):
    failures = 0
    print(f"\n| begun under | killed after | resumed under | from step | largest difference of the next {JUDGED} losses |")
    print("|---|---|---|---|---|")
    for first, second in ((linux, windows), (windows, linux)):
        name = f"resumed-{first.name}"
        where = {p.name: base if base == "demo" else p.path(base) for p in (first, second)}
        settings = ("lora", "fp32", steps)
        whole = first.train(f"home-{name}-whole",
                            *arguments_of(first, f"{name}-whole", *settings, where[first.name]))
        interrupt(first, f"home-{name}", arguments_of(first, name, *settings, where[first.name]),
                  steps // 2 + 1)
        # Carried to the other machine: the run's folder alone.
        shutil.copytree(first.place / name, second.place / name)
        moved = [] if base == "demo" else ["--base", where[second.name]]
        rest = second.train(f"home-{name}", "--resume", second.path(second.place / name), *moved,
                            *settings_of(*settings))
        begun = min(rest) - 1
        near = [step for step in rest if step <= begun + JUDGED]
        difference = max(abs(rest[step] - whole[step]) for step in near)
        print(f"| {first.name} | {steps // 2 + 1} | {second.name} | {begun} | {difference:.2g} |", flush=True)
        if difference > BOUNDS["fp32"] or begun < 5 or max(rest) != steps:
            print(f"FAILED: resumed under {second.name}, allowed are {BOUNDS['fp32']}")
            failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("linux", type=pathlib.Path)
    parser.add_argument("windows", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--precisions", nargs="*", default=list(PRECISIONS), choices=list(PRECISIONS))
    parser.add_argument("--base", default="demo", help="of the resumed runs: demo, or a model")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the runs, kept")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        place = options.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (place / "linux").mkdir(parents=True)
        (place / "windows").mkdir()
        linux = Program("Linux", [str(options.linux.resolve())], place.resolve() / "linux")
        windows = Windows("Windows", ["bash", str(ROOT / "packaging/windows/wine.sh"),
                                      str(options.windows.resolve())], place.resolve() / "windows")
        failures = compare_losses(linux, windows, options.steps, options.precisions)
        base = options.base if options.base == "demo" else pathlib.Path(options.base).resolve()
        failures += compare_resumed(linux, windows, options.steps, base)
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
