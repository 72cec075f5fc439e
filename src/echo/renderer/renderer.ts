import type { RenderJob } from './thread-protocol.ts'

/** A page that was drawn. */
export interface Drawn {
  readonly bytes: Uint8Array
  /** How long the order waited for its turn. */
  readonly waitedMs: number
}

/** Draws pages, which may be hostile: what stands in them reaches nothing. */
export interface Renderer {
  /**
   * Draws a page, whose text belongs to the renderer from then on. Throws RENDERER_MISSING, RENDERER_FAILED,
   * FILE_TOO_LARGE, FILE_TIMEOUT and TOO_BUSY; any error once nobody waits for the file.
   */
  draw(order: RenderJob, signal: AbortSignal): Promise<Drawn>
  close(): Promise<void>
}
