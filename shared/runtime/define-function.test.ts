import { fileURLToPath } from 'node:url'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { type Clock, virtualClock } from '../clock/clock.ts'
import type { DNSRecord, Infrastructure } from '../contract/objects.ts'
import { secrets } from '../kubernetes/core-resources.ts'
import { type Actuator, done } from '../lifecycle/lifecycle.ts'
import { defineFunction } from './define-function.ts'
import type { CloudRequest, FunctionDefinition, FunctionDeps } from './definition/definition.ts'
import { isFunctionDefinition } from './definition/definition.ts'
import { DefinitionError } from './definition/definition-error.ts'

const create = () => ({ reconcile: async () => done(), remove: async () => done() })
const whole = { name: 'acme-dns', kind: 'DNSRecord', type: 'acme', create } as const
const ofExtension = { ...whole, kind: 'Extension' } as const
const why = 'So.'

/** Calls it like JavaScript code, without type checks. */
const define = (given: object): FunctionDefinition => defineFunction(given as typeof whole)

const problemsOf = (given: object): readonly string[] => {
  try {
    define(given)
    return []
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    return error.problems.map(({ message }) => message)
  }
}

describe('a definition', () => {
  test('a definition is data and creates nothing', () => {
    const definition = defineFunction({
      ...whole,
      create: () => {
        throw new Error('made')
      },
    })
    expect(isFunctionDefinition(definition)).toBe(true)
    expect(definition).toMatchObject({
      name: 'acme-dns',
      kind: 'DNSRecord',
      types: ['acme'],
      classes: ['shoot'],
      permissions: [],
      service: {},
    })
    expect(Object.keys(definition.settings.shape)).toEqual([])
  })

  test('a definition knows its file and line', () => {
    const [, line] = /:(\d+):\d+\)?$/m.exec((new Error('here').stack ?? '').split('\n')[1] ?? '') ?? []
    const { place } = defineFunction({ ...whole })
    expect(place).toEqual({ file: fileURLToPath(import.meta.url), line: Number(line) + 1 })
  })

  test('a bad definition is reported with file and line, and with all its problems', () => {
    const line = define({ ...whole }).place?.line
    const at = `shared/runtime/define-function.test.ts:${line}: `
    expect(() => define({ ...whole, name: undefined, type: '' })).toThrow(
      new RegExp(`^${at}name: missing.*\n${at}type: empty text`),
    )
  })

  const { name: _, ...nameless } = whole
  test.each<[string, object, string]>([
    ['no name', nameless, 'name: missing: name the Knative Service, such as aws-dnsrecord'],
    ['a name with a capital', { ...whole, name: 'Acme' }, 'name: "Acme" is not a DNS label'],
    ['a name that begins with a digit', { ...whole, name: '1acme' }, 'name: "1acme" is not a DNS label'],
    ['a name that ends with a dash', { ...whole, name: 'acme-' }, 'name: "acme-" is not a DNS label'],
    ['a name with a dot', { ...whole, name: 'acme.dns' }, 'name: "acme.dns" is not a DNS label'],
    ['a long name', { ...whole, name: 'a'.repeat(64) }, 'is not a DNS label: expected at most 63'],
    [
      'a misspelt kind',
      { ...whole, kind: 'DnsRecords' },
      'unknown kind "DnsRecords": did you mean DNSRecord?',
    ],
    ['a kind between two', { ...whole, kind: 'BackupEntrie' }, 'did you mean BackupEntry'],
    [
      'another kind',
      { ...whole, kind: 'Shoot' },
      'unknown kind "Shoot": known kinds: Infrastructure, DNSRecord,',
    ],
    [
      'a kind of every object',
      { ...whole, kind: 'constructor' },
      'unknown kind "constructor": known kinds: ',
    ],
    ['no kind', { ...whole, kind: undefined }, 'kind: missing: expected one of Infrastructure, '],
    ['an empty type', { ...whole, type: '' }, 'type: empty text: expected the spec.type of the objects'],
    ['no type', { ...whole, type: undefined }, 'type: missing: expected the spec.type'],
    ['a list of no types', { ...whole, type: [] }, 'type: empty list: expected the spec.type'],
    [
      'an empty type among others',
      { ...whole, type: ['acme', ''] },
      'type[1]: empty text: expected the spec.type',
    ],
    ['a type that is no text', { ...whole, type: ['acme', 1] }, 'type[1]: missing: expected the spec.type'],
    ['a type twice', { ...whole, type: ['acme', 'other', 'acme'] }, 'type[2]: "acme" is listed twice'],
    [
      'an unknown class',
      { ...whole, classes: ['shot'] },
      'classes[0]: unknown class "shot": known classes are shoot, seed, garden',
    ],
    ['a class that is no list', { ...whole, classes: 'shoot' }, 'classes: expected a list of classes'],
    ['no class', { ...whole, classes: [] }, 'classes: expected at least one of shoot, seed, garden'],
    ['settings that are none', { ...whole, settings: { qps: 1 } }, 'settings: expected a z.object({ … })'],
    [
      'a setting that every function has',
      { ...whole, settings: z.object({ port: z.string() }) },
      'settings.port: every function already has a setting with this name',
    ],
    [
      'no create',
      { ...whole, create: undefined },
      'create: missing: expected (settings, { clock }) => actuator',
    ],
    [
      'a misspelt field',
      { ...whole, permission: [] },
      'unknown field "permission": did you mean permissions?',
    ],
    [
      'a field that means nothing',
      { ...whole, x: 1, replicas: 1 },
      'unknown field "x"; unknown field "replicas"',
    ],
    [
      'a field that means nothing in a permission',
      { ...whole, permissions: [{ resource: secrets, verbs: ['list'], why, name: 'x' }] },
      'permissions[0]: unknown field "name"',
    ],
    [
      'a misspelt field of a part',
      { ...whole, service: { maxScal: { value: 2, why } } },
      'service: unknown field "maxScal": did you mean maxScale?',
    ],
    [
      'a misspelt field of a part in a list',
      { ...whole, permissions: [{ resource: secrets, verb: ['list'], verbs: ['list'], why }] },
      'permissions[0]: unknown field "verb": did you mean verbs?',
    ],
    [
      'a permission that is a name',
      { ...whole, permissions: ['secrets'] },
      'permissions[0]: expected an object',
    ],
    [
      'an Extension whose type is no finalizer',
      { ...whole, kind: 'Extension', type: ['acme', 'acme/fast'] },
      'finalizerSuffix: missing, and the type "acme/fast" is not valid as a default',
    ],
    [
      'a finalizer that Kubernetes refuses',
      { ...whole, kind: 'Extension', finalizerSuffix: 'of acme' },
      'finalizerSuffix: "of acme" is not valid',
    ],
    [
      'a finalizer of another kind',
      { ...whole, finalizerSuffix: 'acme' },
      'only the kind Extension may have it',
    ],
    ['a resync of another kind', { ...whole, resyncMs: 1 }, 'resyncMs: only the kind Extension may have it'],
    [
      'a Secret that the lifecycle keeps',
      { ...whole, kind: 'BackupEntry', ignoresSecret: true },
      'ignoresSecret: not supported for the kind BackupEntry, whose Secret has a finalizer',
    ],
    [
      'a Secret that there is not',
      { ...whole, kind: 'Network', ignoresSecret: true },
      'ignoresSecret: not supported for the kind Network, whose objects refer to no Secret',
    ],
    [
      'a permission for a name instead of a resource',
      { ...whole, permissions: [{ resource: 'secrets', verbs: ['list'], why }] },
      'permissions[0].resource: expected an object',
    ],
    [
      'a permission for everything',
      { ...whole, permissions: [{ resource: { ...secrets, plural: '*' }, verbs: ['list'], why }] },
      'permissions[0].resource.plural: expected the plural',
    ],
    [
      'a permission to do anything',
      { ...whole, permissions: [{ resource: secrets, verbs: ['*'], why }] },
      'permissions[0].verbs[0]: expected one of get, list, watch, create, update, patch, delete',
    ],
    [
      'a permission to do nothing',
      { ...whole, permissions: [{ resource: secrets, verbs: [], why }] },
      'permissions[0].verbs: expected at least one of get',
    ],
    [
      'a permission without a reason',
      { ...whole, permissions: [{ resource: secrets, verbs: ['list'] }] },
      'permissions[0].why: expected a sentence',
    ],
    [
      'a permission that the lifecycle has',
      { ...whole, permissions: [{ resource: secrets, verbs: ['list', 'get'], why }] },
      'permissions[0]: the lifecycle already has the permission to get secrets. Remove it',
    ],
    [
      'a permission twice',
      {
        ...whole,
        permissions: [
          { resource: secrets, verbs: ['list'], why },
          { resource: secrets, verbs: ['list'], why },
        ],
      },
      'permissions[1]: list secrets is listed twice. Remove one',
    ],
    [
      'a choice without a reason',
      { ...whole, service: { maxScale: { value: 2 } } },
      'service.maxScale.why: ',
    ],
    [
      'memory in no unit',
      { ...whole, service: { memory: { request: '1 GB', limit: '2Gi' } } },
      'service.memory.request: expected a Kubernetes quantity',
    ],
    [
      'log lines in an unknown format',
      { ...whole, logs: [{ pod: 'a', container: 'a', format: 'logfmt' }] },
      'logs[0].format: expected one of klog, json',
    ],
    [
      'log lines of a pattern',
      { ...whole, logs: [{ pod: 'a*', container: 'a', format: 'klog' }] },
      'logs[0].pod: expected a name, or the beginning of one',
    ],
    [
      'a lifecycle of an Extension for another kind',
      { ...whole, registration: { lifecycle: { reconcile: 'AfterWorker' } } },
      'registration.lifecycle: only the kind Extension may have it',
    ],
    [
      'endpoints of an exposure for another kind',
      { ...ofExtension, registration: { continuousEndpointUpdate: true } },
      'registration.continuousEndpointUpdate: only the kind SelfHostedShootExposure may have it',
    ],
    [
      'a deletion after the workers',
      { ...ofExtension, registration: { lifecycle: { delete: 'AfterWorker' } } },
      'registration.lifecycle.delete: expected one of BeforeKubeAPIServer, AfterKubeAPIServer',
    ],
    [
      'a timeout without a unit',
      { ...ofExtension, registration: { reconcileTimeout: '30' } },
      'registration.reconcileTimeout: expected a duration such as 30s',
    ],
    [
      'an Extension of every seed that is for shoots alone',
      { ...ofExtension, registration: { autoEnable: ['seed'] } },
      'registration.autoEnable: seed is not one of its classes: shoot',
    ],
  ])('with %s is refused', (_, given, problem) => {
    const problems = problemsOf(given)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  test('a definition has one type or a list of types', () => {
    expect(define({ ...whole, type: 'acme' })).toMatchObject({ types: ['acme'] })
    expect(define({ ...whole, type: ['acme', 'acme-fast'] })).toMatchObject({ types: ['acme', 'acme-fast'] })
  })

  test('a definition of an Extension needs no finalizer suffix if its type is a valid one', () => {
    expect(define({ ...whole, kind: 'Extension', type: ['acme', 'acme-fast'] })).toMatchObject({
      kind: 'Extension',
    })
  })

  test('a definition of an Extension chooses its finalizer and its resync', () => {
    const given = { ...whole, kind: 'Extension', finalizerSuffix: 'acme', resyncMs: 1_000 }
    expect(define(given)).toMatchObject({ finalizerSuffix: 'acme', resyncMs: 1_000 })
  })

  test('a definition of an Extension sets when gardenlet reconciles it and which clusters get one', () => {
    const registration = { lifecycle: { reconcile: 'AfterWorker' }, autoEnable: ['seed'] }
    expect(define({ ...ofExtension, classes: ['seed'], registration })).toMatchObject({ registration })
  })
})

describe('the types of a definition', () => {
  const clock = virtualClock(0)

  test('the kind determines the objects of the actuator', () => {
    defineFunction({
      name: 'acme',
      kind: 'DNSRecord',
      type: 'acme',
      create: () => ({
        reconcile: async ({ object }) => {
          expectTypeOf(object).toEqualTypeOf<DNSRecord>()
          return done()
        },
        remove: async ({ object }) => {
          expectTypeOf(object.spec.recordType).toEqualTypeOf<'A' | 'AAAA' | 'CNAME' | 'TXT'>()
          return done()
        },
      }),
    })
    const actuator: Actuator<Infrastructure> = create()
    // @ts-expect-error an actuator of another kind's objects
    defineFunction({ name: 'acme', kind: 'DNSRecord', type: 'acme', create: () => actuator })
    defineFunction({ name: 'acme', kind: 'Infrastructure', type: 'acme', create: () => actuator })
  })

  test('the settings and the connection that create declares are typed', () => {
    interface AcmeConnection {
      readonly endpoint: string
    }
    const made: unknown[] = []
    const definition = defineFunction({
      name: 'acme',
      kind: 'DNSRecord',
      type: 'acme',
      settings: z.object({ qps: z.coerce.number().default(1), zone: z.string().optional() }),
      create: ({ qps, zone }, { connection, ...deps }: FunctionDeps<AcmeConnection>) => {
        expectTypeOf(qps).toEqualTypeOf<number>()
        expectTypeOf(zone).toEqualTypeOf<string | undefined>()
        expectTypeOf(connection).toEqualTypeOf<AcmeConnection | undefined>()
        expectTypeOf(deps).toEqualTypeOf<{ clock: Clock; onRequest?: (request: CloudRequest) => void }>()
        made.push(qps, connection?.endpoint)
        return create()
      },
    })
    expectTypeOf<Parameters<FunctionDefinition['create']>[1]['connection']>().toEqualTypeOf<unknown>()
    definition.create({ qps: 7 }, { clock, connection: { endpoint: 'acme.example' } })
    expect(made).toEqual([7, 'acme.example'])
  })

  test('the types refuse common mistakes', () => {
    // @ts-expect-error no kind of that name
    expect(() => defineFunction({ ...whole, kind: 'DnsRecord' })).toThrow(DefinitionError)
    // @ts-expect-error no class of that name
    expect(() => defineFunction({ ...whole, classes: ['shot'] })).toThrow(DefinitionError)
  })
})
