"""Which instructions a core has: LLVM's assembler is asked with the features that LLVM gives the core.

LLVM's scheduling models cover by wide patterns whatever exists, instructions of later architectures too. A row for an
instruction that the core does not have would claim to know what nobody can run.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable

from corecast import _core
from corecast.machine.llvm.schedule import version

CRYPTOGRAPHY = {
    "neoverse_v1": "+sha3,+sm4",
    **dict.fromkeys(
        ("neoverse_n2", "neoverse_v2", "neoverse_v3"), "+sha3,+sm4,+sve2-aes,+sve2-sha3,+sve2-sm4,+sve2-bitperm"
    ),
}
"""What licensees may leave out, and LLVM does therefore not give the core; servers have it."""
HINTS = re.compile(r"(psb|tsb|esb|dgh|bti|csdb|(pac|aut)i[ab](sp|z|1716)|xpaclri)\b")
"""A core without the extension takes these for a nop."""

ABSENT = re.compile(r"instruction requires|expected (readable|writable) system register|invalid operand")


def missing(name: str, cpu: str, forms: Iterable[tuple[str, bytes]]) -> frozenset[str]:
    """Those of the forms (each with an encoding) that the core does not have.

    Args:
        name: the model.
        cpu: its core in LLVM.
    """
    listed = [(form, code) for form, code in forms if not HINTS.match(form)]
    texts = [_core.disassemble("aarch64", code).instructions[0].text for _, code in listed]
    features = ",".join(["+aes", "+sha2", CRYPTOGRAPHY.get(name, "")]).rstrip(",")
    result = subprocess.run(  # a nop between them: some instructions may not follow movprfx
        [f"llvm-mc-{version()}", "-triple=aarch64", f"-mcpu={cpu}", f"-mattr={features}", "-filetype=null"],
        input="".join(f"{text}\nnop\n" for text in texts),
        capture_output=True,
        text=True,
        check=False,
    )
    refused = re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", result.stderr, re.MULTILINE)
    return frozenset(listed[(int(line) - 1) // 2][0] for line, message in refused if ABSENT.match(message))
