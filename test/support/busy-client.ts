/** Clients that send request after request on one connection, until the server says that it closes it. */
import { Agent, type IncomingMessage, request } from 'node:http'

export interface BusyClient {
  /** How many answers came. */
  answers(): number
  /** Settled when the connection is over: what went wrong, or nothing. */
  readonly done: Promise<readonly string[]>
}

/** Every answer has to be complete and have this status. */
export function startBusyClient(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): BusyClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const problems: string[] = []
  let answers = 0
  const done = (async () => {
    let isLast = false
    while (!isLast && problems.length === 0) {
      try {
        const answer = await ask(url, headers, agent)
        answers += 1
        isLast = answer.headers.connection === 'close'
        if (answer.statusCode !== status) problems.push(`status ${answer.statusCode}`)
      } catch (error) {
        problems.push(`after ${answers} answers: ${error}`)
      }
    }
    agent.destroy()
    return problems
  })()
  return { answers: () => answers, done }
}

function ask(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers })
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      answer.on('error', reject)
      answer.on('end', () => (answer.complete ? resolve(answer) : reject(new Error('incomplete'))))
      answer.resume()
    })
    outgoing.end()
  })
}
