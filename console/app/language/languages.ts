/** The languages of the console. The first is used where a browser asks for none of them. */
export const languages = { en: 'English', ja: '日本語' } as const

export type Language = keyof typeof languages

/** The language in which the gateway writes sentences. */
export const gatewayLanguage: Language = 'en'

const key = 'gatehouse.console.language'

/** The language that was chosen in this browser, otherwise the first that the browser asks for. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages]
  return wanted.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Keeps the choice in this browser. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(key, language)
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag)
}
