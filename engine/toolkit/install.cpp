#include "engine/toolkit/install.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "engine/core/disk_full.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/http/http_address.h"
#include "engine/http/http_client.h"
#include "engine/io/file.h"
#include "engine/io/mapped_file.h"
#include "engine/toolkit/installed.h"
#include "engine/toolkit/wheel_archive.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using Stage = InstallProgress::Stage;

constexpr std::size_t kLongestPage = std::size_t{16} << 20;
constexpr std::size_t kHashedAtOnce = std::size_t{4} << 20;

std::uint64_t size_or_zero(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return error ? 0 : size;
}

fs::path with_part(fs::path path) {
  path += ".part";
  return path;
}

class Installation {
 public:
  Installation(const InstallRequest& request, const std::stop_token& stop,
               const std::function<void(const InstallProgress&)>& progress)
      : table_(request.table),
        given_(request.wheels),
        root_(request.root),
        target_(request.root / table_.id()),
        filling_(with_part(target_)),
        downloads_(request.root / kDownloads),
        stop_(stop),
        progress_(progress),
        client_([stop] { return stop.stop_requested(); }) {
    client_.set_retry_pause(request.retry_pause);
  }

  fs::path run() {
    set_damaged_aside();
    std::vector<const LibraryWheel*> missing;
    for (const LibraryWheel& wheel : table_.wheels) {
      if (!is_unpacked(wheel)) {
        missing.push_back(&wheel);
      }
    }
    count(missing);
    require_wheels(missing);
    require_space(missing);
    make_folders(filling_);
    for (const LibraryWheel* wheel : missing) {
      obtain(*wheel);
    }
    for (const LibraryWheel* wheel : missing) {
      unpack(*wheel);
    }
    rename_durably(filling_, target_);
    remove_all_but(root_, target_);
    return target_;
  }

 private:
  /// A damaged installation is filled up like an interrupted one.
  void set_damaged_aside() const {
    std::error_code error;
    if (fs::is_directory(target_, error)) {
      fs::remove_all(filling_, error);
      rename_durably(target_, filling_);
    }
  }

  /// Where each member goes.
  std::map<std::string, fs::path> members(const LibraryWheel& wheel) const {
    std::map<std::string, fs::path> files;
    for (const auto& [path, bytes] : wheel.libraries) {
      files[path] = filling_ / path_from_utf8(library_name(path));
    }
    files[wheel.terms] = filling_ / "licenses" / path_from_utf8(wheel.package + ".txt");
    return files;
  }

  /// Members are written whole or not at all, so that their sizes tell.
  bool is_unpacked(const LibraryWheel& wheel) const {
    const auto files = members(wheel);
    return size_or_zero(files.at(wheel.terms)) > 0 &&
           std::ranges::all_of(wheel.libraries, [&](const auto& library) {
             return size_or_zero(files.at(library.first)) == library.second;
           });
  }

  void count(const std::vector<const LibraryWheel*>& missing) {
    for (const LibraryWheel* wheel : missing) {
      to_download_ += given_.empty() ? wheel->bytes : 0;
      to_unpack_ += wheel->unpacked_bytes();
    }
  }

  void tell(Stage stage, const LibraryWheel& wheel, std::uint64_t done) const {
    const bool unpacks = stage == Stage::unpacking;
    const std::uint64_t all = to_download_ + to_unpack_;
    progress_({stage, wheel.package, done, unpacks ? to_unpack_ : to_download_,
               all == 0 ? 1
                        : static_cast<double>(done + (unpacks ? to_download_ : 0)) /
                              static_cast<double>(all)});
  }

  void require_wheels(const std::vector<const LibraryWheel*>& missing) const {
    std::string lacking;
    for (const LibraryWheel* wheel : missing) {
      std::error_code error;
      if (!given_.empty() && !fs::is_regular_file(wheel_path(*wheel), error)) {
        lacking += (lacking.empty() ? "" : ", ") + wheel->file;
      }
    }
    if (!lacking.empty()) {
      throw Error(
          message<"the folder {folder} lacks {files}; `mantissa cuda status` lists the files "
                  "that are needed">(path_to_utf8(given_), lacking));
    }
  }

  void require_space(const std::vector<const LibraryWheel*>& missing) const {
    std::uint64_t needed = 0;
    for (const LibraryWheel* wheel : missing) {
      for (const auto& [path, file] : members(*wheel)) {
        const auto library = wheel->libraries.find(path);
        const std::uint64_t bytes = library != wheel->libraries.end() ? library->second : 0;
        needed += size_or_zero(file) == bytes ? 0 : bytes;
      }
      if (given_.empty()) {
        const std::uint64_t present =
            std::max(size_or_zero(wheel_path(*wheel)), size_or_zero(with_part(wheel_path(*wheel))));
        needed += wheel->bytes - std::min(present, wheel->bytes);
      }
    }
    if (const std::uint64_t free = free_disk_bytes(root_); free < needed) {
      throw DiskFull(root_, needed,
                     message<"the CUDA libraries need {need} MB in {folder}, which has {free} MB "
                             "free; free space, or set MANTISSA_HOME to a folder on another disk">(
                         needed / 1'000'000 + 1, path_to_utf8(root_), free / 1'000'000));
    }
  }

