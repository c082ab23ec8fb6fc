/** Base64 as Go reads it: padded, in one line or several. Undefined: it is none. */
export const bytesOfBase64 = (data: string): Buffer | undefined => {
  const compact = data.replaceAll(/[\r\n]/g, '')
  const bytes = Buffer.from(compact, 'base64')
  return bytes.toString('base64') === compact ? bytes : undefined
}
