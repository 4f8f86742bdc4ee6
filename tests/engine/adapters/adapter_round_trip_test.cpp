// Adapters loaded, saved and loaded again: equal bytes, in every dialect.
#include <functional>
#include <set>

#include "engine/adapters/dialect.h"
#include "engine/adapters/read_adapter.h"
#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/preset/names.h"
#include "tests/engine/adapters/adapter_fixture.h"

namespace mantissa {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

class AdapterRoundTrip : public AdapterFixture {
 protected:
  /// Every file of an adapter with its bytes: one, or a PEFT folder's.
  static std::map<std::string, std::string> files(const fs::path& path) {
    if (!fs::is_directory(path)) {
      return {{"", read_text(path)}};
    }
    std::map<std::string, std::string> result;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) {
        result[fs::relative(entry.path(), path).generic_string()] = read_text(entry.path());
      }
    }
    return result;
  }
  /// Equal file names, as titles are derived from them.
  fs::path place(const char* turn, OutputFormat format) const {
    fs::create_directories(folder_ / turn);
    const fs::path out =
        folder_ / turn / (format == OutputFormat::peft ? "adapter" : "adapter.safetensors");
    fs::remove_all(out);
    return out;
  }
  /// The bytes of all tensors, regardless of name.
  static std::multiset<std::string> values(const fs::path& path) {
    std::multiset<std::string> result;
    for (const auto& [name, bytes] : contents(path)) {
      result.insert(bytes);
    }
    return result;
  }
};

TEST_F(AdapterRoundTrip, SavedAndLoadedAgainInEveryDialectTheBytesAreTheSame) {
  int refused = 0;
  for (const char* name : kAdapterFiles) {
    for (const std::string_view format : enum_names<OutputFormat>()) {
      SCOPED_TRACE(std::string(name) + " as " + std::string(format));
      const OutputFormat f = *enum_from_name<OutputFormat>(format);
      const fs::path first = place("first", f), second = place("second", f);
      bool renamed = false;
      try {
        renamed = convert(golden(name), first, f).renamed;
      } catch (const Error& error) {
        // diffusers has no names for a full change, and PEFT has no DoRA per input.
        const bool lokr = std::string(name) == "lokr.safetensors";
        EXPECT_TRUE(lokr || std::string(name) == "dora_input.safetensors") << error.what();
        EXPECT_NE(std::string(error.what()).find(lokr ? "the weight's full rank" : "per output"),
                  std::string::npos)
            << error.what();
        EXPECT_EQ(file_form(f, {}).dialect->tensors, TensorNames::peft);
        ++refused;
        continue;
      }
      convert(first, second, f);
      EXPECT_EQ(files(first), files(second));
      EXPECT_EQ(changes(read_file(first)), changes(read_file(second)));
      if (renamed) {
        EXPECT_EQ(values(first), values(golden(name)));
        EXPECT_EQ(changes(read_file(first)), changes(read_file(golden(name))));
      }
    }
  }
  EXPECT_EQ(refused, 2);
}

TEST_F(AdapterRoundTrip, WhatADialectCanSayIsOnlyRenamed) {
  using enum OutputFormat;
  for (const char* name : {"locon.safetensors", "loha.safetensors", "lokr.safetensors",
                           "dora.safetensors", "dora_input.safetensors"}) {
    for (const OutputFormat format : {kohya, onetrainer}) {
      SCOPED_TRACE(name);
      const fs::path out = place("first", format);
      EXPECT_TRUE(convert(golden(name), out, format).renamed);
      for (const auto& [tensor, bytes] : contents(out)) {
        EXPECT_TRUE(tensor.starts_with("lora_unet_")) << tensor;
      }
    }
  }
  // A file in its own dialect round-trips unchanged.
  const fs::path out = place("first", diffusers);
  EXPECT_TRUE(convert(golden("diffusers.safetensors"), out, diffusers).renamed);
  EXPECT_EQ(contents(out), contents(golden("diffusers.safetensors")));
}

