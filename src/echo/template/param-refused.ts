/** A value of the params that a helper does not accept. */
export class ParamRefused extends Error {
  constructor(helper: string, value: unknown, wanted: string) {
    const shown = JSON.stringify(value) ?? 'nothing'
    super(`"${helper}" takes ${wanted}, not ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}.`)
    this.name = 'ParamRefused'
  }
}
