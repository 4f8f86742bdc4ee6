#include "engine/models/qwen_image/qwen_image_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/graph/ops.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/qwen3/qwen3_vision_inputs.h"
#include "engine/models/qwen_image/qwen_image_variant.h"
#include "engine/models/references.h"
#include "engine/models/vae/qwen_vae.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr int kQwenImageTokens = 1024;
/// Tokens of the instruction in Qwen's own vocabulary.
constexpr int kQwenImageInstruction = 34;
/// The area of what the text encoder sees of a reference, from Qwen-Image-Edit-2509 on.
constexpr std::int64_t kQwenImageSeen = 384 * 384;
/// The most that an image may be longer than it is wide, as the tower bounds it.
constexpr int kQwenImageLongest = 200;

/// A text's words with the tokens of images in their places.
Value with_images(Value words, std::span<const std::int64_t> places,
                  std::span<const Value> images) {
  Value all;
  const auto append = [&all](Value next) { all = all ? join_tokens(all, next) : next; };
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    append(take_tokens(words, begin, places[i] - begin));
    append(images[i]);
    begin = places[i];
  }
  append(take_tokens(words, begin, words.shape()[1] - begin));
  return all;
}

EditImages edit_form(const WeightSource& source) {
  return qwen_image_variant(source).name == kQwenImageEdits.back() ? EditImages::alone
                                                                   : EditImages::numbered;
}

}  // namespace

QwenImageModel::QwenImageModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                               const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, qwen_image_config, kQwen3Theta,
                       DecoderKind::qwen2),
      form_(edit_form(source)) {
  if (has(kTe1)) {
    require_text_states(config().context_channels);
  }
  use_vae(qwen_model_vae(source, qwen_vae_config, plain_qwen_latents(config().latent_channels())),
          config().latent_channels());
}

Qwen25Vision& QwenImageModel::windowed_vision() {
  if (vision_) {
    return *vision_;
  }
  require_tower();
  const Qwen25VisionConfig config = qwen25_vision_config(source(), kTe1);
  if (config.out != text_config().hidden) {
    refuse_text_width(config.out, text_config().hidden);
  }
  // No adapter is on the tower.
  return vision_.emplace(config, Scope(weights(), nullptr, kTe1, &rules()) / "visual");
}

std::size_t QwenImageModel::most_references() const {
  return form_ == EditImages::alone ? 1 : 0;
}

std::int64_t QwenImageModel::seen_pixels() const {
  return form_ == EditImages::alone ? 0 : kQwenImageSeen;
}

std::string QwenImageModel::text_layout() const {
  return form_ == EditImages::alone ? "one image" : "";
}

std::int64_t QwenImageModel::most_seen() const {
  const auto references = static_cast<std::int64_t>(text_options().references);
  if (references > 0 && most_each_ == 0) {
    const bool tower = has(kTe1) && source().contains(kTe1, kQwenTower);
    const Qwen25VisionConfig config =
        tower ? qwen25_vision_config(source(), kTe1) : released_qwen25_vision();
    const std::int64_t area = seen_pixels() > 0 ? seen_pixels() : family().reference_pixels;
    const int step = reference_multiple();
    // Of each width the greatest height: that of the narrowest image which is rounded to it.
    const double squares = static_cast<double>(area) / (step * step);
    for (int columns = 1; columns * columns <= kQwenImageLongest * squares; ++columns) {
      const int rows = std::max(1, static_cast<int>(std::lround(squares / (columns - 0.5))));
      if (columns <= kQwenImageLongest * rows && rows <= kQwenImageLongest * columns) {
        const SeenSize size = qwen25_seen_size({step * columns, step * rows}, config);
        most_each_ = std::max(most_each_, size.tokens());
      }
    }
  }
  return references * most_each_;
}

std::int64_t QwenImageModel::text_tokens() const {
  return tokens_of_run(kQwenImageTokens + most_seen());
}

