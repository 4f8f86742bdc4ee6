#include "tests/gui/EngineTextTest.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTranslator>
#include <QtTest>
#include <set>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/data/image_scan.h"
#include "engine/io/image.h"
#include "engine/io/preset_file.h"
#include "engine/io/weights.h"
#include "engine/precision/catalogue.h"
#include "engine/precision/plan.h"
#include "engine/precision/run_findings.h"
#include "engine/preset/import.h"
#include "engine/preset/preset_io.h"
#include "engine/run/checkpoint.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/precision/FixText.h"

namespace mantissa::gui {
namespace {

/// The window in a language, during its lifetime.
class Speaking {
 public:
  explicit Speaking(const QString& language) {
    if (words_.load(QLocale(language), QStringLiteral("mantissa"), QStringLiteral("_"),
                    path_text(find_resource("i18n").value()))) {
      QCoreApplication::installTranslator(&words_);
    }
  }
  ~Speaking() { QCoreApplication::removeTranslator(&words_); }

 private:
  QTranslator words_;
};

void load_languages() {
  QTest::addColumn<QString>("language");
  QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
  QTest::newRow("ja") << QStringLiteral("ja");
}

bool is_translated(const QString& text) {
  static const QRegularExpression han(QStringLiteral("[\\x{3040}-\\x{30ff}\\x{4e00}-\\x{9fff}]"));
  return han.match(text).hasMatch();
}

/// The template with a distinct value for every name.
Message with_values(std::string_view text) {
  std::vector<Message> values;
  for (const std::string_view name : place_names(text)) {
    values.push_back(Message::verbatim("<" + std::string(name) + ">"));
  }
  return Message(std::string(text), std::move(values));
}

/// Consecutive English words: untranslated text. Names of programs and types occur alone, commands
/// between `` or with their options.
bool has_english(QString text) {
  static const QRegularExpression command(QStringLiteral("`[^`]*`|--[a-z-]+ [a-z]+"));
  static const QRegularExpression words(QStringLiteral("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
  return words.match(text.remove(command)).hasMatch();
}

}  // namespace

void EngineTextTest::every_template_keeps_its_values_data() {
  load_languages();
}

/// All messages of the engine: without English remains, and with each value in place.
void EngineTextTest::every_template_keeps_its_values() {
  QFETCH(QString, language);
  const Speaking speaking(language);
  std::vector<std::string_view> templates;
  for (const MessageTemplate* t = message_templates(); t != nullptr; t = t->next) {
    templates.emplace_back(t->text);
  }
  QVERIFY(templates.size() > 400);
  for (const CatalogueEntry& entry : catalogue()) {
    for (const std::string_view text : {entry.message, entry.refusal, entry.fix}) {
      templates.push_back(text);
    }
  }
  for (const std::string_view text : templates) {
    const QString said = message_text(with_values(text));
    QVERIFY2(!has_english(said), qPrintable(to_qstring(text) + " -> " + said));
    for (const std::string_view name : place_names(text)) {
      QVERIFY2(said.contains(QStringLiteral("<%1>").arg(to_qstring(name))), qPrintable(said));
    }
  }
}

void EngineTextTest::findings_of_presets_are_translated_data() {
  load_languages();
}

/// Presets with every conflict: no placeholder of a condition is left.
void EngineTextTest::findings_of_presets_are_translated() {
  QFETCH(QString, language);
  const Speaking speaking(language);
  QSet<QString> ids;
  std::vector<Preset> presets;
  for (int i = 0; i < 4096; i += 11) {
    Preset p;
    p.precision.compute = static_cast<ComputeType>(i % 7);
    p.precision.adapter = static_cast<MasterType>(i / 5 % 3);
    p.precision.weights.denoiser = static_cast<StorageType>(i / 7 % 6);
    p.adapter.type = static_cast<AdapterType>(i / 2 % 4);
    p.adapter.init = i / 23 % 3 == 0 ? AdapterInit::pissa : AdapterInit::standard;
    p.adapter.dora_axis = i / 3 % 2 != 0 ? DoraAxis::output : DoraAxis::input;
    p.adapter.decompose = i / 29 % 2 == 0;
    p.output.format = static_cast<OutputFormat>(i / 11 % 4);
    p.optimizer.type = kOptimizers[static_cast<std::size_t>(i) / 13 % kOptimizers.size()].type;
    p.optimizer.fused_back_pass = i / 4 % 3 == 0;
    p.optimizer.learning_rate = i / 17 % 3 == 0 ? 1.0 : i / 17 % 3 == 1 ? 1e-4 : 1e-9;
    p.training.gradient_accumulation = 1 + i / 6 % 2;
    p.training.prediction = i / 19 % 2 != 0 ? Prediction::v : Prediction::epsilon;
    presets.push_back(p);
  }
  for (const int capability : {0, 75}) {
    for (const Preset& preset : presets) {
      DeviceFacts device;
      device.compute_capability = capability;
      device.name = "a card";
      for (const PrecisionFinding& f : make_precision_plan(preset, {}, device).findings) {
        if (f.verdict == Verdict::works) {
          continue;
        }
        ids.insert(to_qstring(f.id));
        const QString said = message_text(f.message);
        QVERIFY2(is_translated(said) && !has_english(said), qPrintable(said));
      }
    }
  }
  for (const char* id : {"B11", "D3", "H1", "N9"}) {
    QVERIFY2(ids.contains(QLatin1String(id)), id);
  }
}

void EngineTextTest::lines_are_translated() {
  const Speaking speaking(QStringLiteral("zh_CN"));
  QCOMPARE(message_text(message<"step {step}: non-finite gradients, step skipped">(12)),
           QStringLiteral("第 12 步：梯度不是有限值，跳过该步"));
  const Preset preset;
  const std::vector<std::string> files{"a.png"};
  const Message stopped = message<"{message}. Last good checkpoint: {file}">(
      message<"{finding}. {weights}">(finding_text(non_finite_loss(preset, 7, files)),
                                      message<"The weights are as they were before this step">()),
      "/r/c");
  const QString said = message_text(stopped);
  QVERIFY2(said.startsWith(QStringLiteral("S14：")) && said.contains(QStringLiteral("a.png")) &&
               said.contains(QStringLiteral("/r/c")) && !has_english(said),
           qPrintable(said));
  const std::vector<std::string> layers{"a", "b", "c", "d", "e"};
  const QString rows = message_text(finding_text(empty_rows(preset, 3, layers)));
  QVERIFY2(rows.contains(QStringLiteral("(a, b, c 及另外 2 个)")), qPrintable(rows));
  const QString nowhere = message_text(finding_text(endless_overflow(preset, 9, "")));
  QVERIFY2(nowhere.contains(QStringLiteral("未知")), qPrintable(nowhere));
  // Characters that would hide or reorder text are escaped in every value.
  QVERIFY(!message_text(message<"{message}. Last good checkpoint: {file}">("a\u202eb", "/c"))
               .contains(QChar(0x202e)));
}

void EngineTextTest::english_stays_as_it_is() {
  QCOMPARE(precision_text("fp8_e4m3 / bf16"), QStringLiteral("FP8 E4M3 / BF16"));
  for (const Message& line : {message<"step {step}: non-finite gradients, step skipped">(12),
                              Message::verbatim("something nobody has a template for: {x}"),
                              finding_text(endless_overflow(Preset{}, 9, "unet.mid")), Message{}}) {
    QCOMPARE(message_text(line), to_qstring(line.text()));
  }
}

void EngineTextTest::imports_speak_data() {
  load_languages();
}

/// Real imports: each note shown by the dialog, with any values.
void EngineTextTest::imports_speak() {
  QFETCH(QString, language);
  const Speaking speaking(language);
  const char* kohya = R"(pretrained_model_name_or_path = "/models/a.safetensors"
network_module = "networks.lora"
network_dim = 0
network_alpha = "many"
network_args = ["conv_dim=8", "block_dims=1,2", "use_tucker=True"]
optimizer_type = "PagedAdamW8bit"
lr_scheduler = "piecewise"
resolution = "1024,768"
max_train_epochs = 10
max_train_steps = 1000
train_batch_size = 100000
mixed_precision = "int3"
caption_separator = "|"
multires_noise_iterations = 6
wandb_api_key = "secret"
xformers = true
noise_offset = -3
nobody_knows_this = 1
)";
  const char* onetrainer = R"({"training_method": "LORA", "model_type": "FLUX_2",
    "peft_type": "LOHA", "learning_rate_scheduler": "CUSTOM", "learning_rate": 5,
    "optimizer": {"optimizer": "RMSPROP", "beta1": 0.9}, "resolution": "512,768",
    "train_dtype": "INT_4", "weight_dtype": "NFLOAT_4", "output_dtype": "FLOAT_64",
    "save_every": 1, "save_every_unit": "EPOCH", "batch_size": -1, "epochs": 7,
    "loss_weight_fn": "P2", "ema": "GPU", "workspace_dir": "/tmp/w", "made_up": [1]})";
  const char* musubi = R"(dit = "/m/d.safetensors"
network_module = "networks.lora_zimage"
network_args = ["exclude_patterns=['a']", "verbose=True"]
fp8_base = true
fp8_scaled = true
fp8_llm = true
timestep_sampling = "logsnr"
num_timestep_buckets = 4
guidance_scale = 1.0
dit_dtype = "int3"
target_frames = [1]
compile = true
save_model_as = "ckpt"
nobody_knows_this = 1
)";
  const char* ai_toolkit = R"(job: extension
