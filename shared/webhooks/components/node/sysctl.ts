/** A parameter of the kernel that shall have a value. */
export interface Sysctl {
  /** `net.ipv4.neigh.default.gc_thresh1` */
  readonly name: string
  readonly value: string
  /** Why; lines that stand above it where it is added. */
  readonly comments: readonly string[]
}

/**
 * The text of a file of sysctl.d(5) with a parameter at its value: in every line that sets it, or at the end. Lines that are
 * comments set nothing.
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
