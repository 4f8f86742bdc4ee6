#include "engine/data/image_inspection.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/helper_threads.h"
#include "engine/data/caption_files.h"
#include "engine/data/masks.h"
#include "engine/data/reference_files.h"
#include "engine/io/file.h"
#include "engine/io/file_stamp.h"
#include "engine/io/image.h"
#include "engine/io/input_file.h"

namespace mantissa {
namespace {

/// A list of images may be of a moment's files; a run without one of its images may not.
bool changed_for_training(const Error& error, const ScanOptions& options) {
  return !options.allow_empty && dynamic_cast<const InputChanged*>(&error) != nullptr;
}

void inspect_mask(ImageCandidate& c, const ScanOptions& options) {
  try {
    c.item.mask_stamp = file_stamp(c.item.mask);
    c.item.mask_hash = sha256_file(c.item.mask);
    if (Message wrong = check_mask(c.item); !wrong.empty()) {
      c.skip = {SkipKind::mask, std::move(wrong)};
    } else if (options.decode) {
      c.mask_notice = mask_notice(c.item.mask, load_image(c.item.mask));
    }
    require_unchanged(c.item.mask, c.item.mask_stamp, c.item.mask_hash);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input || changed_for_training(e, options)) {
      throw;
    }
    c.skip = {SkipKind::mask, message<"its mask: {reason}">(e.message())};
  }
}

void inspect_references(ImageCandidate& c, const ScanOptions& options) {
  if (!c.lacks.empty()) {
    c.skip = {SkipKind::reference, c.lacks};
    return;
  }
  for (ReferenceImage& reference : c.item.references) {
    try {
      reference = read_reference(reference.path);
      if (options.decode) {
        load_image(reference.path);
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::input || changed_for_training(e, options)) {
        throw;
      }
      c.skip = {SkipKind::reference, message<"its reference: {reason}">(e.message())};
      return;
    }
  }
}

/// Size, hash and validity of one file; problems go into `skip`.
void inspect_image(ImageCandidate& c, const ScanOptions& options) {
  try {
    c.item.stamp = file_stamp(c.item.path);
    const ImageInfo info = probe_image(c.item.path);
    c.item.width = info.width;
    c.item.height = info.height;
    c.item.alpha = info.alpha;
    if (std::min(info.width, info.height) < options.min_side) {
      c.skip = {SkipKind::too_small, message<"too small: {size} pixels, each side needs {least}">(
                                         size_text(info.width, info.height), options.min_side)};
      return;
    }
    c.notice = pages_notice(info.pages);
    c.item.content_hash = sha256_file(c.item.path);
    if (options.masks == MaskMode::files && !c.item.mask.empty()) {
      inspect_mask(c, options);
    }
    inspect_references(c, options);
    if (options.decode && !(options.trusted && options.trusted(c.item))) {
      const Image image = load_image(c.item.path);
      if (image.width != info.width || image.height != info.height) {
        c.skip = {SkipKind::damaged,
                  message<"its header says {told} but it decodes to {found}">(
                      size_text(info.width, info.height), size_text(image.width, image.height))};
      } else if (c.notice.empty()) {
        c.notice = image.notice;
      }
    }
    if (!c.skip) {
      require_unchanged(c.item.path, c.item.stamp, c.item.content_hash);
    }
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input || changed_for_training(e, options)) {
      throw;  // out of memory is not the file's fault
    }
    // The report names the file itself.
    const auto* image = dynamic_cast<const ImageError*>(&e);
    c.skip = {skip_kind(e), image != nullptr ? image->reason() : e.message()};
    if (Message table = unread_table(c.item.path);
        c.skip->kind == SkipKind::no_image && !table.empty()) {
      c.skip->reason = std::move(table);
    }
  }
}

}  // namespace

// Each thread writes only its own candidates, so order doesn't matter.
void inspect_images(std::span<ImageCandidate> candidates, const ScanOptions& options) {
  const auto total = static_cast<std::int64_t>(candidates.size());
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> ready{0};
  std::atomic<bool> stop{false};
  const auto work = [&](bool tell) {
    for (std::int64_t i = next++; i < total && !stop; i = next++) {
      inspect_image(candidates[static_cast<std::size_t>(i)], options);
      const std::int64_t count = ++ready;
      if (tell && options.progress) {
        options.progress(RunPhase::scanning, count, total);
      }
    }
  };
  const auto guarded = [&](bool tell) -> std::exception_ptr {
    try {
      work(tell);
      return nullptr;
    } catch (...) {
      stop = true;
      return std::current_exception();
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const auto wanted =
      options.threads > 0 ? static_cast<unsigned>(options.threads) : std::min(cores, 8u);
  std::vector<std::exception_ptr> failures(wanted);
  {
    const std::size_t used =
        std::min<std::size_t>(wanted, std::max<std::size_t>(candidates.size(), 1));
    const auto help = [&](std::size_t t) { failures[t] = guarded(false); };
    const auto helpers = helper_threads(used - 1, help);
    failures[0] = guarded(true);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
  if (options.progress) {
    options.progress(RunPhase::scanning, total, total);
  }
}

std::string size_text(int width, int height) {
  return fmt::format("{}x{}", width, height);
}

}  // namespace mantissa
