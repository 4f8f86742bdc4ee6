// Every op: central differences in fp64 against the recorded backward, planned against unplanned,
// checkpointing on against off. A source scan fails the suite if an op has no case.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/graph/transformer_cases.h"

namespace mantissa {
namespace {

Value ids_input(Graph& g, const char* name, const Shape& shape) {
  return g.input(name, DType::i32, shape);
}

/// Linear + DoRA of x, down, up, magnitude, addend. The norm is detached, so it uses factors that
/// the differences don't change.
Value dora_product(Graph& g, const std::vector<Value>& v, bool per_input) {
  const Shape weight{v[2].shape()[0], v[0].shape().cols()};
  const Value w = g.input("w", DType::f64, weight);
  const Value bias = g.input("bias", DType::f64, {weight[0]});
  const Value squares = constant(g, DType::f64, v[3].shape(), 30.0F);
  const Value norm = dora_norm({w,
                                {},
                                g.input("norm_down", DType::f64, v[1].shape()),
                                g.input("norm_up", DType::f64, v[2].shape()),
                                squares},
                               0.5F, per_input);
  const Value factor = dora_factor(v[3], norm, squares);
  const Value x = per_input ? scale_channels(v[0], factor) : v[0];
  const Value addend = per_input ? v[4] : detach(v[4]);
  const Value y = matmul(x, w, {.transpose_b = true, .bias = bias, .addend = addend});
  const Value h = matmul(x, v[1], {.transpose_b = true});
  const Value z = matmul(h, v[2], {.transpose_b = true, .alpha = 0.5F, .addend = y});
  return per_input ? z : scale_channels(z, factor, {.bias = bias, .addend = v[4]});
}

/// m / ‖W + change‖ of a frozen convolution's weight, with gradients to both.
Value changed_factor(Graph& g, const std::vector<Value>& v, bool per_input) {
  static std::vector<double> values = [] {
    std::vector<double> list(48);
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i] = std::sin(1.7 * static_cast<double>(i) + 0.2);
    }
    return list;
  }();
  static Tensor weight{
      .name = "w", .dtype = DType::f64, .shape = {4, 3, 2, 2}, .data = values.data()};
  const Value squares = constant(g, DType::f64, v[1].shape(), 30.0F);
  return dora_factor(v[1], changed_norm(weight, v[0], squares, per_input), squares,
                     NormGradient::of_norm);
}

using Case = GradientCase;

