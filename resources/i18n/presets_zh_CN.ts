<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>presets</name>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Teaches the mini base model a little creature in a two-ink print look; minutes on two cores.</source>
        <translation>让迷你底模学会一只双色版画风格的小怪物；双核 CPU 只需几分钟。</translation>
    </message>
    <message>
        <source>Demo: Z-Image</source>
        <translation>演示：Z-Image</translation>
    </message>
    <message>
        <source>Teaches the mini Z-Image, a flow transformer, the demo's little creature and its two-ink print look; minutes on two cores.</source>
        <translation>让流式 Transformer 的迷你 Z-Image 学会演示中的小怪物及其双色版画风格；双核 CPU 只需几分钟。</translation>
    </message>
    <message>
        <source>PixArt LoRA</source>
        <translation>PixArt LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of PixArt-alpha or PixArt-Sigma at 1024 px, in bf16 with fp32 adapters, written in diffusers&apos; naming. For a person, an object or a style.</source>
        <translation>在 1024 px 下训练 PixArt-alpha 或 PixArt-Sigma 的 Transformer 注意力层 LoRA，bf16 计算，适配器为 fp32，按 diffusers 的命名保存。适合人物、物体或画风。</translation>
    </message>
    <message>
        <source>SDXL character</source>
        <translation>SDXL 角色</translation>
    </message>
    <message>
        <source>For one person or figure, from 15 to 40 images: a moderate rank and no mirrored images, so that the face keeps its sides. Name the figure by a rare word in every caption.</source>
        <translation>适合单个人物或角色，15 到 40 张图片：秩适中，不做镜像，以免面部左右颠倒。请在每条标注中用一个少见的词称呼该角色。</translation>
    </message>
    <message>
        <source>SDXL concept</source>
        <translation>SDXL 概念</translation>
    </message>
    <message>
        <source>For an object, a garment, a pose or another idea, from 10 to 30 images: a low rank that learns little besides, and mirrored images to see more of it.</source>
        <translation>适合物体、服装、姿势或其他概念，10 到 30 张图片：低秩可避免学到无关内容，镜像图片可增加样本。</translation>
    </message>
    <message>
        <source>SDXL DoRA</source>
        <translation>SDXL DoRA</translation>
    </message>
    <message>
        <source>A DoRA of attention and feed-forward layers in bf16: learns direction and magnitude apart, often closer to full fine-tuning at a low rank. Needs about 7 GB and a slower step than a LoRA.</source>
        <translation>以 bf16 训练注意力层和前馈层的 DoRA：方向与幅值分开学习，低秩下往往更接近全量微调。约需 7 GB 显存，每步比 LoRA 慢。</translation>
    </message>
    <message>
        <source>SDXL LoRA on 12 GB</source>
        <translation>SDXL LoRA（12 GB 显存）</translation>
    </message>
    <message>
        <source>The same preset for a card with 12 GB: activations are kept, so each step takes about a quarter less time. Needs about 10 GB.</source>
        <translation>同一预设的 12 GB 显卡版：保留激活值，每步用时约减少四分之一。约需 10 GB 显存。</translation>
    </message>
    <message>
        <source>SDXL LoRA on 24 GB</source>
        <translation>SDXL LoRA（24 GB 显存）</translation>
    </message>
    <message>
        <source>For a card with 24 GB: attention and feed-forward layers at rank 32, two images a step. Steadier gradients and more room to learn. Needs about 18 GB.</source>
        <translation>适合 24 GB 显卡：注意力层和前馈层，秩 32，每步两张图片。梯度更稳定，可学习的容量更大。约需 18 GB 显存。</translation>
    </message>
    <message>
        <source>SDXL LoRA, small and quick</source>
        <translation>SDXL LoRA（小而快）</translation>
    </message>
    <message>
        <source>768 px and rank 8: about half the time of the full preset and a little less memory, to try a data set out before the long run.</source>
        <translation>768 px、秩 8：时间约为完整预设的一半，显存也略少，适合在长时间训练之前先试用数据集。</translation>
    </message>
    <message>
        <source>SDXL LoRA on 8 GB</source>
        <translation>SDXL LoRA（8 GB 显存）</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers at 1024 px on a card with 8 GB: bf16 throughout, activations recomputed. Needs about 6 GB; works for a person, an object or a style.</source>
        <translation>在 8 GB 显卡上以 1024 px 训练 UNet 注意力层的 LoRA：全程 bf16，重新计算激活值。约需 6 GB 显存；适合人物、物体或画风。</translation>
    </message>
    <message>
        <source>SDXL LoRA with convolutions</source>
        <translation>SDXL LoRA（含卷积层）</translation>
    </message>
    <message>
        <source>Adapters on attention, feed-forward and convolution layers, for styles that live in texture and fine detail. Slower and larger than the plain LoRA.</source>
        <translation>在注意力层、前馈层和卷积层上训练适配器，适合体现在纹理和细节上的画风。比普通 LoRA 更慢、文件更大。</translation>
    </message>
    <message>
        <source>SDXL LoRA with FP8 weights</source>
        <translation>SDXL LoRA（FP8 权重）</translation>
    </message>
    <message>
        <source>The frozen UNet is kept in FP8 with one scale per channel, which leaves half of bf16&apos;s memory: about 3.5 GB in all, for cards with 6 GB. The adapter and all sums stay in fp32.</source>
        <translation>冻结的 UNet 以 FP8 存储，每个通道一个缩放系数，占用为 bf16 的一半：总共约 3.5 GB，适合 6 GB 显卡。适配器和所有累加保持 fp32。</translation>
    </message>
    <message>
        <source>SDXL LoRA with text encoders</source>
        <translation>SDXL LoRA（含文本编码器）</translation>
    </message>
    <message>
        <source>Also trains both text encoders, at a tenth of the UNet&apos;s learning rate, so that new trigger words are learned sooner. For a person or an object with a name of its own.</source>
        <translation>同时以 UNet 十分之一的学习率训练两个文本编码器，能更快学会新的触发词。适合有专属名称的人物或物体。</translation>
    </message>
    <message>
        <source>SDXL LoRA</source>
        <translation>SDXL LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers at 1024 px in fp32: exact, for CPU and for any card with enough memory. A good start for a person, an object or a style.</source>
        <translation>以 fp32 在 1024 px 下训练 UNet 注意力层的 LoRA：精确，可用于 CPU 和任何显存足够的显卡。适合作为人物、物体或画风训练的起点。</translation>
    </message>
    <message>
        <source>SDXL style</source>
        <translation>SDXL 画风</translation>
    </message>
    <message>
        <source>For a manner of drawing, painting or photographing, from 50 images or more: rank 32 on attention and feed-forward layers, captions dropped now and then so that the style also comes without its trigger words.</source>
        <translation>适合绘画或摄影风格，50 张图片以上：注意力层和前馈层秩 32，并随机丢弃标注，使画风在没有触发词时也能出现。</translation>
    </message>
    <message>
        <source>Z-Image LoRA</source>
        <translation>Z-Image LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Z-Image at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI reads. For a person, an object or a style. Train on the base model, not on Turbo.</source>
        <translation>在 1024 px 下训练 Z-Image 的 Transformer 注意力层 LoRA，bf16 计算，适配器为 fp32，按 ComfyUI 可读取的命名保存。适合人物、物体或画风。请在基础版模型上训练，不要用 Turbo。</translation>
    </message>
    <message>
        <source>Z-Image LoRA on 12 GB</source>
        <translation>Z-Image LoRA（12 GB 显存）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 12 GB. Needs about 9 GB; with less, the weights that don&apos;t fit stay in host memory.</source>
        <translation>同一预设的 12 GB 显存版：底模以带逐通道缩放的 FP8 存储，用 bf16 计算。约需 9 GB；显存更少时，放不下的权重留在内存中。</translation>
    </message>
    <message>
        <source>FLUX.2 klein LoRA</source>
        <translation>FLUX.2 klein LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of FLUX.2 klein at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Train on a base model: those without &quot;base&quot; in their names are distilled.</source>
        <translation>在 1024 px 下训练 FLUX.2 klein 的 Transformer 注意力层 LoRA，bf16 计算，适配器为 fp32，按 ComfyUI 和 diffusers 可读取的命名保存。适合人物、物体或画风。请在基础版模型上训练：名称中不带“base”的是蒸馏版。</translation>
    </message>
    <message>
        <source>FLUX.2 klein LoRA on 8 GB</source>
        <translation>FLUX.2 klein LoRA（8 GB 显存）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 8 GB. The 4B model needs about 6 GB; with less, the weights that don&apos;t fit stay in host memory.</source>
        <translation>同一预设的 8 GB 显存版：底模以带逐通道缩放的 FP8 存储，用 bf16 计算。4B 模型约需 6 GB；显存更少时，放不下的权重留在内存中。</translation>
    </message>
    <message>
        <source>Anima LoRA</source>
        <translation>Anima LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention and feed-forward layers of Anima at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI reads. For a character, an artist&apos;s style or a concept. Text encoder and text conditioner stay as they are.</source>
        <translation>在 1024 px 下训练 Anima 的 Transformer 注意力层和前馈层 LoRA，bf16 计算，适配器为 fp32，按 ComfyUI 可读取的命名保存。适合角色、画师风格或概念。文本编码器和文本条件网络保持不变。</translation>
    </message>
    <message>
        <source>Krea 2 LoRA</source>
        <translation>Krea 2 LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Krea 2 Raw at 1024 px, in bf16 with fp8 weights and fp32 adapters, written in the naming that ComfyUI reads. For a person, an object or a style. Train on Raw, not on a distilled model.</source>
        <translation>在 1024 px 下训练 Krea 2 Raw 的 Transformer 注意力层 LoRA，bf16 计算，权重为 fp8，适配器为 fp32，按 ComfyUI 可读取的命名保存。适合人物、物体或画风。请在 Raw 上训练，不要使用蒸馏版模型。</translation>
    </message>
    <message>
        <source>SD 1.5 LoRA</source>
        <translation>SD 1.5 LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers of Stable Diffusion 1.5, or of a model made from it, at 512 px in bf16 with fp32 adapters. For a person, an object or a style, on small cards too.</source>
        <translation>在 512 px 下训练 Stable Diffusion 1.5 或其衍生模型 UNet 注意力层的 LoRA，以 bf16 计算，适配器为 fp32。适合人物、物体或风格，显存较小的显卡也可使用。</translation>
    </message>
    <message>
        <source>SD 2.1 LoRA</source>
        <translation>SD 2.1 LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers of Stable Diffusion 2.0 or 2.1 at 768 px, in bf16 with fp32 adapters. The 768 px models predict v; for a base model of 512 px choose epsilon and that resolution.</source>
        <translation>在 768 px 下训练 Stable Diffusion 2.0 或 2.1 UNet 注意力层的 LoRA，以 bf16 计算，适配器为 fp32。768 px 的模型预测 v；如使用 512 px 的基础模型，请选择 epsilon 和相应的分辨率。</translation>
    </message>
    <message>
        <source>SDXL LoRA with NF4 weights</source>
        <translation>SDXL LoRA（NF4 权重）</translation>
    </message>
    <message>
        <source>The frozen UNet is kept in NF4, as in QLoRA, with doubly quantised scales, and the optimizer&apos;s state in 8 bits: about 2.2 GB in all, for cards with 4 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>冻结的 UNet 以 NF4 存储（与 QLoRA 相同，缩放因子双重量化），优化器状态为 8 位：总共约 2.2 GB，适合 4 GB 显卡。权重的损失比 FP8 大，每次使用时都要解码。</translation>
    </message>
    <message>
        <source>FLUX.2 klein LoRA on 6 GB</source>
        <translation>FLUX.2 klein LoRA（6 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 6 GB. The 4B model needs about 4.2 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同样的设置，但基础模型像 QLoRA 那样以 NF4 保存，以 bf16 计算：用于 6 GB 的显卡。4B 模型约需 4.2 GB。权重的损失比 FP8 大，每次使用时都要解码。</translation>
    </message>
    <message>
        <source>Z-Image LoRA on 8 GB</source>
        <translation>Z-Image LoRA（8 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 8 GB. Needs about 5.7 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同样的设置，但基础模型像 QLoRA 那样以 NF4 保存，以 bf16 计算：用于 8 GB 的显卡。约需 5.7 GB。权重的损失比 FP8 大，每次使用时都要解码。</translation>
    </message>
    <message>
        <source>Krea 2 LoRA on 12 GB</source>
        <translation>Krea 2 LoRA（12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA: for a card with 12 GB. Needs about 10.5 GB; with less, the weights that don&apos;t fit stay in host memory. Train on Raw, not on a distilled model.</source>
        <translation>同样的设置，但基础模型像 QLoRA 那样以 NF4 保存：用于 12 GB 的显卡。约需 10.5 GB；显存更少时，放不下的权重留在主机内存中。请在 Raw 上训练，而不是蒸馏模型。</translation>
    </message>
    <message>
        <source>SDXL LoRA in INT8</source>
        <translation>SDXL LoRA（INT8）</translation>
    </message>
    <message>
        <source>Z-Image LoRA in INT8</source>
        <translation>Z-Image LoRA（INT8）</translation>
    </message>
    <message>
        <source>Krea 2 LoRA in INT8</source>
        <translation>Krea 2 LoRA（INT8）</translation>
    </message>
    <message>
        <source>The denoiser&apos;s linear layers are stored and multiplied in INT8, rotated as in ComfyUI&apos;s INT8 files, everything else in bf16: for the RTX 30 series, whose cards multiply INT8 faster than 16 bits and have no FP8. The adapter and all sums stay in fp32.</source>
        <translation>去噪网络的线性层以 INT8 保存并相乘，像 ComfyUI 的 INT8 文件那样旋转，其余一切用 bf16：适合 RTX 30 系列，这些显卡的 INT8 乘法比 16 位快，且没有 FP8。适配器和所有求和都保持 fp32。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 24 GB</source>
        <translation>FLUX.3 klein LoRA（24 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of FLUX.3 Image klein Base at 1024 px, in bf16 with fp32 adapters, written in its authors&apos; naming. For a person, an object or a style. Train on Base: a distilled model loses its few steps.</source>
        <translation>在 1024 px 下训练 FLUX.3 Image klein Base 的 Transformer 注意力层 LoRA，bf16 计算，适配器为 fp32，按其作者的命名保存。适合人物、物体或画风。请在 Base 上训练：蒸馏模型会失去少步出图的能力。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 16 GB</source>
        <translation>FLUX.3 klein LoRA（16 GB）</translation>
    </message>
    <message>
        <source>The same with the text encoder stored in FP8 with a scale per channel and 8-bit optimizer states: for a card with 16 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同样的设置，但文本编码器以每通道缩放的 FP8 保存，优化器状态为 8 位：用于 16 GB 的显卡。放不下的权重留在主机内存中。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 12 GB</source>
        <translation>FLUX.3 klein LoRA（12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 12 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同样的设置，但基础模型以每通道缩放的 FP8 保存，以 bf16 计算：用于 12 GB 的显卡。放不下的权重留在主机内存中。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 8 GB</source>
        <translation>FLUX.3 klein LoRA（8 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 8 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同样的设置，但基础模型像 QLoRA 那样以 NF4 保存，以 bf16 计算：用于 8 GB 的显卡。权重的损失比 FP8 大，每次使用时都要解码。</translation>
    </message>
    <message>
        <source>Qwen-Image-2.1 LoRA on 24 GB</source>
        <translation>Qwen-Image-2.1 LoRA（24 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Qwen-Image-2.1 at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Every Qwen-Image-2.1 is distilled: a training adapter made for it keeps images sharp.</source>
        <translation>在 1024 px 下训练 Qwen-Image-2.1 的 Transformer 注意力层 LoRA，bf16 计算，适配器为 fp32，按 ComfyUI 和 diffusers 可读取的命名保存。适合人物、物体或画风。所有 Qwen-Image-2.1 都是蒸馏模型：使用专门的训练辅助适配器可保持图片清晰。</translation>
    </message>
    <message>
        <source>Qwen-Image-2.1 LoRA on 16 GB</source>
        <translation>Qwen-Image-2.1 LoRA（16 GB）</translation>
    </message>
    <message>
        <source>Qwen-Image-2.1 LoRA on 12 GB</source>
        <translation>Qwen-Image-2.1 LoRA（12 GB）</translation>
    </message>
    <message>
        <source>Qwen-Image-2.1 LoRA on 8 GB</source>
        <translation>Qwen-Image-2.1 LoRA（8 GB）</translation>
    </message>
    <message>
        <source>FLUX.1 LoRA</source>
        <translation>FLUX.1 LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of FLUX.1 at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Train on dev or a model of its kind: schnell loses its few steps.</source>
        <translation>在 1024 px 下训练 FLUX.1 transformer 注意力层的 LoRA，以 bf16 计算，适配器为 fp32，以 ComfyUI 和 diffusers 可读取的命名写出。适合人物、物体或画风。请在 dev 或同类模型上训练：schnell 会失去少步数生成的能力。</translation>
    </message>
    <message>
        <source>FLUX.1 LoRA on 16 GB</source>
        <translation>FLUX.1 LoRA（16 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 16 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同样的设置，但底模以每通道缩放的 FP8 保存，以 bf16 计算：用于 16 GB 的显卡。放不下的权重留在主机内存中。</translation>
    </message>
    <message>
        <source>FLUX.1 LoRA on 12 GB</source>
        <translation>FLUX.1 LoRA（12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 12 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同样的设置，但底模像 QLoRA 那样以 NF4 保存，以 bf16 计算：用于 12 GB 的显卡。权重的损失比 FP8 大，每次使用时都要解码。</translation>
    </message>
    <message>
        <source>Chroma LoRA on 24 GB</source>
        <translation>Chroma LoRA（24 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Chroma at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Noise levels are drawn without a shift, as its authors did. Train on HD or Base: Flash loses its few steps.</source>
        <translation>以 1024 px 训练 Chroma 的 Transformer 注意力层的 LoRA，计算用 bf16，适配器用 fp32，以 ComfyUI 和 diffusers 可读的命名保存。适合人物、物体或风格。噪声级别与作者训练时一样不加 shift。请在 HD 或 Base 上训练：Flash 会失去少步数生成的能力。</translation>
    </message>
    <message>
        <source>Chroma LoRA on 16 GB</source>
        <translation>Chroma LoRA（16 GB）</translation>
    </message>
    <message>
        <source>Chroma LoRA on 12 GB</source>
        <translation>Chroma LoRA（12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and 8-bit optimizer states: for a card with 12 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>相同设置，但底模以每通道带缩放的 FP8 存储，优化器状态为 8 位：适合 12 GB 的显卡。放不下的权重留在主机内存中。</translation>
    </message>
    <message>
        <source>Chroma LoRA on 8 GB</source>
        <translation>Chroma LoRA（8 GB）</translation>
    </message>
    <message>
        <source>Qwen-Image LoRA on 24 GB</source>
        <translation>Qwen-Image LoRA（24 GB）</translation>
    </message>
    <message>
        <source>Qwen-Image LoRA on 16 GB</source>
        <translation>Qwen-Image LoRA（16 GB）</translation>
    </message>
    <message>
        <source>Qwen-Image LoRA on 12 GB</source>
        <translation>Qwen-Image LoRA（12 GB）</translation>
    </message>
    <message>
        <source>Qwen-Image LoRA on 8 GB</source>
        <translation>Qwen-Image LoRA（8 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Qwen-Image or Qwen-Image-2512 at 1024 px, with the base model stored in FP8 with a scale per channel and computed in bf16, and fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Weights that don&apos;t fit stay in host memory.</source>
        <translation>在 1024 px 下训练 Qwen-Image 或 Qwen-Image-2512 的 Transformer 注意力层的 LoRA。基础模型以每通道缩放的 FP8 存储并用 bf16 计算，适配器为 fp32，按 ComfyUI 和 diffusers 可读的命名保存。适合人物、物体或画风。放不下的权重留在主机内存中。</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 16 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同样的设置，基础模型像 QLoRA 那样以 NF4 存储，用 bf16 计算，适合 16 GB 的显卡。权重的损失比 FP8 大，每次使用时解码。</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4 and 8-bit optimizer states: for a card with 12 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同样的设置，基础模型以 NF4 存储，优化器状态为 8 位，适合 12 GB 的显卡。放不下的权重留在主机内存中。</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4 and 8-bit optimizer states: for a card with 8 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同样的设置，基础模型以 NF4 存储，优化器状态为 8 位，适合 8 GB 的显卡。放不下的权重留在主机内存中。</translation>
    </message>
    <message>
        <source>ERNIE-Image LoRA on 24 GB</source>
        <translation>ERNIE-Image LoRA（24 GB）</translation>
    </message>
    <message>
        <source>ERNIE-Image LoRA on 16 GB</source>
        <translation>ERNIE-Image LoRA（16 GB）</translation>
    </message>
    <message>
        <source>ERNIE-Image LoRA on 12 GB</source>
        <translation>ERNIE-Image LoRA（12 GB）</translation>
    </message>
    <message>
        <source>ERNIE-Image LoRA on 8 GB</source>
        <translation>ERNIE-Image LoRA（8 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of ERNIE-Image at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI reads. For a person, an object or a style. Train on the base model: Turbo is distilled, and loses its few steps.</source>
        <translation>以 1024 px 训练 ERNIE-Image 的 Transformer 注意力层的 LoRA，计算用 bf16，适配器用 fp32，以 ComfyUI 可读的命名保存。适合人物、物体或风格。请在基础模型上训练：Turbo 是蒸馏模型，会失去少步数生成的能力。</translation>
    </message>
</context>
</TS>
