"""One piece of evidence in one format, one module a format."""
