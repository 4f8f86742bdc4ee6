// Facts about sd-scripts and kohya_ss behind this table: sections of a configuration are dissolved;
// network_alpha defaults to 1; parts are trained unless switched off or given rate 0; networks.lora
// covers every linear layer of the transformers, and convolutions from conv_dim on. musubi-tuner,
// of the same author for newer models, has the same form of file and most of its keys.

#include "engine/preset/import_kohya.h"

#include <algorithm>
#include <iterator>

#include "engine/preset/import_families.h"
#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_kohya_source.h"
#include "engine/preset/import_ranks.h"
#include "engine/preset/import_sets.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

constexpr std::span<const KohyaRule> (*kTables[])() = {
    kohya_model_rules,    kohya_lycoris_rules,  kohya_network_rules,  kohya_block_rules,
    kohya_training_rules, kohya_schedule_rules, kohya_timestep_rules, kohya_anima_rules,
    kohya_flux1_rules,    musubi_rules,         kohya_unused_rules};

/// Keys that the files of other trainers have too.
constexpr std::string_view kSharedKeys[] = {"learning_rate",
                                            "lr_scheduler",
                                            "lr_scheduler_type",
                                            "lr_warmup_steps",
                                            "optimizer",
                                            "optimizer_type",
                                            "seed",
                                            "steps",
                                            "epoch",
                                            "epoch_steps",
                                            "train_dir",
                                            "image_folder",
                                            "max_train_steps",
                                            "resolution",
                                            "train_batch_size",
                                            "gradient_accumulation_steps",
                                            "gradient_checkpointing",
                                            "max_grad_norm",
                                            "mixed_precision",
                                            "noise_offset",
                                            "loss_type",
                                            "prior_loss_weight",
                                            "train_text_encoder",
                                            "text_encoder_lr",
                                            "max_train_epochs",
                                            "min_snr_gamma",
                                            "cache_text_encoder_outputs",
                                            "save_every_n_steps",
                                            "save_every_n_epochs",
                                            "use_8bit_adam",
                                            "pretrained_model_name_or_path",
                                            "vae",
                                            "text_encoder",
                                            "clip",
                                            "output_dir",
                                            "logging_dir",
                                            "cache_directory",
                                            "resume",
                                            "compile",
                                            "torch_compile",
                                            "deepspeed",
                                            "ddp_timeout",
                                            "num_processes",
                                            "num_machines",
                                            "multi_gpu",
                                            "gpu_ids",
                                            "datasets",
                                            "dataset_class",
                                            "factor",
                                            "unit",
                                            "guidance_scale",
                                            "model_type",
                                            "huggingface_token"};

/// The root of 960 x 544, musubi-tuner's size.
constexpr double kMusubiSide = 723;

void finish_cache(Kohya& k) {
  // sd-scripts' check of its arguments turns on what a cache on disk needs.
  const bool latents = k.flag("cache_latents") || k.flag("cache_latents_to_disk");
  const char* text_key = "cache_text_encoder_outputs";
  for (const char* of_gui :
       {"sdxl_cache_text_encoder_outputs", "flux1_cache_text_encoder_outputs"}) {
    if (k.find(text_key) == nullptr && k.find(of_gui) != nullptr) {
      text_key = of_gui;
    }
  }
  if (k.find("cache_latents") == nullptr && k.find("cache_latents_to_disk") == nullptr &&
      k.find(text_key) == nullptr) {
    return;
  }
  const bool text = k.flag(text_key);
  ImportRow scratch;
  k.take(scratch, "data.cache", latents && text ? "all" : latents ? "latents" : "none");
  k.mark("cache_latents", {"data.cache"});
  k.mark(text_key, {"data.cache"});
  if (text && !latents) {
    k.change(*k.row(text_key), message<"Captions are cached only together with images here.">());
  }
}

Message usual_note(const Kohya& k) {
  return k.musubi ? message<"Not given: the default of musubi-tuner.">()
                  : message<"Not given: the default of sd-scripts.">();
}

/// What a file says of the data holds without what another one may add to it.
void finish_data(Kohya& k, const Message& note) {
  if (k.musubi && k.of_data_set()) {
    k.assume("resolution", "data.resolution", kMusubiSide, note);
  }
  if (k.find("resolution") != nullptr || k.of_data_set()) {
    k.assume("enable_bucket", "data.buckets", false, note);
  }
  if (!k.musubi && k.flag("enable_bucket")) {
    k.assume("max_bucket_reso", "data.bucket_max", 1024, note);
  }
}

