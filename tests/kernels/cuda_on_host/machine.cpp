#include "machine.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <elf.h>
#include <exception>
#include <fstream>
#include <iterator>
#include <link.h>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device_memory.h"
#include "fiber.h"
#include "shared_watch.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace cuda_on_host {

namespace {

constexpr int kNans = 0xff;

// -- static shared memory ------------------------------------------------------------------------

/// "parts" of _ZZN…E5partsB6sharedE: the length stands before the name.
std::string variable_name(const std::string& symbol) {
  const std::size_t end = symbol.find("B6shared");
  std::size_t begin = end;
  for (std::size_t length = 1; length < end; ++length) {
    const std::string digits = std::to_string(length);
    const std::size_t at = end - length;
    if (at >= digits.size() && symbol.compare(at - digits.size(), digits.size(), digits) == 0) {
      begin = at;
      break;
    }
  }
  return "the shared variable '" + symbol.substr(begin, end - begin) + "'";
}

/// The __shared__ variables of this program, by the tag in their symbols. Valid for this thread.
std::vector<SharedRange> shared_variables() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ElfW(Ehdr) header;
  if (bytes.size() < sizeof(header)) {
    throw std::runtime_error("[cuda_on_host] can't read /proc/self/exe");
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  void* storage = nullptr;  // this program's thread-local block; it is first in the list
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<void**>(out) = info->dlpi_tls_data;
        return 1;
      },
      &storage);
  std::vector<ElfW(Shdr)> sections(header.e_shnum);
  std::memcpy(sections.data(), bytes.data() + header.e_shoff,
              sections.size() * sizeof(sections[0]));
  std::vector<SharedRange> found;
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB) {
      continue;
    }
    const char* names = bytes.data() + sections[section.sh_link].sh_offset;
    for (std::size_t at = 0; at < section.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      std::memcpy(&symbol, bytes.data() + section.sh_offset + at, sizeof(symbol));
      const char* name = names + symbol.st_name;
      if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS && std::strncmp(name, "_ZZ", 3) == 0 &&
          std::strstr(name, "B6shared") != nullptr) {
        found.push_back(
            {static_cast<char*>(storage) + symbol.st_value, symbol.st_size, variable_name(name)});
      }
    }
  }
  return found;
}

std::string thread_text(int thread) {
  return "thread " + std::to_string(thread);
}

// -- one block -----------------------------------------------------------------------------------

enum class State : std::uint8_t { fresh, ready, at_barrier, in_warp, ended };

struct WarpCall {
  WarpFunction function = WarpFunction::sync;
  unsigned mask = 0;
  int source = 0;
  bool vote = false;
  std::size_t bytes = 0;
  alignas(16) unsigned char value[16] = {};
  unsigned votes = 0;
};

/// Runs threads on its fiber, one after another, until one has to wait.
struct Worker {
  std::unique_ptr<Fiber> fiber;
  bool busy = false;
};

struct Thread {
  State state = State::fresh;
  bool vote = false;
  Worker* worker = nullptr;
  WarpCall call;
  Copies copies;
};

class Machine {
 public:
  void run_block(int threads, const std::function<void()>& kernel);
  unsigned warp_call(WarpFunction function, unsigned mask, int source, void* value,
                     std::size_t bytes, bool vote);
  int block_barrier(bool vote);
  Copies& copies() { return threads_[static_cast<std::size_t>(current_)].copies; }

  /// Fresh shared memory.
  void open_shared(std::size_t bytes) {
    if (!searched_) {
      variables_ = shared_variables();
      watch_shared_variables(variables_);
      searched_ = true;
    }
    for (const SharedRange& r : variables_) {
      std::memset(r.data, kNans, r.bytes);
    }
    shared_bytes_ = bytes;
    shared_ = buffer_.open(bytes);
    begin_shared_watch(shared_, bytes);
  }
  void close_shared() const {
    const std::string race = end_shared_watch();
    if (!race.empty()) {
      throw std::runtime_error(race);
    }
    buffer_.check();
  }
  void* shared() const { return shared_bytes_ > 0 ? shared_ : nullptr; }

 private:
  void enter(int thread) {
    current_ = thread;
    threadIdx.x = static_cast<unsigned>(thread);
    enter_watched_thread(thread);
  }
  void order_threads(int threads);
  bool run_group(int begin, int end);
  void work(Worker& worker);
  void wait(State state);
  void resume(Worker& worker);
  Worker& idle_worker();
  void drop_waiting();
  bool complete(int warp, const WarpCall& call);
  std::string deadlock_text() const;
  std::string why_missing(int thread) const;
  void check_copies() const;

