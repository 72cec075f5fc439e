import { printable } from '../admin/printable.ts'
import { verb } from './admin-command.ts'

interface Reload {
  readonly version: string
  readonly appeared: readonly string[]
  readonly vanished: readonly string[]
  readonly changed: readonly string[]
}

/** `gatehouse schema reload`; it asks a running gateway. */
export const schemaReload = verb({
  words: [],
  about: 'has a running gateway, and all that share its records, read the tables again',
  options: {},
  async run({ client }) {
    const answer = (await client.call('POST', '/manage/schema/reload')) as Reload
    const lines = [
      ...answer.appeared.map((what) => `appeared: ${what}`),
      ...answer.vanished.map((what) => `vanished: ${what}`),
      ...answer.changed.map((what) => `changed: ${what}`),
    ].map(printable)
    const text = lines.length === 0 ? 'The tables are as they were.' : lines.join('\n')
    return { json: answer, text: `${text}\nThe schema is version ${answer.version}.` }
  },
})
