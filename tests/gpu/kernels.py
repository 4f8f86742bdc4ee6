"""One replay of a training step as a table of kernels: kernels.py TIMES OUT.md

TIMES is what tests/gpu/kernel_times.cpp wrote; the replay is the last but one of the longest
recording. Beside OUT.md, OUT.tsv lists its nodes in order: start and duration in µs, name.
"""

import collections
import pathlib
import re
import sys

KINDS = (("attention", "sdpa|fmha|flash"), ("convolution", "fprop|dgrad|wgrad|conv"), ("own kernels", "mantissa"),
         ("products", "gemm|nvjet|cutlass|splitK|cublas"), ("copies and fills", "^(copy|fill)$"))


def kind_of(name):
    return next((kind for kind, pattern in KINDS if re.search(pattern, name)), "other")


def shortened(name):
    """Without arguments and the namespaces of our own; a mangled name as it is."""
    return re.sub(r"\(.*", "", re.sub(r"mantissa::(cuda::)?|\(anonymous namespace\)::|^void ", "", name))[:90]


def replay_of(path):
    launches = collections.defaultdict(list)  # launch: nodes of (start, duration, name) in ns
    with open(path, errors="replace") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 4:
                launches[fields[0]].append((int(fields[1]), int(fields[2]), fields[3]))
    most = max(map(len, launches.values()), default=0)
    replays = sorted(min(nodes)[0] for nodes in launches.values() if len(nodes) == most)
    if most < 2:
        sys.exit("no replay was seen")
    begin = replays[max(0, len(replays) - 2)]
    return len(replays), sorted(next(n for n in launches.values() if len(n) == most and min(n)[0] == begin))


def table(head, groups, total):
    rows = [f"| {head} | nodes | ms | share |", "|---|---|---|---|"]
    for name, (count, ns) in sorted(groups.items(), key=lambda g: -g[1][1])[:45]:
        rows.append(f"| {name} | {count} | {ns / 1e6:.2f} | {100 * ns / total:.1f} % |")
    return rows


def main():
    times, out = map(pathlib.Path, sys.argv[1:3])
    count, nodes = replay_of(times)
    kernels, kinds = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
    for _, ns, name in nodes:
        for group in (kernels[f"`{shortened(name).replace('|', '/')}`"], kinds[kind_of(name)]):
            group[0] += 1
            group[1] += ns
    busy = sum(ns for _, ns, _ in nodes)
    begin, end = nodes[0][0], max(start + ns for start, ns, _ in nodes)
    text = [f"One of {count} replays: {len(nodes):,} nodes, {busy / 1e6:.1f} ms in kernels, {(end - begin) / 1e6:.1f} ms "
            f"from the first to the last, {(end - begin - busy) / len(nodes) / 1e3:.2f} µs between two\n",
            *table("kind", kinds, busy), "", *table("kernel", kernels, busy)]
    out.write_text("\n".join(text) + "\n")
    out.with_suffix(".tsv").write_text("".join(f"{(start - begin) / 1e3:.2f}\t{ns / 1e3:.2f}\t{name}\n"
                                               for start, ns, name in nodes))
    print("\n".join(text))


if __name__ == "__main__":
    main()
