/**
 * The GraphQL types in every schema, whatever the tables are. A table's type must not have these names, so entity
 * definitions refuse them, too: that is why they are in this layer.
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
