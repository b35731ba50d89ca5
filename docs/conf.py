"""How the site is built: `make docs`."""  # noqa: INP001 - Sphinx reads it as a script

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from gnomon.version import __version__

project = "Gnomon"
author = "The Gnomon authors"
project_copyright = "The Gnomon authors, Apache-2.0"
version = release = __version__

extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["_build", "_ext"]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings: list[str] = []
nitpicky = True

html_theme = "furo"
html_title = f"Gnomon {__version__}"
html_static_path = ["_static"]
