#include "cpp/llvm/demangle.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/Demangle/ItaniumDemangle.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace corecast {
namespace {

namespace itanium = llvm::itanium_demangle;

/// The demanglers recurse; this many characters keep them well within a thread's stack.
constexpr std::size_t longest_symbol = 4096;
constexpr std::uint64_t longest_name = 64 * 1024;
/// Each back reference of a Rust name can double its length.
constexpr std::ptrdiff_t most_rust_back_references = 20;

/// Memory of one parse.
class Arena {
public:
  void reset() { blocks_.clear(); }

  template <typename T, typename... Arguments> T* makeNode(Arguments&&... arguments) {
    return new (allocate(sizeof(T))) T(std::forward<Arguments>(arguments)...);
  }

  void* allocateNodeArray(std::size_t count) { return allocate(sizeof(itanium::Node*) * count); }

private:
  void* allocate(std::size_t bytes) {
    blocks_.push_back(std::make_unique<std::byte[]>(std::max<std::size_t>(bytes, 1)));
    return blocks_.back().get();
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// Upper estimate of the printed length of a syntax tree, whose nodes may have several parents.
class LengthEstimate {
public:
  std::uint64_t of(const itanium::Node* node) {
    if (node == nullptr) return 0;
    // A node that is reached from itself adds nothing: the printer stops there, too.
    const auto [place, fresh] = known_.try_emplace(node, 0);
    if (!fresh) return place->second;
    std::uint64_t sum = own_length;
    node->visit([&](const auto* typed) {
      using Type = std::remove_cv_t<std::remove_pointer_t<decltype(typed)>>;
      if constexpr (std::is_same_v<Type, itanium::ForwardTemplateReference>)
        sum += of(typed->Ref);
      else
        typed->match([&](const auto&... fields) { (add(sum, fields), ...); });
    });
    sum = std::min(sum, limit);
    known_[node] = sum;
    return sum;
  }

private:
  static constexpr std::uint64_t own_length = 8; // punctuation and qualifiers
  static constexpr std::uint64_t limit = std::uint64_t{1} << 40;

  template <typename Field> void add(std::uint64_t& sum, const Field& field) {
    if constexpr (std::is_convertible_v<const Field&, const itanium::Node*>) {
      sum += of(field);
    } else if constexpr (std::is_same_v<Field, itanium::NodeArray>) {
      for (const itanium::Node* node : field)
        sum += of(node);
    } else if constexpr (std::is_same_v<Field, std::string_view>) {
      sum += field.size();
    }
  }

  std::unordered_map<const itanium::Node*, std::uint64_t> known_;
};

std::string taken(char* text) {
  if (text == nullptr) return {};
  std::string result(text);
  std::free(text);
  return result;
}

bool is_hash(std::string_view text) {
  return text.size() == 17 && text.front() == 'h' && text.find_first_not_of("0123456789abcdef", 1) == text.npos;
}

/// Undoes what Rust's legacy mangling does to characters that are none of C's: `$LT$`, `$u7b$`, `..`.
std::string rust_characters(std::string_view text) {
  static constexpr std::pair<std::string_view, char> escapes[] = {
      {"$SP$", '@'}, {"$BP$", '*'}, {"$RF$", '&'}, {"$LT$", '<'},
      {"$GT$", '>'}, {"$LP$", '('}, {"$RP$", ')'}, {"$C$", ','},
  };
  std::string out;
  while (!text.empty()) {
    const auto* found = std::find_if(std::begin(escapes), std::end(escapes),
                                     [&](const auto& escape) { return text.starts_with(escape.first); });
    const std::size_t end = text.starts_with("$u") ? text.find('$', 2) : text.npos;
    if (found != std::end(escapes)) {
      out += found->second;
      text.remove_prefix(found->first.size());
    } else if (end == 4 && text.find_first_not_of("0123456789abcdef", 2) == end) {
      out += static_cast<char>(std::stoi(std::string(text.substr(2, 2)), nullptr, 16));
      text.remove_prefix(end + 1);
    } else if (text.starts_with("..")) {
      out += "::";
      text.remove_prefix(2);
    } else if (text.starts_with("_$") && (out.empty() || out.ends_with("::"))) {
      text.remove_prefix(1); // set before an escape, since no C name begins with one
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string demangle_itanium(std::string_view symbol) {
  itanium::ManglingParser<Arena> parser(symbol.data(), symbol.data() + symbol.size());
  const itanium::Node* tree = parser.parse();
  if (tree == nullptr || LengthEstimate().of(tree) > longest_name) return {};
  std::string name = taken(llvm::itaniumDemangle(symbol));
  // Rust's legacy scheme is a C++ name whose last part is a hash.
  const std::size_t last = name.rfind("::");
  if (last != name.npos && is_hash(std::string_view(name).substr(last + 2)))
    return rust_characters(std::string_view(name).substr(0, last));
  return name;
}

} // namespace

std::string demangle(std::string_view symbol) {
  if (symbol.size() > longest_symbol || symbol.find('\0') != symbol.npos) return {};
  // Mach-O sets an underscore before every name.
  if (symbol.starts_with("__Z") || symbol.starts_with("__R")) symbol.remove_prefix(1);
  if (symbol.starts_with("_Z")) return demangle_itanium(symbol);
  if (symbol.starts_with("_R"))
    return std::count(symbol.begin(), symbol.end(), 'B') > most_rust_back_references
               ? std::string()
               : taken(llvm::rustDemangle(symbol));
  if (symbol.starts_with("?")) {
    int status = 0;
    const auto flags =
        llvm::MSDemangleFlags(llvm::MSDF_NoAccessSpecifier | llvm::MSDF_NoCallingConvention | llvm::MSDF_NoMemberType);
    return taken(llvm::microsoftDemangle(symbol, nullptr, &status, flags));
  }
  return {};
}

} // namespace corecast
