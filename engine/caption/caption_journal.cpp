#include "engine/caption/caption_journal.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kExtension = ".jsonl";

fs::path journals() {
  return data_dir() / "captions";
}

/// A file's text; nothing if there is none.
std::optional<std::string> text_of(const fs::path& file) {
  return fs::exists(file) ? std::optional(read_text(file)) : std::nullopt;
}

struct Entry {
  fs::path file;
  std::optional<std::string> before;
  std::string after;
};

std::vector<Entry> read_journal(const fs::path& journal) {
  std::vector<Entry> entries;
  const std::string text = read_text(journal, std::uint64_t{1} << 30);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto line = nlohmann::json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (!line.is_object() || !line.contains("file") || !line["file"].is_string() ||
        !line.contains("before") || !(line["before"].is_null() || line["before"].is_string()) ||
        !line.contains("after") || !line["after"].is_string()) {
      throw Error(message<"'{file}', which holds the captions from before, is damaged">(
          path_to_utf8(journal)));
    }
    Entry entry{path_from_utf8(line["file"].get<std::string>()), {}, line["after"]};
    if (line["before"].is_string()) {
      entry.before = line["before"].get<std::string>();
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// The newest journal that isn't undone; its name begins with its time.
std::optional<fs::path> latest() {
  std::optional<fs::path> newest;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(journals(), none)) {
    const fs::path& path = entry.path();
    if (path.extension() == kExtension && (!newest || path.filename() > newest->filename())) {
      newest = path;
    }
  }
  return newest;
}

}  // namespace

CaptionJournal::CaptionJournal() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  path_ = journals() / (fmt::format("{:020d}", microseconds) + kExtension);
}

void CaptionJournal::write(const fs::path& file, const std::string& caption) {
  const std::string text = caption + "\n";
  const std::optional<std::string> before = text_of(file);
  if (before == text) {
    return;
  }
  const nlohmann::json line{{"file", path_to_utf8(fs::absolute(file))},
                            {"before", before ? nlohmann::json(*before) : nlohmann::json()},
                            {"after", text}};
  make_folders(path_.parent_path());
  append_text(path_, line.dump() + "\n");
  atomic_write(file, text);
  ++written_;
}

std::optional<UndoneCaptions> undo_captions() {
  const std::optional<fs::path> journal = latest();
  return journal ? undo_captions(*journal) : std::nullopt;
}

std::optional<UndoneCaptions> undo_captions(const fs::path& journal) {
  if (!fs::exists(journal)) {
    return std::nullopt;
  }
  std::vector<Entry> entries = read_journal(journal);
  std::ranges::reverse(entries);
  UndoneCaptions undone;
  for (const Entry& entry : entries) {
    if (text_of(entry.file) != entry.after) {
      ++undone.changed;
    } else if (entry.before) {
      atomic_write(entry.file, *entry.before);
      ++undone.restored;
    } else {
      fs::remove(entry.file);
      ++undone.removed;
    }
  }
  fs::path done = journal;
  rename_durably(journal, done.replace_extension(".undone"));
  return undone;
}

}  // namespace mantissa
