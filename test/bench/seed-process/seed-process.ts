import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFunctions } from '../../../functions/find-functions.ts'
import { providerOf } from '../../../sandbox/seed/seed.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { functionService } from '../../../shared/runtime/runtime.ts'
import { type BridgeProcess, bridgeProcesses } from '../../bridge/bridge-process.ts'
import { askedAt, recordNumber } from '../../real/dns-shoot.ts'
import { until } from '../bridge/pace.ts'
import { freshSnapshot, missingBundle, startArgs } from '../bundle.ts'
import { atMost, type Benchmark, percentile, type Row } from '../figure.ts'
import { compactBurst } from '../memory/memory-benchmarks.ts'
import { serviceOf } from '../memory/service-of.ts'
import { podArguments } from '../pod-environment.ts'
import { usageOfTree } from '../process-usage.ts'
import { startWorld } from '../start/start-world.ts'

const program = 'aws-compact'
const bridge = 'dist/bundles/bridge/main.cjs'
const title = 'seed process'
const atRest = 400
const fromZero = 9
const warm = 100
const together = 200
const idleMs = 1_000
const { resource } = kinds.DNSRecord

/**
 * Measures a seed process with all functions of aws, at rest and at work. The API server and AWS are in this process.
 */
export const seedProcess: Benchmark = {
  name: 'seed-process',
  run: async () => {
    const missing = await missingBundle([bridge, compactBurst.world.bundle])
    if (missing !== undefined) return [{ name: title, missing }]
    await freshSnapshot(bridge)
    const world = await startWorld(compactBurst.world)
    const processes = bridgeProcesses()
    const start = async (idle: number) => {
      const started = processes.start(
        {
          ...world.functionStart.env,
          AWS_ENDPOINT_URL: '',
          // The settings of the pod of a bridge.
          NODE_OPTIONS: '--max-old-space-size=192',
          MALLOC_ARENA_MAX: '1',
          TRELLIS_PROGRAMS: JSON.stringify([await hosted(world.functionStart.env)]),
          TRELLIS_PROGRAMS_FOLDER: resolve('dist/bundles'),
          TRELLIS_PROGRAM_IDLE_MS: String(idle),
          TRELLIS_LEADER_ELECTION: 'false',
          TRELLIS_INITIAL_PER_SECOND: '1000',
        },
        [...podArguments, ...startArgs(bridge)],
      )
      await started.port
      return started
    }
    try {
      return await measure(world, start)
    } finally {
      processes.killAll()
      await world.close()
    }
  },
}

type World = Awaited<ReturnType<typeof startWorld>>

