import { expect, test } from 'vitest'
import type { CheckContext } from '../../../shared/health/health.ts'
import { extensionHealth } from './health.ts'
import { extensionWorld, name } from './testing/extension-world.ts'

const seedName = 'extension-shoot-oidc-service-seed'

const checked = async (treatment?: 'unhealthy' | 'invalid') => {
  const world = await extensionWorld()
  await world.create()
  await world.converge(name)
  if (treatment !== undefined) {
    world.resourceManager.treat(seedName, treatment)
    await world.resourceManager.work()
  }
  const [condition] = extensionHealth.conditions
  const [check] = condition?.checks ?? []
  const run = (namespace: string) =>
    check?.run({
      kubernetes: world.kubernetes,
      namespace,
      signal: new AbortController().signal,
    } as unknown as CheckContext)
  return { condition, run, namespace: world.namespace }
}

test('the seed components determine the health of the shoot’s control plane', async () => {
  const { condition, run, namespace } = await checked()
  expect(condition?.type).toBe('ControlPlaneHealthy')
  expect(await run(namespace)).toEqual({ kind: 'successful' })
})

test.each([
  [
    'unhealthy',
    'is unhealthy: condition "ResourcesHealthy" has invalid status False (expected True) due to DeploymentUnhealthy: Deployment x has no replicas',
  ],
  [
    'invalid',
    'is unhealthy: condition "ResourcesApplied" has invalid status False (expected True) due to ApplyFailed',
  ],
] as const)('objects that are %s are reported', async (treatment, text) => {
  const { run, namespace } = await checked(treatment)
  expect(await run(namespace)).toMatchObject({
    kind: 'unsuccessful',
    detail: expect.stringContaining(
      `Managed Resource "${seedName}" in namespace "shoot--garden--one" ${text}`,
    ),
  })
})

test('missing objects are reported, too', async () => {
  const { run } = await checked()
  expect(await run('elsewhere')).toMatchObject({
    detail: `Managed Resource "${seedName}" in namespace "elsewhere" not found`,
  })
})
