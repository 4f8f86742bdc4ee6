<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja_JP">
<context>
    <name>DeviceReport</name>
    <message>
        <source>Runs</source>
        <translation>学習</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>キャッシュ</translation>
    </message>
    <message>
        <source>System</source>
        <translation>システム</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>カーネル</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>アーキテクチャ</translation>
    </message>
    <message>
        <source>  ready</source>
        <translation>  使用可能</translation>
    </message>
    <message>
        <source>  can&apos;t be used: %1</source>
        <translation>  使用できません: %1</translation>
    </message>
    <message>
        <source>  threads: %1</source>
        <translation>  スレッド数: %1</translation>
    </message>
    <message>
        <source>  compute capability: %1</source>
        <translation>  Compute Capability: %1</translation>
    </message>
    <message>
        <source>  driver: %1</source>
        <translation>  ドライバー: %1</translation>
    </message>
    <message>
        <source>  memory: %1 free of %2</source>
        <translation>  メモリ: 空き %1 / %2</translation>
    </message>
    <message>
        <source>  memory: %1</source>
        <translation>  メモリ: %1</translation>
    </message>
    <message>
        <source>  instruction sets: %1</source>
        <translation>  命令セット: %1</translation>
    </message>
    <message>
        <source>%1: %2, %3 free of %4</source>
        <translation>%1: %2、空き %3 / %4</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 日 %2 時間</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Underflow</source>
        <translation>アンダーフロー</translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation>オーバーフロー</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余裕</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>%1 doublings</source>
        <translation>2 倍 %1 回分</translation>
    </message>
    <message>
        <source>scaled or zero</source>
        <translation>スケール済みまたは 0</translation>
    </message>
    <message>
        <source>nothing lost</source>
        <translation>劣化なし</translation>
    </message>
    <message>
        <source>output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>勾配</translation>
    </message>
    <message>
        <source>FP8 operand</source>
        <translation>FP8 オペランド</translation>
    </message>
    <message>
        <source>FP8 gradient operand</source>
        <translation>FP8 勾配オペランド</translation>
    </message>
    <message>
        <source>stored weight</source>
        <translation>保存された重み</translation>
    </message>
    <message>
        <source>adapter gradient</source>
        <translation>アダプターの勾配</translation>
    </message>
    <message>
        <source>DoRA magnitude</source>
        <translation>DoRA のマグニチュード</translation>
    </message>
</context>
<context>
    <name>Phase</name>
    <message>
        <source>Loading the base model</source>
        <translation>ベースモデルを読み込み中</translation>
    </message>
    <message>
        <source>Preparing images</source>
        <translation>画像を準備中</translation>
    </message>
    <message>
        <source>Preparing captions</source>
        <translation>キャプションを準備中</translation>
    </message>
    <message>
        <source>Rendering samples</source>
        <translation>サンプルを生成中</translation>
    </message>
    <message>
        <source>Computing validation loss</source>
        <translation>検証損失を計算中</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>保存中</translation>
    </message>
    <message>
        <source>Comparing with FP32</source>
        <translation>FP32 と比較中</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %2 / %3</translation>
    </message>
    <message>
        <source>Checking the base model&apos;s files</source>
        <translation>ベースモデルのファイルを確認中</translation>
    </message>
</context>
<context>
    <name>PlanLine</name>
    <message>
        <source>off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>all</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>adapter</source>
        <translation>アダプター</translation>
    </message>
</context>
<context>
    <name>RunData</name>
    <message>
        <source>loss is NaN/Inf</source>
        <translation>損失が NaN/Inf</translation>
    </message>
    <message>
        <source>overflow at this loss scale, step skipped</source>
        <translation>この損失スケールでオーバーフロー、スキップ</translation>
    </message>
    <message>
        <source>NaN/Inf gradients, step skipped</source>
        <translation>スキップ: 勾配が非有限</translation>
    </message>
</context>
<context>
    <name>RunReport</name>
    <message>
        <source>Run</source>
        <translation>学習</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>ベース</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ数</translation>
    </message>
    <message>
        <source>Loss, mean of the last tenth</source>
        <translation>損失（最後の 1/10 の平均）</translation>
    </message>
    <message>
        <source>Seconds a step</source>
        <translation>1 ステップの秒数</translation>
    </message>
    <message>
        <source>Clipped steps</source>
        <translation>クリッピングされたステップ</translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation>スキップされたステップ</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>Settings that differ from their defaults</source>
        <translation>既定値と異なる設定</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>既定値</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲線</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>勾配ノルム</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>チェックポイント</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>サンプル</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告とエラー</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>Ready</source>
        <translation>準備完了</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>準備中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>学習中</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>一時停止処理中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>停止処理中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
</context>
<context>
    <name>catalogue</name>
    <message>
        <source>; </source>
        <translation>。</translation>
    </message>
    <message>
        <source>%1 Fix: %2</source>
        <translation>%1 対処: %2</translation>
    </message>
