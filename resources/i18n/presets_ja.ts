<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name>presets</name>
    <message>
        <source>Demo</source>
        <translation>デモ</translation>
    </message>
    <message>
        <source>Teaches the mini base model a little creature in a two-ink print look; minutes on two cores.</source>
        <translation>ミニベースモデルに、2 色刷り版画風の小さな生き物を学習させます。2 コアの CPU で数分です。</translation>
    </message>
    <message>
        <source>Demo: Z-Image</source>
        <translation>デモ: Z-Image</translation>
    </message>
    <message>
        <source>Teaches the mini Z-Image, a flow transformer, the demo's little creature and its two-ink print look; minutes on two cores.</source>
        <translation>フロー型トランスフォーマーのミニ Z-Image に、デモの小さな生き物と 2 色刷り版画風を学習させます。2 コアの CPU で数分です。</translation>
    </message>
    <message>
        <source>PixArt LoRA</source>
        <translation>PixArt LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of PixArt-alpha or PixArt-Sigma at 1024 px, in bf16 with fp32 adapters, written in diffusers&apos; naming. For a person, an object or a style.</source>
        <translation>PixArt-alpha または PixArt-Sigma の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、diffusers の命名で保存します。人物、物、画風に向いています。</translation>
    </message>
    <message>
        <source>SDXL character</source>
        <translation>SDXL キャラクター</translation>
    </message>
    <message>
        <source>For one person or figure, from 15 to 40 images: a moderate rank and no mirrored images, so that the face keeps its sides. Name the figure by a rare word in every caption.</source>
        <translation>1 人の人物またはキャラクター向け、画像は 15～40 枚です。ランクは中程度で、顔の左右が入れ替わらないよう左右反転はしません。すべてのキャプションで、そのキャラクターを珍しい単語で呼んでください。</translation>
    </message>
    <message>
        <source>SDXL concept</source>
        <translation>SDXL コンセプト</translation>
    </message>
    <message>
        <source>For an object, a garment, a pose or another idea, from 10 to 30 images: a low rank that learns little besides, and mirrored images to see more of it.</source>
        <translation>物、服、ポーズなどのコンセプト向け、画像は 10～30 枚です。余計なものを覚えにくい低いランクを使い、左右反転した画像でサンプルを増やします。</translation>
    </message>
    <message>
        <source>SDXL DoRA</source>
        <translation>SDXL DoRA</translation>
    </message>
    <message>
        <source>A DoRA of attention and feed-forward layers in bf16: learns direction and magnitude apart, often closer to full fine-tuning at a low rank. Needs about 7 GB and a slower step than a LoRA.</source>
        <translation>アテンション層とフィードフォワード層を bf16 で学習する DoRA です。方向とマグニチュードを別々に学習するため、低いランクでもフルファインチューニングに近い結果になりやすくなります。約 7 GB が必要で、1 ステップは LoRA より遅くなります。</translation>
    </message>
    <message>
        <source>SDXL LoRA on 12 GB</source>
        <translation>SDXL LoRA（VRAM 12 GB）</translation>
    </message>
    <message>
        <source>The same preset for a card with 12 GB: activations are kept, so each step takes about a quarter less time. Needs about 10 GB.</source>
        <translation>同じプリセットの VRAM 12 GB 版です。アクティベーションを保持するため、1 ステップの時間が約 4 分の 1 短くなります。約 10 GB が必要です。</translation>
    </message>
    <message>
        <source>SDXL LoRA on 24 GB</source>
        <translation>SDXL LoRA（VRAM 24 GB）</translation>
    </message>
    <message>
        <source>For a card with 24 GB: attention and feed-forward layers at rank 32, two images a step. Steadier gradients and more room to learn. Needs about 18 GB.</source>
        <translation>VRAM 24 GB 向けです。アテンション層とフィードフォワード層をランク 32、1 ステップ 2 枚で学習します。勾配が安定し、学習できる容量も増えます。約 18 GB が必要です。</translation>
    </message>
    <message>
        <source>SDXL LoRA, small and quick</source>
        <translation>SDXL LoRA（小型・高速）</translation>
    </message>
    <message>
        <source>768 px and rank 8: about half the time of the full preset and a little less memory, to try a data set out before the long run.</source>
        <translation>768 px、ランク 8 です。通常のプリセットの約半分の時間で、VRAM も少し減ります。長い学習の前にデータセットを試すのに向いています。</translation>
    </message>
    <message>
        <source>SDXL LoRA on 8 GB</source>
        <translation>SDXL LoRA（VRAM 8 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers at 1024 px on a card with 8 GB: bf16 throughout, activations recomputed. Needs about 6 GB; works for a person, an object or a style.</source>
        <translation>VRAM 8 GB のカードで、UNet のアテンション層を 1024 px で学習する LoRA です。すべて bf16 で、アクティベーションは再計算します。約 6 GB が必要です。人物、物、画風に使えます。</translation>
    </message>
    <message>
        <source>SDXL LoRA with convolutions</source>
        <translation>SDXL LoRA（畳み込み層を含む）</translation>
    </message>
    <message>
        <source>Adapters on attention, feed-forward and convolution layers, for styles that live in texture and fine detail. Slower and larger than the plain LoRA.</source>
        <translation>アテンション層、フィードフォワード層、畳み込み層にアダプターを付けます。質感や細部に特徴がある画風に向いています。通常の LoRA より遅く、ファイルも大きくなります。</translation>
    </message>
    <message>
        <source>SDXL LoRA with FP8 weights</source>
        <translation>SDXL LoRA（FP8 の重み）</translation>
    </message>
    <message>
        <source>The frozen UNet is kept in FP8 with one scale per channel, which leaves half of bf16&apos;s memory: about 3.5 GB in all, for cards with 6 GB. The adapter and all sums stay in fp32.</source>
        <translation>凍結した UNet を、チャンネルごとに 1 つのスケールを持つ FP8 で保持します。メモリは bf16 の半分、全体で約 3.5 GB となり、VRAM 6 GB のカードに向いています。アダプターとすべての累積は fp32 のままです。</translation>
    </message>
    <message>
        <source>SDXL LoRA with text encoders</source>
        <translation>SDXL LoRA（テキストエンコーダーを含む）</translation>
    </message>
    <message>
        <source>Also trains both text encoders, at a tenth of the UNet&apos;s learning rate, so that new trigger words are learned sooner. For a person or an object with a name of its own.</source>
        <translation>2 つのテキストエンコーダーも UNet の 10 分の 1 の学習率で学習し、新しいトリガーワードを早く覚えさせます。固有の名前を持つ人物や物に向いています。</translation>
    </message>
    <message>
        <source>SDXL LoRA</source>
        <translation>SDXL LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers at 1024 px in fp32: exact, for CPU and for any card with enough memory. A good start for a person, an object or a style.</source>
        <translation>UNet のアテンション層を 1024 px、fp32 で学習する LoRA です。正確で、CPU でも、VRAM が足りるどのカードでも使えます。人物、物、画風の学習の出発点に向いています。</translation>
    </message>
    <message>
        <source>SDXL style</source>
        <translation>SDXL 画風</translation>
    </message>
    <message>
        <source>For a manner of drawing, painting or photographing, from 50 images or more: rank 32 on attention and feed-forward layers, captions dropped now and then so that the style also comes without its trigger words.</source>
        <translation>絵や写真の画風向け、画像は 50 枚以上です。アテンション層とフィードフォワード層をランク 32 で学習し、トリガーワードなしでも画風が出るよう、ときどきキャプションを省きます。</translation>
    </message>
    <message>
        <source>Z-Image LoRA</source>
        <translation>Z-Image LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Z-Image at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI reads. For a person, an object or a style. Train on the base model, not on Turbo.</source>
        <translation>Z-Image の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、ComfyUI が読み込める命名で保存します。人物、物、画風に向いています。Turbo ではなくベース版のモデルで学習してください。</translation>
    </message>
    <message>
        <source>Z-Image LoRA on 12 GB</source>
        <translation>Z-Image LoRA（VRAM 12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 12 GB. Needs about 9 GB; with less, the weights that don&apos;t fit stay in host memory.</source>
        <translation>同じプリセットの VRAM 12 GB 版です。ベースモデルはチャンネルごとのスケール付き FP8 で保存し、bf16 で計算します。約 9 GB が必要で、それより少ない場合は収まらない重みをメインメモリに置きます。</translation>
    </message>
    <message>
        <source>FLUX.2 klein LoRA</source>
        <translation>FLUX.2 klein LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of FLUX.2 klein at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Train on a base model: those without &quot;base&quot; in their names are distilled.</source>
        <translation>FLUX.2 klein の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、ComfyUI と diffusers が読み込める命名で保存します。人物、物、画風に向いています。ベース版で学習してください。名前に「base」が付かないモデルは蒸留版です。</translation>
    </message>
    <message>
        <source>FLUX.2 klein LoRA on 8 GB</source>
        <translation>FLUX.2 klein LoRA（VRAM 8 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 8 GB. The 4B model needs about 6 GB; with less, the weights that don&apos;t fit stay in host memory.</source>
        <translation>同じプリセットの VRAM 8 GB 版です。ベースモデルはチャンネルごとのスケール付き FP8 で保存し、bf16 で計算します。4B モデルには約 6 GB が必要で、それより少ない場合は収まらない重みをメインメモリに置きます。</translation>
    </message>
    <message>
        <source>Anima LoRA</source>
        <translation>Anima LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention and feed-forward layers of Anima at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI reads. For a character, an artist&apos;s style or a concept. Text encoder and text conditioner stay as they are.</source>
        <translation>Anima の Transformer のアテンション層とフィードフォワード層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、ComfyUI が読み込める命名で保存します。キャラクター、作家の画風、コンセプトに向いています。テキストエンコーダーとテキストコンディショナーは学習しません。</translation>
    </message>
    <message>
        <source>Krea 2 LoRA</source>
        <translation>Krea 2 LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Krea 2 Raw at 1024 px, in bf16 with fp8 weights and fp32 adapters, written in the naming that ComfyUI reads. For a person, an object or a style. Train on Raw, not on a distilled model.</source>
        <translation>Krea 2 Raw の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、重みは fp8、アダプターは fp32 で、ComfyUI が読み込める命名で保存します。人物、物、画風に向いています。蒸留版ではなく Raw で学習してください。</translation>
    </message>
    <message>
        <source>SD 1.5 LoRA</source>
        <translation>SD 1.5 LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers of Stable Diffusion 1.5, or of a model made from it, at 512 px in bf16 with fp32 adapters. For a person, an object or a style, on small cards too.</source>
        <translation>Stable Diffusion 1.5 またはその派生モデルの UNet のアテンション層を 512 px で学習する LoRA です。計算は bf16、アダプターは fp32 です。人物、物、画風に向き、メモリの少ないカードでも使えます。</translation>
    </message>
    <message>
        <source>SD 2.1 LoRA</source>
        <translation>SD 2.1 LoRA</translation>
    </message>
    <message>
        <source>A LoRA of the UNet&apos;s attention layers of Stable Diffusion 2.0 or 2.1 at 768 px, in bf16 with fp32 adapters. The 768 px models predict v; for a base model of 512 px choose epsilon and that resolution.</source>
        <translation>Stable Diffusion 2.0 / 2.1 の UNet のアテンション層を 768 px で学習する LoRA です。計算は bf16、アダプターは fp32 です。768 px のモデルは v を予測します。512 px のベースモデルでは epsilon とその解像度を選んでください。</translation>
    </message>
    <message>
        <source>SDXL LoRA with NF4 weights</source>
        <translation>SDXL LoRA（NF4 の重み）</translation>
    </message>
    <message>
        <source>The frozen UNet is kept in NF4, as in QLoRA, with doubly quantised scales, and the optimizer&apos;s state in 8 bits: about 2.2 GB in all, for cards with 4 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>凍結した UNet を、QLoRA と同じくスケールを二重に量子化した NF4 で保持し、オプティマイザーの状態は 8 ビットにします。全体で約 2.2 GB となり、VRAM 4 GB のカードに向いています。重みの精度低下は FP8 より大きく、使うたびに復号します。</translation>
    </message>
    <message>
        <source>FLUX.2 klein LoRA on 6 GB</source>
        <translation>FLUX.2 klein LoRA（6 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 6 GB. The 4B model needs about 4.2 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同じ設定で、ベースモデルを QLoRA のように NF4 で保持し、bf16 で計算します。6 GB のカード向けです。4B モデルでは約 4.2 GB 必要です。重みの損失は FP8 より大きく、使うたびに復号します。</translation>
    </message>
    <message>
        <source>Z-Image LoRA on 8 GB</source>
        <translation>Z-Image LoRA（8 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 8 GB. Needs about 5.7 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同じ設定で、ベースモデルを QLoRA のように NF4 で保持し、bf16 で計算します。8 GB のカード向けです。約 5.7 GB 必要です。重みの損失は FP8 より大きく、使うたびに復号します。</translation>
    </message>
    <message>
        <source>Krea 2 LoRA on 12 GB</source>
        <translation>Krea 2 LoRA（12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA: for a card with 12 GB. Needs about 10.5 GB; with less, the weights that don&apos;t fit stay in host memory. Train on Raw, not on a distilled model.</source>
        <translation>同じ設定で、ベースモデルを QLoRA のように NF4 で保持します。12 GB のカード向けです。約 10.5 GB 必要で、それより少ない場合、入らない重みはホストメモリに残ります。蒸留版ではなく Raw で学習してください。</translation>
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
        <translation>デノイザーの線形層を、ComfyUI の INT8 ファイルのように回転した INT8 で保持して掛け、それ以外は bf16 で計算します。INT8 の積が 16 ビットより速く、FP8 を持たない RTX 30 シリーズ向けです。アダプターとすべての総和は fp32 のままです。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 24 GB</source>
        <translation>FLUX.3 klein LoRA（24 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of FLUX.3 Image klein Base at 1024 px, in bf16 with fp32 adapters, written in its authors&apos; naming. For a person, an object or a style. Train on Base: a distilled model loses its few steps.</source>
        <translation>FLUX.3 Image klein Base の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、作者の命名で保存します。人物、物、画風に向きます。Base で学習してください。蒸留モデルは少ないステップで生成できなくなります。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 16 GB</source>
        <translation>FLUX.3 klein LoRA（16 GB）</translation>
    </message>
    <message>
        <source>The same with the text encoder stored in FP8 with a scale per channel and 8-bit optimizer states: for a card with 16 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同じ設定で、テキストエンコーダーをチャンネルごとのスケール付き FP8 で保持し、オプティマイザーの状態を 8 ビットにします。16 GB のカード向けです。入らない重みはホストメモリに残ります。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 12 GB</source>
        <translation>FLUX.3 klein LoRA（12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 12 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同じ設定で、ベースモデルをチャンネルごとのスケール付き FP8 で保持し、bf16 で計算します。12 GB のカード向けです。入らない重みはホストメモリに残ります。</translation>
    </message>
    <message>
        <source>FLUX.3 klein LoRA on 8 GB</source>
        <translation>FLUX.3 klein LoRA（8 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 8 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同じ設定で、ベースモデルを QLoRA のように NF4 で保持し、bf16 で計算します。8 GB のカード向けです。重みの損失は FP8 より大きく、使うたびに復号します。</translation>
    </message>
    <message>
        <source>Qwen-Image-2.1 LoRA on 24 GB</source>
        <translation>Qwen-Image-2.1 LoRA（24 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Qwen-Image-2.1 at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Every Qwen-Image-2.1 is distilled: a training adapter made for it keeps images sharp.</source>
        <translation>Qwen-Image-2.1 の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、ComfyUI と diffusers が読み込める命名で保存します。人物、物、画風に向きます。Qwen-Image-2.1 はすべて蒸留モデルです。専用の学習用補助アダプターを使うと画像の鮮明さが保たれます。</translation>
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
        <translation>FLUX.1 の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、ComfyUI と diffusers が読み込める命名で保存します。人物、物、画風に向きます。dev またはその系統のモデルで学習してください。schnell は少ないステップで生成できなくなります。</translation>
    </message>
    <message>
        <source>FLUX.1 LoRA on 16 GB</source>
        <translation>FLUX.1 LoRA（16 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in FP8 with a scale per channel and computed in bf16: for a card with 16 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同じ設定で、ベースモデルをチャンネルごとのスケール付き FP8 で保持し、bf16 で計算します。16 GB のカード向けです。入らない重みはホストメモリに残ります。</translation>
    </message>
    <message>
        <source>FLUX.1 LoRA on 12 GB</source>
        <translation>FLUX.1 LoRA（12 GB）</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 12 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同じ設定で、ベースモデルを QLoRA のように NF4 で保持し、bf16 で計算します。12 GB のカード向けです。重みの損失は FP8 より大きく、使うたびに復号します。</translation>
    </message>
    <message>
        <source>Chroma LoRA on 24 GB</source>
        <translation>Chroma LoRA（24 GB）</translation>
    </message>
    <message>
        <source>A LoRA of the transformer&apos;s attention layers of Chroma at 1024 px, in bf16 with fp32 adapters, written in the naming that ComfyUI and diffusers read. For a person, an object or a style. Noise levels are drawn without a shift, as its authors did. Train on HD or Base: Flash loses its few steps.</source>
        <translation>Chroma の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、ComfyUI と diffusers が読み込める命名で保存します。人物、物、画風に向きます。ノイズレベルは作者の学習と同じく shift なしで選びます。HD または Base で学習してください。Flash は少ないステップで生成できなくなります。</translation>
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
        <translation>同じ設定で、ベースモデルをチャンネルごとのスケール付き FP8 で保持し、オプティマイザーの状態を 8 ビットにします。12 GB のカード向けです。入らない重みはホストメモリに残ります。</translation>
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
        <translation>Qwen-Image または Qwen-Image-2512 の Transformer のアテンション層を 1024 px で学習する LoRA です。ベースモデルはチャンネルごとのスケール付き FP8 で保持して bf16 で計算し、アダプターは fp32 です。ComfyUI と diffusers が読み込める命名で保存します。人物、物、画風に向きます。入らない重みはホストメモリに残ります。</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4, as in QLoRA, and computed in bf16: for a card with 16 GB. Weights lose more than in FP8, and are decoded whenever they are used.</source>
        <translation>同じ設定で、ベースモデルを QLoRA のように NF4 で保持し、bf16 で計算します。16 GB のカード向けです。重みの損失は FP8 より大きく、使うたびに復号します。</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4 and 8-bit optimizer states: for a card with 12 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同じ設定で、ベースモデルを NF4 で保持し、オプティマイザーの状態を 8 ビットにします。12 GB のカード向けです。入らない重みはホストメモリに残ります。</translation>
    </message>
    <message>
        <source>The same with the base model stored in NF4 and 8-bit optimizer states: for a card with 8 GB. Weights that don&apos;t fit stay in host memory.</source>
        <translation>同じ設定で、ベースモデルを NF4 で保持し、オプティマイザーの状態を 8 ビットにします。8 GB のカード向けです。入らない重みはホストメモリに残ります。</translation>
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
        <translation>ERNIE-Image の Transformer のアテンション層を 1024 px で学習する LoRA です。計算は bf16、アダプターは fp32 で、ComfyUI が読み込める命名で保存します。人物、物、画風に向きます。ベースモデルで学習してください。Turbo は蒸留モデルで、少ないステップで生成できなくなります。</translation>
    </message>
</context>
</TS>
