#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "engine/core/message.h"

namespace mantissa {

/// The kind of failure, as in the command line's exit status.
enum class ErrorKind {
  input,       ///< bad file, field, tensor or usage
  precision,   ///< refused by a precision finding
  non_finite,  ///< NaN or infinity stopped the run
  out_of_memory,
  out_of_disk,
  device_lost,  ///< a card stopped working
  rank_lost,    ///< another process of the run ended
  interrupted,  ///< stopped by the user, state saved
  internal,     ///< a mistake of this program
};

/// Exit status of a kind: 2, 3, 4, 5, 6, 7, 8, 130, 1.
constexpr int exit_code(ErrorKind k) {
  switch (k) {
    case ErrorKind::input:
      return 2;
    case ErrorKind::precision:
      return 3;
    case ErrorKind::non_finite:
      return 4;
    case ErrorKind::out_of_memory:
      return 5;
    case ErrorKind::out_of_disk:
      return 6;
    case ErrorKind::device_lost:
      return 7;
    case ErrorKind::rank_lost:
      return 8;
    case ErrorKind::interrupted:
      return 130;
    case ErrorKind::internal:
      return 1;
  }
  return 2;
}

/// One clear sentence: it names the file, field or tensor, the expected and actual values, and what
/// to do.
class Error : public std::runtime_error {
 public:
  explicit Error(Message message)
      : std::runtime_error(message.text()), message_(std::move(message)) {}
  Error(ErrorKind kind, Message message, std::string id = {})
      : std::runtime_error(message.text()),
        kind_(kind),
        message_(std::move(message)),
        id_(std::move(id)) {}
  ErrorKind kind() const { return kind_; }
  /// what() as a template and its values.
  const Message& message() const { return message_; }
  /// Catalogue id of a precision finding ("S4"), else empty.
  const std::string& id() const { return id_; }

 private:
  ErrorKind kind_ = ErrorKind::input;
  Message message_;
  std::string id_;
};

/// An exception's text: an Error's message; for others, what() verbatim.
inline Message message_of(const std::exception& e) {
  const auto* error = dynamic_cast<const Error*>(&e);
  return error != nullptr ? error->message() : Message::verbatim(e.what());
}

}  // namespace mantissa
