#include <fmt/format.h>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/style.h"
#include "engine/cli/terminal_observer.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/plan/scaling.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "engine/train/step_timing.h"

namespace mantissa {
namespace {

struct BenchOptions {
  std::string preset, base, card, device = "cpu";
  std::vector<std::string> set;
  int resolution = 0, batch = 0, ranks = 1;
  SizeOption memory_budget;
  TimingOptions timing;
  bool roofline = false, step = false, deterministic = false;
};

JobSpec bench_job(const CommandSession& session, const BenchOptions& o) {
  JobSpec job;
  job.preset = PresetLibrary(session.context.presets_folder()).load(o.preset);
  for (const std::string& assignment : o.set) {
    apply_set(job.preset, assignment);
  }
  if (o.resolution > 0) {
    apply_set(job.preset, fmt::format("data.resolution={}", o.resolution));
  }
  if (o.batch > 0) {
    apply_set(job.preset, fmt::format("data.batch_size={}", o.batch));
  }
  job.base = path_from_utf8(o.base);
  job.device = o.device;
  job.deterministic = o.deterministic;
  tell_size(session, o.memory_budget);
  job.memory_budget = o.memory_budget.bytes;
  return job;
}

nlohmann::ordered_json roofline_event(const CardSpec& card, const Roofline& r) {
  nlohmann::ordered_json kinds = nlohmann::ordered_json::object();
  const auto add = [&kinds](std::string_view name, const RooflineKind& kind) {
    if (kind.nodes > 0) {
      kinds[std::string(name)] = {
          {"ms", kind.ms}, {"flop", kind.flop}, {"bytes", kind.bytes}, {"nodes", kind.nodes}};
    }
  };
  for (int i = 0; i < kCostKinds; ++i) {
    add(cost_kind_name(static_cast<CostKind>(i)), r.by_kind[static_cast<std::size_t>(i)]);
  }
  add("optimizer", r.optimizer);
  return {{"event", "roofline"},        {"card", card.id},    {"ms", r.ms},
          {"floor_ms", r.floor_ms},     {"gap_ms", r.gap_ms}, {"nodes", r.nodes},
          {"bytes", r.bytes},           {"flop", r.flop},     {"peak_bytes", r.peak_bytes},
          {"by_kind", std::move(kinds)}};
}

void print_roofline(std::ostream& out, const CardSpec& card, const Roofline& r) {
  out << fmt::format("{}: {:.1f} ms a step, of which at least {:.1f} at the card's peak rates\n",
                     card.name, r.ms, r.floor_ms);
  Table table({"  kind", "ms", "TFLOP", "GB", "nodes"});
  const auto add = [&table](std::string_view name, const RooflineKind& kind) {
    if (kind.nodes > 0) {
      table.add({"  " + std::string(name), fmt::format("{:.2f}", kind.ms),
                 fmt::format("{:.2f}", kind.flop * 1e-12), fmt::format("{:.2f}", kind.bytes * 1e-9),
                 std::to_string(kind.nodes)});
    }
  };
  for (int i = 0; i < kCostKinds; ++i) {
    add(cost_kind_name(static_cast<CostKind>(i)), r.by_kind[static_cast<std::size_t>(i)]);
  }
  add("optimizer", r.optimizer);
  table.add({"  between kernels", fmt::format("{:.2f}", r.gap_ms), "", "", ""});
  table.add({"  all", fmt::format("{:.2f}", r.ms), fmt::format("{:.2f}", r.flop * 1e-12),
             fmt::format("{:.2f}", r.bytes * 1e-9), std::to_string(r.nodes)});
  table.print(out);
  const Efficiency e;
  out << fmt::format("Peak memory as planned: {} of {:.0f} GB.\n", bytes_text(r.peak_bytes),
                     card.memory_gb);
  out << wrapped(
      fmt::format("Estimated from the plan with efficiencies measured on an H200: GEMM {:.0f}%, "
                  "convolution {:.0f}%, attention {:.0f}% of peak, memory {:.0f}%, beside what "
                  "every kernel takes; {} µs between two.",
                  100 * e.half.share, 100 * e.convolution, 100 * e.attention, 100 * e.memory,
                  e.launch_us),
      0, paragraph_columns(out));
}

nlohmann::ordered_json scaling_list(const Roofline& step, const Preset& preset, int most) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const LinkSpec& link : link_table()) {
    for (const int ranks : scaling_ranks(most)) {
      const Scaling s = scaling(step, preset, link, ranks);
      list.push_back({{"link", link.id},
                      {"ranks", s.ranks},
                      {"micro_steps", s.micro_steps},
                      {"ms", s.ms},
                      {"exchange_ms", s.exchange_ms},
                      {"images_per_second", s.images_per_second},
                      {"efficiency", s.efficiency}});
    }
  }
  return list;
}

