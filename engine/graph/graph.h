#pragma once
// Model code looks eager and records ops; nothing runs while recording. Every op checks dtypes and
// shapes when it is recorded: there is no promotion, so a mismatch is a planning error.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/tensor.h"
#include "kernels/kernels.h"

namespace mantissa {

class Graph;
class Backward;
struct Node;

/// A handle on a recorded tensor. Cheap to copy; valid as long as its graph.
class Value {
 public:
  Value() = default;
  Value(Graph* graph, int id) : graph_(graph), id_(id) {}
  explicit operator bool() const { return graph_ != nullptr; }
  Graph& graph() const { return *graph_; }
  int id() const { return id_; }
  const Shape& shape() const;
  DType dtype() const;
  bool needs_grad() const;

 private:
  Graph* graph_ = nullptr;
  int id_ = -1;
};

/// One contribution to a trainable tensor's gradient.
struct GradientTerm {
  Tensor* tensor = nullptr;
  Shape shape;        ///< of the term; same number of values as the tensor
  bool last = false;  ///< completes the gradient
};

/// The values that differ between executions of a recorded step.
struct RunContext {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
};

/// One recorded operation, immutable. Forward (`run`) and `backward` are in one file.
class Op {
 public:
  virtual ~Op() = default;
  virtual const char* name() const = 0;
  /// `in` and `out` are the views of the node's inputs and outputs; an absent optional input is an
  /// empty View.
  virtual void run(Kernels& kernels, const std::vector<View>& in, const std::vector<View>& out,
                   const RunContext& context) const = 0;
  /// Emits the ops of the gradient into the graph through `b`. Ops recorded only by a backward
  /// pass, and ops on data alone (noise, timesteps), have none.
  virtual void backward(Backward&) const {}
  /// True if output 0 may overwrite input `i` (same bytes, input dead afterwards).
  virtual bool may_overwrite(int input) const { return false; }
  /// True for ops whose outputs are memory of input 0 (reshape): nothing runs.
  virtual bool is_alias() const { return false; }
  /// Where such an output begins in input 0, in bytes.
  virtual std::int64_t alias_offset(int /*output*/) const { return 0; }
  /// True if input `i` may be a slice of channels of a wider tensor, its rows strided.
  virtual bool takes_slice(int /*input*/) const { return false; }
  /// MatmulOptions::blocks of a GEMM.
  virtual int blocks() const { return 1; }
  /// How many GEMMs `run` makes, of the parts of a weight or of several weights.
  virtual int products() const { return 1; }
  /// True for cheap ops on persistent tensors (a widened weight): the backward pass recomputes the
  /// value instead of keeping it from the forward pass.
  virtual bool repeat_in_backward() const { return false; }
  /// True for ops that cost little beside a GEMM on the same values (norms, activations): see
  /// Graph::repeat_cheap_ops.
  virtual bool cheap_to_repeat() const { return false; }
  /// The tensor of codes that output 0 is decoded from; null for all other ops.
  virtual const Tensor* decodes() const { return nullptr; }
  /// True if `run` accepts codes with View::scale for `input`, on a backend that decodes
  /// weights.
  virtual bool takes_codes(int /*input*/) const { return false; }
  /// True for ops that multiply codes, if outputs 1 and 2 are those of input 0 and a scale for each
  /// of its rows, and can be made earlier: `run` leaves both as they are if input 0 is absent.
  virtual bool encodes() const { return false; }
  /// What such an op multiplies the columns of input 0 by; absent: nothing.
  virtual View encoding_factor() const { return {}; }
  /// True if the op can give output 0 as such codes.
  virtual bool gives_codes() const { return false; }
  /// As `run` and then the encoding by Kernels::quantize, bit for bit, without writing output 0.
  virtual void run_to_codes(Kernels& /*kernels*/, const std::vector<View>& /*in*/,
                            const View& /*factor*/, const View& /*codes*/,
                            const View& /*scale*/) const {}
  /// True if `run` does host work, so that it can't be replayed from a recording.
  virtual bool calls_host() const { return false; }
  /// Bytes that `run` reads and writes besides its inputs and outputs.
  virtual double other_bytes() const { return 0; }
  /// True for ops that must run although no output is read (gradient accumulation).
  virtual bool has_side_effect() const { return false; }
  /// A tensor whose gradient it adds to; null for all other ops.
  virtual const Tensor* adds_to() const { return nullptr; }
  /// The variant of this op that, given `node`'s inputs, accumulates output 0 into a gradient
  /// instead of returning it; null if there is none.
  virtual std::shared_ptr<const Op> accumulating(const Node& /*node*/,
                                                 const GradientTerm& /*term*/) const {
    return nullptr;
  }
};

enum class ValueKind : std::uint8_t { absent, input, tensor, activation };

struct ValueInfo {
  ValueKind kind = ValueKind::activation;
  DType dtype = DType::f32;
  Shape shape;
  bool needs_grad = false;
  int producer = -1;         ///< node index, -1 for inputs and tensors
  Tensor* tensor = nullptr;  ///< for ValueKind::tensor
  std::string path;          ///< module path being recorded, or the input's name
  /// Elements from row to row of a slice of channels (split_channels); 0 if rows are packed.
  std::int64_t row_stride = 0;
};

/// Why an op is in a step: recorded by model code, recomputed for the backward pass, or part of a
/// gradient.
enum class Phase : std::uint8_t { forward, recompute, backward };

/// What a checkpointing segment covers; none of them is of the scope `none`.
enum class SegmentScope : std::uint8_t { block, feed_forward, none };

struct Node {
  std::shared_ptr<const Op> op;
  std::vector<int> inputs;  ///< value ids, -1 if an optional input is absent
  std::vector<int> outputs;
  int segment = -1;  ///< checkpointing segment, -1 outside
  Phase phase = Phase::forward;
};

struct OutputSpec {
  Shape shape;
  DType dtype;
  std::int64_t row_stride = 0;  ///< see ValueInfo
};

class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// A tensor fed before each run under `name`; the same Value for the same name.
  Value input(const std::string& name, DType dtype, const Shape& shape, bool needs_grad = false);
  /// A persistent tensor; the same Value for the same Tensor.
  Value use(Tensor& tensor);
  /// On the first call for `tensor`, records `make`; later calls return the same Value. Outside any
  /// segment and module: computed once per run, for all readers.
  Value once(const Tensor& tensor, const std::function<Value()>& make);
  /// Records `make` as `once` does, for several values.
  std::vector<Value> once_all(const Tensor& tensor,
                              const std::function<std::vector<Value>()>& make);
  /// Keeps `value` readable after a run under `name`.
  void output(const std::string& name, Value value);

