#include "device_memory.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define POISON(data, bytes) ASAN_POISON_MEMORY_REGION(data, bytes)
#define UNPOISON(data, bytes) ASAN_UNPOISON_MEMORY_REGION(data, bytes)
#else
#define POISON(data, bytes)
#define UNPOISON(data, bytes)
#endif

namespace cuda_on_host {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBlockAlignment = 256;
constexpr int kNans = 0xff;  // every float type reads it as NaN
constexpr unsigned char kGuard = 0xc5;

std::size_t round_up(std::size_t n, std::size_t step) {
  return (n + step - 1) / step * step;
}

/// The mappings a fault may lie in, for the signal handler: it may only read.
struct Region {
  const char *begin = nullptr, *data = nullptr, *end = nullptr;
  const char* inside = nullptr;   ///< message for a fault in [data, end)
  const char* outside = nullptr;  ///< and around it
  DeviceBlock* block = nullptr;   ///< opened by a touch that is allowed
};
constexpr int kRegions = 4096;
Region g_regions[kRegions];
int g_regions_end = 0;  ///< none was ever used from here on
struct sigaction g_before;

void say(const char* text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

void on_fault(int signal, siginfo_t* info, void*) {
  const char* address = static_cast<const char*>(info->si_addr);
  for (int i = 0; i < g_regions_end; ++i) {
    const Region& r = g_regions[i];
    if (r.begin <= address && address < r.end) {
      if (r.block != nullptr && r.block->open_at(address)) {
        return;  // the instruction is tried again
      }
      say("\n[cuda_on_host] ");
      say(address < r.data || address >= r.end - kPage ? r.outside : r.inside);
      say("\n");
    }
  }
  // The instruction faults again, now without our handler.
  sigaction(signal, &g_before, nullptr);
}

/// False if there are too many.
bool add_region(const Region& region) {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &g_before);
    return true;
  }();
  (void)installed;
  for (int i = 0; i < kRegions; ++i) {
    if (g_regions[i].begin == nullptr) {
      g_regions[i] = region;
      g_regions_end = std::max(g_regions_end, i + 1);
      return true;
    }
  }
  return false;
}

void remove_region(const void* begin) {
  for (int i = 0; i < g_regions_end; ++i) {
    if (g_regions[i].begin == begin) {
      g_regions[i] = Region{};
    }
  }
}

void* map(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    throw std::runtime_error("[cuda_on_host] no memory");
  }
  return p;
}

[[maybe_unused]] bool is_guard(const char* begin, const char* end) {
  return std::all_of(begin, end, [](char c) { return static_cast<unsigned char>(c) == kGuard; });
}

}  // namespace

void DeviceBlock::reach(bool on) {
  mprotect(static_cast<char*>(mapping) + kPage, mapped - 2 * kPage,
           on ? PROT_READ | PROT_WRITE : PROT_NONE);
  open = on;
}

bool DeviceBlock::open_at(const char* address) {
  const char* first = static_cast<char*>(mapping) + kPage;
  if (open || !owner->is_accessed() || address < first || address >= first + mapped - 2 * kPage) {
    return false;
  }
  reach(true);
  return true;
}

DeviceMemory::~DeviceMemory() {
  while (!blocks_.empty()) {
    release(const_cast<char*>(blocks_.begin()->first));
  }
}

// [guard page][slack | data | guard bytes to a multiple of 256][guard page]
void* DeviceMemory::allocate(std::size_t bytes) {
  if (bytes > limit_ - std::min(limit_, used_)) {
    return nullptr;
  }
  const std::size_t padded = round_up(std::max<std::size_t>(bytes, 1), kBlockAlignment);
  DeviceBlock block;
  block.owner = this;
  block.bytes = bytes;
  block.mapped = round_up(padded, kPage) + 2 * kPage;
  block.mapping = map(block.mapped);
  char* end = static_cast<char*>(block.mapping) + block.mapped - kPage;
  char* data = end - padded;
  mprotect(block.mapping, kPage, PROT_NONE);
  mprotect(end, kPage, PROT_NONE);
  std::memset(data, kNans, bytes);
  std::memset(data + bytes, kGuard, padded - bytes);
  POISON(static_cast<char*>(block.mapping) + kPage,
         data - static_cast<char*>(block.mapping) - kPage);
  POISON(data + bytes, padded - bytes);
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  DeviceBlock& kept = blocks_[data] = block;
  const bool watched =
      add_region({static_cast<char*>(block.mapping), data, end + kPage,
                  "the host touched device memory outside of kernels and copies",
                  "device memory was touched beyond the bounds of its block", &kept});
  if (!watched && protected_) {
    throw std::runtime_error("[cuda_on_host] too many blocks for their touches to be watched");
  }
  kept.reach(!protected_);
  return data;
}