void print_scaling(std::ostream& out, const Roofline& step, const Preset& preset, int most) {
  const std::vector<int> counts = scaling_ranks(most);
  std::vector<std::string> header{"  images per second (efficiency)"};
  for (const int ranks : counts) {
    header.push_back(fmt::format("{} ranks", ranks));
  }
  Table table(header);
  for (const LinkSpec& link : link_table()) {
    std::vector<std::string> row{"  " + std::string(link.name)};
    for (const int ranks : counts) {
      const Scaling s = scaling(step, preset, link, ranks);
      row.push_back(fmt::format("{:.1f} ({:.0f}%)", s.images_per_second, 100 * s.efficiency));
    }
    table.add(row);
  }
  out << fmt::format(
      "\nSeveral ranks, one card and at least one micro-step each; {} of gradients exchanged:\n",
      bytes_text(static_cast<std::uint64_t>(step.gradient_bytes)));
  table.print(out);
  out << fmt::format("Estimated at {:.0f}% of each link's rate without overlap, not measured.\n",
                     100 * kLinkEfficiency);
}

void show_roofline(CommandSession& session, const JobSpec& job, const CardSpec& card, int ranks) {
  const Roofline result = roofline(job, card);
  if (session.json) {
    nlohmann::ordered_json event = roofline_event(card, result);
    if (ranks > 1) {
      event["gradient_bytes"] = result.gradient_bytes;
      event["scaling"] = scaling_list(result, job.preset, ranks);
    }
    write_event(session.out(), event);
    return;
  }
  print_roofline(session.out(), card, result);
  if (ranks > 1) {
    print_scaling(session.out(), result, job.preset, ranks);
  }
}

nlohmann::ordered_json timing_event(const StepTiming& t) {
  nlohmann::ordered_json ms = nlohmann::ordered_json::array();
  for (const double seconds : t.seconds) {
    ms.push_back(1e3 * seconds);
  }
  return {{"event", "step_time"},
          {"device", t.device},
          {"plan", t.plan},
          {"batch", t.shape.batch},
          {"latent_height", t.shape.height},
          {"latent_width", t.shape.width},
          {"median_ms", 1e3 * t.median()},
          {"fastest_ms", 1e3 * t.fastest()},
          {"ms", std::move(ms)},
          {"replayed", t.replayed},
          {"peak_bytes", t.peak_bytes}};
}

void print_timing(std::ostream& out, const StepTiming& t) {
  out << fmt::format("{}: {:.1f} ms a step, the fastest of {} {:.1f}\n", printable(t.device),
                     1e3 * t.median(), t.seconds.size(), 1e3 * t.fastest());
  out << fmt::format("  {}; batch {}, latents {} × {}; {} planned\n", printable(t.plan),
                     t.shape.batch, t.shape.width, t.shape.height, bytes_text(t.peak_bytes));
  if (!t.why_not_replayed.empty()) {
    out << "  kernel by kernel: " << printable(t.why_not_replayed.text()) << '\n';
  }
}

