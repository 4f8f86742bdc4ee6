// Which values of a step count as a layer's.
#include "engine/precision/health_watch.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "engine/graph/ops.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

TEST(HealthWatch, AModulesOutputIsItsLastOps) {
  std::vector<float> weight(16 * 16, 0.25F), gradient(weight.size());
  Tensor trained{.name = "w",
                 .shape = {16, 16},
                 .data = weight.data(),
                 .trainable = true,
                 .grad = gradient.data()};
  Graph g;
  const Value x = g.input("x", DType::f32, {4, 16});
  g.set_path("block.linear");
  // Two ops of one module, of different sizes of values: all 4, then all 12.
  const Value y = scale(linear(x, g.use(trained)), 3);
  g.set_path("block.rest");
  const Value z = silu(y);
  g.set_path("");
  g.output(
      "loss",
      mse_loss(z, g.input("target", DType::f32, {4, 16}), g.input("weight", DType::f32, {4})).loss);
  g.backward(Value(&g, g.outputs().at("loss")), false);
  const Plan plan = make_plan(g);
  auto kernels = make_cpu_kernels(1);
  Arena arena(*kernels);
  Executor executor(g, plan, *kernels, arena);
  for (const char* name : {"x", "target", "weight"}) {
    const View v = executor.input(name);
    std::fill_n(v.as<float>(), v.count(), 1.0F);
  }
  const HealthWatch watch(g);
  EXPECT_EQ(watch.paths(), (std::vector<std::string>{"block.linear", "block.rest"}));
  std::map<std::string, std::vector<float>> seen;
  executor.set_watch([&](const OpCall& call) {
    for (const auto& [path, view] : watch.outputs_of(call)) {
      seen[path].push_back(view.as<float>()[0]);
    }
    return true;
  });
  executor.run({});
  EXPECT_EQ(seen["block.linear"], std::vector<float>{12});
  ASSERT_EQ(seen["block.rest"].size(), 1U);
  EXPECT_NEAR(seen["block.rest"][0], 12 / (1 + std::exp(-12.0)), 1e-4);
}

}  // namespace
}  // namespace mantissa
