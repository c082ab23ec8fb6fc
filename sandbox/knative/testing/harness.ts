import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { VirtualClock } from '../../../shared/clock/clock.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { eventMessage } from '../../../shared/events/events.ts'
import { sampleEvent } from '../../../shared/events/testing/sample-event.ts'
import type { Log } from '../../../shared/log/log.ts'
import { type BrokerOptions, createBroker } from '../broker.ts'
import type { BrokerEvent } from '../broker-event.ts'
import { type BrokeredEvent, readMessage } from '../http-binding.ts'
import { parseManifests } from '../manifests.ts'

export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
export const now = Date.parse('2026-11-21T00:00:00Z')

export const event = sampleEvent
export const wired = readMessage(eventMessage(event))

const cleanups: (() => Promise<unknown>)[] = []

/** Stops everything that the test started, in reverse order. */
export const cleanUp = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

/** Registers a function for `cleanUp`. */
export const onCleanUp = (cleanup: () => Promise<unknown>): void => {
  cleanups.push(cleanup)
}

export interface FunctionAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: Uint8Array | string
}
export interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders
  readonly event: BrokeredEvent
}

/** Starts a subscriber with responses that depend on the number of the request, from 1. */
export const subscriber = async (
  answer: (count: number, received: ReceivedEvent) => FunctionAnswer | Promise<FunctionAnswer>,
) => {
  const received: ReceivedEvent[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const one = {
        headers: request.headers,
        event: readMessage({ headers: request.headersDistinct, body: Buffer.concat(chunks) }),
      }
      received.push(one)
      const { status, headers = {}, body = '' } = await answer(received.length, one)
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}

const ordered = 'kafka.eventing.knative.dev/delivery.order: ordered'

/** Returns the manifests of a Broker, a Trigger and two Services; `ofTrigger` are its annotations. */
export const manifests = (
  delivery: string,
  trigger = '',
  concurrency = 0,
  annotations = '',
  ofTrigger = ordered,
) =>
  parseManifests([
    {
      name: 'test.yaml',
      text: `
apiVersion: eventing.knative.dev/v1
kind: Broker
metadata: { name: default, namespace: ns, annotations: { ${annotations} } }
spec: { delivery: { ${delivery} } }
---
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: dns, namespace: ns, annotations: { ${ofTrigger} } }
spec:
  broker: default
  filter: { attributes: { kind: DNSRecord } }
  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: fn } }
  ${trigger}
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: fn, namespace: ns }
spec: { template: { spec: { containerConcurrency: ${concurrency}, containers: [{ image: x }] } } }
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: dead, namespace: ns }
spec: { template: { spec: { containers: [{ image: x }] } } }
`,
    },
  ])

export const start = async (
  options: Partial<BrokerOptions> & Pick<BrokerOptions, 'manifests' | 'resolve'>,
) => {
  const seen: BrokerEvent[] = []
  const broker = await createBroker({ clock: systemClock, log: quiet, ...options })
  broker.onEvent(one => seen.push(one))
  cleanups.push(() => broker.close())
  const kinds = () => seen.map(({ kind }) => kind)
  const waits = () =>
    seen.flatMap(one => (one.kind === 'attempt' && one.retryInMs !== undefined ? [one.retryInMs] : []))
  return { broker, seen, kinds, waits }
}

/** Advances the clock until the broker is idle. */
export const deliverAll = async (clock: VirtualClock, broker: { idle(): Promise<void> }): Promise<void> => {
  let idle = false
  const done = broker.idle().then(() => {
    idle = true
  })
  while (!idle) {
    const next = clock.pending()[0]
    // Real sockets need real event-loop turns. Only waits between attempts (seconds) are skipped, not the request's
    // timeout.
    await clock.advance(next !== undefined && next - clock.now() <= 60_000 ? next - clock.now() : 0)
  }
  await done
}
