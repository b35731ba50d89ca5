"""Decision diagrams: a library behind one interface, orders of variables, and what is written in them."""
