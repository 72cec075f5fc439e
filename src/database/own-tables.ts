/** The gateway's own records live in tables with this prefix, which are never served. */
export const ownTablePrefix = 'gatehouse_'

/** The key of every table that an entity definition makes, and hardly of any other. */
export const systemKey = 'instance'
