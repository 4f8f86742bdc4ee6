<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>engine</name>
    <message>
        <source> Before it the largest value was {value}; {type} holds up to {most}.</source>
        <translation>在此之前的最大值为 {value}；{type} 最大可表示 {most}。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {reason}; check the path and its permissions</source>
        <translation>&apos;{path}&apos;：{reason}；请检查路径及其权限</translation>
    </message>
    <message>
        <source>&quot;a residual block&quot;</source>
        <translation>“一个残差块”</translation>
    </message>
    <message>
        <source>&quot;none&quot;</source>
        <translation>“无”</translation>
    </message>
    <message>
        <source>&quot;residual blocks and attention&quot;</source>
        <translation>“残差块和注意力”</translation>
    </message>
    <message>
        <source>&apos;{card}&apos; is not a card with known rates; expected one of: {cards}</source>
        <translation>“{card}”不是性能数据已知的显卡；应为以下之一：{cards}</translation>
    </message>
    <message>
        <source>An update has made trained weights NaN/Inf: continue from a checkpoint before it, with a lower optimizer.learning_rate or a larger optimizer.eps</source>
        <translation>一次更新使训练权重变成了 NaN/Inf：请从此前的检查点继续，并降低 optimizer.learning_rate 或增大 optimizer.eps</translation>
    </message>
    <message>
        <source>Convert a file of it with --format kohya, give it a rank with `mantissa resize`, or merge it into a model</source>
        <translation>请用 --format kohya 转换其文件，用 `mantissa resize` 为它指定秩，或将它合并到模型中</translation>
    </message>
    <message>
        <source>Counts for another model there.</source>
        <translation>在原程序中对另一个模型有效。</translation>
    </message>
    <message>
        <source>Counts for Stable Diffusion only there.</source>
        <translation>在原程序中只对 Stable Diffusion 有效。</translation>
    </message>
    <message>
        <source>Give it a rank with `mantissa resize`, or merge it into a model</source>
        <translation>请用 `mantissa resize` 为它指定秩，或将它合并到模型中</translation>
    </message>
    <message>
        <source>Holds for some of the folders there, for all images here.</source>
        <translation>在原程序中只适用于部分文件夹，在这里适用于所有图片。</translation>
    </message>
    <message>
        <source>Holds for some of the folders there. Here one value holds for all images, and the first folder has none.</source>
        <translation>在原程序中只适用于部分文件夹。在这里一个值适用于所有图片，而第一个文件夹没有该值。</translation>
    </message>
    <message>
        <source>Holds for some of the folders there. Here one value holds for all images: that of {key}.</source>
        <translation>在原程序中只适用于部分文件夹。在这里所有图片使用同一个值，即 {key} 的值。</translation>
    </message>
    <message>
        <source>In a section within another one, which is not read there.</source>
        <translation>位于另一节之内的节中，在原程序中不会被读取。</translation>
    </message>
    <message>
        <source>Its second moment is kept in full here, and its options have their defaults.</source>
        <translation>这里完整保存二阶矩，其选项均为默认值。</translation>
    </message>
    <message>
        <source>NCCL can&apos;t reach the other cards: {reason}. Resume starts the run again from its last checkpoint</source>
        <translation>NCCL 无法与其他显卡通信：{reason}。“续训”从最后一个检查点重新开始</translation>
    </message>
    <message>
        <source>No change of settings makes it fit: train fewer modules, or take a device with more memory</source>
        <translation>更改设置也放不下：请减少训练的模块，或换用显存更大的设备</translation>
    </message>
    <message>
        <source>No gap: the plan trains as FP32 does.</source>
        <translation>没有差距：该方案的训练与 FP32 相同。</translation>
    </message>
    <message>
        <source>Not read there where a network is trained: network_train_unet_only leaves text encoders out.</source>
        <translation>在原程序中训练网络时不读取此项；network_train_unet_only 才会排除文本编码器。</translation>
    </message>
    <message>
        <source>Rank {rank} holds every change of this file: `{command}`. A lower one leaves some of them out, and the command tells how much</source>
        <translation>秩 {rank} 能容纳此文件的全部改动：`{command}`。更低的秩会丢掉一部分，命令会报告丢掉多少</translation>
    </message>
    <message>
        <source>Regularisation images.</source>
        <translation>正则化图片。</translation>
    </message>
    <message>
        <source>Run failed: {run}</source>
        <translation>训练失败：{run}</translation>
    </message>
    <message>
        <source>Run finished: {run}</source>
        <translation>训练完成：{run}</translation>
    </message>
    <message>
        <source>Run refused: {run}</source>
        <translation>训练无法开始：{run}</translation>
    </message>
    <message>
        <source>Run stopped: {run}</source>
        <translation>训练已停止：{run}</translation>
    </message>
    <message>
        <source>Schedule-free optimizers have no schedule there: here the rate is constant.</source>
        <translation>那里的 schedule-free 优化器没有学习率调度：这里学习率保持恒定。</translation>
    </message>
    <message>
        <source>Suggested learning rate: {rate}, a tenth of the rate of the lowest loss, {lowest}. The loss falls fastest at {steepest}.</source>
        <translation>建议的学习率：{rate}，即损失最低处 {lowest} 的十分之一。损失下降最快处为 {steepest}。</translation>
    </message>
    <message>
        <source>Switched off there.</source>
        <translation>在那里已关闭。</translation>
    </message>
    <message>
        <source>The first data set&apos;s counts for all images here; others have other ones.</source>
        <translation>此处所有图片都使用第一个数据集的值；其他数据集的值不同。</translation>
    </message>
    <message>
        <source>The weights are as they were before this step</source>
        <translation>权重保持该步之前的状态</translation>
    </message>
    <message>
        <source>Windows leaves out a dot or a space at the end of a name</source>
        <translation>Windows 会去掉名称末尾的点或空格</translation>
    </message>
    <message>
        <source>With {settings} it needs {need}, and a step takes about {after} instead of {before} (estimated)</source>
        <translation>改为 {settings} 后需要 {need}，每步约 {after}，原为 {before}（估计）</translation>
    </message>
    <message>
        <source>a name on Windows holds none of : * ? &quot; &lt; &gt; | and no control characters</source>
        <translation>Windows 上的名称不能含有 : * ? &quot; &lt; &gt; | 或控制字符</translation>
    </message>
    <message>
        <source>an update has made the training state NaN/Inf ({key}, element {index}). It is not saved, earlier checkpoints are untouched. Continue from one of them with a lower optimizer.learning_rate or a larger optimizer.eps</source>
        <translation>一次更新使训练状态变成了 NaN/Inf（{key} 的第 {index} 个元素）。不保存这一状态，先前的检查点不受影响。请从其中一个继续，并降低 optimizer.learning_rate 或增大 optimizer.eps</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is marked as read-only; clear that mark, or choose another name</source>
        <translation>无法写入 {file}：它被标记为只读；请取消该标记，或换一个名称</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is open in this or another program; close it there, or choose another name</source>
        <translation>无法写入 {file}：本程序或其他程序正在使用它；请在那里关闭它，或换一个名称</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}; choose another name</source>
        <translation>无法写入 {file}：{reason}；请换一个名称</translation>
    </message>
    <message>
        <source>checking the base model's files</source>
        <translation>检查基础模型的文件</translation>
    </message>
    <message>
        <source>comparing with FP32</source>
        <translation>与 FP32 比较</translation>
    </message>
    <message>
        <source>computing the validation loss</source>
        <translation>计算验证损失</translation>
    </message>
    <message>
        <source>could not remove {file}: {reason}</source>
        <translation>无法删除 {file}：{reason}</translation>
    </message>
    <message>
        <source>data.masks is {mode}, but no mask can be used (images left out: {count}). {file}: {reason}. Correct the masks, or set it to off</source>
        <translation>data.masks 为 {mode}，但没有可用的遮罩（未使用的图片：{count} 张）。{file}：{reason}。请更正遮罩，或设为 off</translation>
    </message>
    <message>
        <source>The plan breaks at step {step}: {found}</source>
        <translation>该方案在第 {step} 步失效：{found}</translation>
    </message>
    <message>
        <source>The plan breaks: its gradients are not finite.</source>
        <translation>该方案失效：梯度不是有限值。</translation>
    </message>
    <message>
        <source>The plan {how}: its gradients are {gap} off, worst cosine {cosine}; its loss is {loss} off.</source>
        <translation>该方案{how}：梯度偏差 {gap}，最差余弦 {cosine}；损失偏差 {loss}。</translation>
    </message>
    <message>
        <source>a probe runs on one device: choose one</source>
        <translation>探测在一个设备上运行：请只选一个</translation>
    </message>
    <message>
        <source>every image is also in a validation folder, so there is none to train on; choose other validation images</source>
        <translation>所有图片都在验证文件夹中，没有可训练的图片；请另选验证集</translation>
    </message>
    <message>
        <source>give a folder of images and --tagger, the folder of a tagger, --captioner, that of a Qwen3-VL, or --endpoint, the address of a program that serves a model; --recode for captions that aren&apos;t UTF-8; or --undo</source>
        <translation>请给出图片文件夹，以及用 --tagger 指定打标模型文件夹，或用 --captioner 指定 Qwen3-VL 的文件夹，或用 --endpoint 指定提供模型的程序的地址；标注不是 UTF-8 时使用 --recode；或者使用 --undo</translation>
    </message>
    <message>
        <source>got no caption: {reason}</source>
        <translation>没有得到标注：{reason}</translation>
    </message>
    <message>
        <source>loading the base model</source>
        <translation>加载基础模型</translation>
    </message>
    <message>
        <source>looking for images</source>
        <translation>查找图片</translation>
    </message>
    <message>
        <source>measuring training images</source>
        <translation>测量训练图片</translation>
    </message>
    <message>
        <source>no image got a caption; the reason is told for each of them</source>
        <translation>没有任何图片得到标注；每张图片的原因已列出</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA); choose the base model that it is for</source>
        <translation>它是适配器（LoRA）；请选择它所对应的底模</translation>
    </message>
    <message>
        <source>no choice of types is within these limits: the smallest takes {bytes}, the fastest {time} a step; raise the limits, or lower data.batch_size or data.resolution</source>
        <translation>没有类型方案满足这些限制：最小的需要 {bytes}，最快的每步 {time}；请放宽限制，或降低 data.batch_size 或 data.resolution</translation>
    </message>
    <message>
        <source>no process trains the run in {folder}; Resume continues it</source>
        <translation>没有进程在训练 {folder} 中的训练；“续训”可继续</translation>
    </message>
    <message>
        <source>no program answers there: {reason}. Start it, or give its address</source>
        <translation>那里没有程序应答：{reason}。请启动该程序，或给出它的地址</translation>
    </message>
    <message>
        <source>none of the {count} prior-preservation images is left: all are trained on or in the validation set, so there is no prior preservation; choose other prior images</source>
        <translation>{count} 张先验保留图片都已用于训练或在验证集中，一张不剩，因此没有先验保留；请另选先验图片</translation>
    </message>
    <message>
        <source>preparing captions</source>
        <translation>准备描述</translation>
    </message>
    <message>
        <source>preparing images</source>
        <translation>准备图片</translation>
    </message>
    <message>
        <source>process {number} (id {id}) ended without giving a reason, so the run can&apos;t continue. Resume starts it again from its last checkpoint</source>
        <translation>进程 {number}（ID {id}）意外结束，训练无法继续。“续训”从最后一个检查点重新开始</translation>
    </message>
    <message>
        <source>reading images</source>
        <translation>读取图片</translation>
    </message>
    <message>
        <source>rendering samples</source>
        <translation>生成样图</translation>
    </message>
    <message>
        <source>status {status}</source>
        <translation>状态码 {status}</translation>
    </message>
    <message>
        <source>status {status}: {reason}</source>
        <translation>状态码 {status}：{reason}</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>step {step}, loss {loss}</source>
        <translation>第 {step} 步，损失 {loss}</translation>
    </message>
    <message>
        <source>the answer holds no text</source>
        <translation>应答中没有文本</translation>
    </message>
    <message>
        <source>the answer is an error: {reason}</source>
        <translation>应答是一个错误：{reason}</translation>
    </message>
    <message>
        <source>the answer is empty</source>
        <translation>应答是空的</translation>
    </message>
    <message>
        <source>the answer is no JSON</source>
        <translation>应答不是 JSON</translation>
    </message>
    <message>
        <source>the answer was cut at {tokens} tokens; allow more, or ask for less</source>
        <translation>应答在 {tokens} 个 token 处被截断；请提高上限，或要求更短的回答</translation>
    </message>
    <message>
        <source>the resolution of its folder in data.folders</source>
        <translation>data.folders 中它所在文件夹的分辨率</translation>
    </message>
    <message>
        <source>the run goes on with other settings than it had: {changes}</source>
        <translation>这次训练将以不同于之前的设置继续：{changes}</translation>
    </message>
    <message>
        <source>the run has all its {steps} steps: nothing is left to train, and its result is written again. To train on, raise training.steps (or training.epochs)</source>
        <translation>这次训练的 {steps} 步已全部完成：没有剩余的步，只会重新写入结果。要继续训练，请调大 training.steps（或 training.epochs）</translation>
    </message>
    <message>
        <source>the run has {done} steps already and can&apos;t be shortened to {steps}: it ends as early as it can</source>
        <translation>训练已完成 {done} 步，不能缩短为 {steps} 步：将尽早结束</translation>
    </message>
    <message>
        <source>the vision tower gives tokens of {width} channels, the language model takes {wanted}; get the model&apos;s whole folder again</source>
        <translation>视觉塔给出的 token 有 {width} 个通道，语言模型需要 {wanted} 个；请重新获取模型的整个文件夹</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the tokenizer lacks {token}; it is of another model</source>
        <translation>&apos;{path}&apos;：分词器缺少 {token}；它属于另一个模型</translation>
    </message>
    <message>
        <source>it is {width} × {height} pixels, too narrow to be shown to the model</source>
        <translation>尺寸为 {width} × {height} 像素，过于狭长，无法给模型看</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; is no Qwen3-VL: the folder of one, with config.json of the type qwen3_vl, or its weights with the vision tower in one .safetensors file are read</source>
        <translation>&apos;{path}&apos; 不是 Qwen3-VL：可以读取带有类型为 qwen3_vl 的 config.json 的文件夹，或包含视觉塔的单个 .safetensors 权重文件</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; lacks the vision tower (visual.…) of a Qwen3-VL; get its whole folder</source>
        <translation>&apos;{path}&apos; 缺少 Qwen3-VL 的视觉塔 (visual.…)；请获取其整个文件夹</translation>
    </message>
    <message>
        <source>is {found}; a square is expected</source>
        <translation>为 {found}；应为平方数</translation>
    </message>
    <message>
        <source>is {count}, which doesn&apos;t divide a width of {width} into heads of a multiple of four channels</source>
        <translation>为 {count}，无法把宽度 {width} 分成通道数为四的倍数的头</translation>
    </message>
    <message>
        <source>the command for the run&apos;s end could not be started: {reason}</source>
        <translation>无法启动训练结束时的命令：{reason}</translation>
    </message>
    <message>
        <source>the command for the run&apos;s end failed with status {status}; the run is as it was</source>
        <translation>训练结束时的命令以状态码 {status} 失败；训练结果不变</translation>
    </message>
    <message>
        <source>the first learning rate of the test must be above 0 and below the last</source>
        <translation>测试的第一步学习率必须大于 0 且小于最后一步的</translation>
    </message>
    <message>
        <source>The first loss isn't finite: no rate can be suggested. Probe the precision.</source>
        <translation>第一步的损失为 NaN/Inf：无法给出建议。请诊断精度。</translation>
    </message>
    <message>
        <source>The loss doesn't fall by more than its noise at any of these rates: none can be suggested. Test more steps, a larger batch, or a higher last rate.</source>
        <translation>在这些学习率下，损失的下降都没有超过其噪声：无法给出建议。请增加步数、批量大小，或提高最后一步的学习率。</translation>
    </message>
    <message>
        <source>The loss doesn't fall by more than its noise before it diverges at {rate}: no rate can be suggested. Test more steps, or a larger batch.</source>
        <translation>损失在 {rate} 处发散之前的下降没有超过其噪声：无法给出建议。请增加步数或批量大小。</translation>
    </message>
    <message>
        <source>The loss is lowest at {rate} already, near the first rate: none can be suggested. Test with a lower first rate.</source>
        <translation>损失在接近第一步学习率的 {rate} 处就已最低：无法给出建议。请降低第一步的学习率再测试。</translation>
    </message>
    <message>
        <source>The loss still falls at the highest rate, {rate}: no rate can be suggested. Test with a higher last rate.</source>
        <translation>在最高的学习率 {rate} 下损失仍在下降：无法给出建议。请提高最后一步的学习率再测试。</translation>
    </message>
    <message>
        <source>The schedule-free form of AdamW.</source>
        <translation>AdamW 的 schedule-free 形式。</translation>
    </message>
    <message>
        <source>Vectors are updated by AdamW at the same rate.</source>
        <translation>向量由 AdamW 以相同的学习率更新。</translation>
    </message>
    <message>
        <source>Videos.</source>
        <translation>视频。</translation>
    </message>
    <message>
        <source>a reference without an image of the same name</source>
        <translation>没有同名图片的参考图</translation>
    </message>
    <message>
        <source>a second reference of one name: {file} is used</source>
        <translation>同名的第二张参考图：使用 {file}</translation>
    </message>
    <message>
        <source>can&apos;t delete {path}: {reason}. The run stays in the list</source>
        <translation>无法删除 {path}：{reason}。该训练仍保留在列表中</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the chat template adds a system message (&apos;{text} …&apos;) to a prompt, which Qwen3&apos;s doesn&apos;t; use the tokenizer folder of the original model</source>
        <translation>“{file}”：聊天模板会给提示词加上系统消息（“{text} …”），而 Qwen3 的模板不会；请使用原模型的分词器文件夹</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the chat template lacks &apos;{text}&apos;, so it lays out a prompt in another way than Qwen3&apos;s, the only one that is supported; use the tokenizer folder of the original model</source>
        <translation>“{file}”：聊天模板中没有“{text}”，它排列提示词的方式与 Qwen3 不同，而只支持 Qwen3 的方式；请使用原模型的分词器文件夹</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is shard {number} of {count}, a part of a base model; pass the diffusers folder that its folder belongs to</source>
        <translation>“{file}”是 {count} 个分片中的第 {number} 个，只是底模的一部分；请指定其所在文件夹所属的 diffusers 文件夹</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: tensor &apos;{tensor}&apos; is in another shard too; get the model again</source>
        <translation>“{file}”：张量“{tensor}”在另一个分片中也有；请重新获取模型</translation>
    </message>
    <message>
        <source>images with a reference of another shape, which isn&apos;t cropped as they are</source>
        <translation>参考图形状不同的图片，其参考图不会与图片同样裁剪</translation>
    </message>
    <message>
        <source>internal error, without a reason</source>
        <translation>内部错误，原因不明</translation>
    </message>
    <message>
        <source>internal error: {reason}</source>
        <translation>内部错误：{reason}</translation>
    </message>
    <message>
        <source>Shorten them</source>
        <translation>请缩短</translation>
    </message>
    <message>
        <source>Shorten them, or raise data.caption_chunks</source>
        <translation>请缩短，或增大 data.caption_chunks</translation>
    </message>
    <message>
        <source>a run&apos;s samples, results and records</source>
        <translation>一次训练的样图、结果和记录</translation>
    </message>
    <message>
        <source>a second mask of an image: {file} is used</source>
        <translation>图片的第二个遮罩：使用的是 {file}</translation>
    </message>
    <message>
        <source>around the images {folder}, which aren&apos;t used for prior preservation</source>
        <translation>包含图片文件夹 {folder}，其中的图片不用于先验保留</translation>
    </message>
    <message>
        <source>around the images {folder}: none of them is left to train on</source>
        <translation>包含图片文件夹 {folder}：没有图片可供训练</translation>
    </message>
    <message>
        <source>cached encodings</source>
        <translation>缓存的编码结果</translation>
    </message>
    <message>
        <source>A matrix that is trained whole has no alpha.</source>
        <translation>整体训练的矩阵没有 alpha。</translation>
    </message>
    <message>
        <source>A share of the run, whose length came from epochs. Set schedule.decay_steps.</source>
        <translation>这是训练长度的比例，而长度由轮数决定。请设置 schedule.decay_steps。</translation>
    </message>
    <message>
        <source>At the full rate from the first step on here.</source>
        <translation>本程序从第一步起就使用完整的学习率。</translation>
    </message>
    <message>
        <source>can&apos;t map {file}: {reason}</source>
        <translation>无法将 {file} 映射到内存：{reason}</translation>
    </message>
    <message>
        <source>can&apos;t open {file} to make it durable: {reason}</source>
        <translation>无法打开 {file} 以将其可靠地写入磁盘：{reason}</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: a name in it is too long; choose a shorter one</source>
        <translation>无法写入 {file}：其中有名称过长；请使用较短的名称</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is a file, and a folder is written here; choose another path</source>
        <translation>无法写入 {file}：它是文件，而这里要写入的是文件夹；请选择其他路径</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is a folder; give the name of a file</source>
        <translation>无法写入 {file}：它是文件夹；请给出文件名</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it needs {need}, and the disk of folder {folder} has {free} free; free space or choose another folder</source>
        <translation>无法写入 {file}：需要 {need}，而文件夹 {folder} 所在磁盘只剩 {free}；请释放空间或选择其他文件夹</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: there is no folder {folder}; create it, or choose another path</source>
        <translation>无法写入 {file}：文件夹 {folder} 不存在；请创建它，或选择其他路径</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {folder} is not a folder; choose another path</source>
        <translation>无法写入 {file}：{folder} 不是文件夹；请选择其他路径</translation>
    </message>
    <message>
        <source>captions aren&apos;t read from {extension} files such as this one: write them as &lt;name&gt;.txt or &lt;name&gt;.caption beside each image, or as metadata.jsonl</source>
        <translation>不会从此类 {extension} 文件读取标注：请在每张图片旁写成 &lt;name&gt;.txt 或 &lt;name&gt;.caption，或写入 metadata.jsonl</translation>
    </message>
    <message>
        <source>concept editing (LECO)</source>
        <translation>概念编辑 (LECO)</translation>
    </message>
    <message>
        <source>ControlNet training</source>
        <translation>ControlNet 训练</translation>
    </message>
    <message>
        <source>Corners are black there; here the image is enlarged instead.</source>
        <translation>原程序旋转后四角为黑色；本程序改为放大图片。</translation>
    </message>
    <message>
        <source>Crops are enlarged by up to 1% more.</source>
        <translation>裁剪会再放大最多 1%。</translation>
    </message>
    <message>
        <source>data.folder_repeats leaves out folders as sd-scripts does, whose name begins with 0, or with no number of repeats beside others that do (images): {folders}</source>
        <translation>data.folder_repeats 与 sd-scripts 一样，略过名称以 0 开头的文件夹，以及与带重复次数的文件夹并列而不带重复次数的文件夹（图片数）：{folders}</translation>
    </message>
    <message>
        <source>caption files not used, as their image has another</source>
        <translation>因图片另有标注而未使用的标注文件</translation>
    </message>
    <message>
        <source>captions and prompts longer than the text encoder reads, cut at its limit</source>
        <translation>超出文本编码器上限而被截断的标注和提示词</translation>
    </message>
    <message>
        <source>each image is encoded in {count} versions</source>
        <translation>每张图片编码为 {count} 个版本</translation>
    </message>
    <message>
        <source>Every step drew another crop there; here each of 8 versions of an image has another crop, enlarged by up to 1% more.</source>
        <translation>原程序每一步都重新随机裁剪；本程序中一张图片有 8 个版本，各有不同裁剪，并再放大最多 1%。</translation>
    </message>
    <message>
        <source>Every step drew another hue or gamma there; here each of 8 versions of an image has another hue. data.brightness is the nearest to gamma.</source>
        <translation>原程序每一步都重新随机色相或伽马；本程序中一张图片有 8 个版本，各有不同色相。最接近伽马的是 data.brightness。</translation>
    </message>
    <message>
        <source>Falls once over the run here, again and again within lr_warmup_steps there.</source>
        <translation>本程序在整个训练中下降一次，原程序每隔 lr_warmup_steps 反复下降。</translation>
    </message>
    <message>
        <source>Falls over all epochs there, whatever max_steps is; over the run here.</source>
        <translation>原程序无论 max_steps 为多少都在全部轮次内下降；本程序在整个训练中下降。</translation>
    </message>
    <message>
        <source>Falls over all steps after the warm-up here.</source>
        <translation>本程序在预热之后的所有步中逐渐下降。</translation>
    </message>
    <message>
        <source>Folders are chosen for each run.</source>
        <translation>文件夹在每次训练时选择。</translation>
    </message>
    <message>
        <source>It rises or falls between two shares of the rate there: constant instead.</source>
        <translation>原程序中学习率在两个比例之间升降：改用 constant。</translation>
    </message>
    <message>
        <source>Larger amounts than here are cut.</source>
        <translation>超出本程序范围的幅度被截断。</translation>
    </message>
    <message>
        <source>holds floating-point samples, for which no file says which value is white; save it again with 8 or 16 bits a channel</source>
        <translation>含浮点像素值，文件没有说明哪个值是白色；请以每通道 8 位或 16 位重新保存</translation>
    </message>
    <message>
        <source>holds signed or 32-bit samples, for which no file says which value is white; save it again with 8 or 16 bits a channel</source>
        <translation>含带符号或 32 位的像素值，文件没有说明哪个值是白色；请以每通道 8 位或 16 位重新保存</translation>
    </message>
    <message>
        <source>is null, but the model&apos;s folder holds {folder}; remove the folder, or name its class</source>
        <translation>为 null，但模型文件夹中有 {folder}；请移除该文件夹，或写明它的类</translation>
    </message>
    <message>
        <source>is {found}, but the folder&apos;s weights are those of {family} ({pipeline}); use the folder of such a model, or only its weights as one file</source>
        <translation>为 {found}，但文件夹中的权重属于 {family}（{pipeline}）；请使用这类模型的文件夹，或只把权重作为单个文件使用</translation>
    </message>
    <message>
        <source>it has &apos;{tensor}&apos;</source>
        <translation>其中有“{tensor}”</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA); give the base model that it is for. The adapter itself goes to --continue-from of train and check, or to --lora of sample and merge</source>
        <translation>它是适配器（LoRA）；请给出它所对应的底模。适配器本身在 train 和 check 中用 --continue-from 指定，在 sample 和 merge 中用 --lora 指定</translation>
    </message>
    <message>
        <source>its reference {file} is {size} pixels, itself {expected}</source>
        <translation>其参考图 {file} 为 {size} 像素，图片为 {expected}</translation>
    </message>
    <message>
        <source>its reference {file} doesn&apos;t exist ({place})</source>
        <translation>其参考图 {file} 不存在（{place}）</translation>
    </message>
    <message>
        <source>its reference: {reason}</source>
        <translation>其参考图：{reason}</translation>
    </message>
    <message>
        <source>its {key} is &apos;{value}&apos;</source>
        <translation>其 {key} 为“{value}”</translation>
    </message>
    <message>
        <source>loads this part from {found}; only the model&apos;s own folder {expected} is read</source>
        <translation>指定从 {found} 加载这个部分；只会读取模型自己的文件夹 {expected}</translation>
    </message>
    <message>
        <source>names hidden state {state}; the text encoder has {layers} layers</source>
        <translation>指定了隐藏状态 {state}；文本编码器只有 {layers} 层</translation>
    </message>
    <message>
        <source>folders that Mantissa wrote, passed over</source>
        <translation>由 Mantissa 写入、已跳过的文件夹</translation>
    </message>
    <message>
        <source>folders that share images with folders for another use</source>
        <translation>与其他用途的文件夹共用图片的文件夹</translation>
    </message>
    <message>
        <source>images of which more than a third lies outside their bucket</source>
        <translation>超过三分之一落在分桶之外的图片</translation>
    </message>
    <message>
        <source>images whose names look the same, in two Unicode forms</source>
        <translation>名称看似相同、仅 Unicode 形式不同的图片</translation>
    </message>
    <message>
        <source>images with an empty caption, trained without a text</source>
        <translation>标注为空、不带文本训练的图片</translation>
    </message>
    <message>
        <source>images without a caption, trained with their folder&apos;s name</source>
        <translation>没有标注、以文件夹名训练的图片</translation>
    </message>
    <message>
        <source>Images without a caption are left out there; here they are trained with their folder&apos;s name.</source>
        <translation>原程序会跳过没有标注的图片；本程序以文件夹名训练它们。</translation>
    </message>
    <message>
        <source>Images without a caption have an empty one there, their folder&apos;s name here.</source>
        <translation>没有标注的图片在原程序中使用空标注，在本程序中使用文件夹名。</translation>
    </message>
    <message>
        <source>inside the images {folder}: it is trained on, and none of it is left for prior preservation</source>
        <translation>位于图片文件夹 {folder} 之内：其中的图片用于训练，没有图片可用于先验保留</translation>
    </message>
    <message>
        <source>inside the images {folder}: it isn&apos;t trained on</source>
        <translation>位于图片文件夹 {folder} 之内：其中的图片不参与训练</translation>
    </message>
    <message>
        <source>lr_scheduler_type counts instead.</source>
        <translation>以 lr_scheduler_type 为准。</translation>
    </message>
    <message>
        <source>merging models</source>
        <translation>合并模型</translation>
    </message>
    <message>
        <source>neither MANTISSA_HOME nor LOCALAPPDATA is set: no folder for the program&apos;s data; set MANTISSA_HOME</source>
        <translation>MANTISSA_HOME 和 LOCALAPPDATA 都没有设置，没有存放程序数据的文件夹；请设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>One for all images here: the first concept&apos;s.</source>
        <translation>本程序中所有图片共用一组设置：取第一个概念的。</translation>
    </message>
    <message>
        <source>no images given (--images): only the preset and the base model are checked, with steps at data.resolution, and a training would not start</source>
        <translation>没有指定图片（--images）：仅按 data.resolution 的步检查预设和底模，训练无法开始</translation>
    </message>
    <message>
        <source>no line of {list} names it</source>
        <translation>{list} 中没有这张图片的行</translation>
    </message>
    <message>
        <source>no reference of its name in {folder}</source>
        <translation>{folder} 中没有同名的参考图</translation>
    </message>
    <message>
        <source>samples.prompts name reference images, but no folder of them is given (--references)</source>
        <translation>samples.prompts 指定了参考图，但未给出其文件夹 (--references)</translation>
    </message>
    <message>
        <source>samples.prompts name reference images, which a replayed trace doesn&apos;t hold. Leave them out</source>
        <translation>samples.prompts 指定了参考图，但回放的跟踪文件中没有。请去掉它们</translation>
    </message>
    <message>
        <source>samples.prompts: no folder of references holds {name}, which the prompt &quot;{prompt}&quot; names</source>
        <translation>samples.prompts：提示词“{prompt}”所指的 {name} 不在任何参考图文件夹中</translation>
    </message>
    <message>
        <source>samples.prompts[{index}]: {reason}</source>
        <translation>samples.prompts[{index}]：{reason}</translation>
    </message>
    <message>
        <source>the machine refused more memory; lower data.batch_size or data.resolution, or turn training.gradient_checkpointing on</source>
        <translation>本机内存不足；请减小 data.batch_size 或 data.resolution，或开启 training.gradient_checkpointing</translation>
    </message>
    <message>
        <source>the negative prompt has no effect: guidance is 1, which turns guidance off</source>
        <translation>负面提示词不起作用：引导强度为 1，即关闭引导</translation>
    </message>
    <message>
        <source>clip skip has no effect: {model} takes its text encoders as they are</source>
        <translation>clip skip 不起作用：{model} 按原样使用文本编码器</translation>
    </message>
    <message>
        <source>emphasis has no effect: {model} reads brackets and weights as text</source>
        <translation>提示词权重不起作用：{model} 把括号和权重当作文本读取</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>training needs {need}: {activations} for activations, {weights} for weights, {adapters} for adapters and optimizer; {free} are free</source>
        <translation>训练需要 {need}（激活值 {activations}，权重 {weights}，适配器和优化器 {adapters}），可用 {free}</translation>
    </message>
    <message>
        <source>{count} of the first {images} images have no caption: they are trained with their folder's name. Write captions, or have a tagger or another model write them</source>
        <translation>前 {images} 张图片中有 {count} 张没有描述，训练时会使用文件夹名。请编写描述，或让标注模型等来编写</translation>
    </message>
    <message>
        <source>{folder} isn&apos;t there, which holds captions to put back: connect its disk or put the folder back, and try again</source>
        <translation>{folder} 不存在，而其中有要恢复的标注：请连接其所在磁盘或恢复该文件夹，然后重试</translation>
    </message>
    <message>
        <source>{folder}: the checkpoints and the result of this run take up to {need}, {free} are free. Make room there, or choose another folder</source>
        <translation>{folder}：本次训练的检查点和训练结果最多占用 {need}，可用 {free}。请腾出空间，或选择其他文件夹</translation>
    </message>
    <message>
        <source>{key} is {value}, but {model} doesn&apos;t read it, and it has no effect. Set it back to {usual}</source>
        <translation>{key} 为 {value}，但 {model} 不读取它，因此不起作用。请改回 {usual}</translation>
    </message>
    <message>
        <source>the negative prompt has no effect: {model} takes the guidance scale as an input, without a pass for what to steer away from</source>
        <translation>负面提示词不起作用：{model} 把引导强度作为输入，没有针对要避开内容的那一遍计算</translation>
    </message>
    <message>
        <source>the notice was not delivered: {address} answered with status {status}</source>
        <translation>通知未能送达：{address} 返回状态码 {status}</translation>
    </message>
    <message>
        <source>the notice was not delivered: {reason}</source>
        <translation>通知未能送达：{reason}</translation>
    </message>
    <message>
        <source>the request was cancelled</source>
        <translation>请求已取消</translation>
    </message>
    <message>
        <source>the run takes about {days} days on this device (estimated: {steps} steps of {seconds} s). Use a card, fewer steps or a smaller data.resolution</source>
        <translation>在这个设备上训练约需 {days} 天（估计：{steps} 步，每步 {seconds} 秒）。请使用显卡，减少步数，或降低 data.resolution</translation>
    </message>
    <message>
        <source>no output.format can hold the adapters of all layers that adapter.targets name: the result couldn&apos;t be written. Choose other adapter.targets, or another adapter.type</source>
        <translation>没有任何 output.format 能保存 adapter.targets 所指全部层的适配器，结果将无法写出。请选择其他 adapter.targets 或 adapter.type</translation>
    </message>
    <message>
        <source>none of the {count} prior-preservation images is left: all are trained on or in the validation set, so there is no prior preservation; give other images with --prior</source>
        <translation>{count} 张先验保留图片都已用于训练或在验证集中，一张不剩，因此没有先验保留；请用 --prior 指定其他图片</translation>
    </message>
    <message>
        <source>shares images with the validation folder {folder}: they aren&apos;t used for prior preservation</source>
        <translation>与验证文件夹 {folder} 共用图片：这些图片不用于先验保留</translation>
    </message>
    <message>
        <source>tensor {tensor} is {type} instead of F32, BF16 or F16</source>
        <translation>张量 {tensor} 的类型是 {type}，而不是 F32、BF16 或 F16</translation>
    </message>
    <message>
        <source>the same folder as the images {folder}: none of them is left to train on</source>
        <translation>与图片文件夹 {folder} 相同：没有图片可供训练</translation>
    </message>
    <message>
        <source>the same folder as the images {folder}: they are trained on, and none of them is left for prior preservation</source>
        <translation>与图片文件夹 {folder} 相同：其中的图片用于训练，没有图片可用于先验保留</translation>
    </message>
    <message>
        <source>textual inversion</source>
        <translation>文本反转 (textual inversion)</translation>
    </message>
    <message>
        <source>the process {name}</source>
        <translation>{name} 进程</translation>
    </message>
    <message>
        <source>The schedule that lr_scheduler_type names counts there: module names are never loaded from a configuration.</source>
        <translation>原程序以 lr_scheduler_type 指定的调度为准：从不按配置加载模块名。</translation>
    </message>
    <message>
        <source>the system could not make {file} durable: {reason}</source>
        <translation>系统无法将 {file} 可靠地写入磁盘：{reason}</translation>
    </message>
    <message>
        <source>the system refuses another thread; raise the limit of processes or of memory (ulimit -u, ulimit -v), or close other programs</source>
        <translation>系统拒绝创建更多线程；请提高进程数或内存上限（ulimit -u、ulimit -v），或关闭其他程序</translation>
    </message>
    <message>
        <source>the system reports: {reason}</source>
        <translation>系统报告：{reason}</translation>
    </message>
    <message>
        <source>this is no address by http or https, such as https://ntfy.sh/my-topic or http://127.0.0.1:8080</source>
        <translation>这不是 http 或 https 地址，例如 https://ntfy.sh/my-topic 或 http://127.0.0.1:8080</translation>
    </message>
    <message>
        <source>training.parts has {part}, the T5 of {family}, which can&apos;t be trained in full: its relative position bias gets no gradient. Take it out of training.parts, or set training.method to adapter</source>
        <translation>training.parts 中有 {part}，即 {family} 的 T5，它不能做全量训练：其相对位置偏置得不到梯度。请把它从 training.parts 中去掉，或把 training.method 设为 adapter</translation>
    </message>
    <message>
        <source>{address} did not answer within {seconds} seconds</source>
        <translation>{address} 在 {seconds} 秒内没有应答</translation>
    </message>
    <message>
        <source>{address}: {reason}</source>
        <translation>{address}：{reason}</translation>
    </message>
    <message>
        <source>{alone}. Split over the cards {cards}, the layers would fit: {parts}. Choose these under “Device”; {streaming}</source>
        <translation>{alone}。把各层分到显卡 {cards} 上就能放下：{parts}。请在“设备”中选择；{streaming}</translation>
    </message>
    <message>
        <source>{count} images in a row got no caption, the last because: {reason}. The captions made before stay</source>
        <translation>连续 {count} 张图片没有得到标注，最后一张的原因：{reason}。之前的标注会保留</translation>
    </message>
    <message>
        <source>{count} of samples.prompts have the usual {steps} steps with guidance {guidance}: they are rendered as {model} is made for, with {own_steps} steps and guidance {own_guidance}</source>
        <translation>samples.prompts 中有 {count} 条使用默认的 {steps} 步、引导强度 {guidance}：将按 {model} 的设计，以 {own_steps} 步、引导强度 {own_guidance} 生成</translation>
    </message>
    <message>
        <source>{count} of the first {images} images are smaller than the size they are trained at and are enlarged, {name} the most: {factor} times. Use larger images, or lower {setting} ({resolution})</source>
        <translation>前 {images} 张图片中有 {count} 张小于训练尺寸，会被放大；放大最多的是 {name}：{factor} 倍。请使用更大的图片，或降低 {setting}（{resolution}）</translation>
    </message>
    <message>
        <source>{count} more about images and captions</source>
        <translation>关于图片和标注，另有 {count} 条</translation>
    </message>
    <message>
        <source>{count} of {images} images are smaller than the size they are trained at and are enlarged, {name} the most: {factor} times. Use larger images, or lower {setting} ({resolution})</source>
        <translation>{images} 张图片中有 {count} 张小于训练尺寸，会被放大；放大最多的是 {name}：{factor} 倍。请使用更大的图片，或降低 {setting}（{resolution}）</translation>
    </message>
    <message>
        <source>{device} can&apos;t be used: {reason}. Choose another device, such as the CPU</source>
        <translation>{device} 无法使用：{reason}。请选择其他设备，例如 CPU</translation>
    </message>
    <message>
        <source>{family} reads no reference images</source>
        <translation>{family} 不读取参考图</translation>
    </message>
    <message>
        <source>{file} and {input}, which this tool reads, lie inside each other; write the result elsewhere</source>
        <translation>{file} 与此工具读取的 {input} 互相包含；请把结果写到别处</translation>
    </message>
    <message>
        <source>{file} begins with a comment that JSON does not have; remove its comments</source>
        <translation>{file} 以 JSON 没有的注释开头；请删除其中的注释</translation>
    </message>
    <message>
        <source>{file} could not be read within {seconds} s and was given up. It may be damaged, or made to do harm; nothing was changed</source>
        <translation>未能在 {seconds} 秒内读完 {file}，已放弃。该文件可能已损坏或含有恶意内容；未做任何更改</translation>
    </message>
    <message>
        <source>{file} could not be read: could not start {program} ({reason})</source>
        <translation>无法读取 {file}：无法启动 {program}({reason})</translation>
    </message>
    <message>
        <source>{file} could not be read: its settings fill the memory. Nothing was changed</source>
        <translation>无法读取 {file}：其中的设置会占满内存。未做任何更改</translation>
    </message>
    <message>
        <source>{file} could not be read: reading it ended unexpectedly (status {status}). It may be damaged, or made to do harm; nothing was changed</source>
        <translation>无法读取 {file}：读取进程意外结束(状态 {status})。该文件可能已损坏或含有恶意内容；未做任何更改</translation>
    </message>
    <message>
        <source>{count} of {all} layers have a rank of up to {rank}, more than the smaller side of their weight, at least {least}: the rest takes memory and changes nothing. Lower adapter.rank</source>
        <translation>{all} 个层中有 {count} 个的秩（最大 {rank}）超过其权重的较短边（最小 {least}）：多出的部分只占内存，不起作用。请降低 adapter.rank</translation>
    </message>
    <message>
        <source>{file} can&apos;t be removed: {reason}</source>
        <translation>无法删除 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} is a script of commands, which are not read; import the file that it names after --config_file or --dataset_config, or the .toml or .json that the trainer has saved</source>
        <translation>{file} 是命令脚本，无法读取；请导入其中 --config_file 或 --dataset_config 之后指定的文件，或训练程序保存的 .toml 或 .json</translation>
    </message>
    <message>
        <source>{file} is an image, not a configuration</source>
        <translation>{file} 是图片，不是配置</translation>
    </message>
    <message>
        <source>{file} is not a text file, so it is no configuration</source>
        <translation>{file} 不是文本文件，因此不是配置</translation>
    </message>
    <message>
        <source>{file} is text in UTF-16; save it as UTF-8</source>
        <translation>{file} 是 UTF-16 文本；请另存为 UTF-8</translation>
    </message>
    <message>
        <source>{file} is used</source>
        <translation>使用 {file}</translation>
    </message>
    <message>
        <source>the training method {name}</source>
        <translation>训练方法 {name}</translation>
    </message>
    <message>
        <source>this has {bytes} bytes; at most {most} are read</source>
        <translation>有 {bytes} 字节；最多读取 {most} 字节</translation>
    </message>
    <message>
        <source>training of an image adapter</source>
        <translation>训练图片适配器</translation>
    </message>
    <message>
        <source>training of the text conditioner by a switch; see te2 in training.parts</source>
        <translation>用开关训练文本条件器；见 training.parts 中的 te2</translation>
    </message>
    <message>
        <source>training of the VAE with that program&apos;s loss</source>
        <translation>用原程序的损失训练 VAE</translation>
    </message>
    <message>
        <source>training on conditioning images</source>
        <translation>使用条件图片的训练</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; changed while it was read; wait until it is written, then start again</source>
        <translation>“{file}” 在读取时发生了变化；请等写入完成后再开始</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; could not be decoded: the system refuses another thread or more memory ({reason}); raise the limits (ulimit -u, ulimit -v)</source>
        <translation>无法解码“{file}”：系统不再提供线程或内存（{reason}）；请提高限制（ulimit -u、ulimit -v）</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has a vision tower; {family} has a text encoder without one</source>
        <translation>“{file}”带有视觉部分；{family} 的文本编码器没有视觉部分</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has no vision tower; the text encoder of {family} has one</source>
        <translation>“{file}”没有视觉部分；{family} 的文本编码器带有视觉部分</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; holds no {part} of {family}</source>
        <translation>“{file}”中没有 {family} 的 {part}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no longer this program&apos;s lock: it was removed or replaced, and another program may own the run. Nothing more is written there, earlier checkpoints are untouched. End the other program, then resume the run</source>
        <translation>“{file}” 不再是本程序的锁：它已被删除或替换，该训练可能正由其他程序使用。不再向那里写入，之前的检查点保持不变。请结束其他程序，再恢复训练</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no SentencePiece model ({reason}); get the model&apos;s tokenizer folder again</source>
        <translation>“{file}”不是 SentencePiece 模型（{reason}）；请重新获取模型的分词器文件夹</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is not a base model: {reason}</source>
        <translation>“{file}”不是底模：{reason}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; needs more than is found in {folders}: {parts}. Choose with {options}</source>
        <translation>在 {folders} 中找不到“{file}”需要的全部文件：{parts}。请用 {options} 指定</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: metadata key mantissa.config</source>
        <translation>“{file}”：元数据键 mantissa.config</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: tensor &apos;{tensor}&apos; is not listed for this shard in the folder&apos;s index; get the model again</source>
        <translation>“{file}”：文件夹的索引没有把张量“{tensor}”列在这个分片中；请重新获取模型</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: two tensors stand for the {part} weight &apos;{weight}&apos; (one of them is &apos;{tensor}&apos;)</source>
        <translation>“{file}”：有两个张量对应 {part} 的权重“{weight}”（其中之一是“{tensor}”）</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; holds no diffusers model: no .safetensors under unet/, transformer/, text_encoder/ or vae/</source>
        <translation>“{path}”中没有 diffusers 模型：unet/、transformer/、text_encoder/ 和 vae/ 下都没有 .safetensors</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; holds no {part} weights; pass a complete checkpoint or diffusers folder</source>
        <translation>“{path}”中没有 {part} 的权重；请给出完整的检查点或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; lacks the {weight}; the checkpoint is incomplete or of another architecture</source>
        <translation>“{path}”缺少 {weight}；检查点不完整，或属于其他架构</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: tensor &apos;{tensor}&apos; must be a matrix; its shape is {shape}</source>
        <translation>“{path}”：张量“{tensor}”必须是矩阵；其形状为 {shape}</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: tensor &apos;{tensor}&apos; must hold {count} projections in equal shares of its rows; its shape is {shape}</source>
        <translation>“{path}”：张量“{tensor}”的各行必须等分为 {count} 个投影；其形状为 {shape}</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the index lists {listed} tensors, the shards hold {held} of them; a shard is missing or incomplete, get the model again</source>
        <translation>“{path}”：索引列出 {listed} 个张量，而分片中只有 {held} 个；有分片缺失或不完整，请重新获取模型</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the statistics of latent channel {channel} are mean {mean}, variance {variance}; the file is damaged</source>
        <translation>“{path}”：潜变量通道 {channel} 的统计量为均值 {mean}、方差 {variance}；文件已损坏</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the unet takes {taken} channels, the vae makes latents of {made}; the two parts belong to different models</source>
        <translation>“{path}”：unet 接受 {taken} 个通道，vae 生成的潜变量却有 {made} 个；这两个部件属于不同的模型</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the vae&apos;s {weight} has shape {shape}, but its latents have {channels} channels</source>
        <translation>“{path}”：vae 的 {weight} 形状为 {shape}，但其潜变量有 {channels} 个通道</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} has no weight *{ending}; it is of another architecture</source>
        <translation>“{path}”：{part} 中没有权重 *{ending}；它属于其他架构</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} weight &apos;{weight}&apos; has shape {shape}; more dimensions are expected</source>
        <translation>“{path}”：{part} 的权重“{weight}”形状为 {shape}；应有更多维度</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} weight &apos;{weight}&apos; has {count} values, which don&apos;t divide the width {width} into heads</source>
        <translation>“{path}”：{part} 的权重“{weight}”有 {count} 个值，无法把宽度 {width} 均分为各个注意力头</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {weight}</source>
        <translation>“{path}”：{weight}</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {weight} is stored as {type}, which can&apos;t be used; convert the checkpoint to BF16, F16 or F32</source>
        <translation>“{path}”：{weight} 以 {type} 存储，无法使用；请把检查点转换为 BF16、F16 或 F32</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: unet add_embedding.linear_1 takes {count} inputs, too few for six size embeddings and a pooled text vector; put the model&apos;s config objects into its mantissa.config metadata</source>
        <translation>“{path}”：unet 的 add_embedding.linear_1 接受 {count} 个输入，不足以容纳六个尺寸嵌入和一个池化文本向量；请把模型的各配置对象放入其元数据 mantissa.config</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: unet conv_in takes {taken} channels and conv_out gives {given}; equal numbers are expected. {advice}</source>
        <translation>“{path}”：unet 的 conv_in 接受 {taken} 个通道，而 conv_out 给出 {given} 个；两者应当相等。{advice}</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: unet has no down_blocks.0; the UNet is incomplete</source>
        <translation>“{path}”：unet 没有 down_blocks.0；UNet 不完整</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: vae has no encoder.down_blocks.0; the VAE is incomplete</source>
        <translation>“{path}”：vae 中没有 encoder.down_blocks.0；VAE 不完整</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has no layer text_model.encoder.layers.0; it is no CLIP text encoder</source>
        <translation>“{path}”：{part} 没有层 text_model.encoder.layers.0；它不是 CLIP 文本编码器</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has no {weight}; it is no {model} text encoder</source>
        <translation>“{path}”：{part} 没有 {weight}；它不是 {model} 文本编码器</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has {weight}; it is no {model} text encoder</source>
        <translation>“{path}”：{part} 有 {weight}；它不是 {model} 文本编码器</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has {weight}; attention with biases is not supported</source>
        <translation>“{path}”：{part} 有 {weight}；不支持带偏置的注意力</translation>
    </message>
    <message>
        <source>, {bytes} free</source>
        <translation>，剩余 {bytes}</translation>
    </message>
    <message>
        <source>--accept-changed: &quot;{part}&quot; is no part of a run; it takes {parts}</source>
        <translation>--accept-changed：“{part}”不是训练的组成部分；可用的有 {parts}</translation>
    </message>
    <message>
        <source>--csv and --json are two forms of the output; give one of them</source>
        <translation>--csv 和 --json 是输出的两种形式，请只指定其一</translation>
    </message>
    <message>
        <source>--out {file} and {input}, which this command reads, lie inside each other; write the result elsewhere</source>
        <translation>--out {file} 与此命令读取的 {input} 互相包含；请把结果写到别处</translation>
    </message>
    <message>
        <source>--out {file} is what this command reads; write the result elsewhere</source>
        <translation>--out {file} 正是此命令读取的内容；请把结果写到别处</translation>
    </message>
    <message>
        <source>--set {assignment}: write key=value, such as --set adapter.rank=8</source>
        <translation>--set {assignment}：请写成 key=value，例如 --set adapter.rank=8</translation>
    </message>
    <message>
        <source>--split-cards is for one process, whose cards share the layers: leave it or mpirun out</source>
        <translation>--split-cards 用于由几张显卡分担各层的单个进程：请去掉它或 mpirun</translation>
    </message>
    <message>
        <source>--split-cards names card {card} twice</source>
        <translation>--split-cards 把显卡 {card} 写了两次</translation>
    </message>
    <message>
        <source>--split-cards names one card; name those that share the layers, as cuda:0,1, or choose one with --device</source>
        <translation>--split-cards 只写了一张显卡；请写出分担各层的显卡，例如 cuda:0,1，或用 --device 选一张</translation>
    </message>
    <message>
        <source>--trace writes the steps of one card. Leave it or --split-cards out</source>
        <translation>--trace 写出的是一张显卡的步骤。请去掉它或 --split-cards</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>; for them write another file with output.format plain_lora</source>
        <translation>；请用 output.format plain_lora 为它们另写一个文件</translation>
    </message>
    <message>
        <source>; skipped {files}</source>
        <translation>；已跳过 {files}</translation>
    </message>
    <message>
        <source>Not set there: the length came from epochs.</source>
        <translation>原程序未设置：长度由轮数决定。</translation>
    </message>
    <message>
        <source>It stops at whichever comes first there; here {key} decides.</source>
        <translation>原程序以先到者结束训练；本程序以 {key} 结束。</translation>
    </message>
    <message>
        <source>Not used there: other keys give the run&apos;s length.</source>
        <translation>原程序未使用：训练长度由其他键决定。</translation>
    </message>
    <message>
        <source>__metadata__ must be an object, it is {found}</source>
        <translation>__metadata__ 必须是对象，实际为 {found}</translation>
    </message>
    <message>
        <source>a &lt;name&gt;-masklabel.png</source>
        <translation>&lt;name&gt;-masklabel.png 文件</translation>
    </message>
    <message>
        <source>a caption can&apos;t be normalised: {reason}</source>
        <translation>无法规范化标注：{reason}</translation>
    </message>
    <message>
        <source>a caption for images without one</source>
        <translation>无标注图片的默认标注</translation>
    </message>
    <message>
        <source>a mask for images without one</source>
        <translation>无遮罩图片的默认遮罩</translation>
    </message>
    <message>
        <source>A caption is one text here, with all its lines.</source>
        <translation>本程序把标注的所有行作为一段文本。</translation>
    </message>
    <message>
        <source>a caption needs room for at least the begin and the end token; the length is {length}</source>
        <translation>标注至少要容纳开始和结束两个词元；长度为 {length}</translation>
    </message>
    <message>
        <source>a caption without an image of the same name</source>
        <translation>标注没有同名的图片</translation>
    </message>
    <message>
        <source>a change of what the model predicts</source>
        <translation>改变模型的预测目标</translation>
    </message>
    <message>
        <source>a choice among several noises</source>
        <translation>在多份噪声中选择</translation>
    </message>
    <message>
        <source>a delay before averaging</source>
        <translation>推迟求平均</translation>
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
        <source>a file name without folder or extension</source>
        <translation>不含文件夹和扩展名的文件名</translation>
    </message>
    <message>
        <source>A filter of its own: see adapter.targets, which takes patterns.</source>
        <translation>自定义的筛选：参见可使用通配模式的 adapter.targets。</translation>
    </message>
    <message>
        <source>a filter of layers by name; see adapter.targets</source>
        <translation>按名称筛选层；参见 adapter.targets</translation>
    </message>
    <message>
        <source>a filter of quantised layers</source>
        <translation>筛选要量化的层</translation>
    </message>
    <message>
        <source>a guidance loss</source>
        <translation>引导损失</translation>
    </message>
    <message>
        <source>a learned scalar per module</source>
        <translation>每个模块一个可学习的标量</translation>
    </message>
    <message>
        <source>a learning rate for each block</source>
        <translation>每个块各自的学习率</translation>
    </message>
    <message>
        <source>a library of prompts</source>
        <translation>提示词库</translation>
    </message>
    <message>
        <source>a limit on OFT</source>
        <translation>对 OFT 的限制</translation>
    </message>
    <message>
        <source>a limit on the images of a folder</source>
        <translation>限制文件夹的图片数量</translation>
    </message>
    <message>
        <source>training on a share of the batches</source>
        <translation>只用部分批次训练</translation>
    </message>
    <message>
        <source>a limit on the loss</source>
        <translation>损失上限</translation>
    </message>
    <message>
        <source>a limit on the norm of adapter weights</source>
        <translation>限制适配器权重的范数</translation>
    </message>
    <message>
        <source>a limit on validation</source>
        <translation>对验证的限制</translation>
    </message>
    <message>
        <source>a link to a file that doesn&apos;t exist</source>
        <translation>指向不存在文件的链接</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>一个列表</translation>
    </message>
    <message>
        <source>a list of at most {most} {items}</source>
        <translation>最多 {most} 个 {items} 的列表</translation>
    </message>
    <message>
        <source>a list of module-path patterns</source>
        <translation>模块路径模式的列表</translation>
    </message>
    <message>
        <source>a list of objects</source>
        <translation>对象的列表</translation>
    </message>
    <message>
        <source>a list of objects with the keys {keys}</source>
        <translation>带有键 {keys} 的对象的列表</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文字的列表</translation>
    </message>
    <message>
        <source>a list of two numbers from {least} to {most}</source>
        <translation>{least} 到 {most} 之间的两个数的列表</translation>
    </message>
    <message>
        <source>a list of {count}</source>
        <translation>含 {count} 项的列表</translation>
    </message>
    <message>
        <source>a list with at least one of {choices}</source>
        <translation>至少含 {choices} 之一的列表</translation>
    </message>
    <message>
        <source>a loss divided by the masked area</source>
        <translation>除以遮罩面积的损失</translation>
    </message>
    <message>
        <source>a loss on inner features</source>
        <translation>内部特征上的损失</translation>
    </message>
    <message>
        <source>a further loss at half the size</source>
        <translation>在一半尺寸上的附加损失</translation>
    </message>
    <message>
        <source>a mask without an image of the same name</source>
        <translation>没有同名图片的遮罩</translation>
    </message>
    <message>
        <source>a matrix of {rows} by {columns} holds NaN or infinity; it has no singular values. Check the base model&apos;s file</source>
        <translation>一个 {rows} x {columns} 的矩阵含有 NaN 或无穷大，没有奇异值。请检查底模文件</translation>
    </message>
    <message>
        <source>a model of the family {family} has no part {part}</source>
        <translation>{family} 系列的模型没有部件 {part}</translation>
    </message>
    <message>
        <source>a module-path pattern of 1 to 256 characters without spaces, slashes or colons, such as &quot;denoiser.down_blocks.*.attn1.to_q&quot;</source>
        <translation>1 到 256 个字符的模块路径模式，不含空格、斜杠和冒号，例如 &quot;denoiser.down_blocks.*.attn1.to_q&quot;</translation>
    </message>
    <message>
        <source>a momentum of its own; see optimizer.betas</source>
        <translation>单独的动量；参见 optimizer.betas</translation>
    </message>
    <message>
        <source>a number from {least} to {most}</source>
        <translation> {least} 到 {most} 之间的数</translation>
    </message>
    <message>
        <source>A path: those are chosen for each run and never stored in a preset.</source>
        <translation>这是路径：路径在每次训练时选择，从不存入预设。</translation>
    </message>
    <message>
        <source>a pixel names colour {index} of a palette of {count}</source>
        <translation>有像素使用了颜色 {index}，而调色板只有 {count} 种颜色</translation>
    </message>
    <message>
        <source>a PNG chunk can&apos;t hold {bytes} bytes</source>
        <translation>一个 PNG 数据块容纳不下 {bytes} 字节</translation>
    </message>
    <message>
        <source>a positive number below 2^126</source>
        <translation>小于 2^126 的正数</translation>
    </message>
    <message>
        <source>A preset has no licence field.</source>
        <translation>预设没有许可证字段。</translation>
    </message>
    <message>
        <source>a preset is a JSON object: { &quot;mantissa_preset&quot;: 2, … }</source>
        <translation>预设是一个 JSON 对象：{ &quot;mantissa_preset&quot;: 2, … }</translation>
    </message>
    <message>
        <source>a prior loss outside the mask</source>
        <translation>遮罩外的先验损失</translation>
    </message>
    <message>
        <source>a prompt and an adapter of the run are needed</source>
        <translation>需要一条提示词和本次训练的一个适配器</translation>
    </message>
    <message>
        <source>a prompt needs room for at least one token; the length is {length}</source>
        <translation>提示词至少需要容纳一个词元；长度为 {length}</translation>
    </message>
    <message>
        <source>A random seed there; here every run has a fixed one.</source>
        <translation>原程序使用随机种子；本程序的每次训练都有固定的种子。</translation>
    </message>
    <message>
        <source>a range of timesteps</source>
        <translation>时间步范围</translation>
    </message>
    <message>
        <source>a resumed run can&apos;t change {changes}. Start a new run, or resume with the preset the run was started with</source>
        <translation>续训时不能更改 {changes}。请开始新的训练，或用开始时的预设续训</translation>
    </message>
    <message>
        <source>a probe runs on one device: give --device in place of --split-cards</source>
        <translation>探测在一个设备上运行：请用 --device 代替 --split-cards</translation>
    </message>
    <message>
        <source>a run whose layers are split over cards decides about each step from all gradients. Set optimizer.fused_back_pass to false</source>
        <translation>各层分到多张显卡的训练要根据全部梯度来决定每一步。请把 optimizer.fused_back_pass 设为 false</translation>
    </message>
    <message>
        <source>a sample of {width}x{height} can&apos;t be made with this model: sides must be multiples of {multiple} pixels</source>
        <translation>用该模型无法生成 {width}x{height} 的样图：边长必须是 {multiple} 像素的倍数</translation>
    </message>
    <message>
        <source>a sampler takes 1 to {most} steps; {steps} were asked for</source>
        <translation>采样器可用 1 到 {most} 步；要求的是 {steps} 步</translation>
    </message>
    <message>
        <source>a separator of kept tags</source>
        <translation>保留标签的分隔符</translation>
    </message>
    <message>
        <source>A share of the run, whose length came from epochs. Set schedule.warmup_steps.</source>
        <translation>这是训练长度的比例，而长度由轮数决定。请设置 schedule.warmup_steps。</translation>
    </message>
    <message>
        <source>a shift of timesteps</source>
        <translation>时间步偏移</translation>
    </message>
    <message>
        <source>a soft min-SNR</source>
        <translation>平滑的 min-SNR</translation>
    </message>
    <message>
        <source>a step inside the backward pass can&apos;t follow a dynamic loss scale, which needs a whole-model overflow check. Set optimizer.fused_back_pass to false, or precision.compute to bf16</source>
        <translation>在反向传播中更新不能与动态损失缩放同用，后者需要对整个模型做溢出检查。请把 optimizer.fused_back_pass 设为 false，或把 precision.compute 设为 bf16</translation>
    </message>
    <message>
        <source>a strength for each data set</source>
        <translation>每个数据集各自的强度</translation>
    </message>
    <message>
        <source>a strength of the adapter in samples</source>
        <translation>样图中的适配器强度</translation>
    </message>
    <message>
        <source>a text after every caption</source>
        <translation>每条标注后的文字</translation>
    </message>
    <message>
        <source>a text before every caption</source>
        <translation>每条标注前的文字</translation>
    </message>
    <message>
        <source>Followed by a space here.</source>
        <translation>本程序会在其后加一个空格。</translation>
    </message>
    <message>
        <source>a text is longer than 64 KB</source>
        <translation>有文字超过 64 KB</translation>
    </message>
    <message>
        <source>a trigger word put into captions</source>
        <translation>加入标注的触发词</translation>
    </message>
    <message>
        <source>a v-prediction term in the loss</source>
        <translation>损失中的 v 预测项</translation>
    </message>
    <message>
        <source>a whole number from {least} to {most}</source>
        <translation> {least} 到 {most} 之间的整数</translation>
    </message>
    <message>
        <source>a YAML alias (*name) is not read; write the value out</source>
        <translation>不读取 YAML 别名 (*name)；请直接写出值</translation>
    </message>
    <message>
        <source>a YAML key must be plain text</source>
        <translation>YAML 的键必须是纯文本</translation>
    </message>
    <message>
        <source>a YAML tag (!name) is not read; write the plain value</source>
        <translation>不读取 YAML 标签 (!name)；请直接写值</translation>
    </message>
    <message>
        <source>accumulated gradient</source>
        <translation>累积的梯度</translation>
    </message>
    <message>
        <source>activations in 8 bits by that library</source>
        <translation>用该库把激活量化为 8 位</translation>
    </message>
    <message>
        <source>Adafactor takes a rate of its own here: constant instead.</source>
        <translation>本程序的 Adafactor 使用给定的学习率：改用 constant。</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own learning rate</source>
        <translation>Adafactor 自己的学习率</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own warm-up</source>
        <translation>Adafactor 自己的预热</translation>
    </message>
    <message>
        <source>adapter {name}</source>
        <translation>适配器 {name}</translation>
    </message>
    <message>
        <source>adapter.init pissa changes the base weights, and this caller can&apos;t. Set adapter.init to standard</source>
        <translation>adapter.init 的 pissa 会改变底模权重，而当前的调用方式无法做到。请把 adapter.init 设为 standard</translation>
    </message>
    <message>
        <source>adapter.rank is {rank} and adapter.conv_rank {conv_rank}; the rank must be at least 1</source>
        <translation>adapter.rank 为 {rank}，adapter.conv_rank 为 {conv_rank}；秩必须至少为 1</translation>
    </message>
    <message>
        <source>adapter.targets {targets} name no module of {part}; use &quot;attention&quot;, &quot;attention+mlp&quot;, &quot;linear+conv&quot; or patterns such as &quot;*.attn1.to_q&quot;</source>
        <translation>adapter.targets {targets} 与 {part} 的任何模块都不匹配；请使用 &quot;attention&quot;、&quot;attention+mlp&quot;、&quot;linear+conv&quot; 或 &quot;*.attn1.to_q&quot; 这样的模式</translation>
    </message>
    <message>
        <source>Adapters are .safetensors with kohya&apos;s names; see output.format.</source>
        <translation>适配器是使用 kohya 命名的 .safetensors；参见 output.format。</translation>
    </message>
    <message>
        <source>Adapters are always .safetensors.</source>
        <translation>适配器总是 .safetensors。</translation>
    </message>
    <message>
        <source>adaptive noise offset</source>
        <translation>自适应噪声偏移</translation>
    </message>
    <message>
        <source>adds up to {sum}; it must be the head&apos;s width, dim / n_heads = {width} / {heads}</source>
        <translation>之和为 {sum}；必须等于每个注意力头的宽度，即 dim / n_heads = {width} / {heads}</translation>
    </message>
    <message>
        <source>adds up to {sum}; it must be {field}, which is {width}</source>
        <translation>之和为 {sum}；必须等于 {field}，即 {width}</translation>
    </message>
    <message>
        <source>data.folders has an entry for {folder}, but no image is in a folder of that name</source>
        <translation>data.folders 中有 {folder} 的条目，但没有图片位于该名称的文件夹中</translation>
    </message>
    <message>
        <source>is {found}; patches of 2 x 2 latents have a multiple of 4</source>
        <translation>为 {found}；2 x 2 的潜变量图块的通道数必须是 4 的倍数</translation>
    </message>
    <message>
        <source>is {count}, which does not divide {field}, {value}</source>
        <translation>为 {count}，不能整除 {field}（{value}）</translation>
    </message>
    <message>
        <source>is missing; Anima&apos;s models have null there</source>
        <translation>缺失；Anima 的模型在此处为 null</translation>
    </message>
    <message>
        <source>is {heads}, which doesn&apos;t divide model_dim, {width}, into heads of even width</source>
        <translation>为 {heads}，无法把 model_dim（{width}）分成宽度为偶数的注意力头</translation>
    </message>
    <message>
        <source>Always .safetensors here: pickle files are neither read nor written.</source>
        <translation>本程序总是用 .safetensors：不读也不写 pickle 文件。</translation>
    </message>
    <message>
        <source>among the trained images and isn&apos;t used for prior preservation</source>
        <translation>在训练图片之中，不用于先验保留</translation>
    </message>
    <message>
        <source>an adapter holds NaN or infinity; it has no singular values</source>
        <translation>有适配器含有 NaN 或无穷大，没有奇异值</translation>
    </message>
    <message>
        <source>an adapter that mends quantisation</source>
        <translation>弥补量化误差的适配器</translation>
    </message>
    <message>
        <source>an adapter trained with kohya&apos;s sd-scripts</source>
        <translation>用 kohya 的 sd-scripts 训练的适配器</translation>
    </message>
    <message>
        <source>an alpha channel</source>
        <translation>Alpha 通道</translation>
    </message>
    <message>
        <source>an attention block&apos;s exit</source>
        <translation>注意力块的出口</translation>
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
        <source>an object</source>
        <translation>一个对象</translation>
    </message>
    <message>
        <source>an object of at most 256 module-path patterns, each with one of {choices}</source>
        <translation>一个对象，最多含 256 个模块路径模式，每个模式对应 {choices} 之一</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>另有 {count} 个</translation>
    </message>
    <message>
        <source>another choice of timesteps</source>
        <translation>其他的时间步选取方式</translation>
    </message>
    <message>
        <source>another number of timesteps</source>
        <translation>另一个时间步数量</translation>
    </message>
    <message>
        <source>another program holds the lock {file}: the run is already open; close it there first</source>
        <translation>另一个程序持有锁 {file}：该训练已经打开；请先在那里关闭它</translation>
    </message>
    <message>
        <source>another scale of the averaged weights</source>
        <translation>平均权重的另一种缩放</translation>
    </message>
    <message>
        <source>another scale of the v-prediction loss</source>
        <translation>其他比例的 v 预测损失</translation>
    </message>
    <message>
        <source>another size of images</source>
        <translation>另一种图片尺寸</translation>
    </message>
    <message>
        <source>labels can&apos;t be drawn: {reason}</source>
        <translation>无法绘制标签：{reason}</translation>
    </message>
    <message>
        <source>saving by a number of epochs in all; set output.save_epochs</source>
        <translation>按总数保存的轮次；请设置 output.save_epochs</translation>
    </message>
    <message>
        <source>a factor on the Huber width</source>
        <translation>其他倍率的 Huber 宽度</translation>
    </message>
    <message>
        <source>Repeats come from the folders&apos; names; the folder is chosen when a run starts.</source>
        <translation>重复次数取自文件夹名；文件夹在开始时选择。</translation>
    </message>
    <message>
        <source>another strength of the squared error</source>
        <translation>其他强度的平方误差</translation>
    </message>
    <message>
        <source>another target of the loss</source>
        <translation>另一个损失目标</translation>
    </message>
    <message>
        <source>append all of a line to</source>
        <translation>追加一整行</translation>
    </message>
    <message>
        <source>append to</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>arguments of the schedule</source>
        <translation>调度的参数</translation>
    </message>
    <message>
        <source>At every step here, at a share of them there.</source>
        <translation>本程序每一步都使用，原程序只在部分步骤使用。</translation>
    </message>
    <message>
        <source>Averaged at every step here, at every few steps there.</source>
        <translation>本程序每一步都求平均，原程序每隔几步一次。</translation>
    </message>
    <message>
        <source>averaging at every few steps</source>
        <translation>每隔几步求平均</translation>
    </message>
    <message>
        <source>begins with {found}, which leaves no room for a caption&apos;s 32 tokens</source>
        <translation>的第一项为 {found}，容纳不下标注的 32 个 token</translation>
    </message>
    <message>
        <source>binary data</source>
        <translation>二进制数据</translation>
    </message>
    <message>
        <source>Buckets follow data.bucket_rule here.</source>
        <translation>本程序的分桶遵循 data.bucket_rule。</translation>
    </message>
    <message>
        <source>Sizes are given there; buckets here have the area of the largest.</source>
        <translation>原程序直接给出尺寸；本程序的分桶采用其中最大尺寸的面积。</translation>
    </message>
    <message>
        <source>Caches and conditioning have no settings here.</source>
        <translation>本程序没有缓存和条件数据的设置。</translation>
    </message>
    <message>
        <source>can&apos;t be read as BMP: {reason}; save it again as PNG</source>
        <translation>无法作为 BMP 读取：{reason}；请另存为 PNG</translation>
    </message>
    <message>
        <source>can&apos;t lock {file}: {reason}; put the folder where you may write, on a file system with locks</source>
        <translation>无法锁定 {file}：{reason}；请把文件夹放到有写入权限且支持文件锁的文件系统上</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}: {reason}; set MANTISSA_HOME to a folder that can be written</source>
        <translation>无法创建文件夹 {folder}：{reason}；请把 MANTISSA_HOME 设为可写的文件夹</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}; choose a place you may write to</source>
        <translation>无法创建文件夹 {folder}；请选择一个有写入权限的位置</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}; choose a place you may write to.</source>
        <translation>无法创建文件夹 {folder}；请选择一个有写入权限的位置。</translation>
    </message>
    <message>
        <source>can&apos;t map {file}, {bytes} bytes: {reason}</source>
        <translation>无法映射 {file}（{bytes} 字节）：{reason}</translation>
    </message>
    <message>
        <source>can&apos;t open {file} to read it</source>
        <translation>无法打开 {file} 进行读取</translation>
    </message>
    <message>
        <source>can&apos;t open {file}: {reason}</source>
        <translation>无法打开 {file}：{reason}</translation>
    </message>
    <message>
        <source>can&apos;t open {what} {path} to make it durable: {reason}</source>
        <translation>无法打开{what} {path} 以将其可靠地存入磁盘：{reason}</translation>
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
        <source>can&apos;t read the size of {file}: {reason}</source>
        <translation>无法读取 {file} 的大小：{reason}</translation>
    </message>
    <message>
        <source>can&apos;t read {file}: it is not a regular file</source>
        <translation>无法读取 {file}：不是普通文件</translation>
    </message>
    <message>
        <source>can&apos;t read {file}: {reason}</source>
        <translation>无法读取 {file}：{reason}</translation>
    </message>
    <message>
        <source>can&apos;t save the preset to {file}: {reason}; choose a folder you may write to.</source>
        <translation>无法将预设保存到 {file}：{reason}；请选择一个有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>can&apos;t tell the free space of {path}: {reason}</source>
        <translation>无法得知 {path} 的可用空间：{reason}</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: a tensor can&apos;t be called &apos;__metadata__&apos;</source>
        <translation>无法写入 safetensors 文件：张量不能命名为“__metadata__”</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: names and metadata need {bytes} bytes, above the format&apos;s limit of {most}</source>
        <translation>无法写入 safetensors 文件：名称和元数据需要 {bytes} 字节，超过该格式的上限 {most}</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: the tensor name &apos;{tensor}&apos; is given twice</source>
        <translation>无法写入 safetensors 文件：张量名“{tensor}”给出了两次</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: {what} &apos;{text}&apos; is not UTF-8</source>
        <translation>无法写入 safetensors 文件：{what}“{text}”不是 UTF-8</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is not a regular file; choose another path</source>
        <translation>无法写入 {file}：不是普通文件；请选择其他路径</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is open for reading by this program; choose another name</source>
        <translation>无法写入 {file}：本程序正在读取它；请换一个名称</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}; choose a folder you may write to.</source>
        <translation>无法写入 {file}：{reason}；请选择一个有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}; choose another path</source>
        <translation>无法写入 {file}：{reason}；请选择其他路径</translation>
    </message>
    <message>
        <source>can&apos;t write {file}; choose a folder you may write to.</source>
        <translation>无法写入 {file}；请选择一个有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>caption dropout by batches</source>
        <translation>按批丢弃标注</translation>
    </message>
    <message>
        <source>caption dropout by epochs</source>
        <translation>按轮数丢弃标注</translation>
    </message>
    <message>
        <source>caption separators</source>
        <translation>标注分隔符</translation>
    </message>
    <message>
        <source>Captions are .txt or .caption files, or metadata.jsonl.</source>
        <translation>标注是 .txt 或 .caption 文件，或 metadata.jsonl。</translation>
    </message>
    <message>
        <source>Captions are cached only together with images here.</source>
        <translation>本程序只与图片一起缓存标注。</translation>
    </message>
    <message>
        <source>captions by class; use captions or the folder&apos;s name</source>
        <translation>按类别的标注；请使用标注文件或文件夹名</translation>
    </message>
    <message>
        <source>Captions have the length of their model family.</source>
        <translation>标注采用模型家族的长度。</translation>
    </message>
    <message>
        <source>Captions of any length are read whole there; see data.caption_chunks.</source>
        <translation>原程序会完整读取任意长度的标注；参见 data.caption_chunks。</translation>
    </message>
    <message>
        <source>Captions have the mask of their model family.</source>
        <translation>标注采用模型家族的掩码。</translation>
    </message>
    <message>
        <source>captions without padding</source>
        <translation>不填充的标注</translation>
    </message>
    <message>
        <source>circular padding</source>
        <translation>循环填充</translation>
    </message>
    <message>
        <source>close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>augmentations by name; see data.brightness to data.hue</source>
        <translation>按名称指定的图像增强；参见 data.brightness 到 data.hue</translation>
    </message>
    <message>
        <source>ComfyUI divides a DoRA per output by the norm of the base weight alone, and diffusers&apos; SDXL loader leaves dora_scale out: neither renders this file as trained{advice}</source>
        <translation>ComfyUI 对按输出的 DoRA 只除以底模权重的范数，而 diffusers 的 SDXL 加载器会忽略 dora_scale：两者都不会按训练结果呈现这个文件{advice}</translation>
    </message>
    <message>
        <source>Command lines are never taken from a configuration.</source>
        <translation>从不采用配置中的命令行。</translation>
    </message>
    <message>
        <source>compression {number} is not supported</source>
        <translation>不支持压缩方式 {number}</translation>
    </message>
    <message>
        <source>compute capability {capability} is below 7.5 (RTX 20 series), the least that CUDA 13 supports</source>
        <translation>计算能力 {capability} 低于 7.5（RTX 20 系列），即 CUDA 13 支持的最低值</translation>
    </message>
    <message>
        <source>Concerns (IA)3 only.</source>
        <translation>只与 (IA)3 有关。</translation>
    </message>
    <message>
        <source>Concerns audio only.</source>
        <translation>只与音频有关。</translation>
    </message>
    <message>
        <source>Concerns embeddings only.</source>
        <translation>只与嵌入有关。</translation>
    </message>
    <message>
        <source>Concerns FLUX and SD3 only.</source>
        <translation>只与 FLUX 和 SD3 有关。</translation>
    </message>
    <message>
        <source>Decides whether a LoKr&apos;s alpha counts there.</source>
        <translation>决定 LoKr 的 alpha 在那里是否有效。</translation>
    </message>
    <message>
        <source>Concerns LoKr only.</source>
        <translation>只与 LoKr 有关。</translation>
    </message>
    <message>
        <source>Has no effect there: adapters of transformers have a scale of 1, which is an alpha of their rank.</source>
        <translation>在那里不起作用：Transformer 的适配器倍率为 1，即 alpha 等于秩。</translation>
    </message>
    <message>
        <source>Switched off there for this model family.</source>
        <translation>在那里对此模型系列会被关闭。</translation>
    </message>
    <message>
        <source>Not recorded: the file has no layers of text encoders.</source>
        <translation>没有记录：文件中没有文本编码器的层。</translation>
    </message>
    <message>
        <source>A schedule-free optimizer has a constant rate there.</source>
        <translation>无需调度的优化器在那里的学习率是恒定的。</translation>
    </message>
    <message>
        <source>{file} is what this tool reads; write the result elsewhere</source>
        <translation>{file} 正是此工具读取的内容；请把结果写到别处</translation>
    </message>
    <message>
        <source>{file}: NaN or infinite alphas of LoKr layers ({count}) are left out. They have no effect, because both factors of these layers are stored in full</source>
        <translation>{file}：已略去 LoKr 层中为 NaN 或无穷大的 alpha（{count} 个）。这些层的两个因子都是完整存储的，alpha 不起作用</translation>
    </message>
    <message>
        <source>the file changes norms or biases, which OneTrainer refuses to load; ComfyUI and A1111 read it</source>
        <translation>该文件还修改了归一化层或偏置，OneTrainer 会拒绝加载；ComfyUI 和 A1111 可以读取</translation>
    </message>
    <message>
        <source>no sample is rendered while the run trains: samples.every, samples.every_epochs and samples.every_minutes are 0. Set samples.every to a number of steps, or leave samples.prompts empty</source>
        <translation>训练时不会生成样图：samples.every、samples.every_epochs 和 samples.every_minutes 都是 0。请将 samples.every 设为步数，或清空 samples.prompts</translation>
    </message>
    <message>
        <source>lokr_dim counts instead.</source>
        <translation>改以 lokr_dim 为准。</translation>
    </message>
    <message>
        <source>lokr_full_matrix counts instead.</source>
        <translation>改以 lokr_full_matrix 为准。</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, of the whole layer there.</source>
        <translation>本程序置零的是适配器的输入，原程序置零的是整层的输入。</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, elements of its matrices there.</source>
        <translation>本程序置零的是适配器的输入，原程序置零的是其矩阵的元素。</translation>
    </message>
    <message>
        <source>Not given: trained for the first 30 epochs there, for the whole run here.</source>
        <translation>原程序未设置：原程序只训练前 30 轮，本程序全程训练。</translation>
    </message>
    <message>
        <source>The usual form of this optimizer.</source>
        <translation>该优化器的通常形式。</translation>
    </message>
    <message>
        <source>Added to the gradients there; here the weights themselves decay.</source>
        <translation>原程序将其加到梯度上；本程序中权重本身衰减。</translation>
    </message>
    <message>
        <source>Norms and biases have no weight decay there.</source>
        <translation>在原程序中归一化层和偏置没有权重衰减。</translation>
    </message>
    <message>
        <source>Always the length of the run there, whatever is given.</source>
        <translation>在原程序中无论给出什么，始终为整个训练的长度。</translation>
    </message>
    <message>
        <source>Read only with DeepSpeed there; else optimizer_config counts.</source>
        <translation>原程序只在使用 DeepSpeed 时读取，否则以 optimizer_config 为准。</translation>
    </message>
    <message>
        <source>OFT</source>
        <translation>OFT</translation>
    </message>
    <message>
        <source>{file} was made for {model}: {evidence}. Give an adapter for {family}</source>
        <translation>{file} 是为 {model} 制作的（{evidence}）。请给出 {family} 的适配器</translation>
    </message>
    <message>
        <source>{file} was written by another program meanwhile; copy again</source>
        <translation>{file} 期间已被其他程序写入；请再次复制</translation>
    </message>
    <message>
        <source>{file}: captions are read from &quot;file_name&quot; and &quot;text&quot;, which none of its {count} lines has together; the first has {keys}. Rename the keys</source>
        <translation>{file}：标注从“file_name”和“text”读取，而其 {count} 行中没有一行同时具备二者；首行的键为 {keys}。请重命名这些键</translation>
    </message>
    <message>
        <source>{file}: post_processor puts the tokens {found} around a text; expected: {expected}</source>
        <translation>{file}：post_processor 会在文本前后加上词元 {found}；应为：{expected}</translation>
    </message>
    <message>
        <source>{file}: the tensor {tensor} marks a model that is trained by EDM&apos;s noise levels (as CosXL and Playground 2.5 are), which aren&apos;t supported. Choose a base model that predicts noise (epsilon), velocity (v) or a flow</source>
        <translation>{file}：张量 {tensor} 表明该模型（如 CosXL 和 Playground 2.5）按 EDM 的噪声级别训练，不受支持。请选择预测噪声（epsilon）、速度（v）或流的基础模型</translation>
    </message>
    <message>
        <source>{file}: what it changes in {module} is beyond what FP32 holds and would be written as Inf/NaN: the factors are damaged or from a run that had diverged. Use an earlier save of the adapter</source>
        <translation>{file}：它对 {module} 的改动超出 FP32 的范围，写出来会是 Inf/NaN：这些因子已损坏，或来自已发散的训练。请使用该适配器更早的保存</translation>
    </message>
    <message>
        <source>{file}: {count} more lines are passed over</source>
        <translation>{file}：另有 {count} 行被跳过</translation>
    </message>
    <message>
        <source>{file}: {count} more lines name an image a second time</source>
        <translation>{file}：另有 {count} 行重复指定了图片</translation>
    </message>
    <message>
        <source>{file}: {count} more lines name files that aren&apos;t used</source>
        <translation>{file}：另有 {count} 行指定的文件未被使用</translation>
    </message>
    <message>
        <source>{file}: {field} is set, so it is of PEFT&apos;s form {form}, which isn&apos;t read: its tensors mean more than a LoRA&apos;s. Merge it into its base model where it was made; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}：设置了 {field}，属于 PEFT 的 {form} 形式；其张量的含义超出 LoRA，无法读取。请在制作它的程序中合并到基础模型；`mantissa extract` 可由结果制作 LoRA</translation>
    </message>
    <message>
        <source>{file}: {field} is true, but none of the tensors are magnitudes (lora_magnitude_vector). The file is incomplete: save it again where it was trained, or set use_dora to false if it is a plain LoRA</source>
        <translation>{file}：{field} 为 true，但没有幅度张量（lora_magnitude_vector）。文件不完整：请在训练处重新保存；若是普通 LoRA，请把 use_dora 设为 false</translation>
    </message>
    <message>
        <source>{file}: {field} is {found}, but PEFT can use only a value of the type {type} there. Correct it, or save the adapter again where it was trained</source>
        <translation>{file}：{field} 为 {found}，但 PEFT 在此只能使用 {type} 类型的值。请更正，或在训练处重新保存适配器</translation>
    </message>
    <message>
        <source>{file}: {key} and its other keys are shared by several trainers; add a key that tells whose configuration this is, such as network_module of sd-scripts</source>
        <translation>{file}：{key} 等键为多个训练程序所共有；请添加能表明这是哪个程序的配置的键，例如 sd-scripts 的 network_module</translation>
    </message>
    <message>
        <source>{file}: {module} has magnitudes, and adapter.decompose is off. Turn it on, or write the file as plain LoRA first, with Convert on the Tools page</source>
        <translation>{file}：{module} 带有幅值，而 adapter.decompose 处于关闭状态。请开启它，或先用“工具”中的“转换”把文件写成普通 LoRA</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first, with Convert on the Tools page</source>
        <translation>{file}：{module} 是 DoRA，而 adapter.type 为 lora。请把 adapter.type 设为 dora，或先用“工具”中的“转换”写成普通 LoRA</translation>
    </message>
    <message>
        <source>{file}: {module} is no {form} and can't be continued as one. Set adapter.type to what it was trained as</source>
        <translation>{file}：{module} 不是 {form}，不能作为 {form} 继续训练。请将 adapter.type 设为训练时的类型</translation>
    </message>
    <message>
        <source>{finding}. First: {found} {weights}</source>
        <translation>{finding}。首先出现在：{found} {weights}</translation>
    </message>
    <message>
        <source>{finding}. {weights}</source>
        <translation>{finding}。{weights}</translation>
    </message>
    <message>
        <source>{folder} ({count})</source>
        <translation>{folder}（{count}）</translation>
    </message>
    <message>
        <source>{images} images have references</source>
        <translation>{images} 张图片有参考图</translation>
    </message>
    <message>
        <source>{key} counts instead.</source>
        <translation>改以 {key} 为准。</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be {expected}; did you mean {near}?</source>
        <translation>{key} 为 {value}，应为{expected}；是不是 {near}？</translation>
    </message>
    <message>
        <source>{key}: {before} -&gt; {after}</source>
        <translation>{key}：{before} -&gt; {after}</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or lower the batch size or the resolution</source>
        <translation>{message}。请关闭占用显卡的其他程序，或减小批大小或分辨率</translation>
    </message>
    <message>
        <source>{message}. No checkpoint was saved; Resume starts it again</source>
        <translation>{message}。没有保存检查点；“续训”可从头重新开始</translation>
    </message>
    <message>
        <source>{message}. No checkpoint was saved; start it again with --resume {folder}</source>
        <translation>{message}。没有保存检查点；用 --resume {folder} 可从头重新开始</translation>
    </message>
    <message>
        <source>{message}. Saved at step {step}, in {file}; continue with --resume {folder}</source>
        <translation>{message}。已在第 {step} 步保存到 {file}；用 --resume {folder} 继续</translation>
    </message>
    <message>
        <source>{message}. Saved at step {step}; Resume continues it</source>
        <translation>{message}。已在第 {step} 步保存；“续训”从那里继续</translation>
    </message>
    <message>
        <source>{model} reads no reference images. Leave {option} out, or choose a base model that edits images</source>
        <translation>{model} 不读取参考图。请去掉 {option}，或选择能编辑图片的基础模型</translation>
    </message>
    <message>
        <source>{module}: its change has the weight&apos;s full rank, as a LoKr&apos;s mostly has, and what is written here are changes of a lower rank. {way}</source>
        <translation>{module}：它的改动是满秩的（LoKr 大多如此），而这里写出的是较低秩的改动。{way}</translation>
    </message>
    <message>
        <source>{module}: {format} files have no names for a {form}; set output.format to kohya, peft or plain_lora</source>
        <translation>{module}：{format} 格式的文件没有用于 {form} 的名称；请将 output.format 设为 kohya、peft 或 plain_lora</translation>
    </message>
    <message>
        <source>output.format is {format}, which has no names for {family}: this file has those of the LyCORIS library</source>
        <translation>output.format 是 {format}，它没有用于 {family} 的名称：此文件使用 LyCORIS 库的名称</translation>
    </message>
    <message>
        <source>The largest rank, at which matrices of up to 2048 rows and columns are trained whole.</source>
        <translation>最大的秩：行列数不超过 2048 的矩阵会完整训练，不做分解。</translation>
    </message>
    <message>
        <source>A file of its own names the form there, such as LoKr: see adapter.type.</source>
        <translation>具体形式（如 LoKr）写在单独的文件中：参见 adapter.type。</translation>
    </message>
    <message>
        <source>LoKr's smaller matrix as a low-rank product</source>
        <translation>LoKr 较小矩阵的低秩分解</translation>
    </message>
    <message>
        <source>Concerns LoRM only.</source>
        <translation>只与 LoRM 有关。</translation>
    </message>
    <message>
        <source>Concerns models with learned variance only.</source>
        <translation>只与学习方差的模型有关。</translation>
    </message>
    <message>
        <source>Concerns OFT only.</source>
        <translation>只与 OFT 有关。</translation>
    </message>
    <message>
        <source>Concerns SDXL&apos;s samples there.</source>
        <translation>在原程序中只与 SDXL 的样图有关。</translation>
    </message>
    <message>
        <source>Concerns speed or memory of that program, not the result.</source>
        <translation>只影响原程序的速度或内存，不影响结果。</translation>
    </message>
    <message>
        <source>Concerns video only.</source>
        <translation>只与视频有关。</translation>
    </message>
    <message>
        <source>conditioning images</source>
        <translation>条件图片</translation>
    </message>
    <message>
        <source>continues from {file}</source>
        <translation>从 {file} 继续</translation>
    </message>
    <message>
        <source>continues with a changed file, as accepted: {change}</source>
        <translation>按你的确认，用其他文件继续：{change}</translation>
    </message>
    <message>
        <source>Continuing is exact and needs no such key.</source>
        <translation>续训是精确的，不需要这样的键。</translation>
    </message>
    <message>
        <source>converted from UTF-16</source>
        <translation>已从 UTF-16 转换</translation>
    </message>
    <message>
        <source>could not read all of {file}: {done} of {bytes} bytes came; check the disk</source>
        <translation>未能完整读取 {file}：{bytes} 字节中只读到 {done} 字节；请检查磁盘</translation>
    </message>
    <message>
        <source>could not {action} {file}: {reason}</source>
        <translation>无法写入 {file}（操作：{action}）：{reason}</translation>
    </message>
    <message>
        <source>could not {action} {file}: {reason}; raise the limit of file sizes (ulimit -f) or choose another file system</source>
        <translation>无法写入 {file}（操作：{action}）：{reason}；请提高文件大小限制（ulimit -f），或选择其他文件系统</translation>
    </message>
    <message>
        <source>Counted in steps here, in {unit}s there. Set {setting}.</source>
        <translation>本程序按步计数，原程序的单位是 {unit}。请设置 {setting}。</translation>
    </message>
    <message>
        <source>Counts only for DoRA there.</source>
        <translation>在原程序中只对 DoRA 有效。</translation>
    </message>
    <message>
        <source>Counts only for LoRA there.</source>
        <translation>在原程序中只对 LoRA 有效。</translation>
    </message>
    <message>
        <source>Counts only for flow models there.</source>
        <translation>在原程序中只对 flow 模型起作用。</translation>
    </message>
    <message>
        <source>Counts only for LyCORIS networks there.</source>
        <translation>在原程序中只对 LyCORIS 网络有效。</translation>
    </message>
    <message>
        <source>Counts only for network types with convolutions there.</source>
        <translation>在原程序中只对带卷积的网络类型有效。</translation>
    </message>
    <message>
        <source>Counts only for SDXL there.</source>
        <translation>在原程序中只对 SDXL 有效。</translation>
    </message>
    <message>
        <source>Counts only with a schedule of its own there.</source>
        <translation>在原程序中只与自定义调度一起有效。</translation>
    </message>
    <message>
        <source>Counts only with guidance there.</source>
        <translation>在原程序中只与引导一起起作用。</translation>
    </message>
    <message>
        <source>Counts only with masks there.</source>
        <translation>在原程序中只与遮罩一起有效。</translation>
    </message>
    <message>
        <source>Counts only with other timestep distributions there.</source>
        <translation>在原程序中只与其他时间步分布一起有效。</translation>
    </message>
    <message>
        <source>Counts only with pyramid noise there.</source>
        <translation>在原程序中只与金字塔噪声一起有效。</translation>
    </message>
    <message>
        <source>Counts only with shuffle_caption there.</source>
        <translation>在原程序中只与 shuffle_caption 一起有效。</translation>
    </message>
    <message>
        <source>Counts only with the Huber error there.</source>
        <translation>在原程序中只与 Huber 误差一起有效。</translation>
    </message>
    <message>
        <source>Counts the first use here too, only further ones there.</source>
        <translation>本程序把第一次使用也算在内，原程序只计其余次数。</translation>
    </message>
    <message>
        <source>Counts together with its number.</source>
        <translation>与对应的数值一起起作用。</translation>
    </message>
    <message>
        <source>Counts together with other keys.</source>
        <translation>与其他键一起起作用。</translation>
    </message>
    <message>
        <source>create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>crops around faces</source>
        <translation>围绕人脸裁剪</translation>
    </message>
    <message>
        <source>cuBLAS 13 (of the CUDA Toolkit 13)</source>
        <translation>cuBLAS 13（属于 CUDA Toolkit 13）</translation>
    </message>
    <message>
        <source>CUDA: {notice}</source>
        <translation>CUDA：{notice}</translation>
    </message>
    <message>
        <source>cuDNN 9 for CUDA 13</source>
        <translation>用于 CUDA 13 的 cuDNN 9</translation>
    </message>
    <message>
        <source>D-Adaptation&apos;s successor: it also finds the rate by itself.</source>
        <translation>D-Adaptation 的后继者：同样会自行找到学习率。</translation>
    </message>
    <message>
        <source>data sets that are switched off</source>
        <translation>已停用的数据集</translation>
    </message>
    <message>
        <source>data sets that begin later</source>
        <translation>较晚开始的数据集</translation>
    </message>
    <message>
        <source>data sets that end earlier</source>
        <translation>较早结束的数据集</translation>
    </message>
    <message>
        <source>data.batch_size and data.repeats must be at least 1; they are {batch_size} and {repeats}</source>
        <translation>data.batch_size 和 data.repeats 必须至少为 1，现为 {batch_size} 和 {repeats}</translation>
    </message>
    <message>
        <source>data.caption_dropout must lie between 0 and 1; it is {value}</source>
        <translation>data.caption_dropout 必须在 0 到 1 之间，现为 {value}</translation>
    </message>
    <message>
        <source>data.masks is {mode}, but no image has {what}. Add masks, or set it to off</source>
        <translation>data.masks 为 {mode}，但没有图片带有 {what}。请添加遮罩，或设为 off</translation>
    </message>
    <message>
        <source>data.validation_share puts all {count} images into the validation set; add images, or set it to 0</source>
        <translation>data.validation_share 把全部 {count} 张图片都留作验证；请添加图片，或设为 0</translation>
    </message>
    <message>
        <source>data_offsets holds {found}; whole numbers from 0 are expected</source>
        <translation>data_offsets 含有 {found}；应为不小于 0 的整数</translation>
    </message>
    <message>
        <source>data_offsets must hold two numbers, it holds more</source>
        <translation>data_offsets 必须含两个数，实际不止两个</translation>
    </message>
    <message>
        <source>data_offsets must hold two numbers, it holds {count}</source>
        <translation>data_offsets 必须含两个数，实际有 {count} 个</translation>
    </message>
    <message>
        <source>debiased estimation; min-SNR is near to it</source>
        <translation>去偏估计；min-SNR 与之接近</translation>
    </message>
    <message>
        <source>Any value switches it on there.</source>
        <translation>在原程序中任何取值都会启用它。</translation>
    </message>
    <message>
        <source>Describes a run, not a preset.</source>
        <translation>描述的是某次训练，而不是预设。</translation>
    </message>
    <message>
        <source>Describes the file, not the training.</source>
        <translation>描述的是文件，不是训练。</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; is unknown. Use cpu or cuda:0; `mantissa devices` lists what is there</source>
        <translation>未知的设备“{device}”。请使用 cpu 或 cuda:0；`mantissa devices` 会列出现有设备</translation>
    </message>
    <message>
        <source>device {device}</source>
        <translation>设备 {device}</translation>
    </message>
    <message>
        <source>device {device} can&apos;t be used: {reason}. Or use --device cpu</source>
        <translation>设备 {device} 无法使用：{reason}。也可以使用 --device cpu</translation>
    </message>
    <message>
        <source>differential guidance</source>
        <translation>差分引导</translation>
    </message>
    <message>
        <source>diffusers and PEFT render this file as trained; programs that look for dora_scale, such as ComfyUI, don&apos;t{advice}</source>
        <translation>diffusers 和 PEFT 会按训练结果呈现这个文件；ComfyUI 等查找 dora_scale 的程序则不会{advice}</translation>
    </message>
    <message>
        <source>diffusers&apos; SDXL loader leaves dora_scale out and renders this file as plain LoRA, unlike it was trained{advice}</source>
        <translation>diffusers 的 SDXL 加载器会忽略 dora_scale，把这个文件当作普通 LoRA 呈现，与训练结果不同{advice}</translation>
    </message>
    <message>
        <source>dimension {number} in shape is above 2^63-1</source>
        <translation>shape 中的维度 {number} 大于 2^63-1</translation>
    </message>
    <message>
        <source>distillation</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <source>does not follow FP32</source>
        <translation>与 FP32 不一致</translation>
    </message>
    <message>
        <source>down_block_types (levels with attention)</source>
        <translation>down_block_types（带注意力的层级）</translation>
    </message>
    <message>
        <source>Drawn alike, without its weights of the loss.</source>
        <translation>抽取方式相同，但不采用其损失权重。</translation>
    </message>
    <message>
        <source>dropout of modules</source>
        <translation>模块的丢弃</translation>
    </message>
    <message>
        <source>dropout of ranks</source>
        <translation>秩的丢弃</translation>
    </message>
    <message>
        <source>dropout of single tags</source>
        <translation>单个标签的丢弃</translation>
    </message>
    <message>
        <source>dtype {type} is unknown</source>
        <translation>未知的 dtype {type}</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>encoding the images and captions needs {need} MB of {card}, which has {free} MB. Name a card with more memory first in --split-cards, or fill the cache with a run on it</source>
        <translation>编码图片和描述需要 {card} 的 {need} MB，而它只有 {free} MB。请在 --split-cards 中把显存更大的显卡写在最前面，或先用它的一次训练填好缓存</translation>
    </message>
    <message>
        <source>ends in .safetensors; leave the extension out</source>
        <translation>以 .safetensors 结尾；请去掉扩展名</translation>
    </message>
    <message>
        <source>Every checkpoint holds all that a run needs to continue exactly.</source>
        <translation>每个检查点都包含精确续训所需的一切。</translation>
    </message>
    <message>
        <source>every image is also in a validation folder, so there is none to train on; give other images with --validation</source>
        <translation>所有图片都在验证文件夹中，没有可训练的图片；请为 --validation 另选图片</translation>
    </message>
    <message>
        <source>Every save holds all that a run needs to continue exactly.</source>
        <translation>每次保存都包含精确续训所需的一切。</translation>
    </message>
    <message>
        <source>feedback of the averaged weights</source>
        <translation>平均权重的反馈</translation>
    </message>
    <message>
        <source>field {field} appears twice</source>
        <translation>字段 {field} 出现了两次</translation>
    </message>
    <message>
        <source>field {field} can&apos;t be {found}</source>
        <translation>字段 {field} 不能是 {found}</translation>
    </message>
    <message>
        <source>field {field} is missing</source>
        <translation>缺少字段 {field}</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>Files are named after output.name.</source>
        <translation>文件以 output.name 命名。</translation>
    </message>
    <message>
        <source>flow_schedule_shift counts instead.</source>
        <translation>以 flow_schedule_shift 为准。</translation>
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
        <source>follows FP32</source>
        <translation>与 FP32 一致</translation>
    </message>
    <message>
        <source>follows FP32 roughly</source>
        <translation>与 FP32 大致一致</translation>
    </message>
    <message>
        <source>freezing of layers</source>
        <translation>冻结层</translation>
    </message>
    <message>
        <source>Frozen weights have one scale per output channel here; see precision.weights.</source>
        <translation>本程序的冻结权重每个输出通道有一个缩放系数；参见 precision.weights。</translation>
    </message>
    <message>
        <source>generalised noise offset</source>
        <translation>广义噪声偏移</translation>
    </message>
    <message>
        <source>Given again: the last one counts.</source>
        <translation>重复给出：以最后一个为准。</translation>
    </message>
    <message>
        <source>Given again: {key} counts.</source>
        <translation>重复给出：以 {key} 为准。</translation>
    </message>
    <message>
        <source>gives a width of {width}, which must be a multiple of {multiple} (position and size embeddings share it)</source>
        <translation>得出的宽度为 {width}，而它必须是 {multiple} 的倍数（位置嵌入和尺寸嵌入共用该宽度）</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>guidance rescale</source>
        <translation>引导重缩放</translation>
    </message>
    <message>
        <source>guidance while training</source>
        <translation>训练时的引导</translation>
    </message>
    <message>
        <source>has {bytes} bytes; image files may have at most {most}</source>
        <translation>有 {bytes} 字节；图片文件最多 {most} 字节</translation>
    </message>
    <message>
        <source>has {count} colour bands after conversion; 3 are expected, save it again as RGB</source>
        <translation>转换后有 {count} 个颜色通道；应为 3 个，请重新存为 RGB</translation>
    </message>
    <message>
        <source>has {count} entries; models with one patch size are supported</source>
        <translation>有 {count} 项；仅支持只有一种 patch 大小的模型</translation>
    </message>
    <message>
        <source>has {width} x {height} pixels; at most {most} are read, make it smaller</source>
        <translation>有 {width} x {height} 像素；最多读取 {most} 像素，请缩小</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Held-out images and their noise follow from their content.</source>
        <translation>验证图片及其噪声由图片内容决定。</translation>
    </message>
    <message>
        <source>holds &quot;..&quot;; a preset names no place on a disk</source>
        <translation>含有“..”；预设不指明磁盘上的位置</translation>
    </message>
    <message>
        <source>holds &apos;{found}&apos;; DownBlock2D and CrossAttnDownBlock2D are supported</source>
        <translation>含有“{found}”；支持 DownBlock2D 和 CrossAttnDownBlock2D</translation>
    </message>
    <message>
        <source>holds a NUL byte (at {byte}); save it as UTF-8 text</source>
        <translation>含有 NUL 字节（位于 {byte}）；请存为 UTF-8 文本</translation>
    </message>
    <message>
        <source>holds a URL; presets hold none, because they are shared</source>
        <translation>含有网址；预设会被分享，因此不含网址</translation>
    </message>
    <message>
        <source>holds control characters</source>
        <translation>含有控制字符</translation>
    </message>
    <message>
        <source>Holds for every trained part here.</source>
        <translation>在本程序中对所有被训练组件生效。</translation>
    </message>
    <message>
        <source>holds no CrossAttnDownBlock2D and the middle block no attention: captions would have no effect</source>
        <translation>不含 CrossAttnDownBlock2D，中间块也没有注意力：标注将不起作用</translation>
    </message>
    <message>
        <source>holds one of / \ : * ? &quot; &lt; &gt; |; give a file name without a folder</source>
        <translation>含有 / \ : * ? &quot; &lt; &gt; | 之一；请给出不带文件夹的文件名</translation>
    </message>
    <message>
        <source>holds {found}; a piece and its score are expected</source>
        <translation>含有 {found}；应为子词及其分数</translation>
    </message>
    <message>
        <source>holds {found}; channels turn in pairs</source>
        <translation>包含 {found}；通道成对旋转，因此必须是偶数</translation>
    </message>
    <message>
        <source>Images and what is done with them are chosen for each run, not by a preset.</source>
        <translation>图片及其处理方式在每次训练时选择，不由预设决定。</translation>
    </message>
    <message>
        <source>Images are always resized with Lanczos.</source>
        <translation>图片总是用 Lanczos 缩放。</translation>
    </message>
    <message>
        <source>Images are never changed or deleted.</source>
        <translation>从不修改或删除图片。</translation>
    </message>
    <message>
        <source>Images are scaled to their bucket and cropped around the centre.</source>
        <translation>图片缩放到所属分桶并居中裁剪。</translation>
    </message>
    <message>
        <source>Images for validation are chosen for each run.</source>
        <translation>验证图片在每次训练时选择。</translation>
    </message>
    <message>
        <source>in a validation folder and isn&apos;t trained on</source>
        <translation>在验证文件夹中，不参与训练</translation>
    </message>
    <message>
        <source>in the validation set and isn&apos;t used for prior preservation</source>
        <translation>留作验证，不用于先验保留</translation>
    </message>
    <message>
        <source>infinity</source>
        <translation>无穷大</translation>
    </message>
    <message>
        <source>input perturbation</source>
        <translation>输入扰动</translation>
    </message>
    <message>
        <source>input {name}</source>
        <translation>输入 {name}</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>inputs of the model&apos;s own making</source>
        <translation>模型自身生成的输入</translation>
    </message>
    <message>
        <source>inverted masks</source>
        <translation>反转的遮罩</translation>
    </message>
    <message>
        <source>is &apos;{found}&apos;; only gated-gelu (T5 v1.1) is supported</source>
        <translation>为“{found}”；只支持 gated-gelu（T5 v1.1）</translation>
    </message>
    <message>
        <source>is &apos;{found}&apos;; only {choices} is supported</source>
        <translation>为“{found}”；只支持 {choices}</translation>
    </message>
    <message>
        <source>is &apos;{found}&apos;; {cross}, {plain} and null are supported</source>
        <translation>为“{found}”；支持 {cross}、{plain} 和 null</translation>
    </message>
    <message>
        <source>is a device name on Windows; choose another</source>
        <translation>是 Windows 的设备名；请换一个</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>is empty (0 bytes); replace the file</source>
        <translation>是空文件（0 字节）；请更换文件</translation>
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
        <source>is longer than 64 KB; a caption holds a few sentences</source>
        <translation>超过 64 KB；标注只需几句话</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>is missing; latents_mean and latents_std belong together</source>
        <translation>缺失；latents_mean 和 latents_std 必须同时给出</translation>
    </message>
    <message>
        <source>is missing; where transformer_layers_per_block holds lists it must say what the way up has</source>
        <translation>缺失；transformer_layers_per_block 含有列表时，它必须说明上行路径各层级的数目</translation>
    </message>
    <message>
        <source>is no image by its content; JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF are read</source>
        <translation>从内容看不是图片；可读取 JPEG、PNG、WebP、AVIF、TIFF、BMP 和 GIF</translation>
    </message>
    <message>
        <source>is not valid UTF-8</source>
        <translation>不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>is null; only models with it are supported</source>
        <translation>为 null；只支持带有它的模型</translation>
    </message>
    <message>
        <source>is truncated or damaged and was not used ({reason}); replace the file</source>
        <translation>被截断或已损坏，未使用（{reason}）；请更换文件</translation>
    </message>
    <message>
        <source>is UTF-16 cut in the middle of a character; save it as UTF-8</source>
        <translation>是在字符中间截断的 UTF-16；请存为 UTF-8</translation>
    </message>
    <message>
        <source>is {count}, which does not divide the {heads} heads of num_attention_heads</source>
        <translation>为 {count}，无法整除 num_attention_heads 的 {heads} 个头</translation>
    </message>
    <message>
        <source>is {divisor}, which does not divide the {channels} channels of level {level} into {parts}</source>
        <translation>为 {divisor}，无法把层级 {level} 的 {channels} 个通道均分给各个{parts}</translation>
    </message>
    <message>
        <source>is {found}, beyond the vocabulary</source>
        <translation>为 {found}，超出词表</translation>
    </message>
    <message>
        <source>is {found}, but latents_mean is set too; remove one of them</source>
        <translation>为 {found}，但同时设置了 latents_mean；请去掉其中一个</translation>
    </message>
    <message>
        <source>is {found}, which is no multiple of patch_size {patch}</source>
        <translation>为 {found}，不是 patch_size {patch} 的倍数</translation>
    </message>
    <message>
        <source>is {found}; expected: {expected}</source>
        <translation>为 {found}；应为 {expected}</translation>
    </message>
    <message>
        <source>is {found}; it must be the width {width} (heads x attention_head_dim)</source>
        <translation>为 {found}；必须等于宽度 {width}（注意力头数 x attention_head_dim）</translation>
    </message>
    <message>
        <source>is {found}; models with it are not supported (a plain model of its family is)</source>
        <translation>为 {found}；不支持带有它的模型（支持同系列的普通模型）</translation>
    </message>
    <message>
        <source>is {found}; only {choices} is supported (a plain model of its family)</source>
        <translation>为 {found}；只支持 {choices}（同系列的普通模型）</translation>
    </message>
    <message>
        <source>is {found}; noise levels go down from 1</source>
        <translation>为 {found}；噪声级别从 1 开始递减</translation>
    </message>
    <message>
        <source>is {found}; rotary embeddings need an even number</source>
        <translation>为 {found}；旋转位置嵌入需要偶数</translation>
    </message>
    <message>
        <source>is {found}; the levels that read the text must all have the same width</source>
        <translation>为 {found}；读取文本的各层级宽度必须相同</translation>
    </message>
    <message>
        <source>is {found}; this version doesn&apos;t know the field and can&apos;t tell whether it changes the model. Remove it if it has its default value</source>
        <translation>为 {found}；此版本不认识该字段，无法判断它是否会改变模型。如果它是默认值，请去掉</translation>
    </message>
    <message>
        <source>is {heads}, which does not divide the {channels} channels of hidden_size</source>
        <translation>为 {heads}，无法整除 hidden_size 的 {channels} 个通道</translation>
    </message>
    <message>
        <source>is {name}, which adds noise in another way than the models of these families are trained with; put the model&apos;s own scheduler_config.json there</source>
        <translation>为 {name}，其加噪方式与这些系列的模型训练时所用的不同；请在那里放入模型自带的 scheduler_config.json</translation>
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
        <source>its caption {file} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with `mantissa caption --recode`</source>
        <translation>其标注 {file} 在第 {byte} 字节处不是有效的 UTF-8；请另存为 UTF-8，或用 `mantissa caption --recode` 转换</translation>
    </message>
    <message>
        <source>its caption {file} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with “Read as…”</source>
        <translation>其标注 {file} 在第 {byte} 字节处不是有效的 UTF-8；请另存为 UTF-8，或用“按编码读取…”转换</translation>
    </message>
    <message>
        <source>{name} is a device on Windows</source>
        <translation>{name} 在 Windows 上是设备名</translation>
    </message>
    <message>
        <source>{path}: none of the files in this folder ({files}) can be read as an image</source>
        <translation>{path}：此文件夹中的 {files} 个文件都无法作为图片读取</translation>
    </message>
    <message>
        <source>{place} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with `mantissa caption --recode`</source>
        <translation>{place} 的第 {byte} 字节不是有效的 UTF-8；请另存为 UTF-8，或用 `mantissa caption --recode` 转换</translation>
    </message>
    <message>
        <source>{place} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with “Read as…”</source>
        <translation>{place} 的第 {byte} 字节不是有效的 UTF-8；请另存为 UTF-8，或用“按编码读取…”转换</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has changed since it was read; it is left as it is</source>
        <translation>“{file}”在读取之后已被更改；保持原样</translation>
    </message>
    <message>
        <source>this system has no tables for {encoding}; on Linux they come with the C library&apos;s gconv modules</source>
        <translation>本系统没有 {encoding} 的转换表；在 Linux 上它由 C 库的 gconv 模块提供</translation>
    </message>
    <message>
        <source>is not {encoding}; it stays as it is</source>
        <translation>不是 {encoding} 编码；保持原样</translation>
    </message>
    <message>
        <source>stays as it is: {reason}</source>
        <translation>保持原样：{reason}</translation>
    </message>
    <message>
        <source>no file was read as {encoding}; `--recode list` shows how each would read</source>
        <translation>没有文件能按 {encoding} 读取；`--recode list` 会显示各文件的读取结果</translation>
    </message>
    <message>
        <source>Japanese (Shift-JIS)</source>
        <translation>日文 (Shift-JIS)</translation>
    </message>
    <message>
        <source>Simplified Chinese (GB18030, GBK)</source>
        <translation>简体中文 (GB18030、GBK)</translation>
    </message>
    <message>
        <source>Traditional Chinese (Big5)</source>
        <translation>繁体中文 (Big5)</translation>
    </message>
    <message>
        <source>Korean (EUC-KR)</source>
        <translation>韩文 (EUC-KR)</translation>
    </message>
    <message>
        <source>Western European (Windows-1252)</source>
        <translation>西欧 (Windows-1252)</translation>
    </message>
    <message>
        <source>Cyrillic (Windows-1251)</source>
        <translation>西里尔文 (Windows-1251)</translation>
    </message>
    <message>
        <source>it has no manifest</source>
        <translation>没有清单文件</translation>
    </message>
    <message>
        <source>it has {bytes} bytes, fewer than the 8 of the length field</source>
        <translation>只有 {bytes} 字节，少于长度字段的 8 字节</translation>
    </message>
    <message>
        <source>it lists more than 2^32 tensors</source>
        <translation>列出的张量超过 2^32 个</translation>
    </message>
    <message>
        <source>It loses {module}: pin it to {type} (+{size} MB).</source>
        <translation>差距来自 {module}：请将其固定为 {type}（+{size} MB）。</translation>
    </message>
    <message>
        <source>it overlaps another tensor</source>
        <translation>与另一个张量重叠</translation>
    </message>
    <message>
        <source>its caption {file} {reason}</source>
        <translation>其标注 {file} {reason}</translation>
    </message>
    <message>
        <source>its caption, the folder&apos;s name, {reason}</source>
        <translation>其标注（文件夹名）{reason}</translation>
    </message>
    <message>
        <source>its checksum doesn&apos;t fit its content</source>
        <translation>校验和与内容不符</translation>
    </message>
    <message>
        <source>its colour profile can&apos;t be used and was ignored</source>
        <translation>颜色配置无法使用，已忽略</translation>
    </message>
    <message>
        <source>its header claims {claimed} bytes, above the limit of {most}</source>
        <translation>文件头声称有 {claimed} 字节，超过上限 {most}</translation>
    </message>
    <message>
        <source>its header claims {claimed} bytes, the file has only {left} after the length field</source>
        <translation>文件头声称有 {claimed} 字节，而长度字段之后只有 {left} 字节</translation>
    </message>
    <message>
        <source>its header says {told} but it decodes to {found}</source>
        <translation>文件头标明 {told}，解码后却是 {found}</translation>
    </message>
    <message>
        <source>its manifest does not hold step, files and checksum</source>
        <translation>清单中没有 step、files 和 checksum</translation>
    </message>
    <message>
        <source>its manifest does not name {file}</source>
        <translation>清单中没有 {file}</translation>
    </message>
    <message>
        <source>its manifest has another content than its checksum says</source>
        <translation>清单的内容与其校验和不符</translation>
    </message>
    <message>
        <source>its manifest names no file of the checkpoint in {entry}</source>
        <translation>清单的 {entry} 中没有检查点的文件名</translation>
    </message>
    <message>
        <source>its mask {file} is all black: no part of the image counts for more than data.unmasked_weight</source>
        <translation>遮罩 {file} 全黑：图片任何部分的权重都不超过 data.unmasked_weight</translation>
    </message>
    <message>
        <source>its mask {file} is {size} pixels, another shape than the image&apos;s {expected}</source>
        <translation>其遮罩 {file} 为 {size} 像素，与图片的 {expected} 形状不同</translation>
    </message>
    <message>
        <source>its mask: {reason}</source>
        <translation>其遮罩：{reason}</translation>
    </message>
    <message>
        <source>its output overflows fp16</source>
        <translation>其输出在 fp16 下溢出</translation>
    </message>
    <message>
        <source>its size is {width} x {height}</source>
        <translation>尺寸为 {width} x {height}</translation>
    </message>
    <message>
        <source>its tensors end at byte {end} of the data part, {left} bytes are left over</source>
        <translation>张量到数据区第 {end} 字节为止，多出 {left} 字节</translation>
    </message>
    <message>
        <source>JPEG, PNG, WebP, AVIF, TIFF, BMP or GIF</source>
        <translation>JPEG、PNG、WebP、AVIF、TIFF、BMP 或 GIF</translation>
    </message>
    <message>
        <source>kohya (sd-scripts, kohya_ss)</source>
        <translation>kohya 配置（sd-scripts、kohya_ss）</translation>
    </message>
    <message>
        <source>layers outside of the blocks</source>
        <translation>块以外的层</translation>
    </message>
    <message>
        <source>leaves no room for the pooled text vector beside six embeddings of {width}</source>
        <translation>除六个宽度为 {width} 的嵌入外，没有给池化文本向量留出空间</translation>
    </message>
    <message>
        <source>Limits the norm of all gradients here, each of them there.</source>
        <translation>本程序限制全部梯度的范数，原程序限制每个梯度值。</translation>
    </message>
    <message>
        <source>Gradients are not clipped there with gradient_release.</source>
        <translation>在原程序中使用 gradient_release 时不裁剪梯度。</translation>
    </message>
    <message>
        <source>linear_timesteps counts instead.</source>
        <translation>以 linear_timesteps 为准。</translation>
    </message>
    <message>
        <source>looks like a path; presets hold none, because they are shared</source>
        <translation>看起来是路径；预设会被分享，因此不含路径</translation>
    </message>
    <message>
        <source>LoRA+ for one part alone</source>
        <translation>只对一个部件使用 LoRA+</translation>
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
        <source>make the folder</source>
        <translation>创建文件夹</translation>
    </message>
    <message>
        <source>MANTISSA_CUDA_LIBRARY must be the absolute path of the CUDA library</source>
        <translation>MANTISSA_CUDA_LIBRARY 必须是 CUDA 库的绝对路径</translation>
    </message>
    <message>
        <source>mantissa_preset is missing; add &quot;mantissa_preset&quot;: 2, so that it is known for a preset and in which format</source>
        <translation>缺少 mantissa_preset；请加上 &quot;mantissa_preset&quot;: 2，以表明这是预设及其格式</translation>
    </message>
    <message>
        <source>mantissa_preset is {given}, written by a newer Mantissa; this one reads format {known}: update Mantissa, or export the preset again from there in the older format</source>
        <translation>mantissa_preset 为 {given}，由更新的 Mantissa 写出，而本版本读取格式 {known}：请更新 Mantissa，或在那里以旧格式重新导出预设</translation>
    </message>
    <message>
        <source>mantissa_preset must be 1 or 2, the number of the preset format</source>
        <translation>mantissa_preset 必须是 1 或 2，即预设格式的编号</translation>
    </message>
    <message>
        <source>Masks stand beside the images here, as &lt;name&gt;-masklabel.png; in a folder of their own there.</source>
        <translation>本程序的遮罩放在图片旁边，名为 &lt;name&gt;-masklabel.png；原程序放在单独的文件夹中。</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>metadata key</source>
        <translation>元数据键</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Module names are never loaded from a configuration.</source>
        <translation>从不按配置加载模块名。</translation>
    </message>
    <message>
        <source>module-path patterns</source>
        <translation>模块路径模式</translation>
    </message>
    <message>
        <source>moving blocks to the host</source>
        <translation>把块移到主机内存</translation>
    </message>
    <message>
        <source>must be 1: an image is one frame</source>
        <translation>必须为 1：一张图片就是一帧</translation>
    </message>
    <message>
        <source>must be a list of 1 to 16 whole numbers, it is {found}</source>
        <translation>必须是 1 到 16 个整数的列表，实际为 {found}</translation>
    </message>
    <message>
        <source>must be a list of pieces with their scores</source>
        <translation>必须是子词及其分数的列表</translation>
    </message>
    <message>
        <source>must be a list of texts</source>
        <translation>必须是文字的列表</translation>
    </message>
    <message>
        <source>must be a list of texts, it is {found}</source>
        <translation>必须是文字的列表，实际为 {found}</translation>
    </message>
    <message>
        <source>must be a list of {count} numbers, it is {found}</source>
        <translation>必须是 {count} 个数的列表，实际为 {found}</translation>
    </message>
    <message>
        <source>must be a number from {least} to {most}; it is {found}</source>
        <translation>必须是 {least} 到 {most} 之间的数，实际为 {found}</translation>
    </message>
    <message>
        <source>must be a number of bytes, it is {found}</source>
        <translation>必须是字节数，实际为 {found}</translation>
    </message>
    <message>
        <source>must be a number, it is {found}</source>
        <translation>必须是数字，实际为 {found}</translation>
    </message>
    <message>
        <source>must be a positive number, it is {found}</source>
        <translation>必须是正数，实际为 {found}</translation>
    </message>
    <message>
        <source>must be an object</source>
        <translation>必须是对象</translation>
    </message>
    <message>
        <source>must be below 1; it is {found}</source>
        <translation>必须小于 1，实际为 {found}</translation>
    </message>
    <message>
        <source>must be at most {most}; it is {found}</source>
        <translation>不得超过 {most}，实际为 {found}</translation>
    </message>
    <message>
        <source>must be one whole number, or a height and a width; it is {found}</source>
        <translation>必须是一个整数，或高和宽，实际为 {found}</translation>
    </message>
    <message>
        <source>must be output or input, it is {found}</source>
        <translation>必须是 output 或 input，实际为 {found}</translation>
    </message>
    <message>
        <source>must be text, it is {found}</source>
        <translation>必须是文字，实际为 {found}</translation>
    </message>
    <message>
        <source>must be true or false, it is {found}</source>
        <translation>必须是 true 或 false，实际为 {found}</translation>
    </message>
    <message>
        <source>must be {choices}; it is &apos;{found}&apos;</source>
        <translation>必须是 {choices}，实际为“{found}”</translation>
    </message>
    <message>
        <source>must differ from base_image_seq_len</source>
        <translation>必须与 base_image_seq_len 不同</translation>
    </message>
    <message>
        <source>must have {wanted} entries, it has {count}</source>
        <translation>必须有 {wanted} 项，实际为 {count} 项</translation>
    </message>
    <message>
        <source>must hold true or false for each of the {count} levels but the last, it is {found}</source>
        <translation>必须为除最后一级外的 {count} 级各给出 true 或 false，而它是 {found}</translation>
    </message>
    <message>
        <source>must have one entry for each of the {levels} levels of block_out_channels</source>
        <translation>必须为 block_out_channels 的 {levels} 个层级各给出一项</translation>
    </message>
    <message>
        <source>must have one entry for each of the {levels} levels of block_out_channels, it has {count}</source>
        <translation>必须为 block_out_channels 的 {levels} 个层级各给出一项，实际有 {count} 项</translation>
    </message>
    <message>
        <source>must have one entry for each of the {levels} levels of block_out_channels, it is {found}</source>
        <translation>必须为 block_out_channels 的 {levels} 个层级各给出一项，实际为 {found}</translation>
    </message>
    <message>
        <source>must have one number for each of the {count} transformers of a level, it has {found}</source>
        <translation>必须为一个层级的 {count} 个 transformer 各给出一个数，实际为 {found}</translation>
    </message>
    <message>
        <source>must hold numbers between 0 and 1; it holds {found}</source>
        <translation>必须含 0 到 1 之间的数，实际含有 {found}</translation>
    </message>
    <message>
        <source>must hold positive numbers, it is {found}</source>
        <translation>必须全是正数，实际为 {found}</translation>
    </message>
    <message>
        <source>must hold {type} once a layer ({layers} layers); sliding windows are not supported</source>
        <translation>必须每层各有一个 {type}（共 {layers} 层）；不支持滑动窗口</translation>
    </message>
    <message>
        <source>must hold {type} once a level ({levels} levels)</source>
        <translation>必须每个层级各有一个 {type}（共 {levels} 个层级）</translation>
    </message>
    <message>
        <source>must mirror down_block_types (level {level} has &apos;{found}&apos;)</source>
        <translation>必须与 down_block_types 对称（层级 {level} 为“{found}”）</translation>
    </message>
    <message>
        <source>must start with an even number (sine and cosine halves)</source>
        <translation>的第一个数必须是偶数（正弦和余弦各占一半）</translation>
    </message>
    <message>
        <source>neither MANTISSA_HOME, {variable} nor HOME is set: no folder for the program&apos;s data; set MANTISSA_HOME</source>
        <translation>MANTISSA_HOME、{variable} 和 HOME 都没有设置：没有存放程序数据的文件夹；请设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>no base model given (--base). Choose a .safetensors or .gguf file, a diffusers folder or demo</source>
        <translation>没有给出底模（--base）。请选择 .safetensors 或 .gguf 文件、diffusers 文件夹或 demo</translation>
    </message>
    <message>
        <source>no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a backup, or start the run over, which sets the damaged ones aside</source>
        <translation>没有完好的检查点：{reasons}。未作任何改动。请从备份恢复一个，或从头开始，损坏的检查点会另行保留</translation>
    </message>
    <message>
        <source>No convolutions there.</source>
        <translation>原配置中没有卷积。</translation>
    </message>
    <message>
        <source>No few modules cause it: a pin won&apos;t help, a wider type for all would.</source>
        <translation>这并非由少数几个模块造成：固定个别层没有用，全部改用更宽的类型才有用。</translation>
    </message>
    <message>
        <source>no folder</source>
        <translation>（未指定文件夹）</translation>
    </message>
    <message>
        <source>No gap: the plan ({plan}) trains as FP32 does.</source>
        <translation>没有差距：方案（{plan}）的训练与 FP32 相同。</translation>
    </message>
    <message>
        <source>no image could be read. The first: {reason}</source>
        <translation>没有一张图片能读取。第一张：{reason}</translation>
    </message>
    <message>
        <source>no image to train on in {folders}: put {formats} files there (captions in &lt;name&gt;.txt){skipped}</source>
        <translation>{folders} 中没有可训练的图片：请放入 {formats} 文件（标注放在 &lt;name&gt;.txt）{skipped}</translation>
    </message>
    <message>
        <source>no images given (--images). Choose a folder of images, or demo</source>
        <translation>没有给出图片（--images）。请选择图片文件夹或 demo</translation>
    </message>
    <message>
        <source>no NVIDIA driver is installed, or it is not running</source>
        <translation>没有安装 NVIDIA 驱动，或它没有运行</translation>
    </message>
    <message>
        <source>No refiner is trained here.</source>
        <translation>本程序不训练 refiner。</translation>
    </message>
    <message>
        <source>no sample at step {step}: {reason}</source>
        <translation>第 {step} 步没有样图：{reason}</translation>
    </message>
    <message>
        <source>no sample: the preset has no prompts (samples.prompts)</source>
        <translation>没有样图：预设中没有提示词 (samples.prompts)</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或文件夹</translation>
    </message>
    <message>
        <source>it holds no denoiser of a known model family; pass a complete checkpoint or a diffusers folder of one of these: {families}</source>
        <translation>其中没有任何已知系列的去噪网络；请传入以下任一系列的完整检查点或 diffusers 文件夹：{families}</translation>
    </message>
    <message>
        <source>noise offset of random strength</source>
        <translation>强度随机的噪声偏移</translation>
    </message>
    <message>
        <source>noise on the weights</source>
        <translation>给权重加噪声</translation>
    </message>
    <message>
        <source>noise schedule: num_train_timesteps must be at least 2; it is {value}</source>
        <translation>噪声调度：num_train_timesteps 必须至少为 2，现为 {value}</translation>
    </message>
    <message>
        <source>norms keep fp32 scales and statistics</source>
        <translation>归一化层的缩放系数和统计量保持 fp32</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>不是普通文件</translation>
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
        <source>Not given: {part} is trained too, as diffusion-pipe does.</source>
        <translation>未给出：与 diffusion-pipe 一样，也训练 {part}。</translation>
    </message>
    <message>
        <source>Not given: text encoders are trained too, as sd-scripts does; take te2 out for a model with one text encoder.</source>
        <translation>未给出：与 sd-scripts 一样，也训练文本编码器；如果模型只有一个文本编码器，请去掉 te2。</translation>
    </message>
    <message>
        <source>Not given: the default of AI Toolkit.</source>
        <translation>未给出：采用 AI Toolkit 的默认值。</translation>
    </message>
    <message>
        <source>Not given: the default of diffusion-pipe.</source>
        <translation>未给出：采用 diffusion-pipe 的默认值。</translation>
    </message>
    <message>
        <source>Not given: the default of musubi-tuner.</source>
        <translation>未给出：采用 musubi-tuner 的默认值。</translation>
    </message>
    <message>
        <source>Not given: the default of sd-scripts.</source>
        <translation>未给出：采用 sd-scripts 的默认值。</translation>
    </message>
    <message>
        <source>Not given: the default of SimpleTuner.</source>
        <translation>未给出：采用 SimpleTuner 的默认值。</translation>
    </message>
    <message>
        <source>Not given: the default of that optimizer.</source>
        <translation>未给出：采用该优化器的默认值。</translation>
    </message>
    <message>
        <source>Not given: without a network, the model&apos;s own weights are trained.</source>
        <translation>未给出：没有 network 时训练模型自身的权重。</translation>
    </message>
    <message>
        <source>Not given: without an adapter, the model&apos;s own weights are trained.</source>
        <translation>未给出：没有 adapter 时训练模型自身的权重。</translation>
    </message>
    <message>
        <source>Not known here: a set of layers; see adapter.targets.</source>
        <translation>本程序不认识这组层；参见 adapter.targets。</translation>
    </message>
    <message>
        <source>Not offered here for a single part.</source>
        <translation>本程序不支持只对单个部件设置。</translation>
    </message>
    <message>
        <source>Not offered here: a pair of epsilons.</source>
        <translation>本程序不支持：一对 epsilon。</translation>
    </message>
    <message>
        <source>Not offered here: other steps than 64.</source>
        <translation>本程序不支持：64 以外的步长。</translation>
    </message>
    <message>
        <source>Not offered here: {name} as the compute type.</source>
        <translation>本程序不支持：以 {name} 作为计算类型。</translation>
    </message>
    <message>
        <source>Not offered here: {name} weights of the loss.</source>
        <translation>本程序不支持：{name} 损失权重。</translation>
    </message>
    <message>
        <source>Not offered here: {what}.</source>
        <translation>本程序不支持：{what}。</translation>
    </message>
    <message>
        <source>Not set there.</source>
        <translation>原配置中未设置。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width x height.</source>
        <translation>未采用：既不是边长，也不是“宽 x 高”。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width,height.</source>
        <translation>未采用：既不是边长，也不是“宽,高”。</translation>
    </message>
    <message>
        <source>Not taken: not a list of samples.</source>
        <translation>未采用：不是样图列表。</translation>
    </message>
    <message>
        <source>Not taken: not a list of sides and of pairs.</source>
        <translation>未采用：不是边长或数对的列表。</translation>
    </message>
    <message>
        <source>Not taken: not a list of widths and heights.</source>
        <translation>未采用：不是宽度和高度的列表。</translation>
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
        <source>Not used there.</source>
        <translation>原配置中未启用。</translation>
    </message>
    <message>
        <source>Not used there; see output.keep.</source>
        <translation>原配置中未启用；参见 output.keep。</translation>
    </message>
    <message>
        <source>Nothing is fetched from elsewhere.</source>
        <translation>不会从别处获取任何内容。</translation>
    </message>
    <message>
        <source>Nothing is overwritten.</source>
        <translation>不会覆盖任何文件。</translation>
    </message>
    <message>
        <source>Nothing is sent anywhere.</source>
        <translation>不会向任何地方发送数据。</translation>
    </message>
    <message>
        <source>Nothing is trained elsewhere.</source>
        <translation>不会在别处训练。</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>One caption dropout for all text encoders here; the first one&apos;s counts.</source>
        <translation>本程序的所有文本编码器共用一个标注丢弃率，以第一个为准。</translation>
    </message>
    <message>
        <source>one caption for all images</source>
        <translation>所有图片共用一条标注</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation> {choices} 之一</translation>
    </message>
    <message>
        <source>one of {choices}, or a list of module-path patterns</source>
        <translation> {choices} 之一，或模块路径模式的列表</translation>
    </message>
    <message>
        <source>one of {choices}, or a number from {least} to {most}</source>
        <translation> {choices} 之一，或 {least} 到 {most} 之间的数</translation>
    </message>
    <message>
        <source>only the first of its {count} frames or pages is used</source>
        <translation>在其 {count} 帧或页中，只使用第一个</translation>
    </message>
    <message>
        <source>OneTrainer&apos;s condition of an image, which isn&apos;t read here</source>
        <translation>OneTrainer 的条件图片，本程序不读取</translation>
    </message>
    <message>
        <source>open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>options of a single model</source>
        <translation>单个模型的选项</translation>
    </message>
    <message>
        <source>other noise than that of the model family</source>
        <translation>模型家族以外的噪声</translation>
    </message>
    <message>
        <source>PEFT renders this file as trained; diffusers leaves out the magnitudes of text encoders, and programs that look for dora_scale, such as ComfyUI, all of them{advice}</source>
        <translation>PEFT 会按训练时的效果应用此文件；diffusers 会略去文本编码器的幅值，而查找 dora_scale 的程序（如 ComfyUI）会略去全部幅值{advice}</translation>
    </message>
    <message>
        <source>precision.compute fp8 keeps the history of its scales on one card, and the layers are split over several. Set precision.compute to bf16</source>
        <translation>precision.compute 的 fp8 把缩放的历史放在一张显卡上，而各层分在几张显卡上。请把 precision.compute 设为 bf16</translation>
    </message>
    <message>
        <source>preservation of the base model&apos;s answers</source>
        <translation>保持底模的输出</translation>
    </message>
    <message>
        <source>q, k and v as one layer of the adapter</source>
        <translation>适配器把 q、k、v 合为一层</translation>
    </message>
    <message>
        <source>replacements in captions</source>
        <translation>标注中的替换</translation>
    </message>
    <message>
        <source>routing of tokens (TREAD)</source>
        <translation>token 路由 (TREAD)</translation>
    </message>
    <message>
        <source>Samples follow their guidance here.</source>
        <translation>本程序的样图遵循各自的引导强度。</translation>
    </message>
    <message>
        <source>saving merged models</source>
        <translation>保存合并后的模型</translation>
    </message>
    <message>
        <source>See output.format.</source>
        <translation>参见 output.format。</translation>
    </message>
    <message>
        <source>See precision.weights.</source>
        <translation>参见 precision.weights。</translation>
    </message>
    <message>
        <source>See precision.weights.text_encoders.</source>
        <translation>参见 precision.weights.text_encoders。</translation>
    </message>
    <message>
        <source>several samples of one prompt</source>
        <translation>一条提示词的多张样图</translation>
    </message>
    <message>
        <source>short captions</source>
        <translation>短标注</translation>
    </message>
    <message>
        <source>skipped layers of this text encoder alone</source>
        <translation>仅此文本编码器跳过的层</translation>
    </message>
    <message>
        <source>slider adapters</source>
        <translation>滑块适配器</translation>
    </message>
    <message>
        <source>square crops</source>
        <translation>方形裁剪</translation>
    </message>
    <message>
        <source>{generation} is recognised by the base model&apos;s file.</source>
        <translation>{generation} 由底模文件识别。</translation>
    </message>
    <message>
        <source>standardised images</source>
        <translation>标准化的图片</translation>
    </message>
    <message>
        <source>standardised latents</source>
        <translation>标准化的潜变量</translation>
    </message>
    <message>
        <source>State in bfloat16 there; see precision.optimizer_state.</source>
        <translation>原程序的状态为 bfloat16；参见 precision.optimizer_state。</translation>
    </message>
    <message>
        <source>Weights in bfloat16 are rounded to the nearest there; here with stochastic rounding.</source>
        <translation>bfloat16 权重在那里就近舍入，在本程序中随机舍入。</translation>
    </message>
    <message>
        <source>Tags are shuffled again in every epoch here.</source>
        <translation>本程序每一轮重新打乱标签。</translation>
    </message>
    <message>
        <source>Images come in a new order in every epoch here.</source>
        <translation>本程序每一轮都重新排列图片的顺序。</translation>
    </message>
    <message>
        <source>{count} orders of a caption&apos;s tags are made once there, and an epoch uses them all; here images are used as often, in orders that change.</source>
        <translation>原程序一次性为标注的标签生成 {count} 种顺序，一轮中全部用到；本程序图片的使用次数相同，但顺序不断变化。</translation>
    </message>
    <message>
        <source>Text encoders of this model family stay frozen here.</source>
        <translation>本程序不训练这个模型家族的文本编码器。</translation>
    </message>
    <message>
        <source>The base model tells what it predicts.</source>
        <translation>预测类型由底模决定。</translation>
    </message>
    <message>
        <source>the image is {rows} x {columns} patches; the model has positions for {most_rows} x {most_columns}. Lower the resolution</source>
        <translation>图片有 {rows} x {columns} 个 patch，而模型的位置编码只到 {most_rows} x {most_columns}。请降低分辨率</translation>
    </message>
    <message>
        <source>{epochs} epochs of {batches} batches: {steps} steps</source>
        <translation>{epochs} 轮 (epoch)，每轮 {batches} 批：共 {steps} 步</translation>
    </message>
    <message>
        <source>{file} is neither a preset nor a configuration of a trainer that can be imported: none of its keys is known</source>
        <translation>{file} 既不是预设，也不是可以导入的训练程序的配置：其中没有任何已知的键</translation>
    </message>
    <message>
        <source>{file}: field &apos;shift_factor&apos; is {found}, which the pipelines of this family pass over. Remove it, or set it to 0</source>
        <translation>{file}：字段 &apos;shift_factor&apos; 为 {found}，但此系列模型的管线会忽略它。请删除该字段，或设为 0</translation>
    </message>
    <message>
        <source>{file}:{line}: the job &quot;{job}&quot; of AI Toolkit does not train; expected extension or train</source>
        <translation>{file}:{line}：AI Toolkit 的任务“{job}”不进行训练；应为 extension 或 train</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each folder one entry</source>
        <translation>{key} 为“{value}”，已有对应的条目；每个文件夹只写一个条目</translation>
    </message>
    <message>
        <source>{library} offers no SHA-256; reinstall the program&apos;s libraries</source>
        <translation>{library} 不提供 SHA-256；请重新安装程序所需的库</translation>
    </message>
    <message>
        <source>optimizers train fp32 or bf16 weights; these are {type}. Set precision.adapter to fp32</source>
        <translation>优化器训练 fp32 或 bf16 权重，而这些是 {type}。请把 precision.adapter 设为 fp32</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>output.format is {format}, which has no names for {family}: this file has those of diffusers, which diffusers, PEFT and ComfyUI read</source>
        <translation>output.format 为 {format}，它没有 {family} 的键名：此文件使用 diffusers 的键名，diffusers、PEFT 和 ComfyUI 都能读取</translation>
    </message>
    <message>
        <source>Part of a run, not of a preset.</source>
        <translation>属于某次训练，而不是预设。</translation>
    </message>
    <message>
        <source>PEFT and diffusers know DoRA per output only and can&apos;t load this file{advice}</source>
        <translation>PEFT 和 diffusers 只支持按输出的 DoRA，无法加载这个文件{advice}</translation>
    </message>
    <message>
        <source>Perlin noise</source>
        <translation>Perlin 噪声</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>pinned in the preset</source>
        <translation>在预设中固定</translation>
    </message>
    <message>
        <source>Plain momentum, from the first of optimizer.betas.</source>
        <translation>普通动量，取 optimizer.betas 的第一个值。</translation>
    </message>
    <message>
        <source>Prodigy itself, without the extensions.</source>
        <translation>Prodigy 本身，不含扩展。</translation>
    </message>
    <message>
        <source>prodigy needs all gradients before it moves a weight, so it can&apos;t step inside the backward pass. Set optimizer.fused_back_pass to false</source>
        <translation>prodigy 要等所有梯度都算出后才移动权重，因此无法在反向传播中更新。请把 optimizer.fused_back_pass 设为 false</translation>
    </message>
    <message>
        <source>Prodigy&apos;s bias correction</source>
        <translation>Prodigy 的偏差校正</translation>
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
        <source>Prodigy&apos;s safeguard while warming up</source>
        <translation>Prodigy 的预热保护</translation>
    </message>
    <message>
        <source>pyramid noise</source>
        <translation>金字塔噪声</translation>
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
        <source>Read-only file system</source>
        <translation>文件系统是只读的</translation>
    </message>
    <message>
        <source>reading images needs {need} of address space, {free} are left under this process&apos;s limit; raise it (ulimit -v)</source>
        <translation>读取图片需要 {need} 的地址空间，而本进程的限制只剩 {free}；请提高限制（ulimit -v）</translation>
    </message>
    <message>
        <source>rectified flow: the shift must be above 0; it is {value}</source>
        <translation>整流流：偏移 (shift) 必须大于 0，现为 {value}</translation>
    </message>
    <message>
        <source>rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>rename {file} to</source>
        <translation>由 {file} 重命名</translation>
    </message>
    <message>
        <source>replaying {steps} steps of {file}</source>
        <translation>正在重放 {file} 的 {steps} 步</translation>
    </message>
    <message>
        <source>resumed at step {step} from {file}</source>
        <translation>从 {file} 恢复，自第 {step} 步继续</translation>
    </message>
    <message>
        <source>Rows of zero norm use plain LoRA here.</source>
        <translation>在本程序中，范数为零的行使用普通 LoRA。</translation>
    </message>
    <message>
        <source>run {run} was left {state} by a program that no longer runs: it is marked interrupted and can be resumed</source>
        <translation>训练 {run} 的程序已退出，当时状态为 {state}：已标记为中断，可以续训</translation>
    </message>
    <message>
        <source>Runs are logged in the studio and its database.</source>
        <translation>训练记录保存在本程序及其数据库中。</translation>
    </message>
    <message>
        <source>Samples are always rendered before the first step.</source>
        <translation>第一步之前总会生成样图。</translation>
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
        <source>Samples while training use one fixed sampler.</source>
        <translation>训练中的样图使用固定的采样器。</translation>
    </message>
    <message>
        <source>saved values</source>
        <translation>保存的值</translation>
    </message>
    <message>
        <source>Saving and backing up are one here; save_every counts.</source>
        <translation>在本程序中保存与备份是一回事，以 save_every 为准。</translation>
    </message>
    <message>
        <source>Says which of the noise keys counts there.</source>
        <translation>说明在原程序中哪个噪声键有效。</translation>
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
        <source>schedule-free optimizers</source>
        <translation>schedule-free 优化器</translation>
    </message>
    <message>
        <source>Secrets are never taken over.</source>
        <translation>从不导入密钥等机密。</translation>
    </message>
    <message>
        <source>See output.keep.</source>
        <translation>参见 output.keep。</translation>
    </message>
    <message>
        <source>Settings of optimizers that are not used.</source>
        <translation>未使用的优化器的设置。</translation>
    </message>
    <message>
        <source>several cards</source>
        <translation>多张显卡</translation>
    </message>
    <message>
        <source>SHA-256 {hash}…, {bytes} bytes</source>
        <translation>SHA-256 {hash}…，{bytes} 字节</translation>
    </message>
    <message>
        <source>shape holds {found}; whole numbers from 0 are expected</source>
        <translation>shape 含有 {found}；应为不小于 0 的整数</translation>
    </message>
    <message>
        <source>size conditioning</source>
        <translation>尺寸条件</translation>
    </message>
    <message>
        <source>skipped: {reason}</source>
        <translation>已跳过：{reason}</translation>
    </message>
    <message>
        <source>small images that keep their size</source>
        <translation>小图片保持原尺寸</translation>
    </message>
    <message>
        <source>small, and looked up as they are: 16 bits at least</source>
        <translation>很小，且按原样查表：至少 16 位</translation>
    </message>
    <message>
        <source>starts or ends with a dot or a space; not every system can name a file so</source>
        <translation>以点或空格开头或结尾；并非所有系统都能使用这样的文件名</translation>
    </message>
    <message>
        <source>State is not paged to the host here.</source>
        <translation>本程序不会把优化器状态分页到主机内存。</translation>
    </message>
    <message>
        <source>step {step}: first non-finite: {found}</source>
        <translation>第 {step} 步：第一个非有限值：{found}</translation>
    </message>
    <message>
        <source>step {step}: gradients overflow at loss scale {before}, step skipped. The scale is being found and is now {after}; a few skips at the start, and one after each doubling, are normal</source>
        <translation>第 {step} 步：损失缩放为 {before} 时梯度溢出，跳过该步。正在寻找合适的缩放值，现在是 {after}；开始时跳过几步、每次加倍后跳过一步，都属正常</translation>
    </message>
    <message>
        <source>step {step}: non-finite gradients, step skipped</source>
        <translation>第 {step} 步：梯度不是有限值，跳过该步</translation>
    </message>
    <message>
        <source>steps run as CUDA graphs</source>
        <translation>每一步作为 CUDA 图运行</translation>
    </message>
    <message>
        <source>steps run kernel by kernel: {reason}</source>
        <translation>每一步逐个内核运行：{reason}</translation>
    </message>
    <message>
        <source>steps without the mask</source>
        <translation>不使用遮罩的步骤</translation>
    </message>
    <message>
        <source>stopped at step {step} of {steps}</source>
        <translation>停在第 {step} / {steps} 步</translation>
    </message>
    <message>
        <source>stopped while probing; nothing was changed</source>
        <translation>在与 FP32 比较时停止；未作任何改动</translation>
    </message>
    <message>
        <source>stopped while {phase} ({done} of {count})</source>
        <translation>在{phase}时停止（{done} / {count}）</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>同步到磁盘</translation>
    </message>
    <message>
        <source>Tags of the adapter, not of the preset.</source>
        <translation>属于适配器的标签，而不是预设的。</translation>
    </message>
    <message>
        <source>taking the rank from another adapter</source>
        <translation>从另一个适配器取秩</translation>
    </message>
    <message>
        <source>tensor &apos;{tensor}&apos;</source>
        <translation>张量“{tensor}”</translation>
    </message>
    <message>
        <source>tensor &apos;{tensor}&apos; must be one number (alpha)</source>
        <translation>张量“{tensor}”必须是单个数（alpha）</translation>
    </message>
    <message>
        <source>tensor name</source>
        <translation>张量名</translation>
    </message>
    <message>
        <source>tensor {tensor} has {count} dimensions; at most {most} can be used</source>
        <translation>张量 {tensor} 有 {count} 个维度；最多可用 {most} 个</translation>
    </message>
    <message>
        <source>tensor {tensor} is {type} instead of F32</source>
        <translation>张量 {tensor} 是 {type} 而不是 F32</translation>
    </message>
    <message>
        <source>tensor {tensor}:</source>
        <translation>张量 {tensor}</translation>
    </message>
    <message>
        <source>tensor {tensor}: data ends at {end} before its start {start}</source>
        <translation>张量 {tensor}：数据的结尾 {end} 在开头 {start} 之前</translation>
    </message>
    <message>
        <source>tensor {tensor}: data starts at {start} where {expected} is expected ({reason})</source>
        <translation>张量 {tensor}：数据从 {start} 开始，而应从 {expected} 开始（{reason}）</translation>
    </message>
    <message>
        <source>tensor {tensor}: its {bits} bits do not end on a byte</source>
        <translation>张量 {tensor}：其 {bits} 位不是整数个字节</translation>
    </message>
    <message>
        <source>tensor {tensor}: must be an object, it is {found}</source>
        <translation>张量 {tensor}：必须是对象，实际为 {found}</translation>
    </message>
    <message>
        <source>tensor {tensor}: shape and dtype {type} need {bytes} bytes, data_offsets give {found}</source>
        <translation>张量 {tensor}：shape 和 dtype {type} 需要 {bytes} 字节，而 data_offsets 给出 {found} 字节</translation>
    </message>
    <message>
        <source>tensor {tensor}: the name appears twice</source>
        <translation>张量 {tensor}：名称出现了两次</translation>
    </message>
    <message>
        <source>tensor {tensor}: the product of its shape does not fit in 64 bits</source>
        <translation>张量 {tensor}：shape 各维之积超出 64 位</translation>
    </message>
    <message>
        <source>tensor {tensor}: {problem}</source>
        <translation>张量 {tensor}：{problem}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Text encoders share one type here; the first one&apos;s counts.</source>
        <translation>本程序的文本编码器共用一种类型，以第一个为准。</translation>
    </message>
    <message>
        <source>text entry</source>
        <translation>文本入口</translation>
    </message>
    <message>
        <source>text in quotes</source>
        <translation>带引号的文字</translation>
    </message>
    <message>
        <source>texts</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>the absolute error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>the base model &apos;{path}&apos; does not exist; pass a .safetensors checkpoint or a diffusers folder</source>
        <translation>底模“{path}”不存在；请给出 .safetensors 文件或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>The base model is chosen for each run.</source>
        <translation>底模在每次训练时选择。</translation>
    </message>
    <message>
        <source>the base model&apos;s tensor {name} is unknown and not used</source>
        <translation>底模的张量 {name} 未知，不使用</translation>
    </message>
    <message>
        <source>The cache always lives on the disk.</source>
        <translation>缓存总是放在磁盘上。</translation>
    </message>
    <message>
        <source>the cache folder {folder} can&apos;t be made: {reason}; make room or choose another with MANTISSA_HOME</source>
        <translation>无法创建缓存文件夹 {folder}：{reason}；请腾出空间，或用 MANTISSA_HOME 选择其他位置</translation>
    </message>
    <message>
        <source>The cache is always checked.</source>
        <translation>缓存总会经过校验。</translation>
    </message>
    <message>
        <source>the cached encoding of {source} ({file}) is damaged and will be recomputed: {reason}</source>
        <translation>{source} 的缓存编码（{file}）已损坏，将重新生成：{reason}</translation>
    </message>
    <message>
        <source>the card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>the colour masks are cut off</source>
        <translation>颜色掩码被截断</translation>
    </message>
    <message>
        <source>The constant schedule does not warm up there.</source>
        <translation>在原程序中 constant 调度没有预热。</translation>
    </message>
    <message>
        <source>the CUDA Toolkit 13</source>
        <translation>CUDA Toolkit 13</translation>
    </message>
    <message>
        <source>the CUDA library beside this program is of another version of Mantissa; install both from one package</source>
        <translation>该程序旁的 CUDA 库属于另一个版本的 Mantissa；请从同一软件包安装两者</translation>
    </message>
    <message>
        <source>the CUDA library can&apos;t be opened: {reason}</source>
        <translation>无法打开 CUDA 库：{reason}</translation>
    </message>
    <message>
        <source>the damaged checkpoints were set aside in {folder}</source>
        <translation>损坏的检查点保留在 {folder}</translation>
    </message>
    <message>
        <source>the damaged runs database {file} can&apos;t be set aside as {aside}: {reason}; move it away by hand</source>
        <translation>无法把损坏的训练数据库 {file} 移到一旁，另存为 {aside}：{reason}；请手动移走它</translation>
    </message>
    <message>
        <source>The default of sd-scripts.</source>
        <translation>sd-scripts 的默认值。</translation>
    </message>
    <message>
        <source>The device is chosen for each run.</source>
        <translation>设备在每次训练时选择。</translation>
    </message>
    <message>
        <source>the disk of folder {folder} is full: could not {action} {file}, {need} needed for it{free}; free space or choose another folder</source>
        <translation>文件夹 {folder} 所在的磁盘已满：无法写入 {file}（操作：{action}），它需要 {need}{free}；请腾出空间或选择其他文件夹</translation>
    </message>
    <message>
        <source>the driver can&apos;t describe it: {reason}</source>
        <translation>驱动无法描述它：{reason}</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>the file holds a plain LoRA that changes each weight as the {form} does, at ranks up to {rank}: its own factors have no place in this format</source>
        <translation>文件中是普通 LoRA，对每个权重的改变与 {form} 相同，秩最大为 {rank}：这种格式无法存放原来的因子</translation>
    </message>
    <message>
        <source>the file is truncated ({bytes} bytes of pixels expected)</source>
        <translation>文件被截断（应有 {bytes} 字节的像素数据）</translation>
    </message>
    <message>
        <source>the folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>the folder {folder} of the runs database can&apos;t be made: {reason}; make it writable or set MANTISSA_HOME</source>
        <translation>无法创建训练数据库的文件夹 {folder}：{reason}；请让它可写，或设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>the header has an unknown size of {bytes}</source>
        <translation>文件头的大小为未知的 {bytes} 字节</translation>
    </message>
    <message>
        <source>the header holds a zero byte (byte {byte})</source>
        <translation>文件头中有零字节（第 {byte} 字节）</translation>
    </message>
    <message>
        <source>the header is cut off</source>
        <translation>文件头被截断</translation>
    </message>
    <message>
        <source>the header is not JSON (error near byte {byte})</source>
        <translation>文件头不是 JSON（第 {byte} 字节附近有错误）</translation>
    </message>
    <message>
        <source>the header is not UTF-8 (byte {byte})</source>
        <translation>文件头不是 UTF-8（第 {byte} 字节）</translation>
    </message>
    <message>
        <source>the header must be a JSON object, it is {found}</source>
        <translation>文件头必须是 JSON 对象，实际为 {found}</translation>
    </message>
    <message>
        <source>the header must start with &apos;{&apos;</source>
        <translation>文件头必须以 &apos;{&apos; 开头</translation>
    </message>
    <message>
        <source>the Huber error</source>
        <translation>Huber 误差</translation>
    </message>
    <message>
        <source>the image folder {path} can&apos;t be read; check its permissions</source>
        <translation>无法读取图片文件夹 {path}；请检查其权限</translation>
    </message>
    <message>
        <source>the image folder {path} doesn&apos;t exist; give a folder that holds {formats} files</source>
        <translation>图片文件夹 {path} 不存在；请指定含有 {formats} 文件的文件夹</translation>
    </message>
    <message>
        <source>the image holds non-finite values: the model or an adapter is broken</source>
        <translation>图片含有非有限值：模型或适配器已损坏</translation>
    </message>
    <message>
        <source>the image library libvips does not start; reinstall the program&apos;s libraries</source>
        <translation>图片库 libvips 无法启动；请重新安装程序所需的库</translation>
    </message>
    <message>
        <source>the key &apos;__metadata__&apos; appears twice</source>
        <translation>键“__metadata__”出现了两次</translation>
    </message>
    <message>
        <source>the layers are split over {count} cards: {parts}</source>
        <translation>各层分在 {count} 张显卡上：{parts}</translation>
    </message>
    <message>
        <source>the layers don&apos;t fit the cards of --split-cards: {shortage}. Turn on training.gradient_checkpointing, lower data.batch_size or data.resolution, store the weights in fewer bits (precision.weights), or add a card</source>
        <translation>各层放不进 --split-cards 的显卡：{shortage}。请打开 training.gradient_checkpointing、调低 data.batch_size 或 data.resolution、用更少的位数存储权重（precision.weights），或再加一张显卡</translation>
    </message>
    <message>
        <source>The list of data backends is a file of its own: import it too.</source>
        <translation>数据后端列表是单独的文件：请另外导入。</translation>
    </message>
    <message>
        <source>the log-cosh error</source>
        <translation>log-cosh 误差</translation>
    </message>
    <message>
        <source>the metadata key {key} appears twice</source>
        <translation>元数据键 {key} 出现了两次</translation>
    </message>
    <message>
        <source>the metadata value of {key}</source>
        <translation>{key} 的元数据值</translation>
    </message>
    <message>
        <source>the metadata value of {key} must be text, it is {found}</source>
        <translation>{key} 的元数据值必须是文字，实际为 {found}</translation>
    </message>
    <message>
        <source>The model family&apos;s own layer, there and here.</source>
        <translation>两边都使用模型系列自己的层。</translation>
    </message>
    <message>
        <source>The model family&apos;s own noise schedule is used here.</source>
        <translation>本程序采用模型家族自己的噪声调度。</translation>
    </message>
    <message>
        <source>the model has no {part} weight &apos;{weight}&apos; to replace</source>
        <translation>模型的 {part} 中没有可替换的权重“{weight}”</translation>
    </message>
    <message>
        <source>the model&apos;s entry</source>
        <translation>模型入口</translation>
    </message>
    <message>
        <source>the model&apos;s exit</source>
        <translation>模型出口</translation>
    </message>
    <message>
        <source>the module path &apos;{path}&apos; has no name in this key format; set output.format to diffusers</source>
        <translation>模块路径“{path}”在此键名格式中没有名称；请把 output.format 设为 diffusers</translation>
    </message>
    <message>
        <source>the negative number {number}</source>
        <translation>负数 {number}</translation>
    </message>
    <message>
        <source>the number {number}</source>
        <translation>数字 {number}</translation>
    </message>
    <message>
        <source>the NVIDIA driver can&apos;t be used: {reason}</source>
        <translation>无法使用 NVIDIA 驱动：{reason}</translation>
    </message>
    <message>
        <source>this build of the CUDA library has code for compute capability {capabilities} and none for this card. `bash packaging/bootstrap.sh build` on this computer compiles it for its cards</source>
        <translation>此 CUDA 库版本只含计算能力 {capabilities} 的代码，没有适用于此显卡的代码。在这台电脑上运行 `bash packaging/bootstrap.sh build`，即可为其显卡编译</translation>
    </message>
    <message>
        <source>steps take {seconds} s instead of {expected} s, and {free} MB of the card&apos;s {total} MB are free: part of its memory is in shared memory, which is the computer&apos;s RAM. {way}</source>
        <translation>每步耗时 {seconds} 秒，而不是 {expected} 秒；显卡的 {total} MB 显存只剩 {free} MB：部分显存已被移到共享内存，即计算机的内存。{way}</translation>
    </message>
    <message>
        <source>Close other programs that use the card</source>
        <translation>请关闭其他使用显卡的程序</translation>
    </message>
    <message>
        <source>Close other programs that use the card, or stop and start again with {settings}, which frees {freed} MB</source>
        <translation>请关闭其他使用显卡的程序，或停止后以 {settings} 重新开始，可释放 {freed} MB</translation>
    </message>
    <message>
        <source>the NVIDIA driver finds no card it can use</source>
        <translation>NVIDIA 驱动没有找到可用的显卡</translation>
    </message>
    <message>
        <source>the NVIDIA driver supports CUDA {version}; version 13.0 is needed (driver 580 or newer). Update the driver</source>
        <translation>NVIDIA 驱动支持 CUDA {version}；需要 13.0 版（驱动 580 或更新）。请更新驱动</translation>
    </message>
    <message>
        <source>the palette is cut off</source>
        <translation>调色板被截断</translation>
    </message>
    <message>
        <source>the plain LoRA differs from the {form} by at most {share}% of a weight's change, at ranks up to {rank}</source>
        <translation>普通 LoRA 与 {form} 的差异最多为权重改变量的 {share}%，秩最高为 {rank}</translation>
    </message>
    <message>
        <source>The plan ({plan}) breaks at step {step}: {found}</source>
        <translation>方案（{plan}）在第 {step} 步失败：{found}</translation>
    </message>
    <message>
        <source>The plan ({plan}) breaks: its gradients are not finite.</source>
        <translation>方案（{plan}）失败：其梯度不是有限值。</translation>
    </message>
    <message>
        <source>The plan ({plan}) {how}: its gradients are {gap} off, worst cosine {cosine}; its loss is {loss} off.</source>
        <translation>方案（{plan}）{how}：其梯度相差 {gap}，最差的余弦为 {cosine}；其损失相差 {loss}。</translation>
    </message>
    <message>
        <source>The preflight refuses adapters kept in fp16, because small updates vanish there, and offers fp32.</source>
        <translation>预检会拒绝以 fp16 保存的适配器，因为微小的更新会丢失，并建议改用 fp32。</translation>
    </message>
    <message>
        <source>The preset is always embedded in the adapter.</source>
        <translation>预设总会嵌入适配器。</translation>
    </message>
    <message>
        <source>the program&apos;s file {file} is missing (searched {folders}); install the program again or set MANTISSA_RESOURCES to the folder that holds it</source>
        <translation>缺少程序文件 {file}（已在 {folders} 中查找）；请重新安装程序，或把 MANTISSA_RESOURCES 设为存放它的文件夹</translation>
    </message>
    <message>
        <source>The rates of the parts count instead.</source>
        <translation>以各部件的学习率为准。</translation>
    </message>
    <message>
        <source>the rendering was cancelled.</source>
        <translation>生成已取消。</translation>
    </message>
    <message>
        <source>the run continues in {folder}</source>
        <translation>训练将在 {folder} 中继续</translation>
    </message>
    <message>
        <source>the run has no valid checkpoint: it starts again from step 0</source>
        <translation>该训练没有有效的检查点：从第 0 步重新开始</translation>
    </message>
    <message>
        <source>whether the run&apos;s files are those that it began with is not checked: {reason}</source>
        <translation>不检查训练所用的文件是否与开始时相同：{reason}</translation>
    </message>
    <message>
        <source>the run was started with other files: {changes}. Restore them, start a new run, or continue with the present ones</source>
        <translation>该训练开始时使用的是其他文件：{changes}。请恢复原文件、新建训练，或用现有文件继续</translation>
    </message>
    <message>
        <source>the run {run} was moved to {folder}, which is missing now. Connect that disk, or remove {file} to continue from the older checkpoints here</source>
        <translation>训练 {run} 已转到 {folder} 继续，但现在找不到该文件夹。请连接那块磁盘，或删除 {file}，从这里较早的检查点继续</translation>
    </message>
    <message>
        <source>the run&apos;s preset has no prompt {number}</source>
        <translation>这次训练的预设中没有提示词 {number}</translation>
    </message>
    <message>
        <source>the runs database already holds a run &quot;{run}&quot;; a run&apos;s id must be new</source>
        <translation>训练数据库中已有训练“{run}”；训练的编号必须是新的</translation>
    </message>
    <message>
        <source>the runs database holds no run &quot;{run}&quot;; create it first</source>
        <translation>训练数据库中没有训练“{run}”；请先创建它</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t be opened or written ({reason}); make the folder {folder} writable or set MANTISSA_HOME</source>
        <translation>训练数据库 {file} 无法打开或写入（{reason}）；请让文件夹 {folder} 可写，或设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t be written and {count} rows wait already; see the error before</source>
        <translation>无法写入训练数据库 {file}，已有 {count} 行等待写入；参见之前的错误</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t grow: the folder {folder} is full; free at least 16 MB there and continue</source>
        <translation>训练数据库 {file} 无法增长：文件夹 {folder} 没有剩余空间；请在那里腾出至少 16 MB 再继续</translation>
    </message>
    <message>
        <source>the runs database {file} in the folder {folder} can&apos;t be read or written ({reason}); check that disk and try again</source>
        <translation>文件夹 {folder} 中的训练数据库 {file} 无法读写（{reason}）；请检查该磁盘后重试</translation>
    </message>
    <message>
        <source>the runs database {file} in {folder} is held by another program for more than 10 seconds; close that program</source>
        <translation>{folder} 中的训练数据库 {file} 被另一个程序占用超过 10 秒；请关闭那个程序</translation>
    </message>
    <message>
        <source>the runs database {file} is damaged ({reason}); the next program that writes to it sets it aside</source>
        <translation>训练数据库 {file} 已损坏（{reason}）；下一个写入它的程序会把它移到一旁</translation>
    </message>
    <message>
        <source>the runs database {file} is damaged: {reason}</source>
        <translation>训练数据库 {file} 已损坏：{reason}</translation>
    </message>
    <message>
        <source>the runs database {file} was made by a newer Mantissa (format {version}, this program knows up to {known}) and is left untouched; use that version, or set MANTISSA_HOME</source>
        <translation>训练数据库 {file} 由更新的 Mantissa 创建（格式 {version}，本程序最高支持 {known}），未作改动；请使用那个版本，或设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>the runs database {file} was made by a newer Mantissa (format {version}, this program reads up to {known}); use that version, or set MANTISSA_HOME</source>
        <translation>训练数据库 {file} 由更新的 Mantissa 创建（格式 {version}，本程序最高读取 {known}）；请使用那个版本，或设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>the same folder was entered already (a link, or given twice)</source>
        <translation>该文件夹已经读取过（链接，或重复指定）</translation>
    </message>
    <message>
        <source>The side of a square here, the shorter edge there.</source>
        <translation>本程序中是正方形的边长，原程序中是短边。</translation>
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
        <source>the step lacks its masks; was the trace written without data.masks?</source>
        <translation>该步缺少遮罩；跟踪记录是在没有 data.masks 的情况下写出的吗？</translation>
    </message>
    <message>
        <source>the step lacks the text input {input}; was the trace written with another family of models?</source>
        <translation>该步缺少文本输入 {input}；跟踪记录是用另一系列的模型写出的吗？</translation>
    </message>
    <message>
        <source>The steps of kohya&apos;s rule here too.</source>
        <translation>与 kohya 规则的步长相同。</translation>
    </message>
    <message>
        <source>the stored queue of runs can&apos;t be read ({reason}); add its runs again</source>
        <translation>无法读取保存的训练队列（{reason}）；请重新加入其中的训练</translation>
    </message>
    <message>
        <source>the system could not make {what} {path} durable: {reason}; treat the save as failed and check the disk</source>
        <translation>系统无法把{what} {path} 可靠地存入磁盘：{reason}；请视为保存失败，并检查磁盘</translation>
    </message>
    <message>
        <source>the T5 tokenizer &apos;{path}&apos; holds neither spiece.model nor tokenizer.json; put the model&apos;s tokenizer folder beside its weights</source>
        <translation>T5 分词器“{path}”中既没有 spiece.model，也没有 tokenizer.json；请把模型的分词器文件夹放在权重旁边</translation>
    </message>
    <message>
        <source>the T5 tokenizer can&apos;t read the text ({reason})</source>
        <translation>T5 分词器无法读取该文本（{reason}）</translation>
    </message>
    <message>
        <source>the tokenizer has no padding token (pad_token in tokenizer_config.json); get the model&apos;s tokenizer folder again</source>
        <translation>分词器没有填充词元（tokenizer_config.json 中的 pad_token）；请重新获取模型的分词器文件夹</translation>
    </message>
    <message>
        <source>the tokenizer has no token &apos;{token}&apos;, which begins every text; get the model&apos;s tokenizer folder again</source>
        <translation>分词器没有位于每段文本开头的词元“{token}”；请重新获取模型的分词器文件夹</translation>
    </message>
    <message>
        <source>the tokenizer knows {known} pieces but the text encoder has {count} embeddings. Put the model&apos;s own tokenizer folder beside its weights</source>
        <translation>分词器有 {known} 个子词，而文本编码器有 {count} 个嵌入。请把模型自带的分词器文件夹放在权重旁边</translation>
    </message>
    <message>
        <source>the tokenizer knows {known} tokens but the text encoder has {count} embeddings. Put the model&apos;s own tokenizer folders beside its weights</source>
        <translation>分词器有 {known} 个词元，而文本编码器有 {count} 个嵌入。请把模型自带的各分词器文件夹放在权重旁边</translation>
    </message>
    <message>
        <source>The type of the adapter&apos;s weights there; see precision.gradients.</source>
        <translation>在原程序中是适配器权重的类型；参见 precision.gradients。</translation>
    </message>
    <message>
        <source>The VAE is never trained here.</source>
        <translation>在这里从不训练 VAE。</translation>
    </message>
    <message>
        <source>The version of that program&apos;s format.</source>
        <translation>原程序的格式版本。</translation>
    </message>
    <message>
        <source>the {part} weight &apos;{weight}&apos; has no name in a single file; write a diffusers folder instead</source>
        <translation>{part} 的权重“{weight}”在单个文件中没有名称；请改写为 diffusers 文件夹</translation>
    </message>
    <message>
        <source>the {part} weight &apos;{weight}&apos; has no OpenCLIP name; write a diffusers folder instead</source>
        <translation>{part} 的权重“{weight}”没有 OpenCLIP 名称；请改写为 diffusers 文件夹</translation>
    </message>
    <message>
        <source>there are no images to train on</source>
        <translation>没有可训练的图片</translation>
    </message>
    <message>
        <source>there are {count} prior-preservation images and {samples} samples of the images in an epoch: the first {samples} of them are used</source>
        <translation>有 {count} 张先验保留图片，而一轮中图片共有 {samples} 个样本：只使用前 {samples} 张先验保留图片</translation>
    </message>
    <message>
        <source>there is a hole</source>
        <translation>中间有空隙</translation>
    </message>
    <message>
        <source>there is no card of that number</source>
        <translation>没有这个编号的显卡</translation>
    </message>
    <message>
        <source>there is no card of that number; this machine has {count}, counted from 0</source>
        <translation>没有这个编号的显卡；本机有 {count} 张，从 0 数起</translation>
    </message>
    <message>
        <source>there is no run {run} in the runs database; `mantissa runs list` shows those that are.</source>
        <translation>训练数据库中没有训练 {run}；`mantissa runs list` 会列出现有的训练。</translation>
    </message>
    <message>
        <source>there is no sampler &quot;{name}&quot;; choose one of {choices}</source>
        <translation>没有采样器“{name}”；请选择 {choices} 之一</translation>
    </message>
    <message>
        <source>this argument of the network</source>
        <translation>网络的这个参数</translation>
    </message>
    <message>
        <source>This argument of the network is not offered here.</source>
        <translation>本程序不支持 network 的这个参数。</translation>
    </message>
    <message>
        <source>this argument of the optimizer</source>
        <translation>优化器的这个参数</translation>
    </message>
    <message>
        <source>this build of the studio can&apos;t read runs.</source>
        <translation>此版本的程序无法读取训练记录。</translation>
    </message>
    <message>
        <source>this folder can&apos;t be read; check its permissions</source>
        <translation>无法读取该文件夹；请检查其权限</translation>
    </message>
    <message>
        <source>this has more than {count} values; no configuration needs so many</source>
        <translation>含有超过 {count} 个值；没有配置需要这么多</translation>
    </message>
    <message>
        <source>this has more than {count} values; no preset needs so many</source>
        <translation>含有超过 {count} 个值；没有预设需要这么多</translation>
    </message>
    <message>
        <source>this has several YAML documents; keep one</source>
        <translation>包含多个 YAML 文档；请只保留一个</translation>
    </message>
    <message>
        <source>this build has no CUDA library ({file}). `bash packaging/bootstrap.sh build` makes it on a computer with an NVIDIA card and its driver</source>
        <translation>此构建没有 CUDA 库 ({file})。在装有 NVIDIA 显卡及其驱动的电脑上运行 `bash packaging/bootstrap.sh build` 即可构建</translation>
    </message>
    <message>
        <source>This is an inpainting checkpoint; use the base model it was made from</source>
        <translation>这是局部重绘（inpainting）检查点；请使用它所基于的底模</translation>
    </message>
    <message>
        <source>This is an instruct-pix2pix checkpoint; use the base model it was made from</source>
        <translation>这是 instruct-pix2pix 检查点；请使用它所基于的底模</translation>
    </message>
    <message>
        <source>this is nested deeper than {count} levels</source>
        <translation>嵌套超过 {count} 层</translation>
    </message>
    <message>
        <source>this is not valid JSON: {reason}</source>
        <translation>不是有效的 JSON：{reason}</translation>
    </message>
    <message>
        <source>this is not valid TOML: {reason}</source>
        <translation>不是有效的 TOML：{reason}</translation>
    </message>
    <message>
        <source>this is not valid YAML: {reason}</source>
        <translation>不是有效的 YAML：{reason}</translation>
    </message>
    <message>
        <source>This key is not known; it has no effect here.</source>
        <translation>未知的键，在本程序中没有作用。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead.</source>
        <translation>本程序不支持该优化器：改用 adamw。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead. Module names are never loaded from a configuration.</source>
        <translation>本程序不支持该优化器：改用 adamw。从不按配置加载模块名。</translation>
    </message>
    <message>
        <source>this optimizer needs all gradients before it moves a weight. Set optimizer.fused_back_pass to false</source>
        <translation>该优化器要等所有梯度都算出后才移动权重。请把 optimizer.fused_back_pass 设为 false</translation>
    </message>
    <message>
        <source>This optimizer option is not offered here.</source>
        <translation>本程序不支持这个优化器选项。</translation>
    </message>
    <message>
        <source>this option of samples</source>
        <translation>样图的这个选项</translation>
    </message>
    <message>
        <source>This part does not exist in that model.</source>
        <translation>该模型没有这个部件。</translation>
    </message>
    <message>
        <source>This part does not exist in the models offered here.</source>
        <translation>本程序支持的模型没有这个部件。</translation>
    </message>
    <message>
        <source>This part is not trained there.</source>
        <translation>原配置不训练这个部件。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead.</source>
        <translation>本程序不支持该调度：改用 constant。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead. Module names are never loaded from a configuration.</source>
        <translation>本程序不支持该调度：改用 constant。从不按配置加载模块名。</translation>
    </message>
    <message>
        <source>timestep</source>
        <translation>时间步</translation>
    </message>
    <message>
        <source>timestep {timestep} has SNR 0: an epsilon prediction can&apos;t be turned into an image there; use v-prediction</source>
        <translation>时间步 {timestep} 的 SNR 为 0：在那里无法由 epsilon 预测得出图片；请使用 v 预测</translation>
    </message>
    <message>
        <source>Timesteps are drawn independently here.</source>
        <translation>本程序独立抽取时间步。</translation>
    </message>
    <message>
        <source>timesteps spread over the steps</source>
        <translation>均匀分布到各步的时间步</translation>
    </message>
    <message>
        <source>token warm-up</source>
        <translation>词元预热</translation>
    </message>
    <message>
        <source>too small: {size} pixels, each side needs {least}</source>
        <translation>太小：{size} 像素，每边至少需要 {least}</translation>
    </message>
    <message>
        <source>trace written to {file}</source>
        <translation>跟踪记录已写入 {file}</translation>
    </message>
    <message>
        <source>train.dtype counts instead.</source>
        <translation>以 train.dtype 为准。</translation>
    </message>
    <message>
        <source>Trained text encoders are part of the adapter here.</source>
        <translation>本程序把训练过的文本编码器存入适配器。</translation>
    </message>
    <message>
        <source>trained: kept as a master, products in the compute type</source>
        <translation>被训练：保留主权重，乘法用计算类型</translation>
    </message>
    <message>
        <source>training of a share of the weights</source>
        <translation>只训练一部分权重</translation>
    </message>
    <message>
        <source>training of few-step models</source>
        <translation>训练少步数模型</translation>
    </message>
    <message>
        <source>training of norm layers</source>
        <translation>训练归一化层</translation>
    </message>
    <message>
        <source>training of SDXL&apos;s refiner</source>
        <translation>训练 SDXL 的 refiner</translation>
    </message>
    <message>
        <source>training of single blocks</source>
        <translation>训练单个块</translation>
    </message>
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
        <source>training steps: {shapes} shapes, {recordings} recordings</source>
        <translation>训练步：{shapes} 种形状，录制 {recordings} 次</translation>
    </message>
    <message>
        <source>training.min_snr_gamma must be above 0; it is {value}</source>
        <translation>training.min_snr_gamma 必须大于 0，现为 {value}</translation>
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
        <source>training.parts is [&quot;vae&quot;], and the layers of a VAE are not split over cards. Leave --split-cards out</source>
        <translation>training.parts 是 [&quot;vae&quot;]，而 VAE 的各层不会分到多张显卡上。请去掉 --split-cards</translation>
    </message>
    <message>
        <source>training.parts is [&quot;vae&quot;]: --trace and --replay know only a denoiser&apos;s steps. Leave them out</source>
        <translation>training.parts 为 [&quot;vae&quot;]：--trace 和 --replay 只支持去噪网络的训练步。请去掉它们</translation>
    </message>
    <message>
        <source>training.prior_weight is 0: the prior-preservation images aren&apos;t used</source>
        <translation>training.prior_weight 为 0：不使用先验保留图片</translation>
    </message>
    <message>
        <source>training.weights name no module of {part}; use &quot;*&quot;, or patterns such as &quot;{part}.*&quot;</source>
        <translation>training.weights 与 {part} 的任何模块都不匹配；请使用 &quot;*&quot; 或 &quot;{part}.*&quot; 这样的模式</translation>
    </message>
    <message>
        <source>transformer_layers_per_block (middle)</source>
        <translation>transformer_layers_per_block（中间块）</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation> true 或 false</translation>
    </message>
    <message>
        <source>Tucker decomposition</source>
        <translation>Tucker 分解</translation>
    </message>
    <message>
        <source>Types are one plan here; nothing falls back silently.</source>
        <translation>本程序的类型是一个整体方案，不会悄悄回退。</translation>
    </message>
    <message>
        <source>unet_lr counts instead.</source>
        <translation>以 unet_lr 为准。</translation>
    </message>
    <message>
        <source>unexpected structure</source>
        <translation>意外的结构</translation>
    </message>
    <message>
        <source>updates scaled by the weights</source>
        <translation>按权重缩放更新</translation>
    </message>
    <message>
        <source>Use a plain text-to-image checkpoint</source>
        <translation>请使用普通的文生图检查点</translation>
    </message>
    <message>
        <source>validation by epochs; set training.validate_every in steps</source>
        <translation>按轮数验证；请以步数设置 training.validate_every</translation>
    </message>
    <message>
        <source>vertical flips</source>
        <translation>垂直翻转</translation>
    </message>
    <message>
        <source>Weight decay is always decoupled here.</source>
        <translation>本程序的权重衰减总是解耦的。</translation>
    </message>
    <message>
        <source>weight {name}</source>
        <translation>权重 {name}</translation>
    </message>
    <message>
        <source>What happens on a full disk is chosen for each run.</source>
        <translation>磁盘已满时的处理方式在每次训练时选择。</translation>
    </message>
    <message>
        <source>What is written is stated in the README.</source>
        <translation>写入的内容见 README。</translation>
    </message>
    <message>
        <source>Which images is chosen here with data.validation_share.</source>
        <translation>本程序用 data.validation_share 选择验证图片。</translation>
    </message>
    <message>
        <source>Which images is decided by their content here, by a seed there.</source>
        <translation>选哪些图片，本程序由内容决定，原程序由种子决定。</translation>
    </message>
    <message>
        <source>wildcards in captions</source>
        <translation>标注中的通配符</translation>
    </message>
    <message>
        <source>With one scale per output channel here, without any there.</source>
        <translation>本程序每个输出通道有一个缩放系数，原程序没有。</translation>
    </message>
    <message>
        <source>With one scale per output channel here.</source>
        <translation>本程序每个输出通道有一个缩放系数。</translation>
    </message>
    <message>
        <source>With that pin the gap is {gap}.</source>
        <translation>加上该固定项后，差距为 {gap}。</translation>
    </message>
    <message>
        <source>With these pins the gap is {gap}.</source>
        <translation>加上这些固定项后，差距为 {gap}。</translation>
    </message>
    <message>
        <source>With {settings} it needs {need}</source>
        <translation>改为 {settings} 后需要 {need}</translation>
    </message>
    <message>
        <source>Without layers outside of the transformer&apos;s blocks.</source>
        <translation>不含 Transformer 块以外的层。</translation>
    </message>
    <message>
        <source>Without moving activations to the host.</source>
        <translation>不会把激活值移到主机内存。</translation>
    </message>
    <message>
        <source>Without the samples that are switched off.</source>
        <translation>不包括已关闭的样图。</translation>
    </message>
    <message>
        <source>Without the time embeddings and the first and last convolution.</source>
        <translation>不包括时间嵌入以及第一个和最后一个卷积。</translation>
    </message>
    <message>
        <source>write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, its inner channels there.</source>
        <translation>本程序置零的是适配器的输入，原程序置零的是其内部通道。</translation>
    </message>
    <message>
        <source>zlib could not pack an image</source>
        <translation>zlib 无法压缩图片</translation>
    </message>
    <message>
        <source>{advice}, or train with adapter.dora_axis input for ComfyUI</source>
        <translation>{advice}，或为 ComfyUI 以 adapter.dora_axis input 训练</translation>
    </message>
    <message>
        <source>{alone}. Split over cards, the layers would fit: {parts}. Train so with --split-cards {cards}; {streaming}</source>
        <translation>{alone}。把各层分到多张显卡上就能放下：{parts}。用 --split-cards {cards} 这样训练；{streaming}</translation>
    </message>
    <message>
        <source>{bits} bits a pixel are not supported</source>
        <translation>不支持每像素 {bits} 位</translation>
    </message>
    <message>
        <source>{card} would have {first} to {last}, which need {need} MB of its {free} MB</source>
        <translation>{card} 要放 {first} 到 {last}，需要 {need} MB，而它只有 {free} MB</translation>
    </message>
    <message>
        <source>{checkpoint} is not used: {reason}</source>
        <translation>未使用 {checkpoint}：{reason}</translation>
    </message>
    <message>
        <source>{checkpoint} was saved by an older version, which didn&apos;t record the base model: whether it is the same is not checked</source>
        <translation>{checkpoint} 由旧版本保存，未记录底模：无法检查是否相同</translation>
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
        <source>{count} adapters, {values} trainable values</source>
        <translation>{count} 个适配器，{values} 个可训练的数值</translation>
    </message>
    <message>
        <source>{count} lines are not shown here; see log.txt in the run folder.</source>
        <translation>这里略去了 {count} 行；训练文件夹中的 log.txt 有完整内容。</translation>
    </message>
    <message>
        <source>{count} trained weights, {values} trainable values</source>
        <translation>训练 {count} 个权重，{values} 个可训练的数值</translation>
    </message>
    <message>
        <source>{count} weights stay in host memory and are copied to the card for each use: the run may take {limit} bytes there</source>
        <translation>{count} 个权重留在主机内存，每次使用时复制到显卡：本次训练在显卡上最多使用 {limit} 字节</translation>
    </message>
    <message>
        <source>{device} runs every call at once</source>
        <translation>{device} 会立即执行每个调用</translation>
    </message>
    <message>
        <source>{device} stopped working: {reason}. This process can&apos;t use it any more: start Mantissa again and resume the run. If it happens again, look for Xid errors in the system&apos;s log and check the card&apos;s power, temperature and driver</source>
        <translation>{device} 已停止工作：{reason}。本进程无法再使用它：请重新启动 Mantissa 并恢复训练。如果再次发生，请在系统日志中查找 Xid 错误，并检查显卡的供电、温度和驱动</translation>
    </message>
    <message>
        <source>{file} can&apos;t be read. It names the folder where this run continues: pass that folder in place of {folder}</source>
        <translation>无法读取 {file}。它记录了该训练转到哪个文件夹继续：请指定那个文件夹，而不是 {folder}</translation>
    </message>
    <message>
        <source>{file} can&apos;t be removed.</source>
        <translation>无法删除 {file}。</translation>
    </message>
    <message>
        <source>{file} can&apos;t be unpacked: zlib does not start</source>
        <translation>无法解压 {file}：zlib 无法启动</translation>
    </message>
    <message>
        <source>{file} can&apos;t be used ({reason}): the copy in {checkpoint} is used</source>
        <translation>{file} 无法使用（{reason}）：使用 {checkpoint} 中的副本</translation>
    </message>
    <message>
        <source>{file} can&apos;t be written: {reason}. The caption is kept here and written once that is possible.</source>
        <translation>无法写入 {file}：{reason}。标注会保留在这里，一旦可以写入就写入。</translation>
    </message>
    <message>
        <source>{file} carries no preset: its metadata has no &quot;{key}&quot;, and nothing of sd-scripts or OneTrainer either</source>
        <translation>{file} 不含预设：元数据中没有“{key}”，也没有 sd-scripts 或 OneTrainer 的内容</translation>
    </message>
    <message>
        <source>{file} carries no preset: its metadata has no &quot;{key}&quot;, so it was not written by Mantissa, or without its preset</source>
        <translation>{file} 不含预设：元数据中没有“{key}”，因此它不是由 Mantissa 写出的，或写出时没有附带预设</translation>
    </message>
    <message>
        <source>{file} changes {weight}, which an adapter here doesn&apos;t train. Merge it into the base model first (`mantissa merge`) and train on the result</source>
        <translation>{file} 改变了 {weight}，而这里的适配器不训练它。请先将其合并到底模（`mantissa merge`），再用结果训练</translation>
    </message>
    <message>
        <source>{file} has another content than its manifest says</source>
        <translation>{file} 的内容与清单不符</translation>
    </message>
    <message>
        <source>{file} has another size than its manifest says</source>
        <translation>{file} 的大小与清单不符</translation>
    </message>
    <message>
        <source>{file} has more metadata than a preset needs</source>
        <translation>{file} 的元数据多于预设所需</translation>
    </message>
    <message>
        <source>{file} has no object &apos;weight_map&apos;; get the model again</source>
        <translation>{file} 中没有对象“weight_map”；请重新获取模型</translation>
    </message>
    <message>
        <source>{file} has {bytes} bytes; at most {most} are allowed</source>
        <translation>{file} 有 {bytes} 字节；最多允许 {most} 字节</translation>
    </message>
    <message>
        <source>{file} has {bytes} bytes; at most {most} are allowed for this kind of file</source>
        <translation>{file} 有 {bytes} 字节；这类文件最多 {most} 字节</translation>
    </message>
    <message>
        <source>{file} holds a number beyond the largest that there is, 1.8e308; correct it</source>
        <translation>{file} 中有数字超过可表示的最大值 1.8e308；请改正</translation>
    </message>
    <message>
        <source>{file} holds no byte-pair model (model.vocab, model.merges)</source>
        <translation>{file} 中没有字节对模型（model.vocab、model.merges）</translation>
    </message>
    <message>
        <source>{file} holds no unigram model; get the model&apos;s tokenizer folder again</source>
        <translation>{file} 中没有 unigram 模型；请重新获取模型的分词器文件夹</translation>
    </message>
    <message>
        <source>{file} holds only an embedding (textual inversion), {tensor}; embeddings aren&apos;t read, give an adapter</source>
        <translation>{file} 中只有嵌入（Textual Inversion）{tensor}；不支持读取嵌入，请指定适配器</translation>
    </message>
    <message>
        <source>{file} holds safetensors data under the name of a pickle checkpoint; rename it to end in .safetensors</source>
        <translation>{file} 的名称像 pickle 检查点，内容却是 safetensors 数据；请把扩展名改为 .safetensors</translation>
    </message>
    <message>
        <source>{file} is a database of another program, not Mantissa&apos;s runs; move it away or set MANTISSA_HOME</source>
        <translation>{file} 是其他程序的数据库，而不是 Mantissa 的训练数据库；请移走它，或设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>{file} is a folder; a preset is a JSON file</source>
        <translation>{file} 是文件夹；预设是 JSON 文件</translation>
    </message>
    <message>
        <source>{file} is a folder; choose a preset, a configuration or an adapter</source>
        <translation>{file} 是文件夹；请选择预设、配置或适配器</translation>
    </message>
    <message>
        <source>{file} is a GGUF file; only base models can be read from one</source>
        <translation>{file} 是 GGUF 文件；只有底模可以从中读取</translation>
    </message>
    <message>
        <source>{file} is a Git LFS pointer, not the weights; run &apos;git lfs pull&apos; in its folder or download the file itself</source>
        <translation>{file} 是 Git LFS 指针，不是权重；请在其文件夹中运行 `git lfs pull`，或下载文件本身</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip checkpoint (.ckpt, .pt, .bin), which can run any program when opened and is never read; convert it to .safetensors with a tool you trust, e.g. torch.load(…, weights_only=True) and safetensors.torch.save_file</source>
        <translation>{file} 是 pickle 或 zip 检查点（.ckpt、.pt、.bin），打开时可能运行任意程序，从不读取；请用可信的工具转换为 .safetensors，例如 torch.load(…, weights_only=True) 和 safetensors.torch.save_file</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip file, which can hold programs and is never opened; convert it to .safetensors first</source>
        <translation>{file} 是 pickle 或 zip 文件，可能含有程序，从不打开；请先转换为 .safetensors</translation>
    </message>
    <message>
        <source>{file} is a web page, not the weights; the download was redirected (often to a log-in page), download it again</source>
        <translation>{file} 是网页，不是权重；下载被重定向了（通常是登录页），请重新下载</translation>
    </message>
    <message>
        <source>{file} is damaged: it does not unpack; fetch it again</source>
        <translation>{file} 已损坏：无法解压；请重新获取</translation>
    </message>
    <message>
        <source>{file} is damaged: it has another content than its checksum says</source>
        <translation>{file} 已损坏：内容与其校验和不符</translation>
    </message>
    <message>
        <source>{file} is larger than 1 MB, so it is no preset</source>
        <translation>{file} 大于 1 MB，因此不是预设</translation>
    </message>
    <message>
        <source>{file} is missing</source>
        <translation>缺少 {file}</translation>
    </message>
    <message>
        <source>{file} is missing: the copy in {checkpoint} is used</source>
        <translation>缺少 {file}：使用 {checkpoint} 中的副本</translation>
    </message>
    <message>
        <source>{file} is nested deeper than {count} levels</source>
        <translation>{file} 嵌套超过 {count} 层</translation>
    </message>
    <message>
        <source>{file} is not a valid safetensors file: {problem}; the file is damaged or was made by a faulty program, get or export it again</source>
        <translation>{file} 不是有效的 safetensors 文件：{problem}；文件已损坏或由有缺陷的程序生成，请重新获取或导出</translation>
    </message>
    <message>
        <source>{file} is not CLIP&apos;s merges table: SHA-256 of its lines is {found}, {expected} is expected; fetch it again (packaging/fetch_vocab.sh)</source>
        <translation>{file} 不是 CLIP 的合并表：各行的 SHA-256 为 {found}，应为 {expected}；请重新获取（packaging/fetch_vocab.sh）</translation>
    </message>
    <message>
        <source>{file} is not the one that the run was started with: the copy in {checkpoint} is used</source>
        <translation>{file} 不是该训练开始时的文件：使用 {checkpoint} 中的副本</translation>
    </message>
    <message>
        <source>{file} is not valid JSON: error near byte {byte}</source>
        <translation>{file} 不是有效的 JSON：第 {byte} 字节附近有错误</translation>
    </message>
    <message>
        <source>{file} line {line}</source>
        <translation>{file} 第 {line} 行</translation>
    </message>
    <message>
        <source>{file} must be a JSON object</source>
        <translation>{file} 必须是 JSON 对象</translation>
    </message>
    <message>
        <source>{file} must hold a JSON object</source>
        <translation>{file} 必须含一个 JSON 对象</translation>
    </message>
    <message>
        <source>{file} must hold a JSON object; get the model&apos;s tokenizer folder again</source>
        <translation>{file} 必须含一个 JSON 对象；请重新获取模型的分词器文件夹</translation>
    </message>
    <message>
        <source>{file} normalises or splits text in another way than CLIP&apos;s tokenizer (normalizer NFC, white space, lower case; pre_tokenizer Split, ByteLevel); only CLIP&apos;s is supported</source>
        <translation>{file} 规范化或切分文本的方式与 CLIP 的分词器不同（normalizer：NFC、空白、小写；pre_tokenizer：Split、ByteLevel）；只支持 CLIP 的方式</translation>
    </message>
    <message>
        <source>{file} shrank or could not be read while in use; nothing made from it was kept. Restore the file and leave it unchanged while it is in use</source>
        <translation>{file} 在使用中变短或无法读取；由它得到的内容都没有保留。请恢复该文件，并在使用期间不要改动</translation>
    </message>
    <message>
        <source>{file} was changed by another program and was not overwritten; press Scan again to read it.</source>
        <translation>{file} 已被其他程序改动，保持其现有内容不变；按“重新扫描”可读取它。</translation>
    </message>
    <message>
        <source>{file} was deleted: it is made and locked again</source>
        <translation>{file} 已被删除：重新创建并锁定</translation>
    </message>
    <message>
        <source>{file} was written by a newer version; resume the run with that one</source>
        <translation>{file} 由更新的版本写出；请用那个版本续训</translation>
    </message>
    <message>
        <source>{file}, line {line}: two symbols with one space between them are expected</source>
        <translation>{file} 第 {line} 行：应为以一个空格分隔的两个符号</translation>
    </message>
    <message>
        <source>{file}, line {line}: two symbols with one space between them are expected; the table is cut off or another file, fetch it again (packaging/fetch_vocab.sh)</source>
        <translation>{file} 第 {line} 行：应为以一个空格分隔的两个符号；该表被截断或是其他文件，请重新获取（packaging/fetch_vocab.sh）</translation>
    </message>
    <message>
        <source>{file}: &apos;{flag}&apos; of the token &apos;{token}&apos; is {found}; true or false is expected</source>
        <translation>{file}：词元“{token}”的“{flag}”为 {found}；应为 true 或 false</translation>
    </message>
    <message>
        <source>{file}: &apos;{key}&apos; must be an object</source>
        <translation>{file}：“{key}”必须是对象</translation>
    </message>
    <message>
        <source>{file}: a regular expression has {bytes} bytes; at most {most} are allowed</source>
        <translation>{file}：有一个正则表达式长 {bytes} 字节；最多允许 {most} 字节</translation>
    </message>
    <message>
        <source>{file}: adapter.init pissa takes its start from the base weights and changes them; set adapter.init to standard to continue from an adapter</source>
        <translation>{file}：adapter.init 的 pissa 从底模权重出发并改变它们；要从适配器继续，请把 adapter.init 设为 standard</translation>
    </message>
    <message>
        <source>{file}: field &apos;identity&apos; must be a list of [part, name, path, bytes, SHA-256]</source>
        <translation>{file}：字段“identity”必须是 [部件, 名称, 路径, 字节数, SHA-256] 的列表</translation>
    </message>
    <message>
        <source>{file}: field &apos;latents_mean&apos; is set, which the pipelines of this family pass over, so that nobody can tell what the model was trained with. Remove latents_mean and latents_std</source>
        <translation>{file}：设置了字段“latents_mean”，而该系列的管线会忽略它，因此无从得知模型训练时用的是什么。请去掉 latents_mean 和 latents_std</translation>
    </message>
    <message>
        <source>{file}: field &apos;optimizer_updates&apos; lacks {part}. Resume with the preset the run was started with</source>
        <translation>{file}：字段“optimizer_updates”中缺少 {part}。请用开始训练时的预设续训</translation>
    </message>
    <message>
        <source>{file}: field &apos;step&apos; is {step}, which is not the step of its folder</source>
        <translation>{file}：字段“step”为 {step}，与其文件夹的步数不符</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; is missing</source>
        <translation>{file}：缺少字段“{field}”</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; must be {expected}, it is {found}</source>
        <translation>{file}：字段“{field}”应为{expected}，实际为 {found}</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; says {configured}, the weights have {found}; the configuration belongs to another model</source>
        <translation>{file}：字段“{field}”为 {configured}，而权重对应 {found}；该配置属于另一个模型</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; {problem}</source>
        <translation>{file}：字段“{field}”{problem}</translation>
    </message>
    <message>
        <source>{file}: init_lora_weights is loftq: the adapter belongs to a quantised copy of the base model, which the file doesn&apos;t hold. Merge it where it was trained; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}：init_lora_weights 为 loftq：该适配器属于底模的量化副本，而文件中没有该副本。请在训练它的地方合并；可用 `mantissa extract` 从结果中提取 LoRA</translation>
    </message>
    <message>
        <source>{file}: init_lora_weights is {init}: PEFT took the adapter&apos;s start out of the base model&apos;s weights, and the file doesn&apos;t hold that start. Where it was trained, save it with path_initial_model_for_weight_conversion, or merge it and use the result (`mantissa extract` makes a LoRA of it)</source>
        <translation>{file}：init_lora_weights 为 {init}：PEFT 已从底模权重中减去适配器的初始值，而文件中没有该初始值。请在训练它的地方用 path_initial_model_for_weight_conversion 保存，或合并后使用结果（可用 `mantissa extract` 从中提取 LoRA）</translation>
    </message>
    <message>
        <source>{file}: model.merges holds {found}; pairs of symbols are expected</source>
        <translation>{file}：model.merges 含有 {found}；应为成对的符号</translation>
    </message>
    <message>
        <source>{file}: no step.0001.latents in it. Pass a file written with --trace</source>
        <translation>{file}：其中没有 step.0001.latents。请指定用 --trace 写出的文件</translation>
    </message>
    <message>
        <source>{file}: no tensor {tensor}; make the trace with a text encoder trained</source>
        <translation>{file}：没有张量 {tensor}；请在训练文本编码器的情况下生成跟踪记录</translation>
    </message>
    <message>
        <source>{file}: pad_token &apos;{token}&apos; is not in the vocabulary</source>
        <translation>{file}：pad_token“{token}”不在词表中</translation>
    </message>
    <message>
        <source>{file}: PEFT&apos;s {form} isn&apos;t read (LORA, LOHA and LOKR are). Merge it into its base model where it was made; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}：不支持读取 PEFT 的 {form}（支持 LORA、LOHA 和 LOKR）。请在制作它的程序中合并到底模；可用 `mantissa extract` 从结果中提取 LoRA</translation>
    </message>
    <message>
        <source>{file}: precompiled_charsmap is damaged; get the model&apos;s tokenizer folder again</source>
        <translation>{file}：precompiled_charsmap 已损坏；请重新获取模型的分词器文件夹</translation>
    </message>
    <message>
        <source>{file}: precompiled_charsmap must be base64</source>
        <translation>{file}：precompiled_charsmap 必须是 base64</translation>
    </message>
    <message>
        <source>{file}: step {step} needs {timesteps} timesteps and {sizes} time_ids</source>
        <translation>{file}：第 {step} 步需要 {timesteps} 个时间步和 {sizes} 个 time_ids</translation>
    </message>
    <message>
        <source>{file}: tensor {tensor} should be {expected}, it is {found}</source>
        <translation>{file}：张量 {tensor} 应为 {expected}，实际：{found}</translation>
    </message>
    <message>
        <source>{file}: text is split by {count} regular expressions; at most {most} are allowed</source>
        <translation>{file}：文本由 {count} 个正则表达式切分；最多允许 {most} 个</translation>
    </message>
    <message>
        <source>{file}: the added token &apos;{token}&apos; has the id {found}; expected: {expected}, its id in the vocabulary</source>
        <translation>{file}：附加词元“{token}”的 ID 为 {found}；应为它在词表中的 ID {expected}</translation>
    </message>
    <message>
        <source>{file}: the added token {found} has no text (content)</source>
        <translation>{file}：附加词元 {found} 没有文本（content）</translation>
    </message>
    <message>
        <source>{file}: the file holds no LoRA</source>
        <translation>{file}：文件中没有 LoRA</translation>
    </message>
    <message>
        <source>{file}: the id of token &apos;{token}&apos; is {found}; a whole number below {most} is expected</source>
        <translation>{file}：词元“{token}”的编号为 {found}；应为小于 {most} 的整数</translation>
    </message>
    <message>
        <source>{file}: the key &apos;{key}&apos; appears twice</source>
        <translation>{file}：键“{key}”出现了两次</translation>
    </message>
    <message>
        <source>{file}: the merge &apos;{merge}&apos; appears twice</source>
        <translation>{file}：合并规则“{merge}”出现了两次</translation>
    </message>
    <message>
        <source>{file}: the merge &apos;{merge}&apos; uses a token that the vocabulary lacks; the tokenizer&apos;s files don&apos;t belong together</source>
        <translation>{file}：合并规则“{merge}”使用了词表中没有的词元；分词器的各文件并不配套</translation>
    </message>
    <message>
        <source>{file}: the normalizer &apos;{found}&apos; is not one of T5&apos;s (Precompiled, Strip, Replace); put the model&apos;s own tokenizer folder there</source>
        <translation>{file}：normalizer“{found}”不属于 T5（Precompiled、Strip、Replace）；请放入模型自带的分词器文件夹</translation>
    </message>
    <message>
        <source>{file}: the padding token &apos;{token}&apos; is not in the vocabulary</source>
        <translation>{file}：填充词元“{token}”不在词表中</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; can&apos;t split a text of {bytes} bytes: {reason}</source>
        <translation>{file}：正则表达式“{expression}”无法切分 {bytes} 字节的文本：{reason}</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; has &apos;{found}&apos; at byte {position}, which is not supported; expected are characters, classes, \p{L} and the other general categories, \s, \d, \r, \n, \t, groups, (?i:…) with ASCII text, lookarounds and repetitions</source>
        <translation>{file}：正则表达式“{expression}”的第 {position} 字节处有“{found}”，不受支持；可用的有：字符、字符类、\p{L} 等通用类别、\s、\d、\r、\n、\t、分组、内容为 ASCII 的 (?i:…)、环视和重复</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; is invalid: {reason}</source>
        <translation>{file}：正则表达式“{expression}”无效：{reason}</translation>
    </message>
    <message>
        <source>{file}: the shard name &apos;{name}&apos; is not the name of a .safetensors file in the same folder</source>
        <translation>{file}：分片名“{name}”不是同一文件夹中 .safetensors 文件的名称</translation>
    </message>
    <message>
        <source>{file}: the shard of &apos;{tensor}&apos; must be a file name</source>
        <translation>{file}：“{tensor}”的分片必须是文件名</translation>
    </message>
    <message>
        <source>{file}: the tokens &apos;{first}&apos; and &apos;{second}&apos; have the same id {id}</source>
        <translation>{file}：词元“{first}”与“{second}”的 ID 同为 {id}</translation>
    </message>
    <message>
        <source>{file}: the vocabulary lacks &apos;{symbol}&apos;, the symbol of byte {byte}; a byte-level vocabulary has all 256</source>
        <translation>{file}：词表缺少字节 {byte} 的符号“{symbol}”；字节级词表应含全部 256 个</translation>
    </message>
    <message>
        <source>{file}: the vocabulary lacks &lt;|startoftext|&gt; or &lt;|endoftext|&gt;; it is no CLIP tokenizer</source>
        <translation>{file}：词表中缺少 &lt;|startoftext|&gt; 或 &lt;|endoftext|&gt;；它不是 CLIP 分词器</translation>
    </message>
    <message>
        <source>{file}: the vocabulary must be an object of token to id</source>
        <translation>{file}：词表必须是从词元到编号的对象</translation>
    </message>
    <message>
        <source>{file}: training.method is full; merge the adapter into the base model first (`mantissa merge`)</source>
        <translation>{file}：training.method 为 full；请先把适配器合并到底模（`mantissa merge`）</translation>
    </message>
    <message>
        <source>{file}: {field} is {found}; expected: {expected}</source>
        <translation>{file}：{field} 为 {found}；应为 {expected}</translation>
    </message>
    <message>
        <source>{file}: {missing} of {all} trained modules aren&apos;t in it and start fresh</source>
        <translation>{file}：要训练的 {all} 个模块中有 {missing} 个不在其中，将从头开始</translation>
    </message>
    <message>
        <source>{file}: {module} has down {down} and up {up}; expected [rank, in] and [out, rank]</source>
        <translation>{file}：{module} 的 down 为 {down}，up 为 {up}；应为 [rank, in] 和 [out, rank]</translation>
    </message>
    <message>
        <source>{file}: {module} has its magnitudes per {given}, but adapter.dora_axis is {wanted}. Set it to {given}</source>
        <translation>{file}：{module} 的幅度按 {given}，而 adapter.dora_axis 为 {wanted}。请设为 {given}</translation>
    </message>
    <message>
        <source>{file}: {module} has no down matrix; the file is incomplete</source>
        <translation>{file}：{module} 没有 down 矩阵；文件不完整</translation>
    </message>
    <message>
        <source>{file}: {module} has no up matrix; the file is incomplete</source>
        <translation>{file}：{module} 没有 up 矩阵；文件不完整</translation>
    </message>
    <message>
        <source>{file}: {module} has no {tensor}; the file is incomplete</source>
        <translation>{file}：{module} 没有 {tensor}；文件不完整</translation>
    </message>
    <message>
        <source>{file}: {module} has {tensor} of shape {shape}; expected a matrix</source>
        <translation>{file}：{module} 的 {tensor} 形状为 {shape}；应为矩阵</translation>
    </message>
    <message>
        <source>{file}: {module} has {tensor} {shape} and {other} {other_shape}, which don&apos;t fit each other</source>
        <translation>{file}：{module} 的 {tensor} {shape} 与 {other} {other_shape} 不匹配</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first (`mantissa convert --format plain_lora`)</source>
        <translation>{file}：{module} 是 DoRA，而 adapter.type 为 lora。请把 adapter.type 设为 dora，或先写成普通 LoRA（`mantissa convert --format plain_lora`）</translation>
    </message>
    <message>
        <source>{file}: {module} has magnitudes, and adapter.decompose is off. Turn it on, or write the file as plain LoRA first (`mantissa convert --format plain_lora`)</source>
        <translation>{file}：{module} 带有幅值，而 adapter.decompose 处于关闭状态。请开启它，或先把文件写成普通 LoRA（`mantissa convert --format plain_lora`）</translation>
    </message>
    <message>
        <source>{file}: {module} is adapted there, but not trained here. Widen adapter.targets (or add the part to training.parts) so that nothing of the adapter is lost</source>
        <translation>{file}：其中适配了 {module}，但这里不训练它。请放宽 adapter.targets（或把该部件加入 training.parts），以免丢失适配器的内容</translation>
    </message>
    <message>
        <source>{file}: {module} is for a weight {given}, but the base model&apos;s is {wanted}. Was it made for another base model?</source>
        <translation>{file}：{module} 对应权重 {given}，而底模的是 {wanted}。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{file}: {role} is &apos;{found}&apos;; CLIP&apos;s is &apos;{expected}&apos;, and no other is supported</source>
        <translation>{file}：{role} 为“{found}”；CLIP 的是“{expected}”，不支持其他值</translation>
    </message>
    <message>
        <source>{file}: {tensor} adapts a module that the base model lacks. Was the file made for another base model?</source>
        <translation>{file}：{tensor} 适配的模块在底模中不存在。该文件是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{file}: {tensor} adapts a module that the denoiser lacks; a text encoder&apos;s PEFT adapter must lie in a folder text_encoder or text_encoder_2. Was the file made for another base model?</source>
        <translation>{file}：{tensor} 适配的模块在去噪网络中不存在；文本编码器的 PEFT 适配器必须放在文件夹 text_encoder 或 text_encoder_2 中。该文件是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{file}: {tensor} and {other} name the same tensor</source>
        <translation>{file}：{tensor} 和 {other} 指的是同一个张量</translation>
    </message>
    <message>
        <source>{file}: {tensor} has type {type}; a LoRA holds floating-point tensors</source>
        <translation>{file}：{tensor} 的类型为 {type}；LoRA 只含浮点张量</translation>
    </message>
    <message>
        <source>{file}: {tensor} has {count} values, which is no multiple of the batch of {batch}</source>
        <translation>{file}：{tensor} 有 {count} 个值，不是批大小 {batch} 的倍数</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, but the file says its magnitudes are per {axis}, {count} of them</source>
        <translation>{file}：{tensor} 为 {shape}，而文件注明其幅值按 {axis}，共 {count} 个</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, which fits neither the outputs nor the inputs of a weight [{outputs}, {inputs}, …]</source>
        <translation>{file}：{tensor} 为 {shape}，与权重 [{outputs}, {inputs}, …] 的输出和输入都不匹配</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, which may be per output or per input, and nothing in the file tells. Which program made it? Answer with --dora-axis output (PEFT, LyCORIS) or --dora-axis input (OneTrainer&apos;s default)</source>
        <translation>{file}：{tensor} 为 {shape}，可能按输出也可能按输入，而文件中没有说明。它由哪个程序制作？请用 --dora-axis output（PEFT、LyCORIS）或 --dora-axis input（OneTrainer 的默认）回答</translation>
    </message>
    <message>
        <source>{file}: {tensor} must be one number</source>
        <translation>{file}：{tensor} 必须是单个数</translation>
    </message>
    <message>
        <source>{file}: {tensor} should be [batch, channels, height, width], it is {shape}</source>
        <translation>{file}：{tensor} 应为 [batch, channels, height, width]，实际为 {shape}</translation>
    </message>
    <message>
        <source>{file}: {tensor} should have the shape of the latents, {shape}</source>
        <translation>{file}：{tensor} 的形状应与潜变量相同，即 {shape}</translation>
    </message>
    <message>
        <source>{file}: {tensor} should have {count} values</source>
        <translation>{file}：{tensor} 应有 {count} 个值</translation>
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
        <source>{folder} is the folder that the run is in; choose another</source>
        <translation>{folder} 就是当前的输出文件夹；请选择其他文件夹</translation>
    </message>
    <message>
        <source>{folder}: the checkpoints and the result of this run take up to {need}, {free} are free. Make room there, lower output.keep, or choose another folder</source>
        <translation>{folder}：本次训练的检查点和训练结果最多占用 {need}，可用 {free}。请腾出空间、减小 output.keep，或选择其他文件夹</translation>
    </message>
    <message>
        <source>{folder}: there is an intact checkpoint, {checkpoint}. Leave out --start-over to continue from it</source>
        <translation>{folder}：有完好的检查点 {checkpoint}。要从它继续，请去掉 --start-over</translation>
    </message>
    <message>
        <source>{folder}: there is no checkpoint to set aside. Leave --start-over away: the run begins at step 0</source>
        <translation>{folder}：没有可另行保留的检查点。请去掉 --start-over：训练将从第 0 步开始</translation>
    </message>
    <message>
        <source>{id}: {message} Fix: {fix}</source>
        <translation>{id}：{message} 解决办法：{fix}</translation>
    </message>
    <message>
        <source>{id}: {message} Fix: {fix} {patch}</source>
        <translation>{id}：{message} 解决办法：{fix} {patch}</translation>
    </message>
    <message>
        <source>{images} of {all} images have a mask; the others count everywhere</source>
        <translation>{all} 张图片中有 {images} 张带遮罩；其余图片处处计入</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each part one entry</source>
        <translation>{key} 为“{value}”，已有对应的条目；每个部件只写一个条目</translation>
    </message>
    <message>
        <source>{key} is given twice, first on line {line}; keep one</source>
        <translation>{key} 出现了两次，第一次在第 {line} 行；请只保留一个</translation>
    </message>
    <message>
        <source>{key} is not a known key; did you mean {near}?</source>
        <translation>{key} 不是已知的键；是不是 {near}？</translation>
    </message>
    <message>
        <source>{key} is not a known key; the keys here are {keys}</source>
        <translation>{key} 不是已知的键；这里可用的键是 {keys}</translation>
    </message>
    <message>
        <source>{key} is not a setting; `mantissa train --help` lists them all</source>
        <translation>{key} 不是设置项；`mantissa train --help` 会列出全部</translation>
    </message>
    <message>
        <source>{key} is not a setting; did you mean {near}?</source>
        <translation>{key} 不是设置项；是不是 {near}？</translation>
    </message>
    <message>
        <source>{key} is not an object; it holds settings such as {example}</source>
        <translation>{key} 不是对象；它包含 {example} 这样的设置</translation>
    </message>
    <message>
        <source>{key} is {value}, which is listed twice; list each part once</source>
        <translation>{key} 为 {value}，重复列出；每个部件只列一次</translation>
    </message>
    <message>
        <source>{key} is {value}, which {reason}</source>
        <translation>{key} 为 {value}，{reason}</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be a multiple of 8</source>
        <translation>{key} 为 {value}，必须是 8 的倍数</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be {expected}</source>
        <translation>{key} 为 {value}，应为{expected}</translation>
    </message>
    <message>
        <source>{key} lacks &quot;{member}&quot;: {help}</source>
        <translation>{key} 缺少“{member}”：{help}</translation>
    </message>
    <message>
        <source>{key}: {before} -&gt; {after} after step {step}</source>
        <translation>第 {step} 步之后 {key}：{before} -&gt; {after}</translation>
    </message>
    <message>
        <source>{layer} ({op}, {phase}): {bad} of {count} values of its {tensor} ({format}) are not finite.{before}</source>
        <translation>{layer}（{op}，{phase}）：其 {tensor}（{format}）的 {count} 个值中有 {bad} 个不是有限值。{before}</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or lower data.resolution</source>
        <translation>{message}。请关闭使用显卡的其他程序，或降低 data.resolution</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or turn on training.gradient_checkpointing</source>
        <translation>{message}。请关闭占用显卡的其他程序，或打开 training.gradient_checkpointing</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or set training.checkpointing_scope to blocks</source>
        <translation>{message}。请关闭占用显卡的其他程序，或将 training.checkpointing_scope 设为 blocks</translation>
    </message>
    <message>
        <source>{message}. Last good checkpoint: {file}</source>
        <translation>{message}。最后一个完好的检查点：{file}</translation>
    </message>
    <message>
        <source>{module}: a DoRA becomes plain LoRA only beside its base model&apos;s weights; set output.format to kohya or diffusers</source>
        <translation>{module}：DoRA 只有结合其底模的权重才能变成普通 LoRA；请把 output.format 设为 kohya 或 diffusers</translation>
    </message>
    <message>
        <source>{module}: PEFT knows DoRA per output only; set output.format to plain_lora</source>
        <translation>{module}：PEFT 只支持按输出的 DoRA；请把 output.format 设为 plain_lora</translation>
    </message>
    <message>
        <source>{module}: PEFT's {form} has no magnitudes; set output.format to kohya or plain_lora</source>
        <translation>{module}：PEFT 的 {form} 没有幅值；请把 output.format 设为 kohya 或 plain_lora</translation>
    </message>
    <message>
        <source>ComfyUI divides magnitudes per output by the norm of the base weight alone and doesn't render this file as trained{advice}</source>
        <translation>ComfyUI 用底模权重自身的范数去除按输出的幅值，出图与训练时不一致{advice}</translation>
    </message>
    <message>
        <source>LyCORIS loads files with magnitudes per output only, and this file's are per input{advice}</source>
        <translation>LyCORIS 只能加载按输出的幅值，而此文件的幅值是按输入的{advice}</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; takes too many steps on &apos;{name}&apos;; write it without nested repetitions</source>
        <translation>{file}：正则表达式“{expression}”匹配“{name}”所需步数过多；请不要使用嵌套的重复</translation>
    </message>
    <message>
        <source>{file}: {count} of {all} values of {tensor} are NaN/Inf, so the file is damaged or was saved by a run that had diverged. Get it again, or use an earlier save of it</source>
        <translation>{file}：{tensor} 的 {all} 个值中有 {count} 个为 NaN/Inf，文件已损坏，或是由已发散的训练保存的。请重新获取，或使用更早的保存</translation>
    </message>
    <message>
        <source>{file}: {tensor} belongs to an adapter of the form {form}, which isn&apos;t read (LoRA, DoRA, LoCon, LoHa, LoKr and whole differences are). Merge it into its base model where it was made; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}：{tensor} 属于 {form} 形式的适配器，不支持读取（支持 LoRA、DoRA、LoCon、LoHa、LoKr 和完整差值）。请在制作它的程序中合并到底模；可用 `mantissa extract` 从结果中提取 LoRA</translation>
    </message>
    <message>
        <source>{file}: {tensor} changes {weight}, which the base model lacks: the layer has none. Was the file made for another base model? Otherwise train it without biases where it was made</source>
        <translation>{file}：{tensor} 会改变 {weight}，但底模的该层没有它。该文件是否为另一个底模制作？否则请在制作它的程序中不带偏置重新训练</translation>
    </message>
    <message>
        <source>{file}: {tensor} holds {count} values for {weight}, which has {wanted}. Was the file made for another base model?</source>
        <translation>{file}：{tensor} 为 {weight} 提供了 {count} 个值，而后者有 {wanted} 个。该文件是否为另一个底模制作？</translation>
    </message>
    <message>
        <source>{file}: {tensor} is a weight of a whole model, not an adapter&apos;s. `mantissa extract` makes a LoRA of what a tuned model has that its base hasn&apos;t</source>
        <translation>{file}：{tensor} 是完整模型的权重，而不是适配器的权重。可用 `mantissa extract` 从微调模型与其底模的差异中提取 LoRA</translation>
    </message>
    <message>
        <source>{file}: {tensor} is an embedding (textual inversion) beside the adapter, which isn&apos;t applied: words that stand for it would mean nothing. Save the adapter without embeddings where it was made</source>
        <translation>{file}：{tensor} 是与适配器一起保存的嵌入（Textual Inversion），不会被应用：代表它的词将没有意义。请在制作它的程序中保存不带嵌入的适配器</translation>
    </message>
    <message>
        <source>{file}: {tensor} is no tensor of a LoRA, DoRA, LoHa, LoKr or whole difference, so what it does isn&apos;t known. Save the adapter without it where it was made</source>
        <translation>{file}：{tensor} 不是 LoRA、DoRA、LoHa、LoKr 或完整差值的张量，其作用未知。请在制作它的程序中保存不含它的适配器</translation>
    </message>
    <message>
        <source>{file}: {tensor} is of the adapter {name}, other tensors are of {other}. Save one of them alone where the file was made</source>
        <translation>{file}：{tensor} 属于适配器 {name}，其他张量属于 {other}。请在制作该文件的程序中只保存其中一个</translation>
    </message>
    <message>
        <source>{module}: the adapter is for a weight of {rows} by {columns}; the base model&apos;s holds {count} values. Was it made for another base model?</source>
        <translation>{module}：该适配器对应 {rows} x {columns} 的权重，而底模的权重有 {count} 个值。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{module}: the DoRA holds {count} magnitudes for {channels} channels</source>
        <translation>{module}：DoRA 有 {count} 个幅值，而通道有 {channels} 个</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA instead.</source>
        <translation>本程序不支持 {name}：改用 LoRA。</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA of the same rank instead.</source>
        <translation>本程序不支持 {name}：改用相同秩的 LoRA。</translation>
    </message>
    <message>
        <source>Only older versions use it, at half this scale; newer ones use the squared error.</source>
        <translation>只有旧版本会读取，数值为该损失的一半；新版本使用平方误差。</translation>
    </message>
    <message>
        <source>PyTorch&apos;s function there; here its smooth form, which is twice as large.</source>
        <translation>原程序用 PyTorch 的函数；本程序用其平滑形式，数值为两倍。</translation>
    </message>
    <message>
        <source>{name} is not offered here: the smallest type that is.</source>
        <translation>本程序不支持 {name}：改用所支持的最小类型。</translation>
    </message>
    <message>
        <source>{name} is not offered here: {other} instead.</source>
        <translation>本程序不支持 {name}：改用 {other}。</translation>
    </message>
    <message>
        <source>{optimizer} finds one rate from all weights, which a run whose layers are split over cards has on several. Set optimizer.type to adamw</source>
        <translation>{optimizer} 要从全部权重求出一个学习率，而各层分到多张显卡的训练把权重放在几张显卡上。请把 optimizer.type 设为 adamw</translation>
    </message>
    <message>
        <source>{optimizer} finds the learning rate by itself: leave it at 1. There is nothing to test</source>
        <translation>{optimizer} 会自行确定学习率：保持为 1 即可，无需测试</translation>
    </message>
    <message>
        <source>{option} is for training a denoiser; leave it out where training.parts is vae</source>
        <translation>{option} 用于训练去噪网络；training.parts 为 vae 时请去掉它</translation>
    </message>
    <message>
        <source>{part} (a folder of the original model)</source>
        <translation>{part}（原始模型中的文件夹）</translation>
    </message>
    <message>
        <source>{part} (no file fits)</source>
        <translation>{part}（没有合适的文件）</translation>
    </message>
    <message>
        <source>{part} ({count} files fit: {files})</source>
        <translation>{part}（有 {count} 个合适的文件：{files}）</translation>
    </message>
    <message>
        <source>{part} weight &apos;{weight}&apos;</source>
        <translation>{part} 的权重“{weight}”</translation>
    </message>
    <message>
        <source>{path} ({model}) has the {part} weight &apos;{weight}&apos;, which {other} ({other_model}) lacks: they have different networks, and an adapter can&apos;t hold that. Give the model that the tuned one was made from</source>
        <translation>{path}（{model}）有 {part} 的权重“{weight}”，而 {other}（{other_model}）没有：两者的网络不同，适配器无法表示这种差异。请给出微调所用的原模型</translation>
    </message>
    <message>
        <source>{path} and {other} differ in the {part} weight &apos;{weight}&apos;; are they of one architecture?</source>
        <translation>{path} 与 {other} 在 {part} 的权重“{weight}”上不同；它们是同一种架构吗？</translation>
    </message>
    <message>
        <source>{path} exists already; pass --overwrite to replace it, or choose another path</source>
        <translation>{path} 已存在，且不是由某次训练生成的。请另选文件夹，或先移走它</translation>
    </message>
    <message>
        <source>{path} exists already; turn on --overwrite to replace it, or choose another path</source>
        <translation>{path} 已存在；请开启 --overwrite 以替换它，或另选路径</translation>
    </message>
    <message>
        <source>{path} has no {part}/config.json, which a new model needs</source>
        <translation>{path} 中没有新模型所需的 {part}/config.json</translation>
    </message>
    <message>
        <source>{path} has no config.json of a denoiser of which new models can be made: {families}</source>
        <translation>{path} 中没有可用于新建模型的去噪器 config.json；支持的系列：{families}</translation>
    </message>
    <message>
        <source>{path} holds several sets of shards without an index ({files}); keep one</source>
        <translation>{path} 中有多组没有索引的分片（{files}）；请只保留一组</translation>
    </message>
    <message>
        <source>{path} holds {count} of {all} shards and no index: {files} is missing; get the model again</source>
        <translation>{path} 中只有 {all} 个分片中的 {count} 个，且没有索引：缺少 {files}；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} is a checkpoint outside its run's folder and can't be continued as a run. Move it to `checkpoints` of that folder, or begin a new run with its adapter (--continue-from)</source>
        <translation>{path} 是训练文件夹之外的检查点，不能作为训练继续。请把它移到该文件夹的 `checkpoints` 中，或用它的适配器开始新的训练（--continue-from）</translation>
    </message>
    <message>
        <source>{path} is a checkpoint, not a run. Pass its run, {run}, which continues from the newest checkpoint, or begin a new run with the adapter of this one (--continue-from)</source>
        <translation>{path} 是检查点，不是训练。请指定它所属的训练 {run}（从最新的检查点继续），或用这个检查点的适配器开始新的训练（--continue-from）</translation>
    </message>
    <message>
        <source>{path} is a folder of PEFT&apos;s, which PeftModel.from_pretrained loads; other programs read single files. Convert on the Tools page writes one</source>
        <translation>{path} 是 PEFT 的文件夹，由 PeftModel.from_pretrained 加载；其他程序读取单个文件。“工具”中的“转换”可写出一个</translation>
    </message>
    <message>
        <source>{path} is a folder that is not empty; turn on --overwrite to replace files in it, or choose another path</source>
        <translation>{path} 是非空文件夹；请开启 --overwrite 以替换其中的文件，或另选路径</translation>
    </message>
    <message>
        <source>{path} is a model of {family}, of which no new ones can be made</source>
        <translation>{path} 是 {family} 模型，无法新建该系列的模型</translation>
    </message>
    <message>
        <source>{path} holds a model of the family {family}, but model.family says {wanted}; set it to auto, or give the base it is for</source>
        <translation>{path} 中的模型属于 {family} 系列，而 model.family 为 {wanted}；请设为 auto，或指定相应的底模</translation>
    </message>
    <message>
        <source>{path} holds a run already. Continue it (--resume), or choose another folder (--out)</source>
        <translation>{path} 中已有一次训练。请继续该训练（--resume），或另选文件夹（--out）</translation>
    </message>
    <message>
        <source>{path} holds neither vocab.json with merges.txt nor tokenizer.json; get the model&apos;s tokenizer folder again</source>
        <translation>{path} 中既没有 vocab.json 和 merges.txt，也没有 tokenizer.json；请重新获取模型的分词器文件夹</translation>
    </message>
    <message>
        <source>{path} holds no .safetensors file; the model is incomplete, get it again</source>
        <translation>{path} 中没有 .safetensors 文件；模型不完整，请重新获取</translation>
    </message>
    <message>
        <source>{path} holds no VAE; give a complete base model</source>
        <translation>{path} 中没有 VAE；请给出完整的底模</translation>
    </message>
    <message>
        <source>{path} holds no {part}; use a complete base model, or list the files of its parts: with `mantissa base`, or &quot;Separate files…&quot; in the studio</source>
        <translation>{path} 中没有 {part}；请使用完整的底模，或列出各部分的文件：用 `mantissa base`，或在窗口中点“分开的文件…”</translation>
    </message>
    <message>
        <source>{path} holds only pickle weights ({file}), which can run any program when opened and are never read; get the .safetensors version or convert them</source>
        <translation>{path} 中只有 pickle 权重（{file}），打开时可能运行任意程序，从不读取；请获取 .safetensors 版本，或进行转换</translation>
    </message>
    <message>
        <source>{path} holds several weight files ({files}); keep one</source>
        <translation>{path} 中有多个权重文件（{files}）；请只保留一个</translation>
    </message>
    <message>
        <source>{path} is a file; give the folder that holds the images</source>
        <translation>{path} 是文件；请指定存放图片的文件夹</translation>
    </message>
    <message>
        <source>{path} is a folder that is not empty; pass --overwrite to replace files in it, or choose another path</source>
        <translation>{path} 是非空文件夹。请另选文件夹，或先清空它</translation>
    </message>
    <message>
        <source>{path} is also {place}</source>
        <translation>{path} 也{place}</translation>
    </message>
    <message>
        <source>{path} is no diffusers model: it has neither unet/, transformer/ nor vae/; pass a diffusers folder or one .safetensors checkpoint</source>
        <translation>{path} 不是 diffusers 模型：其中没有 unet/、transformer/ 或 vae/；请给出 diffusers 文件夹或一个 .safetensors 检查点</translation>
    </message>
    <message>
        <source>{path} lists &apos;{file}&apos; as its {part}, but that file holds no {part} of {family}; list the right one: with `mantissa base`, or &quot;Separate files…&quot; in the studio</source>
        <translation>{path} 把“{file}”列为 {part}，但该文件中没有 {family} 的 {part}；请列出正确的文件：用 `mantissa base`，或在窗口中点“分开的文件…”</translation>
    </message>
    <message>
        <source>{path} names no {folder}, a folder of the original model that its files don&apos;t replace; list it with `mantissa base`, or &quot;Separate files…&quot; in the studio</source>
        <translation>{path} 没有指定 {folder}；这是原始模型中的文件夹，模型文件不能代替它。请用 `mantissa base`，或在窗口中点“分开的文件…”来指定</translation>
    </message>
    <message>
        <source>{path} skipped: {reason}</source>
        <translation>跳过 {path}：{reason}</translation>
    </message>
    <message>
        <source>{path}: a checkpoint needs {need}, {free} are free. Make room there; earlier checkpoints are untouched</source>
        <translation>{path}：检查点需要 {need}，可用 {free}。请腾出空间；之前的检查点未受影响</translation>
    </message>
    <message>
        <source>{path}: a reference of {width}x{height} pixels is smaller than the {least} that each side needs</source>
        <translation>{path}：{width}x{height} 像素的参考图小于每边所需的 {least}</translation>
    </message>
    <message>
        <source>{path}: a run uses this cache now; prune it when the run has ended</source>
        <translation>{path}：有训练正在使用此缓存；请在训练结束后再清理</translation>
    </message>
    <message>
        <source>{path}: another program prunes this cache now; wait for its end</source>
        <translation>{path}：另一个程序正在清理此缓存；请等待其结束</translation>
    </message>
    <message>
        <source>{path}: hidden state {state} is needed, but the text encoder has {layers} layers; use the text encoder of this model</source>
        <translation>{path}：需要隐藏状态 {state}，但文本编码器只有 {layers} 层；请使用该模型自己的文本编码器</translation>
    </message>
    <message>
        <source>{path}: models of the family {family} are written as a diffusers folder; give a name without .safetensors</source>
        <translation>{path}：{family} 系列的模型会写成 diffusers 文件夹；请给出不带 .safetensors 的名称</translation>
    </message>
    <message>
        <source>{path}: no such base model. Pass a .safetensors or .gguf file or a diffusers folder</source>
        <translation>{path}：没有这个底模。请指定 .safetensors 或 .gguf 文件，或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>{path}: no such folder of images</source>
        <translation>{path}：没有这个图片文件夹</translation>
    </message>
    <message>
        <source>{path}: no such folder of images. If it was moved, pass its new path ({option})</source>
        <translation>{path}：没有这个图片文件夹。如果已移动，请给出新路径（{option}）</translation>
    </message>
    <message>
        <source>{path}: no such folder or list of reference images</source>
        <translation>{path}：没有这个参考图文件夹或列表</translation>
    </message>
    <message>
        <source>{path}: no such run. Pass a run folder (it holds job.json) or an id of `mantissa runs list`</source>
        <translation>{path}：没有这次训练。请指定训练文件夹（其中有 job.json）或 `mantissa runs list` 中的编号</translation>
    </message>
    <message>
        <source>{path}: nothing can be written there: {reason}. Choose another folder (--out), or allow it</source>
        <translation>{path}：无法写入：{reason}。请选择其他文件夹（--out），或允许写入</translation>
    </message>
    <message>
        <source>{path}: one DoRA scales this weight&apos;s outputs and another its inputs; they can&apos;t be applied together. Merge one of them into the base model first</source>
        <translation>{path}：一个 DoRA 缩放该权重的输出，另一个缩放其输入；两者无法一起应用。请先把其中一个合并到底模</translation>
    </message>
    <message>
        <source>{path}: the DoRA holds {count} magnitudes, but the model&apos;s weight {shape} has {channels} channels on that axis</source>
        <translation>{path}：DoRA 有 {count} 个幅值，而模型的权重 {shape} 在该轴上有 {channels} 个通道</translation>
    </message>
    <message>
        <source>{path}: the checkpoint holds no adapter that can be loaded</source>
        <translation>{path}：该检查点中没有可加载的适配器</translation>
    </message>
    <message>
        <source>{path}: the folder holds no {file}, neither itself nor in unet, text_encoder or text_encoder_2; give one .safetensors adapter, or a folder that PEFT wrote</source>
        <translation>{path}：该文件夹本身以及其中的 unet、text_encoder 或 text_encoder_2 都没有 {file}；请给出一个 .safetensors 适配器，或由 PEFT 写出的文件夹</translation>
    </message>
    <message>
        <source>{path}: the folder of images is empty</source>
        <translation>{path}：图片文件夹是空的</translation>
    </message>
    <message>
        <source>{path}: the images or captions have changed since this checkpoint, so the run can&apos;t continue exactly. Restore them, or start a new run</source>
        <translation>{path}：图片或标注在该检查点之后有改动，训练无法精确继续。请恢复它们，或开始新的训练</translation>
    </message>
    <message>
        <source>{path}: the LoRA adapts this module, but the base model has none of that name. Was it made for another base model?</source>
        <translation>{path}：LoRA 适配了这个模块，但底模中没有同名模块。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{path}: the LoRA has down {down} and up {up}, but the model&apos;s weight is {shape}. Was it made for another base model?</source>
        <translation>{path}：LoRA 的 down 为 {down}，up 为 {up}，而模型的权重为 {shape}。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{path}: the run folder can&apos;t be made: {reason}. Choose another folder (--out)</source>
        <translation>{path}：无法创建训练文件夹：{reason}。请另选一个（--out）</translation>
    </message>
    <message>
        <source>{path}: the run has written no adapter that can be loaded</source>
        <translation>{path}：该训练没有写出可加载的适配器</translation>
    </message>
    <message>
        <source>{path}: the run has {done} steps already and can&apos;t be shortened to {steps}. Set training.steps to {done} or more (training.epochs likewise), or start a new run</source>
        <translation>{path}：该训练已完成 {done} 步，无法缩短为 {steps} 步。请把 training.steps 设为不小于 {done}（training.epochs 同理），或开始新的训练</translation>
    </message>
    <message>
        <source>{path}: the run&apos;s training adapter is missing. Restore it, or choose it in its new place</source>
        <translation>{path}：本次运行的训练辅助适配器不见了。请恢复它，或在它的新位置选择它</translation>
    </message>
    <message>
        <source>{path}: the second text encoder&apos;s pooled vector has {given} values, but the UNet takes {wanted}; are they parts of one model?</source>
        <translation>{path}：第二个文本编码器的池化向量有 {given} 个值，而 UNet 接受 {wanted} 个；它们是同一个模型的部件吗？</translation>
    </message>
    <message>
        <source>{path}: the text encoder gives {given} values a token, but the transformer takes {wanted}; are they parts of one model?</source>
        <translation>{path}：文本编码器给出每个词元 {given} 个值，而 transformer 接受 {wanted} 个；它们是同一个模型的部件吗？</translation>
    </message>
    <message>
        <source>{path}: the text encoder has {count} layers; the transformer takes what layer {last} gives</source>
        <translation>{path}：文本编码器有 {count} 层；Transformer 需要第 {last} 层的输出</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: nothing tells mean and deviation of the vae&apos;s {channels} latent channels; use the VAE&apos;s diffusers folder, with its config.json</source>
        <translation>“{path}”：没有 VAE 的 {channels} 个潜变量通道的均值和标准差；请使用带 config.json 的 VAE diffusers 文件夹</translation>
    </message>
    <message>
        <source>{path}: the text encoder gives {given} values a token, but the text conditioner takes {wanted}; are they parts of one model?</source>
        <translation>{path}：文本编码器给出每个词元 {given} 个值，而文本条件网络接受 {wanted} 个；它们是同一个模型的部件吗？</translation>
    </message>
    <message>
        <source>{path}: the text encoder gives {given} values a token, but the UNet takes {wanted}; are they parts of one model?</source>
        <translation>{path}：文本编码器给出每个词元 {given} 个值，而 UNet 接受 {wanted} 个；它们是同一个模型的部件吗？</translation>
    </message>
    <message>
        <source>{path}: the text encoders give {given} values a token, but the UNet takes {wanted}; are they parts of one model?</source>
        <translation>{path}：两个文本编码器共给出每个词元 {given} 个值，而 UNet 接受 {wanted} 个；它们是同一个模型的部件吗？</translation>
    </message>
    <message>
        <source>{path}: the transformer takes {wanted} channels, the vae makes latents of {given}; the two parts belong to different models</source>
        <translation>{path}：transformer 接受 {wanted} 个通道，vae 生成的潜变量却有 {given} 个；这两个部件属于不同的模型</translation>
    </message>
    <message>
        <source>{path}: the VAE can&apos;t be trained: its config sets {field}, and the scale of its latents is settled in quant_conv and post_quant_conv alone. Adapters can be trained on this model</source>
        <translation>{path}：无法训练 VAE：其配置设置了 {field}，而其潜变量的缩放只在 quant_conv 和 post_quant_conv 中确定。可以在该模型上训练适配器</translation>
    </message>
    <message>
        <source>{path}: there is no adapter to write</source>
        <translation>{path}：没有可写出的适配器</translation>
    </message>
    <message>
        <source>{path}: this path is not UTF-8, so no run can refer to it; rename the folder</source>
        <translation>{path}：该路径不是 UTF-8，训练无法引用它；请重命名文件夹</translation>
    </message>
    <message>
        <source>{path}: training.parts names {part}, which this model doesn&apos;t have; take it out</source>
        <translation>{path}：training.parts 中有 {part}，但该模型没有这个部件；请去掉它</translation>
    </message>
    <message>
        <source>{path}: {heads} heads don&apos;t divide the width {width}; check the number of heads in the config</source>
        <translation>{path}：{heads} 个注意力头无法整除宽度 {width}；请检查配置中的头数</translation>
    </message>
    <message>
        <source>{path}: {op} calls the host</source>
        <translation>{path}：{op} 会调用主机</translation>
    </message>
    <message>
        <source>{images} images for prior preservation, {held} for validation</source>
        <translation>{images} 张先验保留图片，{held} 张留作验证</translation>
    </message>
    <message>
        <source>1 batch per epoch</source>
        <translation>每轮 1 批</translation>
    </message>
    <message>
        <source>1 file skipped</source>
        <translation>跳过 1 个文件</translation>
    </message>
    <message>
        <source>1 image</source>
        <translation>1 张图片</translation>
    </message>
    <message>
        <source>{count} batches per epoch</source>
        <translation>每轮 {count} 批</translation>
    </message>
    <message>
        <source>{count} files skipped</source>
        <translation>跳过 {count} 个文件</translation>
    </message>
    <message>
        <source>{count} images</source>
        <translation>{count} 张图片</translation>
    </message>
    <message>
        <source>{place} is longer than 1 MB; the line is passed over</source>
        <translation>{place} 超过 1 MB；已跳过该行</translation>
    </message>
    <message>
        <source>{place} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8</source>
        <translation>{place} 的第 {byte} 字节不是有效的 UTF-8；请另存为 UTF-8</translation>
    </message>
    <message>
        <source>{place} names &quot;{file}&quot;, which isn&apos;t inside its folder; the line is passed over</source>
        <translation>{place}给出的“{file}”不在其文件夹内；跳过这一行</translation>
    </message>
    <message>
        <source>{place} names {file} a second time; the later text is used</source>
        <translation>{place}再次给出 {file}；以后面的文字为准</translation>
    </message>
    <message>
        <source>{place} names {file}, which isn&apos;t used with it</source>
        <translation>{place} 中的 {file} 未与它一起使用</translation>
    </message>
    <message>
        <source>{place} needs &quot;references&quot; with the path of an image, or a list of paths; the line is passed over</source>
        <translation>{place} 需要 "references"，其值为一张图片的路径或路径列表；跳过该行</translation>
    </message>
    <message>
        <source>{place} needs &quot;{name}&quot; with a text; the line is passed over</source>
        <translation>{place}缺少文字“{name}”；跳过这一行</translation>
    </message>
    <message>
        <source>{place}: the text {reason}; the line is passed over</source>
        <translation>{place}：文字{reason}；跳过这一行</translation>
    </message>
    <message>
        <source>{place}: this is a configuration of {program} ({key}), whose files are not read; create a preset and set its values by hand</source>
        <translation>{place}：这是 {program} 的配置 ({key})，本程序不读取它的文件；请新建预设并手动设置各项的值</translation>
    </message>
    <message>
        <source>{place}: {family} ({key}) is not supported here; supported model families: {families}</source>
        <translation>{place}：本程序不支持 {family} ({key})；支持的模型家族：{families}</translation>
    </message>
    <message>
        <source>{place}: {job} ({key}) is not offered here; import a configuration that trains an adapter or the model&apos;s own weights</source>
        <translation>{place}：本程序不支持 {job} ({key})；请导入训练适配器或模型自身权重的配置</translation>
    </message>
    <message>
        <source>{preset} is neither a file nor a built-in preset; did you mean {near}?</source>
        <translation>{preset} 既不是文件，也不是内置预设；是不是 {near}？</translation>
    </message>
    <message>
        <source>{preset} is neither a file nor a built-in preset; the built-in ones are missing from this installation</source>
        <translation>{preset} 既不是文件，也不是内置预设；此安装缺少内置预设</translation>
    </message>
    <message>
        <source>{preset} is neither a file nor a built-in preset; the built-in ones are {presets}</source>
        <translation>{preset} 既不是文件，也不是内置预设；内置预设有 {presets}</translation>
    </message>
    <message>
        <source>{process} can&apos;t be heard any more: it was stopped or ended, its machine is down, or the network between is. Resume starts the run again from its last checkpoint</source>
        <translation>收不到{process}的消息：它被暂停或已结束，或者那台机器或网络中断。“续训”从最后一个检查点重新开始</translation>
    </message>
    <message>
        <source>{reason}. All files are in {folder}: close what uses them, and rename it to {target}</source>
        <translation>{reason}。所有文件都在 {folder} 中：请关闭正在使用它们的程序，并将该文件夹重命名为 {target}</translation>
    </message>
    <message>
        <source>{reason}. It was kept as {file} and a new one was made; the run folders hold everything needed to resume</source>
        <translation>{reason}。它已保留为 {file}，并新建了一个；训练文件夹中有续训所需的一切</translation>
    </message>
    <message>
        <source>{reason}. No checkpoint holds an intact copy of it, so the run can&apos;t be resumed</source>
        <translation>{reason}。没有检查点保存着它的完好副本，无法续训</translation>
    </message>
    <message>
        <source>{reason}. The new files that {target} lacks are in {folder}: close what uses the old ones, and move them there</source>
        <translation>{reason}。{target} 中还缺少的新文件在 {folder} 中：请关闭正在使用旧文件的程序，再把它们移过去</translation>
    </message>
    <message>
        <source>{reason}. The settings of the newest checkpoint are used</source>
        <translation>{reason}。将使用最新检查点的设置</translation>
    </message>
    <message>
        <source>{refusal}. {way}</source>
        <translation>{refusal}。{way}</translation>
    </message>
    <message>
        <source>{run} can&apos;t be brought back to {folder}; it is still in the trash.</source>
        <translation>无法将 {run} 恢复到 {folder}；它仍在回收站中。</translation>
    </message>
    <message>
        <source>{run} is being trained now; stop it first, or wait for its end</source>
        <translation>{run} 正在训练；请先停止它，或等待其结束</translation>
    </message>
    <message>
        <source>{run}: {count} runs begin so, the newest of them {runs}. Give more of the id; `mantissa runs list` shows them</source>
        <translation>{run}：有 {count} 次训练的 id 以此开头，最新的是 {runs}。请输入更长的 id；`mantissa runs list` 会列出它们</translation>
    </message>
    <message>
        <source>{setting} is {clip_skip}, but the text encoder has {layers} layers. Set it to {layers} or less</source>
        <translation>{setting} 为 {clip_skip}，而文本编码器有 {layers} 层。请设为 {layers} 或更小</translation>
    </message>
    <message>
        <source>{share}% of {size} pixels is cut away</source>
        <translation>{size} 像素中有 {share}% 被裁掉</translation>
    </message>
    <message>
        <source>{tensor} and {count} tensors like it are left out: a PEFT folder has no place for embeddings</source>
        <translation>略去 {tensor} 及 {count} 个类似的张量：PEFT 文件夹中没有存放嵌入的位置</translation>
    </message>
    <message>
        <source>{tensor} data ends at byte {end} of the data part, the file ends at {size} (it is cut off)</source>
        <translation>{tensor} 数据到数据区第 {end} 字节为止，而文件在 {size} 处结束（被截断）</translation>
    </message>
    <message>
        <source>{tensor} has shape {shape}, but the model&apos;s config asks for {expected}. Is the config that of another model?</source>
        <translation>{tensor} 的形状为 {shape}，而模型配置要求 {expected}。配置是不是另一个模型的？</translation>
    </message>
    <message>
        <source>{tensor} has shape {shape}, but the model&apos;s config asks for {expected}. Is this an inpainting checkpoint?</source>
        <translation>{tensor} 的形状为 {shape}，而模型配置要求 {expected}。这是局部重绘（inpainting）检查点吗？</translation>
    </message>
    <message>
        <source>{tensor} would be written with Inf/NaN: what it is made of is beyond what FP32 holds. Nothing was written</source>
        <translation>{tensor} 会写出 Inf/NaN：计算它的数值超出 FP32 的范围。未写入任何文件</translation>
    </message>
    <message>
        <source>{tensor}: expected {shape}, got {count} values; is adapter.rank the same?</source>
        <translation>{tensor}：应为 {shape}，却得到 {count} 个值；adapter.rank 相同吗？</translation>
    </message>
    <message>
        <source>{tensor}: missing in the values to load; are adapter.targets and training.parts those they were saved with?</source>
        <translation>{tensor}：要加载的值中没有它；adapter.targets 和 training.parts 与保存时相同吗？</translation>
    </message>
    <message>
        <source>{tensor}: q, k and v must be there all three, in one type, to be written as one tensor</source>
        <translation>{tensor}：q、k 和 v 必须三者齐全且类型相同，才能写成一个张量</translation>
    </message>
    <message>
        <source>{tensor}: the model has no adapter tensor of that name; are adapter.targets and training.parts those the values were saved with?</source>
        <translation>{tensor}：模型中没有这个名称的适配器张量；adapter.targets 和 training.parts 与保存这些值时相同吗？</translation>
    </message>
    <message>
        <source>{tensor}: {type} can&apos;t hold the value {value}; set output.dtype to bf16 or fp32</source>
        <translation>{tensor}：{type} 无法表示值 {value}；请把 output.dtype 设为 bf16 或 fp32</translation>
    </message>
    <message>
        <source>{title} reads none of the formats of this adapter in full; Inspect says why. Merge it into the base model instead</source>
        <translation>此适配器的任何格式都不能被 {title} 完整读取；原因见“查看”。请改为合并到底模</translation>
    </message>
    <message>
        <source>{tokens} tokens, of which {part} reads {most}</source>
        <translation>{tokens} 个 token，{part} 只读取 {most} 个</translation>
    </message>
    <message>
        <source>{weight} (the whole part is missing)</source>
        <translation>{weight}（整个部件都缺失）</translation>
    </message>
    <message>
        <source>{weight} holds values above 65504, which fp16 can&apos;t represent; choose bf16 or fp32 for this part (precision.weights)</source>
        <translation>{weight} 中有大于 65504 的值，fp16 无法表示；请为该部件选用 bf16 或 fp32（precision.weights）</translation>
    </message>
    <message>
        <source>{weight} is stored as {type}; a floating-point type is expected</source>
        <translation>{weight} 以 {type} 存储；应为浮点类型</translation>
    </message>
    <message>
        <source>{weight}: with the adapters added it is beyond what FP32 holds and would be written as Inf/NaN. Merge them at smaller weights, or leave out the one that is damaged</source>
        <translation>{weight}：加上这些适配器后超出 FP32 的范围，写出来会是 Inf/NaN。请减小合并权重，或去掉已损坏的那一个</translation>
    </message>
    <message>
        <source>{weight}: {type} can&apos;t hold a value of this weight; write the model in bf16 or fp32</source>
        <translation>{weight}：{type} 无法表示该权重中的某个值；请以 bf16 或 fp32 写出模型</translation>
    </message>
    <message>
        <source>α is 1-β here.</source>
        <translation>本程序中 α 为 1-β。</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>……以及另外 {count} 处</translation>
    </message>
    <message>
        <source>With the base model&apos;s own shift.</source>
        <translation>使用底模自己的偏移。</translation>
    </message>
    <message>
        <source>it is called &apos;{name}&apos;</source>
        <translation>其名称为“{name}”</translation>
    </message>
    <message>
        <source>output.format {format} can&apos;t hold this {form}: the result couldn&apos;t be written. Set output.format to {formats}</source>
        <translation>output.format 为 {format} 时无法保存此 {form}，结果将无法写出。请把 output.format 设为 {formats}</translation>
    </message>
    <message>
        <source>output.format {format} has no name for {module}, one of {count} such layers that adapter.targets name: the result couldn&apos;t be written. Set output.format to {formats}, or choose adapter.targets without them</source>
        <translation>output.format 为 {format} 时没有 {module} 的名称（adapter.targets 所指的层中共有 {count} 个如此），结果将无法写出。请把 output.format 设为 {formats}，或选择不含这些层的 adapter.targets</translation>
    </message>
    <message>
        <source>output.format {format} has q, k and v as one layer here, for which a DoRA must be per output and on all three: the file holds the plain LoRA nearest to it</source>
        <translation>此处 output.format {format} 把 q、k、v 当作一层，要求 DoRA 按输出且三者都有；文件中是与之最接近的普通 LoRA</translation>
    </message>
    <message>
        <source>model_index.json has {field}</source>
        <translation>model_index.json 中有 {field}</translation>
    </message>
    <message>
        <source>model_index.json has {field} {value}</source>
        <translation>model_index.json 中 {field} 为 {value}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {module} is quantised as {format}, which can&apos;t be read; use a model in BF16, F16 or FP8 (float8_e4m3fn, float8_e5m2)</source>
        <translation>“{file}”：{module} 以 {format} 量化，无法读取；请使用 BF16、F16 或 FP8（float8_e4m3fn、float8_e5m2）的模型</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: metadata key {key} must be a JSON object with &quot;layers&quot;</source>
        <translation>“{file}”：元数据键 {key} 必须是含有 &quot;layers&quot; 的 JSON 对象</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {tensor} is {type} {shape}; scales must be F32, one for the weight or one for each of its {rows} rows</source>
        <translation>“{file}”：{tensor} 是 {type} {shape}；缩放必须是 F32，整个权重一个，或其 {rows} 行每行一个</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {tensor} has a scale that is not finite</source>
        <translation>“{file}”：{tensor} 中有非有限的缩放</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {module} has two tensors of scales (one is {tensor})</source>
        <translation>“{file}”：{module} 有两个缩放张量（其中之一是 {tensor}）</translation>
    </message>
    <message>
        <source>{file} is no base model: a JSON that lists one&apos;s files has the key {key}. `mantissa base` writes it</source>
        <translation>{file} 不是底模：列出底模文件的 JSON 带有键 {key}，由 `mantissa base` 写出</translation>
    </message>
    <message>
        <source>{file}: {key} must be {version}; it is {found}</source>
        <translation>{file}：{key} 必须是 {version}，现为 {found}</translation>
    </message>
    <message>
        <source>{file}: the key &apos;{key}&apos; is not known; there are {keys}</source>
        <translation>{file}：未知的键“{key}”；可用的有 {keys}</translation>
    </message>
    <message>
        <source>{file}: {key} must be a path</source>
        <translation>{file}：{key} 必须是路径</translation>
    </message>
    <message>
        <source>{file}: {key} is missing: the file of the transformer or UNet</source>
        <translation>{file}：缺少 {key}，即 Transformer 或 UNet 的文件</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; can&apos;t be used: {family} has no {part}</source>
        <translation>无法使用“{file}”：{family} 没有 {part}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is cut off or damaged: {count} bytes are expected at byte {place}; get it again</source>
        <translation>“{file}”不完整或已损坏：第 {place} 字节处应有 {count} 字节；请重新获取</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is damaged: it claims {count} entries at byte {place}, above the limit of {most}</source>
        <translation>“{file}”已损坏：第 {place} 字节处声称有 {count} 项，超过上限 {most}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no GGUF file</source>
        <translation>“{file}”不是 GGUF 文件</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is of GGUF version {version}; versions 2 and 3 can be read</source>
        <translation>“{file}”是 GGUF 第 {version} 版；可读取第 2 和第 3 版</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {key} is {value}; it must be a multiple of 8</source>
        <translation>“{file}”：{key} 为 {value}；必须是 8 的倍数</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is damaged: the key {key} has the unknown type {type}</source>
        <translation>“{file}”已损坏：键 {key} 的类型 {type} 未知</translation>
    </message>
    <message>
        <source>has {count} dimensions, above the limit of {most}</source>
        <translation>有 {count} 个维度，超过上限 {most}</translation>
    </message>
    <message>
        <source>is larger than the file</source>
        <translation>比文件还大</translation>
    </message>
    <message>
        <source>is there twice</source>
        <translation>出现了两次</translation>
    </message>
    <message>
        <source>has the type {type}, which can&apos;t be read; those of Q8_0, Q6_K, Q5, Q4, Q3 and Q2 files can</source>
        <translation>的类型 {type} 无法读取；可读取 Q8_0、Q6_K、Q5、Q4、Q3 和 Q2 文件的类型</translation>
    </message>
    <message>
        <source>has rows of {count} values, which blocks of {size} can&apos;t hold</source>
        <translation>每行有 {count} 个值，无法用大小为 {size} 的块存放</translation>
    </message>
    <message>
        <source>lies outside of the file or between its places; the file is cut off or damaged, get it again</source>
        <translation>位于文件之外或未对齐；文件不完整或已损坏，请重新获取</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is damaged: two tensors share bytes</source>
        <translation>“{file}”已损坏：两个张量共用字节</translation>
    </message>
    <message>
        <source>had another number of values before it was flattened</source>
        <translation>展平之前的值数量不同</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: tensor &apos;{tensor}&apos; {problem}</source>
        <translation>“{file}”：张量“{tensor}”{problem}</translation>
    </message>
    <message>
        <source>{path} names no tokenizer of T5, whose ids the text conditioner reads; put the model&apos;s t5_tokenizer folder beside it</source>
        <translation>{path} 没有 T5 的分词器，而文本调节器需要其编号；请把模型的 t5_tokenizer 文件夹放在旁边</translation>
    </message>
    <message>
        <source>its scheduler&apos;s shift is {shift}</source>
        <translation>其调度器的 shift 为 {shift}</translation>
    </message>
    <message>
        <source>{file}: {module} and {other} adapt the same weight, once fused and once alone. Remove one of them where the file was made</source>
        <translation>{file}：{module} 和 {other} 适配的是同一个权重，一个是合并的，一个是单独的。请在制作该文件的程序中去掉其中之一</translation>
    </message>
    <message>
        <source>{file}: {module} has {rows} outputs, which {count} projections can&apos;t share equally. Was the file made for another base model?</source>
        <translation>{file}：{module} 有 {rows} 个输出，无法平均分给 {count} 个投影。该文件是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA per input of {count} fused projections, whose norms span all of them; here they are modules of their own. Export it as plain LoRA where it was made</source>
        <translation>{file}：{module} 是 {count} 个合并投影上按输入计算的 DoRA，其范数跨越所有投影，而在本程序中它们是各自独立的模块。请在制作它的程序中导出为普通 LoRA</translation>
    </message>
    <message>
        <source>{path} is a file; a run needs a folder. Choose another (--out)</source>
        <translation>{path} 是文件；训练需要文件夹。请另选一个（--out）</translation>
    </message>
    <message>
        <source>{path}: another program trains this run now. Wait for its end</source>
        <translation>{path}：另一个程序正在进行此训练。请等它结束</translation>
    </message>
    <message>
        <source>{path}: the run has no checkpoint. It starts again at step 0, in place of what is recorded</source>
        <translation>{path}：该训练没有检查点。将从第 0 步重新开始，并替换已有记录</translation>
    </message>
    <message>
        <source>{file} can&apos;t be opened: {reason}. It needs the MPI that it was built with</source>
        <translation>无法打开 {file}：{reason}。它需要构建时所用的 MPI</translation>
    </message>
    <message>
        <source>{file} is of another build than this program: install both together</source>
        <translation>{file} 与本程序不是同一次构建：请一起安装</translation>
    </message>
    <message>
        <source>{count} processes were started for one run, but on Windows a run has only one: start it without a launcher, and name its cards with --device</source>
        <translation>为一次训练启动了 {count} 个进程，但在 Windows 上一次训练只有一个进程：请不用启动器启动，并用 --device 指定显卡</translation>
    </message>
    <message>
        <source>{count} processes were started for one run, but {library}, which links them, is not beside the program: build Mantissa where MPI&apos;s development files are, or start one process</source>
        <translation>为一次训练启动了 {count} 个进程，但程序旁没有连接它们的 {library}：请在装有 MPI 开发文件的系统上构建 Mantissa，或只启动一个进程</translation>
    </message>
    <message>
        <source>{count} processes were started for one run, but MPI connects {size}: the launcher and {library} belong to different MPI installations</source>
        <translation>为一次训练启动了 {count} 个进程，但 MPI 连接了 {size} 个：启动器与 {library} 属于不同的 MPI 安装</translation>
    </message>
    <message>
        <source>{process} can&apos;t reach the others: {reason}</source>
        <translation>{process} 无法与其他进程通信：{reason}</translation>
    </message>
    <message>
        <source>process {number} (id {id}) ended without giving a reason, so the run can&apos;t continue. Resume it with --resume</source>
        <translation>进程 {number}（ID {id}）意外结束，训练无法继续。请用 --resume 恢复训练</translation>
    </message>
    <message>
        <source>{process}: {message}</source>
        <translation>{process}：{message}</translation>
    </message>
    <message>
        <source>{process} can&apos;t be heard any more: it was stopped or ended, its machine is down, or the network between is. The run can&apos;t continue. Resume it with --resume</source>
        <translation>收不到{process}的消息：它被暂停或已结束，或者那台机器或网络中断。训练无法继续。请用 --resume 恢复训练</translation>
    </message>
    <message>
        <source>this MPI has no MPI_THREAD_MULTIPLE: a process that is stopped, or on a machine that can&apos;t be reached, is noticed by the launcher only</source>
        <translation>此 MPI 没有 MPI_THREAD_MULTIPLE：进程被暂停或其机器无法访问时，只有启动器会发现</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; names {count} cards, which only `mantissa train` uses together. Name one</source>
        <translation>设备“{device}”指定了 {count} 张显卡，只有 `mantissa train` 能同时使用它们。请只指定一张</translation>
    </message>
    <message>
        <source>{processes} processes were started on {host}, but --device {device} gives them {count} cards. Start one process for each card</source>
        <translation>{host} 上启动了 {processes} 个进程，但 --device {device} 只提供 {count} 张显卡。请为每张显卡启动一个进程</translation>
    </message>
    <message>
        <source>the cards exchange gradients by NCCL {version}</source>
        <translation>显卡之间通过 NCCL {version} 交换梯度</translation>
    </message>
    <message>
        <source>the cards exchange gradients through host memory, because NCCL can&apos;t be used: {reason}</source>
        <translation>显卡之间通过内存交换梯度，因为 NCCL 无法使用：{reason}</translation>
    </message>
    <message>
        <source>NCCL can&apos;t reach the other cards: {reason}. The run can&apos;t continue. Resume it with --resume</source>
        <translation>NCCL 无法与其他显卡通信：{reason}。训练无法继续。请用 --resume 恢复训练</translation>
    </message>
    <message>
        <source>processes {first} and {second} on {host} would both use one card. Start one process for each card</source>
        <translation>{host} 上的进程 {first} 和 {second} 会使用同一张显卡。请为每张显卡启动一个进程</translation>
    </message>
    <message>
        <source>{process} is slow: it takes {seconds} s for a micro-step, where {usual} s are usual. All wait for it in every step</source>
        <translation>{process}较慢：每个微步需要 {seconds} 秒，通常为 {usual} 秒。每一步都要等它</translation>
    </message>
    <message>
        <source>{process}: {rate} images/s while it computes, which it does {share}% of the time</source>
        <translation>{process}：计算时每秒 {rate} 张图片，计算占 {share}% 的时间</translation>
    </message>
    <message>
        <source>{processes} together: {rate} images/s; adding their gradients takes {milliseconds} ms of a step of {all} ms</source>
        <translation>{processes}合计：每秒 {rate} 张图片；相加梯度占每步 {all} 毫秒中的 {milliseconds} 毫秒</translation>
    </message>
    <message>
        <source>{process} differs from {first}: {what}. All need the same program, arguments and files</source>
        <translation>{process} 与 {first} 不一致：{what}。所有进程需要相同的程序、参数和文件</translation>
    </message>
    <message>
        <source>the preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>the arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>--trace is for a run of one process on one card</source>
        <translation>--trace 只用于单个进程在单张显卡上的训练</translation>
    </message>
    <message>
        <source>{processes} share the micro-steps of a step, but training.gradient_accumulation is {count}. Set it to a multiple of {number}, or use fewer</source>
        <translation>{processes}分担每一步的微步，但 training.gradient_accumulation 为 {count}。请将它设为 {number} 的倍数，或减少数量</translation>
    </message>
    <message>
        <source>{processes} share the {count} micro-steps of each step</source>
        <translation>{processes}分担每一步的 {count} 个微步</translation>
    </message>
    <message>
        <source>training.gradient_accumulation is no multiple of {count}: some of the {processes} wait at the end of each step</source>
        <translation>training.gradient_accumulation 不是 {count} 的倍数：每一步结束时，{processes}中有一部分在等待</translation>
    </message>
    <message>
        <source>the base model or the images</source>
        <translation>底模或图片</translation>
    </message>
    <message>
        <source>the precision plan</source>
        <translation>精度方案</translation>
    </message>
    <message>
        <source>the images that can be used</source>
        <translation>可用的图片</translation>
    </message>
    <message>
        <source>the weights at step {step}</source>
        <translation>第 {step} 步的权重</translation>
    </message>
    <message>
        <source>{copy} (same as {original})</source>
        <translation>{copy}（与 {original} 相同）</translation>
    </message>
    <message>
        <source>1 image is a copy of another: {names}</source>
        <translation>有 1 张图片是其他图片的副本：{names}</translation>
    </message>
    <message>
        <source>{count} images are copies of others: {names}</source>
        <translation>有 {count} 张图片是其他图片的副本：{names}</translation>
    </message>
    <message>
        <source>is not a size; write WIDTHxHEIGHT, for example 768x1344</source>
        <translation>不是尺寸；请写成“宽x高”，例如 768x1344</translation>
    </message>
    <message>
        <source>data.skip_buckets holds {value}, which is not a size; write WIDTHxHEIGHT, for example 768x1344</source>
        <translation>data.skip_buckets 中的 {value} 不是尺寸；请写成“宽x高”，例如 768x1344</translation>
    </message>
    <message>
        <source>data.skip_buckets leaves out every size; take at least one from it</source>
        <translation>data.skip_buckets 停用了所有尺寸；请至少从中去掉一个</translation>
    </message>
    <message>
        <source>data.skip_buckets leaves out sizes that this resolution, rule and base model don&apos;t have: {sizes}</source>
        <translation>data.skip_buckets 停用了当前分辨率、分桶规则和底模没有的尺寸：{sizes}</translation>
    </message>
    <message>
        <source>Paused after step {step}; the model stays loaded</source>
        <translation>已在第 {step} 步后暂停；模型仍保留在内存中</translation>
    </message>
    <message>
        <source>Resumed</source>
        <translation>已继续</translation>
    </message>
    <message>
        <source>{folder}: the encoded images and captions take about {need} there, {free} are free. Make room, or set data.cache to none, which keeps them in memory</source>
        <translation>{folder}：图片和描述的编码结果约需 {need}，可用空间为 {free}。请腾出空间，或将 data.cache 设为 none，改为保存在内存中</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the weight &apos;{tensor}&apos;, quantised by bitsandbytes, {problem}; get the model again, or in BF16</source>
        <translation>“{file}”：由 bitsandbytes 量化的权重“{tensor}”{problem}；请重新获取该模型，或使用 BF16 版本</translation>
    </message>
    <message>
        <source>has a state that is no JSON object</source>
        <translation>的状态不是 JSON 对象</translation>
    </message>
    <message>
        <source>is stored as {format}; only nf4 can be read</source>
        <translation>以 {format} 存储；只能读取 nf4</translation>
    </message>
    <message>
        <source>has blocks of {size} values; only those of {wanted} can be read</source>
        <translation>的块有 {size} 个值；只能读取 {wanted} 个值的块</translation>
    </message>
    <message>
        <source>has no shape</source>
        <translation>没有形状</translation>
    </message>
    <message>
        <source>the codes of {count} values</source>
        <translation>{count} 个值的编码</translation>
    </message>
    <message>
        <source>lacks &apos;{part}&apos;, {what}</source>
        <translation>缺少“{part}”（{what}）</translation>
    </message>
    <message>
        <source>has &apos;{part}&apos; as {type} {shape}; expected {what}: {count} of {wanted}</source>
        <translation>的“{part}”是 {type} {shape}；应为{what}：{count} 个 {wanted}</translation>
    </message>
    <message>
        <source>its scales</source>
        <translation>其缩放因子</translation>
    </message>
    <message>
        <source>has a scale that is not finite, in &apos;{part}&apos;</source>
        <translation>的“{part}”中有非有限的缩放因子</translation>
    </message>
    <message>
        <source>the numbers of its codes</source>
        <translation>其编码所代表的数</translation>
    </message>
    <message>
        <source>has other numbers for its codes than NF4</source>
        <translation>的编码所代表的数与 NF4 不同</translation>
    </message>
    <message>
        <source>has scales in groups of {size}; only those of {wanted} can be read</source>
        <translation>的缩放因子每 {size} 个一组；只能读取每 {wanted} 个一组的</translation>
    </message>
    <message>
        <source>has no number as &quot;nested_offset&quot;</source>
        <translation>的 “nested_offset” 不是数字</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the weight &apos;{tensor}&apos; is quantised twice (one is &apos;{part}&apos;)</source>
        <translation>“{file}”：权重“{tensor}”被量化了两次（其中之一是“{part}”）</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: tensor &apos;{tensor}&apos; is stored as {type}, in blocks that don&apos;t end with its {count} projections; use the model in BF16</source>
        <translation>&apos;{path}&apos;：张量 &apos;{tensor}&apos; 以 {type} 保存，其块边界与 {count} 个投影的边界不一致；请使用 BF16 的模型</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {weight} is stored as {type} in another order than the model&apos;s, so its codes can&apos;t be kept; pin it to bf16 (precision.pins)</source>
        <translation>&apos;{file}&apos;：{weight} 以 {type} 保存，且顺序与模型不同，无法保留其编码；请将它固定为 bf16（precision.pins）</translation>
    </message>
    <message>
        <source>training needs {need} with the denoiser in NF4, more than the {free} given; turn on training.gradient_checkpointing, or lower data.batch_size or data.resolution</source>
        <translation>训练在去噪网络为 NF4 时仍需要 {need}，超过给定的 {free}；请启用 training.gradient_checkpointing，或降低 data.batch_size 或 data.resolution</translation>
    </message>
    <message>
        <source>{setting} is {value}, which decides the type of weights; choose bf16, fp16 or fp32 to fit them to a memory limit</source>
        <translation>{setting} 为 {value}，它决定了权重的类型；要使权重适应内存上限，请选择 bf16、fp16 或 fp32</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {module} holds INT8 codes, and nothing says whether they are rotated ({module}.comfy_quant is missing); convert the model again</source>
        <translation>“{file}”：{module} 是 INT8 编码，但没有任何信息说明它们是否经过旋转（缺少 {module}.comfy_quant）；请重新转换该模型</translation>
    </message>
    <message>
        <source>Step {step}: saved to {path}</source>
        <translation>第 {step} 步：已保存到 {path}</translation>
    </message>
    <message>
        <source>Step {step}: sample of prompt {number} rendered</source>
        <translation>第 {step} 步：已生成提示词 {number} 的样图</translation>
    </message>
    <message>
        <source>After step {step}: waited {seconds} s for disk space in the folder {folder}</source>
        <translation>第 {step} 步之后：为等待文件夹 {folder} 的空间暂停了 {seconds} 秒</translation>
    </message>
    <message>
        <source>{part} is trained, but no module of it has an adapter by adapter.targets {targets} and adapter.ranks; take {part} from training.parts, or leave fewer of its modules out</source>
        <translation>要训练 {part}，但按 adapter.targets {targets} 和 adapter.ranks，它没有任何模块带适配器；请从 training.parts 中去掉 {part}，或少排除一些模块</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each pattern one entry</source>
        <translation>{key} 为“{value}”，该项已经存在；每个模式只能有一项</translation>
    </message>
    <message>
        <source>{key} must hold {count} numbers, one for each block of this model.</source>
        <translation>{key} 必须有 {count} 个数，对应此模型的每个块。</translation>
    </message>
    <message>
        <source>Counts only for Stable Diffusion&apos;s UNets there.</source>
        <translation>在原程序中只对 Stable Diffusion 的 UNet 有效。</translation>
    </message>
    <message>
        <source>Counts only beside block_dims there.</source>
        <translation>在原程序中只有与 block_dims 一起使用才有效。</translation>
    </message>
    <message>
        <source>Counts only beside conv_block_dims there.</source>
        <translation>在原程序中只有与 conv_block_dims 一起使用才有效。</translation>
    </message>
    <message>
        <source>ranks by regular expression; see adapter.ranks</source>
        <translation>用正则表达式指定的秩；见 adapter.ranks</translation>
    </message>
    <message>
        <source>learning rates by regular expression</source>
        <translation>用正则表达式指定的学习率</translation>
    </message>
    <message>
        <source>{file}: {count} modules were cut to the rank trained here by their singular values; at most {share}% of a module&apos;s change is left out. A higher adapter.rank keeps it</source>
        <translation>{file}：{count} 个模块按奇异值截断到此处训练的秩；每个模块的改变最多舍去 {share}%。更高的 adapter.rank 可以保留</translation>
    </message>
    <message>
        <source>{file}: {module} has factors of other shapes than are trained here. Set adapter.rank, adapter.conv_rank, adapter.ranks and adapter.factor as they were for it</source>
        <translation>{file}：{module} 的因子形状与此处训练的不同。请将 adapter.rank、adapter.conv_rank、adapter.ranks 和 adapter.factor 设为该文件训练时的值</translation>
    </message>
    <message>
        <source>Not known here: {names}.</source>
        <translation>Mantissa 中没有：{names}。</translation>
    </message>
    <message>
        <source>Holds for all layers here; only rank and alpha differ by layer.</source>
        <translation>在 Mantissa 中对所有层相同；各层只能有不同的秩和 Alpha。</translation>
    </message>
    <message>
        <source>cached encodings disappeared from {place} while training, and the card&apos;s memory holds the run. Resume the run: what is missing is encoded again</source>
        <translation>训练期间缓存编码从 {place} 消失了，而显存正被训练占用。恢复训练后，缺少的部分会被重新编码</translation>
    </message>
    <message>
        <source>cached encodings disappeared from {place}: they are encoded again</source>
        <translation>缓存编码从 {place} 消失了：正在重新编码</translation>
    </message>
    <message>
        <source>can&apos;t lock {file}: it is not a regular file; remove it</source>
        <translation>无法锁定 {file}：它不是普通文件；请将其删除</translation>
    </message>
    <message>
        <source>{tensor} holds NaN or infinity, which codes can&apos;t; repair the model, or leave it as it is</source>
        <translation>{tensor} 含有 NaN 或无穷大，编码无法表示；请修复该模型，或保持原样</translation>
    </message>
    <message>
        <source>{tensor} has the type {type}, in which no tensors are written</source>
        <translation>{tensor} 的类型为 {type}，无法写入该类型的张量</translation>
    </message>
    <message>
        <source>{path}: codes with scales are written as one file; give a name that ends in .safetensors</source>
        <translation>{path}：带缩放的编码写成一个文件；请给出以 .safetensors 结尾的名称</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {weight} is quantised already; rounding it again loses more. Quantise the model in BF16, F16 or F32</source>
        <translation>“{file}”：{weight} 已经量化；再次舍入会损失更多。请量化 BF16、F16 或 F32 的模型</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has no linear layers to quantise</source>
        <translation>“{file}”没有可量化的线性层</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; names card {card} twice</source>
        <translation>设备“{device}”两次指定了显卡 {card}</translation>
    </message>
    <message>
        <source>{first} is {name} and {second} is {other}: the cards of one run must be of one model. Choose cards of one model, or give each card a run of its own from the queue</source>
        <translation>{first} 是 {name}，{second} 是 {other}：一次训练的显卡必须型号相同。请选择同型号的显卡，或用队列让每张显卡各进行一次训练</translation>
    </message>
    <message>
        <source>{cards} cards share the micro-steps of each step, but training.gradient_accumulation is {count}. Set it to a multiple of {cards}; the step then has as many more images</source>
        <translation>{cards} 张显卡分担每一步的微步，但 training.gradient_accumulation 是 {count}。请把它设为 {cards} 的倍数；每一步的图片数会相应增加</translation>
    </message>
    <message>
        <source>training.gradient_accumulation is {count}, no multiple of the {cards} cards: some of them wait at the end of each step</source>
        <translation>training.gradient_accumulation 是 {count}，不是 {cards} 张显卡的倍数：每一步结束时有显卡要等待</translation>
    </message>
    <message>
        <source>NCCL can&apos;t be used: {reason}. The cards then exchange gradients through page-locked host memory, which is slower; the result is the same</source>
        <translation>无法使用 NCCL：{reason}。显卡之间将通过锁页主机内存交换梯度，速度较慢，结果不变</translation>
    </message>
    <message>
        <source>Step {step}: {rate} images/s together: {processes}</source>
        <translation>第 {step} 步：合计每秒 {rate} 张图片：{processes}</translation>
    </message>
    <message>
        <source>process {number} on {host} {rate} images/s, computing {share}% of the time</source>
        <translation>{host} 上的进程 {number} 每秒 {rate} 张图片，计算占 {share}% 的时间</translation>
    </message>
    <message>
        <source>process {number} on {host} {rate} images/s, computing {share}% of the time, slow</source>
        <translation>{host} 上的进程 {number} 每秒 {rate} 张图片，计算占 {share}% 的时间，较慢</translation>
    </message>
    <message>
        <source>&apos;{line}&apos; is no request to a run; expected one of: pause, resume, save, sample, retry, stop, discard, refuse_waits, folder &quot;PATH&quot;, settings PRESET, change [&quot;KEY=VALUE&quot;, ...]</source>
        <translation>“{line}”不是对训练的请求；应为以下之一：pause、resume、save、sample、retry、stop、discard、refuse_waits、folder &quot;PATH&quot;、settings PRESET、change [&quot;KEY=VALUE&quot;, ...]</translation>
    </message>
    <message>
        <source>{file} is missing: it belongs to this installation of Mantissa and trains on other cards</source>
        <translation>缺少 {file}：它属于本次安装的 Mantissa，用于在其他显卡上训练</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}</source>
        <translation>无法写入 {file}：{reason}</translation>
    </message>
    <message>
        <source>could not start {file}: {reason}</source>
        <translation>无法启动 {file}：{reason}</translation>
    </message>
    <message>
        <source>must be a whole number from {least} to {most}, it is {found}</source>
        <translation>必须是 {least} 到 {most} 的整数，实际为 {found}</translation>
    </message>
    <message>
        <source>the process of the run ended without a word (status {status}): {reason}</source>
        <translation>训练的进程没有给出原因就结束了（状态 {status}）：{reason}</translation>
    </message>
    <message>
        <source>one card would need {need} MB</source>
        <translation>一张显卡需要 {need} MB</translation>
    </message>
    <message>
        <source>output.name is &quot;{name}&quot;, which a run&apos;s folder holds for the run itself; set another</source>
        <translation>output.name 为“{name}”，输出文件夹中训练自身使用这个名称；请换一个名称</translation>
    </message>
    <message>
        <source>{alone}, and no split of the layers over this machine&apos;s cards makes every part fit</source>
        <translation>{alone}，而且无论怎样把各层分到本机的显卡上，总有一部分放不下</translation>
    </message>
    <message>
        <source>{card} {first} to {last}, {size} MB</source>
        <translation>{card} 从 {first} 到 {last}，{size} MB</translation>
    </message>
    <message>
        <source>{layers}; {sent} MB from card to card and about {ms} ms in a step</source>
        <translation>{layers}；每一步在显卡之间传送 {sent} MB，约需 {ms} 毫秒</translation>
    </message>
    <message>
        <source>{layers}; {sent} MB from card to card in a step</source>
        <translation>{layers}；每一步在显卡之间传送 {sent} MB</translation>
    </message>
    <message>
        <source>weight streaming to one card is not enough</source>
        <translation>只用一张显卡做权重流式传输不够</translation>
    </message>
    <message>
        <source>weight streaming to one card copies {copied} MB and takes about {ms} ms in a step</source>
        <translation>只用一张显卡做权重流式传输时，每一步复制 {copied} MB，约需 {ms} 毫秒</translation>
    </message>
    <message>
        <source>weight streaming to one card copies {copied} MB in a step</source>
        <translation>只用一张显卡做权重流式传输时，每一步复制 {copied} MB</translation>
    </message>
    <message>
        <source>stopped before the process of the run had begun</source>
        <translation>训练的进程尚未开始就已停止</translation>
    </message>
    <message>
        <source>the run {run} was in {folder}, where it is no longer. Pass the folder that it is in</source>
        <translation>训练 {run} 原来在 {folder}，现在已不在那里。请指定它现在所在的文件夹</translation>
    </message>
    <message>
        <source>the run {run} was in {folder}, which holds another run now. Pass the folder that it is in</source>
        <translation>训练 {run} 原来在 {folder}，那里现在是另一个训练。请指定它现在所在的文件夹</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t grow: {reason}; raise the limit of file sizes (ulimit -f) or set MANTISSA_HOME</source>
        <translation>训练数据库 {file} 无法增大：{reason}；请提高文件大小上限 (ulimit -f) 或设置 MANTISSA_HOME</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; was changed, replaced or removed while it was in use, so nothing made from it since is kept. Restore it and leave it alone, then start again, or resume the run</source>
        <translation>“{file}”在使用中被修改、替换或删除，此后由它得到的内容都没有保留。请恢复该文件且不要再改动，然后重新开始，或恢复训练</translation>
    </message>
    <message>
        <source>{folder} is a copy of the run {run} in {original}: it continues as the run {new}</source>
        <translation>{folder} 是 {original} 中训练 {run} 的副本：它将作为训练 {new} 继续</translation>
    </message>
    <message>
        <source>{source}: its cached encoding disappeared from {place} while training. Resume the run: what is missing is encoded again</source>
        <translation>{source}：训练期间它的缓存编码从 {place} 消失了。恢复训练后，缺少的部分会被重新编码</translation>
    </message>
    <message>
        <source>{weight} is kept as the file&apos;s {type}, which can&apos;t hold a changed weight; pin it to bf16 (precision.pins)</source>
        <translation>{weight} 按文件的 {type} 保存，无法存放改动后的权重；请将它固定为 bf16（precision.pins）</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the weight &apos;{tensor}&apos;, in {format}, {problem}; get the model again, or in BF16</source>
        <translation>&apos;{file}&apos;：{format} 的权重 &apos;{tensor}&apos; {problem}；请重新获取模型，或使用 BF16 的模型</translation>
    </message>
    <message>
        <source>scales its inputs first (pre_quant_scale), which can&apos;t be read</source>
        <translation>会先缩放其输入（pre_quant_scale），无法读取</translation>
    </message>
    <message>
        <source>isn&apos;t a matrix</source>
        <translation>不是矩阵</translation>
    </message>
    <message>
        <source>lacks &apos;{part}&apos;</source>
        <translation>缺少 &apos;{part}&apos;</translation>
    </message>
    <message>
        <source>has &apos;{part}&apos; as {type}; {wanted} is expected</source>
        <translation>的 &apos;{part}&apos; 类型为 {type}，应为 {wanted}</translation>
    </message>
    <message>
        <source>has no finite number as &apos;{part}&apos;</source>
        <translation>的 &apos;{part}&apos; 不是有限的数</translation>
    </message>
    <message>
        <source>has &apos;{part}&apos; of {count} bytes; its {rows} rows of {blocks} blocks need {wanted}, in tiles of 128 x 4</source>
        <translation>的 &apos;{part}&apos; 有 {count} 字节；{rows} 行 × {blocks} 块按 128 x 4 的分块需要 {wanted} 字节</translation>
    </message>
    <message>
        <source>{weight}: the adapter changes this weight, for which these files have no name. Write it in the format {formats}, or merge the adapter into a model (`mantissa merge`)</source>
        <translation>{weight}：适配器改变了该权重，但此类文件中没有它的名称。请以 {formats} 格式写入，或将适配器合并到模型（`mantissa merge`）</translation>
    </message>
    <message>
        <source>{config} is missing, which holds PEFT&apos;s alpha: it is taken to be the rank, so the adapter may act more or less than it was trained to. Put PEFT&apos;s file beside the weights</source>
        <translation>缺少 {config}，其中记录着 PEFT 的 alpha：现以秩作为 alpha，因此该适配器的作用可能比训练时更强或更弱。请把 PEFT 的这个文件放到权重旁边</translation>
    </message>
    <message>
        <source>{weight}: the adapter changes this weight, for which no file of an adapter has a name. Merge the adapter into a model (`mantissa merge`)</source>
        <translation>{weight}：该适配器会改变此权重，但任何格式的适配器文件都没有它的名称。请将适配器合并到模型中（`mantissa merge`）</translation>
    </message>
    <message>
        <source>0 stands for the rank there.</source>
        <translation>在原程序中 0 表示与秩相同。</translation>
    </message>
    <message>
        <source>Refused there: alpha is always the rank.</source>
        <translation>原程序不接受：alpha 始终等于秩。</translation>
    </message>
    <message>
        <source>A rate of 0 trains nothing there; here the denoiser is trained at learning_rate.</source>
        <translation>学习率为 0 时原程序不训练任何部分；此处以 learning_rate 训练去噪器。</translation>
    </message>
    <message>
        <source>Adafactor takes a rate of its own there (relative_step): here it is the learning rate.</source>
        <translation>在原程序中 Adafactor 自行决定学习率（relative_step）；此处该值就是学习率。</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own schedule counts there (relative_step): here the rate is constant.</source>
        <translation>在原程序中以 Adafactor 自身的调度为准（relative_step）；此处学习率恒定。</translation>
    </message>
    <message>
        <source>Below 0.1, this optimizer has a rate of 1 there.</source>
        <translation>低于 0.1 时，原程序中该优化器的学习率为 1。</translation>
    </message>
    <message>
        <source>Concerns DyLoRA and OFT only.</source>
        <translation>仅涉及 DyLoRA 和 OFT。</translation>
    </message>
    <message>
        <source>Counts batches there, of which gradient_accumulation_steps are one update, a step here.</source>
        <translation>原程序按批次计数，每 gradient_accumulation_steps 个批次更新一次；此处一次更新为一步。</translation>
    </message>
    <message>
        <source>Counts images there, here the steps that have as many on one device.</source>
        <translation>原程序按图片计数；本程序换算为单台设备上处理同样数量的步数。</translation>
    </message>
    <message>
        <source>Each resolution has a batch size of its own there; here all have that of the largest.</source>
        <translation>原程序每种分辨率各有批量大小；本程序全部采用最大分辨率的批量大小。</translation>
    </message>
    <message>
        <source>Updates follow every batch there, here every gradient_accumulation batches.</source>
        <translation>原程序每个批次更新一次；本程序每 gradient_accumulation 个批次更新一次。</translation>
    </message>
    <message>
        <source>Its rate is its own there (relative_step): here it is the learning rate.</source>
        <translation>在原程序中它自行决定学习率（relative_step）；此处使用设定的学习率。</translation>
    </message>
    <message>
        <source>Its updates are scaled by the size of the weights there (scale_parameter), not here.</source>
        <translation>在原程序中更新量按权重大小缩放（scale_parameter），此处不缩放。</translation>
    </message>
    <message>
        <source>LoKr&apos;s matrices with their sides exchanged</source>
        <translation>LoKr 矩阵的边互换</translation>
    </message>
    <message>
        <source>Lowered with the rank, so that both scale alike.</source>
        <translation>随秩一同降低，使缩放保持不变。</translation>
    </message>
    <message>
        <source>LyCORIS has no such argument.</source>
        <translation>LyCORIS 没有此参数。</translation>
    </message>
    <message>
        <source>LyCORIS&apos;s LoHa and LoKr have no dropout.</source>
        <translation>LyCORIS 的 LoHa 和 LoKr 没有丢弃。</translation>
    </message>
    <message>
        <source>Not given: LyCORIS&apos;s default.</source>
        <translation>未给出：LyCORIS 的默认值。</translation>
    </message>
    <message>
        <source>Not offered here: {given}; the nearest is {value}.</source>
        <translation>此处不提供 {given}；最接近的值为 {value}。</translation>
    </message>
    <message>
        <source>Not taken: {problem}. {setting} stays at {value}.</source>
        <translation>未采用：{problem}。{setting} 保持为 {value}。</translation>
    </message>
    <message>
        <source>Not used there: noise_offset_type names another kind of noise.</source>
        <translation>原配置中未启用：noise_offset_type 指定了另一种噪声。</translation>
    </message>
    <message>
        <source>Not used there: repeats come from the folders&apos; names.</source>
        <translation>原配置中未启用：重复次数取自文件夹名称。</translation>
    </message>
    <message>
        <source>Read too: its keys follow.</source>
        <translation>该文件也已读取，其键列在后面。</translation>
    </message>
    <message>
        <source>Scales a matrix that is trained whole there, not here.</source>
        <translation>在原程序中也缩放整体训练的矩阵，此处不缩放。</translation>
    </message>
    <message>
        <source>That file has settings of its own, which are not read here: import it too.</source>
        <translation>该文件含有自己的设置，此处未读取：请一并导入。</translation>
    </message>
    <message>
        <source>The concepts&apos; own resolution counts instead.</source>
        <translation>以概念自身的分辨率为准。</translation>
    </message>
    <message>
        <source>Too long to be read: set batch size and resolution by hand.</source>
        <translation>过长而无法读取：请手动设置批大小和分辨率。</translation>
    </message>
    <message>
        <source>Without the first and last convolution.</source>
        <translation>不含首尾卷积。</translation>
    </message>
    <message>
        <source>Without the time embeddings.</source>
        <translation>不含时间嵌入。</translation>
    </message>
    <message>
        <source>a limit on the growth of Prodigy&apos;s rate</source>
        <translation>Prodigy 学习率增长的上限</translation>
    </message>
    <message>
        <source>a number of images in place of repeats</source>
        <translation>以图片数量代替重复次数</translation>
    </message>
    <message>
        <source>a third beta</source>
        <translation>第三个 β</translation>
    </message>
    <message>
        <source>another decay of Adafactor&apos;s averages</source>
        <translation>Adafactor 平均值的其他衰减</translation>
    </message>
    <message>
        <source>another limit on Adafactor&apos;s updates</source>
        <translation>Adafactor 更新的其他上限</translation>
    </message>
    <message>
        <source>captions from file names or from one file for all</source>
        <translation>取自文件名或单个文件的标注</translation>
    </message>
    <message>
        <source>captions with random capitals</source>
        <translation>随机大小写的标注</translation>
    </message>
    <message>
        <source>concepts that keep the base model&apos;s own predictions</source>
        <translation>保持基础模型自身预测的概念</translation>
    </message>
    <message>
        <source>full_matrix counts instead.</source>
        <translation>以 full_matrix 为准。</translation>
    </message>
    <message>
        <source>snr_gamma counts instead.</source>
        <translation>以 snr_gamma 为准。</translation>
    </message>
    <message>
        <source>weights of the loss that grow without a limit; training.min_snr_gamma is near to them</source>
        <translation>无上限增长的损失权重；training.min_snr_gamma 与之相近</translation>
    </message>
    <message>
        <source>{reader} reads all {tensors} tensors, for {modules} layers; recomputed by its rules, the checked layers differ by at most {error}</source>
        <translation>{reader} 能读取全部 {tensors} 个张量，作用于 {modules} 个层；按其规则重新计算，所检查的层偏差不超过 {error}</translation>
    </message>
    <message>
        <source>{reader} reads all {tensors} tensors, for {modules} layers; no layer&apos;s values were checked</source>
        <translation>{reader} 能读取全部 {tensors} 个张量，作用于 {modules} 个层；未检查任何层的数值</translation>
    </message>
    <message>
        <source>{reader} loads the file, but its change of {layer} differs by {error}</source>
        <translation>{reader} 会加载该文件，但 {layer} 的改变量偏差 {error}</translation>
    </message>
    <message>
        <source>{reader} ignores {count} of {tensors} tensors, the first one {tensor}</source>
        <translation>{reader} 会忽略 {tensors} 个张量中的 {count} 个，第一个是 {tensor}</translation>
    </message>
    <message>
        <source>{reader} reads all {tensors} tensors, but every checked layer stays unchanged</source>
        <translation>{reader} 能读取全部 {tensors} 个张量，但所检查的每一层改变量都为零</translation>
    </message>
    <message>
        <source>{reader} recognizes no tensor name, such as {tensor}: the file has no effect, or fails to load</source>
        <translation>{reader} 不认识该文件中的任何名称，例如 {tensor}：加载后没有效果，或根本无法加载</translation>
    </message>
    <message>
        <source>{reader} refuses the file because of {tensor}</source>
        <translation>{reader} 因 {tensor} 而拒绝加载该文件</translation>
    </message>
    <message>
        <source>no verdict: how {reader} names adapters of this base model isn&apos;t known here</source>
        <translation>无法判定：此处不了解 {reader} 对该基础模型的适配器所用的名称</translation>
    </message>
    <message>
        <source>Read back by the rules of {programs}: every tensor is found, and the layers recomputed from the file change as trained</source>
        <translation>已按 {programs} 的规则回读：所有张量均能找到，由文件重新计算的层与训练结果一致</translation>
    </message>
    <message>
        <source>{path} is a folder of PEFT&apos;s, which PeftModel.from_pretrained loads; other programs read single files. Write one with `mantissa convert`</source>
        <translation>{path} 是 PEFT 的文件夹，由 PeftModel.from_pretrained 加载；其他程序读取单个文件。请用 `mantissa convert` 写出一个</translation>
    </message>
    <message>
        <source>the file can&apos;t be read back: {reason}</source>
        <translation>无法回读该文件：{reason}</translation>
    </message>
    <message>
        <source>--for needs --base: the base model&apos;s layers give the names</source>
        <translation>--for 需要 --base：名称取自底模的各层</translation>
    </message>
    <message>
        <source>--for {program}: none of the formats of this adapter is read by {title} in full; `mantissa inspect --for {program}` says why. Merge it into the base model instead</source>
        <translation>--for {program}：此适配器的任何格式都不能被 {title} 完整读取；原因见 `mantissa inspect --for {program}`。请改为合并到底模</translation>
    </message>
    <message>
        <source>no Qwen-Image-2.1 has been published that isn&apos;t distilled</source>
        <translation>目前没有发布过未蒸馏的 Qwen-Image-2.1</translation>
    </message>
    <message>
        <source>it is a flow map, distilled from FLUX.3 Image klein Base; it has &apos;{tensor}&apos;</source>
        <translation>它是由 FLUX.3 Image klein Base 蒸馏的流映射模型，含有“{tensor}”</translation>
    </message>
    <message>
        <source>it is no flow map</source>
        <translation>它不是流映射模型</translation>
    </message>
    <message>
        <source>{folder}: {given} repeats are not offered here; the nearest is {value}.</source>
        <translation>{folder}：此处不支持重复次数 {given}，最接近的值为 {value}。</translation>
    </message>
    <message>
        <source>{folder} is left out there, with {given} repeats: don&apos;t choose it for a run.</source>
        <translation>{folder} 在原程序中因重复次数为 {given} 而不被使用：训练时请勿选择它。</translation>
    </message>
    <message>
        <source>Not taken: {key} of {folder} is not a number.</source>
        <translation>未采用:{folder} 的 {key} 不是数字。</translation>
    </message>
    <message>
        <source>data.folder_repeats takes at most 10000 repeats; these folders ask for more and count as folders without a number: {folders}</source>
        <translation>data.folder_repeats 最多支持 10000 次重复；以下文件夹要求更多，按没有数字的文件夹处理：{folders}</translation>
    </message>
    <message>
        <source>the numbers that these folders&apos; names begin with aren&apos;t used as repeats, and stay in captions that are a folder&apos;s name; turn on data.folder_repeats to read the names as sd-scripts does: {folders}</source>
        <translation>以下文件夹名称开头的数字不会用作重复次数，并会保留在取自文件夹名称的标注中；要像 sd-scripts 那样读取名称，请启用 data.folder_repeats：{folders}</translation>
    </message>
    <message>
        <source>Not offered here: {name} as the loss; the squared error instead.</source>
        <translation>此处不支持损失 {name}，改用平方误差。</translation>
    </message>
    <message>
        <source>Not taken: {problem}.</source>
        <translation>未采用：{problem}。</translation>
    </message>
    <message>
        <source>{why} {setting} is {value}, the default there.</source>
        <translation>{why} {setting} 采用原程序的默认值 {value}。</translation>
    </message>
    <message>
        <source>a learning rate for each kind of layer</source>
        <translation>每类层各自的学习率</translation>
    </message>
    <message>
        <source>Not read there where a network is trained.</source>
        <translation>原程序在训练网络时不读取此项。</translation>
    </message>
    <message>
        <source>FP16 masters of DeepSpeed</source>
        <translation>DeepSpeed 的 FP16 主权重</translation>
    </message>
    <message>
        <source>it holds NaN or infinity</source>
        <translation>其中含有 NaN 或无穷大</translation>
    </message>
    <message>
        <source>{file}: {tensor} and {other} adapt the same layer under two names. Remove one of them where the file was made</source>
        <translation>{file}：{tensor} 与 {other} 以两个名称修改同一层。请在生成该文件的程序中移除其中一个</translation>
    </message>
    <message>
        <source>no checkpoint is better than the untrained model beyond the error of {images} validation images: step {step} differs from it by {difference}</source>
        <translation>没有检查点优于未训练的模型，差别都在 {images} 张验证图片的误差之内：第 {step} 步与它相差 {difference}</translation>
    </message>
    <message>
        <source>step {step} is suggested: it has the lowest validation loss of all checkpoints, {loss}</source>
        <translation>建议取第 {step} 步：它的验证损失是所有检查点中最低的，为 {loss}</translation>
    </message>
    <message>
        <source>step {step} is suggested: the validation loss of step {lowest} is lower by only {difference}, and fewer steps memorise less</source>
        <translation>建议取第 {step} 步：第 {lowest} 步的验证损失只低 {difference}，而步数越少，死记的也越少</translation>
    </message>
    <message>
        <source>a sign of memorising at step {step}: a sample is {ratio} times as far from the training image {image} as from the nearest validation image</source>
        <translation>第 {step} 步有死记的迹象：有样图到训练图片 {image} 的距离是到最近的验证图片的 {ratio} 倍</translation>
    </message>
    <message>
        <source>no sign of memorising at step {step}: no sample is nearer to a training image than {ratio} times its distance to the nearest validation image</source>
        <translation>第 {step} 步没有死记的迹象：样图到训练图片的距离都不小于到最近的验证图片的 {ratio} 倍</translation>
    </message>
    <message>
        <source>{image} may fit the caption of {other} better than its own: the loss is {share} lower with it. Check its caption</source>
        <translation>{image} 与 {other} 的标注可能比与自己的标注更相符：用那条标注损失低 {share}。请检查它的标注</translation>
    </message>
    <message>
        <source>{image} was never learned: its loss fell by {share} ± {error} over the run. Check whether the image is damaged or belongs here</source>
        <translation>{image} 始终没有学会：整个训练中它的损失下降了 {share} ± {error}。请检查图片是否损坏，或是否属于这里</translation>
    </message>
    <message>
        <source>{image} looks unlike the others as a whole: its loss at the highest noise level is {loss}, theirs about {usual}. Check that it belongs here</source>
        <translation>{image} 整体上与其他图片不像：它在最高噪声水平的损失是 {loss}，其他图片约为 {usual}。请确认它是否属于这里</translation>
    </message>
    <message>
        <source>A guidance scale that a model embeds is 1 in training here.</source>
        <translation>模型嵌入的引导强度在训练中为 1。</translation>
    </message>
    <message>
        <source>The model is trained with guidance 0 here.</source>
        <translation>这里以引导 0 训练该模型。</translation>
    </message>
    <message>
        <source>is {value}; it must be a multiple of {step}</source>
        <translation>为 {value}，必须是 {step} 的倍数</translation>
    </message>
    <message>
        <source>{path}: the first text encoder&apos;s pooled vector has {given} values, but the transformer takes {wanted}; are they parts of one model?</source>
        <translation>{path}：第一个文本编码器的池化向量有 {given} 个值，而 transformer 接受 {wanted} 个；它们是同一个模型的部件吗？</translation>
    </message>
    <message>
        <source>{path}: the transformer reads {given} channels and predicts {wanted}; of FLUX.1, models that read an image beside the noise (Fill, Depth, Canny) are not supported, only dev, schnell and models of their kind</source>
        <translation>{path}：transformer 读取 {given} 个通道，预测 {wanted} 个；FLUX.1 中除噪声外还读取图片的模型（Fill、Depth、Canny）不受支持，仅支持 dev、schnell 及同类模型</translation>
    </message>
    <message>
        <source>it takes a guidance scale; it has &apos;{tensor}&apos;</source>
        <translation>它接受引导强度，含有“{tensor}”</translation>
    </message>
    <message>
        <source>it takes no guidance scale; it lacks &apos;{tensor}&apos;</source>
        <translation>它不接受引导强度，缺少“{tensor}”</translation>
    </message>
    <message>
        <source>FLUX predicts the flow itself here (raw).</source>
        <translation>在 Mantissa 中 FLUX 直接预测流本身（raw）。</translation>
    </message>
    <message>
        <source>a mask for the padding of T5&apos;s captions</source>
        <translation>对 T5 标注填充的掩码</translation>
    </message>
    <message>
        <source>Counts only for FLUX.1 there.</source>
        <translation>在原程序中只对 FLUX.1 有效。</translation>
    </message>
    <message>
        <source>Counts only for a plain LoRA of FLUX.1 there.</source>
        <translation>在原程序中只对 FLUX.1 的普通 LoRA 有效。</translation>
    </message>
    <message>
        <source>Counts only for OFT there.</source>
        <translation>在原程序中只对 OFT 有效。</translation>
    </message>
    <message>
        <source>kohya_ss passes it on only where split_mode is set.</source>
        <translation>kohya_ss 只在设置了 split_mode 时才传递它。</translation>
    </message>
    <message>
        <source>Not taken: {key} is all, none or numbers of blocks up to {last}, such as &quot;0,4-7&quot;.</source>
        <translation>未采用：{key} 应为 all、none 或不超过 {last} 的块编号，例如 &quot;0,4-7&quot;。</translation>
    </message>
    <message>
        <source>Not taken: not a rank from 0 to {most}.</source>
        <translation>未采用：不是 0 到 {most} 之间的秩。</translation>
    </message>
    <message>
        <source>Not taken: in_dims holds {count} ranks.</source>
        <translation>未采用：in_dims 应有 {count} 个秩。</translation>
    </message>
    <message>
        <source>One adapter for q, k and v there, in single blocks with the feed-forward&apos;s entry; one for each of them here.</source>
        <translation>在原程序中 q、k、v（单流块中还有前馈层的入口）共用一个适配器；在 Mantissa 中各有一个。</translation>
    </message>
    <message>
        <source>One adapter for q, k and v there, one for each of them here.</source>
        <translation>在原程序中 q、k、v 共用一个适配器；在 Mantissa 中各有一个。</translation>
    </message>
    <message>
        <source>q, k and v have an adapter each here too.</source>
        <translation>在 Mantissa 中 q、k、v 也各有一个适配器。</translation>
    </message>
    <message>
        <source>noise on the weights while training (LoRA-GGPO)</source>
        <translation>训练时加在权重上的噪声（LoRA-GGPO）</translation>
    </message>
    <message>
        <source>Something else is compared with the flow there; here the model predicts the flow itself (raw).</source>
        <translation>在原程序中与流比较的是另一个量；在 Mantissa 中模型直接预测流本身（raw）。</translation>
    </message>
    <message>
        <source>Not given: the model&apos;s estimate of the image is compared with the flow there; here the model predicts the flow itself (raw).</source>
        <translation>未给出：在原程序中与流比较的是模型对图片的估计；在 Mantissa 中模型直接预测流本身（raw）。</translation>
    </message>
    <message>
        <source>T5 reads 512 tokens of a caption here, 256 for schnell.</source>
        <translation>在 Mantissa 中 T5 读取标注的 512 个词元，schnell 为 256 个。</translation>
    </message>
    <message>
        <source>{file}: {module} has down {down} and up {up}, but the model&apos;s weight is {shape}. Was it made for another base model?</source>
        <translation>{file}：{module} 的 down 为 {down}，up 为 {up}，而模型的权重为 {shape}。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{file}: {module} holds {count} magnitudes, but the model&apos;s weight {shape} has {channels} channels on that axis</source>
        <translation>{file}：{module} 含有 {count} 个幅值，而模型的权重 {shape} 在该轴上有 {channels} 个通道</translation>
    </message>
    <message>
        <source>{file}: it adapts {module}, but the base model has no such layer. Was it made for another base model?</source>
        <translation>{file}：它适配 {module}，但底模中没有这样的层。它是为另一个底模制作的吗？</translation>
    </message>
    <message>
        <source>{path}: the run&apos;s training adapter is missing. Restore it, or give its new place with --training-adapter</source>
        <translation>{path}：本次运行的训练辅助适配器不见了。请恢复它，或用 --training-adapter 指定它的新位置</translation>
    </message>
    <message>
        <source>{path}: no such training adapter (--training-adapter)</source>
        <translation>{path}：没有这个训练辅助适配器 (--training-adapter)</translation>
    </message>
    <message>
        <source>{file} is a DoRA, which scales the base model&apos;s weights, and training.method full changes them. Take a training adapter without magnitudes, or set training.method to adapter</source>
        <translation>{file} 是 DoRA，会缩放底模的权重，而 training.method full 会改变这些权重。请使用没有幅值的训练辅助适配器，或将 training.method 设为 adapter</translation>
    </message>
    <message>
        <source>{file} is a DoRA, which scales the base model&apos;s weights, and adapter.init pissa takes a part out of them. Set adapter.init to standard</source>
        <translation>{file} 是 DoRA，会缩放底模的权重，而 adapter.init pissa 会从中取出一部分。请将 adapter.init 设为 standard</translation>
    </message>
    <message>
        <source>{file} changes {weight}, which a training adapter can&apos;t: it must leave norms and biases as they are. Merge it into the base model (`mantissa merge`), if samples may have it too</source>
        <translation>{file} 会改变 {weight}，训练辅助适配器不能这样做：归一化和偏置必须保持原样。如果采样时也可以带上它，请把它合并到底模中 (`mantissa merge`)</translation>
    </message>
    <message>
        <source>{file}: {count} of its modules are of text encoders that aren&apos;t trained; they are left out, since captions are encoded before the steps</source>
        <translation>{file}：其中 {count} 个模块属于不训练的文本编码器；由于字幕在训练步之前编码，这些模块不会使用</translation>
    </message>
    <message>
        <source>training adapter {file} at weight {weight}: {count} modules, active in the losses of training and validation, not in samples or the saved file</source>
        <translation>训练辅助适配器 {file}，权重 {weight}：{count} 个模块，在训练和验证的损失中生效，不出现在样图和保存的文件中</translation>
    </message>
    <message>
        <source>must be a list of objects with file and weight</source>
        <translation>必须是含有 file 和 weight 的对象列表</translation>
    </message>
    <message>
        <source>--training-adapter: the run was started without one, and a resumed run can&apos;t change that. Leave the option out, or start a new run</source>
        <translation>--training-adapter：本次运行开始时没有使用它，继续运行时不能更改。请去掉该选项，或开始新的运行</translation>
    </message>
    <message>
        <source>--training-adapter: a resumed run has the training adapters it was started with, at their weights: {adapters}. Only their places may be others</source>
        <translation>--training-adapter：继续运行时使用开始时的训练辅助适配器及其权重：{adapters}。只有它们的位置可以不同</translation>
    </message>
    <message>
        <source>Belongs to the run: give the file as its training adapter (--training-adapter).</source>
        <translation>属于运行：请将该文件作为训练辅助适配器提供 (--training-adapter)。</translation>
    </message>
    <message>
        <source>Belongs to the run: the weight of its training adapter (--training-adapter FILE:WEIGHT).</source>
        <translation>属于运行：训练辅助适配器的权重 (--training-adapter FILE:WEIGHT)。</translation>
    </message>
    <message>
        <source>samples with the training adapter</source>
        <translation>带训练辅助适配器的采样</translation>
    </message>
    <message>
        <source>Belongs to the run, which has one if it is given.</source>
        <translation>属于运行，只有提供时才会使用。</translation>
    </message>
    <message>
        <source>Belongs to the run: as its training adapter (--training-adapter) the file is active while training, but not in samples.</source>
        <translation>属于运行：作为训练辅助适配器 (--training-adapter)，该文件在训练时生效，但不影响采样。</translation>
    </message>
    <message>
        <source>{file}: expected a PNG image</source>
        <translation>{file}：需要 PNG 图片</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} has {weight}, but no {missing}: the file is incomplete. Get it again</source>
        <translation>&apos;{path}&apos;：{part} 有 {weight}，但没有 {missing}：文件不完整。请重新获取</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} has no {missing}: the file is incomplete. Get it again</source>
        <translation>&apos;{path}&apos;：{part} 没有 {missing}：文件不完整。请重新获取</translation>
    </message>
    <message>
        <source>{key} gives {resolution}, and sides are multiples of {quantum} pixels here: a square image is trained at {width} × {height}</source>
        <translation>{key} 为 {resolution}，而这个模型的边长必须是 {quantum} 像素的倍数：正方形图片以 {width} × {height} 训练</translation>
    </message>
    <message>
        <source>Not taken: a resolution of {value} for {folder}.</source>
        <translation>未采用：{folder} 的分辨率 {value}。</translation>
    </message>
    <message>
        <source>resolution {resolution}: {images} images, {sizes} of its sizes in use</source>
        <translation>分辨率 {resolution}：{images} 张图片，使用其中 {sizes} 种尺寸</translation>
    </message>
    <message>
        <source>{key} gives {resolution} pixels; this model needs sides that are multiples of {least}, so at least {least}</source>
        <translation>{key} 为 {resolution} 像素；该模型的边长须为 {least} 的倍数，因此至少为 {least}</translation>
    </message>
    <message>
        <source>kohya&apos;s bucket rule wants data.bucket_min ({least}) &lt;= {key} ({resolution}) &lt;= data.bucket_max ({most}); change one of them, or data.bucket_rule</source>
        <translation>kohya 的分桶规则要求 data.bucket_min ({least}) &lt;= {key} ({resolution}) &lt;= data.bucket_max ({most})；请更改其中之一，或更改 data.bucket_rule</translation>
    </message>
    <message>
        <source>Each image has one of them at random there; here it is trained at each, and an epoch is {count} times as long.</source>
        <translation>原程序为每张图片随机取其中之一；这里每张图片以每种分辨率各训练一遍，一个轮次为 {count} 倍长。</translation>
    </message>
    <message>
        <source>more than the side of a square as one folder&apos;s resolution ({folder}: {value})</source>
        <translation>单个文件夹的分辨率使用正方形边长以外的写法（{folder}：{value}）</translation>
    </message>
    <message>
        <source>Several folders are called {folder}, with other repeats, weights or resolutions each: one name has one rule here, so they have none.</source>
        <translation>有多个名为 {folder} 的文件夹，其重复次数、权重或分辨率各不相同：此处一个名称只有一条规则，因此都不设置。</translation>
    </message>
    <message>
        <source>a list of whole numbers from {least} to {most}, each once</source>
        <translation>由 {least} 到 {most} 的互不相同的整数组成的列表</translation>
    </message>
    <message>
        <source>whole numbers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>{key} is {value}, which is in the list already; give each once</source>
        <translation>{key} 为 {value}，已在列表中；每个只写一次</translation>
    </message>
    <message>
        <source>A folder has one resolution here, or those of all images: the first data set&apos;s count.</source>
        <translation>这里每个文件夹只有一种分辨率，或者沿用所有图片的分辨率：采用第一个数据集的。</translation>
    </message>
    <message>
        <source>{count} of {images} images are smaller than the size they are trained at for the resolution {resolution} and are enlarged, {name} the most: {factor} times. Use larger images, or leave that resolution out</source>
        <translation>对于分辨率 {resolution}，{images} 张图片中有 {count} 张小于训练尺寸，会被放大；放大最多的是 {name}：{factor} 倍。请使用更大的图片，或去掉该分辨率</translation>
    </message>
    <message>
        <source>{count} of the first {images} images are smaller than the size they are trained at for the resolution {resolution} and are enlarged, {name} the most: {factor} times. Use larger images, or leave that resolution out</source>
        <translation>对于分辨率 {resolution}，前 {images} 张图片中有 {count} 张小于训练尺寸，会被放大；放大最多的是 {name}：{factor} 倍。请使用更大的图片，或去掉该分辨率</translation>
    </message>
    <message>
        <source>must have one entry for each of {count} tensors</source>
        <translation>必须为 {count} 个张量各有一项</translation>
    </message>
    <message>
        <source>{file} was written by a newer version; verify the run with that one</source>
        <translation>{file} 由更新的版本写入；请用该版本验证</translation>
    </message>
    <message>
        <source>{file} is damaged: it has another content than its checksum says. The run can&apos;t be verified; the run itself is not affected</source>
        <translation>{file} 已损坏：内容与其校验和不符。该训练无法验证；训练本身不受影响</translation>
    </message>
    <message>
        <source>the trace of the first steps would have {bytes} bytes, more than the {most} that it may have: the run keeps none and can&apos;t be verified</source>
        <translation>前几步的记录将有 {bytes} 字节，超过上限 {most} 字节：不保存记录，该训练将无法验证</translation>
    </message>
    <message>
        <source>must be a list of steps</source>
        <translation>必须是步的列表</translation>
    </message>
    <message>
        <source>the run was started with other files: {changes}. Restore them: only with the same inputs can two versions be compared</source>
        <translation>该训练开始时使用的是其他文件：{changes}。请恢复原文件：只有输入相同才能比较两个版本</translation>
    </message>
    <message>
        <source>another processor or kernels: {then} then, {now} now</source>
        <translation>处理器或内核不同：当时为 {then}，现在为 {now}</translation>
    </message>
    <message>
        <source>another version: {then} then, {now} now</source>
        <translation>版本不同：当时为 {then}，现在为 {now}</translation>
    </message>
    <message>
        <source>the fastest kernels of {device} round otherwise from run to run</source>
        <translation>{device} 的最快内核每次运行的舍入不同</translation>
    </message>
    <message>
        <source>different: first in the loss or the gradients of step {step}</source>
        <translation>不同：首先出现在第 {step} 步的损失或梯度</translation>
    </message>
    <message>
        <source>different: first at {tensor} of step {step}</source>
        <translation>不同：首先出现在第 {step} 步的 {tensor}</translation>
    </message>
    <message>
        <source>different: other tensors are trained, first {tensor}</source>
        <translation>不同：训练的张量不同，首先是 {tensor}</translation>
    </message>
    <message>
        <source>the same to the bit</source>
        <translation>逐位相同</translation>
    </message>
    <message>
        <source>stopped before the verification was complete; nothing was changed</source>
        <translation>验证完成前已停止；未作任何改动</translation>
    </message>
    <message>
        <source>{folder} has no {file}: the run was made by a version that kept no trace, or ended before its first {steps} steps. It can&apos;t be verified; a new run can</source>
        <translation>{folder} 中没有 {file}：该训练由不保存记录的版本完成，或在前 {steps} 步之前结束。无法验证；新的训练可以验证</translation>
    </message>
    <message>
        <source>{where}; {differences}</source>
        <translation>{where}；{differences}</translation>
    </message>
    <message>
        <source>the same within rounding ({why}): {differences}</source>
        <translation>在舍入范围内相同 ({why})：{differences}</translation>
    </message>
    <message>
        <source>relative differences: losses and gradient norms {largest} (rounding: up to {bound}), tensor norms {norm} (up to {norm_bound})</source>
        <translation>相对差：损失和梯度范数 {largest} (舍入不超过 {bound})，张量范数 {norm} (不超过 {norm_bound})</translation>
    </message>
    <message>
        <source>stopped while verifying; the run is as it was</source>
        <translation>验证已停止；训练记录保持原样</translation>
    </message>
    <message>
        <source>{path}: its mask is black all over the part that is trained, which counts for no more than data.unmasked_weight</source>
        <translation>{path}：用于训练的部分的遮罩全为黑色，其权重不超过 data.unmasked_weight</translation>
    </message>
    <message>
        <source>The prompts without their {flags}, which samples don&apos;t have here.</source>
        <translation>提示词去掉了 {flags}：此处的样图没有这些选项。</translation>
    </message>
    <message>
        <source>no choice of types is within these limits: the smallest takes {bytes}, the fastest {time} a step; raise --fit or --step-time, or lower data.batch_size or data.resolution</source>
        <translation>没有类型方案满足这些限制：最小的需要 {bytes}，最快的每步 {time}；请提高 --fit 或 --step-time，或降低 data.batch_size 或 data.resolution</translation>
    </message>
    <message>
        <source>{value}: {allowed} is expected</source>
        <translation>{value}：应为{allowed}</translation>
    </message>
    <message>
        <source>Not given: kohya_ss passes its epochs.</source>
        <translation>未指定：kohya_ss 传入其轮数。</translation>
    </message>
    <message>
        <source>{note} Limits the norm of all gradients here, each of them there.</source>
        <translation>{note} 此处限制所有梯度的范数，原程序逐个限制。</translation>
    </message>
    <message>
        <source>Its options count as keys of their own, before the same ones elsewhere. No command is run.</source>
        <translation>其中的选项作为单独的键，优先于别处相同的键。不会运行任何命令。</translation>
    </message>
    <message>
        <source>no memory was taken after the first step began</source>
        <translation>第一步开始之后没有再占用内存</translation>
    </message>
    <message>
        <source>memory was taken {count} times after the first step began, more than was planned</source>
        <translation>第一步开始之后又占用了 {count} 次内存，超出了计划</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no list of tags: its first line has no column {column}. Get the tagger&apos;s selected_tags.csv again</source>
        <translation>“{file}”不是标签列表：第一行没有 {column} 列。请重新获取该打标模型的 selected_tags.csv</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no list of tags: it isn&apos;t UTF-8</source>
        <translation>“{file}”不是标签列表：不是 UTF-8</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;, line {line}: a tag with its category is expected. Get the tagger&apos;s selected_tags.csv again</source>
        <translation>“{file}”第 {line} 行：应为标签及其类别。请重新获取该打标模型的 selected_tags.csv</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; lists no tags</source>
        <translation>“{file}”没有列出任何标签</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no tagger that is read here: it has no tensor {tensor}. Taggers of the kinds ViT and EVA-02 under timm&apos;s names are read, such as wd-vit-tagger-v3 and wd-eva02-large-tagger-v3</source>
        <translation>“{file}”不是可读取的打标模型：没有张量 {tensor}。可读取采用 timm 名称的 ViT 和 EVA-02 打标模型，例如 wd-vit-tagger-v3 和 wd-eva02-large-tagger-v3</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {key} is {value}, which isn&apos;t read here</source>
        <translation>“{file}”：不支持 {key} 的值 {value}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has positions of {positions} tokens of {width} channels in {heads} heads, which make no square of patches</source>
        <translation>“{file}”的位置为 {positions} 个标记、{width} 个通道、{heads} 个头，无法构成正方形的图块</translation>
    </message>
    <message>
        <source>&apos;{folder}&apos; has the tagger&apos;s model.onnx alone; put its model.safetensors and config.json beside it</source>
        <translation>“{folder}”只有打标模型的 model.onnx；请把 model.safetensors 和 config.json 放在旁边</translation>
    </message>
    <message>
        <source>&apos;{folder}&apos; holds no tagger: model.safetensors, config.json and selected_tags.csv are expected, as their authors publish them</source>
        <translation>“{folder}”中没有打标模型：应有作者发布的 model.safetensors、config.json 和 selected_tags.csv</translation>
    </message>
    <message>
        <source>the tagger lacks its weight {weight}</source>
        <translation>打标模型缺少权重 {weight}</translation>
    </message>
    <message>
        <source>the tagger&apos;s weight {weight} has shape {shape}; {expected} is expected</source>
        <translation>打标模型的权重 {weight} 形状为 {shape}，应为 {expected}</translation>
    </message>
    <message>
        <source>&apos;{list}&apos; lists {tags} tags, but the network of &apos;{file}&apos; tells {outputs}; take both from the same tagger</source>
        <translation>“{list}”列出 {tags} 个标签，但“{file}”的网络输出 {outputs} 个；请使用同一打标模型的文件</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the tagger&apos;s weight {weight} is of type {type}; F32, BF16 and F16 are read</source>
        <translation>“{file}”：打标模型的权重 {weight} 类型为 {type}；可读取 F32、BF16 和 F16</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;, which holds the captions from before, is damaged</source>
        <translation>保存原有标注的“{file}”已损坏</translation>
    </message>
    <message>
        <source>there are no captions to put back: none was written by `mantissa caption`, or all are put back already</source>
        <translation>没有可恢复的标注：`mantissa caption` 没有写过标注，或已全部恢复</translation>
    </message>
    <message>
        <source>{setting} compares with the base model, and training.method full changes its weights: none is left to compare with. Set training.method to adapter</source>
        <translation>{setting} 要与底模比较，而 training.method 为 full 时底模的权重会改变，没有可比较的对象。请将 training.method 设为 adapter</translation>
    </message>
    <message>
        <source>{setting} compares with the base model, and adapter.init pissa moves a part of its weights into the adapter. Set adapter.init to standard</source>
        <translation>{setting} 要与底模比较，而 adapter.init 为 pissa 时会把底模的一部分权重移入适配器。请将 adapter.init 设为 standard</translation>
    </message>
    <message>
        <source>{setting} compares with the base model, whose captions are encoded before the steps. Set training.parts to [&quot;denoiser&quot;]</source>
        <translation>{setting} 要与底模比较，其标注在训练步之前编码。请将 training.parts 设为 [&quot;denoiser&quot;]</translation>
    </message>
    <message>
        <source>training.preservation is class, and {setting} is empty. Set it, or set training.preservation to empty</source>
        <translation>training.preservation 为 class，但 {setting} 为空。请填写它，或将 training.preservation 设为 empty</translation>
    </message>
    <message>
        <source>training.class_word is the same as training.trigger_word; it should be what that is an example of, such as person or dog</source>
        <translation>training.class_word 与 training.trigger_word 相同；它应是触发词所属的类别，例如 person 或 dog</translation>
    </message>
    <message>
        <source>training.preservation is empty, and every caption is empty: nothing is left to preserve. Set it to off, or write captions</source>
        <translation>training.preservation 为 empty，而所有标注都为空：没有可保留的内容。请设为 off，或填写标注</translation>
    </message>
    <message>
        <source>training.preservation: no caption contains training.trigger_word, {word}. Write it into the captions, or correct the setting</source>
        <translation>training.preservation：没有标注包含 training.trigger_word 的 {word}。请写入标注，或更正设置</translation>
    </message>
    <message>
        <source>images whose caption lacks the trigger word, trained without preservation</source>
        <translation>标注中没有触发词、不带输出保留训练的图片</translation>
    </message>
    <message>
        <source>the step lacks its preservation weights; was the trace written without training.preservation?</source>
        <translation>该步缺少输出保留的权重；跟踪文件是否在没有 training.preservation 时写出？</translation>
    </message>
    <message>
        <source>Put into captions there; here they must contain it.</source>
        <translation>原程序会把它写入标注；此处标注必须已包含它。</translation>
    </message>
    <message>
        <source>training.purpose is {purpose}, whose adapter is used at negative weights too, and one with DoRA&apos;s magnitudes isn&apos;t the opposite there. Set adapter.type to lora and adapter.decompose to false</source>
        <translation>training.purpose 为 {purpose} 时，适配器也会以负权重使用，而带有 DoRA 幅值的适配器在负权重下并不相反。请将 adapter.type 设为 lora，adapter.decompose 设为 false</translation>
    </message>
    <message>
        <source>training.purpose is slider, and slider.positive is the same as slider.negative. Set them to the two ends of the attribute</source>
        <translation>training.purpose 为 slider，但 slider.positive 与 slider.negative 相同。请把它们设为该属性的两端</translation>
    </message>
    <message>
        <source>training.purpose is slider, which learns from prompts, and --references gives images. Leave them out, or set training.purpose to pair_slider, which learns from pairs of images</source>
        <translation>training.purpose 为 slider 时从提示词学习，而 --references 给出了图片。请去掉它们，或将 training.purpose 设为从图片对学习的 pair_slider</translation>
    </message>
    <message>
        <source>training.purpose is pair_slider, which trains an adapter and its opposite on pairs of images (--images, --references): {setting} doesn&apos;t go with it. Leave it out</source>
        <translation>training.purpose 为 pair_slider，它从图片对 (--images、--references) 训练一个适配器及其反向，不能与 {setting} 同用。请去掉它</translation>
    </message>
    <message>
        <source>training.purpose is pair_slider, and no negative images are given. Put one of the name of each image into a folder (--references)</source>
        <translation>training.purpose 为 pair_slider，但没有给出负向图片。请为每张图片准备一张同名图片，放入一个文件夹并指定 (--references)</translation>
    </message>
    <message>
        <source>training.purpose is pair_slider, and {path} has no partner: {reason}. Each image needs a negative one of its name, or a line of a list (--references)</source>
        <translation>training.purpose 为 pair_slider，而 {path} 没有配对图片：{reason}。每张图片都需要一张同名的负向图片，或列表中的一行 (--references)</translation>
    </message>
    <message>
        <source>{path} has {count} negative images, and a pair has one. Give one folder of them (--references)</source>
        <translation>{path} 有 {count} 张负向图片，而每对只有一张。请只给一个文件夹 (--references)</translation>
    </message>
    <message>
        <source>{path} is {width}x{height} pixels and its negative image {file} {other_width}x{other_height}: the images of a pair have one size. Crop or resize one of them</source>
        <translation>{path} 为 {width}x{height} 像素，其负向图片 {file} 为 {other_width}x{other_height}：一对图片的尺寸必须相同。请裁剪或缩放其中一张</translation>
    </message>
    <message>
        <source>the step lacks its negative images; was the trace written without training.purpose pair_slider?</source>
        <translation>该步缺少负向图片；这份 trace 是否在 training.purpose 不为 pair_slider 时写出的？</translation>
    </message>
    <message>
        <source>Each file holds a pair side by side there. Cut them in the middle: the right halves are the run&apos;s images, the left ones, of the same names, its references.</source>
        <translation>原程序的每个文件左右并排存放一对图片。请从中间切开：右半是训练的图片，同名的左半是参考图。</translation>
    </message>
    <message>
        <source>Chosen for each run: pos_folder has its images, neg_folder its references.</source>
        <translation>每次训练时选择：pos_folder 是训练图片，neg_folder 是参考图。</translation>
    </message>
    <message>
        <source>other weights at a slider&apos;s ends</source>
        <translation>滑块两端的其他权重</translation>
    </message>
    <message>
        <source>{option} is for training on images, and training.purpose is {purpose}: the base model makes its images of {prompts}. Leave it out</source>
        <translation>{option} 用于图片训练，而 training.purpose 为 {purpose}：图片由底模按 {prompts} 生成。请去掉它</translation>
    </message>
    <message>
        <source>{file} isn&apos;t what the run wrote: it should hold {count} values of images that the base model made. Remove it, and they are made again</source>
        <translation>{file} 不是本次训练写入的内容：其中应有底模所生成图片的 {count} 个值。删除后会重新生成</translation>
    </message>
    <message>
        <source>training.purpose {purpose} can&apos;t be probed: it trains on images that its run makes. Probe with training.purpose images</source>
        <translation>training.purpose {purpose} 无法进行精度测试：它使用训练时生成的图片。请将 training.purpose 设为 images 后再测试</translation>
    </message>
    <message>
        <source>Beside twice the loss on the target there, once here.</source>
        <translation>原程序相对于目标损失的两倍，此处相对于一倍。</translation>
    </message>
    <message>
        <source>{library} is not installed ({file}). Install NVIDIA&apos;s libraries with `mantissa cuda install` or on the studio&apos;s Device page; if they are elsewhere, name their folder in MANTISSA_CUDA_FOLDERS</source>
        <translation>未安装 {library}({file})。请用 `mantissa cuda install` 或在工作室的设备页面安装 NVIDIA 的库;如果它们在别处,请用 MANTISSA_CUDA_FOLDERS 指定其文件夹</translation>
    </message>
    <message>
        <source>there is an NVIDIA card, but no NVIDIA driver is installed, or it is not running. Install driver 580 or newer</source>
        <translation>有 NVIDIA 显卡,但未安装 NVIDIA 驱动程序,或驱动程序未运行。请安装 580 或更新的驱动程序</translation>
    </message>
    <message>
        <source>the graphics card is made by {maker}; Mantissa trains on NVIDIA cards (RTX 20 series or newer) and on the CPU</source>
        <translation>显卡由 {maker} 制造;Mantissa 在 NVIDIA 显卡(RTX 20 系列或更新)和 CPU 上训练</translation>
    </message>
    <message>
        <source>{file} is no table of libraries: {reason}</source>
        <translation>{file} 不是库的列表:{reason}</translation>
    </message>
    <message>
        <source>could not download {url}: {reason}</source>
        <translation>无法下载 {url}:{reason}</translation>
    </message>
    <message>
        <source>libcurl can&apos;t be started: the system has no memory for it</source>
        <translation>无法启动 libcurl:系统内存不足</translation>
    </message>
    <message>
        <source>the answer is longer than {bytes} bytes</source>
        <translation>回应超过 {bytes} 字节</translation>
    </message>
    <message>
        <source>the file is longer than {bytes} bytes</source>
        <translation>文件超过 {bytes} 字节</translation>
    </message>
    <message>
        <source>cancelled; what was downloaded is kept for the next time</source>
        <translation>已取消;已下载的部分保留到下次使用</translation>
    </message>
    <message>
        <source>{page} links to {reference}, which is no address</source>
        <translation>{page} 链接到 {reference},它不是地址</translation>
    </message>
    <message>
        <source>could not unpack {file}: {reason}</source>
        <translation>无法解压 {file}:{reason}</translation>
    </message>
    <message>
        <source>it lacks {count} of the files that are needed</source>
        <translation>缺少 {count} 个所需的文件</translation>
    </message>
    <message>
        <source>another program is installing or removing CUDA libraries in {folder}; wait until it has finished</source>
        <translation>另一个程序正在 {folder} 中安装或移除 CUDA 库;请等待它完成</translation>
    </message>
    <message>
        <source>could not remove {path}: a program that uses it is running; close it and try again</source>
        <translation>无法移除 {path}:使用它的程序正在运行;请关闭后重试</translation>
    </message>
    <message>
        <source>the folder {folder} lacks {files}; `mantissa cuda status` lists the files that are needed</source>
        <translation>文件夹 {folder} 中缺少 {files}；`mantissa cuda status` 会列出所需的文件</translation>
    </message>
    <message>
        <source>the CUDA libraries need {need} MB in {folder}, which has {free} MB free; free space, or set MANTISSA_HOME to a folder on another disk</source>
        <translation>CUDA 库需要 {folder} 中有 {need} MB,目前可用 {free} MB;请释放空间,或将 MANTISSA_HOME 设为另一磁盘上的文件夹</translation>
    </message>
    <message>
        <source>{page} has no file {file}; try another index with --index or MANTISSA_CUDA_INDEX</source>
        <translation>{page} 中没有文件 {file};请用 --index 或 MANTISSA_CUDA_INDEX 尝试另一个索引</translation>
    </message>
    <message>
        <source>{file} is not the file that this version of Mantissa was tested with: its SHA-256 is {found}, expected {expected}. Download it again, from another index if it stays so</source>
        <translation>{file} 不是此版本的 Mantissa 测试时所用的文件:其 SHA-256 为 {found},应为 {expected}。请重新下载,如果仍然如此,请使用另一个索引</translation>
    </message>
    <message>
        <source>{file} holds libraries of other sizes than expected</source>
        <translation>{file} 中库的大小与预期不符</translation>
    </message>
    <message>
        <source>there are no CUDA libraries for this platform</source>
        <translation>没有适用于此平台的 CUDA 库</translation>
    </message>
    <message>
        <source>captioning was stopped</source>
        <translation>标注已停止</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>底模</translation>
    </message>
    <message>
        <source>Base model the adapter is for: its modules give the names</source>
        <translation>适配器对应的底模：其模块提供名称</translation>
    </message>
    <message>
        <source>Base model: .safetensors, .gguf, diffusers folder, demo or demo-z-image</source>
        <translation>底模：.safetensors、.gguf、diffusers 文件夹、demo 或 demo-z-image</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Replace files that exist already</source>
        <translation>替换已存在的文件</translation>
    </message>
    <message>
        <source>DoRA&apos;s side</source>
        <translation>DoRA 的方向</translation>
    </message>
    <message>
        <source>Which side a DoRA&apos;s magnitudes are for, where its file leaves that open: output (PEFT, LyCORIS) or input (OneTrainer&apos;s default)</source>
        <translation>当文件未说明时，DoRA 的幅值属于哪一侧：output（PEFT、LyCORIS）或 input（OneTrainer 的默认值）</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Program the file is for, as output.format in a preset</source>
        <translation>文件供哪个程序使用，与预设中的 output.format 相同</translation>
    </message>
    <message>
        <source>Type of the tensors in the file</source>
        <translation>文件中张量的类型</translation>
    </message>
    <message>
        <source>File to write; with the format peft a folder</source>
        <translation>要写入的文件；格式为 peft 时是文件夹</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>Largest rank of a module</source>
        <translation>模块的最大秩</translation>
    </message>
    <message>
        <source>Share of the change</source>
        <translation>变化的份额</translation>
    </message>
    <message>
        <source>Take only as much of the rank as holds this share of the energy of each module&apos;s change, the sum of its squares</source>
        <translation>只取保留每个模块变化能量（平方和）的这一份额所需的秩</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Put adapters into a base model for good</source>
        <translation>将适配器永久并入底模</translation>
    </message>
    <message>
        <source>Type of the weights in the file; without it, the base&apos;s</source>
        <translation>文件中权重的类型；不指定则与底模相同</translation>
    </message>
    <message>
        <source>What to write: a .safetensors file with LDM names, or a diffusers folder</source>
        <translation>写入的内容：使用 LDM 名称的 .safetensors 文件，或 diffusers 文件夹</translation>
    </message>
    <message>
        <source>Adapters</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Adapter file, or a checkpoint&apos;s or run&apos;s folder, with a weight if not 1</source>
        <translation>适配器文件，或检查点、训练的文件夹；权重不为 1 时注明权重</translation>
    </message>
    <message>
        <source>Extract</source>
        <translation>提取</translation>
    </message>
    <message>
        <source>The difference between a tuned model and its base, as a LoRA</source>
        <translation>将微调模型相对底模的变化提取为 LoRA</translation>
    </message>
    <message>
        <source>Tuned model</source>
        <translation>微调后的模型</translation>
    </message>
    <message>
        <source>The model that was trained or merged</source>
        <translation>经过训练或合并的模型</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Write an adapter in another program&apos;s form</source>
        <translation>将适配器写成其他程序的形式</translation>
    </message>
    <message>
        <source>Adapter file, a folder that PEFT wrote, or a checkpoint&apos;s or run&apos;s folder</source>
        <translation>适配器文件、PEFT 写出的文件夹，或检查点、训练的文件夹</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Choose a format that this program reads in full, in place of --format</source>
        <translation>选择此程序能完整读取的格式，代替 --format</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>调整秩</translation>
    </message>
    <message>
        <source>Give an adapter another rank, by singular values</source>
        <translation>按奇异值为适配器换用另一个秩</translation>
    </message>
    <message>
        <source>Adapter file (LoRA, DoRA, LoHa, LoKr …), or a checkpoint&apos;s or run&apos;s folder</source>
        <translation>适配器文件（LoRA、DoRA、LoHa、LoKr 等），或检查点、训练的文件夹</translation>
    </message>
    <message>
        <source>Quantise</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Write a base model with 8-bit or 4-bit weights, for training and for ComfyUI</source>
        <translation>写出 8 位或 4 位权重的底模，供训练和 ComfyUI 使用</translation>
    </message>
    <message>
        <source>Type of all other weights; without it, the base model&apos;s</source>
        <translation>其他所有权重的类型；不指定则与底模相同</translation>
    </message>
    <message>
        <source>What to write: a .safetensors file</source>
        <translation>写入的内容：.safetensors 文件</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Type of the denoiser&apos;s linear layers; entries, exits, timestep layers, and with mxfp8 and nvfp4 those whose rows blocks don&apos;t fill, stay as they are</source>
        <translation>去噪器线性层的类型；入口层、出口层、时间步层，以及 mxfp8 和 nvfp4 下行不能被块填满的层，保持原样</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>What a checkpoint, adapter or embedding holds, from its headers</source>
        <translation>根据文件头显示检查点、适配器或嵌入的内容</translation>
    </message>
    <message>
        <source>A .safetensors or .gguf file, a diffusers folder, or a checkpoint&apos;s or run&apos;s folder</source>
        <translation>.safetensors 或 .gguf 文件、diffusers 文件夹，或检查点、训练的文件夹</translation>
    </message>
    <message>
        <source>Check how this program would read the adapter</source>
        <translation>检查此程序会如何读取适配器</translation>
    </message>
    <message>
        <source>With --for: base model that the adapter is for</source>
        <translation>使用 --for 时：适配器对应的底模</translation>
    </message>
    <message>
        <source>{file} at strength {weight}</source>
        <translation>{file}（强度 {weight}）</translation>
    </message>
    <message>
        <source>Merged {adapters} ({count} modules)</source>
        <translation>已合并 {adapters}（{count} 个模块）</translation>
    </message>
    <message>
        <source>{count} layers as {type}, signal to rounding noise {median} dB in the median, at least {least} dB ({layer})</source>
        <translation>{count} 层写为 {type}，信号与舍入噪声之比的中位数为 {median} dB，最低 {least} dB（{layer}）</translation>
    </message>
    <message>
        <source>{count} modules, every tensor as it was</source>
        <translation>{count} 个模块，所有张量保持原样</translation>
    </message>
    <message>
        <source>{count} modules, rank up to {rank}, at most {share}% of a change&apos;s energy left out</source>
        <translation>{count} 个模块，秩最大 {rank}，舍去的变化能量最多 {share}%</translation>
    </message>
    <message>
        <source>{count} modules</source>
        <translation>{count} 个模块</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>{beginning}... ({count} bytes)</source>
        <translation>{beginning}...（{count} 字节）</translation>
    </message>
    <message>
        <source>{variant} (distilled)</source>
        <translation>{variant}（蒸馏）</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>模型系列</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>its files state none</source>
        <translation>文件中没有注明</translation>
    </message>
    <message>
        <source>Naming</source>
        <translation>命名方式</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>Alphas</source>
        <translation>alpha</translation>
    </message>
    <message>
        <source>Words and their vectors</source>
        <translation>单词及其向量数</translation>
    </message>
    <message>
        <source>--out {file}: with the format peft a folder is written; give a name without .safetensors</source>
        <translation>--out {file}：格式为 peft 时写入文件夹；请使用不带 .safetensors 的名称</translation>
    </message>
    <message>
        <source>{count} weights changed that no LoRA can hold (norms, biases, embeddings), the first of them {weight}</source>
        <translation>有 {count} 个 LoRA 无法表示的权重（归一化、偏置、嵌入）发生了变化，第一个是 {weight}</translation>
    </message>
    <message>
        <source>--out {file}: the adapter is written as a file; end the name in .safetensors</source>
        <translation>--out {file}：适配器写为文件；名称请以 .safetensors 结尾</translation>
    </message>
    <message>
        <source>--out {file}: a model is written as a .safetensors file or as a diffusers folder, not as {extension}</source>
        <translation>--out {file}：模型写为 .safetensors 文件或 diffusers 文件夹，不能写为 {extension}</translation>
    </message>
    <message>
        <source>{kind} (DoRA)</source>
        <translation>{kind} (DoRA)</translation>
    </message>
    <message>
        <source>embedding {word}: {count} vectors, continued</source>
        <translation>嵌入 {word}：{count} 个向量，从已有文件继续</translation>
    </message>
    <message>
        <source>embedding {word}: {count} random vectors</source>
        <translation>嵌入 {word}：{count} 个随机向量</translation>
    </message>
    <message>
        <source>embedding {word}: {count} vectors, from the text {text}</source>
        <translation>嵌入 {word}：{count} 个向量，取自文本“{text}”</translation>
    </message>
    <message>
        <source>{file}: {tensor} must hold vectors, [count, width]; it is {dtype} of {rank} dimensions</source>
        <translation>{file}：{tensor} 应为向量 [count, width]，实际为 {rank} 维的 {dtype}</translation>
    </message>
    <message>
        <source>{file}: {tensor} holds NaN or Inf; the training that made it broke</source>
        <translation>{file}：{tensor} 含有 NaN/Inf；生成它的训练已崩溃</translation>
    </message>
    <message>
        <source>{file}: the text encoders of {model} read no embeddings. Leave it out</source>
        <translation>{file}：{model} 的文本编码器不读取嵌入。请去掉它</translation>
    </message>
    <message>
        <source>{file} has no {tensor}, the vectors for a text encoder of {model}. Was it made for another base model?</source>
        <translation>{file} 中没有 {tensor}，即 {model} 文本编码器的向量。它是否为其他底模制作？</translation>
    </message>
    <message>
        <source>{file} holds {first} vectors for one text encoder and {second} for the other</source>
        <translation>{file} 为一个文本编码器保存了 {first} 个向量，为另一个保存了 {second} 个</translation>
    </message>
    <message>
        <source>the embeddings of {word} have {given} values a vector and others {wanted}; they are for different base models</source>
        <translation>{word} 的嵌入每个向量有 {given} 个值，其他的有 {wanted} 个；它们用于不同的底模</translation>
    </message>
    <message>
        <source>the embeddings have {given} values a vector, but a text encoder of the base model takes {wanted}. Were they made for another base model?</source>
        <translation>嵌入每个向量有 {given} 个值，但底模的文本编码器需要 {wanted} 个。它们是否为其他底模制作？</translation>
    </message>
    <message>
        <source>--embedding: two files are for the word {word}. Give one of them another, as in FILE:WORD</source>
        <translation>--embedding：有两个文件对应单词 {word}。请用 FILE:WORD 为其中一个指定别的单词</translation>
    </message>
    <message>
        <source>the embedding of {word} to continue from has vectors of {given} values, but {part} of the base model takes {wanted}. Was it made for another base model?</source>
        <translation>要继续训练的 {word} 嵌入每个向量有 {given} 个值，但底模的 {part} 需要 {wanted} 个。它是否为其他底模制作？</translation>
    </message>
    <message>
        <source>embedding.tokens: init of {word} holds no token to start from. Leave it empty for random vectors, or write a word</source>
        <translation>embedding.tokens：{word} 的 init 不含可作为起点的 token。如需随机向量请留空，否则请写一个词</translation>
    </message>
    <message>
        <source>training.parts has embeddings, and the text encoders of {model} read none here. Take them out, or choose another base model</source>
        <translation>training.parts 中有 embeddings，但在 Mantissa 中 {model} 的文本编码器不读取嵌入。请去掉它，或选择别的底模</translation>
    </message>
    <message>
        <source>output.bundle_embeddings is for the file of an adapter, and this run writes none. Turn it off</source>
        <translation>output.bundle_embeddings 用于适配器文件，而本次训练不写出适配器。请关闭它</translation>
    </message>
    <message>
        <source>output.bundle_embeddings is on, and output.format is {format}, whose readers refuse an adapter with words in it. Turn it off, or choose kohya</source>
        <translation>output.bundle_embeddings 已开启，但 output.format 为 {format}，读取它的程序会拒绝含有单词的适配器。请关闭它，或选择 kohya</translation>
    </message>
    <message>
        <source>the word {word} is in what {model} puts around every text, where it would become its vectors too. Choose another word</source>
        <translation>单词 {word} 出现在 {model} 放在每段文本前后的内容中，在那里也会变成它的向量。请换一个单词</translation>
    </message>
    <message>
        <source>{file} bundles the embedding of {word}, which this run doesn&apos;t train: what it writes would lack it. Add embeddings to training.parts, and the word to embedding.tokens</source>
        <translation>{file} 附带 {word} 的嵌入，而本次训练不训练它，写出的文件会缺少它。请把 embeddings 加入 training.parts，并把该单词加入 embedding.tokens</translation>
    </message>
    <message>
        <source>two adapters bundle an embedding of the word {word}. Leave one of them out, or give the embedding that counts (--embedding)</source>
        <translation>两个适配器都附带单词 {word} 的嵌入。请去掉其中一个，或指定要用的嵌入（--embedding）</translation>
    </message>
    <message>
        <source>{file}: {tensor} takes the place of what a text encoder gives (OneTrainer&apos;s output embedding); only vectors that it reads are applied. Train the word there without that option</source>
        <translation>{file}：{tensor} 用来取代文本编码器的输出（OneTrainer 的 output embedding）；这里只应用编码器读取的向量。请在那里不带该选项重新训练</translation>
    </message>
    <message>
        <source>Not offered here: the vectors are what the text encoders read.</source>
        <translation>这里不提供：向量是文本编码器所读取的内容。</translation>
    </message>
    <message>
        <source>training.parts has embeddings, and embedding.tokens names no word. Add one, or take embeddings out</source>
        <translation>training.parts 中有 embeddings，但 embedding.tokens 中没有单词。请添加一个，或去掉 embeddings</translation>
    </message>
    <message>
        <source>training.method is full, and training.parts has embeddings alone: no weight of the model changes. Set training.method to adapter</source>
        <translation>training.method 为 full，而 training.parts 只有 embeddings：模型的权重不会改变。请将 training.method 设为 adapter</translation>
    </message>
    <message>
        <source>output.name and a word of embedding.tokens are both {name}, and so would their files be. Change output.name</source>
        <translation>output.name 与 embedding.tokens 中的单词都是 {name}，文件名会相同。请更改 output.name</translation>
    </message>
    <message>
        <source>embedding.tokens: no caption contains {word}, so nothing would train its vectors. Write it into the captions, or correct the setting</source>
        <translation>embedding.tokens：没有标注包含 {word}，其向量不会得到训练。请把它写入标注，或更正设置</translation>
    </message>
    <message>
        <source>{file} holds {given} vectors, but embedding.tokens says {wanted} for {word}. Set vectors to {given}</source>
        <translation>{file} 有 {given} 个向量，但 embedding.tokens 中 {word} 为 {wanted} 个。请将 vectors 设为 {given}</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each word one entry</source>
        <translation>{key} 为 &quot;{value}&quot;，已有相应条目；每个单词只能有一个条目</translation>
    </message>
    <message>
        <source>Not given: name the word in embedding.tokens before training.</source>
        <translation>未给出：训练前请在 embedding.tokens 中写明单词。</translation>
    </message>
    <message>
        <source>Without its angle brackets: write {word} into captions and prompts.</source>
        <translation>已去掉尖括号：请在标注和提示词中写 {word}。</translation>
    </message>
    <message>
        <source>captions from templates; write the word into them</source>
        <translation>由模板生成的标注；请把单词写入标注</translation>
    </message>
    <message>
        <source>vectors that keep their length</source>
        <translation>保持长度的向量</translation>
    </message>
    <message>
        <source>Vectors are FP32 here.</source>
        <translation>在 Mantissa 中向量为 FP32。</translation>
    </message>
    <message>
        <source>Counts where embeddings are trained there.</source>
        <translation>仅在原程序训练嵌入时有效。</translation>
    </message>
    <message>
        <source>None of them is trained there.</source>
        <translation>原程序不训练其中任何一个。</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>向量</translation>
    </message>
    <message>
        <source>another process trains the run by now; ask again</source>
        <translation>此训练现在由另一个进程进行；请重新请求</translation>
    </message>
    <message>
        <source>no process trains the run in {folder}; continue it with mantissa train --resume {folder}</source>
        <translation>没有进程在进行 {folder} 中的训练；请用 mantissa train --resume {folder} 恢复</translation>
    </message>
    <message>
        <source>the process of the run ended without a word: {reason}</source>
        <translation>训练的进程没有给出原因就结束了：{reason}</translation>
    </message>
    <message>
        <source>the process that trained the run {run} is gone: it was killed, or it crashed. Resume continues from the last checkpoint</source>
        <translation>训练 {run} 的进程已不存在：它被强制结束，或已崩溃。恢复训练会从最后一个检查点继续</translation>
    </message>
    <message>
        <source>the process that trains the run in {folder} has not answered within {seconds} s; the request is withdrawn</source>
        <translation>{folder} 中训练的进程在 {seconds} 秒内没有响应；请求已撤回</translation>
    </message>
    <message>
        <source>the process that trains the run in {folder} takes no requests: it is of an earlier version. Stop it where it was started</source>
        <translation>{folder} 中训练的进程属于旧版本，不接受请求。请在启动它的地方停止</translation>
    </message>
    <message>
        <source>the run is followed no longer; it goes on</source>
        <translation>不再跟踪此训练；训练会继续</translation>
    </message>
    <message>
        <source>this is no request to a run</source>
        <translation>这不是对训练的请求</translation>
    </message>
    <message>
        <source>the text is UTF-16; save it as UTF-8</source>
        <translation>文本是 UTF-16 编码；请另存为 UTF-8</translation>
    </message>
    <message>
        <source>the text encoder has room for {most} of the {count} reference images of a prompt. Give fewer of them</source>
        <translation>文本编码器只能容纳提示词的 {count} 张参考图中的 {most} 张。请减少数量</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the text encoder lacks its vision tower (visual.…), through which it sees reference images. Get the base model&apos;s text_encoder folder again, or a file of the text encoder that has the tower</source>
        <translation>&apos;{path}&apos;：文本编码器缺少用来看参考图的视觉塔 (visual.…)。请重新获取基础模型的 text_encoder 文件夹，或使用带有视觉塔的文本编码器文件</translation>
    </message>
    <message>
        <source>{option}: the text encoder of {model} sees the reference images with each caption, so with references captions are encoded before the steps. Train the denoiser alone, without shuffled captions</source>
        <translation>{option}：{model} 的文本编码器会把参考图与每条描述一起看，因此有参考图时，描述在训练步之前编码。请只训练去噪器，并且不打乱描述</translation>
    </message>
    <message>
        <source>{path} is one of {count} references of one image, and the base model reads {most}. Keep one, or put them side by side into one image</source>
        <translation>{path} 是一张图片的 {count} 张参考图之一，而基础模型只读取 {most} 张。请只保留一张，或把它们并排合成一张图片</translation>
    </message>
    <message>
        <source>{model} never learned to read reference images: an adapter has to teach it that too. Choose {edits} as the base model, or go on if the file is that model by another name</source>
        <translation>{model} 没有学过读取参考图，适配器还得教它这一点。请选择 {edits} 作为基础模型；如果该文件就是改了名的这个模型，可以继续</translation>
    </message>
    <message>
        <source>{model} edits images ({evidence}), and the run has no reference images. Give folders of them, or choose a base model that doesn&apos;t edit</source>
        <translation>{model} 是编辑图片的模型（{evidence}），而本次训练没有参考图。请指定参考图的文件夹，或选择不编辑图片的基础模型</translation>
    </message>
    <message>
        <source>Folders of reference images are chosen for each run, with base models that edit.</source>
        <translation>参考图的文件夹在每次训练时选择，用于能编辑图片的基础模型。</translation>
    </message>
    <message>
        <source>several results of one image</source>
        <translation>一张图片的多个结果</translation>
    </message>
    <message>
        <source>a reference of {width}x{height} pixels is too narrow to be shown to the text encoder</source>
        <translation>{width}x{height} 像素的参考图过于狭长，无法提供给文本编码器</translation>
    </message>
    <message>
        <source>A run with reference images (--references) trains an edit.</source>
        <translation>带参考图的训练 (--references) 就是在训练编辑。</translation>
    </message>
    <message>
        <source>reference images that attend to nothing but each other</source>
        <translation>只相互注意的参考图</translation>
    </message>
    <message>
        <source>another size of the images that the text encoder sees</source>
        <translation>文本编码器所见图片的其他尺寸</translation>
    </message>
    <message>
        <source>reference images in their image&apos;s places</source>
        <translation>与图片处于相同位置的参考图</translation>
    </message>
    <message>
        <source>another size of reference images</source>
        <translation>参考图的其他尺寸</translation>
    </message>
    <message>
        <source>it has the tensor &apos;{tensor}&apos;</source>
        <translation>它有张量“{tensor}”</translation>
    </message>
    <message>
        <source>a reference image of {width}x{height} pixels is too narrow for the text encoder</source>
        <translation>{width}x{height} 像素的参考图过于狭长，文本编码器无法读取</translation>
    </message>
    <message>
        <source>{model} reads no reference images: {reason}. Leave {option} out, or choose a base model that edits images, such as {edits}</source>
        <translation>{model} 不读取参考图：{reason}。请去掉 {option}，或选择能编辑图片的基础模型，例如 {edits}</translation>
    </message>
    <message>
        <source>nothing tells whether {model} edits images: with references it is taken for {edits}. A model that draws from text alone would have to learn to read them from the adapter&apos;s images</source>
        <translation>没有任何信息表明 {model} 是否能编辑图片：有参考图时按 {edits} 处理。只根据文本绘图的模型还得从适配器的图片中学会读取参考图</translation>
    </message>
    <message>
        <source>its config has {field} {value}</source>
        <translation>其 config 中 {field} 为 {value}</translation>
    </message>
    <message>
        <source>it draws from text alone ({evidence})</source>
        <translation>它只根据文本绘图（{evidence}）</translation>
    </message>
    <message>
        <source>is {found}, less than the {side} pixels of a token&apos;s side</source>
        <translation>为 {found}，小于一个 token 边长的 {side} 像素</translation>
    </message>
    <message>
        <source>The base model&apos;s file tells whether it edits.</source>
        <translation>基础模型的文件会表明它是否能编辑图片。</translation>
    </message>
    <message>
        <source>{settings} can&apos;t change while a run trains; these settings can: {live}</source>
        <translation>{settings} 不能在训练中更改。可以更改的设置: {live}</translation>
    </message>
    <message>
        <source>{request} needs the settings: --set KEY=VALUE, once for each</source>
        <translation>{request} 需要给出设置，每项用一个 --set KEY=VALUE</translation>
    </message>
    <message>
        <source>--set belongs to the request {change}, not to {request}</source>
        <translation>--set 只用于请求 {change}，不用于 {request}</translation>
    </message>
    <message>
        <source>Its rates are FP32 here, and 8 bits there.</source>
        <translation>其学习率在此为 FP32，在原程序中为 8 位。</translation>
    </message>
    <message>
        <source>{optimizer} is another method than automagic and not offered here: adamw instead, whose usual learning rate is 1e-4.</source>
        <translation>{optimizer} 是与 automagic 不同的方法，本程序不支持：改用 adamw，其常用学习率为 1e-4。</translation>
    </message>
    <message>
        <source>another epsilon of Automagic</source>
        <translation>Automagic 的其他 epsilon</translation>
    </message>
    <message>
        <source>another least rate of Automagic</source>
        <translation>Automagic 的其他最小学习率</translation>
    </message>
    <message>
        <source>another highest rate of Automagic</source>
        <translation>Automagic 的其他最大学习率</translation>
    </message>
    <message>
        <source>another step of Automagic&apos;s rates</source>
        <translation>Automagic 学习率的其他步长</translation>
    </message>
    <message>
        <source>another limit on the size of updates</source>
        <translation>更新大小的其他上限</translation>
    </message>
    <message>
        <source>StableAdamW&apos;s limit on updates</source>
        <translation>StableAdamW 对更新幅度的限制</translation>
    </message>
    <message>
        <source>Above 0.001, its rates begin at 1e-6 there.</source>
        <translation>高于 0.001 时，原程序中其学习率从 1e-6 开始。</translation>
    </message>
    <message>
        <source>Automagic has no schedule there.</source>
        <translation>原程序中 Automagic 没有调度。</translation>
    </message>
    <message>
        <source>training.purpose is adapter, which trains an adapter of the denoiser on images that the base model makes, as it is: {setting} doesn&apos;t go with it. Leave it out</source>
        <translation>training.purpose 为 adapter：它用底模原样生成的图片训练 denoiser 的适配器，不能与 {setting} 同用。请去掉它</translation>
    </message>
    <message>
        <source>training.purpose is adapter, and distilled.prompts is empty: the base model makes its images of these. Write one on each line</source>
        <translation>training.purpose 为 adapter，但 distilled.prompts 为空：底模按这些提示词生成图片。请每行写一个</translation>
    </message>
    <message>
        <source>The same here.</source>
        <translation>在此相同。</translation>
    </message>
    <message>
        <source>process {number}</source>
        <translation>进程 {number}</translation>
    </message>
    <message>
        <source>process {number} on {host}</source>
        <translation>{host} 上的进程 {number}</translation>
    </message>
    <message>
        <source>{count} processes</source>
        <translation>{count} 个进程</translation>
    </message>
    <message>
        <source>{count} cards</source>
        <translation>{count} 张显卡</translation>
    </message>
    <message>
        <source>Always on there for this model family.</source>
        <translation>在原程序中，这个模型家族始终启用。</translation>
    </message>
    <message>
        <source>At most {value} there for this model family.</source>
        <translation>在原程序中，这个模型家族的上限为 {value}。</translation>
    </message>
    <message>
        <source>Its matmuls multiply 8-bit codes there, not here.</source>
        <translation>原程序用 8 位编码计算它的矩阵乘法，本程序不这样做。</translation>
    </message>
    <message>
        <source>Noise levels are also moved towards 0 and 1 there, not here.</source>
        <translation>原程序还会把噪声水平向 0 和 1 移动，本程序不会。</translation>
    </message>
    <message>
        <source>OneTrainer&apos;s window loads the settings that it keeps for each optimizer.</source>
        <translation>OneTrainer 的窗口会载入它为每个优化器保存的设置。</translation>
    </message>
    <message>
        <source>Trained with an adapter for {flavour} there: give the run its file as its training adapter (--training-adapter).</source>
        <translation>在原程序中与 {flavour} 专用的适配器一起训练：请把它的文件作为本次运行的训练辅助适配器 (--training-adapter)。</translation>
    </message>
    <message>
        <source>Values between the 8-bit matmuls are BF16 here.</source>
        <translation>本程序在 8 位矩阵乘法之间的数值为 BF16。</translation>
    </message>
    <message>
        <source>{card} {rate} images/s, computing {share}% of the time</source>
        <translation>{card} 每秒 {rate} 张图片，计算占 {share}% 的时间</translation>
    </message>
    <message>
        <source>{card} {rate} images/s, computing {share}% of the time, slow</source>
        <translation>{card} 每秒 {rate} 张图片，计算占 {share}% 的时间，较慢</translation>
    </message>
    <message>
        <source>{file} only says how SimpleTuner is launched; import the config.json beside it</source>
        <translation>{file} 只说明如何启动 SimpleTuner；请导入同一文件夹中的 config.json</translation>
    </message>
</context>
</TS>
