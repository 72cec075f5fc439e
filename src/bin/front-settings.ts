import type { FrontConfig } from '../config/front-options.ts'
import type { Observer } from '../observe/events.ts'
import type { WebFrontSettings } from '../web-front/web-front.ts'

/** What a web front needs, from its configuration. */
export function frontSettings(config: FrontConfig, observe: Observer): WebFrontSettings {
  return {
    host: config.host,
    port: config.port,
    ...(config.base_url === undefined ? {} : { baseUrl: config.base_url }),
    bodyLimitBytes: config.body_limit,
    content: {
      root: config.content_root,
      patterns: config.content_route,
      policy: config.content_policy,
    },
    observe,
  }
}
