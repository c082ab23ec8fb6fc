import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAws } from '../sandbox/aws/aws.ts'
import { createApiServer } from '../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../shared/clock/clock.ts'
import { allCrds } from '../shared/contract/crds/crd-of.ts'
import { kinds } from '../shared/contract/kinds.ts'
import type { HttpMessage } from '../shared/events/events.ts'
import { buildEvent, eventMessage } from '../shared/events/events.ts'
import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../shared/kubernetes/kubernetes.ts'
import { missingBundle } from './bundle.ts'
import { type Benchmark, below, type Figure, here, percentile } from './figure.ts'
import { firstAnswerMs } from './process-start.ts'
import { giveZone, namespace, recordNumber, shootObjects } from './shoot.ts'
import { startTlsFront } from './tls-front.ts'

const runs = 9
const { resource } = kinds.DNSRecord
const programs = fileURLToPath(new URL('programs', import.meta.url))
const bundle = 'dist/functions/aws-dnsrecord.cjs'

/** From the start of a process to the answer to its first event: a new record, made in Route 53 and written down. */
export const firstEvent: Benchmark = {
  name: 'start',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'process start → first event answered', missing }]
    const world = await startWorld()
    try {
      const cache = { NODE_COMPILE_CACHE: join(world.folder, 'compile-cache') }
      const functionStart = async (env: Readonly<Record<string, string>>): Promise<number> => {
        const { message, checkSucceeded } = await world.newRecord()
        const ms = await firstAnswerMs({
          args: ['--require', join(programs, 'service-account.cjs'), bundle],
          env: { ...world.env, ...env },
          message,
        })
        await checkSucceeded()
        return ms
      }
      const bareStart = async (): Promise<number> => {
        const { message } = await world.newRecord()
        return firstAnswerMs({ args: [join(programs, 'bare-http.cjs')], env: cache, message })
      }

      // Writes the caches, and warms up the servers here.
      await functionStart(cache)
      await bareStart()
      const primed: number[] = []
      const cold: number[] = []
      const bare: number[] = []
      // In turn, so that what else the machine does hits all three alike.
      for (let run = 0; run < runs; run++) {
        primed.push(await functionStart(cache))
        cold.push(await functionStart({}))
        bare.push(await bareStart())
      }
      const circumstances = `${runs} runs; Kubernetes by TLS with a service account, AWS by HTTP, both on 127.0.0.1`
      return [
        figure(
          'process start → first event answered, median',
          primed,
          bare,
          0.5,
          below(300),
          `compile cache primed; ${circumstances}`,
        ),
        figure('process start → first event answered, best', primed, bare, 0),
        figure('the same without compile cache, median', cold, bare, 0.5),
        figure('the same without compile cache, best', cold, bare, 0),
      ]
    } finally {
      await world.close()
    }
  },
}

const figure = (
  name: string,
  values: readonly number[],
  bare: readonly number[],
  fraction: number,
  target?: Figure['target'],
  circumstances?: string,
): Figure => ({
  name,
  value: percentile(values, fraction),
  unit: 'ms',
  reference: { name: 'bare node:http', value: percentile(bare, fraction), source: here },
  ...(target && { target }),
  ...(circumstances !== undefined && { with: circumstances }),
})

/** The API server and AWS, in this process, and what a pod's process is told of them. */
const startWorld = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const clock = systemClock
  const server = createApiServer({ clock, objects: [...allCrds(), ...shootObjects] })
  const aws = createAws({ clock })
  giveZone(aws.account())
  const [kubernetesListener, awsListener] = await Promise.all([server.listen(), aws.listen()])
  const front = await startTlsFront(kubernetesListener.port)
  await writeFile(join(folder, 'token'), 'bench')
  await writeFile(join(folder, 'ca.crt'), front.ca)
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  let records = 0

  return {
    folder,
    env: {
      BENCH_SERVICE_ACCOUNT: folder,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(front.port),
      AWS_ENDPOINT_URL: awsListener.url,
      TRELLIS_PORT: '0',
      TRELLIS_HOST: '127.0.0.1',
    },
    /** Creates a record, and gives the event that the bridge sends for it. */
    newRecord: async () => {
      const object = await kubernetes.create(resource, recordNumber(records++))
      return {
        message: httpMessageOf(object),
        /** An answer 204 says no more than that the outcome was written down. */
        checkSucceeded: async (): Promise<void> => {
          const { name } = object.metadata
          const after = await kubernetes.get(resource, { name, namespace })
          const { lastOperation } = (after?.status ?? {}) as {
            readonly lastOperation?: { readonly state?: string }
          }
          if (lastOperation?.state !== 'Succeeded') throw new Error(`${name} is ${lastOperation?.state}`)
        },
      }
    },
    close: async () => {
      await front.close()
      await kubernetesListener.close()
      await awsListener.close()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const httpMessageOf = (object: KubernetesObject): HttpMessage =>
  eventMessage(
    buildEvent({
      object,
      kind: 'DNSRecord',
      operation: 'reconcile',
      cause: 'annotation',
      reason: 'annotation',
      attempt: 0,
      source: '/seeds/bench',
      now: systemClock.now(),
    }),
  )
