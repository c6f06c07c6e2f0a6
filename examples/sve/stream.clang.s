	.text
	.file	"stream.c"
	.globl	stream_copy                     // -- Begin function stream_copy
	.p2align	2
	.type	stream_copy,@function
stream_copy:                            // @stream_copy
// %bb.0:
	whilelt	p0.d, xzr, x0
	b.eq	.LBB0_3
// %bb.1:
	mov	x8, xzr
	cntd	x9
.LBB0_2:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z0.d }, p0/z, [x2, x8, lsl #3]
	st1d	{ z0.d }, p0, [x1, x8, lsl #3]
	add	x8, x9, x8
	whilelt	p0.d, x8, x0
	b.ne	.LBB0_2
.LBB0_3:
	ret
.Lfunc_end0:
	.size	stream_copy, .Lfunc_end0-stream_copy
                                        // -- End function
	.globl	stream_scale                    // -- Begin function stream_scale
	.p2align	2
	.type	stream_scale,@function
stream_scale:                           // @stream_scale
// %bb.0:
	whilelt	p0.d, xzr, x0
                                        // kill: def $d0 killed $d0 def $z0
	b.eq	.LBB1_3
// %bb.1:
	mov	z0.d, d0
	mov	x8, xzr
	cntd	x9
.LBB1_2:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z1.d }, p0/z, [x2, x8, lsl #3]
	fmul	z1.d, p0/m, z1.d, z0.d
	st1d	{ z1.d }, p0, [x1, x8, lsl #3]
	add	x8, x9, x8
	whilelt	p0.d, x8, x0
	b.ne	.LBB1_2
.LBB1_3:
	ret
.Lfunc_end1:
	.size	stream_scale, .Lfunc_end1-stream_scale
                                        // -- End function
	.globl	stream_add                      // -- Begin function stream_add
	.p2align	2
	.type	stream_add,@function
stream_add:                             // @stream_add
// %bb.0:
	whilelt	p0.d, xzr, x0
	b.eq	.LBB2_3
// %bb.1:
	mov	x8, xzr
	cntd	x9
.LBB2_2:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z0.d }, p0/z, [x2, x8, lsl #3]
	ld1d	{ z1.d }, p0/z, [x3, x8, lsl #3]
	fadd	z0.d, p0/m, z0.d, z1.d
	st1d	{ z0.d }, p0, [x1, x8, lsl #3]
	add	x8, x9, x8
	whilelt	p0.d, x8, x0
	b.ne	.LBB2_2
.LBB2_3:
	ret
.Lfunc_end2:
	.size	stream_add, .Lfunc_end2-stream_add
                                        // -- End function
	.globl	stream_triad                    // -- Begin function stream_triad
	.p2align	2
	.type	stream_triad,@function
stream_triad:                           // @stream_triad
// %bb.0:
	whilelt	p0.d, xzr, x0
                                        // kill: def $d0 killed $d0 def $z0
	b.eq	.LBB3_3
// %bb.1:
	mov	z0.d, d0
	mov	x8, xzr
	cntd	x9
.LBB3_2:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z1.d }, p0/z, [x2, x8, lsl #3]
	ld1d	{ z2.d }, p0/z, [x3, x8, lsl #3]
	fmla	z1.d, p0/m, z2.d, z0.d
	st1d	{ z1.d }, p0, [x1, x8, lsl #3]
	add	x8, x9, x8
	whilelt	p0.d, x8, x0
	b.ne	.LBB3_2
.LBB3_3:
	ret
.Lfunc_end3:
	.size	stream_triad, .Lfunc_end3-stream_triad
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
