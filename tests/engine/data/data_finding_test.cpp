// What is used perhaps not as it is meant: counted and named.
#include "engine/data/data_finding.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/data/bucketed_images.h"
#include "engine/data/masks.h"
#include "tests/engine/data/image_folders.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using FindingKind = DataFindingKind;

class DataFindings : public testing_support::ImageFolders {
 protected:
  void text(const std::string& name, const std::string& content) {
    const fs::path file = root_ / path_from_utf8(name);
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
  }
  Dataset found() { return scan(root_); }
  /// Names and details of a kind: "a.png (detail)".
  static std::vector<std::string> of(const DatasetReport& report, FindingKind kind) {
    std::vector<std::string> files;
    for (const DataFinding& finding : report.findings) {
      for (const FoundFile& file : finding.files) {
        if (finding.kind == kind) {
          files.push_back(path_to_utf8(file.path.filename()) +
                          (file.detail.empty() ? "" : " (" + file.detail.text() + ")"));
        }
      }
    }
    return files;
  }
  using Names = std::vector<std::string>;
};

TEST_F(DataFindings, ImagesWithoutACaptionAreNamed) {
  add("zorbs/a.png", 1);
  add("zorbs/b.png", 2);
  text("zorbs/b.txt", "a zorb");
  add("zorbs/c.png", 3);
  text("zorbs/c.txt", " \n");
  add("zorbs/d.png", 4);
  text("zorbs/metadata.jsonl", R"({"file_name": "d.png", "text": "another"})");
  const Dataset data = found();
  EXPECT_EQ(of(data.report, FindingKind::no_caption), Names{"a.png (\"zorbs\")"});
  EXPECT_EQ(of(data.report, FindingKind::empty_caption), Names{"c.png"});
  EXPECT_NE(data.report.text().find("images without a caption, trained with their folder's name "
                                    "(1)\n  "),
            std::string::npos)
      << data.report.text();
  const auto json = nlohmann::json::parse(data.report.json());
  EXPECT_EQ(json["findings"][0]["kind"], "no_caption");
  EXPECT_EQ(json["findings"][0]["files"][0]["detail"], "\"zorbs\"");
}

TEST_F(DataFindings, ImagesOfTheValidationSetWithoutACaptionAreNamedToo) {
  add("zorbs/a.png", 1);
  text("zorbs/a.txt", "a zorb");
  add("held/b.png", 2);
  add("held/c.png", 3);
  text("held/c.txt", "");
  const ImageSets sets = gather_sets({{root_ / "zorbs"}, {}, {root_ / "held"}}, preset_, {});
  EXPECT_EQ(sets.validation.size(), 2u);
  EXPECT_EQ(of(sets.train.report, FindingKind::no_caption), Names{"b.png (\"held\")"});
  EXPECT_EQ(of(sets.train.report, FindingKind::empty_caption), Names{"c.png"});
}

TEST_F(DataFindings, AreForgottenWithTheirImage) {
  add("zorbs/a.png", 1);
  add("zorbs/b.png", 2);
  Dataset data = found();
  data.reject(0, SkipKind::damaged, Message::verbatim("broken"));
  EXPECT_EQ(of(data.report, FindingKind::no_caption), Names{"b.png (\"zorbs\")"});
  data.reject(0, SkipKind::damaged, Message::verbatim("broken"));
  EXPECT_TRUE(data.report.findings.empty());
}

TEST_F(DataFindings, CaptionFilesOfSdScriptsAreRead) {
  add("a.png", 1);
  text("a.caption", "a zorb\n");
  add("b.png", 2);
  text("b.TXT", "first");
  text("b.caption", "second");
  add("c.png", 3);
  text("c.CAPTION", "loud");
  text("d.caption", "nobody's");
  const Dataset data = found();
  ASSERT_EQ(data.items.size(), 3u);
  EXPECT_EQ(data.items[0].caption, "a zorb");
  EXPECT_EQ(data.items[0].caption_source, "caption");
  EXPECT_EQ(data.items[0].caption_file, root_ / "a.caption");
  EXPECT_EQ(data.items[1].caption, "first") << ".txt comes first";
  EXPECT_EQ(data.items[1].caption_source, "txt");
  EXPECT_EQ(data.items[2].caption, "loud");
  EXPECT_EQ(of(data.report, FindingKind::unused_caption), Names{"b.caption (b.TXT is used)"});
  EXPECT_EQ(data.report.captions, 3);
  ASSERT_EQ(data.report.skipped.size(), 1u);
  EXPECT_EQ(data.report.skipped[0].kind, SkipKind::lone_caption);
  EXPECT_EQ(data.report.skipped[0].path, root_ / "d.caption");
}

