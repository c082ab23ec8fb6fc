import { delimiterOf } from '../script/shell-text.ts'

const plainBoundary = '==BOUNDARY=='

/** User data of a machine with memory that vSMP combines: its settings and a script, as two MIME parts. */
export interface MemoryOneParts {
  /** Everything after the type of the settings part, with the preceding newline. */
  readonly settings: string
  readonly script: string
  /** Text between the type of the part and the script. */
  readonly gap: '' | '\n'
  /** Text after the last boundary. */
  readonly end: string
}

/** Returns the same bytes as Gardener's extensions. Uses another boundary only if the script contains theirs. */
export const memoryOneUserData = ({ settings, script, gap, end }: MemoryOneParts): string => {
  const isPlain = !script.includes(plainBoundary) && !settings.includes(plainBoundary)
  const boundary = isPlain ? plainBoundary : delimiterOf(`${settings}${script}`, '==BOUNDARY_')
  return `Content-Type: multipart/mixed; boundary="${boundary}"
MIME-Version: 1.0
--${boundary}
Content-Type: text/x-vsmp; section=vsmp${settings}
--${boundary}
Content-Type: text/x-shellscript
${gap}${script}
--${boundary}${end}`
}
