import type { DrawnPage, RenderJob } from './render-calls.ts'

/** A rendered page. */
export interface Drawn extends DrawnPage {
  /** How long the job waited in the queue. */
  readonly waitedMs: number
}

/** Renders pages, which may be hostile: their content has access to nothing. */
export interface Renderer {
  /**
   * Renders a page, and takes ownership of its text. Throws RENDERER_MISSING, RENDERER_FAILED, FILE_TOO_LARGE,
   * FILE_TIMEOUT and TOO_BUSY; any error once the signal is aborted.
   */
  draw(job: RenderJob, signal: AbortSignal): Promise<Drawn>
  close(): Promise<void>
}
