	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zaamo1p0_zalrsc1p0_zca1p0_zcd1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvl128b1p0_zvl32b1p0_zvl64b1p0"
	.file	"kernels.c"
	.text
	.globl	dot                             # -- Begin function dot
	.p2align	1
	.type	dot,@function
dot:                                    # @dot
# %bb.0:
	blez	a0, .LBB0_4
# %bb.1:
	li	a3, 0
	vsetvli	a4, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
.LBB0_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a4, a0, e8, mf4, ta, ma
	slli	a5, a3, 3
	add	a6, a1, a5
	add	a5, a5, a2
	vle64.v	v10, (a6)
	vle64.v	v12, (a5)
	sub	a0, a0, a4
	vsetvli	zero, zero, e64, m2, tu, ma
	vfmacc.vv	v8, v12, v10
	add	a3, a3, a4
	bnez	a0, .LBB0_2
# %bb.3:
	vsetvli	a0, zero, e64, m2, ta, ma
	vmv.s.x	v10, zero
	vfredusum.vs	v8, v8, v10
	vfmv.f.s	fa0, v8
	ret
.LBB0_4:
	fmv.d.x	fa0, zero
	ret
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
                                        # -- End function
	.globl	stencil                         # -- Begin function stencil
	.p2align	1
	.type	stencil,@function
stencil:                                # @stencil
# %bb.0:
	li	a3, 3
	blt	a0, a3, .LBB1_3
# %bb.1:
	li	a7, 0
	fld	fa5, 8(a2)
	csrr	a4, vlenb
	srli	a4, a4, 2
	addi	a5, a4, -1
	slli	a6, a5, 32
	vsetvli	a5, zero, e64, m1, ta, ma
	vfmv.s.f	v10, fa5
	srli	a5, a6, 32
	addi	a6, a5, 1
	vsetvli	zero, a6, e64, m2, ta, ma
	vslideup.vx	v8, v10, a5
	addi	a0, a0, -2
	li	a5, 1
	slli	a5, a5, 62
	fmv.d.x	fa5, a5
	li	a5, 1021
	slli	a5, a5, 52
	fmv.d.x	fa4, a5
.LBB1_2:                                # =>This Inner Loop Header: Depth=1
	slli	a4, a4, 32
	vsetvli	t0, a0, e64, m2, ta, ma
	slli	a3, a7, 3
	addi	a6, a3, 8
	add	a3, a3, a2
	srli	a4, a4, 32
	add	a5, a2, a6
	addi	a3, a3, 16
	addi	a4, a4, -1
	addi	a5, a5, -8
	vslidedown.vx	v8, v8, a4
	vle64.v	v10, (a3)
	vle64.v	v12, (a5)
	sub	a0, a0, t0
	add	a6, a6, a1
	vslideup.vi	v8, v10, 1
	vfmadd.vf	v8, fa5, v12
	vfadd.vv	v8, v8, v10
	vfmul.vf	v8, v8, fa4
	vse64.v	v8, (a6)
	add	a7, a7, t0
	vmv.v.v	v8, v10
	mv	a4, t0
	bnez	a0, .LBB1_2
.LBB1_3:
	ret
.Lfunc_end1:
	.size	stencil, .Lfunc_end1-stencil
                                        # -- End function
	.globl	complex_multiply                # -- Begin function complex_multiply
	.p2align	1
	.type	complex_multiply,@function
complex_multiply:                       # @complex_multiply
# %bb.0:
	blez	a0, .LBB2_3
# %bb.1:
	li	a4, 0
.LBB2_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a6, a0, e32, m2, ta, ma
	slli	a7, a4, 3
	add	a5, a2, a7
	vlseg2e32.v	v8, (a5)
	add	a5, a3, a7
	vlseg2e32.v	v12, (a5)
	add	a7, a7, a1
	sub	a0, a0, a6
	vfmul.vv	v16, v14, v10
	vfmsac.vv	v16, v12, v8
	vfmul.vv	v18, v10, v12
	vfmacc.vv	v18, v8, v14
	vsseg2e32.v	v16, (a7)
	add	a4, a4, a6
	bnez	a0, .LBB2_2
