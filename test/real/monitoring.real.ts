import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { useSeeds } from '../../bridge/testing/test-seed.ts'
import { measuredProcesses, ruleGroups } from '../../knative/monitoring/monitoring.ts'
import { alertCases } from '../../knative/monitoring/testing/alert-cases.ts'
import { panelCases } from '../../knative/monitoring/testing/panel-cases.ts'
import { promtoolPanelTests, promtoolTests } from '../../knative/monitoring/testing/promtool-cases.ts'
import { createMetrics, createSeriesCache, seriesText } from '../../shared/runtime/runtime.ts'
import { alertCauses } from '../monitoring/alert-faults.ts'
import { causeFault, promtoolFaultTests } from '../monitoring/cause-fault.ts'
import { describeWith } from './with-part.ts'

const execute = promisify(execFile)
const newSeed = useSeeds()

describeWith('promtool', 'promtool of Prometheus', ({ promtool }) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-promtool-'))
    await writeFile(
      join(folder, 'rules.yaml'),
      stringify(ruleGroups({ namespace: 'trellis', hasWebhooks: true })),
    )
    await writeFile(join(folder, 'tests.yaml'), stringify(promtoolTests('rules.yaml', alertCases)))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const run = (...args: string[]) => execute(promtool, args, { cwd: folder })

  test('accepts every rule', async () => {
    const { stdout } = await run('check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml')
    expect(stdout).toContain('SUCCESS')
  })

  test('sees every alert fire exactly when it must', async () => {
    const { stdout, stderr } = await run('test', 'rules', 'tests.yaml')
    expect(`${stdout}${stderr}`).toContain('SUCCESS')
  })

  test('sees every alert fire at its fault and end after it, with the actual metrics of the code', async () => {
    const faults = []
    for (const cause of alertCauses) faults.push(await causeFault(cause, newSeed))
    await writeFile(join(folder, 'faults.yaml'), stringify(promtoolFaultTests('rules.yaml', faults)))
    const { stdout, stderr } = await run('test', 'rules', 'faults.yaml')
    expect(`${stdout}${stderr}`).toContain('SUCCESS')
  })

  test('sees dashboards count each object once', async () => {
    await writeFile(join(folder, 'panels.yaml'), stringify(promtoolPanelTests(panelCases)))
    const { stdout, stderr } = await run('test', 'rules', 'panels.yaml')
    expect(`${stdout}${stderr}`).toContain('SUCCESS')
  })

  test('accepts the Node metrics that bridge and webhooks expose in addition to their own', async () => {
    const { text } = await createMetrics({ processMetrics: true }).render()
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    const checked = execute(promtool, ['check', 'metrics', '--lint=all'], { cwd: folder })
    checked.child.stdin?.end(text)
    const { stdout, stderr } = await checked
    expect(`${stdout}${stderr}`).toBe('')
  })

  test.each(measuredProcesses())('accepts the metrics of $process', async ({ definitions }) => {
    const kept = createSeriesCache()
    for (const definition of definitions) {
      kept.define(definition)
      const labels = definition.labels.map(() => 'x')
      kept.add(
        definition.name,
        definition.type === 'histogram' ? kept.observed(definition.name, labels, 1) : { labels, value: 1 },
      )
    }
    const { text } = await seriesText(kept)
    const checked = execute(promtool, ['check', 'metrics', '--lint=all'], { cwd: folder })
    checked.child.stdin?.end(text)
    const { stdout, stderr } = await checked
    expect(`${stdout}${stderr}`).toBe('')
  })
})
