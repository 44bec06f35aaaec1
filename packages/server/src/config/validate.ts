import { Ajv, type ErrorObject, type FuncKeywordDefinition } from 'ajv';
import type { Variable } from './variable.ts';

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
  const data = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
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
