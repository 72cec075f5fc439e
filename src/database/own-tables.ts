/** The gateway's own records live in tables with this prefix, which are never served. */
export const ownTablePrefix = 'gatehouse_'
