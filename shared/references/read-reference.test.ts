import { describe, expect, test } from 'vitest'
import { createSteppedSeed, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { CodedError, RequeueAfterError } from '../contract/errors.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { done } from '../lifecycle/lifecycle.ts'
import { defineFunction } from '../runtime/define-function.ts'
import { type ReferenceOptions, readReference, referencePermissions, statusResources } from './references.ts'

const namespace = 'shoot--rose--x'
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
      readReference({ object: { ...object, ...(status && { status }) }, cluster, kubernetes }, 'identity', {
        kinds: ['WorkloadIdentity'],
        keys: ['token'],
      })
    const first = await reading().catch(error => error)
    expect(first).toBeInstanceOf(RequeueAfterError)
    const again = await reading({ lastError: { description: `Error: ${first.message}` } }).catch(e => e)
    expect(again).toBeInstanceOf(CodedError)
  })

  test('an object of a seed or a garden has no Shoot to refer to', async () => {
    const reading = readReference({ object, cluster: undefined, kubernetes: {} as never }, 'token')
    await expect(reading).rejects.toThrow(
      `cannot resolve the reference "token": the namespace ${namespace} belongs to no shoot. Remove the reference`,
    )
  })
})

test('the permissions have each resource once', () => {
  const plurals = referencePermissions('Secret', 'WorkloadIdentity', 'ConfigMap').map(
    ({ resource, verbs }) => [resource.plural, verbs],
  )
  expect(plurals).toEqual([
    ['secrets', ['get']],
    ['configmaps', ['get']],
  ])
})
