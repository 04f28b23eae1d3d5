"""The live preview: watches an authoring folder, rebuilds what changed, reloads the browser."""
