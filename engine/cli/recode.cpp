#include "engine/cli/recode.h"

#include <fmt/format.h>

#include "engine/caption/recode_captions.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/data/image_scan.h"
#include "engine/io/image.h"

namespace mantissa {
namespace {

constexpr std::string_view kList = "list";
constexpr std::size_t kShownCharacters = 60;

std::string excerpt_of(const LegacyCaptions& file, LegacyEncoding encoding) {
  return recoded_excerpt(file, encoding, kShownCharacters).value_or("");
}

/// How one file reads in each encoding that it can be read in.
void tell_readings(CommandSession& session, const LegacyCaptions& file) {
  const std::vector<LegacyEncoding> encodings = encodings_of(file);
  if (session.json) {
    nlohmann::json readings = nlohmann::json::object();
    for (const LegacyEncoding encoding : encodings) {
      readings[std::string(legacy_name(encoding))] = excerpt_of(file, encoding);
    }
    write_event(
        session.out(),
        {{"event", "legacy_captions"}, {"file", path_to_utf8(file.file)}, {"readings", readings}});
    return;
  }
  session.out() << printable_path(file.file) << '\n';
  for (const LegacyEncoding encoding : encodings) {
    session.out() << fmt::format("  {:<14}{}\n", legacy_name(encoding),
                                 printable(excerpt_of(file, encoding)));
  }
  if (encodings.empty()) {
    session.out() << "  is no text in any of the encodings; save it as UTF-8 by hand\n";
  }
}

int list_readings(CommandSession& session, const std::vector<LegacyCaptions>& files) {
  for (const LegacyCaptions& file : files) {
    tell_readings(session, file);
  }
  if (session.json) {
    write_event(session.out(), {{"event", "done"}, {"files", std::ssize(files)}});
    return 0;
  }
  session.out() << (files.empty() ? std::string("Every caption is UTF-8")
                                  : fmt::format("{} not UTF-8; the same command with --recode "
                                                "ENCODING rewrites what reads right",
                                                counted(std::ssize(files), "file")))
                << std::endl;
  return 0;
}

/// What becomes of one file. Whether it is rewritten, or would be.
bool recode_one(CommandSession& session, const LegacyCaptions& file, LegacyEncoding encoding,
                CaptionJournal* journal) {
  Message problem;
  const std::optional<std::string> start = recoded_excerpt(file, encoding, kShownCharacters);
  try {
    if (!start) {
      problem = message<"is not {encoding}; it stays as it is">(legacy_title(encoding));
    } else if (journal != nullptr) {
      recode(file, encoding, *journal);
    }
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) {
      throw;
    }
    problem = message<"stays as it is: {reason}">(e.message());
  }
  if (session.json) {
    write_event(session.out(), {{"event", "recoded"},
                                {"file", path_to_utf8(file.file)},
                                {"caption", start.value_or("")},
                                {"problem", problem.text()}});
  } else {
    session.people() << printable_path(file.file)
                     << (problem.empty() ? ": " + printable(*start) : " " + problem.text())
                     << std::endl;
  }
  return problem.empty();
}

int rewrite_files(CommandSession& session, const std::vector<LegacyCaptions>& files,
                  LegacyEncoding encoding, bool dry_run) {
  CaptionJournal journal;
  std::int64_t done = 0;
  for (const LegacyCaptions& file : files) {
    done += recode_one(session, file, encoding, dry_run ? nullptr : &journal) ? 1 : 0;
  }
  const std::int64_t left = std::ssize(files) - done;
  if (session.json) {
    write_event(session.out(), {{"event", "done"},
                                {"files", std::ssize(files)},
                                {"written", dry_run ? 0 : done},
                                {"failed", left}});
  } else if (files.empty()) {
    session.out() << "Every caption is UTF-8" << std::endl;
  } else {
    session.out() << fmt::format("{} not UTF-8: {} read as {}, {} left as {}{}",
                                 counted(std::ssize(files), "file"), done,
                                 legacy_title(encoding).text(), left,
                                 left == 1 ? "it is" : "they are",
                                 dry_run     ? "; nothing was written (--dry-run)"
                                 : done == 0 ? ""
                                             : "; `mantissa caption --undo` puts the old ones back")
                  << std::endl;
  }
  if (done == 0 && left > 0) {
    throw Error(message<"no file was read as {encoding}; `--recode list` shows how each would "
                        "read">(legacy_title(encoding)));
  }
  return 0;
}

}  // namespace

std::vector<std::string> recode_words() {
  std::vector<std::string> words;
  for (const LegacyEncoding encoding : kLegacyEncodings) {
    words.emplace_back(legacy_name(encoding));
  }
  words.emplace_back(kList);
  return words;
}

int recode_captions(CommandSession& session, std::span<const std::filesystem::path> folders,
                    const std::string& word, bool dry_run) {
  const ImageLibrary images;
  ScanOptions look;
  look.decode = false;
  look.allow_empty = true;
  const std::vector<LegacyCaptions> files = legacy_captions(scan_images(folders, look).report);
  const std::optional<LegacyEncoding> encoding = legacy_encoding(word);
  return encoding ? rewrite_files(session, files, *encoding, dry_run)
                  : list_readings(session, files);
}

}  // namespace mantissa
