import {
  CreateBucketCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { type AwsOptions, createAws } from '../../simulator.ts'
import { clientSettings } from '../../testing/clients.ts'

export const Bucket = 'backup'
export const start = Date.parse('2026-01-01T12:00:00Z')
export const day = 86_400_000

/** Creates a simulator with a client in eu-west-1, for tests. */
export const newS3 = (options: AwsOptions = {}) => {
  const clock = virtualClock(start)
  const aws = createAws({ clock, ...options })
  const client = new S3Client(clientSettings(aws))
  const inRegion = (region: string, settings: object = {}) =>
    new S3Client({ ...clientSettings(aws), region, ...settings })
  const put = (Key: string, Body: string | Uint8Array = Key, input: object = {}) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body, ...input }))
  /** Returns `key version` or `key marker`, newest first. */
  const versions = async () => {
    const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }))
    return {
      versions: Versions.map(({ Key, VersionId }) => ({ Key: String(Key), VersionId: String(VersionId) })),
      markers: DeleteMarkers.map(({ Key, VersionId }) => ({
        Key: String(Key),
        VersionId: String(VersionId),
      })),
    }
  }
  return { clock, aws, client, inRegion, put, versions }
}

/** Creates such a simulator with a bucket. */
export const newBucketWorld = async (options: AwsOptions = {}, input: object = {}) => {
  const world = newS3(options)
  await world.client.send(new CreateBucketCommand({ Bucket, ...input }))
  return world
}
