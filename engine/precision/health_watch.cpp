#include "engine/precision/health_watch.h"

#include <chrono>
#include <map>
#include <string_view>

namespace mantissa {
namespace {

const ValueInfo& info(const Graph& graph, int id) {
  return graph.values()[static_cast<std::size_t>(id)];
}

/// The value whose memory `id` shares: reshapes are views.
int source_of(const Graph& graph, int id) {
  int producer = info(graph, id).producer;
  while (producer >= 0 && graph.nodes()[static_cast<std::size_t>(producer)].op->is_alias()) {
    id = graph.nodes()[static_cast<std::size_t>(producer)].inputs[0];
    producer = info(graph, id).producer;
  }
  return id;
}

bool has_statistics(DType d) {
  return is_float(d) && dtype_size(d) > 1;
}

}  // namespace

HealthWatch::HealthWatch(const Graph& graph, Kernels& kernels)
    : graph_(graph), kernels_(kernels), wanted_(graph.values().size()) {
  std::map<std::string, std::size_t> known;
  for (const Node& node : graph.nodes()) {
    if (node.phase != Phase::forward || node.outputs.empty() || node.op->is_alias()) {
      continue;
    }
    const int id = node.outputs[0];
    const std::string& path = info(graph, id).path;
    if (path.empty() || !has_statistics(info(graph, id).dtype)) {
      continue;
    }
    const auto [at, fresh] = known.emplace(path, layers_.size());
    if (fresh) {
      layers_.emplace_back(path, id);
    } else {
      layers_[at->second].second = id;
    }
  }
  for (const auto& [path, id] : layers_) {
    wanted_[static_cast<std::size_t>(id)].push_back({HealthKind::output, path});
    // A Value is a handle: the graph is only read.
    const Value gradient = graph.gradient(Value(const_cast<Graph*>(&graph), id));
    if (gradient) {
      wanted_[static_cast<std::size_t>(source_of(graph, gradient.id()))].push_back(
          {HealthKind::gradient, path});
    }
  }
}

int HealthWatch::output_of(const std::string& path) const {
  for (const auto& [layer, id] : layers_) {
    if (layer == path) {
      return id;
    }
  }
  return -1;
}

std::vector<std::string> HealthWatch::paths() const {
  std::vector<std::string> result;
  for (const auto& [layer, id] : layers_) {
    result.push_back(layer);
  }
  return result;
}

View HealthWatch::weight_scale(int value) const {
  const ValueInfo& weight = info(graph_, source_of(graph_, value));
  return weight.tensor != nullptr && weight.tensor->quantized() ? weight.tensor->scale_view()
                                                                : View{};
}

void HealthWatch::rows_of(const OpCall& call, std::vector<HealthRow>& rows) const {
  for (std::size_t o = 0; o < call.node.outputs.size(); ++o) {
    const auto& wanted = wanted_[static_cast<std::size_t>(call.node.outputs[o])];
    if (wanted.empty()) {
      continue;
    }
    const View& view = call.out[o];
    const TensorStatistics s = kernels_.tensor_statistics(view, {}, view.dtype, {});
    for (const Wanted& w : wanted) {
      rows.push_back({w.layer, w.kind, view.dtype, s});
    }
  }
  // FP8 GEMMs: inputs x and codes of the weight; outputs y, codes of x and their scale. In the
  // backward pass the weight's scales, which run along the reduction, are applied to the gradient
  // first.
  const std::string_view op = call.node.op->name();
  if (op == "linear_fp8" && call.node.phase == Phase::forward) {
    rows.push_back({call.path, HealthKind::operand, call.out[1].dtype,
                    kernels_.tensor_statistics(call.in[0], {}, call.out[1].dtype, call.out[2])});
  } else if (op == "linear_fp8_backward") {
    rows.push_back({call.path, HealthKind::gradient_operand, call.out[1].dtype,
                    kernels_.tensor_statistics(call.in[0], weight_scale(call.node.inputs[1]),
                                               call.out[1].dtype, call.out[2])});
  }
}

OpWatch HealthWatch::look(HealthRecord& record) const {
  return [this, &record](const OpCall& call) {
    const auto start = std::chrono::steady_clock::now();
    rows_of(call, record.rows);
    record.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return true;
  };
}

}  // namespace mantissa
