import createCache from '@emotion/cache'
import { CacheProvider, jsx } from '@emotion/react'
import { createRoot } from 'react-dom/client'

const nonce = document.querySelector('meta[property="csp-nonce"]')?.nonce
const cache = createCache({ key: 'css', nonce })
const button = jsx('button', { type: 'button', css: { color: 'rgb(1, 2, 3)' } }, 'Styled')
createRoot(document.getElementById('page')).render(jsx(CacheProvider, { value: cache }, button))
