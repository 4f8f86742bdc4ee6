// Installing from a package index: a server on this machine that sends ranges, cuts connections,
// falls silent or has other files.
#ifndef _WIN32
#include <chrono>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "engine/core/error.h"
#include "engine/http/http_client.h"
#include "engine/io/file.h"
#include "engine/toolkit/install.h"
#include "engine/toolkit/installed.h"
#include "tests/engine/http/http_server.h"
#include "tests/engine/toolkit/tiny_wheels.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using test::HttpServer;

class DownloadTest : public testing::Test {
 protected:
  /// Pages as a mirror has them: with relative links, other files beside those that are meant, and
  /// each wheel below /files.
  static std::map<std::string, std::string> site(const test::TinyWheels& wheels) {
    std::map<std::string, std::string> files;
    for (const LibraryWheel& wheel : wheels.table.wheels) {
      files["/simple/" + wheel.package + "/"] =
          "<html><a href=\"../../files/" + wheel.package +
          "-0.9.whl#sha256=0\">old</a>\n<a href=\"../../files/" + wheel.file +
          "#sha256=" + wheel.sha256 + "\" data-requires-python=\"&gt;=3\">new</a></html>";
      files["/files/" + wheel.file] = wheels.files.at(wheel.file);
    }
    return files;
  }

  fs::path install() {
    InstallRequest request{wheels_.table, folder_ / "root"};
    request.table.index = server_.address() + "/simple";
    request.retry_pause = std::chrono::milliseconds(10);
    return install_libraries(request, stop_.get_token(), [this](const InstallProgress& now) {
      shares_.push_back(now.share);
      if (on_progress_) {
        on_progress_(now);
      }
    });
  }

  void expect_installed(const fs::path& folder) const {
    for (const auto& [name, content] : wheels_.libraries) {
      EXPECT_EQ(read_text(folder / name), content) << name;
    }
    EXPECT_FALSE(fs::exists(folder_ / "root" / kDownloads));
  }

  fs::path part() const {
    return folder_ / "root" / kDownloads / (wheels_.table.wheels[0].file + ".part");
  }

  test::TinyWheels wheels_;
  HttpServer server_{site(wheels_)};
  test::TempFolder folder_;
  std::stop_source stop_;
  std::vector<double> shares_;
  std::function<void(const InstallProgress&)> on_progress_;
};

TEST_F(DownloadTest, InstallsFromAnIndex) {
  expect_installed(install());
  EXPECT_THAT(
      server_.requests(),
      testing::ElementsAre("GET /simple/first/", "GET /files/first-1.0-py3-none-any.whl",
                           "GET /simple/second/", "GET /files/second-1.0-py3-none-any.whl"));
  EXPECT_TRUE(std::is_sorted(shares_.begin(), shares_.end()));
  EXPECT_NEAR(shares_.back(), 1, 1e-9);
}

TEST_F(DownloadTest, NothingIsDownloadedTwice) {
  install();
  install();
  EXPECT_EQ(server_.requests().size(), 4U);
}

TEST_F(DownloadTest, ACutConnectionIsContinuedByRange) {
  server_.behave({.cut_after = 1'000'000});
  expect_installed(install());
  EXPECT_THAT(server_.requests(), testing::Contains(testing::HasSubstr(" from ")));
  // Each byte was sent once, but for what was on its way when a connection was cut.
  EXPECT_LT(server_.sent(), 4'000'000U);
}

TEST_F(DownloadTest, AServerWithoutRangesSendsItAgain) {
  fs::create_directories(part().parent_path());
  std::ofstream(part(), std::ios::binary) << std::string(1000, 'x');
  server_.behave({.ranges = false});
  expect_installed(install());
}

