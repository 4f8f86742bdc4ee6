#include "tests/engine/toolkit/tiny_wheels.h"

#include <fstream>
#include <random>
#include <zlib.h>

#include "engine/io/file.h"

namespace mantissa::test {
namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    out += static_cast<char>(value >> (8 * i) & 255);
  }
}

std::string deflated(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// What no compressor makes smaller.
std::string noise(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::string text(bytes, '\0');
  for (char& c : text) {
    c = static_cast<char>(random() & 255);
  }
  return text;
}

}  // namespace

std::string zip_archive(const std::map<std::string, std::string>& members) {
  std::string archive, directory;
  for (const auto& [name, content] : members) {
    const std::string packed = deflated(content);
    std::string facts;
    put(facts, 20, 2);  // version
    put(facts, 0, 2);   // flags
    put(facts, 8, 2);   // deflate
    put(facts, 0, 4);   // time and date
    put(facts,
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())),
        4);
    put(facts, packed.size(), 4);
    put(facts, content.size(), 4);
    put(facts, name.size(), 2);
    put(facts, 0, 2);  // extra field
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    directory += facts;
    put(directory, 0, 8);  // comment, disk, attributes
    put(directory, 0, 2);
    put(directory, archive.size(), 4);
    directory += name;
    put(archive, 0x04034b50, 4);
    archive += facts + name + packed;
  }
  const std::size_t at = archive.size();
  archive += directory;
  put(archive, 0x06054b50, 4);
  put(archive, 0, 4);  // disks
  put(archive, members.size(), 2);
  put(archive, members.size(), 2);
  put(archive, directory.size(), 4);
  put(archive, at, 4);
  put(archive, 0, 2);  // comment
  return archive;
}

TinyWheels::TinyWheels() {
  libraries = {{"libfirst.so.1", noise(3'000'000, 1)},
               {"libfirst_part.so.1", std::string(40'000, 'p')},
               {"libsecond.so.2", noise(50'000, 2)}};
  const auto add = [&](const std::string& package,
                       const std::map<std::string, std::string>& members) {
    LibraryWheel wheel;
    wheel.package = package;
    wheel.version = "1.0";
    wheel.file = package + "-1.0-py3-none-any.whl";
    wheel.licence = "Terms of " + package;
    wheel.terms = package + "-1.0.dist-info/licenses/License.txt";
    std::map<std::string, std::string> all = members;
    all[wheel.terms] = "the text of " + package;
    for (const auto& [path, content] : members) {
      if (libraries.contains(library_name(path))) {
        wheel.libraries[path] = content.size();
      }
    }
    const std::string archive = zip_archive(all);
    wheel.bytes = archive.size();
    wheel.sha256 = sha256_hex(archive);
    files[wheel.file] = archive;
    table.wheels.push_back(wheel);
  };
  add("first", {{"first/lib/libfirst.so.1", libraries.at("libfirst.so.1")},
                {"first/lib/libfirst_part.so.1", libraries.at("libfirst_part.so.1")},
                {"first/include/first.h", "nobody needs it"}});
  add("second", {{"second/lib/libsecond.so.2", libraries.at("libsecond.so.2")}});
}

void TinyWheels::write(const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  for (const auto& [name, content] : files) {
    std::ofstream(folder / name, std::ios::binary) << content;
  }
}

}  // namespace mantissa::test
