// Persistent tensors read in another dtype, TF32, DoRA's norms of codes: in forward and backward.
#include <algorithm>
#include <cstring>

#include "engine/core/error.h"
#include "tests/engine/graph/coded_weight.h"

namespace mantissa {
namespace {

using testing_support::CodedWeight;
using testing_support::kIn;
using testing_support::kOut;
using testing_support::kRows;
using testing_support::product;
using testing_support::QuantGraph;
using testing_support::relative_error;
using testing_support::wave;

TEST_F(QuantGraph, AWeightOfCodesIsReadThroughItsScales) {
  for (const DType type :
       {DType::f8_e4m3, DType::i8, DType::i8_rotated, DType::nf4, DType::nf4_fp32}) {
    executor.reset();
    owner = std::make_unique<Graph>();
    Graph& graph = *owner;
    CodedWeight w(*kernels, type);
    const Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
    close(matmul(x, read_tensor(graph, w.tensor, DType::f32), {.transpose_b = true}));
    graph.output("d_x", graph.gradient(x));
    const std::vector<float> in = wave(kRows * kIn, 1.0F, 0.0F), d = wave(kRows * kOut, 1.0F, 2.0F);
    run(in, d);
    EXPECT_LT(relative_error(read("y"), product(in, w.values, false)), 1e-6);
    EXPECT_LT(relative_error(read("d_x"), product(d, w.values, true)), 1e-6);
  }
}

TEST_F(QuantGraph, ADequantizedWeightDoesNotLiveFromForwardToBackward) {
  Graph& graph = *owner;
  CodedWeight w(*kernels);
  Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
  const int layers = 6;
  for (int i = 0; i < layers; ++i) {
    const Value h = matmul(x, read_tensor(graph, w.tensor, DType::f32), {.transpose_b = true});
    x = matmul(silu(h), read_tensor(graph, w.tensor, DType::f32), {});
  }
  close(x);
  const std::size_t wide = kOut * kIn * sizeof(float);
  const std::size_t activations = layers * 2 * (kRows * (kIn + kOut)) * sizeof(float);
  EXPECT_LT(make_plan(graph).arena_bytes, activations + 4 * wide)
      << "each of the 12 uses may need its own copy only while it is used";
}

class ProductsOfCodes : public QuantGraph, public ::testing::WithParamInterface<DType> {};

TEST_P(ProductsOfCodes, ReadCodesAndAWatchedRunTheirValues) {
  Graph& graph = *owner;
  CodedWeight w(*kernels, GetParam());
  const Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
  const Value in = cast(x, DType::bf16);
  const Value weight = read_tensor(graph, w.tensor, DType::bf16);
  // As a matrix, and as the kernel of a 1x1 convolution; both also in the backward pass.
  const Value y = matmul(in, weight, {.transpose_b = true});
  const Value image =
      conv2d(reshape(in, {1, 1, kRows, kIn}), reshape(weight, {kOut, kIn, 1, 1}), {}, {}, {});
  close(add(y, reshape(image, {kRows, kOut})));
  graph.output("d_x", graph.gradient(x));
  const std::vector<float> values = wave(kRows * kIn, 1.0F, 0.0F),
                           d = wave(kRows * kOut, 1.0F, 2.0F);
  run(values, d);
  const std::vector<float> y_of_codes = read("y"), d_x_of_codes = read("d_x");
  std::vector<double> expected = product(values, w.values, false);
  for (double& v : expected) {
    v *= 2;
  }
  EXPECT_LT(relative_error(y_of_codes, expected), 0.02);
  int decoded = 0;
  executor->set_watch([&](const OpCall& call) {
    decoded += call.node.op->decodes() != nullptr ? 1 : 0;
    return true;
  });
  feed("x", values), feed("d_y", d);
  executor->run({});
  EXPECT_GE(decoded, 2) << "forward and backward read it";
  EXPECT_EQ(read("y"), y_of_codes);
  EXPECT_EQ(read("d_x"), d_x_of_codes);
  // What is read in pieces is decoded while it is packed, the rest before.
  executor->set_watch({});
  bool decodes = false;
  executor->set_timer([&](const char* op, const std::string&, double) {
    decodes = decodes || std::string_view(op) == "dequantize";
  });
  feed("x", values), feed("d_y", d);
  executor->run({});
  EXPECT_EQ(decodes, !is_read_in_pieces(GetParam()));
  EXPECT_EQ(read("y"), y_of_codes);
}

INSTANTIATE_TEST_SUITE_P(Types, ProductsOfCodes,
                         ::testing::Values(DType::f8_e4m3, DType::i8_rotated, DType::nf4,
                                           DType::nf4_fp32, DType::mxfp8, DType::nvfp4),
                         [](const auto& info) { return std::string(dtype_name(info.param)); });

TEST_F(QuantGraph, ValuesThatSomethingElseReadsAreComputed) {
  Graph& graph = *owner;
  CodedWeight w(*kernels);
  const Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
  const Value weight = read_tensor(graph, w.tensor, DType::f32);
  graph.output("w", weight);
  const Value twice = add(read_tensor(graph, w.tensor, DType::f32), weight);
  close(matmul(x, twice, {.transpose_b = true}));
  run(wave(kRows * kIn, 1.0F, 0.0F), wave(kRows * kOut, 1.0F, 2.0F));
  EXPECT_EQ(read("w"), w.values);
  std::vector<double> doubled = product(wave(kRows * kIn, 1.0F, 0.0F), w.values, false);
  for (double& v : doubled) {
    v *= 2;
  }
  EXPECT_LT(relative_error(read("y"), doubled), 1e-6);
}

TEST_F(QuantGraph, AnOutputThatAProductReadsIsComputed) {
  Graph& graph = *owner;
  CodedWeight w(*kernels);
  const Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
  const Value weight = read_tensor(graph, w.tensor, DType::f32);
  graph.output("w", weight);
  close(matmul(x, weight, {.transpose_b = true}));
  run(wave(kRows * kIn, 1.0F, 0.0F), wave(kRows * kOut, 1.0F, 2.0F));
  EXPECT_EQ(read("w"), w.values);
}

TEST_F(QuantGraph, TheGradientOfANarrowMasterIsGatheredInItsOwnDtype) {
  Graph& graph = *owner;
  std::vector<bfloat16> master(kOut * kIn);
  std::vector<float> values = wave(kOut * kIn, 1.0F, 0.5F), grad(kOut * kIn, 0.0F);
  Tensor tensor{.name = "b",
                .dtype = DType::bf16,
                .shape = {kOut, kIn},
                .data = master.data(),
                .trainable = true,
                .grad = grad.data(),
                .grad_dtype = DType::f32};
  kernels->copy(View(values.data(), DType::f32, tensor.shape), tensor.view());
  const Value x = graph.input("x", DType::f32, {kRows, kIn});
  close(matmul(x, read_tensor(graph, tensor, DType::f32), {.transpose_b = true}));
  const std::vector<float> in = wave(kRows * kIn, 1.0F, 0.0F), d = wave(kRows * kOut, 1.0F, 2.0F);
  run(in, d);
  run(in, d);
  double expected = 0;
  for (std::int64_t r = 0; r < kRows; ++r) {
    expected +=
        2.0 * d[static_cast<std::size_t>(r * kOut + 3)] * in[static_cast<std::size_t>(r * kIn + 7)];
  }
  EXPECT_NEAR(grad[3 * kIn + 7], expected, 1e-5);
}

/// Two fp32 masters in one buffer, after an unused first value: W1 [16, 32], then W2 [32, 16].
struct Masters {
  explicit Masters(DType read_as, std::int64_t gap = 8)
      : values(static_cast<std::size_t>(gap + 2 * kOut * kIn)), grads(values.size()) {
    buffer.whole = {.name = "masters", .shape = {gap + 2 * kOut * kIn}, .data = values.data()};
    buffer.read_as = read_as;
    fill(0.3F);
    for (int i = 0; i < 2; ++i) {
      Tensor& t = i == 0 ? first : second;
      const std::int64_t begin = gap + i * kOut * kIn;
      t = {.name = i == 0 ? "w1" : "w2",
           .shape = i == 0 ? Shape{kOut, kIn} : Shape{kIn, kOut},
           .data = values.data() + begin,
           .trainable = true,
           .grad = grads.data() + begin,
           .buffer = &buffer,
           .buffer_offset = begin};
    }
  }
  void fill(float phase) {
    std::ranges::copy(wave(std::ssize(values), 0.3F, phase), values.begin());
  }
  void alone() { first.buffer = second.buffer = nullptr; }
  std::vector<float> values, grads;
  TensorBuffer buffer;
  Tensor first, second;
};

/// Two blocks x + silu(x·W1ᵀ)·W2ᵀ in bf16, each a segment; the second reads W2 a second time.
Value blocks(Value x, Masters& m) {
  Graph& graph = x.graph();
  for (int i = 0; i < 2; ++i) {
    const Segment segment(graph);
    const Value h =
        silu(matmul(x, read_tensor(graph, m.first, DType::bf16), {.transpose_b = true}));
    for (int use = 0; use <= i; ++use) {
      const Value w = read_tensor(graph, m.second, DType::bf16);
      x = matmul(h, w, {.transpose_b = true, .addend = x});
    }
  }
  return x;
}

int count(const Graph& graph, const Plan& plan, const std::string& name) {
  return static_cast<int>(std::count_if(plan.order.begin(), plan.order.end(), [&](int i) {
    return graph.nodes()[static_cast<std::size_t>(i)].op->name() == name;
  }));
}

TEST_F(QuantGraph, TheTensorsOfABufferAreRoundedTogetherOnceARun) {
  const std::vector<float> in = wave(kRows * kIn, 1.0F, 0.0F), d = wave(kRows * kIn, 1.0F, 2.0F);
  std::vector<std::vector<float>> seen;
  for (const bool together : {false, true}) {
    for (const bool checkpointing : {false, true}) {
      owner = std::make_unique<Graph>();
      Masters m(DType::bf16);
      if (!together) {
        m.alone();
      }
      close(blocks(owner->input("x", DType::bf16, {kRows, kIn}), m), checkpointing);
      run(in, d);
      std::vector<float> result = read("y");
      m.fill(0.9F);  // masters change between runs, without notice to the graph
      feed("x", in);
      feed("d_y", d);
      executor->run({});
      const std::vector<float> moved = read("y");
      EXPECT_NE(moved, result);
      result.insert(result.end(), moved.begin(), moved.end());
      result.insert(result.end(), m.grads.begin(), m.grads.end());
      seen.push_back(result);
      EXPECT_EQ(count(*owner, plan, "read_buffer"), together ? 1 : 0);
      EXPECT_EQ(count(*owner, plan, "read_tensor") > 0, !together);
      EXPECT_EQ(count(*owner, plan, "accumulate_product"), 5) << "one for each use";
    }
  }
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i], seen[0]) << "form " << i << " differs from each tensor read by itself";
  }
}

