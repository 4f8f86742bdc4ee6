#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/bpe_tokenizer.h"

namespace mantissa {

/// Whether Qwen3's template leaves reasoning to the model, or skips it with an empty block. Image
/// models only read the prompt's hidden states; they were trained with one of the two.
enum class Thinking { allowed, skipped };

/// `prompt` as the only user message, followed by the start of the assistant's: Qwen3's chat
/// template with add_generation_prompt, and enable_thinking true (Z-Image) or false (FLUX.2 klein).
std::string qwen3_chat(std::string_view prompt, Thinking thinking);

/// A user's message of an image and `prompt`, followed by the start of the assistant's, as
/// Qwen3-VL's chat template lays them out: what stands before the image's tokens, and behind them.
struct ImageChat {
  std::string before, after;
};
ImageChat image_chat(std::string_view prompt);

/// Throws Error naming the file if a tokenizer folder's chat template (chat_template.jinja, else
/// chat_template of tokenizer_config.json) lays out a lone user message in another way than
/// `qwen3_chat`, by the texts in it. A folder without a template has Qwen3's.
void require_qwen3_template(const std::filesystem::path& folder, Thinking thinking);

/// A prompt as a text encoder reads it. Vectors are [tokens].
struct PromptTokens {
  std::vector<std::int32_t> ids;
  std::vector<std::uint8_t> real;  ///< 1, or 0 for padding, which attention leaves out
  int dropped = 0;                 ///< leading tokens whose hidden states the denoiser doesn't get
  /// Tokens before each image's own, which aren't among `ids`, without the dropped ones.
  std::vector<std::int64_t> images{};
};

/// The ids of `text`, at most `length` of them: what is cut is the end, the template's too. An
/// empty text becomes one token of padding with id 0, as no encoder reads none. Without a template:
/// the prompts of Anima; of qwen3_chat: those of Z-Image. Throws Error for a length below 1.
PromptTokens prompt_tokens(const BpeTokenizer& tokenizer, std::string_view text, int length);

/// Tokens of `prompt` in qwen3_chat, and those of the template alone.
struct ChatLength {
  std::int64_t whole = 0, template_alone = 0;
};
ChatLength chat_length(const BpeTokenizer& tokenizer, std::string_view prompt, Thinking thinking);

/// Tokens padded on the right to `length`: the prompts of FLUX.2 klein. Throws Error if the
/// tokenizer has no padding token.
PromptTokens padded_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view text, int length);

/// A prompt behind Qwen-Image's instruction to describe an image, as Krea 2 lays it out: system
/// message, prompt, padding, then the start of the assistant's message. `length` hidden states
/// remain after the system message's are dropped; longer prompts are cut. Positions count only real
/// tokens. Throws Error as the others.
PromptTokens description_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                       int length);

/// Tokens of a prompt alone, and how many have room in `length`.
struct PromptLength {
  std::int64_t prompt = 0, room = 0;
};
PromptLength description_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length);

/// A prompt behind the same instruction and so many images, each named by its number, as AI
/// Toolkit's edits of Krea 2 lay it out: system message, images, prompt, start of the assistant's
/// message, padding. `length` hidden states remain after those that description_prompt_tokens drops
/// too, beside the images' own; longer prompts are cut, the template isn't. Throws Error as the
/// others.
PromptTokens pictured_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                    int length, std::size_t images);
PromptLength pictured_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                             std::size_t images);

/// A prompt behind the same instruction as Qwen-Image lays it out: system message, prompt, start of
/// the assistant's message, padding. `length` hidden states remain after the system message's and
/// the user's name are dropped; what is cut of longer ones is the end, the template's too. Throws
/// Error as the others.
PromptTokens qwen_image_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                      int length);
PromptLength qwen_image_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length);

/// How the images of an edit stand before its prompt: one alone (Qwen-Image-Edit), or each by its
/// number (Qwen-Image-Edit-2509 and later).
enum class EditImages { alone, numbered };

/// A prompt behind Qwen-Image-Edit's instruction to change `images`, laid out and cut as
/// qwen_image_prompt_tokens does it; the images' own tokens don't count. Throws Error as the
/// others.
PromptTokens edit_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                                EditImages form, std::size_t images);
PromptLength edit_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                         EditImages form, std::size_t images);

/// A prompt behind Qwen-Image-2.1's instruction to analyze it: system message, prompt, start of the
/// assistant's message, padding. `length` hidden states remain after the system message's are
/// dropped; longer prompts are cut, the template isn't. An empty prompt is a space. `images`: how
/// many the user's message begins with, each named by its number. Throws Error as the others.
PromptTokens analysis_prompt_tokens(const BpeTokenizer& tokenizer, std::string_view prompt,
                                    int length, std::size_t images = 0);
PromptLength analysis_length(const BpeTokenizer& tokenizer, std::string_view prompt, int length,
                             std::size_t images = 0);

}  // namespace mantissa
