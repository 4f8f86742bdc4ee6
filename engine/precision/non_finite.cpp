#include "engine/precision/non_finite.h"

#include <algorithm>
#include <string_view>

#include "engine/graph/channels.h"
#include "engine/graph/device_values.h"

namespace mantissa {
namespace {

bool is_readable(DType d) {
  return is_float(d) && dtype_size(d) > 1;
}

const char* phase_name(Phase phase) {
  return phase == Phase::forward ? "forward" : phase == Phase::recompute ? "recompute" : "backward";
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph) {}

  /// True if `report` was filled.
  bool find(const OpCall& call, NonFiniteReport& report) {
    kernels_ = &call.kernels;
    if (is_conversion(call)) {
      return false;
    }
    for (std::size_t o = 0; o < call.out.size(); ++o) {
      const std::int64_t bad = count(call.out[o]);
      if (bad == 0) {
        continue;
      }
      const View& view = call.out[o];
      report.layer = layer_of(call, o);
      report.op = call.node.op->name();
      report.phase = phase_name(call.node.phase);
      report.tensor = o > 0                                ? message<"saved values">()
                      : call.node.phase == Phase::backward ? message<"gradient">()
                                                           : message<"output">();
      report.format = view.dtype;
      report.format_max = float_format(view.dtype).max;
      report.non_finite = bad;
      report.count = view.count();
      report.last_amax = largest_input(call);
      blame_source(call, report);
      return true;
    }
    return false;
  }

 private:
  std::int64_t count(const View& view) const {
    if (!view || !is_readable(view.dtype)) {
      return 0;
    }
    if (view.contiguous()) {
      return kernels_->count_non_finite(view);
    }
    const DeviceArray slice(*kernels_, view.shape, view.dtype);
    kernels_->copy(view, slice.view());
    return kernels_->count_non_finite(slice.view());
  }

  /// It reads many modules' adapters at once: the first op of one of them identifies the module.
  static bool is_conversion(const OpCall& call) {
    const std::string_view op = call.node.op->name();
    return op == "read_buffer" || op == "dora_factors";
  }

  static bool overwritten(const OpCall& call, const View& in) {
    return std::any_of(call.out.begin(), call.out.end(),
                       [&](const View& out) { return out.data == in.data; });
  }

  double largest_input(const OpCall& call) const {
    double largest = 0;
    for (const View& in : call.in) {
      if (in && is_readable(in.dtype) && !overwritten(call, in)) {
        largest = std::max(largest, kernels_->tensor_statistics(in, {}, in.dtype, {}).amax);
      }
    }
    return largest;
  }

  /// Weights and the step's inputs come from files: no earlier op caused it.
  void blame_source(const OpCall& call, NonFiniteReport& report) const {
    for (std::size_t i = 0; i < call.in.size(); ++i) {
      if (!call.in[i] || overwritten(call, call.in[i])) {
        continue;
      }
      const ValueInfo& value = source(call.node.inputs[i]);
      if (value.kind == ValueKind::activation) {
        continue;
      }
      const std::int64_t bad = count_in(value.tensor, call.in[i]);
      if (bad > 0) {
        const Tensor* const part = part_of(value.tensor, call.in[i]);
        const std::string& name = part != nullptr ? part->name : value.path;
        report.tensor = value.tensor == nullptr    ? message<"input {name}">(name)
                        : !value.tensor->trainable ? message<"weight {name}">(name)
                                                   : message<"adapter {name}">(name);
        if (part != value.tensor) {
          report.layer = part->layer_path();
        }
        report.format = call.in[i].dtype;
        report.format_max = float_format(report.format).max;
        report.non_finite = bad;
        report.count = call.in[i].count();
        report.last_amax = 0;
        return;
      }
    }
  }

  /// The module that made output `o`: if several made it together, the first with such a value.
  std::string layer_of(const OpCall& call, std::size_t o) const {
    for (const Node& node : graph_.nodes()) {
      if (!node.op->is_alias() || node.outputs.size() < 2 ||
          node.inputs[0] != call.node.outputs[o]) {
        continue;
      }
      std::int64_t begin = 0;
      for (const int id : node.outputs) {
        const ValueInfo& slice = graph_.values()[static_cast<std::size_t>(id)];
        if (count(channels_of(call.out[o], begin, slice.shape.cols())) > 0) {
          return slice.path;
        }
        begin += slice.shape.cols();
      }
    }
    return call.path;
  }

  std::int64_t count_in(const Tensor* tensor, const View& in) const {
    return tensor != nullptr && tensor->quantized() ? count_codes(*tensor) : count(in);
  }

  /// The first of the tensors that `in` holds together with a value that isn't finite; `tensor` if
  /// it is one.
  const Tensor* part_of(const Tensor* tensor, const View& in) const {
    if (tensor == nullptr || tensor->parts.empty()) {
      return tensor;
    }
    View rows = in;
    for (const Tensor* part : tensor->parts) {
      rows.shape[0] = part->shape[0];
      if (count_in(part, rows) > 0) {
        return part;
      }
      rows.data = rows.as<std::byte>() +
                  static_cast<std::size_t>(rows.rows() * rows.row_stride) * dtype_size(rows.dtype);
    }
    return tensor;
  }

  const ValueInfo& source(int id) const {
    const ValueInfo* value = &graph_.values()[static_cast<std::size_t>(id)];
    while (value->producer >= 0 &&
           graph_.nodes()[static_cast<std::size_t>(value->producer)].op->is_alias()) {
      const Node& node = graph_.nodes()[static_cast<std::size_t>(value->producer)];
      // A part of a converted buffer has its tensor as the input after the buffer.
      value = &graph_.values()[static_cast<std::size_t>(node.inputs.back())];
    }
    return *value;
  }

  std::int64_t count_codes(const Tensor& tensor) const {
    const Shape matrix{tensor.shape[0], tensor.shape.count() / tensor.shape[0]};
    const DeviceArray values(*kernels_, matrix);
    const WeightOnDevice weight(*kernels_, tensor);
    kernels_->dequantize(View(weight->data, tensor.dtype, matrix), weight->scale_view(),
                         values.view());
    return kernels_->count_non_finite(values.view());
  }

  const Graph& graph_;
  Kernels* kernels_ = nullptr;  ///< of the call
};

}  // namespace

OpWatch watch_non_finite(const Graph& graph, NonFiniteReport& report) {
  return [finder = Finder(graph), &report](const OpCall& call) mutable {
    return !finder.find(call, report);
  };
}

}  // namespace mantissa
