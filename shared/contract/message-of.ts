/**
 * The text of a thrown value: the message of an error, and anything else as it prints. Never throws: code that handles an error
 * must come to its end.
 */
export const messageOf = (thrown: unknown): string => {
  try {
    return textOf(thrown)
  } catch {
    return unreadable
  }
}

/** The thrown value if it is an error with a text, else an error with its text. Never throws. */
export const errorOf = (thrown: unknown): Error => {
  try {
    if (thrown instanceof Error && typeof thrown.message === 'string') return thrown
    return new Error(textOf(thrown), { cause: thrown })
  } catch {
    return new Error(unreadable)
  }
}

const unreadable = 'a value without a text was thrown'

/** Errors of another realm or bundle have a message as well. */
const textOf = (thrown: unknown): string =>
  String(thrown instanceof Error ? thrown.message : (Object(thrown).message ?? thrown))
