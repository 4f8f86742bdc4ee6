#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;
using D = Preset::Data;

constexpr std::array<ItemField, 5> kFolderFields{{
    {.key = "folder",
     .label = "Folder",
     .kind = Kind::text,
     .required = true,
     .help = "Name of a folder around the images, at any depth, or of the chosen folder itself."},
    {.key = "repeats",
     .label = "Repeats",
     .kind = Kind::integer,
     .min = 0,
     .max = 10000,
     .help = "How often each image there is used per epoch, times data.repeats; 0 leaves it to "
             "the folder's name."},
    {.key = "weight",
     .label = "Loss weight",
     .kind = Kind::number,
     .min = 0.01,
     .max = 100,
     .help = "Weight of their loss: below 1 they count less, above 1 more."},
    {.key = "prefix",
     .label = "Caption prefix",
     .kind = Kind::text,
     .help = "Put before each caption there, followed by a space: for example a trigger word."},
    {.key = "resolution",
     .label = "Resolution",
     .kind = Kind::integer,
     .min = 0,
     .max = 4096,
     .help = "The resolution that the images there are trained at, in px, in place of "
             "data.resolution and data.further_resolutions; 0 leaves it to those."},
}};

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
             "trains in about half the time, with somewhat less memory."},
    {.key = "data.further_resolutions",
     .label = "Further resolutions",
     .kind = Kind::integer_list,
     .group = Group::data,
     .min = 16,
     .max = 4096,
     .unit = "px",
     .since = 2,
     .bind = bind<&P::data, &D::further_resolutions>(),
     .help = "Every image is also trained at each of these, in batches of their own: 512, 768 "
             "beside 1024 makes an epoch three times as long, and a result that holds at those "
             "sizes. Images smaller than a size are enlarged for it, and counted in the findings. "
             "data.folders gives single folders a resolution of their own."},
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
     .help = "How bucket sizes are made and images are assigned to them. ours keeps the area, "
             "picks the nearest aspect ratio and gives the model the true crop. kohya and "
             "onetrainer do as those programs do, to reproduce a run made there."},
    {.key = "data.bucket_min",
     .label = "Smallest bucket side",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 64,
     .max = 4096,
     .unit = "px",
     .applies_if = {"data.bucket_rule", one_of<"kohya">},
     .bind = bind<&P::data, &D::bucket_min>(),
     .help = "Minimum side of kohya's buckets. 256 is kohya's default."},
    {.key = "data.bucket_max",
     .label = "Largest bucket side",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 64,
     .max = 8192,
     .unit = "px",
     .applies_if = {"data.bucket_rule", one_of<"kohya">},
     .bind = bind<&P::data, &D::bucket_max>(),
     .help = "Maximum side of kohya's buckets. 1024, kohya's default, shrinks wide and tall SDXL "
             "images below the full area; 2048 keeps it."},
    {.key = "data.skip_buckets",
     .label = "Buckets left out",
     .kind = Kind::text_list,
     .group = Group::data,
     .text = TextRule::size,
     .since = 2,
     .bind = bind<&P::data, &D::skip_buckets>(),
     .help = "Sizes that no image is trained at, written WIDTHxHEIGHT; their images go to the "
             "nearest other size. For a size with so few images that most of a batch repeats. The "
             "Data page shows the sizes and switches them on and off."},
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
     .help = "Images per step. Larger batches give steadier gradients and need more memory; "
             "training.gradient_accumulation does the same without the memory."},
    {.key = "data.repeats",
     .label = "Repeats",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 1,
     .max = 10000,
     .bind = bind<&P::data, &D::repeats>(),
     .help = "How often each image is used per epoch. The length of a run is training.steps, or "
             "training.epochs."},
    {.key = "data.folder_repeats",
     .label = "Repeats from folder names",
     .kind = Kind::boolean,
     .group = Group::data,
     .since = 2,
     .bind = bind<&P::data, &D::folder_repeats>(),
     .help = "Reads folder names as sd-scripts does: images in \"10_zorb creature\" are used 10 "
             "times as often per epoch, which balances folders of very different sizes. Images "
             "there without a caption get \"zorb creature\". Left out, with a notice, are folders "
             "whose name begins with 0 and, beside folders with a number, those without one."},
    {.key = "data.folders",
     .label = "Folders",
     .kind = Kind::objects,
     .group = Group::data,
     .fields = kFolderFields,
     .text = TextRule::prompt,
     .since = 2,
     .bind = bind<&P::data, &D::folders>(),
     .help = "Repeats, loss weight, caption prefix and resolution for the images of single "
             "folders, by the folder's name: to balance a large folder against a small one, or to "
             "give each subject its own trigger word. The nearest folder around an image counts."},
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
     .help = "Shuffles a caption's comma-separated tags every epoch, so that no tag gains weight "
             "from its position. Captions are then encoded at every step: text encoders stay in "
             "memory, and a step takes a little longer."},
    {.key = "data.keep_tokens",
     .label = "Tags kept first",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 0,
     .max = 255,
     .unit = "tags",
     .bind = bind<&P::data, &D::keep_tokens>(),
     .help = "Number of leading tags that are not shuffled. 1 keeps a trigger word first. Without "
             "data.shuffle_captions no tag moves."},
    {.key = "data.flip",
     .label = "Mirror images",
     .kind = Kind::boolean,
     .group = Group::data,
     .bind = bind<&P::data, &D::flip>(),
     .help = "Also trains on each image mirrored left to right. Not for faces, text or anything "
             "asymmetric."},
    {.key = "data.variants",
     .label = "Versions of each image",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 1,
     .max = 64,
     .since = 2,
     .bind = bind<&P::data, &D::variants>(),
     .help = "How many versions of each image are made, each cropped, rotated and coloured at "
             "random within the amounts below; training uses all of them in turn. Each is encoded "
             "once, so encoding takes that many times as long and the cache that many times the "
             "space. 8 is usually enough. Another training.seed makes other versions."},
    {.key = "data.crop_jitter",
     .label = "Crop jitter",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 0.5,
     .since = 2,
     .bind = bind<&P::data, &D::crop_jitter>(),
     .help = "Enlarges each version by up to this share more than its bucket needs and crops it "
             "at a random place. 0 crops around the centre; 0.1 varies the framing."},
    {.key = "data.rotation",
     .label = "Rotation",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 45,
     .unit = "degrees",
     .since = 2,
     .bind = bind<&P::data, &D::rotation>(),
     .help = "Rotates each version by up to this angle to either side and enlarges it just enough "
             "that no corner is empty. 5 to 10 for objects; 0 where the horizon matters."},
    {.key = "data.brightness",
     .label = "Brightness",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 1,
     .since = 2,
     .bind = bind<&P::data, &D::brightness>(),
     .help = "Multiplies the brightness of each version by a factor that differs from 1 by at "
             "most this much. 0.1 is mild. Not for styles: their colours are what is learned."},
    {.key = "data.contrast",
     .label = "Contrast",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 1,
     .since = 2,
     .bind = bind<&P::data, &D::contrast>(),
     .help = "Multiplies the distance to the image's mean grey by a factor that differs from 1 by "
             "at most this much. 0.1 is mild."},
    {.key = "data.saturation",
     .label = "Saturation",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 1,
     .since = 2,
     .bind = bind<&P::data, &D::saturation>(),
     .help = "Multiplies the distance to grey by a factor that differs from 1 by at most this "
             "much. 0.1 is mild."},
    {.key = "data.hue",
     .label = "Hue",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 0.5,
     .unit = "turns",
     .since = 2,
     .bind = bind<&P::data, &D::hue>(),
     .help = "Shifts the hues of each version by up to this share of the colour circle to either "
             "side. 0.02 is mild; more gives things other colours."},
    {.key = "data.masks",
     .label = "Masks",
     .kind = Kind::choice,
     .group = Group::data,
     .choices = kEnumNames<MaskMode>,
     .bind = bind<&P::data, &D::masks>(),
     .help = "Weights the loss by region: white counts, black does not. files reads "
             "<name>-masklabel.png beside each image; alpha uses the image's alpha channel. An "
             "image without a mask counts everywhere."},
    {.key = "data.unmasked_weight",
     .label = "Weight outside the mask",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 1,
     .applies_if = {"data.masks", one_of<"files", "alpha">},
     .bind = bind<&P::data, &D::unmasked_weight>(),
     .help = "Minimum loss weight of a region, however dark its mask. 0 learns nothing there; 0.1 "
             "keeps the background from falling apart."},
    {.key = "data.validation_share",
     .label = "Validation share",
     .kind = Kind::number,
     .group = Group::data,
     .min = 0,
     .max = 0.5,
     .bind = bind<&P::data, &D::validation_share>(),
     .help = "Share of the images that are never trained on; their loss shows whether the run "
             "still learns or only memorises. They are picked by content, so the choice stays the "
             "same when images are added. 0.05 to 0.1 of a hundred images and more; a separate "
             "folder can be given instead."},
    {.key = "data.cache",
     .label = "Cache",
     .kind = Kind::choice,
     .group = Group::data,
     .choices = kEnumNames<CacheMode>,
     .bind = bind<&P::data, &D::cache>(),
     .help = "What is encoded once and kept on disk. all caches latents and encoded captions, so "
             "neither VAE nor text encoders stay in memory. latents is used automatically when "
             "text encoders are trained."},

    {.key = "data.caption_chunks",
     .label = "Caption length",
     .kind = Kind::integer,
     .group = Group::data,
     .min = 1,
     .max = 16,
     .unit = "x 75 tokens",
     .families = &FamilyRow::has_clip,
     .bind = bind<&P::data, &D::caption_chunks>(),
     .help = "Chunks of 75 tokens that a caption may have; the rest is cut. Each chunk is encoded "
             "separately. 1 is what CLIP was made for, 3 fits most long captions."},
    {.key = "data.weighted_captions",
     .label = "Weighted captions",
     .kind = Kind::boolean,
     .group = Group::data,
     .families = &FamilyRow::has_clip,
     .bind = bind<&P::data, &D::weighted_captions>(),
     .help = "Reads (word:1.2), (word) and [word] in captions and sample prompts as emphasis "
             "rather than as text. Off takes every bracket literally."},
};

}  // namespace

std::span<const Setting> data_rows() {
  return kData;
}

}  // namespace mantissa
