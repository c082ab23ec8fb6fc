import { createDns, NotYetError } from '../../../functions/aws/dnsrecord/route53/dns.ts'
import { accountRates, addHostedZone, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'

/** New records in processes that share one account. */
export interface RecordSimulation {
  readonly processes: number
  readonly records: number
  /** True if all records are in one zone, so their calls can be combined. Otherwise each has its own. */
  readonly oneZone: boolean
}

export interface SimulatedRecords {
  readonly seconds: number
  readonly calls: number
  readonly throttled: number
  /** The time of each record until it exists, in seconds, shortest first. */
  readonly waits: readonly number[]
  /** The longest step, in seconds. After each step that waits, the status has the reason. */
  readonly longestStep: number
}

/** Time of a Route 53 call, and of an event that is delivered again, in ms. */
const callMs = 60
const deliveryMs = 30

/**
 * Creates new records through the code of the function, on a virtual clock. All records arrive at the same time, in
 * processes that have just started. The account is that of the sandbox: five calls per second after five at once.
 * Throttled calls use nothing of the rate.
 */
export const simulateRecords = async (simulation: RecordSimulation): Promise<SimulatedRecords> => {
  const { processes, records, oneZone } = simulation
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const aws = createAws({
    clock,
    rates: { 'route53:*': accountRates['route53:*'] ?? { perSecond: 5, burst: 5 } },
  })
  const zoneOf = (index: number) => `Z${String(oneZone ? 0 : index).padStart(12, '0')}`
  for (let index = 0; index < (oneZone ? 1 : records); index++)
    addHostedZone(aws.account(), { name: 'example.com', id: zoneOf(index) })
  const requestHandler = {
    handle: async (...call: Parameters<typeof aws.requestHandler.handle>) => {
      await clock.sleep(callMs / 2)
      const answer = await aws.requestHandler.handle(...call)
      await clock.sleep(callMs / 2)
      return answer
    },
  }
  const began = clock.now()
  let longestStep = 0
  const seed = async (first: number) => {
    const dns = createDns({ connection: { requestHandler, route53PerSecond: 5 }, clock })
    const one = async (index: number) => {
      const request = requestOf(`record-${index}`, zoneOf(index))
      for (;;) {
        const started = clock.now()
        try {
          await dns.reconcile(request)
          longestStep = Math.max(longestStep, (clock.now() - started) / 1_000)
          return (clock.now() - began) / 1_000
        } catch (error) {
          if (!(error instanceof NotYetError)) throw error
          longestStep = Math.max(longestStep, (clock.now() - started) / 1_000)
          await clock.sleep(error.afterMs + deliveryMs)
        }
      }
    }
    const own: Promise<number>[] = []
    for (let index = first; index < records; index += processes) own.push(one(index))
    return Promise.all(own)
  }
  const all = Promise.all(Array.from({ length: processes }, (_, first) => seed(first)))
  let isOver = false
  const end = () => {
    isOver = true
  }
  all.then(end, end)
  while (!isOver) await clock.advance(100)
  const waits = (await all).flat().sort((a, b) => a - b)
  const calls = aws.calls.all()
  return {
    seconds: waits.at(-1) ?? 0,
    calls: calls.length,
    throttled: calls.filter(({ errorCode }) => errorCode === 'Throttling').length,
    waits,
    longestStep,
  }
}

const requestOf = (name: string, zone: string) => ({
  desired: {
    name: `${name}.example.com`,
    type: 'A' as const,
    values: ['203.0.113.10'],
    ttl: 120,
    ipStack: 'ipv4' as const,
  },
  zones: { spec: zone, status: undefined },
  region: undefined,
  secret: {
    name: 'dns',
    namespace: 'garden',
    labels: {},
    data: { accessKeyID: 'AKIABENCH', secretAccessKey: 'bench' },
  },
  signal: new AbortController().signal,
  throwIfExpired: () => {},
  complete: false,
})