config:
  name: a/b
  process:
    - model: {arch: zimage, quantize: true, qtype: uint3, low_vram: true, model_kwargs: {a: 1}}
      network: {type: lokr, linear: 0, conv: 4, lokr_factor: 3, lorm: {a: 1}}
      trigger_word: abc
      datasets:
        - {folder_path: /a, resolution: [512, 768], scale: 2, controls: [depth], mystery: 1}
      train:
        {train_text_encoder: true, noise_scheduler: flowmatch, timestep_type: weighted,
         linear_timesteps2: true, optimizer: automagic, lr_scheduler: step, noise_multiplier: 2,
         content_or_style: style, do_guidance_loss: true, guidance_loss_target: 3,
         validation_config: {validate_every_n_steps: 5}}
      save: {save_format: diffusers, push_to_hub: true}
      sample: {walk_seed: true, sampler: ddim, network_multiplier: 0.5}
)";
  const char* simpletuner = R"({"model_family": "flux2", "model_flavour": "klein-4b",
    "lora_type": "lycoris", "lora_init_type": "olora", "base_model_precision": "int4-quanto",
    "gradient_precision": "unmodified", "resolution": 1.5, "resolution_type": "area",
    "max_grad_norm": 0.1, "offset_noise": true, "noise_offset": 0.05, "train_text_encoder": true,
    "flow_schedule_auto_shift": true, "optimizer": "adamw_bf16", "lr_end": 1e-6,
    "data_backend_config": "a.json", "quantize_activations": true, "crepa_enabled": true,
    "validation_multigpu": "x", "minimum_image_size": 5, "model_card_note": "x",
    "disk_low_action": "stop", "delete_nsfw_images": true, "made_up": 1})";
  const char* diffusion_pipe = R"(dataset = "d.toml"
