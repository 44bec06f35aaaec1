import type { components } from '@waybill/contract/types';
import { numberFormat } from './numbers.ts';
import { textOf } from './text-of.ts';
import { carrierText, isolated } from './user-text.tsx';

/** A value whose texts may be newer than the contract of this version. */
type Open<Value> = Value extends string
  ? string
  : Value extends object
    ? { [Name in keyof Value]: Open<Value[Name]> }
    : Value;
type Shipment = Open<Required<components['schemas']['Shipment']>>;
export type Item = Shipment['items'][number];

/** The fields that pages show elsewhere, or not at all. */
type OtherField =
  | ('id' | 'status' | 'tracking_number' | 'cancellation_reason' | 'created_at' | 'updated_at' | 'type')
  | ('origin' | 'destination' | 'pickup_window' | 'delivery_window' | 'notes' | 'items' | 'reference' | 'references')
  | ('signature_required' | 'handover_code_required');

/** The fields that the tracking page and the board show as a line with a name. */
export type FactName = Exclude<keyof Shipment, OtherField>;

/** What references are called, by their type; `own` is that of the shipper. */
export type ReferenceNames = Record<'own' | components['schemas']['KnownReferenceType'], string>;

/** What a shipment is, and what it is loaded on. */
export interface CargoTexts {
  hazmat: string;
  emergency: string;
  equipment: Record<components['schemas']['EquipmentType'], string>;
  trailer: (number: string) => string;
  seal: (number: string) => string;
}

export interface Formats {
  names: Record<FactName, string>;
  references: ReferenceNames;
  pieces: (count: number, formatted: string) => string;
  cargo: CargoTexts;
  locale: string;
}

/** Field → its text, in the order of the lines. What people have written is isolated. */
const texts: { [Name in FactName]: (value: Shipment[Name], formats: Formats) => string } = {
  totals: (totals, formats) => freightText(totals, formats),
  temperature: ({ min, max, unit }, { locale }) => {
    const [from, to] = [min, max].map((bound) => bound !== undefined && measured(bound, unit, locale));
    return from && to ? `${from} – ${to}` : from ? `≥ ${from}` : `≤ ${to}`;
  },
  declared_value: ({ amount, currency }, { locale }) =>
    numberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 }).format(Number(amount)),
  carrier: carrierText,
  service_level: isolated,
  equipment: ({ type, trailer_number: trailer, seal_number: seal }, { cargo }) =>
    listed(
      type && (textOf(cargo.equipment, type) ?? type.replaceAll('_', ' ')),
      trailer && cargo.trailer(isolated(trailer)),
      seal && cargo.seal(isolated(seal)),
    ),
  driver: ({ name, phone }) => listed(name && isolated(name), phone && isolated(phone)),
};

/** The lines of a shipment: names and texts. */
export const shipmentFacts = (
  shipment: { [Name in FactName]?: Shipment[Name] | undefined } & References,
  formats: Formats,
): [name: string, text: string][] => [
  ...(Object.keys(texts) as FactName[]).flatMap((field): [string, string][] => {
    const value = shipment[field];
    const text = value === undefined ? '' : texts[field](value as never, formats);
    return text === '' ? [] : [[formats.names[field], text]];
  }),
  ...referenceFacts(shipment, formats.references),
];

interface References {
  reference?: string | undefined;
  references?: { type: string; value: string }[] | undefined;
}

/** The references of a shipment, first that of the shipper: names and texts. */
export const referenceFacts = (
  { reference, references = [] }: References,
  names: ReferenceNames,
): [name: string, text: string][] => [
  ...(reference === undefined ? [] : [[names.own, isolated(reference)] as [string, string]]),
  ...references.map(({ type, value }): [string, string] => [textOf(names, type) ?? names.other, isolated(value)]),
];

const joined = (separator: string, ...parts: (string | undefined)[]): string => parts.filter(Boolean).join(separator);

/** The parts that there are. */
const listed = (...parts: (string | undefined)[]): string => joined(' · ', ...parts);

/** The names that `Intl` has for the units of the contract. */
const units: Record<string, string> = {
  ...{ kg: 'kilogram', lb: 'pound', cm: 'centimeter', in: 'inch', C: 'celsius', F: 'fahrenheit' },
};

/** A number in the unit in which it was stated; one that is newer than this list is shown as it is. */
function measured(value: number, unit: string, locale: string): string {
  const known = textOf(units, unit);
  return known
    ? numberFormat(locale, { style: 'unit', unit: known }).format(value)
    : `${numberFormat(locale).format(value)} ${unit}`;
}

/**
 * Where a shipment was last seen: as the carrier has described it, near a city, or its coordinates.
 * @param city the name of the city that it is near, if any
 */
export function locationText(
  { address, lat, lng }: { address?: string | null; lat: number; lng: number },
  city: string | undefined,
  { near, locale }: { near: (place: string) => string; locale: string },
): string {
  if (address) return isolated(address);
  if (city !== undefined) return near(city);
  const degrees = numberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${degrees.format(lat)}, ${degrees.format(lng)}`;
}

/** Such as "9 of 10 pieces". */
export function countedText(
  { pieces_delivered, pieces_expected }: components['schemas']['DeliveredItem'],
  { counted, locale }: { counted: (pieces: string, expected: string) => string; locale: string },
): string {
  const number = numberFormat(locale);
  return counted(number.format(pieces_delivered), number.format(pieces_expected));
}

/** Such as "214 kB". A file of less is 1 kB. */
export function fileSizeText(bytes: number, locale: string): string {
  const [unit, size] = bytes < 1_000_000 ? ['kilobyte', 1000] : ['megabyte', 1_000_000];
  const number = numberFormat(locale, { style: 'unit', unit, maximumFractionDigits: size === 1000 ? 0 : 1 });
  return number.format(Math.max(1, bytes / size));
}

/** Such as "3 pieces · 20 kg". */
export function freightText(
  { pieces, weight }: Pick<Shipment['totals'], 'pieces' | 'weight'>,
  formats: Pick<Formats, 'pieces' | 'locale'>,
): string {
  const number = numberFormat(formats.locale);
  return listed(formats.pieces(pieces, number.format(pieces)), measured(weight.value, weight.unit, formats.locale));
}

/** Such as "48 × 40 × 53.5 in"; undefined unless all three sizes are known. */
export function sizeText(
  { length, width, height, dimension_unit: unit }: Item,
  { locale }: Pick<Formats, 'locale'>,
): string | undefined {
  if (length === undefined || width === undefined || height === undefined || unit === undefined) return undefined;
  const number = numberFormat(locale);
  return [number.format(length), number.format(width), measured(height, unit, locale)].join(' × ');
}
