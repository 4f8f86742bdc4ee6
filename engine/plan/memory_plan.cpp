#include "engine/plan/memory_plan.h"

#include <algorithm>
#include <utility>

#include "engine/adapters/trained_set.h"
#include "engine/data/batch_source.h"
#include "engine/io/module_path.h"
#include "engine/programs/step_program.h"
#include "engine/programs/text_encoding.h"

namespace mantissa {
namespace {

/// The peak without the phases before the steps.
std::uint64_t step_bytes(const MemoryPlan& run) {
  return run.report.arena_bytes + run.report.weight_bytes + run.report.adapter_bytes;
}
std::uint64_t peak_bytes(const MemoryPlan& run) {
  return run.report.peak_bytes;
}

/// Plans a run with any choice of weights in host memory.
class MemoryPlanner {
 public:
  MemoryPlanner(Kernels& kernels, const WeightSource& source, const PrecisionPlan& precision,
                const TextOptions& text, const RunShapes& steps, std::uint64_t limit)
      : kernels_(kernels),
        source_(source),
        precision_(precision),
        text_(text),
        steps_(steps),
        limit_(limit) {}

  MemoryPlan plan(std::set<std::string> streamed) {
    const Preset& preset = precision_.effective;
    MemoryPlan run;
    run.phases = phase_needs(kernels_, source_, precision_, text_, steps_.work, streamed);
    TrainedSet adapters = TrainedSet::planning(preset, source_.family());
    adapters.accompany(steps_.training_adapters);
    const auto model = DiffusionModel::open_planning(source_, &adapters, precision_.rules);
    model->set_text_options(text_);
    model->weights().stream(streamed);
    const bool live_text = steps_.from_images && reads_captions_live(preset);
    model->bind(live_text ? model->training_parts(true) : model->training_parts(preset));
    adapters.require_bound();
    Arena arena(kernels_);
    StepNeeds needs;
    const auto record = [&](const std::vector<StepShape>& shapes, const StepOptions& options) {
      for (const StepShape& shape : shapes) {
        StepProgram program(kernels_, arena, *model, shape, options);
        needs.cover(program.graph(), program.plan(), kernels_);
      }
    };
    record(steps_.shapes, StepOptions::of(preset, steps_.keep_tensors));
    {
      const WithoutDropout looking(&adapters);
      record(steps_.single, StepOptions::looking(preset));
    }
    if (live_text) {
      needs.arena = std::max(needs.arena, text_arena_bytes(*model));
    }
    step_weights_ = frozen_matrices(model->weights());
    if (run.phases.sample_arena > 0) {
      for (const WeightSize& w : run.phases.weights) {
        if (split_path(w.path).part == kVae) {
          step_weights_.push_back(w);
        }
      }
    }
    run.report = plan_report(kernels_, precision_, *model, adapters, needs, run.phases,
                             steps_.gradients, limit_);
    run.arena_bytes = std::max(needs.arena, run.phases.sample_arena);
    run.turned_bytes = needs.turned;
    run.streamed = std::move(streamed);
    return run;
  }
  /// Frozen weights on the device during steps and samples, as last planned.
  const std::vector<WeightSize>& step_weights() const { return step_weights_; }

 private:
  Kernels& kernels_;
  const WeightSource& source_;
  const PrecisionPlan& precision_;
  const TextOptions& text_;
  const RunShapes& steps_;
  std::uint64_t limit_;
  std::vector<WeightSize> step_weights_;
};

/// Streams more of `candidates`, in their order, until `need` is within the limit.
void fit(MemoryPlanner& planner, MemoryPlan& run, std::uint64_t limit,
         std::uint64_t (*need)(const MemoryPlan&), const std::vector<WeightSize>& candidates) {
  std::size_t next = 0;
  while (need(run) > limit && next < candidates.size()) {
    std::uint64_t missing = need(run) - limit;
    if (next == 0) {
      missing += 2 * candidates.front().bytes;  // the streaming slots
    }
    std::set<std::string> streamed = run.streamed;
    for (std::uint64_t freed = 0; freed < missing && next < candidates.size(); ++next) {
      freed += streamed.insert(candidates[next].path).second ? candidates[next].bytes : 0;
    }
    run = planner.plan(std::move(streamed));
  }
}

/// Backward passes of codes are faster with them, by a fortieth in FP8.
void keep_turned(MemoryPlan& run, std::uint64_t limit) {
  run.keeps_turned =
      run.turned_bytes > 0 && run.streamed.empty() && step_bytes(run) + run.turned_bytes <= limit;
  if (run.keeps_turned) {
    run.report.weight_bytes += run.turned_bytes;
    run.report.peak_bytes = std::max(run.report.peak_bytes, step_bytes(run));
  }
}

}  // namespace

MemoryPlan make_memory_plan(Kernels& kernels, const WeightSource& source,
                            const PrecisionPlan& precision, const TextOptions& text,
                            const RunShapes& shapes, const RunMemory& memory) {
  RunShapes largest = shapes;
  largest.shapes = largest_shapes(shapes.shapes);
  largest.single = largest_shapes(shapes.single);
  MemoryPlanner planner(kernels, source, precision, text, largest, memory.bytes());
  MemoryPlan run = planner.plan({});
  if (!memory.may_stream || memory.bytes() == 0) {
    return run;
  }
  // Reserve for the libraries' workspaces, which are unknown to the plan.
  constexpr std::uint64_t kLeastReserve = 8 << 20, kMostReserve = 512 << 20;
  const std::uint64_t reserve = std::clamp(memory.bytes() / 8, kLeastReserve, kMostReserve);
  const std::uint64_t limit = memory.bytes() - std::min(memory.bytes(), reserve);
  const std::vector<WeightSize> of_steps = planner.step_weights(), of_phases = run.phases.weights;
  fit(planner, run, limit, step_bytes, of_steps);
  fit(planner, run, limit, peak_bytes, of_phases);
  keep_turned(run, limit);
  return run;
}

}  // namespace mantissa
