import { DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { expect, test } from 'vitest'
import { regions } from '../ec2/zones/catalogue.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf } from '../testing/clients.ts'
import { isRegion } from './regions.ts'

const aws = createAws()

test.each(['eu-nowhere-9', 'eu-west-9', 'eu-west-1a', 'mars'])(
  'the hosts of the region %s, which does not exist, have no address',
  async region => {
    const settings = { ...clientSettings(aws), region }
    const calls = [
      ['ec2', () => new EC2Client(settings).send(new DescribeVpcsCommand({}))],
      ['sts', () => new STSClient(settings).send(new GetCallerIdentityCommand({}))],
      ['s3', () => new S3Client(settings).send(new ListBucketsCommand({}))],
    ] as const
    for (const [service, call] of calls)
      expect(await failureOf(call())).toMatchObject({
        code: 'ENOTFOUND',
        message: `getaddrinfo ENOTFOUND ${service}.${region}.amazonaws.com`,
      })
  },
)

test('an endpoint refuses a signature for a region that does not exist', async () => {
  const server = await aws.listen()
  try {
    const settings = { ...clientSettings(aws, { endpoint: server.url }), region: 'eu-nowhere-9' }
    const message = "Credential should be scoped to a valid region, not 'eu-nowhere-9'. "
    expect(await failureOf(new EC2Client(settings).send(new DescribeVpcsCommand({})))).toMatchObject({
      name: 'AuthFailure',
      message,
    })
    expect(await failureOf(new STSClient(settings).send(new GetCallerIdentityCommand({})))).toMatchObject({
      name: 'SignatureDoesNotMatch',
      message,
    })
  } finally {
    await server.close()
  }
})

test('every region of the catalogue is a region', () => {
  expect(regions.filter(({ name }) => !isRegion(name))).toEqual([])
})
