import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { kinds } from '../../shared/contract/kinds.ts'
import { record } from '../bridge/harness.ts'
import { startProcessSeed } from '../bridge/process-seed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const coverage = fileURLToPath(new URL('../../bench/programs/coverage.cjs', import.meta.url))

/** The ports of the bridge, which decide nothing about an event, and the contract, which is reference. */
const besideThePath = [
  'shared/kubernetes/',
  'shared/clock/',
  'shared/log/',
  'shared/contract/',
  'shared/runtime/metrics',
]

interface Report {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** Returns true for a function that ran. The unnamed function at the start of a file is the module itself. */
const hasRun = ({ functionName, ranges }: Report['result'][number]['functions'][number]): boolean => {
  const [whole] = ranges
  return whole !== undefined && whole.count > 0 && !(functionName === '' && whole.startOffset === 0)
}

/** Returns the repository files in which a function ran, according to one coverage report. */
const filesOf = async (report: string): Promise<readonly string[]> => {
  const { result } = JSON.parse(await readFile(report, 'utf8')) as Report
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasRun))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter(file => file.endsWith('.ts') && !file.startsWith('..') && !file.includes('node_modules'))
    .sort()
}

/**
 * Creates one DNSRecord beside a running bridge, from its sources, and returns the files in which a function ran until
 * the sink had accepted its event. Each probe ends a coverage report, so the event has a report of its own.
 */
const filesOfRecordEvent = async (): Promise<readonly string[]> => {
  const seed = await startProcessSeed()
  try {
    const bridge = seed.start({ NODE_OPTIONS: `--require=${coverage}`, NODE_V8_COVERAGE: seed.folder })
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
    await expect.poll(() => bridge.log.some(({ msg }) => msg === 'an event has arrived')).toBe(true)
    await probe()
    const [report = ''] = (await reports()).slice(before.length)
    return await filesOf(join(seed.folder, report))
  } finally {
    await seed.close()
  }
}

test('a reader follows one DNSRecord through the bridge in at most 15 files', async () => {
  const all = await filesOfRecordEvent()
  const files = all.filter(file => !besideThePath.some(room => file.startsWith(room)))
  expect(files).toContain('bridge/core/create-core.ts')
  console.log(all.length, files.length, files)
  expect(files, files.join('\n')).toHaveLength(15)
})
