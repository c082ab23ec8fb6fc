import { type Problem, shown } from './problems.ts'

/** The format of a value of a cloud, such as an id. */
export interface Format {
  /** With an article and an example: `the id of a VPC (such as vpc-0123456789abcdef0)`. */
  readonly what: string
  readonly pattern: RegExp
  /** Minimum number of characters. Default: one. */
  readonly least?: number
  readonly most: number
}

export interface FormOptions {
  /** True if the value is secret. Problems then do not contain it. */
  readonly hidden?: boolean
}

/** Returns the problems of a value's format. An absent value has none. */
export const formProblems = (
  path: string,
  value: string | undefined,
  { what, pattern, least = 1, most }: Format,
  { hidden = false }: FormOptions = {},
): readonly Problem[] => {
  if (value === undefined) return []
  if (value === '')
    return [{ path, message: `expected ${what}, found an empty string`, kind: 'required' as const }]
  if (value.length > most)
    return [
      { path, message: `expected ${what} of at most ${most} characters, found ${value.length} characters` },
    ]
  if (value.length < least)
    return [
      { path, message: `expected ${what}, at least ${least} characters, found ${value.length} characters` },
    ]
  return pattern.test(value)
    ? []
    : [{ path, message: `expected ${what}, found ${hidden ? 'something else' : shown(value)}` }]
}
