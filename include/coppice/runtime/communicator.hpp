// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The seam through which a fit runs on many machines. Algorithms know this interface and nothing of MPI; the
// default is the single process that everybody has.

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  // Every rank's numbers, one rank after the other, on every rank. Lengths may differ.
  [[nodiscard]] virtual std::vector<double> gather(std::span<const double> mine) const = 0;
  [[nodiscard]] virtual double max(double mine) const = 0;
  virtual void broadcast(std::span<double> from_rank_zero) const = 0;
};

// One process: rank 0 of 1.
class LocalCommunicator final : public Communicator {
 public:
  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] std::vector<double> gather(std::span<const double> mine) const override {
    return {mine.begin(), mine.end()};
  }
  [[nodiscard]] double max(double mine) const override { return mine; }
  void broadcast(std::span<double> /*from_rank_zero*/) const override {}
};

}  // namespace coppice
