#include "engine/cli/topics.h"

#include <algorithm>

namespace mantissa {
namespace {

const std::vector<Topic> kTopics{
    {"start",
     "From images to an adapter",
     {"Choose a preset (`mantissa presets list`), give it your base model and a folder of images, "
      "and look at what would happen: `mantissa check sdxl-lora-8gb --device cuda:0 --base "
      "sdxl.safetensors --images photos`. It prints precision, memory, images and findings, and "
      "trains nothing.",
      "The same words with `train` in place of `check` start the run. `--set KEY=VALUE` changes a "
      "setting, `mantissa help KEY` explains one, and `mantissa presets export PRESET --out FILE` "
      "makes a preset of your own.",
      "`mantissa sample` renders images with the result; ComfyUI, A1111 and others load it as it "
      "is.",
      "Without a base model, `mantissa demo` trains a tiny built-in one. --base demo and --images "
      "demo name its parts anywhere a path is taken."}},
    {"presets",
     "Presets",
     {"A preset is a JSON file with everything about a run but its paths, so it can be shared. "
      "PRESET is such a file or the name of a built-in preset; a file of that name comes first.",
      "`presets import` reads configurations of other trainers and presets inside adapters, and "
      "reports what became of every key. `presets diff` compares two, `presets export` writes one "
      "with --set applied, `presets schema` prints the JSON Schema for editors."}},
    {"precision",
     "Precision",
     {"Storage, compute, adapter, gradient and optimizer-state types are set independently. What "
      "can't train correctly is refused before the first step, with its cause and a fix; what has "
      "one right answer is adjusted with a notice.",
      "`mantissa check` shows the types of each part and the findings, `check --explain` each "
      "module's. `mantissa help S4` explains the finding with that id, `check --catalogue` prints "
      "them all, `check --capabilities` which types each model family trains in on which device. "
      "`probe` trains a few steps in the chosen types and in FP32, and names modules "
      "worth pinning; `probe --front` measures choices of types and lists those that no other one "
      "beats in memory, time and error."}},
    {"images",
     "Images and captions",
     {"--images takes folders and reads them with all their subfolders: JPEG, PNG, WebP, AVIF, "
      "TIFF, BMP and GIF; of an animation, its first frame. Several folders are given by repeating "
      "the option; data.folders gives each its own repeats, weight and prefix.",
      "An image's caption is the text file of its name beside it (photo.txt, else photo.caption), "
      "else its line in metadata.jsonl (file_name and text), else the name of its folder. `check` "
      "counts what was found; dataset.txt in the run folder lists it.",
      "--validation takes images that are never trained on, for the validation loss; --prior takes "
      "images of the class in general, for prior preservation."}},
    {"captions",
     "Captions",
     {"The caption of photo.jpg is in photo.txt beside it, else in photo.caption, else the text in "
      "metadata.jsonl whose file_name is photo.jpg, else the name of the folder. Files are UTF-8, "
      "or UTF-16 with a byte order mark. `mantissa caption FOLDER --recode list` shows how files "
      "in Shift-JIS, GBK and other encodings would read, `--recode ENCODING` rewrites them.",
      "`mantissa caption` writes captions, by a tagger or a model that sees images. The settings "
      "of captions are under data: `mantissa help data` lists them."}},
    {"base-models",
     "Base models",
     {"--base takes one .safetensors or .gguf file in its authors' or ComfyUI's naming, a "
      "diffusers folder, or a .json that `mantissa base` writes for models whose parts are in "
      "files of their own, as ComfyUI keeps them. `mantissa inspect FILE` tells what a file holds.",
      "Pickle files (.ckpt, .pt, .bin) are refused, because loading one can run a program."}},
    {"adapters",
     "Adapters",
     {"Where FILE[:WEIGHT] is taken, a number after the last colon is the weight: "
      "lora.safetensors:0.8. A colon in a Windows path such as C:\\lora.safetensors begins no "
      "weight.",
      "LoRA, DoRA, LoCon, LoHa and LoKr of kohya, OneTrainer, LyCORIS, diffusers and PEFT are read "
      "by their tensors. `convert` writes the forms of other programs, `resize` changes the rank, "
      "`extract` makes a LoRA of two models, `merge` puts adapters into a base model.",
      "`train --continue-from FILE` starts from an adapter."}},
    {"output",
     "What is written, and where",
     {"A run folder (--out, else one in runs of the data folder) holds job.json, log.txt, "
      "dataset.txt, checkpoints, samples and the results. It and its parents are created if "
      "missing. The data folder is ~/.local/share/mantissa, on Windows %LOCALAPPDATA%\\Mantissa; "
      "the cache is ~/.cache/mantissa, on Windows the data folder's cache. With MANTISSA_HOME, "
      "both are below it.",
      "The folder of any other output must exist. Every output is checked before the work begins, "
      "and nothing that exists is replaced without --overwrite. Files appear complete or not at "
      "all."}},
    {"resume",
     "Continuing a run",
     {"`mantissa train --resume RUN` continues an interrupted, stopped or failed run from its "
      "newest intact checkpoint, bit for bit on the CPU. RUN is its folder or its id.",
      "It keeps its settings. --set changes one, and a PRESET given too takes the place of all "
      "that may change; `check` with the same options and the run itself tell each change. What "
      "would make it another run, such as the rank, is refused.",
      "Ctrl+C saves and stops; a second one stops at once. Checkpoints come by steps, epochs and "
      "minutes (output.save_every, output.save_epochs, output.save_minutes).",
      "A run continues with the files that it was started with. Where one differs, the run says "
      "which; --accept-changed base,images continues nevertheless. --start-over begins again where "
      "every checkpoint is damaged."}},
    {"memory",
     "Memory",
     {"`check` plans the peak before anything is loaded. A run that doesn't fit is refused with "
      "the mildest settings that would fit.",
      "--memory-budget 8GB limits what a run takes of a card; frozen weights that don't fit stay "
      "in host memory. training.gradient_checkpointing, precision.weights.denoiser and "
      "data.resolution save the most. `probe --fit 8GB` chooses weight types for a size.",
      "An amount has a unit: kB, MB, GB, TB in powers of 1000, KiB, MiB, GiB, TiB of 1024."}},
    {"json",
     "Output for programs",
     {"--json prints one JSON object a line on standard output, each with its \"event\"; text for "
      "people goes to standard error. An error is an event too: "
      "{\"event\":\"error\",\"exit\":2,…}.",
      "In a pipe, progress is a line a second at most, and nothing is coloured. On a terminal, "
      "--no-color or the variable NO_COLOR turns colours off."}},
    {"environment",
     "Environment variables",
     {},
     {"MANTISSA_HOME\tfolder of the runs database, run folders and the cache, in place of the "
      "platform's",
      "MANTISSA_RESOURCES\tfolder of the program's own files, such as presets",
      "MANTISSA_VOCAB\tthe vocabulary of CLIP's tokenizer",
      "MANTISSA_MPI_LIBRARY\tthe MPI library for runs of several processes",
      "MANTISSA_NCCL_LIBRARY\tthe NCCL library for runs of several cards, by an absolute path",
      "MANTISSA_CUDA_LIBRARY\tMantissa's own CUDA library, by an absolute path",
      "SSL_CERT_FILE\tcertificates for what is downloaded and posted",
      "MANTISSA_CUDA_FOLDERS\tfolders with NVIDIA's libraries, if the system doesn't find them",
      "MANTISSA_CUDA_INDEX\tmirror of the package index for `mantissa cuda install`",
      "MANTISSA_NOTIFY\tan address as for `mantissa train --notify`, which others don't see in the "
      "list of processes",
      "MANTISSA_ENDPOINT_KEY\tthe key that `mantissa caption --endpoint` sends",
      "https_proxy, all_proxy, no_proxy\tproxies for what is downloaded and posted",
      "XDG_DATA_HOME, XDG_CACHE_HOME\twhere data and cache are on Linux without MANTISSA_HOME",
      "NO_COLOR\tif not empty: no colours"}},
    {"exit-status",
     "Exit status",
     {},
     {"0\tdone", "1\tan internal error",
      "2\tbad input or usage; the message names the file, field or tensor",
      "3\trefused by a precision finding, whose id and fix are printed",
      "4\tstopped on non-finite values; the last good checkpoint is named", "5\tout of memory",
      "6\tout of disk", "7\tthe card stopped working", "8\tanother process of the run ended",
      "9\tverify: this version computes something else than the run did",
      "130\tinterrupted, checkpoint saved"}},
};

}  // namespace

std::span<const Topic> topics() {
  return kTopics;
}

const Topic* find_topic(std::string_view name) {
  const auto found = std::ranges::find(kTopics, name, &Topic::name);
  return found == kTopics.end() ? nullptr : &*found;
}

}  // namespace mantissa
