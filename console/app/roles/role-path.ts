/** The page of a role. */
export function rolePath(name: string): string {
  return `/roles/named/${encodeURIComponent(name)}`
}
