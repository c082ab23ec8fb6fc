import type { _Error, DeletedObject, DeleteObjectsOutput, DeleteObjectsRequest } from '@aws-sdk/client-s3'
import { refuse, ServiceError } from '../../service.ts'
import { accessDenied, findBucket, type S3Call } from '../buckets/find-bucket.ts'
import { claimedChecksum } from './bodies/checksums.ts'
import { deleteOne } from './objects.ts'

const malformed = () =>
  refuse(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
    {
      status: 400,
    },
  )

interface ObjectToDelete {
  readonly Bucket: string
  readonly Key: string
  readonly VersionId: string | undefined
}

const checkPermission = (call: S3Call, wanted: ObjectToDelete, bypass: boolean): void => {
  const action = wanted.VersionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion'
  const needed = [action, ...(bypass ? ['s3:BypassGovernanceRetention'] : [])]
  if (!needed.every(each => call.may(each, { ...wanted }))) throw accessDenied()
}

/**
 * Deletes up to 1,000 keys. Keys that cannot be deleted are in the errors of the response, in quiet mode too
 * ("DeleteObjects", API reference).
 */
export const deleteObjects = (input: DeleteObjectsRequest, call: S3Call): DeleteObjectsOutput => {
  const bucket = findBucket(input, call)
  const { headers } = call.request
  const trailer = headers['x-amz-trailer'] !== undefined
  if (headers['content-md5'] === undefined && !claimedChecksum(headers) && !trailer) {
    throw refuse(
      'InvalidRequest',
      'Missing required header for this request: Content-MD5 OR x-amz-checksum-*',
      {
        status: 400,
      },
    )
  }
  const wanted = input.Delete?.Objects ?? []
  if (wanted.length === 0 || wanted.length > 1000) throw malformed()
  const bypass = input.BypassGovernanceRetention ?? false
  const Deleted: DeletedObject[] = []
  const Errors: _Error[] = []
  for (const { Key = '', VersionId } of wanted) {
    try {
      checkPermission(call, { Bucket: bucket.name, Key, VersionId }, bypass)
      const gone = deleteOne(bucket, { Key, VersionId }, bypass, call)
      Deleted.push({
        Key,
        ...(VersionId === undefined ? {} : { VersionId }),
        ...(gone.DeleteMarker ? { DeleteMarker: true, DeleteMarkerVersionId: gone.VersionId } : {}),
      })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { code, message } = error.wire
      Errors.push({ Key, ...(VersionId === undefined ? {} : { VersionId }), Code: code, Message: message })
    }
  }
  return { ...(input.Delete?.Quiet ? {} : { Deleted }), Errors }
}