  fs::path wheel_path(const LibraryWheel& wheel) const {
    return (given_.empty() ? downloads_ : given_) / path_from_utf8(wheel.file);
  }

  /// Makes a checked wheel available.
  void obtain(const LibraryWheel& wheel) {
    const fs::path file = wheel_path(wheel);
    if (!given_.empty()) {
      require_content(wheel, file);
      return;
    }
    if (size_or_zero(file) != wheel.bytes) {
      make_folders(downloads_);
      const std::string url = address(wheel);
      client_.file(url, with_part(file), wheel.bytes, [&](std::uint64_t done) {
        tell(Stage::downloading, wheel, downloaded_ + done);
      });
      sync_file(with_part(file));
      rename_durably(with_part(file), file);
    }
    try {
      require_content(wheel, file);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::interrupted) {
        std::error_code ignored;
        fs::remove(file, ignored);  // the next time it is downloaded again
      }
      throw;
    }
    downloaded_ += wheel.bytes;
  }

  std::string address(const LibraryWheel& wheel) {
    const std::string page = table_.index + "/" + wheel.package + "/";
    const HttpText answer = client_.text(page, kLongestPage);
    std::string url = linked_file(answer.text, answer.url, wheel.file);
    if (url.empty()) {
      throw Error(message<"{page} has no file {file}; try another index with --index or "
                          "MANTISSA_CUDA_INDEX">(page, wheel.file));
    }
    return url;
  }

  void require_content(const LibraryWheel& wheel, const fs::path& file) const {
    tell(Stage::checking, wheel, downloaded_ + (given_.empty() ? wheel.bytes : 0));
    const std::string found = with_mapped(file, [&](std::span<const std::byte> bytes) {
      Sha256 hash;
      for (; !bytes.empty(); bytes = bytes.subspan(std::min(kHashedAtOnce, bytes.size()))) {
        require_not_stopped(stop_);
        hash.update(bytes.first(std::min(kHashedAtOnce, bytes.size())));
      }
      return hash.hex();
    });
    if (found != wheel.sha256) {
      throw Error(
          message<"{file} is not the file that this version of Mantissa was tested with: its "
                  "SHA-256 is {found}, expected {expected}. Download it again, from another "
                  "index if it stays so">(path_to_utf8(file), found, wheel.sha256));
    }
  }

  void unpack(const LibraryWheel& wheel) {
    make_folders(filling_ / "licenses");
    unpack_members(wheel_path(wheel), members(wheel), stop_, [&](std::uint64_t bytes) {
      unpacked_ = std::min(unpacked_ + bytes, to_unpack_);
      tell(Stage::unpacking, wheel, unpacked_);
    });
    if (!is_unpacked(wheel)) {
      throw Error(message<"{file} holds libraries of other sizes than expected">(
          path_to_utf8(wheel_path(wheel))));
    }
    if (given_.empty()) {
      std::error_code ignored;
      fs::remove(wheel_path(wheel), ignored);
    }
  }

  const LibraryTable& table_;
  const fs::path given_, root_, target_, filling_, downloads_;
  const std::stop_token& stop_;
  const std::function<void(const InstallProgress&)>& progress_;
  HttpClient client_;
  std::uint64_t to_download_ = 0, to_unpack_ = 0, downloaded_ = 0, unpacked_ = 0;
};

}  // namespace

fs::path install_libraries(const InstallRequest& request, const std::stop_token& stop,
                           const std::function<void(const InstallProgress&)>& progress) {
  if (request.table.wheels.empty()) {
    throw Error(message<"there are no CUDA libraries for this platform">());
  }
  const InstalledLibraries found = installed_libraries(request.table, request.root);
  if (found.state == InstalledLibraries::State::complete) {
    return found.folder;
  }
  make_folders(request.root);
  const RunLock lock = lock_libraries(request.root);
  return Installation(request, stop, progress).run();
}

std::string linked_file(const std::string& html, const std::string& page_url,
                        const std::string& file) {
  constexpr std::string_view kLink = "href=\"";
  for (std::size_t at = html.find(kLink); at != std::string::npos; at = html.find(kLink, at)) {
    at += kLink.size();
    const std::size_t end = html.find('"', at);
    if (end == std::string::npos) {
      break;
    }
    const std::string link = html.substr(at, end - at);
    const std::string path = link.substr(0, link.find_first_of("#?"));
    if (path.substr(path.rfind('/') + 1) == file) {
      return resolved_url(page_url, path);
    }
  }
  return {};
}

std::string licence_titles(const LibraryTable& table) {
  std::string text;
  for (const std::string& title : table.licences()) {
    text += (text.empty() ? "the " : " and the ") + title;
  }
  return text;
}

}  // namespace mantissa
