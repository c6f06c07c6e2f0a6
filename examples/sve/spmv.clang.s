	.text
	.file	"spmv.c"
	.globl	spmv_sell                       // -- Begin function spmv_sell
	.p2align	2
	.type	spmv_sell,@function
spmv_sell:                              // @spmv_sell
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB0_6
// %bb.1:
	mov	z0.d, #0                        // =0x0
	ptrue	p0.d
	ldr	x10, [x1]
	mov	x8, xzr
	cntd	x9
	b	.LBB0_3
.LBB0_2:                                //   in Loop: Header=BB0_3 Depth=1
	mul	x8, x8, x9
	cmp	x11, x0
	mov	x10, x12
	st1d	{ z1.d }, p0, [x5, x8, lsl #3]
	mov	x8, x11
	b.eq	.LBB0_6
.LBB0_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_5 Depth 2
	add	x11, x8, #1
	mov	z1.d, z0.d
	ldr	x12, [x1, x11, lsl #3]
	cmp	x10, x12
	b.ge	.LBB0_2
// %bb.4:                               //   in Loop: Header=BB0_3 Depth=1
	mov	z1.d, z0.d
.LBB0_5:                                //   Parent Loop BB0_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ld1sw	{ z2.d }, p0/z, [x3, x10, lsl #2]
	ld1d	{ z3.d }, p0/z, [x2, x10, lsl #3]
	add	x10, x10, x9
	cmp	x10, x12
	ld1d	{ z2.d }, p0/z, [x4, z2.d, lsl #3]
	fmla	z1.d, p0/m, z3.d, z2.d
	b.lt	.LBB0_5
	b	.LBB0_2
.LBB0_6:
	ret
.Lfunc_end0:
	.size	spmv_sell, .Lfunc_end0-spmv_sell
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
