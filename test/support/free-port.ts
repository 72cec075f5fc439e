import { createServer } from 'node:net'

/** Below the ports that systems give to those who ask for any, so that no connection takes it before or between its uses. */
const [lowest, highest] = [10_000, 32_000]

/** A port of 127.0.0.1 that no one listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
