"""The client of Waybill, the freight shipment and tracking service."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import httpx

from .client import *
from .client import Client, decode, send

class Waybill(Client):
    """Calls the API. Every write has an idempotency key, so that a retry does nothing twice.

    :param api_key: default: the environment variable WAYBILL_API_KEY
    :param url: the URL of the API with its version; default: WAYBILL_URL, or the service of this machine
    :param timeout: seconds of one attempt
    :param idle_timeout: seconds without a byte after which a stream of events is opened again; the service sends some
        every 15 seconds
    :param retries: how often a request is sent again when it failed, or was answered by 408, 429, 5xx or
        `idempotency_in_progress`
    :param retry_delay: seconds of the first pause, which doubles with each attempt
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        url: Optional[str] = None,
        *,
        timeout: float = 30,
        idle_timeout: float = 45,
        retries: int = 4,
        retry_delay: float = 0.25,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        key = api_key or os.environ.get("WAYBILL_API_KEY")
        super().__init__(
            url or os.environ.get("WAYBILL_URL") or "http://localhost:3000/v1",
            auth={"bearer": key} if key else {},
            timeout=timeout,
            retry={"retries": retries, "retry_delay": retry_delay},
            idempotency_key=True,
            http_client=http_client,
        )
        self._config["idle_timeout"] = idle_timeout

    def follow_events(
        self,
        after: Optional[EventId] = None,
        *,
        types: Optional[List[KnownEventType]] = None,
        wait: int = 20,
    ) -> Iterator[Union[Event, Dict[str, Any]]]:
        """All changes in order, without end: an event that was processed before is not repeated.

        An event of a type that this version does not know is a dict.

        :param after: the id of the last event that was processed; None starts with the oldest one
        :param wait: seconds that a request waits for the next event, 0 to 30
        """
        while True:
            started = time.monotonic()
            page = self.list_events(after=after, types=types, wait=wait, timeout=wait + 30, retry={"retries": sys.maxsize})
            yield from page.data
            if page.next_after == after:  # for example while the service shuts down
                time.sleep(max(0.0, started + 1 - time.monotonic()))
            after = page.next_after

    def upload_proof_file(self, tracking_number: TrackingNumber, kind: KnownFileKind, content_type: KnownFileType, file: bytes) -> UploadId:
        """Uploads a signature or photo. The result belongs into `submit_proof_of_delivery` or `raise_exception`."""
        digest = hashlib.sha256(file).hexdigest()
        request = ProofUploadRequest(kind=kind, content_type=content_type, size=len(file), sha256=digest)
        upload = self.create_proof_upload(tracking_number, request)
        self._send("putProofFile", "PUT", upload.upload_url, headers=upload.headers, content=file)
        return upload.upload_id

    def download(self, url: str) -> bytes:
        """The bytes of a signature or photo, from its URL in a proof of delivery."""
        response = self._send("getProofFile", "GET", url)
        if response.headers.get("content-type", "").startswith("text/"):  # such as the page of a portal
            raise ApiError(url, response.status_code, response.reason_phrase, response.text)
        return response.content

    def _send(self, operation: str, method: str, url: str, **options: Any) -> httpx.Response:
        """A request to a URL that the service has signed: it needs no key."""
        response = send(self._http, self._config, {"id": operation}, url, method=method, **options)
        if not response.is_success:
            raise ApiError(url, response.status_code, response.reason_phrase, response.text)
        return response


# In bytes (https://www.standardwebhooks.com). Without a secret anybody could sign.
_SHORTEST_SECRET = 24


class WebhookVerificationError(Exception):
    """The request does not come from Waybill, or it was changed or delayed. Respond with 400 and do nothing."""


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Union[Event, Dict[str, Any]]:
    """Verifies the signature of a webhook (https://www.standardwebhooks.com) and returns its event.

    :param body: exactly as it was received
    :param secrets: the secret of the endpoint, or several while it is rotated
    :param tolerance: how many seconds the signature's timestamp may differ from `now`
    :raises WebhookVerificationError: when the request does not come from Waybill
    :raises ValueError: when a secret is not one of an endpoint
    """
    found = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signatures = (found["webhook-" + name] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookVerificationError(f"The header {missing} is missing") from None
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if not is_number or abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError(f"The timestamp is not within {tolerance} seconds of now")
    signed = f"{message_id}.{timestamp}.".encode() + body
    sent = [value.encode() for version, _, value in (each.partition(",") for each in signatures.split(" ")) if version == "v1"]
    valid = False
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        if len(key) < _SHORTEST_SECRET:
            raise ValueError("A secret is not one of an endpoint: whsec_ and base64")
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for signature in sent:
            valid |= hmac.compare_digest(signature, expected)
    if not valid:
        raise WebhookVerificationError("No signature is of this body by one of the secrets")
    try:
        return decode(Event, json.loads(body))
    except ValueError:
        raise WebhookVerificationError("The body is not JSON") from None
