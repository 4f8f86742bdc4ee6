"""LoHa and LoKr files with weight decomposition must load in LyCORIS and do there what they do here.

    python tests/interop/load_product_dora.py [--program build/bin/mantissa]

Needs lycoris-lora beside what mini_base.py needs. Trains the demo's UNet with adapter.decompose and
opens the file, under diffusers' paths, with lycoris.kohya.create_network_from_weights. The UNet's
prediction with that network must be that of the model that `mantissa merge` wrote. Fails on a module
that LyCORIS leaves out, and on an adapter without visible effect.

LyCORIS makes its modules from files with magnitudes per output only, and a LoKr's of convolutions only
where it guesses the factor again: LoKr is checked on the attention layers.
"""

import argparse
import json
import pathlib
import tempfile

import torch
from lycoris.kohya import LycorisNetworkKohya, create_network_from_weights
from safetensors import safe_open
from safetensors.torch import load_file

import load_lora
import mini_base
from mini_base import BASE, ROOT

RUNS = {"loha": {"targets": ["linear+conv"], "rank": 3, "conv_rank": 2, "alpha": 5},
        "lokr": {"targets": ["attention"], "rank": 2, "alpha": 3, "factor": 4}}
NOTHING, SAME = 1e-2, 2e-4  # of the largest value: a visible effect; FP32 in another order


def train(program, folder, form):
    preset = folder / f"{form}.json"
    preset.write_text(json.dumps({
        "mantissa_preset": 2, "name": form, "model": {"family": "sdxl"},
        "adapter": {"type": form, "decompose": True, **RUNS[form]},
        "data": {"resolution": 128, "batch_size": 2}, "training": {"steps": 12, "seed": 3},
        "optimizer": {"type": "adamw", "learning_rate": 1e-2},
        "output": {"name": form, "format": "onetrainer"}}))
    load_lora.run(program, folder / "home", "train", preset, "--base", "demo", "--images", "demo",
                  "--out", folder / form)
    return folder / form / f"{form}.safetensors"


def predicted(unet):
    config = unet.config
    generator = torch.Generator().manual_seed(7)
    pooled = config.projection_class_embeddings_input_dim - 6 * config.addition_time_embed_dim
    latents = torch.randn(1, config.in_channels, 16, 16, generator=generator)
    context = torch.randn(1, 77, config.cross_attention_dim, generator=generator)
    added = {"text_embeds": torch.randn(1, pooled, generator=generator),
             "time_ids": torch.tensor([[128.0, 128, 0, 0, 128, 128]])}
    with torch.no_grad():
        return unet(latents, torch.tensor([421]), context, added_cond_kwargs=added).sample


def check(failures, program, folder, form):
    file = train(program, folder, form)
    tensors = load_file(file)
    modules = {k.split(".")[0] for k in tensors}
    with safe_open(file, "np") as opened:
        args = json.loads(opened.metadata()["ss_network_args"])
    failures.require(f"{form}: LyCORIS's arguments", args["algo"] == form and args["dora_wd"] == "True", str(args))
    failures.require(f"{form}: a scale for each module",
                     modules == {k.split(".")[0] for k in tensors if k.endswith(".dora_scale")})
    unet = mini_base.load_unet()
    plain = predicted(unet)
    # It makes a network of all targets first, whose names clash in diffusers' UNet: without targets it doesn't.
    LycorisNetworkKohya.apply_preset({"unet_target_module": [], "unet_target_name": []})
    network, _ = create_network_from_weights(1.0, None, None, None, unet, weights_sd=tensors)
    failures.require(f"{form}: every module is made", len(network.unet_loras) == len(modules) > 0,
                     f"{len(network.unet_loras)} of {len(modules)}")
    failures.require(f"{form}: with weight decomposition", all(m.wd for m in network.unet_loras))
    for module in network.unet_loras:
        module.apply_to()
    there = predicted(unet)
    for module in network.unet_loras:
        module.restore()
    merged = folder / f"{form}-merged.safetensors"
    load_lora.run(program, folder / "home", "merge", "--base", BASE, "--lora", file, "--out", merged,
                  "--dtype", "fp32")
    here = predicted(mini_base.load_unet(merged))
    failures.check(f"{form}: effect", mini_base.relative(there, plain), NOTHING, at_least=True)
    failures.check(f"{form}: prediction in LyCORIS and merged here", mini_base.relative(there, here), SAME)
    again = folder / f"{form}-kohya.safetensors"
    load_lora.run(program, folder / "home", "convert", file, "--base", BASE, "--format", "kohya", "--out", again)
    load_lora.run(program, folder / "home", "merge", "--base", BASE, "--lora", again, "--out", merged,
                  "--dtype", "fp32", "--overwrite")
    failures.check(f"{form}: converted to kohya's names and merged",
                   mini_base.relative(predicted(mini_base.load_unet(merged)), there), SAME)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "mantissa"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    with tempfile.TemporaryDirectory() as name:
        for form in RUNS:
            check(failures, options.program, pathlib.Path(name), form)
    failures.exit()


if __name__ == "__main__":
    main()
