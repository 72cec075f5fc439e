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

/** A route to an upstream API that a caller may call on some path. */
export interface ReachedRoute {
  readonly name: string
  /** As it is written: `:name` is one segment, a final `/*` any rest below. */
  readonly path: string
  /** Those that the caller may use on some path, with whether anybody may. */
  readonly methods: readonly { readonly method: string; readonly isPublic: boolean }[]
}
