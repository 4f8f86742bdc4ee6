"""FLUX.3 must edit images as diffusers does, with an adapter and without.

    python tests/interop/load_flux3_edit.py [--program build/bin/mantissa]

As load_flux3.py, with two reference images, which are cut: their sizes, latents and positions in both programs. The
adapter is trained on pairs, so that the blocks of references are adapted too.
"""

import family_adapters
from diffusers.modular_pipelines.flux3.image_processor import Flux3ImageProcessor
from load_flux3 import Flux3


class Flux3Edit(Flux3):
    references = ((80, 64), (66, 97))
    pairs = True
    likeness = 70
    modules = {"transformer": 4 * (3 + 2)}

    def pipeline(self, base):
        pipe = super().pipeline(base)
        pipe.register_components(image_processor=Flux3ImageProcessor(vae_scale_factor=self.factor(pipe)))
        return pipe


if __name__ == "__main__":
    with family_adapters.checks(Flux3Edit()) as checks:
        checks.adapter("diffusers")
