"""Vector instructions that version 0.7.1 of RISC-V's V has with the encoding and the meaning of version 1.0.

From the two versions of the specification. Loads and stores have other names there (`vle.v` for the elements that
vsetvli set, `vlwu.v` for words), and the encodings of those here. What was renamed with another encoding is not
listed, nor is what only version 1.0 has: whole registers, fractional groups, narrowing from `.wv` and `.wf`, estimates.
"""

from __future__ import annotations

import re

_INTEGER = """vadd vsub vrsub vminu vmin vmaxu vmax vand vor vxor vrgather vslideup vslidedown vslide1up
vslide1down vadc vmadc vsbc vmsbc vmerge vmv vmseq vmsne vmsltu vmslt vmsleu vmsle vmsgtu vmsgt
vsaddu vsadd vssubu vssub vsll vsrl vsra vssrl vssra vsmul vdivu vdiv vremu vrem vmulhu vmul vmulhsu
vmulh vmadd vnmsub vmacc vnmsac vwaddu vwadd vwsubu vwsub vwmulu vwmul vwmulsu vwmaccu vwmacc
vwmaccsu vwmaccus vredsum vredand vredor vredxor vredminu vredmin vredmaxu vredmax vwredsumu
vwredsum vcompress"""
_MASKS = "vmand vmnand vmor vmnor vmxor vmxnor vmsbf vmsif vmsof viota vid"
_FLOATING = """vfadd vfsub vfrsub vfmin vfmax vfsgnj vfsgnjn vfsgnjx vfmerge vfmv vmfeq vmfne vmflt vmfle vmfgt
vmfge vfdiv vfrdiv vfmul vfmadd vfnmadd vfmsub vfnmsub vfmacc vfnmacc vfmsac vfnmsac vfwadd vfwsub
vfwmul vfwmacc vfwnmacc vfwmsac vfwnmsac vfredosum vfredmin vfredmax vfwredosum vfsqrt vfclass"""
_NAMES = frozenset(f"{_INTEGER} {_MASKS} {_FLOATING}".split())
_OTHERS = re.compile(
    r"vset(vl|vli)|vl(e|se|oxei)(8|16|32|64)\.v|vs(e|se|oxei)(8|16|32|64)\.v|vf(w?)cvt\.(xu?\.f|f\.xu?|f\.f)\.v"
    r"|vm(not|mv|clr|set)\.m|vneg\.v|vnot\.v"
)


def is_of_early_vectors(mnemonic: str) -> bool:
    """Whether version 0.7.1 has the instruction of this name in version 1.0."""
    if mnemonic == "vmv.x.s" or re.fullmatch(r"vmv\dr\.v", mnemonic):
        return False
    return mnemonic.partition(".")[0] in _NAMES or _OTHERS.fullmatch(mnemonic) is not None
