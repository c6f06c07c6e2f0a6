"""What is asked: forms by their keys, the operand pairs that have a latency, in which order."""
