#include <gtest/gtest.h>

#include "kernels/cpu/cpu.h"
#include "tests/kernels/golden_cases.h"

// The CPU backend's results don't depend on how many threads compute them.

namespace mantissa::testing {
namespace {

TEST(CpuThreads, GoldenCasesAreTheSameToTheBit) {
  const auto one = make_cpu_kernels(1);
  for (int threads : {2, 3, 4}) {
    const auto many = make_cpu_kernels(threads);
    for (const GoldenCase& c : load_golden_cases()) {
      for (DType dtype : {DType::f32, DType::bf16}) {
        if (dtype != DType::f32 && (c.op == "optimizer_step" || c.op == "ema")) {
          continue;
        }
        const Results a = run_case(*one, c, dtype), b = run_case(*many, c, dtype);
        for (const auto& [name, t] : a) {
          EXPECT_EQ(t.bytes, b.at(name).bytes) << c.title << " with " << threads << " threads";
        }
      }
    }
  }
}

/// Large enough for many chunks; the bits must not depend on the thread.
TEST(CpuThreads, LargeTensorsAreTheSameToTheBit) {
  std::vector<std::vector<std::uint8_t>> first;
  for (int threads : {1, 2, 3, 4}) {
    const auto k = make_cpu_kernels(threads);
    std::vector<std::vector<std::uint8_t>> now;
    const auto keep = [&](const Tensor& t) { now.push_back(t.bytes); };
    const Shape image{2, 40, 40, 48};
    const Tensor x = hash_tensor(DType::f32, image, 1), d = hash_tensor(DType::f32, image, 2);
    const Tensor gamma = hash_tensor(DType::f32, {48}, 3),
                 w = hash_tensor(DType::f32, {48, 48, 3, 3}, 4);
    Tensor y(DType::f32, image), stats(DType::f32, {2, 8, 2}),
        dg = hash_tensor(DType::f32, {48}, 5), db = hash_tensor(DType::f32, {48}, 6),
        dw(DType::f32, {48, 48, 3, 3});
    k->group_norm(x.view, gamma.view, gamma.view, y.view, stats.view, 8, 1e-5F, true);
    keep(y);
    k->group_norm_backward(d.view, x.view, gamma.view, gamma.view, stats.view, y.view, dg.view,
                           db.view, 8, true);
    keep(y), keep(dg), keep(db);
    Tensor rows(DType::f32, {3200, 2});
    k->layer_norm(x.view, gamma.view, gamma.view, y.view, rows.view, 1e-5F);
    keep(y);
    k->layer_norm_backward(d.view, x.view, gamma.view, rows.view, {}, y.view, dg.view, db.view);
    keep(y), keep(dg), keep(db);
    k->conv2d(x.view, w.view, gamma.view, y.view, {1, 1, 1, 1, 1}, false);
    keep(y);
    k->conv2d_backward_data(d.view, w.view, y.view, {1, 1, 1, 1, 1}, false);
    keep(y);
    k->conv2d_backward_weight(x.view, d.view, dw.view, {1, 1, 1, 1, 1}, false);
    keep(dw);
    Tensor sums(DType::f32, {2, 48});
    k->sum_per_sample(x.view, sums.view, false);
    keep(sums);
    const Tensor weight = hash_tensor(DType::f32, {2}, 7);
    Tensor each(DType::f32, {2}), loss(DType::f32, {});
    k->mse_loss(x.view, d.view, weight.view, each.view, loss.view);
    keep(each), keep(loss);
    k->normal(y.view, {5, 1, 2, 3});
    keep(y);
    k->dropout(x.view, 0.3F, {5, 1, 2, 3}, y.view);
    keep(y);
    Tensor square(DType::f64, {});
    square.set(0, k->sum_of_squares(x.view));
    keep(square);
    const Tensor q = hash_tensor(DType::f32, {2, 205, 70}, 8);
    Tensor out(DType::f32, q.view.shape), lse(DType::f32, {2, 2, 205});
    Tensor d_q(DType::f32, q.view.shape), d_k(DType::f32, q.view.shape),
        d_v(DType::f32, q.view.shape);
    const AttentionOptions heads{2, 0.2F, true};
    k->attention(q.view, q.view, q.view, {}, out.view, lse.view, heads);
    k->attention_backward(q.view, q.view, q.view, {}, out.view, lse.view, q.view, d_q.view,
                          d_k.view, d_v.view, heads);
    keep(out), keep(d_q), keep(d_k), keep(d_v);
    const Tensor matrix = hash_tensor(DType::f32, {300, 205}, 9),
                 down = hash_tensor(DType::f32, {33, 205}, 10),
                 up = hash_tensor(DType::f32, {300, 33}, 11);
    Tensor squares(DType::f32, {300}), norm(DType::f32, {300}), d_factor(DType::f32, {205});
    DoraNormArgs dora{matrix.view, {}, down.view, up.view, {}, 0.75F, false};
    k->weight_squares(dora, squares.view);
    dora.squares = squares.view;
    k->dora_norm(dora, norm.view);
    Tensor scaled(DType::f32, {300, 205});
    const Tensor factor = hash_tensor(DType::f32, {205}, 12);
    k->scale_channels_backward(matrix.view, matrix.view, {}, {}, {}, factor.view, scaled.view,
                               d_factor.view);
    keep(squares), keep(norm), keep(scaled), keep(d_factor);
    square.set(0, k->tensor_statistics(matrix.view, {}, DType::f16, {}).noise);
    keep(square);
    if (first.empty()) {
      first = now;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_EQ(first[i], now[i]) << "result " << i << " with " << threads << " threads";
    }
  }
}

/// GEMMs of bf16 and of codes give the same bits for any number of threads, however rows and
/// columns are shared out.
TEST(CpuThreads, ProductsAreTheSameToTheBit) {
  const std::int64_t m = 700, n = 130, k = 1101;
  const Tensor a = hash_tensor(DType::bf16, {m, k + 1}, 1),
               b = hash_tensor(DType::bf16, {n, k + 1}, 2);
  const Tensor tall = hash_tensor(DType::bf16, {k, m}, 5),
               wide = hash_tensor(DType::bf16, {k, n}, 6);
  const Tensor x = hash_tensor(DType::bf16, {1, 40, 30, 66}, 3);
  const Tensor w = hash_tensor(DType::bf16, {130, 66, 3, 3}, 4);
  MatmulOptions by_rows, by_columns;
  by_rows.transpose_b = by_columns.transpose_a = true;
  std::vector<std::vector<std::uint8_t>> first;
  for (int threads : {1, 2, 5}) {
    const auto kernels = make_cpu_kernels(threads);
    Tensor out(DType::bf16, {m, n}), sums(DType::f32, {m, n}), image(DType::bf16, {1, 40, 30, 130});
    Tensor a_codes(DType::i8, {m, k + 1}), b_codes(DType::i8, {n, k + 1});
    Tensor a_scale(DType::f32, {m}), b_scale(DType::f32, {n}), from_codes(DType::bf16, {m, n});
    kernels->matmul(a.view, b.view, {}, out.view, by_rows);
    kernels->matmul(tall.view, wide.view, {}, sums.view, by_columns);
    kernels->conv2d(x.view, w.view, {}, image.view, {1, 1, 1, 1, 1}, false);
    kernels->quantize(a.view, {}, a_codes.view, a_scale.view, {});
    kernels->quantize(b.view, {}, b_codes.view, b_scale.view, {});
    kernels->matmul_codes(a_codes.view, a_scale.view, b_codes.view, b_scale.view, {},
                          from_codes.view, by_rows);
    const std::vector<std::vector<std::uint8_t>> now{out.bytes, sums.bytes, image.bytes,
                                                     from_codes.bytes};
    first = first.empty() ? now : first;
    EXPECT_EQ(now, first) << threads;
  }
}

}  // namespace
}  // namespace mantissa::testing
