#include "engine/core/system_message.h"

namespace mantissa {
namespace {

/// The system's error by its portable condition.
Message message_of_condition(const std::error_condition& condition, std::string otherwise) {
  if (condition.category() != std::generic_category()) {
    return Message::verbatim(std::move(otherwise));
  }
  switch (static_cast<std::errc>(condition.value())) {
    case std::errc::no_such_file_or_directory:
      return message<"No such file or directory">();
    case std::errc::permission_denied:
      return message<"Permission denied">();
    case std::errc::no_space_on_device:
      return message<"No space left on device">();
    case std::errc::is_a_directory:
      return message<"Is a directory">();
    case std::errc::not_a_directory:
      return message<"Not a directory">();
    case std::errc::read_only_file_system:
      return message<"Read-only file system">();
    case std::errc::io_error:
      return message<"Input/output error">();
    case std::errc::filename_too_long:
      return message<"File name too long">();
    default:
      return Message::verbatim(std::move(otherwise));
  }
}

}  // namespace

Message system_message(const std::error_code& error) {
  return message_of_condition(error.default_error_condition(), error.message());
}

Message system_message(int code) {
  return system_message(std::error_code(code, std::system_category()));
}

}  // namespace mantissa
