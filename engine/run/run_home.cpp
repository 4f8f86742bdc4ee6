#include "engine/run/run_home.h"

#include "engine/core/paths.h"

namespace mantissa {

void RunHome::allow_moves(RunLog& log) {
  log.disk().allow_move(folder_.path(), [this, &log](const std::filesystem::path& parent) {
    move_below(parent, log);
  });
}

void RunHome::record_settings(const Preset& preset, RunLog& log) {
  log.keep([&] { folder_.record_settings(preset); });
  log.settings(folder_.frozen_job().preset);
}

void RunHome::move_below(const std::filesystem::path& parent, RunLog& log) {
  const RunFolder moved = folder_.moved_below(parent);
  moved_lock_.emplace(moved.lock());
  left_.push_back(folder_);
  folder_ = moved;
  log.move_to(folder_);
  allow_moves(log);
}

void RunHome::renew_lock(RunLog& log) {
  if ((moved_lock_ ? *moved_lock_ : *lock_).renew()) {
    log.line(LogLevel::warning, message<"{file} was deleted: it is made and locked again">(
                                    path_to_utf8(folder_.lock())));
  }
}

void RunHome::note_moves() {
  std::erase_if(left_, [this](const RunFolder& left) { return left.note_move(folder_); });
}

}  // namespace mantissa
