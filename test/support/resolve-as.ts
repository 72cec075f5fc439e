import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/** Names as the test wants them, until it is done. */
export function resolveAs(addresses: Readonly<Record<string, () => string>>): void {
  const usual = dns.lookup
  const replaced = (name: string, options: object, callback: (...given: readonly unknown[]) => void) => {
    const address = addresses[name]?.()
    if (address === undefined) return usual(name, options as dns.LookupAllOptions, callback as never)
    callback(null, [{ address, family: 4 }])
  }
  dns.lookup = replaced as unknown as typeof dns.lookup
  syncBuiltinESMExports()
  onTestFinished(() => {
    dns.lookup = usual
    syncBuiltinESMExports()
  })
}
