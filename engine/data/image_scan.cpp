#include "engine/data/image_scan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/caption_files.h"
#include "engine/data/caption_metadata.h"
#include "engine/data/captions.h"
#include "engine/data/folder_repeats.h"
#include "engine/data/image_inspection.h"
#include "engine/data/mask_files.h"
#include "engine/io/composed_name.h"
#include "engine/io/file.h"
#include "engine/io/program_folder.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

Message accepted() {
  return message<"JPEG, PNG, WebP, AVIF, TIFF, BMP or GIF">();
}

// Collects the files of one run of scan_images.
class Scanner {
 public:
  explicit Scanner(const ScanOptions& options) : options_(options) {}

  void add_folder(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status)) {
      throw Error(
          message<
              "the image folder {path} doesn't exist; give a folder that holds {formats} files">(
              path_to_utf8(folder), accepted()));
    }
    if (!fs::is_directory(status)) {
      throw Error(
          message<"{path} is a file; give the folder that holds the images">(path_to_utf8(folder)));
    }
    root_ = folder;
    report_.folders.push_back(folder);
    const std::size_t first = candidates_.size();
    if (!walk(folder)) {
      throw Error(message<"the image folder {path} can't be read; check its permissions">(
          path_to_utf8(folder)));
    }
    std::sort(
        candidates_.begin() + static_cast<std::ptrdiff_t>(first), candidates_.end(),
        [](const ImageCandidate& a, const ImageCandidate& b) { return a.item.name < b.item.name; });
  }

  Dataset finish() {
    find_masks();
    leave_out_folders();
    find_references();
    inspect_images(candidates_, options_);
    tell_same_names();
    for (const ImageCandidate& c : candidates_) {
      if (!c.skip) {
        metadata_.add_image(c.key);
      }
    }
    metadata_.read(report_);
    Dataset data;
    for (ImageCandidate& c : candidates_) {
      if (!c.skip) {
        find_caption(c);
      }
      if (c.skip) {
        report_.skipped.push_back(
            {c.item.path, c.skip->kind, c.skip->reason, std::move(c.skip->legacy)});
        continue;
      }
      for (const Message& notice : {c.notice, c.mask_notice}) {
        if (!notice.empty()) {
          report_.notices.push_back(message<"{path}: {notice}">(path_to_utf8(c.item.path), notice));
        }
      }
      c.item.notice = c.notice;
      if (options_.folder_repeats) {
        apply_folder_name(c.item);
      }
      report_.references += c.item.references.empty() ? 0 : 1;
      tell_shapes(c.item);
      report_.masks +=
          (options_.masks == MaskMode::alpha ? c.item.alpha : !c.item.mask.empty()) ? 1 : 0;
      data.items.push_back(std::move(c.item));
    }
    for (const ImageCandidate& c : candidates_) {
      if (c.skip) {
        captions_.forget_unused(c.item.path);  // it has an image, which is told
      }
    }
    captions_.tell(report_);
    masks_.tell(report_);
    report_.images = static_cast<std::int64_t>(data.items.size());
    std::stable_sort(report_.skipped.begin(), report_.skipped.end(),
                     [](const SkippedFile& a, const SkippedFile& b) {
                       return a.path.native() < b.path.native();
                     });
    data.report = std::move(report_);
    if (data.items.empty() && !options_.allow_empty) {
      refuse_empty(data.report);
    }
    return data;
  }

 private:
  void skip(const fs::path& path, SkipKind kind, Message reason) {
    report_.skipped.push_back({path, kind, std::move(reason)});
  }

  // False when the folder can't be listed.
  bool walk(const fs::path& folder) {
    std::error_code error;
    const fs::path real = real_path(folder);
    if (real.empty()) {
      return false;
    }
    if (!entered_.insert(real).second) {
      skip(folder, SkipKind::folder,
           message<"the same folder was entered already (a link, or given twice)">());
      return true;
    }
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      entries.push_back(it->path());
    }
    if (error) {
      return false;
    }
    std::sort(entries.begin(), entries.end(), [](const fs::path& a, const fs::path& b) {
      return path_to_utf8(a.filename()) < path_to_utf8(b.filename());
    });
    const ProgramFolder own = program_folder(folder);
    if (own != ProgramFolder::none) {
      finding_of(report_.findings, DataFindingKind::own_output)
          .files.push_back({folder, own == ProgramFolder::run
                                        ? message<"a run's samples, results and records">()
                                        : message<"cached encodings">()});
    }
    for (const fs::path& entry : entries) {
      if (own == ProgramFolder::none || (own == ProgramFolder::run && !is_runs_own(entry))) {
        add_entry(entry);
      }
    }
    return true;
  }

  void add_entry(const fs::path& entry) {
    std::error_code error;
    const fs::file_status status = fs::status(entry, error);
    const bool hidden = path_to_utf8(entry.filename()).starts_with('.');
    if (fs::is_directory(status)) {
      if (hidden) {
        ++report_.hidden_folders;
      } else if (options_.references != nullptr && options_.references->is_folder(entry)) {
        return;
      } else if (!walk(entry)) {
        skip(entry, SkipKind::folder,
             message<"this folder can't be read; check its permissions">());
      }
      return;
    }
    if (hidden) {
      ++report_.hidden_files;
      return;
    }
    if (options_.references != nullptr && options_.references->is_listed(entry)) {
      return;
    }
    ++report_.files;
    if (!fs::exists(status)) {
      skip(entry, SkipKind::no_file, message<"a link to a file that doesn't exist">());
    } else if (!fs::is_regular_file(status)) {
      skip(entry, SkipKind::no_file, message<"not a regular file">());
    } else if (entry.filename() == kCaptionTable) {
      metadata_.add_file(entry);
    } else if (captions_.add(entry) || masks_.add(entry, report_)) {
      return;
    } else {
      ImageCandidate c;
      c.item.path = entry;
      const std::u8string name = entry.lexically_relative(root_).generic_u8string();
      c.item.name.assign(name.begin(), name.end());
      c.key = entry.lexically_normal();
      candidates_.push_back(std::move(c));
    }
  }

  // Before any is read: what is left out needs no check.
  void leave_out_folders() {
    if (!options_.folder_repeats) {
      return;
    }
    FolderSelection selection;
    for (const ImageCandidate& c : candidates_) {
      selection.add(c.item);
    }
    std::erase_if(candidates_, [&](const ImageCandidate& c) {
      const bool out = selection.leaves_out(c.item);
      if (out) {
        selection.drop(c.item);
        captions_.forget(c.item.path);
        metadata_.add_image(c.key);
      }
      return out;
    });
    std::ranges::move(selection.notices(), std::back_inserter(report_.notices));
  }

  void find_masks() {
    for (ImageCandidate& c : candidates_) {
      if (const fs::path* mask = masks_.take(c.item.path)) {
        c.item.mask = *mask;
      }
    }
  }

  void find_references() {
    for (ImageCandidate& c : candidates_) {
      if (options_.references != nullptr) {
        c.lacks = options_.references->give(c.item);
      }
    }
  }

  // References of another shape than their image.
  void tell_shapes(const ImageItem& item) {
    for (const ReferenceImage& reference : item.references) {
      if (!have_one_shape(reference.width, reference.height, item.width, item.height)) {
        finding_of(report_.findings, DataFindingKind::reference_shape)
            .files.push_back(
                {item.path, message<"its reference {file} is {size} pixels, itself "
                                    "{expected}">(path_to_utf8(reference.path.filename()),
                                                  size_text(reference.width, reference.height),
                                                  size_text(item.width, item.height))});
      }
    }
  }

  void find_caption(ImageCandidate& c) {
    ImageItem& item = c.item;
    if (const fs::path* file = captions_.take(item.path)) {
      read_caption(c, *file);
      return;
    }
    const std::string* line = metadata_.text(c.key);
    if (line == nullptr && options_.references != nullptr) {
      line = options_.references->text(item.path);
    }
    if (line != nullptr) {
      item.caption = *line;
      item.caption_source = "jsonl";
      return;
    }
    const fs::path folder = fs::absolute(item.path.parent_path()).lexically_normal();
    const fs::path name =
        folder.has_filename() ? folder.filename() : folder.parent_path().filename();
    try {
      item.caption = decode_caption(path_to_utf8(name)).text;
      item.caption_source = "folder";
    } catch (const Error& e) {
      c.skip = {SkipKind::caption,
                message<"its caption, the folder's name, {reason}">(e.message())};
    }
  }

  void read_caption(ImageCandidate& c, const fs::path& file) {
    try {
      DecodedCaption decoded = decode_caption(read_text(file, 8 * kMaxCaptionBytes));
      c.item.caption = std::move(decoded.text);
      c.item.caption_source = CaptionFiles::is_plain(file) ? "txt" : "caption";
      c.item.caption_file = file;
      if (!decoded.notice.empty()) {
        report_.notices.push_back(message<"{path}: {notice}">(path_to_utf8(file), decoded.notice));
      }
    } catch (const NotUtf8& e) {
      c.skip = {
          SkipKind::caption,
          message<
              "its caption {file} isn't valid UTF-8 at byte {byte}; save it as UTF-8, or convert "
              "it with `mantissa caption --recode`">(path_to_utf8(file.filename()), e.byte()),
          file};
    } catch (const Error& e) {
      c.skip = {SkipKind::caption,
                message<"its caption {file} {reason}">(path_to_utf8(file.filename()), e.message())};
    }
  }

  // Images whose names are one text in two of Unicode's forms: they look the same.
  void tell_same_names() {
    std::map<std::string, const ImageCandidate*> seen;
    for (const ImageCandidate& c : candidates_) {
      const auto [at, is_new] = seen.emplace(composed_path(c.item.path), &c);
      if (!is_new && !c.skip && !at->second->skip) {
        finding_of(report_.findings, DataFindingKind::same_name).files.push_back({c.item.path, {}});
      }
    }
  }

  [[noreturn]] static void refuse_empty(const DatasetReport& report) {
    std::vector<Message> folders;
    for (const fs::path& folder : report.folders) {
      folders.push_back(Message::verbatim(path_to_utf8(folder)));
    }
    if (folders.empty()) {
      folders.push_back(message<"no folder">());
    }
    constexpr std::size_t kShown = 3;
    std::vector<Message> files;
    for (std::size_t i = 0; i < std::min(kShown, report.skipped.size()); ++i) {
      const SkippedFile& file = report.skipped[i];
      files.push_back(
          message<"{file} ({reason})">(path_to_utf8(file.path.filename()), file.reason));
    }
    if (report.skipped.size() > kShown) {
      files.push_back(message<"and {count} more">(report.skipped.size() - kShown));
    }
    throw Error(message<"no image to train on in {folders}: put {formats} files there (captions in "
                        "<name>.txt){skipped}">(
        joined<", ">(std::move(folders)), accepted(),
        files.empty() ? Message{} : message<"; skipped {files}">(joined<"; ">(std::move(files)))));
  }

  const ScanOptions& options_;
  fs::path root_;
  std::set<fs::path> entered_;
  std::vector<ImageCandidate> candidates_;
  CaptionFiles captions_;
  MaskFiles masks_;
  CaptionMetadata metadata_;
  DatasetReport report_;
};

}  // namespace

Dataset scan_images(std::span<const fs::path> folders, const ScanOptions& options) {
  Scanner scanner(options);
  for (const fs::path& folder : folders) {
    scanner.add_folder(folder.lexically_normal());
  }
  return scanner.finish();
}

}  // namespace mantissa
