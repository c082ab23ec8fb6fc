/**
 * The version of the messages with `clouds`. A process that does not know them reports none. Increase it with a change
 * that an older command or process does not understand.
 */
export const cloudsProtocol = 1
