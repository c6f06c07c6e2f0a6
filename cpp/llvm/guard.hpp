// Keeps assembly text from reading files and from expanding without measure.
#pragma once

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

namespace corecast {

/// Number of the buffer that holds a location, 0 where none does. Each expansion is a buffer of its own: the newest are asked
/// first, where LLVM's function takes them in order.
unsigned find_buffer(const llvm::SourceMgr &sources, llvm::SMLoc location);

/// Handlers that the parser asks before its own. File inclusion is refused. Directives that expand are counted, and then
/// left to the parser: its own table ignores case where this one does not, so the directive's first letter is capitalized
/// in the buffer (which nobody else reads) and read again.
class ExpansionGuard final : public llvm::MCAsmParserExtension {
public:
  static constexpr std::size_t most_expanded_bytes = 64U << 20; // of text that macros and repetitions give
  static constexpr std::size_t bytes_per_expansion = 4096; // the parser looks through all of them, often

  explicit ExpansionGuard(llvm::SourceMgr &sources) : sources_(sources) {}

  void Initialize(llvm::MCAsmParser &parser) override;

  /// Makes the parser believe that the text ends here.
  void stop();

private:
  bool refuse(llvm::StringRef directive, llvm::SMLoc location);
  bool repeat(llvm::StringRef directive, llvm::SMLoc location);
  bool leave(llvm::StringRef directive, llvm::SMLoc location);
  bool spend(std::size_t bytes, llvm::SMLoc location);
  /// Reads the directive once more, now in the spelling that only the parser knows.
  bool hand_over(llvm::StringRef directive, llvm::SMLoc location);
  llvm::StringRef rest_of_buffer(llvm::SMLoc location) const;

  llvm::SourceMgr &sources_;
  std::size_t expanded_bytes_ = 0;
};

} // namespace corecast
