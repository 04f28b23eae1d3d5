"""How an index is made: read, parse, validate, assemble, render and write an authoring tree."""
