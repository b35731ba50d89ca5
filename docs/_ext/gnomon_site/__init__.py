"""What the site has beside its pages: those generated from the code, links, colours and formulae."""
