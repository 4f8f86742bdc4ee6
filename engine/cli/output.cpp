#include "engine/cli/output.h"

#include "engine/cli/terminal.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"

namespace mantissa {
namespace {

constexpr std::size_t kMostPending = 1 << 16;

}  // namespace

OutputBuffer::~OutputBuffer() {
  sync();
}

bool OutputBuffer::pass_on(std::string_view text) {
  const auto count = static_cast<std::streamsize>(text.size());
  lost_ = target_.sputn(text.data(), count) != count || lost_;
  return !lost_;
}

void OutputBuffer::control(std::string_view sequence) {
  sync();
  pass_on(sequence);
}

OutputBuffer::int_type OutputBuffer::overflow(int_type c) {
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    const char character = traits_type::to_char_type(c);
    xsputn(&character, 1);
  }
  return lost_ ? traits_type::eof() : traits_type::not_eof(c);
}

std::streamsize OutputBuffer::xsputn(const char* text, std::streamsize count) {
  pending_.append(text, static_cast<std::size_t>(count));
  if (pending_.size() > kMostPending) {
    // Whole lines only: a character must not be split.
    const std::size_t end = pending_.rfind('\n') + 1;  // 0 if there is none
    pass_on(printable_lines(std::string_view(pending_).substr(0, end)));
    pending_.erase(0, end);
  }
  return lost_ ? 0 : count;
}

int OutputBuffer::sync() {
  const std::string text = printable_lines(pending_);
  pending_.clear();
  const bool written = pass_on(text);
  lost_ = target_.pubsync() != 0 || lost_;
  return written && !lost_ ? 0 : -1;
}

std::ostream& clear_line(std::ostream& out) {
  constexpr std::string_view kSequence = "\r\x1b[K";
  if (auto* buffer = dynamic_cast<OutputBuffer*>(out.rdbuf())) {
    buffer->control(kSequence);
    return out;
  }
  return out << kSequence;
}

int delivered(std::ostream& out, std::ostream& err, int status) {
  const bool out_lost = !out.flush().good(), err_lost = !err.flush().good();
  if (!out_lost && !err_lost) {
    return status;
  }
  // A reader that has seen enough, as `head` has, needs no word about the rest.
  const bool closed = reader_is_gone(out_lost ? StandardStream::out : StandardStream::error);
  if (!closed) {
    (out_lost ? err : out) << "mantissa: " << (out_lost ? "standard output" : "the error stream")
                           << " could not be written: the disk is full or reports an error; the "
                              "output is incomplete"
                           << std::endl;
  }
  return status != 0 ? status : exit_code(closed ? ErrorKind::input : ErrorKind::out_of_disk);
}

}  // namespace mantissa