  std::vector<SharedRange> variables_;
  bool searched_ = false;
  GuardedBuffer buffer_{kSharedBytes, "dynamic shared memory"};
  void* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;

  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
  std::vector<Thread> threads_;
  std::vector<unsigned> in_warp_;  ///< by warp: its lanes that wait in a warp function
  const std::function<void()>* kernel_ = nullptr;
  std::vector<int> turns_;    ///< threads in the order of their turns
  std::vector<int> fresh_;    ///< of the running group: not yet started, the next at the end
  std::uint64_t random_ = 1;  ///< of the shuffled order
  int current_ = 0, votes_ = 0;
  std::exception_ptr error_;
};

/// Of this thread, whose fibers run the kernel's threads.
Machine& machine() {
  thread_local Machine the_machine;
  return the_machine;
}

/// The one that runs a grid: threads take turns.
Machine* running = nullptr;

std::atomic<long long>& launch_count() {
  static std::atomic<long long> count = 0;
  return count;
}

/// Threads start one after another on one fiber, as long as none has to wait.
void Machine::work(Worker& worker) {
  while (!fresh_.empty() && error_ == nullptr) {
    const int t = fresh_.back();
    fresh_.pop_back();
    threads_[static_cast<std::size_t>(t)].worker = &worker;
    worker.busy = true;
    enter(t);
    try {
      (*kernel_)();
    } catch (...) {
      error_ = std::current_exception();
    }
    threads_[static_cast<std::size_t>(current_)].state = State::ended;
  }
  worker.busy = false;
  idle_.push_back(&worker);
}

void Machine::wait(State state) {
  Thread& thread = threads_[static_cast<std::size_t>(current_)];
  thread.state = state;
  thread.worker->fiber->pause();
}

