#include "guard.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace corecast {
namespace {

constexpr llvm::StringRef nothing = "";

/// Every spelling of a directive in small and capital letters; one of them, ".Rept", may be left to the parser.
template <typename Function> void for_each_spelling(llvm::StringRef directive, bool without_capitalized, Function &&add) {
  const std::size_t letters = directive.size() - 1; // behind the dot
  for (unsigned capitals = 0; capitals < 1U << letters; ++capitals) {
    if (without_capitalized && capitals == 1)
      continue;
    std::string spelling = directive.str();
    for (std::size_t i = 0; i < letters; ++i)
      if ((capitals >> i & 1) != 0)
        spelling[i + 1] = static_cast<char>(std::toupper(static_cast<unsigned char>(spelling[i + 1])));
    add(spelling);
  }
}

/// Length of a body that ends at its .endr, ".rept" and ".irp" inside it being matched.
std::size_t body_bytes(llvm::StringRef text) {
  unsigned depth = 0;
  std::size_t position = 0;
  while (true) {
    const std::size_t dot = text.find('.', position);
    if (dot == llvm::StringRef::npos)
      return text.size();
    const llvm::StringRef word = text.substr(dot, 5);
    if (word.starts_with_insensitive(".rep") || word.starts_with_insensitive(".irp"))
      ++depth;
    else if (word.equals_insensitive(".endr") && depth-- == 0)
      return dot;
    position = dot + 1;
  }
}

/// Whether something like "name=value" stands outside quotes: LLVM 22 looks up the name in a macro, which .irp has not.
bool names_arguments(llvm::StringRef line) {
  bool quoted = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '"' && line[i - 1] != '\\')
      quoted = !quoted;
    if (quoted || line[i] != '=')
      continue;
    const llvm::StringRef before = line.take_front(i).rtrim(" \t");
    const char last = before.empty() ? ' ' : before.back();
    if (std::isalnum(static_cast<unsigned char>(last)) != 0 || last == '_' || last == '$' || last == '.' || last == '@' || last == '"' ||
        last == '?')
      return true;
  }
  return false;
}

} // namespace

unsigned find_buffer(const llvm::SourceMgr &sources, llvm::SMLoc location) {
  for (unsigned buffer = location.isValid() ? sources.getNumBuffers() : 0; buffer > 0; --buffer) {
    const llvm::StringRef text = sources.getMemoryBuffer(buffer)->getBuffer();
    if (location.getPointer() >= text.begin() && location.getPointer() <= text.end())
      return buffer;
  }
  return 0;
}

void ExpansionGuard::Initialize(llvm::MCAsmParser &parser) {
  MCAsmParserExtension::Initialize(parser);
  for (llvm::StringRef directive : {".include", ".incbin"})
    for_each_spelling(directive, false, [&](llvm::StringRef spelling) {
      parser.addDirectiveHandler(spelling, {this, HandleDirective<ExpansionGuard, &ExpansionGuard::refuse>});
    });
  for (llvm::StringRef directive : {".rept", ".rep", ".irp", ".irpc"})
    for_each_spelling(directive, true, [&](llvm::StringRef spelling) {
      parser.addDirectiveHandler(spelling, {this, HandleDirective<ExpansionGuard, &ExpansionGuard::repeat>});
    });
  for (llvm::StringRef directive : {".endr", ".endm", ".endmacro"})
    parser.addDirectiveHandler(directive, {this, HandleDirective<ExpansionGuard, &ExpansionGuard::leave>});
}

void ExpansionGuard::stop() { static_cast<llvm::AsmLexer &>(getLexer()).setBuffer(nothing); }

bool ExpansionGuard::refuse(llvm::StringRef directive, llvm::SMLoc location) {
  getParser().eatToEndOfStatement();
  return Error(location, llvm::Twine(directive) + " is not followed");
}

llvm::StringRef ExpansionGuard::rest_of_buffer(llvm::SMLoc location) const {
  const unsigned buffer = find_buffer(sources_, location);
  if (buffer == 0)
    return {};
  const llvm::StringRef text = sources_.getMemoryBuffer(buffer)->getBuffer();
  return text.substr(static_cast<std::size_t>(location.getPointer() - text.data()));
}

bool ExpansionGuard::repeat(llvm::StringRef directive, llvm::SMLoc location) {
  const llvm::StringRef rest = rest_of_buffer(location);
  std::size_t count = 0;
  if (directive.starts_with_insensitive(".rep")) {
    std::int64_t value = 0;
    if (getParser().parseAbsoluteExpression(value))
      return true;
    count = value > 0 ? static_cast<std::size_t>(value) : 0;
  } else { // one turn an argument, or a character
    const llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
    if (names_arguments(line)) {
      getParser().eatToEndOfStatement();
      return Error(location, llvm::Twine(directive) + " takes no named arguments");
    }
    count = directive.size() > 4 ? line.size() : line.count(',') + 1;
  }
  const std::size_t body = body_bytes(rest.drop_front(directive.size()));
  if (count > most_expanded_bytes || !spend(count * (body + 1), location))
    return count > most_expanded_bytes ? !spend(most_expanded_bytes, location) : true;
  return hand_over(directive, location);
}

bool ExpansionGuard::leave(llvm::StringRef directive, llvm::SMLoc location) {
  const unsigned buffer = find_buffer(sources_, location);
  const std::size_t size = buffer == 0 ? 0 : sources_.getMemoryBuffer(buffer)->getBufferSize();
  if (buffer != sources_.getMainFileID() && !spend(size + bytes_per_expansion, location))
    return true;
  return hand_over(directive, location);
}

bool ExpansionGuard::spend(std::size_t bytes, llvm::SMLoc location) {
  expanded_bytes_ += bytes;
  if (expanded_bytes_ < most_expanded_bytes)
    return true;
  Error(location, "macros and repetitions expand to more than " + llvm::Twine(most_expanded_bytes >> 20) + " MB of text");
  stop();
  return false;
}

bool ExpansionGuard::hand_over(llvm::StringRef directive, llvm::SMLoc location) {
  const llvm::StringRef rest = rest_of_buffer(location);
  if (rest.size() < directive.size())
    return Error(location, "unreadable directive");
  char *text = const_cast<char *>(rest.data()); // the buffers are copies made for this parse
  text[1] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[1])));
  for (std::size_t i = 2; i < directive.size(); ++i)
    text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  const unsigned buffer = find_buffer(sources_, location);
  static_cast<llvm::AsmLexer &>(getLexer()).setBuffer(sources_.getMemoryBuffer(buffer)->getBuffer(), location.getPointer());
  getParser().Lex();
  return false;
}

} // namespace corecast
