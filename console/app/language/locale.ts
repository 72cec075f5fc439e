import { useTranslation } from 'react-i18next'

/**
 * The locale in which times are written: the language with the region that the browser prefers for it. `en-GB` is not
 * `en-US`. Without such a region it is the language itself.
 */
export function localeOf(language: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language
}

/** The locale of times in the chosen language. */
export function useLocale(): string {
  const { i18n } = useTranslation()
  return localeOf(i18n.language, navigator.languages)
}
