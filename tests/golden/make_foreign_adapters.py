"""Adapters of PEFT's tuners and LyCORIS's algorithms, with what these libraries make of their base.

    python tests/golden/make_foreign_adapters.py tests/golden/foreign

with PyTorch, peft, lycoris-lora and safetensors from PyPI. The base is the demo model. Each case is
a folder with what the library saves, in adapter/ (PEFT) or adapter.safetensors. Where it can be
read, changes.safetensors holds every sixteenth row of what the library adds to each weight, by
diffusers' names; else cases.json has the form's name, by which it is to be refused.
"""
import json
import pathlib
import shutil
import struct
import sys

import numpy as np
import peft
import torch
from safetensors.torch import save_file
from torch import nn

from lycoris.modules import (boft, diag_oft, dylora, full, glora, ia3, locon, loha, lokr, norms)

OUT = pathlib.Path(sys.argv[1])
DEMO = pathlib.Path(__file__).parents[2] / "resources/demo/mini-sdxl.safetensors"
LDM = "model.diffusion_model.input_blocks.4.1.transformer_blocks.0."
BLOCK = "down_blocks.1.attentions.0.transformer_blocks.0."
ROWS = 16
# The layers of the little model: their paths in diffusers and in the demo's file.
LINEAR = {BLOCK + name: LDM + name for name in ("attn2.to_k", "attn2.to_v", "attn2.to_out.0")}
NORM = {BLOCK + "norm1": LDM + "norm1"}
CONV = {"down_blocks.0.resnets.0.conv1": "model.diffusion_model.input_blocks.1.0.in_layers.2"}
CASES = {}


def demo_tensor(name):
    data = DEMO.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    entry = json.loads(data[8:8 + size])[name]
    begin, end = entry["data_offsets"]
    values = np.frombuffer(data[8 + size + begin:8 + size + end], np.float16)
    return torch.tensor(values.reshape(entry["shape"]).astype(np.float32))


def layer(name, path):
    weight = demo_tensor(path + ".weight")
    try:
        bias = demo_tensor(path + ".bias")
    except KeyError:
        bias = None
    if name in NORM:
        made = nn.LayerNorm(weight.shape[0])
    elif name in CONV:
        made = nn.Conv2d(weight.shape[1], weight.shape[0], 3, padding=1, bias=bias is not None)
    else:
        made = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    made.weight.data = weight
    if bias is not None:
        made.bias.data = bias
    return made


def model():
    """The layers under their paths."""
    root = nn.Module()
    for name, path in {**LINEAR, **NORM, **CONV}.items():
        at = root
        parts = name.split(".")
        for part in parts[:-1]:
            if part not in dict(at.named_children()):
                at.add_module(part, nn.Module())
            at = getattr(at, part)
        at.add_module(parts[-1], layer(name, path))
    root.forward = lambda x: x
    return root


def filled(parameters, generator, scale=0.1):
    for p in parameters:
        p.data = scale * torch.randn(p.shape, generator=generator)


def keep_changes(folder, before, after):
    changes = {}
    for name, value in after.items():
        change = value.detach().float() - before[name]
        if change.abs().max() > 0:
            changes[name] = change.reshape(change.shape[0], -1)[::ROWS].contiguous()
    assert changes, folder
    save_file(changes, folder / "changes.safetensors")


def peft_case(name, config, refused=None, edit=None, prepare=None, trained=0.1):
    """`edit` changes the saved config, `prepare` the model after it is wrapped."""
    folder = OUT / name
    folder.mkdir(parents=True)
    torch.manual_seed(len(CASES))
    generator = torch.Generator().manual_seed(len(CASES))
    base = model()
    before = {k: v.clone() for k, v in base.state_dict().items()}
    wrapped = peft.get_peft_model(base, config)
    if prepare:
        prepare(wrapped)
    for key, p in wrapped.named_parameters():
        if p.requires_grad:
            p.data = p.data + trained * torch.randn(p.shape, generator=generator)
    wrapped.save_pretrained(folder / "adapter")
    (folder / "adapter" / "README.md").unlink(missing_ok=True)
    place = folder / "adapter" / "adapter_config.json"
    fields = json.loads(place.read_text())
    fields.update(edit or {})
    place.write_text(json.dumps(fields) + "\n")
    CASES[name] = {"refused": refused} if refused else {}
    if refused:
        return
    again = peft.PeftModel.from_pretrained(model(), folder / "adapter").merge_and_unload()
    keep_changes(folder, before, again.state_dict())