std::vector<Case> cases() {
  const AttentionOptions causal{2, 0.5F, true}, cross{2, 0.7F, false};
  std::vector<Case> list = {
      {"cast",
       {{2, 3}},
       [](Graph&, const auto& v) { return cast(cast(v[0], DType::f32), DType::f64); },
       0.05,
       1e-5},
      {"linears",
       {{2, 3, 4}, {2, 3, 5}},
       [](Graph& g, const auto& v) {
         const Value first = g.input("first", DType::f64, {2, 4});
         const Value second = g.input("second", DType::f64, {3, 4});
         return linears(v[0], {first, second}, g.input("bias", DType::f64, {5}), v[1], false);
       }},
      {"reshape",
       {{2, 6}},
       [](Graph&, const auto& v) {
         return reshape(scale(v[0], 2.0F), {3, 4});
       }},
      {"constant",
       {{2, 3}},
       [](Graph& g, const auto& v) {
         return multiply(v[0], constant(g, DType::f64, {2, 3}, 1.5F));
       }},
      {"concat_channels",
       {{2, 3, 5}, {2, 3, 4}},
       [](Graph&, const auto& v) {
         return multiply(concat_channels(v[0], v[1]), concat_channels(v[0], v[1]));
       }},
      {"slice_channels",
       {{2, 3, 7}},
       [](Graph&, const auto& v) {
         return multiply(slice_channels(v[0], 1, 3), slice_channels(v[0], 3, 3));
       }},
      {"split_channels_into_products",  // one part is multiplied twice, one not at all
       {{2, 3, 12}, {4, 4}},
       [](Graph&, const auto& v) {
         const std::vector<Value> parts = split_channels(v[0], 3);
         const Value left = matmul(parts[0], v[1], {});
         return matmul(parts[2], v[1], {.addend = matmul(parts[0], v[1], {.addend = left})});
       }},
      {"split_channels_into_an_addend",
       {{3, 4}, {3, 2}, {2, 2}},
       [](Graph&, const auto& v) {
         return matmul(v[1], v[2], {.addend = split_channels(scale(v[0], 2.0F), 2)[0]});
       }},
      {"split_channels_into_attention",
       {{2, 5, 24}},
       [causal](Graph&, const auto& v) {
         const std::vector<Value> qkv = split_channels(v[0], 3);
         return attention(qkv[0], qkv[1], qkv[2], causal);
       }},
      {"split_channels_into_keys_and_values",
       {{2, 3, 8}, {2, 5, 16}},
       [cross](Graph&, const auto& v) {
         const std::vector<Value> kv = split_channels(v[1], 2);
         return attention(v[0], kv[0], kv[1], cross);
       }},
      {"add", {{2, 5}, {2, 5}}, [](Graph&, const auto& v) { return add(v[0], add(v[1], v[0])); }},
      {"multiply",
       {{2, 5}, {2, 5}},
       [](Graph&, const auto& v) { return multiply(v[0], multiply(v[1], v[0])); }},
      {"scale", {{7}}, [](Graph&, const auto& v) { return scale(v[0], -1.25F); }},
      {"add_per_sample",
       {{2, 3, 4, 5}, {2, 5}},
       [](Graph&, const auto& v) { return add_per_sample(multiply(v[0], v[0]), v[1]); }},
      {"add_per_sample_shared",
       {{2, 3, 5}, {1, 5}},
       [](Graph&, const auto& v) { return add_per_sample(v[0], multiply(v[1], v[1])); }},
      {"modulate",
       {{2, 3, 5}, {2, 5}, {2, 5}},
       [](Graph&, const auto& v) { return modulate(multiply(v[0], v[0]), v[1], v[2]); }},
      {"modulate_shared",
       {{2, 2, 3, 5}, {1, 5}, {1, 5}},
       [](Graph&, const auto& v) { return modulate(v[0], multiply(v[1], v[1]), v[2]); }},
      {"gated_add",
       {{2, 3, 5}, {2, 3, 5}, {2, 5}},
       [](Graph&, const auto& v) { return gated_add(v[0], multiply(v[1], v[0]), v[2]); }},
      {"gated_add_shared",
       {{2, 3, 5}, {1, 5}},
       [](Graph&, const auto& v) { return gated_add(v[0], v[0], v[1]); }},
      {"swap_middle",
       {{2, 3, 4, 5}},
       [](Graph&, const auto& v) {
         return multiply(swap_middle(v[0]), reshape(v[0], {2, 4, 3, 5}));
       }},
      {"dropout", {{4, 33}}, [](Graph&, const auto& v) { return dropout(v[0], 0.3F, 7); }},
      {"geglu", {{3, 10}}, [](Graph&, const auto& v) { return geglu(v[0]); }},
      {"matmul", {{3, 4}, {4, 5}}, [](Graph&, const auto& v) { return matmul(v[0], v[1], {}); }},
      {"matmul_all",
       {{2, 3, 4}, {5, 4}, {5}, {2, 3, 5}},
       [](Graph&, const auto& v) {
         return matmul(v[0], v[1],
                       {.transpose_b = true, .alpha = 0.5F, .bias = v[2], .addend = v[3]});
       }},
      {"matmul_blocks",
       {{2, 4, 6}, {15, 2}, {2, 4, 15}},
       [](Graph&, const auto& v) {
         return matmul(v[0], v[1],
                       {.transpose_b = true, .alpha = 0.5F, .addend = v[2], .blocks = 3});
       }},
      {"matmul_blocks_straight",
       {{4, 6}, {6, 5}},
       [](Graph&, const auto& v) { return matmul(v[0], v[1], {.blocks = 3}); }},
      {"matmul_blocks_ta",
       {{4, 6}, {4, 15}},
       [](Graph&, const auto& v) {
         return matmul(v[0], v[1], {.transpose_a = true, .blocks = 3});
       }},
      {"matmul_ta",
       {{4, 3}, {4, 5}},
       [](Graph&, const auto& v) {
         return matmul(v[0], v[1], {.transpose_a = true, .alpha = 2.0F});
       }},
      {"matmul_ta_tb",
       {{4, 3}, {5, 4}},
       [](Graph&, const auto& v) {
         return matmul(v[0], v[1], {.transpose_a = true, .transpose_b = true});
       }},
      {"matmul_shared",
       {{3, 3}},
       [](Graph&, const auto& v) {
         return matmul(v[0], matmul(v[0], v[0], {}), {.addend = v[0]});
       }},
      {"linear_lora",
       {{2, 3, 6}, {5, 6}, {5}, {2, 6}, {5, 2}},
       [](Graph&, const auto& v) {
         const Value y = linear(v[0], v[1], v[2]);
         const Value h = matmul(v[0], v[3], {.transpose_b = true});
         return matmul(h, v[4], {.transpose_b = true, .alpha = 0.75F, .addend = y});
       }},
      {"conv3x3",
       {{2, 5, 4, 3}, {4, 3, 3, 3}, {4}},
       [](Graph&, const auto& v) {
         return conv2d(v[0], v[1], v[2], {1, 1, 1, 1, 1});
       }},
      {"conv_stride2_addend",
       {{1, 6, 5, 2}, {3, 2, 3, 3}, {3}, {1, 3, 3, 3}},
       [](Graph&, const auto& v) {
         return conv2d(v[0], v[1], v[2], {2, 1, 1, 1, 1}, v[3]);
       }},
      {"conv_pad_right_bottom",
       {{1, 4, 6, 2}, {3, 2, 3, 3}},
       [](Graph&, const auto& v) {
         return conv2d(v[0], v[1], {}, {2, 0, 0, 1, 1});
       }},
      {"conv1x1",
       {{2, 3, 3, 4}, {5, 4, 1, 1}, {5}},
       [](Graph&, const auto& v) { return conv2d(v[0], v[1], v[2], {}); }},
      {"conv_twice",
       {{1, 4, 4, 2}, {2, 2, 3, 3}},
       [](Graph&, const auto& v) {
         const Value y = conv2d(v[0], v[1], {}, {1, 1, 1, 1, 1});
         return conv2d(y, v[1], {}, {1, 1, 1, 1, 1}, v[0]);
       }},
      {"dora_linear",
       {{3, 6}, {2, 6}, {5, 2}, {5}, {3, 5}},
       [](Graph& g, const auto& v) { return dora_product(g, v, false); }},
      {"dora_input_channels",
       {{3, 6}, {2, 6}, {5, 2}, {6}, {3, 5}},
       [](Graph& g, const auto& v) { return dora_product(g, v, true); }},
      {"dora_frozen_input",
       {{2, 4}, {4}},
       [](Graph& g, const auto& v) {
         const Value x = g.input("x", DType::f64, {2, 4});
         return add(scale_channels(x, v[1]), v[0]);
       }},
      {"changed_norm",
       {{4, 12}, {4}},
       [](Graph& g, const auto& v) { return changed_factor(g, v, false); }},
      {"changed_norm_input_channels",
       {{4, 12}, {3}},
       [](Graph& g, const auto& v) { return changed_factor(g, v, true); }},
      {"loha_weight",
       {{4, 2}, {2, 5}, {4, 3}, {3, 5}, {3, 5}},
       [](Graph&, const auto& v) {
         const Value w =
             loha_weight({.w1_a = v[0], .w1_b = v[1], .w2_a = v[2], .w2_b = v[3]}, 0.7F, false);
         return matmul(v[4], w, {.transpose_b = true});
       }},
      {"lokr_weight",
       {{2, 3}, {4, 2}, {3, 6}},
       [](Graph&, const auto& v) {
         return matmul(v[2], lokr_weight(v[0], v[1], 0.7F, false), {.transpose_b = true});
       }},
      {"lokr_product",
       {{2, 3, 6}, {2, 3}, {2, 2}, {4, 2}},
       [](Graph&, const auto& v) {
         return lokr_product(v[0], v[1], {v[2], v[3]}, 0.7F, false);
       }},
      {"scale_channels_explicit",
       {{2, 3, 4}, {2, 3, 4}, {4}},
       [](Graph&, const auto& v) {
         return scale_channels(v[0], v[2], {.v = multiply(v[1], v[1])});
       }},
      {"scale_channels_same",
       {{5, 7}, {7}},
       [](Graph&, const auto& v) { return scale_channels(v[0], v[1], {.v = v[0]}); }},
      {"scale_channels_sum",
       {{5, 7}, {5, 7}},
       [](Graph&, const auto& v) { return scale_channels(v[0], {}, {.v = multiply(v[0], v[1])}); }},
      {"attention_causal",
       {{2, 5, 6}, {2, 5, 6}, {2, 5, 6}},
       [causal](Graph&, const auto& v) { return attention(v[0], v[1], v[2], causal); }},
      {"attention_cross",
       {{2, 3, 8}, {2, 7, 8}, {2, 7, 8}},
       [cross](Graph&, const auto& v) { return attention(v[0], v[1], v[2], cross); }},
      {"attention_bias",
       {{2, 3, 8}, {2, 7, 8}, {2, 7, 8}},
       [cross](Graph& g, const auto& v) {
         return attention(
             v[0], v[1], v[2], cross,
             {g.input("scores", DType::f64, {2, 3, 7}), g.input("keys", DType::f64, {2, 7})});
       }},
      {"attention_causal_bias",
       {{2, 5, 6}, {2, 5, 6}, {2, 5, 6}},
       [causal](Graph& g, const auto& v) {
         return attention(v[0], v[1], v[2], causal, {g.input("scores", DType::f64, {1, 5, 5}), {}});
       }},
      {"group_norm",
       {{2, 3, 2, 6}, {6}, {6}},
       [](Graph&, const auto& v) { return group_norm(v[0], v[1], v[2], 3, 1e-5F, false); }},
      {"group_norm_silu",
       {{2, 3, 2, 6}, {6}, {6}},
       [](Graph&, const auto& v) { return group_norm(v[0], v[1], v[2], 2, 1e-5F, true); }},
      {"layer_norm",
       {{2, 3, 6}, {6}, {6}},
       [](Graph&, const auto& v) { return layer_norm(v[0], v[1], v[2], 1e-5F); }},
      {"layer_norm_plain",
       {{2, 3, 6}},
       [](Graph&, const auto& v) { return layer_norm(v[0], {}, {}, 1e-5F); }},
      {"layer_norm_residual",
       {{2, 3, 6}, {6}, {6}},
       [](Graph&, const auto& v) { return add(v[0], layer_norm(v[0], v[1], v[2], 1e-5F)); }},
      {"rms_norm",
       {{2, 3, 6}, {6}},
       [](Graph&, const auto& v) { return rms_norm(v[0], v[1], 1e-5F); }},
      {"upsample_nearest",
       {{1, 2, 3, 2}},
       [](Graph&, const auto& v) { return upsample_nearest(v[0], 5, 6); }},
      {"timestep_embedding",
       {{2, 4}},
       [](Graph& g, const auto& v) {
         return multiply(v[0], timestep_embedding(g.input("t", DType::f64, {2}), 4, DType::f64));
       }},
      {"embedding",
       {{6, 4}},
       [](Graph& g, const auto& v) {
         return embedding(v[0], ids_input(g, "ids", {2, 3}));
       }},
      {"gather_tokens",
       {{2, 4, 3}},
       [](Graph& g, const auto& v) { return gather_tokens(v[0], ids_input(g, "ids", {2})); }},
      {"add_noise",
       {{2, 3, 4}},
       [](Graph& g, const auto& v) {
         const Value noised =
             add_noise(g.input("x0", DType::f64, {2, 3, 4}), g.input("eps", DType::f64, {2, 3, 4}),
                       g.input("a", DType::f64, {2}), g.input("s", DType::f64, {2}));
         return multiply(v[0], noised);
       }},
      {"huber_loss",
       {{2, 3, 4}},
       [](Graph& g, const auto& v) {
         const Value root = g.input("width_root", DType::f64, {2});
         return huber_loss(v[0], g.input("wanted", DType::f64, {2, 3, 4}),
                           g.input("share", DType::f64, {2}), multiply(root, root))
             .loss;
       }},
  };
  std::ranges::move(transformer_cases(), std::back_inserter(list));
  for (Unary kind : kUnaries) {
    // A log variance gets values on both sides of either bound.
    const float factor = kind == Unary::log_variance ? 40.0F : 1.0F;
    list.push_back({unary_name(kind).data(), {{3, 5}}, [=](Graph&, const auto& v) {
                      return unary(kind, factor == 1.0F ? v[0] : scale(v[0], factor));
                    }});
  }
  return list;
}

