import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { configMaps } from '../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type Actuator, continueAfter, done, secrets } from '../../shared/lifecycle/lifecycle.ts'
import {
  deleteManagedResource,
  ensureManagedResource,
  resourcePermissions,
} from '../../shared/resources/resources.ts'
import { defineFunction } from '../../shared/runtime/define-function.ts'
import { planFiles } from './testing/plan-run.ts'

const namespace = 'shoot--p--s'
const planted = 'planted-secret-value'
const key = { name: 'settings', namespace }

const configMap = (text: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: key,
  data: { text },
})
const secret = (value: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token', namespace },
  data: { token: btoa(value) },
})

/** A Network with a ConfigMap, a Secret, and a Deployment in the shoot. */
const actuator = (text: string, value: string): Actuator => ({
  reconcile: async ({ kubernetes, object, cluster }) => {
    for (const [resource, wanted] of [
      [configMaps, configMap(text)],
      [secrets, secret(value)],
    ] as const) {
      const present = await kubernetes.get(resource, wanted.metadata as typeof key)
      if (present === undefined) await kubernetes.create(resource, wanted)
      else if (JSON.stringify(present.data) !== JSON.stringify(wanted.data))
        await kubernetes.patch(resource, wanted.metadata as typeof key, { data: wanted.data })
    }
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'agent', namespace: 'kube-system' },
      spec: { text },
    }
    await ensureManagedResource(kubernetes, {
      namespace,
      name: 'extension-network',
      key: 'network.yaml',
      objects: [deployment],
    })
    expect(cluster?.metadata.name).toBe(namespace)
    return done({ providerStatus: { of: object.metadata.name } })
  },
  remove: async ({ kubernetes }) => {
    const left = await deleteManagedResource(kubernetes, { namespace, name: 'extension-network' })
    if (left) return continueAfter(5_000, 50, 'waiting until the network is gone')
    await kubernetes.delete(configMaps, key)
    return done()
  },
})

const network = (create: () => Actuator, name = 'acme-network') =>
  defineFunction({
    name,
    kind: 'Network',
    type: ['acme', 'acme-fast'],
    permissions: [
      ...resourcePermissions,
      { resource: configMaps, verbs: ['get', 'create', 'patch', 'delete'], why: 'Its settings.' },
    ],
    create,
  })

const objects = (...more: readonly object[]) => [
  {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  },
  {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Network',
    metadata: { name: 'net', namespace },
    spec: { type: 'acme-fast', podCIDR: '100.96.0.0/11', serviceCIDR: '100.64.0.0/13' },
  },
  ...more,
]

let files: Awaited<ReturnType<typeof planFiles>>
beforeAll(async () => {
  files = await planFiles()
})
afterAll(() => files.remove())

const plan = (given: readonly object[], create: () => Actuator, options = {}) =>
  files.planOf(given, { functions: [network(create)], ...options })

/** The result of one actuator, as the start of the other actuator's plan. */
const there = (text: string, value: string) => [configMap(text), secret(value)]
const head = `Reconciling Network ${namespace}/net\n\n`

