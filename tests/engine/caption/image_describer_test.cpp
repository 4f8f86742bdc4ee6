// Sentences by a Qwen3-VL against transformers (tests/golden/make_qwen3_vl.py).
#include "engine/caption/image_describer.h"

#include <fstream>
#include <gmock/gmock.h>

#include "engine/core/error.h"
#include "engine/models/qwen3/qwen3_vl_file.h"
#include "kernels/cpu/cpu.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr double kScores = 1e-4;
constexpr const char* kPrompt = "What does this image show?";

fs::path captioner(const std::string& name) {
  return fs::path(MANTISSA_TEST_DATA) / "golden/captioners" / name;
}

template <typename T>
std::vector<T> values_of(const TensorInfo& info) {
  std::vector<T> values(static_cast<std::size_t>(info.count()));
  std::memcpy(values.data(), info.data, values.size() * sizeof(T));
  return values;
}

class ImageDescriberTest : public testing::TestWithParam<const char*> {
 protected:
  const TensorInfo& expected(const std::string& name, int image) const {
    return *expected_.find(name + "." + std::to_string(image));
  }
  Image picture(int image) const {
    const TensorInfo& info = expected("pixels", image);
    return {static_cast<int>(info.dims[1]),
            static_cast<int>(info.dims[0]),
            values_of<std::uint8_t>(info),
            {}};
  }
  std::vector<std::int32_t> ids(const char* name, int image) const {
    return values_of<std::int32_t>(expected(name, image));
  }
  QuestionOptions options(int most_tokens) const {
    return {.prompt = kPrompt, .most_tokens = most_tokens, .choice = {}};
  }
  static constexpr int kImages = 3;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(2);
  SafetensorsFile expected_ =
      SafetensorsFile::open(captioner(GetParam() + std::string(".safetensors")));
  ImageDescriber describer_{*kernels_, captioner(GetParam()), ComputeType::fp32};
};

TEST_P(ImageDescriberTest, AsksAndShowsAsTheProcessorDoes) {
  for (int i = 0; i < kImages; ++i) {
    const ImageQuestion asked = describer_.question(picture(i), options(1));
    EXPECT_EQ(asked.before, ids("before", i));
    EXPECT_EQ(asked.after, ids("after", i));
    EXPECT_EQ(asked.image.rows, ids("rows", i)[0]);
    EXPECT_EQ(asked.image.columns, ids("columns", i)[0]);
    std::vector<std::uint8_t> levels;
    for (const float value : asked.image.patches) {
      levels.push_back(static_cast<std::uint8_t>(std::lround((value * 0.5F + 0.5F) * 255)));
    }
    EXPECT_EQ(levels, values_of<std::uint8_t>(expected("patches", i)));
  }
}