.LBB2_3:
	ret
.Lfunc_end2:
	.size	complex_multiply, .Lfunc_end2-complex_multiply
                                        # -- End function
	.globl	spmv                            # -- Begin function spmv
	.p2align	1
	.type	spmv,@function
spmv:                                   # @spmv
# %bb.0:
	blez	a0, .LBB3_8
# %bb.1:
	addi	sp, sp, -16
	sd	s0, 8(sp)                       # 8-byte Folded Spill
	li	a6, 0
	ld	t0, 0(a2)
	fmv.d.x	fa5, zero
	vsetvli	a7, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	li	a7, 8
	vmv.s.x	v12, zero
	j	.LBB3_3
.LBB3_2:                                #   in Loop: Header=BB3_3 Depth=1
	slli	a6, a6, 3
	add	a6, a6, a1
	fsd	fa4, 0(a6)
	mv	t0, t2
	mv	a6, t1
	beq	t1, a0, .LBB3_7
.LBB3_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB3_5 Depth 2
	addi	t1, a6, 1
	slli	t2, t1, 3
	add	t2, t2, a2
	ld	t2, 0(t2)
	fmv.d	fa4, fa5
	bge	t0, t2, .LBB3_2
# %bb.4:                                #   in Loop: Header=BB3_3 Depth=1
	li	t3, 0
	sub	t4, t2, t0
	vmv2r.v	v10, v8
.LBB3_5:                                #   Parent Loop BB3_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vsetvli	t5, t4, e32, m1, ta, ma
	add	t6, t0, t3
	slli	s0, t6, 2
	add	s0, s0, a3
	vle32.v	v13, (s0)
	slli	t6, t6, 3
	add	t6, t6, a4
	vle64.v	v14, (t6)
	vwmulsu.vx	v16, v13, a7
	vsetvli	zero, zero, e64, m2, ta, ma
	vluxei64.v	v16, (a5), v16
	sub	t4, t4, t5
	vsetvli	zero, zero, e64, m2, tu, ma
	vfmacc.vv	v10, v16, v14
	add	t3, t3, t5
	bnez	t4, .LBB3_5
# %bb.6:                                #   in Loop: Header=BB3_3 Depth=1
	vsetvli	s0, zero, e64, m2, ta, ma
	vfredusum.vs	v10, v10, v12
	vfmv.f.s	fa4, v10
	j	.LBB3_2
.LBB3_7:
	ld	s0, 8(sp)                       # 8-byte Folded Reload
	addi	sp, sp, 16
.LBB3_8:
	ret
.Lfunc_end3:
	.size	spmv, .Lfunc_end3-spmv
                                        # -- End function
	.globl	scatter                         # -- Begin function scatter
	.p2align	1
	.type	scatter,@function
scatter:                                # @scatter
# %bb.0:
	blez	a0, .LBB4_3
# %bb.1:
	li	a4, 0
	li	a6, 4
.LBB4_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a7, a0, e32, m2, ta, ma
	slli	a5, a4, 2
	add	t0, a3, a5
	add	a5, a5, a2
	vle32.v	v12, (a5)
	vle32.v	v14, (t0)
	sub	a0, a0, a7
	vwmulsu.vx	v8, v12, a6
	vsoxei64.v	v14, (a1), v8
	add	a4, a4, a7
	bnez	a0, .LBB4_2
.LBB4_3:
	ret
.Lfunc_end4:
	.size	scatter, .Lfunc_end4-scatter
                                        # -- End function
	.globl	clamp                           # -- Begin function clamp
	.p2align	1
	.type	clamp,@function
clamp:                                  # @clamp
# %bb.0:
	blez	a0, .LBB5_3
# %bb.1:
	li	a3, 0
