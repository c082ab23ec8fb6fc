import { randomUUID } from 'node:crypto'

/** A name that nothing else has: account-wide names are shared by all that is seen of one endpoint. */
export const uniqueName = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 13)}`
