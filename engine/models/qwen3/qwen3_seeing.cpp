#include "engine/models/qwen3/qwen3_seeing.h"

#include <string>
#include <vector>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/qwen3_vision_inputs.h"
#include "engine/models/references.h"

namespace mantissa {
namespace {

SeenImage seen_image(Graph& graph, const Qwen3Vision& vision, LatentSize tokens,
                     const std::string& name) {
  const Qwen3VisionConfig& tower = vision.config();
  const std::int64_t patches = tokens.positions() * tower.merge * tower.merge;
  const auto input = [&](const char* what, std::int64_t width) {
    return graph.input(name + what, DType::f32, {1, patches, width});
  };
  return vision.forward(graph, {.patches = input("_patches", tower.patch_values()),
                                .positions = input("_positions", tower.hidden),
                                .cos = input("_cos", tower.head_dim() / 2),
                                .sin = input("_sin", tower.head_dim() / 2)});
}

void feed_image(Executor& executor, const Qwen3VisionConfig& tower, std::span<const float> learned,
                LatentSize tokens, const Image& image, const std::string& name) {
  const auto pixels = [&](std::int64_t side) {
    return static_cast<int>(side) * tower.patch * tower.merge;
  };
  const PatchedImage cut =
      patched_image(image, {pixels(tokens.width), pixels(tokens.height)}, tower, {});
  const RotaryTables turns = vision_tables(cut.rows, cut.columns, tower);
  executor.feed(name + "_patches", cut.patches);
  executor.feed(name + "_positions", vision_positions(learned, cut.rows, cut.columns, tower));
  executor.feed(name + "_cos", turns.cos);
  executor.feed(name + "_sin", turns.sin);
}

std::vector<TokenRun> token_runs(const ReferenceSequence& sequence) {
  std::vector<TokenRun> runs;
  for (const ReferenceSequence::Run& run : sequence.runs()) {
    const LatentSize size = run.reference < 0
                                ? LatentSize{}
                                : sequence.references()[static_cast<std::size_t>(run.reference)];
    runs.push_back({run.count, static_cast<int>(size.height), static_cast<int>(size.width)});
  }
  return runs;
}

}  // namespace

Value seen_text(Graph& graph, const Qwen3Text& text, const Qwen3Vision& vision,
                const ReferenceSequence& sequence) {
  std::vector<Value> seen;
  std::vector<std::vector<Value>> deep(vision.config().deep.size());
  for (std::size_t i = 0; i < sequence.references().size(); ++i) {
    const SeenImage image = seen_image(graph, vision, sequence.references()[i], reference_name(i));
    seen.push_back(image.tokens);
    for (std::size_t layer = 0; layer < deep.size(); ++layer) {
      deep[layer].push_back(image.deep[layer]);
    }
  }
  const Value words = text.embed(graph.input("te1_ids", DType::i32, {1, sequence.tokens()}));
  const Value nothing = constant(graph, words.dtype(), words.shape(), 0);
  Qwen3Beside beside;
  for (const std::vector<Value>& layer : deep) {
    beside.added.push_back(sequence.joined(nothing, layer));
  }
  const Shape table{1, sequence.count(), text.config().head_dim / 2};
  return text.forward(sequence.joined(words, seen),
                      {.cos = graph.input("te1_cos", DType::f32, table),
                       .sin = graph.input("te1_sin", DType::f32, table)},
                      &beside);
}

void feed_seen_text(Executor& executor, const Qwen3Config& text, const Qwen3VisionConfig& tower,
                    std::span<const float> learned, const ReferenceSequence& sequence,
                    std::span<const std::int32_t> ids, std::span<const Image> references) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    feed_image(executor, tower, learned, sequence.references()[i], references[i],
               reference_name(i));
  }
  const RotaryTables turns =
      multimodal_tables(text, tower, run_positions(token_runs(sequence)).places);
  WordEmbedding::feed(executor, "te1_ids", ids, text.vocab);
  executor.feed("te1_cos", turns.cos);
  executor.feed("te1_sin", turns.sin);
}

}  // namespace mantissa
