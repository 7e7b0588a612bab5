"""What OpenAPI cannot say of a query: docs/guides/openapi.md lists it. Loaded by Schemathesis."""

from urllib.parse import urlencode

import schemathesis

MOST_PAIRS = 100
MOST_SEARCHES = 10
SEARCHES = {"contains", "doesNotContain", "endsWith", "endsWithExact", "containsExact", "atLeast", "atMost"}
SEARCHES_IN_LISTS = {"startsWith", "startsWithExact", "equalsIgnoreCase"}
LISTS = {"items", "tags"}
LONGEST_URL = 60_000
WORD = "surf"
GROUP = "(id[exists]=true)"
FORM = "application/x-www-form-urlencoded"
NAMES = {"fields", "sort", "facets"}
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]


@schemathesis.hook
def filter_case(context, case):
    """
    Servers of HTTP close a connection whose URL is too long for their headers. `name=` is the operator `equals`: an object of
    conditions cannot describe it. In a form, a text and a list with this text are equal.
    """
    if case.media_type == FORM and isinstance(case.body, dict):
        if any(isinstance(case.body.get(name), str) for name in NAMES):
            return False
    objects = {one.name for one in case.operation.query if one.definition.get("style") == "deepObject"}
    queries = [query for query in (case.query, case.body) if isinstance(query, dict)]
    if any(not isinstance(query[name], dict) for query in queries for name in objects & query.keys()):
        return False
    return len(urlencode(case.query or {}, doseq=True)) < LONGEST_URL


def pairs(query):
    return sum(len(value) if isinstance(value, dict) else 1 for value in query.values())


def conditions(query):
    """The path and the operator of each condition, in both styles of the description."""
    for name, value in query.items():
        path, _, operator = name.partition("[")
        for one in list(value) if isinstance(value, dict) else [operator.rstrip("]")]:
            yield name, path, one


def facets(query):
    paths = query.get("facets", [])
    return len(paths.split(",")) if isinstance(paths, str) else len(paths)


def is_search(path, operator):
    return operator in SEARCHES or (operator in SEARCHES_IN_LISTS and path.split(".")[0] in LISTS)


@schemathesis.hook
def map_case(context, case):
    """
    A query that the service must take has no cursor, which must come from an answer, at most 100 conditions, at most ten searches, each of
    them once more for each facet, no condition in both of its spellings, a time zone that exists, a search with a word, and groups with a
    condition.
    """
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return case
    for query in (case.query, case.body):
        if not isinstance(query, dict):
            continue
        query.pop("cursor", None)
        if "timeZone" in query:
            query["timeZone"] = ZONES[len(query["timeZone"]) % len(ZONES)]
        for name in [name for name in query if f"{name}[equals]" in query]:
            del query[name]
        for name in list(query):
            if pairs(query) > MOST_PAIRS:
                del query[name]
        if "search" in query:
            query["search"] = WORD
        for word in {"and", "or", "not"} & query.keys():
            query[word] = GROUP
        found = [name for name, path, operator in conditions(query) if is_search(path, operator)]
        for name in set(found[MOST_SEARCHES // (1 + facets(query)) :]):
            del query[name]
    return case


@schemathesis.hook
def before_call(context, case, kwargs):
    """Cases that are made of examples are not mapped."""
    map_case(context, case)
