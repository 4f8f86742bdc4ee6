#include "engine/train/text_encoding.h"

#include <algorithm>
#include <cstring>

#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

ClipTokenizer tokenizer_of(const SdxlModel& model, ModelPart part) {
  if (const auto folder = model.source().tokenizer_folder(part)) {
    return ClipTokenizer::from_folder(*folder);
  }
  return ClipTokenizer::built_in();
}

HostTensor to_host(const View& v, const Shape& shape) {
  return {shape, std::vector<float>(v.as<float>(), v.as<float>() + shape.count())};
}

}  // namespace

CaptionTokenizer::CaptionTokenizer(const SdxlModel& model)
    : te1_(tokenizer_of(model, ModelPart::te1)),
      te2_(tokenizer_of(model, ModelPart::te2)),
      config1_(model.te1_config()),
      config2_(model.te2_config()),
      length_(std::min(config1_.positions, config2_.positions)) {
  const std::pair<const ClipTokenizer&, const ClipConfig&> pairs[] = {{te1_, config1_},
                                                                      {te2_, config2_}};
  for (const auto& [tokenizer, config] : pairs) {
    if (tokenizer.vocab_size() > config.vocab) {
      throw Error("the tokenizer knows " + std::to_string(tokenizer.vocab_size()) +
                  " tokens but the text encoder has " + std::to_string(config.vocab) +
                  " embeddings. Put the model's own tokenizer folders beside its weights");
    }
  }
}

TokenIds CaptionTokenizer::operator()(const std::string& caption) const {
  const int length = static_cast<int>(length_);
  TokenIds ids;
  ids.te1 = te1_.encode_padded(caption, length, config1_.pad_id);
  ids.te2 = te2_.encode_padded(caption, length, config2_.pad_id);
  ids.te2_pool = clip_pool_index(ids.te2, config2_.eos_id);
  return ids;
}

TextGraph record_text_encoders(Graph& graph, SdxlModel& model, std::int64_t batch,
                               std::int64_t tokens) {
  const Value positions = graph.input("positions", DType::i32, {batch, tokens});
  const ClipOutput first =
      model.te1().forward(graph, graph.input("te1_ids", DType::i32, {batch, tokens}), positions);
  const ClipOutput second =
      model.te2().forward(graph, graph.input("te2_ids", DType::i32, {batch, tokens}), positions,
                          graph.input("te2_pool", DType::i32, {batch}));
  return {concat_channels(first.hidden, second.hidden), second.pooled};
}

void feed_text(Executor& executor, const std::vector<TokenIds>& batch) {
  const View te1 = executor.input("te1_ids"), te2 = executor.input("te2_ids");
  const View positions = executor.input("positions"), pool = executor.input("te2_pool");
  const std::int64_t tokens = te1.shape[1];
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const std::size_t at = b * static_cast<std::size_t>(tokens);
    std::copy(batch[b].te1.begin(), batch[b].te1.end(), te1.as<std::int32_t>() + at);
    std::copy(batch[b].te2.begin(), batch[b].te2.end(), te2.as<std::int32_t>() + at);
    pool.as<std::int32_t>()[b] = batch[b].te2_pool;
  }
  const auto ids = clip_position_ids(static_cast<std::int64_t>(batch.size()), tokens);
  std::copy(ids.begin(), ids.end(), positions.as<std::int32_t>());
}

TextEncoder::TextEncoder(Kernels& kernels, SdxlModel& model)
    : tokenizer_(model), arena_(kernels), program_(kernels, arena_) {
  const TextGraph text = record_text_encoders(program_.graph(), model, 1, tokenizer_.length());
  program_.graph().output("context", text.context);
  program_.graph().output("pooled", text.pooled);
  program_.make_plan();
}

TextEncoding TextEncoder::encode(const std::string& caption) {
  Executor& executor = program_.executor();
  feed_text(executor, {tokenizer_(caption)});
  executor.run({});
  const View context = executor.output("context"), pooled = executor.output("pooled");
  return {to_host(context, {context.shape[1], context.shape[2]}),
          to_host(pooled, {pooled.shape[1]})};
}

}  // namespace mantissa
