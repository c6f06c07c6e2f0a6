#include "guard.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace corecast {
namespace {

/// Every spelling of a directive in small and capital letters; one of them, ".Rept", may be left to the parser.
template <typename Function>
void for_each_spelling(llvm::StringRef directive, bool without_capitalized, Function&& add) {
  const std::size_t letters = directive.size() - 1; // behind the dot
  for (unsigned capitals = 0; capitals < 1U << letters; ++capitals) {
    if (without_capitalized && capitals == 1) continue;
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
    if (dot == llvm::StringRef::npos) return text.size();
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
    if (line[i] == '"' && line[i - 1] != '\\') quoted = !quoted;
    if (quoted || line[i] != '=') continue;
    const llvm::StringRef before = line.take_front(i).rtrim(" \t");
    const char last = before.empty() ? ' ' : before.back();
    if (std::isalnum(static_cast<unsigned char>(last)) != 0 || last == '_' || last == '$' || last == '.' ||
        last == '@' || last == '"' || last == '?')
      return true;
  }
  return false;
}

/// The directive that is put at the start of every macro's body.
constexpr llvm::StringRef entered = ".corecast_entered_macro;";

std::size_t longest_line(llvm::StringRef text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    longest = std::max(longest, line.size());
    text = rest;
  }
  return longest;
}

/// Ends of statements, and semicolons in comments and quotes, too.
std::size_t count_statements(llvm::StringRef text) {
  return text.count('\n') + text.count(';');
}

/// The first semicolon outside quotes.
std::size_t find_semicolon(llvm::StringRef line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    quoted ^= line[i] == '"' && (i == 0 || line[i - 1] != '\\');
    if (line[i] == ';' && !quoted) return i;
  }
  return llvm::StringRef::npos;
}

bool is_word_start(llvm::StringRef text, std::size_t at) {
  return at == 0 || text[at - 1] == '\n' || text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == ';' ||
         text[at - 1] == ':';
}

} // namespace

llvm::StringRef without_entry(llvm::StringRef line) {
  line = line.ltrim();
  line.consume_front(entered);
  return line;
}

GuardedText guard_macros(llvm::StringRef text) {
  GuardedText guarded;
  const bool bare_names = text.contains_insensitive(".altmacro");
  std::size_t copied = 0;
  unsigned depth = 0;
  std::size_t body = 0;
  const auto insert = [&](std::size_t at) {
    guarded.text += text.slice(copied, at);
    guarded.text += entered;
    copied = at;
  };
  for (std::size_t dot = text.find('.'); dot != llvm::StringRef::npos; dot = text.find('.', dot + 1)) {
    if (!is_word_start(text, dot)) continue;
    const llvm::StringRef word = text.substr(dot, 6);
    if (word.starts_with_insensitive(".endm") && depth > 0 && --depth == 0) {
      const llvm::StringRef lines = text.slice(body, dot);
      guarded.most_references = std::max(guarded.most_references, bare_names ? lines.size() / 2 : lines.count('\\'));
    }
    if (!word.equals_insensitive(".macro")) continue;
    if (depth++ == 0) body = dot;
    const std::size_t end = std::min(text.find('\n', dot), text.size());
    const llvm::StringRef line = text.slice(dot, end);
    if (const std::size_t semicolon = find_semicolon(line); semicolon != llvm::StringRef::npos)
      insert(dot + semicolon + 1);
    if (end < text.size()) insert(end + 1);
  }
  guarded.text += text.substr(copied);
  guarded.longest_line = guarded.most_references > 0 ? longest_line(text) : 0;
  return guarded;
}

unsigned find_buffer(const llvm::SourceMgr& sources, llvm::SMLoc location) {
  for (unsigned buffer = location.isValid() ? sources.getNumBuffers() : 0; buffer > 0; --buffer) {
    const llvm::StringRef text = sources.getMemoryBuffer(buffer)->getBuffer();
    if (location.getPointer() >= text.begin() && location.getPointer() <= text.end()) return buffer;
  }
  return 0;
}

void ExpansionGuard::Initialize(llvm::MCAsmParser& parser) {
  MCAsmParserExtension::Initialize(parser);
  for (llvm::StringRef directive : {".include", ".incbin"})
    for_each_spelling(directive, false, [&](llvm::StringRef spelling) {
      parser.addDirectiveHandler(spelling, {this, HandleDirective<ExpansionGuard, &ExpansionGuard::refuse>});
    });
  for (llvm::StringRef directive : {".rept", ".rep", ".irp", ".irpc"})
    for_each_spelling(directive, true, [&](llvm::StringRef spelling) {
      parser.addDirectiveHandler(spelling, {this, HandleDirective<ExpansionGuard, &ExpansionGuard::repeat>});
    });
  parser.addDirectiveHandler(entered.drop_back(), {this, HandleDirective<ExpansionGuard, &ExpansionGuard::enter>});
  parser.addDirectiveHandler(".endr", {this, HandleDirective<ExpansionGuard, &ExpansionGuard::leave>});
}

