import { createHmac, randomBytes } from 'node:crypto'

/** Returns the placeholder of a secret text: equal texts have equal placeholders within one recording. */
export type Hide = (text: string) => string

/**
 * Creates placeholders such as `[redacted 3f9a01c2]`. They show that a value has changed. The key is random and never
 * written, so a guessed value cannot be checked against a journal.
 */
export const createHide = (key: Uint8Array = randomBytes(32)): Hide => {
  return text =>
    text === '' || isHidden(text)
      ? text
      : `[redacted ${createHmac('sha256', key).update(text).digest('hex').slice(0, 8)}]`
}

/** Returns true for a placeholder, also one of Trellis' functions: `[redacted]`. */
export const isHidden = (text: string): boolean => /^\[redacted(?: [0-9a-f]{8})?\]$/.test(text)

/** Returns the placeholder of a field that must contain base64, also in base64. */
export const hiddenBytes = (hide: Hide, text: string): string => {
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  return isHidden(decoded) ? text : Buffer.from(hide(text)).toString('base64')
}
