import type { AccessParts } from '../access-parts.ts'
import type { Caller } from '../caller.ts'

/** Ends the token of a caller. */
export async function logoff(
  { store, directory }: Pick<AccessParts, 'store' | 'directory'>,
  { tokenHash }: Pick<Caller, 'tokenHash'>,
): Promise<void> {
  if (directory.forgetToken(tokenHash)) return
  await store.transaction(async (connection) => {
    await store.changes.note(connection, 'tokens')
    await store.tokens.remove(connection, tokenHash)
  })
  directory.forgetToken(tokenHash)
}
