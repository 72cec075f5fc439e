import { connect } from 'node:net'

/** Sends bytes as they are, and gives the status line and body of the first answer; '' when there is none. */
export function rawRequest(
  url: string,
  bytes: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')))
    const finish = () => {
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text })
    }
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
      const [head = '', body] = text.split('\r\n\r\n', 2)
      const length = /^content-length: (\d+)$/im.exec(head)?.[1]
      if (body !== undefined && length !== undefined && body.length >= Number(length)) finish()
    })
    socket.on('end', finish)
    socket.on('error', reject)
  })
}
