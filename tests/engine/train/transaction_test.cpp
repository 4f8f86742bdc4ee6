// The step as one transaction: order, verdicts and scale against a PyTorch trace of 200 steps with
// overflows, two optimizers, a shared clip norm (the case of several optimizers under one scaler).
#include "engine/train/transaction.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "engine/io/safetensors.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

std::vector<float> floats(const SafetensorsFile& f, const std::string& name) {
  const TensorInfo* t = f.find(name);
  EXPECT_NE(t, nullptr) << name;
  std::vector<float> v(static_cast<std::size_t>(t->count()));
  std::memcpy(v.data(), t->data, t->bytes);
  return v;
}

double constant_rate(std::int64_t) {
  return 1.0;
}

struct Group {
  std::vector<float> parameters, gradients;
};

OptimizerPart make_part(Kernels& k, Part part, Group& g, OptimizerSettings s) {
  const auto n = static_cast<std::int64_t>(g.parameters.size());
  g.gradients.resize(g.parameters.size());
  return {part, View(g.parameters.data(), DType::f32, {n}),
          View(g.gradients.data(), DType::f32, {n}), make_optimizer(k, s, flat_tensor(n)),
          s.learning_rate};
}

TEST(Transaction, FollowsPyTorchWithTwoOptimizersAndOverflows) {
  const auto file =
      SafetensorsFile::open(std::string(MANTISSA_TEST_DATA) + "/golden/optim/adamw.safetensors");
  auto kernels = make_cpu_kernels(2);
  Group groups[2];
  std::vector<OptimizerPart> parts;
  const double rates[2] = {1e-2, 3e-3};
  for (int g = 0; g < 2; ++g) {
    groups[g].parameters = floats(file, "p0." + std::to_string(g));
    parts.push_back(make_part(*kernels, g == 0 ? Part::unet : Part::te1, groups[g],
                              {OptimizerType::adamw, rates[g], 0.9, 0.99, 1e-8, 0.02}));
  }
  LossScaler scaler({LossScaling::Mode::dynamic, 0}, ComputeType::fp16);
  const auto* norms = reinterpret_cast<const double*>(file.find("norms")->data);
  const auto* scales = reinterpret_cast<const double*>(file.find("scales")->data);
  int skipped = 0;
  for (int step = 0; step < 200; ++step) {
    ASSERT_EQ(scaler.scale(), scales[step]) << step;
    char name[32];
    for (int g = 0; g < 2; ++g) {
      std::snprintf(name, sizeof name, "grad.%03d.%d", step, g);
      groups[g].gradients = floats(file, name);
      parts[static_cast<std::size_t>(g)].gradients.data = groups[g].gradients.data();
    }
    const StepOutcome o = StepTransaction(*kernels, scaler, parts).run(1.0, constant_rate);
    if (std::isfinite(norms[step])) {
      EXPECT_NEAR(o.grad_norm, norms[step], 1e-6 * norms[step]);
      EXPECT_FALSE(o.skipped);
    } else {
      EXPECT_TRUE(o.skipped && !o.stepped);
      ++skipped;
    }
    if (step % 20 == 19) {
      for (int g = 0; g < 2; ++g) {
        std::snprintf(name, sizeof name, "p.%03d.%d", step, g);
        const std::vector<float> expected = floats(file, name);
        for (std::size_t i = 0; i < expected.size(); ++i) {
          ASSERT_NEAR(groups[g].parameters[i], expected[i], 2e-5) << name << " " << i;
        }
      }
    }
  }
  EXPECT_EQ(skipped, 3);
  EXPECT_EQ(parts[0].optimizer->updates(), 197);
}

TEST(Transaction, WithoutClippingOneOverflowSkipsOnlyItsGroup) {
  auto kernels = make_cpu_kernels(1);
  Group groups[2];
  groups[0].parameters = {1.0F, 2.0F};
  groups[1].parameters = {3.0F};
  std::vector<OptimizerPart> parts;
  for (int g = 0; g < 2; ++g) {
    parts.push_back(make_part(*kernels, Part::unet, groups[g], {}));
  }
  groups[0].gradients = {1.0F, std::numeric_limits<float>::infinity()};
  groups[1].gradients = {1.0F};
  parts[0].gradients.data = groups[0].gradients.data();
  parts[1].gradients.data = groups[1].gradients.data();
  LossScaler scaler({LossScaling::Mode::dynamic, 0}, ComputeType::fp16);
  const StepOutcome o = StepTransaction(*kernels, scaler, parts).run(0, constant_rate);
  EXPECT_TRUE(o.skipped && o.stepped);
  EXPECT_EQ(groups[0].parameters[0], 1.0F);
  EXPECT_NE(groups[1].parameters[0], 3.0F);
  EXPECT_EQ(scaler.scale(), 32768.0) << "the scale is updated once an iteration";
}

TEST(LossScaler, GrowsAfterTheIntervalAndStopsAtItsBounds) {
  LossScaler s({LossScaling::Mode::automatic, 0}, ComputeType::fp16);
  EXPECT_EQ(s.scale(), 65536.0);
  for (int i = 0; i < 1999; ++i) {
    s.update(false);
  }
  EXPECT_EQ(s.scale(), 65536.0);
  s.update(false);
  EXPECT_EQ(s.scale(), 131072.0);
  for (int i = 0; i < 40; ++i) {
    s.update(true);
  }
  EXPECT_EQ(s.scale(), 1.0);
  EXPECT_TRUE(s.at_floor());
  for (int i = 0; i < 2000 * 30; ++i) {
    s.update(false);
  }
  EXPECT_EQ(s.scale(), LossScaler::kCeiling);
  LossScaler off({}, ComputeType::fp32);
  off.update(true);
  EXPECT_EQ(off.scale(), 1.0);
  EXPECT_TRUE(off.at_floor());
}

}  // namespace
}  // namespace mantissa
