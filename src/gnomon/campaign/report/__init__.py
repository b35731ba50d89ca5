"""What a campaign found, for readers: tables, plots, differences to an earlier one, and a page of it all."""
