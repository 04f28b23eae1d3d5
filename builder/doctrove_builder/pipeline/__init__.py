"""From an authoring folder to a published tree: the stages in order, cache and workers between."""