</context>
<context>
    <name>engine</name>
    <message>
        <source>training on {device}; bit-exact from run to run</source>
        <translation>{device} で学習します。何度実行してもビット単位で同じ結果になります</translation>
    </message>
    <message>
        <source>training on {device}; deterministic: bit-exact from run to run with this driver</source>
        <translation>{device} で学習します。決定的モード: このドライバーでは何度実行してもビット単位で同じ結果になります</translation>
    </message>
    <message>
        <source>training on {device}; fastest kernels: runs agree within rounding, not to the bit (--deterministic)</source>
        <translation>{device} で学習します。最速のカーネル: 実行ごとの結果は丸めの範囲で一致しますが、ビット単位では一致しません（--deterministic）</translation>
    </message>
    <message>
        <source>{pictures} images, {files} files skipped, {batches} batches per epoch</source>
        <translation>画像 {pictures} 枚、スキップしたファイル {files} 件、1 エポック {batches} バッチ</translation>
    </message>
    <message>
        <source>{count} adapters, {values} trainable values</source>
        <translation>アダプター {count} 個、学習する値 {values} 個</translation>
    </message>
    <message>
        <source>{count} trained weights, {values} trainable values</source>
        <translation>学習する重み {count} 個、学習する値 {values} 個</translation>
    </message>
    <message>
        <source>continues from {file}</source>
        <translation>{file} から続けます</translation>
    </message>
    <message>
        <source>resumed at step {step} from {file}</source>
        <translation>{file} からステップ {step} で再開しました</translation>
    </message>
    <message>
        <source>{key}: {before} -&gt; {after} after step {step}</source>
        <translation>ステップ {step} の後 {key}: {before} -&gt; {after}</translation>
    </message>
    <message>
        <source>no sample: the preset has no prompts (samples.prompts)</source>
        <translation>サンプルなし: プリセットにプロンプトがありません (samples.prompts)</translation>
    </message>
    <message>
        <source>no sample at step {step}: {reason}</source>
        <translation>ステップ {step} のサンプルなし: {reason}</translation>
    </message>
    <message>
        <source>steps run as one CUDA graph</source>
        <translation>ステップを 1 つの CUDA グラフとして実行します</translation>
    </message>
    <message>
        <source>steps run kernel by kernel: {reason}</source>
        <translation>ステップをカーネルごとに実行します: {reason}</translation>
    </message>
    <message>
        <source>the run has no valid checkpoint: it starts again from step 0</source>
        <translation>有効なチェックポイントがないため、ステップ 0 からやり直します</translation>
    </message>
    <message>
        <source>the base model&apos;s tensor {name} is unknown and not used</source>
        <translation>ベースモデルのテンソル {name} は不明なため使いません</translation>
    </message>
    <message>
        <source>step {step}: first non-finite: {found}</source>
        <translation>ステップ {step}: 最初に有限でなくなったもの: {found}</translation>
    </message>
    <message>
        <source>step {step}: non-finite gradients, step skipped</source>
        <translation>ステップ {step}: 勾配が有限でないためスキップしました</translation>
    </message>
    <message>
        <source>step {step}: gradients overflow at loss scale {before}, step skipped. The scale is being found and is now {after}; a few skips at the start, and one after each doubling, are normal</source>
        <translation>ステップ {step}: 損失スケール {before} で勾配がオーバーフローしたためスキップしました。スケールを探しており、今は {after} です。初めの数回と、倍にした後の 1 回のスキップは正常です</translation>
    </message>
    <message>
        <source>{path} skipped: {reason}</source>
        <translation>{path} をスキップしました: {reason}</translation>
    </message>
    <message>
        <source>{message}. Last good checkpoint: {file}</source>
        <translation>{message}。最後の正常なチェックポイント: {file}</translation>
    </message>
    <message>
        <source>{message}. No checkpoint was saved</source>
        <translation>{message}。チェックポイントは保存されていません</translation>
    </message>
    <message>
        <source>{message}. Saved in {file}; continue with --resume {folder}</source>
        <translation>{message}。{file} に保存しました。--resume {folder} で続けられます</translation>
    </message>
    <message>
        <source>{finding}. First: {found} The weights are as they were before this step</source>
        <translation>{finding}。最初の箇所: {found} 重みはこのステップの前のままです</translation>
    </message>
    <message>
        <source>{finding}. The weights are as they were before this step</source>
        <translation>{finding}。重みはこのステップの前のままです</translation>
    </message>
    <message>
        <source>{finding}. First: {found} The weights were not touched by these steps, the last of which is {step}</source>
        <translation>{finding}。最初の箇所: {found} これらのステップで重みは変わっていません。最後はステップ {step} です</translation>
    </message>
    <message>
        <source>{finding}. The weights were not touched by these steps, the last of which is {step}</source>
        <translation>{finding}。これらのステップで重みは変わっていません。最後はステップ {step} です</translation>
    </message>
    <message>
        <source>training needs {need} bytes ({activations} activations, {weights} weights, {adapters} adapters and optimizer), {free} are free. {way}</source>
        <translation>学習には {need} バイト必要です（活性値 {activations}、重み {weights}、アダプターとオプティマイザー {adapters}）。空きは {free} バイトです。{way}</translation>
    </message>
    <message>
        <source>With {settings} it needs {need}</source>
        <translation>{settings} にすれば {need} で足ります</translation>
    </message>
    <message>
        <source>No setting alone makes it fit: train fewer modules, or take a device with more memory</source>
        <translation>設定をひとつ変えるだけでは収まりません。学習するモジュールを減らすか、メモリーの多いデバイスを使ってください</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or turn on training.gradient_checkpointing</source>
        <translation>{message}。GPU を使っているほかのプログラムを閉じるか、training.gradient_checkpointing をオンにしてください</translation>
    </message>
    <message>
        <source>{path}: a checkpoint needs {need} bytes, {free} are free. Make room there; earlier checkpoints are untouched</source>
        <translation>{path}: チェックポイントに {need} バイト必要ですが、空きは {free} バイトです。空きを作ってください。以前のチェックポイントはそのままです</translation>
    </message>
    <message>
        <source>{path}: no such base model. Pass a .safetensors file or a diffusers folder</source>
        <translation>{path}: このベースモデルはありません。.safetensors ファイルか diffusers フォルダーを指定してください</translation>
    </message>
    <message>
        <source>{path}: no such folder of images</source>
        <translation>{path}: この画像フォルダーはありません</translation>
    </message>
    <message>
        <source>{path}: no such run. Pass a run folder (it holds job.json) or an id of `mantissa runs list`</source>
        <translation>{path}: この学習はありません。job.json がある学習フォルダーか、`mantissa runs list` の ID を指定してください</translation>
    </message>
    <message>
        <source>{path} holds a run already. Pass --resume to continue it, or another --out</source>
        <translation>{path} にはすでに学習があります。その続きを行うか、別の学習フォルダーを選んでください</translation>
    </message>
    <message>
        <source>{path} exists already; pass --overwrite to replace it, or choose another path</source>
        <translation>{path} はすでに存在し、学習が作ったものではありません。別のフォルダーを選ぶか、先に移動してください</translation>
    </message>
    <message>
        <source>{path} is a folder that is not empty; pass --overwrite to replace files in it, or choose another path</source>
        <translation>{path} は空ではないフォルダーです。別のフォルダーを選ぶか、先に空にしてください</translation>
    </message>
    <message>
        <source>{path}: the run folder can&apos;t be made: {reason}. Choose another with --out</source>
        <translation>{path}: 学習フォルダーを作れません: {reason}。別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>{path} holds a model of the family {family}, but model.family says {wanted}; set it to auto, or give the base it is for</source>
        <translation>{path} のモデルは {family} ですが、model.family は {wanted} です。auto にするか、対応するベースモデルを指定してください</translation>
    </message>
    <message>
        <source>output.format is {format}, which has no names for {family}: this file has those of diffusers, which diffusers, PEFT and ComfyUI read</source>
        <translation>output.format は {format} ですが、{family} のキー名がありません。このファイルには diffusers のキー名を使います。diffusers、PEFT、ComfyUI で読めます</translation>
    </message>
    <message>
        <source>{path}: the images or captions have changed since this checkpoint, so the run can&apos;t continue exactly. Restore them, or start a new run</source>
        <translation>{path}: このチェックポイントの後に画像かキャプションが変わったため、正確には続けられません。元に戻すか、新しい学習を始めてください</translation>
    </message>
    <message>
        <source>a resumed run can&apos;t change {changes}. Start a new run, or resume with the preset the run was started with</source>
        <translation>再開した学習では {changes} を変更できません。新しい学習を始めるか、開始したときのプリセットで再開してください</translation>
    </message>
    <message>
        <source>the image folder {path} doesn&apos;t exist; give a folder that holds {formats} files</source>
        <translation>画像フォルダー {path} がありません。{formats} のファイルがあるフォルダーを指定してください</translation>
    </message>
    <message>
        <source>the image folder {path} can&apos;t be read; check its permissions</source>
        <translation>画像フォルダー {path} を読めません。アクセス権を確認してください</translation>
    </message>
    <message>
        <source>{path} is a file; give the folder that holds the images</source>
        <translation>{path} はファイルです。画像があるフォルダーを指定してください</translation>
    </message>
    <message>
        <source>a caption without an image of the same name</source>
        <translation>同じ名前の画像がないキャプション</translation>
    </message>
    <message>
        <source>the same folder was entered already (a link, or given twice)</source>
        <translation>同じフォルダーをすでに読みました（リンク、または重複した指定）</translation>
    </message>
    <message>
        <source>this folder can&apos;t be read; check its permissions</source>
        <translation>このフォルダーを読めません。アクセス権を確認してください</translation>
    </message>
    <message>
        <source>a link to a file that doesn&apos;t exist</source>
        <translation>存在しないファイルへのリンク</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>通常のファイルではありません</translation>
    </message>
    <message>
        <source>too small: {size} pixels, each side needs {least}</source>
        <translation>小さすぎます: {size} ピクセル、各辺に {least} 必要です</translation>
    </message>
    <message>
        <source>its header says {told} but it decodes to {found}</source>
        <translation>ヘッダーは {told} ですが、デコードすると {found} です</translation>
    </message>
    <message>
        <source>this installation has no CUDA library ({file}). Install the package mantissa-cuda, or build with the CUDA Toolkit 13</source>
        <translation>このインストールには CUDA ライブラリ ({file}) がありません。パッケージ mantissa-cuda をインストールするか、CUDA Toolkit 13 でビルドしてください</translation>
    </message>
    <message>
        <source>the CUDA library can&apos;t be opened: {reason}</source>
        <translation>CUDA ライブラリを開けません: {reason}</translation>
    </message>
    <message>
        <source>the CUDA library beside this program is of another version of Mantissa; install both from one package</source>
        <translation>このプログラムの横にある CUDA ライブラリは Mantissa の別のバージョンのものです。両方を同じパッケージからインストールしてください</translation>
    </message>
    <message>
        <source>{library} is not installed: {file} was found neither among the system&apos;s libraries nor under CUDA_PATH</source>
        <translation>{library} がインストールされていません: {file} がシステムのライブラリにも CUDA_PATH の下にもありません</translation>
    </message>
    <message>
        <source>no NVIDIA driver is installed, or it is not running</source>
        <translation>NVIDIA ドライバーがインストールされていないか、動作していません</translation>
    </message>
    <message>
        <source>the NVIDIA driver supports {version}; version 13.0 is needed (driver 580 or newer). Update the driver</source>
        <translation>NVIDIA ドライバーが対応するのは {version} ですが、13.0 が必要です（ドライバー 580 以降）。ドライバーを更新してください</translation>
    </message>
    <message>
        <source>the NVIDIA driver finds no card it can use</source>
        <translation>NVIDIA ドライバーが使える GPU を見つけられません</translation>
    </message>
    <message>
        <source>the NVIDIA driver can&apos;t be used: {reason}</source>
        <translation>NVIDIA ドライバーを使えません: {reason}</translation>
    </message>
    <message>
        <source>the driver can&apos;t describe it: {reason}</source>
        <translation>ドライバーが情報を返せません: {reason}</translation>
    </message>
    <message>
        <source>{pictures} images for prior preservation, {held} for validation</source>
        <translation>事前知識の保持用 {pictures} 枚、検証用 {held} 枚</translation>
    </message>
    <message>
        <source>{images} of {all} images have a mask; the others count everywhere</source>
        <translation>{all} 枚のうち {images} 枚にマスクがあります。ほかの画像は全体が対象です</translation>
    </message>
    <message>
        <source>{checkpoint} is not used: {reason}</source>
        <translation>{checkpoint} は使いません: {reason}</translation>
    </message>
    <message>
        <source>{file}: {count} modules were cut to rank {rank} by their singular values; at most {share} % of a module&apos;s change is left out. A higher adapter.rank keeps it</source>
        <translation>{file}: {count} 個のモジュールを特異値でランク {rank} に切り詰めました。失われるのは各モジュールの変化の最大 {share} % です。adapter.rank を上げると残せます</translation>
    </message>
    <message>
        <source>{file}: {missing} of {all} trained modules aren&apos;t in it and start fresh</source>
        <translation>{file}: 学習する {all} 個のモジュールのうち {missing} 個は含まれておらず、初期状態から始めます</translation>
    </message>
    <message>
        <source>run {run} was left {state} by a program that no longer runs: it is marked interrupted and can be resumed</source>
        <translation>学習 {run} のプログラムは {state} のまま終了していました。中断として記録したので、再開できます</translation>
    </message>
    <message>
        <source>{key} holds a non-finite value at element {index}; this state is not saved, earlier checkpoints are untouched</source>
        <translation>{key} の要素 {index} が有限の値ではありません。この状態は保存せず、以前のチェックポイントはそのままです</translation>
    </message>
    <message>
        <source>{folder}: the checkpoints of this run take up to {need} bytes, {free} are free. Make room there, lower output.keep, or choose another folder</source>
        <translation>{folder}: この学習のチェックポイントは最大 {need} バイトを使いますが、空きは {free} バイトです。空きを作るか、output.keep を下げるか、別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>stopped at step {step} of {steps}</source>
        <translation>ステップ {step} / {steps} で停止しました</translation>
    </message>
    <message>
        <source>stopped while {phase} ({done} of {count})</source>
        <translation>{phase} の途中で停止しました（{done} / {count}）</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or lower data.resolution</source>
        <translation>{message}。カードを使うほかのプログラムを閉じるか、data.resolution を下げてください</translation>
    </message>
    <message>
        <source>{device} stopped working: {reason}. This process can&apos;t use it any more: start Mantissa again and resume the run. If it happens again, look for Xid errors in the system&apos;s log and check the card&apos;s power, temperature and driver</source>
        <translation>{device} が動作しなくなりました: {reason}。このプロセスではもう使えません。Mantissa を起動し直して学習を再開してください。繰り返し起きる場合は、システムのログで Xid エラーを探し、GPU の電源、温度、ドライバーを確認してください</translation>
    </message>
    <message>
        <source>could not {action} {file}: {reason}</source>
        <translation>{file} を書けませんでした（操作: {action}）: {reason}</translation>
    </message>
    <message>
        <source>waited {seconds} s for disk space in the folder {folder}</source>
        <translation>フォルダー {folder} の空きを {seconds} 秒待ちました</translation>
    </message>
    <message>
        <source>the run continues in {folder}</source>
        <translation>学習は {folder} で続きます</translation>
    </message>
    <message>
        <source>{folder} is the folder that the run is in; choose another</source>
        <translation>{folder} は現在の出力フォルダーです。別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>the run {run} was moved to {folder}, which is missing now. Connect that disk, or remove {file} to continue from the older checkpoints here</source>
        <translation>学習 {run} は {folder} で続きましたが、今はそのフォルダーがありません。そのディスクを接続するか、{file} を削除してここにある古いチェックポイントから続けてください</translation>
    </message>
    <message>
        <source>{file} shrank or could not be read while in use; nothing made from it was kept. Restore the file and leave it unchanged while it is in use</source>
        <translation>{file} は使用中に短くなったか、読み取れなくなりました。そこから作られたものは何も残していません。ファイルを元に戻し、使用中は変更しないでください</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t grow: the folder {folder} is full; free at least 16 MB there and continue</source>
        <translation>学習データベース {file} を広げられません。フォルダー {folder} に空きがありません。16 MB 以上の空きを作って続けてください</translation>
    </message>
    <message>
        <source>the runs database {file} is damaged ({reason}); the next program that writes to it sets it aside</source>
        <translation>学習データベース {file} が壊れています（{reason}）。次に書き込むプログラムが別の場所へよけます</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t be opened or written ({reason}); make the folder {folder} writable or set MANTISSA_HOME</source>
        <translation>学習データベース {file} を開けないか書けません（{reason}）。フォルダー {folder} を書き込み可能にするか、MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>the runs database {file} in {folder} is held by another program for more than 10 seconds; close that program</source>
        <translation>{folder} の学習データベース {file} を別のプログラムが 10 秒を超えて使い続けています。そのプログラムを閉じてください</translation>
    </message>
    <message>
        <source>the runs database {file} in the folder {folder} can&apos;t be read or written ({reason}); check that disk and try again</source>
        <translation>フォルダー {folder} の学習データベース {file} を読み書きできません（{reason}）。ディスクを確かめて、もう一度試してください</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}: {reason}; set MANTISSA_HOME to a folder that can be written</source>
        <translation>フォルダー {folder} を作れません: {reason}。MANTISSA_HOME を書き込めるフォルダーに設定してください</translation>
    </message>
    <message>
        <source>the cache folder {folder} can&apos;t be made: {reason}; make room or choose another with MANTISSA_HOME</source>
        <translation>キャッシュフォルダー {folder} を作れません: {reason}。空きを作るか、MANTISSA_HOME で別の場所を選んでください</translation>
    </message>
    <message>
        <source>the cached encoding of {source} ({file}) is damaged and will be recomputed: {reason}</source>
        <translation>{source} のエンコードのキャッシュ（{file}）が壊れているため、作り直します: {reason}</translation>
    </message>
    <message>
        <source>the encoded tensor</source>
        <translation>エンコードしたテンソル</translation>
    </message>
    <message>
        <source>the cached tensor</source>
        <translation>キャッシュのテンソル</translation>
    </message>
    <message>
        <source>{source}: its cached encoding disappeared from {place} while training. Start the run again to re-encode it</source>
        <translation>{source}: 学習中にエンコードのキャッシュが {place} から消えました。学習をもう一度始めると、エンコードし直します</translation>
    </message>
    <message>
        <source>no base model given. Pass --base with a .safetensors file, a diffusers folder or demo</source>
        <translation>ベースモデルが指定されていません。.safetensors ファイル、diffusers フォルダー、demo のいずれかを選んでください（--base）</translation>
    </message>
    <message>
        <source>no images given. Pass --images with a folder of images, or demo</source>
        <translation>画像が指定されていません。画像のフォルダーか demo を選んでください（--images）</translation>
    </message>
    <message>
        <source>the base model &apos;{path}&apos; does not exist; pass a .safetensors checkpoint or a diffusers folder</source>
        <translation>ベースモデル「{path}」がありません。.safetensors ファイルか diffusers フォルダーを指定してください</translation>
    </message>
    <message>
        <source>{path} is no diffusers model: it has neither unet/, transformer/ nor vae/; pass a diffusers folder or one .safetensors checkpoint</source>
        <translation>{path} は diffusers モデルではありません。unet/、transformer/、vae/ のいずれもありません。diffusers フォルダーか .safetensors チェックポイントを指定してください</translation>
    </message>
    <message>
        <source>{path} holds no .safetensors file; the model is incomplete, get it again</source>
        <translation>{path} に .safetensors ファイルがありません。モデルが不完全なので、入手し直してください</translation>
    </message>
    <message>
        <source>{path} holds several weight files ({files}); keep one</source>
        <translation>{path} に重みのファイルが複数あります（{files}）。1 つだけ残してください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the index lists {listed} tensors, the shards hold {held} of them; a shard is missing or incomplete, get the model again</source>
        <translation>「{path}」: 索引には {listed} 個のテンソルがありますが、シャードには {held} 個しかありません。シャードが欠けているか不完全なので、モデルを入手し直してください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; lacks the {weight}; the checkpoint is incomplete or of another architecture</source>
        <translation>「{path}」に {weight} がありません。チェックポイントが不完全か、別のアーキテクチャのものです</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {weight} is stored as {type}, which can&apos;t be used; convert the checkpoint to BF16, F16 or F32</source>
        <translation>「{path}」: {weight} は {type} で保存されていて使えません。チェックポイントを BF16、F16、F32 のいずれかに変換してください</translation>
    </message>
    <message>
        <source>{file} is not a valid safetensors file: {problem}; the file is damaged or was made by a faulty program, get or export it again</source>
        <translation>{file} は正しい safetensors ファイルではありません: {problem}。壊れているか、不具合のあるプログラムで作られています。入手または書き出しをやり直してください</translation>
    </message>
    <message>
        <source>its header claims {claimed} bytes, the file has only {left} after the length field</source>
        <translation>ヘッダーは {claimed} バイトと示していますが、長さの欄の後には {left} バイトしかありません</translation>
    </message>
    <message>
        <source>its tensors end at byte {end} of the data part, {left} bytes are left over</source>
        <translation>テンソルはデータ部の {end} バイト目で終わり、{left} バイト余っています</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip checkpoint (.ckpt, .pt, .bin), which can run any program when opened and is never read; convert it to .safetensors with a tool you trust, e.g. torch.load(…, weights_only=True) and safetensors.torch.save_file</source>
        <translation>{file} は pickle か zip のチェックポイント（.ckpt、.pt、.bin）です。開くと任意のプログラムが動きうるため読み込みません。信頼できるツールで .safetensors に変換してください（例: torch.load(…, weights_only=True) と safetensors.torch.save_file）</translation>
    </message>
    <message>
        <source>{file} is a Git LFS pointer, not the weights; run &apos;git lfs pull&apos; in its folder or download the file itself</source>
        <translation>{file} は重みではなく Git LFS のポインターです。フォルダーで `git lfs pull` を実行するか、ファイルそのものをダウンロードしてください</translation>
    </message>
    <message>
        <source>{file} is a GGUF file (quantised for inference); training needs the .safetensors original</source>
        <translation>{file} は GGUF ファイル（推論用に量子化されたもの）です。学習には元の .safetensors が必要です</translation>
    </message>
    <message>
        <source>{file} is a web page, not the weights; the download was redirected (often to a log-in page), download it again</source>
        <translation>{file} は重みではなくウェブページです。ダウンロードが別のページ（多くはログイン画面）へ移されました。ダウンロードし直してください</translation>
    </message>
    <message>
        <source>{path}: training.parts names {part}, which this model doesn&apos;t have; take it out</source>
        <translation>{path}: training.parts に {part} がありますが、このモデルにはありません。外してください</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; is unknown. Use cpu or cuda:0; `mantissa devices` lists what is there</source>
        <translation>デバイス「{device}」は未知です。cpu か cuda:0 を使ってください。あるものは `mantissa devices` に出ます</translation>
    </message>
    <message>
        <source>device {device} can&apos;t be used: {reason}. Or use --device cpu</source>
        <translation>デバイス {device} は使えません: {reason}。または --device cpu を使ってください</translation>
    </message>
    <message>
        <source>there is no card of that number</source>
        <translation>その番号のカードはありません</translation>
    </message>
    <message>
        <source>{checkpoint}: holds {held} state tensors, this job has {wanted}. Resume with the preset the run was started with</source>
        <translation>{checkpoint}: 状態のテンソルが {held} 個ありますが、このジョブは {wanted} 個です。学習を始めたときのプリセットで再開してください</translation>
    </message>
    <message>
        <source>{checkpoint}: {tensor} should be {type} {shape}. Resume with the preset the run was started with</source>
        <translation>{checkpoint}: {tensor} は {type} {shape} のはずです。学習を始めたときのプリセットで再開してください</translation>
    </message>
    <message>
        <source>it has no manifest</source>
        <translation>マニフェストがありません</translation>
    </message>
    <message>
        <source>{file} has another size than its manifest says</source>
        <translation>{file} の大きさがマニフェストと違います</translation>
    </message>
    <message>
        <source>{file} has another content than its manifest says</source>
        <translation>{file} の内容がマニフェストと違います</translation>
    </message>
    <message>
        <source>training.parts holds vae and others, which learn from the latents that it makes: it is trained alone, and before them. Set training.parts to [&quot;vae&quot;]</source>
        <translation>training.parts に vae とほかの部分が入っています。ほかの部分は VAE が作る潜在表現から学ぶので、VAE は単独で先に学習します。training.parts を [&quot;vae&quot;] にしてください</translation>
    </message>
    <message>
        <source>training.parts is [&quot;vae&quot;] and training.method adapter: a VAE has no adapters. Set training.method to full</source>
        <translation>training.parts が [&quot;vae&quot;] で training.method が adapter ですが、VAE にアダプターはありません。training.method を full にしてください</translation>
    </message>
    <message>
        <source>{file}: the file holds no LoRA</source>
        <translation>{file}: LoRA が入っていません</translation>
    </message>
    <message>
        <source>{file}: training.method is full; merge the adapter into the base model first (`mantissa merge`)</source>
        <translation>{file}: training.method が full です。先にアダプターをベースモデルにマージしてください（`mantissa merge`）</translation>
    </message>
    <message>
        <source>{file}: {module} is for a weight {given}, but the base model&apos;s is {wanted}. Was it made for another base model?</source>
        <translation>{file}: {module} は重み {given} 用ですが、ベースモデルのものは {wanted} です。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first (`mantissa convert --format plain_lora`)</source>
        <translation>{file}: {module} は DoRA ですが、adapter.type は lora です。adapter.type を dora にするか、先に通常の LoRA にしてください（`mantissa convert --format plain_lora`）</translation>
    </message>
    <message>
        <source>{file}: {module} has its magnitudes per {given}, but adapter.dora_axis is {wanted}. Set it to {given}</source>
        <translation>{file}: {module} の大きさは {given} ごとですが、adapter.dora_axis は {wanted} です。{given} にしてください</translation>
    </message>
    <message>
        <source>{file}: {module} is adapted there, but not trained here. Widen adapter.targets (or add the part to training.parts) so that nothing of the adapter is lost</source>
        <translation>{file}: {module} が含まれていますが、ここでは学習しません。アダプターの内容が失われないように、adapter.targets を広げるか、その部分を training.parts に加えてください</translation>
    </message>
    <message>
        <source>{file}: adapter.init pissa takes its start from the base weights and changes them; set adapter.init to standard to continue from an adapter</source>
        <translation>{file}: adapter.init の pissa はベースの重みから始めてそれを変えます。アダプターから続けるには adapter.init を standard にしてください</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, which may be per output or per input, and nothing in the file tells. Which program made it? Answer with --dora-axis output (PEFT, LyCORIS) or --dora-axis input (OneTrainer&apos;s default)</source>
        <translation>{file}: {tensor} は {shape} で、出力ごととも入力ごとともとれ、ファイルからは分かりません。どのプログラムで作ったものですか？ --dora-axis output（PEFT、LyCORIS）か --dora-axis input（OneTrainer の既定）で指定してください</translation>
    </message>
    <message>
        <source>{path}: the LoRA adapts this module, but the base model has none of that name. Was it made for another base model?</source>
        <translation>{path}: LoRA はこのモジュールを変えますが、ベースモデルに同じ名前のものがありません。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>adapter.targets {targets} name no module of {part}; use &quot;attention&quot;, &quot;attention+mlp&quot;, &quot;linear+conv&quot; or patterns such as &quot;*.attn1.to_q&quot;</source>
        <translation>adapter.targets {targets} に当てはまる {part} のモジュールがありません。&quot;attention&quot;、&quot;attention+mlp&quot;、&quot;linear+conv&quot;、または &quot;*.attn1.to_q&quot; のようなパターンを使ってください</translation>
    </message>
    <message>
        <source>no image could be read. The first: {reason}</source>
        <translation>読める画像がありません。最初のもの: {reason}</translation>
    </message>
    <message>
        <source>data.masks is {mode}, but no image has {what}. Add masks, or set it to off</source>
        <translation>data.masks は {mode} ですが、{what} のある画像がありません。マスクを加えるか、off にしてください</translation>
    </message>
    <message>
        <source>an alpha channel</source>
        <translation>アルファチャンネル</translation>
    </message>
    <message>
        <source>data.validation_share puts all {count} images into the validation set; add images, or set it to 0</source>
        <translation>data.validation_share が {count} 枚すべてを検証用にしています。画像を加えるか、0 にしてください</translation>
    </message>
    <message>
        <source>every image is also in a validation folder, so there is none to train on; give other images with --validation</source>
        <translation>すべての画像が検証フォルダーにもあり、学習する画像がありません。--validation には別の画像を指定してください</translation>
    </message>
    <message>
        <source>in a validation folder and isn&apos;t trained on</source>
        <translation>検証フォルダーにあるため学習しません</translation>
    </message>
    <message>
        <source>among the trained images and isn&apos;t used for prior preservation</source>
        <translation>学習する画像に含まれるため、事前知識の保持には使いません</translation>
    </message>
    <message>
        <source>in the validation set and isn&apos;t used for prior preservation</source>
        <translation>検証用のため、事前知識の保持には使いません</translation>
    </message>
    <message>
        <source>a mask without an image of the same name</source>
        <translation>同じ名前の画像がないマスク</translation>
    </message>
    <message>
        <source>its mask: {reason}</source>
        <translation>マスク: {reason}</translation>
    </message>
    <message>
        <source>its caption, the folder&apos;s name, {reason}</source>
        <translation>キャプション（フォルダー名）が{reason}</translation>
    </message>
    <message>
        <source>its caption {file} {reason}</source>
        <translation>キャプション {file} が{reason}</translation>
    </message>
    <message>
        <source>is UTF-16 cut in the middle of a character; save it as UTF-8</source>
        <translation>文字の途中で切れた UTF-16 です。UTF-8 で保存してください</translation>
    </message>
    <message>
        <source>isn&apos;t valid UTF-16 at byte {byte}; save it as UTF-8</source>
        <translation>{byte} バイト目が正しい UTF-16 ではありません。UTF-8 で保存してください</translation>
    </message>
    <message>
        <source>isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8</source>
        <translation>{byte} バイト目が正しい UTF-8 ではありません。UTF-8 で保存してください</translation>
    </message>
    <message>
        <source>holds a NUL byte (at {byte}); save it as UTF-8 text</source>
        <translation>NUL バイトを含んでいます（{byte} バイト目）。UTF-8 のテキストで保存してください</translation>
    </message>
    <message>
        <source>is longer than 64 KB; a caption holds a few sentences</source>
        <translation>64 KB を超えています。キャプションは数文で足ります</translation>
    </message>
    <message>
        <source>is truncated or damaged and was not used ({reason}); replace the file</source>
        <translation>途中で切れているか壊れているため使いませんでした（{reason}）。ファイルを取り替えてください</translation>
    </message>
    <message>
        <source>is empty (0 bytes); replace the file</source>
        <translation>空（0 バイト）です。ファイルを取り替えてください</translation>
    </message>
    <message>
        <source>is no image by its content; JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF are read</source>
        <translation>内容が画像ではありません。JPEG、PNG、WebP、AVIF、TIFF、BMP、GIF を読めます</translation>
    </message>
    <message>
        <source>has {width} x {height} pixels; at most {most} are read, make it smaller</source>
        <translation>{width} x {height} ピクセルあります。読めるのは {most} までなので、小さくしてください</translation>
    </message>
    <message>
        <source>has {bytes} bytes; image files may have at most {most}</source>
        <translation>{bytes} バイトあります。画像ファイルは {most} バイトまでです</translation>
    </message>
    <message>
        <source>kohya (sd-scripts, kohya_ss)</source>
        <translation>kohya の設定（sd-scripts、kohya_ss）</translation>
    </message>
    <message>
        <source>an adapter trained with kohya&apos;s sd-scripts</source>
        <translation>kohya の sd-scripts で学習したアダプター</translation>
    </message>
    <message>
        <source>This key is not known; it has no effect here.</source>
        <translation>未知のキーです。Mantissa では何の効果もありません。</translation>
    </message>
    <message>
        <source>Given again: {key} counts.</source>
        <translation>重複しています。{key} が有効です。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width,height.</source>
        <translation>採用しません: 辺の長さでも「幅,高さ」でもありません。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width x height.</source>
        <translation>採用しません: 辺の長さでも「幅 x 高さ」でもありません。</translation>
    </message>
    <message>
        <source>Not taken: not a number of tokens.</source>
        <translation>採用しません: トークン数ではありません。</translation>
    </message>
    <message>
        <source>Not taken: not a number.</source>
        <translation>採用しません: 数値ではありません。</translation>
    </message>
    <message>
        <source>Not taken: not a list of samples.</source>
        <translation>採用しません: サンプルのリストではありません。</translation>
    </message>
    <message>
        <source>Not taken: {problem}.</source>
        <translation>採用しません: {problem}。</translation>
    </message>
    <message>
        <source>Not set there.</source>
        <translation>元の設定では指定されていません。</translation>
    </message>
    <message>
        <source>Not used there.</source>
        <translation>元の設定では使われていません。</translation>
    </message>
    <message>
        <source>Not used there; see output.keep.</source>
        <translation>元の設定では使われていません。output.keep を参照してください。</translation>
    </message>
    <message>
        <source>Concerns speed or memory of that program, not the result.</source>
        <translation>元のプログラムの速度やメモリだけに関わり、結果には影響しません。</translation>
    </message>
    <message>
        <source>Runs are logged in the studio and its database.</source>
        <translation>学習の記録はこのプログラムとそのデータベースに残ります。</translation>
    </message>
    <message>
        <source>A path: those are chosen for each run and never stored in a preset.</source>
        <translation>パスです。パスは学習ごとに選ぶもので、プリセットには保存しません。</translation>
    </message>
    <message>
        <source>Module names are never loaded from a configuration.</source>
        <translation>設定からモジュール名を読み込むことはありません。</translation>
    </message>
    <message>
        <source>Command lines are never taken from a configuration.</source>
        <translation>設定からコマンドラインを取り込むことはありません。</translation>
    </message>
    <message>
        <source>Secrets are never taken over.</source>
        <translation>秘密情報を取り込むことはありません。</translation>
    </message>
    <message>
        <source>Nothing is sent anywhere.</source>
        <translation>どこにも何も送信しません。</translation>
    </message>
    <message>
        <source>Describes a run, not a preset.</source>
        <translation>プリセットではなく、個々の学習についての記述です。</translation>
    </message>
    <message>
        <source>Part of a run, not of a preset.</source>
        <translation>プリセットではなく、個々の学習に属します。</translation>
    </message>
    <message>
        <source>Counts together with other keys.</source>
        <translation>ほかのキーと合わせて効きます。</translation>
    </message>
    <message>
        <source>Counts together with its number.</source>
        <translation>対応する数値と合わせて効きます。</translation>
    </message>
    <message>
        <source>The default of sd-scripts.</source>
        <translation>sd-scripts の既定値です。</translation>
    </message>
    <message>
        <source>Not given: the default of sd-scripts.</source>
        <translation>指定なし: sd-scripts の既定値です。</translation>
    </message>
    <message>
        <source>Not given: the default of that optimizer.</source>
        <translation>指定なし: そのオプティマイザーの既定値です。</translation>
    </message>
    <message>
        <source>Not given: OneTrainer&apos;s default.</source>
        <translation>指定なし: OneTrainer の既定値です。</translation>
    </message>
    <message>
        <source>Not given: text encoders are trained too, as sd-scripts does.</source>
        <translation>指定なし: sd-scripts と同じく、テキストエンコーダーも学習します。</translation>
    </message>
    <message>
        <source>Not given: text encoders are trained too, as sd-scripts does; take te2 out for a model with one text encoder.</source>
        <translation>指定なし: sd-scripts と同じく、テキストエンコーダーも学習します。テキストエンコーダーが 1 つのモデルでは te2 を外してください。</translation>
    </message>
    <message>
        <source>unet_lr counts instead.</source>
        <translation>代わりに unet_lr が有効です。</translation>
    </message>
    <message>
        <source>The rates of the parts count instead.</source>
        <translation>代わりに各部分の学習率が有効です。</translation>
    </message>
    <message>
        <source>This part is not trained there.</source>
        <translation>元の設定ではこの部分を学習していません。</translation>
    </message>
    <message>
        <source>This part does not exist in the models offered here.</source>
        <translation>ここで対応しているモデルにこの部分はありません。</translation>
    </message>
    <message>
        <source>This part does not exist in that model.</source>
        <translation>そのモデルにこの部分はありません。</translation>
    </message>
    <message>
        <source>Holds for every trained part here.</source>
        <translation>Mantissa では学習するすべての部分に効きます。</translation>
    </message>
    <message>
        <source>The UNet&apos;s settings count here.</source>
        <translation>Mantissa では UNet の設定が有効です。</translation>
    </message>
    <message>
        <source>Text encoders share one type here; the first one&apos;s counts.</source>
        <translation>Mantissa ではテキストエンコーダーの型は共通で、1 つ目のものが有効です。</translation>
    </message>
    <message>
        <source>One caption dropout for all text encoders here; the first one&apos;s counts.</source>
        <translation>Mantissa ではキャプションドロップアウトは全テキストエンコーダー共通で、1 つ目のものが有効です。</translation>
    </message>
    <message>
        <source>Not offered here for a single part.</source>
        <translation>Mantissa では 1 つの部分だけに設定することはできません。</translation>
    </message>
    <message>
        <source>The VAE is never trained here.</source>
        <translation>Mantissa では VAE を学習しません。</translation>
    </message>
    <message>
        <source>This model family is not offered here; auto tells by the file.</source>
        <translation>このモデル系列には対応していません。auto ならファイルから判断します。</translation>
    </message>
    <message>
        <source>Not offered here: this model family; the rest is taken over.</source>
        <translation>対応していません: このモデル系列。残りは取り込みました。</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA of the same rank instead.</source>
        <translation>{name} には対応していません。代わりに同じランクの LoRA にしました。</translation>
    </message>
    <message>
        <source>{name} is not offered here: an adapter is trained instead.</source>
        <translation>{name} には対応していません。代わりにアダプターを学習します。</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA instead.</source>
        <translation>{name} には対応していません。代わりに LoRA にしました。</translation>
    </message>
    <message>
        <source>{name} is not offered here: the smallest type that is.</source>
        <translation>{name} には対応していません。対応している最も小さい型にしました。</translation>
    </message>
    <message>
        <source>Counts only for LyCORIS networks there.</source>
        <translation>元のプログラムでは LyCORIS のネットワークだけに効きます。</translation>
    </message>
    <message>
        <source>Linear layers outside of the transformers are left out.</source>
        <translation>transformer の外の線形層は含みません。</translation>
    </message>
    <message>
        <source>Not known here: a set of layers; see adapter.targets.</source>
        <translation>この層の組はMantissa では未知です。adapter.targets を参照してください。</translation>
    </message>
    <message>
        <source>No convolutions there.</source>
        <translation>元の設定に畳み込みはありません。</translation>
    </message>
    <message>
        <source>Counts only for network types with convolutions there.</source>
        <translation>元のプログラムでは畳み込みを持つネットワークだけに効きます。</translation>
    </message>
    <message>
        <source>Convolutions share adapter.alpha ({alpha}) here.</source>
        <translation>Mantissa では畳み込みも adapter.alpha ({alpha}) を共用します。</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, its inner channels there.</source>
        <translation>Mantissa ではアダプターの入力を、元のプログラムでは内部のチャンネルを 0 にします。</translation>
    </message>
    <message>
        <source>The preflight refuses adapters kept in fp16, because small updates vanish there, and offers fp32.</source>
        <translation>fp16 で持つアダプターは小さな更新が消えるため、事前チェックが拒否し、fp32 を提案します。</translation>
    </message>
    <message>
        <source>With one scale per output channel here, without any there.</source>
        <translation>Mantissa では出力チャンネルごとにスケールがありますが、元のプログラムにはありません。</translation>
    </message>
    <message>
        <source>Frozen weights have one scale per output channel here; see precision.weights.</source>
        <translation>Mantissa では凍結した重みは出力チャンネルごとにスケールを持ちます。precision.weights を参照してください。</translation>
    </message>
    <message>
        <source>Counts only for SDXL there.</source>
        <translation>元のプログラムでは SDXL だけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for DoRA there.</source>
        <translation>元のプログラムでは DoRA だけに効きます。</translation>
    </message>
    <message>
        <source>Rows of zero norm use plain LoRA here.</source>
        <translation>Mantissa では、ノルムが 0 の行には通常の LoRA を使います。</translation>
    </message>
    <message>
        <source>Without the time embeddings and the first and last convolution.</source>
        <translation>時刻の埋め込みと、最初と最後の畳み込みは含みません。</translation>
    </message>
    <message>
        <source>A filter of its own: see adapter.targets, which takes patterns.</source>
        <translation>独自のフィルターです。パターンを使える adapter.targets を参照してください。</translation>
    </message>
    <message>
        <source>Types are one plan here; nothing falls back silently.</source>
        <translation>Mantissa では型は 1 つの計画で決まり、黙って別の型になることはありません。</translation>
    </message>
    <message>
        <source>The base model is chosen for each run.</source>
        <translation>ベースモデルは学習ごとに選びます。</translation>
    </message>
    <message>
        <source>Concerns (IA)3 only.</source>
        <translation>(IA)3 だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns FLUX only.</source>
        <translation>FLUX だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns FLUX and SD3 only.</source>
        <translation>FLUX と SD3 だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns OFT only.</source>
        <translation>OFT だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns LoKr only.</source>
        <translation>LoKr だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns embeddings only.</source>
        <translation>埋め込みだけに関わります。</translation>
    </message>
    <message>
        <source>Concerns video only.</source>
        <translation>動画だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns audio only.</source>
        <translation>音声だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns models with learned variance only.</source>
        <translation>分散を学習するモデルだけに関わります。</translation>
    </message>
    <message>
        <source>The side of the square with the same area as {width} x {height}.</source>
        <translation>{width} x {height} と同じ面積の正方形の辺です。</translation>
    </message>
    <message>
        <source>The side of the square with the same area.</source>
        <translation>同じ面積の正方形の辺です。</translation>
    </message>
    <message>
        <source>Only the first of several resolutions.</source>
        <translation>複数の解像度のうち最初のものだけです。</translation>
    </message>
    <message>
        <source>Buckets follow from data.resolution here; every image is fitted to the nearest.</source>
        <translation>Mantissa ではバケットは data.resolution から決まり、画像は最も近いものに入ります。</translation>
    </message>
    <message>
        <source>The steps of kohya&apos;s rule here too.</source>
        <translation>ここでも kohya の規則の刻みです。</translation>
    </message>
    <message>
        <source>Not offered here: other steps than 64.</source>
        <translation>対応していません: 64 以外の刻み。</translation>
    </message>
    <message>
        <source>Counts only with shuffle_caption there.</source>
        <translation>元のプログラムでは shuffle_caption があるときだけ効きます。</translation>
    </message>
    <message>
        <source>Masks stand beside the images here, as &lt;name&gt;-masklabel.png; in a folder of their own there.</source>
        <translation>Mantissa ではマスクを &lt;name&gt;-masklabel.png として画像の隣に置きます。元のプログラムでは専用のフォルダーです。</translation>
    </message>
    <message>
        <source>Counts only with masks there.</source>
        <translation>元のプログラムではマスクがあるときだけ効きます。</translation>
    </message>
    <message>
        <source>Which images is decided by their content here, by a seed there.</source>
        <translation>どの画像を使うかは、Mantissa では内容で、元のプログラムではシードで決まります。</translation>
    </message>
    <message>
        <source>Held-out images and their noise follow from their content.</source>
        <translation>検証用の画像とそのノイズは内容から決まります。</translation>
    </message>
    <message>
        <source>Folders of prior-preservation images are chosen for each run.</source>
        <translation>事前知識の保持に使う画像のフォルダーは学習ごとに選びます。</translation>
    </message>
    <message>
        <source>Folders of validation images are chosen for each run; see data.validation_share.</source>
        <translation>検証用の画像のフォルダーは学習ごとに選びます。data.validation_share を参照してください。</translation>
    </message>
    <message>
        <source>Images and what is done with them are chosen for each run, not by a preset.</source>
        <translation>画像とその扱いは、プリセットではなく学習ごとに選びます。</translation>
    </message>
    <message>
        <source>Captions are cached only together with images here.</source>
        <translation>Mantissa ではキャプションだけをキャッシュすることはなく、画像と一緒です。</translation>
    </message>
    <message>
        <source>Captions are .txt files, or metadata.jsonl.</source>
        <translation>キャプションは .txt ファイルか metadata.jsonl です。</translation>
    </message>
    <message>
        <source>Images are always resized with Lanczos.</source>
        <translation>画像は常に Lanczos で拡大縮小します。</translation>
    </message>
    <message>
        <source>The cache always lives on the disk.</source>
        <translation>キャッシュは常にディスクに置きます。</translation>
    </message>
    <message>
        <source>The cache is always checked.</source>
        <translation>キャッシュは常に検証します。</translation>
    </message>
    <message>
        <source>The model family&apos;s own layer, there and here.</source>
        <translation>どちらもモデル系列に固有の層を使います。</translation>
    </message>
    <message>
        <source>The length of a run is training.steps here: epochs x images x repeats / batch size.</source>
        <translation>Mantissa では学習の長さは training.steps です（エポック数 x 画像数 x 繰り返し / バッチサイズ）。</translation>
    </message>
    <message>
        <source>Not set there: the length came from epochs. Set training.steps.</source>
        <translation>元の設定では指定されず、長さはエポック数から決まっていました。training.steps を設定してください。</translation>
    </message>
    <message>
        <source>There, the number of epochs counts instead; its steps depend on the images.</source>
        <translation>元のプログラムではエポック数が有効で、ステップ数は画像の数で変わります。</translation>
    </message>
    <message>
        <source>Counted in steps here, in {unit}s there. Set {setting}.</source>
        <translation>Mantissa ではステップ単位、元のプログラムでは {unit} 単位です。{setting} を設定してください。</translation>
    </message>
    <message>
        <source>unknown unit</source>
        <translation>不明な単位</translation>
    </message>
    <message>
        <source>A random seed there; here every run has a fixed one.</source>
        <translation>元のプログラムではランダムなシードですが、Mantissa ではどの学習も決まったシードを持ちます。</translation>
    </message>
    <message>
        <source>Averaged at every step here, at every few steps there.</source>
        <translation>Mantissa では毎ステップ、元のプログラムでは数ステップごとに平均します。</translation>
    </message>
    <message>
        <source>Not offered here: {name} weights of the loss.</source>
        <translation>対応していません: 損失の重み付け {name}。</translation>
    </message>
    <message>
        <source>Without moving activations to the host.</source>
        <translation>活性をホストメモリへ移すことはしません。</translation>
    </message>
    <message>
        <source>The device is chosen for each run.</source>
        <translation>デバイスは学習ごとに選びます。</translation>
    </message>
    <message>
        <source>Says which of the noise keys counts there.</source>
        <translation>元のプログラムでどのノイズのキーが有効かを示します。</translation>
    </message>
    <message>
        <source>Counts only with pyramid noise there.</source>
        <translation>元のプログラムではピラミッドノイズがあるときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with the Huber loss there.</source>
        <translation>元のプログラムでは Huber 損失のときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with the Huber error there.</source>
        <translation>元のプログラムでは Huber 誤差のときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with other timestep distributions there.</source>
        <translation>元のプログラムではほかのタイムステップ分布のときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with a schedule of its own there.</source>
        <translation>元のプログラムでは独自のスケジュールのときだけ効きます。</translation>
    </message>
    <message>
        <source>Nothing is trained elsewhere.</source>
        <translation>ほかの場所で学習することはありません。</translation>
    </message>
    <message>
        <source>State is not paged to the host here.</source>
        <translation>Mantissa では状態をホストメモリへページングしません。</translation>
    </message>
    <message>
        <source>Prodigy itself, without the extensions.</source>
        <translation>拡張のない Prodigy そのものです。</translation>
    </message>
    <message>
        <source>D-Adaptation&apos;s successor: it also finds the rate by itself.</source>
        <translation>D-Adaptation の後継で、同じく学習率を自分で見つけます。</translation>
    </message>
    <message>
        <source>Plain momentum, from the first of optimizer.betas.</source>
        <translation>通常のモーメンタムで、optimizer.betas の 1 つ目の値を使います。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead. Module names are never loaded from a configuration.</source>
        <translation>このオプティマイザーには対応していません。代わりに adamw にしました。設定からモジュール名を読み込むことはありません。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead.</source>
        <translation>このオプティマイザーには対応していません。代わりに adamw にしました。</translation>
    </message>
    <message>
        <source>Schedule-free optimizers are not offered here: adamw instead.</source>
        <translation>schedule-free オプティマイザーには対応していません。代わりに adamw にしました。</translation>
    </message>
    <message>
        <source>This optimizer option is not offered here.</source>
        <translation>このオプティマイザーのオプションには対応していません。</translation>
    </message>
    <message>
        <source>Settings of optimizers that are not used.</source>
        <translation>使われていないオプティマイザーの設定です。</translation>
    </message>
    <message>
        <source>Weight decay is always decoupled here.</source>
        <translation>Mantissa では重み減衰は常に分離型です。</translation>
    </message>
    <message>
        <source>Not offered here: a pair of epsilons.</source>
        <translation>対応していません: 2 つ組の epsilon。</translation>
    </message>
    <message>
        <source>Linear here: the polynomial of power 1.</source>
        <translation>Mantissa では linear、つまり 1 次の polynomial です。</translation>
    </message>
    <message>
        <source>Adafactor takes a rate of its own here: constant instead.</source>
        <translation>Mantissa では Adafactor に学習率を与えます。代わりに constant にしました。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead. Module names are never loaded from a configuration.</source>
        <translation>このスケジュールには対応していません。代わりに constant にしました。設定からモジュール名を読み込むことはありません。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead.</source>
        <translation>このスケジュールには対応していません。代わりに constant にしました。</translation>
    </message>
    <message>
        <source>The constant schedule does not warm up there.</source>
        <translation>元のプログラムの constant スケジュールにウォームアップはありません。</translation>
    </message>
    <message>
        <source>A share of the run, whose length came from epochs. Set schedule.warmup_steps.</source>
        <translation>学習全体に対する割合ですが、長さはエポック数から決まっていました。schedule.warmup_steps を設定してください。</translation>
    </message>
    <message>
        <source>The restarts of cosine_restarts are fixed here.</source>
        <translation>Mantissa では cosine_restarts の再起動回数は固定です。</translation>
    </message>
    <message>
        <source>Concerns the polynomial schedule only.</source>
        <translation>polynomial スケジュールだけに関わります。</translation>
    </message>
    <message>
        <source>Concerns the inverse root schedule only.</source>
        <translation>逆平方根スケジュールだけに関わります。</translation>
    </message>
    <message>
        <source>Adapters are always .safetensors.</source>
        <translation>アダプターは常に .safetensors です。</translation>
    </message>
    <message>
        <source>Always .safetensors here: pickle files are neither read nor written.</source>
        <translation>Mantissa では常に .safetensors です。pickle ファイルは読み書きしません。</translation>
    </message>
    <message>
        <source>Adapters are .safetensors with kohya&apos;s names; see output.format.</source>
        <translation>アダプターは kohya の名前の .safetensors です。output.format を参照してください。</translation>
    </message>
    <message>
        <source>Files are named after output.name.</source>
        <translation>ファイル名は output.name から付けます。</translation>
    </message>
    <message>
        <source>Nothing is overwritten.</source>
        <translation>何も上書きしません。</translation>
    </message>
    <message>
        <source>The preset is always embedded in the adapter.</source>
        <translation>プリセットは常にアダプターに埋め込まれます。</translation>
    </message>
    <message>
        <source>Saving and backing up are one here; save_every counts.</source>
        <translation>Mantissa では保存とバックアップは同じで、save_every が有効です。</translation>
    </message>
    <message>
        <source>See output.keep.</source>
        <translation>output.keep を参照してください。</translation>
    </message>
    <message>
        <source>Every checkpoint holds all that a run needs to continue exactly.</source>
        <translation>どのチェックポイントにも、正確に再開するためのすべてが入っています。</translation>
    </message>
    <message>
        <source>Every save holds all that a run needs to continue exactly.</source>
        <translation>どの保存にも、正確に再開するためのすべてが入っています。</translation>
    </message>
    <message>
        <source>What is written is stated in the README.</source>
        <translation>何を書き込むかは README にあります。</translation>
    </message>
    <message>
        <source>Continuing is exact and needs no such key.</source>
        <translation>再開は正確で、このようなキーは要りません。</translation>
    </message>
    <message>
        <source>A preset has no licence field.</source>
        <translation>プリセットにライセンスの欄はありません。</translation>
    </message>
    <message>
        <source>Tags of the adapter, not of the preset.</source>
        <translation>プリセットではなくアダプターのタグです。</translation>
    </message>
    <message>
        <source>The version of that program&apos;s format.</source>
        <translation>元のプログラムの形式のバージョンです。</translation>
    </message>
    <message>
        <source>Samples are always rendered before the first step.</source>
        <translation>サンプルは最初のステップの前に必ず生成します。</translation>
    </message>
    <message>
        <source>Samples while training use one fixed sampler.</source>
        <translation>学習中のサンプルには決まったサンプラーを使います。</translation>
    </message>
    <message>
        <source>Samples are PNG.</source>
        <translation>サンプルは PNG です。</translation>
    </message>
    <message>
        <source>Samples show what would be written.</source>
        <translation>サンプルは、書き出される内容そのものを示します。</translation>
    </message>
    <message>
        <source>Without the samples that are switched off.</source>
        <translation>オフにされたサンプルは含みません。</translation>
    </message>
    <message>
        <source>Not offered here: {name} as the compute type.</source>
        <translation>対応していません: 計算の型としての {name}。</translation>
    </message>
    <message>
        <source>Not offered here: embeddings.</source>
        <translation>対応していません: 埋め込み。</translation>
    </message>
    <message>
        <source>Not offered here: {what}.</source>
        <translation>対応していません: {what}。</translation>
    </message>
    <message>
        <source>merging adapters before training</source>
        <translation>学習前のアダプターのマージ</translation>
    </message>
    <message>
        <source>taking the rank from another adapter</source>
        <translation>別のアダプターからのランクの取得</translation>
    </message>
    <message>
        <source>a limit on the norm of adapter weights</source>
        <translation>アダプターの重みのノルムの制限</translation>
    </message>
    <message>
        <source>dropout of ranks</source>
        <translation>ランクのドロップアウト</translation>
    </message>
    <message>
        <source>dropout of modules</source>
        <translation>モジュールのドロップアウト</translation>
    </message>
    <message>
        <source>a rank for each block; see adapter.targets</source>
        <translation>ブロックごとのランク（adapter.targets を参照）</translation>
    </message>
    <message>
        <source>an alpha for each block</source>
        <translation>ブロックごとの alpha</translation>
    </message>
    <message>
        <source>a rank for each block</source>
        <translation>ブロックごとのランク</translation>
    </message>
    <message>
        <source>a learning rate for each block</source>
        <translation>ブロックごとの学習率</translation>
    </message>
    <message>
        <source>LoRA+ for one part alone</source>
        <translation>1 つの部分だけの LoRA+</translation>
    </message>
    <message>
        <source>a learned scalar per module</source>
        <translation>モジュールごとに学習するスカラー</translation>
    </message>
    <message>
        <source>Tucker decomposition</source>
        <translation>Tucker 分解</translation>
    </message>
    <message>
        <source>training of norm layers</source>
        <translation>正規化層の学習</translation>
    </message>
    <message>
        <source>LyCORIS&apos; bypass mode</source>
        <translation>LyCORIS のバイパスモード</translation>
    </message>
    <message>
        <source>LyCORIS&apos; rescaled OFT</source>
        <translation>LyCORIS の再スケール OFT</translation>
    </message>
    <message>
        <source>a limit on OFT</source>
        <translation>OFT の制限</translation>
    </message>
    <message>
        <source>FLUX&apos; split mode</source>
        <translation>FLUX の分割モード</translation>
    </message>
    <message>
        <source>an early end for text encoders</source>
        <translation>テキストエンコーダーの早期終了</translation>
    </message>
    <message>
        <source>an early end for the UNet</source>
        <translation>UNet の早期終了</translation>
    </message>
    <message>
        <source>a separator of kept tags</source>
        <translation>固定タグの区切り</translation>
    </message>
    <message>
        <source>small images that keep their size</source>
        <translation>小さい画像の元のサイズの維持</translation>
    </message>
    <message>
        <source>a limit on validation</source>
        <translation>検証の制限</translation>
    </message>
    <message>
        <source>validation by epochs; set training.validate_every in steps</source>
        <translation>エポック単位の検証（training.validate_every をステップ数で設定してください）</translation>
    </message>
    <message>
        <source>caption separators</source>
        <translation>キャプションの区切り</translation>
    </message>
    <message>
        <source>wildcards in captions</source>
        <translation>キャプションのワイルドカード</translation>
    </message>
    <message>
        <source>a text before every caption</source>
        <translation>すべてのキャプションの前の文字列</translation>
    </message>
    <message>
        <source>a text after every caption</source>
        <translation>すべてのキャプションの後の文字列</translation>
    </message>
    <message>
        <source>caption dropout by epochs</source>
        <translation>エポック単位のキャプションドロップアウト</translation>
    </message>
    <message>
        <source>dropout of single tags</source>
        <translation>個々のタグのドロップアウト</translation>
    </message>
    <message>
        <source>token warm-up</source>
        <translation>トークンのウォームアップ</translation>
    </message>
    <message>
        <source>captions without padding</source>
        <translation>パディングなしのキャプション</translation>
    </message>
    <message>
        <source>captions by class; use captions or the folder&apos;s name</source>
        <translation>クラスによるキャプション（キャプションかフォルダー名を使ってください）</translation>
    </message>
    <message>
        <source>colour augmentation</source>
        <translation>色の拡張</translation>
    </message>
    <message>
        <source>random crops</source>
        <translation>ランダムな切り抜き</translation>
    </message>
    <message>
        <source>random rotation</source>
        <translation>ランダムな回転</translation>
    </message>
    <message>
        <source>crops around faces</source>
        <translation>顔を中心とした切り抜き</translation>
    </message>
    <message>
        <source>pyramid noise</source>
        <translation>ピラミッドノイズ</translation>
    </message>
    <message>
        <source>noise offset of random strength</source>
        <translation>強さがランダムなノイズオフセット</translation>
    </message>
    <message>
        <source>adaptive noise offset</source>
        <translation>適応的なノイズオフセット</translation>
    </message>
    <message>
        <source>generalised noise offset</source>
        <translation>一般化ノイズオフセット</translation>
    </message>
    <message>
        <source>input perturbation</source>
        <translation>入力の摂動</translation>
    </message>
    <message>
        <source>Perlin noise</source>
        <translation>パーリンノイズ</translation>
    </message>
    <message>
        <source>a range of timesteps</source>
        <translation>タイムステップの範囲</translation>
    </message>
    <message>
        <source>another choice of timesteps</source>
        <translation>別のタイムステップの選び方</translation>
    </message>
    <message>
        <source>a shift of timesteps</source>
        <translation>タイムステップのシフト</translation>
    </message>
    <message>
        <source>another loss than the squared error</source>
        <translation>二乗誤差以外の損失</translation>
    </message>
    <message>
        <source>another strength of the squared error</source>
        <translation>別の強さの二乗誤差</translation>
    </message>
    <message>
        <source>the absolute error</source>
        <translation>絶対誤差</translation>
    </message>
    <message>
        <source>the log-cosh error</source>
        <translation>log-cosh 誤差</translation>
    </message>
    <message>
        <source>the Huber error</source>
        <translation>Huber 誤差</translation>
    </message>
    <message>
        <source>another scale of the v-prediction loss</source>
        <translation>v-prediction 損失の別のスケール</translation>
    </message>
    <message>
        <source>a v-prediction term in the loss</source>
        <translation>損失の v-prediction 項</translation>
    </message>
    <message>
        <source>debiased estimation; min-SNR is near to it</source>
        <translation>バイアス除去推定（min-SNR がこれに近いです）</translation>
    </message>
    <message>
        <source>scaling of the loss by batch size</source>
        <translation>バッチサイズによる損失のスケーリング</translation>
    </message>
    <message>
        <source>scaling of the rate by batch size</source>
        <translation>バッチサイズによる学習率のスケーリング</translation>
    </message>
    <message>
        <source>steps without the mask</source>
        <translation>マスクを使わないステップ</translation>
    </message>
    <message>
        <source>a loss divided by the masked area</source>
        <translation>マスクの面積で割る損失</translation>
    </message>
    <message>
        <source>a prior loss outside the mask</source>
        <translation>マスクの外の事前知識の損失</translation>
    </message>
    <message>
        <source>conditioning images</source>
        <translation>条件画像</translation>
    </message>
    <message>
        <source>CLIP skip; SDXL fixes its layer</source>
        <translation>CLIP skip（SDXL では層が決まっています）</translation>
    </message>
    <message>
        <source>a filter of layers by name; see adapter.targets</source>
        <translation>名前による層のフィルター（adapter.targets を参照）</translation>
    </message>
    <message>
        <source>a decay of its own length</source>
        <translation>独自の長さの減衰</translation>
    </message>
    <message>
        <source>arguments of the schedule</source>
        <translation>スケジュールの引数</translation>
    </message>
    <message>
        <source>this argument of the optimizer</source>
        <translation>オプティマイザーのこの引数</translation>
    </message>
    <message>
        <source>this argument of the network</source>
        <translation>ネットワークのこの引数</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own learning rate</source>
        <translation>Adafactor 自身の学習率</translation>
    </message>
    <message>
        <source>updates scaled by the weights</source>
        <translation>重みに比例した更新</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own warm-up</source>
        <translation>Adafactor 自身のウォームアップ</translation>
    </message>
    <message>
        <source>Prodigy&apos;s bias correction</source>
        <translation>Prodigy のバイアス補正</translation>
    </message>
    <message>
        <source>Prodigy&apos;s safeguard while warming up</source>
        <translation>Prodigy のウォームアップ中の保護</translation>
    </message>
    <message>
        <source>Prodigy&apos;s factor on the rate</source>
        <translation>Prodigy の学習率の係数</translation>
    </message>
    <message>
        <source>Prodigy&apos;s first estimate</source>
        <translation>Prodigy の最初の推定値</translation>
    </message>
    <message>
        <source>a momentum of its own; see optimizer.betas</source>
        <translation>独自のモーメンタム（optimizer.betas を参照）</translation>
    </message>
    <message>
        <source>schedule-free optimizers</source>
        <translation>schedule-free オプティマイザー</translation>
    </message>
    <message>
        <source>saving by epochs; set output.save_every in steps</source>
        <translation>エポック単位の保存（output.save_every をステップ数で設定してください）</translation>
    </message>
    <message>
        <source>samples by epochs; set samples.every in steps</source>
        <translation>エポック単位のサンプル（samples.every をステップ数で設定してください）</translation>
    </message>
    <message>
        <source>a delay before the first sample</source>
        <translation>最初のサンプルまでの待ち</translation>
    </message>
    <message>
        <source>a delay before the first save</source>
        <translation>最初の保存までの待ち</translation>
    </message>
    <message>
        <source>moving blocks to the host</source>
        <translation>ブロックのホストメモリへの移動</translation>
    </message>
    <message>
        <source>a strength for each data set</source>
        <translation>データセットごとの強さ</translation>
    </message>
    <message>
        <source>circular padding</source>
        <translation>循環パディング</translation>
    </message>
    <message>
        <source>several cards</source>
        <translation>複数のカード</translation>
    </message>
    <message>
        <source>{file} is neither a preset nor a configuration of kohya or OneTrainer: none of its keys is known</source>
        <translation>{file} はプリセットでも kohya や OneTrainer の設定でもありません。知っているキーが 1 つもありません</translation>
    </message>
    <message>
        <source>{file} is larger than 1 MB, so it is no preset</source>
        <translation>{file} は 1 MB を超えているので、プリセットではありません</translation>
    </message>
    <message>
        <source>{file} carries no preset: its metadata has no &quot;{key}&quot;, and nothing of sd-scripts or OneTrainer either</source>
        <translation>{file} にプリセットはありません。メタデータに「{key}」がなく、sd-scripts や OneTrainer の内容もありません</translation>
    </message>
    <message>
        <source>{file} has more metadata than a preset needs</source>
        <translation>{file} のメタデータはプリセットに必要な量を超えています</translation>
    </message>
    <message>
        <source>{file} is a folder; choose a preset, a configuration or an adapter</source>
        <translation>{file} はフォルダーです。プリセット、設定、アダプターのいずれかを選んでください</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip file, which can hold programs and is never opened; convert it to .safetensors first</source>
        <translation>{file} は pickle か zip のファイルです。プログラムを含みうるため開きません。先に .safetensors に変換してください</translation>
    </message>
    <message>
        <source>can&apos;t read the preset {file}: no such file, or no permission</source>
        <translation>プリセット {file} を読めません。ファイルがないか、権限がありません</translation>
    </message>
    <message>
        <source>can&apos;t read the preset {file}: the disk reports an error</source>
        <translation>プリセット {file} を読めません。ディスクがエラーを返しました</translation>
    </message>
    <message>
        <source>this has more than {count} values; no configuration needs so many</source>
        <translation>値が {count} 個を超えています。これほど必要とする設定はありません</translation>
    </message>
    <message>
        <source>this is nested deeper than {count} levels</source>
        <translation>入れ子が {count} 段を超えています</translation>
    </message>
    <message>
        <source>a text is longer than 64 KB</source>
        <translation>64 KB を超える文字列があります</translation>
    </message>
    <message>
        <source>this has {bytes} bytes; a configuration has at most {most}</source>
        <translation>{bytes} バイトあります。設定は最大 {most} バイトです</translation>
    </message>
    <message>
        <source>this is not valid TOML: {reason}</source>
        <translation>正しい TOML ではありません: {reason}</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>……ほか {count} 件</translation>
    </message>
    <message>
        <source>this is not valid JSON: {reason}</source>
        <translation>正しい JSON ではありません: {reason}</translation>
    </message>
    <message>
        <source>this has more than {count} values; no preset needs so many</source>
        <translation>値が {count} 個を超えています。これほど必要とするプリセットはありません</translation>
    </message>
    <message>
        <source>this has {bytes} bytes; a preset has at most {most}</source>
        <translation>{bytes} バイトあります。プリセットは最大 {most} バイトです</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be a multiple of 8</source>
        <translation>{key} は {value} ですが、8 の倍数でなければなりません</translation>
    </message>
    <message>
        <source>{key} is {value}, which is listed twice; list each part once</source>
        <translation>{key} の {value} は重複しています。各部分は 1 度だけ並べてください</translation>
    </message>
    <message>
        <source>{key} lacks &quot;{member}&quot;: {help}</source>
        <translation>{key} に「{member}」がありません: {help}</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each part one entry</source>
        <translation>{key} の「{value}」にはすでに項目があります。各部分に 1 つだけにしてください</translation>
    </message>
    <message>
        <source>{key} is not a known key; the keys here are {keys}</source>
        <translation>{key} は未知のキーです。ここで使えるキーは {keys} です</translation>
    </message>
    <message>
        <source>{key} is not a known key; did you mean {near}?</source>
        <translation>{key} は未知のキーです。{near} のことですか？</translation>
    </message>
    <message>
        <source>{key} is not a setting; did you mean {near}?</source>
        <translation>{key} という設定はありません。{near} のことですか？</translation>
    </message>
    <message>
        <source>{key} is not a setting; `mantissa train --help` lists them all</source>
        <translation>{key} という設定はありません。すべての設定は `mantissa train --help` に出ます</translation>
    </message>
    <message>
        <source>{key} is not an object; it holds settings such as {example}</source>
        <translation>{key} がオブジェクトではありません。{example} のような設定が入ります</translation>
    </message>
    <message>
        <source>{key} is given twice, first on line {line}; keep one</source>
        <translation>{key} が 2 回あります（最初は {line} 行目）。1 つだけ残してください</translation>
    </message>
    <message>
        <source>a preset is a JSON object: { &quot;mantissa_preset&quot;: 2, … }</source>
        <translation>プリセットは JSON オブジェクトです: { &quot;mantissa_preset&quot;: 2, … }</translation>
    </message>
    <message>
        <source>mantissa_preset must be 1 or 2, the number of the preset format</source>
        <translation>mantissa_preset は 1 か 2（プリセット形式の番号）でなければなりません</translation>
    </message>
    <message>
        <source>mantissa_preset is {given}, written by a newer Mantissa; this one reads format {known}: update Mantissa, or export the preset again from there in the older format</source>
        <translation>mantissa_preset は {given} で、より新しい Mantissa が書いたものです。このバージョンは形式 {known} を読みます。Mantissa を更新するか、そちらで古い形式で書き出してください</translation>
    </message>
    <message>
        <source>mantissa_preset is missing; add &quot;mantissa_preset&quot;: 2, so that it is known for a preset and in which format</source>
        <translation>mantissa_preset がありません。プリセットであることとその形式が分かるように &quot;mantissa_preset&quot;: 2 を加えてください</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true か false</translation>
    </message>
    <message>
        <source>text in quotes</source>
        <translation>引用符で囲んだ文字列</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>a list of objects</source>
        <translation>オブジェクトのリスト</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文字列のリスト</translation>
    </message>
    <message>
        <source>a list of module-path patterns</source>
        <translation>モジュールパスのパターンのリスト</translation>
    </message>
    <message>
        <source>a list of two numbers from {least} to {most}</source>
        <translation>{least} から {most} までの 2 つの数値のリスト</translation>
    </message>
    <message>
        <source>a list with at least one of {choices}</source>
        <translation>{choices} のうち少なくとも 1 つを含むリスト</translation>
    </message>
    <message>
        <source>a list of objects with the keys {keys}</source>
        <translation>キー {keys} を持つオブジェクトのリスト</translation>
    </message>
    <message>
        <source>a list of {count}</source>
        <translation>{count} 項目のリスト</translation>
    </message>
    <message>
        <source>a whole number from {least} to {most}</source>
        <translation>{least} から {most} までの整数</translation>
    </message>
    <message>
        <source>a number from {least} to {most}</source>
        <translation>{least} から {most} までの数値</translation>
    </message>
    <message>
        <source>one of {choices}, or a number from {least} to {most}</source>
        <translation>{choices} のいずれか、または {least} から {most} までの数値</translation>
    </message>
    <message>
        <source>one of {choices}, or a list of module-path patterns</source>
        <translation>{choices} のいずれか、またはモジュールパスのパターンのリスト</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation>{choices} のいずれか</translation>
    </message>
    <message>
        <source>a file name without folder or extension</source>
        <translation>フォルダーや拡張子のないファイル名</translation>
    </message>
    <message>
        <source>is empty; give the file a name</source>
        <translation>空です。ファイル名を付けてください</translation>
    </message>
    <message>
        <source>is longer than 128 bytes</source>
        <translation>128 バイトを超えています</translation>
    </message>
    <message>
        <source>is longer than 256 bytes</source>
        <translation>256 バイトを超えています</translation>
    </message>
    <message>
        <source>is longer than 64 KB</source>
        <translation>64 KB を超えています</translation>
    </message>
    <message>
        <source>is not valid UTF-8</source>
        <translation>正しい UTF-8 ではありません</translation>
    </message>
    <message>
        <source>holds control characters</source>
        <translation>制御文字を含んでいます</translation>
    </message>
    <message>
        <source>holds one of / \ : * ? &quot; &lt; &gt; |; give a file name without a folder</source>
        <translation>/ \ : * ? &quot; &lt; &gt; | のいずれかを含んでいます。フォルダーのないファイル名にしてください</translation>
    </message>
    <message>
        <source>starts or ends with a dot or a space; not every system can name a file so</source>
        <translation>点か空白で始まるか終わっています。このようなファイル名を使えないシステムがあります</translation>
    </message>
    <message>
        <source>holds &quot;..&quot;; a preset names no place on a disk</source>
        <translation>「..」を含んでいます。プリセットはディスク上の場所を示しません</translation>
    </message>
    <message>
        <source>is a device name on Windows; choose another</source>
        <translation>Windows のデバイス名です。別の名前にしてください</translation>
    </message>
    <message>
        <source>ends in .safetensors; leave the extension out</source>
        <translation>.safetensors で終わっています。拡張子を除いてください</translation>
    </message>
    <message>
        <source>holds a URL; presets hold none, because they are shared</source>
        <translation>URL を含んでいます。プリセットは共有されるものなので URL は入れられません</translation>
    </message>
    <message>
        <source>looks like a path; presets hold none, because they are shared</source>
        <translation>パスのようです。プリセットは共有されるものなのでパスは入れられません</translation>
    </message>
    <message>
        <source>a module-path pattern of 1 to 256 characters without spaces, slashes or colons, such as &quot;unet.down_blocks.*.attn1.to_q&quot;</source>
        <translation>空白、スラッシュ、コロンを含まない 1～256 文字のモジュールパスのパターン（例: &quot;unet.down_blocks.*.attn1.to_q&quot;）</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be {expected}</source>
        <translation>{key} は {value} ですが、{expected}でなければなりません</translation>
    </message>
    <message>
        <source>{key} is {value}, which {reason}</source>
        <translation>{key} の {value} は{reason}</translation>
    </message>
    <message>
        <source>{advice}, or train with adapter.dora_axis input for ComfyUI</source>
        <translation>{advice}。ComfyUI 用には adapter.dora_axis を input にして学習することもできます</translation>
    </message>
    <message>
        <source>; for them write another file with output.format plain_lora</source>
        <translation>。そうしたプログラム用には output.format plain_lora で別のファイルを書いてください</translation>
    </message>
    <message>
        <source>{place} names {file}, which isn&apos;t used with it</source>
        <translation>{place} にある {file} は使いません</translation>
    </message>
    <message>
        <source>can&apos;t open {file}: {reason}</source>
        <translation>{file} を開けません: {reason}</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>ほか {count} 件</translation>
    </message>
    <message>
        <source>{layer} ({op}, {phase}): {bad} of {count} values of its {tensor} ({format}) are not finite.{before}</source>
        <translation>{layer}（{op}、{phase}）: {tensor}（{format}）の {count} 個の値のうち {bad} 個が有限ではありません。{before}</translation>
    </message>
    <message>
        <source> Before it the largest value was {value}; {type} holds up to {most}.</source>
        <translation>その直前の最大値は {value} で、{type} が表せるのは {most} までです。</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>ファイルもフォルダーもありません</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>権限がありません</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>ディスクに空きがありません</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>フォルダーです</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>フォルダーではありません</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>読み取り専用のファイルシステムです</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>入出力エラーです</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>ファイル名が長すぎます</translation>
    </message>
    <message>
        <source>PEFT and diffusers know DoRA per output only and can&apos;t load this file{advice}</source>
        <translation>PEFT と diffusers は出力ごとの DoRA しか扱えず、このファイルを読み込めません{advice}</translation>
    </message>
    <message>
        <source>diffusers and PEFT render this file as trained; programs that look for dora_scale, such as ComfyUI, don&apos;t{advice}</source>
        <translation>diffusers と PEFT はこのファイルを学習どおりに描きますが、ComfyUI のように dora_scale を探すプログラムはそうなりません{advice}</translation>
    </message>
    <message>
        <source>ComfyUI divides a DoRA per output by the norm of the base weight alone, and diffusers&apos; SDXL loader leaves dora_scale out: neither renders this file as trained{advice}</source>
        <translation>ComfyUI は出力ごとの DoRA をベースの重みのノルムだけで割り、diffusers の SDXL ローダーは dora_scale を無視します。どちらもこのファイルを学習どおりには描きません{advice}</translation>
    </message>
    <message>
        <source>diffusers&apos; SDXL loader leaves dora_scale out and renders this file as plain LoRA, unlike it was trained{advice}</source>
        <translation>diffusers の SDXL ローダーは dora_scale を無視し、学習とは違って通常の LoRA として描きます{advice}</translation>
    </message>
    <message>
        <source>the plain LoRA differs from the DoRA by at most {share} % of a weight&apos;s change, at ranks up to {rank}</source>
        <translation>通常の LoRA と DoRA の差は重みの変化の最大 {share} % で、ランクは最大 {rank} です</translation>
    </message>
    <message>
        <source>{lost} of {all} values round to zero in this file&apos;s dtype; output.dtype fp32 keeps them</source>
        <translation>{all} 個の値のうち {lost} 個がこのファイルの型では 0 に丸められます。output.dtype fp32 なら残ります</translation>
    </message>
    <message>
        <source>converted from UTF-16</source>
        <translation>UTF-16 から変換しました</translation>
    </message>
    <message>
        <source>the first of {count} frames is used</source>
        <translation>{count} フレームのうち最初のものを使います</translation>
    </message>
    <message>
        <source>its colour profile can&apos;t be used and was ignored</source>
        <translation>カラープロファイルが使えないため無視しました</translation>
    </message>
    <message>
        <source>the disk of folder {folder} is full: could not {action} {file}, {need} bytes needed for it{free}; free space or choose another folder</source>
        <translation>フォルダー {folder} のディスクがいっぱいで、{file} を書けませんでした（操作: {action}）。必要なのは {need} バイト{free}です。空きを作るか、別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>, {bytes} free</source>
        <translation>、空きは {bytes} バイト</translation>
    </message>
    <message>
        <source>{what} &quot;{name}&quot; of {source} holds {value}; encode it again in FP32 (precision.weights.vae or .text_encoders fp32)</source>
        <translation>{source} の{what}「{name}」に {value} があります。FP32 でエンコードし直してください（precision.weights.vae または .text_encoders を fp32）</translation>
    </message>
    <message>
        <source>no image to train on in {folders}: put {formats} files there (captions in &lt;name&gt;.txt){skipped}</source>
        <translation>{folders} に学習する画像がありません。{formats} のファイルを置いてください（キャプションは &lt;name&gt;.txt）{skipped}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is not a base model: {reason}</source>
        <translation>「{file}」はベースモデルではありません: {reason}</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA); pass it with --lora and give a checkpoint as the base</source>
        <translation>アダプター（LoRA）です。--lora で指定し、ベースにはチェックポイントを指定してください</translation>
    </message>
    <message>
        <source>no tensor starts with &apos;model.diffusion_model.&apos;; pass a full SDXL or SD 1.5 checkpoint, or a diffusers folder</source>
        <translation>&apos;model.diffusion_model.&apos; で始まるテンソルがありません。完全な SDXL か SD 1.5 のチェックポイント、または diffusers フォルダーを指定してください</translation>
    </message>
    <message>
        <source>{weight} (the whole part is missing)</source>
        <translation>{weight}（部分全体がありません）</translation>
    </message>
    <message>
        <source>{tensor} data ends at byte {end} of the data part, the file ends at {size} (it is cut off)</source>
        <translation>{tensor} データはデータ部の {end} バイト目までのはずですが、ファイルは {size} で終わっています（途中で切れています）</translation>
    </message>
    <message>
        <source>; skipped {files}</source>
        <translation>。除いたもの: {files}</translation>
    </message>
    <message>
        <source>a list of at most {most} {items}</source>
        <translation>{most} 個までの {items} のリスト</translation>
    </message>
    <message>
        <source>{count} weights stay in host memory and are copied to the card for each use: the run may take {limit} bytes there</source>
        <translation>{count} 個の重みはホストメモリに置き、使うたびにカードへコピーします。この学習がカードで使えるのは {limit} バイトです</translation>
    </message>
    <message>
        <source>{file} is damaged: it has another content than its checksum says</source>
        <translation>{file} は破損しています：内容がチェックサムと一致しません</translation>
    </message>
    <message>
        <source>{reason}. No checkpoint holds an intact copy of it, so the run can&apos;t be resumed</source>
        <translation>{reason}。無事な写しを持つチェックポイントがないため、学習を再開できません</translation>
    </message>
    <message>
        <source>{file} is missing: the copy in {checkpoint} is used</source>
        <translation>{file} がありません：{checkpoint} の写しを使います</translation>
    </message>
    <message>
        <source>{file} is not the one that the run was started with: the copy in {checkpoint} is used</source>
        <translation>{file} は学習開始時のものではありません：{checkpoint} の写しを使います</translation>
    </message>
    <message>
        <source>{file} can&apos;t be used ({reason}): the copy in {checkpoint} is used</source>
        <translation>{file} は使えません（{reason}）：{checkpoint} の写しを使います</translation>
    </message>
    <message>
        <source>the run was started with other files: {changes}. Restore them, start a new run, or continue with the present ones</source>
        <translation>この学習は別のファイルで開始されました：{changes}。元に戻すか、新しい学習を開始するか、現在のファイルで続けてください</translation>
    </message>
    <message>
        <source>no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a backup, or start the run over, which sets the damaged ones aside</source>
        <translation>無事なチェックポイントがありません：{reasons}。何も変更していません。バックアップから戻すか、最初からやり直してください。破損したものは別に残します</translation>
    </message>
    <message>
        <source>{checkpoint} was saved by an older version, which didn&apos;t record the base model: whether it is the same is not checked</source>
        <translation>{checkpoint} は旧版が保存したもので、ベースモデルの記録がありません：同じかどうかは確認できません</translation>
    </message>
    <message>
        <source>continues with a changed file, as accepted: {change}</source>
        <translation>確認に従い、別のファイルで続けます：{change}</translation>
    </message>
    <message>
        <source>the damaged checkpoints were set aside in {folder}</source>
        <translation>破損したチェックポイントは {folder} に残します</translation>
    </message>
    <message>
        <source>{file} was deleted: it is made and locked again</source>
        <translation>{file} が削除されました：作り直してロックします</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no longer this program&apos;s lock: it was removed or replaced, and another program may own the run. Nothing more is written there, earlier checkpoints are untouched. End the other program, then resume the run</source>
        <translation>「{file}」はこのプログラムのロックではなくなりました：削除または置き換えられ、別のプログラムがこの学習を使っている可能性があります。以後は書き込まず、以前のチェックポイントはそのままです。別のプログラムを終了してから学習を再開してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; changed while it was read; wait until it is written, then start again</source>
        <translation>「{file}」は読み込み中に変更されました。書き込みが終わってから開始し直してください</translation>
    </message>
    <message>
        <source>its manifest has another content than its checksum says</source>
        <translation>マニフェストの内容がチェックサムと一致しません</translation>
    </message>
    <message>
        <source>the run&apos;s preset has no prompt {number}</source>
        <translation>この学習のプリセットにプロンプト {number} はありません</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}; choose a place you may write to</source>
        <translation>フォルダー {folder} を作成できません。書き込める場所を選んでください</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Trains LoRA adapters for diffusion models.</source>
        <translation>拡散モデルの LoRA アダプターを学習します。</translation>
    </message>
    <message>
        <source>A preset file, or the name of a built-in preset.</source>
        <translation>プリセットファイル、または組み込みプリセットの名前。</translation>
    </message>
    <message>
        <source>Show a recorded run.</source>
        <translation>記録された学習を表示します。</translation>
    </message>
    <message>
        <source>Render every page to DIR/&lt;page&gt;.png and exit.</source>
        <translation>すべてのページを DIR/&lt;page&gt;.png に描画して終了します。</translation>
    </message>
    <message>
        <source>system, light or dark, for this start only.</source>
        <translation>system、light、dark のいずれか。今回の起動のみ。</translation>
    </message>
    <message>
        <source>Language: en, zh_CN or ja, for this start only.</source>
        <translation>言語: en、zh_CN、ja のいずれか。今回の起動のみ。</translation>
    </message>
    <message>
        <source>Scale the whole window by this factor.</source>
        <translation>全体をこの倍率で描画します。</translation>
    </message>
    <message>
        <source>Base model to start with; demo for the built-in one.</source>
        <translation>最初に使うベースモデル。demo は内蔵のもの。</translation>
    </message>
    <message>
        <source>Image folder to start with; may be given more than once.</source>
        <translation>最初に使う画像フォルダー。複数指定できます。</translation>
    </message>
    <message>
        <source>Print the milliseconds to the first frame and exit.</source>
        <translation>最初のフレームまでのミリ秒を出力して終了します。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::BucketView</name>
    <message>
        <source>Images by bucket</source>
        <translation>バケット別の画像</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Aspect</source>
        <translation>縦横比</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>Batches an epoch</source>
        <translation>1 エポックのバッチ数</translation>
    </message>
    <message>
        <source>Repeated to fill a batch</source>
        <translation>バッチを埋めるための重複</translation>
    </message>
    <message>
        <source>Enter shows the images of this size</source>
        <translation>Enter キーでこのサイズの画像を表示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CaptionBook</name>
    <message>
        <source>caption</source>
        <translation>キャプション</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>ほか %n 件。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was changed by another program and was not overwritten; press Scan again to read it.</source>
        <translation>%1 はほかのプログラムで変更されたため、そのままにしてあります。読み込むには「再スキャン」を押してください。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be removed.</source>
        <translation>%1 を削除できません。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2. The caption is kept here until you quit.</source>
        <translation>%1 に書き込めません: %2。キャプションはプログラムを終了するまでここに残ります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CaptionEditor</name>
    <message>
        <source>Caption</source>
        <translation>キャプション</translation>
    </message>
    <message>
        <source>Caption of the image</source>
        <translation>画像のキャプション</translation>
    </message>
    <message>
        <source>What the image shows; tags are separated by commas</source>
        <translation>画像に写っているもの。タグはカンマで区切ります</translation>
    </message>
    <message>
        <source>What to do with the captions of the selected images</source>
        <translation>選択した画像のキャプションに行う操作</translation>
    </message>
    <message>
        <source>Add tag at the end</source>
        <translation>末尾にタグを追加</translation>
    </message>
    <message>
        <source>Add tag in front</source>
        <translation>先頭にタグを追加</translation>
    </message>
    <message>
        <source>Remove tag</source>
        <translation>タグを削除</translation>
    </message>
    <message>
        <source>Replace tag</source>
        <translation>タグを置換</translation>
    </message>
    <message>
        <source>Put text before</source>
        <translation>前にテキストを追加</translation>
    </message>
    <message>
        <source>Put text after</source>
        <translation>後ろにテキストを追加</translation>
    </message>
    <message>
        <source>Sort tags by frequency</source>
        <translation>タグを頻度順に並べ替え</translation>
    </message>
    <message>
        <source>Tag or text</source>
        <translation>タグまたはテキスト</translation>
    </message>
    <message>
        <source>New tag</source>
        <translation>新しいタグ</translation>
    </message>
    <message>
        <source>new tag</source>
        <translation>新しいタグ</translation>
    </message>
    <message>
        <source>Tags in use, the most frequent first</source>
        <translation>使用中のタグ（多い順）</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>キャプション</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存済み</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>保存できません</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation>
            <numerusform>%n 件のキャプションを変更しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>comes with Mantissa; copy the folder to change it</source>
        <translation>Mantissa に付属のフォルダーです。変更するにはコピーしてください</translation>
    </message>
    <message>
        <source>text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>タグ</translation>
    </message>
    <message numerus="yes">
        <source>Apply to all %n</source>
        <translation>
            <numerusform>全 %n 件に適用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Apply to %n selected</source>
        <translation>
            <numerusform>選択した %n 件に適用</numerusform>
        </translation>
    </message>
    <message>
        <source>Enter shows the images with this tag</source>
        <translation>Enter キーでこのタグの画像を表示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CloseGuard</name>
    <message>
        <source>A run is in progress. Stop it, save and quit?</source>
        <translation>学習が進行中です。停止し、保存して終了しますか？</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ComparePage</name>
    <message>
        <source>Select a run above to see its curves, settings and samples.
