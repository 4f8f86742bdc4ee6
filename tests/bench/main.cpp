// mantissa_bench: Google Benchmark by default; five more modes for compare_pytorch.py and for
// finding hot spots:
//   --compare WORKLOAD,WORKLOAD… [--steps N]      alternating steps, relative to the first workload
//   --measure WORKLOAD [--steps N] [--warmup N]   seconds of each step as one JSON object
//   --dump WORKLOAD FILE                          inputs, weights, loss and gradients
//   --profile WORKLOAD [--steps N]                time by op and by place
//   --health WORKLOAD [--steps N]                 cost of layer statistics
// and for all: [--device cpu|cuda:0] [--threads N] [--base FILE]

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/plan/backend.h"
#include "engine/precision/health_watch.h"
#include "engine/run/run.h"
#include "kernels/cpu/cpu.h"
#include "tests/bench/workload.h"

namespace mantissa::bench {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string json_list(const std::vector<double>& values) {
  return fmt::format("[{:.6g}]", fmt::join(values, ", "));
}

void measure(Workload& w, const std::string& name, int steps, int warmup) {
  std::vector<double> train, infer;
  for (int i = 0; i < warmup + steps; ++i) {
    const double took = seconds_of([&] { w.train_step(); });
    if (i >= warmup) {
      train.push_back(took);
    }
  }
  for (int i = 0; i < warmup + steps; ++i) {
    const double took = seconds_of([&] { w.infer(); });
    if (i >= warmup) {
      infer.push_back(took);
    }
  }
  fmt::print("{{\"workload\": \"{}\", \"train_seconds\": {}, \"infer_seconds\": {}}}\n", name,
             json_list(train), json_list(infer));
}

/// Processor seconds say more than the clock where other programs run; they count all threads, a
/// waiting one too, so use one thread.
void compare(std::vector<std::unique_ptr<Workload>> workloads,
             const std::vector<std::string>& names, int steps, int warmup) {
  std::vector<std::vector<double>> wall(names.size()), cpu(names.size());
  for (int i = 0; i < warmup + steps; ++i) {
    for (std::size_t w = 0; w < names.size(); ++w) {
      const std::clock_t start = std::clock();
      const double took = seconds_of([&] { workloads[w]->train_step(); });
      if (i >= warmup) {
        wall[w].push_back(took);
        cpu[w].push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
      }
    }
  }
  const auto best = [](const std::vector<double>& v) {
    return *std::min_element(v.begin(), v.end());
  };
  const auto median = [](std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  // Steps of one round run under the same load: the median of their ratios is the steadiest.
  const auto ratio = [&](const std::vector<double>& v, const std::vector<double>& first) {
    std::vector<double> ratios(v.size());
    std::transform(v.begin(), v.end(), first.begin(), ratios.begin(), std::divides<>());
    return median(ratios);
  };
  for (std::size_t w = 0; w < names.size(); ++w) {
    fmt::print(
        "{:20} clock: best {:8.2f} ms, median {:8.2f} ms, {:.3f}x; processor: best {:8.2f} ms, "
        "median {:8.2f} ms, {:.3f}x\n",
        names[w], 1e3 * best(wall[w]), 1e3 * median(wall[w]), ratio(wall[w], wall[0]),
        1e3 * best(cpu[w]), 1e3 * median(cpu[w]), ratio(cpu[w], cpu[0]));
  }
}

void print_table(const char* title, const std::map<std::string, std::pair<double, int>>& rows,
                 int steps, std::size_t limit) {
  std::vector<std::pair<std::string, std::pair<double, int>>> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  double total = 0;
  for (const auto& [key, row] : sorted) {
    total += row.first;
  }
  fmt::print("{} (all {:.3f} ms a step)\n", title, 1e3 * total / steps);
  for (std::size_t i = 0; i < std::min(limit, sorted.size()); ++i) {
    const auto& [key, row] = sorted[i];
    fmt::print("  {:8.3f} ms {:5.1f} % {:5d} calls  {}\n", 1e3 * row.first / steps,
               100 * row.first / total, row.second / steps, key);
  }
}

void profile(Workload& w, int steps) {
  std::map<std::string, std::pair<double, int>> by_op, by_place;
  for (int i = 0; i < 3; ++i) {
    w.train_step();
  }
  w.executor().set_timer([&](const char* op, const std::string& path, double seconds) {
    for (auto* row : {&by_op[op], &by_place[fmt::format("{} {}", op, path)]}) {
      row->first += seconds;
      ++row->second;
    }
  });
  double whole = 0, graph = 0;
  for (int i = 0; i < steps; ++i) {
    whole += seconds_of([&] { w.train_step(); });
  }
  w.executor().set_timer(nullptr);
  for (const auto& [op, row] : by_op) {
    graph += row.first;
  }
  print_table("by op", by_op, steps, 40);
  print_table("by place", by_place, steps, 40);
  fmt::print("whole step {:.3f} ms, outside ops {:.3f} ms\n", 1e3 * whole / steps,
             1e3 * (whole - graph) / steps);
}

/// Steps with and without layer statistics, alternating.
void health(Workload& w, const std::string& name, int steps, int warmup) {
  const HealthWatch watch(w.executor().graph());
  StatisticsQueue queue;
  std::vector<double> plain, looked;
  std::size_t rows = 0;
  for (int i = 0; i < warmup + steps; ++i) {
    const double a = seconds_of([&] { w.train_step(); });
    HealthRecord record;
    w.executor().set_watch(watch.look(record, queue));
    const double b = seconds_of([&] {
      w.train_step();
      take_statistics(queue, record);
    });
    w.executor().set_watch({});
    rows = record.rows.size();
    if (i >= warmup) {
      plain.push_back(a);
      looked.push_back(b);
    }
  }
  const auto median = [](std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
  };
  const double step = median(plain), look = median(looked) - step;
  const auto every = static_cast<double>(JobSpec{}.health_every);
  fmt::print(
      "{{\"workload\": \"{}\", \"tensors\": {}, \"step_ms\": {:.3f}, \"look_ms\": {:.3f}, "
      "\"share_every_{}\": {:.5f}}}\n",
      name, rows, 1e3 * step, 1e3 * look, every, look / (every * step));
}

struct Options {
  std::vector<std::string> others;  ///< for Google Benchmark
  std::string measure, compare, dump, dump_file, profile, health, device = "cpu";
  std::string base = MANTISSA_DEMO_BASE;
  int steps = 20, warmup = 5, threads = 0;
};

Options parse(int argc, char** argv) {
  Options o;
  const std::map<std::string, std::string*> texts{
      {"--measure", &o.measure}, {"--compare", &o.compare}, {"--profile", &o.profile},
      {"--health", &o.health},   {"--device", &o.device},   {"--base", &o.base}};
  const std::map<std::string, int*> numbers{
      {"--steps", &o.steps}, {"--warmup", &o.warmup}, {"--threads", &o.threads}};
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (texts.contains(name) && i + 1 < argc) {
      *texts.at(name) = argv[++i];
    } else if (numbers.contains(name) && i + 1 < argc) {
      *numbers.at(name) = std::stoi(argv[++i]);
    } else if (name == "--dump" && i + 2 < argc) {
      o.dump = argv[++i];
      o.dump_file = argv[++i];
    } else {
      o.others.push_back(name);
    }
  }
  return o;
}

int run_benchmarks(Kernels& kernels, const Options& o, char* program) {
  for (const std::string& name : workload_names()) {
    benchmark::RegisterBenchmark((name + "/train_step").c_str(),
                                 [&, name](benchmark::State& s) {
                                   const auto w = make_workload(name, kernels, o.base);
                                   w->train_step();
                                   for (auto _ : s) {
                                     benchmark::DoNotOptimize(w->train_step());
                                   }
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    benchmark::RegisterBenchmark((name + "/inference").c_str(),
                                 [&, name](benchmark::State& s) {
                                   const auto w = make_workload(name, kernels, o.base);
                                   w->infer();
                                   for (auto _ : s) {
                                     w->infer();
                                   }
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  std::vector<std::string> others = o.others;
  std::vector<char*> arguments{program};
  for (std::string& other : others) {
    arguments.push_back(other.data());
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

int run(int argc, char** argv) {
  const Options o = parse(argc, argv);
  const auto kernels =
      o.device == "cpu" ? make_cpu_kernels(o.threads) : make_backend(o.device, false);
  if (!o.measure.empty()) {
    measure(*make_workload(o.measure, *kernels, o.base), o.measure, o.steps, o.warmup);
  } else if (!o.compare.empty()) {
    std::vector<std::string> names;
    std::vector<std::unique_ptr<Workload>> workloads;
    std::stringstream list(o.compare);
    for (std::string name; std::getline(list, name, ',');) {
      workloads.push_back(make_workload(name, *kernels, o.base));
      names.push_back(name);
    }
    compare(std::move(workloads), names, o.steps, o.warmup);
  } else if (!o.dump.empty()) {
    make_workload(o.dump, *kernels, o.base)->dump(o.dump_file);
  } else if (!o.profile.empty()) {
    profile(*make_workload(o.profile, *kernels, o.base), o.steps);
  } else if (!o.health.empty()) {
    health(*make_workload(o.health, *kernels, o.base), o.health, o.steps, o.warmup);
  } else {
    return run_benchmarks(*kernels, o, argv[0]);
  }
  return 0;
}

}  // namespace
}  // namespace mantissa::bench

int main(int argc, char** argv) {
  try {
    return mantissa::bench::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "mantissa_bench: {}\n", e.what());
    return 2;
  }
}
