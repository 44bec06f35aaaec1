import type { components } from '../generated/types.ts';

/** Schema keyword, extension or rule of `x-time` → the code of a field that violates it. Handlers use the other codes. */
export const fieldErrorCodes: Record<string, components['schemas']['FieldErrorCode']> = {
  required: 'required',
  'x-required-in': 'required',
  additionalProperties: 'unknown_field',
  type: 'wrong_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  format: 'invalid_format',
  pattern: 'invalid_format',
  anyOf: 'invalid_format',
  maxLength: 'too_long',
  maxItems: 'too_long',
  minLength: 'too_short',
  minItems: 'too_short',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  uniqueItems: 'duplicate',
  after: 'out_of_order',
  not_before: 'out_of_order',
  max_ahead: 'too_far_ahead',
};
