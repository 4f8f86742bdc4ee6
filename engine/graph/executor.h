#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/graph/graph.h"
#include "engine/graph/plan.h"

namespace mantissa {

/// The one allocation that activations live in; several plans may take turns in it.
class Arena {
 public:
  explicit Arena(Kernels& kernels) : kernels_(kernels) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  /// Grows to at least `bytes`; moves, so executors bound before must be made anew.
  void reserve(std::size_t bytes);
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  Kernels& kernels_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Called after each op with its name, path and seconds, when profiling.
using OpTimer = std::function<void(const char* op, const std::string& path, double seconds)>;

/// One op as it was just run. Inputs that it wrote over show the output.
struct OpCall {
  const Node& node;         ///< names the values and the phase
  const std::string& path;  ///< module path; the tensor's name where a gradient is accumulated
  const std::vector<View>& in;
  const std::vector<View>& out;
};
/// Called after each op while somebody watches; false ends the run there.
using OpWatch = std::function<bool(const OpCall&)>;

/// Work launched after the ops of a run, which may not ask the device for anything.
using Tail = std::function<void()>;

/// Replays a planned graph. Views are bound once; a run only calls kernels.
class Executor {
 public:
  Executor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena);
  /// Writes input `name` from the host before a run: as many values of its very type. Inputs don't
  /// survive a run.
  void feed(const std::string& name, std::span<const float> values) const;
  void feed(const std::string& name, std::span<const std::int32_t> values) const;
  /// An fp32 output on the host, after a run.
  std::vector<float> read(const std::string& name) const;
  /// Where they lie in the backend's memory.
  View input(const std::string& name) const;
  View output(const std::string& name) const;
  bool has_input(const std::string& name) const;
  const Graph& graph() const { return graph_; }
  /// The first runs call kernel by kernel; where the backend can record, later ones are one replay.
  /// `tail` comes after the last op, in the same recording: each run that has one must launch the
  /// same work there. Empty: nothing.
  void run(const RunContext& context, const Tail& tail = {});
  /// Whether the newest run was a replay, and why it could not be one.
  bool replayed() const { return replayed_; }
  const Message& why_not_recorded() const { return refusal_; }
  /// How often the work was recorded so far: once, and once more where some runs have a tail, as
  /// long as nobody gives memory back that it uses.
  int recordings() const { return recordings_; }
  void set_timer(OpTimer timer) { timer_ = std::move(timer); }
  /// An empty function ends it. Nothing is paid for it while nobody watches.
  void set_watch(OpWatch watch) { watch_ = std::move(watch); }

 private:
  struct Call {
    const Op* op;
    const Node* node;
    std::vector<View> in, out;
    const std::string* path;
  };
  /// A StreamBatch and the first call that needs it.
  struct Batch {
    std::size_t call = 0;
    std::vector<StreamedWeight> weights;
    std::vector<Transfer> transfers;
  };
  View view_of(int id) const;
  /// What runs again as one, with a tail or without.
  struct Repeat {
    int plain_runs = 0;
    std::unique_ptr<Recording> recording;
  };
  void run_calls(const RunContext& context);
  void bind_batch(const StreamBatch& planned);
  /// The first transfers of a run; what call `index` needs of them; after the last call.
  void begin_stream();
  void stream_to(std::size_t index);
  void end_stream();
  /// Makes the recording; false where there will be none.
  bool record(Repeat& repeat, const RunContext& context, const Tail& tail);
  void feed_bytes(const std::string& name, const void* values, DType dtype,
                  std::size_t count) const;
  const Graph& graph_;
  const Plan& plan_;
  Kernels& kernels_;
  std::byte* base_;
  std::vector<Call> calls_;
  std::vector<Batch> batches_;
  std::size_t next_batch_ = 0;
  std::map<const Tensor*, std::int64_t> placed_;  ///< of the batch that calls are bound to
  Repeat with_tail_, without_tail_;
  bool replayed_ = false;
  int recordings_ = 0;
  Message refusal_;
  OpTimer timer_;
  OpWatch watch_;
};

}  // namespace mantissa
