// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/labels.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "coppice/runtime/random.hpp"

namespace coppice::internal {
namespace {

using List = std::vector<std::int32_t>;
using Runs = std::vector<LabelRun>;

// Labels 0..k-1 in runs of 1 to 5 units; neighbouring runs may have the same label.
List random_list(std::size_t n, std::size_t k, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 40};
  List list;
  while (list.size() < n) list.insert(list.end(), 1 + random.below(5), static_cast<std::int32_t>(random.below(k)));
  list.resize(n);
  return list;
}

Runs runs_of(const List& list) {
  RunWriter writer;
  writer.append(list);
  return std::move(writer).take();
}

std::shared_ptr<const KdTree::Order> shuffled_order(std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 41};
  KdTree::Order order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return std::make_shared<const KdTree::Order>(std::move(order));
}

// Both kinds of the same labels.
struct BothKinds {
  explicit BothKinds(const List& list) : listed(list), in_runs(runs_of(list)) {}
  Labels listed;
  Labels in_runs;
};

void expect_labels(const BothKinds& labels, const List& expected) {
  EXPECT_EQ(labels.listed.by_unit(), expected);
  EXPECT_EQ(labels.in_runs.by_unit(), expected);
  EXPECT_TRUE(std::ranges::equal(labels.in_runs.runs(), runs_of(expected)));  // the shortest runs
}

TEST(Labels, NoneAtFirst) {
  const Labels labels;
  EXPECT_EQ(labels.size(), 0U);
  EXPECT_FALSE(labels.are_runs());
  EXPECT_TRUE(labels.by_unit().empty());
  EXPECT_TRUE(labels.by_row().empty());
}

TEST(Labels, OfAListAreThatList) {
  const List list = random_list(300, 5, 1);
  const Labels labels(list);
  EXPECT_EQ(labels.size(), 300U);
  EXPECT_FALSE(labels.are_runs());
  EXPECT_TRUE(std::ranges::equal(labels.list(), list));
  EXPECT_EQ(labels.by_unit(), list);
  EXPECT_EQ(labels.by_row(), list);
  for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(labels.at(i), list[i]);
}

TEST(Labels, OfRunsAreTheRunsWrittenOut) {
  const Labels three(Runs{{2, 7}, {3, -1}, {6, 7}});
  EXPECT_EQ(three.size(), 6U);
  EXPECT_TRUE(three.are_runs());
  EXPECT_EQ(three.by_unit(), (List{7, 7, -1, 7, 7, 7}));
  EXPECT_EQ(three.by_row(), three.by_unit());
  const List list = random_list(300, 5, 2);
  const Labels labels(runs_of(list));
  EXPECT_EQ(labels.by_unit(), list);
  for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(labels.at(i), list[i]);
}

TEST(Labels, AnOrderSaysWhichRowsTheyBelongTo) {
  const List list = random_list(500, 6, 3);
  const auto order = shuffled_order(500, 4);
  const Labels labels(runs_of(list), order);
  const List by_row = labels.by_row();
  EXPECT_EQ(labels.by_unit(), list);
  for (std::size_t place = 0; place < list.size(); ++place) ASSERT_EQ(by_row[(*order)[place]], list[place]);
}

TEST(Labels, Renumber) {
  const List list = random_list(300, 4, 5);
  const List new_label = {2, 0, 2, 9};  // 0 and 2 become one
  List expected;
  for (const std::int32_t label : list) expected.push_back(new_label[static_cast<std::size_t>(label)]);
  BothKinds labels(list);
  labels.listed.renumber(new_label);
  labels.in_runs.renumber(new_label);
  expect_labels(labels, expected);
}

TEST(Labels, RenumberKeepsTheOrder) {
  const auto order = shuffled_order(300, 6);
  Labels labels(runs_of(random_list(300, 3, 7)), order);
  const List before = labels.by_row();
  labels.renumber(List{0, 1, 2});
  EXPECT_EQ(labels.by_row(), before);
}

TEST(Labels, OverlayTakesChosenLabels) {
  const List below = random_list(400, 5, 8);
  const List above = random_list(400, 5, 9);
  const std::vector<bool> is_chosen = {false, true, false, true, false};
  List expected;
  for (std::size_t i = 0; i < below.size(); ++i) {
    expected.push_back(above[i] == 1 || above[i] == 3 ? above[i] : below[i]);
  }
  BothKinds labels(below);
  labels.listed.overlay(Labels(above), is_chosen);
  labels.in_runs.overlay(Labels(runs_of(above)), is_chosen);
  expect_labels(labels, expected);
}

TEST(Labels, OverlayOfAllOrNothing) {
  const List below = random_list(100, 3, 10);
  const List above = random_list(100, 3, 11);
  for (const bool is_all : {false, true}) {
    BothKinds labels(below);
    labels.listed.overlay(Labels(above), std::vector<bool>(3, is_all));
    labels.in_runs.overlay(Labels(runs_of(above)), std::vector<bool>(3, is_all));
    expect_labels(labels, is_all ? above : below);
  }
}

