import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bastionOf, clusterOf, namespace } from '../../functions/aws/bastion/testing/objects.ts'
import { addImage, addNetwork } from '../../sandbox/aws/aws.ts'
import { labels } from '../../shared/contract/constants.ts'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, here, percentile } from '../figure.ts'
import { firstAnswerMs } from '../process-start.ts'
import { askedAt } from '../shoot.ts'
import { dnsRecords, type StartedKind, startWorld } from '../start-world.ts'

const runs = 15
const programs = fileURLToPath(new URL('../programs', import.meta.url))

const bastions: StartedKind = {
  kind: 'Bastion',
  objects: [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
    },
    clusterOf(),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cloudprovider', namespace },
      data: { accessKeyID: btoa('AKIABENCH00000000000'), secretAccessKey: btoa('made-up-for-the-benchmark') },
    },
  ],
  prepare: aws => {
    const region = 'eu-west-1'
    addImage(aws.account(), region, { id: 'ami-0aaaaaaaaaaaaaaa1', name: 'bench', architecture: 'x86_64' })
    addNetwork(aws.account(), region, {
      name: namespace,
      cidr: '10.250.0.0/16',
      subnet: { name: `${namespace}-public-utility-z0`, cidr: '10.250.96.0/22' },
      group: { name: `${namespace}-nodes`, description: 'Security group for nodes' },
    })
  },
  objectNumber: index => {
    const { metadata, ...object } = bastionOf()
    const { uid: _, ...named } = metadata
    return { ...object, metadata: { ...named, name: `cli-${index}`, annotations: askedAt(index) } }
  },
}

/** From the start of a process to the answer to its first event, a new bastion, beside that of a new DNS record. */
export const bastionStart: Benchmark = {
  name: 'start-bastion',
  run: async () => {
    const starts = [
      { kind: bastions, bundle: 'dist/functions/aws-bastion.cjs', took: [] as number[] },
      { kind: dnsRecords, bundle: 'dist/functions/aws-dnsrecord.cjs', took: [] as number[] },
    ] as const
    const name = 'process start → first bastion answered'
    const missing = await missingBundle(starts.map(({ bundle }) => bundle))
    if (missing !== undefined) return [{ name, missing }]
    const worlds = await Promise.all(starts.map(({ kind }) => startWorld(kind)))
    try {
      // The first run writes the caches. In turn, so that what else the machine does hits both alike.
      for (let run = 0; run <= runs; run++) {
        for (const [index, { bundle, took }] of starts.entries()) {
          const world = worlds[index]
          if (world === undefined) continue
          const { message, checkSucceeded } = await world.newObject()
          const ms = await firstAnswerMs({
            args: ['--require', join(programs, 'service-account.cjs'), bundle],
            env: { ...world.env, NODE_COMPILE_CACHE: join(world.folder, 'compile-cache') },
            message,
          })
          await checkSucceeded()
          if (run > 0) took.push(ms)
        }
      }
    } finally {
      for (const world of worlds) await world.close()
    }
    const [bastion, record] = starts.map(({ took }) => percentile(took, 0.5)) as [number, number]
    return [
      {
        name,
        value: bastion,
        unit: 'ms',
        target: atMost(record * 1.1),
        reference: { name: 'aws-dnsrecord', value: record, source: here },
        with: `median of ${runs} runs; compile cache primed; a bastion takes 10 calls of AWS, a record 3`,
      },
    ]
  },
}
