/** Which records a field may refer to, and how they are found. */
import type { Condition, Filters } from '../filters.ts'
import { isNumber } from '../show-value.ts'
import type { Field, Relation, Table } from '../tables.ts'

/** Where a field leads by itself: the foreign key that consists of it; undefined if there is none. */
export function referenceOf({ references }: Pick<Table, 'references'>, field: string): Relation | undefined {
  return references.find(({ fields }) => fields.length === 1 && fields[0]?.own === field)
}

/** Where a field leads together with others, all of which are in a form; undefined if there is none. */
export function sharedReferenceOf(
  { references }: Pick<Table, 'references'>,
  field: string,
  inForm: ReadonlySet<string>,
): Relation | undefined {
  return references.find(
    ({ fields }) => fields.some(({ own }) => own === field) && fields.every(({ own }) => inForm.has(own)),
  )
}

/** The names that such fields often have, the best first. */
const tellingNames = [/^(display_?)?name$/i, /^(title|label)$/i, /name|title|label/i, /./]

/** The field that tells people which record it is: a text that is not the key; undefined if there is none. */
export function tellingField({ fields }: Pick<Table, 'fields'>, keys: readonly string[]): Field | undefined {
  const texts = fields.filter(
    ({ name, kind, entity_type: type, read_only: isReadOnly }) =>
      !keys.includes(name) && kind === 'string' && type !== 'array' && type !== 'object' && !isReadOnly,
  )
  for (const form of tellingNames) {
    const found = texts.find(({ name }) => form.test(name))
    if (found !== undefined) return found
  }
  return undefined
}

/** The filter that finds records by a text: a part of their keys begins with it, or what tells of them contains it. */
export function referenceFilters(keys: readonly Field[], telling: Field | undefined, text: string): Filters {
  if (text === '') return []
  const byKey = keys.flatMap((key) => keyConditions(key, text))
  const byTelling: readonly Condition[] =
    telling === undefined ? [] : [{ key: telling.name, op: 'contains', val: text }]
  const any = [...byKey, ...byTelling]
  // Nothing can match: no key is null.
  return any.length === 0 ? keys.slice(0, 1).map(({ name }) => ({ key: name, op: '==', val: null })) : [any]
}

function keyConditions(key: Field, text: string): readonly Condition[] {
  const { name, kind } = key
  if (kind === 'uuid') return [{ key: name, op: '==', val: text }]
  if (kind === 'string') return [{ key: name, op: 'starts', val: text }]
  const isOfNumbers = isNumber(key) && /^-?\d{1,19}$/.test(text)
  return isOfNumbers ? [{ key: name, op: '==', val: text }] : []
}
