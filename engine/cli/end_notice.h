#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "engine/cli/commands.h"
#include "engine/notify/notice_post.h"

namespace mantissa {

/// Whom the end of a run is told: options of this call, kept in no file.
struct EndOptions {
  std::string address, command;
};
void add_end_options(CLI::App& command, EndOptions& options);

/// Tells the end of the session's run. What goes wrong then is a warning: the run's result and exit
/// status stay.
class EndNotice {
 public:
  /// The address is that of the environment without one in `options`, unless a program shows the
  /// run, which tells its end itself. Throws Error for what is no address.
  EndNotice(CommandSession& session, const EndOptions& options);

  void finished(const RunResult& result) const;
  /// `resumed`: the run that was to be continued, its folder or id; empty for a new one.
  void failed(const std::exception_ptr& why, const std::string& resumed) const;

 private:
  void tell() const;

  CommandSession& session_;
  std::optional<NoticeAddress> address_;
  std::string command_;
  std::int64_t started_;
};

}  // namespace mantissa
