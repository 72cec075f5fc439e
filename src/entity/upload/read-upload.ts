/** Parses the body of an upload, one definition or a list of them, to definitions with their locations. */
import { type Mistake, toldMistakes } from '../../errors/app-error.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import { checkFormerNames } from '../definition/check-former-names.ts'
import type { EntityDefinition } from '../definition/entity-definition.ts'
import { parseEntityDefinition } from '../definition/parse-entity-definition.ts'
import { resourceName } from '../definition/resource-name.ts'

/** One definition of an upload. */
export interface UploadedEntity {
  /** JSON pointer to it: '' for a single one, `/0` in a list. */
  readonly pointer: string
  /** The raw JSON. */
  readonly json: Readonly<Record<string, unknown>>
  readonly definition: EntityDefinition
  /** Whether all of it could be parsed. */
  readonly complete: boolean
  /** Where its records are to be published. */
  readonly resource: string
}

export interface UploadReading {
  readonly uploads: readonly UploadedEntity[]
  readonly mistakes: readonly Mistake[]
}

const uploadLimit = 1000

/**
 * Parses an upload, in time slices, up to the limit of mistakes; `resourceOf` returns the existing resource of an entity.
 */
export async function readUpload(
  document: unknown,
  resourceOf: (entity: string) => string | undefined,
): Promise<UploadReading> {
  const documents = Array.isArray(document) ? document : [document]
  if (documents.length === 0 || documents.length > uploadLimit) {
    const detail = `Send one entity definition, or a list of 1 to ${uploadLimit}; this list has ${documents.length}.`
    return { uploads: [], mistakes: [{ pointer: '', detail }] }
  }
  const uploads: UploadedEntity[] = []
  const mistakes: Mistake[] = []
  const slices = new TimeSlices()
  for (const [index, json] of documents.entries()) {
    if (slices.isOver) await slices.next()
    if (mistakes.length > toldMistakes) break
    const pointer = Array.isArray(document) ? `/${index}` : ''
    const reading = parseEntityDefinition(json)
    const { definition } = reading
    const found = [...reading.mistakes, ...(definition === undefined ? [] : checkFormerNames(definition))]
    for (const mistake of found) mistakes.push({ ...mistake, pointer: pointer + mistake.pointer })
    if (definition === undefined) continue
    const complete = found.length === 0
    const { name } = definition
    const resource = definition.resource ?? resourceOf(name) ?? resourceName(name)
    uploads.push({ pointer, json, definition, complete, resource })
  }
  return { uploads, mistakes }
}
