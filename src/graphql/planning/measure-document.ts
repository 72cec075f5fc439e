/**
 * Measures a document before anything else is done with it. Every fragment is measured once, however often it is
 * spread, so that a short document that expands to a huge one is measured as fast as any.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { documentLimits, introspectionDepth, limitError, type OperationLimits } from './operation-limits.ts'

interface Measure {
  readonly depth: number
  readonly fields: number
  readonly aliases: number
  readonly directives: number
}

const nothing: Measure = { depth: 0, fields: 0, aliases: 0, directives: 0 }

/** The limit that a text exceeds before it is parsed; undefined if it exceeds none. */
export function exceededTextLimit(text: string, { tokens }: OperationLimits): GraphQLError | undefined {
  const most = tokens * documentLimits.charactersPerToken
  if (text.length > most) return limitError('characters', most, text.length)
  // The location of every mistake is found by counting lines.
  const lines = text.length < tokens ? 1 : linesOf(text)
  return lines > tokens ? limitError('lines', tokens, lines) : undefined
}

function linesOf(text: string): number {
  let lines = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || code === 0x0d) lines += 1
  }
  return lines
}

/** The limits that the definitions of a document exceed. */
function exceededByDefinitions({ definitions }: DocumentNode): readonly GraphQLError[] {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const counts = {
    operations: operations.length,
    fragments: definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length,
    variables: Math.max(0, ...operations.map((operation) => operation.variableDefinitions?.length ?? 0)),
  }
  return (['operations', 'fragments', 'variables'] as const)
    .filter((limit) => counts[limit] > documentLimits[limit])
    .map((limit) => limitError(limit, documentLimits[limit], counts[limit]))
}

/** The limits that a document or one of its operations exceeds. */
export function exceededLimits(document: DocumentNode, limits: OperationLimits): readonly GraphQLError[] {
  const exceeded = exceededByDefinitions(document)
  if (exceeded.length > 0) return exceeded
  const measurer = new Measurer(document)
  const errors: GraphQLError[] = []
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { data, introspection } = measurer.measureRoots(definition.selectionSet)
    if (introspection.depth > introspectionDepth) {
      errors.push(limitError('depth', introspectionDepth, introspection.depth))
    }
    if (data.depth > limits.depth) errors.push(limitError('depth', limits.depth, data.depth))
    const all = together(data, introspection)
    for (const limit of ['fields', 'aliases', 'directives'] as const) {
      if (all[limit] > limits[limit]) errors.push(limitError(limit, limits[limit], all[limit]))
    }
  }
  return errors
}

/** How many fields an operation selects, each as often as it is selected, with fragments expanded. */
export function fieldsOf(document: DocumentNode, { selectionSet }: OperationDefinitionNode): number {
  const { data, introspection } = new Measurer(document).measureRoots(selectionSet)
  return data.fields + introspection.fields
}

class Measurer {
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #measured = new Map<string, Measure>()

  constructor(document: DocumentNode) {
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
    }
  }

  /** Measures selections of data and introspection separately. Fragments at the root count as data. */
  measureRoots({ selections }: SelectionSetNode): {
    readonly data: Measure
    readonly introspection: Measure
  } {
    let data = nothing
    let introspection = nothing
    for (const selection of selections) {
      const measure = this.#selection(selection)
      if (selection.kind === Kind.FIELD && selection.name.value.startsWith('__')) {
        introspection = together(introspection, measure)
      } else {
        data = together(data, measure)
      }
    }
    return { data, introspection }
  }

  #selectionSet(selectionSet: SelectionSetNode | undefined): Measure {
    let sum = nothing
    for (const selection of selectionSet?.selections ?? []) sum = together(sum, this.#selection(selection))
    return sum
  }

  #selection(selection: SelectionNode): Measure {
    const directives = selection.directives?.length ?? 0
    switch (selection.kind) {
      case Kind.FIELD:
        return this.#field(selection, directives)
      case Kind.INLINE_FRAGMENT:
        return atLeast(directives, this.#selectionSet(selection.selectionSet))
      case Kind.FRAGMENT_SPREAD:
        return atLeast(directives, this.#fragment(selection.name.value))
    }
  }

  #field(field: FieldNode, directives: number): Measure {
    const below = this.#selectionSet(field.selectionSet)
    return atLeast(directives, {
      depth: below.depth + 1,
      fields: below.fields + 1,
      aliases: below.aliases + (field.alias === undefined ? 0 : 1),
      directives: below.directives,
    })
  }

  #fragment(name: string): Measure {
    const known = this.#measured.get(name)
    if (known !== undefined) return known
    // Counts as nothing inside itself: validation refuses fragments that form a cycle.
    this.#measured.set(name, nothing)
    const measure = this.#selectionSet(this.#fragments.get(name)?.selectionSet)
    this.#measured.set(name, measure)
    return measure
  }
}

function together(one: Measure, other: Measure): Measure {
  return {
    depth: Math.max(one.depth, other.depth),
    fields: one.fields + other.fields,
    aliases: one.aliases + other.aliases,
    directives: Math.max(one.directives, other.directives),
  }
}

function atLeast(directives: number, measure: Measure): Measure {
  return directives > measure.directives ? { ...measure, directives } : measure
}
