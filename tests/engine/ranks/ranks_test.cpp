#include "engine/ranks/ranks.h"

#include <atomic>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <mutex>
#include <new>
#include <set>
#include <thread>

#include "engine/core/system.h"
#include "engine/ranks/launcher.h"
#include "kernels/check.h"
#include "tests/engine/ranks/thread_ranks.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

using testing_support::with_ranks;

/// What each rank threw, by rank.
class Thrown {
 public:
  void add(int rank, const Error& e) {
    const std::lock_guard lock(mutex_);
    texts_[static_cast<std::size_t>(rank)] = e.what();
    kinds_.insert(e.kind());
  }
  std::vector<std::string> texts_{3};
  std::set<ErrorKind> kinds_;

 private:
  std::mutex mutex_;
};

/// Runs `work` in three ranks.
void expect_thrown(const std::function<void(Ranks&)>& work, Thrown& thrown) {
  with_ranks(3, [&](Ranks& ranks) {
    try {
      work(ranks);
    } catch (const Error& e) {
      thrown.add(ranks.rank(), e);
      throw;
    }
  });
}

TEST(Ranks, OneAloneNeedsNobody) {
  Ranks alone;
  EXPECT_TRUE(alone.alone());
  EXPECT_TRUE(alone.writes());
  EXPECT_EQ(alone.here(), 1);
  alone.meet();
  EXPECT_TRUE(alone.any(true));
  EXPECT_FALSE(alone.any(false));
  EXPECT_EQ(alone.gather(2.5), std::vector<double>{2.5});
  std::vector<float> values{1, 2};
  alone.take_largest(values);
  EXPECT_EQ(values, (std::vector<float>{1, 2}));
  EXPECT_EQ(alone.of_writer("text"), "text");
  alone.require_same(message<"the preset">(), "text");
  EXPECT_TRUE(alone.leave());
}

TEST(Ranks, AgreeOnValues) {
  with_ranks(3, [](Ranks& ranks) {
    const int rank = ranks.rank();
    EXPECT_EQ(ranks.size(), 3);
    EXPECT_EQ(ranks.here(), 3);
    EXPECT_EQ(ranks.writes(), rank == 0);
    EXPECT_TRUE(ranks.any(rank == 1));
    EXPECT_FALSE(ranks.any(false));
    EXPECT_EQ(ranks.gather(rank + 0.5), (std::vector<double>{0.5, 1.5, 2.5}));
    EXPECT_EQ(ranks.of_writer(rank == 0 ? "of the first" : "another"), "of the first");
    const float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> values{static_cast<float>(rank), rank == 1 ? infinity : 0,
                              static_cast<float>(-rank)};
    ranks.take_largest(values);
    EXPECT_EQ(values, (std::vector<float>{2, infinity, 0}));
    ranks.require_same(message<"the preset">(), "the same");
  });
}

TEST(Ranks, SendPartsOfUnequalSizes) {
  using Bytes = std::vector<std::byte>;
  const std::vector<std::size_t> ends{1, 1, 4};
  with_ranks(3, [&](Ranks& ranks) {
    const auto at = static_cast<std::size_t>(ranks.rank());
    const std::size_t size = ends[at] - (at == 0 ? 0 : ends[at - 1]);
    Bytes whole, parts(3 * size), expected;
    for (int i = 0; i < 4; ++i) {
      whole.push_back(std::byte(10 * ranks.rank() + i));
    }
    ranks.scatter(whole, ends, parts);
    for (int from = 0; from < 3; ++from) {
      for (std::size_t i = ends[at] - size; i < ends[at]; ++i) {
        expected.push_back(std::byte(10 * from + static_cast<int>(i)));
      }
    }
    EXPECT_EQ(parts, expected);
    ranks.complete(whole, ends);
    EXPECT_EQ(whole, (Bytes{std::byte{0}, std::byte{21}, std::byte{22}, std::byte{23}}));
  });
}

