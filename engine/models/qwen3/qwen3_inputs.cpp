#include "engine/models/qwen3/qwen3_inputs.h"

#include <algorithm>

namespace mantissa {
namespace {

/// [texts, tokens]; one row for all texts if every token counts.
std::vector<double> positions_of(std::span<const std::uint8_t> real, std::int64_t tokens,
                                 Qwen3Positions positions) {
  std::vector<double> list;
  if (positions == Qwen3Positions::all) {
    for (std::int64_t i = 0; i < tokens; ++i) {
      list.push_back(static_cast<double>(i));
    }
    return list;
  }
  if (positions == Qwen3Positions::padding_at_one) {
    for (std::size_t i = 0; i < real.size(); ++i) {
      list.push_back(real[i] != 0 ? static_cast<double>(static_cast<std::int64_t>(i) % tokens) : 1);
    }
    return list;
  }
  std::int64_t count = 0;
  for (std::size_t i = 0; i < real.size(); ++i) {
    count = static_cast<std::int64_t>(i) % tokens == 0 ? 0 : count;
    count += real[i] != 0 ? 1 : 0;
    list.push_back(static_cast<double>(std::max<std::int64_t>(count - 1, 0)));
  }
  return list;
}

}  // namespace

Qwen3Inputs qwen3_inputs(Graph& graph, const std::string& prefix, const Qwen3Config& config,
                         std::int64_t batch, std::int64_t tokens, Qwen3Positions positions) {
  const Shape text{batch, tokens};
  const Shape table{positions == Qwen3Positions::all ? 1 : batch, tokens, config.head_dim / 2};
  return {.ids = graph.input(prefix + "_ids", DType::i32, text),
          .keys = graph.input(prefix + "_keys", DType::f32, text),
          .cos = graph.input(prefix + "_cos", DType::f32, table),
          .sin = graph.input(prefix + "_sin", DType::f32, table)};
}

void feed_qwen3(Executor& executor, const std::string& prefix, const Qwen3Config& config,
                std::span<const std::int32_t> ids, std::span<const std::uint8_t> real,
                Qwen3Positions positions) {
  const std::int64_t tokens = executor.input(prefix + "_ids").shape[1];
  const RotaryTables tables = qwen3_tables(config, positions_of(real, tokens, positions));
  WordEmbedding::feed(executor, prefix + "_ids", ids, config.vocab);
  executor.feed(prefix + "_keys", qwen3_key_mask(real));
  executor.feed(prefix + "_cos", tables.cos);
  executor.feed(prefix + "_sin", tables.sin);
  if (executor.has_input(prefix + "_real")) {
    executor.feed(prefix + "_real", std::vector<float>(real.begin(), real.end()));
  }
}

std::vector<float> qwen3_key_mask(std::span<const std::uint8_t> real) {
  std::vector<float> mask;
  for (const std::uint8_t token : real) {
    mask.push_back(token != 0 ? 0.0F : kMaskedKey);
  }
  return mask;
}

RotaryTables qwen3_tables(const Qwen3Config& config, std::span<const double> positions) {
  const RotaryAxis axis{.width = config.head_dim, .theta = config.rope_theta, .yarn = config.yarn};
  return rotary_tables({&axis, 1}, positions);
}

}  // namespace mantissa
