// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/journal.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <thread>

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

State state_with(std::size_t k, double objective) {
  State state;
  state.stats = StatsArena(k, 1);
  state.objective = objective;
  return state;
}

std::vector<std::string> phases(const Journal& journal) {
  std::vector<std::string> phases;
  for (const Progress& step : journal.trace()) phases.push_back(step.phase);
  return phases;
}

template <class Act>
std::optional<StopReason> stopped_by(const Act& act) {
  try {
    act();
  } catch (const Stopped& stopped) {
    return stopped.reason();
  }
  return std::nullopt;
}

TEST(Journal, TheTraceTellsWhereEveryStateWas) {
  Journal journal;
  State state = state_with(3, 12.5);
  journal.report(state, "start");
  journal.count_iteration();
  journal.count_iteration();
  journal.counters().distances = 77;
  state.objective = 11.0;
  journal.report(state, "sweep");
  ASSERT_THAT(phases(journal), ElementsAre("start", "sweep"));
  const Progress& first = journal.trace()[0];
  EXPECT_EQ(first.iteration, 0U);
  EXPECT_EQ(first.k, 3U);
  EXPECT_EQ(first.objective, 12.5);
  EXPECT_EQ(first.distances, 0U);
  const Progress& second = journal.trace()[1];
  EXPECT_EQ(second.iteration, 2U);
  EXPECT_EQ(second.objective, 11.0);
  EXPECT_EQ(second.distances, 77U);
  EXPECT_EQ(state.progress.phase, "sweep") << "the state itself says where it is";
  EXPECT_EQ(state.progress.iteration, 2U);
  EXPECT_EQ(journal.iterations(), 2U);
}

TEST(Journal, AStateThatSaysItselfWhereItIsIsTakenAtItsWord) {
  Journal journal;
  State state = state_with(3, 12.5);
  state.progress = {.phase = "merge", .iteration = 40, .k = 9, .objective = 2.0, .seconds = 5.0, .distances = 8};
  journal.report(state);
  ASSERT_THAT(phases(journal), ElementsAre("merge"));
  EXPECT_EQ(journal.trace()[0].iteration, 40U);
  EXPECT_EQ(journal.trace()[0].k, 9U);
  EXPECT_EQ(journal.trace()[0].seconds, 5.0);
  EXPECT_THAT(journal.k_evidence(), IsEmpty()) << "it is no evidence";
}

TEST(Journal, NotesAreShownToNobodyAndWhatIsShownIsNotWritten) {
  std::size_t n_seen = 0;
  Journal journal({.observer = [&](const State&) { return ++n_seen, Next::carry_on; }});
  journal.note(journal.now("start", 2, 7.0));
  EXPECT_EQ(n_seen, 0U);
  EXPECT_THAT(phases(journal), ElementsAre("start"));
  EXPECT_THAT(journal.k_evidence(), IsEmpty());
  State shown = state_with(2, 6.0);
  journal.show(shown);
  EXPECT_EQ(n_seen, 1U);
  EXPECT_EQ(journal.trace().size(), 1U);
  EXPECT_THAT(journal.k_evidence(), IsEmpty());
}

TEST(Journal, EvidenceIsTheLeastOfEveryNumberOfClusters) {
  Journal journal;
  for (const double objective : {5.0, 4.0, 6.0}) {
    State state = state_with(3, objective);
    journal.report(state, "sweep");
  }
  journal.note_evidence(2, -1.0);
  journal.note_evidence(2, 8.0);
  journal.note_evidence(4, 9.0);
  EXPECT_THAT(journal.k_evidence(), ElementsAre(Pair(2, -1.0), Pair(3, 4.0), Pair(4, 9.0)));
}

TEST(Journal, EvidenceCountsOnlyWhereObjectivesCompare) {
  Journal journal;
  State state = state_with(3, 1.0);
  journal.count_as_evidence(false);
  journal.report(state, "sweep");
  journal.note_evidence(2, 1.0);
  EXPECT_THAT(journal.k_evidence(), IsEmpty());
  EXPECT_EQ(journal.trace().size(), 1U) << "the trace has it all the same";
  journal.count_as_evidence(true);
  state.objective = 5.0;
  journal.report(state, "sweep");
  EXPECT_THAT(journal.k_evidence(), ElementsAre(Pair(3, 5.0)));
  journal.forget_evidence();
  EXPECT_THAT(journal.k_evidence(), IsEmpty());
  EXPECT_EQ(journal.trace().size(), 2U);
}

TEST(Journal, EverySearchHasItsIterations) {
  Journal journal({.max_iterations = 2});
  const auto check = [&] { journal.check_iterations(); };
  for (std::size_t search = 0; search < 3; ++search) {
    journal.begin_search();
    EXPECT_FALSE(stopped_by(check));
    journal.count_iteration();
    EXPECT_FALSE(stopped_by(check));
    journal.count_iteration();
    EXPECT_EQ(stopped_by(check), StopReason::iteration_limit);
    EXPECT_EQ(journal.iterations(), 2 * (search + 1)) << "all searches are counted together";
  }
}

