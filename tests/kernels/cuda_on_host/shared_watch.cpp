#include "shared_watch.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <link.h>

#include "cuda_on_host.h"

namespace cuda_on_host {

namespace {

constexpr int kNobody = -1, kSeveral = -2;

/// Which warps accessed a byte in which round; rounds are counted over all blocks: nothing is ever
/// cleared.
struct Byte {
  std::uint64_t write_round = 0, read_round = 0;
  int writer = kNobody, reader = kNobody;
};

struct Watched {
  char* data = nullptr;
  std::size_t bytes = 0;
  std::string name;
  std::vector<Byte> touched;

  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) - data) < bytes;
  }
};

struct Watch {
  std::vector<Watched> variables;  ///< by address
  Watched dynamic;
  std::uint64_t round = 0;
  int thread = 0, warp = 0;
  std::string race;

  void touch(Watched& range, const void* address, std::size_t bytes, bool write, const void* code);
  void tell(const Watched& range, std::size_t at, bool write, bool was_written, int other,
            const void* code);
};

Watch the_watch;
bool watching = false;
const char *first_variable = nullptr, *past_variables = nullptr;

void Watch::tell(const Watched& range, std::size_t at, bool write, bool was_written, int other,
                 const void* code) {
  const std::string kernel = function_at(code);
  race = "[cuda_on_host] race in " + (kernel.empty() ? "a kernel" : kernel) + ": block (" +
         std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) + ", " +
         std::to_string(blockIdx.z) + "), thread " + std::to_string(thread) +
         (write ? " writes byte " : " reads byte ") + std::to_string(at) + " of " + range.name +
         ", which " +
         (other == kSeveral ? "other warps have" : "warp " + std::to_string(other) + " has") +
         (was_written ? " written" : " read") + " since the last barrier";
}

void Watch::touch(Watched& range, const void* address, std::size_t bytes, bool write,
                  const void* code) {
  const auto begin = static_cast<std::size_t>(static_cast<const char*>(address) - range.data);
  for (std::size_t at = begin; at < std::min(begin + bytes, range.bytes); ++at) {
    Byte& b = range.touched[at];
    const bool written = b.write_round == round, read = b.read_round == round;
    if (race.empty() && written && b.writer != warp) {
      tell(range, at, write, true, b.writer, code);
    } else if (race.empty() && write && read && b.reader != warp) {
      tell(range, at, write, false, b.reader, code);
    }
    if (write) {
      b.write_round = round;
      b.writer = warp;
    } else {
      b.reader = !read || b.reader == warp ? warp : kSeveral;
      b.read_round = round;
    }
  }
}

/// Most accesses are of other memory.
void touched(const void* address, std::size_t bytes, bool write, const void* code) {
  if (!watching) {
    return;
  }
  Watch& w = the_watch;
  if (w.dynamic.holds(address)) {
    w.touch(w.dynamic, address, bytes, write, code);
  } else if (address >= first_variable && address < past_variables) {
    const auto past = std::upper_bound(
        w.variables.begin(), w.variables.end(), address,
        [](const void* a, const Watched& v) { return a < static_cast<const void*>(v.data); });
    if (past != w.variables.begin() && std::prev(past)->holds(address)) {
      w.touch(*std::prev(past), address, bytes, write, code);
    }
  }
}

}  // namespace

void watch_shared_variables(const std::vector<SharedRange>& variables) {
  Watch& w = the_watch;
  for (const SharedRange& r : variables) {
    w.variables.push_back({r.data, r.bytes, r.name, std::vector<Byte>(r.bytes)});
  }
  std::sort(w.variables.begin(), w.variables.end(),
            [](const Watched& a, const Watched& b) { return a.data < b.data; });
  if (!w.variables.empty()) {
    first_variable = w.variables.front().data;
    past_variables = w.variables.back().data + w.variables.back().bytes;
  }
}

void begin_shared_watch(void* dynamic, std::size_t bytes) {
  Watch& w = the_watch;
  w.dynamic.data = static_cast<char*>(dynamic);
  w.dynamic.bytes = bytes;
  w.dynamic.name = "the dynamic shared memory";
  if (w.dynamic.touched.size() < bytes) {
    w.dynamic.touched.resize(bytes);
  }
  ++w.round;
  w.race.clear();
  watching = true;
}

