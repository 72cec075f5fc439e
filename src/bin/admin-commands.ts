import type { CommandEntry } from './command.ts'

/** The commands that call a running gateway. */
export const adminCommands: Readonly<Record<string, CommandEntry>> = {
  apply: {
    summary: 'make a running gateway match what files declare',
    load: async () => (await import('./apply.ts')).apply,
  },
  role: {
    summary: 'show and change the roles of a running gateway',
    load: async () => (await import('./role.ts')).role,
  },
  account: {
    summary: 'show and change its accounts',
    load: async () => (await import('./account.ts')).account,
  },
  key: {
    summary: 'show, create and delete the API keys of an account',
    load: async () => (await import('./key.ts')).key,
  },
  route: {
    summary: 'show and change its routes',
    load: async () => (await import('./route.ts')).route,
  },
  entity: {
    summary: 'show, plan, upload and delete its entity definitions',
    load: async () => (await import('./entity.ts')).entity,
  },
  names: {
    summary: 'show and choose its names in GraphQL',
    load: async () => (await import('./names.ts')).names,
  },
  token: {
    summary: 'show and end its tokens',
    load: async () => (await import('./token.ts')).token,
  },
  audit: {
    summary: 'show who changed what',
    load: async () => (await import('./audit.ts')).audit,
  },
  'explain-access': {
    summary: 'say why an account may make a request, or may not',
    load: async () => (await import('./explain-access.ts')).explainAccess,
  },
}
