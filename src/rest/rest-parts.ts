import type { RecordParts } from '../record/record-parts.ts'

/** What the functions of this folder work with. */
export interface RestParts extends RecordParts {
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
}

/** What a call is answered with: JSON text, whole or in pieces. */
export interface RestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** In place of `body`, where that is long. Where an error ends them, the text has no end. */
  readonly pieces?: AsyncIterable<string>
}

/** The conditions of a call: https://www.rfc-editor.org/rfc/rfc9110#section-13.1 */
export interface Conditions {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}
