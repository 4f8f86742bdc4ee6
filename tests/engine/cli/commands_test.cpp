#include <algorithm>

#include "engine/cli/text.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/safetensors.h"
#include "engine/preset/preset_docs.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "kernels/check.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing::Not;
using CommandsTest = CliTest;

std::string adapter_with(const std::filesystem::path& file,
                         const std::map<std::string, std::string>& metadata) {
  const std::vector<float> values(4 * 2, 0.5F);
  const std::vector<TensorToWrite> tensors{
      {.name = "lora_unet_down_blocks_1_attentions_0_proj_in.lora_down.weight",
       .dtype = DType::f32,
       .shape = Shape{2, 4},
       .data = values.data()},
      {.name = "lora_unet_down_blocks_1_attentions_0_proj_in.lora_up.weight",
       .dtype = DType::f32,
       .shape = Shape{4, 2},
       .data = values.data()}};
  write_safetensors(file, tensors, metadata);
  return path_to_utf8(file);
}

TEST_F(CommandsTest, PresetsListAndShow) {
  ASSERT_EQ(run({"presets", "list"}), 0);
  EXPECT_THAT(out(), HasSubstr("sdxl-lora"));
  EXPECT_THAT(out(), HasSubstr("demo"));
  EXPECT_THAT(unwrapped(), HasSubstr("FLUX.2 klein at 1024 px"));  // no sentence ends in a name
  EXPECT_THAT(unwrapped(), HasSubstr("about 3.5 GB in all"));
  EXPECT_THAT(out(), Not(HasSubstr("For a person, an object")));
  std::istringstream lines(out());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(display_width(line), 80U) << line;
  }
  ASSERT_EQ(run({"presets", "list", "--json"}), 0);
  const std::vector<nlohmann::json> presets = events();
  EXPECT_GE(presets.size(), 4u);
  EXPECT_EQ(std::ranges::count(presets, "demo", [](const auto& preset) { return preset["id"]; }),
            1);
  ASSERT_EQ(run({"presets", "show", "sdxl-lora"}), 0);
  EXPECT_THAT(out(), HasSubstr("training.steps"));
  ASSERT_EQ(run({"presets", "show", "sdxl-lora", "--full"}), 0);
  const Preset shown = parse_preset(out(), "shown");
  EXPECT_TRUE(shown == PresetLibrary(context_.presets_folder()).load("sdxl-lora"));
  EXPECT_EQ(run({"presets", "show", "sdxl-lara"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("did you mean sdxl-lora?"));
}

TEST_F(CommandsTest, PresetsDiff) {
  const std::string a = file("a.json", R"({"mantissa_preset": 1, "adapter.rank": 4})");
  const std::string b = file("b.json", R"({"mantissa_preset": 1, "adapter.rank": 8})");
  ASSERT_EQ(run({"presets", "diff", a, b}), 0);
  EXPECT_THAT(out(), testing::ContainsRegex("adapter.rank +4 +8"));
  ASSERT_EQ(run({"presets", "diff", a, b, "--json"}), 0);
  EXPECT_EQ(events().at(0)["a"], 4);
  EXPECT_EQ(events().at(0)["b"], 8);
  ASSERT_EQ(run({"presets", "diff", a, a}), 0);
  EXPECT_EQ(out(), "No difference.\n");
}

TEST_F(CommandsTest, PresetsExportAndImport) {
  const std::string written = path("é.json");
  ASSERT_EQ(run({"presets", "export", "demo", "--set", "adapter.rank=5", "--out", written}), 0);
  EXPECT_EQ(out(), "");
  ASSERT_EQ(run({"presets", "import", written}), 0);
  EXPECT_EQ(parse_preset(out(), "x").adapter.rank, 5);
  EXPECT_THAT(err(), HasSubstr("adapter.rank"));

  Preset preset;
  preset.adapter.rank = 7;
  const std::string adapter =
      adapter_with(folder_ / "a.safetensors", {{std::string(kPresetMetadataKey), to_json(preset)}});
  ASSERT_EQ(run({"presets", "import", adapter}), 0);
  EXPECT_TRUE(parse_preset(out(), "x") == preset);
  EXPECT_EQ(run({"presets", "import", adapter_with(folder_ / "b.safetensors", {{"a", "b"}})}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("carries no preset"));
  EXPECT_EQ(run({"presets", "import", path("none")}), 2);
  EXPECT_EQ(run({"presets", "import", file("junk.safetensors", "junk")}), 2);
}

TEST_F(CommandsTest, PresetsSchema) {
  ASSERT_EQ(run({"presets", "schema"}), 0);
  EXPECT_EQ(out(), json_schema());
  ASSERT_EQ(run({"presets", "schema", "--markdown"}), 0);
  EXPECT_EQ(out(), reference_markdown());
}

TEST_F(CommandsTest, MissingPresetsAreSaid) {
  context_.presets_folder = []() -> std::filesystem::path {
    throw Error(Message::verbatim("presets are missing"));
  };
  EXPECT_EQ(run({"presets", "list"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("presets are missing"));
}

TEST_F(CommandsTest, Inspect) {
  const std::string adapter = adapter_with(folder_ / "a.safetensors", {{"note", "a\nb"}});
  ASSERT_EQ(run({"inspect", adapter}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("adapter"));
  EXPECT_THAT(out(), HasSubstr("F32 (2)"));
  EXPECT_THAT(out(), HasSubstr("a b"));
  ASSERT_EQ(run({"inspect", adapter, "--json"}), 0);
  EXPECT_EQ(events().at(0)["tensors"], 2);
  EXPECT_EQ(events().at(0)["metadata"]["note"], "a\nb");
  EXPECT_EQ(run({"inspect", path("none.safetensors")}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("none.safetensors"));
}

TEST_F(CommandsTest, Devices) {
  ASSERT_EQ(run({"devices"}), 0);
  EXPECT_THAT(out(), HasSubstr("threads"));
  EXPECT_THAT(out(), HasSubstr("can't be used"));
  ASSERT_EQ(run({"devices", "--json"}), 0);
  ASSERT_EQ(events().size(), 2u);
  EXPECT_GT(events()[0]["threads"].get<int>(), 0);
  EXPECT_GT(events()[0]["memory_bytes"].get<std::uint64_t>(), 0u);
  EXPECT_FALSE(events()[1]["reason"].get<std::string>().empty());
}

TEST_F(CommandsTest, DevicesAreTested) {
  ASSERT_EQ(run({"devices", "--test"}), 0) << out();
  for (const char* part : {"mantissa ", "cpu", "product fp32", "attention bf16", "convolution fp16",
                           "product int8", "passed: 14 of 14 checks", "not tested"}) {
    EXPECT_THAT(out(), HasSubstr(part));
  }
  ASSERT_EQ(run({"devices", "--test", "--json"}), 0);
  ASSERT_EQ(events().size(), 2u);
  EXPECT_EQ(events()[0]["event"], "device_test");
  EXPECT_EQ(events()[0]["passed"], true);
  ASSERT_EQ(events()[0]["checks"].size(), 14u);
  EXPECT_LT(events()[0]["checks"][0]["error"], events()[0]["checks"][0]["bound"]);
  EXPECT_EQ(events()[1]["tested"], false);
}

// Unless they are given.
TEST_F(CommandsTest, SamplingADistilledModelTakesItsOwnSteps) {
  const std::string schnell = MANTISSA_TEST_DATA "/golden/models/flux1_base.safetensors";
  ASSERT_EQ(run({"sample", "--base", schnell, "--prompt", "x", "--out", "x.png"}), 0) << err();
  EXPECT_EQ(request_.steps, 4);
  EXPECT_EQ(request_.guidance, 1);
  ASSERT_EQ(run({"sample", "--base", schnell, "--prompt", "x", "--out", "x.png", "--steps", "6"}),
            0);
  EXPECT_EQ(request_.steps, 6);
  EXPECT_EQ(request_.guidance, 1);
}

TEST_F(CommandsTest, Sample) {
  ASSERT_EQ(run({"sample",
                 "--base",
                 "demo",
                 "--lora",
                 "a.safetensors:0.5",
                 "--lora",
                 "C:\\b.safetensors",
                 "--prompt",
                 "a [cat], a dog",
                 "--negative",
                 "blur",
                 "--steps",
                 "7",
                 "--guidance",
                 "4.5",
                 "--seed",
                 "9",
                 "--width",
                 "64",
                 "--height",
                 "128",
                 "--sampler",
                 "euler",
                 "--out",
                 "x.png"}),
            0)
      << err();
  ASSERT_EQ(request_.loras.size(), 2u);
  EXPECT_EQ(request_.loras[0].file, "a.safetensors");
  EXPECT_EQ(request_.loras[0].weight, 0.5);
  EXPECT_EQ(request_.loras[1].file, "C:\\b.safetensors");
  EXPECT_EQ(request_.loras[1].weight, 1);
  EXPECT_EQ(request_.prompt, "a [cat], a dog");
  EXPECT_EQ(request_.negative, "blur");
  EXPECT_EQ(request_.steps, 7);
  EXPECT_EQ(request_.guidance, 4.5);
  EXPECT_EQ(request_.seed, 9);
  EXPECT_EQ(request_.width, 64);
  EXPECT_EQ(request_.height, 128);
  EXPECT_EQ(request_.out, "x.png");
  EXPECT_EQ(out(), "Image: x.png\n");
  ASSERT_EQ(run({"sample", "--base", "demo", "--prompt", "x", "--out", "x.png", "--json"}), 0);
  EXPECT_EQ(request_.steps, 25);
  EXPECT_EQ(request_.guidance, 6);
  EXPECT_EQ(events().at(0)["event"], "sample");
  EXPECT_EQ(events().at(1)["event"], "done");
  context_.sample = [](const SampleRequest&, RunObserver&) {
    throw Error(Message::verbatim("the adapter is odd"));
  };
  EXPECT_EQ(run({"sample", "--base", "demo", "--prompt", "x", "--out", "x.png"}), 2);
  context_.sample = [](const SampleRequest&, RunObserver&) {
    throw OutOfDeviceMemory("[memory] the card has no room for 7 bytes: 5 of 9 are free");
  };
  EXPECT_EQ(run({"sample", "--base", "demo", "--prompt", "x", "--out", "x.png"}), 5);
  EXPECT_NE(err().find("no room for 7 bytes: 5 of 9 are free. Close other programs"),
            std::string::npos)
      << err();
}

// Without --device everything runs on the CPU, which is told where a card would be faster.
TEST_F(CommandsTest, ACardThatIsNotUsedIsTold) {
  context_.cards = [] {
    return std::vector{
        DeviceInfo{.id = "cuda:0", .name = "NVIDIA GeForce RTX 3060", .usable = true}};
  };
  const std::vector<std::vector<std::string>> commands{
      {"sample", "--base", "demo", "--prompt", "x", "--out", "x.png"},
      {"train", "sdxl-lora", "--base", "demo", "--images", path("")},
      {"check", "sdxl-lora", "--base", "demo", "--images", path("")}};
  for (std::vector<std::string> command : commands) {
    run(command);
    EXPECT_THAT(err(),
                HasSubstr("running on the CPU; pass --device cuda:0 to use the NVIDIA GeForce"))
        << command[0];
    command.insert(command.end(), {"--device", "cpu"});
    run(command);
    EXPECT_THAT(err(), testing::Not(HasSubstr("runs on the CPU"))) << command[0];
  }
}

TEST_F(CommandsTest, SampleRendersAFileOfPrompts) {
  const std::string prompts = file("prompts.txt", "a cat, sitting\r\n\n  \na dog\n");
  const std::string folder = path("samples");
  ASSERT_EQ(run({"sample", "--base", "demo", "--prompts", prompts, "--seed", "7", "--out", folder}),
            0)
      << err();
  ASSERT_EQ(request_.samples.size(), 2u);
  EXPECT_EQ(request_.samples[0].prompt, "a cat, sitting");
  EXPECT_EQ(request_.samples[0].seed, 7);
  EXPECT_EQ(request_.samples[0].out, path_from_utf8(folder) / "0001.png");
  EXPECT_EQ(request_.samples[1].prompt, "a dog");
  EXPECT_EQ(request_.samples[1].seed, 8);
  EXPECT_EQ(request_.samples[1].out, path_from_utf8(folder) / "0002.png");
  EXPECT_EQ(out(), "2 images in " + folder + "\n");
  EXPECT_EQ(run({"sample", "--base", "demo", "--prompts", file("none.txt", "\n"), "--out", folder}),
            2);
  EXPECT_THAT(one_error_line(), HasSubstr("none.txt holds no prompt"));
  EXPECT_EQ(
      run({"sample", "--base", "demo", "--prompts", prompts, "--prompt", "x", "--out", folder}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("--prompt"));
}

TEST_F(CommandsTest, SampleScalesAndComparesAdapters) {
  const std::vector<std::string> start{"sample", "--base", "demo", "--prompt", "x"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), start.begin(), start.end());
    return run(more);
  };
  ASSERT_EQ(with({"--lora", "a.safetensors:0.5", "--strength", "0.5", "--out", "x.png"}), 0)
      << err();
  EXPECT_TRUE(request_.columns.empty());
  EXPECT_EQ(request_.loras.at(0).weight, 0.25);
  ASSERT_EQ(with({"--checkpoint", "b.safetensors", "--out", "x.png"}), 0) << err();
  EXPECT_TRUE(request_.columns.empty());
  EXPECT_EQ(request_.loras.at(0).file, "b.safetensors");
  // Every strength of every checkpoint is a column; --lora is in all of them.
  ASSERT_EQ(with({"--lora", "a.safetensors", "--checkpoint", "runs/step-00000500/one.safetensors",
                  "--checkpoint", "two.safetensors:2", "--strength", "0,1.5", "--out", "x.png"}),
            0)
      << err();
  EXPECT_TRUE(request_.loras.empty());
  std::vector<std::string> labels;
  for (const SampleRequest::Column& column : request_.columns) {
    labels.push_back(column.label);
    ASSERT_EQ(column.loras.size(), 2u);
  }
  EXPECT_THAT(labels,
              testing::ElementsAre("step 500 · 0%", "step 500 · 150%", "two · 0%", "two · 150%"));
  EXPECT_EQ(request_.columns[3].loras[0].weight, 1.5);
  EXPECT_EQ(request_.columns[3].loras[1].weight, 3);
  EXPECT_EQ(out(), "Image: x.png\n");
}

TEST_F(CommandsTest, SampleTableHasARowForEachPrompt) {
  const std::string prompts = file("prompts.txt", "a cat\na dog\n");
  ASSERT_EQ(run({"sample", "--base", "demo", "--prompts", prompts, "--seed", "7", "--lora",
                 "a.safetensors", "--strength", "0,1", "--out", "x.png", "--json"}),
            0)
      << err();
  ASSERT_EQ(request_.samples.size(), 2u);
  EXPECT_EQ(request_.samples[0].seed, 7);
  EXPECT_EQ(request_.samples[1].seed, 7) << "rows compare prompts, not seeds";
  EXPECT_EQ(events().size(), 2u) << "one image";
  EXPECT_EQ(events().at(0)["path"], "x.png");
  EXPECT_EQ(run({"sample", "--base", "demo", "--prompts", prompts, "--lora", "a.safetensors",
                 "--strength", "0,1", "--out", "folder"}),
            2);
  EXPECT_THAT(one_error_line(), HasSubstr("end the name in .png"));
  EXPECT_EQ(run({"sample", "--base", "demo", "--prompt", "x", "--strength", "1", "--out", "x.png"}),
            2);
  EXPECT_THAT(one_error_line(), HasSubstr("--strength is that of an adapter"));
  EXPECT_EQ(run({"sample", "--base", "demo", "--prompt", "x", "--lora", "a.safetensors",
                 "--strength", "nan", "--out", "x.png"}),
            2);
}

TEST_F(CommandsTest, DemoTrainsTheDemoAndShowsWhatCameOut) {
  train_ = [this](const JobSpec& job, RunControl&, RunObserver& o) {
    const ImageLibrary library;
    const std::vector<std::uint8_t> dark(16 * 8 * 3, 10), light(16 * 8 * 3, 240);
    write_png(folder_ / "s0.png", dark, 16, 8);
    write_png(folder_ / "s2.png", light, 16, 8);
    o.on_sample({0, 0, "p", folder_ / "s0.png"});
    o.on_step({.step = 1, .loss = 0.5});
    o.on_step({.step = 2, .loss = 0.25});
    o.on_sample({2, 0, "p", folder_ / "s2.png"});
    return RunResult{"run-1", folder_, folder_ / "l.safetensors", 2, 0.25};
  };
  ASSERT_EQ(run({"demo", "--out", path("o")}), 0) << err();
  EXPECT_EQ(job_.base, "demo");
  EXPECT_EQ(job_.images, std::vector<std::filesystem::path>{"demo"});
  EXPECT_EQ(job_.out, folder_ / "o");
  EXPECT_THAT(out(), HasSubstr("0.5 -> 0.25"));
  EXPECT_THAT(out(), HasSubstr("l.safetensors"));
  EXPECT_THAT(out(), HasSubstr("mantissa sample --base demo --lora"));
  const ImageLibrary library;
  const Image sheet = load_image(folder_ / "before-after.png");
  EXPECT_EQ(sheet.width, 16 * 2 + 3 * 8);
  EXPECT_EQ(sheet.height, 8 + 2 * 8);
  EXPECT_EQ(sheet.pixels[(8 * sheet.width + 8) * 3], 10);
  EXPECT_EQ(sheet.pixels[(8 * sheet.width + 8 + 16 + 8) * 3], 240);
  ASSERT_EQ(run({"demo", "--json", "--set", "training.steps=2"}), 0);
  EXPECT_EQ(job_.preset.training.steps, 2);
  EXPECT_EQ(events().back()["event"], "done");
  EXPECT_EQ(events().back()["first_loss"], 0.5);
  ASSERT_EQ(run({"demo", "--family", "z_image"}), 0) << err();
  EXPECT_EQ(job_.base, "demo-z-image");
  EXPECT_EQ(job_.preset.model.family, ModelFamily("z_image"));
  EXPECT_EQ(job_.images, std::vector<std::filesystem::path>{"demo"});
  EXPECT_THAT(out(), HasSubstr("mantissa sample --base demo-z-image --lora"));
}

}  // namespace
}  // namespace mantissa
