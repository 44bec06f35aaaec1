/** A variable of the environment: a JSON schema with a description, an example and a check. */
export interface Variable {
  type: 'string' | 'integer' | 'boolean';
  description: string;
  example: string;
  default?: string | number | boolean;
  /** Returns what is wrong with a value that is set, as a clause such as `must be …`; undefined when it is valid. */
  errorOf?: (value: string) => string | undefined;
  [keyword: string]: unknown;
}

type Text = Pick<Variable, 'example' | 'errorOf'> & { default?: string; enum?: string[] };

/** A text. Without a default it is undefined until it is set. */
export const text = (description: string, keywords: Text): Variable => ({ type: 'string', description, ...keywords });

/** An integer. Its default serves as the example. */
export const integer = (
  description: string,
  keywords: { default: number; minimum: number; maximum: number },
): Variable => ({ type: 'integer', description, example: String(keywords.default), ...keywords });

/** An integer that is undefined until it is set. */
export const optionalInteger = (
  description: string,
  keywords: { example: string; minimum: number; maximum: number },
): Variable => ({ type: 'integer', description, ...keywords });

/** `true` or `false`. The example is the value that changes something. */
export const flag = (description: string, byDefault: boolean): Variable => ({
  type: 'boolean',
  description,
  example: String(!byDefault),
  default: byDefault,
});

/** Makes a check for values of a simple form. @param form completes the clause `must be …` */
export const matching =
  (pattern: RegExp, form: string) =>
  (value: string): string | undefined =>
    pattern.test(value) ? undefined : `must be ${form}`;

/** Splits the comma-separated list of a setting. */
export const splitList = (list: string): string[] => list.split(',').map((entry) => entry.trim());
