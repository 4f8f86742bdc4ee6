// Gated linear units that write their results as codes, for the product of codes that alone reads
// them.
#include <algorithm>
#include <functional>

#include "tests/engine/graph/coded_weight.h"

namespace mantissa {
namespace {

using testing_support::QuantGraph;
using testing_support::wave;

constexpr std::int64_t kTokens = 6, kWidth = 32, kInner = 48;

/// A frozen weight of codes.
struct Codes {
  Codes(Kernels& kernels, DType type, const Shape& shape)
      : codes(stored_bytes(type, shape.count())), scales(static_cast<std::size_t>(shape[0])) {
    std::vector<float> source = wave(shape.count(), 0.2F, static_cast<float>(shape[0]));
    for (std::int64_t i = 0; i < shape[1]; ++i) {
      source[static_cast<std::size_t>(i)] *= 30.0F;  // a row of another magnitude
    }
    tensor = {.name = "w", .dtype = type, .shape = shape, .data = codes.data()};
    tensor.scale = scales.data();
    kernels.quantize(View(source.data(), DType::f32, shape), {}, tensor.view(), tensor.scale_view(),
                     {});
  }
  std::vector<std::uint8_t> codes;
  std::vector<float> scales;
  Tensor tensor;
};

struct Unit {
  const char* name;
  DType weights;
  Unary kind;
  GateHalf gate;
};

/// A feed-forward network of codes: two products with a unit between.
class UnitCodes : public QuantGraph {
 protected:
  /// `also`, if given, makes an output "inner" of the unit's result.
  void record(const Unit& unit, const Fp8State& state = {}, bool checkpointing = false,
              const std::function<Value(Value)>& also = {}) {
    executor.reset();
    owner = std::make_unique<Graph>();
    in.emplace(*kernels, unit.weights, Shape{2 * kInner, kWidth});
    out.emplace(*kernels, unit.weights, Shape{kWidth, kInner});
    Graph& graph = *owner;
    const Value x = graph.input("x", DType::f32, {kTokens, kWidth}, true);
    Value y;
    {
      const Segment segment(graph);
      const Value narrow = cast(x, DType::bf16);
      const Value inner = glu(unit.kind, linear_codes(narrow, in->tensor, {}, {}, {}), unit.gate);
      y = linear_codes(reshape(inner, {2, kTokens / 2, kInner}), out->tensor, {}, {}, state);
      if (also) {
        graph.output("inner", also(inner));
      }
    }
    close(reshape(y, {kTokens, kWidth}), checkpointing);
    graph.output("d_x", graph.gradient(x));
  }
  void feed_all() { feed("x", values), feed("d_y", gradients); }
  std::vector<std::vector<float>> results() { return {read("y"), read("d_x")}; }
  /// Names of the ops whose results are codes.
  std::vector<std::string> encoded() const {
    std::vector<std::string> names;
    for (const auto& [maker, reader] : plan.encoders) {
      names.emplace_back(owner->nodes()[static_cast<std::size_t>(maker)].op->name());
    }
    std::ranges::sort(names);
    return names;
  }

  const std::vector<float> values = wave(kTokens * kWidth, 2.0F, 0.0F),
                           gradients = wave(kTokens * kWidth, 1.0F, 2.0F);
  std::optional<Codes> in, out;
};

class EveryUnit : public UnitCodes, public ::testing::WithParamInterface<Unit> {};

TEST_P(EveryUnit, GivesTheResultsOfAWatchedRun) {
  for (const bool checkpointing : {false, true}) {
    record(GetParam(), {}, checkpointing);
    run(values, gradients);
    const auto unwatched = results();
    EXPECT_EQ(encoded().size(), 2U) << "the unit's results and its gradients";
    int seen = 0;
    executor->set_watch([&](const OpCall& call) {
      const std::string op = call.node.op->name();
      seen += op.find("glu") != std::string::npos ? 1 : 0;
      return true;
    });
    feed_all();
    executor->run({});
    EXPECT_EQ(seen, 2);
    EXPECT_EQ(results(), unwatched);
    EXPECT_TRUE(std::ranges::any_of(unwatched[1], [](float v) { return v != 0; }));

    // A plan that gives every value its own memory.
    plan = make_plan(*owner, {.reuse = false});
    arena.emplace(*kernels);
    executor.emplace(*owner, plan, *kernels, *arena);
    feed_all();
    executor->run({});
    EXPECT_EQ(results(), unwatched);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Units, EveryUnit,
    ::testing::Values(Unit{"geglu_fp8", DType::f8_e4m3, Unary::gelu_erf, GateHalf::second},
                      Unit{"swiglu_fp8", DType::f8_e4m3, Unary::silu, GateHalf::first},
                      Unit{"swiglu_turned_fp8", DType::f8_e4m3, Unary::silu, GateHalf::second},
                      Unit{"geglu_int8", DType::i8, Unary::gelu_erf, GateHalf::second},
                      Unit{"swiglu_int8", DType::i8, Unary::silu, GateHalf::first}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(UnitCodes, WhatSomethingElseReadsIsWritten) {
  const Unit geglu{"", DType::f8_e4m3, Unary::gelu_erf, GateHalf::second};
  for (const bool by_an_op : {false, true}) {
    record(geglu, {}, false, [&](Value v) { return by_an_op ? scale(v, 2.0F) : v; });
    run(values, gradients);
    EXPECT_EQ(encoded(), std::vector<std::string>{"geglu_backward"});
    EXPECT_TRUE(std::ranges::any_of(read("inner"), [](float v) { return v != 0; }));
  }
}

TEST_F(UnitCodes, NotWithADelayedScaleOrRotatedCodes) {
  float history[2] = {0.1F, 0.0F};
  Tensor delayed{.name = "delayed", .shape = {2}, .data = history};
  const Unit geglu{"", DType::f8_e4m3, Unary::gelu_erf, GateHalf::second};
  record(geglu, {.input = &delayed});
  run(values, gradients);
  EXPECT_EQ(encoded(), std::vector<std::string>{"geglu_backward"})
      << "the delayed scale is that of the second layer's input";
  record({"", DType::i8_rotated, Unary::silu, GateHalf::first});
  run(values, gradients);
  EXPECT_EQ(encoded(), std::vector<std::string>{"glu_backward"})
      << "inputs are rotated before they are encoded, gradients are not";
}

TEST_F(UnitCodes, AStreamedWeightsScalesArriveWithIt) {
  record({"", DType::f8_e4m3, Unary::gelu_erf, GateHalf::second});
  in->tensor.streamed = true;
  plan = make_plan(*owner);
  EXPECT_EQ(encoded(), std::vector<std::string>{"geglu"})
      << "the gradients' columns are multiplied by scales that aren't there yet";
}

}  // namespace
}  // namespace mantissa
