import type { ListObjectVersionsCommandOutput, ObjectVersion } from '@aws-sdk/client-s3'
import type { VersionEntry, VersionPage } from './bucket.ts'

/** Reads a page of versions and delete markers, with encoded keys. */
export const versionPageOf = (page: ListObjectVersionsCommandOutput): VersionPage => ({
  versions: [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(listedOf),
  next:
    page.IsTruncated && page.NextKeyMarker !== undefined
      ? { key: decoded(page.NextKeyMarker), versionId: page.NextVersionIdMarker }
      : undefined,
})

const listedOf = ({ Key = '', VersionId = 'null', LastModified }: ObjectVersion): VersionEntry => ({
  key: decoded(Key),
  versionId: VersionId,
  modified: LastModified?.getTime() ?? 0,
})

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))
