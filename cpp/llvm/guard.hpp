// Keeps assembly text from reading files and from expanding without measure.
#pragma once

#include "listing.hpp"

#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR < 21
#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCAsmLexer.h"
#else
#include "llvm/MC/MCParser/AsmLexer.h"
#endif
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCAsmParserExtension.h"
#include "llvm/Support/SourceMgr.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace corecast {

/// Number of the buffer that holds a location, 0 where none does. Each expansion is a separate buffer: the newest are
/// asked first, where LLVM's function takes them in order.
unsigned find_buffer(const llvm::SourceMgr& sources, llvm::SMLoc location);

/// Text in which each macro reports that it was entered, and what bounds the size of one expansion.
struct GuardedText {
  std::string text;
  std::size_t most_references = 0; // to arguments, in the body of one macro
  std::size_t longest_line = 0;    // 0 where there are no macros with arguments
};
GuardedText guard_macros(llvm::StringRef text);

/// A line of an expansion without the report that `guard_macros` put there.
llvm::StringRef without_entry(llvm::StringRef line);

/// Handlers that the parser asks before its own. File inclusion is refused. Directives that expand are counted, and
/// then left to the parser: its own table ignores case where this one does not, so the directive's first letter is
/// capitalized in the buffer (which nobody else reads) and read again.
class ExpansionGuard final : public llvm::MCAsmParserExtension {
public:
  static constexpr std::size_t most_expanded_bytes = 64U << 20; // of text that macros and repetitions give
  static constexpr std::size_t most_expanded_statements =
      500'000;                                             // some seconds for the parser, however short they are
  static constexpr std::size_t bytes_per_expansion = 4096; // the parser looks through all of them, often

  static constexpr std::size_t most_line_bytes = 20'000;    // of expanded text: long numbers take the square of it
  static constexpr std::size_t bytes_per_error = 64U << 10; // in expanded text: 1,024 of them

  ExpansionGuard(llvm::SourceMgr& sources, const GoOn& go_on, std::size_t most_references)
      : sources_(sources), go_on_(go_on), most_references_(most_references) {}

  void Initialize(llvm::MCAsmParser& parser) override;

  /// Makes the parser believe that the text ends here.
  void stop();

  /// Reports an error and stops.
  void end_reading(llvm::SMLoc location, const llvm::Twine& message);

  /// Asks from time to time whether to continue, and stops where not.
  bool may_go_on();
  /// Whether the error being reported is the one that ends reading.
  bool ends_reading() const { return ends_reading_; }
  void on_error_in_expansion() { charge(bytes_per_error); }
  /// A diagnostic named one more place that the text was expanded from: the parser looked for it among all buffers.
  void on_note() { charge(sources_.getNumBuffers() / 8); }

private:
  bool refuse(llvm::StringRef directive, llvm::SMLoc location);
  bool repeat(llvm::StringRef directive, llvm::SMLoc location);
  bool enter(llvm::StringRef directive, llvm::SMLoc location);
  bool leave(llvm::StringRef directive, llvm::SMLoc location);
  /// Charges what an expansion gives, before the parser makes it. Whether reading may go on.
  bool spend(std::size_t bytes, std::size_t statements, llvm::SMLoc location);
  /// The same where no error may be reported now: the next directive or instruction does.
  void charge(std::size_t bytes) { expanded_bytes_ += bytes; }
  /// Reads the directive once more, now in the spelling that only the parser knows.
  bool hand_over(llvm::StringRef directive, llvm::SMLoc location);
  llvm::StringRef rest_of_buffer(llvm::SMLoc location) const;

  static constexpr unsigned calls_per_question = 1024;

  llvm::SourceMgr& sources_;
  const GoOn& go_on_;
  std::size_t most_references_;
  unsigned calls_ = 0;
  bool stopped_ = false;
  bool ends_reading_ = false;
  std::size_t expanded_bytes_ = 0;
  std::size_t expanded_statements_ = 0;
};

} // namespace corecast
