import type { ApiSource } from '../../openapi/apis-context.ts'
import type { Document } from '../../openapi/openapi.ts'
import { askWhetherAllowed, type Call } from '../api/access.ts'
import { callGateway, callGatewayPlainly } from '../api/gateway.ts'
import type { Language } from '../language/languages.ts'
import { type LoadTranslations, translatorFor } from '../language/translator.ts'
import { translatedDocument } from './translate-document.ts'

/** Loads translations of what the gateway says in English of its APIs; a test says which are missing. */
const translations: LoadTranslations = {
  ja: async () => (await import('./descriptions.ja.json')).default,
}

/** The gateway, with the rights of who is logged in; it describes its APIs in a language. */
export function sourceIn(language: Language): ApiSource {
  return {
    language,
    async read(path, signal) {
      const [response, known] = await Promise.all([callGateway(path, { signal }), translations[language]?.()])
      const document = (await response.json()) as Document
      return known === undefined ? document : translatedDocument(document, translatorFor(known))
    },
    allowed: (calls) => Promise.all(calls.map((call) => askWhetherAllowed(call as Call))),
    send: ({ method, path, headers, body = null }, signal) =>
      callGatewayPlainly(path, {
        method,
        headers: headers.map(([name, value]) => [name, value]),
        body,
        signal,
      }),
    gatewayUrl: undefined,
  }
}
