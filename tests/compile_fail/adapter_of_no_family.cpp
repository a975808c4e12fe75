// SPDX-License-Identifier: BSD-3-Clause
// Only families can be adapted: the concept says so at the call, not deep inside.
#include "coppice/family/adapter.hpp"
#include "coppice/family/gaussian.hpp"

#ifdef COPPICE_MISUSE
using Adapted = int;
#else
using Adapted = coppice::internal::Gaussian;
#endif

std::size_t size_of(const coppice::FamilyAdapter<Adapted>& components) { return components.size(); }
