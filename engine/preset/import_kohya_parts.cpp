// Parts and their learning rates, which several keys decide together. Facts about sd-scripts behind
// this file: a rate of 0 leaves a part out; text encoders are trained unless a key says otherwise;
// the rate of the second one may stand in a list, or under a key of its own.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/preset/family_table.h"
#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

struct Parts {
  std::optional<double> unet, te1, te2;  ///< rates; empty: not trained
};

/// Without a network, only DreamBooth's script trains the text encoder by itself; it has no list of
/// images, and is for one text encoder. kohya_ss asks for it where its page for DreamBooth has a
/// rate; the page for fine-tuning has a switch.
bool full_trains_text(const Kohya& k) {
  if (k.of_finetuning_gui()) {
    return k.flag("train_text_encoder");
  }
  const bool listed = k.find("in_json") != nullptr || k.find("metadata_file") != nullptr;
  const bool has_rate = (!listed && k.number("learning_rate_te", 0) > 0) ||
                        (k.of_gui() && (k.number("learning_rate_te1", 0) > 0 ||
                                        k.number("learning_rate_te2", 0) > 0));
  const bool dreambooth = !k.sdxl && !listed && family_row(k.chosen().model.family).has_clip;
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
  const bool before_sdxl = k.of_finetuning_gui() && !k.index_of("sdxl_checkbox");
  const bool has_te2 = k.sdxl || (k.trains_t5() && !k.reads_t5_alone()) ||
                       (family == ModelFamily::automatic && !k.family_known && !before_sdxl);
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

/// Whether the file trains anything: a data-set file alone doesn't.
bool trains(const Kohya& k) {
  constexpr std::array kKeys{"learning_rate", "unet_lr", "text_encoder_lr", "network_dim",
                             "network_module"};
  return k.full ||
         std::ranges::any_of(kKeys, [&](const char* key) { return k.find(key) != nullptr; });
}

/// Parts as training.parts has them, their rate, and groups for those that have another.
struct PartSettings {
  Json list = Json::array(), groups = Json::array();
  double rate = 0;
};

PartSettings settings_of(const Kohya& k, const Parts& parts) {
  PartSettings settings;
  settings.rate = offered_rate(parts.unet  ? *parts.unet
                               : parts.te1 ? *parts.te1
                                           : parts.te2.value_or(k.number("learning_rate", 2e-6)));
  const std::pair<const char*, std::optional<double>> all[] = {
      {"unet", parts.unet}, {"te1", parts.te1}, {"te2", parts.te2}};
  for (const auto& [part, rate] : all) {
    if (!rate) {
      continue;
    }
    settings.list.push_back(part);
    if (offered_rate(*rate) != settings.rate) {
      settings.groups.push_back({{"part", part}, {"learning_rate", offered_rate(*rate)}});
    }
  }
  if (settings.list.empty()) {
    settings.list.push_back("unet");
  }
  return settings;
}

/// False if something was refused, which the rows of the rates then tell.
bool take_parts(Kohya& k, const PartSettings& settings) {
  ImportRow scratch;
  const bool given_rate = k.find("learning_rate") != nullptr || k.find("unet_lr") != nullptr;
  const bool took_parts = k.take(scratch, "training.parts", settings.list);
  const bool took_rate = !given_rate || k.take(scratch, "optimizer.learning_rate", settings.rate);
  const bool took_groups =
      settings.groups.empty() || k.take(scratch, "optimizer.groups", settings.groups);
  if (!given_rate) {
    k.assume("learning_rate", "optimizer.learning_rate", 2e-6,
             k.musubi ? message<"Not given: the default of musubi-tuner.">()
                      : message<"The default of sd-scripts.">());
    return true;
  }
  if (took_parts && took_rate && took_groups) {
    return true;
  }
  for (const char* key : {"learning_rate", "unet_lr", "text_encoder_lr"}) {
    if (ImportRow* row = k.row(key)) {
      k.ignore(*row, scratch.note);
    }
  }
  return false;
}

void mark_keys(Kohya& k, const Parts& parts, bool has_groups) {
  if (k.number("unet_lr", 0) != 0) {
    k.mark("unet_lr", {"optimizer.learning_rate"});
    if (ImportRow* row = k.row("learning_rate")) {
      k.ignore(*row, message<"unet_lr counts instead.">());
    }
  } else {
    k.mark("learning_rate", {"optimizer.learning_rate"});
  }
  if ((k.reads_t5_alone() ? parts.te1 : parts.te2) && k.trains_t5()) {
    k.mark("network_args.train_t5xxl", {"training.parts"});
    k.mark("train_t5xxl", {"training.parts"});
  }
  std::vector<std::string> of_text{"training.parts"};
  if (has_groups && (parts.te1 || parts.te2)) {
    of_text.emplace_back("optimizer.groups");
  }
  for (const char* key : {"text_encoder_lr", "learning_rate_te", "learning_rate_te1",
                          "learning_rate_te2", k.trains_t5() ? "t5xxl_lr" : ""}) {
    k.mark(key, of_text);
  }
  for (const char* key :
       {"network_train_unet_only", "network_train_text_encoder_only", "train_text_encoder"}) {
    k.mark(key, {"training.parts"});
  }
}

/// Rates of text encoders that stay frozen.
void tell_untrained_rates(Kohya& k) {
  for (const char* key :
       {"text_encoder_lr", "learning_rate_te", "learning_rate_te1", "learning_rate_te2"}) {
    if (k.find(key) != nullptr && k.number(key, 0) != 0) {
      k.row(key)->targets.clear();
      k.ignore(*k.row(key), message<"This part is not trained there.">());
    }
  }
}

/// What the rows can't say of text encoders: keys that aren't read, and what follows from none.
void tell_text_encoders(Kohya& k, const Parts& parts, const Json& list) {
  if (!k.full && k.find("train_text_encoder") != nullptr) {
    ImportRow& text = *k.row("train_text_encoder");
    text.targets.clear();
    k.ignore(text, message<"Not read there where a network is trained: network_train_unet_only "
                           "leaves text encoders out.">());
  }
  if (k.full && !parts.te1 && !parts.te2) {
    tell_untrained_rates(k);
  }
  if (!k.adapts_text) {
    k.assume("network_train_unet_only", "training.parts", list,
             message<"Not recorded: the file has no layers of text encoders.">());
    tell_untrained_rates(k);
  }
  if ((parts.te1 || parts.te2) && !k.full && k.find("text_encoder_lr") == nullptr &&
      k.find("network_train_unet_only") == nullptr) {
    k.assume("network_train_unet_only", "training.parts", list,
             k.family_known
                 ? message<"Not given: text encoders are trained too, as sd-scripts does.">()
                 : message<"Not given: text encoders are trained too, as sd-scripts does; take "
                           "te2 out for a model with one text encoder.">());
  }
}

}  // namespace

void finish_kohya_parts(Kohya& k) {
  if (k.embedding) {
    finish_kohya_embedding(k);
    return;
  }
  if (!trains(k)) {
    return;
  }
  const Parts parts = parts_of(k);
  const PartSettings settings = settings_of(k, parts);
  if (!take_parts(k, settings)) {
    return;
  }
  mark_keys(k, parts, !settings.groups.empty());
  tell_text_encoders(k, parts, settings.list);
  mark_rates(k, /*nothing_there=*/!parts.unet && !parts.te1 && !parts.te2);
}

}  // namespace mantissa
