// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/ordered_sum.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>

#include "coppice/runtime/local_execution.hpp"

namespace coppice {
namespace {

constexpr std::size_t block_counts[] = {0, 1, 2, 3, 5, 7, 8, 100};

// Summands of very different size and both signs: adding them in another order gives other bits.
double summand(std::size_t block) {
  const double magnitude = std::ldexp(1.0, static_cast<int>((block * 37) % 60));
  return (block % 2 == 0 ? 1.0 : -1.0) * magnitude / 3.0;
}

OrderedSum plain_sum() {
  return {.size = 1,
          .add = [](std::span<double> total, std::size_t block, std::size_t) { total[0] += summand(block); },
          .merge = [](std::span<double> into, std::span<const double> from) { into[0] += from[0]; }};
}

// (0+1)+(2+3), then that + ((4+5)+6): a left subtree of the largest power of two below n, the rest on the right.
double tree_sum(std::size_t first, std::size_t last) {
  if (last - first == 1) return summand(first);
  std::size_t half = 1;
  while (2 * half < last - first) half *= 2;
  return tree_sum(first, first + half) + tree_sum(first + half, last);
}

TEST(OrderedSum, BitsDoNotDependOnTheNumberOfThreads) {
  for (const std::size_t n_blocks : block_counts) {
    const Blocks blocks{.n_items = n_blocks, .items_per_block = 1};
    const double expected = n_blocks == 0 ? 0.0 : tree_sum(0, n_blocks);
    for (const std::size_t n_threads : {1U, 2U, 3U, 5U, 8U}) {
      LocalExecution local(n_threads);
      for (int attempt = 0; attempt < 5; ++attempt) {
        EXPECT_EQ(ordered_sum(local.get(), blocks, plain_sum()), std::vector<double>{expected})
            << n_blocks << " blocks, " << n_threads << " threads";
      }
    }
  }
}

// The example is one where order matters, so that the test above can fail.
TEST(OrderedSum, TheExampleDependsOnTheOrder) {
  double in_sequence = 0.0;
  for (std::size_t block = 0; block < 100; ++block) in_sequence += summand(block);
  EXPECT_NE(in_sequence, tree_sum(0, 100));
}

// An accumulator that holds a text, a character per double behind its length: blocks write their number, merges a pair
// of brackets.
constexpr std::size_t longest_text = 1000;

std::string text_of(std::span<const double> accumulator) {
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(accumulator[0]); ++i) {
    text += static_cast<char>(accumulator[i + 1]);
  }
  return text;
}

void set_text(std::span<double> accumulator, const std::string& text) {
  ASSERT_LE(text.size(), longest_text);
  accumulator[0] = static_cast<double>(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) accumulator[i + 1] = text[i];
}

OrderedSum bracketing() {
  return {.size = longest_text + 1,
          .add =
              [](std::span<double> total, std::size_t block, std::size_t) {
                EXPECT_EQ(text_of(total), "") << "a fresh accumulator is all zeros";
                set_text(total, std::to_string(block));
              },
          .merge =
              [](std::span<double> into, std::span<const double> from) {
                set_text(into, fmt::format("({}+{})", text_of(into), text_of(from)));
              }};
}

std::string expected_brackets(std::size_t first, std::size_t last) {
  if (last - first == 1) return std::to_string(first);
  std::size_t half = 1;
  while (2 * half < last - first) half *= 2;
  return fmt::format("({}+{})", expected_brackets(first, first + half), expected_brackets(first + half, last));
}

TEST(OrderedSum, TheTreeIsTheDocumentedOne) {
  EXPECT_EQ(expected_brackets(0, 7), "(((0+1)+(2+3))+((4+5)+6))");
  for (const std::size_t n_threads : {1U, 3U, 8U}) {
    LocalExecution local(n_threads);
    for (const std::size_t n_blocks : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 100U}) {
      const Blocks blocks{.n_items = n_blocks, .items_per_block = 1};
      EXPECT_EQ(text_of(ordered_sum(local.get(), blocks, bracketing())), expected_brackets(0, n_blocks));
    }
  }
}

TEST(OrderedSum, NoBlocksGiveZeros) {
  LocalExecution local(2);
  EXPECT_EQ(ordered_sum(local.get(), {.n_items = 0}, {.size = 3, .add = {}, .merge = {}}), std::vector<double>(3, 0.0));
}

TEST(OrderedSum, AStopSignalThrowsStopped) {
  for (const std::size_t n_threads : {1U, 4U}) {
    std::stop_source source;
    LocalExecution local(n_threads, StopSignal(source.get_token(), nullptr, std::nullopt));
    const Blocks blocks{.n_items = 1000, .items_per_block = 1};
    std::atomic<std::size_t> n_added = 0;
    OrderedSum sum = plain_sum();
    sum.add = [&](std::span<double>, std::size_t block, std::size_t) {
      ++n_added;
      if (block == 20) source.request_stop();
    };
    EXPECT_THROW((void)ordered_sum(local.get(), blocks, sum), Stopped);
    EXPECT_LE(n_added.load(), 21U + 2U * n_threads);
    EXPECT_NO_THROW((void)ordered_sum(local.finishing(), blocks, sum));  // that request is heeded later
  }
}

}  // namespace
}  // namespace coppice
