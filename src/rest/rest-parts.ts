import type { RecordParts } from '../record/record-parts.ts'

/** The parts that the functions of this folder need. */
export interface RestParts extends RecordParts {
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
}

/** The response to a call: JSON text, whole or in pieces. */
export interface RestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** In place of `body`, if that is long. After an error the text is incomplete. */
  readonly pieces?: AsyncIterable<string>
}
