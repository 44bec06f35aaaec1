import type { OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';

/**
 * Types an `x-open-enum` as its known values or any other string: a client must accept values that it does not know,
 * and its editor should still offer the known ones, which `string` alone would swallow.
 */
export const openEnums: NonNullable<OpenAPITSOptions['transform']> = (schema) => {
  if (!('x-open-enum' in schema) || !('enum' in schema) || !Array.isArray(schema.enum)) return undefined;
  const { factory } = ts;
  const known = schema.enum.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(String(value))));
  const anyOther = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ]);
  return factory.createUnionTypeNode([...known, anyOther]);
};