/// Deterministic, well-spread values in about [-1.3, 1.3].
double test_value(std::uint64_t i) {
  return std::sin(static_cast<double>(i) * 12.9898 + 1.0) * 1.3;
}

struct Recorded {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  Value loss;
};

enum class Keep { all, no_segment, nothing_cheap };

/// loss = weighted MSE of case output against a fixed target, so that every output element counts.
Recorded record(const Case& c, Keep keep) {
  const bool segment = keep == Keep::no_segment;
  Recorded r;
  r.graph->repeat_cheap_ops(keep == Keep::nothing_cheap);
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    inputs.push_back(r.graph->input("in" + std::to_string(i), DType::f64, c.inputs[i], true));
  }
  if (segment) {
    r.graph->begin_segment(SegmentScope::block);
  }
  Value y = c.build(*r.graph, inputs);
  if (segment) {
    r.graph->end_segment(SegmentScope::block);
  }
  const std::int64_t rows = y.shape().count() % 2 == 0 ? 2 : 1;
  y = reshape(y, {rows, y.shape().count() / rows});
  r.loss = mse_loss(y, r.graph->input("target", DType::f64, y.shape()),
                    r.graph->input("weight", DType::f64, {rows}))
               .loss;
  r.graph->output("loss", r.loss);
  r.graph->backward(r.loss, segment);
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    const Value gradient = r.graph->gradient(inputs[i]);
    if (gradient) {
      r.graph->output("grad" + std::to_string(i), gradient);
    }
  }
  return r;
}

