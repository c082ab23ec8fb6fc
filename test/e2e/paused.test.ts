import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionProcess, functionProcesses } from '../../sandbox/seed/seed.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { eventOf, post } from './event-of.ts'
import { dnsRecordFunction, startTestSeed, type TestSeed } from './harness.ts'

/** A seed with a bridge that does not watch DNSRecords, and two processes of their function with claims of 1.5 s. */
let seed: TestSeed
let slow: FunctionProcess
let quick: FunctionProcess
beforeAll(async () => {
  seed = await startTestSeed({ kinds: ['Network'] })
  const start = functionProcesses({
    kubeconfig: seed.kubeconfigFile,
    env: { AWS_ENDPOINT_URL: seed.awsUrl, TRELLIS_STEP_LIMIT_MS: '1000', TRELLIS_STEP_MARGIN_MS: '500' },
  })
  const fn = await dnsRecordFunction()
  ;[slow, quick] = await Promise.all([start(fn), start(fn)])
})
afterAll(async () => {
  await Promise.all([slow.kill(), quick.kill()])
  await seed.close()
})

test('a process that was paused beyond its claim writes nothing after it resumes, because another one has taken over', async () => {
  seed.aws.faults.add({ action: 'ListHostedZones', effect: { kind: 'delay', milliseconds: 100 } })
  const answer = post(slow.url, eventOf(await seed.create('api')))
  await seed.until('the first process to be at work', () =>
    seed.aws.faults.pending().length === 0 ? true : undefined,
  )
  const resume = slow.pause()

  const expired = await seed.until('the claim to run out', () => {
    const object = seed.live('api')
    return object && dueWork('DNSRecord', object, Date.now()).kind === 'emit' ? object : undefined
  })
  expect(eventOf(expired).reason).toBe('expired')
  expect(await post(quick.url, eventOf(expired))).toBe(204)
  await seed.untilReady('api')
  expect(
    await post(quick.url, eventOf(await seed.ask('api', 'reconcile', { values: ['203.0.113.99'] }))),
  ).toBe(204)
  const settled = await seed.untilReady('api')

  resume()
  expect(await answer).toBe(503)
  expect(seed.live('api')).toEqual(settled)
  expect(seed.records()).toEqual(['A api.rose.example.com. 120 203.0.113.99'])
  expect(seed.changes()).toHaveLength(2)
})
