#include "engine/programs/text_encoding.h"

#include "engine/io/module_path.h"
#include "engine/programs/between.h"

namespace mantissa {

namespace {

void record(DiffusionModel& model, Graph& graph) {
  for (const auto& [name, value] : model.encode_text(graph, 1, model.text_tokens())) {
    graph.output(name, value);
  }
}

}  // namespace

std::size_t text_arena_bytes(DiffusionModel& model) {
  Graph graph;
  record(model, graph);
  return make_plan(graph).arena_bytes;
}

std::map<std::string, DType> text_types(const DiffusionModel& model) {
  const DType type = model.rules().activations(module_path(kDenoiser));
  if (type != DType::bf16 && type != DType::f16) {
    return {};
  }
  return {{"context", type}, {"pooled", type}};
}

TextEncoder::TextEncoder(Kernels& kernels, DiffusionModel& model, Arena* arena)
    : model_(model), own_(kernels), program_(kernels, arena == nullptr ? own_ : *arena) {
  record(model, program_.graph());
  program_.make_plan();
}

TextEncoding TextEncoder::encode(const std::string& caption) {
  Executor& executor = program_.executor();
  const TokenIds ids = model_.tokenize(caption);
  model_.feed_tokens(executor, {&ids, 1});
  executor.set_watch(watch_between(between_));
  executor.run({});
  TextEncoding encoding;
  for (const auto& [name, shape] : model_.text_shapes(model_.text_tokens())) {
    encoding[name] = {shape, executor.read(name)};
  }
  return encoding;
}

}  // namespace mantissa
