"""The site's metrics for Prometheus: requests, as django-prometheus counts them, and the state of the bureau."""

import os
from collections.abc import Iterator
from datetime import datetime

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from ratings.health.checks import examine

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Bureau(Collector):
    """What the checks find, at a moment."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each figure."""
        found = examine(at=self.at)
        works = GaugeMetricFamily("bureau_part_works", "1 if a part of the site works, else 0.", labels=["part"])
        for check in found.checks:
            works.add_metric([check.part], float(check.works))
        count = GaugeMetricFamily("bureau_waiting_jobs", "Jobs that wait for a worker.", labels=["kind"])
        age = GaugeMetricFamily("bureau_waiting_seconds", "Age of the oldest job that waits.", labels=["kind"])
        for row in found.waiting:
            count.add_metric([row.kind], row.count)
            age.add_metric([row.kind], row.age.total_seconds())
        yield from (works, count, age)


def written(*, at: datetime) -> bytes:
    """Return all metrics in the text format; those of requests of all web processes together."""
    own = CollectorRegistry()
    own.register(Bureau(at))
    requests = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        requests = CollectorRegistry()
        MultiProcessCollector(requests)  # type: ignore[no-untyped-call]
    return generate_latest(requests) + generate_latest(own)
