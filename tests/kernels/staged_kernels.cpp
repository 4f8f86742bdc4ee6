#include "tests/kernels/staged_kernels.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/block_codes.h"

namespace mantissa::testing {

namespace {

constexpr std::size_t kAlignment = 256;

/// The views of one call, on the device.
class Stage {
 public:
  explicit Stage(Kernels& device) : device_(device) {}
  ~Stage() {
    for (const Block& block : blocks_) {
      device_.release(block.memory);
    }
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Adds a view; `data` points to the device after `move_in`.
  void add(View& v) {
    if (v.data != nullptr && v.count() > 0) {
      views_.push_back(&v);
    }
  }
  template <typename T>
  void add(T&) {}  // arguments other than views are unchanged
  void add(MatmulOptions& o) { add(o.addend); }
  void add(AttentionBias& b) {
    add(b.scores);
    add(b.keys);
  }
  void add(DoraNormArgs& a) {
    for (View* v : {&a.weight, &a.weight_scale, &a.down, &a.up, &a.squares}) {
      add(*v);
    }
  }
  void add(std::vector<DoraFactorArgs>& layers) {
    for (DoraFactorArgs& l : layers) {
      add(l.layer);
      for (View* v : {&l.magnitude, &l.norm, &l.factor}) {
        add(*v);
      }
    }
  }
  void add(std::vector<MagnitudeGradient>& layers) {
    for (MagnitudeGradient& l : layers) {
      for (View* v : {&l.d_factor, &l.norm, &l.squares, &l.d_magnitude}) {
        add(*v);
      }
    }
  }
  void add(MomentView& m) {
    add(m.values);
    add(m.absmax);
  }
  void add(UpdateOptions& o) { add(o.cell); }
  void add(FactoredOptions& o) { add(o.cell); }
  void add(MuonOptions& o) { add(o.cell); }
  void add(std::vector<View>& views) {
    for (View& v : views) {
      add(v);
    }
  }
  void add(std::vector<ParameterUpdate>& tensors) {
    for (ParameterUpdate& u : tensors) {
      for (View* v : {&u.parameter, &u.gradient, &u.compensation, &u.start}) {
        add(*v);
      }
      for (MomentView* m : {&u.m, &u.v, &u.s}) {
        add(*m);
      }
    }
  }
  void add(std::vector<MuonUpdate>& tensors) {
    for (MuonUpdate& u : tensors) {
      add(u.gradient);
      add(u.direction);
      add(u.m);
    }
  }
  void add(std::vector<FactoredUpdate>& tensors) {
    for (FactoredUpdate& u : tensors) {
      for (View* v : {&u.parameter, &u.gradient, &u.compensation, &u.row, &u.col, &u.square,
                      &u.residual_row, &u.residual_col}) {
        add(*v);
      }
      add(u.m);
    }
  }

  void move_in() {
    for (const View* v : views_) {
      const auto begin = reinterpret_cast<std::uintptr_t>(v->data);
      blocks_.push_back({begin, begin + bytes_of(*v)});
    }
    std::sort(blocks_.begin(), blocks_.end(),
              [](const Block& a, const Block& b) { return a.begin < b.begin; });
    std::vector<Block> merged;
    for (const Block& b : blocks_) {
      if (!merged.empty() && b.begin <= merged.back().end) {  // halves of one row stay together
        merged.back().end = std::max(merged.back().end, b.end);
      } else {
        merged.push_back(b);
      }
    }
    blocks_ = std::move(merged);
    for (Block& b : blocks_) {
      const std::size_t shift = b.begin % kAlignment;
      b.memory = device_.allocate(b.end - b.begin + shift);
      b.data = static_cast<char*>(b.memory) + shift;
      device_.upload(reinterpret_cast<const void*>(b.begin), b.view());
    }
    for (View* v : views_) {
      const auto begin = reinterpret_cast<std::uintptr_t>(v->data);
      const auto block = std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& b) {
        return b.begin <= begin && begin < b.end;
      });
      v->data = block->data + (begin - block->begin);
    }
  }
  void move_out() {
    for (const Block& b : blocks_) {
      device_.download(b.view(), reinterpret_cast<void*>(b.begin));
    }
  }

