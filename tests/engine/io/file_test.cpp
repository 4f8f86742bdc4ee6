#include "engine/io/file.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sys/mount.h>
#endif
#ifdef _WIN32
#include <windows.h>
#endif

#include "engine/core/utf8.h"
#include "engine/io/mapped_file.h"
#include "engine/io/pages.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(File, AtomicWriteReplacesWholeFiles) {
  const test::TempFolder folder;
  atomic_write(folder / "a.txt", std::string_view("one"));
  EXPECT_EQ(read_text(folder / "a.txt"), "one");
  atomic_write(folder / "a.txt", std::string_view(""));
  EXPECT_EQ(read_text(folder / "a.txt"), "");
  EXPECT_EQ(entries(folder.path()), 1);
}

#ifdef __linux__
TEST(File, ReleasedPagesLeaveTheProcessAndComeBackFromTheFile) {
  constexpr std::size_t kBytes = std::size_t{48} << 20;
  const test::TempFolder folder;
  std::string content(kBytes, 'x');
  for (std::size_t i = 0; i < kBytes; i += 1000) {
    content[i] = static_cast<char>('a' + i / 1000 % 26);
  }
  atomic_write(folder / "large", std::string_view(content));
  // Of files, and of shared memory if the temporary folder is in memory.
  const auto mapped_kib = [] {
    std::ifstream status("/proc/self/status");
    long sum = 0, kib = 0;
    for (std::string word; status >> word;) {
      if ((word == "RssFile:" || word == "RssShmem:") && status >> kib) {
        sum += kib;
      }
    }
    return sum;
  };
  const MappedFile file(folder / "large");
  const auto same = [&] {
    return std::memcmp(file.data(), content.data(), static_cast<std::size_t>(file.size())) == 0;
  };
  const long before = mapped_kib();
  EXPECT_TRUE(same());
  EXPECT_GT(mapped_kib(), before + (40 << 10));
  release_pages(file.bytes());
  EXPECT_LT(mapped_kib(), before + (4 << 10));
  EXPECT_TRUE(same());
  release_pages(file.bytes().subspan(10, 20));  // no whole page: nothing to do
  release_pages({});
  EXPECT_TRUE(same());
}
#endif

TEST(File, AbandonedWriteLeavesTheOldFile) {
  const test::TempFolder folder;
  atomic_write(folder / "a.txt", std::string_view("old"));
  {
    AtomicFile file(folder / "a.txt");
    file.write("new and unfinished");
    EXPECT_EQ(file.written(), 18u);
    EXPECT_EQ(entries(folder.path()), 2);
  }
  EXPECT_EQ(read_text(folder / "a.txt"), "old");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(File, UnwritablePlacesAreNamed) {
  const test::TempFolder folder;
  test::expect_error_with([&] { AtomicFile file(folder / "missing/a.bin"); }, {"missing/a.bin"});
  test::write_file(folder / "file", "x");
  test::expect_error_with([&] { AtomicFile file(folder / "file/a.bin"); }, {"file/a.bin"});
  fs::create_directory(folder / "taken");
  test::expect_error_with([&] { atomic_write(folder / "taken", std::string_view("x")); },
                          {"taken"});
  EXPECT_EQ(entries(folder.path()), 2);
}

#ifdef __linux__
// A file system of 64 KiB; needs the right to mount.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& path) : path_(path) {
    fs::create_directories(path);
    mounted_ = ::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=64k") == 0;
  }
  ~SmallDisk() {
    if (mounted_) {
      ::umount(path_.c_str());
    }
  }
  bool mounted() const { return mounted_; }

 private:
  fs::path path_;
  bool mounted_ = false;
};