std::int64_t QwenImageModel::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  const auto needed = [](const PromptTokens& prompt) {
    return std::count(prompt.real.begin(), prompt.real.end(), 1) - prompt.dropped;
  };
  const std::size_t references = text_options().references;
  const auto alone = needed(qwen_image_prompt_tokens(tokenizer(), caption, kQwenImageTokens));
  return references == 0
             ? alone
             : std::max(alone,
                        needed(edit_prompt(caption, kQwenImageTokens, references)) + most_seen());
}

std::vector<TextReach> QwenImageModel::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  const std::size_t references = text_options().references;
  const PromptLength n =
      references == 0 ? qwen_image_length(tokenizer(), caption, kQwenImageTokens)
                      : edit_length(tokenizer(), caption, kQwenImageTokens, form_, references);
  return {{kTe1, n.prompt, n.room}};
}

int QwenImageModel::dropped_tokens() {
  return reads_text()
             ? qwen_image_prompt_tokens(tokenizer(), "", static_cast<int>(text_tokens())).dropped
             : kQwenImageInstruction;
}

TokenIds QwenImageModel::tokenize(const std::string& caption) {
  const PromptTokens prompt =
      qwen_image_prompt_tokens(tokenizer(), caption, static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_real"].assign(prompt.real.begin(), prompt.real.end());
  return tokens;
}

PromptTokens QwenImageModel::edit_prompt(const std::string& caption, std::int64_t length,
                                         std::size_t references) {
  return edit_prompt_tokens(tokenizer(), caption, static_cast<int>(length), form_, references);
}

TokenIds QwenImageModel::tokenize_beside(const std::string& caption, std::size_t references) {
  if (references == 0) {
    return tokenize(caption);
  }
  const PromptTokens prompt = edit_prompt(caption, text_tokens(), references);
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_real"].assign(prompt.real.begin(), prompt.real.end());
  return tokens;
}

std::int64_t QwenImageModel::SeenText::seen() const {
  return std::accumulate(
      images.begin(), images.end(), std::int64_t{0},
      [](std::int64_t sum, const SeenSize& size) { return sum + size.tokens(); });
}

QwenImageModel::SeenText QwenImageModel::seen_text(std::int64_t tokens,
                                                   std::span<const LatentSize> references) {
  SeenText text;
  const Qwen25VisionConfig& tower = windowed_vision().config();
  for (const LatentSize& size : references) {
    const ImageSize pixels{static_cast<int>(size.width) * latent_factor(),
                           static_cast<int>(size.height) * latent_factor()};
    text.images.push_back(qwen25_seen_size(pixels, tower));
  }
  const PromptTokens prompt = edit_prompt("", kQwenImageTokens, references.size());
  text.dropped = prompt.dropped;
  for (const std::int64_t place : prompt.images) {
    text.places.push_back(prompt.dropped + place);
  }
  text.words = text.dropped + tokens - text.seen();
  return text;
}

TextValues QwenImageModel::encode_text_beside(Graph& graph, std::int64_t tokens,
                                              std::span<const LatentSize> references) {
  const SeenText text = seen_text(tokens, references);
  const Qwen25VisionConfig& tower = windowed_vision().config();
  std::vector<Value> images;
  for (std::size_t i = 0; i < references.size(); ++i) {
    images.push_back(windowed_vision().forward(
        graph, qwen25_vision_inputs(graph, reference_name(i), text.images[i], tower)));
  }
  const Value words = te1().embed(graph.input("te1_ids", DType::i32, {1, text.words}));
  const Shape table{1, text.dropped + tokens, text_config().head_dim / 2};
  const Value states = te1().forward(with_images(words, text.places, images),
                                     {.cos = graph.input("te1_cos", DType::f32, table),
                                      .sin = graph.input("te1_sin", DType::f32, table)});
  return {{"context", take_tokens(states, text.dropped, tokens)},
          {"mask", graph.input("mask", DType::f32, {1, tokens})}};
}

void QwenImageModel::feed_tokens_beside(Executor& executor, const TokenIds& ids,
                                        std::span<const Image> references) {
  const Qwen25VisionConfig& tower = windowed_vision().config();
  std::vector<LatentSize> sizes;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Image& image = references[i];
    sizes.push_back({image.height / latent_factor(), image.width / latent_factor()});
    feed_qwen25_vision(executor, reference_name(i), image, tower);
  }
  const auto tokens = static_cast<std::size_t>(executor.input("mask").shape[1]);
  const SeenText text = seen_text(static_cast<std::int64_t>(tokens), sizes);
  std::vector<TokenRun> runs;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < text.images.size(); ++i) {
    runs.push_back({text.places[i] - begin});
    runs.push_back({text.images[i].tokens(), text.images[i].rows, text.images[i].columns});
    begin = text.places[i];
  }
  runs.push_back({text.words - begin});
  const RotaryTables turns = multimodal_tables(text_config(), tower, run_positions(runs).places);
  // What the images' tokens take the place of is padding.
  const std::span<const std::int32_t> all(ids.of("te1_ids")), real(ids.of("te1_real"));
  const auto words = static_cast<std::size_t>(text.words);
  const auto count = static_cast<std::size_t>(std::ranges::count(real.first(words), 1) -
                                              text.dropped + text.seen());
  std::vector<std::uint8_t> passed_on(tokens, 0);
  std::fill_n(passed_on.begin(), count, 1);
  WordEmbedding::feed(executor, "te1_ids", all.first(words), text_config().vocab);
  executor.feed("te1_cos", turns.cos);
  executor.feed("te1_sin", turns.sin);
  executor.feed("mask", qwen3_key_mask(passed_on));
}

