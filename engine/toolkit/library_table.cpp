#include "engine/toolkit/library_table.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/platform.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"

namespace mantissa {
namespace {

constexpr std::string_view kFile = "cuda_libraries.json";

LibraryWheel wheel_of(const nlohmann::json& row) {
  LibraryWheel wheel;
  wheel.package = row.at("package").get<std::string>();
  wheel.version = row.at("version").get<std::string>();
  wheel.file = row.at("file").get<std::string>();
  wheel.bytes = row.at("bytes").get<std::uint64_t>();
  wheel.sha256 = row.at("sha256").get<std::string>();
  wheel.licence = row.at("licence").get<std::string>();
  wheel.terms = row.at("terms").get<std::string>();
  wheel.libraries = row.at("libraries").get<std::map<std::string, std::uint64_t>>();
  return wheel;
}

}  // namespace

std::uint64_t LibraryWheel::unpacked_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [path, size] : libraries) {
    bytes += size;
  }
  return bytes;
}

std::string LibraryTable::id() const {
  Sha256 hash;
  for (const LibraryWheel& wheel : wheels) {
    hash.update(wheel.sha256);
  }
  return hash.hex().substr(0, 12);
}

std::uint64_t LibraryTable::download_bytes() const {
  std::uint64_t bytes = 0;
  for (const LibraryWheel& wheel : wheels) {
    bytes += wheel.bytes;
  }
  return bytes;
}

std::uint64_t LibraryTable::unpacked_bytes() const {
  std::uint64_t bytes = 0;
  for (const LibraryWheel& wheel : wheels) {
    bytes += wheel.unpacked_bytes();
  }
  return bytes;
}

std::vector<std::string> LibraryTable::licences() const {
  std::vector<std::string> titles;
  for (const LibraryWheel& wheel : wheels) {
    if (std::ranges::find(titles, wheel.licence) == titles.end()) {
      titles.push_back(wheel.licence);
    }
  }
  return titles;
}

LibraryTable parse_library_table(std::string_view json, std::string_view platform) {
  const nlohmann::json table = parse_json(json, kFile);
  LibraryTable result;
  try {
    result.index = table.at("index").get<std::string>();
    for (const nlohmann::json& row : table.at("wheels")) {
      if (row.at("platform").get<std::string>() == platform) {
        result.wheels.push_back(wheel_of(row));
      }
    }
  } catch (const nlohmann::json::exception& e) {
    throw Error(message<"{file} is no table of libraries: {reason}">(kFile, e.what()));
  }
  return result;
}

LibraryTable library_table() {
  const PlatformRow* platform = this_platform();
  LibraryTable table = parse_library_table(
      read_text(resource_path(kFile)), platform != nullptr ? platform->name : std::string_view());
  if (const char* index = std::getenv("MANTISSA_CUDA_INDEX"); index != nullptr && *index != 0) {
    table.index = index;
  }
  return table;
}

std::string library_name(std::string_view path_in_archive) {
  return std::string(path_in_archive.substr(path_in_archive.rfind('/') + 1));
}

}  // namespace mantissa
