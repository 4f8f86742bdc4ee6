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
    <name>Family</name>
    <message>
        <source>Model family unknown</source>
        <translation>モデルの種類は不明</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 日 %2 時間</translation>
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
        <source>8-bit operand</source>
        <translation>8 ビットオペランド</translation>
    </message>
    <message>
        <source>8-bit gradient operand</source>
        <translation>8 ビット勾配オペランド</translation>
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
    <name>mantissa::gui::CaptionerForm</name>
    <message>
        <source>Qwen3-VL</source>
        <translation>Qwen3-VL</translation>
    </message>
    <message>
        <source>Folder of a Qwen3-VL, or its weights in one .safetensors file</source>
        <translation>Qwen3-VL のフォルダー、または重みを 1 つにまとめた .safetensors ファイル</translation>
    </message>
    <message>
        <source>Folder of a Qwen3-VL</source>
        <translation>Qwen3-VL のフォルダー</translation>
    </message>
    <message>
        <source>An image is shown to the model with no more pixels than a square of this side has; fewer are faster</source>
        <translation>モデルに見せる画像のピクセル数は、1 辺がこの長さの正方形までです。少ないほど速くなります</translation>
    </message>
    <message>
        <source>Qwen&apos;s Qwen3-VL-2B, 4B and 8B-Instruct are read; their pages on Hugging Face state the Apache-2.0 licence. Get all files of one into a folder of its own; nothing is downloaded here. Without a card the larger ones are slow.</source>
        <translation>Qwen の Qwen3-VL-2B、4B、8B-Instruct を読み込めます。Hugging Face のページには Apache-2.0 ライセンスと記載されています。1 つのモデルの全ファイルを専用のフォルダーに置いてください。ここでは何もダウンロードされません。GPU がない場合、大きいモデルは低速です。</translation>
    </message>
    <message>
        <source>Choose the folder of a Qwen3-VL first</source>
        <translation>先に Qwen3-VL のフォルダーを選択してください</translation>
    </message>
    <message>
        <source>This is no Qwen3-VL: choose its folder, with config.json, or its weights in one .safetensors file</source>
        <translation>Qwen3-VL ではありません。config.json のあるフォルダーか、重みを 1 つにまとめた .safetensors ファイルを選択してください</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DraftTestView</name>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::EndpointForm</name>
    <message>
        <source>Address of the program</source>
        <translation>プログラムのアドレス</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>The program&apos;s own</source>
        <translation>プログラムの既定</translation>
    </message>
    <message>
        <source>Its name as the program lists it; Ollama and LM Studio want one</source>
        <translation>プログラムの一覧にある名前。Ollama と LM Studio では必要です</translation>
    </message>
    <message>
        <source>Pixels of the longer side that is sent; larger images are scaled</source>
        <translation>送信する画像の長辺のピクセル数。これより大きい画像は縮小されます</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>Give the address of the program first</source>
        <translation>先にプログラムのアドレスを入力してください</translation>
    </message>
    <message>
        <source>The images are sent to %1, another machine.</source>
        <translation>画像は別のマシン %1 に送信されます。</translation>
    </message>
    <message>
        <source>Of a program that serves a model which sees images: llama.cpp is usually at http://127.0.0.1:8080/v1, Ollama at http://127.0.0.1:11434/v1, LM Studio at http://127.0.0.1:1234/v1.</source>
        <translation>画像を扱えるモデルを提供するプログラムのアドレスです。通常、llama.cpp は http://127.0.0.1:8080/v1、Ollama は http://127.0.0.1:11434/v1、LM Studio は http://127.0.0.1:1234/v1 です。</translation>
    </message>
    <message>
        <source>The images stay on this computer.</source>
        <translation>画像はこのコンピューターから出ません。</translation>
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
        <translation>学習が終了または失敗したらデスクトップに通知を表示</translation>
    </message>
    <message>
        <source>While this window is behind others</source>
        <translation>このウィンドウがほかのウィンドウの後ろにある間</translation>
    </message>
    <message>
        <source>Nowhere</source>
        <translation>送信しない</translation>
    </message>
    <message>
        <source>To ntfy</source>
        <translation>ntfy へ</translation>
    </message>
    <message>
        <source>To a webhook, as JSON</source>
        <translation>Webhook へ（JSON）</translation>
    </message>
    <message>
        <source>Where a run&apos;s end is posted</source>
        <translation>学習の終了を送信する先</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>Send a test</source>
        <translation>テストを送信</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>ダイアログを閉じる</translation>
    </message>
    <message>
        <source>The test was delivered.</source>
        <translation>テストは届きました。</translation>
    </message>
    <message>
        <source>Post it</source>
        <translation>送信先</translation>
    </message>
    <message>
        <source>A notice holds the run&apos;s name and outcome, its last step and loss, the reason of a failure and the paths of its files. The address stays in this program&apos;s settings on this computer: no preset and no run holds it.</source>
        <translation>送信されるのは、学習の名前と結果、最後のステップと損失、失敗の理由、ファイルのパスです。アドレスはこのコンピューターの設定にだけ保存され、プリセットや学習のフォルダーには書かれません。</translation>
    </message>
    <message>
        <source>a test</source>
        <translation>テスト</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>送信中…</translation>
    </message>
    <message>
        <source>The desktop was asked to show it.</source>
        <translation>デスクトップに表示を依頼しました。</translation>
    </message>
    <message>
        <source>This desktop shows no notifications of programs.</source>
        <translation>このデスクトップはプログラムの通知を表示できません。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::QuestionForm</name>
    <message>
        <source>Largest side</source>
        <translation>辺の上限</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>What the model is asked about each image</source>
        <translation>画像ごとにモデルへ尋ねる内容</translation>
    </message>
    <message>
        <source>Give a question first</source>
        <translation>先に質問を入力してください</translation>
    </message>
    <message>
        <source>The largest side is a number of pixels from %1 to %2</source>
        <translation>辺の上限は %1 から %2 までのピクセル数です</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RatePlot</name>
    <message>
        <source>diverged</source>
        <translation>発散</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学習率</translation>
    </message>
    <message>
        <source>Learning rate %1: loss %2, smoothed %3</source>
        <translation>学習率 %1: 損失 %2、平滑化 %3</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>Loss against learning rate</source>
        <translation>学習率に対する損失</translation>
    </message>
    <message>
        <source>No learning rate is suggested</source>
        <translation>推奨する学習率はありません</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>現在 %1</translation>
    </message>
    <message>
        <source>suggested %1</source>
        <translation>推奨 %1</translation>
    </message>
    <message>
        <source>Suggested learning rate: %1</source>
        <translation>推奨する学習率: %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RateTestView</name>
    <message>
        <source>Cancel the range test</source>
        <translation>レンジテストをキャンセル</translation>
    </message>
    <message>
        <source>From</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Learning rate of the first step</source>
        <translation>最初のステップの学習率</translation>
    </message>
    <message>
        <source>Learning rate of the last step</source>
        <translation>最後のステップの学習率</translation>
    </message>
    <message>
        <source>learning rate of the range test</source>
        <translation>レンジテストの学習率</translation>
    </message>
    <message>
        <source>More steps make the curve smoother, and take longer</source>
        <translation>ステップ数を増やすと曲線は滑らかになりますが、時間がかかります</translation>
    </message>
    <message>
        <source>Progress of the range test</source>
        <translation>レンジテストの進行状況</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Steps of the range test</source>
        <translation>レンジテストのステップ数</translation>
    </message>
    <message>
        <source>Test again</source>
        <translation>再テスト</translation>
    </message>
    <message>
        <source>Test learning rates</source>
        <translation>学習率をテスト</translation>
    </message>
    <message>
        <source>Test rates</source>
        <translation>テスト</translation>
    </message>
    <message>
        <source>The first learning rate must be above 0 and below the last, and the steps from %1 to %2.</source>
        <translation>最初の学習率は 0 より大きく最後の学習率より小さい値、ステップ数は %1 から %2 までにしてください。</translation>
    </message>
    <message>
        <source>The preset has changed since this test.</source>
        <translation>このテストのあとでプリセットが変更されています。</translation>
    </message>
    <message>
        <source>to</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 を使う</translation>
    </message>
    <message>
        <source>Use the learning rate %1</source>
        <translation>学習率 %1 を使う</translation>
    </message>
    <message>
        <source>Use the suggested learning rate</source>
        <translation>提案された学習率を使う</translation>
    </message>
    <message>
        <source>Which learning rate suits this preset and these images?

The range test trains a short run whose learning rate grows with every step, and compares each loss with that of the same images and noise before training.

You get the curve of the loss over the rate, and a rate to start with: about a tenth of the one with the lowest loss. Nothing is written.</source>
        <translation>このプリセットと画像に合う学習率は？

レンジテストは、ステップごとに学習率を上げながら短く学習し、損失を学習前の同じ画像・ノイズでの値と比べます。

損失の曲線と、出発点になる学習率（損失が最小になる値の約 10 分の 1）が得られます。何も書き込みません。</translation>
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
        <source>Measuring training images</source>
        <translation>学習画像を測定中</translation>
    </message>
    <message>
        <source>Comparing with FP32</source>
        <translation>FP32 と比較中</translation>
    </message>
    <message>
        <source>Checking the base model&apos;s files</source>
        <translation>ベースモデルのファイルを確認中</translation>
    </message>
    <message>
        <source>Looking for images</source>
        <translation>画像を検索中</translation>
    </message>
    <message>
        <source>Reading images</source>
        <translation>画像を読み込み中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>学習中</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>残り %1</translation>
    </message>
    <message>
        <source>%1 of %2 weights</source>
        <translation>重み %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 MB</source>
        <translation>%1 / %2 MB</translation>
    </message>
    <message>
        <source>%1 of %2 images</source>
        <translation>画像 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 captions</source>
        <translation>キャプション %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 / %2 ステップ</translation>
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
    <message>
        <source>Weights: %1 · Activations: %2 · Gradients: %3 · Optimizer state: %4 · Gradient clipping: %5 · Loss scaling: %6</source>
        <translation>重み: %1 · 活性値: %2 · 勾配: %3 · オプティマイザーの状態: %4 · 勾配クリッピング: %5 · 損失スケーリング: %6</translation>
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
        <translation>スキップ: 勾配が NaN/Inf</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>paused: the disk is full</source>
        <translation>一時停止: ディスクがいっぱい</translation>
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
        <source>Seconds per step</source>
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
    <message>
        <source>Width and height of the window, for this start only.</source>
        <translation>ウィンドウの幅と高さ (今回の起動のみ)。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::AboutDialog</name>
    <message>
        <source>About Mantissa</source>
        <translation>Mantissa について</translation>
    </message>
    <message>
        <source>Trains LoRA, DoRA, LoHa and LoKr adapters for diffusion models. Apache License 2.0.</source>
        <translation>拡散モデルの LoRA・DoRA・LoHa・LoKr アダプターを学習します。Apache License 2.0。</translation>
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
        <translation>テキストエンコーダー</translation>
    </message>
    <message>
        <source>Text encoder %1</source>
        <translation>テキストエンコーダー %1</translation>
    </message>
    <message>
        <source>Base model of separate files</source>
        <translation>個別のファイルからなるベースモデル</translation>
    </message>
    <message>
        <source>Transformer, text encoder and VAE in files of their own, as ComfyUI keeps them. They stay where they are; a small JSON file lists them.</source>
        <translation>ComfyUI と同じく、Transformer、テキストエンコーダー、VAE が別々のファイルにある場合です。ファイルは元の場所のまま、小さな JSON ファイルに一覧を書き込みます。</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Save and use</source>
        <translation>保存して使用</translation>
    </message>
    <message>
        <source>Save the list and use it as the base model</source>
        <translation>一覧を保存してベースモデルとして使用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>保存せずに閉じる</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>.safetensors or .gguf file</source>
        <translation>.safetensors または .gguf ファイル</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.gguf);;All files (*)</source>
        <translation>モデル (*.safetensors *.gguf);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>保存先</translation>
    </message>
    <message>
        <source>A new .json file</source>
        <translation>新しい .json ファイル</translation>
    </message>
    <message>
        <source>Base models (*.json)</source>
        <translation>ベースモデル (*.json)</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>チェック中…</translation>
    </message>
    <message>
        <source>Tokenizer (%1)</source>
        <translation>トークナイザー (%1)</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>使用可能</translation>
    </message>
    <message>
        <source>No file that fits was found. Choose one.</source>
        <translation>合うファイルが見つかりません。選んでください。</translation>
    </message>
    <message>
        <source>Several files fit: %1. Choose one.</source>
        <translation>複数のファイルが使えます: %1。1 つ選んでください。</translation>
    </message>
    <message>
        <source>Choose a file.</source>
        <translation>ファイルを選んでください。</translation>
    </message>
    <message>
        <source>The name must end in .json.</source>
        <translation>名前の末尾は .json にしてください。</translation>
    </message>
    <message>
        <source>Choose the transformer&apos;s file.</source>
        <translation>Transformer のファイルを選んでください。</translation>
    </message>
    <message>
        <source>This folder is part of the original model. Choose it.</source>
        <translation>元のモデルに含まれるフォルダーです。選んでください。</translation>
    </message>
    <message>
        <source>Creates a new file.</source>
        <translation>新しいファイルを作成します。</translation>
    </message>
    <message>
        <source>Replaces the list of that name.</source>
        <translation>同じ名前の一覧を置き換えます。</translation>
    </message>
    <message>
        <source>Another file has this name. Choose another one.</source>
        <translation>同じ名前の別のファイルがあります。別の名前にしてください。</translation>
    </message>
    <message>
        <source>Files of the base model</source>
        <translation>ベースモデルのファイル</translation>
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
        <source>Cut away</source>
        <translation>切り落とし</translation>
    </message>
    <message>
        <source>Share of its images&apos; pixels outside the crops, on average</source>
        <translation>画像のうち切り抜きの外になるピクセルの平均の割合</translation>
    </message>
    <message>
        <source>Enter shows the images of this size. Space leaves the size out: its images go to the nearest other one.</source>
        <translation>Enter でこのサイズの画像を表示します。スペースでこのサイズを除外し、画像は最も近い別のサイズに移ります。</translation>
    </message>
    <message>
        <source>Left out; Space takes it in again.</source>
        <translation>除外中。スペースで再び使用します。</translation>
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
    <message numerus="yes">
        <source>%n caption(s) stay as another program left them.</source>
        <translation>
            <numerusform>%n 件のキャプションは別のプログラムが変更したままです。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was changed by another program: its caption is shown, not the one that could not be written.</source>
        <translation>%1 はほかのプログラムによって変更されました。書き込めなかったキャプションではなく、ファイルのキャプションを表示しています。</translation>
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
        <source>Tag</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存済み</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>保存できません</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation>
            <numerusform>%n 件のキャプションを変更しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>Text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>No caption: trained with the folder&apos;s name, “%1”</source>
        <translation>キャプションなし：フォルダー名「%1」で学習します</translation>
    </message>
    <message numerus="yes">
        <source>Add tag to %n image(s)</source>
        <translation>
            <numerusform>%n 枚の画像にタグを追加</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove tag from %n image(s)</source>
        <translation>
            <numerusform>%n 枚の画像からタグを削除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace tag in %n image(s)</source>
        <translation>
            <numerusform>%n 枚の画像のタグを置換</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add text to %n image(s)</source>
        <translation>
            <numerusform>%n 枚の画像にテキストを追加</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sort tags of %n image(s)</source>
        <translation>
            <numerusform>%n 枚の画像のタグを並べ替え</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the %n selected image(s)</source>
        <translation>
            <numerusform>選択中の %n 枚の画像</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of all %n image(s)</source>
        <translation>
            <numerusform>すべての %n 枚の画像</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the %n image(s) shown; the others stay as they are</source>
        <translation>
            <numerusform>表示中の %n 枚の画像(それ以外は変更しません)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n image(s)</source>
        <translation>
            <numerusform>%n 枚の画像で置換</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove repeated tags from %n image(s)</source>
        <translation>
            <numerusform>%n 枚の画像から重複タグを削除</numerusform>
        </translation>
    </message>
    <message>
        <source>Replace by pattern</source>
        <translation>パターンで置換</translation>
    </message>
    <message>
        <source>Remove repeated tags</source>
        <translation>重複タグを削除</translation>
    </message>
    <message>
        <source>Sort tags by name</source>
        <translation>タグを名前順に並べる</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正規表現</translation>
    </message>
    <message>
        <source>New text; \1 is the first group</source>
        <translation>新しいテキスト (\1 は最初のグループ)</translation>
    </message>
    <message>
        <source>New text</source>
        <translation>新しいテキスト</translation>
    </message>
    <message>
        <source>%1: %2 of %3 tokens</source>
        <translation>%1: %3 トークン中 %2</translation>
    </message>
    <message>
        <source>The marked end isn&apos;t read</source>
        <translation>印の付いた末尾は読まれません</translation>
    </message>
    <message>
        <source>Not a valid regular expression: %1 (character %2).</source>
        <translation>正規表現ではありません: %1 (%2 文字目)。</translation>
    </message>
    <message>
        <source>Read-only: comes with Mantissa</source>
        <translation>読み取り専用（Mantissa に付属）</translation>
    </message>
    <message>
        <source>To change the captions, copy the folder and choose the copy in Setup.</source>
        <translation>キャプションを変更するには、フォルダーをコピーし、「設定」でそのコピーを選んでください。</translation>
    </message>
    <message numerus="yes">
        <source>\%1 names no group: the pattern has %n group(s).</source>
        <translation>
            <numerusform>\%1 に当たるグループがありません。パターンのグループは %n 個です。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TagTable</name>
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
        <source>Tag, the first %1 of %2</source>
        <translation>タグ(%2 件中、先頭の %1 件)</translation>
    </message>
    <message>
        <source>Enter shows the images with this tag</source>
        <translation>Enter キーでこのタグの画像を表示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CardArea</name>
    <message>
        <source>Messages of the run</source>
        <translation>学習のメッセージ</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CloseGuard</name>
    <message>
        <source>A run is in progress.</source>
        <translation>学習を実行中です。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in progress.</source>
        <translation>
            <numerusform>%n 件の学習を実行中です。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) can&apos;t be written and will be lost.</source>
        <translation>
            <numerusform>%n 件のキャプションを書き込めません。閉じると失われます。</numerusform>
        </translation>
    </message>
    <message>
        <source>The painted mask can&apos;t be written and will be lost.</source>
        <translation>描いたマスクを書き込めません。閉じると失われます。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait in the queue. They start when the run that continues without the window has ended and the studio is open again; if you stop it, they wait until you start the queue.</source>
        <translation>
            <numerusform>キューで %n 件の学習が待機しています。ウィンドウなしで続く学習が終わり、スタジオが再び開いていれば開始します。学習を停止した場合は、キューを開始するまで待機します。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait in the queue until you start it again.</source>
        <translation>
            <numerusform>キューで %n 件の学習が、次にキューを開始するまで待機します。</numerusform>
        </translation>
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
        <source>Setting</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差異</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>既定値</translation>
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
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Loss and gradient norm of the chosen runs.
Only losses of one model and loss type compare.</source>
        <translation>選んだ学習の損失と勾配ノルムです。
