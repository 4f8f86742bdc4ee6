// Ids of the tokenizers library (tests/golden/make_qwen_tokens.py).
#include "engine/io/bpe_tokenizer.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "engine/core/paths.h"
#include "engine/io/byte_alphabet.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;
using nlohmann::json;

const fs::path kTokenizers = fs::path(MANTISSA_TEST_DATA) / "golden/tokenizers";

const json& expected() {
  static const json content = read_json(kTokenizers / "qwen_tokens.json");
  return content;
}

const BpeTokenizer& qwen() {
  static const BpeTokenizer tokenizer = BpeTokenizer::from_folder(kTokenizers / "qwen");
  return tokenizer;
}

/// A tokenizer of the golden's tokenizer.json after a change.
BpeTokenizer changed(const fs::path& folder, const json& change) {
  json file = read_json(kTokenizers / "qwen/tokenizer.json");
  for (const auto& [place, value] : change.items()) {
    file[json::json_pointer(place)] = value;
  }
  test::write_file(folder / "tokenizer.json", file.dump());
  return BpeTokenizer::from_folder(folder);
}

void expect_ids(const BpeTokenizer& tokenizer, const json& others) {
  const json& strings = expected().at("strings");
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const auto& row = strings[i];
    const auto other = others.find(std::to_string(i));
    EXPECT_EQ(tokenizer.encode(row.at("text").get<std::string>()),
              (other == others.end() ? row.at("ids") : *other).get<Ids>())
        << i << ": " << row.at("text");
  }
}

TEST(BpeTokenizer, IdsAreThoseOfTheTokenizersLibrary) {
  EXPECT_EQ(expected().at("strings").size(), 300U);
  expect_ids(qwen(), json::object());
  expect_ids(qwen(), json::object());  // now from the cache
}

TEST(BpeTokenizer, OtherExpressionsAndSettingsOfTheFile) {
  const test::TempFolder folder;
  EXPECT_EQ(expected().at("variants").size(), 7U);
  for (const auto& [name, variant] : expected().at("variants").items()) {
    SCOPED_TRACE(name);
    expect_ids(changed(folder.path(), variant.at("change")), variant.at("ids"));
  }
}

TEST(BpeTokenizer, MergesAsTextsGiveTheSame) {
  const test::TempFolder folder;
  json merges = read_json(kTokenizers / "qwen/tokenizer.json").at("/model/merges"_json_pointer);
  for (json& merge : merges) {
    merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
  }
  expect_ids(changed(folder.path(), {{"/model/merges", merges}}), json::object());
}

TEST(BpeTokenizer, VocabAndMergesGiveTheSame) {
  const test::TempFolder folder;
  const json file = read_json(kTokenizers / "qwen/tokenizer.json");
  std::string merges = "#version: 0.2\n";
  for (const json& merge : file.at("model").at("merges")) {
    merges += merge[0].get<std::string>() + " " + merge[1].get<std::string>() + "\n";
  }
  json config = read_json(kTokenizers / "qwen/tokenizer_config.json");
  for (const json& token : file.at("added_tokens")) {
    config["added_tokens_decoder"][std::to_string(token.at("id").get<int>())] = token;
  }
  test::write_file(folder / "vocab.json", file.at("model").at("vocab").dump());
  test::write_file(folder / "merges.txt", merges);
  test::write_file(folder / "tokenizer_config.json", config.dump());
  const BpeTokenizer tokenizer = BpeTokenizer::from_folder(folder.path());
  expect_ids(tokenizer, json::object());
  EXPECT_EQ(tokenizer.vocab_size(), qwen().vocab_size());
  EXPECT_EQ(tokenizer.pad_id(), qwen().pad_id());
  config["tokenizer_class"] = "GPT2Tokenizer";
  test::write_file(folder / "tokenizer_config.json", config.dump());
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); },
                          {"tokenizer_config.json", "tokenizer_class", "GPT2Tokenizer", "Qwen2"});
}

TEST(BpeTokenizer, TokensByName) {
  const auto end = qwen().id_of("<|im_end|>");
  ASSERT_TRUE(end);
  EXPECT_EQ(qwen().encode("<|im_end|>"), (Ids{*end}));
  EXPECT_EQ(qwen().pad_id(), qwen().id_of("<|endoftext|>"));
  EXPECT_EQ(qwen().id_of("\u0120a"), qwen().encode(" a").at(0));
  EXPECT_FALSE(qwen().id_of("no such token"));
  EXPECT_GT(qwen().vocab_size(), *end);
}

TEST(BpeTokenizer, InvalidUtf8CountsAsReplacementCharacters) {
  EXPECT_EQ(qwen().encode("a\xff\xfe b\xe2\x82"), qwen().encode("a\uFFFD\uFFFD b\uFFFD\uFFFD"));
  EXPECT_EQ(qwen().encode("\xed\xa0\x80"), qwen().encode("\uFFFD\uFFFD\uFFFD"));  // a surrogate
  EXPECT_EQ(qwen().encode("\xc0\xaf"), qwen().encode("\uFFFD\uFFFD"));            // overlong
}

