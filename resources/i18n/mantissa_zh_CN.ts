<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DeviceReport</name>
    <message>
        <source>Runs</source>
        <translation>训练记录</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>  ready</source>
        <translation>  就绪</translation>
    </message>
    <message>
        <source>  can&apos;t be used: %1</source>
        <translation>  无法使用：%1</translation>
    </message>
    <message>
        <source>  threads: %1</source>
        <translation>  线程：%1</translation>
    </message>
    <message>
        <source>  compute capability: %1</source>
        <translation>  计算能力：%1</translation>
    </message>
    <message>
        <source>  driver: %1</source>
        <translation>  驱动：%1</translation>
    </message>
    <message>
        <source>  memory: %1 free of %2</source>
        <translation>  内存：可用 %1，共 %2</translation>
    </message>
    <message>
        <source>  memory: %1</source>
        <translation>  内存：%1</translation>
    </message>
    <message>
        <source>  instruction sets: %1</source>
        <translation>  指令集：%1</translation>
    </message>
    <message>
        <source>%1: %2, %3 free of %4</source>
        <translation>%1：%2，可用 %3，共 %4</translation>
    </message>
</context>
<context>
    <name>Family</name>
    <message>
        <source>Model family unknown</source>
        <translation>模型系列未知</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Underflow</source>
        <translation>下溢</translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation>上溢</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>%1 doublings</source>
        <translation>翻倍 %1 次</translation>
    </message>
    <message>
        <source>scaled or zero</source>
        <translation>已缩放或全零</translation>
    </message>
    <message>
        <source>nothing lost</source>
        <translation>没有损失</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>8-bit operand</source>
        <translation>8 位操作数</translation>
    </message>
    <message>
        <source>8-bit gradient operand</source>
        <translation>8 位梯度操作数</translation>
    </message>
    <message>
        <source>stored weight</source>
        <translation>存储的权重</translation>
    </message>
    <message>
        <source>adapter gradient</source>
        <translation>适配器梯度</translation>
    </message>
    <message>
        <source>DoRA magnitude</source>
        <translation>DoRA 幅值</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CaptionerForm</name>
    <message>
        <source>Qwen3-VL</source>
        <translation>Qwen3-VL</translation>
    </message>
    <message>
        <source>Folder of a Qwen3-VL, or its weights in one .safetensors file</source>
        <translation>Qwen3-VL 的文件夹，或其单个 .safetensors 权重文件</translation>
    </message>
    <message>
        <source>Folder of a Qwen3-VL</source>
        <translation>Qwen3-VL 的文件夹</translation>
    </message>
    <message>
        <source>An image is shown to the model with no more pixels than a square of this side has; fewer are faster</source>
        <translation>给模型看的图片像素数不超过此边长的正方形；越少越快</translation>
    </message>
    <message>
        <source>Qwen&apos;s Qwen3-VL-2B, 4B and 8B-Instruct are read; their pages on Hugging Face state the Apache-2.0 licence. Get all files of one into a folder of its own; nothing is downloaded here. Without a card the larger ones are slow.</source>
        <translation>可读取 Qwen 的 Qwen3-VL-2B、4B 和 8B-Instruct；它们在 Hugging Face 的页面注明 Apache-2.0 许可证。请把其中一个的全部文件放进单独的文件夹；这里不会下载任何内容。没有显卡时，较大的模型会很慢。</translation>
    </message>
    <message>
        <source>Choose the folder of a Qwen3-VL first</source>
        <translation>请先选择 Qwen3-VL 的文件夹</translation>
    </message>
    <message>
        <source>This is no Qwen3-VL: choose its folder, with config.json, or its weights in one .safetensors file</source>
        <translation>这不是 Qwen3-VL：请选择带有 config.json 的文件夹，或其单个 .safetensors 权重文件</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DraftTestView</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::EndpointForm</name>
    <message>
        <source>Address of the program</source>
        <translation>程序的地址</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The program&apos;s own</source>
        <translation>程序默认的</translation>
    </message>
    <message>
        <source>Its name as the program lists it; Ollama and LM Studio want one</source>
        <translation>程序列出的名称；Ollama 和 LM Studio 需要它</translation>
    </message>
    <message>
        <source>Pixels of the longer side that is sent; larger images are scaled</source>
        <translation>发送的图片长边的像素数；更大的图片会缩小</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Give the address of the program first</source>
        <translation>请先填写程序的地址</translation>
    </message>
    <message>
        <source>The images are sent to %1, another machine.</source>
        <translation>图片会发送到另一台机器 %1。</translation>
    </message>
    <message>
        <source>Of a program that serves a model which sees images: llama.cpp is usually at http://127.0.0.1:8080/v1, Ollama at http://127.0.0.1:11434/v1, LM Studio at http://127.0.0.1:1234/v1.</source>
        <translation>提供能看图的模型的程序的地址：llama.cpp 通常在 http://127.0.0.1:8080/v1，Ollama 在 http://127.0.0.1:11434/v1，LM Studio 在 http://127.0.0.1:1234/v1。</translation>
    </message>
    <message>
        <source>The images stay on this computer.</source>
        <translation>图片不会离开这台计算机。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::NoticeDialog</name>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Show a notification of the desktop when a run ends or fails</source>
        <translation>训练结束或失败时显示桌面通知</translation>
    </message>
    <message>
        <source>While this window is behind others</source>
        <translation>当此窗口在其他窗口后面时</translation>
    </message>
    <message>
        <source>Nowhere</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>To ntfy</source>
        <translation>发送到 ntfy</translation>
    </message>
    <message>
        <source>To a webhook, as JSON</source>
        <translation>发送到 Webhook（JSON）</translation>
    </message>
    <message>
        <source>Where a run&apos;s end is posted</source>
        <translation>训练结束的消息发送到哪里</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Send a test</source>
        <translation>发送测试</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>关闭对话框</translation>
    </message>
    <message>
        <source>The test was delivered.</source>
        <translation>测试已送达。</translation>
    </message>
    <message>
        <source>Post it</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>A notice holds the run&apos;s name and outcome, its last step and loss, the reason of a failure and the paths of its files. The address stays in this program&apos;s settings on this computer: no preset and no run holds it.</source>
        <translation>发送的是训练的名称和结果、最后一步及其损失、失败的原因和文件路径。地址只保存在这台计算机的程序设置里，不会写入预设或训练文件夹。</translation>
    </message>
    <message>
        <source>a test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>The desktop was asked to show it.</source>
        <translation>已请求桌面显示。</translation>
    </message>
    <message>
        <source>This desktop shows no notifications of programs.</source>
        <translation>此桌面不显示程序的通知。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::QuestionForm</name>
    <message>
        <source>Largest side</source>
        <translation>最大边长</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What the model is asked about each image</source>
        <translation>每张图片要向模型提出的问题</translation>
    </message>
    <message>
        <source>Give a question first</source>
        <translation>请先填写问题</translation>
    </message>
    <message>
        <source>The largest side is a number of pixels from %1 to %2</source>
        <translation>最大边长应为 %1 到 %2 之间的像素数</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RatePlot</name>
    <message>
        <source>diverged</source>
        <translation>发散</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Learning rate %1: loss %2, smoothed %3</source>
        <translation>学习率 %1：损失 %2，平滑后 %3</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Loss against learning rate</source>
        <translation>损失随学习率的变化</translation>
    </message>
    <message>
        <source>No learning rate is suggested</source>
        <translation>没有建议的学习率</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>当前 %1</translation>
    </message>
    <message>
        <source>suggested %1</source>
        <translation>建议 %1</translation>
    </message>
    <message>
        <source>Suggested learning rate: %1</source>
        <translation>建议的学习率：%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RateTestView</name>
    <message>
        <source>Cancel the range test</source>
        <translation>取消范围测试</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>Learning rate of the first step</source>
        <translation>第一步的学习率</translation>
    </message>
    <message>
        <source>Learning rate of the last step</source>
        <translation>最后一步的学习率</translation>
    </message>
    <message>
        <source>learning rate of the range test</source>
        <translation>范围测试的学习率</translation>
    </message>
    <message>
        <source>More steps make the curve smoother, and take longer</source>
        <translation>步数越多曲线越平滑，耗时也越长</translation>
    </message>
    <message>
        <source>Progress of the range test</source>
        <translation>范围测试的进度</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Steps of the range test</source>
        <translation>范围测试的步数</translation>
    </message>
    <message>
        <source>Test again</source>
        <translation>重新测试</translation>
    </message>
    <message>
        <source>Test learning rates</source>
        <translation>测试学习率</translation>
    </message>
    <message>
        <source>Test rates</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>The first learning rate must be above 0 and below the last, and the steps from %1 to %2.</source>
        <translation>第一步的学习率必须大于 0 且小于最后一步的，步数须在 %1 到 %2 之间。</translation>
    </message>
    <message>
        <source>The preset has changed since this test.</source>
        <translation>测试之后预设已有改动。</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Use the learning rate %1</source>
        <translation>使用学习率 %1</translation>
    </message>
    <message>
        <source>Use the suggested learning rate</source>
        <translation>使用建议的学习率</translation>
    </message>
    <message>
        <source>Which learning rate suits this preset and these images?

The range test trains a short run whose learning rate grows with every step, and compares each loss with that of the same images and noise before training.

You get the curve of the loss over the rate, and a rate to start with: about a tenth of the one with the lowest loss. Nothing is written.</source>
        <translation>哪个学习率适合这个预设和这些图片？

范围测试会做一次短训练，每一步都提高学习率，并把每一步的损失与训练前同样的图片、同样的噪声下的损失比较。

结果是损失随学习率变化的曲线，以及一个合适的起始学习率：约为损失最低处学习率的十分之一。不写入任何文件。</translation>
    </message>
</context>
<context>
    <name>Phase</name>
    <message>
        <source>Loading the base model</source>
        <translation>正在加载底模</translation>
    </message>
    <message>
        <source>Preparing images</source>
        <translation>正在准备图片</translation>
    </message>
    <message>
        <source>Preparing captions</source>
        <translation>正在准备标注</translation>
    </message>
    <message>
        <source>Rendering samples</source>
        <translation>正在生成样图</translation>
    </message>
    <message>
        <source>Computing validation loss</source>
        <translation>正在计算验证损失</translation>
    </message>
    <message>
        <source>Measuring training images</source>
        <translation>正在测量训练图片</translation>
    </message>
    <message>
        <source>Comparing with FP32</source>
        <translation>正在与 FP32 比较</translation>
    </message>
    <message>
        <source>Checking the base model&apos;s files</source>
        <translation>正在检查底模文件</translation>
    </message>
    <message>
        <source>Looking for images</source>
        <translation>正在查找图片</translation>
    </message>
    <message>
        <source>Reading images</source>
        <translation>正在读取图片</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>正在训练</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 of %2 weights</source>
        <translation>权重 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 MB</source>
        <translation>%1 / %2 MB</translation>
    </message>
    <message>
        <source>%1 of %2 images</source>
        <translation>图片 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 captions</source>
        <translation>标注 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>第 %1 / %2 步</translation>
    </message>
</context>
<context>
    <name>PlanLine</name>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Weights: %1 · Activations: %2 · Gradients: %3 · Optimizer state: %4 · Gradient clipping: %5 · Loss scaling: %6</source>
        <translation>权重：%1 · 激活值：%2 · 梯度：%3 · 优化器状态：%4 · 梯度裁剪：%5 · 损失缩放：%6</translation>
    </message>
</context>
<context>
    <name>RunData</name>
    <message>
        <source>loss is NaN/Inf</source>
        <translation>损失为 NaN/Inf</translation>
    </message>
    <message>
        <source>overflow at this loss scale, step skipped</source>
        <translation>在此损失缩放系数下溢出；已跳过</translation>
    </message>
    <message>
        <source>NaN/Inf gradients, step skipped</source>
        <translation>已跳过：梯度出现 NaN/Inf</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>paused: the disk is full</source>
        <translation>已暂停：磁盘已满</translation>
    </message>
</context>
<context>
    <name>RunReport</name>
    <message>
        <source>Run</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Loss, mean of the last tenth</source>
        <translation>损失（最后十分之一的平均值）</translation>
    </message>
    <message>
        <source>Seconds per step</source>
        <translation>每步秒数</translation>
    </message>
    <message>
        <source>Clipped steps</source>
        <translation>被裁剪的步数</translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation>跳过的步数</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Settings that differ from their defaults</source>
        <translation>与默认值不同的设置</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样图</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Trains LoRA adapters for diffusion models.</source>
        <translation>为扩散模型训练 LoRA 适配器。</translation>
    </message>
    <message>
        <source>A preset file, or the name of a built-in preset.</source>
        <translation>预设文件，或内置预设的名称。</translation>
    </message>
    <message>
        <source>Show a recorded run.</source>
        <translation>显示一次已记录的训练。</translation>
    </message>
    <message>
        <source>Render every page to DIR/&lt;page&gt;.png and exit.</source>
        <translation>将每个页面渲染到 DIR/&lt;页面&gt;.png 后退出。</translation>
    </message>
    <message>
        <source>system, light or dark, for this start only.</source>
        <translation>system、light 或 dark，仅对本次启动有效。</translation>
    </message>
    <message>
        <source>Language: en, zh_CN or ja, for this start only.</source>
        <translation>语言：en、zh_CN 或 ja，仅对本次启动有效。</translation>
    </message>
    <message>
        <source>Scale the whole window by this factor.</source>
        <translation>将所有内容按此倍数放大绘制。</translation>
    </message>
    <message>
        <source>Base model to start with; demo for the built-in one.</source>
        <translation>开始时使用的底模；demo 表示内置底模。</translation>
    </message>
    <message>
        <source>Image folder to start with; may be given more than once.</source>
        <translation>开始时使用的图片文件夹；可以指定多个。</translation>
    </message>
    <message>
        <source>Print the milliseconds to the first frame and exit.</source>
        <translation>输出到第一帧为止的毫秒数并退出。</translation>
    </message>
    <message>
        <source>Width and height of the window, for this start only.</source>
        <translation>窗口的宽和高，仅用于本次启动。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::AboutDialog</name>
    <message>
        <source>About Mantissa</source>
        <translation>关于 Mantissa</translation>
    </message>
    <message>
        <source>Trains LoRA, DoRA, LoHa and LoKr adapters for diffusion models. Apache License 2.0.</source>
        <translation>训练扩散模型的 LoRA、DoRA、LoHa 和 LoKr 适配器。Apache License 2.0。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::BaseFilesDialog</name>
    <message>
        <source>VAE</source>
        <translation>VAE</translation>
    </message>
    <message>
        <source>Text encoder</source>
        <translation>文本编码器</translation>
    </message>
    <message>
        <source>Text encoder %1</source>
        <translation>文本编码器 %1</translation>
    </message>
    <message>
        <source>Base model of separate files</source>
        <translation>由分开的文件组成的底模</translation>
    </message>
    <message>
        <source>Transformer, text encoder and VAE in files of their own, as ComfyUI keeps them. They stay where they are; a small JSON file lists them.</source>
        <translation>Transformer、文本编码器和 VAE 各为一个文件，与 ComfyUI 的存放方式相同。文件留在原处，由一个小的 JSON 文件列出。</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Save and use</source>
        <translation>保存并使用</translation>
    </message>
    <message>
        <source>Save the list and use it as the base model</source>
        <translation>保存列表并用作底模</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>不保存并关闭</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>.safetensors or .gguf file</source>
        <translation>.safetensors 或 .gguf 文件</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.gguf);;All files (*)</source>
        <translation>模型 (*.safetensors *.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>A new .json file</source>
        <translation>新的 .json 文件</translation>
    </message>
    <message>
        <source>Base models (*.json)</source>
        <translation>底模 (*.json)</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Tokenizer (%1)</source>
        <translation>分词器 (%1)</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>合适</translation>
    </message>
    <message>
        <source>No file that fits was found. Choose one.</source>
        <translation>没有找到合适的文件，请选择。</translation>
    </message>
    <message>
        <source>Several files fit: %1. Choose one.</source>
        <translation>有多个合适的文件：%1。请选择一个。</translation>
    </message>
    <message>
        <source>Choose a file.</source>
        <translation>请选择文件。</translation>
    </message>
    <message>
        <source>The name must end in .json.</source>
        <translation>文件名必须以 .json 结尾。</translation>
    </message>
    <message>
        <source>Choose the transformer&apos;s file.</source>
        <translation>请选择 Transformer 的文件。</translation>
    </message>
    <message>
        <source>This folder is part of the original model. Choose it.</source>
        <translation>这是原始模型中的文件夹，请选择。</translation>
    </message>
    <message>
        <source>Creates a new file.</source>
        <translation>将新建文件。</translation>
    </message>
    <message>
        <source>Replaces the list of that name.</source>
        <translation>将替换同名的列表。</translation>
    </message>
    <message>
        <source>Another file has this name. Choose another one.</source>
        <translation>已有另一个同名文件，请换一个名称。</translation>
    </message>
    <message>
        <source>Files of the base model</source>
        <translation>底模的文件</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::BucketView</name>
    <message>
        <source>Images by bucket</source>
        <translation>各个桶的图片</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Aspect</source>
        <translation>宽高比</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Batches an epoch</source>
        <translation>每轮批数</translation>
    </message>
    <message>
        <source>Repeated to fill a batch</source>
        <translation>为凑满批而重复</translation>
    </message>
    <message>
        <source>Cut away</source>
        <translation>裁掉</translation>
    </message>
    <message>
        <source>Share of its images&apos; pixels outside the crops, on average</source>
        <translation>其图片平均被裁掉的像素比例</translation>
    </message>
    <message>
        <source>Enter shows the images of this size. Space leaves the size out: its images go to the nearest other one.</source>
        <translation>按 Enter 显示此尺寸的图片。按空格键停用此尺寸，其图片会归入最接近的其他尺寸。</translation>
    </message>
    <message>
        <source>Left out; Space takes it in again.</source>
        <translation>已停用；按空格键重新启用。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CaptionBook</name>
    <message>
        <source>caption</source>
        <translation>标注</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>另有 %n 个。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) stay as another program left them.</source>
        <translation>
            <numerusform>%n 条标注保持其他程序修改后的内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was changed by another program: its caption is shown, not the one that could not be written.</source>
        <translation>%1 已被其他程序更改：显示的是该文件中的标注，而不是未能写入的标注。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CaptionEditor</name>
    <message>
        <source>Caption</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Caption of the image</source>
        <translation>图片的标注</translation>
    </message>
    <message>
        <source>What the image shows; tags are separated by commas</source>
        <translation>图片里有什么；标签之间用逗号分隔</translation>
    </message>
    <message>
        <source>What to do with the captions of the selected images</source>
        <translation>对所选图片的标注做什么</translation>
    </message>
    <message>
        <source>Add tag at the end</source>
        <translation>在末尾添加标签</translation>
    </message>
    <message>
        <source>Add tag in front</source>
        <translation>在开头添加标签</translation>
    </message>
    <message>
        <source>Remove tag</source>
        <translation>移除标签</translation>
    </message>
    <message>
        <source>Replace tag</source>
        <translation>替换标签</translation>
    </message>
    <message>
        <source>Put text before</source>
        <translation>在前面加文本</translation>
    </message>
    <message>
        <source>Put text after</source>
        <translation>在后面加文本</translation>
    </message>
    <message>
        <source>Sort tags by frequency</source>
        <translation>按频率排序标签</translation>
    </message>
    <message>
        <source>Tag or text</source>
        <translation>标签或文本</translation>
    </message>
    <message>
        <source>New tag</source>
        <translation>新标签</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation>
            <numerusform>已修改 %n 条标注。</numerusform>
        </translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>No caption: trained with the folder&apos;s name, “%1”</source>
        <translation>没有标注：用文件夹名“%1”训练</translation>
    </message>
    <message numerus="yes">
        <source>Add tag to %n image(s)</source>
        <translation>
            <numerusform>给 %n 张图片添加标签</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove tag from %n image(s)</source>
        <translation>
            <numerusform>从 %n 张图片移除标签</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace tag in %n image(s)</source>
        <translation>
            <numerusform>替换 %n 张图片的标签</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add text to %n image(s)</source>
        <translation>
            <numerusform>给 %n 张图片添加文字</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sort tags of %n image(s)</source>
        <translation>
            <numerusform>排序 %n 张图片的标签</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the %n selected image(s)</source>
        <translation>
            <numerusform>选中的 %n 张图片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of all %n image(s)</source>
        <translation>
            <numerusform>全部 %n 张图片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the %n image(s) shown; the others stay as they are</source>
        <translation>
            <numerusform>当前显示的 %n 张图片；其余保持不变</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n image(s)</source>
        <translation>
            <numerusform>替换 %n 张图片中的文字</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove repeated tags from %n image(s)</source>
        <translation>
            <numerusform>删除 %n 张图片的重复标签</numerusform>
        </translation>
    </message>
    <message>
        <source>Replace by pattern</source>
        <translation>按模式替换</translation>
    </message>
    <message>
        <source>Remove repeated tags</source>
        <translation>删除重复标签</translation>
    </message>
    <message>
        <source>Sort tags by name</source>
        <translation>按名称排序标签</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>New text; \1 is the first group</source>
        <translation>新文字（\1 是第一个分组）</translation>
    </message>
    <message>
        <source>New text</source>
        <translation>新文字</translation>
    </message>
    <message>
        <source>%1: %2 of %3 tokens</source>
        <translation>%1：%2 / %3 个词元</translation>
    </message>
    <message>
        <source>The marked end isn&apos;t read</source>
        <translation>标记的结尾不会被读取</translation>
    </message>
    <message>
        <source>Not a valid regular expression: %1 (character %2).</source>
        <translation>这不是正则表达式：%1（第 %2 个字符）。</translation>
    </message>
    <message>
        <source>Read-only: comes with Mantissa</source>
        <translation>只读：随 Mantissa 提供</translation>
    </message>
    <message>
        <source>To change the captions, copy the folder and choose the copy in Setup.</source>
        <translation>要修改标注，请复制该文件夹，并在“配置”中选择副本。</translation>
    </message>
    <message numerus="yes">
        <source>\%1 names no group: the pattern has %n group(s).</source>
        <translation>
            <numerusform>\%1 没有对应的分组：模式中有 %n 个分组。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TagTable</name>
    <message>
        <source>Tags in use, the most frequent first</source>
        <translation>使用中的标签，最常用的在前</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>标注数</translation>
    </message>
    <message>
        <source>Tag, the first %1 of %2</source>
        <translation>标签（共 %2 个，显示前 %1 个）</translation>
    </message>
    <message>
        <source>Enter shows the images with this tag</source>
        <translation>按 Enter 显示带此标签的图片</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CardArea</name>
    <message>
        <source>Messages of the run</source>
        <translation>训练的消息</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CloseGuard</name>
    <message>
        <source>A run is in progress.</source>
        <translation>有一个训练正在进行。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in progress.</source>
        <translation>
            <numerusform>有 %n 个训练正在进行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) can&apos;t be written and will be lost.</source>
        <translation>
            <numerusform>%n 条标注无法写入，将会丢失。</numerusform>
        </translation>
    </message>
    <message>
        <source>The painted mask can&apos;t be written and will be lost.</source>
        <translation>绘制的遮罩无法写入，将会丢失。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait in the queue. They start when the run that continues without the window has ended and the studio is open again; if you stop it, they wait until you start the queue.</source>
        <translation>
            <numerusform>队列中还有 %n 个训练在等待。在没有窗口的情况下继续的训练结束、且程序再次打开后，它们就会开始；如果停止该训练，它们会一直等到你启动队列。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait in the queue until you start it again.</source>
        <translation>
            <numerusform>队列中还有 %n 个训练在等待，直到你再次启动队列。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ComparePage</name>
    <message>
        <source>Select a run above to see its curves, settings and samples.
