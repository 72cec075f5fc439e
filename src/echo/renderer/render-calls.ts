/** The functions of the thread that renders pages. */
import type { Event } from '../../observe/events.ts'
import type { Call, HandedOver } from '../../worker/calls.ts'
import type { RenderedFormat } from '../formats.ts'
import type { Refusal } from '../refusal.ts'
import type { FilledFile } from '../template/fill-template.ts'

/** A page to render. Plain data. */
export interface RenderJob extends Pick<FilledFile, 'format' | 'page' | 'image'> {
  readonly picture: RenderedFormat
  /** The title of a PDF whose page has none. */
  readonly title: string
  /** UTF-8, in pieces; each has its own buffer, so that it can be transferred to the thread without a copy. */
  readonly text: readonly Uint8Array[]
}

/** A rendered page. Plain data. */
export interface DrawnPage {
  readonly bytes: Uint8Array
  /** The first characters for which the browser has no font: it drew boxes. */
  readonly missing: readonly string[]
}

export interface RenderCalls {
  draw(job: RenderJob, call: Call): Promise<HandedOver<DrawnPage>>
  /** Ends the browser, then the thread. */
  close(): Promise<void>
}

export type RenderEvent =
  | { readonly kind: 'event'; readonly event: Event }
  /** An error outside of any job; the thread ends the browser and itself. */
  | { readonly kind: 'failed'; readonly refusal: Refusal }
