import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findFunctions } from '../functions/find-functions.ts'
import { createFilter, type Filter } from '../sandbox/knative/knative.ts'
import { kindNames } from '../shared/contract/kinds.ts'
import { configMaps } from '../shared/kubernetes/core-resources.ts'
import { done } from '../shared/lifecycle/lifecycle.ts'
import { defineFunction, type FunctionOptions } from '../shared/runtime/define-function.ts'
import { staleManifests, writeManifests } from './files/write-manifests.ts'
import { functionManifest } from './function-manifest.ts'

const own = fileURLToPath(new URL('base/functions', import.meta.url))

const example = (
  given: Partial<
    Pick<FunctionOptions<'DNSRecord', never, unknown>, 'name' | 'type' | 'permissions' | 'service'>
  > = {},
) =>
  defineFunction({
    name: 'acme-dnsrecord',
    kind: 'DNSRecord',
    type: 'acme-dns',
    create: () => ({ reconcile: async () => done(), remove: async () => done() }),
    ...given,
  })

describe('the manifests in knative/base/functions', () => {
  test('have definitions (make manifests)', async () => {
    const functions = await findFunctions()
    expect(functions.length).toBeGreaterThan(1)
    expect(await staleManifests(own, functions)).toEqual([])
  })
})

describe('the manifest of a function', () => {
  const objects = (given?: Parameters<typeof example>[0]) =>
    parseAllDocuments(functionManifest(example(given))).map(document => document.toJS())

  test('routes the events of its kind and type to its service, which has its own account', () => {
    const [account, role, binding, service, trigger] = objects()
    expect(trigger).toMatchObject({
      kind: 'Trigger',
      spec: {
        filter: { attributes: { kind: 'DNSRecord', provider: 'acme-dns' } },
        subscriber: { ref: { kind: 'Service', name: 'acme-dnsrecord' } },
      },
    })
    expect(service).toMatchObject({
      kind: 'Service',
      metadata: { name: 'acme-dnsrecord' },
      spec: { template: { spec: { serviceAccountName: 'acme-dnsrecord' } } },
    })
    expect(account).toMatchObject({ kind: 'ServiceAccount', metadata: { name: 'acme-dnsrecord' } })
    expect(binding).toMatchObject({
      roleRef: { name: role.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'acme-dnsrecord', namespace: 'trellis' }],
    })
  })

  test('routes the events of all its types with one Trigger that brokers of every class support', () => {
    const types = ['acme-dns', 'acme-fast', 'old.acme']
    const text = functionManifest(example({ type: types }))
    const trigger = parseAllDocuments(text).at(-1)?.toJS()
    expect(trigger.spec).toMatchObject({
      filter: { attributes: { kind: 'DNSRecord' } },
      filters: [{ exact: { kind: 'DNSRecord' } }, { any: types.map(provider => ({ exact: { provider } })) }],
    })
    expect(text).toContain('# DNSRecords of type acme-dns, acme-fast or old.acme. Generated')
  })

  test('routes only observations to a secondary function of several types, on brokers without `filters` too', () => {
    const definition = defineFunction({
      ...{ role: 'secondary', name: 'acme-audit', kind: 'DNSRecord', type: ['acme-dns', 'acme-fast'] },
      create: () => ({ observe: async () => ({}) }),
    })
    const [, , , , trigger] = parseAllDocuments(functionManifest(definition)).map(document => document.toJS())
    const { filter, filters } = trigger.spec
    const kind = 'DNSRecord'
    const observed = { kind, type: 'cloud.gardener.extensions.dnsrecord.observe' }
    expect(filter.attributes).toEqual(observed)
    const event = { ...observed, provider: 'secondary:acme-audit:acme-fast' }
    const ofPrimary = { kind, type: 'cloud.gardener.extensions.dnsrecord.reconcile', provider: 'acme-dns' }
    const ofAnother = { ...observed, provider: 'secondary:other:acme-dns' }
    const passed = (filtered: Filter) => [event, ofPrimary, ofAnother].map(one => filtered(one))
    expect(passed(createFilter({ filter, filters }))).toEqual([true, false, false])
    expect(passed(createFilter({ filter }))).toEqual([true, false, true])
  })

  test('has defaults if the definition has no service settings', () => {
    const [, , , { spec }] = objects()
    expect(spec.template).toMatchObject({
      metadata: { annotations: { 'autoscaling.knative.dev/max-scale': '3' } },
      spec: {
        containerConcurrency: 100,
        containers: [
          { resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } } },
        ],
      },
    })
  })

  test('has the service settings of the definition, each with its reason', () => {
    const service = {
      maxScale: { value: 7, why: 'Acme counts nothing.' },
      concurrency: { value: 1, why: 'A step takes all of the memory.' },
      env: [{ name: 'ACME_MODE', value: 'fast', why: 'The slow one is slow.\nAnd old.' }],
      cpu: '2',
      memory: { request: '1Gi', limit: '2Gi' },
    }
    const [, , , { spec }] = objects({ service })
    expect(spec.template).toMatchObject({
      metadata: { annotations: { 'autoscaling.knative.dev/max-scale': '7' } },
      spec: {
        containerConcurrency: 1,
        containers: [
          {
            env: expect.arrayContaining([
              { name: 'TRELLIS_LOG_LEVEL', value: 'info' },
              { name: 'TRELLIS_REPORT_TO', value: 'http://bridge.trellis:8080/reports' },
              { name: 'ACME_MODE', value: 'fast' },
            ]),
            resources: { requests: { cpu: '2', memory: '1Gi' }, limits: { memory: '2Gi' } },
          },
        ],
      },
    })
    const text = functionManifest(example({ service }))
    expect(text).toContain(`        # Acme counts nothing.\n        autoscaling.knative.dev/max-scale: "7"\n`)
    expect(text).toContain(
      `            # The slow one is slow.\n            # And old.\n            - name: ACME_MODE\n`,
    )
  })

  test('adds a rule for each permission of the function to those of the lifecycle', () => {
    const permissions = [
      { resource: configMaps, verbs: ['list', 'create'], why: 'Acme keeps its zones in ConfigMaps.' },
      { resource: configMaps, subresource: 'status', verbs: ['patch'], why: 'So that it is told.' },
    ] as const
    const [, role] = objects({ permissions })
    const [, plain] = objects()
    expect(role.rules).toEqual([
      ...plain.rules,
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'create'] },
      { apiGroups: [''], resources: ['configmaps/status'], verbs: ['patch'] },
    ])
    expect(functionManifest(example({ permissions }))).toContain(
      '  # Acme keeps its zones in ConfigMaps.\n  - apiGroups: [""]\n    resources: [configmaps]\n',
    )
  })

  test.each(kindNames)('is parsed correctly for the kind %s', kind => {
    const definition = defineFunction({
      name: 'acme',
      kind,
      type: 'acme',
      ...(kind === 'Extension' && { finalizerSuffix: 'acme' }),
      create: () => ({ reconcile: async () => done(), remove: async () => done() }),
    })
    const documents = parseAllDocuments(functionManifest(definition))
    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    expect(documents.map(document => document.get('kind'))).toEqual([
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'Service',
      'Trigger',
    ])
  })
})

describe('writing manifests', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-manifests-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('deletes the file of a removed function and no handwritten file', async () => {
    await writeManifests(folder, [example(), example({ name: 'acme-other' })])
    await writeFile(join(folder, 'mine.yaml'), '# Mine.\n')
    await writeManifests(folder, [example({ name: 'acme-other' })])
    expect((await readdir(folder)).toSorted()).toEqual(['acme-other.yaml', 'mine.yaml'])
  })
})
