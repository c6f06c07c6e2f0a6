"""What timings say: values, or that there is none."""
