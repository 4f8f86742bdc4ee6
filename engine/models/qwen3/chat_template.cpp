#include "engine/models/qwen3/chat_template.h"

#include <algorithm>

#include "engine/core/error.h"

namespace mantissa {

namespace {

constexpr std::string_view kUser = "<|im_start|>user\n";
constexpr std::string_view kAssistant = "<|im_end|>\n<|im_start|>assistant\n";
constexpr std::string_view kEmptyThoughts = "<think>\n\n</think>\n\n";
constexpr std::string_view kDescribe =
    "<|im_start|>system\n"
    "Describe the image by detailing the color, shape, size, texture, quantity, text, spatial "
    "relationships of the objects and background:<|im_end|>\n";

std::string joined_text(std::string_view first, std::string_view second, std::string_view third) {
  std::string text(first);
  text += second;
  text += third;
  return text;
}

std::int32_t padding_id(const BpeTokenizer& tokenizer) {
  // transformers' default for Qwen's tokenizers.
  const auto id = tokenizer.pad_id() ? tokenizer.pad_id() : tokenizer.id_of("<|endoftext|>");
  if (!id) {
    throw Error(message<"the tokenizer has no padding token (pad_token in tokenizer_config.json); "
                        "get the model's tokenizer folder again">());
  }
  return *id;
}

void append(PromptTokens& tokens, const std::vector<std::int32_t>& ids) {
  tokens.ids.insert(tokens.ids.end(), ids.begin(), ids.end());
  tokens.real.insert(tokens.real.end(), ids.size(), 1);
}

/// `text`, truncated, at the start of `tokens`.
PromptTokens truncated(const BpeTokenizer& tokenizer, std::string_view text, int length) {
  if (length < 1) {
    throw Error(
        message<"a prompt needs room for at least one token; the length is {length}">(length));
  }
  std::vector<std::int32_t> ids = tokenizer.encode(text);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(length)));
  PromptTokens tokens;
  append(tokens, ids);
  return tokens;
}

void pad(PromptTokens& tokens, std::int32_t id, int length) {
  tokens.ids.resize(static_cast<std::size_t>(length), id);
  tokens.real.resize(static_cast<std::size_t>(length), 0);
}

}  // namespace

std::string qwen3_chat(std::string_view prompt, Thinking thinking) {
  std::string text = joined_text(kUser, prompt, kAssistant);
  if (thinking == Thinking::skipped) {
    text += kEmptyThoughts;
  }
  return text;
}

PromptTokens prompt_tokens(const BpeTokenizer& tokenizer, std::string_view text, int length) {
  PromptTokens tokens = truncated(tokenizer, text, length);
  if (tokens.ids.empty()) {
    pad(tokens, 0, 1);
  }
  return tokens;
}

PromptTokens padded_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view text,
                                  int length) {
  PromptTokens tokens = truncated(tokenizer, text, length);
  pad(tokens, padding_id(tokenizer), length);
  return tokens;
}

PromptTokens description_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                       int length) {
  // The end is encoded by itself, as it follows the padding; the prompt together with what is
  // before it, whose last line break may become one token with the prompt's first.
  const std::string before = joined_text(kDescribe, kUser, "");
  const int dropped = static_cast<int>(tokenizer.encode(before).size());
  const std::vector<std::int32_t> after = tokenizer.encode(kAssistant);
  const int room = length - static_cast<int>(after.size());
  if (room < 1) {
    throw Error(
        message<"a prompt needs room for at least one token; the length is {length}">(length));
  }
  PromptTokens tokens = truncated(tokenizer, joined_text(before, prompt, ""), dropped + room);
  pad(tokens, padding_id(tokenizer), dropped + room);
  append(tokens, after);
  tokens.dropped = dropped;
  return tokens;
}

}  // namespace mantissa