describe('a plan of a function that changes only Kubernetes', () => {
  test('it lists each object that its step creates, and only the keys of Secrets', async () => {
    const { text, differs } = await plan(objects(), () => actuator('one', planted))
    expect(differs).toBe(true)
    expect(text).toBe(`${head}+ create ConfigMap ${namespace}/settings
    +apiVersion: v1
    +data:
    +  text: one
    +kind: ConfigMap
    +metadata:
    +  name: settings
    +  namespace: ${namespace}
+ create Secret ${namespace}/token
    +apiVersion: v1
    +data:
    +  token: (secret)
    +kind: Secret
    +metadata:
    +  name: token
    +  namespace: ${namespace}
+ create ManagedResource ${namespace}/extension-network, 1 object in the shoot
    Deployment: agent
~ update Network ${namespace}/net
    @@ -3,4 +3,6 @@
     metadata:
       name: net
       namespace: ${namespace}
    -status: {}
    +status:
    +  providerStatus:
    +    of: net

Plan: 3 to create, 1 to change, 0 to delete
Objects: 1 to create, 0 to change, 0 to delete
`)
  })

  test('it shows the changed lines, and of a secret only that it changes', async () => {
    const { text } = await plan(objects(...there('one', 'before')), () => actuator('two', planted))
    expect(text).toContain(`~ update ConfigMap ${namespace}/settings
    @@ -1,6 +1,6 @@
     apiVersion: v1
     data:
    -  text: one
    +  text: two
`)
    expect(text).toContain('    -  token: (secret)\n    +  token: (secret, changed)\n')
    for (const value of [planted, btoa(planted), btoa('before')]) expect(text).not.toContain(value)
  })

  test('it is empty if nothing differs', async () => {
    const create = (): Actuator => ({
      reconcile: async ({ kubernetes }) => {
        if ((await kubernetes.get(configMaps, key)) === undefined)
          await kubernetes.create(configMaps, configMap('one'))
        return done()
      },
      remove: async () => done(),
    })
    const same = await plan(objects(configMap('one')), create)
    expect(same).toEqual({ text: `${head}Nothing to do.\n`, differs: false })
    expect((await plan(objects(), create)).differs).toBe(true)
  })

  test('it continues after a wait, as if the awaited state were reached', async () => {
    const managedResource = {
      apiVersion: 'resources.gardener.cloud/v1alpha1',
      kind: 'ManagedResource',
      metadata: { name: 'extension-network', namespace, finalizers: ['resources.gardener.cloud/x'] },
      spec: { secretRefs: [{ name: 'manifests' }] },
    }
    const manifests = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'manifests', namespace },
      data: { 'a.yaml': btoa('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"inner"}}') },
    }
    const { text } = await plan(
      objects(configMap('one'), managedResource, manifests),
      () => actuator('one', planted),
      { delete: true },
    )
    expect(text).toContain(`- delete ManagedResource ${namespace}/extension-network, 1 object in the shoot
    ConfigMap: inner
- delete ConfigMap ${namespace}/settings
`)
    expect(text).toContain('Waits in between: waiting until the network is gone\n')
  })

  test('it is available as JSON with a diff for each object', async () => {
    const { text } = await plan(objects(configMap('one')), () => actuator('two', planted), {
      output: 'json',
    })
    const printed = JSON.parse(text)
    expect(printed).toMatchObject({ object: { kind: 'Network', namespace, name: 'net' }, destroying: false })
    expect(printed.actions[0]).toMatchObject({
      kind: 'update',
      sentence: `update ConfigMap ${namespace}/settings`,
    })
    expect(printed.actions[0].diff).toEqual(expect.arrayContaining(['-  text: one', '+  text: two']))
    expect(printed.writes).toContainEqual({ verb: 'patch', resource: 'configmaps', name: 'settings' })
    expect(text).not.toContain(btoa(planted))
  })

  test('it ends with the error of the step, without the content of its Secret', async () => {
    const credentials = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cloudprovider', namespace },
      data: { key: btoa(planted) },
    }
    const fails = (): Actuator => ({
      reconcile: async ({ secret: given }) => {
        throw new Error(`refused: ${given?.data.key}`)
      },
      remove: async () => done(),
    })
    const [cluster, object] = objects()
    const named = {
      ...object,
      kind: 'ControlPlane',
      spec: { type: 'acme', region: 'r', secretRef: { name: 'cloudprovider', namespace } },
    }
    const definition = defineFunction({ name: 'acme', kind: 'ControlPlane', type: 'acme', create: fails })
    await expect(
      files.planOf(
        [cluster, named, credentials].filter(one => one !== undefined),
        { functions: [definition] },
      ),
    ).rejects.toThrow(/^refused: \[redacted\]$/)
  })

  test('it does not let the step change anything else', async () => {
    let written = false
    const outside = (): Actuator => ({
      reconcile: async ({ throwIfExpired }) => {
        throwIfExpired()
        written = true
        return done()
      },
      remove: async () => done(),
    })
    await expect(plan(objects(), outside)).rejects.toThrow('something outside of Kubernetes')
    expect(written).toBe(false)
  })

  test('it gives the step the permissions of the function, and no more', async () => {
    const nosy = (): Actuator => ({
      reconcile: async ({ kubernetes }) => {
        await kubernetes.list({ ...configMaps, plural: 'pods' })
        return done()
      },
      remove: async () => done(),
    })
    await expect(plan(objects(), nosy)).rejects.toThrow('no permission to list pods')
  })

  test('it uses the settings of the environment', async () => {
    const definition = defineFunction({
      name: 'acme',
      kind: 'Network',
      type: 'acme-fast',
      settings: z.object({ mode: z.string().default('slow') }),
      create: ({ mode }) => ({
        reconcile: async () => done({ providerStatus: { mode } }),
        remove: async () => done(),
      }),
    })
    const of = async (env: Readonly<Record<string, string>>) =>
      (await files.planOf(objects(), { functions: [definition], env })).text
    expect(await of({ TRELLIS_MODE: 'fast', TRELLIS_OTHER: 'x' })).toContain('mode: fast')
    expect(await of({})).toContain('mode: slow')
  })

  test('it is made by the function of the class, and only for its types', async () => {
    const noted: string[] = []
    const of = (name: string, classes: readonly ['shoot'] | readonly ['seed']) =>
      defineFunction({
        name,
        kind: 'Network',
        type: ['acme', 'acme-fast'],
        classes,
        create: () => ({
          reconcile: async () => {
            noted.push(name)
            return done()
          },
          remove: async () => done(),
        }),
      })
    await files.planOf(objects(), { functions: [of('of-seeds', ['seed']), of('of-shoots', ['shoot'])] })
    expect(noted).toEqual(['of-shoots'])
    const [cluster, object] = objects()
    const other = { ...object, spec: { ...Object(object).spec, type: 'other' } }
    await expect(
      files.planOf(
        [cluster, other].filter(one => one !== undefined),
        { functions: [of('of-shoots', ['shoot'])] },
      ),
    ).rejects.toThrow('has type other; trellis plan supports acme and acme-fast')
  })
})
