#include "engine/core/message.h"

#include <gtest/gtest.h>
#include <sstream>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/system_message.h"

namespace mantissa {
namespace {

TEST(Message, FillsEachNameWithItsValue) {
  const Message m = message<"{path}: {count} files in {path}, {reason}">("/a", 3, "why");
  EXPECT_EQ(m.text(), "/a: 3 files in /a, why");
  EXPECT_EQ(m.source(), "{path}: {count} files in {path}, {reason}");
  ASSERT_EQ(m.values().size(), 3U);
}

TEST(Message, ValuesAreNeverReadAsTemplates) {
  EXPECT_EQ(message<"{a} and {b}">("{b}", "{a}").text(), "{b} and {a}");
  EXPECT_EQ(Message::verbatim("{a}").text(), "{a}");
}

TEST(Message, OtherBracesAreText) {
  EXPECT_EQ(message<"{\"a\":1} {} {A} { a } {x">().text(), "{\"a\":1} {} {A} { a } {x");
  EXPECT_EQ(message<"{{a}}">(1).text(), "{1}");
}

TEST(Message, NestsAndJoins) {
  const Message list = joined<"; ">({message<"{n} of {all}">(1, 2), Message::verbatim("end")});
  EXPECT_EQ(message<"stopped: {reasons}.">(list).text(), "stopped: 1 of 2; end.");
  EXPECT_EQ(joined<", ">({}).text(), "");
  EXPECT_TRUE(Message().empty());
  EXPECT_FALSE(list.empty());
}

TEST(Message, AValueThatIsMissingShowsItsName) {
  EXPECT_EQ(Message("{a} {b}", {Message::verbatim("1")}).text(), "1 {b}");
}

TEST(Message, ATranslationMayMoveItsNames) {
  const Message said = message<"{n} of {all}: {why}">(1, 2, message<"{a} before {b}">("x", "y"));
  const auto translate = [](const std::string& source) -> std::string {
    return source.starts_with("{n}") ? "{why} ({all}/{n})" : "{b} after {a}";
  };
  EXPECT_EQ(format_message(said, translate), "y after x (2/1)");
}

TEST(Message, EveryTemplateIsListed) {
  int found = 0;
  for (const MessageTemplate* t = message_templates(); t != nullptr; t = t->next) {
    found += std::string_view(t->text) == "a template of this test, made with {value}" ? 1 : 0;
  }
  EXPECT_EQ(found, 1);
  // Never called: a template counts as soon as the program contains it.
  const auto unused = [] { return message<"a template of this test, made with {value}">(1); };
  (void)unused;
}

TEST(Message, AnErrorCarriesItBesideItsText) {
  const Error e(ErrorKind::out_of_disk, message<"no room in {folder}">("/a"));
  EXPECT_STREQ(e.what(), "no room in /a");
  EXPECT_EQ(message_of(e).source(), "no room in {folder}");
  EXPECT_EQ(message_of(std::runtime_error("{x}")).text(), "{x}");
}

TEST(Message, SystemErrorsAreTemplatesWhereTheyAreCommon) {
  EXPECT_EQ(system_message(std::make_error_code(std::errc::permission_denied)).kind(),
            Message::Kind::filled);
#ifdef _WIN32
  constexpr int kFull = 112;  // ERROR_DISK_FULL
#else
  constexpr int kFull = ENOSPC;
#endif
  EXPECT_EQ(system_message(kFull).text(), "No space left on device");
  const std::error_code rare = std::make_error_code(std::errc::owner_dead);
  EXPECT_EQ(system_message(rare).kind(), Message::Kind::verbatim);
  EXPECT_EQ(system_message(rare).text(), rare.message());
}

}  // namespace
}  // namespace mantissa
