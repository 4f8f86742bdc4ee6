"""Random blocks made by a script of tests/golden, for a test program that compares them."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
AT_ONCE = 50_000


def compare(description, make, program, test, variable, file):
    """Runs `test` of `program` (--tests names another) on --blocks blocks, 50,000 at a time. `make`
    writes them to `file` of a folder; `variable` tells the test where."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--tests", type=pathlib.Path, default=ROOT / "build/bin" / program)
    parser.add_argument("--blocks", type=int, default=1_000_000)
    options = parser.parse_args()
    rounds = -(-options.blocks // AT_ONCE)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, rounds + 1):
            subprocess.run([sys.executable, ROOT / "tests/golden" / make, "--blocks", str(AT_ONCE), "--seed",
                            str(seed), folder], check=True)
            subprocess.run([options.tests, "--gtest_brief=1", f"--gtest_filter={test}"],
                           env={**os.environ, variable: f"{folder}/{file}"}, check=True)
    print(f"{rounds * AT_ONCE} blocks of each type: 0 differ")
