import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { deployments } from '../../shared/kubernetes/core-resources.ts'
import { type ControlPlaneSeed, startControlPlaneSeed } from '../control-plane/harness.ts'

const namespace = 'shoot--garden--health'
const { resource } = kinds.ControlPlane

/** A bridge, a broker, a function and a resource manager, on a real clock. */
let seed: ControlPlaneSeed
beforeAll(async () => {
  seed = await startControlPlaneSeed()
  await seed.create(namespace)
})
afterAll(() => seed.seed.close())

const live = async () => {
  const object = await seed.seed.kubernetes.get(resource, { name: 'control-plane', namespace })
  if (object === undefined) throw new Error('the ControlPlane is gone')
  return object
}
const health = async () => {
  const { conditions = [] } = Object((await live()).status)
  const found = conditions.find(({ type }: { readonly type: string }) => type === 'ControlPlaneHealthy')
  return found && `${found.status}: ${found.message}`
}
const untilHealth = (expected: unknown) => expect.poll(health).toEqual(expected)

const report = (status: 'True' | 'False') =>
  seed.seed.kubernetes.patch(
    deployments,
    { name: 'csi-driver-controller', namespace },
    { status: { conditions: [{ type: 'Available', status, reason: 'Because', message: 'so it is' }] } },
    { subresource: 'status' },
  )

const unhealthy = `False: deployment "csi-driver-controller" in namespace "${namespace}" is unhealthy: condition "Available" has invalid status False (expected True) due to Because: so it is.`

test('a ControlPlane is healthy if its Deployments are', async () => {
  await untilHealth('True: All health checks successful')
})

test('an unhealthy Deployment is reported, and nothing else of the ControlPlane changes', async () => {
  const before = await live()
  await report('False')
  await untilHealth(unhealthy)
  const after = await live()
  expect(after.metadata).toEqual({ ...before.metadata, resourceVersion: after.metadata.resourceVersion })
  const { conditions: _, ...status } = Object(after.status)
  const { conditions: __, ...statusBefore } = Object(before.status)
  expect(status).toEqual(statusBefore)
})

test('a reconcile retains the results of the checks', async () => {
  const { status } = await seed.ask(namespace, 'reconcile')
  expect(status?.lastOperation).toMatchObject({ state: 'Succeeded' })
  expect(await health()).toBe(unhealthy)
  await report('True')
  await untilHealth('True: All health checks successful')
})

test('a shoot to be hibernated is healthy, whatever the state of its Deployments', async () => {
  const hibernate = (enabled: boolean) =>
    seed.seed.kubernetes.patch(
      clusterKind.resource,
      { name: namespace },
      { spec: { shoot: { spec: { hibernation: { enabled } } } } },
    )
  await report('False')
  await untilHealth(unhealthy)
  await hibernate(true)
  await untilHealth('True: Shoot is hibernated')
  await hibernate(false)
  await untilHealth(unhealthy)
})
