"""Lock files: which packages a project has installed, each at its very version."""
