"""Writes adapter files for the tiny SDXL model `a` with other programs.

    python tests/golden/make_adapters.py     needs torch, diffusers, transformers, peft, lycoris-lora

Files, tests/golden/adapters/
  peft/unet/, peft/text_encoder/   LoraConfig(rank_pattern, alpha_pattern) by PEFT's save_pretrained
  peft_dora/unet/                  the same with use_dora
  diffusers.safetensors            StableDiffusionXLPipeline.save_lora_weights, with adapter metadata
  locon.safetensors loha.safetensors lokr.safetensors dora.safetensors dora_input.safetensors
                                   LyCORIS, names "lycoris_…"; convolutions with Tucker cores
  expected.json   by file and canonical module path: the change of the weight (merged - base), as
                  [norm, sum(d[i]*cos(i)), first, middle, last]
"""

import json
import math
import pathlib
import shutil
import sys

import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_full  # noqa: E402
import make_models as mm  # noqa: E402

OUT = HERE / "adapters"
UNET = ["down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q",
        "down_blocks.1.attentions.0.transformer_blocks.0.attn2.to_k", "down_blocks.0.resnets.0.conv1"]
TEXT = ["text_model.encoder.layers.0.self_attn.q_proj"]


def shake(parameters, seed):
    """No factor stays zero; magnitudes move slightly from their initial values."""
    generator = mm.seeded(seed)
    for name, p in parameters:
        noise = torch.randn(p.shape, generator=generator, dtype=torch.float32).to(p.dtype)
        size = 1 / math.sqrt(max(p.numel() // p.shape[0], 1)) if p.ndim > 1 else 0.1
        scale = "magnitude" in name or "dora_scale" in name
        # A LoHa's change is a product of four factors.
        strength = 1.5 if "hada" in name else 0.3
        p.data.copy_(p.data * (1 + 0.1 * noise) if scale else strength * size * noise)


def peft_part(model, targets, seed, **options):
    config = LoraConfig(r=2, lora_alpha=3, target_modules=targets, lora_dropout=0.0, bias="none",
                        rank_pattern={targets[-1]: 3}, alpha_pattern={targets[0]: 5}, **options)
    torch.manual_seed(seed)
    wrapped = get_peft_model(model.float(), config)
    shake([(n, p) for n, p in wrapped.named_parameters() if "lora_" in n], seed)
    return wrapped


def bare(wrapped):
    return {k.removeprefix("base_model.model."): v for k, v in get_peft_model_state_dict(wrapped).items()}


def peft_changes(wrapped, prefix):
    changes = {}
    for name, module in wrapped.base_model.model.named_modules():
        if hasattr(module, "lora_A") and len(module.lora_A):
            before = module.get_base_layer().weight.detach().double().clone()
            module.merge()
            after = module.get_base_layer().weight.detach().double().clone()
            module.unmerge()
            if prefix.startswith("text") and not name.startswith("text_model."):
                name = "text_model." + name
            changes[f"{prefix}.{name}"] = make_full.fingerprint(after - before)
    return changes


def lycoris_file(unet, name, seed, **options):
    from lycoris import LycorisNetwork, create_lycoris
    LycorisNetwork.apply_preset({"enable_conv": True, "target_module": [], "target_name": UNET})
    torch.manual_seed(seed)
    network = create_lycoris(unet.float(), 1.0, linear_dim=4, linear_alpha=2, conv_dim=2, conv_alpha=1, **options)
    named = [(f"{m.lora_name}.{n}", p) for m in network.loras for n, p in m.named_parameters()]
    shake([(n, p) for n, p in named if "alpha" not in n], seed)
    paths = {p.replace(".", "_"): p for p, _ in unet.named_modules()}
    changes = {}
    for module in network.loras:
        path = paths[module.lora_name.removeprefix("lycoris_")]
        base = unet.get_submodule(path).weight
        # LoHa's and LoKr's get_merged_weight applies alpha/dim twice; this matches their forward.
        weight = (module.get_merged_weight(1.0)[0] if hasattr(module, "lora_up")
                  else base + module.get_weight(module.shape))
        changes["unet." + path] = make_full.fingerprint((weight.detach().double() - base.detach().double()))
    state = {f"{m.lora_name}.{k}": v.detach().float().contiguous().clone()
             for m in network.loras for k, v in m.state_dict().items()}
    save_file(state, OUT / name, metadata={"format": "pt"})
    assert len(changes) == len(UNET), (name, sorted(changes))
    return changes


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    expected = {}
    a = make_full.model_a()
    unet = peft_part(a.unet, UNET, 1)
    te1 = peft_part(a.te1, TEXT if hasattr(a.te1, "text_model") else [t.removeprefix("text_model.") for t in TEXT], 2)
    changes = peft_changes(unet, "unet") | peft_changes(te1, "text_encoder")
    unet.save_pretrained(OUT / "peft" / "unet")
    te1.save_pretrained(OUT / "peft" / "text_encoder")
    expected["peft"] = changes
    from diffusers import StableDiffusionXLPipeline
    StableDiffusionXLPipeline.save_lora_weights(
        OUT, unet_lora_layers=bare(unet), text_encoder_lora_layers=bare(te1),
        unet_lora_adapter_metadata=unet.peft_config["default"].to_dict(),
        text_encoder_lora_adapter_metadata=te1.peft_config["default"].to_dict(),
        weight_name="diffusers.safetensors")
    expected["diffusers.safetensors"] = changes
    dora = peft_part(make_full.model_a().unet, UNET, 3, use_dora=True)
    expected["peft_dora"] = peft_changes(dora, "unet")
    dora.save_pretrained(OUT / "peft_dora" / "unet")
    for folder in OUT.glob("*/*/README.md"):
        folder.unlink()
    for name, options in {"locon": dict(algo="locon", use_tucker=True), "loha": dict(algo="loha", use_tucker=True),
                          "lokr": dict(algo="lokr", factor=4), "dora": dict(algo="locon", dora_wd=True),
                          "dora_input": dict(algo="locon", dora_wd=True, wd_on_output=False)}.items():
        fresh = make_full.model_a().unet
        expected[f"{name}.safetensors"] = lycoris_file(fresh, f"{name}.safetensors", len(expected), **options)
    for file in OUT.glob("**/*.safetensors"):
        file.chmod(0o644)
    (OUT / "expected.json").write_text(json.dumps(expected, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
