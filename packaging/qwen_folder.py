"""Writes the tokenizer folder of Qwen2 and Qwen3 from the ranks of their tokens.

    python3 packaging/qwen_folder.py qwen.tiktoken FOLDER

A line of the ranks is a token in base64 and its id. The merge that makes a token is the last step of
encoding it with the tokens before it. Used by fetch_qwen.sh.
"""

import base64
import json
import pathlib
import sys

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>",
           "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>",
           "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"]
ADDED = ["<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>",
         "<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>", "</think>"]


def byte_symbols():
    """GPT-2's alphabet: byte -> symbol."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in kept]
    return {b: chr(b) for b in kept} | {b: chr(256 + i) for i, b in enumerate(others)}


def parts_of(token, ranks):
    """The two tokens that merge into this one; none for a single byte."""
    parts = [bytes([b]) for b in token]
    while len(parts) > 2:
        pairs = [ranks.get(a + b, ranks[token]) for a, b in zip(parts, parts[1:])]
        at = pairs.index(min(pairs))
        parts[at:at + 2] = [parts[at] + parts[at + 1]]
    return parts if len(parts) == 2 else []


def main():
    source, folder = map(pathlib.Path, sys.argv[1:3])
    ranks = {base64.b64decode(token): int(rank)
             for token, rank in (line.split() for line in source.read_bytes().splitlines())}
    symbols = byte_symbols()
    text = {token: "".join(symbols[b] for b in token) for token in ranks}
    pairs = (parts_of(token, ranks) for token in sorted(ranks, key=ranks.get))
    merges = [f"{text[pair[0]]} {text[pair[1]]}\n" for pair in pairs if pair]
    folder.mkdir(parents=True)
    (folder / "vocab.json").write_text(json.dumps({text[t]: r for t, r in ranks.items()}, ensure_ascii=False),
                                       encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(merges), encoding="utf-8")
    added = {str(len(ranks) + i): {"content": t, "lstrip": False, "normalized": False, "rstrip": False,
                                   "single_word": False, "special": t in SPECIAL}
             for i, t in enumerate(SPECIAL + ADDED)}
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "Qwen2Tokenizer", "add_prefix_space": False, "bos_token": None,
         "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "model_max_length": 131072,
         "added_tokens_decoder": added}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
