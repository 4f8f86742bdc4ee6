// Files of other trainers, as the programs that draw with them read them: what diffusers' own
// loaders did, and what the rules of the others say (tests/golden/make_reader_forms.py).
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/readers/file_readings.h"
#include "engine/readers/verdict_text.h"
#include "tests/engine/readers/reader_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

struct FormCase {
  std::string file, family, reader, expected;
};

fs::path forms_folder() {
  return fs::path(MANTISSA_TEST_DATA) / "golden/reader_forms";
}

std::vector<FormCase> form_cases() {
  std::vector<FormCase> list;
  std::ifstream file(forms_folder() / "cases.json");
  if (!file) {
    return list;  // the data isn't unpacked yet: only the tests' names are listed
  }
  const auto all = nlohmann::json::parse(file);
  for (const auto& one : all.at("cases")) {
    for (const auto& [reader, expected] : one.at("readers").items()) {
      list.push_back({one.at("file"), one.at("family"), reader, expected});
    }
  }
  return list;
}

/// As the script names them: a file that is refused, or loaded without effect, is one of "none".
std::string in_words(ReaderOutcome outcome) {
  switch (outcome) {
    case ReaderOutcome::as_meant:
      return "works";
    case ReaderOutcome::differs:
      return "differs";
    case ReaderOutcome::partly:
      return "partly";
    case ReaderOutcome::unsupported:
      return "-";
    default:
      return "none";
  }
}

TEST(ForeignForms, AtLeastFortyForms) {
  std::set<std::string> files;
  for (const FormCase& one : form_cases()) {
    files.insert(one.file);
  }
  EXPECT_GE(files.size(), 40U);
}

TEST(ForeignForms, EveryReaderIsJudgedAsItsProgramDoes) {
  std::map<std::string, WeightSource> bases;
  for (const FormCase& one : form_cases()) {
    if (!bases.contains(one.family)) {
      bases.emplace(one.family, WeightSource::open(test::small_base(one.family)));
    }
    const Reader* reader = reader_called(one.reader);
    ASSERT_NE(reader, nullptr) << one.reader;
    const FileReadings readings =
        read_file_as(forms_folder() / one.file, bases.at(one.family), {&reader, 1});
    ASSERT_EQ(readings.verdicts.size(), 1U);
    const ReaderVerdict& verdict = readings.verdicts.front();
    EXPECT_EQ(in_words(verdict.outcome), one.expected)
        << one.file << ": " << verdict_message(verdict).text() << "; " << readings.unknown.text();
  }
}

/// FLUX.1's modules outside of the blocks have no form that InvokeAI or stable-diffusion.cpp reads.
bool has_no_form(const FormCase& one) {
  return (one.reader == "invokeai" || one.reader == "sdcpp") && one.file.starts_with("flux1-") &&
         one.file.find("-outer.") != std::string::npos;
}

// What `convert --for` would write works, wherever the program has adapters for the model at all.
TEST(ForeignForms, ThereIsAFormThatWorks) {
  std::map<std::string, WeightSource> bases;
  int found = 0, without = 0;
  for (const FormCase& one : form_cases()) {
    if (one.expected == "works" || one.expected == "-") {
      continue;
    }
    if (!bases.contains(one.family)) {
      bases.emplace(one.family, WeightSource::open(test::small_base(one.family)));
    }
    const WeightSource& base = bases.at(one.family);
    const Reader* reader = reader_called(one.reader);
    const FileReadings readings = read_file_as(forms_folder() / one.file, base, {&reader, 1});
    const auto whole = [](const AdapterModule& module) { return module.rank == 0; };
    if (!readings.unknown.empty() || std::ranges::any_of(readings.modules, whole)) {
      ++without;  // isn't read here, or is no LoRA of a lower rank than its layers
      continue;
    }
    const auto format = format_for(*reader, readings.modules, base);
    EXPECT_EQ(format.has_value(), !has_no_form(one)) << one.file << " for " << one.reader;
    found += format ? 1 : 0;
  }
  EXPECT_GT(found, 20);
  EXPECT_LE(without, 5);
}

}  // namespace
}  // namespace mantissa
