/** File content in an OperatingSystemConfig. */
export interface InlineContent {
  /** Absent or empty: `data` is the text. `b64`: `data` is base64. */
  readonly encoding?: string | null | undefined
  readonly data: string
}

/** Returns the text. Throws an Error for an unknown encoding, invalid base64 and data that is not text. */
export const textOfInline = ({ encoding, data }: InlineContent): string => {
  if (encoding === undefined || encoding === null || encoding === '') return data
  if (encoding !== 'b64') throw new Error('its encoding is neither empty nor b64')
  return textOfBase64(data)
}

/** Returns the content with a new text, in the same encoding. */
export const withInlineText = <C extends InlineContent>(content: C, text: string): C => ({
  ...content,
  data: content.encoding === 'b64' ? Buffer.from(text).toString('base64') : text,
})

/** Decodes base64 as the API server does: padded, in one line or several. Throws an Error without the data. */
export const textOfBase64 = (data: string): string => {
  const compact = data.replaceAll(/[\r\n]/g, '')
  const bytes = Buffer.from(compact, 'base64')
  if (bytes.toString('base64') !== compact) throw new Error('expected base64 text')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it is not UTF-8 text')
  }
}
