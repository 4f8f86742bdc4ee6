#include "tests/kernels/golden_cases.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace mantissa::testing {

Tensor::Tensor(DType dtype, const Shape& shape)
    : bytes(static_cast<std::size_t>(shape.count()) * dtype_size(dtype)),
      view(bytes.data(), dtype, shape) {}

double Tensor::get(std::int64_t i) const {
  return dispatch_float(view.dtype, [&]<typename T>() {
    return static_cast<double>(static_cast<accumulator_t<T>>(view.as<T>()[i]));
  });
}

void Tensor::set(std::int64_t i, double value) {
  dispatch_float(view.dtype,
                 [&]<typename T>() { view.as<T>()[i] = T(static_cast<accumulator_t<T>>(value)); });
}

std::vector<float> hash_values(std::uint64_t seed, std::int64_t count, float scale, float offset) {
  std::vector<float> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    auto h = static_cast<std::uint32_t>(i + seed * 7919);
    h ^= h >> 16;
    h *= 0x7FEB352Du;
    h ^= h >> 15;
    h *= 0x846CA68Bu;
    h ^= h >> 16;
    const float unit = static_cast<float>(h >> 8) * 0x1p-23F - 1.0F;
    // Two roundings, as in the script: no fused multiply-add here.
    const volatile float product = unit * scale;
    out[i] = product + offset;
  }
  return out;
}

View half_of(const View& both, int which) {
  const std::int64_t width = both.cols() / 2;
  View half = both;
  half.shape[-1] = width;
  half.data = both.as<char>() + stored_bytes(both.dtype, which * width);
  return half;
}

Tensor hash_tensor(DType dtype, const Shape& shape, std::uint64_t seed, float scale, float offset) {
  Tensor t(dtype, shape);
  const std::vector<float> values = hash_values(seed, shape.count(), scale, offset);
  for (std::size_t i = 0; i < values.size(); ++i) {
    t.set(static_cast<std::int64_t>(i), static_cast<double>(values[i]));
  }
  return t;
}

double GoldenCase::number(const std::string& key) const {
  const auto it = options.find(key);
  return it == options.end() ? 0.0 : std::stod(it->second);
}

namespace {

Shape parse_shape(const std::string& text) {
  Shape shape;
  if (text != "scalar") {
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, 'x');) {
      shape.push_back(std::stoll(part));
    }
  }
  return shape;
}

}  // namespace

std::vector<GoldenCase> load_golden_cases() {
  const std::string base = std::string(MANTISSA_TEST_DATA) + "/golden/kernels";
  std::ifstream index(base + ".txt"), data(base + ".bin", std::ios::binary);
  if (!index || !data) {
    throw std::runtime_error("can't read " + base + ".txt and .bin");
  }
  std::vector<GoldenCase> cases;
  for (std::string line; std::getline(index, line);) {
    std::istringstream words(line);
    std::string kind, name, dims;
    words >> kind >> name;
    if (kind == "case") {
      cases.emplace_back();
      cases.back().op = name;
      cases.back().title = line;
      for (std::string option; words >> option;) {
        const std::size_t at = option.find('=');
        cases.back().options[option.substr(0, at)] = option.substr(at + 1);
      }
    } else if (kind == "in") {
      GoldenCase::Input in;
      words >> dims >> in.seed >> in.scale >> in.offset;
      in.shape = parse_shape(dims);
      cases.back().inputs[name] = in;
    } else if (kind == "ids") {
      std::size_t count = 0;
      words >> count;
      std::vector<std::int32_t> ids(count);
      for (std::int32_t& id : ids) {
        words >> id;
      }
      cases.back().ids[name] = ids;
    } else {
      GoldenCase::Output out;
      words >> dims >> out.start;
      out.start = out.start == "-" ? "" : out.start;
      out.shape = parse_shape(dims);
      out.expected.resize(static_cast<std::size_t>(out.shape.count()));
      data.read(reinterpret_cast<char*>(out.expected.data()),
                static_cast<std::streamsize>(out.expected.size() * sizeof(double)));
      cases.back().outputs[name] = out;
    }
    if (!words && !words.eof()) {
      throw std::runtime_error("bad line in kernels.txt: " + line);
    }
  }
  if (!data || data.peek() != std::char_traits<char>::eof()) {
    throw std::runtime_error("kernels.bin and kernels.txt disagree");
  }
  return cases;
}

