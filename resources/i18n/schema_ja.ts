<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name>schema</name>
    <message>
        <source>For a model that edits: names of the reference images that the prompt is about, separated by commas, as they are in the run&apos;s folders of references, with or without their ending. A name that several folders hold stands for all of them.</source>
        <translation>編集するモデル向け: プロンプトが対象とする参照画像の名前をコンマで区切ります。学習の参照フォルダーでの名前で、拡張子はあってもなくても構いません。複数のフォルダーにある名前は、そのすべてを表します。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>References</source>
        <translation>参照画像</translation>
    </message>
    <message>
        <source>What this preset is called in lists and in the history of runs.</source>
        <translation>一覧や学習履歴に表示されるプリセットの名前です。</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>説明</translation>
    </message>
    <message>
        <source>What the preset is good for and what it needs, for whoever receives it.</source>
        <translation>このプリセットが何に向き、何を必要とするか。受け取る人のための説明です。</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Who made the preset.</source>
        <translation>プリセットを作った人です。</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>Words to find the preset by, such as style or portrait.</source>
        <translation>プリセットを探すための言葉です（画風、人物など）。</translation>
    </message>
    <message>
        <source>Model family</source>
        <translation>モデルの系統</translation>
    </message>
    <message>
        <source>Architecture of the base model. auto reads it from the file; name one to be told at once when a different base model is given.</source>
        <translation>ベースモデルのアーキテクチャです。auto はファイルから判定します。系統を指定しておくと、違うベースモデルが渡されたときにすぐ知らせます。</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>アダプター</translation>
    </message>
    <message>
        <source>lora learns a low-rank change of each weight: small, quick, loaded by every program. dora also learns each weight's magnitude: often closer to full fine-tuning at low rank, for a slower step and a little more memory. loha multiplies two low-rank products entry by entry, for a change of rank squared; use a rank of 4 to 32. lokr is a Kronecker product of a small and a larger matrix: the smallest files.</source>
        <translation>lora は各重みの低ランクの差分を学習します。小さく高速で、どのプログラムでも読み込めます。dora は各重みの大きさ（マグニチュード）も学習します。低ランクでもフルファインチューニングに近づくことが多い一方、1 ステップが遅く、メモリも少し多く使います。loha は 2 つの低ランク積を要素ごとに掛け、ランクの 2 乗までの差分を表します。ランクは 4〜32 が目安です。lokr は小さな行列と大きな行列のクロネッカー積で、ファイルが最も小さくなります。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Size of the adapter: how much it can learn, and how large its file is. 8 to 16 for a person or an object, 16 to 32 for a style or several subjects, up to 64 for fine texture. A higher rank also memorises small data sets sooner.</source>
        <translation>アダプターの大きさです。どれだけ学習できるかと、ファイルサイズが決まります。人物や物なら 8～16、画風や複数の対象なら 16～32、細かい質感なら 64 まで。ランクが高いほど、少ないデータセットを早く丸暗記してしまいます。</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>アルファ</translation>
    </message>
    <message>
        <source>The adapter's output is multiplied by alpha / rank. alpha = rank keeps the factor at 1. Halving alpha acts much like a lower learning rate, so change one of the two.</source>
        <translation>アダプターの出力は alpha / rank 倍されます。alpha = rank なら倍率は 1 です。アルファを半分にするのは学習率を下げるのとほぼ同じ効果なので、変えるのはどちらか一方にしてください。</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>ドロップアウト</translation>
    </message>
    <message>
        <source>Share of the adapter's input that is zeroed at random while training. 0.05 to 0.1 helps against overfitting on a few images; 0 turns it off.</source>
        <translation>学習中、アダプターの入力のうちランダムに 0 にする割合です。0.05～0.1 は、少ない画像での過学習を抑えます。0 で無効。</translation>
    </message>
    <message>
        <source>Target layers</source>
        <translation>対象の層</translation>
    </message>
    <message>
        <source>Layers that get an adapter. attention is the usual LoRA. attention+mlp also covers the feed-forward layers and learns styles better. linear+conv covers convolutions too, for texture and fine detail. A list of module-path patterns picks layers one by one.</source>
        <translation>アダプターを付ける層です。attention は一般的な LoRA。attention+mlp はフィードフォワード層も含み、画風をよりよく学習します。linear+conv は畳み込みも含み、質感や細部に効きます。モジュールパスのパターンを並べれば、層を個別に選べます。</translation>
    </message>
    <message>
        <source>Convolution rank</source>
        <translation>畳み込みのランク</translation>
    </message>
    <message>
        <source>Rank for convolutions where the targets hold any; 0 takes adapter.rank. A 3x3 convolution at the same rank is nine times as large on its input side, so 4 to 8 is often enough.</source>
        <translation>対象に畳み込みが含まれるときのランクです。0 なら adapter.rank を使います。同じランクでも 3x3 の畳み込みは入力側が 9 倍の大きさになるため、4～8 で足りることが多いです。</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>スケーリング</translation>
    </message>
    <message>
        <source>standard multiplies by alpha / rank. rslora multiplies by alpha / sqrt(rank), which keeps high ranks (64 and up) learning as fast as low ones.</source>
        <translation>standard は alpha / rank を掛けます。rslora は alpha / sqrt(rank) を掛け、高ランク（64 以上）でも低ランクと同じ速さで学習が進みます。</translation>
    </message>
    <message>
        <source>Initialization</source>
        <translation>初期化</translation>
    </message>
    <message>
        <source>standard starts from a random A and a zero B, so training begins exactly at the base model. pissa starts from the weight's largest singular vectors: converges faster, takes a while to prepare.</source>
        <translation>standard はランダムな A と 0 の B から始めるので、学習はベースモデルそのものから始まります。pissa は重みの最大の特異ベクトルから始めます。収束が速い代わりに、準備に時間がかかります。</translation>
    </message>
    <message>
        <source>LoRA+ ratio</source>
        <translation>LoRA+ の比</translation>
    </message>
    <message>
        <source>How many times faster the up matrices learn than the down matrices. 1 is ordinary LoRA; LoRA+ takes about 16, which learns faster at the same learning rate of the down matrices.</source>
        <translation>up 行列を down 行列の何倍の速さで学習するかです。1 は通常の LoRA。LoRA+ は 16 前後で、down 行列の学習率が同じでも速く学習します。</translation>
    </message>
    <message>
        <source>DoRA axis</source>
        <translation>DoRA の軸</translation>
    </message>
    <message>
        <source>Which side of the weight gets a magnitude for each of its channels. output is that of the DoRA paper, PEFT and LyCORIS; input is OneTrainer's default and the one that ComfyUI renders as trained. loha and lokr have magnitudes with adapter.decompose.</source>
        <translation>重みのどちら側のチャンネルごとにマグニチュードを持つかです。output は DoRA 論文、PEFT、LyCORIS の方式。input は OneTrainer の既定で、ComfyUI が学習どおりに描画する方式です。loha と lokr は adapter.decompose を有効にするとマグニチュードを持ちます。</translation>
    </message>
    <message>
        <source>Weight decomposition (DoRA)</source>
        <translation>重み分解 (DoRA)</translation>
    </message>
    <message>
        <source>Trains a magnitude for each channel of a weight beside its LoHa or LoKr, as DoRA does beside a LoRA: LyCORIS's dora_wd. A step takes longer, because each weight is added up with its change to take the norm.</source>
        <translation>LoHa や LoKr に加えて、重みのチャンネルごとにマグニチュードを学習します。LoRA に対する DoRA と同じで、LyCORIS の dora_wd にあたります。ノルムを求めるために重みと変化量を毎回足し合わせるので、1 ステップの時間が長くなります。</translation>
    </message>
    <message>
        <source>LoKr factor</source>
        <translation>LoKr の分割数</translation>
    </message>
    <message>
        <source>Size of LoKr's small matrix, which each side of a weight is divided by as far as it can be. -1 makes both matrices as square as possible, for the smallest files; 4 to 16 leave more to learn. Where adapter.rank is at least half of the larger matrix's side, that is trained whole, and alpha has no effect.</source>
        <translation>LoKr の小さいほうの行列の大きさで、重みの各辺をできるだけこの数で分割します。-1 では両方の行列ができるだけ正方形に近くなり、ファイルが最も小さくなります。4〜16 にすると学習できる量が増えます。adapter.rank が大きいほうの行列の辺の半分以上なら、その行列は分解せずに学習し、alpha は効果がありません。</translation>
    </message>
    <message>
        <source>Denoiser weight type</source>
        <translation>デノイザーの重みの型</translation>
    </message>
    <message>
        <source>Storage type of the frozen denoiser, a UNet or a transformer. fp32 is exact; bf16 or fp16 halve its memory; the fp8 types and int8 quarter it at a small loss of precision, which check reports; int8 loses less than fp8, and int8_convrot, rotated as in ComfyUI&apos;s files, less where a layer has a few large values. nf4 (QLoRA) takes an eighth, loses more, and takes some time to decode. mxfp8 and nvfp4 are a little larger than fp8 and nf4; gguf keeps a GGUF file&apos;s blocks as they are. These three suit files that come in them.</source>
        <translation>凍結したデノイザー（UNet またはトランスフォーマー）をメモリに置く形式です。fp32 は正確。bf16 と fp16 は半分、fp8 の各形式と int8 は 4 分の 1 になりますが、わずかな精度低下があり、チェックで報告されます。int8 の低下は fp8 より小さく、ComfyUI のファイルのように回転する int8_convrot は、層に少数の大きな値がある場合にさらに小さくなります。nf4（QLoRA）は 8 分の 1 になりますが、低下はより大きく、復号にも時間がかかります。 mxfp8 と nvfp4 は fp8 と nf4 よりわずかに大きく、gguf は GGUF ファイルのブロックをそのまま保持します。この 3 つは、その形式で配布されているファイルに向いています。</translation>
    </message>
    <message>
        <source>Text encoder weight type</source>
        <translation>テキストエンコーダーの重みの型</translation>
    </message>
    <message>
        <source>Storage type of the frozen text encoders. Matters only while captions are encoded, or throughout when a text encoder is trained.</source>
        <translation>凍結したテキストエンコーダーをメモリに置く形式です。関係するのはキャプションのエンコード中だけですが、テキストエンコーダーを学習する場合はずっと関係します。</translation>
    </message>
    <message>
        <source>VAE weight type</source>
        <translation>VAE の重みの型</translation>
    </message>
    <message>
        <source>Storage type of the VAE. SDXL's own VAE overflows in fp16: use fp32 or bf16.</source>
        <translation>VAE をメモリに置く形式です。SDXL 付属の VAE は fp16 でオーバーフローするので、fp32 か bf16 にしてください。</translation>
    </message>
    <message>
        <source>Compute type</source>
        <translation>計算の型</translation>
    </message>
    <message>
        <source>Type of activations and matmuls. fp32 is the reference and the choice on a CPU. bf16 is fast and safe on recent cards. fp16 suits older cards and needs loss scaling. fp8 and int8 multiply 8-bit codes in the denoiser&apos;s linear layers: fp8 on cards from the RTX 40 series on, int8 also on the RTX 30 series and CPUs, int8_fp16 on the RTX 20 series. Between these products values are bf16; int8_fp16 keeps them in fp16. Accumulation is always in fp32, of int8 exact.</source>
        <translation>活性値と行列積の型です。fp32 は基準であり、CPU ではこれを選びます。bf16 は新しい GPU で高速かつ安全。fp16 は古い GPU 向けで、損失スケーリングが必要です。fp8 と int8 はデノイザーの線形層で 8 ビットのコードを掛けます。fp8 は RTX 40 シリーズ以降のカード、int8 は RTX 30 シリーズと CPU でも使えます。RTX 20 シリーズでは int8_fp16 を使います。これらの積の間の値は bf16、int8_fp16 では fp16 です。総和はどの場合も fp32 で計算し、int8 の総和は正確です。</translation>
    </message>
    <message>
        <source>Adapter weight type</source>
        <translation>アダプターの重みの型</translation>
    </message>
    <message>
        <source>Type of the trained weights. The adapter is small: keep fp32 unless memory is very short, because small updates vanish in 16 bits.</source>
        <translation>学習する重みの型です。アダプターは小さいので、メモリが極端に足りない場合を除き fp32 のままにしてください。16 ビットでは小さな更新が消えてしまいます。</translation>
    </message>
    <message>
        <source>Gradient type</source>
        <translation>勾配の型</translation>
    </message>
    <message>
        <source>Type that gradients are accumulated in. fp32 keeps small ones over many accumulation steps.</source>
        <translation>勾配をためておく型です。fp32 なら、勾配累積の回数が多くても小さな勾配が失われません。</translation>
    </message>
    <message>
        <source>Optimizer state type</source>
        <translation>オプティマイザーの状態の型</translation>
    </message>
    <message>
        <source>Type of the optimizer's moments. 8bit quarters them, which matters at high ranks.</source>
        <translation>オプティマイザーのモーメントの型です。8bit なら 4 分の 1 になり、高ランクで効果があります。</translation>
    </message>
    <message>
        <source>Stochastic rounding</source>
        <translation>確率的丸め</translation>
    </message>
    <message>
        <source>Rounds updates of 16-bit adapter weights and optimizer state up or down at random, in proportion, so that small updates add up instead of vanishing. Keep it on with either of them.</source>
        <translation>16 ビットのアダプターの重みとオプティマイザーの状態の更新を、端数に比例した確率で切り上げまたは切り捨てます。小さな更新が消えずに積み重なります。どちらかを使うときはオンのままにしてください。</translation>
    </message>
    <message>
        <source>Kahan summation</source>
        <translation>Kahan 加算</translation>
    </message>
    <message>
        <source>Keeps what rounding a bf16 adapter weight lost and adds it to the next update, in place of stochastic rounding. Exact to about 16 bits for 2 more bytes a weight.</source>
        <translation>bf16 のアダプターの重みで丸めにより失われた分を覚えておき、次の更新に足します。確率的丸めの代わりに使います。重み 1 個あたり 2 バイト増えますが、約 16 ビットの精度が保たれます。</translation>
    </message>
    <message>
        <source>FP8 scaling</source>
        <translation>FP8 スケーリング</translation>
    </message>
    <message>
        <source>Where the scales of FP8 matmuls come from. current measures each row of a tensor, which is the faster and the finer way; delayed takes one scale per tensor, from the maximum of the last 1024 steps, as some other trainers do.</source>
        <translation>FP8 の積に使う倍率の決め方です。current はそのつどテンソルの行ごとに測り、より速くより精密です。delayed は直近 1024 ステップの最大値から、テンソルごとに一つの倍率を決めます。この方式を使うトレーナーもあります。</translation>
    </message>
    <message>
        <source>Loss scaling</source>
        <translation>損失スケーリング</translation>
    </message>
    <message>
        <source>Multiplies the loss so that small fp16 gradients do not become zero. auto turns it on where fp16 needs it; dynamic adapts the factor; a number fixes it.</source>
        <translation>fp16 の小さな勾配が 0 にならないように損失を大きくします。auto は fp16 に必要なときだけ有効。dynamic は倍率を自動調整。数値を入れると固定します。</translation>
    </message>
    <message>
        <source>Pinned layers</source>
        <translation>型を固定する層</translation>
    </message>
    <message>
        <source>Module-path patterns that keep a type of their own, such as {"denoiser.conv_in": "fp32"}. Of patterns that name the same module, the one with the most characters besides * counts. For layers that probe finds sensitive.</source>
        <translation>独自の型を保つモジュールパスのパターンです。例: {&quot;denoiser.conv_in&quot;: &quot;fp32&quot;}。同じモジュールに複数のパターンが当てはまるときは、* 以外の文字が最も多いものが使われます。probe が影響を受けやすいと判定した層に使います。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解像度</translation>
    </message>
    <message>
        <source>Side of the square whose area each image is fitted to. 1024 is SDXL's own; 768 trains in about half the time, with somewhat less memory.</source>
        <translation>正方形の一辺です。各画像はその面積に合わせられます。1024 は SDXL 本来の解像度、768 なら約半分の時間で学習でき、メモリも少し減ります。</translation>
    </message>
    <message>
        <source>Aspect-ratio buckets</source>
        <translation>アスペクト比バケット</translation>
    </message>
    <message>
        <source>Keeps each image's shape by grouping similar ones. Off crops every image to a square.</source>
        <translation>似た比率の画像をまとめ、各画像の縦横比を保ちます。オフにすると、すべての画像を正方形に切り抜きます。</translation>
    </message>
    <message>
        <source>Bucket rule</source>
        <translation>バケットの規則</translation>
    </message>
    <message>
        <source>How bucket sizes are made and images are assigned to them. ours keeps the area, picks the nearest aspect ratio and gives the model the true crop. kohya and onetrainer do as those programs do, to reproduce a run made there.</source>
        <translation>どんなサイズがあり、画像がどれに入るかです。ours は面積を保ち、最も近い形を選び、実際の切り抜きをモデルに伝えます。kohya と onetrainer はそれぞれのプログラムと同じように画像を分けます。そこで行った学習を再現するときに使います。</translation>
    </message>
    <message>
        <source>Smallest bucket side</source>
        <translation>バケットの最小辺</translation>
    </message>
    <message>
        <source>Minimum side of kohya's buckets. 256 is kohya's default.</source>
        <translation>kohya の規則のバケットは、これより短い辺を持ちません。kohya の既定値も 256 です。</translation>
    </message>
    <message>
        <source>Largest bucket side</source>
        <translation>バケットの最大辺</translation>
    </message>
    <message>
        <source>Maximum side of kohya's buckets. 1024, kohya's default, shrinks wide and tall SDXL images below the full area; 2048 keeps it.</source>
        <translation>kohya の規則のバケットは、これより長い辺を持ちません。kohya の既定値の 1024 では、SDXL の横長や縦長の画像が本来の面積より小さく切られます。2048 なら面積を保ちます。</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>バッチサイズ</translation>
    </message>
    <message>
        <source>Images per step. Larger batches give steadier gradients and need more memory; training.gradient_accumulation does the same without the memory.</source>
        <translation>1 ステップで使う画像の数です。多いほど勾配が安定しますが、メモリを使います。training.gradient_accumulation なら、メモリを増やさずに同じ安定性が得られます。</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>繰り返し</translation>
    </message>
    <message>
        <source>How often each image is used per epoch. The length of a run is training.steps, or training.epochs.</source>
        <translation>1 エポックで各画像を何回使うかです。学習の長さは training.steps または training.epochs で決まります。</translation>
    </message>
    <message>
        <source>Repeats from folder names</source>
        <translation>フォルダー名による繰り返し</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>Repeats, loss weight, caption prefix and resolution for the images of single folders, by the folder's name: to balance a large folder against a small one, or to give each subject its own trigger word. The nearest folder around an image counts.</source>
        <translation>フォルダー名ごとに、画像の繰り返し回数、損失の重み、キャプションの接頭辞、解像度を設定します。大きさの違うフォルダーの釣り合いを取ったり、被写体ごとにトリガーワードを付けたりできます。画像に最も近いフォルダーの設定が使われます。</translation>
    </message>
    <message>
        <source>Reads folder names as sd-scripts does: images in &quot;10_zorb creature&quot; are used 10 times as often per epoch, which balances folders of very different sizes. Images there without a caption get &quot;zorb creature&quot;. Left out, with a notice, are folders whose name begins with 0 and, beside folders with a number, those without one.</source>
        <translation>フォルダー名を sd-scripts と同じように読みます。「10_zorb creature」の画像は 1 エポックに 10 倍の回数使われ、大きさの大きく異なるフォルダーの釣り合いがとれます。そこにあるキャプションのない画像には「zorb creature」が付きます。「0」で始まる名前のフォルダと、数字付きのフォルダがある場合の数字のないフォルダは使われず、その旨が通知されます。</translation>
    </message>
    <message>
        <source>Caption dropout</source>
        <translation>キャプションドロップアウト</translation>
    </message>
    <message>
        <source>Share of steps with an empty caption, so that the adapter also works without its trigger words. 0.05 to 0.1 for styles, 0 for subjects.</source>
        <translation>キャプションを空にするステップの割合です。トリガーワードがなくてもアダプターが効くようになります。画風なら 0.05～0.1、人物や物なら 0。</translation>
    </message>
    <message>
        <source>Shuffle tags</source>
        <translation>タグの並べ替え</translation>
    </message>
    <message>
        <source>Shuffles a caption's comma-separated tags every epoch, so that no tag gains weight from its position. Captions are then encoded at every step: text encoders stay in memory, and a step takes a little longer.</source>
        <translation>カンマで区切ったキャプションのタグを、エポックごとに別の順に並べます。先頭にあるだけで重く扱われるタグがなくなります。キャプションはステップごとにエンコードされるため、テキストエンコーダーがメモリに残り、1 ステップが少し長くなります。</translation>
    </message>
    <message>
        <source>Tags kept first</source>
        <translation>先頭に残すタグ</translation>
    </message>
    <message>
        <source>Number of leading tags that are not shuffled. 1 keeps a trigger word first. Without data.shuffle_captions no tag moves.</source>
        <translation>ほかのタグを並べ替えるとき、先頭に残すタグの数です。1 ならトリガーワードの位置が変わりません。data.shuffle_captions がオフなら、どのタグも動きません。</translation>
    </message>
    <message>
        <source>Mirror images</source>
        <translation>左右反転</translation>
    </message>
    <message>
        <source>Also trains on each image mirrored left to right. Not for faces, text or anything asymmetric.</source>
        <translation>各画像を左右反転したものも学習します。顔や文字など、左右で違うものには使わないでください。</translation>
    </message>
    <message>
        <source>Versions of each image</source>
        <translation>画像ごとのバージョン数</translation>
    </message>
    <message>
        <source>How many versions of each image are made, each cropped, rotated and coloured at random within the amounts below; training uses all of them in turn. Each is encoded once, so encoding takes that many times as long and the cache that many times the space. 8 is usually enough. Another training.seed makes other versions.</source>
        <translation>各画像から作るバージョンの数です。それぞれ下の範囲内でランダムに切り抜き、回転、色の変更を行い、学習ではすべてを順に使います。1 つずつエンコードするので、エンコード時間とキャッシュの容量はその倍数になります。通常は 8 で十分です。training.seed を変えると別のバージョンになります。</translation>
    </message>
    <message>
        <source>Crop jitter</source>
        <translation>切り抜きの揺らぎ</translation>
    </message>
    <message>
        <source>Enlarges each version by up to this share more than its bucket needs and crops it at a random place. 0 crops around the centre; 0.1 varies the framing.</source>
        <translation>各バージョンをバケットに必要な大きさより最大でこの割合だけ拡大し、ランダムな位置で切り抜きます。0 は中央で切り抜き、0.1 で構図に変化がつきます。</translation>
    </message>
    <message>
        <source>Rotation</source>
        <translation>回転</translation>
    </message>
    <message>
        <source>degrees</source>
        <translation>度</translation>
    </message>
    <message>
        <source>Rotates each version by up to this angle to either side and enlarges it just enough that no corner is empty. 5 to 10 for objects; 0 where the horizon matters.</source>
        <translation>各バージョンを左右どちらかに最大でこの角度だけ回転し、隅に余白が出ないぶんだけ拡大します。物体なら 5〜10、水平線が大切なら 0 にします。</translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation>明るさ</translation>
    </message>
    <message>
        <source>Multiplies the brightness of each version by a factor that differs from 1 by at most this much. 0.1 is mild. Not for styles: their colours are what is learned.</source>
        <translation>各バージョンの明るさに、1 との差が最大でこの値の係数を掛けます。0.1 は控えめです。画風には向きません。色こそが学習の対象だからです。</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>コントラスト</translation>
    </message>
    <message>
        <source>Multiplies the distance to the image&apos;s mean grey by a factor that differs from 1 by at most this much. 0.1 is mild.</source>
        <translation>画像の平均の灰色との差に、1 との差が最大でこの値の係数を掛けます。0.1 は控えめです。</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>彩度</translation>
    </message>
    <message>
        <source>Multiplies the distance to grey by a factor that differs from 1 by at most this much. 0.1 is mild.</source>
        <translation>灰色との差に、1 との差が最大でこの値の係数を掛けます。0.1 は控えめです。</translation>
    </message>
    <message>
        <source>Hue</source>
        <translation>色相</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>回転</translation>
    </message>
    <message>
        <source>Shifts the hues of each version by up to this share of the colour circle to either side. 0.02 is mild; more gives things other colours.</source>
        <translation>各バージョンの色相を、色相環の最大でこの割合だけどちらかにずらします。0.02 は控えめで、大きくすると物の色が変わります。</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>マスク</translation>
    </message>
    <message>
        <source>Weights the loss by region: white counts, black does not. files reads &lt;name&gt;-masklabel.png beside each image; alpha uses the image's alpha channel. An image without a mask counts everywhere.</source>
        <translation>損失を場所ごとに重み付けします。白い所は数え、黒い所は数えません。files は各画像の隣の &lt;name&gt;-masklabel.png を読み、alpha は画像自身の透明度を使います。マスクのない画像は全体を数えます。</translation>
    </message>
    <message>
        <source>Weight outside the mask</source>
        <translation>マスクの外の重み</translation>
    </message>
    <message>
        <source>Minimum loss weight of a region, however dark its mask. 0 learns nothing there; 0.1 keeps the background from falling apart.</source>
        <translation>マスクがどれほど暗くても保たれる、最小の重みです。0 ならそこでは何も学習しません。0.1 なら周囲が崩れるのを防ぎます。</translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation>検証データの割合</translation>
    </message>
    <message>
        <source>Share of the images that are never trained on; their loss shows whether the run still learns or only memorises. They are picked by content, so the choice stays the same when images are added. 0.05 to 0.1 of a hundred images and more; a separate folder can be given instead.</source>
        <translation>決して学習に使わない画像の割合です。その損失から、まだ学習しているのか、丸暗記しているだけなのかが分かります。どの画像かは内容で決まるので、画像を追加しても変わりません。100 枚以上なら 0.05～0.1。専用のフォルダーを指定することもできます。</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>キャッシュ</translation>
    </message>
    <message>
        <source>What is encoded once and kept on disk. all caches latents and encoded captions, so neither VAE nor text encoders stay in memory. latents is used automatically when text encoders are trained.</source>
        <translation>一度だけ計算してディスクに保存するものです。all は画像の latent とエンコード済みキャプションを保存するので、VAE もテキストエンコーダーもメモリに残りません。テキストエンコーダーを学習するときは、自動的に latents になります。</translation>
    </message>
    <message>
        <source>Caption length</source>
        <translation>キャプションの長さ</translation>
    </message>
    <message>
        <source>Chunks of 75 tokens that a caption may have; the rest is cut. Each chunk is encoded separately. 1 is what CLIP was made for, 3 fits most long captions.</source>
        <translation>キャプションに使える 75 トークンの区切りの数です。それより長い部分は切り捨てます。区切りは 1 つずつエンコードされます。1 は CLIP 本来の長さで、3 なら長いキャプションもほとんど収まります。</translation>
    </message>
    <message>
        <source>Weighted captions</source>
        <translation>キャプションの強調</translation>
    </message>
    <message>
        <source>Reads (word:1.2), (word) and [word] in captions and sample prompts as emphasis rather than as text. Off takes every bracket literally.</source>
        <translation>キャプションとサンプルプロンプトの (word:1.2)、(word)、[word] を文字ではなく強調として読みます。オフにすると、括弧はすべて文字どおりに扱います。</translation>
    </message>
    <message>
        <source>Training method</source>
        <translation>学習方法</translation>
    </message>
    <message>
        <source>adapter trains a small LoRA or DoRA beside the frozen model. full moves the model's own weights and writes a whole model: for making a base model, or for large data sets and much memory.</source>
        <translation>adapter は、凍結したモデルに小さな LoRA または DoRA を添えて学習します。full はモデル自身の重みを動かし、モデル全体を書き出します。ベースモデルを作るときや、大きなデータセットと十分なメモリがあるとき向けです。</translation>
    </message>
    <message>
        <source>Trained weights</source>
        <translation>学習する重み</translation>
    </message>
    <message>
        <source>Module-path patterns of the weights to train in the trained parts, such as &quot;denoiser.*.attentions.*&quot;; * trains everything. The rest stays frozen.</source>
        <translation>学習する部分のうち、動かすものを示すモジュールパスのパターンです。例: &quot;denoiser.*.attentions.*&quot;。* はすべてを動かします。ほかはすべて凍結されます。</translation>
    </message>
    <message>
        <source>Trained parts</source>
        <translation>学習する部分</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ数</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>エポック数</translation>
    </message>
    <message>
        <source>Length of the run in epochs, in place of training.steps: in one epoch every image is used as often as its repeats say. The plan shows how many steps that makes. 0 trains by steps.</source>
        <translation>training.steps の代わりにエポック数で学習の長さを決めます。1 エポックでは各画像が繰り返し回数だけ使われます。何ステップになるかは計画に表示されます。0 ならステップ数で学習します。</translation>
    </message>
    <message>
        <source>Optimizer steps of the run. 1000 to 2000 for a subject on 10 to 30 images, 3000 and more for a style on hundreds.</source>
        <translation>1 回の学習でアダプターを更新する回数です。画像 10～30 枚の人物や物なら 1000～2000、数百枚の画風なら 3000 以上。</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>勾配累積</translation>
    </message>
    <message>
        <source>Batches accumulated into one update: the effect of a larger batch without its memory, for that many times the time per step.</source>
        <translation>1 回の更新にまとめるバッチの数です。メモリを増やさずに大きなバッチと同じ効果が得られますが、1 ステップの時間はその倍数になります。</translation>
    </message>
    <message>
        <source>Gradient checkpointing</source>
        <translation>勾配チェックポイント</translation>
    </message>
    <message>
        <source>Recomputes activations instead of keeping them: much less memory, about a third more time. The result is the same.</source>
        <translation>活性値を保存せずに計算し直します。メモリは大幅に減り、時間は約 3 分の 1 増えます。結果は変わりません。</translation>
    </message>
    <message>
        <source>Checkpointing scope</source>
        <translation>チェックポイントの範囲</translation>
    </message>
    <message>
        <source>What gradient checkpointing recomputes. blocks recomputes everything and saves the most memory. feed_forward recomputes norms, activations and the transformer blocks&apos; feed-forward layers, whose activations are the largest: about half of the saving for a third of the extra time. activations recomputes norms and activations alone, at almost no cost. The result is the same with each.</source>
        <translation>勾配チェックポイントで何を再計算するか。blocks はすべてを再計算し、メモリが最も少なくなります。feed_forward は正規化層、活性化関数と、活性値が最も大きい Transformer ブロックのフィードフォワード層を再計算します。追加の時間が約 3 分の 1 で、メモリの節約は約半分です。activations は正規化層と活性化関数だけを再計算し、時間はほとんど増えません。どれを選んでも結果は同じです。</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>勾配クリッピング</translation>
    </message>
    <message>
        <source>Scales gradients down to this global norm when they exceed it, so that one bad batch can't ruin the adapter. 0 turns clipping off.</source>
        <translation>全体のノルムがこの値を超えた勾配を、この値まで縮めます。1 つの異常なバッチでアダプターが壊れるのを防ぎます。0 で無効。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>シード</translation>
    </message>
    <message>
        <source>Fixes every random choice of the run: the same seed, data and settings give the same adapter.</source>
        <translation>学習中の乱数をすべて決めます。シード、データ、設定が同じなら、同じアダプターになります。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>The error between prediction and target. mse, the squared error, is what base models are trained with. huber grows linearly beyond training.huber_c, so that outliers such as a stray watermark count less; smooth_l1 is the same divided by that width. Both are the functions of sd-scripts and diffusers; losses of different kinds can&apos;t be compared.</source>
        <translation>予測と目標との誤差。mse は二乗誤差で、ベースモデルの学習に使われるもの。huber は training.huber_c を超えると線形に増えるため、透かしの混入などの外れ値の影響が小さくなります。smooth_l1 はそれを幅で割ったもの。どちらも sd-scripts と diffusers の関数です。種類の異なる損失の値は比較できません。</translation>
    </message>
    <message>
        <source>Huber width</source>
        <translation>Huber の幅</translation>
    </message>
    <message>
        <source>Errors well below this width count squared, those well above it linearly. 0.1 is usual; large values approach the squared error.</source>
        <translation>この幅よりずっと小さい誤差は二乗で、ずっと大きい誤差は線形で数えます。通常は 0.1。大きな値では二乗誤差に近づきます。</translation>
    </message>
    <message>
        <source>Huber schedule</source>
        <translation>Huber スケジュール</translation>
    </message>
    <message>
        <source>The width at each noise level. constant is training.huber_c everywhere; exponential and snr start at 1 on clean images, where errors show details, and reach training.huber_c at pure noise.</source>
        <translation>ノイズレベルごとの幅。constant は常に training.huber_c。exponential と snr は、誤差が細部を表すノイズのない画像では 1 から始まり、純粋なノイズで training.huber_c になります。</translation>
    </message>
    <message>
        <source>Min-SNR gamma</source>
        <translation>Min-SNR ガンマ</translation>
    </message>
    <message>
        <source>Reduces the weight of nearly noise-free timesteps, which otherwise dominate. 5 is the published value and often converges faster; 0 turns it off.</source>
        <translation>放っておくと支配的になる、ノイズがほとんどないタイムステップの重みを下げます。論文の値は 5 で、収束が速くなることが多いです。0 で無効。</translation>
    </message>
    <message>
        <source>Noise offset</source>
        <translation>ノイズオフセット</translation>
    </message>
    <message>
        <source>Adds a constant per channel to the noise, so that very dark and very bright images can be learned. 0.03 to 0.05 where needed; 0 turns it off.</source>
        <translation>チャンネルごとに一定の値をノイズに加え、とても暗い画像や明るい画像も学習できるようにします。必要なら 0.03～0.05。0 で無効。</translation>
    </message>
    <message>
        <source>Prior preservation</source>
        <translation>事前保持</translation>
    </message>
    <message>
        <source>Loss weight of the prior images, which have folders of their own: images of the class that keep the model from forgetting it. They are repeated to match the number of training images. 0 leaves them out.</source>
        <translation>事前保持用の画像の損失の重みです。その画像は専用のフォルダーで指定します。モデルがその種類を忘れないようにする画像です。ほかの画像と同じ数になるまで繰り返されます。0 なら使いません。</translation>
    </message>
    <message>
        <source>Validate every</source>
        <translation>検証の間隔</translation>
    </message>
    <message>
        <source>Computes the validation loss every so many steps and at each checkpoint, always with the same noise at the same four timesteps. Costs about one training step per validation image and never changes the training.</source>
        <translation>検証用の画像の損失を調べるステップの間隔です。チェックポイントごとにも調べます。いつも同じノイズと、同じ 4 つのタイムステップで調べます。1 枚につき学習 1 ステップほどの時間がかかり、学習には影響しません。</translation>
    </message>
    <message>
        <source>Losses of single images</source>
        <translation>画像ごとの損失</translation>
    </message>
    <message>
        <source>Measures single training images before the first step and after the last, always with the same noise, to name those that the run never learned or whose captions don&apos;t fit. At most this share of the run&apos;s computing: images beyond it are left out, evenly. 0 measures none. Never changes the training.</source>
        <translation>最初のステップの前と最後のステップの後に、学習画像を 1 枚ずつ、いつも同じノイズで調べ、学習されなかった画像やキャプションの合わない画像を示します。学習の計算量に占める割合の上限です。超える分の画像は均等に省かれます。0 なら調べません。学習には影響しません。</translation>
    </message>
    <message>
        <source>Prediction target</source>
        <translation>予測対象</translation>
    </message>
    <message>
        <source>What the base model predicts: the noise (epsilon), the velocity (v) or the velocity of a rectified flow (flow). auto takes it from the base model; a wrong one gives washed-out or noisy images.</source>
        <translation>ベースモデルが予測するものです。ノイズ(epsilon)、速度(v)、整流フローの速度(flow)のいずれか。auto はベースモデルから判定します。間違えると、画像が色あせたりノイズだらけになったりします。</translation>
    </message>
    <message>
        <source>Zero terminal SNR</source>
        <translation>ゼロ終端 SNR</translation>
    </message>
    <message>
        <source>Rescales the noise schedule so that its last step is pure noise. Only for base models that were trained so, which are v-prediction models.</source>
        <translation>ノイズスケジュールの最後のステップが純粋なノイズになるように調整します。そのように学習されたベースモデル、つまり v-prediction モデル専用です。</translation>
    </message>
    <message>
        <source>Timestep distribution</source>
        <translation>タイムステップの分布</translation>
    </message>
    <message>
        <source>How often each noise level is trained. uniform trains all alike; logit_normal and mode, as published with SD3 (mean 0, deviation 1; scale 1.29), train those in the middle more often. In a flow model, training.flow_shift then moves them. sigmoid and shifted are the sigmoid and shift of sd-scripts: logit_normal without any shift, and with it, for flow models only. Validation timesteps stay the same.</source>
        <translation>各ノイズレベルを学習する頻度です。uniform はすべて均等に学習します。logit_normal と mode は SD3 で発表された分布(平均 0、標準偏差 1。スケール 1.29)で、中間のノイズレベルを多めに学習します。フローモデルでは、さらに training.flow_shift でシフトされます。sigmoid と shifted は sd-scripts の sigmoid と shift に相当し、前者はシフトなしの logit_normal、後者はシフトありの logit_normal で、フローモデル専用です。検証のタイムステップは変わりません。</translation>
    </message>
    <message>
        <source>Flow shift</source>
        <translation>フローシフト</translation>
    </message>
    <message>
        <source>How far the trained noise levels of a flow model are shifted towards noise: 1 not at all, 3 is common. auto takes the base model&apos;s own shift, which may follow the size of each image. Samples, validation and saved models keep the base model&apos;s shift; a model that first becomes a flow gets this one.</source>
        <translation>フローモデルで学習するノイズレベルを、ノイズの多い側へどれだけシフトするかです。1 ならシフトせず、3 がよく使われます。auto はベースモデル自身のシフトを使い、画像サイズに応じて変わることもあります。サンプル画像、検証、保存するモデルではベースモデルのシフトがそのまま使われます。はじめてフローモデルになるモデルには、この値が使われます。</translation>
    </message>
    <message>
        <source>Weight averaging</source>
        <translation>重みの平均化（EMA）</translation>
    </message>
    <message>
        <source>Decay of a running average (EMA) of the adapter, which is saved in place of the last weights. 0.99 to 0.999 smooths the result of long runs; 0 turns it off.</source>
        <translation>アダプターの移動平均の減衰率です。書き出されるのはこの平均になります。0.99～0.999 は長い学習の結果を滑らかにします。0 で無効。</translation>
    </message>
    <message>
        <source>Clip skip</source>
        <translation>CLIP スキップ</translation>
    </message>
    <message>
        <source>0 takes the text encoders as the family uses them. k takes the k-th layer from the end, counted from 1: 2 is usual for SD 1.5 models trained on tags, and is what SDXL does by itself.</source>
        <translation>0 なら、系統の標準どおりにテキストエンコーダーを使います。k なら最後から数えて（1 から始めて）k 番目の層を使います。タグで学習された SD 1.5 モデルでは 2 が一般的で、SDXL はもともとそうなっています。</translation>
    </message>
    <message>
        <source>VAE KL weight</source>
        <translation>VAE の KL 重み</translation>
    </message>
    <message>
        <source>For VAE training: how strongly latents are pulled towards a unit Gaussian. Higher values make latents smoother and easier to learn, and images softer.</source>
        <translation>学習中の VAE について、潜在表現を単位ガウス分布へどれだけ引き寄せるかを表します。大きくすると潜在表現は滑らかで学習しやすくなり、画像は柔らかくなります。</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>オプティマイザー</translation>
    </message>
    <message>
        <source>adamw is the safe choice. adamw8bit is the same with smaller state. lion wants a learning rate 3 to 10 times lower. prodigy finds the rate by itself: set the learning rate to 1. The two schedulefree ones average the weights and save the average, so that no schedule has to lower the rate. muon makes the update of each matrix orthogonal. automagic finds a rate for each value: set the learning rate to 1e-6, where each begins.</source>
        <translation>adamw は安全な選択です。adamw8bit は状態が小さいだけで同じもの。lion には 3～10 分の 1 の学習率が必要です。prodigy は学習率を自動で見つけるので、学習率は 1 にします。schedulefree の 2 つは重みを平均し、その平均を保存するので、スケジュールで学習率を下げる必要がありません。muon は各行列の更新を直交化します。automagic は値ごとに学習率を見つけます。学習率は、各値の出発点である 1e-6 にします。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学習率</translation>
    </message>
    <message>
        <source>How far each update goes. 1e-4 is usual for a LoRA with adamw. Too high shows as broken or oversaturated samples, too low as no visible change.</source>
        <translation>1 回の更新の大きさです。adamw の LoRA では 1e-4 が一般的。高すぎるとサンプルが崩れたり色が過飽和になったりし、低すぎると変化が見えません。</translation>
    </message>
    <message>
        <source>Betas</source>
        <translation>ベータ</translation>
    </message>
    <message>
        <source>Decay rates of the optimizer's averages of gradients and of their squares. The defaults suit nearly everything; [0.9, 0.99] reacts faster on short runs. muon has the first as its momentum, for which 0.95 is usual.</source>
        <translation>オプティマイザーの記憶の長さです。勾配と、その 2 乗のそれぞれについて指定します。ほとんどの場合は既定値で十分です。[0.9, 0.99] は短い学習で反応が速くなります。muon では最初の値がモーメンタムで、0.95 が一般的です。</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>イプシロン</translation>
    </message>
    <message>
        <source>Keeps the update finite where gradients are tiny. 1e-8 suits every state type, because the optimizer computes in fp32.</source>
        <translation>勾配がごく小さいところで更新が発散しないようにします。オプティマイザーは fp32 で計算するので、状態がどの型でも 1e-8 で問題ありません。</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>重み減衰</translation>
    </message>
    <message>
        <source>Pulls the adapter's weights towards zero at every step, which holds it closer to the base model. 0.01 is mild; 0 turns it off.</source>
        <translation>毎ステップ、アダプターの重みを 0 の方へ引き戻し、ベースモデルから離れすぎないようにします。0.01 は弱め。0 で無効。</translation>
    </message>
    <message>
        <source>Size of Muon updates</source>
        <translation>Muon の更新の大きさ</translation>
    </message>
    <message>
        <source>match_rms_adamw makes them as large as those of adamw, whose learning rates then apply. original is that of Muon's first version, with rates around 0.02.</source>
        <translation>match_rms_adamw では更新の大きさが adamw と同じになり、adamw の学習率を使えます。original は Muon の最初の版の大きさで、学習率は 0.02 前後です。</translation>
    </message>
    <message>
        <source>Fused backward pass</source>
        <translation>逆伝播と更新の融合</translation>
    </message>
    <message>
        <source>Updates each layer as soon as its gradient is known, so gradients need no memory. Rules out clipping by global norm and gradient accumulation.</source>
        <translation>勾配がわかった層からすぐに更新するので、勾配用のメモリが要りません。全体のノルムによるクリッピングと勾配累積は使えなくなります。</translation>
    </message>
    <message>
        <source>The part of the model that this entry is for.</source>
        <translation>この項目の対象となる、モデルの部分です。</translation>
    </message>
    <message>
        <source>Its optimizer; without it, optimizer.type.</source>
        <translation>この部分のオプティマイザー。なければ optimizer.type を使います。</translation>
    </message>
    <message>
        <source>Its learning rate; without it, optimizer.learning_rate.</source>
        <translation>この部分の学習率。なければ optimizer.learning_rate を使います。</translation>
    </message>
    <message>
        <source>Its weight decay; without it, optimizer.weight_decay.</source>
        <translation>この部分の重み減衰。なければ optimizer.weight_decay を使います。</translation>
    </message>
    <message>
        <source>Per-part optimizers</source>
        <translation>部分ごとのオプティマイザー</translation>
    </message>
    <message>
        <source>An optimizer or learning rate of its own for a part, such as a lower rate for text encoders. Parts without an entry use the settings above.</source>
        <translation>部分ごとに独自のオプティマイザーや学習率を指定します。たとえば、テキストエンコーダーだけ学習率を下げられます。項目のない部分は上の設定を使います。</translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation>学習率スケジュール</translation>
    </message>
    <message>
        <source>How the learning rate changes over the run. constant is easiest to continue from. cosine and linear end softly, which often removes the last noise; rex stays high longer. polynomial is linear to a power; cosine_restarts jumps back to the full rate, cosine_waves returns to it gradually; inverse_sqrt falls ever more slowly.</source>
        <translation>学習中に学習率がどう変わるかです。constant は続きから学習しやすい。cosine と linear は緩やかに終わり、最後に残るノイズが取れることが多い。rex は高い値を長く保ちます。polynomial は linear のべき乗です。cosine_restarts は元の値にすぐ戻り、cosine_waves は徐々に戻ります。inverse_sqrt は下がり方が次第に緩やかになります。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>ウォームアップ</translation>
    </message>
    <message>
        <source>Steps over which the learning rate rises evenly: of w warm-up steps, the first is taken at 1/w of it, the last at all of it. 5% of the run tames the first updates at high rates.</source>
        <translation>学習率が均等に上がっていくステップ数です。w ステップのウォームアップでは、最初のステップは学習率の 1/w、最後のステップは学習率そのものです。全体の 5% ほどで、学習率が高いときの最初の更新が穏やかになります。</translation>
    </message>
    <message>
        <source>Lowest rate</source>
        <translation>最低学習率</translation>
    </message>
    <message>
        <source>The schedule never goes below this share of the learning rate.</source>
        <translation>スケジュールは、学習率のこの割合を下回りません。</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>周期の数</translation>
    </message>
    <message>
        <source>How often the rate falls from its highest to its lowest value. In cosine_restarts it then jumps back, so 1 is plain cosine; in cosine_waves it rises again as slowly as it fell within each cycle, so 0.5 is plain cosine.</source>
        <translation>学習率が最高値から最低値まで下がる回数です。cosine_restarts ではその後すぐに戻るため、1 が通常の cosine です。cosine_waves では各周期の中で下がるときと同じ速さで再び上がるため、0.5 が通常の cosine です。</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Exponent of the polynomial schedule. 1 is linear; higher values fall sooner, lower ones later.</source>
        <translation>polynomial スケジュールの指数です。1 は linear で、大きいほど早く、小さいほど遅く下がります。</translation>
    </message>
    <message>
        <source>REX β</source>
        <translation>REX β</translation>
    </message>
    <message>
        <source>How late the REX schedule falls. 0 is linear, 0.5 is the value of its paper, 0.9 is that of other trainers.</source>
        <translation>REX スケジュールがどれだけ遅く下がるかです。0 は linear、0.5 は論文の値、0.9 はほかの学習プログラムの値です。</translation>
    </message>
    <message>
        <source>Decay steps</source>
        <translation>減衰ステップ</translation>
    </message>
    <message>
        <source>Last steps of the run, over which the rate falls; before them it stays at its full value (warm-up, stable, decay). 0 lets it fall from the end of the warm-up on.</source>
        <translation>学習率が下がる、学習の最後のステップ数です。それまでは一定に保たれます（warm-up、stable、decay）。0 にするとウォームアップの終わりから下がります。</translation>
    </message>
    <message>
        <source>Timescale</source>
        <translation>時間尺度</translation>
    </message>
    <message>
        <source>Steps after the warm-up at which inverse_sqrt has 0.71 of the full rate; it has half of it after three times as many.</source>
        <translation>inverse_sqrt の学習率がウォームアップ後に 0.71 倍になるまでのステップ数です。その 3 倍で半分になります。</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>ファイル名</translation>
    </message>
    <message>
        <source>Name of the written adapter, without folder and without .safetensors.</source>
        <translation>書き出すアダプターの名前です。フォルダーと .safetensors は付けません。</translation>
    </message>
    <message>
        <source>Key format</source>
        <translation>キー形式</translation>
    </message>
    <message>
        <source>Which program the file is for. kohya loads nearly everywhere; diffusers is for Python pipelines; peft writes a folder for each part; onetrainer, comfyui and a1111 are what those programs render as trained; plain_lora is for those without DoRA. A whole model is written as a folder with diffusers, else as one file.</source>
        <translation>どのプログラム向けのファイルかです。kohya はほとんどどこでも読み込めます。diffusers は Python のパイプライン向け。peft は部分ごとにフォルダーを書き出します。onetrainer、comfyui、a1111 は、それぞれのプログラムが学習どおりに描画する形式。plain_lora は DoRA に対応しないもの向けです。モデル全体の場合、diffusers ならフォルダー、それ以外は 1 つのファイルになります。</translation>
    </message>
    <message>
        <source>Save precision</source>
        <translation>保存精度</translation>
    </message>
    <message>
        <source>Number type of the saved file. fp32 is exact; fp16 and bf16 halve the file at no visible cost.</source>
        <translation>ファイルに入る数値の型です。fp32 は正確。fp16 と bf16 はファイルが半分になり、使用時に見える劣化はありません。</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>保存の間隔</translation>
    </message>
    <message>
        <source>Save by epoch</source>
        <translation>エポックごとの保存</translation>
    </message>
    <message>
        <source>Steps between checkpoints that a run can continue from exactly; 0 leaves that to output.save_minutes. A crash costs at most this many steps.</source>
        <translation>正確に続きから再開できるチェックポイントを保存する、ステップの間隔です。0 なら output.save_minutes に任せます。クラッシュしても、失うのは最大でこのステップ数です。</translation>
    </message>
    <message>
        <source>Save by time</source>
        <translation>時間による保存</translation>
    </message>
    <message>
        <source>Epochs between checkpoints, beside those by steps and by time; 0 saves none by epoch. output.keep says how many stay.</source>
        <translation>ステップ数や時間による保存に加えて、何エポックごとにチェックポイントを保存するかです。0 ならエポックでは保存しません。残す数は output.keep で決まります。</translation>
    </message>
    <message>
        <source>Minutes of training between checkpoints, beside those by steps; 0 saves by steps only. A crash costs at most this time, and saving changes no result.</source>
        <translation>ステップ数による保存に加えて、学習の何分ごとにチェックポイントを保存するかです。0 ならステップ数だけで保存します。クラッシュしても、失うのは最大でこの時間です。保存しても結果は変わりません。</translation>
    </message>
    <message>
        <source>Checkpoints kept</source>
        <translation>残すチェックポイント数</translation>
    </message>
    <message>
        <source>How many verified checkpoints stay on disk. The oldest goes only after the newest has been read back and verified.</source>
        <translation>検証済みのチェックポイントをディスクに何個残すかです。いちばん古いものは、最新のものを読み戻して検証した後にだけ削除します。</translation>
    </message>
    <message>
        <source>TensorBoard files</source>
        <translation>TensorBoard のファイル</translation>
    </message>
    <message>
        <source>Writes losses, rates, norms and samples to event files in the tensorboard folder of the run as well, for TensorBoard and programs that read its files.</source>
        <translation>損失、学習率、ノルム、サンプルを、実行フォルダーの tensorboard フォルダーにイベントファイルとしても書き出します。TensorBoard や、そのファイルを読むプログラムで使えます。</translation>
    </message>
    <message>
        <source>Words in the adapter</source>
        <translation>アダプターに単語を含める</translation>
    </message>
    <message>
        <source>Writes the vectors of embedding.tokens into the adapter&apos;s file, as A1111 and OneTrainer bundle them, instead of into files of their own. Some programs refuse such a file, such as diffusers; others leave the words out.</source>
        <translation>embedding.tokens のベクトルを、別々のファイルではなく、A1111 や OneTrainer が同梱するようにアダプターのファイルに書き込みます。diffusers など、そのようなファイルを拒むプログラムもあり、ほかのプログラムは単語を無視します。</translation>
    </message>
    <message>
        <source>Sample every</source>
        <translation>サンプルの間隔</translation>
    </message>
    <message>
        <source>Epochs between sample images, beside those by steps; 0 renders none by epoch.</source>
        <translation>ステップ数によるサンプルに加えて、何エポックごとにサンプル画像を生成するかです。0 ならエポックでは生成しません。</translation>
    </message>
    <message>
        <source>Sample by time</source>
        <translation>時間ごとのサンプル</translation>
    </message>
    <message>
        <source>Minutes of training between sample images, beside those by steps; 0 renders none by time. Rendering and pauses don&apos;t count.</source>
        <translation>ステップ数によるサンプルに加えて、学習時間の何分ごとにサンプル画像を生成するかです。0 なら時間では生成しません。生成中と一時停止中の時間は数えません。</translation>
    </message>
    <message>
        <source>Sample by epoch</source>
        <translation>エポックごとのサンプル</translation>
    </message>
    <message>
        <source>Steps between sample images, which also appear before the first step; 0: not by steps, and if samples.every_epochs and samples.every_minutes are 0 too, no samples are made. Samples never change the training.</source>
        <translation>何ステップごとにサンプル画像を生成するかです。最初のステップの前にも生成されます。0 ならステップ数では生成せず、samples.every_epochs と samples.every_minutes も 0 なら生成しません。サンプルが学習に影響することはありません。</translation>
    </message>
    <message>
        <source>What to render.</source>
        <translation>生成する内容です。</translation>
    </message>
    <message>
        <source>What to steer away from.</source>
        <translation>避けたい内容です。</translation>
    </message>
    <message>
        <source>Seed of the starting noise, the same at every step so that samples compare.</source>
        <translation>最初のノイズのシードです。どのステップでも同じなので、サンプルを比べられます。</translation>
    </message>
    <message>
        <source>Width in px, a multiple of 8; 0 takes data.resolution.</source>
        <translation>幅（px）。8 の倍数。0 なら data.resolution を使います。</translation>
    </message>
    <message>
        <source>Height in px, a multiple of 8; 0 takes data.resolution.</source>
        <translation>高さ（px）。8 の倍数。0 なら data.resolution を使います。</translation>
    </message>
    <message>
        <source>Sampler steps; 20 to 30 show enough. At the defaults, 20 with guidance 6, a model with values of its own is sampled by those: FLUX.1 schnell with 4 steps and no guidance.</source>
        <translation>サンプラーのステップ数。20～30 で十分に見えます。既定のまま（20 ステップ、ガイダンス 6）なら、独自の値を持つモデルはその値で生成します。FLUX.1 schnell は 4 ステップ、ガイダンスなしです。</translation>
    </message>
    <message>
        <source>How strongly the prompt steers; 1 turns guidance off, 5 to 8 is usual.</source>
        <translation>プロンプトにどれだけ強く従うかです。1 でガイダンスなし、5～8 が一般的です。</translation>
    </message>
    <message>
        <source>Sample prompts</source>
        <translation>サンプルプロンプト</translation>
    </message>
    <message>
        <source>What is rendered while training. Use one prompt with your trigger words, and one without to see what else has changed.</source>
        <translation>学習中に生成する内容です。トリガーワードを含むものと、ほかに何が変わったかを見るための、含まないものを 1 つずつ使ってください。</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>バッチ</translation>
    </message>
    <message>
        <source>images</source>
        <translation>枚</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>エポック</translation>
    </message>
    <message>
        <source>x 75 tokens</source>
        <translation>x 75 トークン</translation>
    </message>
    <message>
        <source>About</source>
        <translation>情報</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>データ</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>学習</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>スケジュール</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>サンプル</translation>
    </message>
    <message>
        <source>training.timesteps logit_normal</source>
        <translation>training.timesteps を logit_normal にする</translation>
    </message>
    <message>
        <source>Buckets left out</source>
        <translation>除外するバケット</translation>
    </message>
    <message>
        <source>Sizes that no image is trained at, written WIDTHxHEIGHT; their images go to the nearest other size. For a size with so few images that most of a batch repeats. The Data page shows the sizes and switches them on and off.</source>
        <translation>学習に使わないサイズを「幅x高さ」で指定します。その画像は最も近い別のサイズに移ります。画像が少なく、バッチの大半が繰り返しになるサイズに使います。データページでサイズの一覧を確認し、切り替えられます。</translation>
    </message>
    <message>
        <source>Ranks of single layers</source>
        <translation>レイヤーごとのランク</translation>
    </message>
    <message>
        <source>Ranks and alphas for layers by their path, in place of adapter.rank and adapter.conv_rank: more where a subject is learned, less or 0 where it only costs memory. The first entry that names a layer counts; adapter.targets still decide which layers have an adapter at all.</source>
        <translation>パスで指定したレイヤーのランクと Alpha です。adapter.rank と adapter.conv_rank の代わりに使われます。被写体を覚えるレイヤーは大きく、メモリを使うだけのレイヤーは小さくするか 0 にします。レイヤーに一致する最初の項目が有効です。アダプターを付けるレイヤー自体は adapter.targets で決まります。</translation>
    </message>
    <message>
        <source>A module-path pattern, such as denoiser.up_blocks.*; * stands for any text.</source>
        <translation>モジュールのパスのパターンです(例: denoiser.up_blocks.*)。* は任意の文字列に一致します。</translation>
    </message>
    <message>
        <source>Rank of the adapters there; 0 leaves those layers out.</source>
        <translation>そのレイヤーのアダプターのランクです。0 にするとそのレイヤーを除外します。</translation>
    </message>
    <message>
        <source>Alpha there; 0 takes adapter.alpha.</source>
        <translation>そのレイヤーの Alpha です。0 では adapter.alpha を使います。</translation>
    </message>
    <message>
        <source>Name of a folder around the images, at any depth, or of the chosen folder itself.</source>
        <translation>画像を含むフォルダー(階層は問いません)、または選んだフォルダー自体の名前です。</translation>
    </message>
    <message>
        <source>How often each image there is used per epoch, times data.repeats; 0 leaves it to the folder&apos;s name.</source>
        <translation>そのフォルダーの各画像を 1 エポックに使う回数です(data.repeats との積)。0 ではフォルダー名に従います。</translation>
    </message>
    <message>
        <source>Weight of their loss: below 1 they count less, above 1 more.</source>
        <translation>その画像の損失の重みです。1 未満では影響が小さく、1 を超えると大きくなります。</translation>
    </message>
    <message>
        <source>Put before each caption there, followed by a space: for example a trigger word.</source>
        <translation>そのフォルダーの各キャプションの前に、空白を挟んで付ける文字列です(例: トリガーワード)。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>プロンプト</translation>
    </message>
    <message>
        <source>Negative prompt</source>
        <translation>ネガティブプロンプト</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>幅</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高さ</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>ガイダンス</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
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
        <source>Layers</source>
        <translation>レイヤー</translation>
    </message>
    <message>
        <source>From the base model</source>
        <translation>ベースモデルに従う</translation>
    </message>
    <message>
        <source>Standard (alpha / rank)</source>
        <translation>標準 (alpha / ランク)</translation>
    </message>
    <message>
        <source>Standard (starts at zero)</source>
        <translation>標準 (ゼロから開始)</translation>
    </message>
    <message>
        <source>Per output</source>
        <translation>出力ごと</translation>
    </message>
    <message>
        <source>Per input</source>
        <translation>入力ごと</translation>
    </message>
    <message>
        <source>Equal area</source>
        <translation>等面積</translation>
    </message>
    <message>
        <source>kohya</source>
        <translation>kohya</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Latents</source>
        <translation>latent</translation>
    </message>
    <message>
        <source>Latents and text</source>
        <translation>latent とテキスト</translation>
    </message>
    <message>
        <source>Mask files</source>
        <translation>マスクファイル</translation>
    </message>
    <message>
        <source>Alpha channel</source>
        <translation>アルファチャンネル</translation>
    </message>
    <message>
        <source>Full model</source>
        <translation>モデル全体</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>活性化関数</translation>
    </message>
    <message>
        <source>Feed-forward layers</source>
        <translation>フィードフォワード層</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>ブロック</translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>By SNR</source>
        <translation>SNR に従う</translation>
    </message>
    <message>
        <source>Noise (epsilon)</source>
        <translation>ノイズ (epsilon)</translation>
    </message>
    <message>
        <source>v-prediction</source>
        <translation>v 予測</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>フロー</translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation>一様</translation>
    </message>
    <message>
        <source>Logit-normal</source>
        <translation>ロジット正規</translation>
    </message>
    <message>
        <source>Sigmoid</source>
        <translation>シグモイド</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>モード</translation>
    </message>
    <message>
        <source>Shifted</source>
        <translation>シフト</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>現在の値</translation>
    </message>
    <message>
        <source>Delayed</source>
        <translation>遅延</translation>
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
        <translation>アテンション</translation>
    </message>
    <message>
        <source>Attention and MLP</source>
        <translation>アテンションと MLP</translation>
    </message>
    <message>
        <source>Linear and convolution layers</source>
        <translation>線形層と畳み込み層</translation>
    </message>
    <message>
        <source>Denoiser</source>
        <translation>デノイザー</translation>
    </message>
    <message>
        <source>Text encoder 1</source>
        <translation>テキストエンコーダー 1</translation>
    </message>
    <message>
        <source>Text encoder 2</source>
        <translation>テキストエンコーダー 2</translation>
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
        <translation>INT8 と FP16</translation>
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
        <translation>8 ビット</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>Dynamic</source>
        <translation>動的</translation>
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
        <translation>AdamW 8 ビット</translation>
    </message>
    <message>
        <source>As large as AdamW&apos;s</source>
        <translation>AdamW と同じ大きさ</translation>
    </message>
    <message>
        <source>As published</source>
        <translation>論文のとおり</translation>
    </message>
    <message>
        <source>AdamW, schedule-free</source>
        <translation>AdamW(スケジュールフリー)</translation>
    </message>
    <message>
        <source>Prodigy, schedule-free</source>
        <translation>Prodigy(スケジュールフリー)</translation>
    </message>
    <message>
        <source>Muon</source>
        <translation>Muon</translation>
    </message>
    <message>
        <source>Automagic (a rate for each value)</source>
        <translation>Automagic（値ごとの学習率）</translation>
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
        <translation>一定</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>線形</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>コサイン</translation>
    </message>
    <message>
        <source>Cosine with restarts</source>
        <translation>コサイン (再スタートあり)</translation>
    </message>
    <message>
        <source>REX</source>
        <translation>REX</translation>
    </message>
    <message>
        <source>Polynomial</source>
        <translation>多項式</translation>
    </message>
    <message>
        <source>Cosine waves</source>
        <translation>コサイン波</translation>
    </message>
    <message>
        <source>Inverse square root</source>
        <translation>逆平方根</translation>
    </message>
    <message>
        <source>diffusers</source>
        <translation>diffusers</translation>
    </message>
    <message>
        <source>Plain LoRA</source>
        <translation>プレーン LoRA</translation>
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
        <translation>その他の解像度</translation>
    </message>
    <message>
        <source>Every image is also trained at each of these, in batches of their own: 512, 768 beside 1024 makes an epoch three times as long, and a result that holds at those sizes. Images smaller than a size are enlarged for it, and counted in the findings. data.folders gives single folders a resolution of their own.</source>
        <translation>どの画像もこれらの解像度でも学習します (バッチは解像度ごと)。1024 に 512 と 768 を加えると、エポックは 3 倍の長さになり、結果はそれらのサイズでも通用します。サイズより小さい画像は拡大され、その数は指摘に表示されます。data.folders で個々のフォルダーに独自の解像度を指定できます。</translation>
    </message>
    <message>
        <source>The resolution that the images there are trained at, in px, in place of data.resolution and data.further_resolutions; 0 leaves it to those.</source>
        <translation>そこにある画像の学習解像度 (px)。data.resolution と data.further_resolutions の代わりに使われます。0 ならそれらに従います。</translation>
    </message>
    <message>
        <source>Training purpose</source>
        <translation>学習の目的</translation>
    </message>
    <message>
        <source>images learns what the images and captions show. slider learns the difference between two prompts and needs no images: the adapter&apos;s weight then moves that attribute, from -1 to 1 and beyond. pair_slider learns such an attribute from pairs of images that differ in it alone. adapter makes a training adapter for a distilled base model, from images that this model makes itself.</source>
        <translation>images は画像とキャプションが示すものを学習します。slider は 2 つのプロンプトの差を学習し、画像は要りません。できたアダプターの重みを -1 から 1、さらにその先へ動かすと、その属性が変わります。pair_slider は、その属性だけが異なる画像のペアから同じように学習します。adapter は、蒸留されたベースモデル自身が作る画像から、そのモデル用の学習用補助アダプターを作ります。</translation>
    </message>
    <message>
        <source>Output preservation</source>
        <translation>出力の保持</translation>
    </message>
    <message>
        <source>Keeps the adapter from changing what the base model makes of other captions, without prior images: on the same noised images, the base model&apos;s own prediction is a second target. class is for a subject: each caption with training.class_word in place of training.trigger_word. empty is for a style: an empty caption. A step takes about twice as long, with up to twice the activations in memory.</source>
        <translation>正則化画像なしで、ほかのキャプションに対するベースモデルの出力をアダプターが変えないようにします。ノイズを加えた同じ画像について、ベースモデル自身の予測を 2 つ目の目標にします。class は対象（人物や物）向けで、各キャプションの training.trigger_word を training.class_word に置き換えたもの、empty は画風向けで、空のキャプションです。1 ステップの時間は約 2 倍、アクティベーションのメモリは最大 2 倍になります。</translation>
    </message>
    <message>
        <source>Preservation weight</source>
        <translation>出力保持の重み</translation>
    </message>
    <message>
        <source>Weight of the preservation loss beside the loss on the images. 1 is usual; more keeps the base model&apos;s output better and slows learning.</source>
        <translation>画像の損失に対する、出力保持の損失の重みです。通常は 1。大きくするとベースモデルの出力がよりよく保たれ、学習は遅くなります。</translation>
    </message>
    <message>
        <source>Trigger word</source>
        <translation>トリガーワード</translation>
    </message>
    <message>
        <source>The word in the captions that stands for what is learned. The captions must contain it already: an image whose caption lacks it is trained without preservation.</source>
        <translation>学習する対象を表す、キャプション中の言葉です。キャプションにあらかじめ含まれている必要があります。含まれていない画像は出力の保持なしで学習します。</translation>
    </message>
    <message>
        <source>Class word</source>
        <translation>クラスの言葉</translation>
    </message>
    <message>
        <source>What the trigger word is an example of, such as person or dog. It replaces the trigger word in the preserved captions.</source>
        <translation>トリガーワードが属するもの（person、dog など）です。保持するキャプションではトリガーワードの代わりになります。</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>Slider</source>
        <translation>スライダー</translation>
    </message>
    <message>
        <source>Slider of image pairs</source>
        <translation>画像ペアのスライダー</translation>
    </message>
    <message>
        <source>Class captions</source>
        <translation>クラスのキャプション</translation>
    </message>
    <message>
        <source>Empty caption</source>
        <translation>空のキャプション</translation>
    </message>
    <message>
        <source>Slider target</source>
        <translation>スライダーの対象</translation>
    </message>
    <message>
        <source>Prompt of what the slider changes, such as &quot;a photo of a person&quot;.</source>
        <translation>スライダーが変えるもののプロンプトです（「a photo of a person」など）。</translation>
    </message>
    <message>
        <source>Positive prompt</source>
        <translation>正のプロンプト</translation>
    </message>
    <message>
        <source>The target with the attribute at its full, such as &quot;a photo of a very old person&quot;: where weights above 0 lead.</source>
        <translation>属性を最大にした対象です（「a photo of a very old person」など）。0 より大きい重みはこちらへ向かいます。</translation>
    </message>
    <message>
        <source>The target with the opposite attribute, such as &quot;a photo of a very young person&quot;: where weights below 0 lead.</source>
        <translation>反対の属性を持つ対象です（「a photo of a very young person」など）。0 より小さい重みはこちらへ向かいます。</translation>
    </message>
    <message>
        <source>Slider strength</source>
        <translation>スライダーの強さ</translation>
    </message>
    <message>
        <source>How many times the difference between the two prompts a weight of 1 applies. 3 is usual; higher values learn faster and change more beside the attribute.</source>
        <translation>重み 1 で、2 つのプロンプトの差を何倍適用するかです。通常は 3。大きくすると速く学習しますが、属性以外も変わりやすくなります。</translation>
    </message>
    <message>
        <source>Anchor prompt</source>
        <translation>アンカーのプロンプト</translation>
    </message>
    <message>
        <source>A prompt that the slider must not change, such as &quot;a photo of a house&quot;: there the base model&apos;s own prediction is the target. Empty anchors nothing.</source>
        <translation>スライダーで変えてはならないプロンプトです（「a photo of a house」など）。そこではベースモデル自身の予測が目標になります。空なら何も固定しません。</translation>
    </message>
    <message>
        <source>Anchor weight</source>
        <translation>アンカーの重み</translation>
    </message>
    <message>
        <source>Weight of the loss on the anchor prompt. 0 turns it off.</source>
        <translation>アンカーのプロンプトでの損失の重みです。0 で無効になります。</translation>
    </message>
    <message>
        <source>Images of the target</source>
        <translation>対象の画像数</translation>
    </message>
    <message>
        <source>How many images of the target the base model makes before training; noise is added to these. More vary more and take longer.</source>
        <translation>学習前にベースモデルが作る対象の画像の枚数です。これにノイズを加えて学習します。多いほど変化に富み、時間がかかります。</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>埋め込み</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>言葉</translation>
    </message>
    <message>
        <source>The word in captions and prompts, such as zorb; the file is named after it.</source>
        <translation>キャプションやプロンプトに書く言葉です（zorb など）。ファイル名にもなります。</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>ベクトル数</translation>
    </message>
    <message>
        <source>How many vectors it has, each of which takes the place of a token.</source>
        <translation>ベクトルの数です。それぞれがトークン 1 つ分の場所を使います。</translation>
    </message>
    <message>
        <source>Initial text</source>
        <translation>初期テキスト</translation>
    </message>
    <message>
        <source>Text whose vectors it starts from, repeated or cut to their number, such as a cat.</source>
        <translation>開始点となるテキストです（a cat など）。そのベクトルを数に合わせて繰り返すか切り詰めます。</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>標準偏差</translation>
    </message>
    <message>
        <source>Standard deviation of random vectors, where there is no initial text.</source>
        <translation>初期テキストがない場合の、ランダムなベクトルの標準偏差です。</translation>
    </message>
    <message>
        <source>Words with trained vectors of their own (textual inversion). Captions and sample prompts must hold each word. More vectors learn more and generalize less; 1 to 4 are usual. Embeddings need a higher learning rate than adapters, 0.001 to 0.005, see optimizer.groups.</source>
        <translation>独自のベクトルを学習する言葉です（Textual Inversion）。キャプションとサンプルのプロンプトに言葉を含める必要があります。ベクトルが多いほど多くを学びますが汎化しにくくなり、通常は 1～4 個です。アダプターより高い学習率（0.001～0.005）が必要です。optimizer.groups を参照してください。</translation>
    </message>
    <message>
        <source>Parts of the model to train. denoiser, the UNet or transformer, alone is right for most runs; te1 and te2 (the text encoders) help with new words and need a lower learning rate, see optimizer.groups. embeddings, alone or beside others, are vectors of new words: see embedding.tokens. vae alone, with training.method full, trains the autoencoder of a new base model.</source>
        <translation>モデルのうち学習する部分です。たいていは denoiser（UNet またはトランスフォーマー）だけで十分です。te1 と te2（テキストエンコーダー）は新しい言葉に役立ちますが、低めの学習率が必要です。optimizer.groups を参照してください。embeddings は新しい言葉のベクトルで、単独でもほかと一緒でも学習できます。embedding.tokens を参照してください。vae は単独で、training.method full とともに指定し、新しいベースモデルのオートエンコーダーを学習します。</translation>
    </message>
    <message>
        <source>Training adapter</source>
        <translation>学習用補助アダプター</translation>
    </message>
    <message>
        <source>Prompts of the base&apos;s images</source>
        <translation>ベースモデルの画像のプロンプト</translation>
    </message>
    <message>
        <source>What the base model makes images of before training, one prompt a line. They should be as varied as what the model is used for; empty lines are left out.</source>
        <translation>学習の前にベースモデルが画像を作るプロンプトで、1 行に 1 つです。モデルの用途と同じくらい多様にしてください。空行は無視されます。</translation>
    </message>
    <message>
        <source>Images of the base</source>
        <translation>ベースモデルの画像数</translation>
    </message>
    <message>
        <source>How many images the base model makes of the prompts, in turn. The more there are, the less the adapter learns of single ones; each takes one sampling before training.</source>
        <translation>ベースモデルがプロンプトから順に作る画像の数です。多いほど、アダプターが個々の画像を覚えにくくなります。1 枚ごとに学習前のサンプリングが 1 回必要です。</translation>
    </message>
