#include "engine/precision/health_watch.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <stdexcept>
#include <string_view>

#include "engine/graph/channels.h"
#include "engine/graph/source_of.h"

namespace mantissa {
namespace {

const ValueInfo& info(const Graph& graph, int id) {
  return graph.values()[static_cast<std::size_t>(id)];
}

bool has_statistics(DType d) {
  return is_float(d) && dtype_size(d) > 1;
}

}  // namespace

void StatisticsQueue::add(Kernels& kernels, const View& x, const View& column_factor, DType format,
                          const View& scale) {
  kernels.queue_statistics(x, column_factor, format, scale);
  order_.push_back(&kernels);
}

std::vector<TensorStatistics> StatisticsQueue::take() {
  std::map<Kernels*, std::deque<TensorStatistics>> taken;
  std::vector<TensorStatistics> all;
  for (Kernels* kernels : order_) {
    const auto [of_device, fresh] = taken.try_emplace(kernels);
    if (fresh) {
      const std::vector<TensorStatistics> queued = kernels->take_statistics();
      of_device->second.assign(queued.begin(), queued.end());
    }
    if (!of_device->second.empty()) {
      all.push_back(of_device->second.front());
      of_device->second.pop_front();
    }
  }
  order_.clear();
  return all;
}

HealthWatch::HealthWatch(const Graph& graph) : graph_(graph), wanted_(graph.values().size()) {
  std::map<std::string, std::size_t> known;
  for (const Node& node : graph.nodes()) {
    if (node.phase != Phase::forward || node.outputs.empty()) {
      continue;
    }
    // The first output is the module's; slices of one GEMM's result belong to several modules.
    const bool slices = info(graph, node.outputs[0]).row_stride > 0;
    if (node.op->is_alias() && !slices) {
      continue;
    }
    for (const int id : slices ? node.outputs : std::vector{node.outputs[0]}) {
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
  }
  for (const auto& [path, id] : layers_) {
    want(id, HealthKind::output, path);
    // A Value is a handle: the graph is only read.
    const Value gradient = graph.gradient(Value(const_cast<Graph*>(&graph), id));
    if (gradient) {
      want(gradient.id(), HealthKind::gradient, path);
    }
  }
}

void HealthWatch::want(int value, HealthKind kind, const std::string& layer) {
  wanted_[static_cast<std::size_t>(source_of(graph_, value))].push_back({kind, layer, value});
}

View HealthWatch::view_of(const Wanted& wanted, const View& written) const {
  const ValueInfo& value = info(graph_, wanted.value);
  if (value.row_stride == 0) {
    return written;
  }
  const Node& split = graph_.nodes()[static_cast<std::size_t>(value.producer)];
  const auto place = std::ranges::find(split.outputs, wanted.value) - split.outputs.begin();
  return channels_of(written, place * value.shape.cols(), value.shape.cols());
}

std::vector<std::pair<std::string, View>> HealthWatch::outputs_of(const OpCall& call) const {
  std::vector<std::pair<std::string, View>> outputs;
  for (std::size_t o = 0; o < call.node.outputs.size(); ++o) {
    for (const Wanted& w : wanted_[static_cast<std::size_t>(call.node.outputs[o])]) {
      if (w.kind == HealthKind::output) {
        outputs.emplace_back(w.layer, view_of(w, call.out[o]));
      }
    }
  }
  return outputs;
}

std::vector<std::string> HealthWatch::paths() const {
  std::vector<std::string> result;
  for (const auto& [layer, id] : layers_) {
    result.push_back(layer);
  }
  return result;
}

void HealthWatch::rows_of(const OpCall& call, std::vector<HealthRow>& rows,
                          StatisticsQueue& queue) const {
  for (std::size_t o = 0; o < call.node.outputs.size(); ++o) {
    for (const Wanted& w : wanted_[static_cast<std::size_t>(call.node.outputs[o])]) {
      const View view = view_of(w, call.out[o]);
      queue.add(call.kernels, view, {}, view.dtype, {});
      rows.push_back({w.layer, w.kind, view.dtype, {}});
    }
  }
  rows_of_codes(call, rows, queue);
}

/// GEMMs of codes: inputs x and codes of the weight; outputs y, codes of x and their scales. In the
/// backward pass the weight's scales, which run along the reduction, are applied to the gradient
/// first; of several layers together each has its own, unless they are encoded as one.
void HealthWatch::rows_of_codes(const OpCall& call, std::vector<HealthRow>& rows,
                                StatisticsQueue& queue) const {
  const std::string_view op = call.node.op->name();
  const bool backward = op == "linear_fp8_backward" || op == "linear_int8_backward";
  if (!backward &&
      ((op != "linear_fp8" && op != "linear_int8") || call.node.phase != Phase::forward)) {
    return;
  }
  const Tensor* weight = info(graph_, source_of(graph_, call.node.inputs[1])).tensor;
  const DType dtype = call.out[1].dtype;
  const std::int64_t count = weight->layers();
  const std::int64_t width = call.in[0].cols() / count;
  const bool apart = call.node.op->products() > 1;
  View weight_scale = weight->scale_view();
  weight_scale.shape[0] /= count;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string path = weight->parts.empty()
                                 ? call.path
                                 : weight->parts[static_cast<std::size_t>(i)]->layer_path();
    if (backward) {
      queue.add(call.kernels, channels_of(call.in[0], i * width, width), weight_scale, dtype,
                call.out[static_cast<std::size_t>(2 + (apart ? i : 0))]);
      weight_scale.data = weight_scale.as<float>() + weight_scale.count();
      rows.push_back({path, HealthKind::gradient_operand, dtype, {}});
    } else {
      queue.add(call.kernels, call.in[0], {}, dtype, call.out[2]);
      rows.push_back({path, HealthKind::operand, dtype, {}});
    }
  }
}

OpWatch HealthWatch::look(HealthRecord& record, StatisticsQueue& queue) const {
  return [this, &record, &queue](const OpCall& call) {
    const auto start = std::chrono::steady_clock::now();
    rows_of(call, record.rows, queue);
    record.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return true;
  };
}

void take_statistics(StatisticsQueue& queue, HealthRecord& record) {
  const std::vector<TensorStatistics> taken = queue.take();
  if (taken.size() != record.rows.size()) {
    throw std::logic_error("layer statistics: " + std::to_string(taken.size()) + " taken for " +
                           std::to_string(record.rows.size()) + " rows");
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    record.rows[i].statistics = taken[i];
  }
}

}  // namespace mantissa