Select several with Ctrl or Shift to compare them.</source>
        <translation>上で学習を選ぶと、曲線、設定、サンプルが表示されます。
Ctrl または Shift で複数選ぶと比較できます。</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲線</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>サンプル</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1を表示</translation>
    </message>
    <message>
        <source>Results and settings of the selected runs</source>
        <translation>選択した学習の結果と設定</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>勾配ノルム</translation>
    </message>
    <message>
        <source>No steps yet</source>
        <translation>まだステップがありません</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>Prompt of the samples</source>
        <translation>サンプルのプロンプト</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Step of the samples</source>
        <translation>サンプルのステップ</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Differing setting</source>
        <translation>異なる設定</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>既定値</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ数</translation>
    </message>
    <message>
        <source>Loss, mean of the last tenth</source>
        <translation>損失（最後の 1/10 の平均）</translation>
    </message>
    <message>
        <source>Seconds a step</source>
        <translation>1 ステップの秒数</translation>
    </message>
    <message>
        <source>Clipped steps</source>
        <translation>クリッピングされたステップ</translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation>スキップされたステップ</translation>
    </message>
    <message>
        <source>This version can&apos;t read the preset of a selected run.</source>
        <translation>選択した学習のプリセットは、このバージョンでは読み込めません。</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ from the defaults.</source>
        <translation>
            <numerusform>既定値と異なる設定: %n 件。</numerusform>
        </translation>
    </message>
    <message>
        <source>The presets are identical.</source>
        <translation>プリセットは同じです。</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ between the runs.</source>
        <translation>
            <numerusform>学習間で異なる設定: %n 件。</numerusform>
        </translation>
    </message>
    <message>
        <source>No sample of this prompt up to this step</source>
        <translation>このステップまでに、このプロンプトのサンプルはありません</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · ステップ %2</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CropView</name>
    <message>
        <source>What training uses of the image</source>
        <translation>画像のうち学習に使われる範囲</translation>
    </message>
    <message>
        <source>%1 by %2 pixels are scaled to %3 by %4 and cut to %5 by %6</source>
        <translation>%1 × %2 ピクセルを %3 × %4 にリサイズし、%5 × %6 に切り抜きます</translation>
    </message>
    <message>
        <source>Choose an image on the left.</source>
        <translation>左で画像を選んでください。</translation>
    </message>
    <message>
        <source>This image can&apos;t be read.</source>
        <translation>この画像は読み込めません。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DataPage</name>
    <message>
        <source>can&apos;t be read</source>
        <translation>読み込めません</translation>
    </message>
    <message>
        <source>No image folder is selected.
