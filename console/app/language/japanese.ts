/** The Japanese texts by their file. */
export const files = import.meta.glob<Readonly<Record<string, unknown>>>('../**/messages.ja.json', {
  eager: true,
  import: 'default',
})
