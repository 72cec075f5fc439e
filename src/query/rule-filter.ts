/**
 * From the composite filter of a rule to one `Filter`. In place of a value it may name a value of the caller's account,
 * `{"account": "metadata.tenant"}`, or a time, `{"now": "-P7D"}`. These stay sources, so that callers whose values have
 * the same form share a plan.
 */
import type { Column } from '../database/database-schema.ts'
import { addDuration } from '../util/iso-duration.ts'
import { type Argument, aspects, literalArgument } from './argument.ts'
import { type Filter, operators, quantifiers } from './filter.ts'
import { type Filterable, relatedPath } from './filterable.ts'
import { heldTime } from './held-time.ts'
import { jsonNameOf } from './json-path.ts'
import { readCondition, readFilters } from './read-filters.ts'
import { resolveValue, type ValueSource, type Variables, valueAt } from './value-source.ts'

/** The values of one caller, at one time. */
export interface RuleContext {
  /** The values of its account, as `{"account": …}` names them. */
  readonly account: Readonly<Record<string, unknown>>
  readonly now: Date
}

/** A rule for one caller. */
export interface RuleFilter {
  readonly filter: Filter
  /** What of the caller's values the filter depends on besides the values themselves. */
  readonly shape: string
  /** The durations of times that it names. */
  readonly durations: readonly string[]
}

/** A value that a rule names does not exist for this caller. */
export class MissingRuleValue extends Error {}

const accountVariable = '$account'
const timeVariable = '$now'
const dateVariable = '$today'

/** The variables that the filters of rules need; no variable of a request has such a name. */
export function ruleVariables({ account, now }: RuleContext, durations: Iterable<string>): Variables {
  const times = [...new Set(durations)].map((duration) => [duration, timeAfter(now, duration)] as const)
  return {
    [accountVariable]: account,
    [timeVariable]: Object.fromEntries(times),
    [dateVariable]: Object.fromEntries(times.map(([duration, time]) => [duration, time.slice(0, 10)])),
  }
}

/** The variables that several rules of one caller need. */
export function mergedVariables(all: readonly Variables[]): Variables {
  const names = new Set(all.flatMap((variables) => Object.keys(variables)))
  return Object.fromEntries(
    [...names].map((name) => [name, Object.assign({}, ...all.map((variables) => variables[name]))]),
  )
}

/**
 * Reads a rule for one caller. Throws PARAMETER_INVALID for a rule that the table cannot have, and `MissingRuleValue`.
 */
export function readRule(rows: unknown, filterable: Filterable, context: RuleContext): RuleFilter {
  const asked: unknown[] = []
  const durations = new Set<string>()
  const scope: RuleScope = { filterable, context, asked, durations }
  const filter = readFilters(ruleArgument(rows, 'rows', scope, undefined), filterable)
  return { filter, shape: JSON.stringify(asked), durations: [...durations] }
}

/** A key in a rule that is not the name of a field. */
export interface UnknownKey {
  readonly key: unknown
  /** Where the condition is that has it: indexes into the rule, and `val` where one is inside another. */
  readonly path: readonly (string | number)[]
}

/** A condition in a rule. */
export interface PlacedCondition {
  readonly condition: unknown
  /** What it may name. */
  readonly filterable: Filterable
  /** Where it is: indexes into the rule, and `val` where one is inside another. */
  readonly path: readonly (string | number)[]
}

/** The conditions in a rule; those inside of one about related rows, too, if its key leads to such rows. */
export function conditionsIn(
  rule: unknown,
  filterable: Filterable,
  path: PlacedCondition['path'] = [],
): readonly PlacedCondition[] {
  if (Array.isArray(rule))
    return rule.flatMap((item, index) => conditionsIn(item, filterable, [...path, index]))
  const target = isQuantified(rule) ? quantifiedTarget(valueAt(rule, ['key']), filterable) : undefined
  const inside = target === undefined ? [] : conditionsIn(valueAt(rule, ['val']), target, [...path, 'val'])
  return [{ condition: rule, filterable, path }, ...inside]
}

/** The keys in a rule that this table, and those that its references lead to, do not have. */
export function unknownKeys(rows: unknown, filterable: Filterable): readonly UnknownKey[] {
  return conditionsIn(rows, filterable)
    .filter(({ condition, filterable }) => !hasKnownKey(condition, filterable))
    .map(({ condition, path }) => ({ key: valueAt(condition, ['key']), path }))
}

function hasKnownKey(condition: unknown, filterable: Filterable): boolean {
  const key = valueAt(condition, ['key'])
  if (isQuantified(condition)) return quantifiedTarget(key, filterable) !== undefined
  const isGlobalId = filterable.globalId !== undefined && key === filterable.globalId.name
  return isGlobalId || comparedColumn(key, filterable) !== undefined
}

/**
 * Reads a condition that compares a field with values which it names itself, as the rule would; undefined for any other,
 * and for one on an unknown field. Throws PARAMETER_INVALID.
 */