def merged(module):
    """As the layer multiplies: get_merged_weight of LoHa and LoKr (4.1.3) has their scale twice."""
    if not isinstance(module, (loha.LohaModule, lokr.LokrModule)):
        return module.get_merged_weight(1.0)
    weight = module.org_weight + module.get_weight(module.shape) * module.scalar
    return (module.apply_weight_decompose(weight) if module.wd else weight), None


def lycoris_case(name, make, layers, refused=None, head="lycoris_"):
    folder = OUT / name
    folder.mkdir(parents=True)
    torch.manual_seed(len(CASES))
    generator = torch.Generator().manual_seed(len(CASES))
    tensors, before, after = {}, {}, {}
    for path, ldm in layers.items():
        original = layer(path, ldm)
        own = {k: v.detach().clone() for k, v in original.named_parameters()}
        lora_name = head + path.replace(".", "_")
        module = make(lora_name, original)
        filled([p for k, p in module.named_parameters() if "org" not in k], generator, 0.3)
        for key, value in module.state_dict().items():
            if "org_" not in key:
                tensors[lora_name + "." + key] = value.detach().clone().contiguous()
        if refused:
            continue
        weight, bias = merged(module)
        for member, value in (("weight", weight), ("bias", bias)):
            if value is not None and member in own:
                before[path + "." + member] = own[member]
                after[path + "." + member] = value.reshape(own[member].shape)
    save_file(tensors, folder / "adapter.safetensors")
    CASES[name] = {"refused": refused} if refused else {}
    if not refused:
        keep_changes(folder, before, after)


def attempt(make, *args, **kwargs):
    """A tuner that this PEFT lacks, or that can't wrap such layers, is left out, with a line."""
    try:
        make(*args, **kwargs)
    except Exception as error:  # noqa: BLE001
        name = args[0]
        shutil.rmtree(OUT / name, ignore_errors=True)
        CASES.pop(name, None)
        print(f"left out: {name}: {type(error).__name__}: {error}")


def peft_lora():
    lora = lambda **kw: peft.LoraConfig(**{"r": 4, "lora_alpha": 6,
                                           "target_modules": ["to_k", "to_v"], **kw})
    attempt(peft_case, "peft-lora", lora())
    attempt(peft_case, "peft-lora-conv", lora(target_modules=["conv1"], r=2))
    attempt(peft_case, "peft-rslora", lora(use_rslora=True))
    attempt(peft_case, "peft-dora", lora(use_dora=True))
    attempt(peft_case, "peft-dora-conv", lora(use_dora=True, target_modules=["conv1"], r=2))
    attempt(peft_case, "peft-patterns", lora(rank_pattern={r"attn[12]\.to_k": 2, "to_.": 3},
                                             alpha_pattern={r".*\.to_(k|q)": 5, "zzz": 9}))
    attempt(peft_case, "peft-patterns-rslora", lora(use_rslora=True, rank_pattern={"to_v": 2},
                                                    alpha_pattern={"^down_blocks.*to_v": 3}))
    attempt(peft_case, "peft-lora-bias", lora(target_modules=["to_out.0"], lora_bias=True, r=2))
    attempt(peft_case, "peft-modules-to-save", lora(modules_to_save=["norm1"], r=2))
    attempt(peft_case, "peft-bias-lora-only", lora(target_modules=["to_out.0"], bias="lora_only",
                                                   r=2))
    attempt(peft_case, "peft-bias-all", lora(target_modules=["to_k"], bias="all", r=2))
    attempt(peft_case, "peft-exclude-modules", lora(exclude_modules=["to_v"]))
    attempt(peft_case, "peft-layers-to-transform",
            lora(layers_to_transform=[0], layers_pattern="transformer_blocks"))
    attempt(peft_case, "peft-fan-in-fan-out", lora(fan_in_fan_out=True))
    for init in ("gaussian", "orthogonal", "mica", "olora", "pissa"):
        attempt(peft_case, f"peft-init-{init}", lora(init_lora_weights=init), trained=0.05)
    attempt(peft_case, "peft-init-pissa-rslora", lora(init_lora_weights="pissa", use_rslora=True),
            trained=0.05)
    attempt(peft_case, "peft-init-eva", lora(), edit={"init_lora_weights": "eva"})
    attempt(peft_case, "peft-init-pissa-niter", lora(init_lora_weights="pissa_niter_4"),
            refused="pissa_niter_4")
    # Their starts need data or quantisation: what is saved differs from a LoRA's by the config alone.
    for init in ("corda", "loftq", "lora_ga"):
        attempt(peft_case, f"peft-init-{init}", lora(r=1), refused=init,
                edit={"init_lora_weights": init})
    attempt(peft_case, "peft-qalora", lora(r=1), refused="QA-LoRA", edit={"use_qalora": True})
    attempt(peft_case, "peft-alora", lora(r=1), refused="aLoRA",
            edit={"alora_invocation_tokens": [1, 2]})
    attempt(peft_case, "peft-layer-replication", lora(r=1), refused="layer_replication",
            edit={"layer_replication": [[0, 2]]})
    if hasattr(peft, "KasaConfig"):
        attempt(peft_case, "peft-kasa", lora(r=1, kasa_config=peft.KasaConfig()), refused="KaSA")
    attempt(peft_case, "peft-kasa-config", lora(r=1), refused="KaSA", edit={"kasa_config": {"x": 1}})


