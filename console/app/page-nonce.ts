/** The nonce that the web front wrote into the page: styles that scripts make need it. */
export const pageNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
