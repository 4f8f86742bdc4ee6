// The database file: older and newer formats, other programs' and damaged files.
#include <cmath>
#include <fstream>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"
#include "tests/engine/store/store_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

class StoreFile : public StoreFixture {};

TEST_F(StoreFile, MissingDatabaseReadsAsEmpty) {
  RunReader reader(file_);
  EXPECT_TRUE(reader.list_runs().empty());
  EXPECT_FALSE(reader.run("a"));
  RunStore store(file_);
  store.create_run(run("a"));
  EXPECT_EQ(reader.list_runs().size(), 1u);
}

/// From the tenth format back to the seventh.
constexpr const char* kToFormat7 = R"(
  DROP TABLE image_losses;
  DROP TABLE validation_images;
  DROP TABLE rates;
  DROP TABLE process_rates;
  DROP TABLE pauses;
  ALTER TABLE validation RENAME COLUMN images TO pictures;
  ALTER TABLE metrics ADD COLUMN nan_mask INTEGER NOT NULL DEFAULT 0;
  UPDATE schema SET version = 7;
)";

/// From there, the steps in the fourth format: a column for each part.
constexpr const char* kToFormat4 = R"(
  CREATE TABLE old(
    run INTEGER NOT NULL, step INTEGER NOT NULL,
    loss REAL, grad_norm REAL, clip_norm REAL, loss_scale REAL, lost_update REAL, update_ratio REAL,
    seconds REAL, lr_unet REAL, lr_te1 REAL, lr_te2 REAL, norm_unet REAL, norm_te1 REAL,
    norm_te2 REAL, clipped INTEGER NOT NULL, skipped INTEGER NOT NULL, nan_mask INTEGER NOT NULL,
    PRIMARY KEY(run, step)) WITHOUT ROWID;
  INSERT INTO old SELECT run, step, loss, grad_norm, clip_norm, loss_scale, lost_update,
    update_ratio, seconds, 1e-4, 0, 2e-5, 0.4, 0, 7, clipped, skipped, nan_mask FROM metrics;
  DROP TABLE metrics;
  DROP TABLE part_metrics;
  ALTER TABLE old RENAME TO metrics;
  ALTER TABLE events DROP COLUMN message;
  ALTER TABLE summaries DROP COLUMN family;
  UPDATE schema SET version = 4;
)";

TEST_F(StoreFile, ADatabaseOfTheFifthFormatGainsEventsAsMessages) {
  const auto tell = [&] {
    RunStore store(file_);
    store.create_run(run("a" + std::to_string(RunReader(file_).list_runs().size())));
    store.add_event("a0", LogLevel::info, message<"{what} is odd">("loss"));
  };
  tell();
  raw(kToFormat7);
  raw("ALTER TABLE summaries DROP COLUMN family; ALTER TABLE events DROP COLUMN message; "
      "UPDATE schema SET version = 5");
  EXPECT_EQ(RunReader(file_).events("a0").at(0).message.text(), "loss is odd")
      << "read before a writer came";
  tell();
  raw("INSERT INTO events SELECT 9, run, time, level, text, '{\"template\": 3}' FROM events LIMIT "
      "1");
  const std::vector<EventRow> events = RunReader(file_).events("a0");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].message.kind(), Message::Kind::verbatim) << "nothing but its text is known";
  EXPECT_EQ(events[1].message.source(), "{what} is odd");
  EXPECT_EQ(events[2].message.text(), "loss is odd") << "what can't be read leaves the text";
  EXPECT_EQ(files_with(".format-5-").size(), 1u) << "the database as it was is kept";
}

