// corecast: --cpu neoverse_v2
// The accumulator of a fused multiply-add is needed late: the chain takes less than its latency.
	.text
dot:
	mov	x3, #0
.LBB0_1:
	ldr	d1, [x0, x3, lsl #3]
	ldr	d2, [x1, x3, lsl #3]
	fmadd	d0, d1, d2, d0
	add	x3, x3, #1
	cmp	x3, x2
	b.ne	.LBB0_1
	ret