.LBB5_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a4, a0, e16, m2, ta, ma
	slli	a5, a3, 1
	add	a5, a5, a2
	vle16.v	v8, (a5)
	add	a5, a1, a3
	sub	a0, a0, a4
	vmax.vx	v8, v8, zero
	vsetvli	zero, zero, e8, m1, ta, ma
	vnclipu.wi	v10, v8, 0
	vse8.v	v10, (a5)
	add	a3, a3, a4
	bnez	a0, .LBB5_2
.LBB5_3:
	ret
.Lfunc_end5:
	.size	clamp, .Lfunc_end5-clamp
                                        # -- End function
	.globl	count_equal                     # -- Begin function count_equal
	.p2align	1
	.type	count_equal,@function
count_equal:                            # @count_equal
# %bb.0:
	blez	a0, .LBB6_4
# %bb.1:
	li	a3, 0
	vsetvli	a4, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
.LBB6_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a4, a0, e8, mf4, ta, ma
	add	a5, a1, a3
	vle8.v	v10, (a5)
	vmseq.vx	v0, v10, a2
	sub	a0, a0, a4
	vsetvli	zero, zero, e64, m2, tu, mu
	vadd.vi	v8, v8, 1, v0.t
	add	a3, a3, a4
	bnez	a0, .LBB6_2
# %bb.3:
	vsetvli	a0, zero, e64, m2, ta, ma
	vmv.s.x	v10, zero
	vredsum.vs	v8, v8, v10
	vmv.x.s	a0, v8
	ret
.LBB6_4:
	li	a0, 0
	ret
.Lfunc_end6:
	.size	count_equal, .Lfunc_end6-count_equal
                                        # -- End function
	.globl	convert                         # -- Begin function convert
	.p2align	1
	.type	convert,@function
convert:                                # @convert
# %bb.0:
	blez	a0, .LBB7_3
# %bb.1:
	li	a4, 0
.LBB7_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a6, a0, e32, m1, ta, ma
	slli	a7, a4, 2
	add	a5, a2, a7
	vle32.v	v10, (a5)
	slli	a5, a4, 3
	add	a7, a7, a3
	vle32.v	v11, (a7)
	add	a5, a5, a1
	sub	a0, a0, a6
	vfwcvt.f.x.v	v8, v10
	vfwadd.wv	v8, v8, v11
	vse64.v	v8, (a5)
	add	a4, a4, a6
	bnez	a0, .LBB7_2
.LBB7_3:
	ret
.Lfunc_end7:
	.size	convert, .Lfunc_end7-convert
                                        # -- End function
	.globl	conditional                     # -- Begin function conditional
	.p2align	1
	.type	conditional,@function
conditional:                            # @conditional
# %bb.0:
	blez	a0, .LBB8_3
# %bb.1:
	li	a3, 0
	fmv.d.x	fa5, zero
.LBB8_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a6, a0, e64, m2, ta, ma
	slli	a4, a3, 3
	add	a5, a2, a4
	vle64.v	v8, (a5)
	vfsqrt.v	v10, v8
	vmfgt.vf	v0, v8, fa5
	add	a4, a4, a1
	vle64.v	v8, (a4), v0.t
	sub	a0, a0, a6
	vfadd.vv	v8, v8, v10
	vse64.v	v8, (a4), v0.t
	add	a3, a3, a6
	bnez	a0, .LBB8_2
.LBB8_3:
	ret
.Lfunc_end8:
	.size	conditional, .Lfunc_end8-conditional
                                        # -- End function
	.globl	xor_shift                       # -- Begin function xor_shift
	.p2align	1
	.type	xor_shift,@function
xor_shift:                              # @xor_shift
# %bb.0:
	blez	a0, .LBB9_4
# %bb.1:
	li	a2, 0
	vsetvli	a3, zero, e32, m2, ta, ma
	vmv.v.i	v8, 0
