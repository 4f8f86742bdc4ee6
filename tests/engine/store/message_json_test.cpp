#include "engine/store/message_json.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

TEST(MessageJson, BringsEveryKindBack) {
  const Message said = message<"{path}: {reasons} {hidden}">(
      "/a \"b\"", joined<"; ">({message<"{n} of {all}">(1, 2), Message::verbatim("{n}")}),
      "\x1b[31m");
  const Message back = parse_message(message_json(said));
  EXPECT_EQ(back.text(), said.text());
  EXPECT_EQ(back.source(), said.source());
  EXPECT_EQ(back.values()[1].kind(), Message::Kind::list);
  EXPECT_EQ(back.values()[1].values()[0].source(), "{n} of {all}");
  EXPECT_EQ(parse_message(message_json(Message())).text(), "");
  EXPECT_EQ(message_json(said).find('\x1b'), std::string::npos);
}

TEST(MessageJson, RefusesWhatIsNoMessage) {
  std::string deep = "\"x\"";
  for (int i = 0; i < 40; ++i) {
    deep = R"({"template": "{a}", "values": [)" + deep + "]}";
  }
  for (const std::string& text :
       {std::string("{"), std::string("3"), std::string("{}"), std::string(R"({"template": 3})"),
        std::string(R"({"items": ["a"]})"), deep}) {
    EXPECT_THROW(parse_message(text), Error) << text;
  }
}

}  // namespace
}  // namespace mantissa
