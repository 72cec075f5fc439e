/** What is said between the service and the thread that has pages drawn. */
import type { Event } from '../../observe/events.ts'
import type { RenderedFormat } from '../formats.ts'
import type { Refusal } from '../refusal.ts'
import type { FilledFile } from '../template/fill-template.ts'

/** A page that is to be drawn. Plain data. */
export interface RenderJob extends Pick<FilledFile, 'format' | 'page' | 'image'> {
  readonly picture: RenderedFormat
  /** UTF-8, in pieces; each is the only one of its buffer, so that it passes to the thread without a copy. */
  readonly text: readonly Uint8Array[]
}

/** `draw` is answered, unless its client has left. */
export type RenderRequest =
  | { readonly kind: 'draw'; readonly job: number; readonly order: RenderJob }
  /** Nobody waits for it any more. */
  | { readonly kind: 'leave'; readonly job: number }
  /** End the browser, then the thread. */
  | { readonly kind: 'close' }

export type RenderMessage =
  | { readonly kind: 'drawn'; readonly job: number; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly job: number; readonly refusal: Refusal }
  | { readonly kind: 'event'; readonly event: Event }
  /** Something went wrong that belongs to no order; the thread ends the browser and itself. */
  | { readonly kind: 'failed'; readonly refusal: Refusal }