void time_on_device(CommandSession& session, const JobSpec& job, const BenchOptions& o) {
  TerminalObserver people(session, o.timing.warm_up + o.timing.steps);
  const StepTiming timing =
      time_steps(job, o.timing, [&people](RunPhase phase, std::int64_t done, std::int64_t total) {
        people.on_progress(phase, done, total);
      });
  people.finish();
  if (session.json) {
    write_event(session.out(), timing_event(timing));
  } else {
    print_timing(session.out(), timing);
  }
  const CardSpec* card = o.card.empty() ? card_by_device_name(timing.card) : &card_by_id(o.card);
  if (card != nullptr) {
    show_roofline(session, job, *card, 1);
  }
}

int bench(CommandSession& session, const BenchOptions& o) {
  if (o.roofline == o.step) {
    throw Error(message<"bench takes either --roofline, which estimates a step on a card, or "
                        "--step, which times steps on this machine">());
  }
  if (o.ranks > 1 && !o.roofline) {
    throw Error(message<"--ranks goes with --roofline: steps are timed in one process">());
  }
  const JobSpec job = bench_job(session, o);
  if (o.step) {
    time_on_device(session, job, o);
  } else if (o.card.empty()) {
    throw Error(message<"--roofline needs --card, the card to estimate for">());
  } else {
    show_roofline(session, job, card_by_id(o.card), o.ranks);
  }
  session.out() << std::flush;
  return 0;
}

void add_timing_options(CLI::App& command, BenchOptions& o) {
  command.add_option("--device", o.device, "With --step: cpu or cuda:N")->type_name("DEVICE");
  command
      .add_option("--steps", o.timing.steps, "With --step: steps timed, after a few that aren't")
      ->type_name("N")
      ->check(whole_number(1, 10000))
      ->capture_default_str();
  command.add_flag("--deterministic", o.deterministic,
                   "With --step: as in a run that is bit-exact on a GPU");
  add_size(command, "--memory-budget", o.memory_budget,
           "With --step: what the steps may take of the card, as in train");
}

}  // namespace

void add_bench(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "bench", "What a training step costs: estimated for a card, or timed on this machine");
  const auto o = std::make_shared<BenchOptions>();
  command->add_flag("--roofline", o->roofline,
                    "Price the recorded step by kind of op: ms, FLOP, bytes, nodes, memory; needs "
                    "no card");
  command->add_flag("--step", o->step,
                    "Time optimizer steps on random inputs; on a card with known rates, show the "
                    "estimate too");
  command->add_option("PRESET", o->preset, "A preset file, or the name of a built-in preset")
      ->type_name("PRESET")
      ->required();
  command
      ->add_option("--base", o->base,
                   "Base model: .safetensors, .gguf, diffusers folder, demo or demo-z-image")
      ->type_name("PATH")
      ->required();
  std::vector<std::string> cards;
  for (const CardSpec& card : card_table()) {
    cards.emplace_back(card.id);
  }
  command->add_option("--card", o->card, "The card to estimate for")
      ->type_name("CARD")
      ->check(one_of(cards));
  command
      ->add_option("--ranks", o->ranks,
                   "With --roofline: images per second of up to N cards over several kinds of link")
      ->type_name("N")
      ->check(whole_number(1, 4096));
  add_timing_options(*command, *o);
  for (const char* timing : {"--device", "--steps", "--deterministic", "--memory-budget"}) {
    command->get_option("--roofline")->excludes(timing);
  }
  command->add_option("--resolution", o->resolution, "In place of the preset's data.resolution")
      ->type_name("N")
      ->check(whole_number(16, 4096));
  command->add_option("--batch", o->batch, "In place of the preset's data.batch_size")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  add_set_option(*command, o->set);
  on_call(*command, session, action, o, bench);
}

}  // namespace mantissa