同じモデル、同じ損失の種類どうしでのみ比べられます。</translation>
    </message>
    <message>
        <source>The settings in which the runs differ, and their figures.
Runs that differ in one setting are judged best.</source>
        <translation>学習どうしで異なる設定と、その数値です。
設定が 1 つだけ違う学習どうしが最も判断しやすくなります。</translation>
    </message>
    <message>
        <source>The same prompt in each run.
Good: the subject of the training with the rest of the prompt.
Choose the run by these, not by its loss.</source>
        <translation>各学習での同じプロンプトのサンプル画像です。
良い状態: 学習した対象が現れ、プロンプトの残りにも従っています。
損失ではなく、これを見て選んでください。</translation>
    </message>
    <message>
        <source>Files, figures and samples of the run.
Copy the adapter to ComfyUI or A1111 here.</source>
        <translation>この学習のファイル、数値、サンプル画像です。
ここからアダプターを ComfyUI や A1111 にコピーできます。</translation>
    </message>
    <message>
        <source>%1 from step %2</source>
        <translation>ステップ %2 から %1</translation>
    </message>
    <message>
        <source>%1 since it was resumed</source>
        <translation>再開後は %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleComparison</name>
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
    <name>RunFigures</name>
    <message>
        <source>%1: %2/s, slow</source>
        <translation>%1: %2 枚/秒、低速</translation>
    </message>
    <message>
        <source>%1: %2/s</source>
        <translation>%1: %2 枚/秒</translation>
    </message>
    <message>
        <source>%1 on %2: %3/s, slow</source>
        <translation>%2 の %1: %3 枚/秒、低速</translation>
    </message>
    <message>
        <source>%1 on %2: %3/s</source>
        <translation>%2 の %1: %3 枚/秒</translation>
    </message>
    <message>
        <source>Suggested checkpoint</source>
        <translation>おすすめのチェックポイント</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Memorising</source>
        <translation>丸暗記</translation>
    </message>
    <message>
        <source>A sign at step %1</source>
        <translation>ステップ %1 に兆候</translation>
    </message>
    <message>
        <source>No sign</source>
        <translation>兆候なし</translation>
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
        <source>Seconds per step</source>
        <translation>1 ステップの秒数</translation>
    </message>
    <message>
        <source>Images per second</source>
        <translation>画像数 / 秒</translation>
    </message>
    <message>
        <source>Cards or processes</source>
        <translation>カードまたはプロセス</translation>
    </message>
    <message>
        <source>Clipped steps</source>
        <translation>クリッピングされたステップ</translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation>スキップされたステップ</translation>
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
        <source>%1 by %2 pixels are scaled to %3 by %4 and reflected at the edges up to %5 by %6</source>
        <translation>%1×%2 ピクセルを %3×%4 に拡大縮小し、端を反転して %5×%6 に広げます</translation>
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
        <source>Scanned %1 of %2 images</source>
        <translation>%2 枚中 %1 枚を調べました</translation>
    </message>
    <message>
        <source>There is no image to train on in these folders.</source>
        <translation>これらのフォルダーに学習できる画像はありません。</translation>
    </message>
    <message>
        <source>%1 × %2, trained as %3 × %4; %5 of it is kept</source>
        <translation>%1 × %2、学習時 %3 × %4、%5 が残ります</translation>
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
        <source>Notices %1</source>
        <translation>お知らせ %1</translation>
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
    <message>
        <source>No image folder is selected.
Add one, or drop it here: its images, captions and buckets are shown before you train.</source>
        <translation>画像フォルダーが選ばれていません。
追加するか、ここにドロップしてください。学習前に画像、キャプション、バケットを確認できます。</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>フォルダーを追加…</translation>
    </message>
    <message>
        <source>Add an image folder</source>
        <translation>画像フォルダーを追加</translation>
    </message>
    <message>
        <source>Use the demo&apos;s images</source>
        <translation>デモの画像を使う</translation>
    </message>
    <message>
        <source>Folders %1</source>
        <translation>フォルダー %1</translation>
    </message>
    <message>
        <source>Find duplicates</source>
        <translation>重複を検索</translation>
    </message>
    <message>
        <source>Compare the images: also re-encoded, resized, cropped or mirrored copies</source>
        <translation>画像を比較します。再エンコード、リサイズ、切り抜き、左右反転したコピーも見つけます</translation>
    </message>
    <message>
        <source>Images compared</source>
        <translation>比較した画像</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Cancel the search for duplicates</source>
        <translation>重複の検索をキャンセル</translation>
    </message>
    <message>
        <source>Comparing images…</source>
        <translation>画像を比較しています…</translation>
    </message>
    <message>
        <source>Compared %1 of %2 images</source>
        <translation>%2 枚中 %1 枚を比較しました</translation>
    </message>
    <message numerus="yes">
        <source>No duplicates among %n image(s).</source>
        <translation>
            <numerusform>%n 枚の画像に重複はありません。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>フォルダーで表示</translation>
    </message>
    <message>
        <source>Open the folder of the current image</source>
        <translation>現在の画像のフォルダーを開きます</translation>
    </message>
    <message>
        <source>Move to trash…</source>
        <translation>ごみ箱に移動…</translation>
    </message>
    <message>
        <source>Move the selected images to the trash, with their captions and masks (Delete)</source>
        <translation>選択した画像をキャプションとマスクごとごみ箱に移動します (Delete)</translation>
    </message>
    <message>
        <source>Only duplicates</source>
        <translation>重複のみ</translation>
    </message>
    <message>
        <source>The demo&apos;s images come with Mantissa and stay where they are.</source>
        <translation>デモの画像は Mantissa に付属しているため移動できません。</translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) moved to the trash.</source>
        <translation>
            <numerusform>%n 枚の画像をごみ箱に移動しました。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exact copies</source>
        <translation>
            <numerusform>完全なコピー: %n 枚</numerusform>
        </translation>
    </message>
    <message>
        <source>Caption and tags</source>
        <translation>キャプションとタグ</translation>
    </message>
    <message numerus="yes">
        <source>%n stood out</source>
        <translation>
            <numerusform>目立つ画像 %n 枚</numerusform>
        </translation>
    </message>
    <message>
        <source>Images that stood out in the run %1: never learned, unlike the others, or with a caption that may not fit</source>
        <translation>学習 %1 で目立った画像: 学習されなかった、ほかと似ていない、またはキャプションが合わない可能性があります</translation>
    </message>
    <message>
        <source>Only those that stood out</source>
        <translation>目立つ画像のみ</translation>
    </message>
    <message>
        <source>Images that stood out in a run</source>
        <translation>学習で目立った画像</translation>
    </message>
    <message>
        <source>Show images by their captions, and how large</source>
        <translation>キャプションで画像を絞り込み、大きさを選ぶ</translation>
    </message>
    <message>
        <source>All images</source>
        <translation>すべての画像</translation>
    </message>
    <message>
        <source>Without a caption</source>
        <translation>キャプションなし</translation>
    </message>
    <message>
        <source>Only without a caption</source>
        <translation>キャプションなしのみ</translation>
    </message>
    <message>
        <source>%1: cut after %2 tokens</source>
        <translation>%1: %2 トークンで切られる</translation>
    </message>
    <message>
        <source>%1: more than %2 tokens</source>
        <translation>%1: %2 トークンを超える</translation>
    </message>
    <message>
        <source>Only more than %1 tokens</source>
        <translation>%1 トークンを超えるもののみ</translation>
    </message>
    <message>
        <source>Small images</source>
        <translation>小さい画像</translation>
    </message>
    <message>
        <source>Medium images</source>
        <translation>中くらいの画像</translation>
    </message>
    <message>
        <source>Large images</source>
        <translation>大きい画像</translation>
    </message>
    <message>
        <source>Paint which parts of the image the loss counts (Ctrl+M)</source>
        <translation>画像のどの部分を損失に数えるかを塗る (Ctrl+M)</translation>
    </message>
    <message>
        <source>Move the image&apos;s mask to the trash: all of it counts then</source>
        <translation>画像のマスクをごみ箱に移す: すると画像全体が数えられます</translation>
    </message>
    <message>
        <source>Remove mask</source>
        <translation>マスクを削除</translation>
    </message>
    <message>
        <source>Edit mask</source>
        <translation>マスクを編集</translation>
    </message>
    <message>
        <source>Paint mask</source>
        <translation>マスクを塗る</translation>
    </message>
    <message>
        <source>Has a mask: %1</source>
        <translation>マスクあり: %1</translation>
    </message>
    <message>
        <source>Has a mask that this preset doesn&apos;t use: %1</source>
        <translation>このプリセットでは使わないマスクあり: %1</translation>
    </message>
    <message>
        <source>This preset uses no mask files.</source>
        <translation>このプリセットはマスクファイルを使いません。</translation>
    </message>
    <message>
        <source>Use mask files</source>
        <translation>マスクファイルを使う</translation>
    </message>
    <message>
        <source>The mask was moved to the trash.</source>
        <translation>マスクをごみ箱に移しました。</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) written; Undo puts the old ones back.</source>
        <translation>
            <numerusform>%n 件のキャプションを書き込みました。元に戻すで以前のものに戻ります。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) put back</source>
        <translation>
            <numerusform>%n 件のキャプションを元に戻しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new one(s) removed</source>
        <translation>
            <numerusform>新しいもの %n 件を削除しました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edited since and left</source>
        <translation>
            <numerusform>その後に編集された %n 件はそのままです</numerusform>
        </translation>
    </message>
    <message>
        <source>Caption by a model…</source>
        <translation>モデルでキャプション…</translation>
    </message>
    <message>
        <source>Caption by a model</source>
        <translation>モデルでキャプション</translation>
    </message>
    <message>
        <source>Captions for the images shown or selected, by a tagger, a Qwen3-VL or a model that another program serves (Ctrl+T)</source>
        <translation>表示中または選択した画像に、タガー、Qwen3-VL、または別のプログラムが提供するモデルでキャプションを付けます (Ctrl+T)</translation>
    </message>
    <message>
        <source>No captions are left to put back.</source>
        <translation>元に戻せるキャプションはありません。</translation>
    </message>
    <message>
        <source>The images as they are trained, with their captions.
Good: every image has a caption, and nothing important is cut off.
Change captions here, or of many with the tools.</source>
        <translation>学習に使われるときの画像とキャプションです。
良い状態: すべての画像にキャプションがあり、大事な部分が切れていません。
キャプションはここで、まとめての変更はツールで行えます。</translation>
    </message>
    <message>
        <source>The sizes that images are scaled and cropped to.
Good: few sizes, none with less than a batch.
A size is left out with its checkbox.</source>
        <translation>画像の拡大縮小と切り抜き後のサイズです。
良い状態: サイズの種類が少なく、どれもバッチ 1 つ分以上あります。
チェックを外すとそのサイズは使われません。</translation>
    </message>
    <message>
        <source>The folders, with repeats, loss weights and caption prefixes.
Good: small folders that matter have more repeats.
Change them in the table.</source>
        <translation>フォルダーごとの繰り返し回数、損失の重み、キャプションの接頭辞です。
良い状態: 画像が少なくても大事なフォルダーほど繰り返しが多くなっています。
表で変更できます。</translation>
    </message>
    <message>
        <source>Files that can&apos;t be trained, and why.
Good: none.
Mend or remove them.</source>
        <translation>学習に使えないファイルとその理由です。
良い状態: 1 つもありません。
修正するか取り除いてください。</translation>
    </message>
    <message>
        <source>What is probably not as you mean it.
Good: none.
Each leads to its images.</source>
        <translation>意図と違うと思われる点です。
