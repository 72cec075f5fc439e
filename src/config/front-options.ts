import { gatewayOptions } from './gateway-options.ts'
import { httpAddress, path, port } from './option-types.ts'
import type { ConfigOf, OptionGroup, OptionTable } from './options.ts'
import { jsonObject, textByKey, textList } from './part-types.ts'

const { host, body_limit, log_level, shutdown_timeout } = gatewayOptions

/** A path such as `/`, `/tenants/:name` or `/app/*`. */
const pagePattern = /^\/$|^(\/(:[A-Za-z_]\w*|[\w.~!$&'()+,=@-]+))*(\/\*)?$/

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
  configs: {
    type: jsonObject,
    default: '{}',
    describe:
      'Whatever the application wants to know: it is the “configs” of “GET /session”. Nothing secret.',
    example: '{"theme": "dark"}',
  },
  body_limit,
  log_level,
  shutdown_timeout: {
    ...shutdown_timeout,
    describe: 'How long requests that are under way may take to finish when the service is stopped.',
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
