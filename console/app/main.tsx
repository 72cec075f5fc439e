import './mantine-styles.ts'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { Notices } from './components/notices.tsx'
import { preferredLanguage } from './language/languages.ts'
import { setLanguage } from './language/messages.ts'
import { pageNonce } from './page-nonce.ts'
import { Console } from './shell/console.tsx'
import { cssVariables, theme } from './theme.ts'

const place = document.getElementById('console')
if (place === null) throw new Error('The document has no place for the console.')

// Dialogs stop the page behind them from scrolling with a style element of their own.
setNonce(pageNonce)
await setLanguage(preferredLanguage())
createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => pageNonce}
    >
      <QueryClientProvider client={createQueryClient()}>
        <Notices />
        <Console />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
