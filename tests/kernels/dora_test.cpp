// The factored DoRA norm and the scaling of channels, against explicit sums in fp64.
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa::testing {
namespace {

struct NormCase {
  Shape weight;
  int rank;
  DType weight_type, factor_type;
  bool per_input;
};

void PrintTo(const NormCase& c, std::ostream* out) {
  *out << c.weight.str() << " rank " << c.rank << " " << dtype_name(c.weight_type) << "/"
       << dtype_name(c.factor_type) << (c.per_input ? " per input" : " per output");
}

std::vector<NormCase> norm_cases() {
  std::vector<NormCase> all;
  // More than a block and than a tile each way, and not a whole number of them; without a card a
  // kernel's threads are fibers, so the number of elements matters.
  for (bool per_input : {false, true}) {
    for (const Shape& w : {Shape{5, 7}, Shape{34, 65}, Shape{9, 300}, Shape{300, 9},
                           Shape{20, 6, 3, 3}, Shape{9, 40, 1, 1}}) {
      for (int rank : {1, 4, 33}) {
        all.push_back({w, rank, DType::f32, DType::f32, per_input});
      }
      all.push_back({w, 4, DType::f64, DType::f64, per_input});
      all.push_back({w, 4, DType::bf16, DType::f32, per_input});
      all.push_back({w, 4, DType::f16, DType::bf16, per_input});
      all.push_back({w, 4, DType::f8_e4m3, DType::f32, per_input});
      all.push_back({w, 4, DType::f8_e5m2, DType::f16, per_input});
      all.push_back({w, 4, DType::i8, DType::f32, per_input});
    }
    all.push_back({{40, 50}, 128, DType::f32, DType::f32, per_input});
    all.push_back({{34, 65}, 33, DType::f64, DType::f64, per_input});
  }
  return all;
}

DType out_type_of(const NormCase& c) {
  return c.weight_type == DType::f64 ? DType::f64 : DType::f32;
}

/// Memory, views and the norms from explicit V.
struct NormData {
  Tensor weight, down, up, scale;
  std::vector<double> v_norms, w_squares;
  DoraNormArgs args;
  DType out_type;

  NormData(Kernels& kernels, const NormCase& c) {
    const std::int64_t out = c.weight[0], k = c.weight.count() / out, in = c.weight[1];
    const bool narrow = dtype_size(c.weight_type) == 1;
    // Through copy, which supports FP8 too, or as codes. `wide` is the stored weight's value.
    weight = Tensor(c.weight_type, c.weight);
    Tensor wide = hash_tensor(out_type_of(c), c.weight, 1, narrow ? 100.0F : 0.5F);
    if (c.weight_type == DType::i8) {
      Tensor one(DType::f32, {1});
      kernels.quantize(wide.view, {}, weight.view, one.view, {});
      one.view.as<float>()[0] = 1.0F;
      kernels.dequantize(weight.view, one.view, wide.view);
    } else {
      kernels.copy(wide.view, weight.view);
      kernels.copy(weight.view, wide.view);
    }
    Shape down_shape = c.weight;
    down_shape[0] = c.rank;
    down = hash_tensor(c.factor_type, down_shape, 2, 0.4F);
    up = hash_tensor(c.factor_type, {out, c.rank}, 3, 0.4F);
    args = {weight.view, {}, down.view, up.view, {}, 0.75F, c.per_input};
    if (narrow) {
      scale = hash_tensor(DType::f32, {out}, 4, 0.001F, 0.004F);
      args.weight_scale = scale.view;
    }
    out_type = out_type_of(c);
    const std::int64_t channels = c.per_input ? in : out, area = k / in;
    v_norms.assign(static_cast<std::size_t>(channels), 0);
    w_squares = v_norms;
    for (std::int64_t i = 0; i < out; ++i) {
      for (std::int64_t j = 0; j < k; ++j) {
        const double w = wide.get(i * k + j) * (narrow ? scale.get(i) : 1.0);
        double delta = 0;
        for (int r = 0; r < c.rank; ++r) {
          delta += up.get(i * c.rank + r) * down.get(r * k + j);
        }
        const auto at = static_cast<std::size_t>(c.per_input ? j / area : i);
        v_norms[at] += (w + 0.75 * delta) * (w + 0.75 * delta);
        w_squares[at] += w * w;
      }
    }
  }
};

class Dora : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> k = GetParam().make();
  void check_norms(const NormCase& c);
  void check_changed_norms(const NormCase& c);
  void check_channels(DType type);
};
MANTISSA_FOR_EACH_BACKEND(Dora);

void Dora::check_norms(const NormCase& c) {
  NormData d(*k, c);
  const auto channels = static_cast<std::int64_t>(d.v_norms.size());
  const double tolerance = d.out_type == DType::f64 ? 1e-12 : 3e-6;
  Tensor squares(d.out_type, {channels}), norm(d.out_type, {channels});
  k->weight_squares(d.args, squares.view);
  d.args.squares = squares.view;
  k->dora_norm(d.args, norm.view);
  for (std::int64_t i = 0; i < channels; ++i) {
    const double n = std::sqrt(d.v_norms[static_cast<std::size_t>(i)]);
    const double s = d.w_squares[static_cast<std::size_t>(i)];
    ASSERT_NEAR(squares.get(i), s, tolerance * s) << "channel " << i;
    ASSERT_NEAR(norm.get(i), n, tolerance * (n + std::sqrt(s))) << "channel " << i;
  }
  Tensor again(d.out_type, {channels});
  k->dora_norm(d.args, again.view);
  EXPECT_EQ(again.bytes, norm.bytes) << "differs from run to run";
  // With B = 0 the norm is exactly that of W, in any storage type.
  Tensor zero(d.up.view.dtype, d.up.view.shape);
  DoraNormArgs start = d.args;
  start.up = zero.view;
  k->dora_norm(start, norm.view);
  for (std::int64_t i = 0; i < channels; ++i) {
    const double root = d.out_type == DType::f64
                            ? std::sqrt(squares.get(i))
                            : static_cast<double>(std::sqrt(static_cast<float>(squares.get(i))));
    ASSERT_EQ(norm.get(i), root);
  }
}

TEST_P(Dora, NormMatchesTheSumWrittenOut) {
  for (const NormCase& c : norm_cases()) {
    SCOPED_TRACE(::testing::PrintToString(c));
    check_norms(c);
  }
}

/// Checks norms of a whole change in place of two factors.
void Dora::check_changed_norms(const NormCase& c) {
  NormData d(*k, c);
  const Tensor change = hash_tensor(c.factor_type, c.weight, 7, 0.4F);
  const std::int64_t out = c.weight[0], cols = c.weight.count() / out, area = cols / c.weight[1];
  std::vector<double> expected(d.v_norms.size()), sizes(d.v_norms.size());
  Tensor wide(d.out_type, c.weight), one(DType::f32, {1});
  one.set(0, 1.0);
  is_coded(c.weight_type) ? k->dequantize(d.weight.view, one.view, wide.view)
                          : k->copy(d.weight.view, wide.view);
  for (std::int64_t i = 0; i < out * cols; ++i) {
    const double w = wide.get(i) * (d.args.weight_scale ? d.scale.get(i / cols) : 1.0);
    const double v = w + 0.75 * change.get(i);
    expected[static_cast<std::size_t>(c.per_input ? i % cols / area : i / cols)] += v * v;
    sizes[static_cast<std::size_t>(c.per_input ? i % cols / area : i / cols)] += w * w;
  }
  d.args.down = change.view;
  d.args.up = {};
  Tensor norm(d.out_type, {std::ssize(expected)}), again(d.out_type, {std::ssize(expected)});
  k->dora_norm(d.args, norm.view);
  const double tolerance = d.out_type == DType::f64 ? 1e-13 : 3e-7;
  for (std::int64_t i = 0; i < norm.view.count(); ++i) {
    const double n = std::sqrt(expected[static_cast<std::size_t>(i)]);
    const double w = std::sqrt(sizes[static_cast<std::size_t>(i)]);
    ASSERT_NEAR(norm.get(i), n, tolerance * (n + w)) << "channel " << i;
  }
  k->dora_norm(d.args, again.view);
  EXPECT_EQ(again.bytes, norm.bytes) << "differs from run to run";
}

TEST_P(Dora, NormOfAWholeChangeMatchesTheSumWrittenOut) {
  for (const NormCase& c : norm_cases()) {
    if (c.rank == 4) {  // the change has none
      SCOPED_TRACE(::testing::PrintToString(c));
      check_changed_norms(c);
    }
  }
}

TEST_P(Dora, AWholeChangeMustFitItsWeight) {
  const Tensor weight = hash_tensor(DType::f32, {3, 4}, 1),
               small = hash_tensor(DType::f32, {3, 3}, 2),
               wide = hash_tensor(DType::f64, {3, 4}, 3);
  Tensor norm(DType::f32, {3});
  DoraNormArgs args;
  args.weight = weight.view;
  for (const Tensor* change : {&small, &wide}) {
    args.down = change->view;
    EXPECT_ANY_THROW(k->dora_norm(args, norm.view));
  }
  // Layers computed together have factors.
  args.down = weight.view;
  Tensor squares(DType::f32, {3}), factor(DType::f32, {3});
  k->weight_squares(args, squares.view);
  args.squares = squares.view;
  const std::vector<DoraFactorArgs> layers{{args, squares.view, norm.view, factor.view}};
  EXPECT_ANY_THROW(k->dora_factors(layers, 0.1F));
}

/// A layer of a batch and its results.
struct FactorData {
  NormData data;
  Tensor squares, magnitude, norm, factor;

  FactorData(Kernels& kernels, const NormCase& c)
      : data(kernels, c),
        squares(data.out_type, {std::ssize(data.v_norms)}),
        magnitude(hash_tensor(data.out_type, squares.view.shape, 5, 0.5F, 2.0F)),
        norm(data.out_type, squares.view.shape),
        factor(data.out_type, squares.view.shape) {
    kernels.weight_squares(data.args, squares.view);
    data.args.squares = squares.view;
  }
  DoraFactorArgs args() const { return {data.args, magnitude.view, norm.view, factor.view}; }
};

TEST_P(Dora, FactorsOfManyLayersAtOnce) {
  std::vector<std::unique_ptr<FactorData>> layers;
  std::vector<DoraFactorArgs> all;
  for (const NormCase& c : norm_cases()) {
    layers.push_back(std::make_unique<FactorData>(*k, c));
    all.push_back(layers.back()->args());
  }
  constexpr float kLeast = 0.3F;  // vanishes in some channels
  k->dora_factors(all, kLeast);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const FactorData& layer = *layers[l];
    const NormData& d = layer.data;
    SCOPED_TRACE(d.args.weight.shape.str() + " " + std::string(dtype_name(d.args.weight.dtype)) +
                 (d.args.per_input ? " per input" : " per output"));
    const double tolerance = d.out_type == DType::f64 ? 1e-12 : 3e-6;
    Tensor expected(d.out_type, layer.norm.view.shape);
    k->divide_by_norm(layer.magnitude.view, layer.norm.view, layer.squares.view, kLeast, 1.0F,
                      expected.view);
    EXPECT_EQ(layer.factor.bytes, expected.bytes);
    for (std::int64_t i = 0; i < layer.norm.view.count(); ++i) {
      const double n = std::sqrt(d.v_norms[static_cast<std::size_t>(i)]);
      const double w = std::sqrt(d.w_squares[static_cast<std::size_t>(i)]);
      ASSERT_NEAR(layer.norm.get(i), n, tolerance * (n + w)) << "channel " << i;
    }
    if (l % 7 == 0) {
      const std::vector<std::uint8_t> norm = layer.norm.bytes;
      k->dora_factors(std::vector{layer.args()}, kLeast);
      EXPECT_EQ(layer.norm.bytes, norm) << "the other layers of the call make a difference";
    }
  }
}

