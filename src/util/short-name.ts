const longest = 200

/** A name as it is shown in messages: what is too long for a name is cut. */
export function shortName(name: string): string {
  return name.length > longest ? `${name.slice(0, longest)}…` : name
}
