#pragma once
// One card's stream, memory and scratch.

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/cuda/host_memory.h"
#include "kernels/cuda/launch.h"
#include "kernels/kernels.h"
#include "kernels/scratch_needs.h"

namespace mantissa::cuda {

/// The values set by Kernels::begin_run, in device memory: kernels read them there, so that a
/// replayed recording uses the current run's values.
struct RunCell {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
};

/// `key`, with the run's seed and step if it follows a run.
MANTISSA_HD inline RandomKey run_key(RandomKey key, const RunCell* run) {
  if (run != nullptr) {
    key.seed = run->seed;
    key.step = run->step;
  }
  return key;
}

/// Names of scratch buffers. One op may hold several; an op that calls another must not hold a
/// buffer that the other uses.
enum class Scratch : std::uint8_t {
  partial,       ///< sums of blocks, of any op
  result,        ///< scalars to be copied to the host
  statistics,    ///< results of queue_statistics
  table,         ///< rows of a multi-tensor op
  gemm,          ///< cuBLASLt's workspace
  gemm_operand,  ///< a matrix in the type or layout a GEMM needs
  gemm_result,   ///< a GEMM's result before its final rounding
  gemm_scale,    ///< per-row scales
  gemm_bias,     ///< a bias at an address a GEMM accepts
  dnn,           ///< cuDNN's workspace
  columns,       ///< im2col
  scores,        ///< attention without cuDNN
  scores_grad,
  operand_a,
  operand_b,
  operand_c,
  draws,  ///< normals on their way to the host
};

/// The memory a recording may use: every block that existed when it was made.
struct RecordedMemory {
  std::uint64_t made = 0;  ///< later than the allocation of all those blocks
  bool intact = true;      ///< none of them has been released
};

/// One card. Everything runs on one stream, in the order of the calls. Not for several threads; a
/// thread may use several cards in turn.
class Context {
 public:
  /// Throws std::runtime_error with CUDA's reason. `pinned_limit`: most bytes of host memory that
  /// are page-locked.
  explicit Context(int ordinal, std::size_t pinned_limit = std::numeric_limits<std::size_t>::max());
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Makes the card the thread's current one, as launches and allocations need.
  void use() const;
  /// To launch on at once, before another context is used.
  cudaStream_t stream() const {
    use();
    return stream_;
  }
  int ordinal() const { return ordinal_; }
  /// 10·major + minor: 80, 89, 90 …
  int capability() const { return capability_; }
  /// As capability, of the code that the card runs: what our kernels can use. The card's at first.
  int code_capability() const { return code_capability_; }
  void set_code_capability(int capability) { code_capability_ = capability; }
  int multiprocessors() const { return multiprocessors_; }
  const std::string& card() const { return card_; }
  /// Whether the system ends launches that take long: it draws its screen with this card.
  bool watched() const { return watched_; }
  /// Scratch per part, for an op that can split its work into parts.
  std::size_t part_bytes() const { return part_bytes_; }
  void set_part_bytes(std::size_t bytes) { part_bytes_ = bytes; }

  /// Zeroed, 256-byte aligned. Throws a std::runtime_error naming needed and free bytes.
  void* allocate(std::size_t bytes);
  /// Waits for launched work first. Doesn't throw, because destructors call it: a lost card frees
  /// nothing and reports that at the next call.
  void release(void* data) noexcept;

  /// At least `count` elements of T; the content is undefined. Valid until the next call with the
  /// same name. While recording, it must not grow. Recordings keep their original memory when
  /// scratch grows later.
  template <typename T>
  T* scratch(Scratch name, std::int64_t count) {
    return static_cast<T*>(scratch_bytes(name, static_cast<std::size_t>(count) * sizeof(T)));
  }
  std::size_t scratch_total() const { return scratch_total_; }
  /// Blocks taken so far, and recordings, which take memory of their own.
  std::uint64_t allocations() const { return allocations_; }
  void count_allocation() { ++allocations_; }
  /// `count` times the number 1 in device memory: the scales of codes that have none.
  const float* ones(std::int64_t count) const;
  /// `count` counters in device memory: zero, and each kernel that counts leaves them so.
  unsigned* counters(std::int64_t count) const;

  /// `rows` in device memory, valid until the next table; while recording, for the recording's
  /// lifetime.
  template <typename T>
  const T* table(std::span<const T> rows) {
    return static_cast<const T*>(table_bytes(rows.data(), rows.size_bytes()));
  }

  /// For setup that a recording needs but must not repeat: work launched on `aside` runs now, after
  /// all work launched before the recording, and is done when `finish_aside` returns.
  cudaStream_t aside() const {
    use();
    return recording_ ? side_stream_ : stream_;
  }
  void finish_aside() const;
  /// Uninitialized memory, while recording too.
  void* allocate_aside(std::size_t bytes);

