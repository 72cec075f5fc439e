import { dataOf, gateway } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'
import type { Language } from '../language/languages.ts'
import { type LoadTranslations, translatorFor } from '../language/translator.ts'

/** An option with its value in force. */
export type ConfiguredOption = components['schemas']['Configuration']['options'][number]

/** What options are for, by the English texts of the gateway; a test says which are missing. */
const translations: LoadTranslations = {
  ja: async () => (await import('./descriptions.ja.json')).default,
}

/** The options of the gateway as they are in force, described in a language. */
export async function readOptions(language: Language): Promise<readonly ConfiguredOption[]> {
  const [{ options }, known] = await Promise.all([
    dataOf(gateway.GET('/manage/configuration', {})),
    translations[language]?.(),
  ])
  if (known === undefined) return options
  const translate = translatorFor(known)
  return options.map((option) => {
    const { description, otherwise } = option
    return {
      ...option,
      description: translate(description),
      otherwise: otherwise === null ? null : translate(otherwise),
    }
  })
}
