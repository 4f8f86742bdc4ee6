// The autoencoders of FLUX.1 and FLUX.2 against diffusers in float64
// (tests/golden/make_flux_vae.py).
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "engine/models/vae/flux2_vae.h"
#include "engine/models/vae/vae_keys.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kVaeTolerance = 1e-5;

constexpr std::array kVaeAlone{
    PartFiles{.part = kDenoiser, .folder = "transformer"},
    PartFiles{.part = kVae, .folder = "vae", .model = {"diffusers", "AutoencoderKL"}},
};
constexpr Family kFluxVae{
    .row = {.title = "VAE"}, .parts = kVaeAlone, .latent_scale = 0.3611, .latent_shift = 0.1159};

/// The names of a lone VAE: diffusers', or with `ldm_levels` the original ones.
class FluxVaeNames final : public ModelNames {
 public:
  explicit FluxVaeNames(int ldm_levels) : ModelNames(kFluxVae), ldm_levels_(ldm_levels) {}
  std::optional<NameMapping> canonical(std::optional<Part>,
                                       const TensorInfo& tensor) const override {
    if (ldm_levels_ == 0) {
      return vae_in_folder(tensor);
    }
    auto name = vae_to_diffusers(tensor.name, ldm_levels_);
    return name ? std::optional(vae_weight(tensor, std::move(*name))) : std::nullopt;
  }

 private:
  int ldm_levels_;
};

WeightSource open_flux_vae(const fs::path& path, int ldm_levels) {
  return WeightSource::open(path, std::make_shared<FluxVaeNames>(ldm_levels));
}

/// Encodes the reference's image and decodes its latents.
class FluxVae : public ::testing::Test {
 protected:
  FluxVae() : kernels_(make_cpu_kernels(2)) {}

  std::map<std::string, std::vector<float>> run(const Autoencoder& vae, const Reference& reference,
                                                const LatentSpace& space) {
    Graph graph;
    graph.output("moments",
                 vae.encode(graph, graph.input("image", DType::f32, reference.shape("image"))));
    graph.output("decoded",
                 vae.decode(graph, graph.input("z", DType::f32, reference.shape("noised"))));
    const Plan plan = make_plan(graph);
    Arena arena(*kernels_);
    Executor executor(graph, plan, *kernels_, arena);
    std::vector<float> z = reference.values("noised");
    const auto channels = static_cast<std::size_t>(space.channels);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const std::size_t c = i % channels;
      z[i] = static_cast<float>(z[i] / space.gain[c] + space.shift[c]);
    }
    write(executor.input("image"), reference.values("image"));
    write(executor.input("z"), z);
    executor.run({});
    std::map<std::string, std::vector<float>> results{
        {"moments", read(executor.output("moments"))},
        {"decoded", read(executor.output("decoded"))}};
    std::vector<float>& latents = results["latents"];
    for (std::size_t i = 0; i < results["moments"].size(); ++i) {
      const std::size_t c = i % (2 * channels);
      if (c < channels) {
        latents.push_back(
            static_cast<float>(space.gain[c] * (results["moments"][i] - space.shift[c])));
      }
    }
    return results;
  }
  void check(const Autoencoder& vae, const Reference& reference, const LatentSpace& space) {
    const auto got = run(vae, reference, space);
    for (const char* name : {"moments", "latents", "decoded"}) {
      const double error = relative_error(got.at(name), reference.values(name));
      RecordProperty(name, std::to_string(error));
      EXPECT_LE(error, kVaeTolerance) << name;
    }
  }

  std::unique_ptr<Kernels> kernels_;
};

LatentSpace flux_space_of(const VaeConfig& config) {
  LatentSpace space{.channels = config.latent_channels, .factor = config.factor()};
  for (std::size_t c = 0; c < static_cast<std::size_t>(config.latent_channels); ++c) {
    space.gain.push_back(config.latent_gain(c));
    space.shift.push_back(config.latent_shift(c));
  }
  return space;
}

