#include "engine/models/model.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/ops.h"

namespace mantissa {

SdxlModel::SdxlModel(WeightStore weights, const WeightSource& source, AdapterSet* adapters,
                     Kernels* kernels, const PrecisionRules& rules)
    : DiffusionModel(std::move(weights), source, adapters, kernels, rules),
      unet_config_(mantissa::unet_config(source)) {
  if (has(ModelPart::te1)) {
    te1_config_ = clip_config(source, ModelPart::te1);
  }
  if (has(ModelPart::te2)) {
    te2_config_ = clip_config(source, ModelPart::te2);
  }
  if (has(ModelPart::te1) && has(ModelPart::te2)) {
    const int context = te1_config_.hidden + te2_config_.hidden;
    const std::string name = path_to_utf8(source.path());
    if (context != unet_config_.cross_attention_dim) {
      throw Error(name + ": the text encoders give " + std::to_string(context) +
                  " values a token, but the UNet takes " +
                  std::to_string(unet_config_.cross_attention_dim) +
                  "; are they parts of one model?");
    }
    if (unet_config_.addition_time_embed_dim > 0 &&
        te2_config_.projection_dim != unet_config_.pooled_dim()) {
      throw Error(name + ": the second text encoder's pooled vector has " +
                  std::to_string(te2_config_.projection_dim) + " values, but the UNet takes " +
                  std::to_string(unet_config_.pooled_dim()) + "; are they parts of one model?");
    }
  }
}

SdxlModel::SdxlModel(Kernels& kernels, const WeightSource& source, AdapterSet* adapters,
                     const PrecisionRules& rules)
    : SdxlModel(WeightStore(kernels, source), source, adapters, &kernels, rules) {}

SdxlModel SdxlModel::planning(const WeightSource& source, AdapterSet* adapters,
                              const PrecisionRules& rules) {
  return {WeightStore::planning(source), source, adapters, nullptr, rules};
}

SdxlUnet& SdxlModel::unet() {
  if (!unet_) {
    unet_ = std::make_unique<SdxlUnet>(unet_config_, scope(ModelPart::unet));
  }
  return *unet_;
}

ClipText& SdxlModel::text(ModelPart part, std::unique_ptr<ClipText>& slot,
                          const ClipConfig& config) {
  if (!slot) {
    require(part);
    slot = std::make_unique<ClipText>(config, scope(part));
  }
  return *slot;
}

ClipText& SdxlModel::te1() {
  return text(ModelPart::te1, te1_, te1_config_);
}

ClipText& SdxlModel::te2() {
  return text(ModelPart::te2, te2_, te2_config_);
}

void SdxlModel::bind_part(Part part) {
  switch (part) {
    case Part::unet:
      unet();
      break;
    case Part::te1:
      te1();
      break;
    case Part::te2:
      te2();
      break;
  }
}

void SdxlModel::drop_part(ModelPart part) {
  switch (part) {
    case ModelPart::unet:
      unet_.reset();
      break;
    case ModelPart::te1:
      te1_.reset();
      break;
    case ModelPart::te2:
      te2_.reset();
      break;
    case ModelPart::vae:
      break;
  }
}

std::int64_t SdxlModel::text_tokens() const {
  return std::min(te1_config_.positions, te2_config_.positions);
}

const ClipTokenizer& SdxlModel::tokenizer(ModelPart part, std::optional<ClipTokenizer>& slot,
                                          const ClipConfig& config) {
  if (!slot) {
    const auto folder = source().tokenizer_folder(part);
    slot = folder ? ClipTokenizer::from_folder(*folder) : ClipTokenizer::built_in();
    if (slot->vocab_size() > config.vocab) {
      throw Error("the tokenizer knows " + std::to_string(slot->vocab_size()) +
                  " tokens but the text encoder has " + std::to_string(config.vocab) +
                  " embeddings. Put the model's own tokenizer folders beside its weights");
    }
  }
  return *slot;
}

TokenIds SdxlModel::tokenize(const std::string& caption) {
  const auto length = static_cast<int>(text_tokens());
  const ClipTokenizer& first = tokenizer(ModelPart::te1, tokenizer1_, te1_config_);
  const ClipTokenizer& second = tokenizer(ModelPart::te2, tokenizer2_, te2_config_);
  TokenIds ids;
  ids.te1 = first.encode_padded(caption, length, te1_config_.pad_id);
  ids.te2 = second.encode_padded(caption, length, te2_config_.pad_id);
  ids.te2_pool = clip_pool_index(ids.te2, te2_config_.eos_id);
  return ids;
}

std::map<std::string, Shape> SdxlModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, unet_config_.cross_attention_dim}},
          {"pooled", {unet_config_.pooled_dim()}}};
}

TextValues SdxlModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Value positions = graph.input("positions", DType::i32, {batch, tokens});
  const ClipOutput first =
      te1().forward(graph, graph.input("te1_ids", DType::i32, {batch, tokens}), positions);
  const ClipOutput second =
      te2().forward(graph, graph.input("te2_ids", DType::i32, {batch, tokens}), positions,
                    graph.input("te2_pool", DType::i32, {batch}));
  return {{"context", concat_channels(first.hidden, second.hidden)}, {"pooled", second.pooled}};
}

void SdxlModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  std::vector<std::int32_t> te1, te2, pool;
  for (const TokenIds& ids : batch) {
    te1.insert(te1.end(), ids.te1.begin(), ids.te1.end());
    te2.insert(te2.end(), ids.te2.begin(), ids.te2.end());
    pool.push_back(ids.te2_pool);
  }
  executor.feed("te1_ids", te1);
  executor.feed("te2_ids", te2);
  executor.feed("te2_pool", pool);
  executor.feed("positions", clip_position_ids(static_cast<std::int64_t>(batch.size()),
                                               executor.input("te1_ids").shape[1]));
}

Value SdxlModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  const Value sizes = graph.input("time_ids", DType::f32, {noised.shape()[0], 6});
  return unet().forward(graph, noised, timesteps, text.at("context"), text.at("pooled"), sizes);
}

void SdxlModel::feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t,
                           std::int64_t) const {
  executor.feed("time_ids", time_ids);
}

}  // namespace mantissa
