// Assembly text -> Listing, through LLVM's parser with a streamer that records instead of writing an object.
#include "describe.hpp"
#include "guard.hpp"
#include "listing.hpp"
#include "target.hpp"

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectFileInfo.h"
#if LLVM_VERSION_MAJOR < 21
#include "llvm/MC/MCParser/MCAsmLexer.h"
#else
#include "llvm/MC/MCParser/AsmLexer.h"
#endif
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>
#include <unordered_map>

namespace corecast {
namespace {

constexpr std::size_t most_instructions = 1'000'000;

/// Receives what the parser reads. Sections, symbols and data are accepted and forgotten, except data inside code.
class Recorder final : public llvm::MCStreamer {
public:
  Recorder(llvm::MCContext& context, const Target& target, llvm::SourceMgr& sources, Listing& listing)
      : MCStreamer(context), sources_(sources), listing_(listing), describer_(target, context) {}

  void attach(llvm::MCAsmParser& parser, ExpansionGuard& guard) {
    parser_ = &parser;
    guard_ = &guard;
  }

  void emitInstruction(const llvm::MCInst& inst, const llvm::MCSubtargetInfo& subtarget) override {
    if (listing_.instructions.size() >= most_instructions || !guard_->may_go_on()) return;
    Instruction instruction =
        follows_prefix() ? with_prefix(inst, subtarget) : describer_.describe(inst, subtarget, offset_);
    instruction.line = inst.getLoc().isValid() ? line_of(inst.getLoc()) : line_before_token();
    offset_ += instruction.length_bytes;
    listing_.instructions.push_back(std::move(instruction));
    if (listing_.instructions.size() == most_instructions) {
      listing_.problems.push_back(
          {listing_.instructions.back().line, 0,
           "more than " + std::to_string(most_instructions) + " instructions: the rest is left out"});
      guard_->stop();
    }
  }

  void emitLabel(llvm::MCSymbol* symbol, llvm::SMLoc location) override {
    MCStreamer::emitLabel(symbol, location);
    listing_.labels.push_back({symbol->getName().str(), listing_.instructions.size(), line_of(location)});
  }

  /// The parser evaluates a symbol anew at each use, and all symbols that it stands for: symbols defined by twice the
  /// one before would double the work with every line.
  void emitAssignment(llvm::MCSymbol* symbol, const llvm::MCExpr* value) override {
    constexpr std::size_t most_terms = 1000;
    const std::size_t terms = terms_of(*value);
    if (terms > most_terms) {
      guard_->end_reading(parser_->getTok().getLoc(), "'" + symbol->getName() +
                                                          "' stands for an expression of more than " +
                                                          llvm::Twine(most_terms) + " terms");
      return;
    }
    terms_[symbol] = terms;
    MCStreamer::emitAssignment(symbol, value);
  }

  void emitBytes(llvm::StringRef data) override {
    if (!in_code()) return;
    const std::uint32_t line = line_of(parser_->getTok().getLoc());
    if (listing_.data.empty() || listing_.data.back().line != line ||
        listing_.data.back().index != listing_.instructions.size())
      listing_.data.push_back({listing_.instructions.size(), line, {}});
    auto& bytes = listing_.data.back().bytes;
    bytes.insert(bytes.end(), data.bytes_begin(), data.bytes_end());
    offset_ += data.size();
  }

  void emitValueImpl(const llvm::MCExpr*, unsigned, llvm::SMLoc) override {}
  bool emitSymbolAttribute(llvm::MCSymbol*, llvm::MCSymbolAttr) override { return true; }
  void emitCommonSymbol(llvm::MCSymbol*, std::uint64_t, llvm::Align) override {}
  void emitZerofill(llvm::MCSection*, llvm::MCSymbol*, std::uint64_t, llvm::Align, llvm::SMLoc) override {}

  void add_unknown(std::uint32_t line, llvm::StringRef text) {
    if (!listing_.instructions.empty() && listing_.instructions.back().unknown &&
        listing_.instructions.back().line == line)
      return;
    Instruction unknown;
    unknown.unknown = true;
    unknown.line = line;
    unknown.text = text.trim().str();
    unknown.mnemonic = text.trim().split(' ').first.split('\t').first.str();
    listing_.instructions.push_back(std::move(unknown));
  }

  std::uint32_t line_of(llvm::SMLoc location) {
    const unsigned buffer = find_buffer(sources_, location);
    if (buffer == sources_.getMainFileID()) return sources_.getLineAndColumn(location, buffer).first;
    if (buffer == 0) return 0;
    // Text made by a macro or .rept lives in a separate buffer: its line is where it was invoked. Only the notes that
    // follow a diagnostic give that place.
    if (buffer != expansion_buffer_) {
      expansion_buffer_ = buffer;
      expansion_line_ = 0;
      parser_->Warning(location, "where is this?");
    }
    return expansion_line_;
  }

  /// A note on where the text being read was expanded, innermost first.
  void on_expanded_from(llvm::SMLoc location) {
    guard_->on_note();
    if (find_buffer(sources_, location) == sources_.getMainFileID())
      expansion_line_ = sources_.getLineAndColumn(location, sources_.getMainFileID()).first;
  }

