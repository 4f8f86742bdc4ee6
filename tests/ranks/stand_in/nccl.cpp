// A stand-in for libnccl.so.2 on a machine without cards: moves the bytes between processes through
// files, and fails where calls are out of order, outside a group, on another stream, or of sizes
// that don't match. A call that waits returns at once, as in NCCL's mode that doesn't block.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {
namespace fs = std::filesystem;

enum Result {
  success = 0,
  system_error = 2,
  invalid_argument = 4,
  invalid_usage = 5,
  in_progress = 7
};
constexpr int kVersion = 29900, kBytes = 1;

struct Id {
  std::array<char, 128> folder{};
};
struct Options {
  std::size_t size;
  unsigned magic, version;
  int blocking;
};
struct Transfer {
  void* data;
  std::size_t bytes;
  int other;
};

struct Communicator {
  fs::path folder;
  int rank = 0, size = 1;
  long group = 0;
  void* stream = nullptr;
  bool joined = false;
  std::vector<Transfer> sends, receives;
  std::string error;

  Result fail(const std::string& why, Result result = invalid_usage) {
    error = why;
    return result;
  }
  fs::path message(int from, int to) const {
    return folder / (std::to_string(group) + "-" + std::to_string(from) + "-" + std::to_string(to));
  }
  /// Complete as soon as it exists.
  static void write(const fs::path& file, const void* data, std::size_t bytes) {
    const fs::path part = file.string() + ".part";
    std::ofstream(part, std::ios::binary)
        .write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    fs::rename(part, file);
  }
};

/// The calls between ncclGroupStart and ncclGroupEnd.
struct Group {
  bool open = false;
  Communicator* communicator = nullptr;
};
Group& group() {
  thread_local Group the_group;
  return the_group;
}

bool fails(const char* what) {
  const char* text = std::getenv("MANTISSA_NCCL_FAILS");
  return text != nullptr && std::string(text) == what;
}

Result add(std::vector<Transfer> Communicator::*list, const Transfer& transfer, int type,
           Communicator* c, void* stream) {
  if (!group().open) {
    return c->fail("a transfer outside a group may wait for ever");
  }
  if (type != kBytes || stream == nullptr || (c->stream != nullptr && c->stream != stream)) {
    return c->fail("another type or stream than before", invalid_argument);
  }
  if (transfer.other < 0 || transfer.other >= c->size || !c->joined) {
    return c->fail("no such process", invalid_argument);
  }
  c->stream = stream;
  group().communicator = c;
  (c->*list).push_back(transfer);
  return success;
}

/// Receives what has come.
Result progress(Communicator* c) {
  if (!c->joined) {
    for (int rank = 0; rank < c->size; ++rank) {
      if (!fs::exists(c->folder / ("joined-" + std::to_string(rank)))) {
        return in_progress;
      }
    }
    c->joined = true;
  }
  while (!c->receives.empty()) {
    const Transfer& next = c->receives.back();
    const fs::path file = c->message(next.other, c->rank);
    if (!fs::exists(file)) {
      return in_progress;
    }
    if (fs::file_size(file) != next.bytes) {
      return c->fail("sent and received sizes differ");
    }
    std::ifstream(file, std::ios::binary)
        .read(static_cast<char*>(next.data), static_cast<std::streamsize>(next.bytes));
    fs::remove(file);
    c->receives.pop_back();
  }
  return success;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  *version = kVersion;
  return success;
}
int ncclGetUniqueId(Id* id) {
  std::string folder = (fs::temp_directory_path() / "mantissa-nccl-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr || folder.size() >= id->folder.size()) {
    return system_error;
  }
  std::copy(folder.begin(), folder.end(), id->folder.begin());
  return success;
}
int ncclCommInitRankConfig(Communicator** out, int size, Id id, int rank, const Options* options) {
  *out = nullptr;
  if (options->magic != 0xcafebeef || options->version > kVersion || options->blocking != 0) {
    return invalid_argument;
  }
  *out = new Communicator;
  (*out)->folder = id.folder.data();
  (*out)->rank = rank;
  (*out)->size = size;
  if (fails("start")) {
    return (*out)->fail("told to fail", system_error);
  }
  Communicator::write((*out)->folder / ("joined-" + std::to_string(rank)), "", 0);
  return in_progress;
}
int ncclCommGetAsyncError(Communicator* c, int* result) {
  *result = progress(c);
  return success;
}
int ncclGroupStart() {
  group() = {true, nullptr};
  return success;
}
int ncclSend(const void* data, std::size_t bytes, int type, int to, Communicator* c, void* stream) {
  return add(&Communicator::sends, {const_cast<void*>(data), bytes, to}, type, c, stream);
}
int ncclRecv(void* data, std::size_t bytes, int type, int from, Communicator* c, void* stream) {
  return add(&Communicator::receives, {data, bytes, from}, type, c, stream);
}
int ncclGroupEnd() {
  Communicator* c = group().communicator;
  if (!group().open || c == nullptr) {
    return invalid_usage;
  }
  group() = {};
  ++c->group;
  if (const char* log = std::getenv("MANTISSA_NCCL_LOG")) {
    std::ofstream(std::string(log) + "." + std::to_string(c->rank), std::ios::app)
        << c->sends.size() << " " << c->receives.size() << "\n";
  }
  if (c->group == 2 && fails("exchange")) {
    return c->fail("told to fail", system_error);
  }
  for (const Transfer& t : c->sends) {
    Communicator::write(c->message(c->rank, t.other), t.data, t.bytes);
  }
  c->sends.clear();
  return in_progress;
}
int ncclCommFinalize(Communicator* c) {
  return c->receives.empty() ? success : c->fail("it still receives");
}
int ncclCommAbort(Communicator* c) {
  delete c;
  return success;
}
int ncclCommDestroy(Communicator* c) {
  std::error_code others_are_there;
  fs::remove(c->folder / ("joined-" + std::to_string(c->rank)), others_are_there);
  fs::remove(c->folder, others_are_there);
  return ncclCommAbort(c);
}
const char* ncclGetErrorString(int result) {
  return result == system_error ? "unhandled system error" : "invalid usage";
}
const char* ncclGetLastError(const Communicator* c) {
  return c->error.c_str();
}

}  // extern "C"
