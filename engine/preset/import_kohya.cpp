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

/// Learning rates and trained parts, which several keys decide together.
struct Parts {
  std::optional<double> unet, te1, te2;  ///< rates; empty: not trained
};

/// Without a network, only DreamBooth's script trains the text encoder by itself; it has no list of
/// images, and is for one text encoder.
bool full_trains_text(const Kohya& k) {
  const bool has_rate = k.number("learning_rate_te", 0) > 0 ||
                        k.number("learning_rate_te1", 0) > 0 ||
                        k.number("learning_rate_te2", 0) > 0;
  const bool dreambooth = !k.sdxl && k.find("in_json") == nullptr &&
                          k.find("metadata_file") == nullptr &&
                          family_row(k.chosen().model.family).has_clip;
  return has_rate || k.flag("train_text_encoder") ||
         (dreambooth && k.find("learning_rate_te") == nullptr &&
          k.find("train_text_encoder") == nullptr &&
          k.number("stop_text_encoder_training", 0) >= 0);
}

Parts parts_of(const Kohya& k) {
  const double general = k.number("learning_rate", 2e-6);
  if (k.musubi) {
    return {.unet = general, .te1 = {}, .te2 = {}};  // text encoders are never trained
  }
  const ModelFamily family = k.chosen().model.family;
  const bool has_te2 = k.sdxl || (k.trains_t5() && !k.reads_t5_alone()) ||
                       (family == ModelFamily::automatic && !k.family_known);
  Parts p;
  double unet = k.number("unet_lr", general), te1 = general, te2 = general;
  if (const Json* te = k.find("text_encoder_lr")) {
    if (te->is_array()) {
      te1 = as_number((*te)[0]).value_or(general);
      te2 = te->size() > 1 ? as_number((*te)[1]).value_or(te1) : te1;
    } else {
      te1 = te2 = as_number(*te).value_or(general);
    }
  }
  te1 = k.number("learning_rate_te", te1);
  te1 = k.number("learning_rate_te1", te1);
  te2 = k.number("learning_rate_te2", te2);
  if (const double t5 = k.number("t5xxl_lr", 0); k.trains_t5() && t5 > 0) {
    te2 = t5;  // kohya_ss makes a list of both
  }
  if (k.reads_t5_alone()) {
    te1 = k.trains_t5() ? te2 : 0;
  }
  if (unet == 0 && te1 == 0 && te2 == 0) {
    unet = te2 = general;  // kohya_ss: neither is set, so the general rate applies
    te1 = k.reads_t5_alone() && !k.trains_t5() ? 0 : general;
  }
  const bool unet_only = k.flag("network_train_unet_only") || k.denoiser_only || !k.adapts_text ||
                         (k.full && !full_trains_text(k));
  const bool te_only = k.flag("network_train_text_encoder_only");
  p.unet = te_only || unet == 0 ? std::nullopt : std::optional(unet);
  p.te1 = unet_only || te1 == 0 ? std::nullopt : std::optional(te1);
  p.te2 = unet_only || te2 == 0 || !has_te2 ? std::nullopt : std::optional(te2);
  return p;
}

/// Rows of rates that no part has there, or that are beyond those here.
void mark_rates(Kohya& k, bool nothing_there) {
  ImportRow* unet = k.find("unet_lr") == nullptr ? nullptr : k.row("unet_lr");
  if (unet != nullptr && k.number("unet_lr", 0) == 0 && nothing_there) {
    k.change(*unet, message<"A rate of 0 trains nothing there; here the denoiser is trained at "
                            "learning_rate.">());
  } else if (unet != nullptr && k.number("unet_lr", 0) == 0 && !k.musubi) {
    k.mark("unet_lr", {"training.parts"});
  }
  for (const char* key : {"learning_rate", "unet_lr", "text_encoder_lr", "learning_rate_te",
                          "learning_rate_te1", "learning_rate_te2", "t5xxl_lr"}) {
    mark_rate(k, key);
  }
}

