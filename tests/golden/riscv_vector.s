# corecast: --cpu spacemit_x60
# Vector code: forms depend on the register group length that vsetvli sets.
	.text
axpy:
.L2:
	vsetvli	a4, a0, e64, m2, ta, ma
	vle64.v	v8, (a1)
	vle64.v	v12, (a2)
	vfmacc.vf	v12, fa0, v8
	vse64.v	v12, (a2)
	sub	a0, a0, a4
	sh3add	a1, a4, a1
	sh3add	a2, a4, a2
	bnez	a0, .L2
	ret
