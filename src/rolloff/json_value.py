"""JSON objects as they are read and written."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
"""A JSON object: names and whatever JSON can hold."""