TEST_F(StoreFile, ADatabaseOfTheFourthFormatGainsPartsByName) {
  {
    RunStore store(file_);
    store.create_run(run("a1"));
    store.add_step("a1", step(1));
    store.add_step("a1", step(2));
  }
  raw(kToFormat7);
  raw(kToFormat4);
  raw("UPDATE metrics SET norm_te1 = NULL, loss = NULL, nan_mask = 2049 WHERE step = 2");
  const auto check = [&](RunReader&& reader, const char* when) {
    SCOPED_TRACE(when);
    const std::vector<StepRow> steps = reader.metrics("a1");
    ASSERT_EQ(steps.size(), 2u);
    ASSERT_EQ(steps[0].parts.size(), 2u) << "te1 was not trained";
    EXPECT_EQ(steps[0].parts.of(Part("unet")).lr, 1e-4);
    EXPECT_EQ(steps[0].parts.of(Part("unet")).norm, 0.4);
    EXPECT_EQ(steps[0].parts.of(kTe2).lr, 2e-5);
    EXPECT_EQ(steps[0].parts.of(kTe2).norm, 7);
    EXPECT_EQ(steps[0].seconds, 0.005);
    ASSERT_EQ(steps[1].parts.size(), 3u);
    EXPECT_TRUE(std::isnan(steps[1].parts.of(kTe1).norm));
    EXPECT_TRUE(std::isnan(steps[1].loss));
    EXPECT_EQ(steps[1].grad_norm, 0.5);
  };
  check(RunReader(file_), "read before a writer came");
  {
    RunStore store(file_);
    EXPECT_TRUE(store.notices().empty());
    store.add_step("a1", step(3));
    store.flush();
    EXPECT_EQ(RunReader(file_).metrics("a1", 2).at(0).parts.size(), 2u);
    store.resume_run("a1", 2, "preparing", "here", 3);
  }
  check(RunReader(file_), "brought to the fifth");
  ASSERT_EQ(files_with(".format-4-").size(), 1u) << "the database as it was is kept";
  check(RunReader(files_with(".format-4-")[0]), "the copy");
}

TEST_F(StoreFile, ADatabaseOfTheFirstFormatGainsHealth) {
  {
    RunStore store(file_);
    store.create_run(run("a1"));
    store.add_step("a1", step(1));
  }
  raw(kToFormat7);
  raw(kToFormat4);
  raw("DROP TABLE health; DROP TABLE summaries; DROP TABLE validation; "
      "UPDATE schema SET version = 1");
  EXPECT_TRUE(RunReader(file_).health("a1").empty()) << "read before a writer came";
  RunStore store(file_);
  EXPECT_TRUE(store.notices().empty());
  store.add_health("a1", health_record(1));
  store.flush();
  RunReader reader(file_);
  EXPECT_EQ(reader.health("a1").size(), 1u);
  EXPECT_EQ(reader.metrics("a1").size(), 1u) << "what was there stays";
  const auto copies = files_with(".format-1-");
  ASSERT_EQ(copies.size(), 1u) << "the database as it was is kept";
  EXPECT_EQ(RunReader(copies[0]).metrics("a1").size(), 1u);
}

TEST_F(StoreFile, ADatabaseOfTheSecondFormatGainsSummaries) {
  {
    RunStore store(file_);
    RunRow row = run("a1");
    row.preset_json = to_json(Preset{}, WriteMode::full);
    store.create_run(row);
  }
  raw(kToFormat7);
  raw(kToFormat4);
  raw("DROP TABLE summaries; DROP TABLE validation; UPDATE schema SET version = 2");
  {
    RunReader reader(file_);
    ASSERT_EQ(reader.summaries().size(), 1u) << "read before a writer came";
    EXPECT_EQ(reader.summaries()[0].adapter, "");
    EXPECT_EQ(reader.list_runs().size(), 1u);
  }
  RunStore store(file_);
  EXPECT_EQ(RunReader(file_).summaries().at(0).adapter, "LoRA 16");
}

TEST_F(StoreFile, ADatabaseOfTheThirdFormatGainsValidation) {
  {
    RunStore store(file_);
    store.create_run(run("a1"));
  }
  raw(kToFormat7);
  raw(kToFormat4);
  raw("DROP TABLE validation; UPDATE schema SET version = 3");
  EXPECT_TRUE(RunReader(file_).validation("a1").empty()) << "read before a writer came";
  RunStore store(file_);
  store.add_validation("a1", {1, 0.5, 2, 0.1});
  store.flush();
  EXPECT_EQ(RunReader(file_).validation("a1").size(), 1u);
}