bool DeviceMemory::release(void* data) {
  const auto it = blocks_.find(static_cast<const char*>(data));
  if (it == blocks_.end()) {
    return false;
  }
  UNPOISON(it->second.mapping, it->second.mapped);
  remove_region(it->second.mapping);
  munmap(it->second.mapping, it->second.mapped);
  used_ -= it->second.bytes;
  blocks_.erase(it);
  return true;
}

void DeviceMemory::set_protected(bool on) {
  protected_ = on;
  for (auto& [data, block] : blocks_) {
    block.reach(!on);
  }
}

bool DeviceMemory::contains(const void* data, std::size_t bytes) const {
  const char* first = static_cast<const char*>(data);
  auto it = blocks_.upper_bound(first);
  if (it == blocks_.begin()) {
    return false;
  }
  --it;
  return first + bytes <= it->first + it->second.bytes;
}

#if defined(__SANITIZE_ADDRESS__)
void DeviceMemory::check_guards() const {}  // the sanitizer sees the write itself
#else
void DeviceMemory::check_guards() const {
  for (const auto& [data, block] : blocks_) {
    const char* end = static_cast<char*>(block.mapping) + block.mapped - kPage;
    if (block.open && !is_guard(data + block.bytes, end)) {
      throw std::runtime_error("[cuda_on_host] a kernel wrote behind a block of " +
                               std::to_string(block.bytes) + " bytes of device memory");
    }
  }
}
#endif

DeviceAccess::DeviceAccess(DeviceMemory& memory) : memory_(memory) {
  ++memory_.access_;
}

DeviceAccess::~DeviceAccess() {
  if (--memory_.access_ > 0 || !memory_.protected_) {
    return;
  }
  for (auto& [data, block] : memory_.blocks_) {
    if (block.open) {
      block.reach(false);
    }
  }
}

GuardedBuffer::GuardedBuffer(std::size_t most, std::string what) : what_(std::move(what)) {
  mapped_ = round_up(most, kPage) + 3 * kPage;
  mapping_ = static_cast<char*>(map(mapped_));
  mprotect(mapping_, kPage, PROT_NONE);
  mprotect(mapping_ + mapped_ - kPage, kPage, PROT_NONE);
  add_region({mapping_, mapping_ + kPage, mapping_ + mapped_, "shared memory can't be touched",
              "a kernel went beyond its dynamic shared memory"});
}

GuardedBuffer::~GuardedBuffer() {
  UNPOISON(mapping_, mapped_);
  remove_region(mapping_);
  munmap(mapping_, mapped_);
}

void* GuardedBuffer::open(std::size_t bytes) {
  char* end = mapping_ + mapped_ - kPage;
  UNPOISON(mapping_ + kPage, mapped_ - 2 * kPage);
  begin_ = end - round_up(bytes, 16);
  end_ = begin_ + bytes;
  std::memset(begin_ - kBlockAlignment, kGuard, kBlockAlignment);
  std::memset(begin_, kNans, bytes);
  std::memset(end_, kGuard, static_cast<std::size_t>(end - end_));
  POISON(mapping_ + kPage, begin_ - mapping_ - kPage);
  POISON(end_, end - end_);
  return begin_;
}

#if defined(__SANITIZE_ADDRESS__)
void GuardedBuffer::check() const {}
#else
void GuardedBuffer::check() const {
  if (begin_ != nullptr && (!is_guard(begin_ - kBlockAlignment, begin_) ||
                            !is_guard(end_, mapping_ + mapped_ - kPage))) {
    throw std::runtime_error("[cuda_on_host] a kernel wrote beyond its " +
                             std::to_string(end_ - begin_) + " bytes of " + what_);
  }
}
#endif

}  // namespace cuda_on_host
