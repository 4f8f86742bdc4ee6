#include "engine/models/qwen3/qwen3_conditioned.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/qwen3/qwen3_tokenizer.h"

namespace mantissa {

void Qwen3Reader::read_text_config(double usual_theta, DecoderKind kind) {
  if (!has(kTe1)) {
    return;
  }
  switch (kind) {
    case DecoderKind::qwen3:
      text_config_ = qwen3_config(source(), kTe1, usual_theta);
      break;
    case DecoderKind::qwen2:
      text_config_ = qwen2_config(source(), kTe1);
      break;
    case DecoderKind::ministral3:
      text_config_ = ministral3_config(source(), kTe1);
  }
}

Qwen3Text& Qwen3Reader::te1() {
  if (!te1_) {
    require(kTe1);
    te1_ = std::make_unique<Qwen3Text>(text_config_, scope(kTe1), text_states(), last_state());
  }
  return *te1_;
}

Qwen3Vision& Qwen3Reader::vision() {
  if (vision_) {
    return *vision_;
  }
  require_tower();
  const Qwen3VisionConfig config = qwen3_vision_config(source(), kTe1);
  if (config.out != text_config().hidden) {
    refuse_text_width(config.out, text_config().hidden);
  }
  // No adapter is on the tower.
  return vision_.emplace(config, Scope(weights(), nullptr, kTe1, &rules()) / "visual");
}

std::vector<float> Qwen3Reader::vision_places() {
  return weights().values("te1.visual.pos_embed.weight");
}

void Qwen3Reader::bind_text() {
  te1();
  if (text_sees_references() && text_options().references > 0) {
    bind_tower();
  }
}

void Qwen3Reader::drop_text() {
  te1_.reset();
  drop_tower();
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

void Qwen3Reader::require_tower() const {
  require(kTe1);
  if (!source().contains(kTe1, kQwenTower)) {
    const std::vector<std::filesystem::path> own = source().own_files(kTe1);
    throw Error(
        message<"'{path}': the text encoder lacks its vision tower (visual.…), through which "
                "it sees reference images. Get the base model's text_encoder folder again, "
                "or a file of the text encoder that has the tower">(
            path_to_utf8(own.empty() ? source().path() : own.front())));
  }
}

BpeTokenizer Qwen3Reader::read_tokenizer() const {
  return qwen3_tokenizer(source(), kTe1, text_config_.vocab);
}

const BpeTokenizer& Qwen3Reader::own_tokenizer() {
  if (!tokenizer_) {
    if (const auto folder = source().tokenizer_folder(kTe1); folder && chat()) {
      require_qwen3_template(*folder, *chat());
    }
    tokenizer_ = read_tokenizer();
  }
  return *tokenizer_;
}

BpeTokenizer Qwen3Reader::tokenizer() {
  return own_tokenizer().with_words(new_words(text_config_.vocab));
}

std::vector<TextReach> Qwen3Reader::chat_reach(const std::string& caption, std::int64_t most) {
  if (!has(kTe1)) {
    return {};
  }
  const ChatLength n = chat_length(tokenizer(), caption, *chat());
  return {{kTe1, n.whole - n.template_alone, most - n.template_alone}};
}

std::map<Part, std::vector<std::int32_t>> Qwen3Reader::word_ids(const std::string& text) {
  // As within a text: most words have other tokens behind a space than at its start.
  const std::size_t first = text.find_first_not_of(' ');
  return {{kTe1, first == text.npos ? std::vector<std::int32_t>()
                                    : own_tokenizer().encode(" " + text.substr(first))}};
}

}  // namespace mantissa
