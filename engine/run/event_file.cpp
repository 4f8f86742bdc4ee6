#include "engine/run/event_file.h"

#include <array>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/file.h"

namespace mantissa {
namespace {

/// CRC-32C (Castagnoli), as RFC 3720 B.4 has it.
std::uint32_t crc32c(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> values{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      values[i] = i;
      for (int bit = 0; bit < 8; ++bit) {
        values[i] = (values[i] >> 1) ^ ((values[i] & 1) != 0 ? 0x82F63B78U : 0U);
      }
    }
    return values;
  }();
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
  }
  return ~crc;
}

template <typename T>
void put_number(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i) {
    out += static_cast<char>(value >> (8 * i) & 0xFF);
  }
}

/// TFRecord's checksums are turned, so that one of bytes that hold one is no special case.
void put_checksum(std::string& out, std::string_view bytes) {
  put_number(out, std::rotr(crc32c(bytes), 15) + 0xA282EAD8U);
}

std::string record(const std::string& message) {
  std::string out;
  put_number(out, std::uint64_t{message.size()});
  put_checksum(out, std::string(out));
  out += message;
  put_checksum(out, message);
  return out;
}

// ---- protobuf's wire format ---------------------------------------------------------------------

enum Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>((value & 0x7F) | 0x80);
  }
  out += static_cast<char>(value);
}

void put_key(std::string& out, int field, Wire wire) {
  put_varint(out, static_cast<std::uint64_t>(field) << 3 | wire);
}

void put_integer(std::string& out, int field, std::int64_t value) {
  put_key(out, field, varint);
  put_varint(out, static_cast<std::uint64_t>(value));
}

void put_bytes(std::string& out, int field, std::string_view value) {
  put_key(out, field, bytes);
  put_varint(out, value.size());
  out += value;
}

void put_float(std::string& out, int field, float value) {
  put_key(out, field, fixed32);
  put_number(out, std::bit_cast<std::uint32_t>(value));
}

// Fields of Event, Summary, Summary.Value and Summary.Image.
enum EventField { kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7 };
enum ValueField { kTag = 1, kSimpleValue = 2, kImage = 4 };
enum ImageField { kHeight = 1, kWidth = 2, kColorspace = 3, kEncoded = 4 };
constexpr int kSummaryValue = 1;

std::string event(double time, std::int64_t step) {
  std::string out;
  put_key(out, kWallTime, fixed64);
  put_number(out, std::bit_cast<std::uint64_t>(time));
  if (step != 0) {  // as protobuf leaves out a default
    put_integer(out, kStep, step);
  }
  return out;
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) {
    value = value << 8 | static_cast<unsigned char>(byte);
  }
  return value;
}

}  // namespace

std::string event_file_start(double time, std::int64_t step) {
  std::string version = event(time, 0), session = event(time, step), status;
  put_bytes(version, kFileVersion, "brain.Event:2");
  put_integer(status, 1, 1);  // SessionLog.START
  put_bytes(session, kSessionLog, status);
  return record(version) + record(session);
}

std::string event_record(double time, std::int64_t step, std::span<const EventScalar> scalars) {
  std::string values;
  for (const EventScalar& scalar : scalars) {
    std::string value;
    put_bytes(value, kTag, scalar.tag);
    put_float(value, kSimpleValue, static_cast<float>(scalar.value));
    put_bytes(values, kSummaryValue, value);
  }
  std::string out = event(time, step);
  put_bytes(out, kSummary, values);
  return record(out);
}

std::string event_record(double time, std::int64_t step, const std::string& name,
                         const std::filesystem::path& png) {
  const std::string file = read_text(png);
  constexpr std::size_t kSizes = 16;  // width and height in the first chunk, IHDR
  if (!file.starts_with("\x89PNG\r\n\x1a\n") || file.size() < kSizes + 8) {
    throw Error(message<"{file}: expected a PNG image">(path_to_utf8(png)));
  }
  std::string pixels, value, values;
  put_integer(pixels, kHeight, big_endian(std::string_view(file).substr(kSizes + 4)));
  put_integer(pixels, kWidth, big_endian(std::string_view(file).substr(kSizes)));
  put_integer(pixels, kColorspace, 3);  // RGB
  put_bytes(pixels, kEncoded, file);
  put_bytes(value, kTag, name);
  put_bytes(value, kImage, pixels);
  put_bytes(values, kSummaryValue, value);
  std::string out = event(time, step);
  put_bytes(out, kSummary, values);
  return record(out);
}

std::vector<EventScalar> event_scalars(const StepRow& row) {
  std::vector<EventScalar> list{{"train/loss", row.loss},
                                {"train/grad_norm", row.grad_norm},
                                {"train/loss_scale", row.loss_scale},
                                {"train/update_ratio", row.update_ratio},
                                {"train/lost_update", row.lost_update},
                                {"train/skipped", row.skipped ? 1.0 : 0.0},
                                {"train/seconds", row.seconds}};
  for (const PartFigures& part : row.parts) {
    list.push_back({"learning_rate/" + std::string(part.part.name()), part.lr});
    list.push_back({"grad_norm/" + std::string(part.part.name()), part.norm});
  }
  return list;
}

std::vector<EventScalar> event_scalars(const ValidationRow& row) {
  return {{"validation/loss", row.loss}};
}

std::filesystem::path unused_event_file(const std::filesystem::path& folder, double time) {
  std::string host = host_name();
  for (char& c : host) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '.';
    c = plain ? c : '-';
  }
  for (int number = 0;; ++number) {
    std::filesystem::path file =
        folder / fmt::format("events.out.tfevents.{:.0f}.{}.{}.{}.mantissa", time, host,
                             process_id(), number);
    std::error_code unreadable;
    if (!std::filesystem::exists(file, unreadable)) {
      return file;
    }
  }
}

}  // namespace mantissa