void Machine::resume(Worker& worker) {
  worker.fiber->resume();
  if (error_ != nullptr) {
    drop_waiting();
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

Worker& Machine::idle_worker() {
  if (idle_.empty()) {
    workers_.push_back(std::make_unique<Worker>());
    Worker* worker = workers_.back().get();
    worker->fiber = std::make_unique<Fiber>([this, worker] { work(*worker); });
    return *worker;
  }
  Worker* worker = idle_.back();
  idle_.pop_back();
  return *worker;
}

void Machine::drop_waiting() {
  std::erase_if(workers_, [](const auto& worker) { return worker->busy; });
}

void Machine::order_threads(int threads) {
  turns_.resize(static_cast<std::size_t>(threads));
  std::iota(turns_.begin(), turns_.end(), 0);
  if (settings().order == Order::by_warp) {
    std::reverse(turns_.begin(), turns_.end());
  } else if (settings().order == Order::shuffled) {
    // A draw for each warp, the same for its lanes, and one for each lane.
    const auto draw = [this] {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      return random_ >> 33;
    };
    std::vector<std::uint64_t> warps(static_cast<std::size_t>(threads / warpSize + 1)),
        lanes(turns_.size());
    std::generate(warps.begin(), warps.end(), draw);
    std::generate(lanes.begin(), lanes.end(), draw);
    std::sort(turns_.begin(), turns_.end(), [&](int a, int b) {
      const auto wa = static_cast<std::size_t>(a / warpSize),
                 wb = static_cast<std::size_t>(b / warpSize);
      return std::tuple(warps[wa], wa, lanes[static_cast<std::size_t>(a)], a) <
             std::tuple(warps[wb], wb, lanes[static_cast<std::size_t>(b)], b);
    });
  }
}

/// Gives the threads with turns [begin, end) one turn each; false if none could run.
bool Machine::run_group(int begin, int end) {
  bool any = false;
  fresh_.clear();
  for (int i = end - 1; i >= begin; --i) {
    const int t = turns_[static_cast<std::size_t>(i)];
    if (threads_[static_cast<std::size_t>(t)].state == State::fresh) {
      fresh_.push_back(t);
    }
  }
  while (!fresh_.empty()) {
    any = true;
    resume(idle_worker());
  }
  for (int i = begin; i < end; ++i) {
    const int t = turns_[static_cast<std::size_t>(i)];
    Thread& thread = threads_[static_cast<std::size_t>(t)];
    if (thread.state == State::ready) {
      any = true;
      enter(t);
      resume(*thread.worker);
    }
  }
  return any;
}

void Machine::run_block(int threads, const std::function<void()>& kernel) {
  threads_.assign(static_cast<std::size_t>(threads), Thread{});
  in_warp_.assign(static_cast<std::size_t>((threads + warpSize - 1) / warpSize), 0u);
  kernel_ = &kernel;
  votes_ = 0;
  while (true) {
    order_threads(threads);
    for (int begin = 0, end = 0; begin < threads; begin = end) {
      // Turns of one warp are adjacent, except with in_turn.
      const auto warp_at = [&](int i) { return turns_[static_cast<std::size_t>(i)] / warpSize; };
      for (end = begin + 1; end < threads && (settings().order == Order::in_turn ||
                                              warp_at(end) == warp_at(begin));) {
        ++end;
      }
      while (run_group(begin, end)) {
      }
    }
    int at_barrier = 0;
    bool waiting = false;
    for (const Thread& thread : threads_) {
      at_barrier += static_cast<int>(thread.state == State::at_barrier);
      waiting = waiting || thread.state != State::ended;
    }
    if (!waiting) {
      check_copies();
      return;
    }
    if (at_barrier != threads) {
      const std::string text = deadlock_text();
      drop_waiting();
      throw std::runtime_error(text);
    }
    votes_ = 0;
    for (Thread& thread : threads_) {
      votes_ += static_cast<int>(thread.vote);
      thread.state = State::ready;
    }
    pass_shared_barrier();
  }
}

void Machine::check_copies() const {
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (threads_[t].copies.pending()) {
      throw std::runtime_error("[cuda_on_host] " + thread_text(static_cast<int>(t)) +
                               " ended before copies that it had begun");
    }
  }
}

int Machine::block_barrier(bool vote) {
  threads_[static_cast<std::size_t>(current_)].vote = vote;
  wait(State::at_barrier);
  return votes_;
}

std::string Machine::why_missing(int thread) const {
  switch (threads_[static_cast<std::size_t>(thread)].state) {
    case State::ended:
      return thread_text(thread) + " has ended";
    case State::at_barrier:
      return thread_text(thread) + " waits in __syncthreads";
    default:
      return thread_text(thread) + " waits in another warp function or with another mask";
  }
}

std::string Machine::deadlock_text() const {
  std::string text = "[cuda_on_host] block (" + std::to_string(blockIdx.x) + ", " +
                     std::to_string(blockIdx.y) + ", " + std::to_string(blockIdx.z) + "): ";
  const int n = static_cast<int>(threads_.size());
  for (int t = 0; t < n; ++t) {
    const Thread& thread = threads_[static_cast<std::size_t>(t)];
    if (thread.state != State::in_warp) {
      continue;
    }
    for (int lane = 0; lane < warpSize; ++lane) {
      const int other = t / warpSize * warpSize + lane;
      if ((thread.call.mask >> lane & 1u) == 0) {
        continue;
      }
      if (other >= n) {
        return text + thread_text(t) + " waits in a warp function for lane " +
               std::to_string(lane) + ", which the block does not have";
      }
      const Thread& o = threads_[static_cast<std::size_t>(other)];
      if (o.state != State::in_warp || o.call.mask != thread.call.mask ||
          o.call.function != thread.call.function) {
        return text + thread_text(t) + " waits in a warp function for all lanes of its mask, but " +
               why_missing(other);
      }
    }
  }
  int waiting = 0, ended = 0;
  for (int t = n - 1; t >= 0; --t) {
    waiting = threads_[static_cast<std::size_t>(t)].state == State::at_barrier ? t : waiting;
    ended = threads_[static_cast<std::size_t>(t)].state == State::ended ? t : ended;
  }
  return text + thread_text(waiting) + " waits in __syncthreads, but " + why_missing(ended);
}

/// Whether all lanes of call.mask have arrived; then each has its result.
bool Machine::complete(int warp, const WarpCall& call) {
  unsigned& waiting = in_warp_[static_cast<std::size_t>(warp)];
  if ((call.mask & ~waiting) != 0) {
    return false;
  }
  Thread* lanes[32] = {};
  for (int lane = 0; lane < warpSize; ++lane) {
    if ((call.mask >> lane & 1u) == 0) {
      continue;
    }
    Thread& thread = threads_[static_cast<std::size_t>(warp * warpSize + lane)];
    if (thread.call.mask != call.mask || thread.call.function != call.function ||
        thread.call.bytes != call.bytes) {
      return false;
    }
    lanes[lane] = &thread;
  }
  waiting &= ~call.mask;
  unsigned char values[32][16];
  unsigned votes = 0;
  for (int lane = 0; lane < warpSize; ++lane) {
    if (lanes[lane] != nullptr) {
      std::memcpy(values[lane], lanes[lane]->call.value, sizeof(values[lane]));
      votes |= static_cast<unsigned>(lanes[lane]->call.vote) << lane;
    }
  }
  for (Thread* thread : lanes) {
    if (thread != nullptr) {
      std::memcpy(thread->call.value, values[thread->call.source], sizeof(values[0]));
      thread->call.votes = votes;
      thread->state = State::ready;
    }
  }
  return true;
}

unsigned Machine::warp_call(WarpFunction function, unsigned mask, int source, void* value,
                            std::size_t bytes, bool vote) {
  const int lane = current_ % warpSize, warp = current_ / warpSize;
  const auto where = [lane] { return "[cuda_on_host] lane " + std::to_string(lane); };
  if ((mask >> lane & 1u) == 0) {
    throw std::runtime_error(where() + " calls a warp function whose mask leaves it out");
  }
  if (function == WarpFunction::shuffle &&
      (source < 0 || source >= warpSize || (mask >> source & 1u) == 0)) {
    throw std::runtime_error(where() + " reads from lane " + std::to_string(source) +
                             ", which its mask leaves out");
  }
  Thread& thread = threads_[static_cast<std::size_t>(current_)];
  thread.call.function = function;
  thread.call.mask = mask;
  thread.call.source = source;
  thread.call.vote = vote;
  thread.call.bytes = bytes;
  if (bytes > 0) {
    std::memcpy(thread.call.value, value, bytes);
  }
  thread.state = State::in_warp;
  in_warp_[static_cast<std::size_t>(warp)] |= 1u << lane;
  if (!complete(warp, thread.call)) {
    wait(State::in_warp);
  }
  if (bytes > 0) {
    std::memcpy(value, thread.call.value, bytes);
  }
  return thread.call.votes;
}

void check_launch(dim3 blocks, int threads, std::size_t shared_bytes) {
  std::string wrong;
  if (threads < 1 || threads > 1024) {
    wrong = std::to_string(threads) + " threads a block; a card takes 1 to 1024";
  } else if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) {
    wrong = "a grid without blocks";
  } else if (blocks.x > 2147483647u || blocks.y > 65535u || blocks.z > 65535u) {
    wrong = "more blocks than a card takes";
  } else if (shared_bytes > kSharedBytes) {
    wrong = std::to_string(shared_bytes) + " bytes of dynamic shared memory; every card has " +
            std::to_string(kSharedBytes);
  }
  if (!wrong.empty()) {
    throw std::runtime_error("[cuda_on_host] launch with " + wrong);
  }
}

}  // namespace

