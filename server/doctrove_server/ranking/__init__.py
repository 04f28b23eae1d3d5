"""How entries and sections are scored and ordered. Reads no source and knows no protocol."""
