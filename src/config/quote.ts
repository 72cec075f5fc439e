const longest = 60

/** External text for a message: in quotes, on one line, and truncated. */
export function quote(outside: string): string {
  return JSON.stringify(outside.length > longest ? `${outside.slice(0, longest)}…` : outside)
}

/** An external name for a message: quoted unless it is harmless. */
export function showName(outside: string): string {
  return /^[\w.-]{1,60}$/.test(outside) ? outside : quote(outside)
}
