import { randomUUID } from 'node:crypto'

/** Returns a unique name. All behaviors of one endpoint share account-wide names. */
export const uniqueName = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 13)}`
