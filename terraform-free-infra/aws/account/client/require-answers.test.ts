import { Readable } from 'node:stream'
import { DeleteVpcCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import {
  DeleteBucketCommand,
  HeadBucketCommand,
  ListObjectVersionsCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { HttpResponse } from '@smithy/core/protocols'
import { expect, test } from 'vitest'
import { stepError } from '../errors/step-error.ts'
import { clientSettings } from './client.ts'
import { requireAnswers } from './require-answers.ts'

const clientsOf = (statusCode: number, body: string, headers: Readonly<Record<string, string>> = {}) => {
  const requestHandler = {
    handle: async () => ({
      response: new HttpResponse({
        statusCode,
        headers,
        body: Readable.from(body === '' ? [] : [Buffer.from(body)]),
      }),
    }),
  }
  const settings = clientSettings({ requestHandler }, 'eu-west-1', {
    accessKeyId: 'AKIA',
    secretAccessKey: 's',
  })
  const [ec2, s3] = [new EC2Client(settings), new S3Client(settings)]
  ec2.middlewareStack.use(requireAnswers())
  s3.middlewareStack.use(requireAnswers())
  return { ec2, s3 }
}

const page = '<!DOCTYPE html>\n<!-- proxy --><HTML><body>Log in</body></HTML>'

test.each([
  ['is empty', '', 'its body is empty'],
  ['is HTML', page, 'its body is HTML'],
  ['is XHTML', `<?xml version="1.0"?>${page.toLowerCase()}`, 'its body is HTML'],
  ['is text', 'ok', 'its body is neither XML nor JSON'],
])('a successful response that %s is an error of the connection, not an empty list', async (_, body, why) => {
  const { ec2, s3 } = clientsOf(200, body)
  await expect(ec2.send(new DescribeVpcsCommand({}))).rejects.toThrow(why)
  await expect(s3.send(new ListObjectVersionsCommand({ Bucket: 'b' }))).rejects.toThrow(why)
})

test('a deletion does not succeed with a page or an empty response', async () => {
  await expect(clientsOf(200, page).ec2.send(new DeleteVpcCommand({ VpcId: 'v' }))).rejects.toThrow('HTML')
  const bucket = new DeleteBucketCommand({ Bucket: 'b' })
  await expect(clientsOf(204, '').s3.send(bucket)).rejects.toThrow('neither a body nor a request id')
  await clientsOf(204, '', { 'x-amz-request-id': 'r' }).s3.send(bucket)
})

test('real AWS responses are passed on unchanged', async () => {
  const vpcs =
    '<DescribeVpcsResponse><vpcSet><item><vpcId>vpc-ü</vpcId></item></vpcSet></DescribeVpcsResponse>'
  const { Vpcs } = await clientsOf(200, vpcs).ec2.send(new DescribeVpcsCommand({}))
  expect(Vpcs?.map(({ VpcId }) => VpcId)).toEqual(['vpc-ü'])
  await clientsOf(200, '').s3.send(new HeadBucketCommand({ Bucket: 'b' }))
  await expect(clientsOf(403, '').ec2.send(new DescribeVpcsCommand({}))).rejects.toMatchObject({
    name: 'Unknown',
  })
})

test('the error says where to look, and has no Gardener code', async () => {
  const thrown = await clientsOf(200, page)
    .ec2.send(new DescribeVpcsCommand({}))
    .catch((error: unknown) => error)
  const signal = new AbortController().signal
  expect(stepError(thrown, { doing: 'looking', signal })).toMatchObject({
    origin: 'client',
    message:
      'looking: AnswerError: the response with HTTP status 200 is not from AWS, because its body is HTML. Check proxies and endpoints on the way',
  })
})
