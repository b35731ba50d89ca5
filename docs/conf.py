"""How the site is built: `make docs`."""

import logging
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

from gnomon.version import __version__  # noqa: E402
from gnomon_site.places import write_page  # noqa: E402 - the path comes first

project = "Gnomon"
author = "The Gnomon authors"
project_copyright = "The Gnomon authors, Apache-2.0"
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "gnomon_site.extension",
    "gnomon_gallery.extension",
]
exclude_patterns = ["_build", "_ext", "**/.ipynb_checkpoints"]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings: list[str] = []
nitpicky = True

pygments_dark_style = "github-dark"  # the default underlines names of agents, as if they were links
html_theme = "furo"
html_math_renderer = "mathml"
html_title = f"Gnomon {__version__}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(HERE / "_ext" / "search_scorer.js")
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_logo": "logo-light.svg",
    "dark_logo": "logo-dark.svg",
    "light_css_variables": {
        "color-brand-primary": "#8a4b00",
        "color-brand-content": "#1d5c8a",
        "color-brand-visited": "#5d4a8a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#f0b64a",
        "color-brand-content": "#7cc0f0",
        "color-brand-visited": "#b7a4ec",
    },
}
# Signatures as they are written: long ones on a line for each parameter, types by their last name.
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

# What is copied from a block is what one types: neither prompts nor what programs print.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

# Notebooks are run while the site is built, those that have not changed are remembered.
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE.parent / ".cache" / "notebooks")
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_merge_streams = True
# Kernels start without what somebody may have set up for theirs, and only errors are told.
os.environ["IPYTHONDIR"] = str(HERE.parent / ".cache" / "ipython")
logging.getLogger("traitlets").setLevel(logging.ERROR)
write_page(
    HERE.parent / ".cache" / "ipython" / "profile_default" / "ipython_kernel_config.py",
    "c.IPKernelApp.log_level = 40\n",
)
