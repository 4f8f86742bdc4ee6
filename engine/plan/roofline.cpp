#include "engine/plan/roofline.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/precision/dtypes.h"
#include "engine/programs/step_program.h"

namespace mantissa {
namespace {

/// Over FP32 buffers: gradient, parameter and two states are read, three of them written, and the
/// gradient once more for the norm and to be zeroed.
constexpr double kUpdateBytes = 36;
constexpr int kUpdateLaunches = 6;

OpCost update_cost(double parameters) {
  return {.bytes = kUpdateBytes * parameters, .launches = kUpdateLaunches};
}

class Pricing {
 public:
  Pricing(const CardSpec& card, const Efficiency& efficiency, bool tf32)
      : card_(card), efficiency_(efficiency), tf32_(tf32) {}

  void add_program(StepProgram& program, Roofline& to) const {
    const Graph& graph = program.graph();
    for (const int index : program.plan().order) {
      const Node& node = graph.nodes()[static_cast<std::size_t>(index)];
      for (const OpCost& cost : op_costs(graph, program.plan(), node)) {
        if (cost.flop > 0) {
          to.floor_ms += 1e3 * cost.flop / peak_flops(card_, cost.operands, tf32_);
        }
        count(cost, to, to.by_kind[static_cast<std::size_t>(cost.kind)]);
      }
    }
  }

  void add_optimizer(double parameters, Roofline& to) const {
    count(update_cost(parameters), to, to.optimizer);
  }

 private:
  void count(const OpCost& cost, Roofline& to, RooflineKind& kind) const {
    const OpTime time = op_time(cost, card_, efficiency_, tf32_);
    kind.ms += time.ms;
    kind.flop += cost.flop;
    kind.bytes += cost.bytes;
    kind.nodes += cost.launches;
    to.ms += time.all();
    to.gap_ms += time.gap_ms;
    to.flop += cost.flop;
    to.bytes += cost.bytes;
    to.nodes += cost.launches;
  }

  const CardSpec& card_;
  const Efficiency& efficiency_;
  bool tf32_;
};

/// The forward and backward of `times` micro-steps.
void multiply(Roofline& step, int times) {
  const auto multiply_each = [times](auto&... values) { ((values *= times), ...); };
  for (RooflineKind& kind : step.by_kind) {
    multiply_each(kind.ms, kind.flop, kind.bytes, kind.nodes);
  }
  multiply_each(step.ms, step.gap_ms, step.floor_ms, step.flop, step.bytes, step.nodes);
}

StepShape largest_shape(const std::vector<StepShape>& shapes) {
  return *std::ranges::max_element(shapes, {}, &StepShape::positions);
}

}  // namespace

double update_ms(double parameters, const CardSpec& card, const Efficiency& efficiency) {
  return op_time(update_cost(parameters), card, efficiency, false).all();
}

Roofline roofline(const JobSpec& job, const CardSpec& card, const Efficiency& efficiency) {
  PlannedRun run = open_run(job, {std::string(card.name), card.capability});
  refuse_conflicts(run.precision);
  const auto kernels = make_backend("cpu");
  plan_memory(run, *kernels, {}, EncodedDataset::Look::headers);
  return roofline(run, card, efficiency);
}

Roofline roofline(const PlannedRun& run, const CardSpec& card, const Efficiency& efficiency) {
  const Preset& preset = run.job.preset;
  const auto kernels = make_backend("cpu");
  TrainedSet adapters = TrainedSet::planning(preset, run.source.family());
  adapters.accompany(run.training_adapters);
  const auto model = DiffusionModel::open_planning(run.source, &adapters, run.precision.rules);
  model->set_text_options(run.text);
  model->bind(model->training_parts(preset));
  Arena arena(*kernels);
  StepProgram program(*kernels, arena, *model, largest_shape(run.shapes.shapes),
                      StepOptions::of(preset));

  Roofline result;
  const Pricing pricing(card, efficiency, preset.precision.compute == ComputeType::tf32);
  pricing.add_program(program, result);
  multiply(result, preset.training.gradient_accumulation);
  double parameters = 0;
  for (const AdapterTensor& tensor : adapters.tensors()) {
    const auto count = static_cast<double>(tensor.tensor->shape.count());
    const DType gradient = tensor.magnitude ? DType::f32 : dtype_of(preset.precision.gradients);
    parameters += count;
    result.gradient_bytes += count * static_cast<double>(dtype_size(gradient));
  }
  pricing.add_optimizer(parameters, result);
  result.peak_bytes = run.report.peak_bytes;
  return result;
}

}  // namespace mantissa
