import { useState } from 'react'
import { type SeenVersion, writeOver } from '../api/tagged.ts'

/** Saves over the version that was seen: nobody overwrites what they have not seen. */
export function useNewer<Stored>({ read, isSame }: Pick<SeenVersion<Stored, unknown>, 'read' | 'isSame'>): {
  /** What someone else has made of it; undefined as long as that is not known, or was decided. */
  readonly newer: Stored | undefined
  readonly forget: () => void
  /** Gives what `write` gives; undefined if someone else has changed what was seen. */
  readonly saveOver: <Written>(
    seen: Stored,
    write: SeenVersion<Stored, Written>['write'],
  ) => Promise<Written | undefined>
} {
  const [newer, setNewer] = useState<Stored>()
  return {
    newer,
    forget: () => setNewer(undefined),
    async saveOver(seen, write) {
      const result = await writeOver({ seen, read, isSame, write })
      setNewer('newer' in result ? result.newer : undefined)
      return 'newer' in result ? undefined : result.written
    },
  }
}
