/** The client of the web front for applications in a browser: `import { connect } from 'gatehouse/browser'`. */
export { type Client, type ClientOptions, connect } from './client.ts'
export {
  LoginNeeded,
  NoAnswer,
  type Problem,
  Refusal,
  RoleRefused,
  TokenRefused,
  UpstreamRefused,
} from './refusal.ts'
export type { Login, Session } from './session.ts'