TEST_P(Dora, FactorsOfManyLayersWithoutAnUpdateAreOfTheirWeights) {
  std::vector<std::unique_ptr<FactorData>> layers;
  std::vector<DoraFactorArgs> all;
  std::deque<Tensor> zeros;
  for (const NormCase& c : norm_cases()) {
    if (c.rank == 4) {
      layers.push_back(std::make_unique<FactorData>(*k, c));
      const View& up = layers.back()->data.up.view;
      all.push_back(layers.back()->args());
      all.back().layer.up = zeros.emplace_back(up.dtype, up.shape).view;
    }
  }
  k->dora_factors(all, 1e-6F);
  for (const auto& layer : layers) {
    for (std::int64_t i = 0; i < layer->norm.view.count(); ++i) {
      const double square = layer->squares.get(i);
      ASSERT_EQ(layer->norm.get(i),
                layer->data.out_type == DType::f64
                    ? std::sqrt(square)
                    : static_cast<double>(std::sqrt(static_cast<float>(square))));
    }
  }
}

/// A streamed weight's norm is computed by itself, a resident one's with others'.
TEST_P(Dora, FactorsAreThoseOfEachLayerToTheBit) {
  for (const NormCase& c : norm_cases()) {
    const FactorData layer(*k, c);
    Tensor norm(layer.data.out_type, layer.norm.view.shape);
    k->dora_factors(std::vector{layer.args()}, 1e-6F);
    k->dora_norm(layer.data.args, norm.view);
    EXPECT_EQ(layer.norm.bytes, norm.bytes) << ::testing::PrintToString(c);
  }
}

