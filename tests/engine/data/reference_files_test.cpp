// Which reference belongs to which image, and what becomes of images without one.
#include "engine/data/reference_files.h"

#include <algorithm>

#include "engine/core/error.h"
#include "tests/engine/data/image_folders.h"

namespace mantissa {
namespace {

class References : public testing_support::ImageFolders {
 protected:
  void SetUp() override {
    add("images/boat.png", 10);
    add("images/sea/Boat.png", 20);
    add("before/boat.png", 110);
    add("before/sea/Boat.jpg.png", 115);
    add("before/sea/Boat.png", 120);
  }
  ImageSets gather(const std::vector<std::string>& references, const ScanOptions& options = {}) {
    SetFolders folders{{root_ / "images"}, {}, {}};
    for (const std::string& name : references) {
      folders.references.push_back(root_ / name);
    }
    return gather_sets(folders, preset_, options);
  }
  static std::vector<std::string> skipped(const ImageSets& sets, SkipKind kind) {
    std::vector<std::string> names;
    for (const SkippedFile& file : sets.train.report.skipped) {
      if (file.kind == kind) {
        names.push_back(path_to_utf8(file.path.filename()));
      }
    }
    return names;
  }
  std::filesystem::path reference(const ImageSets& sets, std::size_t image, std::size_t number) {
    return sets.train.items.at(image).references.at(number).path.lexically_relative(root_);
  }
};

TEST_F(References, AreFoundByTheNameBelowTheirFolder) {
  const ImageSets sets = gather({"before"});
  ASSERT_EQ(sets.train.items.size(), 2U);
  EXPECT_EQ(reference(sets, 0, 0), "before/boat.png");
  EXPECT_EQ(reference(sets, 1, 0), "before/sea/Boat.png");
  EXPECT_EQ(sets.train.items[0].references[0].width, 32);
  EXPECT_EQ(sets.train.report.references, 2);
  EXPECT_EQ(skipped(sets, SkipKind::lone_reference), std::vector<std::string>{"Boat.jpg.png"});
}

TEST_F(References, OfASecondFolderComeSecond) {
  add("style/boat.png", 200);
  add("style/sea/Boat.png", 210);
  const ImageSets sets = gather({"before", "style"});
  ASSERT_EQ(sets.train.items.size(), 2U);
  EXPECT_EQ(reference(sets, 1, 0), "before/sea/Boat.png");
  EXPECT_EQ(reference(sets, 1, 1), "style/sea/Boat.png");
}

TEST_F(References, AnImageWithoutOneIsLeftOutAndTold) {
  add("images/lone.png", 30);
  add("style/boat.png", 200);
  const ImageSets sets = gather({"before", "style"});
  ASSERT_EQ(sets.train.items.size(), 1U);
  EXPECT_EQ(skipped(sets, SkipKind::reference), (std::vector<std::string>{"lone.png", "Boat.png"}));
  EXPECT_EQ(sets.train.report.images, 1);
}

TEST_F(References, OneThatIsNoImageLeavesItsImageOut) {
  std::ofstream(root_ / "before/boat.png") << "no image";
  const ImageSets sets = gather({"before"});
  EXPECT_EQ(sets.train.items.size(), 1U);
  EXPECT_EQ(skipped(sets, SkipKind::reference), std::vector<std::string>{"boat.png"});
}

TEST_F(References, TheirFolderIsNoneOfImages) {
  add("images/before/boat.png", 130);
  add("images/before/sea/Boat.png", 140);
  EXPECT_EQ(gather({"images/before"}).train.items.size(), 2U);
}

TEST_F(References, OfAnotherShapeAreCounted) {
  write_png(root_ / "before/boat.png", std::vector<std::uint8_t>(64 * 32 * 3, 9), 64, 32);
  const ImageSets sets = gather({"before"});
  const auto& findings = sets.train.report.findings;
  const auto found =
      std::ranges::find(findings, DataFindingKind::reference_shape, &DataFinding::kind);
  ASSERT_NE(found, findings.end());
  ASSERT_EQ(found->files.size(), 1U);
  EXPECT_EQ(found->files[0].detail.text(), "its reference boat.png is 64x32 pixels, itself 32x32");
}

TEST_F(References, OfValidationImagesAreFoundToo) {
  add("held/boat.png", 40);
  SetFolders folders{{root_ / "images"}, {}, {root_ / "held"}, {root_ / "before"}};
  const ImageSets sets = gather_sets(folders, preset_, {});
  ASSERT_EQ(sets.validation.size(), 1U);
  EXPECT_EQ(sets.validation[0].references.size(), 1U);
}

TEST_F(References, PriorImagesHaveNone) {
  add("prior/boat.png", 50);
  SetFolders folders{{root_ / "images"}, {root_ / "prior"}, {}, {root_ / "before"}};
  const ImageSets sets = gather_sets(folders, preset_, {});
  ASSERT_EQ(sets.train.items.size(), 3U);
  EXPECT_TRUE(sets.train.items[2].prior);
  EXPECT_TRUE(sets.train.items[2].references.empty());
}

TEST_F(References, PromptsNameThem) {
  add("before/alone.png", 60);
  add("style/alone.png", 61);
  add("style/boat.png", 62);
  add("style/sea/Boat.png", 63);
  preset_.samples.prompts.resize(2);
  preset_.samples.prompts[0].references = " alone , sea/Boat.png";
  const ImageSets sets = gather({"before", "style"});
  ASSERT_EQ(sets.prompts.size(), 2U);
  EXPECT_EQ(sets.prompts[0].size(), 4U);
  EXPECT_TRUE(sets.prompts[1].empty());
  EXPECT_EQ(skipped(sets, SkipKind::lone_reference), std::vector<std::string>{"Boat.jpg.png"});
}

TEST_F(References, APromptsThatIsNotThereIsRefused) {
  preset_.samples.prompts.resize(1);
  preset_.samples.prompts[0].references = "../images/boat";
  EXPECT_THROW(gather({"before"}), Error);
  ScanOptions looking;
  looking.allow_empty = true;
  EXPECT_TRUE(gather({"before"}, looking).prompts.at(0).empty());
}

TEST_F(References, AFolderThatIsMissingIsNamed) {
  EXPECT_THROW(gather({"nowhere"}), Error);
}

TEST_F(References, BelongToWhatARunIsMadeOf) {
  const std::string before = gather({"before"}).train.fingerprint();
  EXPECT_NE(before, gather({}).train.fingerprint());
  add("before/boat.png", 111);
  EXPECT_NE(before, gather({"before"}).train.fingerprint());
}

/// References by a list of pairs.
class ReferenceLists : public References {
 protected:
  void list(const std::string& lines, const std::string& name = "pairs.jsonl") const {
    std::ofstream(root_ / name) << lines;
  }
  static std::vector<std::string> reasons(const ImageSets& sets, SkipKind kind) {
    std::vector<std::string> texts;
    for (const SkippedFile& file : sets.train.report.skipped) {
      if (file.kind == kind) {
        texts.push_back(file.reason.text());
      }
    }
    return texts;
  }
};

TEST_F(ReferenceLists, GiveAnImageItsReferencesAndCaption) {
  list(
      R"({"file_name": "images/boat.png", "references": ["before/sea/Boat.png", "before/boat.png"],)"
      R"( "text": "make it winter"}
{"file_name": "images/sea/../sea/Boat.png", "references": "before/boat.png"}
)");
  std::ofstream(root_ / "images/sea/Boat.txt") << "its own";
  const ImageSets sets = gather({"pairs.jsonl"});
  ASSERT_EQ(sets.train.items.size(), 2U);
  EXPECT_EQ(sets.train.report.references, 2);
  EXPECT_EQ(reference(sets, 0, 0), "before/sea/Boat.png");
  EXPECT_EQ(reference(sets, 0, 1), "before/boat.png");
  EXPECT_EQ(sets.train.items[0].caption, "make it winter");
  EXPECT_EQ(sets.train.items[0].caption_source, "jsonl");
  EXPECT_EQ(sets.train.items[1].references.size(), 1U);
  EXPECT_EQ(sets.train.items[1].caption, "its own");
  EXPECT_TRUE(reasons(sets, SkipKind::metadata).empty());
}

TEST_F(ReferenceLists, AnImageWithoutALineOrAFileIsLeftOut) {
  add("images/lone.png", 30);
  list(R"({"file_name": "images/boat.png", "references": ["before/boat.png", "before/none.png"]}
{"file_name": "images/sea/Boat.png", "references": ["before/boat.png"]}
{"file_name": "images/gone.png", "references": ["before/boat.png"]}
)");
  const ImageSets sets = gather({"pairs.jsonl"});
  ASSERT_EQ(sets.train.items.size(), 1U);
  EXPECT_EQ(skipped(sets, SkipKind::reference), (std::vector<std::string>{"boat.png", "lone.png"}));
  EXPECT_NE(reasons(sets, SkipKind::reference).at(0).find("pairs.jsonl line 1"), std::string::npos);
  const std::vector<std::string> lone = reasons(sets, SkipKind::lone_reference);
  ASSERT_EQ(lone.size(), 1U);
  EXPECT_NE(lone[0].find("pairs.jsonl line 3 names"), std::string::npos) << lone[0];
}

TEST_F(ReferenceLists, ADamagedLineIsToldWithFileAndLine) {
  list(R"({"file_name": "images/boat.png", "references": ["before/boat.png"], "text": "a"}

{"file_name": "images/sea/Boat.png", "references": [
{"file_name": "images/sea/Boat.png", "references": []}
{"file_name": "images/sea/Boat.png", "references": [7]}
{"references": "before/boat.png"}
[1]
)"
       "\xff\n");
  const ImageSets sets = gather({"pairs.jsonl"});
  EXPECT_EQ(sets.train.items.size(), 1U);
  const std::vector<std::string> bad = reasons(sets, SkipKind::metadata);
  ASSERT_EQ(bad.size(), 6U);
  for (std::size_t i = 0; i < bad.size(); ++i) {
    EXPECT_NE(bad[i].find("pairs.jsonl line " + std::to_string(i + 3)), std::string::npos)
        << bad[i];
  }
}

TEST_F(ReferenceLists, ReferencesInsideOfTheImagesFolderAreNotTrainedOn) {
  list(R"({"file_name": "boat.png", "references": "sea/Boat.png", "text": "one"}
)",
       "images/metadata.jsonl");
  const ImageSets sets = gather({"images/metadata.jsonl"});
  ASSERT_EQ(sets.train.items.size(), 1U);
  EXPECT_EQ(sets.train.items[0].caption, "one");
  EXPECT_TRUE(reasons(sets, SkipKind::metadata).empty());
  EXPECT_EQ(sets.train.report.files, 1);
}

TEST_F(ReferenceLists, StandBesideAFolder) {
  list(R"({"file_name": "images/boat.png", "references": "before/sea/Boat.png"}
{"file_name": "images/sea/Boat.png", "references": "before/sea/Boat.png"}
)");
  const ImageSets sets = gather({"before", "pairs.jsonl"});
  ASSERT_EQ(sets.train.items.size(), 2U);
  EXPECT_EQ(reference(sets, 0, 0), "before/boat.png");
  EXPECT_EQ(reference(sets, 0, 1), "before/sea/Boat.png");
}

TEST_F(ReferenceLists, PromptsNameTheirReferences) {
  list(R"({"file_name": "images/boat.png", "references": "before/boat.png"}
)");
  preset_.samples.prompts.resize(1);
  preset_.samples.prompts[0].references = "before/boat";
  const ImageSets sets = gather({"pairs.jsonl"});
  ASSERT_EQ(sets.prompts.size(), 1U);
  EXPECT_EQ(sets.prompts[0].size(), 1U);
}

TEST_F(ReferenceLists, OneThatIsMissingIsNamed) {
  EXPECT_THROW(gather({"pairs.jsonl"}), Error);
}

}  // namespace
}  // namespace mantissa
