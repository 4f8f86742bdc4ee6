#include "tests/gui/FormTest.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <algorithm>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/precision/ProbeView.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

using nlohmann::json;

struct Form {
  Theme theme;
  PresetDocument document;
  SchemaForm form{&document, &theme};

  Form() { form.resize(900, 700); }
  FieldRow* row(const char* key) { return form.row(QString::fromLatin1(key)); }
  QLineEdit* line(const char* key) { return row(key)->editor()->findChild<QLineEdit*>(); }
  void type(const char* key, const QString& text) {
    line(key)->selectAll();
    QTest::keyClicks(line(key), text);
  }
};

/// A valid value of the setting other than its default.
json another_value(const Setting& s) {
  const json now = default_value(s.key);
  switch (s.kind) {
    case Kind::boolean:
      return !now.get<bool>();
    case Kind::integer:
      return now.get<std::int64_t>() +
             (static_cast<double>(now.get<std::int64_t>()) < s.max ? 1 : -1);
    case Kind::number:
      return (s.min + std::min(s.max, s.min + 1)) / 2 + 0.0625;
    case Kind::text:
      return "another";
    case Kind::choice:
      return std::string(now == json(std::string(s.choices[0])) ? s.choices[1] : s.choices[0]);
    case Kind::text_list:
      return s.text == TextRule::size ? json::array({"512x768", "64x64"})
                                      : json::array({"one", "two words"});
    case Kind::integer_list:
      return json::array({512, 768});
    case Kind::choice_list:
      return json::array({std::string(s.choices.back())});
    case Kind::targets:
      return json::array({"unet.down_*", "unet.mid_block.*"});
    case Kind::number_pair:
      return json::array({0.5, 0.75});
    case Kind::choice_or_number:
      return 2.0;
    case Kind::pins:
      return json{{"unet.conv_in", std::string(s.choices[1])}};
    case Kind::objects: {
      json item = json::object();
      for (const ItemField& f : s.fields) {
        if (f.required) {
          item[std::string(f.key)] = f.kind == Kind::integer ? json(f.max)
                                     : f.choices.empty()     ? json("text")
                                                             : json(std::string(f.choices[0]));
        } else if (f.kind == Kind::number) {
          item[std::string(f.key)] = std::min(2.5, f.max);
        }
      }
      return json::array({item});
    }
  }
  return nullptr;
}

}  // namespace

void FormTest::every_setting_has_a_row() {
  Form f;
  QCOMPARE(f.form.rows().size(), settings().size());
  for (const Setting& s : settings()) {
    FieldRow* row = f.form.row(to_qstring(s.key));
    QVERIFY2(row != nullptr, std::string(s.key).c_str());
    QVERIFY(row->editor()->focusProxy() != nullptr);
    QVERIFY(!row->editor()->focusProxy()->accessibleName().isEmpty());
    QVERIFY(!row->is_modified());
  }
}

void FormTest::editors_show_every_value() {
  Form f;
  for (const Setting& s : settings()) {
    const std::string key(s.key);
    const QByteArray name = QByteArray::fromStdString(key);
    const json wanted = another_value(s);
    const QString problem = f.document.edit(s.key, wanted);
    QVERIFY2(problem.isEmpty(), (key + ": " + problem.toStdString()).c_str());
    FieldRow* row = f.form.row(to_qstring(s.key));
    QVERIFY2(row->is_modified(), name);
    // The editor reads back the preset's value.
    Preset back = f.document.preset();
    QVERIFY2(try_set_setting(back, s.key, row->editor()->value()).empty(), name);
    QVERIFY2(back == f.document.preset(), name);
  }
  while (f.document.undo_stack()->canUndo()) {
    f.document.undo_stack()->undo();
  }
  QVERIFY(f.document.preset() == Preset{});
  for (const Setting& s : settings()) {
    FieldRow* row = f.form.row(to_qstring(s.key));
    QVERIFY(!row->is_modified());
    Preset back;
    try_set_setting(back, s.key, row->editor()->value());
    QVERIFY2(back == Preset{}, std::string(s.key).c_str());
  }
}

