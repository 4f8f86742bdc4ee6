// Every field of every record is a column; a new one needs no migration.
#include <cmath>

#include "engine/store/columns.h"
#include "tests/engine/record_values.h"
#include "tests/engine/store/store_fixture.h"

namespace mantissa {
namespace {

using namespace testing_support;

class RecordFields : public StoreFixture {};

TEST_F(RecordFields, ComeBackFromTheDatabase) {
  const auto step = filled<StepRow>();
  const auto health = filled<HealthRecord>();
  const auto validation = filled<ValidationRow>();
  const auto image_losses = filled<ImageLossRecord>();
  const auto rates = filled<RunRates>();
  const auto pause = filled<PauseRow>();
  const auto sample = filled<SampleRow>();
  const auto checkpoint = filled<CheckpointRow>();
  RunStore store(file_);
  store.create_run(run("a"));
  store.add_step("a", step);
  store.add_health("a", health);
  store.add_validation("a", validation);
  store.add_image_losses("a", image_losses);
  store.add_rates("a", rates);
  store.add_pause("a", pause);
  store.add_sample("a", sample);
  store.add_checkpoint("a", checkpoint);
  store.flush();
  RunReader reader(file_);
  EXPECT_EQ(all_of(reader.metrics("a").at(0)), all_of(step));
  EXPECT_EQ(all_of(reader.health("a").at(0)), all_of(health));
  EXPECT_EQ(all_of(reader.validation("a").at(0)), all_of(validation));
  EXPECT_EQ(all_of(reader.image_losses("a").at(0)), all_of(image_losses));
  EXPECT_EQ(all_of(reader.rates("a").at(0)), all_of(rates));
  EXPECT_EQ(all_of(reader.last_rates("a").value()), all_of(rates));
  EXPECT_EQ(all_of(reader.pauses("a").at(0)), all_of(pause));
  EXPECT_EQ(all_of(reader.samples("a").at(0)), all_of(sample));
  EXPECT_EQ(all_of(reader.checkpoints("a").at(0)), all_of(checkpoint));
}

/// A pause as a later version may know it.
struct LongerPause {
  std::int64_t step = 0;
  bool disk_full = false;
  double minutes = 0;
  std::string reason = "unknown";

  static constexpr auto fields() {
    return field_list(
        Field{"step", &LongerPause::step}, Field{"disk_full", &LongerPause::disk_full},
        Field{"minutes", &LongerPause::minutes}, Field{"reason", &LongerPause::reason});
  }
};

TEST_F(RecordFields, ANewOneIsAddedToOlderFiles) {
  {
    RunStore store(file_);
    store.create_run(run("a"));
    store.add_pause("a", {5, true});
  }
  const auto read = [&] {
    Database db(file_, Database::Mode::read);
    const auto list = selection("pauses", columns_of<LongerPause>(), columns_in(db, "pauses"));
    Statement s(db, ("SELECT " + list + " FROM pauses ORDER BY step").c_str());
    std::vector<LongerPause> rows;
    while (s.row()) {
      read_columns(s, 0, rows.emplace_back());
    }
    return rows;
  };
  EXPECT_EQ(read().at(0).reason, "unknown") << "read before a writer came";
  {
    Database db(file_, Database::Mode::write);
    add_missing_columns(db, {"pauses", columns_of<LongerPause>()});
    add_missing_columns(db, {"pauses", columns_of<LongerPause>()});  // twice is once
    RowInsert<LongerPause>(db, "pauses").run(1, {6, false, 2.5, "asked"});
  }
  const std::vector<LongerPause> rows = read();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].disk_full);
  EXPECT_TRUE(std::isnan(rows[0].minutes)) << "nobody measured it";
  EXPECT_EQ(rows[0].reason, "unknown");
  EXPECT_EQ(rows[1].minutes, 2.5);
  EXPECT_EQ(rows[1].reason, "asked");
  RunStore store(file_);  // and this version goes on with the file
  store.add_pause("a", {7, false});
  store.flush();
  EXPECT_EQ(RunReader(file_).pauses("a").size(), 3u);
}

TEST_F(RecordFields, RatesAndPausesFollowTheirRun) {
  RunStore store(file_);
  store.create_run(run("a"));
  store.create_run(run("b"));
  EXPECT_FALSE(RunReader(file_).last_rates("a").has_value());
  for (const std::int64_t at : {20, 40, 60}) {
    store.add_rates(
        "a",
        {at, 0.5 * static_cast<double>(at), {{0, "x", 1, 1, false}, {1, "y", 2, 0.5, at == 40}}});
    store.add_pause("a", {at, at == 40});
  }
  store.add_rates("b", {10, 3, {}});
  store.add_pause("a", {20, false});  // twice is once
  store.flush();
  RunReader reader(file_);
  const auto rates = reader.rates("a", 20);
  ASSERT_EQ(rates.size(), 2u);
  EXPECT_EQ(rates[0].images_per_second, 20);
  ASSERT_EQ(rates[0].processes.size(), 2u);
  EXPECT_TRUE(rates[0].processes[1].slow);
  EXPECT_FALSE(rates[1].processes[1].slow);
  EXPECT_EQ(reader.pauses("a").size(), 3u);
  EXPECT_TRUE(reader.pauses("a").at(1).disk_full);
  EXPECT_EQ(reader.last_rates("b")->images_per_second, 3);
  store.resume_run("a", 40, "preparing", "here", 3);
  EXPECT_EQ(reader.last_rates("a")->step, 40) << "what lies after the resumed step is gone";
  EXPECT_EQ(reader.last_rates("a")->processes.size(), 2u);
  EXPECT_EQ(reader.pauses("a").size(), 2u);
  store.delete_run("a");
  store.create_run(run("a"));
  EXPECT_TRUE(reader.rates("a").empty());
  EXPECT_TRUE(reader.pauses("a").empty());
  EXPECT_EQ(reader.rates("b").size(), 1u);
}

}  // namespace
}  // namespace mantissa
