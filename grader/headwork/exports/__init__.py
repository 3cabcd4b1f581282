"""Ways out: problems and reports to the tools that a course already uses, one module (or package) per tool."""
