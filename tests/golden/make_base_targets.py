"""Writes references of the losses whose target the base model predicts, and of a slider of pairs.

    python tests/golden/make_base_targets.py        needs what make_models.py and make_z_image.py need

In float64, from the weights of models that those scripts write: a (epsilon), c (v) and z_image (flow).

References, tests/golden/reference/, with latents, noise, timesteps and adapters as in make_models.py; a text's tensors
have its head before their names, and those of the step's own caption, or of a slider's target, have none
  preserved_<prediction>.safetensors  heads: preserved. The loss on the images plus the mean of preservation_weight [2]
    times the squared difference between the predictions with and without the adapter, for the preserved text
  slider_<prediction>.safetensors     heads: positive, negative, anchor. The mean over adapter weights of +1 and -1 of
    the squared difference to target ± guidance (positive - negative), plus anchor_weight times the same mean of that
    between the anchor's predictions with and without the adapter
  pairs_<prediction>.safetensors      The mean of the loss on the images with the adapter at weight 1 and of that on the
    same images in reverse order at -1, with the same noise, timesteps and text: of the inputs of slider_<prediction>,
    loss and gradients [adapter tensors by name], of each its sum weighted by cos(i), i from 1
  metadata: rank, alpha, guidance, anchor_weight
"""

import torch
from peft.tuners.lora import LoraLayer

import make_models as sd
import make_z_image as zi
import transformer_references as flows

GUIDANCE, ANCHOR_WEIGHT = 2.5, 0.6


def squares(predicted, wanted):
    return (predicted - wanted).square().flatten(1).mean(1)


def set_scale(wrapped, factor):
    for module in wrapped.modules():
        if isinstance(module, LoraLayer):
            module.scaling["default"] *= factor


class Step:
    """A model with adapters; its predictions for texts by head. `texts` maps heads to tensors by name."""

    def __init__(self, wrapped, predict, inputs, texts):
        self.wrapped = wrapped
        self.predict = lambda head, given=inputs: predict(wrapped.base_model.model, given, texts[head])

    def base(self, head):
        with torch.no_grad(), self.wrapped.disable_adapter():
            return self.predict(head)


def preserved(step, target, weight):
    return squares(step.predict(""), target).mean() + (weight * squares(step.predict("preserved."),
                                                                         step.base("preserved."))).mean()


def slider(step):
    change = GUIDANCE * (step.base("positive.") - step.base("negative."))
    loss = 0
    for sign in (1, -1):
        set_scale(step.wrapped, sign)
        loss = loss + 0.5 * squares(step.predict(""), step.base("") + sign * change).mean()
        loss = loss + 0.5 * ANCHOR_WEIGHT * squares(step.predict("anchor."), step.base("anchor.")).mean()
        set_scale(step.wrapped, sign)
    return loss


def digest(gradient):
    values = gradient.double().flatten()
    return values @ torch.arange(1, len(values) + 1).double().cos()


def pairs(step, ends):
    """`ends`: noised inputs and target of the positive images, then of the negative ones."""
    loss = 0
    for sign, (noised, target) in zip((1, -1), ends):
        set_scale(step.wrapped, sign)
        loss = loss + 0.5 * squares(step.predict("", noised), target).mean()
        set_scale(step.wrapped, sign)
    return loss


def write(name, wrapped, named, predict, inputs, noised_of, noise, text, rank, alpha):
    """`text(seed)` draws one; `noised_of(latents)` gives the inputs of those with noise, and their target."""
    weight = torch.tensor([0.75, 0.4]).double()
    noised, target = noised_of(inputs["latents"])
    losses = {"preserved": lambda step: preserved(step, target, weight), "slider": slider,
              "pairs": lambda step: pairs(step, [(noised, target), noised_of(inputs["latents"].flip(0))])}
    for kind, heads in (("preserved", ["preserved."]), ("slider", ["positive.", "negative.", "anchor."]), ("pairs", [])):
        texts = {head: text(9000 + i) for i, head in enumerate(["", *heads])}
        loss = losses[kind](Step(wrapped, predict, noised, texts))
        wrapped.zero_grad()
        loss.backward()
        gradients = flows.with_gradients(named)
        if kind == "pairs":
            sums = torch.stack([digest(g) for key, g in sorted(gradients.items()) if key.startswith("grad.")])
            sd.write_reference(f"pairs_{name}.safetensors", {"loss": loss, "gradients": sums})
            print(kind, name, loss.item())
            continue
        out = {**inputs, "noise": noise, "loss": loss}
        out |= {head + key: value for head, values in texts.items() for key, value in values.items()}
        if kind == "preserved":
            out["preservation_weight"] = weight
        sd.write_reference(f"{kind}_{name}.safetensors", out | gradients, rank=rank, alpha=alpha, guidance=GUIDANCE,
                           anchor_weight=ANCHOR_WEIGHT)
        print(kind, name, loss.item())


def write_unet(name, unet, tokens, seed):
    config = unet.config
    model = type("Named", (), {"configs": {"unet": dict(config)}})
    inputs = sd.unet_inputs(model, 2, 8, 8, tokens, seed)
    inputs["timesteps"] = inputs["timesteps"].floor()
    given = {k: inputs[k] for k in ("latents", "timesteps", "time_ids")}
    noise = sd.normal(*inputs["latents"].shape, seed=seed + 5)
    wrapped, named = sd.adapt("unet", unet, sd.ATTENTION, 4, 4, 6, seed + 6)

    def text(at):
        return dict(context=sd.normal(*inputs["context"].shape, seed=at),
                    pooled=sd.normal(*inputs["pooled"].shape, seed=at + 50))

    def predict(model, noised, texts):
        return sd.forward(model, **noised, **texts)

    def noised_of(latents):
        noisy, target = sd.noised(latents, noise, inputs["timesteps"], name)
        return {**given, "latents": noisy}, target

    write(name, wrapped, named, predict, given, noised_of, noise, text, 4, 6)


def write_flow(seed):
    config = zi.transformer_config(48, 3, [4, 6, 6], 3, 1, 40)
    model = zi.make_transformer(config, 600, torch.float16)
    lengths = (11, 33)
    inputs = zi.make_inputs(config, 8, 6, lengths, seed)
    given = {k: inputs[k] for k in ("latents", "timesteps")}
    noise = sd.normal(*inputs["latents"].shape, seed=seed + 5)
    level = (inputs["timesteps"] / 1000).view(-1, 1, 1, 1)
    wrapped, named = flows.adapt(model, zi.TARGETS, False, seed + 6)

    def text(at):
        made = zi.make_inputs(config, 8, 6, lengths, at)
        return {k: made[k] for k in ("text", "layout")}

    def predict(model, noised, texts):
        return zi.predict(model, {**noised, **texts}, lengths)

    def noised_of(latents):
        return {**given, "latents": (1 - level) * latents + level * noise}, noise - latents

    write("flow", wrapped, named, predict, given, noised_of, noise, text, flows.RANK, flows.ALPHA)


def main():
    half = torch.float16
    a = sd.Model(100, half, sd.unet_config((16, 32), (False, True), [1, 1], [2, 2], 1, 48, 32))
    c = sd.Model(300, torch.bfloat16, sd.unet_config((16, 32), (True, True), [1, 2], [2, 2], 1, 24, 16))
    write_unet("epsilon", a.unet, 7, 1000)
    write_unet("v", c.unet, 9, 3000)
    write_flow(8000)


if __name__ == "__main__":
    main()