void FormTest::edit_undo_redo() {
  Form f;
  f.type("adapter.rank", QStringLiteral("32"));
  QCOMPARE(f.document.preset().adapter.rank, 32);
  QVERIFY(f.document.is_dirty());
  f.document.undo_stack()->undo();
  QCOMPARE(f.document.preset().adapter.rank, Preset{}.adapter.rank);
  QCOMPARE(f.line("adapter.rank")->text(), QStringLiteral("16"));
  f.document.undo_stack()->redo();
  QCOMPARE(f.line("adapter.rank")->text(), QStringLiteral("32"));
  f.type("optimizer.learning_rate", QStringLiteral("3e-5"));
  QCOMPARE(f.document.preset().optimizer.learning_rate, 3e-5);
}

void FormTest::typing_is_one_undo_step() {
  Form f;
  f.type("name", QStringLiteral("portrait"));
  QCOMPARE(f.document.undo_stack()->count(), 1);
  f.document.seal();
  f.type("name", QStringLiteral("landscape"));
  QCOMPARE(f.document.undo_stack()->count(), 2);
  f.document.undo_stack()->undo();
  QCOMPARE(f.document.preset().name, std::string("portrait"));
}

void FormTest::refused_value_is_told_and_given_up() {
  Form f;
  f.type("adapter.rank", QStringLiteral("5000"));
  QVERIFY(!f.row("adapter.rank")->problem().isEmpty());
  QVERIFY(f.document.preset().adapter.rank <= 1024);
  emit f.row("adapter.rank")->editor()->left();
  QVERIFY(f.row("adapter.rank")->problem().isEmpty());
  QCOMPARE(f.line("adapter.rank")->text().toInt(), f.document.preset().adapter.rank);
  f.type("optimizer.learning_rate", QStringLiteral("fast"));
  QVERIFY(!f.row("optimizer.learning_rate")->problem().isEmpty());
  QCOMPARE(f.document.preset().optimizer.learning_rate, Preset{}.optimizer.learning_rate);
  f.type("name", QStringLiteral("https://example.org/x"));
  QVERIFY(f.row("name")->problem().startsWith(QStringLiteral("Name is")));
  QVERIFY(!f.row("name")->problem().isEmpty());
}

/// What is refused leaves the value before, not its first digits, and says so.
void FormTest::the_first_digits_of_a_refused_text_are_not_kept() {
  Form f;
  const auto steps = [&] { return f.document.preset().training.steps; };
  f.document.edit("training.steps", 250);
  const int undo_steps = f.document.undo_stack()->count();
  FieldRow* row = f.row("training.steps");
  for (const char* refused : {"2.500", "1e6x", "99999999999999999999", "2,5"}) {
    f.type("training.steps", QString::fromLatin1(refused));
    QVERIFY2(row->problem().contains(QStringLiteral("“Steps”")), qPrintable(row->problem()));
    QCOMPARE(steps(), std::int64_t{250});  // Start by its shortcut takes no digit of it
    emit row->editor()->left();
    QCOMPARE(f.line("training.steps")->text(), QStringLiteral("250"));
    QCOMPARE(row->problem(), QString());
    QVERIFY2(row->refused().contains(QString::fromLatin1(refused)), qPrintable(row->refused()));
    QCOMPARE(f.document.undo_stack()->count(), undo_steps);
  }
  f.type("training.steps", QStringLiteral("1e6"));
  QCOMPARE(row->refused(), QString());
  QCOMPARE(steps(), std::int64_t{1000000});
  emit row->editor()->left();
  f.document.undo_stack()->undo();
  QCOMPARE(steps(), std::int64_t{250});
  f.type("optimizer.learning_rate", QStringLiteral("3,5e-4"));
  QCOMPARE(f.document.preset().optimizer.learning_rate, 3.5e-4);
}

