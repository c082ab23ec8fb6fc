import type { Secret } from '../actuator.ts'

/** A text shorter than this is no secret: regions, flags, names of a few letters. */
const shortestSecret = 12

const placeholder = '[redacted]'

/** Removes the values of a Secret from a text that a user reads. Values of fewer than 12 characters stay. */
export const redact = (text: string, secret: Secret | undefined): string =>
  secret === undefined ? text : redactTexts(text, Object.values(secret.data).flatMap(secretTexts))

/** The texts in which a secret value may appear: as it is, in JSON, in a URL, and line by line. */
export const secretTexts = (value: string): readonly string[] => {
  const plain = value.trim()
  return [
    plain,
    JSON.stringify(plain).slice(1, -1),
    encodeURIComponent(plain.toWellFormed()),
    ...plain.split('\n').map(line => line.trim()),
  ]
}

/**
 * Replaces each place that one of the texts covers. Texts that overlap cover one place: replaced one after the other, the first
 * would hide the others, and their ends would stay.
 */
export const redactTexts = (text: string, secretTexts: readonly string[]): string => {
  const covered = [...new Set(secretTexts)]
    .filter(({ length }) => length >= shortestSecret)
    .flatMap(secret => occurrences(text, secret))
    .toSorted((a, b) => a.start - b.start)
  let redacted = ''
  let end = 0
  for (const place of covered) {
    if (place.start >= end) redacted += text.slice(end, place.start) + placeholder
    end = Math.max(end, place.end)
  }
  return redacted + text.slice(end)
}

const occurrences = (text: string, secret: string) => {
  const found: { readonly start: number; readonly end: number }[] = []
  for (let start = text.indexOf(secret); start !== -1; start = text.indexOf(secret, start + 1)) {
    found.push({ start, end: start + secret.length })
  }
  return found
}
