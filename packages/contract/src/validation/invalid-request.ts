import type { components } from '../../generated/types.ts';

type ProblemCode = components['schemas']['ProblemCode'];
type FieldError = components['schemas']['FieldError'];

/** The contract does not allow the request. The message is the detail of the problem. */
export class InvalidRequest extends Error {
  readonly code: ProblemCode;
  /** Undefined when no single field is invalid. */
  readonly errors: FieldError[] | undefined;

  constructor(code: ProblemCode, detail: string, errors?: FieldError[]) {
    super(detail);
    this.code = code;
    this.errors = errors;
  }
}

export const invalidFields = (errors: FieldError[]): InvalidRequest =>
  new InvalidRequest('invalid_request', summaryOf(errors), errors);

/** The detail of a problem with these invalid fields. A field can have several errors. */
export function summaryOf(errors: FieldError[]): string {
  const fields = new Set(errors.map((error) => error.in + (error.pointer && ` ${error.pointer}`)));
  if (fields.size !== 1) return `${fields.size} fields are invalid.`;
  return `${[...fields]} ${errors.map(({ detail }) => detail).join(' and ')}.`.slice(0, 1000);
}

/** A text of a request in a detail: at most 100 characters, without those that a terminal or a log would interpret. */
export const quoted = (text: string): string => `\`${text.slice(0, 100).replaceAll(/[^ -_a-~]/g, '?')}\``;
