import * as z from 'zod'
import { parseDuration } from '../../../../../shared/contract/duration.ts'
import { type Problem, problemsOf, shown } from '../../../../../shared/decode/problems.ts'
import type { BucketRetention } from './bucket.ts'

/**
 * The provider's `BackupBucketConfig` in `spec.providerConfig` of a BackupBucket. Unknown fields are ignored, as in
 * Gardener's own extension.
 */
export const backupBucketConfigSchema = z.object({
  apiVersion: z.literal('aws.provider.extensions.gardener.cloud/v1alpha1'),
  kind: z.literal('BackupBucketConfig'),
  immutability: z
    .object({
      retentionType: z.literal('bucket').describe('Applies to all objects of the bucket.'),
      retentionPeriod: z.string().describe('Go duration in whole days, at least 24h.'),
      mode: z.enum(['governance', 'compliance']),
      locked: z
        .boolean()
        .nullish()
        .describe(
          'The retention cannot be removed or shortened: mode compliance. Other clouds require this field.',
        ),
    })
    .nullish(),
})

/** The retention of new objects, or all problems of the config. Paths are relative to the config. */
export type DecodedConfig =
  | { readonly ok: true; readonly retention: BucketRetention | undefined }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Parses `spec.providerConfig`. Absent: new objects are not locked. */
export const decodeBackupBucketConfig = (value: unknown): DecodedConfig => {
  if (value === undefined || value === null) return { ok: true, retention: undefined }
  const { data, error } = backupBucketConfigSchema.safeParse(value)
  if (error !== undefined) return { ok: false, problems: problemsOf(error.issues, value) }
  const { immutability } = data
  if (!immutability) return { ok: true, retention: undefined }
  const { mode, retentionPeriod, locked } = immutability
  const days = daysOf(retentionPeriod)
  const problems = [...periodProblems(retentionPeriod, days), ...lockedProblems(mode, locked ?? undefined)]
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, retention: { mode: mode === 'compliance' ? 'COMPLIANCE' : 'GOVERNANCE', days } }
}

const dayMs = 86_400_000

/** Maximum default retention of S3, in days. */
const mostDays = 36_500

const daysOf = (period: string): number => (parseDuration(period) ?? Number.NaN) / dayMs

const periodProblems = (period: string, days: number): readonly Problem[] => {
  const problem = (what: string) => [
    { path: 'immutability.retentionPeriod', message: `expected ${what}, found ${shown(period)}` },
  ]
  if (Number.isNaN(days)) return problem('a duration such as 96h')
  if (days < 1) return problem('at least 24h')
  if (!Number.isInteger(days)) return problem('a multiple of 24h')
  return days > mostDays ? problem(`at most ${mostDays * 24}h (100 years)`) : []
}

/** S3 has no lock besides the mode. A `locked` field that contradicts the mode is therefore an error. */
const lockedProblems = (
  mode: 'governance' | 'compliance',
  locked: boolean | undefined,
): readonly Problem[] => {
  const problem = (message: string) => [{ path: 'immutability.locked', message }]
  if (locked === true && mode === 'governance')
    return problem(
      'expected false or nothing, because locks of mode governance can be removed. Set mode: compliance',
    )
  return locked === false && mode === 'compliance'
    ? problem(
        'expected true or nothing, because locks of mode compliance cannot be removed. Set mode: governance',
      )
    : []
}
