import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findPrograms, writeBundles, writeSnapshot } from '../../build/images/images.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { furnishedZone } from '../../sandbox/providers/aws/furnished-zone.ts'
import { addHostedZone, createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { annotations, apiVersion, labels } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type BridgeProcess, bridgeProcesses } from '../bridge/bridge-process.ts'

const namespace = 'shoot--test--seed'
const secret = 'dnsrecord-external'

const objects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trellis' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { [labels.role]: 'shoot' } } },
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: { status: { lastOperation: { state: 'Processing' } } } },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret, namespace },
    data: { accessKeyID: btoa('AKIATEST000000000000'), secretAccessKey: btoa('made-up-for-the-test') },
  },
]

/** The program of the tests, as an image contains it. */
export const program = 'aws-compact'

const dnsRecords = { name: 'aws-dnsrecord', kind: 'DNSRecord', types: ['aws-route53'], concurrency: 50 }
const workers = { name: 'aws-worker', kind: 'Worker', types: ['aws'], concurrency: 5 }

/** The setting with the program. */
export const programsWith = (fields: object = {}): string =>
  JSON.stringify([{ name: program, functions: [dnsRecords, workers], ...fields }])

/** Writes the bundles and the snapshots of programs, as in an image. Returns their folder. */
export const writePrograms = async (...names: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-programs-'))
  const programs = (await findPrograms()).filter(({ name }) => names.includes(name))
  for await (const { name } of writeBundles(programs, folder)) await writeSnapshot(join(folder, name))
  return folder
}

/** An API server and an AWS account, for seed processes of the test. */
export const startSeedProcessWorld = async (folder: string) => {
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...objects] })
  const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
  const aws = createAws({ clock: systemClock })
  addHostedZone(aws.account(), furnishedZone)
  const [listener, cloud] = await Promise.all([server.listen(), aws.listen()])
  const own = await mkdtemp(join(tmpdir(), 'trellis-seed-process-'))
  const kubeconfig = join(own, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(listener.url))
  const processes = bridgeProcesses()

  const environment: Readonly<Record<string, string>> = {
    TRELLIS_KUBECONFIG: kubeconfig,
    TRELLIS_PROGRAMS: programsWith(),
    TRELLIS_PROGRAMS_FOLDER: folder,
    TRELLIS_INITIAL_PER_SECOND: '1000',
    AWS_ENDPOINT_URL: cloud.url,
  }

  const stateOf = async (name: string): Promise<string | undefined> => {
    const object = await kubernetes.get(kinds.DNSRecord.resource, { namespace, name })
    return (object?.status as { readonly lastOperation?: { readonly state?: string } })?.lastOperation?.state
  }

  return {
    server,
    aws,
    /** Starts a seed process: a bridge that hosts the program. */
    start: (env: Readonly<Record<string, string>> = {}) => processes.start({ ...environment, ...env }),
    environment,
    create: (name: string) =>
      kubernetes.create(kinds.DNSRecord.resource, {
        apiVersion,
        kind: 'DNSRecord',
        metadata: {
          ...{ name, namespace },
          annotations: {
            [annotations.operation]: 'reconcile',
            [annotations.timestamp]: new Date().toISOString(),
          },
        },
        spec: {
          type: 'aws-route53',
          secretRef: { name: secret, namespace },
          ...{ name: `${name}.example.com`, recordType: 'A', values: ['203.0.113.10'] },
        },
      }),
    succeeds: (name: string) => expect.poll(() => stateOf(name)).toBe('Succeeded'),
    stateOf,
    close: async () => {
      processes.killAll()
      await listener.close()
      await cloud.close()
      server.close()
      await rm(own, { recursive: true })
    },
  }
}

export type SeedProcessWorld = Awaited<ReturnType<typeof startSeedProcessWorld>>

/** Returns the fields of the lines of a log with this message. */
export const linesOf = (process: BridgeProcess, message: string) =>
  process.log.filter(({ msg }) => msg === message)

/** Returns the pids of the started programs, in order. */
export const pidsOf = (process: BridgeProcess): readonly number[] =>
  linesOf(process, 'program awake').map(({ pid }) => Number(pid))
