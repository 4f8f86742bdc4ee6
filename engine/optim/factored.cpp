// Adafactor, CAME and Automagic: per-matrix rules.
#include "engine/optim/factored.h"

#include <algorithm>
#include <cmath>

#include "engine/optim/optimizer_base.h"

namespace mantissa {
namespace {

class Factored final : public OptimizerBase {
 public:
  Factored(Kernels& kernels, const OptimizerSettings& settings,
           std::vector<OptimizerTensor> tensors)
      : OptimizerBase(kernels, settings, std::move(tensors)) {
    std::int64_t row = 0, col = 0, loose = 0;
    for (const OptimizerTensor& t : tensors_) {
      places_.push_back({row, col, loose});
      (is_matrix(t) ? row : loose) += is_matrix(t) ? t.rows : t.count();
      col += is_matrix(t) ? t.cols : 0;
    }
  }

  void apply() override {
    std::vector<FactoredUpdate> all;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      all.push_back(factored_update(i));
    }
    run(all);
  }
  void apply_tensor(std::size_t index) override { run({factored_update(index)}); }

 private:
  /// Offsets of a tensor in the buffers of rows, columns and squares.
  struct Place {
    std::int64_t row, col, loose;
  };

  FactoredUpdate factored_update(std::size_t i) const {
    const OptimizerTensor& t = tensors_[i];
    const Place& place = places_[i];
    const bool matrix = is_matrix(t);
    FactoredUpdate u;
    u.parameter = part_of(inputs_.parameters, i);
    u.gradient = part_of(inputs_.gradients, i);
    u.compensation = buffers_.slice("compensation", t.offset, t.count());
    u.m = buffers_.moment(rule() == FactoredRule::automagic ? "rate" : "exp_avg", i);
    if (matrix) {
      u.row = buffers_.slice("row", place.row, t.rows);
      u.col = buffers_.slice("col", place.col, t.cols);
      u.residual_row = buffers_.slice("residual_row", place.row, t.rows);
      u.residual_col = buffers_.slice("residual_col", place.col, t.cols);
    } else {
      u.square = buffers_.slice("square", place.loose, t.count());
    }
    u.rate_ratio = t.rate_ratio;
    u.first = t.first();
    return u;
  }

  FactoredRule rule() const { return optimizer_row(settings_.type).factored_rule; }

  GroupCell numbers_of(std::int64_t update) const override {
    GroupCell cell = OptimizerBase::numbers_of(update);
    cell.averaging = rule() == FactoredRule::adafactor
                         ? 1.0 - std::pow(static_cast<double>(update), -0.8)
                         : settings_.beta2;
    return cell;
  }

  void run(const std::vector<FactoredUpdate>& tensors) {
    FactoredOptions o;
    o.rule = rule();
    o.beta1 = settings_.beta1;
    o.beta2 = numbers_of(std::max<std::int64_t>(1, updates_)).averaging;
    o.start = settings_.learning_rate > 0 ? settings_.learning_rate : o.start;
    set_common(o);
    kernels_.factored_step(tensors, o);
  }

  std::vector<Place> places_;
};

}  // namespace

std::unique_ptr<Optimizer> make_factored(Kernels& kernels, const OptimizerSettings& settings,
                                         std::vector<OptimizerTensor> tensors) {
  return std::make_unique<Factored>(kernels, settings, std::move(tensors));
}

}  // namespace mantissa
