/** The pages that may use passkeys: https://www.w3.org/TR/webauthn-3/#relying-party */
export interface RelyingParty {
  /** The domain that passkeys belong to: the host of every origin, or a domain above it. */
  readonly id: string
  /** As browsers write them, such as `https://app.example.org`. */
  readonly origins: readonly string[]
}

/** What authenticators show beside the name of the account. */
export const relyingPartyName = 'Gatehouse'
