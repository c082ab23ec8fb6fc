import { isAbsolute, relative } from 'node:path'

/** A line of a source file. */
export interface SourcePlace {
  /** The absolute path. */
  readonly file: string
  /** Starts at 1. Absent: the whole file. */
  readonly line?: number
}

/** A problem in a function's definition, and its place. */
export interface DefinitionProblem {
  readonly place: SourcePlace | undefined
  /** The problem and how to fix it. */
  readonly message: string
}

/** Invalid definitions. The message has one line per problem: `file:line: what is wrong`. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly problems: readonly DefinitionProblem[]

  constructor(problems: readonly DefinitionProblem[], options?: ErrorOptions) {
    super(problems.map(formatDefinitionProblem).join('\n'), options)
    this.problems = problems
  }
}

/** Compares the name, because the function may use another copy of the library. */
export const isDefinitionError = (error: unknown): error is DefinitionError =>
  error instanceof Error && error.name === 'DefinitionError' && 'problems' in error

export const formatDefinitionProblem = ({ place, message }: DefinitionProblem): string =>
  place === undefined ? message : `${formatPlace(place)}: ${message}`

/**
 * `functions/aws/dnsrecord/function.ts:12`: relative if the file is below the working directory, otherwise absolute.
 */
export const formatPlace = ({ file, line }: SourcePlace): string => {
  const seen = relative(process.cwd(), file)
  const path = seen === '' || seen.startsWith('..') || isAbsolute(seen) ? file : seen
  return line === undefined ? path : `${path}:${line}`
}
