#include "engine/programs/text_encoding.h"

#include <algorithm>

#include "engine/io/module_path.h"
#include "engine/programs/between.h"

namespace mantissa {

namespace {

void record(DiffusionModel& model, Graph& graph, const std::vector<LatentSize>& references) {
  const std::int64_t tokens = model.text_tokens();
  const TextValues text = references.empty() ? model.encode_text(graph, 1, tokens)
                                             : model.encode_text_beside(graph, tokens, references);
  for (const auto& [name, value] : text) {
    graph.output(name, value);
  }
}

}  // namespace

std::size_t text_arena_bytes(DiffusionModel& model, const SizesBesideTexts& references) {
  std::size_t bytes = 0;
  for (const std::vector<LatentSize>& sizes : references) {
    Graph graph;
    record(model, graph, sizes);
    bytes = std::max(bytes, make_plan(graph).arena_bytes);
  }
  return bytes;
}

std::map<std::string, DType> text_types(const DiffusionModel& model) {
  const DType type = model.rules().activations(module_path(kDenoiser));
  if (type != DType::bf16 && type != DType::f16) {
    return {};
  }
  return {{"context", type}, {"pooled", type}};
}

TextEncoder::TextEncoder(Kernels& kernels, DiffusionModel& model, Arena* arena)
    : model_(model), own_(kernels), programs_(kernels, arena == nullptr ? own_ : *arena) {}

TextEncoding TextEncoder::encode(const std::string& caption, std::span<const Image> references) {
  const int factor = model_.latent_factor();
  std::vector<LatentSize> sizes;
  for (const Image& image : references) {
    sizes.push_back({image.height / factor, image.width / factor});
  }
  Executor& executor =
      programs_.of(sizes, [&](Graph& graph) { record(model_, graph, sizes); }).executor();
  const TokenIds ids = model_.tokenize_beside(caption, references.size());
  if (references.empty()) {
    model_.feed_tokens(executor, {&ids, 1});
  } else {
    model_.feed_tokens_beside(executor, ids, references);
  }
  executor.set_watch(watch_between(between_));
  executor.run({});
  TextEncoding encoding;
  for (const auto& [name, shape] : model_.text_shapes(model_.text_tokens())) {
    encoding[name] = {shape, executor.read(name)};
  }
  return encoding;
}

}  // namespace mantissa
