/** A token as far as its renewal depends on it. */
export interface TokenLife {
  /** When it was obtained, in milliseconds since 1970; absent if unknown. */
  readonly since?: number | undefined
  /** When it ends, as ISO 8601; absent if unknown. */
  readonly expires?: string | undefined
}

/** The longest time before its end at which a token is renewed, in milliseconds. */
const longestMarginMs = 30_000

/**
 * Whether a token is to be renewed: in the last quarter of its life, but not more than 30 s before its end, so that a
 * short-lived token is used too. A token without a known end never is.
 */
export function isRenewalDue({ since, expires }: TokenLife, timestamp: number): boolean {
  const end = endOf(expires)
  const life = since === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - since)
  return timestamp >= end - Math.min(longestMarginMs, life / 4)
}

/** Whether a token may still be used. */
export function isUsable({ expires }: Pick<TokenLife, 'expires'>, timestamp: number): boolean {
  return timestamp < endOf(expires)
}

function endOf(expires: string | undefined): number {
  return expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires)
}
