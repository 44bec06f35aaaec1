<?php

declare(strict_types=1);

namespace Waybill;

require_once __DIR__ . '/client.php';

/**
 * Calls the API. Every POST has an idempotency key, so that a retry does nothing twice.
 *
 * Its methods throw an ApiError when the service returned an error, whose `body` is the problem, and a TimeoutError or
 * another RuntimeException when no complete response arrived.
 */
class Waybill extends Client
{
    private Config $config;

    /**
     * @param ?string $apiKey default: the environment variable WAYBILL_API_KEY
     * @param ?string $url the URL of the API with its version; default: WAYBILL_URL, or the service of this machine
     * @param float $timeout seconds of one attempt
     * @param int $retries how often a request is sent again when it failed, or was answered by 408, 429, 5xx or
     *     `idempotency_in_progress`
     * @param float $idleTimeout seconds without a byte after which a stream of events is opened again; the service sends some
     *     every 15 seconds
     * @param float $retryDelay seconds of the first pause, which doubles with each attempt
     */
    public function __construct(
        #[\SensitiveParameter] ?string $apiKey = null,
        ?string $url = null,
        float $timeout = 30,
        int $retries = 4,
        float $retryDelay = 0.25,
        float $idleTimeout = 45,
    ) {
        $key = $apiKey ?: getenv('WAYBILL_API_KEY');
        $this->config = new Config(
            serverUrl: $url ?: getenv('WAYBILL_URL') ?: 'http://localhost:3000/v1',
            auth: $key ? ['bearer' => $key] : [],
            timeout: $timeout,
            retry: ['attempts' => 1 + $retries, 'delay' => $retryDelay],
            idleTimeout: $idleTimeout,
        );
        parent::__construct($this->config);
    }

    /**
     * All changes in order, without end: an event that was processed before is not repeated.
     *
     * An event of a type that this version does not know is an array.
     *
     * @param ?string $after the id of the last event that was processed; null starts with the oldest one
     * @param ?list<KnownEventType> $types
     * @param int $wait seconds that a request waits for the next event, 0 to 30
     * @return \Generator<int, object|array<string, mixed>>
     */
    public function followEvents(?string $after = null, ?array $types = null, int $wait = 20): \Generator
    {
        $config = clone $this->config;
        $config->timeout = $wait + 30;
        $config->retry['attempts'] = PHP_INT_MAX;
        $client = new Client($config);
        while (true) {
            $started = microtime(true);
            $page = $client->listEvents(after: $after, types: $types, wait: $wait);
            foreach ($page->data as $event) {
                yield $event;
            }
            if ($page->nextAfter === $after) { // for example while the service shuts down
                usleep((int) (1e6 * max(0, $started + 1 - microtime(true))));
            }
            $after = $page->nextAfter;
        }
    }

    /**
     * Uploads a signature or photo. The result belongs into `submitProofOfDelivery` or `raiseException`.
     *
     * @param string $file its bytes
     * @return string the upload id
     */
    public function uploadProofFile(string $trackingNumber, KnownFileKind $kind, KnownFileType $contentType, string $file): string
    {
        $request = new ProofUploadRequest($kind, $contentType, strlen($file), hash('sha256', $file));
        $upload = $this->createProofUpload($trackingNumber, $request);
        $this->sendSigned('putProofFile', 'PUT', $upload->uploadUrl, ['headers' => $upload->headers, 'body' => $file]);
        return $upload->uploadId;
    }

    /** The bytes of a signature or photo, from its URL in a proof of delivery. */
    public function download(string $url): string
    {
        return $this->sendSigned('getProofFile', 'GET', $url);
    }

    /** The body of the response to a request to a URL that the service has signed: it needs no key. */
    private function sendSigned(string $operation, string $method, string $url, array $options = []): string
    {
        $response = send($this->config, ['operationId' => $operation, 'method' => $method, 'url' => $url, ...$options]);
        $isPage = str_starts_with($response['headers']['content-type'] ?? '', 'text/'); // such as the page of a portal
        if ($response['status'] >= 300 || $isPage) {
            throw apiErrorFrom($response);
        }
        return $response['body'];
    }
}

/** In bytes (https://www.standardwebhooks.com). Without a secret anybody could sign. */
const SHORTEST_SECRET = 24;

/** The request does not come from Waybill, or it was changed or delayed. Respond with 400 and do nothing. */
class WebhookVerificationError extends \RuntimeException
{
}

/**
 * Verifies the signature of a webhook (https://www.standardwebhooks.com) and returns its event.
 *
 * @param string $body exactly as it was received
 * @param array<string, string> $headers for example of `getallheaders()`
 * @param string|list<string> $secrets the secret of the endpoint, or several while it is rotated
 * @param int $tolerance how many seconds the signature's timestamp may differ from `$now`
 * @param ?int $now in seconds since 1970; default: the time of this machine
 * @return object|array<string, mixed> an array when this version does not know the type of the event
 * @throws WebhookVerificationError when the request does not come from Waybill
 * @throws \InvalidArgumentException when a secret is not one of an endpoint
 */
function verifyWebhook(
    string $body,
    array $headers,
    #[\SensitiveParameter] string|array $secrets,
    int $tolerance = 300,
    ?int $now = null,
): object|array {
    $found = array_change_key_case($headers);
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        if (!isset($found[$name])) {
            throw new WebhookVerificationError("The header {$name} is missing");
        }
    }
    $timestamp = $found['webhook-timestamp'];
    $isNumber = ctype_digit($timestamp) && strlen($timestamp) <= 12;
    if (!$isNumber || abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
        throw new WebhookVerificationError("The timestamp is not within {$tolerance} seconds of now");
    }
    $signed = "{$found['webhook-id']}.{$timestamp}.{$body}";
    $valid = false;
    foreach ((array) $secrets as $secret) {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || strlen($key) < SHORTEST_SECRET) {
            throw new \InvalidArgumentException('A secret is not one of an endpoint: whsec_ and base64');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        foreach (explode(' ', $found['webhook-signature']) as $signature) {
            $valid = hash_equals($expected, $signature) || $valid;
        }
    }
    if (!$valid) {
        throw new WebhookVerificationError('No signature is of this body by one of the secrets');
    }
    $event = json_decode($body, true);
    return is_array($event) ? unmarshalEvent($event) : throw new WebhookVerificationError('The body is not an object');
}
