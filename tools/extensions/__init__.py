"""What instructions need of a core, and what cores have: the generator of both lists."""
