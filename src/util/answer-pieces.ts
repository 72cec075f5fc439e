/**
 * How long answers are sent, by published APIs and by GraphQL alike. Whoever makes the pieces counts their lengths in its own units: bytes,
 * or UTF-16 units of a text.
 */

/** Shorter answers are sent whole. */
export const wholeLength = 1_048_576

/** The length of a piece of a longer one. */
export const pieceLength = 131_072

/** How long a client may take to receive a piece, which may hold a connection to the database. */
export const pieceTimeoutMs = 30_000
