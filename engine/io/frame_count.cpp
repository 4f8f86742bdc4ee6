#include "engine/io/frame_count.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace mantissa {

namespace {

using FileBytes = std::span<const std::byte>;

constexpr std::size_t kPngSignature = 8;

std::uint32_t number_at(FileBytes bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  }
  return value;
}

bool has_name_at(FileBytes bytes, std::size_t at, std::string_view name) {
  return bytes.size() >= at + name.size() &&
         std::memcmp(bytes.data() + at, name.data(), name.size()) == 0;
}

int as_frames(std::uint64_t count) {
  return static_cast<int>(std::clamp<std::uint64_t>(count, 1, std::numeric_limits<int>::max()));
}

/// A box of the ISO base media format.
struct MediaBox {
  FileBytes name, content;
  bool is(std::string_view wanted) const { return has_name_at(name, 0, wanted); }
};

/// The first box of `rest`, which then begins behind it; nothing at the end, or if it is cut.
std::optional<MediaBox> take_box(FileBytes& rest) {
  std::size_t header = 8;
  if (rest.size() < header) {
    return std::nullopt;
  }
  std::uint64_t size = number_at(rest, 0);
  if (size == 1) {
    header = 16;
    if (rest.size() < header) {
      return std::nullopt;
    }
    size = std::uint64_t{number_at(rest, 8)} << 32 | number_at(rest, 12);
  } else if (size == 0) {  // up to the end
    size = rest.size();
  }
  if (size < header || size > rest.size()) {
    return std::nullopt;
  }
  const auto length = static_cast<std::size_t>(size);
  const MediaBox box{rest.subspan(4, 4), rest.subspan(header, length - header)};
  rest = rest.subspan(length);
  return box;
}

/// The first box of that name in `content`.
FileBytes box_in(FileBytes content, std::string_view name) {
  while (const auto box = take_box(content)) {
    if (box->is(name)) {
      return box->content;
    }
  }
  return {};
}

/// The samples of a track, 0 if it doesn't hold images.
std::uint64_t picture_samples(FileBytes track) {
  constexpr std::size_t kHandler = 8;      // behind version, flags and a reserved field
  constexpr std::size_t kSampleCount = 8;  // behind version, flags and the size of all samples
  const FileBytes media = box_in(track, "mdia");
  if (!has_name_at(box_in(media, "hdlr"), kHandler, "pict")) {
    return 0;
  }
  const FileBytes table = box_in(box_in(media, "minf"), "stbl");
  for (const std::string_view sizes : {"stsz", "stz2"}) {
    if (const FileBytes box = box_in(table, sizes); box.size() >= kSampleCount + 4) {
      return number_at(box, kSampleCount);
    }
  }
  return 0;
}

}  // namespace

int png_frames(FileBytes file) {
  bool in_animation = false;  // the still image, if a frame's description comes before it
  std::uint64_t frames = 0;
  for (std::size_t at = kPngSignature; at + 12 <= file.size();) {
    const std::size_t length = number_at(file, at);
    if (has_name_at(file, at + 4, "IDAT") || length > file.size() - at - 12) {
      break;
    }
    if (has_name_at(file, at + 4, "acTL") && length >= 4) {
      frames = number_at(file, at + 8);
    }
    in_animation = in_animation || has_name_at(file, at + 4, "fcTL");
    at += length + 12;
  }
  return frames == 0 ? 1 : as_frames(frames + (in_animation ? 0 : 1));
}

int heif_frames(FileBytes file) {
  std::uint64_t most = 1;
  FileBytes movie = box_in(file, "moov");
  while (const auto box = take_box(movie)) {
    if (box->is("trak")) {
      most = std::max(most, picture_samples(box->content));
    }
  }
  return as_frames(most);
}

}  // namespace mantissa
