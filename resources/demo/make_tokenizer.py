"""Writes the tokenizer of the mini Z-Image: Qwen's byte-level BPE with 385 tokens, trained on captions of
shapes and zorbs. Same file every time; needs tokenizers.

    python resources/demo/make_tokenizer.py resources/demo/mini-z-image/tokenizer
"""

import json
import pathlib
import random
import sys

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

import shapes

# How Qwen splits text into words, from its tokenizer.json.
WORDS = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
         r"|\s+(?!\S)|\s+")
# Words of the chat template and of the demo, which no shape's caption has.
OTHERS = ["user\n", "assistant\n"] * 2000 + ["a zorb creature, a zorb"] * 200 + ["a print of"] * 100


def main():
    rng = random.Random(1)
    captions = [shapes.caption(*scene) for scene in shapes.scenes(rng, 2000)]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.train_from_iterator(captions + OTHERS, trainers.BpeTrainer(
        vocab_size=400, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.add_tokens([AddedToken(t, special=True, normalized=False)
                          for t in ("<|endoftext|>", "<|im_start|>", "<|im_end|>")]
                         + [AddedToken(t, normalized=False) for t in ("<think>", "</think>")])
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "Qwen2Tokenizer", "pad_token": "<|endoftext|>", "eos_token": "<|im_end|>",
         "model_max_length": 1024}) + "\n")
    print(tokenizer.get_vocab_size(), "tokens")


if __name__ == "__main__":
    main()