bool ExpansionGuard::enter(llvm::StringRef, llvm::SMLoc location) {
  const unsigned buffer = find_buffer(sources_, location);
  if (buffer == 0 || buffer == sources_.getMainFileID()) return false;
  const llvm::StringRef text = sources_.getMemoryBuffer(buffer)->getBuffer();
  // An argument of a call in here has at most a line's length, and the called macro may repeat it many times.
  const std::size_t line = longest_line(text);
  const bool too_much = line > most_line_bytes || line * most_references_ > most_expanded_bytes;
  return !spend(text.size() + bytes_per_expansion + (too_much ? most_expanded_bytes : 0), count_statements(text),
                location);
}

void ExpansionGuard::stop() {
  stopped_ = true;
  // The end of the text itself: the parser still reports conditions that are open there.
  const llvm::StringRef text = sources_.getMemoryBuffer(sources_.getMainFileID())->getBuffer();
  static_cast<llvm::AsmLexer&>(getLexer()).setBuffer(text, text.end());
}

bool ExpansionGuard::may_go_on() {
  if (stopped_) return false;
  const bool asks = ++calls_ % calls_per_question == 0;
  if (asks && !go_on_()) stop();
  return !stopped_;
}

bool ExpansionGuard::refuse(llvm::StringRef directive, llvm::SMLoc location) {
  getParser().eatToEndOfStatement();
  return Error(location, llvm::Twine(directive) + " is not followed");
}

llvm::StringRef ExpansionGuard::rest_of_buffer(llvm::SMLoc location) const {
  const unsigned buffer = find_buffer(sources_, location);
  if (buffer == 0) return {};
  const llvm::StringRef text = sources_.getMemoryBuffer(buffer)->getBuffer();
  return text.substr(static_cast<std::size_t>(location.getPointer() - text.data()));
}

bool ExpansionGuard::repeat(llvm::StringRef directive, llvm::SMLoc location) {
  const llvm::StringRef rest = rest_of_buffer(location);
  std::size_t count = 0;
  if (directive.starts_with_insensitive(".rep")) {
    std::int64_t value = 0;
    if (getParser().parseAbsoluteExpression(value)) return true;
    count = value > 0 ? static_cast<std::size_t>(value) : 0;
  } else { // one turn an argument, or a character
    const llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
    if (names_arguments(line)) {
      getParser().eatToEndOfStatement();
      return Error(location, llvm::Twine(directive) + " takes no named arguments");
    }
    count = directive.size() > 4 ? line.size() : line.count(',') + 1;
  }
  const llvm::StringRef inside = rest.drop_front(directive.size());
  std::size_t body = body_bytes(inside);
  const std::size_t statements =
      std::max(count_statements(inside.take_front(body)), std::size_t{2}) - 1; // less the directive
  if (directive.equals_insensitive(".irp")) { // each reference becomes an argument, which may hold the one outside
    const std::size_t line = std::min(rest.find('\n'), rest.size());
    body += inside.take_front(body).count('\\') * line;
    count = line > most_line_bytes ? most_expanded_bytes + 1 : count;
  }
  count = std::min(count, most_expanded_bytes); // enough to end reading
  if (!spend(count * (body + 1), count * statements, location)) return true;
  return hand_over(directive, location);
}

bool ExpansionGuard::leave(llvm::StringRef directive, llvm::SMLoc location) {
  const unsigned buffer = find_buffer(sources_, location);
  const std::size_t size = buffer == 0 ? 0 : sources_.getMemoryBuffer(buffer)->getBufferSize();
  if (buffer != sources_.getMainFileID() &&
      !spend(size + bytes_per_expansion, 0, location)) // its statements were charged
    return true;
  return hand_over(directive, location);
}

bool ExpansionGuard::spend(std::size_t bytes, std::size_t statements, llvm::SMLoc location) {
  charge(bytes);
  expanded_statements_ += statements;
  if (stopped_ || !may_go_on()) return false;
  if (expanded_bytes_ >= most_expanded_bytes)
    end_reading(location,
                "macros and repetitions expand to more than " + llvm::Twine(most_expanded_bytes >> 20) + " MB of text");
  else if (expanded_statements_ > most_expanded_statements)
    end_reading(location,
                "macros and repetitions expand to more than " + llvm::Twine(most_expanded_statements) + " statements");
  return !stopped_;
}

void ExpansionGuard::end_reading(llvm::SMLoc location, const llvm::Twine& message) {
  ends_reading_ = true;
  Error(location, message);
  stop();
}

bool ExpansionGuard::hand_over(llvm::StringRef directive, llvm::SMLoc location) {
  const llvm::StringRef rest = rest_of_buffer(location);
  if (rest.size() < directive.size()) return Error(location, "unreadable directive");
  char* text = const_cast<char*>(rest.data()); // the buffers are copies made for this parse
  text[1] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[1])));
  for (std::size_t i = 2; i < directive.size(); ++i)
    text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  const unsigned buffer = find_buffer(sources_, location);
  static_cast<llvm::AsmLexer&>(getLexer())
      .setBuffer(sources_.getMemoryBuffer(buffer)->getBuffer(), location.getPointer());
  getParser().Lex();
  return false;
}

} // namespace corecast
