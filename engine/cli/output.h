#pragma once

#include <functional>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

namespace mantissa {

/// What shows a stream's text.
struct OutputLook {
  bool terminal = false;
  bool colors = false;
  std::function<int()> columns = [] { return 80; };  ///< of the terminal
};

/// Passes text on to a stream of the process, escaped by `printable_lines`: so that no name from a
/// file can control the terminal. Records write errors.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(std::streambuf& target, OutputLook look = {})
      : target_(target), look_(std::move(look)) {}
  ~OutputBuffer() override;

  OutputLook& look() { return look_; }
  const OutputLook& look() const { return look_; }
  /// The program's own terminal sequences.
  void control(std::string_view sequence);
  /// Not everything could be written.
  bool lost() const { return lost_; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  bool pass_on(std::string_view text);

  std::streambuf& target_;
  OutputLook look_;
  std::string pending_;  ///< since the last flush or the last line of a large text
  bool lost_ = false;
};

/// Returns to the start of the terminal's line and clears it.
std::ostream& clear_line(std::ostream& out);

/// Reports lost output: flushes both streams; if one failed, returns a nonzero exit status and says
/// so on the other, unless a reader has closed its pipe. Otherwise `status`.
int delivered(std::ostream& out, std::ostream& err, int status);

}  // namespace mantissa