// Only LyCORIS knows a scalar; every other reader would leave the factor out.
TEST_F(AdapterRoundTrip, AScalarBecomesAPartOfAlpha) {
  using enum OutputFormat;
  for (const char* name :
       {"locon.safetensors", "loha.safetensors", "lokr.safetensors", "dora.safetensors"}) {
    const SafetensorsFile original = SafetensorsFile::open(golden(name));
    const float factor = 0.375F;
    std::vector<TensorToWrite> tensors;
    std::set<std::string> modules;
    for (const TensorInfo& tensor : original.tensors()) {
      tensors.push_back({tensor.name, *tensor.type, tensor.shape(), tensor.data, {}});
      const std::string module = tensor.name.substr(0, tensor.name.find('.'));
      if (modules.insert(module).second) {
        tensors.push_back({module + ".scalar", DType::f32, Shape{}, &factor, {}});
      }
    }
    const fs::path scaled = folder_ / "scaled.safetensors";
    write_safetensors(scaled, tensors, original.metadata());
    const auto wanted = changes(read_file(scaled));
    EXPECT_NE(wanted, changes(read_file(golden(name))));
    for (const OutputFormat format : {kohya, onetrainer, comfyui, a1111}) {
      SCOPED_TRACE(std::string(name) + " as " + std::string(enum_name(format)));
      const fs::path out = place("first", format);
      convert(scaled, out, format);
      for (const auto& [tensor, bytes] : contents(out)) {
        EXPECT_FALSE(tensor.ends_with(".scalar")) << tensor;
      }
      const auto found = changes(read_file(out));
      auto expected = wanted;
      if (std::string(name) == "dora.safetensors" && file_form(format, DoraAxis::output).plain) {
        // A DoRA becomes the nearest plain LoRA: that of kohya's file, which has no scalar either.
        const fs::path folded = folder_ / "folded.safetensors",
                       plain = folder_ / "plain.safetensors";
        convert(scaled, folded, kohya);
        convert(folded, plain, format);
        expected = changes(read_file(plain));
      }
      ASSERT_EQ(found.size(), expected.size());
      for (const auto& [path, change] : expected) {
        EXPECT_LT(test::deviation(found.at(path), change), 1e-5) << path;
      }
    }
  }
}

TEST_F(AdapterRoundTrip, APeftFolderComesBackTensorByTensor) {
  for (const char* name : {"peft", "peft_dora"}) {
    SCOPED_TRACE(name);
    const fs::path out = place("first", OutputFormat::peft);
    convert(golden(name), out, OutputFormat::peft);
    std::size_t compared = 0;
    for (const auto& entry : fs::recursive_directory_iterator(golden(name))) {
      if (entry.path().extension() == ".safetensors") {
        const fs::path same = out / fs::relative(entry.path(), golden(name));
        ASSERT_TRUE(fs::exists(same)) << same;
        // CLIPTextModel's modules are below text_model in every version of transformers but the
        // latest: the first text encoder is written for all of them.
        const bool first = entry.path().parent_path().filename() == "text_encoder";
        const std::string old_head = "base_model.model.text_model.encoder.";
        const std::string new_head = "base_model.model.encoder.";
        std::map<std::string, std::string> want;
        for (const auto& [tensor, bytes] : contents(entry.path())) {
          const bool is_new = tensor.starts_with(new_head), is_old = tensor.starts_with(old_head);
          if (!is_new && !is_old) {
            want[tensor] = bytes;
            continue;
          }
          const std::string tail = tensor.substr((is_new ? new_head : old_head).size());
          want[old_head + tail] = bytes;
          if (first) {
            want[new_head + tail] = bytes;
          }
        }
        EXPECT_EQ(want, contents(same)) << same;
        ++compared;
      }
    }
    EXPECT_GT(compared, 0U);
    EXPECT_EQ(changes(read_file(out)), changes(read_file(golden(name))));
  }
}