TEST(File, FullDiskNamesFolderAndBytesAndKeepsTheOldFile) {
  const test::TempFolder folder;
  const SmallDisk disk(folder / "disk");
  if (!disk.mounted()) {
    GTEST_SKIP() << "mounting a small tmpfs is not allowed here";
  }
  const fs::path path = folder / "disk/state.bin";
  atomic_write(path, std::string_view("old"));
  try {
    atomic_write(path, std::string_view(std::string(1 << 20, 'x')));
    FAIL() << "a megabyte fitted on 64 KiB";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::out_of_disk);
    const std::string message = error.what();
    EXPECT_NE(message.find(path_to_utf8(folder / "disk")), std::string::npos) << message;
    EXPECT_NE(message.find("1.0 MB needed"), std::string::npos) << message;
  }
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(entries(folder / "disk"), 1);
  atomic_write(path, std::string_view("new"));
  EXPECT_EQ(read_text(path), "new");
}
#endif

#ifdef _WIN32
// As a virus scanner or an editor holds a file that was just written.
class HeldFile {
 public:
  explicit HeldFile(const fs::path& path)
      : handle_(CreateFileW(path.c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr)) {
    EXPECT_NE(handle_, INVALID_HANDLE_VALUE);
  }
  ~HeldFile() { release(); }
  void release() {
    if (handle_ != INVALID_HANDLE_VALUE) {
      CloseHandle(std::exchange(handle_, INVALID_HANDLE_VALUE));
    }
  }
  std::jthread release_soon() {
    return std::jthread([this] {
      Sleep(200);
      release();
    });
  }

 private:
  HANDLE handle_;
};

TEST(File, AFileHeldForAMomentIsReplacedAndAppendedTo) {
  const test::TempFolder folder;
  const fs::path path = folder / "log.txt";
  test::write_file(path, "one");
  {
    HeldFile held(path);
    const std::jthread soon = held.release_soon();
    append_text(path, " two");
  }
  EXPECT_EQ(read_text(path), "one two");
  {
    HeldFile held(path);
    const std::jthread soon = held.release_soon();
    atomic_write(path, std::string_view("three"));
  }
  EXPECT_EQ(read_text(path), "three");
  const HeldFile held(path);
  test::expect_error_with([&] { append_text(path, "x"); }, {"log.txt"});
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(File, AReaderKeepsNobodyFromAppending) {
  const test::TempFolder folder;
  const fs::path path = folder / "log.txt";
  test::write_file(path, "one");
  const auto size = with_mapped(path, [&](std::span<const std::byte> bytes) {
    append_text(path, " two");
    sync_file(path);
    return bytes.size();
  });
  EXPECT_EQ(size, 3u);
  EXPECT_EQ(read_text(path), "one two");
  // A program that holds it for writing doesn't keep it from being read or synced, either.
  HANDLE writer = CreateFileW(path.c_str(), FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE,
                              nullptr, OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(writer, INVALID_HANDLE_VALUE);
  EXPECT_EQ(read_text(path), "one two");
  sync_file(path);
  CloseHandle(writer);
}

TEST(File, AGuardedFileIsNotReplacedByAnyone) {
  const test::TempFolder folder;
  const fs::path path = folder / "base.safetensors";
  test::write_file(path, "base");
  const MappedFile file(path);
  EXPECT_FALSE(DeleteFileW(path.c_str()));
  test::expect_error_with([&] { atomic_write(path, std::string_view("x")); },
                          {"base.safetensors", "it is open"});
  EXPECT_EQ(read_text(path), "base");
  EXPECT_EQ(entries(folder.path()), 1);
}
#endif

TEST(File, MappedFileReadsAndNamesErrors) {
  const test::TempFolder folder;
  test::write_file(folder / "a.bin", std::string("ab\0c", 4));
  const MappedFile file(folder / "a.bin");
  EXPECT_EQ(file.size(), 4u);
  EXPECT_EQ(file.data()[3], std::byte{'c'});
  test::write_file(folder / "empty", "");
  EXPECT_EQ(MappedFile(folder / "empty").size(), 0u);
  test::expect_error_with([&] { MappedFile(folder / "nothing"); }, {"nothing"});
  test::expect_error_with([&] { MappedFile(folder.path()); }, {"not a regular file"});
}

#ifndef _WIN32  // AGuardedFileIsNotReplacedByAnyone
TEST(File, OneMappedWhileAnotherIsWrittenIsNotReplaced) {
  const test::TempFolder folder;
  const fs::path path = folder / "base.safetensors";
  test::write_file(path, "base");
  AtomicFile file(path);
  file.write("other");
  const MappedFile mapped(path);
  test::expect_error_with([&] { file.commit(); }, {"base.safetensors", "it is open"});
  EXPECT_EQ(read_text(path), "base");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(File, MappedFileSurvivesRemovalAndBlocksReplacement) {
  const test::TempFolder folder;
  test::write_file(folder / "a.bin", "content");
  const MappedFile file(folder / "a.bin");
  test::expect_error_with([&] { atomic_write(folder / "a.bin", std::string_view("x")); },
                          {"a.bin", "it is open"});
  fs::remove(folder / "a.bin");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.data()), 7), "content");
}
#endif

