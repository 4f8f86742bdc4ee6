"""Writes three tiny Qwen3 text encoders and their reference values.

    python tests/golden/make_qwen3.py                        needs torch, transformers, peft

As in make_models.py: seeded, float64 from the stored weights, written as F32. (transformers computes
rotary angles in float32 for any model type; that is kept.)

Models, tests/golden/models/: one file each, config in the metadata `mantissa.config`
  qwen3_a.safetensors  Qwen3ForCausalLM with a head of its own, F16: 3 layers of width 32, 4 heads of 12, all with
                       their own keys; config as transformers 5 writes it.
  qwen3_b.safetensors  Qwen3Model, BF16: 5 layers of width 24, 4 heads of 20 for 2 of keys; config as transformers 4
                       wrote it.
  qwen3_c.safetensors  Qwen3ForCausalLM with tied embeddings, F16, without a config: 4 layers of width 40, 6 heads of 8
                       for 2 of keys.

References, tests/golden/reference/qwen3_{a,b,c}.safetensors
  ids [3,tokens] I32   real [3,tokens] I32 (0: padding; on the right, but in c, as in Krea 2's prompts, before the end)
  hidden.K [3,tokens,width]: hidden_states[K]; metadata bf16.K is the RMS deviation of the same in BF16 by torch,
  relative to the RMS of the values; in c positions count only real tokens
  b: training of states 2 and 4 side by side, padding set to 0: target, loss, adapter.<tensor>, grad.<tensor> with
  LoRA on every projection; metadata rank, alpha
"""

import copy
import json

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM, Qwen3Model

from make_models import MODELS, adapt, normal, seeded, tensors_of, unsettle, write_numpy, write_reference

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def config(width, layers, heads, key_heads, head_dim, mlp, vocab, theta, eps, tied):
    return Qwen3Config(vocab_size=vocab, hidden_size=width, intermediate_size=mlp, num_hidden_layers=layers,
                       num_attention_heads=heads, num_key_value_heads=key_heads, head_dim=head_dim,
                       rope_parameters={"rope_type": "default", "rope_theta": theta}, rms_norm_eps=eps,
                       tie_word_embeddings=tied, max_position_embeddings=64, attn_implementation="sdpa")


def old_form(settings):
    """config.json of transformers 4."""
    keep = ("attention_bias attention_dropout head_dim hidden_act hidden_size initializer_range intermediate_size "
            "max_position_embeddings max_window_layers model_type num_attention_heads num_hidden_layers "
            "num_key_value_heads rms_norm_eps sliding_window tie_word_embeddings use_cache use_sliding_window vocab_size")
    whole = settings.to_dict()
    return {"architectures": ["Qwen3Model"], "bos_token_id": 60, "eos_token_id": 61, "torch_dtype": "bfloat16",
            "rope_scaling": None, "rope_theta": settings.rope_parameters["rope_theta"],
            **{key: whole[key] for key in keep.split()}}


def write_model(name, model, storage, described):
    arrays = tensors_of(model, storage)
    if model.config.tie_word_embeddings:
        arrays.pop("lm_head.weight", None)
    metadata = {"mantissa.config": json.dumps({"te1": described})} if described else None
    write_numpy(MODELS / f"{name}.safetensors", arrays, storage, metadata)


def padded(vocab, tokens, lengths, ending, seed):
    """Random texts; the last `ending` tokens of each follow its padding."""
    ids = torch.randint(0, vocab, (len(lengths), tokens), generator=seeded(seed))
    real = torch.zeros_like(ids)
    for row, length in enumerate(lengths):
        real[row, : length - ending] = 1
        real[row, tokens - ending:] = 1
        if not ending:
            real[row, :length] = 1
    return ids, real


def states(model, ids, real, positions):
    inner = getattr(model, "model", model)
    return inner(input_ids=ids, attention_mask=real, position_ids=positions, output_hidden_states=True).hidden_states


def deviations(model, reference, ids, real, positions):
    with torch.no_grad():
        rough = states(copy.deepcopy(model).to(torch.bfloat16), ids, real, positions)
    rms = lambda x: x.double().pow(2).mean().sqrt().item()  # noqa: E731
    return {f"bf16.{k}": rms(r - exact) / rms(exact) for k, (r, exact) in enumerate(zip(rough, reference))}


def train(model, ids, real, positions):
    wrapped, named = adapt("te", model, TARGETS, 4, 4, 6, 7300)
    hidden = states(wrapped.base_model.model, ids, real, positions)
    joined = torch.cat([hidden[2], hidden[4]], dim=-1) * real[..., None]
    target = normal(*joined.shape, seed=7301) * real[..., None]
    loss = torch.nn.functional.mse_loss(joined, target)
    loss.backward()
    named = {k.replace("te.", "text_encoder.model.", 1): v for k, v in named.items() if v.grad is not None}
    out = dict(target=target, loss=loss, trained=joined)
    out |= {f"adapter.{k}": v for k, v in named.items()} | {f"grad.{k}": v.grad for k, v in named.items()}
    return out


def make(name, kind, settings, storage, described, texts, seed):
    torch.manual_seed(seed)
    model = unsettle(kind(settings), seed, storage)
    write_model(name, model, storage, described)
    tokens, lengths, ending = texts
    ids, real = padded(settings.vocab_size, tokens, lengths, ending, seed + 1)
    positions = (real.cumsum(-1) - 1).clamp(min=0) if ending else None
    with torch.no_grad():
        hidden = states(model, ids, real, positions)
    out = {"ids": ids.int(), "real": real.int()} | {f"hidden.{k}": h for k, h in enumerate(hidden)}
    metadata = deviations(model, hidden, ids, real, positions)
    if name == "qwen3_b":
        out |= train(model, ids, real, positions)
        metadata |= {"rank": 4, "alpha": 6}
    write_reference(f"{name}.safetensors", out, **metadata)
    print(name, {k: round(v, 5) for k, v in metadata.items()})


def main():
    a = config(32, 3, 4, 4, 12, 40, 67, 1e6, 1e-6, False)
    make("qwen3_a", Qwen3ForCausalLM, a, torch.float16, a.to_dict(), (7, (7, 3, 1), 0), 7000)
    b = config(24, 5, 4, 2, 20, 56, 62, 1e4, 1e-5, False)
    make("qwen3_b", Qwen3Model, b, torch.bfloat16, old_form(b), (12, (5, 12, 2), 0), 7100)
    c = config(40, 4, 6, 2, 8, 72, 80, 1e6, 1e-6, True)
    make("qwen3_c", Qwen3ForCausalLM, c, torch.float16, None, (10, (10, 6, 4), 2), 7200)


if __name__ == "__main__":
    main()
