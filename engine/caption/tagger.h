#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/caption/tag_list.h"
#include "engine/caption/tagger_config.h"
#include "engine/core/progress.h"
#include "engine/graph/device_values.h"
#include "engine/graph/executor.h"
#include "engine/io/image.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A tagger from its authors' folder (model.safetensors, config.json, selected_tags.csv), in FP32.
class Tagger {
 public:
  /// `kernels` must outlive this. Throws Error naming a file and what is wrong with it, and what
  /// `progress` throws, which counts weights.
  Tagger(Kernels& kernels, const std::filesystem::path& folder, const Progress& progress = {});
  Tagger(const Tagger&) = delete;
  Tagger& operator=(const Tagger&) = delete;

  const std::vector<Tag>& tags() const { return tags_; }
  const TaggerConfig& config() const { return config_; }
  /// How sure it is of each tag of an image, 0 to 1, in the order of `tags`.
  std::vector<float> scores(const Image& image);
  /// Asked after each op from now on: once it is true, `scores` ends within that op's time by an
  /// Error of kind interrupted. On a card this takes time; without it ops are launched together.
  void set_stop(std::function<bool()> stop);
  /// Logits of an image that is prepared already: [side, side, 3] (tagger_input).
  std::vector<float> logits(std::span<const float> input);

 private:
  void load(const SafetensorsFile& weights, const Progress& progress);
  void record();

  Kernels& kernels_;
  TaggerConfig config_;
  std::vector<Tag> tags_;
  std::deque<DeviceArray> memory_;         ///< of the weights
  std::map<std::string, Tensor> weights_;  ///< by name, fp32
  Graph graph_;
  Plan plan_;
  Arena arena_;
  std::unique_ptr<Executor> executor_;
  bool stopped_ = false;
  std::vector<float> cos_, sin_;  ///< EVA-02's rotary tables, [tokens, head / 2]
};

}  // namespace mantissa
