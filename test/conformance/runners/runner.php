<?php

// Runs the commands of test/conformance/runner.ts with the PHP client: one JSON line in, one out.

declare(strict_types=1);

require "{$argv[1]}/src/Waybill.php";

use Waybill\{ApiError, FileKind, ImageType, KnownEventType, KnownShipmentStatus, Waybill};
use function Waybill\verifyWebhook;

set_error_handler(static fn (int $level, string $message) => throw new ErrorException($message, severity: $level));

/** The types of items, which PHP cannot declare. */
const ITEMS = ['types' => KnownEventType::class, 'status' => KnownShipmentStatus::class];

function typed(ReflectionParameter $parameter, mixed $value): mixed
{
    $type = explode('|', ltrim((string) $parameter->getType(), '?'))[0];
    if ($type === 'array') {
        return array_map(ITEMS[$parameter->name]::from(...), $value);
    }
    // A field that null removes is only in an array.
    return class_exists($type) && !in_array(null, $value, true) ? $type::fromArray($value) : $value;
}

function call(string $method, array $values): mixed
{
    global $client;
    $arguments = [];
    foreach ((new ReflectionMethod($client, $method))->getParameters() as $parameter) {
        $name = strtolower(preg_replace('/(?=[A-Z])|_$/', '_', rtrim($parameter->name, '_')));
        if (array_key_exists($name, $values)) {
            $arguments[$parameter->name] = typed($parameter, $values[$name]);
            unset($values[$name]);
        }
    }
    if ($values) {
        throw new LogicException("{$method} has no parameter " . json_encode($values));
    }
    return $client->$method(...$arguments);
}

function follow(int $count, ?string $after = null, ?array $types = null): array
{
    global $client;
    $seen = [];
    $types = $types ? array_map(KnownEventType::from(...), $types) : null;
    foreach ($client->followEvents($after, $types, wait: 1) as $event) {
        $seen[] = $event;
        if (count($seen) === $count) {
            return $seen;
        }
    }
}

function run(array $command): mixed
{
    global $client;
    $do = $command['do'];
    unset($command['do']);
    return match ($do) {
        'call' => call($command['operation'], [
            ...$command['path'],
            ...$command['query'],
            ...array_intersect_key($command, ['body' => 0, 'idempotency_key' => 0]),
        ]),
        'list' => iterator_to_array(call("{$command['operation']}Items", $command['query'])),
        'follow' => follow(...$command),
        'upload' => $client->uploadProofFile(
            $command['tracking_number'],
            FileKind::from($command['kind']),
            ImageType::from($command['content_type']),
            base64_decode($command['file']),
        ),
        'download' => base64_encode($client->download($command['url'])),
        'verify' => verifyWebhook(...$command),
    };
}

function encoded(mixed $value): mixed
{
    return is_object($value) ? $value->toArray() : $value;
}

function typeOf(mixed $event): string
{
    return is_object($event) ? (new ReflectionClass($event))->getShortName() : 'raw';
}

while ($line = fgets(STDIN)) {
    $command = json_decode($line, true);
    $answer = (object) [];
    try {
        if ($command['do'] === 'connect') {
            $client = new Waybill($command['key'], $command['url'], retryDelay: 0.01);
        } else {
            $result = run($command);
            $isList = is_array($result) && array_is_list($result);
            $data = is_object($result) ? $result->data ?? null : null;
            $events = $isList ? $result : (is_array($data) ? $data : [$result]);
            $answer = ['result' => $isList ? array_map(encoded(...), $result) : encoded($result)];
            $answer['types'] = array_map(typeOf(...), $events);
        }
    } catch (ApiError $error) {
        ['code' => $code, 'errors' => $errors] = (array) $error->body + ['code' => null, 'errors' => null];
        $answer = ['error' => ['status' => $error->status, 'code' => $code, 'errors' => $errors]];
    } catch (RuntimeException $error) {
        $answer = ['error' => ['kind' => $error::class]];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
