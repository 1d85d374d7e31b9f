"""The tools that come along."""

from typing import Final

from interlock.toolbox.asking import extract, summarize
from interlock.toolbox.fetch import http_fetch
from interlock.toolbox.grouping import group_reduce
from interlock.toolbox.query import json_query
from interlock.toolbox.texts import literal, template
from interlock.toolbox.tool import Tool

TOOLS: Final[tuple[Tool, ...]] = (
    literal, template, json_query, group_reduce, extract, summarize, http_fetch,
)  # fmt: skip