TEST(Journal, WithoutALimitThereIsNoEnd) {
  Journal journal;
  for (int i = 0; i < 100000; ++i) journal.count_iteration();
  EXPECT_NO_THROW(journal.check_iterations());
}

// Everybody who hears of a state writes down who he is.
class Heard {
 public:
  [[nodiscard]] JournalOptions options() {
    return {.observer = [this](const State&) { return heard("observer"); },
            .progress = [this](const Progress&) { return heard("progress"); },
            .on_result = [this] { heard("result"); }};
  }
  void set_guard(Journal& journal) {
    journal.set_guard([this](const State&) {
      if (heard("guard") == Next::stop) throw Stopped(StopReason::time_limit);
    });
  }

  std::string stops;  // who says stop
  std::vector<std::string> names;

 private:
  Next heard(const char* name) {
    names.emplace_back(name);
    return stops == name ? Next::stop : Next::carry_on;
  }
};

TEST(Journal, TheGuardIsAskedBeforeAnybodySees) {
  Heard heard;
  Journal journal(heard.options());
  heard.set_guard(journal);
  State state = state_with(2, 1.0);
  journal.report(state, "sweep");
  EXPECT_THAT(heard.names, ElementsAre("guard", "progress", "observer"));
  heard.names.clear();
  heard.stops = "guard";
  EXPECT_EQ(stopped_by([&] { journal.report(state, "sweep"); }), StopReason::time_limit);
  EXPECT_THAT(heard.names, ElementsAre("guard"));
  heard.names.clear();
  journal.set_guard({});
  journal.report(state, "sweep");
  EXPECT_THAT(heard.names, ElementsAre("progress", "observer"));
}

// A request to end that comes with a result must find it told of.
TEST(Journal, ResultsAreToldOfBeforeAllElse) {
  Heard heard;
  Journal journal(heard.options());
  heard.set_guard(journal);
  State state = state_with(2, 1.0);
  journal.states_are_results(true);
  journal.report(state, "sweep");
  EXPECT_THAT(heard.names, ElementsAre("result", "guard", "progress", "observer"));
  heard.names.clear();
  journal.states_are_results(false);
  journal.report(state, "sweep");
  EXPECT_THAT(heard.names, ElementsAre("guard", "progress", "observer"));
  heard.names.clear();
  journal.tell_of_result();
  EXPECT_THAT(heard.names, ElementsAre("result"));
}

TEST(Journal, BothObserversCanStop) {
  State state = state_with(2, 1.0);
  for (const char* who : {"progress", "observer"}) {
    Heard heard;
    heard.stops = who;
    Journal journal(heard.options());
    EXPECT_EQ(stopped_by([&] { journal.report(state, "sweep"); }), StopReason::cancelled) << who;
    EXPECT_EQ(heard.names.back(), who) << "nobody is shown a state after that";
    EXPECT_EQ(journal.trace().size(), 1U) << "what was seen is written down";
    EXPECT_THAT(journal.k_evidence(), ElementsAre(Pair(2, 1.0)));
  }
}

TEST(Journal, WholeStatesAreForObserversAlone) {
  EXPECT_FALSE(Journal().has_observer());
  EXPECT_FALSE(Journal({.progress = [](const Progress&) { return Next::carry_on; }}).has_observer());
  EXPECT_TRUE(Journal({.observer = [](const State&) { return Next::carry_on; }}).has_observer());
}

TEST(Journal, ObserversSeeWhatTheTraceHas) {
  std::vector<Progress> of_states;
  std::vector<Progress> of_progress;
  Journal journal({.observer =
                       [&](const State& state) {
                         of_states.push_back(state.progress);
                         return Next::carry_on;
                       },
                   .progress =
                       [&](const Progress& progress) {
                         of_progress.push_back(progress);
                         return Next::carry_on;
                       }});
  for (std::size_t k = 1; k < 4; ++k) {
    State state = state_with(k, 10.0 - static_cast<double>(k));
    journal.count_iteration();
    journal.report(state, "split");
  }
  ASSERT_EQ(journal.trace().size(), 3U);
  ASSERT_EQ(of_states.size(), 3U);
  ASSERT_EQ(of_progress.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (const Progress& seen : {of_states[i], of_progress[i]}) {
      EXPECT_EQ(seen.phase, journal.trace()[i].phase);
      EXPECT_EQ(seen.iteration, i + 1);
      EXPECT_EQ(seen.k, i + 1);
      EXPECT_EQ(seen.objective, journal.trace()[i].objective);
      EXPECT_EQ(seen.seconds, journal.trace()[i].seconds);
    }
  }
}

TEST(Journal, SecondsRise) {
  Journal journal;
  State state = state_with(1, 0.0);
  journal.report(state, "start");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  journal.report(state, "sweep");
  EXPECT_GE(journal.trace()[0].seconds, 0.0);
  EXPECT_GE(journal.trace()[1].seconds, journal.trace()[0].seconds + 0.002);
  EXPECT_GE(journal.seconds(), journal.trace()[1].seconds);
}

}  // namespace
}  // namespace coppice::internal
