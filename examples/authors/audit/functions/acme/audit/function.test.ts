import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DefinitionError, defineFunction } from '@trellis-gardener/trellis'
import { createSteppedSeed, readExample } from '@trellis-gardener/trellis/testing'
import { definition } from './function.ts'

const { object, beside } = await readExample(new URL('example.yaml', import.meta.url))
const { name, namespace = '' } = object.metadata
const controlPlanes = {
  group: 'extensions.gardener.cloud',
  version: 'v1alpha1',
  plural: 'controlplanes',
  namespaced: true,
} as const
const configMaps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const policy = { name: 'audit-policy', namespace }

const levelled = (level: string) =>
  beside.map(one =>
    one.kind === 'Cluster'
      ? {
          ...one,
          spec: { ...Object(one.spec), shoot: { metadata: { annotations: { 'acme/audit': level } } } },
        }
      : one,
  )
const conditionOf = (status: unknown) =>
  Object(status).conditions?.find(({ type }: { readonly type: string }) => type === 'AuditPolicyReady')

test('a ControlPlane gets a policy and a condition, and keeps the status of its primary controller', async t => {
  const seed = createSteppedSeed({ definition, objects: beside })
  t.after(() => seed.close())
  const { status } = await seed.apply(object)
  assert.equal(conditionOf(status).message, 'the audit level is all')
  assert.equal(Object(status).lastOperation.description, 'The primary controller of this seed has succeeded')
  assert.deepEqual(Object(await seed.kubernetes.get(configMaps, policy)).data, { level: 'all' })
})

test('an unknown level is a condition that names the annotation', async t => {
  const seed = createSteppedSeed({ definition, objects: levelled('some') })
  t.after(() => seed.close())
  const condition = conditionOf((await seed.apply(object)).status)
  assert.equal(condition.status, 'False')
  assert.match(condition.message, /acme\/audit is "some"/)
})

test('a ControlPlane without a change costs no step', async t => {
  const seed = createSteppedSeed({ definition, objects: beside })
  t.after(() => seed.close())
  await seed.apply(object)
  assert.deepEqual(await seed.object({ name, namespace }).due(), { kind: 'none' })
})

for (const action of [1, 2, 3, 4])
  test(`a crash at write ${action} is made good by the next step`, async t => {
    const seed = createSteppedSeed({ definition, objects: beside })
    t.after(() => seed.close())
    seed.dieAt(action, 'after')
    assert.equal(conditionOf((await seed.apply(object)).status).status, 'True')
  })

test('a write of lastOperation is refused by the type checker, in a definition, and in a step', async t => {
  const common = { role: 'secondary', name: 'acme-audit', kind: 'ControlPlane', type: 'acme' } as const
  const permissions = [
    { resource: controlPlanes, subresource: 'status', verbs: ['patch'], why: 'Wrong.' },
  ] as const
  const create = () => ({ observe: async () => ({}) })
  assert.throws(
    () => defineFunction({ ...common, permissions, create }),
    (error: unknown) =>
      error instanceof DefinitionError &&
      /function\.test\.ts:\d+: permissions\[0\]: .*must not patch/.test(error.message),
  )
  const wrong = defineFunction({
    role: 'secondary',
    name: 'acme-audit',
    kind: 'ControlPlane',
    type: 'acme',
    create: () => ({
      observe: async ({ kubernetes }) => {
        const status = { lastOperation: { state: 'Succeeded' } }
        // @ts-expect-error The type checker refuses it.
        await kubernetes.patch(controlPlanes, { name, namespace }, { status }, { subresource: 'status' })
        return {}
      },
    }),
  })
  // @ts-expect-error The type checker refuses it.
  defineFunction({ ...common, create: () => ({ observe: async () => ({ lastOperation: {} }) }) })
  const seed = createSteppedSeed({ definition: wrong, objects: beside })
  t.after(() => seed.close())
  await seed.object({ name, namespace }).create(object)
  await seed.object({ name, namespace }).step()
  const { metadata, status } = Object(await seed.object({ name, namespace }).live())
  const { why } = JSON.parse(metadata.annotations['secondary.trellis.gardener.cloud/acme-audit'])
  assert.match(why, /function\.test\.ts:\d+: a secondary function must not write status of controlplanes/)
  assert.equal(status, undefined)
})
