#include "tests/gui/SeriesStoreTest.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

#include "gui/plot/SeriesStore.h"

namespace mantissa::gui {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Point {
  std::int64_t step;
  double value;
};

/// Ascending steps with gaps of many sizes, values with NaN, infinities and non-positive ones.
std::vector<Point> random_points(std::mt19937_64& rng, int count) {
  std::vector<Point> out;
  std::int64_t step = static_cast<std::int64_t>(rng() % 5000) - 2000;
  for (int i = 0; i < count; ++i) {
    step += 1 + (rng() % 20 == 0 ? static_cast<std::int64_t>(rng() % 3000) : 0);
    double value = std::uniform_real_distribution<double>(-3, 5)(rng);
    if (rng() % 40 == 0) {
      value = kNan;
    } else if (rng() % 200 == 0) {
      value = std::numeric_limits<double>::infinity();
    }
    out.push_back({step, value});
  }
  return out;
}

Extent brute(const std::vector<Point>& points, std::int64_t from, std::int64_t to) {
  Extent out;
  for (const Point& p : points) {
    if (p.step >= from && p.step < to) {
      out.add(p.value);
    }
  }
  return out;
}

bool same(const Extent& a, const Extent& b) {
  return a.count == b.count && a.non_finite == b.non_finite && a.min == b.min && a.max == b.max &&
         a.positive_min == b.positive_min;
}

}  // namespace

void SeriesStoreTest::extent_matches_brute_force() {
  std::mt19937_64 rng(7);
  for (int round = 0; round < 40; ++round) {
    const auto points = random_points(rng, 1 + static_cast<int>(rng() % 3000));
    SeriesStore store;
    for (const Point& p : points) {
      store.append(p.step, p.value);
    }
    const std::int64_t low = points.front().step - 20;
    const auto span = static_cast<std::uint64_t>(points.back().step - low + 40);
    for (int query = 0; query < 60; ++query) {
      const auto a = low + static_cast<std::int64_t>(rng() % span);
      const auto b = low + static_cast<std::int64_t>(rng() % span);
      QVERIFY(same(store.extent(a, b), brute(points, a, b)));
    }
    QVERIFY(same(store.extent(std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max()),
                 brute(points, low, low + static_cast<std::int64_t>(span))));
  }
}

void SeriesStoreTest::columns_hold_every_value() {
  std::mt19937_64 rng(11);
  const auto points = random_points(rng, 20000);
  SeriesStore store;
  for (const Point& p : points) {
    store.append(p.step, p.value);
  }
  for (int round = 0; round < 60; ++round) {
    const double from = static_cast<double>(points[rng() % 10000].step);
    const double to = from + 50 + static_cast<double>(rng() % 200000);
    const int count = 20 + static_cast<int>(rng() % 900);
    std::vector<Extent> columns;
    store.columns(from, to, count, columns);
    QCOMPARE(columns.size(), static_cast<std::size_t>(count));
    Extent all;
    for (const Extent& e : columns) {
      all.add(e);
    }
    // Nothing in view is lost; at most half a column more from either side is counted in.
    const double slack = (to - from) / count;
    const Extent inner = brute(points, static_cast<std::int64_t>(std::ceil(from)),
                               static_cast<std::int64_t>(std::ceil(to)));
    const Extent outer = brute(points, static_cast<std::int64_t>(std::floor(from - slack)),
                               static_cast<std::int64_t>(std::ceil(to + slack)));
    QVERIFY(all.min <= inner.min && all.max >= inner.max);
    QVERIFY(all.min >= outer.min && all.max <= outer.max);
    QVERIFY(all.non_finite >= inner.non_finite && all.non_finite <= outer.non_finite);
    // And every column's values are within one column of their place.
    for (int c = 0; c < count; c += 7) {
      const double x0 = from + c * slack;
      const Extent around = brute(points, static_cast<std::int64_t>(std::floor(x0 - slack)),
                                  static_cast<std::int64_t>(std::ceil(x0 + 2 * slack)));
      const Extent& e = columns[static_cast<std::size_t>(c)];
      QVERIFY(e.empty() || (e.min >= around.min && e.max <= around.max));
    }
  }
}