  /// Whether an error stands in expanded text; reporting many of those takes long.
  void on_error(llvm::SMLoc location) {
    if (location.isValid() && find_buffer(sources_, location) != sources_.getMainFileID())
      guard_->on_error_in_expansion();
    (void)guard_->may_go_on();
  }

  bool ends_reading() const { return guard_->ends_reading(); }

private:
  /// Leaves of an expression with the symbols in it replaced by what they stand for.
  std::size_t terms_of(const llvm::MCExpr& expression) const {
    switch (expression.getKind()) {
    case llvm::MCExpr::Binary: {
      const auto& binary = llvm::cast<llvm::MCBinaryExpr>(expression);
      return terms_of(*binary.getLHS()) + terms_of(*binary.getRHS());
    }
    case llvm::MCExpr::Unary:
      return terms_of(*llvm::cast<llvm::MCUnaryExpr>(expression).getSubExpr());
    case llvm::MCExpr::SymbolRef: {
      const auto found = terms_.find(&llvm::cast<llvm::MCSymbolRefExpr>(expression).getSymbol());
      return found == terms_.end() ? 1 : found->second;
    }
    default:
      return 1;
    }
  }

  /// Line of the statement just read: pseudo instructions of RISC-V expand without a location when the parser has gone
  /// on to the token behind the statement's end.
  std::uint32_t line_before_token() {
    const llvm::SMLoc location = parser_->getTok().getLoc();
    const unsigned buffer = find_buffer(sources_, location);
    if (buffer == 0) return 0;
    const char* first = sources_.getMemoryBuffer(buffer)->getBufferStart();
    const char* at = location.getPointer();
    while (at > first && (at[-1] == ' ' || at[-1] == '\t'))
      --at;
    return line_of(at > first ? llvm::SMLoc::getFromPointer(at - 1) : location);
  }

  /// "lock; addl $1, (%rax)", "data16 leaq ...": the parser takes such prefixes for separate instructions.
  bool follows_prefix() const {
    return describer_.target().isa == Isa::x86 && !listing_.instructions.empty() &&
           is_lone_prefix(listing_.instructions.back()) &&
           (listing_.labels.empty() || listing_.labels.back().index < listing_.instructions.size());
  }

  Instruction with_prefix(const llvm::MCInst& inst, const llvm::MCSubtargetInfo& subtarget) {
    const Instruction prefix = std::move(listing_.instructions.back());
    listing_.instructions.pop_back();
    offset_ -= prefix.length_bytes;
    std::vector<std::uint8_t> bytes = prefix.bytes;
    const std::vector<std::uint8_t> rest = describer_.encode(inst, subtarget);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    const bool symbolic =
        std::any_of(inst.begin(), inst.end(), [](const llvm::MCOperand& operand) { return operand.isExpr(); });
    if (!symbolic) { // a prefix can make another instruction: "rep; nop" is pause
      Listing decoded = disassemble(Isa::x86, bytes.data(), bytes.size(), offset_);
      if (decoded.instructions.size() == 1 && decoded.problems.empty()) return std::move(decoded.instructions.front());
    }
    llvm::MCInst flagged = inst; // how LLVM's decoder tells the printer of these
    constexpr unsigned repeat_not_equal = 4;
    constexpr unsigned repeat = 8;
    constexpr unsigned lock = 16;
    flagged.setFlags(inst.getFlags() | (prefix.mnemonic == "lock"    ? lock
                                        : prefix.mnemonic == "rep"   ? repeat
                                        : prefix.mnemonic == "repne" ? repeat_not_equal
                                                                     : 0U));
    return describer_.describe(flagged, subtarget, offset_, bytes);
  }

  bool in_code() const {
    const llvm::MCSection* section = getCurrentSectionOnly();
    return section != nullptr && section->isText();
  }

