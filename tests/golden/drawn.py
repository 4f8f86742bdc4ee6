"""Packed golden files. Weights that PyTorch drew from a seed are held as the draws in their place.

    python tests/golden/drawn.py FOLDER OUT      copies a folder with the files whole; needs numpy

A file NAME.drawn, which stands for NAME:
    drawn <bytes of NAME> <its CRC-32> <bytes unpacked>\\n, then, packed by zlib:
    a line for each stretch that is drawn, if any: at type count seed first scale shift fix...
        value i = shift + scale * normal(seed, first, count)[i], rounded to the type: F16, BF16 or F32
        a fix, <i>:<hexadecimal pattern>: a value that PyTorch, which computes in FP32, rounds to its neighbour
    an empty line, and the bytes between the stretches; at the place of a stretch in F32, for each of its values a byte,
    as PyTorch's FP32 shows there: how far its pattern lies from the rounded value's

A file NAME.same holds the path, from its folder, of the file that NAME is a copy of.

`normal` is torch.randn on the CPU: MT19937 and Box-Muller in groups of 16. tests/drawn/drawn.h is the same in C++, with
which the build writes whole files for the tests. Scripts draw with `Draws`, write files and `pack` them; `whole` gives
another script a packed file or folder.
"""

import atexit
import pathlib
import shutil
import sys
import tempfile
import zlib

import numpy as np

BITS = {"F16": (10, -14), "BF16": (7, -126)}  # of the mantissa, and the least exponent
LEAST = 32  # values that are worth a line
GAIN = 8192  # bytes that are worth a packed file

streams, known = {}, {}  # outputs by seed; stretches by their bytes


def outputs(seed, first, count):
    """Outputs of MT19937, of 32 bits."""
    if len(streams.get(seed, ())) < first + count:
        generator = np.random.MT19937()
        generator._legacy_seeding(seed)
        streams[seed] = generator.random_raw(2 * (first + count))
    return streams[seed][first:first + count]


def normal(seed, first, count):
    """`count` values, at least 16, of torch.randn whose generator has given `first` outputs."""
    def pairs(at, size):
        u = (outputs(seed, first + at, size) & 0xFFFFFF).reshape(-1, 2, 8) * 2.0 ** -24
        radius = np.sqrt(-2 * np.log(1 - u[:, 0]))
        angle = (np.float32(2 * np.pi) * u[:, 1].astype(np.float32)).astype(np.float64)  # as PyTorch rounds it
        return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).reshape(-1)

    values = np.empty(count)
    values[:count // 16 * 16] = pairs(0, count // 16 * 16)
    if count % 16:
        values[-16:] = pairs(count, 16)
    return values


def patterns(values, kind):
    """Nearest bit patterns, ties to even, as uint16."""
    bits, least = BITS[kind]
    exponent = np.where(values == 0, least, np.maximum(np.frexp(values)[1] - 1, least))
    steps = np.rint(np.ldexp(np.abs(values), bits - exponent)).astype(np.int64)
    return (np.signbit(values) * 0x8000 + ((exponent - least) << bits) + steps).astype(np.uint16)


def stretch(kind, count, seed, first, scale, shift, *fixes, steps=b""):
    """Bytes of a stretch, of the fields of its line; for F32 with the steps to its patterns."""
    count, seed, first, scale, shift = int(count), int(seed), int(first), float(scale), float(shift)
    values = shift + scale * normal(seed, first, count)
    if kind == "F32":
        values = values.astype(np.float32).view(np.uint32) + np.frombuffer(steps, np.int8).astype(np.uint32)
    else:
        values = patterns(values, kind)
    for fix in fixes:
        i, pattern = fix.split(":")
        values[int(i)] = int(pattern, 16)
    return values.tobytes()


class Draws:
    """PyTorch's generator, which remembers what it has drawn."""

    def __init__(self, seed):
        import torch
        self.seed, self.first, self.spare = seed, 0, False
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, shape, scale, shift, storage):
        """shift + scale * noise in the type `storage`."""
        import torch
        values = (shift + scale * torch.randn(shape, generator=self.generator)).to(storage)
        kind = {torch.float16: "F16", torch.bfloat16: "BF16"}[storage]
        if values.numel() >= LEAST:
            self.remember(values.view(torch.uint16).numpy().reshape(-1), kind, np.float32(scale), shift)
        self.advance(values.numel())
        return values

    def randn(self, shape):
        """Noise in FP32, whose multiples `kept` remembers."""
        import torch
        values = torch.randn(shape, generator=self.generator)
        self.last = self.first, values.numel()
        self.advance(values.numel())
        return values

    def kept(self, values):
        """These values in FP32: the last noise, times a factor."""
        first, count = self.last
        if count < LEAST:
            return values
        noise = normal(self.seed, first, count)
        exact = values.numpy().reshape(-1)
        scale = float(noise @ exact.astype(np.float64) / (noise @ noise))
        line = ["F32", str(count), str(self.seed), str(first), repr(scale), "0.0"]
        base = np.frombuffer(stretch(*line, steps=bytes(count)), np.uint32)
        steps = exact.view(np.uint32).astype(np.int64) - base
        far = np.abs(steps) > 127
        assert far.sum() < 3 + count / 100, f"PyTorch no longer draws as {__file__}"
        line += [f"{i}:{exact.view(np.uint32)[i]:08x}" for i in np.nonzero(far)[0]]
        known[exact.tobytes()] = line, np.where(far, 0, steps).astype(np.int8).tobytes()
        return values

    def remember(self, values, kind, scale, shift):
        line = [kind, str(values.size), str(self.seed), str(self.first), str(float(scale)), str(shift)]
        drawn = np.frombuffer(stretch(*line), np.uint16)
        fixes = [f"{i}:{values[i]:04x}" for i in np.nonzero(values != drawn)[0]]
        assert len(fixes) < 3 + values.size / 500, f"PyTorch no longer draws as {__file__}"
        known[values.tobytes()] = line + fixes, b""

    def advance(self, count):
        """Fewer than 16 values are drawn in pairs of double precision, of which one may be left over."""
        if count >= 16:
            self.first += count + (16 if count % 16 else 0)
            return
        pairs = (count - self.spare + 1) // 2
        self.first, self.spare = self.first + 4 * pairs, (self.spare + 2 * pairs - count) == 1


