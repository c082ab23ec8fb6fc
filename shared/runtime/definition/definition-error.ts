import { isAbsolute, relative } from 'node:path'

/** A line of a source file. */
export interface SourcePlace {
  /** The absolute path. */
  readonly file: string
  /** From 1; absent: the file as a whole. */
  readonly line?: number
}

/** Something that is wrong with a function's definition, and where. */
export interface DefinitionProblem {
  readonly place: SourcePlace | undefined
  /** What is wrong, and what to do about it. */
  readonly message: string
}

/** Definitions that cannot be used. The message has a line for each problem: `file:line: what is wrong`. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly problems: readonly DefinitionProblem[]

  constructor(problems: readonly DefinitionProblem[], options?: ErrorOptions) {
    super(problems.map(formatDefinitionProblem).join('\n'), options)
    this.problems = problems
  }
}

/** By its name: a function that was found may stand on another copy of the library. */
export const isDefinitionError = (error: unknown): error is DefinitionError =>
  error instanceof Error && error.name === 'DefinitionError' && 'problems' in error

export const formatDefinitionProblem = ({ place, message }: DefinitionProblem): string =>
  place === undefined ? message : `${formatPlace(place)}: ${message}`

/** `functions/aws/dnsrecord/function.ts:12`, seen from the working directory where it is below that. */
export const formatPlace = ({ file, line }: SourcePlace): string => {
  const seen = relative(process.cwd(), file)
  const path = seen === '' || seen.startsWith('..') || isAbsolute(seen) ? file : seen
  return line === undefined ? path : `${path}:${line}`
}