TEST(Ranks, OfCardsHaveTheirNames) {
  const std::vector<std::string> cards{"cuda:0", "cuda:2"};
  with_ranks(cards, [](Ranks& ranks) {
    EXPECT_EQ(ranks.all().text(), "2 cards");
    EXPECT_EQ(ranks.card(1), "cuda:2");
    EXPECT_EQ(ranks.name(1).text(), "cuda:2");
    EXPECT_EQ(ranks.name_and_host(1).text(), "cuda:2");
  });
  with_ranks(2, [](Ranks& ranks) {
    EXPECT_EQ(ranks.all().text(), "2 processes");
    EXPECT_EQ(ranks.name_and_host(1).text(), "process 1 on " + host_name());
  });
  for (const auto& [said, told] :
       {std::pair("the disk is full", "cuda:2: the disk is full"),
        {"device cuda:2 stopped working", "device cuda:2 stopped working"}}) {
    with_ranks(cards, [&](Ranks& ranks) {
      if (ranks.rank() == 1) {
        throw DeviceLost(said);
      }
      try {
        ranks.meet();
        ADD_FAILURE() << "it failed";
      } catch (const RankDeviceLost& e) {
        EXPECT_STREQ(e.what(), told);
      }
    });
  }
}

TEST(Ranks, AFailureReachesTheOthersAtTheirNextCall) {
  Thrown thrown;
  expect_thrown(
      [](Ranks& ranks) {
        if (ranks.rank() == 1) {
          throw Error(ErrorKind::out_of_disk, message<"the disk is full">());
        }
        ranks.rank() == 0 ? ranks.meet() : static_cast<void>(ranks.gather(1));
      },
      thrown);
  EXPECT_EQ(thrown.texts_,
            (std::vector<std::string>{"process 1: the disk is full", "the disk is full",
                                      "process 1: the disk is full"}));
  EXPECT_EQ(thrown.kinds_, std::set{ErrorKind::out_of_disk});
}

TEST(Ranks, AFailureAfterTheOthersHaveFinishedKeepsNobodyWaiting) {
  Thrown thrown;
  expect_thrown(
      [](Ranks& ranks) {
        if (ranks.rank() == 2) {
          throw Error(message<"too late">());
        }
      },
      thrown);
  EXPECT_EQ(thrown.texts_, (std::vector<std::string>{"", "", "too late"}));
}

TEST(Ranks, FailTogether) {
  Thrown thrown;
  expect_thrown([](Ranks&) { throw Error(ErrorKind::non_finite, message<"NaN">()); }, thrown);
  EXPECT_EQ(thrown.texts_, (std::vector<std::string>{"NaN", "NaN", "NaN"}));
}

TEST(Ranks, OtherExceptionsHaveAKindToo) {
  Thrown thrown;
  expect_thrown(
      [](Ranks& ranks) {
        if (ranks.rank() == 0) {
          throw std::bad_alloc();
        }
        ranks.meet();
      },
      thrown);
  EXPECT_EQ(thrown.texts_[1], "process 0: the machine refused more memory");
  EXPECT_EQ(thrown.kinds_, std::set{ErrorKind::out_of_memory});
}

TEST(Ranks, NameTheOneThatDiffers) {
  Thrown thrown;
  expect_thrown(
      [](Ranks& ranks) {
        ranks.require_same(message<"the preset">(), ranks.rank() == 2 ? "other" : "same");
      },
      thrown);
  for (const std::string& text : thrown.texts_) {
    EXPECT_THAT(text, testing::HasSubstr("process 2 differs from process 0: the preset"));
  }
}

TEST(Ranks, ALostConnectionEndsTheRest) {
  ThreadMeeting meeting({"", ""});
  std::thread other([&] {
    Ranks ranks(meeting.link(1));
    meeting.close();
  });
  Ranks ranks(meeting.link(0));
  EXPECT_THROW(ranks.meet(), RankLost);
  ranks.fail(std::make_exception_ptr(RankLost(message<"gone">())));
  EXPECT_FALSE(ranks.leave());
  other.join();
}

