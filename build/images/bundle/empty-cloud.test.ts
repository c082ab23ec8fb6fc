import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { GetBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { emptyCloud } from './empty-cloud.ts'

const connection = {
  ...emptyCloud,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
} as object

describe('a cloud for the warm-up', () => {
  test('has none of the resources that an action requests', async () => {
    const { $metadata, ...answer } = await new EC2Client(connection).send(new DescribeSubnetsCommand({}))
    expect($metadata.httpStatusCode).toBe(200)
    expect(Object.values(answer).flat()).toEqual([])
  })

  test('has nothing at any path', async () => {
    const read = new S3Client(connection).send(new GetBucketPolicyCommand({ Bucket: 'a' }))
    await expect(read).rejects.toMatchObject({ name: 'NoSuchBucket' })
  })
})
