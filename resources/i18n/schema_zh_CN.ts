<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>schema</name>
    <message>
        <source>For a model that edits: names of the reference images that the prompt is about, separated by commas, as they are in the run&apos;s folders of references, with or without their ending. A name that several folders hold stands for all of them.</source>
        <translation>用于会编辑的模型：提示词所针对的参考图的名称，以逗号分隔，即它们在运行的参考图文件夹中的名称，可带或不带扩展名。多个文件夹都有的名称代表其中所有的图。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>References</source>
        <translation>参考图</translation>
    </message>
    <message>
        <source>What this preset is called in lists and in the history of runs.</source>
        <translation>预设在列表和训练历史中显示的名字。</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>What the preset is good for and what it needs, for whoever receives it.</source>
        <translation>这个预设适合做什么、需要什么条件，写给拿到它的人看。</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Who made the preset.</source>
        <translation>预设的制作者。</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Words to find the preset by, such as style or portrait.</source>
        <translation>便于查找预设的词，例如 style 或 portrait。</translation>
    </message>
    <message>
        <source>Model family</source>
        <translation>模型系列</translation>
    </message>
    <message>
        <source>Architecture of the base model. auto reads it from the file; name one to be told at once when a different base model is given.</source>
        <translation>底模的架构。auto 从文件中读取；指定一种后，若给出的底模不符会立即提示。</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>lora learns a low-rank change of each weight: small, quick, loaded by every program. dora also learns each weight's magnitude: often closer to full fine-tuning at low rank, for a slower step and a little more memory. loha multiplies two low-rank products entry by entry, for a change of rank squared; use a rank of 4 to 32. lokr is a Kronecker product of a small and a larger matrix: the smallest files.</source>
        <translation>lora 学习每个权重的低秩变化：体积小、速度快，所有程序都能加载。dora 还学习每个权重的幅值：低秩时往往更接近全量微调，代价是每步稍慢、显存略多。loha 把两个低秩乘积逐元素相乘，变化的秩可达秩的平方；秩取 4 到 32 为宜。lokr 是一个小矩阵与一个较大矩阵的克罗内克积：文件最小。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>秩 (Rank)</translation>
    </message>
    <message>
        <source>Size of the adapter: how much it can learn, and how large its file is. 8 to 16 for a person or an object, 16 to 32 for a style or several subjects, up to 64 for fine texture. A higher rank also memorises small data sets sooner.</source>
        <translation>适配器的大小：决定它能学多少，也决定文件多大。人物或物体用 8 到 16，风格或多个主体用 16 到 32，细腻质感最多 64。秩越高，小数据集也越早过拟合。</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>The adapter's output is multiplied by alpha / rank. alpha = rank keeps the factor at 1. Halving alpha acts much like a lower learning rate, so change one of the two.</source>
        <translation>适配器的输出会乘以 alpha / rank。alpha = rank 时系数为 1。alpha 减半的效果与降低学习率相近，所以两者只改其一。</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Share of the adapter's input that is zeroed at random while training. 0.05 to 0.1 helps against overfitting on a few images; 0 turns it off.</source>
        <translation>训练时适配器输入中被随机置零的比例。图片很少时，0.05 到 0.1 有助于防止过拟合；0 为关闭。</translation>
    </message>
    <message>
        <source>Target layers</source>
        <translation>目标层</translation>
    </message>
    <message>
        <source>Layers that get an adapter. attention is the usual LoRA. attention+mlp also covers the feed-forward layers and learns styles better. linear+conv covers convolutions too, for texture and fine detail. A list of module-path patterns picks layers one by one.</source>
        <translation>哪些层加上适配器。attention 就是常见的 LoRA。attention+mlp 还包括前馈层，更容易学到风格。linear+conv 连卷积也包括，适合纹理和细节。也可以用模块路径模式的列表逐层挑选。</translation>
    </message>
    <message>
        <source>Convolution rank</source>
        <translation>卷积秩</translation>
    </message>
    <message>
        <source>Rank for convolutions where the targets hold any; 0 takes adapter.rank. A 3x3 convolution at the same rank is nine times as large on its input side, so 4 to 8 is often enough.</source>
        <translation>目标包含卷积时卷积所用的秩；0 表示沿用 adapter.rank。同样的秩下，3x3 卷积的输入侧是普通层的九倍大，因此 4 到 8 往往就够了。</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>缩放方式</translation>
    </message>
    <message>
        <source>standard multiplies by alpha / rank. rslora multiplies by alpha / sqrt(rank), which keeps high ranks (64 and up) learning as fast as low ones.</source>
        <translation>standard 乘以 alpha / rank。rslora 乘以 alpha / sqrt(rank)，让高秩（64 及以上）学得和低秩一样快。</translation>
    </message>
    <message>
        <source>Initialization</source>
        <translation>初始化</translation>
    </message>
    <message>
        <source>standard starts from a random A and a zero B, so training begins exactly at the base model. pissa starts from the weight's largest singular vectors: converges faster, takes a while to prepare.</source>
        <translation>standard 从随机的 A 和全零的 B 开始，训练起点与底模完全一致。pissa 从权重最大的奇异向量开始：收敛更快，但准备需要一些时间。</translation>
    </message>
    <message>
        <source>LoRA+ ratio</source>
        <translation>LoRA+ 倍率</translation>
    </message>
    <message>
        <source>How many times faster the up matrices learn than the down matrices. 1 is ordinary LoRA; LoRA+ takes about 16, which learns faster at the same learning rate of the down matrices.</source>
        <translation>up 矩阵的学习速度是 down 矩阵的多少倍。1 就是普通 LoRA；LoRA+ 约取 16，在 down 矩阵学习率不变时学得更快。</translation>
    </message>
    <message>
        <source>DoRA axis</source>
        <translation>DoRA 轴</translation>
    </message>
    <message>
        <source>Which side of the weight gets a magnitude for each of its channels. output is that of the DoRA paper, PEFT and LyCORIS; input is OneTrainer's default and the one that ComfyUI renders as trained. loha and lokr have magnitudes with adapter.decompose.</source>
        <translation>权重的哪一侧为每个通道配一个幅值。output 与 DoRA 论文、PEFT 和 LyCORIS 一致；input 是 OneTrainer 的默认值，也是 ComfyUI 出图时与训练一致的方式。loha 和 lokr 在开启 adapter.decompose 后才有幅值。</translation>
    </message>
    <message>
        <source>Weight decomposition (DoRA)</source>
        <translation>权重分解 (DoRA)</translation>
    </message>
    <message>
        <source>Trains a magnitude for each channel of a weight beside its LoHa or LoKr, as DoRA does beside a LoRA: LyCORIS's dora_wd. A step takes longer, because each weight is added up with its change to take the norm.</source>
        <translation>在 LoHa 或 LoKr 之外，为权重的每个通道再训练一个幅值，就像 DoRA 之于 LoRA：即 LyCORIS 的 dora_wd。由于要把每个权重与其变化量相加来求范数，每一步会更慢。</translation>
    </message>
    <message>
        <source>LoKr factor</source>
        <translation>LoKr 因子</translation>
    </message>
    <message>
        <source>Size of LoKr's small matrix, which each side of a weight is divided by as far as it can be. -1 makes both matrices as square as possible, for the smallest files; 4 to 16 leave more to learn. Where adapter.rank is at least half of the larger matrix's side, that is trained whole, and alpha has no effect.</source>
        <translation>LoKr 小矩阵的大小，权重的每一边尽可能按它来划分。-1 使两个矩阵都尽量接近方阵，文件最小；4 到 16 可学习的内容更多。当 adapter.rank 不小于较大矩阵边长的一半时，该矩阵会整体训练，alpha 不起作用。</translation>
    </message>
    <message>
        <source>Denoiser weight type</source>
        <translation>去噪网络权重精度</translation>
    </message>
    <message>
        <source>Storage type of the frozen denoiser, a UNet or a transformer. fp32 is exact; bf16 or fp16 halve its memory; the fp8 types and int8 quarter it at a small loss of precision, which check reports; int8 loses less than fp8, and int8_convrot, rotated as in ComfyUI&apos;s files, less where a layer has a few large values. nf4 (QLoRA) takes an eighth, loses more, and takes some time to decode. mxfp8 and nvfp4 are a little larger than fp8 and nf4; gguf keeps a GGUF file&apos;s blocks as they are. These three suit files that come in them.</source>
        <translation>冻结的去噪网络（UNet 或 Transformer）在显存中以什么类型保存。fp32 精确；bf16 或 fp16 占用减半；fp8 类型和 int8 降到四分之一，带来少量损失，“检查”会给出报告；int8 的损失比 fp8 小，int8_convrot 像 ComfyUI 的文件那样旋转，在一层有少数很大的值时损失更小。nf4（QLoRA）降到八分之一，损失更大，解码也要花一些时间。mxfp8 和 nvfp4 比 fp8 和 nf4 略大；gguf 原样保留 GGUF 文件的块。这三种适合本来就以它们保存的文件。</translation>
    </message>
    <message>
        <source>Text encoder weight type</source>
        <translation>文本编码器权重精度</translation>
    </message>
    <message>
        <source>Storage type of the frozen text encoders. Matters only while captions are encoded, or throughout when a text encoder is trained.</source>
        <translation>冻结的文本编码器在显存中以什么类型保存。只在编码标注时有影响；如果训练文本编码器，则始终有影响。</translation>
    </message>
    <message>
        <source>VAE weight type</source>
        <translation>VAE 权重精度</translation>
    </message>
    <message>
        <source>Storage type of the VAE. SDXL's own VAE overflows in fp16: use fp32 or bf16.</source>
        <translation>VAE 在显存中以什么类型保存。SDXL 自带的 VAE 在 fp16 下会溢出：请用 fp32 或 bf16。</translation>
    </message>
    <message>
        <source>Compute type</source>
        <translation>计算类型</translation>
    </message>
    <message>
        <source>Type of activations and matmuls. fp32 is the reference and the choice on a CPU. bf16 is fast and safe on recent cards. fp16 suits older cards and needs loss scaling. fp8 and int8 multiply 8-bit codes in the denoiser&apos;s linear layers: fp8 on cards from the RTX 40 series on, int8 also on the RTX 30 series and CPUs, int8_fp16 on the RTX 20 series. Between these products values are bf16; int8_fp16 keeps them in fp16. Accumulation is always in fp32, of int8 exact.</source>
        <translation>激活值和矩阵乘法的类型。fp32 是基准，也是 CPU 上的选择。bf16 在新显卡上又快又稳。fp16 适合旧显卡，需要损失缩放。fp8 和 int8 在去噪网络的线性层中以 8 位编码相乘：fp8 用于 RTX 40 系列及以后的显卡，int8 还可用于 RTX 30 系列和 CPU，RTX 20 系列用 int8_fp16。这些乘法之间的值是 bf16，int8_fp16 则是 fp16。无论哪种，求和都用 fp32，int8 的求和是精确的。</translation>
    </message>
    <message>
        <source>Adapter weight type</source>
        <translation>适配器权重精度</translation>
    </message>
    <message>
        <source>Type of the trained weights. The adapter is small: keep fp32 unless memory is very short, because small updates vanish in 16 bits.</source>
        <translation>被训练的权重的类型。适配器很小：除非显存非常紧张，请保持 fp32，因为微小的更新在 16 位下会丢失。</translation>
    </message>
    <message>
        <source>Gradient type</source>
        <translation>梯度精度</translation>
    </message>
    <message>
        <source>Type that gradients are accumulated in. fp32 keeps small ones over many accumulation steps.</source>
        <translation>汇总梯度所用的类型。累积步数较多时，fp32 可避免丢失微小的梯度。</translation>
    </message>
    <message>
        <source>Optimizer state type</source>
        <translation>优化器状态精度</translation>
    </message>
    <message>
        <source>Type of the optimizer's moments. 8bit quarters them, which matters at high ranks.</source>
        <translation>优化器动量的类型。8bit 降到四分之一，秩较高时作用明显。</translation>
    </message>
    <message>
        <source>Stochastic rounding</source>
        <translation>随机舍入</translation>
    </message>
    <message>
        <source>Rounds updates of 16-bit adapter weights and optimizer state up or down at random, in proportion, so that small updates add up instead of vanishing. Keep it on with either of them.</source>
        <translation>对 16 位的适配器权重和优化器状态，按比例随机向上或向下舍入更新，使微小的更新能够累积而不是消失。用到两者之一时请保持开启。</translation>
    </message>
    <message>
        <source>Kahan summation</source>
        <translation>Kahan 求和</translation>
    </message>
    <message>
        <source>Keeps what rounding a bf16 adapter weight lost and adds it to the next update, in place of stochastic rounding. Exact to about 16 bits for 2 more bytes a weight.</source>
        <translation>把 bf16 适配器权重舍入时丢掉的部分留下，加到下一次更新中，用来代替随机舍入。每个权重多用 2 字节，精确到约 16 位。</translation>
    </message>
    <message>
        <source>FP8 scaling</source>
        <translation>FP8 缩放</translation>
    </message>
    <message>
        <source>Where the scales of FP8 matmuls come from. current measures each row of a tensor, which is the faster and the finer way; delayed takes one scale per tensor, from the maximum of the last 1024 steps, as some other trainers do.</source>
        <translation>FP8 乘法的缩放系数从何而来。current 按张量每一行当前的值测量，更快也更精细；delayed 每个张量只用一个缩放系数，取自最近 1024 步的最大值，其他一些训练器也这样做。</translation>
    </message>
    <message>
        <source>Loss scaling</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Multiplies the loss so that small fp16 gradients do not become zero. auto turns it on where fp16 needs it; dynamic adapts the factor; a number fixes it.</source>
        <translation>放大损失，使微小的 fp16 梯度不会变成零。auto 在 fp16 需要时启用；dynamic 自动调整系数；填一个数字则固定系数。</translation>
    </message>
    <message>
        <source>Pinned layers</source>
        <translation>固定类型的层</translation>
    </message>
    <message>
        <source>Module-path patterns that keep a type of their own, such as {"denoiser.conv_in": "fp32"}. Of patterns that name the same module, the one with the most characters besides * counts. For layers that probe finds sensitive.</source>
        <translation>单独指定类型的模块路径模式，例如 {&quot;denoiser.conv_in&quot;: &quot;fp32&quot;}。如果多个模式匹配同一模块，以除 * 外字符最多的为准。用于 probe 发现的敏感层。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>Side of the square whose area each image is fitted to. 1024 is SDXL's own; 768 trains in about half the time, with somewhat less memory.</source>
        <translation>每张图片会缩放到以此为边长的正方形的面积。SDXL 原生为 1024；768 的训练时间约为一半，显存也略少。</translation>
    </message>
    <message>
        <source>Aspect-ratio buckets</source>
        <translation>宽高比分桶</translation>
    </message>
    <message>
        <source>Keeps each image's shape by grouping similar ones. Off crops every image to a square.</source>
        <translation>把形状相近的图片分到同一个桶，保留各自的宽高比。关闭后，所有图片都裁成正方形。</translation>
    </message>
    <message>
        <source>Bucket rule</source>
        <translation>分桶规则</translation>
    </message>
    <message>
        <source>How bucket sizes are made and images are assigned to them. ours keeps the area, picks the nearest aspect ratio and gives the model the true crop. kohya and onetrainer do as those programs do, to reproduce a run made there.</source>
        <translation>有哪些尺寸、图片归入哪一个。ours 保持面积，取最接近的形状，并把真实的裁剪位置告诉模型。kohya 和 onetrainer 按那两个程序的方式分桶，用来重做在那里进行过的训练。</translation>
    </message>
    <message>
        <source>Smallest bucket side</source>
        <translation>分桶最短边</translation>
    </message>
    <message>
        <source>Minimum side of kohya's buckets. 256 is kohya's default.</source>
        <translation>kohya 规则的桶没有比这更短的边。那里的默认值也是 256。</translation>
    </message>
    <message>
        <source>Largest bucket side</source>
        <translation>分桶最长边</translation>
    </message>
    <message>
        <source>Maximum side of kohya's buckets. 1024, kohya's default, shrinks wide and tall SDXL images below the full area; 2048 keeps it.</source>
        <translation>kohya 规则的桶没有比这更长的边。那里的默认值 1024 会把 SDXL 的宽图和长图裁得小于其面积；2048 能保持面积。</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Images per step. Larger batches give steadier gradients and need more memory; training.gradient_accumulation does the same without the memory.</source>
        <translation>每步的图片数。越大梯度越平稳，显存也越多；training.gradient_accumulation 同样能让梯度平稳，却不占显存。</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>How often each image is used per epoch. The length of a run is training.steps, or training.epochs.</source>
        <translation>每张图片在一轮中使用的次数。训练的长度由 training.steps 或 training.epochs 决定。</translation>
    </message>
    <message>
        <source>Repeats from folder names</source>
        <translation>按文件夹名重复</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Repeats, loss weight, caption prefix and resolution for the images of single folders, by the folder's name: to balance a large folder against a small one, or to give each subject its own trigger word. The nearest folder around an image counts.</source>
        <translation>按文件夹名为其中的图片设置重复次数、损失权重、标注前缀和分辨率：用于平衡大小不同的文件夹，或让每个主体有自己的触发词。以图片所在的最近一层文件夹为准。</translation>
    </message>
    <message>
        <source>Reads folder names as sd-scripts does: images in &quot;10_zorb creature&quot; are used 10 times as often per epoch, which balances folders of very different sizes. Images there without a caption get &quot;zorb creature&quot;. Left out, with a notice, are folders whose name begins with 0 and, beside folders with a number, those without one.</source>
        <translation>按 sd-scripts 的方式读取文件夹名：“10_zorb creature”中的图片在每一轮中使用 10 倍的次数，可平衡大小悬殊的文件夹。其中没有标注的图片使用“zorb creature”。名称以 0 开头的文件夹，以及与带数字的文件夹并列的不带数字的文件夹会被略过，并给出提示。</translation>
    </message>
    <message>
        <source>Caption dropout</source>
        <translation>标注丢弃率</translation>
    </message>
    <message>
        <source>Share of steps with an empty caption, so that the adapter also works without its trigger words. 0.05 to 0.1 for styles, 0 for subjects.</source>
        <translation>使用空标注的步数比例，让适配器在没有触发词时也起作用。风格用 0.05 到 0.1，主体用 0。</translation>
    </message>
    <message>
        <source>Shuffle tags</source>
        <translation>打乱标签</translation>
    </message>
    <message>
        <source>Shuffles a caption's comma-separated tags every epoch, so that no tag gains weight from its position. Captions are then encoded at every step: text encoders stay in memory, and a step takes a little longer.</source>
        <translation>每一轮把标注中用逗号分隔的标签换一个顺序，这样没有标签会因为排在前面而更受重视。标注会在每一步重新编码：文本编码器留在显存中，每步略慢一些。</translation>
    </message>
    <message>
        <source>Tags kept first</source>
        <translation>保留在前的标签</translation>
    </message>
    <message>
        <source>Number of leading tags that are not shuffled. 1 keeps a trigger word first. Without data.shuffle_captions no tag moves.</source>
        <translation>打乱其他标签时，有几个标签留在开头。1 可让触发词位置不变。没有开启 data.shuffle_captions 时，标签不会移动。</translation>
    </message>
    <message>
        <source>Mirror images</source>
        <translation>镜像翻转</translation>
    </message>
    <message>
        <source>Also trains on each image mirrored left to right. Not for faces, text or anything asymmetric.</source>
        <translation>同时用左右镜像的图片训练。不要用于人脸、文字或任何左右不同的东西。</translation>
    </message>
    <message>
        <source>Versions of each image</source>
        <translation>每张图片的版本数</translation>
    </message>
    <message>
        <source>How many versions of each image are made, each cropped, rotated and coloured at random within the amounts below; training uses all of them in turn. Each is encoded once, so encoding takes that many times as long and the cache that many times the space. 8 is usually enough. Another training.seed makes other versions.</source>
        <translation>每张图片生成多少个版本：每个版本在下列幅度内随机裁剪、旋转和调色，训练依次使用所有版本。每个版本编码一次，因此编码时间和缓存占用都是相应的倍数。通常 8 个就够。更换 training.seed 会得到另一批版本。</translation>
    </message>
    <message>
        <source>Crop jitter</source>
        <translation>裁剪抖动</translation>
    </message>
    <message>
        <source>Enlarges each version by up to this share more than its bucket needs and crops it at a random place. 0 crops around the centre; 0.1 varies the framing.</source>
        <translation>每个版本比分桶所需再放大最多这一比例，并在随机位置裁剪。0 表示居中裁剪；0.1 会让构图有所变化。</translation>
    </message>
    <message>
        <source>Rotation</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>degrees</source>
        <translation>度</translation>
    </message>
    <message>
        <source>Rotates each version by up to this angle to either side and enlarges it just enough that no corner is empty. 5 to 10 for objects; 0 where the horizon matters.</source>
        <translation>每个版本向任一侧旋转最多这一角度，并恰好放大到没有空白角。物体可用 5 到 10；在意地平线时用 0。</translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation>亮度</translation>
    </message>
    <message>
        <source>Multiplies the brightness of each version by a factor that differs from 1 by at most this much. 0.1 is mild. Not for styles: their colours are what is learned.</source>
        <translation>把每个版本的亮度乘以一个与 1 最多相差此值的系数。0.1 较温和。不适合画风：它要学的正是颜色。</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Multiplies the distance to the image&apos;s mean grey by a factor that differs from 1 by at most this much. 0.1 is mild.</source>
        <translation>把与图片平均灰度的差乘以一个与 1 最多相差此值的系数。0.1 较温和。</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>饱和度</translation>
    </message>
    <message>
        <source>Multiplies the distance to grey by a factor that differs from 1 by at most this much. 0.1 is mild.</source>
        <translation>把与灰色的差乘以一个与 1 最多相差此值的系数。0.1 较温和。</translation>
    </message>
    <message>
        <source>Hue</source>
        <translation>色相</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>圈</translation>
    </message>
    <message>
        <source>Shifts the hues of each version by up to this share of the colour circle to either side. 0.02 is mild; more gives things other colours.</source>
        <translation>把每个版本的色相向任一侧移动最多色环的这一比例。0.02 较温和；更大会让物体变成别的颜色。</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>遮罩</translation>
    </message>
    <message>
        <source>Weights the loss by region: white counts, black does not. files reads &lt;name&gt;-masklabel.png beside each image; alpha uses the image's alpha channel. An image without a mask counts everywhere.</source>
        <translation>按位置给损失加权：白色计入，黑色不计。files 读取每张图片旁边的 &lt;name&gt;-masklabel.png；alpha 使用图片自身的透明度。没有遮罩的图片整张计入。</translation>
    </message>
    <message>
        <source>Weight outside the mask</source>
        <translation>遮罩外的权重</translation>
    </message>
    <message>
        <source>Minimum loss weight of a region, however dark its mask. 0 learns nothing there; 0.1 keeps the background from falling apart.</source>
        <translation>无论遮罩多暗，一个位置的最小权重。0 表示那里什么都不学；0.1 可避免周围崩坏。</translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation>验证比例</translation>
    </message>
    <message>
        <source>Share of the images that are never trained on; their loss shows whether the run still learns or only memorises. They are picked by content, so the choice stays the same when images are added. 0.05 to 0.1 of a hundred images and more; a separate folder can be given instead.</source>
        <translation>从不参与训练的图片比例，用它们的损失来看训练是仍在学习，还是只在死记。选哪些由图片内容决定，增加图片也不会变。一百张以上时用 0.05 到 0.1；也可以改为指定单独的文件夹。</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>What is encoded once and kept on disk. all caches latents and encoded captions, so neither VAE nor text encoders stay in memory. latents is used automatically when text encoders are trained.</source>
        <translation>哪些内容只计算一次并保存在磁盘上。all 保存图片潜变量和编码后的标注，VAE 和文本编码器都不必留在显存中。训练文本编码器时会自动使用 latents。</translation>
    </message>
    <message>
        <source>Caption length</source>
        <translation>标注长度</translation>
    </message>
    <message>
        <source>Chunks of 75 tokens that a caption may have; the rest is cut. Each chunk is encoded separately. 1 is what CLIP was made for, 3 fits most long captions.</source>
        <translation>一条标注最多可占几段，每段 75 个 token，超出部分会被截断。各段分别编码。CLIP 原本按 1 段设计，3 段能容下大多数长标注。</translation>
    </message>
    <message>
        <source>Weighted captions</source>
        <translation>加权标注</translation>
    </message>
    <message>
        <source>Reads (word:1.2), (word) and [word] in captions and sample prompts as emphasis rather than as text. Off takes every bracket literally.</source>
        <translation>把标注和采样提示词中的 (word:1.2)、(word) 和 [word] 当作强调，而不是文字。关闭后，所有括号都按原样处理。</translation>
    </message>
    <message>
        <source>Training method</source>
        <translation>训练方法</translation>
    </message>
    <message>
        <source>adapter trains a small LoRA or DoRA beside the frozen model. full moves the model's own weights and writes a whole model: for making a base model, or for large data sets and much memory.</source>
        <translation>adapter 在冻结的模型旁训练一个小的 LoRA 或 DoRA。full 直接改变模型自身的权重并写出完整模型：用于制作底模，或数据集很大、显存充足的情况。</translation>
    </message>
    <message>
        <source>Trained weights</source>
        <translation>训练的权重</translation>
    </message>
    <message>
        <source>Module-path patterns of the weights to train in the trained parts, such as &quot;denoiser.*.attentions.*&quot;; * trains everything. The rest stays frozen.</source>
        <translation>在训练组件中，哪些权重会变化，用模块路径模式表示，例如 &quot;denoiser.*.attentions.*&quot;；* 表示全部。其余保持冻结。</translation>
    </message>
    <message>
        <source>Trained parts</source>
        <translation>训练组件</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数 (epoch)</translation>
    </message>
    <message>
        <source>Length of the run in epochs, in place of training.steps: in one epoch every image is used as often as its repeats say. The plan shows how many steps that makes. 0 trains by steps.</source>
        <translation>以轮数 (epoch) 代替 training.steps 决定训练长度：一轮中每张图片按其重复次数使用。计划会显示相应的步数。0 表示按步数训练。</translation>
    </message>
    <message>
        <source>Optimizer steps of the run. 1000 to 2000 for a subject on 10 to 30 images, 3000 and more for a style on hundreds.</source>
        <translation>整个训练中更新适配器的次数。10 到 30 张图的主体用 1000 到 2000 步，几百张图的风格用 3000 步以上。</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>Batches accumulated into one update: the effect of a larger batch without its memory, for that many times the time per step.</source>
        <translation>多少批合成一次更新：效果等于更大的批，却不占更多显存，代价是每步耗时变为相应的倍数。</translation>
    </message>
    <message>
        <source>Gradient checkpointing</source>
        <translation>梯度检查点</translation>
    </message>
    <message>
        <source>Recomputes activations instead of keeping them: much less memory, about a third more time. The result is the same.</source>
        <translation>重新计算激活值而不保存它们：显存少得多，时间约多三分之一。结果不变。</translation>
    </message>
    <message>
        <source>Checkpointing scope</source>
        <translation>检查点范围</translation>
    </message>
    <message>
        <source>What gradient checkpointing recomputes. blocks recomputes everything and saves the most memory. feed_forward recomputes norms, activations and the transformer blocks&apos; feed-forward layers, whose activations are the largest: about half of the saving for a third of the extra time. activations recomputes norms and activations alone, at almost no cost. The result is the same with each.</source>
        <translation>梯度检查点重新计算哪些部分。blocks 重新计算全部，最省显存。feed_forward 重新计算归一化层、激活函数以及激活值最大的 Transformer 块前馈层：以约三分之一的额外时间换来约一半的节省。activations 只重新计算归一化层和激活函数，几乎不增加时间。各选项的结果相同。</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>Scales gradients down to this global norm when they exceed it, so that one bad batch can't ruin the adapter. 0 turns clipping off.</source>
        <translation>全局范数超过此值的梯度会按比例缩小到此值，避免某个异常的批毁掉适配器。0 为关闭裁剪。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Fixes every random choice of the run: the same seed, data and settings give the same adapter.</source>
        <translation>固定训练中的所有随机选择：种子、数据和设置都相同，得到的适配器也相同。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>The error between prediction and target. mse, the squared error, is what base models are trained with. huber grows linearly beyond training.huber_c, so that outliers such as a stray watermark count less; smooth_l1 is the same divided by that width. Both are the functions of sd-scripts and diffusers; losses of different kinds can&apos;t be compared.</source>
        <translation>预测与目标之间的误差。mse 即平方误差，基础模型就是用它训练的。huber 超过 training.huber_c 后线性增长，因此混入的水印等离群值影响较小；smooth_l1 是同一函数除以该宽度。两者均与 sd-scripts 和 diffusers 的函数相同；不同类型的损失值不能相互比较。</translation>
    </message>
    <message>
        <source>Huber width</source>
        <translation>Huber 宽度</translation>
    </message>
    <message>
        <source>Errors well below this width count squared, those well above it linearly. 0.1 is usual; large values approach the squared error.</source>
        <translation>远小于此宽度的误差按平方计算，远大于它的按线性计算。通常为 0.1；取值很大时接近平方误差。</translation>
    </message>
    <message>
        <source>Huber schedule</source>
        <translation>Huber 调度</translation>
    </message>
    <message>
        <source>The width at each noise level. constant is training.huber_c everywhere; exponential and snr start at 1 on clean images, where errors show details, and reach training.huber_c at pure noise.</source>
        <translation>各噪声水平下的宽度。constant 始终为 training.huber_c；exponential 和 snr 在无噪声的图片上从 1 开始（此处误差反映细节），到纯噪声时降至 training.huber_c。</translation>
    </message>
    <message>
        <source>Min-SNR gamma</source>
        <translation>Min-SNR gamma</translation>
    </message>
    <message>
        <source>Reduces the weight of nearly noise-free timesteps, which otherwise dominate. 5 is the published value and often converges faster; 0 turns it off.</source>
        <translation>降低几乎无噪声的时间步的权重，否则它们会占主导。5 是论文中的取值，通常收敛更快；0 为关闭。</translation>
    </message>
    <message>
        <source>Noise offset</source>
        <translation>噪声偏移</translation>
    </message>
    <message>
        <source>Adds a constant per channel to the noise, so that very dark and very bright images can be learned. 0.03 to 0.05 where needed; 0 turns it off.</source>
        <translation>给噪声的每个通道加上一个常数，以便学会很暗和很亮的图片。需要时用 0.03 到 0.05；0 为关闭。</translation>
    </message>
    <message>
        <source>Prior preservation</source>
        <translation>先验保留</translation>
    </message>
    <message>
        <source>Loss weight of the prior images, which have folders of their own: images of the class that keep the model from forgetting it. They are repeated to match the number of training images. 0 leaves them out.</source>
        <translation>先验保留图片的损失权重。这些图片由单独的文件夹给出：是同类事物的图片，防止模型把它忘掉。它们会重复到与其他图片一样多。0 表示不使用。</translation>
    </message>
    <message>
        <source>Validate every</source>
        <translation>验证间隔</translation>
    </message>
    <message>
        <source>Computes the validation loss every so many steps and at each checkpoint, always with the same noise at the same four timesteps. Costs about one training step per validation image and never changes the training.</source>
        <translation>每隔多少步看一次验证图片的损失，每个检查点也看一次，总是用同样的噪声和同样的四个时间步。每张这样的图片大约花费一个训练步的时间，不会影响训练。</translation>
    </message>
    <message>
        <source>Losses of single images</source>
        <translation>单张图片的损失</translation>
    </message>
    <message>
        <source>Measures single training images before the first step and after the last, always with the same noise, to name those that the run never learned or whose captions don&apos;t fit. At most this share of the run&apos;s computing: images beyond it are left out, evenly. 0 measures none. Never changes the training.</source>
        <translation>在第一步之前和最后一步之后逐张测量训练图片，始终使用相同的噪声，以指出始终没有学会或标注不相符的图片。最多占训练计算量的这个比例：超出的图片会均匀地略去。0 表示不测量。不会改变训练。</translation>
    </message>
    <message>
        <source>Prediction target</source>
        <translation>预测目标</translation>
    </message>
    <message>
        <source>What the base model predicts: the noise (epsilon), the velocity (v) or the velocity of a rectified flow (flow). auto takes it from the base model; a wrong one gives washed-out or noisy images.</source>
        <translation>底模预测什么：噪声 (epsilon)、速度 (v) 还是整流流的速度 (flow)。auto 按底模决定；选错会得到发灰或满是噪点的图片。</translation>
    </message>
    <message>
        <source>Zero terminal SNR</source>
        <translation>零终端 SNR</translation>
    </message>
    <message>
        <source>Rescales the noise schedule so that its last step is pure noise. Only for base models that were trained so, which are v-prediction models.</source>
        <translation>重新缩放噪声调度，使最后一步为纯噪声。只用于这样训练出来的底模，也就是 v 预测模型。</translation>
    </message>
    <message>
        <source>Timestep distribution</source>
        <translation>时间步分布</translation>
    </message>
    <message>
        <source>How often each noise level is trained. uniform trains all alike; logit_normal and mode, as published with SD3 (mean 0, deviation 1; scale 1.29), train those in the middle more often. In a flow model, training.flow_shift then moves them. sigmoid and shifted are the sigmoid and shift of sd-scripts: logit_normal without any shift, and with it, for flow models only. Validation timesteps stay the same.</source>
        <translation>各噪声级别的训练频率。uniform 均匀训练所有级别；logit_normal 和 mode 是 SD3 论文中的分布（均值 0、标准差 1；缩放 1.29），更多地训练中间的级别。对于流模型，随后再按 training.flow_shift 偏移。sigmoid 和 shifted 相当于 sd-scripts 的 sigmoid 和 shift：前者是不加偏移的 logit_normal，后者是加偏移的 logit_normal，仅用于流模型。验证所用的时间步不变。</translation>
    </message>
    <message>
        <source>Flow shift</source>
        <translation>流偏移 (shift)</translation>
    </message>
    <message>
        <source>How far the trained noise levels of a flow model are shifted towards noise: 1 not at all, 3 is common. auto takes the base model&apos;s own shift, which may follow the size of each image. Samples, validation and saved models keep the base model&apos;s shift; a model that first becomes a flow gets this one.</source>
        <translation>把流模型所训练的噪声级别向噪声一侧偏移多少：1 表示不偏移，常用 3。auto 使用底模自己的偏移，它可能随每张图片的尺寸变化。样图、验证和保存的模型仍使用底模的偏移；由其他类型首次转为流模型的模型则使用此值。</translation>
    </message>
    <message>
        <source>Weight averaging</source>
        <translation>权重平均 (EMA)</translation>
    </message>
    <message>
        <source>Decay of a running average (EMA) of the adapter, which is saved in place of the last weights. 0.99 to 0.999 smooths the result of long runs; 0 turns it off.</source>
        <translation>适配器滑动平均的衰减系数，最终写出的就是这个平均值。0.99 到 0.999 能让长训练的结果更平滑；0 为关闭。</translation>
    </message>
    <message>
        <source>Clip skip</source>
        <translation>CLIP 跳过层数</translation>
    </message>
    <message>
        <source>0 takes the text encoders as the family uses them. k takes the k-th layer from the end, counted from 1: 2 is usual for SD 1.5 models trained on tags, and is what SDXL does by itself.</source>
        <translation>0 表示按该模型系列的惯例使用文本编码器。k 表示取倒数第 k 层，从 1 数起：用标签训练的 SD 1.5 模型常用 2，SDXL 本身就是如此。</translation>
    </message>
    <message>
        <source>VAE KL weight</source>
        <translation>VAE 的 KL 权重</translation>
    </message>
    <message>
        <source>For VAE training: how strongly latents are pulled towards a unit Gaussian. Higher values make latents smoother and easier to learn, and images softer.</source>
        <translation>训练 VAE 时，潜变量被拉向单位高斯分布的程度。越大，潜变量越平滑、越容易学习，图片也越柔和。</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>adamw is the safe choice. adamw8bit is the same with smaller state. lion wants a learning rate 3 to 10 times lower. prodigy finds the rate by itself: set the learning rate to 1. The two schedulefree ones average the weights and save the average, so that no schedule has to lower the rate. muon makes the update of each matrix orthogonal. automagic finds a rate for each value: set the learning rate to 1e-6, where each begins.</source>
        <translation>adamw 是稳妥的选择。adamw8bit 与它相同，只是状态更小。lion 的学习率要低 3 到 10 倍。prodigy 自己寻找学习率：请把学习率设为 1。两个 schedulefree 优化器对权重取平均并保存平均值，因此不需要用调度降低学习率。muon 把每个矩阵的更新正交化。automagic 为每个值寻找学习率：请把学习率设为 1e-6，这是每个值的起点。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>How far each update goes. 1e-4 is usual for a LoRA with adamw. Too high shows as broken or oversaturated samples, too low as no visible change.</source>
        <translation>每次更新走多远。用 adamw 训练 LoRA 通常取 1e-4。太高时样图会崩坏或过饱和，太低则看不出变化。</translation>
    </message>
    <message>
        <source>Betas</source>
        <translation>Beta 系数</translation>
    </message>
    <message>
        <source>Decay rates of the optimizer's averages of gradients and of their squares. The defaults suit nearly everything; [0.9, 0.99] reacts faster on short runs. muon has the first as its momentum, for which 0.95 is usual.</source>
        <translation>优化器的记忆：分别对应梯度和梯度的平方。默认值几乎适合所有情况；[0.9, 0.99] 在短训练中反应更快。muon 以第一个值为动量，通常为 0.95。</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Keeps the update finite where gradients are tiny. 1e-8 suits every state type, because the optimizer computes in fp32.</source>
        <translation>梯度极小时保证更新量有限。1e-8 适合所有状态类型，因为优化器用 fp32 计算。</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Pulls the adapter's weights towards zero at every step, which holds it closer to the base model. 0.01 is mild; 0 turns it off.</source>
        <translation>每一步都把适配器的权重往零拉，使它更接近底模。0.01 比较温和；0 为关闭。</translation>
    </message>
    <message>
        <source>Size of Muon updates</source>
        <translation>Muon 更新的大小</translation>
    </message>
    <message>
        <source>match_rms_adamw makes them as large as those of adamw, whose learning rates then apply. original is that of Muon's first version, with rates around 0.02.</source>
        <translation>match_rms_adamw 使更新与 adamw 的一样大，因此可用 adamw 的学习率。original 是 Muon 最初版本的大小，学习率约为 0.02。</translation>
    </message>
    <message>
        <source>Fused backward pass</source>
        <translation>融合反向传播</translation>
    </message>
    <message>
        <source>Updates each layer as soon as its gradient is known, so gradients need no memory. Rules out clipping by global norm and gradient accumulation.</source>
        <translation>某层的梯度一算出就更新该层，因此梯度不占显存。不能与全局范数裁剪和梯度累积同时使用。</translation>
    </message>
    <message>
        <source>The part of the model that this entry is for.</source>
        <translation>此条目对应的模型部件。</translation>
    </message>
    <message>
        <source>Its optimizer; without it, optimizer.type.</source>
        <translation>该部件的优化器；不填则用 optimizer.type。</translation>
    </message>
    <message>
        <source>Its learning rate; without it, optimizer.learning_rate.</source>
        <translation>该部件的学习率；不填则用 optimizer.learning_rate。</translation>
    </message>
    <message>
        <source>Its weight decay; without it, optimizer.weight_decay.</source>
        <translation>该部件的权重衰减；不填则用 optimizer.weight_decay。</translation>
    </message>
    <message>
        <source>Per-part optimizers</source>
        <translation>分部件优化器</translation>
    </message>
    <message>
        <source>An optimizer or learning rate of its own for a part, such as a lower rate for text encoders. Parts without an entry use the settings above.</source>
        <translation>给某个部件单独设置优化器或学习率，例如让文本编码器用更低的学习率。没有条目的部件沿用上面的设置。</translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>How the learning rate changes over the run. constant is easiest to continue from. cosine and linear end softly, which often removes the last noise; rex stays high longer. polynomial is linear to a power; cosine_restarts jumps back to the full rate, cosine_waves returns to it gradually; inverse_sqrt falls ever more slowly.</source>
        <translation>学习率在训练过程中如何变化。constant 最便于续训。cosine 和 linear 平缓收尾，往往能去掉最后的噪点；rex 保持高位的时间更长。polynomial 是 linear 的幂；cosine_restarts 直接跳回完整的学习率，cosine_waves 逐渐回升；inverse_sqrt 下降得越来越慢。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Steps over which the learning rate rises evenly: of w warm-up steps, the first is taken at 1/w of it, the last at all of it. 5% of the run tames the first updates at high rates.</source>
        <translation>学习率均匀上升所用的步数：预热 w 步时，第一步使用学习率的 1/w，最后一步使用全部学习率。约占整个训练的 5%，可缓和高学习率下最初的更新。</translation>
    </message>
    <message>
        <source>Lowest rate</source>
        <translation>最低学习率</translation>
    </message>
    <message>
        <source>The schedule never goes below this share of the learning rate.</source>
        <translation>调度中的学习率不会低于设定学习率的这个比例。</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>周期数</translation>
    </message>
    <message>
        <source>How often the rate falls from its highest to its lowest value. In cosine_restarts it then jumps back, so 1 is plain cosine; in cosine_waves it rises again as slowly as it fell within each cycle, so 0.5 is plain cosine.</source>
        <translation>学习率从最高值降到最低值的次数。cosine_restarts 随后直接跳回，因此 1 就是普通的 cosine；cosine_waves 在每个周期内以同样的速度回升，因此 0.5 就是普通的 cosine。</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>幂次</translation>
    </message>
    <message>
        <source>Exponent of the polynomial schedule. 1 is linear; higher values fall sooner, lower ones later.</source>
        <translation>polynomial 调度的指数。1 即 linear；值越大下降越早，越小越晚。</translation>
    </message>
    <message>
        <source>REX β</source>
        <translation>REX β</translation>
    </message>
    <message>
        <source>How late the REX schedule falls. 0 is linear, 0.5 is the value of its paper, 0.9 is that of other trainers.</source>
        <translation>REX 调度下降得有多晚。0 即 linear，0.5 是论文的值，0.9 是其他训练程序的值。</translation>
    </message>
    <message>
        <source>Decay steps</source>
        <translation>衰减步数</translation>
    </message>
    <message>
        <source>Last steps of the run, over which the rate falls; before them it stays at its full value (warm-up, stable, decay). 0 lets it fall from the end of the warm-up on.</source>
        <translation>训练末尾学习率下降所用的步数；在此之前保持不变（预热、稳定、衰减）。0 表示从预热结束起就开始下降。</translation>
    </message>
    <message>
        <source>Timescale</source>
        <translation>时间尺度</translation>
    </message>
    <message>
        <source>Steps after the warm-up at which inverse_sqrt has 0.71 of the full rate; it has half of it after three times as many.</source>
        <translation>inverse_sqrt 在预热之后降到 0.71 倍所需的步数；三倍于此时降到一半。</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>Name of the written adapter, without folder and without .safetensors.</source>
        <translation>写出的适配器的名字，不含文件夹，也不含 .safetensors。</translation>
    </message>
    <message>
        <source>Key format</source>
        <translation>键名格式</translation>
    </message>
    <message>
        <source>Which program the file is for. kohya loads nearly everywhere; diffusers is for Python pipelines; peft writes a folder for each part; onetrainer, comfyui and a1111 are what those programs render as trained; plain_lora is for those without DoRA. A whole model is written as a folder with diffusers, else as one file.</source>
        <translation>文件给哪个程序用。kohya 几乎到处都能加载；diffusers 用于 Python 管线；peft 为每个部件写一个文件夹；onetrainer、comfyui 和 a1111 按各自程序的方式写出，出图与训练一致；plain_lora 给不支持 DoRA 的程序。完整模型用 diffusers 时写成文件夹，否则写成单个文件。</translation>
    </message>
    <message>
        <source>Save precision</source>
        <translation>保存精度</translation>
    </message>
    <message>
        <source>Number type of the saved file. fp32 is exact; fp16 and bf16 halve the file at no visible cost.</source>
        <translation>文件中的数值类型。fp32 精确；fp16 和 bf16 文件减半，使用时看不出差别。</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>保存间隔</translation>
    </message>
    <message>
        <source>Save by epoch</source>
        <translation>按轮保存</translation>
    </message>
    <message>
        <source>Steps between checkpoints that a run can continue from exactly; 0 leaves that to output.save_minutes. A crash costs at most this many steps.</source>
        <translation>每隔多少步保存一个可以精确续训的检查点；0 表示交给 output.save_minutes。崩溃最多损失这么多步。</translation>
    </message>
    <message>
        <source>Save by time</source>
        <translation>按时间保存</translation>
    </message>
    <message>
        <source>Epochs between checkpoints, beside those by steps and by time; 0 saves none by epoch. output.keep says how many stay.</source>
        <translation>除按步数和按时间外，每隔多少轮保存一个检查点；0 表示不按轮保存。保留数量由 output.keep 决定。</translation>
    </message>
    <message>
        <source>Minutes of training between checkpoints, beside those by steps; 0 saves by steps only. A crash costs at most this time, and saving changes no result.</source>
        <translation>除按步数外，训练每隔多少分钟保存一个检查点；0 表示只按步数保存。崩溃最多损失这段时间；保存不影响训练结果。</translation>
    </message>
    <message>
        <source>Checkpoints kept</source>
        <translation>保留的检查点</translation>
    </message>
    <message>
        <source>How many verified checkpoints stay on disk. The oldest goes only after the newest has been read back and verified.</source>
        <translation>磁盘上保留多少个已校验的检查点。只有最新的检查点读回并校验通过后，才会删除最旧的。</translation>
    </message>
    <message>
        <source>TensorBoard files</source>
        <translation>TensorBoard 文件</translation>
    </message>
    <message>
        <source>Writes losses, rates, norms and samples to event files in the tensorboard folder of the run as well, for TensorBoard and programs that read its files.</source>
        <translation>同时把损失、学习率、范数和样图写入运行文件夹中 tensorboard 文件夹的事件文件，供 TensorBoard 及读取其文件的程序使用。</translation>
    </message>
    <message>
        <source>Words in the adapter</source>
        <translation>单词放入适配器</translation>
    </message>
    <message>
        <source>Writes the vectors of embedding.tokens into the adapter&apos;s file, as A1111 and OneTrainer bundle them, instead of into files of their own. Some programs refuse such a file, such as diffusers; others leave the words out.</source>
        <translation>把 embedding.tokens 的向量写入适配器文件，如 A1111 和 OneTrainer 那样附带，而不是写成单独的文件。有些程序（如 diffusers）会拒绝这样的文件，其他程序会忽略这些单词。</translation>
    </message>
    <message>
        <source>Sample every</source>
        <translation>采样间隔</translation>
    </message>
    <message>
        <source>Epochs between sample images, beside those by steps; 0 renders none by epoch.</source>
        <translation>除按步数外，每隔多少轮生成样图；0 表示不按轮生成。</translation>
    </message>
    <message>
        <source>Sample by time</source>
        <translation>按时间采样</translation>
    </message>
    <message>
        <source>Minutes of training between sample images, beside those by steps; 0 renders none by time. Rendering and pauses don&apos;t count.</source>
        <translation>除按步数采样外，每训练多少分钟生成样图；0 表示不按时间生成。生成样图和暂停的时间不计。</translation>
    </message>
    <message>
        <source>Sample by epoch</source>
        <translation>按轮生成样图</translation>
    </message>
    <message>
        <source>Steps between sample images, which also appear before the first step; 0: not by steps, and if samples.every_epochs and samples.every_minutes are 0 too, no samples are made. Samples never change the training.</source>
        <translation>每隔多少步生成样图，第一步之前也会生成；0 表示不按步数生成，如果 samples.every_epochs 和 samples.every_minutes 也是 0，则不生成样图。样图不影响训练。</translation>
    </message>
    <message>
        <source>What to render.</source>
        <translation>要生成的内容。</translation>
    </message>
    <message>
        <source>What to steer away from.</source>
        <translation>要避开的内容。</translation>
    </message>
    <message>
        <source>Seed of the starting noise, the same at every step so that samples compare.</source>
        <translation>初始噪声的种子，每次采样都相同，便于比较样图。</translation>
    </message>
    <message>
        <source>Width in px, a multiple of 8; 0 takes data.resolution.</source>
        <translation>宽度（像素），须为 8 的倍数；0 表示沿用 data.resolution。</translation>
    </message>
    <message>
        <source>Height in px, a multiple of 8; 0 takes data.resolution.</source>
        <translation>高度（像素），须为 8 的倍数；0 表示沿用 data.resolution。</translation>
    </message>
    <message>
        <source>Sampler steps; 20 to 30 show enough. At the defaults, 20 with guidance 6, a model with values of its own is sampled by those: FLUX.1 schnell with 4 steps and no guidance.</source>
        <translation>采样步数；20 到 30 步足以看清效果。保持默认（20 步、引导强度 6）时，有自身取值的模型按其取值采样：FLUX.1 schnell 为 4 步、无引导。</translation>
    </message>
    <message>
        <source>How strongly the prompt steers; 1 turns guidance off, 5 to 8 is usual.</source>
        <translation>提示词的引导强度 (CFG)；1 为关闭引导，通常取 5 到 8。</translation>
    </message>
    <message>
        <source>Sample prompts</source>
        <translation>采样提示词</translation>
    </message>
    <message>
        <source>What is rendered while training. Use one prompt with your trigger words, and one without to see what else has changed.</source>
        <translation>训练过程中生成的内容。建议一条带触发词，一条不带，看看其他方面有没有跟着变。</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>批</translation>
    </message>
    <message>
        <source>images</source>
        <translation>张</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>x 75 tokens</source>
        <translation>× 75 个 token</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样图</translation>
    </message>
    <message>
        <source>training.timesteps logit_normal</source>
        <translation>将 training.timesteps 改为 logit_normal</translation>
    </message>
    <message>
        <source>Buckets left out</source>
        <translation>停用的分桶</translation>
    </message>
    <message>
        <source>Sizes that no image is trained at, written WIDTHxHEIGHT; their images go to the nearest other size. For a size with so few images that most of a batch repeats. The Data page shows the sizes and switches them on and off.</source>
        <translation>不用于训练的尺寸，写成“宽x高”；这些尺寸的图片会归入最接近的其他尺寸。适用于图片太少、批次中大多是重复图片的尺寸。可在“数据”页查看并启用或停用各尺寸。</translation>
    </message>
    <message>
        <source>Ranks of single layers</source>
        <translation>单独指定各层的秩</translation>
    </message>
    <message>
        <source>Ranks and alphas for layers by their path, in place of adapter.rank and adapter.conv_rank: more where a subject is learned, less or 0 where it only costs memory. The first entry that names a layer counts; adapter.targets still decide which layers have an adapter at all.</source>
        <translation>按路径为各层指定秩和 Alpha，取代 adapter.rank 和 adapter.conv_rank：学习主体的层可以更高，只占内存的层可以更低或设为 0。以第一个匹配该层的项为准；哪些层带适配器仍由 adapter.targets 决定。</translation>
    </message>
    <message>
        <source>A module-path pattern, such as denoiser.up_blocks.*; * stands for any text.</source>
        <translation>模块路径的模式，例如 denoiser.up_blocks.*；* 代表任意文字。</translation>
    </message>
    <message>
        <source>Rank of the adapters there; 0 leaves those layers out.</source>
        <translation>这些层的适配器的秩；0 表示不训练这些层。</translation>
    </message>
    <message>
        <source>Alpha there; 0 takes adapter.alpha.</source>
        <translation>这些层的 Alpha；0 表示使用 adapter.alpha。</translation>
    </message>
    <message>
        <source>Name of a folder around the images, at any depth, or of the chosen folder itself.</source>
        <translation>图片所在的某一级文件夹的名称，或所选文件夹本身的名称。</translation>
    </message>
    <message>
        <source>How often each image there is used per epoch, times data.repeats; 0 leaves it to the folder&apos;s name.</source>
        <translation>其中每张图片每轮使用的次数，再乘以 data.repeats；0 表示由文件夹名称决定。</translation>
    </message>
    <message>
        <source>Weight of their loss: below 1 they count less, above 1 more.</source>
        <translation>其损失的权重：小于 1 影响更小，大于 1 影响更大。</translation>
    </message>
    <message>
        <source>Put before each caption there, followed by a space: for example a trigger word.</source>
        <translation>加在其中每条标注前面并以空格分隔的文字，例如触发词。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Negative prompt</source>
        <translation>负面提示词</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>引导强度</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Loss weight</source>
        <translation>损失权重</translation>
    </message>
    <message>
        <source>Caption prefix</source>
        <translation>标注前缀</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>From the base model</source>
        <translation>依底模而定</translation>
    </message>
    <message>
        <source>Standard (alpha / rank)</source>
        <translation>标准 (alpha / 秩)</translation>
    </message>
    <message>
        <source>Standard (starts at zero)</source>
        <translation>标准 (从零开始)</translation>
    </message>
    <message>
        <source>Per output</source>
        <translation>按输出</translation>
    </message>
    <message>
        <source>Per input</source>
        <translation>按输入</translation>
    </message>
    <message>
        <source>Equal area</source>
        <translation>等面积</translation>
    </message>
    <message>
        <source>kohya</source>
        <translation>kohya</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不缓存</translation>
    </message>
    <message>
        <source>Latents</source>
        <translation>潜变量 (latent)</translation>
    </message>
    <message>
        <source>Latents and text</source>
        <translation>潜变量和文本</translation>
    </message>
    <message>
        <source>Mask files</source>
        <translation>遮罩文件</translation>
    </message>
    <message>
        <source>Alpha channel</source>
        <translation>Alpha 通道</translation>
    </message>
    <message>
        <source>Full model</source>
        <translation>完整模型</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>Feed-forward layers</source>
        <translation>前馈层</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>By SNR</source>
        <translation>按 SNR</translation>
    </message>
    <message>
        <source>Noise (epsilon)</source>
        <translation>噪声 (epsilon)</translation>
    </message>
    <message>
        <source>v-prediction</source>
        <translation>v 预测</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>Flow</translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>Logit-normal</source>
        <translation>Logit-normal</translation>
    </message>
    <message>
        <source>Sigmoid</source>
        <translation>Sigmoid</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Mode</translation>
    </message>
    <message>
        <source>Shifted</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>当前值</translation>
    </message>
    <message>
        <source>Delayed</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>DoRA</source>
        <translation>DoRA</translation>
    </message>
    <message>
        <source>LoHa</source>
        <translation>LoHa</translation>
    </message>
    <message>
        <source>LoKr</source>
        <translation>LoKr</translation>
    </message>
    <message>
        <source>rsLoRA</source>
        <translation>rsLoRA</translation>
    </message>
    <message>
        <source>PiSSA</source>
        <translation>PiSSA</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力层</translation>
    </message>
    <message>
        <source>Attention and MLP</source>
        <translation>注意力层和 MLP</translation>
    </message>
    <message>
        <source>Linear and convolution layers</source>
        <translation>线性层和卷积层</translation>
    </message>
    <message>
        <source>Denoiser</source>
        <translation>去噪网络</translation>
    </message>
    <message>
        <source>Text encoder 1</source>
        <translation>文本编码器 1</translation>
    </message>
    <message>
        <source>Text encoder 2</source>
        <translation>文本编码器 2</translation>
    </message>
    <message>
        <source>VAE</source>
        <translation>VAE</translation>
    </message>
    <message>
        <source>FP32</source>
        <translation>FP32</translation>
    </message>
    <message>
        <source>TF32</source>
        <translation>TF32</translation>
    </message>
    <message>
        <source>BF16</source>
        <translation>BF16</translation>
    </message>
    <message>
        <source>FP16</source>
        <translation>FP16</translation>
    </message>
    <message>
        <source>FP8</source>
        <translation>FP8</translation>
    </message>
    <message>
        <source>FP8 E4M3</source>
        <translation>FP8 E4M3</translation>
    </message>
    <message>
        <source>FP8 E5M2</source>
        <translation>FP8 E5M2</translation>
    </message>
    <message>
        <source>INT8</source>
        <translation>INT8</translation>
    </message>
    <message>
        <source>INT8 with FP16</source>
        <translation>INT8 加 FP16</translation>
    </message>
    <message>
        <source>INT8 ConvRot</source>
        <translation>INT8 ConvRot</translation>
    </message>
    <message>
        <source>MXFP8</source>
        <translation>MXFP8</translation>
    </message>
    <message>
        <source>NF4</source>
        <translation>NF4</translation>
    </message>
    <message>
        <source>NVFP4</source>
        <translation>NVFP4</translation>
    </message>
    <message>
        <source>GGUF</source>
        <translation>GGUF</translation>
    </message>
    <message>
        <source>8-bit</source>
        <translation>8 位</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Dynamic</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>MSE</translation>
    </message>
    <message>
        <source>Huber</source>
        <translation>Huber</translation>
    </message>
    <message>
        <source>Smooth L1</source>
        <translation>Smooth L1</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>AdamW 8-bit</source>
        <translation>AdamW 8 位</translation>
    </message>
    <message>
        <source>As large as AdamW&apos;s</source>
        <translation>与 AdamW 一样大</translation>
    </message>
    <message>
        <source>As published</source>
        <translation>按原论文</translation>
    </message>
    <message>
        <source>AdamW, schedule-free</source>
        <translation>AdamW(无调度)</translation>
    </message>
    <message>
        <source>Prodigy, schedule-free</source>
        <translation>Prodigy(无调度)</translation>
    </message>
    <message>
        <source>Muon</source>
        <translation>Muon</translation>
    </message>
    <message>
        <source>Automagic (a rate for each value)</source>
        <translation>Automagic（每个值各有学习率）</translation>
    </message>
    <message>
        <source>Lion</source>
        <translation>Lion</translation>
    </message>
    <message>
        <source>Adafactor</source>
        <translation>Adafactor</translation>
    </message>
    <message>
        <source>Prodigy</source>
        <translation>Prodigy</translation>
    </message>
    <message>
        <source>CAME</source>
        <translation>CAME</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Cosine with restarts</source>
        <translation>余弦重启</translation>
    </message>
    <message>
        <source>REX</source>
        <translation>REX</translation>
    </message>
    <message>
        <source>Polynomial</source>
        <translation>多项式</translation>
    </message>
    <message>
        <source>Cosine waves</source>
        <translation>余弦波</translation>
    </message>
    <message>
        <source>Inverse square root</source>
        <translation>平方根倒数</translation>
    </message>
    <message>
        <source>diffusers</source>
        <translation>diffusers</translation>
    </message>
    <message>
        <source>Plain LoRA</source>
        <translation>普通 LoRA</translation>
    </message>
    <message>
        <source>PEFT</source>
        <translation>PEFT</translation>
    </message>
    <message>
        <source>OneTrainer</source>
        <translation>OneTrainer</translation>
    </message>
    <message>
        <source>ComfyUI</source>
        <translation>ComfyUI</translation>
    </message>
    <message>
        <source>A1111</source>
        <translation>A1111</translation>
    </message>
    <message>
        <source>Further resolutions</source>
        <translation>其他分辨率</translation>
    </message>
    <message>
        <source>Every image is also trained at each of these, in batches of their own: 512, 768 beside 1024 makes an epoch three times as long, and a result that holds at those sizes. Images smaller than a size are enlarged for it, and counted in the findings. data.folders gives single folders a resolution of their own.</source>
        <translation>每张图片还会以这些分辨率各训练一遍，各自成批：在 1024 之外加上 512、768，一个轮次会变为三倍长，结果在这些尺寸下也适用。小于某一尺寸的图片会被放大，并在检查结果中计数。data.folders 可为单个文件夹指定自己的分辨率。</translation>
    </message>
    <message>
        <source>The resolution that the images there are trained at, in px, in place of data.resolution and data.further_resolutions; 0 leaves it to those.</source>
        <translation>该文件夹中图片的训练分辨率（px），取代 data.resolution 和 data.further_resolutions；0 表示沿用它们。</translation>
    </message>
    <message>
        <source>Training purpose</source>
        <translation>训练目的</translation>
    </message>
    <message>
        <source>images learns what the images and captions show. slider learns the difference between two prompts and needs no images: the adapter&apos;s weight then moves that attribute, from -1 to 1 and beyond. pair_slider learns such an attribute from pairs of images that differ in it alone. adapter makes a training adapter for a distilled base model, from images that this model makes itself.</source>
        <translation>images 学习图片和标注所展示的内容。slider 学习两个提示词之间的差异，不需要图片：适配器的权重从 -1 到 1 乃至更远，就会移动该属性。pair_slider 从只在该属性上不同的图片对中学习这样的属性。adapter 用经过蒸馏的底模自己生成的图片，为它制作训练辅助适配器。</translation>
    </message>
    <message>
        <source>Output preservation</source>
        <translation>输出保留</translation>
    </message>
    <message>
        <source>Keeps the adapter from changing what the base model makes of other captions, without prior images: on the same noised images, the base model&apos;s own prediction is a second target. class is for a subject: each caption with training.class_word in place of training.trigger_word. empty is for a style: an empty caption. A step takes about twice as long, with up to twice the activations in memory.</source>
        <translation>不用正则化图片，也能避免适配器改变底模对其他标注的输出：对同样加噪的图片，以底模自身的预测作为第二个目标。class 用于主体：把每条标注中的 training.trigger_word 换成 training.class_word。empty 用于风格：空标注。每步耗时约为两倍，激活值最多占两倍内存。</translation>
    </message>
    <message>
        <source>Preservation weight</source>
        <translation>输出保留权重</translation>
    </message>
    <message>
        <source>Weight of the preservation loss beside the loss on the images. 1 is usual; more keeps the base model&apos;s output better and slows learning.</source>
        <translation>输出保留损失相对于图片损失的权重。通常为 1；越大越能保留底模的输出，学习也越慢。</translation>
    </message>
    <message>
        <source>Trigger word</source>
        <translation>触发词</translation>
    </message>
    <message>
        <source>The word in the captions that stands for what is learned. The captions must contain it already: an image whose caption lacks it is trained without preservation.</source>
        <translation>标注中代表所学内容的词。标注必须已包含它：标注中没有它的图片不带输出保留训练。</translation>
    </message>
    <message>
        <source>Class word</source>
        <translation>类别词</translation>
    </message>
    <message>
        <source>What the trigger word is an example of, such as person or dog. It replaces the trigger word in the preserved captions.</source>
        <translation>触发词所属的类别，例如 person 或 dog。在保留的标注中用它替换触发词。</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Slider</source>
        <translation>滑块</translation>
    </message>
    <message>
        <source>Slider of image pairs</source>
        <translation>图片对滑块</translation>
    </message>
    <message>
        <source>Class captions</source>
        <translation>类别标注</translation>
    </message>
    <message>
        <source>Empty caption</source>
        <translation>空标注</translation>
    </message>
    <message>
        <source>Slider target</source>
        <translation>滑块目标</translation>
    </message>
    <message>
        <source>Prompt of what the slider changes, such as &quot;a photo of a person&quot;.</source>
        <translation>滑块所改变的对象的提示词，例如 &quot;a photo of a person&quot;。</translation>
    </message>
    <message>
        <source>Positive prompt</source>
        <translation>正向提示词</translation>
    </message>
    <message>
        <source>The target with the attribute at its full, such as &quot;a photo of a very old person&quot;: where weights above 0 lead.</source>
        <translation>属性最强时的目标，例如 &quot;a photo of a very old person&quot;：大于 0 的权重朝此方向。</translation>
    </message>
    <message>
        <source>The target with the opposite attribute, such as &quot;a photo of a very young person&quot;: where weights below 0 lead.</source>
        <translation>属性相反的目标，例如 &quot;a photo of a very young person&quot;：小于 0 的权重朝此方向。</translation>
    </message>
    <message>
        <source>Slider strength</source>
        <translation>滑块强度</translation>
    </message>
    <message>
        <source>How many times the difference between the two prompts a weight of 1 applies. 3 is usual; higher values learn faster and change more beside the attribute.</source>
        <translation>权重为 1 时施加两个提示词差异的多少倍。通常为 3；越大学得越快，但属性之外的改变也越多。</translation>
    </message>
    <message>
        <source>Anchor prompt</source>
        <translation>锚点提示词</translation>
    </message>
    <message>
        <source>A prompt that the slider must not change, such as &quot;a photo of a house&quot;: there the base model&apos;s own prediction is the target. Empty anchors nothing.</source>
        <translation>滑块不得改变的提示词，例如 &quot;a photo of a house&quot;：以底模自身的预测为目标。留空则不固定任何内容。</translation>
    </message>
    <message>
        <source>Anchor weight</source>
        <translation>锚点权重</translation>
    </message>
    <message>
        <source>Weight of the loss on the anchor prompt. 0 turns it off.</source>
        <translation>锚点提示词的损失权重。0 表示关闭。</translation>
    </message>
    <message>
        <source>Images of the target</source>
        <translation>目标图片数</translation>
    </message>
    <message>
        <source>How many images of the target the base model makes before training; noise is added to these. More vary more and take longer.</source>
        <translation>训练前底模生成的目标图片数量；训练时对它们加噪。越多变化越丰富，耗时越长。</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>单词</translation>
    </message>
    <message>
        <source>The word in captions and prompts, such as zorb; the file is named after it.</source>
        <translation>标注和提示词中的单词，如 zorb；文件以它命名。</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>向量数</translation>
    </message>
    <message>
        <source>How many vectors it has, each of which takes the place of a token.</source>
        <translation>它有多少个向量；每个向量占用一个 token 的位置。</translation>
    </message>
    <message>
        <source>Initial text</source>
        <translation>初始文本</translation>
    </message>
    <message>
        <source>Text whose vectors it starts from, repeated or cut to their number, such as a cat.</source>
        <translation>作为起点的文本，如 a cat；其向量按数量重复或截断。</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Standard deviation of random vectors, where there is no initial text.</source>
        <translation>没有初始文本时，随机向量的标准差。</translation>
    </message>
    <message>
        <source>Words with trained vectors of their own (textual inversion). Captions and sample prompts must hold each word. More vectors learn more and generalize less; 1 to 4 are usual. Embeddings need a higher learning rate than adapters, 0.001 to 0.005, see optimizer.groups.</source>
        <translation>拥有自己可训练向量的单词（Textual Inversion）。标注和样图提示词必须包含每个单词。向量越多学得越多，泛化越弱；通常为 1 到 4 个。嵌入需要比适配器更高的学习率（0.001 到 0.005），见 optimizer.groups。</translation>
    </message>
    <message>
        <source>Parts of the model to train. denoiser, the UNet or transformer, alone is right for most runs; te1 and te2 (the text encoders) help with new words and need a lower learning rate, see optimizer.groups. embeddings, alone or beside others, are vectors of new words: see embedding.tokens. vae alone, with training.method full, trains the autoencoder of a new base model.</source>
        <translation>模型中参与学习的部件。大多数情况只选 denoiser（UNet 或 Transformer）即可；te1 和 te2（文本编码器）有助于学习新词，需要更低的学习率，见 optimizer.groups。embeddings 是新词的向量，可单独训练，也可与其他部件一起训练，见 embedding.tokens。vae 须单独选用并配合 training.method full，用于训练新底模的自编码器。</translation>
    </message>
    <message>
        <source>Training adapter</source>
        <translation>训练辅助适配器</translation>
    </message>
    <message>
        <source>Prompts of the base&apos;s images</source>
        <translation>底模图片的提示词</translation>
    </message>
    <message>
        <source>What the base model makes images of before training, one prompt a line. They should be as varied as what the model is used for; empty lines are left out.</source>
        <translation>训练前底模按此生成图片，每行一个提示词。应与模型的用途同样多样；空行会被忽略。</translation>
    </message>
    <message>
        <source>Images of the base</source>
        <translation>底模图片数</translation>
    </message>
    <message>
        <source>How many images the base model makes of the prompts, in turn. The more there are, the less the adapter learns of single ones; each takes one sampling before training.</source>
        <translation>底模按提示词依次生成的图片数。越多，适配器越不会记住单张图片；每张都需要在训练前采样一次。</translation>
    </message>