TEST_F(StoreFile, ADatabaseOfTheEighthFormatGainsTheLossOfEachImage) {
  const ValidationRow row{1, 0.5, 2, 0.1, {{0, "a.png", 0.25}, {1, "b.png", 0.75}}};
  {
    RunStore store(file_);
    store.create_run(run("a1"));
    store.add_validation("a1", row);
  }
  raw("DROP TABLE image_losses; DROP TABLE validation_images; UPDATE schema SET version = 8");
  const auto losses = [&](std::int64_t after = -1) {
    return RunReader(file_).validation("a1", after).back().each;
  };
  EXPECT_TRUE(losses().empty()) << "read before a writer came";
  RunStore store(file_);
  EXPECT_EQ(files_with(".format-8-").size(), 1u) << "the database as it was is kept";
  EXPECT_TRUE(losses().empty()) << "nobody recorded them";
  ValidationRow second = row;
  second.step = 2;
  store.add_validation("a1", second);
  store.flush();
  EXPECT_TRUE(RunReader(file_).validation("a1").front().each.empty());
  ASSERT_EQ(losses(1).size(), 2u);
  EXPECT_EQ(losses(1)[1].name, "b.png");
  EXPECT_EQ(losses(1)[1].loss, 0.75);
  EXPECT_TRUE(RunReader(file_).validation("a1", 1, false).back().each.empty()) << "not asked for";
}

TEST_F(StoreFile, ADatabaseOfTheNinthFormatGainsLossesOfTrainingImages) {
  {
    RunStore store(file_);
    store.create_run(run("a1"));
    store.add_sample("a1", {1, 0, "x", "x.png", 0.5, 0.25, "a.png"});
  }
  raw("DROP TABLE image_losses; ALTER TABLE samples DROP COLUMN trained_distance;"
      "ALTER TABLE samples DROP COLUMN nearest; UPDATE schema SET version = 9");
  EXPECT_TRUE(RunReader(file_).image_losses("a1").empty()) << "read before a writer came";
  EXPECT_TRUE(std::isnan(RunReader(file_).samples("a1").at(0).trained_distance));
  RunStore store(file_);
  EXPECT_EQ(files_with(".format-9-").size(), 1u) << "the database as it was is kept";
  store.add_image_losses("a1", {5, 7, 1, {{2, 0, "a.png", 0.25, 0.5, "b.png"}}});
  store.add_image_losses("a1", {9, 7, 1, {{2, 0, "a.png", 0.125, 0.5, "b.png"}}});
  store.flush();
  ASSERT_EQ(RunReader(file_).image_losses("a1").size(), 2u);
  EXPECT_EQ(RunReader(file_).image_losses("a1")[1].each.at(0).loss, 0.125);
  store.resume_run("a1", 5, "preparing", "here", 3);
  store.flush();
  EXPECT_EQ(RunReader(file_).image_losses("a1").size(), 1u) << "what lies after it is gone";
  const SampleRow sample = RunReader(file_).samples("a1").at(0);
  EXPECT_TRUE(std::isnan(sample.trained_distance)) << "nobody measured it";
  EXPECT_EQ(sample.held_out_distance, 0.25);
  EXPECT_TRUE(sample.nearest.empty());
}

TEST_F(StoreFile, ADatabaseOfTheSixthFormatGainsFamilies) {
  {
    RunStore store(file_);
    RunRow named = run("a1"), any = run("a2");
    Preset preset;
    any.preset_json = to_json(preset, WriteMode::full);
    preset.model.family = ModelFamily("z_image");
    named.preset_json = to_json(preset, WriteMode::full);
    named.created = 1;
    any.created = 2;
    store.create_run(named);
    store.create_run(any);
    store.annotate("a1", "kept", "");
  }
  raw(kToFormat7);
  raw("ALTER TABLE summaries DROP COLUMN family; UPDATE schema SET version = 6");
  EXPECT_EQ(RunReader(file_).summaries().at(1).family, "") << "read before a writer came";
  RunStore store(file_);
  EXPECT_EQ(files_with(".format-6-").size(), 1u) << "the database as it was is kept";
  const auto list = RunReader(file_).summaries();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].family, "") << "a preset for any family";
  EXPECT_EQ(list[1].family, "z_image");
  EXPECT_EQ(list[1].tags, "kept");
}

