"""A lone reference image of FLUX.3 must be kept whole as diffusers keeps it, and its surroundings cut off the result.

    python tests/interop/load_flux3_lone.py [--program build/bin/mantissa]

As load_flux3_edit.py, without a size: that of the reference, of which no side is a multiple of a token's.
"""

import family_adapters
from load_flux3_edit import Flux3Edit


class Flux3Lone(Flux3Edit):
    references = ((70, 101),)
    width = height = None

    def canvas(self, pipe):
        return 72, 104


if __name__ == "__main__":
    with family_adapters.checks(Flux3Lone()) as checks:
        checks.adapter("diffusers")