  /// The host's bytes may change on return. Up to kStageBytes are copied to page-locked memory
  /// first, and nothing waits for the card.
  void upload(const void* host, void* device, std::size_t bytes);
  void download(const void* device, void* host, std::size_t bytes);
  /// For work that depends on nothing launched so far, and runs beside it: a second stream, and its
  /// results on the host.
  cudaStream_t beside() const;
  void download_beside(const void* device, void* host, std::size_t bytes);
  /// A value from device memory, after all work launched so far.
  template <typename T>
  T read(const T* device) {
    T value;
    download(device, &value, sizeof(T));
    return value;
  }

  /// Zeroed host memory, page-locked as far as that is possible (HostMemory).
  void* allocate_host(std::size_t bytes);
  void release_host(void* data) noexcept;
  PinnedMemory pinned_memory() const { return host_.use(); }
  /// Copies on a separate stream, after all work launched so far; after `await_prefetch`, later
  /// launches wait for the slot's latest transfers.
  void prefetch(int slot, std::span<const Transfer> transfers);
  void await_prefetch(int slot);
  /// Later launches wait for the latest transfers of both slots, and nothing needs to wait again.
  void join_prefetches();

  void begin_run(std::uint64_t seed, std::uint32_t step);
  /// Where kernels find the run's seed and step; null if `key` is not a run key.
  const RunCell* run_cell(const RandomKey& key) const {
    return key.seed == run_.seed && key.step == run_.step ? run_cell_ : nullptr;
  }

  /// For a recording just made: intact until a block older than the recording is released. Later
  /// allocations and their release don't affect it.
  std::shared_ptr<const RecordedMemory> recorded_memory();
  /// Frees outgrown scratch whose recordings are gone.
  void drop_retired_scratch() noexcept;

  bool recording() const { return recording_; }
  /// Called before the stream is captured, and after: work on `aside` waits for all before.
  void set_recording(bool on);
  /// The tables made while recording, which the recording must `release`.
  std::vector<void*> take_recorded_tables() { return std::exchange(recorded_tables_, {}); }
  /// The host's copies in the recording, which must outlive it.
  std::vector<std::shared_ptr<HostCopy>> take_recorded_copies() { return host_.take_recorded(); }
  /// Queues a sentence for Kernels::take_notices, once.
  void note(const std::string& sentence);
  std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }
  /// Throws std::runtime_error while recording: for calls whose effect a replay wouldn't repeat.
  void refuse_recording(const char* kernel) const;

 private:
  struct Block {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  static constexpr int kSlots = 2;
  static constexpr std::size_t kStageBytes = std::size_t{32} << 20;
  bool stage(const void* host, void* device, std::size_t bytes);
  void wait(const char* call);
  void* take(std::size_t bytes);
  void* born(void* data);
  void forget(const void* data) noexcept;
  bool recorded_since(const void* data) const;
  void free_block(void* data) noexcept;
  void* scratch_malloc(std::size_t bytes);
  void* scratch_bytes(Scratch name, std::size_t bytes);
  const void* table_bytes(const void* rows, std::size_t bytes);
  void free_all() noexcept;
  bool try_use() const noexcept;

  int ordinal_ = 0, capability_ = 0, code_capability_ = 0, multiprocessors_ = 0;
  bool watched_ = false;
  std::string card_;
  std::size_t part_bytes_ = kPatchBytes;
  cudaStream_t stream_ = nullptr;
  cudaStream_t side_stream_ = nullptr;  ///< for copies while `stream_` is captured
  cudaStream_t copy_stream_ = nullptr;  ///< prefetches; captured together with `stream_`
  cudaEvent_t launched_ = nullptr;      ///< all work that a prefetch must not overtake
  cudaEvent_t filled_[kSlots] = {};
  bool in_flight_[kSlots] = {};  ///< transfers that later launches don't wait for yet
  HostMemory host_;
  std::byte* stage_ = nullptr;  ///< kStageBytes of page-locked memory, or null
  bool may_stage_ = true;       ///< false once there was none
  std::size_t staged_ = 0;      ///< bytes of it that the stream may not have read yet
  std::map<Scratch, Block> scratch_;
  std::vector<Block> retired_;  ///< outgrown scratch that recordings still use
  std::vector<void*> recorded_tables_;
  std::size_t scratch_total_ = 0;
  std::uint64_t allocations_ = 0;
  RunCell run_;
  RunCell* run_cell_ = nullptr;
  float* ones_ = nullptr;
  unsigned* counters_ = nullptr;
  bool recording_ = false;
  std::uint64_t clock_ = 0;                                ///< counts allocations and recordings
  std::unordered_map<const void*, std::uint64_t> births_;  ///< of blocks, including host memory
  std::vector<std::weak_ptr<RecordedMemory>> recordings_;
  std::set<std::string> noted_;
  std::vector<std::string> notices_;  ///< those not taken yet
};

}  // namespace mantissa::cuda
