"""How far a program is from the trace it replays: its first loss, and its first gradient.

A trace that Mantissa has just written starts from adapters whose B is zero: the gradient of every A is zero too, and
what the adapters add isn't in the loss. `draw_up_projections` gives such a trace another start; a second run then
replays it into the trace that rows are compared with.
"""

import array
import json
import pathlib
import random
import struct
import sys
import tempfile

NARROW = ("fp8", "int8", "nf4", "mxfp8", "nvfp4")  # beginnings of types of 8 and 4 bits


def tensor_places(path):
    """{name: (begin, end) in the file} of a safetensors file, without any package."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
    return {k: tuple(8 + size + o for o in v["data_offsets"]) for k, v in header.items() if k != "__metadata__"}


def draw_up_projections(path):
    """Replaces every B, which starts at zero, with normal values x 0.02."""
    source = random.Random(7)
    drawn = array.array("f", (source.gauss(0, 0.02) for _ in range(1 << 16))).tobytes()
    with open(path, "r+b") as file:
        for name, (begin, end) in tensor_places(path).items():
            if name.startswith("adapter.before.") and name.endswith("lora_B.weight"):
                start = 4 * source.randrange(1 << 16)
                file.seek(begin)
                file.write((drawn[start:] + drawn * ((end - begin) // len(drawn) + 1))[: end - begin])


def first_loss(trace):
    begin, end = tensor_places(trace)["step.0001.loss"]
    with open(trace, "rb") as file:
        file.seek(begin)
        return struct.unpack("<f" if end - begin == 4 else "<d", file.read(end - begin))[0]


def relative_error(ours, wanted):
    """The norm of the difference of the first gradients of two traces over that of the second's, over all tensors
    together. One tensor at a time: a process's peak memory begins with that of the one which starts it."""
    from safetensors import safe_open

    prefix, off, size = "step.0001.grad.", 0.0, 0.0
    with safe_open(ours, "np") as own, safe_open(wanted, "np") as other:
        names = sorted(k for k in other.keys() if k.startswith(prefix))
        if not names or names != sorted(k for k in own.keys() if k.startswith(prefix)):
            raise SystemExit("the two traces hold gradients of different adapters")
        for name in names:
            want = other.get_tensor(name).astype("f8")
            off += float(((own.get_tensor(name) - want) ** 2).sum())
            size += float((want**2).sum())
    return (off / size) ** 0.5


def replayed_error(trace, folder, replay):
    """The error of Mantissa's first gradient beside `trace`'s. `replay(arguments)` runs one step with
    them: a run of its own, because writing a trace takes time."""
    own = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "trace.safetensors"
    replay(["--replay", trace, "--trace", own, "--trace-steps", 1])
    error = relative_error(own, trace)
    own.unlink()
    return error


def passes(label, loss, gradient, reference, precision):
    """Prints a row's first loss beside `reference` and the error of its gradient. Whether it computes the same: within
    1 % and 10 %; in a precision of 8 or 4 bits the loss within 5 %, and the gradient is printed alone."""
    narrow = any(part.startswith(NARROW) for part in precision.split(":"))
    off = abs(loss / reference - 1)
    print(f"gate {label}: loss {off:.1e}, gradient {gradient:.1e}", file=sys.stderr)
    return off <= (0.05 if narrow else 0.01) and (narrow or gradient <= 0.1)
