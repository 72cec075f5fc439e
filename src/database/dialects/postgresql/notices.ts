import pg from 'pg'
import type { Listening, Notices } from '../../notices.ts'

const channel = 'gatehouse_change'
const pauses = { first: 500, longest: 10_000 }

/**
 * Notices by LISTEN and NOTIFY (https://www.postgresql.org/docs/current/sql-notify.html), over a connection of their own.
 * They are not heard through a pooler, but sent for those who have the server itself.
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
    // Stopped meanwhile: what was not connected yet could not be ended.
    if (isStopped) return opened.end()
    await opened.query(`listen ${channel}`)
    pause = pauses.first
    heard()
  }
  open()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
