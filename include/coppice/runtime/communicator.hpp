// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The seam through which a fit runs on many machines. Algorithms know this interface and nothing of MPI; the
// default is the single process that everybody has.
//
// A rank is one of the processes; each holds some of the rows, in the order of the ranks. Exchanges are collective: all
// ranks make the same ones in the same order, from one thread each. Every message carries how its sender fares, so that
// nobody waits for ever:
//
// - A rank that was asked to stop says so along with its next numbers, and all ranks throw Stopped from that exchange.
//   None stops by itself.
// - A rank that cannot go on tells the others by leave(), which takes part in whatever they exchange next: there they
//   throw RankError. From then on the run is over, and nobody exchanges anything more.
//
// together() (together.hpp) sees to the second for a whole fit.

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "coppice/runtime/stop.hpp"

namespace coppice {

class Communicator {
 public:
  using Gathered = std::vector<std::vector<double>>;  // by rank

  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] bool is_alone() const { return size() == 1; }

  // Every rank's numbers on every rank. Lengths may differ. Stopped if a rank gives a reason to stop (the first one's),
  // RankError if one has left.
  [[nodiscard]] Gathered gather(std::span<const double> mine, std::optional<StopReason> stop = std::nullopt) const;
  [[nodiscard]] double max(double mine) const;
  void broadcast(std::span<double> from_rank_zero) const;

  // This rank is ending with an error.
  void leave(const std::exception& error) const noexcept;

 private:
  // Hands over one message and returns those of all ranks.
  [[nodiscard]] virtual Gathered exchange(std::vector<double> message) const = 0;

  mutable bool is_over_ = false;
};

// One process: rank 0 of 1.
class LocalCommunicator final : public Communicator {
 public:
  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }

 private:
  [[nodiscard]] Gathered exchange(std::vector<double> message) const override { return {std::move(message)}; }
};

}  // namespace coppice