void pass_shared_barrier() {
  ++the_watch.round;
}

void enter_watched_thread(int thread) {
  the_watch.thread = thread;
  the_watch.warp = thread / warpSize;
}

std::string end_shared_watch() {
  watching = false;
  return the_watch.race;
}

std::string function_at(const void* address) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ElfW(Addr) base = 0;  // the program is first in the list
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<ElfW(Addr)*>(out) = info->dlpi_addr;
        return 1;
      },
      &base);
  const ElfW(Addr) wanted = reinterpret_cast<ElfW(Addr)>(address) - base;
  ElfW(Ehdr) header;
  if (bytes.size() < sizeof(header)) {
    return {};
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  for (int s = 0; s < header.e_shnum; ++s) {
    ElfW(Shdr) section, strings;
    std::memcpy(&section, bytes.data() + header.e_shoff + s * sizeof(section), sizeof(section));
    if (section.sh_type != SHT_SYMTAB) {
      continue;
    }
    std::memcpy(&strings, bytes.data() + header.e_shoff + section.sh_link * sizeof(strings),
                sizeof(strings));
    for (std::size_t at = 0; at < section.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      std::memcpy(&symbol, bytes.data() + section.sh_offset + at, sizeof(symbol));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || wanted < symbol.st_value ||
          wanted >= symbol.st_value + symbol.st_size) {
        continue;
      }
      const char* name = bytes.data() + strings.sh_offset + symbol.st_name;
      int status = 0;
      char* plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
      const std::string text = status == 0 ? plain : name;
      std::free(plain);
      return text;
    }
  }
  return {};
}

}  // namespace cuda_on_host

// -- called by instrumented code -----------------------------------------------------------------

#if !defined(__SANITIZE_THREAD__)

#define WATCHED(bytes)                                                   \
  void __tsan_read##bytes(void* p) {                                     \
    cuda_on_host::touched(p, bytes, false, __builtin_return_address(0)); \
  }                                                                      \
  void __tsan_write##bytes(void* p) {                                    \
    cuda_on_host::touched(p, bytes, true, __builtin_return_address(0));  \
  }                                                                      \
  void __tsan_unaligned_read##bytes(const void* p) {                     \
    cuda_on_host::touched(p, bytes, false, __builtin_return_address(0)); \
  }                                                                      \
  void __tsan_unaligned_write##bytes(void* p) {                          \
    cuda_on_host::touched(p, bytes, true, __builtin_return_address(0));  \
  }

extern "C" {
WATCHED(1)
WATCHED(2)
WATCHED(4)
WATCHED(8)
WATCHED(16)
void __tsan_read_range(void* p, unsigned long bytes) {
  cuda_on_host::touched(p, bytes, false, __builtin_return_address(0));
}
void __tsan_write_range(void* p, unsigned long bytes) {
  cuda_on_host::touched(p, bytes, true, __builtin_return_address(0));
}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
// For smart pointer counts and static variable guards in host code next to the kernels.
#define ATOMIC(bits, T)                                                                         \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                      \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                               \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                               \
  }                                                                                             \
  T __tsan_atomic##bits##_exchange(volatile T* p, T value, int) {                               \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                     \
  }                                                                                             \
  T __tsan_atomic##bits##_fetch_add(volatile T* p, T value, int) {                              \
    return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                             \
  T __tsan_atomic##bits##_fetch_sub(volatile T* p, T value, int) {                              \
    return __atomic_fetch_sub(p, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                             \
  bool __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T wanted, int,   \
                                                   int) {                                       \
    return __atomic_compare_exchange_n(p, expected, wanted, true, __ATOMIC_SEQ_CST,             \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T wanted, int, \
                                                     int) {                                     \
    return __atomic_compare_exchange_n(p, expected, wanted, false, __ATOMIC_SEQ_CST,            \
                                       __ATOMIC_SEQ_CST);                                       \
  }
ATOMIC(8, unsigned char)
ATOMIC(32, int)
ATOMIC(64, long)
}

#endif
