// A step divided among cards: the stages compute what the whole does, and the bytes between them
// are those of the values that have readers on both sides.
#include "engine/graph/stages.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <gtest/gtest.h>
#include <map>

#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

/// Residual blocks, each a module and a segment; the first block's result is also read by the last,
/// as by a skip connection.
class StagesTest : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr std::int64_t kRows = 24, kWidth = 16;
  static constexpr int kBlocks = 4;

  StagesTest() {
    for (int i = 0; i < kBlocks; ++i) {
      values_.emplace_back(static_cast<std::size_t>(kWidth * kWidth));
      grads_.emplace_back(values_.back().size());
      for (std::size_t k = 0; k < values_.back().size(); ++k) {
        values_.back()[k] =
            0.2F * std::sin(static_cast<float>(i * 7919 + static_cast<int>(k) * 31));
      }
      weights_.push_back({.name = path(i) + ".weight",
                          .shape = {kWidth, kWidth},
                          .data = values_.back().data(),
                          .trainable = true,
                          .grad = grads_.back().data()});
    }
    Value x = graph_.input("x", DType::f32, {kRows, kWidth});
    Value first;
    for (int i = 0; i < kBlocks; ++i) {
      const Segment segment(graph_);
      graph_.set_path(path(i));
      x = add(x, silu(linear(x, graph_.use(weights_[static_cast<std::size_t>(i)]))));
      first = i == 0 ? x : first;
      x = i == kBlocks - 1 ? add(x, first) : x;
    }
    graph_.set_path("loss");
    const Value loss = mse_loss(x, graph_.input("target", DType::f32, {kRows, kWidth}),
                                graph_.input("weight", DType::f32, {kRows}))
                           .loss;
    graph_.output("loss", loss);
    graph_.backward(loss, GetParam());
    plan_ = make_plan(graph_);
  }
  static std::string path(int block) { return "net.blocks." + std::to_string(block); }

  struct Running {
    Running(const Graph& graph, const Plan& plan, Kernels& kernels)
        : arena(kernels), executor(graph, plan, kernels, arena) {}
    Arena arena;
    Executor executor;
  };
  static void feed(const Executor& executor, const Graph& graph) {
    for (const auto& [name, id] : graph.inputs()) {
      const View v = executor.input(name);
      for (std::int64_t i = 0; i < v.count(); ++i) {
        v.as<float>()[i] = name.starts_with("stage.") ? 0 : std::cos(static_cast<float>(i) * 0.37F);
      }
    }
  }
  void clear() {
    for (auto& grad : grads_) {
      std::ranges::fill(grad, 0.0F);
    }
  }
  /// Loss and gradients.
  std::vector<float> result(float loss) const {
    std::vector<float> all{loss};
    for (const auto& grad : grads_) {
      all.insert(all.end(), grad.begin(), grad.end());
    }
    return all;
  }

  std::deque<std::vector<float>> values_, grads_;
  std::deque<Tensor> weights_;
  Graph graph_;
  Plan plan_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
};

TEST_P(StagesTest, TwoStagesComputeWhatTheWholeDoes) {
  clear();
  Running whole(graph_, plan_, *kernels_);
  feed(whole.executor, graph_);
  whole.executor.run({});
  const std::vector<float> expected = result(whole.executor.read("loss").at(0));
  const GraphStages split(graph_, plan_);
  for (int place = 1; place < split.places(); ++place) {
    const std::unique_ptr<Graph> graphs[] = {split.stage(0, place),
                                             split.stage(place, split.places())};
    const Plan plans[] = {make_plan(*graphs[0]), make_plan(*graphs[1])};
    std::map<std::string, std::vector<float>> sent;
    float loss = 0;
    // The first knows the gradients that come back only when it runs again; each adds its own.
    for (const int stage : {0, 1, 0}) {
      if (stage == 1) {
        clear();
      }
      Running running(*graphs[stage], plans[stage], *kernels_);
      feed(running.executor, *graphs[stage]);
      for (const auto& [name, values] : sent) {
        if (running.executor.has_input(name)) {
          running.executor.feed(name, std::span<const float>(values));
        }
      }
      running.executor.run({});
      for (const auto& [name, id] : graphs[stage]->outputs()) {
        const std::vector<float> values = running.executor.read(name);
        if (name == "loss") {
          loss = values.at(0);
        } else {
          sent[name] = values;
        }
      }
    }
    EXPECT_EQ(result(loss), expected) << "cut before " << split.path(place);
  }
}

