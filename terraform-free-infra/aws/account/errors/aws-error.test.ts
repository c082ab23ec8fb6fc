import { expect, test } from 'vitest'
import { describeAwsError } from './aws-error.ts'

/** An error in the form of the SDK. */
const sdkError = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 400, requestId: 'r-1' } }, more)

const uuid = '0b3f2a7e-1c1d-4f5a-9a55-6f0f2d9c7b11'

test.each<[string, unknown, string]>([
  [
    'code and message',
    sdkError('AccessDenied', 'User: arn:aws:iam::1:user/x is not authorized'),
    'doing it: AccessDenied: User: arn:aws:iam::1:user/x is not authorized',
  ],
  [
    'the messages of a batch',
    sdkError('InvalidChangeBatch', '[it was not found]', { messages: ['it was not found'] }),
    'doing it: InvalidChangeBatch: [it was not found]',
  ],
  [
    'messages that only the list has',
    sdkError('InvalidChangeBatch', '', { messages: ['one', 'two'] }),
    'doing it: InvalidChangeBatch: one; two',
  ],
  ['no request id in brackets', sdkError('X', `it failed (RequestId: ${uuid})`), 'doing it: X: it failed'],
  ['no request id at the end', sdkError('X', `it failed, request id: ${uuid}`), 'doing it: X: it failed'],
  [
    'no request id of S3',
    sdkError('X', 'Service error; Request ID: 4442587FB7D0A2F9; extended'),
    'doing it: X: Service error; extended',
  ],
  [
    'the permission that is missing, without the encoded decision about it',
    sdkError(
      'UnauthorizedOperation',
      'User: arn:aws:iam::1:user/x is not authorized to perform: ec2:CreateVpc. Encoded authorization failure message: 4OOgz-_q0LoZ',
    ),
    'doing it: UnauthorizedOperation: User: arn:aws:iam::1:user/x is not authorized to perform: ec2:CreateVpc.',
  ],
  [
    'no text of AWS that there is none of',
    sdkError('InternalFailure', 'UnknownError'),
    'doing it: InternalFailure',
  ],
  [
    'only the first sentence of a signature mismatch',
    sdkError(
      'SignatureDoesNotMatch',
      'The signature we calculated does not match. Check your key.\n\nThe Canonical String was\nx-amz-security-token:hidden',
    ),
    'doing it: SignatureDoesNotMatch: The signature we calculated does not match.',
  ],
  [
    'the code of a connection error',
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
    'doing it: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1',
  ],
  [
    'the status of an answer that is not of AWS',
    sdkError('Unknown', 'UnknownError'),
    'doing it: Unknown: an answer with HTTP status 400',
  ],
  ['a value that is not an error', 'broken', 'doing it: broken'],
])('the message contains %s', (_, thrown, message) => {
  expect(describeAwsError(thrown, { doing: 'doing it' }).message).toBe(message)
})

test('secret values are hidden wherever AWS repeats them', () => {
  const error = describeAwsError(sdkError('InvalidIdentityToken', 'the token eyJ.a.b is bad: eyJ.a.b'), {
    doing: 'signing in',
    secrets: ['eyJ.a.b', ''],
  })
  expect(error.message).toBe('signing in: InvalidIdentityToken: the token <hidden> is bad: <hidden>')
  expect(JSON.stringify(error) + error.stack).not.toContain('eyJ')
})

test('the code and HTTP status are available', () => {
  expect(describeAwsError(sdkError('NoSuchHostedZone', 'no'), { doing: 'x' })).toMatchObject({
    code: 'NoSuchHostedZone',
    status: 400,
  })
})

test('a long text is cut to its first 4,096 characters, and contains no part of a secret', () => {
  const { message } = describeAwsError(sdkError('X', `${'a'.repeat(4_090)}secret-value${'b'.repeat(1e6)}`), {
    doing: 'x',
    secrets: ['secret-value'],
  })
  expect(message).toBe(`x: X: ${'a'.repeat(4_090)}<hi…`)
  expect(message).toHaveLength('x: '.length + 4_097)
})

test('overlapping secrets are hidden completely, in any order', () => {
  const error = sdkError('X', 'the token begin-of-it-and-the-end is over')
  const secrets = ['begin-of-it', 'of-it-and-the-end']
  for (const given of [secrets, secrets.toReversed()]) {
    expect(describeAwsError(error, { doing: 'doing it', secrets: given }).message).toBe(
      'doing it: X: the token <hidden> is over',
    )
  }
})