Select several with Ctrl or Shift to compare them.</source>
        <translation>在上方选择一次训练，查看它的曲线、设置和样图。
按住 Ctrl 或 Shift 选择多次训练即可对比。</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样图</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>Results and settings of the selected runs</source>
        <translation>所选训练的结果和设置</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>No steps yet</source>
        <translation>还没有步数</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>This version can&apos;t read the preset of a selected run.</source>
        <translation>此版本无法读取某次所选训练的预设。</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ from the defaults.</source>
        <translation>
            <numerusform>有 %n 项设置与默认值不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>The presets are identical.</source>
        <translation>预设相同。</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ between the runs.</source>
        <translation>
            <numerusform>这些训练之间有 %n 项设置不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Loss and gradient norm of the chosen runs.
Only losses of one model and loss type compare.</source>
        <translation>所选训练的损失和梯度范数。
只有同一模型、同一损失类型的损失才能比较。</translation>
    </message>
    <message>
        <source>The settings in which the runs differ, and their figures.
Runs that differ in one setting are judged best.</source>
        <translation>各次训练不同的设置及其数值。
只有一项设置不同的训练最容易判断。</translation>
    </message>
    <message>
        <source>The same prompt in each run.
Good: the subject of the training with the rest of the prompt.
Choose the run by these, not by its loss.</source>
        <translation>各次训练中同一提示词的样图。
理想：既有训练的主体，也遵循提示词的其余部分。
应依据样图而不是损失来选择。</translation>
    </message>
    <message>
        <source>Files, figures and samples of the run.
Copy the adapter to ComfyUI or A1111 here.</source>
        <translation>该训练的文件、数值和样图。
可在此将适配器复制到 ComfyUI 或 A1111。</translation>
    </message>
    <message>
        <source>%1 from step %2</source>
        <translation>从第 %2 步起为 %1</translation>
    </message>
    <message>
        <source>%1 since it was resumed</source>
        <translation>恢复训练后为 %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleComparison</name>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompt of the samples</source>
        <translation>样图的提示词</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step of the samples</source>
        <translation>样图的步数</translation>
    </message>
    <message>
        <source>No sample of this prompt up to this step</source>
        <translation>到此步为止，该提示词没有样图</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · 第 %2 步</translation>
    </message>
</context>
<context>
    <name>RunFigures</name>
    <message>
        <source>%1: %2/s, slow</source>
        <translation>%1：%2 张/秒，较慢</translation>
    </message>
    <message>
        <source>%1: %2/s</source>
        <translation>%1：%2 张/秒</translation>
    </message>
    <message>
        <source>%1 on %2: %3/s, slow</source>
        <translation>%2 上的 %1：%3 张/秒，较慢</translation>
    </message>
    <message>
        <source>%1 on %2: %3/s</source>
        <translation>%2 上的 %1：%3 张/秒</translation>
    </message>
    <message>
        <source>Suggested checkpoint</source>
        <translation>建议的检查点</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Memorising</source>
        <translation>死记</translation>
    </message>
    <message>
        <source>A sign at step %1</source>
        <translation>第 %1 步有迹象</translation>
    </message>
    <message>
        <source>No sign</source>
        <translation>无迹象</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Loss, mean of the last tenth</source>
        <translation>损失（最后十分之一的平均值）</translation>
    </message>
    <message>
        <source>Seconds per step</source>
        <translation>每步秒数</translation>
    </message>
    <message>
        <source>Images per second</source>
        <translation>每秒图片数</translation>
    </message>
    <message>
        <source>Cards or processes</source>
        <translation>显卡或进程</translation>
    </message>
    <message>
        <source>Clipped steps</source>
        <translation>被裁剪的步数</translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation>跳过的步数</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CropView</name>
    <message>
        <source>What training uses of the image</source>
        <translation>训练会保留图片的哪些部分</translation>
    </message>
    <message>
        <source>%1 by %2 pixels are scaled to %3 by %4 and cut to %5 by %6</source>
        <translation>%1 × %2 像素先缩放到 %3 × %4，再裁剪到 %5 × %6</translation>
    </message>
    <message>
        <source>%1 by %2 pixels are scaled to %3 by %4 and reflected at the edges up to %5 by %6</source>
        <translation>%1×%2 像素缩放到 %3×%4，并在边缘镜像扩展到 %5×%6</translation>
    </message>
    <message>
        <source>Choose an image on the left.</source>
        <translation>请在左侧选择一张图片。</translation>
    </message>
    <message>
        <source>This image can&apos;t be read.</source>
        <translation>无法读取这张图片。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DataPage</name>
    <message>
        <source>Scanning the folders…</source>
        <translation>正在查看各个文件夹…</translation>
    </message>
    <message>
        <source>Images scanned</source>
        <translation>已查看的图片</translation>
    </message>
    <message>
        <source>Scan again</source>
        <translation>重新扫描</translation>
    </message>
    <message>
        <source>Only %1 × %2</source>
        <translation>仅 %1 × %2</translation>
    </message>
    <message>
        <source>Only “%1”</source>
        <translation>仅“%1”</translation>
    </message>
    <message>
        <source>Search names and captions (Ctrl+F)</source>
        <translation>搜索文件名和标注 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search names and captions</source>
        <translation>搜索文件名和标注</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Show all images again</source>
        <translation>重新显示全部图片</translation>
    </message>
    <message>
        <source>Rescan the folders (Ctrl+R)</source>
        <translation>重新查看各个文件夹 (Ctrl+R)</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Scanned %1 of %2 images</source>
        <translation>已查看 %1 / %2 张图片</translation>
    </message>
    <message>
        <source>There is no image to train on in these folders.</source>
        <translation>这些文件夹里没有可供训练的图片。</translation>
    </message>
    <message>
        <source>%1 × %2, trained as %3 × %4; %5 of it is kept</source>
        <translation>%1 × %2，按 %3 × %4 训练；保留 %5</translation>
    </message>
    <message>
        <source>; enlarged %1 times</source>
        <translation>；放大 %1 倍</translation>
    </message>
    <message>
        <source>Images %1</source>
        <translation>图片 %1</translation>
    </message>
    <message>
        <source>Buckets %1</source>
        <translation>桶 %1</translation>
    </message>
    <message>
        <source>Skipped %1</source>
        <translation>跳过 %1</translation>
    </message>
    <message>
        <source>Notices %1</source>
        <translation>提示 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%n without a caption</source>
        <translation>
            <numerusform>%n 张没有标注</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n for validation</source>
        <translation>
            <numerusform>%n 张用于验证</numerusform>
        </translation>
    </message>
    <message>
        <source>No image folder is selected.
Add one, or drop it here: its images, captions and buckets are shown before you train.</source>
        <translation>尚未选择图片文件夹。
请添加，或拖放到这里：训练前会显示其中的图片、标注和分桶。</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add an image folder</source>
        <translation>添加图片文件夹</translation>
    </message>
    <message>
        <source>Use the demo&apos;s images</source>
        <translation>使用演示图片</translation>
    </message>
    <message>
        <source>Folders %1</source>
        <translation>文件夹 %1</translation>
    </message>
    <message>
        <source>Find duplicates</source>
        <translation>查找重复图片</translation>
    </message>
    <message>
        <source>Compare the images: also re-encoded, resized, cropped or mirrored copies</source>
        <translation>比较图片：也能找出重新编码、缩放、裁剪或镜像过的副本</translation>
    </message>
    <message>
        <source>Images compared</source>
        <translation>已比较的图片</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the search for duplicates</source>
        <translation>取消查找重复图片</translation>
    </message>
    <message>
        <source>Comparing images…</source>
        <translation>正在比较图片…</translation>
    </message>
    <message>
        <source>Compared %1 of %2 images</source>
        <translation>已比较 %1 / %2 张图片</translation>
    </message>
    <message numerus="yes">
        <source>No duplicates among %n image(s).</source>
        <translation>
            <numerusform>%n 张图片中没有重复。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Open the folder of the current image</source>
        <translation>打开当前图片所在的文件夹</translation>
    </message>
    <message>
        <source>Move to trash…</source>
        <translation>移到回收站…</translation>
    </message>
    <message>
        <source>Move the selected images to the trash, with their captions and masks (Delete)</source>
        <translation>将所选图片连同标注和遮罩移到回收站 (Delete)</translation>
    </message>
    <message>
        <source>Only duplicates</source>
        <translation>仅重复图片</translation>
    </message>
    <message>
        <source>The demo&apos;s images come with Mantissa and stay where they are.</source>
        <translation>演示图片随 Mantissa 提供，不能移走。</translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) moved to the trash.</source>
        <translation>
            <numerusform>已将 %n 张图片移到回收站。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exact copies</source>
        <translation>
            <numerusform>完全相同的副本：%n 张</numerusform>
        </translation>
    </message>
    <message>
        <source>Caption and tags</source>
        <translation>标注和标签</translation>
    </message>
    <message numerus="yes">
        <source>%n stood out</source>
        <translation>
            <numerusform>%n 张异常</numerusform>
        </translation>
    </message>
    <message>
        <source>Images that stood out in the run %1: never learned, unlike the others, or with a caption that may not fit</source>
        <translation>在训练 %1 中异常的图片：始终没有学会、与其他不像，或标注可能不符</translation>
    </message>
    <message>
        <source>Only those that stood out</source>
        <translation>只看异常的图片</translation>
    </message>
    <message>
        <source>Images that stood out in a run</source>
        <translation>在训练中突出的图片</translation>
    </message>
    <message>
        <source>Show images by their captions, and how large</source>
        <translation>按标注筛选图片并选择大小</translation>
    </message>
    <message>
        <source>All images</source>
        <translation>所有图片</translation>
    </message>
    <message>
        <source>Without a caption</source>
        <translation>没有标注</translation>
    </message>
    <message>
        <source>Only without a caption</source>
        <translation>仅没有标注的</translation>
    </message>
    <message>
        <source>%1: cut after %2 tokens</source>
        <translation>%1：在 %2 个词元后截断</translation>
    </message>
    <message>
        <source>%1: more than %2 tokens</source>
        <translation>%1：超过 %2 个词元</translation>
    </message>
    <message>
        <source>Only more than %1 tokens</source>
        <translation>仅超过 %1 个词元的</translation>
    </message>
    <message>
        <source>Small images</source>
        <translation>小图</translation>
    </message>
    <message>
        <source>Medium images</source>
        <translation>中图</translation>
    </message>
    <message>
        <source>Large images</source>
        <translation>大图</translation>
    </message>
    <message>
        <source>Paint which parts of the image the loss counts (Ctrl+M)</source>
        <translation>涂出图片中计入损失的部分 (Ctrl+M)</translation>
    </message>
    <message>
        <source>Move the image&apos;s mask to the trash: all of it counts then</source>
        <translation>将图片的遮罩移到回收站：此后整张图片都计入</translation>
    </message>
    <message>
        <source>Remove mask</source>
        <translation>删除遮罩</translation>
    </message>
    <message>
        <source>Edit mask</source>
        <translation>编辑遮罩</translation>
    </message>
    <message>
        <source>Paint mask</source>
        <translation>绘制遮罩</translation>
    </message>
    <message>
        <source>Has a mask: %1</source>
        <translation>有遮罩：%1</translation>
    </message>
    <message>
        <source>Has a mask that this preset doesn&apos;t use: %1</source>
        <translation>有此预设未使用的遮罩：%1</translation>
    </message>
    <message>
        <source>This preset uses no mask files.</source>
        <translation>此预设不使用遮罩文件。</translation>
    </message>
    <message>
        <source>Use mask files</source>
        <translation>使用遮罩文件</translation>
    </message>
    <message>
        <source>The mask was moved to the trash.</source>
        <translation>遮罩已移到回收站。</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) written; Undo puts the old ones back.</source>
        <translation>
            <numerusform>已写入 %n 条标注；可用撤销恢复原来的标注。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) put back</source>
        <translation>
            <numerusform>已恢复 %n 条标注</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new one(s) removed</source>
        <translation>
            <numerusform>已删除 %n 条新标注</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edited since and left</source>
        <translation>
            <numerusform>之后修改过的 %n 条保持不变</numerusform>
        </translation>
    </message>
    <message>
        <source>Caption by a model…</source>
        <translation>用模型标注…</translation>
    </message>
    <message>
        <source>Caption by a model</source>
        <translation>用模型标注</translation>
    </message>
    <message>
        <source>Captions for the images shown or selected, by a tagger, a Qwen3-VL or a model that another program serves (Ctrl+T)</source>
        <translation>为显示的或所选的图片生成标注：由打标模型、Qwen3-VL 或其他程序提供的模型 (Ctrl+T)</translation>
    </message>
    <message>
        <source>No captions are left to put back.</source>
        <translation>没有可以还原的标注。</translation>
    </message>
    <message>
        <source>The images as they are trained, with their captions.
Good: every image has a caption, and nothing important is cut off.
Change captions here, or of many with the tools.</source>
        <translation>实际训练时的图片及其标注。
理想：每张图片都有标注，重要内容没有被裁掉。
可在此修改标注，或用工具批量修改。</translation>
    </message>
    <message>
        <source>The sizes that images are scaled and cropped to.
Good: few sizes, none with less than a batch.
A size is left out with its checkbox.</source>
        <translation>图片缩放并裁剪到的尺寸。
理想：尺寸不多，且每个都至少够一批。
取消勾选即可不用某个尺寸。</translation>
    </message>
    <message>
        <source>The folders, with repeats, loss weights and caption prefixes.
Good: small folders that matter have more repeats.
Change them in the table.</source>
        <translation>各文件夹及其重复次数、损失权重和标注前缀。
理想：图片少而重要的文件夹重复次数更多。
可在表中修改。</translation>
    </message>
    <message>
        <source>Files that can&apos;t be trained, and why.
Good: none.
Mend or remove them.</source>
        <translation>无法训练的文件及其原因。
理想：没有。
请修复或移除它们。</translation>
    </message>
    <message>
        <source>What is probably not as you mean it.
Good: none.
Each leads to its images.</source>
        <translation>可能与你的本意不符之处。
