#include "engine/caption/caption_images.h"

#include <algorithm>

#include "engine/caption/caption_journal.h"

namespace mantissa {
namespace {

constexpr int kFailuresInARow = 3;

/// Whether somebody wrote this image's caption; a folder's name is none.
bool has_caption(const ImageItem& item) {
  return item.caption_source != "folder" && !item.caption.empty();
}

std::filesystem::path caption_file(const ImageItem& item) {
  std::filesystem::path file = item.path;
  return item.caption_file.empty() ? file.replace_extension(".txt") : item.caption_file;
}

/// Whether the caption's first word or tag is `trigger`, not just a longer word.
bool begins_with(const std::string& caption, const std::string& trigger) {
  return caption.starts_with(trigger) &&
         (caption.size() == trigger.size() || caption[trigger.size()] == ',' ||
          caption[trigger.size()] == ' ');
}

std::string new_caption(const ImageItem& item, const Describe& describe,
                        const CaptionOptions& options) {
  std::vector<std::string> tags = describe(load_image(item.path));
  const std::string before = has_caption(item) ? item.caption : std::string();
  if (options.trigger.empty()) {
    return caption_with(before, tags, options.existing);
  }
  // It stands first whatever the caption's own place.
  std::erase(tags, options.trigger);
  const std::string rest = caption_with(before, tags, options.existing);
  return begins_with(rest, options.trigger)
             ? rest
             : options.trigger + (rest.empty() ? std::string() : ", " + rest);
}

}  // namespace

CaptionCounts caption_images(const Dataset& dataset, const Describe& describe,
                             const CaptionOptions& options,
                             const std::function<bool(const CaptionedImage&)>& tell) {
  CaptionJournal journal;
  CaptionCounts counts;
  int in_a_row = 0;
  for (const ImageItem& item : dataset.items) {
    CaptionedImage done{item.path, caption_file(item), item.caption, false, {}};
    done.kept = options.existing == ExistingCaption::keep && has_caption(item);
    Message reason;
    if (!done.kept) {
      try {
        done.caption = new_caption(item, describe, options);
        in_a_row = 0;
      } catch (const ImageError& e) {
        done.problem = e.reason();
      } catch (const CaptionError& e) {
        ++in_a_row;
        reason = e.message();
        done.problem = message<"got no caption: {reason}">(reason);
      } catch (const Error& e) {
        if (e.kind() == ErrorKind::interrupted) {
          break;
        }
        throw;
      }
    }
    ++counts.images;
    counts.kept += done.kept ? 1 : 0;
    counts.failed += done.problem.empty() ? 0 : 1;
    if (!done.kept && done.problem.empty() && !options.dry_run) {
      journal.write(done.file, done.caption);
    }
    counts.written = journal.written();
    if (!tell(done)) {
      break;
    }
    if (in_a_row == kFailuresInARow) {
      throw Error(message<"{count} images in a row got no caption, the last because: {reason}. The "
                          "captions made before stay">(in_a_row, reason));
    }
  }
  return counts;
}

CaptionCounts caption_images(const Dataset& dataset, Tagger& tagger, const CaptionOptions& options,
                             const std::function<bool(const CaptionedImage&)>& tell) {
  const auto describe = [&](const Image& image) {
    return chosen_tags(tagger.tags(), tagger.scores(image), options.tags);
  };
  return caption_images(dataset, Describe(describe), options, tell);
}

}  // namespace mantissa
