import { useState } from 'react'

interface NewerOptions<Stored> {
  /** Reads what is stored now. */
  readonly read: () => Promise<Stored>
  /** Whether two versions say the same, as far as it is edited here. */
  readonly isSame: (one: Stored, other: Stored) => boolean
}

/** Finds out before something is saved whether someone else has changed it: nobody overwrites what they have not seen. */
export function useNewer<Stored>({ read, isSame }: NewerOptions<Stored>): {
  /** What someone else has made of it; undefined as long as that is not known, or was decided. */
  readonly newer: Stored | undefined
  readonly forget: () => void
  /** Whether the version that was seen is still the stored one, and may be overwritten. */
  readonly maySave: (seen: Stored) => Promise<boolean>
} {
  const [newer, setNewer] = useState<Stored>()
  return {
    newer,
    forget: () => setNewer(undefined),
    async maySave(seen) {
      const now = await read()
      const isSeen = isSame(now, seen)
      setNewer(isSeen ? undefined : now)
      return isSeen
    },
  }
}
