"""Recorded steps by class and op, for the roofline: classes.py PROFILES OPS OUT.tsv

PROFILES is the folder of the stage `profile` (profile-NAME.tsv); OPS has the ops that the engine
records for the same steps, in their order (NAME.tsv: op, launches of the same kernels, and each class
with its row's name): MANTISSA_ROOFLINE_OPS=OPS build/bin/engine_plan_tests --gtest_filter='*RooflineRows*'.
Kernels are recorded in the order of the ops too, so both are walked at once. A cell is the number of
ops and their µs. Rows that are short everywhere are one for each class.
"""

import collections
import pathlib
import re
import sys

from kernels import shortened

NAMES = ("BF16", "DoRA", "FP8", "FP8-storage", "NF4-storage", "MXFP8-storage", "INT8")
SHORT = 90  # µs of a row in a step
# Kernels by what they are to an op; the first that fits. Small letters may stand before any kernel of
# an op (a: a filled or copied buffer, p: padding), r after one.
TOKENS = (("a", "^(fill|copy)$|init_device_workspace"), ("p", "AddPadding|nchwToNhwc|nhwcTo"), ("r", "splitKreduce"),
          ("D", "compute_dot_do_o"), ("Q", "convert_dq"), ("B", "sdpa.*bprop"), ("A", "sdpa"),
          ("O", "Unit(Gradient)?Rows"), ("E", "quantize_held_rows"), ("S", "finish_product"),
          ("P", "codes_product"), ("T", "taps_first"),
          ("F", "_factors_kernel"), ("C", "column_sums"), ("G", "group_(statistics|gradient)"), ("N", "norm_(for|back)ward"),
          ("V", "fprop|dgrad|wgrad|convFwd|convBwd|cutlass__5x_cudnn"), ("M", "nvjet|gemm|cutlass::Kernel2"), ("O", "."))
OPS = {"matmul": "M", "accumulate_product": "M", "linears": "M#", "linear_fp8": "E(M|P)", "linear_fp8_backward": "E(M|P)",
       "linear_int8": "E(MS|P)#", "linear_int8_backward": "(E(MS|P)#)@", "attention": "A", "attention_backward": "DBQ",
       "group_norm": "CGN", "group_norm_backward": "CGN", "layer_norm": "N", "layer_norm_backward": "N",
       "conv2d": "T?(V|M)p*", "conv2d_backward_data": "T?(V|M)p*", "dora_factors": "F+", "concat_channels": "OO", "mse_loss": "OO"}
PART = {"E": "encoding", "S": "int8_sums", "T": "decoding"}


def token(name):
    return next(letter for letter, pattern in TOKENS if re.search(pattern, name))


def pattern_of(op, launches):
    """What an op's kernels are, as a regular expression over their tokens."""
    encodings, products = launches
    each = products // max(1, encodings)  # each layer's gradient is encoded once, and multiplied in parts
    text = OPS.get(op, "O").replace("@", f"{{{max(1, encodings)}}}").replace("#", f"{{{each}}}")
    if encodings == 0:  # a unit wrote the codes
        text = text.replace("E", "")
    return re.compile(re.sub("([A-Z])", r"(?:[ap]*\1r*)", text))


def read_ops(path):
    """(op, launches of its encoding and of its GEMM, {class: name of its row}) of every op."""
    for line in path.read_text().splitlines():
        op, encodings, products, *parts = line.split("\t")
        yield op, (int(encodings), int(products)), dict(part.split("|") for part in parts)


def walk(profile, ops):
    """{(class, row): [ops, µs]}, and what belongs to no op."""
    nodes = [line.split("\t") for line in profile.read_text().splitlines()]
    tokens = "".join(token(name) for _, _, name in nodes)
    rows, at = collections.defaultdict(lambda: [0, 0.0]), 0
    for number, (op, launches, parts) in enumerate(ops):
        found = pattern_of(op, launches).match(tokens, at)
        if not found:
            sys.exit(f"{profile}: {op}, op {number}, isn't what was recorded at node {at}: "
                     f"{tokens[at:at + 8]}, {shortened(nodes[at][2])}")
        main = next(kind for kind in parts if kind not in PART.values() or len(parts) == 1)
        for kind, row in parts.items():
            rows[kind, row][0] += 1
        for node in range(at, found.end()):
            kind = PART.get(next((t for t in tokens[node:found.end()] if t.isupper()), ""), main)
            kind = kind if kind in parts else main
            rows[kind, parts[kind]][1] += float(nodes[node][1])
        at = found.end()
    return rows, nodes, at


def whole(rows, nodes, end):
    """Adds what isn't an op's: the update, and the gaps around kernels and around cleared buffers."""
    rows["optimizer", "rest"] = [len(nodes) - end, sum(float(ns) for _, ns, _ in nodes[end:])]
    last = max(float(start) + float(us) for start, us, _ in nodes)
    rows["gaps", "nodes"] = [len(nodes), last - float(nodes[0][0]) - sum(float(us) for _, us, _ in nodes)]
    rows["gaps", "cleared"] = [sum(name == "fill" for _, _, name in nodes), 0]


def main():
    profiles, ops, out = map(pathlib.Path, sys.argv[1:4])
    names = [name for name in NAMES if (profiles / f"profile-{name}.tsv").exists()]
    steps = []
    for name in names:
        rows, nodes, end = walk(profiles / f"profile-{name}.tsv", read_ops(ops / f"{name}.tsv"))
        whole(rows, nodes, end)
        steps.append(rows)
    keys = {key: max(step[key][1] if key in step else 0 for step in steps) for step in steps for key in step}
    table = collections.defaultdict(lambda: [[0, 0.0] for _ in names])
    for (kind, row), most in keys.items():
        kept = (kind, row if most >= SHORT or kind == "gaps" else "rest")
        for cell, step in zip(table[kept], steps):
            for i, value in enumerate(step.get((kind, row), (0, 0))):
                cell[i] += value
    lines = ["\t".join(("# class", "row", *names))]
    for (kind, row), cells in sorted(table.items(), key=lambda item: (item[0][0], -sum(us for _, us in item[1]))):
        lines.append("\t".join((kind, row, *(f"{n}:{us:.0f}" if n else "" for n, us in cells))))
    out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
