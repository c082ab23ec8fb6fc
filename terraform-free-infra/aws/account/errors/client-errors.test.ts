import * as dns from 'node:dns'
import { getSystemErrorMap } from 'node:util'
import { ListHostedZonesCommand, Route53Client } from '@aws-sdk/client-route-53'
import { HttpResponse } from '@smithy/core/protocols'
import { StandardRetryStrategy } from '@smithy/core/retry'
import { errors as undiciErrors } from 'undici'
import { describe, expect, test } from 'vitest'
import { classify, codesOf } from '../../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { clientSettings } from '../client/client.ts'
import { AwsError, describeAwsError } from './aws-error.ts'
import { awsClassifiers, stepError, withCodes } from './step-error.ts'

const { signal } = new AbortController()

/** An error in the form of Node: the code is in a property and in the text. */
const nodeError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name })

const host = 'route53.amazonaws.com'

const systemErrors = [...getSystemErrorMap().values()].flatMap(([code, text]) => [
  nodeError(code, `connect ${code} 198.51.100.7:443`),
  nodeError(code, `${code}: ${text}, connect`),
])

const resolverErrors = [
  ...Object.values<unknown>({ ...dns }).flatMap(value =>
    typeof value === 'string' && /^E[A-Z]+$/.test(value) ? [value] : [],
  ),
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NONAME',
  'EAI_NODATA',
].map(code => nodeError(code, `getaddrinfo ${code} ${host}`))

