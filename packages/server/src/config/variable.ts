import { Ajv, type ErrorObject, type FuncKeywordDefinition } from 'ajv';

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

type Variables = Record<string, Variable>;

/** An invalid setting. */
export interface SettingError {
  name: string;
  /** A clause such as `is not a folder`. */
  error: string;
  /** A description of the setting and an example. */
  expected: string;
}

/** The settings are invalid. The message lists each invalid setting: what is wrong, its description and an example. */
export class ConfigError extends Error {
  readonly errors: SettingError[];

  constructor(errors: SettingError[]) {
    const lines = errors.map(({ name, error, expected }) => `  ${name} ${error}: ${expected}`);
    super(`The settings are not valid:\n${[...new Set(lines)].join('\n')}`);
    this.errors = errors;
  }
}

/** Describes the error of one setting. @param error a clause such as `is not a folder` */
export function describeError(variables: Variables, name: string, error: string): SettingError {
  const variable = variables[name];
  return { name, error, expected: `${variable?.description}. For example: ${name}=${variable?.example}` };
}

/**
 * Reads variables from an environment. An empty variable counts as unset: `PORT= waybill serve` uses the default.
 * @param required variables that must be set, also those with a default
 * @throws {ConfigError} naming every invalid variable
 */
export function readVariables(
  variables: Variables,
  env: Record<string, string | undefined>,
  required: string[],
): Record<string, unknown> {
  // OpenTelemetry reads booleans and names without regard to case: `OTEL_SDK_DISABLED=TRUE`. So do the others.
  const isWord = (name: string): boolean => variables[name]?.type === 'boolean' || variables[name]?.enum !== undefined;
  const data = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === '' ? [] : [[name, isWord(name) ? value?.trim().toLowerCase() : value]],
    ),
  );
  const schema = {
    type: 'object',
    required,
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(variables).map(([name, { description: _, example: __, default: byDefault, ...rest }]) => [
        name,
        byDefault === undefined || required.includes(name) ? rest : { ...rest, default: byDefault },
      ]),
    ),
  };
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    removeAdditional: true,
    useDefaults: true,
    // The schema is constant. Compiling the schema of schemas would delay every command.
    meta: false,
    validateSchema: false,
    code: { optimize: false }, // it runs once
  });
  ajv.addKeyword({ keyword: 'errorOf', validate: checkValue });
  if (ajv.validate(schema, data)) return data;
  throw configErrorFrom(ajv.errors ?? [], variables);
}

/** Ajv reads the errors from a property of this function. */
const checkValue: FuncKeywordDefinition['validate'] & { errors?: Partial<ErrorObject>[] } = (
  errorOf: (value: string) => string | undefined,
  value: string,
) => {
  const message = value === '' ? undefined : errorOf(value);
  checkValue.errors = message ? [{ message, params: {} }] : [];
  return !message;
};

function configErrorFrom(errors: ErrorObject[], variables: Variables): ConfigError {
  const described = errors.map(({ instancePath, params, message = 'is not valid' }) => {
    if (params.missingProperty) return describeError(variables, params.missingProperty, 'is not set');
    const { allowedValues } = params as { allowedValues?: string[] };
    const clause = allowedValues ? `must be one of ${allowedValues.join(', ')}` : message;
    return describeError(variables, instancePath.slice(1), clause);
  });
  return new ConfigError(described);
}
