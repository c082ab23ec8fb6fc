import { readFile } from 'node:fs/promises'
import { missingBundle } from '../bundle.ts'
import type { Benchmark } from '../figure.ts'
import { measuredFunction } from './measured-function.ts'
import { variantRows } from './variant-rows.ts'
import { measureVariants } from './variant-usage.ts'
import { replaceFile, writeVariant } from './write-variant.ts'

const file = 'shared/runtime/reports/reported-metrics.ts'

/** Measures prom-client in place of the counts of a function, as a multiple of ours (docs/packages.md). */
export const packagesMetrics: Benchmark = {
  name: 'packages-metrics',
  run: async () => {
    const missing = await missingBundle([measuredFunction.kind.bundle])
    if (missing !== undefined) return [{ name: 'prom-client in place of our counts', missing }]
    const name = 'prom-client'
    const usage = await measureVariants(
      [
        { name: 'today', bundle: measuredFunction.kind.bundle },
        { name, bundle: await countedByPackage() },
      ],
      { ...measuredFunction, starts: 15, bursts: 3 },
    )
    const [today, variant] = [usage.get('today'), usage.get(name)]
    return today && variant
      ? variantRows(`${measuredFunction.service} with counts of ${name}`, today, variant)
      : []
  },
}

/** The counts go to prom-client. They can be scraped, but not reported. */
const countedByPackage = async (): Promise<string> => {
  const source = await readFile(file, 'utf8')
  return writeVariant(measuredFunction.service, 'prom-client', [
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
