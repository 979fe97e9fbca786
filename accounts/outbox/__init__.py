"""The outbox: every mail of the bureau is a row, written with what it tells, which a worker sends."""
