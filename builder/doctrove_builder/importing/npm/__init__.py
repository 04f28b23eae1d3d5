"""The kind `npm`: a JavaScript package's README, documentation and typed declarations."""