.LBB9_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a3, a0, e32, m2, ta, ma
	slli	a4, a2, 2
	add	a4, a4, a1
	vle32.v	v10, (a4)
	sub	a0, a0, a3
	vsll.vi	v12, v10, 13
	vxor.vv	v10, v12, v10
	vsrl.vi	v12, v10, 17
	vxor.vv	v10, v12, v10
	vse32.v	v10, (a4)
	vsetvli	zero, zero, e32, m2, tu, ma
	vor.vv	v8, v10, v8
	add	a2, a2, a3
	bnez	a0, .LBB9_2
# %bb.3:
	vsetvli	a0, zero, e32, m2, ta, ma
	vredor.vs	v8, v8, v8
	vmv.x.s	a0, v8
	ret
.LBB9_4:
	li	a0, 0
	ret
.Lfunc_end9:
	.size	xor_shift, .Lfunc_end9-xor_shift
                                        # -- End function
	.globl	transpose                       # -- Begin function transpose
	.p2align	1
	.type	transpose,@function
transpose:                              # @transpose
# %bb.0:
	blez	a0, .LBB10_5
# %bb.1:
	li	a6, 0
	slli	a7, a0, 2
.LBB10_2:                               # =>This Loop Header: Depth=1
                                        #     Child Loop BB10_3 Depth 2
	li	a5, 0
	li	a3, 0
	slli	t0, a6, 2
	mul	a4, a6, a0
	add	t0, t0, a2
	slli	a4, a4, 2
	add	t1, a1, a4
	mv	a4, a0
.LBB10_3:                               #   Parent Loop BB10_2 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vsetvli	t2, a4, e8, mf2, ta, ma
	slli	t3, a3, 2
	slli	t4, a5, 2
	add	t3, t3, t0
	vlse32.v	v8, (t3), a7
	mul	t3, t2, a0
	add	t4, t4, t1
	add	a5, a5, t2
	sub	a4, a4, t2
	vse32.v	v8, (t4)
	add	a3, a3, t3
	bnez	a4, .LBB10_3
# %bb.4:                                #   in Loop: Header=BB10_2 Depth=1
	addi	a6, a6, 1
	bne	a6, a0, .LBB10_2
.LBB10_5:
	ret
.Lfunc_end10:
	.size	transpose, .Lfunc_end10-transpose
                                        # -- End function
	.globl	matrix                          # -- Begin function matrix
	.p2align	1
	.type	matrix,@function
matrix:                                 # @matrix
# %bb.0:
	blez	a0, .LBB11_7
# %bb.1:
	li	a6, 0
.LBB11_2:                               # =>This Loop Header: Depth=1
                                        #     Child Loop BB11_3 Depth 2
                                        #       Child Loop BB11_4 Depth 3
	li	t0, 0
	mul	a4, a6, a0
	slli	a4, a4, 3
	add	a7, a2, a4
	add	t1, a1, a4
.LBB11_3:                               #   Parent Loop BB11_2 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB11_4 Depth 3
	li	a5, 0
	slli	a4, t0, 3
	add	a4, a4, a7
	fld	fa5, 0(a4)
	mul	a4, t0, a0
	slli	a4, a4, 3
	add	t2, a3, a4
	mv	a4, a0
.LBB11_4:                               #   Parent Loop BB11_2 Depth=1
                                        #     Parent Loop BB11_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vsetvli	t3, a4, e64, m2, ta, ma
	slli	t4, a5, 3
	add	t5, t2, t4
	add	t4, t4, t1
	vle64.v	v8, (t5)
	vle64.v	v10, (t4)
	sub	a4, a4, t3
	vfmacc.vf	v10, fa5, v8
	vse64.v	v10, (t4)
	add	a5, a5, t3
	bnez	a4, .LBB11_4
# %bb.5:                                #   in Loop: Header=BB11_3 Depth=2
	addi	t0, t0, 1
	bne	t0, a0, .LBB11_3
# %bb.6:                                #   in Loop: Header=BB11_2 Depth=1
	addi	a6, a6, 1
	bne	a6, a0, .LBB11_2
