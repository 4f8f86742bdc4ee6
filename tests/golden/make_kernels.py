"""Reference results of every kernel, from PyTorch in float64: tests/golden/kernels.{txt,bin}.

Inputs are not stored: both sides generate them from `values` below. The text file lists the cases
(op, options, inputs, outputs), the binary holds the outputs as float64, one after another.
"""
import math
import pathlib
import zlib

import numpy as np
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
HERE = pathlib.Path(__file__).parent


def values(seed, count, scale=1.0, offset=0.0):
    """Uniform float32 in [-1, 1)·scale + offset by a 32-bit integer hash of (seed, index)."""
    h = (np.arange(count, dtype=np.uint64) + np.uint64(seed * 7919)) & np.uint64(0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        h ^= h >> np.uint64(shift)
        h = (h * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    unit = ((h >> np.uint64(8)).astype(np.float32) * np.float32(2**-23)) - np.float32(1)
    return unit * np.float32(scale) + np.float32(offset)


# Seeds are made of a case's text, so that no case changes another's. The first cases of these ops
# are older than that: their inputs are numbered through.
COUNTED = dict(copy=1, fill=1, gather_tokens=1, scatter_tokens=1, swap_middle=1, embedding=1,
    embedding_backward=1, add=1, multiply=1, scale=1, add_per_sample=2, sum_per_sample=2,
    modulate=2, gated_add=2, dot_per_sample=2, unary=4, unary_backward=4, geglu=1, geglu_backward=1,
    dropout=1, normal=1, add_noise=1, matmul=15, conv2d=6, conv2d_backward_data=6,
    conv2d_backward_weight=6, attention=7, attention_backward=7, group_norm=4,
    group_norm_backward=3, layer_norm=5, layer_norm_backward=4, rms_norm=2, rms_norm_backward=2,
    upsample_nearest=2, upsample_nearest_backward=2, timestep_embedding=1, mse_loss=1,
    mse_loss_backward=1, sum_of_squares=1, count_non_finite=1, optimizer_step=1, ema=1)
lines, blob, seeds = [], [], [0]


class Case:
    def __init__(self, op, **options):
        text = " ".join(f"{k}={v}" for k, v in options.items())
        self.title = f"case {op} {text}".rstrip()
        lines.append(self.title)
        COUNTED[op] = COUNTED.get(op, 0) - 1
        self.counted = COUNTED[op] >= 0

    def seed(self, name, dim_text):
        if self.counted:
            seeds[0] += 1
            return seeds[0]
        return zlib.crc32(f"{self.title} {name} {dim_text}".encode()) % 10**6

    def input(self, name, *dims, scale=1.0, offset=0.0):
        dim_text = "x".join(map(str, dims)) or "scalar"
        seed = self.seed(name, dim_text)
        lines.append(f"in {name} {dim_text} {seed} {scale} {offset}")
        data = values(seed, int(np.prod(dims)) if dims else 1, scale, offset)
        return torch.from_numpy(data.astype(np.float64)).reshape(dims)

    def ids(self, name, numbers):
        lines.append(f"ids {name} {len(numbers)} " + " ".join(map(str, numbers)))
        return torch.tensor(numbers)

    def output(self, name, tensor, start=None):
        """`start` names the input that the output begins as (accumulation, in place)."""
        data = tensor.detach().double().contiguous().numpy()
        dim_text = "x".join(map(str, data.shape)) or "scalar"
        lines.append(f"out {name} {dim_text} {start or '-'}")
        blob.append(data.reshape(-1))


def nchw(x):
    return x.permute(0, 3, 1, 2)


def nhwc(x):
    return x.permute(0, 2, 3, 1)


def data_movement():
    c = Case("copy")
    c.output("out", c.input("in", 3, 17))
    c = Case("fill", value=1.5)
    c.output("out", torch.full((3, 7), 1.5))
    c = Case("gather_tokens")
    x = c.input("in", 2, 5, 19)
    i = c.ids("index", [4, 0])
    c.output("out", x[torch.arange(2), i])
    c = Case("scatter_tokens")
    d = c.input("d_out", 2, 19)
    i = c.ids("index", [4, 0])
    full = torch.zeros(2, 5, 19, dtype=torch.float64)
    full[torch.arange(2), i] = d
    c.output("d_in", full)
    c = Case("swap_middle")
    c.output("out", c.input("in", 2, 3, 5, 7).transpose(1, 2))
    c = Case("embedding")
    t = c.input("table", 11, 21)
    c.output("out", t[c.ids("ids", [3, 10, 3, 0, 7])])
    c = Case("embedding_backward")
    d = c.input("d_out", 5, 21)
    i = c.ids("ids", [3, 10, 3, 0, 3])
    t = c.input("start", 11, 21)
    c.output("d_table", t.index_add(0, i, d), "start")


def elementwise():
    for op, f in (("add", torch.add), ("multiply", torch.mul)):
        c = Case(op)
        c.output("out", f(c.input("a", 5, 23), c.input("b", 5, 23)))
    c = Case("scale", factor=-0.75)
    c.output("out", c.input("in", 41) * -0.75)
    for rows in (2, 1):
        c = Case("add_per_sample")
        c.output("out", c.input("x", 2, 3, 5, 19) + c.input("t", rows, 19).reshape(rows, 1, 1, 19))
    for rows, accumulate in ((2, 0), (1, 1)):
        c = Case("sum_per_sample", accumulate=accumulate)
        x = c.input("x", 2, 37, 19)
        start = c.input("start", rows, 19)
        s = x.sum(1) if rows == 2 else x.sum((0, 1)).reshape(1, 19)
        c.output("out", s + accumulate * start, "start")
    for rows, shift in ((2, 1), (1, 0)):
        c = Case("modulate")
        y = c.input("x", 2, 5, 19) * (1 + c.input("scale", rows, 19).reshape(rows, 1, 19))
        c.output("out", y + c.input("shift", rows, 19).reshape(rows, 1, 19) if shift else y)
    for rows, residual in ((2, 1), (1, 0)):
        c = Case("gated_add")
        y = c.input("y", 2, 5, 19) * c.input("gate", rows, 19).reshape(rows, 1, 19)
        c.output("out", y + c.input("x", 2, 5, 19) if residual else y)
    for rows in (2, 1):
        c = Case("dot_per_sample")
        p = c.input("x", 2, 37, 19) * c.input("y", 2, 37, 19)
        c.output("out", p.sum(1) if rows == 2 else p.sum((0, 1)).reshape(1, 19))
    kinds = {  # and the range of its input
        "silu": (F.silu, 9.0),
        "gelu_erf": (F.gelu, 9.0),
        "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), 9.0),
        "gelu_quick": (lambda x: x * torch.sigmoid(1.702 * x), 9.0),
        "sigmoid": (torch.sigmoid, 9.0),
        "tanh": (torch.tanh, 4.0),
        "absolute": (torch.abs, 9.0),
        "exponential": (torch.exp, 9.0),
        "log_variance": (lambda x: torch.clamp(x, -30.0, 20.0), 40.0),
    }
    for kind, (f, scale) in kinds.items():
        c = Case("unary", kind=kind)
        c.output("out", f(c.input("in", 3, 67, scale=scale)))
        c = Case("unary_backward", kind=kind)
        d, x = c.input("d_out", 3, 67), c.input("in", 3, 67, scale=scale).requires_grad_()
        c.output("d_in", torch.autograd.grad(f(x), x, d)[0])
    c = Case("geglu")
    v, g = c.input("in", 5, 46, scale=5.0).chunk(2, -1)
    c.output("out", v * F.gelu(g))
    c = Case("geglu_backward")
    d, x = c.input("d_out", 5, 23), c.input("in", 5, 46, scale=5.0).requires_grad_()
    v, g = x.chunk(2, -1)
    c.output("d_in", torch.autograd.grad(v * F.gelu(g), x, d)[0])


def philox(seed, stream, step, sample, blocks):
    """Philox4x32-10 in plain integers: rows of four words."""
    rows = []
    for block in range(blocks):
        c, k = [block, sample, step, stream], [seed & 0xFFFFFFFF, seed >> 32]
        for _ in range(10):
            p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & 0xFFFFFFFF, (p0 >> 32) ^ c[3] ^ k[1],
                 p0 & 0xFFFFFFFF]
            k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
        rows.append(c)
    return rows


KEY = dict(seed=0x123456789ABCDEF, stream=7, step=11, sample=3)


def random_numbers():
    c = Case("dropout", p=0.25, **KEY)
    x = c.input("in", 3, 7)
    words = torch.tensor(philox(**KEY, blocks=6)).reshape(-1)[:21].reshape(3, 7)
    c.output("out", torch.where((words >> 8) * 2.0**-24 >= 0.25, x / 0.75, 0.0))
    c = Case("normal", **KEY)
    normals = []
    for w in philox(**KEY, blocks=6):
        for a, b in ((w[0], w[1]), (w[2], w[3])):
            radius = math.sqrt(-2 * math.log((a + 0.5) * 2.0**-32))
            angle = 2 * math.pi * b * 2.0**-32
            normals += [np.float32(radius * math.cos(angle)), np.float32(radius * math.sin(angle))]
    c.output("out", torch.tensor(normals[:22]).double())
    c = Case("add_noise")
    x, n = c.input("x", 3, 5, 7), c.input("noise", 3, 5, 7)
    a, s = c.input("a", 3), c.input("s", 3)
    c.output("out", a.reshape(3, 1, 1) * x + s.reshape(3, 1, 1) * n)


def matmul():
    for m, n, k, ta, tb, alpha, beta, bias in (
        (1, 1, 1, 0, 0, 1, 0, 0), (1, 19, 33, 0, 1, 1, 0, 1), (5, 7, 70, 0, 1, 0.5, 2, 1),
        (13, 35, 9, 0, 0, 1, 0, 1), (29, 16, 41, 0, 1, 1, 1, 0), (14, 33, 20, 1, 0, 2, 0.5, 1),
        (9, 40, 37, 1, 1, -1, 0, 0), (40, 4, 64, 0, 0, 1, 1, 1), (4, 66, 300, 1, 0, 1, 0, 0)):
        c = Case("matmul", ta=ta, tb=tb, alpha=alpha, beta=beta)
        a = c.input("a", *((k, m) if ta else (m, k)))
        b = c.input("b", *((n, k) if tb else (k, n)))
        y = alpha * (a.T if ta else a) @ (b.T if tb else b)
        start = c.input("start", m, n)
        if bias:
            y = y + c.input("bias", n)
        c.output("out", y + beta * start, "start")


def sums():
    """GEMMs that accumulate fp32 sums onto fp32 values, for any operands."""
    for m, n, k, ta, tb, alpha, beta in (
        (1, 1, 1, 0, 0, 1, 1), (16, 40, 23, 1, 0, 0.5, 1), (7, 19, 300, 1, 0, 1, 1),
        (5, 33, 64, 0, 1, 2, 0), (21, 6, 34, 0, 0, 1, 1), (9, 17, 31, 1, 1, -1, 0.5)):
        c = Case("matmul", ta=ta, tb=tb, alpha=alpha, beta=beta, sums=1)
        a = c.input("a", *((k, m) if ta else (m, k)))
        b = c.input("b", *((n, k) if tb else (k, n)))
        y = alpha * (a.T if ta else a) @ (b.T if tb else b)
        c.output("out", y + beta * c.input("start", m, n), "start")


def convolution():
    # batch, height, width, ci, co, kernel, stride, (top, left, bottom, right), accumulate
    for b, h, w, ci, co, k, s, pad, acc in (
        (2, 5, 7, 4, 19, 3, 1, (1, 1, 1, 1), 0), (1, 6, 5, 17, 3, 3, 2, (1, 1, 1, 1), 1),
        (1, 6, 6, 5, 7, 3, 2, (0, 0, 1, 1), 0), (2, 3, 4, 9, 18, 1, 1, (0, 0, 0, 0), 1),
        (1, 5, 4, 3, 6, 1, 2, (0, 0, 0, 0), 1), (1, 7, 9, 2, 5, 4, 3, (2, 1, 0, 1), 0)):
        opt = dict(stride=s, top=pad[0], left=pad[1], bottom=pad[2], right=pad[3], accumulate=acc)

        def conv(x, weight, bias=None):
            x = F.pad(nchw(x), (pad[1], pad[3], pad[0], pad[2]))
            return nhwc(F.conv2d(x, weight, bias, stride=s))

        c = Case("conv2d", **opt)
        x, weight = c.input("x", b, h, w, ci), c.input("weight", co, ci, k, k)
        y = conv(x, weight, c.input("bias", co))
        c.output("out", y + acc * c.input("start", *y.shape), "start")
        for op, index in (("conv2d_backward_data", 0), ("conv2d_backward_weight", 1)):
            c = Case(op, **opt)
            d = c.input("d_out", *y.shape)
            if index == 0:
                weight = c.input("weight", co, ci, k, k)
                x = torch.zeros(b, h, w, ci, dtype=torch.float64)
            else:
                x = c.input("x", b, h, w, ci)
                weight = torch.zeros(co, ci, k, k, dtype=torch.float64)
            x.requires_grad_(), weight.requires_grad_()
            target = (x, weight)[index]
            g = torch.autograd.grad(conv(x, weight), target, d)[0]
            start = c.input("start", *g.shape)
            c.output("d_x" if index == 0 else "d_weight", g + acc * start, "start")


def attention_outputs(op, c, y, scores, qkv):
    """What `op` returns for y, which has the shape of q: the result, or the gradients of qkv."""
    if op == "attention":
        c.output("out", y)
        c.output("log_sum_exp", scores.logsumexp(-1))
    else:
        grads = torch.autograd.grad(y, qkv, c.input("d_out", *y.shape))
        for name, g in zip(("d_q", "d_k", "d_v"), grads):
            c.output(name, g)


def attention():
    # the last two: how many heads the score bias has (0: none), whether keys have one
    for b, h, tq, tk, d, causal, scored, masked in (
        (2, 2, 9, 9, 8, 0, 0, 0), (1, 1, 5, 7, 19, 0, 0, 0), (1, 2, 11, 11, 40, 1, 0, 0),
        (1, 2, 1, 1, 3, 0, 0, 0), (2, 3, 7, 21, 8, 0, 3, 1), (2, 2, 9, 9, 5, 1, 1, 0),
        (3, 2, 5, 18, 4, 0, 0, 1)):
        scale = round(d**-0.5, 4)
        for op in ("attention", "attention_backward"):
            c = Case(op, heads=h, scale=scale, causal=causal)
            q, k, v = (c.input(n, b, t, h * d, scale=2.0)
                       for n, t in (("q", tq), ("k", tk), ("v", tk)))
            for x in (q, k, v):
                x.requires_grad_()

            def split(x):
                return x.reshape(b, -1, h, d).transpose(1, 2)

            scores = split(q) @ split(k).transpose(-1, -2) * scale
            if scored:
                scores = scores + c.input("score_bias", scored, tq, tk, scale=3.0)
            if masked:
                scores = scores + c.input("key_bias", b, tk, scale=20.0).reshape(b, 1, 1, tk)
            if causal:
                mask = torch.ones(tq, tk, dtype=torch.bool).triu(1)
                scores = scores.masked_fill(mask, -math.inf)
            y = (scores.softmax(-1) @ split(v)).transpose(1, 2).reshape(b, tq, h * d)
            attention_outputs(op, c, y, scores, (q, k, v))


def rotations():
    # batch, tokens, heads, head width, tables of each sample, halves, inverse
    for b, t, h, d, own, halves, inverse in (
        (2, 3, 2, 8, 0, 0, 0), (2, 5, 3, 34, 1, 0, 1), (1, 4, 2, 32, 0, 1, 0),
        (3, 2, 1, 38, 1, 1, 1), (1, 1, 1, 2, 0, 1, 0)):
        c = Case("rope", heads=h, halves=halves, inverse=inverse)
        x = c.input("x", b, t, h * d).reshape(b, t, h, d)
        cos, sin = (c.input(n, b if own else 1, t, d // 2).unsqueeze(2) for n in ("cos", "sin"))
        turn = torch.complex(cos, -sin if inverse else sin)
        if halves:
            y = torch.complex(x[..., :d // 2], x[..., d // 2:]) * turn
            y = torch.cat((y.real, y.imag), -1)
        else:
            y = torch.view_as_complex(x.reshape(b, t, h, d // 2, 2)) * turn
            y = torch.view_as_real(y)
        c.output("out", y.reshape(b, t, h * d))


def grouped_attention():
    """PyTorch's own grouped-query attention, with masks added to the scores."""
    # batch, heads, heads of k and v, queries, keys, head width, causal, masked keys
    for b, h, kv, tq, tk, d, causal, masked in (
        (2, 4, 2, 5, 9, 8, 0, 0), (1, 6, 2, 7, 7, 19, 1, 0), (3, 4, 1, 4, 11, 6, 0, 1),
        (2, 3, 3, 6, 6, 4, 1, 1)):
        scale = round(d**-0.5, 4)
        for op in ("attention", "attention_backward"):
            c = Case(op, heads=h, kv_heads=kv, scale=scale, causal=causal)
            q = c.input("q", b, tq, h * d, scale=2.0).requires_grad_()
            k, v = (c.input(n, b, tk, kv * d, scale=2.0).requires_grad_() for n in ("k", "v"))
            bias = torch.zeros(b, 1, tq, tk, dtype=torch.float64)
            if masked:
                bias = bias + c.input("key_bias", b, tk, scale=8.0).reshape(b, 1, 1, tk)
            if causal:
                bias = bias.masked_fill(torch.ones(tq, tk, dtype=torch.bool).triu(1), -math.inf)
            qs, ks, vs = (x.unflatten(-1, (-1, d)).transpose(1, 2) for x in (q, k, v))
            y = F.scaled_dot_product_attention(qs, ks, vs, bias, scale=scale, enable_gqa=True)
            y = y.transpose(1, 2).flatten(2)
            scores = qs @ ks.repeat_interleave(h // kv, 1).transpose(-1, -2) * scale + bias
            attention_outputs(op, c, y, scores, (q, k, v))


def head_norms():
    """RMSNorm of each head, [b, tokens, heads·d] as [b, tokens·heads, d], and with 1 + weight."""
    b, t, h, d = 2, 3, 4, 20
    for offset in (0, 1):
        def norm(x, g):
            y = F.rms_norm(x.reshape(b, t, h, d), (d,), g + offset, 1e-5)
            return y.reshape(b, t * h, d)

        c = Case("rms_norm", eps=1e-5, unit_offset=offset)
        x = c.input("x", b, t * h, d)
        c.output("out", norm(x, c.input("gamma", d, offset=1.0 - offset)))
        scale = (x.square().mean(-1) + 1e-5).rsqrt().flatten()
        c.output("statistics", torch.stack((torch.zeros_like(scale), scale), -1))
        c = Case("rms_norm_backward", eps=1e-5, unit_offset=offset)
        x, dy = c.input("x", b, t * h, d).requires_grad_(), c.input("d_out", b, t * h, d)
        g = c.input("gamma", d, offset=1.0 - offset).requires_grad_()
        dx, dg = torch.autograd.grad(norm(x, g), (x, g), dy)
        c.output("d_x", dx)
        c.output("d_gamma", dg + c.input("start_gamma", d), "start_gamma")


def gates():
    for kind, f in (("silu", F.silu), ("sigmoid", torch.sigmoid)):
        c = Case("glu", kind=kind)
        c.output("out", f(c.input("gate", 5, 23, scale=9.0)) * c.input("value", 5, 23))
        c = Case("glu_backward", kind=kind)
        d, g = c.input("d_out", 5, 23), c.input("gate", 5, 23, scale=9.0).requires_grad_()
        v = c.input("value", 5, 23).requires_grad_()
        dg, dv = torch.autograd.grad(f(g) * v, (g, v), d)
        c.output("d_gate", dg)
        c.output("d_value", dv)


def norms():
    for dims, groups, silu, offset in (((2, 3, 5, 36), 4, 1, 0.0), ((1, 37, 24), 24, 0, 0.0),
                                       ((2, 1, 6), 2, 1, 0.0), ((1, 70, 19), 1, 0, 100.0)):
        ch = dims[-1]

        def norm(x, g, b):
            y = x.reshape(dims[0], -1, ch).transpose(1, 2)
            y = F.group_norm(y, groups, g, b, 1e-5).transpose(1, 2).reshape(dims)
            return F.silu(y) if silu else y

        c = Case("group_norm", groups=groups, silu=silu, eps=1e-5)
        x = c.input("x", *dims, offset=offset)
        g, b = c.input("gamma", ch, offset=1.0), c.input("beta", ch)
        c.output("out", norm(x, g, b))
        stats = x.reshape(dims[0], -1, groups, ch // groups)
        rstd = (stats.var((1, 3), unbiased=False) + 1e-5).rsqrt()
        c.output("statistics", torch.stack((stats.mean((1, 3)), rstd), -1))
        if offset:
            continue
        c = Case("group_norm_backward", groups=groups, silu=silu, eps=1e-5)
        x, d = c.input("x", *dims), c.input("d_out", *dims)
        g, b = c.input("gamma", ch, offset=1.0), c.input("beta", ch)
        for t in (x, g, b):
            t.requires_grad_()
        dx, dg, db = torch.autograd.grad(norm(x, g, b), (x, g, b), d)
        sg, sb = c.input("start_gamma", ch), c.input("start_beta", ch)
        c.output("d_x", dx)
        c.output("d_gamma", dg + sg, "start_gamma")
        c.output("d_beta", db + sb, "start_beta")
    for rows, ch, offset in ((5, 67, 0.0), (1, 3, 0.0), (3, 33, 100.0)):
        c = Case("layer_norm", eps=1e-5)
        x = c.input("x", rows, ch, offset=offset)
        g, b = c.input("gamma", ch, offset=1.0), c.input("beta", ch)
        c.output("out", F.layer_norm(x, (ch,), g, b, 1e-5))
        rstd = (x.var(-1, unbiased=False) + 1e-5).rsqrt()
        c.output("statistics", torch.stack((x.mean(-1), rstd), -1))
        if offset:
            continue
        c = Case("layer_norm_backward", eps=1e-5)
        x, d = c.input("x", rows, ch), c.input("d_out", rows, ch)
        g, b = c.input("gamma", ch, offset=1.0), c.input("beta", ch)
        for t in (x, g, b):
            t.requires_grad_()
        dx, dg, db = torch.autograd.grad(F.layer_norm(x, (ch,), g, b, 1e-5), (x, g, b), d)
        sg, sb = c.input("start_gamma", ch), c.input("start_beta", ch)
        c.output("d_x", dx)
        c.output("d_gamma", dg + sg, "start_gamma")
        c.output("d_beta", db + sb, "start_beta")
    for rows, ch in ((5, 67), (1, 3)):
        c = Case("layer_norm", eps=1e-5)
        x = c.input("x", rows, ch)
        c.output("out", F.layer_norm(x, (ch,), eps=1e-5))
        c.output("statistics", torch.stack(
            (x.mean(-1), (x.var(-1, unbiased=False) + 1e-5).rsqrt()), -1))
        c = Case("layer_norm_backward", eps=1e-5)
        x, d = c.input("x", rows, ch).requires_grad_(), c.input("d_out", rows, ch)
        y = F.layer_norm(x, (ch,), eps=1e-5)
        c.output("d_x", torch.autograd.grad(y, x, d)[0])

        def rms(x, g):
            return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * g

        c = Case("rms_norm", eps=1e-6)
        x = c.input("x", rows, ch, offset=0.5)
        c.output("out", rms(x, c.input("gamma", ch, offset=1.0)))
        scale = (x.square().mean(-1) + 1e-6).rsqrt()
        c.output("statistics", torch.stack((torch.zeros_like(scale), scale), -1))
        c = Case("rms_norm_backward", eps=1e-6)
        x, d = c.input("x", rows, ch, offset=0.5), c.input("d_out", rows, ch)
        g = c.input("gamma", ch, offset=1.0)
        for t in (x, g):
            t.requires_grad_()
        dx, dg = torch.autograd.grad(rms(x, g), (x, g), d)
        c.output("d_x", dx)
        c.output("d_gamma", dg + c.input("start_gamma", ch), "start_gamma")


def resampling():
    for h, w, ho, wo in ((3, 4, 6, 8), (3, 5, 7, 8)):
        c = Case("upsample_nearest")
        x = c.input("in", 2, h, w, 5)
        c.output("out", nhwc(F.interpolate(nchw(x), size=(ho, wo), mode="nearest")))
        c = Case("upsample_nearest_backward")
        d = c.input("d_out", 2, ho, wo, 5)
        x = torch.zeros(2, h, w, 5, dtype=torch.float64, requires_grad=True)
        y = nhwc(F.interpolate(nchw(x), size=(ho, wo), mode="nearest"))
        c.output("d_in", torch.autograd.grad(y, x, d)[0])
    c = Case("timestep_embedding")
    t = c.input("t", 3, scale=1.0, offset=2.0)
    f = torch.exp(-math.log(10000) * torch.arange(16, dtype=torch.float64) / 16)
    angle = t[:, None] * f
    c.output("out", torch.cat((angle.cos(), angle.sin()), -1))


def losses():
    c = Case("mse_loss")
    p, t, w = c.input("prediction", 3, 5, 7), c.input("target", 3, 5, 7), c.input("weight", 3)
    each = w * ((p - t) ** 2).mean((1, 2))
    c.output("per_sample", each)
    c.output("loss", each.mean())
    c = Case("mse_loss_backward")
    p, t, w = c.input("prediction", 3, 5, 7), c.input("target", 3, 5, 7), c.input("weight", 3)
    d = c.input("d_loss")
    c.output("d_prediction", d * 2 * w.reshape(3, 1, 1) * (p - t) / p.numel())


def optimizer():
    c = Case("sum_of_squares")
    c.output("result", (c.input("x", 1001) ** 2).sum())
    c = Case("count_non_finite")
    c.input("x", 77)
    c.output("result", torch.tensor(0.0))
    opt = dict(lr=0.01, beta1=0.9, beta2=0.99, eps=1e-6, decay=0.1, grad_scale=0.5, c1=0.271,
               c2=0.029701)
    c = Case("optimizer_step", **opt)
    p, g, m = c.input("p", 37), c.input("gradient", 37), c.input("m0", 37)
    v = c.input("v0", 37, scale=0.5, offset=0.6)
    g = g * opt["grad_scale"]
    m1 = opt["beta1"] * m + (1 - opt["beta1"]) * g
    v1 = opt["beta2"] * v + (1 - opt["beta2"]) * g * g
    step = (m1 / opt["c1"]) / ((v1 / opt["c2"]).sqrt() + opt["eps"])
    c.output("parameter", p - opt["lr"] * (opt["decay"] * p + step), "p")
    c.output("m", m1, "m0")
    c.output("v", v1, "v0")
    c = Case("ema", decay=0.875)
    x, a = c.input("x", 37), c.input("start", 37)
    c.output("average", 0.875 * a + 0.125 * x, "start")


def huber():
    c = Case("huber_loss")
    p, t, w = c.input("prediction", 3, 5, 7), c.input("target", 3, 5, 7), c.input("weight", 3)
    width = c.input("width", 3, scale=0.5, offset=0.75)
    wide = width.reshape(3, 1, 1)
    each = w * (2 * wide * (((p - t) ** 2 + wide**2).sqrt() - wide)).mean((1, 2))
    c.output("per_sample", each)
    c.output("loss", each.mean())
    c = Case("huber_loss_backward")
    p, t, w = c.input("prediction", 3, 5, 7), c.input("target", 3, 5, 7), c.input("weight", 3)
    wide, d = c.input("width", 3, scale=0.5, offset=0.75).reshape(3, 1, 1), c.input("d_loss")
    p.requires_grad_(True)
    each = w * (2 * wide * (((p - t) ** 2 + wide**2).sqrt() - wide)).mean((1, 2))
    c.output("d_prediction", torch.autograd.grad(each.mean(), p, d)[0])


for make in (data_movement, elementwise, random_numbers, matmul, convolution, attention, norms,
             resampling, losses, optimizer, sums, rotations, gates,
             head_norms, grouped_attention, huber):
    make()
(HERE / "kernels.txt").write_text("\n".join(lines) + "\n")
np.concatenate(blob).astype("<f8").tofile(HERE / "kernels.bin")
print(len(lines), "lines,", sum(b.size for b in blob) * 8, "bytes")
