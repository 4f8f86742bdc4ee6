"""Writes tokenizer folders with transformers 5, and digests of transformers' ids with them.

    python tests/golden/make_tokenizer_folders.py        needs transformers 5, sentencepiece

  tokenizers/clip/             tokenizer.json and tokenizer_config.json of a small CLIP vocabulary (that of
                               models/b), padded with "!" like SD 2.x, with two added tokens
  tokenizers/t5.json.gz        tokenizer.json of a unigram model of 1,200 pieces, trained here on the strings of
                               tokenizer.txt.gz, with T5's normaliser (nmt_nfkc)
  tokenizers/digests.json      for each: SHA-256 of the ids of every 100 strings, over the 10,000
  strings of
                               tokenizer.txt.gz as `strings` varies them; one id list per line,
                               numbers and blanks; and `exclamation`: captions with "!" and their
                               ids in transformers

CLIP's strings are without "!", whose ids only transformers treats as padding
(tests/engine/io/tokenizer_test.cpp).
"""

import gzip
import hashlib
import json
import pathlib
import shutil
import tempfile

import sentencepiece
from transformers import CLIPTokenizer, T5Tokenizer

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE / "tokenizers"


def strings():
    texts = [json.loads(line.rsplit("\t", 1)[0])
             for line in gzip.open(HERE / "tokenizer.txt.gz", "rt", encoding="utf-8", newline="\n")]
    for i, text in enumerate(texts):
        text = text.replace("!", "")
        yield [text, text + "<cat-toy>", "x MyTok" + text, text + "</s> a<extra_id_7>b", text][i % 5]


def digests(tokenizer):
    result, lines = [], []
    for text in strings():
        ids = tokenizer(text, add_special_tokens=False).input_ids
        lines.append(" ".join(map(str, ids)) + "\n")
        if len(lines) == 100:
            result.append(hashlib.sha256("".join(lines).encode()).hexdigest())
            lines = []
    return result


def clip():
    tokenizer = CLIPTokenizer.from_pretrained(HERE / "models/b/tokenizer_2", pad_token="!", model_max_length=77)
    tokenizer.add_tokens(["<cat-toy>", "MyTok"])
    shutil.rmtree(OUT / "clip", ignore_errors=True)
    tokenizer.save_pretrained(OUT / "clip")
    return CLIPTokenizer.from_pretrained(OUT / "clip")


def t5(folder):
    texts = pathlib.Path(folder) / "texts"
    texts.write_text("\n".join(text.replace("\n", " ").replace("\0", "") for text in strings()), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(texts), model_prefix=str(pathlib.Path(folder) / "spiece"), vocab_size=1200, model_type="unigram",
        character_coverage=0.98, pad_id=0, eos_id=1, unk_id=2, bos_id=-1, minloglevel=2, num_threads=1,
        hard_vocab_limit=False)
    T5Tokenizer.from_pretrained(folder).save_pretrained(pathlib.Path(folder) / "fast")
    made = T5Tokenizer.from_pretrained(pathlib.Path(folder) / "fast")
    text = (pathlib.Path(folder) / "fast" / "tokenizer.json").read_bytes()
    with open(OUT / "t5.json.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed:
        packed.write(json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False).encode())
    return made


def main():
    OUT.mkdir(exist_ok=True)
    small = clip()
    said = ["wow!", "wow!! a cat", "!", "a ! b"]
    with tempfile.TemporaryDirectory() as folder:
        result = {"clip": digests(small), "t5": digests(t5(folder)),
                  "exclamation": {text: small(text, add_special_tokens=False).input_ids for text in said}}
    (OUT / "digests.json").write_text(json.dumps(result, indent=0) + "\n")


main()
