"""Systems as programs in ISPL, which MCMAS reads, too."""
