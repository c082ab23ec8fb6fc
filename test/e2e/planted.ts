/**
 * Returns every form of a value in a text: as is, in JSON, in a URL, in hex, and in base64 of both alphabets, including
 * inside a longer encoded text, at any of three offsets.
 */
const formsOf = (value: string): readonly string[] => {
  const bytes = Buffer.from(value)
  const embedded = [0, 1, 2].map(offset => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // The letters at both ends depend on adjacent bytes.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1)
  })
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      bytes.toString('hex'),
      ...embedded,
      ...embedded.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ]
}

/** Returns the planted values that a text exposes in any form. */
export const givenAway = (text: string, values: readonly string[]): readonly string[] =>
  values.filter(value => formsOf(value).some(form => text.includes(form)))

/** Returns a value as text, with its bytes decoded. */
export const stringify = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner instanceof Uint8Array
      ? new TextDecoder().decode(inner)
      : inner instanceof Error
        ? String(inner)
        : inner,
  ) ?? ''
