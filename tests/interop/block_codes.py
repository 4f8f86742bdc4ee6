"""MXFP8 and NVFP4: codes of random blocks must be comfy-kitchen's, and their values its and torchao's, bit for bit.

    python tests/interop/block_codes.py [--tests build/bin/kernels_tests] [--blocks 1000000]

Needs comfy-kitchen, torchao, torch, numpy and safetensors.
"""

import random_blocks

if __name__ == "__main__":
    random_blocks.compare(__doc__, make="make_block_codes.py", program="kernels_tests",
                          test="*BlockCodesTest.NightlyRandomBlocks*", variable="MANTISSA_BLOCK_CODES",
                          file="block_codes.bin")