TEST(File, ReadTextHasALimit) {
  const test::TempFolder folder;
  test::write_file(folder / "a.txt", "0123456789");
  EXPECT_EQ(read_text(folder / "a.txt", 10), "0123456789");
  test::expect_error_with([&] { read_text(folder / "a.txt", 9); }, {"a.txt", "10 bytes", "9"});
  EXPECT_EQ(read_bytes(folder / "a.txt", 3), "012");
  EXPECT_EQ(read_bytes(folder / "a.txt", 99), "0123456789");
}

TEST(File, Sha256) {
  // FIPS 180-4 examples.
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 parts;
  parts.update("a");
  parts.update("bc");
  EXPECT_EQ(parts.hex(), sha256_hex("abc"));
  const test::TempFolder folder;
  test::write_file(folder / "abc", "abc");
  EXPECT_EQ(sha256_file(folder / "abc"), sha256_hex("abc"));
}

TEST(File, ConcurrentWritersNeverMix) {
  const test::TempFolder folder;
  const auto whole = [](const std::string& text) {
    return text.size() == 10000 && text == std::string(10000, text[0]);
  };
  atomic_write(folder / "shared", std::string_view(std::string(10000, 'z')));
  std::vector<std::thread> threads;
  for (char c = 'a'; c < 'e'; ++c) {
    threads.emplace_back([&, c] {
      for (int i = 0; i < 20; ++i) {
        atomic_write(folder / "shared", std::string_view(std::string(10000, c)));
      }
    });
  }
#ifndef _WIN32  // there a file that is being read can't be replaced
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(whole(read_text(folder / "shared"))) << "a reader saw half a file";
  }
#endif
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_TRUE(whole(read_text(folder / "shared")));
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(File, RenameAndSync) {
  const test::TempFolder folder;
  fs::create_directory(folder / "from");
  test::write_file(folder / "from/x", "1");
  sync_file(folder / "from/x");
  rename_durably(folder / "from", folder / "to");
  EXPECT_TRUE(fs::exists(folder / "to/x"));
  test::expect_error_with([&] { rename_durably(folder / "from", folder / "to2"); }, {"from"});
#ifndef _WIN32  // which has nothing to do for a folder
  test::expect_error_with([&] { sync_folder(folder / "none"); }, {"none"});
#endif
  test::expect_error_with([&] { sync_file(folder / "none"); }, {"none"});
}

TEST(File, FreeDiskBytesWorksForPathsToCome) {
  const test::TempFolder folder;
  const std::uint64_t here = free_disk_bytes(folder.path());
  EXPECT_GT(here, 0u);
  EXPECT_GT(free_disk_bytes(folder / "not/yet/there"), 0u);
}

TEST(File, Utf8Checks) {
  EXPECT_EQ(utf8_error_offset("aé日👍"), std::string_view::npos);
  EXPECT_EQ(utf8_error_offset("ab\x80"), 2u);
  EXPECT_EQ(utf8_error_offset("\xc0\xaf"), 0u);
  EXPECT_EQ(utf8_error_offset("\xe0\x80\x80"), 0u);
  EXPECT_EQ(utf8_error_offset("\xed\xa0\x80"), 0u);
  EXPECT_EQ(utf8_error_offset("\xf4\x90\x80\x80"), 0u);
  EXPECT_EQ(utf8_error_offset("\xf0\x9f\x91"), 0u);
}

}  // namespace
}  // namespace mantissa
