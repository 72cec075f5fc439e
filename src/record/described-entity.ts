import { isChosen, isSetBySome, type RecordRights } from './record-rights.ts'
import { isNeeded, type PublishedEntity } from './record-rules.ts'

/** A method that writes records. */
export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An entity as it is described to a caller: its rights are what some method on some path of the API lets it do. */
export interface DescribedEntity extends PublishedEntity {
  /** What one method lets the caller do, on some path; undefined for everything. */
  rightsTo(method: WriteMethod): RecordRights | undefined
}

/** Whether the rights of a caller who may call POST let some record be created: they give or set each field that a new one needs. */
export function mayCreateSome({ rules, rightsTo }: Pick<DescribedEntity, 'rules' | 'rightsTo'>): boolean {
  const rights = rightsTo('POST')
  if (rights?.write === undefined) return true
  const needed = [...rules.fields.values()].filter(
    (rule) => rule.column !== undefined && !rule.isReadOnly && isNeeded(rule, rules),
  )
  const isGiven = (name: string) => isChosen(rights, name) || isSetBySome(rights, name)
  return rights.write.length > 0 && needed.every(({ name }) => isGiven(name))
}
