#include "tests/gui/RefusalTest.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QtTest>
#include <functional>

#include "engine/core/error.h"
#include "engine/preflight/preflight.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_folder.h"
#include "engine/train/run_training.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/precision/PreflightList.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/RealStudio.h"

namespace mantissa::gui {
namespace {

/// The demo, ready to start with one step.
struct RefusalStudio : RealStudio {
  RefusalStudio() {
    session->document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
    for (const auto& [key, value] : {std::pair{"training.steps", 1}, {"samples.every", 0}}) {
      session->document().edit(key, value);
    }
    session->document().edit("data.resolution", 64);
    session->document().edit("data.cache", true);
    job()->use_demo();
  }
  JobPanel* job() const { return session->window().setup_page()->job(); }
  PreflightList* list() const { return session->window().setup_page()->precision()->list(); }
  JobSpec draft() const {
    JobSpec spec = job()->job();
    spec.preset = session->document().preset();
    return spec;
  }
  QString at(const char* path) const { return home.filePath(QString::fromLatin1(path)); }
  void write(const char* path, const QByteArray& bytes) const {
    QDir().mkpath(QFileInfo(at(path)).path());
    QFile file(at(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
  }
};

struct Refusal {
  const char* name;
  const char* patch;  ///< of the preset
  std::function<void(RefusalStudio&)> arrange = {};
};

constexpr const char* kWord =
    R"("embedding.tokens": [{"token": "zorb", "init": "", "vectors": 2}],)"
    R"("training.parts": ["embeddings"])";

const std::vector<Refusal>& refusals() {
  static const std::string own_name = std::string("{\"output.name\": \"ZORB\", ") + kWord + "}";
  static const std::string full = std::string("{\"training.method\": \"full\", ") + kWord + "}";
  static const std::string bundle =
      std::string("{\"output.bundle_embeddings\": true, ") + kWord + "}";
  static const std::vector<Refusal> all = {
      {"no such base", "{}",
       [](RefusalStudio& t) { t.job()->base()->set_path(QStringLiteral("/nowhere/base")); }},
      {"pickle", "{}",
       [](RefusalStudio& t) {
         t.write("model.ckpt", "pickle");
         t.job()->base()->set_path(t.at("model.ckpt"));
       }},
      {"broken base", "{}",
       [](RefusalStudio& t) {
         t.write("model.safetensors", QByteArray(64, 'x'));
         t.job()->base()->set_path(t.at("model.safetensors"));
       }},
      {"another family", R"({"model.family": "pixart"})"},
      {"no such images", "{}",
       [](RefusalStudio& t) {
         t.job()->set_paths(QStringLiteral("demo"), {QStringLiteral("/nowhere/images")});
       }},
      {"empty folder", "{}",
       [](RefusalStudio& t) {
         QDir().mkpath(t.at("empty"));
         t.job()->set_paths(QStringLiteral("demo"), {t.at("empty")});
       }},
      {"no image among the files", "{}",
       [](RefusalStudio& t) {
         t.write("texts/a.txt", "no image");
         t.job()->set_paths(QStringLiteral("demo"), {t.at("texts")});
       }},
      {"no such prior images", "{}",
       [](RefusalStudio& t) { t.job()->prior()->set_path(QStringLiteral("/nowhere/prior")); }},
      {"no such training adapter", "{}",
       [](RefusalStudio& t) {
         t.job()->training_adapter()->set_path(QStringLiteral("/nowhere/a.safetensors"));
       }},
      {"run folder is a file", "{}",
       [](RefusalStudio& t) {
         t.write("a file", "text");
         t.job()->set_out(t.at("a file"));
       }},
      {"run folder holds a run", "{}",
       [](RefusalStudio& t) {
         JobSpec began = t.draft();
         began.out = to_path(t.at("mine"));
         const RunFolder run = RunFolder::create(began);
         std::filesystem::create_directories(run.checkpoints() / "step-00000001");
         t.job()->set_out(t.at("mine"));
       }},
      {"name of the run's own", R"({"output.format": "peft", "output.name": "samples"})"},
      {"vae and others", R"({"training.parts": ["vae", "denoiser"], "training.method": "full"})"},
      {"vae without full", R"({"training.parts": ["vae"]})"},
      {"vae with masks",
       R"({"training.parts": ["vae"], "training.method": "full", "data.masks": "files"})"},
      {"references of prompts", R"({"samples.prompts": [{"prompt": "a", "references": "a.png"}]})"},
      {"no word", R"({"training.parts": ["embeddings"]})"},
      {"words in full", full.c_str()},
      {"word named as the result", own_name.c_str()},
      {"bundle without an adapter", bundle.c_str()},
      {"bundle in diffusers' format",
       R"({"output.bundle_embeddings": true, "output.format": "diffusers",
           "training.parts": ["denoiser", "embeddings"],
           "embedding.tokens": [{"token": "zorb", "init": "", "vectors": 2}]})"},
      {"word in no caption",
       R"({"training.parts": ["embeddings"],
           "embedding.tokens": [{"token": "quux-9", "init": "", "vectors": 2}]})"},
      {"masks that no image has", R"({"data.masks": "files"})"},
      {"masks of another shape", R"({"data.masks": "files"})",
       [](RefusalStudio& t) {
         QDir().mkpath(t.at("masked"));
         for (const auto& [name, height] : {std::pair{"masked/a.png", 64},
                                            {"masked/a-masklabel.png", 20},
                                            {"masked/b.png", 64}}) {
           QImage image(64, height, QImage::Format_RGB32);
           image.fill(Qt::white);
           QVERIFY(image.save(t.at(name)));
         }
         t.job()->set_paths(QStringLiteral("demo"), {t.at("masked")});
       }},
      {"kohya's buckets",
       R"({"data.bucket_rule": "kohya", "data.bucket_min": 128, "data.bucket_max": 256})"},
      {"fp16 adapter", R"({"precision.adapter": "fp16", "precision.compute": "fp16"})"},
  };
  return all;
}

/// Refused by a start that the window can't ask for here, and where a test of the engine shows it.
const QStringList kElsewhere = {
    QStringLiteral("no base model given"),  // the window names it before there is a plan
    QStringLiteral("no images given"),      // likewise
    QStringLiteral("training.parts is [\"vae\"]: --trace"),  // of the command line
    QStringLiteral("samples.prompts name reference images, which a replayed"),
    QStringLiteral("samples.prompts name reference images, but no folder"),  // a model that edits
    QStringLiteral("{option}: the text encoder of {model} sees"),            // likewise
    QStringLiteral("the embedding of {word} to continue from"),              // --continue-from
    QStringLiteral("{file} holds {given} vectors"),
    QStringLiteral("{file} bundles the embedding"),
    QStringLiteral("embedding.tokens: init of {word}"),  // only of texts without a token
    QStringLiteral("training.parts has embeddings, and the text encoders"),  // of other families
    QStringLiteral("the word {word} is in what"),                            // likewise
    QStringLiteral("data.skip_buckets holds {value}"),  // the preset refuses it before
    QStringLiteral("{key} gives {resolution} pixels"),  // of a model of SDXL's depth
    QStringLiteral("data.skip_buckets leaves out every size"),
    QStringLiteral("no image could be read"),  // told by encoding alone, or by `check`
    QStringLiteral(
        "{path}: the run folder can't be made"),  // what is writable is made, except in a race
    QStringLiteral(
        "{path}: nothing can be written there"),  // PreflightTest; root writes everywhere
    QStringLiteral("{path}: no such run"),        // PreflightTest, as what follows
    QStringLiteral("{path} is a checkpoint"),     // the window resumes runs of its list
    QStringLiteral("{reason}. No checkpoint holds"),
    QStringLiteral("a resumed run can't change"),
};

/// What a start of the job says, and its template; empty if it trains.
std::pair<QString, QString> start_of(JobSpec job, const QString& out) {
  if (job.out.empty()) {
    job.out = to_path(out);
  }
  RunControl control;
  RunObserver nobody;
  try {
    run_training(job, control, nobody);
  } catch (const std::exception& e) {
    const Message said = message_of(e);
    return {to_qstring(said.text()), to_qstring(said.source())};
  }
  return {};
}

}  // namespace

void RefusalTest::each_is_shown_before_start_data() {
  QTest::addColumn<int>("which");
  for (std::size_t i = 0; i < refusals().size(); ++i) {
    QTest::newRow(refusals()[i].name) << static_cast<int>(i);
  }
}

void RefusalTest::each_is_shown_before_start() {
  QFETCH(int, which);
  const Refusal& refusal = refusals()[static_cast<std::size_t>(which)];
  RefusalStudio t;
  const QString wrong =
      t.session->document().apply_patch(refusal.patch, QString::fromLatin1(refusal.name));
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
  if (refusal.arrange) {
    refusal.arrange(t);
  }
  const JobSpec draft = t.draft();
  const auto [said, source] = start_of(draft, t.at("run"));
  QVERIFY2(!said.isEmpty(), "the engine trains it");
  // A draft says it in fewer words where it looks at the first files only.
  QStringList lines;
  bool is_known = false;
  for (const PreflightDepth depth : {PreflightDepth::draft, PreflightDepth::whole}) {
    for (const Finding& f : preflight(draft, depth).findings) {
      if (f.verdict == Verdict::refused) {
        lines << QStringLiteral("%1: %2").arg(verdict_text(f), finding_text(f));
        is_known = is_known || said.contains(to_qstring(f.message.text()));
      }
    }
  }
  QVERIFY2(is_known, qPrintable(said));
  const auto is_told = [&] {
    const QStringList list = t.list()->lines();
    return std::ranges::any_of(lines, [&](const QString& line) { return list.contains(line); });
  };
  QVERIFY2(QTest::qWaitFor(is_told, 20000),
           qPrintable(lines.join(QLatin1Char('\n')) + QLatin1String("\nis not in\n") +
                      t.list()->lines().join(QLatin1Char('\n'))));
  MainWindow& window = t.session->window();
  QCOMPARE(window.run_bar()->state_text(), QStringLiteral("Not ready"));
  // While a draft is still looked at, Start leaves it to the engine.
  QVERIFY(QTest::qWaitFor([&] { return !t.session->watcher().is_busy(); }, 20000));
  window.actions()->start->trigger();
  QVERIFY(!t.session->engine().is_running());
}

/// Every refusal that these files of the preparation hold is one of the rows above, or has its
/// reason here.
void RefusalTest::none_is_forgotten() {
  QStringList seen;
  for (const Refusal& refusal : refusals()) {
    RefusalStudio t;
    t.session->document().apply_patch(refusal.patch, QString::fromLatin1(refusal.name));
    if (refusal.arrange) {
      refusal.arrange(t);
    }
    for (const Finding& f : preflight(t.draft(), PreflightDepth::whole).findings) {
      seen << to_qstring(f.message.source());
    }
  }
  static const QRegularExpression thrown(
      QStringLiteral("throw Error\\(\\s*message<((?:\\s*\"(?:[^\"\\\\]|\\\\.)*\")+)"));
  QStringList missing;
  for (const char* file : {"plan/job_paths", "plan/planned_run", "plan/word_embeddings",
                           "data/buckets", "data/bucketed_images", "run/run_folder"}) {
    QFile in(QStringLiteral(MANTISSA_SOURCE_DIR "/engine/%1.cpp").arg(QLatin1String(file)));
    QVERIFY(in.open(QIODevice::ReadOnly));
    auto at = thrown.globalMatch(QString::fromUtf8(in.readAll()));
    while (at.hasNext()) {
      static const QRegularExpression seam(QStringLiteral("\"\\s*\""));
      QString text = at.next().captured(1).trimmed().replace(seam, QString());
      text = text.mid(1, text.size() - 2).replace(QLatin1String("\\\""), QLatin1String("\""));
      const bool elsewhere =
          std::ranges::any_of(kElsewhere, [&](const QString& p) { return text.startsWith(p); });
      if (!elsewhere && !seen.contains(text)) {
        missing << QLatin1String(file) + QLatin1String(": ") + text;
      }
    }
  }
  QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
}

}  // namespace mantissa::gui
