import { dirname, join } from 'node:path'
import { bundle } from '../../../build/images/images.ts'
import { missingBundle } from '../bundle.ts'
import type { Benchmark } from '../figure.ts'
import { measuredFunction } from './measured-function.ts'
import { variantRows } from './variant-rows.ts'
import { measureVariants, type Variant } from './variant-usage.ts'
import { replaceFile, writeVariant } from './write-variant.ts'

/** Measures the functions framework in place of our host, as a multiple of ours (decision 0028). */
export const packagesHost: Benchmark = {
  name: 'packages-host',
  run: async () => {
    const missing = await missingBundle([measuredFunction.kind.bundle])
    if (missing !== undefined) return [{ name: 'the functions framework in place of our host', missing }]
    const variants: readonly Variant[] = [
      { name: 'today', bundle: measuredFunction.kind.bundle },
      {
        name: 'the functions framework, http signature (TRELLIS_HOST=framework)',
        bundle: measuredFunction.kind.bundle,
        env: { TRELLIS_HOST: 'framework' },
      },
      { name: 'the functions framework, CloudEvent signature', bundle: await cloudEventBundle() },
    ]
    const usage = await measureVariants(variants, { ...measuredFunction, starts: 15, bursts: 3 })
    const today = usage.get('today')
    return [...usage].flatMap(([name, variant]) =>
      today === undefined || variant === today
        ? []
        : variantRows(`${measuredFunction.service} with ${name}`, today, variant),
    )
  },
}

const cloudEventBundle = async (): Promise<string> => {
  const file = await writeVariant(measuredFunction.service, 'cloud-event', [
    replaceFile(
      'shared/runtime/host.ts',
      `export { cloudEventHost as serveFunctions } from './test/bench/packages/cloud-event-host.ts'`,
    ),
  ])
  const out = join(dirname(file), 'framework.cjs')
  await bundle({ source: { entryPoints: ['test/bench/packages/cloud-event-server.ts'] }, out })
  return file
}
