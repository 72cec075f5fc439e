const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1a56b0" d="M1 2h3v2h2V2h4v2h2V2h3v13h-5v-4a2 2 0 0 0-4 0v4H1z"/></svg>`

/** The element of a page that names its icon, without a request for it. */
export const iconLink = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(picture)}">`