void finish_parts(Kohya& k) {
  if (k.embedding) {
    finish_kohya_embedding(k);
    return;
  }
  const bool speaks = k.find("learning_rate") != nullptr || k.find("unet_lr") != nullptr ||
                      k.find("text_encoder_lr") != nullptr || k.find("network_dim") != nullptr ||
                      k.find("network_module") != nullptr || k.full;
  if (!speaks) {
    return;  // a data-set file alone
  }
  const Parts parts = parts_of(k);
  ImportRow scratch;
  Json list = Json::array(), groups = Json::array();
  const double main =
      offered_rate(parts.unet  ? *parts.unet
                   : parts.te1 ? *parts.te1
                               : parts.te2.value_or(k.number("learning_rate", 2e-6)));
  const std::pair<const char*, std::optional<double>> all[] = {
      {"unet", parts.unet}, {"te1", parts.te1}, {"te2", parts.te2}};
  for (const auto& [part, rate] : all) {
    if (rate) {
      list.push_back(part);
      if (offered_rate(*rate) != main) {
        groups.push_back({{"part", part}, {"learning_rate", offered_rate(*rate)}});
      }
    }
  }
  if (list.empty()) {
    list.push_back("unet");
  }
  const bool given_rate = k.find("learning_rate") != nullptr || k.find("unet_lr") != nullptr;
  const bool took_parts = k.take(scratch, "training.parts", list);
  const bool took_rate = given_rate && k.take(scratch, "optimizer.learning_rate", main);
  const bool took_groups = !groups.empty() && k.take(scratch, "optimizer.groups", groups);
  if (!given_rate) {
    k.assume("learning_rate", "optimizer.learning_rate", 2e-6,
             k.musubi ? message<"Not given: the default of musubi-tuner.">()
                      : message<"The default of sd-scripts.">());
  } else if (!took_rate || !took_parts || (!groups.empty() && !took_groups)) {
    for (const char* key : {"learning_rate", "unet_lr", "text_encoder_lr"}) {
      if (ImportRow* row = k.row(key)) {
        k.ignore(*row, scratch.note);
      }
    }
    return;
  }
  const bool nothing_there = !parts.unet && !parts.te1 && !parts.te2;
  const bool own_unet_rate = k.number("unet_lr", 0) != 0;
  if (own_unet_rate) {
    k.mark("unet_lr", {"optimizer.learning_rate"});
    if (ImportRow* row = k.row("learning_rate")) {
      k.ignore(*row, message<"unet_lr counts instead.">());
    }
  } else {
    k.mark("learning_rate", {"optimizer.learning_rate"});
  }
  const bool trains_te = parts.te1 || parts.te2;
  if ((k.reads_t5_alone() ? parts.te1 : parts.te2) && k.trains_t5()) {
    k.mark("network_args.train_t5xxl", {"training.parts"});
    k.mark("train_t5xxl", {"training.parts"});
  }
  for (const char* key : {"text_encoder_lr", "learning_rate_te", "learning_rate_te1",
                          "learning_rate_te2", k.trains_t5() ? "t5xxl_lr" : ""}) {
    if (trains_te && !groups.empty()) {
      k.mark(key, {"training.parts", "optimizer.groups"});
    } else {
      k.mark(key, {"training.parts"});
    }
  }
  for (const char* key :
       {"network_train_unet_only", "network_train_text_encoder_only", "train_text_encoder"}) {
    k.mark(key, {"training.parts"});
  }
  if (ImportRow* text = k.full || k.find("train_text_encoder") == nullptr
                            ? nullptr
                            : k.row("train_text_encoder")) {
    text->targets.clear();
    k.ignore(*text, message<"Not read there where a network is trained: network_train_unet_only "
                            "leaves text encoders out.">());
  }
  if (!k.adapts_text) {
    k.assume("network_train_unet_only", "training.parts", list,
             message<"Not recorded: the file has no layers of text encoders.">());
    for (const char* key : {"text_encoder_lr", "learning_rate_te1", "learning_rate_te2"}) {
      if (k.find(key) != nullptr) {
        k.row(key)->targets.clear();
        k.ignore(*k.row(key), message<"This part is not trained there.">());
      }
    }
  }
  if (trains_te && !k.full && k.find("text_encoder_lr") == nullptr &&
      k.find("network_train_unet_only") == nullptr) {
    k.assume("network_train_unet_only", "training.parts", list,
             k.family_known
                 ? message<"Not given: text encoders are trained too, as sd-scripts does.">()
                 : message<"Not given: text encoders are trained too, as sd-scripts does; take "
                           "te2 out for a model with one text encoder.">());
  }
  mark_rates(k, nothing_there);
}

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
  if (k.lacks("epoch") && k.lacks("max_train_epochs")) {
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
  finish_parts(k);
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
