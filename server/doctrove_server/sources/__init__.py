"""Where indexes come from: a file, an address, and what is kept of them between calls."""
