/** Checks the form of an authority's conditions when a role is written. Whether there are such fields is not known here. */
import * as v from 'valibot'
import { jsonObject, listOf, strictObject, unknownKeySentence } from '../../documents/document-schema.ts'
import { toldMistakes } from '../../errors/app-error.ts'
import { conditionLimit } from '../../query/condition-tally.ts'
import { operators as fieldOperators, type Operator, quantifiers } from '../../query/filter.ts'
import { nestingLimit, pathLimit } from '../../query/read-filters.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { isDuration } from '../../util/iso-duration.ts'

type Path = readonly (string | number)[]
type Report = (path: Path, message: string) => void

const operators = [...fieldOperators, ...quantifiers]
const fieldNames = listOf(v.pipe(v.string(), v.minLength(1)), 1000)

/** The members of an authority that hold its conditions. */
export const recordConditionsEntries = {
  rows: v.optional(
    v.pipe(
      v.array(v.unknown()),
      eachMistake(checkRows),
      v.metadata({
        description:
          'Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`.',
        items: {
          anyOf: [
            {
              type: 'object',
              properties: {
                key: { type: 'string' },
                op: { type: 'string', enum: operators },
                val: {},
              },
              required: ['key', 'op', 'val'],
              additionalProperties: false,
            },
            { type: 'array' },
          ],
        },
        maxItems: conditionLimit,
      }),
    ),
  ),
  fields: v.pipe(
    v.optional(strictObject({ read: v.optional(fieldNames), write: v.optional(fieldNames) })),
    v.description('The fields that it gives; all without `read`, those of `read` without `write`.'),
  ),
  set: v.optional(
    v.pipe(
      jsonObject,
      eachMistake(checkSet),
      v.description(
        'Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time.',
      ),
    ),
  ),
}

/** Reports all mistakes that a function finds, with their places. */
function eachMistake<Value>(find: (value: NoInfer<Value>, report: Report) => void) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value: input } = dataset
    let count = 0
    find(input, (path, message) => {
      count += 1
      if (count > toldMistakes + 1) return
      const keys = path.map(
        (key) => ({ type: 'unknown', origin: 'value', input, key, value: undefined }) as const,
      )
      const [first, ...others] = keys
      addIssue(first === undefined ? { message } : { message, path: [first, ...others] })
    })
  })
}

function checkRows(rows: readonly unknown[], report: Report): void {
  let conditions = 0
  const checkItem = (item: unknown, path: Path, nesting: number): void => {
    if (nesting > nestingLimit) {
      report(path, `This is nested deeper than ${nestingLimit} groups.`)
      return
    }
    if (Array.isArray(item)) {
      if (item.length === 0) report(path, 'This is an empty group. Write at least one condition into it.')
      checkItems(item, path, nesting + 1)
      return
    }
    conditions += 1
    if (conditions > conditionLimit) return
    checkCondition(item, path, report)
    if (isObject(item) && isQuantifier(item.op)) checkQuantified(item, path, nesting)
  }
  const checkQuantified = ({ val, op }: Readonly<Record<string, unknown>>, path: Path, nesting: number) => {
    if (Array.isArray(val)) checkItems(val, [...path, 'val'], nesting + 1)
    else
      report(
        [...path, 'val'],
        `"${String(op)}" takes a list of conditions on the rows that the key leads to.`,
      )
  }
  const checkItems = (items: readonly unknown[], path: Path, nesting: number): void => {
    for (const [index, item] of items.entries()) {
      if (conditions > conditionLimit) return
      checkItem(item, [...path, index], nesting)
    }
  }
  checkItems(rows, [], 1)
  if (conditions > conditionLimit)
    report(
      [],
      `There are more than ${conditionLimit} conditions. For one of many values use the operator "in".`,
    )
}

const conditionMembers = ['key', 'op', 'val']

