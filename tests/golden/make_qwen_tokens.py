"""Writes a small byte-level BPE vocabulary like Qwen's, and ids of strings by the tokenizers library.

    python tests/golden/make_qwen_tokens.py               needs tokenizers, transformers, diffusers
    python tests/golden/make_qwen_tokens.py --real DIR    needs tokenizers, dashscope

  tokenizers/qwen/             tokenizer.json and tokenizer_config.json: 1,500 tokens trained here on the
                               strings of tokenizer.txt.gz, Qwen3's added tokens and a few with flags
  tokenizers/qwen_tokens.json  `strings`: text and ids; `variants`: changes to tokenizer.json, each with
                               the ids that differ, by the string's number; `chats`: prompts as the
                               pipelines of diffusers lay them out

--real writes the tokenizer.json of Qwen2 and Qwen3 to DIR, made from the vocabulary in the package
dashscope (resources/qwen.tiktoken): too large to be committed, for tests/interop/qwen_tokens.py.
"""

import ast
import base64
import gzip
import importlib.util
import json
import pathlib
import random
import sys

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE / "tokenizers"
TOKENS = 1500

WORDS = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
         r"|\s*[\r\n]+|\s+(?!\S)|\s+")
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>",
           "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>",
           "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"]
ADDED = ["<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>",
         "<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>", "</think>"]
FLAGGED = [AddedToken("MyTok", single_word=True, normalized=True),
           AddedToken("<cat-toy>", lstrip=True, rstrip=True, normalized=False),
           AddedToken("<left>", lstrip=True, normalized=True), AddedToken("<right>", rstrip=True, normalized=False),
           AddedToken("cafe\u0301!", normalized=True), AddedToken("cafe\u0301?", normalized=False),
           AddedToken("<ca", normalized=False)]

