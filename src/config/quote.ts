const longest = 60

/** Outside text for a message: in quotes, on one line, and not longer than a message bears. */
export function quote(outside: string): string {
  return JSON.stringify(outside.length > longest ? `${outside.slice(0, longest)}…` : outside)
}

/** A name from outside for a message: as it is when it is harmless, quoted when not. */
export function showName(outside: string): string {
  return /^[\w.-]{1,60}$/.test(outside) ? outside : quote(outside)
}
