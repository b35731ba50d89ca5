"""The gallery of the site, made of the register of the examples."""
