#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/graph/device_values.h"
#include "engine/graph/executor.h"
#include "engine/models/qwen3/qwen3.h"
#include "engine/models/qwen3/qwen3_vision.h"
#include "engine/models/qwen3/qwen3_vision_inputs.h"
#include "engine/nn/weight_store.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A question about an image: the tokens around it.
struct ImageQuestion {
  std::vector<std::int32_t> before, after;  ///< at least one each
  PatchedImage image;
};

/// A Qwen3-VL that reads a question and then its own answer, token by token: keys and values of
/// what it has read are kept.
class VisionLanguage {
 public:
  /// `source`: of open_qwen3_vl; weights and activations are of `type`, bf16 or fp32, the stream
  /// fp32. `kernels` must outlive this. Throws Error naming what is wrong with the model, and what
  /// `progress` throws, which counts weights.
  VisionLanguage(Kernels& kernels, const WeightSource& source, ComputeType type,
                 const Progress& progress = {});

  const Qwen3Config& text_config() const { return text_config_; }
  const Qwen3VisionConfig& vision_config() const { return vision_config_; }

  /// Scores (logits) of the token behind a question. Up to `room` tokens may be read after it.
  std::vector<float> read(const ImageQuestion& question, std::int64_t room);
  /// Reads one more token; scores of the one behind it.
  std::vector<float> read(std::int32_t token);
  /// Asked after each op on the host and before each token: once it is true, `read` ends by an
  /// Error of kind interrupted.
  void set_stop(std::function<bool()> stop) { stop_ = std::move(stop); }

 private:
  /// A recorded graph and what runs it.
  struct Program {
    Graph graph;
    Plan plan;
    std::unique_ptr<Executor> executor;
    void prepare(Kernels& kernels, Arena& arena);
  };
  /// What graphs of questions differ in.
  struct Layout {
    std::int64_t before = 0, after = 0;
    int rows = 0, columns = 0;
    bool operator==(const Layout&) const = default;
  };
  void bind(WeightStore& weights);
  void load(const Progress& progress);
  std::int64_t image_tokens(const Layout& layout) const;
  void record_question(const Layout& layout);
  void record_token();
  /// Scores of the last token of what the text gives.
  Value scores_of(Value states) const;
  /// Keys and values of a program's tokens are its outputs.
  static void keep(Graph& graph, const Qwen3Beside& beside);
  void make_room(std::int64_t tokens);
  void take(const Executor& executor, std::int64_t tokens);
  void run(Executor& executor);
  void feed_tables(const Executor& executor, std::span<const double> places) const;

  Kernels& kernels_;
  WeightSource source_;
  PrecisionRules rules_;
  WeightStore weights_;
  Qwen3Config text_config_;
  Qwen3VisionConfig vision_config_;
  std::optional<Qwen3Text> text_;
  std::optional<Qwen3Vision> vision_;
  std::optional<Linear> head_;
  std::vector<float> learned_;  ///< positions of patches

  Arena question_arena_, token_arena_;
  Layout layout_;
  std::unique_ptr<Program> question_, token_;

  std::int64_t capacity_ = 0, held_ = 0;  ///< tokens that have room, and those that are kept
  double next_ = 0;                       ///< place of the next token
  std::deque<DeviceArray> memory_;        ///< of kept keys and values, by layer
  std::deque<Tensor> kept_;               ///< keys and values in turns

  std::function<bool()> stop_;
  bool stopped_ = false;
};

}  // namespace mantissa
