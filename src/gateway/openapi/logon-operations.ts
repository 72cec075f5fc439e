/** Logging on and off, and what an account may know of itself and change. */
import * as v from 'valibot'
import {
  keyRemovalSchema,
  ownTokenQuery,
  passwordChangeSchema,
} from '../../access/administration/manage-own-account.ts'
import { apiKeySchema } from '../../access/authentication/api-key.ts'
import { logonCheckSchema, logonSchema } from '../../access/authentication/logon-documents.ts'
import { ownAccessQuery } from '../../access/authorization/explain-access.ts'
import { callsSchema } from '../allowed-calls.ts'
import { apiKey, createdApiKey, endedTokens } from './api-key-schemas.ts'
import { described, done, type OperationGroup, ok, text, time } from './operation.ts'
import { accessExplanation, ownRole } from './role-operations.ts'

/** The members of the response to a logon. */
export const logonResponseEntries = {
  'x-xaas-auth-token': text('The token for every other call.'),
  expire: time('When the token expires.'),
  limited: described(v.boolean(), 'Whether the account expires.'),
  role: ownRole,
  roles: described(v.array(ownRole), 'Each role of the account.'),
}
const logonResponse = v.object(logonResponseEntries)

const caller = v.object({
  username: v.string(),
  id: v.nullable(text('Changes if the account is created again; null if it has just been deleted.')),
  role: ownRole,
  roles: v.array(ownRole),
  metadata: v.record(v.string(), v.unknown()),
  limited: described(v.boolean(), 'Whether the account expires.'),
  account_expire: v.nullable(time('When the account expires; null if it does not.')),
  expire: time('When the token expires.'),
})

export const logonOperations: OperationGroup = {
  tag: 'Own account',
  schemas: { LogonResponse: logonResponse, Logon: logonSchema, LogonCheck: logonCheckSchema, Caller: caller },
  operations: {
    'POST /logon': {
      id: 'logon',
      summary: 'Gives a token for an API key, a username and a password.',
      access: 'open',
      headers: { 'X-Xaas-Api-Key': 'An API key of the account.' },
      body: logonSchema,
      responses: ok(logonResponse, 'The token, and what the account may do with it.'),
    },
    'POST /logoff': {
      id: 'logoff',
      summary: 'Ends the token of the call.',
      access: 'token',
      responses: done,
    },
    'GET /whoami': {
      id: 'getCaller',
      summary: 'Shows the account of the token.',
      access: 'token',
      responses: ok(caller, 'The account and its roles.'),
    },
    'GET /whoami/explain-access': {
      id: 'explainOwnAccess',
      summary: 'Says why the account may make a request, or may not.',
      access: 'token',
      query: ownAccessQuery,
      responses: ok(accessExplanation, 'The answer, with every authority of the account.'),
    },
    'POST /whoami/access': {
      id: 'listAllowedCalls',
      summary: 'Says which calls the account may make, of up to 200.',
      description:
        'Each is decided as a request is; whether there is anything at a path makes no difference.',
      access: 'token',
      body: callsSchema,
      responses: ok(
        v.object({
          calls: v.array(v.object({ method: v.string(), path: v.string(), allowed: v.boolean() })),
        }),
        'The calls in the same order.',
      ),
    },
    'PATCH /whoami/password': {
      id: 'changeOwnPassword',
      summary: 'Changes the password of the account, and ends its other tokens.',
      access: 'token',
      body: passwordChangeSchema,
      responses: done,
    },
    'GET /whoami/api-keys': {
      id: 'listOwnApiKeys',
      summary: 'Lists the API keys of the account.',
      access: 'token',
      responses: ok(v.array(apiKey), 'All of them, without the keys themselves.'),
    },
    'POST /whoami/api-keys': {
      id: 'createOwnApiKey',
      summary: 'Creates an API key of the account.',
      access: 'token',
      body: apiKeySchema(new Date(0), { password: v.string() }),
      responses: { 201: { description: 'The new key.', schema: createdApiKey } },
    },
    'DELETE /whoami/api-keys': {
      id: 'deleteOwnApiKey',
      summary: 'Deletes an API key of the account.',
      access: 'token',
      body: keyRemovalSchema,
      responses: done,
    },
    'DELETE /whoami/tokens': {
      id: 'endOwnTokens',
      summary: 'Ends tokens of the account by their hashes.',
      access: 'token',
      query: ownTokenQuery,
      responses: ok(endedTokens, 'How many were ended.'),
    },
    'POST /manage/logon-checks': {
      id: 'checkLogon',
      summary: 'Checks the password or the passkey of a person, for services such as the web front.',
      body: logonCheckSchema,
      responses: ok(
        v.object({
          username: v.string(),
          browser: text('Proves later that this browser has logged in with the account.'),
          recovery_codes: v.optional(v.array(v.string())),
          ...logonResponseEntries,
        }),
        'A token for the person.',
      ),
    },
  },
}
