const longest = 200

/** A name as messages show it: long ones are truncated. */
export function shortName(name: string): string {
  return name.length > longest ? `${name.slice(0, longest)}…` : name
}