TEST_F(DownloadTest, AnotherRunContinuesWhatACutLeft) {
  server_.behave({.cut_after = 500'000, .refuse = 0});
  on_progress_ = [&](const InstallProgress& now) {
    if (now.done > 1'200'000) {
      server_.behave({.refuse = 503});
    } else if (now.done > 400'000) {
      server_.behave({.cut_after = 500'000});
    }
  };
  test::expect_error_with([&] { install(); }, {"could not download", "503"});
  const std::uint64_t kept = fs::file_size(part());
  EXPECT_GE(kept, 500'000U);
  on_progress_ = {};
  server_.behave({});
  const std::uint64_t sent = server_.sent();
  expect_installed(install());
  EXPECT_THAT(server_.requests(), testing::Contains("GET /files/first-1.0-py3-none-any.whl from " +
                                                    std::to_string(kept)));
  EXPECT_LT(server_.sent() - sent, 3'200'000U - kept);
}

TEST_F(DownloadTest, AnotherFileThanTheTablesIsRefusedAndForgotten) {
  std::string& sha256 = wheels_.table.wheels[0].sha256;
  const std::string right = sha256;
  sha256 = std::string(64, '0');
  test::expect_error_with([&] { install(); }, {"first-1.0-py3-none-any.whl", "SHA-256", right});
  EXPECT_FALSE(fs::exists(part()));
  EXPECT_TRUE(fs::is_empty(folder_ / "root" / kDownloads));
  EXPECT_EQ(installed_libraries(wheels_.table, folder_ / "root").state,
            InstalledLibraries::State::none);
  sha256 = right;
  expect_installed(install());
}

TEST_F(DownloadTest, AFileThatIsTooLongIsRefused) {
  wheels_.table.wheels[0].bytes -= 1000;
  test::expect_error_with([&] { install(); }, {"longer than"});
}

TEST_F(DownloadTest, APageWithoutTheFileIsNamed) {
  wheels_.table.wheels[0].file = "first-2.0-py3-none-any.whl";
  test::expect_error_with([&] { install(); },
                          {"/simple/first/ has no file first-2.0-py3-none-any.whl", "--index"});
}

TEST_F(DownloadTest, ARefusalIsNotRepeated) {
  server_.behave({.refuse = 403});
  test::expect_error_with([&] { install(); }, {"/simple/first/", "403"});
  EXPECT_EQ(server_.requests().size(), 1U);
}

TEST_F(DownloadTest, ServersThatFailAreTriedFiveTimes) {
  server_.behave({.refuse = 503});
  test::expect_error_with([&] { install(); }, {"/simple/first/", "503"});
  EXPECT_EQ(server_.requests().size(), 5U);
}

TEST_F(DownloadTest, ASilentServerIsCancelledWithinASecond) {
  server_.behave({.silent_after = 300'000});
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    stop_.request_stop();
  });
  const auto begun = std::chrono::steady_clock::now();
  try {
    install();
    ADD_FAILURE() << "it was not cancelled";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted);
  }
  user.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(1500));
  EXPECT_GT(fs::file_size(part()), 250'000U);
  server_.behave({});
  stop_ = {};
  expect_installed(install());
}

TEST_F(DownloadTest, AddressesWithoutAServerAreNamed) {
  HttpClient client({});
  client.set_retry_pause(std::chrono::milliseconds(1));
  test::expect_error_with([&] { client.text("http://127.0.0.1:9/simple/", 100); },
                          {"http://127.0.0.1:9/simple/"});
  test::expect_error_with([&] { client.text("file:///etc/passwd", 100); }, {"file:///etc/passwd"});
}

TEST(LinkedFile, IsFoundByItsWholeName) {
  const std::string page =
      "<a href=\"https://files.example/ab/not-a.whl\">x</a><a href='a.whl'>y</a>"
      "<a href=\"https://files.example/cd/a.whl#sha256=00\">z</a>";
  EXPECT_EQ(linked_file(page, "https://index.example/simple/a/", "a.whl"),
            "https://files.example/cd/a.whl");
  EXPECT_EQ(linked_file("<a href=\"a.whl?x=1\">", "https://index.example/simple/a/", "a.whl"),
            "https://index.example/simple/a/a.whl");
  EXPECT_EQ(linked_file("<a href=\"", "https://index.example/", "a.whl"), "");
}

}  // namespace
}  // namespace mantissa
#endif