理想：没有。
每一条都会转到相应的图片。</translation>
    </message>
    <message>
        <source>Search images</source>
        <translation>搜索图片</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) converted to UTF-8.</source>
        <translation>
            <numerusform>已将 %n 个文件转换为 UTF-8。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DatasetModel</name>
    <message>
        <source>No caption</source>
        <translation>没有标注</translation>
    </message>
    <message>
        <source>No caption: trained with the folder&apos;s name, “%1”</source>
        <translation>没有标注：用文件夹名“%1”训练</translation>
    </message>
    <message>
        <source>%1: same file</source>
        <translation>%1：文件相同</translation>
    </message>
    <message>
        <source>%1: similar</source>
        <translation>%1：相似</translation>
    </message>
    <message>
        <source>%1: mirrored</source>
        <translation>%1：镜像</translation>
    </message>
    <message>
        <source>The same file as %1.</source>
        <translation>与 %1 是同一文件。</translation>
    </message>
    <message>
        <source>A mirrored copy of %1, of the same size.</source>
        <translation>%1 的镜像副本，尺寸相同。</translation>
    </message>
    <message>
        <source>Similar to %1, of the same size.</source>
        <translation>与 %1 相似，尺寸相同。</translation>
    </message>
    <message>
        <source>A mirrored copy of %1; that has %2 pixels, this one %3.</source>
        <translation>%1 的镜像副本；原图 %2 像素，此图 %3。</translation>
    </message>
    <message>
        <source>Similar to %1; that has %2 pixels, this one %3.</source>
        <translation>与 %1 相似；原图 %2 像素，此图 %3。</translation>
    </message>
    <message>
        <source>%1: the one to keep</source>
        <translation>%1：建议保留</translation>
    </message>
    <message numerus="yes">
        <source>The one to keep of a group: the largest, captioned, lossless; %n image(s) are copies of it.</source>
        <translation>
            <numerusform>一组中建议保留的图片：尺寸最大、有标注、无损；另有 %n 张是它的副本。</numerusform>
        </translation>
    </message>
    <message>
        <source>In the run %1: %2</source>
        <translation>在训练 %1 中：%2</translation>
    </message>
    <message>
        <source>Caption may not fit</source>
        <translation>标注可能不符</translation>
    </message>
    <message>
        <source>Never learned</source>
        <translation>没有学会</translation>
    </message>
    <message>
        <source>Unlike the others</source>
        <translation>与其他不像</translation>
    </message>
    <message>
        <source>Has a mask.</source>
        <translation>有遮罩。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LibraryCard</name>
    <message>
        <source>CUDA libraries</source>
        <translation>CUDA 库</translation>
    </message>
    <message>
        <source>Install CUDA libraries</source>
        <translation>安装 CUDA 库</translation>
    </message>
    <message>
        <source>Installation progress</source>
        <translation>安装进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>To train on an NVIDIA card, cuBLASLt, cuDNN and NVRTC are needed besides the driver. They are downloaded from the Python package index. By installing them you accept their terms: %1.</source>
        <translation>要在 NVIDIA 显卡上训练,除驱动程序外还需要 cuBLASLt、cuDNN 和 NVRTC。它们从 Python 软件包索引下载。安装即表示你接受其条款:%1。</translation>
    </message>
    <message>
        <source>Install CUDA libraries (%1)</source>
        <translation>安装 CUDA 库 (%1)</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Downloading %1: %2 of %3</source>
        <translation>正在下载 %1:%2 / %3</translation>
    </message>
    <message>
        <source>Checking %1</source>
        <translation>正在检查 %1</translation>
    </message>
    <message>
        <source>Unpacking %1: %2 of %3</source>
        <translation>正在解压 %1:%2 / %3</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DevicePage</name>
    <message>
        <source>%1 free of %2</source>
        <translation>可用 %1，共 %2</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>Calculate on every device beside the CPU, and measure copies; takes seconds</source>
        <translation>在每个设备上计算并与 CPU 比较，同时测量传输速度；需要几秒钟</translation>
    </message>
    <message>
        <source>Test results</source>
        <translation>测试结果</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Draws the screen</source>
        <translation>用于显示画面</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Compiled by the driver at the first start, which takes minutes</source>
        <translation>首次启动时由驱动编译，需要几分钟</translation>
    </message>
    <message>
        <source>Refresh devices (Ctrl+R)</source>
        <translation>刷新设备 (Ctrl+R)</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Everything on this page, for a report (Ctrl+C)</source>
        <translation>本页的全部内容，用于报告问题 (Ctrl+C)</translation>
    </message>
    <message>
        <source>Detecting devices…</source>
        <translation>正在检测设备…</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices of this computer</source>
        <translation>本机的设备</translation>
    </message>
    <message>
        <source>Unknown processor</source>
        <translation>未知处理器</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA GPU</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Can&apos;t be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>VRAM</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>RAM in use of %1</source>
        <translation>%1 的内存占用</translation>
    </message>
    <message>
        <source>VRAM in use of %1</source>
        <translation>%1 的显存占用</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Compute capability</source>
        <translation>计算能力</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>Instruction sets</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Disk in use: %1</source>
        <translation>磁盘占用：%1</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>The device report is on the clipboard.</source>
        <translation>设备报告已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Draft preset</source>
        <translation>编辑中的预设</translation>
    </message>
    <message>
        <source>About %1 a step (estimated)</source>
        <translation>每步约 %1（估计）</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DiffTable</name>
    <message>
        <source>No difference.</source>
        <translation>没有差别。</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>%1 in %2: %3</source>
        <translation>%2 的%1：%3</translation>
    </message>
    <message>
        <source>%1: %2 from %3</source>
        <translation>%1：%3 的%2</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>将%1设为 %2</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DiskCard</name>
    <message>
        <source>Paused: the disk is full</source>
        <translation>已暂停：磁盘已满</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try to write again</source>
        <translation>再次尝试写入</translation>
    </message>
    <message>
        <source>Save to another folder…</source>
        <translation>保存到其他文件夹…</translation>
    </message>
    <message>
        <source>Stop without saving</source>
        <translation>停止且不保存</translation>
    </message>
    <message>
        <source>The folder %1 needs %2 free; it has %3. Nothing is lost: the run continues from here as soon as there is space.</source>
        <translation>文件夹 %1 需要 %2 可用空间，现有 %3。没有丢失任何进度：一有空间，训练就会从这里继续。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DraftKeeper</name>
    <message>
        <source>The edits of the last session can&apos;t be restored: %1</source>
        <translation>无法恢复上次的编辑：%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DraftProbe</name>
    <message>
        <source>A run is in progress: the probe can start when it has ended.</source>
        <translation>训练正在进行：结束后才能诊断。</translation>
    </message>
    <message>
        <source>A run is in progress: the test can start when it has ended.</source>
        <translation>训练正在进行，结束后才能测试。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DraftReview</name>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>After the fixes</source>
        <translation>修正后</translation>
    </message>
    <message>
        <source>Apply all</source>
        <translation>全部应用</translation>
    </message>
    <message>
        <source>Apply all changes</source>
        <translation>应用全部更改</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without changes</source>
        <translation>关闭而不更改</translation>
    </message>
    <message>
        <source>The fix for %1 is in the draft of the preset; the next run will use it.</source>
        <translation>对 %1 的修正已写入预设草稿；下次训练会使用它。</translation>
    </message>
    <message>
        <source>Start is blocked. %1</source>
        <translation>无法开始。%1</translation>
    </message>
    <message>
        <source>fix for %1</source>
        <translation>对 %1 的修正</translation>
    </message>
    <message>
        <source>There is nothing to fix.</source>
        <translation>没有需要修正的地方。</translation>
    </message>
    <message>
        <source>Apply safe fixes</source>
        <translation>应用全部安全修正</translation>
    </message>
    <message>
        <source>applying safe fixes</source>
        <translation>应用全部安全修正</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DropTarget</name>
    <message>
        <source>%1 carries no preset; it is now the base model of this run.</source>
        <translation>%1 中没有预设；它现在是本次训练的底模。</translation>
    </message>
    <message>
        <source>%1 is now the base model of this run.</source>
        <translation>%1 现在是本次训练的底模。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ElideLabel</name>
    <message>
        <source>Empty</source>
        <translation>空</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::EmptyPages</name>
    <message>
        <source>Start a run</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>No samples yet.
The run renders its prompts from time to time, or now.</source>
        <translation>还没有样图。
训练会定期生成样图，也可以立即生成。</translation>
    </message>
    <message>
        <source>No samples yet.
A run renders the prompts of its preset as it trains.</source>
        <translation>还没有样图。
训练时会按预设中的提示词生成样图。</translation>
    </message>
    <message>
        <source>No samples yet.
Set “Sample every”, and a run renders the prompts of its preset as it trains.</source>
        <translation>还没有样图。
设置“采样间隔”后，训练时会按预设中的提示词生成样图。</translation>
    </message>
    <message>
        <source>This preset has no sample prompts.
A run renders each prompt as it trains, so that you see what it has learned.</source>
        <translation>此预设没有样图提示词。
训练时会为每条提示词生成样图，让你看到学习效果。</translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation>立即采样</translation>
    </message>
    <message>
        <source>Add a sample prompt</source>
        <translation>添加样图提示词</translation>
    </message>
    <message>
        <source>Write a prompt…</source>
        <translation>输入提示词…</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::EngineClient</name>
    <message numerus="yes">
        <source>%n record(s) of layer statistics were dropped because the window was busy; open the run from History to see them all.</source>
        <translation>
            <numerusform>窗口停顿期间，有 %n 条层统计记录未在此显示；从“历史”页打开这次训练即可看到全部。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ExponentHistogram</name>
    <message>
        <source>Exponent histogram</source>
        <translation>指数直方图</translation>
    </message>
    <message>
        <source>%1 nonzero values; %2 stored as zero, %3 with reduced precision, %4 too large</source>
        <translation>%1 个非零值；%2 个存成了零，%3 个有效位减少，%4 个过大</translation>
    </message>
    <message>
        <source>Select a cell to see how that tensor&apos;s values are distributed.</source>
        <translation>在图中选择一个单元格，查看该张量的数值分布。</translation>
    </message>
    <message>
        <source>Green: %1 holds it · hatched: reduced precision · red: lost</source>
        <translation>绿色：%1 可以容纳 · 斜线：有效位减少 · 红色：丢失</translation>
    </message>
    <message>
        <source>How large the values of the tensor are, in powers of two, beside the range of its format.
Good: all bars within the range.
Bars beyond its end overflow, those before its beginning become zero: pin the layer to a wider type.</source>
        <translation>张量中数值的大小（以 2 的幂表示）与其格式的范围。
