/** The error code of a call that Node's permission model refuses. */
const denied = 'ERR_ACCESS_DENIED'

/** Records refused attempts of the code in a confined process, because an author's code may swallow the error. */
export interface RefusedAttempts {
  /** Records an attempt and returns its error. `what`: in the third person, such as `connects to 10.0.0.1:443`. */
  readonly refuse: (what: string) => Error
  /**
   * Returns the error to throw in place of a caught one: a new error if Node refused a call, else the same error. Its
   * stack starts at the call of `caller`.
   */
  readonly explained: (error: unknown, caller: (...args: never) => unknown) => unknown
  /** The distinct attempts since the last `clear`. */
  readonly list: () => readonly string[]
  readonly clear: () => void
}

export const createRefusedAttempts = (): RefusedAttempts => {
  const noted = new Set<string>()
  const refuse = (what: string, cause?: unknown): Error => {
    noted.add(what)
    return Object.assign(
      new Error(`refused: the function ${what}, but a dry run must not change anything`, { cause }),
      { code: denied },
    )
  }
  return {
    refuse,
    explained: (error, caller) => {
      if (!isDenied(error)) return error
      const refusal = refuse(attemptOf(error), error)
      Error.captureStackTrace(refusal, caller)
      return refusal
    },
    list: () => [...noted],
    clear: () => noted.clear(),
  }
}

interface Denied {
  readonly message: string
  /** Absent: the error of the call names no permission. */
  readonly permission?: string
  readonly resource?: string
}

/** Returns true if Node itself threw the error, and not `refuse`. */
const isDenied = (error: unknown): error is Denied =>
  error instanceof Error && 'code' in error && error.code === denied && !error.message.startsWith('refused: ')

const attemptOf = ({ permission, resource = '', message }: Denied): string => {
  const named = resource === '' ? '' : ` ${resource}`
  switch (permission) {
    case 'FileSystemWrite':
      return `writes to${named || ' a file'}`
    case 'ChildProcess':
      return `starts a program${resource === '' ? '' : ` (${resource})`}`
    default:
      return `uses something that can write (${permission ?? message})`
  }
}