</context>
<context>
    <name>catalogue</name>
    <message>
        <source>The magnitude divides by the row&apos;s norm, which is zero.</source>
        <translation>幅值要除以该行的范数，而该范数为零。</translation>
    </message>
    <message>
        <source>Text encoders hold rows that are close to zero, and their magnitudes have steep gradients.</source>
        <translation>文本编码器中有接近零的行，其幅值的梯度很陡。</translation>
    </message>
    <message>
        <source>Programs disagree about the side that has magnitudes, about the norm they divide by, and some drop the magnitudes.</source>
        <translation>幅值在哪一侧、除以哪个范数，各程序不一致，有的还会丢掉幅值。</translation>
    </message>
    <message>
        <source>The magnitude isn't in the optimizer, or its graph is cut.</source>
        <translation>幅值没有交给优化器，或者它的计算图被切断了。</translation>
    </message>
    <message>
        <source>It comes from a norm of the stored weight, in that weight&apos;s type.</source>
        <translation>它由已存储权重的范数得出，并沿用了该权重的类型。</translation>
    </message>
    <message>
        <source>The product of FP32 factors meets a 16-bit activation.</source>
        <translation>FP32 因子的乘积遇上了 16 位的激活值。</translation>
    </message>
    <message>
        <source>The input of base and adapter is one tensor in most implementations.</source>
        <translation>在大多数实现中，底模和适配器的输入是同一个张量。</translation>
    </message>
    <message>
        <source>Values below the file type&apos;s smallest number become zero.</source>
        <translation>小于文件类型最小值的数会变成零。</translation>
    </message>
    <message>
        <source>The adapter&apos;s output promotes the projection&apos;s.</source>
        <translation>适配器的输出把投影层输出的类型提升了。</translation>
    </message>
    <message>
        <source>PiSSA's share of the weight is subtracted from quantised codes.</source>
        <translation>PiSSA 从权重中取出的部分，是直接从量化编码中减去的。</translation>
    </message>
    <message>
        <source>PiSSA moves the weight&apos;s main directions into the adapter, so dropout removes parts of the base model too.</source>
        <translation>PiSSA 把权重的主要方向移入适配器；这时 Dropout 丢掉的不只是学到的内容，还有底模的一部分。</translation>
    </message>
    <message>
        <source>Its inner activations exceed 65504.</source>
        <translation>其内部激活值超过 65504。</translation>
    </message>
    <message>
        <source>The VAE or a text encoder overflows while the cache is filled, and nothing checks the result.</source>
        <translation>写入缓存时 VAE 或文本编码器溢出了，却没有任何检查。</translation>
    </message>
    <message>
        <source>BF16 counts to 256 exactly, and in steps of 4 near 1000.</source>
        <translation>BF16 只能精确数到 256，在 1000 附近以 4 为间隔。</translation>
    </message>
    <message>
        <source>1 minus a number close to 1 is computed in 16 bits.</source>
        <translation>用 1 减去一个接近 1 的数，是在 16 位下计算的。</translation>
    </message>
    <message>
        <source>At SNR 0 the input is the noise itself; an epsilon target teaches nothing there, and the usual min-SNR weight divides by the SNR.</source>
        <translation>SNR 为 0 时，输入就是噪声本身；此时以 epsilon 为目标什么也学不到，而常用的 min-SNR 权重要除以 SNR。</translation>
    </message>
    <message>
        <source>The output of its wo layers exceeds 65504, and a later cast undoes the FP32 that the loader keeps.</source>
        <translation>其 wo 层的输出超过 65504，而加载时保留的 FP32 又被后来的类型转换抵消了。</translation>
    </message>
    <message>
        <source>Its activations use BF16&apos;s range.</source>
        <translation>其激活值用到了 BF16 的范围。</translation>
    </message>
    <message>
        <source>They need range or bits that 16-bit types don&apos;t have.</source>
        <translation>它们需要的范围或位数是 16 位类型所没有的。</translation>
    </message>
    <message>
        <source>An update smaller than half a step of the weight it is added to is rounded away. For an Adam-like optimizer an update is about as large as the learning rate eta, so those weights stay for which half a unit in the last place exceeds eta: with p significant bits (BF16 8, FP16 11, FP32 24), all of at least 2^(floor(log2 eta) + p + 1). Fresh weights are uniform within 1/sqrt(1280) = 0.028, which gives the share.</source>
        <translation>如果更新小于所加权重的半个数值间隔，就会被舍入掉。对类似 Adam 的优化器，更新的大小约等于学习率 eta，因此末位单位的一半超过 eta 的权重都不会变化：有效位数为 p 时（BF16 为 8，FP16 为 11，FP32 为 24），就是所有不小于 2^(floor(log2 eta) + p + 1) 的权重。新初始化的权重均匀分布在 1/sqrt(1280) = 0.028 以内，由此得出比例。</translation>
    </message>
    <message>
        <source>The loss pulls the model towards another quantity.</source>
        <translation>损失把模型拉向了另一个量。</translation>
    </message>
    <message>
        <source>Attention scores and activations of models trained on v, SD 2.x at 768 pixels being the best known, exceed 65504, the largest number of FP16.</source>
        <translation>以 v 为目标训练的模型（最有名的是 768 像素的 SD 2.x）的注意力分数和激活值会超过 FP16 的最大值 65504。</translation>
    </message>
    <message>
        <source>Checkpointing decides by its inputs whether a backward pass is needed.</source>
        <translation>梯度检查点根据自己的输入来判断是否需要反向传播。</translation>
    </message>
    <message>
        <source>The backward pass runs outside the context that chose types and random numbers.</source>
        <translation>反向传播是在决定类型和随机数的上下文之外进行的。</translation>
    </message>
    <message>
        <source>The cache is keyed by address, not by version.</source>
        <translation>缓存只认地址，不认版本。</translation>
    </message>
    <message>
        <source>Libraries turn them on by default.</source>
        <translation>各种库会自行启用它们。</translation>
    </message>
    <message>
        <source>The host decides whether to skip, outside the captured graph.</source>
        <translation>是否跳过该步由主机端决定，在捕获范围之外。</translation>
    </message>
    <message>
        <source>A mistyped path, or a path of another model.</source>
        <translation>路径写错了，或者是另一个模型的路径。</translation>
    </message>
    <message>
        <source>These have types of their own in every plan.</source>
        <translation>它们在任何方案中都有自己的类型。</translation>
    </message>
    <message>
        <source>Those cards have no BF16 units and emulate it.</source>
        <translation>这些显卡没有 BF16 运算单元，只能模拟。</translation>
    </message>
    <message>
        <source>FP8 matmuls need hardware from sm_89 on.</source>
        <translation>FP8 乘法需要 sm_89 才开始具备的运算单元。</translation>
    </message>
    <message>
        <source>Fused attention with gradients needs sm_80.</source>
        <translation>带梯度的融合注意力需要 sm_80。</translation>
    </message>
    <message>
        <source>The hardware&apos;s FP8 matmul takes multiples of 16.</source>
        <translation>硬件的 FP8 乘法只接受 16 的倍数。</translation>
    </message>
    <message>
        <source>No hardware multiplies E5M2 by E5M2, and gradients take E5M2 for their range.</source>
        <translation>没有硬件能做 E5M2 乘 E5M2，而梯度需要 E5M2 的范围。</translation>
    </message>
    <message>
        <source>Some cards do FP8 matmuls only with the second matrix transposed.</source>
        <translation>某些显卡只有在第二个矩阵转置后才能做 FP8 乘法。</translation>
    </message>
    <message>
        <source>Quantising the operands costs more time than small matmuls save.</source>
        <translation>测量和舍入操作数要花时间，小的乘法赚不回来。</translation>
    </message>
    <message>
        <source>FP8 matmuls read weights as E4M3, INT8 matmuls as INT8.</source>
        <translation>FP8 乘法以 E4M3 编码读取权重，INT8 乘法以 INT8 编码读取。</translation>
    </message>
    <message>
        <source>TF32 needs sm_80.</source>
        <translation>TF32 从 sm_80 开始才有。</translation>
    </message>
    <message>
        <source>The adapter inherits the base model&apos;s FP16, so its gradients are FP16, which a loss scaler refuses to unscale.</source>
        <translation>适配器沿用了底模的 FP16，于是梯度也是 FP16，而缩放器拒绝对这种梯度取消缩放。</translation>
    </message>
    <message>
        <source>Sampling casts the live model to FP16 and leaves it there.</source>
        <translation>预览把正在训练的模型转成了 FP16，之后没有还原。</translation>
    </message>
    <message>
        <source>The saved adapter is loaded in its file's type.</source>
        <translation>保存的适配器是按其文件的类型读回的。</translation>
    </message>
    <message>
        <source>FP16 has 11 significant bits: an update smaller than 1/4096 of a weight is rounded away, and a weight below 6e-8 becomes zero.</source>
        <translation>FP16 的有效位数为 11：小于权重 1/4096 的更新会被舍入掉，小于 6e-8 的权重会变成零。</translation>
    </message>
    <message>
        <source>Gradients below 6e-8 become zero in FP16, without any message.</source>
        <translation>小于 6e-8 的梯度在 FP16 中会变成零，没有任何提示。</translation>
    </message>
    <message>
        <source>The norm is taken of scaled gradients, 65536 times too large, so every step is clipped to nothing.</source>
        <translation>所用的是放大了 65536 倍的梯度的范数，因此每一步都被裁剪得几乎为零。</translation>
    </message>
    <message>
        <source>The scale is updated after each optimizer, so the second one sees another scale.</source>
        <translation>每个优化器更新之后系数就会调整，因此第二个优化器遇到的是另一个系数。</translation>
    </message>
    <message>
        <source>The part is frozen, or nothing of it takes part in the loss, as under black masks.</source>
        <translation>该部分已被冻结，或其中没有任何内容参与损失，例如在全黑遮罩之下。</translation>
    </message>
    <message>
        <source>The fused kernel unscales by itself and ignores clipping.</source>
        <translation>融合内核自行取消缩放，对梯度裁剪一无所知。</translation>
    </message>
    <message>
        <source>Overflow is known only once every gradient is; by then the first layers have been updated.</source>
        <translation>一步是否溢出，要等所有梯度都算出后才知道；而那时最先更新的层已经变了。</translation>
    </message>
    <message>
        <source>A layer&apos;s values leave the range of FP16 whatever the scale is, or the run has diverged.</source>
        <translation>无论系数是多少，某一层的值都会超出 FP16 的范围，或者训练已经发散。</translation>
    </message>
    <message>
        <source>The scaler&apos;s state isn&apos;t saved.</source>
        <translation>缩放器的状态没有保存。</translation>
    </message>
    <message>
        <source>Schedules count iterations, not updates.</source>
        <translation>调度按迭代计数，而不是按更新计数。</translation>
    </message>
    <message>
        <source>NaN is replaced instead of reported.</source>
        <translation>NaN 被掩盖了，而没有说明其原因。</translation>
    </message>
    <message>
        <source>Gradients below 6e-8 become zero wherever they pass through FP16, even where most of the model computes in another type.</source>
        <translation>小于 6e-8 的梯度只要经过 FP16 就会变成零，即使模型的大部分以另一种类型计算也一样。</translation>
    </message>
    <message>
        <source>BF16, FP32 and scaled FP8 have the range without it.</source>
        <translation>BF16、FP32 以及自带系数的 FP8 本来就有缩放所能提供的范围。</translation>
    </message>
    <message>
        <source>A fixed scale is not lowered after an overflow.</source>
        <translation>固定的系数在溢出后不会降低。</translation>
    </message>
    <message>
        <source>BF16 has 8 significant bits: 1 - 0.001 is 1.</source>
        <translation>BF16 的有效位数为 8：1 - 0.001 等于 1。</translation>
    </message>
    <message>
        <source>With beta2 = 0.999, one step changes it by a thousandth, which is below half a step of BF16.</source>
        <translation>beta2 = 0.999 时，一步只改变它的千分之一，小于 BF16 的半个数值间隔。</translation>
    </message>
    <message>
        <source>Decay alone is far below half a step of BF16 and was rounded on its own.</source>
        <translation>单独的衰减远小于 BF16 的半个数值间隔，而且是单独舍入的。</translation>
    </message>
    <message>
        <source>At a decay of 0.999 and more, what is added is below half a step of BF16.</source>
        <translation>衰减系数达到 0.999 及以上时，加上的部分小于 BF16 的半个数值间隔。</translation>
    </message>
    <message>
        <source>As the sum grows, small additions are rounded away.</source>
        <translation>总和不断变大，相比之下很小的数就被舍入掉了。</translation>
    </message>
    <message>
        <source>Weights, gradients and state must share one type.</source>
        <translation>权重、梯度和状态必须是同一种类型。</translation>
    </message>
    <message>
        <source>FP16&apos;s smallest number is 6e-8.</source>
        <translation>FP16 的最小值是 6e-8。</translation>
    </message>
    <message>
        <source>One block of 256 shares one scale; in a small tensor, a few values decide all.</source>
        <translation>每 256 个值为一块，共用一个缩放系数；在小张量中，少数几个值决定一切。</translation>
    </message>
    <message>
        <source>The loader has one type for everything.</source>
        <translation>加载程序对所有内容只认一种类型。</translation>
    </message>
    <message>
        <source>Prodigy estimates one rate from all weights; factors on single weights distort it.</source>
        <translation>Prodigy 根据全部权重估计一个学习率；对个别权重乘以系数会使估计失真。</translation>
    </message>
    <message>
        <source>A relative step ignores the given learning rate. A fused backward pass updates before the other batches and the global norm are known.</source>
        <translation>相对步长会忽略给定的学习率。在反向传播时更新，则是在其他批以及全部梯度的范数尚不知道时就进行的。</translation>
    </message>
    <message>
        <source>adamw8bit is AdamW with 8-bit state; precision.optimizer_state says something else.</source>
        <translation>adamw8bit 就是状态为 8 位的 AdamW；而 precision.optimizer_state 的设置与此不同。</translation>
    </message>
    <message>
        <source>Prodigy finds the rate itself; the learning rate is a factor on what it finds.</source>
        <translation>Prodigy 自己寻找学习率；这里的学习率只是乘在它所得结果上的系数。</translation>
    </message>
    <message>
        <source>The learning rate is still 1 from another optimizer.</source>
        <translation>更换优化器时，学习率仍停留在 1。</translation>
    </message>
    <message>
        <source>Adafactor's, CAME's and Automagic's row and column moments stand for whole matrices; Prodigy's estimate, Automagic's rates and schedule-free averages are sums of small increments. They are small, or must be exact.</source>
        <translation>Adafactor、CAME 和 Automagic 的行、列矩代表整个矩阵；Prodigy 的估计、Automagic 的学习率和 schedule-free 的平均是小增量之和。它们要么很小，要么必须精确。</translation>
    </message>
    <message>
        <source>The base&apos;s FP8 and the adapter&apos;s FP16 are added as they are, and the magnitude is stored as FP8.</source>
        <translation>底模的 FP8 和适配器的 FP16 未经转换就直接相加，幅值也存成了 FP8。</translation>
    </message>
    <message>
        <source>E4M3 ends at 2^-9. Of weights with a deviation of 0.005, 15% become zero (19 dB signal to noise); of 0.001, 67% (5 dB). With a scale per channel it is 31.6 dB.</source>
        <translation>E4M3 最小只到 2^-9。标准差为 0.005 的权重有 15% 变成零（信噪比 19 dB）；为 0.001 时有 67%（5 dB）。每个通道各用一个缩放系数时为 31.6 dB。</translation>
    </message>
    <message>
        <source>E4M3 has no infinity: what overflows becomes NaN.</source>
        <translation>E4M3 没有无穷大：溢出的值会变成 NaN。</translation>
    </message>
    <message>
        <source>Embedding lookups and norms are not matmuls and have no quantised form.</source>
        <translation>查表取行和归一化不是矩阵乘法，没有量化形式。</translation>
    </message>
    <message>
        <source>The change is smaller than half a step of FP8 almost everywhere.</source>
        <translation>几乎所有位置上的变化都小于 FP8 的半个数值间隔。</translation>
    </message>
    <message>
        <source>The scale has changed by the time the segment is recomputed.</source>
        <translation>重新计算该段时，缩放系数已经变了。</translation>
    </message>
    <message>
        <source>The factor is the largest number divided by the largest value; the B of a fresh LoRA is all zeros.</source>
        <translation>系数是可表示的最大值除以张量中的最大值；而新建 LoRA 的 B 全为零。</translation>
    </message>
    <message>
        <source>The file&apos;s own scales are not those that 8-bit matmuls need.</source>
        <translation>文件自带的缩放系数不是 8 位乘法所需要的。</translation>
    </message>
    <message>
        <source>An update of usual size is far below half a step of 8 or 4 bits.</source>
        <translation>通常大小的更新远小于 8 位或 4 位类型的半个数值间隔。</translation>
    </message>
    <message>
        <source>The type is passed on unchecked.</source>
        <translation>类型未经检查就传了下去。</translation>
    </message>
    <message>
        <source>What the file lost to quantisation can't be restored.</source>
        <translation>文件在量化时丢失的内容不会再回来。</translation>
    </message>
    <message>
        <source>Every training latent passes through the VAE; FP8 weights leave it 31.6 dB signal to noise, INT8 weights about 40 dB, NF4 weights 20.7 dB.</source>
        <translation>训练用的每个潜变量都要经过 VAE；用 FP8 权重时信噪比只剩 31.6 dB，INT8 约 40 dB，NF4 为 20.7 dB。</translation>
    </message>
    <message>
        <source>Every quantised type has steps of its own, and GGUF&apos;s have scales for 16 or 32 values each, so every weight is rounded a second time.</source>
        <translation>每种量化类型的步长各不相同，GGUF 的类型每 16 或 32 个值有一个缩放系数，因此每个权重都会再舍入一次。</translation>
    </message>
    <message>
        <source>8-bit matmuls read codes and scales that are made once, from frozen weights.</source>
        <translation>8 位乘法读取的编码和缩放系数，是从冻结的权重一次性得出的。</translation>
    </message>
    <message>
        <source>{channels} channels use plain LoRA: the norm of their weights is zero{layers}.</source>
        <translation>{channels} 个通道改用普通 LoRA：它们的权重范数为零{layers}。</translation>
    </message>
    <message>
        <source>DoRA on text encoders is known to be unstable; their weights are scanned for empty rows before the first step.</source>
        <translation>已知在文本编码器上使用 DoRA 不稳定；第一步之前会检查其权重中的空行。</translation>
    </message>
    <message>
        <source>train the UNet alone, or plain LoRA</source>
        <translation>只训练 UNet，或使用普通 LoRA</translation>
    </message>
    <message>
        <source>Which program will load this? A DoRA with {format} keys and magnitudes per {axis}: {programs}.</source>
        <translation>这个文件将由哪个程序加载？采用 {format} 键名、幅值在 {axis} 一侧的 DoRA：{programs}。</translation>
    </message>
    <message>
        <source>output.format plain_lora, or the format and axis that your program reads</source>
        <translation>output.format 设为 plain_lora，或改用你的程序能读取的格式和轴</translation>
    </message>
    <message>
        <source>Magnitude gets no gradient in {layer}.</source>
        <translation>{layer} 中的幅值没有得到梯度。</translation>
    </message>
    <message>
        <source>plain LoRA, or other target layers</source>
        <translation>普通 LoRA，或换用其他目标层</translation>
    </message>
    <message>
        <source>{percent}% of weights round to zero in {file} as {type}.</source>
        <translation>以 {type} 写入 {file} 时，{percent}% 的权重舍入为零。</translation>
    </message>
    <message>
        <source>an FP32 file</source>
        <translation>FP32 文件</translation>
    </message>
    <message>
        <source>With PiSSA, a dropout of {dropout} also drops the base weight&apos;s main directions.</source>
        <translation>使用 PiSSA 时，{dropout} 的 Dropout 也会丢掉底模权重的主要方向。</translation>
    </message>
    <message>
        <source>PiSSA's singular vectors are a product of two matrices. They are no LoHa, and no LoKr.</source>
        <translation>PiSSA 的奇异向量是两个矩阵的乘积，既不是 LoHa，也不是 LoKr。</translation>
    </message>
    <message>
        <source>A {form} can't start from the base weight's singular vectors (adapter.init pissa).</source>
        <translation>{form} 不能从基础权重的奇异向量开始（adapter.init pissa）。</translation>
    </message>
    <message>
        <source>LoRA+ trains the up matrix faster. LoHa and LoKr have none.</source>
        <translation>LoRA+ 让 up 矩阵学得更快。LoHa 和 LoKr 没有这个矩阵。</translation>
    </message>
    <message>
        <source>A {form} has no up matrix that could learn faster (adapter.lora_plus_ratio).</source>
        <translation>{form} 没有可以学得更快的 up 矩阵（adapter.lora_plus_ratio）。</translation>
    </message>
    <message>
        <source>diffusers' loaders know LoRA's matrices only.</source>
        <translation>diffusers 的加载器只认识 LoRA 的矩阵。</translation>
    </message>
    <message>
        <source>diffusers has no names for a {form} (output.format).</source>
        <translation>diffusers 没有用于 {form} 的名称（output.format）。</translation>
    </message>
    <message>
        <source>output.format kohya, peft, or plain_lora</source>
        <translation>output.format 设为 kohya、peft 或 plain_lora</translation>
    </message>
    <message>
        <source>LyCORIS's own names are of the denoiser's modules, and kohya's layouts have none for T5.</source>
        <translation>LyCORIS 自己的名称只用于去噪器的模块，kohya 的格式也没有为 T5 命名。</translation>
    </message>
    <message>
        <source>A {form} of T5 has no names in LyCORIS's files.</source>
        <translation>T5 的 {form} 在 LyCORIS 的文件中没有名称。</translation>
    </message>
    <message>
        <source>train the denoiser alone, or LoRA</source>
        <translation>只训练去噪器，或改用 LoRA</translation>
    </message>
    <message>
        <source>A LoRA with magnitudes is a DoRA, which is an adapter type of its own here. In LyCORIS one switch, dora_wd, is for all types.</source>
        <translation>带幅值的 LoRA 就是 DoRA，在这里是单独的适配器类型。在 LyCORIS 中，所有类型共用一个开关 dora_wd。</translation>
    </message>
    <message>
        <source>adapter.decompose is for loha and lokr; adapter.type is {type}.</source>
        <translation>adapter.decompose 用于 loha 和 lokr；而 adapter.type 为 {type}。</translation>
    </message>
    <message>
        <source>adapter.type dora without adapter.decompose</source>
        <translation>adapter.type 设为 dora，并关闭 adapter.decompose</translation>
    </message>
    <message>
        <source>PEFT's LoHaConfig and LoKrConfig know no weight decomposition.</source>
        <translation>PEFT 的 LoHaConfig 和 LoKrConfig 不支持权重分解。</translation>
    </message>
    <message>
        <source>PEFT has no names for the magnitudes of a {form} (output.format).</source>
        <translation>PEFT 没有用于 {form} 幅值的名称（output.format）。</translation>
    </message>
    <message>
        <source>output.format kohya, or plain_lora</source>
        <translation>output.format 设为 kohya 或 plain_lora</translation>
    </message>
    <message>
        <source>adapter.init standard</source>
        <translation>adapter.init 设为 standard</translation>
    </message>
    <message>
        <source>adapter.lora_plus_ratio 1</source>
        <translation>adapter.lora_plus_ratio 设为 1</translation>
    </message>
    <message>
        <source>dropout 0</source>
        <translation>Dropout 设为 0</translation>
    </message>
    <message>
        <source>VAE in FP32: its activations overflow FP16.</source>
        <translation>VAE 使用 FP32：其激活值会超出 FP16 的范围。</translation>
    </message>
    <message>
        <source>FP32, or BF16</source>
        <translation>FP32 或 BF16</translation>
    </message>
    <message>
        <source>NaN or infinity in the encoding of {file}.</source>
        <translation>{file} 的编码结果中有 NaN 或无穷大。</translation>
    </message>
    <message>
        <source>encode again with the VAE (captions: the text encoders) in FP32, or take that file out</source>
        <translation>将 VAE（标注则为文本编码器）设为 FP32 后重新编码，或移除该文件</translation>
    </message>
    <message>
        <source>min(gamma, SNR) / (SNR + 1) used with gamma {gamma}: it is defined at SNR 0.</source>
        <translation>使用 min(gamma, SNR) / (SNR + 1)，gamma 为 {gamma}：它在 SNR 为 0 时也有定义。</translation>
    </message>
    <message>
        <source>Only rectified flows have a shift; epsilon and v-prediction models have a noise schedule instead.</source>
        <translation>只有整流流模型才有偏移；ε 预测和 v 预测模型使用噪声调度。</translation>
    </message>
    <message>
        <source>training.timesteps is shifted, but the base model isn&apos;t a rectified flow and has no shift.</source>
        <translation>training.timesteps 为 shifted，但底模不是整流流，没有偏移。</translation>
    </message>
    <message>
        <source>Zero terminal SNR needs v-prediction: where no signal is left, an epsilon target carries no information.</source>
        <translation>零终端 SNR 需要 v 预测：在没有信号的地方，以 epsilon 为目标不含任何信息。</translation>
    </message>
    <message>
        <source>v-prediction for a model trained so, else zero terminal SNR off</source>
        <translation>按 v 预测训练的模型选 v 预测，否则关闭零终端 SNR</translation>
    </message>
    <message>
        <source>BF16 chosen: this model was trained in BF16 and leaves the range of FP16.</source>
        <translation>已选用 BF16：该模型以 BF16 训练，会超出 FP16 的范围。</translation>
    </message>
    <message>
        <source>This model was trained in BF16 and leaves the range of FP16; {device} has no BF16.</source>
        <translation>该模型以 BF16 训练，会超出 FP16 的范围；而 {device} 不支持 BF16。</translation>
    </message>
    <message>
        <source>BF16, or FP32 on a device without it</source>
        <translation>BF16；设备不支持时用 FP32</translation>
    </message>
    <message>
        <source>{problem}</source>
        <translation>{problem}</translation>
    </message>
    <message>
        <source>FP32 adapter weights, or a higher learning rate</source>
        <translation>FP32 适配器权重，或更高的学习率</translation>
    </message>
    <message>
        <source>BF16 compute</source>
        <translation>BF16 计算</translation>
    </message>
    <message>
        <source>The base model says that it predicts {said}; training.prediction says {asked}.</source>
        <translation>底模注明它预测 {said}，而 training.prediction 为 {asked}。</translation>
    </message>
    <message>
        <source>training.prediction auto</source>
        <translation>training.prediction 设为 auto</translation>
    </message>
    <message>
        <source>TF32 on (10-bit mantissa): matmuls lose 13 bits of FP32.</source>
        <translation>TF32 已启用（10 位尾数）：乘积比 FP32 少 13 位。</translation>
    </message>
    <message>
        <source>FP32 compute</source>
        <translation>FP32 计算</translation>
    </message>
    <message>
        <source>The pin {pattern} matches no module of this model.</source>
        <translation>固定规则 {pattern} 不匹配该模型的任何模块。</translation>
    </message>
    <message>
        <source>remove it, or correct the path</source>
        <translation>删除它，或改正路径</translation>
    </message>
    <message>
        <source>The pin {pattern} matches only norms, embeddings or biases, whose types are fixed.</source>
        <translation>固定规则 {pattern} 只匹配归一化层、嵌入或偏置，它们的类型不可更改。</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>删除它</translation>
    </message>
    <message>
        <source>No native BF16 on {device}: {instead}.</source>
        <translation>{device} 没有原生 BF16：{instead}。</translation>
    </message>
    <message>
        <source>No native BF16 on {device}, and this model leaves the range of FP16.</source>
        <translation>{device} 没有原生 BF16，而该模型会超出 FP16 的范围。</translation>
    </message>
    <message>
        <source>FP16 with loss scaling; FP32 for models that need BF16&apos;s range</source>
        <translation>FP16 加损失缩放；需要 BF16 范围的模型用 FP32</translation>
    </message>
    <message>
        <source>No FP8 matmuls on {device}: FP8 storage, 16-bit compute.</source>
        <translation>{device} 不支持 FP8 乘法：FP8 存储，16 位计算。</translation>
    </message>
    <message>
        <source>int8_fp16 compute</source>
        <translation>用 int8_fp16 计算</translation>
    </message>
    <message>
        <source>Slower attention chosen: the fused one has no backward on {device}.</source>
        <translation>已选用较慢的注意力：融合注意力在 {device} 上没有反向传播。</translation>
    </message>
    <message>
        <source>Use E4M3 forward, E5M2 gradients.</source>
        <translation>前向用 E4M3，梯度用 E5M2。</translation>
    </message>
    <message>
        <source>E4M3 weights</source>
        <translation>E4M3 权重</translation>
    </message>
    <message>
        <source>FP8 saves memory, perhaps not time.</source>
        <translation>FP8 节省显存，但未必节省时间。</translation>
    </message>
    <message>
        <source>BF16 compute where it fits</source>
        <translation>内存足够时用 BF16 计算</translation>
    </message>
    <message>
        <source>Linear layers of the denoiser are stored as {codes} instead of {stored}, which 8-bit matmuls need. Other layers stay {stored}.</source>
        <translation>去噪网络的线性层以 {codes} 而不是 {stored} 保存：8 位乘法按此读取。其他层仍为 {stored}。</translation>
    </message>
    <message>
        <source>weights of that type, or BF16 compute</source>
        <translation>该类型的权重，或 BF16 计算</translation>
    </message>
    <message>
        <source>No TF32 on {device}: FP32.</source>
        <translation>{device} 不支持 TF32：使用 FP32。</translation>
    </message>
    <message>
        <source>No native BF16 on {device}: FP16 with loss scaling between INT8 matmuls.</source>
        <translation>{device} 没有原生 BF16：INT8 乘法之间改用 FP16 和损失缩放。</translation>
    </message>
    <message>
        <source>Those cards multiply INT8, but have no BF16 for the values between the products.</source>
        <translation>这些显卡支持 INT8 乘法，但没有 BF16 可用于乘法之间的值。</translation>
    </message>
    <message>
        <source>INT8 instructions multiply four neighbours at a time.</source>
        <translation>INT8 指令一次把相邻的四个数相乘。</translation>
    </message>
    <message>
        <source>INT8 has no exponent: every value is a multiple of the largest one divided by 127.</source>
        <translation>INT8 没有指数：每个值都是最大值除以 127 的整数倍。</translation>
    </message>
    <message>
        <source>The scale of zeros is zero, and INT8 has no code for NaN or infinity.</source>
        <translation>全零的缩放系数为零，而 INT8 没有表示 NaN 或无穷大的编码。</translation>
    </message>
    <message>
        <source>Gradients of different tokens differ by orders of magnitude.</source>
        <translation>不同 token 的梯度相差几个数量级。</translation>
    </message>
    <message>
        <source>FP16 masters lose small updates.</source>
        <translation>FP16 主权重会丢失小的更新。</translation>
    </message>
    <message>
        <source>FP32 adapter weights</source>
        <translation>FP32 适配器权重</translation>
    </message>
    <message>
        <source>FP32 adapters and loss scaling enabled: FP16 gradients below 6e-8 would become zero.</source>
        <translation>已启用 FP32 适配器和损失缩放：小于 6e-8 的 FP16 梯度会变成零。</translation>
    </message>
    <message>
        <source>dynamic loss scaling, FP32 adapter weights</source>
        <translation>动态损失缩放，FP32 适配器权重</translation>
    </message>
    <message>
        <source>No gradients reached {part}: it is frozen, or masks are black all over.</source>
        <translation>没有梯度到达 {part}：它已被冻结，或遮罩全为黑色。</translation>
    </message>
    <message>
        <source>drop the part from training.parts, or mend the masks</source>
        <translation>从 training.parts 中去掉该部分，或修正遮罩</translation>
    </message>
    <message>
        <source>Needs a whole-model overflow check, which a fused backward pass can&apos;t wait for.</source>
        <translation>需要对整个模型做溢出检查，而反向传播时的更新等不到它。</translation>
    </message>
    <message>
        <source>BF16 instead of FP16, or optimizer.fused_back_pass off</source>
        <translation>用 BF16 代替 FP16，或关闭 optimizer.fused_back_pass</translation>
    </message>
    <message>
        <source>{skips} skips in a row; first non-finite tensor: {layer}.</source>
        <translation>连续跳过 {skips} 步；第一个非有限值的张量：{layer}。</translation>
    </message>
    <message>
        <source>BF16 compute, or that layer pinned to FP32</source>
        <translation>BF16 计算，或把该层固定为 FP32</translation>
    </message>
    <message>
        <source>Non-finite loss at step {step} ({file}).</source>
        <translation>第 {step} 步的损失不是有限值 ({file})。</translation>
    </message>
    <message>
        <source>lower the learning rate and check these images; with FP16 compute, use BF16</source>
        <translation>降低学习率并检查这些图片；如果使用 FP16 计算，请改用 BF16</translation>
    </message>
    <message>
        <source>Loss scaling enabled: gradients pass through FP16 here.</source>
        <translation>已启用损失缩放：这里的梯度会经过 FP16。</translation>
    </message>
    <message>
        <source>dynamic loss scaling, or no FP16</source>
        <translation>动态损失缩放，或不用 FP16</translation>
    </message>
    <message>
        <source>Loss scaling is on, but no gradient passes through FP16: it can only cause skipped steps.</source>
        <translation>损失缩放已开启，但没有梯度经过 FP16：它只会造成步被跳过。</translation>
    </message>
    <message>
        <source>loss scaling auto</source>
        <translation>损失缩放设为 auto</translation>
    </message>
    <message>
        <source>A fixed scale of {scale} is above 65536, where the dynamic scale begins: steps may overflow without end.</source>
        <translation>固定的缩放值 {scale} 高于 65536（动态缩放的起点）：可能会不断溢出。</translation>
    </message>
    <message>
        <source>dynamic loss scaling</source>
        <translation>动态损失缩放</translation>
    </message>
    <message>
        <source>Stochastic rounding enabled: at this learning rate, {percent}% of the updates of BF16 weights would be lost at the start, and more as weights grow.</source>
        <translation>已启用随机舍入：在此学习率下，BF16 权重的更新一开始就会丢失 {percent}%，权重变大后丢失更多。</translation>
    </message>
    <message>
        <source>stochastic rounding, Kahan summation, or FP32 adapter weights</source>
        <translation>随机舍入、Kahan 求和，或 FP32 适配器权重</translation>
    </message>
    <message>
        <source>Optimizer state in FP32: with beta2 {beta2} and rounding to nearest, BF16 moments stop changing.</source>
        <translation>优化器状态使用 FP32：beta2 为 {beta2} 且就近舍入时，BF16 动量不再变化。</translation>
    </message>
    <message>
        <source>FP32 state, or stochastic rounding</source>
        <translation>FP32 状态，或随机舍入</translation>
    </message>
    <message>
        <source>Weight average in FP32: at decay {decay} a BF16 average would not move.</source>
        <translation>权重平均使用 FP32：衰减为 {decay} 时，BF16 的平均值不会变化。</translation>
    </message>
    <message>
        <source>FP32 accumulator: sums over {batches} batches swallow small gradients in 16 bits.</source>
        <translation>FP32 累加器：对 {batches} 批求和时，16 位会吞掉小的梯度。</translation>
    </message>
    <message>
        <source>FP32 gradients</source>
        <translation>FP32 梯度</translation>
    </message>
    <message>
        <source>Small tensors (under 4096 elements) use FP32 state.</source>
        <translation>小张量（少于 4096 个元素）使用 FP32 状态。</translation>
    </message>
    <message>
        <source>One Prodigy for each of {parts}; the ratio of their learning rates becomes d_coef.</source>
        <translation>{parts} 各用一个 Prodigy；它们学习率之比成为 d_coef。</translation>
    </message>
    <message>
        <source>LoRA+ ratio 1</source>
        <translation>LoRA+ 倍率设为 1</translation>
    </message>
    <message>
        <source>Choose one: a fused backward pass excludes {reasons}.</source>
        <translation>只能选其一：反向传播时更新不能与以下各项同用：{reasons}。</translation>
    </message>
    <message>
        <source>accumulation 1, or optimizer.fused_back_pass off</source>
        <translation>梯度累积设为 1，或关闭 optimizer.fused_back_pass</translation>
    </message>
    <message>
        <source>{parts} keeps its state in 8bit; precision.optimizer_state {state} does not apply to it.</source>
        <translation>{parts} 的状态以 8bit 保存；precision.optimizer_state {state} 对它不起作用。</translation>
    </message>
    <message>
        <source>optimizer adamw for the wider state</source>
        <translation>要更宽的状态，优化器用 adamw</translation>
    </message>
    <message>
        <source>Prodigy&apos;s learning rate is a factor on the rate it finds, usually 1; it is {rate}.</source>
        <translation>Prodigy 的学习率是乘在它所找到的学习率上的系数，通常为 1；现在是 {rate}。</translation>
    </message>
    <message>
        <source>learning rate 1</source>
        <translation>学习率设为 1</translation>
    </message>
    <message>
        <source>A learning rate of {rate} breaks a LoRA with {parts}; 1 is Prodigy&apos;s rate.</source>
        <translation>学习率 {rate} 会毁掉用 {parts} 训练的 LoRA；1 是 Prodigy 的学习率。</translation>
    </message>
    <message>
        <source>learning rate 1e-4</source>
        <translation>学习率设为 1e-4</translation>
    </message>
    <message>
        <source>Part of the state of {parts} stays FP32 instead of {state}: factored moments, second moments of vectors and sums of small increments need it.</source>
        <translation>{parts} 的部分状态保持 FP32，而不是 {state}：因子化的矩、向量的二阶矩和小增量之和需要它。</translation>
    </message>
    <message>
        <source>Its parameters are where gradients are taken; the result is an average that it keeps by itself.</source>
        <translation>它的参数是计算梯度的位置；结果是它自己保存的平均值。</translation>
    </message>
    <message>
        <source>{parts} averages the weights by itself: training.ema {decay} does not apply to it.</source>
        <translation>{parts} 自己对权重取平均：training.ema {decay} 对它不起作用。</translation>
    </message>
    <message>
        <source>training.ema 0</source>
        <translation>training.ema 0</translation>
    </message>
    <message>
        <source>Its average does what the schedule is for, and weights each step by the square of its rate or of the largest so far.</source>
        <translation>它的平均起到调度的作用，并按学习率（或迄今最大学习率）的平方为每一步加权。</translation>
    </message>
    <message>
        <source>{parts} replaces the schedule by an average; with schedule.type {schedule} its last steps are too small.</source>
        <translation>{parts} 用平均代替调度；schedule.type 为 {schedule} 时最后的步长过小。</translation>
    </message>
    <message>
        <source>schedule.type constant; warm-up stays</source>
        <translation>schedule.type 设为 constant；预热保留</translation>
    </message>
    <message>
        <source>Per-channel scales added: an unscaled cast to FP8 turns small weights into zero.</source>
        <translation>已添加逐通道缩放：不加缩放直接转为 FP8 会把小的权重变成零。</translation>
    </message>
    <message>
        <source>Embeddings and biases of the text encoders are stored as {type}, norms as fp32.</source>
        <translation>文本编码器的嵌入和偏置以 {type} 保存，归一化层以 fp32 保存。</translation>
    </message>
    <message>
        <source>Merging here changes results: {file} holds {type}, and most of the adapter would be rounded away.</source>
        <translation>在此合并会改变结果：{file} 中是 {type}，适配器的大部分会被舍入掉。</translation>
    </message>
    <message>
        <source>merge in FP32 into the original model, then quantise</source>
        <translation>以 FP32 合并到原模型，然后再量化</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}: base stays quantised, compute 16-bit.</source>
        <translation>底模文件中是 {file}：底模保持量化，计算用 16 位。</translation>
    </message>
    <message>
        <source>BF16 compute, or a base model that isn&apos;t quantised</source>
        <translation>BF16 计算，或使用未量化的底模</translation>
    </message>
    <message>
        <source>Quantised weights cannot be trained.</source>
        <translation>量化权重无法训练。</translation>
    </message>
    <message>
        <source>a BF16 base, or an adapter</source>
        <translation>BF16 底模，或适配器</translation>
    </message>
    <message>
        <source>output.dtype must be one of fp32, bf16, fp16.</source>
        <translation>output.dtype 必须是 fp32、bf16、fp16 之一。</translation>
    </message>
    <message>
        <source>an FP32, FP16 or BF16 file</source>
        <translation>FP32、FP16 或 BF16 文件</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}; keeping it in {stored} takes more memory and restores nothing.</source>
        <translation>底模文件中是 {file}；以 {stored} 保存会占用更多内存，却不能恢复任何内容。</translation>
    </message>
    <message>
        <source>keep it as it is in the file</source>
        <translation>保持文件中的类型</translation>
    </message>
    <message>
        <source>A quantised VAE saves a little memory and makes every latent noisier.</source>
        <translation>量化的 VAE 只节省少量内存，却让每个潜变量噪声更大。</translation>
    </message>
    <message>
        <source>BF16, or FP32 where there is no BF16</source>
        <translation>BF16；不支持 BF16 时用 FP32</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}; turning it into {stored} rounds every weight again.</source>
        <translation>底模文件中是 {file}；转换为 {stored} 会让每个权重再舍入一次。</translation>
    </message>
    <message>
        <source>Trained weights use 16-bit matmuls, because 8-bit codes are made once.</source>
        <translation>训练的权重以 16 位相乘，因为 8 位编码只生成一次。</translation>
    </message>
    <message>
        <source>FP16 with loss scaling</source>
        <translation>使用 FP16 加损失缩放</translation>
    </message>
    <message>
        <source>FP32 for layers pinned to BF16 or decoded to it</source>
        <translation>固定为 BF16 或以 BF16 解码的部分使用 FP32</translation>
    </message>
    <message>
        <source>At this learning rate {percent}% of updates are lost: they are below half a step of {type} weights.</source>
        <translation>在此学习率下，{percent}% 的更新会丢失：它们小于 {type} 权重的半个间隔。</translation>
    </message>
    <message>
        <source>v-prediction models are known to leave the range of FP16.</source>
        <translation>已知 v 预测模型会超出 FP16 的范围。</translation>
    </message>
    <message>
        <source>accumulation over {batches} batches, whose sum is known after the last</source>
        <translation>对 {batches} 批的梯度累积（其总和要到最后一批之后才知道）</translation>
    </message>
    <message>
        <source>clipping by the global norm, which is known after the whole backward pass (or set training.max_grad_norm to 0)</source>
        <translation>按全局范数裁剪（整个反向传播之后才知道；也可把 training.max_grad_norm 设为 0）</translation>
    </message>
    <message>
        <source>{parts}, which moves all weights at once</source>
        <translation>{parts}（它一次移动所有权重）</translation>
    </message>
    <message>
        <source>LyCORIS reads it as trained</source>
        <translation>LyCORIS 能按训练时的样子读取</translation>
    </message>
    <message>
        <source>ComfyUI takes the base weight&apos;s norm and renders it differently</source>
        <translation>ComfyUI 取底模权重的范数，生成的图片不同</translation>
    </message>
    <message>
        <source>ComfyUI reads it as trained</source>
        <translation>ComfyUI 按训练时的方式读取</translation>
    </message>
    <message>
        <source>LyCORIS loads magnitudes per output only</source>
        <translation>LyCORIS 只能加载按输出的幅值</translation>
    </message>
    <message>
        <source>diffusers drops the magnitudes</source>
        <translation>diffusers 会丢掉幅值</translation>
    </message>
    <message>
        <source>ComfyUI and OneTrainer read it as trained</source>
        <translation>ComfyUI 和 OneTrainer 能按训练时的样子读取</translation>
    </message>
    <message>
        <source>PEFT reads it as trained, and diffusers too except for text encoders, whose magnitudes it drops</source>
        <translation>PEFT 会按训练时的效果读取，diffusers 也是如此，但会丢弃文本编码器的幅值</translation>
    </message>
    <message>
        <source>PEFT reads it as trained, and so does diffusers through PEFT</source>
        <translation>PEFT 能按训练时的样子读取，diffusers 通过 PEFT 也可以</translation>
    </message>
    <message>
        <source>programs that expect kohya names don&apos;t</source>
        <translation>需要 kohya 键名的程序则不能</translation>
    </message>
    <message>
        <source>PEFT knows magnitudes per output only</source>
        <translation>PEFT 只支持输出侧的幅值</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} 及另外 {count} 个</translation>
    </message>
    <message>
        <source>Only a shuffle could move them.</source>
        <translation>只有打乱时它们才会移动。</translation>
    </message>
    <message>
        <source>A bucket of the full area needs a side longer than the square's, which its limit forbids.</source>
        <translation>面积相同的桶需要比正方形更长的边，而上限不允许。</translation>
    </message>
    <message>
        <source>Captions aren't cached: their tags stand in another order in every epoch, so the text encoders stay in memory and each step encodes its own captions.</source>
        <translation>标注不缓存：标签在每一轮换一种顺序，因此文本编码器留在显存中，每一步各自编码标注。</translation>
    </message>
    <message>
        <source>data.cache latents, or data.shuffle_captions off</source>
        <translation>把 data.cache 设为 latents，或关闭 data.shuffle_captions</translation>
    </message>
    <message>
        <source>data.keep_tokens is {tokens}, but data.shuffle_captions is off: no tag moves.</source>
        <translation>data.keep_tokens 为 {tokens}，但 data.shuffle_captions 已关闭：标签不会移动。</translation>
    </message>
    <message>
        <source>data.keep_tokens 0, or data.shuffle_captions on</source>
        <translation>把 data.keep_tokens 设为 0，或开启 data.shuffle_captions</translation>
    </message>
    <message>
        <source>No bucket is longer than {max} px, so images that aren't square are trained on less than {resolution} x {resolution} px.</source>
        <translation>没有比 {max} px 更长的桶，因此非正方形的图片会以小于 {resolution} x {resolution} px 的面积训练。</translation>
    </message>
    <message>
        <source>data.bucket_max twice the resolution</source>
        <translation>把 data.bucket_max 设为分辨率的两倍</translation>
    </message>
    <message>
        <source>Both epochs and steps are set: one of them is silently ignored</source>
        <translation>同时设置了轮数和步数：其中一个被悄悄忽略</translation>
    </message>
    <message>
        <source>A run has one length, and steps depend on the images.</source>
        <translation>一次训练只有一个长度，而步数取决于图片。</translation>
    </message>
    <message>
        <source>Epochs count; the plan shows the steps that they make.</source>
        <translation>以轮数为准；计划会显示相应的步数。</translation>
    </message>
    <message>
        <source>training.epochs is {epochs} and training.steps {steps}: the run lasts as long as the epochs, and the number of steps isn't used.</source>
        <translation>training.epochs 为 {epochs}，training.steps 为 {steps}：训练长度以轮数为准，步数不使用。</translation>
    </message>
    <message>
        <source>training.epochs 0 to train by steps, or training.steps at its default</source>
        <translation>把 training.epochs 设为 0 以按步数训练，或把 training.steps 恢复为默认值</translation>
    </message>
    <message>
        <source>Augmentations with cached latents: they are silently off, or refused</source>
        <translation>缓存潜变量时的数据增强：被悄悄关闭，或被拒绝</translation>
    </message>
    <message>
        <source>A cached latent is of one crop, angle and colour; others must be encoded as well.</source>
        <translation>一个缓存的潜变量只对应一种裁剪、角度和颜色；其他的也必须编码。</translation>
    </message>
    <message>
        <source>data.variants versions of each image are drawn, each encoded and cached; training goes through all of them in turn.</source>
        <translation>每张图片随机生成 data.variants 个版本，逐个编码并缓存；训练依次使用所有版本。</translation>
    </message>
    <message>
        <source>data.variants is 1: each image is cropped, rotated or coloured once, and every epoch trains on that one version.</source>
        <translation>data.variants 为 1：每张图片只裁剪、旋转或调色一次，每一轮都用这一个版本训练。</translation>
    </message>
    <message>
        <source>data.variants 8</source>
        <translation>把 data.variants 设为 8</translation>
    </message>
    <message>
        <source>Several versions of each image, and nothing that distinguishes them</source>
        <translation>每张图片有多个版本，却没有任何区别</translation>
    </message>
    <message>
        <source>Versions differ by crop jitter, rotation and colours only; all of these are 0.</source>
        <translation>版本之间只有裁剪抖动、旋转和颜色的差别；这些都为 0。</translation>
    </message>
    <message>
        <source>Each image is encoded once.</source>
        <translation>每张图片编码一次。</translation>
    </message>
    <message>
        <source>data.variants is {versions}, but crop jitter, rotation, brightness, contrast, saturation and hue are all 0: every version would be the same image.</source>
        <translation>data.variants 为 {versions}，但裁剪抖动、旋转、亮度、对比度、饱和度和色相都为 0：每个版本都是同一张图片。</translation>
    </message>
    <message>
        <source>data.variants 1, or an amount above 0</source>
        <translation>把 data.variants 设为 1，或把某个幅度设为大于 0</translation>
    </message>
    <message>
        <source>An encoding holds one order of the tags; another order must be encoded again.</source>
        <translation>一份编码只对应一种标签顺序；换一种顺序就必须重新编码。</translation>
    </message>
    <message>
        <source>Codes of rows that are rotated in other groups are codes of other numbers.</source>
        <translation>以其他分组旋转的行，其编码对应的是另外的数值。</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}; keeping it in {stored} rounds every weight again.</source>
        <translation>底模文件为 {file}；以 {stored} 保存会把每个权重再舍入一次。</translation>
    </message>
    <message>
        <source>BF16 weights, or FP32 where there is no BF16</source>
        <translation>用 BF16 权重，没有 BF16 时用 FP32</translation>
    </message>
    <message>
        <source>Distillation made it reach a finished image in a few steps without guidance. The flow loss asks for the mean of all images that fit instead, and every step undoes some of the distillation.</source>
        <translation>蒸馏使模型无需引导、只用几步就能生成完整的图片。流损失要求的却是所有相符图片的均值，每训练一步都会抵消一部分蒸馏效果。</translation>
    </message>
    <message>
        <source>The base model is {model}, a distilled one ({evidence}): training undoes its distillation, and a few steps no longer give sharp images.</source>
        <translation>底模是蒸馏模型 {model}（{evidence}）：训练会抵消蒸馏效果，只用几步不再能得到清晰的图片。</translation>
    </message>
    <message>
        <source>add a training adapter made for it (--training-adapter), which keeps the distillation while training, or train on the model that it was distilled from; such adapters also load into the distilled one</source>
        <translation>加上为它制作的训练辅助适配器（--training-adapter，训练时保持蒸馏效果），或改用蒸馏之前的模型训练；这样训练出的适配器也能加载到蒸馏模型上</translation>
    </message>
    <message>
        <source>A scale that is quantised itself is rarely exactly zero, and NF4 has no code for NaN or infinity.</source>
        <translation>本身也被量化的缩放因子很少恰好为零，而 NF4 没有表示 NaN 或无穷大的编码。</translation>
    </message>
    <message>
        <source>The norms of rows in NF4 differ from the original&apos;s by percents: with the original&apos;s magnitudes, step 0 is another model.</source>
        <translation>NF4 中各行的范数与原权重相差百分之几：若使用原权重的幅值，第 0 步就已是另一个模型。</translation>
    </message>
    <message>
        <source>The weights are decoded first, and the largest value of a block then differs.</source>
        <translation>权重先被解码，块中的最大值随之改变。</translation>
    </message>
    <message>
        <source>A mistyped path, a path of another model, layers that the targets leave out, or an earlier entry for the same layers.</source>
        <translation>路径写错了、是另一个模型的路径、这些层不在目标层之内，或者前面已有项匹配了同样的层。</translation>
    </message>
    <message>
        <source>The ranks of {pattern} count for no adapter of this model.</source>
        <translation>{pattern} 的秩没有用于该模型的任何适配器。</translation>
    </message>
    <message>
        <source>remove the entry, correct its path, or put it before the entry that covers it</source>
        <translation>删除该项、修正路径，或把它移到覆盖它的项之前</translation>
    </message>
    <message>
        <source>The rotation mixes neighbouring inputs of a layer; codes without it are other weights.</source>
        <translation>旋转会混合一层中相邻的输入；没有旋转，这些编码就是别的权重。</translation>
    </message>
    <message>
        <source>BF16 compute, FP16 below sm_80</source>
        <translation>BF16 计算，低于 sm_80 时用 FP16</translation>
    </message>
    <message>
        <source>The base model&apos;s INT8 codes are rotated in other groups than can be kept; {stored} rounds every weight again.</source>
        <translation>底模的 INT8 编码以无法保留的分组旋转；{stored} 会让每个权重再舍入一次。</translation>
    </message>
    <message>
        <source>GGUF&apos;s K types are made by a search over scales, which converters do best.</source>
        <translation>GGUF 的 K 类型要搜索缩放系数才能生成，这由转换工具完成最好。</translation>
    </message>
    <message>
        <source>The gguf type keeps the blocks of a GGUF file, and this part of the base model isn&apos;t in one.</source>
        <translation>gguf 类型用于保留 GGUF 文件的块，而底模的这一部分并不在 GGUF 文件中。</translation>
    </message>
    <message>
        <source>Trainers read the file&apos;s values, and hold them in 16 bits.</source>
        <translation>训练工具读取文件中的值，并以 16 位保存。</translation>
    </message>
    <message>
        <source>The scale of a block of zeros is zero, and E2M1 has no code for NaN or infinity.</source>
        <translation>全零块的缩放系数为零，而 E2M1 没有表示 NaN 或无穷大的编码。</translation>
    </message>
    <message>
        <source>ComfyUI stores scales in the tiles of 128 x 4 that tensor cores read.</source>
        <translation>ComfyUI 按张量核心读取的 128 x 4 分块保存缩放系数。</translation>
    </message>
    <message>
        <source>The rate of each value begins at the learning rate and moves by 1e-6 a step, whatever it is.</source>
        <translation>每个值的学习率从设定的学习率开始，无论多大，每步只变化 1e-6。</translation>
    </message>
    <message>
        <source>Automagic&apos;s rates begin at the learning rate, usually 1e-6, and move by 1e-6 a step: from {rate}, they need {steps} steps to fall.</source>
        <translation>Automagic 的学习率从设定的学习率（通常为 1e-6）开始，每步变化 1e-6：从 {rate} 降下来需要 {steps} 步。</translation>
    </message>
    <message>
        <source>learning rate 1e-6</source>
        <translation>学习率设为 1e-6</translation>
    </message>
</context>
</TS>