class Runner {
 public:
  Runner(const Recorded& r, bool reuse)
      : kernels_(make_cpu_kernels(1)),
        plan_(make_plan(*r.graph, {.reuse = reuse})),
        arena_(*kernels_),
        executor_(*r.graph, plan_, *kernels_, arena_),
        graph_(*r.graph) {}

  /// Runs with input `which` element `element` moved by `delta`.
  double loss(int which = -1, std::int64_t element = 0, double delta = 0) {
    std::uint64_t salt = 0;
    for (const auto& [name, id] : graph_.inputs()) {
      const View v = executor_.input(name);
      for (std::int64_t i = 0; i < v.count(); ++i) {
        if (v.dtype == DType::i32) {
          v.as<std::int32_t>()[i] = static_cast<std::int32_t>((i * 2 + 1) % 4);
        } else {
          v.as<double>()[i] = test_value(salt * 1000 + static_cast<std::uint64_t>(i)) +
                              (name == "weight" ? 2.0 : 0.0);
        }
      }
      if (name == "in" + std::to_string(which)) {
        v.as<double>()[element] += delta;
      }
      ++salt;
    }
    executor_.run({5, 3});
    return *executor_.output("loss").as<double>();
  }
  std::vector<double> gradient(int i) {
    const View v = executor_.output("grad" + std::to_string(i));
    return {v.as<double>(), v.as<double>() + v.count()};
  }

