import type { ListObjectVersionsCommandOutput, ObjectVersion } from '@aws-sdk/client-s3'
import * as s3 from '@aws-sdk/client-s3'
import { AwsError } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { DeleteFailure, S3Bucket, VersionEntry, VersionPage, VersionRef } from './bucket.ts'
import { type BucketCalls, unless } from './bucket-calls.ts'

/** Reads a page of versions and delete markers, with encoded keys. */
const versionPageOf = (page: ListObjectVersionsCommandOutput): VersionPage => ({
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

/** Lists, deletes, tags and reads the objects of a bucket. */
export const bucketObjects = ({
  name,
  client,
  run,
}: BucketCalls): Pick<S3Bucket, 'listVersions' | 'deleteVersions' | 'tagVersion' | 'lockOf'> => {
  const S3Bucket = name

  const deleteBatch = (versions: readonly VersionRef[]): Promise<DeleteFailure[]> =>
    run(`deleting objects of bucket ${name}`, async send => {
      const Objects = versions.map(({ key, versionId }) => ({ Key: key, VersionId: versionId }))
      const command = new s3.DeleteObjectsCommand({ Bucket: S3Bucket, Delete: { Quiet: true, Objects } })
      const { Errors = [] } = await client.send(command, send)
      return Errors.map(({ Key = '', VersionId = 'null', Code = '', Message = '' }) => ({
        key: Key,
        versionId: VersionId,
        code: Code,
        message: Message,
      }))
    })

  /** For a key that the XML of a batch cannot represent. */
  const deleteOne = async (version: VersionRef): Promise<readonly DeleteFailure[]> => {
    const { key: Key, versionId: VersionId } = version
    try {
      await run(`deleting an object of bucket ${name}`, send =>
        client.send(new s3.DeleteObjectCommand({ Bucket: S3Bucket, Key, VersionId }), send),
      )
      return []
    } catch (error) {
      const denied = error instanceof Error ? error.cause : undefined
      if (!(denied instanceof AwsError && denied.code === 'AccessDenied')) throw error
      return [{ ...version, code: denied.code, message: denied.said }]
    }
  }

  return {
    listVersions: ({ prefix, after }) =>
      run(`listing the objects of bucket ${name}`, async send =>
        versionPageOf(
          await client.send(
            new s3.ListObjectVersionsCommand({
              Bucket: S3Bucket,
              // A key may contain characters that XML cannot represent.
              EncodingType: 'url',
              ...(prefix !== '' && { Prefix: prefix }),
              ...(after && { KeyMarker: after.key }),
              ...(after?.versionId !== undefined && { VersionIdMarker: after.versionId }),
            }),
            send,
          ),
        ),
      ),

    deleteVersions: async versions => {
      const batch = versions.filter(({ key }) => isXmlText(key))
      const failures = batch.length === 0 ? [] : await deleteBatch(batch)
      for (const version of versions)
        if (!isXmlText(version.key)) failures.push(...(await deleteOne(version)))
      return failures
    },

    tagVersion: async ({ key, versionId }, tag) => {
      await run(`tagging a locked object of bucket ${name}`, send =>
        client.send(
          new s3.PutObjectTaggingCommand({
            Bucket: S3Bucket,
            Key: key,
            VersionId: versionId,
            Tagging: { TagSet: [{ Key: tag.key, Value: tag.value }] },
          }),
          send,
        ),
      )
    },

    lockOf: async ({ key, versionId }, now) => {
      const version = { Bucket: S3Bucket, Key: key, VersionId: versionId }
      const doing = `reading the lock of an object of bucket ${name}`
      const unlocked = [
        'NoSuchObjectLockConfiguration',
        'InvalidRequest',
        'NoSuchKey',
        'NoSuchVersion',
        // Delete markers have no locks.
        'MethodNotAllowed',
      ]
      const retention = await unless(
        unlocked,
        run(doing, send => client.send(new s3.GetObjectRetentionCommand(version), send)),
      )
      const { Mode: mode, RetainUntilDate: until } = retention?.Retention ?? {}
      if (mode !== undefined && until !== undefined && until.getTime() > now)
        return { kind: 'retention', mode, until: until.getTime() }
      const hold = await unless(
        unlocked,
        run(doing, send => client.send(new s3.GetObjectLegalHoldCommand(version), send)),
      )
      return { kind: hold?.LegalHold?.Status === 'ON' ? 'legal-hold' : 'none' }
    },
  }
}

/** Control characters, surrogate halves and the two noncharacters (XML 1.0, "Characters"). */
const doubtful = /[\p{Cc}\p{Cs}\ufffe\uffff]/u

/**
 * Returns true if XML represents the text unchanged. Also rejects some control characters that XML allows. Keys of S3
 * may contain characters that XML does not allow.
 */
const isXmlText = (text: string): boolean => !doubtful.test(text)
