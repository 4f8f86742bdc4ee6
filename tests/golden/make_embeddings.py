"""Writes references of steps that train the vectors of new words (textual inversion).

    python tests/golden/make_embeddings.py        needs what make_models.py, make_sd15.py and the transformers' scripts need

In float64, from the weights of the models a, sd15 and of the folders: each text encoder's table of tokens with 5
further rows, of which two words have 3 and 2, and the gradient of these rows.

References, tests/golden/reference/
  embeddings_sdxl.safetensors, embeddings_sd15.safetensors
    latents noise timesteps, of SDXL time_ids
    <part>.ids [2,77] I32, from the table's size on those of the words; the first text names the first word, the second
      both words, and the second twice
    <part>.words [5, width]   loss   grad.<part> [5, width]
  embeddings_<folder>.safetensors, of pixart, flux1, flux2, anima, qwen_image, qwen_image_21 and ernie_image
    the same texts, tokens.<input> [2,…] I32 being what the model's encoders are fed, in place of <part>.ids; metadata:
    tokens that the denoiser gets
"""

import diffusers
import torch
import transformers
from diffusers.modular_pipelines.qwenimage21 import encoders as qwen_image21_encoders

import make_anima as anima
import make_ernie_image as ernie_image
import make_flux1 as flux1
import make_flux2 as flux2
import make_models as sd
import make_pixart as pixart
import make_qwen_image as qwen_image
import make_qwen_image21 as qwen_image21
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


TOKENS = 12  # of a text, with padding
CHANNELS = {"flux1": 16, "flux2": 16, "anima": 4, "qwen_image": 4, "qwen_image_21": 8, "ernie_image": 16}


def load(folder, kind, part):
    return kind.from_pretrained(folder / part, dtype=torch.float64).double().eval().requires_grad_(False)


def texts(first, length=TOKENS, padding=0, before=(), end=()):
    """Ids [2,length] of the texts with those of words from `first` on, and which of them are padding."""
    rows = [[*before, *(i % first if i < VOCABULARY else i - VOCABULARY + first for i in text), *end] for text in TEXTS]
    ids = torch.tensor([row + [padding] * (length - len(row)) for row in rows]).int()
    return ids, torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows]).int()


def put_words(table, seed):
    """Further rows for a table of tokens; its size before, and the parameter."""
    first = table.weight.shape[0]
    words = sd.normal(sum(VECTORS), table.weight.shape[1], seed=seed) * 0.5
    table.weight = torch.nn.Parameter(torch.cat([table.weight.data, words]))
    return first, table.weight


def states_of(decoder, ids, real, numbers):
    """Hidden states of a decoder side by side, as transformers numbers them."""
    states = decoder(input_ids=ids.long(), attention_mask=real.long(), output_hidden_states=True).hidden_states
    return torch.cat([states[n] for n in numbers], -1)


def write_flow(name, seed, fed, tables, text, transformer, predict, size=(4, 6), tokens=TOKENS, vp=False, **more):
    """`fed`: the encoders' inputs; `tables`: by part, their size before the words and the parameter; `text`: what the
    denoiser's call takes of them."""
    latents = sd.normal(2, CHANNELS.get(name, 4), *size, seed=seed)
    noise, steps = sd.normal(*latents.shape, seed=seed + 1), torch.tensor([640.0, 125.0]).double()
    level = (steps / 1000).view(-1, 1, 1, 1)
    noisy = pixart.noised(latents, noise, steps) if vp else (1 - level) * latents + level * noise
    given = {"latents": noisy, "timesteps": steps, **text}
    loss = torch.nn.functional.mse_loss(predict(transformer, given), noise if vp else noise - latents)
    loss.backward()
    out = dict(latents=latents, noise=noise, timesteps=steps, loss=loss, **more)
    out |= {f"tokens.{k}": v.int() for k, v in fed.items()}
    for part, (first, table) in tables.items():
        out |= {f"{part}.words": table[first:], f"grad.{part}": table.grad[first:]}
    sd.write_reference(f"embeddings_{name}.safetensors", out, tokens=tokens)
    print(name, loss.item(), {part: table.grad[first:].norm().item() for part, (first, table) in tables.items()})


def write_pixart():
    folder = sd.drawn.whole(sd.MODELS / "pixart")
    t5 = load(folder, transformers.T5EncoderModel, "text_encoder")
    first, table = put_words(t5.encoder.embed_tokens, 9720)
    ids, real = texts(first, end=[1])
    hidden = t5(ids.long(), attention_mask=real.long()).last_hidden_state
    height, width = 64.0, 96.0
    sizes = torch.tensor([[height, width, height / width]] * 2).double()
    write_flow("pixart", 9721, {"te1_ids": ids}, {"te1": (first, table)}, {"text": hidden},
               load(folder, diffusers.PixArtTransformer2DModel, "transformer"),
               lambda model, given: pixart.forward(model, **given, mask=real.double(), sizes=sizes)[:, :4], size=(8, 12),
               vp=True, time_ids=torch.tensor([[0, 0, 0, 0, height, width]] * 2))


def write_flux1():
    folder = sd.drawn.whole(sd.MODELS / "flux1")
    clip = load(folder, transformers.CLIPTextModel, "text_encoder")
    t5 = load(folder, transformers.T5EncoderModel, "text_encoder_2")
    first1, table1 = put_words(clip.get_input_embeddings(), 9725)
    first2, table2 = put_words(t5.encoder.embed_tokens, 9726)
    begin, end = clip.config.bos_token_id, clip.config.eos_token_id
    ids1, _ = texts(first1, 77, end, [begin], [end])
    ids2, _ = texts(first2, end=[1])
    ends = (ids1 == end).int().argmax(1)
    pooled = clip(ids1.long()).last_hidden_state[torch.arange(2), ends]
    write_flow("flux1", 9727, {"te1_ids": ids1, "te1_pool": ends[:, None], "te2_ids": ids2},
               {"te1": (first1, table1), "te2": (first2, table2)},
               {"text": t5(ids2.long()).last_hidden_state, "pooled": pooled, "guidance": torch.ones(2).double()},
               load(folder, diffusers.FluxTransformer2DModel, "transformer"), flux1.predict)


