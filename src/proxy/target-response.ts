import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HeaderList } from './header-list.ts'

/** How a target reacted to a request. */
export type TargetReaction =
  | { readonly kind: 'answer'; readonly answer: TargetResponse }
  | {
      readonly kind: 'switch'
      readonly headers: HeaderList
      readonly socket: Duplex
      /** What came right after the head. */
      readonly head: Buffer
    }

/** A response whose head has arrived. */
export interface TargetResponse {
  readonly status: number
  readonly headers: HeaderList
  /**
   * Sends the body to the client, as fast as the client reads it. The head goes with the first piece if that has arrived,
   * otherwise at once, since the body may take long. If the response breaks off, so does the client's connection, so that
   * it does not look complete. Resolves when the client has everything or is gone; returns whether the response broke
   * off.
   */
  sendBody(response: ServerResponse): Promise<boolean>
  /** Reads no more of it. */
  readonly cancel: () => void
}

/** Head and body are one write if both are one-byte strings; for long ones that is not worth it. */
const shortBytes = 16_384

/** Sends a body that has arrived completely. */
export function endWith(response: ServerResponse, body: Buffer | undefined): void {
  if (body === undefined) response.end()
  else if (body.length > shortBytes) response.end(body)
  else response.end(body.toString('latin1'), 'latin1')
}

/** Closes the connection of a client so that the response does not look complete. */
export function breakOff(response: ServerResponse): void {
  resetConnection(response.socket)
  response.destroy()
}

function resetConnection(socket: Socket | null): void {
  if (socket !== null && !socket.destroyed && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  else socket?.destroy()
}
