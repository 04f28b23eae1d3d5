"""HTML of documentations to a document's tree: content without chrome, code exact to the byte."""
