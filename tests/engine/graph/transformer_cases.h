#pragma once
// Cases of gradient_test.cpp: the ops of transformers, in the ways they are combined there.

#include <functional>
#include <ostream>
#include <vector>

#include "engine/graph/ops.h"

namespace mantissa {

/// Records a function of its differentiable inputs; the harness reduces the result to a scalar.
struct GradientCase {
  const char* name;
  std::vector<Shape> inputs;
  std::function<Value(Graph&, const std::vector<Value>&)> build;
  double step = 1e-5, tolerance = 2e-6;  ///< of the central difference
};

inline void PrintTo(const GradientCase& c, std::ostream* out) {
  *out << c.name;
}

inline std::vector<GradientCase> transformer_cases() {
  return {
      {"rope_interleaved",
       {{2, 3, 12}},
       [](Graph& g, const auto& v) {
         return rope(multiply(v[0], v[0]), g.input("cos", DType::f64, {1, 3, 3}),
                     g.input("sin", DType::f64, {1, 3, 3}), {2, RopePairs::interleaved});
       }},
      {"rope_halves",
       {{2, 3, 12}},
       [](Graph& g, const auto& v) {
         return rope(v[0], g.input("cos", DType::f64, {2, 3, 2}),
                     g.input("sin", DType::f64, {2, 3, 2}), {3, RopePairs::halves});
       }},
      {"rope_own_angles",
       {{2, 3, 12}},
       [](Graph& g, const auto& v) {
         return rope(v[0], g.input("cos", DType::f64, {2, 3, 4}),
                     g.input("sin", DType::f64, {2, 3, 4}), {3, RopePairs::halves});
       }},
      {"geglu_of_two",
       {{2, 3, 5}, {2, 3, 5}},
       [](Graph&, const auto& v) { return geglu(multiply(v[0], v[1]), v[1]); }},
      {"geglu_of_one_split",
       {{2, 3, 10}},
       [](Graph&, const auto& v) {
         const std::vector<Value> both = split_channels(scale(v[0], 2.0F), 2);
         return geglu(both[0], both[1]);
       }},
      {"split_channels_into_rope",
       {{2, 5, 24}},
       [](Graph& g, const auto& v) {
         const std::vector<Value> qkv = split_channels(v[0], 3);
         const Value cos = g.input("cos", DType::f64, {1, 5, 2});
         const Value sin = g.input("sin", DType::f64, {1, 5, 2});
         return attention(rope(qkv[0], cos, sin, {2}), rope(qkv[1], cos, sin, {2}), qkv[2],
                          {2, 0.5F, true});
       }},
      {"glu_of_two",
       {{2, 3, 5}, {2, 3, 5}},
       [](Graph&, const auto& v) { return swiglu(multiply(v[0], v[1]), v[1]); }},
      {"glu_sigmoid",
       {{3, 5}, {3, 5}},
       [](Graph&, const auto& v) { return glu(Unary::sigmoid, v[1], v[0]); }},
      {"glu_of_itself", {{3, 5}}, [](Graph&, const auto& v) { return swiglu(v[0], v[0]); }},
      {"glu_gate_first",
       {{3, 10}},
       [](Graph&, const auto& v) { return swiglu(scale(v[0], 2.0F), GateHalf::first); }},
      {"glu_gate_second",
       {{2, 3, 6}},
       [](Graph&, const auto& v) { return glu(Unary::sigmoid, v[0], GateHalf::second); }},
      {"split_channels_into_a_gate",
       {{2, 3, 12}},
       [](Graph&, const auto& v) {
         const std::vector<Value> halves = split_channels(scale(v[0], 2.0F), 2);
         return multiply(swiglu(halves[0], halves[1]), swiglu(halves[1], halves[0]));
       }},
      {"split_channels_into_gates",
       {{4, 12}, {4, 4}},
       [](Graph&, const auto& v) {
         const std::vector<Value> parts = split_channels(v[0], 3);
         return multiply(swiglu(parts[2], parts[0]), swiglu(v[1], parts[0]));
       }},
      {"attention_grouped",
       {{2, 3, 16}, {2, 5, 8}, {2, 5, 8}},
       [](Graph&, const auto& v) {
         return attention(v[0], v[1], v[2], {4, 0.5F, false, 2});
       }},
      {"attention_grouped_causal_masked",
       {{2, 5, 12}, {2, 5, 4}, {2, 5, 4}},
       [](Graph& g, const auto& v) {
         return attention(v[0], v[1], v[2], {3, 0.5F, true, 1},
                          {{}, g.input("keys", DType::f64, {2, 5})});
       }},
      {"split_channels_into_grouped_attention",
       {{2, 3, 8}, {2, 5, 8}},
       [](Graph&, const auto& v) {
         const std::vector<Value> kv = split_channels(v[1], 2);
         return attention(v[0], kv[0], kv[1], {4, 0.7F, false, 2});
       }},
      {"modulate_without_shift",
       {{2, 3, 5}, {2, 5}},
       [](Graph&, const auto& v) { return modulate(v[0], multiply(v[1], v[1]), {}); }},
      {"gated_residual_tanh",
       {{2, 3, 5}, {2, 3, 5}, {2, 5}},
       [](Graph&, const auto& v) { return gated_add(v[0], v[1], tanh(v[2])); }},
      {"split_channels_into_modulations",  // a vector for each sample, then one for all
       {{2, 3, 4}, {2, 16}, {1, 8}},
       [](Graph&, const auto& v) {
         const std::vector<Value> own = split_channels(scale(v[1], 2.0F), 4);
         const std::vector<Value> shared = split_channels(v[2], 2);
         Value x = add_per_sample(modulate(v[0], own[0], own[1]), own[3]);
         x = gated_add(v[0], x, sigmoid(own[2]));
         return gated_add(x, modulate(x, shared[0], {}), shared[1]);
       }},
      {"rms_norm_of_heads",
       {{2, 3, 8}, {4}},
       [](Graph&, const auto& v) {
         return reshape(rms_norm(reshape(v[0], {2, 6, 4}), v[1], 1e-5F), {2, 3, 8});
       }},
      {"rms_norm_unit_offset",
       {{2, 3, 6}, {6}},
       [](Graph&, const auto& v) { return rms_norm(v[0], v[1], 1e-5F, true); }},
  };
}

}  // namespace mantissa
