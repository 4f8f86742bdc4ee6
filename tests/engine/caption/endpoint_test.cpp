// Captions by a program that serves a model: one on this machine that answers as llama.cpp, Ollama
// and LM Studio do, or fails as they do.
#ifndef _WIN32
#include <atomic>
#include <chrono>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/caption/caption_endpoint.h"
#include "engine/caption/caption_journal.h"
#include "engine/core/error.h"
#include "engine/data/image_scan.h"
#include "engine/io/file.h"
#include "engine/io/resample.h"
#include "tests/engine/http/http_server.h"
#include "tests/environment.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using nlohmann::json;
using test::HttpPosted;
using test::HttpReply;
using testing::HasSubstr;

HttpReply said(const std::string& text, const char* reason = "stop") {
  return {200, json{{"object", "chat.completion"},
                    {"choices",
                     {{{"index", 0},
                       {"message", {{"role", "assistant"}, {"content", text}}},
                       {"finish_reason", reason}}}}}
                   .dump()};
}

std::string problem_of(const HttpAnswer& answer) {
  try {
    return "caption: " + answered_caption(answer, 512);
  } catch (const CaptionError& e) {
    return e.what();
  }
}

std::string from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    if ((count += 6) >= 8) {
      bytes += static_cast<char>(bits >> (count -= 8));
    }
  }
  return bytes;
}

class EndpointTest : public testing::Test {
 protected:
  void SetUp() override {
    test::set_environment("MANTISSA_HOME", (folder_ / "home").string());
    fs::create_directories(images());
    for (const char* name : {"zorb_01.png", "zorb_02.png", "zorb_03.png", "zorb_04.png"}) {
      fs::copy_file(fs::path(MANTISSA_SOURCE_DIR "/resources/demo/images") / name, images() / name);
    }
    options_.address = server_.address() + "/v1";
    options_.prompt = "What is it?";
  }
  void TearDown() override { test::set_environment("MANTISSA_HOME", std::nullopt); }
  fs::path images() const { return folder_ / "images"; }

  CaptionCounts caption(const CaptionOptions& how = {}) {
    ScanOptions look;
    look.decode = false;
    const Dataset dataset = scan_images(std::vector{images()}, look);
    return caption_images(dataset, describe_by_endpoint(options_, [this] { return stop_.load(); }),
                          how, [this](const CaptionedImage& image) {
                            done_.push_back(image);
                            return !stop_;
                          });
  }
  std::string text(const char* name) const {
    return fs::exists(images() / name) ? read_text(images() / name) : "";
  }

  const ImageLibrary library_;
  test::TempFolder folder_;
  test::HttpServer server_{{}};
  EndpointOptions options_;
  std::atomic<bool> stop_ = false;
  std::vector<CaptionedImage> done_;
};

TEST_F(EndpointTest, CaptionsAreWrittenUndoneAndGoneOnWith) {
  server_.reply([&](const HttpPosted&) { return said("  \"A zorb,\n on grass. \" "); });
  std::ofstream(images() / "zorb_02.txt") << "mine\n";
  const CaptionCounts counts = caption({.trigger = "sks"});
  EXPECT_EQ(counts.written, 3);
  EXPECT_EQ(counts.kept, 1);
  EXPECT_EQ(text("zorb_01.txt"), "sks, A zorb, on grass.\n");
  EXPECT_EQ(text("zorb_02.txt"), "mine\n");
  EXPECT_EQ(caption().kept, 4) << "nothing is asked again";
  EXPECT_EQ(server_.posted().size(), 3U);
  EXPECT_EQ(undo_captions()->removed, 3);
  EXPECT_EQ(text("zorb_01.txt"), "");
}

