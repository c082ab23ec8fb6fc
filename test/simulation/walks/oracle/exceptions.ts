/** A difference that a walk may leave, in contrast to a fresh creation. */
interface Exception {
  readonly space: string
  /** Matches a line of `differences`. */
  readonly line: RegExp
  readonly why: string
  /** Where the reason is documented. */
  readonly source: string
}

const exceptions: readonly Exception[] = []

export const isException = (space: string, line: string): boolean =>
  exceptions.some(exception => exception.space === space && exception.line.test(line))
