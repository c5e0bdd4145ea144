"""The settings of Sphinx for the documentation site; ``scripts/site.py`` runs it."""

import logging
import os
from importlib import metadata

logging.getLogger("alembic").setLevel(logging.WARNING)
os.environ["NUMBA_DISABLE_JIT"] = "1"  # compiled functions keep their signatures and docstrings

project = "Byzanz"
author = "The Byzanz authors"
release = metadata.version("byzanz")
language = "en"
exclude_patterns = ["pictures/*.md"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
highlight_language = "none"

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {"npt.ArrayLike": "ArrayLike", "Records": "Records", "Ints": "Ints"}
autodoc_mock_imports = ["pyspiel", "open_spiel", "ray", "torch"]
autodoc_default_options = {"members": True, "show-inheritance": True}
python_maximum_signature_line_length = 80
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Byzanz"
html_logo = "site/icon-192.png"
html_favicon = "site/icon-192.png"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0c5f60", "color-brand-content": "#0c5f60"},
    "dark_css_variables": {"color-brand-primary": "#e0a83e", "color-brand-content": "#e0a83e"},
}
