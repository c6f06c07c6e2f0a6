"""Binary files of any format to CodeImage."""

from __future__ import annotations

from corecast.asm.code import Isa
from corecast.asm.image import CodeImage
from corecast.errors import ObjectFileError

ELF = b"\x7fELF"


def is_object(content: bytes) -> bool:
    """Whether bytes are an object, executable or library of a format that is read (perhaps for another machine)."""
    if content.startswith(ELF) or _is_macho(content):
        return True
    from corecast.asm.coff import is_coff

    return (content.startswith(b"MZ") and b"\0" in content[:64]) or is_coff(content)


def read_image(content: bytes, file: str, isa: Isa | None = None) -> CodeImage:
    """Read the tables of an ELF, COFF, PE or Mach-O file; `isa` chooses a part of a universal one.

    Raises:
        ObjectFileError: none of these, damaged, or for another machine.
    """
    if content.startswith(ELF):
        from corecast.asm.elf import read_elf

        return read_elf(content, file)
    if not is_object(content):
        raise ObjectFileError("this is not an object file: ELF, COFF, PE and Mach-O are read", file)
    if _is_macho(content):
        from corecast.asm.macho import read_macho

        return read_macho(content, file, isa)
    from corecast.asm.coff import read_coff

    return read_coff(content, file)


def _is_macho(content: bytes) -> bool:
    from corecast.asm.macho import FAT, FAT_64, OTHERS, THIN

    return content.startswith((THIN, FAT, FAT_64, *OTHERS))