/// Of two numbers, the one that was taken stays when the other is refused.
void FormTest::a_refused_number_leaves_its_neighbour() {
  Form f;
  const Setting* pair = nullptr;
  for (const Setting& s : settings()) {
    pair = s.kind == Kind::number_pair ? &s : pair;
  }
  QVERIFY(pair != nullptr);
  const json before = get_setting(f.document.preset(), pair->key);
  FieldEditor* editor = f.row(std::string(pair->key).c_str())->editor();
  const QList<QLineEdit*> lines = editor->findChildren<QLineEdit*>();
  lines[0]->selectAll();
  QTest::keyClicks(lines[0], QStringLiteral("0.25"));
  emit editor->moved();
  lines[1]->selectAll();
  QTest::keyClicks(lines[1], QStringLiteral("0.7.5"));
  emit editor->left();
  QCOMPARE(get_setting(f.document.preset(), pair->key), json::array({0.25, before[1]}));
}

/// Another preset ends what was being typed in the last one.
void FormTest::a_refused_text_goes_with_its_preset() {
  Form f;
  f.document.edit("training.steps", 250);
  f.type("training.steps", QStringLiteral("30x"));
  Preset other;
  other.training.steps = 30;
  f.document.load(other, QString());
  QCOMPARE(f.row("training.steps")->problem(), QString());
  emit f.row("training.steps")->editor()->left();
  QCOMPARE(f.document.preset().training.steps, std::int64_t{30});
  QCOMPARE(f.line("training.steps")->text(), QStringLiteral("30"));
}

void FormTest::reset_and_modified() {
  Form f;
  f.document.edit("training.steps", 77);
  FieldRow* row = f.row("training.steps");
  QVERIFY(row->is_modified());
  auto* reset = row->findChild<QToolButton*>();
  QVERIFY(reset->accessibleName().startsWith(QStringLiteral("Reset")));
  reset->click();
  QVERIFY(!row->is_modified());
  f.document.undo_stack()->undo();
  QCOMPARE(f.document.preset().training.steps, std::int64_t{77});
}

void FormTest::filter() {
  Form f;
  f.form.show();
  f.form.set_filter(QStringLiteral("learning rate"));
  QVERIFY(f.row("optimizer.learning_rate")->isVisible());
  QVERIFY(!f.row("adapter.rank")->isVisible());
  f.document.edit("training.ema", 0.5);
  f.form.set_filter(QStringLiteral("@modified"));
  QVERIFY(f.row("training.ema")->isVisible());
  QVERIFY(!f.row("training.steps")->isVisible());
  f.form.set_filter(QStringLiteral("@advanced @modified"));
  QVERIFY(f.row("training.ema")->isVisible());
  QSignalSpy spy(&f.form, &SchemaForm::filtered);
  f.form.set_filter(QStringLiteral("no such thing anywhere"));
  QCOMPARE(spy.last()[0].toInt(), 0);
  f.form.set_filter(QString());
  QVERIFY(f.row("adapter.rank")->isVisible());
  QVERIFY2(!f.row("training.ema")->isVisible(), "advanced rows stay folded");
  f.form.set_show_advanced(true);
  QVERIFY(f.row("training.ema")->isVisible());
}

void FormTest::rows_without_effect_hide() {
  Form f;
  f.form.show();
  f.form.set_show_advanced(true);
  QVERIFY(!f.row("adapter.dora_axis")->isVisible());
  f.document.edit("adapter.type", "dora");
  QVERIFY(f.row("adapter.dora_axis")->isVisible());
  QVERIFY(f.row("adapter.dora_axis")->editor()->isEnabled());
  f.document.edit("adapter.dora_axis", "input");
  f.document.edit("adapter.type", "lora");
  // Changed by hand: it stays visible, but can't be edited.
  QVERIFY(f.row("adapter.dora_axis")->isVisible());
  QVERIFY(!f.row("adapter.dora_axis")->editor()->isEnabled());
  QVERIFY(!f.row("adapter.decompose")->isVisible());
  f.document.edit("adapter.type", "lokr");
  QVERIFY(f.row("adapter.decompose")->isVisible());
  QVERIFY(f.row("adapter.dora_axis")->editor()->isEnabled());
}

