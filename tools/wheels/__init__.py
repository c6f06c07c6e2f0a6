"""Wheels that run on many systems: building, packing, checking, and trying them where nothing else is installed.

build.py      a wheel for each interpreter, `auditwheel`-repaired, the same bytes each time
cross.py      what building for AArch64 on x86-64 needs
pack.py       the archive: form tables compressed, order and times fixed
check.py      what a wheel must keep to: size, licences, libraries
roots.py      empty systems to try wheels in
attempt.py    a wheel installed in such a system, and the README's examples run there
inside.py     the part of that which runs there
debian.py     packages of Debian, for another architecture too
"""
