"""What the sources hold together: the merged libraries, found by id, alias or name."""
