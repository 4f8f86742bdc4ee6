#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/message.h"
#include "engine/graph/arena.h"
#include "engine/graph/graph.h"
#include "engine/graph/plan.h"

namespace mantissa {

class SplitExecutor;

/// Called after each op with its name, path and seconds, when profiling.
using OpTimer = std::function<void(const char* op, const std::string& path, double seconds)>;

/// An op that has just run. Inputs that it overwrote hold the output.
struct OpCall {
  const Node& node;         ///< names the values and the phase
  const std::string& path;  ///< module path; the tensor's name where a gradient is accumulated
  const std::vector<View>& in;
  const std::vector<View>& out;
  Kernels& kernels;  ///< that ran it
};
/// Called after each op if set; false ends the run there.
using OpWatch = std::function<bool(const OpCall&)>;

/// Work launched after the ops of a run; it must not read from the device.
using Tail = std::function<void()>;

/// Replays a planned graph on one device. Views are bound once; a run only calls kernels.
class StageExecutor {
 public:
  StageExecutor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena);
  /// As those of Executor.
  void feed(const std::string& name, std::span<const float> values) const;
  void feed(const std::string& name, std::span<const std::int32_t> values) const;
  std::vector<float> read(const std::string& name) const;
  View input(const std::string& name) const;
  View output(const std::string& name) const;
  bool has_input(const std::string& name) const;
  void run(const RunContext& context, const Tail& tail);
  void warm_up(const RunContext& context);
  void record_ahead(const RunContext& context, const Tail& tail);
  bool replayed() const { return replayed_; }
  const Message& why_not_recorded() const { return refusal_; }
  int recordings() const { return recordings_; }
  void set_timer(OpTimer timer) { timer_ = std::move(timer); }
  void set_watch(OpWatch watch) { watch_ = std::move(watch); }

 private:
  friend class SplitExecutor;
  struct Call {
    const Op* op;
    const Node* node;
    std::vector<View> in, out;
    const std::string* path;
    /// `in` with weights as codes, or without what is encoded already; empty if it is the same.
    std::vector<View> in_unwatched;
    bool decoded_by_readers = false;
    const Op* encoder = nullptr;  ///< whose codes it writes in place of its output
    View codes, scale;            ///< those codes, shaped like the output, and their scales
    const Node* whole = nullptr;  ///< the node of a graph of which this is a stage
  };
  /// A StreamBatch and the first call that needs it.
  struct Batch {
    std::size_t call = 0;
    std::vector<StreamedWeight> weights;
    std::vector<Transfer> transfers;
  };
  View view_of(int id) const;
  /// The calls that write a value's memory first, and that read it first.
  std::size_t maker_of(int id) const;
  std::size_t first_reader_of(int id) const;
  /// Calls from `first` to before `last`.
  struct Calls {
    std::size_t first = 0, last = 0;
  };
  /// The recording of some calls, the same ones each time.
  struct Repeat {
    int plain_runs = 0;
    /// Before it is recorded: scratch is allocated and libraries choose their algorithms. More
    /// where there was no memory for the recording.
    int plain_runs_first = 2;
    std::unique_ptr<Recording> recording;
  };
  Calls all_calls() const { return {0, calls_.size()}; }
  /// Runs these calls, after Kernels::begin_run. False if a watch has ended the run.
  bool run_part(const Calls& calls, Repeat& repeat, const RunContext& context, const Tail& tail);
  void feed_zeros() const;
  bool run_watched(const Calls& calls, const RunContext& context);
  void run_calls(const Calls& calls, const RunContext& context);
  void run_call(const Call& call, const RunContext& context) const;
  /// Passes weights of codes to the GEMMs of a backend that decodes them while packing, so that
  /// decoded values are never written. A watched run still decodes them, for its watcher.
  void hand_over_codes();
  /// Lets calls write the codes that Plan::encoders names. A watched run has the values, too.
  void hand_over_encoding();
  /// Values that every call accepts as codes, with their tensors.
  std::map<int, const Tensor*> read_as_codes() const;
  int source_of(int id) const;
  void bind_batch(const StreamBatch& planned);
  /// The first transfers of a run; those that call `index` needs; after the last call.
  void begin_stream();
  void stream_to(std::size_t index);
  void end_stream();
  /// Records the run; false if recording isn't possible.
  bool record(const Calls& calls, Repeat& repeat, const RunContext& context, const Tail& tail);
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
  bool refused_ = false;  ///< for good
  OpTimer timer_;
  OpWatch watch_;
};

}  // namespace mantissa
