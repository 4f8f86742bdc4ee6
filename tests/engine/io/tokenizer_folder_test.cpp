// Tokenizer folders as written by transformers 5: the same ids as transformers
// (tests/golden/make_tokenizer_folders.py).
#include "engine/io/tokenizer_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/t5_tokenizer.h"
#include "engine/io/tokenizer.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;
using nlohmann::json;

const fs::path kGolden = fs::path(MANTISSA_TEST_DATA) / "golden";

std::string unpacked(const fs::path& path) {
  gzFile file = gzopen(path.string().c_str(), "rb");
  std::string text;
  char buffer[65536];
  for (int n = 0; (n = gzread(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  gzclose(file);
  return text;
}

/// The 10,000 strings, varied as in the script.
const std::vector<std::string>& strings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    std::istringstream lines(unpacked(kGolden / "tokenizer.txt.gz"));
    for (std::string line; std::getline(lines, line);) {
      auto text = json::parse(line.substr(0, line.rfind('\t'))).get<std::string>();
      std::erase(text, '!');
      switch (list.size() % 5) {
        case 1:
          text += "<cat-toy>";
          break;
        case 2:
          text = "x MyTok" + text;
          break;
        case 3:
          text += "</s> a<extra_id_7>b";
          break;
        default:
          break;
      }
      list.push_back(text);
    }
    return list;
  }();
  return all;
}

template <typename Tokenizer>
void expect_digests(const Tokenizer& tokenizer, const char* name) {
  const json wanted = read_json(kGolden / "tokenizers/digests.json").at(name);
  ASSERT_EQ(strings().size(), 10000U);
  int wrong = 0;
  for (std::size_t block = 0; block < wanted.size(); ++block) {
    std::string lines;
    for (std::size_t i = 100 * block; i < 100 * (block + 1); ++i) {
      std::string line;
      for (const std::int32_t id : tokenizer.encode(strings()[i])) {
        line += (line.empty() ? "" : " ") + std::to_string(id);
      }
      lines += line + "\n";
    }
    const bool same = sha256_hex(std::as_bytes(std::span(lines))) == wanted[block];
    wrong += same ? 0 : 1;
    EXPECT_TRUE(same) << name << ": strings " << 100 * block << " to " << 100 * block + 99;
  }
  EXPECT_EQ(wanted.size(), 100U);
  EXPECT_EQ(wrong, 0);
}

/// A folder with one file more than CLIP's vocabulary needs, or with one replaced.
class ClipFolder {
 public:
  ClipFolder() {
    for (const char* name : {"tokenizer.json", "tokenizer_config.json"}) {
      fs::copy(kGolden / "tokenizers/clip" / name, folder_ / name);
    }
  }
  void put(const char* name, const json& object) {
    fs::remove(folder_ / name);
    test::write_file(folder_ / name, object.dump());
  }
  void edit(const char* name, const std::function<void(json&)>& change) {
    json object = read_json(folder_ / name);
    change(object);
    put(name, object);
  }
  BpeFiles read() const { return read_bpe_folder(folder_.path()); }
  ClipTokenizer tokenizer() const { return ClipTokenizer::from_folder(folder_.path()); }

 private:
  test::TempFolder folder_;
};

TEST(TokenizerFolder, ClipIdsAreThoseOfTransformers) {
  expect_digests(ClipFolder().tokenizer(), "clip");
}

TEST(TokenizerFolder, T5IdsAreThoseOfTransformers) {
  const test::TempFolder folder;
  test::write_file(folder / "tokenizer.json", unpacked(kGolden / "tokenizers/t5.json.gz"));
  expect_digests(T5Tokenizer::from_folder(folder.path()), "t5");
}

TEST(TokenizerFolder, ThePaddingTokenIsRead) {
  EXPECT_EQ(ClipFolder().read().notes.pad_token, "!");
  EXPECT_EQ(ClipFolder().read().notes.max_length, 77);
  ClipFolder map;  // special_tokens_map.json wins, as in transformers
  map.put("special_tokens_map.json", {{"pad_token", {{"content", "<|endoftext|>"}}}});
  EXPECT_EQ(map.read().notes.pad_token, "<|endoftext|>");
  ClipFolder none;
  none.edit("tokenizer_config.json", [](json& c) { c.erase("pad_token"); });
  EXPECT_FALSE(none.read().notes.pad_token);
}

// transformers treats every "!" as padding if that is the padding token. The models were trained
// with OpenCLIP's ids, which ComfyUI, A1111 and kohya's scripts use too.
TEST(TokenizerFolder, AnExclamationMarkIsNoPadding) {
  const ClipTokenizer tokenizer = ClipFolder().tokenizer();
  const ClipTokenizer plain = ClipTokenizer::from_folder(kGolden / "models/b/tokenizer");
  const json theirs = read_json(kGolden / "tokenizers/digests.json").at("exclamation");
  for (const auto& [text, ids] : theirs.items()) {
    EXPECT_NE(std::count(ids.begin(), ids.end(), 0), 0) << "transformers no longer pads: " << text;
    EXPECT_EQ(tokenizer.encode(text), plain.encode(text)) << text;
    EXPECT_NE(tokenizer.encode(text), ids.get<Ids>()) << text;
  }
  const ClipTokenizer clip = ClipTokenizer::built_in();
  EXPECT_EQ(clip.encode("wow!!"), (Ids{2781, 748}));  // OpenCLIP's
}

TEST(TokenizerFolder, AddedTokensOfEveryFile) {
  const auto id = [](const ClipTokenizer& t, const char* text) { return t.encode(text); };
  const ClipTokenizer json_file = ClipFolder().tokenizer();
  const Ids toy = id(json_file, "<cat-toy>");
  ASSERT_EQ(toy.size(), 1U);
  EXPECT_EQ(id(json_file, "<CAT-TOY>"), toy);  // normalised, hence in any case
  EXPECT_NE(id(json_file, "<|ENDOFTEXT|>"), (Ids{json_file.eos_id()}));
  EXPECT_EQ(json_file.token(toy[0]), "<cat-toy>");

  const test::TempFolder old;  // as transformers 4 wrote it
  fs::copy(kGolden / "models/b/tokenizer", old / "t", fs::copy_options::recursive);
  fs::remove(old / "t/tokenizer_config.json");
  fs::remove(old / "t/special_tokens_map.json");
  test::write_file(old / "t/added_tokens.json", json{{"<cat-toy>", toy[0]}}.dump());
  test::write_file(
      old / "t/special_tokens_map.json",
      json{{"eos_token", {{"content", "<|endoftext|>"}, {"normalized", true}}}}.dump());
  const ClipTokenizer four = ClipTokenizer::from_folder(old / "t");
  EXPECT_EQ(id(four, "a <Cat-Toy>"), id(json_file, "a <Cat-Toy>"));
  EXPECT_EQ(id(four, "<|ENDOFTEXT|>"), (Ids{four.eos_id()}));
}

TEST(TokenizerFolder, FlagsOfAddedTokens) {
  ClipFolder folder;
  folder.edit("tokenizer.json", [](json& file) {
    for (json& token : file["added_tokens"]) {
      if (token["content"] == "MyTok") {
        token["single_word"] = true;
      } else if (token["content"] == "<cat-toy>") {
        token["lstrip"] = token["rstrip"] = true;
      }
    }
  });
  const ClipTokenizer tokenizer = folder.tokenizer();
  const std::int32_t mine = ClipFolder().tokenizer().encode("MyTok").at(0);
  const auto has = [&](const char* text) {
    const Ids ids = tokenizer.encode(text);
    return std::count(ids.begin(), ids.end(), mine) == 1;
  };
  EXPECT_TRUE(has("a mytok, b"));
  EXPECT_FALSE(has("xmytok"));
  EXPECT_FALSE(has("mytok9"));
  EXPECT_EQ(tokenizer.encode("a \n <cat-toy>  b"), tokenizer.encode("a<cat-toy>b"));
}

TEST(TokenizerFolder, WhatReadsAnotherWayIsNamed) {
  const struct {
    const char* file;
    std::function<void(json&)> change;
    std::initializer_list<const char*> texts;
  } cases[] = {
      {"tokenizer_config.json",
       [](json& c) { c["padding_side"] = "left"; },
       {"tokenizer_config.json", "padding_side"}},
      {"tokenizer_config.json",
       [](json& c) { c["truncation_side"] = "left"; },
       {"truncation_side"}},
      {"tokenizer_config.json", [](json& c) { c["eos_token"] = "a"; }, {"eos_token", "'a'"}},
      {"tokenizer.json",
       [](json& c) {
         c["normalizer"] = {{"type", "NFKC"}};
       },
       {"normalises"}},
      {"tokenizer.json",
       [](json& c) {
         c["pre_tokenizer"] = {{"type", "Whitespace"}};
       },
       {"pre_tokenizer"}},
      {"tokenizer.json",
       [](json& c) { c["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "\\w+"; },
       {"splits"}},
      {"tokenizer.json",
       [](json& c) { c["normalizer"]["normalizers"][1]["content"] = "_"; },
       {"normalises"}},
      {"tokenizer.json",
       [](json& c) { c["post_processor"]["cls"][0] = "a"; },
       {"post_processor", "[a]", "<|startoftext|>"}},
      {"tokenizer.json", [](json& c) { c["model"]["dropout"] = 0.1; }, {"model", "dropout"}},
      {"tokenizer.json", [](json& c) { c["model"]["type"] = "Unigram"; }, {"model", "type"}},
      {"tokenizer.json",
       [](json& c) { c["model"]["end_of_word_suffix"] = ""; },
       {"end_of_word_suffix"}},
      {"tokenizer.json", [](json& c) { c["model"]["merges"] = {1}; }, {"merges"}},
      {"tokenizer.json", [](json& c) { c["added_tokens"][0]["id"] = -1; }, {"id of token"}},
  };
  for (const auto& c : cases) {
    ClipFolder folder;
    folder.edit(c.file, c.change);
    for (const char* text : c.texts) {
      test::expect_error_with([&] { folder.tokenizer(); }, {text});
    }
  }
}

TEST(TokenizerFolder, UnigramFilesThatAreNoT5AreNamed) {
  const test::TempFolder folder;
  const json good = json::parse(unpacked(kGolden / "tokenizers/t5.json.gz"));
  const struct {
    std::function<void(json&)> change;
    const char* text;
  } cases[] = {
      {[](json& c) { c["model"]["type"] = "BPE"; }, "type"},
      {[](json& c) { c["model"]["byte_fallback"] = true; }, "byte_fallback"},
      {[](json& c) { c["model"]["unk_id"] = 1 << 20; }, "unk_id"},
      {[](json& c) { c["model"]["vocab"][3] = 5; }, "vocab"},
      {[](json& c) {
         c["normalizer"] = {{"type", "Lowercase"}};
       },
       "Lowercase"},
      {[](json& c) { c["normalizer"]["precompiled_charsmap"] = "!!!"; }, "base64"},
      {[](json& c) { c["normalizer"]["precompiled_charsmap"] = "AAAA"; }, "damaged"},
      {[](json& c) { c.erase("model"); }, "unigram"},
      {[](json& c) { c["pre_tokenizer"]["pretokenizers"].erase(0); }, "pre_tokenizer"},
      {[](json& c) { c["pre_tokenizer"]["pretokenizers"][1]["replacement"] = "_"; }, "Metaspace"},
      {[](json& c) { c["pre_tokenizer"]["pretokenizers"][1]["prepend_scheme"] = "never"; },
       "pre_tokenizer"},
      {[](json& c) { c.erase("pre_tokenizer"); }, "pre_tokenizer is null"},
      {[](json& c) { c["post_processor"]["single"].erase(0); }, "post_processor.single"},
      {[](json& c) { c["post_processor"]["single"].push_back(c["post_processor"]["single"][1]); },
       "around a text"},
  };
  for (const auto& c : cases) {
    json changed = good;
    c.change(changed);
    fs::remove(folder / "tokenizer.json");
    test::write_file(folder / "tokenizer.json", changed.dump());
    test::expect_error_with([&] { T5Tokenizer::from_folder(folder.path()); },
                            {"tokenizer.json", c.text});
  }
  test::expect_error_with([&] { T5Tokenizer::from_folder(folder / "none"); },
                          {"none", "spiece.model", "tokenizer.json"});
}

}  // namespace
}  // namespace mantissa
