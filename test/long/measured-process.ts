/** The process of `measured-server.ts`: serves, and looks every millisecond how much its main thread has worked since. */
import { startGateway } from '../../src/gateway/gateway.ts'
import { startWebFront } from '../../src/web-front/web-front.ts'
import type { MeasuredSettings, MeasuredStart } from './measured-server.ts'

const given = JSON.parse(process.argv[2] ?? '') as MeasuredSettings

const worked = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let last = worked()
let longest = 0
const look = () => {
  const now = worked()
  longest = Math.max(longest, now - last)
  last = now
}
setInterval(look, 1)

process.on('message', (question) => {
  look()
  process.send?.(question === 'calibrate' ? fixedWork() : longest)
  longest = 0
  last = worked()
})
process.on('disconnect', () => process.exit())
process.send?.(await start())

async function start(): Promise<MeasuredStart> {
  const observe = () => {}
  if (given.kind === 'front') {
    const front = await startWebFront({ ...given.settings, observe })
    return { address: front.address, paths: front.paths, tableCount: 0, password: '', apiKey: '' }
  }
  const gateway = await startGateway({ ...given.settings, observe })
  const { password = '', apiKey = '' } = gateway.bootstrapped ?? {}
  return { address: gateway.address, paths: gateway.paths, tableCount: gateway.tableCount, password, apiKey }
}

/** Of the kind that servers do: objects, texts and lists. */
function fixedWork(): number {
  const begin = worked()
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}`, on: true })),
  )
  let sum = 0
  for (let round = 0; round < 3; round += 1) sum += (JSON.parse(text) as readonly unknown[]).length
  return sum > 0 ? worked() - begin : 0
}
