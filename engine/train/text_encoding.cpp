#include "engine/train/text_encoding.h"

namespace mantissa {

TextEncoder::TextEncoder(Kernels& kernels, DiffusionModel& model)
    : model_(model), arena_(kernels), program_(kernels, arena_) {
  for (const auto& [name, value] : model.encode_text(program_.graph(), 1, model.text_tokens())) {
    program_.graph().output(name, value);
  }
  program_.make_plan();
}

TextEncoding TextEncoder::encode(const std::string& caption) {
  Executor& executor = program_.executor();
  const TokenIds ids = model_.tokenize(caption);
  model_.feed_tokens(executor, {&ids, 1});
  executor.run({});
  TextEncoding encoding;
  for (const auto& [name, shape] : model_.text_shapes(model_.text_tokens())) {
    encoding[name] = {shape, executor.read(name)};
  }
  return encoding;
}

}  // namespace mantissa
