// Images of other programs: concepts and data sets, their repeats, captions and resolutions.
#include "tests/engine/preset/import_short.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::expect_reported;
using testing_support::kohya_with;
using testing_support::onetrainer_with;
using testing_support::row;

constexpr const char* kConcept = R"({"path": "C:/data/mira", "loss_weight": 0.3, "balancing": 5,
    "image": {"enable_resolution_override": true, "resolution_override": "512"},
    "text": {"enable_tag_shuffling": true, "keep_tags_count": 2, "tag_dropout_enable": true,
             "tag_dropout_probability": 0.5}})";

TEST(ImportMeaning, ConceptsHaveCaptionsRepeatsAndWeights) {
  const std::string alone = std::string("[") + kConcept + "]";
  const ImportResult r = onetrainer_with(R"("resolution": "1024", "concepts": )" + alone);
  EXPECT_TRUE(r.preset.data.shuffle_captions);
  EXPECT_EQ(r.preset.data.keep_tokens, 2);
  EXPECT_EQ(r.preset.data.resolution, 512);
  ASSERT_EQ(r.preset.data.folders.size(), 1u);
  EXPECT_EQ(r.preset.data.folders[0].folder, "mira");
  EXPECT_EQ(r.preset.data.folders[0].repeats, 5);
  EXPECT_EQ(r.preset.data.folders[0].weight, 0.3);
  EXPECT_FALSE(r.preset.data.flip) << "OneTrainer's default";
  EXPECT_THAT(row(r, "concepts").note.text(), HasSubstr("dropout of single tags"));
  EXPECT_THAT(row(r, "resolution").note.text(), HasSubstr("concepts' own"));
  const ImportResult file = import_preset_text(alone, "concepts.json");
  EXPECT_EQ(file.format, ImportFormat::onetrainer);
  EXPECT_EQ(file.preset.data.keep_tokens, 2);
  const ImportResult prior =
      onetrainer_with(R"("concepts": [{"path": "/x", "type": "PRIOR_PREDICTION",
      "balancing": 5, "image": {}, "text": {}}])");
  EXPECT_TRUE(prior.preset.data.folders.empty());
  EXPECT_THAT(row(prior, "concepts").note.text(), HasSubstr("own predictions"));
  EXPECT_EQ(row(onetrainer_with(R"("concept_file_name": "a/b.json")"), "concept_file_name").fate,
            ImportFate::changed);
}

TEST(ImportMeaning, ConceptsOfOneFolderNameHaveNoRule) {
  const ImportResult r = onetrainer_with(R"("concepts": [
      {"path": "/a/x", "balancing": 5, "image": {}, "text": {}},
      {"path": "/b/x/", "image": {}, "text": {}},
      {"path": "/b/y", "balancing": 2, "image": {}, "text": {}},
      {"path": "/c/y", "balancing": 2, "image": {}, "text": {}}])");
  ASSERT_EQ(r.preset.data.folders.size(), 1u);
  EXPECT_EQ(r.preset.data.folders[0].folder, "y") << "alike, so one rule is both's";
  EXPECT_EQ(r.preset.data.folders[0].repeats, 2);
  EXPECT_THAT(row(r, "concepts").note.text(), HasSubstr("Several folders are called x"));
  EXPECT_THAT(row(r, "concepts").note.text(), Not(HasSubstr("called y")));
}

TEST(ImportMeaning, RepeatsOfConceptsThatAreNotOfferedAreTold) {
  const ImportResult r = onetrainer_with(R"("concepts": [
      {"path": "/half", "balancing": 0.5, "image": {}, "text": {}},
      {"path": "/none", "balancing": 0, "image": {}, "text": {}},
      {"path": "/more", "balancing": 20000, "image": {}, "text": {}},
      {"path": "/odd", "balancing": "often", "loss_weight": 2, "image": {}, "text": {}}])");
  const std::string note = row(r, "concepts").note.text();
  EXPECT_THAT(note, HasSubstr("half: 0.5 repeats are not offered here; the nearest is 1."));
  EXPECT_THAT(note, HasSubstr("none is left out there, with 0 repeats"));
  EXPECT_THAT(note, HasSubstr("more: 20000 repeats are not offered here; the nearest is 10000."));
  EXPECT_THAT(note, HasSubstr("Not taken: balancing of odd is not a number."));
  ASSERT_EQ(r.preset.data.folders.size(), 2u);
  EXPECT_EQ(r.preset.data.folders[0].folder, "more");
  EXPECT_EQ(r.preset.data.folders[0].repeats, 10000);
  EXPECT_EQ(r.preset.data.folders[1].folder, "odd");
  EXPECT_EQ(r.preset.data.folders[1].weight, 2);
}

