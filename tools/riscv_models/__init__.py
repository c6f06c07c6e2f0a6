"""Making of the RISC-V models: LLVM's costs of vector instructions, measured figures on top."""
