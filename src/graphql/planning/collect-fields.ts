import {
  type DirectiveNode,
  type FieldNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type SourceLocation,
} from 'graphql'
import { argumentOfNode } from './document-argument.ts'
import type { PlanContext } from './plan-context.ts'

/** A selected field: directly, or inside a fragment on `on`. */
export interface SelectedField {
  readonly node: FieldNode
  /** The type that the selection is on: an object type or an interface. */
  readonly on: string
}

/**
 * The fields selected on a type, by response key, with fragments expanded and `@skip`/`@include` applied:
 * https://spec.graphql.org/October2021/#CollectFields(). `implemented` are the abstract types through which the type
 * may be selected.
 */
export function collectFields(
  selectionSets: readonly (SelectionSetNode | undefined)[],
  typeName: string,
  implemented: readonly string[],
  context: PlanContext,
  on = typeName,
): ReadonlyMap<string, readonly SelectedField[]> {
  const collected = new Map<string, SelectedField[]>()
  const visited = new Set<string>()

  const visit = (selections: readonly SelectionNode[], type: string): void => {
    for (const selection of selections) {
      if (!isIncluded(selection.directives, context)) continue
      switch (selection.kind) {
        case Kind.FIELD: {
          const key = selection.alias?.value ?? selection.name.value
          const fields = collected.get(key)
          if (fields === undefined) collected.set(key, [{ node: selection, on: type }])
          else fields.push({ node: selection, on: type })
          break
        }
        case Kind.INLINE_FRAGMENT: {
          const condition = selection.typeCondition?.name.value ?? type
          if (applies(condition)) visit(selection.selectionSet.selections, condition)
          break
        }
        case Kind.FRAGMENT_SPREAD: {
          const fragment = context.fragments.get(selection.name.value)
          if (fragment === undefined || visited.has(selection.name.value)) break
          visited.add(selection.name.value)
          const condition = fragment.typeCondition.name.value
          if (applies(condition)) visit(fragment.selectionSet.selections, condition)
          break
        }
      }
    }
  }
  const applies = (condition: string) => condition === typeName || implemented.includes(condition)

  for (const selectionSet of selectionSets) if (selectionSet) visit(selectionSet.selections, on)
  return collected
}

/** Where a field stands in its document. */
function locationOf({ loc }: FieldNode): readonly SourceLocation[] {
  return loc === undefined ? [] : [{ line: loc.startToken.line, column: loc.startToken.column }]
}

/** The sub-selections of all fields under one response key. */
export function selectionSetsOf(fields: readonly SelectedField[]): readonly (SelectionSetNode | undefined)[] {
  return fields.map(({ node }) => node.selectionSet)
}

function isIncluded(directives: readonly DirectiveNode[] | undefined, context: PlanContext): boolean {
  return (directives ?? []).every((directive) => {
    const name = directive.name.value
    if (name !== 'skip' && name !== 'include') return true
    const condition = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
    const value = condition !== undefined && argumentOfNode(condition, 'if', context).ask('value') === true
    return name === 'include' ? value : !value
  })
}

/** Those of all fields under one response key. */
export function locationsOf(fields: readonly SelectedField[]): readonly SourceLocation[] {
  return fields.flatMap(({ node }) => locationOf(node))
}