  /// Records `op`; outputs need gradients if any input does. Called by the functions of ops.h.
  std::vector<Value> record(std::shared_ptr<const Op> op, const std::vector<Value>& inputs,
                            const std::vector<OutputSpec>& outputs);

  /// Emits the backward of `loss` (a scalar). Each trainable tensor's gradient is accumulated into
  /// Tensor::grad. With `checkpointing`, each segment's forward is recorded again before its
  /// backward, so that only the segment's inputs are kept. `seed_gradient` [] is d_loss (a loss
  /// scale); absent means 1.
  void backward(Value loss, bool checkpointing, Value seed_gradient = {});
  /// The gradient of an input made with needs_grad, after backward. Absent if none reached it.
  Value gradient(Value value) const;

  /// Ops recorded between begin and end form one checkpointing segment if it is of the graph's
  /// scope; others are ignored. Segments of one scope don't nest.
  void begin_segment(SegmentScope scope);
  void end_segment(SegmentScope scope);
  /// The scope of the segments recorded from now on. Initially whole blocks.
  void set_segment_scope(SegmentScope scope) { segment_scope_ = scope; }
  /// The backward pass recomputes the results of cheap ops (Op::cheap_to_repeat) that it reads,
  /// instead of keeping them. Off initially.
  void repeat_cheap_ops(bool on) { repeats_cheap_ = on; }

