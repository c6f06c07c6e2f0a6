"""Which core this is: what CPUID, Linux and the sizes of caches say, and what tells cores apart.

seen.py         what is to be seen of a machine, and the readers of it
cpuid_text.py   the answers of CPUID as text
table.py        cores.tsv and features.tsv: what tells cores apart, as data
decide.py       which of these cores it can be, which it is, and how sure that is
"""
