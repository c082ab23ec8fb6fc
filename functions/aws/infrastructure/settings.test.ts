import { expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import { infrastructureActuator } from './actuator.ts'
import { clusterOf, infrastructureOf } from './testing/objects.ts'

const waitOf = async (waitScale?: number) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const { requestHandler } = shuffledAws({ clock })
  const { reconcile } = infrastructureActuator({
    clock,
    connection: { requestHandler },
    ...(waitScale !== undefined && { waitScale }),
  })
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const step: Partial<StepContext<ReturnType<typeof infrastructureOf>>> = {
    object: infrastructureOf(),
    cluster: clusterOf(),
    secret: {
      name: 'cloudprovider',
      namespace: 'shoot--foo--bar',
      labels: {},
      data: { accessKeyID: 'AKIAEXAMPLE', secretAccessKey: 'of-this-test' },
    },
    clock,
    log,
    signal: new AbortController().signal,
    throwIfExpired: () => {},
    saveStatus: async () => {},
  }
  let over = false
  const result = reconcile(step as never).finally(() => {
    over = true
  })
  while (!over) await clock.advance(500)
  return result
}

test('a faster AWS is polled sooner', async () => {
  const patient = await waitOf()
  const hurried = await waitOf(0.02)
  if (patient.kind !== 'continue' || hurried.kind !== 'continue')
    throw new Error('no NAT gateway to wait for')
  expect(patient.afterMs).toBeGreaterThan(10_000)
  expect(hurried.afterMs).toBe(patient.afterMs * 0.02)
})
