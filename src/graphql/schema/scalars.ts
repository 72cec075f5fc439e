import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLNamedType,
  GraphQLScalarType,
  GraphQLString,
  isSpecifiedScalarType,
  Kind,
  valueFromASTUntyped,
} from 'graphql'

/** Any JSON value; as an argument it takes what its field or filter takes. */
export const genericScalar = new GraphQLScalarType({
  name: 'GenericScalar',
  description: 'Any value: a text, a number, true or false, null, a list or an object.',
})

const scalars = [
  genericScalar,
  GraphQLString,
  GraphQLInt,
  GraphQLFloat,
  GraphQLBoolean,
  new GraphQLScalarType({
    name: 'DateTime',
    description:
      'A date and time as ISO 8601 text without an offset, for example "2026-01-31T09:30:00.25". In UTC.',
  }),
  new GraphQLScalarType({ name: 'Date', description: 'A day as ISO 8601 text, for example "2026-01-31".' }),
  new GraphQLScalarType({
    name: 'Time',
    description: 'A time of day as ISO 8601 text without an offset, for example "09:30:00.25".',
  }),
  new GraphQLScalarType({
    name: 'BigInt',
    parseValue: (value) => value,
    // Without loss of digits.
    parseLiteral: (node) => (node.kind === Kind.INT ? textOfLarge(node.value) : valueFromASTUntyped(node)),
    description:
      'A whole number of up to 64 bits: a number where JSON readers keep it exactly, otherwise a text.',
  }),
] as const

function textOfLarge(digits: string): number | string {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : digits
}

/** The scalar of that name. */
export const scalarsByName: ReadonlyMap<string, GraphQLScalarType> = new Map(
  scalars.map((scalar) => [scalar.name, scalar]),
)

/** The same without descriptions, but for those of GraphQL itself. */
export const bareScalarsByName: ReadonlyMap<string, GraphQLScalarType> = new Map(
  scalars.map((scalar) => [scalar.name, isSpecifiedScalarType(scalar) ? scalar : bare(scalar)]),
)

function bare(scalar: GraphQLScalarType): GraphQLScalarType {
  return new GraphQLScalarType({ ...scalar.toConfig(), description: null })
}

/** Whether a type is `GenericScalar`, with or without its description. */
export function isGeneric({ name }: GraphQLNamedType): boolean {
  return name === genericScalar.name
}
