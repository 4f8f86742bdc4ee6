"""NF4: random blocks must have bitsandbytes' codes and decode to its values, bit for bit.

    python tests/interop/nf4_blocks.py [--tests build/bin/kernels_tests] [--blocks 1000000]

Needs bitsandbytes, torch, numpy and safetensors. Blocks, each of another size, 50,000 at a time.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
AT_ONCE = 50_000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests", type=pathlib.Path, default=ROOT / "build/bin/kernels_tests")
    parser.add_argument("--blocks", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, -(-options.blocks // AT_ONCE) + 1):
            subprocess.run([sys.executable, ROOT / "tests/golden/make_nf4.py", "--blocks", str(AT_ONCE),
                            "--seed", str(seed), folder], check=True)
            subprocess.run([options.tests, "--gtest_brief=1", "--gtest_filter=*Nf4Test.NightlyRandomBlocks*"],
                           env={**os.environ, "MANTISSA_NF4_BLOCKS": f"{folder}/nf4.bin"}, check=True)
    print(f"{seed * AT_ONCE} blocks: 0 differ")


if __name__ == "__main__":
    main()
