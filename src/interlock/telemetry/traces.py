"""Traces: spans are sent to an OTLP collector, where somebody has named one.

The collector is named by a setting of ours, or by the standard variables of OpenTelemetry. What
sends them is an extra; who names a collector without it is told how to install it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from opentelemetry import trace

from interlock import __version__
from interlock.config import Settings
from interlock.errors import InterlockError

STANDARD: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
PATH: Final = "/v1/traces"


class NoTelemetry(InterlockError):
    """A collector of traces is named, and what speaks to it is not installed."""

    code = "TELEMETRY_MISSING"
    http = 500


def is_wanted(settings: Settings, environ: Mapping[str, str]) -> bool:
    """Say whether somebody has named a collector."""
    is_off = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return not is_off and bool(settings.traces_url or any(environ.get(one) for one in STANDARD))


@contextmanager
def tracing(settings: Settings, environ: Mapping[str, str]) -> Iterator[None]:
    """Record spans for as long as this is open, where they are wanted; what is left is sent."""
    if not is_wanted(settings, environ):
        yield
        return
    try:
        # An extra; and loading it takes time that only those should pay who use it.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 (as said)
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 (same)
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 (same)
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 (same)
    except ImportError as exc:
        message = "A collector of traces is named, but what speaks to it is not installed."
        fix = "Install it (pip install 'interlock[telemetry]'), or take the setting out."
        raise NoTelemetry(message, fix=fix) from exc
    name = environ.get("OTEL_SERVICE_NAME") or "interlock"
    about = Resource.create({"service.name": name, "service.version": __version__})
    provider = TracerProvider(resource=about)
    # Without an address of ours the exporter reads the standard variables itself.
    endpoint = settings.traces_url + PATH if settings.traces_url else None
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        provider.shutdown()
