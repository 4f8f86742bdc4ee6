#pragma once
// One card's stream, memory and scratch.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/conv_scratch.h"
#include "kernels/cuda/launch.h"
#include "kernels/kernels.h"

namespace mantissa::cuda {

/// What Kernels::begin_run set, in device memory: kernels read it there, so that a recording that
/// is replayed sees the values of its own run.
struct RunCell {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
};

/// `key` with seed and step of the run where it follows one.
MANTISSA_HD inline RandomKey run_key(RandomKey key, const RunCell* run) {
  if (run != nullptr) {
    key.seed = run->seed;
    key.step = run->step;
  }
  return key;
}

/// Names of scratch buffers. One op may hold several; an op that calls another op of the backend
/// must not hold one of those that op takes.
enum class Scratch : std::uint8_t {
  partial,       ///< sums of blocks, of any op
  result,        ///< single numbers on their way to the host
  table,         ///< rows of a multi-tensor op
  gemm,          ///< cuBLASLt's workspace
  gemm_operand,  ///< a matrix in the type or layout a GEMM takes
  gemm_result,   ///< a product before its last rounding
  gemm_scale,    ///< a scale for every row
  gemm_bias,     ///< a bias at an address that a GEMM takes
  dnn,           ///< cuDNN's workspace
  columns,       ///< im2col
  scores,        ///< attention without cuDNN
  scores_grad,
  operand_a,
  operand_b,
  operand_c,
};

/// What a recording may use: every block of memory that was there when it was made.
struct RecordedMemory {
  std::uint64_t made = 0;  ///< later than the birth of all those blocks
  bool intact = true;      ///< none of them has been given back
};

/// One card. Everything runs on one stream, in the order of the calls. Not for several threads.
class Context {
 public:
  /// Makes card `ordinal` current; throws std::runtime_error with CUDA's reason.
  explicit Context(int ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  cudaStream_t stream() const { return stream_; }
  int ordinal() const { return ordinal_; }
  /// 10·major + minor: 80, 89, 90 …
  int capability() const { return capability_; }
  int multiprocessors() const { return multiprocessors_; }
  const std::string& card() const { return card_; }
  /// Scratch that an op may take for one part of work which it can cut into parts.
  std::size_t part_bytes() const { return part_bytes_; }
  void set_part_bytes(std::size_t bytes) { part_bytes_ = bytes; }

  /// Zeroed, 256-byte aligned. Throws std::bad_alloc's kin std::runtime_error naming needed and
  /// free bytes.
  void* allocate(std::size_t bytes);
  /// Waits for launched work first. A card that is lost gives nothing back and reports that at the
  /// next call: this one stands in destructors, so it does not throw.
  void release(void* data) noexcept;

  /// At least `count` elements of T; the content is undefined. Stays until the next call with the
  /// same name. While recording, it must have had its size before. Recordings keep the memory they
  /// were made with when scratch grows later.
  template <typename T>
  T* scratch(Scratch name, std::int64_t count) {
    return static_cast<T*>(scratch_bytes(name, static_cast<std::size_t>(count) * sizeof(T)));
  }
  std::size_t scratch_total() const { return scratch_total_; }
  /// The number 1 in device memory.
  const float* one() const { return one_; }

  /// `rows` in device memory, until the next table; while recording, as long as the recording.
  template <typename T>
  const T* table(std::span<const T> rows) {
    return static_cast<const T*>(table_bytes(rows.data(), rows.size_bytes()));
  }

  /// For what a recording needs and must not repeat: work launched on `aside` runs now, after all
  /// that ran before a recording began, and is done when `finish_aside` returns.
  cudaStream_t aside() const { return recording_ ? side_stream_ : stream_; }
  void finish_aside() const;
  /// Memory whose content is undefined, recording or not.
  void* allocate_aside(std::size_t bytes);

  void upload(const void* host, void* device, std::size_t bytes);
  void download(const void* device, void* host, std::size_t bytes);
  /// A value from device memory, after everything launched so far.
  template <typename T>
  T read(const T* device) {
    T value;
    download(device, &value, sizeof(T));
    return value;
  }

  /// Pinned, zeroed memory of the host.
  void* allocate_host(std::size_t bytes);
  void release_host(void* data) noexcept;
  /// Copies on a stream of their own, after all work launched so far; `await_prefetch` makes what
  /// is launched later wait for the slot's newest.
  void prefetch(int slot, std::span<const Transfer> transfers);
  void await_prefetch(int slot);

  void begin_run(std::uint64_t seed, std::uint32_t step);
  /// Where kernels find the run's seed and step; null where `key` is not of the run.
  const RunCell* run_cell(const RandomKey& key) const {
    return key.seed == run_.seed && key.step == run_.step ? run_cell_ : nullptr;
  }

  /// For a recording just made: stays intact until a block that is older than the recording is
  /// given back. What is allocated and given back after it does not matter to it.
  std::shared_ptr<const RecordedMemory> recorded_memory();
  /// Gives back scratch that only recordings kept, where they are gone.
  void drop_retired_scratch() noexcept;

  bool recording() const { return recording_; }
  void set_recording(bool on) { recording_ = on; }
  /// The tables made while recording, for the recording to `release`.
  std::vector<void*> take_recorded_tables() { return std::exchange(recorded_tables_, {}); }
  /// Keeps a sentence for Kernels::take_notices, once.
  void note(const std::string& sentence);
  std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }
  /// Throws std::runtime_error while recording: for calls whose effect a replay would not repeat.
  void refuse_recording(const char* kernel) const;

 private:
  struct Block {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  static constexpr int kSlots = 2;
  void* born(void* data);
  void forget(const void* data) noexcept;
  bool recorded_since(const void* data) const;
  void free_block(void* data) noexcept;
  void* scratch_malloc(std::size_t bytes);
  void* scratch_bytes(Scratch name, std::size_t bytes);
  const void* table_bytes(const void* rows, std::size_t bytes);
  void free_all() noexcept;

  int ordinal_ = 0, capability_ = 0, multiprocessors_ = 0;
  std::string card_;
  std::size_t part_bytes_ = kPatchBytes;
  cudaStream_t stream_ = nullptr;
  cudaStream_t side_stream_ = nullptr;  ///< for copies while `stream_` is captured
  cudaStream_t copy_stream_ = nullptr;  ///< prefetches; captured together with `stream_`
  cudaEvent_t launched_ = nullptr;      ///< all work that a prefetch must not overtake
  cudaEvent_t filled_[kSlots] = {};
  std::map<Scratch, Block> scratch_;
  std::vector<Block> retired_;  ///< outgrown scratch that recordings still use
  std::vector<void*> recorded_tables_;
  std::size_t scratch_total_ = 0;
  RunCell run_;
  RunCell* run_cell_ = nullptr;
  float* one_ = nullptr;
  bool recording_ = false;
  std::uint64_t clock_ = 0;                                ///< counts births and recordings
  std::unordered_map<const void*, std::uint64_t> births_;  ///< of blocks, host's included
  std::vector<std::weak_ptr<RecordedMemory>> recordings_;
  std::set<std::string> noted_;
  std::vector<std::string> notices_;  ///< those not taken yet
};

}  // namespace mantissa::cuda
