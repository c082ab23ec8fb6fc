import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSandboxRecord } from '../../cli/record/record-sandbox.ts'
import { runRecord } from '../../cli/record/run-record.ts'
import { listJournals, saveEvent } from '../../cli/replay/journal/show-journal.ts'
import { replay } from '../../cli/replay/testing/replay-run.ts'
import { parseEventJson } from '../../shared/events/events.ts'
import { readJournal } from '../../shared/journal/journal.ts'
import { startTestSeed, type TestSeed } from '../e2e/harness.ts'
import { givenAway } from '../e2e/planted.ts'
import { accessKey, namespace } from '../e2e/shoot.ts'

let folder: string
let seed: TestSeed
let recorded: string
let inProcess: string
const printed: string[] = []

/** Resolves when a journal on disk contains a text. */
const untilWritten = async (path: string, text: string): Promise<void> => {
  for (;;) {
    const content = await readFile(path, 'utf8').catch(() => '')
    if (content.includes(text)) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-replay-'))
  recorded = join(folder, 'live.journal')
  inProcess = join(folder, 'dev.journal')
  const kubeconfig = join(folder, 'kubeconfig')
  seed = await startTestSeed({ reportsSteps: true })
  await writeFile(kubeconfig, seed.kubeconfig)
  const dev = await openSandboxRecord(inProcess)
  dev.start(seed)
  const ended = new AbortController()
  const live = runRecord(
    [namespace],
    { output: recorded, maxSize: 1e9, kubeconfig, bridge: seed.bridgeUrl },
    { signal: ended.signal, stdout: process.stdout, print: line => printed.push(line) },
  )
  await untilWritten(recorded, '"journal":1')
  await untilWritten(recorded, `"Cluster ${namespace}"`)
  await seed.create('works')
  await seed.untilReady('works')
  seed.aws.faults.add({
    service: 'route53',
    action: 'ChangeResourceRecordSets',
    effect: { kind: 'error', code: 'AccessDenied', message: 'User is not authorized', status: 403 },
  })
  await seed.create('fails')
  await seed.untilError('fails')
  for (const path of [recorded, inProcess]) await untilWritten(path, '"outcome":"failed"')
  for (const path of [recorded, inProcess]) await untilWritten(path, '\\"phase\\":\\"waiting\\"')
  ended.abort()
  await live
  await dev.close()
}, 120_000)
afterAll(async () => {
  await seed.close()
  await rm(folder, { recursive: true })
})

const list = async (path: string, select = {}) => {
  let text = ''
  const output = { stdin: process.stdin, write: (more: string) => (text += more), warn: () => {} }
  await listJournals([path], select, output)
  return text
}

describe.each([
  ['trellis record', () => recorded],
  ['trellis dev --record', () => inProcess],
])('a journal of %s', (_, path) => {
  test('is valid, and contains objects, events and steps, but no secret', async () => {
    const text = await readFile(path(), 'utf8')
    const { entries, problems } = await readJournal(
      (async function* () {
        yield text
      })(),
    )
    expect(problems).toEqual([])
    expect([...new Set(entries.map(({ type }) => type))].toSorted()).toEqual(
      expect.arrayContaining(['event', 'object', 'step']),
    )
    expect(givenAway(text, [accessKey.AWS_SECRET_ACCESS_KEY ?? ''])).toEqual([])
  })

  test('lists its steps with their outcomes', async () => {
    const text = await list(path())
    expect(text).toMatch(/^[0-9a-f]{8} .* DNSRecord \S+\/works +reconcile +succeeded in \d+ ms$/m)
    expect(text).toMatch(
      /^[0-9a-f]{8} .* DNSRecord \S+\/fails +reconcile +failed in \d+ ms +Error reconciling DNSRecord/m,
    )
  })

  test('repeats the failure of a step offline', async () => {
    const { ok, text } = await replay([path()], { select: { failed: true, object: 'dns/fails' } })
    expect(ok).toBe(false)
    expect(text).toMatch(/^outcome {5}failed: .*AccessDenied.*\(ERR_INFRA_UNAUTHORIZED\)$/m)
    expect(text).toMatch(/^recorded {4}failed: .*User is not authorized.*\(ERR_INFRA_UNAUTHORIZED\)$/m)
    expect(text).toContain('note        1 call of AWS failed as recorded')
  })

  test('repeats the success of a step offline', async () => {
    const { ok, text } = await replay([path()], { select: { object: `DNSRecord/${namespace}/works` } })
    expect(ok).toBe(true)
    expect(text).toMatch(/^recorded {4}succeeded$/m)
  })

  test('without a selection is replayed as a whole', async () => {
    const { text } = await replay([path()])
    expect(text.match(/^recorded {4}(?:succeeded|failed)/gm)?.length).toBeGreaterThanOrEqual(2)
  })
})

