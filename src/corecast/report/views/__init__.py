"""Views of results in notebooks, one module a class (`corecast.views`): HTML from the report modules, tables, plots."""