TEST_P(StagesTest, DevicesComputeInTurnWhatOneDoes) {
  clear();
  Running whole(graph_, plan_, *kernels_);
  feed(whole.executor, graph_);
  whole.executor.run({});
  const std::vector<float> expected = result(whole.executor.read("loss").at(0));
  const std::vector<float> target(static_cast<std::size_t>(kRows * kWidth), 1);
  const auto other = make_cpu_kernels(1), third = make_cpu_kernels(2);
  for (const std::vector<int>& devices_of_blocks : {std::vector{0, 1, 1, 1},
                                                    {0, 0, 1, 1},
                                                    {0, 0, 0, 1},
                                                    {0, 1, 2, 2},
                                                    {1, 1, 1, 1},
                                                    {0, 2, 2, 2}}) {
    for (int i = 0; i < kBlocks; ++i) {
      weights_[static_cast<std::size_t>(i)].device = devices_of_blocks[static_cast<std::size_t>(i)];
    }
    const Devices devices({kernels_.get(), other.get(), third.get()}, {});
    Arena arena(devices);
    Executor executor(graph_, plan_, *kernels_, arena);
    int calls = 0;
    std::vector<const Kernels*> used;
    executor.set_watch([&](const OpCall& call) {
      ++calls;
      EXPECT_TRUE(&call.node >= graph_.nodes().data() &&
                  &call.node < graph_.nodes().data() + graph_.nodes().size());
      used.push_back(&call.kernels);
      return true;
    });
    for (int run = 0; run < 2; ++run) {
      clear();
      for (const auto& [name, id] : graph_.inputs()) {
        const auto count =
            static_cast<std::size_t>(graph_.values()[static_cast<std::size_t>(id)].shape.count());
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) {
          values[i] = std::cos(static_cast<float>(i) * 0.37F);
        }
        executor.feed(name, std::span<const float>(values));
      }
      executor.run({});
      EXPECT_EQ(result(executor.read("loss").at(0)), expected);
      executor.set_watch({});
    }
    EXPECT_GE(calls, 10);
    EXPECT_EQ(arena.part(0).bytes() > 0, devices_of_blocks[0] == 0);
    EXPECT_EQ(arena.part(2).bytes() > 0, devices_of_blocks[3] == 2);
    EXPECT_EQ(used.back(), &devices.kernels(devices_of_blocks[0]))
        << "the first device finishes the backward pass";
    EXPECT_THROW(executor.output("nothing"), std::exception);
    EXPECT_THROW(executor.feed("nothing", std::span<const float>(target)), std::exception);
  }
}

TEST_P(StagesTest, AForwardPassThatReturnsToADeviceIsRefused) {
  weights_[1].device = 1;
  const auto other = make_cpu_kernels(1);
  const Devices devices({kernels_.get(), other.get()}, {});
  Arena arena(devices);
  EXPECT_THROW(Executor(graph_, plan_, *kernels_, arena), std::logic_error);
}

TEST_P(StagesTest, CountsTheBytesThatCross) {
  const GraphStages split(graph_, plan_);
  for (int place = 1; place < split.places(); ++place) {
    double bytes = 0;
    for (const auto& [from, to] : {std::pair(0, place), {place, split.places()}}) {
      const std::unique_ptr<Graph> stage = split.stage(from, to);
      for (const auto& [name, id] : stage->inputs()) {
        const ValueInfo& v = stage->values()[static_cast<std::size_t>(id)];
        bytes += name.starts_with("stage.")
                     ? static_cast<double>(stored_bytes(v.dtype, v.shape.count()))
                     : 0;
      }
    }
    EXPECT_EQ(split.bytes_across(place), bytes) << "before " << split.path(place);
  }
}

TEST_P(StagesTest, ABlockIsCutOffAtItsResidualStream) {
  const GraphStages split(graph_, plan_);
  const double activation = kRows * kWidth * sizeof(float);
  // Forward the stream and the skip connection, and their gradients back.
  EXPECT_EQ(split.bytes_across(split.place_of(path(2))), 4 * activation);
  EXPECT_EQ(split.place_of("net"), 0);
  EXPECT_EQ(split.place_of("net.block"), -1) << "a part of a name is no module";
  EXPECT_GT(split.place_of("loss"), split.place_of(path(3)));
}

TEST_P(StagesTest, EveryNodeIsInOneStage) {
  const GraphStages split(graph_, plan_);
  const int place = split.place_of(path(1));
  std::size_t nodes = 0;
  for (const auto& [from, to] : {std::pair(0, place), {place, split.places()}}) {
    const std::unique_ptr<Graph> stage = split.stage(from, to);
    const Plan plan = make_plan(*stage);
    EXPECT_LT(plan.arena_bytes, plan_.arena_bytes);
    nodes += plan.order.size();
  }
  EXPECT_EQ(nodes, plan_.order.size());
}

INSTANTIATE_TEST_SUITE_P(Stages, StagesTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Checkpointed" : "Kept"; });

}  // namespace
}  // namespace mantissa
