"""Pages: templates, formulas and matrices as text, Markdown and HTML that needs no script and no network."""
