// Adafactor, CAME and Automagic: second moments of a matrix as a row and a column.
#include <cmath>

#include "kernels/cpu/optim_tile.h"
#include "kernels/update_rule.h"

namespace mantissa::MANTISSA_ISA {
namespace {

/// One tensor through all passes of a step, by one thread. Nothing of the tensor's size is kept
/// between passes: the update u is recomputed from gradient, rows and columns.
class FactoredPass {
 public:
  /// `scratch` holds bytes(t).
  FactoredPass(const FactoredUpdate& t, const FactoredOptions& o, void* scratch)
      : t_(t), o_(o), count_(t.parameter.count()), matrix_(t.row.data != nullptr) {
    tile_ = static_cast<TileBuffers*>(scratch);
    cols_ = matrix_ ? t.parameter.cols() : std::max<std::int64_t>(1, count_);
    rows_ = matrix_ ? t.parameter.rows() : 1;
    row_sum_ = reinterpret_cast<double*>(tile_ + 1);
    col_sum_ = row_sum_ + rows_;
    row_ = reinterpret_cast<float*>(col_sum_ + (matrix_ ? cols_ : 0));
    col_ = row_ + rows_;
  }
  static std::size_t bytes(const FactoredUpdate& t) {
    const bool matrix = t.row.data != nullptr;
    const std::int64_t sums = matrix ? t.parameter.rows() + t.parameter.cols() : 1;
    return sizeof(TileBuffers) + static_cast<std::size_t>(sums) * (sizeof(double) + sizeof(float));
  }

  void run() {
    gather_squares();
    const double rms = std::sqrt(update_squares() / static_cast<double>(count_));
    shrink_ = static_cast<float>(1.0 / std::max(1.0, rms / o_.threshold));
    if (!(rms <= std::numeric_limits<double>::max())) {
      shrink_ = std::numeric_limits<float>::quiet_NaN();  // max(1, NaN) would hide it
    }
    if (o_.rule == FactoredRule::came) {
      move_average();
    }
    move_parameters();
  }

 private:
  /// f(begin, n) over pieces of the tensor.
  template <typename F>
  void for_tiles(F&& f) {
    for (std::int64_t i = 0; i < count_; i += kTile) {
      f(i, static_cast<int>(std::min<std::int64_t>(kTile, count_ - i)));
    }
  }
  /// f(row, column, at, n): the piece's runs of one row; `at` counts from `begin`.
  template <typename F>
  MANTISSA_INLINE void for_runs(std::int64_t begin, int n, F&& f) const {
    std::int64_t row = begin / cols_, column = begin % cols_;
    for (int at = 0; at < n;) {
      const int run = static_cast<int>(std::min<std::int64_t>(n - at, cols_ - column));
      f(row, column, at, run);
      at += run;
      column = 0;
      ++row;
    }
  }

  /// The gradient's piece, scaled, in tile_->g.
  float* gradient(std::int64_t begin, int n) {
    const float* in = load_tile(t_.gradient, begin, n, tile_->g);
    const auto scale = static_cast<float>(o_.grad_scale);
    for (int i = 0; i < n; ++i) {
      tile_->g[i] = in[i] * scale;
    }
    return tile_->g;
  }

  /// u before its RMS is limited, in tile_->g.
  float* update(std::int64_t begin, int n) {
    float* u = gradient(begin, n);
    if (!matrix_) {
      const float* square = t_.square.as<float>() + begin;
      for (int i = 0; i < n; ++i) {
        u[i] = u[i] / std::sqrt(square[i]);
      }
      return u;
    }
    multiply_factors(u, begin, n);
    return u;
  }
  /// u times the factors of its row and columns.
  void multiply_factors(float* u, std::int64_t begin, int n) const {
    for_runs(begin, n, [&](std::int64_t row, std::int64_t column, int at, int run) {
      const float factor = row_[row];
      const float* c = col_ + column;
      for (int k = 0; k < run; ++k) {
        u[at + k] *= factor * c[k];
      }
    });
  }

  void clear_sums() {
    std::fill(row_sum_, row_sum_ + rows_, 0.0);
    std::fill(col_sum_, col_sum_ + cols_, 0.0);
  }
  /// Adds x² + eps to the sums of its row and columns.
  void add_squares(const float* x, std::int64_t begin, int n, double eps) {
    for_runs(begin, n, [&](std::int64_t row, std::int64_t column, int at, int run) {
      row_sum_[row] += square_sum(x + at, run) + run * eps;
      double* sums = col_sum_ + column;
      for (int k = 0; k < run; ++k) {
        const auto value = static_cast<double>(x[at + k]);
        sums[k] += value * value + eps;
      }
    });
  }
  /// mean = beta·mean + (1-beta)·sum/n, then factors with factor_r·factor_c = 1/√(RCᵀ/mean(R)).
  void average_sums(const View& row, const View& col, double beta) {
    const auto keep = static_cast<float>(beta), rest = static_cast<float>(1.0 - beta);
    double mean = 0.0;
    for (std::int64_t i = 0; i < rows_; ++i) {
      float& r = row.as<float>()[i];
      r = std::fma(keep, r, rest * static_cast<float>(row_sum_[i] / static_cast<double>(cols_)));
      mean += static_cast<double>(r);
    }
    mean /= static_cast<double>(rows_);
    for (std::int64_t i = 0; i < rows_; ++i) {
      row_[i] = static_cast<float>(std::sqrt(mean / static_cast<double>(row.as<float>()[i])));
    }
    for (std::int64_t i = 0; i < cols_; ++i) {
      float& c = col.as<float>()[i];
      c = std::fma(keep, c, rest * static_cast<float>(col_sum_[i] / static_cast<double>(rows_)));
      col_[i] = static_cast<float>(1.0 / std::sqrt(static_cast<double>(c)));
    }
  }