TEST_F(EndpointTest, SendsTheImageScaledWithPromptModelAndKey) {
  server_.reply([](const HttpPosted&) { return said("a zorb"); });
  options_.model = "qwen-vl";
  options_.largest_side = 64;
  options_.key = "k3y";
  caption();
  const HttpPosted posted = server_.posted().front();
  EXPECT_EQ(posted.path, "/v1/chat/completions");
  EXPECT_EQ(posted.header("Content-Type"), "application/json");
  EXPECT_EQ(posted.header("Authorization"), "Bearer k3y");
  const json request = json::parse(posted.body);
  EXPECT_EQ(request["model"], "qwen-vl");
  EXPECT_EQ(request["max_tokens"], 512);
  EXPECT_EQ(request["stream"], false);
  const json& content = request["messages"][0]["content"];
  EXPECT_EQ(content[0]["text"], "What is it?");
  const std::string url = content[1]["image_url"]["url"], head = "data:image/png;base64,";
  ASSERT_TRUE(url.starts_with(head));
  EXPECT_EQ(url.size() % 4, head.size() % 4);
  const std::string png = from_base64(url.substr(head.size()));
  const Image image = decode_image(std::as_bytes(std::span(png)), "sent");
  const ImageInfo whole = probe_image(images() / "zorb_01.png");
  EXPECT_EQ(std::max(image.width, image.height), 64);
  EXPECT_NEAR(static_cast<double>(image.width) / image.height,
              static_cast<double>(whole.width) / whole.height, 0.03);
  const Image scaled = resize_crop(load_image(images() / "zorb_01.png"), image.width, image.height,
                                   0, 0, image.width, image.height);
  EXPECT_EQ(image.pixels, scaled.pixels) << "the whole image, not a piece of it";
}

TEST_F(EndpointTest, ASmallImageIsSentAsItIs) {
  server_.reply([](const HttpPosted&) { return said("a zorb"); });
  caption();
  const std::string url =
      json::parse(server_.posted().front().body)["messages"][0]["content"][1]["image_url"]["url"];
  const std::string png = from_base64(url.substr(url.find(',') + 1));
  EXPECT_EQ(decode_image(std::as_bytes(std::span(png)), "sent").pixels,
            load_image(images() / "zorb_01.png").pixels);
}

TEST_F(EndpointTest, AFailureIsToldWithItsImageAndTheRestGoesOn) {
  int asked = 0;
  server_.reply([&](const HttpPosted&) {
    return ++asked == 2 ? HttpReply{500, R"({"error":{"message":"image too large"}})"}
                        : said("a zorb");
  });
  const CaptionCounts counts = caption();
  EXPECT_EQ(counts.written, 3);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(done_[1].image.filename(), "zorb_02.png");
  EXPECT_EQ(done_[1].problem.text(), "got no caption: status 500: image too large");
  EXPECT_EQ(text("zorb_02.txt"), "");
}

TEST_F(EndpointTest, ThreeFailuresInARowEndIt) {
  server_.reply([](const HttpPosted&) { return HttpReply{404, R"({"error":"no such model"})"}; });
  test::expect_error_with([&] { caption(); },
                          {"3 images in a row", "status 404: no such model", "made before stay"});
  EXPECT_EQ(server_.posted().size(), 3U);
  EXPECT_EQ(done_.size(), 3U);
}

TEST_F(EndpointTest, NobodyThereEndsItAtOnce) {
  options_.address = "http://127.0.0.1:9/v1";
  test::expect_error_with([&] { caption(); }, {"no program answers there", "http://127.0.0.1:9"});
  EXPECT_TRUE(done_.empty());
}

TEST_F(EndpointTest, AnAnswerThatTakesTooLongIsTold) {
  server_.behave({.wait = 20s});
  options_.patience = 200ms;
  test::expect_error_with([&] { caption(); }, {"3 images in a row", "within 0.2 seconds"});
}

