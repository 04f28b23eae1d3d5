"""Templates, styles, scripts and icons of the site: data for the builder. Stands on nothing."""
