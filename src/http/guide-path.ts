/** Where the documentation is, at every service. */
export const guidePath = '/docs/guide'
