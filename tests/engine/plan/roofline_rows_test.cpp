// SDXL's steps as they were recorded on an H200 beside their estimates, class by class. The rows
// are those of tests/gpu/classes.py: 1024², batch 4, LoRA of rank 16 on attention, no
// checkpointing.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/plan/backend.h"
#include "engine/plan/roofline.h"
#include "engine/plan/split_stages.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "tests/environment.h"
#include "tests/shapes_only.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

struct Precision {
  const char* name;
  std::vector<const char*> settings;
};
const std::vector<Precision> kPrecisions{
    {"BF16", {"precision.compute=bf16", "precision.weights.denoiser=bf16"}},
    {"DoRA", {"precision.compute=bf16", "precision.weights.denoiser=bf16", "adapter.type=dora"}},
    {"FP8", {"precision.compute=fp8", "precision.weights.denoiser=fp8_e4m3"}},
    {"FP8-storage", {"precision.compute=bf16", "precision.weights.denoiser=fp8_e4m3"}},
    {"NF4-storage", {"precision.compute=bf16", "precision.weights.denoiser=nf4"}},
    {"MXFP8-storage", {"precision.compute=bf16", "precision.weights.denoiser=mxfp8"}},
    {"INT8", {"precision.compute=int8", "precision.weights.denoiser=int8"}},
};
/// The efficiencies are fitted to these, and to every other row of what these don't have: DoRA's
/// own kernels, INT8's products and their sums.
const std::set<std::string> kFitted{"BF16", "FP8", "NF4-storage"};

const CardSpec& h200() {
  return card_by_id("h200");
}

/// SDXL's names and shapes.
class Base {
 public:
  Base() {
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    test::ShapesOnly file;
    file.add_sdxl();
    file.write_sparse(path());
  }
  fs::path path() const { return folder_ / "sdxl.safetensors"; }
  JobSpec job(const Precision& precision, int side = 1024, int batch = 4) const {
    JobSpec job;
    job.preset = PresetLibrary(MANTISSA_SOURCE_DIR "/presets").load("sdxl-lora");
    for (const char* setting : {"adapter.rank=16", "adapter.targets=attention",
                                "training.gradient_checkpointing=false"}) {
      apply_set(job.preset, setting);
    }
    for (const char* setting : precision.settings) {
      apply_set(job.preset, setting);
    }
    job.preset.data.resolution = side;
    job.preset.data.batch_size = batch;
    job.base = path();
    return job;
  }

 private:
  test::TempFolder folder_;
};

/// "matmul 4096x1280x640x1 +++-": sides and batch of its GEMM, else the shape of its first input,
/// and which inputs there are.
std::string row_name(const Graph& graph, const Node& node, const OpCost& c) {
  std::string name = node.op->name(), inputs;
  for (const int id : node.inputs) {
    inputs += id >= 0 ? '+' : '-';
  }
  if (c.m > 0) {
    name += fmt::format(" {}x{}x{}x{}", c.m, c.n, c.k, c.batch);
  } else if (!node.inputs.empty() && node.inputs[0] >= 0) {
    const ValueInfo& first = graph.values()[static_cast<std::size_t>(node.inputs[0])];
    name += fmt::format(" {}{}", dtype_name(first.dtype), first.shape.str());
  }
  return name + ' ' + (inputs.size() < 9 ? inputs : std::string("many"));
}

/// Ops of a step with their costs, as tests/gpu/classes.py reads them.
class Listing {
 public:
  explicit Listing(const char* precision) {
    if (const char* folder = std::getenv("MANTISSA_ROOFLINE_OPS")) {
      file_.open(fs::path(folder) / (std::string(precision) + ".tsv"));
    }
  }
  void add(const Graph& graph, const Node& node, const std::vector<OpCost>& costs) {
    if (!file_.is_open() || costs.empty()) {
      return;
    }
    int encodings = 0;
    std::int64_t products = 0;
    for (const OpCost& cost : costs) {
      encodings += cost.kind == CostKind::encoding ? cost.launches : 0;
      products += cost.flop > 0 ? cost.products : 0;
    }
    file_ << node.op->name() << '\t' << encodings << '\t' << products;
    for (const OpCost& cost : costs) {
      file_ << '\t' << cost_kind_name(cost.kind) << '|' << row_name(graph, node, cost);
    }
    file_ << '\n';
  }

