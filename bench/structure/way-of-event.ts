import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFunctions } from '../../functions/find-functions.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { awsEnvironment, createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { functionProcesses } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { reconcileMessage } from '../reconcile-message.ts'
import { giveZone, recordNumber, shootObjects } from '../shoot.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const coverage = fileURLToPath(new URL('../programs/coverage.cjs', import.meta.url))

/**
 * Sends a new DNSRecord to its function, which runs from its sources in a separate process. Returns the sources (from
 * the root of the repository) in which a function ran between the request and its answer. Code that runs at module load
 * is not counted.
 */
export const wayOfRecordEvent = async (): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-way-'))
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...shootObjects] })
  const aws = createAws()
  giveZone(aws.account())
  const [kubernetes, cloud] = await Promise.all([server.listen(), aws.listen()])
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig(kubernetes.url), { mode: 0o600 })
    const fn = (await findFunctions()).find(({ name }) => name === 'aws-dnsrecord')
    if (fn === undefined) throw new Error('there is no function aws-dnsrecord')
    const running = await functionProcesses({
      kubeconfig,
      env: { ...awsEnvironment(cloud.url), NODE_OPTIONS: `--require=${coverage}`, NODE_V8_COVERAGE: folder },
    })(fn)
    try {
      const object = await createKubernetes({ transport: server.transport, clock: systemClock }).create(
        kinds.DNSRecord.resource,
        recordNumber(0),
      )
      const { headers, body } = reconcileMessage('DNSRecord', object)
      const answer = await fetch(running.url, { method: 'POST', headers, body: new Uint8Array(body) })
      if (answer.status !== 204) throw new Error(`the function answered ${answer.status}`)
    } finally {
      await running.close()
    }
    return await sourcesOf(folder)
  } finally {
    await Promise.all([kubernetes.close(), cloud.close()])
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Report {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** The second report is that of the request; the first is of the start, the third of the end. */
const sourcesOf = async (folder: string): Promise<readonly string[]> => {
  const [, second] = (await readdir(folder)).filter(name => name.startsWith('coverage-')).sort()
  if (second === undefined) throw new Error('the process has reported no request')
  const { result } = JSON.parse(await readFile(join(folder, second), 'utf8')) as Report
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(ranInRequest))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter(file => file.endsWith('.ts') && !file.startsWith('..') && !file.includes('node_modules'))
}

/** The unnamed function at the beginning of a file is the module itself. */
const ranInRequest = ({ functionName, ranges }: Report['result'][number]['functions'][number]): boolean => {
  const [whole] = ranges
  return whole !== undefined && whole.count > 0 && !(functionName === '' && whole.startOffset === 0)
}
