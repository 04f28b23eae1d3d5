"""The tools, without a protocol: arguments in, an answer out. `TOOLS` lists them."""
