"""Proves the published lists: the hash chain is walked, and every month calculated again (`manage.py verify`)."""
