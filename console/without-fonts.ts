import type { Plugin } from 'vite'

/** Leaves out the fonts inside GraphiQL's style, 350 kB with licences of their own: the pages name the reader's. */
export function withoutFonts(): Plugin {
  return {
    name: 'without-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /graphiql\/dist\/style\.css$/ },
      handler: (code) => code.replaceAll(/@font-face\s*\{[^}]*\}/g, ''),
    },
  }
}