Add one under “This run” in Setup; its images, captions and buckets are shown here before you train.</source>
        <translation>画像フォルダーが選ばれていません。
設定ページの「この学習」で追加すると、学習の前に画像、キャプション、バケットをここで確認できます。</translation>
    </message>
    <message>
        <source>Scanning the folders…</source>
        <translation>フォルダーを調べています…</translation>
    </message>
    <message>
        <source>Images scanned</source>
        <translation>調べた画像</translation>
    </message>
    <message>
        <source>Scan again</source>
        <translation>再スキャン</translation>
    </message>
    <message>
        <source>Only %1 × %2</source>
        <translation>%1 × %2 のみ</translation>
    </message>
    <message>
        <source>Only “%1”</source>
        <translation>「%1」のみ</translation>
    </message>
    <message>
        <source>Search names and captions (Ctrl+F)</source>
        <translation>名前とキャプションを検索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search names and captions</source>
        <translation>名前とキャプションを検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Show all images again</source>
        <translation>すべての画像を再び表示</translation>
    </message>
    <message>
        <source>Rescan the folders (Ctrl+R)</source>
        <translation>フォルダーをもう一度調べる (Ctrl+R)</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>Skipped files, and why</source>
        <translation>学習から除外されるファイルとその理由</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Scanned %1 of %2 images</source>
        <translation>%2 枚中 %1 枚を調べました</translation>
    </message>
    <message>
        <source>No file is skipped.</source>
        <translation>除外されたファイルはありません。</translation>
    </message>
    <message>
        <source>There is no image to train on in these folders.</source>
        <translation>これらのフォルダーに学習できる画像はありません。</translation>
    </message>
    <message>
        <source>%1 × %2, trained as %3 × %4; %5 % of it is kept</source>
        <translation>%1 × %2、学習時 %3 × %4、%5% が残ります</translation>
    </message>
    <message>
        <source>; enlarged %1 times</source>
        <translation>（%1 倍に拡大）</translation>
    </message>
    <message>
        <source>Images %1</source>
        <translation>画像 %1</translation>
    </message>
    <message>
        <source>Buckets %1</source>
        <translation>バケット %1</translation>
    </message>
    <message>
        <source>Skipped %1</source>
        <translation>スキップ %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%n without a caption</source>
        <translation>
            <numerusform>キャプションなし: %n 枚</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n for validation</source>
        <translation>
            <numerusform>検証用: %n 枚</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DatasetModel</name>
    <message>
        <source>no caption</source>
        <translation>キャプションなし</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DevicePage</name>
    <message>
        <source>%1 free of %2</source>
        <translation>空き %1 / %2</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>このコンピューター</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>Refresh devices (Ctrl+R)</source>
        <translation>デバイスを更新 (Ctrl+R)</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>テキストとしてコピー</translation>
    </message>
    <message>
        <source>Everything on this page, for a report (Ctrl+C)</source>
        <translation>このページの全内容を報告用にコピー (Ctrl+C)</translation>
    </message>
    <message>
        <source>Detecting devices…</source>
        <translation>デバイスを調べています…</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>Devices of this computer</source>
        <translation>このコンピューターのデバイス</translation>
    </message>
    <message>
        <source>Unknown processor</source>
        <translation>不明なプロセッサー</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA GPU</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>使用可能</translation>
    </message>
    <message>
        <source>Can&apos;t be used</source>
        <translation>使用できません</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>メインメモリ</translation>
    </message>
    <message>
        <source>VRAM</source>
        <translation>VRAM</translation>
    </message>
    <message>
        <source>RAM in use of %1</source>
        <translation>%1 のメインメモリ使用量</translation>
    </message>
    <message>
        <source>VRAM in use of %1</source>
        <translation>%1 の VRAM 使用量</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>スレッド数</translation>
    </message>
    <message>
        <source>Compute capability</source>
        <translation>Compute Capability</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>ドライバー</translation>
    </message>
    <message>
        <source>Instruction sets</source>
        <translation>命令セット</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>ディスク</translation>
    </message>
    <message>
        <source>Disk in use: %1</source>
        <translation>ディスク使用量: %1</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>バージョン</translation>
    </message>
    <message>
        <source>The device report is on the clipboard.</source>
        <translation>デバイスのレポートをクリップボードにコピーしました。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DiffTable</name>
    <message>
        <source>No difference.</source>
        <translation>違いはありません。</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>%1 in %2: %3</source>
        <translation>%2 の %1: %3</translation>
    </message>
    <message>
        <source>%1: %2 from %3</source>
        <translation>%1: %3 の %2</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>%1 を %2 に設定</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DiskCard</name>
    <message>
        <source>Paused: the disk is full</source>
        <translation>一時停止中: ディスクがいっぱいです</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Try to write again</source>
        <translation>もう一度書き込みを試す</translation>
    </message>
    <message>
        <source>Save to another folder…</source>
        <translation>別のフォルダーに保存…</translation>
    </message>
    <message>
        <source>Stop without saving</source>
        <translation>保存せずに停止</translation>
    </message>
    <message>
        <source>The folder %1 needs %2 free; it has %3. Nothing is lost: the run continues from here as soon as there is space.</source>
        <translation>フォルダー %1 には %2 の空きが必要ですが、%3 しかありません。失われたものはありません。空きができしだい、学習はここから続きます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DraftReview</name>
    <message>
        <source>Now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>After the fixes</source>
        <translation>修正後</translation>
    </message>
    <message>
        <source>Apply all</source>
        <translation>すべて適用</translation>
    </message>
    <message>
        <source>Apply all changes</source>
        <translation>すべての変更を適用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Close without changes</source>
        <translation>変更せずに閉じる</translation>
    </message>
    <message>
        <source>The fix for %1 is in the draft of the preset; the next run will use it.</source>
        <translation>%1 の修正をプリセットの下書きに入れました。次の学習から使われます。</translation>
    </message>
    <message>
        <source>Start is blocked. %1</source>
        <translation>開始できません。%1</translation>
    </message>
    <message>
        <source>fix for %1</source>
        <translation>%1 の修正</translation>
    </message>
    <message>
        <source>There is nothing to fix.</source>
        <translation>修正するものはありません。</translation>
    </message>
    <message>
        <source>Apply safe fixes</source>
        <translation>安全な修正を適用</translation>
    </message>
    <message>
        <source>applying safe fixes</source>
        <translation>安全な修正を適用</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DropTarget</name>
    <message>
        <source>%1 carries no preset; it is now the base model of this run.</source>
        <translation>%1 にプリセットは含まれていません。この学習のベースモデルにしました。</translation>
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
        <translation>このコンピューターのメモリが足りなくなりました。ほかのプログラムを閉じるか、バッチサイズまたは解像度を下げてください。</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly: %1</source>
        <translation>エンジンが予期せず停止しました: %1</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly, without an error message.</source>
        <translation>エンジンが理由を示さずに予期せず停止しました。</translation>
    </message>
    <message>
        <source>%1 lines are not shown here; see log.txt in the run folder.</source>
        <translation>ここでは %1 行を省略しています。全文は出力フォルダーの log.txt にあります。</translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) of layer statistics were dropped because the window was busy; open the run from History to see them all.</source>
        <translation>
            <numerusform>ウィンドウが止まっていた間の健全性の記録 %n 件はここに表示されません。履歴からこの学習を開くと、すべて表示されます。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ExponentHistogram</name>
    <message>
        <source>Exponent histogram</source>
        <translation>指数のヒストグラム</translation>
    </message>
    <message>
        <source>%1 nonzero values; %2 stored as zero, %3 with reduced precision, %4 too large</source>
        <translation>0 でない値: %1 個。うち 0 として保存 %2 個、有効桁の減少 %3 個、大きすぎる %4 個</translation>
    </message>
    <message>
        <source>Select a cell to see how that tensor&apos;s values are distributed.</source>
        <translation>マップのセルを選ぶと、そのテンソルの数値の分布が表示されます。</translation>
    </message>
    <message>
        <source>green: %1 holds it · hatched: reduced precision · red: lost</source>
        <translation>緑: %1 で表せる · 斜線: 有効桁の減少 · 赤: 失われる</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldEditor</name>
    <message>
        <source>as above</source>
        <translation>上と同じ</translation>
    </message>
    <message>
        <source>a set, or patterns separated by commas</source>
        <translation>セット名、またはカンマ区切りのパターン</translation>
    </message>
    <message>
        <source>a name or a number</source>
        <translation>名前または数値</translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation>カンマ区切り</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldRow</name>
    <message>
        <source>changed</source>
        <translation>変更済み</translation>
    </message>
    <message>
        <source>Changed from the default</source>
        <translation>既定値から変更済み</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 をリセット</translation>
    </message>
    <message>
        <source>Back to the default: %1</source>
        <translation>既定値に戻す: %1</translation>
    </message>
    <message>
        <source>Help on %1</source>
        <translation>%1 のヘルプ</translation>
    </message>
    <message>
        <source>The current run can use this: Apply changes.</source>
        <translation>進行中の学習に反映できます:「変更を適用」。</translation>
    </message>
    <message>
        <source>Has an effect only with %1 = %2.</source>
        <translation>%1 = %2 のときだけ有効です。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> または </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FindingCard</name>
    <message>
        <source>Refused</source>
        <translation>不可</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Adjusted</source>
        <translation>調整済み</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>問題なし</translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation>理由: %1</translation>
    </message>
    <message>
        <source>Show %1 in the form</source>
        <translation>%1 をフォームに表示</translation>
    </message>
    <message>
        <source>Show the setting %1</source>
        <translation>設定 %1 を表示</translation>
    </message>
    <message>
        <source>Write into the preset</source>
        <translation>プリセットに書き込む</translation>
    </message>
    <message>
        <source>Apply this fix</source>
        <translation>この修正を適用</translation>
    </message>
    <message>
        <source>Apply the fix for %1</source>
        <translation>%1 の修正を適用</translation>
    </message>
    <message>
        <source>Ignore for this preset</source>
        <translation>このプリセットでは無視</translation>
    </message>
    <message>
        <source>Ignore the warning %1 for this preset</source>
        <translation>このプリセットでは警告 %1 を無視</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FirstRunWizard</name>
    <message>
        <source>Welcome to Mantissa</source>
        <translation>Mantissa へようこそ</translation>
    </message>
    <message>
        <source>Choose a base model</source>
        <translation>ベースモデルを選択</translation>
    </message>
    <message>
        <source>A .safetensors file or a diffusers folder of SDXL, Stable Diffusion 1.5 or PixArt. The demo is a tiny model that comes with Mantissa and trains in minutes on any computer.</source>
        <translation>SDXL、Stable Diffusion 1.5、PixArt の .safetensors ファイルまたは diffusers フォルダー。デモは Mantissa に付属するごく小さなモデルで、どのコンピューターでも数分で学習できます。</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>.safetensors file or diffusers folder</source>
        <translation>.safetensors ファイルまたは diffusers フォルダー</translation>
    </message>
    <message>
        <source>Models (*.safetensors);;All files (*)</source>
        <translation>モデル (*.safetensors);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Choose training images</source>
        <translation>学習画像を選択</translation>
    </message>
    <message>
        <source>Folders of images; 10 to 40 are enough for a person, an object or a style. A caption is a text file with the image's name. The Data page helps you write captions.</source>
        <translation>画像のフォルダーです。人物、物、画風なら 10～40 枚で十分です。キャプションは同じ名前のテキストファイルに書きます。データページで書くこともできます。</translation>
    </message>
    <message>
        <source>Image folders</source>
        <translation>画像フォルダー</translation>
    </message>
    <message>
        <source>Folders with images and their captions</source>
        <translation>画像とキャプションのあるフォルダー</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>画像フォルダー</translation>
    </message>
    <message>
        <source>What do you want to train?</source>
        <translation>何を学習させますか？</translation>
    </message>
    <message>
        <source>This picks a preset. You can change everything in it later.</source>
        <translation>プリセットを選びます。内容は後からすべて変更できます。</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>目的</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>スキップ</translation>
    </message>
    <message>
        <source>Start with the defaults and don't show this again</source>
        <translation>既定値で始めます。この画面は今後表示されません</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>戻る</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>次へ</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>ステップ %1 / %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完了</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HeaderBar</name>
    <message>
        <source>Preset</source>
        <translation>プリセット</translation>
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
        <translation>層</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>テンソル</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>形式</translation>
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
        <translation>色の凡例</translation>
    </message>
    <message>
        <source>✕ NaN/Inf   – not measured</source>
        <translation>✕ 非有限   – 未確認</translation>
    </message>
    <message>
        <source>Heat map of layers over steps</source>
        <translation>層 × ステップのヒートマップ</translation>
    </message>
    <message>
        <source>Layer statistics appear here every few steps.</source>
        <translation>数ステップごとに各層の数値を調べ、ここに表示します。</translation>
    </message>
    <message>
        <source>Numerics of every tensor</source>
        <translation>全テンソルの健全性</translation>
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
        <translation>0 でないのに 0 として保存された値の割合</translation>
    </message>
    <message>
        <source>Share of the values beyond the format&apos;s largest number</source>
        <translation>形式の最大値を超えた値の割合</translation>
    </message>
    <message>
        <source>Doublings left before the largest value overflows</source>
        <translation>最大の値がオーバーフローするまでに 2 倍にできる回数</translation>
    </message>
    <message>
        <source>Signal to rounding noise: about 6 dB for every bit kept</source>
        <translation>信号と丸め雑音の比。保たれるビット 1 つにつき約 6 dB</translation>
    </message>
    <message>
        <source>Measure: %1</source>
        <translation>指標: %1</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>テンソル</translation>
    </message>
    <message>
        <source>Worst tensor</source>
        <translation>最悪のテンソル</translation>
    </message>
    <message>
        <source>Order of the layers</source>
        <translation>層の並び順</translation>
    </message>
    <message>
        <source>As they run</source>
        <translation>実行順</translation>
    </message>
    <message>
        <source>Worst first</source>
        <translation>悪い順</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>層</translation>
    </message>
    <message>
        <source>Show only layers whose name holds this</source>
        <translation>名前にこの文字を含む層だけを表示</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>フィルターをクリア</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Show a table in place of the map</source>
        <translation>マップの代わりに表を表示</translation>
    </message>
    <message>
        <source>Tensor of this layer</source>
        <translation>この層のテンソル</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Underflow</source>
        <translation>アンダーフロー</translation>
    </message>
    <message>
        <source>Reduced precision</source>
        <translation>有効桁の減少</translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation>オーバーフロー</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余裕</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>Largest value</source>
        <translation>最大値</translation>
    </message>
    <message>
        <source>Step %1, first tensor with NaN/Inf: %2</source>
        <translation>ステップ %1、最初に非有限になったテンソル: %2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>重み</translation>
    </message>
    <message>
        <source>No cell selected</source>
        <translation>セルが選ばれていません</translation>
    </message>
    <message>
        <source>%1 · %2 at step %3</source>
        <translation>%1 · %2（ステップ %3）</translation>
    </message>
    <message>
        <source>%1, %2 NaN/Inf</source>
        <translation>%1、%2 個が非有限</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HeatMap</name>
    <message>
        <source>Arrow keys move between cells; the table shows the same values.</source>
        <translation>矢印キーでセルを移動します。表にも同じ内容があります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HistoryPage</name>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message>
        <source>No runs yet.