良い状態: 1 つもありません。
それぞれから該当する画像に移動できます。</translation>
    </message>
    <message>
        <source>Search images</source>
        <translation>画像を検索</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) converted to UTF-8.</source>
        <translation>
            <numerusform>%n 個のファイルを UTF-8 に変換しました。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DatasetModel</name>
    <message>
        <source>No caption</source>
        <translation>キャプションなし</translation>
    </message>
    <message>
        <source>No caption: trained with the folder&apos;s name, “%1”</source>
        <translation>キャプションなし：フォルダー名「%1」で学習します</translation>
    </message>
    <message>
        <source>%1: same file</source>
        <translation>%1: 同じファイル</translation>
    </message>
    <message>
        <source>%1: similar</source>
        <translation>%1: 類似</translation>
    </message>
    <message>
        <source>%1: mirrored</source>
        <translation>%1: 左右反転</translation>
    </message>
    <message>
        <source>The same file as %1.</source>
        <translation>%1 と同じファイルです。</translation>
    </message>
    <message>
        <source>A mirrored copy of %1, of the same size.</source>
        <translation>%1 を左右反転した同じサイズのコピーです。</translation>
    </message>
    <message>
        <source>Similar to %1, of the same size.</source>
        <translation>%1 に類似し、同じサイズです。</translation>
    </message>
    <message>
        <source>A mirrored copy of %1; that has %2 pixels, this one %3.</source>
        <translation>%1 を左右反転したコピーです。元は %2 ピクセル、この画像は %3 です。</translation>
    </message>
    <message>
        <source>Similar to %1; that has %2 pixels, this one %3.</source>
        <translation>%1 に類似しています。元は %2 ピクセル、この画像は %3 です。</translation>
    </message>
    <message>
        <source>%1: the one to keep</source>
        <translation>%1：残す画像</translation>
    </message>
    <message numerus="yes">
        <source>The one to keep of a group: the largest, captioned, lossless; %n image(s) are copies of it.</source>
        <translation>
            <numerusform>グループの中で残す画像です（最大サイズ、キャプションあり、可逆圧縮の順）。ほかの %n 枚はその複製です。</numerusform>
        </translation>
    </message>
    <message>
        <source>In the run %1: %2</source>
        <translation>学習 %1: %2</translation>
    </message>
    <message>
        <source>Caption may not fit</source>
        <translation>キャプション不一致の可能性</translation>
    </message>
    <message>
        <source>Never learned</source>
        <translation>学習されていない</translation>
    </message>
    <message>
        <source>Unlike the others</source>
        <translation>ほかと似ていない</translation>
    </message>
    <message>
        <source>Has a mask.</source>
        <translation>マスクあり。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LibraryCard</name>
    <message>
        <source>CUDA libraries</source>
        <translation>CUDA ライブラリ</translation>
    </message>
    <message>
        <source>Install CUDA libraries</source>
        <translation>CUDA ライブラリをインストール</translation>
    </message>
    <message>
        <source>Installation progress</source>
        <translation>インストールの進み具合</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>To train on an NVIDIA card, cuBLASLt, cuDNN and NVRTC are needed besides the driver. They are downloaded from the Python package index. By installing them you accept their terms: %1.</source>
        <translation>NVIDIA のカードで学習するには、ドライバーのほかに cuBLASLt、cuDNN、NVRTC が必要です。Python のパッケージインデックスからダウンロードします。インストールすると、次の利用条件に同意したことになります: %1。</translation>
    </message>
    <message>
        <source>Install CUDA libraries (%1)</source>
        <translation>CUDA ライブラリをインストール (%1)</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>接続しています…</translation>
    </message>
    <message>
        <source>Downloading %1: %2 of %3</source>
        <translation>%1 をダウンロードしています: %2 / %3</translation>
    </message>
    <message>
        <source>Checking %1</source>
        <translation>%1 を確認しています</translation>
    </message>
    <message>
        <source>Unpacking %1: %2 of %3</source>
        <translation>%1 を展開しています: %2 / %3</translation>
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
        <source>Test</source>
        <translation>テスト</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>テスト中…</translation>
    </message>
    <message>
        <source>Calculate on every device beside the CPU, and measure copies; takes seconds</source>
        <translation>各デバイスの計算結果を CPU と比べ、転送速度を測ります (数秒かかります)</translation>
    </message>
    <message>
        <source>Test results</source>
        <translation>テスト結果</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>画面</translation>
    </message>
    <message>
        <source>Draws the screen</source>
        <translation>画面の表示に使われています</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>コード</translation>
    </message>
    <message>
        <source>Compiled by the driver at the first start, which takes minutes</source>
        <translation>初回起動時にドライバーがコンパイルします (数分かかります)</translation>
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
    <message>
        <source>Draft preset</source>
        <translation>編集中のプリセット</translation>
    </message>
    <message>
        <source>About %1 a step (estimated)</source>
        <translation>1 ステップ約 %1（推定）</translation>
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
    <name>mantissa::gui::DraftKeeper</name>
    <message>
        <source>The edits of the last session can&apos;t be restored: %1</source>
        <translation>前回の編集内容を復元できません: %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DraftProbe</name>
    <message>
        <source>A run is in progress: the probe can start when it has ended.</source>
        <translation>学習の実行中です。終わると診断できます。</translation>
    </message>
    <message>
        <source>A run is in progress: the test can start when it has ended.</source>
        <translation>学習の実行中です。終わるとテストできます。</translation>
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
    <message>
        <source>%1 is now the base model of this run.</source>
        <translation>%1 をこの学習のベースモデルにしました。</translation>
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
        <translation>学習を開始</translation>
    </message>
    <message>
        <source>No samples yet.
The run renders its prompts from time to time, or now.</source>
        <translation>サンプル画像はまだありません。
学習中に定期的に生成されます。今すぐ生成することもできます。</translation>
    </message>
    <message>
        <source>No samples yet.
A run renders the prompts of its preset as it trains.</source>
        <translation>サンプル画像はまだありません。
学習中にプリセットのプロンプトから生成されます。</translation>
    </message>
    <message>
        <source>No samples yet.
Set “Sample every”, and a run renders the prompts of its preset as it trains.</source>
        <translation>サンプル画像はまだありません。
「サンプルの間隔」を設定すると、学習中にプリセットのプロンプトから生成されます。</translation>
    </message>
    <message>
        <source>This preset has no sample prompts.
A run renders each prompt as it trains, so that you see what it has learned.</source>
        <translation>このプリセットにはサンプル用プロンプトがありません。
学習中に各プロンプトの画像が生成され、学習の成果を確認できます。</translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation>今すぐサンプル</translation>
    </message>
    <message>
        <source>Add a sample prompt</source>
        <translation>サンプル用プロンプトを追加</translation>
    </message>
    <message>
        <source>Write a prompt…</source>
        <translation>プロンプトを入力…</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::EngineClient</name>
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
        <source>Green: %1 holds it · hatched: reduced precision · red: lost</source>
        <translation>緑: %1 で表せる · 斜線: 有効桁の減少 · 赤: 失われる</translation>
    </message>
    <message>
        <source>How large the values of the tensor are, in powers of two, beside the range of its format.
Good: all bars within the range.
Bars beyond its end overflow, those before its beginning become zero: pin the layer to a wider type.</source>
        <translation>テンソルの値の大きさ (2 のべき乗) と、その形式の範囲です。
良い状態: すべての棒が範囲内にあります。
上限を超えるとオーバーフローし、下限を下回ると 0 になります。その層をより広い型に固定してください。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldEditor</name>
    <message>
        <source>As above</source>
        <translation>上と同じ</translation>
    </message>
    <message>
        <source>A set, or patterns separated by commas</source>
        <translation>セット名、またはカンマ区切りのパターン</translation>
    </message>
    <message>
        <source>A name or a number</source>
        <translation>名前または数値</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>カンマ区切り</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FieldRow</name>
    <message>
        <source>Changed</source>
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
        <source>Has no effect on %1.</source>
        <translation>%1 では効果がありません。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> または </translation>
    </message>
    <message>
        <source>Has an effect only with “%1: %2”.</source>
        <translation>「%1: %2」のときだけ有効です。</translation>
    </message>
    <message>
        <source>Not taken: %1</source>
        <translation>受け付けられませんでした: %1</translation>
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
        <source>Show “%1” in the form</source>
        <translation>「%1」をフォームに表示</translation>
    </message>
    <message>
        <source>Show the setting “%1”</source>
        <translation>設定「%1」を表示</translation>
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
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>A .safetensors or .gguf file or a diffusers folder of one of these models: %1. The demo is a tiny model that comes with Mantissa and trains in minutes on any computer.</source>
        <translation>次のいずれかのモデルの .safetensors か .gguf のファイル、または diffusers フォルダー: %1。デモは Mantissa に付属するごく小さなモデルで、どのコンピューターでも数分で学習できます。</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>.safetensors or .gguf file, or diffusers folder</source>
        <translation>.safetensors か .gguf のファイル、または diffusers フォルダー</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.gguf *.json);;All files (*)</source>
        <translation>モデル (*.safetensors *.gguf *.json);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Choose training images</source>
        <translation>学習画像を選択</translation>
    </message>
    <message>
        <source>Folders of images; 10 to 40 are enough for a person, an object or a style. A caption is a text file with the image&apos;s name. The Data page helps you write captions.</source>
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
        <source>Start with the defaults and don&apos;t show this again</source>
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
    <message>
        <source>What the base model is</source>
        <translation>ベースモデルの種類</translation>
    </message>
    <message>
        <source>The demo: a tiny model that trains on any computer.</source>
        <translation>デモ: どのコンピューターでも学習できる小さなモデルです。</translation>
    </message>
    <message>
        <source>There is no such file or folder.</source>
        <translation>そのファイルまたはフォルダーはありません。</translation>
    </message>
    <message>
        <source>Reading the model…</source>
        <translation>モデルを読み込んでいます…</translation>
    </message>
    <message>
        <source>No model that Mantissa can train was recognised there.</source>
        <translation>Mantissa で学習できるモデルとして認識できませんでした。</translation>
    </message>
    <message>
        <source>licence: %1</source>
        <translation>ライセンス: %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FolderTable</name>
    <message>
        <source>Folders of the images</source>
        <translation>画像のフォルダー</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>繰り返し回数</translation>
    </message>
    <message>
        <source>Loss weight</source>
        <translation>損失の重み</translation>
    </message>
    <message>
        <source>Caption prefix</source>
        <translation>キャプションの接頭辞</translation>
    </message>
    <message>
        <source>Double-click a number or prefix to change it. It becomes part of the preset.</source>
        <translation>数値や接頭辞はダブルクリックで変更でき、プリセットに含まれます。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解像度</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FreePrompt</name>
    <message>
        <source>One prompt a line</source>
        <translation>1 行に 1 つのプロンプト</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>Prompts to render, one a line</source>
        <translation>生成するプロンプト（1 行に 1 つ）</translation>
    </message>
    <message>
        <source>Negative</source>
        <translation>ネガティブ</translation>
    </message>
    <message>
        <source>Negative prompt</source>
        <translation>ネガティブプロンプト</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>シード</translation>
    </message>
    <message>
        <source>Seed of the starting noise</source>
        <translation>初期ノイズのシード</translation>
    </message>
    <message>
        <source>One adapter</source>
        <translation>1 つのアダプター</translation>
    </message>
    <message>
        <source>Every checkpoint</source>
        <translation>全チェックポイント</translation>
    </message>
    <message>
        <source>Strengths 0 – %1</source>
        <translation>強度 0～%1</translation>
    </message>
    <message>
        <source>What to compare</source>
        <translation>比較するもの</translation>
    </message>
    <message>
        <source>Several are compared in one image, a column each</source>
        <translation>複数の場合は 1 枚の画像に 1 列ずつ並べて比較します</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>Adapter of the run</source>
        <translation>この学習のアダプター</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>強度</translation>
    </message>
    <message>
        <source>Strength of the adapter for these prompts</source>
        <translation>これらのプロンプトに使うアダプターの強度</translation>
    </message>
    <message>
        <source>Write a prompt first.</source>
        <translation>先にプロンプトを入力してください。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Render</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Cancel the rendering</source>
        <translation>生成をキャンセル</translation>
    </message>
    <message>
        <source>Render these prompts</source>
        <translation>これらのプロンプトで生成</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FreeRenders</name>
    <message>
        <source>The engine is busy: pause the run to render other prompts.</source>
        <translation>エンジンは使用中です。ほかのプロンプトで生成するには学習を一時停止してください。</translation>
    </message>
    <message>
        <source>The engine is checking the settings.</source>
        <translation>エンジンが設定をチェックしています。</translation>
    </message>
    <message>
        <source>The engine is probing the preset.</source>
        <translation>エンジンがプリセットを診断しています。</translation>
    </message>
    <message>
        <source>This needs a checkpoint of the run: Save now writes one.</source>
        <translation>この学習のチェックポイントが必要です。「今すぐ保存」で書き込めます。</translation>
    </message>
    <message>
        <source>This needs an adapter file: that of a finished run, or of a checkpoint.</source>
        <translation>アダプターのファイルが必要です。完了した学習かチェックポイントのものを使えます。</translation>
    </message>
    <message>
        <source>Finished adapter</source>
        <translation>完成したアダプター</translation>
    </message>
    <message>
        <source>Checkpoint of step %1</source>
        <translation>ステップ %1 のチェックポイント</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FrontPlot</name>
    <message>
        <source>Memory against the gradients&apos; error</source>
        <translation>メモリと勾配の誤差</translation>
    </message>
    <message>
        <source>Gradients off</source>
        <translation>勾配の誤差</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>now</source>
        <translation>現在</translation>
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
        <translation>現在</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Gradients off</source>
        <translation>勾配の誤差</translation>
    </message>
    <message>
        <source>Computed in</source>
        <translation>計算の型</translation>
    </message>
    <message>
        <source>Layers by type</source>
        <translation>型ごとの層数</translation>
    </message>
    <message>
        <source>Peak of the whole run, planned exactly</source>
        <translation>学習全体のピーク。正確に計画された値です</translation>
    </message>
    <message>
        <source>Estimated time of a step</source>
        <translation>1 ステップの推定時間</translation>
    </message>
    <message>
        <source>Error of the adapter&apos;s gradients, measured beside FP32</source>
        <translation>アダプターの勾配の誤差。FP32 と並べて測定</translation>
    </message>
    <message>
        <source>The type in which the denoiser&apos;s layers multiply</source>
        <translation>デノイザーの層が乗算に使う型</translation>
    </message>
    <message>
        <source>How many of the denoiser&apos;s layers are stored in which type</source>
        <translation>デノイザーの層を型ごとに数えたもの</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::FrontView</name>
    <message>
        <source>Use these types</source>
        <translation>この型を使う</translation>
    </message>
    <message>
        <source>Sets the preset&apos;s types, and pins the layers in others; Undo takes it back</source>
        <translation>プリセットの型を設定し、ほかの型の層を固定します。元に戻せます</translation>
    </message>
    <message>
        <source>Choices of types, the smallest first</source>
        <translation>型の選択肢（メモリの少ない順）</translation>
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
        <translation>✕ NaN/Inf   – 未測定</translation>
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
        <source>Step %1, first tensor with NaN/Inf: %2</source>
        <translation>ステップ %1、最初に NaN/Inf が出たテンソル: %2</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>重み</translation>
    </message>
    <message>
        <source>Share of nonzero values that are stored as zero.
Good: pale, below a per cent.
Else a wider type, or loss scaling.</source>
        <translation>0 でないのに 0 として格納される値の割合です。
良い状態: 色が薄く、1% 未満です。
そうでなければ、より広い型か損失スケーリングを使ってください。</translation>
    </message>
    <message>
        <source>Share of the values beyond the format&apos;s largest number.
Good: none.
Else pin the layer to BF16 or FP32.</source>
        <translation>形式の最大値を超える値の割合です。
良い状態: まったくありません。
そうでなければ、その層を BF16 か FP32 に固定してください。</translation>
    </message>
    <message>
        <source>Doublings left before the largest value overflows.
Good: several.
Near 0, pin the layer to BF16 or FP32.</source>
        <translation>最大値がオーバーフローするまでに 2 倍にできる回数です。
良い状態: 数回あります。
0 に近ければ、その層を BF16 か FP32 に固定してください。</translation>
    </message>
    <message>
        <source>Signal to rounding noise: about 6 dB for every bit kept.
Good: 55 dB in BF16, 31 dB in FP8.
Pin a layer far below its neighbours.</source>
        <translation>信号と丸めノイズの比です。1 ビットあたり約 6 dB です。
