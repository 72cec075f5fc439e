/** The schema as the Relay compiler needs it for `@refetchable` on the type of an entity. */
export function relaySchema(schema: string): string {
  return schema
    .replace('interface Node {\n  id: ID!\n', 'interface Node {\n')
    .replaceAll('implements CustomNode', 'implements CustomNode & Node')
}
