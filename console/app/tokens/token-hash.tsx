import { Code } from '@mantine/core'

/** Enough of a hash to tell tokens apart. */
export function shortHash(hash: string): string {
  return hash.slice(0, 8)
}

/** Which token it is: the beginning of its hash, all of it when pointed at. */
export function TokenHash({ hash }: { readonly hash: string }) {
  return <Code title={hash}>{shortHash(hash)}…</Code>
}
