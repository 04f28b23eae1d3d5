import os
open("/tmp/executed", "w")
extlinks = {"issue": ("https://example.org/issues/%s", "#%s")}
