/** The domain that passkeys belong to: https://www.w3.org/TR/webauthn-3/#rp-id */

interface PasskeyOptions {
  readonly passkey_origins?: readonly string[] | undefined
  readonly passkey_domain?: string | undefined
}

/** The configured domain, or the host of the first origin; undefined without origins. */
export function passkeyDomainOf({
  passkey_origins: origins,
  passkey_domain,
}: PasskeyOptions): string | undefined {
  const [first] = origins ?? []
  return first === undefined ? undefined : (passkey_domain ?? new URL(first).hostname)
}

/** What browsers would refuse, one line each. */
export function passkeyMistakes(options: PasskeyOptions): readonly string[] {
  const { passkey_origins: origins = [], passkey_domain: given } = options
  const domain = passkeyDomainOf(options)
  if (domain === undefined) {
    return given === undefined ? [] : ['passkey_domain: has no effect without passkey_origins']
  }
  return origins.flatMap((origin) => {
    const { protocol, hostname } = new URL(origin)
    if (isAddress(hostname)) {
      return `passkey_origins: browsers have no passkeys for network addresses, as in “${origin}”; use a name, such as “localhost”`
    }
    if (protocol !== 'https:' && !isLocal(hostname)) {
      return `passkey_origins: browsers have passkeys only for https, and for “localhost”, not for “${origin}”`
    }
    if (hostname === domain || hostname.endsWith(`.${domain}`)) return []
    return `passkey_domain: “${domain}” is neither the host of “${origin}” nor a domain above it. Origins of different hosts need a passkey_domain above all of them`
  })
}

/** Whether browsers treat plain HTTP at a host as secure. */
function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}

function isAddress(hostname: string): boolean {
  return /^\[|^\d+(\.\d+){3}$/.test(hostname)
}
