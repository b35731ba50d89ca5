"""Grammars that colour ISPL in editors and on pages, made of the register of words."""