良い状態: BF16 で 55 dB、FP8 で 31 dB です。
隣の層より大きく劣る層は固定してください。</translation>
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
    <name>mantissa::gui::HelpDialog</name>
    <message>
        <source>Your first LoRA</source>
        <translation>はじめての LoRA</translation>
    </message>
    <message>
        <source>Your own images</source>
        <translation>自分の画像</translation>
    </message>
    <message>
        <source>Which settings matter</source>
        <translation>重要な設定</translation>
    </message>
    <message>
        <source>Reading the curves</source>
        <translation>グラフの読み方</translation>
    </message>
    <message>
        <source>Using the result</source>
        <translation>学習結果の使い方</translation>
    </message>
    <message>
        <source>When it goes wrong</source>
        <translation>うまくいかないとき</translation>
    </message>
    <message>
        <source>Several cards</source>
        <translation>複数のカード</translation>
    </message>
    <message>
        <source>Precision catalogue</source>
        <translation>精度の一覧</translation>
    </message>
    <message>
        <source>What trains where</source>
        <translation>学習できる組み合わせ</translation>
    </message>
    <message>
        <source>Base models</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>変更履歴</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>ガイド</translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation>ガイドのページ</translation>
    </message>
    <message>
        <source>The guide is available in English only.</source>
        <translation>このガイドは英語版のみです。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HistoryPage</name>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
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
        <source>Load the run&apos;s preset into Setup for another run, with its latest settings</source>
        <translation>この学習のプリセットを最新の設定で設定ページに読み込み、別の学習に使う</translation>
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
        <source>Write the run to a file</source>
        <translation>学習をファイルに書き出す</translation>
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
        <source>Start over</source>
        <translation>最初からやり直す</translation>
    </message>
    <message>
        <source>The run has no checkpoint: trains it again from step 0</source>
        <translation>チェックポイントがありません。ステップ 0 から学習し直します</translation>
    </message>
    <message>
        <source>Continue from the run&apos;s last checkpoint (Ctrl+R)</source>
        <translation>最後のチェックポイントから再開します (Ctrl+R)</translation>
    </message>
    <message>
        <source>Curves as SVG…</source>
        <translation>曲線を SVG で…</translation>
    </message>
    <message>
        <source>The loss curves as lines that a drawing program can edit</source>
        <translation>損失曲線を、描画ソフトで編集できる線として保存します</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>検証</translation>
    </message>
    <message>
        <source>Take the run&apos;s first steps again and compare: does this version of Mantissa compute what the run&apos;s version did?</source>
        <translation>学習の最初のステップをもう一度計算して比べます。このバージョンの Mantissa は、学習時のバージョンと同じ計算をしていますか。</translation>
    </message>
    <message>
        <source>Edit tags</source>
        <translation>タグを編集</translation>
    </message>
    <message>
        <source>Tags of the run, separated by commas</source>
        <translation>学習のタグ（カンマ区切り）</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>メモを編集</translation>
    </message>
    <message>
        <source>A note on the run</source>
        <translation>学習についてのメモ</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunFilters</name>
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
        <source>%n cancelled</source>
        <translation>
            <numerusform>%n 件は中止</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs cancelled before their first step are listed under the state “Stopped”.</source>
        <translation>最初のステップの前に中止した学習は、状態「停止」で一覧に表示されます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunExport</name>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>%1 に書き出しました</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImagePane</name>
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
        <source>Show images</source>
        <translation>画像を表示</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>この学習</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>.safetensors or .gguf file, or diffusers folder</source>
        <translation>.safetensors か .gguf のファイル、または diffusers フォルダー</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.gguf *.json);;All files (*)</source>
        <translation>モデル (*.safetensors *.gguf *.json);;すべてのファイル (*)</translation>
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
        <source>Images of the concept&apos;s class, such as dogs for your dog. They preserve what the base model knows of the class; “%1” sets how strongly.</source>
        <translation>コンセプトが属するクラスの画像です（自分の犬なら犬全般）。ベースモデルが持つそのクラスの概念を学習中も保ちます。強さは「%1」で決まります。</translation>
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
        <source>Device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>Continue a run</source>
        <translation>学習の続き</translation>
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
    <message>
        <source>Choose…</source>
        <translation>選択…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>フォルダーを追加…</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>使わない</translation>
    </message>
    <message>
        <source>Use a new folder</source>
        <translation>新しいフォルダーを使う</translation>
    </message>
    <message>
        <source>Start a new run instead</source>
        <translation>新しい学習を始める</translation>
    </message>
    <message>
        <source>Use the CPU</source>
        <translation>CPU を使う</translation>
    </message>
    <message>
        <source>Split over the cards</source>
        <translation>カードに分ける</translation>
    </message>
    <message>
        <source>Use one card</source>
        <translation>1 枚のカードを使う</translation>
    </message>
    <message>
        <source>Name of the next run: %1</source>
        <translation>次の学習の名前: %1</translation>
    </message>
    <message>
        <source>Separate files…</source>
        <translation>個別のファイル…</translation>
    </message>
    <message>
        <source>Make a base model of separate files</source>
        <translation>個別のファイルからベースモデルを作成</translation>
    </message>
    <message>
        <source>Transformer, text encoder and VAE in files of their own, as ComfyUI keeps them</source>
        <translation>ComfyUI と同じく、Transformer、テキストエンコーダー、VAE が別々のファイル</translation>
    </message>
    <message>
        <source>Training adapter</source>
        <translation>補助アダプター</translation>
    </message>
    <message>
        <source>Adapters (*.safetensors);;All files (*)</source>
        <translation>アダプター (*.safetensors);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>An adapter that is active while training, and absent from samples and the result. For a distilled base model (Turbo, klein), one made for it keeps its few steps sharp.</source>
        <translation>学習中だけ有効で、サンプルにも結果にも含まれないアダプターです。蒸留されたベースモデル (Turbo、klein) では、そのモデル用のものを使うと、少ないステップ数のままで鮮明さが保たれます。</translation>
    </message>
    <message>
        <source>Weight of the training adapter</source>
        <translation>補助アダプターの強さ</translation>
    </message>
    <message>
        <source>Training adapter…</source>
        <translation>補助アダプター…</translation>
    </message>
    <message>
        <source>Find models…</source>
        <translation>モデルを探す…</translation>
    </message>
    <message>
        <source>Choose among the base models on this computer</source>
        <translation>このコンピューターのベースモデルから選ぶ</translation>
    </message>
    <message>
        <source>Lists the models in the folders of ComfyUI, A1111/Forge, InvokeAI and Hugging Face, and in your own</source>
        <translation>ComfyUI、A1111/Forge、InvokeAI、Hugging Face と自分のフォルダーにあるモデルを一覧にします</translation>
    </message>
    <message>
        <source>References</source>
        <translation>参照画像</translation>
    </message>
    <message>
        <source>For a base model that edits, such as FLUX.2 klein: the images before the edit, each of the name of the image that is made of it. The caption is the instruction. For a slider of image pairs: the negative images, each of the name and size of its partner.</source>
        <translation>FLUX.2 klein のように編集できるベースモデル向け: 編集前の画像です。それぞれ、編集後の画像と同じ名前にします。キャプションが編集の指示になります。画像ペアのスライダー向け: 負側の画像です。それぞれ相手の画像と同じ名前、同じサイズにします。</translation>
    </message>
    <message>
        <source>Keep training in the background</source>
        <translation>ウィンドウを閉じても学習を続ける</translation>
    </message>
    <message>
        <source>The run is a process of its own: it goes on when the window is closed or crashes. The next start of the studio shows it again, with all its commands.</source>
        <translation>学習を独立したプロセスで実行します。ウィンドウを閉じても、異常終了しても続きます。次にスタジオを起動すると、すべての操作とともに再び表示されます。</translation>
    </message>
    <message>
        <source>Folder, optional</source>
        <translation>フォルダー（任意）</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新しいフォルダー</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新しい学習</translation>
    </message>
    <message>
        <source>Folder or list</source>
        <translation>フォルダーか一覧</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DeviceChoice</name>
    <message>
        <source>Device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>%1 cards: a run on each</source>
        <translation>%1 枚のカード: カードごとに 1 つの学習</translation>
    </message>
    <message>
        <source>%1 cards: one model across all</source>
        <translation>%1 枚のカード: 全体で 1 つのモデル</translation>
    </message>
    <message>
        <source>%1 cards: one run on all</source>
        <translation>%1 枚のカード: 全体で 1 つの学習</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LengthNotes</name>
    <message>
        <source>%1 epochs of these images</source>
        <translation>これらの画像で %1 エポック</translation>
    </message>
    <message>
        <source>%1 steps with these images</source>
        <translation>これらの画像で %1 ステップ</translation>
    </message>
    <message>
        <source>The steps are known once the images are scanned.</source>
        <translation>画像をスキャンするとステップ数が分かります。</translation>
    </message>
    <message>
        <source>With this rank the adapter&apos;s change is scaled by %1.</source>
        <translation>このランクでは、アダプターによる変化は %1 倍になります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LevelPlot</name>
    <message>
        <source>Noise levels that are trained</source>
        <translation>学習するノイズレベル</translation>
    </message>
    <message>
        <source>%1 near the image, %2 in the middle, %3 near pure noise</source>
        <translation>画像寄り %1、中間 %2、純粋なノイズ寄り %3</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>ノイズ</translation>
    </message>
    <message>
        <source>How often each noise level is trained with these settings, as the engine draws them. The line is an even distribution.
Good: no range that is hardly trained.
More near noise teaches composition, more near the image details.</source>
        <translation>この設定で各ノイズレベルが学習される頻度で、エンジンの抽出と同じです。線は均等な分布です。
良い状態: ほとんど学習されない範囲がありません。
ノイズ側が多いと構図を、画像側が多いと細部をよく学習します。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::LiveSettings</name>
    <message>
        <source>The run uses the changed settings after this step.</source>
        <translation>このステップの後、変更した設定が学習に反映されます。</translation>
    </message>
    <message>
        <source>Apply to the current run:</source>
        <translation>現在の学習に適用:</translation>
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
    <message>
        <source>Search the log</source>
        <translation>ログを検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>debug</source>
        <translation>デバッグ</translation>
    </message>
    <message>
        <source>info</source>
        <translation>情報</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>エラー</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MainWindow</name>
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
        <translation>最初に NaN/Inf が出たテンソル</translation>
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
        <source>None entered</source>
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
        <translation>ステップ %1 · 損失が NaN/Inf</translation>
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
        <translation>ステップ %1 · 勾配が NaN/Inf、スキップ</translation>
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
    <message>
        <source>Step %1 · %2</source>
        <translation>ステップ %1 · %2</translation>
    </message>
    <message>
        <source>A pause changes nothing: training continues with the next step.</source>
        <translation>一時停止しても結果は変わりません。学習は次のステップから続きます。</translation>
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
    <name>mantissa::gui::NoticesView</name>
    <message>
        <source>Notices on the images</source>
        <translation>画像についてのお知らせ</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>お知らせ</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>There are no notices.
Images without a caption, captions that are cut and images that are cropped by much would be listed here.</source>
        <translation>お知らせはありません。
キャプションのない画像、途中で切れるキャプション、大きく切り取られる画像があれば、ここに表示されます。</translation>
    </message>
    <message>
        <source>No caption: trained with %1</source>
        <translation>キャプションなし: %1 で学習します</translation>
    </message>
    <message>
        <source>Empty caption: trained without a text</source>
        <translation>空のキャプション: テキストなしで学習します</translation>
    </message>
    <message>
        <source>No trigger word in the caption: trained without preservation</source>
        <translation>キャプションにトリガーワードなし: 保持なしで学習します</translation>
    </message>
    <message>
        <source>Longer than the text encoder reads: cut at its limit</source>
        <translation>テキストエンコーダーの上限超過: 上限で切られます</translation>
    </message>
    <message>
        <source>More than a third lies outside its bucket</source>
        <translation>3 分の 1 超がバケットの外にあります</translation>
    </message>
    <message>
        <source>Its name looks like another&apos;s, in another Unicode form</source>
        <translation>名前が別の画像と同じに見えます(Unicode の形式が異なります)</translation>
    </message>
    <message>
        <source>Caption file not used: its image has another</source>
        <translation>使われないキャプションファイル: 画像には別のものがあります</translation>
    </message>
    <message>
        <source>Written by Mantissa: passed over</source>
        <translation>Mantissa が書き込んだもの: 対象外です</translation>
    </message>
    <message>
        <source>Shares images with a folder for another use</source>
        <translation>別の用途のフォルダーと同じ画像があります</translation>
    </message>
    <message>
        <source>Its reference has another shape and isn&apos;t cropped as it is</source>
        <translation>参照画像の形が異なり、同じようには切り抜かれません</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Notifier</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
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
        <source>Module path, e.g. denoiser.conv_*</source>
        <translation>モジュールパス（例: denoiser.conv_*）</translation>
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
    <message>
        <source>Training time instead of steps</source>
        <translation>ステップの代わりに学習時間</translation>
    </message>
    <message>
        <source>Save as drawing (SVG)…</source>
        <translation>ベクター画像 (SVG) として保存…</translation>
    </message>
    <message>
        <source>The loss is NaN or infinite; the optimizer took no step with it.
A click names the first tensor and offers a fix.</source>
        <translation>損失が NaN または無限大です。オプティマイザーはこの値で更新していません。
クリックすると、最初のテンソルと修正方法が表示されます。</translation>
    </message>
    <message>
        <source>NaN or infinite gradients: the step was skipped.
A click says whether something has to change.</source>
        <translation>勾配が NaN または無限大のため、このステップは飛ばされました。
クリックすると、変更が必要かどうかが分かります。</translation>
    </message>
    <message>
        <source>A gradient overflowed: the step was skipped and the loss scale halved.
Normal now and then; a click says if it isn&apos;t.</source>
        <translation>勾配がオーバーフローしたため、このステップは飛ばされ、損失スケールが半分になりました。
ときどきなら正常です。異常かどうかはクリックすると分かります。</translation>
    </message>
    <message>
        <source>A checkpoint was saved.
A click leads to its folder.</source>
        <translation>チェックポイントが保存されました。
クリックするとそのフォルダーに移動できます。</translation>
    </message>
    <message>
        <source>Samples were rendered.
A click shows them.</source>
        <translation>サンプル画像が生成されました。
クリックすると表示できます。</translation>
    </message>
    <message>
        <source>The run was paused here.
That changes nothing in its result.</source>
        <translation>学習がここで一時停止されました。
結果は変わりません。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PlotsPanel</name>
    <message>
        <source>Loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>勾配ノルム</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>損失スケール</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学習率</translation>
    </message>
    <message>
        <source>Lost updates, %</source>
        <translation>失われた更新 (%)</translation>
    </message>
    <message>
        <source>Update / weight</source>
        <translation>更新 / 重み</translation>
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
        <source>Off</source>
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
    <message>
        <source>Training time instead of steps</source>
        <translation>ステップの代わりに学習時間</translation>
    </message>
    <message>
        <source>The axis counts the time that the steps took; pauses are left out</source>
        <translation>横軸は各ステップにかかった時間です。一時停止は含みません</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>ベクター画像 (*.svg)</translation>
    </message>
    <message>
        <source>How far the prediction is from the target, at every step and smoothed.
Good: it falls fast, then slowly; single steps are noisy.
If it rises, halve the learning rate; if only the validation loss rises, use an earlier checkpoint.</source>
        <translation>予測と目標の差です。各ステップの値と、平滑化した値です。
良い状態: はじめは速く、その後ゆっくり下がります。個々のステップはばらつきます。
上がるなら学習率を半分にし、検証損失だけが上がるなら前のチェックポイントを使ってください。</translation>
    </message>
    <message>
        <source>Length of the gradient before clipping, and the clipping limit.
Good: a steady band, mostly below the limit.
If most steps are above it, lower the learning rate.</source>
        <translation>クリッピング前の勾配の長さと、クリッピングの上限です。
良い状態: 安定した帯で、ほとんどが上限より下です。
ほとんどのステップが上限を超えるなら、学習率を下げてください。</translation>
    </message>
    <message>
        <source>Factor that keeps small FP16 gradients from becoming zero, and the steps that were skipped.
Good: it doubles now and then, followed by a skip at times.
If it only falls, Numerics shows which layer overflows.</source>
        <translation>FP16 の小さな勾配が 0 になるのを防ぐ係数と、飛ばされたステップです。
良い状態: ときどき 2 倍になり、その後に飛ばされることがあります。
下がり続けるなら、どの層がオーバーフローするかを「数値」で確認してください。</translation>
    </message>
    <message>
        <source>Of every trained part, with warm-up and schedule.
Good: a short rise, then the shape of the schedule.
To change it during the run, edit it in Setup and apply the changes.</source>
        <translation>学習する各部分の学習率で、ウォームアップとスケジュールを含みます。
良い状態: 短く上がり、その後スケジュールの形になります。
学習中に変えるには、「設定」で編集して変更を適用してください。</translation>
    </message>
    <message>
        <source>Share of adapter weights that the update was too small to change.
Good: near 0.
If it isn&apos;t, keep the adapter in FP32 or turn on stochastic rounding.</source>
        <translation>更新が小さすぎて変わらなかったアダプターの重みの割合です。
良い状態: ほぼ 0 です。
そうでなければ、アダプターを FP32 にするか、確率的丸めを有効にしてください。</translation>
    </message>
    <message>
        <source>How far a step moves the adapter, relative to its size.
Good: large at the start, then falling with the learning rate.
If it stays large, lower the learning rate.</source>
        <translation>1 ステップでアダプターが動く量を、その大きさに対して表したものです。
