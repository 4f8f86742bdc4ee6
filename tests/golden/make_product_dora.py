"""Reference values of LoHa and LoKr with weight decomposition (DoRA), on model a of make_models.py.

    python tests/golden/make_product_dora.py     needs what make_products.py needs

Written to tests/golden/reference/, in the form of make_products.py with
adapter.<path>.lora_magnitude_vector [channels] added:
  a_<loha|lokr>_dora_<output|input>.safetensors   lycoris-lora's LohaModule and LokrModule with
      weight_decompose and wd_on_out on or off, on every target of linear+conv
Its own autograd: gradients flow through the norm. Float64 throughout; there its epsilon beside the norm
is 2e-16. Magnitudes start a tenth off the norms and take part in the 20 steps.
"""

import pathlib
import tempfile

import make_models as mm
import make_products as mp
import torch
from lycoris.modules.loha import LohaModule
from lycoris.modules.lokr import LokrModule

MAGNITUDE = "lora_magnitude_vector"
RATES = {"loha": 0.3, "lokr": 0.03}


def decomposed(model, form, axis, paths):
    """As make_products.with_lycoris, with magnitudes."""
    named, modules = {}, []
    for path in paths:
        layer = model.get_submodule(path)
        rank = mp.CONV_RANK if path.split(".")[-1] in mp.CONVS else mp.RANK
        kind = LohaModule if form == "loha" else LokrModule
        module = kind(path.replace(".", "_"), layer, 1.0, rank, mp.ALPHA, weight_decompose=True,
                      wd_on_out=axis == "output").double()
        module.apply_to()
        modules.append(module)
        for tensor in mp.TENSORS[form]:
            if isinstance(getattr(module, tensor, None), torch.nn.Parameter):
                named[f"unet.{path}.{tensor}"] = getattr(module, tensor)
        named[f"unet.{path}.{MAGNITUDE}"] = module.dora_scale
    return named, lambda: [m.restore() for m in modules]


def fill(named, seed):
    mp.fill({k: v for k, v in named.items() if MAGNITUDE not in k}, seed)
    generator = mm.seeded(seed + 1)
    for name, value in sorted(named.items()):
        if MAGNITUDE in name:
            moved = torch.randn(value.shape, generator=generator).double()
            value.data.copy_(value.data * (1 + 0.1 * moved))


def stored(name, value):
    return (value.flatten() if MAGNITUDE in name else value).detach().clone()


def reference(model, form, axis, paths, inputs):
    named, undo = decomposed(model, form, axis, paths)
    fill(named, 9100)
    steps, noise = inputs["timesteps"].floor(), mm.normal(*inputs["latents"].shape, seed=9101)
    noisy, target = mm.noised(inputs["latents"], noise, steps, "epsilon")
    inputs = {**inputs, "timesteps": steps}
    out = {**inputs, "noise": noise, "target": target}
    out |= {f"adapter.{k}": stored(k, v) for k, v in named.items()}
    losses = []
    for step in range(20):
        predicted = mm.forward(model, **{**inputs, "latents": noisy})
        loss = torch.nn.functional.mse_loss(predicted, target)
        for value in named.values():
            value.grad = None
        loss.backward()
        if step == 0:
            out |= {"prediction": predicted.detach(), "loss": loss.detach()}
            out |= {f"grad.{k}": stored(k, v.grad) for k, v in named.items()}
        losses.append(loss.detach())
        with torch.no_grad():
            for value in named.values():
                value -= RATES[form] * value.grad
    out["losses"] = torch.stack(losses)
    name = f"a_{form}_dora_{axis}.safetensors"
    print(name, losses[0].item(), losses[-1].item())
    mm.write_reference(name, out, rank=mp.RANK, conv_rank=mp.CONV_RANK, alpha=mp.ALPHA,
                       learning_rate=RATES[form], prediction="epsilon", axis=axis)
    undo()


def main():
    with tempfile.TemporaryDirectory() as folder:
        mm.MODELS = pathlib.Path(folder)
        (mm.MODELS / "b").mkdir()
        a = mm.make_models()[0]
    inputs = mm.unet_inputs(a, 2, 8, 8, 77, 1000)
    _, named, undo = mp.with_peft(a.unet, "loha")
    paths = sorted({k[len("unet."):].rsplit(".", 1)[0] for k in named})
    undo()
    for form in mp.TENSORS:
        for axis in ("output", "input"):
            reference(a.unet, form, axis, paths, inputs)


if __name__ == "__main__":
    main()