  /// Ops recorded in between are outside the open segment: values that are cheap to keep and need
  /// no recomputation. Returns the open segment, for reenter_segment.
  int leave_segment();
  void reenter_segment(int segment) { segment_ = segment; }

  /// The module path used in messages while recording.
  void set_path(std::string path) { path_ = std::move(path); }
  const std::string& path() const { return path_; }
  /// The path of one value, for ops that give the results of several modules.
  void set_path(Value value, std::string path) {
    values_[static_cast<std::size_t>(value.id())].path = std::move(path);
  }

  const std::deque<ValueInfo>& values() const { return values_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::map<std::string, int>& inputs() const { return inputs_; }
  const std::map<std::string, int>& outputs() const { return outputs_; }

 private:
  friend class Backward;
  int clone_node(int node, std::map<int, int>& replaced);
  int repeated(int value, bool cheap);
  bool repeats_cheaply(const Node& node) const;
  std::deque<ValueInfo> values_;  ///< Value::shape() refers into it while more is recorded
  std::vector<Node> nodes_;
  std::map<std::string, int> inputs_, outputs_;
  std::map<const Tensor*, int> tensors_;
  std::map<const Tensor*, std::vector<int>> once_;
  std::map<int, int> gradients_;  ///< value id -> gradient value id, after backward
  std::map<int, int> repeats_;    ///< value id -> its repetition, of cheap ops
  std::string path_;
  int segment_ = -1;
  int segment_count_ = 0;
  SegmentScope segment_scope_ = SegmentScope::block;
  bool repeats_cheap_ = false;
  Phase phase_ = Phase::forward;
};

/// The arguments of an op's backward: its values (recomputed ones under checkpointing), the
/// gradients of its outputs, and where to put those of its inputs.
class Backward {
 public:
  /// Input or output `i` of the forward op; absent optional inputs are empty Values.
  Value input(int i) const;
  Value output(int i) const;
  /// Gradient of output `i`; empty if none reached it.
  Value grad(int i = 0) const;
  bool needs(int i) const;
  /// Takes out the gradient accumulated so far for input `i`, so that a fused op can add to it;
  /// empty if none. The caller must then `add` the whole sum.
  Value take_partial(int i);
  /// Adds `gradient` to input `i`'s gradient.
  void add(int i, Value gradient);
  Graph& graph() const { return graph_; }

 private:
  friend class Graph;
  Backward(Graph& graph, int node, const std::map<int, int>& replaced, std::map<int, int>& grads)
      : graph_(graph), node_(node), replaced_(replaced), grads_(grads) {}
  Value mapped(int id, bool repeat_cheap) const;
  Graph& graph_;
  int node_;
  const std::map<int, int>& replaced_;
  std::map<int, int>& grads_;
};

/// RAII of Graph::leave_segment / reenter_segment.
class OutsideSegment {
 public:
  explicit OutsideSegment(Graph& graph) : graph_(graph), segment_(graph.leave_segment()) {}
  ~OutsideSegment() { graph_.reenter_segment(segment_); }
  OutsideSegment(const OutsideSegment&) = delete;
  OutsideSegment& operator=(const OutsideSegment&) = delete;

 private:
  Graph& graph_;
  int segment_;
};

/// RAII of Graph::begin_segment / end_segment.
class Segment {
 public:
  explicit Segment(Graph& graph, SegmentScope scope = SegmentScope::block)
      : graph_(graph), scope_(scope) {
    graph_.begin_segment(scope_);
  }
  ~Segment() { graph_.end_segment(scope_); }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

 private:
  Graph& graph_;
  SegmentScope scope_;
};

}  // namespace mantissa
