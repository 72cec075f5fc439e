/**
 * PostgreSQL's protocol with nothing but what the limit server needs: named statements that are prepared first, any
 * number of them under way on one connection, and the bytes of the rows as they came.
 */
import { connect, type Socket } from 'node:net'
import { postgresqlStatements, type StatementName } from './statements.ts'

/** The rows of an answer: where each value starts and ends in the bytes; start -1 for a null. */
export interface WireRows {
  readonly bytes: Buffer
  readonly places: readonly number[]
  readonly columns: number
}

interface Waiting {
  readonly resolve: (rows: WireRows) => void
  readonly reject: (error: Error) => void
}

export class WireConnection {
  readonly #socket: Socket
  readonly #waiting: Waiting[] = []
  #ready: (() => void) | undefined
  #pieces: Buffer[] = []
  #length = 0
  #needed = 5

  static async open(host: string, port: number, user: string, database: string): Promise<WireConnection> {
    const socket = connect({ host, port, noDelay: true })
    await new Promise((resolve) => socket.once('connect', resolve))
    const connection = new WireConnection(socket)
    const parameters = Buffer.from(`user\0${user}\0database\0${database}\0\0`)
    const startup = Buffer.alloc(8)
    startup.writeInt32BE(8 + parameters.length, 0)
    startup.writeInt32BE(196_608, 4)
    await connection.#send([startup, parameters])
    const parse = Object.entries(postgresqlStatements).map(([name, sql]) =>
      message('P', `${name}\0${sql}\0\0\0`),
    )
    await connection.#send([...parse, message('S', '')])
    return connection
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', (error) => {
      throw error
    })
  }

  /** How many statements are under way. */
  get load(): number {
    return this.#waiting.length
  }

  #send(messages: readonly Buffer[]): Promise<void> {
    this.#socket.write(Buffer.concat(messages))
    return new Promise((resolve) => {
      this.#ready = resolve
    })
  }

  run(name: StatementName, values: readonly string[]): Promise<WireRows> {
    let length = 1 + 4 + 1 + name.length + 1 + 2 + 2 + 2
    for (const value of values) length += 4 + Buffer.byteLength(value)
    const total = length + 10 + 5
    const out = Buffer.allocUnsafe(total)
    out[0] = 66
    out.writeInt32BE(length - 1, 1)
    out[5] = 0
    let at = 6 + out.write(name, 6, 'latin1')
    out[at] = 0
    out.writeInt16BE(0, at + 1)
    out.writeInt16BE(values.length, at + 3)
    at += 5
    for (const value of values) {
      const size = out.write(value, at + 4)
      out.writeInt32BE(size, at)
      at += 4 + size
    }
    out.writeInt16BE(0, at)
    at += 2
    out[at] = 69
    out.writeInt32BE(9, at + 1)
    out.writeInt32BE(0, at + 5)
    out[at + 9] = 0
    out[at + 10] = 83
    out.writeInt32BE(4, at + 11)
    this.#socket.write(out)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #read(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#length += bytes.length
    while (this.#length >= this.#needed) {
      let all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces)
      const end = this.#endOfAnswer(all)
      if (end < 0) {
        this.#pieces = [all]
        return
      }
      this.#finish(all.subarray(0, end))
      all = all.subarray(end)
      this.#pieces = all.length === 0 ? [] : [all]
      this.#length = all.length
      this.#needed = 5
      this.#scanned = 0
    }
  }

  #scanned = 0

  /** Where the answer's last message ends; -1 where it is not there yet. */
  #endOfAnswer(all: Buffer): number {
    let at = this.#scanned
    while (at + 5 <= all.length) {
      const length = all.readInt32BE(at + 1) + 1
      if (at + length > all.length) break
      if (all[at] === 90) return at + length
      at += length
    }
    this.#scanned = at
    this.#needed = at + (at + 5 <= all.length ? all.readInt32BE(at + 1) + 1 : 5)
    return -1
  }

  #finish(bytes: Buffer): void {
    if (this.#ready !== undefined) {
      const ready = this.#ready
      this.#ready = undefined
      ready()
      return
    }
    const places: number[] = []
    let columns = 0
    let at = 0
    while (at < bytes.length) {
      const type = bytes[at]
      const length = bytes.readInt32BE(at + 1)
      if (type === 68) {
        columns = bytes.readInt16BE(at + 5)
        let value = at + 7
        for (let column = 0; column < columns; column += 1) {
          const size = bytes.readInt32BE(value)
          value += 4
          places.push(size < 0 ? -1 : value, size < 0 ? -1 : value + size)
          if (size > 0) value += size
        }
      } else if (type === 69) {
        this.#waiting.shift()?.reject(new Error(bytes.toString('utf8', at, at + length)))
        return
      }
      at += length + 1
    }
    this.#waiting.shift()?.resolve({ bytes, places, columns })
  }
}

function message(type: string, text: string): Buffer {
  const content = Buffer.from(text)
  const out = Buffer.alloc(5 + content.length)
  out.write(type)
  out.writeInt32BE(4 + content.length, 1)
  content.copy(out, 5)
  return out
}