TEST_F(QuantGraph, AnyOtherDtypeOrABadBeginIsReadByItself) {
  for (const bool other_dtype : {false, true}) {
    owner = std::make_unique<Graph>();
    // 7 values of 2 bytes aren't a multiple of 16: GEMMs would lose wide loads.
    Masters m(other_dtype ? DType::f16 : DType::bf16, other_dtype ? 8 : 7);
    close(blocks(owner->input("x", DType::bf16, {kRows, kIn}), m));
    run(wave(kRows * kIn, 1.0F, 0.0F), wave(kRows * kIn, 1.0F, 2.0F));
    EXPECT_EQ(count(*owner, plan, "read_buffer"), 0);
    EXPECT_GT(count(*owner, plan, "read_tensor"), 0);
  }
}

TEST_F(QuantGraph, APartIsNotComputedInPlace) {
  // Buffer and part are padded to as many bytes, but the part begins elsewhere.
  Graph& graph = *owner;
  std::vector<float> values = wave(24, 1.0F, 0.0F);
  TensorBuffer buffer{.whole = {.name = "masters", .shape = {24}, .data = values.data()}};
  Tensor part{.name = "part",
              .shape = {2, 8},
              .data = values.data() + 8,
              .buffer = &buffer,
              .buffer_offset = 8};
  const Value read = read_tensor(graph, part, DType::bf16);
  const Value scaled = scale(read, 3.0F);
  graph.output("scaled", scaled);
  const Plan planned = make_plan(graph);
  const auto offset = [&](Value v) { return planned.offset[static_cast<std::size_t>(v.id())]; };
  EXPECT_EQ(offset(read) % 64, 16);
  EXPECT_NE(offset(scaled) / 64, offset(read) / 64);
  Arena memory(*kernels);
  Executor executor(graph, planned, *kernels, memory);
  executor.run({});
  const View v = executor.output("scaled");
  for (std::size_t i = 0; i < 16; ++i) {
    const auto rounded = static_cast<float>(bfloat16(values[8 + i]));
    EXPECT_EQ(static_cast<float>(v.as<bfloat16>()[i]),
              static_cast<float>(bfloat16(3.0F * rounded)));
  }
}

