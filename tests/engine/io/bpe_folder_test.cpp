// Tokenizer folders that are damaged, hostile or of another kind: one clear error each.
#include "engine/io/bpe_folder.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>

#include "engine/core/message.h"
#include "engine/io/bpe_tokenizer.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kQwen = fs::path(MANTISSA_TEST_DATA) / "golden/tokenizers/qwen";

/// The golden folder after changes.
class QwenFolder {
 public:
  QwenFolder() : file_(read_json(kQwen / "tokenizer.json")) {}
  json& file() { return file_; }
  void put(const char* name, const std::string& text) { test::write_file(folder_ / name, text); }
  void load() {
    put("tokenizer.json", file_.dump());
    BpeTokenizer::from_folder(folder_.path());
  }
  const fs::path& path() const { return folder_.path(); }
  void expect(std::initializer_list<std::string> texts) {
    test::expect_error_with([&] { load(); }, texts);
  }

 private:
  test::TempFolder folder_;
  json file_;
};

TEST(BpeFolder, DefinitionOfTheGolden) {
  const BpeDefinition definition = read_bpe_definition(kQwen, {});
  EXPECT_EQ(definition.vocab.size() + definition.notes.added.size(),
            static_cast<std::size_t>(BpeTokenizer::from_folder(kQwen).vocab_size()));
  EXPECT_EQ(definition.expressions.size(), 1U);
  EXPECT_TRUE(definition.compose);
  EXPECT_FALSE(definition.ignore_merges);
  EXPECT_EQ(definition.notes.pad_token, "<|endoftext|>");
  EXPECT_EQ(definition.notes.max_length, 131072);
}

/// As transformers 5 writes it for a tokenizer without BOS and EOS.
TEST(BpeFolder, APostProcessorThatAddsNothingIsRead) {
  const json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const json nothing = {{"type", "TemplateProcessing"},
                        {"single", {text}},
                        {"pair", {text, {{"Sequence", {{"id", "B"}, {"type_id", 1}}}}}},
                        {"special_tokens", json::object()}};
  const json offsets = {{"type", "ByteLevel"}, {"trim_offsets", false}};
  for (const json& post :
       {nothing, offsets, json(), json{{"type", "Sequence"}, {"processors", {offsets, nothing}}}}) {
    QwenFolder folder;
    folder.file()["post_processor"] = post;
    EXPECT_NO_THROW(folder.load()) << post;
  }
}

