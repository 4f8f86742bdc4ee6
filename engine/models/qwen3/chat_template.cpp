#include "engine/models/qwen3/chat_template.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kUser = "<|im_start|>user\n";
constexpr std::string_view kAssistant = "<|im_end|>\n<|im_start|>assistant\n";
constexpr std::string_view kEmptyThoughts = "<think>\n\n</think>\n\n";
constexpr std::string_view kDescribe =
    "<|im_start|>system\n"
    "Describe the image by detailing the color, shape, size, texture, quantity, text, spatial "
    "relationships of the objects and background:<|im_end|>\n";
constexpr std::string_view kVisionStart = "<|vision_start|>", kVisionEnd = "<|vision_end|>";
constexpr std::string_view kChange =
    "<|im_start|>system\n"
    "Describe the key features of the input image (color, shape, size, texture, objects, "
    "background), then explain how the user's text instruction should alter or modify the image. "
    "Generate a new image that meets the user's requirements while maintaining consistency with "
    "the original input where appropriate.<|im_end|>\n";
constexpr std::string_view kAnalyze =
    "<|im_start|>system\nComprehend and analyze the provided prompt.<|im_end|>\n";

/// How the system messages begin that templates of other models add by themselves. Qwen3's holds
/// "You are provided with function signatures", for tools alone.
constexpr std::array<std::string_view, 2> kDefaultSystems{"You are Qwen",
                                                          "You are a helpful assistant"};

/// The template's text and the file that holds it; empty without one. Of several named ones, the
/// one that is used unless another is asked for.
std::pair<std::string, fs::path> chat_template(const fs::path& folder) {
  if (const fs::path file = folder / "chat_template.jinja"; fs::is_regular_file(file)) {
    return {read_text(file), file};
  }
  const fs::path file = folder / "tokenizer_config.json";
  const nlohmann::json config = fs::exists(file) ? read_json(file) : nlohmann::json::object();
  const nlohmann::json found =
      config.is_object() ? config.value("chat_template", nlohmann::json()) : nlohmann::json();
  if (found.is_string()) {
    return {found.get<std::string>(), file};
  }
  for (const nlohmann::json& named : found.is_array() ? found : nlohmann::json::array()) {
    if (named.is_object() && named.value("name", nlohmann::json()) == "default" &&
        named.value("template", nlohmann::json()).is_string()) {
      return {named["template"].get<std::string>(), file};
    }
  }
  return {};
}

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

/// `room`, of a `length`.
int require_room(int room, int length) {
  if (room < 1) {
    throw Error(
        message<"a prompt needs room for at least one token; the length is {length}">(length));
  }
  return room;
}

/// `text`, truncated, at the start of `tokens`.
PromptTokens truncated(const BpeTokenizer& tokenizer, std::string_view text, int length) {
  require_room(length, length);
  std::vector<std::int32_t> ids = tokenizer.encode(text);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(length)));
  PromptTokens tokens;
  append(tokens, ids);
  return tokens;
}

/// Tokens that a prompt adds to what is before it.
std::int64_t tokens_behind(const BpeTokenizer& tokenizer, const std::string& before,
                           std::string_view prompt) {
  return std::ssize(tokenizer.encode(joined_text(before, prompt, ""))) -
         std::ssize(tokenizer.encode(before));
}

/// The pipeline has nothing to encode otherwise.
std::string_view prompt_or_space(std::string_view prompt) {
  return prompt.empty() ? std::string_view(" ") : prompt;
}

/// How a prompt names the images before it, without their tokens.
std::string numbered_images(std::size_t count) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i) {
    text += i > 1 ? " <image" : "<image";
    text += joined_text(std::to_string(i) + ">", kVisionStart, kVisionEnd);
  }
  return text;
}