良い状態: はじめは大きく、その後学習率とともに下がります。
大きいままなら、学習率を下げてください。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PrecisionPanel</name>
    <message>
        <source>Check</source>
        <translation>チェック</translation>
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
        <source>Checking…</source>
        <translation>チェック中…</translation>
    </message>
    <message>
        <source>Memory and number types</source>
        <translation>メモリと数値型</translation>
    </message>
    <message numerus="yes">
        <source>%n adjusted automatically</source>
        <translation>
            <numerusform>%n 件を自動調整</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing blocks Start.</source>
        <translation>開始を妨げる問題はありません。</translation>
    </message>
    <message>
        <source>1 problem blocks Start</source>
        <translation>開始を妨げる問題が 1 件あります</translation>
    </message>
    <message>
        <source>%1 problems block Start</source>
        <translation>開始を妨げる問題が %1 件あります</translation>
    </message>
    <message>
        <source>The memory is known once nothing above prevents a plan.</source>
        <translation>上の問題を解決すると必要なメモリがわかります。</translation>
    </message>
    <message>
        <source>Find sensitive layers…</source>
        <translation>影響の大きい層を探す…</translation>
    </message>
    <message>
        <source>Find the layers that need a wider type</source>
        <translation>より広い型が必要な層を探す</translation>
    </message>
    <message>
        <source>The probe compares the first steps with FP32 (Ctrl+P)</source>
        <translation>精度診断は最初の数ステップを FP32 と比べます (Ctrl+P)</translation>
    </message>
    <message>
        <source>%1 (needs %2, about %3 a step)</source>
        <translation>%1（必要 %2、1 ステップ約 %3）</translation>
    </message>
    <message>
        <source>In which number types the denoiser is kept and computed.
Weights are those of the base model, which don&apos;t change; activations pass from layer to layer; gradients and the optimizer&apos;s state belong to what is trained.
Clipping bounds the gradients; loss scaling keeps small ones from becoming zero in FP16.</source>
        <translation>デノイザーの保存と計算に使う数値の型です。
「重み」は変化しないベースモデルの値、「活性値」は層から層へ渡される値、「勾配」と「オプティマイザーの状態」は学習する部分の値です。
勾配クリッピングは勾配の大きさを制限し、損失スケーリングは FP16 で小さな勾配が 0 になるのを防ぎます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::StartEstimate</name>
    <message>
        <source>Memory needed and available</source>
        <translation>必要なメモリと使えるメモリ</translation>
    </message>
    <message>
        <source>Weights %1 · activations %2 · adapter and optimizer %3</source>
        <translation>重み %1 · 活性値 %2 · アダプターとオプティマイザー %3</translation>
    </message>
    <message>
        <source>About %1 a step, %2 for all steps (estimated)</source>
        <translation>1 ステップ約 %1、全ステップで %2（推定）</translation>
    </message>
    <message>
        <source>About %1 a step (estimated)</source>
        <translation>1 ステップ約 %1（推定）</translation>
    </message>
    <message>
        <source>Needs %1, and %2 are available: %3 too much</source>
        <translation>必要 %1、使用可能 %2: %3 超過</translation>
    </message>
    <message>
        <source>Needs %1 of %2 available, all before the first step</source>
        <translation>必要 %1 / 使用可能 %2（すべて最初のステップの前に確保）</translation>
    </message>
    <message>
        <source>Needs %1</source>
        <translation>必要 %1</translation>
    </message>
    <message>
        <source>%1 steps, %2 epochs of %3 images</source>
        <translation>%1 ステップ、%2 エポック、画像 %3 枚</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 ステップ</translation>
    </message>
    <message>
        <source>Fits cards with %1 GB or more</source>
        <translation>VRAM が %1 GB 以上の GPU に収まります</translation>
    </message>
    <message>
        <source>Needs a card with more than %1 GB</source>
        <translation>VRAM が %1 GB を超える GPU が必要です</translation>
    </message>
    <message>
        <source>Disk: %1 for checkpoints and the result, %2 for encoded images</source>
        <translation>ディスク: チェックポイントと結果に %1、エンコード済み画像に %2</translation>
    </message>
    <message>
        <source>Disk: %1 for checkpoints and the result</source>
        <translation>ディスク: チェックポイントと結果に %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PreflightList</name>
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
        <source>Checks memory and precision with this run&apos;s images, without training (F4)</source>
        <translation>この学習の画像でメモリと精度をチェックします。学習はしません (F4)</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>まだチェックしていません。</translation>
    </message>
    <message>
        <source>Problems and warnings</source>
        <translation>問題と警告</translation>
    </message>
    <message>
        <source>All that Start would refuse, warn about or change.
Good: nothing blocks Start.
A line&apos;s button changes what it says; a click on the line explains it.</source>
        <translation>「開始」で拒否、警告、変更されることのすべてです。
良い状態: 開始を妨げるものがありません。
行のボタンは書かれたとおりに変更します。行をクリックすると説明が表示されます。</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>折りたたむ</translation>
    </message>
    <message>
        <source>More</source>
        <translation>もっと見る</translation>
    </message>
    <message>
        <source>Show fewer lines of the preflight</source>
        <translation>事前チェックの行を減らす</translation>
    </message>
    <message>
        <source>Show more lines of the preflight</source>
        <translation>事前チェックの行をさらに表示</translation>
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
        <source>The same</source>
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
    <message>
        <source>Run: %1</source>
        <translation>学習: %1</translation>
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
    <message>
        <source>edits of the last session</source>
        <translation>前回の編集</translation>
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
    <message>
        <source>The text has an error: %1</source>
        <translation>テキストに誤りがあります: %1</translation>
    </message>
    <message>
        <source>The text has an error in line %1: %2</source>
        <translation>テキストの %1 行目に誤りがあります: %2</translation>
    </message>
    <message>
        <source>The preset was edited as text and in the form: apply or revert the text first.</source>
        <translation>プリセットがテキストとフォームの両方で編集されています。先にテキストを適用するか元に戻してください。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProbeTable</name>
    <message>
        <source>Exact</source>
        <translation>誤差なし</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Pin %1 to %2</source>
        <translation>%1 を %2 に固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>層</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>勾配の誤差</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>コサイン</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>重み</translation>
    </message>
    <message>
        <source>Lost updates</source>
        <translation>失われた更新</translation>
    </message>
    <message>
        <source>Keep this layer in a wider type, as a pin of the preset</source>
        <translation>この層をより広い型に固定し、プリセットに書き込みます</translation>
    </message>
    <message>
        <source>The module&apos;s path</source>
        <translation>モジュールのパス</translation>
    </message>
    <message>
        <source>Error of its adapter&apos;s gradient, relative to FP32: the order of this table</source>
        <translation>アダプターの勾配の FP32 に対する誤差。この表の並び順です</translation>
    </message>
    <message>
        <source>Cosine between its gradient and that of FP32</source>
        <translation>勾配と FP32 の勾配のコサイン</translation>
    </message>
    <message>
        <source>Signal-to-noise ratio of its output, with the errors of the layers before it</source>
        <translation>出力の S/N 比。前の層の誤差を含みます</translation>
    </message>
    <message>
        <source>Signal-to-noise ratio of its stored weight</source>
        <translation>保存された重みの S/N 比</translation>
    </message>
    <message>
        <source>Share of its adapter&apos;s elements that the update left unchanged</source>
        <translation>アダプターの要素のうち、更新で変わらなかった割合</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProbeView</name>
    <message>
        <source>Probe</source>
        <translation>診断</translation>
    </message>
    <message>
        <source>Probe the precision of this preset</source>
        <translation>このプリセットの精度を診断</translation>
    </message>
    <message>
        <source>Cancel the probe</source>
        <translation>診断を中止</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ数</translation>
    </message>
    <message>
        <source>Steps of the probe</source>
        <translation>診断のステップ数</translation>
    </message>
    <message>
        <source>Steps in each precision: more find rarer losses, and take longer</source>
        <translation>精度ごとのステップ数。多いほどまれな損失も見つかりますが、時間がかかります</translation>
    </message>
    <message>
        <source>Progress of the probe</source>
        <translation>診断の進行状況</translation>
    </message>
    <message>
        <source>Layers, the most damaged first</source>
        <translation>層（影響の大きい順）</translation>
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
        <translation>%1 の固定</translation>
    </message>
    <message>
        <source>removal of the pin of %1</source>
        <translation>%1 の固定の解除</translation>
    </message>
    <message>
        <source>pins of the probe</source>
        <translation>診断による固定</translation>
    </message>
    <message>
        <source>Probe again</source>
        <translation>もう一度診断</translation>
    </message>
    <message numerus="yes">
        <source>Pin %n suggested layer(s)</source>
        <translation>
            <numerusform>提案された %n 層を固定</numerusform>
        </translation>
    </message>
    <message>
        <source>The preset has changed since this probe.</source>
        <translation>この診断の後にプリセットが変更されました。</translation>
    </message>
    <message>
        <source>Find types</source>
        <translation>型を探す</translation>
    </message>
    <message>
        <source>Find types for the layers</source>
        <translation>層の型を探す</translation>
    </message>
    <message>
        <source>Measures about fifteen choices of types: takes as many times as long as a probe</source>
        <translation>約 15 通りの型の組み合わせを測定します。診断の約 15 倍の時間がかかります</translation>
    </message>
    <message>
        <source>types found by the probe</source>
        <translation>診断で見つかった型</translation>
    </message>
    <message>
        <source>Of %1 choices measured, %2 are beaten by no other one.</source>
        <translation>測定した %1 通りのうち、ほかのどれにも劣らないのは %2 通りです。</translation>
    </message>
    <message>
        <source>%1 weights computed in %2 are refused: %3</source>
        <translation>%2 で計算する %1 の重みは使えません：%3</translation>
    </message>
    <message>
        <source>Which layers need a wider number type?

The probe trains the first steps twice, in this preset&apos;s precision and in FP32. You get the layers by how far their gradients are off, and one click pins those that need it.

Find types measures about fifteen choices of types for all layers instead. You get those with the best balance of memory, time and error.

Both write nothing.</source>
        <translation>より広い数値の型が必要なのはどの層ですか？

精度診断は、最初の数ステップをこのプリセットの精度と FP32 で 1 回ずつ学習します。層が勾配のずれの大きい順に並び、必要な層はワンクリックで固定できます。

「型を探す」は、全層の型の組み合わせを約 15 通り測定し、メモリ・時間・誤差のバランスが最も良いものを示します。

どちらもファイルには何も書き込みません。</translation>
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
Add runs from Setup; they start one after another, and a failed run doesn&apos;t hold up the next.</source>
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
    <message>
        <source>Stop &amp;&amp; save</source>
        <translation>停止して保存</translation>
    </message>
    <message>
        <source>Save and stop the selected run</source>
        <translation>選択した学習を保存して停止</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RecodeDialog</name>
    <message>
        <source>Captions that aren&apos;t UTF-8</source>
        <translation>UTF-8 ではないキャプション</translation>
    </message>
    <message>
        <source>Choose the encoding in which the captions read right. The files are then written as UTF-8.</source>
        <translation>キャプションが正しく読める文字コードを選んでください。ファイルは UTF-8 で書き直されます。</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>文字コード</translation>
    </message>
    <message>
        <source>Captions in the chosen encoding</source>
        <translation>選択した文字コードで読んだキャプション</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>キャプション</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>ダイアログを閉じる</translation>
    </message>
    <message>
        <source>Choose an encoding</source>
        <translation>文字コードを選択</translation>
    </message>
    <message>
        <source>%1: reads %2 of %3</source>
        <translation>%1: %3 件中 %2 件を読み取り可能</translation>
    </message>
    <message>
        <source>Not in this encoding; the file stays as it is</source>
        <translation>この文字コードではありません。ファイルはそのまま残ります</translation>
    </message>
    <message numerus="yes">
        <source>Convert %n file(s) to UTF-8</source>
        <translation>
            <numerusform>%n 個のファイルを UTF-8 に変換</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ReferenceViews</name>
    <message>
        <source>Reference %1</source>
        <translation>参照 %1</translation>
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
        <source>Open folder</source>
        <translation>フォルダーを開く</translation>
    </message>
    <message>
        <source>Show what the run wrote</source>
        <translation>学習が書き出したものを表示</translation>
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
    <message>
        <source>Start over</source>
        <translation>最初からやり直す</translation>
    </message>
    <message>
        <source>Apply a changed learning rate or step count, and changed saving and sampling intervals, to the current run</source>
        <translation>変更した学習率、ステップ数、保存間隔、サンプル画像の間隔を実行中の学習に適用します</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>続ける…</translation>
    </message>
    <message>
        <source>Continue the run that is shown, with its own settings</source>
        <translation>表示中の学習を、その学習の設定のまま続けます</translation>
    </message>
    <message>
        <source>Sweep…</source>
        <translation>スイープ…</translation>
    </message>
    <message>
        <source>Put runs at the end of the queue that differ in one or two settings</source>
        <translation>設定を 1 つか 2 つ変えた学習を、まとめてキューの最後に追加します</translation>
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
        <source>Memory %1 of %2</source>
        <translation>メモリ %1 / %2</translation>
    </message>
    <message>
        <source>Memory %1</source>
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
    <message>
        <source>Paused: the disk is full</source>
        <translation>一時停止中: ディスクがいっぱいです</translation>
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
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>From the start of the run to its end: with preparation, saving, samples and pauses</source>
        <translation>学習の開始から終了まで: 準備、保存、サンプル画像、一時停止を含みます</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunPage</name>
    <message>
        <source>Curves</source>
        <translation>曲線</translation>
    </message>
    <message>
        <source>Numerics</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>ログ</translation>
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
        <source>Time per step</source>
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
        <source>Refused by precision check %1</source>
        <translation>精度チェック %1 により不可</translation>
    </message>
    <message>
        <source>Stopped: NaN/Inf</source>
        <translation>停止: NaN/Inf</translation>
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
        <source>Show the setting “%1”</source>
        <translation>設定「%1」を表示</translation>
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
    <message>
        <source>Apply the fix to the draft</source>
        <translation>修正を下書きに適用</translation>
    </message>
    <message>
        <source>NaN/Inf ended the run</source>
        <translation>NaN/Inf により学習が終了しました</translation>
    </message>
    <message>
        <source>No run yet.
Once it trains, its curves are drawn here.</source>
        <translation>学習はまだありません。
開始すると、設定ページのプリセットと画像で学習し、ここに曲線が表示されます。</translation>
    </message>
    <message>
        <source>Images per second</source>
        <translation>画像数 / 秒</translation>
    </message>
    <message>
        <source>Loss, gradients, learning rate and updates over the steps.
Good: the loss falls, the others stay steady.
A plot&apos;s title says what it shows and what to do; a click on a marker, what happened there.</source>
        <translation>各ステップの損失、勾配、学習率、更新です。
良い状態: 損失が下がり、ほかは安定しています。
グラフの見出しにマウスを置くと内容と対処が、マーカーをクリックするとそこで起きたことが分かります。</translation>
    </message>
    <message>
        <source>Underflow, overflow and rounding error of every layer.
Good: a pale map.
A layer that stands out is pinned to BF16 or FP32 in Setup.</source>
        <translation>各層のアンダーフロー、オーバーフロー、丸め誤差です。
良い状態: 全体の色が薄くなっています。
目立つ層は「設定」で BF16 か FP32 に固定してください。</translation>
    </message>
    <message>
        <source>What the run reported, with times.
Good: no warning; each says what to change.</source>
        <translation>学習からの報告と時刻です。
良い状態: 警告がありません。警告には変更すべき点が書かれています。</translation>
    </message>
    <message>
        <source>The run could not start</source>
        <translation>学習を開始できませんでした</translation>
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
    <message>
        <source>Continues %1</source>
        <translation>%1 の続き</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>画像</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n エポック</numerusform>
        </translation>
    </message>
    <message>
        <source>It ended while the window was closed; see History.</source>
        <translation>ウィンドウを閉じている間に終了しました。履歴を確認してください。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunStarter</name>
    <message>
        <source>Queue</source>
        <translation>キュー</translation>
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
        <source>All %1 steps are done. Raise the number of steps, then press Resume to continue the run.</source>
        <translation>全 %1 ステップが完了しています。ステップ数を増やして「再開」を押すと、終わったところから続きます。</translation>
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
            <numerusform>%n 分</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 時間 %2 分</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n ステップ</numerusform>
        </translation>
    </message>
    <message>
        <source>Not saved since the checkpoint of step %1: %2. Stopping without saving loses them.</source>
        <translation>ステップ %1 のチェックポイント以降は保存されていません: %2。保存せずに停止すると失われます。</translation>
    </message>
    <message>
        <source>Not saved yet: %1. Stopping without saving loses them.</source>
        <translation>まだ保存されていません: %1。保存せずに停止すると失われます。</translation>
    </message>
    <message numerus="yes">
        <source>All %n epoch(s) are done. Raise the number of epochs, then press Resume to continue the run.</source>
        <translation>
            <numerusform>全 %n エポックが完了しました。エポック数を増やして「再開」を押すと、終わったところから続きます。</numerusform>
        </translation>
    </message>
    <message>
        <source>The run&apos;s folder %1 is no longer there.</source>
        <translation>学習の出力フォルダー %1 はもうありません。</translation>
    </message>
    <message>
        <source>settings of the run</source>
        <translation>学習の設定</translation>
    </message>
    <message>
        <source>The form shows the run&apos;s settings; Undo brings back those before.</source>
        <translation>フォームにはこの学習の設定が表示されています。「元に戻す」で以前の設定に戻せます。</translation>
    </message>
    <message>
        <source>%1 Start it on the Train page, under Queue.</source>
        <translation>%1 学習ページの「キュー」で開始できます。</translation>
    </message>
    <message numerus="yes">
        <source>%n runs were added to the queue.</source>
        <translation>
            <numerusform>%n 件の学習をキューに追加しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>This run is a process of its own: it goes on when you close the window, and the next start of the studio shows it again.</source>
        <translation>この学習は独立したプロセスです。ウィンドウを閉じても続き、次にスタジオを起動すると再び表示されます。</translation>
    </message>
    <message>
        <source>Runs that start one after another.
