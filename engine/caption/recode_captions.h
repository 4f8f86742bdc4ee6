#pragma once
// Files of captions in encodings from before UTF-8, rewritten as UTF-8.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/caption/caption_journal.h"
#include "engine/core/legacy_text.h"
#include "engine/data/dataset.h"

namespace mantissa {

/// A file of captions that isn't UTF-8, with its bytes as they were read.
struct LegacyCaptions {
  std::filesystem::path file;
  std::string bytes;
  bool by_line = false;  ///< a metadata.jsonl, whose lines that are UTF-8 stay
};

/// The files that a scan skipped because they aren't UTF-8, each once, in the report's order. Files
/// that can't be read, or that are UTF-8 by now, are left out.
std::vector<LegacyCaptions> legacy_captions(const DatasetReport& report);

/// The file as UTF-8, with its line ends; nothing if it is no text in the encoding.
std::optional<std::string> recoded(const LegacyCaptions& captions, LegacyEncoding encoding);

/// What shows whether an encoding is right, on one line of about `most` characters: the text around
/// its first character beyond ASCII, which reads the same in all of them. Nothing as for `recoded`.
std::optional<std::string> recoded_excerpt(const LegacyCaptions& captions, LegacyEncoding encoding,
                                           std::size_t most);

/// The encodings that the file can be read in.
std::vector<LegacyEncoding> encodings_of(const LegacyCaptions& captions);

/// Rewrites the file as UTF-8 through a journal, so that it can be put back. Whether it did: not if
/// the file is no text in the encoding. Throws what CaptionJournal::rewrite throws.
bool recode(const LegacyCaptions& captions, LegacyEncoding encoding, CaptionJournal& journal);

}  // namespace mantissa