/// Where the first `count` images begin: behind a token of this id each. Throws Error if there
/// are fewer.
std::vector<std::int64_t> places_of(const std::vector<std::int32_t>& ids,
                                    std::optional<std::int32_t> start, int dropped,
                                    std::size_t count) {
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < ids.size() && places.size() < count; ++i) {
    if (ids[i] == start) {
      places.push_back(static_cast<std::int64_t>(i) + 1 - dropped);
    }
  }
  if (places.size() < count) {
    throw Error(message<"the text encoder has room for {most} of the {count} reference images of a "
                        "prompt. Give fewer of them">(places.size(), count));
  }
  return places;
}

/// How an edit's prompt names the images before it, without their tokens.
std::string edited_images(EditImages form, std::size_t count) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string name =
        form == EditImages::numbered ? "Picture " + std::to_string(i) + ": " : std::string();
    text += joined_text(name, kVisionStart, kVisionEnd);
  }
  return text;
}

void pad(PromptTokens& tokens, std::int32_t id, int length) {
  tokens.ids.resize(static_cast<std::size_t>(length), id);
  tokens.real.resize(static_cast<std::size_t>(length), 0);
}

/// `user` with so many images in it behind what is dropped, then the start of the assistant's
/// message and padding.
PromptTokens seeing_prompt_tokens(const BpeTokenizer& tokenizer, const std::string& before,
                                  const std::string& user, int length, std::size_t images) {
  // The end begins with a special token, so that it can be encoded by itself.
  const int dropped = static_cast<int>(tokenizer.encode(before).size());
  const std::vector<std::int32_t> after = tokenizer.encode(kAssistant);
  const int room = require_room(length - static_cast<int>(after.size()), length);
  PromptTokens tokens = truncated(tokenizer, before + user, dropped + room);
  tokens.images = places_of(tokens.ids, tokenizer.id_of(kVisionStart), dropped, images);
  append(tokens, after);
  pad(tokens, padding_id(tokenizer), dropped + length);
  tokens.dropped = dropped;
  return tokens;
}

/// A user's `prompt` behind an instruction, the start of the assistant's message and padding.
PromptTokens behind_instruction(const BpeTokenizer& tokenizer, std::string_view instruction,
                                std::string_view prompt, int length) {
  // Dropped by count, as the pipelines do: a prompt's first line break may become one token with
  // the one before it.
  const std::string before = joined_text(instruction, kUser, "");
  const int dropped = static_cast<int>(tokenizer.encode(before).size());
  PromptTokens tokens =
      truncated(tokenizer, joined_text(before, prompt, kAssistant), dropped + length);
  pad(tokens, padding_id(tokenizer), dropped + length);
  tokens.dropped = dropped;
  return tokens;
}

}  // namespace

ImageChat image_chat(std::string_view prompt) {
  return {joined_text(kUser, kVisionStart, {}), joined_text(kVisionEnd, prompt, kAssistant)};
}

std::string qwen3_chat(std::string_view prompt, Thinking thinking) {
  std::string text = joined_text(kUser, prompt, kAssistant);
  if (thinking == Thinking::skipped) {
    text += kEmptyThoughts;
  }
  return text;
}

void require_qwen3_template(const fs::path& folder, Thinking thinking) {
  const auto [text, file] = chat_template(folder);
  if (text.empty()) {
    return;
  }
  std::vector<std::string_view> needed{"<|im_start|>", "<|im_end|>", "assistant"};
  if (thinking != Thinking::allowed) {
    needed.insert(needed.end(), {"enable_thinking", "<think>", "</think>"});
  }
  for (const std::string_view part : needed) {
    if (text.find(part) == std::string::npos) {
      throw Error(message<"'{file}': the chat template lacks '{text}', so it lays out a prompt in "
                          "another way than Qwen3's, the only one that is supported; use the "
                          "tokenizer folder of the original model">(path_to_utf8(file), part));
    }
  }
  for (const std::string_view system : kDefaultSystems) {
    if (text.find(system) != std::string::npos) {
      throw Error(message<"'{file}': the chat template adds a system message ('{text} …') to a "
                          "prompt, which Qwen3's doesn't; use the tokenizer folder of the original "
                          "model">(path_to_utf8(file), system));
    }
  }
}

