import { describe, expect, test } from 'vitest'
import { createSteppedSeed, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../clock/clock.ts'
import { CodedError, RequeueAfterError } from '../contract/errors.ts'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { secrets } from '../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { done } from '../lifecycle/lifecycle.ts'
import { resourcePermissions } from '../resources/resources.ts'
import { statusOf } from '../resources/testing/namespace.ts'
import { defineFunction } from '../runtime/define-function.ts'
import { markOf } from '../secondary/secondary.ts'
import {
  type ReferencedResource,
  type ReferenceOptions,
  type ReferringStep,
  readReference,
  referencePermissions,
  statusResources,
} from './references.ts'

const namespace = 'shoot--rose--x'
const clock = virtualClock(0)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const identities = 'security.gardener.cloud/v1alpha1'

const entry = (name: string, kind: string, objectName: string, apiVersion = 'v1') => ({
  name,
  resourceRef: { apiVersion, kind, name: objectName },
})
const shoot = {
  metadata: { name: 'x', namespace: 'garden-rose' },
  spec: {
    resources: [
      entry('token', 'Secret', 'my-token'),
      entry('bundle', 'ConfigMap', 'my-bundle'),
      entry('identity', 'WorkloadIdentity', 'my-identity', identities),
      entry('chart', 'Deployment', 'my-chart', 'apps/v1'),
      entry('fake', 'Secret', 'my-token', 'example.com/v1'),
    ],
  },
}
const object: KubernetesObject = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Extension',
  metadata: { name: 'notes', namespace },
  spec: { type: 'notes' },
}

const newSeed = (name: string, options: ReferenceOptions, objects: readonly KubernetesObject[]) => {
  const seen: unknown[] = []
  const seed = createSteppedSeed({
    objects: [...shootObjects({ namespace, shoot }), ...objects],
    definition: defineFunction({
      name: 'notes',
      kind: 'Extension',
      type: 'notes',
      permissions: referencePermissions('Secret', 'ConfigMap', 'WorkloadIdentity'),
      create: () => ({
        reconcile: async step => {
          const used = await readReference(step, name, options)
          seen.push(used)
          return done({ resources: statusResources([used]) })
        },
        remove: async () => done(),
      }),
    }),
  })
  return { seed, seen }
}

const objectOf = (kind: string, name: string, data: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace },
  data,
})
const token = objectOf('Secret', 'ref-my-token', { token: base64('planted') })

/** Applies the object and returns its status, and what the step read. */
const resultOf = async (
  name: string,
  options: ReferenceOptions = {},
  objects: readonly KubernetesObject[] = [token],
) => {
  const { seed, seen } = newSeed(name, options, objects)
  try {
    return { status: Object((await seed.apply(object)).status), seen }
  } finally {
    seed.close()
  }
}

