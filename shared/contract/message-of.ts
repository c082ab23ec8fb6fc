/** What was thrown, as text: the message of an error, and anything else as it prints. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
