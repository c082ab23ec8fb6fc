import { expect, test } from 'vitest'
import { CodedError, RequeueAfterError, StepExpiredError } from '../../../../shared/contract/errors.ts'
import { AwsError } from './aws-error.ts'
import { stepError, withCodes } from './step-error.ts'

const { signal } = new AbortController()
const named = (name: string, message = 'no', status = 400) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } })

test.each([
  'Throttling',
  'ThrottlingException',
  'PriorRequestNotComplete',
  'RequestLimitExceeded',
  'SlowDown',
])('%s is retried after 30 s, without a code that would end the retries', name => {
  const error = stepError(named(name, 'Rate exceeded'), { doing: 'changing a', signal })
  expect(error).toBeInstanceOf(RequeueAfterError)
  expect(error).toMatchObject({ delayMs: 30_000, message: `changing a: ${name}: Rate exceeded` })
  expect(withCodes(error)).toBe(error)
})

test('status 429 is throttling, with any error name', () => {
  expect(stepError(named('Busy', 'no', 429), { doing: 'x', signal })).toBeInstanceOf(RequeueAfterError)
})

test.each([
  ['AccessDenied', ['ERR_INFRA_UNAUTHORIZED']],
  ['InvalidClientTokenId', ['ERR_INFRA_UNAUTHORIZED']],
  ['SignatureDoesNotMatch', ['ERR_INFRA_UNAUTHORIZED']],
  ['InvalidAccessKeyId', ['ERR_INFRA_UNAUTHENTICATED']],
])('%s gets %s', (name, codes) => {
  expect(withCodes(stepError(named(name), { doing: 'x', signal }))).toMatchObject({ codes })
})

test('an error that was described closer to the call is not changed', () => {
  const inner = stepError(named('ExpiredTokenException'), { doing: 'assuming a role', signal })
  expect(stepError(inner, { doing: 'reading', signal })).toBe(inner)
})

test('the name of a record has no effect on the code', () => {
  const error = stepError(named('InternalFailure'), { doing: 'reading quotas.conflict.example.com', signal })
  expect(withCodes(error)).toBe(error)
  expect(error).toBeInstanceOf(AwsError)
})

test('errors that define the next action are passed on', () => {
  for (const error of [
    new StepExpiredError('late'),
    new CodedError('bad', { codes: ['ERR_CONFIGURATION_PROBLEM'] }),
    new RequeueAfterError(new Error('later'), 1),
  ]) {
    expect(stepError(error, { doing: 'x', signal })).toBe(error)
  }
})

test('after an abort the error is its reason', () => {
  const reason = new Error('the step took too long')
  expect(stepError(named('AbortError'), { doing: 'x', signal: AbortSignal.abort(reason) })).toBe(reason)
})

test('the explanation of the caller overrides the default', () => {
  const explained = new Error('because')
  expect(stepError(named('NoSuchHostedZone'), { doing: 'x', signal, explain: () => explained })).toBe(
    explained,
  )
})
