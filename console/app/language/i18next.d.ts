/** Lets the compiler check the keys of texts. One line for each folder with texts. */
import 'i18next'
import type account from '../account/messages.en.json'
import type accounts from '../accounts/messages.en.json'
import type apis from '../apis/messages.en.json'
import type audit from '../audit/messages.en.json'
import type components from '../components/messages.en.json'
import type conditions from '../conditions/messages.en.json'
import type configuration from '../configuration/messages.en.json'
import type bulk from '../data/bulk/messages.en.json'
import type data from '../data/messages.en.json'
import type totals from '../data/totals/messages.en.json'
import type transfer from '../data/transfer/messages.en.json'
import type entities from '../entities/messages.en.json'
import type graphql from '../graphql/messages.en.json'
import type overview from '../overview/messages.en.json'
import type roles from '../roles/messages.en.json'
import type routes from '../routes/messages.en.json'
import type sessions from '../sessions/messages.en.json'
import type shell from '../shell/messages.en.json'
import type status from '../status/messages.en.json'
import type templates from '../templates/messages.en.json'
import type tokens from '../tokens/messages.en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: {
      account: typeof account
      accounts: typeof accounts
      apis: typeof apis
      audit: typeof audit
      bulk: typeof bulk
      components: typeof components
      conditions: typeof conditions
      configuration: typeof configuration
      data: typeof data
      entities: typeof entities
      graphql: typeof graphql
      overview: typeof overview
      roles: typeof roles
      routes: typeof routes
      sessions: typeof sessions
      shell: typeof shell
      status: typeof status
      templates: typeof templates
      tokens: typeof tokens
      totals: typeof totals
      transfer: typeof transfer
    }
  }
}