TEST_F(DataFindings, NamesMeetInAllOfUnicodesForms) {
  const std::string apart = "zo\u0308rb", together = "z\u00f6rb";
  add(apart + ".png", 1);
  text(together + ".txt", "a zorb");
  add(apart + "2.png", 2);
  text("metadata.jsonl", "{\"file_name\": \"" + together + "2.png\", \"text\": \"of a line\"}");
  add(together + "3.png", 3);
  text(apart + "3.caption", "the other way");
  add(together + "4.png", 4);
  add(apart + "4-masklabel.png", 255);
  add(apart + "5/x.png", 5);
  preset_.data.folders = {{.folder = together + "5", .repeats = 7}};
  const Dataset data = found();
  ASSERT_EQ(data.items.size(), 5u) << data.report.text();
  std::map<std::string, const ImageItem*> items;
  for (const ImageItem& item : data.items) {
    items[path_to_utf8(item.path.filename())] = &item;
  }
  EXPECT_EQ(items.at(apart + ".png")->caption, "a zorb");
  EXPECT_EQ(items.at(apart + "2.png")->caption, "of a line");
  EXPECT_EQ(items.at(together + "3.png")->caption, "the other way");
  EXPECT_FALSE(items.at(together + "4.png")->mask.empty());
  EXPECT_EQ(items.at("x.png")->repeats, 7);
  EXPECT_TRUE(data.report.skipped.empty()) << data.report.text();
  EXPECT_TRUE(of(data.report, FindingKind::same_name).empty());
}

#ifndef __APPLE__
TEST_F(DataFindings, NamesThatOnlyLookTheSameAreTold) {
  const std::string apart = "zo\u0308rb", together = "z\u00f6rb";
  add(apart + ".png", 1);
  add(together + ".png", 2);
  text(apart + ".txt", "apart");
  text(together + ".txt", "together");
  const Dataset data = found();
  ASSERT_EQ(data.items.size(), 2u);
  EXPECT_EQ(data.items[0].caption, "apart") << "each has its own";
  EXPECT_EQ(data.items[1].caption, "together");
  EXPECT_EQ(of(data.report, FindingKind::same_name), Names{together + ".png"});
  fs::remove(root_ / path_from_utf8(apart + ".txt"));
  EXPECT_EQ(found().items[0].caption, "together") << "its name is as good";
}
#endif

TEST_F(DataFindings, ARunsOwnFilesAreNoImages) {
  add("a.png", 1);
  for (const char* run : {"run", "deep/er/run"}) {
    const std::string folder = run;
    add(folder + "/samples/step-0001.png", 2);
    add(folder + "/before-after.png", 3);
    add(folder + "/kept.png", 4);
    text(folder + "/job.json", R"({"mantissa_job": 2})");
    text(folder + "/dataset.txt", "1 images used");
    text(folder + "/lora.safetensors", "x");
  }
  add("home/tensors/aa/x.png", 5);
  fs::create_directories(root_ / "home/hashes");
  const Dataset data = found();
  Names names;
  for (const ImageItem& item : data.items) {
    names.push_back(item.name);
  }
  EXPECT_EQ(names, (Names{"a.png", "deep/er/run/kept.png", "run/kept.png"}));
  EXPECT_EQ(of(data.report, FindingKind::own_output).size(), 3u) << data.report.text();
  EXPECT_TRUE(data.report.skipped.empty()) << data.report.text();
}

TEST_F(DataFindings, ImagesInARunsFolderStayImages) {
  add("a.png", 1);
  text("a.txt", "a zorb");
  text("log.txt", "no caption");
  add("samples/1.png", 2);
  text("run.lock", "");
  fs::create_directories(root_ / "checkpoints");
  const Dataset data = found();  // --out was the folder of the images
  ASSERT_EQ(data.items.size(), 1u);
  EXPECT_EQ(data.items[0].caption, "a zorb");
  EXPECT_TRUE(data.report.skipped.empty()) << data.report.text();
  EXPECT_EQ(scan(root_ / "samples").items.size(), 1u) << "named by the user, they are images";
}

