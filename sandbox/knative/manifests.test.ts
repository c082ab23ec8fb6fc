import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { parseIsoDuration } from '../../shared/clock/clock.ts'
import { knativeDefinitions } from './definitions/definitions.ts'
import { loadManifests, parseManifests } from './manifests.ts'

const root = new URL('../../', import.meta.url).pathname

const service = `
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: fn, namespace: ns }
spec: { template: { spec: { containers: [{ image: x }] } } }
---`
const broker = `
apiVersion: eventing.knative.dev/v1
kind: Broker
metadata: { name: default, namespace: ns }
---`
const trigger = (
  spec = '',
  subscriber = '{ ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: fn } }',
) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: t, namespace: ns }
spec:
  broker: default
  subscriber: ${subscriber}
  ${spec}
`
const read = (...texts: string[]) => parseManifests([{ name: 'x.yaml', text: texts.join('\n') }])

describe('parseManifests', () => {
  test('parsing reads the objects of the broker and ignores those of the cluster', () => {
    const { brokers, triggers, services } = read(
      service,
      broker,
      trigger(),
      '---\napiVersion: v1\nkind: Namespace',
    )
    expect([brokers.length, triggers.length, services.length]).toEqual([1, 1, 1])
    expect(services[0]?.spec.template.spec).toMatchObject({ containerConcurrency: 0, timeoutSeconds: 300 })
  })

  test('durations of a delivery are read as milliseconds', () => {
    const { triggers } = read(
      service,
      broker,
      trigger('delivery: { retry: 3, backoffPolicy: linear, backoffDelay: PT0.2S, timeout: PT1M }'),
    )
    expect(triggers[0]?.spec.delivery).toEqual({
      retry: 3,
      backoffPolicy: 'linear',
      backoffDelay: 200,
      timeout: 60_000,
    })
  })

  test.each([
    ['a Trigger without its Service', [broker, trigger()], 'Trigger ns/t: the Service ns/fn does not exist'],
    [
      'a Trigger without its Broker',
      [service, trigger()],
      'Trigger ns/t: the Broker ns/default does not exist',
    ],
    ['an empty subscriber', [service, broker, trigger('', '{}')], 'Trigger ns/t: the subscriber is empty'],
    [
      'CloudEvents SQL',
      [service, broker, trigger('filters: [{ cesql: "x" }]')],
      'Trigger t: spec.filters.0: the sandbox does not support CloudEvents SQL',
    ],
    [
      'a misspelled field',
      [service, broker, trigger('filer: {}')],
      'Trigger t: spec: Unrecognized key: "filer"',
    ],
    [
      'a broken duration',
      [service, broker, trigger('delivery: { backoffDelay: 1s }')],
      'spec.delivery.backoffDelay: expected an ISO 8601 duration',
    ],
    [
      'a negative retry',
      [service, broker, trigger('delivery: { retry: -1 }')],
      'Trigger t: spec.delivery.retry: Too small',
    ],
    [
      'a dead letter sink that is not there',
      [
        service,
        broker,
        trigger(
          'delivery: { deadLetterSink: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: gone } } }',
        ),
      ],
      'the Service ns/gone does not exist',
    ],
    [
      'another kind of Knative',
      ['apiVersion: messaging.knative.dev/v1\nkind: Channel'],
      'the sandbox does not support messaging.knative.dev/v1 Channel',
    ],
    ['broken YAML', ['a: [b'], 'x.yaml: '],
    ['a document without a kind', ['a: b'], 'x.yaml: a document has no apiVersion and kind'],
  ])('a change batch with %s is refused', (_, texts, message) => {
    expect(() => read(...texts)).toThrow(message)
  })
})

describe('the manifests in knative', () => {
  test('the sandbox can read the manifests', async () => {
    const { brokers, triggers, services } = await loadManifests([`${root}knative/base`])
    expect(brokers.map(({ metadata }) => metadata.name)).toEqual(['default'])
    expect(triggers.map(({ spec }) => spec.filter?.attributes)).toContainEqual({
      kind: 'DNSRecord',
      provider: 'aws-route53',
    })
    expect(services.length).toBe(triggers.length)
  })

  test('all brokers stop retrying before the bridge considers an event lost', async () => {
    const { brokers } = await loadManifests([`${root}knative/base`])
    const { retry = 0, backoffDelay = 0 } = brokers[0]?.spec.delivery ?? {}
    const waits = Array.from({ length: retry }, (_, index) => backoffDelay * 2 ** (index + 1))
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(90_000)
  })

  test('the manifests match the Knative schemas, without unknown fields', async () => {
    const validators = new Map<string, ReturnType<Ajv['compile']>>()
    for (const definition of knativeDefinitions()) {
      const { spec } = crdSchema.parse(definition)
      const [{ name: version, schema: { openAPIV3Schema: schema } = {} } = {}] = spec.versions
      const ajv = new Ajv({ strict: false, validateFormats: false })
      validators.set(`${spec.group}/${version} ${spec.names.kind}`, ajv.compile(closed(schema, true)))
    }
    const seen = new Set<string>()
    for (const file of globSync('**/*.yaml', { cwd: `${root}knative`, exclude: ['chart/**'] })) {
      for (const document of parseAllDocuments(await readFile(`${root}knative/${file}`, 'utf8'))) {
        const value = document.toJS() as { kind: string; apiVersion: string }
        const kind = `${value.apiVersion} ${value.kind}`
        const validate = validators.get(kind)
        if (!validate) {
          // Installed with RabbitMQ's broker, not with Knative.
          if (kind !== 'eventing.knative.dev/v1alpha1 RabbitmqBrokerConfig')
            expect(kind).not.toMatch(/\.knative\.dev\//)
          continue
        }
        seen.add(kind)
        validate(value)
        expect(validate.errors, `${file} ${value.kind}`).toBeNull()
      }
    }
    expect([...seen].sort()).toEqual([...validators.keys()].sort())
  })
})

const crdSchema = z.looseObject({
  spec: z.looseObject({
    group: z.string(),
    names: z.looseObject({ kind: z.string() }),
    versions: z.array(
      z.looseObject({ name: z.string(), schema: z.looseObject({ openAPIV3Schema: z.looseObject({}) }) }),
    ),
  }),
})

/** A structural schema drops unknown fields silently. Here they are errors. */
const closed = (schema: unknown, top = false): Record<string, unknown> => {
  const result: Record<string, unknown> = { ...(schema as Record<string, unknown>) }
  if (typeof result.properties === 'object') {
    const properties = { ...(result.properties as Record<string, unknown>) }
    if (top) Object.assign(properties, { apiVersion: {}, kind: {}, metadata: {} })
    result.properties = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, name === 'metadata' ? inner : closed(inner)]),
    )
    result.additionalProperties = result['x-kubernetes-preserve-unknown-fields'] === true
  }
  if (typeof result.items === 'object') result.items = closed(result.items)
  if (result['x-kubernetes-int-or-string'] === true) delete result.type
  return result
}

describe('parseIsoDuration', () => {
  test.each([
    ['PT0.2S', 200],
    ['PT1S', 1000],
    ['PT1M30S', 90_000],
    ['PT2H', 7_200_000],
    ['P1DT1S', 86_401_000],
    ['PT0S', 0],
    ['P', undefined],
    ['PT', undefined],
    ['1s', undefined],
    ['P1Y', undefined],
    ['PT1', undefined],
  ])('%s is read as %s ms', (text, milliseconds) => {
    expect(parseIsoDuration(text)).toBe(milliseconds)
  })
})
