// Slices of channels without copying: their readers accept strided rows.
#include <algorithm>
#include <numeric>

#include "engine/graph/channels.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

using Widths = std::vector<std::int64_t>;

/// Tensors side by side as the channels of one; zeros for an absent one.
class JoinChannelsOp final : public Op {
 public:
  explicit JoinChannelsOp(Widths widths) : widths_(std::move(widths)) {}
  const char* name() const override { return "join_channels"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const View to = channels_of(out[0], begin, widths_[i]);
      begin += widths_[i];
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
        widths_.size() > 1 ? split_channels(b.grad(), widths_) : std::vector{b.grad()};
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (b.needs(static_cast<int>(i))) {
        b.add(static_cast<int>(i), d[i]);
      }
    }
  }

 private:
  Widths widths_;
};

class SplitChannelsOp final : public Op {
 public:
  SplitChannelsOp(Widths widths, DType dtype)
      : widths_(std::move(widths)), item_bytes_(static_cast<std::int64_t>(dtype_size(dtype))) {}
  const char* name() const override { return "split_channels"; }
  void run(Kernels&, const Views&, const Views&, const RunContext&) const override {}
  bool is_alias() const override { return true; }
  std::int64_t alias_offset(int output) const override {
    return std::accumulate(widths_.begin(), widths_.begin() + output, std::int64_t{0}) *
           item_bytes_;
  }

  void backward(Backward& b) const override {
    const Shape shape = b.input(0).shape();
    std::vector<Value> parts;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      parts.push_back(b.grad(static_cast<int>(i)));
    }
    // A backward op that wrote the parts side by side has already made the whole.
    if (is_whole_split(parts)) {
      const ValueInfo& part = b.graph().values()[static_cast<std::size_t>(parts[0].id())];
      const Node& split = b.graph().nodes()[static_cast<std::size_t>(part.producer)];
      b.add(0, {&b.graph(), split.inputs[0]});
    } else {
      b.add(0, b.graph().record(std::make_shared<JoinChannelsOp>(widths_), parts,
                                {{shape, b.input(0).dtype()}})[0]);
    }
  }

 private:
  Widths widths_;
  std::int64_t item_bytes_;
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
  Widths widths;
  for (const Value& part : parts) {
    check_same_dtype("join_channels", {first, part});
    Shape same = part.shape();
    widths.push_back(same.cols());
    same[same.rank() - 1] = first.shape().cols();
    check_op(same == first.shape(), "join_channels", first,
             [&] { return "shapes differ: " + describe(first) + " and " + describe(part); });
  }
  shape[shape.rank() - 1] = std::accumulate(widths.begin(), widths.end(), std::int64_t{0});
  return first.graph().record(std::make_shared<JoinChannelsOp>(std::move(widths)), parts,
                              {{shape, first.dtype()}})[0];
}

std::vector<Value> split_channels(Value x, int count) {
  check_op(count > 0 && x.shape().cols() % count == 0, "split_channels", x, [&] {
    return std::to_string(count) + " parts don't divide the channels of " + describe(x);
  });
  return split_channels(x, Widths(static_cast<std::size_t>(count), x.shape().cols() / count));
}

std::vector<Value> split_channels(Value x, const Widths& widths) {
  const auto sum = std::accumulate(widths.begin(), widths.end(), std::int64_t{0});
  check_op(sum == x.shape().cols() && *std::min_element(widths.begin(), widths.end()) > 0,
           "split_channels", x, [&] {
             return "parts of " + std::to_string(sum) + " channels don't make up " + describe(x);
           });
  std::vector<OutputSpec> outputs;
  for (const std::int64_t width : widths) {
    Shape part = x.shape();
    part[part.rank() - 1] = width;
    outputs.push_back({part, x.dtype(), x.shape().rows() > 1 ? x.shape().cols() : 0});
  }
  return x.graph().record(std::make_shared<SplitChannelsOp>(widths, x.dtype()), {x}, outputs);
}

}  // namespace mantissa