/// A whole file of the seventh format, as its programs wrote it.
constexpr const char* kFormat7 = R"(
  CREATE TABLE schema(version INTEGER NOT NULL);
  CREATE TABLE runs(
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL,
    created INTEGER NOT NULL, finished INTEGER NOT NULL, base TEXT NOT NULL, out TEXT NOT NULL,
    preset TEXT NOT NULL, plan TEXT NOT NULL, seed INTEGER NOT NULL, host TEXT NOT NULL,
    process INTEGER NOT NULL, lock TEXT NOT NULL);
  CREATE TABLE metrics(
    run INTEGER NOT NULL, step INTEGER NOT NULL, loss REAL, grad_norm REAL, clip_norm REAL,
    loss_scale REAL, lost_update REAL, update_ratio REAL, seconds REAL, clipped INTEGER NOT NULL,
    skipped INTEGER NOT NULL, nan_mask INTEGER NOT NULL, PRIMARY KEY(run, step)) WITHOUT ROWID;
  CREATE TABLE part_metrics(
    run INTEGER NOT NULL, step INTEGER NOT NULL, part TEXT NOT NULL, lr REAL, norm REAL,
    PRIMARY KEY(run, step, part)) WITHOUT ROWID;
  CREATE TABLE events(
    key INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, time INTEGER NOT NULL,
    level INTEGER NOT NULL, text TEXT NOT NULL, message TEXT);
  CREATE INDEX events_by_run ON events(run, key);
  CREATE TABLE samples(
    run INTEGER NOT NULL, step INTEGER NOT NULL, prompt_index INTEGER NOT NULL,
    prompt TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY(run, step, prompt_index)) WITHOUT ROWID;
  CREATE TABLE checkpoints(
    run INTEGER NOT NULL, step INTEGER NOT NULL, path TEXT NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY(run, step)) WITHOUT ROWID;
  CREATE TABLE health(
    run INTEGER NOT NULL, step INTEGER NOT NULL, layer TEXT NOT NULL, kind TEXT NOT NULL,
    format TEXT NOT NULL, seconds REAL NOT NULL, count INTEGER NOT NULL, zeros INTEGER NOT NULL,
    non_finite INTEGER NOT NULL, underflow INTEGER NOT NULL, subnormal INTEGER NOT NULL,
    overflow INTEGER NOT NULL, amax REAL NOT NULL, scaled_amax REAL NOT NULL,
    signal REAL NOT NULL, noise REAL NOT NULL, drift REAL, histogram BLOB NOT NULL,
    PRIMARY KEY(run, step, layer, kind)) WITHOUT ROWID;
  CREATE TABLE summaries(
    run INTEGER PRIMARY KEY, adapter TEXT NOT NULL, precision TEXT NOT NULL, tags TEXT NOT NULL,
    note TEXT NOT NULL, hidden INTEGER NOT NULL, family TEXT NOT NULL DEFAULT '');
  CREATE TABLE validation(
    run INTEGER NOT NULL, step INTEGER NOT NULL, loss REAL, pictures INTEGER NOT NULL,
    seconds REAL NOT NULL, PRIMARY KEY(run, step)) WITHOUT ROWID;
  INSERT INTO schema VALUES(7);
  INSERT INTO runs VALUES(1, 'a', 'old', 'finished', 1, 2, 'demo', '/runs/a', '{}', '{}', 1, 'h',
    1, '');
  INSERT INTO runs VALUES(2, 'b', 'old', 'finished', 1, 2, 'demo', '/runs/b', '{}', '{}', 1, 'h',
    1, '');
  INSERT INTO summaries(run, adapter, precision, tags, note, hidden)
    VALUES(1, '', '', '', '', 0), (2, '', '', '', '', 0);
  INSERT INTO metrics VALUES(1, 1, NULL, 0.5, 1, 65536, 0.01, 0.001, 0.25, 1, 0, 1);
  INSERT INTO part_metrics VALUES(1, 1, 'unet', 1e-4, NULL);
  INSERT INTO validation VALUES(1, 1, 0.5, 7, 0.25);
  INSERT INTO events(run, time, level, text, message) VALUES
    (1, 5, 1, 'Paused', '{"template":"Paused after step {step}; the model stays loaded","values":["7"]}'),
    (1, 6, 0, 'Rates', '{"template":"Step {step}: {rate} images/s together: {processes}","values":["20","55.5",{"between":"; ","items":[{"template":"process {number} on {host} {rate} images/s, computing {share}% of the time","values":["0","node-a","30.5","90"]},{"template":"process {number} on {host} {rate} images/s, computing {share}% of the time","values":["1","node-b","25","85"]}]}]}'),
    (1, 7, 0, 'Rates', '{"template":"Step {step}: {rate} images/s together: {processes}","values":["40","40",{"between":"; ","items":[{"template":"process {number} on {host} {rate} images/s, computing {share}% of the time","values":["0","node-a","30","60"]},{"template":"process {number} on {host} {rate} images/s, computing {share}% of the time, slow","values":["1","node-b","12","100"]}]}]}'),
    (1, 8, 1, 'Waited', '{"template":"After step {step}: waited {seconds} s for disk space in the folder {folder}","values":["30","12","/disk"]}'),
    (1, 9, 1, 'Paused after step 31; the model stays loaded', NULL),
    (1, 10, 1, 'Saved', '{"template":"Step {step}: saved to {path}","values":["32","/x"]}'),
    (1, 11, 1, 'Paused', '{"template":"Paused after step {step}; the model stays loaded","values":["x"]}'),
    (1, 12, 0, 'Rates', '{"template":"Step {step}: {rate} images/s together: {processes}","values":["60","40",{"between":"; ","items":["?"]}]}'),
    (2, 13, 1, 'Paused', '{"template":"Paused after step {step}; the model stays loaded","values":["9"]}');
)";