 private:
  std::unique_ptr<Kernels> kernels_;
  Plan plan_;
  Arena arena_;
  Executor executor_;
  const Graph& graph_;
};

class GradientTest : public testing::TestWithParam<Case> {};

TEST_P(GradientTest, MatchesCentralDifferencesAndEveryPlan) {
  const Case& c = GetParam();
  const Recorded plain = record(c, Keep::all), checkpointed = record(c, Keep::no_segment),
                 repeating = record(c, Keep::nothing_cheap);
  Runner planned(plain, true), unplanned(plain, false), recomputed(checkpointed, true),
      repeated(repeating, true);
  const double loss = planned.loss();
  ASSERT_TRUE(std::isfinite(loss));
  EXPECT_EQ(loss, unplanned.loss()) << "planned and unplanned differ";
  EXPECT_EQ(loss, recomputed.loss()) << "checkpointing changes the loss";
  EXPECT_EQ(loss, repeated.loss()) << "repeating cheap ops changes the loss";
  for (int i = 0; i < static_cast<int>(c.inputs.size()); ++i) {
    planned.loss();
    const std::vector<double> analytic = planned.gradient(i);
    EXPECT_EQ(analytic, unplanned.gradient(i)) << "planned and unplanned differ, input " << i;
    EXPECT_EQ(analytic, recomputed.gradient(i)) << "checkpointing differs, input " << i;
    EXPECT_EQ(analytic, repeated.gradient(i)) << "repeating cheap ops differs, input " << i;
    double largest = 0;
    for (double g : analytic) {
      largest = std::max(largest, std::abs(g));
    }
    EXPECT_GT(largest, 0) << "input " << i << " gets no gradient at all";
    for (std::int64_t e = 0; e < static_cast<std::int64_t>(analytic.size()); ++e) {
      const double h = c.step;
      const double numeric = (planned.loss(i, e, h) - planned.loss(i, e, -h)) / (2 * h);
      EXPECT_NEAR(analytic[static_cast<std::size_t>(e)], numeric, 1e-7 + c.tolerance * largest)
          << "input " << i << " element " << e;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, GradientTest, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(GradientCoverage, EveryOpInTheSourcesHasACase) {
  std::set<std::string> covered{
      "accumulate_gradient", "accumulate_product", "accumulate_conv2d",  // gradient_sums_test.cpp
      "dequantize",          "read_tensor",        "read_buffer",        // quant_test.cpp
      "part_of_buffer"};
  covered.insert({"dora_factors", "add_magnitude_gradients"});  // adapters/dora_layer_test.cpp
  for (const Case& c : cases()) {
    for (const Keep keep : {Keep::all, Keep::no_segment}) {
      const Recorded r = record(c, keep);
      for (const Node& n : r.graph->nodes()) {
        covered.insert(n.op->name());
      }
    }
  }
  const std::regex pattern(R"re(name\(\) const override \{ return "([a-z0-9_]+)"; \})re");
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(MANTISSA_SOURCE_DIR) / "engine/graph")) {
    if (entry.path().extension() != ".cpp") {
      continue;
    }
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator it(source.begin(), source.end(), pattern), end; it != end; ++it) {
      ++found;
      EXPECT_TRUE(covered.contains((*it)[1])) << "op '" << (*it)[1] << "' has no gradient case";
    }
  }
  EXPECT_GE(found, 25);
}

}  // namespace
}  // namespace mantissa
