// The page that compares any two versions of a library.
