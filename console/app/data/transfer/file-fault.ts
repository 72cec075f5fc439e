/** Why a file cannot be read. */
export type FaultKind = 'empty' | 'noRows' | 'encoding' | 'longJson' | 'notJson' | 'notRecords' | 'longRow'

/** A file cannot be read, whatever its rows hold. */
export class FileFault extends Error {
  readonly kind: FaultKind
  /** What the parser says, or the number of the row. */
  readonly detail: string

  constructor(kind: FaultKind, detail = '') {
    super(kind)
    this.kind = kind
    this.detail = detail
  }
}
