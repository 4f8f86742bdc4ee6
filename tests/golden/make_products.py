"""Reference values of LoHa and LoKr, on model a of make_models.py.

    python tests/golden/make_products.py        needs what make_models.py needs, and lycoris-lora

Written to tests/golden/reference/, in the form of make_models.py's {a}_lora_<set>.safetensors with
adapter.<path>.hada_w1_a … or .lokr_w1 … for LoRA's tensors:
  a_<loha|lokr>_peft.safetensors      PEFT's LoHaConfig and LoKrConfig on every target of linear+conv
  a_<loha|lokr>_lycoris.safetensors   lycoris-lora's LohaModule and LokrModule on the same layers
losses [20]: of plain gradient descent from adapter.* on the one batch, at `learning_rate`.
products.json: lycoris-lora's factorization of many dimensions.
Float64 throughout, without Tucker cores. PEFT scales a LoKr by alpha / r even where its second matrix
is whole, where LyCORIS and readers of its files have 1: there PEFT's scale is set to 1 too.
"""

import json
import pathlib
import tempfile

import make_models as mm
import torch
from lycoris.functional.general import factorization
from lycoris.modules.loha import LohaModule
from lycoris.modules.lokr import LokrModule
from peft import LoHaConfig, LoKrConfig, get_peft_model
from peft.tuners.loha import LoHaLayer
from peft.tuners.lokr import LoKrLayer

RANK, CONV_RANK, ALPHA = 2, 1, 3
RATES = {"loha": 0.5, "lokr": 0.05}
CONVS = ("conv", "conv1", "conv2")
TENSORS = {"loha": ["hada_w1_a", "hada_w1_b", "hada_w2_a", "hada_w2_b"],
           "lokr": ["lokr_w1", "lokr_w2", "lokr_w2_a", "lokr_w2_b"]}
# The factors of a change about as large as a LoRA's: small ones on the output's side.
SIZES = {"hada_w1_a": 0.3, "hada_w2_a": 0.3, "lokr_w1": 0.5, "lokr_w2": 0.1, "lokr_w2_a": 0.3}


def with_peft(model, form):
    config = LoHaConfig if form == "loha" else LoKrConfig
    kind = LoHaLayer if form == "loha" else LoKrLayer
    wrapped = get_peft_model(model, config(
        r=RANK, alpha=ALPHA, target_modules=mm.LINEAR_CONV, use_effective_conv2d=False,
        rank_pattern={f".*\\.{t}": CONV_RANK for t in mm.LINEAR_CONV if t in CONVS})).double()
    named = {}
    for path, module in sorted(wrapped.base_model.model.named_modules()):
        if not isinstance(module, kind):
            continue
        for tensor in TENSORS[form]:
            if "default" in getattr(module, tensor):
                named[f"unet.{path}.{tensor}"] = getattr(module, tensor)["default"]
        if form == "lokr" and "default" in module.lokr_w2:
            module.scaling["default"] = 1.0
    return wrapped, named, lambda: wrapped.unload()


def with_lycoris(model, form, paths):
    named, modules = {}, []
    for path in paths:
        layer = model.get_submodule(path)
        rank = CONV_RANK if path.split(".")[-1] in CONVS else RANK
        kind = LohaModule if form == "loha" else LokrModule
        module = kind(path.replace(".", "_"), layer, 1.0, rank, ALPHA).double()
        module.apply_to()
        modules.append(module)
        for tensor in TENSORS[form]:
            if isinstance(getattr(module, tensor, None), torch.nn.Parameter):
                named[f"unet.{path}.{tensor}"] = getattr(module, tensor)
    return model, named, lambda: [m.restore() for m in modules]


def fill(named, seed):
    draws = mm.drawn.Draws(seed)
    for name, value in sorted(named.items()):
        noise = draws.randn(value.shape) * SIZES.get(name.rsplit(".", 1)[-1], 1.0)
        value.data.copy_(draws.kept(noise / value[0].numel() ** 0.5))


def reference(name, made, inputs, rate):
    model, named, undo = made
    fill(named, 9000)
    steps, noise = inputs["timesteps"].floor(), mm.normal(*inputs["latents"].shape, seed=9001)
    noisy, target = mm.noised(inputs["latents"], noise, steps, "epsilon")
    inputs = {**inputs, "timesteps": steps}
    out = {**inputs, "noise": noise, "target": target}
    out |= {f"adapter.{k}": v.detach().clone() for k, v in named.items()}
    losses = []
    for step in range(20):
        predicted = mm.forward(model, **{**inputs, "latents": noisy})
        loss = torch.nn.functional.mse_loss(predicted, target)
        for value in named.values():
            value.grad = None
        loss.backward()
        if step == 0:
            out |= {"prediction": predicted.detach(), "loss": loss.detach()}
            out |= {f"grad.{k}": v.grad.clone() for k, v in named.items()}
        losses.append(loss.detach())
        with torch.no_grad():
            for value in named.values():
                value -= rate * value.grad
    out["losses"] = torch.stack(losses)
    print(name, losses[0].item(), losses[-1].item())
    mm.write_reference(name, out, rank=RANK, conv_rank=CONV_RANK, alpha=ALPHA, learning_rate=rate,
                       prediction="epsilon")
    undo()
    return sorted({k[len("unet."):].rsplit(".", 1)[0] for k in named})


def main():
    with tempfile.TemporaryDirectory() as folder:
        mm.MODELS = pathlib.Path(folder)
        (mm.MODELS / "b").mkdir()
        a = mm.make_models()[0]
    inputs = mm.unet_inputs(a, 2, 8, 8, 77, 1000)
    for form in TENSORS:
        paths = reference(f"a_{form}_peft.safetensors", with_peft(a.unet, form), inputs,
                          RATES[form])
        reference(f"a_{form}_lycoris.safetensors", with_lycoris(a.unet, form, paths), inputs,
                  RATES[form])
    dims = [1, 2, 6, 12, 30, 127, 128, 250, 320, 360, 512, 640, 768, 1024, 1280, 2048, 3072, 3840, 10240]
    splits = [[d, f, *factorization(d, f)] for d in dims for f in (-1, 1, 2, 4, 7, 8, 16, 64)]
    (mm.REFERENCE / "products.json").write_text(json.dumps(splits) + "\n")


if __name__ == "__main__":
    main()
