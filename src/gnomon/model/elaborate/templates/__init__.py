"""What only programs with templates have: indices, quantifiers, relations, axioms, synchronisation."""
