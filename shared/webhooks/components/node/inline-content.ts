/** Content of a file as it stands in an OperatingSystemConfig. */
export interface InlineContent {
  /** Absent or empty: `data` is the text itself; `b64`: it is base64. */
  readonly encoding?: string | null | undefined
  readonly data: string
}

/** Throws an Error for an encoding that nobody knows, what is no base64, and what is no text. */
export const textOfInline = ({ encoding, data }: InlineContent): string => {
  if (encoding === undefined || encoding === null || encoding === '') return data
  if (encoding !== 'b64') throw new Error('its encoding is neither empty nor b64')
  return textOfBase64(data)
}

/** The same content with another text, in the encoding that it has. */
export const withInlineText = <C extends InlineContent>(content: C, text: string): C => ({
  ...content,
  data: content.encoding === 'b64' ? Buffer.from(text).toString('base64') : text,
})

/** Base64 as the API server takes it: padded, in one line or several. Throws an Error that does not show it. */
export const textOfBase64 = (data: string): string => {
  const compact = data.replaceAll(/[\r\n]/g, '')
  const bytes = Buffer.from(compact, 'base64')
  if (bytes.toString('base64') !== compact) throw new Error('it is not base64')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it is not text in UTF-8')
  }
}
