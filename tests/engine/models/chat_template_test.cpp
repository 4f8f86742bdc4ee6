// Prompts as the pipelines of diffusers lay them out (tests/golden/make_qwen_tokens.py).
#include "engine/models/qwen3/chat_template.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/io/json_file.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using nlohmann::json;

const std::filesystem::path kChatGolden =
    std::filesystem::path(MANTISSA_TEST_DATA) / "golden/tokenizers";

const BpeTokenizer& chat_tokenizer() {
  static const BpeTokenizer tokenizer = BpeTokenizer::from_folder(kChatGolden / "qwen");
  return tokenizer;
}

PromptTokens tokens_of(const std::string& kind, const std::string& prompt, int length) {
  const BpeTokenizer& tokenizer = chat_tokenizer();
  if (kind == "plain") {
    return prompt_tokens(tokenizer, prompt, length);
  }
  if (kind == "thinking") {
    return prompt_tokens(tokenizer, qwen3_chat(prompt, Thinking::allowed), length);
  }
  if (kind == "skipped") {
    return padded_prompt_tokens(tokenizer, qwen3_chat(prompt, Thinking::skipped), length);
  }
  return description_prompt_tokens(tokenizer, prompt, length);
}

TEST(ChatTemplate, TextOfOneMessage) {
  EXPECT_EQ(qwen3_chat(" a cat\n", Thinking::allowed),
            "<|im_start|>user\n a cat\n<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(qwen3_chat("", Thinking::skipped),
            "<|im_start|>user\n<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n");
}

/// Templates are compared by the texts in them: in tokenizer_config.json, or in a file of their
/// own, which wins.
TEST(ChatTemplate, AnotherModelsTemplateIsRefused) {
  // As Qwen3's own, which tells of tools in words that aren't a system message of every prompt.
  const std::string qwen3 =
      "{%- if tools %}# Tools\\n\\nYou may call one or more functions to assist with the user "
      "query."
      "\\n\\nYou are provided with function signatures within <tools></tools> XML tags:{%- endif %}"
      "{%- for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{%- endfor %}"
      "<|im_start|>assistant\n{%- if enable_thinking is defined and enable_thinking is false %}"
      "<think>\n\n</think>\n\n{%- endif %}";
  const std::string instruct =
      "{%- for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{%- endfor %}"
      "<|im_start|>assistant\n";
  const std::string llama = "<|start_header_id|>user<|end_header_id|>assistant";
  const std::string with_system = "<|im_start|>system\nYou are Qwen.<|im_end|>\n" + qwen3;
  const test::TempFolder folder;
  const auto check = [&](Thinking thinking) { require_qwen3_template(folder.path(), thinking); };
  EXPECT_NO_THROW(check(Thinking::skipped)) << "no template";
  const auto config = [&](const json& text) {
    test::write_file(folder / "tokenizer_config.json", json{{"chat_template", text}}.dump());
  };
  config(qwen3);
  EXPECT_NO_THROW(check(Thinking::skipped));
  config({{{"name", "tool_use"}, {"template", llama}}, {{"name", "default"}, {"template", qwen3}}});
  EXPECT_NO_THROW(check(Thinking::allowed));
  config(instruct);
  EXPECT_NO_THROW(check(Thinking::allowed));
  test::expect_error_with([&] { check(Thinking::skipped); },
                          {"tokenizer_config.json", "'enable_thinking'"});
  config(with_system);
  test::expect_error_with([&] { check(Thinking::allowed); },
                          {"tokenizer_config.json", "system message", "You are"});
  config(qwen3);
  test::write_file(folder / "chat_template.jinja", llama);
  test::expect_error_with([&] { check(Thinking::allowed); },
                          {"chat_template.jinja", "'<|im_start|>'"});
}

TEST(ChatTemplate, TokensAreThoseOfDiffusers) {
  const json content = read_json(kChatGolden / "qwen_tokens.json");
  std::map<std::string, int> kinds;
  for (const json& row : content.at("chats")) {
    const auto kind = row.at("kind").get<std::string>();
    const PromptTokens tokens =
        tokens_of(kind, row.at("prompt").get<std::string>(), row.at("length").get<int>());
    SCOPED_TRACE(kind + " " + row.at("prompt").dump() + " " + row.at("length").dump());
    EXPECT_EQ(tokens.ids, row.at("ids").get<std::vector<std::int32_t>>());
    EXPECT_EQ(tokens.real, row.at("real").get<std::vector<std::uint8_t>>());
    EXPECT_EQ(tokens.dropped, row.at("dropped").get<int>());
    ++kinds[kind];
  }
  EXPECT_EQ(kinds.size(), 4U);
}

TEST(ChatTemplate, AnEmptyPromptIsOneTokenOfPadding) {
  const PromptTokens tokens = prompt_tokens(chat_tokenizer(), "", 512);
  EXPECT_EQ(tokens.ids, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(tokens.real, (std::vector<std::uint8_t>{0}));
}

TEST(ChatTemplate, LengthsWithoutRoomAndTokenizersWithoutPadding) {
  const BpeTokenizer& tokenizer = chat_tokenizer();
  test::expect_error_with([&] { prompt_tokens(tokenizer, "a", 0); }, {"length is 0"});
  test::expect_error_with([&] { padded_prompt_tokens(tokenizer, "a", -1); }, {"length is -1"});
  test::expect_error_with([&] { description_prompt_tokens(tokenizer, "a", 3); }, {"length is 3"});

  const test::TempFolder folder;
  json file = read_json(kChatGolden / "qwen/tokenizer.json");
  file["added_tokens"].erase(0);  // <|endoftext|>
  test::write_file(folder / "tokenizer.json", file.dump());
  const BpeTokenizer without = BpeTokenizer::from_folder(folder.path());
  test::expect_error_with([&] { padded_prompt_tokens(without, "a", 8); }, {"pad_token"});
  EXPECT_EQ(prompt_tokens(without, "a", 8).ids, tokenizer.encode("a"));
}

}  // namespace
}  // namespace mantissa
