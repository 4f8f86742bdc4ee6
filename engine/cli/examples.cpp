#include "engine/cli/examples.h"

#include <array>

namespace mantissa {
namespace {

constexpr std::array kExamples{
    Example{"demo", "--out demo-out", "train the demo and keep all it writes in one folder"},
    Example{"demo", "--family z_image --set training.steps=200", "a flow model, fewer steps"},
    Example{"check", "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos",
            "will it run, in how much memory, and what does it train on"},
    Example{"check", "mine.json --base sdxl.safetensors --apply-fixes fixed.json",
            "write the preset with every fix in it"},
    Example{"check", "--capabilities",
            "which models, methods and precisions train on which device"},
    Example{"train",
            "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos --out run1",
            "train a built-in preset on a card"},
    Example{"train",
            "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos --set "
            "adapter.rank=32 --set "
            "training.steps=2000",
            "change two of its settings"},
    Example{"train",
            "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos --notify "
            "https://ntfy.sh/my-topic",
            "tell a phone when it ends"},
    Example{"train", "--resume run1", "continue after Ctrl+C, a crash or a power cut"},
    Example{"train",
            "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos --continue-from "
            "old.safetensors",
            "start from an adapter"},
    Example{"probe",
            "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos --steps 20",
            "this precision compared with FP32 over twenty steps"},
    Example{"probe",
            "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos --fit 8GB",
            "choose weight types that fit a card of 8 GB"},
    Example{
        "probe",
        "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos --front --fit 8GB",
        "measure choices of types and take the most exact one that fits 8 GB"},
    Example{"lr-test", "sdxl-lora-8gb --device cuda:0 --base sdxl.safetensors --images photos",
            "suggest a learning rate by a hundred steps from 1e-7 to 0.1"},
    Example{"sample",
            "--base sdxl.safetensors --lora run1:0.8 --device cuda:0 --prompt \"a red fox\" --out "
            "fox.png",
            "one image with a run's adapter at weight 0.8, on a card"},
    Example{"sample",
            "--base demo --checkpoint run1/checkpoints/step-00000500 --checkpoint "
            "run1/checkpoints/step-00001000 --prompts prompts.txt --out compared.png",
            "two checkpoints side by side, a row for each prompt"},
    Example{"inspect", "lora.safetensors", "family, rank, types and metadata of a file"},
    Example{"caption", "photos --tagger wd-vit-tagger-v3 --trigger sks --dry-run",
            "the captions that a tagger would write, with a trigger word first"},
    Example{
        "caption",
        "photos --endpoint http://127.0.0.1:11434/v1 --model qwen3-vl --prompt \"Describe it in a "
        "sentence.\"",
        "sentences by a model that Ollama serves on this machine"},
    Example{"caption", "photos --captioner Qwen3-VL-4B-Instruct --device cuda:0",
            "sentences by a Qwen3-VL on the first card"},
    Example{"caption", "photos --recode list", "how captions that aren't UTF-8 would read"},
    Example{"caption", "photos --recode shift-jis", "captions in Shift-JIS, rewritten as UTF-8"},
    Example{"caption", "--undo", "the captions from before"},
    Example{"merge",
            "--base sdxl.safetensors --lora a.safetensors:0.8 --lora b.safetensors --out "
            "merged.safetensors",
            "two adapters into one model"},
    Example{
        "convert",
        "lora.safetensors --base sdxl.safetensors --format comfyui --out for-comfyui.safetensors",
        "the same adapter for another program"},
    Example{
        "resize",
        "lora.safetensors --base sdxl.safetensors --rank 8 --energy 0.95 --out small.safetensors",
        "a smaller file with most of the change"},
    Example{"extract",
            "--base sdxl.safetensors --tuned merged.safetensors --rank 16 --out lora.safetensors",
            "the difference of two models as a LoRA"},
    Example{"quantise",
            "--base sdxl.safetensors --weights int8_convrot --out sdxl-int8.safetensors",
            "weights of 8 bits, rotated"},
    Example{"base", "diffusion_models/z_image_bf16.safetensors --out z-image.json",
            "one base model of ComfyUI's separate files"},
    Example{"new", "--like sdxl-folder --vae sdxl.safetensors --out empty.safetensors",
            "random weights in SDXL's form, with its VAE"},
    Example{"presets list", "", "every built-in preset"},
    Example{"presets show", "sdxl-lora", "what a preset changes"},
    Example{"presets diff", "sdxl-lora sdxl-lora-8gb", "where two presets differ"},
    Example{"presets import", "config.toml --out mine.json",
            "another trainer's configuration, every key reported"},
    Example{"presets export", "sdxl-lora --set adapter.rank=32 --out mine.json",
            "a preset of your own from a built-in one"},
    Example{"presets schema", "", "for editors that check JSON"},
    Example{"runs list", "--state finished --limit 10", "the last ten finished runs"},
    Example{"runs show", "run1", "a run by its folder"},
    Example{"runs metrics", "run1 --csv", "every step, for a spreadsheet"},
    Example{"runs compare", "run1 run2", "results and settings side by side"},
    Example{"runs export", "run1 --out run1.json", "all that is recorded, as JSON"},
    Example{"runs delete", "20260101-120000-lora-1a2b3c4d --yes",
            "remove a run without a question"},
    Example{"ask", "run1 save", "write a checkpoint now, and go on"},
    Example{"ask", "run1 change --set training.steps=3000", "let it train longer"},
    Example{"ask", "run1 stop", "from another terminal: save and stop"},
    Example{"verify", "run1", "after an update: does this version still compute the same"},
    Example{"cache list", "", "how much is cached, and for which base models"},
    Example{"cache prune", "--unused-days 30", "remove what no run used for a month"},
    Example{"devices", "", "what can train here"},
    Example{"devices", "--test", "whether each calculates right, as text for a report"},
    Example{"cuda install", "", "what an NVIDIA card needs beside its driver"},
    Example{"cuda install", "--from wheels", "the same without a network"},
    Example{"cuda status", "", "which files, and whether they are installed"},
    Example{"cuda remove", "", "free their space"},
    Example{"bench", "--roofline sdxl-lora --base sdxl.safetensors --card 4090",
            "what a step would cost on a card that isn't here"},
    Example{"bench", "--step demo --base demo --steps 20", "time twenty steps on this machine"},
    Example{"help", "adapter.rank", "a setting: its range, default and advice"},
    Example{"help", "resume", "a topic; `mantissa help` lists them"},
    Example{"completion", "bash", "print it; `mantissa help completion` says where to put it"},
};

}  // namespace

std::string Example::call() const {
  return std::string(command).append(arguments.empty() ? "" : " ").append(arguments);
}

std::span<const Example> examples() {
  return kExamples;
}

}  // namespace mantissa
