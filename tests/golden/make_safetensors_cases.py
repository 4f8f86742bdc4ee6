"""Writes safetensors files, whole and mutated, with the verdict of the reference reader.

    python tests/golden/make_safetensors_cases.py tests/golden/safetensors_cases.json [COUNT]

COUNT: number of each, the valid ones with another seed; default: the 240 mixed ones of the tests.

Each case: the bytes in base64, the mutation, and whether the Python package accepts them.
"""

import base64
import json
import random
import struct
import sys

import safetensors

SIZES = {"F64": 64, "I64": 64, "F32": 32, "I32": 32, "F16": 16, "BF16": 16, "F8_E4M3": 8, "F8_E5M2": 8, "U8": 8, "I8": 8,
         "BOOL": 8, "C64": 64, "F8_E8M0": 8, "U16": 16, "U32": 32, "U64": 64, "I16": 16, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}


def draw(rng):
    """A valid file: (header dict, data)."""
    header, at = {}, 0
    if rng.random() < 0.4:
        header["__metadata__"] = {f"k{i}": rng.choice(["", "wert", "日本", '"q"']) for i in range(rng.randint(0, 2))}
    for i in range(rng.randint(0, 4)):
        dtype = rng.choice(list(SIZES))
        shape = [rng.choice([0, 1, 2, 3, 4]) for _ in range(rng.randint(0, 4))]
        count = 1
        for d in shape:
            count *= d
        while count * SIZES[dtype] % 8:
            shape.append(8)
            count *= 8
        size = count * SIZES[dtype] // 8
        header[rng.choice(["w", "b.é", "layer.0", "x y"]) + str(i)] = {
            "dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    return header, bytes(rng.randrange(256) for _ in range(at))


def pack(text, data, length=None):
    raw = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(raw) if length is None else length) + raw + data


def tensor(header, rng):
    names = [n for n in header if n != "__metadata__"]
    return header[rng.choice(names)] if names else None


def mutate(rng):
    header, data = draw(rng)
    kind = rng.randrange(20)
    one = tensor(header, rng)
    text = json.dumps(header, ensure_ascii=False)
    if kind == 0:
        return "whole", pack(text, data)
    if kind == 1:
        pad = rng.choice([" ", "   ", "\n", "\t"])
        return "padded", pack(text + pad, data)
    if kind == 2:
        return "leading space", pack(" " + text, data)
    if kind == 3:
        return "byte left over", pack(text, data + b"\0" * rng.randint(1, 9))
    if kind == 4:
        whole = pack(text, data)
        return "cut", whole[:rng.randrange(len(whole))]
    if kind == 5:
        return "length field", pack(text, data, rng.choice([0, 1, len(text.encode()) + rng.choice([-1, 1, 8]), 100_000_001,
                                                            2**63, 2**64 - 1, 2**64 - 8]))
    if kind == 6 and one:
        one["data_offsets"][rng.randrange(2)] += rng.choice([-4, -1, 1, 4, 2**32, 2**63])
        return "offset", pack(json.dumps(header, ensure_ascii=False), data)
    if kind == 7 and one:
        one["dtype"] = rng.choice(["F33", "", "f32", "F16", "F64", "U8", None, 3])
        return "dtype", pack(json.dumps(header, ensure_ascii=False), data)
    if kind == 8 and one:
        one["shape"] = rng.choice([[-1], [2**63], [2**32, 2**32], [2**61, 8], [1.5], ["2"], [[2]], None, {}, [], [0, 2**62, 2**62],
                                   one["shape"] + [1], one["shape"] + [0]])
        return "shape", pack(json.dumps(header, ensure_ascii=False), data)
    if kind == 9 and one:
        one["data_offsets"] = rng.choice([[], [0], [0, 0, 0], None, "0,0", [1.0, 2.0], [-0.0, 0], list(reversed(one["data_offsets"]))])
        return "offsets list", pack(json.dumps(header, ensure_ascii=False), data)
    if kind == 10 and one:
        del one[rng.choice(list(one))]
        return "field missing", pack(json.dumps(header, ensure_ascii=False), data)
    if kind == 11 and one:
        one[rng.choice(["extra", "name"])] = rng.choice([1, None, {"a": [1, {"b": 2}]}, [[[]]], "t"])
        return "extra field", pack(json.dumps(header, ensure_ascii=False), data)
    if kind == 12 and one:
        return "name twice", pack(text[:-1] + ', "w0": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}, '
                                  '"w0": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}}', data)
    if kind == 13:
        header["__metadata__"] = rng.choice([{"a": 1}, {"a": None}, {"a": {}}, [], "x", 3, None, {}])
        return "metadata", pack(json.dumps(header, ensure_ascii=False), data)
    if kind == 14:
        return "text after", pack(text + rng.choice(["x", "{}", "\0", ",", "\0\0\0"]), data)
    if kind == 15:
        raw = bytearray(text.encode())
        for _ in range(rng.randint(1, 3)):
            raw[rng.randrange(len(raw))] = rng.choice([0, 0xff, 0xc0, ord("{"), ord('"'), ord("]"), ord("9"), 0x80])
        return "header bytes", pack(bytes(raw), data)
    if kind == 16:
        return "other top", pack(rng.choice(["[]", "null", "1", '"x"', "", " ", "{", "{}}", "{{}}", "\ufeff{}", "{\"a\":}", "{'a':1}",
                                             "{\"a\":1}", "{\"a\":[\"U8\",[0],[0,0]]}", "{}//c", "[" * 200 + "]" * 200]), b"")
    if kind == 17 and one:
        one["data_offsets"] = [o + 8 for o in one["data_offsets"]]
        return "hole", pack(json.dumps(header, ensure_ascii=False), data + bytes(8))
    if kind == 18 and one:
        key = rng.choice(list(one))
        part = json.dumps({key: one[key]}, ensure_ascii=False)[1:-1]
        full = json.dumps(one, ensure_ascii=False)
        return "field twice", pack(text.replace(full, full[:-1] + ", " + part + "}"), data)
    return "whole", pack(text, data)


def accepted(data):
    try:
        safetensors.deserialize(data)
        return True
    except Exception:
        return False


def whole(rng):
    header, data = draw(rng)
    return "whole", pack(json.dumps(header, ensure_ascii=False), data)


def add(cases, make, count, rng):
    seen = set()
    while len(seen) < count:
        what, data = make(rng)
        if data not in seen:
            seen.add(data)
            cases.append({"what": what, "accepted": accepted(data), "bytes": base64.b64encode(data).decode()})


def main():
    cases = []
    if len(sys.argv) > 2:
        add(cases, whole, int(sys.argv[2]), random.Random(12))
        add(cases, mutate, int(sys.argv[2]), random.Random(13))
    else:
        add(cases, mutate, 240, random.Random(11))
    with open(sys.argv[1], "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(sum(c["accepted"] for c in cases), "accepted of", len(cases))


if __name__ == "__main__":
    main()
