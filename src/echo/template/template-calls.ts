/** The functions of the thread that fills templates. */
import type { Streamed } from '../../worker/calls.ts'
import type { FilledFile } from './fill-template.ts'
import type { SentJob } from './read-job.ts'

export interface TemplateCalls {
  /** The mistakes in the templates that were read when the thread started. */
  mistakes(): readonly string[]
  /** The pieces are UTF-8 text. */
  fill(job: SentJob): Streamed<FilledFile, Uint8Array>
}

/** Changed files were read again; if there are mistakes, the previous templates stay in use. */
export interface TemplatesReloaded {
  readonly mistakes: readonly string[]
}
