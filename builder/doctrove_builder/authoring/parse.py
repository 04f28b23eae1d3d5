"""Documents to libraries, volumes and pages: all problems of a tree in one go."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from doctrove_builder.authoring.catalogue import distinct
from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.folders import sort_out
from doctrove_builder.authoring.library import LibraryPlan, make_library, plan_library
from doctrove_builder.authoring.project import read_project
from doctrove_builder.memory import ANEW
from doctrove_builder.model import Authoring, Library
from doctrove_builder.rules import BuildRule

if TYPE_CHECKING:
    from doctrove_builder.authoring.pages import Each, PageParser, PageRequest, Parsed
    from doctrove_builder.memory import Apply
    from doctrove_builder.model import Tree
    from doctrove_schema.problem import Problem


def parse_authoring(
    tree: Tree, *, parse_page: PageParser, each: Each = map, apply: Apply = ANEW
) -> tuple[Authoring, tuple[Problem, ...]]:
    """Read every library of a tree and check what can be checked without binding volumes together.

    All pages are parsed by one call of `each`, which stands for `map`: a cache or an executor can
    take its place when `parse_page` can be pickled. The result leaves out what cannot stand (a
    version outside its scheme, the second library with an id); every such gap has its problem.
    """
    folders, found = sort_out(tree, apply=apply)
    problems = list(found)
    project, found = apply(read_project, folders.project)
    problems += found
    plans: list[LibraryPlan] = []
    for folder in folders.libraries:
        plan, found = apply(
            plan_library, folder, split_level=project.options.split_level, apply=apply
        )
        plans.append(plan)
        problems += found
    if not plans:
        problems.append(_no_library(tree))
    requests = [request for plan in plans for request in plan.requests]
    parse = partial(each, partial(_parse, parse_page))
    parsed = iter(apply.each("page", parse, requests))
    libraries: dict[str, Library] = {}
    for plan in plans:
        pages = tuple(next(parsed) for _ in plan.requests)
        libraries[plan.folder], found = apply(make_library, plan, pages, apply=apply)
        problems += found
    kept, found = distinct(plans)
    problems += found
    authoring = Authoring(project=project, libraries=tuple(libraries[plan.folder] for plan in kept))
    return authoring, tuple(problems)


def _parse(parse_page: PageParser, request: PageRequest) -> Parsed:
    return parse_page(request.document, path=request.path, split_level=request.split_level)


def _no_library(tree: Tree) -> Problem:
    where = "doctrove.yaml" if "doctrove.yaml" in tree.documents else "."
    return fault(
        BuildRule.NO_LIBRARY,
        "the tree holds no library",
        source=where,
        hint="add a folder with a library.yaml",
    )
