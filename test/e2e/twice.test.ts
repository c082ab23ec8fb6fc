import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionProcess, functionProcesses } from '../../sandbox/seed/seed.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { eventOf, post } from './event-of.ts'
import { dnsRecordFunction, startTestSeed, type TestSeed } from './harness.ts'

/** A seed with a bridge that does not watch DNSRecords, and two processes of their function. */
let seed: TestSeed
let processes: readonly FunctionProcess[] = []
beforeAll(async () => {
  seed = await startTestSeed({ kinds: ['Network'] })
  const start = functionProcesses({
    kubeconfig: seed.kubeconfigFile,
    env: { AWS_ENDPOINT_URL: seed.awsUrl },
  })
  const fn = await dnsRecordFunction()
  processes = await Promise.all([start(fn), start(fn)])
})
afterAll(async () => {
  await Promise.all(processes.map(process => process.close()))
  await seed.close()
})

/** Sends an event to both processes concurrently. */
const sendTwice = (event: ExtensionEvent): Promise<number[]> =>
  Promise.all(processes.map(({ url }) => post(url, event)))

test('the same event in two concurrent processes creates nothing twice', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `twin-${index}`)
  // Slow enough that the second process starts while the first one works.
  const quicken = seed.aws.faults.add({
    action: 'ListHostedZones',
    times: null,
    effect: { kind: 'delay', milliseconds: 500 },
  })
  const objects = await Promise.all(names.map(name => seed.create(name)))
  const answers = (await Promise.all(objects.map(object => sendTwice(eventOf(object))))).flat()
  quicken()

  expect(answers.every(status => status === 204 || status === 503)).toBe(true)
  // The claim separates them. Without a refusal, the test would prove nothing.
  expect(answers).toContain(503)
  for (const name of names)
    expect((await seed.untilReady(name)).status?.lastOperation?.state).toBe('Succeeded')
  // Records that wait at the same time share a batch.
  const changed = seed
    .changes()
    .flatMap(({ input }) => (input as { ChangeBatch: { Changes: readonly unknown[] } }).ChangeBatch.Changes)
  expect(changed).toHaveLength(names.length)
  expect(seed.records()).toHaveLength(names.length)
})

test('a repeated event changes nothing once it was handled', async () => {
  const event = eventOf(await seed.create('again'))
  await sendTwice(event)
  await seed.untilReady('again')
  seed.aws.calls.clear()
  expect(await sendTwice(event)).toEqual([204, 204])
  expect(seed.actions()).toEqual([])
})

test('the same deletion in two processes removes the record once', async () => {
  const event = eventOf(await seed.create('leaving'))
  await sendTwice(event)
  await seed.untilReady('leaving')
  seed.aws.calls.clear()
  await seed.remove('leaving')
  const answers = await sendTwice(eventOf(seed.live('leaving')))
  expect(answers.every(status => status === 204 || status === 503)).toBe(true)
  await seed.untilGone('leaving')
  expect(seed.changes()).toHaveLength(1)
})
