"""A model as one of LLVM's, in TableGen: `classes` what opcodes cost, `resources` ports, `tablegen` the text."""
