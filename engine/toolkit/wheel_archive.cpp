#include "engine/toolkit/wheel_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <memory>
#include <span>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

struct Closer {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

class WheelReader {
 public:
  explicit WheelReader(const fs::path& file) : file_(file), reader_(archive_read_new()) {
    archive_read_support_format_zip_seekable(reader_.get());
#ifdef _WIN32
    const int opened = archive_read_open_filename_w(reader_.get(), file.c_str(), kBlockBytes);
#else
    const int opened = archive_read_open_filename(reader_.get(), file.c_str(), kBlockBytes);
#endif
    if (opened != ARCHIVE_OK) {
      fail();
    }
  }

  /// Path of the next member; empty at the end.
  std::string next() {
    archive_entry* entry = nullptr;
    const int found = archive_read_next_header(reader_.get(), &entry);
    if (found == ARCHIVE_EOF) {
      return {};
    }
    const char* path = found == ARCHIVE_OK ? archive_entry_pathname(entry) : nullptr;
    if (path == nullptr) {
      fail();
    }
    return path;
  }

  /// The next bytes of the current member; 0 at its end, where its checksum has been compared.
  std::size_t read(std::span<std::byte> buffer) {
    const la_ssize_t count = archive_read_data(reader_.get(), buffer.data(), buffer.size());
    if (count < 0) {
      fail();
    }
    return static_cast<std::size_t>(count);
  }

 private:
  [[noreturn]] void fail() const {
    const char* reason = archive_error_string(reader_.get());
    throw Error(message<"could not unpack {file}: {reason}">(
        path_to_utf8(file_), reason != nullptr ? reason : "it is no zip archive"));
  }

  fs::path file_;
  std::unique_ptr<archive, Closer> reader_;
};

}  // namespace

void unpack_members(const fs::path& archive, const std::map<std::string, fs::path>& members,
                    const std::stop_token& stop,
                    const std::function<void(std::uint64_t bytes)>& progress) {
  WheelReader reader(archive);
  std::vector<std::byte> buffer(kBlockBytes);
  std::size_t left = members.size();
  while (left > 0) {
    const std::string path = reader.next();
    if (path.empty()) {
      throw Error(message<"could not unpack {file}: {reason}">(
          path_to_utf8(archive), message<"it lacks {count} of the files that are needed">(left)));
    }
    const auto wanted = members.find(path);
    if (wanted == members.end()) {
      continue;
    }
    AtomicFile file(wanted->second);
    while (const std::size_t count = reader.read(buffer)) {
      require_not_stopped(stop);
      file.write(std::span(buffer).first(count));
      progress(count);
    }
    file.commit();
    --left;
  }
}

void require_not_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) {
    throw Error(ErrorKind::interrupted,
                message<"cancelled; what was downloaded is kept for the next time">());
  }
}

}  // namespace mantissa
