#include "engine/train/run_plan.h"

#include <algorithm>

#include "engine/train/memory_plan.h"
#include "engine/train/text_encoding.h"
#include "engine/train/training_data.h"

namespace mantissa {
namespace {

/// A weight that could stay in host memory.
struct Candidate {
  std::string path;
  std::size_t bytes = 0;
};

/// The peak without the phases before the steps, which no streaming makes smaller.
std::uint64_t step_bytes(const PlanReport& report) {
  return report.arena_bytes + report.weight_bytes + report.adapter_bytes;
}

/// One try: the plan with these weights in host memory.
class Attempt {
 public:
  Attempt(Kernels& kernels, const WeightSource& source, const PrecisionPlan& precision,
          const RunShapes& steps, const PhaseNeeds& phases, const std::set<std::string>& streamed,
          std::uint64_t free_bytes)
      : adapters_(AdapterSet::planning(precision.effective)),
        model_(DiffusionModel::open_planning(source, &adapters_, precision.rules)) {
    const Preset& preset = precision.effective;
    model_->set_text_options(TextOptions::of(preset));
    model_->weights().stream(streamed);
    const bool live_text = steps.encodes && reads_captions_live(preset);
    model_->bind(live_text ? model_->training_parts(true) : model_->training_parts(preset));
    Arena arena(kernels);
    std::size_t bytes = 0;
    const auto plan = [&](const std::vector<StepShape>& shapes, const StepOptions& options) {
      for (const StepShape& shape : shapes) {
        const StepProgram program(kernels, arena, *model_, shape, options);
        bytes = std::max(bytes, program.plan().arena_bytes);
      }
    };
    plan(steps.shapes, StepOptions::of(preset, steps.keep_tensors));
    adapters_.set_training(false);
    plan(steps.held_out, StepOptions::looking(preset));
    adapters_.set_training(true);
    if (live_text) {
      bytes = std::max(bytes, text_arena_bytes(*model_));
    }
    report_ = plan_report(precision, *model_, adapters_, bytes, phases, free_bytes,
                          kernels.host_memory());
  }
  const PlanReport& report() const { return report_; }

  /// Frozen matrices and kernels, the largest first.
  std::vector<Candidate> candidates() const {
    constexpr std::size_t kLeastBytes = 4096;  // below it a copy costs more than it saves
    std::vector<Candidate> list;
    model_->weights().each([&](ModelPart, std::string_view, const Tensor& tensor, bool) {
      if (tensor.shape.rank() >= 2 && tensor.bytes() >= kLeastBytes) {
        list.push_back({tensor.name, tensor.bytes()});
      }
    });
    std::stable_sort(list.begin(), list.end(),
                     [](const Candidate& a, const Candidate& b) { return a.bytes > b.bytes; });
    return list;
  }

 private:
  AdapterSet adapters_;
  std::unique_ptr<DiffusionModel> model_;
  PlanReport report_;
};

}  // namespace

PlannedRun plan_run(Kernels& kernels, const WeightSource& source, const PrecisionPlan& precision,
                    const RunShapes& steps, const RunMemory& memory) {
  RunShapes largest = steps;
  largest.shapes = largest_shapes(steps.shapes);
  int width = 0, height = 0;
  if (steps.encodes) {
    const auto model = DiffusionModel::open_planning(source, nullptr, precision.rules);
    width = static_cast<int>(largest.shapes.front().width) * model->latent_factor();
    height = static_cast<int>(largest.shapes.front().height) * model->latent_factor();
  }
  const PhaseNeeds phases = phase_needs(source, precision, width, height, kernels.host_memory());
  PlannedRun run;
  const auto attempt = [&] {
    return Attempt(kernels, source, precision, largest, phases, run.streamed, memory.bytes());
  };
  const Attempt resident = attempt();
  run.report = resident.report();
  if (!memory.may_stream || memory.bytes() == 0) {
    return run;
  }
  // What the libraries' workspaces may take besides, which no plan knows.
  constexpr std::uint64_t kLeastReserve = 8 << 20, kMostReserve = 512 << 20;
  const std::uint64_t reserve = std::clamp(memory.bytes() / 8, kLeastReserve, kMostReserve);
  const std::uint64_t limit = memory.bytes() - std::min(memory.bytes(), reserve);
  const std::vector<Candidate> candidates = resident.candidates();
  std::size_t next = 0;
  while (step_bytes(run.report) > limit && next < candidates.size()) {
    std::uint64_t missing = step_bytes(run.report) - limit;
    if (next == 0) {
      missing += 2 * candidates.front().bytes;  // the slots that they pass through
    }
    for (std::uint64_t freed = 0; freed < missing && next < candidates.size(); ++next) {
      freed += candidates[next].bytes;
      run.streamed.insert(candidates[next].path);
    }
    run.report = attempt().report();
  }
  return run;
}

}  // namespace mantissa
