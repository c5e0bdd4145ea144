"""The settings of Sphinx for the documentation site; ``scripts/site.py`` runs it."""

import logging
import os
from importlib import metadata

from docutils import nodes
from sphinx.application import Sphinx

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
autodoc_default_options = {"members": True}
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


def mark_examples(_app: Sphinx, page: nodes.document) -> None:
    """Highlight examples as Python, and drop the empty line at their end, which doctest needs."""
    for block in page.findall(nodes.literal_block):
        text = block.astext()
        if text.startswith(">>> "):
            block["language"] = "pycon"
            block.rawsource = text.rstrip()
            block[:] = [nodes.Text(block.rawsource)]


def setup(app: Sphinx) -> None:
    """Register the function above."""
    app.connect("doctree-read", mark_examples)
