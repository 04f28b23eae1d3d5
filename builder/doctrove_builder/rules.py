"""What an authoring tree can get wrong, apart from Markdown: each rule stands in problems.md."""

from __future__ import annotations

from doctrove_schema.problem import Rule


class BuildRule(Rule):
    """A rule of the authoring format."""

    # Files
    CONTROL_CHARACTER = "control-character"
    FILE_TOO_LARGE = "file-too-large"
    NAMES_COLLIDE = "names-collide"
    NOT_UTF8 = "not-utf8"
    SPECIAL_FILE = "special-file"
    SYMLINK_LOOP = "symlink-loop"
    SYMLINK_OUTSIDE = "symlink-outside"
    TREE_TOO_LARGE = "tree-too-large"
    UNREADABLE_FILE = "unreadable-file"

    # YAML
    YAML_ALIAS = "yaml-alias"
    YAML_DOCUMENTS = "yaml-documents"
    YAML_DUPLICATE_KEY = "yaml-duplicate-key"
    YAML_EMPTY = "yaml-empty"
    YAML_FEATURE = "yaml-feature"
    YAML_KEY = "yaml-key"
    YAML_NOT_MAPPING = "yaml-not-mapping"
    YAML_SYNTAX = "yaml-syntax"
    YAML_TAB = "yaml-tab"
    YAML_TOO_LARGE = "yaml-too-large"
    YAML_UNQUOTED = "yaml-unquoted"

    # Values
    MISSING_KEY = "missing-key"
    NOT_A_DATE = "not-a-date"
    NOT_A_URL = "not-a-url"
    TOO_MANY_PROBLEMS = "too-many-problems"
    UNKNOWN_KEY = "unknown-key"
    WRONG_TYPE = "wrong-type"
    WRONG_VALUE = "wrong-value"

    # Libraries, volumes, pages, sections
    ALIAS_TAKEN = "alias-taken"
    EMPTY_LIBRARY = "empty-library"
    EMPTY_VOLUME = "empty-volume"
    EQUAL_VERSIONS = "equal-versions"
    INVALID_VERSION = "invalid-version"
    LIBRARY_ID = "library-id"
    LIBRARY_ID_TAKEN = "library-id-taken"
    NO_LIBRARY = "no-library"
    NO_LIBRARY_FILE = "no-library-file"
    ORDER_UNKNOWN_PAGE = "order-unknown-page"
    PAGE_NAME = "page-name"
    PAGES_COLLIDE = "pages-collide"
    REPEATED_HEADING = "repeated-heading"
    SECTION_ID = "section-id"
    SECTION_ID_TAKEN = "section-id-taken"
    STRAY_FILE = "stray-file"
    SUPERSEDED_BY_UNKNOWN = "superseded-by-unknown"
    VERSION_NAME = "version-name"
    VERSION_TAKEN = "version-taken"
    VERSIONS_DISAGREE = "versions-disagree"
    VERSIONS_REQUIRED = "versions-required"