/// The bytes that ids stand for, without added tokens.
std::string bytes_of(const Ids& ids) {
  static const auto symbols = [] {
    const json file = read_json(kTokenizers / "qwen/tokenizer.json");
    std::map<std::int32_t, std::string> bytes;
    for (const auto& [token, id] : file.at("model").at("vocab").items()) {
      std::string text;
      for (std::size_t at = 0; at < token.size();) {
        const std::size_t size = (token[at] & 0x80) == 0 ? 1 : 2;
        const auto& symbol = byte_alphabet().symbol;
        text += static_cast<char>(std::find(symbol.begin(), symbol.end(), token.substr(at, size)) -
                                  symbol.begin());
        at += size;
      }
      bytes[id] = text;
    }
    return bytes;
  }();
  std::string text;
  for (const std::int32_t id : ids) {
    text += symbols.at(id);
  }
  return text;
}

TEST(BpeTokenizer, NoByteIsLost) {
  std::mt19937 random(5);
  const test::TempFolder folder;
  const BpeTokenizer plain =
      changed(folder.path(), {{"/normalizer", nullptr}, {"/added_tokens", json::array()}});
  const std::string parts[] = {"a", "B",  " ",      "\n",     "\r",
                               "7", "'s", "\u00e9", "\u732b", "\U0001F431",
                               ".", "_",  "\u0301", "\u3000", std::string(1, '\0')};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (unsigned i = random() % 40; i > 0; --i) {
      text += parts[random() % std::size(parts)];
    }
    ASSERT_EQ(bytes_of(plain.encode(text)), text);
  }
}

TEST(BpeTokenizer, RandomBytesNeverCrashAndStayInRange) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 64, '\0');
    for (char& c : text) {
      c = static_cast<char>(random());
    }
    for (const std::int32_t id : qwen().encode(text)) {
      ASSERT_GE(id, 0);
      ASSERT_LT(id, qwen().vocab_size());
    }
  }
}

TEST(BpeTokenizer, LongInputIsFast) {
  // A word, white space, added tokens of a megabyte each: nothing may take quadratic time.
  std::string tokens;
  while (tokens.size() < 1 << 20) {
    tokens += "<|im_end|>";
  }
  for (const std::string& text :
       {std::string(1 << 20, 'a'), std::string(1 << 20, ' ') + "x", std::string(1 << 20, '\n'),
        std::string(1 << 20, '!'), tokens, tokens + "MyTok"}) {
    EXPECT_GT(qwen().encode(text).size(), 1000U);
  }
}

TEST(BpeTokenizer, ThreadsShareOne) {
  const test::TempFolder folder;
  const BpeTokenizer shared = changed(folder.path(), json::object());  // with an empty cache
  std::vector<std::vector<Ids>> results(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<Ids>& result : results) {
      threads.emplace_back([&] {
        for (const json& row : expected().at("strings")) {
          result.push_back(shared.encode(row.at("text").get<std::string>()));
        }
      });
    }
  }
  for (const std::vector<Ids>& result : results) {
    EXPECT_EQ(result, results[0]);
  }
}

// tests/interop/qwen_tokens.py makes the folder: Qwen's own vocabulary, and strings with their ids.
TEST(BpeTokenizer, NightlyQwensVocabulary) {
  const char* chosen = std::getenv("MANTISSA_QWEN_TOKENS");
  if (chosen == nullptr) {
    GTEST_SKIP() << "run by tests/interop/qwen_tokens.py";
  }
  const fs::path folder = path_from_utf8(chosen);
  const auto seconds_since = [](auto start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  auto start = std::chrono::steady_clock::now();
  const BpeTokenizer tokenizer = BpeTokenizer::from_folder(folder);
  std::printf("loading: %.3f s\n", seconds_since(start));
  const json rows = read_json(folder / "ids.json");
  int wrong = 0;
  std::size_t tokens = 0;
  double spent = 0;
  for (const json& row : rows) {
    const auto text = row.at("text").get<std::string>();
    start = std::chrono::steady_clock::now();
    const Ids ids = tokenizer.encode(text);
    spent += seconds_since(start);
    tokens += ids.size();
    if (ids != row.at("ids").get<Ids>() && ++wrong <= 10) {
      EXPECT_EQ(ids, row.at("ids").get<Ids>()) << row.at("text");
    }
  }
  std::printf("%zu strings, %zu tokens, %d differ; %.3f ms per 512 tokens\n", rows.size(), tokens,
              wrong, 1e3 * spent * 512 / static_cast<double>(tokens));
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(rows.size(), 10000U);
}

}  // namespace
}  // namespace mantissa
