// SPDX-License-Identifier: BSD-3-Clause
// The precompiled headers of the tests belong to a target, and a target has a source.