Each run that you start, here or with the mantissa command, is listed on this page.</source>
        <translation>まだ学習がありません。
ここや mantissa コマンドで開始した学習は、すべてこのページに並びます。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>学習の一覧</translation>
    </message>
    <message>
        <source>Columns of the runs</source>
        <translation>学習一覧の列</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Show the run on the Train page; a run in progress is shown live</source>
        <translation>学習ページに表示します。進行中の学習はリアルタイムで表示します</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>再開</translation>
    </message>
    <message>
        <source>Continue from the run&apos;s last checkpoint</source>
        <translation>最後のチェックポイントから続ける</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>複製</translation>
    </message>
    <message>
        <source>Load the run&apos;s preset into Setup for another run</source>
        <translation>この学習のプリセットを設定ページに読み込み、別の学習に使う</translation>
    </message>
    <message>
        <source>Steps as CSV…</source>
        <translation>ステップを CSV…</translation>
    </message>
    <message>
        <source>Every number of every step</source>
        <translation>すべてのステップのすべての数値</translation>
    </message>
    <message>
        <source>Curves as PNG…</source>
        <translation>曲線を PNG…</translation>
    </message>
    <message>
        <source>The loss curves of the selected runs</source>
        <translation>選択した学習の損失曲線</translation>
    </message>
    <message>
        <source>Report as Markdown…</source>
        <translation>レポートを Markdown…</translation>
    </message>
    <message>
        <source>Result, settings, curve and warnings of the run</source>
        <translation>学習の結果、設定、曲線、警告</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Move the selected runs to the trash</source>
        <translation>選択した学習をごみ箱に移動</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation>学習を検索</translation>
    </message>
    <message>
        <source>Search runs (Ctrl+F)</source>
        <translation>学習を検索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>学習を検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Only runs in a state</source>
        <translation>特定の状態の学習のみ</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>全状態</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>進行中</translation>
    </message>
    <message>
        <source>Only runs with a tag</source>
        <translation>特定のタグの学習のみ</translation>
    </message>
    <message>
        <source>All tags</source>
        <translation>全タグ</translation>
    </message>
    <message>
        <source>Write the run to a file</source>
        <translation>学習をファイルに書き出す</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>学習 %n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted.</source>
        <translation>
            <numerusform>学習 %n 件を削除しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>These folders lie outside the runs folder and stay: %1</source>
        <translation>次のフォルダーは学習の保存フォルダーの外にあるため残します: %1</translation>
    </message>
    <message>
        <source>The trash holds them.</source>
        <translation>ごみ箱に入っています。</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>%1 に書き出しました</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImportDialog</name>
    <message>
        <source>mapped</source>
        <translation>対応あり</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>変換</translation>
    </message>
    <message>
        <source>ignored</source>
        <translation>無視</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>推定</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>%1 を取り込む</translation>
    </message>
    <message>
        <source>%1, read as %2</source>
        <translation>%1（%2 として読み込み）</translation>
    </message>
    <message>
        <source>%1. Nothing has been changed yet; paths and commands of the file are never taken over.</source>
        <translation>%1。まだ何も変更していません。ファイル内のパスやコマンドは決して取り込みません。</translation>
    </message>
    <message>
        <source>Changes and report</source>
        <translation>変更とレポート</translation>
    </message>
    <message>
        <source>Changes to this preset</source>
        <translation>このプリセットへの変更</translation>
    </message>
    <message>
        <source>This preset now</source>
        <translation>現在のプリセット</translation>
    </message>
    <message>
        <source>After the import</source>
        <translation>取り込み後</translation>
    </message>
    <message>
        <source>Changes (%1)</source>
        <translation>変更 (%1)</translation>
    </message>
    <message>
        <source>Search keys, or ignored, changed, unknown</source>
        <translation>キー、または「無視」「変換」「不明」で検索</translation>
    </message>
    <message>
        <source>Search the report</source>
        <translation>レポートを検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Report of every key</source>
        <translation>全キーのレポート</translation>
    </message>
    <message>
        <source>Every key (%1)</source>
        <translation>すべてのキー (%1)</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>適用</translation>
    </message>
    <message>
        <source>Apply the import to the preset</source>
        <translation>取り込みをプリセットに適用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Close without importing</source>
        <translation>取り込まずに閉じる</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Result, or reason</source>
        <translation>変換先、または理由</translation>
    </message>
    <message>
        <source> (line %1)</source>
        <translation> （%1 行目）</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::JobPanel</name>
    <message>
        <source>This run</source>
        <translation>この学習</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>.safetensors file or diffusers folder</source>
        <translation>.safetensors ファイルまたは diffusers フォルダー</translation>
    </message>
    <message>
        <source>Models (*.safetensors);;All files (*)</source>
        <translation>モデル (*.safetensors);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Image folders</source>
        <translation>画像フォルダー</translation>
    </message>
    <message>
        <source>Folders with images and their captions</source>
        <translation>画像とキャプションのあるフォルダー</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>画像フォルダー</translation>
    </message>
    <message>
        <source>Prior images</source>
        <translation>事前保持用の画像</translation>
    </message>
    <message>
        <source>none, or a folder</source>
        <translation>なし、またはフォルダー</translation>
    </message>
    <message>
        <source>Images of the concept&apos;s class, such as dogs for your dog. They preserve what the base model knows of the class; training.prior_weight sets how strongly.</source>
        <translation>コンセプトが属するクラスの画像です（自分の犬なら犬全般）。ベースモデルが持つそのクラスの概念を学習中も保ちます。強さは training.prior_weight で決まります。</translation>
    </message>
    <message>
        <source>Validation images</source>
        <translation>検証データ</translation>
    </message>
    <message>
        <source>Images that are never trained on. Their loss, always with the same noise, shows when a run starts to overfit.</source>
        <translation>学習には使わない画像です。毎回同じノイズで測った損失から、過学習の始まりが分かります。</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>出力フォルダー</translation>
    </message>
    <message>
        <source>a new folder among the runs</source>
        <translation>学習の保存フォルダーに新規作成</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Continue a run</source>
        <translation>学習の続き</translation>
    </message>
    <message>
        <source>new run, or a run folder to continue</source>
        <translation>最初から / 以前の出力先</translation>
    </message>
    <message>
        <source>Run to continue</source>
        <translation>続きから行う学習</translation>
    </message>
    <message>
        <source>Choose a base model first, or press Demo beside it.</source>
        <translation>先にベースモデルを選ぶか、横の「デモ」を押してください。</translation>
    </message>
    <message>
        <source>Add a folder with images first, or press Demo below the list.</source>
        <translation>先に画像フォルダーを追加するか、一覧の下の「デモ」を押してください。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LiveSettings</name>
    <message>
        <source>The run uses the changed settings after this step.</source>
        <translation>このステップの後、変更した設定が学習に反映されます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LogView</name>
    <message>
        <source>Log</source>
        <translation>ログ</translation>
    </message>
    <message>
        <source>Minimum log level</source>
        <translation>ログの最低レベル</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation>情報以上</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告とエラー</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>エラーのみ</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy the log</source>
        <translation>ログをコピー</translation>
    </message>
    <message>
        <source>Engine messages appear here.</source>
        <translation>エンジンのメッセージがここに表示されます。</translation>
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
        <translation>元に戻す</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MarkerCard</name>
    <message>
        <source>What happened at a marker</source>
        <translation>マーカーで起きたこと</translation>
    </message>
    <message>
        <source>Previous marker</source>
        <translation>前のマーカー</translation>
    </message>
    <message>
        <source>Next marker</source>
        <translation>次のマーカー</translation>
    </message>
    <message>
        <source>Close this card</source>
        <translation>このカードを閉じる</translation>
    </message>
    <message>
        <source>First tensor with NaN/Inf</source>
        <translation>最初に非有限になったテンソル</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>層</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>演算</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>テンソル</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>NaN/Inf</source>
        <translation>NaN/Inf</translation>
    </message>
    <message>
        <source>%1 of %2 values</source>
        <translation>%2 個中 %1 個</translation>
    </message>
    <message>
        <source>Largest value before it</source>
        <translation>直前の最大値</translation>
    </message>
    <message>
        <source>none entered</source>
        <translation>入力なし</translation>
    </message>
    <message>
        <source>Largest that %1 holds</source>
        <translation>%1 で表せる最大値</translation>
    </message>
    <message>
        <source>What to change</source>
        <translation>変更すべき点</translation>
    </message>
    <message>
        <source>Step %1 · loss is NaN/Inf</source>
        <translation>ステップ %1 · 損失が数値ではない</translation>
    </message>
    <message>
        <source>The optimizer took no step with it: the weights are those of step %1.</source>
        <translation>オプティマイザーはこのステップで更新しませんでした。重みはステップ %1 のものです。</translation>
    </message>
    <message>
        <source>(see the log)</source>
        <translation>（ログを参照）</translation>
    </message>
    <message>
        <source>Step %1 · gradients overflowed, step skipped</source>
        <translation>ステップ %1 · 勾配がオーバーフロー、スキップ</translation>
    </message>
    <message>
        <source>Step %1 · NaN/Inf gradients, step skipped</source>
        <translation>ステップ %1 · 勾配が非有限、スキップ</translation>
    </message>
    <message>
        <source>At the loss scale %1 a gradient left the range of its format. The step was skipped and the scale halved; the weights were not touched.</source>
        <translation>損失スケール %1 で、勾配が形式の範囲を外れました。このステップはスキップされ、スケールは半分になりました。重みは変わっていません。</translation>
    </message>
    <message>
        <source>The step was skipped; the weights were not touched.</source>
        <translation>このステップはスキップされ、重みは変わっていません。</translation>
    </message>
    <message>
        <source>Nothing to change: a few skips at the start, and one after each doubling of the scale, are how it is found.</source>
        <translation>変更は不要です。最初に数回と、スケールが 2 倍になるたびに 1 回のスキップは、適切なスケールを探すための動作です。</translation>
    </message>
    <message>
        <source>Step %1 · saved</source>
        <translation>ステップ %1 · 保存</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>フォルダーを開く</translation>
    </message>
    <message>
        <source>Step %1 · samples rendered</source>
        <translation>ステップ %1 · サンプルを生成</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>表示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>メッセージを閉じる</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Notifier</name>
    <message>
        <source>The run failed: %1</source>
        <translation>学習が失敗しました: %1</translation>
    </message>
    <message>
        <source>The run has finished.</source>
        <translation>学習が終了しました。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ObjectsEditor</name>
    <message>
        <source>Add</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>%1に追加</translation>
    </message>
    <message>
        <source>Remove %1 %2</source>
        <translation>%1 %2 を削除</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PageRail</name>
    <message>
        <source>Pages</source>
        <translation>ページ</translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation>%1ページ</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PathEdit</name>
    <message>
        <source>Clear %1</source>
        <translation>%1をクリア</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>%1を参照</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>参照…</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>デモ</translation>
    </message>
    <message>
        <source>Use the built-in demo as %1</source>
        <translation>組み込みのデモを%1として使う</translation>
    </message>
    <message>
        <source>Use the built-in demo</source>
        <translation>組み込みのデモを使う</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PathListEdit</name>
    <message>
        <source>Add folder…</source>
        <translation>フォルダーを追加…</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>%1に追加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Remove the selected from %1</source>
        <translation>選択したものを%1から削除</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>デモ</translation>
    </message>
    <message>
        <source>Use the built-in demo as %1</source>
        <translation>組み込みのデモを%1として使う</translation>
    </message>
    <message>
        <source>Use the built-in demo</source>
        <translation>組み込みのデモを使う</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PicturePane</name>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation>%1 を読み込めません: %2</translation>
    </message>
    <message>
        <source>Sample image %1</source>
        <translation>サンプル画像 %1</translation>
    </message>
    <message>
        <source>Split: %1 on the left, %2 on the right; the arrow keys move the line between them.</source>
        <translation>分割表示: 左が %1、右が %2。矢印キーで境界線を動かします。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PinsEditor</name>
    <message>
        <source>Add pin</source>
        <translation>固定を追加</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>%1に追加</translation>
    </message>
    <message>
        <source>module path, e.g. unet.conv_*</source>
        <translation>モジュールパス（例: unet.conv_*）</translation>
    </message>
    <message>
        <source>%1: pattern</source>
        <translation>%1: パターン</translation>
    </message>
    <message>
        <source>%1: type</source>
        <translation>%1: 型</translation>
    </message>
    <message>
        <source>%1: remove</source>
        <translation>%1: 削除</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PlanWatcher</name>
    <message>
        <source>Choose a base model to see the memory that this needs.</source>
        <translation>ベースモデルを選ぶと、必要なメモリが表示されます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PlotWidget</name>
    <message>
        <source>Show the whole run</source>
        <translation>学習全体を表示</translation>
    </message>
    <message>
        <source>Save as image…</source>
        <translation>画像として保存…</translation>
    </message>
    <message>
        <source>Save values as CSV…</source>
        <translation>値を CSV として保存…</translation>
    </message>
    <message>
        <source>smoothed </source>
        <translation>平滑化 </translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>▲ step %1: %2 is %3</source>
        <translation>▲ ステップ %1: %2 は %3</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>ステップ %1: %2</translation>
    </message>
    <message>
        <source>Plot of %1</source>
        <translation>%1 のグラフ</translation>
    </message>
    <message>
        <source>Arrow keys move, plus and minus zoom, 0 shows the whole run. Wheel zooms, drag moves, Shift and drag zooms into a box, double click resets. N and P go to the next and previous marker, Enter opens it.</source>
        <translation>矢印キーで移動、+ と - で拡大縮小、0 で学習全体を表示。ホイールで拡大縮小、ドラッグで移動、Shift+ドラッグで範囲を拡大、ダブルクリックで元に戻します。N と P で次と前のマーカーへ移動し、Enter で開きます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PlotsPanel</name>
    <message>
        <source>Loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>Of every step, and smoothed</source>
        <translation>ステップごとの値と平滑化した値</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>勾配ノルム</translation>
    </message>
    <message>
        <source>Before clipping, with the clipping threshold</source>
        <translation>クリッピング前の値と、クリッピングの上限</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>損失スケール</translation>
    </message>
    <message>
        <source>And the steps that the optimizer skipped</source>
        <translation>損失スケールと、そのためにオプティマイザーがスキップしたステップ</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学習率</translation>
    </message>
    <message>
        <source>Of every part that is trained</source>
        <translation>学習する部分ごと</translation>
    </message>
    <message>
        <source>Lost updates, %</source>
        <translation>失われた更新 (%)</translation>
    </message>
    <message>
        <source>Share of adapter weights that the update was too small to change</source>
        <translation>更新が小さすぎて動かなかったアダプターの数値の割合</translation>
    </message>
    <message>
        <source>Update / weight</source>
        <translation>更新 / 重み</translation>
    </message>
    <message>
        <source>How far a step moves the adapter, relative to its size</source>
        <translation>1 ステップでアダプターがどれだけ動くか（大きさとの比）</translation>
    </message>
    <message>
        <source>Plots of the run</source>
        <translation>学習のグラフ</translation>
    </message>
    <message>
        <source>The loss of every step appears here.</source>
        <translation>ステップごとの損失がここに表示されます。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>ノルム</translation>
    </message>
    <message>
        <source>clip</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>検証</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>スケール</translation>
    </message>
    <message>
        <source>denoiser</source>
        <translation>デノイザー</translation>
    </message>
    <message>
        <source>text encoder %1</source>
        <translation>テキストエンコーダー %1</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>消失</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>学習率</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑化</translation>
    </message>
    <message>
        <source>Steps averaged by the smoothed line; none at the left end</source>
        <translation>平滑線が平均するステップ数。左端では平滑化しません</translation>
    </message>
    <message>
        <source>≈ %1 steps</source>
        <translation>≈ %1 ステップ</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>Y 軸を対数</translation>
    </message>
    <message>
        <source>Logarithmic axis for loss, gradient norm and update / weight</source>
        <translation>損失、勾配ノルム、更新 / 重みを対数軸にする</translation>
    </message>
    <message>
        <source>Ignore outliers</source>
        <translation>外れ値を無視</translation>
    </message>
    <message>
        <source>Fit the axis to most values; outliers run off the plot</source>
        <translation>大部分の値に軸を合わせます。線は端からはみ出して描かれます</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>学習全体</translation>
    </message>
    <message>
        <source>Show the whole run and follow it (double click)</source>
        <translation>学習全体を表示して追従する（ダブルクリック）</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>グラフ</translation>
    </message>
    <message>
        <source>Choose which plots are shown</source>
        <translation>表示するグラフを選ぶ</translation>
    </message>
    <message>
        <source>off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 を保存</translation>
    </message>
    <message>
        <source>Images (*.png)</source>
        <translation>画像 (*.png)</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PrecisionPanel</name>
    <message>
        <source>Preflight</source>
        <translation>事前チェック</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>チェック</translation>
    </message>
    <message>
        <source>Check precision and memory</source>
        <translation>精度とメモリをチェック</translation>
    </message>
    <message>
        <source>Checks memory and precision with this run's images, without training (F4)</source>
        <translation>この学習の画像を使い、学習せずにメモリ、精度、指摘事項を調べます (F4)</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>未チェック。</translation>
    </message>
    <message>
        <source>Memory needed and available</source>
        <translation>必要なメモリと使えるメモリ</translation>
    </message>
    <message>
        <source>Apply safe fixes…</source>
        <translation>安全な修正を適用…</translation>
    </message>
    <message>
        <source>Apply every safe fix for what is refused or adjusted</source>
        <translation>不可または調整済みの項目をすべて修正</translation>
    </message>
    <message>
        <source>Shows every change before anything is applied</source>
        <translation>適用する前にすべての変更を表示します</translation>
    </message>
    <message>
        <source>Show ignored warnings</source>
        <translation>無視した警告を再び表示</translation>
    </message>
    <message>
        <source>W: frozen weights of the UNet · A: activations · g: gradients · m,v: optimizer state · clip: gradient clipping · scale: loss scaling</source>
        <translation>W: UNet の凍結した重み · A: 活性値 · g: 勾配 · m,v: オプティマイザーの状態 · clip: 勾配クリッピング · scale: 損失スケーリング</translation>
    </message>
    <message>
        <source>Types by part</source>
        <translation>部分ごとの型</translation>
    </message>
    <message>
        <source>Show number types by part</source>
        <translation>部分ごとの数値の型を表示</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>モジュール</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>計算</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>累積</translation>
    </message>
    <message>
        <source>%1 ignored · show again</source>
        <translation>無視 %1 件 · 再表示</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>警告 1 件</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>警告 %1 件</translation>
    </message>
    <message>
        <source>1 refused setting blocks Start</source>
        <translation>拒否された設定が 1 件あるため開始できません</translation>
    </message>
    <message>
        <source>%1 refused settings block Start</source>
        <translation>拒否された設定が %1 件あるため開始できません</translation>
    </message>
    <message>
        <source>Needs %1, and %2 are available: %3 too much</source>
        <translation>必要 %1、使用可能 %2: %3 超過</translation>
    </message>
    <message>
        <source>Needs %1 of %2 available</source>
        <translation>必要 %1 / 使用可能 %2</translation>
    </message>
    <message>
        <source>Needs %1</source>
        <translation>必要 %1</translation>
    </message>
    <message>
        <source>weights %1 · activations %2 · adapter and optimizer %3</source>
        <translation>重み %1 · 活性値 %2 · アダプターとオプティマイザー %3</translation>
    </message>
    <message>
        <source>This would make it fit:</source>
        <translation>これで収まります:</translation>
    </message>
    <message>
        <source>%1 (needs %2)</source>
        <translation>%1（必要 %2）</translation>
    </message>
    <message>
        <source>Make it fit: %1</source>
        <translation>収まるようにする: %1</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>チェック中…</translation>
    </message>
    <message>
        <source>No conflicts: these settings work together.</source>
        <translation>問題ありません。これらの設定は一緒に使えます。</translation>
    </message>
    <message numerus="yes">
        <source>%n adjusted automatically, as shown below</source>
        <translation><numerusform>%n 件を自動調整（下記）</numerusform></translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetDiff</name>
    <message>
        <source>Compare with</source>
        <translation>比較対象</translation>
    </message>
    <message>
        <source>Use all</source>
        <translation>すべて使う</translation>
    </message>
    <message>
        <source>Use every value of the other preset</source>
        <translation>もう一方のプリセットの値をすべて取り入れる</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>違い</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>既定値</translation>
    </message>
    <message>
        <source>using everything from %1</source>
        <translation>%1 からすべて取り入れ</translation>
    </message>
    <message>
        <source>Last saved: %1</source>
        <translation>最後の保存: %1</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>別のファイル…</translation>
    </message>
    <message>
        <source>Last saved</source>
        <translation>最後の保存</translation>
    </message>
    <message>
        <source>This preset</source>
        <translation>このプリセット</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使う</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>同じ</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>違い 1 件</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>違い %1 件</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetDocument</name>
    <message>
        <source>change of %1</source>
        <translation>%1の変更</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>無題</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>クリップボード</translation>
    </message>
    <message>
        <source>paste</source>
        <translation>貼り付け</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetFiles</name>
    <message>
        <source>Save the changes to “%1”?</source>
        <translation>「%1」への変更を保存しますか？</translation>
    </message>
    <message>
        <source>import of %1</source>
        <translation>%1 の取り込み</translation>
    </message>
    <message>
        <source>The preset is on the clipboard.</source>
        <translation>プリセットをクリップボードにコピーしました。</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>クリップボード</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetPicker</name>
    <message>
        <source>Try it out</source>
        <translation>試してみる</translation>
    </message>
    <message>
        <source>By task</source>
        <translation>目的別</translation>
    </message>
    <message>
        <source>By memory</source>
        <translation>メモリ別</translation>
    </message>
    <message>
        <source>Other models</source>
        <translation>その他のモデル</translation>
    </message>
    <message>
        <source>By method</source>
        <translation>方式別</translation>
    </message>
    <message>
        <source>Built-in presets</source>
        <translation>組み込みプリセット</translation>
    </message>
    <message>
        <source>Search names, tags, texts</source>
        <translation>名前、タグ、説明を検索</translation>
    </message>
    <message>
        <source>Search presets</source>
        <translation>プリセットを検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>What the preset changes</source>
        <translation>プリセットが変更する内容</translation>
    </message>
    <message>
        <source>Use this preset</source>
        <translation>このプリセットを使う</translation>
    </message>
    <message>
        <source>Use the selected preset</source>
        <translation>選択したプリセットを使う</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Close without choosing</source>
        <translation>選ばずに閉じる</translation>
    </message>
    <message>
        <source>No preset matches.</source>
        <translation>一致するプリセットはありません。</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>既定値</translation>
    </message>
    <message>
        <source>This preset</source>
        <translation>このプリセット</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PresetTextView</name>
    <message>
        <source>All settings</source>
        <translation>すべての設定</translation>
    </message>
    <message>
        <source>Show settings with their default values too</source>
        <translation>既定値の設定も表示</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>テキストをコピー</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>貼り付け</translation>
    </message>
    <message>
        <source>Replace the text with the clipboard</source>
        <translation>テキストをクリップボードの内容に置き換える</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Discard the edited text</source>
        <translation>編集したテキストを破棄</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>適用</translation>
    </message>
    <message>
        <source>Apply the edited text</source>
        <translation>編集したテキストを適用</translation>
    </message>
    <message>
        <source>Apply (Ctrl+Return)</source>
        <translation>適用 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Preset as text</source>
        <translation>テキスト形式のプリセット</translation>
    </message>
    <message>
        <source>Edited, not applied yet</source>
        <translation>編集済み、未適用</translation>
    </message>
    <message>
        <source>Edited here; the form has changed too. Apply replaces the form&apos;s values.</source>
        <translation>ここで編集中にフォームも変更されました。「適用」でフォームの値を置き換えます。</translation>
    </message>
    <message>
        <source>Every setting</source>
        <translation>すべての設定</translation>
    </message>
    <message>
        <source>What differs from the defaults</source>
        <translation>既定値と異なるもの</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>%1 行目: %2</translation>
    </message>
    <message>
        <source>editing as text</source>
        <translation>テキストとして編集</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::QueuePanel</name>
    <message>
        <source>Queue</source>
        <translation>キュー</translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation>キューを開始</translation>
    </message>
    <message>
        <source>The queue is empty.
