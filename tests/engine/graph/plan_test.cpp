// The planner and the executor: exact peak, in-place reuse, gradient accumulation, errors.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "kernels/cpu/cpu.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

/// A chain of `n` residual MLP blocks over [512, 256], each a segment.
Value record_chain(Graph& g, std::vector<Tensor>& weights, int n) {
  Value x = g.input("x", DType::f32, {512, 256});
  for (int i = 0; i < n; ++i) {
    const Segment segment(g);
    const Value h = silu(linear(x, g.use(weights[static_cast<std::size_t>(2 * i)])));
    x = add(x, linear(h, g.use(weights[static_cast<std::size_t>(2 * i + 1)])));
  }
  return mse_loss(x, g.input("target", DType::f32, {512, 256}),
                  g.input("weight", DType::f32, {512}))
      .loss;
}

struct Chain {
  explicit Chain(int blocks) {
    values.resize(static_cast<std::size_t>(2 * blocks), std::vector<float>(256 * 256));
    grads = values;
    weights.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t k = 0; k < values[i].size(); ++k) {
        values[i][k] = 0.05F * std::sin(static_cast<float>(i * 7919 + k * 31));
      }
      std::fill(grads[i].begin(), grads[i].end(), 0.0F);
      weights[i] = {.name = "w" + std::to_string(i),
                    .shape = {256, 256},
                    .data = values[i].data(),
                    .trainable = true,
                    .grad = grads[i].data()};
    }
  }
  std::vector<std::vector<float>> values, grads;
  std::vector<Tensor> weights;
};

void feed(Executor& e) {
  for (const char* name : {"x", "target", "weight"}) {
    const View v = e.input(name);
    for (std::int64_t i = 0; i < v.count(); ++i) {
      v.as<float>()[i] = std::cos(static_cast<float>(i) * 0.37F);
    }
  }
}

/// Loss and gradients of one run of a chain whose every other weight is frozen, and streamed if
/// `streamed`; only the host copy exists then.
std::vector<float> run_frozen_chain(bool streamed, bool checkpointing, Plan* planned) {
  Chain chain(5);
  const auto kernels = make_cpu_kernels(1);
  for (std::size_t i = 0; i < chain.weights.size(); i += 2) {
    Tensor& weight = chain.weights[i];
    weight.trainable = false;
    weight.grad = nullptr;
    weight.streamed = streamed;
    if (streamed) {
      weight.host = kernels->allocate_host(weight.bytes());
      std::memcpy(weight.host, weight.data, weight.bytes());
      weight.data = nullptr;
    }
  }
  Graph g;
  const Value loss = record_chain(g, chain.weights, 5);
  g.output("loss", loss);
  g.backward(loss, checkpointing);
  const Plan plan = make_plan(g);
  Arena arena(*kernels);
  std::vector<float> result;
  {
    Executor executor(g, plan, *kernels, arena);
    for (int run = 0; run < 2; ++run) {  // leftovers of a run must not affect the next
      feed(executor);
      executor.run({});
      result.push_back(executor.read("loss").at(0));
    }
  }
  for (std::size_t i = 0; i < chain.weights.size(); ++i) {
    if (i % 2 == 1) {
      result.insert(result.end(), chain.grads[i].begin(), chain.grads[i].end());
    } else if (streamed) {
      EXPECT_EQ(chain.weights[i].data, nullptr) << "nobody may take it for resident";
      kernels->release_host(chain.weights[i].host);
    }
  }
  *planned = plan;
  return result;
}

TEST(Plan, StreamedWeightsPassThroughTwoSlots) {
  for (bool checkpointing : {false, true}) {
    Plan resident, streamed;
    const std::vector<float> expected = run_frozen_chain(false, checkpointing, &resident);
    EXPECT_EQ(run_frozen_chain(true, checkpointing, &streamed), expected) << "to the bit";
    EXPECT_TRUE(resident.stream.empty());
    // Five weights forward. Then backward, with the last still present and the first not read, as
    // nothing before it is trained; but it is read if its segment is recomputed.
    EXPECT_EQ(streamed.stream.size(), checkpointing ? 9u : 8u);
    const std::size_t slot = 256 * 256 * sizeof(float);
    EXPECT_EQ(streamed.arena_bytes, resident.arena_bytes + 2 * slot);
    int step = -1;
    for (const StreamBatch& batch : streamed.stream) {
      EXPECT_GT(batch.step, step);
      step = batch.step;
      EXPECT_EQ(batch.weights.size(), 1u);
    }
  }
}