理想：所有柱都在范围内。
超出上限的会溢出，低于下限的变为零：请将该层固定为更宽的类型。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldEditor</name>
    <message>
        <source>As above</source>
        <translation>同上</translation>
    </message>
    <message>
        <source>A set, or patterns separated by commas</source>
        <translation>一个集合，或用逗号分隔的模式</translation>
    </message>
    <message>
        <source>A name or a number</source>
        <translation>名称或数字</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>用逗号分隔</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldRow</name>
    <message>
        <source>Changed</source>
        <translation>已改动</translation>
    </message>
    <message>
        <source>Changed from the default</source>
        <translation>与默认值不同</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>还原%1</translation>
    </message>
    <message>
        <source>Back to the default: %1</source>
        <translation>恢复默认值：%1</translation>
    </message>
    <message>
        <source>Help on %1</source>
        <translation>%1的帮助</translation>
    </message>
    <message>
        <source>The current run can use this: Apply changes.</source>
        <translation>正在进行的训练可以采用此改动：点“应用更改”。</translation>
    </message>
    <message>
        <source>Has no effect on %1.</source>
        <translation>对 %1 没有作用。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Has an effect only with “%1: %2”.</source>
        <translation>仅在“%1：%2”时有效。</translation>
    </message>
    <message>
        <source>Not taken: %1</source>
        <translation>未采用：%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FindingCard</name>
    <message>
        <source>Refused</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Adjusted</source>
        <translation>已调整</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>可行</translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation>原因：%1</translation>
    </message>
    <message>
        <source>Show “%1” in the form</source>
        <translation>在表单中显示“%1”</translation>
    </message>
    <message>
        <source>Show the setting “%1”</source>
        <translation>显示设置“%1”</translation>
    </message>
    <message>
        <source>Write into the preset</source>
        <translation>写入预设</translation>
    </message>
    <message>
        <source>Apply this fix</source>
        <translation>应用此修正</translation>
    </message>
    <message>
        <source>Apply the fix for %1</source>
        <translation>应用对 %1 的修正</translation>
    </message>
    <message>
        <source>Ignore for this preset</source>
        <translation>对此预设忽略</translation>
    </message>
    <message>
        <source>Ignore the warning %1 for this preset</source>
        <translation>对此预设忽略警告 %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FirstRunWizard</name>
    <message>
        <source>Welcome to Mantissa</source>
        <translation>欢迎使用 Mantissa</translation>
    </message>
    <message>
        <source>Choose a base model</source>
        <translation>选择底模</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>A .safetensors or .gguf file or a diffusers folder of one of these models: %1. The demo is a tiny model that comes with Mantissa and trains in minutes on any computer.</source>
        <translation>以下任一模型的 .safetensors 或 .gguf 文件，或 diffusers 文件夹：%1。演示是随 Mantissa 提供的微型模型，在任何电脑上几分钟就能训练完。</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>.safetensors or .gguf file, or diffusers folder</source>
        <translation>.safetensors 或 .gguf 文件，或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.gguf *.json);;All files (*)</source>
        <translation>模型 (*.safetensors *.gguf *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose training images</source>
        <translation>选择训练图片</translation>
    </message>
    <message>
        <source>Folders of images; 10 to 40 are enough for a person, an object or a style. A caption is a text file with the image&apos;s name. The Data page helps you write captions.</source>
        <translation>图片文件夹；人物、物体或风格有 10 到 40 张就够了。标注写在同名的文本文件里，“数据”页可以帮你编写。</translation>
    </message>
    <message>
        <source>Image folders</source>
        <translation>图片文件夹</translation>
    </message>
    <message>
        <source>Folders with images and their captions</source>
        <translation>存放图片及其标注的文件夹</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>图片文件夹</translation>
    </message>
    <message>
        <source>What do you want to train?</source>
        <translation>想训练什么？</translation>
    </message>
    <message>
        <source>This picks a preset. You can change everything in it later.</source>
        <translation>这会选定一个预设，之后其中的一切都可以修改。</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Start with the defaults and don&apos;t show this again</source>
        <translation>从默认值开始；以后不再显示</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>What the base model is</source>
        <translation>底模的类型</translation>
    </message>
    <message>
        <source>The demo: a tiny model that trains on any computer.</source>
        <translation>演示：任何电脑都能训练的小模型。</translation>
    </message>
    <message>
        <source>There is no such file or folder.</source>
        <translation>没有这个文件或文件夹。</translation>
    </message>
    <message>
        <source>Reading the model…</source>
        <translation>正在读取模型…</translation>
    </message>
    <message>
        <source>No model that Mantissa can train was recognised there.</source>
        <translation>没有识别到 Mantissa 可以训练的模型。</translation>
    </message>
    <message>
        <source>licence: %1</source>
        <translation>许可证：%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FolderTable</name>
    <message>
        <source>Folders of the images</source>
        <translation>图片所在的文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
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
        <source>Double-click a number or prefix to change it. It becomes part of the preset.</source>
        <translation>双击数字或前缀即可修改，修改会写入预设。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FreePrompt</name>
    <message>
        <source>One prompt a line</source>
        <translation>每行一条提示词</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompts to render, one a line</source>
        <translation>要生成的提示词，每行一条</translation>
    </message>
    <message>
        <source>Negative</source>
        <translation>负面</translation>
    </message>
    <message>
        <source>Negative prompt</source>
        <translation>负面提示词</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seed of the starting noise</source>
        <translation>初始噪声的种子</translation>
    </message>
    <message>
        <source>One adapter</source>
        <translation>单个适配器</translation>
    </message>
    <message>
        <source>Every checkpoint</source>
        <translation>所有检查点</translation>
    </message>
    <message>
        <source>Strengths 0 – %1</source>
        <translation>强度 0 – %1</translation>
    </message>
    <message>
        <source>What to compare</source>
        <translation>要比较的内容</translation>
    </message>
    <message>
        <source>Several are compared in one image, a column each</source>
        <translation>多个时在一张图中比较，每个占一列</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Adapter of the run</source>
        <translation>本次训练的适配器</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Strength of the adapter for these prompts</source>
        <translation>用于这些提示词的适配器强度</translation>
    </message>
    <message>
        <source>Write a prompt first.</source>
        <translation>请先输入提示词。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Render</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Cancel the rendering</source>
        <translation>取消生成</translation>
    </message>
    <message>
        <source>Render these prompts</source>
        <translation>生成这些提示词</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FreeRenders</name>
    <message>
        <source>The engine is busy: pause the run to render other prompts.</source>
        <translation>引擎正忙：暂停训练后即可生成其他提示词。</translation>
    </message>
    <message>
        <source>The engine is checking the settings.</source>
        <translation>引擎正在检查设置。</translation>
    </message>
    <message>
        <source>The engine is probing the preset.</source>
        <translation>引擎正在诊断预设。</translation>
    </message>
    <message>
        <source>This needs a checkpoint of the run: Save now writes one.</source>
        <translation>需要本次训练的检查点：“立即保存”会写入一个。</translation>
    </message>
    <message>
        <source>This needs an adapter file: that of a finished run, or of a checkpoint.</source>
        <translation>需要适配器文件：来自已完成的训练或检查点。</translation>
    </message>
    <message>
        <source>Finished adapter</source>
        <translation>训练完成的适配器</translation>
    </message>
    <message>
        <source>Checkpoint of step %1</source>
        <translation>第 %1 步的检查点</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FrontPlot</name>
    <message>
        <source>Memory against the gradients&apos; error</source>
        <translation>内存与梯度误差</translation>
    </message>
    <message>
        <source>Gradients off</source>
        <translation>梯度误差</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FrontTable</name>
    <message>
        <source>%1 in %2</source>
        <translation>%2：%1</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Gradients off</source>
        <translation>梯度误差</translation>
    </message>
    <message>
        <source>Computed in</source>
        <translation>计算类型</translation>
    </message>
    <message>
        <source>Layers by type</source>
        <translation>各类型的层数</translation>
    </message>
    <message>
        <source>Peak of the whole run, planned exactly</source>
        <translation>整个训练的峰值，为精确计划值</translation>
    </message>
    <message>
        <source>Estimated time of a step</source>
        <translation>每步的估计时间</translation>
    </message>
    <message>
        <source>Error of the adapter&apos;s gradients, measured beside FP32</source>
        <translation>适配器梯度的误差，与 FP32 对照测得</translation>
    </message>
    <message>
        <source>The type in which the denoiser&apos;s layers multiply</source>
        <translation>去噪网络各层做乘法所用的类型</translation>
    </message>
    <message>
        <source>How many of the denoiser&apos;s layers are stored in which type</source>
        <translation>去噪网络的层按存储类型统计的数量</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FrontView</name>
    <message>
        <source>Use these types</source>
        <translation>使用这些类型</translation>
    </message>
    <message>
        <source>Sets the preset&apos;s types, and pins the layers in others; Undo takes it back</source>
        <translation>设置预设的类型，并固定使用其他类型的层；可以撤销</translation>
    </message>
    <message>
        <source>Choices of types, the smallest first</source>
        <translation>类型方案（内存从小到大）</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HeaderBar</name>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>● not saved</source>
        <translation>● 未保存</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HealthTable</name>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>NaN/Inf</source>
        <translation>NaN/Inf</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HealthView</name>
    <message>
        <source>Legend of the colours</source>
        <translation>颜色图例</translation>
    </message>
    <message>
        <source>✕ NaN/Inf   – not measured</source>
        <translation>✕ NaN/Inf   – 未测量</translation>
    </message>
    <message>
        <source>Heat map of layers over steps</source>
        <translation>各层随步数变化的热图</translation>
    </message>
    <message>
        <source>Layer statistics appear here every few steps.</source>
        <translation>每隔若干步会检查每一层的数值，并显示在这里。</translation>
    </message>
    <message>
        <source>Numerics of every tensor</source>
        <translation>每个张量的数值状态</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Measure: %1</source>
        <translation>指标：%1</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Worst tensor</source>
        <translation>最差的张量</translation>
    </message>
    <message>
        <source>Order of the layers</source>
        <translation>层的顺序</translation>
    </message>
    <message>
        <source>As they run</source>
        <translation>按执行顺序</translation>
    </message>
    <message>
        <source>Worst first</source>
        <translation>最差在前</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Show only layers whose name holds this</source>
        <translation>只显示名称包含此内容的层</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Show a table in place of the map</source>
        <translation>用表格代替热图</translation>
    </message>
    <message>
        <source>Step %1, first tensor with NaN/Inf: %2</source>
        <translation>第 %1 步，第一个出现 NaN/Inf 的张量：%2</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Share of nonzero values that are stored as zero.
Good: pale, below a per cent.
Else a wider type, or loss scaling.</source>
        <translation>存储后变为零的非零值所占比例。
理想：颜色浅，低于 1%。
否则请用更宽的类型或损失缩放。</translation>
    </message>
    <message>
        <source>Share of the values beyond the format&apos;s largest number.
Good: none.
Else pin the layer to BF16 or FP32.</source>
        <translation>超出该格式最大值的数值所占比例。
理想：没有。
否则请将该层固定为 BF16 或 FP32。</translation>
    </message>
    <message>
        <source>Doublings left before the largest value overflows.
Good: several.
Near 0, pin the layer to BF16 or FP32.</source>
        <translation>最大值在溢出前还能翻倍的次数。
理想：数次。
接近 0 时请将该层固定为 BF16 或 FP32。</translation>
    </message>
    <message>
        <source>Signal to rounding noise: about 6 dB for every bit kept.
Good: 55 dB in BF16, 31 dB in FP8.
Pin a layer far below its neighbours.</source>
        <translation>信号与舍入噪声之比：每保留一位约 6 dB。
理想：BF16 为 55 dB，FP8 为 31 dB。
请固定远低于相邻层的层。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HeatMap</name>
    <message>
        <source>Arrow keys move between cells; the table shows the same values.</source>
        <translation>方向键在单元格间移动；表格中有同样的内容。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HelpDialog</name>
    <message>
        <source>Your first LoRA</source>
        <translation>第一个 LoRA</translation>
    </message>
    <message>
        <source>Your own images</source>
        <translation>自己的图片</translation>
    </message>
    <message>
        <source>Which settings matter</source>
        <translation>哪些设置重要</translation>
    </message>
    <message>
        <source>Reading the curves</source>
        <translation>看懂曲线</translation>
    </message>
    <message>
        <source>Using the result</source>
        <translation>使用训练结果</translation>
    </message>
    <message>
        <source>When it goes wrong</source>
        <translation>出问题时</translation>
    </message>
    <message>
        <source>Several cards</source>
        <translation>多张显卡</translation>
    </message>
    <message>
        <source>Precision catalogue</source>
        <translation>精度问题目录</translation>
    </message>
    <message>
        <source>What trains where</source>
        <translation>可训练的组合</translation>
    </message>
    <message>
        <source>Base models</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更新记录</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation>指南的页面</translation>
    </message>
    <message>
        <source>The guide is available in English only.</source>
        <translation>本指南仅提供英文版。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HistoryPage</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>No runs yet.
Each run that you start, here or with the mantissa command, is listed on this page.</source>
        <translation>还没有训练记录。
你在这里或用 mantissa 命令启动的每次训练，都会列在本页。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>训练记录</translation>
    </message>
    <message>
        <source>Columns of the runs</source>
        <translation>训练记录的列</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show the run on the Train page; a run in progress is shown live</source>
        <translation>在“训练”页显示这次训练；正在进行的会实时显示</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>续训</translation>
    </message>
    <message>
        <source>Continue from the run&apos;s last checkpoint</source>
        <translation>从这次训练的最后一个检查点继续</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制预设</translation>
    </message>
    <message>
        <source>Load the run&apos;s preset into Setup for another run, with its latest settings</source>
        <translation>把这次训练的预设按其最新设置载入“配置”，用于另一次训练</translation>
    </message>
    <message>
        <source>Steps as CSV…</source>
        <translation>各步数据 (CSV)…</translation>
    </message>
    <message>
        <source>Every number of every step</source>
        <translation>每一步的所有数值</translation>
    </message>
    <message>
        <source>Curves as PNG…</source>
        <translation>曲线图 (PNG)…</translation>
    </message>
    <message>
        <source>The loss curves of the selected runs</source>
        <translation>所选训练的损失曲线</translation>
    </message>
    <message>
        <source>Report as Markdown…</source>
        <translation>报告 (Markdown)…</translation>
    </message>
    <message>
        <source>Result, settings, curve and warnings of the run</source>
        <translation>这次训练的结果、设置、曲线和警告</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Move the selected runs to the trash</source>
        <translation>把所选训练移到回收站</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation>搜索训练记录</translation>
    </message>
    <message>
        <source>Write the run to a file</source>
        <translation>把这次训练写成文件</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted.</source>
        <translation>
            <numerusform>已删除 %n 次训练。</numerusform>
        </translation>
    </message>
    <message>
        <source>These folders lie outside the runs folder and stay: %1</source>
        <translation>这些文件夹在训练目录之外，予以保留：%1</translation>
    </message>
    <message>
        <source>The trash holds them.</source>
        <translation>它们在回收站里。</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>The run has no checkpoint: trains it again from step 0</source>
        <translation>该训练没有检查点：从第 0 步重新训练</translation>
    </message>
    <message>
        <source>Continue from the run&apos;s last checkpoint (Ctrl+R)</source>
        <translation>从该训练的最后一个检查点继续 (Ctrl+R)</translation>
    </message>
    <message>
        <source>Curves as SVG…</source>
        <translation>曲线为 SVG…</translation>
    </message>
    <message>
        <source>The loss curves as lines that a drawing program can edit</source>
        <translation>损失曲线，绘图软件可编辑的矢量线条</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Take the run&apos;s first steps again and compare: does this version of Mantissa compute what the run&apos;s version did?</source>
        <translation>重新计算该次训练的最初几步并比较：此版本的 Mantissa 是否与训练时的版本算出相同的结果？</translation>
    </message>
    <message>
        <source>Edit tags</source>
        <translation>编辑标签</translation>
    </message>
    <message>
        <source>Tags of the run, separated by commas</source>
        <translation>训练的标签，以逗号分隔</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <source>A note on the run</source>
        <translation>关于该训练的备注</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunFilters</name>
    <message>
        <source>Search runs (Ctrl+F)</source>
        <translation>搜索训练记录 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>搜索训练记录</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Only runs in a state</source>
        <translation>只看某种状态的训练</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>所有状态</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Only runs with a tag</source>
        <translation>只看带某个标签的训练</translation>
    </message>
    <message>
        <source>All tags</source>
        <translation>所有标签</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次训练</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%n cancelled</source>
        <translation>
            <numerusform>%n 个已取消</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs cancelled before their first step are listed under the state “Stopped”.</source>
        <translation>第一步之前取消的训练列在状态“已停止”之下。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunExport</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImagePane</name>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>Sample image %1</source>
        <translation>样图 %1</translation>
    </message>
    <message>
        <source>Split: %1 on the left, %2 on the right; the arrow keys move the line between them.</source>
        <translation>分屏：左边是%1，右边是%2；用方向键移动两者之间的分界线。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImportDialog</name>
    <message>
        <source>mapped</source>
        <translation>已对应</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已转换</translation>
    </message>
    <message>
        <source>ignored</source>
        <translation>已忽略</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>推定</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>%1, read as %2</source>
        <translation>%1，按 %2 读取</translation>
    </message>
    <message>
        <source>%1. Nothing has been changed yet; paths and commands of the file are never taken over.</source>
        <translation>%1。目前还没有任何改动；文件中的路径和命令不会被采用。</translation>
    </message>
    <message>
        <source>Changes and report</source>
        <translation>改动和报告</translation>
    </message>
    <message>
        <source>Changes to this preset</source>
        <translation>对此预设的改动</translation>
    </message>
    <message>
        <source>This preset now</source>
        <translation>当前预设</translation>
    </message>
    <message>
        <source>After the import</source>
        <translation>导入后</translation>
    </message>
    <message>
        <source>Changes (%1)</source>
        <translation>改动 (%1)</translation>
    </message>
    <message>
        <source>Search keys, or ignored, changed, unknown</source>
        <translation>搜索键名，或“已忽略”“已转换”“未知”</translation>
    </message>
    <message>
        <source>Search the report</source>
        <translation>搜索报告</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Report of every key</source>
        <translation>每个键的报告</translation>
    </message>
    <message>
        <source>Every key (%1)</source>
        <translation>所有键 (%1)</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply the import to the preset</source>
        <translation>把导入的内容应用到预设</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without importing</source>
        <translation>关闭而不导入</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Result, or reason</source>
        <translation>结果或原因</translation>
    </message>
    <message>
        <source> (line %1)</source>
        <translation> (第 %1 行)</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::JobPanel</name>
    <message>
        <source>Show images</source>
        <translation>显示图片</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>本次训练</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>.safetensors or .gguf file, or diffusers folder</source>
        <translation>.safetensors 或 .gguf 文件，或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.gguf *.json);;All files (*)</source>
        <translation>模型 (*.safetensors *.gguf *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Image folders</source>
        <translation>图片文件夹</translation>
    </message>
    <message>
        <source>Folders with images and their captions</source>
        <translation>存放图片及其标注的文件夹</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>图片文件夹</translation>
    </message>
    <message>
        <source>Prior images</source>
        <translation>先验图片</translation>
    </message>
    <message>
        <source>Images of the concept&apos;s class, such as dogs for your dog. They preserve what the base model knows of the class; “%1” sets how strongly.</source>
        <translation>概念所属类别的图片（例如训练自己的狗时用各种狗）。训练会保留底模对该类别的认识，强度由“%1”决定。</translation>
    </message>
    <message>
        <source>Validation images</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>Images that are never trained on. Their loss, always with the same noise, shows when a run starts to overfit.</source>
        <translation>不参与训练的图片。每次用相同的噪声测量它们的损失，可以看出训练何时开始过拟合。</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>训练文件夹</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Continue a run</source>
        <translation>续训</translation>
    </message>
    <message>
        <source>Run to continue</source>
        <translation>要续训的训练</translation>
    </message>
    <message>
        <source>Choose a base model first, or press Demo beside it.</source>
        <translation>请先选择底模，或点旁边的“演示”。</translation>
    </message>
    <message>
        <source>Add a folder with images first, or press Demo below the list.</source>
        <translation>请先添加图片文件夹，或点列表下方的“演示”。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>Use a new folder</source>
        <translation>使用新文件夹</translation>
    </message>
    <message>
        <source>Start a new run instead</source>
        <translation>改为开始新的训练</translation>
    </message>
    <message>
        <source>Use the CPU</source>
        <translation>使用 CPU</translation>
    </message>
    <message>
        <source>Split over the cards</source>
        <translation>把层分到各显卡</translation>
    </message>
    <message>
        <source>Use one card</source>
        <translation>使用一张显卡</translation>
    </message>
    <message>
        <source>Name of the next run: %1</source>
        <translation>下次训练的名称：%1</translation>
    </message>
    <message>
        <source>Separate files…</source>
        <translation>分开的文件…</translation>
    </message>
    <message>
        <source>Make a base model of separate files</source>
        <translation>用分开的文件组成底模</translation>
    </message>
    <message>
        <source>Transformer, text encoder and VAE in files of their own, as ComfyUI keeps them</source>
        <translation>Transformer、文本编码器和 VAE 各为一个文件，与 ComfyUI 的存放方式相同</translation>
    </message>
    <message>
        <source>Training adapter</source>
        <translation>训练辅助适配器</translation>
    </message>
    <message>
        <source>Adapters (*.safetensors);;All files (*)</source>
        <translation>适配器 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>An adapter that is active while training, and absent from samples and the result. For a distilled base model (Turbo, klein), one made for it keeps its few steps sharp.</source>
        <translation>训练时生效、但不出现在样图和结果中的适配器。对于蒸馏过的底模（Turbo、klein），使用为它制作的适配器可使少步数出图保持清晰。</translation>
    </message>
    <message>
        <source>Weight of the training adapter</source>
        <translation>训练辅助适配器的权重</translation>
    </message>
    <message>
        <source>Training adapter…</source>
        <translation>训练辅助适配器…</translation>
    </message>
    <message>
        <source>Find models…</source>
        <translation>查找模型…</translation>
    </message>
    <message>
        <source>Choose among the base models on this computer</source>
        <translation>从本机的底模中选择</translation>
    </message>
    <message>
        <source>Lists the models in the folders of ComfyUI, A1111/Forge, InvokeAI and Hugging Face, and in your own</source>
        <translation>列出 ComfyUI、A1111/Forge、InvokeAI、Hugging Face 以及你自己的文件夹中的模型</translation>
    </message>
    <message>
        <source>References</source>
        <translation>参考图</translation>
    </message>
    <message>
        <source>For a base model that edits, such as FLUX.2 klein: the images before the edit, each of the name of the image that is made of it. The caption is the instruction. For a slider of image pairs: the negative images, each of the name and size of its partner.</source>
        <translation>用于 FLUX.2 klein 等会编辑的基础模型：编辑前的图片，每张与编辑后的图片同名。标注即编辑指令。用于图片对滑块：负向图片，每张与配对图片同名且同尺寸。</translation>
    </message>
    <message>
        <source>Keep training in the background</source>
        <translation>关闭窗口后继续训练</translation>
    </message>
    <message>
        <source>The run is a process of its own: it goes on when the window is closed or crashes. The next start of the studio shows it again, with all its commands.</source>
        <translation>训练在独立的进程中进行：窗口关闭或崩溃后仍会继续。下次启动工作室时会重新显示，并可使用全部操作。</translation>
    </message>
    <message>
        <source>Folder, optional</source>
        <translation>文件夹，可选</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新训练</translation>
    </message>
    <message>
        <source>Folder or list</source>
        <translation>文件夹或列表</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DeviceChoice</name>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>%1 cards: a run on each</source>
        <translation>%1 张显卡：各一次训练</translation>
    </message>
    <message>
        <source>%1 cards: one model across all</source>
        <translation>%1 张显卡：共同承载一个模型</translation>
    </message>
    <message>
        <source>%1 cards: one run on all</source>
        <translation>%1 张显卡：共同一次训练</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LengthNotes</name>
    <message>
        <source>%1 epochs of these images</source>
        <translation>相当于这些图片的 %1 轮 (epoch)</translation>
    </message>
    <message>
        <source>%1 steps with these images</source>
        <translation>这些图片共 %1 步</translation>
    </message>
    <message>
        <source>The steps are known once the images are scanned.</source>
        <translation>扫描图片后即可知道步数。</translation>
    </message>
    <message>
        <source>With this rank the adapter&apos;s change is scaled by %1.</source>
        <translation>在此秩下，适配器的改变量会乘以 %1。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LevelPlot</name>
    <message>
        <source>Noise levels that are trained</source>
        <translation>训练的噪声水平</translation>
    </message>
    <message>
        <source>%1 near the image, %2 in the middle, %3 near pure noise</source>
        <translation>靠近图片 %1，中间 %2，靠近纯噪声 %3</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>How often each noise level is trained with these settings, as the engine draws them. The line is an even distribution.
Good: no range that is hardly trained.
More near noise teaches composition, more near the image details.</source>
        <translation>在这些设置下每个噪声级别被训练的频率，与引擎的采样一致。横线为均匀分布。
理想：没有几乎未训练的区间。
偏向噪声一端侧重构图，偏向图片一端侧重细节。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LiveSettings</name>
    <message>
        <source>The run uses the changed settings after this step.</source>
        <translation>本次训练将在这一步之后采用更改后的设置。</translation>
    </message>
    <message>
        <source>Apply to the current run:</source>
        <translation>应用到当前训练：</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LogView</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Minimum log level</source>
        <translation>最低日志级别</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation>信息及以上</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the log</source>
        <translation>复制日志</translation>
    </message>
    <message>
        <source>Engine messages appear here.</source>
        <translation>引擎的输出会显示在这里。</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MainWindow</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MarkerCard</name>
    <message>
        <source>What happened at a marker</source>
        <translation>标记处发生了什么</translation>
    </message>
    <message>
        <source>Previous marker</source>
        <translation>上一个标记</translation>
    </message>
    <message>
        <source>Next marker</source>
        <translation>下一个标记</translation>
    </message>
    <message>
        <source>Close this card</source>
        <translation>关闭此卡片</translation>
    </message>
    <message>
        <source>First tensor with NaN/Inf</source>
        <translation>第一个出现 NaN/Inf 的张量</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>NaN/Inf</source>
        <translation>NaN/Inf</translation>
    </message>
    <message>
        <source>%1 of %2 values</source>
        <translation>%2 个值中有 %1 个</translation>
    </message>
    <message>
        <source>Largest value before it</source>
        <translation>此前的最大值</translation>
    </message>
    <message>
        <source>None entered</source>
        <translation>没有有效的输入</translation>
    </message>
    <message>
        <source>Largest that %1 holds</source>
        <translation>%1 能容纳的最大值</translation>
    </message>
    <message>
        <source>What to change</source>
        <translation>需要改什么</translation>
    </message>
    <message>
        <source>Step %1 · loss is NaN/Inf</source>
        <translation>第 %1 步 · 损失为 NaN/Inf</translation>
    </message>
    <message>
        <source>The optimizer took no step with it: the weights are those of step %1.</source>
        <translation>优化器没有用它更新：权重仍是第 %1 步的。</translation>
    </message>
    <message>
        <source>(see the log)</source>
        <translation>（见日志）</translation>
    </message>
    <message>
        <source>Step %1 · gradients overflowed, step skipped</source>
        <translation>第 %1 步 · 梯度溢出，已跳过该步</translation>
    </message>
    <message>
        <source>Step %1 · NaN/Inf gradients, step skipped</source>
        <translation>第 %1 步 · 梯度出现 NaN/Inf，已跳过该步</translation>
    </message>
    <message>
        <source>At the loss scale %1 a gradient left the range of its format. The step was skipped and the scale halved; the weights were not touched.</source>
        <translation>损失缩放系数为 %1 时，有梯度超出了其格式的范围。该步已跳过，系数减半；权重没有改动。</translation>
    </message>
    <message>
        <source>The step was skipped; the weights were not touched.</source>
        <translation>该步已跳过；权重没有改动。</translation>
    </message>
    <message>
        <source>Nothing to change: a few skips at the start, and one after each doubling of the scale, are how it is found.</source>
        <translation>无需更改：开头跳过几步，以及系数每次加倍后跳过一步，正是寻找合适系数的方式。</translation>
    </message>
    <message>
        <source>Step %1 · saved</source>
        <translation>第 %1 步 · 已保存</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Step %1 · samples rendered</source>
        <translation>第 %1 步 · 已生成样图</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>查看样图</translation>
    </message>
    <message>
        <source>Step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>A pause changes nothing: training continues with the next step.</source>
        <translation>暂停不改变任何结果：训练从下一步继续。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::NoticesView</name>
    <message>
        <source>Notices on the images</source>
        <translation>关于图片的提示</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>There are no notices.
Images without a caption, captions that are cut and images that are cropped by much would be listed here.</source>
        <translation>没有提示。
没有标注的图片、会被截断的标注以及被大幅裁剪的图片会列在这里。</translation>
    </message>
    <message>
        <source>No caption: trained with %1</source>
        <translation>没有标注：用 %1 训练</translation>
    </message>
    <message>
        <source>Empty caption: trained without a text</source>
        <translation>标注为空：不带文本训练</translation>
    </message>
    <message>
        <source>No trigger word in the caption: trained without preservation</source>
        <translation>标注中没有触发词：训练时不做保持</translation>
    </message>
    <message>
        <source>Longer than the text encoder reads: cut at its limit</source>
        <translation>超出文本编码器的读取长度：在上限处截断</translation>
    </message>
    <message>
        <source>More than a third lies outside its bucket</source>
        <translation>超过三分之一在其分桶之外</translation>
    </message>
    <message>
        <source>Its name looks like another&apos;s, in another Unicode form</source>
        <translation>名称看起来与另一个相同，但 Unicode 形式不同</translation>
    </message>
    <message>
        <source>Caption file not used: its image has another</source>
        <translation>标注文件未使用：其图片另有标注</translation>
    </message>
    <message>
        <source>Written by Mantissa: passed over</source>
        <translation>由 Mantissa 写入：已跳过</translation>
    </message>
    <message>
        <source>Shares images with a folder for another use</source>
        <translation>与另一用途的文件夹有相同图片</translation>
    </message>
    <message>
        <source>Its reference has another shape and isn&apos;t cropped as it is</source>
        <translation>参考图的形状不同，不会按它的方式裁剪</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Notifier</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>训练失败：%1</translation>
    </message>
    <message>
        <source>The run has finished.</source>
        <translation>训练已完成。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ObjectsEditor</name>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>添加到%1</translation>
    </message>
    <message>
        <source>Remove %1 %2</source>
        <translation>移除%1 %2</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PageRail</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation>“%1”页</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PathEdit</name>
    <message>
        <source>Clear %1</source>
        <translation>清除%1</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>浏览%1</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Use the built-in demo as %1</source>
        <translation>将内置演示用作%1</translation>
    </message>
    <message>
        <source>Use the built-in demo</source>
        <translation>使用内置演示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PathListEdit</name>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>添加到%1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the selected from %1</source>
        <translation>从%1中移除所选项</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Use the built-in demo as %1</source>
        <translation>将内置演示用作%1</translation>
    </message>
    <message>
        <source>Use the built-in demo</source>
        <translation>使用内置演示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PinsEditor</name>
    <message>
        <source>Add pin</source>
        <translation>添加固定项</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>添加到%1</translation>
    </message>
    <message>
        <source>Module path, e.g. denoiser.conv_*</source>
        <translation>模块路径，例如 denoiser.conv_*</translation>
    </message>
    <message>
        <source>%1: pattern</source>
        <translation>%1：模式</translation>
    </message>
    <message>
        <source>%1: type</source>
        <translation>%1：类型</translation>
    </message>
    <message>
        <source>%1: remove</source>
        <translation>%1：移除</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PlotWidget</name>
    <message>
        <source>Show the whole run</source>
        <translation>显示整个训练</translation>
    </message>
    <message>
        <source>Save as image…</source>
        <translation>保存为图片…</translation>
    </message>
    <message>
        <source>Save values as CSV…</source>
        <translation>数值存为 CSV…</translation>
    </message>
    <message>
        <source>smoothed </source>
        <translation>平滑 </translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>▲ step %1: %2 is %3</source>
        <translation>▲ 第 %1 步：%2为 %3</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>Plot of %1</source>
        <translation>%1的曲线图</translation>
    </message>
    <message>
        <source>Arrow keys move, plus and minus zoom, 0 shows the whole run. Wheel zooms, drag moves, Shift and drag zooms into a box, double click resets. N and P go to the next and previous marker, Enter opens it.</source>
        <translation>方向键移动，加减号缩放，0 显示整个训练。滚轮缩放，拖动平移，按住 Shift 拖动可框选放大，双击复位。N 和 P 跳到下一个和上一个标记，Enter 打开标记。</translation>
    </message>
    <message>
        <source>Training time instead of steps</source>
        <translation>以训练时间代替步数</translation>
    </message>
    <message>
        <source>Save as drawing (SVG)…</source>
        <translation>保存为矢量图 (SVG)…</translation>
    </message>
    <message>
        <source>The loss is NaN or infinite; the optimizer took no step with it.
A click names the first tensor and offers a fix.</source>
        <translation>损失为 NaN 或无穷大；优化器没有据此更新。
点击可查看最先出现的张量和修正方法。</translation>
    </message>
    <message>
        <source>NaN or infinite gradients: the step was skipped.
A click says whether something has to change.</source>
        <translation>梯度为 NaN 或无穷大：该步已跳过。
点击可查看是否需要更改。</translation>
    </message>
    <message>
        <source>A gradient overflowed: the step was skipped and the loss scale halved.
Normal now and then; a click says if it isn&apos;t.</source>
        <translation>梯度溢出：该步已跳过，损失缩放减半。
偶尔出现属于正常；点击可查看是否异常。</translation>
    </message>
    <message>
        <source>A checkpoint was saved.
A click leads to its folder.</source>
        <translation>已保存检查点。
点击可打开其文件夹。</translation>
    </message>
    <message>
        <source>Samples were rendered.
A click shows them.</source>
        <translation>已生成样图。
点击即可查看。</translation>
    </message>
    <message>
        <source>The run was paused here.
That changes nothing in its result.</source>
        <translation>训练在此暂停过。
这不影响结果。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PlotsPanel</name>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Lost updates, %</source>
        <translation>丢失的更新 (%)</translation>
    </message>
    <message>
        <source>Update / weight</source>
        <translation>更新 / 权重</translation>
    </message>
    <message>
        <source>Plots of the run</source>
        <translation>训练的曲线图</translation>
    </message>
    <message>
        <source>The loss of every step appears here.</source>
        <translation>每一步的损失会显示在这里。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>clip</source>
        <translation>裁剪</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>系数</translation>
    </message>
    <message>
        <source>denoiser</source>
        <translation>去噪器</translation>
    </message>
    <message>
        <source>text encoder %1</source>
        <translation>文本编码器 %1</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比率</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Steps averaged by the smoothed line; none at the left end</source>
        <translation>平滑曲线取平均的步数；最左端为不平滑</translation>
    </message>
    <message>
        <source>≈ %1 steps</source>
        <translation>≈ %1 步</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>对数 Y 轴</translation>
    </message>
    <message>
        <source>Logarithmic axis for loss, gradient norm and update / weight</source>
        <translation>损失、梯度范数和更新 / 权重使用对数轴</translation>
    </message>
    <message>
        <source>Ignore outliers</source>
        <translation>忽略离群值</translation>
    </message>
    <message>
        <source>Fit the axis to most values; outliers run off the plot</source>
        <translation>坐标轴只适应大多数值；曲线仍会延伸出边缘</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>整个训练</translation>
    </message>
    <message>
        <source>Show the whole run and follow it (double click)</source>
        <translation>显示整个训练并跟随最新进度（双击）</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>Choose which plots are shown</source>
        <translation>选择显示哪些曲线图</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存%1</translation>
    </message>
    <message>
        <source>Images (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Training time instead of steps</source>
        <translation>以训练时间代替步数</translation>
    </message>
    <message>
        <source>The axis counts the time that the steps took; pauses are left out</source>
        <translation>横轴为各步所用的时间，不计暂停</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>How far the prediction is from the target, at every step and smoothed.
Good: it falls fast, then slowly; single steps are noisy.
If it rises, halve the learning rate; if only the validation loss rises, use an earlier checkpoint.</source>
        <translation>预测与目标的差距：每一步的值和平滑值。
理想：先快速下降，再缓慢下降；单步有噪声。
若上升，请将学习率减半；若只有验证损失上升，请用较早的检查点。</translation>
    </message>
    <message>
        <source>Length of the gradient before clipping, and the clipping limit.
Good: a steady band, mostly below the limit.
If most steps are above it, lower the learning rate.</source>
        <translation>裁剪前的梯度长度以及裁剪上限。
理想：稳定的带状，大多低于上限。
若大多数步都超过上限，请降低学习率。</translation>
    </message>
    <message>
        <source>Factor that keeps small FP16 gradients from becoming zero, and the steps that were skipped.
Good: it doubles now and then, followed by a skip at times.
If it only falls, Numerics shows which layer overflows.</source>
        <translation>防止 FP16 的小梯度变为零的系数，以及跳过的步。
理想：偶尔翻倍，之后有时跳过一步。
若一直下降，可在“数值状态”中查看哪一层溢出。</translation>
    </message>
    <message>
        <source>Of every trained part, with warm-up and schedule.
Good: a short rise, then the shape of the schedule.
To change it during the run, edit it in Setup and apply the changes.</source>
        <translation>每个训练组件的学习率，含预热和调度。
理想：短暂上升，之后为所选调度的形状。
训练中要更改时，请在“配置”页修改并应用更改。</translation>
    </message>
    <message>
        <source>Share of adapter weights that the update was too small to change.
Good: near 0.
If it isn&apos;t, keep the adapter in FP32 or turn on stochastic rounding.</source>
        <translation>因更新过小而未改变的适配器权重所占比例。
理想：接近 0。
否则请将适配器保持为 FP32，或开启随机舍入。</translation>
    </message>
    <message>
        <source>How far a step moves the adapter, relative to its size.
Good: large at the start, then falling with the learning rate.
If it stays large, lower the learning rate.</source>
        <translation>每一步使适配器改变的幅度（相对于其大小）。
理想：开始时较大，之后随学习率下降。
若一直很大，请降低学习率。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PrecisionPanel</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Apply safe fixes…</source>
        <translation>应用全部安全修正…</translation>
    </message>
    <message>
        <source>Apply every safe fix for what is refused or adjusted</source>
        <translation>修正所有被拒绝或已调整的项目</translation>
    </message>
    <message>
        <source>Shows every change before anything is applied</source>
        <translation>应用之前会显示每一处更改</translation>
    </message>
    <message>
        <source>Show ignored warnings</source>
        <translation>重新显示已忽略的警告</translation>
    </message>
    <message>
        <source>Types by part</source>
        <translation>各部件的类型</translation>
    </message>
    <message>
        <source>Show number types by part</source>
        <translation>显示各部件的数值类型</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>累加</translation>
    </message>
    <message>
        <source>%1 ignored · show again</source>
        <translation>已忽略 %1 项 · 重新显示</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 个警告</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 个警告</translation>
    </message>
    <message>
        <source>This would make it fit:</source>
        <translation>这样改就放得下：</translation>
    </message>
    <message>
        <source>%1 (needs %2)</source>
        <translation>%1（需要 %2）</translation>
    </message>
    <message>
        <source>Make it fit: %1</source>
        <translation>改到放得下：%1</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Memory and number types</source>
        <translation>内存与数值类型</translation>
    </message>
    <message numerus="yes">
        <source>%n adjusted automatically</source>
        <translation>
            <numerusform>自动调整了 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing blocks Start.</source>
        <translation>没有问题阻止开始训练。</translation>
    </message>
    <message>
        <source>1 problem blocks Start</source>
        <translation>1 个问题阻止开始</translation>
    </message>
    <message>
        <source>%1 problems block Start</source>
        <translation>%1 个问题阻止开始</translation>
    </message>
    <message>
        <source>The memory is known once nothing above prevents a plan.</source>
        <translation>解决上面的问题后才能计算所需内存。</translation>
    </message>
    <message>
        <source>Find sensitive layers…</source>
        <translation>查找敏感层…</translation>
    </message>
    <message>
        <source>Find the layers that need a wider type</source>
        <translation>查找需要更宽类型的层</translation>
    </message>
    <message>
        <source>The probe compares the first steps with FP32 (Ctrl+P)</source>
        <translation>精度诊断把最初几步与 FP32 比较 (Ctrl+P)</translation>
    </message>
    <message>
        <source>%1 (needs %2, about %3 a step)</source>
        <translation>%1（需要 %2，每步约 %3）</translation>
    </message>
    <message>
        <source>In which number types the denoiser is kept and computed.
Weights are those of the base model, which don&apos;t change; activations pass from layer to layer; gradients and the optimizer&apos;s state belong to what is trained.
Clipping bounds the gradients; loss scaling keeps small ones from becoming zero in FP16.</source>
        <translation>去噪器存储和计算所用的数值类型。
“权重”是底模中不变的权重；“激活值”在层与层之间传递；“梯度”和“优化器状态”属于被训练的部分。
梯度裁剪限制梯度的大小；损失缩放防止 FP16 中较小的梯度变成零。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::StartEstimate</name>
    <message>
        <source>Memory needed and available</source>
        <translation>所需与可用的内存/显存</translation>
    </message>
    <message>
        <source>Weights %1 · activations %2 · adapter and optimizer %3</source>
        <translation>权重 %1 · 激活值 %2 · 适配器和优化器 %3</translation>
    </message>
    <message>
        <source>About %1 a step, %2 for all steps (estimated)</source>
        <translation>每步约 %1，全部步数约 %2（估计）</translation>
    </message>
    <message>
        <source>About %1 a step (estimated)</source>
        <translation>每步约 %1（估计）</translation>
    </message>
    <message>
        <source>Needs %1, and %2 are available: %3 too much</source>
        <translation>需要 %1，可用 %2：超出 %3</translation>
    </message>
    <message>
        <source>Needs %1 of %2 available, all before the first step</source>
        <translation>需要 %1，可用 %2；全部在第一步之前占用</translation>
    </message>
    <message>
        <source>Needs %1</source>
        <translation>需要 %1</translation>
    </message>
    <message>
        <source>%1 steps, %2 epochs of %3 images</source>
        <translation>%1 步，%2 轮，%3 张图片</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>Fits cards with %1 GB or more</source>
        <translation>可用于显存 %1 GB 及以上的显卡</translation>
    </message>
    <message>
        <source>Needs a card with more than %1 GB</source>
        <translation>需要显存超过 %1 GB 的显卡</translation>
    </message>
    <message>
        <source>Disk: %1 for checkpoints and the result, %2 for encoded images</source>
        <translation>磁盘：检查点和结果 %1，编码后的图片 %2</translation>
    </message>
    <message>
        <source>Disk: %1 for checkpoints and the result</source>
        <translation>磁盘：检查点和结果 %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PreflightList</name>
    <message>
        <source>Preflight</source>
        <translation>预检</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Check precision and memory</source>
        <translation>检查精度和内存</translation>
    </message>
    <message>
        <source>Checks memory and precision with this run&apos;s images, without training (F4)</source>
        <translation>用本次训练的图片检查内存和精度，不进行训练 (F4)</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>尚未检查。</translation>
    </message>
    <message>
        <source>Problems and warnings</source>
        <translation>问题和警告</translation>
    </message>
    <message>
        <source>All that Start would refuse, warn about or change.
Good: nothing blocks Start.
A line&apos;s button changes what it says; a click on the line explains it.</source>
        <translation>“开始”会拒绝、警告或更改的全部内容。
理想：没有阻止“开始”的问题。
每行的按钮会按其文字更改设置；点击该行可查看说明。</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Show fewer lines of the preflight</source>
        <translation>显示较少的预检内容</translation>
    </message>
    <message>
        <source>Show more lines of the preflight</source>
        <translation>显示更多预检内容</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetDiff</name>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Use all</source>
        <translation>全部使用</translation>
    </message>
    <message>
        <source>Use every value of the other preset</source>
        <translation>采用另一个预设的所有值</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>using everything from %1</source>
        <translation>采用 %1 的全部值</translation>
    </message>
    <message>
        <source>Last saved: %1</source>
        <translation>上次保存：%1</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Last saved</source>
        <translation>上次保存</translation>
    </message>
    <message>
        <source>This preset</source>
        <translation>当前预设</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>The same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 处差别</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 处差别</translation>
    </message>
    <message>
        <source>Run: %1</source>
        <translation>训练：%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetDocument</name>
    <message>
        <source>change of %1</source>
        <translation>更改%1</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>edits of the last session</source>
        <translation>上次的编辑</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetFiles</name>
    <message>
        <source>Save the changes to “%1”?</source>
        <translation>要保存对“%1”的更改吗？</translation>
    </message>
    <message>
        <source>import of %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>The preset is on the clipboard.</source>
        <translation>预设已复制到剪贴板。</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>剪贴板</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetPicker</name>
    <message>
        <source>Try it out</source>
        <translation>先试一试</translation>
    </message>
    <message>
        <source>By task</source>
        <translation>按任务</translation>
    </message>
    <message>
        <source>By memory</source>
        <translation>按显存</translation>
    </message>
    <message>
        <source>Other models</source>
        <translation>其他模型</translation>
    </message>
    <message>
        <source>By method</source>
        <translation>按方法</translation>
    </message>
    <message>
        <source>Built-in presets</source>
        <translation>内置预设</translation>
    </message>
    <message>
        <source>Search names, tags, texts</source>
        <translation>搜索名称、标签、说明</translation>
    </message>
    <message>
        <source>Search presets</source>
        <translation>搜索预设</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>What the preset changes</source>
        <translation>此预设改动了什么</translation>
    </message>
    <message>
        <source>Use this preset</source>
        <translation>使用此预设</translation>
    </message>
    <message>
        <source>Use the selected preset</source>
        <translation>使用所选预设</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without choosing</source>
        <translation>关闭而不选择</translation>
    </message>
    <message>
        <source>No preset matches.</source>
        <translation>没有匹配的预设。</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>This preset</source>
        <translation>此预设</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetTextView</name>
    <message>
        <source>All settings</source>
        <translation>所有设置</translation>
    </message>
    <message>
        <source>Show settings with their default values too</source>
        <translation>默认值的设置也一并显示</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Replace the text with the clipboard</source>
        <translation>用剪贴板内容替换文本</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Discard the edited text</source>
        <translation>放弃编辑过的文本</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply the edited text</source>
        <translation>应用编辑过的文本</translation>
    </message>
    <message>
        <source>Apply (Ctrl+Return)</source>
        <translation>应用 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Preset as text</source>
        <translation>文本形式的预设</translation>
    </message>
    <message>
        <source>Edited, not applied yet</source>
        <translation>已编辑，尚未应用</translation>
    </message>
    <message>
        <source>Edited here; the form has changed too. Apply replaces the form&apos;s values.</source>
        <translation>文本已在此编辑，表单也有改动。应用后，表单中的值会被替换。</translation>
    </message>
    <message>
        <source>Every setting</source>
        <translation>所有设置</translation>
    </message>
    <message>
        <source>What differs from the defaults</source>
        <translation>与默认值不同的设置</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>editing as text</source>
        <translation>文本编辑</translation>
    </message>
    <message>
        <source>The text has an error: %1</source>
        <translation>文本有错误：%1</translation>
    </message>
    <message>
        <source>The text has an error in line %1: %2</source>
        <translation>文本第 %1 行有错误：%2</translation>
    </message>
    <message>
        <source>The preset was edited as text and in the form: apply or revert the text first.</source>
        <translation>预设同时以文本和表单方式修改过：请先应用或还原文本。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProbeTable</name>
    <message>
        <source>Exact</source>
        <translation>无误差</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Pin %1 to %2</source>
        <translation>将 %1 固定为 %2</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>梯度误差</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Lost updates</source>
        <translation>丢失的更新</translation>
    </message>
    <message>
        <source>Keep this layer in a wider type, as a pin of the preset</source>
        <translation>让此层使用更宽的类型，写入预设的固定项</translation>
    </message>
    <message>
        <source>The module&apos;s path</source>
        <translation>模块的路径</translation>
    </message>
    <message>
        <source>Error of its adapter&apos;s gradient, relative to FP32: the order of this table</source>
        <translation>其适配器梯度相对 FP32 的误差；本表按此排序</translation>
    </message>
    <message>
        <source>Cosine between its gradient and that of FP32</source>
        <translation>其梯度与 FP32 梯度之间的余弦</translation>
    </message>
    <message>
        <source>Signal-to-noise ratio of its output, with the errors of the layers before it</source>
        <translation>其输出的信噪比，含前面各层的误差</translation>
    </message>
    <message>
        <source>Signal-to-noise ratio of its stored weight</source>
        <translation>其存储权重的信噪比</translation>
    </message>
    <message>
        <source>Share of its adapter&apos;s elements that the update left unchanged</source>
        <translation>适配器中未被更新改变的元素比例</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProbeView</name>
    <message>
        <source>Probe</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Probe the precision of this preset</source>
        <translation>诊断此预设的精度</translation>
    </message>
    <message>
        <source>Cancel the probe</source>
        <translation>取消诊断</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Steps of the probe</source>
        <translation>诊断的步数</translation>
    </message>
    <message>
        <source>Steps in each precision: more find rarer losses, and take longer</source>
        <translation>每种精度运行的步数：越多越能发现少见的损失，但耗时更长</translation>
    </message>
    <message>
        <source>Progress of the probe</source>
        <translation>诊断进度</translation>
    </message>
    <message>
        <source>Layers, the most damaged first</source>
        <translation>各层，受损最大的在前</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>pin of %1</source>
        <translation>固定 %1</translation>
    </message>
    <message>
        <source>removal of the pin of %1</source>
        <translation>取消固定 %1</translation>
    </message>
    <message>
        <source>pins of the probe</source>
        <translation>诊断建议的固定项</translation>
    </message>
    <message>
        <source>Probe again</source>
        <translation>重新诊断</translation>
    </message>
    <message numerus="yes">
        <source>Pin %n suggested layer(s)</source>
        <translation>
            <numerusform>固定建议的 %n 个层</numerusform>
        </translation>
    </message>
    <message>
        <source>The preset has changed since this probe.</source>
        <translation>此次诊断之后，预设已更改。</translation>
    </message>
    <message>
        <source>Find types</source>
        <translation>查找类型</translation>
    </message>
    <message>
        <source>Find types for the layers</source>
        <translation>为各层查找类型</translation>
    </message>
    <message>
        <source>Measures about fifteen choices of types: takes as many times as long as a probe</source>
        <translation>测量约 15 种类型方案，用时约为一次诊断的 15 倍</translation>
    </message>
    <message>
        <source>types found by the probe</source>
        <translation>诊断找到的类型</translation>
    </message>
    <message>
        <source>Of %1 choices measured, %2 are beaten by no other one.</source>
        <translation>测量的 %1 种方案中，有 %2 种不逊于任何其他方案。</translation>
    </message>
    <message>
        <source>%1 weights computed in %2 are refused: %3</source>
        <translation>拒绝以 %2 计算的 %1 权重：%3</translation>
    </message>
    <message>
        <source>Which layers need a wider number type?

The probe trains the first steps twice, in this preset&apos;s precision and in FP32. You get the layers by how far their gradients are off, and one click pins those that need it.

Find types measures about fifteen choices of types for all layers instead. You get those with the best balance of memory, time and error.

Both write nothing.</source>
        <translation>哪些层需要更宽的数值类型？

诊断会以此预设的精度和 FP32 各训练一次最初几步。结果按梯度偏差从大到小列出各层，一次点击即可固定需要的层。

“查找类型”则会测量约 15 种适用于所有层的类型方案，并给出内存、时间和误差最均衡的那些。

两者都不写入任何文件。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::QueuePanel</name>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation>启动队列</translation>
    </message>
    <message>
        <source>The queue is empty.
Add runs from Setup; they start one after another, and a failed run doesn&apos;t hold up the next.</source>
        <translation>没有等待的训练。
配置好一次训练后加到这里；它们会依次启动，某一个失败也不会耽误下一个。</translation>
    </message>
    <message>
        <source>Runs of the queue</source>
        <translation>队列中的训练</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位次</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move the selected run up</source>
        <translation>将所选训练上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move the selected run down</source>
        <translation>将所选训练下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the selected run from the queue</source>
        <translation>将所选训练移出队列</translation>
    </message>
    <message>
        <source>Remove ended</source>
        <translation>移除已结束的</translation>
    </message>
    <message>
        <source>Remove every run that has ended from the queue</source>
        <translation>将所有已结束的训练移出队列</translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <source>Hold the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>The current run finishes, then the queue stops</source>
        <translation>当前训练结束后队列停止</translation>
    </message>
    <message>
        <source>Start the waiting runs one after another</source>
        <translation>依次启动等待中的训练</translation>
    </message>
    <message>
        <source>Stop &amp;&amp; save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Save and stop the selected run</source>
        <translation>保存并停止所选训练</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RecodeDialog</name>
    <message>
        <source>Captions that aren&apos;t UTF-8</source>
        <translation>非 UTF-8 的标注</translation>
    </message>
    <message>
        <source>Choose the encoding in which the captions read right. The files are then written as UTF-8.</source>
        <translation>请选择能正确显示标注的编码。随后这些文件会存为 UTF-8。</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Captions in the chosen encoding</source>
        <translation>按所选编码读取的标注</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>关闭对话框</translation>
    </message>
    <message>
        <source>Choose an encoding</source>
        <translation>选择编码</translation>
    </message>
    <message>
        <source>%1: reads %2 of %3</source>
        <translation>%1：可读取 %2/%3</translation>
    </message>
    <message>
        <source>Not in this encoding; the file stays as it is</source>
        <translation>不是此编码；文件保持原样</translation>
    </message>
    <message numerus="yes">
        <source>Convert %n file(s) to UTF-8</source>
        <translation>
            <numerusform>将 %n 个文件转换为 UTF-8</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ReferenceViews</name>
    <message>
        <source>Reference %1</source>
        <translation>参考图 %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunActions</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Check memory and precision without training</source>
        <translation>算出内存/显存和精度，不进行训练</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause after this step; the model stays loaded</source>
        <translation>这一步之后暂停；模型保持加载</translation>
    </message>
    <message>
        <source>Stop &amp;&amp; save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Stop after this step and save, so that the run can be continued</source>
        <translation>这一步之后停止并保存，以便以后续训</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop after this step; what was saved before stays</source>
        <translation>这一步之后停止；之前保存的内容会保留</translation>
    </message>
    <message>
        <source>Save now</source>
        <translation>立即保存</translation>
    </message>
    <message>
        <source>Write a checkpoint after this step</source>
        <translation>这一步之后写出检查点</translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation>立即采样</translation>
    </message>
    <message>
        <source>Render the sample prompts after this step</source>
        <translation>这一步之后用采样提示词生成样图</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Put this preset and these paths at the end of the queue of runs</source>
        <translation>把此预设和这些路径放到训练队列末尾</translation>
    </message>
    <message>
        <source>Apply changes</source>
        <translation>应用更改</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Show what the run wrote</source>
        <translation>显示这次训练写出的文件</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compare this run with others, on the History page</source>
        <translation>在“历史”页将这次训练与其他训练对比</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply safe fixes…</source>
        <translation>应用全部安全修正…</translation>
    </message>
    <message>
        <source>Shows every change before anything is applied</source>
        <translation>应用之前会显示每一项更改</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Apply a changed learning rate or step count, and changed saving and sampling intervals, to the current run</source>
        <translation>把修改后的学习率、步数、保存间隔和样图间隔应用到当前训练</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>继续…</translation>
    </message>
    <message>
        <source>Continue the run that is shown, with its own settings</source>
        <translation>按其自身的设置继续当前显示的训练</translation>
    </message>
    <message>
        <source>Sweep…</source>
        <translation>参数扫描…</translation>
    </message>
    <message>
        <source>Put runs at the end of the queue that differ in one or two settings</source>
        <translation>把只在一两项设置上不同的多个训练加到队列末尾</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunBar</name>
    <message>
        <source>Progress of the run</source>
        <translation>训练进度</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>训练状态</translation>
    </message>
    <message>
        <source>Memory %1 of %2</source>
        <translation>占用 %1 / %2</translation>
    </message>
    <message>
        <source>Memory %1</source>
        <translation>占用 %1</translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation>尚未就绪</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunFeed</name>
    <message>
        <source>sample rendered</source>
        <translation>已生成样图</translation>
    </message>
    <message>
        <source>saved to %1</source>
        <translation>已保存到 %1</translation>
    </message>
    <message>
        <source>Paused: the disk is full</source>
        <translation>已暂停：磁盘已满</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunLibrary</name>
    <message>
        <source>%1 is still running; stop it first.</source>
        <translation>%1 正在进行；请先停止它。</translation>
    </message>
    <message>
        <source>%1: its folder %2 can&apos;t be moved to the trash.</source>
        <translation>%1：无法将其文件夹 %2 移到回收站。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunModel</name>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>最后损失</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>From the start of the run to its end: with preparation, saving, samples and pauses</source>
        <translation>从训练开始到结束：包括准备、保存、样图和暂停</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunPage</name>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Numerics</source>
        <translation>数值状态</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Newest sample · step %1</source>
        <translation>最新样图 · 第 %1 步</translation>
    </message>
    <message>
        <source>Newest sample</source>
        <translation>最新样图</translation>
    </message>
    <message>
        <source>View: %1</source>
        <translation>视图：%1</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Loss, smoothed</source>
        <translation>平滑损失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Lost updates</source>
        <translation>丢失的更新</translation>
    </message>
    <message>
        <source>Time per step</source>
        <translation>每步用时</translation>
    </message>
    <message>
        <source>No sample yet</source>
        <translation>还没有样图</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Copy a report of the failure</source>
        <translation>复制失败报告</translation>
    </message>
    <message>
        <source>Resume from checkpoint</source>
        <translation>从检查点续训</translation>
    </message>
    <message>
        <source>Resume from the last good checkpoint</source>
        <translation>从最后一个完好的检查点续训</translation>
    </message>
    <message>
        <source>Progress of this phase</source>
        <translation>此阶段的进度</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, clipped</source>
        <translation>%1，已裁剪</translation>
    </message>
    <message>
        <source>Refused by precision check %1</source>
        <translation>被精度检查 %1 拒绝</translation>
    </message>
    <message>
        <source>Stopped: NaN/Inf</source>
        <translation>已停止：出现 NaN/Inf</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>内存或显存不足</translation>
    </message>
    <message>
        <source>Out of disk space</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>The run could not continue</source>
        <translation>训练无法继续</translation>
    </message>
    <message>
        <source>Show the setting “%1”</source>
        <translation>显示设置“%1”</translation>
    </message>
    <message>
        <source>Last good checkpoint: step %1, %2</source>
        <translation>最后一个完好的检查点：第 %1 步，%2</translation>
    </message>
    <message>
        <source>Mantissa run report</source>
        <translation>Mantissa 训练报告</translation>
    </message>
    <message>
        <source>Finding: %1</source>
        <translation>检查结果：%1</translation>
    </message>
    <message>
        <source>Last step: %1, loss %2</source>
        <translation>最后一步：%1，损失 %2</translation>
    </message>
    <message>
        <source>Last good checkpoint: %1</source>
        <translation>最后一个完好的检查点：%1</translation>
    </message>
    <message>
        <source>System: %1, %2</source>
        <translation>系统：%1，%2</translation>
    </message>
    <message>
        <source>Continue with the changed files</source>
        <translation>用更改后的文件继续</translation>
    </message>
    <message>
        <source>Start over, set the damaged checkpoints aside</source>
        <translation>从头开始，另行保留损坏的检查点</translation>
    </message>
    <message>
        <source>Apply the fix to the draft</source>
        <translation>将修正应用到草稿</translation>
    </message>
    <message>
        <source>NaN/Inf ended the run</source>
        <translation>NaN/Inf 使训练终止</translation>
    </message>
    <message>
        <source>No run yet.
Once it trains, its curves are drawn here.</source>
        <translation>还没有训练。
点击开始，就会用“配置”中的预设和你的图片训练，曲线显示在这里。</translation>
    </message>
    <message>
        <source>Images per second</source>
        <translation>每秒图片数</translation>
    </message>
    <message>
        <source>Loss, gradients, learning rate and updates over the steps.
Good: the loss falls, the others stay steady.
A plot&apos;s title says what it shows and what to do; a click on a marker, what happened there.</source>
        <translation>各步的损失、梯度、学习率和更新。
理想：损失下降，其余保持稳定。
将鼠标停在图的标题上可查看含义和对策；点击标记可查看发生了什么。</translation>
    </message>
    <message>
        <source>Underflow, overflow and rounding error of every layer.
Good: a pale map.
A layer that stands out is pinned to BF16 or FP32 in Setup.</source>
        <translation>每一层的下溢、上溢和舍入误差。
理想：整张图颜色很浅。
颜色突出的层可在“配置”页固定为 BF16 或 FP32。</translation>
    </message>
    <message>
        <source>What the run reported, with times.
Good: no warning; each says what to change.</source>
        <translation>训练报告的内容及时间。
理想：没有警告；每条警告都会说明应更改什么。</translation>
    </message>
    <message>
        <source>The run could not start</source>
        <translation>训练无法开始</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunQueue</name>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>The studio closed during this run; resume it from History.</source>
        <translation>程序在这次训练进行时退出了；可在“历史”页续训。</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Continues %1</source>
        <translation>继续 %1</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 轮 (epoch)</numerusform>
        </translation>
    </message>
    <message>
        <source>It ended while the window was closed; see History.</source>
        <translation>它在窗口关闭期间已结束；请查看历史。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunStarter</name>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Queue · %1</source>
        <translation>队列 · %1</translation>
    </message>
    <message>
        <source>Added to the queue.</source>
        <translation>已加入队列。</translation>
    </message>
    <message>
        <source>All %1 steps are done. Raise the number of steps, then press Resume to continue the run.</source>
        <translation>全部 %1 步都已完成。增加步数后点“继续”：训练会从结束的地方继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n s</source>
        <translation>
            <numerusform>%n 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分钟</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>Not saved since the checkpoint of step %1: %2. Stopping without saving loses them.</source>
        <translation>自第 %1 步的检查点以来未保存：%2。不保存就停止会丢失这些进度。</translation>
    </message>
    <message>
        <source>Not saved yet: %1. Stopping without saving loses them.</source>
        <translation>尚未保存：%1。不保存就停止会丢失这些进度。</translation>
    </message>
    <message numerus="yes">
        <source>All %n epoch(s) are done. Raise the number of epochs, then press Resume to continue the run.</source>
        <translation>
            <numerusform>全部 %n 轮 (epoch) 已完成。增加轮数后点“继续”：训练会从结束的地方继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>The run&apos;s folder %1 is no longer there.</source>
        <translation>训练的输出文件夹 %1 已不存在。</translation>
    </message>
    <message>
        <source>settings of the run</source>
        <translation>该训练的设置</translation>
    </message>
    <message>
        <source>The form shows the run&apos;s settings; Undo brings back those before.</source>
        <translation>表单中显示的是该训练的设置；可用“撤消”恢复之前的设置。</translation>
    </message>
    <message>
        <source>%1 Start it on the Train page, under Queue.</source>
        <translation>%1 可在“训练”页的“队列”中启动。</translation>
    </message>
    <message numerus="yes">
        <source>%n runs were added to the queue.</source>
        <translation>
            <numerusform>已将 %n 个训练加入队列。</numerusform>
        </translation>
    </message>
    <message>
        <source>This run is a process of its own: it goes on when you close the window, and the next start of the studio shows it again.</source>
        <translation>此训练是独立的进程：关闭窗口后仍会继续，下次启动工作室时会重新显示。</translation>
    </message>
    <message>
        <source>Runs that start one after another.
Waiting ones are dragged to another place; Sweep… adds one for each value of a setting.</source>
        <translation>依次开始的训练。
等待中的可拖动调整顺序；“参数扫描…”会为某项设置的每个值添加一次训练。</translation>
    </message>
    <message>
        <source>All steps are saved.</source>
        <translation>所有步都已保存。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunStatus</name>
    <message>
        <source>finishing step…</source>
        <translation>正在完成这一步…</translation>
    </message>
    <message>
        <source>finishing step %1, %2 s so far</source>
        <translation>正在完成第 %1 步，已用 %2 秒；它会自行结束</translation>
    </message>
    <message>
        <source>the model stays loaded</source>
        <translation>模型保持加载</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 steps not plotted</source>
        <translation>%1 步未绘制</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Finished. The adapter is %1</source>
        <translation>已完成。适配器为 %1</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation>已被你停止。</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>第 %1 轮 (epoch)</translation>
    </message>
    <message>
        <source>%1 images/s</source>
        <translation>%1 张/秒</translation>
    </message>
    <message>
        <source>cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>Show the result</source>
        <translation>显示结果</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunVerifier</name>
    <message>
        <source>The engine is at work. Verify the run once that is done.</source>
        <translation>引擎正在工作。请在其完成后再验证。</translation>
    </message>
    <message>
        <source>Takes the first steps of “%1” again. The run stays as it is.</source>
        <translation>正在重新计算“%1”的最初几步。训练记录保持不变。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Mantissa was updated. Verify takes the first steps of “%1” again and shows whether this version computes the same.</source>
        <translation>Mantissa 已更新。“验证”会重新计算“%1”的最初几步，并显示此版本的结果是否相同。</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleGrid</name>
    <message>
        <source>Samples by prompt and step</source>
        <translation>按提示词和步数排列的样图</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Choose a sample on the left.</source>
        <translation>请在左侧选择一张样图。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step of the sample</source>
        <translation>样图的步数</translation>
    </message>
    <message>
        <source>Before / after</source>
        <translation>前 / 后</translation>
    </message>
    <message>
        <source>Compare the image with an earlier one</source>
        <translation>与更早的一张并排显示</translation>
    </message>
    <message>
        <source>Step to compare with</source>
        <translation>用来对比的步数</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Strength of the adapter</source>
        <translation>适配器的强度</translation>
    </message>
    <message>
        <source>How much of the finished adapter is added to the base model</source>
        <translation>把多少已完成的适配器加到底模上</translation>
    </message>
    <message>
        <source>Render</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Choose a sample first.</source>
        <translation>请先选择一张样图。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the rendering</source>
        <translation>取消生成</translation>
    </message>
    <message>
        <source>Render this prompt at the chosen strength</source>
        <translation>按所选强度生成此提示词</translation>
    </message>
    <message>
        <source>Before training</source>
        <translation>训练之前</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Strength %1</source>
        <translation>强度 %1</translation>
    </message>
    <message>
        <source>Prompt %1 · strength %2 of the finished adapter</source>
        <translation>提示词 %1 · 已完成的适配器，强度 %2</translation>
    </message>
    <message>
        <source>Step %1 · prompt %2</source>
        <translation>第 %1 步 · 提示词 %2</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>样图</translation>
    </message>
    <message>
        <source>Other prompts</source>
        <translation>其他提示词</translation>
    </message>
    <message>
        <source>Other prompts · %1</source>
        <translation>其他提示词 · %1</translation>
    </message>
    <message>
        <source>Samples of the preset&apos;s prompts.
Good: what was trained appears, and the rest of the prompt still counts.
If all samples look alike, use an earlier checkpoint or a lower strength.</source>
        <translation>预设提示词的样图。
理想：呈现所训练的内容，提示词的其余部分仍然有效。
若样图都很相似，请用较早的检查点或较低的强度。</translation>
    </message>
    <message>
        <source>Render prompts that the preset doesn&apos;t have.
Several checkpoints or strengths become one image to compare.</source>
        <translation>生成预设中没有的提示词的图片。
多个检查点或强度会合成一张图以便比较。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleModel</name>
    <message>
        <source>Can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Step %1, prompt %2: %3</source>
        <translation>第 %1 步，提示词 %2：%3</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Prompt %1</source>
        <translation>提示词 %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SchemaForm</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Advanced (%1)</source>
        <translation>高级 (%1)</translation>
    </message>
    <message>
        <source>Advanced settings of %1</source>
        <translation>%1的高级设置</translation>
    </message>
    <message>
        <source>No setting matches.</source>
        <translation>没有匹配的设置。</translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>改动 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Section</name>
    <message>
        <source>Section %1</source>
        <translation>“%1”部分</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Session</name>
    <message>
        <source>sample rendered</source>
        <translation>已生成样图</translation>
    </message>
    <message>
        <source>saved to %1</source>
        <translation>已保存到 %1</translation>
    </message>
    <message>
        <source>Watching run %1, which another program trains.</source>
        <translation>正在查看训练 %1，它由另一个程序进行。</translation>
    </message>
    <message>
        <source>Run %1 has finished.</source>
        <translation>训练 %1 已完成。</translation>
    </message>
    <message>
        <source>This is the preset of “%1” with its latest settings. Start begins a new run with it.</source>
        <translation>这是“%1”的预设，采用其最新设置。“开始”会用它新建一次训练。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>续训</translation>
    </message>
    <message>
        <source>Show in History</source>
        <translation>在历史中显示</translation>
    </message>
    <message>
        <source>Run %1: %2.</source>
        <translation>训练 %1：%2。</translation>
    </message>
    <message>
        <source>A run is in progress on the Train page. Curves of other runs are below the list.</source>
        <translation>这里正在进行一次训练，请在“训练”页查看。其他训练的曲线在列表下方。</translation>
    </message>
    <message>
        <source>The language changes at the next start: captions or a mask that can&apos;t be written now would be lost.</source>
        <translation>语言将在下次启动时切换：现在切换会丢失无法写入的标注或遮罩。</translation>
    </message>
    <message>
        <source>The language changes as soon as the run ends.</source>
        <translation>训练结束后切换语言。</translation>
    </message>
    <message>
        <source>Run %1: %2. Resume continues it from its last checkpoint.</source>
        <translation>训练 %1：%2。“续训”会从最后一个检查点继续。</translation>
    </message>
    <message>
        <source>Run %1: %2. It has no checkpoint: Start over trains it again from step 0, in place of what is recorded.</source>
        <translation>训练 %1：%2。没有检查点：“重新开始”会从第 0 步重新训练，并替换已有记录。</translation>
    </message>
    <message>
        <source>Run %1 was stopped at step %2 when you quit.</source>
        <translation>退出时，训练 %1 停在第 %2 步。</translation>
    </message>
    <message>
        <source>Run %1 was interrupted at step %2.</source>
        <translation>训练 %1 在第 %2 步中断。</translation>
    </message>
    <message>
        <source>Resume continues from there.</source>
        <translation>“续训”从那里继续。</translation>
    </message>
    <message numerus="yes">
        <source>Resume continues from its checkpoint of step %1; %n later step(s) are trained again.</source>
        <translation>
            <numerusform>“续训”从第 %1 步的检查点继续，其后的 %n 步会重新训练。</numerusform>
        </translation>
    </message>
    <message>
        <source>It has no checkpoint, so it can&apos;t be resumed: Start over trains it again from step 0, in place of what is recorded.</source>
        <translation>没有检查点，无法恢复：“重新开始”会从第 0 步重新训练，并替换已有记录。</translation>
    </message>
    <message>
        <source>None of its checkpoints is intact, so it can&apos;t be resumed as it is.</source>
        <translation>没有完好的检查点，无法直接恢复。</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>还有 %n 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Compare its settings</source>
        <translation>比较其设置</translation>
    </message>
    <message>
        <source>Run %1 is in progress, in a process of its own.</source>
        <translation>训练 %1 正在独立的进程中进行。</translation>
    </message>
    <message>
        <source>Run %1 finished while the window was closed.</source>
        <translation>训练 %1 在窗口关闭期间已完成。</translation>
    </message>
    <message>
        <source>Run %1 failed while the window was closed.</source>
        <translation>训练 %1 在窗口关闭期间失败了。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SetupPage</name>
    <message>
        <source>A short run with a growing learning rate, which suggests one</source>
        <translation>用逐步升高的学习率做一次短训练，并给出建议值</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Test learning rates…</source>
        <translation>测试学习率…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>找到 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Search settings (Ctrl+K)</source>
        <translation>搜索设置 (Ctrl+K)</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Show only changed settings</source>
        <translation>只显示改动过的设置</translation>
    </message>
    <message>
        <source>Show only advanced settings</source>
        <translation>只显示高级设置</translation>
    </message>
    <message>
        <source>Paths and preflight</source>
        <translation>路径和预检</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>The preset as text (Ctrl+E).
To read, copy, paste and edit; a mistake is marked where it is.</source>
        <translation>以文本显示预设 (Ctrl+E)。
可阅读、复制、粘贴和编辑；错误会在原处标出。</translation>
    </message>
    <message>
        <source>The preset beside the defaults, another preset or a run (Ctrl+D).
Use takes over a single value.</source>
        <translation>将预设与默认值、其他预设或某次训练对照 (Ctrl+D)。
“使用”可采用单个值。</translation>
    </message>
    <message>
        <source>The layers that this precision damages (Ctrl+P).
Good: a gradient cosine near 1 for all.
Pin the layers that are suggested; Find types compares memory with error.</source>
        <translation>受此精度影响的层 (Ctrl+P)。
理想：所有层的梯度余弦都接近 1。
请固定所建议的层；“查找类型”会比较显存与误差。</translation>
    </message>
    <message>
        <source>Loss against learning rate.
Good: a curve that falls, then rises steeply.
Use the suggestion; without one, test more steps or a wider range.</source>
        <translation>损失与学习率的关系。
理想：曲线先下降，再急剧上升。
请采用建议值；若没有，请测试更多步或更宽的范围。</translation>
    </message>
    <message>
        <source>The preset as a form.
Good: nothing in the preflight blocks Start.
The search finds a setting; its ? explains it.</source>
        <translation>以表单显示预设。
理想：预检中没有阻止“开始”的问题。
用搜索查找设置；点击其 ? 查看说明。</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>%1, as %2 in the search does</source>
        <translation>%1（等同于在搜索中输入 %2）</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ShortcutsDialog</name>
    <message>
        <source>Plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>Tables and grids</source>
        <translation>表格和网格</translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation>鼠标滚轮</translation>
    </message>
    <message>
        <source>Zoom in steps; with Ctrl, in values</source>
        <translation>沿步数缩放；按住 Ctrl 沿数值缩放</translation>
    </message>
    <message>
        <source>Drag, Shift+drag</source>
        <translation>拖动，Shift+拖动</translation>
    </message>
    <message>
        <source>Move, or zoom into a box</source>
        <translation>平移，或框选放大</translation>
    </message>
    <message>
        <source>Double click, Home</source>
        <translation>双击，Home</translation>
    </message>
    <message>
        <source>Show the whole run again</source>
        <translation>重新显示整个训练</translation>
    </message>
    <message>
        <source>+ − ← →</source>
        <translation>+ − ← →</translation>
    </message>
    <message>
        <source>Zoom and move with the keyboard</source>
        <translation>用键盘缩放和移动</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move through runs, images and samples</source>
        <translation>在训练、图片和样图之间移动</translation>
    </message>
    <message>
        <source>Shift or Ctrl with them</source>
        <translation>配合 Shift 或 Ctrl</translation>
    </message>
    <message>
        <source>Choose several</source>
        <translation>选择多个</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>Edit a run&apos;s tags or note</source>
        <translation>编辑训练的标签或备注</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Open the selected run</source>
        <translation>打开所选训练</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>Move the selected runs to the trash</source>
        <translation>将所选训练移到回收站</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the shortcuts</source>
        <translation>搜索快捷键</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::StrengthRenders</name>
    <message>
        <source>The engine is busy: another strength can be rendered when the run has ended.</source>
        <translation>引擎正忙：训练结束后才能生成其他强度的样图。</translation>
    </message>
    <message>
        <source>The engine is checking the settings.</source>
        <translation>引擎正在检查设置。</translation>
    </message>
    <message>
        <source>Another strength needs the adapter file of a finished run.</source>
        <translation>要使用其他强度，需要已完成训练的适配器文件。</translation>
    </message>
    <message>
        <source>The engine is probing the preset.</source>
        <translation>引擎正在诊断预设。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SweepDialog</name>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>A run for each value, at the end of the queue; of two settings, for each combination.</source>
        <translation>每个取值一个训练，加到队列末尾；两项设置时，每种组合一个。</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Give the setting&apos;s values.</source>
        <translation>请给出设置的取值。</translation>
    </message>
    <message>
        <source>The second setting is the first one: choose another.</source>
        <translation>第二项设置与第一项相同，请选择另一项。</translation>
    </message>
    <message>
        <source>%1 runs: a sweep has %2 at most.</source>
        <translation>%1 个训练：一次参数扫描最多 %2 个。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 个训练</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without adding runs</source>
        <translation>不添加训练并关闭</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SweepRow</name>
    <message>
        <source>Setting that changes</source>
        <translation>要改变的设置</translation>
    </message>
    <message>
        <source>No other setting</source>
        <translation>不改变其他设置</translation>
    </message>
    <message>
        <source>Its values</source>
        <translation>设置的取值</translation>
    </message>
    <message>
        <source>Values with commas between, now %1</source>
        <translation>用逗号分隔的取值，当前为 %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::VerifyDialog</name>
    <message>
        <source>Step %1, loss</source>
        <translation>第 %1 步：损失</translation>
    </message>
    <message>
        <source>Step %1, gradient norm</source>
        <translation>第 %1 步：梯度范数</translation>
    </message>
    <message>
        <source>Step %1, time</source>
        <translation>第 %1 步：时间</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>计划内存</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Verified: %1</source>
        <translation>验证：%1</translation>
    </message>
    <message>
        <source>First steps then and now</source>
        <translation>当时与现在的最初几步</translation>
    </message>
    <message>
        <source>When the run was made</source>
        <translation>训练时</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>关闭对话框</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::VersionPicker</name>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>The whole image</source>
        <translation>整张图片</translation>
    </message>
    <message>
        <source>Version %1 of %2</source>
        <translation>版本 %1 / %2</translation>
    </message>
    <message>
        <source>Cut at %1, %2 of %3 × %4</source>
        <translation>在 %3 × %4 中从 %1, %2 处裁剪</translation>
    </message>
    <message>
        <source>rotated by %1°</source>
        <translation>旋转 %1°</translation>
    </message>
    <message>
        <source>brightness × %1</source>
        <translation>亮度 × %1</translation>
    </message>
    <message>
        <source>contrast × %1</source>
        <translation>对比度 × %1</translation>
    </message>
    <message>
        <source>saturation × %1</source>
        <translation>饱和度 × %1</translation>
    </message>
    <message>
        <source>hue turned by %1°</source>
        <translation>色相移动 %1°</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::WindowMenus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;New preset</source>
        <translation>新建预设(&amp;N)</translation>
    </message>
    <message>
        <source>Start from the defaults</source>
        <translation>从默认值开始</translation>
    </message>
    <message>
        <source>&amp;Open preset…</source>
        <translation>打开预设(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>Choose a &amp;built-in preset…</source>
        <translation>选择内置预设(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Save preset</source>
        <translation>保存预设(&amp;S)</translation>
    </message>
    <message>
        <source>Save preset &amp;as…</source>
        <translation>预设另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy preset as text</source>
        <translation>将预设复制为文本(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste preset from text</source>
        <translation>从文本粘贴预设(&amp;P)</translation>
    </message>
    <message>
        <source>Edit preset as &amp;text</source>
        <translation>以文本编辑预设(&amp;T)</translation>
    </message>
    <message>
        <source>Co&amp;mpare presets</source>
        <translation>比较预设(&amp;M)</translation>
    </message>
    <message>
        <source>Reset &amp;everything to the defaults</source>
        <translation>全部恢复默认值(&amp;E)</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>&amp;Search settings</source>
        <translation>搜索设置(&amp;S)</translation>
    </message>
    <message>
        <source>Test learnin&amp;g rates</source>
        <translation>测试学习率(&amp;G)</translation>
    </message>
    <message>
        <source>Use the built-in &amp;demo</source>
        <translation>使用内置演示(&amp;D)</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>主题(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Show all &amp;advanced settings</source>
        <translation>显示所有高级设置(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>指南(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Precision catalogue</source>
        <translation>精度问题目录(&amp;P)</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics</source>
        <translation>复制诊断信息(&amp;D)</translation>
    </message>
    <message>
        <source>Versions, devices, the draft and the log are on the clipboard, for a bug report.</source>
        <translation>版本、设备、草稿和日志已复制到剪贴板，可用于报告问题。</translation>
    </message>
    <message>
        <source>&amp;About Mantissa</source>
        <translation>关于 Mantissa(&amp;A)</translation>
    </message>
    <message>
        <source>Probe pre&amp;cision</source>
        <translation>诊断精度(&amp;C)</translation>
    </message>
    <message>
        <source>Use it anyway</source>
        <translation>仍然使用</translation>
    </message>
    <message>
        <source>&amp;Notifications…</source>
        <translation>通知(&amp;N)…</translation>
    </message>
</context>
<context>
    <name>pages</name>
    <message>
        <source>Setup</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>&amp;Setup</source>
        <translation>配置(&amp;S)</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>数据(&amp;D)</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样图</translation>
    </message>
    <message>
        <source>Sa&amp;mples</source>
        <translation>样图(&amp;M)</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>H&amp;istory</source>
        <translation>历史(&amp;I)</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>D&amp;evice</source>
        <translation>设备(&amp;E)</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>T&amp;ools</source>
        <translation>工具(&amp;O)</translation>
    </message>
</context>
<context>
    <name>questions</name>
    <message>
        <source>Open preset</source>
        <translation>打开预设</translation>
    </message>
    <message>
        <source>Presets (*.json *.mantissa-preset);;All files (*)</source>
        <translation>预设 (*.json *.mantissa-preset);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Presets, configurations, adapters (*.json *.toml *.yaml *.yml *.safetensors);;All files (*)</source>
        <translation>预设、配置、适配器 (*.json *.toml *.yaml *.yml *.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Presets (*.json *.mantissa-preset)</source>
        <translation>预设 (*.json *.mantissa-preset)</translation>
    </message>
    <message>
        <source>Save to another folder</source>
        <translation>保存到其他文件夹</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Save &amp;&amp; stop</source>
        <translation>保存并停止</translation>
    </message>
    <message>
        <source>Stop without saving</source>
        <translation>不保存直接停止</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>LoRA folder of %1</source>
        <translation>%1 的 LoRA 文件夹</translation>
    </message>
    <message>
        <source>Copy as %1</source>
        <translation>复制为 %1</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard the changes</source>
        <translation>放弃更改</translation>
    </message>
    <message>
        <source>What was changed since the preset was opened or saved is lost.</source>
        <translation>打开或保存预设之后的更改会丢失。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止训练</translation>
    </message>
    <message>
        <source>A checkpoint is saved first; Resume continues from it.</source>
        <translation>先保存检查点；“续训”会从该处继续。</translation>
    </message>
    <message>
        <source>The unsaved steps are lost.</source>
        <translation>未保存的步将丢失。</translation>
    </message>
    <message>
        <source>A file of this name exists</source>
        <translation>同名文件已存在</translation>
    </message>
    <message>
        <source>The other file is lost.</source>
        <translation>原文件将丢失。</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Close all the same</source>
        <translation>仍然关闭</translation>
    </message>
    <message>
        <source>Keep the window</source>
        <translation>保留窗口</translation>
    </message>
    <message>
        <source>Nothing is lost while it is open.</source>
        <translation>窗口打开期间不会丢失任何内容。</translation>
    </message>
</context>
<context>
    <name>schema</name>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CaptionPreview</name>
    <message>
        <source>Captions before and after</source>
        <translation>修改前后的标注</translation>
    </message>
    <message>
        <source>No caption</source>
        <translation>没有标注</translation>
    </message>
    <message>
        <source>%1 of %2 captions change</source>
        <translation>%2 条标注中有 %1 条会改变</translation>
    </message>
    <message>
        <source>%1 captions change so far</source>
        <translation>目前有 %1 条标注会改变</translation>
    </message>
    <message>
        <source>Show or hide captions before and after</source>
        <translation>显示或隐藏修改前后的标注</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SkippedView</name>
    <message>
        <source>not an image file</source>
        <translation>非图片文件</translation>
    </message>
    <message>
        <source>damaged image</source>
        <translation>损坏的图片</translation>
    </message>
    <message>
        <source>image too small</source>
        <translation>过小的图片</translation>
    </message>
    <message>
        <source>image too large</source>
        <translation>过大的图片</translation>
    </message>
    <message>
        <source>unreadable caption</source>
        <translation>无法读取的标注</translation>
    </message>
    <message>
        <source>unusable mask</source>
        <translation>无法使用的遮罩</translation>
    </message>
    <message>
        <source>caption without an image</source>
        <translation>没有图片的标注</translation>
    </message>
    <message>
        <source>mask without an image</source>
        <translation>没有图片的遮罩</translation>
    </message>
    <message>
        <source>error in metadata.jsonl</source>
        <translation>metadata.jsonl 中的错误</translation>
    </message>
    <message>
        <source>folder not scanned</source>
        <translation>未扫描的文件夹</translation>
    </message>
    <message>
        <source>broken link or special file</source>
        <translation>失效链接或特殊文件</translation>
    </message>
    <message>
        <source>Skipped files, and why</source>
        <translation>训练会跳过的文件及其原因</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>image without a usable reference</source>
        <translation>没有可用参考图的图片</translation>
    </message>
    <message>
        <source>reference without an image</source>
        <translation>没有图片的参考图</translation>
    </message>
    <message>
        <source>No file is skipped.
Every image of the folders is trained.</source>
        <translation>没有跳过任何文件。
文件夹中的所有图片都会用于训练。</translation>
    </message>
    <message>
        <source>Read as…</source>
        <translation>按编码读取…</translation>
    </message>
    <message>
        <source>Convert captions that aren&apos;t UTF-8</source>
        <translation>转换非 UTF-8 的标注</translation>
    </message>
    <message>
        <source>Shows the captions that aren&apos;t UTF-8 in the encoding that you choose, and converts them</source>
        <translation>按你选择的编码显示非 UTF-8 的标注，并进行转换</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImageTrash</name>
    <message numerus="yes">
        <source>Move %n image(s) to the trash, with captions and masks?</source>
        <translation>
            <numerusform>将 %n 张图片连同标注和遮罩移到回收站？</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>还有 %n 张。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 can&apos;t be moved to the trash; it was left where it is.</source>
        <translation>%1 无法移到回收站，已保留在原处。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be moved to the trash; its image was.</source>
        <translation>%1 无法移到回收站，但其图片已移走。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be brought back; it is still in the trash.</source>
        <translation>%1 无法恢复，仍在回收站中。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImageDelegate</name>
    <message>
        <source>Can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CardPicker</name>
    <message>
        <source>Cards that train</source>
        <translation>参与训练的显卡</translation>
    </message>
    <message>
        <source>One run on all</source>
        <translation>所有显卡共同一次训练</translation>
    </message>
    <message>
        <source>A run on each</source>
        <translation>每张显卡各一次训练</translation>
    </message>
    <message>
        <source>One model across all</source>
        <translation>所有显卡共同承载一个模型</translation>
    </message>
    <message>
        <source>Train on %1, %2</source>
        <translation>用 %1（%2）训练</translation>
    </message>
    <message>
        <source>The queue trains as many runs at the same time, each on a card of its own.</source>
        <translation>队列同时进行相应数量的训练，每次训练独占一张显卡。</translation>
    </message>
    <message>
        <source>Each card holds some of the model&apos;s layers, so that a model too large for one card trains. The cards compute one after another: one run, not a faster one.</source>
        <translation>每张显卡存放模型的一部分层，单张显卡放不下的模型也能训练。各显卡依次计算：只是一次训练，不会更快。</translation>
    </message>
    <message>
        <source>The cards share the micro-steps of each step (gradient accumulation), so that one run is faster.</source>
        <translation>各显卡分担每一步的微步（梯度累积），单次训练因此更快。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProcessCard</name>
    <message>
        <source>What trains the run</source>
        <translation>进行本次训练的设备</translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation>
            <numerusform>%n 张显卡</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es)</source>
        <translation>
            <numerusform>%n 个进程</numerusform>
        </translation>
    </message>
    <message>
        <source>Images per second of each while it computes, and the share of the time in which it does</source>
        <translation>各自计算时每秒的图片数，以及计算所占的时间比例</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>较慢</translation>
    </message>
    <message>
        <source>The others wait for it in every step</source>
        <translation>其他的在每一步都要等它</translation>
    </message>
    <message>
        <source>%1 on %2, slow</source>
        <translation>%2 上的 %1，较慢</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1 张/秒</translation>
    </message>
    <message>
        <source>%1, slow</source>
        <translation>%1，较慢</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SideRuns</name>
    <message>
        <source>Preparing on %1</source>
        <translation>正在 %1 上准备</translation>
    </message>
    <message>
        <source>Step %1 of %2 on %3</source>
        <translation>%3 上第 %1 / %2 步</translation>
    </message>
    <message>
        <source>Step %1 on %2</source>
        <translation>%2 上第 %1 步</translation>
    </message>
    <message>
        <source>Waiting for disk space, step %1 on %2</source>
        <translation>%2 上第 %1 步，等待磁盘空间</translation>
    </message>
</context>
<context>
    <name>EngineText</name>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
</context>
<context>
    <name>SearchWords</name>
    <message>
        <source>vram gpu memory oom out of memory</source>
        <translation>显存 内存 爆显存 oom</translation>
    </message>
    <message>
        <source>speed fast slow</source>
        <translation>速度 快 慢</translation>
    </message>
    <message>
        <source>quantization quantize mixed precision dtype</source>
        <translation>量化 混合精度 dtype</translation>
    </message>
    <message>
        <source>overfitting regularization class images</source>
        <translation>过拟合 正则化 正则图</translation>
    </message>
    <message>
        <source>network lycoris dim</source>
        <translation>网络 lycoris dim</translation>
    </message>
    <message>
        <source>lr scheduler decay</source>
        <translation>lr 调度器 衰减</translation>
    </message>
    <message>
        <source>preview test image</source>
        <translation>预览 测试图</translation>
    </message>
    <message>
        <source>tags tagging</source>
        <translation>标签 打标</translation>
    </message>
    <message>
        <source>augmentation mirror</source>
        <translation>数据增强 镜像</translation>
    </message>
    <message>
        <source>length duration</source>
        <translation>时长 长度</translation>
    </message>
    <message>
        <source>backup autosave</source>
        <translation>备份 自动保存</translation>
    </message>
    <message>
        <source>@modified</source>
        <translation>@已修改</translation>
    </message>
    <message>
        <source>@advanced</source>
        <translation>@高级</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PreflightLine</name>
    <message>
        <source>%1
Applied as an edit, which Undo takes back</source>
        <translation>%1
作为一次编辑应用，可用“撤消”恢复</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation>原因：%1</translation>
    </message>
</context>
<context>
    <name>OpenFolder</name>
    <message>
        <source>The folder %1 is no longer there.</source>
        <translation>文件夹 %1 已不存在。</translation>
    </message>
    <message>
        <source>No program here shows folders. The folder is %1</source>
        <translation>没有可以显示文件夹的程序。文件夹是 %1</translation>
    </message>
</context>
<context>
    <name>RunResultFiles</name>
    <message>
        <source>Loads it as it was trained.</source>
        <translation>按训练时的效果加载。</translation>
    </message>
    <message>
        <source>Loads it, but a layer&apos;s change is off by %1.</source>
        <translation>可以加载，但有一层的改动相差 %1。</translation>
    </message>
    <message>
        <source>Ignores %1 of its %2 tensors.</source>
        <translation>忽略其 %2 个张量中的 %1 个。</translation>
    </message>
    <message>
        <source>Loads it, but the checked layers stay as they are.</source>
        <translation>可以加载，但检查过的层没有变化。</translation>
    </message>
    <message>
        <source>Recognizes none of its tensors: it has no effect, or fails to load.</source>
        <translation>无法识别任何张量：没有效果，或加载失败。</translation>
    </message>
    <message>
        <source>Refuses it.</source>
        <translation>拒绝加载。</translation>
    </message>
    <message>
        <source>No verdict: how it names adapters of this base model isn&apos;t known.</source>
        <translation>无法判定：不了解它对该基础模型的适配器所用的名称。</translation>
    </message>
    <message>
        <source>A verdict of a newer version: %1</source>
        <translation>来自更新版本的结论：%1</translation>
    </message>
    <message>
        <source>result.json can&apos;t be read: %1</source>
        <translation>无法读取 result.json：%1</translation>
    </message>
    <message>
        <source>result.json is damaged: it lists no programs.</source>
        <translation>result.json 已损坏：没有列出任何程序。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::AdapterCopier</name>
    <message>
        <source>%1 has another file called %2 already.</source>
        <translation>%1 中已有另一个名为 %2 的文件。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ModelPicker</name>
    <message>
        <source>Folder with models</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Base models on this computer</source>
        <translation>本机的底模</translation>
    </message>
    <message>
        <source>Search names, families, places</source>
        <translation>搜索名称、系列、位置</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Base models</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>Columns of the models</source>
        <translation>模型列表的列</translation>
    </message>
    <message>
        <source>Looking for models</source>
        <translation>正在查找模型</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>使用此模型</translation>
    </message>
    <message>
        <source>Use the selected model</source>
        <translation>使用所选模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without choosing</source>
        <translation>关闭而不选择</translation>
    </message>
    <message>
        <source>Folders looked through</source>
        <translation>已查找的文件夹</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>添加模型文件夹</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the selected folder</source>
        <translation>移除所选文件夹</translation>
    </message>
    <message>
        <source>%1 · added by you</source>
        <translation>%1 · 由你添加</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%n other file(s) passed over</source>
        <translation>
            <numerusform>另跳过 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>No base model was found. Add the folder that holds yours.</source>
        <translation>没有找到底模。请添加存放模型的文件夹。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ModelScan</name>
    <message>
        <source>%1, mixed</source>
        <translation>%1，混合</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ModelTable</name>
    <message>
        <source>%1, distilled</source>
        <translation>%1，蒸馏</translation>
    </message>
    <message>
        <source>%1, denoiser only</source>
        <translation>%1，仅去噪网络</translation>
    </message>
    <message>
        <source>Distilled models don&apos;t train well: take the base that it comes from.</source>
        <translation>蒸馏模型不适合训练：请使用它所依据的底模。</translation>
    </message>
    <message>
        <source>Text encoders and VAE are files of their own: “Separate files…” adds them.</source>
        <translation>文本编码器和 VAE 是单独的文件：用“分开的文件…”添加。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>精度类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Its files state no licence of the weights.</source>
        <translation>其文件未注明权重的许可证。</translation>
    </message>
    <message>
        <source>Licence of the weights: %1</source>
        <translation>权重的许可证：%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ReaderList</name>
    <message>
        <source>Works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Doesn&apos;t work as trained</source>
        <translation>效果与训练时不同</translation>
    </message>
    <message>
        <source>Not for this base model</source>
        <translation>不支持此底模</translation>
    </message>
    <message>
        <source>By the rules of:
%1</source>
        <translation>依据以下规则：
%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ResultView</name>
    <message>
        <source>No result yet.
Once a run ends, its files, figures and samples are shown here.</source>
        <translation>还没有结果。
训练结束后，这里会显示文件、数据和样图。</translation>
    </message>
    <message>
        <source>Result of the run</source>
        <translation>训练结果</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样图</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>The run has written no adapter.</source>
        <translation>训练没有写出适配器。</translation>
    </message>
    <message>
        <source>Files of the result</source>
        <translation>结果文件</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Open the folder of the chosen file</source>
        <translation>打开所选文件所在的文件夹</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>再次训练</translation>
    </message>
    <message>
        <source>Take the run&apos;s settings as the draft of another run</source>
        <translation>把这次训练的设置作为新训练的草稿</translation>
    </message>
    <message>
        <source>Copy the chosen file to the LoRA folder of %1. The folder is found, or asked for once; no file there is replaced without a question.</source>
        <translation>把所选文件复制到 %1 的 LoRA 文件夹。文件夹会自动查找，或询问一次；不会在未询问的情况下替换文件。</translation>
    </message>
    <message>
        <source>Copy to %1…</source>
        <translation>复制到 %1…</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>training steps took %1</source>
        <translation>训练步用时 %1</translation>
    </message>
    <message>
        <source>mean loss of the last tenth: %1</source>
        <translation>最后十分之一的平均损失：%1</translation>
    </message>
    <message>
        <source>lowest validation loss: %1 at step %2</source>
        <translation>最低验证损失：%1（第 %2 步）</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>The result</source>
        <translation>最终结果</translation>
    </message>
    <message>
        <source>What other programs make of it</source>
        <translation>其他程序能否使用</translation>
    </message>
    <message>
        <source>What other programs make of %1</source>
        <translation>其他程序能否使用 %1</translation>
    </message>
    <message>
        <source>Read back by these programs&apos; rules when it was saved. Load it with strength 1.</source>
        <translation>保存时已按这些程序的规则读回检查。请以强度 1 加载。</translation>
    </message>
    <message>
        <source>Step %1, suggested</source>
        <translation>第 %1 步（建议）</translation>
    </message>
    <message>
        <source>By the validation images, whose noise and times are the same for every checkpoint: the earliest whose loss is within the error of the lowest. Look at its samples as well.</source>
        <translation>依据验证图片得出，每个检查点所用的噪声和时间步都相同：在误差范围内不高于最低损失的最早检查点。也请查看它的样图。</translation>
    </message>
    <message>
        <source>A run that has memorised its images draws them again. Samples are compared with training images and with validation images, which it has never seen: nearer to the former means that it repeats them. An earlier checkpoint, more images or a lower rank help.</source>
        <translation>死记了图片的训练会再次画出它们。样图会与训练图片以及从未见过的验证图片比较：离前者更近，说明在重复它们。更早的检查点、更多的图片或更低的秩会有帮助。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunResults</name>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>%1 · Finished</source>
        <translation>%1 · 已完成</translation>
    </message>
    <message>
        <source>%1 · Not finished</source>
        <translation>%1 · 未完成</translation>
    </message>
    <message>
        <source>%1 has it already: %2</source>
        <translation>%1 已有此文件：%2</translation>
    </message>
    <message>
        <source>Copied for %1 to %2</source>
        <translation>已为 %1 复制到 %2</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>其他文件夹…</translation>
    </message>
    <message>
        <source>Files, figures and samples of the run that ended.
Good: the samples show what was trained and still follow the prompt.
If they repeat training images, use an earlier checkpoint.</source>
        <translation>已结束训练的文件、数值和样图。
理想：样图呈现所训练的内容，并仍遵循提示词。
若样图重复训练图片，请用较早的检查点。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SamplePairView</name>
    <message>
        <source>Prompt of the samples</source>
        <translation>样图的提示词</translation>
    </message>
    <message>
        <source>Before training</source>
        <translation>训练前</translation>
    </message>
    <message>
        <source>First sample · step %1</source>
        <translation>第一张样图 · 第 %1 步</translation>
    </message>
    <message>
        <source>Last sample · step %1</source>
        <translation>最后一张样图 · 第 %1 步</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MaskCanvas</name>
    <message>
        <source>The image&apos;s crop with its mask</source>
        <translation>叠加遮罩的图片裁剪区域</translation>
    </message>
    <message>
        <source>Paint with the mouse. [ and ] change the brush&apos;s size, X turns it into the eraser and back, the wheel enlarges, 0 shows all.</source>
        <translation>用鼠标绘制。[ 和 ] 改变画笔大小，X 与橡皮擦切换，滚轮放大，0 显示全部。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MaskEditor</name>
    <message>
        <source>Brush</source>
        <translation>画笔</translation>
    </message>
    <message>
        <source>Paint what counts (X switches)</source>
        <translation>涂出计入的部分（X 切换）</translation>
    </message>
    <message>
        <source>Eraser</source>
        <translation>橡皮擦</translation>
    </message>
    <message>
        <source>Paint what doesn&apos;t count (X switches)</source>
        <translation>涂出不计入的部分（X 切换）</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size of the brush in pixels of the crop ([ and ])</source>
        <translation>画笔大小，以裁剪区域的像素计（[ 和 ]）</translation>
    </message>
    <message>
        <source>Hardness</source>
        <translation>硬度</translation>
    </message>
    <message>
        <source>How much of the brush is painted in full; the rest fades out ({ and })</source>
        <translation>画笔中完全涂满的比例，其余逐渐淡出（{ 和 }）</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>反转</translation>
    </message>
    <message>
        <source>What counts and what doesn&apos;t change places</source>
        <translation>互换计入与不计入的部分</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Everything counts, as without a mask</source>
        <translation>全部计入，如同没有遮罩</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the last stroke (Ctrl+Z)</source>
        <translation>撤销上一笔 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo the stroke (Ctrl+Y)</source>
        <translation>重做这一笔 (Ctrl+Y)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合</translation>
    </message>
    <message>
        <source>Show the whole crop (0); the wheel enlarges</source>
        <translation>显示整个裁剪区域 (0)；滚轮放大</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Discard the strokes: the mask stays as it was</source>
        <translation>放弃笔画：遮罩保持原样</translation>
    </message>
    <message>
        <source>Leave the mask as it was</source>
        <translation>保持遮罩原样</translation>
    </message>
    <message>
        <source>Save mask</source>
        <translation>保存遮罩</translation>
    </message>
    <message>
        <source>%1 px, %2 hard</source>
        <translation>%1 px，硬度 %2</translation>
    </message>
    <message>
        <source>Everything counts. The brush&apos;s first stroke makes only what it paints count; the eraser&apos;s takes out what it paints.</source>
        <translation>全部计入。画笔的第一笔使仅涂到的部分计入；橡皮擦的第一笔则去掉涂到的部分。</translation>
    </message>
    <message>
        <source>Coloured places don&apos;t count.</source>
        <translation>着色的部分不计入。</translation>
    </message>
    <message>
        <source>About the mask</source>
        <translation>关于蒙版</translation>
    </message>
    <message>
        <source>Save the mask and close it (Esc), as any other way out does</source>
        <translation>保存遮罩并关闭 (Esc)，与其他离开方式相同</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MaskPainting</name>
    <message>
        <source>erasing in the mask</source>
        <translation>擦除遮罩</translation>
    </message>
    <message>
        <source>painting the mask</source>
        <translation>绘制遮罩</translation>
    </message>
    <message>
        <source>inverting the mask</source>
        <translation>反转遮罩</translation>
    </message>
    <message>
        <source>clearing the mask</source>
        <translation>清除遮罩</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProposalModel</name>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Caption now</source>
        <translation>当前标注</translation>
    </message>
    <message>
        <source>New caption</source>
        <translation>新标注</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TaggerDialog</name>
    <message>
        <source>Which images</source>
        <translation>哪些图片</translation>
    </message>
    <message>
        <source>The images shown</source>
        <translation>显示的图片</translation>
    </message>
    <message>
        <source>The images selected</source>
        <translation>选中的图片</translation>
    </message>
    <message>
        <source>Images captioned</source>
        <translation>已标注的图片</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel captioning</source>
        <translation>取消标注</translation>
    </message>
    <message>
        <source>New captions</source>
        <translation>新标注</translation>
    </message>
    <message>
        <source>Put back the latest captions</source>
        <translation>恢复最近一次标注之前的内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>关闭对话框</translation>
    </message>
    <message numerus="yes">
        <source>Caption %n shown image(s)</source>
        <translation>
            <numerusform>标注显示的 %n 张图片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Caption %n selected image(s)</source>
        <translation>
            <numerusform>标注选中的 %n 张图片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) kept</source>
        <translation>
            <numerusform>保留 %n 条标注</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n read-only</source>
        <translation>
            <numerusform>%n 张只读</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Write %n caption(s)</source>
        <translation>
            <numerusform>写入 %n 条标注</numerusform>
        </translation>
    </message>
    <message>
        <source>Loading the tagger…</source>
        <translation>正在载入打标模型…</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>正在载入模型…</translation>
    </message>
    <message>
        <source>Captioned %1 of %2 images</source>
        <translation>已标注 %1 / %2 张图片</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>剩余 %1</translation>
    </message>
    <message numerus="yes">
        <source>Captioned %n image(s).</source>
        <translation>
            <numerusform>已标注 %n 张图片。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) can&apos;t be read.</source>
        <translation>
            <numerusform>%n 张图片无法读取。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is written yet: a double click edits a caption, and only those with a tick are written.</source>
        <translation>尚未写入任何内容：双击可编辑标注，只写入勾选的标注。</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) aren&apos;t written. Close again to discard them.</source>
        <translation>
            <numerusform>%n 条标注尚未写入。再次关闭将放弃它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>Caption by a model</source>
        <translation>用模型标注</translation>
    </message>
    <message>
        <source>Puts back what a model&apos;s latest captions changed, of this window or of the command line, but for captions edited since</source>
        <translation>还原模型最近一次标注所改动的内容（此窗口或命令行），之后又编辑过的标注除外</translation>
    </message>
    <message>
        <source>Asking the model…</source>
        <translation>正在询问模型…</translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) got no caption.</source>
        <translation>
            <numerusform>%n 张图片没有得到标注。</numerusform>
        </translation>
    </message>
    <message>
        <source>captions by a model</source>
        <translation>模型生成的标注</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TaggerForm</name>
    <message>
        <source>Folder of the tagger</source>
        <translation>打标模型的文件夹</translation>
    </message>
    <message>
        <source>Tagger</source>
        <translation>打标模型</translation>
    </message>
    <message>
        <source>Folder with model.safetensors, config.json and selected_tags.csv</source>
        <translation>包含 model.safetensors、config.json 和 selected_tags.csv 的文件夹</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Existing captions</source>
        <translation>已有标注</translation>
    </message>
    <message>
        <source>Least certainty of a tag</source>
        <translation>标签的最低置信度</translation>
    </message>
    <message>
        <source>How sure the tagger must be of a general tag, 0 to 1</source>
        <translation>一般标签所需的置信度，0 到 1</translation>
    </message>
    <message>
        <source>Least certainty of a character</source>
        <translation>角色的最低置信度</translation>
    </message>
    <message>
        <source>How sure the tagger must be of a character&apos;s name, 0 to 1</source>
        <translation>角色名所需的置信度，0 到 1</translation>
    </message>
    <message>
        <source>Trigger word</source>
        <translation>触发词</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>A word that stands first in every caption</source>
        <translation>放在每条标注最前面的词</translation>
    </message>
    <message>
        <source>Tags that no caption gets</source>
        <translation>不写入任何标注的标签</translation>
    </message>
    <message>
        <source>None; separated by commas</source>
        <translation>无；用逗号分隔</translation>
    </message>
    <message>
        <source>Likeliest rating first</source>
        <translation>将最可能的分级放在最前</translation>
    </message>
    <message>
        <source>Underscores in tags</source>
        <translation>保留标签中的下划线</translation>
    </message>
    <message>
        <source>The taggers v3 of SmilingWolf&apos;s WD family are read, ViT and EVA-02: their pages state the Apache-2.0 licence. Put the three files of one into a folder of its own; nothing is downloaded here.</source>
        <translation>可读取 SmilingWolf 的 WD v3 打标模型 (ViT 和 EVA-02)；其页面注明采用 Apache-2.0 许可证。请将其三个文件放入单独的文件夹；此处不会下载任何内容。</translation>
    </message>
    <message>
        <source>Tags from</source>
        <translation>标签阈值</translation>
    </message>
    <message>
        <source>Characters from</source>
        <translation>角色阈值</translation>
    </message>
    <message>
        <source>Excluded tags</source>
        <translation>排除的标签</translation>
    </message>
    <message>
        <source>A tagger</source>
        <translation>打标模型</translation>
    </message>
    <message>
        <source>A model that another program serves</source>
        <translation>其他程序提供的模型</translation>
    </message>
    <message>
        <source>A Qwen3-VL</source>
        <translation>Qwen3-VL</translation>
    </message>
    <message>
        <source>What captions the images</source>
        <translation>由什么来标注图片</translation>
    </message>
    <message>
        <source>Add after them</source>
        <translation>添加在后面</translation>
    </message>
    <message>
        <source>Add before them</source>
        <translation>添加在前面</translation>
    </message>
    <message>
        <source>Captions by</source>
        <translation>标注由</translation>
    </message>
    <message>
        <source>Choose the folder of a tagger first</source>
        <translation>请先选择打标模型的文件夹</translation>
    </message>
    <message>
        <source>A certainty is a number from 0 to 1</source>
        <translation>置信度是 0 到 1 的数字</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ToolAdapters</name>
    <message>
        <source>Adapter %1</source>
        <translation>适配器 %1</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Another adapter</source>
        <translation>其他适配器</translation>
    </message>
    <message>
        <source>Adapters (*.safetensors);;All files (*)</source>
        <translation>适配器 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Weight of adapter %1</source>
        <translation>适配器 %1 的权重</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ToolForm</name>
    <message>
        <source>All programs</source>
        <translation>所有程序</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>As the file says</source>
        <translation>按文件所述</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Models and adapters (*.safetensors);;All files (*)</source>
        <translation>模型和适配器 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>“%1” is missing.</source>
        <translation>缺少“%1”。</translation>
    </message>
    <message>
        <source>“%1” is a number from %2 to %3.</source>
        <translation>“%1”是 %2 到 %3 之间的数。</translation>
    </message>
    <message>
        <source>“%1” is a number above 0 and at most 1.</source>
        <translation>“%1”须是大于 0 且不超过 1 的数值。</translation>
    </message>
    <message>
        <source>A weight is a number from -100 to 100.</source>
        <translation>权重是 -100 到 100 之间的数。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ToolsPage</name>
    <message>
        <source>Search (Ctrl+F)</source>
        <translation>搜索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search tools and their options</source>
        <translation>搜索工具及其选项</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Options: %1</source>
        <translation>选项：%1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the tool</source>
        <translation>取消工具</translation>
    </message>
    <message>
        <source>Progress of the tool</source>
        <translation>工具的进度</translation>
    </message>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation>已取消；没有写入任何内容。</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>What the file holds</source>
        <translation>文件的内容</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open the folder of the result</source>
        <translation>打开结果所在的文件夹</translation>
    </message>
    <message>
        <source>%1: working…</source>
        <translation>%1：正在处理…</translation>
    </message>
    <message>
        <source>%1 of %2 weights</source>
        <translation>%1 / %2 个权重</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Fails</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>The result of a tool is shown here.</source>
        <translation>工具的结果显示在这里。</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>结果：%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TrayIcon</name>
    <message>
        <source>Show the window</source>
        <translation>显示窗口</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CloseSheet</name>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Save and continue without the window</source>
        <translation>保存并在没有窗口的情况下继续</translation>
    </message>
    <message>
        <source>The run is saved and continues in a process of its own, exactly where it was. The next start of the studio shows it again.</source>
        <translation>保存训练，并在独立的进程中从同一位置继续。下次启动工作室时会重新显示。</translation>
    </message>
    <message>
        <source>Only a single run can continue in a process of its own.</source>
        <translation>只有单个训练可以在独立的进程中继续。</translation>
    </message>
    <message>
        <source>Stop, save and quit</source>
        <translation>停止、保存并退出</translation>
    </message>
    <message>
        <source>Nothing is lost: the next start offers to resume.</source>
        <translation>不会丢失任何内容：下次启动时可以恢复。</translation>
    </message>
    <message>
        <source>Keep the window</source>
        <translation>保留窗口</translation>
    </message>
    <message>
        <source>The run goes on as before.</source>
        <translation>训练照常继续。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HealthDetails</name>
    <message>
        <source>Tensor of this layer</source>
        <translation>该层的张量</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值个数</translation>
    </message>
    <message>
        <source>Underflow</source>
        <translation>下溢</translation>
    </message>
    <message>
        <source>Reduced precision</source>
        <translation>有效位减少</translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation>上溢</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>Largest value</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>No cell selected</source>
        <translation>没有选择单元格</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, %2 NaN/Inf</source>
        <translation>%1，其中 NaN/Inf %2</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::NewestLine</name>
    <message>
        <source>Newest line of the log; opens the log</source>
        <translation>最新一行日志，点击打开日志</translation>
    </message>
</context>
</TS>