TEST_P(Dora, MagnitudeGradientsOfManyLayersAreAdded) {
  constexpr float kLeast = 0.4F;
  std::vector<std::unique_ptr<std::array<Tensor, 5>>> layers;
  std::vector<MagnitudeGradient> all;
  std::uint64_t seed = 1;
  for (DType type : {DType::f32, DType::f64}) {
    for (std::int64_t channels : {1, 300, 7, 256, 513}) {
      const auto random = [&](float offset) {
        return hash_tensor(type, {channels}, seed++, 1.0F, offset);
      };
      auto& t = *layers.emplace_back(std::make_unique<std::array<Tensor, 5>>(
          std::array<Tensor, 5>{random(0), random(1), random(1), random(0), Tensor()}));
      t[4] = Tensor(type, {channels});
      t[4].bytes = t[3].bytes;
      all.push_back({t[0].view, t[1].view, t[2].view, t[3].view});
    }
  }
  k->add_magnitude_gradients(all, kLeast);
  int vanishing = 0;
  for (const auto& layer : layers) {
    auto& [d_factor, norm, squares, d_magnitude, before] = *layer;
    Tensor term(norm.view.dtype, norm.view.shape);
    k->divide_by_norm(d_factor.view, norm.view, squares.view, kLeast, 0.0F, term.view);
    k->add(before.view, term.view, before.view);
    EXPECT_EQ(d_magnitude.bytes, before.bytes);
    for (std::int64_t i = 0; i < term.view.count(); ++i) {
      vanishing += term.get(i) == 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(vanishing, 10);
}

TEST_P(Dora, VanishingChannelsTakeTheOtherValue) {
  Tensor m(DType::f32, {4}), n(DType::f32, {4}), squares(DType::f32, {4}), out(DType::f32, {4});
  const double norms[] = {2.0, 0.0, 0.5, 4.0}, bases[] = {4.0, 1.0, 0.0, 16.0};
  for (std::int64_t i = 0; i < 4; ++i) {
    m.set(i, 4.0);
    n.set(i, norms[i]);
    squares.set(i, bases[i]);
  }
  k->divide_by_norm(m.view, n.view, squares.view, 1e-6F, 1.0F, out.view);
  // The second's norm became zero; the third's always was, whatever the adapter is.
  const double expected[] = {2.0, 1.0, 1.0, 1.0};
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(out.get(i), expected[i]) << i;
  }
  n.set(0, std::nan(""));
  k->divide_by_norm(m.view, n.view, squares.view, 1e-6F, 1.0F, out.view);
  EXPECT_TRUE(std::isnan(out.get(0))) << "a NaN norm must show";
}

void Dora::check_channels(DType type) {
  const DType wide = type == DType::f64 ? DType::f64 : DType::f32;
  const double epsilon = type == DType::f64   ? 1e-14
                         : type == DType::f32 ? 1e-6
                         : type == DType::f16 ? 2e-3
                                              : 1e-2;
  const std::int64_t rows = 700, cols = 37;
  const Tensor z = hash_tensor(type, {rows, cols}, 1), addend = hash_tensor(type, {rows, cols}, 2),
               given = hash_tensor(type, {rows, cols}, 3), bias = hash_tensor(type, {cols}, 4),
               bias_wide = hash_tensor(wide, {cols}, 5), d_out = hash_tensor(type, {rows, cols}, 6),
               factor = hash_tensor(wide, {cols}, 7, 0.5F, 1.0F);
  struct Choice {
    const Tensor *v, *bias, *addend;
  };
  for (const Choice& c : {Choice{nullptr, nullptr, nullptr}, Choice{nullptr, &bias, nullptr},
                          Choice{nullptr, nullptr, &addend}, Choice{nullptr, &bias_wide, &addend},
                          Choice{&given, nullptr, nullptr}}) {
    const auto view = [](const Tensor* t) { return t != nullptr ? t->view : View{}; };
    std::vector<std::uint8_t> first, first_factor;
    for (int run = 0; run < 2; ++run) {
      Tensor out(type, {rows, cols}), d_v(type, {rows, cols}), d_factor(wide, {cols});
      k->scale_channels(z.view, view(c.v), view(c.bias), view(c.addend), factor.view, out.view);
      k->scale_channels_backward(d_out.view, z.view, view(c.v), view(c.bias), view(c.addend),
                                 factor.view, d_v.view, d_factor.view);
      std::vector<double> sums(static_cast<std::size_t>(cols), 0);
      for (std::int64_t i = 0; i < rows * cols; ++i) {
        const double f = factor.get(i % cols);
        const double v = c.v != nullptr
                             ? given.get(i)
                             : z.get(i) - (c.bias != nullptr ? c.bias->get(i % cols) : 0.0) -
                                   (c.addend != nullptr ? addend.get(i) : 0.0);
        ASSERT_NEAR(out.get(i), z.get(i) + (f - 1) * v, 2 * epsilon);
        ASSERT_NEAR(d_v.get(i), d_out.get(i) * (c.v != nullptr ? f - 1 : f), 2 * epsilon);
        sums[static_cast<std::size_t>(i % cols)] += d_out.get(i) * v;
      }
      for (std::int64_t i = 0; i < cols; ++i) {
        // Sums are wide for any storage type of the operands.
        ASSERT_NEAR(d_factor.get(i), sums[static_cast<std::size_t>(i)],
                    type == DType::f64 ? 1e-11 : 2e-4);
      }
      if (run == 0) {
        first = out.bytes;
        first_factor = d_factor.bytes;
      }
      EXPECT_EQ(first, out.bytes);
      EXPECT_EQ(first_factor, d_factor.bytes) << "differs from run to run";
      Tensor only(wide, {cols});
      k->scale_channels_backward(d_out.view, z.view, view(c.v), view(c.bias), view(c.addend),
                                 factor.view, {}, only.view);
      EXPECT_EQ(only.bytes, d_factor.bytes);
    }
  }
}

TEST_P(Dora, ScaledChannelsMatchTheFormulaForEveryOperand) {
  for (DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    SCOPED_TRACE(dtype_name(type));
    check_channels(type);
  }
}

TEST_P(Dora, AFactorOfOneChangesNothing) {
  for (DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const DType wide = type == DType::f64 ? DType::f64 : DType::f32;
    const Tensor z = hash_tensor(type, {90, 50}, 1, 30.0F), bias = hash_tensor(type, {50}, 2, 7.0F),
                 addend = hash_tensor(type, {90, 50}, 3, 1000.0F);
    Tensor one(wide, {50}), out(type, {90, 50});
    k->fill(one.view, 1.0F);
    k->scale_channels(z.view, {}, bias.view, addend.view, one.view, out.view);
    EXPECT_EQ(z.bytes, out.bytes);
    k->scale_channels(z.view, addend.view, {}, {}, one.view, out.view);
    EXPECT_EQ(z.bytes, out.bytes);
  }
}

TEST_P(Dora, SumsKeepOnAverageWhatNearestRoundingLoses) {
  for (DType type : {DType::f16, DType::bf16}) {
    SCOPED_TRACE(dtype_name(type));
    const double ulp = type == DType::f16 ? 0x1p-10 : 0x1p-7;  // of numbers in [1, 2)
    const std::int64_t rows = 200, cols = 147;
    Tensor x(type, {rows, cols}), change(type, {rows, cols}), out(type, {rows, cols}),
        factor(DType::f32, {cols});
    for (double share : {0.1, -0.3}) {
      k->fill(x.view, 1.5F);
      k->fill(change.view, static_cast<float>(share * ulp));
      k->fill(factor.view, static_cast<float>(1 + share * ulp / 1.5));
      k->add(x.view, change.view, out.view);
      ASSERT_EQ(out.bytes, x.bytes) << "nearest rounding loses less than half an ulp";
      const auto expect_mean = [&](const char* what) {
        double sum = 0;
        for (std::int64_t i = 0; i < rows * cols; ++i) {
          sum += (out.get(i) - 1.5) / ulp;
        }
        // Four standard deviations of a mean of values at most one apart.
        const auto count = static_cast<double>(rows * cols);
        EXPECT_NEAR(sum / count, share, 4 * 0.5 / std::sqrt(count)) << what;
      };
      k->scale_channels(x.view, change.view, {}, {}, {}, out.view);
      expect_mean("a sum");
      k->scale_channels(x.view, change.view, {}, {}, {}, change.view);
      EXPECT_EQ(change.bytes, out.bytes) << "in place";
      k->scale_channels(x.view, {}, {}, {}, factor.view, out.view);
      expect_mean("scaled channels");
      k->scale_channels(x.view, x.view, {}, {}, factor.view, out.view);
      expect_mean("scaled channels of v");
    }
  }
}

TEST_P(Dora, DitheredSumsPassWhatIsExact) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    SCOPED_TRACE(dtype_name(type));
    const Tensor x = hash_tensor(type, {90, 50}, 1, 30.0F);
    Tensor nothing(type, {90, 50}), out(type, {90, 50});
    k->fill(nothing.view, 0.0F);
    k->scale_channels(x.view, nothing.view, {}, {}, {}, out.view);
    EXPECT_EQ(out.bytes, x.bytes);
    Tensor special(type, {1, 4}), added(type, {1, 4});
    k->fill(added.view, 0.0F);
    special.set(0, std::nan(""));
    special.set(1, kInf);
    special.set(2, -kInf);
    special.set(3, type == DType::f16 ? 65504.0 : type == DType::bf16 ? 0x1.fep127 : 1.0);
    added.set(3, type == DType::f16 ? 15.0 : type == DType::bf16 ? 0x1p118 : 0.0);
    k->scale_channels(special.view, added.view, {}, {}, {}, added.view);
    EXPECT_TRUE(std::isnan(added.get(0)));
    EXPECT_EQ(added.get(1), kInf);
    EXPECT_EQ(added.get(2), -kInf);
    EXPECT_EQ(added.get(3), special.get(3)) << "what is finite stays finite";
  }
}

TEST_P(Dora, RefusesWhatDoesNotFit) {
  const Tensor z = hash_tensor(DType::f16, {3, 4}, 1), factor16 = hash_tensor(DType::f16, {4}, 2),
               factor = hash_tensor(DType::f32, {4}, 2), narrow = hash_tensor(DType::f32, {3}, 2);
  Tensor out(DType::f16, {3, 4});
  EXPECT_ANY_THROW(k->scale_channels(z.view, {}, {}, {}, factor16.view, out.view));
  EXPECT_ANY_THROW(k->scale_channels(z.view, {}, {}, {}, narrow.view, out.view));
  EXPECT_ANY_THROW(k->scale_channels(z.view, {}, {}, {}, {}, out.view));
  EXPECT_ANY_THROW(k->scale_channels(z.view, z.view, factor.view, {}, factor.view, out.view));
}

}  // namespace
}  // namespace mantissa::testing