Add runs from Setup; they start one after another, and a failed run doesn't hold up the next.</source>
        <translation>待機中の学習はありません。
設定ページで学習を用意してここに追加すると、順番に開始されます。1 つが失敗しても次は止まりません。</translation>
    </message>
    <message>
        <source>Runs of the queue</source>
        <translation>キューの学習</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>順番</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上へ</translation>
    </message>
    <message>
        <source>Move the selected run up</source>
        <translation>選択した学習を上へ移動</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下へ</translation>
    </message>
    <message>
        <source>Move the selected run down</source>
        <translation>選択した学習を下へ移動</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Remove the selected run from the queue</source>
        <translation>選択した学習をキューから削除</translation>
    </message>
    <message>
        <source>Remove ended</source>
        <translation>終了分を削除</translation>
    </message>
    <message>
        <source>Remove every run that has ended from the queue</source>
        <translation>終わった学習をすべてキューから削除</translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>待機中 %n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>Hold the queue</source>
        <translation>キューを保留</translation>
    </message>
    <message>
        <source>The current run finishes, then the queue stops</source>
        <translation>進行中の学習が終わるとキューを止めます</translation>
    </message>
    <message>
        <source>Start the waiting runs one after another</source>
        <translation>待機中の学習を順番に開始</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunActions</name>
    <message>
        <source>Check</source>
        <translation>チェック</translation>
    </message>
    <message>
        <source>Check memory and precision without training</source>
        <translation>学習せずにメモリと精度を調べる</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>学習を開始</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Pause after this step; the model stays loaded</source>
        <translation>このステップの後で一時停止します。モデルは読み込まれたままです</translation>
    </message>
    <message>
        <source>Stop &amp;&amp; save</source>
        <translation>停止して保存</translation>
    </message>
    <message>
        <source>Stop after this step and save, so that the run can be continued</source>
        <translation>このステップの後で停止し、続きから学習できるように保存します</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop after this step; what was saved before stays</source>
        <translation>このステップの後で停止します。保存済みのものは残ります</translation>
    </message>
    <message>
        <source>Save now</source>
        <translation>今すぐ保存</translation>
    </message>
    <message>
        <source>Write a checkpoint after this step</source>
        <translation>このステップの後でチェックポイントを書き出す</translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation>今すぐサンプル</translation>
    </message>
    <message>
        <source>Render the sample prompts after this step</source>
        <translation>このステップの後でサンプルプロンプトを生成する</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>キューに追加</translation>
    </message>
    <message>
        <source>Put this preset and these paths at the end of the queue of runs</source>
        <translation>このプリセットとパスを学習キューの末尾に追加する</translation>
    </message>
    <message>
        <source>Apply changes</source>
        <translation>変更を適用</translation>
    </message>
    <message>
        <source>Apply a changed step count and changed saving and sampling intervals to the current run</source>
        <translation>ステップ数、保存とサンプルの間隔は学習中でも変更できます。下書きの値を反映します</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>フォルダーを開く</translation>
    </message>
    <message>
        <source>Show what the run wrote</source>
        <translation>学習が書き出したものを表示</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>続ける</translation>
    </message>
    <message>
        <source>Set up this run to continue with more steps</source>
        <translation>ステップ数を増やして続けられるように、この学習を設定ページに入れる</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Compare this run with others, on the History page</source>
        <translation>履歴ページでこの学習をほかの学習と比較</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>再開</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Apply safe fixes…</source>
        <translation>安全な修正を適用…</translation>
    </message>
    <message>
        <source>Shows every change before anything is applied</source>
        <translation>適用する前にすべての変更を表示します</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunBar</name>
    <message>
        <source>Progress of the run</source>
        <translation>学習の進捗</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>学習の状態</translation>
    </message>
    <message>
        <source>memory %1 of %2</source>
        <translation>メモリ %1 / %2</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>メモリ %1</translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation>準備未完了</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunFeed</name>
    <message>
        <source>sample rendered</source>
        <translation>サンプルを生成しました</translation>
    </message>
    <message>
        <source>saved to %1</source>
        <translation>%1 に保存しました</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunLibrary</name>
    <message>
        <source>%1 is still running; stop it first.</source>
        <translation>%1 は進行中です。先に停止してください。</translation>
    </message>
    <message>
        <source>%1: its folder %2 can&apos;t be moved to the trash.</source>
        <translation>%1: フォルダー %2 をごみ箱に移動できません。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be brought back to %2; it is still in the trash.</source>
        <translation>%1 を %2 に戻せません。まだごみ箱にあります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunModel</name>
    <message>
        <source>Preparing</source>
        <translation>準備中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>学習中</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>一時停止処理中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>停止処理中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>ベース</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>最終損失</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>メモ</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunPage</name>
    <message>
        <source>Curves</source>
        <translation>曲線</translation>
    </message>
    <message>
        <source>Loss, gradients, learning rate and updates over the steps</source>
        <translation>ステップごとの損失、勾配、学習率、更新</translation>
    </message>
    <message>
        <source>Numerics</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>Underflow, overflow and rounding error of every layer</source>
        <translation>各層の数値が、保存される形式で失うもの</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>ログ</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>エンジンのログ</translation>
    </message>
    <message>
        <source>Newest line of the log</source>
        <translation>ログの最新行</translation>
    </message>
    <message>
        <source>Newest sample · step %1</source>
        <translation>最新のサンプル · ステップ %1</translation>
    </message>
    <message>
        <source>Newest sample</source>
        <translation>最新のサンプル</translation>
    </message>
    <message>
        <source>View: %1</source>
        <translation>表示: %1</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Loss, smoothed</source>
        <translation>損失（平滑化）</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>勾配ノルム</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学習率</translation>
    </message>
    <message>
        <source>Lost updates</source>
        <translation>失われた更新</translation>
    </message>
    <message>
        <source>Time a step</source>
        <translation>1 ステップの時間</translation>
    </message>
    <message>
        <source>No sample yet</source>
        <translation>まだサンプルがありません</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>レポートをコピー</translation>
    </message>
    <message>
        <source>Copy a report of the failure</source>
        <translation>失敗のレポートをコピー</translation>
    </message>
    <message>
        <source>Resume from checkpoint</source>
        <translation>チェックポイントから再開</translation>
    </message>
    <message>
        <source>Resume from the last good checkpoint</source>
        <translation>最後の正常なチェックポイントから再開</translation>
    </message>
    <message>
        <source>Progress of this phase</source>
        <translation>この段階の進捗</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, clipped</source>
        <translation>%1、クリッピング済み</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ミリ秒</translation>
    </message>
    <message>
        <source>Refused by precision check %1</source>
        <translation>精度チェック %1 により不可</translation>
    </message>
    <message>
        <source>Stopped: NaN/Inf</source>
        <translation>停止: 値が有限ではなくなりました</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>メモリ不足</translation>
    </message>
    <message>
        <source>Out of disk space</source>
        <translation>ディスクの空き容量不足</translation>
    </message>
    <message>
        <source>The run could not continue</source>
        <translation>学習を続けられませんでした</translation>
    </message>
    <message>
        <source>Show the setting %1</source>
        <translation>設定 %1 を表示</translation>
    </message>
    <message>
        <source>Last good checkpoint: step %1, %2</source>
        <translation>最後の正常なチェックポイント: ステップ %1、%2</translation>
    </message>
    <message>
        <source>Mantissa run report</source>
        <translation>Mantissa 学習レポート</translation>
    </message>
    <message>
        <source>Finding: %1</source>
        <translation>指摘: %1</translation>
    </message>
    <message>
        <source>Last step: %1, loss %2</source>
        <translation>最後のステップ: %1、損失 %2</translation>
    </message>
    <message>
        <source>Last good checkpoint: %1</source>
        <translation>最後の正常なチェックポイント: %1</translation>
    </message>
    <message>
        <source>System: %1, %2</source>
        <translation>システム: %1、%2</translation>
    </message>
    <message>
        <source>Continue with the changed files</source>
        <translation>変更されたファイルで続ける</translation>
    </message>
    <message>
        <source>Start over, set the damaged checkpoints aside</source>
        <translation>最初からやり直し、破損したチェックポイントは残す</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunQueue</name>
    <message>
        <source>Waiting</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>進行中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>The studio closed during this run; resume it from History.</source>
        <translation>この学習の途中でスタジオが終了しました。履歴から再開できます。</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ数</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunStarter</name>
    <message>
        <source>Queue</source>
        <translation>キュー</translation>
    </message>
    <message>
        <source>Runs that start one after another</source>
        <translation>順番に開始される学習</translation>
    </message>
    <message>
        <source>Queue · %1</source>
        <translation>キュー · %1</translation>
    </message>
    <message>
        <source>Added to the queue.</source>
        <translation>キューに追加しました。</translation>
    </message>
    <message>
        <source>Added to the queue. Start it on the Train page, under Queue.</source>
        <translation>キューに追加しました。学習ページの「キュー」で開始してください。</translation>
    </message>
    <message>
        <source>All %1 steps are done. Raise the number of steps, then press Start to continue the run.</source>
        <translation>全 %1 ステップが完了しています。ステップ数を増やして「開始」を押すと、終わったところから続きます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunStatus</name>
    <message>
        <source>finishing step…</source>
        <translation>ステップを完了中…</translation>
    </message>
    <message>
        <source>finishing step %1, %2 s so far</source>
        <translation>ステップ %1 を完了中、%2 秒経過。自動的に終わります</translation>
    </message>
    <message>
        <source>the model stays loaded</source>
        <translation>モデルは読み込まれたままです</translation>
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
        <translation>残り %1</translation>
    </message>
    <message>
        <source>%1 steps not plotted</source>
        <translation>%1 ステップはグラフに未表示</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Finished. The adapter is %1</source>
        <translation>終了しました。アダプターは %1 です</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation>手動で停止しました。</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleGrid</name>
    <message>
        <source>No samples yet.
