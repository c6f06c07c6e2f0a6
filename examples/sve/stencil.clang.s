	.text
	.file	"stencil.c"
	.globl	stencil_inner                   // -- Begin function stencil_inner
	.p2align	2
	.type	stencil_inner,@function
stencil_inner:                          // @stencil_inner
// %bb.0:
	ldp	x9, x10, [x0]
	movi	d0, #0000000000000000
	mov	z1.d, x2
	ldr	x11, [x0, #16]
	mov	x8, xzr
	cntd	x12
	whilelt	p0.d, xzr, x9
.LBB0_1:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z2.d }, p0/z, [x11, x8, lsl #3]
	ld1d	{ z3.d }, p0/z, [x10, x8, lsl #3]
	add	x8, x12, x8
	add	z2.d, z1.d, z2.d
	ld1d	{ z2.d }, p0/z, [x1, z2.d, lsl #3]
	fmul	z2.d, p0/m, z2.d, z3.d
	fadda	d0, p0, d0, z2.d
	whilelt	p0.d, x8, x9
	b.ne	.LBB0_1
// %bb.2:
                                        // kill: def $d0 killed $d0 killed $z0
	ret
.Lfunc_end0:
	.size	stencil_inner, .Lfunc_end0-stencil_inner
                                        // -- End function
	.globl	stencil_outer                   // -- Begin function stencil_outer
	.p2align	2
	.type	stencil_outer,@function
stencil_outer:                          // @stencil_outer
// %bb.0:
	cmp	x3, #1
	b.lt	.LBB1_6
// %bb.1:
	mov	z0.d, #0                        // =0x0
	ptrue	p0.d
	mov	x8, xzr
	cntd	x9
	b	.LBB1_3
.LBB1_2:                                //   in Loop: Header=BB1_3 Depth=1
	st1d	{ z2.d }, p1, [x2, x8, lsl #3]
	add	x8, x9, x8
	cmp	x8, x3
	b.ge	.LBB1_6
.LBB1_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB1_5 Depth 2
	ldr	x10, [x0]
	mov	z2.d, z0.d
	whilelt	p1.d, x8, x3
	cmp	x10, #1
	b.lt	.LBB1_2
// %bb.4:                               //   in Loop: Header=BB1_3 Depth=1
	index	z1.d, x8, #1
	ldp	x12, x11, [x0, #8]
	mov	z2.d, z0.d
.LBB1_5:                                //   Parent Loop BB1_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ld1rd	{ z3.d }, p0/z, [x11]
	subs	x10, x10, #1
	add	x11, x11, #8
	add	z3.d, z1.d, z3.d
	ld1d	{ z3.d }, p1/z, [x1, z3.d, lsl #3]
	ld1rd	{ z4.d }, p0/z, [x12]
	add	x12, x12, #8
	fmla	z2.d, p1/m, z3.d, z4.d
	b.ne	.LBB1_5
	b	.LBB1_2
.LBB1_6:
	ret
.Lfunc_end1:
	.size	stencil_outer, .Lfunc_end1-stencil_outer
                                        // -- End function
	.globl	stencil_inner_line              // -- Begin function stencil_inner_line
	.p2align	2
	.type	stencil_inner_line,@function
stencil_inner_line:                     // @stencil_inner_line
// %bb.0:
	cmp	x3, #1
	b.lt	.LBB2_5
// %bb.1:
	ldp	x9, x10, [x0]
	mov	x8, xzr
	ldr	x11, [x0, #16]
	cntd	x12
	whilelt	p0.d, xzr, x9
.LBB2_2:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB2_3 Depth 2
	movi	d0, #0000000000000000
	mov	z1.d, x8
	mov	x13, xzr
	mov	p1.b, p0.b
.LBB2_3:                                //   Parent Loop BB2_2 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ld1d	{ z2.d }, p1/z, [x11, x13, lsl #3]
	ld1d	{ z3.d }, p1/z, [x10, x13, lsl #3]
	add	x13, x13, x12
	add	z2.d, z1.d, z2.d
	ld1d	{ z2.d }, p1/z, [x1, z2.d, lsl #3]
	fmul	z2.d, p1/m, z2.d, z3.d
	fadda	d0, p1, d0, z2.d
	whilelt	p1.d, x13, x9
	b.ne	.LBB2_3
// %bb.4:                               //   in Loop: Header=BB2_2 Depth=1
	str	d0, [x2, x8, lsl #3]
	add	x8, x8, #1
	cmp	x8, x3
	b.ne	.LBB2_2
.LBB2_5:
	ret
.Lfunc_end2:
	.size	stencil_inner_line, .Lfunc_end2-stencil_inner_line
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