TEST(BpeFolder, FieldsThatAreNotSupportedAreNamed) {
  const struct {
    const char* place;
    json value;
    std::vector<std::string> texts;
  } cases[] = {
      {"/normalizer", {{"type", "NFKC"}}, {"normalizer.type", "NFKC", "NFC"}},
      {"/normalizer", "NFC", {"normalizer is", "expected: {…}"}},
      {"/pre_tokenizer", nullptr, {"pre_tokenizer is null"}},
      {"/pre_tokenizer/type", "Metaspace", {"pre_tokenizer.type", "Metaspace", "Sequence"}},
      {"/pre_tokenizer/pretokenizers", json::array(), {"pre_tokenizer.pretokenizers", "Split"}},
      {"/pre_tokenizer/pretokenizers/0/type", "Digits", {"pretokenizers[0].type", "Digits"}},
      {"/pre_tokenizer/pretokenizers/0/behavior", "Removed", {"pretokenizers[0].behavior"}},
      {"/pre_tokenizer/pretokenizers/0/invert", true, {"pretokenizers[0].invert", "false"}},
      {"/pre_tokenizer/pretokenizers/0/pattern", {{"String", "a"}}, {"pattern", "String", "Regex"}},
      {"/pre_tokenizer/pretokenizers/0/pattern", 1, {"pretokenizers[0].pattern", "expected: {…}"}},
      {"/pre_tokenizer/pretokenizers/1/type", "Whitespace", {"pretokenizers[1].type", "ByteLevel"}},
      {"/pre_tokenizer/pretokenizers/1/add_prefix_space", true, {"add_prefix_space", "false"}},
      {"/pre_tokenizer/pretokenizers/1/use_regex", true, {"use_regex", "false"}},
      {"/post_processor", {{"type", "TemplateProcessing"}}, {"post_processor.single is null"}},
      {"/post_processor",
       {{"type", "TemplateProcessing"},
        {"single",
         {{{"Sequence", {{"id", "A"}, {"type_id", 0}}}},
          {{"SpecialToken", {{"id", "<|endoftext|>"}, {"type_id", 0}}}}}}},
       {"post_processor", "<|endoftext|>", "around a text"}},
      {"/post_processor", {{"type", "WordPiece"}}, {"post_processor.type", "WordPiece"}},
      {"/model", nullptr, {"model is null"}},
      {"/model/type", "Unigram", {"model.type", "Unigram", "BPE"}},
      {"/model/dropout", 0.1, {"model.dropout", "0.1"}},
      {"/model/end_of_word_suffix", "</w>", {"model.end_of_word_suffix", "</w>"}},
      {"/model/continuing_subword_prefix", "##", {"continuing_subword_prefix"}},
      {"/model/byte_fallback", true, {"model.byte_fallback"}},
      {"/model/ignore_merges", "yes", {"model.ignore_merges", "yes"}},
      {"/model/vocab", json::array({1}), {"model.vocab", "[1]"}},
      {"/model/vocab", {{"a", 0}}, {"lacks", "byte 0"}},
      {"/model/merges", json::object(), {"model.merges", "{}"}},
      {"/model/merges/0", 7, {"model.merges holds 7"}},
      {"/model/merges/0", nullptr, {"model.merges holds null"}},
      {"/model/merges/0", {"a", 7}, {"model.merges holds 7"}},
      {"/model/merges/0", {"a", "b", "c"}, {"model.merges"}},
      {"/model/merges/0", {"a"}, {"model.merges"}},
      {"/model/merges/0", json::array(), {"model.merges"}},
      {"/model/merges/0", {{"a", "b"}}, {"model.merges"}},
      {"/model/merges/0", {json::array({"a"}), "b"}, {"model.merges"}},
      {"/model/merges/0", "a  b", {"model.merges holds", "a  b"}},
      {"/model/merges/0", {"a", "\u732b"}, {"a \u732b", "lacks"}},
      {"/model/vocab/a", -1, {"'a'", "-1"}},
      {"/model/vocab/a", 1.5, {"'a'", "1.5"}},
      {"/model/vocab/a", "1", {"'a'", "\"1\""}},
      {"/model/vocab/a", 4194304, {"'a'", "4194304"}},
      {"/model/vocab/a", 99999999999999, {"'a'", "99999999999999"}},
      {"/model/vocab/a", {{"b", 1}}, {"'a'"}},
      {"/model/vocab/a", 5, {"'a'", "'&'", "same id 5"}},
      {"/added_tokens", 3, {"added_tokens is 3"}},
      {"/added_tokens/0", "x", {"tokenizer.json", "'x'", "id"}},
      {"/added_tokens/0/content", "", {"no text"}},
      {"/added_tokens/0/content", 4, {"no text"}},
      {"/added_tokens/0/id", -4, {"<|endoftext|>", "-4"}},
      {"/added_tokens/0/id", 5, {"'&'", "'<|endoftext|>'", "same id 5"}},
      {"/added_tokens/0/lstrip", "no", {"lstrip", "<|endoftext|>", "\"no\""}},
      {"/added_tokens/0/content", "a", {"'a'", "its id in the vocabulary"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.place) + " = " + c.value.dump());
    QwenFolder folder;
    folder.file()[json::json_pointer(c.place)] = c.value;
    const std::string error = test::message_of([&] { folder.load(); });
    for (const std::string& text : c.texts) {
      EXPECT_NE(error.find(text), std::string::npos) << error << "\nmisses: " << text;
    }
    EXPECT_NE(error.find("tokenizer.json"), std::string::npos) << error;
  }
}

