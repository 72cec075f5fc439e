import { echoOptions } from './echo-options.ts'
import { gatewayOptions } from './gateway-options.ts'
import { loginEntries } from './login-options.ts'
import {
  duration,
  httpAddress,
  networkList,
  type OptionType,
  oneOf,
  path,
  pathOrAddress,
  port,
  text,
  yesOrNo,
} from './option-types.ts'
import type { ConfigOf, OptionGroup, OptionTable } from './options.ts'
import { jsonObject, textByKey, textList } from './part-types.ts'

const { host, body_limit, log_level, keep_alive, max_connections, drain_delay, shutdown_timeout } =
  gatewayOptions

/** A path such as `/`, `/tenants/:name` or `/app/*`. */
const pagePattern = /^\/$|^(\/(:[A-Za-z_]\w*|[\w.~!$&'()+,=@-]+))*(\/\*)?$/

const cookieName: OptionType<string> = {
  takes: 'a name of letters, digits and “-” that starts with a letter',
  placeholder: 'NAME',
  parse: (raw) => (/^[A-Za-z][A-Za-z\d-]{0,40}$/.test(raw) ? raw : undefined),
}

const proxyPath: OptionType<string> = {
  takes: 'a path such as /backend, without a slash at its end',
  placeholder: 'PATH',
  parse: (raw) => (/^(\/[A-Za-z\d_~-][\w.~-]*)+$/.test(raw) ? raw : undefined),
}

const headerName: OptionType<string> = {
  takes: 'the name of a header, of letters, digits and “-”',
  placeholder: 'NAME',
  parse: (raw) => (/^[A-Za-z][A-Za-z\d-]*$/.test(raw) ? raw : undefined),
}

/** The options of a web front. */
export const frontOptions = {
  host,
  port: { type: port, default: '8080', describe: 'Port to listen on.', example: '8080' },
  base_url: {
    type: httpAddress,
    otherwise: 'http://localhost and the port',
    describe:
      'Address under which browsers reach the web front. With https, cookies are kept from every other host and from plain connections; login providers send their answers here.',
    example: 'https://app.example.org',
  },
  trusted_proxies: {
    type: networkList,
    otherwise: 'the client is who is connected',
    describe:
      'Network addresses of load balancers before the web front. X-Forwarded-For of a request says who the client is only where it comes from one of these.',
    example: '10.0.0.0/8,192.0.2.7',
  },
  content_root: {
    inFile: 'content.root',
    type: path,
    required: true,
    describe: 'Folder of the single-page application: index.html and the files it loads.',
    example: '/srv/app',
  },
  content_route: {
    inFile: 'content.route',
    type: textList(
      'a path, or a list of paths, that start with “/”; “:name” stands for one segment, “*” at the end for any rest',
      (text) => text !== '' && pagePattern.test(text),
    ),
    default: '/',
    describe:
      'Paths at which the application is rendered: one, or a list. “:name” stands for one segment, “*” at the end for any rest.',
    example: '["/", "/tenants/:tenant", "/app/*"]',
  },
  content_policy: {
    inFile: 'content.policy',
    type: textByKey,
    default: '{}',
    describe: 'Directives of the Content-Security-Policy of the page, each in place of the one there is.',
    example: '{"connect-src": "\'self\' https://api.example.org"}',
  },
  backend_target: {
    inFile: 'backend.target',
    type: httpAddress,
    otherwise: 'the application has no backend',
    describe: 'Address of the backend that the application calls; usually that of the gateway.',
    example: 'https://api.example.org',
  },
  backend_proxypath: {
    inFile: 'backend.proxypath',
    type: proxyPath,
    otherwise: 'the application calls backend.target itself',
    describe:
      'Path below which calls of the application go on to backend.target, with WebSockets and event streams. Calls that change something have to come from a page of this origin.',
    example: '/backend',
  },
  backend_token_header: {
    inFile: 'backend.tokenHeader',
    type: headerName,
    default: 'X-Xaas-Auth-Token',
    describe:
      'Header that takes the access token to the backend, where transparentTokens is true. “Authorization” takes it as a bearer token.',
    example: 'Authorization',
  },
  backend_timeout: {
    inFile: 'backend.timeout',
    type: duration('1s', '1h'),
    default: '60s',
    describe: 'How long the backend may take to begin its answer.',
    example: '5m',
  },
  authentication: {
    type: loginEntries,
    default: '[]',
    describe:
      'How people log in: one way, or a list of several. Without one nobody logs in, and every browser has a session. Its keys are in the reference of the configuration.',
    example: '{"strategy": "gateway"}',
  },
  gateway_url: {
    inFile: 'gateway.url',
    type: httpAddress,
    otherwise: 'the value of backend.target',
    describe: 'Address of the gateway whose accounts log in, or get tokens.',
    example: 'http://127.0.0.1:9000',
  },
  gateway_username: {
    inFile: 'gateway.username',
    type: text,
    otherwise:
      'the web front has no account at the gateway: the strategy “gateway” asks people for their API key, and the generator “gateway” needs one',
    describe:
      'Username of the web front’s own account at the gateway. Its role allows POST on /manage/logon-checks for the strategy “gateway”, on /manage/tokens for the generator “gateway”, and on /manage/accounts where accounts are made.',
    example: 'web-front',
  },
  gateway_password: {
    inFile: 'gateway.password',
    type: text,
    secret: true,
    describe: 'Password of the web front’s own account at the gateway.',
    example: 'correct-horse-battery-staple',
  },
  gateway_api_key: {
    inFile: 'gateway.api_key',
    type: text,
    secret: true,
    describe: 'API key of the web front’s own account at the gateway.',
    example: 'ghk_…',
  },
  gateway_role: {
    inFile: 'gateway.role',
    type: text,
    otherwise: 'no accounts are made: who has none at the gateway cannot log in',
    describe:
      'Role of the accounts that the generator “gateway” makes for people who log in for the first time.',
    example: 'reader',
  },
  session_store: {
    inFile: 'session.store',
    type: oneOf('memory', 'sqlite', 'redis'),
    default: 'memory',
    describe:
      'Where sessions are kept: “memory” until the process ends, “sqlite” in a file of this machine, “redis” for any number of web fronts together.',
    example: 'redis',
  },
  session_file: {
    inFile: 'session.file',
    type: path,
    default: './gatehouse-sessions.sqlite',
    describe: 'File of the store “sqlite”; it is made when it is not there, readable by its owner only.',
    example: '/var/lib/gatehouse/sessions.sqlite',
  },
  session_url: {
    inFile: 'session.url',
    type: text,
    secret: true,
    default: 'redis://127.0.0.1:6379',
    describe: 'Address of the store “redis”, with its user and password where it wants them.',
    example: 'rediss://default:secret@redis.example.org:6379',
  },
  session_prefix: {
    inFile: 'session.prefix',
    type: text,
    default: 'gatehouse:',
    describe: 'Stands before every key in the store “redis”.',
    example: 'app:',
  },
  session_idle: {
    inFile: 'session.idle',
    type: duration('1s', '366d'),
    default: '30m',
    describe: 'How long a session lasts that nobody uses.',
    example: '2h',
  },
  session_lifetime: {
    inFile: 'session.lifetime',
    type: duration('1s', '366d'),
    default: '12h',
    describe: 'How long a session lasts, however much it is used.',
    example: '7d',
  },
  session_cookie: {
    inFile: 'session.cookie',
    type: cookieName,
    default: 'gatehouse',
    describe: 'Name of the cookie of the session. With https it gets the prefix “__Host-”.',
    example: 'app',
  },
  session_plain_http: {
    inFile: 'session.plainHttp',
    type: yesOrNo,
    default: 'false',
    describe:
      'People may log in though base_url is a plain HTTP address on the network. Everybody on the way can take over their sessions: for trying things out only.',
    example: 'true',
  },
  session_after_logout: {
    inFile: 'session.afterLogout',
    type: pathOrAddress,
    otherwise: 'the application',
    describe: 'Where a browser goes that has logged out.',
    example: '/goodbye',
  },
  configs: {
    type: jsonObject,
    default: '{}',
    describe:
      'Whatever the application wants to know: it is the “configs” of “GET /session”. Nothing secret.',
    example: '{"theme": "dark"}',
  },
  ...echoOptions,
  body_limit,
  log_level,
  keep_alive,
  max_connections,
  drain_delay: {
    ...drain_delay,
    otherwise: '5s where nodes share the sessions (redis), otherwise 0s',
  },
  shutdown_timeout: {
    ...shutdown_timeout,
    describe:
      'How long requests that are under way may take to finish when the service is stopped, after the drain_delay.',
  },
} as const satisfies OptionTable

/** The configuration of a web front. */
export type FrontConfig = ConfigOf<typeof frontOptions>

/** The options of a web front, as they lie under `front:` in a configuration file. */
export const frontGroup = {
  heading: 'Web front',
  part: 'front',
  options: frontOptions,
} as const satisfies OptionGroup
