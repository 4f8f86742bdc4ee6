// Posting to a server on this machine: slow, refusing, gone.
#ifndef _WIN32
#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "engine/core/error.h"
#include "engine/http/http_address.h"
#include "engine/http/http_client.h"
#include "tests/engine/http/http_server.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
using namespace std::chrono_literals;
using test::HttpServer;
using testing::HasSubstr;
using testing::Not;

class HttpPostTest : public testing::Test {
 protected:
  HttpPost to(const std::string& path) const {
    return {.url = server_.address() + path, .headers = {{"Title", "It is done"}}, .body = "body"};
  }
  HttpServer server_{{}};
  HttpClient client_{{}};
};

TEST_F(HttpPostTest, SendsItsHeadersAndBodyOnceAndReturnsTheAnswer) {
  server_.reply([](const test::HttpPosted&) { return test::HttpReply{404, "no such model"}; });
  const HttpAnswer answer = client_.post(to("/v1?key=1"));
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.text, "no such model");
  ASSERT_EQ(server_.posted().size(), 1U);
  const test::HttpPosted posted = server_.posted().front();
  EXPECT_EQ(posted.path, "/v1?key=1");
  EXPECT_EQ(posted.header("Title"), "It is done");
  EXPECT_EQ(posted.body, "body");
}

TEST_F(HttpPostTest, ALongBodyArrivesWhole) {
  HttpPost post = to("/");
  post.body = std::string(3'000'000, 'x');
  EXPECT_EQ(client_.post(post).status, 200);
  EXPECT_EQ(server_.posted().front().body.size(), post.body.size());
}

TEST_F(HttpPostTest, DoesNotWaitLongerThanItsPatience) {
  server_.behave({.wait = 5s});
  HttpPost post = to("/secret-topic");
  post.patience = 300ms;
  const auto begun = std::chrono::steady_clock::now();
  test::expect_error_with([&] { client_.post(post); },
                          {server_.address(), "did not answer within 0.3 seconds"});
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1500ms);
}

TEST_F(HttpPostTest, IsCancelledWithinASecond) {
  server_.behave({.wait = 10s});
  std::atomic<bool> stop = false;
  HttpClient client([&stop] { return stop.load(); });
  std::thread user([&stop] {
    std::this_thread::sleep_for(300ms);
    stop = true;
  });
  const auto begun = std::chrono::steady_clock::now();
  try {
    client.post(to("/"));
    ADD_FAILURE() << "it was not cancelled";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted);
  }
  user.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1300ms);
}

TEST_F(HttpPostTest, NobodyThereIsToldWithoutWhatIsSecret) {
  HttpPost post = to("/");
  post.url = "http://me:hunter2@127.0.0.1:9/topic?token=1";
  try {
    client_.post(post);
    ADD_FAILURE();
  } catch (const HttpUnreachable& e) {
    EXPECT_THAT(e.what(), HasSubstr("http://127.0.0.1:9/…"));
    for (const char* secret : {"hunter2", "topic", "token"}) {
      EXPECT_THAT(e.what(), Not(HasSubstr(secret)));
    }
  }
}

TEST_F(HttpPostTest, AnAnswerThatIsTooLongIsRefused) {
  server_.reply([](const test::HttpPosted&) {
    return test::HttpReply{200, std::string(200, 'x')};
  });
  HttpPost post = to("/");
  post.most = 100;
  test::expect_error_with([&] { client_.post(post); }, {"longer than 100 bytes"});
}

TEST(HttpAddress, ShowsTheHostAlone) {
  EXPECT_EQ(shown_address("https://a:b@ntfy.sh/topic?auth=1"), "https://ntfy.sh/…");
  EXPECT_EQ(shown_address("http://127.0.0.1:8080"), "http://127.0.0.1:8080");
  EXPECT_EQ(shown_address("me:secret"), "the address");
}

TEST(HttpAddress, OfThisMachineOrAnother) {
  for (const char* here : {"http://localhost:1234/v1", "http://127.0.0.1", "http://[::1]:8080/",
                           "http://user@127.1.2.3/v1"}) {
    EXPECT_TRUE(is_this_machine(here)) << here;
  }
  for (const char* there : {"http://192.168.1.4:8080", "https://api.example/v1", "localhost",
                            "http://127.0.0.1.example/", "http://localhost.example"}) {
    EXPECT_FALSE(is_this_machine(there)) << there;
  }
}

TEST(HttpAddress, IsOfHttpAndNamesAHost) {
  require_http_address("http://127.0.0.1:8080/v1");
  require_http_address("HTTPS://ntfy.sh/topic");
  for (const char* none : {"", "127.0.0.1:8080", "file:///etc/passwd", "ntfy.sh/topic"}) {
    EXPECT_THROW(require_http_address(none), Error) << none;
  }
}

}  // namespace
}  // namespace mantissa
#endif