/// A dialect that is read but never written, made from the tensors of a file in diffusers' names.
struct Spoken {
  const char* what;
  std::function<std::string(std::string)> name;  ///< of a tensor
  bool denoiser_only = false;
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

TEST_F(AdapterRoundTrip, DialectsThatAreOnlyReadHoldTheSameBytes) {
  const Spoken dialects[] = {
      {"diffusers before PEFT",
       [](const std::string& n) {
         return replaced(replaced(n, ".lora_A.", ".lora.down."), ".lora_B.", ".lora.up.");
       }},
      {"PEFT's own names", [](const std::string& n) { return "base_model.model." + n.substr(5); },
       true},
      {"no prefix", [](const std::string& n) { return n.substr(5); }, true},
      {"named adapter",
       [](const std::string& n) {
         return replaced(
             replaced("base_model.model." + n.substr(5), ".lora_A.", ".lora_A.default."),
             ".lora_B.", ".lora_B.default.");
       },
       true},
      {"LyCORIS",
       [](const std::string& n) {
         const std::size_t half = n.find(".lora_");
         return "lycoris_" + replaced(n.substr(5, half - 5), ".", "_") +
                (n[half + 6] == 'A' ? ".lora_down.weight" : ".lora_up.weight");
       },
       true},
  };
  const SafetensorsFile original = SafetensorsFile::open(golden("diffusers.safetensors"));
  for (const Spoken& dialect : dialects) {
    SCOPED_TRACE(dialect.what);
    std::vector<TensorToWrite> said, plain;
    for (const TensorInfo& t : original.tensors()) {
      if (!dialect.denoiser_only || t.name.starts_with("unet.")) {
        said.push_back({dialect.name(t.name), *t.type, t.shape(), t.data, {}});
        plain.push_back({t.name, *t.type, t.shape(), t.data, {}});
      }
    }
    ASSERT_GT(said.size(), 2U);
    const fs::path as_said = folder_ / "said.safetensors", as_plain = folder_ / "plain.safetensors";
    write_safetensors(as_said, said);
    write_safetensors(as_plain, plain);
    EXPECT_EQ(changes(read_file(as_said)), changes(read_file(as_plain)));
    for (const std::string_view format : enum_names<OutputFormat>()) {
      const OutputFormat f = *enum_from_name<OutputFormat>(format);
      const fs::path first = place("first", f), second = place("second", f),
                     third = place("third", f);
      convert(as_said, first, f);
      convert(as_plain, second, f);
      convert(first, third, f);
      EXPECT_EQ(changes(read_file(first)), changes(read_file(second))) << format;
      EXPECT_EQ(files(first), files(third)) << format;
    }
  }
}

TEST_F(AdapterRoundTrip, MergedThenExtractedHoldsEveryChange) {
  for (const char* name : {"diffusers.safetensors", "locon.safetensors", "lokr.safetensors",
                           "dora.safetensors", "dora_input.safetensors"}) {
    SCOPED_TRACE(name);
    const AdapterContents file = read_file(golden(name));
    const WeightedAdapter use{&file.modules, 1};
    ModelContents model = model_contents(source_, DType::f32);
    merge_adapters(model, source_, std::span(&use, 1));
    write_model(folder_ / "merged.safetensors", model);
    const WeightSource merged = WeightSource::open(folder_ / "merged.safetensors");
    // A rank not exceeded by any change represents each exactly.
    const ExtractResult back = extract_adapter(source_, merged, 1 << 16, 1.0);
    ASSERT_EQ(back.modules.size(), file.modules.size());
    const auto want = changes(file);
    for (const AdapterModule& m : back.modules) {
      EXPECT_LE(change_error(m, want.at(m.path)), 1e-4) << m.path;
    }
  }
}

}  // namespace
}  // namespace mantissa
