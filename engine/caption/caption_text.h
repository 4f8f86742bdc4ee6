#pragma once

#include <string>
#include <string_view>

namespace mantissa {

/// What models are asked about an image unless a user asks something else.
inline constexpr std::string_view kUsualPrompt =
    "Describe this image in one or two sentences, as a caption to train an image model with: what "
    "it shows, its style and its light. Answer with the description alone.";

/// The caption in a model's answer, on one line, without its thoughts and quotes around it; `cut`:
/// the answer ended at `most_tokens`. Throws CaptionError with the reason if there is none.
std::string caption_in(std::string_view answer, bool cut, int most_tokens);

}  // namespace mantissa