  void gather_squares() {
    if (matrix_) {
      clear_sums();
      for_tiles([&](std::int64_t i, int n) { add_squares(gradient(i, n), i, n, o_.eps); });
      average_sums(t_.row, t_.col, o_.beta2);
      return;
    }
    const auto keep = static_cast<float>(o_.beta2), rest = static_cast<float>(1.0 - o_.beta2),
               eps = static_cast<float>(o_.eps);
    for_tiles([&](std::int64_t i, int n) {
      const float* g = gradient(i, n);
      float* square = t_.square.as<float>() + i;
      for (int k = 0; k < n; ++k) {
        square[k] = std::fma(keep, square[k], rest * std::fma(g[k], g[k], eps));
      }
    });
  }
  double update_squares() {
    double sum = 0.0;
    for_tiles([&](std::int64_t i, int n) { sum += square_sum(update(i, n), n); });
    return sum;
  }

  /// CAME: m = EMA(u), and u's deviation from it.
  void move_average() {
    const auto keep = static_cast<float>(o_.beta1), rest = static_cast<float>(1.0 - o_.beta1);
    if (matrix_) {
      clear_sums();
    }
    for_tiles([&](std::int64_t i, int n) {
      float* u = update(i, n);
      float* m = load_moment(t_.m, true, i, n, tile_->m);
      for (int k = 0; k < n; ++k) {
        const float limited = u[k] * shrink_;
        m[k] = std::fma(keep, m[k], rest * limited);
        u[k] = limited - m[k];
      }
      if (matrix_) {
        add_squares(u, i, n, o_.residual_eps);
      }
      store_moment(t_.m, true, i, n, m, o_.key, RoundedBuffer::m, t_.first, tile_->random);
    });
    if (matrix_) {
      average_sums(t_.residual_row, t_.residual_col, o_.beta3);
    }
  }

  /// The parameter's update divided by its learning rate, before decay: in tile_->g or tile_->m.
  const float* direction(std::int64_t begin, int n) {
    if (o_.rule != FactoredRule::came) {
      float* u = update(begin, n);
      for (int k = 0; k < n; ++k) {
        u[k] *= shrink_;
      }
      return u;
    }
    const float* m = load_moment(t_.m, true, begin, n, tile_->m);
    float* u = tile_->g;
    std::copy(m, m + n, u);
    if (matrix_) {
      multiply_factors(u, begin, n);
    }
    return u;
  }
  /// Automagic: moves the rates of a piece, and its parameters' changes by them.
  void move_by_rates(std::int64_t begin, int n, const float* p, const float* u, float* delta) {
    using Lanes = Vec<float>;
    const Lanes start(static_cast<float>(o_.start)), decay(static_cast<float>(o_.weight_decay)),
        downhill(-static_cast<float>(o_.learning_rate * t_.rate_ratio / o_.start));
    float* rate = load_moment(t_.m, true, begin, n, tile_->m);
    for (int k = 0; k < n; k += Lanes::kLanes) {
      const int rest = std::min(Lanes::kLanes, n - k);
      const Lanes step = load_n(u + k, rest),
                  moved = move_rate(load_n(rate + k, rest), step, start);
      store_n(rate + k, moved, rest);
      store_n(delta + k, downhill * vabs(moved) * fma(decay, load_n(p + k, rest), step), rest);
    }
    store_moment(t_.m, true, begin, n, rate, o_.key, RoundedBuffer::m, t_.first, tile_->random);
  }
  void move_parameters() {
    const auto learning_rate = static_cast<float>(o_.learning_rate * t_.rate_ratio),
               decay = static_cast<float>(o_.weight_decay);
    for_tiles([&](std::int64_t i, int n) {
      const float* u = direction(i, n);
      float* p = load_tile(t_.parameter, i, n, tile_->p);
      float* delta = tile_->delta;
      if (o_.rule == FactoredRule::automagic) {
        move_by_rates(i, n, p, u, delta);
      } else {
        for (int k = 0; k < n; ++k) {
          delta[k] = -learning_rate * std::fma(decay, p[k], u[k]);
        }
      }
      if (t_.parameter.dtype == DType::f32) {
        for (int k = 0; k < n; ++k) {
          p[k] += delta[k];
        }
      } else {
        store_parameter(t_.parameter, t_.compensation, o_.rounding, i, n, p, delta, o_.key,
                        t_.first, tile_->random);
      }
    });
  }

  const FactoredUpdate& t_;
  const FactoredOptions& o_;
  std::int64_t count_, rows_ = 1, cols_ = 1;
  bool matrix_;
  TileBuffers* tile_;
  double *row_sum_, *col_sum_;
  float *row_, *col_;  ///< factors of u, later of m
  float shrink_ = 1.0F;
};

}  // namespace

void CpuKernels::factored_step(std::span<const FactoredUpdate> tensors,
                               const FactoredOptions& options) {
  check_factored_step(tensors, options);
  FactoredOptions o = options;
  if (!take_cell(o)) {
    return;
  }
  pool_.run(static_cast<std::int64_t>(tensors.size()), [&](std::int64_t i, int thread) {
    const FactoredUpdate& t = tensors[static_cast<std::size_t>(i)];
    if (t.parameter.count() > 0) {
      FactoredPass(t, o, scratch_.of_thread(thread, FactoredPass::bytes(t))).run();
    }
  });
}

}  // namespace mantissa::MANTISSA_ISA
