/** The areas of the console: the navigation, the command palette and the routes are made of this list. */
import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconApi,
  IconBrandGraphql,
  IconBrowserCheck,
  IconFileTypography,
  IconHistory,
  IconLayoutDashboard,
  IconRoute,
  IconSchema,
  IconShieldLock,
  IconTable,
  IconTicket,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import type { FlatNamespace } from 'i18next'
import type { ComponentType } from 'react'
import type { Call } from '../api/access.ts'
import type { ConsoleSession } from '../api/console-session.ts'

/** A group of areas in the navigation; what is about one's own account is in the menu of the account. */
export type AreaGroup = 'home' | 'data' | 'access' | 'operation' | 'own'

export interface Area {
  /** Its name in `areas` of the shell's texts. */
  readonly name:
    | 'overview'
    | 'data'
    | 'entities'
    | 'graphql'
    | 'apis'
    | 'roles'
    | 'accounts'
    | 'tokens'
    | 'sessions'
    | 'audit'
    | 'templates'
    | 'routes'
    | 'status'
    | 'configuration'
    | 'account'
  /** Its path below the console, without slashes at the ends. */
  readonly path: string
  readonly group: AreaGroup
  readonly icon: Icon
  /** It is shown to those who may make one of these calls; to everyone where there are none. */
  readonly needs: readonly Call[]
  /** Whether the web front has what it shows; absent if every web front has. */
  readonly isServed?: (session: ConsoleSession) => boolean
  /** Folders whose texts it shows besides its own. */
  readonly texts?: readonly FlatNamespace[]
  /** Loads its component, which has the routes below `path`. */
  readonly load: () => Promise<ComponentType>
  /** Finds pages of the area by a text, for the command palette; absent if it has none to find. */
  readonly find?: (text: string, signal: AbortSignal) => Promise<readonly FoundPage[]>
}

/** A page that was found. */
export interface FoundPage {
  /** Its address below the console. */
  readonly path: string
  readonly label: string
  readonly description?: string
}

/** In the order of the navigation. */
export const areas: readonly Area[] = [
  {
    name: 'overview',
    path: '',
    group: 'home',
    icon: IconLayoutDashboard,
    needs: [],
    load: async () => (await import('../overview/overview.tsx')).Overview,
  },
  {
    name: 'data',
    path: 'data',
    group: 'data',
    icon: IconTable,
    needs: [],
    texts: ['bulk', 'totals', 'transfer'],
    load: async () => (await import('../data/data.tsx')).Data,
    find: async (text, signal) => (await import('../data/find-tables.ts')).findTables(text, signal),
  },
  {
    name: 'entities',
    path: 'entities',
    group: 'data',
    icon: IconSchema,
    needs: [{ method: 'GET', path: '/manage/entities' }],
    load: async () => (await import('../entities/entities.tsx')).Entities,
  },
  {
    name: 'graphql',
    path: 'graphql',
    group: 'data',
    icon: IconBrandGraphql,
    needs: [{ method: 'POST', path: '/graphql' }],
    load: async () => (await import('../graphql/graphql.tsx')).Graphql,
  },
  {
    name: 'apis',
    path: 'apis',
    group: 'data',
    icon: IconApi,
    needs: [{ method: 'GET', path: '/openapi.json' }],
    load: async () => (await import('../apis/apis.tsx')).Apis,
    find: async (text, signal) => (await import('../apis/find-apis.ts')).findApis(text, signal),
  },
  {
    name: 'roles',
    path: 'roles',
    group: 'access',
    icon: IconShieldLock,
    needs: [{ method: 'GET', path: '/manage/roles' }],
    texts: ['data'],
    load: async () => (await import('../roles/roles.tsx')).Roles,
    find: async (text, signal) => (await import('../roles/find-roles.ts')).findRoles(text, signal),
  },
  {
    name: 'accounts',
    path: 'accounts',
    group: 'access',
    icon: IconUsers,
    needs: [{ method: 'GET', path: '/manage/accounts' }],
    texts: ['account', 'audit', 'sessions', 'tokens'],
    load: async () => (await import('../accounts/accounts.tsx')).Accounts,
    find: async (text, signal) => (await import('../accounts/find-accounts.ts')).findAccounts(text, signal),
  },
  {
    name: 'tokens',
    path: 'tokens',
    group: 'access',
    icon: IconTicket,
    needs: [{ method: 'GET', path: '/manage/tokens' }],
    load: async () => (await import('../tokens/tokens.tsx')).Tokens,
  },
  {
    name: 'sessions',
    path: 'sessions',
    group: 'access',
    icon: IconBrowserCheck,
    needs: [{ method: 'GET', path: '/manage/sessions' }],
    load: async () => (await import('../sessions/sessions.tsx')).Sessions,
  },
  {
    name: 'audit',
    path: 'audit',
    group: 'access',
    icon: IconHistory,
    needs: [{ method: 'GET', path: '/manage/audit' }],
    load: async () => (await import('../audit/audit.tsx')).Audit,
  },
  {
    name: 'templates',
    path: 'templates',
    group: 'operation',
    icon: IconFileTypography,
    needs: [],
    isServed: ({ templates }) => templates === true,
    load: async () => (await import('../templates/templates.tsx')).Templates,
  },
  {
    name: 'routes',
    path: 'routes',
    group: 'operation',
    icon: IconRoute,
    needs: [{ method: 'GET', path: '/manage/routes' }],
    load: async () => (await import('../routes/routes.tsx')).Routes,
  },
  {
    name: 'status',
    path: 'status',
    group: 'operation',
    icon: IconActivity,
    needs: [
      { method: 'GET', path: '/manage/status' },
      { method: 'GET', path: '/manage/statements' },
    ],
    load: async () => (await import('../status/status.tsx')).Status,
  },
  {
    name: 'configuration',
    path: 'configuration',
    group: 'operation',
    icon: IconAdjustments,
    needs: [{ method: 'GET', path: '/manage/configuration' }],
    load: async () => (await import('../configuration/configuration.tsx')).Configuration,
  },
  {
    name: 'account',
    path: 'account',
    group: 'own',
    icon: IconUserCircle,
    needs: [],
    load: async () => (await import('../account/account.tsx')).Account,
  },
]
