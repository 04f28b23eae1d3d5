"""What an index is: typed model, JSON Schemas, validation, names, versions. Stands on nothing."""