TEST(ImportMeaning, RepeatsOfFoldersAreTheirNames) {
  const ImportResult r =
      kohya_with("network_dim = 8\ntrain_data_dir = \"/x\"\ndataset_repeats = 10\n");
  EXPECT_EQ(r.preset.data.repeats, 1);
  EXPECT_TRUE(r.preset.data.folder_repeats);
  EXPECT_EQ(kohya_with("network_dim = 8\ntrain_data_dir = \"/x\"\nin_json = \"/m\"\n"
                       "dataset_repeats = 10\n")
                .preset.data.repeats,
            10);
}

constexpr const char* kDataSet =
    "[[datasets]]\nresolution = 768\nbatch_size = 2\n[[datasets.subsets]]\nimage_dir = \"/x\"\n"
    "num_repeats = 3\n";

TEST(ImportMeaning, DataSetsAloneHaveTheirDefaults) {
  const ImportResult r = import_preset_text(kDataSet, "ds.toml");
  EXPECT_FALSE(r.preset.data.buckets);
  EXPECT_EQ(row(r, "enable_bucket").fate, ImportFate::assumed);
  EXPECT_EQ(r.preset.data.repeats, 3);
}

/// Multi-resolution training of sd-scripts: the same folder in a data set for each size.
TEST(ImportMeaning, OneFolderInSeveralDataSetsHasTheirResolutions) {
  const auto set = [](int side, const std::string& folder) {
    return "[[datasets]]\nresolution = " + std::to_string(side) +
           "\nbatch_size = 2\n[[datasets.subsets]]\nimage_dir = \"/x/" + folder +
           "\"\nnum_repeats = 1\n";
  };
  const ImportResult same =
      import_preset_text(set(512, "a") + set(1024, "a") + set(768, "a"), "ds.toml");
  EXPECT_EQ(same.preset.data.resolution, 1024);
  EXPECT_EQ(same.preset.data.further_resolutions, (std::vector<int>{768, 512}));
  EXPECT_TRUE(same.preset.data.folders.empty());
  EXPECT_EQ(row(same, "datasets[1].resolution").targets,
            std::vector<std::string>{"data.further_resolutions"});
  expect_reported(same);
  const ImportResult mixed =
      import_preset_text(set(512, "a") + set(1024, "a") + set(640, "b"), "ds.toml");
  EXPECT_EQ(mixed.preset.data.further_resolutions, std::vector<int>{512});
  ASSERT_EQ(mixed.preset.data.folders.size(), 1U);
  EXPECT_EQ(mixed.preset.data.folders[0].folder, "b");
  EXPECT_EQ(mixed.preset.data.folders[0].resolution, 640);
  const ImportResult other =
      import_preset_text(set(512, "a") + set(1024, "a") + set(640, "b") + set(768, "b"), "ds.toml");
  EXPECT_TRUE(other.preset.data.further_resolutions.empty());
  EXPECT_EQ(other.preset.data.resolution, 512);
  EXPECT_THAT(row(other, "datasets[3].resolution").note.text(),
              HasSubstr("A folder has one resolution here"));
  // Two folders with one name have one rule here, which can't be both.
  const ImportResult names =
      import_preset_text(set(512, "a/img") + set(1024, "b/img") + set(512, "c"), "ds.toml");
  EXPECT_TRUE(names.preset.data.folders.empty());
  EXPECT_TRUE(names.preset.data.further_resolutions.empty());
  EXPECT_EQ(row(names, "datasets[1].resolution").fate, ImportFate::changed);
  // Width and height count by their area, which is told.
  const ImportResult wide = import_preset_text(
      set(512, "a") +
          "[[datasets]]\nresolution = [1024, 576]\n[[datasets.subsets]]\nimage_dir = "
          "\"/x/b\"\n",
      "ds.toml");
  ASSERT_EQ(wide.preset.data.folders.size(), 1U);
  EXPECT_EQ(wide.preset.data.folders[0].resolution, 768);
  EXPECT_THAT(row(wide, "datasets[1].resolution").note.text(), HasSubstr("1024 x 576"));
}

TEST(ImportMeaning, AResolutionDrawnAtRandomIsTrainedAtEach) {
  const ImportResult r = onetrainer_with(R"("resolution": "512, 1024,768")");
  EXPECT_EQ(r.preset.data.resolution, 1024);
  EXPECT_EQ(r.preset.data.further_resolutions, (std::vector<int>{768, 512}));
  EXPECT_EQ(row(r, "resolution").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "resolution").note.text(), HasSubstr("3 times as long"));
  expect_reported(r);
  const ImportResult wrong = onetrainer_with(R"("resolution": "512,large")");
  EXPECT_EQ(wrong.preset.data.resolution, 512);
  EXPECT_TRUE(wrong.preset.data.further_resolutions.empty());
  EXPECT_THAT(row(wrong, "resolution").note.text(), HasSubstr("Not taken"));
}

