"""Runs the steps on the connection that storage has opened."""

from __future__ import annotations

from alembic import context

from rolloff.server.storage import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