void finish_defaults(Kohya& k) {
  const Message note = usual_note(k);
  if (k.full) {
    k.assume("network_module", "training.method", "full",
             message<"Not given: without a network, the model's own weights are trained.">());
  } else if (!k.embedding && k.find("network_dim") == nullptr &&
             k.find("network_module") == nullptr) {
    finish_data(k, note);  // a data-set file alone
    return;
  } else if (!k.whole && !k.embedding) {
    k.assume("network_dim", "adapter.rank", kUsualRank, note);
    k.assume("network_alpha", "adapter.alpha",
             alpha_here(k, 1, k.number("network_dim", kUsualRank)), note);
  }
  const bool own_alpha = k.find("conv_alpha") != nullptr || !k.preset().adapter.ranks.empty();
  if (k.conv && k.text("network_module") == "networks.lora" && !own_alpha &&
      k.preset().adapter.alpha != 1) {
    Json entries = Json::array();
    add_conv_entries(entries, k.preset().adapter.conv_rank, 1);
    k.assume("network_args.conv_alpha", "adapter.ranks", entries, note);
  }
  if (k.lacks("mixed_precision")) {
    // musubi-tuner loads most transformers in BF16, whatever is mixed.
    const bool bf16 = k.musubi && !family_row(k.preset().model.family).elsewhere.musubi_fp32;
    k.assume("mixed_precision", "precision.compute", bf16 ? "bf16" : "fp32", note);
    if (bf16 && !k.flag("fp8_base")) {
      k.assume("dit_dtype", "precision.weights.denoiser", "bf16", note);
    }
  }
  if (k.lacks("max_train_epochs") && (k.of_adapter ? k.lacks("epoch") : !k.by_epochs())) {
    k.assume("max_train_steps", "training.steps", kUsualSteps, note);
  }
  finish_data(k, note);
  finish_kohya_anima(k, note);
  finish_kohya_flux1(k, note);
  if (k.musubi) {
    const std::string sampling = lower_ascii(k.text("timestep_sampling"));
    if (sampling.empty() || sampling == "sigma" || sampling == "shift") {
      k.assume("discrete_flow_shift", "training.flow_shift", 1, note);
    }
  }
}

/// Whether the file is musubi-tuner's: by its own networks, else by keys that sd-scripts lacks.
bool is_musubi(const std::vector<SourceEntry>& entries) {
  const auto text_of = [&](std::string_view key) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const SourceEntry& e) { return e.key == key; });
    return found != entries.end() && found->value.is_string() ? found->value.get<std::string>()
                                                              : std::string();
  };
  const std::string module = text_of("network_module");
  const std::string network(network_name(module));
  const bool has_dit = !text_of("dit").empty();  // sd-scripts' base is another key
  if (find_family(&ForeignNames::kohya_networks, network)) {
    return has_dit || module.starts_with("musubi_tuner.");
  }
  if (network != "networks.lora" && find_family(&ForeignNames::musubi_networks, network)) {
    return true;
  }
  const std::string version = text_of("base_model_version");
  if (!version.empty() && !find_family(&ForeignNames::kohya_versions, version) &&
      find_family(&ForeignNames::musubi_versions, version)) {
    return true;
  }
  static constexpr std::string_view kOwn[] = {"dit",
                                              "image_directory",
                                              "image_jsonl_file",
                                              "video_directory",
                                              "video_jsonl_file",
                                              "cache_directory"};
  return module.find("musubi_tuner") != std::string::npos ||
         std::any_of(entries.begin(), entries.end(), [](const SourceEntry& e) {
           return std::find(std::begin(kOwn), std::end(kOwn), e.key) != std::end(kOwn);
         });
}

ImportResult import_entries(std::vector<SourceEntry> entries, ImportFormat format,
                            std::string_view source_name, bool data_read, bool adapts_text = true) {
  const bool musubi = is_musubi(entries);
  Kohya k(std::move(entries), musubi ? ImportFormat::musubi : format, source_name);
  k.musubi = musubi;
  k.of_adapter = format == ImportFormat::kohya_adapter;
  k.data_read = data_read;
  k.adapts_text = adapts_text;
  find_kohya_job(k);
  take_family_of_files(k);
  for (const auto rules : kTables) {
    run_rules<Kohya>(k, rules());
    if (rules == kohya_lycoris_rules) {
      assume_lycoris_preset(k, message<"Not given: LyCORIS's default.">());
    }
  }
  finish_lycoris_arguments(k);
  finish_kohya_parts(k);
  finish_cache(k);
  finish_sets(k, {.folder = k.musubi ? "image_directory" : "image_dir",
                  .repeats = "dataset_repeats",
                  .prefix = "caption_prefix",
                  .weight = {},
                  .resolution = "resolution",
                  .leaves_out = !k.musubi});
  finish_kohya_sets(k);
  finish_defaults(k);
  finish_kohya_schedule(k, usual_note(k));
  finish_kohya_optimizer(k);
  return k.finish();
}

}  // namespace

ImportResult import_kohya(const JsonNode& root, std::string_view source_name,
                          const FileBeside& beside) {
  std::vector<SourceEntry> entries = kohya_entries(root);
  name_script_keys(entries);
  const bool data_read = read_dataset_file(entries, beside);
  return import_entries(std::move(entries), ImportFormat::kohya, source_name, data_read);
}

ImportResult import_kohya_metadata(const std::map<std::string, std::string>& metadata,
                                   std::string_view source_name, bool adapts_text) {
  return import_entries(kohya_metadata_entries(metadata), ImportFormat::kohya_adapter, source_name,
                        /*data_read=*/true, adapts_text);
}

const KohyaRule* kohya_rule(std::string_view key) {
  for (const auto table : kTables) {
    const std::span<const KohyaRule> rules = table();
    const auto found = std::ranges::find(rules, key, &KohyaRule::key);
    if (found != rules.end()) {
      return &*found;
    }
  }
  return nullptr;
}

KohyaKey kohya_key(std::string_view key) {
  const bool known = kohya_rule(key) != nullptr;
  const bool shared =
      std::find(std::begin(kSharedKeys), std::end(kSharedKeys), key) != std::end(kSharedKeys);
  return !known ? KohyaKey::unknown : shared ? KohyaKey::shared : KohyaKey::own;
}

}  // namespace mantissa
