#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/message.h"
#include "engine/data/data_finding.h"
#include "engine/io/file_stamp.h"

namespace mantissa {

/// An image that another one is made of: with it and the caption as inputs, the model learns to
/// draw the other.
struct ReferenceImage {
  std::filesystem::path path;
  int width = 0, height = 0;  ///< pixels, upright
  std::string content_hash;   ///< SHA-256 of the file, hex
  FileStamp stamp{};          ///< of the file as it was hashed

  /// As ImageItem::require_unchanged.
  void require_unchanged() const;
};

/// One usable image.
struct ImageItem {
  std::filesystem::path path;
  std::string name;                        ///< path below its folder, '/' between parts, UTF-8
  std::string caption;                     ///< UTF-8, may be empty
  std::string caption_source;              ///< "txt", "caption", "jsonl" or "folder"
  std::filesystem::path caption_file;      ///< of "txt" and "caption", else empty
  int width = 0, height = 0;               ///< pixels, upright
  std::string content_hash;                ///< SHA-256 of the file, hex
  bool alpha = false;                      ///< has an alpha channel
  std::filesystem::path mask;              ///< its mask file, empty if there is none
  std::string mask_hash;                   ///< SHA-256 of that, hex; only if masks are files
  FileStamp stamp{}, mask_stamp{};         ///< of the files as they were hashed
  std::vector<ReferenceImage> references;  ///< in the order in which the model reads them
  bool prior = false;                      ///< for prior preservation (sets.h)
  int repeats = 1;                         ///< by its folder, beside data.repeats
  int resolution = 0;  ///< by its folder, in place of those of all images; 0: those
  double weight = 1;   ///< of its loss, by its folder (folder_rules.h)
  Message notice;      ///< what the report tells of it, else empty

  /// Call it after reading the image, or its mask, again: throws InputChanged if the file isn't the
  /// one that was found.
  void require_unchanged() const;
  void require_unchanged_mask() const;
  void require_unchanged_references() const;
};

/// Why a file was skipped.
enum class SkipKind {
  no_image,        ///< neither an image nor a file belonging to one
  damaged,         ///< an image that can't be decoded
  too_small,       ///< an image below ScanOptions::min_side
  too_large,       ///< an image above the limits of image.h
  caption,         ///< an image whose caption can't be read
  mask,            ///< an image whose mask can't be used
  lone_caption,    ///< a caption without its image
  lone_mask,       ///< a mask without its image
  reference,       ///< an image that lacks a reference, or one of whose can't be used
  lone_reference,  ///< a reference without its image
  metadata,        ///< a line of a metadata.jsonl, or all of it
  folder,          ///< unreadable, or already entered
  no_file          ///< a broken link, a device, …
};
/// For an image whose reading throws `error`.
SkipKind skip_kind(const Error& error);

struct SkippedFile {
  std::filesystem::path path;
  SkipKind kind = SkipKind::damaged;
  Message reason;
  /// A file of captions in another encoding than UTF-8, which recode_captions.h rewrites.
  std::filesystem::path legacy{};
};

/// Every file that was not used, and why: nothing is dropped silently.
struct DatasetReport {
  std::vector<std::filesystem::path> folders;
  std::int64_t files = 0;           ///< regular files seen
  std::int64_t images = 0;          ///< used for training
  std::int64_t captions = 0;        ///< caption files used
  std::int64_t masks = 0;           ///< images with a mask of the requested kind
  std::int64_t references = 0;      ///< images with references
  std::int64_t prior = 0;           ///< images for prior preservation, not in `images`
  std::int64_t held_out = 0;        ///< images for validation, not in `images`
  std::int64_t hidden_folders = 0;  ///< not entered
  std::int64_t hidden_files = 0;
  std::vector<SkippedFile> skipped;  ///< also single lines of metadata.jsonl
  Message copies;                    ///< exact ones among the images (duplicates_message)
  std::vector<Message> notices;  ///< "a.txt: converted from UTF-16", only the first of 12 frames, …
  std::vector<DataFinding> findings;  ///< used, or passed over, perhaps not as meant

  /// Number of skipped files, without the single lines of metadata.jsonl.
  std::int64_t skipped_files() const;
  std::string text() const;  ///< human-readable, ends in a newline
  std::string json() const;
};

struct Dataset {
  std::vector<ImageItem> items;  ///< sorted by folder argument, then name by bytes
  DatasetReport report;

  /// Whether losses of images weigh differently.
  bool weighted() const;
  /// Moves item `index` to the skipped files, e.g. when its latents can't be made.
  void reject(std::size_t index, SkipKind kind, const Message& reason);
  /// SHA-256 over names, captions and content hashes: shows whether a resumed run has the same
  /// data.
  std::string fingerprint() const;
};

}  // namespace mantissa
