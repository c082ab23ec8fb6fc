import { replaceTexts } from '../../text/replace-texts.ts'
import type { Secret } from '../actuator.ts'

/** Shorter texts are not secrets: regions, flags, short names. */
export const shortestSecret = 12

/** Removes the values of a Secret, and other values, from a text for users. Values below 12 characters remain. */
export const redact = (text: string, secret: Secret | undefined, others: readonly string[] = []): string =>
  redactTexts(text, [...Object.values(secret?.data ?? {}), ...others].flatMap(secretTexts))

/** Redacts those texts that are long enough to be secrets. */
export const redactTexts = (text: string, secrets: readonly string[]): string =>
  replaceTexts(
    text,
    secrets.filter(({ length }) => length >= shortestSecret),
    '[redacted]',
  )

/** Returns the forms in which a secret value may appear: raw, in JSON, in a URL, and line by line. */
export const secretTexts = (value: string): readonly string[] => {
  const plain = value.trim()
  return [
    plain,
    JSON.stringify(plain).slice(1, -1),
    encodeURIComponent(plain.toWellFormed()),
    ...plain.split('\n').map(line => line.trim()),
  ]
}