std::map<std::string, Shape> QwenImageModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}}, {"mask", {tokens}}};
}

TextValues QwenImageModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const int dropped = dropped_tokens();
  const Qwen3Inputs inputs = qwen3_inputs(graph, "te1", text_config(), batch, tokens + dropped);
  return {{"context", take_tokens(te1().forward(graph, inputs), dropped, tokens)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})}};
}

void QwenImageModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const auto tokens = executor.input("te1_ids").shape[1];
  const auto kept = executor.input("mask").shape[1];
  const std::vector<std::int32_t> flags = joined_ids(batch, "te1_real");
  const std::vector<std::uint8_t> real(flags.begin(), flags.end());
  std::vector<std::uint8_t> passed_on;
  for (std::int64_t end = tokens; end <= std::ssize(real); end += tokens) {
    passed_on.insert(passed_on.end(), real.begin() + (end - kept), real.begin() + end);
  }
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real);
  executor.feed("mask", qwen3_key_mask(passed_on));
}

Value QwenImageModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  return predict_edit(graph, noised, timesteps, text, {});
}

Value QwenImageModel::predict_edit(Graph& graph, Value noised, Value timesteps,
                                   const TextValues& text, std::span<const Value> references) {
  QwenImageInputs inputs;
  inputs.references.assign(references.begin(), references.end());
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  const Flux1Attended at =
      flux1_position_inputs(graph, inputs.text.shape()[1], noised, config().head_dim, references);
  inputs.cos = at.cos;
  inputs.sin = at.sin;
  return transformer().forward(graph, noised, inputs);
}

void QwenImageModel::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                                std::int64_t height, std::int64_t width) const {
  const LatentSize image{height, width};
  const std::vector<LatentSize> references = reference_sizes(executor);
  const auto patches = [](const LatentSize& size) {
    return size.positions() / (kFlux1Patch * kFlux1Patch);
  };
  std::int64_t tokens = executor.input("token_cos").shape[1] - patches(image);
  for (const LatentSize& reference : references) {
    tokens -= patches(reference);
  }
  const RotaryTables tables = qwen_image_positions(tokens, image, config(), references);
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

}  // namespace mantissa
