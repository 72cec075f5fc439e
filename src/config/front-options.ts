import { backendsOptions } from './backend-options.ts'
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
  redisAddress,
  servedPathOrNone,
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

const secrets: OptionType<readonly string[]> = {
  takes: 'a secret of at least 32 characters; or several, the current one first, as a list or on lines',
  placeholder: 'TEXT',
  parse: (raw) => {
    const list = raw.startsWith('[') ? parseTexts(raw) : raw.split(/\r?\n/)
    return list !== undefined && list.length > 0 && list.every((one) => one.length >= 32) ? list : undefined
  },
  parts: 'texts',
}

function parseTexts(raw: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(raw)
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

/** The options of a web front. */
export const frontOptions = {
  host,
  port: { type: port, default: '8080', describe: 'Port to listen on.', example: '8080' },
  base_url: {
    type: httpAddress,
    otherwise: 'http://localhost and the port',
    describe:
      'Address under which browsers reach the web front. With https, cookies are hidden from all other hosts and from plain connections; login providers redirect here.',
    example: 'https://app.example.org',
  },
  trusted_proxies: {
    type: networkList,
    otherwise: 'the client address is that of the connection',
    describe:
      'Network addresses of load balancers in front of the web front. X-Forwarded-For is read only in requests from these.',
    example: '10.0.0.0/8,192.0.2.7',
  },
  content_root: {
    inFile: 'content.root',
    type: path,
    otherwise: 'no application: `content.route` leads to the console',
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
      'Paths at which the application is served: one, or a list. “:name” stands for one segment, “*” at the end for any rest.',
    example: '["/", "/tenants/:tenant", "/app/*"]',
  },
  content_policy: {
    inFile: 'content.policy',
    type: textByKey,
    default: '{}',
    describe: 'Directives of the page’s Content-Security-Policy, each of which replaces the default one.',
    example: '{"connect-src": "\'self\' https://api.example.org"}',
  },
  console_path: {
    inFile: 'console.path',
    type: servedPathOrNone,
    default: '/console',
    describe:
      'Path below which the console is served, beside any application; false turns it off. It shows and changes what the gateway has, for people who log in with accounts of the gateway.',
    example: '/gatehouse',
  },
  ...backendsOptions,
  authentication: {
    alsoInFile: 'config.authentication',
    type: loginEntries,
    default: '[]',
    describe:
      'How people log in: one way, or a list of several. Without one no one logs in, and every browser has a session. For its keys see the configuration reference.',
    example: '{"strategy": "gateway"}',
  },
  gateway_url: {
    inFile: 'gateway.url',
    type: httpAddress,
    otherwise: 'the target of the first backend',
    describe: 'Address of the gateway whose accounts log in or get tokens.',
    example: 'http://127.0.0.1:9000',
  },
  gateway_username: {
    inFile: 'gateway.username',
    type: text,
    otherwise:
      'the web front has no account at the gateway: the strategy “gateway” asks people for their API key, and the generator “gateway” needs one',
    describe:
      'Username of the web front’s own account at the gateway. Its role allows POST on /manage/logon-checks for the strategy “gateway”, on /manage/tokens for the generator “gateway”, and on /manage/accounts to create accounts.',
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
    otherwise: 'no accounts are created: people without an account at the gateway cannot log in',
    describe:
      'Role of the accounts that the generator “gateway” creates for people who log in for the first time.',
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
    describe: 'File of the store “sqlite”; it is created if it does not exist, readable only by its owner.',
    example: '/var/lib/gatehouse/sessions.sqlite',
  },
  session_url: {
    inFile: 'session.url',
    type: redisAddress,
    secret: true,
    default: 'redis://127.0.0.1:6379',
    describe: 'Address of the store “redis”, with user and password if it needs them.',
    example: 'rediss://default:secret@redis.example.org:6379',
  },
  session_prefix: {
    inFile: 'session.prefix',
    type: text,
    default: 'gatehouse:',
    describe: 'Prefix of every key in the store “redis”.',
    example: 'app:',
  },
  session_idle: {
    inFile: 'session.idle',
    type: duration('1s', '366d'),
    default: '30m',
    describe: 'How long an unused session lasts.',
    example: '2h',
  },
  session_lifetime: {
    inFile: 'session.lifetime',
    type: duration('1s', '366d'),
    default: '12h',
    describe: 'How long a session lasts at most, even if it is used.',
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
      'Lets people log in although base_url is a plain HTTP address on the network. Anyone on the network path can take over their sessions: only for tests.',
    example: 'true',
  },
  session_secret: {
    inFile: 'session.secret',
    type: secrets,
    secret: true,
    otherwise: 'a random one until the process ends, where sessions are kept in memory',
    describe:
      'Secret from which the key is derived that signs who calls (`identity: jwt` of a backend), the same on all nodes. Several of them replace one by another: the first signs, the keys of all are published.',
    example: 'the output of: openssl rand -base64 32',
  },
  session_revoke: {
    inFile: 'session.revoke',
    type: yesOrNo,
    default: 'false',
    describe:
      'Whether a logout also revokes the refresh token at the login provider (RFC 7009). Otherwise a logout changes nothing there.',
    example: 'true',
  },
  session_after_logout: {
    inFile: 'session.afterLogout',
    type: pathOrAddress,
    otherwise: 'the application',
    describe: 'Where a browser goes after logout.',
    example: '/goodbye',
  },
  configs: {
    type: jsonObject,
    default: '{}',
    describe: 'Values for the application: the “configs” of “GET /session”. Not for secrets.',
    example: '{"theme": "dark"}',
  },
  ...echoOptions,
  body_limit,
  log_level,
  keep_alive,
  max_connections,
  drain_delay: {
    ...drain_delay,
    otherwise: '5s if nodes share the sessions (redis), otherwise 0s',
  },
  shutdown_timeout: {
    ...shutdown_timeout,
    describe: 'How long running requests may take to finish when the service stops, after the drain_delay.',
  },
} as const satisfies OptionTable

/** The configuration of a web front. */
export type FrontConfig = ConfigOf<typeof frontOptions>

/** The options of a web front, under `front:` in a configuration file. */
export const frontGroup = {
  heading: 'Web front',
  part: 'front',
  options: frontOptions,
} as const satisfies OptionGroup