TEST(Labels, AreEqualIfTheyAreOfOneKind) {
  const List list = random_list(50, 3, 12);
  List other = list;
  other.back() = 7;
  const auto order = shuffled_order(50, 13);
  EXPECT_EQ(Labels(list), Labels(list));
  EXPECT_NE(Labels(list), Labels(other));
  EXPECT_EQ(Labels(runs_of(list), order), Labels(runs_of(list), order));
  EXPECT_NE(Labels(runs_of(list), order), Labels(runs_of(other), order));
  EXPECT_NE(Labels(runs_of(list), order), Labels(runs_of(list), shuffled_order(50, 14)));
  EXPECT_NE(Labels(list), Labels(runs_of(list)));
}

TEST(Labels, SetRunsKeepsTheOrder) {
  const auto order = shuffled_order(40, 15);
  const List list = random_list(40, 3, 16);
  Labels labels(runs_of(random_list(40, 3, 17)), order);
  labels.set_runs(runs_of(list));
  EXPECT_EQ(labels, Labels(runs_of(list), order));
}

TEST(CountChanges, CountsUnits) {
  for (std::uint64_t seed = 20; seed < 30; ++seed) {
    const List a = random_list(200, 3, seed);
    const List b = random_list(200, 3, seed + 100);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < a.size(); ++i) expected += a[i] != b[i] ? 1 : 0;
    EXPECT_EQ(count_changes(Labels(a), Labels(b)), expected);
    EXPECT_EQ(count_changes(Labels(runs_of(a)), Labels(runs_of(b))), expected);
    EXPECT_EQ(count_changes(Labels(runs_of(a)), Labels(runs_of(a))), 0U);
    EXPECT_GT(expected, 0U);
  }
}

TEST(RunWriter, JoinsNeighboursOfOneLabel) {
  RunWriter writer;
  EXPECT_EQ(writer.size(), 0U);
  writer.append(3, 1);
  writer.append(2, 1);
  writer.append(0, 5);
  EXPECT_EQ(writer.size(), 5U);
  writer.append(List{1, 4, 4, -1});
  writer.append(List{});
  writer.append(List{-1});
  EXPECT_EQ(writer.size(), 10U);
  EXPECT_TRUE(std::ranges::equal(writer.runs(), Runs{{6, 1}, {8, 4}, {10, -1}}));
}

// Appended runs count from 0 and are shifted to where the writer is.
TEST(RunWriter, AppendsRuns) {
  RunWriter writer;
  writer.append(2, 8);
  writer.append(Runs{{2, 8}, {5, 9}});
  writer.append(Runs{});
  writer.append(Runs{{3, 9}, {4, 0}});
  EXPECT_EQ(std::move(writer).take(), (Runs{{4, 8}, {10, 9}, {11, 0}}));
}

TEST(RunWriter, PiecesAddUpToTheWhole) {
  const List list = random_list(400, 4, 40);
  RandomStream random{41, Purpose::test};
  RunWriter writer;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t n = std::min(list.size() - at, 1 + random.below(20));
    RunWriter piece;
    piece.append(std::span(list).subspan(at, n));
    writer.append(piece.runs());
    at += n;
  }
  EXPECT_EQ(std::move(writer).take(), runs_of(list));
}

TEST(InRuns, AreTheLabelsWithTheirOrder) {
  const List list = random_list(300, 4, 44);
  const auto order = shuffled_order(300, 45);
  EXPECT_EQ(in_runs(list), Labels(runs_of(list)));
  EXPECT_EQ(in_runs(list, order), Labels(runs_of(list), order));
}

TEST(RunReader, ReadsFromLeftToRight) {
  const Runs runs = {{2, 5}, {3, 6}, {7, 5}};
  RunReader reader(runs);
  EXPECT_EQ(reader.run_at(0), (LabelRun{2, 5}));
  EXPECT_EQ(reader.run_at(1), (LabelRun{2, 5}));
  EXPECT_EQ(reader.run_at(1), (LabelRun{2, 5}));
  EXPECT_EQ(reader.run_at(2), (LabelRun{3, 6}));
  EXPECT_EQ(reader.run_at(6), (LabelRun{7, 5}));  // some may be skipped
}

TEST(RunReader, StartsAnywhere) {
  const List list = random_list(200, 4, 42);
  const Runs runs = runs_of(list);
  for (std::size_t unit = 0; unit < list.size(); ++unit) {
    const LabelRun run = RunReader(runs, unit).run_at(unit);
    ASSERT_EQ(run.label, list[unit]);
    ASSERT_GT(run.end, unit);
    ASSERT_TRUE(run.end == list.size() || list[run.end] != list[unit]);
  }
}

TEST(RunReader, CopiesAnyStretch) {
  const List list = random_list(200, 4, 43);
  const Runs runs = runs_of(list);
  for (std::size_t first = 0; first < list.size(); first += 7) {
    RunReader reader(runs, first);
    List copy(list.size() - first);
    const std::size_t half = copy.size() / 2;
    reader.copy(first, std::span(copy).first(half));  // one after the other, as a sweep does
    reader.copy(first + half, std::span(copy).subspan(half));
    ASSERT_TRUE(std::ranges::equal(copy, std::span(list).subspan(first)));
  }
}

TEST(RunReader, WithoutRunsNobodyHasALabel) {
  RunReader reader({}, 17);
  EXPECT_EQ(reader.run_at(17).label, -1);
  EXPECT_GT(reader.run_at(17).end, 1000000U);
  List copy(5, 3);
  reader.copy(20, copy);
  EXPECT_EQ(copy, List(5, -1));
}

}  // namespace
}  // namespace coppice::internal
