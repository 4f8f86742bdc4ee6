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
    <name>Format</name>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
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
        <source>FP8 operand</source>
        <translation>FP8 操作数</translation>
    </message>
    <message>
        <source>FP8 gradient operand</source>
        <translation>FP8 梯度操作数</translation>
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
        <source>Saving</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>Comparing with FP32</source>
        <translation>正在与 FP32 比较</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %2 / %3</translation>
    </message>
    <message>
        <source>Checking the base model&apos;s files</source>
        <translation>正在检查底模文件</translation>
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
        <translation>已跳过：梯度出现非有限值</translation>
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
        <source>Seconds a step</source>
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
    <name>catalogue</name>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>%1 Fix: %2</source>
        <translation>%1 解决办法：%2</translation>
    </message>
</context>
<context>
    <name>engine</name>
    <message>
        <source>training on {device}; bit-exact from run to run</source>
        <translation>在 {device} 上训练；每次运行结果逐位相同</translation>
    </message>
    <message>
        <source>training on {device}; deterministic: bit-exact from run to run with this driver</source>
        <translation>在 {device} 上训练；确定性模式：使用此驱动时每次运行结果逐位相同</translation>
    </message>
    <message>
        <source>training on {device}; fastest kernels: runs agree within rounding, not to the bit (--deterministic)</source>
        <translation>在 {device} 上训练；使用最快的内核：各次运行仅在舍入误差内一致，并非逐位相同（--deterministic）</translation>
    </message>
    <message>
        <source>{pictures} images, {files} files skipped, {batches} batches per epoch</source>
        <translation>{pictures} 张图片，跳过 {files} 个文件，每轮 {batches} 批</translation>
    </message>
    <message>
        <source>{count} adapters, {values} trainable values</source>
        <translation>{count} 个适配器，{values} 个可训练的数值</translation>
    </message>
    <message>
        <source>{count} trained weights, {values} trainable values</source>
        <translation>训练 {count} 个权重，{values} 个可训练的数值</translation>
    </message>
    <message>
        <source>continues from {file}</source>
        <translation>从 {file} 继续</translation>
    </message>
    <message>
        <source>resumed at step {step} from {file}</source>
        <translation>从 {file} 恢复，自第 {step} 步继续</translation>
    </message>
    <message>
        <source>{key}: {before} -&gt; {after} after step {step}</source>
        <translation>第 {step} 步之后 {key}：{before} -&gt; {after}</translation>
    </message>
    <message>
        <source>no sample: the preset has no prompts (samples.prompts)</source>
        <translation>没有样图：预设中没有提示词 (samples.prompts)</translation>
    </message>
    <message>
        <source>no sample at step {step}: {reason}</source>
        <translation>第 {step} 步没有样图：{reason}</translation>
    </message>
    <message>
        <source>steps run as one CUDA graph</source>
        <translation>每一步作为一个 CUDA 图运行</translation>
    </message>
    <message>
        <source>steps run kernel by kernel: {reason}</source>
        <translation>每一步逐个内核运行：{reason}</translation>
    </message>
    <message>
        <source>the run has no valid checkpoint: it starts again from step 0</source>
        <translation>该训练没有有效的检查点：从第 0 步重新开始</translation>
    </message>
    <message>
        <source>the base model&apos;s tensor {name} is unknown and not used</source>
        <translation>底模的张量 {name} 未知，不使用</translation>
    </message>
    <message>
        <source>step {step}: first non-finite: {found}</source>
        <translation>第 {step} 步：第一个非有限值：{found}</translation>
    </message>
    <message>
        <source>step {step}: non-finite gradients, step skipped</source>
        <translation>第 {step} 步：梯度不是有限值，跳过该步</translation>
    </message>
    <message>
        <source>step {step}: gradients overflow at loss scale {before}, step skipped. The scale is being found and is now {after}; a few skips at the start, and one after each doubling, are normal</source>
        <translation>第 {step} 步：损失缩放为 {before} 时梯度溢出，跳过该步。正在寻找合适的缩放值，现在是 {after}；开始时跳过几步、每次加倍后跳过一步，都属正常</translation>
    </message>
    <message>
        <source>{path} skipped: {reason}</source>
        <translation>跳过 {path}：{reason}</translation>
    </message>
    <message>
        <source>{message}. Last good checkpoint: {file}</source>
        <translation>{message}。最后一个完好的检查点：{file}</translation>
    </message>
    <message>
        <source>{message}. No checkpoint was saved</source>
        <translation>{message}。没有保存检查点</translation>
    </message>
    <message>
        <source>{message}. Saved in {file}; continue with --resume {folder}</source>
        <translation>{message}。已保存到 {file}；用 --resume {folder} 继续</translation>
    </message>
    <message>
        <source>{finding}. First: {found} The weights are as they were before this step</source>
        <translation>{finding}。首先出现在：{found} 权重保持该步之前的状态</translation>
    </message>
    <message>
        <source>{finding}. The weights are as they were before this step</source>
        <translation>{finding}。权重保持该步之前的状态</translation>
    </message>
    <message>
        <source>{finding}. First: {found} The weights were not touched by these steps, the last of which is {step}</source>
        <translation>{finding}。首先出现在：{found} 这些步没有改动权重，最后一步是第 {step} 步</translation>
    </message>
    <message>
        <source>{finding}. The weights were not touched by these steps, the last of which is {step}</source>
        <translation>{finding}。这些步没有改动权重，最后一步是第 {step} 步</translation>
    </message>
    <message>
        <source>training needs {need} bytes ({activations} activations, {weights} weights, {adapters} adapters and optimizer), {free} are free. {way}</source>
        <translation>训练需要 {need} 字节（激活值 {activations}，权重 {weights}，适配器和优化器 {adapters}），可用 {free} 字节。{way}</translation>
    </message>
    <message>
        <source>With {settings} it needs {need}</source>
        <translation>改为 {settings} 后需要 {need}</translation>
    </message>
    <message>
        <source>No setting alone makes it fit: train fewer modules, or take a device with more memory</source>
        <translation>只改一项设置还不够：请减少训练的模块，或换用显存更大的设备</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or turn on training.gradient_checkpointing</source>
        <translation>{message}。请关闭占用显卡的其他程序，或打开 training.gradient_checkpointing</translation>
    </message>
    <message>
        <source>{path}: a checkpoint needs {need} bytes, {free} are free. Make room there; earlier checkpoints are untouched</source>
        <translation>{path}：检查点需要 {need} 字节，可用 {free} 字节。请腾出空间；之前的检查点未受影响</translation>
    </message>
    <message>
        <source>{path}: no such base model. Pass a .safetensors file or a diffusers folder</source>
        <translation>{path}：没有这个底模。请指定 .safetensors 文件或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>{path}: no such folder of images</source>
        <translation>{path}：没有这个图片文件夹</translation>
    </message>
    <message>
        <source>{path}: no such run. Pass a run folder (it holds job.json) or an id of `mantissa runs list`</source>
        <translation>{path}：没有这次训练。请指定训练文件夹（其中有 job.json）或 `mantissa runs list` 中的编号</translation>
    </message>
    <message>
        <source>{path} holds a run already. Pass --resume to continue it, or another --out</source>
        <translation>{path} 中已有一次训练。请继续该训练，或另选训练文件夹</translation>
    </message>
    <message>
        <source>{path} exists already; pass --overwrite to replace it, or choose another path</source>
        <translation>{path} 已存在，且不是由某次训练生成的。请另选文件夹，或先移走它</translation>
    </message>
    <message>
        <source>{path} is a folder that is not empty; pass --overwrite to replace files in it, or choose another path</source>
        <translation>{path} 是非空文件夹。请另选文件夹，或先清空它</translation>
    </message>
    <message>
        <source>{path}: the run folder can&apos;t be made: {reason}. Choose another with --out</source>
        <translation>{path}：无法创建训练文件夹：{reason}。请另选一个</translation>
    </message>
    <message>
        <source>{path} holds a model of the family {family}, but model.family says {wanted}; set it to auto, or give the base it is for</source>
        <translation>{path} 中的模型属于 {family} 系列，而 model.family 为 {wanted}；请设为 auto，或指定相应的底模</translation>
    </message>
    <message>
        <source>output.format is {format}, which has no names for {family}: this file has those of diffusers, which diffusers, PEFT and ComfyUI read</source>
        <translation>output.format 为 {format}，它没有 {family} 的键名：此文件使用 diffusers 的键名，diffusers、PEFT 和 ComfyUI 都能读取</translation>
    </message>
    <message>
        <source>{path}: the images or captions have changed since this checkpoint, so the run can&apos;t continue exactly. Restore them, or start a new run</source>
        <translation>{path}：图片或标注在该检查点之后有改动，训练无法精确继续。请恢复它们，或开始新的训练</translation>
    </message>
    <message>
        <source>a resumed run can&apos;t change {changes}. Start a new run, or resume with the preset the run was started with</source>
        <translation>续训时不能更改 {changes}。请开始新的训练，或用开始时的预设续训</translation>
    </message>
    <message>
        <source>the image folder {path} doesn&apos;t exist; give a folder that holds {formats} files</source>
        <translation>图片文件夹 {path} 不存在；请指定含有 {formats} 文件的文件夹</translation>
    </message>
    <message>
        <source>the image folder {path} can&apos;t be read; check its permissions</source>
        <translation>无法读取图片文件夹 {path}；请检查其权限</translation>
    </message>
    <message>
        <source>{path} is a file; give the folder that holds the images</source>
        <translation>{path} 是文件；请指定存放图片的文件夹</translation>
    </message>
    <message>
        <source>a caption without an image of the same name</source>
        <translation>标注没有同名的图片</translation>
    </message>
    <message>
        <source>the same folder was entered already (a link, or given twice)</source>
        <translation>该文件夹已经读取过（链接，或重复指定）</translation>
    </message>
    <message>
        <source>this folder can&apos;t be read; check its permissions</source>
        <translation>无法读取该文件夹；请检查其权限</translation>
    </message>
    <message>
        <source>a link to a file that doesn&apos;t exist</source>
        <translation>指向不存在文件的链接</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>too small: {size} pixels, each side needs {least}</source>
        <translation>太小：{size} 像素，每边至少需要 {least}</translation>
    </message>
    <message>
        <source>its header says {told} but it decodes to {found}</source>
        <translation>文件头标明 {told}，解码后却是 {found}</translation>
    </message>
    <message>
        <source>this installation has no CUDA library ({file}). Install the package mantissa-cuda, or build with the CUDA Toolkit 13</source>
        <translation>此安装没有 CUDA 库 ({file})。请安装软件包 mantissa-cuda，或用 CUDA Toolkit 13 构建</translation>
    </message>
    <message>
        <source>the CUDA library can&apos;t be opened: {reason}</source>
        <translation>无法打开 CUDA 库：{reason}</translation>
    </message>
    <message>
        <source>the CUDA library beside this program is of another version of Mantissa; install both from one package</source>
        <translation>该程序旁的 CUDA 库属于另一个版本的 Mantissa；请从同一软件包安装两者</translation>
    </message>
    <message>
        <source>{library} is not installed: {file} was found neither among the system&apos;s libraries nor under CUDA_PATH</source>
        <translation>未安装 {library}：在系统库和 CUDA_PATH 下都没有找到 {file}</translation>
    </message>
    <message>
        <source>no NVIDIA driver is installed, or it is not running</source>
        <translation>没有安装 NVIDIA 驱动，或它没有运行</translation>
    </message>
    <message>
        <source>the NVIDIA driver supports {version}; version 13.0 is needed (driver 580 or newer). Update the driver</source>
        <translation>NVIDIA 驱动支持 {version}；需要 13.0 版（驱动 580 或更新）。请更新驱动</translation>
    </message>
    <message>
        <source>the NVIDIA driver finds no card it can use</source>
        <translation>NVIDIA 驱动没有找到可用的显卡</translation>
    </message>
    <message>
        <source>the NVIDIA driver can&apos;t be used: {reason}</source>
        <translation>无法使用 NVIDIA 驱动：{reason}</translation>
    </message>
    <message>
        <source>the driver can&apos;t describe it: {reason}</source>
        <translation>驱动无法描述它：{reason}</translation>
    </message>
    <message>
        <source>{pictures} images for prior preservation, {held} for validation</source>
        <translation>{pictures} 张先验保留图片，{held} 张留作验证</translation>
    </message>
    <message>
        <source>{images} of {all} images have a mask; the others count everywhere</source>
        <translation>{all} 张图片中有 {images} 张带遮罩；其余图片处处计入</translation>
    </message>
    <message>
        <source>{checkpoint} is not used: {reason}</source>
        <translation>未使用 {checkpoint}：{reason}</translation>
    </message>
    <message>
        <source>{file}: {count} modules were cut to rank {rank} by their singular values; at most {share} % of a module&apos;s change is left out. A higher adapter.rank keeps it</source>
        <translation>{file}：{count} 个模块按奇异值截断到秩 {rank}；每个模块的改变最多舍去 {share} %。更高的 adapter.rank 可以保留</translation>
    </message>
    <message>
        <source>{file}: {missing} of {all} trained modules aren&apos;t in it and start fresh</source>
        <translation>{file}：要训练的 {all} 个模块中有 {missing} 个不在其中，将从头开始</translation>
    </message>
    <message>
        <source>run {run} was left {state} by a program that no longer runs: it is marked interrupted and can be resumed</source>
        <translation>训练 {run} 的程序已退出，当时状态为 {state}：已标记为中断，可以续训</translation>
    </message>
    <message>
        <source>{key} holds a non-finite value at element {index}; this state is not saved, earlier checkpoints are untouched</source>
        <translation>{key} 的第 {index} 个元素不是有限值；不保存这一状态，先前的检查点不受影响</translation>
    </message>
    <message>
        <source>{folder}: the checkpoints of this run take up to {need} bytes, {free} are free. Make room there, lower output.keep, or choose another folder</source>
        <translation>{folder}：本次训练的检查点最多占用 {need} 字节，可用 {free} 字节。请腾出空间、减小 output.keep，或选择其他文件夹</translation>
    </message>
    <message>
        <source>stopped at step {step} of {steps}</source>
        <translation>停在第 {step} / {steps} 步</translation>
    </message>
    <message>
        <source>stopped while {phase} ({done} of {count})</source>
        <translation>在 {phase} 时停止（{done} / {count}）</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or lower data.resolution</source>
        <translation>{message}。请关闭使用显卡的其他程序，或降低 data.resolution</translation>
    </message>
    <message>
        <source>{device} stopped working: {reason}. This process can&apos;t use it any more: start Mantissa again and resume the run. If it happens again, look for Xid errors in the system&apos;s log and check the card&apos;s power, temperature and driver</source>
        <translation>{device} 已停止工作：{reason}。本进程无法再使用它：请重新启动 Mantissa 并恢复训练。如果再次发生，请在系统日志中查找 Xid 错误，并检查显卡的供电、温度和驱动</translation>
    </message>
    <message>
        <source>could not {action} {file}: {reason}</source>
        <translation>无法写入 {file}（操作：{action}）：{reason}</translation>
    </message>
    <message>
        <source>waited {seconds} s for disk space in the folder {folder}</source>
        <translation>为等待文件夹 {folder} 的空间暂停了 {seconds} 秒</translation>
    </message>
    <message>
        <source>the run continues in {folder}</source>
        <translation>训练将在 {folder} 中继续</translation>
    </message>
    <message>
        <source>{folder} is the folder that the run is in; choose another</source>
        <translation>{folder} 就是当前的输出文件夹；请选择其他文件夹</translation>
    </message>
    <message>
        <source>the run {run} was moved to {folder}, which is missing now. Connect that disk, or remove {file} to continue from the older checkpoints here</source>
        <translation>训练 {run} 已转到 {folder} 继续，但现在找不到该文件夹。请连接那块磁盘，或删除 {file}，从这里较早的检查点继续</translation>
    </message>
    <message>
        <source>{file} shrank or could not be read while in use; nothing made from it was kept. Restore the file and leave it unchanged while it is in use</source>
        <translation>{file} 在使用中变短或无法读取；由它得到的内容都没有保留。请恢复该文件，并在使用期间不要改动</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t grow: the folder {folder} is full; free at least 16 MB there and continue</source>
        <translation>训练数据库 {file} 无法增长：文件夹 {folder} 没有剩余空间；请在那里腾出至少 16 MB 再继续</translation>
    </message>
    <message>
        <source>the runs database {file} is damaged ({reason}); the next program that writes to it sets it aside</source>
        <translation>训练数据库 {file} 已损坏（{reason}）；下一个写入它的程序会把它移到一旁</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t be opened or written ({reason}); make the folder {folder} writable or set MANTISSA_HOME</source>
        <translation>训练数据库 {file} 无法打开或写入（{reason}）；请让文件夹 {folder} 可写，或设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>the runs database {file} in {folder} is held by another program for more than 10 seconds; close that program</source>
        <translation>{folder} 中的训练数据库 {file} 被另一个程序占用超过 10 秒；请关闭那个程序</translation>
    </message>
    <message>
        <source>the runs database {file} in the folder {folder} can&apos;t be read or written ({reason}); check that disk and try again</source>
        <translation>文件夹 {folder} 中的训练数据库 {file} 无法读写（{reason}）；请检查该磁盘后重试</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}: {reason}; set MANTISSA_HOME to a folder that can be written</source>
        <translation>无法创建文件夹 {folder}：{reason}；请把 MANTISSA_HOME 设为可写的文件夹</translation>
    </message>
    <message>
        <source>the cache folder {folder} can&apos;t be made: {reason}; make room or choose another with MANTISSA_HOME</source>
        <translation>无法创建缓存文件夹 {folder}：{reason}；请腾出空间，或用 MANTISSA_HOME 选择其他位置</translation>
    </message>
    <message>
        <source>the cached encoding of {source} ({file}) is damaged and will be recomputed: {reason}</source>
        <translation>{source} 的缓存编码（{file}）已损坏，将重新生成：{reason}</translation>
    </message>
    <message>
        <source>the encoded tensor</source>
        <translation>编码张量</translation>
    </message>
    <message>
        <source>the cached tensor</source>
        <translation>缓存张量</translation>
    </message>
    <message>
        <source>{source}: its cached encoding disappeared from {place} while training. Start the run again to re-encode it</source>
        <translation>{source}：训练期间它的缓存编码从 {place} 消失了。请重新开始训练，它会被重新编码</translation>
    </message>
    <message>
        <source>no base model given. Pass --base with a .safetensors file, a diffusers folder or demo</source>
        <translation>没有给出底模。请选择 .safetensors 文件、diffusers 文件夹或 demo（--base）</translation>
    </message>
    <message>
        <source>no images given. Pass --images with a folder of images, or demo</source>
        <translation>没有给出图片。请选择图片文件夹或 demo（--images）</translation>
    </message>
    <message>
        <source>the base model &apos;{path}&apos; does not exist; pass a .safetensors checkpoint or a diffusers folder</source>
        <translation>底模“{path}”不存在；请给出 .safetensors 文件或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>{path} is no diffusers model: it has neither unet/, transformer/ nor vae/; pass a diffusers folder or one .safetensors checkpoint</source>
        <translation>{path} 不是 diffusers 模型：其中没有 unet/、transformer/ 或 vae/；请给出 diffusers 文件夹或一个 .safetensors 检查点</translation>
    </message>
    <message>
        <source>{path} holds no .safetensors file; the model is incomplete, get it again</source>
        <translation>{path} 中没有 .safetensors 文件；模型不完整，请重新获取</translation>
    </message>
    <message>
        <source>{path} holds several weight files ({files}); keep one</source>
        <translation>{path} 中有多个权重文件（{files}）；请只保留一个</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the index lists {listed} tensors, the shards hold {held} of them; a shard is missing or incomplete, get the model again</source>
        <translation>“{path}”：索引列出 {listed} 个张量，而分片中只有 {held} 个；有分片缺失或不完整，请重新获取模型</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; lacks the {weight}; the checkpoint is incomplete or of another architecture</source>
        <translation>“{path}”缺少 {weight}；检查点不完整，或属于其他架构</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {weight} is stored as {type}, which can&apos;t be used; convert the checkpoint to BF16, F16 or F32</source>
        <translation>“{path}”：{weight} 以 {type} 存储，无法使用；请把检查点转换为 BF16、F16 或 F32</translation>
    </message>
    <message>
        <source>{file} is not a valid safetensors file: {problem}; the file is damaged or was made by a faulty program, get or export it again</source>
        <translation>{file} 不是有效的 safetensors 文件：{problem}；文件已损坏或由有缺陷的程序生成，请重新获取或导出</translation>
    </message>
    <message>
        <source>its header claims {claimed} bytes, the file has only {left} after the length field</source>
        <translation>文件头声称有 {claimed} 字节，而长度字段之后只有 {left} 字节</translation>
    </message>
    <message>
        <source>its tensors end at byte {end} of the data part, {left} bytes are left over</source>
        <translation>张量到数据区第 {end} 字节为止，多出 {left} 字节</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip checkpoint (.ckpt, .pt, .bin), which can run any program when opened and is never read; convert it to .safetensors with a tool you trust, e.g. torch.load(…, weights_only=True) and safetensors.torch.save_file</source>
        <translation>{file} 是 pickle 或 zip 检查点（.ckpt、.pt、.bin），打开时可能运行任意程序，从不读取；请用可信的工具转换为 .safetensors，例如 torch.load(…, weights_only=True) 和 safetensors.torch.save_file</translation>
    </message>
    <message>
        <source>{file} is a Git LFS pointer, not the weights; run &apos;git lfs pull&apos; in its folder or download the file itself</source>
        <translation>{file} 是 Git LFS 指针，不是权重；请在其文件夹中运行 `git lfs pull`，或下载文件本身</translation>
    </message>
    <message>
        <source>{file} is a GGUF file (quantised for inference); training needs the .safetensors original</source>
        <translation>{file} 是 GGUF 文件（为推理量化）；训练需要原始的 .safetensors</translation>
    </message>
    <message>
        <source>{file} is a web page, not the weights; the download was redirected (often to a log-in page), download it again</source>
        <translation>{file} 是网页，不是权重；下载被重定向了（通常是登录页），请重新下载</translation>
    </message>
    <message>
        <source>{path}: training.parts names {part}, which this model doesn&apos;t have; take it out</source>
        <translation>{path}：training.parts 中有 {part}，但该模型没有这个部件；请去掉它</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; is unknown. Use cpu or cuda:0; `mantissa devices` lists what is there</source>
        <translation>未知的设备“{device}”。请使用 cpu 或 cuda:0；`mantissa devices` 会列出现有设备</translation>
    </message>
    <message>
        <source>device {device} can&apos;t be used: {reason}. Or use --device cpu</source>
        <translation>设备 {device} 无法使用：{reason}。也可以使用 --device cpu</translation>
    </message>
    <message>
        <source>there is no card of that number</source>
        <translation>没有这个编号的显卡</translation>
    </message>
    <message>
        <source>{checkpoint}: holds {held} state tensors, this job has {wanted}. Resume with the preset the run was started with</source>
        <translation>{checkpoint}：含 {held} 个状态张量，而本任务有 {wanted} 个。请用开始训练时的预设续训</translation>
    </message>
    <message>
        <source>{checkpoint}: {tensor} should be {type} {shape}. Resume with the preset the run was started with</source>
        <translation>{checkpoint}：{tensor} 应为 {type} {shape}。请用开始训练时的预设续训</translation>
    </message>
    <message>
        <source>it has no manifest</source>
        <translation>没有清单文件</translation>
    </message>
    <message>
        <source>{file} has another size than its manifest says</source>
        <translation>{file} 的大小与清单不符</translation>
    </message>
    <message>
        <source>{file} has another content than its manifest says</source>
        <translation>{file} 的内容与清单不符</translation>
    </message>
    <message>
        <source>training.parts holds vae and others, which learn from the latents that it makes: it is trained alone, and before them. Set training.parts to [&quot;vae&quot;]</source>
        <translation>training.parts 同时含有 vae 和其他部件，而它们从 VAE 生成的潜变量学习：VAE 要单独并先行训练。请把 training.parts 设为 [&quot;vae&quot;]</translation>
    </message>
    <message>
        <source>training.parts is [&quot;vae&quot;] and training.method adapter: a VAE has no adapters. Set training.method to full</source>
        <translation>training.parts 为 [&quot;vae&quot;] 而 training.method 为 adapter：VAE 没有适配器。请把 training.method 设为 full</translation>
    </message>
    <message>
        <source>{file}: the file holds no LoRA</source>
        <translation>{file}：文件中没有 LoRA</translation>
    </message>
    <message>
        <source>{file}: training.method is full; merge the adapter into the base model first (`mantissa merge`)</source>
        <translation>{file}：training.method 为 full；请先把适配器合并到底模（`mantissa merge`）</translation>
    </message>
    <message>
        <source>{file}: {module} is for a weight {given}, but the base model&apos;s is {wanted}. Was it made for another base model?</source>
        <translation>{file}：{module} 对应权重 {given}，而底模的是 {wanted}。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first (`mantissa convert --format plain_lora`)</source>
        <translation>{file}：{module} 是 DoRA，而 adapter.type 为 lora。请把 adapter.type 设为 dora，或先写成普通 LoRA（`mantissa convert --format plain_lora`）</translation>
    </message>
    <message>
        <source>{file}: {module} has its magnitudes per {given}, but adapter.dora_axis is {wanted}. Set it to {given}</source>
        <translation>{file}：{module} 的幅度按 {given}，而 adapter.dora_axis 为 {wanted}。请设为 {given}</translation>
    </message>
    <message>
        <source>{file}: {module} is adapted there, but not trained here. Widen adapter.targets (or add the part to training.parts) so that nothing of the adapter is lost</source>
        <translation>{file}：其中适配了 {module}，但这里不训练它。请放宽 adapter.targets（或把该部件加入 training.parts），以免丢失适配器的内容</translation>
    </message>
    <message>
        <source>{file}: adapter.init pissa takes its start from the base weights and changes them; set adapter.init to standard to continue from an adapter</source>
        <translation>{file}：adapter.init 的 pissa 从底模权重出发并改变它们；要从适配器继续，请把 adapter.init 设为 standard</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, which may be per output or per input, and nothing in the file tells. Which program made it? Answer with --dora-axis output (PEFT, LyCORIS) or --dora-axis input (OneTrainer&apos;s default)</source>
        <translation>{file}：{tensor} 为 {shape}，可能按输出也可能按输入，而文件中没有说明。它由哪个程序制作？请用 --dora-axis output（PEFT、LyCORIS）或 --dora-axis input（OneTrainer 的默认）回答</translation>
    </message>
    <message>
        <source>{path}: the LoRA adapts this module, but the base model has none of that name. Was it made for another base model?</source>
        <translation>{path}：LoRA 适配了这个模块，但底模中没有同名模块。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>adapter.targets {targets} name no module of {part}; use &quot;attention&quot;, &quot;attention+mlp&quot;, &quot;linear+conv&quot; or patterns such as &quot;*.attn1.to_q&quot;</source>
        <translation>adapter.targets {targets} 与 {part} 的任何模块都不匹配；请使用 &quot;attention&quot;、&quot;attention+mlp&quot;、&quot;linear+conv&quot; 或 &quot;*.attn1.to_q&quot; 这样的模式</translation>
    </message>
    <message>
        <source>no image could be read. The first: {reason}</source>
        <translation>没有一张图片能读取。第一张：{reason}</translation>
    </message>
    <message>
        <source>data.masks is {mode}, but no image has {what}. Add masks, or set it to off</source>
        <translation>data.masks 为 {mode}，但没有图片带有 {what}。请添加遮罩，或设为 off</translation>
    </message>
    <message>
        <source>an alpha channel</source>
        <translation>Alpha 通道</translation>
    </message>
    <message>
        <source>data.validation_share puts all {count} images into the validation set; add images, or set it to 0</source>
        <translation>data.validation_share 把全部 {count} 张图片都留作验证；请添加图片，或设为 0</translation>
    </message>
    <message>
        <source>every image is also in a validation folder, so there is none to train on; give other images with --validation</source>
        <translation>所有图片都在验证文件夹中，没有可训练的图片；请为 --validation 另选图片</translation>
    </message>
    <message>
        <source>in a validation folder and isn&apos;t trained on</source>
        <translation>在验证文件夹中，不参与训练</translation>
    </message>
    <message>
        <source>among the trained images and isn&apos;t used for prior preservation</source>
        <translation>在训练图片之中，不用于先验保留</translation>
    </message>
    <message>
        <source>in the validation set and isn&apos;t used for prior preservation</source>
        <translation>留作验证，不用于先验保留</translation>
    </message>
    <message>
        <source>a mask without an image of the same name</source>
        <translation>没有同名图片的遮罩</translation>
    </message>
    <message>
        <source>its mask: {reason}</source>
        <translation>其遮罩：{reason}</translation>
    </message>
    <message>
        <source>its caption, the folder&apos;s name, {reason}</source>
        <translation>其标注（文件夹名）{reason}</translation>
    </message>
    <message>
        <source>its caption {file} {reason}</source>
        <translation>其标注 {file} {reason}</translation>
    </message>
    <message>
        <source>is UTF-16 cut in the middle of a character; save it as UTF-8</source>
        <translation>是在字符中间截断的 UTF-16；请存为 UTF-8</translation>
    </message>
    <message>
        <source>isn&apos;t valid UTF-16 at byte {byte}; save it as UTF-8</source>
        <translation>在第 {byte} 字节处不是有效的 UTF-16；请存为 UTF-8</translation>
    </message>
    <message>
        <source>isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8</source>
        <translation>在第 {byte} 字节处不是有效的 UTF-8；请存为 UTF-8</translation>
    </message>
    <message>
        <source>holds a NUL byte (at {byte}); save it as UTF-8 text</source>
        <translation>含有 NUL 字节（位于 {byte}）；请存为 UTF-8 文本</translation>
    </message>
    <message>
        <source>is longer than 64 KB; a caption holds a few sentences</source>
        <translation>超过 64 KB；标注只需几句话</translation>
    </message>
    <message>
        <source>is truncated or damaged and was not used ({reason}); replace the file</source>
        <translation>被截断或已损坏，未使用（{reason}）；请更换文件</translation>
    </message>
    <message>
        <source>is empty (0 bytes); replace the file</source>
        <translation>是空文件（0 字节）；请更换文件</translation>
    </message>
    <message>
        <source>is no image by its content; JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF are read</source>
        <translation>从内容看不是图片；可读取 JPEG、PNG、WebP、AVIF、TIFF、BMP 和 GIF</translation>
    </message>
    <message>
        <source>has {width} x {height} pixels; at most {most} are read, make it smaller</source>
        <translation>有 {width} x {height} 像素；最多读取 {most} 像素，请缩小</translation>
    </message>
    <message>
        <source>has {bytes} bytes; image files may have at most {most}</source>
        <translation>有 {bytes} 字节；图片文件最多 {most} 字节</translation>
    </message>
    <message>
        <source>kohya (sd-scripts, kohya_ss)</source>
        <translation>kohya 配置（sd-scripts、kohya_ss）</translation>
    </message>
    <message>
        <source>an adapter trained with kohya&apos;s sd-scripts</source>
        <translation>用 kohya 的 sd-scripts 训练的适配器</translation>
    </message>
    <message>
        <source>This key is not known; it has no effect here.</source>
        <translation>未知的键，在本程序中没有作用。</translation>
    </message>
    <message>
        <source>Given again: {key} counts.</source>
        <translation>重复给出：以 {key} 为准。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width,height.</source>
        <translation>未采用：既不是边长，也不是“宽,高”。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width x height.</source>
        <translation>未采用：既不是边长，也不是“宽 x 高”。</translation>
    </message>
    <message>
        <source>Not taken: not a number of tokens.</source>
        <translation>未采用：不是词元数。</translation>
    </message>
    <message>
        <source>Not taken: not a number.</source>
        <translation>未采用：不是数字。</translation>
    </message>
    <message>
        <source>Not taken: not a list of samples.</source>
        <translation>未采用：不是样图列表。</translation>
    </message>
    <message>
        <source>Not taken: {problem}.</source>
        <translation>未采用：{problem}。</translation>
    </message>
    <message>
        <source>Not set there.</source>
        <translation>原配置中未设置。</translation>
    </message>
    <message>
        <source>Not used there.</source>
        <translation>原配置中未启用。</translation>
    </message>
    <message>
        <source>Not used there; see output.keep.</source>
        <translation>原配置中未启用；参见 output.keep。</translation>
    </message>
    <message>
        <source>Concerns speed or memory of that program, not the result.</source>
        <translation>只影响原程序的速度或内存，不影响结果。</translation>
    </message>
    <message>
        <source>Runs are logged in the studio and its database.</source>
        <translation>训练记录保存在本程序及其数据库中。</translation>
    </message>
    <message>
        <source>A path: those are chosen for each run and never stored in a preset.</source>
        <translation>这是路径：路径在每次训练时选择，从不存入预设。</translation>
    </message>
    <message>
        <source>Module names are never loaded from a configuration.</source>
        <translation>从不按配置加载模块名。</translation>
    </message>
    <message>
        <source>Command lines are never taken from a configuration.</source>
        <translation>从不采用配置中的命令行。</translation>
    </message>
    <message>
        <source>Secrets are never taken over.</source>
        <translation>从不导入密钥等机密。</translation>
    </message>
    <message>
        <source>Nothing is sent anywhere.</source>
        <translation>不会向任何地方发送数据。</translation>
    </message>
    <message>
        <source>Describes a run, not a preset.</source>
        <translation>描述的是某次训练，而不是预设。</translation>
    </message>
    <message>
        <source>Part of a run, not of a preset.</source>
        <translation>属于某次训练，而不是预设。</translation>
    </message>
    <message>
        <source>Counts together with other keys.</source>
        <translation>与其他键一起起作用。</translation>
    </message>
    <message>
        <source>Counts together with its number.</source>
        <translation>与对应的数值一起起作用。</translation>
    </message>
    <message>
        <source>The default of sd-scripts.</source>
        <translation>sd-scripts 的默认值。</translation>
    </message>
    <message>
        <source>Not given: the default of sd-scripts.</source>
        <translation>未给出：采用 sd-scripts 的默认值。</translation>
    </message>
    <message>
        <source>Not given: the default of that optimizer.</source>
        <translation>未给出：采用该优化器的默认值。</translation>
    </message>
    <message>
        <source>Not given: OneTrainer&apos;s default.</source>
        <translation>未给出：采用 OneTrainer 的默认值。</translation>
    </message>
    <message>
        <source>Not given: text encoders are trained too, as sd-scripts does.</source>
        <translation>未给出：与 sd-scripts 一样，也训练文本编码器。</translation>
    </message>
    <message>
        <source>Not given: text encoders are trained too, as sd-scripts does; take te2 out for a model with one text encoder.</source>
        <translation>未给出：与 sd-scripts 一样，也训练文本编码器；如果模型只有一个文本编码器，请去掉 te2。</translation>
    </message>
    <message>
        <source>unet_lr counts instead.</source>
        <translation>以 unet_lr 为准。</translation>
    </message>
    <message>
        <source>The rates of the parts count instead.</source>
        <translation>以各部件的学习率为准。</translation>
    </message>
    <message>
        <source>This part is not trained there.</source>
        <translation>原配置不训练这个部件。</translation>
    </message>
    <message>
        <source>This part does not exist in the models offered here.</source>
        <translation>本程序支持的模型没有这个部件。</translation>
    </message>
    <message>
        <source>This part does not exist in that model.</source>
        <translation>该模型没有这个部件。</translation>
    </message>
    <message>
        <source>Holds for every trained part here.</source>
        <translation>在本程序中对所有被训练组件生效。</translation>
    </message>
    <message>
        <source>The UNet&apos;s settings count here.</source>
        <translation>在本程序中以 UNet 的设置为准。</translation>
    </message>
    <message>
        <source>Text encoders share one type here; the first one&apos;s counts.</source>
        <translation>本程序的文本编码器共用一种类型，以第一个为准。</translation>
    </message>
    <message>
        <source>One caption dropout for all text encoders here; the first one&apos;s counts.</source>
        <translation>本程序的所有文本编码器共用一个标注丢弃率，以第一个为准。</translation>
    </message>
    <message>
        <source>Not offered here for a single part.</source>
        <translation>本程序不支持只对单个部件设置。</translation>
    </message>
    <message>
        <source>The VAE is never trained here.</source>
        <translation>在这里从不训练 VAE。</translation>
    </message>
    <message>
        <source>This model family is not offered here; auto tells by the file.</source>
        <translation>本程序不支持该模型系列；auto 会根据文件判断。</translation>
    </message>
    <message>
        <source>Not offered here: this model family; the rest is taken over.</source>
        <translation>本程序不支持：该模型系列；其余部分已导入。</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA of the same rank instead.</source>
        <translation>本程序不支持 {name}：改用相同秩的 LoRA。</translation>
    </message>
    <message>
        <source>{name} is not offered here: an adapter is trained instead.</source>
        <translation>本程序不支持 {name}：改为训练适配器。</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA instead.</source>
        <translation>本程序不支持 {name}：改用 LoRA。</translation>
    </message>
    <message>
        <source>{name} is not offered here: the smallest type that is.</source>
        <translation>本程序不支持 {name}：改用所支持的最小类型。</translation>
    </message>
    <message>
        <source>Counts only for LyCORIS networks there.</source>
        <translation>在原程序中只对 LyCORIS 网络有效。</translation>
    </message>
    <message>
        <source>Linear layers outside of the transformers are left out.</source>
        <translation>不包括 transformer 以外的线性层。</translation>
    </message>
    <message>
        <source>Not known here: a set of layers; see adapter.targets.</source>
        <translation>本程序不认识这组层；参见 adapter.targets。</translation>
    </message>
    <message>
        <source>No convolutions there.</source>
        <translation>原配置中没有卷积。</translation>
    </message>
    <message>
        <source>Counts only for network types with convolutions there.</source>
        <translation>在原程序中只对带卷积的网络类型有效。</translation>
    </message>
    <message>
        <source>Convolutions share adapter.alpha ({alpha}) here.</source>
        <translation>本程序的卷积共用 adapter.alpha ({alpha})。</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, its inner channels there.</source>
        <translation>本程序置零的是适配器的输入，原程序置零的是其内部通道。</translation>
    </message>
    <message>
        <source>The preflight refuses adapters kept in fp16, because small updates vanish there, and offers fp32.</source>
        <translation>预检会拒绝以 fp16 保存的适配器，因为微小的更新会丢失，并建议改用 fp32。</translation>
    </message>
    <message>
        <source>With one scale per output channel here, without any there.</source>
        <translation>本程序每个输出通道有一个缩放系数，原程序没有。</translation>
    </message>
    <message>
        <source>Frozen weights have one scale per output channel here; see precision.weights.</source>
        <translation>本程序的冻结权重每个输出通道有一个缩放系数；参见 precision.weights。</translation>
    </message>
    <message>
        <source>Counts only for SDXL there.</source>
        <translation>在原程序中只对 SDXL 有效。</translation>
    </message>
    <message>
        <source>Counts only for DoRA there.</source>
        <translation>在原程序中只对 DoRA 有效。</translation>
    </message>
    <message>
        <source>Rows of zero norm use plain LoRA here.</source>
        <translation>在本程序中，范数为零的行使用普通 LoRA。</translation>
    </message>
    <message>
        <source>Without the time embeddings and the first and last convolution.</source>
        <translation>不包括时间嵌入以及第一个和最后一个卷积。</translation>
    </message>
    <message>
        <source>A filter of its own: see adapter.targets, which takes patterns.</source>
        <translation>自定义的筛选：参见可使用通配模式的 adapter.targets。</translation>
    </message>
    <message>
        <source>Types are one plan here; nothing falls back silently.</source>
        <translation>本程序的类型是一个整体方案，不会悄悄回退。</translation>
    </message>
    <message>
        <source>The base model is chosen for each run.</source>
        <translation>底模在每次训练时选择。</translation>
    </message>
    <message>
        <source>Concerns (IA)3 only.</source>
        <translation>只与 (IA)3 有关。</translation>
    </message>
    <message>
        <source>Concerns FLUX only.</source>
        <translation>只与 FLUX 有关。</translation>
    </message>
    <message>
        <source>Concerns FLUX and SD3 only.</source>
        <translation>只与 FLUX 和 SD3 有关。</translation>
    </message>
    <message>
        <source>Concerns OFT only.</source>
        <translation>只与 OFT 有关。</translation>
    </message>
    <message>
        <source>Concerns LoKr only.</source>
        <translation>只与 LoKr 有关。</translation>
    </message>
    <message>
        <source>Concerns embeddings only.</source>
        <translation>只与嵌入有关。</translation>
    </message>
    <message>
        <source>Concerns video only.</source>
        <translation>只与视频有关。</translation>
    </message>
    <message>
        <source>Concerns audio only.</source>
        <translation>只与音频有关。</translation>
    </message>
    <message>
        <source>Concerns models with learned variance only.</source>
        <translation>只与学习方差的模型有关。</translation>
    </message>
    <message>
        <source>The side of the square with the same area as {width} x {height}.</source>
        <translation>与 {width} x {height} 面积相同的正方形的边长。</translation>
    </message>
    <message>
        <source>The side of the square with the same area.</source>
        <translation>面积相同的正方形的边长。</translation>
    </message>
    <message>
        <source>Only the first of several resolutions.</source>
        <translation>多个分辨率中只采用第一个。</translation>
    </message>
    <message>
        <source>Buckets follow from data.resolution here; every image is fitted to the nearest.</source>
        <translation>本程序的桶由 data.resolution 决定，每张图片放入最接近的桶。</translation>
    </message>
    <message>
        <source>The steps of kohya&apos;s rule here too.</source>
        <translation>与 kohya 规则的步长相同。</translation>
    </message>
    <message>
        <source>Not offered here: other steps than 64.</source>
        <translation>本程序不支持：64 以外的步长。</translation>
    </message>
    <message>
        <source>Counts only with shuffle_caption there.</source>
        <translation>在原程序中只与 shuffle_caption 一起有效。</translation>
    </message>
    <message>
        <source>Masks stand beside the images here, as &lt;name&gt;-masklabel.png; in a folder of their own there.</source>
        <translation>本程序的遮罩放在图片旁边，名为 &lt;name&gt;-masklabel.png；原程序放在单独的文件夹中。</translation>
    </message>
    <message>
        <source>Counts only with masks there.</source>
        <translation>在原程序中只与遮罩一起有效。</translation>
    </message>
    <message>
        <source>Which images is decided by their content here, by a seed there.</source>
        <translation>选哪些图片，本程序由内容决定，原程序由种子决定。</translation>
    </message>
    <message>
        <source>Held-out images and their noise follow from their content.</source>
        <translation>验证图片及其噪声由图片内容决定。</translation>
    </message>
    <message>
        <source>Folders of prior-preservation images are chosen for each run.</source>
        <translation>先验保留图片的文件夹在每次训练时选择。</translation>
    </message>
    <message>
        <source>Folders of validation images are chosen for each run; see data.validation_share.</source>
        <translation>验证图片的文件夹在每次训练时选择；参见 data.validation_share。</translation>
    </message>
    <message>
        <source>Images and what is done with them are chosen for each run, not by a preset.</source>
        <translation>图片及其处理方式在每次训练时选择，不由预设决定。</translation>
    </message>
    <message>
        <source>Captions are cached only together with images here.</source>
        <translation>本程序只与图片一起缓存标注。</translation>
    </message>
    <message>
        <source>Captions are .txt files, or metadata.jsonl.</source>
        <translation>标注是 .txt 文件或 metadata.jsonl。</translation>
    </message>
    <message>
        <source>Images are always resized with Lanczos.</source>
        <translation>图片总是用 Lanczos 缩放。</translation>
    </message>
    <message>
        <source>The cache always lives on the disk.</source>
        <translation>缓存总是放在磁盘上。</translation>
    </message>
    <message>
        <source>The cache is always checked.</source>
        <translation>缓存总会经过校验。</translation>
    </message>
    <message>
        <source>The model family&apos;s own layer, there and here.</source>
        <translation>两边都使用模型系列自己的层。</translation>
    </message>
    <message>
        <source>The length of a run is training.steps here: epochs x images x repeats / batch size.</source>
        <translation>本程序的训练长度是 training.steps：轮数 x 图片数 x 重复次数 / 批大小。</translation>
    </message>
    <message>
        <source>Not set there: the length came from epochs. Set training.steps.</source>
        <translation>原配置中未设置：长度由轮数决定。请设置 training.steps。</translation>
    </message>
    <message>
        <source>There, the number of epochs counts instead; its steps depend on the images.</source>
        <translation>在原程序中以轮数为准，步数取决于图片数。</translation>
    </message>
    <message>
        <source>Counted in steps here, in {unit}s there. Set {setting}.</source>
        <translation>本程序按步计数，原程序的单位是 {unit}。请设置 {setting}。</translation>
    </message>
    <message>
        <source>unknown unit</source>
        <translation>未知单位</translation>
    </message>
    <message>
        <source>A random seed there; here every run has a fixed one.</source>
        <translation>原程序使用随机种子；本程序的每次训练都有固定的种子。</translation>
    </message>
    <message>
        <source>Averaged at every step here, at every few steps there.</source>
        <translation>本程序每一步都求平均，原程序每隔几步一次。</translation>
    </message>
    <message>
        <source>Not offered here: {name} weights of the loss.</source>
        <translation>本程序不支持：{name} 损失权重。</translation>
    </message>
    <message>
        <source>Without moving activations to the host.</source>
        <translation>不会把激活值移到主机内存。</translation>
    </message>
    <message>
        <source>The device is chosen for each run.</source>
        <translation>设备在每次训练时选择。</translation>
    </message>
    <message>
        <source>Says which of the noise keys counts there.</source>
        <translation>说明在原程序中哪个噪声键有效。</translation>
    </message>
    <message>
        <source>Counts only with pyramid noise there.</source>
        <translation>在原程序中只与金字塔噪声一起有效。</translation>
    </message>
    <message>
        <source>Counts only with the Huber loss there.</source>
        <translation>在原程序中只与 Huber 损失一起有效。</translation>
    </message>
    <message>
        <source>Counts only with the Huber error there.</source>
        <translation>在原程序中只与 Huber 误差一起有效。</translation>
    </message>
    <message>
        <source>Counts only with other timestep distributions there.</source>
        <translation>在原程序中只与其他时间步分布一起有效。</translation>
    </message>
    <message>
        <source>Counts only with a schedule of its own there.</source>
        <translation>在原程序中只与自定义调度一起有效。</translation>
    </message>
    <message>
        <source>Nothing is trained elsewhere.</source>
        <translation>不会在别处训练。</translation>
    </message>
    <message>
        <source>State is not paged to the host here.</source>
        <translation>本程序不会把优化器状态分页到主机内存。</translation>
    </message>
    <message>
        <source>Prodigy itself, without the extensions.</source>
        <translation>Prodigy 本身，不含扩展。</translation>
    </message>
    <message>
        <source>D-Adaptation&apos;s successor: it also finds the rate by itself.</source>
        <translation>D-Adaptation 的后继者：同样会自行找到学习率。</translation>
    </message>
    <message>
        <source>Plain momentum, from the first of optimizer.betas.</source>
        <translation>普通动量，取 optimizer.betas 的第一个值。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead. Module names are never loaded from a configuration.</source>
        <translation>本程序不支持该优化器：改用 adamw。从不按配置加载模块名。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead.</source>
        <translation>本程序不支持该优化器：改用 adamw。</translation>
    </message>
    <message>
        <source>Schedule-free optimizers are not offered here: adamw instead.</source>
        <translation>本程序不支持 schedule-free 优化器：改用 adamw。</translation>
    </message>
    <message>
        <source>This optimizer option is not offered here.</source>
        <translation>本程序不支持这个优化器选项。</translation>
    </message>
    <message>
        <source>Settings of optimizers that are not used.</source>
        <translation>未使用的优化器的设置。</translation>
    </message>
    <message>
        <source>Weight decay is always decoupled here.</source>
        <translation>本程序的权重衰减总是解耦的。</translation>
    </message>
    <message>
        <source>Not offered here: a pair of epsilons.</source>
        <translation>本程序不支持：一对 epsilon。</translation>
    </message>
    <message>
        <source>Linear here: the polynomial of power 1.</source>
        <translation>本程序用 linear：即一次多项式。</translation>
    </message>
    <message>
        <source>Adafactor takes a rate of its own here: constant instead.</source>
        <translation>本程序的 Adafactor 使用给定的学习率：改用 constant。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead. Module names are never loaded from a configuration.</source>
        <translation>本程序不支持该调度：改用 constant。从不按配置加载模块名。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead.</source>
        <translation>本程序不支持该调度：改用 constant。</translation>
    </message>
    <message>
        <source>The constant schedule does not warm up there.</source>
        <translation>在原程序中 constant 调度没有预热。</translation>
    </message>
    <message>
        <source>A share of the run, whose length came from epochs. Set schedule.warmup_steps.</source>
        <translation>这是训练长度的比例，而长度由轮数决定。请设置 schedule.warmup_steps。</translation>
    </message>
    <message>
        <source>The restarts of cosine_restarts are fixed here.</source>
        <translation>本程序的 cosine_restarts 重启次数是固定的。</translation>
    </message>
    <message>
        <source>Concerns the polynomial schedule only.</source>
        <translation>只与多项式调度有关。</translation>
    </message>
    <message>
        <source>Concerns the inverse root schedule only.</source>
        <translation>只与平方根倒数调度有关。</translation>
    </message>
    <message>
        <source>Adapters are always .safetensors.</source>
        <translation>适配器总是 .safetensors。</translation>
    </message>
    <message>
        <source>Always .safetensors here: pickle files are neither read nor written.</source>
        <translation>本程序总是用 .safetensors：不读也不写 pickle 文件。</translation>
    </message>
    <message>
        <source>Adapters are .safetensors with kohya&apos;s names; see output.format.</source>
        <translation>适配器是使用 kohya 命名的 .safetensors；参见 output.format。</translation>
    </message>
    <message>
        <source>Files are named after output.name.</source>
        <translation>文件以 output.name 命名。</translation>
    </message>
    <message>
        <source>Nothing is overwritten.</source>
        <translation>不会覆盖任何文件。</translation>
    </message>
    <message>
        <source>The preset is always embedded in the adapter.</source>
        <translation>预设总会嵌入适配器。</translation>
    </message>
    <message>
        <source>Saving and backing up are one here; save_every counts.</source>
        <translation>在本程序中保存与备份是一回事，以 save_every 为准。</translation>
    </message>
    <message>
        <source>See output.keep.</source>
        <translation>参见 output.keep。</translation>
    </message>
    <message>
        <source>Every checkpoint holds all that a run needs to continue exactly.</source>
        <translation>每个检查点都包含精确续训所需的一切。</translation>
    </message>
    <message>
        <source>Every save holds all that a run needs to continue exactly.</source>
        <translation>每次保存都包含精确续训所需的一切。</translation>
    </message>
    <message>
        <source>What is written is stated in the README.</source>
        <translation>写入的内容见 README。</translation>
    </message>
    <message>
        <source>Continuing is exact and needs no such key.</source>
        <translation>续训是精确的，不需要这样的键。</translation>
    </message>
    <message>
        <source>A preset has no licence field.</source>
        <translation>预设没有许可证字段。</translation>
    </message>
    <message>
        <source>Tags of the adapter, not of the preset.</source>
        <translation>属于适配器的标签，而不是预设的。</translation>
    </message>
    <message>
        <source>The version of that program&apos;s format.</source>
        <translation>原程序的格式版本。</translation>
    </message>
    <message>
        <source>Samples are always rendered before the first step.</source>
        <translation>第一步之前总会生成样图。</translation>
    </message>
    <message>
        <source>Samples while training use one fixed sampler.</source>
        <translation>训练中的样图使用固定的采样器。</translation>
    </message>
    <message>
        <source>Samples are PNG.</source>
        <translation>样图是 PNG。</translation>
    </message>
    <message>
        <source>Samples show what would be written.</source>
        <translation>样图展示的就是将要写入的内容。</translation>
    </message>
    <message>
        <source>Without the samples that are switched off.</source>
        <translation>不包括已关闭的样图。</translation>
    </message>
    <message>
        <source>Not offered here: {name} as the compute type.</source>
        <translation>本程序不支持：以 {name} 作为计算类型。</translation>
    </message>
    <message>
        <source>Not offered here: embeddings.</source>
        <translation>本程序不支持：嵌入。</translation>
    </message>
    <message>
        <source>Not offered here: {what}.</source>
        <translation>本程序不支持：{what}。</translation>
    </message>
    <message>
        <source>merging adapters before training</source>
        <translation>训练前合并适配器</translation>
    </message>
    <message>
        <source>taking the rank from another adapter</source>
        <translation>从另一个适配器取秩</translation>
    </message>
    <message>
        <source>a limit on the norm of adapter weights</source>
        <translation>限制适配器权重的范数</translation>
    </message>
    <message>
        <source>dropout of ranks</source>
        <translation>秩的丢弃</translation>
    </message>
    <message>
        <source>dropout of modules</source>
        <translation>模块的丢弃</translation>
    </message>
    <message>
        <source>a rank for each block; see adapter.targets</source>
        <translation>每个块各自的秩；参见 adapter.targets</translation>
    </message>
    <message>
        <source>an alpha for each block</source>
        <translation>每个块各自的 alpha</translation>
    </message>
    <message>
        <source>a rank for each block</source>
        <translation>每个块各自的秩</translation>
    </message>
    <message>
        <source>a learning rate for each block</source>
        <translation>每个块各自的学习率</translation>
    </message>
    <message>
        <source>LoRA+ for one part alone</source>
        <translation>只对一个部件使用 LoRA+</translation>
    </message>
    <message>
        <source>a learned scalar per module</source>
        <translation>每个模块一个可学习的标量</translation>
    </message>
    <message>
        <source>Tucker decomposition</source>
        <translation>Tucker 分解</translation>
    </message>
    <message>
        <source>training of norm layers</source>
        <translation>训练归一化层</translation>
    </message>
    <message>
        <source>LyCORIS&apos; bypass mode</source>
        <translation>LyCORIS 的旁路模式</translation>
    </message>
    <message>
        <source>LyCORIS&apos; rescaled OFT</source>
        <translation>LyCORIS 的重缩放 OFT</translation>
    </message>
    <message>
        <source>a limit on OFT</source>
        <translation>对 OFT 的限制</translation>
    </message>
    <message>
        <source>FLUX&apos; split mode</source>
        <translation>FLUX 的拆分模式</translation>
    </message>
    <message>
        <source>an early end for text encoders</source>
        <translation>提前结束文本编码器的训练</translation>
    </message>
    <message>
        <source>an early end for the UNet</source>
        <translation>提前结束 UNet 的训练</translation>
    </message>
    <message>
        <source>a separator of kept tags</source>
        <translation>保留标签的分隔符</translation>
    </message>
    <message>
        <source>small images that keep their size</source>
        <translation>小图片保持原尺寸</translation>
    </message>
    <message>
        <source>a limit on validation</source>
        <translation>对验证的限制</translation>
    </message>
    <message>
        <source>validation by epochs; set training.validate_every in steps</source>
        <translation>按轮数验证；请以步数设置 training.validate_every</translation>
    </message>
    <message>
        <source>caption separators</source>
        <translation>标注分隔符</translation>
    </message>
    <message>
        <source>wildcards in captions</source>
        <translation>标注中的通配符</translation>
    </message>
    <message>
        <source>a text before every caption</source>
        <translation>每条标注前的文字</translation>
    </message>
    <message>
        <source>a text after every caption</source>
        <translation>每条标注后的文字</translation>
    </message>
    <message>
        <source>caption dropout by epochs</source>
        <translation>按轮数丢弃标注</translation>
    </message>
    <message>
        <source>dropout of single tags</source>
        <translation>单个标签的丢弃</translation>
    </message>
    <message>
        <source>token warm-up</source>
        <translation>词元预热</translation>
    </message>
    <message>
        <source>captions without padding</source>
        <translation>不填充的标注</translation>
    </message>
    <message>
        <source>captions by class; use captions or the folder&apos;s name</source>
        <translation>按类别的标注；请使用标注文件或文件夹名</translation>
    </message>
    <message>
        <source>colour augmentation</source>
        <translation>颜色增强</translation>
    </message>
    <message>
        <source>random crops</source>
        <translation>随机裁剪</translation>
    </message>
    <message>
        <source>random rotation</source>
        <translation>随机旋转</translation>
    </message>
    <message>
        <source>crops around faces</source>
        <translation>围绕人脸裁剪</translation>
    </message>
    <message>
        <source>pyramid noise</source>
        <translation>金字塔噪声</translation>
    </message>
    <message>
        <source>noise offset of random strength</source>
        <translation>强度随机的噪声偏移</translation>
    </message>
    <message>
        <source>adaptive noise offset</source>
        <translation>自适应噪声偏移</translation>
    </message>
    <message>
        <source>generalised noise offset</source>
        <translation>广义噪声偏移</translation>
    </message>
    <message>
        <source>input perturbation</source>
        <translation>输入扰动</translation>
    </message>
    <message>
        <source>Perlin noise</source>
        <translation>Perlin 噪声</translation>
    </message>
    <message>
        <source>a range of timesteps</source>
        <translation>时间步范围</translation>
    </message>
    <message>
        <source>another choice of timesteps</source>
        <translation>其他的时间步选取方式</translation>
    </message>
    <message>
        <source>a shift of timesteps</source>
        <translation>时间步偏移</translation>
    </message>
    <message>
        <source>another loss than the squared error</source>
        <translation>平方误差以外的损失</translation>
    </message>
    <message>
        <source>another strength of the squared error</source>
        <translation>其他强度的平方误差</translation>
    </message>
    <message>
        <source>the absolute error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>the log-cosh error</source>
        <translation>log-cosh 误差</translation>
    </message>
    <message>
        <source>the Huber error</source>
        <translation>Huber 误差</translation>
    </message>
    <message>
        <source>another scale of the v-prediction loss</source>
        <translation>其他比例的 v 预测损失</translation>
    </message>
    <message>
        <source>a v-prediction term in the loss</source>
        <translation>损失中的 v 预测项</translation>
    </message>
    <message>
        <source>debiased estimation; min-SNR is near to it</source>
        <translation>去偏估计；min-SNR 与之接近</translation>
    </message>
    <message>
        <source>scaling of the loss by batch size</source>
        <translation>按批大小缩放损失</translation>
    </message>
    <message>
        <source>scaling of the rate by batch size</source>
        <translation>按批大小缩放学习率</translation>
    </message>
    <message>
        <source>steps without the mask</source>
        <translation>不使用遮罩的步骤</translation>
    </message>
    <message>
        <source>a loss divided by the masked area</source>
        <translation>除以遮罩面积的损失</translation>
    </message>
    <message>
        <source>a prior loss outside the mask</source>
        <translation>遮罩外的先验损失</translation>
    </message>
    <message>
        <source>conditioning images</source>
        <translation>条件图片</translation>
    </message>
    <message>
        <source>CLIP skip; SDXL fixes its layer</source>
        <translation>CLIP skip；SDXL 的层是固定的</translation>
    </message>
    <message>
        <source>a filter of layers by name; see adapter.targets</source>
        <translation>按名称筛选层；参见 adapter.targets</translation>
    </message>
    <message>
        <source>a decay of its own length</source>
        <translation>单独长度的衰减</translation>
    </message>
    <message>
        <source>arguments of the schedule</source>
        <translation>调度的参数</translation>
    </message>
    <message>
        <source>this argument of the optimizer</source>
        <translation>优化器的这个参数</translation>
    </message>
    <message>
        <source>this argument of the network</source>
        <translation>网络的这个参数</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own learning rate</source>
        <translation>Adafactor 自己的学习率</translation>
    </message>
    <message>
        <source>updates scaled by the weights</source>
        <translation>按权重缩放更新</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own warm-up</source>
        <translation>Adafactor 自己的预热</translation>
    </message>
    <message>
        <source>Prodigy&apos;s bias correction</source>
        <translation>Prodigy 的偏差校正</translation>
    </message>
    <message>
        <source>Prodigy&apos;s safeguard while warming up</source>
        <translation>Prodigy 的预热保护</translation>
    </message>
    <message>
        <source>Prodigy&apos;s factor on the rate</source>
        <translation>Prodigy 的学习率系数</translation>
    </message>
    <message>
        <source>Prodigy&apos;s first estimate</source>
        <translation>Prodigy 的初始估计</translation>
    </message>
    <message>
        <source>a momentum of its own; see optimizer.betas</source>
        <translation>单独的动量；参见 optimizer.betas</translation>
    </message>
    <message>
        <source>schedule-free optimizers</source>
        <translation>schedule-free 优化器</translation>
    </message>
    <message>
        <source>saving by epochs; set output.save_every in steps</source>
        <translation>按轮数保存；请以步数设置 output.save_every</translation>
    </message>
    <message>
        <source>samples by epochs; set samples.every in steps</source>
        <translation>按轮数生成样图；请以步数设置 samples.every</translation>
    </message>
    <message>
        <source>a delay before the first sample</source>
        <translation>推迟第一张样图</translation>
    </message>
    <message>
        <source>a delay before the first save</source>
        <translation>推迟第一次保存</translation>
    </message>
    <message>
        <source>moving blocks to the host</source>
        <translation>把块移到主机内存</translation>
    </message>
    <message>
        <source>a strength for each data set</source>
        <translation>每个数据集各自的强度</translation>
    </message>
    <message>
        <source>circular padding</source>
        <translation>循环填充</translation>
    </message>
    <message>
        <source>several cards</source>
        <translation>多张显卡</translation>
    </message>
    <message>
        <source>{file} is neither a preset nor a configuration of kohya or OneTrainer: none of its keys is known</source>
        <translation>{file} 既不是预设，也不是 kohya 或 OneTrainer 的配置：没有一个键是已知的</translation>
    </message>
    <message>
        <source>{file} is larger than 1 MB, so it is no preset</source>
        <translation>{file} 大于 1 MB，因此不是预设</translation>
    </message>
    <message>
        <source>{file} carries no preset: its metadata has no &quot;{key}&quot;, and nothing of sd-scripts or OneTrainer either</source>
        <translation>{file} 不含预设：元数据中没有“{key}”，也没有 sd-scripts 或 OneTrainer 的内容</translation>
    </message>
    <message>
        <source>{file} has more metadata than a preset needs</source>
        <translation>{file} 的元数据多于预设所需</translation>
    </message>
    <message>
        <source>{file} is a folder; choose a preset, a configuration or an adapter</source>
        <translation>{file} 是文件夹；请选择预设、配置或适配器</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip file, which can hold programs and is never opened; convert it to .safetensors first</source>
        <translation>{file} 是 pickle 或 zip 文件，可能含有程序，从不打开；请先转换为 .safetensors</translation>
    </message>
    <message>
        <source>can&apos;t read the preset {file}: no such file, or no permission</source>
        <translation>无法读取预设 {file}：文件不存在或没有权限</translation>
    </message>
    <message>
        <source>can&apos;t read the preset {file}: the disk reports an error</source>
        <translation>无法读取预设 {file}：磁盘报告错误</translation>
    </message>
    <message>
        <source>this has more than {count} values; no configuration needs so many</source>
        <translation>含有超过 {count} 个值；没有配置需要这么多</translation>
    </message>
    <message>
        <source>this is nested deeper than {count} levels</source>
        <translation>嵌套超过 {count} 层</translation>
    </message>
    <message>
        <source>a text is longer than 64 KB</source>
        <translation>有文字超过 64 KB</translation>
    </message>
    <message>
        <source>this has {bytes} bytes; a configuration has at most {most}</source>
        <translation>有 {bytes} 字节；配置最多 {most} 字节</translation>
    </message>
    <message>
        <source>this is not valid TOML: {reason}</source>
        <translation>不是有效的 TOML：{reason}</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>……以及另外 {count} 处</translation>
    </message>
    <message>
        <source>this is not valid JSON: {reason}</source>
        <translation>不是有效的 JSON：{reason}</translation>
    </message>
    <message>
        <source>this has more than {count} values; no preset needs so many</source>
        <translation>含有超过 {count} 个值；没有预设需要这么多</translation>
    </message>
    <message>
        <source>this has {bytes} bytes; a preset has at most {most}</source>
        <translation>有 {bytes} 字节；预设最多 {most} 字节</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be a multiple of 8</source>
        <translation>{key} 为 {value}，必须是 8 的倍数</translation>
    </message>
    <message>
        <source>{key} is {value}, which is listed twice; list each part once</source>
        <translation>{key} 为 {value}，重复列出；每个部件只列一次</translation>
    </message>
    <message>
        <source>{key} lacks &quot;{member}&quot;: {help}</source>
        <translation>{key} 缺少“{member}”：{help}</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each part one entry</source>
        <translation>{key} 为“{value}”，已有对应的条目；每个部件只写一个条目</translation>
    </message>
    <message>
        <source>{key} is not a known key; the keys here are {keys}</source>
        <translation>{key} 不是已知的键；这里可用的键是 {keys}</translation>
    </message>
    <message>
        <source>{key} is not a known key; did you mean {near}?</source>
        <translation>{key} 不是已知的键；是不是 {near}？</translation>
    </message>
    <message>
        <source>{key} is not a setting; did you mean {near}?</source>
        <translation>{key} 不是设置项；是不是 {near}？</translation>
    </message>
    <message>
        <source>{key} is not a setting; `mantissa train --help` lists them all</source>
        <translation>{key} 不是设置项；`mantissa train --help` 会列出全部</translation>
    </message>
    <message>
        <source>{key} is not an object; it holds settings such as {example}</source>
        <translation>{key} 不是对象；它包含 {example} 这样的设置</translation>
    </message>
    <message>
        <source>{key} is given twice, first on line {line}; keep one</source>
        <translation>{key} 出现了两次，第一次在第 {line} 行；请只保留一个</translation>
    </message>
    <message>
        <source>a preset is a JSON object: { &quot;mantissa_preset&quot;: 2, … }</source>
        <translation>预设是一个 JSON 对象：{ &quot;mantissa_preset&quot;: 2, … }</translation>
    </message>
    <message>
        <source>mantissa_preset must be 1 or 2, the number of the preset format</source>
        <translation>mantissa_preset 必须是 1 或 2，即预设格式的编号</translation>
    </message>
    <message>
        <source>mantissa_preset is {given}, written by a newer Mantissa; this one reads format {known}: update Mantissa, or export the preset again from there in the older format</source>
        <translation>mantissa_preset 为 {given}，由更新的 Mantissa 写出，而本版本读取格式 {known}：请更新 Mantissa，或在那里以旧格式重新导出预设</translation>
    </message>
    <message>
        <source>mantissa_preset is missing; add &quot;mantissa_preset&quot;: 2, so that it is known for a preset and in which format</source>
        <translation>缺少 mantissa_preset；请加上 &quot;mantissa_preset&quot;: 2，以表明这是预设及其格式</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation> true 或 false</translation>
    </message>
    <message>
        <source>text in quotes</source>
        <translation>带引号的文字</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>一个对象</translation>
    </message>
    <message>
        <source>a list of objects</source>
        <translation>对象的列表</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文字的列表</translation>
    </message>
    <message>
        <source>a list of module-path patterns</source>
        <translation>模块路径模式的列表</translation>
    </message>
    <message>
        <source>a list of two numbers from {least} to {most}</source>
        <translation>{least} 到 {most} 之间的两个数的列表</translation>
    </message>
    <message>
        <source>a list with at least one of {choices}</source>
        <translation>至少含 {choices} 之一的列表</translation>
    </message>
    <message>
        <source>a list of objects with the keys {keys}</source>
        <translation>带有键 {keys} 的对象的列表</translation>
    </message>
    <message>
        <source>a list of {count}</source>
        <translation>含 {count} 项的列表</translation>
    </message>
    <message>
        <source>a whole number from {least} to {most}</source>
        <translation> {least} 到 {most} 之间的整数</translation>
    </message>
    <message>
        <source>a number from {least} to {most}</source>
        <translation> {least} 到 {most} 之间的数</translation>
    </message>
    <message>
        <source>one of {choices}, or a number from {least} to {most}</source>
        <translation> {choices} 之一，或 {least} 到 {most} 之间的数</translation>
    </message>
    <message>
        <source>one of {choices}, or a list of module-path patterns</source>
        <translation> {choices} 之一，或模块路径模式的列表</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation> {choices} 之一</translation>
    </message>
    <message>
        <source>a file name without folder or extension</source>
        <translation>不含文件夹和扩展名的文件名</translation>
    </message>
    <message>
        <source>is empty; give the file a name</source>
        <translation>为空；请给出文件名</translation>
    </message>
    <message>
        <source>is longer than 128 bytes</source>
        <translation>超过 128 字节</translation>
    </message>
    <message>
        <source>is longer than 256 bytes</source>
        <translation>超过 256 字节</translation>
    </message>
    <message>
        <source>is longer than 64 KB</source>
        <translation>超过 64 KB</translation>
    </message>
    <message>
        <source>is not valid UTF-8</source>
        <translation>不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>holds control characters</source>
        <translation>含有控制字符</translation>
    </message>
    <message>
        <source>holds one of / \ : * ? &quot; &lt; &gt; |; give a file name without a folder</source>
        <translation>含有 / \ : * ? &quot; &lt; &gt; | 之一；请给出不带文件夹的文件名</translation>
    </message>
    <message>
        <source>starts or ends with a dot or a space; not every system can name a file so</source>
        <translation>以点或空格开头或结尾；并非所有系统都能使用这样的文件名</translation>
    </message>
    <message>
        <source>holds &quot;..&quot;; a preset names no place on a disk</source>
        <translation>含有“..”；预设不指明磁盘上的位置</translation>
    </message>
    <message>
        <source>is a device name on Windows; choose another</source>
        <translation>是 Windows 的设备名；请换一个</translation>
    </message>
    <message>
        <source>ends in .safetensors; leave the extension out</source>
        <translation>以 .safetensors 结尾；请去掉扩展名</translation>
    </message>
    <message>
        <source>holds a URL; presets hold none, because they are shared</source>
        <translation>含有网址；预设会被分享，因此不含网址</translation>
    </message>
    <message>
        <source>looks like a path; presets hold none, because they are shared</source>
        <translation>看起来是路径；预设会被分享，因此不含路径</translation>
    </message>
    <message>
        <source>a module-path pattern of 1 to 256 characters without spaces, slashes or colons, such as &quot;unet.down_blocks.*.attn1.to_q&quot;</source>
        <translation>1 到 256 个字符的模块路径模式，不含空格、斜杠和冒号，例如 &quot;unet.down_blocks.*.attn1.to_q&quot;</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be {expected}</source>
        <translation>{key} 为 {value}，应为{expected}</translation>
    </message>
    <message>
        <source>{key} is {value}, which {reason}</source>
        <translation>{key} 为 {value}，{reason}</translation>
    </message>
    <message>
        <source>{advice}, or train with adapter.dora_axis input for ComfyUI</source>
        <translation>{advice}，或为 ComfyUI 以 adapter.dora_axis input 训练</translation>
    </message>
    <message>
        <source>; for them write another file with output.format plain_lora</source>
        <translation>；请用 output.format plain_lora 为它们另写一个文件</translation>
    </message>
    <message>
        <source>{place} names {file}, which isn&apos;t used with it</source>
        <translation>{place} 中的 {file} 未与它一起使用</translation>
    </message>
    <message>
        <source>can&apos;t open {file}: {reason}</source>
        <translation>无法打开 {file}：{reason}</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>另有 {count} 个</translation>
    </message>
    <message>
        <source>{layer} ({op}, {phase}): {bad} of {count} values of its {tensor} ({format}) are not finite.{before}</source>
        <translation>{layer}（{op}，{phase}）：其 {tensor}（{format}）的 {count} 个值中有 {bad} 个不是有限值。{before}</translation>
    </message>
    <message>
        <source> Before it the largest value was {value}; {type} holds up to {most}.</source>
        <translation>在此之前的最大值为 {value}；{type} 最大可表示 {most}。</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或文件夹</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统是只读的</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>PEFT and diffusers know DoRA per output only and can&apos;t load this file{advice}</source>
        <translation>PEFT 和 diffusers 只支持按输出的 DoRA，无法加载这个文件{advice}</translation>
    </message>
    <message>
        <source>diffusers and PEFT render this file as trained; programs that look for dora_scale, such as ComfyUI, don&apos;t{advice}</source>
        <translation>diffusers 和 PEFT 会按训练结果呈现这个文件；ComfyUI 等查找 dora_scale 的程序则不会{advice}</translation>
    </message>
    <message>
        <source>ComfyUI divides a DoRA per output by the norm of the base weight alone, and diffusers&apos; SDXL loader leaves dora_scale out: neither renders this file as trained{advice}</source>
        <translation>ComfyUI 对按输出的 DoRA 只除以底模权重的范数，而 diffusers 的 SDXL 加载器会忽略 dora_scale：两者都不会按训练结果呈现这个文件{advice}</translation>
    </message>
    <message>
        <source>diffusers&apos; SDXL loader leaves dora_scale out and renders this file as plain LoRA, unlike it was trained{advice}</source>
        <translation>diffusers 的 SDXL 加载器会忽略 dora_scale，把这个文件当作普通 LoRA 呈现，与训练结果不同{advice}</translation>
    </message>
    <message>
        <source>the plain LoRA differs from the DoRA by at most {share} % of a weight&apos;s change, at ranks up to {rank}</source>
        <translation>普通 LoRA 与 DoRA 的差异最多为权重改变量的 {share} %，秩最高为 {rank}</translation>
    </message>
    <message>
        <source>{lost} of {all} values round to zero in this file&apos;s dtype; output.dtype fp32 keeps them</source>
        <translation>{all} 个值中有 {lost} 个在该文件的类型中舍入为零；output.dtype fp32 可以保留</translation>
    </message>
    <message>
        <source>converted from UTF-16</source>
        <translation>已从 UTF-16 转换</translation>
    </message>
    <message>
        <source>the first of {count} frames is used</source>
        <translation>使用 {count} 帧中的第一帧</translation>
    </message>
    <message>
        <source>its colour profile can&apos;t be used and was ignored</source>
        <translation>颜色配置无法使用，已忽略</translation>
    </message>
    <message>
        <source>the disk of folder {folder} is full: could not {action} {file}, {need} bytes needed for it{free}; free space or choose another folder</source>
        <translation>文件夹 {folder} 所在的磁盘已满：无法写入 {file}（操作：{action}），它需要 {need} 字节{free}；请腾出空间或选择其他文件夹</translation>
    </message>
    <message>
        <source>, {bytes} free</source>
        <translation>，剩余 {bytes} 字节</translation>
    </message>
    <message>
        <source>{what} &quot;{name}&quot; of {source} holds {value}; encode it again in FP32 (precision.weights.vae or .text_encoders fp32)</source>
        <translation>{source} 的{what}“{name}”含有 {value}；请用 FP32 重新编码（precision.weights.vae 或 .text_encoders fp32）</translation>
    </message>
    <message>
        <source>no image to train on in {folders}: put {formats} files there (captions in &lt;name&gt;.txt){skipped}</source>
        <translation>{folders} 中没有可训练的图片：请放入 {formats} 文件（标注放在 &lt;name&gt;.txt）{skipped}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is not a base model: {reason}</source>
        <translation>“{file}”不是底模：{reason}</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA); pass it with --lora and give a checkpoint as the base</source>
        <translation>它是适配器（LoRA）；请把它用作 --lora，并给出一个检查点作为底模</translation>
    </message>
    <message>
        <source>no tensor starts with &apos;model.diffusion_model.&apos;; pass a full SDXL or SD 1.5 checkpoint, or a diffusers folder</source>
        <translation>没有以 &apos;model.diffusion_model.&apos; 开头的张量；请给出完整的 SDXL 或 SD 1.5 检查点，或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>{weight} (the whole part is missing)</source>
        <translation>{weight}（整个部件都缺失）</translation>
    </message>
    <message>
        <source>{tensor} data ends at byte {end} of the data part, the file ends at {size} (it is cut off)</source>
        <translation>{tensor} 数据到数据区第 {end} 字节为止，而文件在 {size} 处结束（被截断）</translation>
    </message>
    <message>
        <source>; skipped {files}</source>
        <translation>；已跳过 {files}</translation>
    </message>
    <message>
        <source>a list of at most {most} {items}</source>
        <translation>最多 {most} 个 {items} 的列表</translation>
    </message>
    <message>
        <source>{count} weights stay in host memory and are copied to the card for each use: the run may take {limit} bytes there</source>
        <translation>{count} 个权重留在主机内存，每次使用时复制到显卡：本次训练在显卡上最多使用 {limit} 字节</translation>
    </message>
    <message>
        <source>{file} is damaged: it has another content than its checksum says</source>
        <translation>{file} 已损坏：内容与其校验和不符</translation>
    </message>
    <message>
        <source>{reason}. No checkpoint holds an intact copy of it, so the run can&apos;t be resumed</source>
        <translation>{reason}。没有检查点保存着它的完好副本，无法续训</translation>
    </message>
    <message>
        <source>{file} is missing: the copy in {checkpoint} is used</source>
        <translation>缺少 {file}：使用 {checkpoint} 中的副本</translation>
    </message>
    <message>
        <source>{file} is not the one that the run was started with: the copy in {checkpoint} is used</source>
        <translation>{file} 不是该训练开始时的文件：使用 {checkpoint} 中的副本</translation>
    </message>
    <message>
        <source>{file} can&apos;t be used ({reason}): the copy in {checkpoint} is used</source>
        <translation>{file} 无法使用（{reason}）：使用 {checkpoint} 中的副本</translation>
    </message>
    <message>
        <source>the run was started with other files: {changes}. Restore them, start a new run, or continue with the present ones</source>
        <translation>该训练开始时使用的是其他文件：{changes}。请恢复原文件、新建训练，或用现有文件继续</translation>
    </message>
    <message>
        <source>no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a backup, or start the run over, which sets the damaged ones aside</source>
        <translation>没有完好的检查点：{reasons}。未作任何改动。请从备份恢复一个，或从头开始，损坏的检查点会另行保留</translation>
    </message>
    <message>
        <source>{checkpoint} was saved by an older version, which didn&apos;t record the base model: whether it is the same is not checked</source>
        <translation>{checkpoint} 由旧版本保存，未记录底模：无法检查是否相同</translation>
    </message>
    <message>
        <source>continues with a changed file, as accepted: {change}</source>
        <translation>按你的确认，用其他文件继续：{change}</translation>
    </message>
    <message>
        <source>the damaged checkpoints were set aside in {folder}</source>
        <translation>损坏的检查点保留在 {folder}</translation>
    </message>
    <message>
        <source>{file} was deleted: it is made and locked again</source>
        <translation>{file} 已被删除：重新创建并锁定</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no longer this program&apos;s lock: it was removed or replaced, and another program may own the run. Nothing more is written there, earlier checkpoints are untouched. End the other program, then resume the run</source>
        <translation>“{file}” 不再是本程序的锁：它已被删除或替换，该训练可能正由其他程序使用。不再向那里写入，之前的检查点保持不变。请结束其他程序，再恢复训练</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; changed while it was read; wait until it is written, then start again</source>
        <translation>“{file}” 在读取时发生了变化；请等写入完成后再开始</translation>
    </message>
    <message>
        <source>its manifest has another content than its checksum says</source>
        <translation>清单的内容与其校验和不符</translation>
    </message>
    <message>
        <source>the run&apos;s preset has no prompt {number}</source>
        <translation>这次训练的预设中没有提示词 {number}</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}; choose a place you may write to</source>
        <translation>无法创建文件夹 {folder}；请选择一个有写入权限的位置</translation>
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
        <source>Enter shows the images of this size</source>
        <translation>按 Enter 显示此尺寸的图片</translation>
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
    <message>
        <source>%1 was changed by another program and was not overwritten; press Scan again to read it.</source>
        <translation>%1 已被其他程序改动，保持其现有内容不变；按“重新扫描”可读取它。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be removed.</source>
        <translation>无法删除 %1。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2. The caption is kept here until you quit.</source>
        <translation>无法写入 %1：%2。标注会保留在这里，直到程序结束。</translation>
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
        <source>new tag</source>
        <translation>新标签</translation>
    </message>
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
        <source>not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation>
            <numerusform>已修改 %n 条标注。</numerusform>
        </translation>
    </message>
    <message>
        <source>comes with Mantissa; copy the folder to change it</source>
        <translation>随 Mantissa 提供；复制该文件夹后即可修改</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message numerus="yes">
        <source>Apply to all %n</source>
        <translation>
            <numerusform>应用到全部 %n 张</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Apply to %n selected</source>
        <translation>
            <numerusform>应用到所选 %n 张</numerusform>
        </translation>
    </message>
    <message>
        <source>Enter shows the images with this tag</source>
        <translation>按 Enter 显示带此标签的图片</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CloseGuard</name>
    <message>
        <source>A run is in progress. Stop it, save and quit?</source>
        <translation>训练正在进行。要停止、保存并退出吗？</translation>
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
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Differing setting</source>
        <translation>不同的设置</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
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
        <source>Seconds a step</source>
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
        <source>can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>No image folder is selected.
