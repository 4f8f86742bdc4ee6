#include "gui/run/QueuedRun.h"

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/plan/backend.h"
#include "engine/preset/preset_io.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

using State = QueuedRun::State;
constexpr std::pair<State, const char*> kStates[] = {
    {State::waiting, "waiting"}, {State::running, "running"}, {State::finished, "finished"},
    {State::stopped, "stopped"}, {State::failed, "failed"},   {State::interrupted, "interrupted"}};

constexpr std::pair<const char*, std::vector<std::filesystem::path> JobSpec::*> kFolders[] = {
    {"images", &JobSpec::images},
    {"prior", &JobSpec::prior},
    {"validation", &JobSpec::validation},
    {"references", &JobSpec::references}};

std::string utf8(const std::filesystem::path& path) {
  return path_text(path).toStdString();
}

std::filesystem::path path_of(const nlohmann::json& text) {
  return to_path(to_qstring(text.get<std::string>()));
}

}  // namespace

QByteArray queue_text(const std::vector<QueuedRun>& runs) {
  nlohmann::json list = nlohmann::json::array();
  for (const QueuedRun& run : runs) {
    nlohmann::json item;
    item["base"] = utf8(run.job.base);
    for (const auto& [name, folders] : kFolders) {
      item[name] = nlohmann::json::array();
      for (const auto& folder : run.job.*folders) {
        item[name].push_back(utf8(folder));
      }
    }
    for (const TrainingAdapter& adapter : run.job.training_adapters) {
      item["training_adapters"].push_back(
          {{"file", utf8(adapter.file)}, {"weight", adapter.weight}});
    }
    item["out"] = utf8(run.job.out);
    item["device"] = run.job.device;
    if (!run.job.split.empty()) {
      item["split"] = devices_of(run.job);
    }
    if (run.job.resume) {
      item["resume"] = utf8(*run.job.resume);
    }
    item["preset"] = nlohmann::json::parse(mantissa::to_json(run.job.preset, WriteMode::full));
    for (const auto& [state, word] : kStates) {
      if (run.state == state) {
        item["state"] = word;
      }
    }
    item["message"] = run.message.toStdString();
    item["apart"] = run.apart;
    item["leads"] = run.leads;
    list.push_back(std::move(item));
  }
  return QByteArray::fromStdString(list.dump());
}

std::vector<QueuedRun> read_queue(const QByteArray& text) {
  std::vector<QueuedRun> runs;
  if (text.isEmpty()) {
    return runs;
  }
  try {
    for (const nlohmann::json& item : nlohmann::json::parse(text.toStdString())) {
      QueuedRun run;
      run.job.base = path_of(item.at("base"));
      for (const auto& [name, folders] : kFolders) {
        // Older queues lack some of them.
        for (const nlohmann::json& folder : item.value(name, nlohmann::json::array())) {
          (run.job.*folders).push_back(path_of(folder));
        }
      }
      for (const nlohmann::json& adapter :
           item.value("training_adapters", nlohmann::json::array())) {
        run.job.training_adapters.push_back(
            {path_of(adapter.at("file")), adapter.at("weight").get<double>()});
      }
      run.job.out = path_of(item.at("out"));
      run.job.device = item.at("device").get<std::string>();
      for (const nlohmann::json& card : item.value("split", nlohmann::json::array())) {
        run.job.split.push_back({.name = card.get<std::string>()});
      }
      if (item.contains("resume")) {
        run.job.resume = path_of(item["resume"]);
      }
      run.job.preset = parse_preset(item.at("preset").dump(), "the queue");
      const auto word = item.at("state").get<std::string>();
      for (const auto& [state, name] : kStates) {
        if (word == name) {
          run.state = state;
        }
      }
      run.message = to_qstring(item.at("message").get<std::string>());
      run.apart = item.value("apart", false);
      run.leads = item.value("leads", false);
      runs.push_back(std::move(run));
    }
  } catch (const nlohmann::json::exception& e) {
    throw Error(
        message<"the stored queue of runs can't be read ({reason}); add its runs again">(e.what()));
  }
  return runs;
}

}  // namespace mantissa::gui
