"""The context memory: texts, facts and gists of a session, retrieved within a budget of tokens."""
