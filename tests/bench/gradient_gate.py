"""How far a program's first gradient is from that of the trace it replayed."""

import pathlib
import tempfile


def gradients(path):
    from safetensors import safe_open

    with safe_open(path, "np") as file:
        prefix = "step.0001.grad."
        return {k.removeprefix(prefix): file.get_tensor(k).astype("f8") for k in file.keys() if k.startswith(prefix)}


def relative_error(ours, wanted):
    """The norm of the difference over the norm of what is wanted, over all tensors together."""
    if ours.keys() != wanted.keys() or not wanted:
        raise SystemExit("the two traces hold gradients of different adapters")
    above = sum(((ours[k] - w) ** 2).sum() for k, w in wanted.items())
    return float((above / sum((w**2).sum() for w in wanted.values())) ** 0.5)


def replayed_error(trace, folder, replay):
    """The error of Mantissa's first gradient beside `trace`'s. `replay(arguments)` runs one step with
    them: a run of its own, because writing a trace takes time."""
    own = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "trace.safetensors"
    replay(["--replay", trace, "--trace", own, "--trace-steps", 1])
    error = relative_error(gradients(own), gradients(trace))
    own.unlink()
    return error
