/** Passkeys of accounts, and logging on with one. */
import * as v from 'valibot'
import {
  passkeyChangeSchema,
  passkeyRemovalSchema,
  passkeySchema,
  passkeyStartSchema,
} from '../../access/administration/manage-passkeys.ts'
import { described, done, type OperationGroup, ok, text, time } from './operation.ts'

const passkey = v.object({
  id: text('Identifies it.'),
  name: text('What its owner calls it.'),
  created: time('When it was registered.'),
  last_used: v.nullable(time('When it was last used; null if it never was.')),
  backed_up: described(v.boolean(), 'Whether it is kept outside the device, too.'),
  transports: described(v.array(v.string()), 'How browsers reach the authenticator.'),
})

const origins = described(v.array(v.string()), 'Origins of the pages that may use passkeys.')
const options = v.record(v.string(), v.unknown())

export const passkeyOperations: OperationGroup = {
  tag: 'Passkeys',
  schemas: { Passkey: passkey },
  operations: {
    'GET /logon/passkey': {
      id: 'getPasskeyLogonOptions',
      summary: 'Gives what a page needs to ask for a passkey.',
      description: 'The challenge is good for one logon within five minutes.',
      access: 'open',
      responses: ok(
        v.object({
          origins,
          options: v.optional(
            described(
              options,
              'As `PublicKeyCredential.parseRequestOptionsFromJSON` takes them; absent if passkeys are turned off.',
            ),
          ),
        }),
        'The options, whoever logs on; no origins if passkeys are turned off.',
      ),
    },
    'GET /whoami/passkeys': {
      id: 'listOwnPasskeys',
      summary: 'Lists the passkeys of the account.',
      access: 'token',
      responses: ok(
        v.object({ origins, passkeys: v.array(passkey) }),
        'All of them, oldest first; no origins if passkeys are turned off.',
      ),
    },
    'POST /whoami/passkeys/options': {
      id: 'beginOwnPasskey',
      summary: 'Gives what a browser needs to make a passkey.',
      description:
        'With a second factor, its code is needed, too. The challenge is good for one registration within five minutes.',
      access: 'token',
      body: passkeyStartSchema,
      responses: ok(
        v.object({
          origins,
          options: described(options, 'As `PublicKeyCredential.parseCreationOptionsFromJSON` takes them.'),
        }),
        'The options.',
      ),
    },
    'POST /whoami/passkeys': {
      id: 'registerOwnPasskey',
      summary: 'Registers a passkey that a browser has made.',
      access: 'token',
      body: passkeySchema,
      responses: { 201: { description: 'The new passkey.', schema: passkey } },
    },
    'PATCH /whoami/passkeys/:id': {
      id: 'renameOwnPasskey',
      summary: 'Renames a passkey.',
      access: 'token',
      body: passkeyChangeSchema,
      responses: ok(passkey, 'The passkey, renamed.'),
    },
    'DELETE /whoami/passkeys/:id': {
      id: 'removeOwnPasskey',
      summary: 'Removes a passkey, by the password.',
      access: 'token',
      body: passkeyRemovalSchema,
      responses: done,
    },
    'GET /manage/accounts/:username/passkeys': {
      id: 'listPasskeys',
      summary: 'Lists the passkeys of an account.',
      responses: ok(v.array(passkey), 'All of them, oldest first.'),
    },
    'DELETE /manage/accounts/:username/passkeys/:id': {
      id: 'removePasskey',
      summary: 'Removes a passkey of an account, as when its owner has lost the device.',
      responses: done,
    },
  },
}
