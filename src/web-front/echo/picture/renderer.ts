import type { PictureFormat } from '../formats.ts'
import type { FilledFile } from '../template/fill-template.ts'

/** A page that is to be drawn. */
export interface DrawOrder extends Pick<FilledFile, 'page' | 'image'> {
  readonly picture: PictureFormat
  readonly html: string
  readonly signal: AbortSignal
}

/** A page that was drawn. */
export interface Drawn {
  readonly bytes: Uint8Array
  /** How long the order waited for its turn. */
  readonly waitedMs: number
}

/** Draws pages, which may be hostile: what stands in them reaches nothing. */
export interface Renderer {
  /** Throws RENDERER_MISSING, RENDERER_FAILED, FILE_TOO_LARGE and FILE_TIMEOUT. */
  draw(order: DrawOrder): Promise<Drawn>
  close(): Promise<void>
}
