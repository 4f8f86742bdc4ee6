#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;
using T = Preset::Training;

constexpr Setting kTraining[] = {
    {.key = "training.purpose",
     .label = "Training purpose",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<TrainingPurpose>,
     .since = 2,
     .bind = bind<&P::training, &T::purpose>(),
     .help = "images learns what the images and captions show. slider learns the difference "
             "between two prompts and needs no images: the adapter's weight then moves that "
             "attribute, from -1 to 1 and beyond. pair_slider learns such an attribute from pairs "
             "of images that differ in it alone. adapter makes a training adapter for a distilled "
             "base model, from images that this model makes itself."},
    {.key = "training.method",
     .label = "Training method",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<TrainingMethod>,
     .bind = bind<&P::training, &T::method>(),
     .help = "adapter trains a small LoRA or DoRA beside the frozen model. full moves the model's "
             "own weights and writes a whole model: for making a base model, or for large data "
             "sets and much memory."},
    {.key = "training.weights",
     .label = "Trained weights",
     .kind = Kind::text_list,
     .group = Group::training,
     .text = TextRule::label,
     .applies_if = {"training.method", one_of<"full">},
     .bind = bind<&P::training, &T::weights>(),
     .help = "Module-path patterns of the weights to train in the trained parts, such as "
             "\"denoiser.*.attentions.*\"; * trains everything. The rest stays frozen."},
    {.key = "training.parts",
     .label = "Trained parts",
     .kind = Kind::choice_list,
     .group = Group::training,
     .tier = Tier::essential,
     .choices = kPartNames,
     .bind = bind<&P::training, &T::parts>(),
     .help =
         "Parts of the model to train. denoiser, the UNet or transformer, alone is right for most "
         "runs; te1 and te2 (the text encoders) help with new words and need a lower learning "
         "rate, see optimizer.groups. embeddings, alone or beside others, are vectors of new "
         "words: "
         "see embedding.tokens. "
         "vae alone, with training.method full, trains the autoencoder of a new base model."},
    {.key = "training.steps",
     .label = "Steps",
     .kind = Kind::integer,
     .group = Group::training,
     .tier = Tier::essential,
     .min = 1,
     .max = kMaxSteps,
     .unit = "steps",
     .applies_if = {"training.epochs", one_of<"0">},
     .change = Change::live,
     .alias = "training.max_steps",
     .bind = bind<&P::training, &T::steps>(),
     .help = "Optimizer steps of the run. 1000 to 2000 for a subject on 10 to 30 images, 3000 and "
             "more for a style on hundreds."},
    {.key = "training.epochs",
     .label = "Epochs",
     .kind = Kind::integer,
     .group = Group::training,
     .tier = Tier::essential,
     .min = 0,
     .max = kMaxEpochs,
     .unit = "epochs",
     .change = Change::live,
     .since = 2,
     .alias = "training.max_epochs",
     .bind = bind<&P::training, &T::epochs>(),
     .help = "Length of the run in epochs, in place of training.steps: in one epoch every image is "
             "used as often as its repeats say. The plan shows how many steps that makes. 0 "
             "trains by steps."},
    {.key = "training.gradient_accumulation",
     .label = "Gradient accumulation",
     .kind = Kind::integer,
     .group = Group::training,
     .min = 1,
     .max = 4096,
     .unit = "batches",
     .bind = bind<&P::training, &T::gradient_accumulation>(),
     .help = "Batches accumulated into one update: the effect of a larger batch without its "
             "memory, for that many times the time per step."},
    {.key = "training.gradient_checkpointing",
     .label = "Gradient checkpointing",
     .kind = Kind::boolean,
     .group = Group::training,
     .bind = bind<&P::training, &T::gradient_checkpointing>(),
     .help = "Recomputes activations instead of keeping them: much less memory, about a third "
             "more time. The result is the same."},
    {.key = "training.checkpointing_scope",
     .label = "Checkpointing scope",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<CheckpointingScope>,
     .applies_if = {"training.gradient_checkpointing", one_of<"true">},
     .since = 2,
     .bind = bind<&P::training, &T::checkpointing_scope>(),
     .help = "What gradient checkpointing recomputes. blocks recomputes everything and saves the "
             "most memory. feed_forward recomputes norms, activations and the transformer blocks' "
             "feed-forward layers, whose activations are the largest: about half of the saving for "
             "a third of the extra time. activations recomputes norms and activations alone, at "
             "almost no cost. The result is the same with each."},
    {.key = "training.max_grad_norm",
     .label = "Gradient clipping",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 1'000'000,
     .bind = bind<&P::training, &T::max_grad_norm>(),
     .help = "Scales gradients down to this global norm when they exceed it, so that one bad batch "
             "can't ruin the adapter. 0 turns clipping off."},
    {.key = "training.seed",
     .label = "Seed",
     .kind = Kind::integer,
     .group = Group::training,
     .tier = Tier::essential,
     .min = 0,
     .max = kMaxSeed,
     .bind = bind<&P::training, &T::seed>(),
     .help = "Fixes every random choice of the run: the same seed, data and settings give the "
             "same adapter."},
    {.key = "training.loss",
     .label = "Loss",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<LossType>,
     .since = 2,
     .bind = bind<&P::training, &T::loss>(),
     .help =
         "The error between prediction and target. mse, the squared error, is what base models "
         "are trained with. huber grows linearly beyond training.huber_c, so that outliers such "
         "as a stray watermark count less; smooth_l1 is the same divided by that width. Both "
         "are the functions of sd-scripts and diffusers; losses of different kinds can't be "
         "compared."},
    {.key = "training.huber_c",
     .label = "Huber width",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0.0001,
     .max = 100,
     .applies_if = {"training.loss", one_of<"huber", "smooth_l1">},
     .since = 2,
     .bind = bind<&P::training, &T::huber_c>(),
     .help = "Errors well below this width count squared, those well above it linearly. 0.1 is "
             "usual; large values approach the squared error."},
    {.key = "training.huber_schedule",
     .label = "Huber schedule",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<HuberSchedule>,
     .applies_if = {"training.loss", one_of<"huber", "smooth_l1">},
     .since = 2,
     .bind = bind<&P::training, &T::huber_schedule>(),
     .help = "The width at each noise level. constant is training.huber_c everywhere; exponential "
             "and snr start at 1 on clean images, where errors show details, and reach "
             "training.huber_c at pure noise."},
    {.key = "training.min_snr_gamma",
     .label = "Min-SNR gamma",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 100,
     .bind = bind<&P::training, &T::min_snr_gamma>(),
     .help = "Reduces the weight of nearly noise-free timesteps, which otherwise dominate. 5 is "
             "the published value and often converges faster; 0 turns it off."},
    {.key = "training.noise_offset",
     .label = "Noise offset",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 1,
     .bind = bind<&P::training, &T::noise_offset>(),
     .help = "Adds a constant per channel to the noise, so that very dark and very bright images "
             "can be learned. 0.03 to 0.05 where needed; 0 turns it off."},
    {.key = "training.prior_weight",
     .label = "Prior preservation",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 10,
     .bind = bind<&P::training, &T::prior_weight>(),
     .help = "Loss weight of the prior images, which have folders of their own: images of the "
             "class that keep the model from forgetting it. They are repeated to match the number "
             "of training images. 0 leaves them out."},
    {.key = "training.preservation",
     .label = "Output preservation",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<Preservation>,
     .applies_if = {"training.purpose", one_of<"images">},
     .since = 2,
     .bind = bind<&P::training, &T::preservation>(),
     .help = "Keeps the adapter from changing what the base model makes of other captions, without "
             "prior images: on the same noised images, the base model's own prediction is a second "
             "target. class is for a subject: each caption with training.class_word in place of "
             "training.trigger_word. empty is for a style: an empty caption. A step takes about "
             "twice as long, with up to twice the activations in memory."},
    {.key = "training.preservation_weight",
     .label = "Preservation weight",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0.01,
     .max = 100,
     .applies_if = {"training.preservation", one_of<"class", "empty">},
     .since = 2,
     .bind = bind<&P::training, &T::preservation_weight>(),
     .help = "Weight of the preservation loss beside the loss on the images. 1 is usual; more "
             "keeps the base model's output better and slows learning."},
    {.key = "training.trigger_word",
     .label = "Trigger word",
     .kind = Kind::text,
     .group = Group::training,
     .text = TextRule::prompt,
     .applies_if = {"training.preservation", one_of<"class">},
     .since = 2,
     .bind = bind<&P::training, &T::trigger_word>(),
     .help = "The word in the captions that stands for what is learned. The captions must contain "
             "it already: an image whose caption lacks it is trained without preservation."},
    {.key = "training.class_word",
     .label = "Class word",
     .kind = Kind::text,
     .group = Group::training,
     .text = TextRule::prompt,
     .applies_if = {"training.preservation", one_of<"class">},
     .since = 2,
     .bind = bind<&P::training, &T::class_word>(),
     .help = "What the trigger word is an example of, such as person or dog. It replaces the "
             "trigger word in the preserved captions."},
    {.key = "training.validate_every",
     .label = "Validate every",
     .kind = Kind::integer,
     .group = Group::training,
     .min = 1,
     .max = kMaxSteps,
     .unit = "steps",
     .change = Change::on_resume,
     .bind = bind<&P::training, &T::validate_every>(),
     .help = "Computes the validation loss every so many steps and at each checkpoint, always with "
             "the same noise at the same four timesteps. Costs about one training step per "
             "validation image and never changes the training."},
    {.key = "training.image_loss_share",
     .label = "Losses of single images",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 1,
     .bind = bind<&P::training, &T::image_loss_share>(),
     .help = "Measures single training images before the first step and after the last, always "
             "with the same noise, to name those that the run never learned or whose captions "
             "don't fit. At most this share of the run's computing: images beyond it are left out, "
             "evenly. 0 measures none. Never changes the training."},
    {.key = "training.prediction",
     .label = "Prediction target",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<Prediction>,
     .bind = bind<&P::training, &T::prediction>(),
     .help = "What the base model predicts: the noise (epsilon), the velocity (v) or the velocity "
             "of a rectified flow (flow). auto takes it from the base model; a wrong one gives "
             "washed-out or noisy images."},
    {.key = "training.zero_terminal_snr",
     .label = "Zero terminal SNR",
     .kind = Kind::boolean,
     .group = Group::training,
     .families = &FamilyRow::has_vp,
     .bind = bind<&P::training, &T::zero_terminal_snr>(),
     .help = "Rescales the noise schedule so that its last step is pure noise. Only for base "
             "models that were trained so, which are v-prediction models."},
    {.key = "training.timesteps",
     .label = "Timestep distribution",
     .kind = Kind::choice,
     .group = Group::training,
     .choices = kEnumNames<TimestepDistribution>,
     .since = 2,
     .bind = bind<&P::training, &T::timesteps>(),
     .help = "How often each noise level is trained. uniform trains all alike; logit_normal and "
             "mode, as published with SD3 (mean 0, deviation 1; scale 1.29), train those in the "
             "middle more often. In a flow model, training.flow_shift then moves them. sigmoid and "
             "shifted are the sigmoid and shift of sd-scripts: logit_normal without any shift, and "
             "with it, for flow models only. Validation timesteps stay the same."},
    {.key = "training.flow_shift",
     .label = "Flow shift",
     .kind = Kind::choice_or_number,
     .group = Group::training,
     .min = 0.01,
     .max = 100,
     .choices = one_of<"auto">,
     .applies_if = {"training.prediction", one_of<"auto", "flow">},
     .since = 2,
     .families = &FamilyRow::has_flow,
     .bind = bind<&P::training, &T::flow_shift>(),
     .help = "How far the trained noise levels of a flow model are shifted towards noise: 1 not at "
             "all, 3 is common. auto takes the base model's own shift, which may follow the size "
             "of each image. Samples, validation and saved models keep the base model's shift; a "
             "model that first becomes a flow gets this one."},
    {.key = "training.ema",
     .label = "Weight averaging",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 0.999999,
     .bind = bind<&P::training, &T::ema>(),
     .help = "Decay of a running average (EMA) of the adapter, which is saved in place of the last "
             "weights. 0.99 to 0.999 smooths the result of long runs; 0 turns it off."},
    {.key = "training.clip_skip",
     .label = "Clip skip",
     .kind = Kind::integer,
     .group = Group::training,
     .min = 0,
     .max = 12,
     .families = &FamilyRow::has_clip,
     .bind = bind<&P::training, &T::clip_skip>(),
     .help = "0 takes the text encoders as the family uses them. k takes the k-th layer from the "
             "end, counted from 1: 2 is usual for SD 1.5 models trained on tags, and is what SDXL "
             "does by itself."},
    {.key = "training.vae_kl_weight",
     .label = "VAE KL weight",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 1,
     .applies_if = {"training.method", one_of<"full">},
     .bind = bind<&P::training, &T::vae_kl_weight>(),
     .help = "For VAE training: how strongly latents are pulled towards a unit Gaussian. Higher "
             "values make latents smoother and easier to learn, and images softer."},
};

}  // namespace

std::span<const Setting> training_rows() {
  return kTraining;
}

}  // namespace mantissa
