"""A table as a value: seats, options, commands, and what each viewer may see."""