 private:
  std::ofstream file_;
};

/// Ops of one class and name, as recorded and as the plan has them now.
struct Row {
  std::string name;             ///< "rest": those of all names that take little time
  int ops = 0;                  ///< recorded
  double us = 0;                ///< of all of them
  std::vector<OpCost> costs{};  ///< planned

  bool same() const { return static_cast<int>(costs.size()) == ops; }
  bool comparable() const { return same() || (name != "rest" && !costs.empty()); }
  /// Of as many as were recorded.
  double estimate(const Efficiency& efficiency = {}) const {
    double sum = 0;
    for (const OpCost& cost : costs) {
      sum += 1e3 * op_time(cost, h200(), efficiency, false).ms;
    }
    return sum * ops / static_cast<double>(costs.size());
  }
};

/// Of an op as it is planned now, and of one that was recorded: then no unit wrote codes.
struct OpCosts {
  std::vector<OpCost> now, recorded;
};
/// f(graph, node, costs) of every op of a step.
template <typename F>
void each_op(const JobSpec& job, F&& f) {
  PlannedRun run = open_run(job, {std::string(h200().name), h200().capability});
  const auto kernels = make_backend("cpu");
  plan_memory(run, *kernels, {}, EncodedDataset::Look::headers);
  const LargestStep step(run, *kernels, {});
  const Graph& graph = step.graph();
  Plan recorded = step.plan();
  recorded.encoders.clear();
  for (const int index : step.plan().order) {
    const Node& node = graph.nodes()[static_cast<std::size_t>(index)];
    f(graph, node, OpCosts{op_costs(graph, step.plan(), node), op_costs(graph, recorded, node)});
  }
}

/// One recorded step, by class.
class RecordedStep {
 public:
  explicit RecordedStep(const Precision& precision) {
    read(precision.name);
    plan(precision);
  }
  std::map<std::string, std::vector<Row>> classes;
  int nodes = 0, cleared = 0, planned_nodes = 0;
  double gap_us = 0;

 private:
  void read(const char* precision) {
    std::size_t column = 2;
    while (std::string_view(kPrecisions[column - 2].name) != precision) {
      ++column;
    }
    for (const auto& cells :
         test::read_table(MANTISSA_SOURCE_DIR "/tests/engine/plan/roofline_rows.tsv")) {
      const std::string& cell = cells[column];
      const int ops = cell.empty() ? 0 : std::stoi(cell);
      const double us = cell.empty() ? 0 : std::stod(cell.substr(cell.find(':') + 1));
      if (cells[0] == "gaps") {
        (cells[1] == "nodes" ? nodes : cleared) = ops;
        gap_us += us;
      } else if (ops > 0 && cells[0] != "optimizer") {
        classes[cells[0]].push_back({.name = cells[1], .ops = ops, .us = us});
      }
    }
  }

  void plan(const Precision& precision) {
    const Base base;
    Listing listing(precision.name);
    each_op(base.job(precision), [&](const Graph& graph, const Node& node, const OpCosts& costs) {
      listing.add(graph, node, costs.now);
      for (const OpCost& cost : costs.recorded) {
        planned_nodes += cost.launches;
        if (Row* row = row_of(cost.kind, row_name(graph, node, cost))) {
          row->costs.push_back(cost);
        }
      }
    });
  }

  Row* row_of(CostKind kind, const std::string& name) {
    Row* rest = nullptr;
    for (Row& row : classes[std::string(cost_kind_name(kind))]) {
      if (row.name == name) {
        return &row;
      }
      rest = row.name == "rest" ? &row : rest;
    }
    return rest;
  }
};

/// Recorded and estimated µs of rows that can be compared.
struct Compared {
  double us = 0, estimate = 0;
  void add(const Row& row, const Efficiency& efficiency = {}) {
    if (row.comparable()) {
      us += row.us;
      estimate += row.estimate(efficiency);
    }
  }
};

