import { describe, expect, test } from 'vitest'
import { type Actuator, done } from '../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../shared/runtime/define-function.ts'
import { functionPromises } from './function-promises.ts'
import { readExample } from './read-example.ts'

const example = await readExample(new URL('../../cli/templates/network/example.yaml', import.meta.url))
const resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true } as const
const { namespace = '' } = example.object.metadata
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })
const key = { name: 'made', namespace }

type Step = Parameters<Actuator['reconcile']>[0]
const make = async ({ kubernetes }: Step) => {
  if ((await kubernetes.get(resource, key)) === undefined)
    await kubernetes.create(resource, configMap('made'))
  return done()
}
const remove = async ({ kubernetes }: Step) => {
  await kubernetes.delete(resource, key)
  return done()
}

const kept = async (actuator: Partial<Actuator>, marksOwner = false) => {
  const definition = defineFunction({
    name: 'acme-network',
    kind: 'Network',
    type: 'acme',
    permissions: [{ resource, verbs: ['get', 'create', 'patch', 'delete'], why: 'They are the network.' }],
    create: () => ({ reconcile: make, remove, ...actuator }),
  })
  const promises = functionPromises({
    definition,
    example,
    resource,
    made: ['made'],
    foreign: configMap('other'),
    marksOwner,
  })
  const broken: string[] = []
  for (const { promise, hold } of promises)
    await hold().catch(() => {
      broken.push(promise)
    })
  return broken
}

describe('the promises of a function', () => {
  test('a function that creates missing objects and deletes its own passes', async () => {
    expect(await kept({})).toEqual([])
  })

  test('a function that writes on every step fails', async () => {
    const reconcile = async (step: Step) => {
      await make(step)
      await step.kubernetes.patch(resource, key, { data: { at: 'now' } })
      return done()
    }
    expect(await kept({ reconcile })).toEqual([expect.stringContaining('costs a claim and a status')])
  })

  test('a function that cannot continue after a crash fails', async () => {
    // A function that knows its resources from the status alone, and writes the status last.
    const reconcile = async ({ kubernetes, object }: Step) => {
      const isThere = (await kubernetes.get(resource, key)) !== undefined
      if (Object(object.status).providerStatus === undefined)
        await kubernetes.create(resource, configMap(isThere ? 'made-2' : 'made'))
      return done({ providerStatus: { apiVersion: 'acme/v1', kind: 'NetworkStatus' } })
    }
    expect(await kept({ reconcile })).toContainEqual(expect.stringContaining('if a step dies at any write'))
  })

  test('a function that deletes foreign objects or leaves its own fails', async () => {
    const deletesAll = async (step: Step) => {
      await step.kubernetes.delete(resource, { name: 'other', namespace })
      return remove(step)
    }
    const deletion = expect.stringContaining('the deletion removes the created objects')
    expect(await kept({ remove: deletesAll })).toContainEqual(deletion)
    expect(await kept({ remove: async () => done() })).toContainEqual(deletion)
  })

  test('a function that adopts foreign objects fails', async () => {
    expect(await kept({}, true)).toEqual([expect.stringContaining('with another owner is unchanged')])
  })
})