// What older versions told in sentences of the log is in rows since the eighth format.
TEST_F(StoreFile, ADatabaseOfTheSeventhFormatGainsRatesAndPauses) {
  fs::create_directories(folder_);
  raw(kFormat7);
  const auto check = [&](RunReader&& reader, const char* when) {
    SCOPED_TRACE(when);
    const std::vector<RunRates> rates = reader.rates("a");
    ASSERT_EQ(rates.size(), 2u);
    EXPECT_EQ(rates[0].step, 20);
    EXPECT_EQ(rates[0].images_per_second, 55.5);
    ASSERT_EQ(rates[1].processes.size(), 2u);
    const ProcessRate& slow = rates[1].processes[1];
    EXPECT_EQ(slow.process, 1);
    EXPECT_EQ(slow.host, "node-b");
    EXPECT_EQ(slow.images_per_second, 12);
    EXPECT_EQ(slow.share, 1);
    EXPECT_TRUE(slow.slow);
    EXPECT_EQ(rates[0].processes.at(1).share, 0.85);
    EXPECT_FALSE(rates[0].processes.at(1).slow);
    EXPECT_EQ(reader.rates("a", 20).size(), 1u);
    EXPECT_EQ(reader.last_rates("a")->step, 40);
    EXPECT_FALSE(reader.last_rates("b").has_value());
    const std::vector<PauseRow> pauses = reader.pauses("a");
    ASSERT_EQ(pauses.size(), 2u);
    EXPECT_EQ(pauses[0].step, 7);
    EXPECT_FALSE(pauses[0].disk_full);
    EXPECT_EQ(pauses[1].step, 30);
    EXPECT_TRUE(pauses[1].disk_full);
    EXPECT_EQ(reader.pauses("b").at(0).step, 9);
    EXPECT_EQ(reader.validation("a").at(0).images, 7) << "\"pictures\" then";
    const StepRow step = reader.metrics("a").at(0);
    EXPECT_TRUE(std::isnan(step.loss));
    EXPECT_TRUE(std::isnan(step.parts.of(Part("unet")).norm));
    EXPECT_EQ(step.loss_scale, 65536);
    EXPECT_TRUE(step.clipped);
  };
  check(RunReader(file_), "read before a writer came");
  { RunStore store(file_); }
  check(RunReader(file_), "brought to this version's");
  ASSERT_EQ(files_with(".format-7-").size(), 1u) << "the database as it was is kept";
  check(RunReader(files_with(".format-7-")[0]), "the copy");
  // From now on no sentence is read: neither one in the old words, nor what became of the others.
  {
    RunStore store(file_);
    store.add_event(
        "a", LogLevel::info,
        Message("Paused after step {step}; the model stays loaded", {Message::verbatim("99")}));
  }
  raw("UPDATE events SET text = 'in other words', message = NULL WHERE time < 20");
  check(RunReader(file_), "after the log was worded otherwise");
}

