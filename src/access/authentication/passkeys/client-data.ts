import * as v from 'valibot'
import type { RelyingParty } from './relying-party.ts'

/** What the browser says about a call: https://www.w3.org/TR/webauthn-3/#dictdef-collectedclientdata */
export interface ClientData {
  readonly challenge: string
  readonly origin: string
}

const clientDataSchema = v.object({
  type: v.picklist(['webauthn.create', 'webauthn.get']),
  challenge: v.string(),
  origin: v.string(),
  /** Whether the page was in a frame of another site. */
  crossOrigin: v.optional(v.literal(false)),
})

/** Reads client data out of base64url; undefined if it cannot be read, is for another call, or comes from a frame. */
export function readClientData(
  text: string,
  type: 'webauthn.create' | 'webauthn.get',
): ClientData | undefined {
  try {
    const given: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    const reading = v.safeParse(clientDataSchema, given)
    return reading.success && reading.output.type === type ? reading.output : undefined
  } catch {
    return undefined
  }
}

/** Says that passkeys do not work at an origin; undefined if they do. */
export function wrongOriginIn({ origin }: ClientData, { origins }: RelyingParty): string | undefined {
  if (origins.includes(origin)) return undefined
  const shown = origin.length > 200 ? 'that of the page' : JSON.stringify(origin)
  return `Passkeys work at ${origins.join(' and ')}, not at the origin ${shown}. An operator can add it to passkey_origins.`
}
