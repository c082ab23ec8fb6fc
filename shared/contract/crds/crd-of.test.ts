import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { besidePath, isBeside, withBeside } from '../../../test/beside/beside.ts'
import { kindNames } from '../kinds.ts'
import { allCrds, crdOf, machineCrds, resourceCrds } from './crd-of.ts'

/**
 * Returns a schema as JSON without descriptions, which are Trellis's and have no effect. Retains a property named
 * `description`.
 */
const withoutDescriptions = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutDescriptions)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === 'description' && typeof inner === 'string'))
      .map(([key, inner]) => [key, withoutDescriptions(inner)]),
  )
}

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const texts = { type: 'array', items: text }
const raw = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const defaultStatus = {
  conditions: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        codes: texts,
        lastTransitionTime: time,
        lastUpdateTime: time,
        message: text,
        reason: text,
        status: text,
        type: text,
      },
      required: ['lastTransitionTime', 'lastUpdateTime', 'message', 'reason', 'status', 'type'],
    },
  },
  lastError: {
    type: 'object',
    properties: { codes: texts, description: text, lastUpdateTime: time, taskID: text },
    required: ['description'],
  },
  lastOperation: {
    type: 'object',
    properties: {
      description: text,
      lastUpdateTime: time,
      progress: { type: 'integer', format: 'int32' },
      state: text,
      type: text,
    },
    required: ['description', 'lastUpdateTime', 'progress', 'state', 'type'],
  },
  observedGeneration: { type: 'integer', format: 'int64' },
  providerStatus: raw,
  resources: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: text,
        resourceRef: {
          type: 'object',
          properties: { apiVersion: text, kind: text, name: text },
          required: ['kind', 'name'],
          'x-kubernetes-map-type': 'atomic',
        },
      },
      required: ['name', 'resourceRef'],
    },
  },
  state: raw,
}

const dnsRecordCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'dnsrecords.extensions.gardener.cloud',
    labels: { 'gardener.cloud/deletion-protected': 'true' },
  },
  spec: {
    group: 'extensions.gardener.cloud',
    names: {
      kind: 'DNSRecord',
      listKind: 'DNSRecordList',
      plural: 'dnsrecords',
      shortNames: ['dns'],
      singular: 'dnsrecord',
    },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { name: 'Type', type: 'string', jsonPath: '.spec.type' },
          { name: 'Domain Name', type: 'string', jsonPath: '.spec.name' },
          { name: 'Record Type', type: 'string', jsonPath: '.spec.recordType' },
          { name: 'Status', type: 'string', jsonPath: '.status.lastOperation.state' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              apiVersion: text,
              kind: text,
              metadata: { type: 'object' },
              spec: {
                type: 'object',
                properties: {
                  class: {
                    ...text,
                    'x-kubernetes-validations': [{ message: 'Value is immutable', rule: 'self == oldSelf' }],
                  },
                  name: text,
                  providerConfig: raw,
                  recordType: text,
                  region: text,
                  secretRef: {
                    type: 'object',
                    properties: { name: text, namespace: text },
                    'x-kubernetes-map-type': 'atomic',
                  },
                  ttl: { type: 'integer', format: 'int64' },
                  type: text,
                  values: texts,
                  zone: text,
                },
                required: ['name', 'recordType', 'secretRef', 'type', 'values'],
              },
              status: { type: 'object', properties: { ...defaultStatus, zone: text } },
            },
            required: ['spec'],
          },
        },
        subresources: { status: {} },
      },
    ],
  },
}

/** Returns a part of a CRD's schema: `['spec', 'userData']`; `[]` steps into a list. */
const part = (kind: Parameters<typeof crdOf>[0], ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (node, step) => (step === '[]' ? Object(node).items : Object(node).properties?.[step]),
    withoutDescriptions(crdOf(kind).spec.versions[0]?.schema.openAPIV3Schema),
  )

