"""People and programs: one way in each; they ask and render, they compute nothing."""