test('the event of a step becomes the input of a test', async () => {
  const target = join(folder, 'bug.json')
  let said = ''
  const output = { stdin: process.stdin, write: (text: string) => (said += text), warn: () => {} }
  const at = new Date().toISOString()
  await saveEvent(recorded, target, { object: 'dns/fails', failed: true, at }, output)
  expect(parseEventJson(JSON.parse(await readFile(target, 'utf8')))).toMatchObject({
    kind: 'DNSRecord',
    name: 'fails',
  })
  expect(said).toContain(`trellis replay ${target} --cluster ${join(folder, 'bug.cluster.json')}`)
  expect((await replay([target], { cluster: join(folder, 'bug.cluster.json') })).ok).toBe(true)
  await expect(saveEvent(recorded, target, { object: 'dns/fails', at }, output)).rejects.toThrow('exists')
  await expect(saveEvent(recorded, join(folder, 'x'), {}, output)).rejects.toThrow('saves one step')
})

test('without events and steps of the bridge, the claims of the objects show the steps', async () => {
  const lines = (await readFile(recorded, 'utf8')).split('\n')
  const path = join(folder, 'claims.journal')
  await writeFile(path, lines.filter(line => !/"type":"(?:event|step)"/.test(line)).join('\n'))
  expect(await list(path)).toMatch(/DNSRecord \S+\/fails +reconcile +failed +Error reconciling DNSRecord/)
  const { ok, text } = await replay([path], { select: { object: 'dns/works' } })
  expect([ok, /^recorded {4}succeeded$/m.test(text)]).toEqual([true, true])
})

test('a truncated journal gives its complete part, and says where it ends', async () => {
  const text = await readFile(recorded, 'utf8')
  const path = join(folder, 'truncated.journal')
  await writeFile(path, text.slice(0, -100))
  const warnings: string[] = []
  const output = { stdin: process.stdin, write: () => {}, warn: (line: string) => warnings.push(line) }
  await listJournals([path], {}, output)
  expect(warnings).toEqual([expect.stringMatching(/line \d+ is incomplete: the journal ends at/)])
})

test('a journal of another version is refused with its version', async () => {
  const path = join(folder, 'future.journal')
  await writeFile(path, (await readFile(recorded, 'utf8')).replace('"journal":1', '"journal":7'))
  await expect(replay([path])).rejects.toThrow('version 7')
})

test('names with control characters are escaped', async () => {
  const path = join(folder, 'hostile.journal')
  const text = await readFile(recorded, 'utf8')
  await writeFile(path, text.replaceAll('User is not authorized', '\\u001b[2Jhostile\\u202e'))
  const shown = (await list(path)) + (await replay([path], { select: { failed: true } })).text
  expect(shown).toContain('\\x1b[2Jhostile')
  expect(shown.includes('\u001b') || shown.includes('\u202e')).toBe(false)
})

test('a selection without a step, and one of a file that is no journal, are refused', async () => {
  await expect(replay([recorded], { select: { step: 'ffffffff' } })).rejects.toThrow('no step is selected')
  await expect(replay([recorded], { select: { at: 'yesterday' } })).rejects.toThrow('--at: expected a time')
  await expect(replay([recorded], { select: { object: 'nonsense' } })).rejects.toThrow('--object: expected')
  const event = new URL('../events/dnsrecord-create.json', import.meta.url).pathname
  await expect(replay([event], { select: { failed: true } })).rejects.toThrow('is not a journal')
})

test('the summary counts the entries', () => {
  expect(printed.join('\n')).toMatch(
    /live\.journal: \d+ entries \(\d+ changes of objects, \d+ events?, \d+ steps?\), 1 shoot/,
  )
})