TEST_F(QuantGraph, Tf32RoundsOperandsInBothDirections) {
  Graph& graph = *owner;
  const std::vector<float> in = wave(kRows * kIn, 1.0F, 0.0F), d = wave(kRows * kOut, 1.0F, 2.0F);
  const std::vector<float> values = wave(kOut * kIn, 1.0F, 0.3F);
  Tensor w{.name = "w", .shape = {kOut, kIn}, .data = const_cast<float*>(values.data())};
  const Value x = graph.input("x", DType::f32, {kRows, kIn}, true);
  close(matmul(x, graph.use(w), {.transpose_b = true, .tf32 = true}));
  graph.output("d_x", graph.gradient(x));
  run(in, d);
  for (const auto& [got, exact] : {std::pair{read("y"), product(in, values, false)},
                                   std::pair{read("d_x"), product(d, values, true)}}) {
    const double error = relative_error(got, exact);
    EXPECT_LT(error, 1e-3);
    EXPECT_GT(error, 5e-5) << "operands keep 10 bits, not 23";
  }
}

// Q1: the norm of W + s·B·A is that of the codes' values, on both axes.
TEST_F(QuantGraph, TheDoraNormReadsAWeightOfCodesThroughItsScales) {
  for (const DType type :
       {DType::f8_e4m3, DType::i8, DType::i8_rotated, DType::nf4, DType::nf4_fp32}) {
    executor.reset();
    owner = std::make_unique<Graph>();
    Graph& graph = *owner;
    CodedWeight w(*kernels, type);
    constexpr std::int64_t kRank = 3;
    constexpr float kScale = 0.5F;
    std::vector<float> down = wave(kRank * kIn, 0.1F, 0.2F), up = wave(kOut * kRank, 0.1F, 0.7F);
    Tensor a{.name = "a", .shape = {kRank, kIn}, .data = down.data()};
    Tensor b{.name = "b", .shape = {kOut, kRank}, .data = up.data()};
    std::vector<double> rows(kOut), columns(kIn);
    std::vector<float> row_squares(kOut), column_squares(kIn);
    for (std::size_t i = 0; i < kOut; ++i) {
      for (std::size_t j = 0; j < kIn; ++j) {
        const float value = w.values[i * kIn + j];
        row_squares[i] += value * value;
        column_squares[j] += value * value;
        double sum = value;
        for (std::size_t r = 0; r < kRank; ++r) {
          sum += static_cast<double>(kScale) * up[i * kRank + r] * down[r * kIn + j];
        }
        rows[i] += sum * sum;
        columns[j] += sum * sum;
      }
    }
    Tensor row_tensor{.name = "rows", .shape = {kOut}, .data = row_squares.data()};
    Tensor column_tensor{.name = "columns", .shape = {kIn}, .data = column_squares.data()};
    const auto norm = [&](Tensor& squares, bool per_input) {
      return dora_norm(
          {norm_operand(graph, w.tensor), {}, graph.use(a), graph.use(b), graph.use(squares)},
          kScale, per_input);
    };
    graph.output("rows", norm(row_tensor, false));
    graph.output("columns", norm(column_tensor, true));
    plan = make_plan(graph);
    arena.emplace(*kernels);
    executor.emplace(graph, plan, *kernels, *arena);
    executor->run({});
    for (const auto& [name, squares] : {std::pair{"rows", rows}, std::pair{"columns", columns}}) {
      const std::vector<float> got = read(name);
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_NEAR(got[i], std::sqrt(squares[i]), 1e-5 * std::sqrt(squares[i]))
            << name << " " << i;
      }
    }
  }
}

TEST_F(QuantGraph, WrongDtypesAreErrorsOfRecording) {
  Graph& graph = *owner;
  CodedWeight w(*kernels);
  const Value x = graph.input("x", DType::f32, {kRows, kIn});
  EXPECT_THROW(linear_codes(x, w.tensor, {}, {}, {}), Error);
  EXPECT_THROW(linear_codes(cast(x, DType::f16), w.tensor, {}, {}, {}), Error) << "FP8 in bf16";
  CodedWeight int8(*kernels, DType::i8), nf4(*kernels, DType::nf4);
  EXPECT_THROW(linear_codes(x, int8.tensor, {}, {}, {}), Error);
  EXPECT_THROW(linear_codes(cast(x, DType::bf16), nf4.tensor, {}, {}, {}), Error);
  EXPECT_THROW(read_tensor(graph, w.tensor, DType::f8_e5m2), Error);
  EXPECT_THROW(matmul(x, graph.use(w.tensor), {.transpose_b = true}), Error);
}

}  // namespace
}  // namespace mantissa