void SeriesStoreTest::buckets_do_not_move() {
  // The same steps appended in any number of batches, with queries between, give the same columns.
  SeriesStore one, two;
  std::vector<Extent> scratch, a, b;
  for (std::int64_t i = 0; i < 100000; ++i) {
    one.append(i, std::sin(static_cast<double>(i)));
  }
  for (std::int64_t i = 0; i < 100000; ++i) {
    two.append(i, std::sin(static_cast<double>(i)));
    if (i % 7919 == 0) {
      two.columns(0, static_cast<double>(i + 1), 300, scratch);
    }
  }
  one.columns(1234.5, 98765.4, 700, a);
  two.columns(1234.5, 98765.4, 700, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    QVERIFY(same(a[i], b[i]));
  }
}

void SeriesStoreTest::nearest_is_the_closer_neighbour() {
  SeriesStore store;
  QCOMPARE(store.nearest(5), std::size_t{0});
  for (const std::int64_t step : {10, 20, 100}) {
    store.append(step, 1);
  }
  QCOMPARE(store.nearest(-7), std::size_t{0});
  QCOMPARE(store.nearest(14), std::size_t{0});
  QCOMPARE(store.nearest(16), std::size_t{1});
  QCOMPARE(store.nearest(59), std::size_t{1});
  QCOMPARE(store.nearest(61), std::size_t{2});
  QCOMPARE(store.nearest(1000), std::size_t{2});
}

void SeriesStoreTest::rewinds() {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 30; ++round) {
    auto points = random_points(rng, 2000);
    SeriesStore store;
    for (const Point& p : points) {
      store.append(p.step, p.value);
    }
    const std::uint64_t before = store.rewinds();
    const std::size_t cut = rng() % points.size();
    const std::int64_t step = points[cut].step;
    points.resize(cut);
    points.push_back({step, 0.25});
    store.append(step, 0.25);
    for (int i = 1; i < 50; ++i) {
      points.push_back({step + i, i * 0.5});
      store.append(step + i, i * 0.5);
    }
    QVERIFY(store.rewinds() > before);
    QCOMPARE(store.size(), points.size());
    for (int query = 0; query < 40; ++query) {
      const auto a = points[rng() % points.size()].step;
      const auto b = points[rng() % points.size()].step + 1;
      QVERIFY(same(store.extent(a, b), brute(points, a, b)));
    }
  }
}

void SeriesStoreTest::smoothing_matches_the_formula() {
  const double beta = 0.9;
  SeriesStore raw;
  SmoothedSeries smooth;
  smooth.set_beta(beta);
  std::vector<double> finite;
  for (std::int64_t i = 0; i < 400; ++i) {
    const double v = i == 57 ? kNan : std::cos(static_cast<double>(i) * 0.3) + 2;
    raw.append(i, v);
    if (i % 13 == 0) {
      smooth.update(raw);
    }
  }
  smooth.update(raw);
  QCOMPARE(smooth.store().size(), raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const double v = raw.values()[i];
    if (std::isnan(v)) {
      QVERIFY(std::isnan(smooth.store().values()[i]));
      continue;
    }
    finite.push_back(v);
    // Weighted mean with weights β^age: the closed form of the recursion.
    double sum = 0, weight = 0;
    for (std::size_t k = 0; k < finite.size(); ++k) {
      const double w = std::pow(beta, static_cast<double>(finite.size() - 1 - k));
      sum += w * finite[k];
      weight += w;
    }
    QVERIFY(std::abs(smooth.store().values()[i] - sum / weight) < 1e-12);
  }
}

void SeriesStoreTest::smoothing_follows_a_rewind() {
  SeriesStore raw;
  SmoothedSeries smooth;
  smooth.set_beta(0.5);
  for (std::int64_t i = 0; i < 100; ++i) {
    raw.append(i, 1.0);
  }
  smooth.update(raw);
  // Rewound and grown past its old length between two updates.
  for (std::int64_t i = 50; i < 150; ++i) {
    raw.append(i, 3.0);
  }
  smooth.update(raw);
  QCOMPARE(smooth.store().size(), std::size_t{150});
  QVERIFY(std::abs(smooth.store().values()[99] - 3.0) < 1e-9);
  smooth.set_beta(0);
  smooth.update(raw);
  QCOMPARE(smooth.store().values()[49], 1.0);
  QCOMPARE(smooth.store().values()[50], 3.0);
}

}  // namespace mantissa::gui
