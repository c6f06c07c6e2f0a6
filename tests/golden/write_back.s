// corecast: --cpu tsv110
// A pre-indexed load carries its address on by a cycle, not by the latency of the load.
	.text
sum:
.L2:
	ldr	q1, [x0, #16]!
	fadd	v0.2d, v0.2d, v1.2d
	cmp	x0, x1
	b.ne	.L2
	ret