TEST_P(ImageDescriberTest, ScoresWordsAsTransformersDoes) {
  double worst = 0;
  for (int i = 0; i < kImages; ++i) {
    const auto wanted = values_of<float>(expected("scores", i));
    const std::vector<std::int32_t> answer = ids("answer", i);
    const std::size_t vocabulary = wanted.size() / answer.size();
    std::vector<float> scores =
        describer_.model().read(describer_.question(picture(i), options(1)), std::ssize(answer));
    for (std::size_t token = 0; token < answer.size(); ++token) {
      ASSERT_EQ(scores.size(), vocabulary);
      for (std::size_t k = 0; k < vocabulary; ++k) {
        worst = std::max(
            worst, std::fabs(static_cast<double>(scores[k]) - wanted[token * vocabulary + k]));
      }
      scores = describer_.model().read(answer[token]);
    }
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LE(worst, kScores);
}

TEST_P(ImageDescriberTest, SaysTheSameGreedily) {
  for (int i : {2, 0, 1, 0}) {  // one graph for each layout; room is kept
    const std::vector<std::int32_t> wanted = ids("answer", i);
    const auto answer = describer_.ask(picture(i), options(static_cast<int>(wanted.size())));
    EXPECT_EQ(answer.ids, wanted) << i;
    EXPECT_TRUE(answer.cut);
  }
}

TEST_P(ImageDescriberTest, DrawsTheSameWordsFromTheSameSeed) {
  QuestionOptions drawn = options(8);
  drawn.choice = {.temperature = 5, .top_p = 0.9, .seed = 3};
  const auto first = describer_.ask(picture(0), drawn);
  EXPECT_EQ(describer_.ask(picture(0), drawn).ids, first.ids);
  drawn.choice.seed = 4;
  EXPECT_NE(describer_.ask(picture(0), drawn).ids, first.ids);
}

TEST_P(ImageDescriberTest, StopsBetweenOpsAndGoesOn) {
  int asked = 0;
  describer_.set_stop([&] { return ++asked == 5; });
  try {
    describer_.ask(picture(0), options(8));
    FAIL() << "it wasn't stopped";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(asked, 5);
  describer_.set_stop({});
  EXPECT_EQ(describer_.ask(picture(0), options(8)).ids, ids("answer", 0));
  const auto stop = [](RunPhase, std::int64_t done, std::int64_t) {
    if (done == 2) {
      throw Error(ErrorKind::interrupted, Message::verbatim("stopped"));
    }
  };
  EXPECT_THROW(ImageDescriber(*kernels_, captioner(GetParam()), ComputeType::fp32, stop), Error);
}

TEST_P(ImageDescriberTest, Bf16IsNear) {
  ImageDescriber rough(*kernels_, captioner(GetParam()), ComputeType::bf16);
  const ImageQuestion question = describer_.question(picture(0), options(1));
  const std::vector<float> exact = describer_.model().read(question, 1);
  const std::vector<float> narrow = rough.model().read(question, 1);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::pow(static_cast<double>(narrow[i]) - exact[i], 2);
    size += std::pow(static_cast<double>(exact[i]), 2);
  }
  EXPECT_LE(std::sqrt(error / size), 0.03);
}

INSTANTIATE_TEST_SUITE_P(Models, ImageDescriberTest,
                         testing::Values("qwen3_vl_tied", "qwen3_vl_head"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ImageDescriberFiles, AFileOfAFolderIsTheFolderAndOthersAreRefused) {
  const fs::path file = captioner("qwen3_vl_head") / "model.safetensors";
  EXPECT_TRUE(is_qwen3_vl(file));
  EXPECT_TRUE(is_qwen3_vl(captioner("qwen3_vl_tied")));
  EXPECT_EQ(open_qwen3_vl(file).path(), captioner("qwen3_vl_head"));
  const test::TempFolder folder;
  fs::copy_file(file, folder.path() / "qwen3vl.safetensors");
  EXPECT_TRUE(is_qwen3_vl(folder.path() / "qwen3vl.safetensors")) << "by its tensors";
  EXPECT_TRUE(open_qwen3_vl(folder.path() / "qwen3vl.safetensors").single_file());
  const fs::path tagger = fs::path(MANTISSA_TEST_DATA) / "golden/taggers/vit";
  for (const fs::path& other : {tagger, tagger / "model.safetensors", folder.path() / "none"}) {
    EXPECT_FALSE(is_qwen3_vl(other));
    EXPECT_THROW(open_qwen3_vl(other), Error);
  }
}

TEST(ImageDescriberFiles, SettingsThatAreNoObjectAreNamed) {
  const auto kernels = make_cpu_kernels(1);
  for (const char* name : {"generation_config.json", "preprocessor_config.json"}) {
    const test::TempFolder folder;
    fs::copy(captioner("qwen3_vl_head"), folder.path() / "model");
    std::ofstream(folder.path() / "model" / name) << "[2]";
    try {
      const ImageDescriber made(*kernels, folder.path() / "model", ComputeType::fp32);
      ADD_FAILURE() << name << " was taken";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(name));
    }
  }
}

TEST(ImageDescriberFiles, ATokenizerReadsBackWhatItWrote) {
  const BpeTokenizer tokenizer = BpeTokenizer::from_folder(captioner("qwen3_vl_head"));
  const std::string text = "a red cat, naïve café\n日本語 👍 <think>";
  std::vector<std::int32_t> ids = tokenizer.encode("<|im_start|>" + text + "<|im_end|>");
  EXPECT_EQ(tokenizer.decode(ids), text);
  ids.push_back(100000);
  ids.push_back(tokenizer.encode("é").front());  // half of its bytes
  EXPECT_EQ(tokenizer.decode(ids), text + "\uFFFD");
}

TEST(Qwen3ImageSize, FollowsTheProcessorsRule) {
  const auto size = [](int width, int height, std::int64_t least, std::int64_t most) {
    return qwen3_image_size({width, height}, 32, {.least = least, .most = most});
  };
  // transformers' smart_resize of the same.
  EXPECT_EQ(size(1000, 700, 65536, 16777216), (ImageSize{992, 704}));
  EXPECT_EQ(size(48, 80, 1, 16777216), (ImageSize{64, 64})) << "halves to even";
  EXPECT_EQ(size(4000, 3000, 65536, 1048576), (ImageSize{1152, 864}));
  EXPECT_EQ(size(100, 40, 65536, 1048576), (ImageSize{416, 192}));
  EXPECT_EQ(size(10000, 60, 1, 65536), (ImageSize{3296, 32}));
  EXPECT_FALSE(size(2001, 10, 65536, 1048576));
}

TEST(TokenChoice, TheLikeliestOrOneOfTheLikely) {
  const std::vector<float> scores{0, 3, 1, 2.9F, -5};
  EXPECT_EQ(chosen_token(scores, {}, 0), 1);
  std::set<std::int32_t> all, likely;
  for (int i = 0; i < 400; ++i) {
    all.insert(chosen_token(scores, {.temperature = 2, .seed = 1}, i));
    likely.insert(chosen_token(scores, {.temperature = 1, .top_p = 0.8, .seed = 1}, i));
  }
  EXPECT_EQ(all.size(), 5U);
  EXPECT_EQ(likely, (std::set<std::int32_t>{1, 3}));
}

TEST(CaptionText, AnAnswerIsReadAsCaption) {
  EXPECT_EQ(caption_in("<think>\nhm</think>\n\n\"A red  zorb.\"\n", false, 9), "A red zorb.");
  EXPECT_THROW(caption_in("A red", true, 9), CaptionError);
  EXPECT_THROW(caption_in(" \n", false, 9), CaptionError);
}

}  // namespace
}  // namespace mantissa
