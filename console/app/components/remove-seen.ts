import i18next from 'i18next'
import { type SeenVersion, writeOver } from '../api/tagged.ts'
import { notifyFailed } from './notify.ts'

interface SeenRemoval<Stored> extends Pick<SeenVersion<Stored, unknown>, 'seen' | 'read'> {
  /** Deletes it if it still has this tag. */
  readonly remove: (etag: string) => Promise<unknown>
  /** Shows what someone else has made of it. */
  readonly show: (newer: Stored) => void
}

/**
 * Deletes what was seen, and gives whether it did: what someone else has changed meanwhile is kept, shown, and said, since nobody
 * deletes what they have not seen.
 */
export async function removeSeen<Stored>({
  seen,
  read,
  remove,
  show,
}: SeenRemoval<Stored>): Promise<boolean> {
  const isSame = (one: Stored, other: Stored) => JSON.stringify(one) === JSON.stringify(other)
  const result = await writeOver({ seen, read, isSame, write: remove })
  if ('written' in result) return true
  notifyFailed(i18next.t('newer.kept', { ns: 'components' }))
  show(result.newer)
  return false
}