Settings& settings() {
  static Settings the_settings;
  return the_settings;
}
long long launches() {
  return launch_count();
}
unsigned warp_call(WarpFunction function, unsigned mask, int source, void* value, std::size_t bytes,
                   bool vote) {
  return running->warp_call(function, mask, source, value, bytes, vote);
}
int block_barrier(bool vote) {
  return running->block_barrier(vote);
}

Copies& copies() {
  return running->copies();
}

void* dynamic_shared() {
  void* data = running->shared();
  if (data == nullptr) {
    throw std::runtime_error(
        "[cuda_on_host] a kernel asks for dynamic shared memory, but its launch gives none");
  }
  return data;
}

void run_grid(dim3 blocks, int threads, std::size_t shared_bytes,
              const std::function<void()>& kernel) {
  check_launch(blocks, threads, shared_bytes);
  Machine& m = machine();
  running = &m;
  ++launch_count();
  blockDim = dim3(static_cast<unsigned>(threads));
  gridDim = blocks;
  const std::uint64_t count = std::uint64_t{blocks.x} * blocks.y * blocks.z;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t b = settings().order == Order::in_turn ? i : count - 1 - i;
    blockIdx = {static_cast<unsigned>(b % blocks.x), static_cast<unsigned>(b / blocks.x % blocks.y),
                static_cast<unsigned>(b / blocks.x / blocks.y)};
    m.open_shared(shared_bytes);
    m.run_block(threads, kernel);
    m.close_shared();
  }
}

}  // namespace cuda_on_host
