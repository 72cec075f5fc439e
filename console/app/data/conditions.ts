/** Conditions as they are chosen: which operators and values a field takes. */
import {
  type AnyCondition,
  type Condition,
  caselessOperators,
  isRelated,
  type Operator,
  operators,
} from './filters.ts'
import { isNumber } from './show-value.ts'
import type { Field } from './tables.ts'

/** An operator as it is offered: those for null have a name of their own. */
export type ChosenOperator = Operator | 'isNull' | 'isNotNull'

const textOperators: readonly Operator[] = ['starts', 'ends', 'contains', ...caselessOperators]

/** The operators that are offered for a field, and the one that is chosen. */
export function operatorsFor(field: Field | undefined, chosen: ChosenOperator): readonly ChosenOperator[] {
  const isText = field === undefined || ['string', 'uuid', 'json', 'other'].includes(field.kind)
  const own = operators.filter((op) => isText || !textOperators.includes(op))
  const all: readonly ChosenOperator[] = [...own, 'isNull', 'isNotNull']
  return all.includes(chosen) ? all : [chosen, ...all]
}

/** The operator of a condition as it is offered. */
export function operatorOf({ op, val }: Condition): ChosenOperator {
  if (val !== null) return op
  if (op === '==') return 'isNull'
  return op === '!=' ? 'isNotNull' : op
}

/** The condition with another operator; its value stays as far as it can. */
export function withOperator(condition: Condition, op: ChosenOperator): Condition {
  const { key, val } = condition
  if (op === 'isNull') return { key, op: '==', val: null }
  if (op === 'isNotNull') return { key, op: '!=', val: null }
  if (op === 'between') {
    const [from = '', to = ''] = Array.isArray(val) ? val : typeof val === 'object' ? [] : [val]
    return { key, op, val: [from, to] }
  }
  // One that is known only when a request comes; it may be a list.
  if (typeof val === 'object' && val !== null && !Array.isArray(val)) return { key, op, val }
  const isList = op === 'in' || op === 'not in'
  if (isList) return { key, op, val: Array.isArray(val) ? val : val === null || val === '' ? [] : [val] }
  return { key, op, val: Array.isArray(val) ? (val[0] ?? '') : (val ?? '') }
}

/** A condition on nothing yet. */
export function newCondition(key: string): Condition {
  return { key, op: '==', val: '' }
}

/** The condition with another field, which its key leads to, and a value that the field takes. */
export function withField(current: AnyCondition, field: Field, key: string = field.name): Condition {
  if (isRelated(current)) return newCondition(key)
  const { op, val } = current
  const none = op === 'between' ? ['', ''] : []
  const condition = { key, op, val: val === null ? null : Array.isArray(val) ? none : '' }
  const isOffered = operatorsFor(field, '==').includes(op)
  return isOffered ? condition : { ...condition, op: '==', val: '' }
}

/** The value that a text stands for: numbers as such where JSON keeps them exactly. */
export function valueOfText(text: string, field: Field | undefined): unknown {
  if (field === undefined || !isNumber(field) || field.kind === 'decimal') return text
  const number = Number(text)
  return text.trim() !== '' && String(number) === text ? number : text
}

/** The value inside JSON that a text stands for: numbers, true and false as such, and what quotes enclose as a text. */
export function valueInside(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const isExact = typeof value === 'string' || String(value) === text
    return typeof value !== 'object' && isExact ? value : text
  } catch {
    return text
  }
}

/** The text that stands for a value inside JSON. */
export function textInside(value: unknown): string {
  const isOther = typeof value === 'string' && valueInside(value) !== value
  return isOther ? JSON.stringify(value) : textOfValue(value)
}

/** The text of a value in a form. */
export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
