"""The work of a loop: operations, bytes moved, and the time that moving them takes."""