Waiting ones are dragged to another place; Sweep… adds one for each value of a setting.</source>
        <translation>順番に始まる学習です。
待機中のものはドラッグで並べ替えられます。「スイープ…」は設定の値ごとに 1 つずつ追加します。</translation>
    </message>
    <message>
        <source>All steps are saved.</source>
        <translation>すべてのステップが保存されています。</translation>
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
    <message>
        <source>epoch %1</source>
        <translation>エポック %1</translation>
    </message>
    <message>
        <source>%1 images/s</source>
        <translation>%1 枚/秒</translation>
    </message>
    <message>
        <source>cancelling</source>
        <translation>キャンセル中</translation>
    </message>
    <message>
        <source>Show the result</source>
        <translation>結果を表示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunVerifier</name>
    <message>
        <source>The engine is at work. Verify the run once that is done.</source>
        <translation>エンジンは作業中です。終わってから検証してください。</translation>
    </message>
    <message>
        <source>Takes the first steps of “%1” again. The run stays as it is.</source>
        <translation>「%1」の最初のステップをもう一度計算しています。学習の記録は変わりません。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Mantissa was updated. Verify takes the first steps of “%1” again and shows whether this version computes the same.</source>
        <translation>Mantissa が更新されました。検証すると「%1」の最初のステップをもう一度計算し、このバージョンが同じ結果になるかを示します。</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>検証</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleGrid</name>
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
        <source>Before training</source>
        <translation>学習前</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>Strength %1</source>
        <translation>強度 %1</translation>
    </message>
    <message>
        <source>Prompt %1 · strength %2 of the finished adapter</source>
        <translation>プロンプト %1 · 完成したアダプターの強度 %2</translation>
    </message>
    <message>
        <source>Step %1 · prompt %2</source>
        <translation>ステップ %1 · プロンプト %2</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>サンプル画像</translation>
    </message>
    <message>
        <source>Other prompts</source>
        <translation>ほかのプロンプト</translation>
    </message>
    <message>
        <source>Other prompts · %1</source>
        <translation>ほかのプロンプト · %1</translation>
    </message>
    <message>
        <source>Samples of the preset&apos;s prompts.
Good: what was trained appears, and the rest of the prompt still counts.
If all samples look alike, use an earlier checkpoint or a lower strength.</source>
        <translation>プリセットのプロンプトのサンプル画像です。
良い状態: 学習した内容が現れ、プロンプトの残りも反映されています。
どれも似ているなら、前のチェックポイントか弱い強度を使ってください。</translation>
    </message>
    <message>
        <source>Render prompts that the preset doesn&apos;t have.
Several checkpoints or strengths become one image to compare.</source>
        <translation>プリセットにないプロンプトで生成します。
複数のチェックポイントや強度は、比較できる 1 枚の画像になります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SampleModel</name>
    <message>
        <source>Can&apos;t be read</source>
        <translation>読み込めません</translation>
    </message>
    <message>
        <source>Step %1, prompt %2: %3</source>
        <translation>ステップ %1、プロンプト %2: %3</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>Prompt %1</source>
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
        <source>This is the preset of “%1” with its latest settings. Start begins a new run with it.</source>
        <translation>これは「%1」のプリセットで、最新の設定が反映されています。「開始」で新しい学習になります。</translation>
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
    <message>
        <source>The language changes at the next start: captions or a mask that can&apos;t be written now would be lost.</source>
        <translation>言語は次回の起動時に切り替わります：今切り替えると、書き込めないキャプションやマスクが失われます。</translation>
    </message>
    <message>
        <source>The language changes as soon as the run ends.</source>
        <translation>学習が終わると言語が切り替わります。</translation>
    </message>
    <message>
        <source>Run %1: %2. Resume continues it from its last checkpoint.</source>
        <translation>学習 %1: %2。「再開」で最後のチェックポイントから続けます。</translation>
    </message>
    <message>
        <source>Run %1: %2. It has no checkpoint: Start over trains it again from step 0, in place of what is recorded.</source>
        <translation>学習 %1: %2。チェックポイントがありません。「最初からやり直す」でステップ 0 から学習し直し、記録を置き換えます。</translation>
    </message>
    <message>
        <source>Run %1 was stopped at step %2 when you quit.</source>
        <translation>終了時に学習 %1 をステップ %2 で停止しました。</translation>
    </message>
    <message>
        <source>Run %1 was interrupted at step %2.</source>
        <translation>学習 %1 はステップ %2 で中断しました。</translation>
    </message>
    <message>
        <source>Resume continues from there.</source>
        <translation>「再開」でそこから続けます。</translation>
    </message>
    <message numerus="yes">
        <source>Resume continues from its checkpoint of step %1; %n later step(s) are trained again.</source>
        <translation>
            <numerusform>「再開」でステップ %1 のチェックポイントから続けます。その後の %n ステップは学習し直します。</numerusform>
        </translation>
    </message>
    <message>
        <source>It has no checkpoint, so it can&apos;t be resumed: Start over trains it again from step 0, in place of what is recorded.</source>
        <translation>チェックポイントがないため再開できません。「最初からやり直す」でステップ 0 から学習し直し、記録を置き換えます。</translation>
    </message>
    <message>
        <source>None of its checkpoints is intact, so it can&apos;t be resumed as it is.</source>
        <translation>正常なチェックポイントがないため、このままでは再開できません。</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>ほか %n 件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>最初からやり直す</translation>
    </message>
    <message>
        <source>Compare its settings</source>
        <translation>設定を比較</translation>
    </message>
    <message>
        <source>Run %1 is in progress, in a process of its own.</source>
        <translation>学習 %1 を独立したプロセスで実行中です。</translation>
    </message>
    <message>
        <source>Run %1 finished while the window was closed.</source>
        <translation>学習 %1 は、ウィンドウを閉じている間に完了しました。</translation>
    </message>
    <message>
        <source>Run %1 failed while the window was closed.</source>
        <translation>学習 %1 は、ウィンドウを閉じている間に失敗しました。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SetupPage</name>
    <message>
        <source>A short run with a growing learning rate, which suggests one</source>
        <translation>学習率を上げながら短く学習し、推奨値を示します</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>フォーム</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>学習率</translation>
    </message>
    <message>
        <source>Test learning rates…</source>
        <translation>学習率をテスト…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
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
    <message>
        <source>Probe</source>
        <translation>診断</translation>
    </message>
    <message>
        <source>The preset as text (Ctrl+E).
To read, copy, paste and edit; a mistake is marked where it is.</source>
        <translation>プリセットをテキストで表示します (Ctrl+E)。
読む、コピー、貼り付け、編集ができ、誤りはその場所に示されます。</translation>
    </message>
    <message>
        <source>The preset beside the defaults, another preset or a run (Ctrl+D).
Use takes over a single value.</source>
        <translation>プリセットを既定値、別のプリセット、学習と並べます (Ctrl+D)。
「使う」で値を 1 つずつ取り入れられます。</translation>
    </message>
    <message>
        <source>The layers that this precision damages (Ctrl+P).
Good: a gradient cosine near 1 for all.
Pin the layers that are suggested; Find types compares memory with error.</source>
        <translation>この精度で損なわれる層です (Ctrl+P)。
良い状態: すべての層で勾配のコサイン類似度が 1 に近くなります。
提案された層を固定してください。「型を探す」はメモリと誤差を比べます。</translation>
    </message>
    <message>
        <source>Loss against learning rate.
Good: a curve that falls, then rises steeply.
Use the suggestion; without one, test more steps or a wider range.</source>
        <translation>学習率に対する損失です。
良い状態: 下がったあと急に上がる曲線です。
提案を使ってください。提案がなければ、ステップを増やすか範囲を広げてください。</translation>
    </message>
    <message>
        <source>The preset as a form.
Good: nothing in the preflight blocks Start.
The search finds a setting; its ? explains it.</source>
        <translation>プリセットをフォームで表示します。
