"""Gradients of every weight of the tiny SDXL model `a`, for training.method full.

    python tests/golden/make_full.py        needs torch, diffusers, transformers, peft, safetensors

Takes inputs and ids of reference/a_lora_text.safetensors (without its adapters), runs one forward
and backward in float64 with every weight of UNet and text encoders trained, and writes
reference/a_full.json: the loss, and of every gradient [norm, sum(g[i]*cos(i)), first, middle,
last]. The same of its VAE as an autoencoder (engine/models/vae/vae_loss.h), image and noise from
sines, in reference/a_full_vae.json.
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import load_file

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_models  # noqa: E402

torch.set_num_threads(1)


def model_a():
    half = torch.float16
    return make_models.Model(
        100, half,
        make_models.unet_config((16, 32), (False, True), [1, 1], [2, 2], 1, 48, 32),
        make_models.vae_config((16, 32), 1, 16),
        make_models.clip_config(16, 3, 2, "quick_gelu", 100, 99, 16),
        make_models.clip_config(32, 3, 4, "gelu", 100, 0, 32))


def fingerprint(gradient):
    g = gradient.flatten()
    wave = torch.cos(torch.arange(g.numel(), dtype=torch.float64))
    return [g.norm().item(), (g * wave).sum().item(), g[0].item(), g[g.numel() // 2].item(), g[-1].item()]


def sines(shape, step, start):
    """Values that both sides can compute, in NHWC order, as NCHW."""
    b, c, h, w = shape
    count = torch.arange(b * h * w * c, dtype=torch.float64)
    return torch.sin(step * count + start).view(b, h, w, c).permute(0, 3, 1, 2)


def vae(a):
    """L1 of pixels, three times its square, half of L1 of the neighbours' differences, a tenth of the divergence."""
    model = a.vae.requires_grad_(True)
    image, noise = sines((2, 3, 16, 24), 0.7, 0.1), sines((2, 4, 8, 12), 1.3, 0.5)
    mean, log_variance = model._encode(image).chunk(2, dim=1)
    log_variance = log_variance.clamp(-30, 20)
    decoded = model.decode(mean + torch.exp(0.5 * log_variance) * noise).sample
    pixels = (decoded - image).abs().mean()
    squares = ((decoded - image) ** 2).mean()
    edges = sum((torch.diff(decoded, dim=d) - torch.diff(image, dim=d)).abs().mean() for d in (2, 3))
    divergence = 0.5 * (mean**2 + log_variance.exp() - 1 - log_variance).mean()
    loss = pixels + 3 * squares + 0.5 * edges + 0.1 * divergence
    loss.backward()
    write("a_full_vae.json", {"pixels": pixels.item(), "squares": squares.item(), "edges": edges.item(), "divergence": divergence.item(),
                              "loss": loss.item(),
                              "gradients": {"vae." + n: fingerprint(p.grad) for n, p in model.named_parameters()}})


def write(name, content):
    content["gradients"] = dict(sorted(content["gradients"].items()))
    (make_models.REFERENCE / name).write_text(json.dumps(content, indent=0) + "\n")


def main():
    a = model_a()
    vae(a)
    given = {k: v.double() if v.is_floating_point() else v
             for k, v in load_file(make_models.drawn.whole(make_models.REFERENCE / "a_lora_text.safetensors")).items()}
    parts = {"unet": a.unet, "text_encoder": a.te1, "text_encoder_2": a.te2}
    for model in parts.values():
        model.requires_grad_(True)
    hidden1, hidden2, pooled = a.text(given["te1.ids"].long(), given["te2.ids"].long())
    noisy, target = make_models.noised(given["latents"], given["noise"], given["timesteps"], "epsilon")
    predicted = make_models.forward(a.unet, noisy, given["timesteps"], torch.cat([hidden1, hidden2], -1),
                                    pooled, given["time_ids"])
    loss = torch.nn.functional.mse_loss(predicted, target)
    loss.backward()
    gradients = {}
    for part, model in parts.items():
        for name, p in model.named_parameters():
            if part.startswith("text") and not name.startswith(("text_model.", "text_projection.")):
                name = "text_model." + name
            # Without gradient: the first encoder's last layer and final norm.
            gradients[f"{part}.{name}"] = fingerprint(torch.zeros_like(p) if p.grad is None else p.grad)
    write("a_full.json", {"loss": loss.item(), "gradients": gradients})


if __name__ == "__main__":
    main()
