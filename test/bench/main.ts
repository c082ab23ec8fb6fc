import { parseArgs } from 'node:util'
import { messageOf } from '../../shared/text/message-of.ts'
import { changeToCheck } from './bridge/change-to-check.ts'
import { changeToSink } from './bridge/change-to-sink.ts'
import { idle } from './bridge/idle.ts'
import { manyCompleted, manyUnclaimed } from './bridge/many-objects.ts'
import { sinkComesBack } from './bridge/sink-comes-back.ts'
import { steadyLoad } from './bridge/steady-load.ts'
import { isMet, type Row } from './figure.ts'
import { recordsOnKnative } from './knative/records-on-knative.ts'
import { shootsOnKnative } from './knative/shoots-on-knative.ts'
import { memoryBenchmarks } from './memory/memory-benchmarks.ts'
import { packagesClient } from './packages/packages-client.ts'
import { packagesHost } from './packages/packages-host.ts'
import { packagesMetrics } from './packages/packages-metrics.ts'
import { seedProcess } from './seed-process/seed-process.ts'
import { firstEventOfBundles } from './start/first-event-of-bundles.ts'
import { surveyCommands } from './survey/survey-commands.ts'
import { tableOf } from './table.ts'
import { webhookMemory } from './webhook/webhook-memory.ts'

const benchmarks = [
  ...[sinkComesBack, steadyLoad, changeToSink, changeToCheck, idle, manyCompleted, manyUnclaimed],
  firstEventOfBundles,
  ...memoryBenchmarks,
  ...[packagesClient, packagesHost, packagesMetrics],
  ...[seedProcess, webhookMemory, recordsOnKnative, shootsOnKnative, surveyCommands],
]

const { values, positionals } = parseArgs({
  options: {
    ...{ json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    shoots: { type: 'string', default: '250' },
  },
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
  process.stderr.write(`node test/bench/main.ts [--json] [--shoots NUMBER] [${names.join('|')}]…\n`)
  process.exitCode = unknown.length > 0 ? 2 : 0
} else {
  const figures: Row[] = []
  for (const { name, run } of benchmarks) {
    if (!isAsked(name)) continue
    if (!values.json) process.stderr.write(`measuring ${name}…\n`)
    try {
      figures.push(...(await run({ shoots: Number(values.shoots) })))
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
