#pragma once
// Captions written beside images, with what was there before.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace mantissa {

/// One session of writing captions. What each file held is recorded before it is changed, so that
/// all can be put back; each file is written whole or not at all.
class CaptionJournal {
 public:
  /// A new file in the folder "captions" of the data folder, made by the first `write`.
  CaptionJournal();
  /// Writes a caption file; none if it has this text already. Throws DiskFull, or Error naming the
  /// file.
  void write(const std::filesystem::path& file, const std::string& caption);
  /// Writes `text` as it is to a file of captions that held the bytes `before`, of any encoding.
  /// Throws Error if it holds others now; otherwise as above.
  void rewrite(const std::filesystem::path& file, const std::string& before,
               const std::string& text);
  std::int64_t written() const { return written_; }
  const std::filesystem::path& file() const { return path_; }

 private:
  void put(const std::filesystem::path& file, const std::optional<std::string>& before,
           const std::string& text);

  std::filesystem::path path_;
  std::int64_t written_ = 0;
};

struct UndoneCaptions {
  std::int64_t restored = 0;
  std::int64_t removed = 0;  ///< files that there weren't before
  std::int64_t changed = 0;  ///< left alone: edited since
};
/// Puts back what the latest session that isn't undone yet changed; nothing without one. Throws
/// Error naming the journal for a damaged line, or a folder of captions that is missing.
std::optional<UndoneCaptions> undo_captions();
/// Puts back what one session changed, otherwise as above; nothing if it is undone already.
std::optional<UndoneCaptions> undo_captions(const std::filesystem::path& journal);

}  // namespace mantissa
