#include "engine/models/qwen3/qwen3_conditioned.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/models/qwen3/qwen3_tokenizer.h"

namespace mantissa {

Message references_need_vision() {
  return message<
      "The pipeline shows them to the text encoder too, through a vision tower that "
      "Mantissa doesn't have.">();
}

void Qwen3Reader::read_text_config(double usual_theta, QwenKind kind) {
  if (has(kTe1)) {
    text_config_ = kind == QwenKind::qwen2 ? qwen2_config(source(), kTe1)
                                           : qwen3_config(source(), kTe1, usual_theta);
  }
}

Qwen3Text& Qwen3Reader::te1() {
  if (!te1_) {
    require(kTe1);
    te1_ = std::make_unique<Qwen3Text>(text_config_, scope(kTe1), text_states(), last_state());
  }
  return *te1_;
}

void Qwen3Reader::require_text_layers() const {
  const int last = std::ranges::max(text_states());
  if (text_config_.layers < last) {
    throw Error(
        message<"{path}: the text encoder has {count} layers; the transformer takes what "
                "layer {last} gives">(path_to_utf8(source().path()), text_config_.layers, last));
  }
}

void Qwen3Reader::require_text_states(int width) const {
  if (const int given = static_cast<int>(text_states().size()) * text_config_.hidden;
      given != width) {
    refuse_text_width(given, width);
  }
  require_text_layers();
}

BpeTokenizer& Qwen3Reader::tokenizer() {
  if (!tokenizer_) {
    if (const auto folder = source().tokenizer_folder(kTe1); folder && chat()) {
      require_qwen3_template(*folder, *chat());
    }
    tokenizer_ = qwen3_tokenizer(source(), kTe1, text_config_.vocab);
  }
  return *tokenizer_;
}

}  // namespace mantissa
