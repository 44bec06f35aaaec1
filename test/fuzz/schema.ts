import type fc from 'fast-check';

/** The keywords of the contract's request schemas. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  'x-after'?: string;
  'x-not-before'?: string;
  'x-max-ahead'?: string;
  'x-max-age'?: string;
  'x-max-before-previous'?: string;
}

/** What a value depends on besides its schema. */
export interface Known {
  /** Pointer into the schema's values (`/photos/items`) → its value; undefined leaves an optional field out. */
  values?: Record<string, fc.Arbitrary<unknown>>;
  /** The timestamp of the shipment's last event, in milliseconds since 1970. */
  previous?: number;
}

export type Fields = Record<string, unknown>;