TEST(Plan, ArenaPeakIsExactlyWhatARunTouches) {
  for (bool checkpointing : {false, true}) {
    Chain chain(4);
    Graph g;
    const Value loss = record_chain(g, chain.weights, 4);
    g.output("loss", loss);
    g.backward(loss, checkpointing);
    const Plan plan = make_plan(g);
    auto kernels = make_cpu_kernels(2);
    Arena arena(*kernels);
    arena.reserve(plan.arena_bytes + 4096);
    Executor executor(g, plan, *kernels, arena);
    std::memset(arena.data(), 0xA5, arena.bytes());
    feed(executor);
    executor.run({});
    std::size_t touched = arena.bytes();
    while (touched > 0 && arena.data()[touched - 1] == std::byte{0xA5}) {
      --touched;
    }
    EXPECT_EQ((touched + Plan::kAlignment - 1) / Plan::kAlignment * Plan::kAlignment,
              plan.arena_bytes);
    EXPECT_GE(plan.arena_bytes, plan.lower_bound_bytes);
    EXPECT_LE(plan.arena_bytes, plan.lower_bound_bytes * 11 / 10);
  }
}

TEST(Plan, CheckpointingNeedsLessAndGivesTheSameBits) {
  std::vector<std::vector<float>> grads[2];
  std::size_t peak[2];
  for (int checkpointing = 0; checkpointing < 2; ++checkpointing) {
    Chain chain(6);
    Graph g;
    const Value loss = record_chain(g, chain.weights, 6);
    g.output("loss", loss);
    g.backward(loss, checkpointing == 1);
    const Plan plan = make_plan(g);
    auto kernels = make_cpu_kernels(2);
    Arena arena(*kernels);
    Executor executor(g, plan, *kernels, arena);
    feed(executor);
    executor.run({});
    peak[checkpointing] = plan.arena_bytes;
    grads[checkpointing] = chain.grads;
  }
  EXPECT_EQ(grads[0], grads[1]);
  EXPECT_LT(peak[1], peak[0]);
}

TEST(Executor, AWatchSeesEveryOpWithItsPhaseAndMayEndTheRun) {
  for (const bool checkpointing : {false, true}) {
    Chain chain(2);
    Graph g;
    const Value loss = record_chain(g, chain.weights, 2);
    g.output("loss", loss);
    g.backward(loss, checkpointing);
    const Plan plan = make_plan(g);
    auto kernels = make_cpu_kernels(1);
    Arena arena(*kernels);
    Executor executor(g, plan, *kernels, arena);
    std::vector<Phase> phases;
    executor.set_watch([&](const OpCall& call) {
      EXPECT_EQ(call.out.size(), call.node.outputs.size());
      phases.push_back(call.node.phase);
      return true;
    });
    feed(executor);
    executor.run({});
    EXPECT_EQ(phases.front(), Phase::forward);
    EXPECT_EQ(phases.back(), Phase::backward);
    const auto first_backward =
        std::find_if(phases.begin(), phases.end(), [](Phase p) { return p != Phase::forward; });
    EXPECT_EQ(std::count(first_backward, phases.end(), Phase::forward), 0);
    EXPECT_EQ(std::count(phases.begin(), phases.end(), Phase::recompute) > 0, checkpointing);

    const std::vector<float> once = chain.grads[0];
    EXPECT_NE(*std::max_element(once.begin(), once.end()), 0.0F);
    int calls = 0;
    executor.set_watch([&](const OpCall&) { return ++calls < 3; });
    feed(executor);
    executor.run({});
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(chain.grads[0], once) << "nothing of the backward ran";
    executor.set_watch({});
    feed(executor);
    executor.run({});
    EXPECT_EQ(calls, 3);
    EXPECT_NE(chain.grads[0], once);
  }
}

