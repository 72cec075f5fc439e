import { createHash } from 'node:crypto'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'

export const persistedQueries = new PersistedQueryLink({
  sha256: (document) => createHash('sha256').update(document).digest('hex'),
})
