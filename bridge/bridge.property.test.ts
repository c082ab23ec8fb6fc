import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatMilliseconds, formatSeconds } from '../shared/clock/timestamp.ts'
import { virtualClock } from '../shared/clock/virtual-clock.ts'
import { annotations } from '../shared/contract/constants.ts'
import { kinds } from '../shared/contract/kinds.ts'
import { formatStep } from '../shared/contract/step.ts'
import type { ExtensionEvent } from '../shared/events/event.ts'
import type { SendOutcome } from '../shared/events/send.ts'
import { ConnectionError, type KubernetesObject } from '../shared/kubernetes/port.ts'
import { dueWork } from '../shared/lifecycle/due-work.ts'
import { factsOf, lastOperationMark } from '../shared/lifecycle/facts.ts'
import { requestOf } from '../shared/lifecycle/request.ts'
import { createBridge } from './bridge.ts'
import { fakeKubernetes } from './fake-kubernetes.ts'

const { resource } = kinds.DNSRecord
const namespace = 'garden'
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const names = ['a', 'b', 'c'] as const
const name = fc.constantFrom(...names)

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('touch' as const), name }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('sink' as const),
      mode: fc.constantFrom<SinkMode>('takes', 'refuses', 'takes and loses', 'takes, answer lost', 'slow'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('function' as const),
      mode: fc.constantFrom<FunctionMode>('succeeds', 'dies', 'fails', 'continues'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('break' as const), expired: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
  },
)

type SinkMode = 'takes' | 'refuses' | 'takes and loses' | 'takes, answer lost' | 'slow'
type FunctionMode = 'succeeds' | 'dies' | 'fails' | 'continues'

