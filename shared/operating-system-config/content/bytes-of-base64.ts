/** Decodes base64 like Go: padded, on one line or several. Returns undefined for an invalid text. */
export const bytesOfBase64 = (data: string): Buffer | undefined => {
  const compact = data.replaceAll(/[\r\n]/g, '')
  const bytes = Buffer.from(compact, 'base64')
  return bytes.toString('base64') === compact ? bytes : undefined
}