void FormTest::a_family_shows_what_it_has() {
  Form f;
  f.form.set_show_advanced(true);
  const auto shown = [&](const char* key) { return f.row(key)->isVisibleTo(&f.form); };
  const auto part = [&](const char* name) {
    for (QCheckBox* box : f.row("training.parts")->editor()->findChildren<QCheckBox*>()) {
      if (box->toolTip() == QLatin1String(name)) {
        return box->isVisibleTo(&f.form);
      }
    }
    return false;
  };
  for (const char* key : {"data.caption_chunks", "data.weighted_captions", "training.clip_skip",
                          "training.zero_terminal_snr", "training.flow_shift"}) {
    QVERIFY2(shown(key), key);  // the base model isn't known
  }
  QVERIFY(part("te2"));

  f.form.set_family(ModelFamily("z_image"));
  for (const char* key : {"data.caption_chunks", "data.weighted_captions", "training.clip_skip",
                          "training.zero_terminal_snr"}) {
    QVERIFY2(!shown(key), key);
  }
  QVERIFY(shown("training.flow_shift"));
  QVERIFY(part("te1") && part("vae") && !part("te2"));
  f.form.set_filter(QStringLiteral("clip_skip"));
  QVERIFY(shown("training.clip_skip"));  // searched for
  QCOMPARE(f.row("training.clip_skip")->findChildren<QLabel*>().last()->text(),
           QStringLiteral("Has no effect on Z-Image."));
  f.form.set_filter(QString());
  f.document.edit("training.parts", json::array({"denoiser", "te2"}), false);
  QVERIFY(part("te2"));  // chosen, so it must be seen

  f.form.set_family(ModelFamily("sdxl"));
  QVERIFY(shown("training.clip_skip") && !shown("training.flow_shift"));
  f.form.set_family(ModelFamily("anima"));
  QVERIFY(part("te2"));
}

void FormTest::lists_grow_and_shrink() {
  Form f;
  f.form.show();
  FieldRow* row = f.row("samples.prompts");
  auto add = [&] {
    for (QPushButton* b : row->editor()->findChildren<QPushButton*>()) {
      if (b->accessibleName().startsWith(QStringLiteral("Add"))) {
        b->click();
      }
    }
  };
  add();
  auto* prompt = row->editor()->findChild<QLineEdit*>();
  QVERIFY(prompt != nullptr);
  QTest::keyClicks(prompt, QStringLiteral("a red disc"));
  QCOMPARE(f.document.preset().samples.prompts.size(), std::size_t{1});
  QCOMPARE(f.document.preset().samples.prompts[0].prompt, std::string("a red disc"));
  add();
  f.document.edit("samples.prompts", json::parse(R"([{"prompt":"x","seed":7},{"prompt":"y"}])"));
  QCOMPARE(row->editor()->value()[0]["seed"].get<int>(), 7);
  f.document.edit("samples.prompts", json::array());
  QVERIFY(row->editor()->value().empty());
  f.document.undo_stack()->undo();
  QCOMPARE(row->editor()->value().size(), std::size_t{2});
}

void FormTest::ranks_of_layers_are_typed() {
  Form f;
  f.form.show();
  FieldRow* row = f.row("adapter.ranks");
  for (QPushButton* b : row->editor()->findChildren<QPushButton*>()) {
    if (b->accessibleName().startsWith(QStringLiteral("Add"))) {
      b->click();
    }
  }
  const auto edits = row->editor()->findChildren<QLineEdit*>();
  QCOMPARE(edits.size(), 3);
  QVERIFY(f.document.preset().adapter.ranks.empty());
  QTest::keyClicks(edits[0], QStringLiteral("denoiser.mid_block.*"));
  QVERIFY(f.document.preset().adapter.ranks.empty());  // no rank yet
  QTest::keyClicks(edits[1], QStringLiteral("32"));
  QCOMPARE(f.document.preset().adapter.ranks,
           (std::vector<LayerRank>{{"denoiser.mid_block.*", 32, 0}}));
  QTest::keyClicks(edits[2], QStringLiteral("16"));
  QCOMPARE(f.document.preset().adapter.ranks[0].alpha, 16.0);
}

