#include "engine/run/file_hashing.h"

#include <chrono>
#include <utility>

namespace mantissa {

FileHashing::FileHashing(std::vector<ListedFile> files)
    : result_(std::async(std::launch::async, [this, files = std::move(files)] {
        return hash_files(files, ContentHashes::shared(),
                          [this](RunPhase, std::int64_t, std::int64_t) {
                            if (cancelled_) {
                              throw Error(ErrorKind::interrupted, Message::verbatim("stopped"));
                            }
                          });
      })) {}

FileHashing::~FileHashing() {
  cancelled_ = true;
  result_.wait();
}

bool FileHashing::done() const {
  return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace mantissa
