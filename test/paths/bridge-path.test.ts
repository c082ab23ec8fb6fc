import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '../../shared/contract/kinds.ts'
import { record } from '../bridge/harness.ts'
import { startProcessSeed } from '../bridge/process-seed.ts'
import { coverageEnvironment, filesOfReport, isOnThePath } from './ran-files.ts'

/** Observers report what the core does. They can be removed, so a reader of the path does not open them. */
const isOptional = (file: string): boolean =>
  file.startsWith('bridge/observers/') ||
  file.startsWith('shared/health/schedule/') ||
  file.startsWith('shared/secondary/') ||
  file.startsWith('shared/journal/serve/') ||
  file === 'shared/memory/release-at-rest.ts' ||
  // The test's own probe.
  file === 'shared/runtime/probes.ts'

/**
 * Creates one DNSRecord beside a running bridge, from its sources, and returns the files in which a function ran until
 * the sink had accepted its event. Each probe ends a coverage report, so the event has a report of its own.
 */
const filesOfRecordEvent = async (): Promise<readonly string[]> => {
  const seed = await startProcessSeed()
  try {
    const bridge = seed.start(coverageEnvironment(seed.folder))
    const reports = async () => (await readdir(seed.folder)).filter(name => /^coverage-/.test(name)).sort()
    let probes = 0
    // Each probe writes one report when it arrives, and one when it is answered.
    const probe = async () => {
      const { ok } = await fetch(`http://127.0.0.1:${await bridge.port}/health/readiness`)
      probes++
      await expect.poll(async () => (await reports()).length).toBe(2 * probes)
      return ok
    }
    await expect.poll(probe).toBe(true)
    const before = await reports()
    await seed.kubernetes.create(kinds.DNSRecord.resource, record('one'))
    await expect.poll(() => bridge.log.some(({ msg }) => msg === 'event accepted')).toBe(true)
    await probe()
    const [report = ''] = (await reports()).slice(before.length)
    return await filesOfReport(join(seed.folder, report))
  } finally {
    await seed.close()
  }
}

test('a reader follows one DNSRecord through the core of the bridge in at most 15 files', async () => {
  const files = (await filesOfRecordEvent()).filter(file => isOnThePath(file) && !isOptional(file)).toSorted()
  expect(files).toContain('bridge/core/create-core.ts')
  expect(files.length, `these files ran:\n${files.join('\n')}\n`).toBeLessThanOrEqual(15)
})
