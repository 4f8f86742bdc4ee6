"""GGUF's packed types: random blocks must decode to the gguf package's values, bit for bit.

    python tests/interop/gguf_blocks.py [--tests build/bin/engine_models_tests] [--blocks 1000000]

Needs gguf, numpy and safetensors. Blocks of every type.
"""

import random_blocks

if __name__ == "__main__":
    random_blocks.compare(__doc__, make="make_gguf.py", program="engine_models_tests",
                          test="BlockFormats.NightlyRandomBlocks", variable="MANTISSA_GGUF_BLOCKS",
                          file="blocks.safetensors")
