/** What the calls are sent that log an account on. */
import * as v from 'valibot'
import { refuse, strictObject } from '../../documents/document-schema.ts'
import { normalizeAddress } from '../../util/network-address.ts'
import { browserProofsSchema } from './known-browser.ts'
import { assertionSchema } from './passkeys/verify.ts'

export const logonSchema = strictObject({ username: v.string(), password: v.string() })
/** What a person enters; with the second factor in two steps. */
const personEntries = {
  username: v.string(),
  password: v.optional(v.string()),
  challenge: v.optional(v.string()),
  code: v.optional(v.pipe(v.string(), v.maxLength(100))),
}
/** A passkey says who its owner is, and replaces the second factor, too. */
const passkeyEntries = { passkey: assertionSchema }
/** What a service adds: it names the client. */
const clientEntries = {
  address: v.pipe(
    v.string(),
    refuse((text) =>
      normalizeAddress(text) === undefined
        ? 'This must be the network address of the client, such as "192.0.2.1".'
        : undefined,
    ),
  ),
  browsers: browserProofsSchema,
}
export const passwordAtPage = strictObject(personEntries)
export const passkeyAtPage = strictObject(passkeyEntries)
export const passwordCheck = strictObject({
  ...personEntries,
  ...clientEntries,
  api_key: v.optional(v.string()),
})
export const passkeyCheck = strictObject({ ...passkeyEntries, ...clientEntries })

/** Either with a password or with a passkey. */
export const pageLogonSchema = v.union([passwordAtPage, passkeyAtPage])
export const logonCheckSchema = v.union([passwordCheck, passkeyCheck])
