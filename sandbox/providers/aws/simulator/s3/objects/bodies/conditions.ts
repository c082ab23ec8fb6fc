import { refuse } from '../../../service.ts'
import type { ObjectVersion } from '../../state.ts'

/** The conditions of a request on an object ("Conditional requests", S3 user guide; RFC 9110, 13). */
export interface RequestConditions {
  readonly IfMatch?: string | undefined
  readonly IfNoneMatch?: string | undefined
  readonly IfModifiedSince?: Date | undefined
  readonly IfUnmodifiedSince?: Date | undefined
}

const failed = (condition: string) =>
  refuse('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    status: 412,
    members: { Condition: condition },
  })

const bare = (etag: string): string => etag.replace(/^"|"$/g, '')
const matches = (given: string, version: ObjectVersion): boolean =>
  given === '*' || given.split(',').some(etag => bare(etag.trim()) === bare(version.etag))

/** @throws AwsError PreconditionFailed, or NotModified with status 304 */
export const checkRead = (conditions: RequestConditions, version: ObjectVersion): void => {
  const { IfMatch, IfNoneMatch, IfModifiedSince, IfUnmodifiedSince } = conditions
  const modified = Math.floor(version.modified / 1000) * 1000
  if (IfMatch !== undefined && !matches(IfMatch, version)) throw failed('If-Match')
  if (IfMatch === undefined && IfUnmodifiedSince && modified > IfUnmodifiedSince.getTime()) {
    throw failed('If-Unmodified-Since')
  }
  const unchanged =
    IfNoneMatch === undefined
      ? IfModifiedSince !== undefined && modified <= IfModifiedSince.getTime()
      : matches(IfNoneMatch, version)
  if (unchanged) {
    throw refuse('NotModified', 'Not Modified', { status: 304, headers: { etag: version.etag } })
  }
}

/** @throws AwsError PreconditionFailed or NoSuchKey */
export const checkWrite = (
  { IfMatch, IfNoneMatch }: Pick<RequestConditions, 'IfMatch' | 'IfNoneMatch'>,
  current: ObjectVersion | undefined,
): void => {
  if (IfNoneMatch !== undefined && IfNoneMatch !== '*') {
    throw refuse('NotImplemented', 'A header you provided implies functionality that is not implemented', {
      status: 501,
      members: { Header: 'If-None-Match' },
    })
  }
  if (IfNoneMatch === '*' && current) throw failed('If-None-Match')
  if (IfMatch === undefined) return
  if (!current) throw refuse('NoSuchKey', 'The specified key does not exist.', { status: 404 })
  if (!matches(IfMatch, current)) throw failed('If-Match')
}
