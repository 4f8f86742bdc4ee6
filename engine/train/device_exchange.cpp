#include "engine/train/device_exchange.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/toolkit/installed.h"
#include "kernels/device_lost.h"

namespace mantissa {
namespace {

std::span<std::byte> bytes_of(const View& view) {
  return {view.as<std::byte>(), static_cast<std::size_t>(view.count()) * dtype_size(view.dtype)};
}

View bytes_at(const View& view, std::size_t begin, std::size_t end) {
  return {view.as<std::byte>() + begin, DType::u8, {static_cast<std::int64_t>(end - begin)}};
}

/// Leaves a call that another process has failed to make.
struct AnotherFails : std::exception {};

/// As text, which Ranks can send.
std::string text_of(const CardLinkId& id) {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}
CardLinkId id_of(const std::string& text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

}  // namespace

DeviceExchange::DeviceExchange(Ranks& ranks, Kernels& kernels) : ranks_(ranks), kernels_(kernels) {
  if (!kernels_.host_memory() && !ranks_.alone()) {
    open_link();
  }
}

DeviceExchange::~DeviceExchange() {
  link_.reset();
  if (staging_ != nullptr) {
    kernels_.release_host(staging_);
  }
}

/// All processes use NCCL, or none does.
void DeviceExchange::open_link() {
  const NcclLibrary nccl = open_nccl(cuda_library_folder());
  std::string problem = nccl.error, id;
  if (!ranks_.notices_silence()) {
    problem =
        "this MPI has no MPI_THREAD_MULTIPLE, without which a lost process keeps NCCL waiting";
  }
  const auto first_problem = [&] {
    std::vector<std::string> problems = ranks_.texts(problem);
    const auto first =
        std::ranges::find_if(problems, [](const std::string& p) { return !p.empty(); });
    return first == problems.end() ? std::string() : *first;
  };
  std::string told = first_problem();
  if (told.empty()) {
    try {
      id = ranks_.writes() ? text_of(new_card_link(nccl)) : "";
    } catch (const std::runtime_error& e) {
      problem = e.what();
    }
    id = ranks_.of_writer(id);
    told = first_problem();
  }
  if (told.empty()) {
    try {
      link_ = join_card_link(nccl, kernels_, {id_of(id), ranks_.rank(), ranks_.size()}, [this] {
        ranks_.look_after_others();
        if (ranks_.another_fails()) {
          throw AnotherFails();
        }
      });
    } catch (const AnotherFails&) {
      ranks_.meet();
    } catch (const Error&) {
      throw;
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::runtime_error& e) {
      problem = e.what();
    }
    told = first_problem();
  }
  if (told.empty()) {
    way_ = message<"the cards exchange gradients by NCCL {version}">(nccl.version);
    return;
  }
  link_.reset();
  way_ = message<
      "the cards exchange gradients through host memory, because NCCL can't be used: "
      "{reason}">(Message::verbatim(told));
}

template <typename Call>
void DeviceExchange::linked(const Call& call) {
  ranks_.meet();  // a process that failed says so here
  try {
    call();
  } catch (const AnotherFails&) {
    ranks_.meet();  // throws its reason
    throw;
  } catch (const Error&) {
    throw;
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::runtime_error& e) {
    throw RankLost(message<"NCCL can't reach the other cards: {reason}. The run can't continue. "
                           "Resume it with --resume">(Message::verbatim(e.what())));
  }
}

void DeviceExchange::scatter(const View& whole, std::span<const std::size_t> ends,
                             const View& parts) {
  const std::size_t sent = bytes_of(whole).size(), received = bytes_of(parts).size();
  if (kernels_.host_memory()) {
    ranks_.scatter(bytes_of(whole), ends, bytes_of(parts));
  } else if (link_) {
    linked([&] { link_->scatter(whole.data, ends, parts.data); });
  } else {
    reserve(sent + received);
    kernels_.download(bytes_at(whole, 0, sent), staging_);
    ranks_.scatter(staged(0, sent), ends, staged(sent, received));
    kernels_.upload(staging_ + sent, bytes_at(parts, 0, received));
  }
}

void DeviceExchange::complete(const View& whole, std::span<const std::size_t> ends) {
  if (kernels_.host_memory()) {
    ranks_.complete(bytes_of(whole), ends);
  } else if (link_) {
    linked([&] { link_->complete(whole.data, ends); });
  } else {
    const std::size_t bytes = bytes_of(whole).size();
    const auto rank = static_cast<std::size_t>(ranks_.rank());
    const std::size_t begin = rank == 0 ? 0 : ends[rank - 1];
    reserve(bytes);
    kernels_.download(bytes_at(whole, begin, ends[rank]), staging_ + begin);
    ranks_.complete(staged(0, bytes), ends);
    kernels_.upload(staging_, bytes_at(whole, 0, bytes));
  }
}

void DeviceExchange::reserve(std::size_t bytes) {
  if (bytes > staging_bytes_) {
    if (staging_ != nullptr) {
      kernels_.release_host(std::exchange(staging_, nullptr));
    }
    staging_bytes_ = 0;
    staging_ = static_cast<std::byte*>(kernels_.allocate_host(bytes));
    staging_bytes_ = bytes;
  }
}

}  // namespace mantissa
