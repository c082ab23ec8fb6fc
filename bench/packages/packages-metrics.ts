import { readFile } from 'node:fs/promises'
import { missingBundle } from '../bundle.ts'
import type { Benchmark } from '../figure.ts'
import { dnsRecords } from '../start-world.ts'
import { variantRows } from './variant-rows.ts'
import { measureVariants } from './variant-usage.ts'
import { replaceFile, writeVariant } from './write-variant.ts'

const service = 'aws-dnsrecord'
/** Route 53 allows five requests a second per account; this benchmark measures the process, not the wait. */
const settings = { TRELLIS_CLIENT_QPS: '1000', TRELLIS_CLIENT_BURST: '1000' }
const file = 'shared/runtime/reports/reported-metrics.ts'

/** Measures prom-client in place of the counts of a function, as a multiple of ours (docs/packages.md). */
export const packagesMetrics: Benchmark = {
  name: 'packages-metrics',
  run: async () => {
    const missing = await missingBundle([dnsRecords.bundle])
    if (missing !== undefined) return [{ name: 'prom-client in place of our counts', missing }]
    const name = 'prom-client'
    const usage = await measureVariants(
      [
        { name: 'today', bundle: dnsRecords.bundle },
        { name, bundle: await countedByPackage() },
      ],
      { service, kind: dnsRecords, settings, starts: 15, bursts: 3 },
    )
    const [today, variant] = [usage.get('today'), usage.get(name)]
    return today && variant ? variantRows(`${service} with counts of ${name}`, today, variant) : []
  },
}

/** The counts go to prom-client. They can be scraped, but not reported. */
const countedByPackage = async (): Promise<string> => {
  const source = await readFile(file, 'utf8')
  return writeVariant(service, 'prom-client', [
    replaceFile(
      file,
      `${source.replace('export const createReportedMetrics', 'export const ours')}
      import { createMetrics } from './shared/runtime/metrics.ts'
      export const createReportedMetrics = () => ({
        ...createMetrics(), take: () => ({}), giveBack: () => {}, onChange: () => {}
      })`,
    ),
  ])
}
