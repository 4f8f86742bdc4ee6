"""ncu's CSV as a table of kernels: python3 kernels.py REPORT.csv OUT.md"""

import collections
import csv
import pathlib
import re
import sys

FACTORS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3, "s": 1e6, "second": 1e6,
           "byte": 1e-6, "kbyte": 1e-3, "mbyte": 1, "gbyte": 1e3}


def main():
    report, out = map(pathlib.Path, sys.argv[1:3])
    lines = report.read_text(errors="replace").splitlines()
    header = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if header is None:
        sys.exit("ncu measured nothing: " + " ".join(lines[-3:])[:300])
    kernels = collections.defaultdict(lambda: [0, 0.0, 0.0])  # launches, us, MB
    for row in csv.DictReader(lines[header:]):
        metric, unit = row.get("Metric Name", ""), (row.get("Metric Unit") or "").lower()
        if unit not in FACTORS:
            continue
        value = float(row["Metric Value"].replace(",", "")) * FACTORS[unit]
        kernel = kernels[re.sub(r"\(.*", "", row["Kernel Name"])[:90]]
        if metric.startswith("gpu__time_duration"):
            kernel[0] += 1
            kernel[1] += value
        else:
            kernel[2] += value
    total = sum(us for _, us, _ in kernels.values())
    if not total:
        sys.exit("ncu measured nothing")
    text = [f"{sum(n for n, _, _ in kernels.values()):,} launches, {total / 1000:.1f} ms in kernels\n",
            "| kernel | launches | ms | share | GB/s |", "|---|---|---|---|---|"]
    for name, (count, us, megabytes) in sorted(kernels.items(), key=lambda k: -k[1][1])[:40]:
        text.append(f"| `{name.replace('|', '/')}` | {count} | {us / 1000:.2f} | {100 * us / total:.1f} % | "
                    f"{megabytes / us * 1e3 if us else 0:,.0f} |")
    out.write_text("\n".join(text) + "\n")
    print("\n".join(text))


if __name__ == "__main__":
    main()