class RooflineRows : public ::testing::TestWithParam<Precision> {
 protected:
  RooflineRows() : step_(GetParam()) {
    for (const auto& [kind, rows] : step_.classes) {
      for (const Row& row : rows) {
        step_us_ += row.us;
        compared_[kind].add(row);
      }
    }
  }
  RecordedStep step_;
  std::map<std::string, Compared> compared_;
  double step_us_ = 0;
};

/// Those that an op was changed for since aren't compared; with many the step is to be recorded
/// again.
TEST_P(RooflineRows, MostOfTheRecordedOpsArePlanned) {
  double same = 0;
  for (const auto& [kind, rows] : step_.classes) {
    for (const Row& row : rows) {
      same += row.same() ? row.us : 0;
    }
  }
  EXPECT_GT(same, 0.95 * step_us_);
}

TEST_P(RooflineRows, EveryClassIsWithinFivePercent) {
  constexpr double kClose = 0.05, kSmall = 0.02;
  Compared small;
  for (const auto& [kind, one] : compared_) {
    RecordProperty(kind,
                   fmt::format("{:.2f} ms, estimated {:.2f}", 1e-3 * one.us, 1e-3 * one.estimate));
    if (one.us > kSmall * step_us_) {
      EXPECT_NEAR(one.estimate / one.us, 1, kClose)
          << kind << ": " << one.estimate << " of " << one.us << " µs";
    } else {
      small.us += one.us;
      small.estimate += one.estimate;
    }
  }
  EXPECT_NEAR(small.estimate, small.us, kClose * std::max(small.us, kSmall * step_us_));
}

/// Profiled, every cleared buffer takes longer: steps by themselves take 1.2 to 5 ms less.
TEST_P(RooflineRows, GapsAreWithinATenth) {
  constexpr double kProfiledUs = 1.9;
  const Efficiency efficiency;
  EXPECT_NEAR(
      efficiency.launch_us * step_.nodes + (efficiency.clear_gap_us + kProfiledUs) * step_.cleared,
      step_.gap_us, 0.1 * step_.gap_us);
  EXPECT_NEAR(step_.planned_nodes, step_.nodes, 0.02 * step_.nodes);
}

INSTANTIATE_TEST_SUITE_P(H200, RooflineRows, ::testing::ValuesIn(kPrecisions),
                         [](const auto& param) {
                           std::string name = param.param.name;
                           std::erase(name, '-');
                           return name;
                         });

/// The rows that the efficiencies are fitted to, and those of the same classes that they aren't.
class Halves {
 public:
  Halves() {
    for (const Precision& precision : kPrecisions) {
      const RecordedStep step(precision);
      for (const auto& [kind, rows] : step.classes) {
        int number = 0;
        for (const Row& row : rows) {
          const std::string of = precision.name + (' ' + kind);
          const bool int8_product = kind == "gemm" && row.name.starts_with("linear_int8");
          if (kind == "dora" || kind == "int8_sums" || int8_product) {
            (number++ % 2 == 0 ? fitted_ : others_)[of].push_back(row);
          } else if (kFitted.contains(precision.name)) {
            fitted_[of].push_back(row);
          }
        }
      }
    }
  }
  /// Of the fitted rows: squared relative errors by time, those of classes as much as those of
  /// thirty rows.
  double loss(const Efficiency& efficiency) const {
    constexpr double kOfClass = 30;
    double loss = 0;
    for (const auto& [name, rows] : fitted_) {
      Compared all;
      for (const Row& row : rows) {
        Compared one;
        one.add(row, efficiency);
        loss += one.us > 0 ? one.us * squared_error(one) : 0;
        all.us += one.us;
        all.estimate += one.estimate;
      }
      loss += kOfClass * all.us * squared_error(all);
    }
    return loss;
  }
  const std::map<std::string, std::vector<Row>>& others() const { return others_; }

 private:
  static double squared_error(const Compared& c) {
    return std::pow(std::log(c.estimate / c.us), 2);
  }
  std::map<std::string, std::vector<Row>> fitted_, others_;
};

