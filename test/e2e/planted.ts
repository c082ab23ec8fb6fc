/**
 * Every form in which a value could stand in a text: as it is, in JSON, in a URL, in hex, and in base64 of both
 * alphabets, also in the middle of a longer encoded text, where it may begin at any of three offsets.
 */
export const formsOf = (value: string): readonly string[] => {
  const bytes = Buffer.from(value)
  const embedded = [0, 1, 2].map(offset => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // The letters at both ends depend on the neighbours.
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

/** The planted values that a text gives away, in whatever form. */
export const givenAway = (text: string, values: readonly string[]): readonly string[] =>
  values.filter(value => formsOf(value).some(form => text.includes(form)))

/** A value as text, with the bytes in it read. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner instanceof Uint8Array
      ? new TextDecoder().decode(inner)
      : inner instanceof Error
        ? String(inner)
        : inner,
  ) ?? ''
