/** The prefix of the gateway's own tables, which are never served. */
export const ownTablePrefix = 'gatehouse_'

/** The primary key of every table that an entity definition makes, and hardly of any other. */
export const systemKey = 'instance'
