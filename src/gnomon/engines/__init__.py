"""Sets of states and the steps between them, one engine a folder, all behind one algebra."""
