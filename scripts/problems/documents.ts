import type { ProblemPage } from './problem-page.ts'

/** Problems of what was asked for or sent. */
export const documentsProblems = {
  NOT_FOUND: {
    why: 'Nothing is served at this path, or nothing that this caller may know of.',
    fix: 'Check the spelling: published APIs are at `/apis/<resource>`, where the resource is the plural of the entity. `GET /openapi.json` lists those that you may call.',
    detail: 'There is nothing at this path. Published APIs are below /apis: /apis/ports.',
  },
  METHOD_NOT_ALLOWED: {
    why: 'The path exists, and does not support this method.',
    fix: 'Use one of the methods in `Allow`.',
    detail: 'This path takes GET, POST, HEAD.',
  },
  RECORD_NOT_FOUND: {
    why: 'There is no record with this identifier or name: it was deleted or never existed.',
    fix: 'Look at the list, or create the record first.',
    detail: 'There is no Port whose id is "p9".',
  },
  TEMPLATE_UNKNOWN: {
    why: '`/echo` was asked for a template that is not configured.',
    fix: 'Use a name under `echo.templates` of the configuration ([files from templates](../echo.md)).',
    detail: 'There is no such template.',
  },
  DOCUMENT_INVALID: {
    why: 'The JSON can be read, and is not what this path expects.',
    fix: 'Correct each place in `errors`: `pointer` is a JSON pointer into what was sent.',
    detail: 'There is one mistake; "errors" says where.',
  },
  ENTITY_DEFINITION_INVALID: {
    why: 'An entity definition has unknown keys or types, names that cannot be used, or references to nothing. Nothing was changed.',
    fix: 'Correct each place in `errors` ([entity definitions](../reference/entity-definitions.md)); `?dry_run=true` checks without changing anything.',
    detail: 'There is one mistake; "errors" says where.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    why: 'The header `Idempotency-Key` was sent before with another call, or what the account may do has changed since.',
    fix: 'Make a new key for each call; repeat a key only with the same call.',
    detail: 'The idempotency key was used for another call. Use a new key for every new call.',
  },
  RECORD_INVALID: {
    why: 'A value breaks a rule of the entity: its type, `field_enum`, `field_nullable`, `field_immutable` or a reference.',
    fix: 'Correct each place in `errors`.',
    detail: 'There is one mistake; "errors" says where.',
  },
  CODE_WRONG: {
    why: 'The code is not the one that the authenticator app of the account shows now, it was used before, or the recovery code is not one of the account.',
    fix: 'Wait for the next code. If every code is wrong, set the clock of the device with the app, or use a recovery code. After ten wrong codes in a row there are pauses.',
    detail:
      'This is not the code that the authenticator app shows, or it was used before. Wait for the next one.',
  },
  SECOND_FACTOR_STATE: {
    why: 'A second factor was to be set up where one is active, or activated or turned off where none is.',
    fix: 'Read `GET /whoami/second-factor`. To set up another authenticator app, turn the second factor off first.',
    detail: 'The account has a second factor already. Turn it off first.',
  },
  PASSKEY_INVALID: {
    why: 'What was sent to register a passkey is not an answer to a challenge of this account within five minutes, comes from a page that is not at one of the `passkey_origins`, or the authenticator did not verify who uses it.',
    fix: 'Begin again, at a page with one of the origins that `GET /whoami/passkeys` names.',
    detail:
      'Passkeys work at https://app.example.org, not at the origin "https://other.example.org". An operator can add it to passkey_origins.',
  },
  PASSKEYS_OFF: {
    why: 'A passkey was sent for a logon or was to be registered, and the gateway has no `passkey_origins`.',
    fix: 'Log on with the password. An operator turns passkeys on ([passkeys](../reference/access.md#passkeys)).',
    detail: 'This gateway has no pages that may use passkeys. An operator names them in passkey_origins.',
  },
  TOO_MANY_PASSKEYS: {
    why: 'The account has as many passkeys as an account may have.',
    fix: 'Delete a passkey that is no longer used: the list shows when each was last used.',
    detail: 'An account has at most 20 passkeys. Delete one that is no longer used first.',
  },
  PASSWORD_WRONG: {
    why: 'A change of your own password or API keys needs your current password, and another one was sent.',
    fix: 'Enter the password with which you log on now. Wrong ones count like failed logons.',
    detail: 'This is not the password of your account.',
  },
  TOO_MANY_API_KEYS: {
    why: 'The account has as many API keys as an account may have.',
    fix: 'Delete a key that is no longer used: the list shows when each was last used.',
    detail: 'An account has at most 100 API keys. Delete one that is no longer used first.',
  },
  NAME_TAKEN: {
    why: 'Another role, account, route or entity has this name.',
    fix: 'Choose another name, or change the existing one.',
    detail: 'There is a role "reader" already.',
  },
  LAST_ADMINISTRATOR: {
    why: 'The change would leave no account that may change roles and accounts.',
    fix: 'Make another administrator first.',
    detail: 'The last administrator cannot be removed.',
  },
  IN_USE: {
    why: 'Something still refers to it: accounts to a role, records to a record.',
    fix: 'Remove what refers to it first. `detail` says what that is.',
    detail: 'The role "reader" is still given to an account.',
  },
  VALUE_NOT_UNIQUE: {
    why: 'Another record has the value of a field that must be unique.',
    fix: 'Send another value, or change the other record.',
    detail: 'There is a Port whose id is "p1" already.',
  },
  TABLE_CHANGE_REFUSED: {
    why: 'The upload would lose data, or existing rows break a new rule. Nothing was changed.',
    fix: 'Read `errors`. If losing the data is right, upload with `?allow_destructive=true` (`--allow_destructive` on the command line).',
    detail: 'There is one mistake; "errors" says where.',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    why: 'A call with the same `Idempotency-Key` is still running.',
    fix: 'Wait, and repeat the call.',
    detail: 'A call with this idempotency key is in progress.',
  },
  ADOPTION_REFUSED: {
    why: 'A table has no key, a type that no field type stands for, or a name that is taken.',
    fix: 'Correct each place in `errors` ([adopting tables](../reference/entity-definitions.md#adopting-tables)).',
    detail: 'There is one mistake; "errors" says where.',
  },
  PRECONDITION_FAILED: {
    why: '`If-Match` names a version of the record that is not the current one: someone else has changed it.',
    fix: 'Read the record again, and repeat the change with its new `ETag`.',
    detail: 'The record has changed since it was read.',
  },
} as const satisfies Readonly<Record<string, ProblemPage>>
