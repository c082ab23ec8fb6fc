import { parseArgs } from 'node:util'
import { messageOf } from '../../shared/text/message-of.ts'
import { annotationToSucceeded } from './annotation-to-succeeded.ts'
import { firstFunctionFigure } from './author/first-function-figure.ts'
import { accountRate } from './aws/account-rate.ts'
import { awsBenchmarks } from './aws/aws-benchmarks.ts'
import { backupBenchmarks } from './backup/backup-benchmarks.ts'
import { bastionBenchmarks } from './bastion/bastion-benchmarks.ts'
import { bridgeBenchmarks } from './bridge/bridge-benchmarks.ts'
import { bundleSizes } from './bundle-sizes.ts'
import { consoleBenchmark } from './console/console-benchmark.ts'
import { controlPlaneBenchmarks } from './controlplane/control-plane-benchmarks.ts'
import { demo } from './demo.ts'
import { isMet, type Row } from './figure.ts'
import { firstEvent } from './first-event.ts'
import { firstEventOfBundles } from './first-event-of-bundles.ts'
import { firstEventOfKinds } from './first-event-of-kinds.ts'
import { healthyShoots } from './health/healthy-shoots.ts'
import { virtualHour } from './health/virtual-hour.ts'
import { infrastructureBenchmarks } from './infrastructure/infrastructure-benchmarks.ts'
import { recordsOnKnative } from './knative/records-on-knative.ts'
import { shootsOnKnative } from './knative/shoots-on-knative.ts'
import { manyRecords } from './many-records.ts'
import { memoryBenchmarks } from './memory/memory-benchmarks.ts'
import { packagesClient } from './packages/packages-client.ts'
import { packagesHost } from './packages/packages-host.ts'
import { packagesMetrics } from './packages/packages-metrics.ts'
import { seedProcess } from './seed-process/seed-process.ts'
import { simulationBenchmarks } from './simulation/simulation-benchmarks.ts'
import { smallKindsBenchmarks } from './small-kinds/small-kinds-benchmarks.ts'
import { stepReports } from './steps/step-reports.ts'
import { structure } from './structure/structure.ts'
import { tableOf } from './table.ts'
import { unchangedRecord } from './unchanged-record.ts'
import { webhookBenchmarks } from './webhook/webhook-benchmarks.ts'
import { workerBenchmarks } from './worker/worker-benchmarks.ts'

const benchmarks = [
  annotationToSucceeded,
  manyRecords,
  unchangedRecord,
  firstEvent,
  demo,
  consoleBenchmark,
  firstFunctionFigure,
  bundleSizes,
  structure,
  ...bridgeBenchmarks,
  ...awsBenchmarks,
  accountRate,
  ...infrastructureBenchmarks,
  ...backupBenchmarks,
  ...bastionBenchmarks,
  ...workerBenchmarks,
  ...controlPlaneBenchmarks,
  ...smallKindsBenchmarks,
  healthyShoots,
  virtualHour,
  seedProcess,
  stepReports,
  ...simulationBenchmarks,
  ...webhookBenchmarks,
  ...memoryBenchmarks,
  packagesClient,
  packagesHost,
  packagesMetrics,
  firstEventOfKinds,
  firstEventOfBundles,
  recordsOnKnative,
  shootsOnKnative,
]

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names = benchmarks.map(({ name }) => name)
/** `bridge` selects every name that begins with `bridge-`. */
const isAsked = (name: string) =>
  positionals.length === 0 || positionals.some(asked => name === asked || name.startsWith(`${asked}-`))
const unknown = positionals.filter(
  asked => !names.some(name => name === asked || name.startsWith(`${asked}-`)),
)

if (values.help || unknown.length > 0) {
  process.stderr.write(`node test/bench/main.ts [--json] [${names.join('|')}]…\n`)
  process.exitCode = unknown.length > 0 ? 2 : 0
} else {
  const figures: Row[] = []
  for (const { name, run } of benchmarks) {
    if (!isAsked(name)) continue
    if (!values.json) process.stderr.write(`measuring ${name}…\n`)
    try {
      figures.push(...(await run()))
    } catch (error) {
      // Earlier figures are still printed.
      figures.push({ name, missing: messageOf(error) })
      process.exitCode = 1
    }
  }
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ node: process.version, figures: figures.map(figure => ({ ...figure, ...('missing' in figure ? {} : { met: isMet(figure) }) })) }, null, 2)}\n`
      : `\n${tableOf(figures)}\nNode ${process.version}, ${process.platform} ${process.arch}\n`,
  )
}
