import { type Definition, fieldsOf, type Path, textAt } from '../definition/definition.ts'
import { withValue } from '../definition/edit-definition.ts'

/** Makes a reference refer to the identifier of an entity; it gets its type, and a name made of both unless it has one. */
export function withTarget(
  definition: Definition,
  path: Path,
  entity: string,
  target: Definition | undefined,
): Definition {
  const identifier = fieldsOf(target).find(({ kind }) => kind === 'identifier')
  const named = withValue(definition, [...path, 'ref_class'], entity)
  if (identifier === undefined) return named
  const referring = withValue(
    withValue(named, [...path, 'ref_class_field'], identifier.name),
    [...path, 'field_type'],
    identifier.type,
  )
  if (textAt(referring, [...path, 'field_name']) !== '') return referring
  const own = lowerFirst(entity) + upperFirst(identifier.name)
  return withValue(referring, [...path, 'field_name'], own)
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
