import { rm } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import * as images from '../../build/images/images.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { parsePrograms, pathOf, plainArgs, programStarter, snapshotArgs } from '../../shared/runner/runner.ts'
import { startProcessSeed } from '../bridge/process-seed.ts'
import { writePrograms } from './seed-process-world.ts'

const folder = await writePrograms('calico-compact', 'calico-network')
const { kubeconfig, close } = await startProcessSeed()
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true })
})

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const fn = { name: 'calico-network', kind: 'Network', types: ['calico'] }

test.each(['calico-compact', 'calico-network'])(
  '%s receives events at the path of the runner',
  async name => {
    const [program] = parsePrograms(JSON.stringify([{ name, functions: [fn] }]))
    if (program?.functions[0] === undefined) throw new Error('no program')
    const starter = programStarter({
      folder,
      environment: () => ({ KUBECONFIG: kubeconfig, TRELLIS_PORT: '0', TRELLIS_ADDRESS: '127.0.0.1' }),
      ...{ clock: systemClock, log: silent, output: () => {} },
    })
    const { signal } = new AbortController()
    const process = await starter.start(program, signal)
    const message = { headers: {}, body: Buffer.from('{}') }
    const { status, body } = await process.post(pathOf(program, program.functions[0]), message, signal)
    process.disconnect()
    process.stop('SIGTERM')
    await process.ended
    // An answer about the event, and not about the path.
    expect(status).toBe(400)
    expect(Buffer.from(body).toString()).not.toContain('send events by POST')
  },
)

test('programs start with the flags of their images', () => {
  expect(snapshotArgs('/a')).toEqual(images.snapshotArgs('/a'))
  expect(plainArgs('/a')).toEqual([...images.nodeFlags, '/a/main.cjs'])
})
