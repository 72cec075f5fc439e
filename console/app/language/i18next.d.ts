/** Lets the compiler check the keys of texts. One line for each folder with texts. */
import 'i18next'
import type account from '../account/messages.en.json'
import type accounts from '../accounts/messages.en.json'
import type audit from '../audit/messages.en.json'
import type components from '../components/messages.en.json'
import type configuration from '../configuration/messages.en.json'
import type data from '../data/messages.en.json'
import type entities from '../entities/messages.en.json'
import type graphql from '../graphql/messages.en.json'
import type overview from '../overview/messages.en.json'
import type roles from '../roles/messages.en.json'
import type routes from '../routes/messages.en.json'
import type sessions from '../sessions/messages.en.json'
import type shell from '../shell/messages.en.json'
import type status from '../status/messages.en.json'
import type tokens from '../tokens/messages.en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: {
      account: typeof account
      accounts: typeof accounts
      tokens: typeof tokens
      sessions: typeof sessions
      audit: typeof audit
      components: typeof components
      configuration: typeof configuration
      data: typeof data
      entities: typeof entities
      graphql: typeof graphql
      overview: typeof overview
      roles: typeof roles
      routes: typeof routes
      shell: typeof shell
      status: typeof status
    }
  }
}