</context>
<context>
    <name>catalogue</name>
    <message>
        <source>The magnitude divides by the row&apos;s norm, which is zero.</source>
        <translation>マグニチュードは行のノルムで割りますが、それが 0 です。</translation>
    </message>
    <message>
        <source>Text encoders hold rows that are close to zero, and their magnitudes have steep gradients.</source>
        <translation>テキストエンコーダーには 0 に近い行があり、そのマグニチュードの勾配は急になります。</translation>
    </message>
    <message>
        <source>Programs disagree about the side that has magnitudes, about the norm they divide by, and some drop the magnitudes.</source>
        <translation>どちら側がマグニチュードを持つか、どのノルムで割るかはプログラムによって異なり、マグニチュードを捨てるものもあります。</translation>
    </message>
    <message>
        <source>The magnitude isn't in the optimizer, or its graph is cut.</source>
        <translation>マグニチュードがオプティマイザーから漏れていたか、その計算グラフが切れていました。</translation>
    </message>
    <message>
        <source>It comes from a norm of the stored weight, in that weight&apos;s type.</source>
        <translation>保存された重みのノルムから、その重みの型のまま作られていました。</translation>
    </message>
    <message>
        <source>The product of FP32 factors meets a 16-bit activation.</source>
        <translation>FP32 の因子の積が 16 ビットの活性値とぶつかりました。</translation>
    </message>
    <message>
        <source>The input of base and adapter is one tensor in most implementations.</source>
        <translation>多くの実装では、ベースとアダプターの入力は同じ 1 つのテンソルです。</translation>
    </message>
    <message>
        <source>Values below the file type&apos;s smallest number become zero.</source>
        <translation>ファイルの型で表せる最小の数より小さい値は 0 になります。</translation>
    </message>
    <message>
        <source>The adapter&apos;s output promotes the projection&apos;s.</source>
        <translation>アダプターの出力が、射影の出力の型を引き上げました。</translation>
    </message>
    <message>
        <source>PiSSA's share of the weight is subtracted from quantised codes.</source>
        <translation>PiSSA が重みから取り出す分が、量子化コードから引かれました。</translation>
    </message>
    <message>
        <source>PiSSA moves the weight&apos;s main directions into the adapter, so dropout removes parts of the base model too.</source>
        <translation>PiSSA は重みの主要な方向をアダプターに移します。そこにドロップアウトを使うと、学習した分だけでなくベースの一部まで失われます。</translation>
    </message>
    <message>
        <source>Its inner activations exceed 65504.</source>
        <translation>内部の活性値が 65504 を超えます。</translation>
    </message>
    <message>
        <source>The VAE or a text encoder overflows while the cache is filled, and nothing checks the result.</source>
        <translation>キャッシュの作成中に VAE またはテキストエンコーダーがオーバーフローし、誰も確認していませんでした。</translation>
    </message>
    <message>
        <source>BF16 counts to 256 exactly, and in steps of 4 near 1000.</source>
        <translation>BF16 が正確に数えられるのは 256 までで、1000 付近では 4 刻みになります。</translation>
    </message>
    <message>
        <source>1 minus a number close to 1 is computed in 16 bits.</source>
        <translation>1 に近い数を 1 から引く計算が 16 ビットで行われました。</translation>
    </message>
    <message>
        <source>At SNR 0 the input is the noise itself; an epsilon target teaches nothing there, and the usual min-SNR weight divides by the SNR.</source>
        <translation>SNR が 0 のとき、入力はノイズそのものです。epsilon を目標にしても何も学べず、通常の min-SNR の重みは SNR で割ることになります。</translation>
    </message>
    <message>
        <source>The output of its wo layers exceeds 65504, and a later cast undoes the FP32 that the loader keeps.</source>
        <translation>wo 層の出力が 65504 を超え、ローダーが FP32 で残したものを後の型変換が打ち消しました。</translation>
    </message>
    <message>
        <source>Its activations use BF16&apos;s range.</source>
        <translation>その活性値は BF16 の範囲を使います。</translation>
    </message>
    <message>
        <source>They need range or bits that 16-bit types don&apos;t have.</source>
        <translation>16 ビットの型にはない範囲またはビット数が必要です。</translation>
    </message>
    <message>
        <source>An update smaller than half a step of the weight it is added to is rounded away. For an Adam-like optimizer an update is about as large as the learning rate eta, so those weights stay for which half a unit in the last place exceeds eta: with p significant bits (BF16 8, FP16 11, FP32 24), all of at least 2^(floor(log2 eta) + p + 1). Fresh weights are uniform within 1/sqrt(1280) = 0.028, which gives the share.</source>
        <translation>足される重みの刻みの半分より小さい更新は、丸められて消えます。Adam 系のオプティマイザーでは更新の大きさは学習率 eta とほぼ同じなので、最下位桁の単位の半分が eta を超える重みは動きません。有効ビット数を p(BF16 は 8、FP16 は 11、FP32 は 24)とすると、2^(floor(log2 eta) + p + 1) 以上の重みがすべて該当します。初期の重みは 1/sqrt(1280) = 0.028 以内に一様に分布するので、そこから割合が決まります。</translation>
    </message>
    <message>
        <source>The loss pulls the model towards another quantity.</source>
        <translation>損失がモデルを別の量へ引っ張ります。</translation>
    </message>
    <message>
        <source>Attention scores and activations of models trained on v, SD 2.x at 768 pixels being the best known, exceed 65504, the largest number of FP16.</source>
        <translation>v を予測するよう学習されたモデル(768 ピクセルの SD 2.x が最もよく知られています)では、アテンションのスコアと活性値が FP16 の最大値 65504 を超えます。</translation>
    </message>
    <message>
        <source>Checkpointing decides by its inputs whether a backward pass is needed.</source>
        <translation>逆伝播が必要かどうかを、チェックポイントが入力から判断していました。</translation>
    </message>
    <message>
        <source>The backward pass runs outside the context that chose types and random numbers.</source>
        <translation>型と乱数を決めるコンテキストの外で逆伝播が行われました。</translation>
    </message>
    <message>
        <source>The cache is keyed by address, not by version.</source>
        <translation>キャッシュはアドレスを知っていましたが、版は知りませんでした。</translation>
    </message>
    <message>
        <source>Libraries turn them on by default.</source>
        <translation>ライブラリが自動的に有効にします。</translation>
    </message>
    <message>
        <source>The host decides whether to skip, outside the captured graph.</source>
        <translation>スキップするかどうかが、キャプチャーの外のホスト側で決められていました。</translation>
    </message>
    <message>
        <source>A mistyped path, or a path of another model.</source>
        <translation>パスの誤記、または別のモデルのパスです。</translation>
    </message>
    <message>
        <source>These have types of their own in every plan.</source>
        <translation>これらはどの計画でも独自の型を持ちます。</translation>
    </message>
    <message>
        <source>Those cards have no BF16 units and emulate it.</source>
        <translation>これらの GPU には BF16 の演算器がなく、エミュレーションになります。</translation>
    </message>
    <message>
        <source>FP8 matmuls need hardware from sm_89 on.</source>
        <translation>FP8 の積には、sm_89 で加わった演算器が必要です。</translation>
    </message>
    <message>
        <source>Fused attention with gradients needs sm_80.</source>
        <translation>勾配付きの融合アテンションには sm_80 が必要です。</translation>
    </message>
    <message>
        <source>The hardware&apos;s FP8 matmul takes multiples of 16.</source>
        <translation>ハードウェアの FP8 の積は 16 の倍数だけを受け付けます。</translation>
    </message>
    <message>
        <source>No hardware multiplies E5M2 by E5M2, and gradients take E5M2 for their range.</source>
        <translation>E5M2 同士を掛けられるハードウェアはなく、勾配は範囲のために E5M2 を使います。</translation>
    </message>
    <message>
        <source>Some cards do FP8 matmuls only with the second matrix transposed.</source>
        <translation>GPU によっては、2 つ目の行列を転置したときだけ FP8 の積が使えます。</translation>
    </message>
    <message>
        <source>Quantising the operands costs more time than small matmuls save.</source>
        <translation>オペランドの測定と丸めには時間がかかり、小さな積ではその分を取り戻せません。</translation>
    </message>
    <message>
        <source>FP8 matmuls read weights as E4M3, INT8 matmuls as INT8.</source>
        <translation>FP8 の積は重みを E4M3 のコードとして、INT8 の積は INT8 のコードとして読みます。</translation>
    </message>
    <message>
        <source>TF32 needs sm_80.</source>
        <translation>TF32 は sm_80 で加わりました。</translation>
    </message>
    <message>
        <source>The adapter inherits the base model&apos;s FP16, so its gradients are FP16, which a loss scaler refuses to unscale.</source>
        <translation>アダプターがベースモデルの FP16 を引き継いだため勾配も FP16 になり、スケーラーはその勾配のスケールを戻せません。</translation>
    </message>
    <message>
        <source>Sampling casts the live model to FP16 and leaves it there.</source>
        <translation>プレビューが使用中のモデルを FP16 に変換し、そのままにしました。</translation>
    </message>
    <message>
        <source>The saved adapter is loaded in its file's type.</source>
        <translation>保存したアダプターが、ファイルの型のまま読み戻されました。</translation>
    </message>
    <message>
        <source>FP16 has 11 significant bits: an update smaller than 1/4096 of a weight is rounded away, and a weight below 6e-8 becomes zero.</source>
        <translation>FP16 の有効ビット数は 11 です。重みの 1/4096 より小さい更新は丸められて消え、6e-8 より小さい重みは 0 になります。</translation>
    </message>
    <message>
        <source>Gradients below 6e-8 become zero in FP16, without any message.</source>
        <translation>6e-8 より小さい勾配は、FP16 では何の知らせもなく 0 になります。</translation>
    </message>
    <message>
        <source>The norm is taken of scaled gradients, 65536 times too large, so every step is clipped to nothing.</source>
        <translation>65536 倍大きい勾配のノルムが使われたため、どのステップもほぼ 0 までクリッピングされました。</translation>
    </message>
    <message>
        <source>The scale is updated after each optimizer, so the second one sees another scale.</source>
        <translation>スケールがオプティマイザーごとに更新されたため、2 つ目は別のスケールを見ました。</translation>
    </message>
    <message>
        <source>The part is frozen, or nothing of it takes part in the loss, as under black masks.</source>
        <translation>その部分が凍結されているか、真っ黒なマスクの下のように、損失に何も加わっていません。</translation>
    </message>
    <message>
        <source>The fused kernel unscales by itself and ignores clipping.</source>
        <translation>融合カーネルが自分でスケールを戻し、クリッピングを知りませんでした。</translation>
    </message>
    <message>
        <source>Overflow is known only once every gradient is; by then the first layers have been updated.</source>
        <translation>ステップがオーバーフローしたかどうかは、すべての勾配がそろって初めてわかります。その時には最初の層はもう更新されています。</translation>
    </message>
    <message>
        <source>A layer&apos;s values leave the range of FP16 whatever the scale is, or the run has diverged.</source>
        <translation>スケールに関係なく層の値が FP16 の範囲を超えるか、学習が発散しています。</translation>
    </message>
    <message>
        <source>The scaler&apos;s state isn&apos;t saved.</source>
        <translation>スケーラーの状態が保存されていませんでした。</translation>
    </message>
    <message>
        <source>Schedules count iterations, not updates.</source>
        <translation>スケジュールが更新ではなく反復を数えていました。</translation>
    </message>
    <message>
        <source>NaN is replaced instead of reported.</source>
        <translation>原因を知らせる代わりに NaN が隠されました。</translation>
    </message>
    <message>
        <source>Gradients below 6e-8 become zero wherever they pass through FP16, even where most of the model computes in another type.</source>
        <translation>6e-8 より小さい勾配は、モデルの大部分を別の型で計算していても、FP16 を通るところでは 0 になります。</translation>
    </message>
    <message>
        <source>BF16, FP32 and scaled FP8 have the range without it.</source>
        <translation>BF16、FP32、および独自の倍率を持つ FP8 には、スケーリングで得られる範囲がもともとあります。</translation>
    </message>
    <message>
        <source>A fixed scale is not lowered after an overflow.</source>
        <translation>固定のスケールは、オーバーフローの後も下がりません。</translation>
    </message>
    <message>
        <source>BF16 has 8 significant bits: 1 - 0.001 is 1.</source>
        <translation>BF16 の有効ビット数は 8 です。1 - 0.001 は 1 になります。</translation>
    </message>
    <message>
        <source>With beta2 = 0.999, one step changes it by a thousandth, which is below half a step of BF16.</source>
        <translation>beta2 = 0.999 では 1 ステップの変化が 1000 分の 1 で、BF16 の刻みの半分より小さくなります。</translation>
    </message>
    <message>
        <source>Decay alone is far below half a step of BF16 and was rounded on its own.</source>
        <translation>減衰だけでは BF16 の刻みの半分よりはるかに小さく、それが単独で丸められていました。</translation>
    </message>
    <message>
        <source>At a decay of 0.999 and more, what is added is below half a step of BF16.</source>
        <translation>減衰率が 0.999 以上では、足される分が BF16 の刻みの半分より小さくなります。</translation>
    </message>
    <message>
        <source>As the sum grows, small additions are rounded away.</source>
        <translation>和が大きくなり、それに比べて小さいものは丸められて消えます。</translation>
    </message>
    <message>
        <source>Weights, gradients and state must share one type.</source>
        <translation>重み、勾配、状態が同じ型でなければなりませんでした。</translation>
    </message>
    <message>
        <source>FP16&apos;s smallest number is 6e-8.</source>
        <translation>FP16 で表せる最小の数は 6e-8 です。</translation>
    </message>
    <message>
        <source>One block of 256 shares one scale; in a small tensor, a few values decide all.</source>
        <translation>256 個のブロックが 1 つのスケールを共有します。小さなテンソルでは、少数の値がすべてを左右します。</translation>
    </message>
    <message>
        <source>The loader has one type for everything.</source>
        <translation>ローダーがすべてに 1 つの型しか知りませんでした。</translation>
    </message>
    <message>
        <source>Prodigy estimates one rate from all weights; factors on single weights distort it.</source>
        <translation>Prodigy はすべての重みから 1 つの学習率を推定します。個々の重みの倍率はそれを歪めます。</translation>
    </message>
    <message>
        <source>A relative step ignores the given learning rate. A fused backward pass updates before the other batches and the global norm are known.</source>
        <translation>相対ステップは指定された学習率を無視します。逆伝播中の更新は、ほかのバッチと全勾配のノルムがわかる前に行われます。</translation>
    </message>
    <message>
        <source>adamw8bit is AdamW with 8-bit state; precision.optimizer_state says something else.</source>
        <translation>adamw8bit は状態が 8 ビットの AdamW ですが、precision.optimizer_state の指定が異なります。</translation>
    </message>
    <message>
        <source>Prodigy finds the rate itself; the learning rate is a factor on what it finds.</source>
        <translation>Prodigy は学習率を自分で見つけます。指定した学習率はそれに掛ける倍率です。</translation>
    </message>
    <message>
        <source>The learning rate is still 1 from another optimizer.</source>
        <translation>オプティマイザーを変更したとき、学習率が 1 のままでした。</translation>
    </message>
    <message>
        <source>Adafactor's, CAME's and Automagic's row and column moments stand for whole matrices; Prodigy's estimate, Automagic's rates and schedule-free averages are sums of small increments. They are small, or must be exact.</source>
        <translation>Adafactor、CAME、Automagic の行・列モーメントは行列全体を表し、Prodigy の推定値、Automagic の学習率、schedule-free の平均は小さな増分の和です。いずれも小さいか、正確でなければなりません。</translation>
    </message>
    <message>
        <source>The base&apos;s FP8 and the adapter&apos;s FP16 are added as they are, and the magnitude is stored as FP8.</source>
        <translation>ベースの FP8 とアダプターの FP16 がそのまま足され、マグニチュードが FP8 で保存されました。</translation>
    </message>
    <message>
        <source>E4M3 ends at 2^-9. Of weights with a deviation of 0.005, 15% become zero (19 dB signal to noise); of 0.001, 67% (5 dB). With a scale per channel it is 31.6 dB.</source>
        <translation>E4M3 は 2^-9 までしか表せません。標準偏差 0.005 の重みでは 15% が 0 になり（信号対雑音比 19 dB）、0.001 では 67% が 0 になります(5 dB)。チャンネルごとのスケールがあれば 31.6 dB です。</translation>
    </message>
    <message>
        <source>E4M3 has no infinity: what overflows becomes NaN.</source>
        <translation>E4M3 には無限大がありません。オーバーフローした値は NaN になります。</translation>
    </message>
    <message>
        <source>Embedding lookups and norms are not matmuls and have no quantised form.</source>
        <translation>行の参照と正規化は行列積ではなく、量子化した形がありません。</translation>
    </message>
    <message>
        <source>The change is smaller than half a step of FP8 almost everywhere.</source>
        <translation>変化がほぼどこでも FP8 の刻みの半分より小さくなります。</translation>
    </message>
    <message>
        <source>The scale has changed by the time the segment is recomputed.</source>
        <translation>区間を計算し直したときには、スケールが先に進んでいました。</translation>
    </message>
    <message>
        <source>The factor is the largest number divided by the largest value; the B of a fresh LoRA is all zeros.</source>
        <translation>倍率は最大の数を最大の値で割ったものですが、作ったばかりの LoRA の B はすべて 0 です。</translation>
    </message>
    <message>
        <source>The file&apos;s own scales are not those that 8-bit matmuls need.</source>
        <translation>ファイル自身のスケールは、8 ビットの積に必要なものではありません。</translation>
    </message>
    <message>
        <source>An update of usual size is far below half a step of 8 or 4 bits.</source>
        <translation>通常の大きさの更新は、8 ビットや 4 ビットの刻みの半分よりはるかに小さくなります。</translation>
    </message>
    <message>
        <source>The type is passed on unchecked.</source>
        <translation>型が確認されずに渡されました。</translation>
    </message>
    <message>
        <source>What the file lost to quantisation can't be restored.</source>
        <translation>量子化のときにファイルから失われたものは戻りません。</translation>
    </message>
    <message>
        <source>Every training latent passes through the VAE; FP8 weights leave it 31.6 dB signal to noise, INT8 weights about 40 dB, NF4 weights 20.7 dB.</source>
        <translation>学習に使う latent はすべて VAE を通ります。信号対雑音比は FP8 では 31.6 dB、INT8 では約 40 dB、NF4 では 20.7 dB しか残りません。</translation>
    </message>
    <message>
        <source>Every quantised type has steps of its own, and GGUF&apos;s have scales for 16 or 32 values each, so every weight is rounded a second time.</source>
        <translation>量子化の型はそれぞれ刻みが異なり、GGUF の型は 16 または 32 個の値ごとにスケールを持つため、すべての重みがもう一度丸められます。</translation>
    </message>
    <message>
        <source>8-bit matmuls read codes and scales that are made once, from frozen weights.</source>
        <translation>8 ビットの積は、凍結した重みから一度だけ作られたコードとスケールを読みます。</translation>
    </message>
    <message>
        <source>{channels} channels use plain LoRA: the norm of their weights is zero{layers}.</source>
        <translation>{channels} 個のチャネルは通常の LoRA を使います。重みのノルムが 0 です{layers}。</translation>
    </message>
    <message>
        <source>DoRA on text encoders is known to be unstable; their weights are scanned for empty rows before the first step.</source>
        <translation>テキストエンコーダーでの DoRA は不安定なことが知られています。最初のステップの前に、重みに空の行がないか調べます。</translation>
    </message>
    <message>
        <source>train the UNet alone, or plain LoRA</source>
        <translation>UNet だけを学習するか、通常の LoRA にする</translation>
    </message>
    <message>
        <source>Which program will load this? A DoRA with {format} keys and magnitudes per {axis}: {programs}.</source>
        <translation>このファイルはどのプログラムで読み込みますか? {format} 形式のキーで、マグニチュードが {axis} ごとの DoRA: {programs}。</translation>
    </message>
    <message>
        <source>output.format plain_lora, or the format and axis that your program reads</source>
        <translation>output.format を plain_lora にするか、使うプログラムが読める形式と軸にする</translation>
    </message>
    <message>
        <source>Magnitude gets no gradient in {layer}.</source>
        <translation>{layer} のマグニチュードに勾配が届いていません。</translation>
    </message>
    <message>
        <source>plain LoRA, or other target layers</source>
        <translation>通常の LoRA にするか、対象の層を変える</translation>
    </message>
    <message>
        <source>{percent}% of weights round to zero in {file} as {type}.</source>
        <translation>{file} に {type} で書き込むと、重みの {percent}% が 0 に丸められます。</translation>
    </message>
    <message>
        <source>an FP32 file</source>
        <translation>FP32 のファイル</translation>
    </message>
    <message>
        <source>With PiSSA, a dropout of {dropout} also drops the base weight&apos;s main directions.</source>
        <translation>PiSSA では、ドロップアウト {dropout} がベースの重みの主要な方向も落とします。</translation>
    </message>
    <message>
        <source>PiSSA's singular vectors are a product of two matrices. They are no LoHa, and no LoKr.</source>
        <translation>PiSSA の特異ベクトルは 2 つの行列の積で、LoHa でも LoKr でもありません。</translation>
    </message>
    <message>
        <source>A {form} can't start from the base weight's singular vectors (adapter.init pissa).</source>
        <translation>{form} はベースの重みの特異ベクトルから始められません(adapter.init pissa)。</translation>
    </message>
    <message>
        <source>LoRA+ trains the up matrix faster. LoHa and LoKr have none.</source>
        <translation>LoRA+ は up 行列を速く学習します。LoHa と LoKr にはありません。</translation>
    </message>
    <message>
        <source>A {form} has no up matrix that could learn faster (adapter.lora_plus_ratio).</source>
        <translation>{form} には速く学習できる up 行列がありません(adapter.lora_plus_ratio)。</translation>
    </message>
    <message>
        <source>diffusers' loaders know LoRA's matrices only.</source>
        <translation>diffusers のローダーは LoRA の行列しか扱えません。</translation>
    </message>
    <message>
        <source>diffusers has no names for a {form} (output.format).</source>
        <translation>diffusers には {form} 用の名前がありません(output.format)。</translation>
    </message>
    <message>
        <source>output.format kohya, peft, or plain_lora</source>
        <translation>output.format を kohya、peft、plain_lora のいずれかにする</translation>
    </message>
    <message>
        <source>LyCORIS's own names are of the denoiser's modules, and kohya's layouts have none for T5.</source>
        <translation>LyCORIS 独自の名前はデノイザーのモジュールだけで、kohya の形式にもT5 の名前はありません。</translation>
    </message>
    <message>
        <source>A {form} of T5 has no names in LyCORIS's files.</source>
        <translation>T5 の {form} は、LyCORIS のファイルに名前がありません。</translation>
    </message>
    <message>
        <source>train the denoiser alone, or LoRA</source>
        <translation>デノイザーだけを学習するか、LoRA にする</translation>
    </message>
    <message>
        <source>A LoRA with magnitudes is a DoRA, which is an adapter type of its own here. In LyCORIS one switch, dora_wd, is for all types.</source>
        <translation>マグニチュードを持つ LoRA は DoRA で、Mantissa では独立したアダプターの種類です。LyCORIS では dora_wd がすべての種類に共通のスイッチです。</translation>
    </message>
    <message>
        <source>adapter.decompose is for loha and lokr; adapter.type is {type}.</source>
        <translation>adapter.decompose は loha と lokr 用ですが、adapter.type は {type} です。</translation>
    </message>
    <message>
        <source>adapter.type dora without adapter.decompose</source>
        <translation>adapter.type を dora にし、adapter.decompose を無効にする</translation>
    </message>
    <message>
        <source>PEFT's LoHaConfig and LoKrConfig know no weight decomposition.</source>
        <translation>PEFT の LoHaConfig と LoKrConfig は重み分解に対応していません。</translation>
    </message>
    <message>
        <source>PEFT has no names for the magnitudes of a {form} (output.format).</source>
        <translation>PEFT には {form} のマグニチュード用の名前がありません(output.format)。</translation>
    </message>
    <message>
        <source>output.format kohya, or plain_lora</source>
        <translation>output.format を kohya または plain_lora にする</translation>
    </message>
    <message>
        <source>adapter.init standard</source>
        <translation>adapter.init を standard にする</translation>
    </message>
    <message>
        <source>adapter.lora_plus_ratio 1</source>
        <translation>adapter.lora_plus_ratio を 1 にする</translation>
    </message>
    <message>
        <source>dropout 0</source>
        <translation>ドロップアウトを 0 にする</translation>
    </message>
    <message>
        <source>VAE in FP32: its activations overflow FP16.</source>
        <translation>VAE は FP32 にします。活性値が FP16 の範囲を超えるためです。</translation>
    </message>
    <message>
        <source>FP32, or BF16</source>
        <translation>FP32、または BF16</translation>
    </message>
    <message>
        <source>NaN or infinity in the encoding of {file}.</source>
        <translation>{file} のエンコード結果に NaN または無限大があります。</translation>
    </message>
    <message>
        <source>encode again with the VAE (captions: the text encoders) in FP32, or take that file out</source>
        <translation>VAE(キャプションの場合はテキストエンコーダー)を FP32 にしてエンコードし直すか、そのファイルを外す</translation>
    </message>
    <message>
        <source>min(gamma, SNR) / (SNR + 1) used with gamma {gamma}: it is defined at SNR 0.</source>
        <translation>min(gamma, SNR) / (SNR + 1) を gamma {gamma} で使います。SNR が 0 でも定義されます。</translation>
    </message>
    <message>
        <source>Only rectified flows have a shift; epsilon and v-prediction models have a noise schedule instead.</source>
        <translation>シフトがあるのは整流フローだけです。ε 予測と v 予測のモデルには、代わりにノイズスケジュールがあります。</translation>
    </message>
    <message>
        <source>training.timesteps is shifted, but the base model isn&apos;t a rectified flow and has no shift.</source>
        <translation>training.timesteps が shifted ですが、ベースモデルは整流フローではなく、シフトがありません。</translation>
    </message>
    <message>
        <source>Zero terminal SNR needs v-prediction: where no signal is left, an epsilon target carries no information.</source>
        <translation>ゼロ終端 SNR には v 予測が必要です。信号が残らないところでは、epsilon を目標にしても情報がありません。</translation>
    </message>
    <message>
        <source>v-prediction for a model trained so, else zero terminal SNR off</source>
        <translation>v 予測で学習されたモデルなら v 予測、そうでなければゼロ終端 SNR をオフ</translation>
    </message>
    <message>
        <source>BF16 chosen: this model was trained in BF16 and leaves the range of FP16.</source>
        <translation>BF16 を選びました。このモデルは BF16 で学習されており、FP16 の範囲を超えます。</translation>
    </message>
    <message>
        <source>This model was trained in BF16 and leaves the range of FP16; {device} has no BF16.</source>
        <translation>このモデルは BF16 で学習されており、FP16 の範囲を超えます。{device} には BF16 がありません。</translation>
    </message>
    <message>
        <source>BF16, or FP32 on a device without it</source>
        <translation>BF16、使えないデバイスでは FP32</translation>
    </message>
    <message>
        <source>{problem}</source>
        <translation>{problem}</translation>
    </message>
    <message>
        <source>FP32 adapter weights, or a higher learning rate</source>
        <translation>アダプターの重みを FP32 にするか、学習率を上げる</translation>
    </message>
    <message>
        <source>BF16 compute</source>
        <translation>BF16 計算</translation>
    </message>
    <message>
        <source>The base model says that it predicts {said}; training.prediction says {asked}.</source>
        <translation>ベースモデルは {said} を予測すると記していますが、training.prediction は {asked} です。</translation>
    </message>
    <message>
        <source>training.prediction auto</source>
        <translation>training.prediction を auto にする</translation>
    </message>
    <message>
        <source>TF32 on (10-bit mantissa): matmuls lose 13 bits of FP32.</source>
        <translation>TF32 が有効です（仮数 10 ビット）。積は FP32 より 13 ビット少なくなります。</translation>
    </message>
    <message>
        <source>FP32 compute</source>
        <translation>FP32 で計算</translation>
    </message>
    <message>
        <source>The pin {pattern} matches no module of this model.</source>
        <translation>型の固定 {pattern} に一致するモジュールがこのモデルにありません。</translation>
    </message>
    <message>
        <source>remove it, or correct the path</source>
        <translation>削除するか、パスを直す</translation>
    </message>
    <message>
        <source>The pin {pattern} matches only norms, embeddings or biases, whose types are fixed.</source>
        <translation>型の固定 {pattern} は正規化層、埋め込み、バイアスにしか一致しません。これらの型は決まっています。</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>削除する</translation>
    </message>
    <message>
        <source>No native BF16 on {device}: {instead}.</source>
        <translation>{device} には BF16 のハードウェアがありません: {instead}。</translation>
    </message>
    <message>
        <source>No native BF16 on {device}, and this model leaves the range of FP16.</source>
        <translation>{device} には BF16 のハードウェアがなく、このモデルは FP16 の範囲を超えます。</translation>
    </message>
    <message>
        <source>FP16 with loss scaling; FP32 for models that need BF16&apos;s range</source>
        <translation>FP16 と損失スケーリング。BF16 の範囲が必要なモデルには FP32</translation>
    </message>
    <message>
        <source>No FP8 matmuls on {device}: FP8 storage, 16-bit compute.</source>
        <translation>{device} は FP8 の積を計算できません。FP8 で保存し、16 ビットで計算します。</translation>
    </message>
    <message>
        <source>int8_fp16 compute</source>
        <translation>int8_fp16 で計算</translation>
    </message>
    <message>
        <source>Slower attention chosen: the fused one has no backward on {device}.</source>
        <translation>低速なアテンションを選びました。{device} では融合版の逆伝播が使えません。</translation>
    </message>
    <message>
        <source>Use E4M3 forward, E5M2 gradients.</source>
        <translation>順伝播は E4M3、勾配は E5M2 にしてください。</translation>
    </message>
    <message>
        <source>E4M3 weights</source>
        <translation>重みを E4M3 にする</translation>
    </message>
    <message>
        <source>FP8 saves memory, perhaps not time.</source>
        <translation>FP8 はメモリを節約しますが、速くなるとは限りません。</translation>
    </message>
    <message>
        <source>BF16 compute where it fits</source>
        <translation>メモリに収まるなら BF16 で計算</translation>
    </message>
    <message>
        <source>Linear layers of the denoiser are stored as {codes} instead of {stored}, which 8-bit matmuls need. Other layers stay {stored}.</source>
        <translation>デノイザーの線形層は {stored} ではなく {codes} で保持します。8 ビットの積がその形で読むためです。ほかの層は {stored} のままです。</translation>
    </message>
    <message>
        <source>weights of that type, or BF16 compute</source>
        <translation>その型の重み、または BF16 で計算</translation>
    </message>
    <message>
        <source>No TF32 on {device}: FP32.</source>
        <translation>{device} には TF32 がありません。FP32 を使います。</translation>
    </message>
    <message>
        <source>No native BF16 on {device}: FP16 with loss scaling between INT8 matmuls.</source>
        <translation>{device} は BF16 に対応していません。INT8 の積の間は損失スケーリング付きの FP16 で計算します。</translation>
    </message>
    <message>
        <source>Those cards multiply INT8, but have no BF16 for the values between the products.</source>
        <translation>それらのカードは INT8 の積を計算できますが、積の間の値に使う BF16 がありません。</translation>
    </message>
    <message>
        <source>INT8 instructions multiply four neighbours at a time.</source>
        <translation>INT8 の命令は隣り合う 4 個の値をまとめて掛けます。</translation>
    </message>
    <message>
        <source>INT8 has no exponent: every value is a multiple of the largest one divided by 127.</source>
        <translation>INT8 には指数がなく、どの値も最大値の 127 分の 1 の整数倍になります。</translation>
    </message>
    <message>
        <source>The scale of zeros is zero, and INT8 has no code for NaN or infinity.</source>
        <translation>すべて 0 のときスケールは 0 になり、INT8 には NaN や無限大のコードがありません。</translation>
    </message>
    <message>
        <source>Gradients of different tokens differ by orders of magnitude.</source>
        <translation>トークンが違えば勾配の大きさは何桁も違います。</translation>
    </message>
    <message>
        <source>FP16 masters lose small updates.</source>
        <translation>FP16 のマスターは小さな更新を失います。</translation>
    </message>
    <message>
        <source>FP32 adapter weights</source>
        <translation>アダプターの重みを FP32 にする</translation>
    </message>
    <message>
        <source>FP32 adapters and loss scaling enabled: FP16 gradients below 6e-8 would become zero.</source>
        <translation>FP32 のアダプターと損失スケーリングを有効にしました。6e-8 より小さい FP16 の勾配は 0 になるためです。</translation>
    </message>
    <message>
        <source>dynamic loss scaling, FP32 adapter weights</source>
        <translation>動的な損失スケーリングと FP32 のアダプターの重み</translation>
    </message>
    <message>
        <source>No gradients reached {part}: it is frozen, or masks are black all over.</source>
        <translation>{part} に勾配が届いていません：凍結されているか、マスクが真っ黒です。</translation>
    </message>
    <message>
        <source>drop the part from training.parts, or mend the masks</source>
        <translation>その部分を training.parts から外すか、マスクを直してください</translation>
    </message>
    <message>
        <source>Needs a whole-model overflow check, which a fused backward pass can&apos;t wait for.</source>
        <translation>モデル全体のオーバーフロー検査が必要ですが、逆伝播しながらの更新はそれを待てません。</translation>
    </message>
    <message>
        <source>BF16 instead of FP16, or optimizer.fused_back_pass off</source>
        <translation>FP16 の代わりに BF16、または optimizer.fused_back_pass をオフ</translation>
    </message>
    <message>
        <source>{skips} skips in a row; first non-finite tensor: {layer}.</source>
        <translation>{skips} 回続けてスキップしました。最初に有限でなくなったテンソル: {layer}。</translation>
    </message>
    <message>
        <source>BF16 compute, or that layer pinned to FP32</source>
        <translation>BF16 で計算するか、その層を FP32 に固定する</translation>
    </message>
    <message>
        <source>Non-finite loss at step {step} ({file}).</source>
        <translation>ステップ {step} で損失が有限でなくなりました ({file})。</translation>
    </message>
    <message>
        <source>lower the learning rate and check these images; with FP16 compute, use BF16</source>
        <translation>学習率を下げ、これらの画像を確かめる。FP16 で計算している場合は BF16 にする</translation>
    </message>
    <message>
        <source>Loss scaling enabled: gradients pass through FP16 here.</source>
        <translation>損失スケーリングを有効にしました。ここでは勾配が FP16 を通ります。</translation>
    </message>
    <message>
        <source>dynamic loss scaling, or no FP16</source>
        <translation>動的な損失スケーリング、または FP16 を使わない</translation>
    </message>
    <message>
        <source>Loss scaling is on, but no gradient passes through FP16: it can only cause skipped steps.</source>
        <translation>損失スケーリングがオンですが、FP16 を通る勾配はありません。ステップのスキップを招くだけです。</translation>
    </message>
    <message>
        <source>loss scaling auto</source>
        <translation>損失スケーリングを auto にする</translation>
    </message>
    <message>
        <source>A fixed scale of {scale} is above 65536, where the dynamic scale begins: steps may overflow without end.</source>
        <translation>固定スケール {scale} は、動的スケールの初期値 65536 を超えています。オーバーフローが続くおそれがあります。</translation>
    </message>
    <message>
        <source>dynamic loss scaling</source>
        <translation>動的な損失スケーリング</translation>
    </message>
    <message>
        <source>Stochastic rounding enabled: at this learning rate, {percent}% of the updates of BF16 weights would be lost at the start, and more as weights grow.</source>
        <translation>確率的丸めを有効にしました。この学習率では BF16 の重みの更新のうち初めから {percent}% が失われ、重みが大きくなるとさらに増えます。</translation>
    </message>
    <message>
        <source>stochastic rounding, Kahan summation, or FP32 adapter weights</source>
        <translation>確率的丸め、Kahan 加算、または FP32 のアダプターの重み</translation>
    </message>
    <message>
        <source>Optimizer state in FP32: with beta2 {beta2} and rounding to nearest, BF16 moments stop changing.</source>
        <translation>オプティマイザーの状態は FP32 にします。beta2 が {beta2} で最近接丸めだと、BF16 のモーメントは変化しなくなります。</translation>
    </message>
    <message>
        <source>FP32 state, or stochastic rounding</source>
        <translation>状態を FP32 にするか、確率的丸めを使う</translation>
    </message>
    <message>
        <source>Weight average in FP32: at decay {decay} a BF16 average would not move.</source>
        <translation>重みの平均は FP32 にします。減衰 {decay} では BF16 の平均は動きません。</translation>
    </message>
    <message>
        <source>FP32 accumulator: sums over {batches} batches swallow small gradients in 16 bits.</source>
        <translation>FP32 で累積します。{batches} バッチの和を 16 ビットで取ると小さな勾配が失われます。</translation>
    </message>
    <message>
        <source>FP32 gradients</source>
        <translation>勾配を FP32 にする</translation>
    </message>
    <message>
        <source>Small tensors (under 4096 elements) use FP32 state.</source>
        <translation>小さなテンソル（4096 要素未満）の状態は FP32 です。</translation>
    </message>
    <message>
        <source>One Prodigy for each of {parts}; the ratio of their learning rates becomes d_coef.</source>
        <translation>{parts} にそれぞれ Prodigy を 1 つ使います。学習率の比が d_coef になります。</translation>
    </message>
    <message>
        <source>LoRA+ ratio 1</source>
        <translation>LoRA+ の比を 1 にする</translation>
    </message>
    <message>
        <source>Choose one: a fused backward pass excludes {reasons}.</source>
        <translation>どちらかを選んでください。逆伝播しながらの更新は次のものと同時に使えません: {reasons}。</translation>
    </message>
    <message>
        <source>accumulation 1, or optimizer.fused_back_pass off</source>
        <translation>勾配累積を 1 にするか、optimizer.fused_back_pass をオフ</translation>
    </message>
    <message>
        <source>{parts} keeps its state in 8bit; precision.optimizer_state {state} does not apply to it.</source>
        <translation>{parts} の状態は 8bit で保持します。precision.optimizer_state {state} は適用されません。</translation>
    </message>
    <message>
        <source>optimizer adamw for the wider state</source>
        <translation>状態を広くするなら、オプティマイザーを adamw にする</translation>
    </message>
    <message>
        <source>Prodigy&apos;s learning rate is a factor on the rate it finds, usually 1; it is {rate}.</source>
        <translation>Prodigy の学習率は、見つけた学習率に掛ける倍率で、通常は 1 です。今は {rate} です。</translation>
    </message>
    <message>
        <source>learning rate 1</source>
        <translation>学習率を 1 にする</translation>
    </message>
    <message>
        <source>A learning rate of {rate} breaks a LoRA with {parts}; 1 is Prodigy&apos;s rate.</source>
        <translation>学習率 {rate} では {parts} を使う LoRA が壊れます。1 は Prodigy の学習率です。</translation>
    </message>
    <message>
        <source>learning rate 1e-4</source>
        <translation>学習率を 1e-4 にする</translation>
    </message>
    <message>
        <source>Part of the state of {parts} stays FP32 instead of {state}: factored moments, second moments of vectors and sums of small increments need it.</source>
        <translation>{parts} の状態の一部は {state} ではなく FP32 のままです。因子分解したモーメント、ベクトルの 2 次モーメント、小さな増分の和に必要です。</translation>
    </message>
    <message>
        <source>Its parameters are where gradients are taken; the result is an average that it keeps by itself.</source>
        <translation>パラメーターは勾配を計算する点であり、結果はオプティマイザー自身が持つ平均です。</translation>
    </message>
    <message>
        <source>{parts} averages the weights by itself: training.ema {decay} does not apply to it.</source>
        <translation>{parts} は自身で重みを平均するため、training.ema {decay} は適用されません。</translation>
    </message>
    <message>
        <source>training.ema 0</source>
        <translation>training.ema 0</translation>
    </message>
    <message>
        <source>Its average does what the schedule is for, and weights each step by the square of its rate or of the largest so far.</source>
        <translation>平均がスケジュールの役割を果たし、各ステップは学習率（またはそれまでの最大値）の二乗で重み付けされます。</translation>
    </message>
    <message>
        <source>{parts} replaces the schedule by an average; with schedule.type {schedule} its last steps are too small.</source>
        <translation>{parts} はスケジュールの代わりに平均を使います。schedule.type が {schedule} だと最後のステップが小さすぎます。</translation>
    </message>
    <message>
        <source>schedule.type constant; warm-up stays</source>
        <translation>schedule.type を constant に。ウォームアップは残ります</translation>
    </message>
    <message>
        <source>Per-channel scales added: an unscaled cast to FP8 turns small weights into zero.</source>
        <translation>チャネルごとのスケールを加えました。スケールなしで FP8 に変換すると小さな重みが 0 になります。</translation>
    </message>
    <message>
        <source>Embeddings and biases of the text encoders are stored as {type}, norms as fp32.</source>
        <translation>テキストエンコーダーの埋め込みとバイアスは {type}、正規化層は fp32 で保持します。</translation>
    </message>
    <message>
        <source>Merging here changes results: {file} holds {type}, and most of the adapter would be rounded away.</source>
        <translation>ここでマージすると結果が変わります。{file} は {type} で、アダプターの大部分が丸めで失われます。</translation>
    </message>
    <message>
        <source>merge in FP32 into the original model, then quantise</source>
        <translation>元のモデルに FP32 でマージしてから量子化する</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}: base stays quantised, compute 16-bit.</source>
        <translation>ベースモデルのファイルは {file} です。ベースは量子化したまま、計算は 16 ビットにします。</translation>
    </message>
    <message>
        <source>BF16 compute, or a base model that isn&apos;t quantised</source>
        <translation>BF16 で計算するか、量子化されていないベースモデルを使う</translation>
    </message>
    <message>
        <source>Quantised weights cannot be trained.</source>
        <translation>量子化した重みは学習できません。</translation>
    </message>
    <message>
        <source>a BF16 base, or an adapter</source>
        <translation>BF16 のベース、またはアダプター</translation>
    </message>
    <message>
        <source>output.dtype must be one of fp32, bf16, fp16.</source>
        <translation>output.dtype は fp32、bf16、fp16 のいずれかでなければなりません。</translation>
    </message>
    <message>
        <source>an FP32, FP16 or BF16 file</source>
        <translation>FP32、FP16、BF16 のファイル</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}; keeping it in {stored} takes more memory and restores nothing.</source>
        <translation>ベースモデルのファイルは {file} です。{stored} で保持するとメモリが増えるだけで、何も元に戻りません。</translation>
    </message>
    <message>
        <source>keep it as it is in the file</source>
        <translation>ファイルの型のまま保持する</translation>
    </message>
    <message>
        <source>A quantised VAE saves a little memory and makes every latent noisier.</source>
        <translation>量子化した VAE はメモリをわずかに節約しますが、すべての潜在変数のノイズが増えます。</translation>
    </message>
    <message>
        <source>BF16, or FP32 where there is no BF16</source>
        <translation>BF16、使えなければ FP32</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}; turning it into {stored} rounds every weight again.</source>
        <translation>ベースモデルのファイルは {file} です。{stored} に変換すると、すべての重みがもう一度丸められます。</translation>
    </message>
    <message>
        <source>Trained weights use 16-bit matmuls, because 8-bit codes are made once.</source>
        <translation>学習する重みは 16 ビットで掛けます。8 ビットのコードは一度しか作られないためです。</translation>
    </message>
    <message>
        <source>FP16 with loss scaling</source>
        <translation>FP16 と損失スケーリングを使います</translation>
    </message>
    <message>
        <source>FP32 for layers pinned to BF16 or decoded to it</source>
        <translation>BF16 に固定された部分と BF16 でデコードする部分に FP32 を使います</translation>
    </message>
    <message>
        <source>At this learning rate {percent}% of updates are lost: they are below half a step of {type} weights.</source>
        <translation>この学習率では更新の {percent}% が失われます。{type} の重みの刻みの半分より小さいためです。</translation>
    </message>
    <message>
        <source>v-prediction models are known to leave the range of FP16.</source>
        <translation>v 予測のモデルは FP16 の範囲を超えることが知られています。</translation>
    </message>
    <message>
        <source>accumulation over {batches} batches, whose sum is known after the last</source>
        <translation>{batches} バッチの勾配累積（和は最後のバッチの後にわかる）</translation>
    </message>
    <message>
        <source>clipping by the global norm, which is known after the whole backward pass (or set training.max_grad_norm to 0)</source>
        <translation>全体のノルムによるクリッピング（逆伝播がすべて終わってからわかる。training.max_grad_norm を 0 にしてもよい）</translation>
    </message>
    <message>
        <source>{parts}, which moves all weights at once</source>
        <translation>{parts}（すべての重みを一度に動かす）</translation>
    </message>
    <message>
        <source>LyCORIS reads it as trained</source>
        <translation>LyCORIS は学習したとおりに読みます</translation>
    </message>
    <message>
        <source>ComfyUI takes the base weight&apos;s norm and renders it differently</source>
        <translation>ComfyUI はベースの重みのノルムを使い、違う画像になります</translation>
    </message>
    <message>
        <source>ComfyUI reads it as trained</source>
        <translation>ComfyUI は学習したとおりに読みます</translation>
    </message>
    <message>
        <source>LyCORIS loads magnitudes per output only</source>
        <translation>LyCORIS が読み込めるのは出力ごとのマグニチュードだけです</translation>
    </message>
    <message>
        <source>diffusers drops the magnitudes</source>
        <translation>diffusers はマグニチュードを捨てます</translation>
    </message>
    <message>
        <source>ComfyUI and OneTrainer read it as trained</source>
        <translation>ComfyUI と OneTrainer は学習したとおりに読みます</translation>
    </message>
    <message>
        <source>PEFT reads it as trained, and diffusers too except for text encoders, whose magnitudes it drops</source>
        <translation>PEFT は学習時のとおりに読み込み、diffusers もテキストエンコーダー以外は同様ですが、テキストエンコーダーのマグニチュードは読み込みません</translation>
    </message>
    <message>
        <source>PEFT reads it as trained, and so does diffusers through PEFT</source>
        <translation>PEFT は学習したとおりに読み、PEFT を通して diffusers も同じです</translation>
    </message>
    <message>
        <source>programs that expect kohya names don&apos;t</source>
        <translation>kohya のキー名を前提とするプログラムは読めません</translation>
    </message>
    <message>
        <source>PEFT knows magnitudes per output only</source>
        <translation>PEFT は出力ごとのマグニチュードにしか対応しません</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} ほか {count} 件</translation>
    </message>
    <message>
        <source>Only a shuffle could move them.</source>
        <translation>並べ替えなければ、タグは動きません。</translation>
    </message>
    <message>
        <source>A bucket of the full area needs a side longer than the square's, which its limit forbids.</source>
        <translation>本来の面積を持つバケットには正方形より長い辺が必要ですが、その上限が許しません。</translation>
    </message>
    <message>
        <source>Captions aren't cached: their tags stand in another order in every epoch, so the text encoders stay in memory and each step encodes its own captions.</source>
        <translation>キャプションはキャッシュしません。タグの順序がエポックごとに変わるので、テキストエンコーダーはメモリに残り、各ステップが自分のキャプションをエンコードします。</translation>
    </message>
    <message>
        <source>data.cache latents, or data.shuffle_captions off</source>
        <translation>data.cache を latents にするか、data.shuffle_captions をオフにする</translation>
    </message>
    <message>
        <source>data.keep_tokens is {tokens}, but data.shuffle_captions is off: no tag moves.</source>
        <translation>data.keep_tokens は {tokens} ですが、data.shuffle_captions がオフなので、どのタグも動きません。</translation>
    </message>
    <message>
        <source>data.keep_tokens 0, or data.shuffle_captions on</source>
        <translation>data.keep_tokens を 0 にするか、data.shuffle_captions をオンにする</translation>
    </message>
    <message>
        <source>No bucket is longer than {max} px, so images that aren't square are trained on less than {resolution} x {resolution} px.</source>
        <translation>{max} px より長いバケットがないため、正方形でない画像は {resolution} x {resolution} px より小さく学習されます。</translation>
    </message>
    <message>
        <source>data.bucket_max twice the resolution</source>
        <translation>data.bucket_max を解像度の 2 倍にする</translation>
    </message>
    <message>
        <source>Both epochs and steps are set: one of them is silently ignored</source>
        <translation>エポック数とステップ数の両方の指定: 一方が黙って無視される</translation>
    </message>
    <message>
        <source>A run has one length, and steps depend on the images.</source>
        <translation>学習の長さは 1 つで、ステップ数は画像によって決まるためです。</translation>
    </message>
    <message>
        <source>Epochs count; the plan shows the steps that they make.</source>
        <translation>エポック数が使われ、何ステップになるかは計画に表示されます。</translation>
    </message>
    <message>
        <source>training.epochs is {epochs} and training.steps {steps}: the run lasts as long as the epochs, and the number of steps isn't used.</source>
        <translation>training.epochs は {epochs}、training.steps は {steps} です。学習の長さはエポック数で決まり、ステップ数は使われません。</translation>
    </message>
    <message>
        <source>training.epochs 0 to train by steps, or training.steps at its default</source>
        <translation>ステップ数で学習するなら training.epochs を 0 に、そうでなければ training.steps を既定値に</translation>
    </message>
    <message>
        <source>Augmentations with cached latents: they are silently off, or refused</source>
        <translation>latent をキャッシュするとデータ拡張が黙って無効になるか、拒否される</translation>
    </message>
    <message>
        <source>A cached latent is of one crop, angle and colour; others must be encoded as well.</source>
        <translation>キャッシュした latent は 1 通りの切り抜き、角度、色のものです。ほかのものもエンコードが必要です。</translation>
    </message>
    <message>
        <source>data.variants versions of each image are drawn, each encoded and cached; training goes through all of them in turn.</source>
        <translation>画像ごとに data.variants 個のバージョンをランダムに作り、それぞれエンコードしてキャッシュします。学習はそのすべてを順に使います。</translation>
    </message>
    <message>
        <source>data.variants is 1: each image is cropped, rotated or coloured once, and every epoch trains on that one version.</source>
        <translation>data.variants が 1 です。各画像は 1 回だけ切り抜き、回転、色の変更が行われ、どのエポックもその 1 つのバージョンで学習します。</translation>
    </message>
    <message>
        <source>data.variants 8</source>
        <translation>data.variants を 8 にする</translation>
    </message>
    <message>
        <source>Several versions of each image, and nothing that distinguishes them</source>
        <translation>画像ごとに複数のバージョンがあるのに、違いがない</translation>
    </message>
    <message>
        <source>Versions differ by crop jitter, rotation and colours only; all of these are 0.</source>
        <translation>バージョンの違いは切り抜きの揺らぎ、回転、色だけで、どれも 0 です。</translation>
    </message>
    <message>
        <source>Each image is encoded once.</source>
        <translation>各画像を 1 回ずつエンコードします。</translation>
    </message>
    <message>
        <source>data.variants is {versions}, but crop jitter, rotation, brightness, contrast, saturation and hue are all 0: every version would be the same image.</source>
        <translation>data.variants は {versions} ですが、切り抜きの揺らぎ、回転、明るさ、コントラスト、彩度、色相がすべて 0 なので、どのバージョンも同じ画像になります。</translation>
    </message>
    <message>
        <source>data.variants 1, or an amount above 0</source>
        <translation>data.variants を 1 にするか、いずれかの幅を 0 より大きくする</translation>
    </message>
    <message>
        <source>An encoding holds one order of the tags; another order must be encoded again.</source>
        <translation>エンコード結果が持つのはタグの 1 通りの順序だけで、別の順序にはエンコードのやり直しが必要です。</translation>
    </message>
    <message>
        <source>Codes of rows that are rotated in other groups are codes of other numbers.</source>
        <translation>異なるグループで回転した行のコードは、別の数値のコードです。</translation>
    </message>
    <message>
        <source>The base model&apos;s file holds {file}; keeping it in {stored} rounds every weight again.</source>
        <translation>ベースモデルのファイルは {file} です。{stored} で保持すると、すべての重みがもう一度丸められます。</translation>
    </message>
    <message>
        <source>BF16 weights, or FP32 where there is no BF16</source>
        <translation>BF16 の重み。BF16 がなければ FP32</translation>
    </message>
    <message>
        <source>Distillation made it reach a finished image in a few steps without guidance. The flow loss asks for the mean of all images that fit instead, and every step undoes some of the distillation.</source>
        <translation>蒸留されたモデルは、ガイダンスなしの数ステップで画像を完成させます。一方、フロー損失が求めるのは条件に合うすべての画像の平均なので、学習の 1 ステップごとに蒸留の効果が失われていきます。</translation>
    </message>
    <message>
        <source>The base model is {model}, a distilled one ({evidence}): training undoes its distillation, and a few steps no longer give sharp images.</source>
        <translation>ベースモデルは蒸留モデルの {model} です({evidence})。学習すると蒸留の効果が失われ、少ないステップ数では鮮明な画像にならなくなります。</translation>
    </message>
    <message>
        <source>add a training adapter made for it (--training-adapter), which keeps the distillation while training, or train on the model that it was distilled from; such adapters also load into the distilled one</source>
        <translation>そのモデル用の学習用補助アダプターを加える(--training-adapter。学習中に蒸留の効果を保つ)か、蒸留元のモデルで学習する(そのアダプターは蒸留モデルでも読み込める)</translation>
    </message>
    <message>
        <source>A scale that is quantised itself is rarely exactly zero, and NF4 has no code for NaN or infinity.</source>
        <translation>それ自体も量子化されたスケールはめったにちょうど 0 にならず、NF4 には NaN や無限大の符号がありません。</translation>
    </message>
    <message>
        <source>The norms of rows in NF4 differ from the original&apos;s by percents: with the original&apos;s magnitudes, step 0 is another model.</source>
        <translation>NF4 の行のノルムは元の重みと数パーセント違います。元の重みのマグニチュードを使うと、ステップ 0 で別のモデルになってしまいます。</translation>
    </message>
    <message>
        <source>The weights are decoded first, and the largest value of a block then differs.</source>
        <translation>重みが先に復号され、ブロックの最大値が変わってしまいます。</translation>
    </message>
    <message>
        <source>A mistyped path, a path of another model, layers that the targets leave out, or an earlier entry for the same layers.</source>
        <translation>パスの誤記、別のモデルのパス、対象外のレイヤー、または同じレイヤーに一致する前の項目が原因です。</translation>
    </message>
    <message>
        <source>The ranks of {pattern} count for no adapter of this model.</source>
        <translation>{pattern} のランクは、このモデルのどのアダプターにも使われません。</translation>
    </message>
    <message>
        <source>remove the entry, correct its path, or put it before the entry that covers it</source>
        <translation>その項目を削除するか、パスを直すか、それを覆う項目より前に置いてください</translation>
    </message>
    <message>
        <source>The rotation mixes neighbouring inputs of a layer; codes without it are other weights.</source>
        <translation>回転は層の隣り合う入力を混ぜ合わせます。回転なしでは、符号は別の重みになります。</translation>
    </message>
    <message>
        <source>BF16 compute, FP16 below sm_80</source>
        <translation>BF16 で計算、sm_80 より前では FP16</translation>
    </message>
    <message>
        <source>The base model&apos;s INT8 codes are rotated in other groups than can be kept; {stored} rounds every weight again.</source>
        <translation>ベースモデルの INT8 コードは、そのまま保持できないグループで回転されています。{stored} ではすべての重みがもう一度丸められます。</translation>
    </message>
    <message>
        <source>GGUF&apos;s K types are made by a search over scales, which converters do best.</source>
        <translation>GGUF の K 系の型はスケールを探索して作られ、それは変換ツールの仕事です。</translation>
    </message>
    <message>
        <source>The gguf type keeps the blocks of a GGUF file, and this part of the base model isn&apos;t in one.</source>
        <translation>gguf 型は GGUF ファイルのブロックを保持するものですが、ベースモデルのこの部分は GGUF ファイルではありません。</translation>
    </message>
    <message>
        <source>Trainers read the file&apos;s values, and hold them in 16 bits.</source>
        <translation>学習ツールはファイルの値を読み、16 ビットで保持します。</translation>
    </message>
    <message>
        <source>The scale of a block of zeros is zero, and E2M1 has no code for NaN or infinity.</source>
        <translation>すべてゼロのブロックのスケールはゼロで、E2M1 には NaN や無限大のコードがありません。</translation>
    </message>
    <message>
        <source>ComfyUI stores scales in the tiles of 128 x 4 that tensor cores read.</source>
        <translation>ComfyUI は、Tensor コアが読む 128 x 4 のタイルの順でスケールを保存します。</translation>
    </message>
    <message>
        <source>The rate of each value begins at the learning rate and moves by 1e-6 a step, whatever it is.</source>
        <translation>各値の学習率は設定した学習率から始まり、その大きさにかかわらず 1 ステップに 1e-6 ずつ動きます。</translation>
    </message>
    <message>
        <source>Automagic&apos;s rates begin at the learning rate, usually 1e-6, and move by 1e-6 a step: from {rate}, they need {steps} steps to fall.</source>
        <translation>Automagic の学習率は設定した学習率（通常は 1e-6）から始まり、1 ステップに 1e-6 ずつ動きます。{rate} からでは、下がるのに {steps} ステップかかります。</translation>
    </message>
    <message>
        <source>learning rate 1e-6</source>
        <translation>学習率を 1e-6 にする</translation>
    </message>
</context>
</TS>
