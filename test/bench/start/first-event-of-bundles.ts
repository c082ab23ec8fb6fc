import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compactName, findPrograms, mainFile } from '../../../build/images/images.ts'
import { findFunctions } from '../../../functions/find-functions.ts'
import { providerOf } from '../../../sandbox/seed/seed.ts'
import { annotations, labels } from '../../../shared/contract/constants.ts'
import { sampleNamespace, sampleSeed } from '../../../shared/runtime/start/start.ts'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, here, percentile, type Row } from '../figure.ts'
import { type FirstAnswer, firstAnswer, firstLine } from './process-start.ts'
import { startWorld } from './start-world.ts'
import { dnsRecords, type StartedKind, succeedingKinds } from './started-kinds.ts'

const runs = 7
const bareProgram = fileURLToPath(new URL('../programs/bare-http.cjs', import.meta.url))
const bundleOf = (program: string): string => join('dist/bundles', program, mainFile)

type Definition = Awaited<ReturnType<typeof findFunctions>>[number]

/** A program, and its function that receives an event. */
interface Started {
  readonly program: string
  readonly definition: Definition
  readonly most: number
}

/**
 * Measures the time from the start of each bundle's process to the answer to its first event, as a multiple of Node's
 * minimum.
 */
export const firstEventOfBundles: Benchmark = {
  name: 'start-bundles',
  run: async () => {
    const rows: Row[] = []
    for (const started of await startedPrograms()) rows.push(await measure(started))
    for (const process of longLived) rows.push(await listening(process))
    return rows
  },
}

const startedPrograms = async (): Promise<readonly Started[]> => {
  const functions = await findFunctions()
  return (await findPrograms()).flatMap(({ name }) => {
    const single = functions.find(definition => definition.name === name)
    if (single !== undefined) return [{ program: name, definition: single, most: 3 }]
    const own = functions.filter(definition => name === compactName(providerOf(definition)))
    const definition = own.find(({ name }) => name === 'aws-dnsrecord') ?? own[0]
    return definition === undefined ? [] : [{ program: name, definition, most: 4 }]
  })
}

const measure = async ({ program, definition, most }: Started): Promise<Row> => {
  const name = `${program}: process start → first event answered`
  const bundle = bundleOf(program)
  const missing = await missingBundle([bundle])
  if (missing !== undefined) return { name, missing }
  const succeeds = succeedingKinds.find(({ bundle }) => bundle === bundleOf(definition.name))
  const world = await startWorld({ ...(succeeds ?? sampled(definition)), bundle })
  const path = program === definition.name ? '/' : `/${definition.name}`
  const took: FirstAnswer[] = []
  const bare: FirstAnswer[] = []
  try {
    // The first run is a warm-up. The processes take turns, so that other load on the machine affects both equally.
    for (let run = 0; run <= runs; run++) {
      const { message, checkSucceeded } = await world.newObject()
      const ours = await world.startFunction(message, { path })
      if (succeeds !== undefined) await checkSucceeded()
      const least = await firstAnswer({ args: [bareProgram], env: {}, message })
      if (run === 0) continue
      took.push(ours)
      bare.push(least)
    }
  } finally {
    await world.close()
  }
  const about = succeeds === undefined ? 'an example object, whose step may end in an error' : 'a new object'
  return rowOf(name, { took, bare, most, about })
}

interface Measured {
  readonly took: readonly FirstAnswer[]
  readonly bare: readonly FirstAnswer[]
  readonly most: number
  readonly about: string
}

const rowOf = (name: string, { took, bare, most, about }: Measured): Row => {
  const median = (answers: readonly FirstAnswer[], what: keyof FirstAnswer) =>
    percentile(
      answers.map(answer => answer[what]),
      0.5,
    )
  const times = (what: keyof FirstAnswer) => median(took, what) / median(bare, what)
  const of = (answers: readonly FirstAnswer[]) =>
    `${Math.round(median(answers, 'ms'))} ms (processor ${Math.round(median(answers, 'cpuMs'))})`
  return {
    name,
    value: times('ms'),
    unit: '×',
    target: atMost(most),
    reference: { name: 'bare node:http', value: 1, source: here },
    with: `medians of ${runs} runs in turn, ${of(took)} and ${of(bare)}; of processor time ${times('cpuMs').toFixed(1)} ×; ${about}`,
  }
}

/** Any object of the function's kind and type, with a Cluster and a Secret. */
const sampled = ({ name, kind, types }: Definition): StartedKind => {
  const { object, byPath } = sampleSeed(kind, types[0] ?? '')
  return {
    kind,
    bundle: bundleOf(name),
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: sampleNamespace, labels: { [labels.role]: 'shoot' } },
      },
      ...[...byPath.values()].filter(other => other !== object),
    ],
    objectNumber: index => ({
      ...object,
      metadata: {
        name: `bar-${index}`,
        ...(object.metadata.namespace !== undefined && { namespace: object.metadata.namespace }),
        annotations: {
          ...object.metadata.annotations,
          [annotations.timestamp]: `2026-01-01T00:00:00.${index + 1}Z`,
        },
      },
    }),
  }
}

/** Long-running programs, and the message that each logs when it serves. */
const longLived = [
  {
    program: 'bridge',
    says: 'bridge running',
    settings: { TRELLIS_KINDS: 'DNSRecord', TRELLIS_SEED: 'bench', K_SINK: 'http://127.0.0.1:9' },
  },
  {
    program: 'webhook',
    says: 'listening',
    settings: { TRELLIS_PROBE_PORT: '0', TRELLIS_URL: 'https://127.0.0.1:9443' },
  },
] as const

/** Measures the time from the process start to the first listening, as a multiple of the minimum. */
const listening = async ({ program, says, settings }: (typeof longLived)[number]): Promise<Row> => {
  const name = `${program}: process start → serving`
  const bundle = bundleOf(program)
  const missing = await missingBundle([bundle])
  if (missing !== undefined) return { name, missing }
  // The namespace of the webhooks' certificates. The first run creates them.
  const ownNamespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trellis' } }
  const objects = [...dnsRecords.objects, ownNamespace]
  const world = await startWorld({ ...dnsRecords, objects, bundle })
  const { args, env } = world.functionStart
  const took: FirstAnswer[] = []
  const bare: FirstAnswer[] = []
  try {
    for (let run = 0; run <= runs; run++) {
      const ours = await firstLine({
        args,
        env: { ...env, ...settings, TRELLIS_LEADER_ELECTION: 'false' },
        says,
      })
      const least = await firstLine({ args: [bareProgram], env: {}, says: 'listening' })
      if (run === 0) continue
      took.push(ours)
      bare.push(least)
    }
  } finally {
    await world.close()
  }
  return rowOf(name, { took, bare, most: 3, about: 'until the log line' })
}