.LBB11_7:
	ret
.Lfunc_end11:
	.size	matrix, .Lfunc_end11-matrix
                                        # -- End function
	.globl	reverse                         # -- Begin function reverse
	.p2align	1
	.type	reverse,@function
reverse:                                # @reverse
# %bb.0:
	blez	a0, .LBB12_3
# %bb.1:
	li	a3, 0
	slli	a5, a0, 2
	li	a6, 1
	add	t0, a2, a5
	li	a7, -4
.LBB12_2:                               # =>This Inner Loop Header: Depth=1
	vsetvli	a4, a0, e8, mf2, ta, ma
	not	a5, a3
	slli	a5, a5, 2
	sub	a2, a6, a4
	add	a5, a5, t0
	slli	a2, a2, 2
	add	a2, a2, a5
	slli	a5, a3, 2
	add	a5, a5, a1
	vle32.v	v8, (a2)
	slli	a2, a4, 2
	sub	a0, a0, a4
	add	a2, a2, a5
	addi	a2, a2, -4
	vsse32.v	v8, (a2), a7
	add	a3, a3, a4
	bnez	a0, .LBB12_2
.LBB12_3:
	ret
.Lfunc_end12:
	.size	reverse, .Lfunc_end12-reverse
                                        # -- End function
	.globl	divide                          # -- Begin function divide
	.p2align	1
	.type	divide,@function
divide:                                 # @divide
# %bb.0:
	blez	a0, .LBB13_3
# %bb.1:
	li	a4, 0
	lui	a3, 599186
	lui	a5, 419430
	addi	a7, a3, 1171
	addi	t0, a5, 1639
	li	a6, 10
.LBB13_2:                               # =>This Inner Loop Header: Depth=1
	vsetvli	t1, a0, e32, m2, ta, ma
	slli	a3, a4, 2
	add	a5, a2, a3
	add	a3, a3, a1
	vle32.v	v8, (a5)
	vle32.v	v10, (a3)
	sub	a0, a0, t1
	vmulh.vx	v12, v8, a7
	vmulh.vx	v14, v10, t0
	vadd.vv	v8, v12, v8
	vsra.vi	v12, v14, 2
	vsra.vi	v8, v8, 2
	vsrl.vi	v14, v12, 31
	vadd.vv	v12, v12, v14
	vsrl.vi	v14, v8, 31
	vadd.vv	v8, v8, v14
	vnmsub.vx	v12, a6, v10
	vadd.vv	v8, v12, v8
	vse32.v	v8, (a3)
	add	a4, a4, t1
	bnez	a0, .LBB13_2
.LBB13_3:
	ret
.Lfunc_end13:
	.size	divide, .Lfunc_end13-divide
                                        # -- End function
	.globl	smallest                        # -- Begin function smallest
	.p2align	1
	.type	smallest,@function
smallest:                               # @smallest
# %bb.0:
	fld	fa0, 0(a1)
	li	a2, 2
	blt	a0, a2, .LBB14_4
# %bb.1:
	li	a2, 0
	addi	a0, a0, -1
	vsetvli	a3, zero, e64, m2, ta, ma
	vfmv.v.f	v8, fa0
.LBB14_2:                               # =>This Inner Loop Header: Depth=1
	vsetvli	a3, a0, e8, mf4, ta, ma
	slli	a4, a2, 3
	add	a4, a4, a1
	addi	a4, a4, 8
	vle64.v	v10, (a4)
	sub	a0, a0, a3
	vsetvli	zero, zero, e64, m2, tu, ma
	vfmin.vv	v8, v10, v8
	add	a2, a2, a3
	bnez	a0, .LBB14_2
# %bb.3:
	vsetvli	a0, zero, e64, m2, ta, ma
	vfredmin.vs	v8, v8, v8
	vfmv.f.s	fa0, v8
.LBB14_4:
	ret
.Lfunc_end14:
	.size	smallest, .Lfunc_end14-smallest
                                        # -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