  llvm::SourceMgr& sources_;
  Listing& listing_;
  Describer describer_;
  llvm::MCAsmParser* parser_ = nullptr;
  ExpansionGuard* guard_ = nullptr;
  std::uint64_t offset_ = 0;
  unsigned expansion_buffer_ = 0; // buffer of expanded text seen last, and the line that it comes from
  std::uint32_t expansion_line_ = 0;
  std::unordered_map<const llvm::MCSymbol*, std::size_t> terms_; // of the symbols that were assigned
};

struct DiagnosticSink {
  Listing* listing = nullptr;
  Recorder* recorder = nullptr;
};

/// Whether a statement is an instruction rather than a directive, label or empty.
bool looks_like_instruction(llvm::StringRef line) {
  line = line.trim();
  while (true) { // labels before it
    const std::size_t colon = line.find(':');
    if (colon == llvm::StringRef::npos || line.take_front(colon).find_first_of(" \t\"([,") != llvm::StringRef::npos)
      break;
    line = line.drop_front(colon + 1).ltrim();
  }
  return !line.empty() && line.front() != '.' && line.front() != '#' && line.front() != '/';
}

void on_diagnostic(const llvm::SMDiagnostic& diagnostic, void* opaque) {
  auto& sink = *static_cast<DiagnosticSink*>(opaque);
  if (diagnostic.getKind() == llvm::SourceMgr::DK_Note && sink.recorder != nullptr)
    sink.recorder->on_expanded_from(diagnostic.getLoc());
  if (diagnostic.getKind() != llvm::SourceMgr::DK_Error) return;
  std::uint32_t line = static_cast<std::uint32_t>(std::max(diagnostic.getLineNo(), 0));
  if (sink.recorder != nullptr) sink.recorder->on_error(diagnostic.getLoc());
  if (sink.recorder != nullptr && diagnostic.getLoc().isValid()) line = sink.recorder->line_of(diagnostic.getLoc());
  sink.listing->problems.push_back({line, static_cast<std::uint32_t>(std::max(diagnostic.getColumnNo() + 1, 0)),
                                    diagnostic.getMessage().str(),
                                    sink.recorder != nullptr && sink.recorder->ends_reading()});
  if (sink.recorder != nullptr && looks_like_instruction(without_entry(diagnostic.getLineContents())))
    sink.recorder->add_unknown(line, without_entry(diagnostic.getLineContents()));
}

Listing parse(Isa isa, std::string_view text, Syntax syntax, const GoOn& go_on) {
  const Target& target = Target::get(isa);
  Listing listing;
  // Mostly one a line: room that grows by doubling is needed twice while it grows, and half empty afterwards.
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  listing.instructions.reserve(std::min(lines, most_instructions));
  DiagnosticSink sink{&listing, nullptr};

  const GuardedText guarded = guard_macros(llvm::StringRef(text.data(), text.size()));
  constexpr std::size_t most_bytes = 4 * ExpansionGuard::most_expanded_bytes; // of one expansion
  if (guarded.longest_line * guarded.most_references > most_bytes) {
    listing.problems.push_back(
        {0, 0, "macros with arguments would expand to more than " + std::to_string(most_bytes >> 20) + " MB of text",
         true});
    return listing;
  }

  llvm::SourceMgr sources;
  sources.setDiagHandler(on_diagnostic, &sink);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(guarded.text, "input"), llvm::SMLoc());

  llvm::MCContext context(target.triple, target.assembly.get(), target.registers.get(), target.subtarget.get(),
                          &sources, &target.options);
  // Errors that the context finds itself (a symbol defined twice).
  context.setDiagnosticHandler([&sink](const llvm::SMDiagnostic& diagnostic, bool, const llvm::SourceMgr&,
                                       std::vector<const llvm::MDNode*>&) { on_diagnostic(diagnostic, &sink); });
  std::unique_ptr<llvm::MCObjectFileInfo> object_info(target.target->createMCObjectFileInfo(context, /*PIC=*/false));
  context.setObjectFileInfo(object_info.get());

  Recorder recorder(context, target, sources, listing);
  std::unique_ptr<llvm::MCTargetStreamer> directives(target.target->createNullTargetStreamer(recorder));
  [[maybe_unused]] auto* owned_by_streamer = directives.release();

  std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, recorder, *target.assembly));
  std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
      target.target->createMCAsmParser(*target.subtarget, *parser, *target.instructions, target.options));
  ExpansionGuard guard(sources, go_on, guarded.most_references);
  guard.Initialize(*parser);
  recorder.attach(*parser, guard);
  sink.recorder = &recorder;
  if (isa == Isa::x86) parser->setAssemblerDialect(syntax == Syntax::intel ? 1 : 0);
  parser->setTargetParser(*target_parser);
  // NoFinalize: unresolved local labels are not errors in an excerpt.
  parser->Run(/*NoInitialTextSection=*/false, /*NoFinalize=*/true);
  sink.recorder = nullptr;
  return listing;
}

/// Reads refused lines once more, each alone: the parser refuses some that are legal but break a rule between
/// neighbours (an instruction after movprfx), which excerpts and listings often do.
void retry_alone(Isa isa, std::string_view text, Syntax syntax, const GoOn& go_on, Listing& listing) {
  constexpr std::size_t most_retries = 200;
  std::size_t retries = 0;
  std::size_t start = 0;
  std::uint32_t line = 1;
  for (Instruction& instruction : listing.instructions) {
    if (!instruction.unknown || instruction.line < line || ++retries > most_retries || !go_on()) continue;
    while (line < instruction.line && start < text.size()) {
      const std::size_t newline = text.find('\n', start);
      start = newline == std::string_view::npos ? text.size() : newline + 1;
      ++line;
    }
    Listing alone = parse(isa, text.substr(start, text.find('\n', start) - start), syntax, go_on);
    if (!alone.problems.empty() || alone.instructions.size() != 1) continue;
    instruction = std::move(alone.instructions.front());
    instruction.line = line;
    std::erase_if(listing.problems, [line](const Problem& problem) { return problem.line == line; });
  }
}

} // namespace

Listing assemble(Isa isa, std::string_view text, Syntax syntax, const GoOn& go_on) {
  Listing listing = parse(isa, text, syntax, go_on);
  if (!listing.problems.empty() && listing.instructions.size() > 1) retry_alone(isa, text, syntax, go_on, listing);
  return listing;
}

} // namespace corecast
