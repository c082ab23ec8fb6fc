import { EC2Client } from '@aws-sdk/client-ec2'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { operatorCredentials } from '../../../sandbox/providers/aws/simulator/aws.ts'
import type { GroupVersionResource } from '../../../shared/kubernetes/kubernetes.ts'
import type { Life } from './life.ts'

export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

const region = 'eu-west-1'

/** A client of a person who works in the account of the shoot. */
export const personSettings = ({ aws }: AwsSide) => ({
  region,
  credentials: operatorCredentials,
  requestHandler: aws.requestHandler,
})

export const personInEc2 = (side: AwsSide): EC2Client => new EC2Client(personSettings(side))

export const personInS3 = (side: AwsSide): S3Client => new S3Client(personSettings(side))

const other = {
  accessKeyId: 'AKIAEXAMPLEOTHER0000',
  secretAccessKey: 'not-a-real-secret-of-others'.padEnd(40, '0'),
}

/** Creates a bucket in the other account. */
export const addBucketOfOthers = async ({ aws }: AwsSide): Promise<void> => {
  aws.account('999999999999').register(other)
  const client = new S3Client({ region, credentials: other, requestHandler: aws.requestHandler })
  const CreateBucketConfiguration = { LocationConstraint: region } as const
  await client.send(new CreateBucketCommand({ Bucket: 'others', CreateBucketConfiguration }))
}

/** Replaces the credentials in a Secret by those of another account. Returns a function that restores them. */
export const changeAccount = async (
  { world, seed }: Life<AwsSide>,
  key: { readonly name: string; readonly namespace: string },
): Promise<() => Promise<void>> => {
  world.cloud.aws.account('999999999999').register(other)
  const before = Object((await seed.kubernetes.get(secrets, key))?.data)
  const data = {
    accessKeyID: Buffer.from(other.accessKeyId).toString('base64'),
    secretAccessKey: Buffer.from(other.secretAccessKey).toString('base64'),
  }
  await seed.kubernetes.patch(secrets, key, { data })
  return async () => void (await seed.kubernetes.patch(secrets, key, { data: before }))
}
