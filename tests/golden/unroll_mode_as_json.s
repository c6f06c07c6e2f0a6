# corecast: --machine machines/toy_x86 --mode unroll --lines 5-6 --format json
# Straight-line code whose copies follow each other: no branch is assumed.
	.text
f:
	vaddsd	%xmm1, %xmm0, %xmm0
	xorl	%eax, %eax
