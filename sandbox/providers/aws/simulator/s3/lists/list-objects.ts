import type { _Object, ListObjectsV2Output, ListObjectsV2Request } from '@aws-sdk/client-s3'
import { findBucket, type S3Call } from '../buckets/find-bucket.ts'
import type { Bucket, ObjectVersion } from '../state.ts'
import { isAfterKey, type Page, pageOf, pageSize, shownText } from './page.ts'

interface ListedObject {
  readonly key: string
  readonly object: ObjectVersion
}

function* currentObjects({ objects }: Bucket): Generator<ListedObject> {
  for (const { key, versions } of objects) {
    const [newest] = versions
    if (newest && !newest.deleteMarker) yield { key, object: newest }
  }
}

/** The key or prefix after which the next page begins. */
const endOf = ({ last }: Page<ListedObject>): string | undefined =>
  last && ('item' in last ? last.item.key : last.commonPrefix)

const show = ({ key, object }: ListedObject, text: (raw: string) => string): _Object => ({
  Key: text(key),
  LastModified: new Date(object.modified),
  ETag: object.etag,
  Size: object.size,
  StorageClass: object.storageClass as NonNullable<_Object['StorageClass']>,
  ChecksumAlgorithm: [object.checksum.algorithm as 'CRC32'],
  ChecksumType: object.checksum.type,
})

const afterToken = (token: string): string => {
  const key = Buffer.from(token, 'base64url').toString('utf8')
  return key
}

export const listObjectsV2 = (input: ListObjectsV2Request, call: S3Call): ListObjectsV2Output => {
  const bucket = findBucket(input, call)
  const max = pageSize(input.MaxKeys)
  const text = shownText(input.EncodingType)
  const token = input.ContinuationToken
  const marker = token === undefined ? input.StartAfter : afterToken(token)
  const page = pageOf(currentObjects(bucket), {
    prefix: input.Prefix ?? '',
    delimiter: input.Delimiter ?? '',
    max,
    isAfter: isAfterKey(marker),
  })
  const end = endOf(page)
  return {
    Name: bucket.name,
    Prefix: text(input.Prefix ?? ''),
    ...(input.Delimiter === undefined ? {} : { Delimiter: text(input.Delimiter) }),
    ...(input.StartAfter === undefined ? {} : { StartAfter: text(input.StartAfter) }),
    ...(token === undefined ? {} : { ContinuationToken: token }),
    ...(input.EncodingType === undefined ? {} : { EncodingType: input.EncodingType }),
    MaxKeys: max,
    KeyCount: page.items.length + page.commonPrefixes.length,
    IsTruncated: end !== undefined,
    ...(end === undefined ? {} : { NextContinuationToken: Buffer.from(end).toString('base64url') }),
    Contents: page.items.map(entry => ({
      ...show(entry, text),
      ...(input.FetchOwner ? { Owner: { ID: ownerId(call) } } : {}),
    })),
    CommonPrefixes: page.commonPrefixes.map(Prefix => ({ Prefix: text(Prefix) })),
  }
}

/** Returns an account's canonical id: 64 hexadecimal digits. */
export const ownerId = ({ principal }: Pick<S3Call, 'principal'>): string =>
  Buffer.from(principal.accountId.padEnd(32, '0')).toString('hex')