def peft_products():
    attempt(peft_case, "peft-loha", peft.LoHaConfig(r=2, alpha=3, target_modules=["to_k"]))
    attempt(peft_case, "peft-loha-conv", peft.LoHaConfig(r=2, alpha=3, target_modules=["conv1"],
                                                         use_effective_conv2d=True))
    attempt(peft_case, "peft-lokr", peft.LoKrConfig(r=2, alpha=3, target_modules=["to_k"],
                                                    decompose_factor=2))
    attempt(peft_case, "peft-lokr-both", peft.LoKrConfig(r=2, alpha=3, target_modules=["to_k"],
                                                         decompose_both=True, decompose_factor=8))
    # The second factor is whole: PEFT's scale holds for it all the same.
    attempt(peft_case, "peft-lokr-whole", peft.LoKrConfig(r=32, alpha=4, target_modules=["to_k"],
                                                          decompose_factor=4))
    attempt(peft_case, "peft-lokr-conv", peft.LoKrConfig(r=1, alpha=2, target_modules=["conv1"],
                                                         decompose_factor=4,
                                                         use_effective_conv2d=True))


def peft_refused():
    k = ["to_k"]
    tuners = {
        "ADALORA": lambda: peft.AdaLoraConfig(init_r=2, target_r=1, total_step=10, tinit=1, tfinal=2,
                                              target_modules=k),
        "OFT": lambda: peft.OFTConfig(r=0, oft_block_size=4, target_modules=k),
        "BOFT": lambda: peft.BOFTConfig(boft_block_size=4, target_modules=k),
        "IA3": lambda: peft.IA3Config(target_modules=k, feedforward_modules=[]),
        "VERA": lambda: peft.VeraConfig(r=2, target_modules=k, save_projection=False),
        "FOURIERFT": lambda: peft.FourierFTConfig(n_frequency=16, target_modules=k),
        "HRA": lambda: peft.HRAConfig(r=2, target_modules=k),
        "VBLORA": lambda: peft.VBLoRAConfig(r=1, num_vectors=4, vector_length=32, topk=1,
                                            target_modules=k),
        "RANDLORA": lambda: peft.RandLoraConfig(r=16, target_modules=k, save_projection=False),
        "SHIRA": lambda: peft.ShiraConfig(r=1, target_modules=k),
        "C3A": lambda: peft.C3AConfig(block_size=32, target_modules=k),
        "ROAD": lambda: peft.RoadConfig(group_size=8, target_modules=k),
        "WAVEFT": lambda: peft.WaveFTConfig(n_frequency=16, target_modules=k),
        "MISS": lambda: peft.MissConfig(r=2, target_modules=k),
        "DELORA": lambda: peft.DeloraConfig(r=2, target_modules=k),
        "GRALORA": lambda: peft.GraloraConfig(r=2, gralora_k=2, target_modules=k),
        "LN_TUNING": lambda: peft.LNTuningConfig(target_modules=["norm1"]),
        "HIRA": lambda: peft.HiraConfig(r=2, target_modules=k),
        "GLORA": lambda: peft.GloraConfig(r=2, target_modules=k),
        "PSOFT": lambda: peft.PsoftConfig(r=2, target_modules=k),
        "TINYLORA": lambda: peft.TinyLoraConfig(r=2, target_modules=k),
    }
    for tuner, config in tuners.items():
        name = "peft-" + tuner.lower().replace("_", "-")
        attempt(lambda case, c, t: peft_case(case, c(), refused=t), name, config, tuner)


