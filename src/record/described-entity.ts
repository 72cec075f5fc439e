import type { RecordRights } from './record-rights.ts'
import type { PublishedEntity } from './record-rules.ts'

/** A method that writes records. */
export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An entity as it is described to a caller: its rights are what some method on some path of the API lets it do. */
export interface DescribedEntity extends PublishedEntity {
  /** What one method lets the caller do, on some path; undefined for everything. */
  rightsTo(method: WriteMethod): RecordRights | undefined
}
