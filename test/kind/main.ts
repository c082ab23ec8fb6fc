import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { asleep, during } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { clusterAccess } from '../../shared/kubernetes/kubernetes.ts'
import { print, printProblem } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { openDoor, serveDoors } from '../real/knative/machine/doors.ts'
import { type GardenerPartsOptions, openGardenerParts } from '../real/open-gardener-parts.ts'
import { connectCluster } from '../real/real-cluster.ts'
import {
  installKnative,
  installTrellis,
  type KindCluster,
  knativeVersion,
  removeKindCluster,
  startKindCluster,
} from './cluster.ts'
import { type LifeAccount, openSimulatedAccount } from './life-account.ts'
import { openRealAccount } from './real-account.ts'
import { createReport } from './report.ts'
import { dryShell, openShell } from './shell.ts'
import { shootLife } from './shoot-life.ts'

const help = `node test/kind/main.ts [--dry-run] [--keep]

Installs Knative and Trellis in a new cluster of kind, leads a shoot through its life, and removes everything.
The cloud is the simulator of AWS, or with AWS_PROFILE (and AWS_REGION) that account, where a shoot without machines
costs a few cents. Needs docker, kind and kubectl.

  --dry-run  print the commands and the steps
  --keep     leave the cluster
`

const { values } = parseArgs({
  options: Object.fromEntries(
    ['dry-run', 'keep', 'help'].map(name => [name, { type: 'boolean', default: false }]),
  ),
})
const root = join(import.meta.dirname, '../..')
const run = `e2e-${systemClock.now().toString(36)}`
const cluster = `trellis-${run}`
const folder = join(root, 'dist', run)
const kubeconfig = join(folder, 'kubeconfig')
const environment = { ...process.env, KUBECONFIG: kubeconfig }
/** The path of a socket may have 107 bytes. */
const doors = join(tmpdir(), `${cluster}.sock`)
const stop = new AbortController()
const isDry = values['dry-run'] === true
const shell = isDry ? dryShell : openShell(root, environment, stop.signal)
/** It also works after Ctrl-C. */
const cleaner = isDry ? dryShell : openShell(root, environment)
const isReal = process.env.AWS_PROFILE !== undefined
const region = process.env.AWS_REGION ?? 'eu-west-1'
const report = createReport()
const undo: (readonly [string, () => Promise<unknown>])[] = []
/** True while an account of AWS may have something of this run. */
let isLeft = false

const versions = async () => {
  const of = async (...line: readonly string[]) => (await shell.run(line)).split('\n')[0] ?? ''
  return {
    date: new Date(systemClock.now()).toISOString(),
    Trellis: await of('git', 'describe', '--always', '--dirty'),
    Node: process.version,
    docker: await of('docker', 'version', '--format', '{{.Server.Version}}'),
    kind: await of('kind', 'version'),
    kubectl: await of('kubectl', 'version', '--client'),
    Knative: knativeVersion,
    cloud: isReal ? `AWS ${region}` : 'the simulator of AWS',
  }
}

const main = async (): Promise<void> => {
  const found = await versions()
  if (!isDry) {
    await mkdir(folder, { recursive: true })
    undo.push(['the report', () => writeFile(join(folder, 'report.md'), report.text(found))])
  }
  const simulated = await openSimulatedAccount()
  undo.push(['the simulator', simulated.close])
  let account: LifeAccount = simulated
  if (isReal && !isDry) {
    account = await openRealAccount(run, region)
    undo.push(['the hosted zone', account.close])
  }
  if (values.keep !== true) undo.push(['the cluster', removeCluster])
  let started: KindCluster | undefined
  await report.step('a cluster of kind with a registry', async () => {
    started = await startKindCluster(shell, { name: cluster, kubeconfig, platform: process.platform })
  })
  if (started === undefined) return
  const { host, isForwarded, registry } = started
  const reach = async (port: number) => {
    if (isForwarded || isDry) return { host, port }
    const door = await openDoor(host, doors, { host: '127.0.0.1', port })
    undo.push([`the door to port ${port}`, door.close])
    return { host, port: door.port }
  }
  if (!isForwarded && !isDry) {
    const server = await serveDoors(doors)
    undo.push(['the doors', async () => void server.close()])
  }
  await report.step('Knative', () => installKnative(shell))
  await report.step('Trellis from its images', async () => {
    const cloud = account.port === undefined ? undefined : await reach(account.port)
    const file = join(folder, 'values.yaml')
    if (!isDry) await writeFile(file, stringify(valuesOf(cloud && `http://${cloud.host}:${cloud.port}`)))
    await installTrellis(shell, { registry, folder, values: file })
  })
  if (!isDry) return lead(account, simulated.aws, reach)
  const titles = shootLife({
    ...{ ...account, gardenlet: undefined as never },
    ...(isReal ? {} : { machines: () => 0 }),
  }).map(({ title }) => title)
  print(`${titles.join('\n')}\n`)
}

/** The functions in the cluster are the only ones that know what they made in an account. */
const removeCluster = async () => {
  if (!isLeft) return removeKindCluster(cleaner, cluster)
  throw new Error(
    `the shoot is not deleted. KUBECONFIG=${kubeconfig} kubectl get infrastructures,bastions,backupbuckets,dnsrecords -A shows why; then remove the cluster: kind delete cluster --name ${cluster}; docker rm --force ${cluster}-registry`,
  )
}

/** Omits what only Gardener has. */
const valuesOf = (cloud: string | undefined) => ({
  verticalPodAutoscaler: { enabled: false },
  networkPolicies: { enabled: false },
  priorityClassName: '',
  ...(cloud !== undefined && { functionEnv: { AWS_ENDPOINT_URL: cloud, TRELLIS_WAIT_SCALE: '0.01' } }),
})

/** Leads the shoot through its life, and deletes it if that fails or is interrupted. */
const lead = async (
  account: LifeAccount,
  aws: GardenerPartsOptions['aws'],
  reach: GardenerPartsOptions['reach'],
): Promise<void> => {
  const access = await clusterAccess({ file: kubeconfig, clock: systemClock })
  const { transport, kubernetes } = connectCluster(access)
  const { landscape, seed } = account
  const shoot = isReal ? asleep(account.shoot) : account.shoot
  const parts = openGardenerParts({
    ...{ transport: transport.send, kubernetes, aws, landscape, seed, reach, pollMs: 200 },
  })
  stop.signal.addEventListener('abort', () => parts.interrupt())
  isLeft = isReal
  try {
    const machines = () => parts.machines.nodes(shoot.status.technicalID).length
    const { gardenlet } = parts
    for (const { title, run: step } of shootLife({ ...account, gardenlet, ...(isReal ? {} : { machines }) }))
      await report.step(title, step)
    isLeft = false
  } catch (error) {
    await report.step('what is left is deleted', async () => {
      const gardenlet = parts.gardenletUntil(AbortSignal.timeout(30 * 60_000))
      await gardenlet.delete(during(shoot, 'Delete'))
      await gardenlet.removeSeed()
      isLeft = false
    })
    throw error
  } finally {
    await parts.close()
    transport.close()
  }
}

if (values.help === true) print(help)
else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      print('stopping: everything is removed now; press again to leave it\n')
      stop.abort(new Error('interrupted'))
    })
  await main().catch(failed)
  for (const [title, step] of undo.reverse())
    await step().catch(error => failed(new Error(`cannot remove ${title}: ${messageOf(error)}`)))
}

function failed(error: unknown) {
  printProblem('e2e', messageOf(error))
  process.exitCode = 1
}
