<?php

// Runs the commands of test/conformance/runner.ts with the PHP client: one JSON line in, one out.

declare(strict_types=1);

require "{$argv[1]}/src/Waybill.php";

use Waybill\{ApiError, KnownEventType, KnownFileKind, KnownFileType, KnownShipmentStatus, Waybill};
use function Waybill\verifyWebhook;

set_error_handler(static fn (int $level, string $message) => throw new ErrorException($message, severity: $level));

/** The types of items, which PHP cannot declare. */
const ITEMS = ['types' => KnownEventType::class, 'status' => KnownShipmentStatus::class];

function typed(string $name, string $types, mixed $value): mixed
{
    $type = explode('|', ltrim($types, '?'))[0];
    if ($type === 'array') {
        return array_map(ITEMS[$name]::from(...), $value);
    }
    // A field that null removes is only in an array.
    return class_exists($type) && !in_array(null, $value, true) ? $type::fromArray($value) : $value;
}

function call(Waybill $client, string $method, array $values): mixed
{
    $arguments = [];
    foreach ((new ReflectionMethod($client, $method))->getParameters() as $parameter) {
        $name = strtolower(preg_replace('/(?=[A-Z])/', '_', rtrim($parameter->name, '_')));
        if (array_key_exists($name, $values)) {
            $arguments[$parameter->name] = typed($name, (string) $parameter->getType(), $values[$name]);
            unset($values[$name]);
        }
    }
    return $values ? throw new LogicException("{$method}: " . json_encode($values)) : $client->$method(...$arguments);
}

function first(int $count, iterable $items): array
{
    $seen = [];
    foreach ($items as $item) {
        $seen[] = $item;
        if (count($seen) === $count) {
            return $seen;
        }
    }
}

function follow(Waybill $client, int $count, ?string $after = null, ?array $types = null): array
{
    return first($count, $client->followEvents($after, $types ? typed('types', 'array', $types) : null, wait: 1));
}

function stream(Waybill $client, int $count, ?string $after = null): array
{
    return array_map(static fn (object $message): mixed => $message->data, first($count, $client->streamEvents($after)));
}

function upload(Waybill $client, string $tracking_number, string $kind, string $content_type, string $file): string
{
    $types = [KnownFileKind::from($kind), KnownFileType::from($content_type)];
    return $client->uploadProofFile($tracking_number, ...$types, file: base64_decode($file));
}

function run(Waybill $client, string $do, array $command): mixed
{
    return match ($do) {
        'call' => call($client, $command['operation'], [
            ...$command['path'],
            ...$command['query'],
            ...array_intersect_key($command, ['body' => 0, 'idempotency_key' => 0]),
        ]),
        'list' => iterator_to_array(call($client, "{$command['operation']}Items", $command['query'])),
        'follow' => follow($client, ...$command),
        'stream' => stream($client, ...$command),
        'upload' => upload($client, ...$command),
        'download' => base64_encode($client->download($command['url'])),
        'verify' => verifyWebhook(...$command),
    };
}

function answer(mixed $result): array
{
    $isList = is_array($result) && array_is_list($result);
    $data = is_object($result) ? $result->data ?? null : null;
    $events = $isList ? $result : (is_array($data) ? $data : [$result]);
    $encoded = static fn (mixed $value): mixed => is_object($value) ? $value->toArray() : $value;
    $typeOf = static fn (mixed $event): string => is_object($event) ? substr($event::class, strlen('Waybill\\')) : 'raw';
    $types = array_map($typeOf, $events);
    return ['result' => $isList ? array_map($encoded, $result) : $encoded($result), 'types' => $types];
}

while ($line = fgets(STDIN)) {
    $command = json_decode($line, true);
    $do = array_shift($command);
    try {
        if ($do === 'connect') {
            $limits = ['timeout' => $command['timeout'] ?? 30, 'idleTimeout' => $command['idle'] ?? 45];
            $client = new Waybill($command['key'], $command['url'], ...$limits, retryDelay: 0.01);
        }
        $answer = $do === 'connect' ? (object) [] : answer(run($client, $do, $command));
    } catch (ApiError $error) {
        ['code' => $code, 'errors' => $errors] = (array) $error->body + ['code' => null, 'errors' => null];
        $answer = ['error' => ['status' => $error->status, 'code' => $code, 'errors' => $errors]];
    } catch (RuntimeException | InvalidArgumentException $error) {
        $answer = ['error' => ['message' => $error->getMessage()]];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
