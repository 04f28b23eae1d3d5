import os
raise RuntimeError("a program of a source is never run")
extlinks = {"issue": ("https://example.org/issues/%s", "#%s")}