namespace {

/// The context of an op's runner: views by name; an absent input is an empty view.
class Run {
 public:
  Run(Kernels& k, const GoldenCase& c, DType dtype, const RunOptions& options)
      : kernels(k), golden(c), dtype_(dtype), options_(options) {}

  Kernels& kernels;
  const GoldenCase& golden;

  DType wide() const { return dtype_ == DType::f64 ? DType::f64 : DType::f32; }
  View in(const std::string& name) { return input(name, dtype_, true); }
  View wide_in(const std::string& name) { return input(name, wide(), false); }
  View ids(const std::string& name) {
    const std::vector<std::int32_t>& ids = golden.ids.at(name);
    Tensor& t = inputs_[name] = Tensor(DType::i32, {static_cast<std::int64_t>(ids.size())});
    std::memcpy(t.view.data, ids.data(), t.bytes.size());
    return t.view;
  }
  View out(const std::string& name) { return output(name, dtype_, true); }
  View wide_out(const std::string& name) { return output(name, wide(), false); }
  View optional_wide_out(const std::string& name) {
    return golden.outputs.count(name) != 0 ? wide_out(name) : View{};
  }
  /// A view the op needs but the case doesn't check.
  View spare(DType dtype, const Shape& shape) {
    Tensor& t = inputs_["spare" + std::to_string(inputs_.size())];
    t = Tensor(dtype, shape);
    return t.view;
  }
  int integer(const std::string& key) const { return static_cast<int>(golden.number(key)); }
  float real(const std::string& key) const { return static_cast<float>(golden.number(key)); }

  Results results;

 private:
  Tensor make(const GoldenCase::Input& from, DType dtype, bool narrow) const {
    Tensor t = hash_tensor(dtype, from.shape, from.seed, from.scale, from.offset);
    // Statistics, and weights and gradients stored wide, are not rounded.
    if (narrow) {
      const Tensor rounded =
          hash_tensor(options_.rounded_to, from.shape, from.seed, from.scale, from.offset);
      for (std::int64_t i = 0; i < from.shape.count(); ++i) {
        t.set(i, rounded.get(i));
      }
    }
    return t;
  }
  View input(const std::string& name, DType dtype, bool narrow) {
    const auto it = golden.inputs.find(name);
    if (it == golden.inputs.end()) {
      return {};
    }
    const GoldenCase::Input& from = it->second;
    Tensor& t = inputs_[name] = make(from, dtype, narrow);
    if (name == options_.poison) {
      t.set(0, std::numeric_limits<double>::quiet_NaN());
    }
    for (std::int64_t i = 0; name == options_.positive && i < t.view.count(); ++i) {
      t.set(i, std::fabs(t.get(i)));
    }
    return t.view;
  }
  View output(const std::string& name, DType dtype, bool narrow) {
    const GoldenCase::Output& to = golden.outputs.at(name);
    Tensor t;
    if (to.start.empty()) {
      t = hash_tensor(dtype, to.shape, 999);  // an op must not rely on zeros
    } else {
      const GoldenCase::Input& from = golden.inputs.at(to.start);
      t = make(from, dtype, narrow);
      if (to.start == options_.poison) {
        t.set(0, std::numeric_limits<double>::quiet_NaN());
      }
    }
    return (results[name] = std::move(t)).view;
  }