def lycoris_all():
    k = {BLOCK + "attn2.to_k": LDM + "attn2.to_k"}
    out = {BLOCK + "attn2.to_out.0": LDM + "attn2.to_out.0"}
    both = {**k, **CONV}
    kw = dict(multiplier=1.0, lora_dim=2, alpha=1.5)
    attempt(lycoris_case, "lycoris-locon", lambda n, m: locon.LoConModule(n, m, **kw), both)
    attempt(lycoris_case, "lycoris-locon-tucker",
            lambda n, m: locon.LoConModule(n, m, use_tucker=True, **kw), CONV)
    attempt(lycoris_case, "lycoris-locon-scalar",
            lambda n, m: locon.LoConModule(n, m, use_scalar=True, **kw), k)
    attempt(lycoris_case, "lycoris-locon-rs",
            lambda n, m: locon.LoConModule(n, m, rs_lora=True, **kw), k)
    attempt(lycoris_case, "lycoris-locon-dora",
            lambda n, m: locon.LoConModule(n, m, weight_decompose=True, wd_on_out=True, **kw), both)
    attempt(lycoris_case, "lycoris-locon-bypass",
            lambda n, m: locon.LoConModule(n, m, bypass_mode=True, **kw), k)
    attempt(lycoris_case, "lycoris-dylora", dylora_module, k)
    attempt(lycoris_case, "lycoris-loha", lambda n, m: loha.LohaModule(n, m, **kw), both)
    attempt(lycoris_case, "lycoris-loha-tucker",
            lambda n, m: loha.LohaModule(n, m, use_tucker=True, **kw), CONV)
    attempt(lycoris_case, "lycoris-loha-scalar",
            lambda n, m: loha.LohaModule(n, m, use_scalar=True, **kw), k)
    attempt(lycoris_case, "lycoris-lokr", lambda n, m: lokr.LokrModule(n, m, factor=4, **kw), k)
    attempt(lycoris_case, "lycoris-lokr-both",
            lambda n, m: lokr.LokrModule(n, m, factor=8, decompose_both=True, **kw), k)
    attempt(lycoris_case, "lycoris-lokr-whole",
            lambda n, m: lokr.LokrModule(n, m, factor=4, full_matrix=True, **kw), k)
    attempt(lycoris_case, "lycoris-lokr-tucker",
            lambda n, m: lokr.LokrModule(n, m, factor=4, use_tucker=True, **kw), CONV)
    attempt(lycoris_case, "lycoris-lokr-dora",
            lambda n, m: lokr.LokrModule(n, m, factor=4, weight_decompose=True, wd_on_out=True,
                                         **kw), k)
    attempt(lycoris_case, "lycoris-norm", lambda n, m: norms.NormModule(n, m, 1.0), NORM)
    attempt(lycoris_case, "lycoris-full", full_module, out)
    attempt(lycoris_case, "lycoris-glora", lambda n, m: glora.GLoRAModule(n, m, **kw), k,
            refused="GLoRA")
    attempt(lycoris_case, "lycoris-ia3", lambda n, m: ia3.IA3Module(n, m, 1.0), k, refused="IA³")
    attempt(lycoris_case, "lycoris-diag-oft",
            lambda n, m: diag_oft.DiagOFTModule(n, m, 1.0, lora_dim=4), k, refused="OFT")
    attempt(lycoris_case, "lycoris-boft", lambda n, m: boft.ButterflyOFTModule(n, m, 1.0, lora_dim=4),
            k, refused="OFT")


def dylora_module(name, original):
    """At its whole rank, as its file is read by LyCORIS and others: as a LoRA."""
    module = dylora.DyLoraModule(name, original, 1.0, lora_dim=2, alpha=1.5, block_size=1)
    at_any_rank = module.get_merged_weight
    module.get_merged_weight = lambda multiplier: at_any_rank(multiplier, rank=1)
    return module


def full_module(name, original):
    module = full.FullModule(name, original, 1.0)
    module.apply_to()
    return module


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    peft_lora()
    peft_products()
    peft_refused()
    lycoris_all()
    (OUT / "cases.json").write_text(json.dumps(
        {"peft": peft.__version__, "torch": torch.__version__, "cases": CASES}, indent=1) + "\n")


if __name__ == "__main__":
    main()
