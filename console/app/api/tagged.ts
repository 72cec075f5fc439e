/** Records with the tags by which a change says what it was made of. */
import { Refusal } from '../../../browser/refusal.ts'
import { dataOf } from './gateway.ts'

/** A record in one of its states. */
export interface Tagged<Value> {
  readonly value: Value
  /** Names the state. */
  readonly etag: string
}

/** The body of a response of `gateway`, and its `ETag`. */
export async function taggedOf<Data>(
  answer: Promise<{ readonly data?: Data; readonly response: Response }>,
): Promise<Tagged<Data>> {
  const value = await dataOf(answer)
  return { value, etag: (await answer).response.headers.get('etag') ?? '*' }
}

/** The parameters of a call that changes nothing but the state that a tag names; without a tag, any state. */
export function matching(etag: string | undefined): { readonly header?: { readonly 'If-Match': string } } {
  return etag === undefined ? {} : { header: { 'If-Match': etag } }
}

/** What is needed to write over a version that was seen, and over no other. */
export interface SeenVersion<Stored, Written> {
  readonly seen: Stored
  /** Reads what is stored now. */
  readonly read: () => Promise<Tagged<Stored>>
  /** Whether two versions say the same, as far as it matters here. */
  readonly isSame: (one: Stored, other: Stored) => boolean
  /** Sends the change with the tag of what was read; rejects with status 412 if that has changed again. */
  readonly write: (etag: string) => Promise<Written>
}

const mostTries = 5

/**
 * Writes over what was seen: what is stored may have changed since, but only where that does not matter here. Gives what was
 * written, or what someone else has made of it.
 */
export async function writeOver<Stored, Written>({
  seen,
  read,
  isSame,
  write,
}: SeenVersion<Stored, Written>): Promise<{ readonly written: Written } | { readonly newer: Stored }> {
  for (let tries = 1; ; tries += 1) {
    const { value, etag } = await read()
    if (!isSame(value, seen)) return { newer: value }
    try {
      return { written: await write(etag) }
    } catch (error) {
      const isChanged = error instanceof Refusal && error.status === 412
      if (!isChanged || tries === mostTries) throw error
    }
  }
}
