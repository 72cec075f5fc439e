import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HeaderList } from './header-list.ts'

/** What a target did with a request. */
export type TargetReaction =
  | { readonly kind: 'answer'; readonly answer: TargetAnswer }
  | {
      readonly kind: 'switch'
      readonly headers: HeaderList
      readonly socket: Duplex
      /** What came right after the head. */
      readonly head: Buffer
    }

/** An answer whose head is there. */
export interface TargetAnswer {
  readonly status: number
  readonly headers: HeaderList
  /**
   * Sends the body to the client, as fast as it takes it; the head, which is written, goes with the first piece when
   * that is there already, else at once: a client may wait for it longer than for the body. An answer that breaks off
   * breaks the client's connection, in a way that cannot be taken for its end. Done when the client has all, or is
   * gone; gives whether the answer broke off.
   */
  sendBody(response: ServerResponse): Promise<boolean>
  /** Takes no more of it. */
  readonly cancel: () => void
}

/** Head and body are one write where both are texts of one byte a character, but long ones are not worth it. */
const shortBytes = 16_384

/** Sends a body that is there whole. */
export function endWith(response: ServerResponse, body: Buffer | undefined): void {
  if (body === undefined) response.end()
  else if (body.length > shortBytes) response.end(body)
  else response.end(body.toString('latin1'), 'latin1')
}

/** Ends the connection of a client in a way that cannot be taken for the end of an answer. */
export function breakOff(response: ServerResponse): void {
  resetConnection(response.socket)
  response.destroy()
}

function resetConnection(socket: Socket | null): void {
  if (socket !== null && !socket.destroyed && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  else socket?.destroy()
}
