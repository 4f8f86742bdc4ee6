"""Qwen's own vocabulary: the ids of 10,000 strings must be those of the tokenizers library.

    python tests/interop/qwen_tokens.py [--tests build/bin/engine_io_tests] [--count 10000] [--seed 1]
                                        [--folder build/share/mantissa/qwen3]

Checks the tokenizer that ships with the program (packaging/fetch_qwen.sh), or with --folder "" one
written as tokenizer.json.

Needs tokenizers, transformers, diffusers and dashscope, whose vocabulary it reads
(tests/golden/make_qwen_tokens.py --real). The strings are those of CLIP's golden with Qwen's added tokens
between, the golden's own, long prompts, random assigned characters, and random white space. Prints the time
of loading, of 512 tokens, and how many strings differ.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/golden"))

import make_qwen_tokens  # noqa: E402

SPACE = " \t\n\r\x0b\x0c\x85\xa0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\u180e\u200b"
# What is a letter in one Unicode version may be unassigned in another: PCRE2 10.42 and utf8proc 2.8 have 14.
KNOWN = unicodedata if unicodedata.unidata_version <= "14.0.0" else unicodedata.ucd_3_2_0


def assigned_characters():
    return [chr(c) for c in range(0x110000) if KNOWN.category(chr(c)) not in ("Cn", "Cs", "Co")]


def drawn_strings(rng, count):
    corpus, own = make_qwen_tokens.corpus(), make_qwen_tokens.strings()
    added = make_qwen_tokens.SPECIAL + make_qwen_tokens.ADDED
    characters = assigned_characters()
    yield from own
    for i in range(count - len(own)):
        kind = i % 10
        if kind < 5:
            yield corpus[i % len(corpus)]
        elif kind == 5:
            yield rng.choice(corpus) + rng.choice(["", " ", "\n"]) + rng.choice(added) + rng.choice(corpus)
        elif kind == 6:
            yield " ".join(rng.choice(corpus) for _ in range(rng.randint(10, 40)))
        elif kind == 7:
            yield "".join(rng.choice(SPACE + "a.1") for _ in range(rng.randint(1, 12)))
        else:
            joints = ["", "", " ", "'", "\u0301", "a"]
            yield "".join(rng.choice(characters) + rng.choice(joints) for _ in range(rng.randint(1, 12)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests", type=pathlib.Path, default=ROOT / "build/bin/engine_io_tests")
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default=str(ROOT / "build/share/mantissa/qwen3"))
    options = parser.parse_args()
    rng = random.Random(options.seed)
    tokenizer = make_qwen_tokens.real()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if options.folder:
            shutil.copytree(options.folder, folder, dirs_exist_ok=True)
        else:
            make_qwen_tokens.write_folder(folder, tokenizer)
        rows = [{"text": text, "ids": tokenizer.encode(text).ids} for text in drawn_strings(rng, options.count)]
        (folder / "ids.json").write_text(json.dumps(rows), encoding="utf-8")
        return subprocess.run([options.tests, "--gtest_filter=BpeTokenizer.NightlyQwensVocabulary"],
                              env={**os.environ, "MANTISSA_QWEN_TOKENS": str(folder)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
