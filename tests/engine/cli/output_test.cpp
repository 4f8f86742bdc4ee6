#include "engine/cli/output.h"

#include <gtest/gtest.h>
#include <sstream>

#include "engine/cli/json_observer.h"

namespace mantissa {
namespace {

/// Accepts a limited number of bytes.
class FullBuffer : public std::stringbuf {
 public:
  explicit FullBuffer(std::size_t room) : room_(room) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    const auto taken = std::min(count, static_cast<std::streamsize>(room_));
    room_ -= static_cast<std::size_t>(taken);
    return std::stringbuf::xsputn(text, taken);
  }

 private:
  std::size_t room_;
};

TEST(Output, WhateverIsPrintedIsEscapedAndLinesStay) {
  std::stringbuf target;
  {
    OutputBuffer buffer(target);
    std::ostream out(&buffer);
    out << "evil\x1b[31m \xe2\x80\xae" << '\x07' << "\nnext" << std::flush;
    EXPECT_EQ(target.str(), "evil\\x1b[31m \\u202e\\x07\nnext");
    out << clear_line << "\xff";
  }
  EXPECT_EQ(target.str(), "evil\\x1b[31m \\u202e\\x07\nnext\r\x1b[K\\xff");
}

TEST(Output, ALongTextIsPassedOnByWholeLines) {
  std::stringbuf target;
  std::string text;
  for (int i = 0; text.size() < 200'000; ++i) {
    text += "é" + std::to_string(i) + (i % 3 == 0 ? "\n" : "");
  }
  {
    OutputBuffer buffer(target);
    std::ostream out(&buffer);
    for (std::size_t at = 0; at < text.size(); at += 1001) {  // splits characters
      out << text.substr(at, 1001);
    }
    EXPECT_GT(target.str().size(), 100'000U) << "not kept in memory to the end";
  }
  EXPECT_EQ(target.str(), text);
}

TEST(Output, WhatIsLostIsToldOnTheOtherStreamAndIsNoSuccess) {
  const auto status_of = [](std::size_t out_room, std::size_t err_room, int status,
                            std::string& told) {
    FullBuffer out_target(out_room), err_target(err_room);
    OutputBuffer out_buffer(out_target), err_buffer(err_target);
    std::ostream out(&out_buffer), err(&err_buffer);
    out << "some output\n";
    err << "a warning\n";
    const int found = delivered(out, err, status);
    told = out_target.str() + err_target.str();
    return found;
  };
  constexpr std::size_t kEnough = 10'000;
  std::string told;
  EXPECT_EQ(status_of(kEnough, kEnough, 0, told), 0);
  EXPECT_EQ(told, "some output\na warning\n");
  EXPECT_NE(status_of(3, kEnough, 0, told), 0);
  EXPECT_NE(told.find("standard output could not be written"), std::string::npos) << told;
  EXPECT_NE(status_of(kEnough, 3, 0, told), 0);
  EXPECT_NE(told.find("the error stream could not be written"), std::string::npos) << told;
  EXPECT_EQ(status_of(3, kEnough, 4, told), 4) << "the first failure's status stays";
}

TEST(Output, EventsAreJsonOfTheSameTextInVisibleCharacters) {
  std::ostringstream out;
  const std::string hostile = "evil\x1b[31m\xe2\x80\xae \xf3\xa0\x81\x81";
  write_event(out, {{"event", "x"}, {"text", hostile}, {hostile, 1}, {"bytes", "a\xff"}});
  const std::string line = out.str();
  EXPECT_EQ(line.find_first_of("\x1b\xe2\xf3"), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto read = nlohmann::json::parse(line);
  EXPECT_EQ(read.at("text"), hostile);
  EXPECT_EQ(read.at(hostile), 1);
  EXPECT_EQ(read.at("bytes"), "a\\xff");
}

}  // namespace
}  // namespace mantissa
