#include "engine/models/flux1/flux1_model.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/ops.h"
#include "engine/io/clip_chunks.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/t5/t5_model_tokenizer.h"

namespace mantissa {
namespace {

constexpr std::int64_t kDevTokens = 512, kSchnellTokens = 256;

}  // namespace

Flux1Model::Flux1Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                       const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, flux1_config, kTe2) {
  if (has(kTe1)) {
    clip_config_ = mantissa::clip_config(source, kTe1);
  }
  require_text_widths();
  use_kl_vae(config().latent_channels());
}

void Flux1Model::require_text_widths() const {
  if (has(kTe1) && clip_config_.hidden != config().pooled_channels) {
    throw Error(
        message<"{path}: the first text encoder's pooled vector has {given} values, but the "
                "transformer takes {wanted}; are they parts of one model?">(
            path_to_utf8(source().path()), clip_config_.hidden, config().pooled_channels));
  }
  require_text_width(config().context_channels);
}

ClipText& Flux1Model::te1() {
  if (!te1_) {
    require(kTe1);
    te1_ = std::make_unique<ClipText>(clip_config_, scope(kTe1));
  }
  return *te1_;
}

void Flux1Model::bind_part(Part part) {
  if (part == kTe1) {
    te1();
  } else {
    TransformerModel::bind_part(part);
  }
}

void Flux1Model::drop_part(Part part) {
  if (part == kTe1) {
    te1_.reset();
  } else {
    TransformerModel::drop_part(part);
  }
}

std::int64_t Flux1Model::text_tokens() const {
  return config().guidance ? kDevTokens : kSchnellTokens;
}

const ClipTokenizer& Flux1Model::own_clip_tokenizer() {
  if (!clip_tokenizer_) {
    const auto folder = source().tokenizer_folder(kTe1);
    clip_tokenizer_ = folder ? ClipTokenizer::from_folder(*folder) : ClipTokenizer::built_in();
    require_vocabulary(clip_tokenizer_->vocab_size(), clip_config_.vocab);
  }
  return *clip_tokenizer_;
}

ClipTokenizer Flux1Model::clip_tokenizer() {
  return own_clip_tokenizer().with_words(new_words(clip_config_.vocab));
}

std::map<Part, std::vector<std::int32_t>> Flux1Model::word_ids(const std::string& text) {
  auto ids = T5Reader::word_ids(text);
  ids[kTe1] = own_clip_tokenizer().encode(text);
  return ids;
}

TokenIds Flux1Model::tokenize(const std::string& caption) {
  TokenIds tokens = has(kTe2) ? T5Reader::tokenize(caption) : TokenIds();
  if (has(kTe1)) {
    std::vector<std::int32_t>& ids = tokens.ids["te1_ids"];
    ids = clip_chunks(clip_tokenizer(), caption, clip_config_.tokens, 1, clip_config_.pad_id, false)
              .ids;
    tokens.ids["te1_pool"] = {clip_pool_index(ids, clip_config_)};
  }
  return tokens;
}

std::map<std::string, Shape> Flux1Model::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}}, {"pooled", {config().pooled_channels}}};
}

TextValues Flux1Model::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Shape clip{batch, clip_config_.tokens};
  const ClipTake take{.from_end = 1, .final_norm = true, .pools_states = true};
  const Value pooled = te1()
                           .forward(graph, graph.input("te1_ids", DType::i32, clip),
                                    graph.input("te1_positions", DType::i32, clip),
                                    graph.input("te1_pool", DType::i32, {batch}), take)
                           .pooled;
  // Without a mask: T5 and the transformer read the rows of padding too.
  return {{"context", t5_states(graph, batch, tokens, {})}, {"pooled", pooled}};
}

void Flux1Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  ClipText::feed_ids(executor, "te1_ids", joined_ids(batch, "te1_ids"), clip_config_);
  executor.feed("te1_positions",
                clip_position_ids(std::ssize(batch), executor.input("te1_ids").shape[1]));
  executor.feed("te1_pool", joined_ids(batch, "te1_pool"));
  feed_t5(executor, batch);
}

Value Flux1Model::predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                               std::span<const Value> references) {
  Flux1Inputs inputs;
  inputs.references.assign(references.begin(), references.end());
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.pooled = text.at("pooled");
  if (config().guidance) {
    inputs.guidance = graph.input("guidance", DType::f32, {noised.shape()[0]});
  }
  const Flux1Attended at =
      flux1_position_inputs(graph, inputs.text.shape()[1], noised, config().head_dim, references);
  inputs.cos = at.cos;
  inputs.sin = at.sin;
  return transformer().forward(graph, noised, inputs);
}

void Flux1Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                            std::int64_t height, std::int64_t width) const {
  feed_flux1_positions(executor, height, width, config().axes_dims);
  feed_guidance(executor, 1.0);
}

}  // namespace mantissa
