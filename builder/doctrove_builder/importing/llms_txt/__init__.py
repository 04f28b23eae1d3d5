"""The kind `llms-txt`: the documentation that a site writes into one text for language models."""
