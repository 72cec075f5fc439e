import type { OptionType } from './option-types.ts'

/** Scopes of OAuth 2.0: https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
export const scopes: OptionType<readonly string[]> = {
  takes: 'scopes separated by spaces',
  placeholder: 'TEXT',
  parse: (raw) => {
    const list = raw.split(' ').filter((scope) => scope !== '')
    return list.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) ? list : undefined
  },
}
