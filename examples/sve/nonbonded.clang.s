	.text
	.file	"nonbonded.c"
	.globl	nonbonded_4xm                   // -- Begin function nonbonded_4xm
	.p2align	2
	.type	nonbonded_4xm,@function
nonbonded_4xm:                          // @nonbonded_4xm
// %bb.0:
	stp	d15, d14, [sp, #-80]!           // 16-byte Folded Spill
	stp	d13, d12, [sp, #16]             // 16-byte Folded Spill
	stp	d11, d10, [sp, #32]             // 16-byte Folded Spill
	stp	d9, d8, [sp, #48]               // 16-byte Folded Spill
	str	x29, [sp, #64]                  // 8-byte Folded Spill
	addvl	sp, sp, #-32
	addvl	sp, sp, #-8
	ptrue	p0.s
	cmp	x3, #1
	b.lt	.LBB0_3
// %bb.1:
	ld1rw	{ z2.s }, p0/z, [x4, #48]
	ld1rw	{ z0.s }, p0/z, [x1]
	mov	w9, #48332                      // =0xbccc
	ld1rw	{ z1.s }, p0/z, [x4, #24]
	movk	w9, #11148, lsl #16
	mov	z8.s, #0                        // =0x0
	ldp	x11, x12, [x0, #16]
	ldr	x17, [x0, #64]
	str	z2, [sp, #11, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #52]
	cntw	x8
	str	z0, [sp, #26, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z0.s }, p0/z, [x1, #4]
	mov	z21.d, z8.d
	str	z1, [sp, #18, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z1.s }, p0/z, [x4, #28]
	mov	z20.d, z8.d
	str	z2, [sp, #10, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #56]
	mov	z22.d, z8.d
	str	z0, [sp, #25, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z0.s }, p0/z, [x4]
	mov	z19.d, z8.d
	str	z1, [sp, #17, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z1.s }, p0/z, [x4, #32]
	mov	z12.d, z8.d
	str	z2, [sp, #9, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #60]
	mov	z31.d, z8.d
	str	z0, [sp, #24, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z0.s }, p0/z, [x4, #4]
	mov	z25.d, z8.d
	str	z1, [sp, #16, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z1.s }, p0/z, [x4, #36]
	mov	z26.d, z8.d
	str	z2, [sp, #8, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #64]
	mov	z27.d, z8.d
	str	z0, [sp, #23, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z0.s }, p0/z, [x4, #8]
	mov	z29.d, z8.d
	str	z1, [sp, #15, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z1.s }, p0/z, [x4, #40]
	str	z2, [sp, #7, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #68]
	str	z0, [sp, #22, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z0.s }, p0/z, [x4, #12]
	str	z1, [sp, #14, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z1.s }, p0/z, [x4, #44]
	str	z2, [sp, #6, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #72]
	str	z0, [sp, #21, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z0.s }, p0/z, [x4, #16]
	str	z1, [sp, #13, mul vl]           // 16-byte Folded Spill
	mov	z1.s, w9
	str	z2, [sp, #5, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #76]
	str	z0, [sp, #20, mul vl]           // 16-byte Folded Spill
	ld1rw	{ z0.s }, p0/z, [x4, #20]
	str	z1, [sp, #12, mul vl]           // 16-byte Folded Spill
	mov	z1.d, z8.d
	str	z2, [sp, #4, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #80]
	ldp	x9, x10, [x0]
	str	z0, [sp, #19, mul vl]           // 16-byte Folded Spill
	ldp	x13, x14, [x0, #32]
	str	z2, [sp, #3, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #84]
	ldp	x15, x16, [x0, #48]
	str	z2, [sp, #2, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #88]
	str	z2, [sp, #1, mul vl]            // 16-byte Folded Spill
	ld1rw	{ z2.s }, p0/z, [x4, #92]
	str	z2, [sp]                        // 16-byte Folded Spill
.LBB0_2:                                // =>This Inner Loop Header: Depth=1
	ldrsw	x18, [x2], #4
	ldr	z0, [sp, #24, mul vl]           // 16-byte Folded Reload
	str	z1, [sp, #38, mul vl]           // 16-byte Folded Spill
	ldr	z23, [sp, #26, mul vl]          // 16-byte Folded Reload
	subs	x3, x3, #1
	smull	x18, w8, w18
	str	z19, [sp, #35, mul vl]          // 16-byte Folded Spill
	ldr	z24, [sp, #21, mul vl]          // 16-byte Folded Reload
	str	z26, [sp, #34, mul vl]          // 16-byte Folded Spill
	str	z27, [sp, #33, mul vl]          // 16-byte Folded Spill
	ld1w	{ z7.s }, p0/z, [x9, x18, lsl #2]
	ld1w	{ z16.s }, p0/z, [x10, x18, lsl #2]
	ld1w	{ z18.s }, p0/z, [x11, x18, lsl #2]
	str	z20, [sp, #37, mul vl]          // 16-byte Folded Spill
	str	z21, [sp, #39, mul vl]          // 16-byte Folded Spill
	fsub	z1.s, z0.s, z7.s
	ldr	z0, [sp, #18, mul vl]           // 16-byte Folded Reload
	str	z22, [sp, #36, mul vl]          // 16-byte Folded Spill
	ld1w	{ z22.s }, p0/z, [x13, x18, lsl #2]
	fsub	z2.s, z0.s, z7.s
	ldr	z0, [sp, #11, mul vl]           // 16-byte Folded Reload
	str	z1, [sp, #29, mul vl]           // 16-byte Folded Spill
	fmul	z19.s, z1.s, z1.s
	fsub	z3.s, z0.s, z7.s
	ldr	z0, [sp, #5, mul vl]            // 16-byte Folded Reload
	fmul	z26.s, z2.s, z2.s
	str	z2, [sp, #28, mul vl]           // 16-byte Folded Spill
	fsub	z17.s, z0.s, z7.s
	ldr	z0, [sp, #23, mul vl]           // 16-byte Folded Reload
	mov	z7.s, #0                        // =0x0
	fmul	z27.s, z3.s, z3.s
	str	z3, [sp, #27, mul vl]           // 16-byte Folded Spill
	fsub	z4.s, z0.s, z16.s
	ldr	z0, [sp, #17, mul vl]           // 16-byte Folded Reload
	fmul	z6.s, z17.s, z17.s
	fsub	z13.s, z0.s, z16.s
	ldr	z0, [sp, #10, mul vl]           // 16-byte Folded Reload
	fmla	z19.s, p0/m, z4.s, z4.s
	str	z4, [sp, #30, mul vl]           // 16-byte Folded Spill
	fsub	z11.s, z0.s, z16.s
	ldr	z0, [sp, #4, mul vl]            // 16-byte Folded Reload
	fmla	z26.s, p0/m, z13.s, z13.s
	fsub	z10.s, z0.s, z16.s
	ldr	z0, [sp, #22, mul vl]           // 16-byte Folded Reload
	ldr	z16, [sp, #1, mul vl]           // 16-byte Folded Reload
	fmla	z27.s, p0/m, z11.s, z11.s
	fsub	z1.s, z0.s, z18.s
	ldr	z0, [sp, #16, mul vl]           // 16-byte Folded Reload
	fmla	z6.s, p0/m, z10.s, z10.s
	fsub	z2.s, z0.s, z18.s
	ldr	z0, [sp, #9, mul vl]            // 16-byte Folded Reload
	movprfx	z3, z19
	fmla	z3.s, p0/m, z1.s, z1.s
	str	z1, [sp, #32, mul vl]           // 16-byte Folded Spill
	fsub	z14.s, z0.s, z18.s
	ldr	z0, [sp, #3, mul vl]            // 16-byte Folded Reload
	movprfx	z5, z26
	fmla	z5.s, p0/m, z2.s, z2.s
	str	z2, [sp, #31, mul vl]           // 16-byte Folded Spill
	fcmgt	p1.s, p0/z, z23.s, z3.s
	fsub	z15.s, z0.s, z18.s
	ldr	z0, [sp, #12, mul vl]           // 16-byte Folded Reload
	movprfx	z9, z27
	fmla	z9.s, p0/m, z14.s, z14.s
	fcmgt	p2.s, p0/z, z23.s, z5.s
	movprfx	z26, z3
	fmax	z26.s, p0/m, z26.s, z0.s
	movprfx	z27, z5
	fmax	z27.s, p0/m, z27.s, z0.s
	ldr	z5, [sp, #14, mul vl]           // 16-byte Folded Reload
	fmla	z6.s, p0/m, z15.s, z15.s
	movprfx	z18, z9
	fmax	z18.s, p0/m, z18.s, z0.s
	fcmgt	p3.s, p0/z, z23.s, z9.s
	fadd	z5.s, z5.s, z22.s
	frsqrte	z28.s, z27.s
	movprfx	z19, z6
	fmax	z19.s, p0/m, z19.s, z0.s
	frsqrte	z0.s, z26.s
	fcmgt	p4.s, p0/z, z23.s, z6.s
	frsqrte	z1.s, z18.s
	ldr	z6, [sp, #7, mul vl]            // 16-byte Folded Reload
	ldr	z23, [sp, #19, mul vl]          // 16-byte Folded Reload
	fmul	z4.s, z27.s, z28.s
	frsqrte	z2.s, z19.s
	fmul	z30.s, z26.s, z0.s
	fadd	z6.s, z6.s, z22.s
	fmul	z20.s, z18.s, z1.s
	frsqrts	z4.s, z4.s, z28.s
	fmul	z21.s, z19.s, z2.s
	frsqrts	z30.s, z30.s, z0.s
	frsqrts	z20.s, z20.s, z1.s
	fmul	z4.s, z28.s, z4.s
	frsqrts	z21.s, z21.s, z2.s
	fmul	z0.s, z0.s, z30.s
	fmul	z1.s, z1.s, z20.s
	fmul	z2.s, z2.s, z21.s
	fmul	z20.s, z26.s, z0.s
	fmul	z21.s, z27.s, z4.s
	fmul	z28.s, z18.s, z1.s
	frsqrts	z20.s, z20.s, z0.s
	fmul	z30.s, z19.s, z2.s
	frsqrts	z21.s, z21.s, z4.s
	frsqrts	z28.s, z28.s, z1.s
	fmul	z0.s, z0.s, z20.s
	frsqrts	z30.s, z30.s, z2.s
	fadd	z20.s, z16.s, z22.s
	fmul	z3.s, z4.s, z21.s
	ldr	z4, [sp, #20, mul vl]           // 16-byte Folded Reload
	fmul	z1.s, z1.s, z28.s
	ld1w	{ z21.s }, p0/z, [x14, x18, lsl #2]
	mov	z16.d, z29.d
	ld1w	{ z29.s }, p0/z, [x12, x18, lsl #2]
	fadd	z4.s, z4.s, z22.s
	sel	z0.s, p1, z0.s, z7.s
	fmul	z2.s, z2.s, z30.s
	sel	z3.s, p2, z3.s, z7.s
	sel	z1.s, p3, z1.s, z7.s
	fmul	z23.s, z23.s, z21.s
	fmul	z4.s, z4.s, z0.s
	fmul	z5.s, z5.s, z3.s
	sel	z2.s, p4, z2.s, z7.s
	fmul	z6.s, z6.s, z1.s
	mov	z7.d, z25.d
	ldr	z25, [sp, #13, mul vl]          // 16-byte Folded Reload
	fmul	z20.s, z20.s, z2.s
	fmul	z4.s, z4.s, z4.s
	fmul	z5.s, z5.s, z5.s
	fmul	z6.s, z6.s, z6.s
	fmul	z25.s, z25.s, z21.s
	fmul	z20.s, z20.s, z20.s
	fmul	z22.s, z4.s, z4.s
	fmul	z28.s, z5.s, z5.s
	fmul	z30.s, z6.s, z6.s
	fmul	z9.s, z20.s, z20.s
	fmul	z4.s, z4.s, z22.s
	fmul	z5.s, z5.s, z28.s
	ldr	z22, [sp, #6, mul vl]           // 16-byte Folded Reload
	ldr	z28, [sp]                       // 16-byte Folded Reload
	fmul	z6.s, z6.s, z30.s
	fmul	z22.s, z22.s, z21.s
	fmul	z20.s, z20.s, z9.s
	fmul	z21.s, z28.s, z21.s
	fmul	z28.s, z24.s, z29.s
	ldr	z24, [sp, #15, mul vl]          // 16-byte Folded Reload
	fmul	z23.s, z23.s, z4.s
	fmul	z25.s, z25.s, z5.s
	fmul	z30.s, z24.s, z29.s
	ldr	z24, [sp, #8, mul vl]           // 16-byte Folded Reload
	fmul	z22.s, z22.s, z6.s
	fmul	z21.s, z21.s, z20.s
	fmul	z4.s, z4.s, z23.s
	fmul	z5.s, z5.s, z25.s
	fmul	z9.s, z24.s, z29.s
	ldr	z24, [sp, #2, mul vl]           // 16-byte Folded Reload
	fmul	z6.s, z6.s, z22.s
	fmul	z20.s, z20.s, z21.s
	fmul	z29.s, z24.s, z29.s
	ldr	z24, [sp, #25, mul vl]          // 16-byte Folded Reload
	fsub	z4.s, z4.s, z23.s
	fsub	z5.s, z5.s, z25.s
	mov	z25.d, z7.d
	ldr	z7, [sp, #30, mul vl]           // 16-byte Folded Reload
	fsub	z6.s, z6.s, z22.s
	fmsb	z26.s, p0/m, z24.s, z0.s
	fmsb	z27.s, p0/m, z24.s, z3.s
	fsub	z20.s, z20.s, z21.s
	fmsb	z18.s, p0/m, z24.s, z1.s
	fmsb	z19.s, p0/m, z24.s, z2.s
	fmul	z0.s, z0.s, z0.s
	fmul	z3.s, z3.s, z3.s
	fmul	z1.s, z1.s, z1.s
	fmul	z2.s, z2.s, z2.s
	fmul	z26.s, z28.s, z26.s
	fmul	z27.s, z30.s, z27.s
	ldr	z30, [sp, #32, mul vl]          // 16-byte Folded Reload
	fmul	z18.s, z9.s, z18.s
	fmul	z19.s, z29.s, z19.s
	mov	z29.d, z16.d
	fadd	z4.s, z26.s, z4.s
	fadd	z5.s, z27.s, z5.s
	ldr	z26, [sp, #34, mul vl]          // 16-byte Folded Reload
	fadd	z6.s, z18.s, z6.s
	fadd	z18.s, z19.s, z20.s
	ldr	z27, [sp, #33, mul vl]          // 16-byte Folded Reload
	fmul	z0.s, z0.s, z4.s
	fmul	z3.s, z3.s, z5.s
	ldr	z4, [sp, #29, mul vl]           // 16-byte Folded Reload
	fmul	z1.s, z1.s, z6.s
	fmul	z2.s, z2.s, z18.s
	ldr	z5, [sp, #28, mul vl]           // 16-byte Folded Reload
	ldr	z6, [sp, #27, mul vl]           // 16-byte Folded Reload
	fmul	z4.s, z4.s, z0.s
	fmul	z5.s, z5.s, z3.s
	fmul	z6.s, z6.s, z1.s
	fmul	z17.s, z17.s, z2.s
	fmul	z20.s, z7.s, z0.s
	fmul	z21.s, z13.s, z3.s
	fmul	z7.s, z11.s, z1.s
	fmul	z16.s, z10.s, z2.s
	fadd	z18.s, z4.s, z5.s
	fmul	z0.s, z30.s, z0.s
	ldr	z30, [sp, #31, mul vl]          // 16-byte Folded Reload
	fadd	z19.s, z6.s, z17.s
	fmul	z1.s, z14.s, z1.s
	fmul	z2.s, z15.s, z2.s
	fadd	z29.s, z29.s, z4.s
	fadd	z8.s, z8.s, z20.s
	fadd	z25.s, z25.s, z21.s
	fadd	z22.s, z7.s, z16.s
	fmul	z3.s, z30.s, z3.s
	fadd	z26.s, z26.s, z5.s
	fadd	z27.s, z27.s, z0.s
	fadd	z12.s, z12.s, z6.s
	fadd	z18.s, z18.s, z19.s
	ld1w	{ z19.s }, p0/z, [x15, x18, lsl #2]
	fadd	z31.s, z31.s, z3.s
	fsub	z18.s, z19.s, z18.s
	fadd	z19.s, z20.s, z21.s
	ldr	z20, [sp, #37, mul vl]          // 16-byte Folded Reload
	ldr	z21, [sp, #39, mul vl]          // 16-byte Folded Reload
	fadd	z20.s, z20.s, z17.s
	st1w	{ z18.s }, p0, [x15, x18, lsl #2]
	fadd	z18.s, z19.s, z22.s
	fadd	z22.s, z1.s, z2.s
	ld1w	{ z19.s }, p0/z, [x16, x18, lsl #2]
	fadd	z21.s, z21.s, z2.s
	fsub	z18.s, z19.s, z18.s
	fadd	z19.s, z0.s, z3.s
	st1w	{ z18.s }, p0, [x16, x18, lsl #2]
	fadd	z18.s, z19.s, z22.s
	ldr	z22, [sp, #36, mul vl]          // 16-byte Folded Reload
	ldr	z19, [sp, #35, mul vl]          // 16-byte Folded Reload
	ld1w	{ z4.s }, p0/z, [x17, x18, lsl #2]
	fadd	z22.s, z22.s, z1.s
	ldr	z1, [sp, #38, mul vl]           // 16-byte Folded Reload
	fadd	z19.s, z19.s, z7.s
	fsub	z0.s, z4.s, z18.s
	fadd	z1.s, z1.s, z16.s
	st1w	{ z0.s }, p0, [x17, x18, lsl #2]
	b.ne	.LBB0_2
	b	.LBB0_4
.LBB0_3:
	mov	z8.s, #0                        // =0x0
	mov	z29.d, z8.d
	mov	z27.d, z8.d
	mov	z26.d, z8.d
	mov	z25.d, z8.d
	mov	z31.d, z8.d
	mov	z12.d, z8.d
	mov	z19.d, z8.d
	mov	z22.d, z8.d
	mov	z20.d, z8.d
	mov	z1.d, z8.d
	mov	z21.d, z8.d
.LBB0_4:
	faddv	s3, p0, z29.s
	faddv	s5, p0, z8.s
	faddv	s7, p0, z26.s
	mov	v3.s[1], v5.s[0]
	ldr	d5, [x5]
	faddv	s16, p0, z25.s
	fadd	v3.2s, v3.2s, v5.2s
	ldr	d5, [x5, #16]
	faddv	s6, p0, z27.s
	str	d3, [x5]
	mov	v7.s[1], v16.s[0]
	ldr	s16, [x5, #24]
	faddv	s18, p0, z12.s
	fadd	v5.2s, v7.2s, v5.2s
	ldr	d7, [x5, #32]
	faddv	s19, p0, z19.s
	str	d5, [x5, #16]
	faddv	s2, p0, z20.s
	ldr	s20, [x5, #8]
	fadd	s6, s6, s20
	mov	v18.s[1], v19.s[0]
	faddv	s1, p0, z1.s
	str	s6, [x5, #8]
	ldr	s6, [x5, #56]
	fadd	v3.2s, v18.2s, v7.2s
	ldr	d7, [x5, #48]
	faddv	s17, p0, z31.s
	str	d3, [x5, #32]
	mov	v2.s[1], v1.s[0]
	faddv	s4, p0, z22.s
	fadd	v2.2s, v2.2s, v7.2s
	fadd	s1, s17, s16
	ldr	s16, [x5, #40]
	faddv	s0, p0, z21.s
	str	d2, [x5, #48]
	str	s1, [x5, #24]
	fadd	s4, s4, s16
	str	s4, [x5, #40]
	fadd	s0, s0, s6
	str	s0, [x5, #56]
	addvl	sp, sp, #31
	addvl	sp, sp, #9
	ldp	d9, d8, [sp, #48]               // 16-byte Folded Reload
	ldr	x29, [sp, #64]                  // 8-byte Folded Reload
	ldp	d11, d10, [sp, #32]             // 16-byte Folded Reload
	ldp	d13, d12, [sp, #16]             // 16-byte Folded Reload
	ldp	d15, d14, [sp], #80             // 16-byte Folded Reload
	ret
.Lfunc_end0:
	.size	nonbonded_4xm, .Lfunc_end0-nonbonded_4xm
                                        // -- End function
	.globl	nonbonded_2xmm                  // -- Begin function nonbonded_2xmm
	.p2align	2
	.type	nonbonded_2xmm,@function
nonbonded_2xmm:                         // @nonbonded_2xmm
// %bb.0:
	ptrue	p0.s
	cmp	x3, #1
	b.lt	.LBB1_4
// %bb.1:
	stp	d15, d14, [sp, #-80]!           // 16-byte Folded Spill
	stp	d13, d12, [sp, #16]             // 16-byte Folded Spill
	stp	d11, d10, [sp, #32]             // 16-byte Folded Spill
	stp	d9, d8, [sp, #48]               // 16-byte Folded Spill
	str	x29, [sp, #64]                  // 8-byte Folded Spill
	addvl	sp, sp, #-6
	cntd	x8
	ld1rw	{ z0.s }, p0/z, [x4]
	ld1rw	{ z6.s }, p0/z, [x4, #24]
	ld1rw	{ z1.s }, p0/z, [x4, #4]
	ld1rw	{ z7.s }, p0/z, [x4, #28]
	whilelt	p1.s, xzr, x8
	ld1rw	{ z2.s }, p0/z, [x4, #8]
	ld1rw	{ z16.s }, p0/z, [x4, #32]
	mov	z26.s, #0                       // =0x0
	ld1rw	{ z3.s }, p0/z, [x4, #12]
	ld1rw	{ z17.s }, p0/z, [x4, #36]
	splice	z0.s, p1, z0.s, z6.s
	ld1rw	{ z4.s }, p0/z, [x4, #16]
	ld1rw	{ z18.s }, p0/z, [x4, #40]
	splice	z1.s, p1, z1.s, z7.s
	ld1rw	{ z5.s }, p0/z, [x4, #20]
	ld1rw	{ z19.s }, p0/z, [x4, #44]
	splice	z2.s, p1, z2.s, z16.s
	splice	z3.s, p1, z3.s, z17.s
	ld1rw	{ z6.s }, p0/z, [x4, #48]
	ld1rw	{ z20.s }, p0/z, [x4, #72]
	splice	z4.s, p1, z4.s, z18.s
	ld1rw	{ z7.s }, p0/z, [x4, #52]
	ld1rw	{ z21.s }, p0/z, [x4, #76]
	splice	z5.s, p1, z5.s, z19.s
	ld1rw	{ z16.s }, p0/z, [x4, #56]
	ld1rw	{ z22.s }, p0/z, [x4, #80]
	ld1rw	{ z17.s }, p0/z, [x4, #60]
	ld1rw	{ z23.s }, p0/z, [x4, #84]
	mov	w18, #48332                     // =0xbccc
	ld1rw	{ z18.s }, p0/z, [x4, #64]
	ld1rw	{ z24.s }, p0/z, [x4, #88]
	splice	z6.s, p1, z6.s, z20.s
	ld1rw	{ z19.s }, p0/z, [x4, #68]
	ld1rw	{ z25.s }, p0/z, [x4, #92]
	splice	z7.s, p1, z7.s, z21.s
	splice	z16.s, p1, z16.s, z22.s
	splice	z17.s, p1, z17.s, z23.s
	movk	w18, #11148, lsl #16
	splice	z18.s, p1, z18.s, z24.s
	ld1rw	{ z21.s }, p0/z, [x1]
	ld1rw	{ z22.s }, p0/z, [x1, #4]
	splice	z19.s, p1, z19.s, z25.s
	ldp	x9, x10, [x0]
	ldp	x11, x12, [x0, #16]
	mov	z29.s, w18
	ldp	x13, x14, [x0, #32]
	mov	z20.d, z26.d
	ldp	x15, x16, [x0, #48]
	mov	z23.d, z26.d
	mov	z24.d, z26.d
	mov	z25.d, z26.d
	mov	z27.d, z26.d
	mov	z28.d, z26.d
	not	p2.b, p0/z, p1.b
	ldr	x17, [x0, #64]
	str	z0, [sp, #5, mul vl]            // 16-byte Folded Spill
	str	z1, [sp, #4, mul vl]            // 16-byte Folded Spill
	str	z2, [sp, #3, mul vl]            // 16-byte Folded Spill
	str	z3, [sp, #2, mul vl]            // 16-byte Folded Spill
	str	z4, [sp, #1, mul vl]            // 16-byte Folded Spill
	str	z5, [sp]                        // 16-byte Folded Spill
.LBB1_2:                                // =>This Inner Loop Header: Depth=1
	ldrsw	x18, [x2], #4
	ldr	z0, [sp, #5, mul vl]            // 16-byte Folded Reload
	subs	x3, x3, #1
	smull	x18, w8, w18
	ld1w	{ z31.s }, p1/z, [x9, x18, lsl #2]
	ld1w	{ z8.s }, p1/z, [x10, x18, lsl #2]
	ld1w	{ z12.s }, p1/z, [x11, x18, lsl #2]
	ld1w	{ z4.s }, p1/z, [x13, x18, lsl #2]
	ld1w	{ z5.s }, p1/z, [x12, x18, lsl #2]
	splice	z31.s, p1, z31.s, z31.s
	splice	z8.s, p1, z8.s, z8.s
	splice	z12.s, p1, z12.s, z12.s
	splice	z4.s, p1, z4.s, z4.s
	splice	z5.s, p1, z5.s, z5.s
	fsub	z30.s, z0.s, z31.s
	ldr	z0, [sp, #4, mul vl]            // 16-byte Folded Reload
	fsub	z11.s, z6.s, z31.s
	fsub	z10.s, z7.s, z8.s
	fsub	z9.s, z0.s, z8.s
	ldr	z0, [sp, #3, mul vl]            // 16-byte Folded Reload
	fsub	z8.s, z16.s, z12.s
	fmul	z13.s, z30.s, z30.s
	fmul	z14.s, z11.s, z11.s
	fsub	z31.s, z0.s, z12.s
	fmla	z13.s, p0/m, z9.s, z9.s
	movprfx	z12, z14
	fmla	z12.s, p0/m, z10.s, z10.s
	fmla	z13.s, p0/m, z31.s, z31.s
	fmla	z12.s, p0/m, z8.s, z8.s
	movprfx	z14, z13
	fmax	z14.s, p0/m, z14.s, z29.s
	movprfx	z15, z12
	fmax	z15.s, p0/m, z15.s, z29.s
	fcmgt	p3.s, p0/z, z21.s, z13.s
	fcmgt	p4.s, p0/z, z21.s, z12.s
	frsqrte	z0.s, z14.s
	frsqrte	z1.s, z15.s
	fmul	z2.s, z14.s, z0.s
	fmul	z3.s, z15.s, z1.s
	frsqrts	z2.s, z2.s, z0.s
	frsqrts	z3.s, z3.s, z1.s
	fmul	z0.s, z0.s, z2.s
	fmul	z1.s, z1.s, z3.s
	fmul	z2.s, z14.s, z0.s
	fmul	z3.s, z15.s, z1.s
	frsqrts	z2.s, z2.s, z0.s
	frsqrts	z3.s, z3.s, z1.s
	fmul	z0.s, z0.s, z2.s
	ldr	z2, [sp, #1, mul vl]            // 16-byte Folded Reload
	fmul	z1.s, z1.s, z3.s
	fadd	z3.s, z18.s, z4.s
	fadd	z2.s, z2.s, z4.s
	ld1w	{ z4.s }, p1/z, [x14, x18, lsl #2]
	sel	z0.s, p3, z0.s, z26.s
	sel	z1.s, p4, z1.s, z26.s
	splice	z4.s, p1, z4.s, z4.s
	fmul	z2.s, z2.s, z0.s
	fmul	z3.s, z3.s, z1.s
	fmsb	z14.s, p0/m, z22.s, z0.s
	fmsb	z15.s, p0/m, z22.s, z1.s
	fmul	z0.s, z0.s, z0.s
	fmul	z1.s, z1.s, z1.s
	fmul	z2.s, z2.s, z2.s
	fmul	z3.s, z3.s, z3.s
	fmul	z12.s, z2.s, z2.s
	fmul	z13.s, z3.s, z3.s
	fmul	z2.s, z2.s, z12.s
	ldr	z12, [sp]                       // 16-byte Folded Reload
	fmul	z3.s, z3.s, z13.s
	ldr	z13, [sp, #2, mul vl]           // 16-byte Folded Reload
	fmul	z12.s, z12.s, z4.s
	fmul	z4.s, z19.s, z4.s
	fmul	z13.s, z13.s, z5.s
	fmul	z5.s, z17.s, z5.s
	fmul	z12.s, z12.s, z2.s
	fmul	z4.s, z4.s, z3.s
	fmul	z13.s, z13.s, z14.s
	fmul	z5.s, z5.s, z15.s
	fmul	z2.s, z2.s, z12.s
	fmul	z3.s, z3.s, z4.s
	fsub	z2.s, z2.s, z12.s
	fsub	z3.s, z3.s, z4.s
	fadd	z2.s, z13.s, z2.s
	fadd	z3.s, z5.s, z3.s
	fmul	z0.s, z0.s, z2.s
	fmul	z1.s, z1.s, z3.s
	fmul	z2.s, z30.s, z0.s
	fmul	z3.s, z11.s, z1.s
	fmul	z5.s, z9.s, z0.s
	fmul	z30.s, z10.s, z1.s
	fmul	z0.s, z31.s, z0.s
	fmul	z1.s, z8.s, z1.s
	fadd	z4.s, z2.s, z3.s
	fadd	z28.s, z28.s, z2.s
	fadd	z24.s, z24.s, z3.s
	fadd	z10.s, z5.s, z30.s
	fadd	z27.s, z27.s, z5.s
	fadd	z23.s, z23.s, z30.s
	fadd	z8.s, z0.s, z1.s
	fadd	z25.s, z25.s, z0.s
	fadd	z20.s, z20.s, z1.s
	mov	z9.d, z4.d
	mov	z31.d, z10.d
	splice	z9.s, p2, z9.s, z4.s
	splice	z31.s, p2, z31.s, z10.s
	fadd	z4.s, p1/m, z4.s, z9.s
	ld1w	{ z9.s }, p1/z, [x15, x18, lsl #2]
	fsubr	z4.s, p1/m, z4.s, z9.s
	mov	z9.d, z8.d
	splice	z9.s, p2, z9.s, z8.s
	st1w	{ z4.s }, p1, [x15, x18, lsl #2]
	movprfx	z4, z10
	fadd	z4.s, p1/m, z4.s, z31.s
	ld1w	{ z31.s }, p1/z, [x16, x18, lsl #2]
	fsubr	z4.s, p1/m, z4.s, z31.s
	st1w	{ z4.s }, p1, [x16, x18, lsl #2]
	movprfx	z4, z8
	fadd	z4.s, p1/m, z4.s, z9.s
	ld1w	{ z31.s }, p1/z, [x17, x18, lsl #2]
	movprfx	z0, z31
	fsub	z0.s, p1/m, z0.s, z4.s
	st1w	{ z0.s }, p1, [x17, x18, lsl #2]
	b.ne	.LBB1_2
// %bb.3:
	addvl	sp, sp, #6
	ldp	d9, d8, [sp, #48]               // 16-byte Folded Reload
	ldr	x29, [sp, #64]                  // 8-byte Folded Reload
	ldp	d11, d10, [sp, #32]             // 16-byte Folded Reload
	ldp	d13, d12, [sp, #16]             // 16-byte Folded Reload
	ldp	d15, d14, [sp], #80             // 16-byte Folded Reload
	b	.LBB1_5
.LBB1_4:
	mov	z28.s, #0                       // =0x0
	mov	z27.d, z28.d
	mov	z25.d, z28.d
	mov	z24.d, z28.d
	mov	z23.d, z28.d
	mov	z20.d, z28.d
.LBB1_5:
	faddv	s0, p0, z28.s
	faddv	s1, p0, z27.s
	faddv	s3, p0, z24.s
	mov	v0.s[1], v1.s[0]
	ldr	d1, [x5]
	faddv	s4, p0, z23.s
	fadd	v0.2s, v0.2s, v1.2s
	ldr	d1, [x5, #16]
	faddv	s2, p0, z25.s
	str	d0, [x5]
	mov	v3.s[1], v4.s[0]
	ldr	s4, [x5, #8]
	faddv	s5, p0, z20.s
	fadd	v1.2s, v3.2s, v1.2s
	fadd	s2, s2, s4
	ldr	s4, [x5, #24]
	str	d1, [x5, #16]
	str	s2, [x5, #8]
	fadd	s3, s5, s4
	str	s3, [x5, #24]
	ret
.Lfunc_end1:
	.size	nonbonded_2xmm, .Lfunc_end1-nonbonded_2xmm
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
