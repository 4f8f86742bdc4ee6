#include "engine/caption/tagger_network.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/graph/ops.h"
#include "engine/nn/rotary.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr float kEps = 1e-6F;

class Network {
 public:
  Network(Graph& graph, const TaggerConfig& config, std::map<std::string, Tensor>& weights)
      : graph_(graph), c_(config), weights_(weights) {
    if (c_.eva) {
      const Shape table{1, c_.tokens(), c_.head_width() / 2};
      cos_ = graph.input("cos", DType::f32, table);
      sin_ = graph.input("sin", DType::f32, table);
    }
  }

  Value logits() {
    Value x = tokens();
    for (int i = 0; i < c_.layers; ++i) {
      const std::string block = "blocks." + std::to_string(i) + ".";
      x = add(x, attend(norm(x, block + "norm1"), block + "attn."));
      x = add(x, feed(norm(x, block + "norm2"), block + "mlp."));
    }
    if (has("norm.weight")) {
      x = norm(x, "norm");
    }
    x = pooled(x);
    if (has("fc_norm.weight")) {
      x = norm(x, "fc_norm");
    }
    return project(x, "head", c_.tags);
  }

 private:
  bool has(const std::string& name) const { return weights_.contains(name); }

  Value weight(const std::string& name, const Shape& shape) {
    const auto found = weights_.find(name);
    if (found == weights_.end()) {
      throw Error(message<"the tagger lacks its weight {weight}">(name));
    }
    if (found->second.shape != shape) {
      throw Error(message<"the tagger's weight {weight} has shape {shape}; {expected} is expected">(
          name, found->second.shape.str(), shape.str()));
    }
    return read_tensor(graph_, found->second, DType::f32);
  }

  Value norm(Value x, const std::string& name) {
    const Shape width{x.shape()[x.shape().rank() - 1]};
    return layer_norm(x, weight(name + ".weight", width), weight(name + ".bias", width), kEps);
  }

  Value project(Value x, const std::string& name, std::int64_t to, bool bias = true) {
    const std::int64_t from = x.shape()[x.shape().rank() - 1];
    return linear(x, weight(name + ".weight", {to, from}),
                  bias ? weight(name + ".bias", {to}) : Value());
  }

  /// Patches with their positions, behind the prefix.
  Value tokens() {
    const Value image = graph_.input("image", DType::f32, {1, c_.side, c_.side, 3});
    ConvOptions patches;
    patches.stride = c_.patch;
    const Value cells =
        conv2d(image, weight("patch_embed.proj.weight", {c_.width, 3, c_.patch, c_.patch}),
               weight("patch_embed.proj.bias", {c_.width}), patches);
    Value x = reshape(cells, {1, std::int64_t{c_.grid()} * c_.grid(), c_.width});
    const std::int64_t placed = x.shape()[1] + (c_.prefix_placed ? c_.prefix : 0);
    const Value positions = weight("pos_embed", {1, placed, c_.width});
    if (!c_.prefix_placed) {
      x = add(x, positions);
    }
    if (has("reg_token")) {
      const std::int64_t registers = c_.prefix - (has("cls_token") ? 1 : 0);
      x = join_tokens(weight("reg_token", {1, registers, c_.width}), x);
    }
    if (has("cls_token")) {
      x = join_tokens(weight("cls_token", {1, 1, c_.width}), x);
    }
    return c_.prefix_placed ? add(x, positions) : x;
  }

  Value attend(Value x, const std::string& name) {
    AttentionOptions options;
    options.heads = c_.heads;
    options.scale = 1.0F / std::sqrt(static_cast<float>(c_.head_width()));
    Value q, k, v;
    if (c_.eva) {
      RopeOptions turn;
      turn.heads = c_.heads;
      q = rope(project(x, name + "q_proj", c_.width), cos_, sin_, turn);
      k = rope(project(x, name + "k_proj", c_.width, false), cos_, sin_, turn);
      v = project(x, name + "v_proj", c_.width);
    } else {
      const std::vector<Value> all = split_channels(project(x, name + "qkv", 3 * c_.width), 3);
      q = all[0], k = all[1], v = all[2];
    }
    return project(attention(q, k, v, options), name + "proj", c_.width);
  }

  Value feed(Value x, const std::string& name) {
    if (!c_.eva) {
      return project(unary(c_.activation, project(x, name + "fc1", c_.hidden)), name + "fc2",
                     c_.width);
    }
    Value h = swiglu(project(x, name + "fc1_g", c_.hidden), project(x, name + "fc1_x", c_.hidden));
    if (has(name + "norm.weight")) {
      h = norm(h, name + "norm");
    }
    return project(h, name + "fc2", c_.width);
  }

  /// [1, width].
  Value pooled(Value x) {
    if (!c_.pools_mean) {
      return reshape(take_tokens(x, 0, 1), {1, c_.width});
    }
    const std::int64_t patches = x.shape()[1] - c_.prefix;
    const Value rows =
        reshape(c_.prefix > 0 ? take_tokens(x, c_.prefix, patches) : x, {patches, c_.width});
    const Value mean =
        constant(graph_, DType::f32, {1, patches}, 1.0F / static_cast<float>(patches));
    return matmul(mean, rows, {});
  }

  Graph& graph_;
  const TaggerConfig& c_;
  std::map<std::string, Tensor>& weights_;
  Value cos_, sin_;
};

}  // namespace

void record_tagger(Graph& graph, const TaggerConfig& config,
                   std::map<std::string, Tensor>& weights) {
  graph.output("logits", Network(graph, config, weights).logits());
}

void tagger_rotation(const TaggerConfig& config, std::vector<float>& cos, std::vector<float>& sin) {
  const RotaryAxis half{.width = config.head_width() / 2};
  const RotaryAxis axes[] = {half, half};
  std::vector<double> positions(static_cast<std::size_t>(2 * config.prefix), 0.0);
  const double step = static_cast<double>(config.reference) / config.grid();
  for (int y = 0; y < config.grid(); ++y) {
    for (int x = 0; x < config.grid(); ++x) {
      positions.insert(positions.end(), {y * step, x * step});
    }
  }
  RotaryTables tables = rotary_tables(axes, positions);
  cos = std::move(tables.cos);
  sin = std::move(tables.sin);
}

}  // namespace mantissa
