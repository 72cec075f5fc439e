/** The second factor of an account, and logging on where it is asked for. */
import * as v from 'valibot'
import {
  activationSchema,
  confirmationSchema,
  setUpSchema,
} from '../../access/administration/manage-second-factor.ts'
import { pageLogonSchema } from '../../access/authentication/logon-documents.ts'
import { logonResponseEntries } from './logon-operations.ts'
import { count, described, done, type OperationGroup, ok, text, time } from './operation.ts'

const recoveryCodes = v.object({
  recovery_codes: described(v.array(v.string()), 'Each replaces a code once. They are not shown again.'),
})

export const secondFactorOperations: OperationGroup = {
  tag: 'Second factor',
  schemas: { RecoveryCodes: recoveryCodes },
  operations: {
    'POST /logon/browser': {
      id: 'logOnAtPage',
      summary: 'Gives a token for a username and a password, to the pages of the gateway alone.',
      description:
        'Only scripts of the gateway’s own origin may call it. With a second factor, `challenge` of the refusal and a `code` follow the password. A passkey replaces all of it.',
      access: 'open',
      headers: { 'X-Requested-With': 'Any text.' },
      body: pageLogonSchema,
      responses: ok(
        v.object({ ...logonResponseEntries, recovery_codes: v.optional(v.array(v.string())) }),
        'The token, and what the account may do with it.',
      ),
    },
    'GET /whoami/second-factor': {
      id: 'getOwnSecondFactor',
      summary: 'Shows whether the account has a second factor.',
      access: 'token',
      responses: ok(
        v.object({
          active: v.boolean(),
          created: v.nullable(time('When it was set up; null if it is not active.')),
          recovery_codes: count('How many recovery codes are left.'),
        }),
        'Without any secret.',
      ),
    },
    'POST /whoami/second-factor': {
      id: 'setUpOwnSecondFactor',
      summary: 'Makes the secret for an authenticator app. It is asked for when it is active.',
      access: 'token',
      body: setUpSchema,
      responses: {
        201: {
          description: 'The secret, which is not shown again.',
          schema: v.object({
            secret: v.string(),
            uri: text('The same as an address, for a QR code.'),
          }),
        },
      },
    },
    'PATCH /whoami/second-factor': {
      id: 'activateOwnSecondFactor',
      summary: 'Activates the second factor, by a code of the authenticator app.',
      access: 'token',
      body: activationSchema,
      responses: ok(recoveryCodes, 'The recovery codes.'),
    },
    'DELETE /whoami/second-factor': {
      id: 'turnOffOwnSecondFactor',
      summary: 'Turns the second factor off, by password and code.',
      access: 'token',
      body: confirmationSchema,
      responses: done,
    },
    'POST /whoami/second-factor/recovery-codes': {
      id: 'renewOwnRecoveryCodes',
      summary: 'Replaces the recovery codes, by password and code.',
      access: 'token',
      body: confirmationSchema,
      responses: { 201: { description: 'The new codes.', schema: recoveryCodes } },
    },
    'DELETE /manage/accounts/:username/second-factor': {
      id: 'removeSecondFactor',
      summary: 'Removes the second factor of an account whose owner has lost it.',
      responses: done,
    },
  },
}
