#include "engine/data/dataset.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/input_file.h"

namespace mantissa {

namespace fs = std::filesystem;

void ImageItem::require_unchanged() const {
  FileStamp known = stamp;
  mantissa::require_unchanged(path, known, content_hash);
}

void ReferenceImage::require_unchanged() const {
  FileStamp known = stamp;
  mantissa::require_unchanged(path, known, content_hash);
}

void ImageItem::require_unchanged_references() const {
  std::ranges::for_each(references, &ReferenceImage::require_unchanged);
}

void ImageItem::require_unchanged_mask() const {
  FileStamp known = mask_stamp;
  mantissa::require_unchanged(mask, known, mask_hash);
}

SkipKind skip_kind(const Error& error) {
  const auto* image = dynamic_cast<const ImageError*>(&error);
  const ImageFault fault = image != nullptr ? image->fault() : ImageFault::damaged;
  return fault == ImageFault::no_image    ? SkipKind::no_image
         : fault == ImageFault::too_large ? SkipKind::too_large
                                          : SkipKind::damaged;
}

void Dataset::reject(std::size_t index, SkipKind kind, const Message& reason) {
  const ImageItem& item = items.at(index);
  report.skipped.push_back({item.path, kind, reason});
  drop_file(report.findings, item.path);
  --(item.prior ? report.prior : report.images);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
}

bool Dataset::weighted() const {
  return std::ranges::any_of(items, [](const ImageItem& i) { return i.prior || i.weight != 1; });
}

std::string Dataset::fingerprint() const {
  Sha256 hash;
  for (const ImageItem& item : items) {
    for (const std::string* field : {&item.name, &item.caption, &item.content_hash}) {
      hash.update(std::to_string(field->size()) + ":");
      hash.update(*field);
    }
    hash.update(item.mask_hash);
    for (const ReferenceImage& reference : item.references) {
      hash.update("reference " + reference.content_hash);
    }
    hash.update(item.prior ? "prior" : "");
    if (item.repeats != 1) {
      hash.update("repeats " + std::to_string(item.repeats));
    }
    if (item.weight != 1) {
      hash.update("weight " + std::to_string(item.weight));
    }
  }
  return hash.hex();
}

std::int64_t DatasetReport::skipped_files() const {
  return std::ranges::count_if(
      skipped, [](const SkippedFile& file) { return file.kind != SkipKind::metadata; });
}

std::string DatasetReport::text() const {
  std::string out = std::to_string(images) + " images used, " + std::to_string(skipped_files()) +
                    " files skipped, " + std::to_string(files) + " files seen in\n";
  for (const fs::path& folder : folders) {
    out += "  " + printable_path(folder) + "\n";
  }
  for (const auto& [count, what] :
       {std::pair{masks, "images have a mask"}, std::pair{references, "images have references"},
        std::pair{prior, "images for prior preservation"},
        std::pair{held_out, "images held out for validation"}}) {
    if (count > 0) {
      out += std::to_string(count) + " " + what + "\n";
    }
  }
  if (!copies.empty()) {
    out += printable(copies.text()) + "\n";
  }
  if (hidden_folders + hidden_files > 0) {
    out += "passed over: " + std::to_string(hidden_folders) + " hidden folders, " +
           std::to_string(hidden_files) + " hidden files\n";
  }
  for (const DataFinding& finding : findings) {
    out += printable(headline(finding).text()) + "\n";
    for (const FoundFile& file : finding.files) {
      out += "  " + printable_path(file.path) +
             (file.detail.empty() ? "" : ": " + printable(file.detail.text())) + "\n";
    }
  }
  if (!skipped.empty()) {
    out += "skipped:\n";
    for (const SkippedFile& s : skipped) {
      out += "  " + printable_path(s.path) + ": " + printable(s.reason.text()) + "\n";
    }
  }
  if (!notices.empty()) {
    out += "notices:\n";
    for (const Message& notice : notices) {
      out += "  " + printable(notice.text()) + "\n";
    }
  }
  return out;
}

std::string DatasetReport::json() const {
  nlohmann::ordered_json out;
  out["images"] = images;
  out["files"] = files;
  out["captions"] = captions;
  out["masks"] = masks;
  out["references"] = references;
  out["prior"] = prior;
  out["held_out"] = held_out;
  out["copies"] = copies.text();
  out["hidden_folders"] = hidden_folders;
  out["hidden_files"] = hidden_files;
  out["folders"] = nlohmann::ordered_json::array();
  for (const fs::path& folder : folders) {
    out["folders"].push_back(path_to_utf8(folder));
  }
  out["findings"] = nlohmann::ordered_json::array();
  for (const DataFinding& finding : findings) {
    nlohmann::ordered_json named = nlohmann::ordered_json::array();
    for (const FoundFile& file : finding.files) {
      named.push_back({{"path", path_to_utf8(file.path)}, {"detail", file.detail.text()}});
    }
    out["findings"].push_back({{"kind", kind_name(finding.kind)}, {"files", std::move(named)}});
  }
  out["skipped"] = nlohmann::ordered_json::array();
  for (const SkippedFile& s : skipped) {
    out["skipped"].push_back({{"path", path_to_utf8(s.path)}, {"reason", s.reason.text()}});
  }
  out["notices"] = nlohmann::ordered_json::array();
  for (const Message& notice : notices) {
    out["notices"].push_back(notice.text());
  }
  // File names need not be UTF-8 everywhere: others are shown with a replacement character.
  return printable_json(out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) +
         "\n";
}

}  // namespace mantissa
