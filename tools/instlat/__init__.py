"""InstLatx64's measured latencies and throughputs: packing, reading, and what they say of a model's rows."""