def write_flux2():
    folder = sd.drawn.whole(sd.MODELS / "flux2")
    qwen = load(folder, transformers.Qwen3ForCausalLM, "text_encoder").model
    first, table = put_words(qwen.embed_tokens, 9730)
    ids, real = texts(first)
    write_flow("flux2", 9731, {"te1_ids": ids, "te1_length": real.sum(1, keepdim=True)}, {"te1": (first, table)},
               {"text": states_of(qwen, ids, real, flux2.STATES)},
               load(folder, diffusers.Flux2Transformer2DModel, "transformer"), flux2.predict)


def write_anima():
    folder = sd.drawn.whole(sd.MODELS / "anima")
    qwen = load(folder, transformers.Qwen3Model, "text_encoder")
    conditioner = load(folder, diffusers.AnimaTextConditioner, "text_conditioner")
    first1, table1 = put_words(qwen.embed_tokens, 9735)
    first2, table2 = put_words(conditioner.embed, 9736)
    ids1, real1 = texts(first1, anima.TOKENS)  # what the conditioner fills a text up to
    ids2, real2 = texts(first2, anima.TOKENS, end=[anima.T5_END])
    hidden = states_of(qwen, ids1, real1, [qwen.config.num_hidden_layers]) * real1[..., None]
    context = conditioner(hidden, ids2.long(), real2.long(), real1.long())
    fed = {"te1_ids": ids1, "te1_length": real1.sum(1, keepdim=True), "te2_ids": ids2,
           "te2_length": real2.sum(1, keepdim=True)}
    write_flow("anima", 9737, fed, {"te1": (first1, table1), "te2": (first2, table2)}, {"text": context},
               load(folder, diffusers.CosmosTransformer3DModel, "transformer"), anima.predict, tokens=anima.TOKENS)


def behind(folder, tokenizer, instruction):
    """An instruction's ids, whose states the denoiser doesn't get."""
    return transformers.PreTrainedTokenizerFast.from_pretrained(folder / tokenizer).encode(instruction)


def write_qwen_image():
    folder = sd.drawn.whole(sd.MODELS / "qwen_image")
    pipe = diffusers.QwenImagePipeline(scheduler=None, vae=None, text_encoder=None, tokenizer=None, transformer=None)
    before = behind(folder, "tokenizer", pipe.prompt_template_encode.split("{}")[0])
    qwen = load(folder, transformers.Qwen2_5_VLForConditionalGeneration, "text_encoder").model.language_model
    first, table = put_words(qwen.embed_tokens, 9740)
    ids, real = texts(first, len(before) + TOKENS, before=before)
    hidden = qwen(input_ids=ids.long(), attention_mask=real.long()).last_hidden_state[:, len(before):]
    keys = torch.where(real[:, len(before):] == 1, 0.0, -10000.0).double()
    write_flow("qwen_image", 9741, {"te1_ids": ids, "te1_real": real}, {"te1": (first, table)},
               {"text": hidden, "keys": keys}, load(folder, diffusers.QwenImageTransformer2DModel, "transformer"),
               qwen_image.predict)


def write_qwen_image21():
    """The last layer's states have not passed the final norm."""
    folder = sd.drawn.whole(sd.MODELS / "qwen_image_21")
    before = behind(folder, "processor",
                    f"<|im_start|>system\n{qwen_image21_encoders.QWENIMAGE21_SYSTEM_PROMPT}<|im_end|>\n")
    qwen = load(folder, transformers.Qwen3VLForConditionalGeneration, "text_encoder").model.language_model
    first, table = put_words(qwen.embed_tokens, 9745)
    ids, real = texts(first, len(before) + TOKENS, before=before)
    qwen.norm = torch.nn.Identity()
    hidden = qwen(input_ids=ids.long(), attention_mask=real.long()).last_hidden_state[:, len(before):]
    lengths = real[:, len(before):].sum(1)
    write_flow("qwen_image_21", 9746, {"te1_ids": ids, "te1_real": real}, {"te1": (first, table)},
               {"text": hidden, "lengths": lengths.double()},
               load(folder, diffusers.QwenImage21Transformer2DModel, "transformer"), qwen_image21.predict)


def write_ernie_image():
    folder = sd.drawn.whole(sd.MODELS / "ernie_image")
    ministral = load(folder, transformers.Mistral3Model, "text_encoder").language_model
    first, table = put_words(ministral.embed_tokens, 9750)
    ids, real = texts(first, before=[1])
    keys = torch.where(real == 1, 0.0, -10000.0).double()
    write_flow("ernie_image", 9751, {"te1_ids": ids, "te1_length": real.sum(1, keepdim=True)}, {"te1": (first, table)},
               {"text": states_of(ministral, ids, real, [ministral.config.num_hidden_layers - 1]), "keys": keys},
               load(folder, diffusers.ErnieImageTransformer2DModel, "transformer"), ernie_image.predict)


if __name__ == "__main__":
    write_sdxl()
    write_sd15()
    write_pixart()
    write_flux1()
    write_flux2()
    write_anima()
    write_qwen_image()
    write_qwen_image21()
    write_ernie_image()
