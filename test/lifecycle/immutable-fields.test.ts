import { beforeEach, describe, expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { allCrds, crdOf } from '../../shared/contract/crds/crd-of.ts'
import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { sampleObject, shootNamespace } from './sample-objects.ts'

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Fixed {
  readonly kind: KindName
  /** Relative to `spec`. */
  readonly path: readonly string[]
  readonly schema: Schema
}

/** Returns the fields that `kubectl explain` calls immutable and that have more than one possible value. */
const fixedIn = (kind: KindName, schema: Schema, path: readonly string[]): readonly Fixed[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const here = [...path, name]
    const isFixed = part.description?.endsWith(' Immutable.') === true && part.enum?.length !== 1
    return [...(isFixed ? [{ kind, path: here, schema: part }] : []), ...fixedIn(kind, part, here)]
  })

const specSchema = (kind: KindName): Schema =>
  (crdOf(kind).spec.versions[0]?.schema.openAPIV3Schema as Schema | undefined)?.properties?.spec ?? {}

const fixedFields = kindNames.flatMap(kind => fixedIn(kind, specSchema(kind), []))

const put = (path: readonly string[], value: unknown): object => {
  const [name = '', ...rest] = path
  return { [name]: rest.length === 0 ? value : put(rest, value) }
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => Object(at)[name], value)

/** Returns a value that differs from the present one. */
const other = ({ enum: allowed }: Schema, present: unknown): unknown =>
  allowed ? allowed.find(value => value !== present) : present === 'b3RoZXI=' ? 'YW5vdGhlcg==' : 'b3RoZXI='

let kubernetes: Kubernetes
beforeEach(() => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: shootNamespace } }
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const server = createApiServer({ clock, objects: [...allCrds(), namespace] })
  kubernetes = createKubernetes({ transport: server.transport, clock })
})

const keyOf = ({ metadata: { name, namespace } }: KubernetesObject) =>
  namespace === undefined ? { name } : { name, namespace }

const refusalOf = (patching: Promise<unknown>): Promise<string> =>
  patching.then(
    () => 'taken',
    (error: Error) => error.message,
  )

describe('a field documented as immutable', () => {
  test('exists in every kind', () => {
    expect([...new Set(fixedFields.map(({ kind }) => kind))]).toEqual([...kindNames])
  })

  test.each(fixedFields.map(one => [`${one.kind} ${one.path.join('.')}`, one] as const))(
    '%s is not changed',
    async (_, { kind, path, schema }) => {
      const { resource } = kinds[kind]
      const sample = sampleObject(kind, { spec: { class: 'seed' } })
      const made = await kubernetes.create(resource, sample)
      const value = other(schema, valueAt(made.spec, path))
      const patching = kubernetes.patch(resource, keyOf(made), { spec: put(path, value) })
      expect(await refusalOf(patching)).toMatch(
        new RegExp(`spec\\.${path.join('\\.')}: Invalid value: ".*": (field|Value) is immutable`),
      )
      expect((await kubernetes.get(resource, keyOf(made)))?.spec).toEqual(made.spec)
    },
  )
})

test.each(kindNames)('the spec of a %s is immutable during its deletion', async kind => {
  const { resource } = kinds[kind]
  const made = await kubernetes.create(resource, sampleObject(kind, { finalizers: ['example.com/hold'] }))
  await kubernetes.delete(resource, keyOf(made))
  const patching = kubernetes.patch(resource, keyOf(made), { spec: { providerConfig: { a: 1 } } })
  expect(await refusalOf(patching)).toContain(
    'spec if deletion timestamp is set. Requested changes: providerConfig: {"a":1} != undefined',
  )
  const status = await kubernetes.patch(
    resource,
    keyOf(made),
    { status: { observedGeneration: 1 } },
    { subresource: 'status' },
  )
  expect(status.status).toEqual({ observedGeneration: 1 })
  await kubernetes.patch(resource, keyOf(made), { metadata: { finalizers: null } })
  expect(await kubernetes.get(resource, keyOf(made))).toBeUndefined()
})

test.each([
  [undefined, ['IPv4'], false],
  [['IPv4'], ['IPv4', 'IPv6'], true],
  [['IPv4', 'IPv6'], ['IPv4'], true],
  [['IPv4'], ['IPv6'], false],
  [['IPv6'], ['IPv6', 'IPv4'], false],
])('a network changes its families from %j to %j: %s', async (before, after, isTaken) => {
  const { resource } = kinds.Network
  const made = await kubernetes.create(
    resource,
    sampleObject('Network', { spec: before ? { ipFamilies: before } : {} }),
  )
  const outcome = await refusalOf(kubernetes.patch(resource, keyOf(made), { spec: { ipFamilies: after } }))
  if (isTaken) expect(outcome).toBe('taken')
  else expect(outcome).toContain('spec.ipFamilies: Forbidden: unsupported IP family update')
})

test('a refusal has the message of the webhook in the seed', async () => {
  const { resource } = kinds.Infrastructure
  const made = await kubernetes.create(resource, sampleObject('Infrastructure'))
  await expect(
    kubernetes.patch(resource, keyOf(made), { spec: { region: 'eu-north-1', type: 'gcp' } }),
  ).rejects.toMatchObject({
    status: 422,
    message:
      'admission webhook "validation.extensions.infrastructures.resources.gardener.cloud" denied the request: ' +
      'Infrastructure.extensions.gardener.cloud "it" is invalid: ' +
      '[spec.type: Invalid value: "gcp": field is immutable, spec.region: Invalid value: "eu-north-1": field is immutable]',
  })
})
