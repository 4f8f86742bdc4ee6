"""Writes references of steps that train the vectors of new words (textual inversion).

    python tests/golden/make_embeddings.py        needs what make_models.py and make_sd15.py need

In float64, from the weights of the models a and sd15: each text encoder's table of tokens with 5 further rows, of which
two words have 3 and 2, and the gradient of these rows.

References, tests/golden/reference/
  embeddings_sdxl.safetensors, embeddings_sd15.safetensors
    latents noise timesteps, of SDXL time_ids
    <part>.ids [2,77] I32, from the table's size on those of the words; the first text names the first word, the second
      both words, and the second twice
    <part>.words [5, width]   loss   grad.<part> [5, width]
"""

import torch

import make_models as sd
import make_sd15 as sd15

VOCABULARY, VECTORS = 100, (3, 2)
TEXTS = [[5, 17, 100, 101, 102, 42], [103, 104, 7, 63, 100, 101, 102, 12, 103, 104]]


def with_words(encoder, seed):
    """The encoder with further rows in its table; returns the table's parameter."""
    table = encoder.get_input_embeddings()
    words = sd.normal(sum(VECTORS), table.weight.shape[1], seed=seed) * 0.5
    table.weight = torch.nn.Parameter(torch.cat([table.weight.data, words]))
    return table.weight


def write(name, latents, steps, given, tables, ids, predict):
    noise = sd.normal(*latents.shape, seed=9701)
    noisy, target = sd.noised(latents, noise, steps, "epsilon")
    loss = torch.nn.functional.mse_loss(predict(noisy), target)
    loss.backward()
    out = dict(latents=latents, noise=noise, timesteps=steps, loss=loss, **given)
    for part, table in tables.items():
        out |= {f"{part}.ids": ids[part], f"{part}.words": table[VOCABULARY:], f"grad.{part}": table.grad[VOCABULARY:]}
    sd.write_reference(f"embeddings_{name}.safetensors", out)
    print(name, loss.item(), {part: table.grad[VOCABULARY:].norm().item() for part, table in tables.items()})


def write_sdxl():
    a = sd.model_a()
    inputs = sd.unet_inputs(a, 2, 8, 8, 77, 9600)
    steps = inputs["timesteps"].floor()
    tables = {"te1": with_words(a.te1, 9702), "te2": with_words(a.te2, 9703)}
    ids = {"te1": sd.padded(TEXTS, VOCABULARY, 99), "te2": sd.padded(TEXTS, VOCABULARY, 0)}
    hidden1, hidden2, pooled = a.text(ids["te1"].long(), ids["te2"].long())
    context = torch.cat([hidden1, hidden2], dim=-1)
    write("sdxl", inputs["latents"], steps, {"time_ids": inputs["time_ids"]}, tables, ids,
          lambda noisy: sd.forward(a.unet, noisy, steps, context, pooled, inputs["time_ids"]))


def write_sd15():
    parts, _ = sd15.tiny()
    latents, steps = sd.normal(2, 4, 16, 8, seed=9610), torch.tensor([17.0, 640.0]).double()
    tables = {"te1": with_words(parts["te1"], 9704)}
    ids = {"te1": sd.padded(TEXTS, VOCABULARY, 99)}
    context = parts["te1"](ids["te1"].long()).last_hidden_state
    write("sd15", latents, steps, {}, tables, ids, lambda noisy: sd15.forward(parts["unet"], noisy, steps, context))


if __name__ == "__main__":
    write_sdxl()
    write_sd15()
