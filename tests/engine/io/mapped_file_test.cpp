// Mapped files that shrink while they are read.
#include "engine/io/mapped_file.h"

#ifndef _WIN32
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/model_writer.h"
#include "engine/io/weights.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytes = 1 << 20;

fs::path full_file(const test::TempFolder& folder, const char* name = "base.bin") {
  test::write_file(folder / name, std::string(kBytes, 'x'));
  return folder / name;
}

void touch_all(const MappedFile& file) {
  for (std::uint64_t i = 0; i < file.size(); i += 512) {
    (void)*static_cast<const volatile std::byte*>(file.data() + i);
  }
}

TEST(MappedFile, ReadsZerosWhereItShrankAndSaysSo) {
  const test::TempFolder folder;
  const fs::path path = full_file(folder);
  const MappedFile file(path);
  require_intact_files();
  fs::resize_file(path, 5000);
  EXPECT_EQ(file.data()[4999], std::byte{'x'});
  file.require_intact();
  EXPECT_EQ(file.data()[kBytes - 1], std::byte{0});
  test::expect_error_with([&] { file.require_intact(); }, {"base.bin", "shrank"});
  test::expect_error_with([] { require_intact_files(); }, {"base.bin", "shrank"});
  EXPECT_EQ(file.data()[4999], std::byte{'x'}) << "what could be read stays";
}

TEST(MappedFile, NothingIsKeptWhileOneHasFailed) {
  const test::TempFolder folder;
  const fs::path path = full_file(folder);
  {
    const MappedFile file(path);
    fs::resize_file(path, 0);
    AtomicFile out(folder / "derived.bin");
    touch_all(file);
    out.write("made of zeros");
    test::expect_error_with([&] { out.commit(); }, {"base.bin", "shrank"});
  }
  EXPECT_FALSE(fs::exists(folder / "derived.bin"));
  atomic_write(folder / "later.bin", std::string_view("told already, and closed"));
  EXPECT_TRUE(fs::exists(folder / "later.bin"));
}

TEST(MappedFile, AClosedOneIsToldOnce) {
  const test::TempFolder folder;
  const fs::path path = full_file(folder);
  {
    const MappedFile file(path);
    fs::resize_file(path, 0);
    touch_all(file);
  }
  test::expect_error_with([] { require_intact_files(); }, {"base.bin", "shrank"});
  require_intact_files();
}

TEST(MappedFile, ASystemCallThatReadsItFailsByItsName) {
  const test::TempFolder folder;
  const fs::path path = full_file(folder);
  const MappedFile file(path);
  fs::resize_file(path, 0);
  AtomicFile out(folder / "copy.bin");
  test::expect_error_with([&] { out.write(file.bytes()); }, {"base.bin", "shrank"});
}

TEST(MappedFile, ManyThreadsAndManyMappings) {
  const test::TempFolder folder;
  const fs::path path = full_file(folder);
  for (int round = 0; round < 20; ++round) {
    fs::resize_file(path, kBytes);
    const MappedFile shrinks(path);
    const fs::path other = full_file(folder, "other.bin");
    const MappedFile stays(other);
    std::vector<std::jthread> readers;
    for (int t = 0; t < 4; ++t) {
      readers.emplace_back([&] {
        touch_all(shrinks);
        touch_all(stays);
      });
    }
    fs::resize_file(path, 4096);
    readers.clear();
    touch_all(shrinks);
    EXPECT_THROW(shrinks.require_intact(), Error) << round;
    stays.require_intact();
  }
}

TEST(MappedFile, WithMappedPrefersTheFilesReason) {
  const test::TempFolder folder;
  const fs::path path = full_file(folder);
  const auto shrink = [&](std::span<const std::byte> bytes) -> int {
    fs::resize_file(path, 0);
    if (bytes[kBytes / 2] != std::byte{'x'}) {
      throw Error(Message::verbatim("the content is not what it should be"));
    }
    return 1;
  };
  test::expect_error_with([&] { with_mapped(path, shrink); }, {"base.bin", "shrank"});
  require_intact_files();
}

TEST(MappedFile, ABaseThatShrinksIsNeverWrittenOn) {
  const test::TempFolder folder;
  const fs::path base = folder / "base.safetensors";
  fs::copy_file(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors", base);
  const WeightSource source = WeightSource::open(base);
  const ModelContents model = model_contents(source, DType::f32);
  fs::resize_file(base, fs::file_size(base) / 2);
  test::expect_error_with([&] { write_model(folder / "merged.safetensors", model, {}); },
                          {"base.safetensors", "shrank"});
  EXPECT_FALSE(fs::exists(folder / "merged.safetensors"));
}

TEST(MappedFileDeathTest, AnotherBusErrorStillEndsTheProgram) {
  const auto fault = [] {
    const test::TempFolder folder;
    const fs::path path = full_file(folder);
    const MappedFile ours(path);
    const int descriptor = ::open(path.c_str(), O_RDONLY);
    const auto* theirs = static_cast<const volatile char*>(
        ::mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE, descriptor, 0));
    fs::resize_file(path, 0);
    (void)theirs[kBytes - 1];
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  EXPECT_DEATH(fault(), "Sanitizer: BUS");  // which reports it first
#else
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGBUS), "");
#endif
}

}  // namespace
}  // namespace mantissa
#endif
