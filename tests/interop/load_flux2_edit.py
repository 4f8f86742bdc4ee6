"""FLUX.2 must edit images as diffusers does, with an adapter and without.

    python tests/interop/load_flux2_edit.py [--program build/bin/mantissa]

As load_flux2.py, with two reference images: their sizes, latents and positions in both programs.
"""

import family_adapters
from load_flux2 import Flux2


class Flux2Edit(Flux2):
    references = ((80, 64), (66, 97))  # the second is cut


if __name__ == "__main__":
    with family_adapters.checks(Flux2Edit()) as checks:
        checks.adapter("diffusers")