TEST(BpeFolder, TwiceIsNamed) {
  QwenFolder twice;
  const json merge = twice.file()["model"]["merges"][3];
  twice.file()["model"]["merges"].push_back(merge);
  twice.expect({"appears twice", merge[0].get<std::string>()});

  QwenFolder ids;
  ids.file()["added_tokens"][1]["id"] = ids.file()["added_tokens"][0]["id"];
  ids.expect({"<|endoftext|>", "<|im_start|>", "same id"});

  QwenFolder key;
  key.put("tokenizer.json", R"({"model":{"vocab":{"a":0,"a":1}}})");
  test::expect_error_with([&] { BpeTokenizer::from_folder(key.path()); }, {"'a'", "twice"});
  key.put("tokenizer.json", R"({"model":{"vocab":{"a":0},"vocab":{"b":1}}})");
  test::expect_error_with([&] { BpeTokenizer::from_folder(key.path()); }, {"'vocab'", "twice"});
  key.put("tokenizer.json", R"({"model":{},"model":{}})");
  test::expect_error_with([&] { BpeTokenizer::from_folder(key.path()); }, {"'model'", "twice"});
}

TEST(BpeFolder, SettingsThatChangeTheIdsAreNamed) {
  for (const char* key :
       {"add_prefix_space", "split_special_tokens", "add_bos_token", "add_eos_token"}) {
    QwenFolder folder;
    folder.put("tokenizer_config.json", json{{key, true}}.dump());
    folder.expect({"tokenizer_config.json", key, "true"});
  }
  QwenFolder side;
  side.put("tokenizer_config.json", R"({"padding_side":"left"})");
  side.expect({"padding_side"});
  QwenFolder pad;
  pad.put("tokenizer_config.json", R"({"pad_token":"<none>"})");
  pad.expect({"<none>", "padding token"});
  QwenFolder decoder;
  decoder.put("tokenizer_config.json", R"({"added_tokens_decoder":{"x":{"content":"<y>"}}})");
  decoder.expect({"tokenizer_config.json", "<y>", "id"});
}

TEST(BpeFolder, DamagedFiles) {
  const std::string whole = read_text(kQwen / "tokenizer.json");
  QwenFolder folder;
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); },
                          {"neither vocab.json with merges.txt nor tokenizer.json"});
  for (std::size_t size = 0; size < whole.size(); size += size < 200 ? 1 : 997) {
    folder.put("tokenizer.json", whole.substr(0, size));
    test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); },
                            {"tokenizer.json", "not valid JSON"});
  }
  folder.put("tokenizer.json", std::string(100000, '['));
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); }, {"deeper than 64"});
  folder.put("tokenizer.json", "{\"a\":" + std::string(100000, '{'));
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); }, {"not valid JSON"});
  folder.put("tokenizer.json", "[1]");
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); }, {"JSON object"});
  folder.put("tokenizer.json", "{\"model\":{\"vocab\":{\"\xff\":0}}}");
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); }, {"not valid JSON"});
  folder.put("tokenizer.json", "{\"x\":1e999}");
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); }, {"not valid JSON"});

  fs::remove(folder.path() / "tokenizer.json");
  folder.put("vocab.json", "[]");
  folder.put("merges.txt", "#version: 0.2\na b\nc\n");
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); },
                          {"vocab.json", "object of token to id"});
  folder.put("vocab.json", R"({"a":0})");
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder.path()); },
                          {"merges.txt", "line 3"});
}

// Every byte of the file in turn may be another: either it loads, or an Error names the file.
TEST(BpeFolder, ChangedBytesAreAnErrorOrAnotherTokenizer) {
  const std::string whole = read_text(kQwen / "tokenizer.json");
  std::mt19937 random(3);
  QwenFolder folder;
  const std::string_view likely = "{}[]\",:0-9ab\\\x7f\xc3 ";
  int loaded = 0, refused = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string text = whole;
    for (unsigned i = 1 + random() % 3; i > 0; --i) {
      // Half of them where the settings are, before the vocabulary.
      const std::size_t range = random() % 2 == 0 ? text.size() : text.find("\"vocab\"");
      text[random() % range] = likely[random() % likely.size()];
    }
    folder.put("tokenizer.json", text);
    try {
      BpeTokenizer::from_folder(folder.path()).encode("It's 2024, a <|im_end|> caf\u00e9!");
      ++loaded;
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("tokenizer.json"), std::string::npos)
          << error.what();
    }
  }
  EXPECT_GT(loaded, 10);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace mantissa
