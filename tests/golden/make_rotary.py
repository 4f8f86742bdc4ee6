"""Writes rotary.json: rotary position embeddings of the model families (diffusers 0.42,
transformers 5, torch).

For each family its axes and positions, the cosines and sines of its own code, and `rotated`: one
head of the last token after its own rotation, from x[i] = sin(0.3 i + 0.5).
Run: python make_rotary.py
"""
import json
import pathlib

import torch
from diffusers.models.embeddings import apply_rotary_emb
from diffusers.models.transformers.transformer_cosmos import CosmosRotaryPosEmbed
from diffusers.models.transformers.transformer_flux2 import Flux2PosEmbed
from diffusers.models.transformers.transformer_krea2 import Krea2RotaryPosEmbed
from diffusers.models.transformers.transformer_z_image import RopeEmbedder
from transformers import Qwen3Config
from transformers.models.qwen3.modeling_qwen3 import Qwen3RotaryEmbedding, apply_rotary_pos_emb

torch.set_num_threads(1)
WIDTH = 128
X = torch.sin(0.3 * torch.arange(WIDTH, dtype=torch.float64) + 0.5).float()


def numbers(tensor):
    return [float("%.9g" % v) for v in tensor.double().flatten()]


def family(name, pairs, axes, positions, cos, sin, rotated):
    return {"name": name, "pairs": pairs, "axes": axes, "positions": positions,
            "cos": numbers(cos), "sin": numbers(sin), "rotated": numbers(rotated)}


def axes(widths, theta, ntk=None):
    return [{"width": w, "theta": theta, "ntk": n}
            for w, n in zip(widths, ntk or [1.0] * len(widths))]


def z_image():
    widths, ids = [32, 48, 48], [[1, 0, 0], [2, 0, 0], [33, 0, 0], [33, 5, 63], [512, 40, 17]]
    turn = RopeEmbedder(256.0, widths, [1536, 512, 512])(torch.tensor(ids))
    # The rotation is a closure of the attention: complex products of neighbours.
    y = torch.view_as_real(torch.view_as_complex(X.reshape(-1, 2)) * turn[-1])
    return family("z_image", "interleaved", axes(widths, 256.0), ids, turn.real, turn.imag, y)


def flux2():
    widths = [32] * 4
    ids = [[0, 0, 0, 0], [0, 0, 0, 511], [0, 3, 60, 0], [0, 63, 1, 0], [10, 7, 9, 0]]
    cos, sin = Flux2PosEmbed(2000, widths)(torch.tensor(ids))
    y = apply_rotary_emb(X.reshape(1, 1, 1, -1), (cos[-1:], sin[-1:]), sequence_dim=1)
    return family("flux2", "interleaved", axes(widths, 2000.0), ids, cos[:, ::2], sin[:, ::2], y)


def krea2():
    widths, ids = [32, 48, 48], [[0, 0, 0], [0, 0, 7], [0, 19, 2], [0, 79, 79], [0, 31, 64]]
    cos, sin = Krea2RotaryPosEmbed(1000, widths)(torch.tensor(ids))
    y = apply_rotary_emb(X.reshape(1, 1, 1, -1), (cos[-1:], sin[-1:]), sequence_dim=1)
    return family("krea2", "interleaved", axes(widths, 1000.0), ids, cos[:, ::2], sin[:, ::2], y)


def anima():
    h, w = 3, 7
    embed = CosmosRotaryPosEmbed(WIDTH, (128, 240, 240), (1, 2, 2), rope_scale=(1.0, 4.0, 4.0))
    cos, sin = embed(torch.zeros(1, 16, 1, 2 * h, 2 * w))
    ids = [[0, y, x] for y in range(h) for x in range(w)]
    keep = [0, 5, 13, 20]
    cos, sin, ids = cos[keep], sin[keep], [ids[i] for i in keep]
    y = apply_rotary_emb(X.reshape(1, 1, 1, -1), (cos[-1:], sin[-1:]), use_real=True,
                         use_real_unbind_dim=-2)
    parts = [{"width": 44, "theta": 10000.0, "ntk": 1.0}] + axes([42, 42], 10000.0, [4.0, 4.0])
    return family("anima", "halves", parts, ids, cos[:, :64], sin[:, :64], y)


def qwen3():
    config = Qwen3Config(head_dim=WIDTH, rope_parameters={"rope_type": "default",
                                                         "rope_theta": 1e6})
    ids = [[0], [1], [17], [511]]
    at = torch.tensor(ids).T
    cos, sin = Qwen3RotaryEmbedding(config)(X.reshape(1, 1, 1, -1), at)
    y, _ = apply_rotary_pos_emb(*[X.reshape(1, 1, 1, -1)] * 2, cos[:, -1:], sin[:, -1:])
    return family("qwen3", "halves", axes([WIDTH], 1e6), ids, cos[0, :, :64], sin[0, :, :64], y)


path = pathlib.Path(__file__).parent / "rotary.json"
lines = [json.dumps(make()) for make in (z_image, flux2, krea2, anima, qwen3)]
path.write_text("[" + ",\n".join(lines) + "]\n")
print(path.stat().st_size, "bytes")
