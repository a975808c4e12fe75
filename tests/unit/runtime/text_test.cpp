// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/text.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace coppice {

namespace {

using testing::ElementsAre;
using testing::VariantWith;

// As a language with named arguments would.
class Arguments : public Spelling {
 public:
  [[nodiscard]] std::string of(const OptionName& option) const override {
    return option.value ? option.key + "='" + *option.value + "'" : "<" + option.key + ">";
  }
  [[nodiscard]] std::string of(const CommandName& command) const override { return command.name + "()"; }
};

Text limit_reached() {
  Text text = "the limit ";
  text += option("max_k", 3);
  text += " was reached; see ";
  text += option("k");
  text += " and ";
  text += command("predict");
  return text;
}

TEST(Text, IsSpeltByTheFrontEndOrByBareKeys) {
  EXPECT_EQ(limit_reached().render(Arguments()), "the limit max_k='3' was reached; see <k> and predict()");
  EXPECT_EQ(limit_reached().plain(), "the limit max_k 3 was reached; see k and predict");
}

TEST(Text, OfWordsAloneIsTheWords) {
  const std::string odd = "{k} --k {{}} %s \x01\xff\"'\\ \n";
  EXPECT_EQ(Text(odd).plain(), odd);
  EXPECT_EQ(Text(odd).render(Arguments()), odd) << "nothing in words is taken for an option";
  EXPECT_THAT(Text(odd).parts(), ElementsAre(VariantWith<std::string>(odd)));
}

TEST(Text, KeepsValuesAsTheyAre) {
  const Text text = option("columns", "\"a,b\",{k},it's --k");
  EXPECT_EQ(text.plain(), "columns \"a,b\",{k},it's --k");
  EXPECT_EQ(Text(option("id", "")).plain(), "id ") << "a column without a name";
}

TEST(Text, IsEqualIfItSaysTheSame) {
  EXPECT_EQ(limit_reached(), limit_reached());
  Text in_pieces = "a";
  in_pieces += "";
  in_pieces += "b";
  EXPECT_EQ(in_pieces, "ab");
  EXPECT_EQ(Text(""), Text());
  EXPECT_TRUE(Text("").empty());
  EXPECT_FALSE(Text(option("k")).empty());
  EXPECT_NE(Text(option("k")), Text("k")) << "one is spelt, the other is a word";
  EXPECT_NE(Text(option("k", 3)), Text(option("k", 4)));
  EXPECT_NE(Text(option("fit")), Text(command("fit")));
}

TEST(Text, CopiesAreTheirOwn) {
  const Text first = limit_reached();
  Text second = first;
  second += "!";
  EXPECT_EQ(first, limit_reached());
  EXPECT_EQ(second.plain(), first.plain() + "!");
  second += second;
  EXPECT_EQ(second.plain(), first.plain() + "!" + first.plain() + "!");
}

TEST(Text, ReadsTemplates) {
  EXPECT_EQ(Text::from_template("the limit {max_k=3} was reached; see {k} and {predict()}"), limit_reached());
  EXPECT_EQ(Text::from_template("a {{k}} of {k=}").plain(), "a {k} of k ");
  EXPECT_TRUE(Text::from_template("").empty());
}

TEST(Text, WritesTemplatesThatReadTheSame) {
  Text odd = "{k} {{ }";
  odd += option("transform", "pca:50,a=b");
  odd += command("fit");
  odd += "}";
  for (const Text& text : {limit_reached(), odd, Text("}{"), Text()}) {
    EXPECT_EQ(Text::from_template(text.to_template()), text) << text.to_template();
  }
  EXPECT_EQ(limit_reached().to_template(), "the limit {max_k=3} was reached; see {k} and {predict()}");
}

TEST(Text, WritesValuesWithBracesAsWords) {
  const Text text = option("query", "SELECT '{}'");
  EXPECT_EQ(text.to_template(), "{query} SELECT '{{}}'");
  EXPECT_EQ(Text::from_template(text.to_template()).plain(), text.plain());
}

TEST(Text, RefusesBrokenTemplates) {
  for (const char* broken : {"{", "}", "a {k", "a k}", "{}", "{:g}", "{max k}", "{Max}", "{=3}", "{()}", "{k}}"}) {
    EXPECT_THROW((void)Text::from_template(broken), std::invalid_argument) << broken;
  }
}

}  // namespace

}  // namespace coppice
