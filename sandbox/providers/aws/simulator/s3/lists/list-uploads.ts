import type { ListMultipartUploadsOutput, ListMultipartUploadsRequest } from '@aws-sdk/client-s3'
import { findBucket, type S3Call } from '../buckets/find-bucket.ts'
import { compareKeys } from '../objects/versions/keys.ts'
import type { Upload } from '../state.ts'
import { ownerId } from './list-objects.ts'
import { isAfterKey, pageOf, pageSize, shownText } from './page.ts'

interface ListedUpload {
  readonly key: string
  readonly version: string
  readonly upload: Upload
}

export const listMultipartUploads = (
  input: ListMultipartUploadsRequest,
  call: S3Call,
): ListMultipartUploadsOutput => {
  const bucket = findBucket(input, call)
  const max = pageSize(input.MaxUploads, 'max-uploads')
  const text = shownText(input.EncodingType)
  const entries: ListedUpload[] = bucket.uploads
    .map(upload => ({ key: upload.key, version: upload.id, upload }))
    .toSorted((a, b) => compareKeys(a.key, b.key) || a.upload.initiated - b.upload.initiated)
  const marker = input.KeyMarker || undefined
  const sameKey = entries.filter(({ key }) => key === marker).map(({ version }) => version)
  const later = new Set(input.UploadIdMarker ? sameKey.slice(sameKey.indexOf(input.UploadIdMarker) + 1) : [])
  const isAfter = isAfterKey(marker)
  const { items, commonPrefixes, last } = pageOf(entries, {
    prefix: input.Prefix ?? '',
    delimiter: input.Delimiter ?? '',
    max,
    isAfter: (key, id) => isAfter(key) || (key === marker && id !== undefined && later.has(id)),
  })
  const next = last && ('item' in last ? last.item : { key: last.commonPrefix, version: '' })
  const owner = { ID: ownerId(call) }
  return {
    Bucket: bucket.name,
    KeyMarker: text(input.KeyMarker ?? ''),
    UploadIdMarker: input.UploadIdMarker ?? '',
    Prefix: text(input.Prefix ?? ''),
    ...(input.Delimiter === undefined ? {} : { Delimiter: text(input.Delimiter) }),
    ...(input.EncodingType === undefined ? {} : { EncodingType: input.EncodingType }),
    MaxUploads: max,
    IsTruncated: next !== undefined,
    ...(next ? { NextKeyMarker: text(next.key), NextUploadIdMarker: next.version } : {}),
    Uploads: items.map(({ upload }) => ({
      UploadId: upload.id,
      Key: text(upload.key),
      Initiated: new Date(upload.initiated),
      StorageClass: upload.object.storageClass as 'STANDARD',
      Owner: owner,
      Initiator: owner,
    })),
    CommonPrefixes: commonPrefixes.map(Prefix => ({ Prefix: text(Prefix) })),
  }
}