  DType dtype_;
  RunOptions options_;
  std::map<std::string, Tensor> inputs_;
};

Unary unary_kind(const Run& r) {
  const std::string& name = r.golden.options.at("kind");
  for (Unary kind : kUnaries) {
    if (unary_name(kind) == name) {
      return kind;
    }
  }
  throw std::runtime_error("no Unary is called " + name);
}
RandomKey random_key(const Run& r) {
  const auto& o = r.golden.options;
  return {std::stoull(o.at("seed")), static_cast<std::uint32_t>(r.integer("stream")),
          static_cast<std::uint32_t>(r.integer("step")),
          static_cast<std::uint32_t>(r.integer("sample"))};
}
ConvOptions conv_options(const Run& r) {
  return {r.integer("stride"), r.integer("top"), r.integer("left"), r.integer("bottom"),
          r.integer("right")};
}
AttentionOptions attention_options(const Run& r) {
  return {r.integer("heads"), r.real("scale"), r.integer("causal") != 0, r.integer("kv_heads")};
}

AttentionBias attention_bias(Run& r) {
  return {r.wide_in("score_bias"), r.wide_in("key_bias")};
}

const std::map<std::string, std::function<void(Run&)>>& runners() {
  static const std::map<std::string, std::function<void(Run&)>> kRunners = {
      {"copy", [](Run& r) { r.kernels.copy(r.in("in"), r.out("out")); }},
      {"fill", [](Run& r) { r.kernels.fill(r.out("out"), r.real("value")); }},
      {"gather_tokens",
       [](Run& r) { r.kernels.gather_tokens(r.in("in"), r.ids("index"), r.out("out")); }},
      {"scatter_tokens",
       [](Run& r) { r.kernels.scatter_tokens(r.in("d_out"), r.ids("index"), r.out("d_in")); }},
      {"swap_middle", [](Run& r) { r.kernels.swap_middle(r.in("in"), r.out("out")); }},
      {"embedding", [](Run& r) { r.kernels.embedding(r.in("table"), r.ids("ids"), r.out("out")); }},
      {"embedding_backward",
       [](Run& r) {
         r.kernels.embedding_backward(r.in("d_out"), r.ids("ids"), r.wide_out("d_table"));
       }},
      {"add", [](Run& r) { r.kernels.add(r.in("a"), r.in("b"), r.out("out")); }},
      {"multiply", [](Run& r) { r.kernels.multiply(r.in("a"), r.in("b"), r.out("out")); }},
      {"scale", [](Run& r) { r.kernels.scale(r.in("in"), r.real("factor"), r.out("out")); }},
      {"add_per_sample",
       [](Run& r) { r.kernels.add_per_sample(r.in("x"), r.in("t"), r.out("out")); }},
      {"sum_per_sample",
       [](Run& r) {
         r.kernels.sum_per_sample(r.in("x"), r.wide_out("out"), r.integer("accumulate") != 0);
       }},
      {"modulate",
       [](Run& r) { r.kernels.modulate(r.in("x"), r.in("scale"), r.in("shift"), r.out("out")); }},
      {"gated_add",
       [](Run& r) { r.kernels.gated_add(r.in("x"), r.in("y"), r.in("gate"), r.out("out")); }},
      {"dot_per_sample",
       [](Run& r) { r.kernels.dot_per_sample(r.in("x"), r.in("y"), r.wide_out("out")); }},
      {"unary", [](Run& r) { r.kernels.unary(unary_kind(r), r.in("in"), r.out("out")); }},
      {"unary_backward",
       [](Run& r) {
         r.kernels.unary_backward(unary_kind(r), r.in("d_out"), r.in("in"), r.out("d_in"));
       }},
      {"geglu",
       [](Run& r) {
         const View in = r.in("in");
         r.kernels.glu(Unary::gelu_erf, half_of(in, 1), half_of(in, 0), r.out("out"));
       }},
      {"geglu_backward",
       [](Run& r) {
         const View in = r.in("in"), d_in = r.out("d_in");
         r.kernels.glu_backward(Unary::gelu_erf, r.in("d_out"), half_of(in, 1), half_of(in, 0),
                                half_of(d_in, 1), half_of(d_in, 0));
       }},
      {"glu",
       [](Run& r) { r.kernels.glu(unary_kind(r), r.in("gate"), r.in("value"), r.out("out")); }},
      {"glu_backward",
       [](Run& r) {
         r.kernels.glu_backward(unary_kind(r), r.in("d_out"), r.in("gate"), r.in("value"),
                                r.out("d_gate"), r.out("d_value"));
       }},
      {"dropout",
       [](Run& r) { r.kernels.dropout(r.in("in"), r.real("p"), random_key(r), r.out("out")); }},
      {"matmul",
       [](Run& r) {
         r.kernels.matmul(
             r.in("a"), r.in("b"), r.in("bias"),
             r.integer("sums") != 0 ? r.wide_out("out") : r.out("out"),
             {r.integer("ta") != 0, r.integer("tb") != 0, r.real("alpha"), r.real("beta")});
       }},
      {"conv2d",
       [](Run& r) {
         r.kernels.conv2d(r.in("x"), r.in("weight"), r.in("bias"), r.out("out"), conv_options(r),
                          r.integer("accumulate") != 0);
       }},
      {"conv2d_backward_data",
       [](Run& r) {
         r.kernels.conv2d_backward_data(r.in("d_out"), r.in("weight"), r.out("d_x"),
                                        conv_options(r), r.integer("accumulate") != 0);
       }},
      {"conv2d_backward_weight",
       [](Run& r) {
         r.kernels.conv2d_backward_weight(r.in("x"), r.in("d_out"), r.wide_out("d_weight"),
                                          conv_options(r), r.integer("accumulate") != 0);
       }},
      {"attention",
       [](Run& r) {
         r.kernels.attention(r.in("q"), r.in("k"), r.in("v"), attention_bias(r), r.out("out"),
                             r.wide_out("log_sum_exp"), attention_options(r));
       }},
      {"attention_backward",
       [](Run& r) {
         const View q = r.in("q"), k = r.in("k"), v = r.in("v");
         const AttentionOptions o = attention_options(r);
         const View out = r.spare(q.dtype, q.shape);
         const View lse = r.spare(r.wide(), {q.shape[0], o.heads, q.shape[1]});
         const AttentionBias bias = attention_bias(r);
         r.kernels.attention(q, k, v, bias, out, lse, o);
         r.kernels.attention_backward(q, k, v, bias, out, lse, r.in("d_out"), r.out("d_q"),
                                      r.out("d_k"), r.out("d_v"), o);
       }},
      {"rope",
       [](Run& r) {
         r.kernels.rope(r.in("x"), r.wide_in("cos"), r.wide_in("sin"), r.out("out"),
                        {r.integer("heads"),
                         r.integer("halves") != 0 ? RopePairs::halves : RopePairs::interleaved,
                         r.integer("inverse") != 0});
       }},
      {"group_norm",
       [](Run& r) {
         r.kernels.group_norm(r.in("x"), r.in("gamma"), r.in("beta"), r.out("out"),
                              r.wide_out("statistics"), r.integer("groups"), r.real("eps"),
                              r.integer("silu") != 0);
       }},
      {"group_norm_backward",
       [](Run& r) {
         const View x = r.in("x"), gamma = r.wide_in("gamma"), beta = r.wide_in("beta");
         const View y = r.spare(x.dtype, x.shape);
         const View statistics = r.spare(r.wide(), {x.shape[0], r.integer("groups"), 2});
         const bool silu = r.integer("silu") != 0;
         r.kernels.group_norm(x, gamma, beta, y, statistics, r.integer("groups"), r.real("eps"),
                              silu);
         r.kernels.group_norm_backward(r.in("d_out"), x, gamma, beta, statistics, r.out("d_x"),
                                       r.wide_out("d_gamma"), r.wide_out("d_beta"),
                                       r.integer("groups"), silu);
       }},
      {"layer_norm",
       [](Run& r) {
         r.kernels.layer_norm(r.in("x"), r.in("gamma"), r.in("beta"), r.out("out"),
                              r.wide_out("statistics"), r.real("eps"));
       }},
      {"layer_norm_backward",
       [](Run& r) {
         const View x = r.in("x"), gamma = r.wide_in("gamma"), beta = r.wide_in("beta");
         const View y = r.spare(x.dtype, x.shape);
         const View statistics = r.spare(r.wide(), {x.rows(), 2});
         r.kernels.layer_norm(x, gamma, beta, y, statistics, r.real("eps"));
         r.kernels.layer_norm_backward(r.in("d_out"), x, gamma, statistics, {}, r.out("d_x"),
                                       r.optional_wide_out("d_gamma"),
                                       r.optional_wide_out("d_beta"));
       }},
      {"rms_norm",
       [](Run& r) {
         r.kernels.rms_norm(r.in("x"), r.in("gamma"), r.out("out"), r.wide_out("statistics"),
                            r.real("eps"), r.integer("unit_offset") != 0);
       }},
      {"rms_norm_backward",
       [](Run& r) {
         const View x = r.in("x"), gamma = r.wide_in("gamma");
         const View y = r.spare(x.dtype, x.shape);
         const View statistics = r.spare(r.wide(), {x.rows(), 2});
         const bool unit_offset = r.integer("unit_offset") != 0;
         r.kernels.rms_norm(x, gamma, y, statistics, r.real("eps"), unit_offset);
         r.kernels.rms_norm_backward(r.in("d_out"), x, gamma, statistics, r.out("d_x"),
                                     r.optional_wide_out("d_gamma"), unit_offset);
       }},
      {"upsample_nearest", [](Run& r) { r.kernels.upsample_nearest(r.in("in"), r.out("out")); }},
      {"upsample_nearest_backward",
       [](Run& r) { r.kernels.upsample_nearest_backward(r.in("d_out"), r.out("d_in")); }},
      {"timestep_embedding",
       [](Run& r) { r.kernels.timestep_embedding(r.wide_in("t"), r.out("out")); }},
      {"normal", [](Run& r) { r.kernels.normal(r.out("out"), random_key(r)); }},
      {"add_noise",
       [](Run& r) {
         r.kernels.add_noise(r.in("x"), r.in("noise"), r.wide_in("a"), r.wide_in("s"),
                             r.out("out"));
       }},
      {"mse_loss",
       [](Run& r) {
         r.kernels.mse_loss(r.in("prediction"), r.in("target"), r.wide_in("weight"),
                            r.wide_out("per_sample"), r.wide_out("loss"));
       }},
      {"mse_loss_backward",
       [](Run& r) {
         r.kernels.mse_loss_backward(r.wide_in("d_loss"), r.in("prediction"), r.in("target"),
                                     r.wide_in("weight"), r.out("d_prediction"));
       }},
      {"huber_loss",
       [](Run& r) {
         r.kernels.huber_loss(r.in("prediction"), r.in("target"), r.wide_in("weight"),
                              r.wide_in("width"), r.wide_out("per_sample"), r.wide_out("loss"));
       }},
      {"huber_loss_backward",
       [](Run& r) {
         r.kernels.huber_loss_backward(r.wide_in("d_loss"), r.in("prediction"), r.in("target"),
                                       r.wide_in("weight"), r.wide_in("width"),
                                       r.out("d_prediction"));
       }},
      {"sum_of_squares",
       [](Run& r) {
         Tensor t(DType::f64, {});
         t.set(0, r.kernels.sum_of_squares(r.in("x")));
         r.results["result"] = std::move(t);
       }},
      {"count_non_finite",
       [](Run& r) {
         Tensor t(DType::f64, {});
         t.set(0, static_cast<double>(r.kernels.count_non_finite(r.in("x"))));
         r.results["result"] = std::move(t);
       }},
      {"optimizer_step",
       [](Run& r) {
         UpdateOptions o;
         o.learning_rate = r.real("lr");
         o.beta1 = r.real("beta1");
         o.beta2 = r.real("beta2");
         o.eps = r.real("eps");
         o.weight_decay = r.real("decay");
         o.grad_scale = r.real("grad_scale");
         o.correction1 = r.real("c1");
         o.correction2 = r.real("c2");
         ParameterUpdate u;
         u.parameter = r.out("parameter");
         u.gradient = r.in("gradient");
         u.m.values = r.out("m");
         u.v.values = r.out("v");
         r.kernels.optimizer_step({&u, 1}, o);
       }},
      {"ema", [](Run& r) { r.kernels.ema(r.in("x"), r.real("decay"), r.out("average")); }},
  };
  return kRunners;
}

}  // namespace

Results run_case(Kernels& kernels, const GoldenCase& c, DType dtype, const RunOptions& options) {
  Run run(kernels, c, dtype, options);
  runners().at(c.op)(run);
  return std::move(run.results);
}

std::vector<std::string> known_ops() {
  std::vector<std::string> names;
  for (const auto& [name, runner] : runners()) {
    names.push_back(name);
  }
  return names;
}

}  // namespace mantissa::testing
