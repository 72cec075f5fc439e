/** How the console looks: https://mantine.dev/theming/theme-object/ */
import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** Colours with the contrast that WCAG 2.2 AA asks for, in light and dark. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, "Hiragino Sans", "Noto Sans JP", "Droid Sans Fallback", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Code", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The icon and the border say what kind it is; not all colours can be read as text.
    Alert: { styles: { label: { color: 'var(--mantine-color-text)' } } },
    // A narrow table makes other columns smaller first.
    Badge: { defaultProps: { miw: 'max-content' } },
    // Everything on a page is in a landmark of it, lists of choices too.
    Combobox: { defaultProps: { portalProps: { target: 'main' } } },
    // The header of a dialog is none of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
})

/** Mantine's greys for secondary text are too light for small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--mantine-color-indigo-light-color': 'var(--mantine-color-indigo-9)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})