Add sample prompts in Setup, then start a run or press Sample now (F8).</source>
        <translation>まだサンプルがありません。
設定ページでサンプルプロンプトを追加し、学習を開始するか「今すぐサンプル」(F8) を押してください。</translation>
    </message>
    <message>
        <source>Samples by prompt and step</source>
        <translation>プロンプトとステップ別のサンプル</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>Choose a sample on the left.</source>
        <translation>左でサンプルを選んでください。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Step of the sample</source>
        <translation>サンプルのステップ</translation>
    </message>
    <message>
        <source>Before / after</source>
        <translation>前後比較</translation>
    </message>
    <message>
        <source>Compare the image with an earlier one</source>
        <translation>以前の画像と並べて表示</translation>
    </message>
    <message>
        <source>Step to compare with</source>
        <translation>比較するステップ</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>強度</translation>
    </message>
    <message>
        <source>Strength of the adapter</source>
        <translation>アダプターの強度</translation>
    </message>
    <message>
        <source>How much of the finished adapter is added to the base model</source>
        <translation>完成したアダプターをベースモデルにどれだけ加えるか</translation>
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
        <translation>先にサンプルを選んでください。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Cancel the rendering</source>
        <translation>生成をキャンセル</translation>
    </message>
    <message>
        <source>Render this prompt at the chosen strength</source>
        <translation>選んだ強度でこのプロンプトを生成</translation>
    </message>
    <message>
        <source>step 0, before training</source>
        <translation>ステップ 0、学習前</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>strength %1 %</source>
        <translation>強度 %1%</translation>
    </message>
    <message>
        <source>Prompt %1 · %2 of the finished adapter</source>
        <translation>プロンプト %1 · 完成したアダプターの %2</translation>
    </message>
    <message>
        <source>Step %1 · prompt %2</source>
        <translation>ステップ %1 · プロンプト %2</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleModel</name>
    <message>
        <source>can&apos;t be read</source>
        <translation>読み込めません</translation>
    </message>
    <message>
        <source>step %1, prompt %2: %3</source>
        <translation>ステップ %1、プロンプト %2: %3</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation>プロンプト %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SchemaForm</name>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Advanced (%1)</source>
        <translation>詳細 (%1)</translation>
    </message>
    <message>
        <source>Advanced settings of %1</source>
        <translation>%1の詳細設定</translation>
    </message>
    <message>
        <source>No setting matches.</source>
        <translation>一致する設定はありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>変更 %n 件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Section</name>
    <message>
        <source>Section %1</source>
        <translation>セクション: %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Session</name>
    <message>
        <source>sample rendered</source>
        <translation>サンプルを生成しました</translation>
    </message>
    <message>
        <source>saved to %1</source>
        <translation>%1 に保存しました</translation>
    </message>
    <message>
        <source>Watching run %1, which another program trains.</source>
        <translation>ほかのプログラムが実行している学習 %1 を表示しています。</translation>
    </message>
    <message>
        <source>Run %1 has finished.</source>
        <translation>学習 %1 は終了しました。</translation>
    </message>
    <message>
        <source>Run %1 is %2. Start continues it from its last checkpoint.</source>
        <translation>学習 %1 の状態は「%2」です。「開始」で最後のチェックポイントから続きます。</translation>
    </message>
    <message>
        <source>This is the preset of “%1”. Start begins a new run with it.</source>
        <translation>これは「%1」のプリセットです。「開始」で新しい学習になります。</translation>
    </message>
    <message>
        <source>Run %1 was interrupted when its program closed. It can continue from its last checkpoint.</source>
        <translation>学習 %1 は、プログラムの終了により中断されました。最後のチェックポイントから続けられます。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted when their program closed. They can continue from their last checkpoints.</source>
        <translation>
            <numerusform>学習 %n 件が、プログラムの終了により中断されました。最後のチェックポイントから続けられます。</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>再開</translation>
    </message>
    <message>
        <source>Show in History</source>
        <translation>履歴で表示</translation>
    </message>
    <message>
        <source>Run %1: %2.</source>
        <translation>学習 %1: %2。</translation>
    </message>
    <message>
        <source>A run is in progress on the Train page. Curves of other runs are below the list.</source>
        <translation>ここで進行中の学習は学習ページに表示されます。ほかの学習の曲線は一覧の下にあります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SetupPage</name>
    <message>
        <source>Form</source>
        <translation>フォーム</translation>
    </message>
    <message>
        <source>The preset as a form</source>
        <translation>フォーム形式のプリセット</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>The preset as text, to read, copy, paste and edit (Ctrl+E)</source>
        <translation>プリセットをテキストで読む、コピーする、貼り付ける、編集する (Ctrl+E)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>The preset beside the defaults or another one (Ctrl+D)</source>
        <translation>プリセットを既定値や別のプリセットと並べて表示 (Ctrl+D)</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n 件見つかりました</numerusform>
        </translation>
    </message>
    <message>
        <source>Search settings (Ctrl+K)</source>
        <translation>設定を検索 (Ctrl+K)</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>設定を検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Show only changed settings</source>
        <translation>変更した設定だけを表示</translation>
    </message>
    <message>
        <source>Show only advanced settings</source>
        <translation>詳細設定だけを表示</translation>
    </message>
    <message>
        <source>Paths and preflight</source>
        <translation>パスと事前チェック</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ShortcutsDialog</name>
    <message>
        <source>Plots</source>
        <translation>グラフ</translation>
    </message>
    <message>
        <source>Tables and grids</source>
        <translation>表とグリッド</translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation>マウスホイール</translation>
    </message>
    <message>
        <source>zoom in steps; with Ctrl, in values</source>
        <translation>ステップ方向に拡大縮小。Ctrl で値の方向</translation>
    </message>
    <message>
        <source>Drag, Shift+drag</source>
        <translation>ドラッグ、Shift+ドラッグ</translation>
    </message>
    <message>
        <source>move, or zoom into a box</source>
        <translation>移動、または範囲を拡大</translation>
    </message>
    <message>
        <source>Double click, Home</source>
        <translation>ダブルクリック、Home</translation>
    </message>
    <message>
        <source>show the whole run again</source>
        <translation>学習全体を再び表示</translation>
    </message>
    <message>
        <source>+ − ← →</source>
        <translation>+ − ← →</translation>
    </message>
    <message>
        <source>zoom and move with the keyboard</source>
        <translation>キーボードで拡大縮小と移動</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>矢印キー</translation>
    </message>
    <message>
        <source>move through runs, images and samples</source>
        <translation>学習、画像、サンプルの間を移動</translation>
    </message>
    <message>
        <source>Shift or Ctrl with them</source>
        <translation>Shift または Ctrl を押しながら</translation>
    </message>
    <message>
        <source>choose several</source>
        <translation>複数を選択</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>edit a run&apos;s tags or note</source>
        <translation>学習のタグやメモを編集</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>open the selected run</source>
        <translation>選択した学習を開く</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>move the selected runs to the trash</source>
        <translation>選択した学習をごみ箱に移動</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Search the shortcuts</source>
        <translation>ショートカットを検索</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>動作</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::StrengthRenders</name>
    <message>
        <source>The engine is busy: another strength can be rendered when the run has ended.</source>
        <translation>エンジンが動作中です。別の強度は学習が終わってから生成できます。</translation>
    </message>
    <message>
        <source>The engine is checking the settings.</source>
        <translation>エンジンが設定をチェックしています。</translation>
    </message>
    <message>
        <source>Another strength needs the adapter file of a finished run.</source>
        <translation>別の強度で生成するには、終了した学習のアダプターファイルが必要です。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::WindowMenus</name>
    <message>
        <source>&amp;File</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>学習(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>表示(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>ヘルプ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;New preset</source>
        <translation>新しいプリセット(&amp;N)</translation>
    </message>
    <message>
        <source>Start from the defaults</source>
        <translation>既定値から始める</translation>
    </message>
    <message>
        <source>&amp;Open preset…</source>
        <translation>プリセットを開く(&amp;O)…</translation>
    </message>
    <message>
        <source>Built-in &amp;presets</source>
        <translation>組み込みプリセット(&amp;P)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近使ったファイル(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>取り込み(&amp;I)…</translation>
    </message>
    <message>
        <source>Choose a &amp;built-in preset…</source>
        <translation>組み込みプリセットを選ぶ(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Save preset</source>
        <translation>プリセットを保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save preset &amp;as…</source>
        <translation>名前を付けて保存(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>元に戻す(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>やり直す(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy preset as text</source>
        <translation>プリセットをテキストとしてコピー(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste preset from text</source>
        <translation>テキストからプリセットを貼り付け(&amp;P)</translation>
    </message>
    <message>
        <source>Edit preset as &amp;text</source>
        <translation>プリセットをテキストで編集(&amp;T)</translation>
    </message>
    <message>
        <source>Co&amp;mpare presets</source>
        <translation>プリセットを比較(&amp;M)</translation>
    </message>
    <message>
        <source>Reset &amp;everything to the defaults</source>
        <translation>すべて既定値に戻す(&amp;E)</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>リセット</translation>
    </message>
    <message>
        <source>&amp;Search settings</source>
        <translation>設定を検索(&amp;S)</translation>
    </message>
    <message>
        <source>Use the built-in &amp;demo</source>
        <translation>組み込みのデモを使う(&amp;D)</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>テーマ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>システム(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>ライト(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>ダーク(&amp;D)</translation>
    </message>
    <message>
        <source>Show all &amp;advanced settings</source>
        <translation>詳細設定をすべて表示(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>キーボードショートカット(&amp;K)</translation>
    </message>
</context>
<context>
    <name>pages</name>
    <message>
        <source>Setup</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>&amp;Setup</source>
        <translation>設定(&amp;S)</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>データ</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>データ(&amp;D)</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>学習</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>学習(&amp;T)</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>サンプル</translation>
    </message>
    <message>
        <source>Sa&amp;mples</source>
        <translation>サンプル(&amp;M)</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>H&amp;istory</source>
        <translation>履歴(&amp;I)</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>D&amp;evice</source>
        <translation>デバイス(&amp;E)</translation>
    </message>
</context>
<context>
    <name>questions</name>
    <message>
        <source>Open preset</source>
        <translation>プリセットを開く</translation>
    </message>
    <message>
        <source>Presets (*.json);;All files (*)</source>
        <translation>プリセット (*.json);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>取り込み</translation>
    </message>
    <message>
        <source>Presets, configurations, adapters (*.json *.toml *.safetensors);;All files (*)</source>
        <translation>プリセット、設定ファイル、アダプター (*.json *.toml *.safetensors);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>プリセットを保存</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>プリセット (*.json)</translation>
    </message>
    <message>
        <source>Save to another folder</source>
        <translation>別のフォルダーに保存</translation>
    </message>
    <message>
        <source>Stop, save and quit</source>
        <translation>停止、保存して終了</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>学習を続ける</translation>
    </message>
</context>
<context>
    <name>schema</name>
    <message>
        <source>on</source>
        <translation>オン</translation>
    </message>
    <message>
        <source>off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
</context>
</TS>
