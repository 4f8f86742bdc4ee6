// defines: data_rows

#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;
using D = Preset::Data;

constexpr Setting kData[] = {
    {.key = "data.resolution",
     .label = "Resolution",
     .kind = Kind::integer,
     .group = Group::data,
     .tier = Tier::essential,
     .min = 16,
     .max = 4096,
     .unit = "px",
     .bind = bind<&P::data, &D::resolution>(),
     .help = "Side of the square whose area each image is fitted to. 1024 is SDXL's own; 768 "
             "trains in about half the time and memory."},
    {.key = "data.buckets",
     .label = "Aspect-ratio buckets",
     .kind = Kind::boolean,
     .group = Group::data,
     .bind = bind<&P::data, &D::buckets>(),
     .help = "Keeps each image's shape by grouping similar ones. Off crops every image to a "
             "square."},
    {.key = "data.bucket_rule",
     .label = "Bucket rule",
     .kind = Kind::choice,
     .group = Group::data,
     .choices = kEnumNames<BucketRule>,
     .bind = bind<&P::data, &D::bucket_rule>(),
     .help = "Which sizes there are and which one an image gets. ours keeps the area, takes the "
             "nearest shape and tells the model the true crop. kohya and onetrainer sort images as "
             "those programs do, to repeat a run made there."},
    {.key = "data.bucket_min",
     .label = "Smallest bucket side",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 64,
     .max = 4096,
     .unit = "px",
     .applies_if = {"data.bucket_rule", {"kohya"}},
     .bind = bind<&P::data, &D::bucket_min>(),
     .help = "No bucket of kohya's rule has a shorter side. 256 is the default there too."},
    {.key = "data.bucket_max",
     .label = "Largest bucket side",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 64,
     .max = 8192,
     .unit = "px",
     .applies_if = {"data.bucket_rule", {"kohya"}},
     .bind = bind<&P::data, &D::bucket_max>(),
     .help = "No bucket of kohya's rule has a longer side. 1024, the default there, cuts wide and "
             "tall images of SDXL down to less than its area; 2048 keeps it."},
    {.key = "data.batch_size",
     .label = "Batch size",
     .kind = Kind::integer,
     .group = Group::data,
     .tier = Tier::essential,
     .min = 1,
     .max = 1024,
     .unit = "images",
     .alias = "training.batch_size",
     .bind = bind<&P::data, &D::batch_size>(),
     .help = "Images in one step. More gives steadier gradients and needs more memory; "
             "training.gradient_accumulation gives the same steadiness without the memory."},
    {.key = "data.repeats",
     .label = "Repeats",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 1,
     .max = 10000,
     .bind = bind<&P::data, &D::repeats>(),
     .help = "How often each image is seen in one pass over the data. Evens out folders of very "
             "different size; the length of a run is training.steps."},
    {.key = "data.caption_dropout",
     .label = "Caption dropout",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 1,
     .bind = bind<&P::data, &D::caption_dropout>(),
     .help = "Share of steps with an empty caption, so that the adapter also works without its "
             "trigger words. 0.05 to 0.1 for styles, 0 for subjects."},
    {.key = "data.shuffle_captions",
     .label = "Shuffle tags",
     .kind = Kind::boolean,
     .group = Group::data,
     .bind = bind<&P::data, &D::shuffle_captions>(),
     .help = "Puts the tags of a caption, separated by commas, in another order in every epoch, so "
             "that none counts more for standing in front. Captions are then encoded at every "
             "step: text encoders stay in memory, and a step takes a little longer."},
    {.key = "data.keep_tokens",
     .label = "Tags kept in front",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 0,
     .max = 255,
     .unit = "tags",
     .bind = bind<&P::data, &D::keep_tokens>(),
     .help = "How many tags stay at the beginning while the others are shuffled. 1 keeps a trigger "
             "word in its place. Without data.shuffle_captions no tag moves."},
    {.key = "data.flip",
     .label = "Mirror images",
     .kind = Kind::boolean,
     .group = Group::data,
     .bind = bind<&P::data, &D::flip>(),
     .help = "Also trains on each image mirrored left to right. Not for faces, text or anything "
             "whose sides differ."},
    {.key = "data.masks",
     .label = "Masks",
     .kind = Kind::choice,
     .group = Group::data,
     .choices = kEnumNames<MaskMode>,
     .bind = bind<&P::data, &D::masks>(),
     .help = "Weights the loss by place: white counts, black does not. files reads "
             "<name>-masklabel.png beside each image; alpha takes the image's own transparency. "
             "An image without a mask counts everywhere."},
    {.key = "data.unmasked_weight",
     .label = "Weight outside the mask",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 1,
     .applies_if = {"data.masks", {"files", "alpha"}},
     .bind = bind<&P::data, &D::unmasked_weight>(),
     .help = "Least weight of a place, however dark its mask. 0 learns nothing there; 0.1 keeps "
             "the surroundings from falling apart."},
    {.key = "data.validation_share",
     .label = "Held-out share",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 0.5,
     .bind = bind<&P::data, &D::validation_share>(),
     .help = "Share of the images that are never trained on, to see by their loss whether the run "
             "still learns or only memorises. Which ones is decided by their content, so it stays "
             "the same when images are added. 0.05 to 0.1 of a hundred images and more; a folder "
             "of its own can be given instead."},
    {.key = "data.cache",
     .label = "Cache",
     .kind = Kind::choice,
     .group = Group::data,
     .choices = kEnumNames<CacheMode>,
     .bind = bind<&P::data, &D::cache>(),
     .help = "What is computed once and kept on disk. all keeps image latents and encoded "
             "captions, so neither VAE nor text encoders stay in memory. latents is used by "
             "itself when text encoders are trained."},

    {.key = "data.caption_chunks",
     .label = "Caption length",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 1,
     .max = 16,
     .unit = "x 75 tokens",
     .bind = bind<&P::data, &D::caption_chunks>(),
     .help = "Pieces of 75 tokens that a caption may have; what is longer is cut. Each piece is "
             "encoded on its own. 1 is what CLIP was made for, 3 holds most long captions."},
    {.key = "data.weighted_captions",
     .label = "Weighted captions",
     .kind = Kind::boolean,
     .group = Group::data,
     .bind = bind<&P::data, &D::weighted_captions>(),
     .help = "Reads (word:1.2), (word) and [word] in captions and sample prompts as emphasis "
             "rather than as text. Off takes every bracket literally."},
};

}  // namespace

std::span<const Setting> data_rows() {
  return kData;
}

}  // namespace mantissa
