import { delimiterOf } from '../script/shell-text.ts'

const plainBoundary = '==BOUNDARY=='

/** User data of a machine whose memory is put together by vSMP: its settings and a script, as two parts of MIME. */
export interface MemoryOneParts {
  /** Everything behind the type of the part that holds the settings, with the newline before it. */
  readonly settings: string
  readonly script: string
  /** Between the type of the part and the script. */
  readonly gap: '' | '\n'
  /** Behind the last boundary. */
  readonly end: string
}

/** The same bytes as Gardener's own extensions, but where the script would end its part by itself: then by another boundary. */
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
