// libFuzzer target of the preset reader: any bytes are a valid preset or an Error, and a valid one
// reads back equal from its own text. Build with -DMANTISSA_FUZZ=ON and Clang; run
//   build-fuzz/bin/fuzz_preset -max_len=1048576 -runs=100000

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "engine/preset/import.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "tests/reliability/fuzz_limits.h"
#include "tests/reliability/mutations.h"

// Functions that open files, overriding the C library's. No preset may make the reader open one,
// whatever paths it contains.
extern "C" {
FILE* fopen(const char* path, const char* how) {
  mantissa::Bounds::file_opened();
  static const auto real =
      reinterpret_cast<FILE* (*)(const char*, const char*)>(dlsym(RTLD_NEXT, "fopen"));
  return real(path, how);
}
FILE* fopen64(const char* path, const char* how) {
  return fopen(path, how);
}
int openat(int folder, const char* path, int flags, ...) {
  mantissa::Bounds::file_opened();
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, 0666));
}
int open(const char* path, int flags, ...) {
  return openat(AT_FDCWD, path, flags);
}
int open64(const char* path, int flags, ...) {
  return openat(AT_FDCWD, path, flags);
}
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace mantissa;

void require(bool ok) {
  if (!ok) {
    std::abort();
  }
}

void check_round_trip(const Preset& preset) {
  for (const WriteMode mode : {WriteMode::changed, WriteMode::full}) {
    const std::string written = to_json(preset, mode);
    const Preset again = parse_preset(written, "written");
    require(again == preset);
    require(to_json(again, mode) == written);
  }
}

// A valid preset of a few random settings, so that mutations get past the first checks.
std::string seed_preset(std::mt19937& random) {
  std::string text = "{\"mantissa_preset\":1";
  const auto rows = settings();
  for (unsigned i = 0; i < random() % 6; ++i) {
    const Setting& s = rows[random() % rows.size()];
    std::string value = default_value(s.key).dump();
    if (s.key == "samples.prompts") {
      value = "[{\"prompt\":\"a\",\"negative\":\"b\",\"seed\":1,\"width\":64,\"guidance\":2.5}]";
    } else if (s.key == "optimizer.groups") {
      value = "[{\"part\":\"te1\",\"type\":\"lion\",\"learning_rate\":1e-5}]";
    } else if (s.key == "precision.pins") {
      value = "{\"unet.*.norm\":\"fp32\"}";
    } else if (!s.choices.empty() && s.kind == Kind::choice) {
      value = "\"" + std::string(s.choices[random() % s.choices.size()]) + "\"";
    }
    text += ",\"" + std::string(s.key) + "\":" + value;
  }
  return text + "}";
}

// What nests, or repeats, as often as the input may be long: 1 MB of it is a limit of its own.
void repeat_part(std::string& text, std::mt19937& random, std::size_t most) {
  static constexpr const char* kParts[] = {"[",     ".a",   "{a=", "{\"a\":", "- ",
                                           "a: [",  "1,",   "\"",  "'''",     "[[a.b]]\n",
                                           "a=1\n", "{a: ", "\\",  "a: 1\n"};
  const std::string part = kParts[random() % std::size(kParts)];
  const std::size_t room = most - std::min(text.size(), most);
  const std::size_t size = random() % 8 == 0 ? room : std::min<std::size_t>(room, 4096);
  std::string many;
  for (std::size_t count = size / part.size(); count > 0; --count) {
    many += part;
  }
  text.insert(random() % (text.size() + 1), many);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bounds bounds(size);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check_round_trip(parse_preset(text, "fuzz"));
  } catch (const Error& error) {
    // Refused, with its own name: text written by Mantissa is never refused.
    require(std::strncmp(error.what(), "fuzz:", 5) == 0);
  }
  try {
    // The result of any configuration import is within the limits of a preset.
    check_round_trip(import_preset_text(text, "fuzz").preset);
  } catch (const Error&) {
  }
  Preset preset;
  bool changed = true;
  try {
    apply_set(preset, text);
  } catch (const Error&) {
    changed = false;
    require(preset == Preset{});
  }
  if (changed) {
    check_round_trip(preset);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  std::mt19937 random(seed);
  std::string text(reinterpret_cast<const char*>(data), size);
  if (size < 4 || random() % 64 == 0) {
    text = seed_preset(random);
  } else if (random() % 32 == 0) {
    repeat_part(text, random, max_size);
  } else if (random() % 3 == 0) {
    change_token(text, random);
  } else {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  size = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), size);
  return size;
}
