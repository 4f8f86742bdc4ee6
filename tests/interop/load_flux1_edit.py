"""FLUX.1 Kontext must edit images as diffusers does, with an adapter and without.

    python tests/interop/load_flux1_edit.py [--program build/bin/mantissa]

As load_flux1.py, with FluxKontextPipeline and a reference image: of one of its sizes, and of another one, which both
programs stretch to the bytes of Pillow. The adapter is trained on images with references. Fails below 70 dB between
the programs.
"""

import torch
from diffusers import FluxKontextPipeline

import family_adapters
from load_flux1 import Flux1


class Flux1Edit(Flux1):
    references = ((1104, 944),)
    pairs = True
    likeness = 70

    def pipeline(self, base):
        return FluxKontextPipeline.from_pretrained(base, torch_dtype=torch.float32)

    def render(self, pipe, start, **options):
        return super().render(pipe, start, max_area=self.width * self.height, **options)


class Stretched(Flux1Edit):
    references = ((700, 500),)


if __name__ == "__main__":
    with family_adapters.checks(Flux1Edit()) as checks:
        checks.adapter("diffusers")
        checks.family, checks.folder = Stretched(), checks.folder / "stretched"
        checks.folder.mkdir()
        checks.base()
