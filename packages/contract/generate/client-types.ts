import openapiTypescript, { astToString, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';

const { factory } = ts;
type Transform = NonNullable<OpenAPITSOptions['transform']>;
type TransformProperty = NonNullable<OpenAPITSOptions['transformProperty']>;

/** A schema with `x-type` has that TypeScript type. */
const transform: Transform = (schema) =>
  'x-type' in schema ? factory.createTypeReferenceNode(String(schema['x-type'])) : undefined;

/** Optional fields of requests may be undefined, also with `exactOptionalPropertyTypes`. Only requests are closed. */
const transformProperty =
  (schemas: Record<string, { additionalProperties?: unknown }>): TransformProperty =>
  ({ modifiers, name, questionToken, type }, _, { path = '' }) => {
    const [schema = ''] = path.split('/').slice(-2);
    if (!type || !questionToken || schemas[schema]?.additionalProperties !== false) return undefined;
    const undefinable = factory.createUnionTypeNode([type, factory.createTypeReferenceNode('undefined')]);
    return factory.createPropertySignature(modifiers, name, questionToken, undefinable);
  };

/** The name in `components["schemas"]["Name"]`. */
function schemaName(node: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  const [section, name] = [node.objectType.indexType, node.indexType].map((index) =>
    ts.isLiteralTypeNode(index) && ts.isStringLiteral(index.literal) ? index.literal.text : '',
  );
  return section === 'schemas' ? name : undefined;
}

/** An exported type with the name, the type and the comment of a property. */
function declaration(property: ts.PropertySignature): ts.Statement {
  const name = textOf(property.name);
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const { type = factory.createTypeReferenceNode('unknown') } = property;
  const statement = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
  return ts.setSyntheticLeadingComments(statement, ts.getSyntheticLeadingComments(property));
}

const textOf = (name: ts.PropertyName | undefined): string => (name && ts.isIdentifier(name) ? name.text : '');
const isInterface = (node: ts.Node, name: string): node is ts.InterfaceDeclaration =>
  ts.isInterfaceDeclaration(node) && node.name.text === name;

function withComment<Node extends ts.Node>(node: Node, text: string): Node {
  const comment = `*\n${text.replace(/^/gm, ' *     ')}\n `;
  return ts.addSyntheticLeadingComment(node, ts.SyntaxKind.MultiLineCommentTrivia, comment, true);
}

/**
 * The types of a document by openapi-typescript, for users to read: editors show the name and the text of each schema, and
 * the text of each operation. (Its own `rootTypes` are aliases without a text, which editors expand, and only name the
 * schemas, not where they are used.)
 * @param document without texts of operations. `x-type` of a schema replaces its type.
 * @param operationTexts operation id → documentation
 */
export async function clientTypes(document: object, operationTexts: Record<string, string>): Promise<string> {
  const { schemas } = (document as { components: { schemas: Record<string, object> } }).components;
  const nodes = await openapiTypescript(JSON.stringify(document), {
    defaultNonNullable: false,
    transform,
    transformProperty: transformProperty(schemas),
  });
  const visit = (node: ts.Node): ts.Node => {
    const name = schemaName(node);
    return name === undefined ? ts.visitEachChild(node, visit, undefined) : factory.createTypeReferenceNode(name);
  };
  const statements = nodes.map(visit).flatMap((node): ts.Node[] => {
    if (isInterface(node, 'paths'))
      return [withComment(node, 'Path → method → operation, as openapi-fetch takes them.')];
    if (isInterface(node, 'operations')) {
      for (const member of node.members) withComment(member, operationTexts[textOf(member.name)] ?? '');
      return [withComment(node, 'Operation id → parameters, body and responses on success.')];
    }
    if (!isInterface(node, 'components')) return [];
    const section = node.members.find((member) => textOf(member.name) === 'schemas');
    const { members } = (section as ts.PropertySignature).type as ts.TypeLiteralNode;
    return members.map((member) => declaration(member as ts.PropertySignature));
  });
  // openapi-typescript makes a tag of a description, and code of its further lines, because it indents them.
  return astToString(statements)
    .replaceAll('@description ', '')
    .replaceAll(/^( +\*) {5}/gm, '$1 ')
    .replaceAll(/ +$/gm, '');
}