export function readLiteral({ condition, filterable }: PlacedCondition): Filter | undefined {
  const [key, op, val] = ['key', 'op', 'val'].map((member) => valueAt(condition, [member]))
  const operator = operators.find((known) => known === op)
  const items = Array.isArray(val) ? val : [val]
  if (operator === undefined || items.some(isObject) || !hasKnownKey(condition, filterable)) return undefined
  return readCondition(String(key), operator, literalArgument(val, 'The value'), 'The condition', filterable)
}

/** The value that a rule sets. Throws `MissingRuleValue`. */
export function ruleValue(rule: unknown, column: Column, context: RuleContext): unknown {
  const source = sourceOf(rule, 'set', column)
  if (source === undefined) return rule
  const durations = isObject(rule) && typeof rule.now === 'string' ? [rule.now] : []
  const now = heldTime(context.now, column)
  return present(resolveValue(source, ruleVariables({ ...context, now }, durations)))
}

interface RuleScope {
  readonly filterable: Filterable
  readonly context: RuleContext
  readonly asked: unknown[]
  readonly durations: Set<string>
}

/** `column` is what the value is compared with, if it is one. */
function ruleArgument(rule: unknown, label: string, scope: RuleScope, column: Column | undefined): Argument {
  const source = column && sourceOf(rule, label, column)
  if (source !== undefined) {
    const { context, asked, durations } = scope
    const duration = valueAt(rule, ['now'])
    if (typeof duration === 'string') durations.add(duration)
    const value = present(resolveValue(source, ruleVariables(context, durations)))
    return callerArgument(source, value, asked)
  }
  return {
    ...literalArgument(rule, label),
    item: (index) => ruleArgument(valueAt(rule, [index]), `${label}[${index}]`, scope, column),
    member: (member) => {
      const [value, inside] = [valueAt(rule, [member]), `${label}.${member}`]
      if (member !== 'val') return ruleArgument(value, inside, scope, undefined)
      const key = valueAt(rule, ['key'])
      if (!isQuantified(rule))
        return ruleArgument(value, inside, scope, comparedColumn(key, scope.filterable))
      const filterable = quantifiedTarget(key, scope.filterable) ?? scope.filterable
      return ruleArgument(value, inside, { ...scope, filterable }, undefined)
    },
  }
}

type CallerSource = Extract<ValueSource, { kind: 'variable' }>

/** A value of the caller: the plan depends on what is asked of it, and on nothing else. */
function callerArgument(source: CallerSource, value: unknown, asked: unknown[]): Argument {
  const inside = (key: string | number) =>
    callerArgument({ ...source, path: [...source.path, key] }, valueAt(value, [key]), asked)
  return {
    label: source.label,
    source,
    ask(aspect) {
      const result = aspects[aspect](value)
      asked.push([source.path, aspect, result])
      return result as never
    },
    item: inside,
    member: inside,
  }
}

function sourceOf(rule: unknown, label: string, column: Column): CallerSource | undefined {
  if (!isObject(rule)) return undefined
  const { account, now } = rule
  if (typeof account === 'string') {
    const dot = account.indexOf('.')
    const names = dot === -1 ? [account] : [account.slice(0, dot), account.slice(dot + 1)]
    return { kind: 'variable', path: [accountVariable, ...names], label }
  }
  if (typeof now !== 'string') return undefined
  return { kind: 'variable', path: [column.type === 'date' ? dateVariable : timeVariable, now], label }
}

/** The column at the end of a key; undefined if there is none, which is then refused where the key is read. */
function comparedColumn(key: unknown, filterable: Filterable): Column | undefined {
  if (typeof key !== 'string') return undefined
  const column = filterable.columns.get(key)
  const inside = column === undefined ? jsonNameOf(key) : undefined
  if (inside !== undefined) return comparedColumn(inside.field, filterable)
  const dot = key.indexOf('.')
  if (column !== undefined || dot === -1) return column
  const related = filterable.related?.(key.slice(0, dot))
  return related && !related.isList ? comparedColumn(key.slice(dot + 1), related.filterable) : undefined
}

/** Whether a condition is about how many related rows match. */
export function isQuantified(condition: unknown): boolean {
  return quantifiers.some((quantifier) => quantifier === valueAt(condition, ['op']))
}

/** What such a condition's own conditions may name; undefined if its key leads nowhere, or to several rows on its way. */
function quantifiedTarget(key: unknown, filterable: Filterable): Filterable | undefined {
  const steps = typeof key === 'string' ? relatedPath(key, filterable) : undefined
  return steps?.slice(0, -1).some(({ isList }) => isList) ? undefined : steps?.at(-1)?.filterable
}

function timeAfter(now: Date, duration: string): string {
  return (addDuration(now, duration) ?? now).toISOString().replace('Z', '')
}

function present(value: unknown): unknown {
  const isAbsent = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
  if (isAbsent) throw new MissingRuleValue('The account has no such value.')
  return value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
