	.text
	.file	"dgemm.c"
	.globl	dgemm_2v_by_8                   // -- Begin function dgemm_2v_by_8
	.p2align	2
	.type	dgemm_2v_by_8,@function
dgemm_2v_by_8:                          // @dgemm_2v_by_8
// %bb.0:
	ptrue	p0.d
	cmp	x0, #1
	b.lt	.LBB0_3
// %bb.1:
	cmp	x0, #8
	and	x8, x0, #0x7
	b.hs	.LBB0_4
// %bb.2:
	mov	z16.d, #0                       // =0x0
	mov	z23.d, z16.d
	mov	z22.d, z16.d
	mov	z21.d, z16.d
	mov	z20.d, z16.d
	mov	z19.d, z16.d
	mov	z18.d, z16.d
	mov	z17.d, z16.d
	mov	z7.d, z16.d
	mov	z6.d, z16.d
	mov	z5.d, z16.d
	mov	z4.d, z16.d
	mov	z3.d, z16.d
	mov	z2.d, z16.d
	mov	z1.d, z16.d
	mov	z0.d, z16.d
	b	.LBB0_6
.LBB0_3:
	mov	z0.d, #0                        // =0x0
	mov	z1.d, z0.d
	mov	z2.d, z0.d
	mov	z3.d, z0.d
	mov	z4.d, z0.d
	mov	z5.d, z0.d
	mov	z6.d, z0.d
	mov	z7.d, z0.d
	mov	z17.d, z0.d
	mov	z18.d, z0.d
	mov	z19.d, z0.d
	mov	z20.d, z0.d
	mov	z21.d, z0.d
	mov	z22.d, z0.d
	mov	z23.d, z0.d
	mov	z16.d, z0.d
	b	.LBB0_9