epochs = 9
max_steps = 100
micro_batch_size_per_gpu = [[512, 2], [1024, 1]]
gradient_accumulation_steps = 2
lr_scheduler = "cosine"
save_every_n_examples = 100
smooth_l1_beta = 0.5
blocks_to_swap = 4
made_up = 1
[model]
type = "anima"
dtype = "bfloat16"
mod_lr = 1e-6
shift = 3
sigmoid_scale = 2.0
multiscale_loss_weight = 0.5
[adapter]
type = "lokr"
rank = 1e6
alpha = 1
rank_dropout = 0.5
[optimizer]
type = "adamw"
lr = 1e-4
gradient_release = true
some_argument = 1
)";
  std::set<std::string> fates;
  for (const char* text : {kohya, onetrainer, musubi, ai_toolkit, simpletuner, diffusion_pipe}) {
    const ImportResult result = import_preset_text(text, "a file");
    QVERIFY(result.rows.size() > 15);
    for (const ImportRow& row : result.rows) {
      fates.emplace(import_fate_name(row.fate));
      const QString said = message_text(row.note);
      QVERIFY2(row.note.empty() || (is_translated(said) && !has_english(said)),
               qPrintable(to_qstring(row.source + " | " + row.note.text() + " -> ") + said));
    }
  }
  QCOMPARE(fates.size(), std::size_t{5});
  try {
    parse_preset(R"({"mantissa_preset": 1, "adapter": {"rank": 0, "rnak": 4},
      "output": {"name": "a/b"}, "training": {"steps": "many"}, "data": {"buckets": 3}})",
                 "text");
    QFAIL("a broken preset was read");
  } catch (const Error& e) {
    const QStringList lines = message_text(e.message()).split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 5);
    for (const QString& line : lines) {
      QVERIFY2(
          line.startsWith(QStringLiteral("text:")) && is_translated(line) && !has_english(line),
          qPrintable(line));
    }
  }
}

void EngineTextTest::errors_speak_data() {
  load_languages();
}

