#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;
using A = Preset::Adapter;

constexpr std::array<std::string_view, 3> kTargetSets{"attention", "attention+mlp", "linear+conv"};

constexpr std::array<ItemField, 3> kRankFields{{
    {.key = "layers",
     .label = "Layers",
     .kind = Kind::text,
     .required = true,
     .help = "A module-path pattern, such as denoiser.up_blocks.*; * stands for any text."},
    {.key = "rank",
     .label = "Rank",
     .kind = Kind::integer,
     .min = 0,
     .max = 1024,
     .required = true,
     .help = "Rank of the adapters there; 0 leaves those layers out."},
    {.key = "alpha",
     .label = "Alpha",
     .kind = Kind::number,
     .min = 0,
     .max = 65536,
     .help = "Alpha there; 0 takes adapter.alpha."},
}};

constexpr Setting kAbout[] = {
    {.key = "name",
     .label = "Name",
     .kind = Kind::text,
     .group = Group::about,
     .tier = Tier::essential,
     .text = TextRule::label,
     .change = Change::on_resume,
     .bind = bind<&P::name>(),
     .help = "What this preset is called in lists and in the history of runs."},
    {.key = "description",
     .label = "Description",
     .kind = Kind::text,
     .group = Group::about,
     .text = TextRule::prose,
     .change = Change::on_resume,
     .bind = bind<&P::description>(),
     .help = "What the preset is good for and what it needs, for whoever receives it."},
    {.key = "author",
     .label = "Author",
     .kind = Kind::text,
     .group = Group::about,
     .text = TextRule::label,
     .change = Change::on_resume,
     .bind = bind<&P::author>(),
     .help = "Who made the preset."},
    {.key = "tags",
     .label = "Tags",
     .kind = Kind::text_list,
     .group = Group::about,
     .text = TextRule::label,
     .change = Change::on_resume,
     .bind = bind<&P::tags>(),
     .help = "Words to find the preset by, such as style or portrait."},
};

constexpr Setting kModel[] = {
    {.key = "model.family",
     .label = "Model family",
     .kind = Kind::choice,
     .group = Group::model,
     .tier = Tier::essential,
     .bind = bind<&P::model, &P::Model::family>(),
     .help = "Architecture of the base model. auto reads it from the file; name one to be told at "
             "once when a different base model is given."},
};

