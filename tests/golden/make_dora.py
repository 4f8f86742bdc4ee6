"""Reference values of DoRA on both axes, on model a of make_models.py.

    python tests/golden/make_dora.py        needs what make_models.py needs

Written to tests/golden/reference/, in the form of make_models.py's {a}_lora_<set>.safetensors with
adapter.<path>.lora_magnitude_vector [channels] added:
  a_dora_output.safetensors   PEFT's DoRA on every target of linear+conv: one magnitude per output
  a_dora_input.safetensors    the same layers with one magnitude an input channel. PEFT has no such
                              form: W' is written out, the norm detached, and left to autograd.
Float64 throughout. Magnitudes differ from the norms by a tenth.
"""

import pathlib
import tempfile

import make_models as mm
import torch
from peft import LoraConfig, get_peft_model
from peft.tuners.lora import LoraLayer


def adapt(model, axis, rank, conv_rank, alpha, seed):
    convs = {t: conv_rank for t in mm.LINEAR_CONV if t in ("conv", "conv1", "conv2")}
    config = LoraConfig(r=rank, lora_alpha=alpha, target_modules=mm.LINEAR_CONV, lora_dropout=0.0,
                        rank_pattern={f".*\\.{t}": r for t, r in convs.items()}, bias="none",
                        use_dora=axis == "output")
    wrapped = get_peft_model(model, config).double()
    draws, named = mm.drawn.Draws(seed), {}
    for path, module in sorted(wrapped.base_model.model.named_modules()):
        if not isinstance(module, LoraLayer):
            continue
        for letter, layers in (("A", module.lora_A), ("B", module.lora_B)):
            weight = layers["default"].weight
            value = draws.randn(weight.shape) / weight[0].numel() ** 0.5
            weight.data.copy_(draws.kept(value * (0.1 if letter == "B" else 1.0)))
            named[f"unet.{path}.lora_{letter}.weight"] = weight
        base = module.get_base_layer().weight.detach()
        dims = [d for d in range(base.ndim) if d != (0 if axis == "output" else 1)]
        norm = base.square().sum(dims).sqrt()
        moved = norm * (1 + 0.1 * draws.randn(norm.shape).double())
        if axis == "output":
            magnitude = module.lora_magnitude_vector["default"].weight
            magnitude.data.copy_(moved.view(magnitude.shape))
        else:
            magnitude = torch.nn.Parameter(moved)
            module.forward = per_input(module, magnitude, dims)
        named[f"unet.{path}.lora_magnitude_vector"] = magnitude
    return wrapped, named


def per_input(module, magnitude, dims):
    layer, scale = module.get_base_layer(), module.scaling["default"]
    down, up = module.lora_A["default"].weight, module.lora_B["default"].weight

    def forward(x):
        delta = (up.flatten(1) @ down.flatten(1)).view(layer.weight.shape)
        v = layer.weight + scale * delta
        shape = [1, -1] + [1] * (v.ndim - 2)
        w = (magnitude / v.detach().square().sum(dims).sqrt()).view(shape) * v
        if v.ndim == 2:
            return torch.nn.functional.linear(x, w, layer.bias)
        return torch.nn.functional.conv2d(x, w, layer.bias, layer.stride, layer.padding)

    return forward


def reference(model, inputs, axis):
    rank, conv_rank, alpha = 2, 1, 3
    unet, named = adapt(model.unet, axis, rank, conv_rank, alpha, 7000)
    steps, noise = inputs["timesteps"].floor(), mm.normal(*inputs["latents"].shape, seed=7001)
    noisy, target = mm.noised(inputs["latents"], noise, steps, "epsilon")
    inputs = {**inputs, "timesteps": steps}
    predicted = mm.forward(unet, **{**inputs, "latents": noisy})
    loss = torch.nn.functional.mse_loss(predicted, target)
    loss.backward()
    out = {**inputs, "noise": noise, "target": target, "prediction": predicted, "loss": loss}
    for k, v in named.items():
        out[f"adapter.{k}"] = v.flatten() if "magnitude" in k else v
        out[f"grad.{k}"] = v.grad.flatten() if "magnitude" in k else v.grad
    mm.write_reference(f"a_dora_{axis}.safetensors", out, rank=rank, conv_rank=conv_rank, alpha=alpha,
                       prediction="epsilon", axis=axis)
    unet.unload()


def main():
    with tempfile.TemporaryDirectory() as folder:
        mm.MODELS = pathlib.Path(folder)
        (mm.MODELS / "b").mkdir()
        a = mm.make_models()[0]
    inputs = mm.unet_inputs(a, 2, 8, 8, 77, 1000)
    for axis in ("output", "input"):
        reference(a, inputs, axis)


if __name__ == "__main__":
    main()
