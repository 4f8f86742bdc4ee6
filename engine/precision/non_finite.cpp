#include "engine/precision/non_finite.h"

#include <algorithm>
#include <string_view>

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
  Finder(const Graph& graph, Kernels& kernels) : graph_(graph), kernels_(kernels) {}

  /// True if `report` was filled.
  bool find(const OpCall& call, NonFiniteReport& report) const {
    if (is_conversion(call)) {
      return false;
    }
    for (std::size_t o = 0; o < call.out.size(); ++o) {
      const std::int64_t bad = count(call.out[o]);
      if (bad == 0) {
        continue;
      }
      const View& view = call.out[o];
      report.layer = call.path;
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
    return is_readable(view.dtype) && view ? kernels_.count_non_finite(view) : 0;
  }

  /// It converts many modules' adapters at once: the first op that reads one identifies the module.
  static bool is_conversion(const OpCall& call) {
    return std::string_view(call.node.op->name()) == "read_buffer";
  }

  static bool overwritten(const OpCall& call, const View& in) {
    return std::any_of(call.out.begin(), call.out.end(),
                       [&](const View& out) { return out.data == in.data; });
  }

  double largest_input(const OpCall& call) const {
    double largest = 0;
    for (const View& in : call.in) {
      if (in && is_readable(in.dtype) && !overwritten(call, in)) {
        largest = std::max(largest, kernels_.tensor_statistics(in, {}, in.dtype, {}).amax);
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
      const std::int64_t bad = value.tensor != nullptr && value.tensor->quantized()
                                   ? count_codes(*value.tensor)
                                   : count(call.in[i]);
      if (bad > 0) {
        report.tensor = value.tensor == nullptr    ? message<"input {name}">(value.path)
                        : !value.tensor->trainable ? message<"weight {name}">(value.path)
                                                   : message<"adapter {name}">(value.path);
        report.format = call.in[i].dtype;
        report.format_max = float_format(report.format).max;
        report.non_finite = bad;
        report.count = call.in[i].count();
        report.last_amax = 0;
        return;
      }
    }
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
    const DeviceArray values(kernels_, matrix);
    kernels_.dequantize(View(tensor.data, tensor.dtype, matrix), tensor.scale_view(),
                        values.view());
    return kernels_.count_non_finite(values.view());
  }

  const Graph& graph_;
  Kernels& kernels_;
};

}  // namespace

OpWatch watch_non_finite(const Graph& graph, Kernels& kernels, NonFiniteReport& report) {
  return [finder = Finder(graph, kernels), &report](const OpCall& call) {
    return !finder.find(call, report);
  };
}

}  // namespace mantissa
