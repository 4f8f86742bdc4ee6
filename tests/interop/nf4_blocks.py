"""NF4: random blocks must have bitsandbytes' codes and decode to its values, bit for bit.

    python tests/interop/nf4_blocks.py [--tests build/bin/kernels_tests] [--blocks 1000000]

Needs bitsandbytes, torch, numpy and safetensors.
"""

import random_blocks

if __name__ == "__main__":
    random_blocks.compare(__doc__, make="make_nf4.py", program="kernels_tests",
                          test="*Nf4Test.NightlyRandomBlocks*", variable="MANTISSA_NF4_BLOCKS", file="nf4.bin")
