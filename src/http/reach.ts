/** Which calls of the gateway's own APIs are allowed. */
interface Allowance {
  mayCall(method: string, path: string): boolean
  /** Whether a method may be called on some path that has one more segment than `path`. */
  mayCallBelow(method: string, path: string): boolean
}

/** What a caller may call, with a token and without. */
export interface Reach extends Allowance {
  readonly anybody: Allowance
}