PromptTokens prompt_tokens(const BpeTokenizer& tokenizer, std::string_view text, int length) {
  PromptTokens tokens = truncated(tokenizer, text, length);
  if (tokens.ids.empty()) {
    pad(tokens, 0, 1);
  }
  return tokens;
}

ChatLength chat_length(const BpeTokenizer& tokenizer, std::string_view prompt, Thinking thinking) {
  return {std::ssize(tokenizer.encode(qwen3_chat(prompt, thinking))),
          std::ssize(tokenizer.encode(qwen3_chat("", thinking)))};
}

PromptTokens padded_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view text,
                                  int length) {
  PromptTokens tokens = truncated(tokenizer, text, length);
  pad(tokens, padding_id(tokenizer), length);
  return tokens;
}

PromptLength description_length(const BpeTokenizer& tokenizer, std::string_view prompt,
                                int length) {
  return {tokens_behind(tokenizer, joined_text(kDescribe, kUser, ""), prompt),
          length - std::ssize(tokenizer.encode(kAssistant))};
}

PromptTokens description_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                       int length) {
  // The end is encoded by itself, as it follows the padding; the prompt together with what is
  // before it, whose last line break may become one token with the prompt's first.
  const std::string before = joined_text(kDescribe, kUser, "");
  const int dropped = static_cast<int>(tokenizer.encode(before).size());
  const std::vector<std::int32_t> after = tokenizer.encode(kAssistant);
  const int room = require_room(length - static_cast<int>(after.size()), length);
  PromptTokens tokens = truncated(tokenizer, joined_text(before, prompt, ""), dropped + room);
  pad(tokens, padding_id(tokenizer), dropped + room);
  append(tokens, after);
  tokens.dropped = dropped;
  return tokens;
}

PromptLength pictured_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                             std::size_t images) {
  const std::string before = joined_text(kDescribe, kUser, ""),
                    pictures = edited_images(EditImages::numbered, images);
  const auto around =
      tokens_behind(tokenizer, before, pictures) + std::ssize(tokenizer.encode(kAssistant));
  return {tokens_behind(tokenizer, before + pictures, prompt), length - around};
}

PromptTokens pictured_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                    int length, std::size_t images) {
  return seeing_prompt_tokens(tokenizer, joined_text(kDescribe, kUser, ""),
                              joined_text(edited_images(EditImages::numbered, images), prompt, ""),
                              length, images);
}

PromptLength qwen_image_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length) {
  return {tokens_behind(tokenizer, joined_text(kDescribe, kUser, ""), prompt), length};
}

PromptTokens qwen_image_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                      int length) {
  return behind_instruction(tokenizer, kDescribe, prompt, length);
}

PromptLength edit_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                         EditImages form, std::size_t images) {
  const std::string shown = edited_images(form, images);
  return {tokens_behind(tokenizer, joined_text(kChange, kUser, shown), prompt),
          length - std::ssize(tokenizer.encode(shown))};
}

PromptTokens edit_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                                EditImages form, std::size_t images) {
  PromptTokens tokens = behind_instruction(
      tokenizer, kChange, joined_text(edited_images(form, images), prompt, ""), length);
  tokens.images = places_of(tokens.ids, tokenizer.id_of(kVisionStart), tokens.dropped, images);
  return tokens;
}

PromptLength analysis_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                             std::size_t images) {
  const std::string before = joined_text(kAnalyze, kUser, numbered_images(images));
  const auto around =
      std::ssize(tokenizer.encode(joined_text(kUser, numbered_images(images), ""))) +
      std::ssize(tokenizer.encode(kAssistant));
  return {tokens_behind(tokenizer, before, prompt_or_space(prompt)), length - around};
}

PromptTokens analysis_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                    int length, std::size_t images) {
  const std::string user = joined_text(kUser, numbered_images(images), prompt_or_space(prompt));
  return seeing_prompt_tokens(tokenizer, std::string(kAnalyze), user, length, images);
}

}  // namespace mantissa
