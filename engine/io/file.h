#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/core/message.h"
#include "engine/core/paths.h"

namespace mantissa {

/// A file that appears under its name complete or not at all: written to a temporary file in the
/// same folder, synced, renamed, and the folder synced. Destroying it before `commit` removes the
/// temporary file. Errors name the file; a full disk is DiskFull. `commit` throws if a mapped file
/// failed (require_intact_files), so that nothing made from a truncated file is published.
class AtomicFile {
 public:
  /// Whether the file outlasts a loss of power: `no` for what only running programs read.
  enum class Durable { yes, no };

  /// `expected_bytes`: size to be written, if known; used only in the disk-full message.
  explicit AtomicFile(const std::filesystem::path& path, std::uint64_t expected_bytes = 0);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit(Durable durable = Durable::yes);
  std::uint64_t written() const { return written_; }

 private:
  /// `action`: what failed, "write".
  [[noreturn]] void fail(const Message& action, int code);

  std::filesystem::path path_, temporary_;
  std::uint64_t expected_ = 0, written_ = 0;
  std::intptr_t handle_ = -1;
};

/// Whether an error of the system means that a disk or a quota is full.
bool is_disk_full(const std::error_code& error);
/// Creates a folder and its parents. Throws DiskFull, or Error naming it.
void make_folders(const std::filesystem::path& folder);
/// Appends to a file, created if missing: all of `text` or nothing. Throws DiskFull, or Error
/// naming it.
void append_text(const std::filesystem::path& path, std::string_view text);

void atomic_write(const std::filesystem::path& path, std::span<const std::byte> bytes);
void atomic_write(const std::filesystem::path& path, std::string_view text);

/// The whole file. Throws Error naming it if unreadable or longer than `max_bytes`.
std::string read_text(const std::filesystem::path& path, std::uint64_t max_bytes = 64u << 20);
/// The first `count` bytes, fewer if the file is shorter.
std::string read_bytes(const std::filesystem::path& path, std::uint64_t count);

/// Incremental SHA-256.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  /// 64 lowercase hex digits. Ends the computation.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
std::string sha256_hex(std::span<const std::byte> bytes);
std::string sha256_hex(std::string_view text);
std::string sha256_file(const std::filesystem::path& path);

/// Bytes this user can still write where `path` lies (or will lie).
std::uint64_t free_disk_bytes(const std::filesystem::path& path);

/// Makes the entries of a folder durable. Throws Error on failure: the save did not happen.
void sync_folder(const std::filesystem::path& folder);
/// Makes the content of an already written file durable.
void sync_file(const std::filesystem::path& file);
/// Renames a file or folder, then syncs the parent.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace mantissa
