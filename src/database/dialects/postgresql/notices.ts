import pg from 'pg'
import { inTime } from '../../../util/in-time.ts'
import type { Listening, Notices } from '../../notices.ts'
import { cut } from './apart.ts'

const channel = 'gatehouse_change'
const pauses = { first: 500, longest: 2000 }
/**
 * How often the listening connection, which may be silent for long, is pinged, and the time limit of a ping, in
 * milliseconds.
 */
const pings = { intervalMs: 3000, mostMs: 2000 }

/**
 * Notices by LISTEN and NOTIFY (https://www.postgresql.org/docs/current/sql-notify.html), over a separate connection.
 * Through a pooler they are sent but not received.
 */
export function postgresqlNotices(config: pg.ClientConfig, isPooled: boolean): Notices {
  return {
    async send(connection) {
      await connection.query({ sql: `select pg_notify('${channel}', '')`, parameters: [] })
    },
    listen: (heard) => (isPooled ? { stop: async () => undefined } : listen(config, heard)),
  }
}

function listen(config: pg.ClientConfig, heard: () => void): Listening {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let pause = pauses.first

  const open = () => {
    const opened = new pg.Client(config)
    client = opened
    let isOver = false
    const again = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      opened.end().catch(() => undefined)
      if (isStopped) return
      timer = setTimeout(open, pause).unref()
      pause = Math.min(2 * pause, pauses.longest)
    }
    opened.on('error', again)
    opened.on('end', again)
    opened.on('notification', heard)
    begin(opened).catch(again)
  }
  const begin = async (opened: pg.Client) => {
    await opened.connect()
    // Stopped meanwhile: an unfinished connection could not be closed.
    if (isStopped) return opened.end()
    await ask(opened, `listen ${channel}`)
    pause = pauses.first
    heard()
    askAgain(opened)
  }
  const askAgain = (opened: pg.Client) => {
    if (isStopped) return
    timer = setTimeout(() => {
      // An error closes the connection.
      ask(opened, 'select 1').then(
        () => askAgain(opened),
        () => cut(opened),
      )
    }, pings.intervalMs).unref()
  }
  open()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      if (client !== undefined && !(await inTime(client.end(), pings.mostMs))) cut(client)
    },
  }
}

async function ask(client: pg.Client, text: string): Promise<void> {
  const late = setTimeout(() => cut(client), pings.mostMs)
  try {
    await client.query(text)
  } finally {
    clearTimeout(late)
  }
}
