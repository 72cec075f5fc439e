/** What is said between the service and the thread that fills templates. */
import type { Refusal } from '../refusal.ts'
import type { FilledFile } from './fill-template.ts'
import type { SentJob } from './read-job.ts'

/** Each but `close` is answered, in the order they came. */
export type ThreadRequest =
  | { readonly kind: 'open'; readonly job: number; readonly order: SentJob }
  | { readonly kind: 'next'; readonly job: number }
  | { readonly kind: 'close'; readonly job: number }

export type ThreadAnswer =
  | { readonly kind: 'file'; readonly job: number; readonly file: FilledFile }
  /** `bytes` is UTF-8 text. */
  | { readonly kind: 'piece'; readonly job: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly job: number }
  | { readonly kind: 'refused'; readonly job: number; readonly refusal: Refusal }

export type ThreadMessage =
  | { readonly kind: 'loaded'; readonly mistakes: readonly string[] }
  /** Files have changed and were read again; with mistakes the former templates stay. */
  | { readonly kind: 'reloaded'; readonly mistakes: readonly string[] }
  | ThreadAnswer
