#pragma once
// NCCL, opened at run time: between the program, which finds the library, and the CUDA backend,
// which calls it.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mantissa {

class Kernels;

/// The cards of several processes, which exchange parts of their memory without the host. Used on
/// one thread, by all processes in the same order. Each call is ordered after what was launched on
/// the card before, and returns when it is complete there. Throws DeviceLost, or std::runtime_error
/// with NCCL's reason; the link can't be used any more then.
class CardLink {
 public:
  CardLink() = default;
  virtual ~CardLink() = default;
  CardLink(const CardLink&) = delete;
  CardLink& operator=(const CardLink&) = delete;

  /// Process r's part of `whole`, from byte ends[r - 1] to ends[r], goes to process r; `parts`
  /// receives what all have there, this process too, in the order of their ranks.
  virtual void scatter(const void* whole, std::span<const std::size_t> ends, void* parts) = 0;
  /// Each process has its own part of `whole`; all get the others'.
  virtual void complete(void* whole, std::span<const std::size_t> ends) = 0;
};

/// Called again and again while a call waits for other processes. What it throws leaves that call.
using WhileWaiting = std::function<void()>;

/// NCCL as it was opened.
struct NcclLibrary {
  void* handle = nullptr;  ///< null: it can't be used
  std::string error;       ///< why not
  std::string version{};   ///< "2.28.9"
  /// A function of it by name, null if it has none; set even without a handle.
  void* (*symbol)(void* library, const char* name) = nullptr;
};

/// What all processes must know of a link that one of them names.
using CardLinkId = std::vector<std::byte>;

/// Where a process stands in a link.
struct CardLinkPlace {
  CardLinkId id;
  int rank = 0, size = 1;
};

/// NCCL of this machine: MANTISSA_NCCL_LIBRARY, else the system's, else the CUDA Toolkit's. Never
/// throws. `libraries` as for load_cuda_kernels.
NcclLibrary open_nccl(const std::filesystem::path& libraries);
/// Names a link, in one process. Throws std::runtime_error with the reason.
CardLinkId new_card_link(const NcclLibrary& nccl);
/// Joins it, together with all processes, with the card of `kernels`, which must outlive the link.
/// Throws std::runtime_error with the reason, also if that takes longer than a minute.
std::unique_ptr<CardLink> join_card_link(const NcclLibrary& nccl, Kernels& kernels,
                                         const CardLinkPlace& place, WhileWaiting while_waiting);

}  // namespace mantissa
