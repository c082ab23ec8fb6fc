import { afterAll, beforeAll, expect, test } from 'vitest'
import { planLines, runSeed } from '../../../sandbox/simulation/random/random.ts'
import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { isNight, share } from '../../cases/share.ts'
import { randomClouds } from './random-clouds.ts'

const { clouds, close } = randomClouds()
afterAll(close)

let code: Awaited<ReturnType<typeof loadSimulatedCode>>
beforeAll(async () => {
  code = await loadSimulatedCode()
})

const found = [
  ['local-0', 'a shoot without a cloud'],
  ['aws-13', 'a shoot on AWS'],
  ['aws-8', 'a rotation in a hibernated shoot'],
  ['aws-333', 'a MachineDeployment that a person deletes in a hibernated shoot'],
  ['aws-194', 'a deletion that interrupts a change of the volumes'],
  ['aws-2398', 'a definition that goes with its ManagedResource, and the objects of its kind'],
  ['aws-2385', 'a deletion after etcd lost machines'],
  ['aws-2160', 'a restore of machines whose class has changed'],
  ['local-2098', 'a bastion that etcd lost and its user closes at once'],
] as const

const inOpenStack = [
  ['openstack-7', 'a given network and router'],
  ['openstack-1', 'other credentials, and a key pair that a person deletes'],
] as const

test.each([...share(found, 3), ...share(inOpenStack, 2)])('seed %s breaks no promise: %s', async seed => {
  const { broken, plan } = await runSeed(seed, { code, clouds })
  expect(broken, planLines(plan).join('\n')).toEqual([])
})

test.each(isNight ? ['local-3', 'aws-4'] : ['aws-4'])('seed %s gives the same trace twice', async seed => {
  const limits = { longMs: 10 * 60_000, shoots: 1, actions: 6 }
  const first = await runSeed(seed, { code, clouds, limits })
  const second = await runSeed(seed, { code, clouds, limits })
  expect(second.hash).toBe(first.hash)
})