TEST_F(DataFindings, AFolderOfTwoUsesIsPassedOverOnce) {
  add("a.png", 1);
  add("run/samples/1.png", 2);
  text("run/job.json", R"({"mantissa_job": 2})");
  const ImageSets sets = gather_sets({{root_}, {root_}, {}}, preset_, {});
  EXPECT_EQ(of(sets.train.report, FindingKind::own_output).size(), 1u);
}

TEST_F(DataFindings, ACutPanoramaIsNamedWithItsShare) {
  const fs::path file = root_ / "wide.png";
  fs::create_directories(root_);
  write_png(file, std::vector<std::uint8_t>(3 * 1920 * 64), 1920, 64);
  add("square.png", 1);
  preset_.data.resolution = 64;
  preset_.data.buckets = false;
  const BucketedImages images(preset_, {{root_}, {}, {}}, 8, [](LogLevel, const Message&) {}, {});
  EXPECT_EQ(of(images.dataset().report, FindingKind::cut_image),
            Names{"wide.png (97% of 1920x64 pixels is cut away)"});
  const Placement third = place_image({192, 64}, 200, 100);
  EXPECT_EQ(cut_share(third), kMuchCut) << "a third isn't more than a third";
  Preset wide = preset_;
  wide.data.resolution = 256;
  wide.data.buckets = true;
  EXPECT_EQ(of(images.with_preset(wide).dataset().report, FindingKind::cut_image),
            Names{"wide.png (87% of 1920x64 pixels is cut away)"});
}

TEST_F(DataFindings, FoldersOfTwoUsesAreTold) {
  add("images/a.png", 1);
  add("images/reg/b.png", 2);
  add("held/c.png", 3);
  const auto told = [&](const fs::path& prior, const fs::path& validation) {
    SetFolders folders{{root_ / "images"}, {}, {}};
    if (!prior.empty()) {
      folders.prior = {root_ / prior};
    }
    if (!validation.empty()) {
      folders.validation = {root_ / validation};
    }
    const ImageSets sets = gather_sets(folders, preset_, {});
    std::string all;
    for (const std::string& line : of(sets.train.report, FindingKind::overlap)) {
      all += line + "\n";
    }
    for (const Message& notice : sets.train.report.notices) {
      all += notice.text() + "\n";
    }
    return all;
  };
  const std::string same = told("images", "");
  EXPECT_NE(same.find("images (the same folder as the images"), std::string::npos) << same;
  EXPECT_NE(same.find("none of the 2 prior-preservation images is left"), std::string::npos);
  const std::string inside = told("images/reg", "");
  EXPECT_NE(inside.find("reg (inside the images"), std::string::npos) << inside;
  EXPECT_NE(inside.find("none of the 1 prior-preservation images is left"), std::string::npos);
  const std::string around = told(".", "");
  EXPECT_NE(around.find("around the images"), std::string::npos) << around;
  EXPECT_EQ(around.find("is left"), std::string::npos) << "c.png is";
  EXPECT_NE(told("", "images/reg").find("inside the images"), std::string::npos);
  EXPECT_NE(told("held", "held").find("shares images with the validation folder"),
            std::string::npos);
  EXPECT_EQ(told("held", "").find("folder"), std::string::npos) << told("held", "");
  preset_.training.prior_weight = 0;
  EXPECT_EQ(told("images", "").find("the same folder"), std::string::npos) << "it isn't read";
}

TEST(DataFindingText, NamesTheFirstAndCountsAll) {
  DataFinding finding{FindingKind::cut_image, {}, {}};
  for (int i = 0; i < 7; ++i) {
    finding.files.push_back({fs::path("x") / (std::to_string(i) + ".png"), {}});
  }
  finding.files[0].detail = Message::verbatim("why");
  finding.advice = Message::verbatim("Crop them");
  EXPECT_EQ(summary(finding).text(),
            "images of which more than a third lies outside their bucket (7): 0.png (why), 1.png, "
            "2.png, 3.png, 4.png, and 2 more. Crop them");
}

}  // namespace
}  // namespace mantissa