 private:
  struct Block {
    std::uintptr_t begin = 0, end = 0;  ///< on the host
    void* memory = nullptr;
    char* data = nullptr;
    View view() const { return {data, DType::u8, {static_cast<std::int64_t>(end - begin)}}; }
  };
  static std::size_t bytes_of(const View& v) {
    const std::int64_t elements = (v.rows() - 1) * v.row_stride + v.cols();
    return stored_bytes(v.dtype, elements);
  }

  Kernels& device_;
  std::vector<View*> views_;
  std::vector<Block> blocks_;
};

class StagedKernels final : public Kernels {
  /// Calls `method` of the device with the views among `arguments` moved there.
  template <typename Result, typename... Parameters, typename... Arguments>
  Result staged(Result (Kernels::*method)(Parameters...), Arguments... arguments) {
    Stage stage(*device_);
    (stage.add(arguments), ...);
    stage.move_in();
    if constexpr (std::is_void_v<Result>) {
      (*device_.*method)(arguments...);
      stage.move_out();
    } else {
      const Result result = (*device_.*method)(arguments...);
      stage.move_out();
      return result;
    }
  }

 public:
  explicit StagedKernels(std::unique_ptr<Kernels> device) : device_(std::move(device)) {}

  std::string name() const override { return device_->name(); }
  void* allocate(std::size_t bytes) override {
    const std::size_t rounded = (bytes + kAlignment) / kAlignment * kAlignment;
    void* data = ::operator new(rounded, std::align_val_t(kAlignment));
    std::memset(data, 0, rounded);
    return data;
  }
  void release(void* data) override { ::operator delete(data, std::align_val_t(kAlignment)); }
  std::size_t constant_bytes() const override { return device_->constant_bytes(); }
  std::size_t scratch_bytes() const override { return device_->scratch_bytes(); }
  std::uint64_t allocations() const override { return device_->allocations(); }
  void settle_scratch() override { device_->settle_scratch(); }
  void release_constants() override { device_->release_constants(); }
  void synchronize() override { device_->synchronize(); }
  DeviceMemory memory() const override { return device_->memory(); }
  std::vector<std::string> take_notices() override { return device_->take_notices(); }
  bool host_memory() const override { return true; }
  void upload(const void* host, const View& out) override {
    std::memcpy(out.data, host, static_cast<std::size_t>(out.count()) * dtype_size(out.dtype));
  }
  void download(const View& in, void* host) override {
    std::memcpy(host, in.data, static_cast<std::size_t>(in.count()) * dtype_size(in.dtype));
  }
  void draw_normal(std::span<float> out, const RandomKey& key) override {
    device_->draw_normal(out, key);
  }
  void begin_run(std::uint64_t seed, std::uint32_t step) override {
    device_->begin_run(seed, step);
  }
  void* allocate_host(std::size_t bytes) override { return allocate(bytes); }
  void release_host(void* data) override { release(data); }
  void prefetch(int, std::span<const Transfer> transfers) override {
    for (const Transfer& t : transfers) {
      std::memcpy(t.device, t.host, t.bytes);
    }
  }
  void await_prefetch(int) override {}
  std::unique_ptr<Recording> record(const std::function<void()>&) override { return nullptr; }