it('does everything that was asked for, in spite of any faults, then falls silent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50 }), async steps => {
      const clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
      const kubernetes = fakeKubernetes()
      const broken: string[] = []
      const sending = new Set<string>()
      let sinkMode: SinkMode = 'takes'
      let functionMode: FunctionMode = 'succeeds'
      let asked = 0
      let expire = false
      let sent = 0
      /** The last request that a step has answered, by object. */
      const answered = new Map<string, string>()

      const read = (key: string) => kubernetes.read(resource, { name: key, namespace })
      const write = (
        object: KubernetesObject,
        notes: Record<string, string | undefined>,
        status?: object,
      ) => {
        const merged = { ...object.metadata.annotations, ...notes }
        const kept = Object.entries(merged).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        )
        return kubernetes.put(resource, {
          ...object,
          metadata: { ...object.metadata, annotations: Object.fromEntries(kept) },
          ...(status === undefined ? {} : { status }),
        })
      }

      /** What the function does with an event, in short: decide on the live object, claim, act, write down. */
      const runFunction = async (event: ExtensionEvent): Promise<void> => {
        await clock.sleep(50)
        const object = read(event.name)
        if (object === undefined || dueWork('DNSRecord', object, clock.now()).kind !== 'emit') return
        const facts = factsOf(object)
        const operation = facts.deletionTimestamp === undefined ? 'reconcile' : 'delete'
        const base = {
          operation,
          attempt: 0,
          event: event.id,
          request: requestOf('DNSRecord', facts)?.id ?? '',
          generation: facts.generation,
          was: lastOperationMark(facts.lastOperation),
        } as const
        const until = (ms: number) => formatMilliseconds(clock.now() + ms)
        const status = (state: string) => ({
          lastOperation: { type: operation, state, lastUpdateTime: formatSeconds(clock.now()) },
        })
        const mode = functionMode
        const timestamp = object.metadata.annotations?.[annotations.timestamp] ?? ''
        const claim = formatStep({ ...base, phase: 'running', until: until(30_000) })
        const claimed = write(
          object,
          { [annotations.operation]: undefined, [annotations.step]: claim },
          status('Processing'),
        )
        await clock.sleep(400)
        const live = read(event.name)
        if (mode === 'dies' || live === undefined || live.metadata.uid !== claimed.metadata.uid) return
        if (mode !== 'succeeds') {
          const wait = formatStep({ ...base, phase: 'waiting', until: until(15_000) })
          write(live, { [annotations.step]: wait }, status(mode === 'fails' ? 'Error' : 'Processing'))
          return
        }
        answered.set(event.name, timestamp)
        if (operation === 'delete') kubernetes.remove(resource, { name: event.name, namespace })
        else write(live, { [annotations.step]: undefined }, status('Succeeded'))
      }

      const send = async (event: ExtensionEvent): Promise<SendOutcome> => {
        sent++
        const who = `${bridges} ${event.objectuid}`
        if (sending.has(who)) broken.push(`two events of ${event.name} in flight`)
        sending.add(who)
        const mode = sinkMode
        await clock.sleep(mode === 'slow' ? 3_000 : 1)
        sending.delete(who)
        if (mode === 'refuses') return { kind: 'retry', reason: 'refused' }
        if (mode !== 'takes and loses') void runFunction(event)
        return mode === 'takes, answer lost' ? { kind: 'retry', reason: 'timed out' } : { kind: 'accepted' }
      }

      let bridges = 0
      let stop: () => Promise<void> = async () => undefined
      const startBridge = () => {
        bridges++
        const bridge = createBridge({
          kubernetes: kubernetes.port,
          send,
          clock,
          log: silent,
          selection: {
            kinds: ['DNSRecord'],
            types: [],
            classes: ['shoot'],
            namespaces: [],
            labels: undefined,
          },
          source: '/seeds/test',
        })
        const controller = new AbortController()
        let ended = false
        void bridge.run(controller.signal).then(() => {
          ended = true
        })
        stop = async () => {
          controller.abort()
          while (!ended) await clock.advance(500)
        }
        return bridge
      }

      startBridge()
      for (const step of steps) {
        switch (step.do) {
          case 'ask': {
            const timestamp = `2026-11-21T12:00:00.${String(++asked).padStart(9, '0')}Z`
            const notes = { [annotations.operation]: 'reconcile', [annotations.timestamp]: timestamp }
            write(
              read(step.name) ?? {
                apiVersion: 'extensions.gardener.cloud/v1alpha1',
                kind: 'DNSRecord',
                metadata: { name: step.name, namespace, finalizers: ['extensions.gardener.cloud/dnsrecord'] },
                spec: { type: 'test' },
              },
              notes,
            )
            break
          }
          case 'delete': {
            const object = read(step.name)
            if (object === undefined || object.metadata.deletionTimestamp !== undefined) break
            const deletionTimestamp = formatSeconds(clock.now())
            kubernetes.put(resource, { ...object, metadata: { ...object.metadata, deletionTimestamp } })
            break
          }
          case 'touch': {
            const object = read(step.name)
            if (object !== undefined) write(object, { note: String(clock.now()) })
            break
          }
          case 'sink':
            sinkMode = step.mode
            break
          case 'function':
            functionMode = step.mode
            break
          case 'break':
            kubernetes.breakWatches(new ConnectionError('reset', { cause: undefined, sent: true }))
            if (step.expired) expire = true
            break
          case 'restart':
            await stop()
            startBridge()
            break
          case 'pass':
            await clock.advance(step.ms)
        }
        // The watch that broke resumes only after a pause: by then its version is forgotten.
        if (expire) kubernetes.compact()
        expire = false
      }
      sinkMode = 'takes'
      functionMode = 'succeeds'
      await clock.advance(30 * 60_000)
      expect(broken).toEqual([])
      for (const key of names) {
        const object = read(key)
        if (object === undefined) continue
        expect(dueWork('DNSRecord', object, clock.now())).toEqual({ kind: 'none' })
        expect(answered.get(key)).toBe(object.metadata.annotations?.[annotations.timestamp])
      }
      const before = sent
      await clock.advance(60 * 60_000)
      expect(sent - before, 'events although nothing is left to do').toBe(0)
      await stop()
      expect(clock.pending()).toEqual([])
    }),
    { numRuns: 200 },
  )
}, 60_000)
