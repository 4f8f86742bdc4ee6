#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/models/diffusion_model.h"
#include "engine/programs/program.h"

namespace mantissa {

/// Sizes of the references that texts are encoded with, those without any too.
using SizesBesideTexts = std::set<std::vector<LatentSize>>;

/// Bytes of activations that encoding one caption takes, with any of these beside it.
std::size_t text_arena_bytes(DiffusionModel& model, const SizesBesideTexts& references = {{}});

/// The types in which the denoiser reads a TextEncoding: every family rounds "context" and "pooled"
/// to the type of its activations before all else. FP32 where none is named.
std::map<std::string, DType> text_types(const DiffusionModel& model);

/// Runs a model's text encoders on one caption at a time, with its adapters if any.
class TextEncoder {
 public:
  /// `arena`: for activations, shared with programs that run in turn; null: a private one.
  TextEncoder(Kernels& kernels, DiffusionModel& model, Arena* arena = nullptr);
  /// As LatentEncoder::set_between.
  void set_between(std::function<void()> between) { between_ = std::move(between); }
  /// `references`: only of a model whose texts depend on them, as it sees them.
  TextEncoding encode(const std::string& caption, std::span<const Image> references = {});
  /// After the first: Executor::record_ahead.
  void record_ahead() { programs_.record_ahead(); }

 private:
  DiffusionModel& model_;
  Arena own_;
  ProgramsByShape<std::vector<LatentSize>> programs_;
  std::function<void()> between_;
};

}  // namespace mantissa
