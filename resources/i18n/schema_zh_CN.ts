<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>schema</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this preset is called in lists and in the history of runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the preset is good for and what it needs, for whoever receives it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Author</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who made the preset.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words to find the preset by, such as style or portrait.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture of the base model. auto reads it from the file; name one to be told at once when a different base model is given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lora learns a low-rank change of each weight: small, quick, loaded by every program. dora also learns each weight's magnitude: often closer to full fine-tuning at low rank, for a slower step and a little more memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the adapter: how much it can learn, and how large its file is. 4 to 16 for a person or an object, 16 to 64 for a style or several subjects. A higher rank also memorises small data sets sooner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The adapter's output is multiplied by alpha / rank. alpha = rank keeps the factor at 1. Halving alpha acts much like a lower learning rate, so change one of the two.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the adapter's input that is zeroed at random while training. 0.05 to 0.1 helps against overfitting on a few images; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers that get an adapter. attention is the usual LoRA. attention+mlp also covers the feed-forward layers and learns styles better. linear+conv covers convolutions too, for texture and fine detail. A list of module-path patterns picks layers one by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank for convolutions where the targets hold any; 0 takes adapter.rank. A 3x3 convolution at the same rank is nine times as large on its input side, so 4 to 8 is often enough.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>standard multiplies by alpha / rank. rslora multiplies by alpha / sqrt(rank), which keeps high ranks (64 and up) learning as fast as low ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Initial values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>standard starts from a random A and a zero B, so training begins exactly at the base model. pissa starts from the weight's largest singular vectors: converges faster, takes a while to prepare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LoRA+ ratio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many times faster the up matrices learn than the down matrices. 1 is ordinary LoRA; LoRA+ takes about 16, which learns faster at the same learning rate of the down matrices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DoRA axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which side of the weight gets a magnitude for each of its channels. output is that of the DoRA paper, PEFT and LyCORIS; input is OneTrainer's default and the one that ComfyUI renders as trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>UNet weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the frozen UNet is kept in memory. fp32 is exact; bf16 or fp16 halve it; the fp8 types quarter it at a small loss that check reports.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text encoder weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the frozen text encoders are kept in memory. Matters only while captions are encoded, or all the time when a text encoder is trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>VAE weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the VAE is kept in memory. SDXL's own VAE overflows in fp16: use fp32 or bf16.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of activations and matrix products. fp32 is the reference and the choice on a CPU. bf16 is fast and safe on recent cards. fp16 suits older cards and needs loss scaling. Sums are kept in fp32 in any case.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of the trained weights. The adapter is small: keep fp32 unless memory is very short, because small updates vanish in 16 bits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type in which gradients are gathered. fp32 avoids losing small ones over many accumulation steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of the optimizer's moments. 8bit quarters them, which matters at high ranks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stochastic rounding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds updates of 16-bit adapter weights and optimizer state up or down by chance, in proportion, so that small ones add up instead of vanishing. Keep it on with either of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kahan summation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps what rounding a bf16 adapter weight lost and adds it to the next update, in place of stochastic rounding. Exact to about 16 bits for 2 more bytes a weight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP8 scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the factors of FP8 products come from. current measures each tensor as it is; delayed takes the largest of the last 1024 steps, which is faster on some cards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiplies the loss so that small fp16 gradients do not become zero. auto turns it on where fp16 needs it; dynamic adapts the factor; a number fixes it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module-path patterns that keep a type of their own, such as {"unet.conv_in": "fp32"}. For layers that probe finds sensitive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of the square whose area each image is fitted to. 1024 is SDXL's own; 768 trains in about half the time and memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aspect-ratio buckets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps each image's shape by grouping similar ones. Off crops every image to a square.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images in one step. More gives steadier gradients and needs more memory; training.gradient_accumulation gives the same steadiness without the memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often each image is seen in one pass over the data. Evens out folders of very different size; the length of a run is training.steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caption dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of steps with an empty caption, so that the adapter also works without its trigger words. 0.05 to 0.1 for styles, 0 for subjects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirror images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also trains on each image mirrored left to right. Not for faces, text or anything whose sides differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is computed once and kept on disk. all keeps image latents and encoded captions, so neither VAE nor text encoders stay in memory. latents is used by itself when text encoders are trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caption length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pieces of 75 tokens that a caption may have; what is longer is cut. Each piece is encoded on its own. 1 is what CLIP was made for, 3 holds most long captions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weighted captions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads (word:1.2), (word) and [word] in captions and sample prompts as emphasis rather than as text. Off takes every bracket literally.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adapter trains a small LoRA or DoRA beside the frozen model. full moves the model's own weights and writes a whole model: for making a base model, or for large data sets and much memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module-path patterns of what moves in the trained parts, such as "unet.*.attentions.*"; * moves everything. All else stays frozen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the model that learn. The unet alone is right for most; te1 and te2 (the two text encoders) help with new words and need a lower learning rate, see optimizer.groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Updates of the adapter in the run. 1000 to 2000 for a subject on 10 to 30 images, 3000 and more for a style on hundreds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batches gathered into one update: the effect of a larger batch without its memory, for that many times the time per step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient checkpointing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputes activations instead of keeping them: much less memory, about a third more time. The result is the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients whose global norm is above this are scaled down to it, so that one odd batch can't spoil the adapter. 0 turns clipping off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixes every random choice of the run: the same seed, data and settings give the same adapter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min-SNR gamma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weighs down the nearly noise-free timesteps, which otherwise dominate. 5 is the published value and often converges faster; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Noise offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds a constant per channel to the noise, so that very dark and very bright images can be learned. 0.03 to 0.05 where needed; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the base model predicts: the noise (epsilon) or the velocity (v). auto takes it from the base model; a wrong one gives washed-out or noisy images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero terminal SNR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rescales the noise schedule so that its last step is pure noise. Only for base models that were trained so, which are v-prediction models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight averaging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decay of a running average of the adapter, which is then what is written. 0.99 to 0.999 smooths the result of long runs; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clip skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 takes the text encoders as the family uses them. k takes the k-th layer from the end, counted from 1: 2 is usual for SD 1.5 models trained on tags, and is what SDXL does by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adamw is the safe choice. adamw8bit is the same with smaller state. lion wants a learning rate 3 to 10 times lower. prodigy finds the rate by itself: set the learning rate to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far each update goes. 1e-4 is usual for a LoRA with adamw. Too high shows as broken or oversaturated samples, too low as no visible change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Betas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of the optimizer: of gradients, and of their squares. The defaults suit nearly everything; [0.9, 0.99] reacts faster on short runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the update finite where gradients are tiny. 1e-8 suits every state type, because the optimizer computes in fp32.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pulls the adapter's weights towards zero at every step, which holds it closer to the base model. 0.01 is mild; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update while going back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Updates each layer as soon as its gradient is known, so gradients need no memory. Rules out clipping by global norm and gradient accumulation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part of the model that this entry is for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its optimizer; without it, optimizer.type.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its learning rate; without it, optimizer.learning_rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its weight decay; without it, optimizer.weight_decay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per-part optimizers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An optimizer or learning rate of its own for a part, such as a lower rate for text encoders. Parts without an entry use the settings above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the learning rate changes over the run. constant is easiest to continue from. cosine and linear end softly, which often removes the last noise; rex stays high longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps over which the learning rate rises from zero. 5 % of the run tames the first updates at high rates.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lowest rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The schedule never goes below this share of the learning rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the written adapter, without folder and without .safetensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which program the file is for. kohya loads nearly everywhere; diffusers is for Python pipelines; peft writes a folder for each part; onetrainer, comfyui and a1111 are what those programs render as trained; plain_lora is for those without DoRA. A whole model is written as a folder with diffusers, else as one file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number type in the file. fp32 is exact; fp16 and bf16 halve the file, at no visible cost in use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save every</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps between checkpoints that a run can continue from exactly; 0 saves at the end only. A crash costs at most this many steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoints kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many verified checkpoints stay on disk. The oldest goes only after the newest has been read back and verified.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample every</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps between sample images, which also appear before the first step; 0 renders none. Samples never change the training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to render.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to steer away from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed of the starting noise, the same at every step so that samples compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width in px, a multiple of 8; 0 takes data.resolution.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height in px, a multiple of 8; 0 takes data.resolution.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampler steps; 20 to 30 show enough.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How strongly the prompt steers; 1 turns guidance off, 5 to 8 is usual.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is rendered while training. Use one prompt with your trigger words, and one without to see what else has changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x 75 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
