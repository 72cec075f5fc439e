/** Changes of definitions. Each gives a new definition and keeps everything else of the old one, known or not. */
import {
  type Definition,
  type FieldList,
  isObject,
  listAt,
  type Path,
  pathOfList,
  textAt,
} from './definition.ts'

/** The definition with another value at a path; without what is there if the value is undefined. */
export function withValue(definition: Definition, path: Path, value: unknown): Definition {
  return replaced(definition, path, value) as Definition
}

function replaced(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (typeof key === 'number') {
    const list = Array.isArray(whole) ? [...whole] : []
    list[key] = replaced(list[key], rest, value)
    return list
  }
  const object = isObject(whole) ? whole : {}
  const next = replaced(object[key], rest, value)
  if (next !== undefined) return { ...object, [key]: next }
  const { [key]: _removed, ...others } = object
  return others
}

/** With one more field at the end of a list. */
export function withField(definition: Definition, list: FieldList, field: Definition): Definition {
  const path = pathOfList(list)
  return withValue(definition, path, [...listAt(definition, path), field])
}

/** Without a field. */
export function withoutField(definition: Definition, list: FieldList, index: number): Definition {
  const path = pathOfList(list)
  return withValue(
    definition,
    path,
    listAt(definition, path).filter((_, other) => other !== index),
  )
}

/** With a field at another place in its list. */
export function withMovedField(
  definition: Definition,
  list: FieldList,
  from: number,
  to: number,
): Definition {
  const path = pathOfList(list)
  const fields = [...listAt(definition, path)]
  if (to < 0 || to >= fields.length) return definition
  fields.splice(to, 0, ...fields.splice(from, 1))
  return withValue(definition, path, fields)
}

/**
 * With another name, of the entity or of the field at a path. What is stored under the old name is renamed by that, and not
 * removed: the definition says so, by `renamed_from`.
 */
export function withName(
  definition: Definition,
  path: Path,
  name: string,
  storedNames: ReadonlySet<string>,
): Definition {
  const key = path.length === 0 ? 'name' : 'field_name'
  const former = [...path, 'renamed_from']
  const old = textAt(definition, [...path, key])
  const known = textAt(definition, former)
  const next = withValue(definition, [...path, key], name)
  if (known === name && storedNames.has(known)) return withValue(next, former, undefined)
  if (known === '' && old !== name && storedNames.has(old)) return withValue(next, former, old)
  return next
}