# What else is found in the wild: GPT-2, GPT-4, GPT-4o, DeepSeek, and a split without a match.
EXPRESSIONS = {
    "gpt2": [r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"],
    "gpt4": [r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
             r"|\s*[\r\n]|\s+(?!\S)|\s+"],
    "gpt4o": [r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll"
              r"|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve"
              r"|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"],
    "deepseek": [r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+",
                 r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
                 r"""| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""],
    "empty": [r"(?=\p{Lu})|(?<=\p{N})(?!\p{N})|,"],
}

TEXTS = [
    "", " ", "  ", "\n", "\n\n", "\r\n", " \n ", "\t", "a", "a photo of a cat", "A photo of a cat.",
    "masterpiece, best quality, 1girl, solo", "it's we're I'LL they'Ve he'D I'M don'T 'S", "it'\u017f 'ſa 'ﬆ",
    "watercolor photo, a photo of a b, 12 345 6789", "naïve café",
    "cafe\u0301 e\u0301e\u0323\u0302 \u1ea1\u0302 \u212b\u2126\u0958", "日本語のテキスト、猫。", "中文字符：一只猫，高质量",
    "한국어 고양이 \u1112\u1161\u11ab\u1100\u1173\u11af", "Съешь ещё этих мягких булок", "Ξεσκεπάζω τὴν ψυχοφθόρα",
    "שלום עולם", "مرحبا بالعالم ١٢٣", "नमस्ते दुनिया १२३", "สวัสดีชาวโลก", "გამარჯობა", "Բարեւ", "ሰላም ዓለም",
    "𠮷野家 𝐀𝐁 𝒜", "👍 👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇯🇵 1️⃣ ☠️", "🐱🐱🐱", "2024-11-23 12:34:56 1234567890 ٣٤ ①②③ Ⅳ ½",
    "def f(x):\n    return x  # doubled\n\n\tif a != b and c >= d:\n\t\tpass\r\n",
    "for (int i = 0; i < n; ++i) { a[i] *= 2; }\n", "{\"key\": [1, 2.5, null], \"b\": true}",
    "<div class=\"a\">&nbsp;</div>", "SELECT * FROM t WHERE a='b';", "https://example.org/a_b?c=d&e=%20#f",
    "C:\\Users\\x\\file.txt", "(best:1.2) [bad] {x} <lora:foo:0.8>", "score_9, score_8_up, rating_safe",
    "a  b   c    d     e", "a\n\n\nb", "a \n b", "a\n b\n  c\n   d", "a\t\tb", "   leading", "trailing   ",
    "x \u00a0\u2003\u3000y", "\u200b\u200c\u200d\u2060\ufeff", "a\u180eb \u180e", "a\u0085\u0085b",
    "\u2028\u2029 \x1c\x1d\x1e\x1f", "a\x00b\x01", "\x0b\x0c", "!!!!!!!!!! ?????", "......\n\n......",
    "---===+++", "\u0300\u0301 \u0301", "ﬁﬂ ǅ ẞ İı", "ＡＢＣ１２３！？", "a" * 300, "ab " * 60, " " * 200 + "x",
    "\n" * 50, "猫" * 40, "e\u0301" * 20, "<|im_start|>user\na cat<|im_end|>\n<|im_start|>assistant\n",
    "<|im_start|><|im_end|><|endoftext|>", "a<|im_end|>b <|im_end|> c", "<|im_start", "|im_start|>",
    "<|IM_START|>", "<think>\n\n</think>\n\n", "<tool_call>{}</tool_call>", "<think", "</think>x</think >",
    "MyTok", "a MyTok b", "MyTokx", "xMyTok", "_MyTok", "MyTok,MyTok MyTok", "ⓐMyTok", "ⅣMyTok", "\u200dMyTok",
    "MyTok\u0301", "·MyTok\u00a0", "a \n <cat-toy> \t b", "<cat-toy><cat-toy>", "<cat-toy> <cat-toy>",
    "<cat-toy", "x<catx", "a  <left>  b", "a  <right>  b", "<right> <left>",
    "<right>  <right> <left> <cat-toy>", "café! cafe\u0301! café? cafe\u0301?", "cafe!", "<ca<cat-toy><ca",
]


def tokenizer(model):
    made = Tokenizer(model)
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = splits([WORDS])
    return made


def splits(expressions):
    steps = [pre_tokenizers.Split(Regex(e), "isolated") for e in expressions]
    return pre_tokenizers.Sequence([*steps, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def add_qwen_tokens(made):
    made.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in SPECIAL])
    made.add_tokens([AddedToken(t, normalized=False) for t in ADDED])


def byte_symbols():
    """GPT-2's alphabet: byte -> symbol."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in kept]
    return {b: chr(b) for b in kept} | {b: chr(256 + i) for i, b in enumerate(others)}


def real():
    """The tokenizer of Qwen2 and Qwen3. Each token's merge is the last step of encoding it with those before."""
    folder = pathlib.Path(importlib.util.find_spec("dashscope").origin).parent
    ranks = {base64.b64decode(token): int(rank) for token, rank in
             (line.split() for line in (folder / "resources/qwen.tiktoken").read_bytes().splitlines())}
    symbols = byte_symbols()
    text = {token: "".join(symbols[b] for b in token) for token in ranks}
    merges = []
    for token, rank in ranks.items():
        parts = [bytes([b]) for b in token]
        while len(parts) > 2:
            pairs = [ranks.get(a + b, rank) for a, b in zip(parts, parts[1:])]
            at = pairs.index(min(pairs))
            assert pairs[at] < rank
            parts[at:at + 2] = [parts[at] + parts[at + 1]]
        if len(parts) == 2:
            merges.append((rank, text[parts[0]], text[parts[1]]))
    made = tokenizer(models.BPE({text[t]: r for t, r in ranks.items()}, [m[1:] for m in sorted(merges)]))
    add_qwen_tokens(made)
    return made


def write_folder(folder, made, **settings):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(made.to_str(), encoding="utf-8")
    config = {"tokenizer_class": "Qwen2Tokenizer", "add_prefix_space": False, "bos_token": None,
              "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "model_max_length": 131072, **settings}
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def corpus():
    with gzip.open(HERE / "tokenizer.txt.gz", "rt", encoding="utf-8", newline="\n") as lines:
        return [json.loads(line.rsplit("\t", 1)[0]) for line in lines]


def small():
    made = tokenizer(models.BPE())
    made.pre_tokenizer = splits(EXPRESSIONS["gpt4"])  # learns numbers of several digits, which the variants use
    numbers = [str(n) for n in range(10, 100)] * 30
    made.train_from_iterator(corpus()[::2] + numbers, trainers.BpeTrainer(
        vocab_size=TOKENS, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    content = json.loads(made.to_str())
    content["pre_tokenizer"] = json.loads(tokenizer_of([WORDS]).to_str())["pre_tokenizer"]
    # Tokens that no merge makes, for ignore_merges.
    for text in ["\u0120watercolor", "\u0120a\u0120b", "photo"]:
        content["model"]["vocab"].setdefault(text, len(content["model"]["vocab"]))
    made = Tokenizer.from_str(json.dumps(content))
    add_qwen_tokens(made)
    made.add_tokens(FLAGGED)
    return made


def strings():
    """TEXTS, and some of those that CLIP's golden has, with added tokens between."""
    rng = random.Random(11)
    texts = list(TEXTS)
    drawn = corpus()[1::2]
    flags = SPECIAL[:3] + ADDED[-2:] + [t.content for t in FLAGGED]
    while len(texts) < 300:
        text = rng.choice(drawn)
        if rng.random() < 0.3:
            text += rng.choice(["", " ", "\n"]) + rng.choice(flags) + rng.choice(["", " ", "  "]) + rng.choice(drawn)
        texts.append(text)
    return texts


def variants(made, texts, usual):
    changes = {name: {"/pre_tokenizer": json.loads(tokenizer_of(e).to_str())["pre_tokenizer"]}
               for name, e in EXPRESSIONS.items()}
    changes["ignore_merges"] = {"/model/ignore_merges": True}
    changes["as_written"] = {"/normalizer": None}
    result = {}
    for name, change in changes.items():
        content = json.loads(made.to_str())
        for pointer, value in change.items():
            *path, key = pointer.split("/")[1:]
            part = content
            for step in path:
                part = part[step]
            part[key] = value
        other = Tokenizer.from_str(json.dumps(content))
        ids = {i: other.encode(text).ids for i, text in enumerate(texts)}
        different = {i: list_ for i, list_ in ids.items() if list_ != usual[i]}
        assert different, name
        result[name] = {"change": change, "ids": different}
    return result


def tokenizer_of(expressions):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = splits(expressions)
    return made


def krea_texts():
    """What diffusers puts before and after Krea 2's prompts."""
    source = pathlib.Path(importlib.util.find_spec("diffusers").origin).parent / "modular_pipelines/krea2/encoders.py"
    values = {node.targets[0].id: node.value for node in ast.parse(source.read_text()).body
              if isinstance(node, ast.Assign)}
    names = "_PROMPT_TEMPLATE_ENCODE_PREFIX", "_PROMPT_TEMPLATE_ENCODE_SUFFIX"
    return [ast.literal_eval(values[name]) for name in names]


def chats(made):
    before, after = krea_texts()
    pad = made.token_to_id("<|endoftext|>")
    result = []

    def row(kind, prompt, length, ids, dropped=0, end=()):
        ids, size = ids[:length + dropped - len(end)], length + dropped - len(end)
        real_ = [1] * len(ids)
        if kind not in ("plain", "thinking"):
            real_ += [0] * (size - len(ids))
            ids = ids + [pad] * (size - len(ids))
        result.append({"kind": kind, "prompt": prompt, "length": length, "ids": ids + list(end),
                       "real": real_ + [1] * len(end), "dropped": dropped})

    for prompt in ["a photo of a cat", " 猫, 高质量 \n", "\nnewline first", "it's <|im_end|> in the text", "word " * 60]:
        for length in (24, 160):
            user = f"<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n"
            row("plain", prompt, length, made.encode(prompt).ids)
            row("thinking", prompt, length, made.encode(user).ids)
            row("skipped", prompt, length, made.encode(user + "<think>\n\n</think>\n\n").ids)
            row("description", prompt, length, made.encode(before + prompt).ids, len(made.encode(before).ids),
                made.encode(after).ids)
    return result


def main():
    if sys.argv[1:2] == ["--real"]:
        write_folder(pathlib.Path(sys.argv[2]), real())
        return
    made = small()
    write_folder(OUT / "qwen", made)
    texts = strings()
    ids = [made.encode(text).ids for text in texts]
    content = {"strings": [{"text": t, "ids": i} for t, i in zip(texts, ids)], "variants": variants(made, texts, ids),
               "chats": chats(made)}
    lines = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    lines = lines.replace("},{\"text\"", "},\n{\"text\"").replace("},{\"kind\"", "},\n{\"kind\"")
    (OUT / "qwen_tokens.json").write_text(lines + "\n", encoding="utf-8")
    for name in ("qwen/tokenizer.json", "qwen_tokens.json"):
        print(name, (OUT / name).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
