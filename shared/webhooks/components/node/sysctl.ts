/** A desired kernel parameter. */
export interface Sysctl {
  /** `net.ipv4.neigh.default.gc_thresh1` */
  readonly name: string
  readonly value: string
  /** The reason, as comment lines above an added parameter. */
  readonly comments: readonly string[]
}

/**
 * Sets a parameter in the text of a sysctl.d(5) file: in every line that sets it, or at the end. Ignores comment lines.
 */
export const setSysctl = (text: string, { name, value, comments }: Sysctl): string => {
  const setting = `${name} = ${value}`
  let isThere = false
  const lines = text.split('\n').map(line => {
    const equals = line.indexOf('=')
    if (equals === -1 || line.slice(0, equals).trim() !== name) return line
    isThere = true
    return line.endsWith('\r') ? `${setting}\r` : setting
  })
  if (isThere) return lines.join('\n')
  return [text, ...comments.map(comment => `# ${comment}`), setting].join('\n')
}
