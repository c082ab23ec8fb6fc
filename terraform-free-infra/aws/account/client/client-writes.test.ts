import {
  ChangeResourceRecordSetsCommand,
  ListHostedZonesCommand,
  Route53Client,
} from '@aws-sdk/client-route-53'
import { HttpResponse } from '@smithy/core/protocols'
import { expect, test } from 'vitest'
import { StepExpiredError } from '../../../../shared/contract/errors.ts'
import { checkBeforeWrites, clientSettings } from './client.ts'

const change = new ChangeResourceRecordSetsCommand({
  HostedZoneId: 'Z1',
  ChangeBatch: { Changes: [{ Action: 'DELETE', ResourceRecordSet: { Name: 'a', Type: 'A' } }] },
})

/** A client that receives only 503 responses. It retries immediately, at most three attempts. */
const setUp = (throwIfExpired: () => void) => {
  const headers: Record<string, string>[] = []
  const requestHandler = {
    handle: async (request: { headers: Record<string, string> }) => {
      headers.push(request.headers)
      return { response: new HttpResponse({ statusCode: 503, headers: {} }) }
    },
  }
  const retryStrategy = {
    acquireInitialRetryToken: async () => token(0),
    refreshRetryTokenForRetry: async (
      last: { getRetryCount: () => number },
      { errorType }: { errorType: string },
    ) => {
      if (errorType === 'CLIENT_ERROR' || last.getRetryCount() === 2) throw new Error('no more')
      return token(last.getRetryCount() + 1)
    },
    recordSuccess: () => {},
  }
  const client = new Route53Client(
    clientSettings({ requestHandler, retryStrategy }, 'us-west-2', {
      accessKeyId: 'AK',
      secretAccessKey: 's',
    }),
  )
  client.middlewareStack.use(checkBeforeWrites(throwIfExpired))
  return { client, headers }
}
const token = (count: number) => ({ getRetryCount: () => count, getRetryDelay: () => 0 })

test('the check runs before every attempt of a write', async () => {
  let guarded = 0
  const { client, headers } = setUp(() => guarded++)
  await expect(client.send(change)).rejects.toThrow()
  expect(headers).toHaveLength(3)
  expect(guarded).toBe(3)
})

test('nothing is sent after the check throws, and its error is passed on unchanged', async () => {
  const expired = new StepExpiredError('late')
  let guarded = 0
  const { client, headers } = setUp(() => {
    if (++guarded === 2) throw expired
  })
  await expect(client.send(change)).rejects.toBe(expired)
  expect(headers).toHaveLength(1)
})

test('the check does not run for reads', async () => {
  const { client, headers } = setUp(() => {
    throw new StepExpiredError('late')
  })
  await expect(client.send(new ListHostedZonesCommand({}))).rejects.not.toBeInstanceOf(StepExpiredError)
  expect(headers).toHaveLength(3)
})

test('requests identify their caller to AWS', async () => {
  const { client, headers } = setUp(() => {})
  await expect(client.send(new ListHostedZonesCommand({}))).rejects.toThrow()
  expect(headers[0]?.['user-agent']).toMatch(/\btrellis\b/)
})