TEST(Plan, GradientsAccumulateOverRuns) {
  Chain chain(1);
  Graph g;
  const Value loss = record_chain(g, chain.weights, 1);
  g.backward(loss, false);
  const Plan plan = make_plan(g);
  auto kernels = make_cpu_kernels(1);
  Arena arena(*kernels);
  Executor executor(g, plan, *kernels, arena);
  feed(executor);
  executor.run({});
  const std::vector<float> once = chain.grads[0];
  feed(executor);
  executor.run({});
  const float largest = *std::max_element(once.begin(), once.end());
  EXPECT_GT(largest, 0.0F);
  for (std::size_t i = 0; i < once.size(); ++i) {
    // The second run accumulates onto the first: the same terms, rounded at different points.
    ASSERT_NEAR(chain.grads[0][i], once[i] + once[i], 1e-6F * largest);
  }
}

TEST(Plan, DeadNodesAreDropped) {
  Graph g;
  const Value x = g.input("x", DType::f32, {4});
  scale(x, 3.0F);
  g.output("y", scale(x, 2.0F));
  EXPECT_EQ(make_plan(g).order.size(), 1U);
}

TEST(Plan, InPlaceNeverTouchesAValueStillNeeded) {
  Graph g;
  const Value x = g.input("x", DType::f32, {4});
  const Value a = scale(x, 2.0F);
  const Value b = silu(a);
  g.output("sum", add(a, b));  // a must survive silu
  const Plan plan = make_plan(g);
  auto kernels = make_cpu_kernels(1);
  Arena arena(*kernels);
  Executor executor(g, plan, *kernels, arena);
  executor.input("x").as<float>()[0] = 1.0F;
  executor.run({});
  EXPECT_NEAR(executor.output("sum").as<float>()[0], 2.0 + 2.0 / (1.0 + std::exp(-2.0)), 1e-6);
}

TEST(Record, DtypeMismatchNamesOpPathsAndDtypes) {
  Graph g;
  g.set_path("unet.conv_in");
  const Value a = g.input("a", DType::f32, {2, 2}), b = g.input("b", DType::f16, {2, 2});
  const std::string m = test::message_of([&] { add(a, b); });
  EXPECT_NE(m.find("[add] unet.conv_in"), std::string::npos) << m;
  EXPECT_NE(m.find("a fp32 [2, 2]"), std::string::npos) << m;
  EXPECT_NE(m.find("b fp16 [2, 2]"), std::string::npos) << m;
}

TEST(Record, ShapeErrorsAreCaughtForEveryOp) {
  Graph g;
  const Value image = g.input("image", DType::f32, {1, 8, 8, 9});
  const Value weight = g.input("weight", DType::f32, {8, 4, 3, 3});
  const Value row = g.input("row", DType::f32, {2, 3});
  const Value ids = g.input("ids", DType::i32, {2});
  EXPECT_NE(test::message_of([&] {
              conv2d(image, weight, {}, {});
            }).find("weight expects 4 input channels; input has 9"),
            std::string::npos);
  for (const auto& bad :
       std::vector<std::function<void()>>{[&] { reshape(row, {7}); },
                                          [&] { add(row, image); },
                                          [&] { multiply(row, image); },
                                          [&] { concat_channels(row, image); },
                                          [&] { slice_channels(row, 2, 2); },
                                          [&] { add_per_sample(image, row); },
                                          [&] { dropout(row, 1.0F, 1); },
                                          [&] { geglu(row); },
                                          [&] { matmul(row, row, {}); },
                                          [&] {
                                            linear(row, g.input("w4", DType::f32, {5, 4}));
                                          },
                                          [&] { attention(row, row, row, {}); },
                                          [&] { group_norm(image, row, row, 3, 1e-5F, false); },
                                          [&] { layer_norm(row, row, row, 1e-5F); },
                                          [&] { upsample_nearest(image, 4, 4); },
                                          [&] { timestep_embedding(row, 4); },
                                          [&] { embedding(row, row); },
                                          [&] { gather_tokens(row, ids); },
                                          [&] { add_noise(row, image, row, row); },
                                          [&] { mse_loss(row, image, row); },
                                          [&] { g.backward(row, false); },
                                          [&] { g.input("row", DType::f32, {1}); }}) {
    EXPECT_THROW(bad(), Error);
  }
}

}  // namespace
}  // namespace mantissa
