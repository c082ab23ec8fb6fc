import { Readable } from 'node:stream'
import { GetHostedZoneCountCommand, Route53Client } from '@aws-sdk/client-route-53'
import { expect, test } from 'vitest'
import { type EndedRequest, observeRequests } from './observe-requests.ts'

/** Runs a call with these responses, one per attempt, and returns the observed requests. */
const observed = async (
  ...answers: readonly (Error | { readonly status: number; readonly body: string })[]
) => {
  const ended: EndedRequest[] = []
  const open = [...answers]
  const client = new Route53Client({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: answers.length,
    requestHandler: {
      handle: async () => {
        const answer = open.shift()
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
        const { status, body } = answer
        return {
          response: {
            statusCode: status,
            headers: { 'x-amzn-requestid': `id-of-${status}` },
            body: Readable.from([Buffer.from(body)]),
          } as never,
        }
      },
    },
  })
  client.middlewareStack.use(observeRequests(request => ended.push(request)))
  await client.send(new GetHostedZoneCountCommand({})).catch(() => undefined)
  return ended.map(({ durationMs, ...request }) => {
    expect(durationMs).toBeGreaterThanOrEqual(0)
    return request
  })
}

const call = { service: 'route53', operation: 'GetHostedZoneCount', args: {}, write: false }
const refusal = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`
const count = '<GetHostedZoneCountResponse><HostedZoneCount>1</HostedZoneCount></GetHostedZoneCountResponse>'

test('each attempt of a call is observed, including throttling', async () => {
  expect(await observed({ status: 400, body: refusal('Throttling') }, { status: 200, body: count })).toEqual([
    { ...call, status: '400', throttled: true, requestId: 'id-of-400', error: 'Throttling' },
    { ...call, status: '200', throttled: false, requestId: 'id-of-200', error: undefined },
  ])
})

test('a refusal and a broken connection are observed with their status', async () => {
  expect(await observed({ status: 403, body: refusal('AccessDenied') })).toEqual([
    { ...call, status: '403', throttled: false, requestId: 'id-of-403', error: 'AccessDenied' },
  ])
  expect(await observed(new Error('socket hang up'))).toEqual([
    { ...call, status: 'none', throttled: false, requestId: undefined, error: 'Error' },
  ])
})