Add one under “This run” in Setup; its images, captions and buckets are shown here before you train.</source>
        <translation>还没有选择图片文件夹。
请在“配置”页的“本次训练”中添加；训练前可以在这里查看图片、标注和分桶。</translation>
    </message>
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
        <source>Scanned %1 of %2 images</source>
        <translation>已查看 %1 / %2 张图片</translation>
    </message>
    <message>
        <source>No file is skipped.</source>
        <translation>没有跳过任何文件。</translation>
    </message>
    <message>
        <source>There is no image to train on in these folders.</source>
        <translation>这些文件夹里没有可供训练的图片。</translation>
    </message>
    <message>
        <source>%1 × %2, trained as %3 × %4; %5 % of it is kept</source>
        <translation>%1 × %2，按 %3 × %4 训练；保留 %5%</translation>
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
</context>
<context>
    <name>mantissa::gui::DatasetModel</name>
    <message>
        <source>no caption</source>
        <translation>没有标注</translation>
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
</context>
<context>
    <name>mantissa::gui::ElideLabel</name>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::EngineClient</name>
    <message>
        <source>This computer ran out of memory. Close other programs, or lower the batch size or the resolution.</source>
        <translation>本机内存不足。请关闭其他程序，或减小批大小或分辨率。</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly: %1</source>
        <translation>引擎意外停止：%1</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly, without an error message.</source>
        <translation>引擎意外停止，没有给出原因。</translation>
    </message>
    <message>
        <source>%1 lines are not shown here; see log.txt in the run folder.</source>
        <translation>这里略去了 %1 行；训练文件夹中的 log.txt 有完整内容。</translation>
    </message>
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
        <source>green: %1 holds it · hatched: reduced precision · red: lost</source>
        <translation>绿色：%1 可以容纳 · 斜线：有效位减少 · 红色：丢失</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldEditor</name>
    <message>
        <source>as above</source>
        <translation>同上</translation>
    </message>
    <message>
        <source>a set, or patterns separated by commas</source>
        <translation>一个集合，或用逗号分隔的模式</translation>
    </message>
    <message>
        <source>a name or a number</source>
        <translation>名称或数字</translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation>用逗号分隔</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldRow</name>
    <message>
        <source>changed</source>
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
        <source>Has an effect only with %1 = %2.</source>
        <translation>仅在 %1 = %2 时有效。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
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
        <source>Show %1 in the form</source>
        <translation>在表单中显示 %1</translation>
    </message>
    <message>
        <source>Show the setting %1</source>
        <translation>显示设置 %1</translation>
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
        <source>A .safetensors file or a diffusers folder of SDXL, Stable Diffusion 1.5 or PixArt. The demo is a tiny model that comes with Mantissa and trains in minutes on any computer.</source>
        <translation>SDXL、Stable Diffusion 1.5 或 PixArt 的 .safetensors 文件或 diffusers 文件夹。演示是随 Mantissa 提供的微型模型，在任何电脑上几分钟就能训练完。</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>.safetensors file or diffusers folder</source>
        <translation>.safetensors 文件或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>Models (*.safetensors);;All files (*)</source>
        <translation>模型 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose training images</source>
        <translation>选择训练图片</translation>
    </message>
    <message>
        <source>Folders of images; 10 to 40 are enough for a person, an object or a style. A caption is a text file with the image's name. The Data page helps you write captions.</source>
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
        <source>Start with the defaults and don't show this again</source>
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
        <translation>✕ 非有限值   – 未检查</translation>
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
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Share of nonzero values that are stored as zero</source>
        <translation>原本非零却存成了零的数值所占的比例</translation>
    </message>
    <message>
        <source>Share of the values beyond the format&apos;s largest number</source>
        <translation>超出该格式最大值的数值所占的比例</translation>
    </message>
    <message>
        <source>Doublings left before the largest value overflows</source>
        <translation>最大值溢出前还能翻倍多少次</translation>
    </message>
    <message>
        <source>Signal to rounding noise: about 6 dB for every bit kept</source>
        <translation>信号与舍入噪声之比：每保留一位约 6 dB</translation>
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
        <source>Step %1, first tensor with NaN/Inf: %2</source>
        <translation>第 %1 步，第一个出现非有限值的张量：%2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>No cell selected</source>
        <translation>没有选择单元格</translation>
    </message>
    <message>
        <source>%1 · %2 at step %3</source>
        <translation>%1 · %2，第 %3 步</translation>
    </message>
    <message>
        <source>%1, %2 NaN/Inf</source>
        <translation>%1，%2 个非有限值</translation>
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
    <name>mantissa::gui::HistoryPage</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
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
        <source>Load the run&apos;s preset into Setup for another run</source>
        <translation>把这次训练的预设载入“配置”，用于另一次训练</translation>
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
    <message>
        <source>Write the run to a file</source>
        <translation>把这次训练写成文件</translation>
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
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
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
        <source>This run</source>
        <translation>本次训练</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>.safetensors file or diffusers folder</source>
        <translation>.safetensors 文件或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>Models (*.safetensors);;All files (*)</source>
        <translation>模型 (*.safetensors);;所有文件 (*)</translation>
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
        <translation>先验图像</translation>
    </message>
    <message>
        <source>none, or a folder</source>
        <translation>无，或一个文件夹</translation>
    </message>
    <message>
        <source>Images of the concept&apos;s class, such as dogs for your dog. They preserve what the base model knows of the class; training.prior_weight sets how strongly.</source>
        <translation>概念所属类别的图片（例如训练自己的狗时用各种狗）。训练会保留底模对该类别的认识，强度由 training.prior_weight 决定。</translation>
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
        <source>a new folder among the runs</source>
        <translation>在训练目录中新建文件夹</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Continue a run</source>
        <translation>续训</translation>
    </message>
    <message>
        <source>new run, or a run folder to continue</source>
        <translation>从头开始，或某次训练的文件夹</translation>
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
</context>
<context>
    <name>mantissa::gui::LiveSettings</name>
    <message>
        <source>The run uses the changed settings after this step.</source>
        <translation>本次训练将在这一步之后采用更改后的设置。</translation>
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
</context>
<context>
    <name>mantissa::gui::MainWindow</name>
    <message>
        <source>%1 % · </source>
        <translation>%1% · </translation>
    </message>
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
        <translation>第一个出现非有限值的张量</translation>
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
        <source>none entered</source>
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
        <translation>第 %1 步 · 损失不是数字</translation>
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
        <translation>第 %1 步 · 梯度出现非有限值，已跳过该步</translation>
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
    <name>mantissa::gui::Notifier</name>
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
    <name>mantissa::gui::PicturePane</name>
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
        <source>module path, e.g. unet.conv_*</source>
        <translation>模块路径，例如 unet.conv_*</translation>
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
    <name>mantissa::gui::PlanWatcher</name>
    <message>
        <source>Choose a base model to see the memory that this needs.</source>
        <translation>选择底模后即可看到所需的内存/显存。</translation>
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
</context>
<context>
    <name>mantissa::gui::PlotsPanel</name>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Of every step, and smoothed</source>
        <translation>每一步的损失，以及平滑后的损失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Before clipping, with the clipping threshold</source>
        <translation>裁剪前的值，以及裁剪的上限</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>And the steps that the optimizer skipped</source>
        <translation>以及因它而被优化器跳过的步</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Of every part that is trained</source>
        <translation>每个被训练部件的学习率</translation>
    </message>
    <message>
        <source>Lost updates, %</source>
        <translation>丢失的更新 (%)</translation>
    </message>
    <message>
        <source>Share of adapter weights that the update was too small to change</source>
        <translation>适配器中因更新太小而没有变动的数值所占的比例</translation>
    </message>
    <message>
        <source>Update / weight</source>
        <translation>更新 / 权重</translation>
    </message>
    <message>
        <source>How far a step moves the adapter, relative to its size</source>
        <translation>每步让适配器移动多远，相对于它的大小</translation>
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
        <source>off</source>
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
</context>
<context>
    <name>mantissa::gui::PrecisionPanel</name>
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
        <translation>检查精度和内存/显存</translation>
    </message>
    <message>
        <source>Checks memory and precision with this run's images, without training (F4)</source>
        <translation>用本次训练的图片算出内存/显存、精度和检查结果，不进行训练 (F4)</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>尚未检查。</translation>
    </message>
    <message>
        <source>Memory needed and available</source>
        <translation>所需与可用的内存/显存</translation>
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
        <source>W: frozen weights of the UNet · A: activations · g: gradients · m,v: optimizer state · clip: gradient clipping · scale: loss scaling</source>
        <translation>W：UNet 的冻结权重 · A：激活值 · g：梯度 · m,v：优化器状态 · clip：梯度裁剪 · scale：损失缩放</translation>
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
        <source>1 refused setting blocks Start</source>
        <translation>有 1 项设置被拒绝，无法开始</translation>
    </message>
    <message>
        <source>%1 refused settings block Start</source>
        <translation>有 %1 项设置被拒绝，无法开始</translation>
    </message>
    <message>
        <source>Needs %1, and %2 are available: %3 too much</source>
        <translation>需要 %1，可用 %2：超出 %3</translation>
    </message>
    <message>
        <source>Needs %1 of %2 available</source>
        <translation>需要 %1，可用 %2</translation>
    </message>
    <message>
        <source>Needs %1</source>
        <translation>需要 %1</translation>
    </message>
    <message>
        <source>weights %1 · activations %2 · adapter and optimizer %3</source>
        <translation>权重 %1 · 激活值 %2 · 适配器和优化器 %3</translation>
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
        <source>memory</source>
        <translation>内存占用</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>No conflicts: these settings work together.</source>
        <translation>没有冲突：这些设置可以一起使用。</translation>
    </message>
    <message numerus="yes">
        <source>%n adjusted automatically, as shown below</source>
        <translation><numerusform>已自动调整 %n 项，见下方</numerusform></translation>
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
        <source>the same</source>
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
Add runs from Setup; they start one after another, and a failed run doesn't hold up the next.</source>
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
        <source>Apply a changed step count and changed saving and sampling intervals to the current run</source>
        <translation>训练进行中可以更改步数、保存间隔和采样间隔：从草稿中采用这些值</translation>
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
        <source>Continue</source>
        <translation>续训</translation>
    </message>
    <message>
        <source>Set up this run to continue with more steps</source>
        <translation>设置为增加步数后接着训练</translation>
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
        <source>memory %1 of %2</source>
        <translation>占用 %1 / %2</translation>
    </message>
    <message>
        <source>memory %1</source>
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
    <message>
        <source>%1 can&apos;t be brought back to %2; it is still in the trash.</source>
        <translation>无法将 %1 恢复到 %2；它仍在回收站中。</translation>
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
</context>
<context>
    <name>mantissa::gui::RunPage</name>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Loss, gradients, learning rate and updates over the steps</source>
        <translation>损失、梯度、学习率和更新随步数的变化</translation>
    </message>
    <message>
        <source>Numerics</source>
        <translation>数值状态</translation>
    </message>
    <message>
        <source>Underflow, overflow and rounding error of every layer</source>
        <translation>每一层的数值在其存储格式中损失了多少</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>引擎日志</translation>
    </message>
    <message>
        <source>Newest line of the log</source>
        <translation>最新一行日志</translation>
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
        <source>Time a step</source>
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
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>Refused by precision check %1</source>
        <translation>被精度检查 %1 拒绝</translation>
    </message>
    <message>
        <source>Stopped: NaN/Inf</source>
        <translation>已停止：出现了非有限值</translation>
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
        <source>Show the setting %1</source>
        <translation>显示设置 %1</translation>
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
</context>
<context>
    <name>mantissa::gui::RunStarter</name>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Runs that start one after another</source>
        <translation>依次启动的训练</translation>
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
        <source>Added to the queue. Start it on the Train page, under Queue.</source>
        <translation>已加入队列。请在“训练”页的“队列”中启动它。</translation>
    </message>
    <message>
        <source>All %1 steps are done. Raise the number of steps, then press Start to continue the run.</source>
        <translation>全部 %1 步都已完成。增加步数后点“开始”：训练会从结束的地方继续。</translation>
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
        <source>%1 it/s</source>
        <translation>%1 it/s</translation>
    </message>
    <message>
        <source>%1 s/it</source>
        <translation>%1 s/it</translation>
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
</context>
<context>
    <name>mantissa::gui::SampleGrid</name>
    <message>
        <source>No samples yet.