describe('a referenced resource', () => {
  test.each([
    [
      'token',
      token,
      { kind: 'Secret', copy: { kind: 'Secret', name: 'ref-my-token' } },
      { token: 'planted' },
    ],
    [
      'bundle',
      objectOf('ConfigMap', 'ref-my-bundle', { 'ca.crt': 'a CA' }),
      { kind: 'ConfigMap', copy: { kind: 'ConfigMap', name: 'ref-my-bundle' } },
      { 'ca.crt': 'a CA' },
    ],
    [
      'identity',
      objectOf('Secret', 'workload-identity-ref-my-identity', { token: base64('a JWT') }),
      { kind: 'WorkloadIdentity', copy: { kind: 'Secret', name: 'workload-identity-ref-my-identity' } },
      { token: 'a JWT' },
    ],
  ] as const)(
    '%s is read from the copy of gardenlet, and the status lists the copy',
    async (name, copy, expected, data) => {
      const { status, seen } = await resultOf(
        name,
        { kinds: ['Secret', 'ConfigMap', 'WorkloadIdentity'], keys: Object.keys(data) },
        [copy],
      )
      expect(seen).toEqual([{ name, ...expected, data }])
      expect(status.lastOperation.state).toBe('Succeeded')
      expect(status.resources).toEqual([{ name, resourceRef: { apiVersion: 'v1', ...expected.copy } }])
    },
  )

  test.each([
    [
      'tokn',
      'the Shoot garden-rose/x has no such name in spec.resources (did you mean token?). Add it or fix the reference',
    ],
    ['bundle', 'expected the kind Secret, found ConfigMap of v1'],
    ['chart', 'expected the kind Secret, found Deployment of apps/v1'],
    ['fake', 'expected the kind Secret, found Secret of example.com/v1'],
  ])('the reference %s is a mistake of the user', async (name, problem) => {
    const { lastError } = (await resultOf(name)).status
    expect(lastError.description).toContain(problem)
    expect(lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })

  test('a missing or empty key is reported with the Secret of the project, never with a value', async () => {
    const secret = objectOf('Secret', 'ref-my-token', { user: base64('planted'), token: '' })
    const { lastError } = (await resultOf('token', { keys: ['user', 'token', 'url'] }, [secret])).status
    expect(lastError.description).toContain(
      'cannot read the Secret garden-rose/my-token of spec.resources "token": no value for token, url. Add it to the Secret and reconcile the Shoot',
    )
    expect(lastError.description).not.toContain('planted')
    expect(lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })

  test('a missing copy is retried, and a configuration problem afterwards', async () => {
    const { seed } = newSeed('token', {}, [])
    const text = `cannot read the Secret garden-rose/my-token of spec.resources "token": its copy ${namespace}/ref-my-token was not found. Create the Secret and reconcile the Shoot`
    const extension = seed.object({ name: 'notes', namespace })
    await extension.create(object)

    await extension.step()
    const first = Object((await extension.live())?.status).lastError
    expect(first.description).toContain(text)
    expect(first.codes).toBeUndefined()
    expect(await extension.due()).toMatchObject({ kind: 'later', at: seed.clock.now() + 10_000 })

    await seed.clock.advance(10_000)
    await extension.step()
    const second = Object((await extension.live())?.status).lastError
    expect(second).toMatchObject({ description: first.description, codes: ['ERR_CONFIGURATION_PROBLEM'] })

    await seed.kubernetes.create({ group: '', version: 'v1', plural: 'secrets', namespaced: true }, token)
    await extension.run()
    expect(Object((await extension.live())?.status)).toMatchObject({
      lastOperation: { state: 'Succeeded' },
      resources: [{ name: 'token' }],
    })
    seed.close()
  })

  test('a token that another controller has not written yet is retried first', async () => {
    const cluster = { spec: { shoot } } as never
    const kubernetes = {
      get: async () => objectOf('Secret', 'workload-identity-ref-my-identity', {}),
    } as never
    const reading = (status?: object) =>
      readReference(
        { object: { ...object, ...(status && { status }) }, cluster, kubernetes, clock },
        'identity',
        {
          kinds: ['WorkloadIdentity'],
          keys: ['token'],
        },
      )
    const first = await reading().catch(error => error)
    expect(first).toBeInstanceOf(RequeueAfterError)
    const again = await reading({ lastError: { description: `Error: ${first.message}` } }).catch(e => e)
    expect(again).toBeInstanceOf(CodedError)
  })

  test('an object of a seed or a garden has no Shoot to refer to', async () => {
    const reading = readReference({ object, cluster: undefined, kubernetes: {} as never, clock }, 'token')
    await expect(reading).rejects.toThrow(
      `cannot resolve the reference "token": the namespace ${namespace} belongs to no shoot. Remove the reference`,
    )
  })
})

describe('the values of a reference', () => {
  const secret = objectOf('Secret', 'ref-my-token', {
    token: base64('planted-secret/value'),
    account: base64('{\n "key": "another-planted-one"\n}'),
  })
  const leak = async (data: ReferencedResource['data']) => {
    throw new Error(
      `refused: ${data.token}, ${encodeURIComponent(data.token ?? '')}, ${JSON.stringify(data.account)}`,
    )
  }
  const redacted = 'refused: [redacted], [redacted], "[redacted]"'

  test.each(['primary', 'secondary'] as const)('are no part of what a %s function reports', async role => {
    const common = { name: 'notes', kind: 'Extension', type: 'notes' } as const
    const permissions = referencePermissions('Secret')
    const step = async (given: ReferringStep) => leak((await readReference(given, 'token')).data)
    const seed = createSteppedSeed({
      objects: [...shootObjects({ namespace, shoot }), secret],
      definition:
        role === 'primary'
          ? defineFunction({ ...common, permissions, create: () => ({ reconcile: step, remove: step }) })
          : defineFunction({ ...common, permissions, role, create: () => ({ observe: step }) }),
    })
    const extension = seed.object({ name: 'notes', namespace })
    await extension.create(object)
    await extension.step()
    const live = await extension.live()
    const reported =
      role === 'primary'
        ? Object(live?.status).lastError.description
        : live?.metadata.annotations?.[markOf('notes')]
    expect(role === 'primary' ? reported : JSON.parse(reported).why).toContain(redacted)
    expect(JSON.stringify([live, seed.lines])).not.toMatch(/planted/)
    seed.close()
  })
})

describe('a copy that gardenlet has changed', () => {
  const copies = { namespace, name: 'referenced-resources' }
  const changed = async (extra: readonly KubernetesObject[] = []) => {
    const { seed, seen } = newSeed('token', {}, [
      token,
      {
        apiVersion: 'resources.gardener.cloud/v1alpha1',
        kind: 'ManagedResource',
        metadata: copies,
        spec: { class: 'seed', secretRefs: [{ name: 'referenced-resources-2' }] },
      },
      ...extra,
    ])
    const extension = seed.object({ name: 'notes', namespace })
    await extension.create(object)
    await extension.step()
    const live = async () => Object((await extension.live())?.status)
    /** The resource manager observes the current generation. */
    const observe = (applied: 'True' | 'False') =>
      seed.kubernetes.patch(
        managedResourceKind.resource,
        copies,
        { status: statusOf(1, { ResourcesApplied: [applied, 'Applied', 'because'] }) },
        { subresource: 'status' },
      )
    return { seed, seen, extension, live, observe }
  }

  test('it is used as soon as it is applied, and the old one is not', async () => {
    const { seed, seen, extension, live, observe } = await changed()
    expect((await live()).lastOperation).toMatchObject({
      state: 'Processing',
      description: `Waiting until the resources of the Shoot's spec.resources are copied: managed resource ${namespace}/referenced-resources is not healthy`,
    })
    expect(await extension.due()).toMatchObject({ kind: 'later', at: seed.clock.now() + 500 })

    const other = { data: { token: base64('another one') } }
    await seed.kubernetes.patch(secrets, { namespace, name: 'ref-my-token' }, other)
    await observe('True')
    await seed.clock.advance(500)
    await extension.step()
    expect((await live()).lastOperation.state).toBe('Succeeded')
    expect(seen).toMatchObject([{ data: { token: 'another one' } }])
    seed.close()
  })

  test('it is an error if the resource manager cannot apply it for two minutes', async () => {
    const { seed, seen, extension, live, observe } = await changed()
    await observe('False')
    for (let waited = 0; waited <= 130_000 && (await live()).lastError === undefined; waited += 10_000) {
      await seed.clock.advance(10_000)
      await extension.step()
    }
    expect((await live()).lastError.description).toContain(
      "Waiting until the resources of the Shoot's spec.resources are copied: managed resource shoot--rose--x/referenced-resources is not healthy",
    )
    expect(seen).toEqual([])
    seed.close()
  })
})

test('the permissions may overlap with those for ManagedResources', () => {
  const permissions = [...resourcePermissions, ...referencePermissions('ConfigMap')]
  expect(() =>
    defineFunction({
      ...{ name: 'notes', kind: 'Extension', type: 'notes', permissions },
      create: () => ({ reconcile: async () => done(), remove: async () => done() }),
    }),
  ).not.toThrow()
})

test('the permissions have each resource once', () => {
  const plurals = referencePermissions('Secret', 'WorkloadIdentity', 'ConfigMap').map(
    ({ resource, verbs }) => [resource.plural, verbs],
  )
  expect(plurals).toEqual([
    ['secrets', ['get']],
    ['configmaps', ['get']],
    ['managedresources', ['get']],
  ])
})