/// Common error messages, as written by the engine.
void EngineTextTest::errors_speak() {
  QFETCH(QString, language);
  const Speaking speaking(language);
  const ImageLibrary images;
  const QTemporaryDir folder;
  const auto file = [&](const char* name, const QByteArray& bytes) {
    const QString path = folder.filePath(QLatin1String(name));
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) {
      qFatal("can't write a file of the test");
    }
    return to_path(path);
  };
  const QByteArray header = R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";
  QByteArray cut(8, '\0');
  cut[0] = static_cast<char>(header.size());
  cut += header;
  const std::filesystem::path empty = to_path(folder.filePath(QStringLiteral("none")));
  QDir().mkpath(path_text(empty));
  file("none/a.png", "");
  const std::filesystem::path bases[] = {empty / "missing",
                                         file("half.safetensors", cut),
                                         file("other.safetensors", cut + QByteArray(16, '\0')),
                                         file("page.safetensors", "<!DOCTYPE html><html></html>"),
                                         file("old.ckpt", "PK\x03\x04 and more of it"),
                                         file("lfs.safetensors", "version https://git-lfs.github"),
                                         empty};
  QStringList said;
  const auto hear = [&](auto work) {
    try {
      work();
      QFAIL("nothing was refused");
    } catch (const std::exception& e) {
      said << message_text(message_of(e));
      QVERIFY2(is_translated(said.last()) && !has_english(said.last()),
               qPrintable(QString::fromUtf8(e.what()) + QLatin1String(" -> ") + said.last()));
    }
  };
  for (const std::filesystem::path& base : bases) {
    hear([&] { WeightSource::open(base); });
  }
  hear([&] { import_preset_file(empty); });
  hear([&] { import_preset_file(empty / "missing.json"); });
  hear([&] { import_preset_text("a = 1", "a.toml"); });
  hear([&] { import_preset_text("a: *b", "a.yaml"); });
  hear([&] { import_preset_text("a: !b c", "a.yaml"); });
  hear([&] { import_preset_text(R"({"model_family": "wan"})", "a.json"); });
  hear([&] { import_preset_metadata({{"modelspec.title", "a"}}, "a.safetensors"); });
  hear([&] { scan_images(std::vector{empty}, {}); });
  hear([&] { scan_images(std::vector{empty / "missing"}, {}); });
  hear([&] { throw Error(verify_checkpoint(empty)); });
  QCOMPARE(QSet<QString>(said.begin(), said.end()).size(), said.size());
  for (const std::errc code :
       {std::errc::no_such_file_or_directory, std::errc::permission_denied,
        std::errc::no_space_on_device, std::errc::is_a_directory, std::errc::not_a_directory,
        std::errc::read_only_file_system, std::errc::io_error, std::errc::filename_too_long}) {
    QVERIFY(is_translated(message_text(system_message(std::make_error_code(code)))));
  }
}

void EngineTextTest::errors_begin_as_sentences_do() {
  const auto begins = [](const char* error, const char* shown) {
    QCOMPARE(error_text(Message::verbatim(error)), QString::fromUtf8(shown));
  };
  begins("can't open '/a': no permission", "Can't open '/a': no permission");
  begins("stopped, and nothing was saved", "Stopped, and nothing was saved");
  begins("tensor 'unet.a' is missing", "Tensor 'unet.a' is missing");
  begins("first line\nsecond line", "First line\nsecond line");
  // A leading name keeps its case.
  for (const char* named :
       {"unet.conv_in: expected 4 channels, 9 came", "adapter.rank is 0; it must be at least 1",
        "name is longer than 80 characters", "a.png is empty", "photos/a: no such file",
        "demo: no such run", "te1 has no weights", "network_dim is not a number",
        "[matmul] depths differ", "lora 不能读取"}) {
    begins(named, named);
  }
  const Speaking chinese(QStringLiteral("zh_CN"));
  const Message known = message<"no images given (--images). Choose a folder of images, or demo">();
  QVERIFY(is_translated(error_text(known)));
  QCOMPARE(error_text(known), message_text(known));
  begins("nobody translated this", "Nobody translated this");
}

