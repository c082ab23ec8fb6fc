import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { functionProcesses } from '../../sandbox/seed/seed.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { parseEventJson } from '../../shared/events/events.ts'
import { namespace, record } from './harness.ts'
import { type ProcessSeed, startProcessSeed } from './process-seed.ts'

const program = (name: string) => fileURLToPath(new URL(`../../examples/events/${name}`, import.meta.url))
let seed: ProcessSeed
beforeEach(async () => {
  seed = await startProcessSeed()
})
afterEach(() => seed.close())

const children = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of children) {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await ended
    }
  }
  children.clear()
})

const start = (name: string, args: readonly string[] = []) => {
  const child = spawn(process.execPath, [program(name), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: '0' },
  })
  children.add(child)
  return child
}

/** The first line that a stream contains. */
const firstLine = async (stream: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('the program ended without a line')
}

test.each(['binary', 'structured'])(
  'a program with the plain CloudEvents SDK receives an event of the bridge, and sends it to a function in %s mode',
  async mode => {
    const printing = start('print-events.mjs')
    const sink = (await firstLine(printing.stderr)).replace(/^.* at /, '')
    const printed = firstLine(printing.stdout)
    const refused = await fetch(sink, { method: 'POST', body: 'no event' })
    expect([refused.status, await refused.text()]).toEqual([400, 'no cloud event detected\n'])
    const bridge = seed.start({ K_SINK: sink, TRELLIS_LEADER_ELECTION: 'false' })
    await bridge.port
    const name = 'from-author'
    const { spec, ...rest } = record(name)
    const object = await seed.kubernetes.create(kinds.DNSRecord.resource, {
      ...rest,
      spec: { ...Object(spec), type: 'aws-route53' },
    })
    const saved = await printed
    await bridge.end('SIGTERM')
    expect(parseEventJson(JSON.parse(saved))).toMatchObject({
      name,
      objectuid: object.metadata.uid,
      operation: 'reconcile',
      attempt: 0,
      data: { spec: object.spec },
    })

    const file = join(seed.folder, 'event.json')
    await writeFile(file, saved)
    const definition = (await findFunctions()).find(({ name }) => name === 'aws-dnsrecord')
    if (definition === undefined) throw new Error('there is no function aws-dnsrecord')
    const fn = await functionProcesses({ kubeconfig: seed.kubeconfig })(definition)
    try {
      const sending = start('send-event.mjs', [file, fn.url, mode])
      expect((await text(sending.stdout)).trim()).toBe('204')
    } finally {
      await fn.close()
    }
    const after = await seed.kubernetes.get(kinds.DNSRecord.resource, { namespace, name })
    // The record refers to a Secret that does not exist.
    expect(after?.status).toMatchObject({ lastOperation: { state: 'Error' } })
  },
)
