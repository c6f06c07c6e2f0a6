	.arch armv8.2-a+crc+sve
	.file	"axpy.c"
	.text
	.align	2
	.p2align 4,,11
	.global	axpy
	.type	axpy, %function
axpy:
.LFB0:
	.cfi_startproc
	cmp	x2, 0
	ble	.L1
	mov	x3, 0
	cntd	x4
	mov	z0.d, d0
	whilelo	p0.d, xzr, x2
	ptrue	p1.b, all
	.p2align 3,,7
.L3:
	ld1d	z2.d, p0/z, [x0, x3, lsl 3]
	ld1d	z1.d, p0/z, [x1, x3, lsl 3]
	fmad	z1.d, p1/m, z0.d, z2.d
	st1d	z1.d, p0, [x0, x3, lsl 3]
	add	x3, x3, x4
	whilelo	p0.d, x3, x2
	b.any	.L3
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	axpy, .-axpy
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