良い状態: 事前チェックに開始を妨げるものがありません。
設定は検索で見つかり、? で説明が表示されます。</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>変更あり</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>%1, as %2 in the search does</source>
        <translation>%1（検索で %2 と入力しても同じ）</translation>
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
        <source>Zoom in steps; with Ctrl, in values</source>
        <translation>ステップ方向に拡大縮小。Ctrl で値の方向</translation>
    </message>
    <message>
        <source>Drag, Shift+drag</source>
        <translation>ドラッグ、Shift+ドラッグ</translation>
    </message>
    <message>
        <source>Move, or zoom into a box</source>
        <translation>移動、または範囲を拡大</translation>
    </message>
    <message>
        <source>Double click, Home</source>
        <translation>ダブルクリック、Home</translation>
    </message>
    <message>
        <source>Show the whole run again</source>
        <translation>学習全体を再び表示</translation>
    </message>
    <message>
        <source>+ − ← →</source>
        <translation>+ − ← →</translation>
    </message>
    <message>
        <source>Zoom and move with the keyboard</source>
        <translation>キーボードで拡大縮小と移動</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>矢印キー</translation>
    </message>
    <message>
        <source>Move through runs, images and samples</source>
        <translation>学習、画像、サンプルの間を移動</translation>
    </message>
    <message>
        <source>Shift or Ctrl with them</source>
        <translation>Shift または Ctrl を押しながら</translation>
    </message>
    <message>
        <source>Choose several</source>
        <translation>複数を選択</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>Edit a run&apos;s tags or note</source>
        <translation>学習のタグやメモを編集</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Open the selected run</source>
        <translation>選択した学習を開く</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>Move the selected runs to the trash</source>
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
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
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
    <message>
        <source>The engine is probing the preset.</source>
        <translation>エンジンがプリセットを診断しています。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SweepDialog</name>
    <message>
        <source>Sweep</source>
        <translation>スイープ</translation>
    </message>
    <message>
        <source>A run for each value, at the end of the queue; of two settings, for each combination.</source>
        <translation>値ごとに 1 つの学習をキューの最後に追加します。設定が 2 つなら、すべての組み合わせを追加します。</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>キューに追加</translation>
    </message>
    <message>
        <source>Give the setting&apos;s values.</source>
        <translation>設定の値を入力してください。</translation>
    </message>
    <message>
        <source>The second setting is the first one: choose another.</source>
        <translation>2 つ目の設定が 1 つ目と同じです。別の設定を選んでください。</translation>
    </message>
    <message>
        <source>%1 runs: a sweep has %2 at most.</source>
        <translation>%1 件になります。スイープは最大 %2 件です。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 件の学習</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Close without adding runs</source>
        <translation>学習を追加せずに閉じる</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SweepRow</name>
    <message>
        <source>Setting that changes</source>
        <translation>変える設定</translation>
    </message>
    <message>
        <source>No other setting</source>
        <translation>ほかの設定は変えない</translation>
    </message>
    <message>
        <source>Its values</source>
        <translation>設定の値</translation>
    </message>
    <message>
        <source>Values with commas between, now %1</source>
        <translation>値をコンマで区切って入力（現在 %1）</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::VerifyDialog</name>
    <message>
        <source>Step %1, loss</source>
        <translation>ステップ %1：損失</translation>
    </message>
    <message>
        <source>Step %1, gradient norm</source>
        <translation>ステップ %1：勾配ノルム</translation>
    </message>
    <message>
        <source>Step %1, time</source>
        <translation>ステップ %1：時間</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>計画されたメモリ</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>バージョン</translation>
    </message>
    <message>
        <source>Verified: %1</source>
        <translation>検証：%1</translation>
    </message>
    <message>
        <source>First steps then and now</source>
        <translation>学習時と今の最初のステップ</translation>
    </message>
    <message>
        <source>When the run was made</source>
        <translation>学習時</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>今</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>ダイアログを閉じる</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::VersionPicker</name>
    <message>
        <source>Previous version</source>
        <translation>前のバージョン</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>次のバージョン</translation>
    </message>
    <message>
        <source>The whole image</source>
        <translation>画像全体</translation>
    </message>
    <message>
        <source>Version %1 of %2</source>
        <translation>バージョン %1 / %2</translation>
    </message>
    <message>
        <source>Cut at %1, %2 of %3 × %4</source>
        <translation>%3 × %4 の %1, %2 から切り抜き</translation>
    </message>
    <message>
        <source>rotated by %1°</source>
        <translation>%1° 回転</translation>
    </message>
    <message>
        <source>brightness × %1</source>
        <translation>明るさ × %1</translation>
    </message>
    <message>
        <source>contrast × %1</source>
        <translation>コントラスト × %1</translation>
    </message>
    <message>
        <source>saturation × %1</source>
        <translation>彩度 × %1</translation>
    </message>
    <message>
        <source>hue turned by %1°</source>
        <translation>色相 %1°</translation>
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
        <source>Test learnin&amp;g rates</source>
        <translation>学習率をテスト(&amp;G)</translation>
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
    <message>
        <source>&amp;Language</source>
        <translation>言語(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>ガイド(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Precision catalogue</source>
        <translation>精度の一覧(&amp;P)</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics</source>
        <translation>診断情報をコピー(&amp;D)</translation>
    </message>
    <message>
        <source>Versions, devices, the draft and the log are on the clipboard, for a bug report.</source>
        <translation>バージョン、デバイス、下書き、ログをクリップボードにコピーしました。不具合の報告に使えます。</translation>
    </message>
    <message>
        <source>&amp;About Mantissa</source>
        <translation>Mantissa について(&amp;A)</translation>
    </message>
    <message>
        <source>Probe pre&amp;cision</source>
        <translation>精度を診断(&amp;C)</translation>
    </message>
    <message>
        <source>Use it anyway</source>
        <translation>それでも使う</translation>
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
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>T&amp;ools</source>
        <translation>ツール(&amp;O)</translation>
    </message>
</context>
<context>
    <name>questions</name>
    <message>
        <source>Open preset</source>
        <translation>プリセットを開く</translation>
    </message>
    <message>
        <source>Presets (*.json *.mantissa-preset);;All files (*)</source>
        <translation>プリセット (*.json *.mantissa-preset);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>取り込み</translation>
    </message>
    <message>
        <source>Presets, configurations, adapters (*.json *.toml *.yaml *.yml *.safetensors);;All files (*)</source>
        <translation>プリセット、設定ファイル、アダプター (*.json *.toml *.yaml *.yml *.safetensors);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>プリセットを保存</translation>
    </message>
    <message>
        <source>Presets (*.json *.mantissa-preset)</source>
        <translation>プリセット (*.json *.mantissa-preset)</translation>
    </message>
    <message>
        <source>Save to another folder</source>
        <translation>別のフォルダーに保存</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>学習を続ける</translation>
    </message>
    <message>
        <source>Save &amp;&amp; stop</source>
        <translation>保存して停止</translation>
    </message>
    <message>
        <source>Stop without saving</source>
        <translation>保存せずに停止</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>ごみ箱に移動</translation>
    </message>
    <message>
        <source>LoRA folder of %1</source>
        <translation>%1 の LoRA フォルダー</translation>
    </message>
    <message>
        <source>Copy as %1</source>
        <translation>%1 としてコピー</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>置き換える</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>保存していない変更</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard the changes</source>
        <translation>変更を破棄</translation>
    </message>
    <message>
        <source>What was changed since the preset was opened or saved is lost.</source>
        <translation>プリセットを開くか保存した後の変更は失われます。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>学習を停止</translation>
    </message>
    <message>
        <source>A checkpoint is saved first; Resume continues from it.</source>
        <translation>先にチェックポイントを保存します。「再開」でそこから続けられます。</translation>
    </message>
    <message>
        <source>The unsaved steps are lost.</source>
        <translation>保存していないステップは失われます。</translation>
    </message>
    <message>
        <source>A file of this name exists</source>
        <translation>同じ名前のファイルがあります</translation>
    </message>
    <message>
        <source>The other file is lost.</source>
        <translation>元のファイルは失われます。</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>ウィンドウを閉じる</translation>
    </message>
    <message>
        <source>Close all the same</source>
        <translation>それでも閉じる</translation>
    </message>
    <message>
        <source>Keep the window</source>
        <translation>ウィンドウを閉じない</translation>
    </message>
    <message>
        <source>Nothing is lost while it is open.</source>
        <translation>開いている間は何も失われません。</translation>
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
<context>
    <name>mantissa::gui::CaptionPreview</name>
    <message>
        <source>Captions before and after</source>
        <translation>変更前後のキャプション</translation>
    </message>
    <message>
        <source>No caption</source>
        <translation>キャプションなし</translation>
    </message>
    <message>
        <source>%1 of %2 captions change</source>
        <translation>%2 件中 %1 件のキャプションが変わります</translation>
    </message>
    <message>
        <source>%1 captions change so far</source>
        <translation>これまでに %1 件のキャプションが変わります</translation>
    </message>
    <message>
        <source>Show or hide captions before and after</source>
        <translation>変更前後のキャプションを表示または非表示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SkippedView</name>
    <message>
        <source>not an image file</source>
        <translation>画像ではないファイル</translation>
    </message>
    <message>
        <source>damaged image</source>
        <translation>破損した画像</translation>
    </message>
    <message>
        <source>image too small</source>
        <translation>小さすぎる画像</translation>
    </message>
    <message>
        <source>image too large</source>
        <translation>大きすぎる画像</translation>
    </message>
    <message>
        <source>unreadable caption</source>
        <translation>読み込めないキャプション</translation>
    </message>
    <message>
        <source>unusable mask</source>
        <translation>使用できないマスク</translation>
    </message>
    <message>
        <source>caption without an image</source>
        <translation>画像のないキャプション</translation>
    </message>
    <message>
        <source>mask without an image</source>
        <translation>画像のないマスク</translation>
    </message>
    <message>
        <source>error in metadata.jsonl</source>
        <translation>metadata.jsonl のエラー</translation>
    </message>
    <message>
        <source>folder not scanned</source>
        <translation>スキャンされなかったフォルダー</translation>
    </message>
    <message>
        <source>broken link or special file</source>
        <translation>リンク切れまたは特殊ファイル</translation>
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
        <source>image without a usable reference</source>
        <translation>使える参照のない画像</translation>
    </message>
    <message>
        <source>reference without an image</source>
        <translation>画像のない参照</translation>
    </message>
    <message>
        <source>No file is skipped.
Every image of the folders is trained.</source>
        <translation>除外されたファイルはありません。
フォルダー内のすべての画像が学習に使われます。</translation>
    </message>
    <message>
        <source>Read as…</source>
        <translation>文字コードを指定…</translation>
    </message>
    <message>
        <source>Convert captions that aren&apos;t UTF-8</source>
        <translation>UTF-8 ではないキャプションを変換</translation>
    </message>
    <message>
        <source>Shows the captions that aren&apos;t UTF-8 in the encoding that you choose, and converts them</source>
        <translation>UTF-8 ではないキャプションを選択した文字コードで表示し、変換します</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImageTrash</name>
    <message numerus="yes">
        <source>Move %n image(s) to the trash, with captions and masks?</source>
        <translation>
            <numerusform>%n 枚の画像をキャプションとマスクごとごみ箱に移動しますか？</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>ほか %n 枚。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 can&apos;t be moved to the trash; it was left where it is.</source>
        <translation>%1 をごみ箱に移動できないため、元の場所に残しました。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be moved to the trash; its image was.</source>
        <translation>%1 をごみ箱に移動できません。画像は移動しました。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be brought back; it is still in the trash.</source>
        <translation>%1 を元に戻せません。まだごみ箱にあります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImageDelegate</name>
    <message>
        <source>Can&apos;t be read</source>
        <translation>読み込めません</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CardPicker</name>
    <message>
        <source>Cards that train</source>
        <translation>学習に使うカード</translation>
    </message>
    <message>
        <source>One run on all</source>
        <translation>全カードで 1 つの学習</translation>
    </message>
    <message>
        <source>A run on each</source>
        <translation>カードごとに 1 つの学習</translation>
    </message>
    <message>
        <source>One model across all</source>
        <translation>全カードで 1 つのモデル</translation>
    </message>
    <message>
        <source>Train on %1, %2</source>
        <translation>%1(%2)で学習</translation>
    </message>
    <message>
        <source>The queue trains as many runs at the same time, each on a card of its own.</source>
        <translation>キューがカードの枚数だけ同時に学習を進め、それぞれが 1 枚のカードを使います。</translation>
    </message>
    <message>
        <source>Each card holds some of the model&apos;s layers, so that a model too large for one card trains. The cards compute one after another: one run, not a faster one.</source>
        <translation>モデルの層をカードに分けて置くため、1 枚に収まらないモデルも学習できます。カードは順に計算するため、1 つの学習が速くなるわけではありません。</translation>
    </message>
    <message>
        <source>The cards share the micro-steps of each step (gradient accumulation), so that one run is faster.</source>
        <translation>各ステップのマイクロステップ(勾配累積)をカードで分担するため、1 つの学習が速くなります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProcessCard</name>
    <message>
        <source>What trains the run</source>
        <translation>この学習を行うもの</translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation>
            <numerusform>%n 枚のカード</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es)</source>
        <translation>
            <numerusform>%n 個のプロセス</numerusform>
        </translation>
    </message>
    <message>
        <source>Images per second of each while it computes, and the share of the time in which it does</source>
        <translation>それぞれの計算中の 1 秒あたりの画像数と、計算している時間の割合</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>低速</translation>
    </message>
    <message>
        <source>The others wait for it in every step</source>
        <translation>ほかは毎ステップこれを待ちます</translation>
    </message>
    <message>
        <source>%1 on %2, slow</source>
        <translation>%2 の %1、低速</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1 枚/秒</translation>
    </message>
    <message>
        <source>%1, slow</source>
        <translation>%1、低速</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SideRuns</name>
    <message>
        <source>Preparing on %1</source>
        <translation>%1 で準備中</translation>
    </message>
    <message>
        <source>Step %1 of %2 on %3</source>
        <translation>%3 でステップ %1 / %2</translation>
    </message>
    <message>
        <source>Step %1 on %2</source>
        <translation>%2 でステップ %1</translation>
    </message>
    <message>
        <source>Waiting for disk space, step %1 on %2</source>
        <translation>%2 でステップ %1、ディスクの空きを待っています</translation>
    </message>
</context>
<context>
    <name>EngineText</name>
    <message>
        <source>“%1”</source>
        <translation>「%1」</translation>
    </message>
</context>
<context>
    <name>SearchWords</name>
    <message>
        <source>vram gpu memory oom out of memory</source>
        <translation>vram gpu メモリ 不足 oom</translation>
    </message>
    <message>
        <source>speed fast slow</source>
        <translation>速度 速い 遅い</translation>
    </message>
    <message>
        <source>quantization quantize mixed precision dtype</source>
        <translation>量子化 混合精度 dtype</translation>
    </message>
    <message>
        <source>overfitting regularization class images</source>
        <translation>過学習 正則化 正則化画像</translation>
    </message>
    <message>
        <source>network lycoris dim</source>
        <translation>ネットワーク lycoris dim</translation>
    </message>
    <message>
        <source>lr scheduler decay</source>
        <translation>lr スケジューラー 減衰</translation>
    </message>
    <message>
        <source>preview test image</source>
        <translation>プレビュー テスト画像</translation>
    </message>
    <message>
        <source>tags tagging</source>
        <translation>タグ タグ付け</translation>
    </message>
    <message>
        <source>augmentation mirror</source>
        <translation>データ拡張 左右反転</translation>
    </message>
    <message>
        <source>length duration</source>
        <translation>長さ 時間</translation>
    </message>
    <message>
        <source>backup autosave</source>
        <translation>バックアップ 自動保存</translation>
    </message>
    <message>
        <source>@modified</source>
        <translation>@変更あり</translation>
    </message>
    <message>
        <source>@advanced</source>
        <translation>@詳細</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PreflightLine</name>
    <message>
        <source>%1
Applied as an edit, which Undo takes back</source>
        <translation>%1
編集として適用され、「元に戻す」で取り消せます</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation>理由: %1</translation>
    </message>
</context>
<context>
    <name>OpenFolder</name>
    <message>
        <source>The folder %1 is no longer there.</source>
        <translation>フォルダー %1 はもうありません。</translation>
    </message>
    <message>
        <source>No program here shows folders. The folder is %1</source>
        <translation>フォルダーを表示できるプログラムがありません。フォルダーは %1 です</translation>
    </message>
</context>
<context>
    <name>RunResultFiles</name>
    <message>
        <source>Loads it as it was trained.</source>
        <translation>学習したとおりに読み込みます。</translation>
    </message>
    <message>
        <source>Loads it, but a layer&apos;s change is off by %1.</source>
        <translation>読み込みますが、ある層の変化が %1 ずれます。</translation>
    </message>
    <message>
        <source>Ignores %1 of its %2 tensors.</source>
        <translation>%2 個のテンソルのうち %1 個を無視します。</translation>
    </message>
    <message>
        <source>Loads it, but the checked layers stay as they are.</source>
        <translation>読み込みますが、確認した層は変化しません。</translation>
    </message>
    <message>
        <source>Recognizes none of its tensors: it has no effect, or fails to load.</source>
        <translation>テンソルをまったく認識しません。効果がないか、読み込みに失敗します。</translation>
    </message>
    <message>
        <source>Refuses it.</source>
        <translation>読み込みを拒否します。</translation>
    </message>
    <message>
        <source>No verdict: how it names adapters of this base model isn&apos;t known.</source>
        <translation>判定なし: このベースモデルのアダプターに使う名前は分かりません。</translation>
    </message>
    <message>
        <source>A verdict of a newer version: %1</source>
        <translation>新しいバージョンの判定：%1</translation>
    </message>
    <message>
        <source>result.json can&apos;t be read: %1</source>
        <translation>result.json を読み込めません：%1</translation>
    </message>
    <message>
        <source>result.json is damaged: it lists no programs.</source>
        <translation>result.json が壊れています：プログラムの一覧がありません。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::AdapterCopier</name>
    <message>
        <source>%1 has another file called %2 already.</source>
        <translation>%1 には %2 という名前の別のファイルがすでにあります。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ModelPicker</name>
    <message>
        <source>Folder with models</source>
        <translation>モデルのフォルダー</translation>
    </message>
    <message>
        <source>Base models on this computer</source>
        <translation>このコンピューターのベースモデル</translation>
    </message>
    <message>
        <source>Search names, families, places</source>
        <translation>名前・ファミリー・場所を検索</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>モデルを検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Base models</source>
        <translation>ベースモデル</translation>
    </message>
    <message>
        <source>Columns of the models</source>
        <translation>モデル一覧の列</translation>
    </message>
    <message>
        <source>Looking for models</source>
        <translation>モデルを探しています</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>このモデルを使う</translation>
    </message>
    <message>
        <source>Use the selected model</source>
        <translation>選択したモデルを使う</translation>
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
        <source>Folders looked through</source>
        <translation>検索したフォルダー</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>フォルダーを追加…</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>モデルのフォルダーを追加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Remove the selected folder</source>
        <translation>選択したフォルダーを外す</translation>
    </message>
    <message>
        <source>%1 · added by you</source>
        <translation>%1 · 自分で追加</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>モデル %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%n other file(s) passed over</source>
        <translation>
            <numerusform>ほかの %n 個のファイルは対象外</numerusform>
        </translation>
    </message>
    <message>
        <source>No base model was found. Add the folder that holds yours.</source>
        <translation>ベースモデルが見つかりません。モデルのあるフォルダーを追加してください。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ModelScan</name>
    <message>
        <source>%1, mixed</source>
        <translation>%1、混在</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ModelTable</name>
    <message>
        <source>%1, distilled</source>
        <translation>%1、蒸留</translation>
    </message>
    <message>
        <source>%1, denoiser only</source>
        <translation>%1、デノイザーのみ</translation>
    </message>
    <message>
        <source>Distilled models don&apos;t train well: take the base that it comes from.</source>
        <translation>蒸留モデルは学習に向きません。元のベースモデルを使ってください。</translation>
    </message>
    <message>
        <source>Text encoders and VAE are files of their own: “Separate files…” adds them.</source>
        <translation>テキストエンコーダーと VAE は別のファイルです。「個別のファイル…」で追加します。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>ファミリー</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Its files state no licence of the weights.</source>
        <translation>ファイルには重みのライセンスが書かれていません。</translation>
    </message>
    <message>
        <source>Licence of the weights: %1</source>
        <translation>重みのライセンス: %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ReaderList</name>
    <message>
        <source>Works</source>
        <translation>使えます</translation>
    </message>
    <message>
        <source>Doesn&apos;t work as trained</source>
        <translation>学習どおりには動きません</translation>
    </message>
    <message>
        <source>Not for this base model</source>
        <translation>このベースモデルには非対応</translation>
    </message>
    <message>
        <source>By the rules of:
%1</source>
        <translation>次の規則による：
%1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ResultView</name>
    <message>
        <source>No result yet.
Once a run ends, its files, figures and samples are shown here.</source>
        <translation>まだ結果はありません。
学習が終わると、ファイル・数値・サンプル画像をここに表示します。</translation>
    </message>
    <message>
        <source>Result of the run</source>
        <translation>学習の結果</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>サンプル</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>The run has written no adapter.</source>
        <translation>学習はアダプターを書き出していません。</translation>
    </message>
    <message>
        <source>Files of the result</source>
        <translation>結果のファイル</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>対象</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>フォルダーで表示</translation>
    </message>
    <message>
        <source>Open the folder of the chosen file</source>
        <translation>選択したファイルのフォルダーを開く</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>もう一度学習</translation>
    </message>
    <message>
        <source>Take the run&apos;s settings as the draft of another run</source>
        <translation>この学習の設定を次の学習の下書きにする</translation>
    </message>
    <message>
        <source>Copy the chosen file to the LoRA folder of %1. The folder is found, or asked for once; no file there is replaced without a question.</source>
        <translation>選択したファイルを %1 の LoRA フォルダーにコピーします。フォルダーは自動で探すか、一度だけ尋ねます。確認なしに既存のファイルを置き換えることはありません。</translation>
    </message>
    <message>
        <source>Copy to %1…</source>
        <translation>%1 にコピー…</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n ステップ</numerusform>
        </translation>
    </message>
    <message>
        <source>training steps took %1</source>
        <translation>学習ステップの時間: %1</translation>
    </message>
    <message>
        <source>mean loss of the last tenth: %1</source>
        <translation>最後の 1/10 の平均損失：%1</translation>
    </message>
    <message>
        <source>lowest validation loss: %1 at step %2</source>
        <translation>最小の検証損失：%1（ステップ %2）</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>The result</source>
        <translation>最終結果</translation>
    </message>
    <message>
        <source>What other programs make of it</source>
        <translation>ほかのプログラムでの読み込み</translation>
    </message>
    <message>
        <source>What other programs make of %1</source>
        <translation>ほかのプログラムでの %1 の読み込み</translation>
    </message>
    <message>
        <source>Read back by these programs&apos; rules when it was saved. Load it with strength 1.</source>
        <translation>保存時に、これらのプログラムの規則で読み直して確認しました。強度 1 で読み込んでください。</translation>
    </message>
    <message>
        <source>Step %1, suggested</source>
        <translation>ステップ %1（おすすめ）</translation>
    </message>
    <message>
        <source>By the validation images, whose noise and times are the same for every checkpoint: the earliest whose loss is within the error of the lowest. Look at its samples as well.</source>
        <translation>検証画像による判断です。ノイズと時刻はどのチェックポイントでも同じです。損失が最小のものと誤差の範囲で変わらない、最も早いチェックポイントを示します。サンプルも確認してください。</translation>
    </message>
    <message>
        <source>A run that has memorised its images draws them again. Samples are compared with training images and with validation images, which it has never seen: nearer to the former means that it repeats them. An earlier checkpoint, more images or a lower rank help.</source>
        <translation>画像を丸暗記した学習は、同じ画像を再び描きます。サンプル画像を学習画像と、一度も見ていない検証用の画像とで比べます。前者に近いほど、学習画像を繰り返しています。前のチェックポイント、より多くの画像、より低いランクが役立ちます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunResults</name>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>%1 · Finished</source>
        <translation>%1 · 完了</translation>
    </message>
    <message>
        <source>%1 · Not finished</source>
        <translation>%1 · 未完了</translation>
    </message>
    <message>
        <source>%1 has it already: %2</source>
        <translation>%1 にはすでにあります：%2</translation>
    </message>
    <message>
        <source>Copied for %1 to %2</source>
        <translation>%1 用に %2 へコピーしました</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>フォルダーで表示</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>別のフォルダー…</translation>
    </message>
    <message>
        <source>Files, figures and samples of the run that ended.
Good: the samples show what was trained and still follow the prompt.
If they repeat training images, use an earlier checkpoint.</source>
        <translation>終わった学習のファイル、数値、サンプル画像です。
良い状態: 学習した内容が現れ、プロンプトにも従っています。
学習画像の繰り返しになっているなら、前のチェックポイントを使ってください。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SamplePairView</name>
    <message>
        <source>Prompt of the samples</source>
        <translation>サンプルのプロンプト</translation>
    </message>
    <message>
        <source>Before training</source>
        <translation>学習前</translation>
    </message>
    <message>
        <source>First sample · step %1</source>
        <translation>最初のサンプル · ステップ %1</translation>
    </message>
    <message>
        <source>Last sample · step %1</source>
        <translation>最後のサンプル · ステップ %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MaskCanvas</name>
    <message>
        <source>The image&apos;s crop with its mask</source>
        <translation>マスクを重ねた画像の切り抜き</translation>
    </message>
    <message>
        <source>Paint with the mouse. [ and ] change the brush&apos;s size, X turns it into the eraser and back, the wheel enlarges, 0 shows all.</source>
        <translation>マウスで塗ります。[ と ] でブラシの大きさ、X で消しゴムと切り替え、ホイールで拡大、0 で全体を表示します。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>読み込み中…</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MaskEditor</name>
    <message>
        <source>Brush</source>
        <translation>ブラシ</translation>
    </message>
    <message>
        <source>Paint what counts (X switches)</source>
        <translation>数える部分を塗る (X で切り替え)</translation>
    </message>
    <message>
        <source>Eraser</source>
        <translation>消しゴム</translation>
    </message>
    <message>
        <source>Paint what doesn&apos;t count (X switches)</source>
        <translation>数えない部分を塗る (X で切り替え)</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大きさ</translation>
    </message>
    <message>
        <source>Size of the brush in pixels of the crop ([ and ])</source>
        <translation>切り抜きのピクセル単位のブラシの大きさ ([ と ])</translation>
    </message>
    <message>
        <source>Hardness</source>
        <translation>硬さ</translation>
    </message>
    <message>
        <source>How much of the brush is painted in full; the rest fades out ({ and })</source>
        <translation>ブラシのうち完全に塗られる割合。残りは薄れていきます ({ と })</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>反転</translation>
    </message>
    <message>
        <source>What counts and what doesn&apos;t change places</source>
        <translation>数える部分と数えない部分を入れ替える</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>クリア</translation>
    </message>
    <message>
        <source>Everything counts, as without a mask</source>
        <translation>マスクがないときと同じく全体を数える</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Undo the last stroke (Ctrl+Z)</source>
        <translation>最後のストロークを元に戻す (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直し</translation>
    </message>
    <message>
        <source>Redo the stroke (Ctrl+Y)</source>
        <translation>ストロークをやり直す (Ctrl+Y)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>Show the whole crop (0); the wheel enlarges</source>
        <translation>切り抜き全体を表示 (0)。ホイールで拡大</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Discard the strokes: the mask stays as it was</source>
        <translation>ストロークを破棄: マスクは元のまま残ります</translation>
    </message>
    <message>
        <source>Leave the mask as it was</source>
        <translation>マスクを元のままにする</translation>
    </message>
    <message>
        <source>Save mask</source>
        <translation>マスクを保存</translation>
    </message>
    <message>
        <source>%1 px, %2 hard</source>
        <translation>%1 px、硬さ %2</translation>
    </message>
    <message>
        <source>Everything counts. The brush&apos;s first stroke makes only what it paints count; the eraser&apos;s takes out what it paints.</source>
        <translation>全体が数えられます。ブラシの最初のストロークでは塗った部分だけが数えられ、消しゴムでは塗った部分が除かれます。</translation>
    </message>
    <message>
        <source>Coloured places don&apos;t count.</source>
        <translation>色の付いた部分は数えられません。</translation>
    </message>
    <message>
        <source>About the mask</source>
        <translation>マスクについて</translation>
    </message>
    <message>
        <source>Save the mask and close it (Esc), as any other way out does</source>
        <translation>マスクを保存して閉じます (Esc)。ほかの方法で離れた場合も同じです</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::MaskPainting</name>
    <message>
        <source>erasing in the mask</source>
        <translation>マスクの消去</translation>
    </message>
    <message>
        <source>painting the mask</source>
        <translation>マスクの塗り</translation>
    </message>
    <message>
        <source>inverting the mask</source>
        <translation>マスクの反転</translation>
    </message>
    <message>
        <source>clearing the mask</source>
        <translation>マスクのクリア</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProposalModel</name>
    <message>
        <source>Image</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>Caption now</source>
        <translation>現在のキャプション</translation>
    </message>
    <message>
        <source>New caption</source>
        <translation>新しいキャプション</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TaggerDialog</name>
    <message>
        <source>Which images</source>
        <translation>対象の画像</translation>
    </message>
    <message>
        <source>The images shown</source>
        <translation>表示中の画像</translation>
    </message>
    <message>
        <source>The images selected</source>
        <translation>選択した画像</translation>
    </message>
    <message>
        <source>Images captioned</source>
        <translation>キャプションを付けた画像</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Cancel captioning</source>
        <translation>キャプション付けをキャンセル</translation>
    </message>
    <message>
        <source>New captions</source>
        <translation>新しいキャプション</translation>
    </message>
    <message>
        <source>Put back the latest captions</source>
        <translation>直前のキャプションを元に戻す</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Close the dialog</source>
        <translation>ダイアログを閉じる</translation>
    </message>
    <message numerus="yes">
        <source>Caption %n shown image(s)</source>
        <translation>
            <numerusform>表示中の %n 枚にキャプションを付ける</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Caption %n selected image(s)</source>
        <translation>
            <numerusform>選択した %n 枚にキャプションを付ける</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) kept</source>
        <translation>
            <numerusform>%n 件のキャプションを維持</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n read-only</source>
        <translation>
            <numerusform>読み取り専用 %n 枚</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Write %n caption(s)</source>
        <translation>
            <numerusform>%n 件のキャプションを書き込む</numerusform>
        </translation>
    </message>
    <message>
        <source>Loading the tagger…</source>
        <translation>タガーを読み込み中…</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>モデルを読み込み中…</translation>
    </message>
    <message>
        <source>Captioned %1 of %2 images</source>
        <translation>画像 %2 枚中 %1 枚のキャプション付けを完了</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>残り %1</translation>
    </message>
    <message numerus="yes">
        <source>Captioned %n image(s).</source>
        <translation>
            <numerusform>%n 枚の画像にキャプションを付けました。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) can&apos;t be read.</source>
        <translation>
            <numerusform>%n 枚の画像を読み込めません。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is written yet: a double click edits a caption, and only those with a tick are written.</source>
        <translation>まだ何も書き込まれていません。ダブルクリックでキャプションを編集でき、チェックを付けたものだけが書き込まれます。</translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) aren&apos;t written. Close again to discard them.</source>
        <translation>
            <numerusform>%n 件のキャプションは書き込まれていません。もう一度閉じると破棄されます。</numerusform>
        </translation>
    </message>
    <message>
        <source>Caption by a model</source>
        <translation>モデルでキャプション</translation>
    </message>
    <message>
        <source>Puts back what a model&apos;s latest captions changed, of this window or of the command line, but for captions edited since</source>
        <translation>このウィンドウまたはコマンドラインで、モデルが最後に変更したキャプションを元に戻します。その後に編集されたものは除きます</translation>
    </message>
    <message>
        <source>Asking the model…</source>
        <translation>モデルに問い合わせ中…</translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) got no caption.</source>
        <translation>
            <numerusform>%n 枚の画像にキャプションが付きませんでした。</numerusform>
        </translation>
    </message>
    <message>
        <source>captions by a model</source>
        <translation>モデルによるキャプション</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TaggerForm</name>
    <message>
        <source>Folder of the tagger</source>
        <translation>タガーのフォルダー</translation>
    </message>
    <message>
        <source>Tagger</source>
        <translation>タガー</translation>
    </message>
    <message>
        <source>Folder with model.safetensors, config.json and selected_tags.csv</source>
        <translation>model.safetensors、config.json、selected_tags.csv があるフォルダー</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>維持</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>置換</translation>
    </message>
    <message>
        <source>Existing captions</source>
        <translation>既存のキャプション</translation>
    </message>
    <message>
        <source>Least certainty of a tag</source>
        <translation>タグの最低確信度</translation>
    </message>
    <message>
        <source>How sure the tagger must be of a general tag, 0 to 1</source>
        <translation>一般タグに必要な確信度、0 から 1</translation>
    </message>
    <message>
        <source>Least certainty of a character</source>
        <translation>キャラクターの最低確信度</translation>
    </message>
    <message>
        <source>How sure the tagger must be of a character&apos;s name, 0 to 1</source>
        <translation>キャラクター名に必要な確信度、0 から 1</translation>
    </message>
    <message>
        <source>Trigger word</source>
        <translation>トリガーワード</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>A word that stands first in every caption</source>
        <translation>すべてのキャプションの先頭に置く語</translation>
    </message>
    <message>
        <source>Tags that no caption gets</source>
        <translation>どのキャプションにも付けないタグ</translation>
    </message>
    <message>
        <source>None; separated by commas</source>
        <translation>なし。カンマで区切る</translation>
    </message>
    <message>
        <source>Likeliest rating first</source>
        <translation>最も確からしいレーティングを先頭に</translation>
    </message>
    <message>
        <source>Underscores in tags</source>
        <translation>タグのアンダースコアを残す</translation>
    </message>
    <message>
        <source>The taggers v3 of SmilingWolf&apos;s WD family are read, ViT and EVA-02: their pages state the Apache-2.0 licence. Put the three files of one into a folder of its own; nothing is downloaded here.</source>
        <translation>SmilingWolf の WD v3 タガー (ViT と EVA-02) を読み込めます。配布ページによればライセンスは Apache-2.0 です。3 つのファイルを専用のフォルダーに置いてください。ここでは何もダウンロードされません。</translation>
    </message>
    <message>
        <source>Tags from</source>
        <translation>タグの下限</translation>
    </message>
    <message>
        <source>Characters from</source>
        <translation>キャラクターの下限</translation>
    </message>
    <message>
        <source>Excluded tags</source>
        <translation>除外するタグ</translation>
    </message>
    <message>
        <source>A tagger</source>
        <translation>タガー</translation>
    </message>
    <message>
        <source>A model that another program serves</source>
        <translation>別のプログラムが提供するモデル</translation>
    </message>
    <message>
        <source>A Qwen3-VL</source>
        <translation>Qwen3-VL</translation>
    </message>
    <message>
        <source>What captions the images</source>
        <translation>画像にキャプションを付けるもの</translation>
    </message>
    <message>
        <source>Add after them</source>
        <translation>後に追加</translation>
    </message>
    <message>
        <source>Add before them</source>
        <translation>前に追加</translation>
    </message>
    <message>
        <source>Captions by</source>
        <translation>キャプションの作成</translation>
    </message>
    <message>
        <source>Choose the folder of a tagger first</source>
        <translation>先にタガーのフォルダーを選んでください</translation>
    </message>
    <message>
        <source>A certainty is a number from 0 to 1</source>
        <translation>確信度は 0 から 1 の数値です</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ToolAdapters</name>
    <message>
        <source>Adapter %1</source>
        <translation>アダプター %1</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>Another adapter</source>
        <translation>ほかのアダプター</translation>
    </message>
    <message>
        <source>Adapters (*.safetensors);;All files (*)</source>
        <translation>アダプター (*.safetensors);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Weight of adapter %1</source>
        <translation>アダプター %1 の重み</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>重み</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ToolForm</name>
    <message>
        <source>All programs</source>
        <translation>すべてのプログラム</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>入力</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>そのまま</translation>
    </message>
    <message>
        <source>As the file says</source>
        <translation>ファイルのとおり</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>「%1」</translation>
    </message>
    <message>
        <source>Models and adapters (*.safetensors);;All files (*)</source>
        <translation>モデルとアダプター (*.safetensors);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>“%1” is missing.</source>
        <translation>「%1」がありません。</translation>
    </message>
    <message>
        <source>“%1” is a number from %2 to %3.</source>
        <translation>「%1」は %2 から %3 の数値です。</translation>
    </message>
    <message>
        <source>“%1” is a number above 0 and at most 1.</source>
        <translation>「%1」は 0 より大きく 1 以下の数値です。</translation>
    </message>
    <message>
        <source>A weight is a number from -100 to 100.</source>
        <translation>重みは -100 から 100 の数値です。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ToolsPage</name>
    <message>
        <source>Search (Ctrl+F)</source>
        <translation>検索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search tools and their options</source>
        <translation>ツールとオプションを検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Options: %1</source>
        <translation>オプション: %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Cancel the tool</source>
        <translation>ツールをキャンセル</translation>
    </message>
    <message>
        <source>Progress of the tool</source>
        <translation>ツールの進み具合</translation>
    </message>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation>キャンセルしました。何も書き込まれていません。</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>What the file holds</source>
        <translation>ファイルの内容</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>フォルダーを開く</translation>
    </message>
    <message>
        <source>Open the folder of the result</source>
        <translation>結果のフォルダーを開く</translation>
    </message>
    <message>
        <source>%1: working…</source>
        <translation>%1: 処理中…</translation>
    </message>
    <message>
        <source>%1 of %2 weights</source>
        <translation>重み %2 個中 %1 個</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>残り %1</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>動作</translation>
    </message>
    <message>
        <source>Fails</source>
        <translation>不可</translation>
    </message>
    <message>
        <source>The result of a tool is shown here.</source>
        <translation>ツールの結果がここに表示されます。</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>結果: %1</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TrayIcon</name>
    <message>
        <source>Show the window</source>
        <translation>ウィンドウを表示</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CloseSheet</name>
    <message>
        <source>Close the window</source>
        <translation>ウィンドウを閉じる</translation>
    </message>
    <message>
        <source>Save and continue without the window</source>
        <translation>保存してウィンドウなしで続ける</translation>
    </message>
    <message>
        <source>The run is saved and continues in a process of its own, exactly where it was. The next start of the studio shows it again.</source>
        <translation>学習を保存し、独立したプロセスで正確に同じところから続けます。次にスタジオを起動すると再び表示されます。</translation>
    </message>
    <message>
        <source>Only a single run can continue in a process of its own.</source>
        <translation>独立したプロセスで続けられるのは、実行中の学習が 1 つのときだけです。</translation>
    </message>
    <message>
        <source>Stop, save and quit</source>
        <translation>停止して保存し、終了</translation>
    </message>
    <message>
        <source>Nothing is lost: the next start offers to resume.</source>
        <translation>何も失われません。次の起動時に再開できます。</translation>
    </message>
    <message>
        <source>Keep the window</source>
        <translation>ウィンドウを閉じない</translation>
    </message>
    <message>
        <source>The run goes on as before.</source>
        <translation>学習はこのまま続きます。</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HealthDetails</name>
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
        <source>No cell selected</source>
        <translation>セルが選ばれていません</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1（ステップ %2）</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, %2 NaN/Inf</source>
        <translation>%1、うち NaN/Inf %2</translation>
    </message>
</context>
<context>
    <name>mantissa::gui::NewestLine</name>
    <message>
        <source>Newest line of the log; opens the log</source>
        <translation>ログの最新行、押すとログを開きます</translation>
    </message>
</context>
</TS>
