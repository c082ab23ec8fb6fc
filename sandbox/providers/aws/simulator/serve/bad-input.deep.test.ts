import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Aws } from '../aws-interface.ts'
import { createServices } from '../services.ts'
import { createAws } from '../simulator.ts'
import type { Listening } from './http.ts'

let aws: Aws
let server: Listening

beforeAll(async () => {
  aws = createAws()
  server = await aws.listen()
})
afterAll(() => server.close())

const scope = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=00`

/** Sends bytes, one per letter, and returns all that is received until the connection closes. */
const sendRaw = async (request: string): Promise<string> => {
  const socket = connect(server.port, '127.0.0.1')
  socket.end(Buffer.from(request, 'latin1'))
  return text(socket)
}

const rawRequest = (line: string, headers: readonly string[], body = '') =>
  [line, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', body].join('\r\n')

const form = 'Content-Type: application/x-www-form-urlencoded'
const post = (service: string, body: string, ...headers: readonly string[]) =>
  rawRequest(
    'POST / HTTP/1.1',
    [`Authorization: ${scope(service)}`, form, `Content-Length: ${body.length}`, ...headers],
    body,
  )

const ec2Error = (code: string) =>
  new RegExp(`<Response><Errors><Error><Code>${code}</Code><Message>[^<]+</Message>`)
const queryError = (code: string) =>
  new RegExp(`<Error><Type>Sender</Type><Code>${code}</Code><Message>[^<]+</Message>`)
const s3Error = (code: string) => new RegExp(`<Error><Code>${code}</Code><Message>[^<]+</Message>`)

describe('an invalid request', () => {
  test.each<[title: string, request: string, status: number, answer: RegExp]>([
    ['no HTTP at all', 'hello\r\n\r\n', 400, queryError('BadRequest')],
    ['an unknown method of HTTP', rawRequest('BREW / HTTP/1.1', []), 400, queryError('BadRequest')],
    [
      'chunks that are none',
      rawRequest('POST / HTTP/1.1', ['Transfer-Encoding: chunked', form], 'zz\r\nAction=x\r\n0\r\n\r\n'),
      400,
      queryError('BadRequest'),
    ],
    [
      'two lengths',
      rawRequest('POST / HTTP/1.1', ['Content-Length: 3', 'Content-Length: 4'], 'abcd'),
      400,
      queryError('BadRequest'),
    ],
    [
      'headers without end',
      rawRequest('GET / HTTP/1.1', [`X-Long: ${'x'.repeat(100_000)}`]),
      431,
      queryError('RequestHeaderSectionTooLarge'),
    ],
    ['no address of a service', rawRequest('GET / HTTP/1.1', []), 404, queryError('UnknownService')],
    ['no action, for EC2', post('ec2', 'Version=2016-11-15'), 400, ec2Error('MissingAction')],
    ['no action, for IAM', post('iam', ''), 400, queryError('MissingAction')],
    [
      'an unknown action, for EC2',
      post('ec2', 'Action=Explode&Version=2016-11-15'),
      400,
      ec2Error('InvalidAction'),
    ],
    [
      'an unknown version, for EC2',
      post('ec2', 'Action=DescribeVpcs&Version=1999-01-01'),
      400,
      ec2Error('NoSuchVersion'),
    ],
    [
      'an unknown version, for IAM',
      post('iam', 'Action=ListRoles&Version=1999-01-01'),
      400,
      queryError('InvalidAction'),
    ],
    [
      'an unknown parameter, for EC2',
      post('ec2', 'Action=DescribeVpcs&Version=2016-11-15&__proto__.polluted=1'),
      400,
      ec2Error('UnknownParameter'),
    ],
    [
      'bytes that are no text, for EC2',
      post('ec2', 'Action=Describe\xff\xfe'),
      400,
      ec2Error('MalformedQueryString'),
    ],
    [
      'another method, for EC2',
      rawRequest('PUT /?Action=DescribeVpcs HTTP/1.1', [`Authorization: ${scope('ec2')}`]),
      405,
      ec2Error('MethodNotAllowed'),
    ],
    [
      'another method, for Route 53',
      rawRequest('PATCH /2013-04-01/hostedzone HTTP/1.1', [`Authorization: ${scope('route53')}`]),
      405,
      queryError('MethodNotAllowed'),
    ],
    [
      'another method, for S3',
      rawRequest('PATCH /bucket/key HTTP/1.1', [`Authorization: ${scope('s3')}`]),
      405,
      s3Error('MethodNotAllowed'),
    ],
    [
      'a key that is not UTF-8, for S3',
      rawRequest('GET /bucket%ff/key HTTP/1.1', [`Authorization: ${scope('s3')}`]),
      400,
      s3Error('[A-Za-z]+'),
    ],
    [
      'a body that is no XML, for S3',
      rawRequest(
        'PUT /bucket?versioning HTTP/1.1',
        [`Authorization: ${scope('s3')}`, 'Content-Length: 2'],
        '<a',
      ),
      400,
      s3Error('MalformedXML'),
    ],
    [
      'a body that is no JSON, for EFS',
      rawRequest(
        'POST /2015-02-01/file-systems HTTP/1.1',
        [`Authorization: ${scope('elasticfilesystem')}`, 'Content-Length: 2'],
        '{]',
      ),
      400,
      /"ErrorCode":"BadRequest"/,
    ],
    [
      'a signature that is none',
      rawRequest('GET /?Action=DescribeVpcs&Version=2016-11-15 HTTP/1.1', [
        'Authorization: AWS4-HMAC-SHA256 garbage',
      ]),
      400,
      ec2Error('IncompleteSignature'),
    ],
    [
      'the host of another service',
      post('ec2', 'Action=DescribeVpcs').replace('127.0.0.1', 'iam.amazonaws.com'),
      401,
      ec2Error('AuthFailure'),
    ],
  ])('%s gets a response in the format of AWS', async (_, request, status, answer) => {
    const given = await sendRaw(request)
    expect(given.split('\r\n')[0]).toContain(`HTTP/1.1 ${status} `)
    expect(given).toMatch(answer)
    aws.notBuilt.take()
  })

  test.each([
    ['ec2', 413, ec2Error('RequestEntityTooLarge')],
    ['iam', 413, queryError('RequestEntityTooLarge')],
    ['s3', 400, s3Error('EntityTooLarge')],
  ] as const)(
    'a request larger than the limit of all services is refused by %s',
    async (service, status, answer) => {
      const response = await fetch(`${server.url}/bucket/key`, {
        method: service === 's3' ? 'PUT' : 'POST',
        body: new Uint8Array(64 * 1024 * 1024 + 1),
        headers: { authorization: scope(service) },
      })
      expect(response.status).toBe(status)
      expect(await response.text()).toMatch(answer)
    },
  )

  test('the first line may contain the whole URL, as for a proxy', async () => {
    const given = await sendRaw(
      rawRequest('GET http://sts.amazonaws.com/?Action=GetCallerIdentity HTTP/1.1', [
        `Authorization: ${scope('sts')}`,
      ]),
    )
    expect(given).toContain('<Account>123456789012</Account>')
  })
})

const services = createServices()
const words = [
  ...services.flatMap(({ handlers }) => Object.keys(handlers)),
  '__proto__',
  'constructor',
  'toString',
  '',
  '\u0000',
  '<a>&',
  '%',
  '%ff',
  '../..',
  '-1',
  '1e309',
]
const word = fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 20 }))
const name = fc.oneof(
  fc.constantFrom(
    'Action',
    'Version',
    'Filter.1.Name',
    'Filter.1.Value.1',
    'MaxResults',
    'VpcId',
    'CidrBlock',
  ),
  fc.array(word, { maxLength: 4 }).map(parts => parts.join('.')),
)
const query = fc
  .array(fc.tuple(name, word), { maxLength: 5 })
  .map(pairs => new URLSearchParams(pairs).toString())
const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/2013-04-01/hostedzone',
    '/2015-02-01/file-systems',
    '/bucket',
    '/bucket/key',
    '/_trellis/faults',
    '/_trellis/accounts/1',
    '/_trellis/clock',
  ),
  fc.array(word.map(encodeURIComponent), { maxLength: 3 }).map(parts => `/${parts.join('/')}`),
  fc.stringMatching(/^\/[!-~]{0,20}$/),
)
const body = fc.oneof(
  query,
  fc.json(),
  fc.array(word, { maxLength: 4 }).map(parts => `<${parts.join('><')}>`),
  fc.uint8Array({ maxLength: 100 }).map(bytes => Buffer.from(bytes).toString('latin1')),
)
const signature = fc.oneof(
  fc.constantFrom(...services.map(({ signingName }) => scope(signingName))),
  fc.stringMatching(/^AWS4-HMAC-SHA256 [!-~ ]{0,60}$/),
  fc.constant(undefined),
)
const header = fc.constantFrom(
  form,
  'Content-Type: application/xml',
  'x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'x-amz-date: yesterday',
  'Range: bytes=9-1',
  'Expect: 100-continue',
  'Content-MD5: x',
)

test('every request gets a response in the format of AWS without a stack trace, and the simulator survives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'),
      path,
      query,
      signature,
      fc.array(header, { maxLength: 2 }),
      body,
      async (method, where, search, authorization, headers, content) => {
        const answer = await sendRaw(
          rawRequest(
            `${method} ${where}?${search} HTTP/1.1`,
            [
              ...new Set(headers),
              ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
              `Content-Length: ${content.length}`,
            ],
            content,
          ),
        )
        expect(answer).toMatch(/^HTTP\/1\.1 [1-5]\d\d /)
        expect(answer).not.toMatch(/\n\s+at |node_modules|\.ts:|InternalFailure|HTTP\/1\.1 500/)
      },
    ),
    { numRuns: 1_000 },
  )
  aws.notBuilt.take()
  expect(await sendRaw(post('sts', 'Action=GetCallerIdentity&Version=2011-06-15'))).toContain('<Account>')
})
