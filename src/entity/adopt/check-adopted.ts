/** Checks the definition of an adopted table. */
import type { Mistake } from '../../errors/app-error.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { type EntityDefinition, type EntityField, hasTable } from '../definition/entity-definition.ts'

/** The mistakes in what a definition says about an existing table, by JSON pointer. */
export function checkAdopted(definition: EntityDefinition): readonly Mistake[] {
  const { fields, adopted } = definition
  if (adopted === undefined) {
    return fields.flatMap(({ column, pointer }) => {
      const detail = 'Only the fields of an adopted table have a field_column. Leave it out.'
      return column === undefined ? [] : [{ pointer: `${pointer}/field_column`, detail }]
    })
  }
  return [
    ...checkKey(definition),
    ...(adopted.table === undefined || adopted.schema !== undefined
      ? []
      : [
          {
            pointer: '/adopted/table',
            detail: 'Only a table in a named schema may have another name than its entity: name the schema.',
          },
        ]),
    ...(hasTable(definition)
      ? []
      : [{ pointer: '/adopted', detail: 'An adopted table exists: leave out persistence and abstract.' }]),
    ...(definition.renamedFrom === undefined
      ? []
      : [{ pointer: '/renamed_from', detail: "The table is not the gateway's: rename it in the database." }]),
    ...adopted.leftOut.flatMap((name, index) => {
      const detail = `"${name}" is a field here. Leave out one of the two.`
      return fields.some((field) => field.name === name)
        ? [{ pointer: `/adopted/left_out/${index}`, detail }]
        : []
    }),
    ...fields.flatMap(checkColumn),
  ]
}

function checkKey({ fields, key }: EntityDefinition): readonly Mistake[] {
  const identifier = fields.find(({ kind }) => kind === 'identifier')
  if (identifier !== undefined && (key.length > 1 || key[0] !== identifier.name)) {
    const detail = `The identifier of an adopted table is its key, and this is not "${key.join(', ')}". Make it one of local_fields.`
    return [{ pointer: `${identifier.pointer}/field_name`, detail }]
  }
  const names = fields.filter(({ column }) => column !== undefined).map(({ name }) => name)
  return key.flatMap((name, index) => {
    if (names.includes(name)) return key.indexOf(name) === index ? [] : [twice(name, index)]
    const detail = `"${name}" is no field with a field_column${didYouMean(name, names)}.`
    return [{ pointer: `/adopted/key/${index}`, detail }]
  })
}

function twice(name: string, index: number): Mistake {
  return { pointer: `/adopted/key/${index}`, detail: `"${name}" is in the key already.` }
}

function checkColumn({ column, persistence, renamedFrom, pointer }: EntityField): readonly Mistake[] {
  if (column === undefined) return []
  return [
    ...(persistence
      ? []
      : [
          {
            pointer: `${pointer}/field_persistence`,
            detail:
              'The column of an adopted table is not dropped. Leave out the field, and name it in adopted.left_out.',
          },
        ]),
    ...(renamedFrom === undefined
      ? []
      : [
          {
            pointer: `${pointer}/renamed_from`,
            detail: "The column is not the gateway's: rename it in the database.",
          },
        ]),
  ]
}
