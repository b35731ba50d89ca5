"""What things look like in a notebook: one piece of HTML each, with its own style and no script."""
