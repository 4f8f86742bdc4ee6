<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name>engine</name>
    <message>
        <source> Before it the largest value was {value}; {type} holds up to {most}.</source>
        <translation>その直前の最大値は {value} で、{type} が表せるのは {most} までです。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> または </translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {reason}; check the path and its permissions</source>
        <translation>&apos;{path}&apos;: {reason}。パスとアクセス権を確認してください</translation>
    </message>
    <message>
        <source>&quot;a residual block&quot;</source>
        <translation>「残差ブロック」</translation>
    </message>
    <message>
        <source>&quot;none&quot;</source>
        <translation>「なし」</translation>
    </message>
    <message>
        <source>&quot;residual blocks and attention&quot;</source>
        <translation>「残差ブロックとアテンション」</translation>
    </message>
    <message>
        <source>&apos;{card}&apos; is not a card with known rates; expected one of: {cards}</source>
        <translation>「{card}」は性能値の分かっているカードではありません。{cards} のいずれかを指定してください</translation>
    </message>
    <message>
        <source>An update has made trained weights NaN/Inf: continue from a checkpoint before it, with a lower optimizer.learning_rate or a larger optimizer.eps</source>
        <translation>更新によって学習中の重みが NaN/Inf になりました。それより前のチェックポイントから、optimizer.learning_rate を下げるか optimizer.eps を上げて続けてください</translation>
    </message>
    <message>
        <source>Convert a file of it with --format kohya, give it a rank with `mantissa resize`, or merge it into a model</source>
        <translation>ファイルなら --format kohya で変換するか、`mantissa resize` でランクを与えるか、モデルにマージしてください</translation>
    </message>
    <message>
        <source>Counts for another model there.</source>
        <translation>元のプログラムでは別のモデルに効きます。</translation>
    </message>
    <message>
        <source>Counts for Stable Diffusion only there.</source>
        <translation>元のプログラムでは Stable Diffusion にだけ有効です。</translation>
    </message>
    <message>
        <source>Give it a rank with `mantissa resize`, or merge it into a model</source>
        <translation>`mantissa resize` でランクを与えるか、モデルにマージしてください</translation>
    </message>
    <message>
        <source>Holds for some of the folders there, for all images here.</source>
        <translation>元のプログラムでは一部のフォルダーだけに、ここではすべての画像に適用されます。</translation>
    </message>
    <message>
        <source>Holds for some of the folders there. Here one value holds for all images, and the first folder has none.</source>
        <translation>元のプログラムでは一部のフォルダーだけに適用されます。ここでは一つの値がすべての画像に適用され、最初のフォルダーには値がありません。</translation>
    </message>
    <message>
        <source>Holds for some of the folders there. Here one value holds for all images: that of {key}.</source>
        <translation>元のプログラムでは一部のフォルダーだけに適用されます。ここではすべての画像に一つの値、{key} の値が適用されます。</translation>
    </message>
    <message>
        <source>In a section within another one, which is not read there.</source>
        <translation>別のセクションの中にあるセクションのキーで、元のプログラムでは読まれません。</translation>
    </message>
    <message>
        <source>Its second moment is kept in full here, and its options have their defaults.</source>
        <translation>Mantissa では 2 次モーメントをそのまま保持し、オプションは既定値です。</translation>
    </message>
    <message>
        <source>NCCL can&apos;t reach the other cards: {reason}. Resume starts the run again from its last checkpoint</source>
        <translation>NCCL が他のカードと通信できません: {reason}。「再開」で最後のチェックポイントから続けられます</translation>
    </message>
    <message>
        <source>No change of settings makes it fit: train fewer modules, or take a device with more memory</source>
        <translation>設定を変えても収まりません。学習するモジュールを減らすか、メモリーの多いデバイスを使ってください</translation>
    </message>
    <message>
        <source>No gap: the plan trains as FP32 does.</source>
        <translation>差はありません。この設定の学習は FP32 と同じです。</translation>
    </message>
    <message>
        <source>Not read there where a network is trained: network_train_unet_only leaves text encoders out.</source>
        <translation>元のプログラムではネットワークの学習時に読まれません。テキストエンコーダーを除くのは network_train_unet_only です。</translation>
    </message>
    <message>
        <source>Rank {rank} holds every change of this file: `{command}`. A lower one leaves some of them out, and the command tells how much</source>
        <translation>ランク {rank} ならこのファイルの変更をすべて保持できます: `{command}`。それより低いと一部が失われ、その割合はコマンドが表示します</translation>
    </message>
    <message>
        <source>Regularisation images.</source>
        <translation>正則化用の画像です。</translation>
    </message>
    <message>
        <source>Run failed: {run}</source>
        <translation>学習が失敗: {run}</translation>
    </message>
    <message>
        <source>Run finished: {run}</source>
        <translation>学習が完了: {run}</translation>
    </message>
    <message>
        <source>Run refused: {run}</source>
        <translation>学習を開始できません: {run}</translation>
    </message>
    <message>
        <source>Run stopped: {run}</source>
        <translation>学習を停止: {run}</translation>
    </message>
    <message>
        <source>Schedule-free optimizers have no schedule there: here the rate is constant.</source>
        <translation>元のツールでは schedule-free オプティマイザーに学習率スケジュールがありません。Mantissa でも学習率は一定です。</translation>
    </message>
    <message>
        <source>Suggested learning rate: {rate}, a tenth of the rate of the lowest loss, {lowest}. The loss falls fastest at {steepest}.</source>
        <translation>推奨する学習率: {rate}。損失が最も低くなる {lowest} の 10 分の 1 です。損失が最も速く下がるのは {steepest} です。</translation>
    </message>
    <message>
        <source>Switched off there.</source>
        <translation>あちらでは無効になっています。</translation>
    </message>
    <message>
        <source>The first data set&apos;s counts for all images here; others have other ones.</source>
        <translation>ここでは最初のデータセットの値がすべての画像に使われます。ほかのデータセットの値は異なります。</translation>
    </message>
    <message>
        <source>The weights are as they were before this step</source>
        <translation>重みはこのステップの前のままです</translation>
    </message>
    <message>
        <source>Windows leaves out a dot or a space at the end of a name</source>
        <translation>Windows は名前の末尾の点や空白を取り除きます</translation>
    </message>
    <message>
        <source>With {settings} it needs {need}, and a step takes about {after} instead of {before} (estimated)</source>
        <translation>{settings} にすれば {need} で足り、1 ステップは約 {before} から約 {after} になります（推定）</translation>
    </message>
    <message>
        <source>a name on Windows holds none of : * ? &quot; &lt; &gt; | and no control characters</source>
        <translation>Windows の名前には : * ? &quot; &lt; &gt; | と制御文字を使えません</translation>
    </message>
    <message>
        <source>an update has made the training state NaN/Inf ({key}, element {index}). It is not saved, earlier checkpoints are untouched. Continue from one of them with a lower optimizer.learning_rate or a larger optimizer.eps</source>
        <translation>更新によって学習の状態が NaN/Inf になりました（{key} の要素 {index}）。この状態は保存せず、以前のチェックポイントはそのままです。そのいずれかから、optimizer.learning_rate を下げるか optimizer.eps を上げて続けてください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is marked as read-only; clear that mark, or choose another name</source>
        <translation>{file} に書き込めません: 読み取り専用になっています。それを解除するか、別の名前を選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is open in this or another program; close it there, or choose another name</source>
        <translation>{file} に書き込めません: このプログラムか他のプログラムで開かれています。そこで閉じるか、別の名前を選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}; choose another name</source>
        <translation>{file} に書き込めません: {reason}。別の名前を選んでください</translation>
    </message>
    <message>
        <source>checking the base model's files</source>
        <translation>ベースモデルのファイルの確認</translation>
    </message>
    <message>
        <source>comparing with FP32</source>
        <translation>FP32 との比較</translation>
    </message>
    <message>
        <source>computing the validation loss</source>
        <translation>検証損失の計算</translation>
    </message>
    <message>
        <source>could not remove {file}: {reason}</source>
        <translation>{file} を削除できませんでした: {reason}</translation>
    </message>
    <message>
        <source>data.masks is {mode}, but no mask can be used (images left out: {count}). {file}: {reason}. Correct the masks, or set it to off</source>
        <translation>data.masks は {mode} ですが、使えるマスクがありません（除外した画像: {count} 枚）。{file}: {reason}。マスクを直すか、off にしてください</translation>
    </message>
    <message>
        <source>The plan breaks at step {step}: {found}</source>
        <translation>この設定はステップ {step} で破綻します: {found}</translation>
    </message>
    <message>
        <source>The plan breaks: its gradients are not finite.</source>
        <translation>この設定は破綻します。勾配が有限ではありません。</translation>
    </message>
    <message>
        <source>The plan {how}: its gradients are {gap} off, worst cosine {cosine}; its loss is {loss} off.</source>
        <translation>この設定は{how}。勾配のずれは {gap}、最小のコサインは {cosine}、損失のずれは {loss} です。</translation>
    </message>
    <message>
        <source>a probe runs on one device: choose one</source>
        <translation>プローブは 1 台のデバイスで動きます。1 台だけ選んでください</translation>
    </message>
    <message>
        <source>every image is also in a validation folder, so there is none to train on; choose other validation images</source>
        <translation>すべての画像が検証フォルダーにもあり、学習する画像がありません。検証データを別に選んでください</translation>
    </message>
    <message>
        <source>give a folder of images and --tagger, the folder of a tagger, --captioner, that of a Qwen3-VL, or --endpoint, the address of a program that serves a model; --recode for captions that aren&apos;t UTF-8; or --undo</source>
        <translation>画像のフォルダーと、--tagger でタガーのフォルダーか、--captioner で Qwen3-VL のフォルダーか、--endpoint でモデルを提供するプログラムのアドレスを指定してください。キャプションが UTF-8 でない場合は --recode を、元に戻す場合は --undo を指定してください</translation>
    </message>
    <message>
        <source>got no caption: {reason}</source>
        <translation>キャプションが得られませんでした: {reason}</translation>
    </message>
    <message>
        <source>loading the base model</source>
        <translation>ベースモデルの読み込み</translation>
    </message>
    <message>
        <source>looking for images</source>
        <translation>画像の検索</translation>
    </message>
    <message>
        <source>measuring training images</source>
        <translation>学習画像の測定</translation>
    </message>
    <message>
        <source>no image got a caption; the reason is told for each of them</source>
        <translation>キャプションの付いた画像はありません。理由は画像ごとに示してあります</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA); choose the base model that it is for</source>
        <translation>アダプター（LoRA）です。対応するベースモデルを選んでください</translation>
    </message>
    <message>
        <source>no choice of types is within these limits: the smallest takes {bytes}, the fastest {time} a step; raise the limits, or lower data.batch_size or data.resolution</source>
        <translation>この制限に収まる型の選び方はありません：最小でも {bytes}、最速でも 1 ステップ {time} かかります。制限を上げるか、data.batch_size か data.resolution を下げてください</translation>
    </message>
    <message>
        <source>no process trains the run in {folder}; Resume continues it</source>
        <translation>{folder} の学習を実行しているプロセスはありません。「再開」で続けられます</translation>
    </message>
    <message>
        <source>no program answers there: {reason}. Start it, or give its address</source>
        <translation>そこではどのプログラムも応答しません: {reason}。起動するか、正しいアドレスを指定してください</translation>
    </message>
    <message>
        <source>none of the {count} prior-preservation images is left: all are trained on or in the validation set, so there is no prior preservation; choose other prior images</source>
        <translation>事前保持の画像 {count} 枚はすべて学習する画像か検証データに含まれるため 1 枚も残らず、事前保持は行われません。事前保持用の画像を別に選んでください</translation>
    </message>
    <message>
        <source>preparing captions</source>
        <translation>キャプションの準備</translation>
    </message>
    <message>
        <source>preparing images</source>
        <translation>画像の準備</translation>
    </message>
    <message>
        <source>process {number} (id {id}) ended without giving a reason, so the run can&apos;t continue. Resume starts it again from its last checkpoint</source>
        <translation>プロセス {number}（ID {id}）が突然終了したため、学習を続けられません。「再開」で最後のチェックポイントから続けられます</translation>
    </message>
    <message>
        <source>reading images</source>
        <translation>画像の読み込み</translation>
    </message>
    <message>
        <source>rendering samples</source>
        <translation>サンプルの生成</translation>
    </message>
    <message>
        <source>status {status}</source>
        <translation>ステータス {status}</translation>
    </message>
    <message>
        <source>status {status}: {reason}</source>
        <translation>ステータス {status}: {reason}</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>ステップ {step}</translation>
    </message>
    <message>
        <source>step {step}, loss {loss}</source>
        <translation>ステップ {step}、損失 {loss}</translation>
    </message>
    <message>
        <source>the answer holds no text</source>
        <translation>応答に文章がありません</translation>
    </message>
    <message>
        <source>the answer is an error: {reason}</source>
        <translation>応答はエラーです: {reason}</translation>
    </message>
    <message>
        <source>the answer is empty</source>
        <translation>応答が空です</translation>
    </message>
    <message>
        <source>the answer is no JSON</source>
        <translation>応答が JSON ではありません</translation>
    </message>
    <message>
        <source>the answer was cut at {tokens} tokens; allow more, or ask for less</source>
        <translation>応答が {tokens} トークンで切れました。上限を増やすか、短い答えを求めてください</translation>
    </message>
    <message>
        <source>the resolution of its folder in data.folders</source>
        <translation>data.folders でのそのフォルダーの解像度</translation>
    </message>
    <message>
        <source>the run goes on with other settings than it had: {changes}</source>
        <translation>学習はこれまでと異なる設定で続きます: {changes}</translation>
    </message>
    <message>
        <source>the run has all its {steps} steps: nothing is left to train, and its result is written again. To train on, raise training.steps (or training.epochs)</source>
        <translation>この学習は {steps} ステップをすべて終えています。残りはなく、結果だけが書き直されます。学習を続けるには training.steps（または training.epochs）を増やしてください</translation>
    </message>
    <message>
        <source>the run has {done} steps already and can&apos;t be shortened to {steps}: it ends as early as it can</source>
        <translation>学習はすでに {done} ステップ進んでおり、{steps} ステップには短縮できません。できるだけ早く終了します</translation>
    </message>
    <message>
        <source>the vision tower gives tokens of {width} channels, the language model takes {wanted}; get the model&apos;s whole folder again</source>
        <translation>ビジョンタワーのトークンは {width} チャンネルですが、言語モデルは {wanted} チャンネルを受け取ります。モデルのフォルダー全体をもう一度入手してください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the tokenizer lacks {token}; it is of another model</source>
        <translation>&apos;{path}&apos;: トークナイザーに {token} がありません。別のモデルのものです</translation>
    </message>
    <message>
        <source>it is {width} × {height} pixels, too narrow to be shown to the model</source>
        <translation>{width} × {height} ピクセルで、モデルに見せるには細長すぎます</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; is no Qwen3-VL: the folder of one, with config.json of the type qwen3_vl, or its weights with the vision tower in one .safetensors file are read</source>
        <translation>&apos;{path}&apos; は Qwen3-VL ではありません。種類が qwen3_vl の config.json があるフォルダー、またはビジョンタワーを含む重みを 1 つの .safetensors ファイルにしたものを読み込めます</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; lacks the vision tower (visual.…) of a Qwen3-VL; get its whole folder</source>
        <translation>&apos;{path}&apos; には Qwen3-VL のビジョンタワー (visual.…) がありません。フォルダー全体を入手してください</translation>
    </message>
    <message>
        <source>is {found}; a square is expected</source>
        <translation>{found} です。平方数である必要があります</translation>
    </message>
    <message>
        <source>is {count}, which doesn&apos;t divide a width of {width} into heads of a multiple of four channels</source>
        <translation>{count} です。幅 {width} を 4 の倍数のチャンネルのヘッドに分けられません</translation>
    </message>
    <message>
        <source>the command for the run&apos;s end could not be started: {reason}</source>
        <translation>終了時のコマンドを起動できませんでした: {reason}</translation>
    </message>
    <message>
        <source>the command for the run&apos;s end failed with status {status}; the run is as it was</source>
        <translation>終了時のコマンドがステータス {status} で失敗しました。学習の結果は変わりません</translation>
    </message>
    <message>
        <source>the first learning rate of the test must be above 0 and below the last</source>
        <translation>テストの最初の学習率は 0 より大きく、最後の学習率より小さくしてください</translation>
    </message>
    <message>
        <source>The first loss isn't finite: no rate can be suggested. Probe the precision.</source>
        <translation>最初の損失が NaN/Inf です。学習率を推奨できません。精度を診断してください。</translation>
    </message>
    <message>
        <source>The loss doesn't fall by more than its noise at any of these rates: none can be suggested. Test more steps, a larger batch, or a higher last rate.</source>
        <translation>どの学習率でも損失はノイズより大きく下がりません。学習率を推奨できません。ステップ数かバッチサイズを増やすか、最後の学習率を上げてください。</translation>
    </message>
    <message>
        <source>The loss doesn't fall by more than its noise before it diverges at {rate}: no rate can be suggested. Test more steps, or a larger batch.</source>
        <translation>損失は {rate} で発散するまでノイズより大きく下がりません。学習率を推奨できません。ステップ数かバッチサイズを増やしてください。</translation>
    </message>
    <message>
        <source>The loss is lowest at {rate} already, near the first rate: none can be suggested. Test with a lower first rate.</source>
        <translation>損失は最初の学習率に近い {rate} ですでに最も低くなっています。学習率を推奨できません。最初の学習率を下げてテストしてください。</translation>
    </message>
    <message>
        <source>The loss still falls at the highest rate, {rate}: no rate can be suggested. Test with a higher last rate.</source>
        <translation>損失は最も高い学習率 {rate} でもまだ下がっています。学習率を推奨できません。最後の学習率を上げてテストしてください。</translation>
    </message>
    <message>
        <source>The schedule-free form of AdamW.</source>
        <translation>AdamW の schedule-free 版です。</translation>
    </message>
    <message>
        <source>Vectors are updated by AdamW at the same rate.</source>
        <translation>ベクトルは同じ学習率の AdamW で更新されます。</translation>
    </message>
    <message>
        <source>Videos.</source>
        <translation>動画です。</translation>
    </message>
    <message>
        <source>a reference without an image of the same name</source>
        <translation>同じ名前の画像がない参照</translation>
    </message>
    <message>
        <source>a second reference of one name: {file} is used</source>
        <translation>同じ名前の 2 つ目の参照です。{file} を使います</translation>
    </message>
    <message>
        <source>can&apos;t delete {path}: {reason}. The run stays in the list</source>
        <translation>{path} を削除できません: {reason}。学習は一覧に残ります</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the chat template adds a system message (&apos;{text} …&apos;) to a prompt, which Qwen3&apos;s doesn&apos;t; use the tokenizer folder of the original model</source>
        <translation>「{file}」: チャットテンプレートがプロンプトにシステムメッセージ（「{text} …」）を加えます。Qwen3 のテンプレートは加えません。元のモデルのトークナイザーフォルダーを使ってください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the chat template lacks &apos;{text}&apos;, so it lays out a prompt in another way than Qwen3&apos;s, the only one that is supported; use the tokenizer folder of the original model</source>
        <translation>「{file}」: チャットテンプレートに「{text}」がありません。対応しているのは Qwen3 の形式だけで、このテンプレートはプロンプトを別の形に並べます。元のモデルのトークナイザーフォルダーを使ってください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is shard {number} of {count}, a part of a base model; pass the diffusers folder that its folder belongs to</source>
        <translation>「{file}」は {count} 個のシャードの {number} 番目で、ベースモデルの一部です。そのフォルダーを含む diffusers フォルダーを指定してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: tensor &apos;{tensor}&apos; is in another shard too; get the model again</source>
        <translation>「{file}」: テンソル「{tensor}」が別のシャードにもあります。モデルを入手し直してください</translation>
    </message>
    <message>
        <source>images with a reference of another shape, which isn&apos;t cropped as they are</source>
        <translation>形の異なる参照を持つ画像。その参照は画像と同じようには切り抜かれません</translation>
    </message>
    <message>
        <source>internal error, without a reason</source>
        <translation>内部エラー（理由は不明です）</translation>
    </message>
    <message>
        <source>internal error: {reason}</source>
        <translation>内部エラー: {reason}</translation>
    </message>
    <message>
        <source>Shorten them</source>
        <translation>短くしてください</translation>
    </message>
    <message>
        <source>Shorten them, or raise data.caption_chunks</source>
        <translation>短くするか、data.caption_chunks を上げてください</translation>
    </message>
    <message>
        <source>a run&apos;s samples, results and records</source>
        <translation>学習のサンプル画像、結果、記録</translation>
    </message>
    <message>
        <source>a second mask of an image: {file} is used</source>
        <translation>画像の 2 つ目のマスクです。{file} を使います</translation>
    </message>
    <message>
        <source>around the images {folder}, which aren&apos;t used for prior preservation</source>
        <translation>画像フォルダー {folder} を含みます。その画像は事前保持に使いません</translation>
    </message>
    <message>
        <source>around the images {folder}: none of them is left to train on</source>
        <translation>画像フォルダー {folder} を含みます。学習する画像が残りません</translation>
    </message>
    <message>
        <source>cached encodings</source>
        <translation>キャッシュされたエンコード結果</translation>
    </message>
    <message>
        <source>A matrix that is trained whole has no alpha.</source>
        <translation>分解せずに学習する行列に alpha はありません。</translation>
    </message>
    <message>
        <source>A share of the run, whose length came from epochs. Set schedule.decay_steps.</source>
        <translation>学習全体に対する割合ですが、長さはエポック数から決まっていました。schedule.decay_steps を設定してください。</translation>
    </message>
    <message>
        <source>At the full rate from the first step on here.</source>
        <translation>Mantissa では最初のステップから学習率をそのまま使います。</translation>
    </message>
    <message>
        <source>can&apos;t map {file}: {reason}</source>
        <translation>{file} をメモリにマップできません: {reason}</translation>
    </message>
    <message>
        <source>can&apos;t open {file} to make it durable: {reason}</source>
        <translation>{file} をディスクに確実に書き込むために開けません: {reason}</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: a name in it is too long; choose a shorter one</source>
        <translation>{file} に書き込めません: 長すぎる名前が含まれています。短い名前にしてください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is a file, and a folder is written here; choose another path</source>
        <translation>{file} に書き込めません: これはファイルですが、ここにはフォルダーを書き出します。別のパスを選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is a folder; give the name of a file</source>
        <translation>{file} に書き込めません: これはフォルダーです。ファイル名を指定してください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it needs {need}, and the disk of folder {folder} has {free} free; free space or choose another folder</source>
        <translation>{file} に書き込めません: {need} 必要ですが、フォルダー {folder} のディスクの空きは {free} です。空きを増やすか、別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: there is no folder {folder}; create it, or choose another path</source>
        <translation>{file} に書き込めません: フォルダー {folder} がありません。作成するか、別のパスを選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {folder} is not a folder; choose another path</source>
        <translation>{file} に書き込めません: {folder} はフォルダーではありません。別のパスを選んでください</translation>
    </message>
    <message>
        <source>captions aren&apos;t read from {extension} files such as this one: write them as &lt;name&gt;.txt or &lt;name&gt;.caption beside each image, or as metadata.jsonl</source>
        <translation>このような {extension} ファイルからキャプションは読み込みません。各画像の隣に &lt;name&gt;.txt か &lt;name&gt;.caption を置くか、metadata.jsonl に書いてください</translation>
    </message>
    <message>
        <source>concept editing (LECO)</source>
        <translation>概念の編集 (LECO)</translation>
    </message>
    <message>
        <source>ControlNet training</source>
        <translation>ControlNet の学習</translation>
    </message>
    <message>
        <source>Corners are black there; here the image is enlarged instead.</source>
        <translation>元のプログラムでは隅が黒くなりますが、Mantissa では代わりに画像を拡大します。</translation>
    </message>
    <message>
        <source>Crops are enlarged by up to 1% more.</source>
        <translation>切り抜きは最大 1% 余分に拡大されます。</translation>
    </message>
    <message>
        <source>data.folder_repeats leaves out folders as sd-scripts does, whose name begins with 0, or with no number of repeats beside others that do (images): {folders}</source>
        <translation>data.folder_repeats により、sd-scripts と同様に、名前が 0 で始まるフォルダと、繰り返し数のあるフォルダと並ぶ繰り返し数のないフォルダは使われません（画像数）：{folders}</translation>
    </message>
    <message>
        <source>caption files not used, as their image has another</source>
        <translation>画像に別のキャプションがあるため使わないキャプションファイル</translation>
    </message>
    <message>
        <source>captions and prompts longer than the text encoder reads, cut at its limit</source>
        <translation>テキストエンコーダーの上限を超え、そこで切られるキャプションとプロンプト</translation>
    </message>
    <message>
        <source>each image is encoded in {count} versions</source>
        <translation>各画像を {count} 個のバージョンでエンコードします</translation>
    </message>
    <message>
        <source>Every step drew another crop there; here each of 8 versions of an image has another crop, enlarged by up to 1% more.</source>
        <translation>元のプログラムではステップごとに切り抜きを変えていました。Mantissa では画像の 8 つのバージョンがそれぞれ別の切り抜きになり、最大 1% 余分に拡大されます。</translation>
    </message>
    <message>
        <source>Every step drew another hue or gamma there; here each of 8 versions of an image has another hue. data.brightness is the nearest to gamma.</source>
        <translation>元のプログラムではステップごとに色相かガンマを変えていました。Mantissa では画像の 8 つのバージョンがそれぞれ別の色相になります。ガンマに最も近いのは data.brightness です。</translation>
    </message>
    <message>
        <source>Falls once over the run here, again and again within lr_warmup_steps there.</source>
        <translation>Mantissa では学習全体で 1 回下がります。元のプログラムでは lr_warmup_steps ごとに繰り返し下がります。</translation>
    </message>
    <message>
        <source>Falls over all epochs there, whatever max_steps is; over the run here.</source>
        <translation>元のプログラムでは max_steps にかかわらず全エポックにわたって、Mantissa では学習全体にわたって下がります。</translation>
    </message>
    <message>
        <source>Falls over all steps after the warm-up here.</source>
        <translation>Mantissa ではウォームアップ後の全ステップにわたって下がります。</translation>
    </message>
    <message>
        <source>Folders are chosen for each run.</source>
        <translation>フォルダーは学習ごとに選びます。</translation>
    </message>
    <message>
        <source>It rises or falls between two shares of the rate there: constant instead.</source>
        <translation>元のプログラムでは学習率の 2 つの割合の間で上下します。代わりに constant にしました。</translation>
    </message>
    <message>
        <source>Larger amounts than here are cut.</source>
        <translation>Mantissa の範囲を超える幅は上限に丸められます。</translation>
    </message>
    <message>
        <source>holds floating-point samples, for which no file says which value is white; save it again with 8 or 16 bits a channel</source>
        <translation>は浮動小数点の画素値で、どの値が白かがファイルに示されていません。1 チャンネル 8 ビットまたは 16 ビットで保存し直してください</translation>
    </message>
    <message>
        <source>holds signed or 32-bit samples, for which no file says which value is white; save it again with 8 or 16 bits a channel</source>
        <translation>は符号付きまたは 32 ビットの画素値で、どの値が白かがファイルに示されていません。1 チャンネル 8 ビットまたは 16 ビットで保存し直してください</translation>
    </message>
    <message>
        <source>is null, but the model&apos;s folder holds {folder}; remove the folder, or name its class</source>
        <translation>は null ですが、モデルのフォルダーには {folder} があります。そのフォルダーを取り除くか、クラス名を書いてください</translation>
    </message>
    <message>
        <source>is {found}, but the folder&apos;s weights are those of {family} ({pipeline}); use the folder of such a model, or only its weights as one file</source>
        <translation>は {found} ですが、フォルダーの重みは {family}（{pipeline}）のものです。そのモデルのフォルダーを使うか、重みだけを 1 つのファイルとして使ってください</translation>
    </message>
    <message>
        <source>it has &apos;{tensor}&apos;</source>
        <translation>「{tensor}」がある</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA); give the base model that it is for. The adapter itself goes to --continue-from of train and check, or to --lora of sample and merge</source>
        <translation>アダプター（LoRA）です。対応するベースモデルを指定してください。アダプター自体は train と check では --continue-from、sample と merge では --lora で指定します</translation>
    </message>
    <message>
        <source>its reference {file} is {size} pixels, itself {expected}</source>
        <translation>参照 {file} は {size} ピクセル、画像は {expected} です</translation>
    </message>
    <message>
        <source>its reference {file} doesn&apos;t exist ({place})</source>
        <translation>その参照 {file} がありません ({place})</translation>
    </message>
    <message>
        <source>its reference: {reason}</source>
        <translation>その参照: {reason}</translation>
    </message>
    <message>
        <source>its {key} is &apos;{value}&apos;</source>
        <translation>{key} が「{value}」</translation>
    </message>
    <message>
        <source>loads this part from {found}; only the model&apos;s own folder {expected} is read</source>
        <translation>は {found} から読み込む指定です。読み込めるのはモデル自身のフォルダー {expected} だけです</translation>
    </message>
    <message>
        <source>names hidden state {state}; the text encoder has {layers} layers</source>
        <translation>は隠れ状態 {state} を指定していますが、テキストエンコーダーは {layers} 層です</translation>
    </message>
    <message>
        <source>folders that Mantissa wrote, passed over</source>
        <translation>Mantissa が書き込んだため対象外にしたフォルダー</translation>
    </message>
    <message>
        <source>folders that share images with folders for another use</source>
        <translation>別の用途のフォルダーと画像が重なるフォルダー</translation>
    </message>
    <message>
        <source>images of which more than a third lies outside their bucket</source>
        <translation>3 分の 1 を超える部分がバケットの外になる画像</translation>
    </message>
    <message>
        <source>images whose names look the same, in two Unicode forms</source>
        <translation>Unicode の正規化形だけが異なり、名前が同じに見える画像</translation>
    </message>
    <message>
        <source>images with an empty caption, trained without a text</source>
        <translation>キャプションが空で、テキストなしで学習する画像</translation>
    </message>
    <message>
        <source>images without a caption, trained with their folder&apos;s name</source>
        <translation>キャプションがなく、フォルダー名で学習する画像</translation>
    </message>
    <message>
        <source>Images without a caption are left out there; here they are trained with their folder&apos;s name.</source>
        <translation>キャプションのない画像は、元のプログラムでは除外されます。Mantissa ではフォルダー名で学習します。</translation>
    </message>
    <message>
        <source>Images without a caption have an empty one there, their folder&apos;s name here.</source>
        <translation>キャプションのない画像は、元のプログラムでは空のキャプション、Mantissa ではフォルダー名で学習します。</translation>
    </message>
    <message>
        <source>inside the images {folder}: it is trained on, and none of it is left for prior preservation</source>
        <translation>画像フォルダー {folder} の中にあります。学習に使うため、事前保持に使う画像が残りません</translation>
    </message>
    <message>
        <source>inside the images {folder}: it isn&apos;t trained on</source>
        <translation>画像フォルダー {folder} の中にあります。その画像は学習に使いません</translation>
    </message>
    <message>
        <source>lr_scheduler_type counts instead.</source>
        <translation>代わりに lr_scheduler_type が有効です。</translation>
    </message>
    <message>
        <source>merging models</source>
        <translation>モデルのマージ</translation>
    </message>
    <message>
        <source>neither MANTISSA_HOME nor LOCALAPPDATA is set: no folder for the program&apos;s data; set MANTISSA_HOME</source>
        <translation>MANTISSA_HOME と LOCALAPPDATA のどちらも設定されていないため、プログラムのデータを置くフォルダーがありません。MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>One for all images here: the first concept&apos;s.</source>
        <translation>Mantissa では全画像に共通で、最初のコンセプトの値を使います。</translation>
    </message>
    <message>
        <source>no images given (--images): only the preset and the base model are checked, with steps at data.resolution, and a training would not start</source>
        <translation>画像が指定されていません（--images）。data.resolution のステップとして、プリセットとベースモデルだけを確認します。このままでは学習を開始できません</translation>
    </message>
    <message>
        <source>no line of {list} names it</source>
        <translation>{list} にこの画像の行がありません</translation>
    </message>
    <message>
        <source>no reference of its name in {folder}</source>
        <translation>{folder} に同じ名前の参照がありません</translation>
    </message>
    <message>
        <source>samples.prompts name reference images, but no folder of them is given (--references)</source>
        <translation>samples.prompts が参照画像を指していますが、そのフォルダーが指定されていません (--references)</translation>
    </message>
    <message>
        <source>samples.prompts name reference images, which a replayed trace doesn&apos;t hold. Leave them out</source>
        <translation>samples.prompts が参照画像を指していますが、再生するトレースには含まれません。外してください</translation>
    </message>
    <message>
        <source>samples.prompts: no folder of references holds {name}, which the prompt &quot;{prompt}&quot; names</source>
        <translation>samples.prompts: プロンプト「{prompt}」が指す {name} は、どの参照フォルダーにもありません</translation>
    </message>
    <message>
        <source>samples.prompts[{index}]: {reason}</source>
        <translation>samples.prompts[{index}]: {reason}</translation>
    </message>
    <message>
        <source>the machine refused more memory; lower data.batch_size or data.resolution, or turn training.gradient_checkpointing on</source>
        <translation>このコンピューターのメモリが足りません。data.batch_size または data.resolution を下げるか、training.gradient_checkpointing をオンにしてください</translation>
    </message>
    <message>
        <source>the negative prompt has no effect: guidance is 1, which turns guidance off</source>
        <translation>ネガティブプロンプトは効きません。ガイダンスが 1 で、オフになっています</translation>
    </message>
    <message>
        <source>clip skip has no effect: {model} takes its text encoders as they are</source>
        <translation>clip skip は効きません。{model} はテキストエンコーダーをそのまま使います</translation>
    </message>
    <message>
        <source>emphasis has no effect: {model} reads brackets and weights as text</source>
        <translation>強調は効きません。{model} は括弧と重みを文字として読みます</translation>
    </message>
    <message>
        <source>training</source>
        <translation>学習</translation>
    </message>
    <message>
        <source>training needs {need}: {activations} for activations, {weights} for weights, {adapters} for adapters and optimizer; {free} are free</source>
        <translation>学習には {need} 必要です（活性値 {activations}、重み {weights}、アダプターとオプティマイザー {adapters}）。空きは {free} です</translation>
    </message>
    <message>
        <source>{count} of the first {images} images have no caption: they are trained with their folder's name. Write captions, or have a tagger or another model write them</source>
        <translation>最初の {images} 枚のうち {count} 枚にキャプションがなく、フォルダー名で学習されます。キャプションを書くか、タガーなどのモデルに書かせてください</translation>
    </message>
    <message>
        <source>{folder} isn&apos;t there, which holds captions to put back: connect its disk or put the folder back, and try again</source>
        <translation>戻すキャプションのある {folder} が見つかりません。ディスクを接続するかフォルダーを元に戻して、もう一度試してください</translation>
    </message>
    <message>
        <source>{folder}: the checkpoints and the result of this run take up to {need}, {free} are free. Make room there, or choose another folder</source>
        <translation>{folder}: この学習のチェックポイントと学習結果は最大 {need} を使いますが、空きは {free} です。空きを作るか、別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>{key} is {value}, but {model} doesn&apos;t read it, and it has no effect. Set it back to {usual}</source>
        <translation>{key} は {value} ですが、{model} はこれを使わないため効果がありません。{usual} に戻してください</translation>
    </message>
    <message>
        <source>the negative prompt has no effect: {model} takes the guidance scale as an input, without a pass for what to steer away from</source>
        <translation>ネガティブプロンプトは効きません。{model} はガイダンススケールを入力として受け取り、避けたいもののための計算をしません</translation>
    </message>
    <message>
        <source>the notice was not delivered: {address} answered with status {status}</source>
        <translation>通知を届けられませんでした: {address} はステータス {status} を返しました</translation>
    </message>
    <message>
        <source>the notice was not delivered: {reason}</source>
        <translation>通知を届けられませんでした: {reason}</translation>
    </message>
    <message>
        <source>the request was cancelled</source>
        <translation>要求は取り消されました</translation>
    </message>
    <message>
        <source>the run takes about {days} days on this device (estimated: {steps} steps of {seconds} s). Use a card, fewer steps or a smaller data.resolution</source>
        <translation>このデバイスでは学習に約 {days} 日かかります（推定: {steps} ステップ × {seconds} 秒）。カードを使うか、ステップ数または data.resolution を減らしてください</translation>
    </message>
    <message>
        <source>no output.format can hold the adapters of all layers that adapter.targets name: the result couldn&apos;t be written. Choose other adapter.targets, or another adapter.type</source>
        <translation>adapter.targets が指すすべての層のアダプターを保存できる output.format がなく、結果を書き出せません。別の adapter.targets か adapter.type を選んでください</translation>
    </message>
    <message>
        <source>none of the {count} prior-preservation images is left: all are trained on or in the validation set, so there is no prior preservation; give other images with --prior</source>
        <translation>事前保持の画像 {count} 枚はすべて学習する画像か検証データに含まれるため 1 枚も残らず、事前保持は行われません。--prior で別の画像を指定してください</translation>
    </message>
    <message>
        <source>shares images with the validation folder {folder}: they aren&apos;t used for prior preservation</source>
        <translation>検証用フォルダー {folder} と画像が重なります。その画像は事前保持に使いません</translation>
    </message>
    <message>
        <source>tensor {tensor} is {type} instead of F32, BF16 or F16</source>
        <translation>テンソル {tensor} の型が F32、BF16、F16 のいずれでもなく {type} です</translation>
    </message>
    <message>
        <source>the same folder as the images {folder}: none of them is left to train on</source>
        <translation>画像フォルダー {folder} と同じフォルダーです。学習する画像が残りません</translation>
    </message>
    <message>
        <source>the same folder as the images {folder}: they are trained on, and none of them is left for prior preservation</source>
        <translation>画像フォルダー {folder} と同じフォルダーです。学習に使うため、事前保持に使う画像が残りません</translation>
    </message>
    <message>
        <source>textual inversion</source>
        <translation>Textual Inversion</translation>
    </message>
    <message>
        <source>the process {name}</source>
        <translation>プロセス {name}</translation>
    </message>
    <message>
        <source>The schedule that lr_scheduler_type names counts there: module names are never loaded from a configuration.</source>
        <translation>元のプログラムでは lr_scheduler_type のスケジュールが有効です。設定からモジュール名を読み込むことはありません。</translation>
    </message>
    <message>
        <source>the system could not make {file} durable: {reason}</source>
        <translation>{file} をディスクに確実に書き込めませんでした: {reason}</translation>
    </message>
    <message>
        <source>the system refuses another thread; raise the limit of processes or of memory (ulimit -u, ulimit -v), or close other programs</source>
        <translation>システムがこれ以上スレッドを作成できません。プロセス数またはメモリの上限を上げる（ulimit -u、ulimit -v）か、ほかのプログラムを閉じてください</translation>
    </message>
    <message>
        <source>the system reports: {reason}</source>
        <translation>システムからの報告: {reason}</translation>
    </message>
    <message>
        <source>this is no address by http or https, such as https://ntfy.sh/my-topic or http://127.0.0.1:8080</source>
        <translation>これは http または https のアドレスではありません。例: https://ntfy.sh/my-topic、http://127.0.0.1:8080</translation>
    </message>
    <message>
        <source>training.parts has {part}, the T5 of {family}, which can&apos;t be trained in full: its relative position bias gets no gradient. Take it out of training.parts, or set training.method to adapter</source>
        <translation>training.parts に {family} の T5 である {part} がありますが、T5 のフル学習はできません。相対位置バイアスに勾配がないためです。training.parts から外すか、training.method を adapter にしてください</translation>
    </message>
    <message>
        <source>{address} did not answer within {seconds} seconds</source>
        <translation>{address} は {seconds} 秒以内に応答しませんでした</translation>
    </message>
    <message>
        <source>{address}: {reason}</source>
        <translation>{address}: {reason}</translation>
    </message>
    <message>
        <source>{alone}. Split over the cards {cards}, the layers would fit: {parts}. Choose these under “Device”; {streaming}</source>
        <translation>{alone}。層をカード {cards} に分ければ収まります: {parts}。「デバイス」で選んでください。{streaming}</translation>
    </message>
    <message>
        <source>{count} images in a row got no caption, the last because: {reason}. The captions made before stay</source>
        <translation>続けて {count} 枚の画像でキャプションが得られませんでした。最後の理由: {reason}。それまでのキャプションは残ります</translation>
    </message>
    <message>
        <source>{count} of samples.prompts have the usual {steps} steps with guidance {guidance}: they are rendered as {model} is made for, with {own_steps} steps and guidance {own_guidance}</source>
        <translation>samples.prompts のうち {count} 件は既定の {steps} ステップ、ガイダンス {guidance} です。{model} に合わせて {own_steps} ステップ、ガイダンス {own_guidance} で生成します</translation>
    </message>
    <message>
        <source>{count} of the first {images} images are smaller than the size they are trained at and are enlarged, {name} the most: {factor} times. Use larger images, or lower {setting} ({resolution})</source>
        <translation>最初の {images} 枚中 {count} 枚の画像が学習サイズより小さく、拡大されます。最も大きく拡大されるのは {name} で {factor} 倍です。より大きな画像を使うか、{setting}（{resolution}）を下げてください</translation>
    </message>
    <message>
        <source>{count} more about images and captions</source>
        <translation>画像とキャプションについて、ほかに {count} 件</translation>
    </message>
    <message>
        <source>{count} of {images} images are smaller than the size they are trained at and are enlarged, {name} the most: {factor} times. Use larger images, or lower {setting} ({resolution})</source>
        <translation>{images} 枚中 {count} 枚の画像が学習サイズより小さく、拡大されます。最も大きく拡大されるのは {name} で {factor} 倍です。より大きな画像を使うか、{setting}（{resolution}）を下げてください</translation>
    </message>
    <message>
        <source>{device} can&apos;t be used: {reason}. Choose another device, such as the CPU</source>
        <translation>{device} は使えません: {reason}。CPU など別のデバイスを選んでください</translation>
    </message>
    <message>
        <source>{family} reads no reference images</source>
        <translation>{family} は参照画像を読みません</translation>
    </message>
    <message>
        <source>{file} and {input}, which this tool reads, lie inside each other; write the result elsewhere</source>
        <translation>{file} と、このツールが読み込む {input} は一方が他方の中にあります。結果は別の場所に書き込んでください</translation>
    </message>
    <message>
        <source>{file} begins with a comment that JSON does not have; remove its comments</source>
        <translation>{file} は JSON にはないコメントで始まっています。コメントを削除してください</translation>
    </message>
    <message>
        <source>{file} could not be read within {seconds} s and was given up. It may be damaged, or made to do harm; nothing was changed</source>
        <translation>{file} を {seconds} 秒以内に読み込めなかったため中止しました。ファイルが破損しているか、悪意のある内容の可能性があります。何も変更していません</translation>
    </message>
    <message>
        <source>{file} could not be read: could not start {program} ({reason})</source>
        <translation>{file} を読み込めませんでした: {program} を起動できません ({reason})</translation>
    </message>
    <message>
        <source>{file} could not be read: its settings fill the memory. Nothing was changed</source>
        <translation>{file} を読み込めませんでした: 設定がメモリーに収まりません。何も変更していません</translation>
    </message>
    <message>
        <source>{file} could not be read: reading it ended unexpectedly (status {status}). It may be damaged, or made to do harm; nothing was changed</source>
        <translation>{file} を読み込めませんでした: 読み込み中のプロセスが予期せず終了しました (状態 {status})。ファイルが破損しているか、悪意のある内容の可能性があります。何も変更していません</translation>
    </message>
    <message>
        <source>{count} of {all} layers have a rank of up to {rank}, more than the smaller side of their weight, at least {least}: the rest takes memory and changes nothing. Lower adapter.rank</source>
        <translation>{all} 層中 {count} 層のランク（最大 {rank}）が重みの短い辺（最小 {least}）を超えています。超えた分はメモリを使うだけで、何も変えません。adapter.rank を下げてください</translation>
    </message>
    <message>
        <source>{file} can&apos;t be removed: {reason}</source>
        <translation>{file} を削除できません: {reason}</translation>
    </message>
    <message>
        <source>{file} is a script of commands, which are not read; import the file that it names after --config_file or --dataset_config, or the .toml or .json that the trainer has saved</source>
        <translation>{file} はコマンドのスクリプトで、読み込めません。--config_file または --dataset_config の後に指定されたファイルか、学習プログラムが保存した .toml または .json をインポートしてください</translation>
    </message>
    <message>
        <source>{file} is an image, not a configuration</source>
        <translation>{file} は画像で、設定ではありません</translation>
    </message>
    <message>
        <source>{file} is not a text file, so it is no configuration</source>
        <translation>{file} はテキストファイルではないため、設定ではありません</translation>
    </message>
    <message>
        <source>{file} is text in UTF-16; save it as UTF-8</source>
        <translation>{file} は UTF-16 のテキストです。UTF-8 で保存してください</translation>
    </message>
    <message>
        <source>{file} is used</source>
        <translation>{file} を使います</translation>
    </message>
    <message>
        <source>the training method {name}</source>
        <translation>学習方法 {name}</translation>
    </message>
    <message>
        <source>this has {bytes} bytes; at most {most} are read</source>
        <translation>{bytes} バイトあります。読み込めるのは最大 {most} バイトです</translation>
    </message>
    <message>
        <source>training of an image adapter</source>
        <translation>画像アダプターの学習</translation>
    </message>
    <message>
        <source>training of the text conditioner by a switch; see te2 in training.parts</source>
        <translation>スイッチによるテキストコンディショナーの学習（training.parts の te2 を参照）</translation>
    </message>
    <message>
        <source>training of the VAE with that program&apos;s loss</source>
        <translation>元のプログラムの損失による VAE の学習</translation>
    </message>
    <message>
        <source>training on conditioning images</source>
        <translation>条件画像による学習</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; changed while it was read; wait until it is written, then start again</source>
        <translation>「{file}」は読み込み中に変更されました。書き込みが終わってから開始し直してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; could not be decoded: the system refuses another thread or more memory ({reason}); raise the limits (ulimit -u, ulimit -v)</source>
        <translation>「{file}」をデコードできませんでした: システムがこれ以上のスレッドまたはメモリを拒否しました（{reason}）。制限（ulimit -u、ulimit -v）を上げてください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has a vision tower; {family} has a text encoder without one</source>
        <translation>「{file}」には画像用の部分があります。{family} のテキストエンコーダーにはありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has no vision tower; the text encoder of {family} has one</source>
        <translation>「{file}」には画像用の部分がありません。{family} のテキストエンコーダーにはあります</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; holds no {part} of {family}</source>
        <translation>「{file}」に {family} の {part} はありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no longer this program&apos;s lock: it was removed or replaced, and another program may own the run. Nothing more is written there, earlier checkpoints are untouched. End the other program, then resume the run</source>
        <translation>「{file}」はこのプログラムのロックではなくなりました：削除または置き換えられ、別のプログラムがこの学習を使っている可能性があります。以後は書き込まず、以前のチェックポイントはそのままです。別のプログラムを終了してから学習を再開してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no SentencePiece model ({reason}); get the model&apos;s tokenizer folder again</source>
        <translation>「{file}」は SentencePiece モデルではありません（{reason}）。モデルのトークナイザーのフォルダーを入手し直してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is not a base model: {reason}</source>
        <translation>「{file}」はベースモデルではありません: {reason}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; needs more than is found in {folders}: {parts}. Choose with {options}</source>
        <translation>「{file}」に必要なものが {folders} にそろっていません: {parts}。{options} で指定してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: metadata key mantissa.config</source>
        <translation>「{file}」: メタデータのキー mantissa.config</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: tensor &apos;{tensor}&apos; is not listed for this shard in the folder&apos;s index; get the model again</source>
        <translation>「{file}」: テンソル「{tensor}」が、フォルダーの索引でこのシャードに載っていません。モデルを入手し直してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: two tensors stand for the {part} weight &apos;{weight}&apos; (one of them is &apos;{tensor}&apos;)</source>
        <translation>「{file}」: {part} の重み「{weight}」に当たるテンソルが 2 つあります（1 つは「{tensor}」）</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; holds no diffusers model: no .safetensors under unet/, transformer/, text_encoder/ or vae/</source>
        <translation>「{path}」に diffusers モデルがありません。unet/、transformer/、text_encoder/、vae/ のいずれにも .safetensors がありません</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; holds no {part} weights; pass a complete checkpoint or diffusers folder</source>
        <translation>「{path}」に {part} の重みがありません。完全なチェックポイントか diffusers フォルダーを指定してください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos; lacks the {weight}; the checkpoint is incomplete or of another architecture</source>
        <translation>「{path}」に {weight} がありません。チェックポイントが不完全か、別のアーキテクチャのものです</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: tensor &apos;{tensor}&apos; must be a matrix; its shape is {shape}</source>
        <translation>「{path}」: テンソル「{tensor}」は行列でなければなりませんが、形状は {shape} です</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: tensor &apos;{tensor}&apos; must hold {count} projections in equal shares of its rows; its shape is {shape}</source>
        <translation>「{path}」: テンソル「{tensor}」は {count} 個の射影を行方向に等分して持たなければなりませんが、形状は {shape} です</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the index lists {listed} tensors, the shards hold {held} of them; a shard is missing or incomplete, get the model again</source>
        <translation>「{path}」: 索引には {listed} 個のテンソルがありますが、シャードには {held} 個しかありません。シャードが欠けているか不完全なので、モデルを入手し直してください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the statistics of latent channel {channel} are mean {mean}, variance {variance}; the file is damaged</source>
        <translation>「{path}」: latent チャンネル {channel} の統計は平均 {mean}、分散 {variance} です。ファイルが壊れています</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the unet takes {taken} channels, the vae makes latents of {made}; the two parts belong to different models</source>
        <translation>「{path}」: unet は {taken} チャンネルを受け取りますが、vae が作る latent は {made} チャンネルです。2 つの部分は別々のモデルのものです</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the vae&apos;s {weight} has shape {shape}, but its latents have {channels} channels</source>
        <translation>「{path}」: vae の {weight} の shape は {shape} ですが、latent は {channels} チャンネルです</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} has no weight *{ending}; it is of another architecture</source>
        <translation>「{path}」: {part} に重み *{ending} がありません。別のアーキテクチャのものです</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} weight &apos;{weight}&apos; has shape {shape}; more dimensions are expected</source>
        <translation>「{path}」: {part} の重み「{weight}」の形状が {shape} で、次元が足りません</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} weight &apos;{weight}&apos; has {count} values, which don&apos;t divide the width {width} into heads</source>
        <translation>「{path}」: {part} の重み「{weight}」の値は {count} 個で、幅 {width} をヘッドに等分できません</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {weight}</source>
        <translation>「{path}」: {weight}</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {weight} is stored as {type}, which can&apos;t be used; convert the checkpoint to BF16, F16 or F32</source>
        <translation>「{path}」: {weight} は {type} で保存されていて使えません。チェックポイントを BF16、F16、F32 のいずれかに変換してください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: unet add_embedding.linear_1 takes {count} inputs, too few for six size embeddings and a pooled text vector; put the model&apos;s config objects into its mantissa.config metadata</source>
        <translation>「{path}」: unet の add_embedding.linear_1 の入力は {count} 個で、サイズの埋め込み 6 個とプールしたテキストベクトルには足りません。モデルの設定オブジェクトをメタデータ mantissa.config に入れてください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: unet conv_in takes {taken} channels and conv_out gives {given}; equal numbers are expected. {advice}</source>
        <translation>「{path}」: unet の conv_in は {taken} チャンネルを受け取り、conv_out は {given} チャンネルを出力します。両者は同じでなければなりません。{advice}</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: unet has no down_blocks.0; the UNet is incomplete</source>
        <translation>「{path}」: unet に down_blocks.0 がありません。UNet が不完全です</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: vae has no encoder.down_blocks.0; the VAE is incomplete</source>
        <translation>「{path}」: vae に encoder.down_blocks.0 がありません。VAE が不完全です</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has no layer text_model.encoder.layers.0; it is no CLIP text encoder</source>
        <translation>「{path}」: {part} に層 text_model.encoder.layers.0 がありません。CLIP のテキストエンコーダーではありません</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has no {weight}; it is no {model} text encoder</source>
        <translation>「{path}」: {part} に {weight} がありません。{model} のテキストエンコーダーではありません</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has {weight}; it is no {model} text encoder</source>
        <translation>「{path}」: {part} に {weight} があります。{model} のテキストエンコーダーではありません</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: {part} has {weight}; attention with biases is not supported</source>
        <translation>「{path}」: {part} に {weight} があります。バイアス付きのアテンションには対応していません</translation>
    </message>
    <message>
        <source>, {bytes} free</source>
        <translation>、空きは {bytes}</translation>
    </message>
    <message>
        <source>--accept-changed: &quot;{part}&quot; is no part of a run; it takes {parts}</source>
        <translation>--accept-changed: 「{part}」という部分は学習にありません。使えるのは {parts} です</translation>
    </message>
    <message>
        <source>--csv and --json are two forms of the output; give one of them</source>
        <translation>--csv と --json は出力の 2 つの形式です。どちらか一方を指定してください</translation>
    </message>
    <message>
        <source>--out {file} and {input}, which this command reads, lie inside each other; write the result elsewhere</source>
        <translation>--out {file} と、このコマンドが読み込む {input} は一方が他方の中にあります。結果は別の場所に書き込んでください</translation>
    </message>
    <message>
        <source>--out {file} is what this command reads; write the result elsewhere</source>
        <translation>--out {file} はこのコマンドが読み込むものです。結果は別の場所に書き込んでください</translation>
    </message>
    <message>
        <source>--set {assignment}: write key=value, such as --set adapter.rank=8</source>
        <translation>--set {assignment}: --set adapter.rank=8 のように key=value の形で指定してください</translation>
    </message>
    <message>
        <source>--split-cards is for one process, whose cards share the layers: leave it or mpirun out</source>
        <translation>--split-cards は、カードで層を分け合う 1 つのプロセス用です。--split-cards と mpirun のどちらかを外してください</translation>
    </message>
    <message>
        <source>--split-cards names card {card} twice</source>
        <translation>--split-cards にカード {card} が 2 回指定されています</translation>
    </message>
    <message>
        <source>--split-cards names one card; name those that share the layers, as cuda:0,1, or choose one with --device</source>
        <translation>--split-cards にカードが 1 枚しか指定されていません。層を分け合うカードを cuda:0,1 のように指定するか、--device で 1 枚を選んでください</translation>
    </message>
    <message>
        <source>--trace writes the steps of one card. Leave it or --split-cards out</source>
        <translation>--trace が書き出すのは 1 枚のカードのステップです。--trace と --split-cards のどちらかを外してください</translation>
    </message>
    <message>
        <source>; </source>
        <translation>。</translation>
    </message>
    <message>
        <source>; for them write another file with output.format plain_lora</source>
        <translation>。そうしたプログラム用には output.format plain_lora で別のファイルを書いてください</translation>
    </message>
    <message>
        <source>; skipped {files}</source>
        <translation>。除いたもの: {files}</translation>
    </message>
    <message>
        <source>Not set there: the length came from epochs.</source>
        <translation>元のプログラムでは未設定です。長さはエポック数で決まります。</translation>
    </message>
    <message>
        <source>It stops at whichever comes first there; here {key} decides.</source>
        <translation>元のプログラムでは早い方で終わります。Mantissa では {key} で終わります。</translation>
    </message>
    <message>
        <source>Not used there: other keys give the run&apos;s length.</source>
        <translation>元のプログラムでは未使用です。学習の長さは別のキーで決まります。</translation>
    </message>
    <message>
        <source>__metadata__ must be an object, it is {found}</source>
        <translation>__metadata__ はオブジェクトでなければなりません（実際: {found}）</translation>
    </message>
    <message>
        <source>a &lt;name&gt;-masklabel.png</source>
        <translation>&lt;name&gt;-masklabel.png</translation>
    </message>
    <message>
        <source>a caption can&apos;t be normalised: {reason}</source>
        <translation>キャプションを正規化できません: {reason}</translation>
    </message>
    <message>
        <source>a caption for images without one</source>
        <translation>キャプションのない画像用のキャプション</translation>
    </message>
    <message>
        <source>a mask for images without one</source>
        <translation>マスクのない画像用のマスク</translation>
    </message>
    <message>
        <source>A caption is one text here, with all its lines.</source>
        <translation>Mantissa ではキャプションの全行を 1 つのテキストとして扱います。</translation>
    </message>
    <message>
        <source>a caption needs room for at least the begin and the end token; the length is {length}</source>
        <translation>キャプションには少なくとも開始トークンと終了トークンの分の長さが必要ですが、長さは {length} です</translation>
    </message>
    <message>
        <source>a caption without an image of the same name</source>
        <translation>同じ名前の画像がないキャプション</translation>
    </message>
    <message>
        <source>a change of what the model predicts</source>
        <translation>モデルの予測対象の変更</translation>
    </message>
    <message>
        <source>a choice among several noises</source>
        <translation>複数のノイズからの選択</translation>
    </message>
    <message>
        <source>a delay before averaging</source>
        <translation>平均を始めるまでの待ち</translation>
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
        <source>a file name without folder or extension</source>
        <translation>フォルダーや拡張子のないファイル名</translation>
    </message>
    <message>
        <source>A filter of its own: see adapter.targets, which takes patterns.</source>
        <translation>独自のフィルターです。パターンを使える adapter.targets を参照してください。</translation>
    </message>
    <message>
        <source>a filter of layers by name; see adapter.targets</source>
        <translation>名前による層のフィルター（adapter.targets を参照）</translation>
    </message>
    <message>
        <source>a filter of quantised layers</source>
        <translation>量子化する層のフィルター</translation>
    </message>
    <message>
        <source>a guidance loss</source>
        <translation>ガイダンスの損失</translation>
    </message>
    <message>
        <source>a learned scalar per module</source>
        <translation>モジュールごとに学習するスカラー</translation>
    </message>
    <message>
        <source>a learning rate for each block</source>
        <translation>ブロックごとの学習率</translation>
    </message>
    <message>
        <source>a library of prompts</source>
        <translation>プロンプトのライブラリー</translation>
    </message>
    <message>
        <source>a limit on OFT</source>
        <translation>OFT の制限</translation>
    </message>
    <message>
        <source>a limit on the images of a folder</source>
        <translation>フォルダーの画像数の上限</translation>
    </message>
    <message>
        <source>training on a share of the batches</source>
        <translation>一部のバッチだけでの学習</translation>
    </message>
    <message>
        <source>a limit on the loss</source>
        <translation>損失の上限</translation>
    </message>
    <message>
        <source>a limit on the norm of adapter weights</source>
        <translation>アダプターの重みのノルムの制限</translation>
    </message>
    <message>
        <source>a limit on validation</source>
        <translation>検証の制限</translation>
    </message>
    <message>
        <source>a link to a file that doesn&apos;t exist</source>
        <translation>存在しないファイルへのリンク</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>リスト</translation>
    </message>
    <message>
        <source>a list of at most {most} {items}</source>
        <translation>{most} 個までの {items} のリスト</translation>
    </message>
    <message>
        <source>a list of module-path patterns</source>
        <translation>モジュールパスのパターンのリスト</translation>
    </message>
    <message>
        <source>a list of objects</source>
        <translation>オブジェクトのリスト</translation>
    </message>
    <message>
        <source>a list of objects with the keys {keys}</source>
        <translation>キー {keys} を持つオブジェクトのリスト</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文字列のリスト</translation>
    </message>
    <message>
        <source>a list of two numbers from {least} to {most}</source>
        <translation>{least} から {most} までの 2 つの数値のリスト</translation>
    </message>
    <message>
        <source>a list of {count}</source>
        <translation>{count} 項目のリスト</translation>
    </message>
    <message>
        <source>a list with at least one of {choices}</source>
        <translation>{choices} のうち少なくとも 1 つを含むリスト</translation>
    </message>
    <message>
        <source>a loss divided by the masked area</source>
        <translation>マスクの面積で割る損失</translation>
    </message>
    <message>
        <source>a loss on inner features</source>
        <translation>内部特徴に対する損失</translation>
    </message>
    <message>
        <source>a further loss at half the size</source>
        <translation>半分のサイズでの追加の損失</translation>
    </message>
    <message>
        <source>a mask without an image of the same name</source>
        <translation>同じ名前の画像がないマスク</translation>
    </message>
    <message>
        <source>a matrix of {rows} by {columns} holds NaN or infinity; it has no singular values. Check the base model&apos;s file</source>
        <translation>{rows} x {columns} の行列に NaN か無限大があり、特異値を求められません。ベースモデルのファイルを確かめてください</translation>
    </message>
    <message>
        <source>a model of the family {family} has no part {part}</source>
        <translation>系列 {family} のモデルに {part} という部分はありません</translation>
    </message>
    <message>
        <source>a module-path pattern of 1 to 256 characters without spaces, slashes or colons, such as &quot;denoiser.down_blocks.*.attn1.to_q&quot;</source>
        <translation>空白、スラッシュ、コロンを含まない 1～256 文字のモジュールパスのパターン（例: &quot;denoiser.down_blocks.*.attn1.to_q&quot;）</translation>
    </message>
    <message>
        <source>a momentum of its own; see optimizer.betas</source>
        <translation>独自のモーメンタム（optimizer.betas を参照）</translation>
    </message>
    <message>
        <source>a number from {least} to {most}</source>
        <translation>{least} から {most} までの数値</translation>
    </message>
    <message>
        <source>A path: those are chosen for each run and never stored in a preset.</source>
        <translation>パスです。パスは学習ごとに選ぶもので、プリセットには保存しません。</translation>
    </message>
    <message>
        <source>a pixel names colour {index} of a palette of {count}</source>
        <translation>色数 {count} のパレットに対し、{index} 番の色を指すピクセルがあります</translation>
    </message>
    <message>
        <source>a PNG chunk can&apos;t hold {bytes} bytes</source>
        <translation>PNG のチャンクに {bytes} バイトは入りません</translation>
    </message>
    <message>
        <source>a positive number below 2^126</source>
        <translation>2^126 より小さい正の数</translation>
    </message>
    <message>
        <source>A preset has no licence field.</source>
        <translation>プリセットにライセンスの欄はありません。</translation>
    </message>
    <message>
        <source>a preset is a JSON object: { &quot;mantissa_preset&quot;: 2, … }</source>
        <translation>プリセットは JSON オブジェクトです: { &quot;mantissa_preset&quot;: 2, … }</translation>
    </message>
    <message>
        <source>a prior loss outside the mask</source>
        <translation>マスクの外の事前知識の損失</translation>
    </message>
    <message>
        <source>a prompt and an adapter of the run are needed</source>
        <translation>プロンプトとこの学習のアダプターが必要です</translation>
    </message>
    <message>
        <source>a prompt needs room for at least one token; the length is {length}</source>
        <translation>プロンプトには少なくとも 1 トークンの長さが必要です。長さは {length} です</translation>
    </message>
    <message>
        <source>A random seed there; here every run has a fixed one.</source>
        <translation>元のプログラムではランダムなシードですが、Mantissa ではどの学習も決まったシードを持ちます。</translation>
    </message>
    <message>
        <source>a range of timesteps</source>
        <translation>タイムステップの範囲</translation>
    </message>
    <message>
        <source>a resumed run can&apos;t change {changes}. Start a new run, or resume with the preset the run was started with</source>
        <translation>再開した学習では {changes} を変更できません。新しい学習を始めるか、開始したときのプリセットで再開してください</translation>
    </message>
    <message>
        <source>a probe runs on one device: give --device in place of --split-cards</source>
        <translation>プローブは 1 台のデバイスで動きます。--split-cards の代わりに --device を指定してください</translation>
    </message>
    <message>
        <source>a run whose layers are split over cards decides about each step from all gradients. Set optimizer.fused_back_pass to false</source>
        <translation>層を複数のカードに分けた学習では、各ステップをすべての勾配から判断します。optimizer.fused_back_pass を false にしてください</translation>
    </message>
    <message>
        <source>a sample of {width}x{height} can&apos;t be made with this model: sides must be multiples of {multiple} pixels</source>
        <translation>{width}x{height} のサンプルはこのモデルでは生成できません。辺は {multiple} ピクセルの倍数でなければなりません</translation>
    </message>
    <message>
        <source>a sampler takes 1 to {most} steps; {steps} were asked for</source>
        <translation>サンプラーのステップ数は 1 から {most} までですが、{steps} が指定されました</translation>
    </message>
    <message>
        <source>a separator of kept tags</source>
        <translation>固定タグの区切り</translation>
    </message>
    <message>
        <source>A share of the run, whose length came from epochs. Set schedule.warmup_steps.</source>
        <translation>学習全体に対する割合ですが、長さはエポック数から決まっていました。schedule.warmup_steps を設定してください。</translation>
    </message>
    <message>
        <source>a shift of timesteps</source>
        <translation>タイムステップのシフト</translation>
    </message>
    <message>
        <source>a soft min-SNR</source>
        <translation>ソフトな min-SNR</translation>
    </message>
    <message>
        <source>a step inside the backward pass can&apos;t follow a dynamic loss scale, which needs a whole-model overflow check. Set optimizer.fused_back_pass to false, or precision.compute to bf16</source>
        <translation>逆伝播中の更新は動的な損失スケールに対応できません。モデル全体のオーバーフロー検査が必要だからです。optimizer.fused_back_pass を false に、または precision.compute を bf16 にしてください</translation>
    </message>
    <message>
        <source>a strength for each data set</source>
        <translation>データセットごとの強さ</translation>
    </message>
    <message>
        <source>a strength of the adapter in samples</source>
        <translation>サンプル画像でのアダプターの強さ</translation>
    </message>
    <message>
        <source>a text after every caption</source>
        <translation>すべてのキャプションの後の文字列</translation>
    </message>
    <message>
        <source>a text before every caption</source>
        <translation>すべてのキャプションの前の文字列</translation>
    </message>
    <message>
        <source>Followed by a space here.</source>
        <translation>Mantissa ではこの後に空白が入ります。</translation>
    </message>
    <message>
        <source>a text is longer than 64 KB</source>
        <translation>64 KB を超える文字列があります</translation>
    </message>
    <message>
        <source>a trigger word put into captions</source>
        <translation>キャプションに加えるトリガーワード</translation>
    </message>
    <message>
        <source>a v-prediction term in the loss</source>
        <translation>損失の v-prediction 項</translation>
    </message>
    <message>
        <source>a whole number from {least} to {most}</source>
        <translation>{least} から {most} までの整数</translation>
    </message>
    <message>
        <source>a YAML alias (*name) is not read; write the value out</source>
        <translation>YAML のエイリアス (*name) は読みません。値を直接書いてください</translation>
    </message>
    <message>
        <source>a YAML key must be plain text</source>
        <translation>YAML のキーはただのテキストでなければなりません</translation>
    </message>
    <message>
        <source>a YAML tag (!name) is not read; write the plain value</source>
        <translation>YAML のタグ (!name) は読みません。値だけを書いてください</translation>
    </message>
    <message>
        <source>accumulated gradient</source>
        <translation>累積した勾配</translation>
    </message>
    <message>
        <source>activations in 8 bits by that library</source>
        <translation>そのライブラリーによる 8 ビットの活性化</translation>
    </message>
    <message>
        <source>Adafactor takes a rate of its own here: constant instead.</source>
        <translation>Mantissa では Adafactor に学習率を与えます。代わりに constant にしました。</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own learning rate</source>
        <translation>Adafactor 自身の学習率</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own warm-up</source>
        <translation>Adafactor 自身のウォームアップ</translation>
    </message>
    <message>
        <source>adapter {name}</source>
        <translation>アダプター {name}</translation>
    </message>
    <message>
        <source>adapter.init pissa changes the base weights, and this caller can&apos;t. Set adapter.init to standard</source>
        <translation>adapter.init の pissa はベースの重みを変えますが、この呼び出し元ではできません。adapter.init を standard にしてください</translation>
    </message>
    <message>
        <source>adapter.rank is {rank} and adapter.conv_rank {conv_rank}; the rank must be at least 1</source>
        <translation>adapter.rank は {rank}、adapter.conv_rank は {conv_rank} ですが、ランクは 1 以上でなければなりません</translation>
    </message>
    <message>
        <source>adapter.targets {targets} name no module of {part}; use &quot;attention&quot;, &quot;attention+mlp&quot;, &quot;linear+conv&quot; or patterns such as &quot;*.attn1.to_q&quot;</source>
        <translation>adapter.targets {targets} に当てはまる {part} のモジュールがありません。&quot;attention&quot;、&quot;attention+mlp&quot;、&quot;linear+conv&quot;、または &quot;*.attn1.to_q&quot; のようなパターンを使ってください</translation>
    </message>
    <message>
        <source>Adapters are .safetensors with kohya&apos;s names; see output.format.</source>
        <translation>アダプターは kohya の名前の .safetensors です。output.format を参照してください。</translation>
    </message>
    <message>
        <source>Adapters are always .safetensors.</source>
        <translation>アダプターは常に .safetensors です。</translation>
    </message>
    <message>
        <source>adaptive noise offset</source>
        <translation>適応的なノイズオフセット</translation>
    </message>
    <message>
        <source>adds up to {sum}; it must be the head&apos;s width, dim / n_heads = {width} / {heads}</source>
        <translation>の合計は {sum} です。ヘッドの幅 dim / n_heads = {width} / {heads} と一致しなければなりません</translation>
    </message>
    <message>
        <source>adds up to {sum}; it must be {field}, which is {width}</source>
        <translation>の合計は {sum} です。{field} の {width} と一致しなければなりません</translation>
    </message>
    <message>
        <source>data.folders has an entry for {folder}, but no image is in a folder of that name</source>
        <translation>data.folders に {folder} の項目がありますが、その名前のフォルダーに画像がありません</translation>
    </message>
    <message>
        <source>is {found}; patches of 2 x 2 latents have a multiple of 4</source>
        <translation>は {found} です。2 x 2 の latent パッチのチャンネル数は 4 の倍数です</translation>
    </message>
    <message>
        <source>is {count}, which does not divide {field}, {value}</source>
        <translation>は {count} です。{field} の {value} を割り切れません</translation>
    </message>
    <message>
        <source>is missing; Anima&apos;s models have null there</source>
        <translation>がありません。Anima のモデルでは null です</translation>
    </message>
    <message>
        <source>is {heads}, which doesn&apos;t divide model_dim, {width}, into heads of even width</source>
        <translation>は {heads} です。model_dim の {width} を偶数幅のヘッドに分割できません</translation>
    </message>
    <message>
        <source>Always .safetensors here: pickle files are neither read nor written.</source>
        <translation>Mantissa では常に .safetensors です。pickle ファイルは読み書きしません。</translation>
    </message>
    <message>
        <source>among the trained images and isn&apos;t used for prior preservation</source>
        <translation>学習する画像に含まれるため、事前知識の保持には使いません</translation>
    </message>
    <message>
        <source>an adapter holds NaN or infinity; it has no singular values</source>
        <translation>アダプターに NaN か無限大があり、特異値を求められません</translation>
    </message>
    <message>
        <source>an adapter that mends quantisation</source>
        <translation>量子化の誤差を補うアダプター</translation>
    </message>
    <message>
        <source>an adapter trained with kohya&apos;s sd-scripts</source>
        <translation>kohya の sd-scripts で学習したアダプター</translation>
    </message>
    <message>
        <source>an alpha channel</source>
        <translation>アルファチャンネル</translation>
    </message>
    <message>
        <source>an attention block&apos;s exit</source>
        <translation>アテンションブロックの出口</translation>
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
        <source>an object</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>an object of at most 256 module-path patterns, each with one of {choices}</source>
        <translation>モジュールパスのパターン（最大 256 個）に、それぞれ {choices} のいずれかを指定したオブジェクト</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>ほか {count} 件</translation>
    </message>
    <message>
        <source>another choice of timesteps</source>
        <translation>別のタイムステップの選び方</translation>
    </message>
    <message>
        <source>another number of timesteps</source>
        <translation>別のタイムステップ数</translation>
    </message>
    <message>
        <source>another program holds the lock {file}: the run is already open; close it there first</source>
        <translation>別のプログラムがロック {file} を保持しています。この学習はすでに開かれています。先にそちらを閉じてください</translation>
    </message>
    <message>
        <source>another scale of the averaged weights</source>
        <translation>平均した重みの別のスケール</translation>
    </message>
    <message>
        <source>another scale of the v-prediction loss</source>
        <translation>v-prediction 損失の別のスケール</translation>
    </message>
    <message>
        <source>another size of images</source>
        <translation>画像の別のサイズ</translation>
    </message>
    <message>
        <source>labels can&apos;t be drawn: {reason}</source>
        <translation>ラベルを描画できません: {reason}</translation>
    </message>
    <message>
        <source>saving by a number of epochs in all; set output.save_epochs</source>
        <translation>全体の回数で決めるエポックごとの保存（output.save_epochs を設定してください）</translation>
    </message>
    <message>
        <source>a factor on the Huber width</source>
        <translation>別の倍率の Huber の幅</translation>
    </message>
    <message>
        <source>Repeats come from the folders&apos; names; the folder is chosen when a run starts.</source>
        <translation>繰り返しはフォルダー名によります。フォルダーは開始時に選びます。</translation>
    </message>
    <message>
        <source>another strength of the squared error</source>
        <translation>別の強さの二乗誤差</translation>
    </message>
    <message>
        <source>another target of the loss</source>
        <translation>別の損失の目標</translation>
    </message>
    <message>
        <source>append all of a line to</source>
        <translation>1 行全体の追記</translation>
    </message>
    <message>
        <source>append to</source>
        <translation>追記</translation>
    </message>
    <message>
        <source>arguments of the schedule</source>
        <translation>スケジュールの引数</translation>
    </message>
    <message>
        <source>At every step here, at a share of them there.</source>
        <translation>Mantissa では毎ステップ、元のプログラムでは一部のステップだけで使います。</translation>
    </message>
    <message>
        <source>Averaged at every step here, at every few steps there.</source>
        <translation>Mantissa では毎ステップ、元のプログラムでは数ステップごとに平均します。</translation>
    </message>
    <message>
        <source>averaging at every few steps</source>
        <translation>数ステップごとの平均</translation>
    </message>
    <message>
        <source>begins with {found}, which leaves no room for a caption&apos;s 32 tokens</source>
        <translation>の最初の値は {found} で、キャプションの 32 トークンが入りません</translation>
    </message>
    <message>
        <source>binary data</source>
        <translation>バイナリデータ</translation>
    </message>
    <message>
        <source>Buckets follow data.bucket_rule here.</source>
        <translation>Mantissa のバケットは data.bucket_rule に従います。</translation>
    </message>
    <message>
        <source>Sizes are given there; buckets here have the area of the largest.</source>
        <translation>元のプログラムではサイズを指定します。Mantissa のバケットは最大のサイズの面積になります。</translation>
    </message>
    <message>
        <source>Caches and conditioning have no settings here.</source>
        <translation>Mantissa にキャッシュや条件データの設定はありません。</translation>
    </message>
    <message>
        <source>can&apos;t be read as BMP: {reason}; save it again as PNG</source>
        <translation>BMP として読めません: {reason}。PNG で保存し直してください</translation>
    </message>
    <message>
        <source>can&apos;t lock {file}: {reason}; put the folder where you may write, on a file system with locks</source>
        <translation>{file} をロックできません: {reason}。フォルダーを、書き込みができ、ロックを使えるファイルシステムに置いてください</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}: {reason}; set MANTISSA_HOME to a folder that can be written</source>
        <translation>フォルダー {folder} を作れません: {reason}。MANTISSA_HOME を書き込めるフォルダーに設定してください</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}; choose a place you may write to</source>
        <translation>フォルダー {folder} を作成できません。書き込める場所を選んでください</translation>
    </message>
    <message>
        <source>can&apos;t make the folder {folder}; choose a place you may write to.</source>
        <translation>フォルダー {folder} を作成できません。書き込める場所を選んでください。</translation>
    </message>
    <message>
        <source>can&apos;t map {file}, {bytes} bytes: {reason}</source>
        <translation>{file}（{bytes} バイト）をメモリにマップできません: {reason}</translation>
    </message>
    <message>
        <source>can&apos;t open {file} to read it</source>
        <translation>{file} を読み込み用に開けません</translation>
    </message>
    <message>
        <source>can&apos;t open {file}: {reason}</source>
        <translation>{file} を開けません: {reason}</translation>
    </message>
    <message>
        <source>can&apos;t open {what} {path} to make it durable: {reason}</source>
        <translation>{what} {path} をディスクに確実に書き込むために開こうとしましたが、開けません: {reason}</translation>
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
        <source>can&apos;t read the size of {file}: {reason}</source>
        <translation>{file} の大きさを読めません: {reason}</translation>
    </message>
    <message>
        <source>can&apos;t read {file}: it is not a regular file</source>
        <translation>{file} を読めません: 通常のファイルではありません</translation>
    </message>
    <message>
        <source>can&apos;t read {file}: {reason}</source>
        <translation>{file} を読めません: {reason}</translation>
    </message>
    <message>
        <source>can&apos;t save the preset to {file}: {reason}; choose a folder you may write to.</source>
        <translation>プリセットを {file} に保存できません: {reason}。書き込めるフォルダーを選んでください。</translation>
    </message>
    <message>
        <source>can&apos;t tell the free space of {path}: {reason}</source>
        <translation>{path} の空き容量が分かりません: {reason}</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: a tensor can&apos;t be called &apos;__metadata__&apos;</source>
        <translation>safetensors ファイルを書けません: テンソルの名前に「__metadata__」は使えません</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: names and metadata need {bytes} bytes, above the format&apos;s limit of {most}</source>
        <translation>safetensors ファイルを書けません: 名前とメタデータに {bytes} バイト必要で、形式の上限 {most} を超えています</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: the tensor name &apos;{tensor}&apos; is given twice</source>
        <translation>safetensors ファイルを書けません: テンソル名「{tensor}」が重複しています</translation>
    </message>
    <message>
        <source>can&apos;t write a safetensors file: {what} &apos;{text}&apos; is not UTF-8</source>
        <translation>safetensors ファイルを書けません: {what}「{text}」が UTF-8 ではありません</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is not a regular file; choose another path</source>
        <translation>{file} に書き込めません: 通常のファイルではありません。別のパスを選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: it is open for reading by this program; choose another name</source>
        <translation>{file} に書き込めません: このプログラムが読み込み用に開いています。別の名前を選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}; choose a folder you may write to.</source>
        <translation>{file} に書き込めません: {reason}。書き込めるフォルダーを選んでください。</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}; choose another path</source>
        <translation>{file} に書き込めません: {reason}。別のパスを選んでください</translation>
    </message>
    <message>
        <source>can&apos;t write {file}; choose a folder you may write to.</source>
        <translation>{file} に書き込めません。書き込めるフォルダーを選んでください。</translation>
    </message>
    <message>
        <source>caption dropout by batches</source>
        <translation>バッチ単位のキャプションドロップアウト</translation>
    </message>
    <message>
        <source>caption dropout by epochs</source>
        <translation>エポック単位のキャプションドロップアウト</translation>
    </message>
    <message>
        <source>caption separators</source>
        <translation>キャプションの区切り</translation>
    </message>
    <message>
        <source>Captions are .txt or .caption files, or metadata.jsonl.</source>
        <translation>キャプションは .txt か .caption ファイル、または metadata.jsonl です。</translation>
    </message>
    <message>
        <source>Captions are cached only together with images here.</source>
        <translation>Mantissa ではキャプションだけをキャッシュすることはなく、画像と一緒です。</translation>
    </message>
    <message>
        <source>captions by class; use captions or the folder&apos;s name</source>
        <translation>クラスによるキャプション（キャプションかフォルダー名を使ってください）</translation>
    </message>
    <message>
        <source>Captions have the length of their model family.</source>
        <translation>キャプションの長さはモデルファミリーに従います。</translation>
    </message>
    <message>
        <source>Captions of any length are read whole there; see data.caption_chunks.</source>
        <translation>元のプログラムではどんな長さのキャプションも最後まで読み取ります。data.caption_chunks を参照してください。</translation>
    </message>
    <message>
        <source>Captions have the mask of their model family.</source>
        <translation>キャプションのマスクはモデルファミリーに従います。</translation>
    </message>
    <message>
        <source>captions without padding</source>
        <translation>パディングなしのキャプション</translation>
    </message>
    <message>
        <source>circular padding</source>
        <translation>循環パディング</translation>
    </message>
    <message>
        <source>close</source>
        <translation>クローズ</translation>
    </message>
    <message>
        <source>augmentations by name; see data.brightness to data.hue</source>
        <translation>名前で指定する画像のデータ拡張（data.brightness から data.hue を参照）</translation>
    </message>
    <message>
        <source>ComfyUI divides a DoRA per output by the norm of the base weight alone, and diffusers&apos; SDXL loader leaves dora_scale out: neither renders this file as trained{advice}</source>
        <translation>ComfyUI は出力ごとの DoRA をベースの重みのノルムだけで割り、diffusers の SDXL ローダーは dora_scale を無視します。どちらもこのファイルを学習どおりには描きません{advice}</translation>
    </message>
    <message>
        <source>Command lines are never taken from a configuration.</source>
        <translation>設定からコマンドラインを取り込むことはありません。</translation>
    </message>
    <message>
        <source>compression {number} is not supported</source>
        <translation>圧縮方式 {number} には対応していません</translation>
    </message>
    <message>
        <source>compute capability {capability} is below 7.5 (RTX 20 series), the least that CUDA 13 supports</source>
        <translation>Compute Capability {capability} は、CUDA 13 が対応する下限の 7.5（RTX 20 シリーズ）より前のものです</translation>
    </message>
    <message>
        <source>Concerns (IA)3 only.</source>
        <translation>(IA)3 だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns audio only.</source>
        <translation>音声だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns embeddings only.</source>
        <translation>埋め込みだけに関わります。</translation>
    </message>
    <message>
        <source>Concerns FLUX and SD3 only.</source>
        <translation>FLUX と SD3 だけに関わります。</translation>
    </message>
    <message>
        <source>Decides whether a LoKr&apos;s alpha counts there.</source>
        <translation>LoKr の alpha がそこで有効かどうかを決めます。</translation>
    </message>
    <message>
        <source>Concerns LoKr only.</source>
        <translation>LoKr だけに関わります。</translation>
    </message>
    <message>
        <source>Has no effect there: adapters of transformers have a scale of 1, which is an alpha of their rank.</source>
        <translation>効果はありません。Transformer のアダプターの倍率はそこでは 1、つまり alpha はランクと同じです。</translation>
    </message>
    <message>
        <source>Switched off there for this model family.</source>
        <translation>そこではこのモデルファミリーでは無効にされます。</translation>
    </message>
    <message>
        <source>Not recorded: the file has no layers of text encoders.</source>
        <translation>記録されていません。ファイルにテキストエンコーダーの層はありません。</translation>
    </message>
    <message>
        <source>A schedule-free optimizer has a constant rate there.</source>
        <translation>スケジュール不要のオプティマイザーでは、そこの学習率は一定です。</translation>
    </message>
    <message>
        <source>{file} is what this tool reads; write the result elsewhere</source>
        <translation>{file} はこのツールが読み込むものです。結果は別の場所に書き込んでください</translation>
    </message>
    <message>
        <source>{file}: NaN or infinite alphas of LoKr layers ({count}) are left out. They have no effect, because both factors of these layers are stored in full</source>
        <translation>{file}: LoKr 層の NaN または無限大の alpha（{count} 個）を除きました。これらの層は 2 つの因子を完全な形で持つため、alpha は影響しません</translation>
    </message>
    <message>
        <source>the file changes norms or biases, which OneTrainer refuses to load; ComfyUI and A1111 read it</source>
        <translation>このファイルは正規化層またはバイアスも変更するため、OneTrainer は読み込みを拒否します。ComfyUI と A1111 は読み込めます</translation>
    </message>
    <message>
        <source>no sample is rendered while the run trains: samples.every, samples.every_epochs and samples.every_minutes are 0. Set samples.every to a number of steps, or leave samples.prompts empty</source>
        <translation>学習中にサンプルは生成されません。samples.every、samples.every_epochs、samples.every_minutes がすべて 0 です。samples.every にステップ数を設定するか、samples.prompts を空にしてください</translation>
    </message>
    <message>
        <source>lokr_dim counts instead.</source>
        <translation>代わりに lokr_dim が有効です。</translation>
    </message>
    <message>
        <source>lokr_full_matrix counts instead.</source>
        <translation>代わりに lokr_full_matrix が有効です。</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, of the whole layer there.</source>
        <translation>Mantissa ではアダプターの入力を、元のプログラムでは層全体の入力を 0 にします。</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, elements of its matrices there.</source>
        <translation>Mantissa ではアダプターの入力を、元のプログラムではその行列の要素を 0 にします。</translation>
    </message>
    <message>
        <source>Not given: trained for the first 30 epochs there, for the whole run here.</source>
        <translation>指定なし：元のプログラムでは最初の 30 エポックだけ、Mantissa では最後まで学習されます。</translation>
    </message>
    <message>
        <source>The usual form of this optimizer.</source>
        <translation>このオプティマイザーの通常の形です。</translation>
    </message>
    <message>
        <source>Added to the gradients there; here the weights themselves decay.</source>
        <translation>元のプログラムでは勾配に加えられ、Mantissa では重みそのものが減衰します。</translation>
    </message>
    <message>
        <source>Norms and biases have no weight decay there.</source>
        <translation>元のプログラムでは正規化層とバイアスに重み減衰がありません。</translation>
    </message>
    <message>
        <source>Always the length of the run there, whatever is given.</source>
        <translation>元のプログラムでは指定に関係なく、常に学習全体の長さになります。</translation>
    </message>
    <message>
        <source>Read only with DeepSpeed there; else optimizer_config counts.</source>
        <translation>元のプログラムでは DeepSpeed を使うときだけ読まれ、それ以外では optimizer_config が有効です。</translation>
    </message>
    <message>
        <source>OFT</source>
        <translation>OFT</translation>
    </message>
    <message>
        <source>{file} was made for {model}: {evidence}. Give an adapter for {family}</source>
        <translation>{file} は {model} 用です（{evidence}）。{family} 用のアダプターを指定してください</translation>
    </message>
    <message>
        <source>{file} was written by another program meanwhile; copy again</source>
        <translation>{file} はその間に別のプログラムが書き込みました。もう一度コピーしてください</translation>
    </message>
    <message>
        <source>{file}: captions are read from &quot;file_name&quot; and &quot;text&quot;, which none of its {count} lines has together; the first has {keys}. Rename the keys</source>
        <translation>{file}: キャプションは「file_name」と「text」から読み込みますが、{count} 行のどれにも両方はそろっていません。最初の行のキーは {keys} です。キーの名前を変えてください</translation>
    </message>
    <message>
        <source>{file}: post_processor puts the tokens {found} around a text; expected: {expected}</source>
        <translation>{file}: post_processor はテキストの前後にトークン {found} を付けます。期待される値: {expected}</translation>
    </message>
    <message>
        <source>{file}: the tensor {tensor} marks a model that is trained by EDM&apos;s noise levels (as CosXL and Playground 2.5 are), which aren&apos;t supported. Choose a base model that predicts noise (epsilon), velocity (v) or a flow</source>
        <translation>{file}: テンソル {tensor} は、このモデルが（CosXL や Playground 2.5 のように）EDM のノイズレベルで学習されたことを示しますが、それには対応していません。ノイズ（epsilon）、速度（v）、フローのいずれかを予測するベースモデルを選んでください</translation>
    </message>
    <message>
        <source>{file}: what it changes in {module} is beyond what FP32 holds and would be written as Inf/NaN: the factors are damaged or from a run that had diverged. Use an earlier save of the adapter</source>
        <translation>{file}: {module} への変更が FP32 の範囲を超え、Inf/NaN として書き出されます。因子が壊れているか、発散した学習のものです。アダプターのそれより前の保存を使ってください</translation>
    </message>
    <message>
        <source>{file}: {count} more lines are passed over</source>
        <translation>{file}: ほか {count} 行も読み飛ばしました</translation>
    </message>
    <message>
        <source>{file}: {count} more lines name an image a second time</source>
        <translation>{file}: ほか {count} 行も同じ画像を重ねて指定しています</translation>
    </message>
    <message>
        <source>{file}: {count} more lines name files that aren&apos;t used</source>
        <translation>{file}: ほか {count} 行も使わないファイルを指定しています</translation>
    </message>
    <message>
        <source>{file}: {field} is set, so it is of PEFT&apos;s form {form}, which isn&apos;t read: its tensors mean more than a LoRA&apos;s. Merge it into its base model where it was made; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}: {field} が設定されています。PEFT の {form} という形式で、そのテンソルは LoRA より多くの意味を持つため、読み込めません。作成元でベースモデルにマージしてください。その結果から `mantissa extract` で LoRA を作れます</translation>
    </message>
    <message>
        <source>{file}: {field} is true, but none of the tensors are magnitudes (lora_magnitude_vector). The file is incomplete: save it again where it was trained, or set use_dora to false if it is a plain LoRA</source>
        <translation>{file}: {field} が true ですが、大きさのテンソル（lora_magnitude_vector）がありません。ファイルが不完全です。学習元で保存し直すか、通常の LoRA なら use_dora を false にしてください</translation>
    </message>
    <message>
        <source>{file}: {field} is {found}, but PEFT can use only a value of the type {type} there. Correct it, or save the adapter again where it was trained</source>
        <translation>{file}: {field} が {found} ですが、PEFT がそこで使えるのは {type} 型の値だけです。修正するか、学習元でアダプターを保存し直してください</translation>
    </message>
    <message>
        <source>{file}: {key} and its other keys are shared by several trainers; add a key that tells whose configuration this is, such as network_module of sd-scripts</source>
        <translation>{file}: {key} などのキーは複数の学習プログラムに共通です。sd-scripts の network_module のように、どのプログラムの設定かが分かるキーを追加してください</translation>
    </message>
    <message>
        <source>{file}: {module} has magnitudes, and adapter.decompose is off. Turn it on, or write the file as plain LoRA first, with Convert on the Tools page</source>
        <translation>{file}: {module} にはマグニチュードがありますが、adapter.decompose が無効です。有効にするか、先にツールの「変換」で通常の LoRA にしてください</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first, with Convert on the Tools page</source>
        <translation>{file}: {module} は DoRA ですが、adapter.type は lora です。adapter.type を dora にするか、先にツールの「変換」で通常の LoRA にしてください</translation>
    </message>
    <message>
        <source>{file}: {module} is no {form} and can't be continued as one. Set adapter.type to what it was trained as</source>
        <translation>{file}: {module} は {form} ではないため、{form} としては続けられません。adapter.type を学習時と同じにしてください</translation>
    </message>
    <message>
        <source>{finding}. First: {found} {weights}</source>
        <translation>{finding}。最初の箇所: {found} {weights}</translation>
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
        <translation>{images} 枚の画像に参照があります</translation>
    </message>
    <message>
        <source>{key} counts instead.</source>
        <translation>代わりに {key} が有効です。</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be {expected}; did you mean {near}?</source>
        <translation>{key} は {value} ですが、{expected}でなければなりません。{near} のことですか？</translation>
    </message>
    <message>
        <source>{key}: {before} -&gt; {after}</source>
        <translation>{key}: {before} -&gt; {after}</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or lower the batch size or the resolution</source>
        <translation>{message}。カードを使っているほかのプログラムを閉じるか、バッチサイズまたは解像度を下げてください</translation>
    </message>
    <message>
        <source>{message}. No checkpoint was saved; Resume starts it again</source>
        <translation>{message}。チェックポイントは保存されていません。「再開」で最初から始められます</translation>
    </message>
    <message>
        <source>{message}. No checkpoint was saved; start it again with --resume {folder}</source>
        <translation>{message}。チェックポイントは保存されていません。--resume {folder} で最初から始められます</translation>
    </message>
    <message>
        <source>{message}. Saved at step {step}, in {file}; continue with --resume {folder}</source>
        <translation>{message}。ステップ {step} で {file} に保存しました。--resume {folder} で続けられます</translation>
    </message>
    <message>
        <source>{message}. Saved at step {step}; Resume continues it</source>
        <translation>{message}。ステップ {step} で保存しました。「再開」で続けられます</translation>
    </message>
    <message>
        <source>{model} reads no reference images. Leave {option} out, or choose a base model that edits images</source>
        <translation>{model} は参照画像を読みません。{option} を外すか、画像を編集するベースモデルを選んでください</translation>
    </message>
    <message>
        <source>{module}: its change has the weight&apos;s full rank, as a LoKr&apos;s mostly has, and what is written here are changes of a lower rank. {way}</source>
        <translation>{module}: 変更は重みのフルランクで（LoKr ではたいていそうなります）、ここで書き出すのはより低いランクの変更です。{way}</translation>
    </message>
    <message>
        <source>{module}: {format} files have no names for a {form}; set output.format to kohya, peft or plain_lora</source>
        <translation>{module}: {format} 形式のファイルには {form} 用の名前がありません。output.format を kohya、peft、plain_lora のいずれかにしてください</translation>
    </message>
    <message>
        <source>output.format is {format}, which has no names for {family}: this file has those of the LyCORIS library</source>
        <translation>output.format は {format} ですが、{family} 用の名前がありません。このファイルには LyCORIS ライブラリの名前を使います</translation>
    </message>
    <message>
        <source>The largest rank, at which matrices of up to 2048 rows and columns are trained whole.</source>
        <translation>最大のランクです。2048 行・列以下の行列は分解せずに学習します。</translation>
    </message>
    <message>
        <source>A file of its own names the form there, such as LoKr: see adapter.type.</source>
        <translation>形式(LoKr など)は別のファイルで指定されています。adapter.type を確認してください。</translation>
    </message>
    <message>
        <source>LoKr's smaller matrix as a low-rank product</source>
        <translation>LoKr の小さいほうの行列の低ランク分解</translation>
    </message>
    <message>
        <source>Concerns LoRM only.</source>
        <translation>LoRM だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns models with learned variance only.</source>
        <translation>分散を学習するモデルだけに関わります。</translation>
    </message>
    <message>
        <source>Concerns OFT only.</source>
        <translation>OFT だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns SDXL&apos;s samples there.</source>
        <translation>元のプログラムでは SDXL のサンプル画像だけに関わります。</translation>
    </message>
    <message>
        <source>Concerns speed or memory of that program, not the result.</source>
        <translation>元のプログラムの速度やメモリだけに関わり、結果には影響しません。</translation>
    </message>
    <message>
        <source>Concerns video only.</source>
        <translation>動画だけに関わります。</translation>
    </message>
    <message>
        <source>conditioning images</source>
        <translation>条件画像</translation>
    </message>
    <message>
        <source>continues from {file}</source>
        <translation>{file} から続けます</translation>
    </message>
    <message>
        <source>continues with a changed file, as accepted: {change}</source>
        <translation>確認に従い、別のファイルで続けます：{change}</translation>
    </message>
    <message>
        <source>Continuing is exact and needs no such key.</source>
        <translation>再開は正確で、このようなキーは要りません。</translation>
    </message>
    <message>
        <source>converted from UTF-16</source>
        <translation>UTF-16 から変換しました</translation>
    </message>
    <message>
        <source>could not read all of {file}: {done} of {bytes} bytes came; check the disk</source>
        <translation>{file} を最後まで読めませんでした: {bytes} バイトのうち {done} バイトしか読めていません。ディスクを確かめてください</translation>
    </message>
    <message>
        <source>could not {action} {file}: {reason}</source>
        <translation>{file} を書けませんでした（操作: {action}）: {reason}</translation>
    </message>
    <message>
        <source>could not {action} {file}: {reason}; raise the limit of file sizes (ulimit -f) or choose another file system</source>
        <translation>{file} を書けませんでした（操作: {action}）: {reason}。ファイルサイズの制限（ulimit -f）を上げるか、別のファイルシステムを選んでください</translation>
    </message>
    <message>
        <source>Counted in steps here, in {unit}s there. Set {setting}.</source>
        <translation>Mantissa ではステップ単位、元のプログラムでは {unit} 単位です。{setting} を設定してください。</translation>
    </message>
    <message>
        <source>Counts only for DoRA there.</source>
        <translation>元のプログラムでは DoRA だけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for LoRA there.</source>
        <translation>元のプログラムでは LoRA だけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for flow models there.</source>
        <translation>元のプログラムでは flow モデルだけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for LyCORIS networks there.</source>
        <translation>元のプログラムでは LyCORIS のネットワークだけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for network types with convolutions there.</source>
        <translation>元のプログラムでは畳み込みを持つネットワークだけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for SDXL there.</source>
        <translation>元のプログラムでは SDXL だけに効きます。</translation>
    </message>
    <message>
        <source>Counts only with a schedule of its own there.</source>
        <translation>元のプログラムでは独自のスケジュールのときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with guidance there.</source>
        <translation>元のプログラムではガイダンスと合わせて効きます。</translation>
    </message>
    <message>
        <source>Counts only with masks there.</source>
        <translation>元のプログラムではマスクがあるときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with other timestep distributions there.</source>
        <translation>元のプログラムではほかのタイムステップ分布のときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with pyramid noise there.</source>
        <translation>元のプログラムではピラミッドノイズがあるときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with shuffle_caption there.</source>
        <translation>元のプログラムでは shuffle_caption があるときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts only with the Huber error there.</source>
        <translation>元のプログラムでは Huber 誤差のときだけ効きます。</translation>
    </message>
    <message>
        <source>Counts the first use here too, only further ones there.</source>
        <translation>Mantissa では最初の 1 回も数えますが、元のプログラムでは追加の回数だけです。</translation>
    </message>
    <message>
        <source>Counts together with its number.</source>
        <translation>対応する数値と合わせて効きます。</translation>
    </message>
    <message>
        <source>Counts together with other keys.</source>
        <translation>ほかのキーと合わせて効きます。</translation>
    </message>
    <message>
        <source>create</source>
        <translation>作成</translation>
    </message>
    <message>
        <source>crops around faces</source>
        <translation>顔を中心とした切り抜き</translation>
    </message>
    <message>
        <source>cuBLAS 13 (of the CUDA Toolkit 13)</source>
        <translation>cuBLAS 13（CUDA Toolkit 13 のもの）</translation>
    </message>
    <message>
        <source>CUDA: {notice}</source>
        <translation>CUDA: {notice}</translation>
    </message>
    <message>
        <source>cuDNN 9 for CUDA 13</source>
        <translation>cuDNN 9（CUDA 13 用）</translation>
    </message>
    <message>
        <source>D-Adaptation&apos;s successor: it also finds the rate by itself.</source>
        <translation>D-Adaptation の後継で、同じく学習率を自分で見つけます。</translation>
    </message>
    <message>
        <source>data sets that are switched off</source>
        <translation>オフにしたデータセット</translation>
    </message>
    <message>
        <source>data sets that begin later</source>
        <translation>途中から使うデータセット</translation>
    </message>
    <message>
        <source>data sets that end earlier</source>
        <translation>途中まで使うデータセット</translation>
    </message>
    <message>
        <source>data.batch_size and data.repeats must be at least 1; they are {batch_size} and {repeats}</source>
        <translation>data.batch_size と data.repeats は 1 以上でなければなりませんが、{batch_size} と {repeats} です</translation>
    </message>
    <message>
        <source>data.caption_dropout must lie between 0 and 1; it is {value}</source>
        <translation>data.caption_dropout は 0 から 1 まででなければなりませんが、{value} です</translation>
    </message>
    <message>
        <source>data.masks is {mode}, but no image has {what}. Add masks, or set it to off</source>
        <translation>data.masks は {mode} ですが、{what} のある画像がありません。マスクを加えるか、off にしてください</translation>
    </message>
    <message>
        <source>data.validation_share puts all {count} images into the validation set; add images, or set it to 0</source>
        <translation>data.validation_share が {count} 枚すべてを検証用にしています。画像を加えるか、0 にしてください</translation>
    </message>
    <message>
        <source>data_offsets holds {found}; whole numbers from 0 are expected</source>
        <translation>data_offsets には 0 以上の整数が必要です（実際: {found}）</translation>
    </message>
    <message>
        <source>data_offsets must hold two numbers, it holds more</source>
        <translation>data_offsets には数値が 2 つ必要ですが、それより多くあります</translation>
    </message>
    <message>
        <source>data_offsets must hold two numbers, it holds {count}</source>
        <translation>data_offsets には数値が 2 つ必要ですが、{count} 個あります</translation>
    </message>
    <message>
        <source>debiased estimation; min-SNR is near to it</source>
        <translation>バイアス除去推定（min-SNR がこれに近いです）</translation>
    </message>
    <message>
        <source>Any value switches it on there.</source>
        <translation>元のプログラムではどの値でも有効になります。</translation>
    </message>
    <message>
        <source>Describes a run, not a preset.</source>
        <translation>プリセットではなく、個々の学習についての記述です。</translation>
    </message>
    <message>
        <source>Describes the file, not the training.</source>
        <translation>ファイルの説明で、学習には関わりません。</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; is unknown. Use cpu or cuda:0; `mantissa devices` lists what is there</source>
        <translation>デバイス「{device}」は未知です。cpu か cuda:0 を使ってください。あるものは `mantissa devices` に出ます</translation>
    </message>
    <message>
        <source>device {device}</source>
        <translation>デバイス {device}</translation>
    </message>
    <message>
        <source>device {device} can&apos;t be used: {reason}. Or use --device cpu</source>
        <translation>デバイス {device} は使えません: {reason}。または --device cpu を使ってください</translation>
    </message>
    <message>
        <source>differential guidance</source>
        <translation>差分ガイダンス</translation>
    </message>
    <message>
        <source>diffusers and PEFT render this file as trained; programs that look for dora_scale, such as ComfyUI, don&apos;t{advice}</source>
        <translation>diffusers と PEFT はこのファイルを学習どおりに描きますが、ComfyUI のように dora_scale を探すプログラムはそうなりません{advice}</translation>
    </message>
    <message>
        <source>diffusers&apos; SDXL loader leaves dora_scale out and renders this file as plain LoRA, unlike it was trained{advice}</source>
        <translation>diffusers の SDXL ローダーは dora_scale を無視し、学習とは違って通常の LoRA として描きます{advice}</translation>
    </message>
    <message>
        <source>dimension {number} in shape is above 2^63-1</source>
        <translation>shape の次元 {number} が 2^63-1 を超えています</translation>
    </message>
    <message>
        <source>distillation</source>
        <translation>蒸留</translation>
    </message>
    <message>
        <source>does not follow FP32</source>
        <translation>FP32 に追従していません</translation>
    </message>
    <message>
        <source>down_block_types (levels with attention)</source>
        <translation>down_block_types（アテンションのあるレベル）</translation>
    </message>
    <message>
        <source>Drawn alike, without its weights of the loss.</source>
        <translation>抽出は同じですが、その損失の重み付けは使いません。</translation>
    </message>
    <message>
        <source>dropout of modules</source>
        <translation>モジュールのドロップアウト</translation>
    </message>
    <message>
        <source>dropout of ranks</source>
        <translation>ランクのドロップアウト</translation>
    </message>
    <message>
        <source>dropout of single tags</source>
        <translation>個々のタグのドロップアウト</translation>
    </message>
    <message>
        <source>dtype {type} is unknown</source>
        <translation>dtype {type} は未知です</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>埋め込み</translation>
    </message>
    <message>
        <source>encoding the images and captions needs {need} MB of {card}, which has {free} MB. Name a card with more memory first in --split-cards, or fill the cache with a run on it</source>
        <translation>画像とキャプションのエンコードには {card} のメモリが {need} MB 必要ですが、{free} MB しかありません。--split-cards の先頭にメモリの多いカードを指定するか、そのカードでの学習でキャッシュを作っておいてください</translation>
    </message>
    <message>
        <source>ends in .safetensors; leave the extension out</source>
        <translation>.safetensors で終わっています。拡張子を除いてください</translation>
    </message>
    <message>
        <source>Every checkpoint holds all that a run needs to continue exactly.</source>
        <translation>どのチェックポイントにも、正確に再開するためのすべてが入っています。</translation>
    </message>
    <message>
        <source>every image is also in a validation folder, so there is none to train on; give other images with --validation</source>
        <translation>すべての画像が検証フォルダーにもあり、学習する画像がありません。--validation には別の画像を指定してください</translation>
    </message>
    <message>
        <source>Every save holds all that a run needs to continue exactly.</source>
        <translation>どの保存にも、正確に再開するためのすべてが入っています。</translation>
    </message>
    <message>
        <source>feedback of the averaged weights</source>
        <translation>平均した重みのフィードバック</translation>
    </message>
    <message>
        <source>field {field} appears twice</source>
        <translation>フィールド {field} が 2 回あります</translation>
    </message>
    <message>
        <source>field {field} can&apos;t be {found}</source>
        <translation>フィールド {field} に使えない値です（{found}）</translation>
    </message>
    <message>
        <source>field {field} is missing</source>
        <translation>フィールド {field} がありません</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>ファイル名が長すぎます</translation>
    </message>
    <message>
        <source>Files are named after output.name.</source>
        <translation>ファイル名は output.name から付けます。</translation>
    </message>
    <message>
        <source>flow_schedule_shift counts instead.</source>
        <translation>代わりに flow_schedule_shift が有効です。</translation>
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
        <source>follows FP32</source>
        <translation>FP32 に追従しています</translation>
    </message>
    <message>
        <source>follows FP32 roughly</source>
        <translation>FP32 におおむね追従しています</translation>
    </message>
    <message>
        <source>freezing of layers</source>
        <translation>層の凍結</translation>
    </message>
    <message>
        <source>Frozen weights have one scale per output channel here; see precision.weights.</source>
        <translation>Mantissa では凍結した重みは出力チャンネルごとにスケールを持ちます。precision.weights を参照してください。</translation>
    </message>
    <message>
        <source>generalised noise offset</source>
        <translation>一般化ノイズオフセット</translation>
    </message>
    <message>
        <source>Given again: the last one counts.</source>
        <translation>重複しています: 最後のものが使われます。</translation>
    </message>
    <message>
        <source>Given again: {key} counts.</source>
        <translation>重複しています。{key} が有効です。</translation>
    </message>
    <message>
        <source>gives a width of {width}, which must be a multiple of {multiple} (position and size embeddings share it)</source>
        <translation>では幅が {width} になりますが、{multiple} の倍数でなければなりません（位置とサイズの埋め込みで分け合うため）</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>勾配</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>guidance rescale</source>
        <translation>ガイダンスの再スケール</translation>
    </message>
    <message>
        <source>guidance while training</source>
        <translation>学習中のガイダンス</translation>
    </message>
    <message>
        <source>has {bytes} bytes; image files may have at most {most}</source>
        <translation>{bytes} バイトあります。画像ファイルは {most} バイトまでです</translation>
    </message>
    <message>
        <source>has {count} colour bands after conversion; 3 are expected, save it again as RGB</source>
        <translation>変換後のカラーバンドが {count} 個あります。必要なのは 3 個なので、RGB で保存し直してください</translation>
    </message>
    <message>
        <source>has {count} entries; models with one patch size are supported</source>
        <translation>は {count} 項目です。パッチサイズが 1 つのモデルだけに対応しています</translation>
    </message>
    <message>
        <source>has {width} x {height} pixels; at most {most} are read, make it smaller</source>
        <translation>{width} x {height} ピクセルあります。読めるのは {most} までなので、小さくしてください</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>ヘッド</translation>
    </message>
    <message>
        <source>Held-out images and their noise follow from their content.</source>
        <translation>検証用の画像とそのノイズは内容から決まります。</translation>
    </message>
    <message>
        <source>holds &quot;..&quot;; a preset names no place on a disk</source>
        <translation>「..」を含んでいます。プリセットはディスク上の場所を示しません</translation>
    </message>
    <message>
        <source>holds &apos;{found}&apos;; DownBlock2D and CrossAttnDownBlock2D are supported</source>
        <translation>に「{found}」があります。対応しているのは DownBlock2D と CrossAttnDownBlock2D です</translation>
    </message>
    <message>
        <source>holds a NUL byte (at {byte}); save it as UTF-8 text</source>
        <translation>NUL バイトを含んでいます（{byte} バイト目）。UTF-8 のテキストで保存してください</translation>
    </message>
    <message>
        <source>holds a URL; presets hold none, because they are shared</source>
        <translation>URL を含んでいます。プリセットは共有されるものなので URL は入れられません</translation>
    </message>
    <message>
        <source>holds control characters</source>
        <translation>制御文字を含んでいます</translation>
    </message>
    <message>
        <source>Holds for every trained part here.</source>
        <translation>Mantissa では学習するすべての部分に効きます。</translation>
    </message>
    <message>
        <source>holds no CrossAttnDownBlock2D and the middle block no attention: captions would have no effect</source>
        <translation>に CrossAttnDownBlock2D がなく、中間ブロックにもアテンションがありません。これではキャプションが効きません</translation>
    </message>
    <message>
        <source>holds one of / \ : * ? &quot; &lt; &gt; |; give a file name without a folder</source>
        <translation>/ \ : * ? &quot; &lt; &gt; | のいずれかを含んでいます。フォルダーのないファイル名にしてください</translation>
    </message>
    <message>
        <source>holds {found}; a piece and its score are expected</source>
        <translation>に {found} があります。ピースとそのスコアの組が必要です</translation>
    </message>
    <message>
        <source>holds {found}; channels turn in pairs</source>
        <translation>に {found} があります。チャンネルは 2 つ 1 組で回転するため、偶数でなければなりません</translation>
    </message>
    <message>
        <source>Images and what is done with them are chosen for each run, not by a preset.</source>
        <translation>画像とその扱いは、プリセットではなく学習ごとに選びます。</translation>
    </message>
    <message>
        <source>Images are always resized with Lanczos.</source>
        <translation>画像は常に Lanczos で拡大縮小します。</translation>
    </message>
    <message>
        <source>Images are never changed or deleted.</source>
        <translation>画像を変更したり削除したりすることはありません。</translation>
    </message>
    <message>
        <source>Images are scaled to their bucket and cropped around the centre.</source>
        <translation>画像はバケットに合わせて拡大縮小し、中央で切り抜きます。</translation>
    </message>
    <message>
        <source>Images for validation are chosen for each run.</source>
        <translation>検証に使う画像は学習ごとに選びます。</translation>
    </message>
    <message>
        <source>in a validation folder and isn&apos;t trained on</source>
        <translation>検証フォルダーにあるため学習しません</translation>
    </message>
    <message>
        <source>in the validation set and isn&apos;t used for prior preservation</source>
        <translation>検証用のため、事前知識の保持には使いません</translation>
    </message>
    <message>
        <source>infinity</source>
        <translation>無限大</translation>
    </message>
    <message>
        <source>input perturbation</source>
        <translation>入力の摂動</translation>
    </message>
    <message>
        <source>input {name}</source>
        <translation>入力 {name}</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>入出力エラーです</translation>
    </message>
    <message>
        <source>inputs of the model&apos;s own making</source>
        <translation>モデル自身が作る入力</translation>
    </message>
    <message>
        <source>inverted masks</source>
        <translation>マスクの反転</translation>
    </message>
    <message>
        <source>is &apos;{found}&apos;; only gated-gelu (T5 v1.1) is supported</source>
        <translation>が「{found}」です。対応しているのは gated-gelu（T5 v1.1）だけです</translation>
    </message>
    <message>
        <source>is &apos;{found}&apos;; only {choices} is supported</source>
        <translation>が「{found}」です。対応しているのは {choices} だけです</translation>
    </message>
    <message>
        <source>is &apos;{found}&apos;; {cross}, {plain} and null are supported</source>
        <translation>が「{found}」です。対応しているのは {cross}、{plain}、null です</translation>
    </message>
    <message>
        <source>is a device name on Windows; choose another</source>
        <translation>Windows のデバイス名です。別の名前にしてください</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>フォルダーです</translation>
    </message>
    <message>
        <source>is empty (0 bytes); replace the file</source>
        <translation>空（0 バイト）です。ファイルを取り替えてください</translation>
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
        <source>is longer than 64 KB; a caption holds a few sentences</source>
        <translation>64 KB を超えています。キャプションは数文で足ります</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>がありません</translation>
    </message>
    <message>
        <source>is missing; latents_mean and latents_std belong together</source>
        <translation>がありません。latents_mean と latents_std は両方必要です</translation>
    </message>
    <message>
        <source>is missing; where transformer_layers_per_block holds lists it must say what the way up has</source>
        <translation>がありません。transformer_layers_per_block にリストが含まれるときは、上り側の構成をここに書く必要があります</translation>
    </message>
    <message>
        <source>is no image by its content; JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF are read</source>
        <translation>内容が画像ではありません。JPEG、PNG、WebP、AVIF、TIFF、BMP、GIF を読めます</translation>
    </message>
    <message>
        <source>is not valid UTF-8</source>
        <translation>正しい UTF-8 ではありません</translation>
    </message>
    <message>
        <source>is null; only models with it are supported</source>
        <translation>が null です。対応しているのはこれを持つモデルだけです</translation>
    </message>
    <message>
        <source>is truncated or damaged and was not used ({reason}); replace the file</source>
        <translation>途中で切れているか壊れているため使いませんでした（{reason}）。ファイルを取り替えてください</translation>
    </message>
    <message>
        <source>is UTF-16 cut in the middle of a character; save it as UTF-8</source>
        <translation>文字の途中で切れた UTF-16 です。UTF-8 で保存してください</translation>
    </message>
    <message>
        <source>is {count}, which does not divide the {heads} heads of num_attention_heads</source>
        <translation>が {count} で、num_attention_heads の {heads} ヘッドを割り切れません</translation>
    </message>
    <message>
        <source>is {divisor}, which does not divide the {channels} channels of level {level} into {parts}</source>
        <translation>が {divisor} で、レベル {level} の {channels} チャンネルを{parts}に等分できません</translation>
    </message>
    <message>
        <source>is {found}, beyond the vocabulary</source>
        <translation>が {found} で、語彙の範囲を超えています</translation>
    </message>
    <message>
        <source>is {found}, but latents_mean is set too; remove one of them</source>
        <translation>が {found} ですが、latents_mean も設定されています。どちらかを削除してください</translation>
    </message>
    <message>
        <source>is {found}, which is no multiple of patch_size {patch}</source>
        <translation>が {found} で、patch_size {patch} の倍数ではありません</translation>
    </message>
    <message>
        <source>is {found}; expected: {expected}</source>
        <translation>は {found} ですが、{expected} でなければなりません</translation>
    </message>
    <message>
        <source>is {found}; it must be the width {width} (heads x attention_head_dim)</source>
        <translation>が {found} ですが、幅 {width}（ヘッド数 x attention_head_dim）でなければなりません</translation>
    </message>
    <message>
        <source>is {found}; models with it are not supported (a plain model of its family is)</source>
        <translation>が {found} です。これを使うモデルには対応していません（同じ系列の標準的なモデルには対応しています）</translation>
    </message>
    <message>
        <source>is {found}; only {choices} is supported (a plain model of its family)</source>
        <translation>が {found} です。対応しているのは {choices} だけです（同じ系列の標準的なモデル）</translation>
    </message>
    <message>
        <source>is {found}; noise levels go down from 1</source>
        <translation>が {found} です。ノイズレベルは 1 から下がります</translation>
    </message>
    <message>
        <source>is {found}; rotary embeddings need an even number</source>
        <translation>が {found} です。回転位置埋め込みには偶数が必要です</translation>
    </message>
    <message>
        <source>is {found}; the levels that read the text must all have the same width</source>
        <translation>が {found} です。テキストを読むレベルの幅はすべて同じでなければなりません</translation>
    </message>
    <message>
        <source>is {found}; this version doesn&apos;t know the field and can&apos;t tell whether it changes the model. Remove it if it has its default value</source>
        <translation>が {found} です。このバージョンにとって未知のフィールドで、モデルに影響するか判断できません。既定値であれば削除してください</translation>
    </message>
    <message>
        <source>is {heads}, which does not divide the {channels} channels of hidden_size</source>
        <translation>が {heads} で、hidden_size の {channels} チャンネルを割り切れません</translation>
    </message>
    <message>
        <source>is {name}, which adds noise in another way than the models of these families are trained with; put the model&apos;s own scheduler_config.json there</source>
        <translation>が {name} で、ノイズの加え方がこれらの系列のモデルの学習時とは違います。モデル自身の scheduler_config.json を置いてください</translation>
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
        <source>its caption {file} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with `mantissa caption --recode`</source>
        <translation>キャプション {file} は {byte} バイト目が正しい UTF-8 ではありません。UTF-8 で保存するか、 `mantissa caption --recode` で変換してください</translation>
    </message>
    <message>
        <source>its caption {file} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with “Read as…”</source>
        <translation>キャプション {file} は {byte} バイト目が正しい UTF-8 ではありません。UTF-8 で保存するか、「文字コードを指定…」で変換してください</translation>
    </message>
    <message>
        <source>{name} is a device on Windows</source>
        <translation>{name} は Windows ではデバイスの名前です</translation>
    </message>
    <message>
        <source>{path}: none of the files in this folder ({files}) can be read as an image</source>
        <translation>{path}: このフォルダーの {files} 個のファイルの中に読み込める画像がありません</translation>
    </message>
    <message>
        <source>{place} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with `mantissa caption --recode`</source>
        <translation>{place} は {byte} バイト目が正しい UTF-8 ではありません。UTF-8 で保存するか、 `mantissa caption --recode` で変換してください</translation>
    </message>
    <message>
        <source>{place} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with “Read as…”</source>
        <translation>{place} は {byte} バイト目が正しい UTF-8 ではありません。UTF-8 で保存するか、「文字コードを指定…」で変換してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has changed since it was read; it is left as it is</source>
        <translation>「{file}」は読み込んだ後に変更されています。そのまま残します</translation>
    </message>
    <message>
        <source>this system has no tables for {encoding}; on Linux they come with the C library&apos;s gconv modules</source>
        <translation>このシステムには {encoding} の変換表がありません。Linux では C ライブラリの gconv モジュールに含まれています</translation>
    </message>
    <message>
        <source>is not {encoding}; it stays as it is</source>
        <translation>は {encoding} ではありません。そのまま残します</translation>
    </message>
    <message>
        <source>stays as it is: {reason}</source>
        <translation>はそのまま残します: {reason}</translation>
    </message>
    <message>
        <source>no file was read as {encoding}; `--recode list` shows how each would read</source>
        <translation>{encoding} として読めたファイルはありません。`--recode list` で各ファイルの読め方を確認できます</translation>
    </message>
    <message>
        <source>Japanese (Shift-JIS)</source>
        <translation>日本語 (Shift-JIS)</translation>
    </message>
    <message>
        <source>Simplified Chinese (GB18030, GBK)</source>
        <translation>簡体字中国語 (GB18030、GBK)</translation>
    </message>
    <message>
        <source>Traditional Chinese (Big5)</source>
        <translation>繁体字中国語 (Big5)</translation>
    </message>
    <message>
        <source>Korean (EUC-KR)</source>
        <translation>韓国語 (EUC-KR)</translation>
    </message>
    <message>
        <source>Western European (Windows-1252)</source>
        <translation>西欧 (Windows-1252)</translation>
    </message>
    <message>
        <source>Cyrillic (Windows-1251)</source>
        <translation>キリル文字 (Windows-1251)</translation>
    </message>
    <message>
        <source>it has no manifest</source>
        <translation>マニフェストがありません</translation>
    </message>
    <message>
        <source>it has {bytes} bytes, fewer than the 8 of the length field</source>
        <translation>{bytes} バイトしかなく、長さの欄の 8 バイトに足りません</translation>
    </message>
    <message>
        <source>it lists more than 2^32 tensors</source>
        <translation>テンソルが 2^32 個を超えています</translation>
    </message>
    <message>
        <source>It loses {module}: pin it to {type} (+{size} MB).</source>
        <translation>{module} で精度が失われます。{type} に固定してください（+{size} MB）。</translation>
    </message>
    <message>
        <source>it overlaps another tensor</source>
        <translation>別のテンソルと重なっています</translation>
    </message>
    <message>
        <source>its caption {file} {reason}</source>
        <translation>キャプション {file} が{reason}</translation>
    </message>
    <message>
        <source>its caption, the folder&apos;s name, {reason}</source>
        <translation>キャプション（フォルダー名）が{reason}</translation>
    </message>
    <message>
        <source>its checksum doesn&apos;t fit its content</source>
        <translation>チェックサムが内容と一致しません</translation>
    </message>
    <message>
        <source>its colour profile can&apos;t be used and was ignored</source>
        <translation>カラープロファイルが使えないため無視しました</translation>
    </message>
    <message>
        <source>its header claims {claimed} bytes, above the limit of {most}</source>
        <translation>ヘッダーは {claimed} バイトと示していますが、上限の {most} を超えています</translation>
    </message>
    <message>
        <source>its header claims {claimed} bytes, the file has only {left} after the length field</source>
        <translation>ヘッダーは {claimed} バイトと示していますが、長さの欄の後には {left} バイトしかありません</translation>
    </message>
    <message>
        <source>its header says {told} but it decodes to {found}</source>
        <translation>ヘッダーは {told} ですが、デコードすると {found} です</translation>
    </message>
    <message>
        <source>its manifest does not hold step, files and checksum</source>
        <translation>マニフェストに step、files、checksum がそろっていません</translation>
    </message>
    <message>
        <source>its manifest does not name {file}</source>
        <translation>マニフェストに {file} がありません</translation>
    </message>
    <message>
        <source>its manifest has another content than its checksum says</source>
        <translation>マニフェストの内容がチェックサムと一致しません</translation>
    </message>
    <message>
        <source>its manifest names no file of the checkpoint in {entry}</source>
        <translation>マニフェストの {entry} がこのチェックポイントのファイルを示していません</translation>
    </message>
    <message>
        <source>its mask {file} is all black: no part of the image counts for more than data.unmasked_weight</source>
        <translation>マスク {file} は全面が黒で、画像のどの部分も data.unmasked_weight までしか数えられません</translation>
    </message>
    <message>
        <source>its mask {file} is {size} pixels, another shape than the image&apos;s {expected}</source>
        <translation>マスク {file} は {size} ピクセルで、縦横比が画像の {expected} と違います</translation>
    </message>
    <message>
        <source>its mask: {reason}</source>
        <translation>マスク: {reason}</translation>
    </message>
    <message>
        <source>its output overflows fp16</source>
        <translation>出力が fp16 でオーバーフローする</translation>
    </message>
    <message>
        <source>its size is {width} x {height}</source>
        <translation>大きさが {width} x {height} です</translation>
    </message>
    <message>
        <source>its tensors end at byte {end} of the data part, {left} bytes are left over</source>
        <translation>テンソルはデータ部の {end} バイト目で終わり、{left} バイト余っています</translation>
    </message>
    <message>
        <source>JPEG, PNG, WebP, AVIF, TIFF, BMP or GIF</source>
        <translation>JPEG、PNG、WebP、AVIF、TIFF、BMP、GIF</translation>
    </message>
    <message>
        <source>kohya (sd-scripts, kohya_ss)</source>
        <translation>kohya の設定（sd-scripts、kohya_ss）</translation>
    </message>
    <message>
        <source>layers outside of the blocks</source>
        <translation>ブロックの外の層</translation>
    </message>
    <message>
        <source>leaves no room for the pooled text vector beside six embeddings of {width}</source>
        <translation>では、幅 {width} の埋め込み 6 個のほかに、プールしたテキストベクトルの入る余地がありません</translation>
    </message>
    <message>
        <source>Limits the norm of all gradients here, each of them there.</source>
        <translation>Mantissa では勾配全体のノルムを、元のプログラムでは値ごとに制限します。</translation>
    </message>
    <message>
        <source>Gradients are not clipped there with gradient_release.</source>
        <translation>元のプログラムでは gradient_release を使うと勾配をクリッピングしません。</translation>
    </message>
    <message>
        <source>linear_timesteps counts instead.</source>
        <translation>代わりに linear_timesteps が有効です。</translation>
    </message>
    <message>
        <source>looks like a path; presets hold none, because they are shared</source>
        <translation>パスのようです。プリセットは共有されるものなのでパスは入れられません</translation>
    </message>
    <message>
        <source>LoRA+ for one part alone</source>
        <translation>1 つの部分だけの LoRA+</translation>
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
        <source>make the folder</source>
        <translation>フォルダーの作成</translation>
    </message>
    <message>
        <source>MANTISSA_CUDA_LIBRARY must be the absolute path of the CUDA library</source>
        <translation>MANTISSA_CUDA_LIBRARY は CUDA ライブラリの絶対パスでなければなりません</translation>
    </message>
    <message>
        <source>mantissa_preset is missing; add &quot;mantissa_preset&quot;: 2, so that it is known for a preset and in which format</source>
        <translation>mantissa_preset がありません。プリセットであることとその形式が分かるように &quot;mantissa_preset&quot;: 2 を加えてください</translation>
    </message>
    <message>
        <source>mantissa_preset is {given}, written by a newer Mantissa; this one reads format {known}: update Mantissa, or export the preset again from there in the older format</source>
        <translation>mantissa_preset は {given} で、より新しい Mantissa が書いたものです。このバージョンは形式 {known} を読みます。Mantissa を更新するか、そちらで古い形式で書き出してください</translation>
    </message>
    <message>
        <source>mantissa_preset must be 1 or 2, the number of the preset format</source>
        <translation>mantissa_preset は 1 か 2（プリセット形式の番号）でなければなりません</translation>
    </message>
    <message>
        <source>Masks stand beside the images here, as &lt;name&gt;-masklabel.png; in a folder of their own there.</source>
        <translation>Mantissa ではマスクを &lt;name&gt;-masklabel.png として画像の隣に置きます。元のプログラムでは専用のフォルダーです。</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>metadata key</source>
        <translation>メタデータのキー</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Module names are never loaded from a configuration.</source>
        <translation>設定からモジュール名を読み込むことはありません。</translation>
    </message>
    <message>
        <source>module-path patterns</source>
        <translation>モジュールパスのパターン</translation>
    </message>
    <message>
        <source>moving blocks to the host</source>
        <translation>ブロックのホストメモリへの移動</translation>
    </message>
    <message>
        <source>must be 1: an image is one frame</source>
        <translation>は 1 でなければなりません。画像は 1 フレームです</translation>
    </message>
    <message>
        <source>must be a list of 1 to 16 whole numbers, it is {found}</source>
        <translation>は 1 個から 16 個までの整数のリストでなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be a list of pieces with their scores</source>
        <translation>はピースとスコアの組のリストでなければなりません</translation>
    </message>
    <message>
        <source>must be a list of texts</source>
        <translation>は文字列のリストでなければなりません</translation>
    </message>
    <message>
        <source>must be a list of texts, it is {found}</source>
        <translation>は文字列のリストでなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be a list of {count} numbers, it is {found}</source>
        <translation>は {count} 個の数値のリストでなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be a number from {least} to {most}; it is {found}</source>
        <translation>は {least} から {most} までの数値でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be a number of bytes, it is {found}</source>
        <translation>はバイト数でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be a number, it is {found}</source>
        <translation>は数でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be a positive number, it is {found}</source>
        <translation>は正の数でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be an object</source>
        <translation>はオブジェクトでなければなりません</translation>
    </message>
    <message>
        <source>must be below 1; it is {found}</source>
        <translation>は 1 未満でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be at most {most}; it is {found}</source>
        <translation>は {most} 以下でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be one whole number, or a height and a width; it is {found}</source>
        <translation>は 1 つの整数、または高さと幅でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be output or input, it is {found}</source>
        <translation>は output か input でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be text, it is {found}</source>
        <translation>は文字列でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be true or false, it is {found}</source>
        <translation>は true か false でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must be {choices}; it is &apos;{found}&apos;</source>
        <translation>は {choices} でなければなりませんが、「{found}」です</translation>
    </message>
    <message>
        <source>must differ from base_image_seq_len</source>
        <translation>は base_image_seq_len と違う値でなければなりません</translation>
    </message>
    <message>
        <source>must have {wanted} entries, it has {count}</source>
        <translation>は {wanted} 項目でなければなりませんが、{count} 項目です</translation>
    </message>
    <message>
        <source>must hold true or false for each of the {count} levels but the last, it is {found}</source>
        <translation>には最後を除く {count} 個のレベルごとに true または false が必要ですが、{found} です</translation>
    </message>
    <message>
        <source>must have one entry for each of the {levels} levels of block_out_channels</source>
        <translation>には block_out_channels の {levels} 個のレベルごとに 1 項目が必要です</translation>
    </message>
    <message>
        <source>must have one entry for each of the {levels} levels of block_out_channels, it has {count}</source>
        <translation>には block_out_channels の {levels} 個のレベルごとに 1 項目が必要ですが、{count} 項目です</translation>
    </message>
    <message>
        <source>must have one entry for each of the {levels} levels of block_out_channels, it is {found}</source>
        <translation>には block_out_channels の {levels} 個のレベルごとに 1 項目が必要ですが、{found} です</translation>
    </message>
    <message>
        <source>must have one number for each of the {count} transformers of a level, it has {found}</source>
        <translation>にはレベルの {count} 個の transformer ごとに 1 つの数値が必要ですが、{found} です</translation>
    </message>
    <message>
        <source>must hold numbers between 0 and 1; it holds {found}</source>
        <translation>の数値は 0 と 1 の間でなければなりませんが、{found} があります</translation>
    </message>
    <message>
        <source>must hold positive numbers, it is {found}</source>
        <translation>の数値はすべて正でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>must hold {type} once a layer ({layers} layers); sliding windows are not supported</source>
        <translation>には {type} が層ごとに 1 つ必要です（{layers} 層）。スライディングウィンドウには対応していません</translation>
    </message>
    <message>
        <source>must hold {type} once a level ({levels} levels)</source>
        <translation>には {type} がレベルごとに 1 つ必要です（{levels} レベル）</translation>
    </message>
    <message>
        <source>must mirror down_block_types (level {level} has &apos;{found}&apos;)</source>
        <translation>は down_block_types と対称でなければなりません（レベル {level} が「{found}」です）</translation>
    </message>
    <message>
        <source>must start with an even number (sine and cosine halves)</source>
        <translation>の先頭は偶数でなければなりません（サインとコサインで半分ずつ使うため）</translation>
    </message>
    <message>
        <source>neither MANTISSA_HOME, {variable} nor HOME is set: no folder for the program&apos;s data; set MANTISSA_HOME</source>
        <translation>MANTISSA_HOME、{variable}、HOME のいずれも設定されておらず、プログラムのデータを置くフォルダーがありません。MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>no base model given (--base). Choose a .safetensors or .gguf file, a diffusers folder or demo</source>
        <translation>ベースモデルが指定されていません（--base）。.safetensors か .gguf のファイル、diffusers フォルダー、demo のいずれかを選んでください</translation>
    </message>
    <message>
        <source>no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a backup, or start the run over, which sets the damaged ones aside</source>
        <translation>無事なチェックポイントがありません：{reasons}。何も変更していません。バックアップから戻すか、最初からやり直してください。破損したものは別に残します</translation>
    </message>
    <message>
        <source>No convolutions there.</source>
        <translation>元の設定に畳み込みはありません。</translation>
    </message>
    <message>
        <source>No few modules cause it: a pin won&apos;t help, a wider type for all would.</source>
        <translation>原因は少数のモジュールではありません。固定しても効果はなく、全体をより広い型にすれば改善します。</translation>
    </message>
    <message>
        <source>no folder</source>
        <translation>（フォルダーの指定なし）</translation>
    </message>
    <message>
        <source>No gap: the plan ({plan}) trains as FP32 does.</source>
        <translation>差はありません。計画（{plan}）は FP32 と同じように学習します。</translation>
    </message>
    <message>
        <source>no image could be read. The first: {reason}</source>
        <translation>読める画像がありません。最初のもの: {reason}</translation>
    </message>
    <message>
        <source>no image to train on in {folders}: put {formats} files there (captions in &lt;name&gt;.txt){skipped}</source>
        <translation>{folders} に学習する画像がありません。{formats} のファイルを置いてください（キャプションは &lt;name&gt;.txt）{skipped}</translation>
    </message>
    <message>
        <source>no images given (--images). Choose a folder of images, or demo</source>
        <translation>画像が指定されていません（--images）。画像のフォルダーか demo を選んでください</translation>
    </message>
    <message>
        <source>no NVIDIA driver is installed, or it is not running</source>
        <translation>NVIDIA ドライバーがインストールされていないか、動作していません</translation>
    </message>
    <message>
        <source>No refiner is trained here.</source>
        <translation>Mantissa では refiner を学習しません。</translation>
    </message>
    <message>
        <source>no sample at step {step}: {reason}</source>
        <translation>ステップ {step} のサンプルなし: {reason}</translation>
    </message>
    <message>
        <source>no sample: the preset has no prompts (samples.prompts)</source>
        <translation>サンプルなし: プリセットにプロンプトがありません (samples.prompts)</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>ディスクに空きがありません</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>ファイルもフォルダーもありません</translation>
    </message>
    <message>
        <source>it holds no denoiser of a known model family; pass a complete checkpoint or a diffusers folder of one of these: {families}</source>
        <translation>既知の系列のデノイザーを含んでいません。次のいずれかの完全なチェックポイントか diffusers フォルダーを指定してください: {families}</translation>
    </message>
    <message>
        <source>noise offset of random strength</source>
        <translation>強さがランダムなノイズオフセット</translation>
    </message>
    <message>
        <source>noise on the weights</source>
        <translation>重みへのノイズ</translation>
    </message>
    <message>
        <source>noise schedule: num_train_timesteps must be at least 2; it is {value}</source>
        <translation>ノイズスケジュール: num_train_timesteps は 2 以上でなければなりませんが、{value} です</translation>
    </message>
    <message>
        <source>norms keep fp32 scales and statistics</source>
        <translation>正規化層のスケールと統計量は fp32 のまま</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>フォルダーではありません</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>通常のファイルではありません</translation>
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
        <source>Not given: {part} is trained too, as diffusion-pipe does.</source>
        <translation>指定なし: diffusion-pipe と同じく、{part} も学習します。</translation>
    </message>
    <message>
        <source>Not given: text encoders are trained too, as sd-scripts does; take te2 out for a model with one text encoder.</source>
        <translation>指定なし: sd-scripts と同じく、テキストエンコーダーも学習します。テキストエンコーダーが 1 つのモデルでは te2 を外してください。</translation>
    </message>
    <message>
        <source>Not given: the default of AI Toolkit.</source>
        <translation>指定なし: AI Toolkit の既定値です。</translation>
    </message>
    <message>
        <source>Not given: the default of diffusion-pipe.</source>
        <translation>指定なし: diffusion-pipe の既定値です。</translation>
    </message>
    <message>
        <source>Not given: the default of musubi-tuner.</source>
        <translation>指定なし: musubi-tuner の既定値です。</translation>
    </message>
    <message>
        <source>Not given: the default of sd-scripts.</source>
        <translation>指定なし: sd-scripts の既定値です。</translation>
    </message>
    <message>
        <source>Not given: the default of SimpleTuner.</source>
        <translation>指定なし: SimpleTuner の既定値です。</translation>
    </message>
    <message>
        <source>Not given: the default of that optimizer.</source>
        <translation>指定なし: そのオプティマイザーの既定値です。</translation>
    </message>
    <message>
        <source>Not given: without a network, the model&apos;s own weights are trained.</source>
        <translation>指定なし: network がなければ、モデル自身の重みを学習します。</translation>
    </message>
    <message>
        <source>Not given: without an adapter, the model&apos;s own weights are trained.</source>
        <translation>指定なし: adapter がなければ、モデル自身の重みを学習します。</translation>
    </message>
    <message>
        <source>Not known here: a set of layers; see adapter.targets.</source>
        <translation>この層の組はMantissa では未知です。adapter.targets を参照してください。</translation>
    </message>
    <message>
        <source>Not offered here for a single part.</source>
        <translation>Mantissa では 1 つの部分だけに設定することはできません。</translation>
    </message>
    <message>
        <source>Not offered here: a pair of epsilons.</source>
        <translation>対応していません: 2 つ組の epsilon。</translation>
    </message>
    <message>
        <source>Not offered here: other steps than 64.</source>
        <translation>対応していません: 64 以外の刻み。</translation>
    </message>
    <message>
        <source>Not offered here: {name} as the compute type.</source>
        <translation>対応していません: 計算の型としての {name}。</translation>
    </message>
    <message>
        <source>Not offered here: {name} weights of the loss.</source>
        <translation>対応していません: 損失の重み付け {name}。</translation>
    </message>
    <message>
        <source>Not offered here: {what}.</source>
        <translation>対応していません: {what}。</translation>
    </message>
    <message>
        <source>Not set there.</source>
        <translation>元の設定では指定されていません。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width x height.</source>
        <translation>採用しません: 辺の長さでも「幅 x 高さ」でもありません。</translation>
    </message>
    <message>
        <source>Not taken: neither a side nor width,height.</source>
        <translation>採用しません: 辺の長さでも「幅,高さ」でもありません。</translation>
    </message>
    <message>
        <source>Not taken: not a list of samples.</source>
        <translation>採用しません: サンプルのリストではありません。</translation>
    </message>
    <message>
        <source>Not taken: not a list of sides and of pairs.</source>
        <translation>採用しません: 辺の長さや組のリストではありません。</translation>
    </message>
    <message>
        <source>Not taken: not a list of widths and heights.</source>
        <translation>採用しません: 幅と高さのリストではありません。</translation>
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
        <source>Not used there.</source>
        <translation>元の設定では使われていません。</translation>
    </message>
    <message>
        <source>Not used there; see output.keep.</source>
        <translation>元の設定では使われていません。output.keep を参照してください。</translation>
    </message>
    <message>
        <source>Nothing is fetched from elsewhere.</source>
        <translation>外部からは何も取得しません。</translation>
    </message>
    <message>
        <source>Nothing is overwritten.</source>
        <translation>何も上書きしません。</translation>
    </message>
    <message>
        <source>Nothing is sent anywhere.</source>
        <translation>どこにも何も送信しません。</translation>
    </message>
    <message>
        <source>Nothing is trained elsewhere.</source>
        <translation>ほかの場所で学習することはありません。</translation>
    </message>
    <message>
        <source>objects</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>One caption dropout for all text encoders here; the first one&apos;s counts.</source>
        <translation>Mantissa ではキャプションドロップアウトは全テキストエンコーダー共通で、1 つ目のものが有効です。</translation>
    </message>
    <message>
        <source>one caption for all images</source>
        <translation>全画像共通のキャプション</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation>{choices} のいずれか</translation>
    </message>
    <message>
        <source>one of {choices}, or a list of module-path patterns</source>
        <translation>{choices} のいずれか、またはモジュールパスのパターンのリスト</translation>
    </message>
    <message>
        <source>one of {choices}, or a number from {least} to {most}</source>
        <translation>{choices} のいずれか、または {least} から {most} までの数値</translation>
    </message>
    <message>
        <source>only the first of its {count} frames or pages is used</source>
        <translation>{count} 個のフレームまたはページのうち最初のものだけを使います</translation>
    </message>
    <message>
        <source>OneTrainer&apos;s condition of an image, which isn&apos;t read here</source>
        <translation>OneTrainer の条件画像です。ここでは読み込みません</translation>
    </message>
    <message>
        <source>open</source>
        <translation>オープン</translation>
    </message>
    <message>
        <source>options of a single model</source>
        <translation>特定のモデルのオプション</translation>
    </message>
    <message>
        <source>other noise than that of the model family</source>
        <translation>モデルファミリーのものと異なるノイズ</translation>
    </message>
    <message>
        <source>PEFT renders this file as trained; diffusers leaves out the magnitudes of text encoders, and programs that look for dora_scale, such as ComfyUI, all of them{advice}</source>
        <translation>PEFT はこのファイルを学習時のとおりに適用します。diffusers はテキストエンコーダーのマグニチュードを、dora_scale を探す ComfyUI などのプログラムはすべてのマグニチュードを読み込みません{advice}</translation>
    </message>
    <message>
        <source>precision.compute fp8 keeps the history of its scales on one card, and the layers are split over several. Set precision.compute to bf16</source>
        <translation>precision.compute の fp8 はスケールの履歴を 1 枚のカードに置きますが、層は複数のカードに分かれます。precision.compute を bf16 にしてください</translation>
    </message>
    <message>
        <source>preservation of the base model&apos;s answers</source>
        <translation>ベースモデルの出力の保持</translation>
    </message>
    <message>
        <source>q, k and v as one layer of the adapter</source>
        <translation>q、k、v をまとめた 1 つの層のアダプター</translation>
    </message>
    <message>
        <source>replacements in captions</source>
        <translation>キャプション内の置換</translation>
    </message>
    <message>
        <source>routing of tokens (TREAD)</source>
        <translation>トークンのルーティング (TREAD)</translation>
    </message>
    <message>
        <source>Samples follow their guidance here.</source>
        <translation>Mantissa のサンプル画像はそれぞれのガイダンスに従います。</translation>
    </message>
    <message>
        <source>saving merged models</source>
        <translation>マージ済みモデルの保存</translation>
    </message>
    <message>
        <source>See output.format.</source>
        <translation>output.format を参照してください。</translation>
    </message>
    <message>
        <source>See precision.weights.</source>
        <translation>precision.weights を参照してください。</translation>
    </message>
    <message>
        <source>See precision.weights.text_encoders.</source>
        <translation>precision.weights.text_encoders を参照してください。</translation>
    </message>
    <message>
        <source>several samples of one prompt</source>
        <translation>1 つのプロンプトの複数のサンプル画像</translation>
    </message>
    <message>
        <source>short captions</source>
        <translation>短いキャプション</translation>
    </message>
    <message>
        <source>skipped layers of this text encoder alone</source>
        <translation>このテキストエンコーダーだけの層スキップ</translation>
    </message>
    <message>
        <source>slider adapters</source>
        <translation>スライダーのアダプター</translation>
    </message>
    <message>
        <source>square crops</source>
        <translation>正方形の切り抜き</translation>
    </message>
    <message>
        <source>{generation} is recognised by the base model&apos;s file.</source>
        <translation>{generation} はベースモデルのファイルから判別します。</translation>
    </message>
    <message>
        <source>standardised images</source>
        <translation>画像の標準化</translation>
    </message>
    <message>
        <source>standardised latents</source>
        <translation>latent の標準化</translation>
    </message>
    <message>
        <source>State in bfloat16 there; see precision.optimizer_state.</source>
        <translation>元のプログラムでは状態が bfloat16 です。precision.optimizer_state を参照してください。</translation>
    </message>
    <message>
        <source>Weights in bfloat16 are rounded to the nearest there; here with stochastic rounding.</source>
        <translation>元のプログラムでは bfloat16 の重みを最近接値に丸めます。Mantissa では確率的に丸めます。</translation>
    </message>
    <message>
        <source>Tags are shuffled again in every epoch here.</source>
        <translation>Mantissa ではタグをエポックごとにシャッフルし直します。</translation>
    </message>
    <message>
        <source>Images come in a new order in every epoch here.</source>
        <translation>Mantissa では画像の順序がエポックごとに変わります。</translation>
    </message>
    <message>
        <source>{count} orders of a caption&apos;s tags are made once there, and an epoch uses them all; here images are used as often, in orders that change.</source>
        <translation>元のプログラムではキャプションのタグの並びを最初に {count} 通り作り、1 エポックで全部使います。Mantissa では画像を同じ回数使い、並びは変わっていきます。</translation>
    </message>
    <message>
        <source>Text encoders of this model family stay frozen here.</source>
        <translation>Mantissa ではこのモデルファミリーのテキストエンコーダーを学習しません。</translation>
    </message>
    <message>
        <source>The base model tells what it predicts.</source>
        <translation>予測の種類はベースモデルから決まります。</translation>
    </message>
    <message>
        <source>the image is {rows} x {columns} patches; the model has positions for {most_rows} x {most_columns}. Lower the resolution</source>
        <translation>画像は {rows} x {columns} パッチですが、モデルの位置は {most_rows} x {most_columns} までです。解像度を下げてください</translation>
    </message>
    <message>
        <source>{epochs} epochs of {batches} batches: {steps} steps</source>
        <translation>{epochs} エポック × {batches} バッチ: {steps} ステップ</translation>
    </message>
    <message>
        <source>{file} is neither a preset nor a configuration of a trainer that can be imported: none of its keys is known</source>
        <translation>{file} はプリセットでも、インポートできる学習プログラムの設定でもありません。知っているキーが 1 つもありません</translation>
    </message>
    <message>
        <source>{file}: field &apos;shift_factor&apos; is {found}, which the pipelines of this family pass over. Remove it, or set it to 0</source>
        <translation>{file}: フィールド「shift_factor」は {found} ですが、この系列のパイプラインはこれを無視します。フィールドを削除するか、0 にしてください</translation>
    </message>
    <message>
        <source>{file}:{line}: the job &quot;{job}&quot; of AI Toolkit does not train; expected extension or train</source>
        <translation>{file}:{line}: AI Toolkit のジョブ「{job}」は学習しません。extension か train が必要です</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each folder one entry</source>
        <translation>{key} の「{value}」にはすでに項目があります。各フォルダーに 1 つだけにしてください</translation>
    </message>
    <message>
        <source>{library} offers no SHA-256; reinstall the program&apos;s libraries</source>
        <translation>{library} で SHA-256 を使えません。プログラムのライブラリをインストールし直してください</translation>
    </message>
    <message>
        <source>optimizers train fp32 or bf16 weights; these are {type}. Set precision.adapter to fp32</source>
        <translation>オプティマイザーが学習できるのは fp32 か bf16 の重みですが、これは {type} です。precision.adapter を fp32 にしてください</translation>
    </message>
    <message>
        <source>output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>output.format is {format}, which has no names for {family}: this file has those of diffusers, which diffusers, PEFT and ComfyUI read</source>
        <translation>output.format は {format} ですが、{family} のキー名がありません。このファイルには diffusers のキー名を使います。diffusers、PEFT、ComfyUI で読めます</translation>
    </message>
    <message>
        <source>Part of a run, not of a preset.</source>
        <translation>プリセットではなく、個々の学習に属します。</translation>
    </message>
    <message>
        <source>PEFT and diffusers know DoRA per output only and can&apos;t load this file{advice}</source>
        <translation>PEFT と diffusers は出力ごとの DoRA しか扱えず、このファイルを読み込めません{advice}</translation>
    </message>
    <message>
        <source>Perlin noise</source>
        <translation>パーリンノイズ</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>権限がありません</translation>
    </message>
    <message>
        <source>pinned in the preset</source>
        <translation>プリセットで固定</translation>
    </message>
    <message>
        <source>Plain momentum, from the first of optimizer.betas.</source>
        <translation>通常のモーメンタムで、optimizer.betas の 1 つ目の値を使います。</translation>
    </message>
    <message>
        <source>Prodigy itself, without the extensions.</source>
        <translation>拡張のない Prodigy そのものです。</translation>
    </message>
    <message>
        <source>prodigy needs all gradients before it moves a weight, so it can&apos;t step inside the backward pass. Set optimizer.fused_back_pass to false</source>
        <translation>prodigy は重みを動かす前にすべての勾配を必要とするため、逆伝播中には更新できません。optimizer.fused_back_pass を false にしてください</translation>
    </message>
    <message>
        <source>Prodigy&apos;s bias correction</source>
        <translation>Prodigy のバイアス補正</translation>
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
        <source>Prodigy&apos;s safeguard while warming up</source>
        <translation>Prodigy のウォームアップ中の保護</translation>
    </message>
    <message>
        <source>pyramid noise</source>
        <translation>ピラミッドノイズ</translation>
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
        <source>Read-only file system</source>
        <translation>読み取り専用のファイルシステムです</translation>
    </message>
    <message>
        <source>reading images needs {need} of address space, {free} are left under this process&apos;s limit; raise it (ulimit -v)</source>
        <translation>画像の読み込みにはアドレス空間が {need} 必要ですが、このプロセスの制限では残り {free} です。制限（ulimit -v）を上げてください</translation>
    </message>
    <message>
        <source>rectified flow: the shift must be above 0; it is {value}</source>
        <translation>rectified flow: シフトは 0 より大きくなければなりませんが、{value} です</translation>
    </message>
    <message>
        <source>rename</source>
        <translation>名前の変更</translation>
    </message>
    <message>
        <source>rename {file} to</source>
        <translation>{file} からの名前の変更</translation>
    </message>
    <message>
        <source>replaying {steps} steps of {file}</source>
        <translation>{file} の {steps} ステップを再実行します</translation>
    </message>
    <message>
        <source>resumed at step {step} from {file}</source>
        <translation>{file} からステップ {step} で再開しました</translation>
    </message>
    <message>
        <source>Rows of zero norm use plain LoRA here.</source>
        <translation>Mantissa では、ノルムが 0 の行には通常の LoRA を使います。</translation>
    </message>
    <message>
        <source>run {run} was left {state} by a program that no longer runs: it is marked interrupted and can be resumed</source>
        <translation>学習 {run} のプログラムは {state} のまま終了していました。中断として記録したので、再開できます</translation>
    </message>
    <message>
        <source>Runs are logged in the studio and its database.</source>
        <translation>学習の記録はこのプログラムとそのデータベースに残ります。</translation>
    </message>
    <message>
        <source>Samples are always rendered before the first step.</source>
        <translation>サンプルは最初のステップの前に必ず生成します。</translation>
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
        <source>Samples while training use one fixed sampler.</source>
        <translation>学習中のサンプルには決まったサンプラーを使います。</translation>
    </message>
    <message>
        <source>saved values</source>
        <translation>逆伝播用に保存した値</translation>
    </message>
    <message>
        <source>Saving and backing up are one here; save_every counts.</source>
        <translation>Mantissa では保存とバックアップは同じで、save_every が有効です。</translation>
    </message>
    <message>
        <source>Says which of the noise keys counts there.</source>
        <translation>元のプログラムでどのノイズのキーが有効かを示します。</translation>
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
        <source>schedule-free optimizers</source>
        <translation>schedule-free オプティマイザー</translation>
    </message>
    <message>
        <source>Secrets are never taken over.</source>
        <translation>秘密情報を取り込むことはありません。</translation>
    </message>
    <message>
        <source>See output.keep.</source>
        <translation>output.keep を参照してください。</translation>
    </message>
    <message>
        <source>Settings of optimizers that are not used.</source>
        <translation>使われていないオプティマイザーの設定です。</translation>
    </message>
    <message>
        <source>several cards</source>
        <translation>複数のカード</translation>
    </message>
    <message>
        <source>SHA-256 {hash}…, {bytes} bytes</source>
        <translation>SHA-256 {hash}…、{bytes} バイト</translation>
    </message>
    <message>
        <source>shape holds {found}; whole numbers from 0 are expected</source>
        <translation>shape には 0 以上の整数が必要です（実際: {found}）</translation>
    </message>
    <message>
        <source>size conditioning</source>
        <translation>サイズの条件付け</translation>
    </message>
    <message>
        <source>skipped: {reason}</source>
        <translation>スキップしました: {reason}</translation>
    </message>
    <message>
        <source>small images that keep their size</source>
        <translation>小さい画像の元のサイズの維持</translation>
    </message>
    <message>
        <source>small, and looked up as they are: 16 bits at least</source>
        <translation>小さく、そのまま参照されるため、16 ビット以上</translation>
    </message>
    <message>
        <source>starts or ends with a dot or a space; not every system can name a file so</source>
        <translation>点か空白で始まるか終わっています。このようなファイル名を使えないシステムがあります</translation>
    </message>
    <message>
        <source>State is not paged to the host here.</source>
        <translation>Mantissa では状態をホストメモリへページングしません。</translation>
    </message>
    <message>
        <source>step {step}: first non-finite: {found}</source>
        <translation>ステップ {step}: 最初に有限でなくなったもの: {found}</translation>
    </message>
    <message>
        <source>step {step}: gradients overflow at loss scale {before}, step skipped. The scale is being found and is now {after}; a few skips at the start, and one after each doubling, are normal</source>
        <translation>ステップ {step}: 損失スケール {before} で勾配がオーバーフローしたためスキップしました。スケールを探しており、今は {after} です。初めの数回と、倍にした後の 1 回のスキップは正常です</translation>
    </message>
    <message>
        <source>step {step}: non-finite gradients, step skipped</source>
        <translation>ステップ {step}: 勾配が有限でないためスキップしました</translation>
    </message>
    <message>
        <source>steps run as CUDA graphs</source>
        <translation>ステップを CUDA グラフとして実行します</translation>
    </message>
    <message>
        <source>steps run kernel by kernel: {reason}</source>
        <translation>ステップをカーネルごとに実行します: {reason}</translation>
    </message>
    <message>
        <source>steps without the mask</source>
        <translation>マスクを使わないステップ</translation>
    </message>
    <message>
        <source>stopped at step {step} of {steps}</source>
        <translation>ステップ {step} / {steps} で停止しました</translation>
    </message>
    <message>
        <source>stopped while probing; nothing was changed</source>
        <translation>FP32 との比較の途中で停止しました。何も変更していません</translation>
    </message>
    <message>
        <source>stopped while {phase} ({done} of {count})</source>
        <translation>{phase}の途中で停止しました（{done} / {count}）</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>同期</translation>
    </message>
    <message>
        <source>Tags of the adapter, not of the preset.</source>
        <translation>プリセットではなくアダプターのタグです。</translation>
    </message>
    <message>
        <source>taking the rank from another adapter</source>
        <translation>別のアダプターからのランクの取得</translation>
    </message>
    <message>
        <source>tensor &apos;{tensor}&apos;</source>
        <translation>テンソル「{tensor}」</translation>
    </message>
    <message>
        <source>tensor &apos;{tensor}&apos; must be one number (alpha)</source>
        <translation>テンソル「{tensor}」は 1 つの数（alpha）でなければなりません</translation>
    </message>
    <message>
        <source>tensor name</source>
        <translation>テンソル名</translation>
    </message>
    <message>
        <source>tensor {tensor} has {count} dimensions; at most {most} can be used</source>
        <translation>テンソル {tensor} の次元は {count} 個です。使えるのは {most} 個までです</translation>
    </message>
    <message>
        <source>tensor {tensor} is {type} instead of F32</source>
        <translation>テンソル {tensor} が F32 ではなく {type} です</translation>
    </message>
    <message>
        <source>tensor {tensor}:</source>
        <translation>テンソル {tensor}:</translation>
    </message>
    <message>
        <source>tensor {tensor}: data ends at {end} before its start {start}</source>
        <translation>テンソル {tensor}: データの終わり {end} が始まり {start} より前です</translation>
    </message>
    <message>
        <source>tensor {tensor}: data starts at {start} where {expected} is expected ({reason})</source>
        <translation>テンソル {tensor}: データは {expected} から始まるはずですが、{start} から始まっています（{reason}）</translation>
    </message>
    <message>
        <source>tensor {tensor}: its {bits} bits do not end on a byte</source>
        <translation>テンソル {tensor}: {bits} ビットはバイトの境界で終わりません</translation>
    </message>
    <message>
        <source>tensor {tensor}: must be an object, it is {found}</source>
        <translation>テンソル {tensor}: オブジェクトでなければなりません（実際: {found}）</translation>
    </message>
    <message>
        <source>tensor {tensor}: shape and dtype {type} need {bytes} bytes, data_offsets give {found}</source>
        <translation>テンソル {tensor}: shape と dtype {type} からは {bytes} バイト必要ですが、data_offsets では {found} バイトです</translation>
    </message>
    <message>
        <source>tensor {tensor}: the name appears twice</source>
        <translation>テンソル {tensor}: 名前が重複しています</translation>
    </message>
    <message>
        <source>tensor {tensor}: the product of its shape does not fit in 64 bits</source>
        <translation>テンソル {tensor}: 形状の積が 64 ビットに収まりません</translation>
    </message>
    <message>
        <source>tensor {tensor}: {problem}</source>
        <translation>テンソル {tensor}: {problem}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字列</translation>
    </message>
    <message>
        <source>Text encoders share one type here; the first one&apos;s counts.</source>
        <translation>Mantissa ではテキストエンコーダーの型は共通で、1 つ目のものが有効です。</translation>
    </message>
    <message>
        <source>text entry</source>
        <translation>テキストの入口</translation>
    </message>
    <message>
        <source>text in quotes</source>
        <translation>引用符で囲んだ文字列</translation>
    </message>
    <message>
        <source>texts</source>
        <translation>文字列</translation>
    </message>
    <message>
        <source>the absolute error</source>
        <translation>絶対誤差</translation>
    </message>
    <message>
        <source>the base model &apos;{path}&apos; does not exist; pass a .safetensors checkpoint or a diffusers folder</source>
        <translation>ベースモデル「{path}」がありません。.safetensors ファイルか diffusers フォルダーを指定してください</translation>
    </message>
    <message>
        <source>The base model is chosen for each run.</source>
        <translation>ベースモデルは学習ごとに選びます。</translation>
    </message>
    <message>
        <source>the base model&apos;s tensor {name} is unknown and not used</source>
        <translation>ベースモデルのテンソル {name} は不明なため使いません</translation>
    </message>
    <message>
        <source>The cache always lives on the disk.</source>
        <translation>キャッシュは常にディスクに置きます。</translation>
    </message>
    <message>
        <source>the cache folder {folder} can&apos;t be made: {reason}; make room or choose another with MANTISSA_HOME</source>
        <translation>キャッシュフォルダー {folder} を作れません: {reason}。空きを作るか、MANTISSA_HOME で別の場所を選んでください</translation>
    </message>
    <message>
        <source>The cache is always checked.</source>
        <translation>キャッシュは常に検証します。</translation>
    </message>
    <message>
        <source>the cached encoding of {source} ({file}) is damaged and will be recomputed: {reason}</source>
        <translation>{source} のエンコードのキャッシュ（{file}）が壊れているため、作り直します: {reason}</translation>
    </message>
    <message>
        <source>the card</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>the colour masks are cut off</source>
        <translation>カラーマスクが途中で切れています</translation>
    </message>
    <message>
        <source>The constant schedule does not warm up there.</source>
        <translation>元のプログラムの constant スケジュールにウォームアップはありません。</translation>
    </message>
    <message>
        <source>the CUDA Toolkit 13</source>
        <translation>CUDA Toolkit 13</translation>
    </message>
    <message>
        <source>the CUDA library beside this program is of another version of Mantissa; install both from one package</source>
        <translation>このプログラムの横にある CUDA ライブラリは Mantissa の別のバージョンのものです。両方を同じパッケージからインストールしてください</translation>
    </message>
    <message>
        <source>the CUDA library can&apos;t be opened: {reason}</source>
        <translation>CUDA ライブラリを開けません: {reason}</translation>
    </message>
    <message>
        <source>the damaged checkpoints were set aside in {folder}</source>
        <translation>破損したチェックポイントは {folder} に残します</translation>
    </message>
    <message>
        <source>the damaged runs database {file} can&apos;t be set aside as {aside}: {reason}; move it away by hand</source>
        <translation>壊れた学習データベース {file} を {aside} へよけられません: {reason}。手動で移動してください</translation>
    </message>
    <message>
        <source>The default of sd-scripts.</source>
        <translation>sd-scripts の既定値です。</translation>
    </message>
    <message>
        <source>The device is chosen for each run.</source>
        <translation>デバイスは学習ごとに選びます。</translation>
    </message>
    <message>
        <source>the disk of folder {folder} is full: could not {action} {file}, {need} needed for it{free}; free space or choose another folder</source>
        <translation>フォルダー {folder} のディスクがいっぱいで、{file} を書けませんでした（操作: {action}）。必要なのは {need}{free} です。空きを作るか、別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>the driver can&apos;t describe it: {reason}</source>
        <translation>ドライバーが情報を返せません: {reason}</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>the file holds a plain LoRA that changes each weight as the {form} does, at ranks up to {rank}: its own factors have no place in this format</source>
        <translation>ファイルには、各重みを {form} と同じように変更する通常の LoRA が入っています(ランクは最大 {rank})。元の因子を収める場所がこの形式にはありません</translation>
    </message>
    <message>
        <source>the file is truncated ({bytes} bytes of pixels expected)</source>
        <translation>ファイルが途中で切れています（ピクセルは {bytes} バイトのはずです）</translation>
    </message>
    <message>
        <source>the folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>the folder {folder} of the runs database can&apos;t be made: {reason}; make it writable or set MANTISSA_HOME</source>
        <translation>学習データベースのフォルダー {folder} を作れません: {reason}。書き込み可能にするか、MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>the header has an unknown size of {bytes}</source>
        <translation>ヘッダーの大きさ {bytes} バイトは未知です</translation>
    </message>
    <message>
        <source>the header holds a zero byte (byte {byte})</source>
        <translation>ヘッダーにゼロバイトがあります（{byte} バイト目）</translation>
    </message>
    <message>
        <source>the header is cut off</source>
        <translation>ヘッダーが途中で切れています</translation>
    </message>
    <message>
        <source>the header is not JSON (error near byte {byte})</source>
        <translation>ヘッダーが JSON ではありません（{byte} バイト目付近に誤り）</translation>
    </message>
    <message>
        <source>the header is not UTF-8 (byte {byte})</source>
        <translation>ヘッダーが UTF-8 ではありません（{byte} バイト目）</translation>
    </message>
    <message>
        <source>the header must be a JSON object, it is {found}</source>
        <translation>ヘッダーは JSON オブジェクトでなければなりません（実際: {found}）</translation>
    </message>
    <message>
        <source>the header must start with &apos;{&apos;</source>
        <translation>ヘッダーは &apos;{&apos; で始まらなければなりません</translation>
    </message>
    <message>
        <source>the Huber error</source>
        <translation>Huber 誤差</translation>
    </message>
    <message>
        <source>the image folder {path} can&apos;t be read; check its permissions</source>
        <translation>画像フォルダー {path} を読めません。アクセス権を確認してください</translation>
    </message>
    <message>
        <source>the image folder {path} doesn&apos;t exist; give a folder that holds {formats} files</source>
        <translation>画像フォルダー {path} がありません。{formats} のファイルがあるフォルダーを指定してください</translation>
    </message>
    <message>
        <source>the image holds non-finite values: the model or an adapter is broken</source>
        <translation>画像に有限でない値があります。モデルかアダプターが壊れています</translation>
    </message>
    <message>
        <source>the image library libvips does not start; reinstall the program&apos;s libraries</source>
        <translation>画像ライブラリ libvips を開始できません。プログラムのライブラリをインストールし直してください</translation>
    </message>
    <message>
        <source>the key &apos;__metadata__&apos; appears twice</source>
        <translation>キー「__metadata__」が 2 回あります</translation>
    </message>
    <message>
        <source>the layers are split over {count} cards: {parts}</source>
        <translation>層を {count} 枚のカードに分けています: {parts}</translation>
    </message>
    <message>
        <source>the layers don&apos;t fit the cards of --split-cards: {shortage}. Turn on training.gradient_checkpointing, lower data.batch_size or data.resolution, store the weights in fewer bits (precision.weights), or add a card</source>
        <translation>層が --split-cards のカードに収まりません: {shortage}。training.gradient_checkpointing をオンにするか、data.batch_size または data.resolution を下げるか、重みを少ないビット数で保存する (precision.weights) か、カードを追加してください</translation>
    </message>
    <message>
        <source>The list of data backends is a file of its own: import it too.</source>
        <translation>データバックエンドの一覧は別のファイルです。それもインポートしてください。</translation>
    </message>
    <message>
        <source>the log-cosh error</source>
        <translation>log-cosh 誤差</translation>
    </message>
    <message>
        <source>the metadata key {key} appears twice</source>
        <translation>メタデータのキー {key} が 2 回あります</translation>
    </message>
    <message>
        <source>the metadata value of {key}</source>
        <translation>メタデータ {key} の値</translation>
    </message>
    <message>
        <source>the metadata value of {key} must be text, it is {found}</source>
        <translation>メタデータ {key} の値は文字列でなければなりません（実際: {found}）</translation>
    </message>
    <message>
        <source>The model family&apos;s own layer, there and here.</source>
        <translation>どちらもモデル系列に固有の層を使います。</translation>
    </message>
    <message>
        <source>The model family&apos;s own noise schedule is used here.</source>
        <translation>Mantissa ではモデルファミリー自身のノイズスケジュールを使います。</translation>
    </message>
    <message>
        <source>the model has no {part} weight &apos;{weight}&apos; to replace</source>
        <translation>モデルに、置き換える {part} の重み「{weight}」がありません</translation>
    </message>
    <message>
        <source>the model&apos;s entry</source>
        <translation>モデルの入口</translation>
    </message>
    <message>
        <source>the model&apos;s exit</source>
        <translation>モデルの出口</translation>
    </message>
    <message>
        <source>the module path &apos;{path}&apos; has no name in this key format; set output.format to diffusers</source>
        <translation>モジュールパス「{path}」にはこのキー形式での名前がありません。output.format を diffusers にしてください</translation>
    </message>
    <message>
        <source>the negative number {number}</source>
        <translation>負の数 {number}</translation>
    </message>
    <message>
        <source>the number {number}</source>
        <translation>数値 {number}</translation>
    </message>
    <message>
        <source>the NVIDIA driver can&apos;t be used: {reason}</source>
        <translation>NVIDIA ドライバーを使えません: {reason}</translation>
    </message>
    <message>
        <source>this build of the CUDA library has code for compute capability {capabilities} and none for this card. `bash packaging/bootstrap.sh build` on this computer compiles it for its cards</source>
        <translation>このビルドの CUDA ライブラリには Compute Capability {capabilities} 用のコードがありますが、この GPU 用のコードがありません。このコンピューターで `bash packaging/bootstrap.sh build` を実行すると、搭載されている GPU 用にコンパイルされます</translation>
    </message>
    <message>
        <source>steps take {seconds} s instead of {expected} s, and {free} MB of the card&apos;s {total} MB are free: part of its memory is in shared memory, which is the computer&apos;s RAM. {way}</source>
        <translation>1 ステップに {expected} 秒ではなく {seconds} 秒かかっており、GPU のメモリ {total} MB のうち空きは {free} MB です。GPU のメモリの一部が共有メモリ（コンピューターの RAM）に移されています。{way}</translation>
    </message>
    <message>
        <source>Close other programs that use the card</source>
        <translation>GPU を使うほかのプログラムを終了してください</translation>
    </message>
    <message>
        <source>Close other programs that use the card, or stop and start again with {settings}, which frees {freed} MB</source>
        <translation>GPU を使うほかのプログラムを終了するか、実行を停止し、{settings} を付けて始め直してください。{freed} MB 空きます</translation>
    </message>
    <message>
        <source>the NVIDIA driver finds no card it can use</source>
        <translation>NVIDIA ドライバーが使える GPU を見つけられません</translation>
    </message>
    <message>
        <source>the NVIDIA driver supports CUDA {version}; version 13.0 is needed (driver 580 or newer). Update the driver</source>
        <translation>NVIDIA ドライバーが対応するのは CUDA {version} ですが、13.0 が必要です（ドライバー 580 以降）。ドライバーを更新してください</translation>
    </message>
    <message>
        <source>the palette is cut off</source>
        <translation>パレットが途中で切れています</translation>
    </message>
    <message>
        <source>the plain LoRA differs from the {form} by at most {share}% of a weight's change, at ranks up to {rank}</source>
        <translation>通常の LoRA と {form} の差は重みの変化の最大 {share}% で、ランクは最大 {rank} です</translation>
    </message>
    <message>
        <source>The plan ({plan}) breaks at step {step}: {found}</source>
        <translation>計画（{plan}）はステップ {step} で破綻します: {found}</translation>
    </message>
    <message>
        <source>The plan ({plan}) breaks: its gradients are not finite.</source>
        <translation>計画（{plan}）は破綻します。勾配が有限ではありません。</translation>
    </message>
    <message>
        <source>The plan ({plan}) {how}: its gradients are {gap} off, worst cosine {cosine}; its loss is {loss} off.</source>
        <translation>計画（{plan}）は {how}。勾配の差は {gap}、最悪のコサイン類似度は {cosine}、損失の差は {loss} です。</translation>
    </message>
    <message>
        <source>The preflight refuses adapters kept in fp16, because small updates vanish there, and offers fp32.</source>
        <translation>fp16 で持つアダプターは小さな更新が消えるため、事前チェックが拒否し、fp32 を提案します。</translation>
    </message>
    <message>
        <source>The preset is always embedded in the adapter.</source>
        <translation>プリセットは常にアダプターに埋め込まれます。</translation>
    </message>
    <message>
        <source>the program&apos;s file {file} is missing (searched {folders}); install the program again or set MANTISSA_RESOURCES to the folder that holds it</source>
        <translation>プログラムのファイル {file} がありません（{folders} を探しました）。プログラムをインストールし直すか、MANTISSA_RESOURCES をそのファイルがあるフォルダーに設定してください</translation>
    </message>
    <message>
        <source>The rates of the parts count instead.</source>
        <translation>代わりに各部分の学習率が有効です。</translation>
    </message>
    <message>
        <source>the rendering was cancelled.</source>
        <translation>生成をキャンセルしました。</translation>
    </message>
    <message>
        <source>the run continues in {folder}</source>
        <translation>学習は {folder} で続きます</translation>
    </message>
    <message>
        <source>the run has no valid checkpoint: it starts again from step 0</source>
        <translation>有効なチェックポイントがないため、ステップ 0 からやり直します</translation>
    </message>
    <message>
        <source>whether the run&apos;s files are those that it began with is not checked: {reason}</source>
        <translation>学習のファイルが開始時と同じかどうかは確認されません：{reason}</translation>
    </message>
    <message>
        <source>the run was started with other files: {changes}. Restore them, start a new run, or continue with the present ones</source>
        <translation>この学習は別のファイルで開始されました：{changes}。元に戻すか、新しい学習を開始するか、現在のファイルで続けてください</translation>
    </message>
    <message>
        <source>the run {run} was moved to {folder}, which is missing now. Connect that disk, or remove {file} to continue from the older checkpoints here</source>
        <translation>学習 {run} は {folder} で続きましたが、今はそのフォルダーがありません。そのディスクを接続するか、{file} を削除してここにある古いチェックポイントから続けてください</translation>
    </message>
    <message>
        <source>the run&apos;s preset has no prompt {number}</source>
        <translation>この学習のプリセットにプロンプト {number} はありません</translation>
    </message>
    <message>
        <source>the runs database already holds a run &quot;{run}&quot;; a run&apos;s id must be new</source>
        <translation>学習データベースにはすでに学習「{run}」があります。学習の ID は新しいものでなければなりません</translation>
    </message>
    <message>
        <source>the runs database holds no run &quot;{run}&quot;; create it first</source>
        <translation>学習データベースに学習「{run}」がありません。先に作成してください</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t be opened or written ({reason}); make the folder {folder} writable or set MANTISSA_HOME</source>
        <translation>学習データベース {file} を開けないか書けません（{reason}）。フォルダー {folder} を書き込み可能にするか、MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t be written and {count} rows wait already; see the error before</source>
        <translation>学習データベース {file} に書き込めず、すでに {count} 行が待っています。前のエラーを参照してください</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t grow: the folder {folder} is full; free at least 16 MB there and continue</source>
        <translation>学習データベース {file} を広げられません。フォルダー {folder} に空きがありません。16 MB 以上の空きを作って続けてください</translation>
    </message>
    <message>
        <source>the runs database {file} in the folder {folder} can&apos;t be read or written ({reason}); check that disk and try again</source>
        <translation>フォルダー {folder} の学習データベース {file} を読み書きできません（{reason}）。ディスクを確かめて、もう一度試してください</translation>
    </message>
    <message>
        <source>the runs database {file} in {folder} is held by another program for more than 10 seconds; close that program</source>
        <translation>{folder} の学習データベース {file} を別のプログラムが 10 秒を超えて使い続けています。そのプログラムを閉じてください</translation>
    </message>
    <message>
        <source>the runs database {file} is damaged ({reason}); the next program that writes to it sets it aside</source>
        <translation>学習データベース {file} が壊れています（{reason}）。次に書き込むプログラムが別の場所へよけます</translation>
    </message>
    <message>
        <source>the runs database {file} is damaged: {reason}</source>
        <translation>学習データベース {file} が壊れています: {reason}</translation>
    </message>
    <message>
        <source>the runs database {file} was made by a newer Mantissa (format {version}, this program knows up to {known}) and is left untouched; use that version, or set MANTISSA_HOME</source>
        <translation>学習データベース {file} はより新しい Mantissa が作ったものです（形式 {version}、このプログラムが扱えるのは {known} まで）。変更はしていません。そのバージョンを使うか、MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>the runs database {file} was made by a newer Mantissa (format {version}, this program reads up to {known}); use that version, or set MANTISSA_HOME</source>
        <translation>学習データベース {file} はより新しい Mantissa が作ったものです（形式 {version}、このプログラムが読めるのは {known} まで）。そのバージョンを使うか、MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>the same folder was entered already (a link, or given twice)</source>
        <translation>同じフォルダーをすでに読みました（リンク、または重複した指定）</translation>
    </message>
    <message>
        <source>The side of a square here, the shorter edge there.</source>
        <translation>Mantissa では正方形の一辺、元のプログラムでは短辺です。</translation>
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
        <source>the step lacks its masks; was the trace written without data.masks?</source>
        <translation>ステップにマスクがありません。data.masks なしで書き出したトレースではありませんか？</translation>
    </message>
    <message>
        <source>the step lacks the text input {input}; was the trace written with another family of models?</source>
        <translation>ステップにテキストの入力 {input} がありません。別の系列のモデルで書き出したトレースではありませんか？</translation>
    </message>
    <message>
        <source>The steps of kohya&apos;s rule here too.</source>
        <translation>ここでも kohya の規則の刻みです。</translation>
    </message>
    <message>
        <source>the stored queue of runs can&apos;t be read ({reason}); add its runs again</source>
        <translation>保存された学習キューを読み込めません（{reason}）。学習をもう一度追加してください</translation>
    </message>
    <message>
        <source>the system could not make {what} {path} durable: {reason}; treat the save as failed and check the disk</source>
        <translation>システムが{what} {path} をディスクに確実に書き込めませんでした: {reason}。保存は失敗したものとみなし、ディスクを確かめてください</translation>
    </message>
    <message>
        <source>the T5 tokenizer &apos;{path}&apos; holds neither spiece.model nor tokenizer.json; put the model&apos;s tokenizer folder beside its weights</source>
        <translation>T5 のトークナイザー「{path}」に spiece.model も tokenizer.json もありません。モデルのトークナイザーのフォルダーを重みの隣に置いてください</translation>
    </message>
    <message>
        <source>the T5 tokenizer can&apos;t read the text ({reason})</source>
        <translation>T5 のトークナイザーがテキストを読めません（{reason}）</translation>
    </message>
    <message>
        <source>the tokenizer has no padding token (pad_token in tokenizer_config.json); get the model&apos;s tokenizer folder again</source>
        <translation>トークナイザーにパディングトークン（tokenizer_config.json の pad_token）がありません。モデルのトークナイザーのフォルダーを入手し直してください</translation>
    </message>
    <message>
        <source>the tokenizer has no token &apos;{token}&apos;, which begins every text; get the model&apos;s tokenizer folder again</source>
        <translation>トークナイザーに、すべてのテキストの先頭に置くトークン「{token}」がありません。モデルのトークナイザーフォルダーを取得し直してください</translation>
    </message>
    <message>
        <source>the tokenizer knows {known} pieces but the text encoder has {count} embeddings. Put the model&apos;s own tokenizer folder beside its weights</source>
        <translation>トークナイザーのピースは {known} 個ですが、テキストエンコーダーの埋め込みは {count} 個です。モデル自身のトークナイザーのフォルダーを重みの隣に置いてください</translation>
    </message>
    <message>
        <source>the tokenizer knows {known} tokens but the text encoder has {count} embeddings. Put the model&apos;s own tokenizer folders beside its weights</source>
        <translation>トークナイザーのトークンは {known} 個ですが、テキストエンコーダーの埋め込みは {count} 個です。モデル自身のトークナイザーのフォルダーを重みの隣に置いてください</translation>
    </message>
    <message>
        <source>The type of the adapter&apos;s weights there; see precision.gradients.</source>
        <translation>元のプログラムではアダプターの重みの型です。precision.gradients を参照してください。</translation>
    </message>
    <message>
        <source>The VAE is never trained here.</source>
        <translation>Mantissa では VAE を学習しません。</translation>
    </message>
    <message>
        <source>The version of that program&apos;s format.</source>
        <translation>元のプログラムの形式のバージョンです。</translation>
    </message>
    <message>
        <source>the {part} weight &apos;{weight}&apos; has no name in a single file; write a diffusers folder instead</source>
        <translation>{part} の重み「{weight}」には単一ファイルでの名前がありません。代わりに diffusers フォルダーとして書き出してください</translation>
    </message>
    <message>
        <source>the {part} weight &apos;{weight}&apos; has no OpenCLIP name; write a diffusers folder instead</source>
        <translation>{part} の重み「{weight}」には OpenCLIP の名前がありません。代わりに diffusers フォルダーとして書き出してください</translation>
    </message>
    <message>
        <source>there are no images to train on</source>
        <translation>学習する画像がありません</translation>
    </message>
    <message>
        <source>there are {count} prior-preservation images and {samples} samples of the images in an epoch: the first {samples} of them are used</source>
        <translation>事前知識の保持用の画像が {count} 枚ありますが、1 エポックの画像のサンプルは {samples} 件です。最初の {samples} 枚を使います</translation>
    </message>
    <message>
        <source>there is a hole</source>
        <translation>隙間があります</translation>
    </message>
    <message>
        <source>there is no card of that number</source>
        <translation>その番号のカードはありません</translation>
    </message>
    <message>
        <source>there is no card of that number; this machine has {count}, counted from 0</source>
        <translation>その番号のカードはありません。このマシンには {count} 枚あり、番号は 0 から始まります</translation>
    </message>
    <message>
        <source>there is no run {run} in the runs database; `mantissa runs list` shows those that are.</source>
        <translation>学習データベースに学習 {run} はありません。あるものは `mantissa runs list` に出ます。</translation>
    </message>
    <message>
        <source>there is no sampler &quot;{name}&quot;; choose one of {choices}</source>
        <translation>サンプラー「{name}」はありません。{choices} のいずれかを選んでください</translation>
    </message>
    <message>
        <source>this argument of the network</source>
        <translation>ネットワークのこの引数</translation>
    </message>
    <message>
        <source>This argument of the network is not offered here.</source>
        <translation>network のこの引数には対応していません。</translation>
    </message>
    <message>
        <source>this argument of the optimizer</source>
        <translation>オプティマイザーのこの引数</translation>
    </message>
    <message>
        <source>this build of the studio can&apos;t read runs.</source>
        <translation>このビルドのスタジオは学習を読み込めません。</translation>
    </message>
    <message>
        <source>this folder can&apos;t be read; check its permissions</source>
        <translation>このフォルダーを読めません。アクセス権を確認してください</translation>
    </message>
    <message>
        <source>this has more than {count} values; no configuration needs so many</source>
        <translation>値が {count} 個を超えています。これほど必要とする設定はありません</translation>
    </message>
    <message>
        <source>this has more than {count} values; no preset needs so many</source>
        <translation>値が {count} 個を超えています。これほど必要とするプリセットはありません</translation>
    </message>
    <message>
        <source>this has several YAML documents; keep one</source>
        <translation>YAML の文書が複数あります。1 つだけ残してください</translation>
    </message>
    <message>
        <source>this build has no CUDA library ({file}). `bash packaging/bootstrap.sh build` makes it on a computer with an NVIDIA card and its driver</source>
        <translation>このビルドには CUDA ライブラリ ({file}) がありません。NVIDIA の GPU とドライバーのあるコンピューターで `bash packaging/bootstrap.sh build` を実行するとビルドされます</translation>
    </message>
    <message>
        <source>This is an inpainting checkpoint; use the base model it was made from</source>
        <translation>これはインペインティング用のチェックポイントです。その元になったベースモデルを使ってください</translation>
    </message>
    <message>
        <source>This is an instruct-pix2pix checkpoint; use the base model it was made from</source>
        <translation>これは instruct-pix2pix のチェックポイントです。その元になったベースモデルを使ってください</translation>
    </message>
    <message>
        <source>this is nested deeper than {count} levels</source>
        <translation>入れ子が {count} 段を超えています</translation>
    </message>
    <message>
        <source>this is not valid JSON: {reason}</source>
        <translation>正しい JSON ではありません: {reason}</translation>
    </message>
    <message>
        <source>this is not valid TOML: {reason}</source>
        <translation>正しい TOML ではありません: {reason}</translation>
    </message>
    <message>
        <source>this is not valid YAML: {reason}</source>
        <translation>正しい YAML ではありません: {reason}</translation>
    </message>
    <message>
        <source>This key is not known; it has no effect here.</source>
        <translation>未知のキーです。Mantissa では何の効果もありません。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead.</source>
        <translation>このオプティマイザーには対応していません。代わりに adamw にしました。</translation>
    </message>
    <message>
        <source>This optimizer is not offered here: adamw instead. Module names are never loaded from a configuration.</source>
        <translation>このオプティマイザーには対応していません。代わりに adamw にしました。設定からモジュール名を読み込むことはありません。</translation>
    </message>
    <message>
        <source>this optimizer needs all gradients before it moves a weight. Set optimizer.fused_back_pass to false</source>
        <translation>このオプティマイザーは重みを動かす前にすべての勾配を必要とします。optimizer.fused_back_pass を false にしてください</translation>
    </message>
    <message>
        <source>This optimizer option is not offered here.</source>
        <translation>このオプティマイザーのオプションには対応していません。</translation>
    </message>
    <message>
        <source>this option of samples</source>
        <translation>サンプル画像のこのオプション</translation>
    </message>
    <message>
        <source>This part does not exist in that model.</source>
        <translation>そのモデルにこの部分はありません。</translation>
    </message>
    <message>
        <source>This part does not exist in the models offered here.</source>
        <translation>ここで対応しているモデルにこの部分はありません。</translation>
    </message>
    <message>
        <source>This part is not trained there.</source>
        <translation>元の設定ではこの部分を学習していません。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead.</source>
        <translation>このスケジュールには対応していません。代わりに constant にしました。</translation>
    </message>
    <message>
        <source>This schedule is not offered here: constant instead. Module names are never loaded from a configuration.</source>
        <translation>このスケジュールには対応していません。代わりに constant にしました。設定からモジュール名を読み込むことはありません。</translation>
    </message>
    <message>
        <source>timestep</source>
        <translation>タイムステップ</translation>
    </message>
    <message>
        <source>timestep {timestep} has SNR 0: an epsilon prediction can&apos;t be turned into an image there; use v-prediction</source>
        <translation>タイムステップ {timestep} の SNR は 0 です。そこでは epsilon 予測を画像に変換できないので、v 予測を使ってください</translation>
    </message>
    <message>
        <source>Timesteps are drawn independently here.</source>
        <translation>Mantissa ではタイムステップを独立に抽出します。</translation>
    </message>
    <message>
        <source>timesteps spread over the steps</source>
        <translation>ステップに均等に割り振るタイムステップ</translation>
    </message>
    <message>
        <source>token warm-up</source>
        <translation>トークンのウォームアップ</translation>
    </message>
    <message>
        <source>too small: {size} pixels, each side needs {least}</source>
        <translation>小さすぎます: {size} ピクセル、各辺に {least} 必要です</translation>
    </message>
    <message>
        <source>trace written to {file}</source>
        <translation>トレースを {file} に書き出しました</translation>
    </message>
    <message>
        <source>train.dtype counts instead.</source>
        <translation>代わりに train.dtype が有効です。</translation>
    </message>
    <message>
        <source>Trained text encoders are part of the adapter here.</source>
        <translation>Mantissa では学習したテキストエンコーダーもアダプターに含まれます。</translation>
    </message>
    <message>
        <source>trained: kept as a master, products in the compute type</source>
        <translation>学習対象: マスターとして保持し、積は計算の型</translation>
    </message>
    <message>
        <source>training of a share of the weights</source>
        <translation>重みの一部だけの学習</translation>
    </message>
    <message>
        <source>training of few-step models</source>
        <translation>少ステップモデルの学習</translation>
    </message>
    <message>
        <source>training of norm layers</source>
        <translation>正規化層の学習</translation>
    </message>
    <message>
        <source>training of SDXL&apos;s refiner</source>
        <translation>SDXL の refiner の学習</translation>
    </message>
    <message>
        <source>training of single blocks</source>
        <translation>個々のブロックの学習</translation>
    </message>
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
        <source>training steps: {shapes} shapes, {recordings} recordings</source>
        <translation>学習ステップ: 形状 {shapes} 種類、記録 {recordings} 個</translation>
    </message>
    <message>
        <source>training.min_snr_gamma must be above 0; it is {value}</source>
        <translation>training.min_snr_gamma は 0 より大きくなければなりませんが、{value} です</translation>
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
        <source>training.parts is [&quot;vae&quot;], and the layers of a VAE are not split over cards. Leave --split-cards out</source>
        <translation>training.parts が [&quot;vae&quot;] ですが、VAE の層は複数のカードに分けられません。--split-cards を外してください</translation>
    </message>
    <message>
        <source>training.parts is [&quot;vae&quot;]: --trace and --replay know only a denoiser&apos;s steps. Leave them out</source>
        <translation>training.parts が [&quot;vae&quot;] ですが、--trace と --replay が扱えるのはデノイザーのステップだけです。外してください</translation>
    </message>
    <message>
        <source>training.prior_weight is 0: the prior-preservation images aren&apos;t used</source>
        <translation>training.prior_weight が 0 なので、事前知識の保持用の画像は使いません</translation>
    </message>
    <message>
        <source>training.weights name no module of {part}; use &quot;*&quot;, or patterns such as &quot;{part}.*&quot;</source>
        <translation>training.weights に当てはまる {part} のモジュールがありません。&quot;*&quot;、または &quot;{part}.*&quot; のようなパターンを使ってください</translation>
    </message>
    <message>
        <source>transformer_layers_per_block (middle)</source>
        <translation>transformer_layers_per_block（中間）</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true か false</translation>
    </message>
    <message>
        <source>Tucker decomposition</source>
        <translation>Tucker 分解</translation>
    </message>
    <message>
        <source>Types are one plan here; nothing falls back silently.</source>
        <translation>Mantissa では型は 1 つの計画で決まり、黙って別の型になることはありません。</translation>
    </message>
    <message>
        <source>unet_lr counts instead.</source>
        <translation>代わりに unet_lr が有効です。</translation>
    </message>
    <message>
        <source>unexpected structure</source>
        <translation>予期しない構造</translation>
    </message>
    <message>
        <source>updates scaled by the weights</source>
        <translation>重みに比例した更新</translation>
    </message>
    <message>
        <source>Use a plain text-to-image checkpoint</source>
        <translation>通常の text-to-image のチェックポイントを使ってください</translation>
    </message>
    <message>
        <source>validation by epochs; set training.validate_every in steps</source>
        <translation>エポック単位の検証（training.validate_every をステップ数で設定してください）</translation>
    </message>
    <message>
        <source>vertical flips</source>
        <translation>上下反転</translation>
    </message>
    <message>
        <source>Weight decay is always decoupled here.</source>
        <translation>Mantissa では重み減衰は常に分離型です。</translation>
    </message>
    <message>
        <source>weight {name}</source>
        <translation>重み {name}</translation>
    </message>
    <message>
        <source>What happens on a full disk is chosen for each run.</source>
        <translation>ディスクがいっぱいのときの動作は学習ごとに選びます。</translation>
    </message>
    <message>
        <source>What is written is stated in the README.</source>
        <translation>何を書き込むかは README にあります。</translation>
    </message>
    <message>
        <source>Which images is chosen here with data.validation_share.</source>
        <translation>Mantissa では検証に使う画像を data.validation_share で選びます。</translation>
    </message>
    <message>
        <source>Which images is decided by their content here, by a seed there.</source>
        <translation>どの画像を使うかは、Mantissa では内容で、元のプログラムではシードで決まります。</translation>
    </message>
    <message>
        <source>wildcards in captions</source>
        <translation>キャプションのワイルドカード</translation>
    </message>
    <message>
        <source>With one scale per output channel here, without any there.</source>
        <translation>Mantissa では出力チャンネルごとにスケールがありますが、元のプログラムにはありません。</translation>
    </message>
    <message>
        <source>With one scale per output channel here.</source>
        <translation>Mantissa では出力チャンネルごとにスケールがあります。</translation>
    </message>
    <message>
        <source>With that pin the gap is {gap}.</source>
        <translation>これを固定すると差は {gap} です。</translation>
    </message>
    <message>
        <source>With these pins the gap is {gap}.</source>
        <translation>これらを固定すると差は {gap} です。</translation>
    </message>
    <message>
        <source>With {settings} it needs {need}</source>
        <translation>{settings} にすれば {need} で足ります</translation>
    </message>
    <message>
        <source>Without layers outside of the transformer&apos;s blocks.</source>
        <translation>Transformer ブロックの外の層は含みません。</translation>
    </message>
    <message>
        <source>Without moving activations to the host.</source>
        <translation>活性をホストメモリへ移すことはしません。</translation>
    </message>
    <message>
        <source>Without the samples that are switched off.</source>
        <translation>オフにされたサンプルは含みません。</translation>
    </message>
    <message>
        <source>Without the time embeddings and the first and last convolution.</source>
        <translation>時刻の埋め込みと、最初と最後の畳み込みは含みません。</translation>
    </message>
    <message>
        <source>write</source>
        <translation>書き込み</translation>
    </message>
    <message>
        <source>Zeroes inputs of the adapter here, its inner channels there.</source>
        <translation>Mantissa ではアダプターの入力を、元のプログラムでは内部のチャンネルを 0 にします。</translation>
    </message>
    <message>
        <source>zlib could not pack an image</source>
        <translation>zlib が画像を圧縮できませんでした</translation>
    </message>
    <message>
        <source>{advice}, or train with adapter.dora_axis input for ComfyUI</source>
        <translation>{advice}。ComfyUI 用には adapter.dora_axis を input にして学習することもできます</translation>
    </message>
    <message>
        <source>{alone}. Split over cards, the layers would fit: {parts}. Train so with --split-cards {cards}; {streaming}</source>
        <translation>{alone}。層を複数のカードに分ければ収まります: {parts}。そうするには --split-cards {cards} を付けて学習します。{streaming}</translation>
    </message>
    <message>
        <source>{bits} bits a pixel are not supported</source>
        <translation>1 ピクセル {bits} ビットには対応していません</translation>
    </message>
    <message>
        <source>{card} would have {first} to {last}, which need {need} MB of its {free} MB</source>
        <translation>{card} には {first} から {last} までが入りますが、{free} MB に対して {need} MB 必要です</translation>
    </message>
    <message>
        <source>{checkpoint} is not used: {reason}</source>
        <translation>{checkpoint} は使いません: {reason}</translation>
    </message>
    <message>
        <source>{checkpoint} was saved by an older version, which didn&apos;t record the base model: whether it is the same is not checked</source>
        <translation>{checkpoint} は旧版が保存したもので、ベースモデルの記録がありません：同じかどうかは確認できません</translation>
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
        <source>{count} adapters, {values} trainable values</source>
        <translation>アダプター {count} 個、学習する値 {values} 個</translation>
    </message>
    <message>
        <source>{count} lines are not shown here; see log.txt in the run folder.</source>
        <translation>ここでは {count} 行を省略しています。全文は出力フォルダーの log.txt にあります。</translation>
    </message>
    <message>
        <source>{count} trained weights, {values} trainable values</source>
        <translation>学習する重み {count} 個、学習する値 {values} 個</translation>
    </message>
    <message>
        <source>{count} weights stay in host memory and are copied to the card for each use: the run may take {limit} bytes there</source>
        <translation>{count} 個の重みはホストメモリに置き、使うたびにカードへコピーします。この学習がカードで使えるのは {limit} バイトです</translation>
    </message>
    <message>
        <source>{device} runs every call at once</source>
        <translation>{device} はすべての呼び出しをその場で実行します</translation>
    </message>
    <message>
        <source>{device} stopped working: {reason}. This process can&apos;t use it any more: start Mantissa again and resume the run. If it happens again, look for Xid errors in the system&apos;s log and check the card&apos;s power, temperature and driver</source>
        <translation>{device} が動作しなくなりました: {reason}。このプロセスではもう使えません。Mantissa を起動し直して学習を再開してください。繰り返し起きる場合は、システムのログで Xid エラーを探し、GPU の電源、温度、ドライバーを確認してください</translation>
    </message>
    <message>
        <source>{file} can&apos;t be read. It names the folder where this run continues: pass that folder in place of {folder}</source>
        <translation>{file} を読めません。この学習の続きがあるフォルダーが書かれています。{folder} の代わりにそのフォルダーを指定してください</translation>
    </message>
    <message>
        <source>{file} can&apos;t be removed.</source>
        <translation>{file} を削除できません。</translation>
    </message>
    <message>
        <source>{file} can&apos;t be unpacked: zlib does not start</source>
        <translation>{file} を展開できません: zlib を開始できません</translation>
    </message>
    <message>
        <source>{file} can&apos;t be used ({reason}): the copy in {checkpoint} is used</source>
        <translation>{file} は使えません（{reason}）：{checkpoint} の写しを使います</translation>
    </message>
    <message>
        <source>{file} can&apos;t be written: {reason}. The caption is kept here and written once that is possible.</source>
        <translation>{file} に書き込めません: {reason}。キャプションはここに残り、書き込めるようになりしだい書き込まれます。</translation>
    </message>
    <message>
        <source>{file} carries no preset: its metadata has no &quot;{key}&quot;, and nothing of sd-scripts or OneTrainer either</source>
        <translation>{file} にプリセットはありません。メタデータに「{key}」がなく、sd-scripts や OneTrainer の内容もありません</translation>
    </message>
    <message>
        <source>{file} carries no preset: its metadata has no &quot;{key}&quot;, so it was not written by Mantissa, or without its preset</source>
        <translation>{file} にプリセットはありません。メタデータに「{key}」がないので、Mantissa が書いたものではないか、プリセットなしで書かれたものです</translation>
    </message>
    <message>
        <source>{file} changes {weight}, which an adapter here doesn&apos;t train. Merge it into the base model first (`mantissa merge`) and train on the result</source>
        <translation>{file} は {weight} を変更しますが、ここのアダプターはそれを学習しません。先にベースモデルへマージし(`mantissa merge`)、その結果で学習してください</translation>
    </message>
    <message>
        <source>{file} has another content than its manifest says</source>
        <translation>{file} の内容がマニフェストと違います</translation>
    </message>
    <message>
        <source>{file} has another size than its manifest says</source>
        <translation>{file} の大きさがマニフェストと違います</translation>
    </message>
    <message>
        <source>{file} has more metadata than a preset needs</source>
        <translation>{file} のメタデータはプリセットに必要な量を超えています</translation>
    </message>
    <message>
        <source>{file} has no object &apos;weight_map&apos;; get the model again</source>
        <translation>{file} にオブジェクト「weight_map」がありません。モデルを入手し直してください</translation>
    </message>
    <message>
        <source>{file} has {bytes} bytes; at most {most} are allowed</source>
        <translation>{file} は {bytes} バイトあります。最大 {most} バイトです</translation>
    </message>
    <message>
        <source>{file} has {bytes} bytes; at most {most} are allowed for this kind of file</source>
        <translation>{file} は {bytes} バイトあります。この種類のファイルは最大 {most} バイトです</translation>
    </message>
    <message>
        <source>{file} holds a number beyond the largest that there is, 1.8e308; correct it</source>
        <translation>{file} に、扱える最大の数 1.8e308 を超える数があります。修正してください</translation>
    </message>
    <message>
        <source>{file} holds no byte-pair model (model.vocab, model.merges)</source>
        <translation>{file} にバイトペアのモデル（model.vocab、model.merges）がありません</translation>
    </message>
    <message>
        <source>{file} holds no unigram model; get the model&apos;s tokenizer folder again</source>
        <translation>{file} に unigram モデルがありません。モデルのトークナイザーのフォルダーを入手し直してください</translation>
    </message>
    <message>
        <source>{file} holds only an embedding (textual inversion), {tensor}; embeddings aren&apos;t read, give an adapter</source>
        <translation>{file} には埋め込み(Textual Inversion)の {tensor} しかありません。埋め込みは読み込めないため、アダプターを指定してください</translation>
    </message>
    <message>
        <source>{file} holds safetensors data under the name of a pickle checkpoint; rename it to end in .safetensors</source>
        <translation>{file} は、名前は pickle のチェックポイントですが、内容は safetensors のデータです。名前が .safetensors で終わるように変更してください</translation>
    </message>
    <message>
        <source>{file} is a database of another program, not Mantissa&apos;s runs; move it away or set MANTISSA_HOME</source>
        <translation>{file} は Mantissa の学習データベースではなく、別のプログラムのデータベースです。移動するか、MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>{file} is a folder; a preset is a JSON file</source>
        <translation>{file} はフォルダーです。プリセットは JSON ファイルです</translation>
    </message>
    <message>
        <source>{file} is a folder; choose a preset, a configuration or an adapter</source>
        <translation>{file} はフォルダーです。プリセット、設定、アダプターのいずれかを選んでください</translation>
    </message>
    <message>
        <source>{file} is a GGUF file; only base models can be read from one</source>
        <translation>{file} は GGUF ファイルです。GGUF から読み込めるのはベースモデルだけです</translation>
    </message>
    <message>
        <source>{file} is a Git LFS pointer, not the weights; run &apos;git lfs pull&apos; in its folder or download the file itself</source>
        <translation>{file} は重みではなく Git LFS のポインターです。フォルダーで `git lfs pull` を実行するか、ファイルそのものをダウンロードしてください</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip checkpoint (.ckpt, .pt, .bin), which can run any program when opened and is never read; convert it to .safetensors with a tool you trust, e.g. torch.load(…, weights_only=True) and safetensors.torch.save_file</source>
        <translation>{file} は pickle か zip のチェックポイント（.ckpt、.pt、.bin）です。開くと任意のプログラムが動きうるため読み込みません。信頼できるツールで .safetensors に変換してください（例: torch.load(…, weights_only=True) と safetensors.torch.save_file）</translation>
    </message>
    <message>
        <source>{file} is a pickle or zip file, which can hold programs and is never opened; convert it to .safetensors first</source>
        <translation>{file} は pickle か zip のファイルです。プログラムを含みうるため開きません。先に .safetensors に変換してください</translation>
    </message>
    <message>
        <source>{file} is a web page, not the weights; the download was redirected (often to a log-in page), download it again</source>
        <translation>{file} は重みではなくウェブページです。ダウンロードが別のページ（多くはログイン画面）へ移されました。ダウンロードし直してください</translation>
    </message>
    <message>
        <source>{file} is damaged: it does not unpack; fetch it again</source>
        <translation>{file} が壊れていて展開できません。取得し直してください</translation>
    </message>
    <message>
        <source>{file} is damaged: it has another content than its checksum says</source>
        <translation>{file} は破損しています：内容がチェックサムと一致しません</translation>
    </message>
    <message>
        <source>{file} is larger than 1 MB, so it is no preset</source>
        <translation>{file} は 1 MB を超えているので、プリセットではありません</translation>
    </message>
    <message>
        <source>{file} is missing</source>
        <translation>{file} がありません</translation>
    </message>
    <message>
        <source>{file} is missing: the copy in {checkpoint} is used</source>
        <translation>{file} がありません：{checkpoint} の写しを使います</translation>
    </message>
    <message>
        <source>{file} is nested deeper than {count} levels</source>
        <translation>{file} の入れ子が {count} 段を超えています</translation>
    </message>
    <message>
        <source>{file} is not a valid safetensors file: {problem}; the file is damaged or was made by a faulty program, get or export it again</source>
        <translation>{file} は正しい safetensors ファイルではありません: {problem}。壊れているか、不具合のあるプログラムで作られています。入手または書き出しをやり直してください</translation>
    </message>
    <message>
        <source>{file} is not CLIP&apos;s merges table: SHA-256 of its lines is {found}, {expected} is expected; fetch it again (packaging/fetch_vocab.sh)</source>
        <translation>{file} は CLIP のマージ表ではありません。行の SHA-256 が {found} ですが、{expected} のはずです。取得し直してください（packaging/fetch_vocab.sh）</translation>
    </message>
    <message>
        <source>{file} is not the one that the run was started with: the copy in {checkpoint} is used</source>
        <translation>{file} は学習開始時のものではありません：{checkpoint} の写しを使います</translation>
    </message>
    <message>
        <source>{file} is not valid JSON: error near byte {byte}</source>
        <translation>{file} は正しい JSON ではありません: {byte} バイト目付近に誤りがあります</translation>
    </message>
    <message>
        <source>{file} line {line}</source>
        <translation>{file} の {line} 行目</translation>
    </message>
    <message>
        <source>{file} must be a JSON object</source>
        <translation>{file} は JSON オブジェクトでなければなりません</translation>
    </message>
    <message>
        <source>{file} must hold a JSON object</source>
        <translation>{file} の内容は JSON オブジェクトでなければなりません</translation>
    </message>
    <message>
        <source>{file} must hold a JSON object; get the model&apos;s tokenizer folder again</source>
        <translation>{file} の内容は JSON オブジェクトでなければなりません。モデルのトークナイザーのフォルダーを入手し直してください</translation>
    </message>
    <message>
        <source>{file} normalises or splits text in another way than CLIP&apos;s tokenizer (normalizer NFC, white space, lower case; pre_tokenizer Split, ByteLevel); only CLIP&apos;s is supported</source>
        <translation>{file} のテキストの正規化または分割が CLIP のトークナイザーと違います（normalizer は NFC、空白、小文字化、pre_tokenizer は Split、ByteLevel）。対応しているのは CLIP のものだけです</translation>
    </message>
    <message>
        <source>{file} shrank or could not be read while in use; nothing made from it was kept. Restore the file and leave it unchanged while it is in use</source>
        <translation>{file} は使用中に短くなったか、読み取れなくなりました。そこから作られたものは何も残していません。ファイルを元に戻し、使用中は変更しないでください</translation>
    </message>
    <message>
        <source>{file} was changed by another program and was not overwritten; press Scan again to read it.</source>
        <translation>{file} はほかのプログラムで変更されたため、そのままにしてあります。読み込むには「再スキャン」を押してください。</translation>
    </message>
    <message>
        <source>{file} was deleted: it is made and locked again</source>
        <translation>{file} が削除されました：作り直してロックします</translation>
    </message>
    <message>
        <source>{file} was written by a newer version; resume the run with that one</source>
        <translation>{file} はより新しいバージョンが書いたものです。そのバージョンで学習を再開してください</translation>
    </message>
    <message>
        <source>{file}, line {line}: two symbols with one space between them are expected</source>
        <translation>{file} の {line} 行目: 1 つの空白で区切った 2 つのシンボルが必要です</translation>
    </message>
    <message>
        <source>{file}, line {line}: two symbols with one space between them are expected; the table is cut off or another file, fetch it again (packaging/fetch_vocab.sh)</source>
        <translation>{file} の {line} 行目: 1 つの空白で区切った 2 つのシンボルが必要です。表が途中で切れているか、別のファイルです。取得し直してください（packaging/fetch_vocab.sh）</translation>
    </message>
    <message>
        <source>{file}: &apos;{flag}&apos; of the token &apos;{token}&apos; is {found}; true or false is expected</source>
        <translation>{file}: トークン「{token}」の「{flag}」は {found} ですが、true か false でなければなりません</translation>
    </message>
    <message>
        <source>{file}: &apos;{key}&apos; must be an object</source>
        <translation>{file}: 「{key}」はオブジェクトでなければなりません</translation>
    </message>
    <message>
        <source>{file}: a regular expression has {bytes} bytes; at most {most} are allowed</source>
        <translation>{file}: 正規表現の 1 つが {bytes} バイトあります。最大 {most} バイトです</translation>
    </message>
    <message>
        <source>{file}: adapter.init pissa takes its start from the base weights and changes them; set adapter.init to standard to continue from an adapter</source>
        <translation>{file}: adapter.init の pissa はベースの重みから始めてそれを変えます。アダプターから続けるには adapter.init を standard にしてください</translation>
    </message>
    <message>
        <source>{file}: field &apos;identity&apos; must be a list of [part, name, path, bytes, SHA-256]</source>
        <translation>{file}: フィールド「identity」は [part, name, path, bytes, SHA-256] のリストでなければなりません</translation>
    </message>
    <message>
        <source>{file}: field &apos;latents_mean&apos; is set, which the pipelines of this family pass over, so that nobody can tell what the model was trained with. Remove latents_mean and latents_std</source>
        <translation>{file}: フィールド「latents_mean」が設定されていますが、この系列のパイプラインはこれを無視するため、モデルがどちらで学習されたのか分かりません。latents_mean と latents_std を削除してください</translation>
    </message>
    <message>
        <source>{file}: field &apos;optimizer_updates&apos; lacks {part}. Resume with the preset the run was started with</source>
        <translation>{file}: フィールド「optimizer_updates」に {part} がありません。学習を始めたときのプリセットで再開してください</translation>
    </message>
    <message>
        <source>{file}: field &apos;step&apos; is {step}, which is not the step of its folder</source>
        <translation>{file}: フィールド「step」は {step} ですが、フォルダーのステップと違います</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; is missing</source>
        <translation>{file}: フィールド「{field}」がありません</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; must be {expected}, it is {found}</source>
        <translation>{file}: フィールド「{field}」は{expected}でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; says {configured}, the weights have {found}; the configuration belongs to another model</source>
        <translation>{file}: フィールド「{field}」は {configured} ですが、重みでは {found} です。設定が別のモデルのものです</translation>
    </message>
    <message>
        <source>{file}: field &apos;{field}&apos; {problem}</source>
        <translation>{file}: フィールド「{field}」{problem}</translation>
    </message>
    <message>
        <source>{file}: init_lora_weights is loftq: the adapter belongs to a quantised copy of the base model, which the file doesn&apos;t hold. Merge it where it was trained; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}: init_lora_weights が loftq です。このアダプターは量子化されたベースモデルのコピーに対するもので、そのコピーはファイルに入っていません。学習した環境でマージしてください。その結果から `mantissa extract` で LoRA を作れます</translation>
    </message>
    <message>
        <source>{file}: init_lora_weights is {init}: PEFT took the adapter&apos;s start out of the base model&apos;s weights, and the file doesn&apos;t hold that start. Where it was trained, save it with path_initial_model_for_weight_conversion, or merge it and use the result (`mantissa extract` makes a LoRA of it)</source>
        <translation>{file}: init_lora_weights が {init} です。PEFT はアダプターの初期値をベースモデルの重みから差し引いており、その初期値はファイルに入っていません。学習した環境で path_initial_model_for_weight_conversion を付けて保存するか、マージしてその結果を使ってください(`mantissa extract` で LoRA を作れます)</translation>
    </message>
    <message>
        <source>{file}: model.merges holds {found}; pairs of symbols are expected</source>
        <translation>{file}: model.merges に {found} があります。シンボルの組が必要です</translation>
    </message>
    <message>
        <source>{file}: no step.0001.latents in it. Pass a file written with --trace</source>
        <translation>{file}: step.0001.latents がありません。--trace で書き出したファイルを指定してください</translation>
    </message>
    <message>
        <source>{file}: no tensor {tensor}; make the trace with a text encoder trained</source>
        <translation>{file}: テンソル {tensor} がありません。テキストエンコーダーを学習する設定でトレースを作り直してください</translation>
    </message>
    <message>
        <source>{file}: pad_token &apos;{token}&apos; is not in the vocabulary</source>
        <translation>{file}: pad_token「{token}」が語彙にありません</translation>
    </message>
    <message>
        <source>{file}: PEFT&apos;s {form} isn&apos;t read (LORA, LOHA and LOKR are). Merge it into its base model where it was made; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}: PEFT の {form} は読み込めません(LORA、LOHA、LOKR は読み込めます)。作成したプログラムでベースモデルにマージしてください。その結果から `mantissa extract` で LoRA を作れます</translation>
    </message>
    <message>
        <source>{file}: precompiled_charsmap is damaged; get the model&apos;s tokenizer folder again</source>
        <translation>{file}: precompiled_charsmap が壊れています。モデルのトークナイザーのフォルダーを入手し直してください</translation>
    </message>
    <message>
        <source>{file}: precompiled_charsmap must be base64</source>
        <translation>{file}: precompiled_charsmap は base64 でなければなりません</translation>
    </message>
    <message>
        <source>{file}: step {step} needs {timesteps} timesteps and {sizes} time_ids</source>
        <translation>{file}: ステップ {step} にはタイムステップが {timesteps} 個、time_ids が {sizes} 個必要です</translation>
    </message>
    <message>
        <source>{file}: tensor {tensor} should be {expected}, it is {found}</source>
        <translation>{file}: テンソル {tensor} は {expected} のはずです（実際: {found}）</translation>
    </message>
    <message>
        <source>{file}: text is split by {count} regular expressions; at most {most} are allowed</source>
        <translation>{file}: テキストを {count} 個の正規表現で分割しています。最大 {most} 個です</translation>
    </message>
    <message>
        <source>{file}: the added token &apos;{token}&apos; has the id {found}; expected: {expected}, its id in the vocabulary</source>
        <translation>{file}: 追加トークン「{token}」の ID は {found} ですが、語彙での ID である {expected} でなければなりません</translation>
    </message>
    <message>
        <source>{file}: the added token {found} has no text (content)</source>
        <translation>{file}: 追加トークン {found} にテキスト（content）がありません</translation>
    </message>
    <message>
        <source>{file}: the file holds no LoRA</source>
        <translation>{file}: LoRA が入っていません</translation>
    </message>
    <message>
        <source>{file}: the id of token &apos;{token}&apos; is {found}; a whole number below {most} is expected</source>
        <translation>{file}: トークン「{token}」の ID が {found} です。{most} 未満の整数が必要です</translation>
    </message>
    <message>
        <source>{file}: the key &apos;{key}&apos; appears twice</source>
        <translation>{file}: キー「{key}」が 2 回あります</translation>
    </message>
    <message>
        <source>{file}: the merge &apos;{merge}&apos; appears twice</source>
        <translation>{file}: マージ「{merge}」が 2 回あります</translation>
    </message>
    <message>
        <source>{file}: the merge &apos;{merge}&apos; uses a token that the vocabulary lacks; the tokenizer&apos;s files don&apos;t belong together</source>
        <translation>{file}: マージ「{merge}」に、語彙にないトークンがあります。トークナイザーのファイルの組み合わせが正しくありません</translation>
    </message>
    <message>
        <source>{file}: the normalizer &apos;{found}&apos; is not one of T5&apos;s (Precompiled, Strip, Replace); put the model&apos;s own tokenizer folder there</source>
        <translation>{file}: normalizer「{found}」は T5 のもの（Precompiled、Strip、Replace）ではありません。モデル自身のトークナイザーのフォルダーを置いてください</translation>
    </message>
    <message>
        <source>{file}: the padding token &apos;{token}&apos; is not in the vocabulary</source>
        <translation>{file}: パディングトークン「{token}」が語彙にありません</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; can&apos;t split a text of {bytes} bytes: {reason}</source>
        <translation>{file}: 正規表現「{expression}」では {bytes} バイトのテキストを分割できません: {reason}</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; has &apos;{found}&apos; at byte {position}, which is not supported; expected are characters, classes, \p{L} and the other general categories, \s, \d, \r, \n, \t, groups, (?i:…) with ASCII text, lookarounds and repetitions</source>
        <translation>{file}: 正規表現「{expression}」の {position} バイト目にある「{found}」には対応していません。使えるのは、文字、文字クラス、\p{L} などの一般カテゴリー、\s、\d、\r、\n、\t、グループ、ASCII だけの (?i:…)、先読みと後読み、繰り返しです</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; is invalid: {reason}</source>
        <translation>{file}: 正規表現「{expression}」が正しくありません: {reason}</translation>
    </message>
    <message>
        <source>{file}: the shard name &apos;{name}&apos; is not the name of a .safetensors file in the same folder</source>
        <translation>{file}: シャード名「{name}」が、同じフォルダーにある .safetensors ファイルの名前ではありません</translation>
    </message>
    <message>
        <source>{file}: the shard of &apos;{tensor}&apos; must be a file name</source>
        <translation>{file}: 「{tensor}」のシャードはファイル名でなければなりません</translation>
    </message>
    <message>
        <source>{file}: the tokens &apos;{first}&apos; and &apos;{second}&apos; have the same id {id}</source>
        <translation>{file}: トークン「{first}」と「{second}」の ID が同じ {id} です</translation>
    </message>
    <message>
        <source>{file}: the vocabulary lacks &apos;{symbol}&apos;, the symbol of byte {byte}; a byte-level vocabulary has all 256</source>
        <translation>{file}: 語彙に、バイト {byte} のシンボル「{symbol}」がありません。バイトレベルの語彙には 256 個すべてが必要です</translation>
    </message>
    <message>
        <source>{file}: the vocabulary lacks &lt;|startoftext|&gt; or &lt;|endoftext|&gt;; it is no CLIP tokenizer</source>
        <translation>{file}: 語彙に &lt;|startoftext|&gt; か &lt;|endoftext|&gt; がありません。CLIP のトークナイザーではありません</translation>
    </message>
    <message>
        <source>{file}: the vocabulary must be an object of token to id</source>
        <translation>{file}: 語彙は、トークンを ID に対応させるオブジェクトでなければなりません</translation>
    </message>
    <message>
        <source>{file}: training.method is full; merge the adapter into the base model first (`mantissa merge`)</source>
        <translation>{file}: training.method が full です。先にアダプターをベースモデルにマージしてください（`mantissa merge`）</translation>
    </message>
    <message>
        <source>{file}: {field} is {found}; expected: {expected}</source>
        <translation>{file}: {field} は {found} ですが、{expected} でなければなりません</translation>
    </message>
    <message>
        <source>{file}: {missing} of {all} trained modules aren&apos;t in it and start fresh</source>
        <translation>{file}: 学習する {all} 個のモジュールのうち {missing} 個は含まれておらず、初期状態から始めます</translation>
    </message>
    <message>
        <source>{file}: {module} has down {down} and up {up}; expected [rank, in] and [out, rank]</source>
        <translation>{file}: {module} の down は {down}、up は {up} ですが、[rank, in] と [out, rank] のはずです</translation>
    </message>
    <message>
        <source>{file}: {module} has its magnitudes per {given}, but adapter.dora_axis is {wanted}. Set it to {given}</source>
        <translation>{file}: {module} の大きさは {given} ごとですが、adapter.dora_axis は {wanted} です。{given} にしてください</translation>
    </message>
    <message>
        <source>{file}: {module} has no down matrix; the file is incomplete</source>
        <translation>{file}: {module} に down 行列がありません。ファイルが不完全です</translation>
    </message>
    <message>
        <source>{file}: {module} has no up matrix; the file is incomplete</source>
        <translation>{file}: {module} に up 行列がありません。ファイルが不完全です</translation>
    </message>
    <message>
        <source>{file}: {module} has no {tensor}; the file is incomplete</source>
        <translation>{file}: {module} に {tensor} がありません。ファイルが不完全です</translation>
    </message>
    <message>
        <source>{file}: {module} has {tensor} of shape {shape}; expected a matrix</source>
        <translation>{file}: {module} の {tensor} の形状は {shape} ですが、行列でなければなりません</translation>
    </message>
    <message>
        <source>{file}: {module} has {tensor} {shape} and {other} {other_shape}, which don&apos;t fit each other</source>
        <translation>{file}: {module} の {tensor} {shape} と {other} {other_shape} が合いません</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first (`mantissa convert --format plain_lora`)</source>
        <translation>{file}: {module} は DoRA ですが、adapter.type は lora です。adapter.type を dora にするか、先に通常の LoRA にしてください（`mantissa convert --format plain_lora`）</translation>
    </message>
    <message>
        <source>{file}: {module} has magnitudes, and adapter.decompose is off. Turn it on, or write the file as plain LoRA first (`mantissa convert --format plain_lora`)</source>
        <translation>{file}: {module} にはマグニチュードがありますが、adapter.decompose が無効です。有効にするか、先にファイルを通常の LoRA にしてください（`mantissa convert --format plain_lora`）</translation>
    </message>
    <message>
        <source>{file}: {module} is adapted there, but not trained here. Widen adapter.targets (or add the part to training.parts) so that nothing of the adapter is lost</source>
        <translation>{file}: {module} が含まれていますが、ここでは学習しません。アダプターの内容が失われないように、adapter.targets を広げるか、その部分を training.parts に加えてください</translation>
    </message>
    <message>
        <source>{file}: {module} is for a weight {given}, but the base model&apos;s is {wanted}. Was it made for another base model?</source>
        <translation>{file}: {module} は重み {given} 用ですが、ベースモデルのものは {wanted} です。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>{file}: {role} is &apos;{found}&apos;; CLIP&apos;s is &apos;{expected}&apos;, and no other is supported</source>
        <translation>{file}: {role} が「{found}」です。CLIP では「{expected}」で、ほかのものには対応していません</translation>
    </message>
    <message>
        <source>{file}: {tensor} adapts a module that the base model lacks. Was the file made for another base model?</source>
        <translation>{file}: {tensor} が変えるモジュールがベースモデルにありません。別のベースモデル用のファイルではありませんか？</translation>
    </message>
    <message>
        <source>{file}: {tensor} adapts a module that the denoiser lacks; a text encoder&apos;s PEFT adapter must lie in a folder text_encoder or text_encoder_2. Was the file made for another base model?</source>
        <translation>{file}: {tensor} が変えるモジュールがデノイザーにありません。テキストエンコーダーの PEFT アダプターは、フォルダー text_encoder か text_encoder_2 に置かなければなりません。別のベースモデル用のファイルではありませんか？</translation>
    </message>
    <message>
        <source>{file}: {tensor} and {other} name the same tensor</source>
        <translation>{file}: {tensor} と {other} が同じテンソルを指しています</translation>
    </message>
    <message>
        <source>{file}: {tensor} has type {type}; a LoRA holds floating-point tensors</source>
        <translation>{file}: {tensor} の型は {type} ですが、LoRA のテンソルは浮動小数点型でなければなりません</translation>
    </message>
    <message>
        <source>{file}: {tensor} has {count} values, which is no multiple of the batch of {batch}</source>
        <translation>{file}: {tensor} の値は {count} 個で、バッチ {batch} の倍数ではありません</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, but the file says its magnitudes are per {axis}, {count} of them</source>
        <translation>{file}: {tensor} は {shape} ですが、ファイルではマグニチュードが {axis} ごとで {count} 個とされています</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, which fits neither the outputs nor the inputs of a weight [{outputs}, {inputs}, …]</source>
        <translation>{file}: {tensor} は {shape} で、重み [{outputs}, {inputs}, …] の出力にも入力にも合いません</translation>
    </message>
    <message>
        <source>{file}: {tensor} is {shape}, which may be per output or per input, and nothing in the file tells. Which program made it? Answer with --dora-axis output (PEFT, LyCORIS) or --dora-axis input (OneTrainer&apos;s default)</source>
        <translation>{file}: {tensor} は {shape} で、出力ごととも入力ごとともとれ、ファイルからは分かりません。どのプログラムで作ったものですか？ --dora-axis output（PEFT、LyCORIS）か --dora-axis input（OneTrainer の既定）で指定してください</translation>
    </message>
    <message>
        <source>{file}: {tensor} must be one number</source>
        <translation>{file}: {tensor} は 1 つの数値でなければなりません</translation>
    </message>
    <message>
        <source>{file}: {tensor} should be [batch, channels, height, width], it is {shape}</source>
        <translation>{file}: {tensor} は [batch, channels, height, width] のはずですが、{shape} です</translation>
    </message>
    <message>
        <source>{file}: {tensor} should have the shape of the latents, {shape}</source>
        <translation>{file}: {tensor} の形状は latent と同じ {shape} のはずです</translation>
    </message>
    <message>
        <source>{file}: {tensor} should have {count} values</source>
        <translation>{file}: {tensor} の値は {count} 個のはずです</translation>
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
        <source>{folder} is the folder that the run is in; choose another</source>
        <translation>{folder} は現在の出力フォルダーです。別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>{folder}: the checkpoints and the result of this run take up to {need}, {free} are free. Make room there, lower output.keep, or choose another folder</source>
        <translation>{folder}: この学習のチェックポイントと学習結果は最大 {need} を使いますが、空きは {free} です。空きを作るか、output.keep を下げるか、別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>{folder}: there is an intact checkpoint, {checkpoint}. Leave out --start-over to continue from it</source>
        <translation>{folder}: 無事なチェックポイント {checkpoint} があります。そこから続けるには --start-over を外してください</translation>
    </message>
    <message>
        <source>{folder}: there is no checkpoint to set aside. Leave --start-over away: the run begins at step 0</source>
        <translation>{folder}: よけるチェックポイントがありません。--start-over を外してください。学習はステップ 0 から始まります</translation>
    </message>
    <message>
        <source>{id}: {message} Fix: {fix}</source>
        <translation>{id}: {message} 対処: {fix}</translation>
    </message>
    <message>
        <source>{id}: {message} Fix: {fix} {patch}</source>
        <translation>{id}: {message} 対処: {fix} {patch}</translation>
    </message>
    <message>
        <source>{images} of {all} images have a mask; the others count everywhere</source>
        <translation>{all} 枚のうち {images} 枚にマスクがあります。ほかの画像は全体が対象です</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each part one entry</source>
        <translation>{key} の「{value}」にはすでに項目があります。各部分に 1 つだけにしてください</translation>
    </message>
    <message>
        <source>{key} is given twice, first on line {line}; keep one</source>
        <translation>{key} が 2 回あります（最初は {line} 行目）。1 つだけ残してください</translation>
    </message>
    <message>
        <source>{key} is not a known key; did you mean {near}?</source>
        <translation>{key} は未知のキーです。{near} のことですか？</translation>
    </message>
    <message>
        <source>{key} is not a known key; the keys here are {keys}</source>
        <translation>{key} は未知のキーです。ここで使えるキーは {keys} です</translation>
    </message>
    <message>
        <source>{key} is not a setting; `mantissa train --help` lists them all</source>
        <translation>{key} という設定はありません。すべての設定は `mantissa train --help` に出ます</translation>
    </message>
    <message>
        <source>{key} is not a setting; did you mean {near}?</source>
        <translation>{key} という設定はありません。{near} のことですか？</translation>
    </message>
    <message>
        <source>{key} is not an object; it holds settings such as {example}</source>
        <translation>{key} がオブジェクトではありません。{example} のような設定が入ります</translation>
    </message>
    <message>
        <source>{key} is {value}, which is listed twice; list each part once</source>
        <translation>{key} の {value} は重複しています。各部分は 1 度だけ並べてください</translation>
    </message>
    <message>
        <source>{key} is {value}, which {reason}</source>
        <translation>{key} の {value} は{reason}</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be a multiple of 8</source>
        <translation>{key} は {value} ですが、8 の倍数でなければなりません</translation>
    </message>
    <message>
        <source>{key} is {value}; it must be {expected}</source>
        <translation>{key} は {value} ですが、{expected}でなければなりません</translation>
    </message>
    <message>
        <source>{key} lacks &quot;{member}&quot;: {help}</source>
        <translation>{key} に「{member}」がありません: {help}</translation>
    </message>
    <message>
        <source>{key}: {before} -&gt; {after} after step {step}</source>
        <translation>ステップ {step} の後 {key}: {before} -&gt; {after}</translation>
    </message>
    <message>
        <source>{layer} ({op}, {phase}): {bad} of {count} values of its {tensor} ({format}) are not finite.{before}</source>
        <translation>{layer}（{op}、{phase}）: {tensor}（{format}）の {count} 個の値のうち {bad} 個が有限ではありません。{before}</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or lower data.resolution</source>
        <translation>{message}。カードを使うほかのプログラムを閉じるか、data.resolution を下げてください</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or turn on training.gradient_checkpointing</source>
        <translation>{message}。GPU を使っているほかのプログラムを閉じるか、training.gradient_checkpointing をオンにしてください</translation>
    </message>
    <message>
        <source>{message}. Close other programs that use the card, or set training.checkpointing_scope to blocks</source>
        <translation>{message}。GPU を使っているほかのプログラムを閉じるか、training.checkpointing_scope を blocks にしてください</translation>
    </message>
    <message>
        <source>{message}. Last good checkpoint: {file}</source>
        <translation>{message}。最後の正常なチェックポイント: {file}</translation>
    </message>
    <message>
        <source>{module}: a DoRA becomes plain LoRA only beside its base model&apos;s weights; set output.format to kohya or diffusers</source>
        <translation>{module}: DoRA を通常の LoRA にするにはベースモデルの重みが必要です。output.format を kohya か diffusers にしてください</translation>
    </message>
    <message>
        <source>{module}: PEFT knows DoRA per output only; set output.format to plain_lora</source>
        <translation>{module}: PEFT は出力ごとの DoRA しか扱えません。output.format を plain_lora にしてください</translation>
    </message>
    <message>
        <source>{module}: PEFT's {form} has no magnitudes; set output.format to kohya or plain_lora</source>
        <translation>{module}: PEFT の {form} にはマグニチュードがありません。output.format を kohya または plain_lora にしてください</translation>
    </message>
    <message>
        <source>ComfyUI divides magnitudes per output by the norm of the base weight alone and doesn't render this file as trained{advice}</source>
        <translation>ComfyUI は出力ごとのマグニチュードをベースの重みだけのノルムで割るため、このファイルを学習どおりに描画しません{advice}</translation>
    </message>
    <message>
        <source>LyCORIS loads files with magnitudes per output only, and this file's are per input{advice}</source>
        <translation>LyCORIS が読み込めるのは出力ごとのマグニチュードだけですが、このファイルは入力ごとです{advice}</translation>
    </message>
    <message>
        <source>{file}: the regular expression &apos;{expression}&apos; takes too many steps on &apos;{name}&apos;; write it without nested repetitions</source>
        <translation>{file}: 正規表現「{expression}」は「{name}」の照合に手数がかかりすぎます。入れ子の繰り返しを使わずに書いてください</translation>
    </message>
    <message>
        <source>{file}: {count} of {all} values of {tensor} are NaN/Inf, so the file is damaged or was saved by a run that had diverged. Get it again, or use an earlier save of it</source>
        <translation>{file}: {tensor} の {all} 個の値のうち {count} 個が NaN/Inf です。ファイルが壊れているか、発散した学習で保存されたものです。入手し直すか、それより前に保存されたものを使ってください</translation>
    </message>
    <message>
        <source>{file}: {tensor} belongs to an adapter of the form {form}, which isn&apos;t read (LoRA, DoRA, LoCon, LoHa, LoKr and whole differences are). Merge it into its base model where it was made; `mantissa extract` makes a LoRA of the result</source>
        <translation>{file}: {tensor} は {form} 形式のアダプターのものです。この形式は読み込めません(LoRA、DoRA、LoCon、LoHa、LoKr と重み全体の差分は読み込めます)。作成したプログラムでベースモデルにマージしてください。その結果から `mantissa extract` で LoRA を作れます</translation>
    </message>
    <message>
        <source>{file}: {tensor} changes {weight}, which the base model lacks: the layer has none. Was the file made for another base model? Otherwise train it without biases where it was made</source>
        <translation>{file}: {tensor} は {weight} を変更しますが、ベースモデルのこの層にはそれがありません。別のベースモデル用のファイルではありませんか。そうでなければ、作成したプログラムでバイアスなしで学習し直してください</translation>
    </message>
    <message>
        <source>{file}: {tensor} holds {count} values for {weight}, which has {wanted}. Was the file made for another base model?</source>
        <translation>{file}: {tensor} には {weight} に対する値が {count} 個ありますが、必要なのは {wanted} 個です。別のベースモデル用のファイルではありませんか</translation>
    </message>
    <message>
        <source>{file}: {tensor} is a weight of a whole model, not an adapter&apos;s. `mantissa extract` makes a LoRA of what a tuned model has that its base hasn&apos;t</source>
        <translation>{file}: {tensor} はアダプターではなくモデル全体の重みです。追加学習したモデルとベースモデルの差からは `mantissa extract` で LoRA を作れます</translation>
    </message>
    <message>
        <source>{file}: {tensor} is an embedding (textual inversion) beside the adapter, which isn&apos;t applied: words that stand for it would mean nothing. Save the adapter without embeddings where it was made</source>
        <translation>{file}: {tensor} はアダプターと一緒に保存された埋め込み(Textual Inversion)で、適用されません。それを表す単語は意味を持たなくなります。作成したプログラムで埋め込みなしのアダプターを保存してください</translation>
    </message>
    <message>
        <source>{file}: {tensor} is no tensor of a LoRA, DoRA, LoHa, LoKr or whole difference, so what it does isn&apos;t known. Save the adapter without it where it was made</source>
        <translation>{file}: {tensor} は LoRA、DoRA、LoHa、LoKr、重み全体の差分のいずれのテンソルでもなく、その働きが分かりません。作成したプログラムでこれを含まないアダプターを保存してください</translation>
    </message>
    <message>
        <source>{file}: {tensor} is of the adapter {name}, other tensors are of {other}. Save one of them alone where the file was made</source>
        <translation>{file}: {tensor} はアダプター {name} のものですが、ほかのテンソルは {other} のものです。作成したプログラムでどちらか一方だけを保存してください</translation>
    </message>
    <message>
        <source>{module}: the adapter is for a weight of {rows} by {columns}; the base model&apos;s holds {count} values. Was it made for another base model?</source>
        <translation>{module}: アダプターは {rows} x {columns} の重み用ですが、ベースモデルのものは値が {count} 個です。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>{module}: the DoRA holds {count} magnitudes for {channels} channels</source>
        <translation>{module}: DoRA のマグニチュードは {count} 個ですが、チャンネルは {channels} 個です</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA instead.</source>
        <translation>{name} には対応していません。代わりに LoRA にしました。</translation>
    </message>
    <message>
        <source>{name} is not offered here: a LoRA of the same rank instead.</source>
        <translation>{name} には対応していません。代わりに同じランクの LoRA にしました。</translation>
    </message>
    <message>
        <source>Only older versions use it, at half this scale; newer ones use the squared error.</source>
        <translation>古いバージョンだけが、この損失の半分として読み取ります。新しいバージョンは二乗誤差です。</translation>
    </message>
    <message>
        <source>PyTorch&apos;s function there; here its smooth form, which is twice as large.</source>
        <translation>元のプログラムでは PyTorch の関数です。Mantissa ではその滑らかな形で、値は 2 倍です。</translation>
    </message>
    <message>
        <source>{name} is not offered here: the smallest type that is.</source>
        <translation>{name} には対応していません。対応している最も小さい型にしました。</translation>
    </message>
    <message>
        <source>{name} is not offered here: {other} instead.</source>
        <translation>{name} には対応していません。代わりに {other} にしました。</translation>
    </message>
    <message>
        <source>{optimizer} finds one rate from all weights, which a run whose layers are split over cards has on several. Set optimizer.type to adamw</source>
        <translation>{optimizer} はすべての重みから 1 つの学習率を求めますが、層を複数のカードに分けた学習では重みも複数のカードにあります。optimizer.type を adamw にしてください</translation>
    </message>
    <message>
        <source>{optimizer} finds the learning rate by itself: leave it at 1. There is nothing to test</source>
        <translation>{optimizer} は学習率を自分で求めます。1 のままにしてください。テストするものはありません</translation>
    </message>
    <message>
        <source>{option} is for training a denoiser; leave it out where training.parts is vae</source>
        <translation>{option} はデノイザーの学習のためのものです。training.parts が vae のときは外してください</translation>
    </message>
    <message>
        <source>{part} (a folder of the original model)</source>
        <translation>{part}（元のモデルのフォルダー）</translation>
    </message>
    <message>
        <source>{part} (no file fits)</source>
        <translation>{part}（合うファイルなし）</translation>
    </message>
    <message>
        <source>{part} ({count} files fit: {files})</source>
        <translation>{part}（合うファイルが {count} 個: {files}）</translation>
    </message>
    <message>
        <source>{part} weight &apos;{weight}&apos;</source>
        <translation>{part} の重み「{weight}」</translation>
    </message>
    <message>
        <source>{path} ({model}) has the {part} weight &apos;{weight}&apos;, which {other} ({other_model}) lacks: they have different networks, and an adapter can&apos;t hold that. Give the model that the tuned one was made from</source>
        <translation>{path}（{model}）にある {part} の重み「{weight}」が {other}（{other_model}）にありません。ネットワークが異なり、その差はアダプターでは表せません。学習元のモデルを指定してください</translation>
    </message>
    <message>
        <source>{path} and {other} differ in the {part} weight &apos;{weight}&apos;; are they of one architecture?</source>
        <translation>{path} と {other} は {part} の重み「{weight}」が違います。同じアーキテクチャのものですか？</translation>
    </message>
    <message>
        <source>{path} exists already; pass --overwrite to replace it, or choose another path</source>
        <translation>{path} はすでに存在し、学習が作ったものではありません。別のフォルダーを選ぶか、先に移動してください</translation>
    </message>
    <message>
        <source>{path} exists already; turn on --overwrite to replace it, or choose another path</source>
        <translation>{path} はすでに存在します。--overwrite を有効にして置き換えるか、別のパスを選んでください</translation>
    </message>
    <message>
        <source>{path} has no {part}/config.json, which a new model needs</source>
        <translation>{path} に、新しいモデルに必要な {part}/config.json がありません</translation>
    </message>
    <message>
        <source>{path} has no config.json of a denoiser of which new models can be made: {families}</source>
        <translation>{path} に、新しいモデルを作れるデノイザーの config.json がありません。対応しているのは {families} です</translation>
    </message>
    <message>
        <source>{path} holds several sets of shards without an index ({files}); keep one</source>
        <translation>{path} にはインデックスのないシャードの組が複数あります ({files})。1 組だけ残してください</translation>
    </message>
    <message>
        <source>{path} holds {count} of {all} shards and no index: {files} is missing; get the model again</source>
        <translation>{path} にはシャード {all} 個のうち {count} 個しかなく、インデックスもありません。{files} がありません。モデルを入手し直してください</translation>
    </message>
    <message>
        <source>{path} is a checkpoint outside its run's folder and can't be continued as a run. Move it to `checkpoints` of that folder, or begin a new run with its adapter (--continue-from)</source>
        <translation>{path} は学習フォルダーの外にあるチェックポイントで、学習として続けられません。そのフォルダーの `checkpoints` に移すか、そのアダプターから新しい学習を始めてください（--continue-from）</translation>
    </message>
    <message>
        <source>{path} is a checkpoint, not a run. Pass its run, {run}, which continues from the newest checkpoint, or begin a new run with the adapter of this one (--continue-from)</source>
        <translation>{path} はチェックポイントで、学習ではありません。最新のチェックポイントから続ける学習 {run} を指定するか、このアダプターから新しい学習を始めてください（--continue-from）</translation>
    </message>
    <message>
        <source>{path} is a folder of PEFT&apos;s, which PeftModel.from_pretrained loads; other programs read single files. Convert on the Tools page writes one</source>
        <translation>{path} は PEFT のフォルダーで、PeftModel.from_pretrained で読み込むものです。ほかのプログラムは単一のファイルを読みます。ツールの「変換」で書き出せます</translation>
    </message>
    <message>
        <source>{path} is a folder that is not empty; turn on --overwrite to replace files in it, or choose another path</source>
        <translation>{path} は空ではないフォルダーです。--overwrite を有効にして中のファイルを置き換えるか、別のパスを選んでください</translation>
    </message>
    <message>
        <source>{path} is a model of {family}, of which no new ones can be made</source>
        <translation>{path} は {family} のモデルです。このファミリーの新しいモデルは作れません</translation>
    </message>
    <message>
        <source>{path} holds a model of the family {family}, but model.family says {wanted}; set it to auto, or give the base it is for</source>
        <translation>{path} のモデルは {family} ですが、model.family は {wanted} です。auto にするか、対応するベースモデルを指定してください</translation>
    </message>
    <message>
        <source>{path} holds a run already. Continue it (--resume), or choose another folder (--out)</source>
        <translation>{path} にはすでに学習があります。その続きを行うか（--resume）、別のフォルダーを選んでください（--out）</translation>
    </message>
    <message>
        <source>{path} holds neither vocab.json with merges.txt nor tokenizer.json; get the model&apos;s tokenizer folder again</source>
        <translation>{path} に vocab.json と merges.txt の組も tokenizer.json もありません。モデルのトークナイザーのフォルダーを入手し直してください</translation>
    </message>
    <message>
        <source>{path} holds no .safetensors file; the model is incomplete, get it again</source>
        <translation>{path} に .safetensors ファイルがありません。モデルが不完全なので、入手し直してください</translation>
    </message>
    <message>
        <source>{path} holds no VAE; give a complete base model</source>
        <translation>{path} に VAE がありません。完全なベースモデルを指定してください</translation>
    </message>
    <message>
        <source>{path} holds no {part}; use a complete base model, or list the files of its parts: with `mantissa base`, or &quot;Separate files…&quot; in the studio</source>
        <translation>{path} に {part} がありません。完全なベースモデルを使うか、各部分のファイルを指定してください（`mantissa base`、またはスタジオの「個別のファイル…」）</translation>
    </message>
    <message>
        <source>{path} holds only pickle weights ({file}), which can run any program when opened and are never read; get the .safetensors version or convert them</source>
        <translation>{path} には pickle の重み（{file}）しかありません。開くと任意のプログラムが動きうるため読み込みません。.safetensors 版を入手するか、変換してください</translation>
    </message>
    <message>
        <source>{path} holds several weight files ({files}); keep one</source>
        <translation>{path} に重みのファイルが複数あります（{files}）。1 つだけ残してください</translation>
    </message>
    <message>
        <source>{path} is a file; give the folder that holds the images</source>
        <translation>{path} はファイルです。画像があるフォルダーを指定してください</translation>
    </message>
    <message>
        <source>{path} is a folder that is not empty; pass --overwrite to replace files in it, or choose another path</source>
        <translation>{path} は空ではないフォルダーです。別のフォルダーを選ぶか、先に空にしてください</translation>
    </message>
    <message>
        <source>{path} is also {place}</source>
        <translation>{path} は{place}</translation>
    </message>
    <message>
        <source>{path} is no diffusers model: it has neither unet/, transformer/ nor vae/; pass a diffusers folder or one .safetensors checkpoint</source>
        <translation>{path} は diffusers モデルではありません。unet/、transformer/、vae/ のいずれもありません。diffusers フォルダーか .safetensors チェックポイントを指定してください</translation>
    </message>
    <message>
        <source>{path} lists &apos;{file}&apos; as its {part}, but that file holds no {part} of {family}; list the right one: with `mantissa base`, or &quot;Separate files…&quot; in the studio</source>
        <translation>{path} は「{file}」を {part} として挙げていますが、このファイルに {family} の {part} はありません。正しいファイルを指定してください（`mantissa base`、またはスタジオの「個別のファイル…」）</translation>
    </message>
    <message>
        <source>{path} names no {folder}, a folder of the original model that its files don&apos;t replace; list it with `mantissa base`, or &quot;Separate files…&quot; in the studio</source>
        <translation>{path} には {folder} が指定されていません。これは元のモデルのフォルダーで、モデルのファイルでは代用できません。`mantissa base`、またはスタジオの「個別のファイル…」で指定してください</translation>
    </message>
    <message>
        <source>{path} skipped: {reason}</source>
        <translation>{path} をスキップしました: {reason}</translation>
    </message>
    <message>
        <source>{path}: a checkpoint needs {need}, {free} are free. Make room there; earlier checkpoints are untouched</source>
        <translation>{path}: チェックポイントに {need} 必要ですが、空きは {free} です。空きを作ってください。以前のチェックポイントはそのままです</translation>
    </message>
    <message>
        <source>{path}: a reference of {width}x{height} pixels is smaller than the {least} that each side needs</source>
        <translation>{path}: {width}x{height} ピクセルの参照は、各辺に必要な {least} より小さいです</translation>
    </message>
    <message>
        <source>{path}: a run uses this cache now; prune it when the run has ended</source>
        <translation>{path}: 学習がこのキャッシュを使用中です。学習が終わってから整理してください</translation>
    </message>
    <message>
        <source>{path}: another program prunes this cache now; wait for its end</source>
        <translation>{path}: 別のプログラムがこのキャッシュを整理中です。終わるまでお待ちください</translation>
    </message>
    <message>
        <source>{path}: hidden state {state} is needed, but the text encoder has {layers} layers; use the text encoder of this model</source>
        <translation>{path}: 隠れ状態 {state} が必要ですが、テキストエンコーダーの層は {layers} 個です。このモデルのテキストエンコーダーを使ってください</translation>
    </message>
    <message>
        <source>{path}: models of the family {family} are written as a diffusers folder; give a name without .safetensors</source>
        <translation>{path}: {family} 系列のモデルは diffusers のフォルダーとして書き込まれます。.safetensors の付かない名前を指定してください</translation>
    </message>
    <message>
        <source>{path}: no such base model. Pass a .safetensors or .gguf file or a diffusers folder</source>
        <translation>{path}: このベースモデルはありません。.safetensors か .gguf のファイル、または diffusers フォルダーを指定してください</translation>
    </message>
    <message>
        <source>{path}: no such folder of images</source>
        <translation>{path}: この画像フォルダーはありません</translation>
    </message>
    <message>
        <source>{path}: no such folder of images. If it was moved, pass its new path ({option})</source>
        <translation>{path}: この画像フォルダーはありません。移動した場合は、新しいパスを指定してください（{option}）</translation>
    </message>
    <message>
        <source>{path}: no such folder or list of reference images</source>
        <translation>{path}: その参照画像フォルダーまたはリストはありません</translation>
    </message>
    <message>
        <source>{path}: no such run. Pass a run folder (it holds job.json) or an id of `mantissa runs list`</source>
        <translation>{path}: この学習はありません。job.json がある学習フォルダーか、`mantissa runs list` の ID を指定してください</translation>
    </message>
    <message>
        <source>{path}: nothing can be written there: {reason}. Choose another folder (--out), or allow it</source>
        <translation>{path}: ここには書き込めません: {reason}。別のフォルダー（--out）を選ぶか、書き込みを許可してください</translation>
    </message>
    <message>
        <source>{path}: one DoRA scales this weight&apos;s outputs and another its inputs; they can&apos;t be applied together. Merge one of them into the base model first</source>
        <translation>{path}: この重みの出力をスケーリングする DoRA と、入力をスケーリングする DoRA があり、同時には適用できません。先にどちらかをベースモデルにマージしてください</translation>
    </message>
    <message>
        <source>{path}: the DoRA holds {count} magnitudes, but the model&apos;s weight {shape} has {channels} channels on that axis</source>
        <translation>{path}: DoRA のマグニチュードは {count} 個ですが、モデルの重み {shape} のその軸のチャンネルは {channels} 個です</translation>
    </message>
    <message>
        <source>{path}: the checkpoint holds no adapter that can be loaded</source>
        <translation>{path}: このチェックポイントには読み込めるアダプターがありません</translation>
    </message>
    <message>
        <source>{path}: the folder holds no {file}, neither itself nor in unet, text_encoder or text_encoder_2; give one .safetensors adapter, or a folder that PEFT wrote</source>
        <translation>{path}: {file} が、このフォルダーにも unet、text_encoder、text_encoder_2 にもありません。.safetensors のアダプターか、PEFT が書いたフォルダーを指定してください</translation>
    </message>
    <message>
        <source>{path}: the folder of images is empty</source>
        <translation>{path}: 画像フォルダーが空です</translation>
    </message>
    <message>
        <source>{path}: the images or captions have changed since this checkpoint, so the run can&apos;t continue exactly. Restore them, or start a new run</source>
        <translation>{path}: このチェックポイントの後に画像かキャプションが変わったため、正確には続けられません。元に戻すか、新しい学習を始めてください</translation>
    </message>
    <message>
        <source>{path}: the LoRA adapts this module, but the base model has none of that name. Was it made for another base model?</source>
        <translation>{path}: LoRA はこのモジュールを変えますが、ベースモデルに同じ名前のものがありません。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>{path}: the LoRA has down {down} and up {up}, but the model&apos;s weight is {shape}. Was it made for another base model?</source>
        <translation>{path}: LoRA の down は {down}、up は {up} ですが、モデルの重みは {shape} です。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>{path}: the run folder can&apos;t be made: {reason}. Choose another folder (--out)</source>
        <translation>{path}: 学習フォルダーを作れません: {reason}。別のフォルダーを選んでください（--out）</translation>
    </message>
    <message>
        <source>{path}: the run has written no adapter that can be loaded</source>
        <translation>{path}: この学習は読み込めるアダプターをまだ書き込んでいません</translation>
    </message>
    <message>
        <source>{path}: the run has {done} steps already and can&apos;t be shortened to {steps}. Set training.steps to {done} or more (training.epochs likewise), or start a new run</source>
        <translation>{path}: この学習はすでに {done} ステップを終えており、{steps} ステップに短縮できません。training.steps を {done} 以上にする（training.epochs も同様）か、新しい学習を始めてください</translation>
    </message>
    <message>
        <source>{path}: the run&apos;s training adapter is missing. Restore it, or choose it in its new place</source>
        <translation>{path}: この実行の学習用補助アダプターがありません。元に戻すか、新しい場所のものを選んでください</translation>
    </message>
    <message>
        <source>{path}: the second text encoder&apos;s pooled vector has {given} values, but the UNet takes {wanted}; are they parts of one model?</source>
        <translation>{path}: 2 つ目のテキストエンコーダーのプールしたベクトルの値は {given} 個ですが、UNet は {wanted} 個を受け取ります。同じモデルの部分ですか？</translation>
    </message>
    <message>
        <source>{path}: the text encoder gives {given} values a token, but the transformer takes {wanted}; are they parts of one model?</source>
        <translation>{path}: テキストエンコーダーは 1 トークンに {given} 個の値を出力しますが、transformer は {wanted} 個を受け取ります。同じモデルの部分ですか？</translation>
    </message>
    <message>
        <source>{path}: the text encoder has {count} layers; the transformer takes what layer {last} gives</source>
        <translation>{path}: テキストエンコーダーは {count} 層ですが、Transformer には第 {last} 層の出力が必要です</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: nothing tells mean and deviation of the vae&apos;s {channels} latent channels; use the VAE&apos;s diffusers folder, with its config.json</source>
        <translation>「{path}」: VAE の {channels} 個の latent チャンネルの平均と標準偏差がわかりません。config.json を含む VAE の diffusers フォルダーを使ってください</translation>
    </message>
    <message>
        <source>{path}: the text encoder gives {given} values a token, but the text conditioner takes {wanted}; are they parts of one model?</source>
        <translation>{path}: テキストエンコーダーは 1 トークンに {given} 個の値を出力しますが、テキストコンディショナーは {wanted} 個を受け取ります。同じモデルの部分ですか？</translation>
    </message>
    <message>
        <source>{path}: the text encoder gives {given} values a token, but the UNet takes {wanted}; are they parts of one model?</source>
        <translation>{path}: テキストエンコーダーは 1 トークンに {given} 個の値を出力しますが、UNet は {wanted} 個を受け取ります。同じモデルの部分ですか？</translation>
    </message>
    <message>
        <source>{path}: the text encoders give {given} values a token, but the UNet takes {wanted}; are they parts of one model?</source>
        <translation>{path}: 2 つのテキストエンコーダーは 1 トークンに {given} 個の値を出力しますが、UNet は {wanted} 個を受け取ります。同じモデルの部分ですか？</translation>
    </message>
    <message>
        <source>{path}: the transformer takes {wanted} channels, the vae makes latents of {given}; the two parts belong to different models</source>
        <translation>{path}: transformer は {wanted} チャンネルを受け取りますが、vae が作る latent は {given} チャンネルです。2 つの部分は別々のモデルのものです</translation>
    </message>
    <message>
        <source>{path}: the VAE can&apos;t be trained: its config sets {field}, and the scale of its latents is settled in quant_conv and post_quant_conv alone. Adapters can be trained on this model</source>
        <translation>{path}: この VAE は学習できません。設定に {field} がありますが、学習では latent のスケールを quant_conv と post_quant_conv だけで決めます。このモデルでアダプターは学習できます</translation>
    </message>
    <message>
        <source>{path}: there is no adapter to write</source>
        <translation>{path}: 書き出すアダプターがありません</translation>
    </message>
    <message>
        <source>{path}: this path is not UTF-8, so no run can refer to it; rename the folder</source>
        <translation>{path}: このパスは UTF-8 ではないため、学習から参照できません。フォルダーの名前を変更してください</translation>
    </message>
    <message>
        <source>{path}: training.parts names {part}, which this model doesn&apos;t have; take it out</source>
        <translation>{path}: training.parts に {part} がありますが、このモデルにはありません。外してください</translation>
    </message>
    <message>
        <source>{path}: {heads} heads don&apos;t divide the width {width}; check the number of heads in the config</source>
        <translation>{path}: ヘッド数 {heads} で幅 {width} を割り切れません。設定のヘッド数を確かめてください</translation>
    </message>
    <message>
        <source>{path}: {op} calls the host</source>
        <translation>{path}: {op} がホストを呼び出します</translation>
    </message>
    <message>
        <source>{images} images for prior preservation, {held} for validation</source>
        <translation>事前知識の保持用 {images} 枚、検証用 {held} 枚</translation>
    </message>
    <message>
        <source>1 batch per epoch</source>
        <translation>1 エポック 1 バッチ</translation>
    </message>
    <message>
        <source>1 file skipped</source>
        <translation>スキップしたファイル 1 件</translation>
    </message>
    <message>
        <source>1 image</source>
        <translation>画像 1 枚</translation>
    </message>
    <message>
        <source>{count} batches per epoch</source>
        <translation>1 エポック {count} バッチ</translation>
    </message>
    <message>
        <source>{count} files skipped</source>
        <translation>スキップしたファイル {count} 件</translation>
    </message>
    <message>
        <source>{count} images</source>
        <translation>画像 {count} 枚</translation>
    </message>
    <message>
        <source>{place} is longer than 1 MB; the line is passed over</source>
        <translation>{place} が 1 MB を超えています。この行は読み飛ばします</translation>
    </message>
    <message>
        <source>{place} isn&apos;t valid UTF-8 at byte {byte}; save it as UTF-8</source>
        <translation>{place} は {byte} バイト目が正しい UTF-8 ではありません。UTF-8 で保存してください</translation>
    </message>
    <message>
        <source>{place} names &quot;{file}&quot;, which isn&apos;t inside its folder; the line is passed over</source>
        <translation>{place} の「{file}」はそのフォルダーの中にありません。この行は使いません</translation>
    </message>
    <message>
        <source>{place} names {file} a second time; the later text is used</source>
        <translation>{place} で {file} がもう一度指定されています。後のテキストを使います</translation>
    </message>
    <message>
        <source>{place} names {file}, which isn&apos;t used with it</source>
        <translation>{place} にある {file} は使いません</translation>
    </message>
    <message>
        <source>{place} needs &quot;references&quot; with the path of an image, or a list of paths; the line is passed over</source>
        <translation>{place} には、画像のパスかパスのリストを値とする「references」が必要です。この行は飛ばします</translation>
    </message>
    <message>
        <source>{place} needs &quot;{name}&quot; with a text; the line is passed over</source>
        <translation>{place} には文字列の「{name}」が必要です。この行は使いません</translation>
    </message>
    <message>
        <source>{place}: the text {reason}; the line is passed over</source>
        <translation>{place}: テキストに問題があります（{reason}）。この行は使いません</translation>
    </message>
    <message>
        <source>{place}: this is a configuration of {program} ({key}), whose files are not read; create a preset and set its values by hand</source>
        <translation>{place}: {program} の設定 ({key}) です。このプログラムのファイルは読み込めません。プリセットを作成し、値を手動で設定してください</translation>
    </message>
    <message>
        <source>{place}: {family} ({key}) is not supported here; supported model families: {families}</source>
        <translation>{place}: {family} ({key}) には対応していません。対応するモデルファミリー: {families}</translation>
    </message>
    <message>
        <source>{place}: {job} ({key}) is not offered here; import a configuration that trains an adapter or the model&apos;s own weights</source>
        <translation>{place}: {job} ({key}) には対応していません。アダプター、またはモデル自身の重みを学習する設定をインポートしてください</translation>
    </message>
    <message>
        <source>{preset} is neither a file nor a built-in preset; did you mean {near}?</source>
        <translation>{preset} はファイルでも組み込みプリセットでもありません。{near} のことですか？</translation>
    </message>
    <message>
        <source>{preset} is neither a file nor a built-in preset; the built-in ones are missing from this installation</source>
        <translation>{preset} はファイルでも組み込みプリセットでもありません。このインストールには組み込みプリセットがありません</translation>
    </message>
    <message>
        <source>{preset} is neither a file nor a built-in preset; the built-in ones are {presets}</source>
        <translation>{preset} はファイルでも組み込みプリセットでもありません。組み込みプリセットは {presets} です</translation>
    </message>
    <message>
        <source>{process} can&apos;t be heard any more: it was stopped or ended, its machine is down, or the network between is. Resume starts the run again from its last checkpoint</source>
        <translation>{process} から応答がありません。停止または終了したか、そのマシンまたはネットワークが止まっています。「再開」で最後のチェックポイントから続けられます</translation>
    </message>
    <message>
        <source>{reason}. All files are in {folder}: close what uses them, and rename it to {target}</source>
        <translation>{reason}。ファイルはすべて {folder} にあります。使っているプログラムを閉じて、フォルダーの名前を {target} に変えてください</translation>
    </message>
    <message>
        <source>{reason}. It was kept as {file} and a new one was made; the run folders hold everything needed to resume</source>
        <translation>{reason}。{file} として残し、新しいものを作りました。再開に必要なものはすべて学習フォルダーにあります</translation>
    </message>
    <message>
        <source>{reason}. No checkpoint holds an intact copy of it, so the run can&apos;t be resumed</source>
        <translation>{reason}。無事な写しを持つチェックポイントがないため、学習を再開できません</translation>
    </message>
    <message>
        <source>{reason}. The new files that {target} lacks are in {folder}: close what uses the old ones, and move them there</source>
        <translation>{reason}。{target} にまだない新しいファイルは {folder} にあります。古いファイルを使っているプログラムを閉じて、そこへ移してください</translation>
    </message>
    <message>
        <source>{reason}. The settings of the newest checkpoint are used</source>
        <translation>{reason}。最新のチェックポイントの設定を使います</translation>
    </message>
    <message>
        <source>{refusal}. {way}</source>
        <translation>{refusal}。{way}</translation>
    </message>
    <message>
        <source>{run} can&apos;t be brought back to {folder}; it is still in the trash.</source>
        <translation>{run} を {folder} に戻せません。まだごみ箱にあります。</translation>
    </message>
    <message>
        <source>{run} is being trained now; stop it first, or wait for its end</source>
        <translation>{run} は学習中です。先に停止するか、終わるまで待ってください</translation>
    </message>
    <message>
        <source>{run}: {count} runs begin so, the newest of them {runs}. Give more of the id; `mantissa runs list` shows them</source>
        <translation>{run}: id がこれで始まる学習が {count} 件あります。最新は {runs} です。id をもっと長く指定してください。一覧は `mantissa runs list` で表示されます</translation>
    </message>
    <message>
        <source>{setting} is {clip_skip}, but the text encoder has {layers} layers. Set it to {layers} or less</source>
        <translation>{setting} は {clip_skip} ですが、テキストエンコーダーの層は {layers} 個です。{layers} 以下にしてください</translation>
    </message>
    <message>
        <source>{share}% of {size} pixels is cut away</source>
        <translation>{size} ピクセルの {share}% が切り取られます</translation>
    </message>
    <message>
        <source>{tensor} and {count} tensors like it are left out: a PEFT folder has no place for embeddings</source>
        <translation>{tensor} と同様のテンソル {count} 個は省かれます。PEFT のフォルダーには埋め込みを入れる場所がありません</translation>
    </message>
    <message>
        <source>{tensor} data ends at byte {end} of the data part, the file ends at {size} (it is cut off)</source>
        <translation>{tensor} データはデータ部の {end} バイト目までのはずですが、ファイルは {size} で終わっています（途中で切れています）</translation>
    </message>
    <message>
        <source>{tensor} has shape {shape}, but the model&apos;s config asks for {expected}. Is the config that of another model?</source>
        <translation>{tensor} の形状は {shape} ですが、モデルの設定では {expected} です。別のモデルの設定ではありませんか？</translation>
    </message>
    <message>
        <source>{tensor} has shape {shape}, but the model&apos;s config asks for {expected}. Is this an inpainting checkpoint?</source>
        <translation>{tensor} の形状は {shape} ですが、モデルの設定では {expected} です。インペインティング用のチェックポイントではありませんか？</translation>
    </message>
    <message>
        <source>{tensor} would be written with Inf/NaN: what it is made of is beyond what FP32 holds. Nothing was written</source>
        <translation>{tensor} が Inf/NaN を含んで書き出されるところでした。元の値が FP32 の範囲を超えています。何も書き出していません</translation>
    </message>
    <message>
        <source>{tensor}: expected {shape}, got {count} values; is adapter.rank the same?</source>
        <translation>{tensor}: {shape} のはずですが、値が {count} 個です。adapter.rank は同じですか？</translation>
    </message>
    <message>
        <source>{tensor}: missing in the values to load; are adapter.targets and training.parts those they were saved with?</source>
        <translation>{tensor}: 読み込む値の中にありません。adapter.targets と training.parts は保存したときと同じですか？</translation>
    </message>
    <message>
        <source>{tensor}: q, k and v must be there all three, in one type, to be written as one tensor</source>
        <translation>{tensor}: 1 つのテンソルとして書き出すには、q、k、v の 3 つがそろい、型が同じでなければなりません</translation>
    </message>
    <message>
        <source>{tensor}: the model has no adapter tensor of that name; are adapter.targets and training.parts those the values were saved with?</source>
        <translation>{tensor}: モデルにこの名前のアダプターのテンソルはありません。adapter.targets と training.parts は値を保存したときと同じですか？</translation>
    </message>
    <message>
        <source>{tensor}: {type} can&apos;t hold the value {value}; set output.dtype to bf16 or fp32</source>
        <translation>{tensor}: {type} では値 {value} を表せません。output.dtype を bf16 か fp32 にしてください</translation>
    </message>
    <message>
        <source>{title} reads none of the formats of this adapter in full; Inspect says why. Merge it into the base model instead</source>
        <translation>このアダプターをどの形式で書き出しても {title} は完全には読み込めません。理由は「確認」で分かります。代わりにベースモデルへマージしてください</translation>
    </message>
    <message>
        <source>{tokens} tokens, of which {part} reads {most}</source>
        <translation>{tokens} トークン。{part} が読むのは {most} まで</translation>
    </message>
    <message>
        <source>{weight} (the whole part is missing)</source>
        <translation>{weight}（部分全体がありません）</translation>
    </message>
    <message>
        <source>{weight} holds values above 65504, which fp16 can&apos;t represent; choose bf16 or fp32 for this part (precision.weights)</source>
        <translation>{weight} に、fp16 では表せない 65504 を超える値があります。この部分には bf16 か fp32 を選んでください（precision.weights）</translation>
    </message>
    <message>
        <source>{weight} is stored as {type}; a floating-point type is expected</source>
        <translation>{weight} は {type} で保存されていますが、浮動小数点型でなければなりません</translation>
    </message>
    <message>
        <source>{weight}: with the adapters added it is beyond what FP32 holds and would be written as Inf/NaN. Merge them at smaller weights, or leave out the one that is damaged</source>
        <translation>{weight}: アダプターを足すと FP32 の範囲を超え、Inf/NaN として書き出されます。重みを小さくしてマージするか、壊れているアダプターを外してください</translation>
    </message>
    <message>
        <source>{weight}: {type} can&apos;t hold a value of this weight; write the model in bf16 or fp32</source>
        <translation>{weight}: この重みに {type} で表せない値があります。モデルを bf16 か fp32 で書き出してください</translation>
    </message>
    <message>
        <source>α is 1-β here.</source>
        <translation>Mantissa では α は 1-β です。</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>……ほか {count} 件</translation>
    </message>
    <message>
        <source>With the base model&apos;s own shift.</source>
        <translation>ベースモデル自身のシフトを使います。</translation>
    </message>
    <message>
        <source>it is called &apos;{name}&apos;</source>
        <translation>名前が「{name}」</translation>
    </message>
    <message>
        <source>output.format {format} can&apos;t hold this {form}: the result couldn&apos;t be written. Set output.format to {formats}</source>
        <translation>output.format の {format} ではこの {form} を保存できず、結果を書き出せません。output.format を {formats} にしてください</translation>
    </message>
    <message>
        <source>output.format {format} has no name for {module}, one of {count} such layers that adapter.targets name: the result couldn&apos;t be written. Set output.format to {formats}, or choose adapter.targets without them</source>
        <translation>output.format の {format} には {module} の名前がありません（adapter.targets が指す層のうち {count} 個がこれに当たります）。結果を書き出せないため、output.format を {formats} にするか、これらを含まない adapter.targets を選んでください</translation>
    </message>
    <message>
        <source>output.format {format} has q, k and v as one layer here, for which a DoRA must be per output and on all three: the file holds the plain LoRA nearest to it</source>
        <translation>output.format {format} ではここで q・k・v が 1 つの層なので、DoRA は出力ごとで 3 つすべてにある必要があります。ファイルにはそれに最も近い通常の LoRA が入ります</translation>
    </message>
    <message>
        <source>model_index.json has {field}</source>
        <translation>model_index.json に {field} があります</translation>
    </message>
    <message>
        <source>model_index.json has {field} {value}</source>
        <translation>model_index.json の {field} が {value}</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {module} is quantised as {format}, which can&apos;t be read; use a model in BF16, F16 or FP8 (float8_e4m3fn, float8_e5m2)</source>
        <translation>「{file}」：{module} は {format} で量子化されており、読み込めません。BF16、F16、FP8（float8_e4m3fn、float8_e5m2）のモデルを使ってください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: metadata key {key} must be a JSON object with &quot;layers&quot;</source>
        <translation>「{file}」：メタデータのキー {key} は &quot;layers&quot; を持つ JSON オブジェクトでなければなりません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {tensor} is {type} {shape}; scales must be F32, one for the weight or one for each of its {rows} rows</source>
        <translation>「{file}」：{tensor} は {type} {shape} です。スケールは F32 で、重み全体に 1 つか、{rows} 行のそれぞれに 1 つでなければなりません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {tensor} has a scale that is not finite</source>
        <translation>「{file}」：{tensor} に有限でないスケールがあります</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {module} has two tensors of scales (one is {tensor})</source>
        <translation>「{file}」：{module} にスケールのテンソルが 2 つあります（1 つは {tensor}）</translation>
    </message>
    <message>
        <source>{file} is no base model: a JSON that lists one&apos;s files has the key {key}. `mantissa base` writes it</source>
        <translation>{file} はベースモデルではありません。そのファイルを並べた JSON にはキー {key} があり、`mantissa base` で書き出せます</translation>
    </message>
    <message>
        <source>{file}: {key} must be {version}; it is {found}</source>
        <translation>{file}：{key} は {version} でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>{file}: the key &apos;{key}&apos; is not known; there are {keys}</source>
        <translation>{file}：キー「{key}」は不明です。使えるのは {keys} です</translation>
    </message>
    <message>
        <source>{file}: {key} must be a path</source>
        <translation>{file}：{key} はパスでなければなりません</translation>
    </message>
    <message>
        <source>{file}: {key} is missing: the file of the transformer or UNet</source>
        <translation>{file}：{key}（Transformer または UNet のファイル）がありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; can&apos;t be used: {family} has no {part}</source>
        <translation>「{file}」は使えません。{family} に {part} はありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is cut off or damaged: {count} bytes are expected at byte {place}; get it again</source>
        <translation>「{file}」は途中で切れているか壊れています。{place} バイト目に {count} バイトあるはずです。取得し直してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is damaged: it claims {count} entries at byte {place}, above the limit of {most}</source>
        <translation>「{file}」は壊れています。{place} バイト目に {count} 項目とありますが、上限は {most} です</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no GGUF file</source>
        <translation>「{file}」は GGUF ファイルではありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is of GGUF version {version}; versions 2 and 3 can be read</source>
        <translation>「{file}」は GGUF バージョン {version} です。読み込めるのは 2 と 3 です</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {key} is {value}; it must be a multiple of 8</source>
        <translation>「{file}」：{key} は {value} ですが、8 の倍数でなければなりません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is damaged: the key {key} has the unknown type {type}</source>
        <translation>「{file}」は壊れています。キー {key} の型 {type} は不明です</translation>
    </message>
    <message>
        <source>has {count} dimensions, above the limit of {most}</source>
        <translation>の次元数は {count} で、上限の {most} を超えています</translation>
    </message>
    <message>
        <source>is larger than the file</source>
        <translation>はファイルより大きくなっています</translation>
    </message>
    <message>
        <source>is there twice</source>
        <translation>が 2 回あります</translation>
    </message>
    <message>
        <source>has the type {type}, which can&apos;t be read; those of Q8_0, Q6_K, Q5, Q4, Q3 and Q2 files can</source>
        <translation>の型 {type} は読み込めません。Q8_0、Q6_K、Q5、Q4、Q3、Q2 のファイルの型は読み込めます</translation>
    </message>
    <message>
        <source>has rows of {count} values, which blocks of {size} can&apos;t hold</source>
        <translation>の行は {count} 個の値で、{size} 個のブロックには収まりません</translation>
    </message>
    <message>
        <source>lies outside of the file or between its places; the file is cut off or damaged, get it again</source>
        <translation>はファイルの外か、正しい境界以外にあります。ファイルが途中で切れているか壊れています。取得し直してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is damaged: two tensors share bytes</source>
        <translation>「{file}」は壊れています。2 つのテンソルがバイトを共有しています</translation>
    </message>
    <message>
        <source>had another number of values before it was flattened</source>
        <translation>は平坦化の前と値の数が異なります</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: tensor &apos;{tensor}&apos; {problem}</source>
        <translation>「{file}」：テンソル「{tensor}」{problem}</translation>
    </message>
    <message>
        <source>{path} names no tokenizer of T5, whose ids the text conditioner reads; put the model&apos;s t5_tokenizer folder beside it</source>
        <translation>{path} には T5 のトークナイザーがありません。テキスト調整器がその ID を読みます。モデルの t5_tokenizer フォルダーを隣に置いてください</translation>
    </message>
    <message>
        <source>its scheduler&apos;s shift is {shift}</source>
        <translation>スケジューラーの shift が {shift}</translation>
    </message>
    <message>
        <source>{file}: {module} and {other} adapt the same weight, once fused and once alone. Remove one of them where the file was made</source>
        <translation>{file}: {module} と {other} は、結合された形と単独の形で同じ重みを変えます。ファイルを作ったプログラムでどちらか一方を取り除いてください</translation>
    </message>
    <message>
        <source>{file}: {module} has {rows} outputs, which {count} projections can&apos;t share equally. Was the file made for another base model?</source>
        <translation>{file}: {module} の出力は {rows} 個で、{count} 個の射影に等分できません。別のベースモデル用のファイルではありませんか？</translation>
    </message>
    <message>
        <source>{file}: {module} is a DoRA per input of {count} fused projections, whose norms span all of them; here they are modules of their own. Export it as plain LoRA where it was made</source>
        <translation>{file}: {module} は、結合された {count} 個の射影に対する入力ごとの DoRA です。そのノルムはすべての射影にまたがりますが、Mantissa では射影がそれぞれ別のモジュールです。作成したプログラムで通常の LoRA として書き出してください</translation>
    </message>
    <message>
        <source>{path} is a file; a run needs a folder. Choose another (--out)</source>
        <translation>{path} はファイルです。学習にはフォルダーが必要です。別の場所を選んでください（--out）</translation>
    </message>
    <message>
        <source>{path}: another program trains this run now. Wait for its end</source>
        <translation>{path}: 別のプログラムがこの学習を実行中です。終了をお待ちください</translation>
    </message>
    <message>
        <source>{path}: the run has no checkpoint. It starts again at step 0, in place of what is recorded</source>
        <translation>{path}: チェックポイントがありません。ステップ 0 からやり直し、記録を置き換えます</translation>
    </message>
    <message>
        <source>{file} can&apos;t be opened: {reason}. It needs the MPI that it was built with</source>
        <translation>{file} を開けません: {reason}。ビルド時と同じ MPI が必要です</translation>
    </message>
    <message>
        <source>{file} is of another build than this program: install both together</source>
        <translation>{file} はこのプログラムと別のビルドです。両方を一緒にインストールしてください</translation>
    </message>
    <message>
        <source>{count} processes were started for one run, but on Windows a run has only one: start it without a launcher, and name its cards with --device</source>
        <translation>1 つの学習に {count} 個のプロセスが起動されましたが、Windows では 1 つの学習は 1 プロセスです。ランチャーを使わずに起動し、--device でカードを指定してください</translation>
    </message>
    <message>
        <source>{count} processes were started for one run, but {library}, which links them, is not beside the program: build Mantissa where MPI&apos;s development files are, or start one process</source>
        <translation>1 つの学習に {count} 個のプロセスが起動されましたが、それらをつなぐ {library} がプログラムの隣にありません。MPI の開発ファイルがある環境で Mantissa をビルドするか、プロセスを 1 つだけ起動してください</translation>
    </message>
    <message>
        <source>{count} processes were started for one run, but MPI connects {size}: the launcher and {library} belong to different MPI installations</source>
        <translation>1 つの学習に {count} 個のプロセスが起動されましたが、MPI がつないだのは {size} 個です。ランチャーと {library} は別の MPI のものです</translation>
    </message>
    <message>
        <source>{process} can&apos;t reach the others: {reason}</source>
        <translation>{process} が他のプロセスと通信できません: {reason}</translation>
    </message>
    <message>
        <source>process {number} (id {id}) ended without giving a reason, so the run can&apos;t continue. Resume it with --resume</source>
        <translation>プロセス {number}（ID {id}）が突然終了したため、学習を続けられません。--resume で再開してください</translation>
    </message>
    <message>
        <source>{process}: {message}</source>
        <translation>{process}: {message}</translation>
    </message>
    <message>
        <source>{process} can&apos;t be heard any more: it was stopped or ended, its machine is down, or the network between is. The run can&apos;t continue. Resume it with --resume</source>
        <translation>{process} から応答がありません。停止または終了したか、そのマシンまたはネットワークが止まっています。学習を続けられません。--resume で再開してください</translation>
    </message>
    <message>
        <source>this MPI has no MPI_THREAD_MULTIPLE: a process that is stopped, or on a machine that can&apos;t be reached, is noticed by the launcher only</source>
        <translation>この MPI には MPI_THREAD_MULTIPLE がありません。停止したプロセスや、通信できないマシンのプロセスは、ランチャーだけが検出します</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; names {count} cards, which only `mantissa train` uses together. Name one</source>
        <translation>デバイス「{device}」は {count} 枚のカードを指定していますが、まとめて使うのは `mantissa train` だけです。1 枚だけ指定してください</translation>
    </message>
    <message>
        <source>{processes} processes were started on {host}, but --device {device} gives them {count} cards. Start one process for each card</source>
        <translation>{host} で {processes} 個のプロセスが起動されましたが、--device {device} のカードは {count} 枚です。カードごとに 1 つのプロセスを起動してください</translation>
    </message>
    <message>
        <source>the cards exchange gradients by NCCL {version}</source>
        <translation>カード間の勾配は NCCL {version} で交換します</translation>
    </message>
    <message>
        <source>the cards exchange gradients through host memory, because NCCL can&apos;t be used: {reason}</source>
        <translation>NCCL を使えないため、カード間の勾配はメインメモリ経由で交換します: {reason}</translation>
    </message>
    <message>
        <source>NCCL can&apos;t reach the other cards: {reason}. The run can&apos;t continue. Resume it with --resume</source>
        <translation>NCCL が他のカードと通信できません: {reason}。学習を続けられません。--resume で再開してください</translation>
    </message>
    <message>
        <source>processes {first} and {second} on {host} would both use one card. Start one process for each card</source>
        <translation>{host} のプロセス {first} と {second} が同じカードを使うことになります。カードごとに 1 つのプロセスを起動してください</translation>
    </message>
    <message>
        <source>{process} is slow: it takes {seconds} s for a micro-step, where {usual} s are usual. All wait for it in every step</source>
        <translation>{process} は低速です。マイクロステップに {seconds} 秒かかります（通常は {usual} 秒）。ステップごとに全体が待たされます</translation>
    </message>
    <message>
        <source>{process}: {rate} images/s while it computes, which it does {share}% of the time</source>
        <translation>{process}: 計算中は毎秒 {rate} 枚、計算は時間の {share}%</translation>
    </message>
    <message>
        <source>{processes} together: {rate} images/s; adding their gradients takes {milliseconds} ms of a step of {all} ms</source>
        <translation>{processes}の合計: 毎秒 {rate} 枚。勾配の合算に 1 ステップ {all} ms のうち {milliseconds} ms かかります</translation>
    </message>
    <message>
        <source>{process} differs from {first}: {what}. All need the same program, arguments and files</source>
        <translation>{process} が {first} と異なります: {what}。すべて同じプログラム、引数、ファイルが必要です</translation>
    </message>
    <message>
        <source>the preset</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>the arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>--trace is for a run of one process on one card</source>
        <translation>--trace は 1 つのプロセスが 1 枚のカードで行う学習用です</translation>
    </message>
    <message>
        <source>{processes} share the micro-steps of a step, but training.gradient_accumulation is {count}. Set it to a multiple of {number}, or use fewer</source>
        <translation>{processes}が各ステップのマイクロステップを分担しますが、training.gradient_accumulation は {count} です。{number} の倍数にするか、数を減らしてください</translation>
    </message>
    <message>
        <source>{processes} share the {count} micro-steps of each step</source>
        <translation>{processes}が各ステップの {count} 個のマイクロステップを分担します</translation>
    </message>
    <message>
        <source>training.gradient_accumulation is no multiple of {count}: some of the {processes} wait at the end of each step</source>
        <translation>training.gradient_accumulation が {count} の倍数ではありません。各ステップの終わりに、{processes}の一部が待ちます</translation>
    </message>
    <message>
        <source>the base model or the images</source>
        <translation>ベースモデルまたは画像</translation>
    </message>
    <message>
        <source>the precision plan</source>
        <translation>精度プラン</translation>
    </message>
    <message>
        <source>the images that can be used</source>
        <translation>使用できる画像</translation>
    </message>
    <message>
        <source>the weights at step {step}</source>
        <translation>ステップ {step} の重み</translation>
    </message>
    <message>
        <source>{copy} (same as {original})</source>
        <translation>{copy}（{original} と同一）</translation>
    </message>
    <message>
        <source>1 image is a copy of another: {names}</source>
        <translation>1 枚の画像が別の画像のコピーです: {names}</translation>
    </message>
    <message>
        <source>{count} images are copies of others: {names}</source>
        <translation>{count} 枚の画像が別の画像のコピーです: {names}</translation>
    </message>
    <message>
        <source>is not a size; write WIDTHxHEIGHT, for example 768x1344</source>
        <translation>はサイズではありません。「幅x高さ」の形式で 768x1344 のように指定してください</translation>
    </message>
    <message>
        <source>data.skip_buckets holds {value}, which is not a size; write WIDTHxHEIGHT, for example 768x1344</source>
        <translation>data.skip_buckets の {value} はサイズではありません。「幅x高さ」の形式で 768x1344 のように指定してください</translation>
    </message>
    <message>
        <source>data.skip_buckets leaves out every size; take at least one from it</source>
        <translation>data.skip_buckets がすべてのサイズを除外しています。少なくとも 1 つを取り除いてください</translation>
    </message>
    <message>
        <source>data.skip_buckets leaves out sizes that this resolution, rule and base model don&apos;t have: {sizes}</source>
        <translation>data.skip_buckets は、この解像度、ルール、ベースモデルにないサイズを除外しています：{sizes}</translation>
    </message>
    <message>
        <source>Paused after step {step}; the model stays loaded</source>
        <translation>ステップ {step} の後で一時停止しました。モデルは読み込まれたままです</translation>
    </message>
    <message>
        <source>Resumed</source>
        <translation>再開しました</translation>
    </message>
    <message>
        <source>{folder}: the encoded images and captions take about {need} there, {free} are free. Make room, or set data.cache to none, which keeps them in memory</source>
        <translation>{folder}: 画像とキャプションのエンコード結果に約 {need} が必要ですが、空きは {free} です。空き容量を増やすか、data.cache を none にしてメモリに保持してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the weight &apos;{tensor}&apos;, quantised by bitsandbytes, {problem}; get the model again, or in BF16</source>
        <translation>「{file}」：bitsandbytes で量子化された重み「{tensor}」{problem}。モデルを入手し直すか、BF16 版を使ってください</translation>
    </message>
    <message>
        <source>has a state that is no JSON object</source>
        <translation>の状態が JSON オブジェクトではありません</translation>
    </message>
    <message>
        <source>is stored as {format}; only nf4 can be read</source>
        <translation>は {format} で保存されています。読み込めるのは nf4 だけです</translation>
    </message>
    <message>
        <source>has blocks of {size} values; only those of {wanted} can be read</source>
        <translation>のブロックは {size} 個の値です。読み込めるのは {wanted} 個のものだけです</translation>
    </message>
    <message>
        <source>has no shape</source>
        <translation>に形状がありません</translation>
    </message>
    <message>
        <source>the codes of {count} values</source>
        <translation>{count} 個の値の符号</translation>
    </message>
    <message>
        <source>lacks &apos;{part}&apos;, {what}</source>
        <translation>に「{part}」（{what}）がありません</translation>
    </message>
    <message>
        <source>has &apos;{part}&apos; as {type} {shape}; expected {what}: {count} of {wanted}</source>
        <translation>の「{part}」は {type} {shape} です。{what}（{wanted} が {count} 個）でなければなりません</translation>
    </message>
    <message>
        <source>its scales</source>
        <translation>そのスケール</translation>
    </message>
    <message>
        <source>has a scale that is not finite, in &apos;{part}&apos;</source>
        <translation>の「{part}」に有限でないスケールがあります</translation>
    </message>
    <message>
        <source>the numbers of its codes</source>
        <translation>符号が表す数</translation>
    </message>
    <message>
        <source>has other numbers for its codes than NF4</source>
        <translation>の符号が表す数は NF4 のものと異なります</translation>
    </message>
    <message>
        <source>has scales in groups of {size}; only those of {wanted} can be read</source>
        <translation>のスケールは {size} 個ごとの組です。読み込めるのは {wanted} 個ごとのものだけです</translation>
    </message>
    <message>
        <source>has no number as &quot;nested_offset&quot;</source>
        <translation>の「nested_offset」が数値ではありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the weight &apos;{tensor}&apos; is quantised twice (one is &apos;{part}&apos;)</source>
        <translation>「{file}」：重み「{tensor}」が二重に量子化されています（一方は「{part}」）</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: tensor &apos;{tensor}&apos; is stored as {type}, in blocks that don&apos;t end with its {count} projections; use the model in BF16</source>
        <translation>&apos;{path}&apos;: テンソル &apos;{tensor}&apos; は {type} で保存されていますが、ブロックが {count} 個の射影の境目で終わっていません。BF16 のモデルを使ってください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {weight} is stored as {type} in another order than the model&apos;s, so its codes can&apos;t be kept; pin it to bf16 (precision.pins)</source>
        <translation>&apos;{file}&apos;: {weight} は {type} で、モデルとは異なる順序で保存されているため、コードをそのまま保持できません。bf16 に固定してください (precision.pins)</translation>
    </message>
    <message>
        <source>training needs {need} with the denoiser in NF4, more than the {free} given; turn on training.gradient_checkpointing, or lower data.batch_size or data.resolution</source>
        <translation>デノイザーを NF4 にしても学習には {need} が必要で、指定された {free} を超えます。training.gradient_checkpointing を有効にするか、data.batch_size または data.resolution を下げてください</translation>
    </message>
    <message>
        <source>{setting} is {value}, which decides the type of weights; choose bf16, fp16 or fp32 to fit them to a memory limit</source>
        <translation>{setting} が {value} で、重みの型がこれで決まります。メモリの上限に合わせるには bf16、fp16、fp32 のいずれかを選んでください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {module} holds INT8 codes, and nothing says whether they are rotated ({module}.comfy_quant is missing); convert the model again</source>
        <translation>「{file}」：{module} は INT8 の符号ですが、回転されているかどうかが分かりません（{module}.comfy_quant がありません）。モデルを変換し直してください</translation>
    </message>
    <message>
        <source>Step {step}: saved to {path}</source>
        <translation>ステップ {step}: {path} に保存</translation>
    </message>
    <message>
        <source>Step {step}: sample of prompt {number} rendered</source>
        <translation>ステップ {step}: プロンプト {number} のサンプル画像を生成</translation>
    </message>
    <message>
        <source>After step {step}: waited {seconds} s for disk space in the folder {folder}</source>
        <translation>ステップ {step} の後: フォルダー {folder} の空きを {seconds} 秒待ちました</translation>
    </message>
    <message>
        <source>{part} is trained, but no module of it has an adapter by adapter.targets {targets} and adapter.ranks; take {part} from training.parts, or leave fewer of its modules out</source>
        <translation>{part} は学習対象ですが、adapter.targets {targets} と adapter.ranks ではどのモジュールにもアダプターが付きません。training.parts から {part} を外すか、除外するモジュールを減らしてください</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each pattern one entry</source>
        <translation>{key} は「{value}」ですが、この項目はすでにあります。パターンごとに 1 項目にしてください</translation>
    </message>
    <message>
        <source>{key} must hold {count} numbers, one for each block of this model.</source>
        <translation>{key} には {count} 個の数値が必要です(このモデルのブロックごとに 1 個)。</translation>
    </message>
    <message>
        <source>Counts only for Stable Diffusion&apos;s UNets there.</source>
        <translation>元のプログラムでは Stable Diffusion の UNet にだけ有効です。</translation>
    </message>
    <message>
        <source>Counts only beside block_dims there.</source>
        <translation>元のプログラムでは block_dims と併用したときだけ有効です。</translation>
    </message>
    <message>
        <source>Counts only beside conv_block_dims there.</source>
        <translation>元のプログラムでは conv_block_dims と併用したときだけ有効です。</translation>
    </message>
    <message>
        <source>ranks by regular expression; see adapter.ranks</source>
        <translation>正規表現によるランク(adapter.ranks を参照)</translation>
    </message>
    <message>
        <source>learning rates by regular expression</source>
        <translation>正規表現による学習率</translation>
    </message>
    <message>
        <source>{file}: {count} modules were cut to the rank trained here by their singular values; at most {share}% of a module&apos;s change is left out. A higher adapter.rank keeps it</source>
        <translation>{file}: {count} 個のモジュールを特異値でここで学習するランクに切り詰めました。失われるのは各モジュールの変化の最大 {share}% です。adapter.rank を上げると残せます</translation>
    </message>
    <message>
        <source>{file}: {module} has factors of other shapes than are trained here. Set adapter.rank, adapter.conv_rank, adapter.ranks and adapter.factor as they were for it</source>
        <translation>{file}: {module} の因子の形がここで学習するものと異なります。adapter.rank、adapter.conv_rank、adapter.ranks、adapter.factor をそのファイルの学習時と同じにしてください</translation>
    </message>
    <message>
        <source>Not known here: {names}.</source>
        <translation>Mantissa にないもの: {names}</translation>
    </message>
    <message>
        <source>Holds for all layers here; only rank and alpha differ by layer.</source>
        <translation>Mantissa では全レイヤーに共通です。レイヤーごとに変えられるのはランクと Alpha だけです。</translation>
    </message>
    <message>
        <source>cached encodings disappeared from {place} while training, and the card&apos;s memory holds the run. Resume the run: what is missing is encoded again</source>
        <translation>学習中にエンコードのキャッシュが {place} から消えましたが、VRAM は学習で使用中です。学習を再開すると、足りないものをエンコードし直します</translation>
    </message>
    <message>
        <source>cached encodings disappeared from {place}: they are encoded again</source>
        <translation>エンコードのキャッシュが {place} から消えました。エンコードし直します</translation>
    </message>
    <message>
        <source>can&apos;t lock {file}: it is not a regular file; remove it</source>
        <translation>{file} をロックできません。通常のファイルではありません。削除してください</translation>
    </message>
    <message>
        <source>{tensor} holds NaN or infinity, which codes can&apos;t; repair the model, or leave it as it is</source>
        <translation>{tensor} に、符号では表せない NaN か無限大があります。モデルを修復するか、そのままにしてください</translation>
    </message>
    <message>
        <source>{tensor} has the type {type}, in which no tensors are written</source>
        <translation>{tensor} の型は {type} です。この型のテンソルは書き込めません</translation>
    </message>
    <message>
        <source>{path}: codes with scales are written as one file; give a name that ends in .safetensors</source>
        <translation>{path}：スケール付きの符号は 1 つのファイルに書き出されます。.safetensors で終わる名前にしてください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {weight} is quantised already; rounding it again loses more. Quantise the model in BF16, F16 or F32</source>
        <translation>「{file}」：{weight} はすでに量子化されています。もう一度丸めるとさらに失われます。BF16、F16、F32 のモデルを量子化してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has no linear layers to quantise</source>
        <translation>「{file}」に量子化できる線形層がありません</translation>
    </message>
    <message>
        <source>device &apos;{device}&apos; names card {card} twice</source>
        <translation>デバイス「{device}」はカード {card} を 2 回指定しています</translation>
    </message>
    <message>
        <source>{first} is {name} and {second} is {other}: the cards of one run must be of one model. Choose cards of one model, or give each card a run of its own from the queue</source>
        <translation>{first} は {name}、{second} は {other} です。1 つの学習で使うカードは同じ機種でなければなりません。同じ機種のカードを選ぶか、キューでカードごとに学習してください</translation>
    </message>
    <message>
        <source>{cards} cards share the micro-steps of each step, but training.gradient_accumulation is {count}. Set it to a multiple of {cards}; the step then has as many more images</source>
        <translation>{cards} 枚のカードが各ステップのマイクロステップを分担しますが、training.gradient_accumulation は {count} です。{cards} の倍数にしてください。1 ステップの画像数もその分増えます</translation>
    </message>
    <message>
        <source>training.gradient_accumulation is {count}, no multiple of the {cards} cards: some of them wait at the end of each step</source>
        <translation>training.gradient_accumulation は {count} で、カードの枚数 {cards} の倍数ではありません。各ステップの終わりに待つカードが出ます</translation>
    </message>
    <message>
        <source>NCCL can&apos;t be used: {reason}. The cards then exchange gradients through page-locked host memory, which is slower; the result is the same</source>
        <translation>NCCL を使えません: {reason}。カード間の勾配はページロックされたホストメモリで交換するため遅くなりますが、結果は変わりません</translation>
    </message>
    <message>
        <source>Step {step}: {rate} images/s together: {processes}</source>
        <translation>ステップ {step}: 合計 {rate} 枚/秒: {processes}</translation>
    </message>
    <message>
        <source>process {number} on {host} {rate} images/s, computing {share}% of the time</source>
        <translation>{host} のプロセス {number} は {rate} 枚/秒、計算は時間の {share}%</translation>
    </message>
    <message>
        <source>process {number} on {host} {rate} images/s, computing {share}% of the time, slow</source>
        <translation>{host} のプロセス {number} は {rate} 枚/秒、計算は時間の {share}%、低速</translation>
    </message>
    <message>
        <source>&apos;{line}&apos; is no request to a run; expected one of: pause, resume, save, sample, retry, stop, discard, refuse_waits, folder &quot;PATH&quot;, settings PRESET, change [&quot;KEY=VALUE&quot;, ...]</source>
        <translation>「{line}」は学習への要求ではありません。pause、resume、save、sample、retry、stop、discard、refuse_waits、folder folder &quot;PATH&quot;、settings PRESET のいずれかquot;PATHfolder &quot;PATH&quot;、settings PRESET のいずれかquot;、settings PRESET、change [folder &quot;PATH&quot;、settings PRESET のいずれかquot;KEY=VALUEfolder &quot;PATH&quot;、settings PRESET のいずれかquot;, ...] のいずれかを指定してください</translation>
    </message>
    <message>
        <source>{file} is missing: it belongs to this installation of Mantissa and trains on other cards</source>
        <translation>{file} がありません。Mantissa のこのインストールに含まれ、ほかのカードでの学習に使います</translation>
    </message>
    <message>
        <source>can&apos;t write {file}: {reason}</source>
        <translation>{file} に書き込めません: {reason}</translation>
    </message>
    <message>
        <source>could not start {file}: {reason}</source>
        <translation>{file} を起動できませんでした: {reason}</translation>
    </message>
    <message>
        <source>must be a whole number from {least} to {most}, it is {found}</source>
        <translation>{least} から {most} までの整数でなければなりませんが、{found} です</translation>
    </message>
    <message>
        <source>the process of the run ended without a word (status {status}): {reason}</source>
        <translation>学習のプロセスが理由を示さずに終了しました(ステータス {status}): {reason}</translation>
    </message>
    <message>
        <source>one card would need {need} MB</source>
        <translation>1 枚のカードでは {need} MB 必要です</translation>
    </message>
    <message>
        <source>output.name is &quot;{name}&quot;, which a run&apos;s folder holds for the run itself; set another</source>
        <translation>output.name の「{name}」は、出力フォルダーの中で学習自体が使う名前です。別の名前を指定してください</translation>
    </message>
    <message>
        <source>{alone}, and no split of the layers over this machine&apos;s cards makes every part fit</source>
        <translation>{alone}。このマシンのカードに層をどう分けても、収まらない部分があります</translation>
    </message>
    <message>
        <source>{card} {first} to {last}, {size} MB</source>
        <translation>{card} は {first} から {last}、{size} MB</translation>
    </message>
    <message>
        <source>{layers}; {sent} MB from card to card and about {ms} ms in a step</source>
        <translation>{layers}。1 ステップあたりカード間で {sent} MB を転送し、約 {ms} ミリ秒かかります</translation>
    </message>
    <message>
        <source>{layers}; {sent} MB from card to card in a step</source>
        <translation>{layers}。1 ステップあたりカード間で {sent} MB を転送します</translation>
    </message>
    <message>
        <source>weight streaming to one card is not enough</source>
        <translation>1 枚のカードへの重みのストリーミングでは足りません</translation>
    </message>
    <message>
        <source>weight streaming to one card copies {copied} MB and takes about {ms} ms in a step</source>
        <translation>1 枚のカードへの重みのストリーミングでは 1 ステップごとに {copied} MB をコピーし、約 {ms} ミリ秒かかります</translation>
    </message>
    <message>
        <source>weight streaming to one card copies {copied} MB in a step</source>
        <translation>1 枚のカードへの重みのストリーミングでは 1 ステップごとに {copied} MB をコピーします</translation>
    </message>
    <message>
        <source>stopped before the process of the run had begun</source>
        <translation>学習のプロセスが始まる前に停止しました</translation>
    </message>
    <message>
        <source>the run {run} was in {folder}, where it is no longer. Pass the folder that it is in</source>
        <translation>学習 {run} は {folder} にありましたが、もうそこにはありません。この学習が今あるフォルダーを指定してください</translation>
    </message>
    <message>
        <source>the run {run} was in {folder}, which holds another run now. Pass the folder that it is in</source>
        <translation>学習 {run} は {folder} にありましたが、そこには今は別の学習があります。この学習が今あるフォルダーを指定してください</translation>
    </message>
    <message>
        <source>the runs database {file} can&apos;t grow: {reason}; raise the limit of file sizes (ulimit -f) or set MANTISSA_HOME</source>
        <translation>学習履歴のデータベース {file} を大きくできません: {reason}。ファイルサイズの上限 (ulimit -f) を上げるか、MANTISSA_HOME を設定してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; was changed, replaced or removed while it was in use, so nothing made from it since is kept. Restore it and leave it alone, then start again, or resume the run</source>
        <translation>「{file}」は使用中に変更、置き換え、または削除されたため、それ以降に作られたものは残していません。ファイルを元に戻して変更せずに、もう一度始めるか、学習を再開してください</translation>
    </message>
    <message>
        <source>{folder} is a copy of the run {run} in {original}: it continues as the run {new}</source>
        <translation>{folder} は {original} にある学習 {run} のコピーです。学習 {new} として続けます</translation>
    </message>
    <message>
        <source>{source}: its cached encoding disappeared from {place} while training. Resume the run: what is missing is encoded again</source>
        <translation>{source}: 学習中にエンコードのキャッシュが {place} から消えました。学習を再開すると、足りないものをエンコードし直します</translation>
    </message>
    <message>
        <source>{weight} is kept as the file&apos;s {type}, which can&apos;t hold a changed weight; pin it to bf16 (precision.pins)</source>
        <translation>{weight} はファイルの {type} のまま保持されており、変更した重みを格納できません。bf16 に固定してください (precision.pins)</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the weight &apos;{tensor}&apos;, in {format}, {problem}; get the model again, or in BF16</source>
        <translation>&apos;{file}&apos;: {format} の重み &apos;{tensor}&apos;: {problem}。モデルを入手し直すか、BF16 のものを使ってください</translation>
    </message>
    <message>
        <source>scales its inputs first (pre_quant_scale), which can&apos;t be read</source>
        <translation>入力を先にスケーリングする形式 (pre_quant_scale) は読み込めません</translation>
    </message>
    <message>
        <source>isn&apos;t a matrix</source>
        <translation>行列ではありません</translation>
    </message>
    <message>
        <source>lacks &apos;{part}&apos;</source>
        <translation>&apos;{part}&apos; がありません</translation>
    </message>
    <message>
        <source>has &apos;{part}&apos; as {type}; {wanted} is expected</source>
        <translation>&apos;{part}&apos; の型が {type} です ({wanted} が必要)</translation>
    </message>
    <message>
        <source>has no finite number as &apos;{part}&apos;</source>
        <translation>&apos;{part}&apos; が有限の数ではありません</translation>
    </message>
    <message>
        <source>has &apos;{part}&apos; of {count} bytes; its {rows} rows of {blocks} blocks need {wanted}, in tiles of 128 x 4</source>
        <translation>&apos;{part}&apos; が {count} バイトです。{rows} 行 × {blocks} ブロックには、128 x 4 のタイルで {wanted} バイトが必要です</translation>
    </message>
    <message>
        <source>{weight}: the adapter changes this weight, for which these files have no name. Write it in the format {formats}, or merge the adapter into a model (`mantissa merge`)</source>
        <translation>{weight}: アダプターはこの重みを変更しますが、この形式のファイルにはその名前がありません。{formats} 形式で書き込むか、アダプターをモデルにマージしてください(`mantissa merge`)</translation>
    </message>
    <message>
        <source>{config} is missing, which holds PEFT&apos;s alpha: it is taken to be the rank, so the adapter may act more or less than it was trained to. Put PEFT&apos;s file beside the weights</source>
        <translation>{config} がありません。PEFT の alpha はこのファイルにあります。alpha をランクと等しいとみなすため、学習時より強く、または弱く効くことがあります。PEFT のファイルを重みと同じ場所に置いてください</translation>
    </message>
    <message>
        <source>{weight}: the adapter changes this weight, for which no file of an adapter has a name. Merge the adapter into a model (`mantissa merge`)</source>
        <translation>{weight}: アダプターはこの重みを変更しますが、どの形式のアダプターファイルにもその名前がありません。アダプターをモデルにマージしてください（`mantissa merge`）</translation>
    </message>
    <message>
        <source>0 stands for the rank there.</source>
        <translation>元のプログラムでは 0 はランクと同じ値を意味します。</translation>
    </message>
    <message>
        <source>Refused there: alpha is always the rank.</source>
        <translation>元のプログラムでは受け付けられません。alpha は常にランクと同じです。</translation>
    </message>
    <message>
        <source>A rate of 0 trains nothing there; here the denoiser is trained at learning_rate.</source>
        <translation>学習率 0 では元のプログラムは何も学習しません。ここではデノイザーを learning_rate で学習します。</translation>
    </message>
    <message>
        <source>Adafactor takes a rate of its own there (relative_step): here it is the learning rate.</source>
        <translation>元のプログラムでは Adafactor が自分で学習率を決めます（relative_step）。ここではこの値が学習率です。</translation>
    </message>
    <message>
        <source>Adafactor&apos;s own schedule counts there (relative_step): here the rate is constant.</source>
        <translation>元のプログラムでは Adafactor 自身のスケジュールが効きます（relative_step）。ここでは学習率は一定です。</translation>
    </message>
    <message>
        <source>Below 0.1, this optimizer has a rate of 1 there.</source>
        <translation>0.1 未満の場合、元のプログラムではこのオプティマイザーの学習率は 1 になります。</translation>
    </message>
    <message>
        <source>Concerns DyLoRA and OFT only.</source>
        <translation>DyLoRA と OFT だけに関係します。</translation>
    </message>
    <message>
        <source>Counts batches there, of which gradient_accumulation_steps are one update, a step here.</source>
        <translation>元のプログラムではバッチを数え、gradient_accumulation_steps 個で 1 回の更新になります。ここでは更新が 1 ステップです。</translation>
    </message>
    <message>
        <source>Counts images there, here the steps that have as many on one device.</source>
        <translation>元のプログラムでは画像を数えます。Mantissa では 1 台のデバイスで同じ数になるステップ数です。</translation>
    </message>
    <message>
        <source>Each resolution has a batch size of its own there; here all have that of the largest.</source>
        <translation>元のプログラムでは解像度ごとにバッチサイズがあります。Mantissa ではすべてに最大の解像度のものを使います。</translation>
    </message>
    <message>
        <source>Updates follow every batch there, here every gradient_accumulation batches.</source>
        <translation>元のプログラムではバッチごとに、Mantissa では gradient_accumulation 個のバッチごとに更新します。</translation>
    </message>
    <message>
        <source>Its rate is its own there (relative_step): here it is the learning rate.</source>
        <translation>元のプログラムでは学習率を自分で決めます（relative_step）。ここでは設定した学習率を使います。</translation>
    </message>
    <message>
        <source>Its updates are scaled by the size of the weights there (scale_parameter), not here.</source>
        <translation>元のプログラムでは更新量が重みの大きさに比例しますが（scale_parameter）、ここではしません。</translation>
    </message>
    <message>
        <source>LoKr&apos;s matrices with their sides exchanged</source>
        <translation>LoKr の行列の辺の入れ替え</translation>
    </message>
    <message>
        <source>Lowered with the rank, so that both scale alike.</source>
        <translation>ランクに合わせて下げ、倍率を同じに保ちます。</translation>
    </message>
    <message>
        <source>LyCORIS has no such argument.</source>
        <translation>LyCORIS にはこの引数がありません。</translation>
    </message>
    <message>
        <source>LyCORIS&apos;s LoHa and LoKr have no dropout.</source>
        <translation>LyCORIS の LoHa と LoKr にはドロップアウトがありません。</translation>
    </message>
    <message>
        <source>Not given: LyCORIS&apos;s default.</source>
        <translation>指定なし: LyCORIS の既定値です。</translation>
    </message>
    <message>
        <source>Not offered here: {given}; the nearest is {value}.</source>
        <translation>{given} はここでは使えません。最も近い値は {value} です。</translation>
    </message>
    <message>
        <source>Not taken: {problem}. {setting} stays at {value}.</source>
        <translation>採用しません: {problem}。{setting} は {value} のままです。</translation>
    </message>
    <message>
        <source>Not used there: noise_offset_type names another kind of noise.</source>
        <translation>元の設定では使われていません。noise_offset_type が別の種類のノイズを指定しています。</translation>
    </message>
    <message>
        <source>Not used there: repeats come from the folders&apos; names.</source>
        <translation>元の設定では使われていません。繰り返し回数はフォルダー名から決まります。</translation>
    </message>
    <message>
        <source>Read too: its keys follow.</source>
        <translation>このファイルも読み込みました。キーは後に続きます。</translation>
    </message>
    <message>
        <source>Scales a matrix that is trained whole there, not here.</source>
        <translation>元のプログラムでは全体を学習する行列にも倍率がかかりますが、ここではかかりません。</translation>
    </message>
    <message>
        <source>That file has settings of its own, which are not read here: import it too.</source>
        <translation>そのファイルには別の設定があり、ここでは読み込んでいません。あわせてインポートしてください。</translation>
    </message>
    <message>
        <source>The concepts&apos; own resolution counts instead.</source>
        <translation>代わりにコンセプトごとの解像度が効きます。</translation>
    </message>
    <message>
        <source>Too long to be read: set batch size and resolution by hand.</source>
        <translation>長すぎて読み込めません。バッチサイズと解像度を手動で設定してください。</translation>
    </message>
    <message>
        <source>Without the first and last convolution.</source>
        <translation>最初と最後の畳み込みは含みません。</translation>
    </message>
    <message>
        <source>Without the time embeddings.</source>
        <translation>時刻埋め込みは含みません。</translation>
    </message>
    <message>
        <source>a limit on the growth of Prodigy&apos;s rate</source>
        <translation>Prodigy の学習率の増加の上限</translation>
    </message>
    <message>
        <source>a number of images in place of repeats</source>
        <translation>繰り返し回数の代わりの画像枚数</translation>
    </message>
    <message>
        <source>a third beta</source>
        <translation>3 つ目のベータ</translation>
    </message>
    <message>
        <source>another decay of Adafactor&apos;s averages</source>
        <translation>Adafactor の平均の別の減衰</translation>
    </message>
    <message>
        <source>another limit on Adafactor&apos;s updates</source>
        <translation>Adafactor の更新の別の上限</translation>
    </message>
    <message>
        <source>captions from file names or from one file for all</source>
        <translation>ファイル名、または 1 つのファイルから取るキャプション</translation>
    </message>
    <message>
        <source>captions with random capitals</source>
        <translation>大文字・小文字がランダムなキャプション</translation>
    </message>
    <message>
        <source>concepts that keep the base model&apos;s own predictions</source>
        <translation>ベースモデル自身の予測を保つコンセプト</translation>
    </message>
    <message>
        <source>full_matrix counts instead.</source>
        <translation>代わりに full_matrix が効きます。</translation>
    </message>
    <message>
        <source>snr_gamma counts instead.</source>
        <translation>代わりに snr_gamma が効きます。</translation>
    </message>
    <message>
        <source>weights of the loss that grow without a limit; training.min_snr_gamma is near to them</source>
        <translation>上限なく増える損失の重み。training.min_snr_gamma が近いものです</translation>
    </message>
    <message>
        <source>{reader} reads all {tensors} tensors, for {modules} layers; recomputed by its rules, the checked layers differ by at most {error}</source>
        <translation>{reader} は全 {tensors} 個のテンソルを {modules} 個の層に読み込みます。そのルールで計算し直した層のずれは最大 {error} です</translation>
    </message>
    <message>
        <source>{reader} reads all {tensors} tensors, for {modules} layers; no layer&apos;s values were checked</source>
        <translation>{reader} は全 {tensors} 個のテンソルを {modules} 個の層に読み込みます。層の値は確認していません</translation>
    </message>
    <message>
        <source>{reader} loads the file, but its change of {layer} differs by {error}</source>
        <translation>{reader} はファイルを読み込みますが、{layer} の変化が {error} ずれます</translation>
    </message>
    <message>
        <source>{reader} ignores {count} of {tensors} tensors, the first one {tensor}</source>
        <translation>{reader} は {tensors} 個のテンソルのうち {count} 個を無視します。最初のものは {tensor} です</translation>
    </message>
    <message>
        <source>{reader} reads all {tensors} tensors, but every checked layer stays unchanged</source>
        <translation>{reader} は全 {tensors} 個のテンソルを読み込みますが、確認したどの層も変化がゼロです</translation>
    </message>
    <message>
        <source>{reader} recognizes no tensor name, such as {tensor}: the file has no effect, or fails to load</source>
        <translation>{reader} は {tensor} などファイル内の名前を 1 つも認識しません。読み込んでも効果がないか、読み込めません</translation>
    </message>
    <message>
        <source>{reader} refuses the file because of {tensor}</source>
        <translation>{reader} は {tensor} があるためこのファイルを読み込みません</translation>
    </message>
    <message>
        <source>no verdict: how {reader} names adapters of this base model isn&apos;t known here</source>
        <translation>判定なし: このベースモデルのアダプターに {reader} が使う名前はここでは分かりません</translation>
    </message>
    <message>
        <source>Read back by the rules of {programs}: every tensor is found, and the layers recomputed from the file change as trained</source>
        <translation>{programs} のルールで読み戻しました。すべてのテンソルが見つかり、ファイルから計算し直した層は学習どおりに変化します</translation>
    </message>
    <message>
        <source>{path} is a folder of PEFT&apos;s, which PeftModel.from_pretrained loads; other programs read single files. Write one with `mantissa convert`</source>
        <translation>{path} は PEFT のフォルダーで、PeftModel.from_pretrained で読み込むものです。ほかのプログラムは単一のファイルを読みます。`mantissa convert` で書き出してください</translation>
    </message>
    <message>
        <source>the file can&apos;t be read back: {reason}</source>
        <translation>ファイルを読み戻せません: {reason}</translation>
    </message>
    <message>
        <source>--for needs --base: the base model&apos;s layers give the names</source>
        <translation>--for には --base が必要です。名前はベースモデルの層から決まります</translation>
    </message>
    <message>
        <source>--for {program}: none of the formats of this adapter is read by {title} in full; `mantissa inspect --for {program}` says why. Merge it into the base model instead</source>
        <translation>--for {program}: このアダプターをどの形式で書き出しても {title} は完全には読み込めません。理由は `mantissa inspect --for {program}` で分かります。代わりにベースモデルへマージしてください</translation>
    </message>
    <message>
        <source>no Qwen-Image-2.1 has been published that isn&apos;t distilled</source>
        <translation>蒸留されていない Qwen-Image-2.1 は公開されていません</translation>
    </message>
    <message>
        <source>it is a flow map, distilled from FLUX.3 Image klein Base; it has &apos;{tensor}&apos;</source>
        <translation>FLUX.3 Image klein Base から蒸留されたフローマップで、「{tensor}」があります</translation>
    </message>
    <message>
        <source>it is no flow map</source>
        <translation>フローマップではありません</translation>
    </message>
    <message>
        <source>{folder}: {given} repeats are not offered here; the nearest is {value}.</source>
        <translation>{folder}: Mantissa では繰り返し回数 {given} は使えません。最も近い値は {value} です。</translation>
    </message>
    <message>
        <source>{folder} is left out there, with {given} repeats: don&apos;t choose it for a run.</source>
        <translation>{folder} は元のプログラムでは繰り返し回数 {given} のため使われません。学習では選択しないでください。</translation>
    </message>
    <message>
        <source>Not taken: {key} of {folder} is not a number.</source>
        <translation>取り込まれませんでした: {folder} の {key} は数値ではありません。</translation>
    </message>
    <message>
        <source>data.folder_repeats takes at most 10000 repeats; these folders ask for more and count as folders without a number: {folders}</source>
        <translation>data.folder_repeats の繰り返し回数は最大 10000 です。次のフォルダーはそれを超えるため、数値のないフォルダーとして扱われます: {folders}</translation>
    </message>
    <message>
        <source>the numbers that these folders&apos; names begin with aren&apos;t used as repeats, and stay in captions that are a folder&apos;s name; turn on data.folder_repeats to read the names as sd-scripts does: {folders}</source>
        <translation>次のフォルダー名の先頭の数値は繰り返し回数として使われず、フォルダー名から取るキャプションにもそのまま残ります。sd-scripts と同様に名前を読み取るには data.folder_repeats を有効にしてください: {folders}</translation>
    </message>
    <message>
        <source>Not offered here: {name} as the loss; the squared error instead.</source>
        <translation>Mantissa では損失 {name} は使えません。代わりに二乗誤差が使われます。</translation>
    </message>
    <message>
        <source>Not taken: {problem}.</source>
        <translation>取り込まれませんでした: {problem}。</translation>
    </message>
    <message>
        <source>{why} {setting} is {value}, the default there.</source>
        <translation>{why} {setting} は元のプログラムの既定値 {value} になります。</translation>
    </message>
    <message>
        <source>a learning rate for each kind of layer</source>
        <translation>レイヤーの種類ごとの学習率</translation>
    </message>
    <message>
        <source>Not read there where a network is trained.</source>
        <translation>元のプログラムではネットワークの学習時に読まれません。</translation>
    </message>
    <message>
        <source>FP16 masters of DeepSpeed</source>
        <translation>DeepSpeed の FP16 マスター重み</translation>
    </message>
    <message>
        <source>it holds NaN or infinity</source>
        <translation>NaN または無限大が含まれています</translation>
    </message>
    <message>
        <source>{file}: {tensor} and {other} adapt the same layer under two names. Remove one of them where the file was made</source>
        <translation>{file}: {tensor} と {other} は同じレイヤーを 2 つの名前で変更しています。ファイルを作成したプログラムで一方を取り除いてください</translation>
    </message>
    <message>
        <source>no checkpoint is better than the untrained model beyond the error of {images} validation images: step {step} differs from it by {difference}</source>
        <translation>{images} 枚の検証用の画像の誤差を超えて学習前のモデルより良いチェックポイントはありません。ステップ {step} との差は {difference} です</translation>
    </message>
    <message>
        <source>step {step} is suggested: it has the lowest validation loss of all checkpoints, {loss}</source>
        <translation>おすすめはステップ {step} です。検証の損失が全チェックポイントの中で最も小さく、{loss} です</translation>
    </message>
    <message>
        <source>step {step} is suggested: the validation loss of step {lowest} is lower by only {difference}, and fewer steps memorise less</source>
        <translation>おすすめはステップ {step} です。ステップ {lowest} の検証の損失は {difference} 小さいだけで、ステップが少ないほど丸暗記しません</translation>
    </message>
    <message>
        <source>a sign of memorising at step {step}: a sample is {ratio} times as far from the training image {image} as from the nearest validation image</source>
        <translation>ステップ {step} に丸暗記の兆候があります。サンプル画像から学習画像 {image} までの距離が、最も近い検証用の画像までの {ratio} 倍のものがあります</translation>
    </message>
    <message>
        <source>no sign of memorising at step {step}: no sample is nearer to a training image than {ratio} times its distance to the nearest validation image</source>
        <translation>ステップ {step} に丸暗記の兆候はありません。どのサンプル画像も、学習画像までの距離は最も近い検証用の画像までの {ratio} 倍以上です</translation>
    </message>
    <message>
        <source>{image} may fit the caption of {other} better than its own: the loss is {share} lower with it. Check its caption</source>
        <translation>{image} には自身のキャプションより {other} のキャプションのほうが合う可能性があります。そのキャプションでは損失が {share} 低くなります。キャプションを確認してください</translation>
    </message>
    <message>
        <source>{image} was never learned: its loss fell by {share} ± {error} over the run. Check whether the image is damaged or belongs here</source>
        <translation>{image} は学習されませんでした。学習を通じた損失の減少は {share} ± {error} です。画像が壊れていないか、ここに含めるべきかを確認してください</translation>
    </message>
    <message>
        <source>{image} looks unlike the others as a whole: its loss at the highest noise level is {loss}, theirs about {usual}. Check that it belongs here</source>
        <translation>{image} は全体としてほかの画像と似ていません。最も高いノイズレベルでの損失は {loss} で、ほかは約 {usual} です。ここに含めるべき画像かを確認してください</translation>
    </message>
    <message>
        <source>A guidance scale that a model embeds is 1 in training here.</source>
        <translation>モデルに埋め込まれたガイダンススケールは、学習では 1 です。</translation>
    </message>
    <message>
        <source>The model is trained with guidance 0 here.</source>
        <translation>Mantissa では、このモデルをガイダンス 0 で学習します。</translation>
    </message>
    <message>
        <source>is {value}; it must be a multiple of {step}</source>
        <translation>は {value} です。{step} の倍数にしてください</translation>
    </message>
    <message>
        <source>{path}: the first text encoder&apos;s pooled vector has {given} values, but the transformer takes {wanted}; are they parts of one model?</source>
        <translation>{path}: 1 つ目のテキストエンコーダーのプールしたベクトルの値は {given} 個ですが、transformer は {wanted} 個を受け取ります。同じモデルの部分ですか？</translation>
    </message>
    <message>
        <source>{path}: the transformer reads {given} channels and predicts {wanted}; of FLUX.1, models that read an image beside the noise (Fill, Depth, Canny) are not supported, only dev, schnell and models of their kind</source>
        <translation>{path}: transformer は {given} チャンネルを読み、{wanted} チャンネルを予測します。FLUX.1 のうち、ノイズのほかに画像を読むモデル（Fill、Depth、Canny）には対応していません。対応するのは dev、schnell とその系統のモデルだけです</translation>
    </message>
    <message>
        <source>it takes a guidance scale; it has &apos;{tensor}&apos;</source>
        <translation>ガイダンススケールを受け取り、「{tensor}」があります</translation>
    </message>
    <message>
        <source>it takes no guidance scale; it lacks &apos;{tensor}&apos;</source>
        <translation>ガイダンススケールを受け取らず、「{tensor}」がありません</translation>
    </message>
    <message>
        <source>FLUX predicts the flow itself here (raw).</source>
        <translation>Mantissa では FLUX はフローそのものを予測します（raw）。</translation>
    </message>
    <message>
        <source>a mask for the padding of T5&apos;s captions</source>
        <translation>T5 のキャプションのパディングに対するマスク</translation>
    </message>
    <message>
        <source>Counts only for FLUX.1 there.</source>
        <translation>元のプログラムでは FLUX.1 だけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for a plain LoRA of FLUX.1 there.</source>
        <translation>元のプログラムでは FLUX.1 の通常の LoRA だけに効きます。</translation>
    </message>
    <message>
        <source>Counts only for OFT there.</source>
        <translation>元のプログラムでは OFT だけに効きます。</translation>
    </message>
    <message>
        <source>kohya_ss passes it on only where split_mode is set.</source>
        <translation>kohya_ss は split_mode が設定されているときだけこれを渡します。</translation>
    </message>
    <message>
        <source>Not taken: {key} is all, none or numbers of blocks up to {last}, such as &quot;0,4-7&quot;.</source>
        <translation>採用しません: {key} は all か none、または {last} までのブロック番号です（例: &quot;0,4-7&quot;）。</translation>
    </message>
    <message>
        <source>Not taken: not a rank from 0 to {most}.</source>
        <translation>採用しません: 0 から {most} までのランクではありません。</translation>
    </message>
    <message>
        <source>Not taken: in_dims holds {count} ranks.</source>
        <translation>採用しません: in_dims は {count} 個のランクからなります。</translation>
    </message>
    <message>
        <source>One adapter for q, k and v there, in single blocks with the feed-forward&apos;s entry; one for each of them here.</source>
        <translation>元のプログラムでは q、k、v（シングルブロックではフィードフォワードの入口も）に一つのアダプター、Mantissa ではそれぞれに一つです。</translation>
    </message>
    <message>
        <source>One adapter for q, k and v there, one for each of them here.</source>
        <translation>元のプログラムでは q、k、v に一つのアダプター、Mantissa ではそれぞれに一つです。</translation>
    </message>
    <message>
        <source>q, k and v have an adapter each here too.</source>
        <translation>Mantissa でも q、k、v にはそれぞれアダプターがあります。</translation>
    </message>
    <message>
        <source>noise on the weights while training (LoRA-GGPO)</source>
        <translation>学習中に重みへ加えるノイズ（LoRA-GGPO）</translation>
    </message>
    <message>
        <source>Something else is compared with the flow there; here the model predicts the flow itself (raw).</source>
        <translation>元のプログラムでは別の量をフローと比較します。Mantissa ではモデルはフローそのものを予測します（raw）。</translation>
    </message>
    <message>
        <source>Not given: the model&apos;s estimate of the image is compared with the flow there; here the model predicts the flow itself (raw).</source>
        <translation>指定なし: 元のプログラムではモデルによる画像の推定をフローと比較します。Mantissa ではモデルはフローそのものを予測します（raw）。</translation>
    </message>
    <message>
        <source>T5 reads 512 tokens of a caption here, 256 for schnell.</source>
        <translation>Mantissa では T5 はキャプションの 512 トークンを読みます（schnell では 256）。</translation>
    </message>
    <message>
        <source>{file}: {module} has down {down} and up {up}, but the model&apos;s weight is {shape}. Was it made for another base model?</source>
        <translation>{file}: {module} の down は {down}、up は {up} ですが、モデルの重みは {shape} です。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>{file}: {module} holds {count} magnitudes, but the model&apos;s weight {shape} has {channels} channels on that axis</source>
        <translation>{file}: {module} には大きさが {count} 個ありますが、モデルの重み {shape} のその軸には {channels} チャンネルあります</translation>
    </message>
    <message>
        <source>{file}: it adapts {module}, but the base model has no such layer. Was it made for another base model?</source>
        <translation>{file}: {module} を変えますが、ベースモデルにそのような層がありません。別のベースモデル用ではありませんか？</translation>
    </message>
    <message>
        <source>{path}: the run&apos;s training adapter is missing. Restore it, or give its new place with --training-adapter</source>
        <translation>{path}: この実行の学習用補助アダプターがありません。元に戻すか、--training-adapter で新しい場所を指定してください</translation>
    </message>
    <message>
        <source>{path}: no such training adapter (--training-adapter)</source>
        <translation>{path}: そのような学習用補助アダプターはありません (--training-adapter)</translation>
    </message>
    <message>
        <source>{file} is a DoRA, which scales the base model&apos;s weights, and training.method full changes them. Take a training adapter without magnitudes, or set training.method to adapter</source>
        <translation>{file} はベースモデルの重みを拡大・縮小する DoRA ですが、training.method full はその重みを変えます。大きさを持たない学習用補助アダプターを使うか、training.method を adapter にしてください</translation>
    </message>
    <message>
        <source>{file} is a DoRA, which scales the base model&apos;s weights, and adapter.init pissa takes a part out of them. Set adapter.init to standard</source>
        <translation>{file} はベースモデルの重みを拡大・縮小する DoRA ですが、adapter.init pissa はその一部を取り出します。adapter.init を standard にしてください</translation>
    </message>
    <message>
        <source>{file} changes {weight}, which a training adapter can&apos;t: it must leave norms and biases as they are. Merge it into the base model (`mantissa merge`), if samples may have it too</source>
        <translation>{file} は {weight} を変えますが、学習用補助アダプターはノルムやバイアスを変えられません。サンプルにも効いてよければ、ベースモデルにマージしてください (`mantissa merge`)</translation>
    </message>
    <message>
        <source>{file}: {count} of its modules are of text encoders that aren&apos;t trained; they are left out, since captions are encoded before the steps</source>
        <translation>{file}: モジュールのうち {count} 個は学習しないテキストエンコーダーのものです。キャプションはステップの前にエンコードされるため、これらは使われません</translation>
    </message>
    <message>
        <source>training adapter {file} at weight {weight}: {count} modules, active in the losses of training and validation, not in samples or the saved file</source>
        <translation>学習用補助アダプター {file}、強さ {weight}: モジュール {count} 個。学習と検証の損失では有効で、サンプルと保存されるファイルには含まれません</translation>
    </message>
    <message>
        <source>must be a list of objects with file and weight</source>
        <translation>file と weight を持つオブジェクトのリストでなければなりません</translation>
    </message>
    <message>
        <source>--training-adapter: the run was started without one, and a resumed run can&apos;t change that. Leave the option out, or start a new run</source>
        <translation>--training-adapter: この実行は補助アダプターなしで始まっており、再開時には変えられません。オプションを外すか、新しい実行を始めてください</translation>
    </message>
    <message>
        <source>--training-adapter: a resumed run has the training adapters it was started with, at their weights: {adapters}. Only their places may be others</source>
        <translation>--training-adapter: 再開した実行の補助アダプターと強さは開始時と同じです: {adapters}。変えられるのは場所だけです</translation>
    </message>
    <message>
        <source>Belongs to the run: give the file as its training adapter (--training-adapter).</source>
        <translation>実行に属します。ファイルを学習用補助アダプターとして指定してください (--training-adapter)。</translation>
    </message>
    <message>
        <source>Belongs to the run: the weight of its training adapter (--training-adapter FILE:WEIGHT).</source>
        <translation>実行に属します。学習用補助アダプターの強さです (--training-adapter FILE:WEIGHT)。</translation>
    </message>
    <message>
        <source>samples with the training adapter</source>
        <translation>学習用補助アダプターを効かせたサンプル</translation>
    </message>
    <message>
        <source>Belongs to the run, which has one if it is given.</source>
        <translation>実行に属し、指定されたときだけ使われます。</translation>
    </message>
    <message>
        <source>Belongs to the run: as its training adapter (--training-adapter) the file is active while training, but not in samples.</source>
        <translation>実行に属します。学習用補助アダプター (--training-adapter) としてのファイルは学習中に有効ですが、サンプルには効きません。</translation>
    </message>
    <message>
        <source>{file}: expected a PNG image</source>
        <translation>{file}: PNG 画像が必要です</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} has {weight}, but no {missing}: the file is incomplete. Get it again</source>
        <translation>&apos;{path}&apos;: {part} には {weight} がありますが {missing} がありません。ファイルが不完全です。入手し直してください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the {part} has no {missing}: the file is incomplete. Get it again</source>
        <translation>&apos;{path}&apos;: {part} に {missing} がありません。ファイルが不完全です。入手し直してください</translation>
    </message>
    <message>
        <source>{key} gives {resolution}, and sides are multiples of {quantum} pixels here: a square image is trained at {width} × {height}</source>
        <translation>{key} は {resolution} ですが、このモデルでは辺の長さが {quantum} ピクセルの倍数になります。正方形の画像は {width} × {height} で学習されます</translation>
    </message>
    <message>
        <source>Not taken: a resolution of {value} for {folder}.</source>
        <translation>採用しません: {folder} の解像度 {value}。</translation>
    </message>
    <message>
        <source>resolution {resolution}: {images} images, {sizes} of its sizes in use</source>
        <translation>解像度 {resolution}: 画像 {images} 枚、使われるサイズ {sizes} 種類</translation>
    </message>
    <message>
        <source>{key} gives {resolution} pixels; this model needs sides that are multiples of {least}, so at least {least}</source>
        <translation>{key} は {resolution} ピクセルですが、このモデルの辺は {least} の倍数でなければならないので、{least} 以上にしてください</translation>
    </message>
    <message>
        <source>kohya&apos;s bucket rule wants data.bucket_min ({least}) &lt;= {key} ({resolution}) &lt;= data.bucket_max ({most}); change one of them, or data.bucket_rule</source>
        <translation>kohya のバケットの規則では data.bucket_min ({least}) &lt;= {key} ({resolution}) &lt;= data.bucket_max ({most}) でなければなりません。いずれかを変えるか、data.bucket_rule を変えてください</translation>
    </message>
    <message>
        <source>Each image has one of them at random there; here it is trained at each, and an epoch is {count} times as long.</source>
        <translation>元のプログラムでは画像ごとにそのうちの 1 つが無作為に選ばれます。ここではどの画像もすべての解像度で学習し、エポックは {count} 倍の長さになります。</translation>
    </message>
    <message>
        <source>more than the side of a square as one folder&apos;s resolution ({folder}: {value})</source>
        <translation>1 つのフォルダーの解像度としての、正方形の辺以外の指定（{folder}: {value}）</translation>
    </message>
    <message>
        <source>Several folders are called {folder}, with other repeats, weights or resolutions each: one name has one rule here, so they have none.</source>
        <translation>{folder} という名前のフォルダーが複数あり、繰り返し回数、重みまたは解像度が異なります。Mantissa では 1 つの名前に設定は 1 つだけなので、どれにも設定されません。</translation>
    </message>
    <message>
        <source>a list of whole numbers from {least} to {most}, each once</source>
        <translation>{least} から {most} までの、重複のない整数のリスト</translation>
    </message>
    <message>
        <source>whole numbers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>{key} is {value}, which is in the list already; give each once</source>
        <translation>{key} の {value} はすでにリストにあります。それぞれ 1 回だけ書いてください</translation>
    </message>
    <message>
        <source>A folder has one resolution here, or those of all images: the first data set&apos;s count.</source>
        <translation>ここではフォルダーごとの解像度は 1 つ、またはすべての画像に共通のものだけです。最初のデータセットのものが使われます。</translation>
    </message>
    <message>
        <source>{count} of {images} images are smaller than the size they are trained at for the resolution {resolution} and are enlarged, {name} the most: {factor} times. Use larger images, or leave that resolution out</source>
        <translation>解像度 {resolution} では {images} 枚中 {count} 枚の画像が学習サイズより小さく、拡大されます。最も大きく拡大されるのは {name} で {factor} 倍です。より大きな画像を使うか、その解像度を外してください</translation>
    </message>
    <message>
        <source>{count} of the first {images} images are smaller than the size they are trained at for the resolution {resolution} and are enlarged, {name} the most: {factor} times. Use larger images, or leave that resolution out</source>
        <translation>解像度 {resolution} では最初の {images} 枚中 {count} 枚の画像が学習サイズより小さく、拡大されます。最も大きく拡大されるのは {name} で {factor} 倍です。より大きな画像を使うか、その解像度を外してください</translation>
    </message>
    <message>
        <source>must have one entry for each of {count} tensors</source>
        <translation>は {count} 個のテンソルそれぞれに 1 つずつ必要です</translation>
    </message>
    <message>
        <source>{file} was written by a newer version; verify the run with that one</source>
        <translation>{file} はより新しいバージョンで書き込まれています。そのバージョンで検証してください</translation>
    </message>
    <message>
        <source>{file} is damaged: it has another content than its checksum says. The run can&apos;t be verified; the run itself is not affected</source>
        <translation>{file} は破損しています：内容がチェックサムと一致しません。この学習は検証できませんが、学習自体に影響はありません</translation>
    </message>
    <message>
        <source>the trace of the first steps would have {bytes} bytes, more than the {most} that it may have: the run keeps none and can&apos;t be verified</source>
        <translation>最初のステップの記録は {bytes} バイトになり、上限の {most} バイトを超えます。記録は保存されず、この学習は検証できません</translation>
    </message>
    <message>
        <source>must be a list of steps</source>
        <translation>はステップのリストでなければなりません</translation>
    </message>
    <message>
        <source>the run was started with other files: {changes}. Restore them: only with the same inputs can two versions be compared</source>
        <translation>この学習は別のファイルで開始されました：{changes}。元に戻してください。2 つのバージョンを比較できるのは入力が同じ場合だけです</translation>
    </message>
    <message>
        <source>another processor or kernels: {then} then, {now} now</source>
        <translation>プロセッサーまたはカーネルが異なります：当時は {then}、現在は {now}</translation>
    </message>
    <message>
        <source>another version: {then} then, {now} now</source>
        <translation>バージョンが異なります：当時は {then}、現在は {now}</translation>
    </message>
    <message>
        <source>the fastest kernels of {device} round otherwise from run to run</source>
        <translation>{device} の最速カーネルは実行ごとに丸めが異なります</translation>
    </message>
    <message>
        <source>different: first in the loss or the gradients of step {step}</source>
        <translation>異なります：最初はステップ {step} の損失または勾配</translation>
    </message>
    <message>
        <source>different: first at {tensor} of step {step}</source>
        <translation>異なります：最初はステップ {step} の {tensor}</translation>
    </message>
    <message>
        <source>different: other tensors are trained, first {tensor}</source>
        <translation>異なります：学習されるテンソルが違います。最初は {tensor}</translation>
    </message>
    <message>
        <source>the same to the bit</source>
        <translation>ビット単位で同一</translation>
    </message>
    <message>
        <source>stopped before the verification was complete; nothing was changed</source>
        <translation>検証が終わる前に停止しました。何も変更していません</translation>
    </message>
    <message>
        <source>{folder} has no {file}: the run was made by a version that kept no trace, or ended before its first {steps} steps. It can&apos;t be verified; a new run can</source>
        <translation>{folder} に {file} がありません：記録を残さないバージョンで行われたか、最初の {steps} ステップより前に終了した学習です。この学習は検証できません。新しい学習は検証できます</translation>
    </message>
    <message>
        <source>{where}; {differences}</source>
        <translation>{where}。{differences}</translation>
    </message>
    <message>
        <source>the same within rounding ({why}): {differences}</source>
        <translation>丸めの範囲で同一 ({why})：{differences}</translation>
    </message>
    <message>
        <source>relative differences: losses and gradient norms {largest} (rounding: up to {bound}), tensor norms {norm} (up to {norm_bound})</source>
        <translation>相対差：損失と勾配ノルムは {largest} (丸めは {bound} まで)、テンソルのノルムは {norm} ({norm_bound} まで)</translation>
    </message>
    <message>
        <source>stopped while verifying; the run is as it was</source>
        <translation>検証を中止しました。学習の記録は元のままです</translation>
    </message>
    <message>
        <source>{path}: its mask is black all over the part that is trained, which counts for no more than data.unmasked_weight</source>
        <translation>{path}：学習に使う部分のマスクが真っ黒なため、data.unmasked_weight を超える重みになりません</translation>
    </message>
    <message>
        <source>The prompts without their {flags}, which samples don&apos;t have here.</source>
        <translation>プロンプトから {flags} を除きました。ここのサンプルにはないオプションです。</translation>
    </message>
    <message>
        <source>no choice of types is within these limits: the smallest takes {bytes}, the fastest {time} a step; raise --fit or --step-time, or lower data.batch_size or data.resolution</source>
        <translation>この制限に収まる型の選び方はありません：最小でも {bytes}、最速でも 1 ステップ {time} かかります。--fit か --step-time を上げるか、data.batch_size か data.resolution を下げてください</translation>
    </message>
    <message>
        <source>{value}: {allowed} is expected</source>
        <translation>{value}：{allowed}を指定してください</translation>
    </message>
    <message>
        <source>Not given: kohya_ss passes its epochs.</source>
        <translation>指定なし：kohya_ss はエポック数を渡します。</translation>
    </message>
    <message>
        <source>{note} Limits the norm of all gradients here, each of them there.</source>
        <translation>{note} ここでは勾配全体のノルムを、元のプログラムでは勾配ごとに制限します。</translation>
    </message>
    <message>
        <source>Its options count as keys of their own, before the same ones elsewhere. No command is run.</source>
        <translation>そのオプションは個別のキーとして、ほかの同じキーより優先されます。コマンドは実行しません。</translation>
    </message>
    <message>
        <source>no memory was taken after the first step began</source>
        <translation>最初のステップの開始後、メモリは追加で確保されませんでした</translation>
    </message>
    <message>
        <source>memory was taken {count} times after the first step began, more than was planned</source>
        <translation>最初のステップの開始後にメモリが {count} 回追加で確保されました。計画より多く使用しています</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no list of tags: its first line has no column {column}. Get the tagger&apos;s selected_tags.csv again</source>
        <translation>「{file}」はタグの一覧ではありません: 1 行目に列 {column} がありません。タガーの selected_tags.csv を取得し直してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no list of tags: it isn&apos;t UTF-8</source>
        <translation>「{file}」はタグの一覧ではありません: UTF-8 ではありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;, line {line}: a tag with its category is expected. Get the tagger&apos;s selected_tags.csv again</source>
        <translation>「{file}」の {line} 行目: タグとその分類が必要です。タガーの selected_tags.csv を取得し直してください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; lists no tags</source>
        <translation>「{file}」にはタグがありません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; is no tagger that is read here: it has no tensor {tensor}. Taggers of the kinds ViT and EVA-02 under timm&apos;s names are read, such as wd-vit-tagger-v3 and wd-eva02-large-tagger-v3</source>
        <translation>「{file}」は読み込めるタガーではありません: テンソル {tensor} がありません。wd-vit-tagger-v3 や wd-eva02-large-tagger-v3 など、timm の名前の ViT と EVA-02 のタガーを読み込めます</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: {key} is {value}, which isn&apos;t read here</source>
        <translation>「{file}」: {key} の値 {value} には対応していません</translation>
    </message>
    <message>
        <source>&apos;{file}&apos; has positions of {positions} tokens of {width} channels in {heads} heads, which make no square of patches</source>
        <translation>「{file}」の位置は {positions} トークン、{width} チャネル、{heads} ヘッドで、パッチの正方形になりません</translation>
    </message>
    <message>
        <source>&apos;{folder}&apos; has the tagger&apos;s model.onnx alone; put its model.safetensors and config.json beside it</source>
        <translation>「{folder}」にはタガーの model.onnx しかありません。model.safetensors と config.json を同じ場所に置いてください</translation>
    </message>
    <message>
        <source>&apos;{folder}&apos; holds no tagger: model.safetensors, config.json and selected_tags.csv are expected, as their authors publish them</source>
        <translation>「{folder}」にタガーがありません: 作者が公開している model.safetensors、config.json、selected_tags.csv が必要です</translation>
    </message>
    <message>
        <source>the tagger lacks its weight {weight}</source>
        <translation>タガーの重み {weight} がありません</translation>
    </message>
    <message>
        <source>the tagger&apos;s weight {weight} has shape {shape}; {expected} is expected</source>
        <translation>タガーの重み {weight} の形は {shape} ですが、{expected} が必要です</translation>
    </message>
    <message>
        <source>&apos;{list}&apos; lists {tags} tags, but the network of &apos;{file}&apos; tells {outputs}; take both from the same tagger</source>
        <translation>「{list}」には {tags} 個のタグがありますが、「{file}」のネットワークの出力は {outputs} 個です。同じタガーのものを使ってください</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;: the tagger&apos;s weight {weight} is of type {type}; F32, BF16 and F16 are read</source>
        <translation>「{file}」: タガーの重み {weight} の型は {type} です。F32、BF16、F16 を読み込めます</translation>
    </message>
    <message>
        <source>&apos;{file}&apos;, which holds the captions from before, is damaged</source>
        <translation>以前のキャプションを保存した「{file}」が壊れています</translation>
    </message>
    <message>
        <source>there are no captions to put back: none was written by `mantissa caption`, or all are put back already</source>
        <translation>元に戻すキャプションはありません: `mantissa caption` で書かれたものがないか、すでに元に戻されています</translation>
    </message>
    <message>
        <source>{setting} compares with the base model, and training.method full changes its weights: none is left to compare with. Set training.method to adapter</source>
        <translation>{setting} はベースモデルと比較しますが、training.method が full だとその重み自体が変わり、比較するものが残りません。training.method を adapter にしてください</translation>
    </message>
    <message>
        <source>{setting} compares with the base model, and adapter.init pissa moves a part of its weights into the adapter. Set adapter.init to standard</source>
        <translation>{setting} はベースモデルと比較しますが、adapter.init が pissa だとその重みの一部がアダプターに移ります。adapter.init を standard にしてください</translation>
    </message>
    <message>
        <source>{setting} compares with the base model, whose captions are encoded before the steps. Set training.parts to [&quot;denoiser&quot;]</source>
        <translation>{setting} はベースモデルと比較し、そのキャプションはステップの前にエンコードされます。training.parts を [&quot;denoiser&quot;] にしてください</translation>
    </message>
    <message>
        <source>training.preservation is class, and {setting} is empty. Set it, or set training.preservation to empty</source>
        <translation>training.preservation が class ですが、{setting} が空です。設定するか、training.preservation を empty にしてください</translation>
    </message>
    <message>
        <source>training.class_word is the same as training.trigger_word; it should be what that is an example of, such as person or dog</source>
        <translation>training.class_word が training.trigger_word と同じです。トリガーワードが属するもの（person、dog など）を指定してください</translation>
    </message>
    <message>
        <source>training.preservation is empty, and every caption is empty: nothing is left to preserve. Set it to off, or write captions</source>
        <translation>training.preservation が empty で、キャプションもすべて空です。保持するものがありません。off にするか、キャプションを書いてください</translation>
    </message>
    <message>
        <source>training.preservation: no caption contains training.trigger_word, {word}. Write it into the captions, or correct the setting</source>
        <translation>training.preservation：training.trigger_word の {word} を含むキャプションがありません。キャプションに書き入れるか、設定を直してください</translation>
    </message>
    <message>
        <source>images whose caption lacks the trigger word, trained without preservation</source>
        <translation>キャプションにトリガーワードがなく、出力の保持なしで学習する画像</translation>
    </message>
    <message>
        <source>the step lacks its preservation weights; was the trace written without training.preservation?</source>
        <translation>ステップに出力保持の重みがありません。training.preservation なしで書き出したトレースではありませんか？</translation>
    </message>
    <message>
        <source>Put into captions there; here they must contain it.</source>
        <translation>元のプログラムではキャプションに挿入されます。ここではキャプションに含まれている必要があります。</translation>
    </message>
    <message>
        <source>training.purpose is {purpose}, whose adapter is used at negative weights too, and one with DoRA&apos;s magnitudes isn&apos;t the opposite there. Set adapter.type to lora and adapter.decompose to false</source>
        <translation>training.purpose が {purpose} のアダプターは負の重みでも使われますが、DoRA のマグニチュードがあると負の重みで逆向きになりません。adapter.type を lora、adapter.decompose を false にしてください</translation>
    </message>
    <message>
        <source>training.purpose is slider, and slider.positive is the same as slider.negative. Set them to the two ends of the attribute</source>
        <translation>training.purpose が slider ですが、slider.positive と slider.negative が同じです。属性の両端をそれぞれ指定してください</translation>
    </message>
    <message>
        <source>training.purpose is slider, which learns from prompts, and --references gives images. Leave them out, or set training.purpose to pair_slider, which learns from pairs of images</source>
        <translation>training.purpose が slider のときはプロンプトから学習しますが、--references に画像が指定されています。指定を外すか、画像のペアから学習する pair_slider を training.purpose に設定してください</translation>
    </message>
    <message>
        <source>training.purpose is pair_slider, which trains an adapter and its opposite on pairs of images (--images, --references): {setting} doesn&apos;t go with it. Leave it out</source>
        <translation>training.purpose は pair_slider です。これは、アダプターとその逆向きを画像のペア (--images、--references) から学習するもので、{setting} とは併用できません。指定を外してください</translation>
    </message>
    <message>
        <source>training.purpose is pair_slider, and no negative images are given. Put one of the name of each image into a folder (--references)</source>
        <translation>training.purpose が pair_slider ですが、負側の画像が指定されていません。各画像と同じ名前の画像をフォルダーに入れて指定してください (--references)</translation>
    </message>
    <message>
        <source>training.purpose is pair_slider, and {path} has no partner: {reason}. Each image needs a negative one of its name, or a line of a list (--references)</source>
        <translation>training.purpose が pair_slider ですが、{path} には相手の画像がありません: {reason}。各画像には同じ名前の負側の画像か、リストの行が必要です (--references)</translation>
    </message>
    <message>
        <source>{path} has {count} negative images, and a pair has one. Give one folder of them (--references)</source>
        <translation>{path} には負側の画像が {count} 枚ありますが、ペアの相手は 1 枚です。フォルダーは 1 つだけ指定してください (--references)</translation>
    </message>
    <message>
        <source>{path} is {width}x{height} pixels and its negative image {file} {other_width}x{other_height}: the images of a pair have one size. Crop or resize one of them</source>
        <translation>{path} は {width}x{height} ピクセル、負側の画像 {file} は {other_width}x{other_height} ピクセルです。ペアの画像は同じサイズでなければなりません。どちらかを切り抜くかリサイズしてください</translation>
    </message>
    <message>
        <source>the step lacks its negative images; was the trace written without training.purpose pair_slider?</source>
        <translation>ステップに負側の画像がありません。training.purpose が pair_slider でないときに書き出したトレースではありませんか？</translation>
    </message>
    <message>
        <source>Each file holds a pair side by side there. Cut them in the middle: the right halves are the run&apos;s images, the left ones, of the same names, its references.</source>
        <translation>元のプログラムでは 1 ファイルに左右に並べたペアが入っています。中央で切り分けてください。右半分が学習画像、同じ名前の左半分が参照画像になります。</translation>
    </message>
    <message>
        <source>Chosen for each run: pos_folder has its images, neg_folder its references.</source>
        <translation>学習ごとに選びます: pos_folder が学習画像、neg_folder が参照画像です。</translation>
    </message>
    <message>
        <source>other weights at a slider&apos;s ends</source>
        <translation>スライダー両端のほかの重み</translation>
    </message>
    <message>
        <source>{option} is for training on images, and training.purpose is {purpose}: the base model makes its images of {prompts}. Leave it out</source>
        <translation>{option} は画像での学習用ですが、training.purpose は {purpose} です。画像は {prompts} からベースモデルが作ります。指定を外してください</translation>
    </message>
    <message>
        <source>{file} isn&apos;t what the run wrote: it should hold {count} values of images that the base model made. Remove it, and they are made again</source>
        <translation>{file} はこの学習が書いたものではありません。ベースモデルが作った画像の値が {count} 個あるはずです。削除すれば作り直されます</translation>
    </message>
    <message>
        <source>training.purpose {purpose} can&apos;t be probed: it trains on images that its run makes. Probe with training.purpose images</source>
        <translation>training.purpose {purpose} は精度テストできません。学習に使う画像を学習自身が作るためです。training.purpose を images にしてテストしてください</translation>
    </message>
    <message>
        <source>Beside twice the loss on the target there, once here.</source>
        <translation>元のプログラムでは対象の損失 2 つ分、ここでは 1 つ分に対する重みです。</translation>
    </message>
    <message>
        <source>{library} is not installed ({file}). Install NVIDIA&apos;s libraries with `mantissa cuda install` or on the studio&apos;s Device page; if they are elsewhere, name their folder in MANTISSA_CUDA_FOLDERS</source>
        <translation>{library} がインストールされていません({file})。NVIDIA のライブラリを`mantissa cuda install` またはスタジオのデバイスページでインストールしてください。ほかの場所にある場合は、そのフォルダーを MANTISSA_CUDA_FOLDERS で指定してください</translation>
    </message>
    <message>
        <source>there is an NVIDIA card, but no NVIDIA driver is installed, or it is not running. Install driver 580 or newer</source>
        <translation>NVIDIA のカードはありますが、NVIDIA ドライバーがインストールされていないか、動作していません。ドライバー 580 以降をインストールしてください</translation>
    </message>
    <message>
        <source>the graphics card is made by {maker}; Mantissa trains on NVIDIA cards (RTX 20 series or newer) and on the CPU</source>
        <translation>グラフィックカードは {maker} 製です。Mantissa は NVIDIA のカード(RTX 20 シリーズ以降)と CPU で学習します</translation>
    </message>
    <message>
        <source>{file} is no table of libraries: {reason}</source>
        <translation>{file} はライブラリの一覧ではありません: {reason}</translation>
    </message>
    <message>
        <source>could not download {url}: {reason}</source>
        <translation>{url} をダウンロードできませんでした: {reason}</translation>
    </message>
    <message>
        <source>libcurl can&apos;t be started: the system has no memory for it</source>
        <translation>libcurl を開始できません: メモリが足りません</translation>
    </message>
    <message>
        <source>the answer is longer than {bytes} bytes</source>
        <translation>応答が {bytes} バイトより長いです</translation>
    </message>
    <message>
        <source>the file is longer than {bytes} bytes</source>
        <translation>ファイルが {bytes} バイトより長いです</translation>
    </message>
    <message>
        <source>cancelled; what was downloaded is kept for the next time</source>
        <translation>キャンセルしました。ダウンロードした分は次回のために残してあります</translation>
    </message>
    <message>
        <source>{page} links to {reference}, which is no address</source>
        <translation>{page} のリンク先 {reference} はアドレスではありません</translation>
    </message>
    <message>
        <source>could not unpack {file}: {reason}</source>
        <translation>{file} を展開できませんでした: {reason}</translation>
    </message>
    <message>
        <source>it lacks {count} of the files that are needed</source>
        <translation>必要なファイルのうち {count} 個がありません</translation>
    </message>
    <message>
        <source>another program is installing or removing CUDA libraries in {folder}; wait until it has finished</source>
        <translation>別のプログラムが {folder} で CUDA ライブラリをインストールまたは削除しています。終わるまでお待ちください</translation>
    </message>
    <message>
        <source>could not remove {path}: a program that uses it is running; close it and try again</source>
        <translation>{path} を削除できませんでした: 使用中のプログラムが動作しています。閉じてからもう一度お試しください</translation>
    </message>
    <message>
        <source>the folder {folder} lacks {files}; `mantissa cuda status` lists the files that are needed</source>
        <translation>フォルダー {folder} に {files} がありません。必要なファイルは`mantissa cuda status` で確認できます</translation>
    </message>
    <message>
        <source>the CUDA libraries need {need} MB in {folder}, which has {free} MB free; free space, or set MANTISSA_HOME to a folder on another disk</source>
        <translation>CUDA ライブラリには {folder} に {need} MB が必要ですが、空きは {free} MB です。空きを増やすか、MANTISSA_HOME を別のディスクのフォルダーに設定してください</translation>
    </message>
    <message>
        <source>{page} has no file {file}; try another index with --index or MANTISSA_CUDA_INDEX</source>
        <translation>{page} に {file} がありません。--index または MANTISSA_CUDA_INDEX で別のインデックスをお試しください</translation>
    </message>
    <message>
        <source>{file} is not the file that this version of Mantissa was tested with: its SHA-256 is {found}, expected {expected}. Download it again, from another index if it stays so</source>
        <translation>{file} はこのバージョンの Mantissa でテストされたファイルではありません: SHA-256 は {found} ですが、{expected} のはずです。もう一度ダウンロードし、変わらない場合は別のインデックスを使ってください</translation>
    </message>
    <message>
        <source>{file} holds libraries of other sizes than expected</source>
        <translation>{file} に含まれるライブラリのサイズが想定と異なります</translation>
    </message>
    <message>
        <source>there are no CUDA libraries for this platform</source>
        <translation>このプラットフォーム用の CUDA ライブラリはありません</translation>
    </message>
    <message>
        <source>captioning was stopped</source>
        <translation>キャプション付けは停止されました</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>Base model the adapter is for: its modules give the names</source>
        <translation>アダプターの対象となるベースモデル: そのモジュールから名前を取ります</translation>
    </message>
    <message>
        <source>Base model: .safetensors, .gguf, diffusers folder, demo or demo-z-image</source>
        <translation>ベースモデル: .safetensors、.gguf、diffusers フォルダー、demo、demo-z-image</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>型</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>上書き</translation>
    </message>
    <message>
        <source>Replace files that exist already</source>
        <translation>すでにあるファイルを置き換える</translation>
    </message>
    <message>
        <source>DoRA&apos;s side</source>
        <translation>DoRA の側</translation>
    </message>
    <message>
        <source>Which side a DoRA&apos;s magnitudes are for, where its file leaves that open: output (PEFT, LyCORIS) or input (OneTrainer&apos;s default)</source>
        <translation>DoRA のマグニチュードがどちら側のものか、ファイルから分からない場合: output (PEFT、LyCORIS) または input (OneTrainer の既定)</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Program the file is for, as output.format in a preset</source>
        <translation>ファイルを使うプログラム。プリセットの output.format と同じです</translation>
    </message>
    <message>
        <source>Type of the tensors in the file</source>
        <translation>ファイル内のテンソルの型</translation>
    </message>
    <message>
        <source>File to write; with the format peft a folder</source>
        <translation>書き込むファイル。形式が peft ならフォルダー</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Largest rank of a module</source>
        <translation>モジュールの最大ランク</translation>
    </message>
    <message>
        <source>Share of the change</source>
        <translation>変化の割合</translation>
    </message>
    <message>
        <source>Take only as much of the rank as holds this share of the energy of each module&apos;s change, the sum of its squares</source>
        <translation>各モジュールの変化のエネルギー (二乗和) のうち、この割合を保つのに必要なランクだけを使います</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>マージ</translation>
    </message>
    <message>
        <source>Put adapters into a base model for good</source>
        <translation>アダプターをベースモデルに恒久的に組み込みます</translation>
    </message>
    <message>
        <source>Type of the weights in the file; without it, the base&apos;s</source>
        <translation>ファイル内の重みの型。省略するとベースモデルと同じ</translation>
    </message>
    <message>
        <source>What to write: a .safetensors file with LDM names, or a diffusers folder</source>
        <translation>書き込むもの: LDM の名前の .safetensors ファイル、または diffusers フォルダー</translation>
    </message>
    <message>
        <source>Adapters</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>Adapter file, or a checkpoint&apos;s or run&apos;s folder, with a weight if not 1</source>
        <translation>アダプターのファイル、またはチェックポイントや学習の出力フォルダー。重みが 1 でなければ重みも指定します</translation>
    </message>
    <message>
        <source>Extract</source>
        <translation>抽出</translation>
    </message>
    <message>
        <source>The difference between a tuned model and its base, as a LoRA</source>
        <translation>調整されたモデルとベースモデルの差を LoRA にします</translation>
    </message>
    <message>
        <source>Tuned model</source>
        <translation>調整されたモデル</translation>
    </message>
    <message>
        <source>The model that was trained or merged</source>
        <translation>学習またはマージされたモデル</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>変換</translation>
    </message>
    <message>
        <source>Write an adapter in another program&apos;s form</source>
        <translation>アダプターを別のプログラムの形式で書き出します</translation>
    </message>
    <message>
        <source>Adapter file, a folder that PEFT wrote, or a checkpoint&apos;s or run&apos;s folder</source>
        <translation>アダプターのファイル、PEFT が書いたフォルダー、またはチェックポイントや学習の出力フォルダー</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>プログラム</translation>
    </message>
    <message>
        <source>Choose a format that this program reads in full, in place of --format</source>
        <translation>このプログラムが完全に読み込める形式を、--format の代わりに選びます</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>リサイズ</translation>
    </message>
    <message>
        <source>Give an adapter another rank, by singular values</source>
        <translation>特異値によってアダプターのランクを変えます</translation>
    </message>
    <message>
        <source>Adapter file (LoRA, DoRA, LoHa, LoKr …), or a checkpoint&apos;s or run&apos;s folder</source>
        <translation>アダプターのファイル (LoRA、DoRA、LoHa、LoKr など)、またはチェックポイントや学習の出力フォルダー</translation>
    </message>
    <message>
        <source>Quantise</source>
        <translation>量子化</translation>
    </message>
    <message>
        <source>Write a base model with 8-bit or 4-bit weights, for training and for ComfyUI</source>
        <translation>学習と ComfyUI のために、8 ビットまたは 4 ビットの重みのベースモデルを書き出します</translation>
    </message>
    <message>
        <source>Type of all other weights; without it, the base model&apos;s</source>
        <translation>ほかのすべての重みの型。省略するとベースモデルと同じ</translation>
    </message>
    <message>
        <source>What to write: a .safetensors file</source>
        <translation>書き込むもの: .safetensors ファイル</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>重み</translation>
    </message>
    <message>
        <source>Type of the denoiser&apos;s linear layers; entries, exits, timestep layers, and with mxfp8 and nvfp4 those whose rows blocks don&apos;t fill, stay as they are</source>
        <translation>デノイザーの線形層の型。入口、出口、タイムステップの層、また mxfp8 と nvfp4 では行がブロックで割り切れない層は、そのまま残ります</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>確認</translation>
    </message>
    <message>
        <source>What a checkpoint, adapter or embedding holds, from its headers</source>
        <translation>チェックポイント、アダプター、埋め込みの内容を、ヘッダーから示します</translation>
    </message>
    <message>
        <source>A .safetensors or .gguf file, a diffusers folder, or a checkpoint&apos;s or run&apos;s folder</source>
        <translation>.safetensors か .gguf のファイル、diffusers フォルダー、またはチェックポイントや学習の出力フォルダー</translation>
    </message>
    <message>
        <source>Check how this program would read the adapter</source>
        <translation>このプログラムがアダプターをどう読み込むかを調べます</translation>
    </message>
    <message>
        <source>With --for: base model that the adapter is for</source>
        <translation>--for を使う場合: アダプターの対象となるベースモデル</translation>
    </message>
    <message>
        <source>{file} at strength {weight}</source>
        <translation>{file} (強度 {weight})</translation>
    </message>
    <message>
        <source>Merged {adapters} ({count} modules)</source>
        <translation>{adapters} をマージしました ({count} モジュール)</translation>
    </message>
    <message>
        <source>{count} layers as {type}, signal to rounding noise {median} dB in the median, at least {least} dB ({layer})</source>
        <translation>{count} 層を {type} で書き込みました。丸め雑音に対する信号は中央値で {median} dB、最小で {least} dB ({layer}) です</translation>
    </message>
    <message>
        <source>{count} modules, every tensor as it was</source>
        <translation>{count} モジュール。すべてのテンソルは元のままです</translation>
    </message>
    <message>
        <source>{count} modules, rank up to {rank}, at most {share}% of a change&apos;s energy left out</source>
        <translation>{count} モジュール、ランクは最大 {rank}、省かれた変化のエネルギーは最大 {share}%</translation>
    </message>
    <message>
        <source>{count} modules</source>
        <translation>{count} モジュール</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>チェックポイント</translation>
    </message>
    <message>
        <source>adapter</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>{beginning}... ({count} bytes)</source>
        <translation>{beginning}... ({count} バイト)</translation>
    </message>
    <message>
        <source>{variant} (distilled)</source>
        <translation>{variant} (蒸留)</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>モデルの種類</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>派生</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>ライセンス</translation>
    </message>
    <message>
        <source>its files state none</source>
        <translation>ファイルには記載がありません</translation>
    </message>
    <message>
        <source>Naming</source>
        <translation>名前の形式</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>テンソル</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>パラメーター</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>型</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>構成要素</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>形</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>モジュール</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Alphas</source>
        <translation>alpha</translation>
    </message>
    <message>
        <source>Words and their vectors</source>
        <translation>単語とそのベクトル数</translation>
    </message>
    <message>
        <source>--out {file}: with the format peft a folder is written; give a name without .safetensors</source>
        <translation>--out {file}: 形式が peft の場合はフォルダーに書き込まれます。.safetensors の付かない名前を指定してください</translation>
    </message>
    <message>
        <source>{count} weights changed that no LoRA can hold (norms, biases, embeddings), the first of them {weight}</source>
        <translation>LoRA では表せない重み (正規化、バイアス、埋め込み) が {count} 個変化しています。最初のものは {weight} です</translation>
    </message>
    <message>
        <source>--out {file}: the adapter is written as a file; end the name in .safetensors</source>
        <translation>--out {file}: アダプターはファイルに書き込まれます。名前の末尾を .safetensors にしてください</translation>
    </message>
    <message>
        <source>--out {file}: a model is written as a .safetensors file or as a diffusers folder, not as {extension}</source>
        <translation>--out {file}: モデルは .safetensors ファイルか diffusers フォルダーとして書き込まれます。{extension} にはできません</translation>
    </message>
    <message>
        <source>{kind} (DoRA)</source>
        <translation>{kind} (DoRA)</translation>
    </message>
    <message>
        <source>embedding {word}: {count} vectors, continued</source>
        <translation>埋め込み {word}：ベクトル {count} 個、続きから学習</translation>
    </message>
    <message>
        <source>embedding {word}: {count} random vectors</source>
        <translation>埋め込み {word}：ランダムなベクトル {count} 個</translation>
    </message>
    <message>
        <source>embedding {word}: {count} vectors, from the text {text}</source>
        <translation>埋め込み {word}：ベクトル {count} 個、テキスト「{text}」から開始</translation>
    </message>
    <message>
        <source>{file}: {tensor} must hold vectors, [count, width]; it is {dtype} of {rank} dimensions</source>
        <translation>{file}：{tensor} はベクトル [count, width] でなければなりませんが、{rank} 次元の {dtype} です</translation>
    </message>
    <message>
        <source>{file}: {tensor} holds NaN or Inf; the training that made it broke</source>
        <translation>{file}：{tensor} に NaN/Inf が含まれています。作成時の学習が破綻しています</translation>
    </message>
    <message>
        <source>{file}: the text encoders of {model} read no embeddings. Leave it out</source>
        <translation>{file}：{model} のテキストエンコーダーは埋め込みを読みません。指定から外してください</translation>
    </message>
    <message>
        <source>{file} has no {tensor}, the vectors for a text encoder of {model}. Was it made for another base model?</source>
        <translation>{file} に {tensor}（{model} のテキストエンコーダー用のベクトル）がありません。別のベースモデル用に作られたものではありませんか</translation>
    </message>
    <message>
        <source>{file} holds {first} vectors for one text encoder and {second} for the other</source>
        <translation>{file} のベクトル数は一方のテキストエンコーダーで {first}、もう一方で {second} です</translation>
    </message>
    <message>
        <source>the embeddings of {word} have {given} values a vector and others {wanted}; they are for different base models</source>
        <translation>{word} の埋め込みは 1 ベクトルあたり {given} 個の値ですが、ほかは {wanted} 個です。別々のベースモデル用です</translation>
    </message>
    <message>
        <source>the embeddings have {given} values a vector, but a text encoder of the base model takes {wanted}. Were they made for another base model?</source>
        <translation>埋め込みは 1 ベクトルあたり {given} 個の値ですが、ベースモデルのテキストエンコーダーは {wanted} 個です。別のベースモデル用に作られたものではありませんか</translation>
    </message>
    <message>
        <source>--embedding: two files are for the word {word}. Give one of them another, as in FILE:WORD</source>
        <translation>--embedding：2 つのファイルが同じ言葉 {word} 用です。一方に FILE:WORD の形で別の言葉を指定してください</translation>
    </message>
    <message>
        <source>the embedding of {word} to continue from has vectors of {given} values, but {part} of the base model takes {wanted}. Was it made for another base model?</source>
        <translation>続きから学習する {word} の埋め込みは 1 ベクトルあたり {given} 個の値ですが、ベースモデルの {part} は {wanted} 個です。別のベースモデル用に作られたものではありませんか</translation>
    </message>
    <message>
        <source>embedding.tokens: init of {word} holds no token to start from. Leave it empty for random vectors, or write a word</source>
        <translation>embedding.tokens：{word} の init に開始点となるトークンがありません。ランダムなベクトルにするなら空にし、そうでなければ言葉を書いてください</translation>
    </message>
    <message>
        <source>training.parts has embeddings, and the text encoders of {model} read none here. Take them out, or choose another base model</source>
        <translation>training.parts に embeddings がありますが、Mantissa では {model} のテキストエンコーダーは埋め込みを読みません。外すか、別のベースモデルを選んでください</translation>
    </message>
    <message>
        <source>output.bundle_embeddings is for the file of an adapter, and this run writes none. Turn it off</source>
        <translation>output.bundle_embeddings はアダプターのファイルのためのものですが、この実行は書き出しません。オフにしてください</translation>
    </message>
    <message>
        <source>output.bundle_embeddings is on, and output.format is {format}, whose readers refuse an adapter with words in it. Turn it off, or choose kohya</source>
        <translation>output.bundle_embeddings がオンですが、output.format は {format} で、これを読むプログラムは単語を含むアダプターを拒みます。オフにするか、kohya を選んでください</translation>
    </message>
    <message>
        <source>the word {word} is in what {model} puts around every text, where it would become its vectors too. Choose another word</source>
        <translation>言葉 {word} は、{model} がすべてのテキストの周りに置く文にあり、そこでもそのベクトルになってしまいます。別の言葉を選んでください</translation>
    </message>
    <message>
        <source>{file} bundles the embedding of {word}, which this run doesn&apos;t train: what it writes would lack it. Add embeddings to training.parts, and the word to embedding.tokens</source>
        <translation>{file} には {word} の埋め込みが同梱されていますが、この実行はそれを学習しないため、書き出すファイルから失われます。training.parts に embeddings を、embedding.tokens にその言葉を加えてください</translation>
    </message>
    <message>
        <source>two adapters bundle an embedding of the word {word}. Leave one of them out, or give the embedding that counts (--embedding)</source>
        <translation>2 つのアダプターに言葉 {word} の埋め込みが同梱されています。どちらかを外すか、使う埋め込みを指定してください（--embedding）</translation>
    </message>
    <message>
        <source>{file}: {tensor} takes the place of what a text encoder gives (OneTrainer&apos;s output embedding); only vectors that it reads are applied. Train the word there without that option</source>
        <translation>{file}：{tensor} はテキストエンコーダーの出力に置き換わるものです（OneTrainer の output embedding）。適用できるのはエンコーダーが読むベクトルだけです。そのオプションなしで学習し直してください</translation>
    </message>
    <message>
        <source>Not offered here: the vectors are what the text encoders read.</source>
        <translation>ここにはありません。ベクトルはテキストエンコーダーが読むものです。</translation>
    </message>
    <message>
        <source>training.parts has embeddings, and embedding.tokens names no word. Add one, or take embeddings out</source>
        <translation>training.parts に embeddings がありますが、embedding.tokens に言葉がありません。追加するか、embeddings を外してください</translation>
    </message>
    <message>
        <source>training.method is full, and training.parts has embeddings alone: no weight of the model changes. Set training.method to adapter</source>
        <translation>training.method が full で、training.parts は embeddings だけです。モデルの重みは変わりません。training.method を adapter にしてください</translation>
    </message>
    <message>
        <source>output.name and a word of embedding.tokens are both {name}, and so would their files be. Change output.name</source>
        <translation>output.name と embedding.tokens の言葉がどちらも {name} で、ファイル名が同じになります。output.name を変えてください</translation>
    </message>
    <message>
        <source>embedding.tokens: no caption contains {word}, so nothing would train its vectors. Write it into the captions, or correct the setting</source>
        <translation>embedding.tokens：{word} を含むキャプションがないため、ベクトルが学習されません。キャプションに書くか、設定を直してください</translation>
    </message>
    <message>
        <source>{file} holds {given} vectors, but embedding.tokens says {wanted} for {word}. Set vectors to {given}</source>
        <translation>{file} のベクトルは {given} 個ですが、embedding.tokens では {word} が {wanted} 個です。vectors を {given} にしてください</translation>
    </message>
    <message>
        <source>{key} is &quot;{value}&quot;, which already has an entry; give each word one entry</source>
        <translation>{key} は &quot;{value}&quot; ですが、その項目はすでにあります。言葉ごとに 1 項目にしてください</translation>
    </message>
    <message>
        <source>Not given: name the word in embedding.tokens before training.</source>
        <translation>指定なし：学習前に embedding.tokens に言葉を書いてください。</translation>
    </message>
    <message>
        <source>Without its angle brackets: write {word} into captions and prompts.</source>
        <translation>山括弧を除きました。キャプションとプロンプトには {word} と書いてください。</translation>
    </message>
    <message>
        <source>captions from templates; write the word into them</source>
        <translation>テンプレートによるキャプション。言葉はキャプションに書いてください</translation>
    </message>
    <message>
        <source>vectors that keep their length</source>
        <translation>長さを保つベクトル</translation>
    </message>
    <message>
        <source>Vectors are FP32 here.</source>
        <translation>Mantissa ではベクトルは FP32 です。</translation>
    </message>
    <message>
        <source>Counts where embeddings are trained there.</source>
        <translation>埋め込みを学習する場合にだけ効く項目です。</translation>
    </message>
    <message>
        <source>None of them is trained there.</source>
        <translation>元のプログラムではどれも学習されません。</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>埋め込み</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>ベクトル</translation>
    </message>
    <message>
        <source>another process trains the run by now; ask again</source>
        <translation>この学習は現在、別のプロセスが実行しています。もう一度要求してください</translation>
    </message>
    <message>
        <source>no process trains the run in {folder}; continue it with mantissa train --resume {folder}</source>
        <translation>{folder} の学習を実行しているプロセスはありません。mantissa train --resume {folder} で再開してください</translation>
    </message>
    <message>
        <source>the process of the run ended without a word: {reason}</source>
        <translation>学習のプロセスが理由を示さずに終了しました: {reason}</translation>
    </message>
    <message>
        <source>the process that trained the run {run} is gone: it was killed, or it crashed. Resume continues from the last checkpoint</source>
        <translation>学習 {run} のプロセスがなくなりました。強制終了されたか、異常終了しました。「学習を再開」で最後のチェックポイントから続けられます</translation>
    </message>
    <message>
        <source>the process that trains the run in {folder} has not answered within {seconds} s; the request is withdrawn</source>
        <translation>{folder} の学習のプロセスが {seconds} 秒以内に応答しませんでした。要求を取り消しました</translation>
    </message>
    <message>
        <source>the process that trains the run in {folder} takes no requests: it is of an earlier version. Stop it where it was started</source>
        <translation>{folder} の学習のプロセスは以前のバージョンのため、要求を受け付けません。開始した場所で停止してください</translation>
    </message>
    <message>
        <source>the run is followed no longer; it goes on</source>
        <translation>学習の追跡を終了しました。学習は続きます</translation>
    </message>
    <message>
        <source>this is no request to a run</source>
        <translation>これは学習への要求ではありません</translation>
    </message>
    <message>
        <source>the text is UTF-16; save it as UTF-8</source>
        <translation>テキストが UTF-16 です。UTF-8 で保存し直してください</translation>
    </message>
    <message>
        <source>the text encoder has room for {most} of the {count} reference images of a prompt. Give fewer of them</source>
        <translation>テキストエンコーダーが受け取れるのは、プロンプトの参照画像 {count} 枚のうち {most} 枚です。枚数を減らしてください</translation>
    </message>
    <message>
        <source>&apos;{path}&apos;: the text encoder lacks its vision tower (visual.…), through which it sees reference images. Get the base model&apos;s text_encoder folder again, or a file of the text encoder that has the tower</source>
        <translation>&apos;{path}&apos;: テキストエンコーダーに、参照画像を見るためのビジョンタワー (visual.…) がありません。ベースモデルの text_encoder フォルダーを入手し直すか、ビジョンタワーを含むテキストエンコーダーのファイルを使ってください</translation>
    </message>
    <message>
        <source>{option}: the text encoder of {model} sees the reference images with each caption, so with references captions are encoded before the steps. Train the denoiser alone, without shuffled captions</source>
        <translation>{option}: {model} のテキストエンコーダーは各キャプションと一緒に参照画像も見るため、参照画像があるときキャプションはステップの前にエンコードされます。キャプションをシャッフルせず、デノイザーだけを学習してください</translation>
    </message>
    <message>
        <source>{path} is one of {count} references of one image, and the base model reads {most}. Keep one, or put them side by side into one image</source>
        <translation>{path} は 1 枚の画像の参照 {count} 枚のうちの 1 枚ですが、ベースモデルが読むのは {most} 枚です。1 枚だけ残すか、並べて 1 枚の画像にしてください</translation>
    </message>
    <message>
        <source>{model} never learned to read reference images: an adapter has to teach it that too. Choose {edits} as the base model, or go on if the file is that model by another name</source>
        <translation>{model} は参照画像の読み方を学習していないため、アダプターがそれも教えることになります。ベースモデルに {edits} を選んでください。別名の同じモデルであればそのまま続けてください</translation>
    </message>
    <message>
        <source>{model} edits images ({evidence}), and the run has no reference images. Give folders of them, or choose a base model that doesn&apos;t edit</source>
        <translation>{model} は画像を編集するモデルですが（{evidence}）、この学習には参照画像がありません。参照画像のフォルダーを指定するか、編集しないベースモデルを選んでください</translation>
    </message>
    <message>
        <source>Folders of reference images are chosen for each run, with base models that edit.</source>
        <translation>参照画像のフォルダーは、編集するベースモデルでの学習ごとに選びます。</translation>
    </message>
    <message>
        <source>several results of one image</source>
        <translation>1 枚の画像に対する複数の結果</translation>
    </message>
    <message>
        <source>a reference of {width}x{height} pixels is too narrow to be shown to the text encoder</source>
        <translation>{width}x{height} ピクセルの参照画像は細長すぎて、テキストエンコーダーに見せられません</translation>
    </message>
    <message>
        <source>A run with reference images (--references) trains an edit.</source>
        <translation>参照画像付きの学習 (--references) が編集の学習になります。</translation>
    </message>
    <message>
        <source>reference images that attend to nothing but each other</source>
        <translation>互いにしか注意を向けない参照画像</translation>
    </message>
    <message>
        <source>another size of the images that the text encoder sees</source>
        <translation>テキストエンコーダーに見せる画像の別のサイズ</translation>
    </message>
    <message>
        <source>reference images in their image&apos;s places</source>
        <translation>画像と同じ位置に置かれる参照画像</translation>
    </message>
    <message>
        <source>another size of reference images</source>
        <translation>参照画像の別のサイズ</translation>
    </message>
    <message>
        <source>it has the tensor &apos;{tensor}&apos;</source>
        <translation>テンソル「{tensor}」があります</translation>
    </message>
    <message>
        <source>a reference image of {width}x{height} pixels is too narrow for the text encoder</source>
        <translation>{width}x{height} ピクセルの参照画像は、テキストエンコーダーには細長すぎます</translation>
    </message>
    <message>
        <source>{model} reads no reference images: {reason}. Leave {option} out, or choose a base model that edits images, such as {edits}</source>
        <translation>{model} は参照画像を読みません: {reason}。{option} を外すか、{edits} のような画像を編集するベースモデルを選んでください</translation>
    </message>
    <message>
        <source>nothing tells whether {model} edits images: with references it is taken for {edits}. A model that draws from text alone would have to learn to read them from the adapter&apos;s images</source>
        <translation>{model} が画像を編集するモデルかどうかを示すものがないため、参照画像があるときは {edits} として扱います。テキストだけから描くモデルであれば、参照画像の読み方もアダプターの画像から学習することになります</translation>
    </message>
    <message>
        <source>its config has {field} {value}</source>
        <translation>config の {field} が {value}</translation>
    </message>
    <message>
        <source>it draws from text alone ({evidence})</source>
        <translation>テキストだけから描くモデルです（{evidence}）</translation>
    </message>
    <message>
        <source>is {found}, less than the {side} pixels of a token&apos;s side</source>
        <translation>は {found} で、トークン 1 辺の {side} ピクセルより小さくなっています</translation>
    </message>
    <message>
        <source>The base model&apos;s file tells whether it edits.</source>
        <translation>編集するモデルかどうかは、ベースモデルのファイルでわかります。</translation>
    </message>
    <message>
        <source>{settings} can&apos;t change while a run trains; these settings can: {live}</source>
        <translation>{settings} は学習中に変更できません。変更できる設定: {live}</translation>
    </message>
    <message>
        <source>{request} needs the settings: --set KEY=VALUE, once for each</source>
        <translation>{request} には設定が必要です。--set KEY=VALUE を設定ごとに指定してください</translation>
    </message>
    <message>
        <source>--set belongs to the request {change}, not to {request}</source>
        <translation>--set は {change} の要求で使うもので、{request} では使えません</translation>
    </message>
    <message>
        <source>Its rates are FP32 here, and 8 bits there.</source>
        <translation>その学習率はここでは FP32、元のプログラムでは 8 ビットです。</translation>
    </message>
    <message>
        <source>{optimizer} is another method than automagic and not offered here: adamw instead, whose usual learning rate is 1e-4.</source>
        <translation>{optimizer} は automagic とは別の手法で、ここでは対応していません。代わりに adamw にしました。その通常の学習率は 1e-4 です。</translation>
    </message>
    <message>
        <source>another epsilon of Automagic</source>
        <translation>Automagic の別のイプシロン</translation>
    </message>
    <message>
        <source>another least rate of Automagic</source>
        <translation>Automagic の別の最小学習率</translation>
    </message>
    <message>
        <source>another highest rate of Automagic</source>
        <translation>Automagic の別の最大学習率</translation>
    </message>
    <message>
        <source>another step of Automagic&apos;s rates</source>
        <translation>Automagic の学習率の別の変化幅</translation>
    </message>
    <message>
        <source>another limit on the size of updates</source>
        <translation>更新の大きさの別の上限</translation>
    </message>
    <message>
        <source>StableAdamW&apos;s limit on updates</source>
        <translation>StableAdamW の更新量の上限</translation>
    </message>
    <message>
        <source>Above 0.001, its rates begin at 1e-6 there.</source>
        <translation>0.001 を超える場合、元のプログラムでは学習率は 1e-6 から始まります。</translation>
    </message>
    <message>
        <source>Automagic has no schedule there.</source>
        <translation>元のプログラムでは Automagic にスケジュールはありません。</translation>
    </message>
    <message>
        <source>training.purpose is adapter, which trains an adapter of the denoiser on images that the base model makes, as it is: {setting} doesn&apos;t go with it. Leave it out</source>
        <translation>training.purpose は adapter です。これは、ベースモデルがそのままの状態で作る画像で denoiser のアダプターを学習するもので、{setting} とは併用できません。指定を外してください</translation>
    </message>
    <message>
        <source>training.purpose is adapter, and distilled.prompts is empty: the base model makes its images of these. Write one on each line</source>
        <translation>training.purpose が adapter ですが、distilled.prompts が空です。ベースモデルはこのプロンプトから画像を作ります。1 行に 1 つずつ書いてください</translation>
    </message>
    <message>
        <source>The same here.</source>
        <translation>ここでも同じです。</translation>
    </message>
    <message>
        <source>process {number}</source>
        <translation>プロセス {number}</translation>
    </message>
    <message>
        <source>process {number} on {host}</source>
        <translation>{host} のプロセス {number}</translation>
    </message>
    <message>
        <source>{count} processes</source>
        <translation>{count} 個のプロセス</translation>
    </message>
    <message>
        <source>{count} cards</source>
        <translation>{count} 枚のカード</translation>
    </message>
    <message>
        <source>Always on there for this model family.</source>
        <translation>元のプログラムでは、このモデルファミリーで常に有効です。</translation>
    </message>
    <message>
        <source>At most {value} there for this model family.</source>
        <translation>元のプログラムでは、このモデルファミリーの上限は {value} です。</translation>
    </message>
    <message>
        <source>Its matmuls multiply 8-bit codes there, not here.</source>
        <translation>元のプログラムではこの部分の行列積を 8 ビットのコードで計算しますが、Mantissa では違います。</translation>
    </message>
    <message>
        <source>Noise levels are also moved towards 0 and 1 there, not here.</source>
        <translation>元のプログラムではノイズレベルがさらに 0 と 1 に寄せられますが、Mantissa では寄せられません。</translation>
    </message>
    <message>
        <source>OneTrainer&apos;s window loads the settings that it keeps for each optimizer.</source>
        <translation>OneTrainer の画面は、オプティマイザーごとに保存した設定を読み込みます。</translation>
    </message>
    <message>
        <source>Trained with an adapter for {flavour} there: give the run its file as its training adapter (--training-adapter).</source>
        <translation>元のプログラムでは {flavour} 用のアダプターとともに学習します。そのファイルを実行の学習用補助アダプターとして指定してください (--training-adapter)。</translation>
    </message>
    <message>
        <source>Values between the 8-bit matmuls are BF16 here.</source>
        <translation>Mantissa では 8 ビットの行列積の間の値は BF16 です。</translation>
    </message>
    <message>
        <source>{card} {rate} images/s, computing {share}% of the time</source>
        <translation>{card} は {rate} 枚/秒、計算は時間の {share}%</translation>
    </message>
    <message>
        <source>{card} {rate} images/s, computing {share}% of the time, slow</source>
        <translation>{card} は {rate} 枚/秒、計算は時間の {share}%、低速</translation>
    </message>
    <message>
        <source>{file} only says how SimpleTuner is launched; import the config.json beside it</source>
        <translation>{file} には SimpleTuner の起動方法しか書かれていません。同じフォルダーの config.json をインポートしてください</translation>
    </message>
</context>
</TS>
