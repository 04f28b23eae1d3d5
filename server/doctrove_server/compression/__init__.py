"""Documentation in fewer tokens: units, facts, gists, levels, packing under a budget, memory.

Pure functions and small classes. Nothing here speaks a protocol, and markdown-it is imported when
something is first compressed.
"""