TEST(Ranks, ASilentProcessEndsTheRest) {
  ThreadMeeting meeting({"", "", ""});
  std::atomic<int> silent = -1;
  std::atomic<bool> told = false;
  const auto meet_without_the_last = [&](int rank) {
    Ranks ranks(std::make_unique<testing_support::DeafLink>(meeting.link(rank), silent));
    EXPECT_TRUE(ranks.notices_silence());
    ranks.look_after_others();
    try {
      ranks.meet();  // all are connected
      if (rank == 2) {
        silent = 2;
        return;
      }
      ranks.meet();
      ADD_FAILURE() << "it waited for nobody";
    } catch (const RankLost& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr("process 2 on " + host_name() + " can't be heard"));
    }
    if (rank == 0) {  // it noticed last, but its sentence must not come too late
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      told = true;
    }
    EXPECT_FALSE(ranks.leave());
    EXPECT_TRUE(told) << "the launcher would have ended the one that speaks";
  };
  std::thread second(meet_without_the_last, 1), third(meet_without_the_last, 2);
  meet_without_the_last(0);
  second.join();
  third.join();
}

TEST(Ranks, AFailureIsAnnouncedToWhoeverDoesNotCall) {
  with_ranks(2, [](Ranks& ranks) {
    EXPECT_FALSE(ranks.another_fails());
    ranks.meet();
    if (ranks.rank() == 1) {
      throw Error(message<"the disk is full">());
    }
    while (!ranks.another_fails()) {
      std::this_thread::yield();
    }
    EXPECT_THROW(ranks.meet(), Error);
  });
}

TEST(Ranks, ALostCardStaysOne) {
  for (const bool lost : {true, false}) {
    with_ranks(2, [lost](Ranks& ranks) {
      if (ranks.rank() == 1) {
        lost ? throw DeviceLost("cuda:1 stopped") : throw OutOfDeviceMemory("no room on cuda:1");
      }
      try {
        ranks.meet();
        ADD_FAILURE() << "it failed";
      } catch (const RankDeviceLost& e) {
        EXPECT_TRUE(lost);
        EXPECT_STREQ(e.what(), "process 1: cuda:1 stopped");
      } catch (const Error& e) {
        EXPECT_FALSE(lost);
        EXPECT_EQ(e.kind(), ErrorKind::out_of_memory);
        EXPECT_STREQ(e.what(), "process 1: no room on cuda:1");
      }
    });
  }
}

TEST(Launcher, IsKnownByItsVariables) {
  for (const auto& [rank, size] :
       {std::pair("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), {"PMI_RANK", "PMI_SIZE"}}) {
    EXPECT_EQ(launched_processes(), std::nullopt);
    test::set_environment(size, "3");
    EXPECT_EQ(launched_processes(), std::nullopt) << "no rank";
    test::set_environment(rank, "1");
    EXPECT_EQ(launched_processes(), 3);
    for (const char* alone : {"1", "0", "", "3x", "99999999999999999999"}) {
      test::set_environment(size, alone);
      EXPECT_EQ(launched_processes(), std::nullopt) << alone;
    }
    test::set_environment(rank, "");
  }
}

#ifdef _WIN32

TEST(Launcher, SaysThatWindowsHasNoSuchRuns) {
  try {
    open_link(2);
    FAIL() << "nothing is there";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(),
                testing::HasSubstr("2 processes were started for one run, but on Windows"));
  }
}

#else

TEST(Launcher, SaysWhatIsWrongWithTheLibrary) {
  test::set_environment("MANTISSA_MPI_LIBRARY", "/nowhere/libmantissa_mpi.so");
  try {
    open_link(2);
    FAIL() << "nothing is there";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("/nowhere/libmantissa_mpi.so can't be opened"));
  }
  test::set_environment("MANTISSA_MPI_LIBRARY", "");
}

#endif

TEST(Launcher, SeesProcesses) {
  EXPECT_TRUE(process_exists(process_id()));
  EXPECT_FALSE(process_exists(0x3fffffff));
  EXPECT_EQ(process_space(), process_space());
}

}  // namespace
}  // namespace mantissa
