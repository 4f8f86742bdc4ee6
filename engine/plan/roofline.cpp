#include "engine/plan/roofline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/precision/dtypes.h"
#include "engine/programs/step_program.h"

namespace mantissa {
namespace {

double peak_flops(const CardSpec& card, DType operands, bool tf32) {
  double tflops = card.half_tflops;
  if (operands == DType::f8_e4m3 || operands == DType::f8_e5m2) {
    tflops = card.fp8_tflops > 0 ? card.fp8_tflops : card.half_tflops;
  } else if (is_int8(operands)) {
    tflops = card.int8_tops;
  } else if (operands == DType::f32) {
    tflops = tf32 ? card.tf32_tflops : card.fp32_tflops;
  }
  return tflops * 1e12;
}

double share_of_peak(const Efficiency& e, CostKind kind) {
  switch (kind) {
    case CostKind::gemm:
      return e.gemm;
    case CostKind::skinny_gemm:
      return e.skinny_gemm;
    case CostKind::convolution:
      return e.convolution;
    case CostKind::attention:
      return e.attention;
    default:
      return 1;
  }
}

/// Share of processors with a tile of the GEMM, with long reductions split over several.
double filled(const OpCost& cost, const CardSpec& card) {
  if (cost.kind == CostKind::attention || cost.m == 0) {
    return 1;
  }
  constexpr std::int64_t kTile = 128, kSplit = 1024;
  const auto pieces = [](std::int64_t size, std::int64_t of) { return (size + of - 1) / of; };
  const double tiles = static_cast<double>(pieces(cost.m, kTile) * pieces(cost.n, kTile) *
                                           cost.batch * std::max<std::int64_t>(1, cost.k / kSplit));
  return tiles / (std::ceil(tiles / card.processors) * card.processors);
}

double memory_seconds(double bytes, const CardSpec& card, const Efficiency& efficiency) {
  return bytes / (card.copy_gb_per_s * 1e9 * efficiency.copy);
}

/// Without its launches.
double work_seconds(const OpCost& cost, const CardSpec& card, const Efficiency& efficiency,
                    bool tf32) {
  const double memory = memory_seconds(cost.bytes, card, efficiency);
  if (cost.flop <= 0) {
    return memory;
  }
  const double coding =
      std::max(memory_seconds(cost.coding_bytes, card, efficiency),
               cost.coding_bytes / (1e9 * efficiency.coding_gb_per_s * card.processors));
  const double rate = peak_flops(card, cost.operands, tf32) * share_of_peak(efficiency, cost.kind) *
                      filled(cost, card);
  return std::max({memory, cost.flop / rate, 1e-6 * efficiency.gemm_us}) + coding;
}

double all_ms(double seconds, int launches, const Efficiency& efficiency) {
  return 1e3 * seconds + 1e-3 * efficiency.launch_us * launches;
}

/// Over FP32 buffers: gradient, parameter and two states are read, three of them written, and the
/// gradient once more for the norm and to be zeroed.
constexpr double kUpdateBytes = 36;
constexpr int kUpdateLaunches = 6;

class Pricing {
 public:
  Pricing(const CardSpec& card, const Efficiency& efficiency, bool tf32)
      : card_(card), efficiency_(efficiency), tf32_(tf32) {}

  void add_program(StepProgram& program, Roofline& to) const {
    const Graph& graph = program.graph();
    for (const int index : program.plan().order) {
      const Node& node = graph.nodes()[static_cast<std::size_t>(index)];
      if (const auto cost = op_cost(graph, program.plan(), node)) {
        add(*cost, to);
      }
    }
  }

  void add_optimizer(double parameters, Roofline& to) const {
    const double bytes = kUpdateBytes * parameters;
    count(to, to.optimizer, memory_seconds(bytes, card_, efficiency_), 0, bytes, kUpdateLaunches);
  }

 private:
  void add(const OpCost& cost, Roofline& to) const {
    if (cost.flop > 0) {
      to.floor_ms += 1e3 * cost.flop / peak_flops(card_, cost.operands, tf32_);
    }
    count(to, to.by_kind[static_cast<std::size_t>(cost.kind)],
          work_seconds(cost, card_, efficiency_, tf32_), cost.flop, cost.bytes + cost.coding_bytes,
          cost.launches);
  }

  void count(Roofline& to, RooflineKind& kind, double seconds, double flop, double bytes,
             int launches) const {
    const double ms = all_ms(seconds, launches, efficiency_);
    kind.ms += ms;
    kind.flop += flop;
    kind.bytes += bytes;
    kind.nodes += launches;
    to.ms += ms;
    to.flop += flop;
    to.bytes += bytes;
    to.nodes += launches;
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
  multiply_each(step.ms, step.floor_ms, step.flop, step.bytes, step.nodes);
}

StepShape largest_shape(const std::vector<StepShape>& shapes) {
  return *std::ranges::max_element(shapes, {}, &StepShape::positions);
}

}  // namespace

double op_ms(const OpCost& cost, const CardSpec& card, const Efficiency& efficiency, bool tf32) {
  return all_ms(work_seconds(cost, card, efficiency, tf32), cost.launches, efficiency);
}

double update_ms(double parameters, const CardSpec& card, const Efficiency& efficiency) {
  return all_ms(memory_seconds(kUpdateBytes * parameters, card, efficiency), kUpdateLaunches,
                efficiency);
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
