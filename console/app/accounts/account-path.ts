/** The page of an account. */
export function accountPath(username: string): string {
  return `/accounts/named/${encodeURIComponent(username)}`
}