  void copy(const View& in, const View& out) override { staged(&Kernels::copy, in, out); }
  void fill(const View& out, float value) override { staged(&Kernels::fill, out, value); }
  void gather_tokens(const View& in, const View& index, const View& out) override {
    staged(&Kernels::gather_tokens, in, index, out);
  }
  void scatter_tokens(const View& d_out, const View& index, const View& d_in) override {
    staged(&Kernels::scatter_tokens, d_out, index, d_in);
  }
  void swap_middle(const View& in, const View& out) override {
    staged(&Kernels::swap_middle, in, out);
  }
  void embedding(const View& table, const View& ids, const View& out) override {
    staged(&Kernels::embedding, table, ids, out);
  }
  void embedding_backward(const View& d_out, const View& ids, const View& d_table) override {
    staged(&Kernels::embedding_backward, d_out, ids, d_table);
  }
  void quantize(const View& in, const View& column_factor, const View& out, const View& scale,
                const View& delayed) override {
    staged(&Kernels::quantize, in, column_factor, out, scale, delayed);
  }
  void dequantize(const View& in, const View& scale, const View& out) override {
    staged(&Kernels::dequantize, in, scale, out);
  }
  void rotate(const View& in, const View& addend, const View& out) override {
    staged(&Kernels::rotate, in, addend, out);
  }
  TensorStatistics tensor_statistics(const View& x, const View& column_factor, DType format,
                                     const View& scale) override {
    return staged(&Kernels::tensor_statistics, x, column_factor, format, scale);
  }
  void queue_statistics(const View& x, const View& column_factor, DType format,
                        const View& scale) override {
    staged(&Kernels::queue_statistics, x, column_factor, format, scale);
  }
  std::vector<TensorStatistics> take_statistics() override { return device_->take_statistics(); }
  void add(const View& a, const View& b, const View& out) override {
    staged(&Kernels::add, a, b, out);
  }
  void multiply(const View& a, const View& b, const View& out) override {
    staged(&Kernels::multiply, a, b, out);
  }
  void scale(const View& in, float factor, const View& out) override {
    staged(&Kernels::scale, in, factor, out);
  }
  void add_per_sample(const View& x, const View& t, const View& out) override {
    staged(&Kernels::add_per_sample, x, t, out);
  }
  void sum_per_sample(const View& x, const View& out, bool accumulate) override {
    staged(&Kernels::sum_per_sample, x, out, accumulate);
  }
  void modulate(const View& x, const View& scale, const View& shift, const View& out) override {
    staged(&Kernels::modulate, x, scale, shift, out);
  }
  void gated_add(const View& x, const View& y, const View& gate, const View& out) override {
    staged(&Kernels::gated_add, x, y, gate, out);
  }
  void dot_per_sample(const View& x, const View& y, const View& out) override {
    staged(&Kernels::dot_per_sample, x, y, out);
  }
  void unary(Unary kind, const View& in, const View& out) override {
    staged(&Kernels::unary, kind, in, out);
  }
  void unary_backward(Unary kind, const View& d_out, const View& in, const View& d_in) override {
    staged(&Kernels::unary_backward, kind, d_out, in, d_in);
  }
  void glu(Unary kind, const View& gate, const View& value, const View& out) override {
    staged(&Kernels::glu, kind, gate, value, out);
  }
  void glu_backward(Unary kind, const View& d_out, const View& gate, const View& value,
                    const View& d_gate, const View& d_value) override {
    staged(&Kernels::glu_backward, kind, d_out, gate, value, d_gate, d_value);
  }
  void glu_codes(Unary kind, const View& gate, const View& value, const View& codes,
                 const View& scale) override {
    staged(&Kernels::glu_codes, kind, gate, value, codes, scale);
  }
  void glu_backward_codes(Unary kind, const View& d_out, const View& gate, const View& value,
                          const View& column_factor, const View& d_gate, const View& d_value,
                          const View& scale) override {
    staged(&Kernels::glu_backward_codes, kind, d_out, gate, value, column_factor, d_gate, d_value,
           scale);
  }
  void dropout(const View& in, float p, const RandomKey& key, const View& out) override {
    staged(&Kernels::dropout, in, p, key, out);
  }
  void matmul(const View& a, const View& b, const View& bias, const View& out,
              const MatmulOptions& options) override {
    staged(&Kernels::matmul, a, b, bias, out, options);
  }
  void matmul_codes(const View& a, const View& a_scale, const View& b, const View& b_scale,
                    const View& bias, const View& out, const MatmulOptions& options) override {
    staged(&Kernels::matmul_codes, a, a_scale, b, b_scale, bias, out, options);
  }
  void conv2d(const View& x, const View& weight, const View& bias, const View& out,
              const ConvOptions& options, bool accumulate) override {
    staged(&Kernels::conv2d, x, weight, bias, out, options, accumulate);
  }
  void conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                            const ConvOptions& options, bool accumulate) override {
    staged(&Kernels::conv2d_backward_data, d_out, weight, d_x, options, accumulate);
  }
  void conv2d_backward_weight(const View& x, const View& d_out, const View& d_weight,
                              const ConvOptions& options, bool accumulate) override {
    staged(&Kernels::conv2d_backward_weight, x, d_out, d_weight, options, accumulate);
  }
  void attention(const View& q, const View& k, const View& v, const AttentionBias& bias,
                 const View& out, const View& log_sum_exp,
                 const AttentionOptions& options) override {
    staged(&Kernels::attention, q, k, v, bias, out, log_sum_exp, options);
  }
  void attention_backward(const View& q, const View& k, const View& v, const AttentionBias& bias,
                          const View& out, const View& log_sum_exp, const View& d_out,
                          const View& d_q, const View& d_k, const View& d_v,
                          const AttentionOptions& options) override {
    staged(&Kernels::attention_backward, q, k, v, bias, out, log_sum_exp, d_out, d_q, d_k, d_v,
           options);
  }
  void rope(const View& x, const View& cos, const View& sin, const View& out,
            const RopeOptions& options) override {
    staged(&Kernels::rope, x, cos, sin, out, options);
  }
  void weight_squares(const DoraNormArgs& args, const View& squares) override {
    staged(&Kernels::weight_squares, args, squares);
  }
  void dora_norm(const DoraNormArgs& args, const View& norm) override {
    staged(&Kernels::dora_norm, args, norm);
  }
  void divide_by_norm(const View& numerator, const View& norm, const View& squares, float least,
                      float otherwise, const View& out) override {
    staged(&Kernels::divide_by_norm, numerator, norm, squares, least, otherwise, out);
  }
  void dora_factors(std::span<const DoraFactorArgs> layers, float least) override {
    staged(&Kernels::dora_factors, std::vector(layers.begin(), layers.end()), least);
  }
  void add_magnitude_gradients(std::span<const MagnitudeGradient> layers, float least) override {
    staged(&Kernels::add_magnitude_gradients, std::vector(layers.begin(), layers.end()), least);
  }
  void scale_channels(const View& z, const View& v, const View& bias, const View& addend,
                      const View& factor, const View& out) override {
    staged(&Kernels::scale_channels, z, v, bias, addend, factor, out);
  }
  void scale_channels_backward(const View& d_out, const View& z, const View& v, const View& bias,
                               const View& addend, const View& factor, const View& d_v,
                               const View& d_factor) override {
    staged(&Kernels::scale_channels_backward, d_out, z, v, bias, addend, factor, d_v, d_factor);
  }
  void group_norm(const View& x, const View& gamma, const View& beta, const View& out,
                  const View& statistics, int groups, float eps, bool silu) override {
    staged(&Kernels::group_norm, x, gamma, beta, out, statistics, groups, eps, silu);
  }
  void group_norm_backward(const View& d_out, const View& x, const View& gamma, const View& beta,
                           const View& statistics, const View& d_x, const View& d_gamma,
                           const View& d_beta, int groups, bool silu) override {
    staged(&Kernels::group_norm_backward, d_out, x, gamma, beta, statistics, d_x, d_gamma, d_beta,
           groups, silu);
  }
  void layer_norm(const View& x, const View& gamma, const View& beta, const View& out,
                  const View& statistics, float eps) override {
    staged(&Kernels::layer_norm, x, gamma, beta, out, statistics, eps);
  }
  void layer_norm_backward(const View& d_out, const View& x, const View& gamma,
                           const View& statistics, const View& addend, const View& d_x,
                           const View& d_gamma, const View& d_beta) override {
    staged(&Kernels::layer_norm_backward, d_out, x, gamma, statistics, addend, d_x, d_gamma,
           d_beta);
  }
  void rms_norm(const View& x, const View& gamma, const View& out, const View& statistics,
                float eps, bool unit_offset) override {
    staged(&Kernels::rms_norm, x, gamma, out, statistics, eps, unit_offset);
  }
  void rms_norm_backward(const View& d_out, const View& x, const View& gamma,
                         const View& statistics, const View& d_x, const View& d_gamma,
                         bool unit_offset) override {
    staged(&Kernels::rms_norm_backward, d_out, x, gamma, statistics, d_x, d_gamma, unit_offset);
  }
  void upsample_nearest(const View& in, const View& out) override {
    staged(&Kernels::upsample_nearest, in, out);
  }
  void upsample_nearest_backward(const View& d_out, const View& d_in) override {
    staged(&Kernels::upsample_nearest_backward, d_out, d_in);
  }
  void timestep_embedding(const View& t, const View& out) override {
    staged(&Kernels::timestep_embedding, t, out);
  }
  void normal(const View& out, const RandomKey& key) override {
    staged(&Kernels::normal, out, key);
  }
  void add_noise(const View& x, const View& noise, const View& a, const View& s,
                 const View& out) override {
    staged(&Kernels::add_noise, x, noise, a, s, out);
  }
  void mse_loss(const View& prediction, const View& target, const View& weight,
                const View& per_sample, const View& loss) override {
    staged(&Kernels::mse_loss, prediction, target, weight, per_sample, loss);
  }
  void mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                         const View& weight, const View& d_prediction) override {
    staged(&Kernels::mse_loss_backward, d_loss, prediction, target, weight, d_prediction);
  }
  void huber_loss(const View& prediction, const View& target, const View& weight, const View& width,
                  const View& per_sample, const View& loss) override {
    staged(&Kernels::huber_loss, prediction, target, weight, width, per_sample, loss);
  }
  void huber_loss_backward(const View& d_loss, const View& prediction, const View& target,
                           const View& weight, const View& width,
                           const View& d_prediction) override {
    staged(&Kernels::huber_loss_backward, d_loss, prediction, target, weight, width, d_prediction);
  }
  double sum_of_squares(const View& x) override { return staged(&Kernels::sum_of_squares, x); }
  std::int64_t count_non_finite(const View& x) override {
    return staged(&Kernels::count_non_finite, x);
  }
  void decide_step(std::span<const View> gradients, const View& loss, const View& cells) override {
    staged(&Kernels::decide_step, std::vector(gradients.begin(), gradients.end()), loss, cells);
  }
  void optimizer_step(std::span<const ParameterUpdate> tensors,
                      const UpdateOptions& options) override {
    staged(&Kernels::optimizer_step, std::vector(tensors.begin(), tensors.end()), options);
  }
  ProdigySums prodigy_observe(std::span<const ParameterUpdate> tensors,
                              const ProdigyOptions& options, std::span<double> squares) override {
    return staged(&Kernels::prodigy_observe, std::vector(tensors.begin(), tensors.end()), options,
                  squares);
  }
  void muon_direction(std::span<const MuonUpdate> tensors, const MuonOptions& options) override {
    staged(&Kernels::muon_direction, std::vector(tensors.begin(), tensors.end()), options);
  }
  void factored_step(std::span<const FactoredUpdate> tensors,
                     const FactoredOptions& options) override {
    staged(&Kernels::factored_step, std::vector(tensors.begin(), tensors.end()), options);
  }
  void measure_update(const View& before, const View& after, const View& gradient,
                      std::span<const std::int64_t> ends, std::span<Movement> result) override {
    staged(&Kernels::measure_update, before, after, gradient, ends, result);
  }
  void ema(const View& x, double decay, const View& average) override {
    staged(&Kernels::ema, x, decay, average);
  }

 private:
  std::unique_ptr<Kernels> device_;
};

}  // namespace

std::unique_ptr<Kernels> make_staged_kernels(std::unique_ptr<Kernels> device) {
  return std::make_unique<StagedKernels>(std::move(device));
}

}  // namespace mantissa::testing
