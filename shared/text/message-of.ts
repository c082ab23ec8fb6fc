/**
 * Returns the text of a thrown value: the message of an error, else the printed value. Never throws, because error handling
 * must always finish.
 */
export const messageOf = (thrown: unknown): string => {
  try {
    return stringify(thrown)
  } catch {
    return unreadable
  }
}

/** Returns the thrown value if it is an error with a text, else an error with the value's text. Never throws. */
export const errorOf = (thrown: unknown): Error => {
  try {
    if (thrown instanceof Error && typeof thrown.message === 'string') return thrown
    return new Error(stringify(thrown), { cause: thrown })
  } catch {
    return new Error(unreadable)
  }
}

const unreadable = 'a value without a text was thrown'

/** Errors from another realm or bundle also have a message. */
const stringify = (thrown: unknown): string =>
  String(thrown instanceof Error ? thrown.message : (Object(thrown).message ?? thrown))
