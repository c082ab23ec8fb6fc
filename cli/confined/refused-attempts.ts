/** Code of errors by which Node's permission model refuses something. */
const denied = 'ERR_ACCESS_DENIED'

/** What the code in a confined process tried and was refused. An author's code may swallow the error; this list holds it. */
export interface RefusedAttempts {
  /** Notes an attempt and returns the error for it. `what`: a verb in the third person, `connects to 10.0.0.1:443`. */
  readonly refuse: (what: string) => Error
  /**
   * The error to throw in place of one that was caught: an own one if Node refused something, else the same. Its stack
   * begins where `caller` was called.
   */
  readonly explained: (error: unknown, caller: (...args: never) => unknown) => unknown
  /** Each attempt since the last `clear`, once. */
  readonly list: () => readonly string[]
  readonly clear: () => void
}

export const createRefusedAttempts = (): RefusedAttempts => {
  const noted = new Set<string>()
  const refuse = (what: string, cause?: unknown): Error => {
    noted.add(what)
    return Object.assign(
      new Error(`refused: the function ${what}, and a dry run changes nothing`, { cause }),
      {
        code: denied,
      },
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
  /** Absent in errors of some calls. */
  readonly permission?: string
  readonly resource?: string
}

/** An error of Node's own, not one that `refuse` has made. */
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
