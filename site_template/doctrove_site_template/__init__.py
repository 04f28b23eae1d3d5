"""Templates, styles, scripts and icons of the site: data for the builder. Stands on nothing.

`templates/` holds one template for each kind of page, all but `redirect.html` on `layout.html`:

    layout.html     head, header, footer
      home.html     the catalogue
      library.html  one library and its versions
      changes.html  what a version changed
      compare.html  any two versions of a library, compared
      missing.html  404.html
      page.html     one page of a volume
        volume.html     the front page of a volume
        contents.html   a part of a long list of pages
    redirect.html   `latest/...`
    parts.html      the pieces of pages, as macros

A project overrides a block by a file of the same name in its `_templates/` folder. Before a name,
`!` means the built-in template, so the override extends what it replaces:

    {% extends "!page.html" %}
    {% block nav_end %}<p><a href="https://chat.example.org/">Ask us</a></p>{% endblock %}

`{{ super() }}` in a block gives what the built-in one has. An override of `layout.html` reaches
every page. Blocks of `layout.html`: `title`, `assets`, `head`, `kind`, `header`, `brand`, `search`,
`switcher`, `frame`, `content`, `footer`, `colophon`, `footer_links`; of `page.html` besides: `nav`,
`nav_end`, `crumbs`, `notice`, `lede`, `page_tools`, `sections`, `turn`, `toc`; of `volume.html` and
`contents.html` besides: `contents`; of `home.html`: `hero`, `connect`, `catalogue`; of
`library.html`: `hero`, `timeline`; of `changes.html`: `hero`, `changes`, `turn`; of `compare.html`:
`compare`, `neighbours`. `project.css` in the same folder is loaded after `style.css`.

In a template, `view` is the page's view with the fields that the builder documents for it, and
`asset(root, name)`, `body(section)`, `differences(change)`, `heading(section)`, `icon(name)`,
`thousands(number)`, `titled(parts ...)` and `policy` are there, with a few filters (`default`,
`first`, `length`, `lower`, `truncate`, `upper` ...). Escaping stays on. What else Python offers is
refused, and so are scripts: every page keeps its content security policy, which allows the site's
own scripts alone.
"""