TEST_F(EndpointTest, IsCancelledWithinASecondAndWhatIsDoneStays) {
  server_.reply([&](const HttpPosted&) {
    if (server_.posted().size() == 2) {
      server_.behave({.wait = 20s});
    }
    return said("a zorb");
  });
  std::thread user([&] {
    while (server_.posted().size() < 3) {
      std::this_thread::sleep_for(5ms);
    }
    std::this_thread::sleep_for(100ms);
    stop_ = true;
  });
  CaptionCounts counts;
  std::chrono::steady_clock::duration took{};
  std::thread work([&] { counts = caption(); });
  user.join();
  const auto begun = std::chrono::steady_clock::now();
  work.join();
  took = std::chrono::steady_clock::now() - begun;
  EXPECT_LT(took, 1s);
  EXPECT_EQ(counts.written, 2);
  EXPECT_EQ(text("zorb_02.txt"), "a zorb\n");
}

TEST(AnsweredCaption, IsOneCleanLine) {
  const auto caption = [](const std::string& text) {
    const HttpReply reply = said(text);
    return problem_of({reply.status, reply.text});
  };
  EXPECT_EQ(caption("a red\n\nfox\t in  snow "), "caption: a red fox in snow");
  EXPECT_EQ(caption("“a fox”"), "caption: a fox");
  EXPECT_EQ(caption("\"a\" and \"b\""), "caption: \"a\" and \"b\"");
  EXPECT_EQ(caption("<think>\nhm </think>\n\na fox"), "caption: a fox");
  EXPECT_EQ(caption("<think>and it goes on"), "the answer is empty");
  EXPECT_EQ(
      problem_of({200, R"({"choices":[{"message":{"content":[{"type":"text","text":"a fox"}]},)"
                       R"("finish_reason":"stop"}]})"}),
      "caption: a fox");
}

TEST(AnsweredCaption, TellsWhatIsWrong) {
  EXPECT_EQ(problem_of({200, "<html>"}), "the answer is no JSON");
  EXPECT_EQ(problem_of({200, "[]"}), "the answer holds no text");
  EXPECT_EQ(problem_of({200, R"({"choices":[]})"}), "the answer holds no text");
  EXPECT_EQ(problem_of({200, R"({"choices":[{"message":{"content":null}}]})"}),
            "the answer is empty");
  EXPECT_EQ(problem_of({200, R"({"error":"out of memory"})"}),
            "the answer is an error: out of memory");
  EXPECT_EQ(problem_of({200, said("   ").text}), "the answer is empty");
  EXPECT_EQ(problem_of({200, said("a fox that", "length").text}),
            "the answer was cut at 512 tokens; allow more, or ask for less");
  EXPECT_EQ(problem_of({502, "Bad\x1bGateway"}), "status 502: Bad\\x1bGateway");
  EXPECT_EQ(problem_of({503, R"({"error":{"code":503,"message":"Loading model"}})"}),
            "status 503: Loading model");
  const std::string longer = problem_of({500, std::string(299, 'x') + "ä" + std::string(50, 'x')});
  EXPECT_TRUE(longer.ends_with("x…")) << longer;
  EXPECT_EQ(problem_of({204, ""}), "status 204");
}

TEST(CompletionsUrl, IsFoundFromWhatPeopleGive) {
  const std::string wanted = "http://127.0.0.1:8080/v1/chat/completions";
  for (const char* given :
       {"http://127.0.0.1:8080", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1",
        " http://127.0.0.1:8080/v1/ ", "http://127.0.0.1:8080/v1/chat/completions"}) {
    EXPECT_EQ(completions_url(given), wanted) << given;
  }
  EXPECT_EQ(completions_url("http://h/api"), "http://h/api/chat/completions");
  EXPECT_THROW(completions_url("127.0.0.1:8080/v1"), Error);
}

TEST(SentenceCaption, IsAddedOnce) {
  const std::vector<std::string> sentence{"A fox, in snow."};
  EXPECT_EQ(caption_with("red", sentence, ExistingCaption::append), "red, A fox, in snow.");
  EXPECT_EQ(caption_with("red, A fox, in snow.", sentence, ExistingCaption::append),
            "red, A fox, in snow.");
}

}  // namespace
}  // namespace mantissa
#endif
