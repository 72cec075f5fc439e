import type { FrontConfig } from '../config/front-options.ts'

/** What a start of the web front tells about. */
export interface FrontReport {
  readonly version: string
  readonly config: FrontConfig
  /** The address that browsers use. */
  readonly address: string
}

/** What was found, the address, and one next step. */
export function frontReport({ version, config, address }: FrontReport): string {
  const lines = [
    row('Found', `application ${config.content_root}`),
    row('Front', address),
    '',
    row('Next', `open ${address} in a browser`),
  ]
  return [`Gatehouse ${version}`, '', ...lines].join('\n')
}

function row(label: string, text: string): string {
  return `${label.padEnd(9)}${text}`
}
