import { printable } from '../admin/printable.ts'
import { verb } from './admin-command.ts'

interface Reload {
  readonly version: string
  readonly appeared: readonly string[]
  readonly vanished: readonly string[]
  readonly changed: readonly string[]
}

/** `gatehouse schema reload`; it calls a running gateway. */
export const schemaReload = verb({
  words: [],
  about: 'makes a running gateway, and all others of its store, read the tables again',
  options: {},
  async run({ client }) {
    const answer = (await client.call('POST', '/manage/schema/reload')) as Reload
    const lines = [
      ...answer.appeared.map((what) => `appeared: ${what}`),
      ...answer.vanished.map((what) => `vanished: ${what}`),
      ...answer.changed.map((what) => `changed: ${what}`),
    ].map(printable)
    const text = lines.length === 0 ? 'The tables have not changed.' : lines.join('\n')
    return { json: answer, text: `${text}\nThe schema is version ${answer.version}.` }
  },
})
