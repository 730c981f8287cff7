"""A match in progress: seats, commands, handover, saving."""
