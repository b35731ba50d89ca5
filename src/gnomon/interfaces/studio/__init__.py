"""The studio: a workbench for models in a browser, served to this machine alone."""