void EngineTextTest::the_window_speaks_no_command_line() {
  const auto plain = [](const char* said) { return plain_words(QString::fromUtf8(said)); };
  QCOMPARE(plain("precision.compute = fp8 needs a card"),
           QStringLiteral("“Compute type: FP8” needs a card"));
  QCOMPARE(plain("can't change adapter.rank (8 -> 16)."),
           QStringLiteral("can't change “Rank” (8 -> 16)."));
  QCOMPARE(plain("Lower output.keep. te1 isn't trained"),
           QStringLiteral("Lower “Checkpoints kept”. Text encoder 1 isn't trained"));
  QCOMPARE(plain("Resume it with --resume"), QStringLiteral("Resume it with “Continue a run”"));
  QCOMPARE(plain("no base model given (--base)."), QStringLiteral("no base model given."));
  QCOMPARE(plain("or use --set data.batch_size=1"), QStringLiteral("or use “Batch size: 1”"));
  QCOMPARE(plain("a checkpoint needs 108498124 bytes, 52428800 are free"),
           QStringLiteral("a checkpoint needs 108 MB, 52.4 MB are free"));
  QCOMPARE(plain("fp32 is exact; use bf16 or int8_fp16."),
           QStringLiteral("FP32 is exact; use BF16 or INT8 with FP16."));
  QCOMPARE(plain("形式が peft なら、fp8_e4m3と"), QStringLiteral("形式が PEFT なら、FP8 E4M3と"));
  QCOMPARE(fix_name(QStringLiteral("S4"), R"({"data.resolution": 512})"), QStringLiteral("S4"));
  QCOMPARE(fix_name(QStringLiteral("memory"), R"({"data.resolution": 512})"),
           QStringLiteral("Resolution → 512"));
  QCOMPARE(fix_name(QStringLiteral("memory"), R"({"data.batch_size": 1, "data.resolution": 512})"),
           QStringLiteral("Batch size → 1, Resolution → 512"));
  // Parts of paths and of other names stay.
  for (const char* said : {"'/home/me/adapter.rank/te1.safetensors' is missing",
                           "unet.down_blocks.0 has 1234567 values", "model.safetensors",
                           "model-fp16.gguf, fp8.safetensors, vae-fp16-fix, nf4/x",
                           R"({"denoiser.conv_in": "fp32"})"}) {
    QCOMPARE(plain(said), QString::fromUtf8(said));
  }
}

/// Advice to pass an option is advice to press a button where there is one.
void EngineTextTest::the_window_has_no_advice_for_the_command_line() {
  const Message stopped =
      message<"{message}. Saved at step {step}, in {file}; continue with --resume {folder}">(
          Message::verbatim("stopped"), 220, "/r/step-00000220", "/r");
  QCOMPARE(plain_text(stopped), QStringLiteral("Stopped. Saved at step 220; Resume continues it"));
  QCOMPARE(plain_text(
               message<"{message}. No checkpoint was saved; start it again with --resume {folder}">(
                   Message::verbatim("stopped"), "/r")),
           QStringLiteral("Stopped. No checkpoint was saved; Resume starts it again"));
  QVERIFY(message_text(stopped).endsWith(QStringLiteral("continue with --resume /r")));
  QCOMPARE(plain_words(QStringLiteral("merge it first (`mantissa merge`)")),
           QStringLiteral("merge it first (“Merge”)"));
  QCOMPARE(plain_words(QStringLiteral("breaks a LoRA with adamw (denoiser); 1 is a rate")),
           QStringLiteral("breaks a LoRA with AdamW (Denoiser); 1 is a rate"));
  // The rest is of commands that the window doesn't have, or of fields of the Tools page.
  const QSet<QString> others{QStringLiteral("--tagger"),     QStringLiteral("--captioner"),
                             QStringLiteral("--endpoint"),   QStringLiteral("--recode"),
                             QStringLiteral("--undo"),       QStringLiteral("--accept-changed"),
                             QStringLiteral("--csv"),        QStringLiteral("--json"),
                             QStringLiteral("--set"),        QStringLiteral("--trace"),
                             QStringLiteral("--replay"),     QStringLiteral("--dora-axis"),
                             QStringLiteral("--start-over"), QStringLiteral("--help"),
                             QStringLiteral("--overwrite"),  QStringLiteral("--for"),
                             QStringLiteral("--index"),      QStringLiteral("--format"),
                             QStringLiteral("--embedding"),
                             QStringLiteral("--config"),  // of scripts of sd-scripts
                             QStringLiteral("--dataset")};
  static const QRegularExpression option(QStringLiteral("(?<![\\w-])--[a-z-]+[a-z]"));
  for (const MessageTemplate* t = message_templates(); t != nullptr; t = t->next) {
    const QString said = plain_text(with_values(t->text));
    for (auto it = option.globalMatch(said); it.hasNext();) {
      QVERIFY2(others.contains(it.next().captured()), qPrintable(said));
    }
  }
}

}  // namespace mantissa::gui
