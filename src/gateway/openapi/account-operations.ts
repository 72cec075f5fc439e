/** Accounts with their API keys and tokens, and the audit. */
import * as v from 'valibot'
import { pageQuery } from '../../access/administration/list-page.ts'
import { newTokenSchema, tokenEndQuery, tokenListQuery } from '../../access/administration/manage-tokens.ts'
import { auditQuery } from '../../access/administration/read-audit.ts'
import { accountChangeSchema, accountSchema } from '../../access/authentication/account.ts'
import { auditActions, auditedRecords } from '../../store/audit-store.ts'
import { apiKey, apiKeyToCreate, createdApiKey, endedTokens, newApiKey } from './api-key-schemas.ts'
import { logonResponseEntries } from './logon-operations.ts'
import {
  count,
  created,
  createdTagged,
  described,
  done,
  type OperationGroup,
  ok,
  page,
  tagged,
  text,
  time,
} from './operation.ts'
import { limits } from './role-operations.ts'

const accountEntries = {
  username: v.string(),
  role: described(
    v.union([v.string(), v.array(v.string())]),
    'The name of its role, or a list if it has several.',
  ),
  expire_days: described(v.nullable(v.pipe(v.number(), v.integer())), 'The requested lifetime.'),
  expire: v.nullable(time('When the account expires; null if it does not.')),
  disabled: v.boolean(),
  metadata: v.record(v.string(), v.unknown()),
  limits: v.optional(limits),
  created: time('When it was created.'),
}
const account = v.object({
  ...accountEntries,
  second_factor: v.optional(described(v.literal(true), 'If the account has an active second factor.')),
  passkeys: v.optional(count('How many passkeys the account has, if any.')),
})
const createdAccount = v.object({ ...accountEntries, api_key: newApiKey })

const token = v.object({
  username: v.string(),
  hash: text('Its SHA-256 in base64url, by which it can be ended.'),
  created: time('When it was given.'),
  expire: time('When it expires.'),
})

const auditEntry = v.object({
  id: text('Sorts by time.'),
  at: time('When it happened.'),
  account: v.nullable(text('Who did it; null for the program itself.')),
  address: text('The network address of the client; empty for the program itself.'),
  request_id: v.string(),
  action: v.picklist(auditActions),
  record: v.picklist(auditedRecords),
  name: text('The name of the record; of an API key, that of its account.'),
  detail: text('Which part of the record, in a few words; never a value.'),
  changes: described(
    v.record(v.string(), v.object({ before: v.optional(v.unknown()), after: v.optional(v.unknown()) })),
    'By members of the record, what each was and is: without `before` it is new, without `after` it is gone. Without both it has changed, and its values are not kept: passwords, metadata of accounts, headers of routes, and very long ones. Empty for other records.',
  ),
})

export const accountOperations: OperationGroup = {
  tag: 'Accounts',
  schemas: {
    Account: account,
    AccountCreated: createdAccount,
    AccountToCreate: accountSchema,
    AccountChange: accountChangeSchema,
    ApiKey: apiKey,
    ApiKeyCreated: createdApiKey,
    ApiKeyToCreate: apiKeyToCreate,
    Token: token,
    AuditEntry: auditEntry,
  },
  operations: {
    'GET /manage/accounts': {
      id: 'listAccounts',
      summary: 'Lists the accounts, by username.',
      query: pageQuery,
      responses: page(account, 'A page of accounts.'),
    },
    'POST /manage/accounts': {
      id: 'createAccount',
      summary: 'Creates an account with an API key.',
      body: accountSchema,
      responses: createdTagged(createdAccount, 'The new account, with its API key.'),
    },
    'GET /manage/accounts/:username': {
      id: 'getAccount',
      summary: 'Shows an account.',
      conditions: ['If-None-Match'],
      responses: tagged(account, 'The account.'),
    },
    'PATCH /manage/accounts/:username': {
      id: 'changeAccount',
      summary: 'Changes an account: what is left out stays as it is.',
      description: 'A new password, or disabling the account, ends its tokens.',
      conditions: ['If-Match'],
      body: accountChangeSchema,
      responses: tagged(account, 'The account, changed.'),
    },
    'DELETE /manage/accounts/:username': {
      id: 'deleteAccount',
      summary: 'Deletes an account, and ends its API keys and tokens.',
      conditions: ['If-Match'],
      responses: done,
    },
    'POST /manage/accounts/:username/api-key': {
      id: 'renewApiKey',
      summary: 'Replaces the API key "default" of an account.',
      responses: {
        201: {
          description: 'The new key.',
          schema: v.object({ username: v.string(), api_key: newApiKey }),
        },
      },
    },
    'GET /manage/accounts/:username/api-keys': {
      id: 'listApiKeys',
      summary: 'Lists the API keys of an account.',
      responses: ok(v.array(apiKey), 'All of them, without the keys themselves.'),
    },
    'POST /manage/accounts/:username/api-keys': {
      id: 'createApiKey',
      summary: 'Creates an API key of an account.',
      body: apiKeyToCreate,
      responses: created(createdApiKey, 'The new key.'),
    },
    'GET /manage/accounts/:username/api-keys/:name': {
      id: 'getApiKey',
      summary: 'Shows an API key, without the key itself.',
      responses: ok(apiKey, 'The key.'),
    },
    'DELETE /manage/accounts/:username/api-keys/:name': {
      id: 'deleteApiKey',
      summary: 'Deletes an API key; tokens that it was used for stay valid.',
      responses: done,
    },
    'GET /manage/tokens': {
      id: 'listTokens',
      summary: 'Lists the tokens that have not ended, oldest first.',
      query: tokenListQuery,
      responses: page(token, 'A page of tokens, without the tokens themselves.'),
    },
    'POST /manage/tokens': {
      id: 'createToken',
      summary: 'Gives a token for an account, for services that log its owner in by other means.',
      body: newTokenSchema,
      responses: {
        201: {
          description: 'The token, as from a logon.',
          schema: v.object({ ...logonResponseEntries, browser: v.optional(v.string()) }),
        },
      },
    },
    'DELETE /manage/tokens': {
      id: 'endTokens',
      summary: 'Ends the tokens of an account, some of them, or all tokens.',
      query: tokenEndQuery,
      responses: ok(endedTokens, 'How many were ended.'),
    },
    'GET /manage/audit': {
      id: 'listAuditEntries',
      summary: 'Lists who changed what, newest first.',
      query: auditQuery,
      responses: ok(v.array(auditEntry), 'The entries.'),
    },
  },
}