TEST(ImportMeaning, ConceptsHaveTheirOwnResolutions) {
  const auto concept_at = [](const std::string& folder, const std::string& side) {
    return R"({"path": "/x/)" + folder +
           R"(", "text": {}, "image": {"enable_resolution_override": )" +
           (side.empty() ? "false" : R"(true, "resolution_override": ")" + side + "\"") + "}}";
  };
  const auto read = [&](const std::string& first, const std::string& second) {
    return onetrainer_with(R"("resolution": "1024", "concepts": [)" + concept_at("a", first) + "," +
                           concept_at("b", second) + "]");
  };
  const ImportResult one = read("", "512");
  EXPECT_EQ(one.preset.data.resolution, 1024);
  ASSERT_EQ(one.preset.data.folders.size(), 1U);
  EXPECT_EQ(one.preset.data.folders[0].folder, "b");
  EXPECT_EQ(one.preset.data.folders[0].resolution, 512);
  const ImportResult both = read("768", "512");
  EXPECT_EQ(both.preset.data.resolution, 1024);
  ASSERT_EQ(both.preset.data.folders.size(), 2U);
  EXPECT_EQ(both.preset.data.folders[0].resolution, 768);
  const ImportResult same = read("512", "512");
  EXPECT_EQ(same.preset.data.resolution, 512);
  EXPECT_TRUE(same.preset.data.folders.empty());
  const ImportResult list = read("", "512,768");
  EXPECT_TRUE(list.preset.data.folders.empty());
  EXPECT_THAT(row(list, "concepts").note.text(), HasSubstr("(b: 512,768)"));
  EXPECT_THAT(row(read("", "9000"), "concepts").note.text(), HasSubstr("resolution of 9000 for b"));
}

TEST(ImportMeaning, DataSetsThatLieBesideAreRead) {
  const std::string text =
      "network_module = \"networks.lora\"\nnetwork_dim = 8\ntrain_batch_size = 7\n"
      "dataset_config = \"/some/where/ds.toml\"\n";
  const ImportResult read =
      import_preset_text(text, "x.toml", [](const std::string& name) -> std::optional<std::string> {
        return name == "ds.toml" ? std::optional<std::string>(kDataSet) : std::nullopt;
      });
  EXPECT_EQ(read.preset.data.resolution, 768);
  EXPECT_EQ(read.preset.data.batch_size, 2) << "of the data set";
  EXPECT_EQ(read.preset.data.repeats, 3);
  EXPECT_EQ(row(read, "ds.toml: datasets[0].resolution").fate, ImportFate::mapped);
  expect_reported(read);
  const ImportResult alone = import_preset_text(text, "x.toml");
  EXPECT_EQ(alone.preset.data.batch_size, 7);
  EXPECT_THAT(row(alone, "dataset_config").note.text(), HasSubstr("import it too"));
  EXPECT_EQ(row(alone, "dataset_config").fate, ImportFate::changed);
}

TEST(ImportMeaning, AdaptersNameTheirDataSets) {
  std::string tags;
  for (int i = 0; i < 20000; ++i) {
    tags += (i == 0 ? "\"t" : ", \"t") + std::to_string(i) + "\": 1";
  }
  const ImportResult r = import_preset_metadata(
      {{"ss_network_module", "networks.lora"},
       {"ss_network_dim", "4"},
       {"ss_datasets",
        R"([{"batch_size_per_device": 4, "resolution": [768, 768], "enable_bucket": true,
            "max_bucket_reso": 2048, "tag_frequency": {"x": {)" +
            tags + R"(}}, "subsets":
            [{"num_repeats": 5, "flip_aug": true, "shuffle_caption": true, "keep_tokens": 2}]}])"}},
      "a");
  EXPECT_EQ(r.preset.data.batch_size, 4);
  EXPECT_EQ(r.preset.data.resolution, 768);
  EXPECT_EQ(r.preset.data.bucket_max, 2048);
  EXPECT_EQ(r.preset.data.repeats, 5);
  EXPECT_TRUE(r.preset.data.flip);
  EXPECT_EQ(r.preset.data.keep_tokens, 2);
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
}

TEST(ImportMeaning, ACacheOnDiskIsACache) {
  EXPECT_EQ(kohya_with("cache_latents_to_disk = true\n").preset.data.cache, CacheMode::latents);
  EXPECT_EQ(kohya_with("cache_latents_to_disk = true\ncache_text_encoder_outputs = true\n")
                .preset.data.cache,
            CacheMode::all);
  EXPECT_EQ(kohya_with("cache_latents = true\n").preset.data.cache, CacheMode::latents);
  EXPECT_EQ(kohya_with("cache_text_encoder_outputs = true\n").preset.data.cache, CacheMode::none);
}

}  // namespace
}  // namespace mantissa
