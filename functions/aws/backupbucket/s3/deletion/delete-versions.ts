import type { Clock } from '../../../../../shared/clock/clock.ts'
import { CodedError, RequeueAfterError } from '../../../../../shared/contract/errors.ts'
import { AwsError } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { DeleteFailure, S3Bucket, VersionEntry, VersionPage } from '../bucket/bucket.ts'
import { type DeletionProgress, withLocked } from './deletion-progress.ts'

export interface DeleteVersionsInput {
  readonly bucket: S3Bucket
  /** Deletes only keys with this prefix. Empty: all. */
  readonly prefix: string
  readonly progress: DeletionProgress
  /** Called with locked versions. Absent: they are only counted. */
  readonly onLocked?: (versions: readonly VersionEntry[]) => Promise<void>
  /** Number of concurrent pages, of at most 1,000 versions each. */
  readonly parallel: number
  /** Time in ms after which no page is started. */
  readonly timeMs: number
  readonly clock: Clock
}

/**
 * - `finished`: a whole pass is complete; all remaining versions are locked.
 * - `out-of-time`: to be continued.
 * - `held-back`: S3 throttles requests; to be continued later.
 */
export interface DeletedVersions {
  readonly end: 'finished' | 'out-of-time' | 'held-back'
  readonly progress: DeletionProgress
}

/**
 * Deletes object versions and delete markers page by page, several pages at a time, and holds only these in memory.
 * Rejects if a version can never be deleted.
 */
export const deleteVersions = async (input: DeleteVersionsInput): Promise<DeletedVersions> => {
  const { bucket, prefix, parallel, timeMs, clock } = input
  const until = clock.now() + timeMs
  const work: { readonly page: VersionPage; readonly result: Promise<PageResult> }[] = []
  let progress = input.progress
  let position = progress.after
  const isLocked = createLockTest(bucket, clock)

  /** Waits for the oldest page, so that everything before its end is processed. */
  const awaitDeletions = async (): Promise<void> => {
    const first = work.shift()
    if (first === undefined) return
    const { deleted, locked } = await first.result
    progress = {
      deleted: progress.deleted + deleted,
      after: first.page.next && positionOf(first.page.next),
      locked: withLocked(progress.locked, locked),
    }
  }

  try {
    while (clock.now() < until) {
      const page = await bucket.listVersions({ prefix, after: position })
      const result = deletePage(input, eachOnce(page.versions), isLocked)
      // It is awaited in order, possibly after another page has failed.
      result.catch(() => undefined)
      work.push({ page, result })
      if (page.next === undefined) {
        while (work.length > 0) await awaitDeletions()
        return { end: 'finished', progress: { deleted: progress.deleted, locked: progress.locked } }
      }
      position = positionOf(page.next)
      if (work.length >= parallel) await awaitDeletions()
    }
    while (work.length > 0) await awaitDeletions()
    return { end: 'out-of-time', progress }
  } catch (error) {
    // Running pages finish within the step. A later pass finds the remaining versions.
    await Promise.allSettled(work.map(({ result }) => result))
    if (error instanceof RequeueAfterError) return { end: 'held-back', progress }
    throw error
  }
}

interface PageResult {
  readonly deleted: number
  readonly locked: readonly VersionEntry[]
}

const deletePage = async (
  { bucket, onLocked }: DeleteVersionsInput,
  versions: readonly VersionEntry[],
  isLocked: LockTest,
): Promise<PageResult> => {
  if (versions.length === 0) return { deleted: 0, locked: [] }
  const failures = (await bucket.deleteVersions(versions)).filter(({ code }) => !goneCodes.has(code))
  if (failures.length === 0) return { deleted: versions.length, locked: [] }
  const passing = failures.find(({ code }) => passingCodes.has(code))
  if (passing !== undefined) throw new RequeueAfterError(failureError(bucket, passing), 0)
  const byName = new Map(versions.map(each => [nameOf(each), each]))
  const locked: VersionEntry[] = []
  for (const failure of failures) {
    const version = byName.get(nameOf(failure))
    if (version === undefined || !(await isLocked(failure))) throw failureError(bucket, failure)
    locked.push(version)
  }
  await onLocked?.(locked)
  return { deleted: versions.length - locked.length, locked }
}

/** Another client was faster. */
const goneCodes: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchVersion'])

/** Errors of S3 for single keys of a batch when it is overloaded. */
const passingCodes: ReadonlySet<string> = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'OperationAborted',
  'RequestTimeout',
])

type LockTest = (failure: DeleteFailure) => Promise<boolean>

/**
 * S3 refuses a locked version like one without permission; only the message differs. If the message gives no reason,
 * the lock of one version is read for all of them, because the next thousand would cost a thousand requests.
 */
const createLockTest = (bucket: S3Bucket, clock: Clock): LockTest => {
  let answer: Promise<boolean> | undefined
  return async failure => {
    if (failure.code !== 'AccessDenied') return false
    if (/object lock/i.test(failure.message)) return true
    answer ??= bucket.lockOf(failure, clock.now()).then(({ kind }) => kind !== 'none')
    return answer
  }
}

const failureError = ({ name }: S3Bucket, { key, code, message }: DeleteFailure): Error => {
  const said = `${code}: ${message}`
  const doing = `deleting object ${shortKey(key)} of bucket ${name}`
  return code === 'AccessDenied'
    ? new CodedError(
        `${doing}: ${said}. The object is not locked, so the credentials of spec.secretRef lack the permission s3:DeleteObject or s3:DeleteObjectVersion. Grant it`,
        { codes: ['ERR_INFRA_UNAUTHORIZED'] },
      )
    : new AwsError(doing, { code, status: undefined, said })
}

const shortKey = (key: string): string => (key.length <= 120 ? key : `${key.slice(0, 119)}…`)

/** A list that changes while its pages are read may repeat a version. */
const eachOnce = (versions: readonly VersionEntry[]): readonly VersionEntry[] => [
  ...new Map(versions.map(version => [nameOf(version), version])).values(),
]

const nameOf = ({ key, versionId }: { readonly key: string; readonly versionId: string }): string =>
  `${versionId} ${key}`

const positionOf = ({ key, versionId }: NonNullable<VersionPage['next']>) =>
  versionId === undefined ? { key } : { key, versionId }
