// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// CLI11 by name alone, for headers. Its own header takes seconds to compile wherever it is included, and most files
// only hand a command on.

namespace CLI {

class App;
class Option;
class Validator;

}  // namespace CLI