Add sample prompts in Setup, then start a run or press Sample now (F8).</source>
        <translation>还没有样图。
请在“配置”页添加采样提示词，然后开始训练或点“立即采样”(F8)。</translation>
    </message>
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
        <source>%1 %</source>
        <translation>%1%</translation>
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
        <source>step 0, before training</source>
        <translation>第 0 步，训练之前</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>strength %1 %</source>
        <translation>强度 %1%</translation>
    </message>
    <message>
        <source>Prompt %1 · %2 of the finished adapter</source>
        <translation>提示词 %1 · 已完成的适配器，%2</translation>
    </message>
    <message>
        <source>Step %1 · prompt %2</source>
        <translation>第 %1 步 · 提示词 %2</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleModel</name>
    <message>
        <source>can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>step %1, prompt %2: %3</source>
        <translation>第 %1 步，提示词 %2：%3</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>prompt %1</source>
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
        <source>Run %1 is %2. Start continues it from its last checkpoint.</source>
        <translation>训练 %1 的状态：%2。点“开始”可从它的最后一个检查点继续。</translation>
    </message>
    <message>
        <source>This is the preset of “%1”. Start begins a new run with it.</source>
        <translation>这是“%1”的预设。点“开始”会用它进行一次新的训练。</translation>
    </message>
    <message>
        <source>Run %1 was interrupted when its program closed. It can continue from its last checkpoint.</source>
        <translation>训练 %1 因程序结束而中断。可以从它的最后一个检查点继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted when their program closed. They can continue from their last checkpoints.</source>
        <translation>
            <numerusform>有 %n 次训练因程序结束而中断。可以从各自的最后一个检查点继续。</numerusform>
        </translation>
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
</context>
<context>
    <name>mantissa::gui::SetupPage</name>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>The preset as a form</source>
        <translation>以表单显示预设</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The preset as text, to read, copy, paste and edit (Ctrl+E)</source>
        <translation>以文本显示预设，可阅读、复制、粘贴和编辑 (Ctrl+E)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>The preset beside the defaults or another one (Ctrl+D)</source>
        <translation>将预设与默认值或另一个预设并排显示 (Ctrl+D)</translation>
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
        <source>zoom in steps; with Ctrl, in values</source>
        <translation>沿步数缩放；按住 Ctrl 沿数值缩放</translation>
    </message>
    <message>
        <source>Drag, Shift+drag</source>
        <translation>拖动，Shift+拖动</translation>
    </message>
    <message>
        <source>move, or zoom into a box</source>
        <translation>平移，或框选放大</translation>
    </message>
    <message>
        <source>Double click, Home</source>
        <translation>双击，Home</translation>
    </message>
    <message>
        <source>show the whole run again</source>
        <translation>重新显示整个训练</translation>
    </message>
    <message>
        <source>+ − ← →</source>
        <translation>+ − ← →</translation>
    </message>
    <message>
        <source>zoom and move with the keyboard</source>
        <translation>用键盘缩放和移动</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>move through runs, images and samples</source>
        <translation>在训练、图片和样图之间移动</translation>
    </message>
    <message>
        <source>Shift or Ctrl with them</source>
        <translation>配合 Shift 或 Ctrl</translation>
    </message>
    <message>
        <source>choose several</source>
        <translation>选择多个</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>edit a run&apos;s tags or note</source>
        <translation>编辑训练的标签或备注</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>open the selected run</source>
        <translation>打开所选训练</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>move the selected runs to the trash</source>
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
        <source>Built-in &amp;presets</source>
        <translation>内置预设(&amp;P)</translation>
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
</context>
<context>
    <name>questions</name>
    <message>
        <source>Open preset</source>
        <translation>打开预设</translation>
    </message>
    <message>
        <source>Presets (*.json);;All files (*)</source>
        <translation>预设 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Presets, configurations, adapters (*.json *.toml *.safetensors);;All files (*)</source>
        <translation>预设、配置、适配器 (*.json *.toml *.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>预设 (*.json)</translation>
    </message>
    <message>
        <source>Save to another folder</source>
        <translation>保存到其他文件夹</translation>
    </message>
    <message>
        <source>Stop, save and quit</source>
        <translation>停止、保存并退出</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
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
</TS>