TEST_F(FluxVae, OriginalFileWithoutConfig) {
  const Reference reference("flux_vae.safetensors");
  const WeightSource source = open_flux_vae(golden_model("flux_vae.safetensors"), 2);
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  const VaeConfig config = vae_config(source);
  EXPECT_EQ(config, vae_config_from_json(parse_json(reference.text("config"), "config"), "x"));
  EXPECT_EQ(config.latent_channels, 16);
  EXPECT_FALSE(config.quant_conv || config.post_quant_conv);
  EXPECT_EQ(config.scaling_factor, 0.3611);
  EXPECT_EQ(config.shift_factor, 0.1159);
  EXPECT_EQ(vae_config_from_json(to_json(config), "x"), config);

  WeightStore weights(*kernels_, source);
  const Vae vae(config, Scope(weights, nullptr, kVae));
  EXPECT_EQ(weights.bound().size(), 120U);
  check(vae, reference, flux_space_of(config));
}

// Every tensor of the full-size ae.safetensors, which has 244: SDXL's without the pointwise layers.
TEST_F(FluxVae, FullSizeNamesAreThoseOfTheOriginal) {
  VaeConfig config;
  config.block_out_channels = {128, 256, 512, 512};
  config.latent_channels = 16;
  config.quant_conv = config.post_quant_conv = false;
  WeightStore store = WeightStore::planning();
  const Vae vae(config, Scope(store, nullptr, kVae));
  std::int64_t parameters = 0;
  for (const auto& [path, shape] : store.bound()) {
    const std::string name = path.substr(4);
    const auto original = vae_to_ldm(name, 4);
    ASSERT_TRUE(original) << name;
    EXPECT_EQ(vae_to_diffusers(*original, 4), name);
    parameters += shape.count();
  }
  EXPECT_EQ(store.bound().size(), 244U);
  EXPECT_EQ(parameters, 83'819'683);
}

TEST_F(FluxVae, ShiftOfAFamilyThatDoesNotShiftIsRefused) {
  const test::TempFolder folder;
  fs::copy(golden_model("b"), folder / "b", fs::copy_options::recursive);
  const fs::path path = folder / "b/vae/config.json";
  json config = read_json(path);
  config["shift_factor"] = 0.1159;
  fs::remove(path);
  test::write_file(path, config.dump());
  test::expect_error_with([&] { vae_config(WeightSource::open(folder / "b")); },
                          {"vae/config.json", "'shift_factor'", "0.1159"});
  config["latents_mean"] = config["latents_std"] = {1, 1, 1, 1};
  test::expect_error_with([&] { vae_config_from_json(config, "the config"); },
                          {"the config", "'shift_factor'", "latents_mean"});
  test::expect_error_with(
      [] {
        vae_config_from_json({{"shift_factor", "0.1"}}, "the config");
      },
      {"'shift_factor'", "number"});
}

TEST_F(FluxVae, Flux2) {
  const Reference reference("flux2_vae.safetensors");
  const WeightSource source = open_flux_vae(golden_model("flux2_vae"), 0);
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  const Flux2VaeConfig config = flux2_vae_config(source);
  EXPECT_EQ(config,
            flux2_vae_config_from_json(parse_json(reference.text("config"), "config"), "x"));
  EXPECT_EQ(config.channels(), 24);
  EXPECT_EQ(config.factor(), 4);
  WeightStore weights(*kernels_, source);
  const Flux2Vae vae(config, Scope(weights, nullptr, kVae));
  check(vae, reference, flux2_latents(source, config));
}

TEST_F(FluxVae, Flux2ConfigsThatCantBeHonouredAreErrors) {
  const json good = read_json(golden_model("flux2_vae") / "vae/config.json");
  const std::pair<const char*, json> cases[] = {
      {"_class_name", "AutoencoderKL"},
      {"patch_size", {1, 1}},
      {"decoder_block_out_channels", {8, 8}},
      {"batch_norm_eps", -1},
      {"act_fn", "relu"},
      {"twins", true},
  };
  for (const auto& [field, value] : cases) {
    json changed = good;
    changed[field] = value;
    test::expect_error_with([&] { flux2_vae_config_from_json(changed, "the config"); },
                            {"the config", "'" + std::string(field) + "'"});
  }
  const json bare = {{"_class_name", "AutoencoderKLFlux2"}};
  const Flux2VaeConfig usual = flux2_vae_config_from_json(bare, "the config");
  EXPECT_EQ(usual.channels(), 128);
  EXPECT_EQ(usual.factor(), 16);
}

}  // namespace
}  // namespace mantissa