constexpr Setting kAdapter[] = {
    {.key = "adapter.type",
     .label = "Adapter",
     .kind = Kind::choice,
     .group = Group::adapter,
     .tier = Tier::essential,
     .choices = kEnumNames<AdapterType>,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::type>(),
     .help = "lora learns a low-rank change of each weight: small, quick, loaded by every program. "
             "dora also learns each weight's magnitude: often closer to full fine-tuning at low "
             "rank, for a slower step and a little more memory. loha multiplies two low-rank "
             "products entry by entry, for a change of rank squared; use a rank of 4 to 32. lokr "
             "is a Kronecker product of a small and a larger matrix: the smallest files."},
    {.key = "adapter.rank",
     .label = "Rank",
     .kind = Kind::integer,
     .group = Group::adapter,
     .tier = Tier::essential,
     .min = 1,
     .max = 1024,
     .applies_if = {"training.method", one_of<"adapter">},
     .alias = "adapter.dim",
     .bind = bind<&P::adapter, &A::rank>(),
     .help = "Size of the adapter: how much it can learn, and how large its file is. 8 to 16 for a "
             "person or an object, 16 to 32 for a style or several subjects, up to 64 for fine "
             "texture. A higher rank also memorises small data sets sooner."},
    {.key = "adapter.alpha",
     .label = "Alpha",
     .kind = Kind::number,
     .group = Group::adapter,
     .tier = Tier::essential,
     .min = 0.0001,
     .max = 65536,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::alpha>(),
     .help = "The adapter's output is multiplied by alpha / rank. alpha = rank keeps the factor at "
             "1. Halving alpha acts much like a lower learning rate, so change one of the two."},
    {.key = "adapter.dropout",
     .label = "Dropout",
     .kind = Kind::number,
     .group = Group::adapter,
     .min = 0,
     .max = 0.95,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::dropout>(),
     .help = "Share of the adapter's input that is zeroed at random while training. 0.05 to 0.1 "
             "helps against overfitting on a few images; 0 turns it off."},
    {.key = "adapter.targets",
     .label = "Target layers",
     .kind = Kind::targets,
     .group = Group::adapter,
     .tier = Tier::essential,
     .choices = kTargetSets,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::targets>(),
     .help = "Layers that get an adapter. attention is the usual LoRA. attention+mlp also covers "
             "the feed-forward layers and learns styles better. linear+conv covers convolutions "
             "too, for texture and fine detail. A list of module-path patterns picks layers one "
             "by one."},
    {.key = "adapter.conv_rank",
     .label = "Convolution rank",
     .kind = Kind::integer,
     .group = Group::adapter,
     .min = 0,
     .max = 1024,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::conv_rank>(),
     .help = "Rank for convolutions where the targets hold any; 0 takes adapter.rank. A 3x3 "
             "convolution at the same rank is nine times as large on its input side, so 4 to 8 is "
             "often enough."},
    {.key = "adapter.ranks",
     .label = "Ranks of single layers",
     .kind = Kind::objects,
     .group = Group::adapter,
     .fields = kRankFields,
     .applies_if = {"training.method", one_of<"adapter">},
     .since = 2,
     .bind = bind<&P::adapter, &A::ranks>(),
     .help = "Ranks and alphas for layers by their path, in place of adapter.rank and "
             "adapter.conv_rank: more where a subject is learned, less or 0 where it only costs "
             "memory. The first entry that names a layer counts; adapter.targets still decide "
             "which layers have an adapter at all."},
    {.key = "adapter.scaling",
     .label = "Scaling",
     .kind = Kind::choice,
     .group = Group::adapter,
     .choices = kEnumNames<AdapterScaling>,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::scaling>(),
     .help = "standard multiplies by alpha / rank. rslora multiplies by alpha / sqrt(rank), which "
             "keeps high ranks (64 and up) learning as fast as low ones."},
    {.key = "adapter.init",
     .label = "Initialization",
     .kind = Kind::choice,
     .group = Group::adapter,
     .choices = kEnumNames<AdapterInit>,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::init>(),
     .help = "standard starts from a random A and a zero B, so training begins exactly at the base "
             "model. pissa starts from the weight's largest singular vectors: converges faster, "
             "takes a while to prepare."},
    {.key = "adapter.lora_plus_ratio",
     .label = "LoRA+ ratio",
     .kind = Kind::number,
     .group = Group::adapter,
     .min = 1,
     .max = 64,
     .applies_if = {"training.method", one_of<"adapter">},
     .bind = bind<&P::adapter, &A::lora_plus_ratio>(),
     .help = "How many times faster the up matrices learn than the down matrices. 1 is ordinary "
             "LoRA; LoRA+ takes about 16, which learns faster at the same learning rate of the "
             "down matrices."},
    {.key = "adapter.dora_axis",
     .label = "DoRA axis",
     .kind = Kind::choice,
     .group = Group::adapter,
     .choices = kEnumNames<DoraAxis>,
     .applies_if = {"adapter.type", one_of<"dora", "loha", "lokr">},
     .bind = bind<&P::adapter, &A::dora_axis>(),
     .help = "Which side of the weight gets a magnitude for each of its channels. output is that "
             "of the DoRA paper, PEFT and LyCORIS; input is OneTrainer's default and the one that "
             "ComfyUI renders as trained. loha and lokr have magnitudes with adapter.decompose."},
    {.key = "adapter.decompose",
     .label = "Weight decomposition (DoRA)",
     .kind = Kind::boolean,
     .group = Group::adapter,
     .applies_if = {"adapter.type", one_of<"loha", "lokr">},
     .since = 2,
     .bind = bind<&P::adapter, &A::decompose>(),
     .help = "Trains a magnitude for each channel of a weight beside its LoHa or LoKr, as DoRA "
             "does beside a LoRA: LyCORIS's dora_wd. A step takes longer, because each weight is "
             "added up with its change to take the norm."},
    {.key = "adapter.factor",
     .label = "LoKr factor",
     .kind = Kind::integer,
     .group = Group::adapter,
     .min = -1,
     .max = 1024,
     .applies_if = {"adapter.type", one_of<"lokr">},
     .since = 2,
     .bind = bind<&P::adapter, &A::factor>(),
     .help = "Size of LoKr's small matrix, which each side of a weight is divided by as far as it "
             "can be. -1 makes both matrices as square as possible, for the smallest files; 4 to "
             "16 leave more to learn. Where adapter.rank is at least half of the larger matrix's "
             "side, that is trained whole, and alpha has no effect."},
};

}  // namespace

std::span<const Setting> about_rows() {
  return kAbout;
}

std::span<const Setting> model_rows() {
  return kModel;
}

std::span<const Setting> adapter_rows() {
  return kAdapter;
}

}  // namespace mantissa
