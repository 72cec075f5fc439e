/**
 * Checks that fields with the same response name can be merged
 * (https://spec.graphql.org/October2021/#sec-Field-Selection-Merging), in time that grows linearly with the document
 * instead of with the square of its fields: each field is compared with one representative. For documents that are
 * otherwise valid.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
} from 'graphql'

/** A field where it was selected. */
interface Occurrence {
  readonly node: FieldNode
  /** Name of the type that it is selected on. */
  readonly on: string
  /** Undefined for `__typename`, which graphql-js allows beside any type. */
  readonly type: GraphQLOutputType | undefined
}

/** Selections and the name of the type that they are on. */
interface Scope {
  readonly selectionSet: SelectionSetNode
  readonly on: string
}

interface Conflict {
  readonly reason: string
  readonly nodes: readonly FieldNode[]
}

/** The first conflict of an operation; undefined if its fields can be merged. */
export function findMergeConflict(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): GraphQLError | undefined {
  const root = schema.getRootType(operation.operation)
  if (!root) return undefined
  const check = new MergeCheck(schema, fragments)
  const scopes = [{ selectionSet: operation.selectionSet, on: root.name }]
  for (const find of [check.findDifferentShape, check.findDifferentField]) {
    const conflict = find(scopes)
    if (conflict === undefined) continue
    const message = `${conflict.reason.replace(/^subfields/, 'Fields')}. Use different aliases on the fields to fetch both if this was intentional.`
    return new GraphQLError(message, { nodes: conflict.nodes })
  }
  return undefined
}

class MergeCheck {
  readonly #schema: GraphQLSchema
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #written = new Map<FieldNode, string>()

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema
    this.#fragments = fragments
  }

  /** Fields with the same response name must have the same shape, even if only one of them can occur. */
  readonly findDifferentShape = (scopes: readonly Scope[]): Conflict | undefined => {
    for (const [name, fields] of this.#byName(scopes)) {
      const [first, ...others] = fields.filter(({ type }) => type !== undefined)
      const other = others.find(({ type }) => !haveSameShape(first?.type, type))
      if (first !== undefined && other !== undefined) {
        const types = `they return conflicting types "${first.type}" and "${other.type}"`
        return conflictOf(name, types, [first, other])
      }
      const below = this.findDifferentShape(this.#below(fields))
      if (below !== undefined) return conflictBelow(name, fields, below)
    }
    return undefined
  }

  /** Fields with the same response name that may occur in one object must be the same field with the same arguments. */
  readonly findDifferentField = (scopes: readonly Scope[]): Conflict | undefined => {
    for (const [name, fields] of this.#byName(scopes)) {
      const isOfObject = ({ on }: Occurrence) => isObjectType(this.#schema.getType(on))
      const anywhere = fields.filter((field) => !isOfObject(field))
      const byObject = [...Map.groupBy(fields.filter(isOfObject), ({ on }) => on).values()]
      const conflict =
        this.#difference(name, anywhere) ??
        // The fields of an object are compared with one representative of those that apply to any object.
        firstOf(byObject, (own) => this.#difference(name, [...anywhere.slice(0, 1), ...own])) ??
        firstOf(byObject.length === 0 ? [anywhere] : byObject, (own) => {
          const together = own === anywhere ? anywhere : [...anywhere, ...own]
          const below = this.findDifferentField(this.#below(together))
          return below && conflictBelow(name, together, below)
        })
      if (conflict !== undefined) return conflict
    }
    return undefined
  }

  #difference(name: string, [first, ...others]: readonly Occurrence[]): Conflict | undefined {
    if (first === undefined) return undefined
    for (const other of others) {
      const [one, another] = [first.node.name.value, other.node.name.value]
      if (one !== another) {
        return conflictOf(name, `"${one}" and "${another}" are different fields`, [first, other])
      }
      if (this.#argumentsOf(first.node) !== this.#argumentsOf(other.node)) {
        return conflictOf(name, 'they have differing arguments', [first, other])
      }
    }
    return undefined
  }

  #argumentsOf(node: FieldNode): string {
    const known = this.#written.get(node)
    if (known !== undefined) return known
    const written = (node.arguments ?? [])
      .map((argument) => print(argument))
      .sort()
      .join()
    this.#written.set(node, written)
    return written
  }

  /** The selections of these fields. */
  #below(fields: readonly Occurrence[]): readonly Scope[] {
    return fields.flatMap(({ node: { selectionSet }, type }) => {
      const on = namedTypeOf(type)
      return selectionSet === undefined || on === undefined ? [] : [{ selectionSet, on }]
    })
  }

  /** All fields by response name, with fragments expanded. */
  #byName(scopes: readonly Scope[]): ReadonlyMap<string, readonly Occurrence[]> {
    const fields = new Map<string, Occurrence[]>()
    const visited = new Set<string>()
    const visit = ({ selectionSet, on }: Scope): void => {
      for (const selection of selectionSet.selections) {
        switch (selection.kind) {
          case Kind.FIELD: {
            const name = selection.alias?.value ?? selection.name.value
            const occurrence = { node: selection, on, type: this.#typeOf(on, selection.name.value) }
            const known = fields.get(name)
            if (known === undefined) fields.set(name, [occurrence])
            else known.push(occurrence)
            break
          }
          case Kind.INLINE_FRAGMENT:
            visit({ selectionSet: selection.selectionSet, on: selection.typeCondition?.name.value ?? on })
            break
          case Kind.FRAGMENT_SPREAD: {
            const fragment = this.#fragments.get(selection.name.value)
            if (fragment === undefined || visited.has(selection.name.value)) break
            visited.add(selection.name.value)
            visit({ selectionSet: fragment.selectionSet, on: fragment.typeCondition.name.value })
          }
        }
      }
    }
    for (const scope of scopes) visit(scope)
    return fields
  }

  #typeOf(on: string, field: string): GraphQLOutputType | undefined {
    const type = this.#schema.getType(on)
    return isObjectType(type) || isInterfaceType(type) ? type.getFields()[field]?.type : undefined
  }
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether values of both types have the same shape in the response; the fields of objects are compared separately. */
function haveSameShape(one: GraphQLOutputType | undefined, other: GraphQLOutputType | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return true
  if (isNonNullType(one) || isNonNullType(other)) {
    return isNonNullType(one) && isNonNullType(other) && haveSameShape(one.ofType, other.ofType)
  }
  if (isListType(one) || isListType(other)) {
    return isListType(one) && isListType(other) && haveSameShape(one.ofType, other.ofType)
  }
  return isCompositeType(one) && isCompositeType(other)
}

function namedTypeOf(type: GraphQLOutputType | undefined): string | undefined {
  if (type === undefined) return undefined
  return isNonNullType(type) || isListType(type) ? namedTypeOf(type.ofType) : type.name
}

function conflictOf(name: string, reason: string, fields: readonly Occurrence[]): Conflict {
  return {
    reason: `subfields "${name}" conflict because ${reason}`,
    nodes: fields.slice(0, 2).map(({ node }) => node),
  }
}

/**
 * A conflict below a single field belongs to that field's own selection; below several fields it is a conflict between
 * them.
 */
function conflictBelow(name: string, fields: readonly Occurrence[], below: Conflict): Conflict {
  if (fields.length < 2) return below
  const own = conflictOf(name, below.reason, fields)
  return { ...own, nodes: [...own.nodes, ...below.nodes] }
}
