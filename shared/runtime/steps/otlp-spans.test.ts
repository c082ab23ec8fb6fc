import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock, virtualClock } from '../../clock/clock.ts'
import type { ExtensionEvent } from '../../events/events.ts'
import { exportSpans } from './export-spans.ts'
import { recordSteps } from './record-steps.ts'

const traceId = 'a'.repeat(32)
const parent = 'b'.repeat(16)
const event = {
  id: 'e-1',
  source: '/seeds/a',
  type: 'cloud.gardener.extensions.dnsrecord.reconcile',
  subject: 'shoot--a--b/external',
  kind: 'DNSRecord',
  namespace: 'shoot--a--b',
  name: 'external',
  operation: 'reconcile',
  traceparent: `00-${traceId}-${parent}-01`,
} as ExtensionEvent
const planted = 'planted-secret-value'

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: readonly Attribute[]
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A receiver of OTLP/HTTP with JSON. */
const receiver = async () => {
  const bodies: { readonly path: string | undefined; readonly text: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      bodies.push({ path: request.url, text: Buffer.concat(chunks).toString() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies }
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

test('a step and its calls are spans below the trace of the event, without secrets', async () => {
  const { url, bodies } = await receiver()
  // Its time limit never passes.
  const spans = exportSpans('aws-dnsrecord', url, virtualClock(0), silent)
  const recorder = recordSteps('aws-dnsrecord', systemClock, spans.step)
  const kubernetes = recorder.kubernetes({
    get: async () => ({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
      data: { key: Buffer.from(planted).toString('base64') },
    }),
  } as never)
  await recorder.run(event, async () => {
    await kubernetes.get({ group: '', version: 'v1', plural: 'secrets', namespaced: true }, { name: 'x' })
    recorder.request({
      ...{ service: 'ec2', operation: 'CreateVpc', status: '400', throttled: false, durationMs: 0 },
      ...{ args: { Tag: planted }, requestId: 'r-1', error: 'VpcLimitExceeded', write: true },
    })
    return { kind: 'unrecorded', reason: `because of ${planted}` }
  })
  await spans.close()

  expect(bodies.map(({ path }) => path)).toEqual(['/v1/traces'])
  const [{ text } = { text: '' }] = bodies
  expect(text).not.toContain(planted)
  const [{ resource, scopeSpans }] = JSON.parse(text).resourceSpans
  expect(valuesOf(resource.attributes)).toMatchObject({
    'service.name': 'aws-dnsrecord',
    'cloud.provider': 'aws',
  })
  const sent = new Map<string, SentSpan>(scopeSpans[0].spans.map((span: SentSpan) => [span.name, span]))
  const step = sent.get('aws-dnsrecord')
  expect(step).toMatchObject({
    ...{ traceId, parentSpanId: parent, kind: 5 },
    status: { code: 2, message: 'because of [redacted]' },
  })
  expect(valuesOf(step?.attributes ?? [])).toMatchObject({
    'faas.trigger': 'pubsub',
    'faas.name': 'aws-dnsrecord',
    'cloudevents.event_id': 'e-1',
    'cloudevents.event_source': '/seeds/a',
    'cloudevents.event_spec_version': '1.0',
    'cloudevents.event_type': 'cloud.gardener.extensions.dnsrecord.reconcile',
    'cloudevents.event_subject': 'shoot--a--b/external',
    'k8s.namespace.name': 'shoot--a--b',
    'trellis.object': 'DNSRecord shoot--a--b/external',
    'trellis.outcome': 'unrecorded',
  })
  const call = sent.get('ec2 CreateVpc')
  expect(call).toMatchObject({ traceId, parentSpanId: step?.spanId, kind: 3, status: { code: 2 } })
  expect(valuesOf(call?.attributes ?? [])).toEqual({
    'rpc.method': 'ec2/CreateVpc',
    'rpc.system.name': 'aws-api',
    'cloud.provider': 'aws',
    'http.response.status_code': 400,
    'aws.request_id': 'r-1',
    'error.type': 'VpcLimitExceeded',
    'trellis.args': '{"Tag":"[redacted]"}',
  })
  const read = sent.get('GET secrets')
  expect(read).toMatchObject({ traceId, parentSpanId: step?.spanId, status: { code: 0 } })
  expect(valuesOf(read?.attributes ?? [])).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
  })
  for (const span of sent.values())
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
})

test('a receiver that does not answer delays neither steps nor, for long, the end of the process', async () => {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const clock = virtualClock(0)
  const spans = exportSpans('f', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock, silent)
  const recorder = recordSteps('f', clock, spans.step)
  for (let index = 0; index < 200; index++)
    await recorder.run(event, async () => ({ kind: 'recorded', how: 'succeeded' }))
  const closing = spans.close()
  await clock.advance(1_000)
  await closing
})
