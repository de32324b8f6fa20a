"""Tests of the commentary edition."""
