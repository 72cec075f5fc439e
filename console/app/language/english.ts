/** The English texts by their file. */
export const files = import.meta.glob<Readonly<Record<string, unknown>>>('../**/messages.en.json', {
  eager: true,
  import: 'default',
})
