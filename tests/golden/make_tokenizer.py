"""Draws 10,000 strings and writes their ids by transformers' fast CLIP tokenizer.

    python tests/golden/make_tokenizer.py VOCAB.txt.gz tests/golden/tokenizer.txt.gz

VOCAB is bpe_simple_vocab_16e6.txt.gz (packaging/fetch_vocab.sh). Each output line is the string as
JSON, a tab, and its ids without BOS and EOS.
"""

import gzip
import io
import json
import random
import sys
import tempfile
import unicodedata

from transformers import CLIPTokenizerFast

WORDS = """a photo of the masterpiece best quality detailed girl boy cat dog portrait cinematic lighting
watercolor landscape mountains at sunset highly style by artist unreal engine octane render 8k uhd
bokeh depth field sharp focus intricate don't it's we're you've I'm they'll he'd WOMAN Blue-Eyed
score_9 rating_safe 1girl 2girls solo looking_at_viewer (best:1.2) [bad] {x} <lora:foo:0.8> sks""".split()

ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "latin1": "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßŠšŽžŒœİıĞğŞş",
    "greek": "αβγδεζηθικλμνξοπρστυφχψωςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩάέήίόύώΐΰ",
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёЁїґ",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي٠١٢٣٤٥٦٧٨٩ًٌٍَُِّْ",
    "hebrew": "אבגדהוזחטיכלמנסעפצקרשתםןףץךְֱֲֳִֵֶַָ",
    "devanagari": "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ं०१२३४५६७८९",
    "bengali": "অআইঈউকখগঘচছজটঠডতথদনপফবভমযরলশসহািীুূেৈোৌ্",
    "tamil": "அஆஇஈஉகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோௌ்",
    "thai": "กขคงจฉชซญดตถทนบปผฝพฟมยรลวศสหอฮะาิีึืุูเแโใไ่้๊๋์๐๑๒๓",
    "korean": "가나다라마바사아자차카타파하한국어고양이사진강아지ㄱㄴㄷㅏㅑ",
    "jamo": "ᄀᄂᄃᄅ마ᅢᅣᅥᆨᆫᆯ",
    "kana": "あいうえおかきくけこさしすせそアイウエオカキクケコｱｲｳｴｵがぎぐパピプー゛゜",
    "cjk": "日本語中文漢字猫犬山川水火木金土人大小天空海花鳥風月東京北京學学龍龙𠮷𠀋",
    "georgian": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰႠႡႢ",
    "armenian": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆԱԲԳԴ",
    "ethiopic": "ሀሁሂሃሄህሆለሉሊላሌልሎሐሑሒ፩፪፫",
    "cherokee": "ᎠᎡᎢᎣᎤᎥᎦᎧᎨꭰꭱꭲ",
    "digits": "0123456789²³¹½¾①②③ⅣⅫ０１２３",
    "marks": "\u0300\u0301\u0302\u0303\u0308\u030a\u0323\u0327\u0328\u0345\u20dd\u3099\u309a\ufe0f\ufe0e",
    "punct": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…–—‘’“”«»¿¡§¶†‡•€£¥©®™°±×÷",
    "symbols": "←→↑↓∀∃∑∫√∞≈≠≤≥♠♥♦♣★☆☀☁☂♪♫⚡✓✗❤∂∇⊕⌘⏎",
    "math": "𝐀𝐁𝐚𝐛𝒜𝓑𝔄𝔅𝟎𝟏𝟘ℝℕℤℂℵÅKΩ",
    "width": "ＡＢＣａｂｃ！？（）［］",
    "ligatures": "ﬁﬂﬀﬃﬄŉǰẞǅǈᾳᾼ",
    "zero": "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202c\u0000\u0001\u001c\u001f\u007f\u0080\u009f",
    "space": " \t\n\r\x0b\x0c\x85\xa0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
}
EMOJI = ["👍", "👍🏽", "😀", "😂", "🥺", "❤️", "🔥", "✨", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🇯🇵", "🧑‍🚀", "1️⃣", "🐱", "🎨", "🦊", "☠️", "©️"]
SPECIAL = ["<|startoftext|>", "<|endoftext|>", "<|STARTOFTEXT|>", "<|EndOfText|>", "<|end", "oftext|>", "</w>", "<|>"]
CONTRACTIONS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'LL", "''", "'", "’s", "'x"]


def fragment(rng):
    kind = rng.randrange(14)
    if kind < 4:
        word = rng.choice(WORDS)
        return rng.choice([word, word, word.upper(), word.title()])
    if kind < 9:
        letters = ALPHABETS[rng.choice(list(ALPHABETS))]
        return "".join(rng.choice(letters) for _ in range(rng.randint(1, 6)))
    if kind == 9:
        return rng.choice(EMOJI) * rng.choice([1, 1, 1, 2])
    if kind == 10:
        return rng.choice(WORDS) + rng.choice(CONTRACTIONS)
    if kind == 11:
        return rng.choice(SPECIAL) if rng.random() < 0.5 else rng.choice(CONTRACTIONS)
    if kind == 12:
        base = rng.choice(ALPHABETS["latin"] + ALPHABETS["latin1"] + ALPHABETS["greek"])
        return base + "".join(rng.choice(ALPHABETS["marks"]) for _ in range(rng.randint(1, 3)))
    return unicodedata.normalize(rng.choice(["NFC", "NFD"]), "".join(
        rng.choice(ALPHABETS[rng.choice(["latin1", "korean", "kana", "devanagari"])]) for _ in range(3)))


def string(rng):
    joints = ["", " ", " ", " ", ", ", ",", "-", "_", ".", "  ", "\n", "\t", "\u3000"]
    parts = []
    for _ in range(rng.choice([1, 1, 2, 2, 3, 3, 4, 6])):
        parts.append(fragment(rng))
        parts.append(rng.choice(joints))
    return "".join(parts[:-1])


def fast_tokenizer(vocab_path):
    lines = gzip.open(vocab_path).read().decode().split("\n")[1:48895]
    order = [*range(33, 127), *range(161, 173), *range(174, 256)]
    symbols = [chr(b) for b in order]
    symbols += [chr(256 + i) for i in range(256 - len(order))]
    vocab = symbols + [s + "</w>" for s in symbols] + ["".join(l.split()) for l in lines]
    vocab += ["<|startoftext|>", "<|endoftext|>"]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/vocab.json", "w", encoding="utf-8") as out:
            json.dump({token: i for i, token in enumerate(vocab)}, out)
        with open(f"{folder}/merges.txt", "w", encoding="utf-8") as out:
            out.write("#version: 0.2\n" + "\n".join(lines) + "\n")
        with open(f"{folder}/tokenizer_config.json", "w", encoding="utf-8") as out:
            json.dump({"tokenizer_class": "CLIPTokenizer", "bos_token": "<|startoftext|>",
                       "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>",
                       "pad_token": "<|endoftext|>", "model_max_length": 77}, out)
        return CLIPTokenizerFast.from_pretrained(folder)


def main():
    vocab_path, out_path = sys.argv[1:]
    tokenizer = fast_tokenizer(vocab_path)
    rng = random.Random(20240101)
    strings = ["", " ", "a photo of a cat", "masterpiece, best quality, 1girl, solo",
               "it's 2024: 12345!!", "naïve café", "日本語", "👍", "İstanbul", "ΣΑΣ ΟΔΟΣ", "\u212b\u212a\u2126",
               "x" * 300, "!" * 90, "ab" * 200, "e\u0301" * 40]
    while len(strings) < 10000:
        strings.append(string(rng))
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as out:
        for text in strings:
            ids = tokenizer(text, truncation=False)["input_ids"][1:-1]
            out.write((json.dumps(text, ensure_ascii=False) + "\t" + " ".join(map(str, ids)) + "\n").encode())
    with open(out_path, "wb") as out:
        out.write(buffer.getvalue())
    print(len(strings), "strings,", len(buffer.getvalue()), "bytes")


if __name__ == "__main__":
    main()
