/** Roles, and why an account may call what. */
import * as v from 'valibot'
import { pageQuery } from '../../access/administration/list-page.ts'
import { accessQuery, grounds } from '../../access/authorization/explain-access.ts'
import { recordConditionsEntries } from '../../access/authorization/record-conditions-schema.ts'
import { limitsSchema } from '../../access/authorization/request-limits.ts'
import { roleSchema, roleToPutSchema } from '../../access/authorization/role.ts'
import { roleChangeQuery } from '../routes/roles.ts'
import {
  count,
  createdTagged,
  described,
  done,
  type OperationGroup,
  ok,
  page,
  tagged,
  text,
} from './operation.ts'

const ownAuthority = v.object({
  regex: text('A regular expression in RE2 syntax that must match the whole path.', '/apis/ports(/.*)?'),
  methods: v.array(v.string()),
})
const authority = v.object({ ...ownAuthority.entries, ...recordConditionsEntries })

/** Rate limits as they are written and shown. */
export const limits = v.pipe(limitsSchema, v.description('So many requests in so many seconds.'))

const role = v.object({
  name: v.string(),
  authorities: v.array(authority),
  gives: v.optional(described(v.union([v.literal('*'), v.array(v.string())]), 'The roles that it may give.')),
  limits: v.optional(limits),
  targets: v.optional(described(v.array(v.string()), 'Where the routes may lead that it lets write.')),
  warnings: v.optional(
    described(v.array(v.string()), 'What is perhaps not intended, after it was written; in sentences.'),
  ),
})

/** The roles of an account, as it sees them: each regular expression ends in an anchor, and conditions are left out. */
export const ownRole = v.object({ name: v.string(), authorities: v.array(ownAuthority) })

const rowExplanation = v.optional(
  described(
    v.object({ admitted: v.boolean(), failed: v.array(v.string()) }),
    'Whether its conditions on rows admit the record that `row` names; `failed` has the pointers of those that do not.',
  ),
)

/** Why a request is allowed or refused. */
export const accessExplanation = v.object({
  allowed: v.boolean(),
  because: described(
    v.picklist(grounds),
    'What decides: a public route, an authority, or authorities for some parts; or that the path is refused for everyone, the account is disabled or has expired, only authorities with conditions on records match, the method does not match, or nothing does.',
  ),
  reason: text('The answer in one sentence.'),
  path: v.optional(text('The path as it is authorized; absent if it is refused for everyone.')),
  scope: v.optional(v.picklist(['public', 'protected'])),
  roles: v.optional(
    v.array(
      v.object({
        name: v.string(),
        authorities: v.array(
          v.object({
            regex: v.string(),
            methods: v.array(v.string()),
            path_matches: v.boolean(),
            method_matches: v.boolean(),
            ...recordConditionsEntries,
            advice: v.optional(
              text('What the expression was probably meant to be, or why it grants nothing at this path.'),
            ),
            row: rowExplanation,
          }),
        ),
        targets: v.optional(v.array(v.string())),
      }),
    ),
  ),
  route: v.optional(
    described(
      v.object({
        name: v.string(),
        path: v.string(),
        methods: v.array(v.string()),
        ...recordConditionsEntries,
        row: rowExplanation,
      }),
      'The public route that decides, if it has conditions: what it allows anyone.',
    ),
  ),
  only: v.optional(
    described(v.array(v.string()), 'The parts that are allowed, if not all are: for /graphql, entities.'),
  ),
})

const changedCalls = (description: string) =>
  described(
    v.array(
      v.object({
        method: v.string(),
        path: text('`/apis/ports/*` is some path one segment below.', '/apis/ports'),
        accounts: count('How many accounts may make the call because of the change, or no longer.'),
      }),
    ),
    description,
  )
const effect = v.object({
  entity: v.string(),
  account: described(
    v.nullable(v.string()),
    'Null for one that has this role only, and none of the values that conditions name.',
  ),
  method: described(v.picklist(['GET', 'PUT', 'PATCH', 'DELETE']), '`GET` is reading, in GraphQL too.'),
  counted: described(
    v.boolean(),
    'Whether the numbers are there: not if the caller may not read the whole table, or counting takes too long.',
  ),
  opens: v.optional(count('How many records it reaches because of the change.')),
  closes: v.optional(count('How many records it no longer reaches.')),
  fields: v.optional(
    described(
      v.array(
        v.object({
          name: v.string(),
          opens: count('On how many it is given because of the change.'),
          closes: count('On how many it is no longer given.'),
        }),
      ),
      'Fields that change on records that are reached before and after.',
    ),
  ),
})
const effects = v.object({
  role,
  created: described(v.boolean(), 'Whether there is no such role yet.'),
  warnings: v.optional(described(v.array(v.string()), 'What is perhaps not intended; in sentences.')),
  accounts: count('How many accounts have the role.'),
  opens: changedCalls('Calls that the role would allow, and does not now.'),
  closes: changedCalls('Calls that the role allows now, and would not.'),
  truncated: described(v.boolean(), 'Whether there are more than 500.'),
  records: described(v.array(effect), 'What changes of the records of entities, for accounts.'),
  records_truncated: described(
    v.boolean(),
    'Whether there may be more: than 100, or than were found in five seconds.',
  ),
})

export const roleOperations: OperationGroup = {
  tag: 'Roles',
  schemas: {
    Role: role,
    RoleToCreate: roleSchema,
    RoleToReplace: roleToPutSchema,
    OwnRole: ownRole,
    OwnAuthority: ownAuthority,
    Authority: authority,
    Limits: limits,
    RoleEffects: effects,
    AccessExplanation: accessExplanation,
  },
  operations: {
    'GET /manage/roles': {
      id: 'listRoles',
      summary: 'Lists the roles, by name.',
      query: pageQuery,
      responses: page(role, 'A page of roles.'),
    },
    'POST /manage/roles': {
      id: 'createRole',
      summary: 'Creates a role.',
      query: roleChangeQuery,
      body: roleSchema,
      responses: {
        ...ok(effects, 'With dry_run: what it would do.'),
        ...createdTagged(role, 'The new role.'),
      },
    },
    'GET /manage/roles/:name': {
      id: 'getRole',
      summary: 'Shows a role.',
      conditions: ['If-None-Match'],
      responses: tagged(role, 'The role.'),
    },
    'PUT /manage/roles/:name': {
      id: 'replaceRole',
      summary: 'Replaces a role, or creates it.',
      query: roleChangeQuery,
      conditions: ['If-Match', 'If-None-Match: *'],
      body: roleToPutSchema,
      responses: {
        ...tagged(v.union([role, effects]), 'The role, replaced; with dry_run, what that would do.'),
        ...createdTagged(role, 'The role, created.'),
      },
    },
    'DELETE /manage/roles/:name': {
      id: 'deleteRole',
      summary: 'Deletes a role that no account has.',
      conditions: ['If-Match'],
      responses: done,
    },
    'GET /manage/explain-access': {
      id: 'explainAccess',
      summary: 'Says why an account may make a request, or may not.',
      query: accessQuery,
      responses: ok(accessExplanation, 'The answer, with every authority of the account.'),
    },
  },
}
