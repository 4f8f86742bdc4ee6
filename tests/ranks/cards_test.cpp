// One run on several cards, with CUDA's kernels on the host: the same bits for any number of them,
// in one process and in several, through host memory and through a stand-in for NCCL; and an
// orderly end if a card is lost.
#ifdef MANTISSA_CUDA_ON_HOST_PLUGIN
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/load.h"
#include "tests/ranks/rank_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr const char* kNoNccl = "/nowhere/libnccl.so.2";
constexpr const char* kByNccl = "the cards exchange gradients by NCCL 2.99.0";

class CardsTest : public RankRun {
 protected:
  void SetUp() override {
    set({{"MANTISSA_CUDA_LIBRARY", MANTISSA_CUDA_ON_HOST_PLUGIN},
         {"MANTISSA_CUDA_CARDS", "4"},
         {"MANTISSA_NCCL_LIBRARY", MANTISSA_NCCL_ON_HOST}});
    RankRun::SetUp();
    more_ = {"--set",          "training.gradient_accumulation=4",
             "--set",          "training.steps=2",
             "--set",          "output.save_every=0",
             "--device",       "cuda",
             "--deterministic"};
  }
  void TearDown() override {
    for (const auto& [name, value] : environment_) {
      unsetenv(name.c_str());
    }
  }
  /// For all programs started from now on.
  void set(const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) {
      environment_[name] = value;
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  std::string result(const std::string& out) const {
    return sha256_file(folder(out) / "checkpoints/step-00000002/state.safetensors") + " " +
           sha256_file(folder(out) / "tiny.safetensors") + "\n" + losses(out);
  }
  std::string run_log(const std::string& out) const { return read_text(folder(out) / "log.txt"); }

  void expect_same(const std::vector<int>& numbers, const char* way, const std::string& name,
                   const std::vector<std::string>& settings = {}) {
    std::string expected;
    for (const int processes : numbers) {
      const std::string out = name + std::to_string(processes);
      ASSERT_EQ(run_on(processes, out, false, settings), 0) << log(out);
      expected = expected.empty() ? result(out) : expected;
      EXPECT_EQ(result(out), expected) << processes << " processes";
      if (processes > 1) {
        EXPECT_THAT(run_log(out), testing::HasSubstr(way));
      }
    }
  }

  /// In one process, on the cards of `device`; the status.
  int run_in_one(const std::string& device, const std::string& out,
                 const std::vector<std::string>& settings = {}) {
    std::vector<std::string> here = with(arguments(out, false), settings);
    *(std::ranges::find(here, "--device") + 1) = device;
    return Mantissa(home_).run(here, root_ / (out + ".log")).status;
  }

  /// Two processes, the second with a variable; the status.
  int run_with_a_second(const std::string& out, const std::string& variable) const {
    std::vector<std::string> both = arguments(out, false);
    const std::vector<std::string> second = both;
    both.insert(both.end(), {":", "-n", "1", "-x", variable, Mantissa::kProgram});
    both.insert(both.end(), second.begin(), second.end());
    return launched(1).run(both, root_ / (out + ".log")).status;
  }

  std::map<std::string, std::string> environment_;
};

/// The same in one process, which needs no MPI.
class CardThreadsTest : public CardsTest {
 protected:
  bool needs_mpi() const override { return false; }
};

TEST_F(CardsTest, GiveTheSameBitsForAnyNumber) {
  set({{"MANTISSA_NCCL_LOG", (root_ / "nccl").string()}});
  expect_same({1, 2, 4}, kByNccl, "nccl");
  // Each group of 2: to and from both for a sum, to and from the other to complete it.
  EXPECT_THAT(read_text(root_ / "nccl.1"), testing::StartsWith("2 2\n2 2\n1 1\n2 2\n2 2\n1 1\n"));
  set({{"MANTISSA_NCCL_LIBRARY", kNoNccl}});
  ASSERT_EQ(run_on(2, "host"), 0) << log("host");
  EXPECT_EQ(result("host"), result("nccl1"));
  const std::string told = run_log("host");
  const std::size_t notice = told.find("through host memory, because NCCL can't be used: ");
  ASSERT_NE(notice, told.npos) << told;
  EXPECT_EQ(told.find("through host memory", notice + 10), told.npos) << told;
}

TEST_F(CardThreadsTest, GiveTheSameBitsForAnyNumber) {
  ASSERT_EQ(run_in_one("cuda:1", "one"), 0) << log("one");
  for (const char* nccl : {MANTISSA_NCCL_ON_HOST, kNoNccl}) {
    set({{"MANTISSA_NCCL_LIBRARY", nccl}});
    const std::string out = nccl == kNoNccl ? "host" : "nccl";
    ASSERT_EQ(run_in_one("cuda:2,0", out), 0) << log(out);
    EXPECT_EQ(result(out), result("one")) << out;
    EXPECT_THAT(run_log(out),
                testing::HasSubstr(nccl == kNoNccl ? "through host memory" : kByNccl));
  }
}

TEST_F(CardThreadsTest, ALostCardEndsAllWithItsReason) {
  for (const char* nccl : {MANTISSA_NCCL_ON_HOST, kNoNccl}) {
    SCOPED_TRACE(nccl);
    set({{"MANTISSA_NCCL_LIBRARY", nccl}, {"MANTISSA_CUDA_FAULT", "3 4000 214"}});
    EXPECT_EQ(run_in_one("cuda:0,1", "lost"), 7) << log("lost");
    EXPECT_THAT(log("lost"), testing::ContainsRegex("device cuda:[01] stopped working: .*ECC"));
    EXPECT_THAT(log("lost"), testing::Not(testing::HasSubstr("process 1")));
    fs::remove_all(folder("lost"));
  }
}

TEST_F(CardsTest, NightlyGiveTheSameBitsInOtherPrecisions) {
  const std::vector<std::string> fp16{"--set", "precision.compute=fp16", "--set",
                                      "precision.loss_scaling=3000000"};
  const std::vector<std::string> bf16{
      "--set", "precision.compute=bf16", "--set", "precision.gradients=bf16",
      "--set", "adapter.type=dora",      "--set", "training.max_grad_norm=0.05"};
  expect_same({1, 2, 4}, kByNccl, "fp16", fp16);
  expect_same({1, 2, 4}, kByNccl, "bf16", bf16);
  set({{"MANTISSA_NCCL_LIBRARY", kNoNccl}});
  ASSERT_EQ(run_on(4, "fp16host", false, fp16), 0) << log("fp16host");
  EXPECT_EQ(result("fp16host"), result("fp161"));
}

TEST_F(CardsTest, NcclThatDoesNotStartIsReplaced) {
  set({{"MANTISSA_NCCL_FAILS", "start"}});
  ASSERT_EQ(run_on(2, "start"), 0) << log("start");
  EXPECT_THAT(run_log("start"), testing::HasSubstr("NCCL can't be used: unhandled system error"));
}

TEST_F(CardsTest, ALostCardEndsAllWithItsReason) {
  for (const char* nccl : {MANTISSA_NCCL_ON_HOST, kNoNccl}) {
    SCOPED_TRACE(nccl);
    set({{"MANTISSA_NCCL_LIBRARY", nccl}});
    // An ECC error at one of the launches of its first step.
    EXPECT_EQ(run_with_a_second("lost", "MANTISSA_CUDA_FAULT=3 1000 214"), 7) << log("lost");
    EXPECT_THAT(log("lost"),
                testing::ContainsRegex("process 1: device cuda:1 stopped working: .*ECC"));
    fs::remove_all(folder("lost"));
  }
}

// The others wait in NCCL, not in MPI, when they learn of it.
TEST_F(CardsTest, AFailureInNcclEndsAllWithItsReason) {
  EXPECT_EQ(run_with_a_second("nccl", "MANTISSA_NCCL_FAILS=exchange"), 8) << log("nccl");
  EXPECT_THAT(log("nccl"), testing::HasSubstr("process 1: NCCL can't reach the other cards: "
                                              "unhandled system error (told to fail)"));
}

TEST_F(CardsTest, EachProcessNeedsACard) {
  const auto device = std::ranges::find(more_, "--device");
  more_.erase(device, device + 2);
  EXPECT_EQ(run_on(4, "few", false, {"--device", "cuda:0,2"}), 2);
  EXPECT_THAT(log("few"), testing::HasSubstr("--device cuda:0,2 gives them 2 cards"));
  set({{"MANTISSA_CUDA_CARDS", "1"}});
  EXPECT_EQ(run_on(2, "one", false, {"--device", "cuda"}), 2);
  EXPECT_THAT(log("one"), testing::HasSubstr("processes 0 and 1 on "));
  EXPECT_THAT(log("one"), testing::HasSubstr("would both use one card"));
  for (const char* out : {"few", "one"}) {
    EXPECT_FALSE(fs::exists(folder(out)));
  }
}

/// What `mantissa check` finds, by id.
TEST_F(CardsTest, TheCheckTellsWhatIsMissing) {
  const auto findings = [this](const std::string& name, const std::vector<std::string>& more,
                               const std::map<std::string, std::string>& environment = {}) {
    const fs::path events = root_ / (name + ".json"), errors = root_ / (name + ".log");
    std::vector<std::string> arguments{
        "check", (root_ / "preset.json").string(), "--base", "demo", "--images", "demo", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Mantissa(home_).run(arguments, events, errors, environment);
    std::map<std::string, nlohmann::json> found;
    std::ifstream file(events);
    for (std::string line; std::getline(file, line);) {
      const nlohmann::json event = nlohmann::json::parse(line);
      for (const auto& f : event.value("findings", nlohmann::json::array())) {
        found[f["id"]] = f;
      }
    }
    return found;
  };
  const std::vector<std::string> two{"--device", "cuda:0,2", "--set",
                                     "training.gradient_accumulation=4"};
  auto found = findings("good", two);
  for (const char* id : {"device", "cards", "nccl"}) {
    EXPECT_FALSE(found.contains(id)) << found[id];
  }
  found = findings("few", {"--device", "cuda:0,2,3"});
  EXPECT_EQ(found["cards"]["verdict"], "refused");
  EXPECT_EQ(found["cards"]["fix"]["training.gradient_accumulation"], 3);
  found = findings("odd", {"--device", "cuda:0,2,3", "--set", "training.gradient_accumulation=4"});
  EXPECT_EQ(found["cards"]["verdict"], "warning");
  EXPECT_EQ(found["cards"]["fix"]["training.gradient_accumulation"], 6);
  const auto device = [&](const char* name, const std::vector<std::string>& more,
                          const std::map<std::string, std::string>& environment) {
    const auto all = findings(name, more, environment);
    const auto at = all.find("device");
    return at == all.end() ? std::string() : at->second["message"].get<std::string>();
  };
  EXPECT_THAT(device("gone", {"--device", "cuda:0,7"}, {}), testing::HasSubstr("cuda:7"));
  EXPECT_THAT(device("twice", {"--device", "cuda:1,1"}, {}), testing::HasSubstr("twice"));
  // Too little memory on one card, which the other has.
  found = findings("small", {"--device", "cuda:0", "--memory-budget", "10MB"});
  EXPECT_EQ(found["split"]["verdict"], "adjusted");
  EXPECT_THAT(
      found["split"]["message"].get<std::string>(),
      testing::ContainsRegex("the layers would fit: cuda:0 denoiser\\..* cuda:1 denoiser\\..*"
                             "Train so with --split-cards cuda:0,1"));
  EXPECT_EQ(found["split"]["fields"], nlohmann::json({"--split-cards"}));
  std::vector<std::string> small = two;
  small.insert(small.end(), {"--memory-budget", "10MB"});
  found = findings("both small", small);
  EXPECT_EQ(found["split"]["fields"], nlohmann::json({"--split-cards"}));
  // No card has room for its part: there is nothing to choose.
  found = findings("tiny", {"--device", "cuda:0", "--memory-budget", "1MB"});
  EXPECT_THAT(found["split"]["message"].get<std::string>(),
              testing::HasSubstr("no split of the layers over this machine's cards"));
  EXPECT_TRUE(found["split"]["fields"].empty());
  found = findings("slow", two, {{"MANTISSA_NCCL_LIBRARY", kNoNccl}});
  EXPECT_EQ(found["nccl"]["verdict"], "warning");
  EXPECT_FALSE(found.contains("device"));
}

TEST(Nccl, TheRealLibraryHasWhatIsCalled) {
  setenv("MANTISSA_CUDA_LIBRARY", MANTISSA_CUDA_ON_HOST_PLUGIN, 1);
  const NcclLibrary nccl = open_nccl({});
  unsetenv("MANTISSA_CUDA_LIBRARY");
  if (nccl.error == "libnccl.so.2 is not there") {
    GTEST_SKIP() << nccl.error;
  }
  EXPECT_NE(nccl.handle, nullptr) << nccl.error;
  EXPECT_THAT(nccl.version, testing::StartsWith("2."));
  std::cout << "NCCL " << nccl.version << "\n";
}

}  // namespace
}  // namespace mantissa
#endif