function checkCondition(condition: unknown, path: Path, report: Report): void {
  if (!isObject(condition)) {
    report(path, 'Write a condition such as {"key": "name", "op": "==", "val": "x"}, or a list of them.')
    return
  }
  checkMembers(condition, conditionMembers, path, report)
  const { key, op, val } = condition
  if (typeof key !== 'string' || key === '') report([...path, 'key'], 'Write the name of a field.')
  else if (key.split('.').includes(''))
    report([...path, 'key'], 'Write names of fields with one dot between them.')
  else if (key.split('.').length > pathLimit)
    report([...path, 'key'], `A path has at most ${pathLimit} names.`)
  if (isQuantifier(op)) return
  const operator = fieldOperators.find((known) => known === op)
  if (operator === undefined) report([...path, 'op'], operatorSentence(op))
  if (!Object.hasOwn(condition, 'val')) report([...path, 'val'], 'Write the value to compare with, or null.')
  else checkCompared(val, operator, [...path, 'val'], report)
}

function operatorSentence(op: unknown): string {
  const known = operators.map((name) => `"${name}"`).join(', ')
  return `This must be one of ${known}${typeof op === 'string' ? didYouMean(op, operators) : ''}.`
}

function isQuantifier(op: unknown): boolean {
  return quantifiers.some((known) => known === op)
}

/** They compare with a list, all others with one value. */
const listOperators: readonly Operator[] = ['in', 'not in', 'between']

function checkCompared(value: unknown, operator: Operator | undefined, path: Path, report: Report): void {
  if (operator === 'between' && Array.isArray(value)) {
    if (value.length !== 2) report(path, '"between" takes a list of two values.')
    else for (const [index, end] of value.entries()) checkValue(end, [...path, index], report)
    return
  }
  checkValue(value, path, report)
  if (operator === undefined) return
  if (operator === 'isnull') {
    if (typeof value !== 'boolean') report(path, '"isnull" takes true or false.')
    return
  }
  const takesList = listOperators.includes(operator)
  const source = isObject(value) ? value.account : undefined
  // A member of the metadata may be either.
  if (typeof source === 'string' && source !== 'username' && source !== 'roles') return
  const isList = Array.isArray(value) || source === 'roles'
  if (isList && !takesList)
    report(path, `"${operator}" compares with one value. For a list use "in" or "not in".`)
  if (!isList && takesList) report(path, `"${operator}" compares with a list of values.`)
}

function checkSet(set: Readonly<Record<string, unknown>>, report: Report): void {
  for (const [name, value] of Object.entries(set)) {
    if (name === '') report([name], 'Write the name of a field.')
    checkValue(value, [name], report)
  }
}

const longestList = 1000

/** A scalar, null, a list of these, or a value of the account or the time. */
function checkValue(value: unknown, path: Path, report: Report): void {
  if (isScalar(value)) return
  if (Array.isArray(value)) {
    if (value.length > longestList) report(path, `This must have at most ${longestList} values in it.`)
    for (const [index, item] of value.slice(0, longestList).entries())
      if (!isScalar(item)) report([...path, index], 'Write a text, a number, true, false or null.')
    return
  }
  const [member, ...others] = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || others.length > 0 || (member !== 'account' && member !== 'now')) {
    report(
      path,
      'Write a text, a number, true, false, null, a list of these, {"account": "metadata.<key>"} or {"now": "-P7D"}.',
    )
    return
  }
  const mistake = member === 'account' ? accountMistake(value.account) : nowMistake(value.now)
  if (mistake !== undefined) report([...path, member], mistake)
}

function accountMistake(source: unknown): string | undefined {
  if (source === 'username' || source === 'roles') return undefined
  if (typeof source === 'string' && /^metadata\../su.test(source)) return undefined
  return 'This must be "username", "roles", or "metadata." and a key of the metadata.'
}

function nowMistake(duration: unknown): string | undefined {
  if (typeof duration === 'string' && isDuration(duration)) return undefined
  return 'Write a duration such as "-P7D" for seven days ago, "PT1H" for an hour ahead, or "PT0S" for now.'
}

function checkMembers(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: Path,
  report: Report,
): void {
  for (const key of Object.keys(object))
    if (!known.includes(key)) report([...path, key], unknownKeySentence({ key, known }))
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
