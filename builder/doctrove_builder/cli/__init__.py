"""The builder's commands: arguments in, exit code out."""