void FormTest::open_save_and_errors() {
  QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("mine.json"));
  Form f;
  QCOMPARE(f.document.display_name(), QStringLiteral("Untitled"));
  f.document.edit("adapter.rank", 24);
  f.document.save_as(file);
  QVERIFY(!f.document.is_dirty());
  QCOMPARE(f.document.display_name(), QStringLiteral("mine"));
  PresetDocument other;
  other.open(file);
  QCOMPARE(other.preset().adapter.rank, 24);

  const QString bad = folder.filePath(QStringLiteral("bad.json"));
  QFile out(bad);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(R"({"mantissa_preset": 1, "adapter": {"rnak": 8}})");
  out.close();
  try {
    other.open(bad);
    QFAIL("a preset with an unknown key was opened");
  } catch (const Error& e) {
    const QString message = QString::fromUtf8(e.what());
    QVERIFY(message.contains(QStringLiteral("rnak")) && message.contains(QStringLiteral("rank")));
  }
  QCOMPARE(other.preset().adapter.rank, 24);
  QVERIFY_EXCEPTION_THROWN(other.save_as(folder.filePath(QStringLiteral("no/where.json"))), Error);
}

/// Header, queue and history call a preset as its file, unless the user gave it a name.
void FormTest::saved_elsewhere_it_has_the_name_of_its_file() {
  QTemporaryDir folder;
  const auto file = [&](const char* name) { return folder.filePath(QString::fromLatin1(name)); };
  Form f;
  Preset demo;
  demo.name = "Demo";
  f.document.load(demo, QString());
  f.document.save_as(file("my cat.json"));
  QCOMPARE(f.document.display_name(), QStringLiteral("my cat"));
  QCOMPARE(f.document.preset().name, std::string("my cat"));
  QVERIFY(!f.document.is_dirty());
  QCOMPARE(load_preset(to_path(file("my cat.json"))).name, std::string("my cat"));
  f.document.edit("name", "Portraits");
  f.document.save_as(file("p.json"));
  QCOMPARE(f.document.display_name(), QStringLiteral("Portraits"));
  f.document.save_as(file("p.json"));
  QCOMPARE(f.document.display_name(), QStringLiteral("Portraits"));
  // A file that can't be written leaves the name, too.
  QVERIFY_EXCEPTION_THROWN(f.document.save_as(file("no such folder/x.json")), Error);
  QCOMPARE(f.document.display_name(), QStringLiteral("Portraits"));
}

/// The names of the schema's table, with the key behind them.
void FormTest::choices_have_names() {
  Form f;
  f.document.edit("precision.weights.denoiser", "fp8_e4m3");
  auto* combo = f.row("precision.weights.denoiser")->editor()->findChild<QComboBox*>();
  QCOMPARE(combo->currentText(), QStringLiteral("FP8 E4M3"));
  QCOMPARE(combo->currentData(Qt::ToolTipRole).toString(), QStringLiteral("fp8_e4m3"));
  f.document.edit("adapter.targets", "attention+mlp");
  auto* targets = f.row("adapter.targets")->editor()->findChild<QComboBox*>();
  QCOMPARE(targets->currentText(), QStringLiteral("Attention and MLP"));
  QVERIFY(f.row("adapter.targets")->editor()->value() == json("attention+mlp"));
  f.form.set_filter(QStringLiteral("dora_axis"));
  QCOMPARE(f.row("adapter.dora_axis")->findChildren<QLabel*>().last()->text(),
           QStringLiteral("Has an effect only with “Adapter: DoRA or LoHa or LoKr”."));
}

/// What people call a matter, not only what the setting does.
void FormTest::search_knows_common_words() {
  Form f;
  for (const auto& [word, key] : {std::pair{"vram", "data.batch_size"},
                                  {"vram", "training.gradient_checkpointing"},
                                  {"scheduler", "schedule.type"},
                                  {"preview", "samples.prompts"},
                                  {"quantization", "precision.weights.denoiser"}}) {
    f.form.set_filter(QString::fromLatin1(word));
    QVERIFY2(f.row(key)->isVisibleTo(&f.form), key);
    QVERIFY(!f.row("author")->isVisibleTo(&f.form));
  }
}

