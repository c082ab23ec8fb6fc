import { dirname, join } from 'node:path'
import { bundle } from '../../build/images/images.ts'
import { missingBundle } from '../bundle.ts'
import type { Benchmark } from '../figure.ts'
import { dnsRecords } from '../start-world.ts'
import { variantRows } from './variant-rows.ts'
import { measureVariants, type Variant } from './variant-usage.ts'
import { replaceFile, writeVariant } from './write-variant.ts'

const service = 'aws-dnsrecord'
/** Route 53 allows five requests a second per account; this benchmark measures the process, not the wait. */
const settings = { TRELLIS_CLIENT_QPS: '1000', TRELLIS_CLIENT_BURST: '1000' }

/** Measures the functions framework in place of our host, as a multiple of ours (decision 0028). */
export const packagesHost: Benchmark = {
  name: 'packages-host',
  run: async () => {
    const missing = await missingBundle([dnsRecords.bundle])
    if (missing !== undefined) return [{ name: 'the functions framework in place of our host', missing }]
    const variants: readonly Variant[] = [
      { name: 'today', bundle: dnsRecords.bundle },
      {
        name: 'the functions framework, http signature (TRELLIS_HOST=framework)',
        bundle: dnsRecords.bundle,
        env: { TRELLIS_HOST: 'framework' },
      },
      { name: 'the functions framework, CloudEvent signature', bundle: await cloudEventBundle() },
    ]
    const usage = await measureVariants(variants, {
      service,
      kind: dnsRecords,
      settings,
      starts: 15,
      bursts: 3,
    })
    const today = usage.get('today')
    return [...usage].flatMap(([name, variant]) =>
      today === undefined || variant === today ? [] : variantRows(`${service} with ${name}`, today, variant),
    )
  },
}

const cloudEventBundle = async (): Promise<string> => {
  const file = await writeVariant(service, 'cloud-event', [
    replaceFile(
      'shared/runtime/host.ts',
      `export { cloudEventHost as serveFunctions } from './bench/packages/cloud-event-host.ts'`,
    ),
  ])
  const out = join(dirname(file), 'framework.cjs')
  await bundle({ source: { entryPoints: ['bench/packages/cloud-event-server.ts'] }, out })
  return file
}
