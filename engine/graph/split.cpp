// Equal slices of channels without copying: their readers accept strided rows.
#include "engine/graph/channels.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

/// Tensors side by side as the channels of one; zeros for an absent one.
class JoinChannelsOp final : public Op {
 public:
  explicit JoinChannelsOp(std::size_t count) : count_(static_cast<int>(count)) {}
  const char* name() const override { return "join_channels"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    const std::int64_t width = out[0].cols() / static_cast<std::int64_t>(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const View to = channels_of(out[0], static_cast<std::int64_t>(i) * width, width);
      if (in[i]) {
        k.copy(in[i], to);
      } else {
        k.fill(to, 0.0F);
      }
    }
  }
  bool takes_slice(int) const override { return true; }
  void backward(Backward& b) const override {
    // A single part is a copy: its gradient is whole, and no slice of another tensor.
    const std::vector<Value> d =
        count_ > 1 ? split_channels(b.grad(), count_) : std::vector{b.grad()};
    for (int i = 0; i < count_; ++i) {
      if (b.needs(i)) {
        b.add(i, d[static_cast<std::size_t>(i)]);
      }
    }
  }

 private:
  int count_;
};

class SplitChannelsOp final : public Op {
 public:
  explicit SplitChannelsOp(std::int64_t part_bytes) : part_bytes_(part_bytes) {}
  const char* name() const override { return "split_channels"; }
  void run(Kernels&, const Views&, const Views&, const RunContext&) const override {}
  bool is_alias() const override { return true; }
  std::int64_t alias_offset(int output) const override { return output * part_bytes_; }

  void backward(Backward& b) const override {
    const Shape shape = b.input(0).shape();
    const std::int64_t width = b.output(0).shape().cols();
    std::vector<Value> parts;
    for (int i = 0; i < shape.cols() / width; ++i) {
      parts.push_back(b.grad(i));
    }
    // A backward op that wrote the parts side by side has already made the whole.
    if (is_whole_split(parts)) {
      const ValueInfo& part = b.graph().values()[static_cast<std::size_t>(parts[0].id())];
      const Node& split = b.graph().nodes()[static_cast<std::size_t>(part.producer)];
      b.add(0, {&b.graph(), split.inputs[0]});
    } else {
      b.add(0, b.graph().record(std::make_shared<JoinChannelsOp>(parts.size()), parts,
                                {{shape, b.input(0).dtype()}})[0]);
    }
  }

 private:
  std::int64_t part_bytes_;
};

}  // namespace

bool is_whole_split(const std::vector<Value>& parts) {
  if (parts.empty() || !parts[0]) {
    return false;
  }
  const Graph& graph = parts[0].graph();
  const int producer = graph.values()[static_cast<std::size_t>(parts[0].id())].producer;
  if (producer < 0) {
    return false;
  }
  const Node& split = graph.nodes()[static_cast<std::size_t>(producer)];
  bool whole = split.outputs.size() == parts.size() &&
               dynamic_cast<const SplitChannelsOp*>(split.op.get()) != nullptr;
  for (std::size_t i = 0; whole && i < parts.size(); ++i) {
    whole = parts[i] && parts[i].id() == split.outputs[i];
  }
  return whole;
}

Value join_channels(const std::vector<Value>& parts) {
  const Value first = parts.at(0);
  Shape shape = first.shape();
  for (const Value& part : parts) {
    check_same_dtype("join_channels", {first, part});
    check_op(part.shape() == shape, "join_channels", first,
             "shapes differ: " + describe(first) + " and " + describe(part));
  }
  shape[shape.rank() - 1] *= static_cast<std::int64_t>(parts.size());
  return first.graph().record(std::make_shared<JoinChannelsOp>(parts.size()), parts,
                              {{shape, first.dtype()}})[0];
}

std::vector<Value> split_channels(Value x, int count) {
  check_op(count > 0 && x.shape().cols() % count == 0, "split_channels", x,
           std::to_string(count) + " parts don't divide the channels of " + describe(x));
  Shape part = x.shape();
  part[part.rank() - 1] /= count;
  const std::int64_t width = part.cols();
  const std::vector<OutputSpec> outputs(
      static_cast<std::size_t>(count),
      {part, x.dtype(), x.shape().rows() > 1 ? x.shape().cols() : 0});
  return x.graph().record(
      std::make_shared<SplitChannelsOp>(width * static_cast<std::int64_t>(dtype_size(x.dtype()))),
      {x}, outputs);
}

}  // namespace mantissa