/// Rows that appear above, or grow, leave what is under the pointer, edited, or on top.
void FormTest::rows_stay_where_they_are() {
  constexpr int kLaidOutMs = 100;
  Form f;
  f.form.set_show_advanced(true);
  f.form.show();
  QVERIFY(QTest::qWaitForWindowExposed(&f.form));
  FieldRow* edited = f.row("optimizer.learning_rate");
  const auto place = [&] { return edited->mapTo(f.form.viewport(), QPoint(0, 0)).y(); };
  f.form.ensureWidgetVisible(edited, 0, 200);
  edited->editor()->setFocus();
  QTest::mouseMove(edited);  // wherever the pointer was: what is under it has precedence
  QTest::qWait(kLaidOutMs);
  const int before = place(), height = f.form.widget()->height();
  f.form.set_family(ModelFamily("z_image"));  // settings that it lacks go
  QTest::qWait(kLaidOutMs);
  QVERIFY(f.form.widget()->height() != height);
  QCOMPARE(place(), before);
  f.row("training.steps")->set_result(QStringLiteral("3 epochs of these images"));
  f.row("training.steps")->set_live(true);
  QTest::qWait(kLaidOutMs);
  QCOMPARE(place(), before);
}

void FormTest::paste_text() {
  Form f;
  f.document.edit("training.steps", 123);
  const QString text = f.document.to_text();
  f.document.replace(Preset{}, QStringLiteral("reset"));
  QVERIFY(f.document.preset() == Preset{});
  f.document.paste_text(text);
  QCOMPARE(f.document.preset().training.steps, std::int64_t{123});
  f.document.undo_stack()->undo();
  QVERIFY(f.document.preset() == Preset{});
  QVERIFY_EXCEPTION_THROWN(f.document.paste_text(QStringLiteral("not json")), Error);
}

void FormTest::a_narrow_form_stacks_its_rows() {
  Form f;
  f.form.show();
  f.form.set_show_advanced(true);
  FieldRow* rank = f.row("adapter.rank");
  const auto label_above = [&] {
    const auto* label = rank->findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
    for (const QLabel* each : rank->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly)) {
      label = each->buddy() != nullptr ? each : label;
    }
    return label->geometry().bottom() < rank->editor()->geometry().top();
  };
  QTRY_VERIFY(!label_above());
  QCOMPARE(f.form.horizontalScrollBar()->maximum(), 0);

  f.form.resize(430, 700);  // as in the smallest window
  QTRY_VERIFY(label_above());
  QTRY_COMPARE(f.form.horizontalScrollBar()->maximum(), 0);

  f.form.resize(900, 700);
  QTRY_VERIFY(!label_above());
}

/// The paths and the preflight take what a wide screen has more; a table of layers does, too.
void FormTest::a_wide_form_stays_readable() {
  TestSession t{FakeEngine{}};
  SetupPage* page = t.window().setup_page();
  SchemaForm* form = page->form();
  t.show();
  for (const int width : {1000, 1600, 2400, 3600}) {
    t.window().resize(width, 900);
    const FieldRow* row = form->row(QStringLiteral("optimizer.learning_rate"));
    const auto gap = [&] {
      return page->job()->mapTo(page, QPoint()).x() - row->mapTo(page, QPoint(row->width(), 0)).x();
    };
    QTRY_VERIFY2(form->width() <= 760 && gap() > 0 && gap() < 80,
                 qPrintable(QStringLiteral("%1: %2 %3").arg(width).arg(form->width()).arg(gap())));
    QTRY_VERIFY(page->job()->width() <= 960);
  }
  page->show_view(SetupPage::probe_view);
  QTRY_VERIFY(page->probe()->width() > 2000);  // of 3600
}

}  // namespace mantissa::gui