TEST(RooflineFit, RowsThatWereNotFittedAreAsClose) {
  constexpr double kClose = 0.05;
  const Halves halves;
  for (const auto& [name, rows] : halves.others()) {
    Compared all;
    for (const Row& row : rows) {
      all.add(row);
    }
    EXPECT_NEAR(all.estimate / all.us, 1, kClose)
        << name << ": " << all.estimate << " of " << all.us << " µs";
  }
  EXPECT_EQ(halves.others().size(), 3U) << "DoRA's kernels, INT8's products and their sums";
}

/// So that they can't have been fitted to the others.
TEST(RooflineFit, NoEfficiencyAloneFitsTheFittedRowsMuchBetter) {
  constexpr double kChange = 0.08, kMuch = 0.95;
  const Halves halves;
  const double loss = halves.loss({});
  Efficiency e;
  for (double* each : {&e.half.share,
                       &e.half.exposed,
                       &e.fp8.share,
                       &e.fp8.exposed,
                       &e.int8.share,
                       &e.int8.exposed,
                       &e.gemm_us,
                       &e.skinny.gb_per_s,
                       &e.skinny.us,
                       &e.skinny_depth_us,
                       &e.split_us,
                       &e.convolution,
                       &e.convolution_us,
                       &e.attention,
                       &e.attention_us,
                       &e.memory,
                       &e.row_norm.gb_per_s,
                       &e.row_norm_backward.gb_per_s,
                       &e.column_norm.gb_per_s,
                       &e.channel_scaling.gb_per_s,
                       &e.channel_scaling_backward.gb_per_s,
                       &e.weight_norm.gb_per_s,
                       &e.encoding.gb_per_s,
                       &e.gradient_encoding.gb_per_s,
                       &e.block_decoding.gb_per_s,
                       &e.turning.gb_per_s,
                       &e.int8_sums.gb_per_s}) {
    const double value = *each;
    for (const double factor : {1 - kChange, 1 + kChange}) {
      *each = value * factor;
      EXPECT_GT(halves.loss(e), kMuch * loss) << value << " as " << *each;
    }
    *each = value;
  }
}

/// Estimated milliseconds that units save which write codes.
double saved_by_units(const JobSpec& job) {
  double saved = 0;
  each_op(job, [&](const Graph&, const Node&, const OpCosts& costs) {
    for (const OpCost& cost : costs.recorded) {
      saved += op_time(cost, h200(), {}, false).all();
    }
    for (const OpCost& cost : costs.now) {
      saved -= op_time(cost, h200(), {}, false).all();
    }
  });
  return saved;
}

struct Step {
  const char* precision;
  int side, batch;
  double ms, close;  ///< as timed without a profiler, and how close the estimate is
};

TEST(RooflineSteps, WholeStepsOfOtherSizesToo) {
  // The last of an earlier build: what its kernels take by themselves isn't recorded. A step that
  // does less than it did is to be timed again.
  constexpr Step kSteps[] = {
      {"BF16", 1024, 4, 141.4, 0.03}, {"FP8", 1024, 4, 141.2, 0.03}, {"INT8", 1024, 4, 170.1, 0.03},
      {"BF16", 1024, 1, 52.6, 0.04},  {"FP8", 1024, 1, 57.1, 0.04},  {"BF16", 512, 1, 25.4, 0.15},
  };
  const Base base;
  for (const Step& step : kSteps) {
    const Precision& precision = *std::ranges::find(kPrecisions, std::string_view(step.precision),
                                                    [](const Precision& p) { return p.name; });
    const JobSpec job = base.job(precision, step.side, step.batch);
    const double ms = roofline(job, h200()).ms + saved_by_units(job);
    EXPECT_NEAR(ms / step.ms, 1, step.close)
        << step.precision << ' ' << step.side << ", batch " << step.batch << ": " << ms;
  }
}

TEST(RooflineSteps, Fp8IsFasterThanBf16) {
  const Base base;
  const auto ms = [&](const Precision& precision) {
    return roofline(base.job(precision), h200()).ms;
  };
  EXPECT_LT(ms(kPrecisions[2]), ms(kPrecisions[0]));
}

}  // namespace
}  // namespace mantissa