describe('a generated CRD', () => {
  test('the CRD of DNSRecord equals Gardener’s, with the label against deletion', () => {
    expect(withoutDescriptions(crdOf('DNSRecord'))).toEqual(dnsRecordCrd)
  })

  test('the CRD of Cluster leaves the embedded objects open', () => {
    expect(crdOf('Cluster').spec).toMatchObject({ scope: 'Cluster', names: { plural: 'clusters' } })
    expect(crdOf('Cluster').spec.names).not.toHaveProperty('shortNames')
    expect(part('Cluster', 'spec')).toEqual({
      type: 'object',
      properties: { cloudProfile: raw, seed: raw, shoot: raw },
      required: ['cloudProfile', 'shoot'],
    })
    expect(part('Cluster', 'status')).toBeUndefined()
  })

  test.each<[string, unknown, unknown]>([
    ['bytes', part('Bastion', 'spec', 'userData'), { type: 'string', format: 'byte' }],
    [
      'an atomic list',
      part('Bastion', 'spec', 'ingress', '[]', 'ipBlock', 'except'),
      { ...texts, 'x-kubernetes-list-type': 'atomic' },
    ],
    [
      'a number or percent',
      part('Worker', 'spec', 'pools', '[]', 'maxSurge'),
      { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    ],
    [
      'a map',
      part('Worker', 'spec', 'pools', '[]', 'labels'),
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'a default',
      part('Worker', 'spec', 'pools', '[]', 'userDataSecretRef', 'name'),
      { type: 'string', default: '' },
    ],
    [
      'a word that the API server checks and that never changes',
      part('OperatingSystemConfig', 'spec', 'criConfig', 'name'),
      {
        type: 'string',
        enum: ['containerd'],
        'x-kubernetes-validations': [{ message: 'Value is immutable', rule: 'self == oldSelf' }],
      },
    ],
    ['a word that it leaves open', part('OperatingSystemConfig', 'spec', 'purpose'), text],
    [
      'any value',
      part('OperatingSystemConfig', 'spec', 'criConfig', 'containerd', 'plugins', '[]', 'values'),
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
  ])('a CRD expresses %s', (_, schema, expected) => {
    expect(schema).toEqual(expected)
  })

  test('every kind has a CRD that describes each field for kubectl explain', () => {
    const crds = allCrds()
    expect(crds.map(crd => crd.spec.names.kind).sort()).toEqual([...kindNames, 'Cluster'].sort())
    for (const crd of [...crds, ...machineCrds(), ...resourceCrds()]) {
      expect(undescribed(crd.spec.versions[0]?.schema.openAPIV3Schema, crd.spec.names.kind)).toEqual([])
    }
  })
})

/** Returns the paths of fields without a description; Gardener's own `metadata` has none. */
const undescribed = (schema: unknown, path: string): readonly string[] => {
  const { description, properties = {}, items } = Object(schema)
  const here = description === undefined && !path.endsWith('.metadata') && !path.endsWith('[]') ? [path] : []
  return [
    ...here,
    ...Object.entries(properties).flatMap(([name, inner]) => undescribed(inner, `${path}.${name}`)),
    ...(items === undefined ? [] : undescribed(items, `${path}[]`)),
  ]
}

/** Hashes of the specs without descriptions and with sorted keys, as gardener b312835d (2026-08-21) publishes them. */
const published: Readonly<Record<string, string>> = {
  ManagedResource: 'af0fc7cb7aec0822',
  Infrastructure: '122a83163199d644',
  DNSRecord: '47929286cc246bc5',
  BackupBucket: '45f75fb8c7e3e326',
  BackupEntry: '4561007561b3d9eb',
  Bastion: 'd1a1fe0fbfc480d6',
  Worker: '9f6e42c2c0098b0e',
  ControlPlane: '445eb6853cf0db62',
  Network: '3bb0367af59c3c17',
  OperatingSystemConfig: 'd308b7843d258bc7',
  ContainerRuntime: 'a39c2b9a6baa5fa3',
  Extension: 'c188cb2c3ed4ca2c',
  SelfHostedShootExposure: '326aa6f09755c76a',
  Cluster: '9932eaa6529bd8a4',
  MachineClass: 'c54fcdd273f5274f',
  MachineDeployment: '3c35d8b617c9dfda',
  MachineSet: '36883aebca521760',
  Machine: '58393db609f4bfbd',
}

const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(
      JSON.stringify(withoutDescriptions(value), (_, part) =>
        typeof part === 'object' && part !== null && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
          : part,
      ),
    )
    .digest('hex')
    .slice(0, 16)

test.each(
  [...allCrds(), ...machineCrds(), ...resourceCrds()].map(crd => [crd.spec.names.kind, crd] as const),
)('%s is generated as Gardener publishes it', (kind, crd) => {
  expect(digestOf(crd.spec)).toBe(published[kind])
})

describe.skipIf(!isBeside('crds'))(withBeside('crds', "Gardener's published CRDs"), () => {
  test.each(allCrds().map(crd => [crd.spec.names.kind, crd] as const))(
    '%s is generated the same',
    (kind, crd) => {
      const file = besidePath('crds', `extensions.gardener.cloud_${crd.spec.names.plural}.yaml`)
      const wanted = Object(withoutDescriptions(parse(readFileSync(file, 'utf8'))))
      const { labels, ...metadata } = crd.metadata
      expect(labels).toEqual({ 'gardener.cloud/deletion-protected': 'true' })
      expect(metadata.name).toBe(wanted.metadata.name)
      expect(withoutDescriptions(crd.spec)).toEqual(wanted.spec)
      expect(digestOf(wanted.spec)).toBe(published[kind])
    },
  )

  test.each([...machineCrds(), ...resourceCrds()].map(crd => [crd.spec.names.kind, crd] as const))(
    '%s of another group is generated the same',
    (_, crd) => {
      const file = besidePath('crds', `${crd.spec.group}_${crd.spec.names.plural}.yaml`)
      const wanted = Object(withoutDescriptions(parse(readFileSync(file, 'utf8'))))
      expect(crd.metadata).toEqual({ name: wanted.metadata.name })
      expect(withoutDescriptions(crd.spec)).toEqual(wanted.spec)
    },
  )
})
