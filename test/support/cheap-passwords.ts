import type { PasswordCost } from '../../src/access/authentication/password.ts'

/** The least that Argon2 takes, for tests that are not about the cost of a password. */
export const cheapPasswords: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
