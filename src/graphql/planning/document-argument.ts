/** The arguments of a field in a document, as the planner reads them. */
import { type FieldNode, Kind, type ValueNode } from 'graphql'
import { type Argument, type AspectName, literalArgument } from '../../query/argument.ts'
import { askVariable, type PlanContext } from './plan-context.ts'

/** The argument with that name; absent if the field does not have it. */
export function argumentOf(field: FieldNode, name: string, context: PlanContext): Argument {
  const value = field.arguments?.find((argument) => argument.name.value === name)?.value
  return value === undefined ? literalArgument(undefined, name) : argumentOfNode(value, name, context)
}

/** The value of a node in a document. */
export function argumentOfNode(node: ValueNode, label: string, context: PlanContext): Argument {
  if (node.kind === Kind.VARIABLE) return variableArgument([node.name.value], label, context)
  if (!holdsVariable(node)) return literalArgument(literalValue(node), label)
  if (node.kind === Kind.LIST) {
    return listArgument(
      node.values.map((item, index) => argumentOfNode(item, `${label}[${index}]`, context)),
      label,
    )
  }
  if (node.kind === Kind.OBJECT) {
    const members = node.fields.map(
      ({ name, value }) => [name.value, argumentOfNode(value, `${label}.${name.value}`, context)] as const,
    )
    return objectArgument(new Map(members), label)
  }
  return literalArgument(undefined, label)
}

/** Whether a value has a variable in it. */
export function holdsVariable(node: ValueNode): boolean {
  switch (node.kind) {
    case Kind.VARIABLE:
      return true
    case Kind.LIST:
      return node.values.some(holdsVariable)
    case Kind.OBJECT:
      return node.fields.some(({ value }) => holdsVariable(value))
    default:
      return false
  }
}

/** The JSON value of a node without variables; integers that a number cannot hold exactly become bigint. */
function literalValue(node: ValueNode): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null
    case Kind.INT:
      return Number.isSafeInteger(Number(node.value)) ? Number(node.value) : BigInt(node.value)
    case Kind.FLOAT:
      return Number(node.value)
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value
    case Kind.LIST:
      return node.values.map(literalValue)
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, literalValue(value)]))
    case Kind.VARIABLE:
      return undefined
  }
}

function variableArgument(path: readonly (string | number)[], label: string, context: PlanContext): Argument {
  return {
    label,
    source: { kind: 'variable', path, label },
    ask: (aspect) => askVariable(context, path, aspect),
    item: (index) => variableArgument([...path, index], `${label}[${index}]`, context),
    member: (key) => variableArgument([...path, key], `${label}.${key}`, context),
  }
}

/** A list written in the document with variables among its items. */
function listArgument(items: readonly Argument[], label: string): Argument {
  const kinds = () => items.map((item) => item.ask('kind'))
  const own: Partial<Record<AspectName, () => unknown>> = {
    kind: () => 'list',
    length: () => items.length,
    holdsNull: () => kinds().some((kind) => kind === 'null' || kind === 'absent'),
    holdsValue: () => kinds().some((kind) => kind !== 'null' && kind !== 'absent'),
    holdsOddText: () => items.some((item) => item.ask('holdsOddText')),
    holdsOnlyScalars: () => kinds().every((kind) => kind !== 'list' && kind !== 'object'),
  }
  return compositeArgument(label, own, {
    source: { kind: 'list', items: items.map((item) => item.source), label },
    item: (index) => items[index] ?? literalArgument(undefined, `${label}[${index}]`),
  })
}

/** An object written in the document with variables among its values. */
function objectArgument(members: ReadonlyMap<string, Argument>, label: string): Argument {
  const own: Partial<Record<AspectName, () => unknown>> = {
    kind: () => 'object',
    keys: () => [...members.keys()],
  }
  return compositeArgument(label, own, {
    member: (key) => members.get(key) ?? literalArgument(undefined, `${label}.${key}`),
  })
}

/** Aspects that are not in `own` are those of an absent value. */
function compositeArgument(
  label: string,
  own: Partial<Record<AspectName, () => unknown>>,
  rest: Partial<Argument>,
): Argument {
  const nothing = literalArgument(undefined, label)
  return { ...nothing, ...rest, ask: (aspect) => (own[aspect]?.() ?? nothing.ask(aspect)) as never }
}