TEST_F(StoreFile, NewerFormatIsRefusedAndUntouched) {
  { RunStore store(file_); }
  raw("UPDATE schema SET version = 999");
  for (int i = 0; i < 2; ++i) {
    try {
      RunStore store(file_);
      ADD_FAILURE();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("newer"), std::string::npos) << e.what();
    }
  }
  EXPECT_THROW(RunReader(file_).list_runs(), Error);
  EXPECT_TRUE(set_aside().empty());
}

TEST_F(StoreFile, ForeignDatabaseIsRefused) {
  fs::create_directories(folder_);
  raw("CREATE TABLE photos(a)");
  try {
    RunStore store(file_);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("another program"), std::string::npos) << e.what();
  }
}

TEST_F(StoreFile, DamagedFileIsSetAside) {
  {
    RunStore store(file_);
    store.create_run(run("a"));
    for (int i = 0; i < 3000; ++i) {
      store.add_step("a", step(i));
    }
  }
  const auto size = fs::file_size(file_);
  ASSERT_GT(size, 40'000u);
  {
    std::fstream f(file_, std::ios::in | std::ios::out | std::ios::binary);
    f.seekp(4096 * 4);
    f << std::string(4096 * 4, '\xAB');
  }
  {
    RunStore store(file_);
    ASSERT_EQ(store.notices().size(), 1u);
    EXPECT_NE(store.notices()[0].text().find("damaged"), std::string::npos);
    ASSERT_EQ(set_aside().size(), 1u);
    EXPECT_EQ(fs::file_size(set_aside()[0]), size);
    store.create_run(run("b"));
    EXPECT_EQ(RunReader(file_).list_runs().size(), 1u);
  }
  // In the same second, a file that isn't a database at all.
  std::ofstream(file_, std::ios::trunc) << std::string(5000, 'x');
  EXPECT_THROW(RunReader(file_).list_runs(), Error);
  RunStore store(file_);
  EXPECT_EQ(store.notices().size(), 1u);
  EXPECT_EQ(set_aside().size(), 2u);
}

// A log of the damaged database would be replayed into the new one.
TEST_F(StoreFile, TheLogOfADamagedFileGoesWithIt) {
  {
    RunStore store(file_);
    store.create_run(run("a"));
    for (int i = 0; i < 3000; ++i) {
      store.add_step("a", step(i));
    }
  }
  const fs::path log = folder_ / "runs.db-wal";
  std::string left;
  {
    RunStore store(file_);
    store.add_event("a", LogLevel::info, Message::verbatim("not yet in the file itself"));
    store.flush();
    std::ifstream in(log, std::ios::binary);
    left.assign(std::istreambuf_iterator<char>(in), {});
    ASSERT_GT(left.size(), 4096u);
  }
  {
    std::fstream f(file_, std::ios::in | std::ios::out | std::ios::binary);
    f.seekp(4096 * 40);
    f << std::string(4096 * 4, '\xAB');
  }
  std::ofstream(log, std::ios::binary) << left;  // as left by a killed program
  RunReader another(file_);                      // prevents the checkpoint of the log on closing
  EXPECT_EQ(another.list_runs().size(), 1u);
#ifdef _WIN32
  // Windows moves no file that a program has open: the error says so, and nothing is lost.
  test::expect_error_with([&] { RunStore store(file_); },
                          {"can't be set aside", "runs.db.corrupt-"});
  EXPECT_TRUE(set_aside().empty());
  EXPECT_EQ(another.list_runs().size(), 1u);
#else
  RunStore store(file_);
  ASSERT_EQ(store.notices().size(), 1u);
  bool kept = false;
  for (const fs::path& file : set_aside()) {
    kept = kept || file.string().ends_with("-wal");
  }
  EXPECT_TRUE(kept) << "the log lies beside the damaged file";
  EXPECT_TRUE(RunReader(file_).list_runs().empty());
  store.create_run(run("b"));
  EXPECT_EQ(RunReader(file_).list_runs().size(), 1u);
#endif
}

TEST_F(StoreFile, UnwritableFolderIsNamed) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  try {
    RunStore store(folder_ / "file" / "runs.db");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(path_to_utf8(folder_ / "file")), std::string::npos);
  }
}

}  // namespace
}  // namespace mantissa
