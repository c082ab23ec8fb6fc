import { replaceTexts } from '../../contract/replace-texts.ts'
import type { Secret } from '../actuator.ts'

/** A shorter text is not a secret: regions, flags, short names. */
const shortestSecret = 12

/** Removes the values of a Secret from a text that a user reads. Values of fewer than 12 characters stay. */
export const redact = (text: string, secret: Secret | undefined): string =>
  secret === undefined ? text : redactTexts(text, Object.values(secret.data).flatMap(secretTexts))

/** Redacts those of the texts that are long enough to be secrets. */
export const redactTexts = (text: string, secrets: readonly string[]): string =>
  replaceTexts(
    text,
    secrets.filter(({ length }) => length >= shortestSecret),
    '[redacted]',
  )

/** The forms in which a secret value may appear: raw, in JSON, in a URL, and line by line. */
export const secretTexts = (value: string): readonly string[] => {
  const plain = value.trim()
  return [
    plain,
    JSON.stringify(plain).slice(1, -1),
    encodeURIComponent(plain.toWellFormed()),
    ...plain.split('\n').map(line => line.trim()),
  ]
}