def packed(path):
    return path.with_name(path.name + ".drawn")


def pack(path):
    """Replaces a file by its packed form if that is worth while."""
    packed(path).unlink(missing_ok=True)
    whole_file, found, end = path.read_bytes(), {}, 0
    for values, (line, steps) in known.items():
        at = whole_file.find(values)
        while at >= 0:
            found[at] = max(found.get(at, (0, [], b"")), (len(values), line, steps))
            at = whole_file.find(values, at + len(values))
    lines, rest = [], []
    for at, (size, line, steps) in sorted(found.items()):
        if at >= end:
            lines.append(" ".join([str(at), *line]))
            rest += [whole_file[end:at], steps]
            end = at + size
    inside = "".join(line + "\n" for line in [*lines, ""]).encode() + b"".join(rest) + whole_file[end:]
    out = b"drawn %d %08x %d\n" % (len(whole_file), zlib.crc32(whole_file), len(inside)) + zlib.compress(inside, 9)
    if len(out) + GAIN < len(whole_file):
        packed(path).write_bytes(out)
        path.unlink()


def unpack(path):
    """Bytes of the file that `path`, a packed one, stands for. Their stretches are known from now on."""
    head, inside = path.read_bytes().split(b"\n", 1)
    _, size, checksum, _ = head.split()
    lines, rest = (b"\n" + zlib.decompress(inside)).split(b"\n\n", 1)
    out = bytearray()
    for line in lines.decode().split("\n")[1:]:
        at, *fields = line.split(" ")
        gap = int(at) - len(out)
        after = gap + (int(fields[1]) if fields[0] == "F32" else 0)
        values = stretch(*fields, steps=rest[gap:after])
        known[values] = fields, rest[gap:after]
        out += rest[:gap] + values
        rest = rest[after:]
    out += rest
    if len(out) != int(size) or zlib.crc32(out) != int(checksum, 16):
        raise ValueError(f"{path}: other bytes than were packed")
    return bytes(out)


def copy(source, target):
    """A file or folder, whole."""
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for entry in source.iterdir():
            if entry.name != "__pycache__":
                copy(entry, target / entry.name.removesuffix(".drawn").removesuffix(".same"))
    elif source.suffix == ".same":
        shutil.copyfile(source.parent / source.read_text().strip(), target)
    elif source.suffix == ".drawn" or not source.exists():
        target.write_bytes(unpack(source if source.exists() else packed(source)))
    else:
        shutil.copyfile(source, target)


def whole(path):
    """A copy of this file or folder, whole, until the program ends."""
    folder = pathlib.Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    copy(path, folder / path.name)
    return folder / path.name


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    copy(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
