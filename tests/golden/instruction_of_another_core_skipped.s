# corecast: --cpu neoverse_n1 --unknown skip
# An SVE instruction is left out where the user asks for it, which the warnings say first.
	.text
.L2:
	fadd	z0.d, z1.d, z2.d
	fadd	v3.2d, v4.2d, v5.2d
	subs	x0, x0, #1
	b.ne	.L2