/** X509 and TLS: Node's documentation, "X509 certificate error codes" and "Node.js error codes". */
const tlsErrors = [
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid'],
  ['CERT_REVOKED', 'certificate revoked'],
  ['CERT_REJECTED', 'certificate rejected'],
  ['CERT_UNTRUSTED', 'certificate not trusted'],
  ['CERT_CHAIN_TOO_LONG', 'certificate chain too long'],
  ['CERT_SIGNATURE_FAILURE', 'certificate signature failure'],
  ['CRL_HAS_EXPIRED', 'CRL has expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
  ['ERROR_IN_CERT_NOT_AFTER_FIELD', "format error in certificate's notAfter field"],
  ['HOSTNAME_MISMATCH', 'hostname mismatch'],
  ['INVALID_CA', 'invalid CA certificate'],
  ['INVALID_PURPOSE', 'unsupported certificate purpose'],
  ['PATH_LENGTH_EXCEEDED', 'path length constraint exceeded'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unable to get issuer certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', `Hostname/IP does not match certificate's altnames: Host: ${host}.`],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake timeout'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', '0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number'],
  ['EPROTO', 'write EPROTO 0:error:0A000410:SSL routines::ssl/tls alert handshake failure'],
].map(([code = '', message = '']) => nodeError(code, message))

const otherNodeErrors = [
  nodeError('ECONNRESET', 'socket hang up'),
  nodeError('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'),
  nodeError('ERR_INVALID_URL', 'Invalid URL'),
  nodeError('ERR_INVALID_ARG_VALUE', "The argument 'x' is invalid. Invalid value"),
  nodeError('ERR_INVALID_HTTP_TOKEN', 'Header name must be a valid HTTP token'),
  nodeError('ERR_MODULE_NOT_FOUND', 'Cannot find module'),
  nodeError('ERR_STREAM_PREMATURE_CLOSE', 'Premature close'),
  nodeError('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'),
  nodeError('HPE_HEADER_OVERFLOW', 'Parse Error: Header overflow'),
  new DOMException('The operation was aborted.', 'AbortError'),
  new SyntaxError('Unexpected token < in JSON: notFound'),
  new TypeError('fetch failed', { cause: nodeError('ENOTFOUND', `getaddrinfo ENOTFOUND ${host}`) }),
]

const undici = Object.keys(undiciErrors)
  .filter(name => name.endsWith('Error'))
  .map(name => Object.assign(named(name, 'Conflict: notFound'), { code: 'UND_ERR' }))

/** Errors of the SDK without a response, in its own words. */
const sdkErrors = [
  named(
    'TimeoutError',
    '@smithy/node-http-handler - [ERROR] a request has exceeded the 10000 ms requestTimeout',
  ),
  named('TimeoutError', 'Socket timed out without establishing a connection within 3000 ms'),
  named('AbortError', 'Request aborted'),
  named('CredentialsProviderError', 'Could not load credentials from any providers. AccessDenied'),
  named('TokenProviderError', 'Token is expired: Unauthorized'),
  named('EndpointError', 'Invalid Configuration: FIPS and custom endpoint are not supported. Invalid value'),
  named('EndpointError', "Custom endpoint is invalid: notFound, Conflict, 'quotas'"),
  new TypeError("Cannot read properties of undefined (reading 'notFound')"),
  named('SmithyTypeError', 'Invalid value: expected a string, found notFound'),
]

const clientErrors = [
  ...systemErrors,
  ...resolverErrors,
  ...tlsErrors,
  ...otherNodeErrors,
  ...undici,
  ...sdkErrors,
]
const rows = clientErrors.map(error => [`${error.name}: ${error.message}`, error] as const)

const codesAfter = (thrown: unknown): readonly ErrorCode[] =>
  codesOf(withCodes(stepError(thrown, { doing: 'reading quotas.conflict.example.com', signal })))

describe('no error of Node or of the SDK itself is attributed to a user', () => {
  test.each(rows)('%s', (_, error) => {
    expect(codesAfter(error)).toEqual([])
    // The SDK adds the number of attempts to every error.
    expect(codesAfter(Object.assign(error, { $metadata: { attempts: 3, totalRetryDelay: 210 } }))).toEqual([])
  })

  test('even if its text alone would match a code', () => {
    expect(rows.filter(([text]) => classify(text, awsClassifiers).length > 0).length).toBeGreaterThan(5)
    expect(classify(`getaddrinfo ENOTFOUND ${host}`, awsClassifiers)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })
})

describe('through the SDK, with middleware that changes errors', () => {
  const sent = async (handle: () => Promise<{ response: HttpResponse }>): Promise<unknown> => {
    const client = new Route53Client(
      clientSettings(
        { requestHandler: { handle }, retryStrategy: new StandardRetryStrategy(1) },
        'us-east-1',
        { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
      ),
    )
    return client.send(new ListHostedZonesCommand({})).catch((error: unknown) => error)
  }
  const answer = (statusCode: number, body: string, type = 'text/html') =>
    sent(async () => ({
      response: new HttpResponse({ statusCode, headers: { 'content-type': type }, body: Buffer.from(body) }),
    }))

  test.each(
    [...resolverErrors, ...tlsErrors, ...otherNodeErrors, ...sdkErrors].map(e => [e.message, e] as const),
  )('%s has no code', async (_, error) => {
    const thrown = await sent(() => Promise.reject(error))
    expect(codesAfter(thrown)).toEqual([])
  })

  test.each([
    [404, '<html><body>404 notFound</body></html>'],
    [403, '<html><body>AccessDenied by the proxy</body></html>'],
    [407, 'Unauthorized'],
    [409, ''],
    [502, '<html>internal server error'],
    [200, 'not XML: notFound'],
    [200, '<broken'],
  ])('a response of a proxy, %i %j, has no code', async (status, body) => {
    const thrown = await answer(status, body)
    if (thrown instanceof Error) expect(codesAfter(thrown)).toEqual([])
  })

  test('a response of AWS has the codes of its error code', async () => {
    const body =
      '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>'
    expect(codesAfter(await answer(403, body, 'text/xml'))).toEqual(['ERR_INFRA_UNAUTHORIZED'])
  })
})

describe('an AWS error', () => {
  const said = (code: string, text: string) =>
    describeAwsError(
      Object.assign(named(code, text), { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
      {
        doing: 'changing a',
      },
    )
  const codesOfAws = (code: string, text: string) => codesOf(withCodes(said(code, text)))

  test('is classified by its error code first', () => {
    expect(codesOfAws('AccessDenied', 'Conflict: the notFound quota is exceeded')).toEqual([
      'ERR_INFRA_UNAUTHORIZED',
    ])
  })

  test('is classified by its text if the code is unknown', () => {
    expect(codesOfAws('OperationNotPermitted', 'You have exceeded quota')).toEqual([
      'ERR_INFRA_QUOTA_EXCEEDED',
    ])
  })

  test.each([
    "[Tried to create resource record set [name='quotas.example.com.', type='A'] but it already exists]",
    'RRSet of type A with DNS name conflict.example.com. is a copy',
    'The user arn:aws:iam::1:user/quotas/conflict-manager is not there',
    'Value "notFound" is odd',
  ])('is not classified by names in its text: %s', text => {
    expect(codesOfAws('InvalidChangeBatch', text)).toEqual([])
  })

  test('has a recorded origin', () => {
    expect(said('InvalidChangeBatch', 'x').origin).toBe('aws')
    expect(describeAwsError(nodeError('ENOTFOUND', 'x'), { doing: 'y' })).toMatchObject({
      origin: 'client',
      code: 'ENOTFOUND',
    })
    expect(new AwsError('x', { code: 'C', status: undefined, said: 'C' }).origin).toBe('aws')
  })
})
