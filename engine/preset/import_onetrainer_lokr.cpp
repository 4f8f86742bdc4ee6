// Facts about OneTrainer's LoKr behind this table: it has a rank of its own, lokr_dim, by default
// 16, but lora_alpha; with weight_decompose its magnitudes are of outputs unless it is told
// otherwise; a matrix that is trained whole has no alpha; vec_trick only saves time.

#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_ranks.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

/// A setting that has the same values here.
void take_lokr(OneTrainer& o, ImportRow& row, const Json& value, std::string_view target) {
  if (o.is_lokr()) {
    o.take(row, target, value);
  } else {
    o.ignore(row, message<"Concerns LoKr only.">());
  }
}
void lokr_factor(OneTrainer& o, ImportRow& row, const Json& value) {
  take_lokr(o, row, value, "adapter.factor");
}
void lokr_decompose(OneTrainer& o, ImportRow& row, const Json& value) {
  take_lokr(o, row, value, "adapter.decompose");
}

void take_whole(OneTrainer& o, ImportRow& row) {
  o.take_changed(row, "adapter.rank", kMostRank, kWholeNote.said());
  o.take(row, "adapter.alpha", kMostRank);
}

void lokr_dim(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!o.is_lokr()) {
    o.ignore(row, message<"Concerns LoKr only.">());
  } else if (o.flag("lokr_full_matrix")) {
    o.ignore(row, message<"lokr_full_matrix counts instead.">());
  } else if (o.is_whole_lokr()) {
    take_whole(o, row);
  } else {
    o.take(row, "adapter.rank", value);
  }
}

void whole_matrix(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!o.is_lokr()) {
    o.ignore(row, message<"Concerns LoKr only.">());
  } else if (is_off(value)) {
    o.ignore(row, message<"Not used there.">());
  } else {
    take_whole(o, row);
  }
}

void lokr_axis(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!o.is_lokr()) {
    o.ignore(row, message<"Concerns LoKr only.">());
  } else if (!o.flag("lokr_weight_decompose")) {
    o.ignore(row, message<"Counts only for DoRA there.">());
  } else {
    o.take(row, "adapter.dora_axis", is_off(value) ? "input" : "output");
  }
}

/// Parts of LoKr that aren't offered here.
void missing_part(OneTrainer& o, ImportRow& row, const Json& value) {
  if (!o.is_lokr()) {
    o.ignore(row, message<"Concerns LoKr only.">());
  } else if (is_off(value)) {
    o.ignore(row, message<"Not used there.">());
  } else if (row.key == "lokr_use_tucker") {
    o.ignore(row, message<"Not offered here: {what}.">(message<"Tucker decomposition">()));
  } else {
    o.ignore(row, message<"Not offered here: {what}.">(
                      message<"LoKr's smaller matrix as a low-rank product">()));
  }
}

constexpr OneTrainerRule kOneTrainerLokrRules[] = {
    {"lokr_full_matrix", special, {}, whole_matrix},
    {"lokr_dim", special, {}, lokr_dim},
    {"lokr_decompose_factor", special, {}, lokr_factor},
    {"lokr_weight_decompose", special, {}, lokr_decompose},
    {"lokr_dora_on_output", special, {}, lokr_axis},
    {"lokr_decompose_both", special, {}, missing_part},
    {"lokr_use_tucker", special, {}, missing_part},
    {"lokr_vec_trick", ignored, kSpeedNote},
};

}  // namespace

bool OneTrainer::is_lokr() const {
  return chosen().adapter.type == AdapterType::lokr;
}

double OneTrainer::rank_there() const {
  return number(is_lokr() ? "lokr_dim" : "lora_rank", 16);
}

bool OneTrainer::is_whole_lokr() const {
  return is_lokr() && (flag("lokr_full_matrix") || rank_there() > kMostRank);
}

std::span<const OneTrainerRule> onetrainer_lokr_rules() {
  return kOneTrainerLokrRules;
}

}  // namespace mantissa
