import { describe, test } from 'vitest'
import type { Clock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { Kubernetes, Transport } from '../../../shared/kubernetes/kubernetes.ts'
import { record } from '../harness.ts'
import { type RecordingBridge, startRecordingBridge } from '../recording-bridge.ts'
import { apiServerFaults } from './api-server-faults.ts'
import { startBehindFaults } from './bridge-behind-faults.ts'
import { fastClock } from './fast-clock.ts'

/** An API server without faults, with the CRDs and a shoot. */
export interface HealthyServer {
  readonly transport: Transport
  readonly kubernetes: Kubernetes
  close?(): void
}

/** The idle limit of 70 to 90 s expires after about 4 s. */
const factor = 20

/**
 * Tests each API server fault against a bridge. Everything that is created before, during and after it arrives once,
 * with the same ids as without a fault.
 */
export const apiServerFaultSuite = (
  name: string,
  protocols: readonly ('h2' | 'http/1.1')[],
  open: (clock: Clock) => Promise<HealthyServer>,
): void => {
  // They mostly wait.
  describe.each(protocols)(`a bridge that reads ${name} over %s`, protocol => {
    for (const fault of apiServerFaults) {
      test.concurrent(`loses and repeats nothing when the server ${fault.title}`, async ({ expect }) => {
        const clock = fastClock(factor)
        const backend = await open(clock)
        const { transport, kubernetes } = backend
        const at = await startBehindFaults({ behind: transport, protocol, clock })
        const { bridge, server } = at
        const prefix = `f${crypto.randomUUID().slice(0, 8)}`
        const create = async (phase: string) => {
          for (let index = 0; index < 5; index++) {
            await kubernetes.create(kinds.DNSRecord.resource, record(`${prefix}-${phase}-${index}`))
          }
        }
        const sent = (by: RecordingBridge) => by.events.filter(event => event.name.startsWith(prefix))
        const arrived = (by: RecordingBridge, count: number) =>
          expect.poll(() => new Set(sent(by).map(event => event.name)).size).toBe(count)
        const idsOf = (by: RecordingBridge) =>
          sent(by)
            .map(event => `${event.name} ${event.id}`)
            .toSorted()

        try {
          await create('before')
          await arrived(bridge, 5)
          const asked = server.asked.length
          const end = await fault.inflict(at, kubernetes)
          await create('meanwhile')
          await end?.()
          await arrived(bridge, 10)
          await create('after')
          await arrived(bridge, 15)
          const { leadsTo } = fault
          if (leadsTo !== undefined) {
            expect(server.asked.slice(asked).filter(path => leadsTo.test(path))).not.toEqual([])
          }
          const witness = startRecordingBridge(kubernetes, clock)
          await arrived(witness, 15).finally(witness.stop)
          expect(idsOf(bridge)).toEqual(idsOf(witness))
        } finally {
          await at.close()
          backend.close?.()
          clock.stop()
        }
      })
    }
  })
}
