import { isDeepStrictEqual } from 'node:util'
import { type Problem, shown } from '../../shared/decode/problems.ts'
import { when } from '../../shared/lists/when.ts'

/** Returns a problem if a field of a shoot that is immutable has changed. */
export const unchanged = (path: string, before: unknown, after: unknown): readonly Problem[] =>
  when(!isDeepStrictEqual(before, after), {
    path,
    message: `expected ${said(before)} as before, found ${said(after)}: it cannot be changed after the shoot was created`,
  })

/** Like `unchanged`, for a field that can be set later. */
export const unchangedOnceSet = (path: string, before: unknown, after: unknown): readonly Problem[] =>
  before === undefined ? [] : unchanged(path, before, after)

const said = (value: unknown): string => (value === undefined ? 'nothing' : shown(value))
