#include "engine/caption/caption_images.h"

#include <algorithm>
#include <map>
#include <optional>

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

/// An image that is damaged, gone or in use costs the others nothing: what is wrong with it.
std::optional<Image> loaded(const std::filesystem::path& file, Message& problem) {
  try {
    return load_image(file);
  } catch (const ImageError& e) {
    problem = e.reason();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) {
      throw;
    }
    problem = e.message();
  }
  return std::nullopt;
}

std::string new_caption(const ImageItem& item, std::vector<std::string> tags,
                        const CaptionOptions& options) {
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
  std::map<std::filesystem::path, std::string> made;  // images may share a file
  for (ImageItem item : dataset.items) {
    if (const auto before = made.find(caption_file(item)); before != made.end()) {
      item.caption_file = before->first;
      item.caption = before->second;
      item.caption_source = "txt";
    }
    CaptionedImage done{item.path, caption_file(item), item.caption, false, {}};
    done.kept = options.existing == ExistingCaption::keep && has_caption(item);
    Message reason;
    const std::optional<Image> image = done.kept ? std::nullopt : loaded(item.path, done.problem);
    if (image) {
      try {
        done.caption = made[done.file] = new_caption(item, describe(*image), options);
        in_a_row = 0;
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
