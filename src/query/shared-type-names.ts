/**
 * The GraphQL types that every schema has, whatever the tables are. No table's types may take their
 * names, so definitions of entities refuse them, too: that is why they stand in this layer.
 */
export const sharedTypeNames = [
  'Query',
  'Node',
  'CustomNode',
  'PageInfo',
  'GenericScalar',
  'DateTime',
  'Date',
  'Time',
  'BigInt',
  'String',
  'Int',
  'Float',
  'Boolean',
  'ID',
] as const