const measure = async (
  world: World,
  start: (idleMs: number) => Promise<BridgeProcess>,
): Promise<readonly Row[]> => {
  const done = succeededBy(world)
  const create = async (index: number) => {
    const began = performance.now()
    await world.kubernetes.create(resource, recordNumber(index))
    return (await done(`record-${index}`)) - began
  }
  const reconcile = async (index: number, nth: number) => {
    const { name = '', namespace = '' } = recordNumber(index).metadata
    const finished = done(name)
    const began = performance.now()
    const change = { metadata: { annotations: askedAt(nth) }, spec: { values: [`203.0.113.${nth % 250}`] } }
    await world.kubernetes.patch(resource, { name, namespace }, change)
    return (await finished) - began
  }

  const first = await start(idleMs)
  for (let index = 0; index < atRest; index++) await create(index)
  await ended(first)
  await first.end('SIGTERM')

  const seed = await start(idleMs)
  // The bridge releases memory after 10 s without events.
  await sleep(15_000)
  const rest = await usageOfTree(seed.pid)
  const cold: number[] = []
  for (let nth = 1; nth <= fromZero; nth++) {
    cold.push(await reconcile(0, nth))
    await ended(seed)
  }
  await seed.end('SIGTERM')

  const busy = await start(60_000)
  await reconcile(0, fromZero + 1)
  const single: number[] = []
  // Another record each time: the step of the last one may still end.
  for (let nth = 1; nth <= warm; nth++) single.push(await reconcile(nth, nth))
  const before = await usageOfTree(busy.pid)
  const began = performance.now()
  await Promise.all(Array.from({ length: together }, (_, index) => create(atRest + index)))
  const seconds = (performance.now() - began) / 1000
  const { cpuMs } = await usageOfTree(busy.pid)
  await Promise.all(
    compactBurst.kinds.flatMap(({ of }) =>
      of.kind === 'DNSRecord' ? [] : Array.from({ length: 5 }, () => world.newObject(of)),
    ),
  )
  await sleep(5_000)
  const awake = await usageOfTree(busy.pid)
  await busy.end('SIGTERM')

  return [
    {
      name: `${title} at rest with ${atRest} objects: resident memory`,
      value: rest.residentMb,
      unit: 'MB',
      target: atMost(85),
      with: 'no program runs',
    },
    {
      name: `${title}: annotation → Succeeded from zero, p50`,
      value: percentile(cold, 0.5),
      unit: 'ms',
      target: atMost(250),
      with: `${fromZero} starts of ${program} from its snapshot; Kubernetes by TLS`,
    },
    { name: 'the same: longest', value: Math.max(...cold), unit: 'ms' },
    {
      name: `${title}: annotation → Succeeded with a warm process, p50`,
      value: percentile(single, 0.5),
      unit: 'ms',
      target: atMost(10),
      with: `${warm} records, changed one after the other`,
    },
    { name: 'the same: p99', value: percentile(single, 0.99), unit: 'ms' },
    {
      name: `${title}: ${together} new records at once`,
      value: seconds,
      unit: 's',
      target: atMost(2.5),
      with: 'an AWS without limits',
    },
    {
      name: 'the same: processor time of an object, both processes',
      value: (cpuMs - before.cpuMs) / together,
      unit: 'ms CPU',
    },
    {
      name: `${title} with all functions of aws awake: resident memory of all processes`,
      value: awake.residentMb,
      unit: 'MB',
      target: atMost(250),
      with: `after ${together} records and 5 objects of each other kind; shared pages count twice`,
    },
    { name: 'the same: proportional memory', value: awake.proportionalMb, unit: 'MB' },
  ]
}

/** The program with the environment of its Service. The service account of the pod is a folder of this benchmark. */
const hosted = async (env: Readonly<Record<string, string>>) => {
  const service = await serviceOf(program)
  const functions = (await findFunctions()).filter(fn => providerOf(fn) === 'aws')
  return {
    name: program,
    env: {
      ...service.env,
      NODE_OPTIONS: `${service.env.NODE_OPTIONS} --require ${resolve(podArguments[1])}`,
      BENCH_SERVICE_ACCOUNT: env.BENCH_SERVICE_ACCOUNT,
      AWS_ENDPOINT_URL: env.AWS_ENDPOINT_URL,
      TRELLIS_REPORT_TO: 'http://127.0.0.1:9/reports',
    },
    functions: functions.map(({ name, kind, types, service: own }) => {
      return { name, kind, types, concurrency: functionService(own).concurrency.value }
    }),
  }
}

/** Returns a function that resolves with the time at which a record is Succeeded after it was Processing. */
const succeededBy = (world: World) => {
  const waiting = new Map<string, { isProcessing: boolean; done: (at: number) => void }>()
  world.server.store.subscribe((_, { entry: { object } }) => {
    const wait = waiting.get(object.metadata.name)
    if (wait === undefined || object.kind !== 'DNSRecord') return
    const { state } = Object(object.status).lastOperation ?? {}
    if (state === 'Processing') wait.isProcessing = true
    if (state !== 'Succeeded' || !wait.isProcessing) return
    waiting.delete(object.metadata.name)
    wait.done(performance.now())
  })
  return (name: string) => new Promise<number>(done => void waiting.set(name, { isProcessing: false, done }))
}

/** Waits until no program runs. */
const ended = async (seed: BridgeProcess): Promise<void> => {
  const count = (message: string) => seed.log.filter(({ msg }) => msg === message).length
  await until('the program to end', async () => count('program awake') === count('program ended'))
}
