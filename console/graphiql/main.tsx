import '../logon/logon.css'
import './style.css'
import { createRoot } from 'react-dom/client'
import { pageFlags } from '../logon/page-flags.ts'
import { Page } from './page.tsx'

const place = document.getElementById('page')
if (place === null) throw new Error('The document has no place for the page.')
createRoot(place).render(<Page {...pageFlags()} />)
