import { partOf } from '../../../build/programs/programs.ts'
import { kubePrograms } from '../../real/programs/kube-programs.ts'
import { startBridgeSeed } from '../bridge/seed.ts'
import { underLoad } from '../bridge/steady-load.ts'
import { missingBundle } from '../bundle.ts'
import type { Benchmark, Row } from '../figure.ts'
import { clientNodeBundle } from './client-node-bundle.ts'
import { measuredFunction } from './measured-function.ts'
import { ratioRow, variantRows } from './variant-rows.ts'
import { measureVariants } from './variant-usage.ts'

const variants = [
  { connections: 'published', name: 'client-node' },
  { connections: 'reused', name: 'client-node with shared connections' },
  { connections: 'ours', name: 'typed clients of client-node over our connections' },
] as const
const bridge = 'dist/bundles/bridge/main.cjs'

/** Measures client-node in place of our client for Kubernetes, as a multiple of ours (decision 0006). */
export const packagesClient: Benchmark = {
  name: 'packages-client',
  run: async () => {
    const missing = await missingBundle([measuredFunction.kind.bundle, bridge])
    if (missing !== undefined) return [{ name: 'client-node in place of our client', missing }]
    return [...(await functionRows()), ...(await bridgeRows())]
  },
}

const functionRows = async (): Promise<readonly Row[]> => {
  const built = []
  for (const { connections, name } of variants)
    built.push({ name, bundle: await clientNodeBundle(measuredFunction.service, connections) })
  const usage = await measureVariants([{ name: 'today', bundle: measuredFunction.kind.bundle }, ...built], {
    ...measuredFunction,
    starts: 9,
    bursts: 2,
  })
  const today = usage.get('today')
  return [...usage].flatMap(([name, variant]) =>
    today === undefined || variant === today
      ? []
      : variantRows(`${measuredFunction.service} with ${name}`, today, variant),
  )
}

const bridgeRows = async (): Promise<readonly Row[]> => {
  const name = 'bridge with client-node: processor time of an event'
  const programs = await partOf(() => kubePrograms(process.env), false)
  if ('missing' in programs) return [{ name, missing: programs.missing }]
  const measured = async (program: string) => {
    const seed = await startBridgeSeed(programs)
    return underLoad(seed, program).finally(seed.close)
  }
  const ours = await measured(bridge)
  const theirs = await measured(await clientNodeBundle('bridge', 'reused'))
  return [
    ratioRow(name, {
      unit: 'ms CPU',
      ours: ours.cpuMsPerEvent,
      theirs: theirs.cpuMsPerEvent,
      about: '5000 objects created at 430/s, shared connections',
    }),
    ratioRow('the same: resident memory afterwards', {
      unit: 'MB',
      ours: ours.residentMb,
      theirs: theirs.residentMb,
    }),
  ]
}