.LBB0_4:
	mov	z16.d, #0                       // =0x0
	ptrue	p1.b
	and	x9, x0, #0x7ffffffffffffff8
	rdvl	x10, #8
	rdvl	x11, #9
	rdvl	x12, #10
	rdvl	x13, #11
	rdvl	x14, #12
	rdvl	x15, #13
	mov	z23.d, z16.d
	mov	z22.d, z16.d
	mov	z21.d, z16.d
	mov	z20.d, z16.d
	mov	z19.d, z16.d
	mov	z18.d, z16.d
	mov	z17.d, z16.d
	mov	z7.d, z16.d
	mov	z6.d, z16.d
	mov	z5.d, z16.d
	mov	z4.d, z16.d
	mov	z3.d, z16.d
	mov	z2.d, z16.d
	mov	z1.d, z16.d
	rdvl	x16, #14
	mov	z0.d, z16.d
	rdvl	x17, #15
	rdvl	x18, #16
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z24.d }, p0/z, [x1]
	ld1d	{ z25.d }, p0/z, [x1, #1, mul vl]
	subs	x9, x9, #8
	ld1rd	{ z26.d }, p0/z, [x2]
	ld1rd	{ z27.d }, p0/z, [x2, #8]
	ld1rd	{ z28.d }, p0/z, [x2, #16]
	ld1rd	{ z29.d }, p0/z, [x2, #24]
	ld1rd	{ z30.d }, p0/z, [x2, #64]
	fmla	z16.d, p0/m, z24.d, z26.d
	fmla	z23.d, p0/m, z25.d, z26.d
	ld1rd	{ z26.d }, p0/z, [x2, #32]
	fmla	z22.d, p0/m, z24.d, z27.d
	fmla	z21.d, p0/m, z25.d, z27.d
	ld1rd	{ z27.d }, p0/z, [x2, #40]
	fmla	z20.d, p0/m, z24.d, z28.d
	fmla	z19.d, p0/m, z25.d, z28.d
	ld1d	{ z28.d }, p0/z, [x1, #2, mul vl]
	fmla	z7.d, p0/m, z24.d, z26.d
	fmla	z6.d, p0/m, z25.d, z26.d
	ld1rd	{ z26.d }, p0/z, [x2, #48]
	fmla	z5.d, p0/m, z24.d, z27.d
	fmla	z4.d, p0/m, z25.d, z27.d
	ld1rd	{ z27.d }, p0/z, [x2, #56]
	fmla	z18.d, p0/m, z24.d, z29.d
	fmla	z17.d, p0/m, z25.d, z29.d
	ld1d	{ z29.d }, p0/z, [x1, #3, mul vl]
	fmla	z3.d, p0/m, z24.d, z26.d
	fmla	z2.d, p0/m, z25.d, z26.d
	ld1rd	{ z26.d }, p0/z, [x2, #72]
	fmla	z1.d, p0/m, z24.d, z27.d
	fmla	z0.d, p0/m, z25.d, z27.d
	ld1rd	{ z24.d }, p0/z, [x2, #80]
	ld1rd	{ z25.d }, p0/z, [x2, #88]
	ld1d	{ z27.d }, p0/z, [x1, #5, mul vl]
	fmla	z16.d, p0/m, z28.d, z30.d
	fmla	z22.d, p0/m, z28.d, z26.d
	fmla	z21.d, p0/m, z29.d, z26.d
	ld1rd	{ z26.d }, p0/z, [x2, #96]
	fmla	z20.d, p0/m, z28.d, z24.d
	fmla	z19.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #104]
	fmla	z18.d, p0/m, z28.d, z25.d
	fmla	z17.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #112]
	fmla	z7.d, p0/m, z28.d, z26.d
	fmla	z6.d, p0/m, z29.d, z26.d
	ld1d	{ z26.d }, p0/z, [x1, #4, mul vl]
	fmla	z5.d, p0/m, z28.d, z24.d
	fmla	z4.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #120]
	fmla	z3.d, p0/m, z28.d, z25.d
	fmla	z2.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #136]
	fmla	z23.d, p0/m, z29.d, z30.d
	ld1rd	{ z30.d }, p0/z, [x2, #128]
	fmla	z1.d, p0/m, z28.d, z24.d
	fmla	z0.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #144]
	fmla	z22.d, p0/m, z26.d, z25.d
	fmla	z21.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #160]
	ld1rd	{ z28.d }, p0/z, [x2, #152]
	ld1d	{ z29.d }, p0/z, [x1, #7, mul vl]
	fmla	z16.d, p0/m, z26.d, z30.d
	fmla	z20.d, p0/m, z26.d, z24.d
	fmla	z19.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #168]
	fmla	z7.d, p0/m, z26.d, z25.d
	fmla	z6.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #176]
	fmla	z18.d, p0/m, z26.d, z28.d
	fmla	z17.d, p0/m, z27.d, z28.d
	ld1d	{ z28.d }, p0/z, [x1, #6, mul vl]
	fmla	z5.d, p0/m, z26.d, z24.d
	fmla	z4.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #184]
	fmla	z3.d, p0/m, z26.d, z25.d
	fmla	z2.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #200]
	fmla	z23.d, p0/m, z27.d, z30.d
	ld1rd	{ z30.d }, p0/z, [x2, #192]
	fmla	z1.d, p0/m, z26.d, z24.d
	fmla	z0.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #208]
	fmla	z22.d, p0/m, z28.d, z25.d
	fmla	z21.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #224]
	ld1rd	{ z26.d }, p0/z, [x2, #216]
	ld1b	{ z27.b }, p1/z, [x1, x11]
	fmla	z16.d, p0/m, z28.d, z30.d
	fmla	z20.d, p0/m, z28.d, z24.d
	fmla	z19.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #232]
	fmla	z7.d, p0/m, z28.d, z25.d
	fmla	z6.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #240]
	fmla	z18.d, p0/m, z28.d, z26.d
	fmla	z17.d, p0/m, z29.d, z26.d
	ld1b	{ z26.b }, p1/z, [x1, x10]
	fmla	z5.d, p0/m, z28.d, z24.d
	fmla	z4.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #248]
	fmla	z3.d, p0/m, z28.d, z25.d
	fmla	z2.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #264]
	fmla	z23.d, p0/m, z29.d, z30.d
	ld1rd	{ z30.d }, p0/z, [x2, #256]
	fmla	z1.d, p0/m, z28.d, z24.d
	fmla	z0.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #272]
	fmla	z22.d, p0/m, z26.d, z25.d
	fmla	z21.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #288]
	ld1rd	{ z28.d }, p0/z, [x2, #280]
	ld1b	{ z29.b }, p1/z, [x1, x13]
	fmla	z16.d, p0/m, z26.d, z30.d
	fmla	z20.d, p0/m, z26.d, z24.d
	fmla	z19.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #296]
	fmla	z7.d, p0/m, z26.d, z25.d
	fmla	z6.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #304]
	fmla	z18.d, p0/m, z26.d, z28.d
	fmla	z17.d, p0/m, z27.d, z28.d
	ld1b	{ z28.b }, p1/z, [x1, x12]
	fmla	z5.d, p0/m, z26.d, z24.d
	fmla	z4.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #312]
	fmla	z3.d, p0/m, z26.d, z25.d
	fmla	z2.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #328]
	fmla	z23.d, p0/m, z27.d, z30.d
	ld1rd	{ z30.d }, p0/z, [x2, #320]
	fmla	z1.d, p0/m, z26.d, z24.d
	fmla	z0.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #336]
	fmla	z22.d, p0/m, z28.d, z25.d
	fmla	z21.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #352]
	ld1rd	{ z26.d }, p0/z, [x2, #344]
	ld1b	{ z27.b }, p1/z, [x1, x15]
	fmla	z16.d, p0/m, z28.d, z30.d
	fmla	z20.d, p0/m, z28.d, z24.d
	fmla	z19.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #360]
	fmla	z7.d, p0/m, z28.d, z25.d
	fmla	z6.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #368]
	fmla	z18.d, p0/m, z28.d, z26.d
	fmla	z17.d, p0/m, z29.d, z26.d
	ld1b	{ z26.b }, p1/z, [x1, x14]
	fmla	z5.d, p0/m, z28.d, z24.d
	fmla	z4.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #376]
	fmla	z3.d, p0/m, z28.d, z25.d
	fmla	z2.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #392]
	fmla	z23.d, p0/m, z29.d, z30.d
	ld1rd	{ z30.d }, p0/z, [x2, #384]
	fmla	z1.d, p0/m, z28.d, z24.d
	fmla	z0.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #400]
	fmla	z22.d, p0/m, z26.d, z25.d
	fmla	z21.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #416]
	ld1rd	{ z28.d }, p0/z, [x2, #408]
	ld1b	{ z29.b }, p1/z, [x1, x17]
	fmla	z16.d, p0/m, z26.d, z30.d
	fmla	z20.d, p0/m, z26.d, z24.d
	fmla	z19.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #424]
	fmla	z7.d, p0/m, z26.d, z25.d
	fmla	z6.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #432]
	fmla	z18.d, p0/m, z26.d, z28.d
	fmla	z17.d, p0/m, z27.d, z28.d
	ld1b	{ z28.b }, p1/z, [x1, x16]
	fmla	z5.d, p0/m, z26.d, z24.d
	fmla	z4.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #440]
	fmla	z3.d, p0/m, z26.d, z25.d
	fmla	z2.d, p0/m, z27.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #456]
	fmla	z23.d, p0/m, z27.d, z30.d
	ld1rd	{ z30.d }, p0/z, [x2, #448]
	add	x1, x1, x18
	fmla	z1.d, p0/m, z26.d, z24.d
	fmla	z0.d, p0/m, z27.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #464]
	ld1rd	{ z26.d }, p0/z, [x2, #472]
	fmla	z22.d, p0/m, z28.d, z25.d
	fmla	z21.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #480]
	fmla	z16.d, p0/m, z28.d, z30.d
	fmla	z20.d, p0/m, z28.d, z24.d
	fmla	z19.d, p0/m, z29.d, z24.d
	ld1rd	{ z24.d }, p0/z, [x2, #488]
	fmla	z18.d, p0/m, z28.d, z26.d
	fmla	z17.d, p0/m, z29.d, z26.d
	ld1rd	{ z26.d }, p0/z, [x2, #496]
	fmla	z7.d, p0/m, z28.d, z25.d
	fmla	z6.d, p0/m, z29.d, z25.d
	ld1rd	{ z25.d }, p0/z, [x2, #504]
	fmla	z23.d, p0/m, z29.d, z30.d
	fmla	z5.d, p0/m, z28.d, z24.d
	add	x2, x2, #512
	fmla	z4.d, p0/m, z29.d, z24.d
	fmla	z3.d, p0/m, z28.d, z26.d
	fmla	z2.d, p0/m, z29.d, z26.d
	fmla	z1.d, p0/m, z28.d, z25.d
	fmla	z0.d, p0/m, z29.d, z25.d
	b.ne	.LBB0_5
.LBB0_6:
	cbz	x8, .LBB0_9
// %bb.7:
	rdvl	x9, #2
.LBB0_8:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z24.d }, p0/z, [x1]
	ld1d	{ z25.d }, p0/z, [x1, #1, mul vl]
	subs	x8, x8, #1
	ld1rd	{ z26.d }, p0/z, [x2]
	ld1rd	{ z27.d }, p0/z, [x2, #8]
	add	x1, x1, x9
	ld1rd	{ z28.d }, p0/z, [x2, #16]
	fmla	z16.d, p0/m, z24.d, z26.d
	fmla	z23.d, p0/m, z25.d, z26.d
	ld1rd	{ z26.d }, p0/z, [x2, #24]
	fmla	z22.d, p0/m, z24.d, z27.d
	fmla	z21.d, p0/m, z25.d, z27.d
	ld1rd	{ z27.d }, p0/z, [x2, #32]
	fmla	z20.d, p0/m, z24.d, z28.d
	fmla	z19.d, p0/m, z25.d, z28.d
	ld1rd	{ z28.d }, p0/z, [x2, #40]
	fmla	z18.d, p0/m, z24.d, z26.d
	fmla	z17.d, p0/m, z25.d, z26.d
	ld1rd	{ z26.d }, p0/z, [x2, #48]
	fmla	z7.d, p0/m, z24.d, z27.d
	fmla	z6.d, p0/m, z25.d, z27.d
	ld1rd	{ z27.d }, p0/z, [x2, #56]
	fmla	z5.d, p0/m, z24.d, z28.d
	fmla	z4.d, p0/m, z25.d, z28.d
	add	x2, x2, #64
	fmla	z3.d, p0/m, z24.d, z26.d
	fmla	z2.d, p0/m, z25.d, z26.d
	fmla	z1.d, p0/m, z24.d, z27.d
	fmla	z0.d, p0/m, z25.d, z27.d
	b.ne	.LBB0_8
.LBB0_9:
	ld1d	{ z24.d }, p0/z, [x3]
	ld1d	{ z25.d }, p0/z, [x3, #1, mul vl]
	add	x8, x3, x4, lsl #3
	lsl	x9, x4, #4
	ptrue	p1.b
	mov	w10, #24                        // =0x18
	mul	x10, x4, x10
	fadd	z16.d, z16.d, z24.d
	fadd	z23.d, z23.d, z25.d
	st1d	{ z16.d }, p0, [x3]
	st1d	{ z23.d }, p0, [x3, #1, mul vl]
	ld1d	{ z16.d }, p0/z, [x3, x4, lsl #3]
	ld1d	{ z23.d }, p0/z, [x8, #1, mul vl]
	fadd	z16.d, z22.d, z16.d
	fadd	z21.d, z21.d, z23.d
	st1d	{ z16.d }, p0, [x3, x4, lsl #3]
	st1d	{ z21.d }, p0, [x8, #1, mul vl]
	add	x8, x3, x9
	ld1b	{ z16.b }, p1/z, [x3, x9]
	ld1d	{ z21.d }, p0/z, [x8, #1, mul vl]
	fadd	z16.d, z20.d, z16.d
	fadd	z19.d, z19.d, z21.d
	st1b	{ z16.b }, p1, [x3, x9]
	lsl	x9, x4, #5
	st1d	{ z19.d }, p0, [x8, #1, mul vl]
	add	x8, x3, x10
	ld1b	{ z16.b }, p1/z, [x3, x10]
	ld1d	{ z19.d }, p0/z, [x8, #1, mul vl]
	fadd	z16.d, z18.d, z16.d
	fadd	z17.d, z17.d, z19.d
	st1b	{ z16.b }, p1, [x3, x10]
	mov	w10, #40                        // =0x28
	st1d	{ z17.d }, p0, [x8, #1, mul vl]
	add	x8, x3, x9
	mul	x10, x4, x10
	ld1b	{ z16.b }, p1/z, [x3, x9]
	ld1d	{ z17.d }, p0/z, [x8, #1, mul vl]
	fadd	z7.d, z7.d, z16.d
	fadd	z6.d, z6.d, z17.d
	st1b	{ z7.b }, p1, [x3, x9]
	mov	w9, #48                         // =0x30
	st1d	{ z6.d }, p0, [x8, #1, mul vl]
	add	x8, x3, x10
	mul	x9, x4, x9
	ld1b	{ z6.b }, p1/z, [x3, x10]
	ld1d	{ z7.d }, p0/z, [x8, #1, mul vl]
	fadd	z5.d, z5.d, z6.d
	fadd	z4.d, z4.d, z7.d
	st1b	{ z5.b }, p1, [x3, x10]
	mov	w10, #56                        // =0x38
	st1d	{ z4.d }, p0, [x8, #1, mul vl]
	add	x8, x3, x9
	mul	x10, x4, x10
	ld1b	{ z4.b }, p1/z, [x3, x9]
	ld1d	{ z5.d }, p0/z, [x8, #1, mul vl]
	fadd	z3.d, z3.d, z4.d
	fadd	z2.d, z2.d, z5.d
	st1b	{ z3.b }, p1, [x3, x9]
	st1d	{ z2.d }, p0, [x8, #1, mul vl]
	add	x8, x3, x10
	ld1b	{ z2.b }, p1/z, [x3, x10]
	ld1d	{ z3.d }, p0/z, [x8, #1, mul vl]
	fadd	z1.d, z1.d, z2.d
	fadd	z0.d, z0.d, z3.d
	st1b	{ z1.b }, p1, [x3, x10]
	st1d	{ z0.d }, p0, [x8, #1, mul vl]
	ret
.Lfunc_end0:
	.size	dgemm_2v_by_8, .Lfunc_end0-dgemm_2v_by_8
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
